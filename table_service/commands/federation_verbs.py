"""`tavolo federation …`: an archive of many halls: its broker's files, its tables in PostgreSQL, its workers.

Exit codes: 0 done, 1 refused or not as it should be (events are missing), 2 used wrongly.
"""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import typer

from table_service.commands.arguments import Json, fail, machine_language

_AGAIN_S: Final = 1.0
"""Seconds before a worker that ended is begun again."""
_END_S: Final = 20.0
Result = TypeVar("Result")

app = typer.Typer(
    name="federation",
    help="Halls beyond one machine: each hall's events archived in PostgreSQL, nothing lost, nothing twice.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Folder = Annotated[Path, typer.Option("--in", help="The federation's folder, made by 'tavolo federation init'.")]
Config = Annotated[Path, typer.Option(help="The workers' configuration, archive/federation.toml of that folder.")]


@app.command("init")
def init(
    folder: Annotated[Path, typer.Argument(help="A new folder for the authority and all that it makes.")],
    host: Annotated[str, typer.Option(help="Address of the federation's broker, as the halls reach it.")],
    name: Annotated[str, typer.Option(help="The federation's name.")] = "federation",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The broker's port for halls.")] = 8883,
    workers_port: Annotated[int, typer.Option(min=1, max=65535, help="The broker's port for workers.")] = 8884,
) -> None:
    """Make a federation: its authority, its broker's settings and rights, its workers' configuration."""
    from table_service.federation import federation_folder
    from table_service.hall.authority import now

    book = federation_folder.FederationBook(name, host, port, workers_port, {"host": "127.0.0.1", "port": 5432})
    config = or_fail(lambda: federation_folder.create(folder, book, now()))
    typer.echo(f"broker: include_dir {folder.absolute()}/broker   workers: --config {config}")
    typer.echo("write where PostgreSQL is into that file, then: tavolo federation migrate --config …")


@app.command("admit")
def admit(
    hall: Annotated[str, typer.Argument(help="The hall's name in the federation.")],
    authority: Annotated[Path, typer.Option(exists=True, dir_okay=False, help="The hall's authority/authority.crt.")],
    folder: Folder = Path(),
    local: Annotated[str, typer.Option(help="The hall's name on its own topics.")] = "sala",
    revoked: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="The hall's broker/revoked.crl.")
    ] = None,
    at: Annotated[Path | None, typer.Option(help="Where the hall's machine will have the files.")] = None,
) -> None:
    """Take a hall in: rights at the broker, and the bridge that its own broker includes."""
    from table_service.federation import federation_folder
    from table_service.hall.authority import now

    def take_in() -> Path:
        crl = None if revoked is None else revoked.read_bytes()
        return federation_folder.admit(folder, hall, local, authority.read_bytes(), crl, now(), at)

    place = or_fail(take_in)
    typer.echo(f"for hall {hall}: {place}; its broker includes it with: include_dir {at or place}")
    typer.echo("the federation's broker takes it up with: systemctl reload mosquitto")


@app.command("dismiss")
def dismiss(
    hall: Annotated[str, typer.Argument(help="The hall's name in the federation.")], folder: Folder = Path()
) -> None:
    """Shut a hall out: its certificate is revoked, nothing of it is believed; what the archive has stays."""
    from table_service.federation import federation_folder
    from table_service.hall.authority import now

    or_fail(lambda: federation_folder.dismiss(folder, hall, now()))
    typer.echo(f"{hall} is shut out once the broker has read it: systemctl restart mosquitto")


@app.command("migrate")
def migrate(
    config: Config,
    to: Annotated[
        str, typer.Option(help="A revision; head: the newest; base: no tables, and nothing in them.")
    ] = "head",
) -> None:
    """Bring the archive's tables to this version of the program, or back."""
    from table_service.federation.federation_config import archive_address, load_federation
    from table_service.federation.migrating import migrate as bring

    reached = or_fail(lambda: bring(archive_address(load_federation(config).archive), to))
    typer.echo(f"the archive's tables are at revision {reached}" if reached else "the archive has no tables any more")


@app.command("work")
def work(
    config: Config,
    name: Annotated[str, typer.Option(help="The worker's own name; two of one name end each other.")] = "1",
) -> None:
    """Run one worker until it is ended."""
    from table_service.commands.broker_access import broker_tls
    from table_service.federation.archive_worker import ArchiveWorker
    from table_service.federation.federation_config import archive_address, load_federation
    from table_service.federation.hall_authorities import HallAuthorities
    from table_service.federation.shared_subscription import FederationBroker

    def run() -> None:
        told = load_federation(config)
        broker = FederationBroker(told.broker.host, told.broker.port, broker_tls(told.broker))
        halls = HallAuthorities(told.federation.halls)
        own = f"{socket.gethostname()}-{name}"
        worker = ArchiveWorker(
            own, broker, archive_address(told.archive), halls, said=lambda line: typer.echo(f"tavolo: {line}", err=True)
        )
        worker.run(stopped())

    or_fail(run)


@app.command("workers")
def workers(config: Config, count: Annotated[int, typer.Option(min=1, max=64, help="So many processes.")] = 2) -> None:
    """Run several workers; one that ends is begun again."""
    stop = stopped()
    command = [sys.executable, "-m", "table_service.cli", "federation", "work", "--config", str(config), "--name"]
    running: dict[str, subprocess.Popen[bytes]] = {}
    failed = 0
    while not stop.is_set() and not failed:
        for number in range(1, count + 1):
            one = running.get(str(number))
            if one is None or one.poll() is not None:
                if one is not None:
                    if one.returncode in (1, 2):  # it has said why
                        failed = one.returncode
                        break
                    typer.echo(f"tavolo: worker {number} ended with {one.returncode}; begun again", err=True)
                running[str(number)] = subprocess.Popen([*command, str(number)])  # noqa: S603
        stop.wait(_AGAIN_S)
    for one in running.values():
        one.terminate()
    for one in running.values():
        try:
            one.wait(_END_S)
        except subprocess.TimeoutExpired:
            one.kill()
    raise typer.Exit(failed)


