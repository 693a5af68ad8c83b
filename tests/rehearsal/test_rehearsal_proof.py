"""The done-criterion of the first deal: rehearsed deals through the whole table, against their truth."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from hw.observations import Observation
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.games.burraco.rehearsal.comparable_steps import steps_of_truth
from table_service.games.burraco.rehearsal.faults import KINDS
from table_service.rehearsal.check_faults import FaultFound
from table_service.rehearsal.proof_page import Conditions, markdown, put_into, wilson
from table_service.rehearsal.proof_report import summary
from table_service.rehearsal.prove import cases, events_of, judge, main, prove, table_fold
from table_service.rehearsal.rehearse import prepare
from table_service.rehearsal.truth import Truth
from table_service.rehearsal.truth_check import TruthReport, compare
from tests.sweeps import rest_in_proof

ROWS = ("F-31a", "F-24a", "F-08a", "F-30a", "F-27a", "F-31d", "F-32", "F-33", "F-34", "F-35a", "F-35b")
"""The rows of the first deal and of the whole round: each is found in every one of these deals.

The first ``FEW`` are run by `make test`: in turn and out of it, a card shown, a pot, a meld on a frozen one. The others
are acted there from gestures, in ``tests/games/burraco/referee``, and from logs of another hand, in
``tests/independent``.
"""
FEW = 5

UNSURE = ("F-23p",)
"""Rows that are staged and not told in each of these deals: docs/measured/deals.md has how often they are."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", rest_in_proof([1, 3, 0, 2, *range(4, 20)], 2))
def test_a_clean_deal_shows_every_action_in_order_and_no_false_irregularity(seed: int) -> None:
    rehearsal = prepare("fibur2024", seed)
    observations = list(rehearsal.observations())
    truth = rehearsal.truth()
    report = judge(rehearsal.header, observations, truth)
    assert report.actions == len(steps_of_truth(truth)) >= truth.deals[0]["turns"] * 2
    assert report.clean, report
    assert not report.score_wrong
    assert report.counted == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", rest_in_proof(range(51000001, 51000006)))
def test_people_who_fidget_are_accused_of_nothing_and_no_score_is_silently_wrong(seed: int) -> None:
    rehearsal = prepare("fibur2024", seed, habits="lively")
    observations = list(rehearsal.observations())
    report = judge(rehearsal.header, observations, rehearsal.truth())
    assert not [alarm for alarm in report.false if alarm.severity in ("score", "play-stops")]
    assert not report.score_wrong
    assert not report.ends_wrong
    assert report.counted == 1


def seen(row: str, seed: int) -> tuple[TruthReport, FaultFound]:
    """A deal with a fault of ``row``, played until it is over: the whole report, and how the fault was met."""
    rehearsal = prepare("fibur2024", seed, 1, (row,))
    rehearsal.cut_short()
    observations = list(rehearsal.observations())
    truth = rehearsal.truth()
    report = judge(rehearsal.header, observations, truth)
    (found,) = [fault for fault in report.faults if fault.row == KINDS[row].row]
    return report, found


@pytest.mark.slow
@pytest.mark.parametrize("row", rest_in_proof(ROWS, FEW))
@pytest.mark.parametrize("seed", rest_in_proof(range(140, 145)))
def test_a_fault_is_named_with_row_and_seat_in_time_and_nothing_else_is_alleged(row: str, seed: int) -> None:
    report, fault = seen(row, seed)
    assert fault.right, fault
    assert fault.right_remedy, fault
    assert not report.false
    assert not report.broken_wrongly
    assert all(kept.right for kept in report.kept)
    assert not report.score_wrong


