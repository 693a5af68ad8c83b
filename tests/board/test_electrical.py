"""Electrical facts: the board drawn before is rejected for each of its faults, the present one is proven."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from lab.board import beams, knock, plan
from lab.board.supplies import load, volts_at
from lab.board.wiring import PINS, Cable, PartPin, TablePart, Wiring, load_wiring, parse_value
from lab.board.wiring_checks import problems

ROOT = Path(__file__).parents[2]
TODAY = Path(__file__).parent / "today"


@pytest.fixture(scope="module")
def wiring() -> Wiring:
    return load_wiring()


@pytest.fixture(scope="module")
def said_of_before() -> list[str]:
    return problems(load_wiring(TODAY, TODAY / "pins.json"))


FAULTS = {
    "RF around ground through a multiplexer at 0 and 12 V": "'reader.ANT1' swings from -25 to 25 V, 'mux-1.D'",
    "VBAT forgotten": "'reader.VBAT' is on no net",
    "IRQ forgotten": "'reader.IRQ' is on no net",
    "the transmitter's supply before the chip's": "'reader.TVDD' (net 'USB-gates') may come up before 'reader.VBAT'",
    "outputs read as inputs, gates": "'place:melds-NS' at 'expander-gates.GPA7', which is an output only",
    "outputs read as inputs, a button": "'button:S:count' at 'expander-seats.GPA7', which is an output only",
    "outputs read as inputs, the tray": "'tray:SW' at 'expander-seats.GPB7', which is an output only",
    "a barrier's low is no low": "'beam-edge-N.OUT' pulls no lower than 1 V, 'expander-gates.GPA0' takes for low what",
    "barriers beside one another": "the emitter of 'beam-edge-N' shines into the receiver of 'beam-place-melds-NS'",
    "a scale's second supply": "'scale-stock.VCC' is on no net",
    "a scale that is not there": "'seats:cell.stock.dout' floats on net 'cell-stock-dout'",
    "ten readings a second": "'scale-stock' reads 10 times a second, 25 are needed",
    "a knock that is over": "nothing holds the peak of 'knock-N'",
    "Hall switches of 5 Hz": "'hall-tray-NE' reads 5 times a second, 10 are needed",
    "a cable that silences its bus": "a short in a cable to shield-N or shield-E silences expander-seats and adc",
    "a bus that rises too slowly": "net 'far-sda' rises in 1144 ns",
    "a reader that is not held in reset": "'reader.RST' must rest low while the node starts",
    "thin USB wire": "at 'gates.VBUS' 4.57 V arrive behind its cable; it needs 4.65 V",
    "no fuse": "'light.12V' hangs on net '12V', which can give 2 A and more, without a fuse",
    "no capacitor": "'mux-1.VDD' wants a capacitor of 100 nF beside it",
    "12 V lost unseen": "nobody notices when net '12V' is lost, and 9 sensors live on it",
    "mains lost unread": "nobody reads 'ups.PLD'",
    "no connectors": "'scale-stock' hangs on a cable and has no connector",
    "order numbers never checked": "the parts list says nothing of 'checked' for 'pn5180'",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_board_drawn_before_is_rejected_for(fault: str, said_of_before: list[str]) -> None:
    assert any(FAULTS[fault] in sentence for sentence in said_of_before), "\n".join(said_of_before)


def test_the_present_board_is_sound(wiring: Wiring) -> None:
    assert problems(wiring) == []


def _part(wiring: Wiring, name: str, **changes: object) -> Wiring:
    changed: TablePart = replace(wiring.parts[name], **changes)  # type: ignore[arg-type]
    return replace(wiring, parts={**wiring.parts, name: changed})


def _pin(wiring: Wiring, kind: str, pin: str, **changes: object) -> Wiring:
    old = wiring.kinds[kind]
    changed: PartPin = replace(old.pins[pin], **changes)  # type: ignore[arg-type]
    return replace(wiring, kinds={**wiring.kinds, kind: replace(old, pins={**old.pins, pin: changed})})


def _without(wiring: Wiring, name: str) -> Wiring:
    nets = tuple(replace(net, ends=tuple(e for e in net.ends if e.partition(".")[0] != name)) for net in wiring.nets)
    return replace(wiring, nets=nets, parts={part: one for part, one in wiring.parts.items() if part != name})


def _moved(wiring: Wiring, end: str, to: str) -> Wiring:
    nets = [replace(net, ends=tuple(one for one in net.ends if one != end)) for net in wiring.nets]
    return replace(wiring, nets=tuple(replace(n, ends=(*n.ends, end)) if n.name == to else n for n in nets))


MISTAKES = {
    "a jumper left as it was sold": (lambda w: _part(w, "scale-pots", settings={}), "'scale-pots' reads 10 times"),
    "a pull-up left out": (lambda w: _without(w, "r-dout-stock"), "'seats:cell.stock.dout' floats"),
    "a pull-down left out": (lambda w: _without(w, "r-busy-discard"), "'selector.D5' floats on net 'busy-discard'"),
    "an LED resistor of 10 k": (
        lambda w: _part(w, "r-led-edge-N", value="10k"),
        "the light of 'opto-1.C1' gets 1.0 mA",
    ),
    "an LED resistor of 100": (
        lambda w: _part(w, "r-led-edge-N", value="100"),
        "the light of 'opto-1.C1' gets 96.0 mA",
    ),
    "an emitter turned round": (
        lambda w: _part(w, "beam-edge-N", settings={"emitter": "E"}),
        "the emitter of 'beam-edge-N' shines into the receiver of 'beam-place-melds-NS'",
    ),
    "a peak held too long": (lambda w: _part(w, "r-hold-S", value="1M"), "a peak of 'knock-S' halves in 77 ms"),
    "a peak let go too soon": (lambda w: _part(w, "r-hold-S", value="100k"), "of a peak of 'knock-S' 17% are left"),
    "a fuse too small": (
        lambda w: _part(w, "fuse-beams", value="0.25 A"),
        "fuse 'fuse-beams' of 0.25 A carries 0.37 A",
    ),
    "a fuse too large": (lambda w: _part(w, "fuse-beams", value="5 A"), "does not protect the wire of 0.14 mm2"),
    "thin wire": (
        lambda w: _part(w, "usb-gates", cable=replace(w.parts["usb-gates"].cable, mm2=0.08)),  # type: ignore[type-var]
        "at 'gates.VBUS'",
    ),
    "TVDD from the 5 V": (
        lambda w: _moved(w, "reader-discard.TVDD", "5V-gates"),
        "'reader-discard.TVDD' (net '5V-gates') may come up before 'reader-discard.VBAT'",
    ),
    "12 V no longer watched": (
        lambda w: _part(w, "supply-12V", watches=""),
        "nobody notices when net '12V-beams' is lost",
    ),
    "a capacitor gone": (lambda w: _without(w, "c-selector"), "'selector.VCC' wants a capacitor"),
    "a shield's cable past its buffer": (
        lambda w: _moved(_moved(w, "shield-N.SDA", "near-sda"), "shield-N.SCL", "near-scl"),
        "a short in a cable to shield-N silences",
    ),
    "long cables to the readers": (
        lambda w: replace(
            w,
            parts={
                name: replace(part, cable=replace(part.cable, metres=3.0))
                if part.kind == "pn5180" and part.cable
                else part
                for name, part in w.parts.items()
            },
        ),
        "net 'spi-sck-node' of board 'gates' rises",
    ),
    "two amperes more": (lambda w: _pin(w, "beam", "VDD", ma=300), "net '12V' must give"),
    "an input that wants more": (
        lambda w: _pin(w, "expander", "GPA0", vil=0.2),
        "'opto-1.C1' pulls no lower than 0.3 V",
    ),
    "an output that gives less": (lambda w: _pin(w, "hall", "OUT", voh=2.0), "'hall-tray-NE.OUT' gives 2 V when high"),
    "a level nobody looked up": (lambda w: _pin(w, "decoder", "A0", vil=None), "gives no input level for 'decoder.A0'"),
    "two shields at one address": (
        lambda w: _moved(w, "shield-E.SDO", "GND"),
        "the firmware looks for 'shield-E' at 19h, it is wired to 18h",
    ),
    "a connector with too few ways": (
        lambda w: _part(w, "scale-pots", cable=Cable(0.6, 0.14, "xh4")),
        "the cable to 'scale-pots' carries 5 nets, its connector has 4 ways",
    ),
    "an address line lost": (lambda w: _without(w, "r-select"), "'decoder.E1' must rest high"),
    "a converter that is not there reads as ready": (
        lambda w: _moved(w, "r-dout-stock.A", "GND"),
        "'scale-stock.DOUT' must rest high",
    ),
    "a scale's levels of 5 V": (
        lambda w: _moved(w, "scale-stock.VDD", "5V-seats"),
        "'scale-stock.DOUT' gives 5 V when high, 'seats:cell.stock.dout' bears 3.3 V",
    ),
    "two scales' wires crossed": (
        lambda w: _moved(_moved(w, "scale-stock.DOUT", "cell-pots-dout"), "scale-pots.DOUT", "cell-stock-dout"),
        "'seats:cell.stock.dout' should be the line of 'scale-stock.DOUT'",
    ),
    "two readers' BUSY crossed": (
        lambda w: _moved(_moved(w, "selector.D0", "busy-gate-E"), "selector.D1", "busy-gate-N"),
        "'selector.D0' should be the line of 'reader-gate-N.BUSY'",
    ),
    "a decoder that is never enabled": (lambda w: _moved(w, "decoder.E3", "GND"), "'decoder.E3' must lie high"),
    "shields on no bus": (
        lambda w: _moved(w, "buffer-near.SDAOUT", "near-sda"),
        "the firmware asks 'shield-N' on bus 'near', its SDA is not on it",
    ),
    "a clock behind a resistor that no edge passes": (
        lambda w: _part(w, "r-sck", value="3.3k"),
        "'gates:reader.sck' should be the line of 'reader-gate-N.SCK'",
    ),
    "two seats' knocks crossed": (
        lambda w: _moved(_moved(w, "adc.A0", "knock-E"), "adc.A1", "knock-N"),
        "'adc.A0' should be the line of 'c-hold-N.A'",
    ),
    "two seats' lights crossed": (
        lambda w: _moved(_moved(w, "turn-N.IN", "turn-E"), "turn-E.IN", "turn-N"),
        "'seats:turn.N' should be the line of 'turn-N.IN'",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found(mistake: str, wiring: Wiring) -> None:
    change, sentence = MISTAKES[mistake]
    said = problems(change(wiring))
    assert any(sentence in one for one in said), said


def test_the_peak_detector_is_made_for_the_firmware_that_reads_it(wiring: Wiring) -> None:
    sensors = (ROOT / "hw" / "node" / "sensors.py").read_text()
    board = (ROOT / "hw" / "node" / "board_real.py").read_text()
    assert f"KNOCK_RINGS = {knock.RINGS_S * 1000:.0f} * MS" in sensors
    assert f"KNOCK_US = {knock.LOOK_S * 1e6 / 4:_.0f}" in board
    held = knock.hold(wiring, "N")
    assert held is not None
    assert held.left > 0.5
    assert held.halves < knock.RINGS_S


def test_a_held_peak_counts_once_by_the_firmwares_own_rule(wiring: Wiring) -> None:
    """The rule of hw/node/sensors.py, with the slowest parts: nothing of one peak is reported twice."""
    held = knock.hold(wiring, "N")
    assert held is not None
    slowest, peak = held.seconds * (1 + knock.TOLERANCE), 2000
    for n in range(1, 60):
        t = n * knock.LOOK_S
        value = int(peak * 2.718281828 ** (-t / slowest))
        assert value < 300 or value <= peak >> min(16, int(t * 1e6) // 30_000)  # KNOCK_LEAST is 300 milli-g


def test_128_of_512_ways_to_turn_the_barriers_are_quiet() -> None:
    laid = plan.beams()
    assert beams.crosstalk(laid) == []
    quiet = 0
    for turned in range(512):
        way = [plan.Beam(b.part, b.end, b.start) if turned >> n & 1 else b for n, b in enumerate(laid)]
        quiet += not beams.crosstalk(way)
    assert quiet == 128


def test_currents_and_volts_add_up(wiring: Wiring) -> None:
    readers = wiring.net_by_name["3V3-readers"]
    assert load(wiring, readers) == pytest.approx(6 * 35 + 250 + 2, abs=2)  # six listen, one speaks
    assert volts_at(wiring, "gates.VBUS") == pytest.approx(5 - 0.5377 * 2 * 0.0175 * 3 / 0.205, abs=0.01)


@pytest.mark.parametrize(("text", "value"), [("2.2k", 2200.0), ("100n", 1e-7), ("0.5 A", 0.5), ("33", 33.0), ("", 0.0)])
def test_values_are_read(text: str, value: float) -> None:
    assert parse_value(text) == pytest.approx(value)


def test_the_board_before_differs_from_the_present_one() -> None:
    assert (TODAY / "pins.json").read_text() != PINS.read_text()
    assert "mux" in tomllib.loads((TODAY / "kinds.toml").read_text())
