"""What a code leaves open, chosen in headers and table maps: wrong choices are told, none is taken silently."""

from __future__ import annotations

import json

import pytest

from hw.config_text import ConfigError
from hw.layout import HEADS_UP_LAYOUT
from hw.observation_log import Header, header_from_json, header_to_json
from hw.seats import Line, Seat
from hw.tablemap import load_table
from table_service.commands.run import header_of
from table_service.games.burraco.fold import TableFold
from table_service.games.definition import WrongHeaderError
from table_service.rulesets import equipment_of, rule_set
from table_service.rulesets import load_table as load_any
from table_service.table.resuming import ForeignRoundError, as_begun

FOUR = {seat: f"player {seat}" for seat in "NESW"}


def header_with(line, **fields):
    return json.dumps({**json.loads(line), **fields})


def write(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"rules": "whist"}, "no rules are called 'whist'"),
        ({"options": {"inner_wild": "dirty"}}, "there is no option 'inner_wild'"),
        ({"options": {"target": 2000}}, "there is no option 'target'"),
        ({"seats": {"N": "a", "S": "b"}}, "fibur2024 is played by 4, and two seats are named (N, S)"),
        (
            {"rules": "feburit", "options": {"second_set_ban": "year"}},
            "'second_set_ban' must be one of 'hand', 'match'",
        ),
        ({"rules": "feburit", "options": {"stalemate_turns": 7}}, "'stalemate_turns' must be one of '9', '8'"),
        ({"rules": "feburit", "options": {"second_ban": "hand"}}, "did you mean 'second_set_ban'?"),
        ({"rules": "feburit", "seats": {"N": "a", "S": "b"}, "options": {}}, "feburit is played by 4"),
        ({"rules": "online", "options": {}}, "online needs the option 'target'"),
        ({"rules": "online", "options": {"target": 2005}, "seats": {"N": "a", "E": "b"}}, "two players sit at N and S"),
        ({"rules": "online", "options": {"target": 2005}, "seats": {"S": "b"}}, "the seats named are 1 (S)"),
        (
            {"rules": "online", "options": {"target": 2005}, "seats": {"N": "a", "E": "b", "S": "c"}},
            "online is played by 2 or 4, and the seats named are 3 (N, E, S): name all who play",
        ),
    ],
)
def test_a_header_that_its_code_does_not_suit_is_refused(invoke, rehearsed_lines, tmp_path, fields, said):
    log = write(tmp_path / "log.jsonl", [header_with(rehearsed_lines[0], **fields), *rehearsed_lines[1:40]])
    result = invoke("replay", log, "--events", "-")
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert said in line
    assert str(log) in line


def test_a_log_of_one_code_is_not_replayed_by_another(invoke, rehearsed, rehearsed_lines, tmp_path):
    result = invoke("replay", rehearsed, "--rules", "feburit")
    assert result.exit_code == 2
    assert "this is a log of fibur2024, and it is to be replayed by feburit" in result.output
    assert invoke("replay", rehearsed, "--rules", "fibur2024").exit_code == 0
    assert invoke("replay", rehearsed, "--rules", "whist").exit_code == 2


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('rules = "feburit"\n[options]\ninner_wild = "clean"\n', 5, "'inner_wild' must be one of"),
        ('rules = "feburit"\n[options]\ndeals = 4\ntarget = 2000\n', 6, "there is no option 'target'"),
        ('rules = "fibur2024"\n[options]\nfan_warning = "warn"\n', 5, "there is no option 'fan_warning'"),
        ('rules = "feburit"\n[seats]\nN = "a"\nS = "b"\n', 4, "feburit is played by 4, and two seats are named"),
        ('rules = "online"\n[options]\ntarget = 2005\n[seats]\nN = "a"\n', 6, "the seats named are 1 (N)"),
        ('rules = "online"\n[options]\ntarget = 2005\n[seats]\nE = "a"\nW = "b"\n', 6, "two players sit at N and S"),
        ('rules = "whist"\n', 3, "no rules are called 'whist'"),
    ],
)
def test_a_table_map_that_its_code_does_not_suit_has_one_error_with_its_line(invoke, tmp_path, text, line, said):
    file = tmp_path / "table.toml"
    file.write_text('[table]\nname = "T1"\n' + text, encoding="utf-8")
    result = invoke("check", file, "--lang", "en")
    assert result.exit_code == 1
    (found,) = [one for one in result.output.splitlines() if str(file) in one]
    assert f":{line}: " in found
    assert said in found
    assert "Traceback" not in result.output


@pytest.mark.parametrize("value", ["9", 9, "8", 8])
def test_a_choice_may_be_written_as_the_number_that_names_it(tmp_path, value):
    file = tmp_path / "table.toml"
    written = f'"{value}"' if isinstance(value, str) else value
    file.write_text(f'[table]\nname = "T1"\nrules = "feburit"\n[options]\nstalemate_turns = {written}\n')
    assert load_any(file).options == {"stalemate_turns": value}
    header = Header("T1", "feburit", options={"stalemate_turns": value})
    rule_set("feburit").check(header)
    assert TableFold(header).game.book.stalemate_turns == int(value)


