"""Files that must be found whole after a power cut: written, synced, renamed, and their folder synced."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, data: bytes, *, mode: int = 0o600, own: Callable[[Path], None] | None = None) -> None:
    """Put a new file in the place of ``path``: after a cut there is the old one or the new one, never a part.

    Args:
        path: the file; its folder must exist.
        data: all of its bytes.
        mode: its permissions.
        own: called with the new file before it takes its place, to hand it to its owner.

    Raises:
        OSError: the disk takes no file; the old one is still there.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "T1.key", b"secret")
    ...     [one.name for one in Path(folder).iterdir()], (Path(folder) / "T1.key").read_bytes()
    (['T1.key'], b'secret')
    """
    number, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        Path(name).chmod(mode)
        if own is not None:
            own(Path(name))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Bring the names in ``folder`` to the disk. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
