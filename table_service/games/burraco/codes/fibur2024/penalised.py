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
from table_service.games.burraco.codes.fibur2024.plain import step
from table_service.games.burraco.codes.fibur2024.steps import EXPOSED, FREEZE_NEXT, STOP
from table_service.referee.catalogue import Ageing, DutyRule, Row, Sense, StepRule, Words

_SEEN: Final[tuple[Sense, ...]] = ("camera", "beam")
_FREEZE_FOR_GOOD: Final = StepRule("freeze", "line", FROZEN_FOR_GOOD, until="deal-end")
_GHOST: Final = Words(
    "La carta fantasma, se non va proprio in quel gioco, è penalizzata.",
    "The ghost card, unless it fits that very meld, is penalised.",
)
_GHOST_STEP: Final = StepRule("penalise", "offender", _GHOST, cards=True)
_GHOST_OUT: Final = Words(
    "La carta fantasma si scarta alla fine del turno in cui è stata trovata.",
    "The ghost card is discarded at the end of the turn in which it was found.",
)
_SIDE_GHOST: Final = Words(
    "La scarta, a fine turno, il primo della linea a cui tocca giocare dopo il ritrovamento, chiunque abbia sbagliato.",
    "The first player of the line to play after the finding discards it at the end of his turn, whoever erred.",
)
_TAKES_IT_BACK: Final = Words(
    "La carta sotto allo scarto torna in mano ed è esposta.",
    "The card beneath the discard goes back into the hand and is exposed.",
)

_EXCESS: Final = (
    Row(
        id="F-25a",
        article="25",
        title=Words("Carte eccedenti in un gioco, rilevate al momento", "Excess cards in a meld, found at once"),
        severity="play-stops",
        senses=_SEEN,
        steps=(STOP, PENALISE_STEP, DISCARD_STEP, END_TURN),
        duties=(MUST_PENALISE, MUST_DISCARD, MUST_END),
        ages=(Ageing("discard", "F-25b"), Ageing("next-draw", "F-25c"), Ageing("deal-end", "F-25c")),
        heals="never",
    ),
    Row(
        id="F-25b",
        article="25",
        title=Words("Carte eccedenti, rilevate dopo lo scarto", "Excess cards, found after the discard"),
        severity="play-stops",
        senses=_SEEN,
        steps=(STOP, PENALISE_STEP, DISCARD_STEP),
        duties=(MUST_PENALISE, MUST_DISCARD),
        ages=(Ageing("next-draw", "F-25c"), Ageing("deal-end", "F-25c")),
        heals="never",
    ),
    # Whether a burraco that needed the excess cards stands is not written: its valid cards alone are counted.
    Row(
        id="F-25c",
        article="25",
        title=Words("Carte eccedenti, rilevate più tardi", "Excess cards, found later"),
        severity="score",
        senses=_SEEN,
        steps=(
            _FREEZE_FOR_GOOD,
            StepRule(
                "score",
                "line",
                Words(
                    "Solo le carte eccedenti si contano negative; la classe del burraco è quella delle altre.",
                    "The excess cards alone count negative; the burraco is classed by the others.",
                ),
                until="deal-end",
                cards=True,
            ),
        ),
        freezes=True,
        freeze_how="definitive",
        negative=True,
        heals="never",
        needs_referee=True,
    ),
    Row(
        id="F-25d",
        article="25, 18",
        title=Words("Carte penalizzate non ancora scartate a fine smazzata", "Penalised cards left at the deal's end"),
        severity="score",
        senses=("camera", "derived"),
        steps=(step("score", "line", "Si contano negative.", "They count negative.", until="deal-end", cards=True),),
        heals="never",
    ),
)

