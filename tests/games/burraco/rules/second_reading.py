"""Melds and scores of the three codes read a second time, from their texts (seeds 000 to 002), by trying everything.

Nothing here imports the rules that it is compared with, and no thought was given to speed: each way to read a meld is
made and looked at.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

ORDER: Final = "A23456789TJQK"


@dataclass(frozen=True)
class Text:
    """What a text says of melds and scores. ``inner``: a wild between two cards with seven on one side of it."""

    twins: int
    """How many cards of one face a set may hold."""
    worth: dict[str, int]
    whole_suit: bool
    eight_equal: bool
    neither_free: bool
    """Whether a pot that neither line took costs nothing."""
    inner: str = "semi-clean"
    two_aces: bool = False
    equal: int = 9
    """The most cards of a set."""
    naturals: int = 8


_THREE: Final = {"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200}
FIBUR2024: Final = Text(2, _THREE, whole_suit=False, eight_equal=False, neither_free=True)
FEBURIT: Final = Text(
    9,
    {**_THREE, "super-clean": 250, "over-the-top": 300},
    whole_suit=True,
    eight_equal=True,
    neither_free=False,
    naturals=9,
)
ONLINE: Final = Text(8, _THREE, whole_suit=False, eight_equal=False, neither_free=False)


def is_wild(card: str) -> bool:
    return card == "JK" or card[0] == "2"


def points(card: str) -> int:
    if card == "JK":
        return 30
    return {"2": 20, "A": 15}.get(card[0], 10 if card[0] in "89TJQK" else 5)


def best(text: Text, cards: tuple[str, ...]) -> tuple[str, str, int] | None:
    """Kind, class and bonus of the best way to read ``cards``; None where there is none."""
    ways = [*_sets(text, cards), *_runs(text, cards)]
    return max(ways, key=lambda way: way[2], default=None)


def _choices(cards: tuple[str, ...]) -> list[tuple[str | None, tuple[str, ...]]]:
    """Which card is the wild that stands for another, None for none, and the others."""
    found: list[tuple[str | None, tuple[str, ...]]] = [(None, cards)]
    for at, card in enumerate(cards):
        if is_wild(card):
            found.append((card, (*cards[:at], *cards[at + 1 :])))
    return found


def _sets(text: Text, cards: tuple[str, ...]) -> list[tuple[str, str, int]]:
    found = []
    for wild, others in _choices(cards):
        if len(cards) < 3 or len(cards) > text.equal or len(others) > text.naturals:
            continue
        if len({card[0] for card in others}) != 1 or any(map(is_wild, others)):
            continue
        if max(Counter(others).values()) > text.twins:
            continue
        name = "none"
        if len(cards) >= 7:
            name = "dirty" if wild else "clean"
            if wild and len(cards) >= 8:
                name = "semi-clean"
            if not wild and len(cards) >= 8 and text.eight_equal:
                name = "super-clean"
        found.append(("set", name, text.worth[name]))
    return found


def _runs(text: Text, cards: tuple[str, ...]) -> list[tuple[str, str, int]]:
    found = []
    for wild, others in _choices(cards):
        if len(cards) < 3 or "JK" in others or len({card[1] for card in others}) != 1:
            continue
        aces = [at for at, card in enumerate(others) if card[0] == "A"]
        if len(aces) > (2 if text.two_aces else 1):
            continue
        for where in product((1, 14), repeat=len(aces)):
            places = [ORDER.index(card[0]) + 1 for card in others]
            for at, place in zip(aces, where, strict=True):
                places[at] = place
            if len(set(places)) < len(places):
                continue
            for spot in range(1, 15) if wild else (0,):
                found += _run(text, sorted(places), spot)
    return found


def _run(text: Text, places: list[int], spot: int) -> list[tuple[str, str, int]]:
    """The run of natural cards at ``places`` and a wild at ``spot``, 0 for none."""
    if spot in places:
        return []
    whole = sorted([*places, *([spot] if spot else [])])
    if whole != list(range(whole[0], whole[0] + len(whole))):
        return []
    name = "none"
    if len(whole) >= 7:
        name = "over-the-top" if not spot and len(whole) >= 13 and text.whole_suit else "dirty" if spot else "clean"
        below, above = whole.index(spot) if spot else 0, len(whole) - 1 - whole.index(spot) if spot else 0
        at_end = below == 0 or above == 0
        if spot and max(below, above) >= 7 and (at_end or text.inner == "semi-clean"):
            name = "semi-clean"
    return [("run", name, text.worth[name])]


def total(text: Text, deal: dict[str, Any], line: str) -> int:
    """The points of ``line`` in a deal as ``tavolo count`` takes it."""
    mine = deal[line]
    neither = all(deal[one]["pot"] == "not-taken" for one in ("NS", "EW"))
    sum_ = mine["bonus"] + (100 if mine["closed"] else 0)
    for meld in mine["melds"]:
        way = best(text, tuple(meld))
        sum_ += sum(map(points, meld)) + (way[2] if way else 0)
    against = [card for hand in mine["hands"] for card in hand] + mine["penalised"]
    if mine["pot"] == "taken-unplayed":
        against += mine["pot_cards"]
    if mine["pot"] == "not-taken" and not (neither and text.neither_free):
        sum_ -= 100
    return sum_ - sum(map(points, against))
