"""The pins as data: fit for their functions, every fault found, and the firmware's own tables agree with them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hw.pins import PICO_PIN, BoardChip, Bus, NodeBoard, Pin, load_boards, main, problems, tables
from hw.twin.node_host import node_sensors

ROOT = Path(__file__).parents[2]
BOARDS = load_boards()


@pytest.mark.parametrize("name", BOARDS)
def test_nothing_is_wrong_with_a_boards_pins(name: str) -> None:
    assert problems(BOARDS[name]) == []


def test_the_boards_sense_what_the_simulated_nodes_of_the_same_name_do() -> None:
    for name in ("gates", "seats"):
        has = {f"{kind}:{sensor}" for kind, sensor in BOARDS[name].sensors()}
        assert set(node_sensors(name)) <= has


def test_a_module_has_forty_edge_pins_of_which_26_are_gpio() -> None:
    assert len(PICO_PIN) == 26
    assert len(set(PICO_PIN.values())) == 26
    assert not {3, 8, 13, 18, 23, 28, 30, 33, 35, 36, 37, 38, 39, 40} & set(PICO_PIN.values())


def with_pin(board: NodeBoard, function: str, gpio: int) -> NodeBoard:
    return replace(board, pins=tuple(replace(p, gpio=gpio) if p.function == function else p for p in board.pins))


def with_bus(board: NodeBoard, name: str, **changes: object) -> NodeBoard:
    return replace(board, buses=tuple(replace(b, **changes) if b.name == name else b for b in board.buses))  # type: ignore[arg-type]


def bus_of(board: NodeBoard, name: str) -> Bus:
    return next(bus for bus in board.buses if bus.name == name)


GATES, SEATS = BOARDS["gates"], BOARDS["seats"]
FAULTS = {
    "GPIO 17 has 2 functions": with_pin(GATES, "reader.reset.0", 17),
    "does not lead out": with_pin(GATES, "reader.reset.0", 24),
    "spi 0 cannot have sck at GPIO 14": with_pin(GATES, "reader.sck", 14),
    "i2c 0 cannot have sda at GPIO 6": with_pin(SEATS, "near.sda", 6),
    "uart 0 cannot have rx at GPIO 22": with_pin(GATES, "link.rx", 22),
    "PN5180 bears 7000000 Hz": with_bus(GATES, "reader", hertz=8_000_000),
    "faster than 400000": with_bus(GATES, "inputs", hertz=1_000_000),
    "address 24 is used 2 times": with_bus(
        SEATS, "far", parts=(BoardChip("LIS3DH", 400_000, address=24), BoardChip("LIS3DH", 400_000, address=24))
    ),
    "place:melds-NS is at GPA7, which must not be an input": replace(
        GATES,
        inputs=(replace(GATES.inputs[0], sensors=tuple(one for one in GATES.inputs[0].sensors if one is not None)),),
    ),
    "no valid address": with_bus(SEATS, "far", parts=(*bus_of(SEATS, "far").parts, BoardChip("LIS3DH", 400_000))),
    "is used and has no pin": replace(GATES, pins=tuple(p for p in GATES.pins if p.function != "antenna.2")),
    "has a pin and is not used": replace(GATES, pins=(*GATES.pins, Pin("spare", 26, "nothing"))),
    "no chip with address 33": replace(GATES, inputs=(replace(GATES.inputs[0], address=33),)),
    "connected 2 times": replace(GATES, coils=("gate-N", "gate-N")),
    "9 readers do not fit": replace(GATES, coils=tuple(f"c{n}" for n in range(9))),
    "sixteen pins": replace(SEATS, inputs=(replace(SEATS.inputs[0], sensors=tuple(f"tray:{n}" for n in range(17))),)),
    "i2c 0 is used 2 times": with_bus(SEATS, "far", number=0),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_pins_is_said_in_a_sentence(fault: str) -> None:
    said = problems(FAULTS[fault])
    assert any(fault in sentence for sentence in said), said


def test_the_document_has_the_tables_that_the_data_make(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert capsys.readouterr().out == tables() + "\n"
    assert tables() in (ROOT / "docs" / "firmware.md").read_text(encoding="utf-8")


def test_the_file_is_one_json_object_that_names_only_known_members() -> None:
    data = json.loads((ROOT / "hw" / "node" / "pins.json").read_text(encoding="utf-8"))
    assert set(data) == {"about", "boards"}
