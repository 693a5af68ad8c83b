"""An order is answered with what it did: given at random moments of rehearsed deals, in every rule set."""

from __future__ import annotations

from functools import lru_cache

import pytest

from hw.observation_log import Header
from hw.observations import Console, Observation
from table_service.events.orders import LetTimePass
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import open_fold
from tests.sweeps import rest_in_proof
from tools.answered_orders import RULES, Trial, trials

FEW, MANY = 8, 50
FOLDS = ("fibur2024", "tarocco", "bridge")
"""A rule set of each fold: feburit and online have that of fibur2024."""
OTHERS = [rules for rules in RULES if rules not in FOLDS]


@lru_cache
def tried(rules: str, orders: int) -> tuple[Trial, ...]:
    return tuple(trials(rules, 11, orders))


@pytest.mark.parametrize("orders", [FEW, pytest.param(MANY, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("rules", rest_in_proof([*FOLDS, *OTHERS], len(FOLDS)))
def test_each_order_at_a_random_moment_is_answered_with_its_effect(rules: str, orders: int) -> None:
    done = tried(rules, orders)
    assert [one for one in done if not one.is_true] == []
    assert any(one.answer == "" for one in done)
    assert any(one.answer for one in done)


def test_an_order_whose_evidence_is_held_back_is_answered_when_that_is_decided() -> None:
    late = [one for rules in FOLDS for one in tried(rules, FEW) if one.late_s > 0]
    assert late, "at some of these moments something was still being weighed"
    assert {one.answer == "" for one in late} == {True, False}


def answers(*observations: Observation) -> list[tuple[str, str]]:
    fold = open_fold(Header("T1", "fibur2024"))
    for observation in observations:
        fold.feed(observation)
    return [(one.order.do, one.why) for one in fold.answers()]


def console(t: float, do: str, **fields: object) -> Console:
    return Console(t, "arbitro", do, dict(fields))


def test_what_changes_nothing_is_refused_and_what_is_only_partly_followed_is_not() -> None:
    told = answers(
        console(1.0, "start-play"),
        console(2.0, "start-round", deals=2),
        console(3.0, "deal"),
        console(4.0, "start-play"),
        console(5.0, "start-play"),
        console(6.0, "bonus", line="NS", points=0),
        console(7.0, "bonus", line="NS", points=50),
        console(8.0, "said", seat="N", what="abracadabra"),
        console(9.0, "polish", what="the table"),
    )
    assert [(do, not why) for do, why in told] == [
        ("start-play", False),
        ("start-round", True),
        ("deal", True),
        ("start-play", True),
        ("start-play", False),
        ("bonus", False),
        ("bonus", True),
        ("said", False),
        ("polish", False),
    ]


def test_a_refused_order_is_no_visit_of_the_arbitro() -> None:
    fold = open_fold(Header("T1", "fibur2024"))
    for order in (console(1.0, "start-round", deals=2), console(2.0, "deal", dealer="N"), console(3.0, "warn")):
        fold.feed(order)
    assert not fold.table.referee.book.called  # type: ignore[attr-defined]
    fold.feed(console(4.0, "warn", line="NS"))
    assert fold.table.referee.book.called  # type: ignore[attr-defined]


def test_where_nothing_more_is_sensed_time_alone_decides_an_order() -> None:
    rehearsal = prepare("fibur2024", 11, 1)
    fold, waited = open_fold(rehearsal.header), []
    for n, observation in enumerate(rehearsal.observations()):
        fold.feed(observation)
        if n % 40:
            continue
        fold.answers()
        fold.feed(console(observation.t, "dismiss", key="r9d9-9"))
        if fold.answers():
            continue
        passed = 0.0
        while passed < 60.0 and all(one.order.do != "dismiss" for one in fold.answers()):
            passed += 2.0
            fold.feed(console(observation.t + passed, LetTimePass().do))
        waited.append(passed)
        break
    assert waited, "at one of these moments something was still being weighed"
    assert max(waited) <= 20.0
