"""Reading of one photograph: its cards grouped as they lie, and advice to the person if it shows too little."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table_service.games.game_pages import Text
from vision.faces.outlines import find_quads
from vision.index_reader import IndexReader
from vision.jokers_in_rows import with_jokers
from vision.laid_groups import LaidGroup, SeenCard, laid_groups, seen_cards, with_paper
from vision.packs import PackFaces
from vision.see import look_at
from vision.smaller_pictures import made_smaller
from vision.unread_paper import unread_paper

Image = NDArray[np.uint8]

MOST_PIXELS: Final = 13_000_000
"""A larger picture is made smaller before it is read: cards are read no better in 24 MP, and it takes twice as long."""
SHARP: Final = 24.0
"""Variance of the Laplacian, of a picture of 1000 px, below which it is blurred."""
DARK: Final = 60.0
"""Brightness of the brightest twentieth of a picture below which it is too dark."""
SMALL: Final = 90.0
"""Height of a card in pixels below which its index is too small to be read reliably."""

PART: Final = 256
"""Side in pixels of the parts in which a screen's pattern is looked for;"""
FINE: Final = 0.12
"""cycles a pixel from which a pattern is fine;"""
PEAK: Final = 120.0
"""times the usual strength of a fine pattern that all but a quarter of the parts exceed. Of 80 photographs the greatest
has 86, drawn screens have 158 and more."""
MOST_PLAIN: Final = 4
"""Most of the sixteen parts that may not exceed it: a piece of the picture may lie beside the screen."""

_ADVICE: Final[dict[str, Text]] = {
    "none": (
        "Non si vede nessuna carta: inquadrate le carte dall’alto, scoperte.",
        "No card is seen: take the cards from above, face up.",
    ),
    "dark": ("È troppo buia: accendete una luce o spostatevi.", "It is too dark: turn on a light, or move."),
    "blurred": ("È mossa o sfocata: tenete fermo il telefono e riprovate.", "It is blurred: hold still and try again."),
    "small": ("Le carte sono piccole: avvicinatevi.", "The cards are small: go nearer."),
    "above": ("In alto una carta è tagliata: inquadratela tutta.", "A card is cut off above: take it in whole."),
    "below": ("In basso una carta è tagliata: inquadratela tutta.", "A card is cut off below: take it in whole."),
    "left": (
        "A sinistra una carta è tagliata: inquadratela tutta.",
        "A card is cut off at the left: take it in whole.",
    ),
    "right": (
        "A destra una carta è tagliata: inquadratela tutta.",
        "A card is cut off at the right: take it in whole.",
    ),
    "other": (
        "Si vedono carte senza indici leggibili: scopritele, o scegliete il regolamento del vostro mazzo.",
        "Cards are seen, but no index: turn them up, or choose the rules of your pack.",
    ),
    "screen": (
        "Sembra la fotografia di uno schermo: fotografate le carte stesse.",
        "This looks like a picture of a screen: take the cards themselves.",
    ),
    "ground": (
        "Il piano è chiaro come le carte: una carta non letta può sfuggire; usate un tappeto scuro.",
        "The table is as light as the cards: an unread one may go unnoticed; use a darker cloth.",
    ),
}


@dataclass(frozen=True, slots=True)
class ReadPicture:
    """A photograph as it was read. ``cards``: as `tavolo see` lists them; ``seen`` and ``groups``: as they lie.

    ``cloud``: why a card may be there that is in no group: ``ground`` (as light as the cards), ``loose`` (paper apart).
    ``advice``: what to do better, each a sentence in Italian and English. ``ms``: how long the reading took.
    """

    shows: str
    size: tuple[int, int]
    cards: list[dict[str, Any]]
    groups: list[LaidGroup]
    cloud: str | None
    advice: list[Text]
    ms: float


def read_photograph(picture: Image, shows: str, reader: IndexReader, pack: PackFaces | None = None) -> ReadPicture:
    """Read a BGR uint8 ``picture`` of what ``shows`` names; places are in pixels of the picture as given."""
    begun = time.perf_counter()
    size = (picture.shape[1], picture.shape[0])
    shrink = math.sqrt(max(1.0, size[0] * size[1] / MOST_PIXELS))
    seen_at = picture
    if shrink > 1.0:
        fewer = (round(size[0] / shrink), round(size[1] / shrink))
        seen_at = made_smaller(picture, fewer)
    look = look_at(seen_at, reader, pack)
    paper = unread_paper(seen_at, seen_cards(look.cards, look.unread))
    groups = with_paper(laid_groups(paper.cards, (seen_at.shape[1], seen_at.shape[0])), paper.patches)
    if pack is None:
        groups = with_jokers(groups, seen_at, reader)
    cloud = None
    if look.cards and not paper.is_told:
        cloud = "ground"
    elif paper.loose:
        cloud = "loose"
    advice = _advice(seen_at, paper.cards, groups, cloud)
    cards = [_larger(card, shrink) for card in look.cards]
    groups = [_larger_group(group, shrink) for group in groups]
    spent = (time.perf_counter() - begun) * 1000
    return ReadPicture(shows, size, cards, groups, cloud, advice, round(spent, 1))


