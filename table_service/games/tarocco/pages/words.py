"""Texts of tarocco's pages: the board, the zones, ends of a deal; its events as sentences. Italian, then English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hw.cards import TAROCCO, TAROCCO_RANKS, TAROCCO_SUITS, TRUMPS
from hw.seats import ANTICLOCKWISE, seat_or_none
from table_service.events.untrusted import as_map
from table_service.games.game_pages import CardKey, CardKeys, Declaration, Document, Text
from table_service.games.tarocco.rules.card_points import SUIT_NAMES

WORDS: Final[Mapping[str, Text]] = {
    "to_lay": ("è di turno", "to play"),
    "trick": ("Presa", "Trick"),
    "trick_empty": ("nessuna carta a terra", "no card laid yet"),
    "last_trick": ("Presa precedente", "Trick before"),
    "tricks_won": ("Prese", "Tricks"),
    "scartatore": ("Scartatore", "Scartatore"),
    "scarto": ("Scarto", "Scarto"),
    "scarto_cards": ("carte", "cards"),
    "phase_dealt": ("si distribuisce", "dealing"),
    "phase_scarto": ("scarto fatto", "scarto made"),
    "phase_playing": ("si gioca", "in play"),
    "phase_over": ("smazzata finita", "deal over"),
    "accuso": ("Accuso in mano", "Combinations shown"),
    "accuso_late": ("tardivo", "late"),
    "claim": ("Carte messe a terra", "Hand laid down"),
    "form_quattro-scartate": ("Quattro Scartate", "Quattro Scartate"),
    "form_ottocento": ("Ottocento", "Ottocento"),
    "deals_won": ("Smazzate vinte", "Deals won"),
    "begati": ("Begati", "Begati"),
    "match_to": ("La partita è di", "The match goes to"),
    "match_sheet": ("Foglio di gara", "Match sheet"),
    "match_total": ("Punti", "Points"),
    "match_signed": ("Firma su ogni smazzata", "Every deal signed"),
    "match_runs": ("La partita non è finita.", "The match is not over."),
    "match_again": (
        "Partita pari, o un punteggio non è noto: decide la Giuria.",
        "The match is level, or a score is not known: the Giuria decides.",
    ),
    "decided_points": ("ai punti", "by points"),
    "decided_deals-won": ("per smazzate vinte", "by deals won"),
    "decided_begati": ("per Begati", "by Begati"),
    "decided_called-out": ("chiamandosi fuori", "by calling out"),
    "decided_wrong-call": ("chiamata fuori errata", "by a wrong call"),
    "zone_trick": ("presa", "trick"),
    "zone_tricks-line": ("prese {line}", "{line} tricks"),
    "zone_scarto": ("scarto", "scarto"),
    "manner_played": ("giocata fino in fondo", "played to the end"),
    "mark_accuso": ("accuso", "combinations"),
    "mark_claim": ("carte a terra", "hand laid down"),
}
SENTENCES: Final[Mapping[str, Text]] = {
    "scarto.made": ("{who} ha fatto lo scarto", "{who} has made the scarto"),
    "accuso.shown": ("{who} mostra le combinazioni in mano", "{who} shows combinations"),
    "trick.played": ("{who} gioca", "{who} plays"),
    "trick.won": ("{who} prende", "{who} takes the trick"),
    "signal.made.busso": ("{who} bussa", "{who} knocks: busso"),
    "signal.made.striscio": ("{who} striscia", "{who} slides: striscio"),
    "signal.made.volo": ("{who} dice volo", "{who} says volo"),
    "card.exposed": ("Carta scoperta davanti a {who}", "A card lies exposed before {who}"),
    "claim.made": ("{who} mette a terra tutte le carte", "{who} lays down all cards"),
    "match.called-out": ("{who} si chiama fuori", "{who} calls out"),
    "deal.ended.played": ("La smazzata è finita", "The deal is over"),
    "deal.ended.stopped": ("La smazzata è stata fermata", "The deal was stopped"),
}
VARIANTS: Final = {"signal.made": "signal"}


def in_order_of_play(cards: Document, led: object) -> list[object]:
    """Return the cards of a trick by seat as they were played: from the leader on, anticlockwise."""
    first = seat_or_none(led) or ANTICLOCKWISE.seats[0]
    turns = (str(ANTICLOCKWISE.after(first, turns)) for turns in range(len(ANTICLOCKWISE.seats)))
    return [cards[seat] for seat in turns if seat in cards]


CARDS: Final[Mapping[str, Callable[[Document], object]]] = {
    "trick.played": lambda data: [data.get("card")],
    "trick.won": lambda data: in_order_of_play(as_map(data.get("cards")), data.get("led")),
    "accuso.shown": lambda data: data.get("cards"),
    "claim.made": lambda data: data.get("cards"),
    "card.exposed": lambda data: data.get("cards"),
}
"""Where an event of a type names public cards."""
MOVES: Final = frozenset(
    {"scarto.made", "trick.played", "trick.won", "accuso.shown", "claim.made", "card.exposed", "signal.made"}
)
"""Events that tell of cards."""

_RANKS: Final = {
    "A": ("Asso", "Ace"),
    "T": ("10", "10"),
    "F": ("Fante", "Jack"),
    "C": ("Cavallo", "Knight"),
    "Q": ("Regina", "Queen"),
    "K": ("Re", "King"),
}
_TRUMPS: Final[Mapping[str, Text]] = {
    "t20": ("Angelo", "Angelo"),
    "t19": ("Mondo", "Mondo"),
    "t18": ("Sole", "Sole"),
    "t17": ("Luna", "Luna"),
    "t16": ("16 Stella", "16 Stella"),
    "beg": ("Bégato", "Begato"),
    "mat": ("Matto", "Matto"),
    **dict.fromkeys(("m1", "m2", "m3", "m4"), ("Moro", "Moro")),
}


def _name(card: str) -> Text:
    if card in _TRUMPS:
        return _TRUMPS[card]
    if card.startswith("t"):
        return f"Trionfo {card[1:]}", f"Trump {card[1:]}"
    rank, suit = _RANKS.get(card[0], (card[0], card[0])), SUIT_NAMES[card[1]]
    return f"{rank[0]} di {suit[0]}", f"{rank[1]} of {suit[1]}"


CARD_NAMES: Final[Mapping[str, Text]] = {card: _name(card) for card in TAROCCO.copies}
"""Every card by its name."""

HIGHEST_NUMBERED: Final = 16
"""The highest trump that carries its number; those above it go by their names."""
_RANK_SIGNS: Final[Mapping[str, Text]] = {"T": ("10", "10"), "K": ("R", "K"), "F": ("F", "J"), "C": ("C", "N")}
"""Ranks that a reader's letters write otherwise than the code: re; jack and knight as English has them."""


