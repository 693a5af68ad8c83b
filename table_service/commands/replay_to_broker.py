"""`tavolo replay LOG --to mqtt://HOST`: a past evening published as its table did, in its time or faster.

It goes under a hall of its own unless another is named, so that it is not taken for a table that plays now.
"""

from __future__ import annotations

import ssl
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final
from urllib.parse import unquote, urlsplit

import typer

from hw.errors import TavoloError
from hw.observation_log import Header, LogError, read_log
from hw.observations import Observation, Other
from table_service.commands.unseal import Unsealing
from table_service.games.definition import UnknownRulesError, WrongHeaderError
from table_service.journal import JournalError, is_sealed
from table_service.publish import BrokerAddress, SealError
from table_service.service import ServiceError, TableFiles, TableService

PATIENCE_S: Final = 20.0
"""Seconds to wait for a broker at the beginning, and at the end for what it has not taken yet."""


class ReplayAddressError(TavoloError, ValueError):
    """An address that names no broker; the message is one sentence."""


def broker_at(address: str, password_file: Path | None = None, ca_file: Path | None = None) -> BrokerAddress:
    """Return the broker that ``mqtt://[USER@]HOST[:PORT]`` or ``mqtts://…`` names. Raises ReplayAddressError, OSError.

    >>> broker_at("mqtt://table@hall.example").port
    1883
    """
    try:
        parts = urlsplit(address if "://" in address else f"mqtt://{address}")
        port = parts.port
    except ValueError:
        raise ReplayAddressError(f"'{address}' names no broker: write mqtt://HOST:PORT") from None
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path not in ("", "/"):
        raise ReplayAddressError(f"'{address}' names no broker: write mqtt://HOST:PORT")
    if parts.password is not None:
        raise ReplayAddressError("a password does not belong in an address: write it into a file, --password-file")
    tls = None
    if parts.scheme == "mqtts":
        tls = ssl.create_default_context(cafile=None if ca_file is None else str(ca_file))
    password = None if password_file is None else password_file.read_text(encoding="utf-8").strip()
    user = None if parts.username is None else unquote(parts.username)
    return BrokerAddress(parts.hostname, port or (8883 if tls else 1883), user, password, tls=tls)


def replay_to(
    logs: list[Path],
    broker: BrokerAddress,
    *,
    hall: str = "replay",
    speed: float = 1.0,
    unsealing: Unsealing | None = None,
    stop: threading.Event | None = None,
) -> int:
    """Publish ``logs``, one after the other; ``speed`` 1: in their time, 0: as fast as it goes.

    Returns the exit code: 1 if a log, or a line of one, could not be read or the broker did not take everything.
    """
    return max((_replay_one(log, broker, hall, speed, unsealing, stop or threading.Event()) for log in logs), default=0)


def _replay_one(
    log: Path, broker: BrokerAddress, hall: str, speed: float, unsealing: Unsealing | None, stop: threading.Event
) -> int:
    broken = 0

    def on_broken(error: LogError) -> None:
        nonlocal broken
        broken += 1
        typer.echo(f"tavolo: {log}: {error}; passed over", err=True)

    try:
        opened: IO[str] | None = None
        if unsealing is not None and is_sealed(log):
            opened = unsealing.log(log, on_broken)
        header, observations = read_log(log, on_broken, opened)
        with tempfile.TemporaryDirectory(prefix="tavolo-replay-") as folder:
            events, left = _publish(header, observations, Path(folder), broker, hall, speed, stop)
    except (LogError, SealError, JournalError, ServiceError, UnknownRulesError, WrongHeaderError) as error:
        typer.echo(f"tavolo: {error}", err=True)
        return 1
    where = f"{broker.host}:{broker.port}"
    typer.echo(f"{log}: {events} events to {where} as table {header.table} of the hall {hall}")
    if left:
        typer.echo(f"tavolo: the broker {where} has not taken {left} of them", err=True)
    return 1 if broken or left else 0


def _publish(
    header: Header, observations: Iterator[Observation], folder: Path, broker: BrokerAddress, hall: str, speed: float,
    stop: threading.Event,
) -> tuple[int, int]:  # fmt: skip
    """Publish one log by the service that a table runs. Returns how many events there were, and how many are left."""
    clock, now = time.monotonic, [0.0]
    service = TableService(
        header, hall, TableFiles.under(folder, header.table), broker, lambda: now[0], keeps_deal=False
    )
    events, began, first = 0, clock(), None
    service.start()
    try:
        if not service.publisher.wait_connected(PATIENCE_S):
            raise ServiceError(f"the broker {broker.host}:{broker.port} is not reached")
        for observation in observations:
            if isinstance(observation, Other):
                continue
            first = observation.t if first is None else first
            left = 0.0 if speed <= 0 else (observation.t - first) / speed - (clock() - began)
            if (left > 0 and stop.wait(left)) or stop.is_set():
                break
            now[0] = observation.t
            events += len(service.observe(observation))
    finally:
        events += len(service.close(PATIENCE_S))
    counts = service.delivered
    return events, 0 if counts is None else counts.unsent + counts.sent
