"""Cards before one player, picture by picture: face up, backs, and cards missing or read otherwise."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from hw.cards import UNKNOWN
from hw.observations import SightedCard
from hw.seats import Seat
from table_service.games.bridge.reading.acts import Act, CardGone, CardRenamed
from table_service.games.bridge.reading.looks import FEWEST, MOST, MissRate

GONE_S: Final = 0.3
"""What two clear pictures at least so far apart show, or do not show, is so; one may be mistaken."""
SAME_PLACE_MM: Final = 20.0
"""A card that reads otherwise and has moved less is the same card."""
UNTOUCHED_MM: Final = 45.0
"""The same where no hand was there: half a card's width beyond what a rough camera is off by twice."""
REACHES_S: Final = 0.8
"""No hand comes, turns a card and leaves between two looks that are less apart."""


@dataclass(slots=True)
class Otherwise:
    """A card reads as another ``since``, by so many looks running.

    ``was_reached``: then a hand may have been there since it was shown before.
    """

    since: float
    was_reached: bool
    looks: int = 0


@dataclass(slots=True)
class PlayerRow:
    """Cards before one player.

    ``up``: face up cards with their places. ``missing``: since when one was not shown, ``without``: by how many looks.
    ``backs``: those that are accounted for; ``backs_shown``: those of the newest look; ``turned``: cards that they are,
    as far as a picture showed it; ``owed``: cards turned unseen, and their places, whose backs are still to appear.
    ``extra``: when more were seen first. ``has_shown``: a card was face up here. ``covered``: a card was laid
    face down and not turned up. ``looked``: when a picture last showed all of it, ``reached``: when one last did not,
    as a hand was over it. ``reachable``: when a hand may last have been over it, seen or between two looks. ``last``:
    when each card of ``up`` was last shown. ``otherwise``: cards that read as another, by both names.
    """

    up: dict[str, tuple[float, float]] = field(default_factory=dict)
    missing: dict[str, float] = field(default_factory=dict)
    without: Counter[str] = field(default_factory=Counter)
    backs: int = 0
    backs_shown: int = 0
    turned: set[str] = field(default_factory=set)
    owed: list[tuple[str, tuple[float, float]]] = field(default_factory=list)
    extra: float | None = None
    has_shown: bool = False
    covered: bool = False
    reached: float = -math.inf
    looked: float = -math.inf
    reachable: float = -math.inf
    last: dict[str, float] = field(default_factory=dict)
    otherwise: dict[tuple[str, str], Otherwise] = field(default_factory=dict)
    idle: deque[float] = field(default_factory=lambda: deque(maxlen=MOST))
    """Looks running at all of it that showed nothing new."""
    shown: frozenset[str] = frozenset()
    """What the newest look at it showed."""

    def idle_since(self, looks: int) -> float | None:
        """Return the earliest of the last ``looks`` looks that showed nothing new; None if there were fewer."""
        return self.idle[-looks] if len(self.idle) >= looks else None

    def shows(self, shown: Mapping[str, tuple[float, float]], t: float) -> None:
        """Take a picture at ``t`` that shows the cards ``shown``."""
        for name in shown:
            self.forget(name)
        self.last = {name: at for name, at in self.last.items() if name in self.up} | dict.fromkeys(shown, t)

    def not_among(self, shown: Collection[str]) -> list[str]:
        """Return the cards of ``up`` that are not ``shown``."""
        return [name for name in self.up if name not in shown]

    def forget(self, name: str) -> None:
        """``name`` is not missing, or lies there no more."""
        self.missing.pop(name, None)
        self.without.pop(name, None)

    def picks_up(self, name: str) -> bool:
        """Return True if ``name``, not shown now, was turned before it lay face up, and its back is missing too."""
        if name not in self.turned or self.backs_shown >= self.backs:
            return False
        self.turned.remove(name)
        self.backs -= 1
        return True

    def is_where_one_vanished(self, name: str, place: tuple[float, float]) -> bool:
        """Return True if another card than ``name``, back not seen yet, was about ``place``: a look may misread it."""
        return any(other != name and math.dist(place, where) <= UNTOUCHED_MM for other, where in self.owed)

    def forget_extra(self, looks: int) -> None:
        """Ignore an extra card back unless ``looks`` later looks confirm it."""
        idle = self.idle_since(looks)
        if self.extra is not None and idle is not None and idle > self.extra:
            self.extra = None

    def may_lie(self, name: str) -> bool:
        """Return True if ``name`` is shown, or was missed in a picture though no hand was there since it was shown."""
        return name not in self.missing or not self.was_reached(name)

    def was_untouched(self, t: float) -> bool:
        """Return True if no hand can have been there since the last look at it."""
        return self.looked > self.reached and t - self.looked < REACHES_S

    def is_looked_at(self, t: float, *, is_clear: bool) -> None:
        """Record a picture at ``t`` of all of it, or not: if not, or long after the last look, a hand may be near."""
        if not is_clear or t - self.looked >= REACHES_S:
            self.reachable = t

    def looks_without(self, name: str, misses: MissRate) -> int:
        """Consecutive looks without ``name`` after which it counts as taken away; most if no hand can have taken it."""
        if self.was_reached(name):
            return FEWEST
        return misses.looks if self.last.get(name, -math.inf) < self.reachable else MOST

    def may_be_another(self, name: str, place: tuple[float, float]) -> bool:
        """Return True if the card at ``place`` may have been laid there by a hand after ``name`` was taken away."""
        return not self.may_lie(name) or math.dist(self.up[name], place) > self.may_be_off(name)

    def may_be_off(self, name: str) -> float:
        """Millimetres from the place of ``name`` within which a shown card is the same."""
        return SAME_PLACE_MM if self.was_reached(name) else UNTOUCHED_MM

    def was_reached(self, name: str) -> bool:
        """Return True if a hand may have been there since ``name`` was last shown."""
        return self.last.get(name, -math.inf) <= self.reached

    def new_backs(self, shown: list[SightedCard]) -> list[SightedCard]:
        """Shown cards with no matching play; empty before the board's first card."""
        if not (self.has_shown or self.covered):
            self.backs = min(self.backs, len(shown))  # those of the board before are put away
        return shown[self.backs :]


