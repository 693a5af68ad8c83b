# A board with real chips, as a node sees it. No ``machine`` here: ``hardware`` (board_rp2.py, or the tests' simulated
# one) gives pins, buses and time; pins.json says which pin does what; the configuration says which sensors there are.

from antenna import Antennas
from hx711 import HX711, Cell
from inputs import ADS1015, MCP23017, Knocks
from lamps import Lamps
from node import Node
from pn5180 import PN5180
from reaches import Reaches
from tilt import CHIPS, Tilt

TILT_US = 40_000
KNOCK_US = 4_000  # one of four channels each time
INPUTS_US = 50_000  # however still the expander's INT is: an edge that was missed shows within this
RETRY_US = 1_000_000  # a chip that does not answer is asked again after this
SUPPLY_US = 1_000_000
SUPPLY_LOW = 4_300  # millivolts on VSYS: below them a brown-out is near
OUT_MOST = 512  # bytes handed to the line at once


class Timer:
    """Says when something is due again."""

    def __init__(self, period):
        self.period = period
        self.due = 0

    def comes(self, now):
        if now < self.due:
            return False
        self.due = now + self.period
        return True


class Inputs:
    """One expander: its sixteen levels, and which sensor each bit is."""

    def __init__(self, chip, changed, sensors, inverted):
        self.chip = chip
        self.changed = changed
        self.sensors = sensors
        self.inverted = 0  # bits that are closed at rest: a light barrier whose receiver pulls down while it sees light
        for bit, sensor in enumerate(sensors):
            if sensor in inverted:
                self.inverted |= 1 << bit
        self.levels = None
        self.timer = Timer(INPUTS_US)
        self.failed_at = None


