"""A played deal as a stream: every frame of it at ten a second, arms reaching in and out, and what following it costs.

The deal is that of ``measure.deal``: a table that grows by a card or three each turn. In a turn of TURN_S an arm
comes three times (to the stock, to the melds or the pile, to the pile), each for nine frames in which it moves; between
them the table lies still. Every frame is rendered, so noise is fresh where the camera renews it; rendering takes about
twice as long as looking and is not counted. A line of progress a turn goes to standard error.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

from hw.cards import BURRACO
from hw.layout import DEFAULT_LAYOUT
from hw.seats import SEATS, Seat
from hw.twin.camera import Camera
from hw.twin.card_places import places
from hw.twin.scene import Arm, Scene
from hw.twin.world import World
from hw.zones import DISCARD, POTS, STOCK
from lab.vision.measure.deal import grown_by_a_turn
from vision.calibration import calibrate
from vision.index_reader import IndexReader
from vision.sightings import Watcher

FRAMES_A_SECOND: Final = 10
TURNS: Final = 24
TURN_S: Final = 9.0
_REACH: Final = (0.3, 0.6, 0.85, 1.0, 1.0, 1.0, 0.85, 0.6, 0.3)
"""Distance that an arm has come, frame by frame; it acts in the middle."""
_FROM: Final = {Seat.SOUTH: (0.0, -1.0), Seat.NORTH: (0.0, 1.0), Seat.EAST: (1.0, 0.0), Seat.WEST: (-1.0, 0.0)}


def _turn(seat: Seat, before: World, after: World, rng: random.Random) -> Iterator[tuple[World, tuple[Arm, ...]]]:
    """Yield the frames of one turn: the cards on the table, and the arm over it."""
    zones = DEFAULT_LAYOUT.zones
    aims = [zones[STOCK].centre, (rng.uniform(-200, 200), rng.uniform(-200, 200)), zones[DISCARD].centre]
    still = round(TURN_S * FRAMES_A_SECOND) // len(aims) - len(_REACH)
    edge = DEFAULT_LAYOUT.side / 2
    for n, (x, y) in enumerate(aims):
        x0, y0 = (edge * v for v in _FROM[seat])
        for k, far in enumerate(_REACH):
            laid = after if n > 1 or (n == 1 and k >= len(_REACH) // 2) else before
            yield laid, (Arm(seat, x0 + far * (x - x0), y0 + far * (y - y0)),)
        for _ in range(still):
            yield (before if n == 0 else after), ()


def bench_play(width: int, height: int, turns: int = TURNS) -> dict[str, Any]:
    """Follow a deal in frames of ``width`` by ``height`` pixels: processor time a frame, and its share of one core."""
    rng = random.Random(943)  # noqa: S311 - reproducible scenes
    camera = Camera(DEFAULT_LAYOUT, seed=943, width=width, height=height)
    empty = camera.render(Scene(0.0, ()))
    watcher = Watcher(DEFAULT_LAYOUT, calibrate(empty, DEFAULT_LAYOUT), IndexReader(), empty=empty)
    pack = list(BURRACO.cards())
    rng.shuffle(pack)
    world = World(heaps={STOCK: (tuple(pack[:30]),), POTS: (tuple(pack[30:41]), tuple(pack[41:52]))})
    pack = pack[52:]
    took: list[float] = []
    for n in range(turns):
        after = grown_by_a_turn(rng, world, pack)
        for lying, arms in _turn(SEATS[n % len(SEATS)], world, after, rng):
            t = len(took) / FRAMES_A_SECOND
            scene = Scene(t, tuple(p.in_scene() for p in places(lying)), arms)
            frame = camera.render(scene)
            begun = time.process_time()
            watcher.look(frame, t)
            took.append((time.process_time() - begun) * 1000)
        world = after
        played = len(took) / FRAMES_A_SECOND
        so_far = f"{played:.0f} s of play, {sum(took) / 1000 / played:.3f} of a core"
        print(f"play: turn {n + 1} of {turns}, {so_far}", file=sys.stderr, flush=True)
    return {
        "frames": len(took),
        "seconds_of_play": round(len(took) / FRAMES_A_SECOND, 1),
        "look_ms": {
            "median": round(statistics.median(took), 1),
            "mean": round(statistics.fmean(took), 1),
            "worst": round(max(took), 1),
        },
        "share_of_a_core": round(sum(took) / 1000 / (len(took) / FRAMES_A_SECOND), 3),
    }
