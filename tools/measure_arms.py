"""``python tools/measure_arms.py``: hands over the table told from drawn frames, against whose hand went where.

Each reach comes in, stays a moment and draws back, at ``--fps`` frames a second, over a table with cards. ``--arms``:
``twin`` as the simulated table draws them, ``other`` drawn here in other ways (bent, bare, wide sleeves, anywhere along
the player's edge, a fist or a flat hand). ``--pairs``: two hands of two seats at once. ``--arbitro``: arms that come in
at a corner, of which no seat may be named.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.layout import DEFAULT_LAYOUT, SEAT_EDGE, TAROCCO_LAYOUT, Layout
from hw.observations import Reach
from hw.seats import SEATS, Seat
from hw.twin.camera import Camera
from hw.twin.camera_style import DEFAULT_STYLE, CameraStyle
from hw.twin.scene import Arm, PlacedCard, Scene
from vision.arm_watch import ArmWatch
from vision.calibration import calibrate

Pixels = NDArray[np.uint8]
_CORNERS = ((430.0, 430.0), (430.0, -430.0), (-430.0, -430.0), (-430.0, 430.0))


@dataclass(frozen=True)
class Look:
    """How one person's arm looks and where it comes from, in millimetres; ``elbow`` lies outside the table."""

    elbow: tuple[float, float]
    bend: float
    width: float
    hand: float
    sleeve: tuple[int, int, int]
    skin: tuple[int, int, int]
    bare: float


@dataclass(frozen=True)
class Move:
    """One reach: ``seat`` None is the arbitro's."""

    seat: Seat | None
    zone: str
    x: float
    y: float
    look: Look
    came: float
    stays: float

    def share(self, t: float) -> float:
        """How far it has come at ``t``: 0 not at all, 1 there."""
        went = self.came + 0.35 + self.stays
        if t < self.came or t > went + 0.35:
            return 0.0
        return min(1.0, (t - self.came) / 0.35, (went + 0.35 - t) / 0.35)


def look_of(rng: np.random.Generator, seat: Seat | None) -> Look:
    """Return an arm of ``seat``, or one from a corner."""
    if seat is None:
        x, y = _CORNERS[int(rng.integers(4))]
        elbow = (x * 1.5, y * 1.5)
    else:
        edge_x, edge_y = SEAT_EDGE[seat]
        aside = float(rng.uniform(-190, 230))
        elbow = (edge_x * 1.5 - edge_y / 450 * -aside, edge_y * 1.5 - edge_x / 450 * aside)
    colours = [tuple(int(v) for v in rng.integers(10, 250, 3)) for _ in range(2)]
    tone = float(rng.uniform(0.35, 1.0))
    skin = (int(150 * tone), int(175 * tone), int(225 * tone))
    return Look(elbow, float(rng.uniform(-70, 70)), float(rng.uniform(60, 120)), float(rng.uniform(55, 90)),
                colours[0], skin, float(rng.uniform(120, 420)))  # type: ignore[arg-type]  # fmt: skip


