"""A session's plan: kept as JSON, and a pair that comes late meets nobody and has no board twice."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from table_service.tournament import NoSeatingError, SessionPlan, offers, plan_of, planned


def sound(plan: SessionPlan) -> bool:
    met, had = Counter[frozenset[str]](), Counter[tuple[str, int]]()
    for number in range(1, plan.rounds + 1):
        seating, boards = plan.seating(number), plan.boards(number)
        seated = [one for meeting in seating.meetings for one in (meeting.ns, meeting.ew)]
        assert len(set(seated)) == len(seated)
        for meeting in seating.meetings:
            met[meeting.both] += 1
            own = boards[plan.places[meeting.table - 1]]
            had.update((name, board) for name in meeting.both for board in own)
    return set(met.values()) == set(had.values()) == {1}


@pytest.mark.parametrize("pairs", range(5, 19))
def test_a_late_pair_meets_nobody_twice_in_any_movement(pairs: int) -> None:
    entries, places = [f"P{n}" for n in range(1, pairs + 1)], [f"T{n}" for n in range(1, 11)]
    taken = 0
    for offer in offers(pairs, 24):
        plan = planned(offer, entries, places)
        assert sound(plan)
        assert plan_of(json.loads(json.dumps(plan.as_json()))) == plan
        try:
            late = plan.with_late("late", 2)
        except NoSeatingError:
            continue
        taken += 1
        assert sound(late)
        assert late.seating(1).meetings == plan.seating(1).meetings
        assert all("late" in late.seating(n).entries for n in range(2, late.rounds + 1))
    assert taken


def test_what_cannot_be_is_said() -> None:
    (first, *_) = offers(6, 12)
    with pytest.raises(NoSeatingError, match="3 tables"):
        planned(first, "ABCDEF", ["T1", "T2"])
    plan = planned(first, "ABCDEF", ["T1", "T2", "T3"])
    with pytest.raises(NoSeatingError):
        plan.seating(plan.rounds + 1)
    assert plan.boards(0) == {}
