"""The layer for real pins, with a module ``machine`` that only notes what is asked of it; and the files a node keeps.

Nothing here proves that an RP2040 does as ``machine`` promises: no such chip was at hand.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import pytest

from firmware_bridge.frames import Lights
from firmware_bridge.session import Arrived, Joined, LinkSession, LinkTime, Lost
from hw.pins import load_boards
from lab.chips import chips_sim, iso15693_sim
from lab.link.node_firmware import firmware

ROOT = Path(__file__).parents[2]
NODE = ROOT / "hw" / "node"
WIRING = json.loads((NODE / "pins.json").read_text())["boards"]


class FakePin:
    OUT, IN, PULL_UP, OPEN_DRAIN = 1, 0, 1, 2
    made: ClassVar[dict[int, tuple[Any, ...]]] = {}

    def __init__(self, gpio: int, *mode: Any, value: int | None = None) -> None:
        self.gpio = gpio
        FakePin.made[gpio] = (*mode, value)

    def __call__(self, *_level: int) -> int:
        return 1


def fake_machine(cause: int, word: int) -> types.ModuleType:
    made = types.ModuleType("machine")
    note: dict[str, Any] = {"fed": 0, "buses": [], "wdt": None}

    class Bus:
        def __init__(self, *given: Any, **named: Any) -> None:
            note["buses"].append((type(self).__name__, given, {k: getattr(v, "gpio", v) for k, v in named.items()}))

        def readfrom_mem(self, *_given: Any) -> bytes:
            raise OSError(19)

        writeto_mem = readfrom_mem

        def any(self) -> int:
            return 0

        def read(self) -> bytes:
            return b""

        def write(self, data: bytes) -> int:
            note.setdefault("out", bytearray()).extend(data)
            return len(data)

        def freq(self, hertz: int) -> None: ...

        def duty_u16(self, duty: int) -> None: ...

        def read_u16(self) -> int:
            return 32000

    class Watchdog:
        def __init__(self, timeout: int) -> None:
            note["wdt"] = timeout

        def feed(self) -> None:
            note["fed"] += 1

    contents: dict[str, Any] = {
        "Pin": FakePin,
        "WDT": Watchdog,
        "WDT_RESET": 3,
        "PWRON_RESET": 1,
        "note": note,
        "mem32": {0x40064008: word, 0x4010002C: word, 0x40058008: word & 3, 0x400D8008: word & 3},
        "reset_cause": lambda: cause,
        "disable_irq": lambda: 5,
        "enable_irq": lambda state: note.__setitem__("irq", state),
    }
    for name in ("SPI", "I2C", "UART", "ADC", "PWM"):
        contents[name] = type(name, (Bus,), {})
    for name, value in contents.items():
        setattr(made, name, value)
    return made


class FakeTime:
    now = 0

    @classmethod
    def ticks_us(cls) -> int:
        cls.now = (cls.now + 40) % (1 << 30)
        return cls.now

    @staticmethod
    def ticks_diff(after: int, before: int) -> int:
        return (after - before + (1 << 29)) % (1 << 30) - (1 << 29)

    @classmethod
    def sleep_us(cls, count: int) -> None:
        cls.now = (cls.now + count) % (1 << 30)


@pytest.fixture
def flash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder as a Pico's flash, with the firmware on its path and no module of it loaded yet."""
    names = [path.stem for path in NODE.glob("*.py")]
    before = {name: sys.modules.pop(name) for name in [*names, "machine", "micropython"] if name in sys.modules}
    for name in ("pins.json",):
        (tmp_path / name).write_text((NODE / name).read_text())
    (tmp_path / "link_schema.json").write_text((ROOT / "hw" / "link_schema.json").read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(NODE))
    yield tmp_path
    for name in [*names, "machine", "micropython"]:
        sys.modules.pop(name, None)
    sys.modules.update(before)


def start(cause: int = 1, word: int = 1 << 8) -> tuple[Any, Any]:
    machine = fake_machine(cause, word)
    sys.modules["machine"] = machine
    sys.modules["micropython"] = types.SimpleNamespace(kbd_intr=lambda _code: None)  # type: ignore[assignment]
    sys.modules.pop("board_rp2", None)
    rp2 = import_module("board_rp2")
    rp2.time = FakeTime
    return machine, rp2


