"""`tavolo federation …`: what people get of the archive: its page, places, members, results, erasing, backups."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from table_service.commands.arguments import Json, fail, machine_language
from table_service.commands.federation_verbs import Config, app, or_fail, stopped

__all__ = ["app"]
Result = TypeVar("Result")

if TYPE_CHECKING:
    from table_service.console.settings import ConsoleSettings
    from table_service.federation.archive_pool import ArchivePool
    from table_service.federation.federation_config import FederationConfig


@app.command("page")
def page(config: Config) -> None:
    """Serve the federation's page until it is ended."""
    from table_service.console.console_server import ConsoleError, serving
    from table_service.federation.archive_pool import ArchivePool
    from table_service.federation.federation_config import archive_address, load_federation
    from table_service.federation.site.federation_app import site_maker

    def run() -> None:
        told = load_federation(config)
        stop = stopped()
        try:
            with serving(_settings(told), site_maker(ArchivePool(archive_address(told.archive)))) as running:
                typer.echo(f"page of {told.federation.name}: {running.url}")
                if running.first:
                    typer.echo(f"first sign-in, opens once, today: {running.door}")
                stop.wait()
        except ConsoleError as error:
            fail(str(error))

    or_fail(run)


def _settings(told: FederationConfig) -> ConsoleSettings:
    """Return the settings of the application that serves the federation's pages."""
    from table_service.commands.broker_access import credential
    from table_service.commands.remote_access import openid_settings
    from table_service.console.settings import ConsoleSettings

    at = told.page
    tls = None if at.tls_certificate is None or at.tls_key is None else (at.tls_certificate, credential(at.tls_key))
    return ConsoleSettings(
        hall=told.federation.name, host=at.host, port=at.port, proxies=at.proxies, language=at.language,
        data=at.data, tls=tls, openid=openid_settings(told.sign_in),
    )  # fmt: skip


@app.command("place")
def place(
    config: Config,
    hall: Annotated[str, typer.Argument(help="The hall's name in the federation.")],
    club: Annotated[str, typer.Option(help="The club whose hall it is.")] = "",
    region: Annotated[str, typer.Option(help="The region it is in.")] = "",
) -> None:
    """Write down the club and the region of a hall: rights reach by them."""
    from table_service.federation.reach import HallPlace, set_place

    _on_archive(config, lambda pool: set_place(pool, HallPlace(hall, club, region)))
    typer.echo(f"{hall}: {club or 'no club'}, {region or 'no region'}")


Listed = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The file.")]


@app.command("members")
def members(config: Config, file: Listed) -> None:
    """Take members in from a list (CSV: number, name, club, category). Exit code 1 if a line was refused."""
    from table_service.console.spreadsheet import text_of
    from table_service.console.vocabulary import Words
    from table_service.federation.members import read_members, take_members
    from table_service.federation.reach import AccountReach

    read = or_fail(lambda: read_members(text_of(file.read_bytes())))
    new, known = _on_archive(config, lambda pool: take_members(pool, read.members, AccountReach(None, None)))
    words = Words(machine_language())
    for one in read.refused:
        typer.echo(words.say(one.word, **one.terms), err=True)
    typer.echo(f"{new} new, {known} known, {len(read.refused)} refused")
    raise typer.Exit(1 if read.refused else 0)


@app.command("circuit")
def circuit(config: Config, file: Listed) -> None:
    """Keep a circuit by its rules of points (TOML), in place of an earlier one of that name."""
    from table_service.federation.season_rules import set_circuit

    text = or_fail(lambda: file.read_text("utf-8"))
    kept = _on_archive(config, lambda pool: set_circuit(pool, text))
    typer.echo(f"circuit {kept.name}: {len(kept.levels)} levels, the best {kept.best or 'of all'} count")


@app.command("results")
def results(
    config: Config, hall: Annotated[str, typer.Argument(help="The hall in which it was played.")], file: Listed
) -> None:
    """Keep a tournament's results from the file that the hall's console made; the same tournament's are replaced."""
    from table_service.federation.tournament_results import read_results, take_results

    told = or_fail(lambda: read_results(file.read_bytes()))
    _on_archive(config, lambda pool: take_results(pool, hall, told, "command"))
    typer.echo(f"{told.tournament}: {len(told.entries)} entries")


