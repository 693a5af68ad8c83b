"""Identifiers of tags as others write them: small letters, separators, least significant byte first.

ISO/IEC 15693-3, 4.1: a UID has 64 bits, of which the most significant eight are E0. A reader sends the least
significant byte first, and some programs show it so. Here a UID is 16 capital hexadecimal digits that begin with E0.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from hw.errors import TavoloError

_SEPARATORS: Final = re.compile(r"[\s:.\-]")
_DIGITS: Final = re.compile(r"[0-9A-F]{16}")
_FIRST: Final = "E0"


class TagUidError(TavoloError, ValueError):
    """Identifiers that can't be understood for certain; ``uid`` is the one, as it was written."""

    def __init__(self, uid: str, why: str) -> None:
        super().__init__(why)
        self.uid = uid


def plain_uid(uid: str) -> str | None:
    """Return the 16 capital digits of a UID in whatever form; None if it has not 16 hexadecimal digits.

    >>> plain_uid("0xe0:04:01:50:a1:b2:c3:d4"), plain_uid("E004 0150-A1B2C3D4"), plain_uid("04A1B2C3D4E5F6")
    ('E0040150A1B2C3D4', 'E0040150A1B2C3D4', None)
    """
    digits = _SEPARATORS.sub("", uid).upper().removeprefix("0X")
    return digits if _DIGITS.fullmatch(digits) else None


def reversed_uid(digits: str) -> str:
    """Return 16 digits in the other order of bytes.

    >>> reversed_uid("D4C3B2A1500104E0")
    'E0040150A1B2C3D4'
    """
    return "".join(digits[place : place + 2] for place in range(14, -2, -2))


def named_by_uid(tags: Mapping[str, str]) -> dict[str, str]:
    """Return a map from UID to card with each UID as readers here report it.

    The order of bytes is that in which all of them are UIDs; if each has one of its own, the one that can be read
    both ways makes the map uncertain. Raises TagUidError for that one, for one that is no UID, and for two that name
    different cards for one tag.

    >>> named_by_uid({"d4:c3:b2:a1:50:01:04:e0": "7H#1", "E0:C3:B2:A1:50:01:04:E0": "8H#1"})
    {'E0040150A1B2C3D4': '7H#1', 'E0040150A1B2C3E0': '8H#1'}
    """
    named, faults = read_tags(tags.items())
    if faults:
        raise faults[0]
    return named


def read_tags(tags: Iterable[tuple[str, str]]) -> tuple[dict[str, str], list[TagUidError]]:
    """Return the same map, of what can be understood, and every fault; ``tags``: UID and card as they are written."""
    pairs = list(tags)
    written = _Written(uid for uid, _ in pairs)
    named: dict[str, str] = {}
    faults: list[TagUidError] = []
    for uid, card in pairs:
        try:
            digits = written.digits(uid)
        except TagUidError as error:
            faults.append(error)
            continue
        if named.setdefault(digits, card) != card:
            faults.append(TagUidError(uid, f"this tag stands there twice, as {named[digits]} and as {card}"))
    return named, faults


class _Written:
    """The identifiers of one map as they are written: which can be read in which order of bytes."""

    def __init__(self, uids: Iterable[str]) -> None:
        self._plain = {uid: digits for uid in uids if (digits := plain_uid(uid)) is not None}
        self._right = {uid for uid, digits in self._plain.items() if digits.startswith(_FIRST)}
        self._turned = {uid for uid, digits in self._plain.items() if digits.endswith(_FIRST)}
        self._is_right = bool(self._right - self._turned)
        self._is_turned = bool(self._turned - self._right)

    def digits(self, uid: str) -> str:
        """Return the digits of ``uid`` in the right order. Raises TagUidError."""
        if uid not in self._right | self._turned:
            raise TagUidError(uid, "a tag's UID has 16 hexadecimal digits and begins with E0, or ends with it")
        if uid in self._right & self._turned:
            if self._is_right and self._is_turned:
                raise TagUidError(uid, "it could be read in both orders of bytes, and the others differ in theirs")
            is_turned = self._is_turned
        else:
            is_turned = uid in self._turned
        return reversed_uid(self._plain[uid]) if is_turned else self._plain[uid]


def named_as_read(tags: Mapping[str, str]) -> dict[str, str]:
    """Return ``named_by_uid``; what it refuses stays as it is written."""
    try:
        return named_by_uid(tags)
    except TagUidError:
        return dict(tags)


def uids_as_named(uids: Iterable[str], known: Collection[str]) -> tuple[str, ...]:
    """Return what a reader said, each tag that ``known`` names as it is named there; others as they were said."""
    return tuple(_as_named(uid, known) for uid in uids)


def _as_named(uid: str, known: Collection[str]) -> str:
    digits = None if uid in known else plain_uid(uid)
    if digits is None:
        return uid
    return next((one for one in (digits, reversed_uid(digits)) if one in known), uid)