def configure(flash: Path, board: str, **changes: Any) -> None:
    settings = import_module("settings")
    sensors = [list(pair) for pair in load_boards()[board].sensors()]
    config = {"board": board, "name": "T1", "link": "uart", "quiet": False, "sensors": sensors, "inverted": []}
    settings.save(str(flash / "node.json"), config | {"calibration": {}} | changes)


@pytest.mark.parametrize("board", ["gates", "seats"])
def test_the_firmware_starts_on_its_pins_and_feeds_the_watchdog_with_dead_chips(flash: Path, board: str) -> None:
    configure(flash, board)
    machine, rp2 = start()
    FakePin.made.clear()
    made = import_module("program").run(rp2.Rp2, turns=400)
    note = machine.note
    assert note["wdt"] == 4000
    assert note["fed"] == 400
    assert made.node.troubles, "chips that do not answer must be told"
    wanted = {pin.gpio for pin in load_boards()[board].pins}
    assert set(FakePin.made) == wanted
    spi = [named for kind, _, named in note["buses"] if kind == "SPI"]
    if board == "gates":
        assert spi == [{"baudrate": 4_000_000, "polarity": 0, "phase": 0, "sck": 18, "mosi": 19, "miso": 16}]
    assert b"\0" in note["out"], "it calls for a host"


def test_a_damaged_configuration_starts_a_node_that_says_so(flash: Path) -> None:
    configure(flash, "gates")
    text = (flash / "node.json").read_text()
    (flash / "node.json").write_text(text.replace("gate-N", "gate-X", 1))
    _, rp2 = start()
    import_module("board_rp2")
    program = import_module("program")
    program.DEFAULTS["link"] = "uart"
    board = program.run(rp2.Rp2, turns=3)
    told = board.node.troubles.pop(255).split("; ")
    assert told[:2] == ["the configuration does not fit its checksum", "defaults are in use"]
    assert told[2:] == ["the expander at 20h does not answer"], "the bus of this test has nobody on it"
    assert board.node.troubles == {}
    assert board.node.sensors == []


class Wire:
    """Two lines of an I²C bus with a chip that lost count: it lets the data line go after so many clocks."""

    def __init__(self, clocks: int) -> None:
        self.clocks = clocks
        self.level = {4: 1, 5: 1}
        self.told: list[tuple[int, int]] = []

    def drive(self, gpio: int, level: int) -> None:
        if gpio == 5 and level and not self.level[5]:
            self.clocks -= self.clocks > 0
        self.level[gpio] = level
        self.told.append((gpio, level))

    def read(self, gpio: int) -> int:
        return 0 if gpio == 4 and self.clocks else self.level[gpio]


@pytest.mark.parametrize(("clocks", "held"), [(0, ""), (1, ""), (9, ""), (10, "data"), (-1, "data")])
def test_a_hanging_bus_gets_nine_clocks_and_a_stop(
    flash: Path, monkeypatch: pytest.MonkeyPatch, clocks: int, held: str
) -> None:
    machine, rp2 = start()
    wire = Wire(clocks)

    class LinePin(FakePin):
        def __init__(self, gpio: int, *mode: Any, value: int | None = None) -> None:
            super().__init__(gpio, *mode, value=value)
            if value is not None:
                wire.drive(gpio, value)

        def __call__(self, *level: int) -> int:
            if level:
                wire.drive(self.gpio, level[0])
            return wire.read(self.gpio)

    monkeypatch.setattr(machine, "Pin", LinePin)
    hardware = rp2.Rp2("uart", {"link.tx": 0, "link.rx": 1})
    wire.told.clear()
    bus, told = hardware.free_bus(0, 100_000, {"sda": 4, "scl": 5})
    assert told == held
    assert type(bus).__name__ == "I2C"
    rises = [level for gpio, level in wire.told[2:] if gpio == 5 and level]
    assert len(rises) == (min(clocks, 9) if clocks >= 0 else 9)
    assert wire.told[-2:] == [(4, 0), (4, 1)], "the data line rises while the clock is high: a stop"
    assert wire.level[5] == 1


