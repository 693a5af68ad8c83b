"""``python -m lab.vision.measure bidding``: bidding cards in the tray, of boxes enrolled from one photograph each.

A box drawn at random (``--design``; else ``--designs`` of them, from ``--first`` on) is laid out once in one room of
the twin's camera and enrolled as ``tavolo enrol --of bidding`` does, its names listed beside. Then auctions are laid in
the tray of two other rooms, on either side of the screen, at three moments each: stop and alert cards among the calls,
up to 15 in a compartment, pushed together as the twin's people do and a little crooked. With ``--grow N`` N more
calls are laid one at a time, each seen before the next: one compartment changes (``grown``, ``ms_grown``). With
``--foreign`` playing cards lie in the compartments instead: none may be named. With ``--see`` each picture is taken
from the hand (``from_the_hand``) and read by itself, without one of the empty table, as ``tavolo see --box`` does;
``either_``: the same if clubs or spades may be left open. With ``--trays SEED`` each box lies on a tray
with a surface and an edge of its own (``train/bidding_trays.py``). With ``--hands`` a hand of each seat rests over the
tray, too, with ``--hands tray`` in skin and sleeve of the tray's own colour (``measure_tray_hands.py``).
``--draw FOLDER`` keeps pictures of what was not read right. A box whose photograph is refused at its enrolment is
counted (``not_enrolled``) and not read. Times are of one processor if the environment has
``OPENBLAS_NUM_THREADS=1``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from hw.bidding import (
    ALERT,
    BIDDING_BOX,
    BIDS,
    COMPARTMENT_MM,
    DOUBLE,
    PASS,
    REDOUBLE,
    STOP,
    TRAY_SIDES,
    TraySide,
    on_table,
    side_of,
)
from hw.cards import BRIDGE, UNKNOWN
from hw.layout import BRIDGE_LAYOUT, CARD_HEIGHT, CARD_WIDTH
from hw.seats import SEATS, Seat
from hw.twin.camera import Camera
from hw.twin.camera_cards import Artwork
from hw.twin.camera_style import BLUE_ROOM, DEFAULT_STYLE, RED_ROOM
from hw.twin.card_places import BID_PITCHES_MM, pitch
from hw.twin.scene import BID, PlacedCard, Scene
from hw.twin.world import seat_angle
from lab.vision.measure.tables import wilson
from lab.vision.measure.tray_hands import HANDS_PATIENCE, reached_over
from lab.vision.train.bidding_boxes import drawn_box
from lab.vision.train.bidding_trays import drawn_tray, with_arms_like_the_tray
from vision.calibration import calibrate
from vision.enrolment import enrolled_faces
from vision.faces.box import BiddingFaces
from vision.faces.tray_reader import TrayPictureReader, TraySeen
from vision.packs import PackError
from vision.pictures import Image
from vision.see_tray import read_tray

FACES: Final = tuple(BIDDING_BOX.copies)
LILAC_ROOM: Final = replace(DEFAULT_STYLE, felt=(205, 165, 200))
"""Room in which boxes are photographed: no card is of this ground's colour."""
MOMENTS: Final = (0.3, 0.65, 1.0)
"""Shares of an auction after which the tray is looked at."""
HAND_OFF: Final = 0.06
"""Shares of a picture's side by which the corners of a table are off in one that was taken from the hand."""
Compartments = dict[Seat, list[str]]


