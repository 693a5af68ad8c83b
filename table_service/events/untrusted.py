"""Values of a JSON document that another program wrote: a value of the wrong kind counts as absent.

Pages and archives read what any table of any version has published; none of it may make them fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def as_map(value: object) -> Mapping[str, Any]:
    """Return ``value`` if it is an object, else an empty one."""
    return value if isinstance(value, (dict, Mapping)) else {}  # dict first: the other question costs ten times as much


def as_list(value: object) -> list[Any]:
    """Return ``value`` as a list if it is one, else an empty one."""
    return list(value) if isinstance(value, (list, tuple)) else []


def as_whole(value: object) -> int | None:
    """Return ``value`` if it is a whole number, else None; True and False are not.

    >>> as_whole(7), as_whole(True), as_whole("7")
    (7, None, None)
    """
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_number(value: object) -> float | None:
    """Return ``value`` if it is a number, else None; True and False are not."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def as_name(value: object) -> str | None:
    """Return ``value`` if it is a text that is not empty, else None."""
    return value if isinstance(value, str) and value else None


def as_cards(value: object) -> tuple[str, ...]:
    """Return the card codes in ``value``, a list or nothing."""
    return tuple(card for card in as_list(value) if isinstance(card, str))


def sum_of(values: Iterable[int | None]) -> int | None:
    """Return the sum; None if one of the values is not known.

    >>> sum_of([1, 2]), sum_of([1, None])
    (3, None)
    """
    known = list(values)
    return None if None in known else sum(value or 0 for value in known)
