"""Arts. 30 to 32: play without drawing, draws and play out of turn (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import DutyRule, Row, StepRule, Words
from table_service.referee.fibur2024.steps import (
    BACK_TO_PILE,
    BACK_TO_STOCK,
    FREEZE_LONG,
    FREEZE_NEXT,
    LIMIT_COLLECT,
    LIMIT_DRAW,
    NEXT_COLLECT,
    NEXT_DRAW,
    NEXT_TAKE,
    PENALISE_REST,
    SHOW_VICTIM,
    STOP,
    TAKE_AND_DISCARD,
    TAKE_NOW,
)


def _missed_draw(name: str, title: Words, *, warn: bool) -> Row:
    warning = StepRule(
        "warn",
        "line",
        Words("La coppia è ammonita per il suggerimento.", "The pair is warned for the hint."),
    )
    return Row(
        id=name,
        article="30, 22" if warn else "30",
        title=title,
        severity="play-stops",
        senses=("scale", "camera", "beam", "person") if warn else ("scale", "camera", "beam"),
        steps=(
            STOP,
            StepRule("draw", "offender", TAKE_NOW),
            FREEZE_NEXT,
            PENALISE_REST,
            *((warning,) if warn else ()),
        ),
        duties=(
            DutyRule("limit-turn", TAKE_NOW, ("draw", "collect", "discard"), when="this-turn", until="end-of-own-turn"),
            DutyRule("draw", TAKE_NOW, when="after-turn"),
        ),
        warn=warn,
        freezes=True,
    )


ROWS: Final[tuple[Row, ...]] = (
    Row(
        id="F-31a",
        article="31",
        title=Words("Pesca fuori turno, senza far gioco", "Draw out of turn, nothing played"),
        severity="play-stops",
        senses=("beam", "gate", "scale"),
        steps=(
            STOP,
            SHOW_VICTIM,
            StepRule("return-to-stock", "offender", BACK_TO_STOCK, cards=True),
            LIMIT_DRAW,
        ),
        duties=(DutyRule("return-to-stock", BACK_TO_STOCK), NEXT_DRAW),
    ),
    Row(
        id="F-31b",
        article="31",
        title=Words("Pesca fuori turno e apertura di un gioco", "Draw out of turn, then a meld opened"),
        severity="play-stops",
        senses=("beam", "gate", "scale", "camera"),
        steps=(
            STOP,
            StepRule("return-to-stock", "offender", BACK_TO_STOCK, cards=True),
            PENALISE_REST,
            LIMIT_DRAW,
            FREEZE_LONG,
        ),
        duties=(DutyRule("return-to-stock", BACK_TO_STOCK), NEXT_DRAW),
        freezes=True,
        freeze_turns=2,
        needs_referee=True,
    ),
    Row(
        id="F-31c",
        article="31",
        title=Words("Pesca fuori turno e carta legata", "Draw out of turn, then a card added to a meld"),
        severity="play-stops",
        senses=("beam", "gate", "scale", "camera"),
        steps=(
            STOP,
            StepRule("return-to-stock", "offender", BACK_TO_STOCK, cards=True),
            StepRule(
                "complete-or-penalise",
                "offender",
                Words(
                    "Le carte che dipendono da quella restano solo se la sostituisce dalla mano; altrimenti sono "
                    "penalizzate.",
                    "Cards that depend on it stay only if he replaces it from his hand; otherwise they are penalised.",
                ),
                cards=True,
            ),
            LIMIT_DRAW,
            FREEZE_LONG,
        ),
        duties=(DutyRule("return-to-stock", BACK_TO_STOCK), NEXT_DRAW),
        freezes=True,
        freeze_turns=2,
        needs_referee=True,
    ),
    Row(
        id="F-31d",
        article="31",
        title=Words("Raccolta fuori turno, senza far gioco", "Pile picked up out of turn, nothing played"),
        severity="play-stops",
        senses=("beam", "gate", "scale", "camera"),
        steps=(STOP, StepRule("return-to-pile", "offender", BACK_TO_PILE, cards=True), LIMIT_COLLECT),
        duties=(DutyRule("return-to-pile", BACK_TO_PILE), NEXT_COLLECT),
    ),
    Row(
        id="F-31e",
        article="31",
        title=Words("Raccolta fuori turno con giochi aperti o legati", "Pile picked up out of turn, then cards laid"),
        severity="play-stops",
        senses=("beam", "gate", "scale", "camera"),
        steps=(
            STOP,
            StepRule("return-to-pile", "offender", BACK_TO_PILE, cards=True),
            PENALISE_REST,
            LIMIT_COLLECT,
            FREEZE_LONG,
        ),
        duties=(DutyRule("return-to-pile", BACK_TO_PILE), NEXT_COLLECT),
        freezes=True,
        freeze_turns=2,
        needs_referee=True,
    ),
    Row(
        id="F-32",
        article="32",
        title=Words("Apertura o carta legata fuori turno", "Meld or addition out of turn"),
        severity="play-stops",
        senses=("beam", "camera"),
        steps=(
            STOP,
            StepRule(
                "freeze",
                "line",
                Words(
                    "Il gioco è congelato fino al prossimo turno di chi lo ha fatto.",
                    "The meld is frozen until the next turn of the player who laid it.",
                ),
                until="own-next-turn",
                cards=True,
            ),
            StepRule("limit-turn", "offender", TAKE_AND_DISCARD, until="end-of-own-next-turn"),
        ),
        duties=(NEXT_TAKE,),
        freezes=True,
    ),
    _missed_draw(
        "F-30a",
        Words("Gioco senza aver pescato o raccolto", "Play without having drawn or picked up"),
        warn=False,
    ),
    _missed_draw(
        "F-30b",
        Words(
            "Gioco senza aver pescato o raccolto, rilevato dal compagno",
            "Play without having drawn or picked up, pointed out by the partner",
        ),
        warn=True,
    ),
)
