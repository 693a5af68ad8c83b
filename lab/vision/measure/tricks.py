"""``python -m lab.vision.measure tricks``: whole faces at a running table, in tricks that grow card by card.

A pack of 62 cards without an index is enrolled from one picture a face in one room of the twin's camera, and played in
two others (other cloth, light, lens, height). Each card is laid across those before it (``--lay crossing``), by itself
(``free``), or as the second of two, of which it hides a third (``pair``); an arm is seen, then two frames at rest. With
``--at-once`` the cards are seen only when all of them lie there, as after a gap in sensing.
With ``--unknown`` every third face is not enrolled and only those are laid: none may be named. ``--design N`` plays
with a pack drawn at random instead of our own; ``--stranger N`` lays the cards of pack N, though the other is enrolled
whole: none may be named either.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from hw.cards import TAROCCO, UNKNOWN, face
from hw.equipment import TAROCCO_TABLE
from hw.layout import CARD_HEIGHT, CARD_WIDTH, TAROCCO_LAYOUT
from hw.pack.drawn import tarocco_drawing
from hw.seats import SEATS
from hw.twin.camera import Camera
from hw.twin.camera_cards import Artwork, artwork_of
from hw.twin.camera_style import BLUE_ROOM, DEFAULT_STYLE, RED_ROOM
from hw.twin.scene import Arm, PlacedCard, Scene
from lab.vision.measure.tables import wilson
from lab.vision.train.tarocchi import drawn_tarocchi
from vision.calibration import calibrate
from vision.faces.face_follower import FaceWatcher
from vision.faces.index import FaceIndex
from vision.faces.outlines import find_quads
from vision.faces.prints import FacePrint, face_print

FACES: Final = tuple(TAROCCO.copies)
NEAR_MM: Final = 10.0
"""A report counts for a card if its middle is off by no more."""


def camera_of(artwork: Artwork, room: int, seed: int, width: int) -> Camera:
    """A camera in one of three rooms; 0 is where packs are enrolled."""
    style = (DEFAULT_STYLE, BLUE_ROOM, RED_ROOM)[room]
    return Camera(TAROCCO_LAYOUT, style, seed, width, width, artwork=artwork, equipment=TAROCCO_TABLE)


def enrolled(artwork: Artwork, names: list[str], seed: int, width: int) -> FaceIndex:
    """``names`` enrolled as ``tavolo enrol`` does: a picture a face, cut out by its outline."""
    camera = camera_of(artwork, 0, seed, width)
    (x0, y1), (x1, y0) = camera.project(-75, -75), camera.project(75, 75)
    whole: dict[str, tuple[FacePrint, ...]] = {}
    for name in names:
        frame = camera.render(Scene(0.0, (PlacedCard(f"{name}#1", 0.0, 0.0, 4.0, face_up=True),)))
        quads = find_quads(frame[int(y0) : int(y1), int(x0) : int(x1)])
        if len(quads) == 1:
            whole[name] = (face_print(quads[0].face),)
    return FaceIndex.of(whole, TAROCCO.copies)


def crossing(names: list[str], rng: np.random.Generator) -> list[PlacedCard]:
    """The cards of a trick, each laid from its seat's side across those before it."""
    cards = []
    turn = int(rng.integers(4))
    for k, name in enumerate(names):
        side = np.radians(90.0 * (turn + k) + rng.uniform(-20, 20))
        far = rng.uniform(22, 42)
        angle = 90.0 * (turn + k) + rng.uniform(-35, 35)
        x, y = far * np.sin(side) + rng.uniform(-6, 6), -far * np.cos(side) + rng.uniform(-6, 6)
        cards.append(PlacedCard(f"{name}#1", float(x), float(y), float(angle % 360), face_up=True))
    return cards


def free(names: list[str], rng: np.random.Generator) -> list[PlacedCard]:
    """Cards that lie by themselves in the trick's zone, turned anyhow."""
    places = [(-85.0, -85.0), (85.0, -85.0), (-85.0, 85.0), (85.0, 85.0)]
    return [
        PlacedCard(
            f"{name}#1",
            float(x + rng.uniform(-8, 8)),
            float(y + rng.uniform(-8, 8)),
            float(rng.uniform(0, 360)),
            face_up=True,
        )
        for name, (x, y) in zip(names, places, strict=True)
    ]


def pair(names: list[str], rng: np.random.Generator) -> list[PlacedCard]:
    """Two cards, turned anyhow, of which the second hides a third of the first."""
    low, high, way = (float(one) for one in rng.uniform(0, 360, 3))
    x, y = (float(one) for one in rng.uniform(-30, 30, 2))
    size = (CARD_WIDTH, CARD_HEIGHT)
    under = cv2.boxPoints(((x, y), size, low))
    far, step = 0.0, 1.0
    place = (x, y)
    while cv2.intersectConvexConvex(under, cv2.boxPoints((place, size, high)))[0] > CARD_WIDTH * CARD_HEIGHT / 3:
        far += step
        place = (x + far * float(np.cos(np.radians(way))), y + far * float(np.sin(np.radians(way))))
    return [
        PlacedCard(f"{names[0]}#1", x, y, low, face_up=True),
        PlacedCard(f"{names[1]}#1", *place, high, face_up=True),
    ]


LAYS: Final[dict[str, Callable[[list[str], np.random.Generator], list[PlacedCard]]]] = {
    "crossing": crossing,
    "free": free,
    "pair": pair,
}


