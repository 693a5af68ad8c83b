"""The command line of `tavolo install`: one parser, for the command and for ``python3 -m table_service.install``."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from table_service.install import contents
from table_service.install.execute import do, settle
from table_service.install.machine import InstallError, Machine, read_text
from table_service.install.machine_plan import SETTINGS, PlanError, Wish, plan
from table_service.install.remove import undo
from table_service.install.step_kinds import Release, Step, StepOutcome, name_of
from table_service.install.step_state import state

DESCRIPTION: Final = """\
Make this machine a table, a hall's console, or both: packages, a user, an environment, udev rules, the MQTT broker
with its users, the clock, units that start by themselves. What is done already is left alone, so it can be run again
at any time: without arguments it brings an earlier installation up to date. docs/install.md goes through it.
"""
BOARDS: Final = {"gates": "gates", "seats": "table", "places": "places"}
"""The board that each option names, and the port name of the example tables that it gets."""

_READ_ANEW: Final = ("pins", "broker_settings", "console_settings")
"""Parts of a wish that are texts of files: no run remembers them."""


def main(arguments: Sequence[str] | None = None, *, prog: str = "tavolo install") -> int:
    """Run the command. Returns the exit code: 1 if something is refused or fails, 2 if it was used wrongly."""
    given = _parser(prog).parse_args(arguments)
    machine = Machine(given.root)
    if given.uninstall and not (machine.record.get("wish") or given.table or given.console):
        if not given.json:
            sys.stdout.write("Nothing is here that this command installed.\n")
        return _finish([], [], as_json=given.json)
    try:
        wish, steps = _planned(given, machine)
    except (PlanError, InstallError) as error:
        sys.stderr.write(f"tavolo: {error}\n")
        return 2 if isinstance(error, PlanError) else 1
    if given.uninstall:
        return _finish(list(_remove(steps, machine, dry_run=given.dry_run)), [], as_json=given.json)
    outcomes = list(_install(steps, machine, dry_run=given.dry_run))
    if not given.dry_run and machine.path(SETTINGS).is_dir():
        machine.record["wish"] = {k: v for k, v in dataclasses.asdict(wish).items() if k not in _READ_ANEW}
        machine.save_record()
    return _finish(outcomes, list(_left_to_do(wish, machine)), as_json=given.json)


def _planned(given: argparse.Namespace, machine: Machine) -> tuple[Wish, Sequence[Step]]:
    """Return what the machine is to be and the steps to it. Raises PlanError, InstallError."""
    wish = _wish(given, machine)
    if not given.dry_run and os.geteuid() != 0:
        raise InstallError("only root may install: sudo tavolo install … (or --dry-run to see what would be done)")
    return wish, plan(wish)


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=prog, description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_argument_group("what the machine is to be")
    what.add_argument("--table", action="append", default=[], metavar="NAME", help="a table runs here; may be repeated")
    what.add_argument("--console", action="store_true", help="the arbitro's console of the hall runs here")
    what.add_argument("--hall", metavar="NAME", help="the hall (default: sala)")
    what.add_argument("--screen", action="store_true", help="show the table's page on this machine's display")
    parts = parser.add_argument_group("its parts")
    parts.add_argument("--camera", choices=("picamera2", "v4l2", "none"), help="the Pi's own (default), USB, or none")
    parts.add_argument("--gates", metavar="SERIAL", help="serial number of the board 'gates'; 'plugged': the only one")
    parts.add_argument("--seats", metavar="SERIAL", help="serial number of the board 'seats'; 'plugged': the only one")
    parts.add_argument(
        "--places", metavar="SERIAL", help="the same of the board 'places', where tarocco or bridge is played"
    )
    hall = parser.add_argument_group("the hall")
    hall.add_argument("--broker", metavar="HOST", help="the MQTT broker runs on that machine (default: on this one)")
    hall.add_argument("--guest", action="append", default=[], metavar="TABLE", help="a table on another machine")
    hall.add_argument(
        "--away", action="append", default=[], metavar="NAME", help="whose program outside the hall may listen"
    )
    hall.add_argument(
        "--authority", metavar="FOLDER", help="the hall's folder by `tavolo hall init`: the broker takes certificates"
    )
    hall.add_argument("--time-server", metavar="HOST", help="the hall's clock")
    how = parser.add_argument_group("how")
    how.add_argument("--from", dest="source", type=Path, help="Tavolo's checkout or wheel (default: where this runs)")
    how.add_argument("--dry-run", action="store_true", help="say what would be done, on any machine, and do nothing")
    how.add_argument("--uninstall", action="store_true", help="take it all back; settings and journals stay")
    how.add_argument("--json", action="store_true", help="answer in JSON, for programs")
    how.add_argument("--root", type=Path, default=Path("/"), help="install into the Debian system in this folder")
    return parser


def _wish(given: argparse.Namespace, machine: Machine) -> Wish:
    """Return what is wanted: the arguments, else those of an earlier run."""
    before: dict[str, Any] = machine.record.get("wish") or {}

    def last(name: str, default: Any) -> Any:
        return before.get(name) or default

    def said(name: str, default: Any) -> Any:
        value = getattr(given, name)
        return last(name, default) if value is None else value

    boards = dict(last("boards", {}))
    for option, port in BOARDS.items():
        serial = getattr(given, option)
        if serial is not None:
            boards[port] = _plugged(machine) if serial == "plugged" else serial
    authority = said("authority", "")
    return Wish(
        authority=authority,
        broker_settings=_from_hall(machine, authority, "broker/mosquitto.conf"),
        console_settings=_from_hall(machine, authority, "console/hall.toml"),
        source=_source(given, last("source", None)),
        pins=contents.shipped("requirements-table.lock"),
        tables=tuple(dict.fromkeys([*last("tables", ()), *given.table])),
        hall=given.hall or last("hall", "sala"),
        console=given.console or last("console", default=False),
        camera=given.camera or last("camera", "picamera2"),
        screen=given.screen or last("screen", default=False),
        broker=said("broker", ""),
        guests=tuple(dict.fromkeys([*last("guests", ()), *given.guest])),
        away=tuple(dict.fromkeys([*last("away", ()), *given.away])),
        boards=boards,
        time_server=said("time_server", ""),
    )


def _from_hall(machine: Machine, authority: str, name: str) -> str:
    """Return a text of the hall's folder; empty if none is named. Raises InstallError."""
    if not authority:
        return ""
    text = read_text(machine.path(f"{authority}/{name}"))
    if text is None:
        raise InstallError(f"{authority} holds no hall: make it with `tavolo hall init {authority}`")
    return text


