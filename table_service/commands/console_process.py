"""``tavolo console``: the process of a hall's console."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import sdnotify
import typer

from hw.errors import ServiceError
from table_service.commands.broker_access import broker_address, console_voices, credential
from table_service.commands.crashes import trace_without_values
from table_service.commands.remote_access import openid_settings, remote_settings
from table_service.commands.supervision import stop_event
from table_service.console import ConsoleError, ConsoleSettings, RunningConsole, serving
from table_service.console.hall_config import HallConfig
from table_service.journal import JournalError, load_or_make_key
from table_service.publish import BrokerAddress

WATCHED_EVERY_S: Final = 5.0
STUCK_S: Final = 20.0


@contextlib.contextmanager
def serve_console(
    hall: str, broker: BrokerAddress, settings: ConsoleSettings | None = None
) -> Iterator[RunningConsole]:
    """Serve the console of ``hall`` in a thread while the context lasts; ``settings`` hold the rest of its choices.

    Raises ServiceError.
    """
    whole = replace(
        settings or ConsoleSettings(),
        hall=hall,
        broker_host=broker.host,
        broker_port=broker.port,
        username=broker.username,
        password=broker.password,
        broker_tls=broker.tls,
        embedded=broker.embedded,
    )
    try:
        with serving(whole) as running:
            yield running
    except ConsoleError as error:
        raise ServiceError(str(error)) from error


def run_console(config: HallConfig) -> int:
    """Serve a hall's console until it is ended. Raises ServiceError."""
    trace_without_values()
    stop = stop_event()
    console = config.console
    floors = tuple(config.hall.floors.items())
    tables = tuple(dict.fromkeys((*config.hall.tables, *(name for _, names in floors for name in names))))
    try:
        seed = None if console.key_file is None else bytes(load_or_make_key(console.key_file))
    except JournalError as error:
        raise ServiceError(str(error)) from error
    settings = ConsoleSettings(
        host=console.host,
        port=console.port,
        proxies=console.proxies,
        language=console.language,
        tables=tables,
        floors=floors,
        data=console.data,
        signing_seed=seed,
        raise_after=console.raise_after,
        tls=None
        if console.tls_certificate is None or console.tls_key is None
        else (console.tls_certificate, credential(console.tls_key)),
        undo=console.undo,
        order_life=console.order_life,
        keep_days=console.keep_days,
        copies=console.copies,
        voices=console_voices(config.broker, console.revoked_file, must_sign=console.must_sign),
        remote=remote_settings(config.remote),
        openid=openid_settings(config.sign_in),
    )
    with serve_console(config.hall.name, broker_address(config.broker), settings) as running:
        typer.echo(f"console of {config.hall.name}: {running.url}")
        if running.first:
            typer.echo(f"first sign-in, opens once, today: {running.door}")
        typer.echo(
            f'tables take its orders with this in table.toml: [console_keys] "*" = "{running.office.public_key}"'
        )
        notifier = sdnotify.SystemdNotifier()
        notifier.notify("READY=1")
        while not stop.wait(WATCHED_EVERY_S):
            if time.monotonic() - running.office.ticked < STUCK_S:
                notifier.notify("WATCHDOG=1")
    return 0
