"""Readings of a set of cards as a meld: all of them, the best, burraco class and points (arts. 10 to 13, 18).

Cards are faces or physical cards; a copy mark changes nothing. An unknown card (``??``) leaves the meld undecided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from hw.cards import JOKER, UNKNOWN, face, rank, suit
from table_service.games.burraco.rules.rulebook import BurracoClass, RuleBook

Kind = Literal["set", "run"]

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LAST: Final = 1_000
"""Behind every value of a card."""
_WHOLE: Final[dict[Kind, int]] = {"set": 8, "run": 13}
"""Cards of a rank and of a suit that two packs have, a run holding no card twice."""
_LOW_ACE: Final = 1
_TWO: Final = 2
_HIGH_ACE: Final = 14
_ACES: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    0: ((),),
    1: ((_LOW_ACE,), (_HIGH_ACE,)),
    2: ((_LOW_ACE, _HIGH_ACE),),
}
"""Where the aces of a run may lie, by their number."""
_PLACE: Final = {r: n for n, r in enumerate("A23456789TJQK", start=1)}
_RANK_AT: Final = {**{n: r for r, n in _PLACE.items()}, _HIGH_ACE: "A"}


@dataclass(frozen=True, slots=True)
class MeldReading:
    """One way to read cards as a meld. ``cards``: in the order of the meld, lowest first (a set: wild first).

    ``wild``: the card that stands for another, ``stands_for`` that other: a face in a run, a rank in a set; both None
    in a meld without a wild. ``places``: for a run the place of each card, 1 the low ace, 13 the king, 14 the high ace.
    """

    kind: Kind
    cards: tuple[str, ...]
    wild: str | None
    stands_for: str | None
    burraco: BurracoClass
    bonus: int
    places: tuple[int, ...] = ()

    @property
    def wild_low(self) -> bool:
        """True if the wild lies at the low end, where a free one belongs (art. 10)."""
        return self._wild_at == 0

    @property
    def wild_between(self) -> bool:
        """True if the wild of a run fills a gap between two of its cards."""
        return self.kind == "run" and self._wild_at is not None and 0 < self._wild_at < len(self.cards) - 1

    @property
    def _wild_at(self) -> int | None:
        """Index of the wild among ``cards``: of two 2s of the suit in a run, the one in another's place."""
        if self.wild is None or self.stands_for is None:
            return None
        if self.kind == "set":
            return self.cards.index(self.wild)
        own = zip(self.cards, self.places, strict=True)
        return next(n for n, (card, at) in enumerate(own) if card == self.wild and _RANK_AT[at] == self.stands_for[0])


def points(book: RuleBook, cards: Iterable[str]) -> int | None:
    """Return the sum of the values of ``cards`` (art. 18); None if one of them is unknown."""
    total = 0
    for card in cards:
        value = book.value(card)
        if value is None:
            return None
        total += value
    return total


def burraco_class(book: RuleBook, kind: Kind, length: int, wild_at: int | None) -> BurracoClass:
    """Return the class of a meld of ``length`` cards, its wild at index ``wild_at`` from below (arts. 13, definitions).

    A run is semi-clean where at least seven cards lie on one side of its wild, which by some codes must then stand at
    its end; a set from eight cards on. Without a wild a whole suit and a set of eight are classes of their own where
    the code has them.
    """
    if length < book.burraco_length:
        return "none"
    if wild_at is None:
        whole: BurracoClass = "super-clean" if kind == "set" else "over-the-top"
        return whole if length >= _WHOLE[kind] and whole in book.bonuses else "clean"
    if kind == "set":
        return "semi-clean" if length >= book.semi_clean_set else "dirty"
    if book.inner_wild == "dirty" and 0 < wild_at < length - 1:
        return "dirty"
    beside = max(wild_at, length - 1 - wild_at)
    return "semi-clean" if beside >= book.semi_clean_run else "dirty"


