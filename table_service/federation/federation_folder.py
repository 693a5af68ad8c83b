"""The folder of a federation: its authority, its broker's files, its workers' configuration, and each hall's bridge.

===================  =================================================================================
``federation.json``  the book: addresses, halls, every certificate issued, until when, revoked when
``authority/``       the federation's authority; its key is what must not be lost or seen
``broker/``          mosquitto's settings, rights, certificate, key, the list of what is revoked
``archive/``         ``federation.toml`` and the certificate with which workers sign in at the broker
``halls/NAME/``      whom to believe: the hall's own authority, and what that has revoked
``bridges/NAME/``    what a hall is given: ``bridge.conf``, the federation's authority, certificate and key
===================  =================================================================================
"""

from __future__ import annotations

import ipaddress
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from table_service.events.signing import load_authority as read_authority
from table_service.events.signing import revoked_serials
from table_service.federation.bridge_files import (
    WORKERS,
    bridge_settings,
    federation_rights,
    federation_settings,
    hall_user,
)
from table_service.federation.errors import FederationError, FederationUseError
from table_service.federation.hall_authorities import AUTHORITY, REVOKED
from table_service.hall.authority import Authority, load_authority, new_authority, private_pem
from table_service.hall.errors import HallError, shown
from table_service.hall.owned_files import write_owned
from table_service.install.machine_plan import NAME

BOOK: Final = "federation.json"
VERSION: Final = 1
DAYS: Final = 3653
_HOST: Final = re.compile(r"(?=.{1,120}$)[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")


@dataclass(slots=True)
class HallAdmission:
    """A hall of the federation: its name on its own topics, and its certificates. ``revoked``: serial and moment."""

    local: str
    serial: str = ""
    until: str = ""
    revoked: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_in(self) -> bool:
        """True if it has a certificate that is not revoked."""
        return bool(self.serial)


@dataclass(slots=True)
class FederationBook:
    """Records of the federation's authority."""

    name: str
    host: str
    halls_port: int = 8883
    workers_port: int = 8884
    archive: dict[str, Any] = field(default_factory=dict)
    """Keys of the section ``[archive]`` of the workers' configuration."""
    page_port: int = 8090
    halls: dict[str, HallAdmission] = field(default_factory=dict)


def create(folder: Path, book: FederationBook, now: datetime) -> Path:
    """Make a federation's folder and return its workers' configuration. Raises FederationError."""
    check_name(book.name)
    if not _HOST.fullmatch(book.host) and not _is_address(book.host):
        raise FederationUseError(f"'{shown(book.host)}' is no address of a machine")
    if book.halls_port == book.workers_port:
        raise FederationUseError("halls and workers need two different ports")
    if folder.exists() and any(folder.iterdir()):
        raise FederationError(f"{folder} is not empty: choose a new folder")
    folder = folder.absolute()
    folder.mkdir(mode=0o711, parents=True, exist_ok=True)
    authority = new_authority(book.name, now, DAYS, anywhere=True)
    write_owned(folder / "authority" / "authority.key", private_pem(authority.key))
    write_owned(folder / "authority" / "authority.crt", authority.pem)
    hosts = list(dict.fromkeys([book.host, "localhost", "127.0.0.1"]))
    server = authority.issue(f"broker-{book.name}", "server", now, hosts)
    write_owned(folder / "broker" / "authority.crt", authority.pem)
    write_owned(folder / "broker" / "broker.crt", server.certificate)
    write_owned(folder / "broker" / "broker.key", server.key)
    workers = authority.issue(WORKERS, "client", now)
    write_owned(folder / "archive" / "authority.crt", authority.pem)
    write_owned(folder / "archive" / f"{WORKERS}.crt", workers.certificate)
    write_owned(folder / "archive" / f"{WORKERS}.key", workers.key)
    (folder / "halls").mkdir(mode=0o700)
    config = folder / "archive" / "federation.toml"
    write_owned(config, _toml(folder, book).encode())
    _keep(folder, book, authority, now)
    return config


