"""Duties imposed by rulings, as state: in force and watched with every action until served, broken or lifted.

A game says in ``Family`` values how an action serves or breaks each kind of duty. A duty that no family knows stays
in force until it is lifted: nothing at the table can show it, and the arbitro keeps it himself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from hw.seats import Rotation, Seat
from table_service.referee.catalogue import DutyRule
from table_service.referee.values import Irregularity, Sanction, SanctionSaid


class Act(Protocol):
    """An action of a game: reported at ``t``, committed at ``committed_t``, both in seconds of the log."""

    @property
    def t(self) -> float: ...  # noqa: D102

    @property
    def committed_t(self) -> float: ...  # noqa: D102


DealT = TypeVar("DealT")
ActT = TypeVar("ActT", bound=Act)


@dataclass(frozen=True, slots=True)
class Look(Generic[DealT, ActT]):
    """An action with the deal before and after it; ``who`` acts, or is taken to act if that was not seen."""

    before: DealT
    action: ActT
    after: DealT
    who: Seat
    owed: tuple[Sanction, ...] = ()
    """All that is owed."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The duty remains: nothing concerned it, or a part was done; ``sanction`` is owed from now on."""

    sanction: Sanction


@dataclass(frozen=True, slots=True)
class Served:
    """The duty is done."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The duty was not kept; ``reason`` says how, in a few English words."""

    reason: str


@dataclass(frozen=True, slots=True)
class Lapsed:
    """The duty ends, and no player has failed in it."""


Verdict = Kept | Served | Broken | Lapsed


def carries_nothing(_one: Sanction, _action: object) -> bool:
    """No act carries it out that would look like a fault."""
    return False


@dataclass(frozen=True, slots=True)
class Family(Generic[DealT, ActT]):
    """The duties called ``names``.

    ``watch``: what an action means for one of them. ``carries``: whether an action does what was ordered, so that it is
    no new fault. ``by_turn``: it comes into force with the next turn of who owes it.
    """

    names: tuple[str, ...]
    watch: Callable[[Sanction, Look[DealT, ActT]], Verdict]
    carries: Callable[[Sanction, ActT], bool] = carries_nothing
    by_turn: bool = False


class Duties(Generic[DealT, ActT]):
    """The duties of one deal that are in force; ``families``: what watches each, by the duty's name."""

    def __init__(self, families: Mapping[str, Family[DealT, ActT]]) -> None:
        self._families = families
        self._sanctions: dict[str, Sanction] = {}

    @property
    def in_force(self) -> tuple[Sanction, ...]:
        """Sanctions that are still owed, oldest first."""
        return tuple(self._sanctions.values())

    def concerns(self, row: int) -> bool:
        """Return True if something is owed about meld ``row``."""
        return any(one.meld == row for one in self._sanctions.values())

    def owing(self, do: str) -> frozenset[Seat]:
        """Return the seats that owe ``do``."""
        return frozenset(one.who for one in self._sanctions.values() if one.duty.do == do)

    def cards_owed(self, do: str) -> dict[Seat, tuple[str, ...]]:
        """Return the cards that each seat owes by ``do``."""
        owed: dict[Seat, tuple[str, ...]] = {}
        for one in self._sanctions.values():
            if one.duty.do == do:
                owed[one.who] = (*owed.get(one.who, ()), *one.cards)
        return owed

    def impose(self, one: Sanction) -> SanctionSaid:
        """``one`` comes into force."""
        self._sanctions[one.key] = one
        return SanctionSaid("imposed", one, one.t, one.t)

    def lift(self, irregularity: str) -> None:
        """Lift the sanctions imposed for the ``irregularity`` under that key."""
        self._sanctions = {key: one for key, one in self._sanctions.items() if one.irregularity != irregularity}

    def is_about(self, ruled: Irregularity) -> None:
        """Record which meld and which cards ``ruled`` concerns, now that it is known."""
        for key, one in self._sanctions.items():
            if one.irregularity == ruled.key and one.meld is None and one.cards:
                self._sanctions[key] = replace(one, meld=ruled.melds[0], cards=ruled.cards, seen=True)

    def turn_began(self, who: Seat) -> None:
        """Begin a turn of ``who``, and with it what he owes by the turn."""
        for key, one in self._sanctions.items():
            family = self._families.get(one.duty.do)
            if one.who is who and family is not None and family.by_turn:
                self._sanctions[key] = replace(one, running=True)

    def carries_out(self, action: ActT) -> bool:
        """Return True if ``action`` does what a ruling ordered, so that it is no new irregularity."""
        pairs = ((self._families.get(one.duty.do), one) for one in self._sanctions.values())
        return any(family is not None and family.carries(one, action) for family, one in pairs)

    def watch(self, before: DealT, action: ActT, after: DealT, who: Seat) -> list[SanctionSaid]:
        """Return what ``action`` means for what is owed: served, or broken."""
        look = Look(before, action, after, who, self.in_force)
        said = []
        for one in look.owed:
            family = self._families.get(one.duty.do)
            if family is not None:
                said += self._settle(one, family.watch(one, look), action)
        return said

    def _settle(self, one: Sanction, verdict: Verdict, action: ActT) -> list[SanctionSaid]:
        t, committed_t = action.t, action.committed_t
        match verdict:
            case Kept(sanction):
                self._sanctions[one.key] = sanction
                return []
            case Broken() if committed_t < one.t:
                return []  # done before it was imposed, and reported after
        del self._sanctions[one.key]
        match verdict:
            case Served():
                return [SanctionSaid("served", one, t, committed_t)]
            case Broken(reason):
                return [SanctionSaid("broken", one, t, committed_t, reason)]
        return []


def who_owes(duty: DutyRule, offender: Seat, to_play: Seat, rotation: Rotation) -> Seat:
    """Return who owes ``duty`` for a fault of ``offender`` while ``to_play`` is in turn.

    A partner's duty falls to the offender if he has no partner.
    """
    match duty.who:
        case "offender":
            return offender
        case "partner":
            return rotation.partner(offender) or offender
        case "line-in-turn":
            same = rotation.line(to_play) is rotation.line(offender)
            return to_play if same else rotation.next(to_play)
    return rotation.next(offender)