def draw(camera: Camera, frame: Pixels, move: Move, share: float) -> None:
    """Paint the arm of ``move`` upon ``frame``, ``share`` of its way, 45 mm above the cloth."""
    look = move.look
    elbow, target = np.array(look.elbow), np.array([move.x, move.y])
    tip = elbow + (target - elbow) * (0.2 + 0.8 * share)
    way = (tip - elbow) / np.linalg.norm(tip - elbow)
    side = np.array([-way[1], way[0]])
    steps = np.linspace(0, 1, 24)[:, None]
    middle = elbow + (tip - elbow) * steps + side * look.bend * np.sin(steps * pi)
    wide = np.interp(steps[:, 0], [0, 0.75, 1], [look.width, look.width * 0.7, look.hand])[:, None] / 2
    length = float(np.linalg.norm(tip - elbow))
    parts = np.vstack([middle - side * wide, (middle + side * wide)[::-1]])
    shadow, outline = (
        camera.optics.project(spots, z) for spots, z in ((parts + np.array((-9.0, 9.0)), 0.0), (parts, 45.0))
    )
    dark = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillPoly(dark, [shadow.astype(np.int32)], 255)
    frame[:] = (frame * (1 - 0.35 * cv2.GaussianBlur(dark, (0, 0), 6)[..., None] / 255)).astype(np.uint8)
    cv2.fillPoly(frame, [outline.astype(np.int32)], look.sleeve, cv2.LINE_AA)
    begin = int(np.clip((1 - look.bare / length) * 23, 0, 20))
    skin = np.vstack([(middle - side * wide * 0.96)[begin:], (middle + side * wide * 0.96)[begin:][::-1]])
    pixels = camera.optics.project(skin, 45.0)
    cv2.fillPoly(frame, [pixels.astype(np.int32)], look.skin, cv2.LINE_AA)
    column, row = camera.project(float(tip[0]), float(tip[1]), 40.0)
    cv2.circle(frame, (int(column), int(row)), int(look.hand / 2 * frame.shape[0] / 950), look.skin, -1, cv2.LINE_AA)


def cards(rng: np.random.Generator, layout: Layout) -> tuple[PlacedCard, ...]:
    """Cards lying in the zones of a table in play."""
    laid = []
    deck = [f"{rank}{suit}#1" for suit in "SHDC" for rank in "A23456789TJQK"]
    deck = [str(card) for card in rng.permutation(deck)]
    for zone, rect in layout.zones.items():
        if zone in layout.masked or zone.startswith(("side", "gate")):
            continue
        for _ in range(int(rng.integers(0, 7))):
            x, y = (
                rng.uniform(rect.x0 + 40, max(rect.x0 + 41, rect.x1 - 40)),
                rng.uniform(rect.y0 + 46, max(rect.y0 + 47, rect.y1 - 46)),
            )
            laid.append(PlacedCard(deck.pop(), float(x), float(y), float(rng.choice([0, 90, 180])), zone != "stock"))
    return tuple(laid)


def moves(rng: np.random.Generator, layout: Layout, args: argparse.Namespace, t: float) -> list[Move]:
    """One reach, or two at once that begin within half a second."""
    zones = [z for z in layout.zones if z not in layout.masked and not z.startswith("gate")]
    seats: list[Seat | None] = [None] if args.arbitro else list(rng.permutation(list(SEATS)))[: 2 if args.pairs else 1]
    found: list[Move] = []
    for seat in seats:
        one = Seat(seat) if seat is not None else None
        while True:
            zone = str(rng.choice(zones))
            rect = layout.zones[zone]
            x = float(rng.uniform(rect.x0 + 31, rect.x1 - 31))
            y = float(rng.uniform(rect.y0 + 31, rect.y1 - 31))
            edge = SEAT_EDGE[one] if one is not None else (0.0, 0.0)
            if all(np.hypot(x - m.x, y - m.y) > 130 for m in found) and abs(x - edge[0]) + abs(y - edge[1]) > 200:
                break
        found.append(
            Move(one, zone, x, y, look_of(rng, one), t + float(rng.uniform(0, 0.5)), float(rng.uniform(0.1, 0.9)))
        )
    return found


def scene_arms(made: list[Move], t: float) -> tuple[Arm, ...]:
    """Return the twin's own arms at ``t``."""
    out = []
    for move in made:
        share = move.share(t)
        if share > 0 and move.seat is not None:
            edge = SEAT_EDGE[move.seat]
            out.append(Arm(move.seat, edge[0] + (move.x - edge[0]) * share, edge[1] + (move.y - edge[1]) * share))
    return tuple(out)


