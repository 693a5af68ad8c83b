"""Configuration files: what is wrong is said with file, line and what would be right; exit code 1."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from hw.config_text import ConfigError, line_index
from table_service.cli import app
from table_service.rulesets import load_table

EXAMPLES = Path(__file__).parent.parent / "examples"
GOOD = (EXAMPLES / "table.toml").read_text(encoding="utf-8")


def problems(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_table(file)
    return [f"{problem.line}: {problem.message}" for problem in caught.value.problems]


def line_of(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), start=1) if line.startswith(start))


def test_the_examples_are_right() -> None:
    result = CliRunner().invoke(app, ["check", str(EXAMPLES / "table.toml"), str(EXAMPLES / "hall.toml")])
    assert result.exit_code == 0, result.output
    assert result.output.count("right") == 2


def test_unknown_key_names_line_and_the_near_one(tmp_path: Path) -> None:
    text = GOOD.replace("hall =", "hal =")
    assert problems(tmp_path, text) == [
        f"{line_of(text, 'hal ')}: 'table.hal' is not a known key; did you mean 'hall'?"
    ]


def test_wrong_type_names_line_and_value(tmp_path: Path) -> None:
    text = GOOD.replace("port = 1883", 'port = "x"')
    (problem,) = problems(tmp_path, text)
    line = line_of(text, 'port = "x')
    assert problem.startswith(f"{line}: 'broker.port'")
    assert "integer" in problem
    assert "'x'" in problem


def test_missing_zone_is_named_at_the_zones_table(tmp_path: Path) -> None:
    text = GOOD + "\n[zones.stock]\nrect = [-80, 0, 0, 100]\n"
    (problem,) = problems(tmp_path, text)
    assert problem.startswith(f"{line_of(text, '[zones.stock]')}: ")
    assert "discard" in problem
    assert "missing" in problem


def test_rules_that_nobody_can_play_are_named_with_their_line(tmp_path: Path) -> None:
    text = GOOD.replace('rules = "fibur2024"', 'rules = "whist"')
    assert problems(tmp_path, text) == [
        f"{line_of(text, 'rules =')}: 'table.rules': no rules are called 'whist': there is fibur2024"
    ]


def test_broken_toml_names_the_line(tmp_path: Path) -> None:
    assert problems(tmp_path, '[table]\nname = "T1\n')[0].startswith("2: is not TOML")


def test_a_sensor_claimed_by_two_nodes_is_refused(tmp_path: Path) -> None:
    text = GOOD + '\n[nodes.third]\nport = "/dev/x"\nscales = ["stock"]\n'
    assert any("'stock' is claimed by node 'table' and node 'third'" in problem for problem in problems(tmp_path, text))


def test_check_exits_1_and_speaks_without_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(b"\xff\xfe")
    for path in (file, tmp_path / "absent.toml", tmp_path):
        result = CliRunner().invoke(app, ["check", str(path)])
        assert result.exit_code == 1
        assert str(path) in result.output
        assert "Traceback" not in result.output


def test_line_index_finds_dotted_and_quoted_keys() -> None:
    assert line_index('a.b = 1\n[c."d e"]\nf = 2\n[[g]]\nh = 3\n') == {
        ("a",): 1,
        ("a", "b"): 1,
        ("c",): 2,
        ("c", "d e"): 2,
        ("c", "d e", "f"): 3,
        ("g",): 4,
        ("g", "h"): 5,
    }


def test_a_sensor_that_is_not_wired_to_its_board_is_named_with_its_line(tmp_path: Path) -> None:
    text = GOOD.replace(
        'scales = ["stock", "discard", "pots"]', 'scales = ["stock", "discard", "pots"]\ncoils = ["trick"]'
    )
    (told,) = problems(tmp_path, text)
    assert "board 'seats' has no coil trick" in told
    assert told.startswith(f"{line_of(text, '[nodes.table]')}:")


def test_a_board_of_ones_own_is_not_checked_against_the_drawn_ones(tmp_path: Path) -> None:
    text = GOOD.replace('board = "seats"\n', "").replace('scales = ["stock"', 'coils = ["trick"]\nscales = ["stock"')
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    assert load_table(file).nodes["table"].coils == ("trick",)
