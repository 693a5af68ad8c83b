"""The schematic as files of KiCad 7 and later: ``python -m lab.board.kicad FOLDER``.

A root sheet and a sheet each of ``schematic.SHEETS``; every pin carries a global label with its net's name, so KiCad's
netlist is that of wiring.toml. The same data always give the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from lab.board.schematic import GRID, PlacedPart, PlacedPin, SchematicSheet, sheets
from lab.board.wiring import Wiring, load_wiring
from lab.board.wiring_checks import problems

PROJECT: Final = "tavolo"
VERSION: Final = 20230121
"""File format of KiCad 7; later ones read it."""
TYPES: Final = {
    "supply": "power_in",
    "source": "power_out",
    "ground": "power_in",
    "in": "input",
    "out": "output",
    "io": "bidirectional",
    "open": "open_collector",
    "wire": "passive",
}
FONT: Final = "(effects (font (size 1.27 1.27)))"
ABOVE: Final = "(effects (font (size 1.27 1.27)) (justify left bottom))"
BELOW: Final = "(effects (font (size 1 1)) (justify left top))"
HIDDEN: Final = "(effects (font (size 1.27 1.27)) hide)"


def _uuid(*words: str) -> str:
    return str(uuid5(NAMESPACE_URL, "tavolo/board/" + "/".join(words)))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _property(name: str, value: str, x: float, y: float, effects: str = HIDDEN) -> str:
    return f"(property {_quoted(name)} {_quoted(value)} (at {x:g} {y:g} 0) {effects})"


def _type(pin: PlacedPin, part: PlacedPart) -> str:
    if part.part.kind == "mains" and pin.role == "ground":
        return "power_out"  # where ground comes from
    if pin.name == "MISO":
        return "tri_state"
    has_pull = pin.role == "in" and part.kind.pins[pin.name].pull > 0  # KiCad lets no open collector drive an input
    return "bidirectional" if has_pull else TYPES[pin.role]


def _symbol_of(part: PlacedPart) -> str:
    """Parts of one kind share a symbol; controllers differ by their functions."""
    return part.part.name if part.kind.gpio is not None else part.kind.key


def _library(part: PlacedPart, prefix: str = f"{PROJECT}:") -> str:
    """Return the symbol of a part's kind; in a symbol y points upwards from the box's corner."""
    name = _symbol_of(part)
    pins = []
    for pin in part.pins:
        at = f"(at {pin.x - part.x:g} {part.y - pin.y:g} {0 if pin.left else 180})"
        pins.append(
            f"      (pin {_type(pin, part)} line {at} (length {GRID:g}) "
            f"(name {_quoted(pin.name)} {FONT}) (number {_quoted(pin.number)} {FONT}))"
        )
    box = (
        f"(rectangle (start 0 0) (end {part.width:g} {-part.height:g}) (stroke (width 0.254) (type default)) (fill "
        "(type background)))"
    )
    return "\n".join(
        [
            (
                f"    (symbol {_quoted(prefix + name)} (pin_numbers hide) (pin_names (offset 0.508)) (in_bom yes) "
                "(on_board yes)"
            ),
            f"      {_property('Reference', part.kind.prefix, 0, 2.54, FONT)}",
            f"      {_property('Value', part.kind.name, 0, 5.08, FONT)}",
            f"      {_property('Footprint', '', 0, 0)}",
            f"      {_property('Datasheet', '', 0, 0)}",
            f"      (symbol {_quoted(f'{name}_0_1')} {box})",
            f"      (symbol {_quoted(f'{name}_1_1')}",
            *pins,
            "      ))",
        ]
    )


def _instance(part: PlacedPart, path: str) -> str:
    uuid = _uuid("part", part.part.name)
    pins = " ".join(
        f"(pin {_quoted(pin.number)} (uuid {_uuid('pin', part.part.name, pin.number)}))" for pin in part.pins
    )
    return "\n".join(
        [
            f"  (symbol (lib_id {_quoted(f'{PROJECT}:{_symbol_of(part)}')}) (at {part.x:g} {part.y:g} 0) (unit 1)",
            f"    (in_bom yes) (on_board yes) (dnp no) (uuid {uuid})",
            (f"    {_property('Reference', part.reference, part.x, part.y - 0.6, ABOVE)}"),
            (f"    {_property('Value', part.value, part.x, part.y + part.height + 1.4, BELOW)}"),
            f"    {_property('Footprint', '', part.x, part.y)}",
            f"    {_property('Datasheet', '', part.x, part.y)}",
            f"    {_property('Part', part.part.name, part.x, part.y)}",
            f"    {_property('Where', part.part.where, part.x, part.y)}",
            f"    {pins}",
            (
                f"    (instances (project {_quoted(PROJECT)} (path {_quoted(path)} (reference "
                f"{_quoted(part.reference)}) (unit 1)))))"
            ),
        ]
    )


def _labels(part: PlacedPart) -> Iterable[str]:
    for pin in part.pins:
        where = f"(at {pin.x:g} {pin.y:g}"
        uuid = _uuid("label", part.part.name, pin.number)
        if not pin.net:
            yield f"  (no_connect {where}) (uuid {uuid}))"
            continue
        angle, side = (180, "right") if pin.left else (0, "left")
        yield (
            f"  (global_label {_quoted(pin.net)} (shape passive) {where} {angle}) "
            f"(effects (font (size 1.27 1.27)) (justify {side})) (uuid {uuid}))"
        )


def _head(uuid: str, width: float, height: float, title: str) -> list[str]:
    return [
        f"(kicad_sch (version {VERSION}) (generator tavolo)",
        f"  (uuid {uuid})",
        f'  (paper "User" {max(width, 210):g} {max(height, 148):g})',
        f"  (title_block (title {_quoted(title)}) (company {_quoted('Tavolo; made by python -m lab.board.kicad')}))",
    ]


def sheet_file(sheet: SchematicSheet) -> str:
    """One sheet as a .kicad_sch file."""
    path = f"/{_uuid('root')}/{_uuid('sheet', sheet.name)}"
    symbols = {_symbol_of(part): part for part in sheet.parts}
    lines = [*_head(_uuid("file", sheet.name), sheet.width, sheet.height, sheet.title), "  (lib_symbols"]
    lines += [_library(part) for part in symbols.values()]
    lines.append("  )")
    for part in sheet.parts:
        lines += _labels(part)
    lines += [_instance(part, path) for part in sheet.parts]
    return "\n".join([*lines, ")"]) + "\n"


def root_file(all_sheets: list[SchematicSheet]) -> str:
    """Return the root sheet: a box for each of the others."""
    lines = [*_head(_uuid("root"), 297, 210, "Tavolo: one table"), "  (lib_symbols)"]
    for number, sheet in enumerate(all_sheets):
        x, y = 25.4 + 63.5 * (number % 4), 38.1 + 50.8 * (number // 4)
        lines += [
            f"  (sheet (at {x:g} {y:g}) (size 50.8 25.4) (stroke (width 0.15) (type solid)) (fill (color 0 0 0 0.0))",
            f"    (uuid {_uuid('sheet', sheet.name)})",
            (f"    {_property('Sheetname', sheet.name, x, y - 1, ABOVE)}"),
            (f"    {_property('Sheetfile', f'{sheet.name}.kicad_sch', x, y + 26.5, BELOW)}"),
            (
                f"    (instances (project {_quoted(PROJECT)} (path {_quoted('/' + _uuid('root'))} (page "
                f"{_quoted(str(number + 2))})))))"
            ),
        ]
    lines.append('  (sheet_instances (path "/" (page "1")))')
    return "\n".join([*lines, ")"]) + "\n"


def files(wiring: Wiring) -> dict[str, str]:
    """Every file of the project, by its name."""
    drawn = sheets(wiring)
    project = {"meta": {"filename": f"{PROJECT}.kicad_pro", "version": 1}, "sheets": [], "text_variables": {}}
    symbols = {_symbol_of(part): part for sheet in drawn for part in sheet.parts}
    library = [
        "(kicad_symbol_lib (version 20220914) (generator tavolo)",
        *(_library(one, "") for one in symbols.values()),
    ]
    table = f'(lib (name "{PROJECT}") (type "KiCad") (uri "${{KIPRJMOD}}/{PROJECT}.kicad_sym") (options "") (descr ""))'
    return {
        f"{PROJECT}.kicad_pro": json.dumps(project, indent=2) + "\n",
        f"{PROJECT}.kicad_sym": "\n".join([*library, ")"]) + "\n",
        "sym-lib-table": f"(sym_lib_table (version 7)\n  {table}\n)\n",
        f"{PROJECT}.kicad_sch": root_file(drawn),
        **{f"{sheet.name}.kicad_sch": sheet_file(sheet) for sheet in drawn},
    }


def main(arguments: list[str]) -> int:
    """Write the project: 0 done, 1 the wiring is not sound or the folder cannot be written, 2 used wrongly."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write("usage: python -m lab.board.kicad FOLDER\n")
        return 2
    wiring = load_wiring()
    if wrong := problems(wiring):
        sys.stderr.write(f"tavolo: lab/board: {wrong[0]}\n")
        return 1
    folder = Path(arguments[0])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files(wiring).items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        sys.stderr.write(f"tavolo: cannot write to {folder}: {error.strerror}; name another folder\n")
        return 1
    sys.stdout.write(f"open {folder / PROJECT}.kicad_pro with KiCad 7 or later\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
