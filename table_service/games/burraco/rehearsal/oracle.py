"""Valid melds and their values, written for the rehearsal alone (fibur2024, arts. 10-14, 17, 18).

The other codes allow at least these melds; their different values are in their ``Scoring``.

The truth beside a log must not come from the program that it is there to check, so this module shares no code with
``table_service.games``: tests compare the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from hw.cards import JOKER, face, rank, suit

Kind = Literal["set", "run"]
Burraco = Literal["none", "dirty", "semi-clean", "clean"]

POINTS: Final[dict[str, int]] = {JOKER: 30, "2": 20, "A": 15} | dict.fromkeys("89TJQK", 10) | dict.fromkeys("34567", 5)
BONUS: Final[dict[Burraco, int]] = {"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200}
_WHOLE_RUN, _WHOLE_SET = 13, 8
"""Cards without a wild that some codes reward more than a clean burraco."""
CLOSING_BONUS: Final = 100
POT_MALUS: Final = 100
LONGEST_SET, LONGEST_RUN = 8, 13
"""Naturals in a set and in a run; one wild may come on top (arts. 11, 12)."""
TWINS: Final = 2
"""How many equal cards a set may hold, whatever the pack (art. 5 NB)."""
_PLACE: Final = {letter: place for place, letter in enumerate("A23456789TJQK", start=1)}
_HIGH_ACE: Final = 14


def is_wild(card: str) -> bool:
    """Return True if ``card`` can stand for another one: a joker or a 2 (art. 10)."""
    return rank(card) in (JOKER, "2")


def points(cards: Iterable[str]) -> int:
    """Return what ``cards`` are worth one by one (art. 18)."""
    return sum(POINTS[rank(card)] for card in cards)


@dataclass(frozen=True, slots=True)
class OracleMeld:
    """A set or a run as it lies, from the keeper's edge.

    ``wild`` is the card that stands for another or is free; ``inner`` tells whether it stands between two cards.
    ``low`` is the place of a run's lowest card (ace 1 … king 13, high ace 14), a free wild left out; 0 for a set.
    """

    kind: Kind
    cards: tuple[str, ...]
    wild: str | None = None
    inner: bool = False
    low: int = 0

    @property
    def naturals(self) -> tuple[str, ...]:
        """The cards that stand for themselves."""
        return self.cards if self.wild is None else tuple(card for card in self.cards if card != self.wild)

    @property
    def stands_for(self) -> int | None:
        """The place in its run that the inner wild fills."""
        return self.low + self.cards.index(self.wild) if self.wild and self.inner else None

    @property
    def burraco(self) -> Burraco:
        """The class of the meld (art. 13)."""
        if len(self.cards) < 7:
            return "none"
        if self.wild is None:
            return "clean"
        if self.kind == "set":
            return "semi-clean" if len(self.cards) >= 8 else "dirty"
        before = self.cards.index(self.wild)
        longest = max(before, len(self.cards) - before - 1)
        if self.inner and len(self.cards) == 13:
            # All thirteen places: the ace stands before the 2 or after the king (art. 11), whichever serves better.
            longest = max(longest, len(self.cards) - before if self.low == 1 else before + 1)
        return "semi-clean" if longest >= 7 else "dirty"

    @property
    def worth(self) -> int:
        """Points of its cards and the bonus of its class."""
        return points(self.cards) + BONUS[self.burraco]


def _places(naturals: Sequence[str], ace: int) -> dict[int, str]:
    """Each card at its place in a run, aces at ``ace``."""
    return {ace if rank(card) == "A" else _PLACE[rank(card)]: card for card in naturals}


def _run(naturals: Sequence[str], wild: str | None, fixed: int | None = None) -> OracleMeld | None:
    """Return the run of ``naturals`` (one suit) with ``wild``, which must stand at place ``fixed`` if given."""
    if not 2 <= len(naturals) <= LONGEST_RUN or len(naturals) + (wild is not None) < 3:
        return None
    for ace in (1, _HIGH_ACE):
        at = _places(naturals, ace)
        if len(at) != len(naturals):
            return None
        places = range(min(at), max(at) + 1)
        gaps = [place for place in places if place not in at]
        if not gaps and fixed is None:
            free = (wild,) if wild else ()
            return OracleMeld("run", free + tuple(at[place] for place in places), wild, False, min(at))
        if wild and len(gaps) == 1 and fixed in (None, gaps[0]):
            return OracleMeld("run", tuple(at.get(place, wild) for place in places), wild, True, min(at))
    return None


def _same_suit(cards: Sequence[str]) -> bool:
    return len({suit(card) for card in cards}) == 1


def _best_run(naturals: Sequence[str], wilds: Sequence[str], fixed: int | None = None) -> OracleMeld | None:
    """Return the run of ``naturals`` (no movable 2 among them) and at most two wilds, one in its own place."""
    if not naturals or not _same_suit(naturals):
        return None
    has_two = any(rank(card) == "2" for card in naturals)
    own = [] if has_two else [card for card in wilds if suit(card) == suit(naturals[0])]
    if len(wilds) <= 1:
        natural = _run([*naturals, own[0]], None) if own and fixed is None else None
        return natural or _run(naturals, next(iter(wilds), None), fixed)
    return _with_two_in_place(naturals, wilds, own, fixed) if len(wilds) == 2 else None


def _with_two_in_place(
    naturals: Sequence[str], wilds: Sequence[str], own: Sequence[str], fixed: int | None
) -> OracleMeld | None:
    """Return the run with two ``wilds``, of which one of ``own``, a 2 of its suit, lies in its own place."""
    for two in own:
        found = _run([*naturals, two], next(card for card in wilds if card != two), fixed)
        if found is not None:
            return found
    return None


def _set(naturals: Sequence[str], wilds: Sequence[str]) -> OracleMeld | None:
    if len({rank(card) for card in naturals}) != 1 or not 2 <= len(naturals) <= LONGEST_SET or len(wilds) > 1:
        return None
    if len(naturals) + len(wilds) < 3 or max(Counter(map(face, naturals)).values()) > TWINS:
        return None
    return OracleMeld("set", (*wilds, *naturals), wilds[0] if wilds else None)


def meld(cards: Sequence[str]) -> OracleMeld | None:
    """Return the meld that ``cards`` make, laid out in order; None if they make none."""
    naturals = [card for card in cards if not is_wild(card)]
    wilds = [card for card in cards if is_wild(card)]
    return _set(naturals, wilds) or _best_run(naturals, wilds)


def extend(lying: OracleMeld, cards: Sequence[str], *, lift_two: bool = False) -> OracleMeld | None:
    """``lying`` with ``cards`` added, in its new order; None where they do not fit.

    A wild between two cards stays unless the card it stands for takes its place. ``lift_two`` lets a 2 that lies in
    its own place move up to fill a gap (art. 10, first example).
    """
    naturals = [card for card in cards if not is_wild(card)]
    wilds = [card for card in cards if is_wild(card)]
    if lying.kind == "set":
        return _longer_set(lying, naturals, wilds)
    if naturals and suit(naturals[0]) != suit(lying.naturals[0]):
        return None
    result = _longer_run(lying, naturals, wilds)
    if result is None and lift_two and not lying.wild and not wilds:
        twos = _own_two(lying)
        return _run([*(card for card in lying.naturals if card not in twos), *naturals], twos[0]) if twos else None
    return result


def _longer_set(lying: OracleMeld, naturals: Sequence[str], wilds: Sequence[str]) -> OracleMeld | None:
    own = [lying.wild] if lying.wild else []
    return None if own and wilds else _set([*lying.naturals, *naturals], wilds or own)


def _own_two(lying: OracleMeld) -> list[str]:
    """Return the 2 of the run ``lying`` that is no wild, if it has one."""
    return [card for card in lying.naturals if rank(card) == "2"][:1]


def _longer_run(lying: OracleMeld, naturals: Sequence[str], wilds: Sequence[str]) -> OracleMeld | None:
    fixed = _still_fixed(lying, naturals)
    own = [lying.wild] if lying.wild else []
    twos = _own_two(lying)
    kept = [card for card in lying.naturals if card not in twos]
    result = _best_run([*kept, *twos, *naturals], [*own, *wilds], fixed)
    if result is not None and fixed is not None and result.wild != lying.wild:
        return None  # a 2 that stands for another card is fixed like any wild, no other wild takes its place (art. 10)
    return result


def _still_fixed(lying: OracleMeld, naturals: Sequence[str]) -> int | None:
    """Return the place at which the wild of ``lying`` stays; None if none is there, or its card has come."""
    places = [_PLACE[rank(card)] for card in naturals]
    fixed = lying.stands_for
    return None if fixed in places or (fixed == _HIGH_ACE and 1 in places) else fixed


@dataclass(frozen=True, slots=True)
class Side:
    """Cards of a line at the end of a deal. ``unplayed``: the cards of a pot taken and not played."""

    melds: tuple[OracleMeld, ...]
    hand: tuple[str, ...]
    took_pot: bool
    unplayed: tuple[str, ...] = ()
    closed: bool = False
    penalised: tuple[str, ...] = ()
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class Scoring:
    """Values that differ between codes. ``whole_run``, ``whole_set``: run of 13, set of eight cards without a wild.

    ``always_malus``: a pot not taken costs its line though no line took one.
    """

    whole_run: int = BONUS["clean"]
    whole_set: int = BONUS["clean"]
    always_malus: bool = False
    bonus: Mapping[Burraco, int] = field(default_factory=lambda: BONUS)

    def of(self, lying: OracleMeld) -> int:
        """Return what the class of ``lying`` counts."""
        naturals = len(lying.cards) if lying.wild is None else 0
        if lying.kind == "run" and naturals == _WHOLE_RUN:
            return self.whole_run
        if lying.kind == "set" and naturals >= _WHOLE_SET:
            return self.whole_set
        return self.bonus[lying.burraco]


def items(side: Side, other_took_pot: bool, scoring: Scoring = Scoring()) -> dict[str, int]:
    """Return the score of ``side`` by item (arts. 17, 18); malus items are negative."""
    pot = -points(side.unplayed)
    if not side.took_pot and (other_took_pot or scoring.always_malus):
        pot -= POT_MALUS
    return {
        "burraco": sum(map(scoring.of, side.melds)),
        "closing": CLOSING_BONUS if side.closed else 0,
        "melds": sum(points(each.cards) for each in side.melds),
        "pot": pot,
        "hand": -points(side.hand),
        "penalised": -points(side.penalised),
        "bonus": side.bonus,
    }
