"""``python -m lab.vision.measure tray_rows``: rows of bidding cards read in photographs of the tray alone.

Boxes, auctions and tray are those of ``measure.bidding``. Each tray is cut out, no marker of the table in sight,
turned to any side and taken not from straight above (``from_the_hand``; ``--off``). ``rows``: those on the tray;
``found``: those whose uppermost card was found; ``cards``: the cards of all rows; ``told``, ``named`` and ``wrong``:
the names reported, those right in the order of their row, and the rest; ``either_``: the same if clubs or spades may be
left open; ``unknown``: cards reported as ``??``. With ``--foreign`` playing cards lie there: no row may be found.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from difflib import SequenceMatcher
from itertools import permutations

import cv2
import numpy as np

from hw.bidding import TRAY_SIDES
from hw.cards import UNKNOWN
from hw.layout import BRIDGE_LAYOUT
from hw.twin.camera import Camera
from hw.twin.camera_style import BLUE_ROOM, RED_ROOM
from hw.twin.scene import BID, Scene
from lab.vision.measure.bidding import (
    FACES,
    MOMENTS,
    auction,
    foreign_cards,
    from_the_hand,
    laid,
    of_a_black,
    photograph,
)
from lab.vision.measure.tables import wilson
from lab.vision.train.bidding_boxes import drawn_box
from vision.enrolment import enrolled_faces
from vision.faces.box import BiddingFaces
from vision.faces.tray_rows import CallFound, find_rows
from vision.packs import PackError
from vision.pictures import Image

AROUND_MM = 190.0
"""Distance from the table's middle that a picture of the tray reaches."""


def tray_alone(frame: Image, camera: Camera) -> Image:
    """The tray of a frame, square."""
    (x0, y0), (x1, y1) = camera.project(-AROUND_MM, AROUND_MM), camera.project(AROUND_MM, -AROUND_MM)
    side = int(min(x1 - x0, y1 - y0))
    return np.ascontiguousarray(frame[int(y0) : int(y0) + side, int(x0) : int(x0) + side])


def counted(rows: list[list[CallFound]], lying: list[list[str]]) -> Counter[str]:
    """Count one picture, each row found compared with the true row that it fits best."""
    told = [[one.name for one in row] for row in rows]
    best = _assigned(told, lying)
    named = _right(told, lying, best)
    either = [[of_a_black(*(one.may_be or (one.name,))) for one in row] for row in rows]
    open_named = _right(either, [[of_a_black(name) for name in row] for row in lying], best)
    names, either_names = (sum(name != UNKNOWN for row in some for name in row) for some in (told, either))
    return Counter(
        pictures=1,
        rows=len(lying),
        found=len(rows),
        cards=sum(map(len, lying)),
        told=names,
        named=named,
        wrong=names - named,
        either_told=either_names,
        either_named=open_named,
        either_wrong=either_names - open_named,
        unknown=sum(map(len, told)) - names,
    )


def _assigned(told: list[list[str]], lying: list[list[str]]) -> list[tuple[int, int]]:
    """Pair each row found with a true row, so that they agree most together."""
    few, many = sorted((len(told), len(lying)))
    best: tuple[int, list[tuple[int, int]]] = (-1, [])
    for order in permutations(range(many), few):
        pairs = list(enumerate(order)) if len(told) <= len(lying) else [(n, m) for m, n in enumerate(order)]
        best = max(best, (_right(told, lying, pairs), pairs), key=lambda one: one[0])
    return best[1]


def _right(told: list[list[str]], lying: list[list[str]], pairs: list[tuple[int, int]]) -> int:
    return sum(_agreeing(told[n], lying[m]) for n, m in pairs)


def _agreeing(told: list[str], lying: list[str]) -> int:
    """Count names reported that are in the true row in that order."""
    names = [name for name in told if name != UNKNOWN]
    return sum(block.size for block in SequenceMatcher(None, names, lying, autojunk=False).get_matching_blocks())


def measure(design: int, options: argparse.Namespace, total: Counter[str]) -> list[str]:
    """Add one box's counts to ``total``. Returns what failed, in words. Raises PackError for one not enrolled."""
    artwork = drawn_box(design)
    faces = BiddingFaces(enrolled_faces("box", photograph(artwork, options.seed + design, options.photo), list(FACES)))
    style = (BLUE_ROOM, RED_ROOM)[design % 2]
    camera = Camera(BRIDGE_LAYOUT, style, options.seed, options.width, options.width, artwork=artwork)
    failures = []
    for n in range(options.auctions):
        rng = np.random.default_rng((options.seed, design, n))
        calls = foreign_cards(rng) if options.foreign else auction(rng)
        for moment in MOMENTS:
            lying = {seat: names[: round(moment * len(names))] for seat, names in calls.items()}
            side = TRAY_SIDES[int(rng.integers(2))]
            cards = laid(lying, side, np.random.default_rng((options.seed, design, n)), "" if options.foreign else BID)
            picture = from_the_hand(tray_alone(camera.render(Scene(0.0, tuple(cards))), camera), rng, options.off)
            rows = find_rows(picture, faces)
            there = [] if options.foreign else [names for names in lying.values() if names]
            count = counted(rows, there)
            total.update(count)
            if count["named"] < count["cards"] or count["wrong"]:
                told = " | ".join(" ".join(one.name for one in row) for row in rows)
                failures.append(f"box {design} auction {n} at {moment}: {' | '.join(map(' '.join, there))} told {told}")
    return failures


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--auctions", type=int, default=1, help="auctions with each box")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--designs", type=int, default=10, help="so many boxes")
    parser.add_argument("--first", type=int, default=1000, help="the first box")
    parser.add_argument("--width", type=int, default=3040, help="pixels of the side of the frame the tray is cut from")
    parser.add_argument("--photo", type=int, default=3040, help="pixels of the side of the photograph's table")
    parser.add_argument(
        "--off", type=float, default=0.02, help="shares of its side by which a picture's corners are off"
    )
    parser.add_argument("--foreign", action="store_true", help="lay playing cards: none may be named")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    failures: list[str] = []
    for design in range(options.first, options.first + options.designs):
        try:
            failures += measure(design, options, total)
        except PackError as error:
            total["not_enrolled"] += 1
            failures.append(f"box {design}: {error}")
        print(json.dumps({"box": design, **total}), flush=True)
    shares = {
        "found_95": wilson(total["found"], total["rows"]) if total["rows"] else None,
        "named_95": wilson(total["named"], total["cards"]) if total["cards"] else None,
        "right_95": wilson(total["named"], total["told"]) if total["told"] else None,
    }
    print(json.dumps({**total, **shares, "failures": failures}, indent=1))
