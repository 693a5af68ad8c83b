"""Files of a hall's folder: written whole or not at all, and lent to the broker and the console alone."""

from __future__ import annotations

import grp
import os
from pathlib import Path

from hw.whole_files import write_whole


def write_owned(path: Path, data: bytes) -> None:
    """Write ``data`` whole or not at all, for its owner alone, in a folder that is made if it is missing."""
    if not path.parent.parent.is_dir():
        path.parent.parent.mkdir(mode=0o700)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    write_whole(path, data)


def lend(folder: Path) -> None:
    """Let the broker and the console read their own files, if this runs as root and they have groups of their own."""
    folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
    if os.geteuid() != 0:
        return
    for place, group in (("broker", "mosquitto"), ("console", "tavolo")):
        try:
            number = grp.getgrnam(group).gr_gid
        except KeyError:
            continue
        for path in (folder / place, *(folder / place).iterdir()):
            os.chown(path, 0, number)
            # systemd hands the console its keys; mosquitto reads its own after it has given up root's rights
            private = group == "tavolo" and path.suffix == ".key"
            path.chmod(0o750 if path.is_dir() else 0o600 if private else 0o640)
