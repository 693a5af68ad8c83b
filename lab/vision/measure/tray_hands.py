"""Hands at rest over the bidding tray: reports of the calls beneath, and once the hands have gone.

Counts of ``measure.bidding --hands``, with its cards, trays and rooms; each hand stays for longer than the reader's
patience. ``hands``: hands laid over the tray; ``hands_hidden``: over which the tray was reported as hidden at every
look; ``hands_lost``: over which other cards were reported at some look than before. Of the calls reported before, the
most at any look: ``hands_taken``: reported as no more there; ``hands_wrong``: names of no card there;
``hands_unknown``: reported as unknown. ``hands_kept_out``: calls that are not reported any more when the hand has gone.
``begun``, ``begun_hidden``, ``begun_short``: the same hands over a tray that was not read before, the tray
hidden, and the calls missing that were reported without a hand. ``left``, ``left_told``: the uppermost card of a row
taken away under a hand, and reported so once that has gone; ``left_more``: others reported as taken away with it.
``cleared``, ``cleared_told``: calls reported, then all taken away at once, and reported so.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from hw.bidding import TraySide, compartment_at, tray_centre
from hw.cards import UNKNOWN
from hw.seats import SEATS, Seat
from hw.twin.camera import Camera
from hw.twin.scene import BID, Arm, PlacedCard, Scene
from vision.faces.tray_reader import TrayPictureReader, TraySeen
from vision.pictures import Image

HANDS_PATIENCE: Final = 3
"""Looks of patience of a reader that hands are laid over: a table's has more, which takes long to wait for."""
LOOKS: Final = 8
"""Looks for which a hand stays."""
HAND_OVER_MM: Final = 95.0
"""Distance from the tray's middle, in both directions, that a hand reaches at most."""


def reached_over(
    reader: TrayPictureReader,
    camera: Camera,
    cards: list[PlacedCard],
    side: TraySide,
    rng: np.random.Generator,
    where: str,
    options: argparse.Namespace,
) -> tuple[Counter[str], list[str]]:
    """Lay a hand of each seat somewhere over the tray, then take cards away; count the reports, failures in words.

    ``options``: those of ``lab.vision.measure.bidding``; without ``hands`` nothing is laid and counted.
    """
    count: Counter[str] = Counter()
    failures: list[str] = []
    if not options.hands:
        return count, failures
    lying = _names_lying(cards, side)
    before = _looks(reader, camera, cards, side, 2)[-1][0]
    for seat in SEATS:
        x, y = (float(at) for at in np.add(tray_centre(side), rng.uniform(-HAND_OVER_MM, HAND_OVER_MM, 2)))
        arm = Arm(seat, round(x, 1), round(y, 1))
        seen = _looks(reader, camera, cards, side, LOOKS, arm)[1:]
        free = _looks(reader, camera, cards, side, 2)[-1][0]
        over = _over(before, [one for one, _ in seen], lying)
        over["hands_kept_out"] = _short(before, free)
        reader.forget()
        begun, frame = _looks(reader, camera, cards, side, 2, arm)[-1]
        over.update(begun=1, begun_hidden=int(begun.hidden), begun_short=0 if begun.hidden else _short(before, begun))
        over["begun_wrong"] = _wrong(begun, lying)
        reader.forget()
        before = _looks(reader, camera, cards, side, 2)[-1][0]
        count.update(over)
        if any(over[name] for name in ("hands_taken", "hands_wrong", "hands_kept_out", "begun_short", "begun_wrong")):
            failures.append(f"{where} on {side} {arm}: {dict(over)}")
            if options.draw is not None:
                _draw(options.draw / f"{where} {seat}.png".replace(" ", "-"), frame, camera)
    count.update(_taken_away(reader, camera, cards, side, rng))
    return count, failures


