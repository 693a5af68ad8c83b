"""Errors of a hall's folder, a card, or a request about them."""

from __future__ import annotations

from hw.errors import TavoloError


class HallError(TavoloError):
    """A folder, a card or a table that is not as it must be; the message is one sentence."""


class HallUseError(HallError, ValueError):
    """Something that was asked for wrongly, such as a name that no table can have."""


def shown(word: str) -> str:
    """Return typed text as it may appear in a sentence of one line."""
    plain = "".join(letter if letter.isprintable() else "�" for letter in word)
    return plain if len(plain) <= 60 else f"{plain[:60]}…"
