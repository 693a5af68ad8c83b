"""The board as data: the wiring proves itself, and every kind of mistake in it is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lab.board import __main__ as draw
from lab.board import plan
from lab.board.optics import view
from lab.board.supplies import budget
from lab.board.wiring import Net, Wiring, load_wiring
from lab.board.wiring_checks import problems

DOCS = Path(__file__).parents[2] / "docs" / "board"


@pytest.fixture(scope="module")
def wiring() -> Wiring:
    return load_wiring()


def _with_net(wiring: Wiring, name: str, **changes: object) -> Wiring:
    nets = tuple(replace(net, **changes) if net.name == name else net for net in wiring.nets)  # type: ignore[arg-type]
    assert nets != wiring.nets
    return replace(wiring, nets=nets)


def _with_ends(wiring: Wiring, name: str, *more: str, without: str = "") -> Wiring:
    (net,) = (net for net in wiring.nets if net.name == name)
    return _with_net(wiring, name, ends=(*(end for end in net.ends if end != without), *more))


def test_the_wiring_of_the_project_is_sound(wiring: Wiring) -> None:
    assert problems(wiring) == []


def test_a_pin_on_two_nets_is_found(wiring: Wiring) -> None:
    found = problems(_with_ends(wiring, "reader-busy", "reader-discard.MOSI"))
    assert any("'reader-discard.MOSI' is on net" in one for one in found)


def test_a_pin_on_no_net_is_found(wiring: Wiring) -> None:
    found = problems(_with_ends(wiring, "spi-sck", without="reader-discard.SCK"))
    assert "'reader-discard.SCK' is on no net" in found


def test_a_pin_that_does_not_exist_is_found(wiring: Wiring) -> None:
    assert any("which is no pin" in one for one in problems(_with_ends(wiring, "spi-sck", "reader-discard.SKC")))


def test_twelve_volts_on_a_controller_is_found(wiring: Wiring) -> None:
    found = problems(_with_net(wiring, "reader-busy", volts=12))
    assert "'gates:reader.busy' bears 3.3 V, its net 'reader-busy' has 12 V" in found


def test_too_little_for_a_light_barrier_is_found(wiring: Wiring) -> None:
    moved = _with_ends(_with_ends(wiring, "12V-beams", without="beam-edge-N.VDD"), "5V-gates", "beam-edge-N.VDD")
    assert any("'beam-edge-N.VDD' needs 10.8 to 26.4 V" in one for one in problems(moved))


def test_two_outputs_on_one_net_are_found(wiring: Wiring) -> None:
    moved = _with_ends(_with_ends(wiring, "reader-busy", without="selector.Y"), "spi-miso", "selector.Y")
    assert any("is driven by" in one for one in problems(moved))


def test_swapped_inputs_are_found_because_the_firmware_would_take_one_for_the_other(wiring: Wiring) -> None:
    a = _with_ends(wiring, "out-edge-N", "beam-edge-E.OUT", without="beam-edge-N.OUT")
    b = _with_ends(a, "out-edge-E", "beam-edge-N.OUT", without="beam-edge-E.OUT")
    assert sum("the firmware takes" in one for one in problems(b)) == 2


def test_a_supply_asked_for_too_much_is_found(wiring: Wiring) -> None:
    pins = {**wiring.kinds["beam"].pins, "VDD": replace(wiring.kinds["beam"].pins["VDD"], ma=900)}
    kinds = {**wiring.kinds, "beam": replace(wiring.kinds["beam"], pins=pins)}
    assert any("net '12V' must give" in one for one in problems(replace(wiring, kinds=kinds)))


def test_a_supply_without_a_source_is_found(wiring: Wiring) -> None:
    assert any("has no source" in one for one in problems(_with_ends(wiring, "12V", without="mains.12V")))


def test_a_parts_list_that_is_one_short_is_found(wiring: Wiring) -> None:
    shopping = {**wiring.shopping, "lis3dh": {**wiring.shopping["lis3dh"], "count": 3}}
    assert "the wiring uses 4 of 'lis3dh', the parts list has 3" in problems(replace(wiring, shopping=shopping))


def test_every_supply_keeps_a_tenth_in_reserve(wiring: Wiring) -> None:
    assert all(drawn <= 0.9 * given for drawn, given in budget(wiring).values())


def test_no_coil_lies_where_another_would_hear_its_card() -> None:
    laid = [one.rect for one in plan.coils()]
    for n, a in enumerate(laid):
        for b in laid[n + 1 :]:
            apart = (max(a.x0 - b.x1, b.x0 - a.x1, 0.0), max(a.y0 - b.y1, b.y0 - a.y1, 0.0))
            assert max(apart) >= plan.KEEP_CLEAR


def test_the_camera_resolves_an_index_in_twenty_pixels_over_the_whole_table() -> None:
    seen = view()
    assert seen.seen >= 900
    assert seen.index_px >= 20
    assert 1100 < seen.above_cloth < 1200
    assert seen.depth_near < seen.above_cloth - 30 < seen.depth_far


def test_drawings_and_tables_in_docs_are_those_of_the_data() -> None:
    for name, text in draw.pages().items():
        assert (DOCS / name).read_text("utf-8") == text, f"run python -m lab.board docs/board: {name}"


def test_the_command_says_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert draw.main([]) == 2
    assert "usage" in capsys.readouterr().err


def test_a_net_names_its_ends_once(wiring: Wiring) -> None:
    for net in wiring.nets:
        assert isinstance(net, Net)
        assert len(set(net.ends)) == len(net.ends) >= 2
