"""The pile drawn near on the open table: its plate grows light, but its cards lie there to be seen.

Whether cards were taken up or only drawn near is open until the camera has looked or a gate has read one of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import SEATS
from hw.zones import TABLE, gate
from table_service.tracking.hand_intervals import Interval
from table_service.tracking.pending_steps import Held
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.sequences import Faces, lacking
from table_service.tracking.tags import Crossings

_AFTER: Final = 0.3
"""Seconds after the plate has grown light from which a frame shows the place of the cards."""
_BEFORE: Final = 0.6
"""Seconds before the plate grows light in which the cards may be seen on their way already."""
_COVERED: Final = 1.6
"""Seconds for which a hand may cover cards that it draws near."""
_BLIND: Final = 6.0
"""Seconds without a frame after which none is waited for."""
_UNSEEN: Final = 2.5
"""Seconds after which cards that nothing has shown are taken to have been taken up."""
_GONE: Final = 0.4
"""Seconds for which cards drawn near must be out of sight, at the least, to have been taken up."""
_LONGEST: Final = 60.0
"""Seconds out of sight after which they have been taken up, whatever covers their place."""


class PulledPile:
    """Cards that have left the pile's plate and are perhaps only drawn near. ``pile``: its zone."""

    def __init__(self, pile: str) -> None:
        self._pile = pile
        self._held: Held | None = None
        self._faces: Faces = ()
        self._size = 0
        self._left = 0
        """Number of cards that stayed on the plate."""
        self._lay: Faces = ()
        """Cards on the open table before."""
        self._recent: deque[tuple[float, Faces]] = deque(maxlen=8)
        self._looked = -1e9
        self._seen: float | None = None
        self._missed: float | None = None

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self._held, self._faces, self._seen, self._missed = None, (), None, None

    @property
    def net(self) -> int | None:
        """Number of cards fewer on the plate by what is open; None if nothing is."""
        return None if self._held is None else self._held.net

    @property
    def is_open(self) -> bool:
        """True if cards may have been taken up, and nothing has shown it yet."""
        return self._held is not None

    def since(self) -> float | None:
        """Time at which cards left the plate that were not found yet; None if they are seen on the table."""
        return None if self._held is None or self._seen is not None else self._held.steps[0].first_t

    def hold(self, step: ScaleStep, pile: Iterable[str], now: float) -> bool:
        """Take ``step``, by which cards have left ``pile`` (from the bottom up), if a camera is there to see them."""
        if now - self._looked > _BLIND:
            return False
        self._held, self._size = Held(), -step.change
        self._lay = next((lie for t, lie in reversed(self._recent) if t < step.first_t - _BEFORE), ())
        lay = tuple(pile)
        self._left = max(len(lay) + step.change, 0)
        self._faces = tuple(face(card) for card in lay[step.change :] if face(card) != UNKNOWN)
        self._seen = self._missed = None
        self._held.add(step)
        return True

    def add(self, step: ScaleStep) -> list[ScaleStep]:
        """Take one more change of the plate. Return the steps of cards taken up; none if all are back."""
        held = self._held
        if held is None:
            return [step]
        if step.change > -held.net or (step.change > 0 and step.swung and self._seen is None):
            return [*self._taken(), step]  # those that left were taken up: others have come, or they were not seen
        held.add(step)
        if not held.steps:
            self.forget()
        return []

    def compare(self, shown: dict[str, Faces], hidden: Iterable[str], t: float) -> Faces:
        """Compare a frame at ``t`` showing ``shown`` by zone, outside rows; return its faces that were drawn near."""
        self._looked = max(self._looked, t)
        held = self._held
        lie = shown.get(TABLE, ())
        if held is None or t < held.steps[0].first_t:
            self._recent.append((t, lie))
            return ()
        come = lacking(lie, self._lay)
        near = _common(self._faces, come)
        near += lacking(come, near)[: self._size - len(self._faces)]  # their faces are unknown
        pile = shown.get(self._pile, ())
        there = max(len(near), min(len(_common(self._faces, pile)), len(pile) - self._left))
        if t < held.steps[-1].first_t + _AFTER:
            return near
        if 2 * there >= self._size:
            self._seen, self._missed = t, None
        elif not {TABLE, self._pile} & set(hidden):
            self._missed = t if self._missed is None else self._missed
        return near

    def taken_up(self, hands: list[Interval], crossings: Crossings, now: float) -> list[ScaleStep]:
        """Return what has been taken up, as is plain by now; ``hands``: those at the pile since."""
        held = self._held
        if held is None:
            return []
        first = held.steps[0].first_t
        gates = [gate(seat) for seat in SEATS]
        read = any(c.card is not None and face(c.card) in self._faces for c in crossings.near(gates, first - 0.1, now))
        return self._taken() if read or self._is_gone(first, hands, now) else []

    def _is_gone(self, first: float, hands: list[Interval], now: float) -> bool:
        if self._seen is None:
            covered = max((i.end if i.end is not None else now for i in hands), default=first)
            until = min(covered, first + _COVERED)
            return (self._missed is not None and self._looked >= until) or now > first + _UNSEEN
        if self._missed is None:
            return now - self._looked > _BLIND and now - self._seen > _LONGEST
        inside = any(i.end is None or i.end > self._looked for i in hands)
        return self._looked - self._missed >= _GONE and not inside

    def _taken(self) -> list[ScaleStep]:
        """All that is held as one step, dated when it was last seen to lie there."""
        if self._held is None:
            return []
        whole = self._held.whole()
        if self._seen is not None:
            whole = replace(whole, first_t=self._seen, t=max(self._seen, whole.t))
        self.forget()
        return [whole]


def _common(some: Faces, others: Faces) -> Faces:
    return lacking(some, lacking(some, others))