def _source(given: argparse.Namespace, before: str | None) -> str:
    return str(given.source.resolve()) if given.source else before or _own_source(shown=given.dry_run)


def _own_source(*, shown: bool = False) -> str:
    """Return the checkout or wheel that this program runs from; ``shown``: it is only named, so that any will do.

    Raises InstallError if it runs from neither.
    """
    here = Path(__file__).resolve().parents[2]
    if here.is_file() or (here / "pyproject.toml").is_file():
        return str(here)
    if shown:
        return "/the-wheel-named-with--from"
    raise InstallError("this runs from an installed copy: name Tavolo's checkout or wheel with --from")


def _plugged(machine: Machine) -> str:
    """Return the serial number of the one board that is plugged in now. Raises InstallError for none or several."""
    vendors = sorted(machine.path("/sys/bus/usb/devices").glob("*/idVendor"))
    boards = [path for path in vendors if (read_text(path) or "").strip() == "2e8a"]
    found = [(read_text(path.with_name("serial")) or "").strip() for path in boards]
    if len(found) != 1:
        seen = f"{len(found)} are: {', '.join(found)}" if found else "none is"
        raise InstallError(f"'plugged' takes the only board that is plugged in, and {seen}")
    return found[0]


def _install(steps: Sequence[Step], machine: Machine, *, dry_run: bool) -> Iterator[StepOutcome]:
    changed: list[Step] = []
    for step in steps:
        found, note = state(step, machine)
        if found == "done":
            yield StepOutcome(name_of(step), "there", note)
        elif found == "refused":
            yield StepOutcome(name_of(step), "refused", note)
            if isinstance(step, Release) and not dry_run:
                return
        elif dry_run:
            yield StepOutcome(name_of(step), "would do", note)
        else:
            try:
                do(step, machine)
            except (InstallError, OSError) as error:
                yield StepOutcome(name_of(step), "refused", str(error))
                return
            finally:
                machine.save_record()
            changed.append(step)
            yield StepOutcome(name_of(step), "done", note)
    try:
        settle(changed, machine)
    except InstallError as error:
        yield StepOutcome("settle", "refused", str(error))


