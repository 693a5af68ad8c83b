"""What a kind of duty answers to: how the table sees that it is kept, and what carries it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hw.seats import Seat
from table_service.games.burraco.referee.findings import Finding
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.referee.values import Sanction


@dataclass(frozen=True, slots=True)
class Look:
    """An action with the deal before and after it; ``who`` acts, or is taken to act where nobody saw."""

    before: Deal
    action: act.Action
    after: Deal
    who: Seat
    owed: tuple[Sanction, ...] = ()
    """All that is owed."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Nothing that concerns the duty, or a part of it done: ``sanction`` is what is owed from now on."""

    sanction: Sanction


@dataclass(frozen=True, slots=True)
class Served:
    """The duty is done; ``findings`` follow from it."""

    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Broken:
    """The duty was not kept; ``reason`` says how, in a few English words."""

    reason: str


@dataclass(frozen=True, slots=True)
class Lapsed:
    """Nothing is owed any more, and nobody has failed to do it."""


Verdict = Kept | Served | Broken | Lapsed
Watch = Callable[[Sanction, Look], Verdict]
Carries = Callable[[Sanction, act.Action], bool]


def carries_nothing(_one: Sanction, _action: act.Action) -> bool:
    """No act carries it out that would look like a fault."""
    return False


@dataclass(frozen=True, slots=True)
class Family:
    """The duties called ``names``.

    ``watch``: what an action means for one of them. ``carries``: whether an action does what was ordered, so that it is
    no new fault. ``by_turn``: it comes into force with the next turn of who owes it.
    """

    names: tuple[str, ...]
    watch: Watch
    carries: Carries = carries_nothing
    by_turn: bool = False
