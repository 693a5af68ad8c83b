"""The folder of a hall's authority: its key, what it has issued, the files of broker and console, the tables' cards.

===============  =======================================================================================
``hall.json``    the book: hall, addresses, tables, every certificate issued, until when, revoked when
``authority/``   its certificate and its key; the key is what must not be lost or seen
``broker/``      mosquitto's settings, rights, certificate, key, the list of what is revoked
``console/``     ``hall.toml``, certificate and key of its pages, and those with which it signs in at the broker
``tables/T1/``   certificate and key of one table, its card (PDF and text) and the code that opens the card
===============  =======================================================================================
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from hw.config_text import ConfigError
from table_service.console.hall_config import tables_named
from table_service.hall.authority import (
    AUTHORITY_DAYS,
    Authority,
    check_host,
    load_authority,
    new_authority,
    private_pem,
)
from table_service.hall.broker_files import Doors, Style, broker_acl, broker_settings
from table_service.hall.card_page import card_pdf
from table_service.hall.errors import HallError, HallUseError, shown
from table_service.hall.join_card import Card, new_code, write_card
from table_service.hall.owned_files import lend, write_owned
from table_service.install.contents import CONSOLE_USER, away_user, hall_toml, table_user
from table_service.install.machine_plan import NAME

BOOK: Final = "hall.json"
VERSION: Final = 1
RENEW_DAYS: Final = 30
"""Days before its end at which a certificate is renewed if no table is named."""
BROKER: Final = "broker"
PAGES: Final = "pages"
MACHINE: Final = (BROKER, CONSOLE_USER, PAGES)
"""Certificates of the hall's own machine: the broker, the console at the broker, the console's pages."""


@dataclass(slots=True)
class Issued:
    """One certificate: whose, its serial number, its end, and the moment it was revoked."""

    name: str
    serial: int
    until: datetime
    revoked: datetime | None = None


@dataclass(slots=True)
class HallBook:
    """Records of the authority about its hall."""

    hall: str
    hosts: list[str]
    doors: Doors
    pages: int
    style: Style
    tables: list[str]
    issued: list[Issued] = field(default_factory=list)

    def current(self, name: str) -> Issued | None:
        """Return the present certificate of ``name``; None if it has none or it was revoked."""
        found = [one for one in self.issued if one.name == name]
        return found[-1] if found and found[-1].revoked is None else None

    @property
    def welcome(self) -> list[str]:
        """Tables that may come in."""
        return [table for table in self.tables if self.current(table_user(table)) is not None]

    @property
    def listeners(self) -> list[str]:
        """People whose programs outside may hear what is sent to them."""
        named = [one.name.removeprefix(away_user("")) for one in self.issued if one.name.startswith(away_user(""))]
        return [name for name in dict.fromkeys(named) if self.current(away_user(name)) is not None]


def create(folder: Path, book: HallBook, now: datetime, days: int = AUTHORITY_DAYS) -> None:
    """Make a hall's folder with everything in it; a folder that is there already is left alone.

    Raises HallError.
    """
    for host in book.hosts:
        check_host(host)
    check_names([book.hall, *book.tables])
    folder = folder.absolute()
    _must_be_free(folder)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        authority = new_authority(book.hall, now, days)
        write_owned(made / "authority" / "authority.key", private_pem(authority.key))
        write_owned(made / "authority" / "authority.crt", authority.pem)
        work = _Work(made, folder, book, authority, now)
        for name in MACHINE:
            work.issue_machine(name)
        for table in book.tables:
            work.issue_table(table)
        work.keep()
        made.replace(folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    lend(folder)


def add(folder: Path, tables: Sequence[str], now: datetime) -> HallBook:
    """Bring further ``tables`` into the hall. Raises HallError."""
    check_names(tables)
    with _opened(folder, now) as work:
        there = [table for table in tables if table in work.book.tables]
        if there:
            raise HallError(f"table {there[0]} is in the hall already: 'tavolo hall renew {there[0]}' makes a new card")
        work.authority.check(now)
        for table in tables:
            work.book.tables.append(table)
            work.issue_table(table)
        work.keep()
        return work.book


def renew(folder: Path, tables: Sequence[str], now: datetime, within: int = RENEW_DAYS) -> list[str]:
    """Give ``tables`` new certificates and cards; without any, all whose certificates end ``within`` days.

    A table's earlier certificate holds until its end, so that play continues until the new card is read; the machine's
    own files are replaced. Returns the names renewed. Raises HallError.
    """
    with _opened(folder, now) as work:
        work.authority.check(now)
        _must_be_known(work.book, tables)
        due = now + timedelta(days=within)
        names = [table_user(table) for table in tables]
        if not tables:
            held = {name: work.book.current(name) for name in (*MACHINE, *map(table_user, work.book.tables))}
            names = [name for name, one in held.items() if one is not None and one.until <= due]
        for name in names:
            if name in MACHINE:
                work.issue_machine(name)
            else:
                work.issue_table(name.removeprefix(table_user("")))
        work.keep()
        return names


def revoke(folder: Path, tables: Sequence[str], now: datetime) -> list[str]:
    """Shut ``tables`` out: all their certificates are revoked, they have no rights at the broker, their cards go.

    Returns those that were not shut out before. Raises HallError.
    """
    with _opened(folder, now) as work:
        _must_be_known(work.book, tables)
        shut = [table for table in dict.fromkeys(tables) if table in work.book.welcome]
        for one in work.book.issued:
            if one.name in {table_user(table) for table in tables} and one.revoked is None:
                one.revoked = now
        for table in tables:
            shutil.rmtree(folder / "tables" / table, ignore_errors=True)
        work.keep()
        return shut


def listen(folder: Path, names: Sequence[str], now: datetime) -> HallBook:
    """Let programs of people outside hear what the console sends them, each its own topic alone. Raises HallError."""
    check_names(names)
    with _opened(folder, now) as work:
        work.authority.check(now)
        for name in dict.fromkeys(names):
            work.issue_listener(name)
        work.keep()
        return work.book


def deafen(folder: Path, names: Sequence[str], now: datetime) -> list[str]:
    """Shut such programs out again. Returns those that were not shut out before. Raises HallError."""
    with _opened(folder, now) as work:
        shut = [name for name in dict.fromkeys(names) if name in work.book.listeners]
        for one in work.book.issued:
            if one.name in map(away_user, shut) and one.revoked is None:
                one.revoked = now
        for name in shut:
            shutil.rmtree(folder / "away" / name, ignore_errors=True)
        work.keep()
        return shut


def read_book(folder: Path) -> HallBook:
    """Return the book of the hall in ``folder``. Raises HallError."""
    path = folder / BOOK
    try:
        told = json.loads(path.read_text("utf-8"))
        if told["version"] > VERSION:
            raise HallError(f"{path} was written by a newer Tavolo: use that one")
        issued = [
            Issued(
                one["name"],
                int(one["serial"], 16),
                _moment(one["until"]),
                _moment(one["revoked"]) if one["revoked"] else None,
            )
            for one in told["issued"]
        ]
        doors = Doors(int(told["ports"]["tables"]), int(told["ports"]["console"]))
        style: Style = "2.1" if told["mosquitto"] == "2.1" else "2.0"
        tables = [str(table) for table in told["tables"]]
        return HallBook(told["hall"], told["hosts"], doors, int(told["ports"]["pages"]), style, tables, issued)
    except FileNotFoundError:
        raise HallError(f"{folder} holds no hall: 'tavolo hall init {folder}' makes one") from None
    except OSError as error:
        raise HallError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise HallError(f"{path} is damaged: take it from a copy") from None


def code_of(folder: Path, table: str) -> str:
    """Return the code that opens a table's card."""
    return (folder / "tables" / table / "code.txt").read_text("ascii").strip()