def readings(book: RuleBook, cards: Iterable[str]) -> tuple[MeldReading, ...]:
    """Every reading of ``cards`` in any order, the best first; empty where they are no meld or one is unknown.

    Best is the higher bonus, then no wild before a wild, then a free wild at the low end (arts. 10, 29).
    """
    return _readings(book, tuple(sorted(map(face, cards))))


class _Cache(dict[tuple[str, str, tuple[str, ...]], tuple[MeldReading, ...]]):
    """Readings already worked out; emptied when it has grown large, so that memory stays bounded."""

    LIMIT: Final = 20_000


_cache = _Cache()


def _readings(book: RuleBook, faces: tuple[str, ...]) -> tuple[MeldReading, ...]:
    known = _cache.get((book.name, book.variant, faces))
    if known is None:
        found = _all_readings(book, faces) if _may_be_meld(book, faces) else []
        if len(found) > 1:
            found.sort(key=lambda r: (-r.bonus, r.wild is not None, not r.wild_low, r.kind, r.places))
        known = tuple(found)
        if len(_cache) >= _Cache.LIMIT:
            _cache.clear()
        _cache[book.name, book.variant, faces] = known
    return known


def _may_be_meld(book: RuleBook, faces: tuple[str, ...]) -> bool:
    return book.meld_min <= len(faces) <= book.run_naturals + book.wilds_per_meld and UNKNOWN not in faces


def _all_readings(book: RuleBook, faces: tuple[str, ...]) -> list[MeldReading]:
    wilds = [card for card in faces if book.is_wild(card)]
    naturals = [card for card in faces if card not in wilds]
    return [*_sets(book, wilds, naturals), *_runs(book, wilds, naturals)]


def _sets(book: RuleBook, wilds: list[str], naturals: list[str]) -> list[MeldReading]:
    ranks = {rank(card) for card in naturals}
    if len(ranks) != 1 or len(naturals) > book.set_naturals or len(wilds) > book.wilds_per_meld:
        return []
    if len(wilds) + len(naturals) > book.set_cards:
        return []
    if max(map(naturals.count, naturals)) > book.same_face_per_set:
        return []
    wild = wilds[0] if wilds else None
    name = burraco_class(book, "set", len(wilds) + len(naturals), 0 if wild else None)
    naturals = sorted(naturals, key=lambda card: "HDCS".index(card[1]))
    return [MeldReading("set", (*wilds, *naturals), wild, naturals[0][0] if wild else None, name, book.bonuses[name])]


def _runs(book: RuleBook, wilds: list[str], suited: list[str]) -> list[MeldReading]:
    suits = {suit(card) for card in suited}
    own = suits.pop() if len(suits) == 1 else None
    if own is None:
        return []
    wilds = sorted(wilds, key=lambda card: card != f"2{own}")
    aces = suited.count(f"A{own}")
    if aces > book.aces_per_run or len(set(suited)) != len(suited) - max(0, aces - 1):
        return []
    found: list[MeldReading] = []
    for aced in _ACES.get(aces, ()):
        places = {_PLACE[card[0]]: card for card in suited if card[0] != "A"} | dict.fromkeys(aced, f"A{own}")
        found += _fill(book, places, wilds, own)
        if wilds and wilds[0] == f"2{own}":
            found += _fill(book, {**places, _TWO: wilds[0]}, wilds[1:], own)
    return found


def _fill(book: RuleBook, places: dict[int, str], wilds: list[str], own: str) -> list[MeldReading]:
    """Return the runs that natural cards at ``places`` make with ``wilds``."""
    if len(wilds) > book.wilds_per_meld or len(places) > book.run_naturals:
        return []
    low, high = min(places), max(places)
    gaps = [place for place in range(low, high) if place not in places]
    if len(gaps) > len(wilds):
        return []
    if not wilds:
        return [_run(book, places, None, own)]
    spots = gaps or [place for place in (low - 1, high + 1) if _LOW_ACE <= place <= _HIGH_ACE]
    return [_run(book, {**places, spot: wilds[0]}, spot, own) for spot in spots]


