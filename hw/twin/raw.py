"""Readings of the pins of a node: the twin makes these values, the simulated board of ``hw/node`` reads them.

One line of JSON a frame: ``{"t":12.35,"rate":6.0,"v":{name: value, …}}``: the table's clock in seconds, how fast it
runs against wall time from here on (0 holds it), and the values that changed. Names:

``coil:ZONE``            list of UIDs that would answer an inventory of that coil now
``scale:ZONE``           the load cell's reading in milligrams, net of the plate, noise included
``beam:SEAT:ZONE``       1 while an arm breaks the beam; SEAT ``-`` is another hand
``shield:SEAT``          1 upright, 0 turned over
``button:SEAT:NAME``     1 while pressed
``knock:SEAT``           acceleration peak since the last frame, in milli-g
``screen:PART``          1 while the panel is in place, or the aperture open
``tray:SIDE``            1 while the bidding tray is on side NE or SW
``fail:NAME``            1 while the sensor of that name (``fail:scale:stock``) does not answer, 0 when it does again
"""

from __future__ import annotations

import json
from dataclasses import dataclass

RawValue = int | list[str]


@dataclass(frozen=True, slots=True)
class RawFrame:
    """Values at moment ``t`` (seconds of the table's clock), and the rate of that clock from here on."""

    t: float
    values: dict[str, RawValue]
    rate: float = 1.0

    def to_line(self) -> bytes:
        """Return the frame as one line."""
        data = {"t": round(self.t, 6), "rate": self.rate, "v": self.values}
        return json.dumps(data, separators=(",", ":")).encode() + b"\n"
