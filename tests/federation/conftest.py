"""A hall's authority and tables' voices; PostgreSQL and mosquitto as this machine has them."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from table_service.console.live_tables import ConsoleStore
from table_service.console.settings import ConsoleSettings
from table_service.console.storage import Book, Role
from table_service.events.signing import SigningIdentity, introduction
from table_service.events.topics import Topics, parse
from table_service.federation import federation_folder
from table_service.federation.archive_address import ArchiveAddress
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.archive_writer import ArchiveWriter, WorkerCounts
from table_service.federation.hall_authorities import HallAuthorities
from table_service.federation.local_federation import LocalFederation
from table_service.federation.local_postgres import LocalPostgres, find_postgres
from table_service.federation.migrating import migrate
from table_service.federation.reach import ReachKind, give
from table_service.federation.site.federation_app import create_site
from table_service.federation.site.federation_site import reader_of
from table_service.federation.verified_events import EventVerifier, VerifiedBatch
from table_service.hall.authority import Authority, new_authority, now
from table_service.install.contents import table_user
from table_service.publish.broker import find_mosquitto

HALL = "bologna"


@dataclass
class Speaker:
    """One table: what it would publish, signed."""

    hall: str
    table: str
    identity: SigningIdentity
    boot: str = "00000a"

    def event(self, seq: int, kind: str = "card.drawn", **more: Any) -> dict[str, Any]:
        told = {
            "v": 1, "id": f"{self.table}-{self.boot}-{seq:06d}", "table": self.table, "boot": self.boot, "seq": seq,
            "t": seq * 1.5, "time": "2026-05-01T20:01:01.000Z", "deal": 1, "turn": 1, "type": kind, "seat": "N",
            "line": "NS", "data": {"from": "stock", "card": "??"}, "confidence": 1.0, "basis": ["scale"],
        }  # fmt: skip
        return {**self.identity.sign("event", {**told, **more}), "late": False}

    def message(self, seq: int, **more: Any) -> tuple[str, bytes]:
        told = self.event(seq, **more)
        return Topics(self.hall, self.table).event(str(told["type"])), json.dumps(told).encode()

    def introduce(self, verifier: EventVerifier) -> None:
        topic = Topics(self.hall, self.table).identity
        told = json.dumps(introduction(self.table, [self.identity.certificate])).encode()
        address = parse(topic)
        assert address is not None
        verifier.introduce(address, told)


@dataclass
class Halls:
    """Halls of a federation, each with an authority of its own."""

    folder: Path
    authorities: dict[str, Authority]

    def add(self, hall: str) -> Authority:
        made = self.authorities[hall] = new_authority(hall, now())
        place = self.folder / hall
        place.mkdir()
        (place / "authority.crt").write_bytes(made.pem)
        return made

    def speaker(self, hall: str = HALL, table: str = "T1") -> Speaker:
        made = self.authorities[hall].issue(table_user(table), "client", now())
        return Speaker(hall, table, SigningIdentity(made.certificate, made.key))


@pytest.fixture
def halls(tmp_path: Path) -> Halls:
    folder = tmp_path / "halls"
    folder.mkdir()
    made = Halls(folder, {})
    made.add(HALL)
    return made


@pytest.fixture
def verifier(halls: Halls) -> EventVerifier:
    return EventVerifier(HallAuthorities(halls.folder).of)


def heard(verifier: EventVerifier, *messages: tuple[str, bytes]) -> VerifiedBatch:
    """Contents taken of these messages."""
    batch = VerifiedBatch()
    for topic, payload in messages:
        address = parse(topic)
        assert address is not None
        verifier.take(address, payload, batch)
    return batch


@pytest.fixture
def hear() -> Any:
    return heard


@pytest.fixture(scope="module")
def postgres() -> Iterator[LocalPostgres]:
    """An archive with its tables."""
    if find_postgres() is None:
        pytest.skip("PostgreSQL is not installed")
    made = LocalPostgres()
    migrate(made.address)
    yield made
    made.stop()


@pytest.fixture
def federation(tmp_path: Path) -> Iterator[LocalFederation]:
    """Two halls of two tables, their brokers and the federation's, an archive; no worker yet."""
    if find_postgres() is None or find_mosquitto() is None or shutil.which("psql") is None:
        pytest.skip("PostgreSQL or mosquitto is not installed")
    with LocalFederation(tmp_path, ("bologna", "milano"), 2) as made:
        yield made