def admit(
    folder: Path, hall: str, local: str, authority: bytes, revoked: bytes | None, now: datetime, at: Path | None = None
) -> Path:
    """Take ``hall`` in, or give it a new certificate, and return the folder of what it is to be given.

    ``local``: its name on its own topics; ``authority``: its own authority's certificate, PEM; ``revoked``: that one's
    list; ``at``: where the hall's machine will have the files. Raises FederationError.
    """
    check_name(hall)
    check_name(local)
    book, own = _opened(folder)
    try:
        believed = read_authority(authority)
        if revoked is not None:
            revoked_serials(revoked, believed)
    except ValueError as error:
        raise FederationError(f"what was given as the authority of hall {hall} is none: {error}") from None
    try:
        made = own.issue(hall_user(hall), "client", now)
    except HallError as error:
        raise FederationError(str(error)) from None
    before = book.halls.get(hall)
    book.halls[hall] = HallAdmission(
        local, f"{made.serial:x}", made.until.isoformat(), before.revoked if before is not None else []
    )
    write_owned(folder / "halls" / hall / AUTHORITY, authority)
    if revoked is not None:
        write_owned(folder / "halls" / hall / REVOKED, revoked)
    place = folder.absolute() / "bridges" / hall
    write_owned(place / "federation.crt", own.pem)
    write_owned(place / f"{hall}.crt", made.certificate)
    write_owned(place / f"{hall}.key", made.key)
    settings = bridge_settings(hall, local, (book.host, book.halls_port), at or place)
    write_owned(place / "bridge.conf", settings.encode())
    _keep(folder, book, own, now)
    return place


def dismiss(folder: Path, hall: str, now: datetime) -> None:
    """Shut ``hall`` out: its certificate is revoked, it has no rights, nothing of it is believed any more.

    What the archive has of it stays. Raises FederationError.
    """
    book, own = _opened(folder)
    one = book.halls.get(hall)
    if one is None or not one.is_in:
        raise FederationError(f"'{shown(hall)}' is no hall of this federation")
    one.revoked.append((one.serial, now.isoformat()))
    one.serial = ""
    shutil.rmtree(folder / "halls" / hall, ignore_errors=True)
    shutil.rmtree(folder / "bridges" / hall, ignore_errors=True)
    _keep(folder, book, own, now)


def read_book(folder: Path) -> FederationBook:
    """Return the book of the federation in ``folder``. Raises FederationError."""
    path = folder / BOOK
    try:
        told = json.loads(path.read_text("utf-8"))
        if told.pop("version") > VERSION:
            raise FederationError(f"{path} was written by a newer Tavolo: use that one")
        halls = {
            name: HallAdmission(**{**one, "revoked": [(serial, when) for serial, when in one["revoked"]]})
            for name, one in told.pop("halls").items()
        }
        return FederationBook(**told, halls=halls)
    except FileNotFoundError:
        raise FederationError(f"{folder} holds no federation: 'tavolo federation init {folder}' makes one") from None
    except OSError as error:
        raise FederationError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FederationError(f"{path} is damaged: take it from a copy") from None


def check_name(name: str) -> None:
    """Raise FederationUseError if ``name`` cannot be a hall's or a federation's."""
    if not NAME.fullmatch(name):
        raise FederationUseError(f"'{shown(name)}' is no name for a hall: letters, digits, - and _, at most 40")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _opened(folder: Path) -> tuple[FederationBook, Authority]:
    book = read_book(folder)
    place = folder / "authority"
    try:
        made = load_authority((place / "authority.crt").read_bytes(), (place / "authority.key").read_bytes())
    except OSError as error:
        raise FederationError(f"{error.filename or place} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise FederationError(f"the authority in {place} cannot be used: {error}") from None
    return book, made


def _keep(folder: Path, book: FederationBook, authority: Authority, now: datetime) -> None:
    """Write what depends on all halls together: the book, the broker's rights, settings and list of the revoked."""
    told: Mapping[str, Any] = {"version": VERSION, **asdict(book)}
    write_owned(folder / BOOK, (json.dumps(told, indent=1) + "\n").encode())
    revoked = [
        (int(serial, 16), datetime.fromisoformat(when)) for one in book.halls.values() for serial, when in one.revoked
    ]
    broker = folder.absolute() / "broker"
    write_owned(broker / "revoked.crl", authority.revoked_list(revoked, now))
    halls = [name for name, one in book.halls.items() if one.is_in]
    write_owned(broker / "rights.acl", federation_rights(halls).encode())
    write_owned(broker / "mosquitto.conf", federation_settings(broker, book.halls_port, book.workers_port).encode())


def _toml(folder: Path, book: FederationBook) -> str:
    place = folder / "archive"
    archive = "".join(f"{key} = {json.dumps(value)}\n" for key, value in book.archive.items())
    return (
        f'[federation]\nname = "{book.name}"\nhalls = "{folder}/halls"\n\n'
        f'[broker]\nhost = "{book.host}"\nport = {book.workers_port}\nca_file = "{place}/authority.crt"\n'
        f'certificate_file = "{place}/{WORKERS}.crt"\nkey_file = "{place}/{WORKERS}.key"\n\n'
        f'[archive]\n{archive}\n[page]\nport = {book.page_port}\ndata = "{place}/page.sqlite"\n'
    )
