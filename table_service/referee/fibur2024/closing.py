"""Arts. 14 to 17 and 33 to 36: discards, ends of a deal, wrong closings (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import DutyRule, Row, StepRule, Words
from table_service.referee.fibur2024.steps import DISCARD_STANDS, LAST_PLAY_BACK, PENALISED, STOP

ROWS: Final[tuple[Row, ...]] = (
    Row(
        id="F-33",
        article="33",
        title=Words("Chiusura senza burraco", "Going out without a burraco"),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            STOP,
            DISCARD_STANDS,
            StepRule(
                "penalise",
                "offender",
                Words(
                    "Le carte dell'ultimo gioco effettuato sono penalizzate e vanno scoperte al lato del tavolo.",
                    "The cards of his last play are penalised and go face up to the side of the table.",
                ),
                cards=True,
            ),
            StepRule("discard", "offender", PENALISED, until="none-left", cards=True),
        ),
        duties=(DutyRule("discard", PENALISED, until="none-left"),),
    ),
    Row(
        id="F-34",
        article="34",
        title=Words("Chiusura scartando una matta", "Going out by discarding a wild card"),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(STOP, StepRule("take-back", "offender", LAST_PLAY_BACK, cards=True), DISCARD_STANDS),
        duties=(DutyRule("take-back", LAST_PLAY_BACK),),
    ),
    Row(
        id="F-35a",
        article="35",
        title=Words("Chiusura senza scarto, aprendo un gioco", "Going out without a discard, a meld opened last"),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            STOP,
            StepRule(
                "discard",
                "offender",
                Words(
                    "Una carta a scelta dell'ultimo gioco aperto diventa lo scarto.",
                    "One card of the meld opened last, at his choice, becomes the discard.",
                ),
                cards=True,
            ),
            StepRule(
                "expose",
                "offender",
                Words("Le altre carte di quel gioco sono esposte.", "The other cards of that meld are exposed."),
                until="end-of-own-next-turn",
                cards=True,
            ),
        ),
        duties=(
            DutyRule(
                "take-back",
                Words(
                    "Le carte del gioco si riprendono: una è lo scarto, le altre sono esposte.",
                    "The cards of the meld are taken back: one is the discard, the others are exposed.",
                ),
            ),
            DutyRule(
                "expose",
                Words(
                    "Le carte rimaste si giocano al prossimo turno o si scartano, dalla più alta.",
                    "The cards left are played at the next turn or discarded, the highest first.",
                ),
                allow=("discard",),
                until="end-of-own-next-turn",
            ),
        ),
    ),
    Row(
        id="F-35b",
        article="35",
        title=Words(
            "Chiusura senza scarto, legando l'ultima carta", "Going out without a discard, the last card added"
        ),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            STOP,
            StepRule("take-back", "offender", LAST_PLAY_BACK, cards=True),
            StepRule(
                "discard",
                "offender",
                Words(
                    "La carta legata al posto dello scarto diventa lo scarto.",
                    "The card added instead of being discarded becomes the discard.",
                ),
                cards=True,
            ),
        ),
        duties=(DutyRule("take-back", LAST_PLAY_BACK),),
    ),
)
