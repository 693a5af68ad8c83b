"""The files for KiCad, read by a parser that nobody here wrote, and by KiCad itself where it is installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lab.board.kicad import PROJECT, files, main
from lab.board.schematic import SHEETS, references, sheets
from lab.board.wiring import Wiring, load_wiring


@pytest.fixture(scope="module")
def wiring() -> Wiring:
    return load_wiring()


def wanted(wiring: Wiring) -> dict[str, set[tuple[str, str]]]:
    """Net → (reference, number of the pin), straight from the wiring."""
    names, found = references(wiring), {}
    numbers = {(p.part.name, pin.name): pin.number for sheet in sheets(wiring) for p in sheet.parts for pin in p.pins}
    for net in wiring.nets:
        ends = [re.split("[:.]", end, maxsplit=1) for end in net.ends]
        found[net.name] = {(names[part], numbers[part, pin]) for part, pin in ends}
    return found


def _all(node: Any, word: str) -> Iterator[Any]:
    return (one for one in node if isinstance(one, list) and str(one[0]) == word)


def _one(node: Any, word: str) -> Any:
    return next(_all(node, word))


def read(text: str) -> dict[str, set[tuple[str, str]]]:
    """The nets of one sheet by the rules of the format: a label names the pin that ends where it stands."""
    sexpdata = pytest.importorskip("sexpdata")
    sheet = sexpdata.loads(text)
    library = {}
    for symbol in _all(_one(sheet, "lib_symbols"), "symbol"):
        pins = [pin for unit in _all(symbol, "symbol") for pin in _all(unit, "pin")]
        library[symbol[1]] = [(_one(pin, "number")[1], _one(pin, "at")[1:3]) for pin in pins]
    labels: dict[tuple[float, float], str] = {}
    for label in _all(sheet, "global_label"):
        x, y = _one(label, "at")[1:3]
        assert (x, y) not in labels
        labels[round(x, 2), round(y, 2)] = label[1]
    nets: dict[str, set[tuple[str, str]]] = {}
    for symbol in _all(sheet, "symbol"):
        x, y, _ = _one(symbol, "at")[1:4]
        reference = next(one[2] for one in _all(symbol, "property") if one[1] == "Reference")
        for number, (dx, dy) in library[_one(symbol, "lib_id")[1]]:
            net = labels.get((round(x + dx, 2), round(y - dy, 2)))
            if net is not None:
                nets.setdefault(net, set()).add((reference, number))
    return nets


def test_a_foreign_parser_finds_the_nets_of_the_wiring_in_the_files(wiring: Wiring) -> None:
    found: dict[str, set[tuple[str, str]]] = {}
    made = files(wiring)
    for name in SHEETS:
        for net, pins in read(made[f"{name}.kicad_sch"]).items():
            found.setdefault(net, set()).update(pins)
    assert found == wanted(wiring)


def test_the_root_sheet_names_every_other(wiring: Wiring) -> None:
    sexpdata = pytest.importorskip("sexpdata")
    made = files(wiring)
    root = sexpdata.loads(made[f"{PROJECT}.kicad_sch"])
    named = [one[2] for sheet in _all(root, "sheet") for one in _all(sheet, "property") if one[1] == "Sheetfile"]
    assert named == [f"{name}.kicad_sch" for name in SHEETS]
    assert set(named) < set(made)


def test_no_two_parts_of_a_sheet_lie_on_each_other(wiring: Wiring) -> None:
    for sheet in sheets(wiring):
        for n, a in enumerate(sheet.parts):
            for b in sheet.parts[n + 1 :]:
                beside = a.x + a.width < b.x or b.x + b.width < a.x
                below = a.y + a.height < b.y or b.y + b.height < a.y
                assert beside or below, (a.part.name, b.part.name)


def test_the_same_wiring_gives_the_same_bytes(wiring: Wiring) -> None:
    assert files(wiring) == files(load_wiring())


def test_the_command_writes_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "k")]) == 0
    assert (tmp_path / "k" / f"{PROJECT}.kicad_pro").exists()
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err


KICAD = shutil.which("kicad-cli")
if KICAD:  # a machine without KiCad has nothing to say here: docs/board.md tells what its command said

    @pytest.mark.slow
    def test_kicad_itself_opens_the_project_and_exports_the_nets_of_the_wiring(tmp_path: Path, wiring: Wiring) -> None:
        assert main([str(tmp_path)]) == 0
        for command in (["netlist"], ["erc"]):
            verb = ["sch", "export", "netlist"] if command == ["netlist"] else ["sch", "erc", "--format", "json"]
            out = str(tmp_path / f"out.{command[0]}")
            subprocess.run([str(KICAD), *verb, "-o", out, str(tmp_path / f"{PROJECT}.kicad_sch")], check=True)
        found: dict[str, set[tuple[str, str]]] = {}
        text, net = (tmp_path / "out.netlist").read_text(), ""
        for name, ref, pin in re.findall(
            r'\(name "([^"]*)"\)|\(node\s+\(ref "([^"]+)"\)\s*\(pin "([^"]+)"\)', text[text.index("(nets") :]
        ):
            net = name or net
            if ref and not net.startswith("unconnected"):
                found.setdefault(net.lstrip("/"), set()).add((ref, pin))
        assert found == wanted(wiring)
        checked = json.loads((tmp_path / "out.erc").read_text())
        assert [one["violations"] for one in checked["sheets"] if one["violations"]] == []