def _over(before: TraySeen, seen: list[TraySeen], lying: dict[Seat, Counter[str]]) -> Counter[str]:
    told = [one for one in seen if not one.hidden]
    names = [card.card for card in before.cards]
    return Counter(
        hands=1,
        hands_hidden=int(not told),
        hands_lost=int(any([card.card for card in one.cards] != names for one in told)),
        hands_taken=max((_gone(before, one) for one in told), default=0),
        hands_wrong=max((_wrong(one, lying) for one in told), default=0),
        hands_unknown=max((_unknown(one) - _unknown(before) for one in told), default=0),
    )


def _taken_away(
    reader: TrayPictureReader, camera: Camera, cards: list[PlacedCard], side: TraySide, rng: np.random.Generator
) -> Counter[str]:
    """Take the uppermost card of each row away under a hand, then all at once; count the reports of it."""
    count: Counter[str] = Counter()
    for owner in SEATS:
        before = _looks(reader, camera, cards, side, 2)[-1][0]
        row = [card for card in before.cards if card.seat is owner]
        if not row:
            continue
        top = max(row, key=lambda card: card.order or 0)
        gone = min(cards, key=lambda card: (card.x - top.x) ** 2 + (card.y - top.y) ** 2)
        left = [card for card in cards if card is not gone]
        x, y = (float(at) for at in np.add(tray_centre(side), rng.uniform(-HAND_OVER_MM, HAND_OVER_MM, 2)))
        _looks(reader, camera, cards, side, 2, Arm(owner, x, y))
        _looks(reader, camera, left, side, 2, Arm(owner, x, y))
        seen = _looks(reader, camera, left, side, 2)[-1][0]
        more = _gone(before, seen)
        count.update(left=1, left_told=int(more >= 1 and not seen.hidden), left_more=max(0, more - 1))
    before = _looks(reader, camera, cards, side, 2)[-1][0]
    seen = _looks(reader, camera, [], side, 2)[-1][0]
    told = 0 if seen.hidden else _gone(before, seen)
    return count + Counter(cleared=len(before.cards), cleared_told=told)


def _looks(
    reader: TrayPictureReader, camera: Camera, cards: list[PlacedCard], side: TraySide, count: int, *arms: Arm
) -> list[tuple[TraySeen, Image]]:
    """Look ``count`` times, each at a frame of its own; the first sees something move."""
    out = []
    for _ in range(count):
        frame = camera.render(Scene(0.0, tuple(cards), arms, tray=side))
        out.append((reader.look(frame), frame))
    return out


def _names_lying(cards: list[PlacedCard], side: TraySide) -> dict[Seat, Counter[str]]:
    lying: dict[Seat, Counter[str]] = {seat: Counter() for seat in SEATS}
    for card in cards:
        seat = compartment_at(card.x, card.y, side)
        if seat is not None:
            lying[seat][card.card.removeprefix(BID)] += 1
    return lying


def _row(seen: TraySeen, seat: Seat) -> Counter[str]:
    return Counter(card.card for card in seen.cards if card.seat is seat)


def _gone(before: TraySeen, seen: TraySeen) -> int:
    """Calls fewer than before, row by row."""
    return sum(max(0, _row(before, seat).total() - _row(seen, seat).total()) for seat in SEATS)


def _short(before: TraySeen, seen: TraySeen) -> int:
    """Count names reported before that are now neither reported nor among the unknown ones."""
    short = 0
    for seat in SEATS:
        missing = _row(before, seat) - _row(seen, seat)
        del missing[UNKNOWN]
        short += missing.total()
    return short


def _wrong(seen: TraySeen, lying: dict[Seat, Counter[str]]) -> int:
    wrong = 0
    for seat in SEATS:
        strange = _row(seen, seat) - lying[seat]
        del strange[UNKNOWN]
        wrong += strange.total()
    return wrong


def _unknown(seen: TraySeen) -> int:
    return sum(card.card == UNKNOWN for card in seen.cards)


def _draw(path: Path, frame: Image, camera: Camera) -> None:
    """The tray alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    (x0, y0), (x1, y1) = camera.project(-230, 230), camera.project(230, -230)
    cv2.imwrite(str(path), frame[int(y0) : int(y1), int(x0) : int(x1)])
