"""An observation log that lies sealed on the disk: a key for each deal, sealed for the arbitro; every line signed.

JSON lines: first ``{"kind":"sealed-log",…}`` with table, boot and the table's public key; then, numbered from 1,
``key`` (a deal begins, with its key for the arbitro), ``block`` (lines of the plain log, encrypted) and ``end``. Each
carries an Ed25519 signature over table, boot, number, kind, deal and content. The blocks' keys are nowhere on the disk.
"""

from __future__ import annotations

import base64
import errno
import io
import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey
from nacl.signing import SigningKey, VerifyKey

from hw.observation_json import json_line, observation_to_json
from hw.observation_log import SEALED_LOG, Header, LogError, header_to_json
from hw.observations import Console, Observation
from table_service.events.deal_keys import DealKeys, SealError, bound, filled, unlock, unwrap

_CONTEXT: Final = "tavolo-sealed-log-1"
_FILL: Final = 1024
"""Blocks are filled up to a multiple of this many bytes."""
BLOCK: Final = 64 * 1024
"""Bytes of lines that wait in memory, unless the table calls ``flush`` before (every five seconds)."""
WAITING_MOST: Final = 1024 * 1024
"""Most bytes of lines that wait while the disk takes nothing."""
_LINE_MOST: Final = 4 * WAITING_MOST


def _encoded(plain: bytes) -> str:
    return base64.b64encode(plain).decode()


class SealedLogWriter:
    """Writes a log as ``hw.observation_log.LogWriter`` does, and nothing of it in the open. The file is new, 0600.

    ``arbitro``: his public Curve25519 key, 32 bytes; ``boot`` is this start's, and never another's. Raises OSError.
    """

    def __init__(self, path: Path, header: Header, arbitro: bytes, table_key: SigningKey, boot: str) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.fchmod(descriptor, 0o600)
        self._file = os.fdopen(descriptor, "wb", buffering=0)
        self._about = (_CONTEXT, header.table, boot)
        self._keys = DealKeys(arbitro)
        self._table_key = table_key
        self._deal = 0
        self._number = 0
        self._key_told: int | None = None
        """Deal whose key is last in the file."""
        self._torn = False
        """True if the disk took only a part of a line."""
        self._refused = False
        """True if the disk did not take the last sealed block."""
        self._waiting = bytearray()
        first = {
            "kind": SEALED_LOG, "version": 1, "table": header.table, "boot": boot, "started": header.started,
            "table_key": bytes(table_key.verify_key).hex(),
        }  # fmt: skip
        self._append(json.dumps(first, separators=(",", ":")).encode())
        self._add(header_to_json(header))
        self.flush()

    @property
    def lines(self) -> int:
        """Lines of the file, the first one not counted."""
        return self._number

    @property
    def deal(self) -> int:
        """Number of the deal whose key encrypts what is written now; the table's first since its start is 1."""
        return self._deal

    @property
    def deal_key(self) -> bytes:
        """The key that encrypts what is written now. A secret."""
        return self._keys.of(self._deal).key

    @property
    def waiting(self) -> int:
        """Bytes of lines that wait for the disk."""
        return len(self._waiting)

    def fileno(self) -> int:
        """Return the open file's descriptor."""
        return self._file.fileno()

    def _add(self, data: dict[str, Any]) -> None:
        self._waiting += json_line(data) + b"\n"

    def write(self, observation: Observation) -> None:
        """Append one observation. Raises OSError if the disk takes nothing and no more can wait: it is not kept."""
        begins = isinstance(observation, Console) and observation.do == "deal"
        if (begins or len(self._waiting) >= BLOCK) and not self._refused:  # else ``flush`` tries again, now and then
            with suppress(OSError):
                self.flush()
        if len(self._waiting) >= WAITING_MOST:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if begins and not self._waiting:  # else the lines that wait go into the block of the deal before, this one too
            self._deal += 1
        self._add(observation_to_json(observation))

    def flush(self) -> None:
        """Seal what waits and write it. Raises OSError; then it waits on."""
        if self._waiting:
            self._refused = True
            if self._key_told != self._deal:
                self._line("key", self._keys.of(self._deal).wrapped)
                self._key_told = self._deal
            place = bound(*self._about, self._number + 1, self._deal)
            self._line("block", self._keys.of(self._deal).lock(filled(bytes(self._waiting), _FILL), place))
            self._waiting.clear()
            self._refused = False

    def close(self) -> None:
        """Finish the file with a line that says so. Raises OSError."""
        try:
            self.flush()
            self._line("end", b"")
        finally:
            self._file.close()

    def _line(self, kind: str, content: bytes) -> None:
        number = self._number + 1
        signed = self._table_key.sign(bound(*self._about, number, kind, self._deal, content)).signature
        line = {
            "kind": kind,
            "n": number,
            "deal": self._deal,
            "content": _encoded(content),
            "signature": _encoded(signed),
        }
        self._append(json.dumps(line, separators=(",", ":")).encode())
        self._number = number

    def _append(self, line: bytes) -> None:
        """One whole line into the file; what a full disk took half of is ended before the next one."""
        line = (b"\n" if self._torn else b"") + line + b"\n"
        done = 0
        while done < len(line):
            written = self._file.write(line[done:])
            if not written:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            done += written
            self._torn = done < len(line)


