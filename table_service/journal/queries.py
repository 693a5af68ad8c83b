"""Queries of a journal to its file: SQL, and the parameters of each."""

from __future__ import annotations

from typing import Final

EVERY: Final = """
SELECT e.n, e.boot, e.seq, e.body, e.secret, o.state FROM outbox o JOIN entries e ON e.n = o.n
WHERE o.n > ? ORDER BY o.n LIMIT ?"""
"""Every event after a place, with how far it is sent: place, limit."""
OPEN: Final = """
SELECT e.n, e.boot, e.seq, e.body, e.secret, o.state FROM outbox o JOIN entries e ON e.n = o.n
WHERE o.state < 2 AND o.n > ? ORDER BY o.n LIMIT ?"""
"""Events that no broker has acknowledged, after a place: place, limit."""
BETWEEN: Final = """
SELECT body FROM entries WHERE boot = ? AND seq BETWEEN ? AND ? AND kind = 'event' ORDER BY seq LIMIT ?"""
"""A boot's events between two numbers: boot, first, last, limit."""
EXTENTS: Final = """
SELECT boot, min(seq), max(seq) FROM entries
WHERE boot IN (SELECT DISTINCT boot FROM entries WHERE boot < ? ORDER BY boot DESC LIMIT ?) AND boot < ?
AND seq IS NOT NULL GROUP BY boot ORDER BY boot"""
"""First and last event of the newest boots before one: boot, how many, boot."""
ENDS: Final = """
SELECT (SELECT min(seq) FROM entries WHERE boot = ?), (SELECT max(seq) FROM entries WHERE boot = ?)"""
"""First and last number of a boot, each by the index: boot, boot."""
HIGHEST: Final = "SELECT coalesce(max(seq), 0) FROM entries WHERE boot = ?"
"""The highest number of a boot, 0 if it has none: boot."""
NOTED: Final = "SELECT body FROM entries WHERE kind = ? AND kind <> 'event' AND n > ? ORDER BY n"
"""Everything noted of a kind after a place: the index of notes finds it."""
NEWEST: Final = """
SELECT n FROM entries WHERE kind = 'event' AND n > ? AND body LIKE ? ORDER BY n DESC LIMIT 1"""
"""The newest event after a place whose text is like a pattern."""
LAST_BOOT: Final = "SELECT max(boot) FROM entries"
"""The newest boot: not that of the newest entry, as events of the boot before may be written after one has begun."""
CUT: Final = "SELECT n, hash FROM checkpoints WHERE n BETWEEN ? AND ? ORDER BY n DESC LIMIT 1"
"""The newest signed entry between two places."""
BEGAN: Final = "SELECT body FROM entries WHERE boot = ? AND seq IS NULL ORDER BY n LIMIT 1"
"""The note with which a boot begins."""
