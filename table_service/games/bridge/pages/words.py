"""Texts of bridge's pages: the board, the zones, its end; its events as sentences. Italian, then English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hw.seats import CLOCKWISE, Seat, seat_or_none
from hw.zones import played
from table_service.events.untrusted import as_map, as_whole
from table_service.games.bridge.rules.auction import DOUBLE, NO_BID, REDOUBLE
from table_service.games.bridge.rules.contract import BIDS, DOUBLINGS, TRICKS, Contract, Doubling
from table_service.games.game_pages import Declaration, Document, StatedNumber, Text, TrickCard

WORDS: Final[Mapping[str, Text]] = {
    "to_play": ("è di turno", "to play"),
    "bridge_auction": ("Licita", "Auction"),
    "bridge_nt": ("SA", "NT"),
    "bridge_no_call": ("nessuna chiamata passata", "no call passed yet"),
    "bridge_board": ("Board", "Board"),
    "bridge_vulnerable": ("In zona", "Vulnerable"),
    "vulnerable_none": ("nessuno", "none"),
    "vulnerable_NS": ("Nord-Sud", "North-South"),
    "vulnerable_EW": ("Est-Ovest", "East-West"),
    "vulnerable_both": ("tutti", "both"),
    "vulnerable_unknown": ("non nota", "not known"),
    "bridge_tray": ("Carrello", "Tray"),
    "tray_NE": ("da Nord e Est", "with North and East"),
    "tray_SW": ("da Sud e Ovest", "with South and West"),
    "bridge_contract": ("Contratto", "Contract"),
    "bridge_passed_out": ("quattro passo", "passed out"),
    "bridge_by": ("di", "by"),
    "phase_auction": ("si licita", "auction"),
    "phase_playing": ("si gioca", "in play"),
    "phase_over": ("board finito", "board over"),
    "trick": ("Presa", "Trick"),
    "trick_empty": ("nessuna carta a terra", "no card laid yet"),
    "last_trick": ("Presa precedente", "Trick before"),
    "tricks_won": ("Prese", "Tricks"),
    "evidence_covered": (
        "Le immagini mostrano il carrello da quando l’attacco è scoperto: prima direbbero chi ha licitato, e quando.",
        "Pictures show the tray once the lead is faced: before, they would tell who has called, and when.",
    ),
    "bridge_plan": (
        "Sipario fra Nord-Est e Sud-Ovest; il carrello:",
        "Screen between North-East and South-West; the tray:",
    ),
    "bridge_tray_moves": ("passa", "is on its way"),
    "bridge_to_call": ("Licita", "To call:"),
    "bridge_then": ("poi", "then"),
    "bridge_dummy": ("Morto", "Dummy"),
    "bridge_penalty": ("Carta penalizzata", "Penalty card"),
    "penalty_minor": ("minore", "minor"),
    "penalty_major": ("maggiore", "major"),
    "lead_require": ("Deve uscire a", "Has to lead"),
    "lead_forbid": ("Non può uscire a", "May not lead"),
    "claim": ("Carte messe a terra", "Hand laid down"),
    "zone_tray": ("carrello", "tray"),
    "zone_bidding-box": ("bidding box registrato", "enrolled bidding box"),
    "zone_played-seat": ("carte giocate da {seat}", "cards played by {seat}"),
    "zone_board-seat": ("tasca di {seat}", "pocket of {seat}"),
    "manner_played": ("giocato fino in fondo", "played to the end"),
    "manner_passed": ("quattro passo", "passed out"),
    "mark_claim": ("carte a terra", "hand laid down"),
    "mark_tray": ("carrello", "tray"),
    "bridge_stated": ("Prese dette", "Tricks stated"),
    "bridge_agreed": ("d’accordo", "agreed"),
    "bridge_board_number": ("Numero del board", "Board’s number"),
    "bridge_by_number": ("come dice il numero", "as the number says"),
    "bridge_record_file": ("Smazzate (PBN, uno o più board)", "Deals (PBN, one board or more)"),
    "bridge_record_text": ("Smazzata in PBN", "The deal in PBN"),
    "bridge_record_kept": (
        "Con le smazzate caricate alle {when}: {what}",
        "With the deals that were loaded at {when}: {what}",
    ),
    "award_what": ("Che cosa", "What"),
    "award_artificial": ("Punteggio artificiale", "Artificial score"),
    "award_result": ("Risultato assegnato", "Assigned result"),
    "award_deduction": ("Penalità", "Penalty"),
    "award_fault": ("Chi è in colpa (12C2)", "Who is at fault (12C2)"),
    "award_fault_none": ("non in colpa: 60 %", "not at fault: 60 %"),
    "award_fault_partly": ("in colpa in parte: 50 %", "partly at fault: 50 %"),
    "award_fault_directly": ("in colpa: 40 %", "directly at fault: 40 %"),
    "award_fault_abandoned": ("ha abbandonato: 0 %", "has abandoned: 0 %"),
    "award_percent": ("oppure", "or"),
    "award_imps": ("squadre", "teams"),
    "award_fault_text": (
        "In una gara a squadre 60, 50 e 40 % valgono +3, 0 e −3 IMP, se non ne scrivi altri.",
        "In a match of teams 60, 50 and 40 % are worth +3, 0 and −3 IMPs, unless you write others.",
    ),
    "award_results": ("Che risultato (12C1)", "Which result (12C1)"),
    "award_results_text": (
        "Un risultato; più d’uno, ognuno con il suo peso (12C1c).",
        "One result; or several, each with its weight (12C1c).",
    ),
    "award_ew_text": (
        "Un altro risultato per Est-Ovest (split score, 12C1f)",
        "Another result for East-West (split score, 12C1f)",
    ),
    "award_doubled": ("Contre", "Doubled"),
    "award_by": ("di chi", "by whom"),
    "award_result_short": ("Risultato", "Result"),
    "award_weight": ("peso", "weight"),
    "award_amount": ("Quanto", "How much"),
    "award_unit": ("Di che cosa", "Of what"),
    "award_unit_vp": ("Victory Points", "victory points"),
    "award_unit_imp": ("IMP", "IMPs"),
    "award_unit_percent": ("% del top di un board", "% of a top on a board"),
    "award_deduction_text": (
        "Squadre: V.P., a K.O. IMP (norme 8.2, 8.3). Coppie: % del top di un board (8.3, 87.1).",
        "Teams: V.P., in knock-outs IMPs (norms 8.2, 8.3). Pairs: % of a top on a board (8.3, 87.1).",
    ),
    "bridge_record_secret": (
        "Si prende il board con questo numero. Nessuna pagina mostra le carte, nessun file della console le conserva.",
        "The board of this number is taken. No page shows its cards, and no file of the console keeps them.",
    ),
}
STRAINS: Final[Mapping[str, Text]] = {
    "C": ("♣", "♣"),
    "D": ("♦", "♦"),
    "H": ("♥", "♥"),
    "S": ("♠", "♠"),
    "N": (" SA", "NT"),
}
_DOUBLED: Final[Mapping[Doubling, Text]] = {
    "": ("", ""),
    "X": (" contrato", " doubled"),
    "XX": (" surcontrato", " redoubled"),
}


def bid_in_words(bid: str) -> Text:
    """Return a bid as people write it.

    >>> bid_in_words("3N"), bid_in_words("2H")
    (('3 SA', '3NT'), ('2♥', '2♥'))
    """
    italian, english = STRAINS[bid[1]]
    return bid[0] + italian, bid[0] + english


def _calls() -> dict[str, Text]:
    """Return the sentence of each call, and of each contract."""
    said: dict[str, Text] = {
        f"call.made.{NO_BID}": ("{who} passa", "{who} passes"),
        f"call.made.{DOUBLE}": ("{who} contra", "{who} doubles"),
        f"call.made.{REDOUBLE}": ("{who} surcontra", "{who} redoubles"),
        "contract.made.None": ("La licita è finita: quattro passo", "The auction is over: passed out"),
    }
    for bid in BIDS:
        italian, english = bid_in_words(bid)
        said[f"call.made.{bid}"] = (f"{{who}} dichiara {italian}", f"{{who}} bids {english}")
        for doubled in DOUBLINGS:
            key = f"contract.made.{Contract(bid, Seat.NORTH, doubled)}"
            said[key] = (
                f"Contratto: {italian}{_DOUBLED[doubled][0]} di {{who}}",
                f"Contract: {english}{_DOUBLED[doubled][1]} by {{who}}",
            )
    return said


SENTENCES: Final[Mapping[str, Text]] = {
    **_calls(),
    "board.placed": ("Il board è in tavola", "The board is in place"),
    "board.checked": ("Le tasche del board sono state pesate", "The pockets of the board were weighed"),
    "tray.passed": ("Il carrello è passato", "The tray was passed"),
    "call.made": ("{who} chiama", "{who} calls"),
    "table.health.lost.bidding-box": (
        "Nessun cartellino di licita è letto: nel bidding box mancano {note}. Va registrato intero (tavolo enrol)",
        "No bidding card is named: the bidding box lacks {note}. It has to be enrolled whole (tavolo enrol)",
    ),
    "table.health.ok.bidding-box": (
        "Il bidding box registrato è intero: i cartellini di licita sono letti",
        "The enrolled bidding box is whole: bidding cards are named",
    ),
    "alert.shown": ("{who} ha allertato", "{who} has alerted"),
    "alert.returned": ("L’alert è tornato a {who}", "The alert card went back to {who}"),
    "screen.sealed": ("Quello che è dietro il sipario, per l’arbitro", "What lies behind the screen, for the arbitro"),
    "contract.made": ("La licita è finita", "The auction is over"),
    "screen.opened": ("Il sipario è aperto", "The aperture is open"),
    "lead.made": ("{who} attacca", "{who} leads"),
    "dummy.spread": ("Il morto stende le carte", "Dummy's cards lie open"),
    "trick.played": ("{who} gioca", "{who} plays"),
    "trick.won": ("{who} prende", "{who} takes the trick"),
    "penalty-card.set": ("Carta penalizzata di {who}", "{who} has a penalty card"),
    "penalty-card.served": ("Non c’è più la carta penalizzata di {who}", "{who}’s penalty card is one no more"),
    "claim.made": ("{who} mette a terra le carte", "{who} lays down the hand"),
    "card.exposed": ("Carta scoperta davanti a {who}", "A card lies exposed before {who}"),
    "board.sealed": ("Il registro del board, per l’arbitro", "The log of the board, for the arbitro"),
    "deal.ended.played": ("Il board è finito", "The board is over"),
    "deal.ended.passed": ("Quattro passo", "The board was passed out"),
}


def in_order_of_play(cards: Document, led: object) -> list[object]:
    """Return the cards of a trick by seat as they were played: from its leader on, clockwise."""
    first = seat_or_none(led) or CLOCKWISE.seats[0]
    turns = (str(CLOCKWISE.after(first, turns)) for turns in range(len(CLOCKWISE.seats)))
    return [cards[seat] for seat in turns if seat in cards]


CARDS: Final[Mapping[str, Callable[[Document], object]]] = {
    "lead.made": lambda data: [data.get("card")],
    "trick.played": lambda data: [data.get("card")],
    "trick.won": lambda data: in_order_of_play(as_map(data.get("cards")), data.get("led")),
    "dummy.spread": lambda data: data.get("cards"),
    "claim.made": lambda data: data.get("cards"),
    "penalty-card.set": lambda data: [data.get("card")],
    "penalty-card.served": lambda data: [data.get("card")],
}
"""Where an event of a type names public cards."""
MOVES: Final = frozenset(
    {
        "call.made",
        "tray.passed",
        "contract.made",
        "lead.made",
        "dummy.spread",
        "trick.played",
        "trick.won",
        "claim.made",
        "penalty-card.set",
        "penalty-card.served",
    }
)
"""Events that tell how the board goes on."""
DECLARATIONS: Final = (Declaration("claim", ("Mette a terra o concede", "Claims or concedes")),)
"""What a person hears at the table (law 68)."""
STATED: Final = (StatedNumber("result", "tricks", ("Prese del dichiarante", "Declarer's tricks"), range(TRICKS + 1)),)
"""The result as the arbitro states it: of a claim as both lines agree, or as he rules."""


TRICK_CARD: Final = TrickCard(
    title=("Carta di una presa", "Card of a trick"),
    text=(
        "Il tavolo ha letto un’altra carta, o ne mancava una (art. 67): di quale presa, quale carta, e di chi.",
        "The table has read another card, or one was missing (law 67): of which trick, which card, and whose.",
    ),
    zones={str(seat): played(seat) for seat in CLOCKWISE.seats},
    name="n",
    numbers=range(1, TRICKS + 1),
    newest=lambda state: as_whole(as_map(state.get("trick")).get("n")),
)
"""One card of a trick, as the arbitro states it (67)."""
