"""The hall's configuration: floors with runs of tables, and what is wrong said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw.config_text import ConfigError
from table_service.console.hall_config import load_hall, tables_named


def test_a_run_of_tables_is_each_of_them_once() -> None:
    assert tables_named(("T1..T3", "F", "T2")) == ("T1", "T2", "T3", "F")


@pytest.mark.parametrize("wrong", ["T1..S3", "T9..T1", "T1..T9999", "T..U"])
def test_a_run_that_makes_no_sense_is_said_with_its_line(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(f'[hall]\nname = "sala"\n\n[hall.floors]\n"Piano terra" = ["{wrong}"]\n', encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_hall(file)
    assert "T1..T40" in str(caught.value)
    assert str(caught.value).startswith(f"{file}:")


def test_the_example_is_right() -> None:
    hall = load_hall(Path(__file__).parents[2] / "examples" / "hall.toml")
    assert hall.hall.floors == {"Piano terra": ("T12",)}
    assert hall.console.order_life < 300
