"""Score sheets at the table: confirmed and disputed by line, written on paper, corrected; the log tells all of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hw.observation_json import observation_from_json, observation_to_json
from hw.observation_log import Header, read_log
from hw.observations import Console, Observation, Said
from table_service.events import Event, event_to_json, public
from table_service.games.burraco.fold import TableFold
from table_service.rehearsal.rehearse import rehearse
from table_service.service import disputes
from table_service.table.resuming import newest_round, resumed


@cache
def played(folder: Path) -> tuple[Header, tuple[Observation, ...]]:
    """A round of two deals without faults and without noise."""
    log = folder / "two.jsonl"
    rehearse("fibur2024", 11, log, 2, (), "none")
    header, observations = read_log(log)
    return header, tuple(observations)


class Round:
    """A table to which a round was played; ``end`` gives the moment after its last observation."""

    def __init__(self, folder: Path) -> None:
        self.header, observations = played(folder)
        self.log = list(observations)
        self.table = TableFold(self.header)
        self.events: list[Event] = [event for one in observations for event in self.table.feed(one)]
        self.end = observations[-1].t

    def feed(self, one: Observation) -> list[Event]:
        again = observation_from_json(observation_to_json(one))
        self.log.append(again)
        self.end = one.t
        told = self.table.feed(again)
        self.events += told
        return told

    def says(self, word: str, line: str, event: str) -> list[Event]:
        return self.feed(Said(self.end + 1, None, f"{word}:{line}:{event}"))

    def orders(self, do: str, **fields: Any) -> list[Event]:
        return self.feed(Console(self.end + 1, "Anna", do, fields))

    def score(self, deal: int) -> Event:
        return [one for one in self.events if one.type == "score.counted" and one.deal == deal][-1]

    @property
    def sheets(self) -> dict[str, Any]:
        found: dict[str, Any] = self.table.state()["sheets"]
        return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round")


@pytest.fixture
def round_(folder: Path) -> Round:
    return Round(folder)


def types(events: list[Event]) -> list[str]:
    return [event.type for event in events]


def test_art19_each_line_confirms_the_count_that_it_was_shown(round_: Round) -> None:
    shown = round_.score(1)
    told = round_.says("sheet-ok", "NS", shown.id)
    assert [(one.type, one.line, one.deal) for one in told] == [("sheet.confirmed", "NS", 1)]
    assert round_.sheets["1"]["confirmed"] == {"NS": "display"}
    assert round_.says("sheet-ok", "NS", shown.id) == [], "said twice is said once"
    round_.says("sheet-ok", "EW", shown.id)
    assert round_.sheets["1"]["confirmed"] == {"NS": "display", "EW": "display"}
    assert round_.sheets["2"]["confirmed"] == {}


def test_a_count_that_has_changed_since_is_not_what_was_confirmed(round_: Round) -> None:
    told = round_.says("sheet-ok", "NS", "T1-replay-000001")
    assert [(one.type, one.data.state) for one in told] == [("table.health", "ignored")]
    assert "look at it again" in told[0].data.note
    assert all(not sheet["confirmed"] for sheet in round_.sheets.values())


def test_a_dispute_waits_for_the_arbitro_until_the_line_confirms(round_: Round) -> None:
    shown = round_.score(2)
    assert types(round_.says("sheet-no", "EW", shown.id)) == ["sheet.disputed"]
    waits = disputes(round_.table.state())
    assert list(waits) == ["sheet-2-EW"]
    assert waits["sheet-2-EW"]["call"] is True
    assert waits["sheet-2-EW"]["line"] == "EW"
    assert round_.says("sheet-no", "EW", shown.id) == []
    round_.says("sheet-ok", "EW", shown.id)
    assert disputes(round_.table.state()) == {}


def test_what_is_written_on_paper_is_kept_beside_the_count_and_changes_nothing(round_: Round) -> None:
    before = round_.table.state()["score"]
    lines = {"NS": {"base": 400, "points": 155}, "EW": {"total": -35}}
    told = round_.orders("sheet-written", deal=1, lines=lines, signed=["NS", "EW"])
    assert types(told) == ["sheet.written", "sheet.confirmed", "sheet.confirmed"]
    assert told[0].data.lines == lines
    assert [(one.data.how, one.data.by) for one in told[1:]] == [("paper", "Anna")] * 2
    assert round_.table.state()["score"] == before


def test_art20_a_correction_of_an_earlier_deal_changes_the_rounds_result_and_is_to_be_confirmed_anew(
    round_: Round,
) -> None:
    first = round_.score(1)
    ended = [one for one in round_.events if one.type == "round.ended"]
    for line in ("NS", "EW"):
        round_.says("sheet-ok", line, first.id)
    old = first.data.lines["NS"]["items"]["hand"]
    before = round_.table.state()["score"]["running"]["NS"]
    told = round_.orders(
        "sheet-correct", deal=1, lines={"NS": {"hand": old - 60}}, reason="contata male", agreed=["EW"]
    )
    corrected = told[0]
    assert corrected.type == "sheet.corrected"
    assert corrected.data.changes == ({"line": "NS", "item": "hand", "old": old, "new": old - 60},)
    assert (corrected.data.by, corrected.data.reason, corrected.data.agreed) == ("Anna", "contata male", ("EW",))
    again = told[1]
    assert (again.type, again.deal, again.data.supersedes) == ("score.counted", 1, first.id)
    assert again.data.lines["NS"]["items"]["hand"] == old - 60
    assert again.data.camera == first.data.camera, "what was seen stays what was seen"
    assert round_.table.state()["score"]["running"]["NS"] == before - 60
    assert round_.sheets["1"]["confirmed"] == {}
    assert round_.sheets["1"]["corrected"] == ["NS.hand"]
    if ended:
        assert told[-1].type == "round.ended"
        assert told[-1].data.supersedes == ended[-1].id
        shift = told[-1].data.match_points["NS"] - ended[-1].data.match_points["NS"]
        assert shift == -60
    assert (
        again.data.match_points["NS"]
        == round_.table.state()["score"]["running"]["NS"] - (round_.table.state()["score"]["running"]["EW"])
    )


def test_a_correction_stays_when_the_deal_is_counted_again_and_can_be_taken_back(round_: Round) -> None:
    first = round_.score(2)
    old = first.data.lines["EW"]["items"]["melds"]
    round_.orders("sheet-correct", deal=2, lines={"EW": {"melds": old + 15}}, reason="una carta")
    round_.orders("bonus", line="EW", points=50)
    again = round_.score(2)
    assert again.data.lines["EW"]["items"]["melds"] == old + 15
    assert again.data.lines["EW"]["total"] == first.data.lines["EW"]["total"] + 15 + 50
    round_.orders("sheet-correct", deal=2, lines={"EW": {"melds": None}}, reason="non era così")
    last = round_.score(2)
    assert last.data.lines["EW"]["items"]["melds"] == old
    assert round_.sheets["2"]["corrected"] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"deal": 9, "lines": {"NS": {"hand": 1}}, "reason": "x"},
        {"deal": 1, "lines": {"NS": {"hand": 1}}},
        {"deal": 1, "lines": {"NS": {"hand": "1"}}, "reason": "x"},
        {"deal": 1, "lines": {"N": {"hand": 1}}, "reason": "x"},
        {"deal": 1, "lines": {"NS": {"base": 1}}, "reason": "x"},
        {"deal": 1, "lines": {"NS": {"hand": 10**9}}, "reason": "x"},
        {"deal": True, "lines": {"NS": {"hand": 1}}, "reason": "x"},
        {"deal": 1, "lines": {}, "reason": "x"},
        {"deal": 1, "lines": {"NS": {"hand": 1}}, "reason": "x", "score": "T1-of-another-round"},
        {"deal": 1, "lines": [1], "reason": "x"},
    ],
)
def test_a_correction_that_makes_no_sense_is_ignored_and_said_so(round_: Round, fields: dict[str, Any]) -> None:
    before = round_.table.state()["score"]
    told = round_.orders("sheet-correct", **fields)
    assert [(one.type, one.data.state) for one in told] == [("table.health", "ignored")]
    assert round_.table.state()["score"] == before


def test_a_sheet_that_nobody_could_count_is_settled_by_its_total(round_: Round) -> None:
    sheet = round_.table.table.sheets.by_deal[2]
    sheet.counted = {line: {"items": dict.fromkeys(own["items"]), "total": None} for line, own in sheet.counted.items()}
    told = round_.orders(
        "sheet-correct", deal=2, lines={"NS": {"total": 505}, "EW": {"total": -20}}, reason="dallo score"
    )
    assert told[1].data.lines["NS"]["total"] == 505
    assert set(told[1].data.lines["NS"]["items"].values()) == {None}


def test_the_log_with_sheets_in_it_replays_to_the_same_events(round_: Round) -> None:
    shown = round_.score(1)
    round_.says("sheet-no", "NS", shown.id)
    round_.orders("sheet-correct", deal=1, lines={"NS": {"bonus": 100}}, reason="bonus dimenticato")
    round_.says("sheet-ok", "NS", round_.score(1).id)
    again = TableFold(round_.header)
    assert [e for one in round_.log for e in again.feed(one)] == round_.events
    assert again.state() == round_.table.state()


def test_the_next_round_begins_with_no_sheets(round_: Round) -> None:
    round_.orders("start-round", deals=2)
    assert round_.sheets == {}
    told = round_.orders("sheet-correct", deal=1, lines={"NS": {"hand": 1}}, reason="tardi")
    assert told[0].data.state == "ignored"


def restarted(round_: Round, events: list[Event]) -> Round:
    """The same table after a restart, with what its journal tells of the round; its log replays alone."""
    told = newest_round([event_to_json(public(one)) for one in events])
    again = Round.__new__(Round)
    again.header, again.log, again.end = resumed(round_.header, told), [], 0.0
    again.table = TableFold(again.header)
    again.events = list(again.table.drain())
    return again


def test_a_bonus_given_after_a_restart_stands_on_the_last_sheet_where_no_further_deal_follows(round_: Round) -> None:
    first = round_.score(2)
    ended = [one for one in round_.events if one.type == "round.ended"]
    again = restarted(round_, round_.events)
    told = again.orders("bonus", line="EW", points=50)
    counted = [one for one in told if one.type == "score.counted"]
    assert [(one.deal, one.data.supersedes) for one in counted] == [(2, first.id)]
    new, old = counted[0].data, first.data
    assert new.lines["EW"]["items"]["bonus"] == old.lines["EW"]["items"]["bonus"] + 50
    assert new.lines["EW"]["total"] == old.lines["EW"]["total"] + 50
    assert new.lines["NS"] == old.lines["NS"]
    assert new.camera["EW"]["items"]["bonus"] == new.ledger["EW"]["items"]["bonus"] == 50
    assert new.match_points["EW"] == old.match_points["EW"] + 50
    assert [one.data.match_points["EW"] for one in told if one.type == "round.ended"] == (
        [ended[-1].data.match_points["EW"] + 50] if ended else []
    )
    more = again.orders("bonus", line="EW", points=-20)
    assert again.score(2).data.lines["EW"]["total"] == old.lines["EW"]["total"] + 30
    assert len([one for one in more if one.type == "score.counted"]) == 1

    third = restarted(round_, [*round_.events, *again.events])
    third.orders("bonus", line="EW", points=5)
    assert third.score(2).data.lines["EW"]["total"] == old.lines["EW"]["total"] + 35


def test_a_bonus_after_a_restart_waits_for_the_next_deal_where_the_last_one_is_unknown(round_: Round) -> None:
    begun = next(n for n, one in enumerate(round_.events) if one.type == "deal.started" and one.deal == 2)
    lost = restarted(round_, round_.events[: begun + 3])
    assert lost.score(2).data.lines["NS"]["items"]["bonus"] is None
    told = lost.orders("bonus", line="NS", points=50)
    assert [one.type for one in told] == ["table.health"], "of a round of two deals none can follow: it is said"
    assert "the sheet of deal 2 is not known" in told[0].data.note
