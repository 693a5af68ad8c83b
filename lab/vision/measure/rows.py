"""``python -m lab.vision.measure rows``: whole faces of which strips show, in fanned declarations and piles laid out.

A pack of 62 cards without an index is enrolled from one picture a face in one room of the twin's camera and laid in two
others: three to five cards fanned in a player's side area, 12 to 22 mm from card to card, or a pile of twelve to
twenty-nine in a hand area once the deal is over. Cards lie up to 2 mm and 2.5 degrees off their row, one in five upside
down. With ``--unknown`` every third face is not enrolled and only those are laid: none may be named. ``--design N``
lays a pack drawn at random instead of our own.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from typing import Any, Final

import cv2
import numpy as np

from hw.cards import UNKNOWN, face
from hw.equipment import TAROCCO_TABLE
from hw.layout import TAROCCO_LAYOUT
from hw.pack.drawn import tarocco_drawing
from hw.seats import SEATS, Seat
from hw.twin.camera_cards import artwork_of
from hw.twin.scene import PlacedCard, Scene
from lab.vision.measure.tables import wilson
from lab.vision.measure.tricks import FACES, camera_of, enrolled
from lab.vision.train.tarocchi import drawn_tarocchi
from vision.calibration import calibrate
from vision.faces.face_follower import FaceWatcher
from vision.faces.index import FaceIndex

NEAR_MM: Final = 8.0
"""A report counts for a card if its middle is off by no more."""
TURNED: Final = {Seat.NORTH: 180.0, Seat.EAST: 90.0, Seat.SOUTH: 0.0, Seat.WEST: 270.0}
LOOKS: Final = (0.0, 0.2, 0.4, 6.0)
"""Seconds at which the row is looked at; nothing moves."""


def fan(names: list[str], seat: Seat, rng: np.random.Generator) -> list[PlacedCard]:
    """A declaration in a player's side area: a column, the card nearest the player on top."""
    few = [str(one) for one in rng.choice(names, int(rng.integers(3, 6)), replace=False)]
    step = float(rng.uniform(12, 22))
    places = [(0.0, -step * (n - (len(few) - 1) / 2)) for n in range(len(few))]
    middle = TAROCCO_LAYOUT.zones[f"side-{seat}"].centre
    return _lain(few, places, middle, TURNED[seat] + float(rng.uniform(-8, 8)), rng)


def pile(names: list[str], seat: Seat, rng: np.random.Generator) -> list[PlacedCard]:
    """A pile laid out along a player's edge for the count, from left to right."""
    many = min(len(names), int(rng.integers(12, 30)))
    few = [str(one) for one in rng.choice(names, many, replace=False)]
    rect = TAROCCO_LAYOUT.zones[f"hand-{seat}"]
    step = min(40.0, (max(rect.x1 - rect.x0, rect.y1 - rect.y0) - 70.0) / (many - 1))
    places = [(step * (n - (many - 1) / 2), 0.0) for n in range(many)]
    return _lain(few, places, rect.centre, TURNED[seat] + float(rng.uniform(-1, 1)), rng)


LAYS: Final = {"fan": fan, "pile": pile}


def _lain(
    names: list[str],
    places: list[tuple[float, float]],
    middle: tuple[float, float],
    turn: float,
    rng: np.random.Generator,
) -> list[PlacedCard]:
    rad = np.radians(turn)
    turned = np.array([[np.cos(rad), -np.sin(rad)], [np.sin(rad), np.cos(rad)]])
    cards = []
    for name, place in zip(names, places, strict=True):
        aside, along, askew = rng.uniform(-1, 1, 3) * [2.0, 2.0, 2.5]
        x, y = turned @ np.array(place) + middle + [aside, along]
        angle = (turn + askew + 180.0 * (rng.random() < 0.2)) % 360
        cards.append(PlacedCard(f"{name}#1", float(x), float(y), float(angle), face_up=True))
    return cards


def counted(sight: Any, cards: list[PlacedCard], index: FaceIndex) -> Counter[str]:
    """Count ``cards``: named rightly or wrongly, reported as ``??``, not reported; and reports without a card."""
    count: Counter[str] = Counter(cards=len(cards))
    told = list(sight.cards) if sight is not None else []
    for card in cards:
        one = min(told, key=lambda s: float(np.hypot(s.x - card.x, s.y - card.y)), default=None)
        if one is None or np.hypot(one.x - card.x, one.y - card.y) > NEAR_MM:
            count["not told"] += 1
            continue
        told.remove(one)
        name = face(card.card)
        right = one.card in {name, *index.alike.get(name, ())}
        count["named" if right else "told as ??" if one.card == UNKNOWN else "wrong"] += 1
    count["named where none lies"] = sum(one.card != UNKNOWN for one in told)
    return count


def measure(index: FaceIndex, options: argparse.Namespace) -> dict[str, Any]:
    """The counts of all rows, and the processor time a card."""
    artwork = _artwork(options.design)
    names = list(FACES[::3]) if options.unknown else list(FACES)
    total: Counter[str] = Counter()
    spent: list[float] = []
    failures: list[str] = []
    for room in (1, 2):
        camera = camera_of(artwork, room, options.seed, options.width)
        empty = camera.render(Scene(0.0, ()))
        calibration = calibrate(empty, TAROCCO_LAYOUT)
        for n in range(options.rows):
            rng = np.random.default_rng((options.seed, room, n))
            cards = LAYS[options.lay](names, SEATS[int(rng.integers(4))], rng)
            watcher = FaceWatcher(TAROCCO_LAYOUT, calibration, index, empty, TAROCCO_TABLE)
            watcher.deal_over()
            frame = camera.render(Scene(1.0, tuple(cards)))
            begun = time.process_time()
            sight = None
            for t in LOOKS:
                sight = watcher.look(frame, t) or sight
            spent.append((time.process_time() - begun) * 1000 / len(cards))
            count = counted(sight, cards, index)
            total.update(count)
            if count["wrong"] or count["named where none lies"] or count["not told"]:
                laid = " ".join(face(card.card) for card in cards)
                seen = " ".join(one.card for one in sight.cards) if sight is not None else ""
                failures.append(f"room {room} row {n}: {laid} told {seen}")
        print(json.dumps({"room": room, **total}), flush=True)
    named, wrong = total["named"], total["wrong"] + total["named where none lies"]
    return {
        **total,
        "named_95": wilson(named, total["cards"]),
        "right_95": wilson(named, named + wrong) if named + wrong else None,
        "ms a card": round(float(np.median(spent))),
        "failures": failures,
    }


def _artwork(design: int | None) -> Any:
    return artwork_of(tarocco_drawing) if design is None else drawn_tarocchi(design)


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20, help="rows in each of two rooms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=1800, help="pixels of the frame's side")
    parser.add_argument("--design", type=int, default=None, help="a pack drawn at random; our own without it")
    parser.add_argument("--lay", choices=tuple(LAYS), default="fan", help="how the cards lie")
    parser.add_argument("--unknown", action="store_true", help="lay only faces that were not enrolled")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    known = [name for k, name in enumerate(FACES) if not (options.unknown and k % 3 == 0)]
    index = enrolled(_artwork(options.design), known, options.seed + 50_000, options.width)
    missing = sorted(set(known) - set(index.names))
    print(json.dumps({"pack": options.design or "own", "not enrolled": missing, **measure(index, options)}, indent=1))
