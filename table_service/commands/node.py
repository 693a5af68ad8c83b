"""`tavolo node …`: flash, update, verify and teach the microcontrollers of a table.

The table's program must not hold the port meanwhile. Exit codes: 0 done, 1 not as it should be, 2 used wrongly.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, TypeVar

import typer

Result = TypeVar("Result")

app = typer.Typer(
    name="node",
    help="The table's microcontrollers: MicroPython, their files, their settings, their sensors.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Port = Annotated[
    str | None, typer.Option("--port", help="The node's serial device; none: the one Pico that is plugged in.")
]
Wait = Annotated[float, typer.Option("--wait", min=1, help="Seconds that one answer of the node may take.")]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
Board = Annotated[
    str | None, typer.Option("--board", help="Which board it is: gates, seats, places; none: as it is configured.")
]
Name = Annotated[str | None, typer.Option("--name", help="Its name in the table's configuration.")]
Link = Annotated[
    Literal["usb", "uart"] | None, typer.Option("--link", help="How it is connected to the table's computer.")
]
Quiet = Annotated[
    bool | None, typer.Option("--quiet/--no-quiet", help="Silence tags once read, so that a strong one hides none.")
]
Inverted = Annotated[
    list[str] | None,
    typer.Option("--inverted", help="An input that is closed at rest, as edge:N; repeat it; 'none' for no input."),
]
Screens = Annotated[
    bool | None, typer.Option("--screens/--no-screens", help="Screens and tray of bridge are connected.")
]
Calibration = Annotated[
    Path | None,
    typer.Option("--calibration", exists=True, dir_okay=False, help="A node.json to take calibration from."),
]
Table = Annotated[
    Path | None,
    typer.Option("--table", exists=True, dir_okay=False, help="The table's file: only sensors it names are there."),
]


def _fail(message: str) -> NoReturn:
    typer.echo(f"tavolo: {message}", err=True)
    raise typer.Exit(1)


def _port(given: str | None) -> str:
    from firmware_bridge.maintenance import ports

    if given is not None:
        return given
    found = ports()
    if len(found) == 1:
        return found[0]
    if found:
        _fail(f"{len(found)} Picos are plugged in: say --port with one of {', '.join(found)}")
    _fail("no Pico is plugged in; if it is a UART's, say --port with its device")


def _working(work: Callable[[], Result]) -> Result:
    """Return the outcome of ``work``; its errors as one sentence and exit code 1."""
    from firmware_bridge.serial_line import LineError
    from hw.errors import TavoloError

    try:
        return work()
    except (TavoloError, LineError) as error:
        _fail(str(error))


def _quietly(as_json: bool) -> Callable[[str], None]:
    return (lambda _step: None) if as_json else (lambda step: typer.echo(f"  {step}", err=True))


def _known_board(board: str | None) -> None:
    from hw.pins import load_boards

    if board is not None and board not in load_boards():
        raise typer.BadParameter(f"'{board}' is none of {', '.join(sorted(load_boards()))}", param_hint="--board")


def _wish(
    board: str | None,
    name: str | None,
    link: str | None,
    quiet: bool | None,
    inverted: list[str] | None,
    screens: bool | None,
    calibration: Path | None,
    table: Path | None,
) -> Any:
    from firmware_bridge.maintenance import NodeWish
    from hw.provision import calibration_in

    known = _working(lambda: calibration_in(calibration)) if calibration is not None else None
    _known_board(board)
    names = None if inverted is None else tuple(one for one in inverted if one != "none")
    return NodeWish(board, name, link, quiet, names, screens, known, table)


@app.command()
def update(
    port: Port = None,
    board: Board = None,
    name: Name = None,
    link: Link = None,
    quiet: Quiet = None,
    inverted: Inverted = None,
    screens: Screens = None,
    calibration: Calibration = None,
    table: Table = None,
    wait: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Put this program's files on a node, and its settings; only what differs is written. Calibration stays."""
    from firmware_bridge.maintenance import update as put

    wish = _wish(board, name, link, quiet, inverted, screens, calibration, table)
    device = _port(port)
    change = _working(lambda: put(device, wish, wait, _quietly(as_json)))
    if as_json:
        typer.echo(json.dumps({"port": device} | asdict(change)))
    elif change.written or change.removed or change.configured:
        what = f"{len(change.written)} files written, {len(change.removed)} removed"
        typer.echo(f"{device}: {what}{', settings changed' if change.configured else ''}")
    else:
        typer.echo(f"{device}: nothing to change")


