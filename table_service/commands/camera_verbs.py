"""`tavolo see`, `tavolo enrol` and `tavolo calibrate`: what the command line asks of the camera."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from table_service.commands.arguments import Json


def see(
    images: Annotated[list[Path], typer.Argument(help="Pictures of cards; - for standard input.")],
    as_json: Json = False,
    draw: Annotated[Path | None, typer.Option(help="Paint what was read onto a copy (one picture only).")] = None,
    pack: Annotated[Path | None, typer.Option(help="An enrolled pack (tavolo enrol).")] = None,
    box: Annotated[
        Path | None,
        typer.Option(
            help="An enrolled bidding box (tavolo enrol --of bidding): the tray's bidding cards are read too."
        ),
    ] = None,
) -> None:
    """Read the cards in pictures; with --box also the calls in the tray, by seat where the table's markers show."""
    from table_service.commands.see import see_pictures

    if draw is not None and len(images) > 1:
        raise typer.BadParameter("takes one picture at a time", param_hint="--draw")
    raise typer.Exit(see_pictures(images, as_json=as_json, draw=draw, pack=pack, box=box))


def enrol(
    images: Annotated[list[Path], typer.Argument(help="Pictures of the pack's cards, or a folder of them.")],
    out: Annotated[Path | None, typer.Option(help="Write the enrolled pack here.")] = None,
    kind: Annotated[
        str, typer.Option("--of", help="burraco, bridge, french, tarocco, bidding, or another.")
    ] = "burraco",
    tags: Annotated[Path | None, typer.Option(help='The pack\'s tags: JSON {"UID": "7H#1", …}.')] = None,
    check: Annotated[Path | None, typer.Option(help="Count the cards against this enrolled pack instead.")] = None,
    as_json: Json = False,
) -> None:
    """Show a pack once, card by card or spread out: it is read better, and what is missing or foreign is named."""
    from table_service.commands.enrol import enrol_command

    if (out is None) == (check is None):
        raise typer.BadParameter("say --out PACK to enrol, or --check PACK to count", param_hint="enrol")
    raise typer.Exit(enrol_command(images, out=out, kind=kind, tags=tags, check=check, as_json=as_json))


def calibrate(
    sheets: Annotated[Path | None, typer.Option("--print", help="Write the markers as a PDF to print.")] = None,
    image: Annotated[Path | None, typer.Option(help="A frame of the empty table with its markers.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write camera to table here (JSON).")] = None,
    against: Annotated[Path | None, typer.Option(help="Has anything moved since this calibration?")] = None,
    config: Annotated[Path | None, typer.Option(help="The table's configuration; none: the drawn table.")] = None,
    cards: Annotated[
        bool, typer.Option("--cards", help="By five cards on the table instead of markers (docs/camera-only.md).")
    ] = False,
    as_json: Json = False,
) -> None:
    """Camera to table: print the markers, find them or five cards in a frame, or check an earlier calibration."""
    from table_service.commands.calibrate import calibrate_command

    if sheets is None and image is None and not ((cards or against) and config):
        raise typer.BadParameter("say --print OUT.pdf or --image FRAME", param_hint="calibrate")
    raise typer.Exit(
        calibrate_command(
            sheets=sheets, image=image, out=out, against=against, config=config, cards=cards, as_json=as_json
        )
    )
