"""Acts of hands while an arm covered the pile: who drew, laid a card there or took it up, by what shows afterwards.

Hands come to the stack and to the pile; not all of them move cards. Of the ways in which they may have done so the
likeliest is taken: each player in turn takes a card, or the cards of the pile, and lays one there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from hw.seats import Seat

Does = Literal["draws", "lays", "takes-up"]

IDLE: Final = 1.0
"""Cost of assuming that a hand came and moved nothing."""
STAYED: Final = 0.5
"""The same of one that came and stayed for long: it may move a card before it leaves as well."""
ELSEWHERE: Final = -1.0
"""The same of one whose zone was not told: it mostly came to another."""
RESTED: Final = -1.0
"""The same of one that comes to rest there: it mostly moves nothing."""
LIFTED: Final = -0.8
"""The same of one that has rested there and leaves: what it has moved it moves last."""
NEAR_STACK: Final = 1.5
"""The same of one that came to the stack."""
OWN_STACK: Final = 4.0
"""The same of the player in turn, whose hand was told to come there: he hardly comes to take the pile up then."""
DREW: Final = 100.0
"""The same for one that is reported as a draw already."""
TURNED: Final = 3.0
"""The same before any card has lain in the pile."""
_MELDS: Final = 0.7
"""Cost of assuming that a player came to the melds without a card to lay."""
_MISSED: Final = 3.0
"""Cost of assuming that a hand came unreported, if the camera reports hands."""
_UNTOLD: Final = 0.5
"""The same if no sensor reports hands."""
_OUT_OF_TURN: Final = 6.0
"""Cost of assuming that a player moved cards out of turn."""
_BOTH: Final = 3.0
"""Cost of assuming that one visit to the pile both took it up and laid a card: its cards go to the hand first."""
_AGAIN: Final = 3.0
"""Cost of assuming that the pile was taken up and cards of the same faces laid there since."""
_LEAD: Final = 1.0
"""Lead in cost over any other way from which the likeliest is certain."""
_MOMENT: Final = 1.0
"""Seconds before the next hand came to the stack at which an unreported hand is taken to have come."""
_TURNS: Final = 0.4
"""Seconds from the stack to the pile, where the first card is turned up."""
_WAYS: Final = 3
"""Number of ways to the same state that are followed."""


@dataclass(frozen=True, slots=True)
class Came:
    """A hand came to a zone, or left it, at ``t``, seconds of the log.

    ``idle``: what it costs to think that it moved nothing. ``since``: when the visit began of which this is the end.
    """

    t: float
    seat: Seat | None
    where: Literal["stack", "pile", "melds"] = "pile"
    idle: float = IDLE
    since: float | None = None


@dataclass(frozen=True, slots=True)
class HandAct:
    """Act of a hand at ``t``; ``seen``: a sensor reported that it came."""

    does: Does
    t: float
    seat: Seat | None
    seen: bool = True


@dataclass(frozen=True, slots=True)
class Turn:
    """State of play: ``taken``: ``player`` has taken a card and is to lay one, else is to take one.

    ``old``: how many of the pile's first cards are still there; ``more``: how many came upon them. ``fresh``: no card
    has been on the pile in this deal yet: the player who takes one from the stack turns it up.
    """

    taken: bool
    player: Seat | None
    old: int = 0
    more: int = 0
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class _Way:
    cost: float
    acts: tuple[HandAct, ...]

    def goes_on(self, cost: float, *acts: HandAct) -> _Way:
        return _Way(self.cost + cost, (*self.acts, *acts))

    @property
    def told(self) -> tuple[tuple[Does, Seat | None], ...]:
        """Acts and seats that distinguish one way from another."""
        return tuple((act.does, act.seat) for act in self.acts)


@dataclass(frozen=True, slots=True)
class Explained:
    """The likeliest acts, the state of play after them, and whether no other way is nearly as likely."""

    acts: tuple[HandAct, ...]
    turn: Turn
    certain: bool


def explained(
    came: Sequence[Came],
    turn: Turn,
    after: Callable[[Seat], Seat],
    until: float,
    shows: Callable[[Turn], bool],
    *,
    hands_told: bool,
    again: Callable[[Turn], bool] = lambda _: False,
) -> Explained | None:
    """Explain what the hands that ``came``, in order of time, did; None if nothing leads to what ``shows``.

    ``after``: the seat whose turn comes next. ``until``: time at which the pile showed again. ``shows``: true of a
    state that fits it; ``again``: of one that fits it only if the cards of the pile came there anew, the same faces.
    """
    reckoning = _Reckoning(after, _MISSED if hands_told else _UNTOLD)
    ways: dict[Turn, list[_Way]] = {turn: [_Way(0.0, ())]}
    for one in came:
        ways = _best(
            (state, way) for at, known in ways.items() for way in known for state, way in reckoning.on(at, way, one)
        )
    ways = _best(
        (state, way) for at, known in ways.items() for way in known for state, way in reckoning.end(at, way, until)
    )
    fitting = [
        (way if shows(state) else way.goes_on(_AGAIN), state)
        for state, known in ways.items()
        if shows(state) or again(state)
        for way in known
    ]
    return _likeliest(sorted(fitting, key=lambda found: (found[0].cost, len(found[0].acts))))


def _likeliest(fitting: Sequence[tuple[_Way, Turn]]) -> Explained | None:
    """Return the first of the ways that are ``fitting``, certain if none of the others is nearly as likely."""
    if not fitting:
        return None
    best, state = fitting[0]
    certain = all(way.told == best.told or way.cost >= best.cost + _LEAD for way, _ in fitting[1:])
    return Explained(best.acts, state, certain)


def _best(found: Iterable[tuple[Turn, _Way]]) -> dict[Turn, list[_Way]]:
    """Return the likeliest ways to each state, of those with the same acts only the likeliest."""
    ways: dict[Turn, list[_Way]] = {}
    for state, way in sorted(found, key=lambda one: one[1].cost):
        known = ways.setdefault(state, [])
        if len(known) < _WAYS and all(way.told != other.told for other in known):
            known.append(way)
    return ways


class _Reckoning:
    """Possible acts of a hand, and the cost of assuming each."""

    def __init__(self, after: Callable[[Seat], Seat], missed: float) -> None:
        self._after = after
        self._missed = missed

    def on(self, at: Turn, way: _Way, one: Came) -> Iterable[tuple[Turn, _Way]]:
        """Yield the states that ``one`` may lead to from ``at``."""
        if one.where == "melds":
            lays = at.taken and at.player in (None, one.seat)
            yield at, way if lays else way.goes_on(_MELDS)
            return
        yield at, way.goes_on(one.idle)
        way = way.goes_on(_BOTH) if _has_acted(way, one) else way
        if one.where == "stack" and at.fresh:
            turned = HandAct("draws", one.t, one.seat), HandAct("lays", one.t + _TURNS, one.seat)
            yield Turn(taken=False, player=None, more=1), way.goes_on(0.0, *turned)
        elif one.where == "stack":
            for state, before in self._ready(at, way, one.t):
                yield self._takes(state, before, HandAct("draws", one.t, one.seat))
        elif at.taken:
            yield self._lays(at, way, HandAct("lays", one.t, one.seat))
            for state, before in self._ready(at, way, one.t):
                yield self._takes(state, before, HandAct("takes-up", one.t, one.seat))
        else:
            if at.old + at.more:
                yield self._takes(at, way, HandAct("takes-up", one.t, one.seat))
            drew, before = self._takes(
                at, way.goes_on(self._missed), HandAct("draws", one.t - _MOMENT, None, seen=False)
            )
            yield self._lays(drew, before, HandAct("lays", one.t, one.seat))

    def end(self, at: Turn, way: _Way, until: float) -> Iterable[tuple[Turn, _Way]]:
        """Yield the states in which the pile may show again: an unreported hand may have laid a card, or taken all."""
        yield at, way
        unseen, t = way.goes_on(self._missed), until - _MOMENT
        if at.taken:
            yield self._lays(at, unseen, HandAct("lays", t, None, seen=False))
        elif at.old + at.more:
            yield self._takes(at, unseen, HandAct("takes-up", t, None, seen=False))

    def _ready(self, at: Turn, way: _Way, t: float) -> Iterable[tuple[Turn, _Way]]:
        """Yield the states in which a card may be drawn at ``t``: an earlier drawer has laid one, seen or not."""
        if not at.taken:
            yield at, way
        else:
            yield self._lays(at, way.goes_on(self._missed), HandAct("lays", t - _MOMENT, None, seen=False))

    def _takes(self, at: Turn, way: _Way, act: HandAct) -> tuple[Turn, _Way]:
        cost, seat = self._whose(at, act.seat)
        lying = (0, 0) if act.does == "takes-up" else (at.old, at.more)
        return Turn(True, seat, *lying), way.goes_on(cost, replace(act, seat=seat))

    def _lays(self, at: Turn, way: _Way, act: HandAct) -> tuple[Turn, _Way]:
        cost, seat = self._whose(at, act.seat)
        follows = None if seat is None else self._after(seat)
        return Turn(False, follows, at.old, at.more + 1), way.goes_on(cost, replace(act, seat=seat))

    @staticmethod
    def _whose(at: Turn, seat: Seat | None) -> tuple[float, Seat | None]:
        """Return the cost of assuming the act, and the acting seat."""
        if seat is None or at.player is None:
            return 0.0, seat or at.player
        return (0.0 if seat is at.player else _OUT_OF_TURN), seat


def _has_acted(way: _Way, one: Came) -> bool:
    """Return True if by ``way`` the visit that ends with ``one`` has moved cards already."""
    return one.since is not None and any(act.seat is one.seat and act.t >= one.since for act in way.acts)
