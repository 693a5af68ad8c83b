"""Arts. 5, 10 to 13 and 29: what a meld may hold, and melds that are wrongly laid (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.laying import (
    CHOOSES_TO_MEND,
    DISCARD_STEP,
    END_TURN,
    FOUND_LATER,
    FREEZE_NEXT_TURN,
    MEND_STEP,
    MUST_DISCARD,
    MUST_END,
    MUST_MEND,
    MUST_PENALISE,
    PENALISE_STEP,
    PENALISED_STEPS,
)
from table_service.games.burraco.codes.fibur2024.steps import DECK_REPLACED, STOP
from table_service.referee.catalogue import Ageing, DutyRule, Row, Sense, StepRule, Words
from table_service.referee.row_writing import fault, holds, step

_SEEN: Final[tuple[Sense, ...]] = ("camera", "beam")
_DRAW_FIRST: Final = Words("Se non ha ancora pescato o raccolto lo fa; poi scarta, senza aprire né legare.",
    "If he has not drawn or picked up yet he does so; then he discards and lays nothing.")  # fmt: skip


def _wrong(name: str, article: str, title: Words, mend: StepRule = MEND_STEP, then: tuple[StepRule, ...] = ()) -> Row:
    """Return the row of a meld that cannot stand: mended in the turn, else its excess is penalised (arts. 25, 29).

    ``then``: what follows besides.
    """
    return fault(name, article, title, _SEEN, STOP, mend, *PENALISED_STEPS, END_TURN, *then, MUST_MEND, MUST_END,
        *CHOOSES_TO_MEND, *FOUND_LATER, options=("F-25a", "F-G03"))  # fmt: skip


def _mended(it: str, en: str) -> StepRule:
    words = Words(it, en)
    return StepRule("complete-or-penalise", "offender", words, until="end-of-own-turn", cards=True, option="mend")


# Art. 10 forbids it also in the own turn and names no penalty: what the wild makes possible is judged by 25 and 29.
_WILD_MOVED: Final = fault("F-10a", "10",
    Words("Matta spostata, o sostituita da una carta che non è quella che rappresenta",
        "Wild card moved, or replaced by another card than the one it stands for"), _SEEN, STOP,
    step("take-back", "offender", "La matta torna dove era stata collocata.",
        "The wild card goes back to where it had been placed."),
    StepRule("complete-or-penalise", "offender",
        Words("Le carte che così non trovano più posto nel gioco sono eccedenti (artt. 25 e 29).",
            "Cards that find no place in the meld then are excess (arts. 25 and 29)."), cards=True), MUST_MEND,
    needs_referee=True, heals="opponent-draws")  # fmt: skip

_ORDERED_BY_PARTNER: Final = fault("F-11b", "11, 22",
    Words("Sequenza riordinata nel turno del compagno", "Run put in order during the partner's turn"), _SEEN, STOP,
    step("warn", "line", "È un suggerimento: la coppia è ammonita.", "It is a hint: the pair is warned."),
    StepRule("limit-turn", "partner", _DRAW_FIRST, until="end-of-own-turn"),
    DutyRule("limit-turn", _DRAW_FIRST, ("draw", "collect", "discard"), when="this-turn", until="end-of-own-turn",
        who="partner"), heals="opponent-draws")  # fmt: skip

# "Until the discard" of the same turn; what lies incomplete after it is penalised as well, later on art. 25 applies.
_NOT_COMPLETED: Final = fault("F-29a", "29",
    Words("Una o due carte calate per aprire e non completate", "One or two cards laid to open, not completed"),
    _SEEN, STOP, PENALISE_STEP, DISCARD_STEP, END_TURN, MUST_PENALISE, MUST_DISCARD, MUST_END,
    Ageing("next-draw", "F-25c"), Ageing("deal-end", "F-25c"), options=("F-29a", "F-29e"))  # fmt: skip

_BESIDE: Final = fault("F-29e", "29, def.",
    Words("Carta legata senza toccare il gioco e senza dichiarazione",
        "Card added without touching the meld, undeclared"), _SEEN, STOP,
    step("nothing", "table", "Le carte sono valide.", "The cards are valid."), FREEZE_NEXT_TURN, END_TURN, MUST_END,
    options=("F-29e", "F-29a"), heals="opponent-draws")  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (
    _wrong("F-05d", "5 NB", Words("Terza carta uguale nella stessa combinazione", "Third twin in the same set"),
        then=(DECK_REPLACED,)),
    _WILD_MOVED,
    _wrong("F-10b", "10", Words("Combinazione di sole pinelle o jolly", "Set of pinelle or jokers alone")),
    holds("F-10c", "10, 29",
        Words("Matta libera non nel posto più basso", "Free wild card not in the lowest place"),
        Words("Il gioco vale con la matta in basso, non a scelta.",
            "The meld stands with the wild at the bottom, not where he likes."), "camera"),
    holds("F-11a", "11", Words("Sequenza disordinata ma valida", "Run in disorder but valid"),
        Words("Si riordina in qualsiasi momento, tranne che nel turno del compagno.",
            "It may be put in order at any time but in the partner's turn."), "camera"),
    _ORDERED_BY_PARTNER,
    _wrong("F-11c", "11",
        Words("Sequenza di più di tredici carte e una matta, o con due assi", "Run longer than 13 + 1, or two aces")),
    _wrong("F-12", "12", Words("Combinazione di più di otto carte e una matta", "Set longer than eight + one wild")),
    _wrong("F-12b", "10, 11, 12", Words("Più di una matta nello stesso gioco", "More than one wild in a meld")),
    holds("F-13", "13", Words("Burraco segnato con le carte di traverso", "Burraco marked by crossed cards"),
        Words("Segnarlo male non costa nulla; il compagno tace fino allo scarto (art. 21).",
            "A wrong mark costs nothing; the partner is silent until the discard (art. 21)."), "camera"),
    holds("F-13b", "13, def.", Words("Classi del burraco", "Classes of burraco"),
        Words(
            "Da sette carte: pulito 200 senza matta, semipulito 150 con sette carte da un lato della matta "
            "(combinazione: otto in tutto), sporco 100.",
            "From seven cards: clean 200 without a wild, semi-clean 150 with seven cards on one side of the wild "
            "(set: eight in all), dirty 100."), "camera"),
    _NOT_COMPLETED,
    _wrong("F-29b", "29", Words("Apertura errata senza matta", "Wrong opening without a wild"),
        _mended("Può sanarlo con le carte mancanti o una matta, o sostituendo una o due carte.",
            "He may mend it with the missing cards or a wild, or by replacing one or two cards.")),
    _wrong("F-29c", "29", Words("Apertura errata con una matta", "Wrong opening with a wild"),
        _mended("Può sanarlo con una sola delle carte che ha in mano.",
            "He may mend it with one single card of his hand.")),
    _wrong("F-29d", "29", Words("Carta legata erroneamente", "Wrong addition to a meld")),
    _BESIDE,
)  # fmt: skip
