"""The catalogue of the tournament rules (seed 003), comma by comma, in our own words.

``T02`` to ``T19`` are named as in the facts file. What the text leaves to the Giuria (comma 17) says so in its remedy
and penalises nothing by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table_service.games.tarocco.rules.fault_kinds import TaroccoFault
from table_service.referee.catalogue import (
    Catalogue,
    Choice,
    DutyRule,
    Kind,
    Row,
    StepRule,
    Words,
    catalogue_of,
)
from table_service.referee.outcomes import Outcome, Share
from table_service.referee.row_writing import fault, step

RULES: Final = "tarocco"
ONLY_SCARTINI_ROWS: Final = frozenset({"T09", "T11a", "T14"})
"""Rows whose ruling leaves a line its conto degli scartini alone (commas 9, 11, 14)."""
REDEAL_ROWS: Final = frozenset({"T07", "T08"})
"""Rows whose ruling has the cards dealt anew, and the second time moves the scarto (commas 7, 8)."""
IN_TIME: Final = "in-time"
TOO_LATE: Final = "later"
"""When a suit not followed is found: while the card may be replaced, or after it (comma 14)."""
FALSE_CLAIM_ROW: Final = "T15"
VOID_ACCUSO_ROW: Final = "T10"
WRONG_CALL_ROW: Final = "T-out"
POINTS_OFF: Final = 50
"""What the Giuria may take for a pause that is repeated (comma 12)."""


_MATCH: Final = "round-end"
"""Until when a step holds that is remembered in later deals of the match."""


_JURY: Final = step("referee", "arbitro", "Decide la Giuria (comma 17).", "The Giuria decides (comma 17).")
_ONLY_SCARTINI: Final = (
    step("score", "line", "Alla coppia conta il solo conto degli scartini.",
        "The pair counts the conto degli scartini alone."),
    step("nothing", "table", "Gli avversari contano normalmente.", "The opponents count as usual."),
)  # fmt: skip
_REDEAL: Final = (
    step("redeal", "table", "Le carte si raccolgono, si rimescolano e si ridistribuiscono, senza pena.",
        "The cards are gathered, shuffled and dealt anew, without penalty."),
    step("referee", "arbitro",
        "Alla seconda volta lo scarto passa all'avversario alla destra del mazziere; l'ordine di mazzo non cambia.",
        "The second time the opponent on the dealer's right has the scarto; the order of dealing stays.",
        until=_MATCH),
)  # fmt: skip
_DEALT_ANEW: Final = (
    DutyRule("redeal", Words("Le carte vanno ridistribuite.", "The cards are to be dealt anew."), until="next deal"),
)
_EXPELLED: Final = (
    step("stop-play", "table", "La partita è sospesa e i punti sono nulli.",
        "Play is suspended, the points are void."),
    step("referee", "arbitro", "Il colpevole è escluso dal torneo con il compagno.",
        "The offender is expelled from the tournament with the partner."),
)  # fmt: skip


def _holds(name: str, article: str, title: Words, told: Words, *, kind: Kind = "situation") -> Row:
    return fault(name, article, title, ("derived",), StepRule("nothing", "table", told), kind=kind,
        asks=())  # fmt: skip


ROWS: Final[tuple[Row, ...]] = (
    _holds("T01", "1", Words("Giuria e Giudici di Gara", "Giuria and Giudici di Gara"),
        Words("I Giudici controllano e riferiscono a voce alla Giuria, il cui giudizio è definitivo.",
            "The Giudici watch and report by word to the Giuria, whose judgement is final.")),
    fault("T02", "2", Words("Segni o intese", "Agreed signs"), ("person",), *_EXPELLED, needs_referee=True,
        asks=("seat",)),
    fault("T03", "3", Words("Parole non permesse", "Talk that is not permitted"), ("person",),
        step("referee", "arbitro", "La pena è della Giuria.", "The penalty is for the Giuria."),
        step("referee", "arbitro", "Uno spettatore è allontanato.", "A spectator is sent away."), needs_referee=True,
        asks=("seat",)),
    _holds("T04", "4", Words("Primo scartatore", "First scartatore"),
        Words("Chi estrae la carta più alta fa le carte per primo.", "Who draws the highest card deals first.")),
    fault("T05", "5", Words("Mescolata, taglio o distribuzione fuori ordine", "Shuffle, cut or deal out of order"),
        ("person",), step("nothing", "table", "Nessuna pena è scritta.", "No penalty is written."),
        needs_referee=True, asks=("seat",)),
    fault("T06", "6", Words("Carte guardate prima della scartata", "Cards looked at before the scarto"), ("person",),
        step("referee", "arbitro", "È vietato; nessuna pena è scritta.", "It is forbidden; no penalty is written."),
        needs_referee=True, asks=("seat",)),
    fault("T06b", "6", Words("Scarto cambiato a gioco iniziato", "Scarto changed once play has begun"), ("person",),
        step("correct-count", "offender", "Lo scarto non si cambia più.", "The scarto stays as it was."), _JURY,
        needs_referee=True, asks=("seat",)),
    fault("T07", "7", Words("Numero di carte sbagliato nella distribuzione", "Wrong number of cards dealt"),
        ("person",), *_REDEAL, *_DEALT_ANEW, severity="play-stops", asks=("seat",)),
    fault("T07b", "7, 17",
        Words("Numero di carte sbagliato trovato nel gioco", "Wrong number of cards found in play"),
        ("scale", "camera", "person"), _JURY, needs_referee=True, asks=("seat",)),
    fault("T08", "8", Words("Carta svoltata nella distribuzione", "Card turned up while dealing"),
        ("camera", "person"), *_REDEAL, *_DEALT_ANEW, severity="play-stops", asks=("seat",)),
    fault("T09c", "9",
        Words("Scarto di altro numero, prima della prima carta", "Scarto of another number, before the first card"),
        ("scale", "person"),
        step("correct-count", "offender", "Lo scartatore lo mette a posto: due carte.",
            "The scartatore puts it right."), asks=("seat",)),
    fault("T09", "9",
        Words("Scarto di altro numero, a gioco avviato", "Scarto of another number, once play has begun"),
        ("scale", "person"), *_ONLY_SCARTINI, asks=("seat",)),
    fault("T09b", "17", Words("Carta da 5 nello scarto", "A card worth five in the scarto"),
        ("derived", "camera", "person"),
        step("referee", "arbitro", "Le regole di base lo vietano, nessuna pena è scritta: decide la Giuria.",
            "The base rules forbid it, no penalty is written: the Giuria decides.", cards=True), needs_referee=True,
        asks=("seat",)),
    fault("T10", "10", Words("Accuso tardivo o non mostrato", "Accuso late or not shown"), ("camera", "person"),
        step("score", "line", "Quell'accuso non conta.", "That accuso counts nothing.", cards=True), severity="note",
        asks=("seat",)),
    fault("T11a", "11", Words("Segnale in un seme prima del Re", "Signal in a suit before its King"),
        ("derived", "person"), *_ONLY_SCARTINI, asks=("seat", "cards")),
    fault("T11b", "11",
        Words("Segnale di chi non è di mano, o altra informazione",
            "Signal by who does not lead, or other information"), ("person",), *_EXPELLED, needs_referee=True,
        asks=("seat",)),
    fault("T12", "12", Words("Pausa oltre cinque secondi", "Pause of more than five seconds"), ("camera", "person"),
        step("warn", "offender", "Primo richiamo verbale.", "First a spoken caution.", option="caution",
            until=_MATCH),
        step("score", "line", f"La Giuria può togliere {POINTS_OFF} punti.",
            f"The Giuria may take {POINTS_OFF} points.", option="points"),
        Choice("caution", Words("Richiamo verbale", "Spoken caution"), "arbitro"),
        Choice("points", Words(f"{POINTS_OFF} punti in meno", f"{POINTS_OFF} points off"), "arbitro"),
        Outcome(offender=(Share("bonus", -POINTS_OFF),), option="points"), severity="note", needs_referee=True,
        asks=("seat", "option"), warn=False),
    _holds("T13", "13", Words("Carta mostrata da chi è di turno", "Card shown by the player in turn"),
        Words("Vale come giocata.", "It counts as played.")),
    fault("T13b", "13, 17", Words("Carta mostrata fuori turno", "Card shown out of turn"), ("camera", "person"),
        _JURY, needs_referee=True, asks=("seat", "cards")),
    fault("T14", "14", Words("Mancata risposta al palo", "Suit not followed"), ("camera", "gate", "person"),
        step("take-back", "offender",
            "Finché l'avversario non ha giocato, o la presa non è raccolta, la carta si sostituisce senza pena.",
            "Until the next opponent has played, or the trick is gathered, the card is replaced without penalty.",
            cards=True, option=IN_TIME), *_ONLY_SCARTINI, asks=("seat",)),
    fault("T14b", "17", Words("Trionfo dovuto e non giocato", "Trump owed and not played"),
        ("camera", "gate", "person"),
        step("referee", "arbitro", "L'obbligo è delle regole di base, nessuna pena è scritta: decide la Giuria.",
            "The duty is of the base rules, no penalty is written: the Giuria decides.", cards=True),
        needs_referee=True, asks=("seat",)),
    fault("T15", "15", Words("Tutte le carte a terra a torto", "All cards laid down wrongly"), ("camera", "person"),
        step("score", "line", "Tutte queste carte vanno alla coppia avversaria, che le conta.",
            "All these cards go to the opponents, who count them.", cards=True), asks=("seat",)),
    _holds("T16", "16",
        Words("Scavezzo senza le due Rosse e il Sedici", "Scavezzo without both Rosse and the Sedici"),
        Words("Con i due Contatori è scavezzo e vale 15.", "With both Contatori it is scavezzo and counts 15.")),
    _holds("T17", "17", Words("Casi non previsti", "What is not foreseen"),
        Words("Decide la Giuria.", "The Giuria decides."), kind="principle"),
    fault("T18", "17", Words("Carta giocata fuori turno", "Card played out of turn"),
        ("camera", "gate", "beam", "person"), _JURY, needs_referee=True, asks=("seat", "cards")),
    _holds("T19", "Iscrizione, abbinamenti e Turni",
        Words("Foglio di gara e abbinamenti", "Match sheet and pairings"),
        Words(
            "Il foglio si compila, si controlla, si firma e si consegna subito; dopo l'inserimento nessuna protesta. "
            "Chiunque controlla gli abbinamenti, che possono ripetersi.",
            "The sheet is filled in, checked, signed and handed in at once; no protest once it is entered. Anybody "
            "may check the pairings, which may come again.")),
    _holds("T20", "Forme di gioco", Words("Quattro Scartate", "Quattro Scartate"),
        Words(
            "Quattro smazzate, una per mazziere. A pari punti valgono le smazzate vinte, poi i Begati; poi si "
            "rigioca.",
            "Four deals, one a dealer. Equal points: deals won, then Begati; then a new match.")),
    _holds("T21", "Forme di gioco", Words("Ottocento", "Ottocento"),
        Words(
            "Fino a 800 punti. Ci si chiama fuori con il solo accuso in mano: lo scartatore sulle prime 15, poi il "
            "primo di mano, il compagno dello scartatore, il compagno del primo, che può sommare l'accuso del primo.",
            "To 800 points. Calling out takes an accuso: the scartatore on his first 15, then the first hand, the "
            "scartatore's partner, the first hand's partner, who may add the first hand's accuso.")),
    fault("T-out", "Ottocento", Words("Chiamarsi fuori a torto", "Called out wrongly"), ("person",),
        step("score", "line", "Il punteggio della coppia è azzerato.", "The pair's points drop to nothing.",
            until=_MATCH),
        step("score", "table", "La partita è degli avversari.", "The match goes to the opponents."), asks=("seat",)),
)  # fmt: skip

_F = TaroccoFault
ANSWERS: Final[Mapping[str, str | None]] = {
    _F.DEALT_WRONGLY: "T07",
    _F.NUMBERS_WRONG_IN_PLAY: "T07b",
    _F.CARD_TURNED_UP: "T08",
    _F.HAND_LOOKED_AT: "T06",
    _F.SCARTO_OF_OTHER_NUMBER: "T09c",
    _F.SCARTO_OF_OTHER_NUMBER_IN_PLAY: "T09",
    _F.SCARTO_CHANGED_IN_PLAY: "T06b",
    _F.SCARTO_HOLDS_A_FIVE: "T09b",
    _F.ACCUSO_LATE: "T10",
    _F.SIGNAL_BEFORE_THE_KING: "T11a",
    _F.SIGNAL_BY_ANOTHER: "T11b",
    _F.PAUSE: "T12",
    _F.SHOWN_OUT_OF_TURN: "T13b",
    _F.REVOKE: "T14",
    _F.TRUMP_NOT_PLAYED: "T14b",
    _F.FALSE_CLAIM: "T15",
    _F.PLAYED_OUT_OF_TURN: "T18",
    _F.CALLED_OUT_WRONGLY: "T-out",
}
"""The row that answers each kind of fault."""
CATALOGUE: Final[Catalogue] = catalogue_of(RULES, ROWS, answers=ANSWERS)
