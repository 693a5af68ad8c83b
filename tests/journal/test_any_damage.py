"""A journal with damage of any kind at any byte: named with its place, its good part saved, nothing invented.

``DAMAGES=5000 python -m pytest -m sweep tests/journal/test_any_damage.py`` tries as many.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nacl.signing import SigningKey

from table_service.journal import Entry, Journal, JournalError, audit

KEY = SigningKey(bytes(range(32)))
STARTS, EVENTS = 3, 20
NAME = "T1.sqlite"
FORMAT = slice(60, 64)
"""Where SQLite keeps ``user_version``: who reads another number there takes the file for a newer program's."""
MANY = int(os.environ.get("DAMAGES", "1000"))
Place = tuple[str, int]
Damage = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Evening:
    """A journal of three starts. ``ahead``: its write-ahead file as a killed table leaves it, beside ``begun``."""

    data: bytes
    begun: bytes
    ahead: bytes
    events: dict[Place, dict[str, Any]]
    places: dict[int, Place]
    rows: dict[Place, tuple[int, int]]
    """From where to where in ``data`` the row of an event lies, of those that lie in one piece."""
    signed: list[tuple[int, int]]
    """The same of each checkpoint."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    folder = tmp_path_factory.mktemp("evening")
    path, events = folder / NAME, {}
    for start in range(STARTS):
        with Journal.open(path, "T1", KEY) as journal:
            for number in range(EVENTS):
                seq = journal.next_seq()
                text = f"{start}/{number} " + "abc" * (2000 if number == 13 else number * 23 % 140)
                kind = "score.counted" if number % 9 == 0 else "card.drawn"
                event = {"v": 1, "boot": journal.boot, "seq": seq, "type": kind, "data": {"said": text}}
                events[journal.boot, seq] = event
                journal.append([Entry(event, {"card": "7H#2"} if number % 4 == 0 else None)])
                if number % 10 == 0:
                    journal.note("command", {"do": "warn"}, f"c-{start}-{number}")
            if start == STARTS - 1:
                begun, ahead = path.read_bytes(), path.with_name(NAME + "-wal").read_bytes()
    data = path.read_bytes()
    with sqlite3.connect(path) as db:
        told = db.execute(
            "SELECT n, boot, seq, body, coalesce(secret, '') FROM entries WHERE kind = 'event'"
        ).fetchall()
        checkpoints = db.execute("SELECT CAST(hash || signature AS BLOB) FROM checkpoints").fetchall()
    rows: dict[Place, tuple[int, int]] = {}
    for _, boot, seq, body, secret in told:
        if data.count(body.encode()) == 1:
            at = data.index(body.encode())
            rows[boot, seq] = at - 60, at + len((body + secret).encode()) + 32
    signed = [(data.index(one) - 10, data.index(one) + len(one)) for (one,) in checkpoints if data.count(one) == 1]
    assert len(rows) > STARTS * EVENTS / 2
    assert signed
    return Evening(data, begun, ahead, events, {n: (boot, seq) for n, boot, seq, _, _ in told}, rows, signed)


# --- damage ----------------------------------------------------------------------------------------------------------


def cut(at: int) -> Damage:
    return lambda data: data[: at % len(data)]


def flip(at: int, bit: int) -> Damage:
    def done(data: bytes) -> bytes:
        place = at % len(data)
        return data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :]

    return done


def half_written(at: int, filling: bytes) -> Damage:
    """From somewhere on nothing, or something else, was written."""

    def done(data: bytes) -> bytes:
        place = at % len(data)
        return (data[:place] + filling + data[place + len(filling) :])[: len(data)]

    return done


ANYWHERE = st.integers(0, 2**24)
DAMAGE = st.one_of(
    st.builds(cut, ANYWHERE),
    st.builds(flip, ANYWHERE, st.integers(0, 7)),
    st.builds(flip, st.integers(0, 120), st.integers(0, 7)),
    st.builds(half_written, ANYWHERE, st.integers(1, 8192).map(bytes)),
    st.builds(half_written, ANYWHERE, st.binary(min_size=1, max_size=600)),
)


def tried(check: Callable[[Damage], None], examples: int) -> None:
    """Let hypothesis look for a damage that ``check`` does not take."""
    run = settings(
        max_examples=examples, deadline=None, derandomize=examples != MANY, database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )(given(DAMAGE)(check))  # fmt: skip
    run()


# --- what holds ------------------------------------------------------------------------------------------------------


def named(text: str) -> set[int]:
    """The entries that a sentence names as lost or changed."""
    found: set[int] = set()
    for first, last in re.findall(r"entries (\d+) to (\d+)", text):
        found |= set(range(int(first), int(last) + 1))
    return found | {int(one) for one in re.findall(r"entry (\d+)", text)}


def may_be_refused(evening: Evening, damaged: bytes) -> bool:
    """Whether nothing shows any more that it is this table's journal, or it says that a newer program wrote it."""
    untouched = [one for one in evening.signed if damaged[slice(*one)] == evening.data[slice(*one)]]
    return not untouched or damaged[FORMAT] != evening.data[FORMAT]