def _run(book: RuleBook, places: dict[int, str], wild_place: int | None, own: str) -> MeldReading:
    order = tuple(sorted(places))
    at = None if wild_place is None else order.index(wild_place)
    name = burraco_class(book, "run", len(order), at)
    return MeldReading(
        kind="run",
        cards=tuple(places[place] for place in order),
        wild=None if wild_place is None else places[wild_place],
        stands_for=None if wild_place is None else _RANK_AT[wild_place] + own,
        burraco=name,
        bonus=book.bonuses[name],
        places=order,
    )


def reading_of(book: RuleBook, row: Sequence[str]) -> MeldReading | None:
    """Return the reading of a row as it lies, ``row`` from the keeper's edge; None if it is no meld.

    A wild that lies in order between two cards stands for the one that is missing there (art. 10), a 2 of the suit
    too, though in another order it would be the natural one. Beyond that the best class counts, because disorder costs
    nothing (art. 11) and a free wild lies low wherever it was put (art. 29); among equals the one whose order is that
    of the row, so that a wild stands for the card in whose place it was laid.
    """
    found = readings(book, row)
    if len(found) < 2:
        return found[0] if found else None
    lies = tuple(map(face, row))
    as_it_lies = next((reading for reading in found if lies in (reading.cards, reading.cards[::-1])), None)
    if as_it_lies is not None and as_it_lies.wild_between:
        fixed = (as_it_lies.wild, as_it_lies.stands_for)
        found = tuple(reading for reading in found if (reading.wild, reading.stands_for) == fixed)
    best = [reading for reading in found if reading.bonus == found[0].bonus]
    return next((reading for reading in best if reading.cards == lies), best[0])


def set_rank(book: RuleBook, row: Sequence[str]) -> str | None:
    """Return the rank of the cards of ``row`` if it reads as a set; None if it does not, or a card is unknown."""
    reading = reading_of(book, row)
    if reading is None or reading.kind != "set":
        return None
    return rank(reading.cards[-1])


def is_valid(book: RuleBook, cards: Iterable[str]) -> bool | None:
    """Return True if ``cards`` make a meld in some order; None if an unknown card among them leaves it open."""
    given = tuple(cards)
    if any(rank(card) == UNKNOWN for card in given):
        return None
    return bool(readings(book, given))


def may_grow(book: RuleBook, now: Iterable[str]) -> bool:
    """Return True if more cards could still make a meld of ``now``: it may be laid one card after the other."""
    faces = [face(card) for card in now]
    naturals = [card for card in faces if not book.is_wild(card)]
    suits = {suit(card) for card in naturals}
    own_two = any(rank(card) == "2" and (not suits or suit(card) in suits) for card in faces)
    wilds = len(faces) - len(naturals)
    if len(suits) <= 1 and len(set(naturals)) == len(naturals) and wilds <= book.wilds_per_meld + own_two:
        return True
    return len(faces) < book.meld_min and len({rank(card) for card in naturals}) <= 1


def why_not(book: RuleBook, cards: Sequence[str]) -> str | None:
    """One English sentence on why ``cards`` are no meld; None where they are one."""
    if any(rank(card) == UNKNOWN for card in cards):
        return "a card is unknown"
    if readings(book, cards):
        return None
    naturals = [card for card in cards if not book.is_wild(card)]
    if len(cards) < book.meld_min:
        return f"a meld has at least {book.meld_min} cards"
    if not naturals:
        return "jokers and twos alone are no meld"
    ranks, suits = {rank(card) for card in naturals}, {suit(card) for card in naturals}
    if len(ranks) > 1 and len(suits) > 1:
        return "the cards are neither of one rank nor of one suit"
    own_two = len(ranks) > 1 and f"2{next(iter(suits))}" in map(face, cards)  # it may stand for itself in a run
    if len(cards) - len(naturals) > book.wilds_per_meld + own_two:
        return "a meld holds one wild card only"
    return _why_no_set(book) if len(ranks) == 1 else _why_no_run(naturals)


