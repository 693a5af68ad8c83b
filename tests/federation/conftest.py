"""A hall's authority and tables' voices; PostgreSQL and mosquitto as this machine has them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from table_service.events.signing import SigningIdentity, introduction
from table_service.events.topics import Topics, parse
from table_service.federation.hall_authorities import HallAuthorities
from table_service.federation.local_federation import LocalFederation
from table_service.federation.local_postgres import LocalPostgres, find_postgres
from table_service.federation.migrating import migrate
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
    """What is taken of these messages."""
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
