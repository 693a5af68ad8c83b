"""Copies of the console's book that lie beside it: the newest is what a damaged book is mended from."""

from __future__ import annotations

from pathlib import Path


def copies(path: Path) -> list[Path]:
    """Return the whole copies of the console's file at ``path``, the oldest first."""
    return sorted(path.parent.glob(f"{path.name}.copy-*[0-9]"))


def newest_copy(path: Path) -> Path | None:
    """Return the newest whole copy, or None."""
    found = copies(path)
    return found[-1] if found else None
