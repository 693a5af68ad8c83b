"""Authorities of the halls that belong to the federation: whom its archive believes, hall by hall."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Final

from table_service.events.revocations import RevokedList
from table_service.events.signing import Voices, load_authority
from table_service.federation.errors import FederationError
from table_service.install.contents import table_user

log = logging.getLogger(__name__)
AUTHORITY: Final = "authority.crt"
REVOKED: Final = "revoked.crl"
LOOK_EVERY_S: Final = 5.0
"""Seconds between two looks whether a hall's files have changed."""
_Stamp = tuple[int, ...] | None


class HallAuthorities:
    """One folder for each hall, named as the hall is in the federation, with its authority's certificate in it.

    Beside it may be the list of what the hall has revoked. Halls that are added, and lists that change, are taken up
    while this runs.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[Voices, _Stamp]] = {}
        self._looked: dict[str, float] = {}

    def halls(self) -> list[str]:
        """Every hall of the federation."""
        return sorted(path.parent.name for path in self._folder.glob(f"*/{AUTHORITY}"))

    def of(self, hall: str) -> Voices | None:
        """Return whom to believe in ``hall``; None if it is no hall of the federation, or its files are damaged."""
        known, now = self._known.get(hall), time.monotonic()
        if now - self._looked.get(hall, -LOOK_EVERY_S) < LOOK_EVERY_S:
            return known[0] if known is not None else None
        if len(self._looked) > 10_000:  # names that anybody can make up
            self._looked.clear()
        self._looked[hall] = now
        if "/" in hall or hall in ("", ".", ".."):
            return None
        place = self._folder / hall
        stamp = _stamp(place / AUTHORITY)
        if stamp is None:
            self._known.pop(hall, None)
            return None
        stamp = (*stamp, int((place / REVOKED).exists()))
        if known is None or known[1] != stamp:
            try:
                self._known[hall] = (self._voices(hall), stamp)
            except FederationError as error:
                log.warning("%s", error)
                self._known.pop(hall, None)
        found = self._known.get(hall)
        return found[0] if found is not None else None

    def _voices(self, hall: str) -> Voices:
        path = self._folder / hall / AUTHORITY
        try:
            authority = load_authority(path.read_bytes())
        except (OSError, ValueError) as error:
            raise FederationError(f"the authority {path} of hall {hall} cannot be used: {error}") from None
        file = path.with_name(REVOKED)
        revoked = RevokedList(file if file.exists() else None, authority)
        return Voices(authority, table_user, revoked, must_sign=True)


def _stamp(path: Path) -> _Stamp:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_ino