@dataclass
class SiteHouse:
    """The application, its book, its archive."""

    address: ArchiveAddress
    book: Book = field(default_factory=Book)

    def __post_init__(self) -> None:
        self.archive = ArchivePool(self.address)
        self.serve(ConsoleSettings(hall="prova"))

    def serve(self, settings: ConsoleSettings) -> None:
        """Make the application with these settings."""
        self.app = create_site(settings, ConsoleStore("prova"), self.book, self.archive)

    async def person(self, role: str, *given: tuple[ReachKind, str], name: str = "") -> str:
        """The name of somebody with that role and these rights."""
        name = name or f"{role} {given}"
        if self.book.accounts.named(name) is None:
            made = self.book.accounts.add(name, Role(role), now=time.time())
            assert made is not None
            for kind, place in given:
                await give(self.archive, reader_of(self.book, made), kind, place)
        return name

    def client(self, name: str | None, **headers: str) -> httpx.AsyncClient:
        """A browser of somebody; None: of nobody who is signed in."""
        cookies: dict[str, str] = {}
        if name is not None:
            person = self.book.accounts.named(name)
            assert person is not None
            now = time.time()
            cookies["tavolo"] = self.book.accounts.begin(person, now=now)
            session = self.book.accounts.session(cookies["tavolo"], now=now)
            assert session is not None
            headers = {"X-CSRF": session.csrf, **headers}
        transport = httpx.ASGITransport(self.app)
        return httpx.AsyncClient(transport=transport, base_url="http://prova", cookies=cookies, headers=headers)

    def program(self, name: str) -> httpx.AsyncClient:
        """A program with a token of somebody."""
        person = self.book.accounts.named(name)
        assert person is not None
        token = self.book.accounts.link(person.id, "api", expires=time.time() + 60)
        transport = httpx.ASGITransport(self.app)
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.AsyncClient(transport=transport, base_url="http://prova", headers=headers)

    async def get(self, path: str, name: str | None, /, **kwargs: Any) -> httpx.Response:
        async with self.client(name) as client:
            return await client.get(path, **kwargs)

    async def post(self, path: str, name: str | None, /, **data: str) -> httpx.Response:
        async with self.client(name) as client:
            return await client.post(path, data=data)

    async def write(self, batch: VerifiedBatch, *heard: tuple[str, str]) -> None:
        """Write into the archive what workers would; ``heard``: tables of which something came just now."""
        writer = ArchiveWriter(self.address)
        now = datetime.now(UTC)
        await writer.write(replace(batch, heard=dict.fromkeys(heard, now)))
        await writer.report("w", WorkerCounts(now))
        await writer.close()

    async def close(self) -> None:
        await self.archive.close()
        self.book.close()


@pytest.fixture
async def site(postgres: LocalPostgres) -> AsyncIterator[SiteHouse]:
    """The federation's page over the archive of this module's tests."""
    made = SiteHouse(postgres.address)
    yield made
    await made.close()


@pytest.fixture
def config(postgres: LocalPostgres, tmp_path: Path) -> Path:
    at, password = postgres.address, tmp_path / "password"
    password.write_text(f"{at.password}\n")
    told = {
        "host": at.host,
        "port": at.port,
        "database": at.database,
        "user": at.user,
        "password_file": str(password),
    }
    book = federation_folder.FederationBook("fibur", "127.0.0.1", archive=told, page_port=0)
    return federation_folder.create(tmp_path / "federation", book, now())
