"""The firmware with all sensors of a table at one end of a simulated line, session and observations at the other."""

from __future__ import annotations

import random
from typing import Any, Final

from firmware_bridge.readings import Readings
from firmware_bridge.session import Arrived, Joined, LinkSession, LinkTime, Lost
from hw.observations import Health, Observation, Reach, Scale, Shield, Tags
from hw.twin.node_host import node_config
from hw.twin.raw import RawFrame, RawValue
from lab.link.line import SCHEMA, Faults, Wire
from lab.link.node_firmware import firmware

STEP: Final = 0.005
TABLE: Final = node_config()


class _Pipes:
    """The simulated board's bytes and time."""

    def __init__(self, line: TableLine) -> None:
        self._line = line

    def wall_us(self) -> int:
        return round(self._line.now * 1_000_000)

    def read_feed(self) -> bytes:
        feed, self._line.feed_bytes = self._line.feed_bytes, b""
        return feed

    def read_link(self) -> bytes:
        return b"".join(self._line.down.read(self._line.now))

    def write_link(self, data: bytearray) -> int:
        self._line.up.write(bytes(data), self._line.now)
        return len(data)

    def boot(self) -> int:
        return self._line.rng.randrange(1 << 32)


class TableLine:
    """A whole table's node on a line with ``faults``; ``observed`` is what came of it, with the moment it came at."""

    def __init__(self, faults: Faults, seed: int) -> None:
        """Start with the sensors at random values."""
        self.rng = random.Random(seed)  # noqa: S311 - a simulation
        self.now = 0.0
        self.up, self.down = Wire(faults, self.rng), Wire(faults, self.rng)
        self.session = LinkSession(self.rng.randrange(1 << 16))
        self.readings = Readings(lambda: self.now)
        self.observed: list[tuple[float, Observation]] = []
        self.values: dict[str, RawValue] = {}
        self.feed_bytes = b""
        for kind, name in TABLE["sensors"]:
            self.values[f"{kind}:{name}"] = self._random_value(kind)
        self.power_on()

    def _random_value(self, kind: str) -> RawValue:
        match kind:
            case "coil":
                return [f"E00401{self.rng.getrandbits(40):010X}"] if self.rng.random() < 0.5 else []
            case "scale":
                return 1800 * self.rng.randrange(60)
            case "beam" | "shield":
                return self.rng.randrange(2)
        return 0

    def power_on(self) -> None:
        """Boot the node anew, with the sensors in their present state."""
        self.board: Any = firmware("board_sim").SimBoard(TABLE, firmware("codec").load(SCHEMA), _Pipes(self), 4)
        self.feed_bytes = RawFrame(self.now, self.values, 1.0).to_line()

    def change(self, count: int) -> None:
        """Change the readings of ``count`` sensors from now on."""
        changed: dict[str, RawValue] = {}
        for kind, name in self.rng.sample(TABLE["sensors"], count):
            if kind in ("coil", "scale", "beam", "shield"):
                changed[f"{kind}:{name}"] = self._random_value(kind)
        self.values |= changed
        self.feed_bytes += RawFrame(self.now, changed, 1.0).to_line()

    def run(self, seconds: float) -> None:
        """Let simulated time pass."""
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now = round(self.now + STEP, 6)
            self.board.step()
            moment = LinkTime(self.now, self.now)
            events = [event for data in self.up.read(self.now) for event in self.session.receive(data, moment)]
            events += self.session.tick(moment)
            self.down.write(self.session.output(), self.now)
            for event in events:
                match event:
                    case Joined():
                        found = self.readings.joined(event)
                    case Arrived(t=t, message=message):
                        found = self.readings.message(t, message)
                    case Lost(reason=reason):
                        found = self.readings.lost(reason)
                    case _:
                        found = []
                self.observed += [(self.now, observation) for observation in found]

    def joined_since(self, moment: float) -> float | None:
        """Return when the node was whole again (health ok) after ``moment``; None: not yet."""
        oks = [at for at, o in self.observed if at >= moment and isinstance(o, Health) and o.state == "ok"]
        return oks[0] if oks else None

    def wrong(self) -> list[str]:
        """Return the sensors whose present reading differs from what the host holds."""
        believed: dict[str, Any] = {}
        for _, seen in self.observed:
            match seen:
                case Tags(zone=zone, tags=tags):
                    believed[f"coil:{zone}"] = list(tags)
                case Scale(zone=zone, grams=grams):
                    believed[f"scale:{zone}"] = round(grams * 1000)
                case Reach(seat=seat, zone=zone, phase=phase):
                    believed[f"beam:{seat or '-'}:{zone}"] = int(phase == "in")
                case Shield(seat=seat, pose=pose):
                    believed[f"shield:{seat}"] = int(pose == "up")
        wrong = []
        for name, value in self.values.items():
            kind = name.partition(":")[0]
            start: Any = {"coil": [], "beam": 0}.get(kind)
            if kind in ("coil", "scale", "beam", "shield") and believed.get(name, start) != value:
                wrong.append(name)
        return wrong