def _larger(card: dict[str, Any], by: float) -> dict[str, Any]:
    """Return a listed card in pixels of a picture ``by`` times as large."""
    if by == 1.0:
        return card
    grown = {name: [round(v * by, 1) for v in card[name]] for name in ("box", "corner")}
    rings: dict[str, Any] = {
        name: [[round(v * by, 1) for v in point] for point in card[name]]
        for name in ("outline", "indices")
        if name in card
    }
    return {**card, **grown, **rings}


def _larger_group(group: LaidGroup, by: float) -> LaidGroup:
    if by == 1.0:
        return group
    cards = tuple(
        replace(c, outline=c.outline * by, index=None if c.index is None else c.index * by) for c in group.cards
    )
    return LaidGroup(cards, group.doubts, group.beside)


def _advice(picture: Image, cards: Sequence[SeenCard], groups: Sequence[LaidGroup], cloud: str | None) -> list[Text]:
    """Return advice for a better picture, the most helpful first; empty if everything was read."""
    unread = not cards or any(group.doubts or "??" in group.faces for group in groups)
    said = _of_the_light(picture) + _of_the_distance(cards) if unread else []
    if not said and _is_of_a_screen(picture):
        said.append("screen")
    said += _cut_off(groups, (picture.shape[1], picture.shape[0]))
    if not cards:
        said.append("other" if "dark" not in said and find_quads(picture) else "none")
    if cloud == "ground":
        said.append("ground")
    return [_ADVICE[word] for word in said]


def _of_the_distance(cards: Sequence[SeenCard]) -> list[str]:
    small = bool(cards) and float(np.median([card.height for card in cards])) < SMALL
    return ["small"] if small else []


def _of_the_light(picture: Image) -> list[str]:
    """Return ``dark`` or ``blurred`` if the picture is; a dark one is not called blurred as well."""
    share = 1000 / max(picture.shape[:2])
    size = (round(share * picture.shape[1]), round(share * picture.shape[0]))
    grey = cv2.cvtColor(made_smaller(picture, size), cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey, 95)) < DARK:
        return ["dark"]
    return ["blurred"] if float(cv2.Laplacian(grey, cv2.CV_64F).var()) < SHARP else []


def _cut_off(groups: Sequence[LaidGroup], size: tuple[int, int]) -> list[str]:
    """Return the sides of the picture of ``size`` (width, height) at which a card reaches farthest out, one a group."""
    found = []
    for group in groups:
        if "rim" in group.doubts:
            x0, y0, x1, y1 = group.box
            beyond = {"above": -y0, "below": y1 - size[1], "left": -x0, "right": x1 - size[0]}
            found.append(max(beyond, key=lambda side: beyond[side]))
    return list(dict.fromkeys(found))


def _is_of_a_screen(picture: Image) -> bool:
    """Return True if the picture has a screen's fine pattern all over: one narrow peak in most parts' spectra."""
    if min(picture.shape[:2]) < 2 * PART:
        return False
    window = np.outer(np.hanning(PART), np.hanning(PART)).astype(np.float32)
    fine = np.hypot(*np.meshgrid(np.fft.fftfreq(PART), np.fft.fftfreq(PART))) > FINE
    plain = 0
    for y in np.linspace(0, picture.shape[0] - PART, 4).astype(int):
        for x in np.linspace(0, picture.shape[1] - PART, 4).astype(int):
            part = cv2.cvtColor(picture[y : y + PART, x : x + PART], cv2.COLOR_BGR2GRAY).astype(np.float32)
            waves = cv2.dft((part - part.mean()) * window, flags=cv2.DFT_COMPLEX_OUTPUT)
            strength = cv2.magnitude(*cv2.split(waves))[fine]
            plain += float(strength.max() / (np.median(strength) + 1e-6)) <= PEAK
            if plain > MOST_PLAIN:  # most pictures are none: the other parts need not be looked at
                return False
    return True
