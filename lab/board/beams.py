"""Light barriers side by side: which emitter shines into a receiver that is not its own.

A through-beam barrier sends pulses of light and takes any that come in time for its own; Omron says that beside one
another they need one and a half times the width in which a receiver still sees its emitter (technical guide,
photoelectric sensors). The width follows from the directional angle, 15 degrees at the worst for emitter and receiver
alike. Reflections from cards, glass or a ring are not computed: only a real table shows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, degrees

from lab.board.plan import Beam, beams
from lab.board.wiring import Wiring

DIRECTIONAL_DEGREES = 15.0
"""Half the cone of emitter and receiver at the worst (Omron E3Z: 3 to 15 degrees)."""


def shines_into(one: Beam, other: Beam) -> bool:
    """Return True if the emitter of ``one`` and the receiver of ``other`` lie within each other's cones."""
    (ex, ey), (rx, ry) = one.start, other.end
    sight = (rx - ex, ry - ey)
    sent = (one.end[0] - ex, one.end[1] - ey)
    back = (other.start[0] - rx, other.start[1] - ry)
    return _apart(sent, sight) <= DIRECTIONAL_DEGREES and _apart(back, (-sight[0], -sight[1])) <= DIRECTIONAL_DEGREES


def _apart(a: tuple[float, float], b: tuple[float, float]) -> float:
    turn = abs(degrees(atan2(a[1], a[0]) - atan2(b[1], b[0]))) % 360
    return min(turn, 360 - turn)


def crosstalk(laid: Sequence[Beam]) -> list[tuple[str, str]]:
    """Every (emitter's beam, receiver's beam) where a receiver sees another barrier's light."""
    return [(a.part, b.part) for a in laid for b in laid if a.part != b.part and shines_into(a, b)]


def problems(wiring: Wiring) -> Iterator[str]:
    """Barriers that would hold one another up."""
    emitters = {part.name: part.settings.get("emitter", "") for part in wiring.parts.values() if part.kind == "beam"}
    for name, side in emitters.items():
        if side not in ("N", "E", "S", "W"):
            yield f"wiring.toml does not say at which end the emitter of '{name}' stands"
            return
    for sender, receiver in crosstalk(beams(emitters=emitters)):
        yield f"the emitter of '{sender}' shines into the receiver of '{receiver}': turn one of them round"
