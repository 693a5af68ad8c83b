"""The walk's last words: what the camera reads and on which step the table stands."""

from __future__ import annotations

from hw.equipment import BURRACO_TABLE
from hw.table_sections import CameraSection, Node, TableSection
from hw.tablemap import TableMap
from table_service.sensor_check.ladder import CARDS, PICTURE, sentences, step_of
from table_service.sensor_check.tasks import tasks
from table_service.sensor_check.walk_course import Outcome, TaskResult, WalkCourse


def a_map(source: str = "http://phone/video", **node: tuple[str, ...]) -> TableMap:
    nodes = {"n": Node(port="/dev/none", **node)} if node else {}  # type: ignore[arg-type]
    return TableMap(table=TableSection(name="T1", rules="fibur2024"), camera=CameraSection(source=source), nodes=nodes)


def walked(outcome: Outcome) -> WalkCourse:
    course = WalkCourse(tasks(a_map()))
    assert {PICTURE, CARDS} <= {task.name for task in course.tasks}, "the walk's own names"
    course.end(TaskResult(PICTURE, outcome, values={"index_px": 11.6, "px_per_mm": 1.94, "residual_mm": 0.3}), [])
    course.end(TaskResult(CARDS, outcome, values={"cards": 120, "missed": 6, "misread": 1}), [])
    return course


def test_the_step_follows_from_the_sensors_and_none_is_left_out() -> None:
    scales, coils = BURRACO_TABLE.weighed, BURRACO_TABLE.gated
    beams = ("N:stock",)
    assert step_of(a_map("none"), BURRACO_TABLE) == 0
    assert step_of(a_map(), BURRACO_TABLE) == 1
    assert step_of(a_map(scales=scales[:1]), BURRACO_TABLE) == 1
    assert step_of(a_map(beams=beams, coils=coils), BURRACO_TABLE) == 1
    assert step_of(a_map(scales=scales), BURRACO_TABLE) == 2
    assert step_of(a_map(scales=scales, beams=beams), BURRACO_TABLE) == 3
    assert step_of(a_map(scales=scales, beams=beams, coils=coils), BURRACO_TABLE) == 4


def test_a_walk_round_a_camera_alone_ends_with_what_it_reads_and_its_step() -> None:
    said = list(sentences(walked("passed"), a_map(), BURRACO_TABLE, italian=False))
    assert said == [
        "An index is 12 pixels wide in the camera's picture.",
        "At the worst place it shows 1.94 pixels a millimetre; to read indices takes 0.92.",
        "Of 120 cards looked at the camera read 113 rightly, 1 wrongly, and 6 not at all.",
        "Step 1 of 4 (the camera alone): discards, melds, turns and the score; draws only as likely.",
    ]


def test_a_camera_that_did_not_pass_is_not_said_to_serve_its_step() -> None:
    said = list(sentences(walked("failed"), a_map(), BURRACO_TABLE, italian=True))
    assert "non è ancora provato" in said[3]
    assert list(sentences(WalkCourse(tasks(a_map())), a_map("none"), BURRACO_TABLE, italian=True)) == [
        "Senza telecamera il tavolo non sta su alcun gradino."
    ]
