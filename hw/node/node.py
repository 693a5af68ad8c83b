# A node: its sensors, its link, and what wakes what. No pins: a board brings readings, time and bytes.

import binascii

from link import Link
from sensors import Coil, Contact, Knock, Scale

FIRMWARE = "tavolo 3"
ITSELF = 255  # in place of a sensor's number: the node as a whole


class Node:
    """Everything between a board and its host. A board has

    ``wall_ms()`` (never wraps), ``boot()``, ``cause()``, ``counts()`` → (resets, brown-outs), ``files()`` →
    checksum of the firmware's files or "", ``inventory(zone)`` →
    8-byte UIDs or None where the reader fails, ``inventory_remark()`` → (what is wrong there or "", whether everybody who
    answered that inventory was read), ``weigh(zone)`` → milligrams or None, ``weigh_remark(zone)`` → what is wrong
    with that scale or "", ``level(kind, name)`` → 0 or 1,
    ``show(turn, alert, sound)``, ``quick`` (whether an inventory takes no time). It calls ``advance(now)`` (or ``step_one``) as its clock goes on, ``edge`` and ``peak``
    when something happens, ``trouble`` or ``ail`` where something fails, and the link's ``receive`` and ``tick``.
    """

    def __init__(self, config, codec, board, now):
        self.board = board
        self.now = now
        self.sensors = []
        self.by_name = {}
        kinds = codec.schema["kinds"]
        names = []
        for index, (kind, name) in enumerate(config["sensors"]):
            sensor = self.make(kind, index, name)
            self.sensors.append(sensor)
            self.by_name[kind + ":" + name] = sensor
            names.append("%d %d %s" % (index, kinds[kind], name))
        self.kinds = kinds
        self.polled = [s for s in self.sensors if s.kind in ("coil", "scale")]
        self.contacts = [s for s in self.sensors if s.kind in HOLDS]
        self.coils = [s for s in self.sensors if s.kind == "coil"]
        self.wakes = {}
        map_hash = binascii.crc32("\n".join(names).encode()) & 0xFFFFFFFF
        self.troubles = {}  # sensor number: what fails there
        self.ailments = {}  # of the node itself, by cause
        resets, brownouts = board.counts()
        counts = (len(names), map_hash, resets & 0xFFFF, brownouts & 0xFFFF)
        identity = counts + (FIRMWARE, config["name"], board.files())
        self.link = Link(
            codec, board.boot(), board.cause(), identity, self.clock, self.introduce, self.snapshot, board.show
        )

    def make(self, kind, index, name):
        if kind == "coil":
            return Coil(index, name, self.board, self.report, self.fails)
        if kind == "scale":
            return Scale(index, name, self.board, self.report, self.touched, self.fails)
        if kind == "knock":
            return Knock(index, name, self.report)
        return Contact(index, kind, name, self.board, self.report, self.touched)

    def clock(self):
        return self.now

    def report(self, name, values, moment):
        self.link.send(name, values, moment)

    # what fails

    def fails(self, index, what):
        """Sensor ``index`` (ITSELF: the node) fails in the way ``what`` says; an empty text: it answers again."""
        if self.troubles.get(index, "") == what:
            return
        if what:
            self.troubles[index] = what
        else:
            del self.troubles[index]
        self.report("trouble", (index, 1 if what else 0, what[:60]), self.now)

    def ail(self, cause, what):
        """The node itself ails for ``cause`` in the way ``what`` says; an empty text: that is over."""
        if what:
            self.ailments[cause] = what
        else:
            self.ailments.pop(cause, None)
        self.fails(ITSELF, "; ".join(self.ailments[key] for key in sorted(self.ailments)))

    def trouble(self, key, what):
        """Report as ``fails``, by the sensor's name ``KIND:NAME``."""
        if key in self.by_name:
            self.fails(self.by_name[key].index, what)

    # what wakes what: a hand at a zone wakes that zone's coils and its own gate; a moving plate wakes all gates

    def touched(self, sensor, now):
        key = sensor.kind + ":" + sensor.name
        if key not in self.wakes:
            self.wakes[key] = [coil for coil in self.coils if concerns(sensor.kind, sensor.name, coil.name)]
        for coil in self.wakes[key]:
            coil.wake(now)

    def stir(self, name, now):
        """Something goes on near the coil ``name``."""
        for coil in self.coils:
            if coil.name == name:
                coil.wake(now)

    # time and events, brought by the board

    def edge(self, name, level, now):
        sensor = self.by_name.get(name)
        if sensor is not None and sensor.kind in HOLDS:
            sensor.edge(level, now)

    def peak(self, name, value, now):
        sensor = self.by_name.get(name)
        if sensor is not None and sensor.kind == "knock":
            sensor.peak(value, now)

    def advance(self, until):
        """Let everything happen that is due up to ``until``, each at its own moment."""
        while True:
            first = None
            for sensor in self.polled:
                if first is None or sensor.due < first.due:
                    first = sensor
            for sensor in self.contacts:
                if sensor.due is not None and (first is None or sensor.due < first.due):
                    first = sensor
            if first is None or first.due > until:
                break
            if first.due > self.now:
                self.now = first.due
            first.step(self.now)
        if until > self.now:
            self.now = until

    def step_one(self, now):
        """For a board on which looking takes time: do the one thing that is most due at ``now``; False: nothing is.

        What is quick goes first (scales, contacts), then the coil that something woke, then the sleeping ones, of
        which one that has waited long enough goes before all.
        """
        if now > self.now:
            self.now = now
        best = None
        for sensor in self.contacts:
            if sensor.due is not None and sensor.due <= now:
                sensor.step(now)
                return True
        for sensor in self.polled:
            if sensor.due > now:
                continue
            if sensor.kind == "scale":
                sensor.step(now)
                return True
            rank = now - sensor.due
            if now < sensor.awake_until or rank > COIL_STARVES:
                rank += COIL_STARVES
            if best is None or rank > best[0]:
                best = (rank, sensor)
        if best is None:
            return False
        best[1].step(now)
        return True

    def next_due(self):
        dues = [sensor.due for sensor in self.polled]
        dues.extend(sensor.due for sensor in self.contacts if sensor.due is not None)
        return min(dues) if dues else None

    def set_clock(self, now):
        """The clock was set (in simulation only): nothing that was due on the old one is made up for."""
        self.now = now
        for sensor in self.sensors:
            sensor.clock_set(now)

    # what the host is told

    def introduce(self):
        for sensor in self.sensors:
            self.link.send("sensor", (sensor.index, self.kinds[sensor.kind], sensor.name), self.now)
        self.snapshot()

    def snapshot(self):
        self.link.send("snapshot_begin", (self.link.dropped,), self.now)
        for sensor in self.sensors:
            state = sensor.state(self.now)
            if state is not None:
                self.link.send(state[0], state[1], self.now)
        for index in sorted(self.troubles):
            self.link.send("trouble", (index, 1, self.troubles[index][:60]), self.now)
        self.link.send("snapshot_end", (), self.now)


HOLDS = ("beam", "shield", "button", "screen", "tray")
COIL_STARVES = 600_000  # microseconds after which a sleeping coil is looked at before one that is awake


def concerns(kind, name, coil):
    """True if ``coil`` may soon see a card because the sensor ``kind``:``name`` has noticed something."""
    if kind == "beam":
        seat, zone = name.split(":")
        return coil in ("gate-" + seat, "gate-" + zone, zone)
    if kind == "scale":
        return coil in ("gate-" + name, name, "gate-N", "gate-E", "gate-S", "gate-W")
    return False
