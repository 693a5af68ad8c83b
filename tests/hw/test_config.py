"""Configuration files: what is wrong is said with file, line and what would be right; exit code 1."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from hw.config_text import ConfigError, line_index
from table_service.cli import app
from table_service.rulesets import RULE_SETS, load_table

EXAMPLES = Path(__file__).parents[2] / "examples"
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
    names = ("table", "online", "tarocco", "hall")
    result = CliRunner().invoke(app, ["check", *(str(EXAMPLES / f"{name}.toml") for name in names)])
    assert result.exit_code == 0, result.output
    assert result.output.count("right") == len(names)


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
        f"{line_of(text, 'rules =')}: 'table.rules': no rules are called 'whist': there is {', '.join(RULE_SETS)}"
    ]


def test_rules_that_nobody_can_play_are_told_in_italian_with_those_there_are(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(GOOD.replace('rules = "fibur2024"', 'rules = "whist"'), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_table(file)
    (problem,) = caught.value.problems
    assert problem.it.endswith(f"nessun tavolo gioca con un codice «whist»: ci sono {', '.join(RULE_SETS)}")


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


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("deals = 4", "deels = 4", "there is no option 'deels': did you mean 'deals'?"),
        ("deals = 4", 'deals = "four"', "'deals' must be a whole number from 1 to 16, not 'four'"),
        ("deals = 4", "deals = true", "'deals' must be a whole number from 1 to 16, not True"),
        ("deals = 4", "deals = 99", "'deals' must be a whole number from 1 to 16, not 99"),
        ("screens = true", 'screens = "yes"', "'screens' must be true or false, not 'yes'"),
        ('event = "pairs"', 'event = "crowd"', "'event' must be one of 'pairs', 'teams', 'individual', not 'crowd'"),
    ],
)
def test_an_option_that_the_code_does_not_know_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    text = GOOD.replace(old, new)
    assert problems(tmp_path, text) == [f"{line_of(text, new)}: {said}"]


def test_two_nodes_on_one_port_are_named(tmp_path: Path) -> None:
    text = GOOD.replace('port = "/dev/tavolo-table"', 'port = "/dev/tavolo-gates"')
    (told,) = problems(tmp_path, text)
    assert "nodes 'gates' and 'table' are both on port /dev/tavolo-gates" in told


def test_one_port_written_in_two_ways_is_one_port(tmp_path: Path) -> None:
    text = GOOD.replace('port = "/dev/tavolo-table"', 'port = "/dev/../dev/tavolo-gates"')
    (told,) = problems(tmp_path, text)
    assert "nodes 'gates' and 'table' are both on port" in told


def test_journal_and_log_in_one_file_are_refused(tmp_path: Path) -> None:
    text = GOOD + '\n[storage]\njournal = "T12.sqlite"\nlog = "T12.sqlite"\n'
    text = text if GOOD.count("[storage]") == 0 else GOOD.replace("T12.jsonl.gz", "T12.sqlite")
    (told,) = problems(tmp_path, text)
    assert "the journal and the log cannot both be T12.sqlite: each needs a file of its own" in told


def test_a_sensor_written_twice_is_named(tmp_path: Path) -> None:
    text = GOOD.replace('scales = ["stock", "discard", "pots"]', 'scales = ["stock", "stock", "pots"]')
    (told,) = problems(tmp_path, text)
    assert told == f"{line_of(text, 'scales =')}: scale 'stock' stands there twice"


def test_the_display_does_not_take_the_brokers_port(tmp_path: Path) -> None:
    text = GOOD.replace("port = 8081", "port = 1883")
    (told,) = problems(tmp_path, text)
    assert "the display cannot have port 1883" in told
    elsewhere = text.replace('host = "127.0.0.1"', 'host = "10.0.0.5"')
    file = tmp_path / "table.toml"
    file.write_text(elsewhere, encoding="utf-8")
    assert load_table(file).display.port == 1883


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("deals = 4", "deels = 4"),
        ("port = 1883", 'port = "x"'),
        ("hall =", "hal ="),
        ('name = "T12"', 'name = "T 12"'),
        ("mains = 50", "mains = 55"),
        ("[table]", "[tabel]"),
        ('source = "picamera2"', 'source = "webcam"'),
        ("width = 4056", "width = 12"),
        ('name = "T12"\n', ""),
        ("port = 8081", "port = 1883"),
        ('coils = ["gate-N"', 'coils = ["gate-Q"'),
    ],
)
def test_every_problem_is_said_in_italian_too(tmp_path: Path, old: str, new: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    english = CliRunner().invoke(app, ["check", "--lang", "en", str(file)]).output
    italian = CliRunner().invoke(app, ["check", "--lang", "it", str(file)])
    assert italian.exit_code == 1
    assert italian.output != english
    for word in (" must be", " is not a", " is missing", "input should", "Input"):
        assert word not in italian.output
    assert english.count("\n") == italian.output.count("\n")


def test_the_machines_own_language_is_spoken_where_none_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(GOOD.replace("deals = 4", "deels = 4"), encoding="utf-8")
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    assert "intendevi «deals»?" in CliRunner().invoke(app, ["check", str(file)]).output
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert "did you mean 'deals'?" in CliRunner().invoke(app, ["check", str(file)]).output


def test_a_log_in_the_open_is_said_and_one_that_is_sealed_is_not(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert [one.partition(":")[0] for one in load_table(path).in_the_open()] == [
        "the observation log names hidden cards in the open"
    ]
    path.write_text(GOOD.replace("# [sealing] ", f'[sealing]\narbitro = "{"ab" * 32}" #'), encoding="utf-8")
    assert load_table(path).in_the_open() == []


def test_no_fault_hides_another(tmp_path: Path) -> None:
    """Unknown keys, wrong values, sensors twice, parts that do not go together: one look names them all."""
    tags = tmp_path / "tags.json"
    tags.write_text('{"04A1": "7H#1",\n"E0040150A1B2C3D4": "7H#1",\n"E0040150A1B2C3D4": "8H#1"}', encoding="utf-8")
    text = (
        GOOD.replace("deals = 4", "deels = 4")
        .replace("card_grams = 1.8", "card_grams = -1")
        .replace('scales = ["stock", ', 'scales = ["stock", "stock", ')
        .replace('port = "/dev/tavolo-table"', 'port = "/dev/tavolo-gates"')
        .replace("port = 8081", "port = 1883")
        .replace("[storage]", f'[storage]\ntags = "{tags}"')
    )
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    said = CliRunner().invoke(app, ["check", "--lang", "en", str(file)]).output
    for fault in (
        "did you mean 'deals'", "table.card_grams", "'stock' stands there twice", "both on port", "have port 1883",
        "04A1: a tag's UID has 16", "this tag stands there twice, as 7H#1 and as 8H#1",
    ):  # fmt: skip
        assert said.count(fault) == 1, (fault, said)
    assert said.count("line 3 of the tags file") == 1
    assert len(said.splitlines()) == 7


@pytest.mark.parametrize(("rect", "shared"), [("[-100, -100, 100, 100]", "200 x 200"), ("[150, -20, 190, 20]", "")])
def test_zones_that_overlap_are_named_and_those_that_touch_are_not(tmp_path: Path, rect: str, shared: str) -> None:
    text = (EXAMPLES / "tarocco.toml").read_text(encoding="utf-8")
    line = line_of(text, "scarto = {")
    text = text.replace(text.splitlines()[line - 1], f"scarto = {{ rect = {rect} }}")
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    if not shared:
        assert "scarto" in load_table(file).layout().zones
        return
    (problem,) = problems(tmp_path, text)
    assert problem == f"{line}: zone 'scarto' overlaps zone 'trick' by {shared} mm: a card there would be in both"