class _Unsealed(io.RawIOBase):
    """The bytes of the plain log, block by block, as a stream."""

    def __init__(self, blocks: Iterator[bytes], close: Callable[[], None]) -> None:
        self._blocks, self._close, self._rest = blocks, close, b""

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        """Fill ``into`` with what comes next; 0 at the end."""
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = block
        taken = self._rest[: len(into)]
        into[: len(taken)] = taken
        self._rest = self._rest[len(taken) :]
        return len(taken)

    def close(self) -> None:
        self._close()
        super().close()


def is_sealed(path: Path) -> bool:
    """Return True if the file at ``path`` begins as a sealed log does; False if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(_BEGINS)) == _BEGINS
    except OSError:
        return False


_BEGINS: Final = f'{{"kind":"{SEALED_LOG}"'.encode()


class SealedLog:
    """A sealed log that is to be read, with the arbitro's key and the table's public one.

    Raises LogError if it is not one, and SealError if it is another table's or sealed for another key.
    """

    def __init__(self, path: Path, arbitro: PrivateKey | None, table_key: VerifyKey) -> None:
        self._path, self._arbitro, self._table_key = path, arbitro, table_key
        try:
            with path.open("rb") as file:
                first = json.loads(file.readline(_LINE_MOST))
            self.table, self.boot = str(first["table"]), str(first["boot"])
            named = str(first["table_key"])
        except OSError as error:
            raise LogError(f"cannot read the log {path}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise LogError(f"{path} is no sealed log: its first line says neither table nor boot", 1) from None
        if named != bytes(table_key).hex():
            raise SealError(f"{path}: its table's key is {named[:64]}, another one than given")
        self._about = (_CONTEXT, self.table, self.boot)

    def opened(self, on_broken: Callable[[LogError], None] | None = None) -> IO[str]:
        """Return the plain log as a text stream, read as it is asked for.

        A line that is lacking, altered or not to be opened goes to ``on_broken`` and is passed over; without it it is
        raised. Raises SealError if the log's first key does not open, LogError.
        """
        try:
            file = self._path.open("rb")
        except OSError as error:
            raise LogError(f"cannot read the log {self._path}: {error.strerror or error}") from None
        blocks = self._blocks(file, on_broken)
        try:
            first = next(blocks, b"")
        except (SealError, LogError):
            file.close()
            raise
        raw = _Unsealed(_again(first, blocks), file.close)
        return io.TextIOWrapper(io.BufferedReader(raw), encoding="utf-8", errors="replace")

    def _blocks(self, file: IO[bytes], on_broken: Callable[[LogError], None] | None) -> Iterator[bytes]:
        def broken(why: str, line: int) -> None:
            error = LogError(f"line {line} of the sealed log: {why}", line)
            if on_broken is None:
                raise LogError(f"{self._path}: {error}", line)
            on_broken(error)

        file.readline(_LINE_MOST)
        key: tuple[int, bytes] | None = None
        line, expected, ended, opened_any = 1, 1, False, False
        while text := file.readline(_LINE_MOST):
            line += 1
            try:
                kind, number, deal, content = self._checked(text)
            except SealError as error:
                broken(str(error), line)
                continue
            if number < expected:
                broken(f"number {number} stands here again", line)
                continue
            if number > expected:
                broken(f"{number - expected} lines before it are lacking", line)
            expected, ended = number + 1, kind == "end"
            try:
                if kind == "key":
                    if self._arbitro is None:
                        raise SealError("the arbitro's key is lacking")
                    key = deal, unwrap(content, self._arbitro)
                elif kind == "block":
                    if key is None or key[0] != deal:
                        raise SealError("the key of its deal is lacking")
                    plain = unlock(content, key[1], bound(*self._about, number, deal))
                    opened_any = True
                    yield plain.rstrip(b" ")
            except SealError as error:
                if not opened_any and kind == "key":
                    raise SealError(f"{self._path}: {error}") from error
                broken(str(error), line)
        if not ended:
            broken("the log has no end: its table was killed, or what came last is lacking", line + 1)

    def blocks_after(self, number: int | None, deal: int, key: bytes) -> Iterator[bytes]:
        """Return the content of the blocks after line ``number``, opened with the ``key`` of ``deal``.

        ``number`` None: all of that deal.

        Raises SealError at the first unsound line, LogError.
        """
        try:
            with self._path.open("rb") as file:
                file.readline(_LINE_MOST)
                expected = None
                while text := file.readline(_LINE_MOST):
                    kind, found, of, content = self._checked(text)
                    if expected is None and (of != deal if number is None else found <= number):
                        continue
                    due = expected or (found if number is None else number + 1)
                    if found != due:
                        raise SealError(f"line {due} is lacking")
                    expected = found + 1
                    if of != deal:
                        raise SealError("the key of its deal is lacking")
                    if kind == "block":
                        yield unlock(content, key, bound(*self._about, found, deal)).rstrip(b" ")
        except OSError as error:
            raise LogError(f"cannot read the log {self._path}: {error.strerror or error}") from None

    def _checked(self, text: bytes) -> tuple[str, int, int, bytes]:
        """Kind, number, deal and content of a line that the table signed. Raises SealError."""
        try:
            one = json.loads(text)
            kind, number, deal = str(one["kind"]), int(one["n"]), int(one["deal"])
            content = base64.b64decode(one["content"], validate=True)
            signature = base64.b64decode(one["signature"], validate=True)
            self._table_key.verify(bound(*self._about, number, kind, deal, content), signature)
        except CryptoError as error:
            raise SealError("it was not signed by this table, or not as it stands here") from error
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise SealError("it is no line of a sealed log") from error
        return kind, number, deal, content


def sealed_lines_after(
    path: Path, table_key: VerifyKey, number: int | None, deal: int, key: bytes
) -> tuple[list[str], str]:
    """Return the plain lines in the blocks after line ``number``, and what ended them before the log's end; or nothing.

    The blocks are those of one ``deal``, whose ``key`` the table has kept; ``number`` None: all of them.
    """
    log = SealedLog(path, None, table_key)
    blocks = log.blocks_after(number, deal, key)
    plain, problem = b"", ""
    try:
        for block in blocks:
            plain += block
    except (SealError, LogError) as error:
        problem = str(error)
    return plain.decode(errors="replace").splitlines(keepends=True), problem


def _again(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest
