"""Whole numbers that somebody typed, or put into an address: what is none is none, and nothing here ever fails.

``str.isdigit`` takes a superscript for a digit, which ``int`` refuses, as it refuses thousands of digits.
"""

from __future__ import annotations

from typing import Final

LONGEST: Final = 9
"""Digits: no deal, minute, row or page of a console has more."""


def is_whole(text: object) -> bool:
    """Return True if ``text`` is a number from 0 to 999 999 999 in plain digits.

    >>> [is_whole(text) for text in ("7", "²", "9" * 5000, "-1", "", None)]
    [True, False, False, False, False, False]
    """
    return isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) <= LONGEST


def whole(text: object) -> int | None:
    """Return the number that ``text`` names; None if it is not whole (``is_whole``)."""
    return int(text) if isinstance(text, str) and is_whole(text) else None
