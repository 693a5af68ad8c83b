"""The walk asks for cards of the table's own pack, and reads them as the running table does."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw.cards import TAROCCO
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.scene import PlacedCard, Scene
from table_service.commands.demo.drawn_pack import drawn_pack
from table_service.rulesets import equipment_of, rule_set
from table_service.sensor_check.command import Devices
from table_service.sensor_check.tasks import Task, tasks
from tests.sensor_check.conftest import CameraSection, a_table

WIDTH = 1800


def _reading(table: object) -> Task:
    return next(task for task in tasks(table) if task.item.way == "sight")  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", ["fibur2024", "feburit", "online", "bridge", "tarocco"])
def test_the_walk_asks_for_eight_cards_that_the_pack_has(rules: str) -> None:
    table = a_table("/dev/no-gates", "/dev/no-seats", camera=True)
    task = _reading(table.model_copy(update={"table": table.table.model_copy(update={"rules": rules})}))
    assert len(set(task.cards)) == 8
    assert set(task.cards) <= set(rule_set(rules).pack.copies)
    assert " ".join(task.cards) in task.it
    assert " ".join(task.cards) in task.en
    assert task.order()["cards"] == list(task.cards)


def test_the_walk_at_a_tarocco_table_reads_the_enrolled_pack(tmp_path: Path) -> None:
    drawing = rule_set("tarocco").drawing
    assert drawing is not None
    drawn_pack(TAROCCO, drawing).save(tmp_path / "drawn.pack")
    table = a_table("/dev/no-gates", "/dev/no-seats", camera=True)
    section = CameraSection(source="picamera2", width=WIDTH, height=WIDTH, pack=tmp_path / "drawn.pack")
    table = table.model_copy(
        update={"table": table.table.model_copy(update={"rules": "tarocco"}), "nodes": {}, "camera": section}
    )
    cards = _reading(table).cards
    camera = Camera(
        table.layout(),
        seed=6,
        width=WIDTH,
        height=WIDTH,
        artwork=artwork_of(drawing),
        equipment=equipment_of("tarocco"),
    )
    lying = tuple(
        PlacedCard(f"{card}#1", -180.0 + 120 * (n % 4), 75.0 - 150 * (n // 4), 0.0, face_up=True)
        for n, card in enumerate(cards)
    )
    devices = Devices(table)
    devices.calibrate(camera.render(Scene(0.0, ())))
    seen = None
    for n in range(1, 4):
        seen = devices.look(camera.render(Scene(0.1 * n, lying)), 0.1 * n) or seen
    assert seen is not None, devices.camera_problem()
    assert sorted(card.card for card in seen.cards) == sorted(cards)
