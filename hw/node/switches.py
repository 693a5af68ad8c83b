# Everything behind the expanders: light barriers, of which reaches are made, buttons, contacts, and whether 12 V are there.
# No pins and no link: ``told`` takes (KIND:NAME, level, moment) of a sensor of the node, ``stir`` (gate, moment) where an arm
# crosses an edge, ``ail`` (cause, what is wrong or "").

from i2c import said_by
from inputs import MCP23017, OUTPUTS_ONLY
from reaches import Reaches

INPUTS_US = 50_000  # however still the expander's INT is: an edge that was missed shows within this
RETRY_US = 1_000_000  # a chip that does not answer is asked again after this
WATCH_US = 1_000_000
DARK_LEAST = 5  # of so many barriers or more not all are broken by arms: their supply is gone, or their plug


class Group:
    """One expander: its levels, and which sensor each bit is (None: nothing is connected, or it is no input)."""

    def __init__(self, at, chip, changed, inverted):
        self.sensors = at["sensors"]
        self.chip = chip
        self.changed = changed
        self.rest = 0  # bits that are closed at rest: a light barrier whose receiver pulls down while it sees light
        self.barriers = 0
        for bit, sensor in enumerate(self.sensors):
            barrier = bool(sensor) and sensor.split(":", 1)[0] in ("edge", "place")
            if barrier:
                self.barriers |= 1 << bit
            if (barrier and bool(at.get("closed_at_rest"))) != (sensor in inverted):
                self.rest |= 1 << bit
        self.levels = None
        self.due = 0
        self.failed_at = None
        self.dark = False
        self.missing = ""  # what is said of their supply


def used_bits(sensors):
    """(bits that can be inputs, sensors that hang on pins that cannot)."""
    used = 0
    refused = []
    for bit, sensor in enumerate(sensors):
        if sensor and OUTPUTS_ONLY >> bit & 1:
            refused.append(sensor)
        elif sensor:
            used |= 1 << bit
    return used, refused


class Switches:
    """``wiring``: one of ``boards`` in pins.json; ``bus(name)``, ``changed(function)`` give an expander's bus and INT pin."""

    def __init__(self, wiring, bus, changed, inverted, told, stir, ail):
        self.told = told
        self.stir = stir
        self.ail = ail
        self.groups = []
        self.refused = []
        names = []
        for at in wiring["inputs"]:
            used, refused = used_bits(at["sensors"])
            self.refused += refused
            chip = MCP23017(bus(at["bus"]), at["address"], used)
            self.groups.append(Group(at, chip, changed(at["changed"]), inverted))
            names += [sensor for sensor in at["sensors"] if sensor]
        self.reaches = Reaches([name[6:] for name in names if name.startswith("place:")], self.reached)
        self.watched_at = 0
        self.stuck = ""

    def reached(self, name, level, moment):
        self.told("beam:" + name, level, moment)

    def look(self, now):
        for group in self.groups:
            if group.failed_at is not None and now - group.failed_at < RETRY_US:
                continue
            if group.changed() and now < group.due:
                continue  # INT is high: nothing has changed
            group.due = now + INPUTS_US
            cause = "inputs at %d" % group.chip.address
            try:
                levels = group.chip.read() ^ group.rest
            except OSError as error:
                group.failed_at = now
                self.ail(cause, "the expander at %02Xh %s" % (group.chip.address, said_by(error)))
                continue
            if group.failed_at is not None:
                group.failed_at = None
                self.ail(cause, "")
            self.take(group, levels & group.chip.used, now)
        due = self.reaches.due()
        if due is not None and due <= now:
            self.reaches.tick(now)
        if now - self.watched_at >= WATCH_US:
            self.watched_at = now
            self.watch(now)

    def take(self, group, levels, now):
        before = group.levels
        self.look_for_supply(group, levels)
        if group.dark:  # nobody's arms: as they were before
            levels = levels & ~group.barriers | (before or 0) & group.barriers
        group.levels = levels
        changed = group.chip.used if before is None else before ^ levels
        if not changed:
            return
        for bit, sensor in enumerate(group.sensors):
            if changed >> bit & 1:
                self.changed(sensor, levels >> bit & 1, now)

    def look_for_supply(self, group, levels):
        """True if the barriers have lost their supply: an input reports it, or all are broken at once."""
        barriers = group.barriers & group.chip.used
        dark = levels & barriers == barriers and bin(barriers).count("1") >= DARK_LEAST
        what = "all light barriers are dark" if dark else ""
        for bit, sensor in enumerate(group.sensors):
            if sensor and sensor.startswith("supply:") and not levels >> bit & 1:
                dark = True
                what = sensor[7:] + " is missing"
        if what != group.missing:
            group.missing = what
            self.ail("supply of inputs at %d" % group.chip.address, what)
        group.dark = dark

    def changed(self, sensor, level, now):
        kind, name = sensor.split(":", 1)
        if kind in ("edge", "place"):
            self.reaches.raw(kind, name, level, now)
            if kind == "edge" and level:
                self.stir("gate-" + name, now)
        elif kind != "supply":
            self.told(sensor, level, now)

    def watch(self, now):
        stuck = ", ".join(self.reaches.stuck(now))
        if stuck != self.stuck:
            self.stuck = stuck
            self.ail("barriers", "broken without end: " + stuck if stuck else "")
