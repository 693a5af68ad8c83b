"""Times as people read them, at the console's own place: those that a table told (ISO 8601, UTC), and the console's."""

from __future__ import annotations

import time
from datetime import datetime


def local(told: object, shape: str = "%H:%M:%S") -> str:
    """``told`` as local time in the shape of ``strftime``; empty for what is no time."""
    if not isinstance(told, str):
        return ""
    try:
        return datetime.fromisoformat(told).astimezone().strftime(shape)
    except (ValueError, OverflowError):
        return ""


def time_of_day(seconds: float) -> str:
    """Seconds since 1970 as hours, minutes and seconds at the console's place."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%H:%M:%S")


def day_of(seconds: float) -> str:
    """Seconds since 1970 as a day at the console's place, as 2026-11-27."""
    return datetime.fromtimestamp(seconds).astimezone().date().isoformat()


def clock(seconds: float | None) -> str:
    """Return a moment as the hour and minute of the console's place."""
    return "" if seconds is None else time.strftime("%H:%M", time.localtime(seconds))


def deadline(seconds: float) -> str:
    """Return a moment to come as hour and minute, with the day if it is another one than today."""
    at, today = time.localtime(seconds), time.localtime()
    return time.strftime("%H:%M" if at[:3] == today[:3] else "%d.%m.%Y %H:%M", at)


def day(seconds: float | None) -> str:
    """Return a moment with its day."""
    return "" if seconds is None else time.strftime("%d.%m.%Y %H:%M", time.localtime(seconds))