def _alone(card: str) -> CardKey:
    if card.startswith("m") and card[1:].isdigit():
        return CardKey(card, (f"Moro{card[1:]}", f"Moro{card[1:]}"))
    is_numbered = card[1:].isdigit() and int(card[1:]) <= HIGHEST_NUMBERED
    return CardKey(card, (card[1:], card[1:]) if is_numbered else CARD_NAMES[card])


CARD_KEYS: Final = CardKeys(
    ranks=tuple(CardKey(rank, _RANK_SIGNS.get(rank, (rank, rank))) for rank in TAROCCO_RANKS),
    suits=tuple(CardKey(suit, SUIT_NAMES[suit]) for suit in TAROCCO_SUITS),
    alone=tuple(map(_alone, TRUMPS)),
    hint=("es. RC (re di coppe) FD 10B T16 Matto", "e.g. KC (king of cups) JD 10B T16 Matto"),
)
"""Every card by keys: rank and suit, or the trump by name or number."""
DECLARATIONS: Final = (
    Declaration("accuso", ("Accuso", "Accuso"), cards=True),
    Declaration("busso", ("Busso", "Busso")),
    Declaration("striscio", ("Striscio", "Striscio")),
    Declaration("volo", ("Volo", "Volo")),
    Declaration(
        "out",
        ("Si chiama fuori", "Calls out"),
        is_heard=lambda state: as_map(state.get("match")).get("form") == "ottocento",
    ),
)
"""What a person hears at the table (commas 10 and 11, Ottocento)."""
