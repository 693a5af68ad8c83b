"""The registry of rule sets: every part is there, and nobody asks for one that is not."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest

from hw.observation_log import Header
from hw.zones import ZONES
from table_service import rulesets
from table_service.console.score_sheet import DealSheet
from table_service.games.definition import RuleSet, UnknownRulesError
from table_service.rehearsal.game_rehearsal import rehearsal_of, rehearsed_rules
from table_service.rulesets import DEFAULT, RULE_SETS, equipment_of, open_fold, rule_set, rule_set_or_default
from table_service.table.score_items import sheet_told

EVERY = pytest.mark.parametrize("played", RULE_SETS.values(), ids=list(RULE_SETS))


@EVERY
def test_a_rule_set_is_whole(played: RuleSet) -> None:
    assert rule_set(played.name) is played
    assert played.catalogue.rows
    assert played.pack.size > 0
    assert 2 <= len(played.rotation.seats) <= 4
    assert set(played.equipment.needed) <= ZONES
    assert len(set(played.sheet.names)) == len(played.sheet.names) > 0
    assert {item.part for item in played.sheet.items} <= {"", *(name for name, _ in played.sheet.parts)}
    assert all(item.title[0] and item.title[1] for item in played.sheet.items)
    assert "open" in played.paper.states
    assert {played.paper.left, played.paper.lost} - {""} <= set(played.catalogue.rows)


@EVERY
def test_its_fold_opens_tells_its_public_state_and_ends(played: RuleSet) -> None:
    needed = {name: 1000 for name, option in played.options.items() if option.needed}
    fold = open_fold(Header(table="T1", rules=played.name, options=needed))
    assert fold.drain() == []
    assert fold.state()["rules"] == played.name
    assert fold.close() == []


def test_rules_that_nobody_can_play_are_one_sentence_with_those_there_are() -> None:
    for ask in (rule_set, equipment_of, lambda name: open_fold(Header(table="T1", rules=name))):
        with pytest.raises(UnknownRulesError, match=f"no rules are called 'whist': there is {', '.join(RULE_SETS)}"):
            ask("whist")


def test_a_page_shows_the_default_where_a_table_has_said_nothing() -> None:
    assert {rule_set_or_default(name).name for name in (None, "whist", 7, DEFAULT)} == {DEFAULT}


def test_its_examples_are_true() -> None:
    assert doctest.testmod(rulesets).failed == 0


def test_a_page_shows_the_items_that_the_count_itself_names() -> None:
    told = [
        {"item": "tricks", "title": {"it": "prese", "en": "tricks"}, "part": "play"},
        {"item": "honours", "title": {"it": "onori"}},
        {"title": {"it": "senza nome"}},
        7,
    ]
    score = {"data": {"sheet": told, "lines": {"NS": {"items": {"tricks": 40, "honours": 10}, "total": 50}}}}
    sheet = DealSheet("T1", "b", 1, score)
    assert [(row.name, row.counts, row.sum) for row in sheet.rows("NS")] == [
        ("tricks", 40, False),
        ("play", 40, True),
        ("honours", 10, False),
        ("total", 50, True),
    ]
    assert [sheet.items.title(name) for name in ("tricks", "honours", "play", "total")] == [
        ("prese", "tricks"),
        ("onori", "onori"),
        ("play", "play"),
        None,
    ]
    assert sheet_told([], sheet.items) == sheet.items


def test_the_state_of_a_sheet_makes_rows_only_of_what_people_or_photographs_have_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    rows = DealSheet.rows
    monkeypatch.setattr(DealSheet, "rows", lambda self, line: (asked.append(line), rows(self, line))[1])
    lines = {line: {"items": {}, "total": 50} for line in ("NS", "EW")}
    sheet = DealSheet("T1", "b", 1, {"data": {"lines": lines}})
    assert sheet.state == "waiting"
    assert asked == []
    sheet.written = {"NS": {"total": 50}}
    assert sheet.state == "waiting"
    sheet.written = {"NS": {"total": 60}}
    assert sheet.state == "differs"
    assert asked


def test_a_table_that_is_played_on_loads_no_simulated_players() -> None:
    asked = (
        "import sys, table_service.commands.run, table_service.rulesets\n"
        "print(*(name for name in sys.modules if 'rehearsal' in name or name.startswith('hw.twin')))"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_table_without_camera_display_or_console_starts_without_what_they_need() -> None:
    asked = (
        "import sys, table_service.commands.run\n"
        "print(*{'cv2', 'fastapi', 'numpy', 'onnxruntime', 'reportlab', 'vision'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("rules", rehearsed_rules())
def test_its_players_stage_what_its_catalogue_has(rules: str) -> None:
    played, game = rule_set(rules), rehearsal_of(rules)
    rows = set(played.catalogue.rows)
    assert {kind.row for kind in game.kinds.values()} <= rows
    assert set(game.remedies) <= rows
    assert all(name == kind.name for name, kind in game.kinds.items())
