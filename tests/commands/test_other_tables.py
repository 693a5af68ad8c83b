"""The players of the demo's hall have names, as people do, in whichever language its pages are read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from table_service.commands.demo.other_tables import begun_now
from table_service.rehearsal.rehearse import header_for, prepare


def test_nobody_sits_at_two_tables_of_the_demo_and_all_play_this_evening() -> None:
    one = prepare("fibur2024", 3, 1, ())
    tables = [begun_now(replace(one, header=header_for("fibur2024", n, 1, table=f"T{n}"))).header for n in range(1, 41)]
    names = [name for header in tables for name in header.seats.values()]
    assert len(set(names)) == len(names) == 4 * 40
    assert not [name for name in names if "Player" in name]
    began = [datetime.fromisoformat(header.started) for header in tables]
    assert all(abs((datetime.now(UTC) - one).total_seconds()) < 600 for one in began)


def test_a_table_of_two_has_two_names() -> None:
    header = begun_now(prepare("online", 3, 1, (), players=2)).header
    assert len(header.seats) == 2
