"""An authority's list of revoked certificates, read again while a program runs."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Final

from cryptography import x509

from table_service.events.signing import revoked_serials

log = logging.getLogger(__name__)


class RevokedList:
    """The numbers of revoked certificates, read again when the file has changed; looked at every two seconds."""

    EVERY_S: Final = 2.0

    def __init__(self, path: Path | None, authority: x509.Certificate) -> None:
        self._path = path
        self._authority = authority
        self._serials: frozenset[int] = frozenset()
        self._stamp: tuple[int, int] | None = None
        self._looked = -self.EVERY_S

    def read(self) -> None:
        """Read the file if it has changed. Raises OSError, ValueError; what was known stays then."""
        if self._path is None:
            return
        about = self._path.stat()
        stamp = (about.st_mtime_ns, about.st_ino)
        if stamp != self._stamp:
            self._serials = revoked_serials(self._path.read_bytes(), self._authority)
            self._stamp = stamp

    def __call__(self) -> frozenset[int]:
        """Return what is revoked now, as far as the file can be read."""
        now = time.monotonic()
        if now - self._looked >= self.EVERY_S:
            self._looked = now
            try:
                self.read()
            except (OSError, ValueError) as error:
                log.warning("the list of what is revoked, %s, cannot be used: %s", self._path, error)
        return self._serials
