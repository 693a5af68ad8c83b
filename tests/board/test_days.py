"""The days on which a table is built: each part is ordered once, sums are the parts list's, each drawing is shown."""

from __future__ import annotations

import re
from pathlib import Path

from lab.board import drawn_plans
from lab.board.tables import ORDERED, cost, orders_table
from lab.board.wiring import load_wiring

ROOT = Path(__file__).resolve().parents[2]


def test_every_part_is_ordered_for_exactly_one_day_and_the_camera_comes_first() -> None:
    kinds = [kind for day in ORDERED.values() for kind in day]
    assert sorted(kinds) == sorted(load_wiring().shopping)
    assert list(ORDERED)[:4] == ["camera", "scales", "beams", "gates"]


def test_the_days_sums_are_the_parts_lists() -> None:
    wiring = load_wiring()
    sums = [int(one) for one in re.findall(r"(?m)\| (\d+) \|$", orders_table(wiring))]
    assert abs(sum(sums[:4]) - cost(wiring, games=False)) <= 2
    assert abs(sum(sums) - cost(wiring, games=True)) <= 3
    ladder = [
        int(one.replace(" ", "")) for one in re.findall(r"\| ([\d ]+) € \|", (ROOT / "README.md").read_text("utf-8"))
    ]
    assert ladder == sums[:4], "the README's ladder has the parts list's prices"


def test_the_first_days_page_shows_every_drawing_made_for_it() -> None:
    page = (ROOT / "docs/first-day.md").read_text("utf-8")
    for name in drawn_plans.day_drawings():
        assert f"board/{name}" in page, name