def renamed(
    seat: Seat, row: PlayerRow, shown: dict[str, tuple[float, float]], t: float, *, more_backs: bool
) -> Iterator[Act]:
    """Cards that read otherwise where they lay, in two pictures; one that is not read any more keeps its name.

    One that was never read, where a hand may have been meanwhile, is the one that is read now once most looks running
    have shown no back more (``more_backs``: this one does).
    """
    lying = set(shown)
    row.otherwise = {key: one for key, one in row.otherwise.items() if key[1] in lying and key[0] not in lying}
    for new, place in list(shown.items()):
        old = None if new in row.up else _lay_at(row, place, lying)
        if old is None:
            continue
        one = row.otherwise.setdefault((old, new), Otherwise(t, row.was_reached(old)))
        one.looks += 1
        was_unread = UNKNOWN in (old, new)
        match _unread(one, new, more_backs=more_backs) if was_unread else _misread(row, one, old, place, t):
            case "old":
                shown[old] = shown.pop(new)
            case "named" if row.picks_up(old):  # turned up again, and replaced where it lay
                del row.up[old]
                row.forget(old)
                yield CardGone(t, seat, old, was_turned=True)
            case "named":
                row.up = {new if name == old else name: where for name, where in row.up.items()}
                yield CardRenamed(t, seat, old, new)
            case "another":
                pass  # it is new, and the old one is not shown


_Meaning = Literal["old", "named", "another"]
"""What lies there: the old one, badly lit or misread now; the same by its right name; or another card."""


def _unread(one: Otherwise, new: str, *, more_backs: bool) -> _Meaning:
    """Meaning of the reading ``new`` if a card was unread before, or is now."""
    if new == UNKNOWN:
        return "old"
    if one.was_reached and more_backs:
        return "another"  # the one before was turned
    return "old" if one.was_reached and one.looks < MOST else "named"


def _misread(row: PlayerRow, one: Otherwise, old: str, place: tuple[float, float], t: float) -> _Meaning:
    """Meaning of another reading than ``old`` at ``place``: one picture may be mistaken."""
    if t - one.since < GONE_S:
        return "old"
    return "another" if row.may_be_another(old, place) else "named"


def _lay_at(row: PlayerRow, place: tuple[float, float], lying: set[str]) -> str | None:
    """Return the card that lay about ``place`` and is not among those ``lying``; None if none did, or two."""
    near = [name for name, where in row.up.items() if name not in lying and math.dist(where, place) <= UNTOUCHED_MM]
    return near[0] if len(near) == 1 else None
