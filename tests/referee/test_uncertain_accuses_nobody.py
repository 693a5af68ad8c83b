"""What is uncertain accuses nobody in any game: rehearsed rows, with all that the table's sensors move badly seen."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import table_service.games
from hw.observations import Observation, Sight
from table_service.rehearsal.game_rehearsal import RehearsalError, rehearsal_of
from table_service.rehearsal.prove import table_fold
from table_service.rehearsal.rehearse import Rehearsal, prepare
from table_service.tracking.movements import Movement, RowChanged, Track
from table_service.tracking.tracker import Tracker
from tests.sweeps import rest_in_proof

UNSURE = 0.6
"""More likely than not, and no more."""
BY_WEIGHT = frozenset(("T09", "B-03", "B-04b", "B-04c", "B-18", "F-04d", "F-05a", "F-04f", "F-04k", "F-23c"))
"""Rows that rest on the mean of what scales say of whole hands and stacks, not on how well a movement was seen."""
OF_EACH_JUDGE = {
    "fibur2024": ("F-31a", "F-24a", "F-33", "F-25b", "F-26a", "F-27a", "F-23b", "F-29b", "F-08a"),
    "feburit": ("B-10f", "B-10c"),
    "online": ("O-28",),
    "bridge": ("law-61", "FIGB-7", "FIGB-4", "law-55", "law-50D2"),
}
"""A row of every judge; those of tarocco are all in ``tests/games/tarocco/test_uncertain_accuses_nobody.py``."""
PLAYED = ("F-31a", "F-24a", "F-33", "B-10f", "O-28", "law-61", "FIGB-7")
"""Those that `make test` plays: the bound itself stands once, in the ledger, and every judge reports through it."""
EVERY_ROW = [(rules, name) for rules in OF_EACH_JUDGE for name, kind in rehearsal_of(rules).kinds.items() if kind.told]
NAMES_NOBODY_SURELY = {
    "burraco/fold/action_clock.py": "the clock's word, a note",
    "burraco/fold/pack_faults.py": "names no offender",
}
"""Where a game reports a fact that has no confidence of its own."""


def first_with(rules: str, row: str) -> Rehearsal:
    """The first rehearsal whose deal can have a fault of ``row``."""
    for seed in range(5400, 5500):
        try:
            return prepare(rules, seed, 1, (row,))
        except RehearsalError:  # the cards of this seed do not allow it
            continue
    raise AssertionError(f"no deal of a hundred allows {row}")


def accusations(monkeypatch: pytest.MonkeyPatch, rules: str, row: str) -> list[Any]:
    """What the table alleges by itself in a rehearsed deal with ``row`` of which nothing was seen well."""
    fed = Tracker.feed

    def feed(tracker: Tracker, observation: Observation) -> list[Track]:
        return [
            replace(track, confidence=min(track.confidence, UNSURE))
            if isinstance(track, Movement | RowChanged)
            else track
            for track in fed(tracker, observation)
        ]

    monkeypatch.setattr(Tracker, "feed", feed)
    rehearsal = first_with(rules, row)
    fold = table_fold(rehearsal.header)
    found = [event for one in rehearsal.observations() for event in fold.feed(badly_seen(one, rules))] + fold.close()
    told = [event for event in found if event.type == "irregularity" and "console" not in event.basis]
    return [event for event in told if event.data.row not in BY_WEIGHT and event.data.state in ("open", "healed")]


def badly_seen(observation: Observation, rules: str) -> Observation:
    """A picture of a table of bridge, which reads its cards without movements, with every card badly read."""
    if not isinstance(observation, Sight) or rules != "bridge":
        return observation
    cards = tuple(replace(card, confidence=min(card.confidence, UNSURE)) for card in observation.cards)
    return replace(observation, cards=cards)


@pytest.mark.slow(10)
@pytest.mark.parametrize(
    ("rules", "row"),
    rest_in_proof(
        sorted(
            ((rules, row) for rules, rows in OF_EACH_JUDGE.items() for row in rows),
            key=lambda judged: judged[1] not in PLAYED,
        ),
        len(PLAYED),
    ),
)
def test_no_judge_says_more_than_a_note_where_nothing_was_seen_well(
    monkeypatch: pytest.MonkeyPatch, rules: str, row: str
) -> None:
    assert {event.data.severity for event in accusations(monkeypatch, rules, row)} <= {"note"}


@pytest.mark.sweep
@pytest.mark.parametrize(("rules", "name"), EVERY_ROW)
def test_no_row_that_sensors_tell_is_more_than_a_note_where_nothing_was_seen_well(
    monkeypatch: pytest.MonkeyPatch, rules: str, name: str
) -> None:
    assert {event.data.severity for event in accusations(monkeypatch, rules, name)} <= {"note"}


def test_whoever_reports_a_fact_says_how_well_it_was_seen() -> None:
    """Below a bound the ledger makes a note of it, and accuses no player: of every judge of every game."""
    games = Path(table_service.games.__file__).parent
    for module in games.rglob("*.py"):
        text = module.read_text(encoding="utf-8")
        for call in ast.walk(ast.parse(text)) if "Irregularity(" in text else ():
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Irregularity":
                said = {word.arg: word.value for word in call.keywords}
                where = module.relative_to(games).as_posix()
                assert "confidence" in said or where in NAMES_NOBODY_SURELY, where


def test_what_was_badly_seen_is_told_as_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    told = accusations(monkeypatch, "feburit", "B-10c")
    assert {event.data.likely for event in told} == {True}
