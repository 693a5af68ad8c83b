"""Longest messages of a table. A longer one was made by no table of ours, and is refused unread.

The longest in rehearsed rounds (26 November 2026, three rule sets): a state 3.3 kB, an event
4.2 kB, a sealed message 11.3 kB; a picture of noise, the longest JPEG that a table can make, has 0.8 MB.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PACKET_BYTES: Final = 4 * 1024 * 1024
"""Most bytes of a whole packet, for broker and console: a longer one is not even sent on."""
_USUAL_BYTES: Final = 64 * 1024
_BYTES: Final[Mapping[str, int]] = {"state": 256 * 1024, "resent": 1024 * 1024, "evidence": 2 * 1024 * 1024}
"""By kind of topic; of ``resent``: forty events in one answer."""


def is_too_long(kind: str, length: int) -> bool:
    """Return whether a message of ``length`` bytes on a topic of this kind is longer than any table's own.

    >>> is_too_long("event", 5_000), is_too_long("event", 100_000), is_too_long("evidence", 900_000)
    (False, True, False)
    """
    return length > _BYTES.get(kind, _USUAL_BYTES)
