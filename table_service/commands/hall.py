"""`tavolo hall …`: a hall's own certificates, its broker's and console's settings, cards that bring tables in.

Exit codes: 0 done, 1 refused or not as it should be, 2 used wrongly.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import typer

from table_service.commands.arguments import Json, fail
from table_service.hall.errors import HallError, HallUseError

_MOST_BYTES: Final = 25_000_000
_MOST_PIXELS: Final = 30_000_000
"""Most pixels of a photograph of a card: a phone's has 12 to 24 million."""

Result = TypeVar("Result")

app = typer.Typer(
    name="hall",
    help="A hall's certificates: broker, console and tables know each other, and nobody else is let in.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Folder = Annotated[Path, typer.Option("--in", help="The hall's folder, made by 'tavolo hall init'.")]
Tables = Annotated[list[str], typer.Argument(help="Tables, as T1 T2, or T1..T12.")]
PIECE = "The broker takes it up with: systemctl restart mosquitto"


@app.command("init")
def init(
    folder: Annotated[Path, typer.Argument(help="A new folder for the authority and all that it makes.")],
    tables: Annotated[list[str] | None, typer.Argument(help="Tables, as T1 T2, or T1..T12.")] = None,
    hall: Annotated[str, typer.Option(help="The hall's name.")] = "sala",
    host: Annotated[
        list[str] | None,
        typer.Option(help="Address of the hall's machine, as tables and tablets reach it; the first is on the cards."),
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The broker's port for tables.")] = 8883,
    console_port: Annotated[int, typer.Option(min=1, max=65535, help="The broker's for the console.")] = 8884,
    pages: Annotated[int, typer.Option(min=1, max=65535, help="Port of the console's pages.")] = 8443,
    mosquitto: Annotated[
        Literal["2.0", "2.1"], typer.Option(help="Write the broker's settings as it wants them.")
    ] = "2.0",
    days: Annotated[int, typer.Option(min=30, max=7300, help="How long the authority is believed.")] = 3653,
    as_json: Json = False,
) -> None:
    """Make a hall: authority, broker's settings and rights, the console's TLS files, a card for each table."""
    from table_service.hall import hall_folder
    from table_service.hall.authority import now
    from table_service.hall.broker_files import Doors

    def make() -> hall_folder.HallBook:
        if not host:
            raise HallUseError("say with --host at which address the tables reach the hall's machine")
        if len({port, console_port, pages}) < 3:
            raise HallUseError("the broker's two ports and the pages' must differ")
        named = hall_folder.all_tables(tables or [])
        book = hall_folder.HallBook(hall, list(host), Doors(port, console_port), pages, mosquitto, named)
        hall_folder.create(folder, book, now(), days)
        return book

    book = _or_fail(make)
    _tell_cards(folder, book.tables, as_json=as_json, more={"folder": str(folder), "hall": hall})
    if not as_json:
        typer.echo(f"broker: include_dir {folder.absolute()}/broker   console: --config {folder}/console/hall.toml")
        typer.echo(f"tablets believe the pages once they know {folder}/authority/authority.crt")


@app.command("add")
def add(tables: Tables, folder: Folder = Path(), as_json: Json = False) -> None:
    """Bring further tables into the hall: a certificate, rights and a card for each."""
    from table_service.hall import hall_folder
    from table_service.hall.authority import now

    named = _or_fail(lambda: hall_folder.all_tables(tables))
    _or_fail(lambda: hall_folder.add(folder, named, now()))
    _tell_cards(folder, named, as_json=as_json)


@app.command("renew")
def renew(
    tables: Annotated[list[str] | None, typer.Argument(help="Tables; none: whatever ends soon.")] = None,
    folder: Folder = Path(),
    within: Annotated[int, typer.Option(min=0, max=400, help="Days within which it ends.")] = 30,
    as_json: Json = False,
) -> None:
    """Make new certificates and cards for tables, or for all that ends soon, the broker's and console's with them."""
    from table_service.hall import hall_folder
    from table_service.hall.authority import now
    from table_service.install.contents import table_user

    named = _or_fail(lambda: hall_folder.all_tables(tables or []))
    names = _or_fail(lambda: hall_folder.renew(folder, named, now(), within))
    users = {table_user(table): table for table in _or_fail(lambda: hall_folder.read_book(folder)).tables}
    machine = [name for name in names if name not in users]
    _tell_cards(folder, [users[name] for name in names if name in users], as_json=as_json, more={"machine": machine})
    if not as_json and machine:
        typer.echo(f"new for the hall's machine: {', '.join(machine)}; restart mosquitto and tavolo-console")
    if not as_json and not names:
        typer.echo("nothing ends soon")


@app.command("revoke")
def revoke(tables: Tables, folder: Folder = Path(), as_json: Json = False) -> None:
    """Shut tables out: the broker refuses their certificates, and they have no rights at it."""
    from table_service.hall import hall_folder
    from table_service.hall.authority import now

    named = _or_fail(lambda: hall_folder.all_tables(tables))
    shut = _or_fail(lambda: hall_folder.revoke(folder, named, now()))
    if as_json:
        typer.echo(json.dumps({"revoked": shut}))
        return
    typer.echo(f"shut out: {', '.join(shut)}" if shut else "they were shut out before")
    typer.echo(PIECE)


@app.command("away")
def away(
    names: Annotated[list[str], typer.Argument(help="People, as the last part of the topic that the console tells.")],
    folder: Folder = Path(),
    shut: Annotated[bool, typer.Option("--shut", help="Shut them out again.")] = False,
    as_json: Json = False,
) -> None:
    """Let programs outside the hall hear what the console sends these people: a certificate for each, and no more."""
    from table_service.hall import hall_folder
    from table_service.hall.authority import now

    if shut:
        gone = _or_fail(lambda: hall_folder.deafen(folder, names, now()))
        typer.echo(json.dumps({"shut_out": gone}) if as_json else f"shut out: {', '.join(gone) or 'nobody new'}")
    else:
        _or_fail(lambda: hall_folder.listen(folder, names, now()))
        places = {name: str(folder.absolute() / "away" / name) for name in dict.fromkeys(names)}
        typer.echo(json.dumps(places) if as_json else "\n".join(f"{name}: {at}" for name, at in places.items()))
    if not as_json:
        typer.echo(PIECE)


@app.command("list")
def list_tables(folder: Folder = Path(), as_json: Json = False) -> None:
    """List who is in the hall, and until when."""
    from table_service.hall import hall_folder
    from table_service.install.contents import table_user

    book = _or_fail(lambda: hall_folder.read_book(folder))
    rows: list[tuple[str, str | None]] = []
    for name, user in [*((one, one) for one in hall_folder.MACHINE), *((t, table_user(t)) for t in book.tables)]:
        held = book.current(user)
        rows.append((name, held.until.strftime("%Y-%m-%d") if held else None))
    if as_json:
        typer.echo(json.dumps({"hall": book.hall, "until": dict(rows)}))
        return
    for name, until in rows:
        typer.echo(f"{name:12}{until or 'shut out'}")


@app.command("join")
def join(
    card: Annotated[
        Path, typer.Argument(help="The card: a picture of it, or its text card.txt; - for standard input.")
    ],
    config: Annotated[Path, typer.Option(help="The table's configuration.")],
    code: Annotated[str | None, typer.Option(help="The code that opens the card; else it is asked for.")] = None,
    as_json: Json = False,
) -> None:
    """Bring this table into a hall with its card."""
    from table_service.hall.join_card import read_card
    from table_service.hall.joining import join as bring_in

    text = _or_fail(lambda: _text_of(card))
    told = code if code is not None else typer.prompt("code", hide_input=True, err=True)
    opened = _or_fail(lambda: read_card(text, told))
    place = _or_fail(lambda: bring_in(opened, config))
    if as_json:
        where = {
            "table": opened.table,
            "hall": opened.hall,
            "broker": f"{opened.host}:{opened.port}",
            "folder": str(place),
        }
        typer.echo(json.dumps(where))
        return
    typer.echo(f"table {opened.table} signs in at {opened.host}:{opened.port} with {place}")
    typer.echo(f"it does so after: systemctl restart tavolo-table@{opened.table}; then destroy the card")


def _text_of(card: Path) -> str:
    """Return the card's text, from a picture of it or a file. Raises HallError."""
    try:
        if str(card) == "-":
            data = sys.stdin.buffer.read(_MOST_BYTES)
        else:
            with card.open("rb") as stream:
                data = stream.read(_MOST_BYTES)
    except OSError as error:
        raise HallError(f"{card} cannot be read: {error.strerror or error}") from None
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        pass
    if data.startswith(b"%PDF"):
        raise HallError(f"{card} is the card to print: give a picture of it, or the file card.txt beside it")
    from table_service.hall.card_page import text_in_picture
    from vision.errors import PictureError
    from vision.pictures import decode_picture

    try:
        picture = decode_picture(data, card.name, _MOST_PIXELS)
    except PictureError as error:
        raise HallError(f"this is neither a picture that can be read nor a card's text: {error}") from None
    return text_in_picture(picture)


def _tell_cards(folder: Path, tables: Sequence[str], *, as_json: bool, more: dict[str, Any] | None = None) -> None:
    """Print the path of each table's card, and the code that opens it."""
    from table_service.hall import hall_folder

    cards = {
        table: {"card": str(folder / "tables" / table / "card.pdf"), "code": hall_folder.code_of(folder, table)}
        for table in tables
    }
    if as_json:
        typer.echo(json.dumps({**(more or {}), "tables": cards}, ensure_ascii=False))
        return
    for table, told in cards.items():
        typer.echo(f"{table:12}code {told['code']}   card {told['card']}")


def _or_fail(work: Callable[[], Result]) -> Result:
    try:
        return work()
    except HallUseError as error:
        fail(str(error), status=2)
    except HallError as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot write {error.filename or 'there'}: {error.strerror or error}")
