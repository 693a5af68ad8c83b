"""After a restart a table knows what waits for the arbitro, what he ruled and what is owed; he can rule and lift."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hw.observation_log import Header, read_log
from hw.observations import Console, Observation
from table_service.events import Event, event_to_json, public
from table_service.rehearsal.rehearse import rehearse
from table_service.rulesets import open_fold
from table_service.service import calls_of
from table_service.table.resuming import keys_of, newest_round, resumed

FIRST, SECOND, THIRD = "00003e", "00003f", "000040"
LATER = {FIRST: "2026-11-22T15:00:00Z", SECOND: "2026-11-22T15:20:00Z", THIRD: "2026-11-22T15:40:00Z"}
WARNED = "F-09d"
Told = list[dict[str, Any]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Header, list[Observation]]:
    """A deal in which South discards without drawing (art. 31); East calls and the arbitro rules."""
    log = tmp_path_factory.mktemp("played") / "log.jsonl"
    rehearse("fibur2024", 5, Path(log), 1, ("F-31a",), "none")
    header, observations = read_log(log)
    return header, list(observations)


class Start:
    """One start of the table, which goes on with what the starts before it told."""

    def __init__(self, header: Header, boot: str, before: Told, *, marked: bool = True) -> None:
        begun = replace(header, started=LATER[boot], options={**header.options, **({"boot": boot} if marked else {})})
        self.header = resumed(begun, newest_round(before))
        self.fold = open_fold(self.header, boot)
        self.told: Told = []
        self.all = before
        self.t = 0.0
        self._keep(self.fold.drain())

    def _keep(self, events: Iterable[Event]) -> Told:
        fresh = [json.loads(json.dumps(event_to_json(public(event)))) for event in events]
        self.told += fresh
        self.all = [*self.all, *fresh]
        return fresh

    def play(self, observations: Iterable[Observation], until: str, **data: Any) -> None:
        """Feed up to the event ``until``, whose data holds ``data``."""
        for one in observations:
            self.t = one.t
            for event in self._keep(self.fold.feed(one)):
                if event["type"] == until and all(event["data"].get(name) == value for name, value in data.items()):
                    return
        pytest.fail(f"never told: {until}")

    def order(self, do: str, **fields: Any) -> Told:
        self.t += 20.0
        return self._keep(self.fold.feed(Console(self.t, "Anna", do, fields)))

    def state(self) -> Any:
        return self.fold.state()

    def again(self, boot: str, **how: Any) -> Start:
        return Start(self.header, boot, self.all, **how)


def of(told: Told, kind: str) -> Told:
    return [one for one in told if one["type"] == kind]


def test_what_waits_for_the_arbitro_is_known_after_a_restart_and_can_be_ruled(played: Any) -> None:
    header, observations = played
    first = Start(header, FIRST, [])
    first.play(observations, "referee.called")
    waiting = first.state()["irregularities"]
    assert [one["row"] for one in waiting] == ["F-31a"]
    key = waiting[0]["key"]
    assert key.startswith(FIRST), "no other start of the table gives the same key"

    second = first.again(SECOND)
    assert of(second.told, "round.resumed")[0]["data"]["open"] == [key]
    assert keys_of(second.header) == {key}
    (known,) = second.state()["irregularities"]
    same = ("key", "row", "article", "title", "offender", "pair", "cards", "found", "state", "severity", "options")
    assert {name: known[name] for name in same} == {name: waiting[0][name] for name in same}
    gap = 20 * 60  # seconds between the two starts
    assert known["committed_t"] == pytest.approx(waiting[0]["committed_t"] - gap, abs=0.01)

    said = second.order("rule", key=key)
    (ruled,) = of(said, "irregularity")
    assert (ruled["data"]["key"], ruled["data"]["state"]) == (key, "ruled")
    assert not [one for one in said if one["data"].get("state") == "ignored"]
    assert second.state()["irregularities"] == []

    third = second.again(THIRD)
    assert third.state()["irregularities"] == [], "what was ruled after the restart is ruled after the next one"
    said = third.order("dismiss", key=key)
    assert [one["data"]["state"] for one in of(said, "irregularity")] == ["dismissed"]


def test_what_is_owed_is_known_and_the_arbitro_lifts_it(played: Any) -> None:
    header, observations = played
    first = Start(header, FIRST, [])
    first.play(observations, "sanction.imposed", do="limit-turn")
    owed = first.state()["sanctions"]
    assert len(owed) == 2
    key = owed[0]["irregularity"]
    second = first.again(SECOND)
    assert second.state()["sanctions"] == owed
    second.order("dismiss", key=key)
    assert second.state()["sanctions"] == []
    assert second.again(THIRD).state()["sanctions"] == []


def test_what_was_served_is_not_owed_after_a_restart(played: Any) -> None:
    header, observations = played
    first = Start(header, FIRST, [])
    first.play(observations, "sanction.served")
    left = first.state()["sanctions"]
    assert len(left) == 1
    assert first.again(SECOND).state()["sanctions"] == left


def test_a_warning_of_before_is_lifted_with_its_ruling_and_no_other(played: Any) -> None:
    header, observations = played
    first = Start(header, FIRST, [])
    first.play(observations, "sanction.imposed", do="limit-turn")
    (stated,) = of(first.order("rule", row=WARNED, seat="N"), "irregularity")
    first.order("warn", line="NS", row=WARNED)
    assert first.state()["warnings"] == {"NS": 2, "EW": 0}
    second = first.again(SECOND)
    assert second.state()["warnings"] == {"NS": 2, "EW": 0}
    said = second.order("dismiss", key=stated["data"]["key"])
    assert [one["data"]["withdrawn"] for one in of(said, "warning.given")] == [True]
    assert second.state()["warnings"] == {"NS": 1, "EW": 0}
    third = second.again(THIRD)
    assert third.state()["warnings"] == {"NS": 1, "EW": 0}
    assert not of(third.order("dismiss", key=stated["data"]["key"]), "warning.given"), "it is lifted once"
    assert third.state()["warnings"] == {"NS": 1, "EW": 0}


def test_a_ruling_that_is_lifted_after_the_count_leaves_the_score_in_doubt(played: Any) -> None:
    header, observations = played
    first = Start(header, FIRST, [])
    first.play(observations, "score.counted")
    (ruled,) = [one["data"]["key"] for one in of(first.told, "irregularity") if one["data"]["state"] == "ruled"]
    second = first.again(SECOND)
    assert of(second.told, "round.resumed")[0]["data"]["lost"] is None
    before = of(first.told, "score.counted")[-1]
    said = second.order("dismiss", key=ruled)
    (counted,) = of(said, "score.counted")
    assert counted["data"]["supersedes"] == before["id"]
    assert "NS.melds" in counted["data"]["doubtful"], "the cards are gone: nobody can count them anew"
    assert counted["data"]["lines"]["NS"]["total"] == before["data"]["lines"]["NS"]["total"]
    items = {item: value for item, value in counted["data"]["lines"]["NS"]["items"].items() if value is not None}
    assert items
    told = {"deal": 1, "score": counted["id"], "lines": {"NS": items}, "reason": "contato di nuovo"}
    settled = of(second.order("sheet-correct", **told), "score.counted")[-1]
    assert not [one for one in settled["data"]["doubtful"] if one.startswith("NS.")]


def test_the_deal_that_is_dealt_next_forgets_what_lapses_with_play(played: Any) -> None:
    header, observations = played
    first = Start(header, FIRST, [])
    first.play(observations, "sanction.imposed", do="limit-turn")
    second = first.again(SECOND)
    second.order("deal", deal=1, dealer="S")
    assert second.state()["sanctions"] == []
    known = newest_round(second.all)
    assert not [one for one in known if one["type"] in ("irregularity", "sanction.imposed")], "and the journal's reader"


def test_keys_of_journals_that_name_no_start_are_told_apart(played: Any) -> None:
    header, observations = played
    first = Start(header, FIRST, [], marked=False)
    first.play(observations, "referee.called")
    assert first.state()["irregularities"][0]["key"] == "r1d1-1"
    second = first.again(SECOND, marked=False)
    assert [one["key"] for one in second.state()["irregularities"]] == [f"{FIRST}:r1d1-1"]
    (stated,) = of(second.order("rule", row=WARNED, seat="N"), "irregularity")
    third = second.again(THIRD, marked=False)
    assert [one["key"] for one in third.state()["irregularities"]] == [f"{FIRST}:r1d1-1"]
    said = third.order("dismiss", key=f"{SECOND}:{stated['data']['key']}")
    assert [one["data"]["row"] for one in of(said, "irregularity")] == [WARNED]


def test_a_row_that_the_code_does_not_have_any_more_is_named(played: Any) -> None:
    header, observations = played
    first = Start(header, FIRST, [])
    first.play(observations, "referee.called")
    for one in first.all:
        if one["type"] == "irregularity":
            one["data"] = {**one["data"], "row": "F-99z"}
    data = of(first.again(SECOND).told, "round.resumed")[0]["data"]
    assert data["open"] == []
    assert len(data["forgotten"]) == 1


def test_a_call_waits_until_it_is_answered_whatever_start_it_was_made_in(played: Any) -> None:
    header, observations = played
    first = Start(header, FIRST, [])
    first.play(observations, "referee.called")
    assert [call["offender"] for call in calls_of(first.all).values()] == ["E"]
    first.play(observations[513:], "irregularity", state="ruled")
    assert calls_of(first.all) == {}


def test_a_clock_that_was_set_back_puts_no_fact_behind_the_start(played: Any) -> None:
    header, observations = played
    first = Start(header, SECOND, [])
    first.play(observations, "referee.called")
    second = first.again(FIRST)  # begun later, by a clock that says twenty minutes earlier
    (known,) = second.state()["irregularities"]
    assert known["committed_t"] <= 0.0