def _why_no_set(book: RuleBook) -> str:
    most = f"a set has at most {_NUMBERS[book.set_naturals]} natural cards"
    twins = book.same_face_per_set < book.set_naturals
    return f"{most}, and not {_NUMBERS[book.same_face_per_set + 1]} of one face" if twins else most


def _why_no_run(naturals: Sequence[str]) -> str:
    return "a run holds no card twice" if len(set(map(face, naturals))) < len(naturals) else "the run has a gap"


def describe(book: RuleBook, cards: Sequence[str]) -> dict[str, Any]:
    """Return what ``tavolo meld`` answers for ``cards`` in any order (interfaces, section 5).

    ``{"cards","valid","kind","burraco","bonus","points","reading","wild"}``: ``reading`` the cards in the best order,
    ``wild`` ``{"card","stands_for"}`` or null; where the cards are no meld, ``reason`` in English.

    >>> from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
    >>> found = describe(FIBUR2024, ("7H", "8H", "9H", "TH", "JH", "QH", "KH", "JK"))
    >>> found["burraco"], found["points"], found["wild"]
    ('semi-clean', 95, {'card': 'JK', 'stands_for': '6H'})
    >>> describe(FIBUR2024, ("7H", "8H", "JK", "2S"))["reason"]
    'a meld holds one wild card only'
    """
    found = readings(book, cards)
    best = found[0] if found else None
    answer: dict[str, Any] = {
        "cards": " ".join(cards),
        "valid": best is not None,
        "kind": best.kind if best else None,
        "burraco": best.burraco if best else "none",
        "bonus": best.bonus if best else 0,
        "points": points(book, cards),
        "reading": list(best.cards) if best else None,
        "wild": {"card": best.wild, "stands_for": best.stands_for} if best and best.wild else None,
    }
    if best is None:
        answer["reason"] = why_not(book, cards)
    return answer


_RANK_ORDER: Final = {r: n for n, r in enumerate((JOKER, "2", *"AKQJT9876543"))}


def by_rank(cards: Iterable[str]) -> tuple[str, ...]:
    """``cards``, all known, the highest in rank first; of one rank hearts, diamonds, clubs, spades (art. 1)."""
    return tuple(sorted(cards, key=lambda card: (_RANK_ORDER[rank(card)], "HDCS".find(suit(card) or "-"))))


def discard_order(book: RuleBook, cards: Iterable[str]) -> tuple[str, ...]:
    """``cards`` in the order in which penalised ones are discarded; unknown cards come last.

    The highest value first, then by suit H D C S, then by rank (fibur2024, definition of discarding by norm); or the
    lowest value first, cards of equal value in the order given, for there the player chooses (feburit, art. 10).
    """
    lowest_first = book.penalised is not None and book.penalised.order == "lowest-first"

    def key(card: str) -> tuple[int, int, int]:
        value = book.value(card)
        if value is None:
            return (_LAST, 0, 0)
        if lowest_first:
            return (value, 0, 0)
        own = suit(card)
        return (-value, "HDCS".index(own) if own else -1, _RANK_ORDER[rank(card)])

    return tuple(sorted(cards, key=key))


def next_discards(book: RuleBook, cards: Iterable[str]) -> tuple[str, ...]:
    """Return the penalised ``cards`` of which any may be discarded next.

    >>> from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
    >>> next_discards(FIBUR2024, ("4H", "KS", "QD"))
    ('QD',)
    """
    order = discard_order(book, cards)
    if book.penalised is None or book.penalised.order == "highest-first":
        return order[:1]
    return tuple(card for card in order if book.value(card) == book.value(order[0]))


def described(answer: Mapping[str, Any]) -> str:
    """Return what ``describe`` says of a meld, as one line for a person."""
    if not answer["valid"]:
        return f"{answer['cards']}: no meld ({answer.get('reason') or 'not valid'})"
    burraco = f", {answer['burraco']} burraco +{answer['bonus']}" if answer["burraco"] != "none" else ""
    return f"{answer['cards']}: {answer['kind']}{burraco}, {answer['points']} points"