STAGED_SOON = {"F-27d": 2006, "F-35a:no-beam": 2009, "F-33:at-once": 2009, "F-23h": 2000}
"""Seeds whose first deals let these rows happen; with another one many deals are played until one does."""
OTHER_ROWS = sorted({row for row, kind in KINDS.items() if kind.told} - set(ROWS) - set(UNSURE))
BY_ANOTHER_WAY = {"F-27d", "F-30b", "F-05b:foreign", "F-10a:alone", "F-33:at-once", "F-23o", "F-26d"}
"""Rows, and ways to come to one, that few tests act from gestures: `make test` plays these, `make proof` all."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", rest_in_proof(sorted(OTHER_ROWS, key=lambda row: row not in BY_ANOTHER_WAY), len(BY_ANOTHER_WAY))
)
def test_every_other_staged_row_is_told_with_its_remedy(row: str) -> None:
    _, fault = seen(row, STAGED_SOON.get(row, 131))
    assert fault.right, fault
    assert fault.right_remedy, fault


def test_figures_go_between_the_marks_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- measured rough -->\nold\n<!-- end rough -->\nafter\n")
    put_into(page, "rough", "new")
    assert page.read_text() == "before\n<!-- measured rough -->\n\nnew\n<!-- end rough -->\nafter\n"
    with pytest.raises(ValueError, match="no marks"):
        put_into(page, "normal", "new")
    docs = Path(__file__).parents[2] / "docs" / "measured" / "deals.md"
    for noise in ("normal", "rough", "ruled", "gaps declared"):
        assert f"<!-- measured {noise} -->\n" in docs.read_text(encoding="utf-8")


def test_every_irregularity_that_sensors_tell_is_staged() -> None:
    told = {row.id for row in FIBUR2024.rows.values() if row.kind == "irregularity" and row.senses != ("person",)}
    # F-25d, penalised cards left at the end, comes about in deals with other faults; F-P2 follows from the score.
    assert told - set(KINDS) == {"F-25d", "F-P2"}


@lru_cache(maxsize=1)
def followed() -> tuple[Truth, list[dict[str, Any]], list[Observation]]:
    """A clean deal without noise, its events and its log."""
    rehearsal = prepare("fibur2024", 4, noise="none")
    observations = list(rehearsal.observations())
    events, _, _ = events_of(table_fold(rehearsal.header), observations)
    return rehearsal.truth(), events, observations


def judged(events: list[dict[str, Any]]) -> TruthReport:
    truth, _, observations = followed()
    return compare(truth, events, None, observations)


def changed(kind: str, at: int, **fields: Any) -> list[dict[str, Any]]:
    """The events with the ``at``-th one of ``kind`` changed."""
    _, events, _ = followed()
    place = [n for n, event in enumerate(events) if event["type"] == kind][at]
    return [*events[:place], {**events[place], **fields}, *events[place + 1 :]]


def test_without_noise_nothing_differs() -> None:
    _, events, _ = followed()
    report = judged(events)
    assert report.clean
    assert report.actions > 30
    assert report.counted == 1
    assert report.score_right == report.score_items == 14


def test_an_action_left_out_is_missed() -> None:
    _, events, _ = followed()
    place = next(n for n, event in enumerate(events) if event["type"] == "meld.opened")
    report = judged(events[:place] + events[place + 1 :])
    assert len(report.wrong) == 1
    assert report.wrong[0].startswith("missed:")


def test_another_seat_another_order_and_another_card_are_seen() -> None:
    truth, events, _ = followed()
    drawer = next(action["seat"] for action in truth.actions if action["type"] == "draw")
    other = "N" if drawer != "N" else "S"
    assert judged(changed("card.drawn", 0, seat=other)).wrong
    assert judged(changed("card.discarded", 3, data={"card": "JK"})).wrong
    first = next(n for n, event in enumerate(events) if event["type"] == "card.discarded" and event["turn"])
    taken = next(n for n in range(first, len(events)) if events[n]["type"] in ("card.drawn", "pile.collected"))
    swapped = list(events)
    swapped[first], swapped[taken] = events[taken], events[first]
    assert judged(swapped).wrong


def test_a_seat_left_open_is_wrong_where_a_sensor_told_it() -> None:
    report = judged(changed("card.drawn", 2, seat=None))
    assert report.wrong
    truth, _, _ = followed()
    excused = compare(truth, changed("card.drawn", 2, seat=None), None, [])
    assert not excused.wrong
    assert len(excused.unseated) == 1


def test_each_type_of_action_is_counted_by_itself_and_one_without_a_seat_is_not_told() -> None:
    whole = judged(followed()[1]).told
    assert all(right == count > 0 for right, count in whole.values())
    other = judged(changed("card.discarded", 3, data={"card": "JK"})).told
    assert other == {**whole, "discard": [whole["discard"][0] - 1, whole["discard"][1]]}
    nobody = compare(followed()[0], changed("card.drawn", 2, seat=None), None, []).told
    assert nobody["draw"] == [whole["draw"][0] - 1, whole["draw"][1]]


def test_a_false_irregularity_and_a_wrong_score_are_seen() -> None:
    _, events, _ = followed()
    alarm = {
        **events[-1],
        "type": "irregularity",
        "data": {"key": "k", "row": "F-31a", "severity": "play-stops", "offender": "N", "state": "open"},
    }
    (false,) = judged([*events, alarm]).false
    assert (false.row, false.severity, false.seat) == ("F-31a", "play-stops", "N")
    score = next(event for event in events if event["type"] == "score.counted")
    lines = {line: {**said, "items": {**said["items"], "melds": -1}} for line, said in score["data"]["lines"].items()}
    report = judged(changed("score.counted", 0, data={**score["data"], "lines": lines}))
    assert len(report.score_wrong) == 2


def test_a_proof_goes_on_where_it_was_cut_short(tmp_path: Any) -> None:
    kept = tmp_path / "kept.jsonl"
    todo = cases(2, 1, ("F-31a",), "none", 50, 1, "table")
    told: list[str] = []
    first = prove(todo[:2], kept, 1, lambda result: told.append(result["key"]))
    with kept.open("a") as stream:
        stream.write('{"key": "cut off')
        stream.write("\n")
    results = prove(todo, kept, 1, lambda result: told.append(result["key"]))
    assert told == [case.key for case in todo]
    assert results[:2] == first
    figures = summary(results, KINDS)
    assert figures["clean"]["rounds"] == 2
    assert figures["rows"]["F-31a"]["injected"] == figures["rows"]["F-31a"]["told"] == 1
    page = markdown(figures, Conditions("none", "lively", 50, 2, 1, 1, "code"))
    assert "| F-31a | 1 | 1 | 1 | 1 | 1 (21–100 %) | 1 | 0 |" in page
    assert "**1 faults in 1 rows**" in page


@pytest.mark.parametrize(("right", "of"), [(0, 1000), (46, 50), (50, 50), (1, 3)])
def test_wilson_intervals_hold_the_shares_that_a_score_test_would_not_reject(right: int, of: int) -> None:
    for bound in wilson(right, of):
        deviation = (right / of - bound) ** 2
        assert deviation == pytest.approx(1.959964**2 * bound * (1 - bound) / of, abs=1e-9)
    assert wilson(0, 0) == (0, 1)


def test_the_command_says_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--faults", "F-99", "--clean", "0", "--each", "0"]) == 2
    assert "F-99" in capsys.readouterr().err
