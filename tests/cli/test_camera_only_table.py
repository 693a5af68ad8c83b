"""A table map with a camera and no node: what `tavolo check` says of it, and the header its log begins with."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw.equipment import BURRACO_TABLE
from table_service.commands.checks import check_file
from table_service.commands.run import header_of
from table_service.rulesets import load_table

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_table_with_a_camera_alone_is_told_what_it_reports_and_what_needs_a_persons_word() -> None:
    _, notes = check_file(EXAMPLES / "camera-only.toml")
    text = "\n".join(notes)
    assert "draws from the stock are reported as likely" in text
    assert "turns, discards and pick-ups are reported" in text
    assert "whose hand reaches where is told by the camera" in text
    needing = next(note for note in notes if "a person's word may be needed" in note)
    assert "F-31a" in needing
    reported = next(note for note in notes if "ask for no sensor" in note)
    assert "F-24a" in reported
    assert "F-31a" not in reported


def test_a_table_with_everything_is_told_nothing_of_that() -> None:
    _, notes = check_file(EXAMPLES / "table.toml")
    assert not any("reported" in note or "ask for" in note for note in notes)


def test_the_log_of_a_table_with_a_camera_alone_says_that_the_camera_alone_senses_its_zones() -> None:
    header = header_of(load_table(EXAMPLES / "camera-only.toml"))
    assert header.sensors["stock"] == ("camera", "hands")
    assert BURRACO_TABLE.sensed_by(header.sensors).weighed == ()


def test_the_log_of_a_table_with_everything_names_no_sensors() -> None:
    assert header_of(load_table(EXAMPLES / "table.toml")).sensors == {}


def test_a_scale_added_to_the_map_is_in_the_header(tmp_path: Path) -> None:
    text = (EXAMPLES / "camera-only.toml").read_text(encoding="utf-8")
    path = tmp_path / "table.toml"
    path.write_text(f'{text}\n[nodes.table]\nport = "/dev/x"\nscales = ["stock"]\n', encoding="utf-8")
    table = load_table(path)
    assert header_of(table).sensors["stock"] == ("camera", "scale", "hands")
    assert not any("draws from the stock are reported as likely" in note for note in check_file(path)[1])


@pytest.mark.parametrize("name", ["table.toml", "bridge.toml", "tarocco.toml", "online.toml"])
def test_the_other_examples_have_every_sensor(name: str) -> None:
    assert header_of(load_table(EXAMPLES / name)).sensors == {}
