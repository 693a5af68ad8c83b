"""Faults of cards laid as a meld that is invalid: which of them are excess, and the kind of fault.

Pure functions of faces: ``base`` was there rightly before (empty if the meld was opened), ``now`` is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from hw.cards import UNKNOWN, face, rank, suit
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.rules.card_ledger import newcomers
from table_service.games.burraco.rules.meld import readings
from table_service.games.burraco.rules.rulebook import RuleBook

Cards = tuple[str, ...]
_MOST_TRIED: Final = 6
"""Excess cards beyond this number are not told apart: then all that was laid is excess."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """``kind`` of fault, the ``excess`` cards, and whether no other choice of cards would do as well."""

    kind: FaultKind
    excess: Cards
    sure: bool = True
    beside: int | None = None
    """The row of the meld that the cards were meant for, where they lie beside it."""


def wrong_meld(book: RuleBook, base: Cards, now: Cards) -> Wrong | None:
    """Return what is wrong with ``now``; None where it is a meld, or an unknown card leaves that open."""
    faces = tuple(map(face, now))
    if not faces or UNKNOWN in faces or (len(faces) >= book.meld_min and readings(book, faces)):
        return None
    laid = newcomers(base, now)
    if len(faces) < book.meld_min:
        return Wrong(wrong_addition(book, base), laid) if base else Wrong(FaultKind.TOO_FEW_LAID, now)
    excess, sure = _excess(book, now, laid)
    return Wrong(_kind(book, base, faces, tuple(map(face, excess))), excess, sure)


def _excess(book: RuleBook, now: Cards, laid: Cards) -> tuple[Cards, bool]:
    """Return the fewest laid cards whose removal leaves a meld (all if none does), and whether that is plain."""
    for count in range(1, min(len(laid), _MOST_TRIED) + 1):
        found: dict[Cards, Cards] = {}
        best: dict[Cards, int] = {}
        for some in combinations(laid, count):
            rest = newcomers(some, now)
            read = readings(book, rest) if len(rest) >= book.meld_min else ()
            if read:
                key = tuple(sorted(map(face, some)))
                found.setdefault(key, some)
                best[key] = read[0].bonus
        if found:
            top = max(sorted(found), key=lambda key: (best[key], -_worth(book, key)))
            return found[top], len(found) == 1
    return laid, True


def _worth(book: RuleBook, cards: Cards) -> int:
    return sum(book.value(card) or 0 for card in cards)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A wrong meld by what it holds: its ``faces``, of which ``naturals`` are no wilds, and the ``excess`` ones."""

    book: RuleBook
    base: Cards
    faces: Cards
    excess: Cards

    @property
    def naturals(self) -> Cards:
        return tuple(card for card in self.faces if not self.book.is_wild(card))

    @property
    def of_one_rank(self) -> bool:
        return len({rank(card) for card in self.naturals}) == 1

    @property
    def of_one_suit(self) -> bool:
        return len({suit(card) for card in self.naturals}) == 1

    @property
    def cured(self) -> bool:
        """True if a meld is left once the excess cards are gone."""
        return bool(self.base) or len(self.excess) < len(self.faces)

    def longer_than(self, naturals: int) -> bool:
        """Return True if it holds more cards than ``naturals`` and the wilds that a meld may hold."""
        return len(self.faces) > naturals + self.book.wilds_per_meld


def _is_second_wild(shape: _Shape) -> bool:
    return shape.cured and all(shape.book.is_wild(card) for card in shape.excess)


def _is_third_twin(shape: _Shape) -> bool:
    twins = Counter(shape.naturals)
    return shape.cured and all(twins[card] > shape.book.same_face_per_set for card in shape.excess)


def _is_too_long(shape: _Shape) -> bool:
    """Return True if a run holds a second ace, or more than it can (art. 11)."""
    aces = [card for card in shape.naturals if rank(card) == "A"]
    second = len(aces) > 1 and all(rank(card) == "A" for card in shape.excess)
    return shape.cured and (second or len(shape.naturals) > shape.book.run_naturals)