def holds(folder: Path, evening: Evening, damaged: bytes) -> None:
    """Open a journal of ``damaged`` bytes, and hold what comes of it against what was written."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / NAME
    path.write_bytes(damaged)
    journal, refused = None, ""
    try:
        journal = Journal.open(path, "T1", KEY)
    except JournalError as error:
        refused = str(error)
    if journal is None:
        assert str(path) in refused
        assert path.read_bytes() == damaged, "what is refused is left as it is"
        assert may_be_refused(evening, damaged), refused
        return
    with journal:
        mended = journal.mended
        kept = {(one.boot, one.seq): one.public for one in journal.events()}
        list(journal.pending(limit=1000))
    after = audit(path)
    altered = {place for place, event in kept.items() if evening.events.get(place) != event}
    missing = evening.events.keys() - kept.keys()
    if mended is None:
        assert not (altered or missing) or after.faults, "something is not as it was written, and nobody says so"
        return
    assert after.whole, after
    assert not altered, f"invented: {altered}"
    assert any(one.read_bytes() == damaged for one in folder.glob(f"{NAME}.damaged-*")), "it is kept as it was"
    last = max((n for n, place in evening.places.items() if place in kept), default=0)
    unnamed = {n for n, place in evening.places.items() if place in missing and n < last} - named(str(mended))
    assert not unnamed or len(named(str(mended))) >= 20, f"lost and not named: {unnamed}; {mended}"
    for place, (first, behind) in evening.rows.items():
        untouched = damaged[first:behind] == evening.data[first:behind]
        assert place in kept or not untouched, f"{place} was not touched, and not saved: {mended}"


def begins_where_it_was(folder: Path, evening: Evening, damaged: bytes) -> None:
    """Open a journal whose write-ahead file is damaged: what was written before the damage, and no word else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / NAME
    path.write_bytes(evening.begun)
    path.with_name(NAME + "-wal").write_bytes(damaged)
    with Journal.open(path, "T1", KEY) as journal:
        kept = {(one.boot, one.seq): one.public for one in journal.events()}
    in_order = [place for _, place in sorted(evening.places.items())]
    assert list(kept) == in_order[: len(kept)]
    assert all(evening.events[place] == event for place, event in kept.items())
    assert audit(path).whole


@pytest.mark.slow(seconds=20)
def test_damage_anywhere_in_a_journal(tmp_path: Path, evening: Evening) -> None:
    tried(lambda damage: holds(tmp_path / "tried", evening, damage(evening.data)), 40)


@pytest.mark.slow(seconds=10)
def test_damage_anywhere_in_what_was_not_yet_written_back(tmp_path: Path, evening: Evening) -> None:
    tried(lambda damage: begins_where_it_was(tmp_path / "tried", evening, damage(evening.ahead)), 20)


@pytest.mark.sweep
def test_much_damage_anywhere(tmp_path: Path, evening: Evening) -> None:
    tried(lambda damage: holds(tmp_path / "tried", evening, damage(evening.data)), MANY)
    tried(lambda damage: begins_where_it_was(tmp_path / "tried", evening, damage(evening.ahead)), MANY)
