"""Counts over a deal as it grows: a table laid card by card, arms in between, each sight compared with truth."""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from math import hypot
from typing import Any

from hw.cards import BURRACO, UNKNOWN, face
from hw.layout import DEFAULT_LAYOUT
from hw.observations import Sight, SightedCard
from hw.seats import LINES, SEATS
from hw.twin.camera import Camera
from hw.twin.camera_style import STYLES
from hw.twin.card_places import CardPlace, places
from hw.twin.scene import Arm, Scene
from hw.twin.world import CardRow, World, free_slot, put_on
from hw.zones import DISCARD, POTS, STOCK, is_melds, melds
from vision.calibration import calibrate
from vision.index_reader import IndexReader
from vision.sightings import Watcher

NEAR_MM = 8.0


@dataclass
class DealCount:
    """Sights of a deal compared with the cards on the table; ``ms`` of processor time per look by what had changed."""

    sights: int = 0
    cards: int = 0
    found: int = 0
    false: int = 0
    unknown: int = 0
    """Half hidden cards that were said to lie there, unknown: neither found nor false."""
    wrong_order: int = 0
    wrong_zone: int = 0
    renumbered: int = 0
    unhidden: int = 0
    ms: dict[str, list[float]] = field(default_factory=dict)
    missed: Counter[str] = field(default_factory=Counter)
    invented: Counter[str] = field(default_factory=Counter)
    _rows: dict[int, int] = field(default_factory=dict)

    def lines(self) -> dict[str, Any]:
        """The counts as plain values."""
        return {
            "sights": self.sights,
            "cards": self.cards,
            "found": self.found,
            "false": self.false,
            "unknown": self.unknown,
            "wrong_order": self.wrong_order,
            "wrong_zone": self.wrong_zone,
            "renumbered": self.renumbered,
            "arm_not_noticed": self.unhidden,
            "missed": dict(self.missed.most_common(12)),
            "invented": dict(self.invented.most_common(12)),
            "cpu_ms_median_worst": {k: (round(statistics.median(v), 1), round(max(v), 1)) for k, v in self.ms.items()},
        }

    def compare(self, sight: Sight, truth: list[CardPlace], half: list[CardPlace]) -> None:
        """Add one sight: ``truth`` are the cards lying face up whose index shows whole; ``half`` may be read or not."""
        self.sights += 1
        left = [c for c in sight.cards if c.face == "up"]
        for place in truth:
            if place.zone not in sight.hidden:
                self._compare_shown(place, left)
        for place in half:
            near = _near(place, (face(place.card), UNKNOWN), left)
            if near:
                seen = min(near, key=lambda c: (c.card == UNKNOWN, hypot(c.x - place.x, c.y - place.y)))
                left.remove(seen)
                self.unknown += seen.card == UNKNOWN
        spare = [c for c in left if c.zone not in sight.hidden]
        self.false += len(spare)
        self.invented.update(c.card for c in spare)

    def _compare_shown(self, place: CardPlace, left: list[SightedCard]) -> None:
        """Count a card whose index shows whole, and take what was read of it from ``left``."""
        self.cards += 1
        near = _near(place, (face(place.card),), left)
        if not near:
            self.missed[face(place.card)] += 1
            return
        seen = min(near, key=lambda c: hypot(c.x - place.x, c.y - place.y))
        left.remove(seen)
        self.found += 1
        self.wrong_zone += seen.zone != place.zone
        self.wrong_order += place.order is not None and seen.order != place.order
        if is_melds(place.zone) and place.row is not None and seen.row is not None:
            self.renumbered += self._rows.setdefault(place.row, seen.row) != seen.row


def _near(place: CardPlace, faces: tuple[str, ...], cards: list[SightedCard]) -> list[SightedCard]:
    """Select the ``cards`` that were read as one of ``faces`` near ``place``."""
    return [c for c in cards if c.card in faces and hypot(c.x - place.x, c.y - place.y) < NEAR_MM]


def grown_by_a_turn(rng: random.Random, world: World, pack: list[str]) -> World:
    """Return the world after a card or three were laid: on the pile, on a row, as a new row."""
    what = rng.random()
    if what < 0.45:
        return put_on(world, DISCARD, (pack.pop(),))
    zone = melds(rng.choice(LINES))
    own = [n for n, row in world.rows.items() if row.zone == zone]
    if not own or (what < 0.65 and len(own) < 7):
        cards = tuple(pack.pop() for _ in range(3))
        return replace(world, rows={**world.rows, len(world.rows): CardRow(zone, free_slot(world, zone), cards)})
    number = rng.choice(own)
    row = world.rows[number]
    if len(row.cards) >= 11:
        return put_on(world, DISCARD, (pack.pop(),))
    cards = (*row.cards, pack.pop()) if rng.random() < 0.5 else (pack.pop(), *row.cards)
    return replace(world, rows={**world.rows, number: replace(row, cards=cards)})


def measure_deal(reader: IndexReader, seed: int, steps: int = 24) -> DealCount:
    """Follow one table through ``steps`` changes; before each an arm reaches in."""
    rng = random.Random(seed)  # noqa: S311 - reproducible scenes
    camera = Camera(DEFAULT_LAYOUT, STYLES[seed % len(STYLES)], seed=seed)
    empty = camera.render(Scene(0.0, ()))
    watcher = Watcher(DEFAULT_LAYOUT, calibrate(empty, DEFAULT_LAYOUT), reader, empty=empty)
    pack = list(BURRACO.cards())
    rng.shuffle(pack)
    world = World(heaps={STOCK: (tuple(pack[:30]),), POTS: (tuple(pack[30:41]), tuple(pack[41:52]))})
    pack = pack[52:]
    count = DealCount()
    t = 0.0

    def look(kind: str, lying: World, arms: tuple[Arm, ...]) -> None:
        nonlocal t
        t += 5.0
        all_places = places(lying)
        scene = Scene(t, tuple(p.in_scene() for p in all_places), arms)
        frame = camera.render(scene)
        readable = [bool(c.readable) for c in camera.camera_truth(scene)]
        begun = time.process_time()
        sight = watcher.look(frame, t)
        count.ms.setdefault(kind, []).append((time.process_time() - begun) * 1000)
        if sight is None:
            return
        up = [(p, shows) for p, shows in zip(all_places, readable, strict=True) if p.face_up]
        count.compare(sight, [p for p, shows in up if shows], [p for p, shows in up if not shows])
        for arm in arms:
            zone = DEFAULT_LAYOUT.zone_at(arm.x, arm.y)
            count.unhidden += zone in DEFAULT_LAYOUT.zones and zone not in sight.hidden

    for _ in range(steps):
        if len(pack) < 4:
            break
        arm = Arm(rng.choice(SEATS), rng.uniform(-260, 260), rng.uniform(-260, 260))
        look("arm", world, (arm,))
        world = grown_by_a_turn(rng, world, pack)
        look("card laid", world, ())
        look("still", world, ())
    return count