def _remove(steps: Sequence[Step], machine: Machine, *, dry_run: bool) -> Iterator[StepOutcome]:
    for step in reversed(steps):
        if dry_run:
            if state(step, machine)[0] == "done":
                yield StepOutcome(name_of(step), "would do", "it would be taken back, unless it is its owner's")
            continue
        try:
            yield undo(step, machine)
        except (InstallError, OSError) as error:
            yield StepOutcome(name_of(step), "refused", str(error))


def _is_wanted(port: str, wish: Wish, machine: Machine) -> bool:
    """Return True if a table here has that board: each has the first two, the third if its file names the port."""
    files = [read_text(machine.path(f"{SETTINGS}/{table}.toml")) or "" for table in wish.tables]
    return bool(wish.tables) if port != "places" else any(f"/dev/tavolo-{port}" in text for text in files)


def _left_to_do(wish: Wish, machine: Machine) -> Iterator[str]:
    """Return what a person still has to do, one sentence each."""
    for option, port in BOARDS.items():
        if port not in wish.boards and _is_wanted(port, wish, machine):
            yield (
                f"board '{option}' has no name yet: plug it in alone and run `tavolo install --{option} plugged` "
                f"(its port is then /dev/tavolo-{port})"
            )
    for table in wish.tables:
        name = contents.secret(contents.table_user(table))
        let_in = machine.path(name).exists() or machine.path(f"{SETTINGS}/tls/{table}").exists()
        if wish.authority and not let_in:
            card = f"{wish.authority}/tables/{table}/card.txt"
            yield f"let table {table} into the hall: tavolo hall join {card} --config {SETTINGS}/{table}.toml"
        elif wish.broker and not let_in:
            yield (
                f"let table {table} into the hall: `tavolo hall join` with its card, or copy {name} here from the "
                f"hall's machine ({wish.broker}), readable by root alone"
            )
        yield f"go through {SETTINGS}/{table}.toml, then: tavolo doctor --walk --config {SETTINGS}/{table}.toml"
    if not machine.path("/sys/class/rtc/rtc0").exists() and machine.runs:
        yield "this machine has no clock that runs without power: after a cut its time is wrong until a server is heard"


def _finish(outcomes: list[StepOutcome], notes: list[str], *, as_json: bool) -> int:
    refused = [one for one in outcomes if one.change == "refused"]
    changed = sum(one.change in ("done", "removed", "would do") for one in outcomes)
    if as_json:
        steps = [{"step": one.step, "change": one.change, "note": one.note} for one in outcomes]
        told = {"changed": changed, "refused": len(refused), "steps": steps, "left": notes}
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
        return 1 if refused else 0
    for one in outcomes:
        sys.stdout.write(f"{one.change:10}{one.step}{f'   ({one.note})' if one.note else ''}\n")
    shown = any(one.change == "would do" for one in outcomes)
    if shown or not refused:
        _sum_up(changed, notes, "would change" if shown else "changed")
    if refused:
        sys.stderr.write(f"tavolo: {refused[0].step}: {refused[0].note}\n")
    return 1 if refused else 0


def _sum_up(changed: int, notes: list[str], would: str) -> None:
    """Say how many steps were done, or would be, and what a person still has to do."""
    sys.stdout.write(f"{changed} steps {would}\n" if changed else "nothing changed\n")
    for note in notes:
        sys.stdout.write(f"to do: {note}\n")
