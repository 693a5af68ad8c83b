"""The last words of a walk: cards that the camera reads, and the step of the ladder on which the table stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hw.equipment import Equipment
from hw.tablemap import TableMap
from table_service.camera.picture_scale import needed_px_per_mm, read_by
from table_service.sensor_check.walk_course import WalkCourse

PICTURE: Final = "camera-picture camera"
CARDS: Final = "camera-cards camera"
_STEPS: Final = (
    ("la telecamera sola", "the camera alone"),
    ("più le bilance", "plus scales"),
    ("più le barriere", "plus beams"),
    ("più i varchi", "plus gates"),
)
"""Sensors of each step, Italian first."""
_READ: Final = {"index": ("gli indici", "indices"), "face": ("carte senza indice", "cards without an index")}
_ADDS: Final = (
    (
        "scarti, calate, turni e punteggio; le pescate solo come probabili",
        "discards, melds, turns and the score; draws only as likely",
    ),
    ("pescate e carte contate con certezza", "draws and counts surely"),
    ("di chi è la mano", "whose hand it was"),
    ("i nomi delle carte pescate, per il solo arbitro", "names of drawn cards, for the arbitro alone"),
)


def step_of(table: TableMap, equipment: Equipment) -> int:
    """Return the step of ``table``, 1 to 4, each of which has all sensors of those below; 0 without a camera."""
    nodes = table.nodes.values()
    has = (
        table.camera.source != "none",
        set(equipment.weighed) <= {name for node in nodes for name in node.scales},
        any(node.beams for node in nodes),
        set(equipment.gated) <= {name for node in nodes for name in node.coils},
    )
    return next((n for n, there in enumerate(has) if not there), len(has))


def sentences(course: WalkCourse, table: TableMap, equipment: Equipment, *, italian: bool) -> Iterator[str]:
    """Return what the walk says of camera and step, one sentence each."""
    column = 0 if italian else 1
    yield from _camera_sentences(course, table.table.rules, column)
    step = step_of(table, equipment)
    if step == 0:
        yield ("Senza telecamera il tavolo non sta su alcun gradino.", "Without a camera the table is on no step.")[
            column
        ]
        return
    done = [course.results.get(name) for name in (PICTURE, CARDS)]
    if any(one is None or one.outcome != "passed" for one in done):
        yield (
            "Se la telecamera basta per il suo gradino non è ancora provato.",
            "Whether the camera serves its step is not proven yet.",
        )[column]
    names, adds = (", ".join(words[column] for words in both[:step]) for both in (_STEPS, _ADDS))
    yield ("Gradino {} di 4 ({}): {}.", "Step {} of 4 ({}): {}.")[column].format(step, names, adds)


def _camera_sentences(course: WalkCourse, rules: str, column: int) -> Iterator[str]:
    """Return what the walk measured of the camera: size of an index, cards read. ``column``: 0 Italian, 1 English."""
    picture, cards = (course.results.get(name) for name in (PICTURE, CARDS))
    if picture is not None and "index_px" in picture.values:
        yield (
            "Un indice è largo {:.0f} pixel nell’immagine della telecamera.",
            "An index is {:.0f} pixels wide in the camera's picture.",
        )[column].format(picture.values["index_px"])
    if picture is not None and "px_per_mm" in picture.values:
        cards_read = _READ[read_by(rules)][column]
        yield (
            "Nel punto peggiore mostra {:.2f} pixel per millimetro; per leggere {} ne servono {:.2f}.",
            "At the worst place it shows {:.2f} pixels a millimetre; to read {} takes {:.2f}.",
        )[column].format(picture.values["px_per_mm"], cards_read, needed_px_per_mm(rules))
    if cards is not None and "cards" in cards.values:
        seen, missed, wrong = (int(cards.values[name]) for name in ("cards", "missed", "misread"))
        yield (
            "Di {} carte guardate la telecamera ne ha lette bene {}, male {}, e {} no.",
            "Of {} cards looked at the camera read {} rightly, {} wrongly, and {} not at all.",
        )[column].format(seen, seen - missed - wrong, wrong, missed)