def counted(sight: Any, cards: list[PlacedCard], shown: list[float], index: Any) -> Counter[str]:
    """Count the cards on the table: named rightly, as ``??`` or not reported; all names reported, and the wrong ones.

    ``index`` says which faces look alike, ``shown`` how much of each card shows.
    """
    count: Counter[str] = Counter()
    told = [one for one in sight.cards if one.zone == "trick"] if sight is not None else []
    count["told"] = sum(one.card != UNKNOWN for one in told)
    right = 0
    for card, share in zip(cards, shown, strict=True):
        name = face(card.card)
        same = {name, *index.alike.get(name, ())}
        found = any(one.card in same and np.hypot(one.x - card.x, one.y - card.y) < NEAR_MM for one in told)
        right += found
        count["cards"] += 1
        count["named"] += found
        if share >= 2 / 3:
            count["cards of which two thirds show"] += 1
            count["… named"] += found
    count["wrong"] = count["told"] - right
    return count


def played(
    camera: Camera, watcher: FaceWatcher, cards: list[PlacedCard], t: float, *, at_once: bool, spent: list[float]
) -> tuple[Any, float]:
    """Lay ``cards`` from ``t`` on; the last sight, and when the next trick may begin.

    The processor time (ms) of each look that reads is added to ``spent``.
    """
    watcher.new_deal()
    watcher.look(camera.render(Scene(t, ())), t)
    sight = None
    for k in range(len(cards) if at_once else 1, len(cards) + 1):
        arm = Arm(SEATS[k % 4], cards[k - 1].x, cards[k - 1].y)
        for arms, step in (((arm,), 0.2), ((), 0.2), ((), 5.0)):
            frame = camera.render(Scene(t, tuple(cards[:k]), arms))
            begun = time.process_time()
            sight = watcher.look(frame, t) or sight
            if not arms and step > 1:
                spent.append((time.process_time() - begun) * 1000)
            t += step
    return sight, t


def measure(index: FaceIndex, artwork: Artwork, names: list[str], options: argparse.Namespace) -> dict[str, Any]:
    """The counts of all tricks, and the processor time of a look that reads a card."""
    total: Counter[str] = Counter()
    spent: list[float] = []
    failures: list[str] = []
    for room in (1, 2):
        camera = camera_of(artwork, room, options.seed, options.width)
        empty = camera.render(Scene(0.0, ()))
        watcher = FaceWatcher(TAROCCO_LAYOUT, calibrate(empty, TAROCCO_LAYOUT), index, empty, TAROCCO_TABLE)
        t = 0.0
        for n in range(options.tricks):
            rng = np.random.default_rng((options.seed, room, n))
            cards = LAYS[options.lay]([str(one) for one in rng.choice(names, 4, replace=False)], rng)
            sight, t = played(camera, watcher, cards, t, at_once=options.at_once, spent=spent)
            shown = [one.visible for one in camera.camera_truth(Scene(t, tuple(cards)))]
            count = counted(sight, cards, shown, index)
            if options.stranger is not None:
                count["named"], count["… named"], count["wrong"] = 0, 0, count["told"]
            total.update(count)
            if count["wrong"] or count["named"] < len(cards):
                failures.append(f"room {room} trick {n}: {_in_words(sight, cards, shown)}")
            if not n % 5:
                print(json.dumps({"room": room, "trick": n, **total}), flush=True)
    wrong, told = total["wrong"], total["told"]
    return {
        **total,
        "named_95": wilson(total["named"], total["cards"]),
        "right_95": wilson(told - wrong, told) if told else None,
        "ms": round(float(np.median(spent))),
        "ms_95": round(float(np.quantile(spent, 0.95))),
        "failures": failures,
    }


def _in_words(sight: Any, cards: list[PlacedCard], shown: list[float]) -> str:
    laid = " ".join(f"{face(card.card)}:{share:.2f}" for card, share in zip(cards, shown, strict=True))
    return f"{laid} told {' '.join(one.card for one in sight.cards) if sight is not None else ''}"


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tricks", type=int, default=20, help="tricks in each of two rooms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=1800, help="pixels of the frame's side")
    parser.add_argument("--design", type=int, default=None, help="a pack drawn at random; our own without it")
    parser.add_argument("--lay", choices=tuple(LAYS), default="crossing", help="how the cards lie")
    parser.add_argument("--at-once", action="store_true", help="the cards are seen together first")
    parser.add_argument("--unknown", action="store_true", help="lay only faces that were not enrolled")
    parser.add_argument("--stranger", type=int, default=None, help="lay cards of this pack, none of which is enrolled")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    artwork = artwork_of(tarocco_drawing) if options.design is None else drawn_tarocchi(options.design)
    known = [name for k, name in enumerate(FACES) if not (options.unknown and k % 3 == 0)]
    index = enrolled(artwork, known, options.seed + 50_000, options.width)
    missing = sorted(set(known) - set(index.names))
    alike = sorted({" ".join(sorted({one, *more})) for one, more in index.alike.items()})
    lie = list(FACES[::3]) if options.unknown else list(FACES)
    laid = artwork if options.stranger is None else drawn_tarocchi(options.stranger)
    figures = measure(index, laid, lie, options)
    print(json.dumps({"pack": options.design or "own", "not enrolled": missing, "alike": alike, **figures}, indent=1))