@pytest.mark.parametrize(
    ("cause", "word", "why", "counts"),
    [(1, 1 << 8, 1, (0, 0)), (3, 1, 2, (1, 0)), (3, 2, 4, (1, 0)), (1, 1 << 16, 4, (1, 0)), (1, 0, 0, (1, 0))],
)
def test_an_rp2040_tells_why_it_started_and_counts(
    flash: Path, monkeypatch: pytest.MonkeyPatch, cause: int, word: int, why: int, counts: tuple[int, int]
) -> None:
    _, rp2 = start(cause, word)
    board = rp2.Rp2("uart", {"link.tx": 0, "link.rx": 1})
    assert (board.cause(), board.counts()) == (why, counts)
    assert rp2.Rp2("uart", {"link.tx": 0, "link.rx": 1}).counts() == (2 * counts[0], 0)


def test_an_rp2350_tells_a_brown_out(flash: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, rp2 = start(1, 1 << 17)
    monkeypatch.setattr(rp2.os, "uname", lambda: types.SimpleNamespace(machine="Raspberry Pi Pico2 with RP2350"))
    assert rp2.Rp2("uart", {"link.tx": 0, "link.rx": 1}).counts() == (0, 1)


def test_a_technician_at_a_terminal_stops_the_program_once(flash: Path) -> None:
    configure(flash, "seats")
    machine, rp2 = start()
    machine.reset = lambda: machine.note.__setitem__("reset", True)
    program, startup = import_module("program"), import_module("startup")
    rp2.Rp2.read_link = lambda self: setattr(self, "maintenance", True) or b"\r\x03"
    program.run(rp2.Rp2, turns=50)
    assert machine.note["reset"]
    assert machine.note["fed"] == 1
    assert (startup.stays(), startup.stays()) == (True, False)


def test_where_memory_does_not_suffice_the_session_is_given_up_and_the_next_tells_everything(flash: Path) -> None:
    """Without a session there is nothing to give up: the error ends the program, and the node starts anew."""
    configure(flash, "seats")
    _, rp2 = start()
    program = import_module("program")
    board = program.run(rp2.Rp2, turns=5)
    link, steps = board.node.link, board.step

    def fails() -> int:
        raise MemoryError

    board.step = fails
    with pytest.raises(MemoryError):
        program.step(board)
    link.welcome(9, (link.codec.hash, link.opening), board.wall_ms())
    board.node.report("press", (40,), board.node.now)
    before = link.opening
    assert program.step(board) == 0
    assert (link.is_open, len(link.queue), len(link.flight), link.opening) == (False, 0, 0, before + 1)
    board.step = steps
    link.welcome(10, (link.codec.hash, link.opening), board.wall_ms())
    waits = [message[0] for message in link.queue.slots if message is not None]
    assert waits.count("sensor") == len(board.node.sensors)
    assert waits[-1] == "press"


def test_only_the_layer_for_real_pins_imports_machine() -> None:
    for path in NODE.glob("*.py"):
        lines = [line.split()[:2] for line in path.read_text().splitlines()]
        imports = ["import", "machine"] in lines or ["from", "machine"] in lines
        assert imports == (path.name in ("board_rp2.py", "startup.py")), path.name


def test_a_cut_while_a_configuration_is_written_leaves_the_old_one(
    flash: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(flash, "seats")
    settings = import_module("settings")
    with monkeypatch.context() as patched:
        patched.setattr(settings.os, "rename", lambda *_names: (_ for _ in ()).throw(OSError("cut")))
        with pytest.raises(OSError, match="cut"):
            settings.save("node.json", {"board": "gates"})
    config, trouble = settings.load("node.json", {"board": "", "name": ""})
    assert (config["board"], trouble) == ("seats", "")
    assert settings.load("none.json", {"board": "x"}) == ({"board": "x"}, "no configuration; defaults are in use")
    (flash / "node.json").write_text(settings.seal('{"board": 7}'))
    assert "strange 'board'" in settings.load("node.json", {"board": ""})[1]


class Rig:
    """A real board's firmware on simulated chips, and a host's session at the other end of its line."""

    def __init__(self, which: str) -> None:
        self.hardware = chips_sim.SimHardware(WIRING[which], why=2, counts=(3, 1))
        sensors = [list(pair) for pair in load_boards()[which].sensors()]
        config = {"name": which, "sensors": sensors, "quiet": False, "inverted": [], "calibration": {}}
        codec = firmware("codec").load(str(ROOT / "hw" / "link_schema.json"))
        self.board = firmware("board_real").RealBoard(config, codec, WIRING[which], self.hardware)
        self.session = LinkSession(1)
        self.events: list[Any] = []

    def run(self, seconds: float, *, host: bool = True) -> None:
        end = self.hardware.clock.now + seconds * 1e6
        while self.hardware.clock.now < end:
            wait = self.board.step()
            self.hardware.wait_us(wait * 1000 or 50)
            now = self.hardware.clock.now / 1e6
            out, self.hardware.link_out = self.hardware.link_out, b""
            if host:
                self.events += self.session.receive(out, LinkTime(now, now))
                self.events += self.session.tick(LinkTime(now, now))
                self.hardware.link_in += self.session.output()

    def messages(self, kind: str) -> list[Any]:
        return [e.message for e in self.events if isinstance(e, Arrived) and type(e.message).__name__ == kind]


def test_from_simulated_chips_over_the_line_to_the_hosts_session() -> None:
    rig = Rig("gates")
    rig.run(2.0)
    (joined,) = [event for event in rig.events if isinstance(event, Joined)]
    assert (joined.hello.cause, joined.hello.resets, joined.hello.brownouts) == (2, 3, 1)
    rig.hardware.over("discard", [iso15693_sim.Tag(bytes.fromhex("E004015512345678"))])
    rig.run(1.0)
    assert rig.messages("TagsRead")[-1].uids == (bytes.fromhex("E004015512345678"),)
    assert not [event for event in rig.events if isinstance(event, Lost)]
    assert rig.hardware.reader_faults == []
    assert rig.session.counters.broken == 0
    both = [event for event in rig.events if isinstance(event, Arrived)]
    assert all(abs(event.micros / 1e6 - event.t) < 0.05 for event in both)
    assert all(event.t <= event.received for event in both)


def test_the_host_never_loses_a_node_whose_every_scan_takes_as_long_as_it_may() -> None:
    rig = Rig("gates")
    for reader in rig.hardware.readers.values():
        reader.jam = "collision"
    rig.run(1.0)
    (joined,) = [event for event in rig.events if isinstance(event, Joined)]
    rig.run(8.0)
    assert [event for event in rig.events if isinstance(event, Lost | Joined)] == [joined]
    # after two seconds each coil says that something there cannot be read; none says that it is empty or holds a card
    coils = [index for index, (kind, _) in enumerate(load_boards()["gates"].sensors()) if kind == "coil"]
    told = {message.sensor for message in rig.messages("Trouble") if message.failing}
    assert told >= set(coils)
    assert not [message for message in rig.messages("TagsRead") if message.uids]


def test_the_hosts_lights_shine_are_repeated_and_go_out_in_its_silence() -> None:
    rig = Rig("seats")
    rig.run(1.0)
    pin, level = rig.board.pin, rig.hardware.levels
    rig.session.show(Lights(turn=8, alert=0, sound=0))
    rig.run(0.3)
    assert [level[pin[f"turn.{seat}"]] for seat in "NESW"] == [0, 0, 0, 1]
    rig.run(2.5, host=False)
    assert [level[pin[f"turn.{seat}"]] for seat in "NESW"] == [0, 0, 0, 0]
    rig.run(2.5)
    assert [level[pin[f"turn.{seat}"]] for seat in "NESW"] == [0, 0, 0, 1], "told again after it joined anew"


def test_a_press_while_nobody_listens_is_told_when_somebody_does() -> None:
    rig = Rig("seats")
    rig.run(1.0)
    rig.run(1.8, host=False)
    assert not rig.board.node.link.is_open
    expander = rig.hardware.chips["near", 32]
    expander.closed = 1
    rig.run(0.2, host=False)
    rig.run(1.5)
    assert len(rig.messages("Pressed")) == 1


def test_no_message_and_no_lamp_can_show_the_time_that_is_left() -> None:
    schema = json.loads((ROOT / "hw" / "link_schema.json").read_text())
    from_host = {name: m["fields"] for name, m in schema["messages"].items() if m["from"] == "host"}
    assert from_host["lights"] == [["turn", "u8"], ["alert", "u8"], ["sound", "u8"]]
    assert set(from_host) == {"call", "welcome", "ack", "nak", "clock_request", "snapshot_request", "lights"}
    assert {name.split(".")[0] for name, *_ in WIRING["seats"]["pins"] if "turn" in name or "alert" in name} == {
        "turn",
        "alert",
    }
