"""A game that no file of ours knows: Briscola, played from gestures through sensors to events, score and orders."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hw.observation_log import LogWriter
from hw.observations import Console, Said
from hw.seats import Seat
from hw.twin.gestures import ConsoleGesture, TakeUp
from table_service import rulesets
from table_service.cli import app
from table_service.events import Event, event_to_json
from table_service.rehearsal.gestured import Gestured
from table_service.rehearsal.rehearse import prepare
from table_service.rehearsal.truth_check import compare
from table_service.service.fold_snapshot import unpacked
from table_service.table.fold_bytes import packed
from table_service.table.resuming import newest_round, resumed
from tests.games.outside.table_of_briscola import FOLDER, Played

Table = Callable[..., tuple[Any, list[Any]]]
OUTSIDE = {"PYTHONPATH": f"{FOLDER}:{':'.join(sys.path)}"}


def of(events: list[Any], type_: str) -> list[Any]:
    return [event for event in events if event.type == type_]


def test_an_installed_package_is_found_by_its_entry_point_and_its_log_replayed(briscola: Any, tmp_path: Path) -> None:
    tried, played = Gestured(briscola), Played().trick()
    log = tmp_path / "briscola.jsonl"
    with LogWriter(log, tried.header) as writer:
        writer.write_all(tried.sensed(*played.gestures))
    command = [sys.executable, "-m", "table_service.cli", "replay", str(log), "--events", "-"]
    run = subprocess.run(command, env=OUTSIDE, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    (won,) = [one for one in map(json.loads, run.stdout.splitlines()) if one["type"] == "trick.won"]
    assert won["data"] == {"trick": 1, "cards": [card for _, card, _ in played.cards], "by": str(played.leader)}


def test_the_schema_of_events_knows_its_payloads(briscola: Any) -> None:
    models = rulesets.payloads_by_type([briscola])
    assert [len(models[kind]) for kind in ("trick.played", "trick.won", "trump.turned", "card.drawn")] == [1] * 4
    assert rulesets.payloads_of("briscola")["trick.won"] is models["trick.won"][0]


@pytest.mark.parametrize(("seed", "noise"), [(3, "none"), (5, "normal")])
def test_a_whole_deal_is_followed_and_counted_as_a_second_reading_of_the_rules_has_it(
    table: Table, seed: int, noise: str
) -> None:
    played = Played(seed).whole()
    fold, events = table(*played.gestures, ConsoleGesture("end-round"), noise=noise)
    assert [event.data.card for event in of(events, "trump.turned")] == [played.trump[:2]]
    assert [(event.seat, event.data.card, event.data.trick) for event in of(events, "trick.played")] == played.cards
    assert [event.data.by for event in of(events, "trick.won")] == list(map(str, played.winners))
    drawn = of(events, "card.drawn")
    assert [event.data.card for event in drawn] == ["??"] * 27 + [played.trump[:2]]
    assert of(events, "irregularity") == []
    counted = of(events, "score.counted")[-1].data.lines
    assert {line: own["items"] for line, own in counted.items()} == {
        line: {"points": points} for line, points in played.points.items()
    }
    assert sum(played.points.values()) == 120
    assert fold.state()["phase"] == "over"


def test_a_card_played_out_of_turn_is_reported_with_its_row_and_its_remedy(table: Table) -> None:
    played = Played()
    wrong = played.card(Seat.SOUTH)
    fold, events = table(*played.gestures, played.card(Seat.NORTH), wrong)
    (one,) = of(events, "irregularity")
    assert (one.data.row, one.seat, one.data.cards, one.data.state) == ("B-1", "S", (wrong.card[:2],), "open")
    assert [(step.do, step.who) for step in one.data.remedy] == [("take-back", "S"), ("play", "W")]
    assert [open_["key"] for open_ in fold.state()["irregularities"]] == [one.data.key]


def test_a_card_that_is_taken_back_is_in_no_trick_and_who_was_to_play_plays(table: Table) -> None:
    played = Played()
    wrong = played.card(Seat.SOUTH)
    played.hands[Seat.SOUTH].append(wrong.card)
    played.cards.clear()
    lead = played.card(Seat.NORTH)
    rest = [played.card(seat) for seat in (Seat.WEST, Seat.SOUTH)]
    fold, events = table(*played.gestures, lead, wrong, TakeUp(Seat.SOUTH, (wrong.card,)), *rest)
    assert len(of(events, "irregularity")) == 1
    assert [(one["seat"], one["card"]) for one in fold.state()["trick"]["cards"]] == [
        (str(seat), card) for seat, card, _ in played.cards
    ]


def test_the_arbitro_rules_on_it(table: Table) -> None:
    played = Played()
    wrong = played.card(Seat.SOUTH)
    _, events = table(
        *played.gestures, played.card(Seat.NORTH), wrong, ConsoleGesture("rule", fields={"key": "r1d1-1"})
    )
    assert [one.data.state for one in of(events, "irregularity")] == ["open", "ruled"]


def test_a_dealer_whom_nobody_names_is_the_next_one_counter_clockwise(table: Table) -> None:
    _, events = table(*Played().gestures, ConsoleGesture("deal", fields={"deal": 2}))
    assert [event.data.dealer for event in of(events, "deal.started")] == ["E", "N"]


def test_a_deal_that_was_not_played_out_counts_for_nothing_known(table: Table) -> None:
    _, events = table(*Played().trick().gestures, ConsoleGesture("end-round"))
    (counted,) = of(events, "score.counted")
    assert counted.data.lines["NS"]["total"] is None
    assert counted.data.doubtful == ("NS.points", "EW.points")


def again_after(fold: Any, events: list[Event]) -> tuple[Any, list[Any]]:
    """The table started again, and what it tells first."""
    told = newest_round(event_to_json(event) for event in events)
    again = rulesets.open_fold(resumed(fold.table.header, told), "boot-2")
    return again, again.drain()


def test_a_table_that_starts_again_goes_on_with_its_round(table: Table) -> None:
    played = Played().whole()
    two = [ConsoleGesture("start-round", fields={"deals": 2}), *played.gestures[1:]]
    again, told = again_after(*table(*two))
    assert [(event.type, event.data.deals, event.data.lost) for event in told] == [("round.resumed", 2, None)]
    assert again.state()["score"]["running"] == played.points


def test_a_deal_that_ran_when_the_table_stopped_is_told_as_unknown(table: Table) -> None:
    _, told = again_after(*table(*Played().trick().gestures))
    assert [event.type for event in told] == ["round.resumed", "score.counted"]
    assert told[1].data.lines["NS"] == {"items": {"points": None}, "total": None, "running": None}


def test_a_line_confirms_its_sheet_and_the_arbitro_corrects_it(table: Table) -> None:
    fold, events = table(*Played().whole().gestures)
    (counted,) = of(events, "score.counted")
    said = fold.feed(Said(900.0, Seat.NORTH, f"sheet-ok:NS:{counted.id}"))
    assert [event.type for event in said] == ["sheet.confirmed"]
    fields = {"deal": 1, "lines": {"NS": {"points": 61}}, "reason": "miscounted"}
    told = fold.feed(Console(901.0, "arbitro-1", "sheet-correct", fields))
    assert [event.type for event in told] == ["sheet.corrected", "score.counted"]
    assert told[1].data.lines["NS"]["total"] == 61


def test_the_command_counts_what_each_line_has_won(briscola: Any, tmp_path: Path) -> None:
    played = Played().whole()
    file = tmp_path / "deal.json"
    deal = {line: {"cards": cards} for line, cards in played.won.items()}
    file.write_text(json.dumps({"rules": briscola.name, "deal": deal}), encoding="utf-8")
    run = CliRunner().invoke(app, ["count", str(file), "--json"])
    assert run.exit_code == 0, run.output
    assert {line: own["total"] for line, own in json.loads(run.output)["lines"].items()} == played.points
    file.write_text(json.dumps({"rules": briscola.name, "deal": {"NS": {"cards": ["9Z"]}}}), encoding="utf-8")
    run = CliRunner().invoke(app, ["count", str(file)])
    assert (run.exit_code, len(run.output.splitlines())) == (1, 1)
    assert "'9Z' is no card" in run.output


def test_a_table_whose_power_failed_goes_on_in_the_middle_of_a_deal(briscola: Any) -> None:
    tried, played = Gestured(briscola), Played().trick()
    tried.events(*played.gestures)
    second = unpacked(packed(tried.fold))
    done = len(played.gestures)
    more = list(tried.sensed(*played.whole().gestures[done:]))
    again = [[event_to_json(event) for one in more for event in each.feed(one)] for each in (tried.fold, second)]
    assert again[0] == again[1]
    assert unpacked(packed(briscola.drawing)) is briscola.drawing  # what the package itself defines may be named


@pytest.mark.parametrize("noise", ["normal", "rough"])
def test_its_rehearsal_is_played_and_nobody_is_accused_but_who_played_out_of_turn(briscola: Any, noise: str) -> None:
    round_ = prepare(briscola.name, 2, 2, ["B-1"], noise)
    fold = rulesets.open_fold(round_.header)
    observations = list(round_.observations())
    events = [event_to_json(event) for one in observations for event in fold.feed(one)]
    report = compare(round_.truth(), events, observations=observations)
    assert report.false == []
    assert [(fault.row, fault.found, fault.right_seat) for fault in report.faults] == [("B-1", True, True)]
    assert report.score_wrong == []
    assert (report.clean, report.score_right) == ((True, 4) if noise == "normal" else (False, 0))
