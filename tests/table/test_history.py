"""The history of a deal: whatever is heard when, its facts are those of the acts in order, and so are the reports."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.seats import SEATS, Seat
from table_service.games.tarocco.fold import course_facts
from table_service.games.tarocco.fold.course import Act as TaroccoAct
from table_service.games.tarocco.fold.course import CountBegins, Course, GateRead, Glimpse
from table_service.games.tarocco.rules.deal import TaroccoDeal
from table_service.service.fold_snapshot import unpacked
from table_service.table.fold_bytes import packed
from table_service.table.history import Facts, History, Reported
from table_service.tracking.movements import Movement


@dataclass(frozen=True, slots=True)
class Put:
    """``number`` is put on heap ``heap``."""

    committed_t: float
    id: int
    heap: int
    number: int


Heaps = tuple[tuple[int, ...], ...]


def after(heaps: Heaps, act: Put) -> tuple[Heaps, Facts[Any]]:
    """A game in which the order matters: the fact of a heap changes with each act, that of an act by those before."""
    own = (*heaps[act.heap], act.number)
    facts: dict[Any, Any] = {("heap", act.heap): own, ("act", act.id): (act.number, heaps[act.heap][-1:])}
    return (*heaps[: act.heap], own, *heaps[act.heap + 1 :]), facts


START: Heaps = ((), (), ())
OPS = st.lists(
    st.tuples(st.sampled_from(("insert", "insert", "remove", "replace", "look", "store")), st.integers(0, 9999)),
    max_size=40,
)


def put(id_: int, seed: int) -> Put:
    return Put(float(seed % 13), id_, seed % 3, seed % 7)


def edit(history: History[Heaps, Put, Any], acts: list[Put], do: str, id_: int, seed: int) -> None:
    """One edit of ``history``, and the same of ``acts``, which are sorted by date in the order in which they came."""
    old = acts[seed % len(acts)] if acts else None
    if do == "insert":
        acts.append(put(id_, seed))
        history.insert(acts[-1])
    elif old is not None and do == "remove":
        acts.remove(old)
        history.remove(old)
    elif old is not None and do == "replace":
        new = replace(put(id_, seed), committed_t=old.committed_t if seed % 2 else float(seed % 13))
        history.replace(old, new)
        place = acts.index(old)
        acts[place : place + 1] = [new] if new.committed_t == old.committed_t else []
        acts += [] if new.committed_t == old.committed_t else [new]
    acts.sort(key=lambda one: one.committed_t)


def folded(acts: list[Put]) -> tuple[Heaps, dict[Any, Any]]:
    deal, facts = START, dict[Any, Any]()
    for act in acts:
        deal, more = after(deal, act)
        for key, fact in more.items():
            facts.pop(key, None)
            facts[key] = fact
    return deal, facts


@dataclass
class Paper:
    """Writes reports down: those that stand, by number."""

    standing: dict[int, Any] = field(default_factory=dict)
    given: int = 0
    said: list[str] = field(default_factory=list)

    def report(self, fact: Any) -> int:
        self.given += 1
        self.standing[self.given] = fact
        self.said.append(f"+{fact}")
        return self.given

    def correct(self, name: int, was: Any, fact: Any) -> int:
        assert self.standing[name] == was != fact
        self.standing[name] = fact
        self.said.append(f"{was}>{fact}")
        return name

    def retract(self, name: int, fact: Any) -> None:
        assert self.standing.pop(name) == fact
        self.said.append(f"-{fact}")


@given(OPS, st.integers(1, 6))
def test_whatever_is_heard_when_the_deal_and_its_facts_are_those_of_the_acts_in_order(
    ops: list[tuple[str, int]], every: int
) -> None:
    history, acts = History(START, after, every), list[Put]()
    for id_, (do, seed) in enumerate(ops):
        if do == "look":
            assert history.deal == folded(acts)[0]
        elif do == "store":
            history = pickle.loads(pickle.dumps(history))  # noqa: S301 - made here
        else:
            edit(history, acts, do, id_, seed)
    assert list(history) == acts
    assert (history.deal, list(history.facts.items())) == (folded(acts)[0], list(folded(acts)[1].items()))


@given(OPS)
def test_what_is_reported_less_what_is_retracted_are_the_facts_that_hold(ops: list[tuple[str, int]]) -> None:
    history, acts, paper = History(START, after), list[Put](), Paper()
    reported: Reported[Any, int] = Reported(paper)
    for id_, (do, seed) in enumerate(ops):
        if do == "store":
            reported, paper = pickle.loads(pickle.dumps((reported, paper)))  # noqa: S301 - made here
        else:
            edit(history, acts, do, id_, seed)
        if do != "look":  # several edits are reported at once
            reported.compare(history.facts)
            assert sorted(paper.standing.values(), key=repr) == sorted(history.facts.values(), key=repr)
            said = len(paper.said)
            reported.compare(history.facts)
            assert len(paper.said) == said


def test_a_retraction_comes_first_then_what_is_otherwise_in_the_order_in_which_it_came_to_be_so() -> None:
    paper = Paper()
    reported: Reported[Any, int] = Reported(paper)
    history = History(START, after)
    first, second = Put(1.0, 1, 0, 5), Put(2.0, 2, 0, 6)
    history.insert(first)
    history.insert(second)
    reported.compare(history.facts)
    history.remove(first)
    paper.said.clear()
    reported.compare(history.facts)
    assert paper.said == ["-(5, ())", "(5, 6)>(6,)", "(6, (5,))>(6, ())"]


def test_an_act_that_is_late_by_a_little_folds_a_few_acts_again_not_the_deal() -> None:
    folds = [0]

    def counted(heaps: Heaps, act: Put) -> tuple[Heaps, Facts[Any]]:
        folds[0] += 1
        return after(heaps, act)

    history = History(START, counted, every=16)
    for n in range(200):
        history.insert(Put(float(n), n, n % 3, n % 7))
    assert len(history.deal) == 3
    folds[0] = 0
    history.insert(Put(197.5, 999, 0, 1))
    assert len(history.deal) == 3
    assert folds[0] <= 17 + 3


def test_an_act_that_never_was_there_cannot_be_taken_away() -> None:
    history = History(START, after)
    with pytest.raises(ValueError, match="not in list"):
        history.remove(Put(1.0, 1, 0, 5))


CARDS = st.sampled_from(("KC", "QC", "t20", "m1", "m2", "mat", "beg", "6D", "7S", "??"))
TIMES = st.integers(0, 60).map(float)
WAYS = (("hand-N", "trick"), ("trick", None), ("trick", "tricks-NS"), ("hand-E", "side-E"), ("side-E", None))
MOVES = st.builds(
    lambda id_, t, cards, way, seat: Movement(id_, t, t, tuple(cards), way[0], way[1], seat, 0.98, ("sight", "reach")),
    st.integers(1, 10_000),
    TIMES,
    st.lists(CARDS, min_size=1, max_size=4),
    st.sampled_from(WAYS),
    st.sampled_from((*SEATS, None)),
)
ACTS = st.lists(
    st.one_of(
        MOVES,
        MOVES,
        st.builds(GateRead, TIMES, st.sampled_from(SEATS), CARDS),
        st.builds(Glimpse, TIMES, st.sampled_from(SEATS), CARDS),
        st.builds(CountBegins, TIMES),
    ),
    max_size=25,
    unique_by=lambda act: act.committed_t,
)


@given(ACTS, st.randoms(use_true_random=False))
def test_a_deal_of_tarocco_is_the_same_in_whatever_order_its_acts_are_heard(acts: list[TaroccoAct], order: Any) -> None:
    start = Course(TaroccoDeal.dealt(Seat.EAST).with_scarto(2))
    in_turn: History[Course, TaroccoAct, course_facts.Fact] = History(start, course_facts.after)
    for act in sorted(acts, key=lambda one: one.committed_t):
        in_turn.insert(act)
    history = History(start, course_facts.after, every=3)
    heard = list(acts)
    order.shuffle(heard)
    for act in heard:
        history.insert(act)
        if order.random() < 0.5:
            assert isinstance(history.deal, Course)
        if order.random() < 0.1:
            history = unpacked(packed(history))
    assert (history.deal, history.facts) == (in_turn.deal, in_turn.facts)