def photograph(artwork: Artwork, seed: int, width: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """All cards of a box in five rows of eight on a pale lilac ground, one photograph."""
    camera = Camera(BRIDGE_LAYOUT, LILAC_ROOM, seed, width, width, artwork=artwork)
    rng = np.random.default_rng((seed, 1))
    cards = []
    for n, name in enumerate(FACES):
        row, column = divmod(n, 8)
        x, y = (column - 3.5) * 74.0 + rng.uniform(-2, 2), (2 - row) * 102.0 + rng.uniform(-2, 2)
        cards.append(PlacedCard(f"{BID}{name}", float(x), float(y), float(rng.uniform(-3, 3) % 360), face_up=True))
    frame = camera.render(Scene(0.0, tuple(cards)))
    (x0, y0), (x1, y1) = camera.project(-345, 300), camera.project(345, -300)
    return frame[int(y0) : int(y1), int(x0) : int(x1)]


def auction(rng: np.random.Generator) -> Compartments:
    """The cards of one auction in the order in which they were laid: bids that rise slowly, doubles, alerts, stops."""
    calls: Compartments = {seat: [] for seat in SEATS}
    bid, doubled = -1, ""
    turn, passes = int(rng.integers(4)), 0
    for _ in range(int(rng.integers(12, 44))):
        seat = SEATS[turn % 4]
        turn += 1
        call, bid, doubled = _call(rng, bid, doubled)
        passes = passes + 1 if call == PASS else 0
        if call in BIDS and rng.random() < 0.12:
            calls[seat].append(STOP)
        calls[seat].append(call)
        if call != PASS and rng.random() < 0.12:
            calls[seat].append(ALERT)
        if passes >= 4 or len(calls[seat]) >= 14:
            break
    return calls


def _call(rng: np.random.Generator, bid: int, doubled: str) -> tuple[str, int, str]:
    chance = rng.random()
    if chance < 0.4 and bid < len(BIDS) - 1:
        bid = min(len(BIDS) - 1, bid + 1 + int(rng.exponential(0.9)))
        return BIDS[bid], bid, ""
    if chance < 0.5 and bid >= 0 and doubled != REDOUBLE:
        name = REDOUBLE if doubled else DOUBLE
        return name, bid, name
    return PASS, bid, doubled


def laid(calls: Compartments, side: TraySide, rng: np.random.Generator, prefix: str = BID) -> list[PlacedCard]:
    """``calls`` in the compartments of the tray on ``side``, from below to above."""
    cards = []
    for seat, names in calls.items():
        step = pitch(BID_PITCHES_MM, len(names), COMPARTMENT_MM[0] - CARD_WIDTH - 1.5)
        for n, name in enumerate(names):
            right = CARD_WIDTH / 2 + n * step + rng.uniform(0.0, 1.5)
            down = CARD_HEIGHT / 2 + rng.uniform(-1.2, 1.2)
            x, y = on_table(seat, side, right, down)
            angle = (seat_angle(seat) + rng.uniform(-2.0, 2.0)) % 360
            cards.append(PlacedCard(f"{prefix}{name}", float(x), float(y), float(angle), face_up=True))
    return cards


def from_the_hand(frame: Image, rng: np.random.Generator, most: float = HAND_OFF) -> Image:
    """A frame as a photograph from any side and not straight above: smaller, each corner off by up to ``most``."""
    side = frame.shape[0]
    corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    off = rng.uniform(-most, most, (4, 2)) * side
    shown = (corners * (1 - 2 * most) + side * most + off).astype(np.float32)
    turned = cv2.getPerspectiveTransform(np.roll(corners, int(rng.integers(4)), axis=0), shown)
    return np.asarray(cv2.warpPerspective(frame, turned, (side, side), borderValue=(70, 80, 90)), np.uint8)


def counted(seen: TraySeen, calls: Compartments) -> Counter[str]:
    """Count the cards reported in their order and seat, and the wrong reports."""
    count: Counter[str] = Counter()
    for seat, names in calls.items():
        told = [card.card for card in seen.cards if card.seat is seat and card.card != UNKNOWN]
        blocks = SequenceMatcher(None, told, names, autojunk=False).get_matching_blocks()
        right = sum(block.size for block in blocks)
        count.update({"cards": len(names), "named": right, "told": len(told), "wrong": len(told) - right})
    return count


def _camera_over(design: int, options: argparse.Namespace, artwork: Artwork) -> Camera:
    """The camera of the room in which a box is played with, upon a tray of its own where ``--trays`` asks for one."""
    tray = drawn_tray(options.trays + design) if options.trays else None
    style = replace((BLUE_ROOM, RED_ROOM)[design % 2], tray=tray)
    if options.hands == "tray":
        style = with_arms_like_the_tray(style, options.trays + design)
    return Camera(BRIDGE_LAYOUT, style, options.seed, options.width, options.width, artwork=artwork)


def _reader_under(camera: Camera, options: argparse.Namespace, faces: BiddingFaces) -> TrayPictureReader:
    """A reader of the camera's frames; hands come to a tray that it has seen bare on both sides."""
    empty = camera.render(Scene(0.0, ()))
    calibration = calibrate(empty, BRIDGE_LAYOUT)
    if not options.hands:
        return TrayPictureReader(BRIDGE_LAYOUT, calibration, faces, empty)
    reader = TrayPictureReader(BRIDGE_LAYOUT, calibration, faces, empty, HANDS_PATIENCE)
    for side in TRAY_SIDES:
        _at_rest(reader, camera.render(Scene(0.0, (), tray=side)))
    return reader


def measure(
    design: int, options: argparse.Namespace, total: Counter[str], spent: list[float], grown: list[float]
) -> list[str]:
    """Add one box's counts to ``total``, the looks that read (ms of processor) to ``spent`` or ``grown``.

    Returns what failed, in words. Raises PackError if the box's photograph cannot be enrolled.
    """
    artwork = drawn_box(design)
    done = enrolled_faces("box", photograph(artwork, options.seed + design, options.photo), list(FACES))
    faces = BiddingFaces(done)
    failures: list[str] = []
    camera = _camera_over(design, options, artwork)
    reader = _reader_under(camera, options, faces)
    for n in range(options.auctions):
        rng = np.random.default_rng((options.seed, design, n))
        calls = foreign_cards(rng) if options.foreign else auction(rng)
        lie = np.random.default_rng((options.seed, design, n, 1)).integers(1 << 30)
        reader.forget()
        for moment in MOMENTS[-1:] if options.foreign else MOMENTS:
            so_far = {seat: names[: round(moment * len(names))] for seat, names in calls.items()}
            side = TRAY_SIDES[int(rng.integers(2))]
            crooked = np.random.default_rng(lie)
            cards = laid(so_far, side, crooked, "" if options.foreign else BID)
            frame = camera.render(Scene(float(n), tuple(cards), tray=side))
            frame = from_the_hand(frame, rng) if options.see else frame
            seen, ms = _seen_alone(frame, faces, so_far, total) if options.see else _at_rest(reader, frame)
            spent.append(ms)
            count = counted(seen, _bidding_cards(so_far, foreign=options.foreign))
            total.update(count)
            total.update(pictures=1, hidden=int(seen.hidden))
            total["unread"] += sum(card.card == UNKNOWN for card in seen.cards)
            if count["named"] < count["cards"] or count["wrong"]:
                failures.append(_in_words(f"box {design} auction {n} at {moment} on {side}", seen, so_far))
                if options.draw is not None:
                    _draw(options.draw / f"box{design}-{n}-{moment}.png", frame, None if options.see else camera)
            where = f"box {design} at {moment}"
            over, said = reached_over(reader, camera, cards, side, rng, where, options)
            total.update(over)
            failures += said
        if options.grow:
            failures += _grow(f"box {design} auction {n}", calls, reader, camera, options, total, grown)
    return failures


def _grow(
    where: str,
    calls: Compartments,
    reader: TrayPictureReader,
    camera: Camera,
    options: argparse.Namespace,
    total: Counter[str],
    spent: list[float],
) -> list[str]:
    """Lay an auction's last calls one at a time, the tray seen after each; count the compartment that changed."""
    failures: list[str] = []
    side = TRAY_SIDES[len(calls[Seat.NORTH]) % 2]
    so_far = {seat: names[: max(0, len(names) - -(-options.grow // 4))] for seat, names in calls.items()}
    reader.forget()
    _seen_twice(reader, camera, so_far, side, options.seed)
    for step in range(options.grow):
        seat = SEATS[step % 4]
        if len(so_far[seat]) == len(calls[seat]):
            continue
        so_far[seat] = calls[seat][: len(so_far[seat]) + 1]
        seen, ms = _seen_twice(reader, camera, so_far, side, options.seed)
        spent.append(ms)
        count = counted(seen, {seat: so_far[seat]})
        total.update({f"grown_{name}": number for name, number in count.items()})
        if count["named"] < count["cards"] or count["wrong"]:
            failures.append(_in_words(f"{where} grown on {side}", seen, {seat: so_far[seat]}))
    return failures


def _seen_twice(
    reader: TrayPictureReader, camera: Camera, calls: Compartments, side: TraySide, seed: int
) -> tuple[TraySeen, float]:
    """Read a tray at rest; the ms of processor that the look took; a card's place never changes."""
    cards = [
        card
        for n, (seat, names) in enumerate(calls.items())
        for card in laid({seat: names}, side, np.random.default_rng((seed, n)))
    ]
    return _at_rest(reader, camera.render(Scene(0.0, tuple(cards), tray=side)))


def _at_rest(reader: TrayPictureReader, frame: Image) -> tuple[TraySeen, float]:
    """Read a tray at rest; the ms of processor that the look took."""
    reader.look(frame)
    begun = time.process_time()
    seen = reader.look(frame)
    return seen, (time.process_time() - begun) * 1000


def _seen_alone(frame: Image, faces: BiddingFaces, calls: Compartments, total: Counter[str]) -> tuple[TraySeen, float]:
    """Read one picture; counted too with clubs and spades as one suit, as the answer reports them in doubt."""
    begun = time.process_time()
    tray = read_tray(frame, faces)
    ms = (time.process_time() - begun) * 1000
    cards = tuple(replace(card, card=of_a_black(*(tray.may_be(card) or (card.card,)))) for card in tray.seen.cards)
    level = counted(TraySeen(cards), {seat: [of_a_black(name) for name in names] for seat, names in calls.items()})
    total.update({f"either_{name}": level[name] for name in ("named", "told", "wrong")})
    return tray.seen, ms


def of_a_black(name: str, *_others: str) -> str:
    """A bid with clubs for spades."""
    return f"{name[0]}C" if name in BIDS and name[1] == "S" else name


def _bidding_cards(lying: Compartments, *, foreign: bool) -> Compartments:
    """Return the part of ``lying`` that is to be reported: nothing if it is ``foreign``."""
    return {seat: [] if foreign else names for seat, names in lying.items()}


def foreign_cards(rng: np.random.Generator) -> Compartments:
    """Playing cards, a few for each seat."""
    names = [str(one) for one in rng.permutation(np.array(list(BRIDGE.copies)))]
    return {seat: names[n * 4 : n * 4 + 1 + int(rng.integers(4))] for n, seat in enumerate(SEATS)}


def _in_words(where: str, seen: TraySeen, calls: Compartments) -> str:
    parts = [f"{where}:"]
    for seat, names in calls.items():
        told = [card.card for card in seen.cards if card.seat is seat]
        if told != names:
            parts.append(f"{seat} ({side_of(seat)}) {' '.join(names) or '-'} told {' '.join(told) or '-'};")
    return " ".join(parts)


def _draw(path: Path, frame: Image, camera: Camera | None) -> None:
    """Save the tray alone; the whole picture if no ``camera`` gives its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if camera is not None:
        (x0, y0), (x1, y1) = camera.project(-165, 165), camera.project(165, -165)
        frame = frame[int(y0) : int(y1), int(x0) : int(x1)]
    cv2.imwrite(str(path), frame)


def by_box(counts: list[tuple[int, int, int]]) -> dict[str, list[float]] | None:
    """Return 95 % intervals of the share named and of the share of these that is right, from resampled boxes.

    ``counts``: cards, reported and rightly named of each. Cards of one box fail together: intervals by card are too
    narrow.
    """
    each = np.array(counts, np.float64)
    if not each[:, 1].sum():
        return None
    drawn = each[np.random.default_rng(1).integers(len(each), size=(10_000, len(each)))].sum(axis=1)
    shares = {"named": drawn[:, 2] / drawn[:, 0], "right": drawn[:, 2] / np.maximum(1.0, drawn[:, 1])}
    return {name: [round(float(at), 4) for at in np.quantile(share, (0.025, 0.975))] for name, share in shares.items()}


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--auctions", type=int, default=3, help="auctions with each box")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--design", type=int, default=None, help="one box alone")
    parser.add_argument("--designs", type=int, default=10, help="so many boxes")
    parser.add_argument("--first", type=int, default=1000, help="the first box")
    parser.add_argument("--width", type=int, default=2400, help="pixels of the frame's side")
    parser.add_argument("--photo", type=int, default=3040, help="pixels of the side of the photograph's table")
    parser.add_argument(
        "--grow", type=int, default=0, help="so many calls of each auction laid one at a time at its end"
    )
    parser.add_argument("--trays", type=int, default=0, help="each box upon a tray drawn at random, from this seed on")
    parser.add_argument(
        "--hands", nargs="?", const="people", choices=("people", "tray"), help="let hands rest over the tray, too"
    )
    parser.add_argument("--foreign", action="store_true", help="lay playing cards: none may be named")
    parser.add_argument("--see", action="store_true", help="read single pictures as tavolo see --box does")
    parser.add_argument("--draw", type=Path, default=None, help="folder for pictures of what was not read right")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    spent: list[float] = []
    grown: list[float] = []
    failures: list[str] = []
    boxes = [options.design] if options.design is not None else range(options.first, options.first + options.designs)
    each: list[tuple[int, int, int]] = []
    for design in boxes:
        before = Counter(total)
        try:
            failures += measure(design, options, total, spent, grown)
        except PackError as error:
            total["not_enrolled"] += 1
            failures.append(f"box {design}: {error}")
        cards, told, named = (total[name] - before[name] for name in ("cards", "told", "named"))
        each.append((cards, told, named))
        print(json.dumps({"box": design, **total}), flush=True)
    told, wrong = total["told"], total["wrong"]
    figures = {
        **total,
        "named_95": wilson(total["named"], total["cards"]) if total["cards"] else None,
        "right_95": wilson(told - wrong, told) if told else None,
        "by_box_95": by_box(each),
        "ms": round(float(np.median(spent)), 1),
        "ms_95": round(float(np.quantile(spent, 0.95)), 1),
        "ms_grown": [round(float(at), 1) for at in np.quantile(grown, (0.5, 0.95))] if grown else None,
        "failures": failures,
    }
    print(json.dumps(figures, indent=1))
