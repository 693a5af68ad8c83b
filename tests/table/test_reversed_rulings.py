"""A ruling of an earlier deal is reversed at a running table: what that changes is shown first, and is what is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pytest

from hw.observation_log import Header
from hw.observations import Console, Observation
from hw.seats import Line
from table_service.events import Event, event_to_json
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import open_fold
from table_service.table.fold_bytes import SnapshotError

WARNING = ("fibur2024", "F-21a", "")
POINTS = ("tarocco", "T12", "points")
DECLARED = "F-P3"


@lru_cache
def rehearsed(rules: str, row: str) -> tuple[Header, tuple[Observation, ...]]:
    round_ = prepare(rules, 7, 2, (row,))
    return round_.header, tuple(round_.observations())


@dataclass
class Round:
    """A rehearsed round of two deals; what is found in the first one is ruled at once."""

    fold: Any
    key: str = ""
    t: float = 0.0
    told: list[Event] = field(default_factory=list)

    def order(self, do: str, **fields: Any) -> tuple[str, Any, list[Event]]:
        told = self.fold.feed(Console(self.t, "Anna", do, fields))
        (answer,) = (one for one in self.fold.answers() if one.order.do == do)
        return answer.why, answer.foreseen, told

    def figures(self) -> dict[str, Any]:
        """All that a reversal may change, as the changes name it."""
        state, book = self.fold.table.round, self.fold.table.referee.book
        found: dict[str, Any] = {}
        for line in Line:
            found |= {
                f"running {line}": state.scores.running[line],
                f"warnings {line}": book.warned(line),
                f"deduction {line}": book.deductions()[line],
                f"match_points {line}": state.results()[line].mp,
                f"victory_points {line}": state.results()[line].vp,
            }
        for deal, sheet in self.fold.table.sheets.by_deal.items():
            for line, own in sheet.data.lines.items():
                found[f"total {line} {deal}"] = own["total"]
                found |= {f"item {line} {deal} {name}": value for name, value in own["items"].items()}
            found |= {f"confirmed {line} {deal}": line in sheet.confirmed for line in Line}
        return found


def played(case: tuple[str, str, str], *, reverse_at_once: bool = False) -> Round:
    rules, row, option = case
    header, observations = rehearsed(rules, row)
    round_ = Round(open_fold(header))
    for one in observations:
        if reverse_at_once and isinstance(one, Console) and one.do == "deal" and round_.key:
            round_.told += round_.fold.feed(Console(one.t, "Anna", "dismiss", {"key": round_.key}))
        told = round_.fold.feed(one)
        for event in told:
            is_open = (
                event.type == "irregularity" and event.deal == 1 and event_to_json(event)["data"]["state"] == "open"
            )
            if is_open and not round_.key:
                round_.key = event_to_json(event)["data"]["key"]
                chosen = {"option": option} if option else {}
                told = [*told, *round_.fold.feed(Console(one.t, "Anna", "rule", {"key": round_.key, **chosen}))]
        round_.told += told
        round_.t = one.t
    round_.fold.answers()
    return round_


def named(change: dict[str, Any]) -> str:
    return " ".join(str(change[name]) for name in ("what", "line", "deal", "item") if change.get(name) is not None)


@pytest.mark.parametrize("case", [WARNING, POINTS], ids=lambda case: str(case[1]))
def test_what_is_foreseen_is_what_is_done_and_what_the_event_reports(case: tuple[str, str, str]) -> None:
    round_ = played(case)
    before = round_.figures()
    why, foreseen, told = round_.order("foresee", key=round_.key)
    assert (why, told) == ("", []), "to ask changes nothing"
    assert round_.figures() == before
    why, _, told = round_.order("dismiss", key=round_.key, note="ricorso accolto", score=foreseen["score"])
    assert why == ""
    after = round_.figures()
    changed = {name: (before[name], after[name]) for name in before if before[name] != after[name]}
    assert changed == {named(one): (one["old"], one["new"]) for one in foreseen["changes"]}
    assert changed
    (event,) = (one for one in told if one.type == "ruling.reversed")
    data = event_to_json(event)["data"]
    assert (event.deal, data["by"], data["reason"], data["key"]) == (1, "Anna", "ricorso accolto", round_.key)
    assert data["changes"] == foreseen["changes"]
    (lifted,) = (one for one in told if one.type == "irregularity")
    assert (lifted.deal, event_to_json(lifted)["data"]["state"]) == (1, "dismissed")


@pytest.mark.parametrize("case", [WARNING, POINTS], ids=lambda case: str(case[1]))
def test_a_late_reversal_leaves_the_round_as_one_made_before_the_next_deal(case: tuple[str, str, str]) -> None:
    late, at_once = played(case), played(case, reverse_at_once=True)
    assert late.figures() != at_once.figures()
    assert late.order("dismiss", key=late.key)[0] == ""
    assert late.figures() == at_once.figures()


def test_a_sheet_whose_figures_change_is_to_be_confirmed_anew_and_that_is_foreseen() -> None:
    round_ = played(POINTS)
    sheet = round_.fold.table.sheets.by_deal[1]
    none: dict[str, Any] = {line: {"total": own["total"]} for line, own in sheet.data.lines.items()}
    assert round_.order("sheet-written", deal=1, lines=none, signed=["NS", "EW"])[0] == ""
    _, foreseen, _ = round_.order("foresee", key=round_.key)
    anew = [one["line"] for one in foreseen["changes"] if one["what"] == "confirmed"]
    assert anew == ["NS", "EW"]
    round_.order("dismiss", key=round_.key)
    assert round_.fold.table.sheets.by_deal[1].confirmed == {}
    assert round_.fold.table.sheets.by_deal[2].data.lines != {}


def test_an_order_that_cannot_be_followed_says_why_and_changes_nothing() -> None:
    round_ = played(POINTS)
    before = round_.figures()
    assert (
        "no ruling of an earlier deal of this round has the key 'r1d1-99'" in round_.order("foresee", key="r1d1-99")[0]
    )
    assert round_.order("dismiss", key="r1d1-99")[0]
    assert "is of another round" in round_.order("foresee", key="r7d1-1")[0]
    assert "has changed since it was shown" in round_.order("dismiss", key=round_.key, score="T1-replay-000001")[0]
    assert round_.figures() == before
    assert round_.order("dismiss", key=round_.key)[0] == ""
    after = round_.figures()
    assert "has been reversed already" in round_.order("dismiss", key=round_.key)[0]
    assert "has been reversed already" in round_.order("foresee", key=round_.key)[0]
    assert round_.figures() == after
    round_.fold.feed(Console(round_.t, "Anna", "start-round", {"deals": 2}))
    assert "is of another round" in round_.order("foresee", key=round_.key)[0]


def test_where_nobody_knows_what_the_deal_counts_for_without_it_its_figures_are_doubtful(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_copy(_fold: Any) -> Any:
        raise SnapshotError("a game from outside has a state that cannot be written")

    monkeypatch.setattr("table_service.table.game_fold.copied", no_copy)
    round_ = played(("fibur2024", "F-24a", ""))
    _, foreseen, _ = round_.order("foresee", key=round_.key)
    doubtful = {f"{one['line']}.{one['item']}" for one in foreseen["changes"] if one["what"] == "doubtful"}
    assert doubtful
    round_.order("dismiss", key=round_.key)
    assert doubtful <= set(round_.fold.table.sheets.by_deal[1].doubtful)
    assert not set(round_.fold.table.sheets.by_deal[2].doubtful) & doubtful


def test_a_situation_that_was_declared_is_lifted_in_a_later_deal_from_the_sheet_of_its_own() -> None:
    header, observations = rehearsed("fibur2024", "F-21a")
    late, at_once = Round(open_fold(header)), Round(open_fold(header))
    for round_ in (late, at_once):
        for one in observations:
            if isinstance(one, Console) and one.do == "deal" and round_.fold.table.round.number == 1:
                (round_.key,) = {share.key for share in round_.fold.table.referee.book.awards}
                if round_ is at_once:
                    round_.fold.feed(Console(one.t, "Anna", "dismiss", {"key": round_.key}))
            round_.fold.feed(one)
            round_.t = one.t
            if isinstance(one, Console) and one.do == "start-play" and round_.fold.table.round.number == 1:
                assert round_.order("rule", row=DECLARED, line="EW", points=-120)[0] == ""
        round_.fold.answers()
    assert late.figures() != at_once.figures()
    why, foreseen, told = late.order("foresee", key=late.key)
    assert (why, told) == ("", [])
    assert {one["deal"] for one in foreseen["changes"] if one["what"] == "item"} == {1}
    why, _, told = late.order("dismiss", key=late.key)
    assert why == ""
    assert late.figures() == at_once.figures(), "the bonus is off the first deal's sheet, and on no other"
    assert "irregularity" not in {one.type for one in told}, "it was none"
    assert [one.deal for one in told if one.type == "ruling.reversed"] == [1]
    assert "has been reversed already" in late.order("dismiss", key=late.key)[0]
