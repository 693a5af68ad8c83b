"""Maintenance of the console's file: old rows are deleted, whole copies are saved beside it."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Final

from table_service.console.settings import ConsoleSettings
from table_service.console.storage import Book
from table_service.console.storage.copies import copies
from table_service.console.storage.tournaments import DAY
from table_service.events.untrusted import as_list

log = logging.getLogger(__name__)
EVERY_S: Final = 6 * 3600.0
"""How often it is looked after."""
PHOTOGRAPHS: Final = "photographs"
"""Folder beside the console's file in which deals scored from photographs are kept."""
COPY_AFTER_S: Final = 20 * 3600.0
"""A copy is made where the newest one is older."""


def look_after(book: Book, settings: ConsoleSettings, *, now: float | None = None) -> str | None:
    """Prune and copy the file; one sentence where that did not work, which is no reason to stop."""
    at = time.time() if now is None else now
    gone = book.tournaments.prune(settings.keep_days, now=at)
    if gone:
        log.info("%d old rows have gone from the console's file", gone)
    if settings.data is None:
        return None
    try:
        _forget_photographs(book, settings.data.with_name(PHOTOGRAPHS), at - settings.keep_days * DAY)
    except OSError as error:
        return f"old photographs could not be deleted: {error.strerror or error}"
    if settings.copies <= 0:
        return None
    try:
        _copy(book, settings.data, settings.copies, at)
    except OSError as error:
        return f"no copy of the console's file could be made: {error.strerror or error}"
    return None


def _forget_photographs(book: Book, folder: Path, before: float) -> None:
    """Delete what was kept from photographs ``before``, but for the pictures of deals that are still in the book."""
    named = {str(name) for deal in book.photographed.since(0.0) for name in as_list(deal.told.get("pictures"))}
    for path in (*folder.glob("deal-*.json"), *folder.glob("*.jpg")):
        if path.stem not in named and path.stat().st_mtime < before:
            path.unlink(missing_ok=True)


def _copy(book: Book, path: Path, most: int, now: float) -> None:
    held = copies(path)
    if held and now - held[-1].stat().st_mtime < COPY_AFTER_S:
        return
    stamp = time.strftime("%Y%m%d%H%M%S", time.localtime(now))
    book.database.copy(path.with_name(f"{path.name}.copy-{stamp}"))
    for old in copies(path)[:-most]:
        old.unlink(missing_ok=True)
