"""The files that belong on a node, gathered into a folder: ``python -m hw.provision gates --out node-gates``.

What a technician then copies to the controller (docs/firmware.md). Without the parts that only a simulation needs.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from hw import config_text
from hw.errors import TavoloError
from hw.pins import NodeBoard, load_boards, problems
from hw.tablemap import TableMap

FIRMWARE: Final = Path(__file__).parent / "node"
SIMULATED: Final = ("board_sim.py", "sim_main.py", "wasm_main.py")
BRIDGE_ONLY: Final = ("screen", "tray")
"""Kinds of sensors that only a table with bidding screens has."""
ALWAYS: Final = ("button", "knock")
"""Kinds of sensors whose presence cannot be detected."""


class ProvisionError(TavoloError, ValueError):
    """The folder cannot be made; the text is one sentence."""


@cache
def _module(name: str) -> ModuleType:
    """One of the firmware's own modules, loaded here: both ends compute alike."""
    spec = importlib.util.spec_from_file_location(f"tavolo_node_{name}", FIRMWARE / f"{name}.py")
    if spec is None or spec.loader is None or not (FIRMWARE / f"{name}.py").is_file():
        raise ProvisionError(f"{FIRMWARE} is not whole: {name}.py is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def firmware_files() -> dict[str, bytes]:
    """Return the files that this program brings for every node, by their name on its flash; no configuration.

    Raises ProvisionError if they cannot be read.
    """
    sources = [path for path in FIRMWARE.glob("*.py") if path.name not in SIMULATED]
    sources += [FIRMWARE / "pins.json", FIRMWARE.parent / "link_schema.json"]
    try:
        return {path.name: path.read_bytes() for path in sorted(sources, key=lambda path: path.name)}
    except OSError as error:
        raise ProvisionError(f"cannot read the firmware in {FIRMWARE}: {error.strerror or error}") from None


def files_checksum(files: Mapping[str, bytes] | None = None) -> str:
    """Return the checksum that a node with these files (by default this program's) carries in HELLO: 16 digits."""
    files = firmware_files() if files is None else files
    checksum: str = _module("fingerprint").checksum(list(files), lambda name: [files[name]])
    return checksum


def is_firmware(name: str) -> bool:
    """Return True if a file of that name on a node's flash counts as firmware, so that a stranger there shows."""
    return bool(_module("fingerprint").is_firmware(name))


def unseal(text: str) -> dict[str, Any]:
    """Return the configuration in a node.json. Raises ValueError if it is damaged."""
    config: dict[str, Any] = _module("settings").unseal(text)
    return config


def seal(config: Mapping[str, Any]) -> str:
    """Return the text of a node.json."""
    text: str = _module("settings").seal(json.dumps(config))
    return text


def sensors_for(board: NodeBoard, table: Path) -> tuple[tuple[str, str], ...]:
    """Return the sensors of ``board`` that are plugged in at the table whose map is the TOML file ``table``.

    Sensors that the map does not name are absent: a node that asked after one would report trouble for ever. Buttons
    and knocks stay: an absent one cannot be distinguished from one at rest. A barrier across a place is there if any
    seat's beam names that place. Raises hw.config_text.ConfigError, or ProvisionError if no node of the map is that
    board.
    """
    nodes = [node for node in config_text.load(table, TableMap).nodes.values() if node.board == board.name]
    if not nodes:
        raise ProvisionError(f"{table} names no node with board = '{board.name}'")
    named = {sensor for node in nodes for sensor in node.sensors}
    places = {name.partition(":")[2] for kind, _, name in (one.partition(":") for one in named) if kind == "beam"}
    return tuple(
        (kind, name)
        for kind, name in board.sensors()
        if kind in ALWAYS or f"{kind}:{name}" in named or (kind == "beam" and name.partition(":")[2] in places)
    )


def configuration(
    board: NodeBoard,
    name: str,
    link: str,
    calibration: dict[str, Any],
    *,
    screens: bool,
    plugged: Iterable[tuple[str, str]] | None = None,
) -> str:
    """Return the sealed text of node.json for ``board``.

    ``plugged``: its sensors; None: all that it can report, with ``screens`` those of bridge too.
    """
    if plugged is None:
        plugged = (pair for pair in board.sensors() if screens or pair[0] not in BRIDGE_ONLY)
    sensors = [list(pair) for pair in plugged]
    config = {"board": board.name, "name": name, "link": link, "quiet": False, "sensors": sensors, "inverted": []}
    return seal(config | {"calibration": calibration})


def provision(board: NodeBoard, out: Path, config: str) -> list[str]:
    """Fill the folder ``out`` (made if need be, emptied of nothing); the names of the files in it that are ours."""
    if wrong := problems(board):
        raise ProvisionError(wrong[0])
    try:
        out.mkdir(parents=True, exist_ok=True)
        files = firmware_files()
        for file, content in files.items():
            (out / file).write_bytes(content)
        (out / "node.json").write_text(config, encoding="utf-8")
    except OSError as error:
        raise ProvisionError(f"cannot write to {out}: {error.strerror or error}") from None
    return sorted([*files, "node.json"])


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return 0 if done, 1 if it cannot be done (one sentence says why), 2 if used wrongly."""
    boards = load_boards()
    parser = argparse.ArgumentParser(prog="python -m hw.provision", description="The files that belong on a node.")
    parser.add_argument("board", choices=sorted(boards))
    parser.add_argument("--out", type=Path, required=True, help="the folder to fill")
    parser.add_argument("--name", help="the node's name in the table's file; else the board's")
    parser.add_argument("--link", choices=("usb", "uart"), default="usb")
    parser.add_argument("--calibration", type=Path, help="JSON kept from the node before: its node.json will do")
    parser.add_argument("--screens", action="store_true", help="a bridge table: screens and tray are connected")
    parser.add_argument("--table", type=Path, help="the table's file: only the sensors that it names are there")
    given = parser.parse_args(arguments)
    board = boards[given.board]
    try:
        known = calibration_in(given.calibration) if given.calibration else {}
        plugged = sensors_for(board, given.table) if given.table else None
        name = given.name or board.name
        config = configuration(board, name, given.link, known, screens=given.screens, plugged=plugged)
        files = provision(board, given.out, config)
    except TavoloError as error:
        sys.stderr.write(f"provision: {error}\n")
        return 1
    sys.stdout.write(f"{len(files)} files for board '{board.name}' in {given.out}\n")
    return 0


def calibration_in(path: Path) -> dict[str, Any]:
    """Return the calibration in a node.json, or in a JSON file that holds nothing else. Raises ProvisionError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProvisionError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError:
        raise ProvisionError(f"{path} is not JSON") from None
    found = data.get("calibration", data) if isinstance(data, dict) else None
    if not isinstance(found, dict) or not all(isinstance(value, dict) for value in found.values()):
        raise ProvisionError(f"{path} holds no calibration")
    return found


if __name__ == "__main__":
    sys.exit(main())
