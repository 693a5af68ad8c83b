"""Gesture → beats: what a person's arm and the cards do, moment by moment, at human speed.

Times are drawn from the caller's ``random.Random``; nothing else is random, and the world is only read. The spans are
those of the example log (a reach of about a second, a third of a second from beam to card); people's own are unknown.
"""

from __future__ import annotations

import random
from typing import Final

from hw.twin import ambient_gestures, screen_beats, spread, stacks
from hw.twin.gesture_timeline import GestureTimeline, Span, Writers
from hw.twin.gestures import (
    CollectGesture,
    ConsoleGesture,
    DiscardGesture,
    DrawGesture,
    Gesture,
    LayGesture,
    PlayGesture,
    SlideOff,
    Tap,
    TurnUpGesture,
    Wait,
)
from hw.twin.screen_gestures import CallGesture
from hw.twin.timed_events import Performance
from hw.twin.world import World

# Before a gesture begins: a player thinks. Wait adds to it.
_THINK: Final[dict[type[Gesture], Span]] = {
    TurnUpGesture: (1.2, 2.0),
    DrawGesture: (1.6, 5.0),
    SlideOff: (1.6, 4.0),
    CollectGesture: (2.0, 5.5),
    LayGesture: (0.5, 2.8),
    DiscardGesture: (1.0, 3.6),
    PlayGesture: (1.0, 4.0),
    CallGesture: (1.5, 6.0),
    ConsoleGesture: (0.4, 1.0),
    Wait: (0.0, 0.0),
}
_THINK_ELSE: Final[Span] = (0.6, 2.4)
_AT_ONCE: Final[Span] = (0.6, 1.0)
"""Seconds from a hand's going home to its coming again, if it has more to lay or knocks on what it has laid."""
_WRITERS: Final[Writers] = {**stacks.WRITERS, **spread.WRITERS, **screen_beats.WRITERS, **ambient_gestures.WRITERS}


def perform(
    gesture: Gesture,
    world: World,
    t: float,
    rng: random.Random,
    pace: float = 1.0,
) -> Performance:
    """Return the beats of ``gesture`` in ``world`` from ``t`` on; the first comes after a moment's thought.

    ``pace``: how long it all takes, 1 at the usual speed. Raises ImpossibleGesture if the cards do not lie as the
    gesture needs.
    """
    score = GestureTimeline(gesture, world, t, rng, pace)
    goes_on = (isinstance(gesture, LayGesture) and gesture.at_once) or (
        isinstance(gesture, Tap) and gesture.zone is not None
    )
    score.wait(*(_AT_ONCE if goes_on else _THINK.get(type(gesture), _THINK_ELSE)))
    score.start = score.t
    _WRITERS[type(gesture)](score, gesture)
    return score.done()
