"""A game that no file of ours knows is played from gestures through sensors, fold and referee."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from hw.observation_log import LogWriter
from hw.observations import Console, Said
from hw.seats import Seat
from hw.twin.gestures import Command, TakeTrick
from table_service import rulesets
from table_service.events import event_to_json
from table_service.table.resuming import newest_round, resumed
from tests.games.outside.table_of_ottetto import FOLDER, Sensed, deal, plays, trick

N, W, S, E = Seat.NORTH, Seat.WEST, Seat.SOUTH, Seat.EAST
FIRST = (*trick(0, N, W, S, E), TakeTrick(W))
SECOND = (*trick(1, W, S, E, N), TakeTrick(S))


def of(events: list[Any], type_: str) -> list[Any]:
    return [event for event in events if event.type == type_]


def test_an_installed_package_is_found_by_its_entry_point() -> None:
    told = (
        "from table_service.rulesets import RULE_SETS, payloads_of, PAYLOADS\n"
        "from table_service.events import event_schema\n"
        "whose = [payloads_of(rules)['trick.played'].__module__ for rules in ('tarocco', 'ottetto')]\n"
        "print(len(event_schema(PAYLOADS)['$defs']['TrickPlayed2']['properties']), *whose, *RULE_SETS)"
    )
    run = subprocess.run(
        [sys.executable, "-c", told],
        env={"PYTHONPATH": f"{FOLDER}:{':'.join(sys.path)}"},
        capture_output=True,
        text=True,
        check=True,
    )
    fields, *whose = run.stdout.split()[:3]
    assert whose == ["table_service.games.tarocco.payloads", "ottetto.payloads"]
    assert int(fields) > 0
    assert run.stdout.split()[-1] == "ottetto"


def test_a_deal_is_played_counter_clockwise_and_counted(table: Any) -> None:
    fold, events = table(*deal(*FIRST, *SECOND), Command("end-round"))
    played = [(event.seat, event.data.card, event.data.trick) for event in of(events, "trick.played")]
    assert played == [
        (N, "KH", 1), (W, "AH", 1), (S, "JH", 1), (E, "QH", 1),
        (W, "JS", 2), (S, "AS", 2), (E, "KS", 2), (N, "QS", 2),
    ]  # fmt: skip
    assert [(event.data.trick, event.data.by) for event in of(events, "trick.taken")] == [(1, "W"), (2, "S")]
    assert of(events, "irregularity") == []
    (counted,) = of(events, "score.counted")
    assert {line: own["total"] for line, own in counted.data.lines.items()} == {"NS": 1, "EW": 1}
    assert of(events, "round.ended")[0].data.match_points == {"NS": 0, "EW": 0}
    assert fold.state()["phase"] == "over"


def test_who_plays_out_of_turn_is_told_with_the_remedy_for_the_one_whose_turn_it_was(table: Any) -> None:
    fold, events = table(*deal(plays(N, 0), plays(S, 0)))
    (one,) = of(events, "irregularity")
    assert (one.data.row, one.seat, one.data.cards, one.data.state) == ("O-1", S, ("JH",), "open")
    assert [(step.do, step.who) for step in one.data.remedy] == [("take-back", "S"), ("play", "E")]
    (open_,) = fold.state()["irregularities"]
    assert open_["key"] == one.data.key


def test_the_arbitro_rules_on_it(table: Any) -> None:
    _, events = table(*deal(plays(N, 0), plays(S, 0), Command("rule", fields={"key": "d1-1"})))
    assert [one.data.state for one in of(events, "irregularity")] == ["open", "ruled"]


def test_a_dealer_whom_nobody_names_is_the_next_one_counter_clockwise(table: Any) -> None:
    _, events = table(*deal(), Command("deal", fields={"deal": 2}))
    assert [event.data.dealer for event in of(events, "deal.started")] == ["E", "N"]


def test_a_deal_that_was_not_played_out_counts_for_nothing_known(table: Any) -> None:
    _, events = table(*deal(*FIRST), Command("end-round"))
    (counted,) = of(events, "score.counted")
    assert counted.data.lines["NS"]["total"] is None
    assert counted.data.doubtful == ("NS.tricks", "EW.tricks")


def test_the_command_replays_its_log_where_its_package_is_installed(ottetto: Any, tmp_path: Path) -> None:
    sensed = Sensed(ottetto)
    log = tmp_path / "ottetto.jsonl"
    with LogWriter(log, sensed.header) as writer:
        writer.write_all(sensed.of(*deal(*FIRST)))
    run = subprocess.run(
        [sys.executable, "-m", "table_service.cli", "replay", str(log), "--events", "-"],
        env={"PYTHONPATH": f"{FOLDER}:{':'.join(sys.path)}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    (taken,) = [one for one in map(json.loads, run.stdout.splitlines()) if one["type"] == "trick.taken"]
    assert taken["data"] == {"trick": 1, "cards": ["KH", "AH", "JH", "QH"], "by": "W"}


def test_a_table_that_starts_again_goes_on_with_its_round(table: Any) -> None:
    two = [Command("start-round", fields={"deals": 2}), *deal(*FIRST, *SECOND)[1:]]
    fold, events = table(*two)
    told = newest_round(event_to_json(event) for event in events)
    again = rulesets.open_fold(resumed(fold.table.header, told), "boot-2")
    (gone_on,) = again.drain()
    assert (gone_on.type, gone_on.data.deals, gone_on.data.lost) == ("round.resumed", 2, None)
    assert again.state()["score"]["running"] == {"NS": 1, "EW": 1}


def test_a_deal_that_ran_when_the_table_stopped_is_told_as_unknown(table: Any) -> None:
    fold, events = table(*deal(*FIRST))
    again = rulesets.open_fold(
        resumed(fold.table.header, newest_round(event_to_json(event) for event in events)), "boot-2"
    )
    told = again.drain()
    assert [event.type for event in told] == ["round.resumed", "score.counted"]
    assert told[1].data.lines["NS"] == {"items": {"tricks": None}, "total": None, "running": None}


def test_a_line_confirms_its_sheet_and_the_arbitro_corrects_it(table: Any) -> None:
    fold, events = table(*deal(*FIRST, *SECOND))
    (counted,) = of(events, "score.counted")
    said = fold.feed(Said(200.0, N, f"sheet-ok:NS:{counted.id}"))
    assert [event.type for event in said] == ["sheet.confirmed"]
    fields = {"deal": 1, "lines": {"NS": {"tricks": 2}}, "reason": "miscounted"}
    told = fold.feed(Console(201.0, "arbitro-1", "sheet-correct", fields))
    assert [event.type for event in told] == ["sheet.corrected", "score.counted"]
    assert told[1].data.lines["NS"]["total"] == 2