def check_names(names: Sequence[str]) -> None:
    """Raise HallUseError if one cannot be the name of a table or a hall."""
    for name in names:
        if not NAME.fullmatch(name):
            raise HallUseError(f"'{shown(name)}' is no name for a table or hall: letters, digits, - and _, at most 40")


def all_tables(named: Sequence[str]) -> list[str]:
    """Return every table that ``named`` means, ``T1..T3`` being three. Raises HallUseError."""
    for name in named:
        if ".." not in name:
            check_names([name])
    try:
        return list(tables_named(tuple(named)))
    except (ValueError, ConfigError) as error:
        raise HallUseError(str(error)) from None


@dataclass(slots=True)
class _Work:
    """A hall being written: ``folder`` for its files now, ``home`` from which they will be read."""

    folder: Path
    home: Path
    book: HallBook
    authority: Authority
    now: datetime

    def issue_machine(self, name: str) -> None:
        """Issue a new certificate for the broker, the console's pages, or the console at the broker."""
        hosts = (
            () if name == CONSOLE_USER else tuple(dict.fromkeys([*self.book.hosts, "localhost", "127.0.0.1", "::1"]))
        )
        subject = name if name == CONSOLE_USER else f"{name}-{self.book.hall}"
        made = self.authority.issue(subject, "client" if name == CONSOLE_USER else "server", self.now, hosts)
        self.book.issued.append(Issued(name, made.serial, made.until))
        place = self.folder / ("broker" if name == BROKER else "console")
        write_owned(place / f"{name}.crt", made.certificate)
        write_owned(place / f"{name}.key", made.key)
        write_owned(place / "authority.crt", self.authority.pem)

    def issue_listener(self, name: str) -> None:
        """Issue a new certificate for an outside program that hears one person's notices, with the authority's."""
        made = self.authority.issue(away_user(name), "client", self.now)
        self.book.issued.append(Issued(away_user(name), made.serial, made.until))
        place = self.folder / "away" / name
        write_owned(place / "authority.crt", self.authority.pem)
        write_owned(place / f"{name}.crt", made.certificate)
        write_owned(place / f"{name}.key", made.key)

    def issue_table(self, table: str) -> None:
        """Issue a new certificate for a table, with its card and the code to it."""
        made = self.authority.issue(table_user(table), "client", self.now)
        self.book.issued.append(Issued(table_user(table), made.serial, made.until))
        card = Card(
            self.book.hall,
            table,
            self.book.hosts[0],
            self.book.doors.tables,
            self.authority.pem,
            made.certificate,
            made.key,
        )
        code = new_code()
        text = write_card(card, code)
        place = self.folder / "tables" / table
        write_owned(place / "authority.crt", self.authority.pem)
        write_owned(place / f"{table}.crt", made.certificate)
        write_owned(place / f"{table}.key", made.key)
        write_owned(place / "card.txt", f"{text}\n".encode())
        write_owned(place / "card.pdf", card_pdf(card, text, made.until))
        write_owned(place / "code.txt", f"{code}\n".encode())

    def keep(self) -> None:
        """Write what depends on all certificates together: the book, and all that is made of it."""
        book, broker = self.book, self.folder / "broker"
        issued = [
            {"name": one.name, "serial": f"{one.serial:x}", "until": one.until.isoformat(),
             "revoked": one.revoked.isoformat() if one.revoked else None}
            for one in book.issued
        ]  # fmt: skip
        told: dict[str, Any] = {
            "version": VERSION, "hall": book.hall, "hosts": book.hosts, "mosquitto": book.style,
            "ports": {"tables": book.doors.tables, "console": book.doors.console, "pages": book.pages},
            "tables": book.tables, "issued": issued,
        }  # fmt: skip
        write_owned(self.folder / BOOK, (json.dumps(told, indent=1) + "\n").encode())
        revoked = [(one.serial, one.revoked) for one in book.issued if one.revoked is not None]
        shut_out = self.authority.revoked_list(revoked, self.now)
        for reader in (broker, self.folder / "console"):
            write_owned(reader / "revoked.crl", shut_out)
        write_owned(broker / "rights.acl", broker_acl(book.hall, book.welcome, book.listeners).encode())
        write_owned(broker / "mosquitto.conf", broker_settings(self.home / "broker", book.doors, book.style).encode())
        write_owned(self.folder / "console" / "hall.toml", self._console().encode())
        if self.folder == self.home:
            lend(self.home)

    def _console(self) -> str:
        """Return the console's configuration: the example's, over TLS. It is its owner's once it is there."""
        path = self.folder / "console" / "hall.toml"
        if path.exists():
            return path.read_text("utf-8")
        place = self.home / "console"
        text = hall_toml(self.book.hall, self.book.tables, "127.0.0.1")
        broker = (
            f'[broker]\nhost = "127.0.0.1"\nport = {self.book.doors.console}\nca_file = "{place}/authority.crt"\n'
            f'certificate_file = "{place}/{CONSOLE_USER}.crt"\nkey_file = "{place}/{CONSOLE_USER}.key"\n\n'
        )
        pages = (
            f'[console]\nhost = "0.0.0.0"\nport = {self.book.pages}\ntls_certificate = "{place}/{PAGES}.crt"\n'
            f'tls_key = "{place}/{PAGES}.key"\nrevoked_file = "{place}/revoked.crl"\n'
            "must_sign = true\n"
        )
        text = re.sub(r"(?ms)^\[broker\].*?(?=^\[)", lambda _: broker, text)
        text = re.sub(r"(?m)^(host|port) = .*\n|^# tls_.*\n(# .*\n)*", "", text.partition("[console]")[2])
        head = hall_toml(self.book.hall, self.book.tables, "127.0.0.1").partition("[broker]")[0]
        return head + broker + pages + text.lstrip("\n")


