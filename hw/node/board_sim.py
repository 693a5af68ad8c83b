# The simulated board: readings come as lines of JSON (hw/twin/raw.py) instead of from pins. Time follows the feed.

import json

from node import Node
from reaches import Reaches

JUMP = 60_000_000  # microseconds: a step of the clock longer than this is not lived through
BACK = 2_000_000  # nor one back by more than this
LATE = 5_000_000  # a feed line is not older than this when it is read


class SimBoard:
    """Plays the feed to a node. Every frame is applied at its own moment, however late it is read, so that what a
    card does at a gate does not depend on how busy the machine is.

    ``pipes`` brings bytes: ``wall_us()``, ``read_feed()``, ``read_link()``, ``write_link(data)`` → count taken,
    ``boot()``. Until the first frame the node is silent: it has no time yet.
    """

    quick = True  # to look at a coil takes no time

    def __init__(self, config, codec, pipes, cause):
        self.config = config
        self.codec = codec
        self.pipes = pipes
        self.why = cause
        self.values = {}
        self.reader_fails = False
        self.rest = b""
        self.node = None
        self.base = 0  # the table's clock, microseconds, at wall moment self.base_wall
        self.base_wall = 0
        self.rate = 0.0
        self.strange = 0  # feed lines that say nothing
        self.shown = (0, 0, 0)  # the lights: turn, alert, sound
        self.arms = set()  # (seat, zone) of the arms over the table, where the light barriers are simulated
        self.reaches = None
        if config.get("barriers"):
            places = sorted({name.split(":")[1] for kind, name in config["sensors"] if kind == "beam"} - {"table"})
            self.reaches = Reaches(places, self.reached)
        for kind, name in config["sensors"]:
            if kind in ("shield", "screen"):
                self.values[kind + ":" + name] = 1

    # what a node asks of its board

    def wall_ms(self):
        return self.pipes.wall_us() // 1000

    def boot(self):
        return self.pipes.boot()

    def cause(self):
        return self.why

    def counts(self):
        return 0, 0

    def files(self):
        return ""  # simulated: it runs this program's own files

    def show(self, turn, alert, sound):
        self.shown = (turn, alert, sound)

    def inventory(self, zone):
        self.reader_fails = bool(self.values.get("fail:coil:" + zone))
        return None if self.reader_fails else self.values.get("coil:" + zone, ())

    def inventory_remark(self):
        return ("the reader does not answer", False) if self.reader_fails else ("", True)

    def weigh(self, zone):
        if self.values.get("fail:scale:" + zone):
            return None
        return self.values.get("scale:" + zone)

    def weigh_remark(self, zone):
        return ""

    def level(self, kind, name):
        return self.values.get(kind + ":" + name, 0)

    # the feed

    def take_feed(self, data):
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            if not line:
                continue
            try:
                frame = json.loads(line)
                moment, rate, values = int(frame["t"] * 1000000), float(frame["rate"]), frame["v"]
                written = int(frame.get("w", -1))
            except (ValueError, KeyError, TypeError):
                self.strange += 1
                continue
            self.apply(moment, rate, values, written)

    def apply(self, moment, rate, values, written):
        node = self.node
        if node is not None:
            if moment > node.now + JUMP or moment < node.now - BACK:
                node.set_clock(moment)
            else:
                self.advance(moment)
        self.base = moment
        self.base_wall = self.pipes.wall_us()
        if 0 <= written < self.base_wall < written + LATE:
            self.base_wall = written  # the same clock as ours: the line's way through the pipe took no time
        self.rate = rate
        for key, value in values.items():
            kind = key.split(":", 1)[0]
            if kind == "coil":
                self.values[key] = uids(value)
            elif kind == "knock":
                if node is not None:
                    node.peak(key, int(value), node.now)
            elif isinstance(value, (int, float)):
                self.take(kind, key, int(value))
        if node is None:
            self.node = Node(self.config, self.codec, self, moment)
            if self.reaches is not None:
                for key in [key for key in self.values if key.startswith("beam:") and self.values[key]]:
                    self.values[key] = 0
                    self.arm(key[5:], 1)  # the arms that are there already when the node starts

    def advance(self, until):
        """Let the node live up to ``until``; the barriers' own moments lie between."""
        while self.reaches is not None:
            due = self.reaches.due()
            if due is None or due > until:
                break
            self.node.advance(max(due, self.node.now))
            self.reaches.tick(due)
        self.node.advance(until)

    def take(self, kind, key, value):
        """One sensor that is no coil reads ``value`` from the node's now on."""
        node = self.node
        before = self.values.get(key, 0)
        self.values[key] = value
        if node is None or kind == "scale":
            return
        if kind == "fail":
            kind, name = key[5:], key[5:].split(":", 1)[0]
            if name not in ("coil", "scale"):  # those two notice it themselves
                node.trouble(kind, "the sensor does not answer" if value else "")
                if not value:
                    node.edge(kind, self.values.get(kind, 0), node.now)
        elif self.values.get("fail:" + key):
            return  # it changes, and nobody hears of it
        elif kind == "beam" and self.reaches is not None:
            if value != before:
                self.arm(key[5:], value)
        else:
            node.edge(key, value, node.now)

    def arm(self, name, here):
        """An arm breaks the barriers at its seat's edge and at its place, or leaves them, unless another holds them."""
        seat, zone = name.split(":")
        now = self.node.now
        (self.arms.add if here else self.arms.discard)((seat, zone))
        steps = []
        if seat != "-":
            steps.append(("edge", seat, any(arm[0] == seat for arm in self.arms)))
        if zone != "table":
            steps.append(("place", zone, any(arm[1] == zone for arm in self.arms)))
        for kind, what, broken in steps if here else reversed(steps):
            self.reaches.raw(kind, what, 1 if broken else 0, now)

    def reached(self, name, level, moment):
        self.values["beam:" + name] = level
        self.node.edge("beam:" + name, level, moment)

    # one turn of the main loop

    def behind(self):
        """True if the link has too much to carry for more: the feed waits, and with it the table's time."""
        link = self.node and self.node.link
        return link and link.is_open and len(link.queue) > link.capacity // 2

    def step(self):
        """Do all that is due; returns the milliseconds to wait unless something arrives."""
        drained = False
        while not drained and not self.behind():
            data = self.pipes.read_feed()
            if data:
                self.take_feed(data)
            else:
                drained = True
        node = self.node
        if node is None:
            self.pipes.read_link()
            return 50
        if drained:
            passed = self.pipes.wall_us() - self.base_wall
            self.advance(self.base + int(passed * self.rate))
        link = node.link
        now = self.wall_ms()
        data = self.pipes.read_link()
        if data:
            link.receive(data, now)
        wait = link.tick(now)
        if len(link.out):
            link.out.sent(self.pipes.write_link(link.out.next(len(link.out))))
            if len(link.out):
                wait = min(wait, 2)
        if not drained:
            return 1
        if self.rate > 0:
            due = node.next_due()
            other = None if self.reaches is None else self.reaches.due()
            if other is not None and (due is None or other < due):
                due = other
            if due is not None:
                wait = min(wait, int((due - node.now) / self.rate / 1000) + 1)
        return max(1, wait)


def uids(value):
    found = []
    for text in value:
        try:
            raw = bytes.fromhex(text)
        except (ValueError, TypeError):
            continue
        if len(raw) == 8:
            found.append(raw)
    return tuple(found)
