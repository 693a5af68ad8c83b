"""After the table's restart, and after a sheet was corrected, a match of tarocco stands as its sheets say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from hw.observation_log import Header
from hw.observations import Console, Health, Observation
from hw.seats import Line, Seat
from table_service import rulesets
from table_service.events import Event, event_to_json, public
from table_service.games.tarocco.fold.game import Tarocco
from table_service.games.tarocco.fold.match_standing import match_told
from table_service.games.tarocco.rules.match import Match
from table_service.rehearsal.rehearse import prepare
from table_service.table.game_fold import GameFold
from table_service.table.resuming import as_begun, newest_round, resumed

STARTS = ("00003e", "00003f", "000040")


@cache
def played() -> tuple[Header, tuple[Observation, ...]]:
    """Two clean deals, the piles counted."""
    rehearsal = prepare("tarocco", 1900000001, 2, noise="none")
    return rehearsal.header, tuple(rehearsal.observations())


class Start:
    """One start of a table, which goes on with what the starts before it told."""

    def __init__(self, header: Header, number: int = 0, before: Iterable[dict[str, Any]] = ()) -> None:
        self.number, self.all, self.t = number, list(before), 0.0
        self.plain = replace(header, started=f"2026-11-22T1{5 + number}:00:00Z")
        begun = resumed(self.plain, newest_round(self.all))
        begun = replace(begun, options={**begun.options, "boot": STARTS[number]})
        fold = rulesets.open_fold(begun, STARTS[number])
        assert isinstance(fold, GameFold)
        self.fold: GameFold[Tarocco] = fold
        self._keep(fold.drain())

    def _keep(self, events: Iterable[Event]) -> list[dict[str, Any]]:
        fresh = [json.loads(json.dumps(event_to_json(public(event)))) for event in events]
        self.all += fresh
        return fresh

    def feed(self, one: Observation) -> list[dict[str, Any]]:
        """Take one observation."""
        self.t = one.t
        return self._keep(self.fold.feed(one))

    def play(self, observations: Iterable[Observation], until: str, deal: int) -> None:
        """Feed up to the event ``until`` of ``deal``."""
        for one in observations:
            if any((event["type"], event["deal"]) == (until, deal) for event in self.feed(one)):
                return
        pytest.fail(f"never told: {until}")

    def order(self, do: str, **fields: Any) -> list[dict[str, Any]]:
        self.t += 20.0
        return self._keep(self.fold.feed(Console(self.t, "Anna", do, fields)))

    @property
    def match(self) -> dict[str, Any]:
        return dict(self.fold.state()["match"])

    def again(self) -> Start:
        return Start(self.plain, self.number + 1, self.all)


def test_points_deals_won_and_begati_of_a_match_are_known_after_a_restart() -> None:
    header, observations = played()
    first = Start(header)
    first.play(observations, "score.counted", 1)
    before = first.match
    assert sum(before["begati"].values()) == 1
    assert None not in before["total"].values()
    assert first.again().match == before
    assert first.again().again().match == before


def test_an_ottocento_goes_on_as_one_after_a_restart() -> None:
    header, observations = played()
    chosen = {"form": "ottocento", "must_trump": False, "last_trick_with_scartini": True}
    first = Start(replace(header, options={**header.options, **chosen}))
    first.play(observations, "deal.started", 1)
    known = rulesets.rule_set("tarocco").options
    begun, said = as_begun(header, newest_round(first.all), known)
    assert said == "the round goes on as it began: form=ottocento"
    later = Start(begun, 1, first.all)
    assert later.match["form"] == "ottocento"
    options = later.fold.game.options
    assert (options.must_trump, options.last_trick_with_scartini, options.misdeals_together) == (False, True, False)


def test_who_has_rightly_called_out_has_won_after_a_restart_too() -> None:
    header, observations = played()
    first = Start(replace(header, options={**header.options, "form": "ottocento"}))
    first.play(observations, "score.counted", 1)
    assert first.match["is_over"] is False
    newest = [one for one in first.all if one["type"] == "score.counted"][-1]
    newest["data"]["match"] = match_told(Match("ottocento", (), called_out=Line.EW))
    later = first.again()
    assert (later.match["is_over"], later.match["winner"], later.match["decided_by"]) == (True, "EW", "called-out")
    assert later.again().match == later.match


def test_a_corrected_sheet_counts_in_the_match() -> None:
    header, observations = played()
    table = Start(header)
    table.play(observations, "score.counted", 1)
    before = table.match
    items = table.fold.table.sheets.by_deal[1].data.lines["NS"]["items"]
    corrected = {"NS": {"scartini": items["scartini"] + 500}}
    table.order("sheet-correct", deal=1, lines=corrected, reason="counted again")
    for start in (table, table.again()):
        assert start.match["total"]["NS"] == before["total"]["NS"] + 500
        assert start.match["total"]["EW"] == before["total"]["EW"]
        assert start.match["deals_won"] == {"NS": 1, "EW": 0}
        assert start.match["begati"] == before["begati"]


def test_points_given_after_a_restart_stand_on_the_last_sheet_where_no_further_deal_follows() -> None:
    header, observations = played()
    first = Start(header)
    for one in observations:
        first.feed(one)
    (deal,) = {one["deal"] for one in first.all if one["type"] == "score.counted"} - {1}
    old = first.fold.table.sheets.by_deal[deal].data.lines
    again = first.again()
    told = again.order("bonus", line="EW", points=-50)
    counted = [one for one in told if one["type"] == "score.counted"]
    assert [one["deal"] for one in counted] == [deal]
    new = counted[0]["data"]
    assert new["lines"]["EW"]["items"]["penalty"] == old["EW"]["items"]["penalty"] - 50
    assert new["lines"]["EW"]["total"] == old["EW"]["total"] - 50
    assert new["lines"]["NS"]["total"] == old["NS"]["total"]
    assert [new[by]["EW"]["items"]["penalty"] for by in ("camera", "ledger")] == [-50, -50]
    third = again.again()
    assert third.match["total"]["EW"] == first.match["total"]["EW"] - 50
    third.order("bonus", line="EW", points=20)
    assert third.match["total"]["EW"] == first.match["total"]["EW"] - 30
    begun = [one for one in third.all if one["type"] == "score.counted" and one["boot"] == STARTS[2]]
    assert len(begun) == 1, "each is told once"


def dealt() -> Start:
    """The first deal lies and is played; nothing of it is counted."""
    header, observations = played()
    table = Start(header)
    table.play(observations, "trick.played", 1)
    return table


@pytest.mark.parametrize(("number", "what"), [(1, "served"), (2, "broken")])
def test_that_cards_are_to_be_dealt_anew_is_owed_after_a_restart(number: int, what: str) -> None:
    table = dealt()
    dealer = table.fold.state()["dealer"]
    assert any(one["type"] == "sanction.imposed" for one in table.order("rule", row="T08", seat=dealer))
    later = table.again()
    assert [one["row"] for one in later.fold.state()["sanctions"]] == ["T08"]
    told = later.order("deal", deal=number, dealer=dealer)
    assert [one["type"] for one in told if one["type"].startswith("sanction.")] == [f"sanction.{what}"]


def test_the_second_misdeal_takes_the_scarto_also_after_a_restart() -> None:
    table = dealt()
    dealer = table.fold.state()["dealer"]
    table.order("rule", row="T08", seat=dealer)
    table.order("deal", deal=1, dealer=dealer)
    later = table.again()
    later.order("deal", deal=1, dealer=dealer)
    assert later.fold.state()["scartatore"] == dealer
    later.order("rule", row="T08", seat=dealer)
    later.order("deal", deal=1, dealer=dealer)
    assert later.fold.state()["scartatore"] not in (None, dealer)


def test_who_was_cautioned_for_a_pause_is_known_after_a_restart() -> None:
    table = dealt()
    table.order("rule", row="T12", seat="N", option="caution")
    table.order("deal", deal=2, dealer="N")
    referee = table.again().fold.game.referee
    assert (referee.way_of_pause(Seat.NORTH), referee.way_of_pause(Seat.EAST)) == ("points", "caution")


def test_piles_that_their_scales_have_counted_again_after_a_gap_are_relied_on() -> None:
    header, observations = played()
    table = Start(header)
    lost = next(one.t for one in observations if one.t > 60.0)
    for one in observations:
        if one.t >= lost and table.t < lost:
            table.feed(Health(lost, "table", "lost", "silent"))
            assert "tricks-NS" in table.fold.state()["unverified"]
            table.feed(Health(lost + 0.01, "table", "ok", ""))
        table.feed(one)
        if one.t > lost + 40.0:
            break
    assert set(table.fold.state()["unverified"]) <= {"scarto"}, "no card ever lay there, so its scale has not spoken"


@pytest.mark.parametrize("lost", [False, True])
def test_t12_a_pause_during_which_nothing_sensed_the_trick_is_nobodys(*, lost: bool) -> None:
    """Cut 206 of round 9910200: a card laid out of turn was taken back meanwhile, and the next player was cautioned."""
    rehearsal = prepare("tarocco", 4500, 1, ("T12",))
    observations = tuple(rehearsal.observations())
    (fault,) = rehearsal.truth().faults
    middle = fault["committed_t"] - 3.0
    table = Start(rehearsal.header)
    for one in observations:
        if lost and table.t < middle <= one.t:
            table.feed(Health(middle, "camera", "reset", "the table was off"))
        table.feed(one)
        if table.t > fault["report_by"]:
            break  # the arbitro may rule on it all the same
    told = {event["data"]["row"] for event in table.all if event["type"] == "irregularity"}
    assert ("T12" in told) is not lost
