"""Deals drawn as a phone would photograph them, for ``measure_score``: which cards lie where, and their true score.

Everything comes from a seed. Packs are drawn by ``train``: designs that no network was trained on, or, to build
with, our own and random ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np

from hw.cards import BRIDGE, BURRACO, face
from lab.vision.train.decks import Image
from lab.vision.train.scenes import Shelf, draw_laid
from table_service.rulesets import rule_set

Laid = list[tuple[str, float, float, float]]
SIZE: Final = 2600
"""Pixels of a drawn picture's side: 6.8 MP."""
RUN: Final = "A23456789TJQK"


@dataclass
class Drawn:
    """A counted deal: pictures with what each shows (``melds-NS``, ``hand-N`` …), facts typed, the true document."""

    rules: str
    pictures: list[tuple[str, Image]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)
    about: str = ""


class Pack:
    """Two packs of which cards are taken one after the other."""

    def __init__(self) -> None:
        self.left = Counter({card: BURRACO.copies[card] for card in BURRACO.copies})

    def take(self, cards: list[str]) -> bool:
        """Take ``cards``; False, and nothing taken, where they are no longer there."""
        wanted = Counter(cards)
        if any(self.left[card] < count for card, count in wanted.items()):
            return False
        self.left -= wanted
        return True


def melds(rng: np.random.Generator, pack: Pack, rules: str) -> list[list[str]]:
    """Two to six melds of a line, as they would be laid: runs from the ace or a card on, sets, some with a wild."""
    meld = rule_set(rules).calculators.meld
    if meld is None:
        raise ValueError(f"{rules} has no melds")
    out: list[list[str]] = []
    for _ in range(40):
        if len(out) >= int(rng.integers(2, 7)):
            break
        cards = _run(rng) if rng.random() < 0.6 else _set(rng)
        if rng.random() < 0.35:
            wild = "JK" if rng.random() < 0.3 else "2" + "HDCS"[int(rng.integers(4))]
            place = int(rng.integers(len(cards) + 1)) if rng.random() < 0.5 else 0
            inside = 0 < place < len(cards)
            cards = [*cards[:place], wild, *cards[place + (1 if inside else 0) :]]
        if len(cards) >= 3 and meld(tuple(cards))["valid"] and pack.take(cards):
            out.append(cards if rng.random() < 0.7 else cards[::-1])
    return out


def _run(rng: np.random.Generator) -> list[str]:
    length = int(rng.choice([3, 4, 5, 6, 7, 8, 9], p=[0.24, 0.2, 0.16, 0.12, 0.14, 0.09, 0.05]))
    first = int(rng.integers(0, 14 - length))
    return [rank + "HDCS"[s] for s in [int(rng.integers(4))] for rank in RUN[first : first + length]]


def _set(rng: np.random.Generator) -> list[str]:
    rank = str(rng.choice(list("A3456789TJQK")))
    length = int(rng.choice([3, 4, 5, 6, 7], p=[0.4, 0.25, 0.15, 0.1, 0.1]))
    return [rank + s for s in rng.permutation(list("HDCS" * 2))[:length]]


def columns(rng: np.random.Generator, groups: list[list[str]]) -> Laid:
    """Melds beside each other: as columns, each card upon the one above it, or as rows from left to right."""
    step, apart = float(rng.uniform(17, 26)), float(rng.uniform(68, 84))
    sideways = rng.random() < 0.3
    cards: Laid = []
    for n, group in enumerate(groups):
        own = step + rng.normal(0, 1.0)
        lean = rng.normal(0, 0.03)
        for k, card in enumerate(group):
            along = (k - (len(group) - 1) / 2) * own + rng.normal(0, 1.2)
            side = (n - (len(groups) - 1) / 2) * (apart if not sideways else apart + 25) + rng.normal(0, 1.0)
            x, y = (along, side) if sideways else (side, along)
            cards.append((card, x - lean * y, y + lean * x, lean + float(rng.normal(0, 0.025))))
    return cards


def fan(rng: np.random.Generator, cards: list[str], x: float = 0.0, y: float = 0.0, turn: float = 0.0) -> Laid:
    """Cards laid as a fan around a point below it."""
    radius, step = rng.uniform(120, 190), rng.uniform(0.11, 0.16)
    out: Laid = []
    for n, card in enumerate(cards):
        a = (n - (len(cards) - 1) / 2) * step + rng.normal(0, 0.008)
        px, py = radius * np.sin(a), radius * (1 - np.cos(a))
        c, s = np.cos(turn), np.sin(turn)
        out.append((card, x + c * px - s * py, y + s * px + c * py, a + turn))
    return out


