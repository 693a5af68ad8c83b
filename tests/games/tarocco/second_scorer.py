"""A second scorer of tarocco, written from the texts alone (the tournament rules, the facts file, sections 1 and 5).

It shares no code with ``table_service``: cards, groups and points are written down anew; cricche are what the other
side lacks of half a criccone, card points come of pairing cards one by one, and the great sequence is the best of all
ways in which contatori can be put into holes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

SUITS = "CDSB"
PIPS = "A6789T"
PACK = frozenset(
    [rank + suit for rank in "KQCF" + PIPS for suit in SUITS]
    + [f"t{number}" for number in range(5, 21)]
    + ["m1", "m2", "m3", "m4", "beg", "mat"]
)
HALF_CRICCONE = 148
FIVES = ("t20", "t19", "beg", "mat", "KC", "KD", "KS", "KB")
RANKS = {
    "tarocchi": (("t20", "t19", "beg", "mat"), 18),
    "kings": (tuple("K" + suit for suit in SUITS), 17),
    "queens": (tuple("Q" + suit for suit in SUITS), 14),
    "knights": (tuple("C" + suit for suit in SUITS), 13),
    "jacks": (tuple("F" + suit for suit in SUITS), 12),
}
"""Each rank of the cricche, and what each of the first two cards that are lacking takes off it."""


@dataclass(frozen=True)
class Side:
    """What one line counts: its pile, whether the last trick is its, its accusi, what a ruling has left it."""

    pile: tuple[str, ...]
    last_trick: bool
    accusi: tuple[tuple[str, ...], ...] = ()
    only_scartini: bool = False
    penalty: int = 0


def score(side: Side) -> dict[str, int]:
    """The items of a line whose cards are all known."""
    if side.only_scartini:
        nothing = dict.fromkeys(("cricche", "sequences", "last_trick", "accusi"), 0)
        return {**nothing, "scartini": scartini(side.pile), "penalty": side.penalty}
    return {
        "cricche": criccone(side.pile),
        "sequences": sequence_points(side.pile),
        "scartini": scartini(side.pile),
        "last_trick": 6 if side.last_trick else 0,
        "accusi": sum(criccone(cards) + sequence_points(cards) for cards in side.accusi),
        "penalty": side.penalty,
    }


def criccone(cards: Iterable[str]) -> int:
    """Half a criccone less what is lacking: of each rank the first two cards that the others hold."""
    others = PACK - set(cards)
    half, complete = HALF_CRICCONE, 0
    for group, each in RANKS.values():
        lacking = len(others.intersection(group))
        half -= each * min(2, lacking)
        complete += lacking < 2
    return half * 2 if complete > 2 else half


def sequence_points(cards: Collection[str]) -> int:
    """All sequences, doubled where there are three or more families."""
    lengths = [_great(cards), *(_suit(cards, suit) for suit in SUITS), _alike(cards, ("m1", "m2", "m3", "m4"))]
    lengths.append(_alike(cards, [f"A{suit}" for suit in SUITS]))
    found = [10 + 5 * (length - 3) for length in lengths if length]
    return sum(found) * (2 if len(found) >= 3 else 1)


def scartini(cards: Sequence[str]) -> int:
    """The cards paired one by one: with values both less one, a value with a scartino, two scartini one."""
    points = 0
    for one, other in zip(cards[::2], cards[1::2], strict=True):
        high, low = max(_value(one), _value(other)), min(_value(one), _value(other))
        points += high + low - 1 if low else high or 1
    return points


def _value(card: str) -> int:
    """What a card is worth beside a scartino; 0 for a scartino."""
    return 5 if card in FIVES else {"Q": 4, "C": 3, "F": 2}.get(card[0], 0) if card[1:] in list(SUITS) else 0


def _wild(cards: Collection[str]) -> int:
    return ("beg" in cards) + ("mat" in cards)


def _great(cards: Collection[str]) -> int:
    """The most cards that any way of filling holes gives; 0 without a great sequence.

    Places run from the Mondo to the 5. A way is a set of holes that contatori fill, and a place at which it stops.
    """
    if "t20" not in cards:
        return 0
    wild, best = _wild(cards), 0
    places = [f"t{number}" for number in range(19, 4, -1)]
    holes = [card for card in places if card not in cards]
    for number in range(wild + 1):
        for filled in combinations(holes, number):
            for stop in range(3, len(places) + 1):
                best = max(best, _way(cards, wild, places[:stop], set(filled)))
    return best


def _way(cards: Collection[str], wild: int, run: list[str], filled: set[str]) -> int:
    """The cards of a great sequence that runs through ``run`` with these holes filled; 0 where it may not."""
    if not filled <= set(run):
        return 0
    head, numbers = run[:3], run[3:]
    free = [card for card in head if card not in cards and card not in filled]
    if len(free) > 1 or not any(card in cards for card in head):
        return 0  # one of the three may be missing for nothing, and one of them must be there
    if any(card not in cards and card not in filled for card in numbers):
        return 0
    if any(one not in cards and other not in cards for one, other in pairwise(numbers)):
        return 0
    last = int(run[-1][1:])
    if numbers and last > 5 and run[-1] not in cards and f"t{last - 1}" not in cards:
        return 0  # the first of two that are missing stops it
    if numbers and not {"t18", "t17", "t16"} & set(cards):
        return 0  # comma 16
    natural = sum(card in cards for card in run)
    mori = sum(f"m{number}" in cards for number in range(1, 5)) if run[-1] == "t5" else 0
    length = 1 + natural + mori + wild
    return length if length >= 3 else 0


def _suit(cards: Collection[str], suit: str) -> int:
    figures, wild = sum(rank + suit in cards for rank in "QCF"), _wild(cards)
    if "K" + suit not in cards or not figures or figures + min(1, wild) < 2:
        return 0
    return 1 + figures + ("A" + suit in cards) + wild


def _alike(cards: Collection[str], group: Iterable[str]) -> int:
    natural = sum(card in cards for card in group)
    return natural + _wild(cards) if natural >= 2 and natural + _wild(cards) >= 3 else 0


def differences(mine: Mapping[str, int], theirs: Mapping[str, int | None]) -> list[str]:
    """The items in which two scores of a line differ."""
    return [f"{name}: {value}, not {theirs.get(name)}" for name, value in mine.items() if theirs.get(name) != value]
