"""The time that a table told (ISO 8601, UTC) as people read it: at the console's own place, as all its other times."""

from __future__ import annotations

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