_GHOSTS: Final = (
    Row(
        id="F-26a",
        article="26.1",
        title=Words(
            "Carta fantasma nel gioco aperto, prima dello scarto", "Ghost card in the own meld, before the discard"
        ),
        severity="play-stops",
        senses=("camera", "gate", "person"),
        steps=(STOP, _GHOST_STEP, DISCARD_STEP, END_TURN),  # art. 25: found at once it ends his play
        duties=(MUST_PENALISE, MUST_DISCARD, MUST_END),
        ages=(Ageing("discard", "F-26b"), Ageing("next-draw", "F-26c")),
        heals="never",
    ),
    Row(
        id="F-26b",
        article="26.2",
        title=Words("Carta fantasma nel gioco aperto, dopo lo scarto", "Ghost card in the own meld, after the discard"),
        severity="play-stops",
        senses=("camera", "gate", "person"),
        steps=(STOP, _GHOST_STEP, DISCARD_STEP),
        duties=(MUST_PENALISE, MUST_DISCARD),
        ages=(Ageing("next-draw", "F-26c"),),
        heals="never",
    ),
    Row(
        id="F-26c",
        article="26.3",
        title=Words("Carta fantasma in un gioco preesistente", "Ghost card in an older meld"),
        severity="play-stops",
        senses=("camera", "gate", "person"),
        steps=(
            STOP,
            StepRule("penalise", "line-in-turn", _GHOST, cards=True),
            StepRule("discard", "line-in-turn", _SIDE_GHOST, until="end-of-own-turn", cards=True),
            _FREEZE_FOR_GOOD,
            step(
                "score",
                "line",
                "I punti del gioco e l'eventuale burraco restano positivi.",
                "The meld's points and any burraco stay positive.",
                until="deal-end",
            ),
        ),
        duties=(
            DutyRule("penalise", _GHOST, who="line-in-turn"),
            DutyRule("discard", _SIDE_GHOST, until="end-of-own-turn", who="line-in-turn"),
        ),
        freezes=True,
        freeze_how="definitive",
        heals="never",
    ),
    Row(
        id="F-26d",
        article="26.4",
        title=Words("Carta fantasma trovata legando altre carte", "Ghost card found because cards were added"),
        severity="score",
        senses=("camera", "gate", "person"),
        steps=(
            STOP,
            step(
                "score",
                "line",
                "Le carte legate restano sul gioco e si contano negative.",
                "The added cards stay on the meld and count negative.",
                until="deal-end",
            ),
            _FREEZE_FOR_GOOD,
            StepRule("discard", "line-in-turn", _GHOST_OUT, until="end-of-own-turn", cards=True),
        ),
        duties=(
            DutyRule("penalise", _GHOST, who="line-in-turn"),
            DutyRule("discard", _GHOST_OUT, until="end-of-own-turn", who="line-in-turn"),
        ),
        freezes=True,
        freeze_how="definitive",
        asks=("seat", "meld", "cards", "added"),
        heals="never",
    ),
    Row(
        id="F-26e",
        article="26.5",
        title=Words("Due carte scartate insieme", "Two cards discarded together"),
        severity="play-stops",
        senses=("scale", "camera"),
        steps=(
            STOP,
            step("nothing", "table", "Lo scarto è la carta di sopra.", "The discard is the card on top."),
            StepRule("take-back", "offender", _TAKES_IT_BACK, cards=True),
            StepRule("expose", "offender", EXPOSED, until="end-of-own-next-turn", cards=True),
        ),
        duties=(DutyRule("take-back", _TAKES_IT_BACK), DutyRule("expose", EXPOSED, until="end-of-own-next-turn")),
    ),
)

_TOO_LATE: Final = (
    Row(
        id="F-27a",
        article="27",
        title=Words("Apertura o carta legata dopo lo scarto", "Meld or addition after the discard"),
        severity="play-stops",
        senses=_SEEN,
        steps=(STOP, FREEZE_NEXT),
        freezes=True,
    ),
    # OPTION melds_before_penalised_discard: fault_turn_only. Art. 25 lets him play normally in later turns.
    Row(
        id="F-27b",
        article="27",
        title=Words(
            "Apertura o carta legata prima di scartare la carta penalizzata",
            "Meld or addition before the penalised card is discarded",
        ),
        severity="play-stops",
        senses=_SEEN,
        steps=(STOP, FREEZE_NEXT),
        freezes=True,
    ),
    Row(
        id="F-27c",
        article="27",
        title=Words("Carta legata a un gioco congelato o errato", "Card added to a frozen or a wrong meld"),
        severity="play-stops",
        senses=_SEEN,
        steps=(STOP, PENALISE_STEP, DISCARD_STEP),
        duties=(MUST_PENALISE, MUST_DISCARD),
    ),
    # The text names the pinella; a joker by analogy.
    Row(
        id="F-27d",
        article="27",
        title=Words(
            "Senza carte in mano, con l'ultimo gioco congelato, ha pescato una matta",
            "Left without cards by a frozen last meld, he has drawn a wild card",
        ),
        severity="play-stops",
        senses=("scale", "camera", "derived"),
        steps=(
            step("bar-closing", "offender", "Non può chiudere.", "He may not go out.", until="end-of-own-next-turn"),
            StepRule(
                "freeze",
                "line",
                Words("Il gioco resta congelato per un altro giro.", "The meld stays frozen for another round."),
                until="own-next-turn",
            ),
        ),
        freezes=True,
    ),
)

ROWS: Final[tuple[Row, ...]] = (*_EXCESS, *_GHOSTS, *_TOO_LATE)
