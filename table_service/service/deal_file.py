"""The file of the deal that is being played, kept beside the journal so that it outlives the power.

One file, mode 0600: where the observation log continues, the key of both (wrapped if systemd gives the service a
credential for it), and the state of the fold, encrypted. It is written anew when a deal begins and every ``EVERY``
observations, and destroyed when the deal was counted and nothing of it waits for the arbitro.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import zlib
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

import hw
import table_service
from hw.errors import TavoloError
from hw.observation_log import LogError, open_text
from hw.whole_files import sync_folder, write_whole
from table_service.events import Event
from table_service.events.deal_keys import KEY_BYTES, DealKey, SealError, bound, unlock
from table_service.rulesets import OUTSIDE
from table_service.service.fold_snapshot import unpacked
from table_service.table.fold_bytes import SnapshotError, packed

SUFFIX: Final = ".deal"
CREDENTIAL: Final = "tavolo-deal"
"""The name of the systemd credential with which the running deal's key is wrapped."""
_KIND: Final = "tavolo-running-deal"
_VERSION: Final = 1
_FIRST_MOST: Final = 1024 * 1024
_UNPACKED_MOST: Final = 64 * 1024 * 1024
"""A state is never so large (measured: 0.2 MB)."""


_CORE: Final = ("events", "games", "referee", "table", "tracking")
"""The rooms of which a fold is made."""


def program() -> str:
    """Return what sets this program's folds apart from those of another state of it.

    Its version, and a digest of the modules that a fold is made of: a version alone says nothing of a program that
    was updated from a repository. Raises OSError.
    """
    digest, home = hashlib.sha256(), Path(table_service.__file__).parent
    for folder in (Path(hw.__file__).parent, *(home / room for room in _CORE)):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    for point in entry_points(group=OUTSIDE):
        digest.update(str(None if point.dist is None else (point.dist.name, point.dist.version)).encode())
    return f"{table_service.__version__} ({digest.hexdigest()[:12]})"


class RunningDealError(TavoloError):
    """A running deal that cannot be taken up; the message says why, without a full stop."""


@dataclass(frozen=True, slots=True)
class LogMark:
    """A place in an observation log: after ``position`` lines; ``first``: SHA-256 of its first line, hexadecimal.

    ``position`` None: before the first line that the key opens.

    ``deal`` and ``key`` open the lines that follow in a sealed log.
    """

    first: str
    position: int | None
    deal: int
    key: bytes

    @staticmethod
    def first_of(path: Path) -> str:
        """Return the name of the log at ``path``; empty if it cannot be read."""
        try:
            with open_text(path) as file:
                return hashlib.sha256(file.readline(_FIRST_MOST).encode()).hexdigest()
        except (LogError, OSError, EOFError, zlib.error):
            return ""


class OtherProgramError(RunningDealError):
    """A running deal whose state another program wrote, so that it is of no use here; its log is.

    ``program``: which one; ``mark``: where the log continues, and its key; ``place``: of the journal's newest entry.
    """

    def __init__(self, program: str, mark: LogMark, place: int) -> None:
        super().__init__(f"its state was written by version {program}")
        self.program, self.mark, self.place = program, mark, place


@dataclass(frozen=True, slots=True)
class DealState:
    """Saved state of a running deal: its fold, the events of the newest observation, the place in the log.

    ``place``: of the journal's newest entry; ``course``: the state of ``RunningDeal``.
    """

    fold: Any
    told: list[Event]
    course: dict[str, Any]
    mark: LogMark
    place: int


def wrapping_key() -> bytes | None:
    """Return the key under which systemd protects the running deal's key; None if it gives the service none."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if not folder:
        return None
    try:
        secret = (Path(folder) / CREDENTIAL).read_bytes()
    except OSError:
        return None
    return hashlib.blake2b(secret, digest_size=KEY_BYTES).digest() if secret.strip() else None


class DealFile:
    """The file of the running deal of one table."""

    def __init__(self, journal: Path, table: str, program: str) -> None:
        """``program``: which state of the program this is; what another one wrote is not read."""
        self.path = journal.with_suffix(SUFFIX)
        self._about = (_KIND, _VERSION, table, program)
        self._wrapping = wrapping_key()

    def write(self, state: DealState) -> None:
        """Put ``state`` in the place of what is kept. Raises OSError, SnapshotError."""
        mark, wrapping = state.mark, self._wrapping
        key = mark.key if wrapping is None else DealKey(wrapping, b"").lock(mark.key, bound(*self._about))
        head = json.dumps(
            {
                "kind": _KIND, "version": _VERSION, "table": self._about[2], "program": self._about[3],
                "first": mark.first, "position": mark.position, "deal": mark.deal, "place": state.place,
                "wrapped": wrapping is not None, "key": key.hex(),
            },
            separators=(",", ":"),
        ).encode()  # fmt: skip
        plain = zlib.compress(packed((state.fold, state.told, state.course)), 1)
        box = DealKey(mark.key, b"").lock(plain, bound(head))
        with _Overwritten(self.path):
            write_whole(self.path, head + b"\n" + box)

    def read(self, most_s: float) -> DealState | None:
        """Return the saved state, or None.

        Raises RunningDealError, or if older than ``most_s``; OtherProgramError if another program wrote it.
        """
        try:
            if time.time() - self.path.stat().st_mtime >= most_s:
                raise RunningDealError("it was played too long ago")
            head, _, box = self.path.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise RunningDealError(f"{self.path} cannot be read ({error.strerror or error})") from error
        try:
            told = json.loads(head)
            found = (told["kind"], told["version"], told["table"], told["program"])
            key, wrapped = bytes.fromhex(told["key"]), bool(told["wrapped"])
            mark = LogMark(str(told["first"]), int(told["position"]), int(told["deal"]), key)
            place = int(told["place"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise RunningDealError(f"{self.path} is torn or altered") from error
        if found[:3] != self._about[:3]:
            raise RunningDealError(f"{self.path} was written by version {found[3]} for table {found[2]}")
        try:
            if wrapped:
                if self._wrapping is None:
                    raise RunningDealError(f"systemd gives no credential {CREDENTIAL} to open {self.path}")
                key = unlock(key, self._wrapping, bound(*found))
            plain, mark = unlock(box, key, bound(head)), LogMark(mark.first, mark.position, mark.deal, key)
            if found != self._about:
                raise OtherProgramError(found[3], mark, place)
            fold, events, course = unpacked(_inflated(plain))
        except (SealError, SnapshotError, zlib.error, ValueError) as error:
            raise RunningDealError(f"{self.path}: {error}") from error
        return DealState(fold, events, course, mark, place)

    def destroy(self) -> None:
        """Overwrite the file and take it away: the deal's key is nowhere any more. Raises OSError."""
        with _Overwritten(self.path):
            self.path.unlink(missing_ok=True)
            sync_folder(self.path.parent)


class _Overwritten:
    """Overwrites the old content of a file once something else has its name, or nothing."""

    def __init__(self, path: Path) -> None:
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open(path, os.O_WRONLY | os.O_NOFOLLOW)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._file is None:
            return
        with suppress(OSError):
            if kind is None:
                os.pwrite(self._file, bytes(min(os.fstat(self._file).st_size, 4096)), 0)
                os.fdatasync(self._file)
        os.close(self._file)


def _inflated(packed_state: bytes) -> bytes:
    return zlib.decompressobj().decompress(packed_state, _UNPACKED_MOST)