@contextlib.contextmanager
def _opened(folder: Path, now: datetime) -> Iterator[_Work]:
    """Yield the hall in ``folder``, to be changed by one command at a time."""
    read_book(folder)
    folder = folder.resolve()
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        book = read_book(folder)
        place = folder / "authority"
        try:
            authority = load_authority((place / "authority.crt").read_bytes(), (place / "authority.key").read_bytes())
        except OSError as error:
            raise HallError(
                f"the authority's key in {place} cannot be read ({error.strerror or error}): the hall can be "
                "changed only where it lies"
            ) from None
        except (ValueError, TypeError):
            raise HallError(
                f"the authority's key or certificate in {place} is damaged: take both from a copy"
            ) from None
        yield _Work(folder, folder, book, authority, now)
    finally:
        os.close(held)


def _must_be_free(folder: Path) -> None:
    if (folder / BOOK).exists():
        raise HallError(f"{folder} holds a hall already: 'tavolo hall add' brings further tables in")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise HallError(f"{folder} is there already and not empty: name a new folder")
    if not folder.parent.is_dir():
        raise HallError(f"there is no folder {folder.parent} to make {folder.name} in")


def _must_be_known(book: HallBook, tables: Sequence[str]) -> None:
    for table in tables:
        if table not in book.tables:
            raise HallError(f"the hall has no table '{table}': it has {', '.join(book.tables) or 'none'}")


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