def photographed(
    rng: np.random.Generator, shelf: Shelf, cards: Laid, about: list[Image], margin: float = 70, size: int = SIZE
) -> Image:
    """Return a phone's picture of ``cards``: from aside, by any light, filling its ``size`` px frame, as JPEG."""
    places = np.array([(x, y) for _, x, y, _ in cards]) if cards else np.zeros((1, 2))
    low, high = places.min(axis=0), places.max(axis=0)
    middle, span = (low + high) / 2, float((high - low).max()) + 2 * margin + 60
    moved = [(card, x - middle[0], y - middle[1], turn) for card, x, y, turn in cards]
    ppm = min(size / span, 7.0)
    image = draw_laid(rng, shelf, moved, size, ppm, about=about, slant=0.09).image
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 95))])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def burraco_deal(rng: np.random.Generator, rules: str, shelf: Shelf, about: list[Image]) -> Drawn:
    """Return a deal at its end: each line's melds in a picture, each hand left in one, closing and pots typed."""
    pack = Pack()
    drawn = Drawn(rules)
    lines: dict[str, dict[str, Any]] = {}
    closed = str(rng.choice(["NS", "EW", ""]))
    for line in ("NS", "EW"):
        laid = melds(rng, pack, rules)
        taken = "taken" if closed == line or rng.random() < 0.7 else "not-taken"
        lines[line] = {"melds": laid, "hands": [], "pot": taken, "closed": closed == line}
        drawn.facts[line] = {"pot": taken, "closed": closed == line, "hands": {}}
        drawn.pictures.append((f"melds-{line}", photographed(rng, shelf, columns(rng, laid), about)))
        for number, seat in enumerate(line):
            hand: list[str] = []
            if not (closed == line and number == 0):
                some = rng.permutation(np.array(list(BURRACO.copies)))[: int(rng.integers(1, 9))]
                hand = [str(card) for card in some if pack.take([str(card)])]
                shown = fan(rng, hand) if rng.random() < 0.5 else columns(rng, [hand])
                if hand:
                    drawn.pictures.append((f"hand-{seat}", photographed(rng, shelf, shown, about)))
            if not hand:  # nothing to take a picture of: it is typed
                drawn.facts[line]["hands"][seat] = []
            lines[line]["hands"].append(hand)
    drawn.document = {"rules": rules, "deal": lines}
    drawn.about = shelf.deck.name
    return drawn


def bridge_hands(rng: np.random.Generator, shelf: Shelf, about: list[Image]) -> Drawn:
    """Four hands of a board, all in one picture or one in each."""
    faces = [str(card) for card in rng.permutation(np.array([face(card) for card in BRIDGE.cards()]))]
    hands = {seat: faces[n * 13 : n * 13 + 13] for n, seat in enumerate("NESW")}
    drawn = Drawn("bridge", document={"hands": hands}, about=shelf.deck.name)
    if rng.random() < 0.5:
        for seat, hand in hands.items():
            drawn.pictures.append((f"hand-{seat}", photographed(rng, shelf, fan(rng, hand), about)))
        return drawn
    places = {
        "N": (0.0, -190.0, np.pi),
        "E": (190.0, 0.0, -np.pi / 2),
        "S": (0.0, 190.0, 0.0),
        "W": (-190.0, 0.0, np.pi / 2),
    }
    laid = [card for seat, hand in hands.items() for card in fan(rng, hand, *places[seat])]
    drawn.pictures.append(("table", photographed(rng, shelf, laid, about)))
    return drawn


def deals(rules: str, seed: int, count: int, shelves: list[Shelf], about: list[Image]) -> Iterator[Drawn]:
    """``count`` deals of ``rules`` from ``seed``."""
    for number in range(count):
        yield deal_of(rules, seed, number, shelves, about)


def deal_of(rules: str, seed: int, number: int, shelves: list[Shelf], about: list[Image]) -> Drawn:
    """Draw one of the deals of ``seed``, without those before it; another for each rule set."""
    rng = np.random.default_rng([seed, number, *rules.encode()])
    shelf = shelves[number % len(shelves)]
    return bridge_hands(rng, shelf, about) if rules == "bridge" else burraco_deal(rng, rules, shelf, about)
