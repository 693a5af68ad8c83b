"""Pixels a millimetre that a camera must show so that the cards of a rule set can be read.

The figures are limits of the bench procedure (``camera-picture``); how they were measured:
docs/measured/camera-only.md.
"""

from __future__ import annotations

from typing import Final, Literal

from hw.board.procedure import PROCEDURE
from hw.tablemap import TableMap
from table_service.rulesets import rule_set

ReadBy = Literal["index", "face"]
"""The part of a card that is read: its corner index, or its whole face where cards have none."""
_LIMITS: Final = next(line.limits for line in PROCEDURE if line.name == "camera-picture")


def read_by(rules: str) -> ReadBy:
    """Return the part by which the cards of the rule set are read.

    >>> read_by("fibur2024"), read_by("tarocco")
    ('index', 'face')
    """
    return "face" if rule_set(rules).pack.by_whole_faces else "index"


def needed_px_per_mm(rules: str) -> float:
    """Return the pixels a millimetre, where the table is seen smallest, from which the rule set's cards are read."""
    return _LIMITS[f"{read_by(rules)}_px_per_mm"]


def scale_notes(table: TableMap, language: Literal["it", "en"]) -> list[str]:
    """Return the sentence for a camera whose picture is too small even if the table fills it; nothing of another."""
    camera, rules, side = table.camera, table.table.rules, table.layout().side
    most, needed = min(camera.width, camera.height) / side, needed_px_per_mm(rules)
    if camera.source == "none" or most >= needed:
        return []
    size, whole = f"{camera.width}x{camera.height}", read_by(rules) == "face"
    if language == "it":
        cards = "le carte senza indice" if whole else "gli indici"
        told = f"un’immagine {size} mostra al massimo {most:.2f} pixel per millimetro di un tavolo di {side:g} mm"
        return [
            f"{told} e per leggere {cards} ne servono {needed:.2f}: aumenta width e height di [camera], o la telecamera"
        ]
    cards = "cards without an index" if whole else "indices"
    told = f"a picture of {size} shows {most:.2f} pixels a millimetre of a table of {side:g} mm at most"
    return [
        f"{told}, and to read {cards} takes {needed:.2f}: raise width and height in [camera], or take another camera"
    ]