@app.command("status")
def status(
    config: Config,
    count: Annotated[bool, typer.Option("--count", help="Count all events, which reads them all.")] = False,
    as_json: Json = False,
) -> None:
    """Say what the archive has of each hall, what is missing, which workers run. Exit code 1 if events are missing."""
    from table_service.federation.archive_status import standing
    from table_service.federation.federation_config import archive_address, load_federation

    found = or_fail(lambda: asyncio.run(standing(archive_address(load_federation(config).archive), counted=count)))
    if as_json:
        typer.echo(json.dumps(found.as_dict(), ensure_ascii=False))
        raise typer.Exit(1 if found.missing else 0)
    for one in found.halls:
        heard = one.heard.strftime("%Y-%m-%d %H:%M:%S") if one.heard else "never"
        many = "" if one.events is None else f"{one.events:>12} events  "
        lacks = f"missing {one.missing} of {', '.join(one.missing_tables)}" if one.missing else "nothing missing"
        typer.echo(f"{one.hall:20} {one.tables:4} tables  {many}heard {heard}  {lacks}")
    now = datetime.now(UTC)
    for each in found.workers:
        lead = ", looks for gaps" if each["leads"] else ""
        ago = int((now - each["at"]).total_seconds())
        typer.echo(
            f"worker {each['name']}: {each['archived']} archived, {each['repeated']} repeated, {each['refused']} "
            f"refused, {ago} s ago{lead}"
        )
    for each in found.refusals:
        typer.echo(f"refused {each['times']} of {each['hall']}/{each['table_name']}: {each['reason']}")
    typer.echo(f"{found.bytes / 1e6:.1f} MB in the archive's events; {found.missing} events missing")
    raise typer.Exit(1 if found.missing else 0)


@app.command("search")
def search(
    config: Config,
    type_: Annotated[str, typer.Option("--type", help="Type of the events, such as irregularity.")] = "irregularity",
    hall: Annotated[str | None, typer.Option(help="Of this hall alone.")] = None,
    table: Annotated[str | None, typer.Option(help="Of this table alone.")] = None,
    boot: Annotated[
        str | None, typer.Option(help="With hall and table: all events of this start of the table.")
    ] = None,
    deal: Annotated[int | None, typer.Option(help="Of this deal alone.")] = None,
    since: Annotated[datetime | None, typer.Option(help="From this day on (UTC).")] = None,
    until: Annotated[datetime | None, typer.Option(help="Before this day (UTC).")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 100,
) -> None:
    """Find events of all halls: one JSON object a line, with the table's signature. The newest come first."""
    from table_service.federation.archive_status import SEARCHED, ArchiveSearch
    from table_service.federation.archive_status import search as find
    from table_service.federation.federation_config import archive_address, load_federation

    if boot is not None and (hall is None or table is None):
        fail("--boot needs --hall and --table: a boot is a table's", status=2)
    if boot is None and type_ not in SEARCHED:
        fail(
            f"'{type_}' is not searched by date, only {', '.join(SEARCHED)}; a deal is asked for with --boot", status=2
        )
    asked = ArchiveSearch(type_, hall, table, boot, deal, _utc(since), _utc(until), limit)
    for one in or_fail(lambda: asyncio.run(find(archive_address(load_federation(config).archive), asked))):
        typer.echo(json.dumps(one, ensure_ascii=False))


@app.command("demo")
def demo(
    seconds: Annotated[float, typer.Option(min=2, max=3600, help="How long the halls play.")] = 20.0,
    rate: Annotated[float, typer.Option(min=0.1, max=200, help="Events a second of each table.")] = 5.0,
    halls: Annotated[int, typer.Option(min=1, max=20, help="So many halls.")] = 3,
    tables: Annotated[int, typer.Option(min=1, max=40, help="So many tables in each.")] = 2,
    as_json: Json = False,
) -> None:
    """Start everything on this machine: PostgreSQL, brokers, halls, workers; cut a line, kill a worker, count."""
    from table_service.federation.federation_demo import FederationDemo, run_demo

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # its parts are ended and its files removed all the same
    asked = FederationDemo(halls, tables, rate, seconds)
    found = or_fail(lambda: run_demo(asked, (lambda _line: None) if as_json else typer.echo))
    if as_json:
        typer.echo(json.dumps(found.as_dict()))
    raise typer.Exit(0 if found.is_whole else 1)


def _utc(moment: datetime | None) -> datetime | None:
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def stopped() -> threading.Event:
    """Return an event that is set when the program is asked to end."""
    stop = threading.Event()

    def end(*_: Any) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    return stop


def or_fail(doing: Callable[[], Result]) -> Result:
    """Return what ``doing`` gives; what goes wrong is one sentence, with the exit code that belongs to it."""
    try:
        from table_service.federation.errors import FederationUseError
    except ModuleNotFoundError as error:
        fail(f"the federation's parts are not installed ({error.name}): pip install 'tavolo-table[federation]'")
    from hw.config_text import ConfigError
    from hw.errors import TavoloError

    try:
        return doing()
    except ModuleNotFoundError as error:
        fail(f"the federation's parts are not installed ({error.name}): pip install 'tavolo-table[federation]'")
    except FederationUseError as error:
        fail(str(error), status=2)
    except ConfigError as error:
        fail(error.said(machine_language()))
    except TavoloError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or 'a file'} cannot be used: {error.strerror or error}")
