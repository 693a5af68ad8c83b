"""Prizes by a ranking: who gets which, and what equals share. Pure.

One code has equal pairs divide the prizes of their places; no other that is played here says anything of
prizes, so the same holds there as a default. What cannot be divided, as a cup, is named for all of them: the direction
decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from table_service.console.rankings import Ranked
from table_service.console.ruling_forms import FormError

MOST: Final = 60
LONGEST: Final = 60
_AMOUNT: Final = re.compile(r"(?:€\s*)?(\d{1,7})(?:[.,](\d{2}))?(?:\s*€)?")


@dataclass(frozen=True, slots=True)
class Prize:
    """Prize of one entry. ``cents``: money; ``things``: what else; ``shared``: equals have these things together."""

    entry: str
    place: int
    group: int
    cents: int
    things: tuple[str, ...]
    shared: bool


def prizes_of(text: str) -> list[int | str]:
    r"""Prizes by place, from lines of text: cents of an amount, else what is written. Raises FormError.

    >>> prizes_of("500\n99,50 €\nCup")
    [50000, 9950, 'Cup']
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not 0 < len(lines) <= MOST or any(len(one) > LONGEST for one in lines):
        raise FormError("prizes_bad", most=MOST, long=LONGEST)
    return [_prize(one) for one in lines]


def _prize(line: str) -> int | str:
    found = _AMOUNT.fullmatch(line)
    return line if found is None else 100 * int(found[1]) + int(found[2] or 0)


def shared_out(ranking: Sequence[Ranked], prizes: Sequence[int | str]) -> list[Prize]:
    """Share out the prizes; each of several groups has its own. Equals divide the money of their places.

    Cents that cannot be divided stay with the direction. An entry whose result is not known gets none yet.
    """
    found: list[Prize] = []
    for group, place in sorted({(one.group, one.place) for one in ranking if one.place}):
        equal = [one.pair for one in ranking if (one.group, one.place) == (group, place)]
        found += _divided(equal, place, group, prizes[place - 1 : place - 1 + len(equal)])
    return found


def _divided(equal: Sequence[str], place: int, group: int, prizes: Sequence[int | str]) -> list[Prize]:
    """Return the ``prizes`` of the places that the ``equal`` entries have together."""
    if not prizes:
        return []
    cents = sum(one for one in prizes if isinstance(one, int)) // len(equal)
    things = tuple(one for one in prizes if isinstance(one, str))
    return [Prize(entry, place, group, cents, things, len(equal) > 1 and bool(things)) for entry in equal]


def amount(cents: int, *, comma: bool) -> str:
    """Cents as people write them."""
    whole, rest = divmod(cents, 100)
    return f"{whole}{',' if comma else '.'}{rest:02d}" if rest else str(whole)
