"""The observation log of a running table: written, sealed if there is an arbitro to seal for, and pruned.

A disk that refuses it stops no play: it is reported once, and how many lines are lacking.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from nacl.signing import SigningKey
from nacl.utils import random

from hw.observation_log import Header, LogWriter
from hw.observations import Observation
from hw.whole_files import sync_folder
from table_service.events.deal_keys import KEY_BYTES
from table_service.journal import SealedLogWriter
from table_service.journal.old_logs import prune_logs
from table_service.publish import Sealing
from table_service.service.deal_file import LogMark

log = structlog.get_logger("tavolo")
SYNC_S: Final = 0.5
"""Seconds between two syncs of the log: a power cut costs what was sensed since the last one."""
LOGS_EVERY: Final = 3600.0
"""Seconds between two looks at old logs."""


class KeptLog:
    """The log of this start; without a place nothing is written."""

    def __init__(self, place: Path | None, header: Header, boot: str, key: SigningKey, sealing: Sealing | None) -> None:
        """Begin it; an earlier one is kept beside it, under a name of its own. Raises OSError."""
        self._place = place
        self._path = None if place is None else _place_for(place, boot, sealing)
        self._writer = None if self._path is None else _new_log(self._path, header, boot, key, sealing)
        self._lock = threading.Lock()
        self._open_key = random(KEY_BYTES)
        """The key for the saved state of a running deal if the log itself is not sealed."""
        self._closing = threading.Event()
        self._refused = False
        self._prune_due = 0.0
        self._written = 1
        """Lines of the log, with its header."""
        self.unlogged = 0
        """Observations that the log lacks, because its disk refused them."""
        self._syncing = threading.Thread(target=self._sync_until_closed, name="log-sync", daemon=True)
        if self._writer is not None:
            self._syncing.start()

    def _sync_until_closed(self) -> None:
        """Bring to the disk what was sensed, at most a second after it was."""
        while not self._closing.wait(SYNC_S):
            self.sync()

    def sync(self) -> None:
        """Write what waits and wait until the disk has it."""
        if self._writer is None:
            return
        self.flush()
        try:
            os.fdatasync(self._writer.fileno())
        except (OSError, ValueError) as error:  # ValueError: it is closed
            if not self._closing.is_set():
                self._refuse(OSError(*error.args))

    def write(self, observation: Observation) -> None:
        """Write an observation."""
        if self._writer is None:
            return
        try:
            with self._lock:
                self._writer.write(observation)
                self._written += 1
        except OSError as error:
            self.unlogged += 1
            self._refuse(error)

    def mark(self) -> LogMark | None:
        """Bring the log to the disk; return the place where it continues.

        None without a log, or if its disk refuses it.
        """
        self.sync()
        with self._lock:
            if self._writer is None or self._path is None or self._refused:
                return None
            if isinstance(self._writer, SealedLogWriter):
                whole, at = not self._writer.waiting, self._writer.lines
                deal, key = self._writer.deal, self._writer.deal_key
            else:
                whole, at, deal, key = not self.unlogged, self._written, 0, self._open_key
            return LogMark(LogMark.first_of(self._path), at, deal, key) if whole else None

    def flush(self) -> None:
        """Write what waits for the disk."""
        if self._writer is None or self._closing.is_set():
            return
        try:
            with self._lock:
                self._writer.flush()
        except OSError as error:
            self._refuse(error)
            return
        if self._refused:
            self._refused = False
            log.error("log", problem=f"the observation log is written again; {self.unlogged} lines are not in it")

    def _refuse(self, error: OSError) -> None:
        if not self._refused:
            log.error("log", problem=f"the observation log cannot be written: {error.strerror or error}")
        self._refused = True

    def prune(self) -> None:
        """Let the oldest logs of earlier starts go, once an hour."""
        if self._place is None or time.monotonic() < self._prune_due:
            return
        self._prune_due = time.monotonic() + LOGS_EVERY
        try:
            gone = prune_logs(self._place, time.time())
        except OSError as error:
            log.error("log", problem=f"old observation logs cannot be looked through: {error.strerror or error}")  # noqa: TRY400
            return
        if gone:
            log.warning("log", problem=f"observation logs removed for age or space: {', '.join(p.name for p in gone)}")

    def close(self) -> None:
        """Write what waits, bring it to the disk, and close the file."""
        if self._writer is None or self._closing.is_set():
            return
        self.sync()
        self._closing.set()
        with suppress(OSError), self._lock:
            self._writer.close()


def _place_for(path: Path, boot: str, sealing: Sealing | None) -> Path:
    """Return where the log of this boot is written; an earlier one there gets a name of its own. Raises OSError.

    If there is an arbitro to seal for, nothing of it is on the disk in the open, and its name ends in ``.sealed``.
    """
    if sealing is not None:
        path = path.with_name(f"{path.name.partition('.')[0]}.sealed")
    if path.exists():
        stem, dot, suffixes = path.name.partition(".")
        number = f"before-{boot}"
        while (aside := path.with_name(f"{stem}.{number}{dot}{suffixes}")).exists():
            number += "x"
        path.rename(aside)
    return path


def _new_log(
    path: Path, header: Header, boot: str, key: SigningKey, sealing: Sealing | None
) -> LogWriter | SealedLogWriter:
    """Open a log for this boot. Raises OSError."""
    writer = LogWriter(path, header) if sealing is None else SealedLogWriter(path, header, sealing.arbitro, key, boot)
    with suppress(OSError):
        sync_folder(path.parent)
    return writer
