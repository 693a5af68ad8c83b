"""Arts. 1, 4, 5 and 7: the pack, the deal and its check (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Row, StepRule, Words
from table_service.referee.fibur2024.steps import STOP

ROWS: Final[tuple[Row, ...]] = (
    Row(
        id="F-05a",
        article="5",
        title=Words("Mazzo irregolare, rilevato prima del gioco", "Irregular pack, found before play"),
        severity="play-stops",
        senses=("scale",),
        steps=(
            STOP,
            StepRule("correct-count", "table", Words("Si ricontano tutte le carte.", "All cards are counted again.")),
            StepRule(
                "replace-pack",
                "arbitro",
                Words("Se mancano o avanzano carte il mazzo si sostituisce.", "A pack short or over is replaced."),
            ),
            StepRule(
                "redeal",
                "table",
                Words(
                    "Se il mazzo è completo è una distribuzione errata: si rimescola e si ridistribuisce (art. 4).",
                    "If the pack is complete it is a misdeal: shuffle and deal again (art. 4).",
                ),
            ),
        ),
        options=("F-05a", "F-04d"),
        heals="never",
        needs_referee=True,
    ),
    Row(
        id="F-05b",
        article="5",
        title=Words("Mazzo irregolare, rilevato a gioco iniziato", "Irregular pack, found during the deal"),
        severity="note",
        senses=("scale",),
        steps=(
            StepRule(
                "nothing",
                "table",
                Words("La smazzata si gioca fino in fondo e vale.", "The deal is played out and counts."),
                until="deal-end",
            ),
            StepRule(
                "replace-pack",
                "arbitro",
                Words("Finita la smazzata si sostituisce il mazzo.", "After the deal the pack is replaced."),
                until="deal-end",
            ),
        ),
        options=("F-05b", "F-04f"),
        heals="never",
        needs_referee=True,
    ),
    Row(
        id="F-04d",
        article="4, 7",
        title=Words("Distribuzione errata, rilevata prima del gioco", "Misdeal, found before play"),
        severity="play-stops",
        senses=("scale",),
        steps=(
            STOP,
            StepRule(
                "redeal",
                "table",
                Words(
                    "Si rimescola, si taglia e si rifanno distribuzione e pozzi.",
                    "Shuffle, cut, deal and make the pots again.",
                ),
            ),
        ),
        heals="never",
    ),
    Row(
        id="F-04f",
        article="4, 7",
        title=Words("Distribuzione errata, rilevata a gioco iniziato", "Misdeal, found after the first draw"),
        severity="note",
        senses=("scale",),
        steps=(
            StepRule(
                "nothing",
                "table",
                Words(
                    "Non si corregge più: la smazzata si gioca e vale.",
                    "It is no longer put right: the deal is played and counts.",
                ),
                until="deal-end",
            ),
        ),
        heals="never",
    ),
)