class RealBoard:
    """Everything between ``hardware`` and a Node. ``step`` does what is due; call it for ever.

    ``hardware``: ``us()`` (never wraps), ``ticks()`` (microseconds that wrap and stay small integers), ``elapsed(since)``
    such ticks, ``wait_us(count)``, ``output(gpio, level)`` → function, ``input(gpio, pull_up)`` →
    function, ``bus(description)`` → SPI or I2C, ``guard(on)``, ``tone(gpio)`` → function, ``boot()``, ``cause()``, ``counts()``, ``files()``,
    ``supply()`` → millivolts or None, ``read_link()``, ``write_link(data)`` → count taken.
    """

    quick = False

    def __init__(self, config, codec, wiring, hardware, trouble=""):
        self.hardware = hardware
        self.wiring = wiring
        self.pin = {name: gpio for name, gpio, _ in wiring["pins"]}
        self.buses = {bus["name"]: bus for bus in wiring["buses"]}
        self.made = {}
        self.calibration = config["calibration"]
        wanted = [kind + ":" + name for kind, name in config["sensors"]]
        self.antennas = self.make_antennas(config) if wiring["coils"] else None
        cells, tilts = wiring["cells"].items(), wiring["tilts"].items()
        self.cells = {name: self.make_cell(name, where) for name, where in cells if "scale:" + name in wanted}
        self.tilts = {seat: self.make_tilt(seat, at) for seat, at in tilts if "shield:" + seat in wanted}
        raw = [sensor.split(":", 1) for at in wiring["inputs"] for sensor in at["sensors"]]
        self.reaches = Reaches([name for kind, name in raw if kind == "place"], self.reached)
        self.inputs = [self.make_inputs(at, config["inverted"]) for at in wiring["inputs"]]
        self.knocks = self.make_knocks(wiring["knocks"], config) if wiring["knocks"] else None
        self.lamps = self.make_lamps()
        self.values = {}
        self.tilt_timer, self.knock_timer, self.supply_timer = Timer(TILT_US), Timer(KNOCK_US), Timer(SUPPLY_US)
        self.knocks_failed_at = None
        self.incoming = b""
        self.node = None
        self.look_at_inputs(0)
        self.node = Node(config, codec, self, hardware.us())
        if trouble:
            self.node.ail("configuration", trouble)

    # how it is put together

    def bus(self, name):
        if name not in self.made:
            described = self.buses[name]
            pins = {word: self.pin[function] for word, function in described["pins"].items()}
            self.made[name] = self.hardware.bus(described["kind"], described["number"], described["hertz"], pins)
        return self.made[name]

    def make_antennas(self, config):
        hardware, pin = self.hardware, self.pin
        select = hardware.output(pin["reader.select"], 1)
        reset = hardware.output(pin["reader.reset"], 1)
        reader = PN5180(self.bus("reader"), select, hardware.input(pin["reader.busy"], False), reset, hardware)
        lines = [hardware.output(pin["antenna.%d" % bit], 0) for bit in range(3)]
        return Antennas(reader, self.wiring["coils"], lines, self.pause, config["quiet"])

    def make_cell(self, name, where):
        hardware, pin = self.hardware, self.pin
        converter = HX711(
            hardware.input(pin[where + ".dout"], False), hardware.output(pin[where + ".sck"], 0), hardware.guard
        )
        known = self.calibration.get("scale:" + name, {})
        return Cell(converter, known.get("zero", 0), known.get("counts_per_kg", 400_000))

    def make_tilt(self, seat, at):
        known = self.calibration.get("shield:" + seat, {})
        return Tilt(CHIPS[at["part"]](self.bus(at["bus"]), at["address"]), known.get("up", (0, 0, 1000)))

    def make_inputs(self, at, inverted):
        changed = self.hardware.input(self.pin[at["changed"]], True)
        return Inputs(MCP23017(self.bus(at["bus"]), at["address"]), changed, at["sensors"], inverted)

    def make_knocks(self, at, config):
        milli_g = self.calibration.get("knock", {}).get("milli_g_per_volt", 1000)
        return Knocks(ADS1015(self.bus(at["bus"]), at["address"]), at["seats"], milli_g)

    def make_lamps(self):
        hardware, pin, wiring = self.hardware, self.pin, self.wiring
        turn = {seat: hardware.output(pin[name], 0) for seat, name in wiring["turn"].items()}
        alert = {seat: hardware.output(pin[name], 0) for seat, name in wiring["alert"].items()}
        tone = hardware.tone(pin[wiring["buzzer"]]) if wiring["buzzer"] else no_tone
        return Lamps(turn, alert, tone)

    # what a node asks of its board

    def wall_ms(self):
        return self.hardware.us() // 1000

    def boot(self):
        return self.hardware.boot()

    def cause(self):
        return self.hardware.cause()

    def counts(self):
        return self.hardware.counts()

    def files(self):
        return self.hardware.files()

    def inventory(self, zone):
        return None if self.antennas is None else self.antennas.scan(zone)

    def inventory_remark(self):
        if self.antennas is None:
            return "this board has no reader", False
        return self.antennas.trouble, self.antennas.whole

    def weigh(self, zone):
        cell = self.cells.get(zone)
        return None if cell is None else cell.weigh()

    def level(self, kind, name):
        if kind == "shield":
            return self.tilts[name].pose if name in self.tilts else 1
        return self.values.get(kind + ":" + name, 0)

    def show(self, turn, alert, sound):
        self.lamps.show(turn, alert, sound)

    # what must not wait while the reader listens

    def pause(self):
        """Between two slots of an inventory: bytes, load cells and edges, each with its own moment."""
        data = self.hardware.read_link()
        if data and len(self.incoming) < 4096:
            self.incoming += data
        for cell in self.cells.values():
            cell.poll()
        now = self.hardware.us()
        self.look_at_inputs(now)
        due = self.reaches.due()
        if due is not None and due <= now:
            self.reaches.tick(now)

    def look_at_inputs(self, now):
        for group in self.inputs:
            if group.failed_at is not None and now - group.failed_at < RETRY_US:
                continue
            if group.changed() and not group.timer.comes(now):
                continue  # INT is high: nothing has changed
            try:
                levels = group.chip.read() ^ group.inverted
            except OSError:
                group.failed_at = now
                self.ail(group, "the expander at %02Xh does not answer" % group.chip.address)
                continue
            if group.failed_at is not None:
                group.failed_at = None
                self.ail(group, "")
            self.take_levels(group, levels, now)

    def take_levels(self, group, levels, now):
        before, group.levels = group.levels, levels
        changed = 0xFFFF if before is None else before ^ levels
        if not changed:
            return
        for bit, sensor in enumerate(group.sensors):
            if changed >> bit & 1:
                self.changed(sensor, levels >> bit & 1, now)

    def changed(self, sensor, level, now):
        kind, name = sensor.split(":", 1)
        if kind in ("edge", "place"):
            self.reaches.raw(kind, name, level, now)
            if kind == "edge" and level and self.node is not None:
                self.node.stir("gate-" + name, now)
        else:
            self.values[sensor] = level
            if self.node is not None:
                self.node.edge(sensor, level, now)

    def reached(self, name, level, moment):
        self.values["beam:" + name] = level
        if self.node is not None:
            self.node.edge("beam:" + name, level, moment)

    def ail(self, group, what):
        if self.node is not None:
            self.node.ail("inputs at %d" % group.chip.address, what)

    def tell(self, sensors, what):
        if self.node is not None:
            for sensor in sensors:
                self.node.trouble(sensor, what)

    # one turn of the main loop

    def step(self):
        """Do what is due; returns the milliseconds to wait unless something comes."""
        hardware, node = self.hardware, self.node
        self.pause()
        now = hardware.us()
        if self.tilts and self.tilt_timer.comes(now):
            self.look_at_shields(now)
        if self.knocks is not None and self.knock_timer.comes(now):
            self.look_at_knocks(now)
        if self.supply_timer.comes(now):
            self.look_at_supply()
        busy = node.step_one(hardware.us())
        node.now = max(node.now, hardware.us())  # a scan took its time, and the host may ask for the clock now
        link = node.link
        wall = self.wall_ms()
        if self.incoming:
            data, self.incoming = self.incoming, b""
            link.receive(data, wall)
        wait = link.tick(wall)
        if link.out:
            taken = hardware.write_link(link.out[:OUT_MOST])
            link.out = link.out[taken:]
        self.lamps.tick(wall)
        return 0 if busy or link.out else min(wait, 1)

    def look_at_shields(self, now):
        for seat, tilt in self.tilts.items():
            before = tilt.pose
            try:
                pose = tilt.look(now // 1000)
            except OSError:
                self.node.trouble("shield:" + seat, "the accelerometer does not answer")
                continue
            self.node.trouble("shield:" + seat, "")
            if pose != before:
                self.node.edge("shield:" + seat, pose, now)

    def look_at_knocks(self, now):
        if self.knocks_failed_at is not None and now - self.knocks_failed_at < RETRY_US:
            return
        sensors = ["knock:" + seat for seat in self.knocks.seats]
        try:
            told = self.knocks.poll()
        except OSError:
            self.knocks_failed_at = now
            self.knocks.converter.channel = None
            self.tell(sensors, "the converter does not answer")
            return
        if self.knocks_failed_at is not None:
            self.knocks_failed_at = None
            self.tell(sensors, "")
        if told is not None:
            self.node.peak("knock:" + told[0], told[1], now)

    def look_at_supply(self):
        supply = self.hardware.supply()
        if supply is None:
            return
        low = 0 < supply < SUPPLY_LOW
        said = "the supply has sunk to %d.%d V" % (supply // 1000, supply % 1000 // 100)
        self.node.ail("supply", said if low else "")


def no_tone(hertz):
    pass