def judge(made: list[Move], told: list[Reach]) -> Counter[str]:
    """Count each reach as right, missed, or of nobody; and each that was told beside the true ones as wrong."""
    count: Counter[str] = Counter()
    inward = [reach for reach in told if reach.phase == "in"]
    for move in made:
        there = [r for r in inward if r.zone == move.zone]
        if any(r.seat is move.seat for r in there):
            count["right"] += 1
        elif any(r.seat is None for r in there) or any(r.seat is move.seat and r.zone is None for r in inward):
            count["seat or zone open"] += 1
        else:
            count["missed"] += 1
    seats = {move.seat for move in made}
    count["wrong seat"] += sum(r.seat is not None and r.seat not in seats for r in inward)
    wanted = {(move.seat, move.zone) for move in made}
    count["wrong zone"] += sum(
        r.seat in seats and r.seat is not None and r.zone is not None and (r.seat, r.zone) not in wanted for r in inward
    )
    count["in without out"] += len(inward) - sum(reach.phase == "out" for reach in told)
    return count


def main() -> None:
    """Measure and print one line of figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reaches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--arms", choices=("twin", "other"), default="other")
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--arbitro", action="store_true")
    parser.add_argument("--tarocco", action="store_true", help="tarocco's table")
    parser.add_argument("--size", type=int, default=720, help="pixels of the frame's side")
    parser.add_argument("--show", default="", help="folder for the first frame of each reach that went wrong")
    args = parser.parse_args()
    print(json.dumps(measure(args)))


def measure(args: argparse.Namespace) -> dict[str, Any]:
    """Play ``args.reaches`` reaches and count."""
    rng = np.random.default_rng(args.seed)
    layout = TAROCCO_LAYOUT if args.tarocco else DEFAULT_LAYOUT
    count: Counter[str] = Counter()
    spent, frames = 0.0, 0
    t = 0.0
    for n in range(args.reaches):
        if n % 25 == 0:
            camera = Camera(layout, style(rng), int(rng.integers(1000)), args.size, args.size)
            empty = camera.render(Scene(t, ()))
            watch = ArmWatch(layout, calibrate(empty, layout), empty)
        lying = cards(rng, layout)
        t += 10.0
        for k in range(2):  # what was laid meanwhile has come to rest
            watch.look(camera.render(Scene(t, lying)), t + 4.0 * k)
        t += 5.0
        made = moves(rng, layout, args, t)
        told: list[Reach] = []
        first = None
        for k in range(int(2.9 * args.fps)):
            now = t + k / args.fps
            arms = scene_arms(made, now) if args.arms == "twin" and not args.arbitro else ()
            frame = camera.render(Scene(now, lying, arms))
            if args.arms == "other" or args.arbitro:
                for move in made:
                    if move.share(now) > 0:
                        draw(camera, frame, move, move.share(now))
            if first is None and all(move.share(now) == 1 for move in made):
                first = frame
            begun = time.process_time()
            told += watch.look(frame, now)
            spent, frames = spent + time.process_time() - begun, frames + 1
        t += 3.0
        one = judge(made, told)
        count += one
        if args.show and first is not None and (one["wrong seat"] or one["wrong zone"] or one["missed"]):
            cv2.imwrite(f"{args.show}/{n:04d}.jpg", first)
            print(
                n,
                [(str(m.seat), m.zone, round(m.x), round(m.y)) for m in made],
                [(round(r.t - t + 3, 2), str(r.seat), r.zone, r.phase) for r in told],
            )
    return {
        **count,
        "of": sum(count[k] for k in ("right", "seat or zone open", "missed")),
        "ms_a_frame": round(1000 * spent / frames, 1),
    }


def style(rng: np.random.Generator) -> CameraStyle:
    """Another cloth and another lamp."""
    felts = ((62, 96, 34), (90, 50, 30), (40, 40, 110), (70, 70, 70), (40, 90, 60))
    turn = float(rng.uniform(0, 2 * pi))
    return replace(
        DEFAULT_STYLE,
        felt=felts[int(rng.integers(len(felts)))],
        gradient=float(rng.uniform(0.1, 0.35)),
        light_from=float(rng.uniform(0, 360)),
        offset=(60 * cos(turn), 60 * sin(turn)),
    )


if __name__ == "__main__":
    main()