@app.command("season")
def season(
    config: Config,
    circuit_name: Annotated[str, typer.Argument(metavar="CIRCUIT", help="The circuit's name.")],
    most: Annotated[int, typer.Option(min=1, max=1_000_000, help="At most so many members.")] = 100,
    as_json: Json = False,
) -> None:
    """Say the ranking of a circuit's season."""
    from table_service.federation.errors import FederationUseError
    from table_service.federation.season_rules import Seasons

    async def ranked(pool: ArchivePool) -> list[tuple[int, int, str, str]]:
        found = await Seasons(pool).ranking(circuit_name)
        if found is None:
            raise FederationUseError(f"no circuit is called '{circuit_name}'")
        names = await pool.rows("select number, name from member where number = any($1::text[])",
                                [one.member for one in found[1][:most]])  # fmt: skip
        by_number = {row["number"]: row["name"] for row in names}
        return [(one.place, one.total, by_number.get(one.member, ""), one.member) for one in found[1][:most]]

    rows = _on_archive(config, ranked)
    if as_json:
        names = ("place", "points", "name", "member")
        typer.echo(json.dumps([dict(zip(names, row, strict=True)) for row in rows], ensure_ascii=False))
        return
    for place_, total, name, member in rows:
        typer.echo(f"{place_:>3} {total:>7}  {name or '–'} ({member})")


@app.command("erase")
def erase(
    config: Config,
    member: Annotated[str, typer.Argument(help="The member's number.")],
    cases: Annotated[
        bool, typer.Option("--cases", help="Remove appeals and opinions that name the person, too.")
    ] = False,
) -> None:
    """Erase a member on request: number, name, club and category go; results stay under an alias that says nothing."""
    from table_service.federation.members import erase as erase_member

    done = _on_archive(config, lambda pool: erase_member(pool, member, with_cases=cases))
    typer.echo(f"erased; {done.results} results stay, counted as {done.alias}")
    if done.cases:
        named = ", ".join(map(str, done.cases))
        typer.echo(
            f"cases that name the person: {named} ({'removed' if done.removed else 'kept: --cases removes them'})"
        )


def _on_archive(config: Path, work: Callable[[ArchivePool], Awaitable[Result]]) -> Result:
    """Do ``work`` on the archive of a configuration; what goes wrong is one sentence."""

    async def run() -> Result:
        from table_service.federation.archive_pool import ArchivePool
        from table_service.federation.federation_config import archive_address, load_federation

        async with ArchivePool(archive_address(load_federation(config).archive)) as pool:
            return await work(pool)

    return or_fail(lambda: asyncio.run(run()))


@app.command("hook")
def hook(
    config: Config,
    url: Annotated[str, typer.Argument(help="Address that takes results: https://HOST/PATH.")],
    remove: Annotated[bool, typer.Option("--remove", help="Send nothing there any more.")] = False,
) -> None:
    """Send each tournament's results to an address, signed; the secret of the signatures is shown once."""
    from table_service.federation.result_hooks import add_hook, drop_hook

    if remove:
        if not _on_archive(config, lambda pool: drop_hook(pool, url)):
            fail(f"nothing is sent to {url}", status=2)
        typer.echo(f"nothing is sent to {url} any more")
        return
    typer.echo(f"secret: {_on_archive(config, lambda pool: add_hook(pool, url))}")


Backup = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


@app.command("backup")
def backup(
    config: Config,
    file: Backup,
    rehearse: Annotated[
        bool, typer.Option("--rehearse", help="Restore it into a PostgreSQL of its own, and count.")
    ] = False,
) -> None:
    """Back the archive up with pg_dump while all goes on, with the number of rows of each table."""
    from table_service.federation import backups
    from table_service.federation.federation_config import archive_address, load_federation

    def run() -> None:
        told = load_federation(config)
        made = backups.back_up(archive_address(told.archive), file, told.archive.ca_file)
        typer.echo(f"{file}: {file.stat().st_size} bytes, {made.events} events, {sum(made.rows.values())} rows in all")
        if rehearse:
            typer.echo(f"rehearsed: {backups.rehearse(file).events} events restored, every table as backed up")

    or_fail(run)


@app.command("restore")
def restore(config: Config, file: Backup) -> None:
    """Bring a backup into an empty database, and count that every row has come."""
    from table_service.federation import backups
    from table_service.federation.federation_config import archive_address, load_federation

    def run() -> None:
        told = load_federation(config)
        found = backups.restore(archive_address(told.archive), file, told.archive.ca_file)
        typer.echo(f"restored: {found.events} events, {sum(found.rows.values())} rows in all")

    or_fail(run)