def test_what_has_no_default_must_be_chosen(tmp_path):
    online = rule_set("online")
    with pytest.raises(WrongHeaderError, match="online needs the option 'target'"):
        online.check(Header("T1", "online"))
    online.check(Header("T1", "online", options={"target": 2005, "two_aces_in_run": True}))
    with pytest.raises(WrongHeaderError, match="'target' must be a whole number from 1"):
        online.check(Header("T1", "online", options={"target": 0}))
    file = tmp_path / "table.toml"
    for text, line in (('rules = "online"\n', 3), ('rules = "online"\n[options]\ndeals = 2\n', 4)):
        file.write_text('[table]\nname = "T1"\n' + text)
        with pytest.raises(ConfigError, match=f":{line}: online needs the option 'target'"):
            load_table(file, lambda _name: equipment_of("feburit"), lambda _name: online.options)


def test_the_round_tells_by_which_choices_it_is_played_where_the_code_leaves_any():
    def started(rules, **options):
        from tests.games.burraco.conftest import Script

        (event,) = Script(rules=rules, **options).of("round.started")
        return event.data.model_dump(mode="json")

    told = started("feburit", stalemate_turns=8)
    assert told["rules"] == "feburit"
    assert told["options"] == {
        "inner_wild": "semi-clean",
        "penalised_at_end": "negative",
        "closing_bar_end": "round_after",
        "second_set_ban": "hand",
        "fan_warning": "needs_referee",
        "stalemate_turns": "8",
        "two_hand_table": "none",
        "limited_take": "draw-or-collect",
    }
    assert {"rules", "options"}.isdisjoint(started("fibur2024"))


@pytest.mark.parametrize(
    ("rules", "written", "options"),
    [
        (
            "feburit",
            'rules = "feburit"\n[options]\ndeals = 3\nfan_warning = "warn"\n',
            {"deals": 3, "fan_warning": "warn"},
        ),
        ("feburit", 'rules = "feburit"\n', {}),
        ("online", 'rules = "online"\n[options]\ntarget = 2005\n', {"target": 2005}),
    ],
)
def test_the_log_of_a_table_that_runs_begins_with_its_code_and_its_choices(tmp_path, rules, written, options):
    file = tmp_path / "table.toml"
    named = '[seats]\nN = "Anna"\nE = "Berto"\nS = "Carla"\nW = "Dino"\n'
    file.write_text(f'[table]\nname = "T1"\n{written}{named}', encoding="utf-8")
    header = header_of(load_any(file))
    chosen = dict(header.options)
    keepers = chosen.pop("keepers", None)
    assert (header.table, header.rules, chosen) == ("T1", rules, options)
    assert (keepers is not None) is rule_set(rules).keepers_are_named, "feburit: who opens first keeps the melds"
    assert header.seats == {"N": "Anna", "E": "Berto", "S": "Carla", "W": "Dino"}
    rule_set(rules).check(header)
    assert header_from_json(header_to_json(header)) == header


def round_told(**data):
    return [{"type": "round.started", "data": {"deals": 4, **data}}]


def test_a_round_goes_on_by_the_choices_with_which_it_began():
    known = rule_set("feburit").options
    header = Header("T1", "feburit", options={"deals": 4, "stalemate_turns": 9, "inner_wild": "dirty"})
    begun = round_told(rules="feburit", options={"stalemate_turns": "8", "inner_wild": "dirty"})
    gone_on, said = as_begun(header, begun, known)
    assert gone_on.options == {"deals": 4, "stalemate_turns": "8", "inner_wild": "dirty"}
    assert said == "the round goes on as it began: stalemate_turns=8"
    assert as_begun(gone_on, begun, known) == (gone_on, "")


def test_a_journal_of_a_version_without_choices_goes_on_by_the_defaults_and_says_so():
    header = Header("T1", "feburit", options={"deals": 4, "stalemate_turns": 8})
    gone_on, said = as_begun(header, round_told(), rule_set("feburit").options)
    assert gone_on.options == {"deals": 4}
    assert said == "the journal names no choices: the round goes on by the defaults"
    plain = Header("T1", "fibur2024", options={"deals": 4})
    assert as_begun(plain, round_told(), rule_set("fibur2024").options) == (plain, "")


@pytest.mark.parametrize(("before", "now"), [("feburit", "fibur2024"), ("online", "feburit")])
def test_a_round_of_another_code_is_not_taken_up(before, now):
    header = Header("T1", now)
    with pytest.raises(ForeignRoundError, match=f"was played by {before}, and this table plays {now}"):
        as_begun(header, round_told(rules=before, options={}), rule_set(now).options)


def test_a_table_of_two_needs_no_zones_of_seats_that_nobody_takes(invoke, tmp_path):
    file = tmp_path / "table.toml"
    drawn = "\n".join(
        f"[zones.{zone}]\nrect = [{rect.x0}, {rect.y0}, {rect.x1}, {rect.y1}]"
        for zone, rect in HEADS_UP_LAYOUT.zones.items()
    )
    head = '[table]\nname = "T1"\nrules = "online"\n[options]\ntarget = 2005\n'
    file.write_text(f'{head}[seats]\nN = "Anna"\nS = "Sara"\n{drawn}\n', encoding="utf-8")
    result = invoke("check", file, "--lang", "en")
    assert result.exit_code == 0, result.output
    assert load_any(file).keeper_seats() == {Line.NS: Seat.NORTH, Line.EW: Seat.SOUTH}
    file.write_text(f"{head}{drawn}\n", encoding="utf-8")
    assert "zone hand-E, hand-W is missing" in invoke("check", file, "--lang", "en").output
