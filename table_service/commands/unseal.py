"""`tavolo sealing-key`, `unseal`, `openings`: the arbitro's key, what was sealed for it, who opened what and why."""

from __future__ import annotations

import getpass
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from nacl.public import PrivateKey
from nacl.signing import VerifyKey

from hw.observation_log import LogError
from table_service.journal import SealedLog, ledger_of, load_or_make_key, note_opening, openings
from table_service.publish import SealError, open_sealed


def arbitro_key(path: Path) -> PrivateKey:
    """Return the arbitro's private Curve25519 key at ``path``, 64 hexadecimal digits; made there, mode 0600, if none.

    Raises JournalError.
    """
    return PrivateKey(bytes(load_or_make_key(path)))


def for_the_tables(key: PrivateKey) -> str:
    """Return what every table's configuration needs to seal for ``key``."""
    return f'[sealing]\narbitro = "{bytes(key.public_key).hex()}"'


@dataclass(frozen=True)
class Unsealing:
    """Means of opening sealed things: the arbitro's key, the table's public one, and the reason, noted first."""

    key: PrivateKey
    table_key: VerifyKey
    ledger: Path
    reason: str

    @classmethod
    def asked(cls, key: Path, table_key: str, reason: str) -> Unsealing:
        """Make it; ``table_key`` is hexadecimal.

        Raises ValueError if it is invalid or no reason is given, and JournalError.
        """
        try:
            table = VerifyKey(bytes.fromhex(table_key))
        except (ValueError, TypeError):
            raise ValueError(
                "--table-key must be the table's public key, 64 hexadecimal digits: "
                "`tavolo audit JOURNAL --json` says it"
            ) from None
        if not reason.strip():
            raise ValueError("what is sealed is opened for a reason: say it with --reason")
        return cls(arbitro_key(key), table, ledger_of(key), reason)

    def note(self, what: str) -> None:
        """Note that ``what`` is opened. Raises JournalError: then it must stay closed."""
        at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        note_opening(self.ledger, at, _who(), what, self.reason)

    def log(self, path: Path, on_broken: Callable[[LogError], None] | None) -> IO[str]:
        """Open the sealed log at ``path``. Raises SealError, LogError, JournalError."""
        sealed = SealedLog(path, self.key, self.table_key)
        self.note(f"observation log {path.name} of table {sealed.table}, boot {sealed.boot}")
        return sealed.opened(on_broken)


def _who() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "?"


def opened(lines: Iterable[str], unsealing: Unsealing) -> Iterator[str]:
    """Each sealed message in ``lines``, one a line, its topic before it or not, opened as JSON.

    Each deal of each table is noted before its first message is opened. Raises SealError with the line's number,
    JournalError.
    """
    noted: set[str] = set()
    for number, line in enumerate(lines, 1):
        topic, space, message = line.strip().partition(" ")
        if topic.startswith("{") or not space:
            topic, message = "", line
        if message.strip():
            try:
                told = open_sealed(message.encode("utf-8", "replace"), unsealing.key, unsealing.table_key, topic)
            except SealError as error:
                raise SealError(f"line {number}: {error}") from error
            outer = json.loads(message)
            what = f"sealed messages of table {told['table']}, deal {outer.get('deal', '?')}"
            if what not in noted:
                unsealing.note(what)
                noted.add(what)
            yield json.dumps(told, ensure_ascii=False)


def told_openings(key: Path) -> tuple[list[str], bool]:
    """Return a line per opening with the key at ``key``, and if the ledger's chain is whole. Raises JournalError."""
    kept = openings(ledger_of(key))
    lines = [f"{one.at} {one.by}: {one.what}: {one.reason}{'' if one.whole else '  (ALTERED)'}" for one in kept]
    return lines, all(one.whole for one in kept)
