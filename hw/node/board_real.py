# A board with real chips, as a node sees it. No ``machine`` here: ``hardware`` (board_rp2.py, or the tests' simulated
# one) gives pins, buses and time; pins.json says which pin does what; the configuration says which sensors there are.

from antenna import Antennas
from hx711 import HX711, Cell
from i2c import I2CBus, said_by
from inputs import ADS1015, Knocks
from lamps import Lamps
from node import Node
from pn5180 import PN5180
from switches import Switches
from tilt import CHIPS, Tilt

TILT_US = 40_000
KNOCK_US = 4_000  # one of four channels each time
RETRY_US = 1_000_000  # a chip that does not answer is asked again after this
TILT_RETRY_US = 300_000
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
        self.due += self.period  # what comes late does not put off the next
        if self.due <= now:
            self.due = now + self.period
        return True


class RealBoard:
    """Everything between ``hardware`` and a Node. ``step`` does what is due; call it for ever.

    ``hardware``: ``us()`` (never wraps), ``ticks()`` (microseconds that wrap and stay small integers), ``elapsed(since)``
    such ticks, ``wait_us(count)``, ``output(gpio, level)`` → function, ``input(gpio, pull_up)`` →
    function, ``bus(kind, number, hertz, pins)`` → SPI or I2C, ``free_bus(number, hertz, pins)`` → (I2C, line that is held down), ``guard(on)``, ``tone(gpio)`` → function, ``boot()``, ``cause()``, ``counts()``, ``files()``,
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
        self.node = None
        self.early = {}  # what is wrong with the node itself before there is one
        self.values = {}
        there = {"inputs": [plugged(at, wanted) for at in wiring["inputs"]]}
        self.switches = Switches(there, self.bus, self.changed_pin, config["inverted"], self.told, self.stir, self.ail)
        self.reaches = self.switches.reaches
        self.knocks = self.make_knocks(wiring["knocks"], config) if wiring["knocks"] else None
        self.lamps = self.make_lamps()
        self.tilts_failed_at = {}
        self.tilt_timer, self.knock_timer, self.supply_timer = Timer(TILT_US), Timer(KNOCK_US), Timer(SUPPLY_US)
        self.knocks_failed_at = None
        self.incoming = b""
        self.switches.look(hardware.us())
        self.node = Node(config, codec, self, hardware.us())
        for cause, what in self.early.items():
            self.node.ail(cause, what)
        if trouble:
            self.node.ail("configuration", trouble)
        self.tell(self.switches.refused, "is wired to a pin that is an output only")
        blind = [name for name in self.switches.refused if name.split(":", 1)[0] in ("edge", "place")]
        if blind:
            self.node.ail("wiring", "on an output-only pin: " + ", ".join(blind))

    # how it is put together

    def bus(self, name):
        if name not in self.made:
            described = self.buses[name]
            pins = {word: self.pin[function] for word, function in described["pins"].items()}
            if described["kind"] == "i2c":
                self.made[name] = I2CBus(self.hardware, name, described, pins)
            else:
                self.made[name] = self.hardware.bus(described["kind"], described["number"], described["hertz"], pins)
        return self.made[name]

    def changed_pin(self, function):
        return self.hardware.input(self.pin[function], True)

    def make_antennas(self, config):
        hardware, pin, coils = self.hardware, self.pin, self.wiring["coils"]
        alone = self.wiring.get("reader_per_coil")
        resets = ["reader.reset.%d" % at for at in range(len(coils))] if alone else ["reader.reset"]
        spi, select = self.bus("reader"), hardware.output(pin["reader.select"], 1)
        busy = hardware.input(pin["reader.busy"], False)
        readers = [PN5180(spi, select, busy, hardware.output(pin[name], 1), hardware) for name in resets]
        lines = [hardware.output(pin["antenna.%d" % bit], 0) for bit in range(3)]
        return Antennas(readers, coils, lines, self.pause, config["quiet"])

    def make_cell(self, name, where):
        hardware, pin = self.hardware, self.pin
        # the pull-up makes a line that nothing hangs on silent, and not a conversion of 0
        dout, sck = hardware.input(pin[where + ".dout"], True), hardware.output(pin[where + ".sck"], 0)
        known = self.calibration.get("scale:" + name, {})
        return Cell(HX711(dout, sck, hardware.guard), hardware, known.get("zero"), known.get("counts_per_kg"))

    def make_tilt(self, seat, at):
        known = self.calibration.get("shield:" + seat, {})
        return Tilt(CHIPS[at["part"]](self.bus(at["bus"]), at["address"]), known.get("up", (0, 0, 1000)))

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

    def weigh_remark(self, zone):
        cell = self.cells.get(zone)
        return "this board has no such scale" if cell is None else cell.trouble()

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
        self.switches.look(self.hardware.us())

    def told(self, sensor, level, now):
        self.values[sensor] = level
        if self.node is not None:
            self.node.edge(sensor, level, now)

    def stir(self, gate, now):
        if self.node is not None:
            self.node.stir(gate, now)

    def ail(self, cause, what):
        if self.node is None:
            self.early[cause] = what
        else:
            self.node.ail(cause, what)

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
            self.look_at_buses()
        busy = node.step_one(hardware.us())
        node.now = max(node.now, hardware.us())  # a scan took its time, and the host may ask for the clock now
        link = node.link
        wall = self.wall_ms()
        if self.incoming:
            data, self.incoming = self.incoming, b""
            link.receive(data, wall)
        wait = link.tick(wall)
        if len(link.out):
            link.out.sent(hardware.write_link(link.out.next(OUT_MOST)))
        self.lamps.tick(wall)
        return 0 if busy or len(link.out) else min(wait, 1)

    def look_at_shields(self, now):
        for seat, tilt in self.tilts.items():
            failed_at = self.tilts_failed_at.get(seat)
            if failed_at is not None and now - failed_at < TILT_RETRY_US:
                continue
            before = tilt.pose
            try:
                pose = tilt.look(now // 1000)
            except OSError as error:
                self.tilts_failed_at[seat] = now
                self.node.trouble("shield:" + seat, "the accelerometer " + said_by(error))
                continue
            if failed_at is not None:
                del self.tilts_failed_at[seat]
                self.node.trouble("shield:" + seat, "")
            if pose != before:
                self.node.edge("shield:" + seat, pose, now)

    def look_at_buses(self):
        for name, bus in self.made.items():
            trouble = getattr(bus, "trouble", None)  # SPI has none
            if trouble is not None:
                self.node.ail("bus " + name, "bus %s: %s" % (name, trouble) if trouble else "")

    def look_at_knocks(self, now):
        if self.knocks_failed_at is not None and now - self.knocks_failed_at < RETRY_US:
            return
        sensors = ["knock:" + seat for seat in self.knocks.seats]
        try:
            told = self.knocks.poll()
        except OSError as error:
            self.knocks_failed_at = now
            self.knocks.converter.channel = None
            self.tell(sensors, "the converter " + said_by(error))
            return
        if told is None:
            return
        if self.knocks_failed_at is not None:
            self.knocks_failed_at = None
            self.tell(sensors, "")
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


def plugged(at, wanted):
    """An expander of pins.json without the light barriers that no sensor of the node needs: they are not plugged in, and
    one that is not would look broken for ever."""
    beams = [name.split(":", 2) for name in wanted if name.startswith("beam:")]
    seats, places = [beam[1] for beam in beams], [beam[2] for beam in beams]

    def kept(sensor):
        kind, _, name = (sensor or "").partition(":")
        if kind == "edge":
            return sensor if name in seats else None
        return sensor if kind != "place" or name in places else None

    there = dict(at)
    there["sensors"] = [kept(sensor) for sensor in at["sensors"]]
    return there
