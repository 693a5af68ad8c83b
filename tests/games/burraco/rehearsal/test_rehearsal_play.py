"""Rehearsed play is regular, complete and the same each time."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from hw.cards import BURRACO, face
from hw.layout import DEFAULT_LAYOUT
from hw.observation_log import read_log
from hw.seats import LINES, Line, Seat
from hw.twin.changes import apply
from hw.twin.world import boxed
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
from table_service.games.burraco.rehearsal.faults import KINDS
from table_service.games.burraco.rehearsal.oracle import is_wild
from table_service.games.burraco.rules.meld import reading_of
from table_service.rehearsal.game_rehearsal import RehearsalError, UnknownFault, rows_named
from table_service.rehearsal.rehearse import rehearse, script_for, truth_path
from table_service.rehearsal.script import Script, ScriptAction
from table_service.rehearsal.truth import read_truth

SEEDS = range(25)
scripted = lru_cache(maxsize=200)(script_for)


def actions(script: Script) -> list[ScriptAction]:
    return [action for cue in script.cues for action in cue.actions]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_gesture_loses_a_card(seed: int) -> None:
    world = boxed(BURRACO.cards())
    everything = world.cards()
    assert len(everything) == 108
    for cue in scripted(seed, faults=("F-31a",) if seed % 2 else ()).cues:
        world = apply(world, cue.gesture)
        assert world.cards() == everything


@pytest.mark.parametrize("seed", SEEDS)
def test_every_row_is_a_meld_of_the_game_and_only_grows(seed: int) -> None:
    rows: dict[int, tuple[str, ...]] = {}
    owner: dict[int, Line] = {}
    for action in actions(scripted(seed)):
        if action.meld is None:
            continue
        assert reading_of(FIBUR2024, action.row) is not None, action
        before = rows.get(action.meld, ())
        assert sorted((*before, *action.cards)) == sorted(action.row), action
        assert (action.type == "open") == (not before)
        assert owner.setdefault(action.meld, action.seat.line) is action.seat.line
        rows[action.meld] = action.row


@pytest.mark.parametrize("seed", SEEDS)
def test_turns_go_round_and_each_takes_once_and_discards_once(seed: int) -> None:
    turns: dict[int, list[ScriptAction]] = {}
    for action in actions(scripted(seed)):
        if action.type in ("draw", "collect", "open", "extend", "discard", "take-pot"):
            turns.setdefault(action.turn, []).append(action)
    first = scripted(seed).ends[0].first
    seat: Seat = first
    for number in sorted(turns):
        played = turns[number]
        assert {action.seat for action in played} == {seat}
        kinds = Counter(action.type for action in played)
        assert kinds["draw"] + kinds["collect"] == 1
        assert kinds["discard"] == 1
        assert played[0].type in ("draw", "collect")
        after = [action.type for action in played[[a.type for a in played].index("discard") + 1 :]]
        assert after in ([], ["take-pot"])
        seat = seat.next


@pytest.mark.parametrize("seed", SEEDS)
def test_a_deal_ends_by_the_rules(seed: int) -> None:
    script = scripted(seed)
    end = script.ends[0]
    last = next(action for action in reversed(actions(script)) if action.type == "discard")
    if end.manner == "closed":
        assert not is_wild(last.cards[0])
        assert not script.world.hands[last.seat]
        assert end.items[last.seat.line]["closing"] == 100
        assert end.items[last.seat.line]["burraco"] >= 100
        assert any(a.type == "take-pot" and a.seat.line is last.seat.line for a in actions(script))
    else:
        assert end.manner in ("stock", "time-out", "stalemate")
        if end.manner == "stock":
            assert len(script.world.heap("stock")) == 2
        elif end.manner == "stalemate":
            changed = [action for action in actions(script) if action.turn > end.turns - 4]
            assert {action.type for action in changed} <= {
                "collect",
                "discard",
                "call",
                "stalemate",
                "lay-out",
                "count",
            }
        else:
            called = next(a.turn for a in actions(script) if a.type == "time-out")
            assert last.seat is end.dealer
            assert 4 <= end.turns - called <= 7
        assert all(end.items[line]["closing"] == 0 for line in LINES)


def test_the_sole_card_of_the_pile_is_not_discarded_at_once() -> None:
    for seed in SEEDS:
        sole: str | None = None
        for action in actions(scripted(seed)):
            if action.type == "collect":
                sole = action.cards[0] if len(action.cards) == 1 and not action.more else None
            elif action.type == "draw":
                sole = None
            elif action.type == "discard" and sole is not None and not action.more:
                assert action.cards[0] != sole
                sole = None


def test_every_phenomenon_of_regular_play_occurs() -> None:
    seen: Counter[str] = Counter()
    lengths = []
    for seed in range(60):
        script = scripted(seed)
        seen[script.ends[0].manner] += 1
        lengths.append(script.ends[0].turns)
        for action in actions(script):
            seen[action.type] += 1
            if action.type == "take-pot":
                seen[action.more["manner"]] += 1
            if action.type == "discard" and is_wild(action.cards[0]):
                seen["wild discarded"] += 1
            if action.more.get("left"):
                seen["one left"] += 1
            if action.row and len({face(card)[1] for card in action.row if not is_wild(card)}) == 1:
                seen["run"] += 1
                if any(is_wild(card) for card in action.row[1:-1]):
                    seen["inner wild or two"] += 1
    wanted = (
        "closed",
        "stock",
        "time-out",
        "discard",
        "in-flight",
        "collect",
        "wild discarded",
        "one left",
        "inner wild or two",
    )
    assert all(seen[name] for name in wanted), seen
    assert min(lengths) < 30
    assert max(lengths) > 50


def test_a_round_changes_the_dealer_clockwise_and_adds_up() -> None:
    script = scripted(3, deals=4)
    dealers = [end.dealer for end in script.ends]
    assert [dealer.next for dealer in dealers[:-1]] == dealers[1:]
    assert all(end.first is end.dealer.next for end in script.ends)
    for line in LINES:
        assert script.ends[-1].running[line] == sum(sum(end.items[line].values()) for end in script.ends)


def test_the_same_seed_writes_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    rehearse("fibur2024", 11, first, faults=("F-31a",), noise="rough")
    command = [sys.executable, "-m", "table_service.rehearsal", "--seed", "11", "--faults", "F-31a"]
    environment = {**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo"}
    subprocess.run([*command, "--noise", "rough", "--log", str(second)], check=True, env=environment)
    assert first.read_bytes() == second.read_bytes()
    assert truth_path(first).read_bytes() == truth_path(second).read_bytes()
    assert stat.S_IMODE(first.stat().st_mode) == stat.S_IMODE(truth_path(first).stat().st_mode) == 0o600


def test_log_and_truth_are_those_of_the_contract(tmp_path: Path) -> None:
    log = tmp_path / "deal.jsonl.gz"
    rehearse("fibur2024", 5, log, noise="none")
    header, observations = read_log(log)
    assert sorted(header.tags.values()) == sorted(BURRACO.cards())
    assert len({uid for uid in header.tags if uid.startswith("E00401") and len(uid) == 16}) == 108
    assert {str(line): str(seat) for line, seat in header.keepers.items()} == {"NS": "N", "EW": "E"}
    assert sum(1 for _ in observations) > 300
    data = json.loads((tmp_path / "deal.truth.json").read_text())
    assert {"rules", "dealer", "first", "until_t", "actions", "fault"} <= data.keys()
    truth = read_truth(tmp_path / "deal.truth.json")
    times = [action["t"] for action in truth.actions]
    assert times == sorted(times)
    for line in data["deals"][0]["lines"].values():
        assert sum(line["items"].values()) == line["total"] == line["running"]


def test_a_fault_is_named_in_the_truth_file_with_what_the_code_orders(tmp_path: Path) -> None:
    truth = rehearse("fibur2024", 21, tmp_path / "fault.jsonl", faults=("F-31a",), noise="none")
    (fault,) = truth.faults
    assert fault["committed_t"] <= fault["evident_t"] < fault["report_by"]
    assert fault["remedy"] == ["return-to-stock", "limit-turn"]
    assert read_truth(truth_path(tmp_path / "fault.jsonl")) == truth


def test_all_faults_spread_over_as_many_deals_as_they_need() -> None:
    rows = tuple(name for name, kind in KINDS.items() if not kind.way)[::4]
    script = script_for(5, None, rows)
    assert len(script.ends) == len(rows)
    wanted = {KINDS[name].row for name in rows}
    by_deal = Counter(fault.deal for fault in script.injected if fault.row in wanted)
    assert {fault.row for fault in script.injected} >= wanted
    assert max(by_deal.values()) <= 2, "a fault, and at most the one that it needs before it"


def test_several_faults_share_a_deal_where_the_deals_are_few() -> None:
    script = script_for(5, 1, ("F-31a", "F-24a"))
    assert len(script.ends) == 1
    assert sorted(fault.row for fault in script.injected) == ["F-24a", "F-31a"]


def test_a_row_that_finds_no_deal_is_named_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table_service.games.burraco.rehearsal.director.TRIES", 3)
    with pytest.raises(RehearsalError, match=r"^seed 5: no deal was found in which F-23h can happen .*another seed$"):
        script_for(5, 1, ("F-23h",))


def test_a_limited_turn_is_served_or_broken_in_the_truth() -> None:
    outcomes = {kept.outcome for seed in range(25) for kept in scripted(seed, faults=("F-31a",)).kept}
    assert outcomes == {"served", "broken"}


def test_what_cannot_be_rehearsed_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnknownFault, match="F-99"):
        rows_named("F-31a,F-99", KINDS)
    with pytest.raises(RehearsalError, match="briscola"):
        rehearse("briscola", 1, tmp_path / "x.jsonl")
    with pytest.raises(RehearsalError, match="deals"):
        rehearse("fibur2024", 1, tmp_path / "x.jsonl", deals=0)


def test_cards_that_fall_lie_on_the_open_table() -> None:
    for seed in range(12):
        world = boxed(BURRACO.cards())
        for cue in scripted(seed, faults=("F-24a",)).cues:
            world = apply(world, cue.gesture)
            for card in world.loose:
                assert DEFAULT_LAYOUT.zone_at(card.x, card.y) == "table", card
