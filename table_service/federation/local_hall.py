"""A hall on this machine: its own authority and mosquitto, recorded tables, and the bridge to a federation's broker."""

from __future__ import annotations

import getpass
import re
import ssl
from collections.abc import Sequence
from pathlib import Path

from table_service.federation import federation_folder
from table_service.federation.errors import FederationError
from table_service.federation.recorded_table import RecordedTable, TableVoice
from table_service.hall import hall_folder
from table_service.hall.authority import now
from table_service.hall.broker_files import Doors
from table_service.publish import BrokerAddress
from table_service.publish.broker import HOST, Broker, BrokerError, find_mosquitto, free_port, run_mosquitto


def client_tls(authority: Path, certificate: Path) -> ssl.SSLContext:
    """Return TLS that believes ``authority`` and shows ``certificate``, whose key lies beside it."""
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=str(authority))
    context.load_cert_chain(certificate, certificate.with_suffix(".key"))
    return context


class LocalBroker:
    """mosquitto with the settings of a folder, under a name; it may be killed and started again."""

    def __init__(self, place: Path, included: Sequence[Path], port: int) -> None:
        """``place``: for what it persists; ``included``: folders with settings; ``port``: one of its listeners."""
        program = find_mosquitto()
        if program is None:
            raise FederationError("mosquitto is not installed on this machine: apt-get install mosquitto")
        self._program, self._port = program, port
        place.mkdir(parents=True, exist_ok=True)
        self._config = place / "main.conf"
        lines = [
            f"user {getpass.getuser()}", "persistence true", f"persistence_location {place}/",
            f"log_dest file {place}/mosquitto.log", *(f"include_dir {one}" for one in included),
        ]  # fmt: skip
        self._config.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.log = place / "mosquitto.log"
        self._broker: Broker | None = None

    @property
    def broker(self) -> Broker:
        """The broker that runs."""
        if self._broker is None:
            raise FederationError("the broker does not run")
        return self._broker

    def start(self) -> None:
        """Start it. Raises BrokerError."""
        self._broker = run_mosquitto(self._program, self._config, self._port)
        if self._broker is None:
            said = self.log.read_text("utf-8", "replace")[-300:] if self.log.exists() else ""
            raise BrokerError(f"mosquitto ({self._config}) does not start: {said}")

    def forget(self) -> None:
        """Lose what it kept while it is down: queues and what it retained, as with a disk that was changed."""
        (self.log.parent / "mosquitto.db").unlink(missing_ok=True)

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.broker.process is not None:
            self.broker.process.kill()
            self.broker.process.wait()
        self.broker.stop()

    def stop(self) -> None:
        """End it in order; repeatable."""
        if self._broker is not None:
            self._broker.stop()


class LocalHall:
    """One hall with its broker. ``name``: in the federation; its tables call it ``sala``, as every hall does."""

    LOCAL = "sala"

    def __init__(self, folder: Path, federation: Path, name: str, tables: Sequence[str]) -> None:
        """Make its folder and have it admitted to the federation whose folder is given."""
        self.name, self.folder = name, folder
        self._doors = Doors(free_port(), free_port())
        book = hall_folder.HallBook(self.LOCAL, [HOST], self._doors, free_port(), "2.0", list(tables))
        hall_folder.create(folder, book, now())
        authority = (folder / "authority" / "authority.crt").read_bytes()
        revoked = (folder / "broker" / "revoked.crl").read_bytes()
        bridge = federation_folder.admit(federation, name, self.LOCAL, authority, revoked, now())
        self._bridge = bridge
        self.broker = LocalBroker(
            folder.with_name(f"{folder.name}-broker"), [folder / "broker", bridge], self._doors.tables
        )
        self.tables: list[RecordedTable] = []

    @property
    def console_port(self) -> int:
        """Port of its broker for the console on this machine."""
        return self._doors.console

    def reach(self, port: int) -> None:
        """AccountReach the federation's broker at another port of this machine: a line that can be cut."""
        path = self._bridge / "bridge.conf"
        text = re.sub(r"(?m)^address .*$", f"address {HOST}:{port}", path.read_text("utf-8"))
        path.write_text(text, encoding="utf-8")

    def begin_tables(self, seed: int) -> None:
        """Begin its tables, each with a recording of its own."""
        for number, table in enumerate(hall_folder.read_book(self.folder).tables):
            self.tables.append(self._table(table, seed + number))

    def _table(self, table: str, seed: int) -> RecordedTable:
        place = self.folder / "tables" / table
        voice = TableVoice((place / f"{table}.crt").read_bytes(), (place / f"{table}.key").read_bytes())
        address = BrokerAddress(
            HOST, self._doors.tables, tls=client_tls(place / "authority.crt", place / f"{table}.crt")
        )
        return RecordedTable(
            self.folder.with_name(f"{self.folder.name}-journals"), self.LOCAL, table, address, voice, seed
        )

    def close(self) -> None:
        """End tables and broker."""
        for table in self.tables:
            table.close()
        self.broker.stop()
