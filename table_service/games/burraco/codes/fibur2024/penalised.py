"""Arts. 25 to 27: excess and penalised cards, ghost cards, cards played after the discard or to frozen melds."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.laying import (
    DISCARD_STEP,
    END_TURN,
    FROZEN_FOR_GOOD,
    MUST_DISCARD,
    MUST_END,
    MUST_PENALISE,
    PENALISE_STEP,
)
from table_service.games.burraco.codes.fibur2024.steps import EXPOSED, FREEZE_NEXT, STOP
from table_service.referee.catalogue import Ageing, DutyRule, Row, Sense, StepRule, Words
from table_service.referee.row_writing import fault, step

_SEEN: Final[tuple[Sense, ...]] = ("camera", "beam")
_FREEZE_FOR_GOOD: Final = StepRule("freeze", "line", FROZEN_FOR_GOOD, until="deal-end")
_GHOST: Final = Words("La carta fantasma, se non va proprio in quel gioco, è penalizzata.",
    "The ghost card, unless it fits that very meld, is penalised.")  # fmt: skip
_GHOST_STEP: Final = StepRule("penalise", "offender", _GHOST, cards=True)
_GHOST_OUT: Final = Words("La carta fantasma si scarta alla fine del turno in cui è stata trovata.",
    "The ghost card is discarded at the end of the turn in which it was found.")  # fmt: skip
_SIDE_GHOST: Final = Words(
    "La scarta, a fine turno, il primo della linea a cui tocca giocare dopo il ritrovamento, chiunque abbia sbagliato.",
    "The first player of the line to play after the finding discards it at the end of his turn, whoever erred.",
)
_TAKES_IT_BACK: Final = Words("La carta sotto allo scarto torna in mano ed è esposta.",
    "The card beneath the discard goes back into the hand and is exposed.")  # fmt: skip

_EXCESS: Final = (
    fault("F-25a", "25",
        Words("Carte eccedenti in un gioco, rilevate al momento", "Excess cards in a meld, found at once"), _SEEN,
        STOP, PENALISE_STEP, DISCARD_STEP, END_TURN, MUST_PENALISE, MUST_DISCARD, MUST_END,
        Ageing("discard", "F-25b"), Ageing("next-draw", "F-25c"), Ageing("deal-end", "F-25c")),
    fault("F-25b", "25", Words("Carte eccedenti, rilevate dopo lo scarto", "Excess cards, found after the discard"),
        _SEEN, STOP, PENALISE_STEP, DISCARD_STEP, MUST_PENALISE, MUST_DISCARD, Ageing("next-draw", "F-25c"),
        Ageing("deal-end", "F-25c")),
    # Whether a burraco that needed the excess cards stands is not written: its valid cards alone are counted.
    fault("F-25c", "25", Words("Carte eccedenti, rilevate più tardi", "Excess cards, found later"), _SEEN,
        _FREEZE_FOR_GOOD,
        StepRule("score", "line",
            Words("Solo le carte eccedenti si contano negative; la classe del burraco è quella delle altre.",
                "The excess cards alone count negative; the burraco is classed by the others."), until="deal-end",
            cards=True), freeze_how="definitive", negative=True, needs_referee=True),
    fault("F-25d", "25, 18",
        Words("Carte penalizzate non ancora scartate a fine smazzata", "Penalised cards left at the deal's end"),
        ("camera", "derived"),
        step("score", "line", "Si contano negative.", "They count negative.", until="deal-end", cards=True)),
)  # fmt: skip

_GHOSTS: Final = (
    fault("F-26a", "26.1",
        Words("Carta fantasma nel gioco aperto, prima dello scarto", "Ghost card in the own meld, before the discard"),
        ("camera", "gate", "person"), STOP, _GHOST_STEP, DISCARD_STEP, END_TURN, MUST_PENALISE, MUST_DISCARD,
        MUST_END, Ageing("discard", "F-26b"), Ageing("next-draw", "F-26c")),
    fault("F-26b", "26.2",
        Words("Carta fantasma nel gioco aperto, dopo lo scarto", "Ghost card in the own meld, after the discard"),
        ("camera", "gate", "person"), STOP, _GHOST_STEP, DISCARD_STEP, MUST_PENALISE, MUST_DISCARD,
        Ageing("next-draw", "F-26c")),
    fault("F-26c", "26.3", Words("Carta fantasma in un gioco preesistente", "Ghost card in an older meld"),
        ("camera", "gate", "person"), STOP, StepRule("penalise", "line-in-turn", _GHOST, cards=True),
        StepRule("discard", "line-in-turn", _SIDE_GHOST, until="end-of-own-turn", cards=True), _FREEZE_FOR_GOOD,
        step("score", "line", "I punti del gioco e l'eventuale burraco restano positivi.",
            "The meld's points and any burraco stay positive.", until="deal-end"),
        DutyRule("penalise", _GHOST, who="line-in-turn"),
        DutyRule("discard", _SIDE_GHOST, until="end-of-own-turn", who="line-in-turn"), freeze_how="definitive"),
    fault("F-26d", "26.4",
        Words("Carta fantasma trovata legando altre carte", "Ghost card found because cards were added"),
        ("camera", "gate", "person"), STOP,
        step("score", "line", "Le carte legate restano sul gioco e si contano negative.",
            "The added cards stay on the meld and count negative.", until="deal-end"), _FREEZE_FOR_GOOD,
        StepRule("discard", "line-in-turn", _GHOST_OUT, until="end-of-own-turn", cards=True),
        DutyRule("penalise", _GHOST, who="line-in-turn"),
        DutyRule("discard", _GHOST_OUT, until="end-of-own-turn", who="line-in-turn"), severity="score",
        freeze_how="definitive", asks=("seat", "meld", "cards", "added")),
    fault("F-26e", "26.5", Words("Due carte scartate insieme", "Two cards discarded together"), ("scale", "camera"),
        STOP, step("nothing", "table", "Lo scarto è la carta di sopra.", "The discard is the card on top."),
        StepRule("take-back", "offender", _TAKES_IT_BACK, cards=True),
        StepRule("expose", "offender", EXPOSED, until="end-of-own-next-turn", cards=True),
        DutyRule("take-back", _TAKES_IT_BACK), DutyRule("expose", EXPOSED, until="end-of-own-next-turn"),
        heals="opponent-draws"),
)  # fmt: skip

_TOO_LATE: Final = (
    fault("F-27a", "27", Words("Apertura o carta legata dopo lo scarto", "Meld or addition after the discard"), _SEEN,
        STOP, FREEZE_NEXT, heals="opponent-draws"),
    # OPTION melds_before_penalised_discard: fault_turn_only. Art. 25 lets him play normally in later turns.
    fault("F-27b", "27",
        Words("Apertura o carta legata prima di scartare la carta penalizzata",
            "Meld or addition before the penalised card is discarded"), _SEEN, STOP, FREEZE_NEXT,
        heals="opponent-draws"),
    fault("F-27c", "27",
        Words("Carta legata a un gioco congelato o errato", "Card added to a frozen or a wrong meld"), _SEEN, STOP,
        PENALISE_STEP, DISCARD_STEP, MUST_PENALISE, MUST_DISCARD, heals="opponent-draws"),
    # The text names the pinella; a joker by analogy.
    fault("F-27d", "27",
        Words("Senza carte in mano, con l'ultimo gioco congelato, ha pescato una matta",
            "Left without cards by a frozen last meld, he has drawn a wild card"), ("scale", "camera", "derived"),
        step("bar-closing", "offender", "Non può chiudere.", "He may not go out.", until="end-of-own-next-turn"),
        StepRule("freeze", "line",
            Words("Il gioco resta congelato per un altro giro.", "The meld stays frozen for another round."),
            until="own-next-turn"), severity="play-stops", heals="opponent-draws"),
)  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (*_EXCESS, *_GHOSTS, *_TOO_LATE)
