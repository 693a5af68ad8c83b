"""Arts. 7 to 10 and 15: melds, classes of burraco, melds and additions that are wrong, equal sets (own wording)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from table_service.games.burraco.codes.feburit.steps import (
    BAR_LINE,
    BAR_PARTNER,
    BARRED_LINE,
    BARS,
    ENDS,
    FREEZE_FOR_GOOD,
    LIMITED,
    MUST_END,
    NEXT_LIMITED,
    PENALISE,
    PENALISED,
    SEEN,
    STOP,
)
from table_service.referee.catalogue import Ageing, Choice, DutyRule, Row, StepRule, Words
from table_service.referee.row_writing import choice, duty, fault, holds, only, step

_LATER: Final = (Ageing("discard", "B-10m"), Ageing("next-draw", "B-10m"), Ageing("deal-end", "B-23a"))
"""Out of the own turn a wrong meld is frozen for good; after a closing art. 23 judges it."""
_MEND: Final = step("complete-or-penalise", "offender",
    "Può sanare subito, prima di ogni altro gioco e solo con carte che ha in mano, uno solo dei giochi errati.",
    "He may put right one of the wrong melds at once, before any other play and only with cards he holds.",
    until="end-of-own-turn", cards=True, option="mend")  # fmt: skip
_MEND_RUN: Final = step("complete-or-penalise", "offender",
    "Può sanare la sequenza con la carta che manca, se l'ha in mano e non ha fatto altri giochi.",
    "He may put the run right with the missing card, if he holds it and has laid nothing else since.",
    until="end-of-own-turn", cards=True, option="mend")  # fmt: skip
_AT_ONCE: Final = step("discard", "offender",
    "Una la scarta subito, le altre una per turno, dalla più bassa; non le lega a giochi di prima.",
    "One he discards at once, the others one a turn, the lowest first; they go on no earlier meld.",
    until="none-left", cards=True)  # fmt: skip
_APART: Final = step("freeze", "line",
    "La sequenza legata oltre il vuoto resta a sé, congelata per tutta la mano; chiusura o diretta al giro dopo.",
    "The run linked across the gap lies by itself, frozen for the whole deal; a closing or a flight waits a round.",
    until="deal-end", option="apart")  # fmt: skip
_MENDS: Final[tuple[Choice, ...]] = (
    choice("mend", "offender", "Sana con carte sue.", "He puts it right with cards of his."),
    choice("penalise", "offender", "Non sana: carte penalizzate.", "He does not: cards penalised."),
)
_SCORED: Final = step("score", "line",
    "A fine mano contano negative solo le carte eccedenti; ciò che l'errore ha fruttato resta, tranne la chiusura su "
    "quel solo burraco.",
    "At the end of the deal the excess cards alone count negative; what the fault has brought stands, save a closing "
    "on that only burraco.",
    until="deal-end", cards=True)  # fmt: skip
_LATER_MELDS: Final = step("freeze", "line", "I giochi calati dopo l'errore sono congelati per un giro.",
    "Melds laid after the fault are frozen for one round.", until="one-round", cards=True)  # fmt: skip


def _wrong(
    name: str, article: str, title: Words, *steps: StepRule, choices: tuple[Choice, ...] = (), freezes: bool = False
) -> Row:
    """Return the row of a wrong meld or addition found in the turn: mended or penalised, and his play ends."""
    key = "penalise" if choices else None
    rest = (PENALISE, _AT_ONCE)
    mends = tuple(one for one in steps if one.option == "mend")
    # Which row was meant, and what was laid since, is the arbitro's to say: the options.
    return fault(name, article, title, SEEN, STOP, *steps, *(only(key, *rest) if key else rest), ENDS, *BARS,
        *(duty(one, when="this-turn") for one in mends), *(duty(PENALISE, option=key), duty(_AT_ONCE, option=key)),
        MUST_END, *PENALISED[2:], *choices, *_LATER, options=("B-10j", "B-10k", "B-10l", "B-10n"),
        freezes=freezes)  # fmt: skip


_MELDS: Final[tuple[Row, ...]] = (
    holds("B-07a", "7", Words("Che cosa può contenere un gioco", "What a meld may hold"),
        Words(
            "Sequenza: fino a 13 carte di un seme e una matta, un solo asso. Combinazione: fino a nove carte uguali, "
            "la matta compresa; mai di sole matte. Una matta per gioco, oltre al 2 naturale.",
            "A run: up to 13 cards of a suit and a wild, one ace. A set: up to nine equal cards, the wild among "
            "them; never of wilds alone. One wild in a meld, besides the natural 2."), "camera"),
    # The text names no penalty of its own: what the wild makes possible is judged by art. 10.
    fault("B-07b", "7, 10",
        Words("Matta sostituita da un'altra carta o spostata", "Wild replaced by another card than its own, or moved"),
        SEEN, STOP,
        step("take-back", "offender",
            "La matta resta al posto della carta che rappresenta; il 2 del seme è naturale solo sotto il 3.",
            "The wild stays in the place of the card it stands for; a 2 of the suit is natural only below the 3."),
        step("complete-or-penalise", "offender", "Le carte che così non trovano posto seguono l'art. 10.",
            "Cards that then find no place are judged by art. 10.", cards=True), needs_referee=True),
    holds("B-08", "8", Words("Come si segnala un burraco", "How a burraco is marked"),
        Words(
            "Di traverso le ultime tre carte (over the top, superpulito), due (pulito), la penultima (semipulito), "
            "l'ultima (sporco); il segno non fa né toglie il burraco.",
            "Crosswise the last three cards (over the top, super-clean), two (clean), the last but one (semi-clean), "
            "the last (dirty); the mark neither makes nor voids a burraco."), "camera"),
    holds("B-08b", "8, definizioni", Words("Classi di burraco", "Classes of burraco"),
        Words(
            "Over the top 300: 13 carte del seme senza matta. Superpulito 250: otto uguali senza matta. Pulito 200. "
            "Semipulito 150: sette in sequenza con la matta a un capo, o sette uguali e la matta. Sporco 100.",
            "Over the top 300: 13 cards of a suit without a wild. Super-clean 250: eight equal cards without one. "
            "Clean 200. Semi-clean 150: seven in sequence with the wild at an end, or seven equal and the wild. "
            "Dirty 100."), "camera"),
    holds("B-09", "9", Words("Scarto di una matta", "Wild discarded"),
        Words("È permesso, anche per andare a pozzetto, mai per chiudere.",
            "It is allowed, also to go to the pot, never to go out."), "camera", "scale"),
)  # fmt: skip

_WRONG: Final[tuple[Row, ...]] = (
    _wrong("B-10j", "10, A–H", Words("Gioco errato calato", "Wrong meld laid"), _MEND, choices=_MENDS),
    _wrong("B-10k", "10, I, L, M, N, P", Words("Carta legata male a una sequenza", "Card wrongly added to a run"),
        _MEND_RUN, _APART,
        choices=(*_MENDS,
            choice("apart", "offender", "La seconda sequenza resta a sé.", "The second run lies by itself."))),
    _wrong("B-10l", "10, O", Words("Carta legata male a una combinazione", "Card wrongly added to a set")),
    fault("B-10m", "10, al di fuori del proprio turno",
        Words("Gioco errato rilevato fuori dal turno", "Wrong meld found out of the own turn"), SEEN, FREEZE_FOR_GOOD,
        _SCORED, Ageing("deal-end", "B-23a"), freeze_how="definitive", negative=True, needs_referee=True),
    _wrong("B-10n", "10, M, N",
        Words("Errore rilevato dopo altri giochi, prima dello scarto",
            "Fault found after other melds, before the discard"), _LATER_MELDS, freezes=True),
)  # fmt: skip

_JOIN: Final = step("freeze", "line", "La seconda combinazione si unisce alla prima, congelata per tutta la mano.",
    "The second set is joined to the first, which is frozen for the whole deal.", until="deal-end")  # fmt: skip
_JOINING: Final = DutyRule("freeze", _JOIN.text, until="joined")
_BAN: Final = step("nothing", "line",
    "La linea non apre più una combinazione di quel valore (opzione second_set_ban).",
    "The line opens no further set of that rank (option second_set_ban).", until="deal-end")  # fmt: skip
_POSTPONED: Final = step("limit-turn", "offender",
    "La chiusura è rimandata al giro dopo; il pozzetto preso con lo scarto si gioca il giro dopo ancora.",
    "A closing waits for the round after; a pot taken with the discard is played in the round after that.",
    until="end-of-own-next-turn", option="closing-or-pot")  # fmt: skip
_FLIGHT_LOST: Final = step("limit-turn", "offender",
    "Perde la diretta: scarta una carta e gioca il pozzetto il giro dopo, avendo pescato o raccolto.",
    "He loses the flight: he discards a card and plays the pot in the round after, having drawn or picked up.",
    until="end-of-own-turn", option="flight")  # fmt: skip
_SETS_WAYS: Final = (
    choice("plain", "arbitro", "Nessuna matta in più, né chiusura né pozzetto.",
        "No wild too many, no closing or pot."),
    choice("second-wild", "arbitro", "Una matta in ambedue.", "A wild in both."),
    choice("closing-or-pot", "arbitro", "Ha chiuso, o preso il pozzetto con lo scarto, così.",
        "He went out by it, or took the pot with the discard."),
    choice("flight", "arbitro", "Ha preso il pozzetto in diretta così.", "He took the pot in flight by it."),
)  # fmt: skip


def _second_wild(it: str, en: str, until: str) -> StepRule:
    return step("discard", "offender", it, en, until=until, cards=True, option="second-wild")


_WILD_NOW: Final = _second_wild(
    "La seconda matta si scarta subito.", "The second wild is discarded at once.", "end-of-own-turn"
)
_WILD_NEXT: Final = _second_wild(
    "La seconda matta si scarta nel giro dopo.", "The second wild is discarded next turn.", "end-of-own-next-turn"
)

_EQUAL: Final[tuple[Row, ...]] = (
    fault("B-15a", "15", Words("Seconda combinazione uguale, rilevata al momento", "Second equal set, found at once"),
        SEEN, STOP, _JOIN, _WILD_NOW, ENDS, _POSTPONED, _FLIGHT_LOST, BAR_PARTNER, _BAN, _JOINING, duty(_WILD_NOW),
        MUST_END, duty(_POSTPONED, ("draw", "collect", "discard")), duty(BAR_PARTNER, who="partner"), *_SETS_WAYS,
        Ageing("discard", "B-15b"), freeze_how="definitive"),
    fault("B-15b", "15",
        Words("Seconda combinazione uguale, rilevata dopo lo scarto", "Second equal set, found after the discard"),
        SEEN, STOP, _JOIN, _WILD_NEXT, LIMITED, BAR_LINE, _BAN, _JOINING, duty(_WILD_NEXT), NEXT_LIMITED,
        *BARRED_LINE, *_SETS_WAYS[:2], freeze_how="definitive"),
    holds("B-15c", "15", Words("Due sequenze uguali", "Two equal runs"),
        Words("Sono permesse: non si uniscono né si congelano.", "They are allowed: nothing is joined or frozen."),
        "camera"),
)  # fmt: skip

_BAN_IN_MATCH: Final = step("nothing", "line",
    "La linea non apre più una combinazione di quel valore per tutta la partita.",
    "The line opens no further set of that rank in the whole match.", until="round-end")  # fmt: skip
EQUAL_SETS_IN_A_MATCH: Final[tuple[Row, ...]] = tuple(
    replace(row, steps=(*(one for one in row.steps if one is not _BAN), _BAN_IN_MATCH))
    for row in _EQUAL
    if _BAN in row.steps
)
"""The same where the option has the ban outlast the deal."""

ROWS: Final[tuple[Row, ...]] = (*_MELDS, *_WRONG, *_EQUAL)
