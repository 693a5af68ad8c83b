"""`tavolo federation …`: what people get of the archive: its page, places, members, results, erasing, backups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from table_service.commands.arguments import fail
from table_service.commands.federation_verbs import Config, app, or_fail, stopped

__all__ = ["app"]

if TYPE_CHECKING:
    from table_service.console.settings import ConsoleSettings
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
    from table_service.console.settings import ConsoleSettings

    at = told.page
    tls = None if at.tls_certificate is None or at.tls_key is None else (at.tls_certificate, credential(at.tls_key))
    return ConsoleSettings(
        hall=told.federation.name, host=at.host, port=at.port, proxies=at.proxies, language=at.language,
        data=at.data, tls=tls,
    )  # fmt: skip


@app.command("place")
def place(
    config: Config,
    hall: Annotated[str, typer.Argument(help="The hall's name in the federation.")],
    club: Annotated[str, typer.Option(help="The club whose hall it is.")] = "",
    region: Annotated[str, typer.Option(help="The region it is in.")] = "",
) -> None:
    """Write down the club and the region of a hall: rights reach by them."""
    import asyncio

    from table_service.federation.archive_pool import ArchivePool
    from table_service.federation.federation_config import archive_address, load_federation
    from table_service.federation.reach import HallPlace, set_place

    async def write() -> None:
        async with ArchivePool(archive_address(load_federation(config).archive)) as pool:
            await set_place(pool, HallPlace(hall, club, region))

    or_fail(lambda: asyncio.run(write()))
    typer.echo(f"{hall}: {club or 'no club'}, {region or 'no region'}")