_CASES: Final[tuple[tuple[Callable[[_Shape], bool], FaultKind], ...]] = (
    (lambda shape: not shape.naturals, FaultKind.WILDS_ALONE),
    (lambda shape: shape.of_one_rank and len(shape.faces) > shape.book.set_cards, FaultKind.SET_TOO_LONG),
    (lambda shape: shape.of_one_suit and shape.longer_than(shape.book.run_naturals), FaultKind.RUN_TOO_LONG),
    (_is_second_wild, FaultKind.SEVERAL_WILDS),
    (lambda shape: shape.of_one_rank and _is_third_twin(shape), FaultKind.THIRD_TWIN),
    (lambda shape: shape.of_one_suit and not shape.of_one_rank and _is_too_long(shape), FaultKind.RUN_TOO_LONG),
)
"""What exactly is too much, the first that fits."""


def _kind(book: RuleBook, base: Cards, faces: Cards, excess: Cards) -> FaultKind:
    """Return the kind by what exactly is too much; a plain wrong meld if several things are wrong."""
    shape = _Shape(book, base, faces, excess)
    exact = next((kind for fits, kind in _CASES if fits(shape)), None)
    if exact is not None:
        return exact
    if base:
        return wrong_addition(book, base)
    wild = any(book.is_wild(card) for card in faces)
    return FaultKind.WRONG_OPENING_WITH_WILD if wild else FaultKind.WRONG_OPENING


def wrong_addition(book: RuleBook, base: Cards) -> FaultKind:
    """Return the kind of a card wrongly added to the meld ``base``, a set or a run."""
    found = readings(book, base)
    is_set = bool(found) and found[0].kind == "set"
    return FaultKind.WRONG_SET_ADDITION if is_set else FaultKind.WRONG_RUN_ADDITION


def fixed_wild(book: RuleBook, cards: Cards) -> tuple[str, str] | None:
    """Return the wild between two cards of a run and the card it stands for, if the cards read in one way alone.

    A 2 of the run's suit that may be its natural 2 is none (art. 10, second example); once it stands for another card
    it is fixed like any wild (first example).
    """
    found = readings(book, cards)
    inner = {(one.wild, one.stands_for) for one in found if one.wild_between}
    if len(inner) != 1 or not all(one.wild_between for one in found):
        return None
    wild, stands_for = inner.pop()
    return None if wild is None or stands_for is None else (wild, stands_for)


def wild_moved(book: RuleBook, base: Cards, now: Cards) -> str | None:
    """Return the wild that stands for another card in ``now`` than in ``base``, that card not having come (art. 10)."""
    before = fixed_wild(book, base)
    if before is None:
        return None
    wild, stood_for = before
    faces = tuple(map(face, now))
    if stood_for in faces:
        return None
    if any(one.wild == wild and one.stands_for == stood_for for one in readings(book, faces)):
        return None
    after = fixed_wild(book, faces)
    same = after is not None and after[1] == stood_for
    return wild if same or (after is not None and after[0] == wild) else None


def _placed_wild(book: RuleBook, row: Cards) -> tuple[int, bool] | None:
    """Return where in ``row`` its wild lies, and whether between two cards; None where the row is no run in order.

    A 2 of the suit before the 3 is natural and may be moved up (second example), and a pinella beside it may be
    exchanged with it (third example).
    """
    as_it_lies = [one for one in readings(book, row) if one.kind == "run" and row in (one.cards, one.cards[::-1])]
    twos = sum(rank(card) == "2" for card in row)
    if not as_it_lies or any(one.wild in (None, one.stands_for) for one in as_it_lies):
        return None
    wild = as_it_lies[0].wild or ""
    if rank(wild) == "2" and twos > 1:
        return None
    return row.index(wild), as_it_lies[0].wild_between


def wild_displaced(book: RuleBook, base: Cards, now: Cards) -> str | None:
    """Return the wild of a run that was in order, if it alone lies elsewhere among the same cards (art. 10).

    A free one may go to the lowest place, which is where it belongs. A row whose other cards lie in another order too
    has been mixed up, and in which place its wild was put nobody can say.
    """
    before, after = tuple(map(face, base)), tuple(map(face, now))
    place = _placed_wild(book, before)
    if place is None or before == after or sorted(before) != sorted(after):
        return None
    at, between = place
    wild = before[at]
    there = after.index(wild)
    if (*before[:at], *before[at + 1 :]) != (*after[:there], *after[there + 1 :]):
        return None
    return wild if between or (at == 0 and there > 0) else None