@app.command()
def verify(
    port: Port = None,
    wait: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Ask a node what it runs: exit code 0 if it runs this program's files, else 1 and what to do."""
    from firmware_bridge.maintenance import verify as ask

    device = _port(port)
    verdict = _working(lambda: ask(device, wait))
    if as_json:
        typer.echo(json.dumps({"port": device, "right": not verdict.problem} | asdict(verdict)))
        raise typer.Exit(1 if verdict.problem else 0)
    if verdict.problem:
        _fail(f"{device}: {verdict.node + ': ' if verdict.node else ''}{verdict.problem}")
    typer.echo(
        f"{device}: node {verdict.node} runs this program's files ({verdict.files}); "
        f"{verdict.resets} resets and {verdict.brownouts} brown-outs so far"
    )


@app.command()
def flash(
    image: Annotated[Path, typer.Option("--image", dir_okay=False, help="MicroPython for that board (UF2).")],
    sha256: Annotated[str | None, typer.Option("--sha256", help="Its sum, where the image is not pinned.")] = None,
    drive: Annotated[
        Path | None, typer.Option("--drive", file_okay=False, help="Where the BOOTSEL drive is mounted; none: look.")
    ] = None,
    port: Port = None,
    board: Board = None,
    name: Name = None,
    wait: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Put a pinned MicroPython on a Pico in BOOTSEL mode, and with --board the node's files after it."""
    from firmware_bridge.maintenance import NodeWish
    from firmware_bridge.maintenance import update as put
    from hw.micropython_images import approve, copy_to, find_drive, read_image

    _known_board(board)

    def install() -> tuple[Any, str]:
        read = read_image(image)
        trusted = approve(read, sha256)
        copy_to(read, drive or find_drive())
        return read, trusted

    read, trusted = _working(install)
    told = _quietly(as_json)
    told(f"{read.name} ({trusted}) copied; the board starts it")
    answer: dict[str, Any] = {"image": read.name, "sha256": read.sha256, "version": read.version, "trusted": trusted}
    if board is not None:
        device = _await_port(port, 6 * wait)
        change = _working(lambda: put(device, NodeWish(board=board, name=name), wait, told))
        answer |= {"port": device} | asdict(change)
    if as_json:
        typer.echo(json.dumps(answer))
    else:
        files = f", {len(answer['written'])} files written" if board is not None else ""
        typer.echo(f"MicroPython {read.version} is on the board{files}")


def _await_port(given: str | None, seconds: float) -> str:
    """Wait for a board that is about to start, and return its port."""
    from firmware_bridge.maintenance import ports

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if given is not None and Path(given).exists():
            return given
        if given is None and len(found := ports()) == 1:
            return found[0]
        time.sleep(0.2)
    _fail(
        f"the board has not started its MicroPython within {seconds:.0f} s: unplug it and plug it in, then run update"
    )


@app.command()
def images(as_json: Json = False) -> None:
    """List the MicroPython images that this release names, and how far each has been tried."""
    from hw.micropython_images import pinned

    if as_json:
        typer.echo(json.dumps([asdict(one) for one in pinned()]))
        return
    for one in pinned():
        typer.echo(f"{one.file}: {one.module} ({one.chip}), {one.sha256 or 'not pinned'}")
        typer.echo(f"  {one.tested}")


@app.command()
def bench(
    action: Annotated[
        str, typer.Argument(help="What to do: weigh, tare, calibrate, upright, scan, inputs, knocks, lights.")
    ],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Zone, seat, grams or seconds, as the action says.")
    ] = None,
    port: Port = None,
    wait: Wait = 20.0,
    as_json: Json = False,
) -> None:
    """Look at a node's sensors and calibrate them; the values are kept on the node.

    weigh ZONE: grams, over a second. tare ZONE: the present load is zero. calibrate ZONE GRAMS: such a weight
    is there now. upright SEAT: its shield is upright now. scan ZONE: the tags over a coil. inputs: what is
    closed now. knocks [SECONDS]: highest peaks. lights TURN ALERT: bits 1 N, 2 E, 4 S, 8 W.
    """
    from firmware_bridge.maintenance import ACTIONS, misused
    from firmware_bridge.maintenance import bench as do

    words = tuple(arguments or ())
    if action not in ACTIONS:
        raise typer.BadParameter(f"'{action}' is none of {', '.join(ACTIONS)}", param_hint="ACTION")
    wrong = misused(action, words)
    if wrong:
        raise typer.BadParameter(wrong, param_hint="ARGUMENTS")
    device = _port(port)
    found = _working(lambda: do(device, action, words, wait, _quietly(as_json)))
    typer.echo(json.dumps({"port": device, "action": action, "found": found}) if as_json else f"{action}: {found}")
