"""Paper in a photograph that no read card explains: a card that was not read, or turned down, or cut off.

The paper's colour is taken beside each read index, the ground's around the cards. If the two are too much alike,
missed cards cannot be found, and the answer says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_forms import Form, Outlines, formed, from_end_to_end
from vision.laid_groups import Ring, SeenCard, card_area, chains
from vision.pictures import Image
from vision.printed_paper import UNLIKE, with_print, without_holes
from vision.smaller_pictures import made_smaller

LONGEST: Final = 1100
"""Pixels of the longer side at which the picture is looked at."""
TWICE_THE_HUE: Final = np.array([[1, 0, 0, 0], [0, 2, 0, -256], [0, 0, 2, -256]], np.float32)
"""From a pixel in Lab as OpenCV packs it: a and b count twice, and are 0 where it is grey."""
ROWS: Final = 100
"""Rows of the picture that are worked on at a time: a processor's nearest memory holds no more."""
BETWEEN: Final = 0.45
"""share of the way from the paper's colour to the ground's beyond which it is not."""
ALIKE: Final = 22.0
"""Distance in Lab below which ground and paper are too much alike."""
EXPLAINED: Final = (0.6, 0.8, 0.1)
"""Share of the read cards that the paper found holds at least; and with up to how much, if it holds more than the last
of the ground around: then it is noise, as in the dark. Of 95 drawn pictures the two that hid a missed card so have 0.51
and 0.65, and 0.12 and 0.16 of the ground; real tables on which other white things lie have 0.83 and more."""
SLACK: Final = 0.05
"""Error of outlines, in card heights."""
LEAST: Final = 0.045
"""Least area of a patch, in card areas: a smaller one is not a card; a column's step shows a fifth of one."""
THIN: Final = 0.07
"""Width, in card heights, below which paper is the edge of an outline that is a little off."""
FACTORS: Final = (0.5, 0.56, 0.63, 0.7, 0.77, 0.84, 0.9, 0.95, 1.0, 1.05, 1.1, 1.17, 1.25)
"""By so much outlines may be too large or too small: packs print their indices large or small."""
MEASURED: Final = 0.12
"""Share by which they may be so where a card was read by both ends: that says how tall the pack's are."""
WIDER: Final = 0.12
"""And by so much wider or narrower, seen aslant;"""
ASKEW: Final = 0.12
"""so far, in shares of their length, may their sides be askew."""
STEPS: Final = (0.06, 0.03, 0.015)
"""Steps in which the form is looked for, one after the other."""
FIT_AT: Final = 500
"""Pixels of the picture's longer side at which outlines are fitted: more changes no outline by a hundredth."""
BRIGHT: Final = (215.0, 2.6)
"""Lightness (of 255) of paper in good light, and by how much a darker picture is brightened at most before colours are
compared: in the dark all colours are near each other."""
OUTSIDE: Final = 1.6
"""Weight of an outline's area beyond the paper against paper that it covers."""
LIKE_CARDS: Final = (0.5, 3.0, 0.75)
"""Areas of a card that paper apart may have, at least and at most, to be cards; and share of its upright rectangle."""
PART: Final = (0.55, 1.5, 4.0, 0.1)
"""A part of a card fills more than this share of its rectangle, or is no longer than this many card heights; it has at
most this many areas of a card (several may lie there), and is wider than this share of a card's height."""
ALONE: Final = (0.08, 0.8)
"""Share of a card that it alone covers, at least, and share of that which is paper, to prove that it is there."""
GROUND: Final = 0.65
"""Share of its rectangle below which paper that reaches the picture's rim, and is larger than a card, is the table."""
NEAR: Final = 1.5
"""Distance, in card heights, of paper from every read card from which it is of no group: a stack or a sheet."""


AS_READ: Final = Form()


@dataclass(frozen=True, slots=True)
class UnreadPaper:
    """The paper of a picture. ``cards``: those that were read, their outlines made to fit the paper.

    ``patches``: outlines of the paper beside them that no card explains, px of the picture; ``loose``: of such paper
    farther away. ``is_told``: whether paper and ground are so unlike that something could be said, and the paper
    found holds the cards that were read.
    """

    cards: tuple[SeenCard, ...]
    patches: tuple[Ring, ...] = ()
    loose: tuple[Ring, ...] = ()
    is_told: bool = False


def _grown(patches: Sequence[NDArray[np.int32]], shrink: float) -> tuple[Ring, ...]:
    """``patches`` of the picture made smaller, in pixels of the picture as it was."""
    return tuple(patch.astype(np.float64) * shrink for patch in patches)


def unread_paper(picture: Image, cards: Sequence[SeenCard]) -> UnreadPaper:
    """Return the paper in a BGR uint8 picture that the outlines of ``cards`` do not cover."""
    if not cards:
        return UnreadPaper(())
    shrink = max(1.0, max(picture.shape[:2]) / LONGEST)
    size = (round(picture.shape[1] / shrink), round(picture.shape[0] / shrink))
    lab = _lab(made_smaller(picture, size))
    bright = _brightening(lab, cards, shrink)
    if bright != 1.0:
        lab *= np.float32(bright)
    seen = _paper_of(lab, cards, shrink, size)
    if seen is None:
        return UnreadPaper(tuple(cards))
    if seen[1] >= ALIKE:
        whole = seen[0]
        if _are_measured(cards):  # else outlines would grow over a card that was not read, as the last one of a column
            whole = without_holes(_with_print(whole, lab, cards, shrink), card_area(cards) / shrink**2)
        cards = _fitted(cards, whole, shrink)
        seen = _paper_of(lab, cards, shrink, size) or seen
    is_paper, ground = seen
    around = _covered(cards, shrink, size, SLACK)
    printed = _with_print(is_paper, lab, cards, shrink)
    beside, loose = _sorted_out(printed & ~around, cards, shrink, size)
    is_told = ground >= ALIKE and _explains(printed, cards, shrink, size)
    cards = _proven(cards, seen, shrink, size)
    return UnreadPaper(tuple(cards), _grown(beside, shrink), _grown(loose, shrink), is_told)


def _explains(printed: NDArray[np.bool_], cards: Sequence[SeenCard], shrink: float, size: tuple[int, int]) -> bool:
    """Return True if the mask of the paper holds the cards that were read; else it would hold no missed one either."""
    whole = without_holes(printed, card_area(cards) / shrink**2)
    around = _covered(cards, shrink, size, 0.5) & ~_covered(cards, shrink, size, 0.08)
    parts = (_covered(cards, shrink, size, 0.0), around)
    held, beside = (float(whole[part].mean()) if part.any() else 0.0 for part in parts)
    return held >= (EXPLAINED[1] if beside > EXPLAINED[2] else EXPLAINED[0])


def _lab(small: Image) -> NDArray[np.float32]:
    """Return lightness (0 to 255), and twice how far from grey along a and b, of each pixel and those about it."""
    lab = np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), (0, 0), 1.0), np.float32)
    return np.asarray(cv2.transform(lab, TWICE_THE_HUE), np.float32)


def _brightening(lab: NDArray[np.float32], cards: Sequence[SeenCard], shrink: float) -> float:
    """Factor by which the picture is to be brightened so that its paper is as light as in good light; 1 at least."""
    paper = _paper_colours(lab, cards, shrink)
    if paper is None:
        return 1.0
    return float(np.clip(BRIGHT[0] / max(float(np.median(paper[:, 2])), 1.0), 1.0, BRIGHT[1]))


def _with_print(
    is_paper: NDArray[np.bool_], lab: NDArray[np.float32], cards: Sequence[SeenCard], shrink: float
) -> NDArray[np.bool_]:
    """Return the mask of the paper with what is printed on it, which is unlike the ground around the cards."""
    size = (is_paper.shape[1], is_paper.shape[0])
    around = _covered(cards, shrink, size, 0.5) & ~_covered(cards, shrink, size, 0.08) & ~is_paper
    return with_print(is_paper, lab, around, float(np.median([card.height for card in cards])) / shrink)


def _sorted_out(
    mask: NDArray[np.bool_], cards: Sequence[SeenCard], shrink: float, size: tuple[int, int]
) -> tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]]:
    """Patches of paper that no card explains: those that may be part of a card beside the read ones, and loose ones."""
    tall = float(np.median([card.height for card in cards])) / shrink
    area = card_area(cards) / shrink**2
    near, far = _covered(cards, shrink, size, 0.12), ~_covered(cards, shrink, size, NEAR)
    beside, loose = [], []
    for patch in _patches(mask, tall, area):
        if _meets(patch, near):
            if _may_be_part(patch, tall, area) and not _is_ground(patch, area, size):
                beside.append(patch)
        elif not _meets(patch, far) and _is_like_cards(patch, area):
            loose.append(patch)
    return beside, loose


def _are_measured(cards: Sequence[SeenCard]) -> bool:
    """Return True if a card read by both ends says how tall all are; else outlines may have shrunk to what fits."""
    return any(from_end_to_end(card) is not None for card in cards)


def _proven(
    cards: Sequence[SeenCard], seen: tuple[NDArray[np.bool_], float], shrink: float, size: tuple[int, int]
) -> Sequence[SeenCard]:
    """Return the cards, those proven that alone explain a piece of paper: what is an end of another card explains none.

    ``seen``: the paper and how unlike it the ground is, from ``_paper_of``.
    """
    is_paper, ground = seen
    if ground < ALIKE or not _are_measured(cards):
        return cards
    times = np.zeros((size[1], size[0]), np.uint8)
    for card in cards:
        part, own = _cut_out(_ring(card, shrink, SLACK), size)
        times[part] += own
    once = times == 1
    out = []
    for card in cards:
        part, own = _cut_out(_ring(card, shrink, -SLACK), size)
        alone = own.view(np.bool_) & once[part]
        area, paper = np.count_nonzero(alone), np.count_nonzero(alone & is_paper[part])
        is_there = area > ALONE[0] * card_area([card]) / shrink**2 and paper > ALONE[1] * area
        out.append(replace(card, is_proven=bool(is_there)))
    return out


def _paper_of(
    lab: NDArray[np.float32], cards: Sequence[SeenCard], shrink: float, size: tuple[int, int]
) -> tuple[NDArray[np.bool_], float] | None:
    """Mask of the paper's colour, and its distance from the ground around the cards; None if no paper shows."""
    tall = float(np.median([card.height for card in cards])) / shrink
    around = _covered(cards, shrink, size, 0.5) & ~_covered(cards, shrink, size, 0.08)
    paper = _paper_colours(lab, cards, shrink)
    if paper is None or around.sum() < 0.2 * tall * tall:
        return None
    away = _distance(lab, paper, around.shape)
    ground = float(np.median(away[around]))
    return away < max(min(UNLIKE, BETWEEN * ground), BETWEEN * ground * 0.8), ground


def _fitted(cards: Sequence[SeenCard], is_paper: NDArray[np.bool_], shrink: float) -> list[SeenCard]:
    """Return the cards, outlines changed about their indices to cover the paper best: print says little of a card.

    How large, wide and askew all are is looked for first, for they are of one pack; then how askew those of each group
    are, for what is seen aslant is more so at one side of the picture.
    """
    coarse = max(1.0, max(is_paper.shape) / FIT_AT)
    size = (round(is_paper.shape[1] / coarse), round(is_paper.shape[0] / coarse))
    small = cv2.resize(is_paper.astype(np.uint8), size, interpolation=cv2.INTER_AREA)
    shrink *= coarse
    whole = small > 0
    fitted = formed(cards, _best_form(cards, whole, shrink))
    out = list(fitted)
    for chain in chains(fitted):
        rest = [card for n, card in enumerate(fitted) if n not in chain]
        free = whole & ~_covered(rest, shrink, size, -SLACK) if rest else whole
        own = [fitted[n] for n in chain]
        form = _descended(AS_READ, _Paper.under(own, free, shrink), ("across", "down"), math.inf)
        for n, card in zip(chain, formed(own, form), strict=True):
            out[n] = card
    return out


@dataclass(frozen=True, slots=True)
class _Paper:
    """Mask of the paper (1 or 0) at ``1 / shrink`` of the picture, and the outlines that are to be fitted to it."""

    whole: NDArray[np.uint8]
    outlines: Outlines
    shrink: float

    @classmethod
    def under(cls, cards: Sequence[SeenCard], whole: NDArray[np.bool_], shrink: float) -> _Paper:
        """Return the paper of the mask ``whole`` for ``cards``."""
        return cls(whole.astype(np.uint8), Outlines.of(cards), shrink)

    def fit(self, form: Form) -> float:
        """Worth of ``form``: paper that the cards cover, less what they cover beside it, in pixels."""
        covered = np.zeros_like(self.whole)
        for ring in np.round(self.outlines.formed(form) / self.shrink).astype(np.int32):
            cv2.fillConvexPoly(covered, ring, 1)
        inside = float(cv2.countNonZero(cv2.bitwise_and(covered, self.whole)))
        return inside - OUTSIDE * (float(cv2.countNonZero(covered)) - inside)


def _best_form(cards: Sequence[SeenCard], whole: NDArray[np.bool_], shrink: float) -> Form:
    """Return the form of all cards of the picture that covers the paper best; as read unless beaten by 1 %."""
    paper = _Paper.under(cards, whole, shrink)
    known = MEASURED if _are_measured(cards) else math.inf
    talls = [replace(AS_READ, tall=one) for one in FACTORS if abs(one - 1.0) < known]
    start = max(talls, key=lambda form: paper.fit(form) * (1.01 if form == AS_READ else 1.0))
    best = _descended(start, paper, ("wide", "across", "down", "tall"), known)
    return best if paper.fit(best) > 1.01 * paper.fit(AS_READ) else AS_READ


def _descended(start: Form, paper: _Paper, ways: tuple[str, ...], known: float) -> Form:
    """Return the best form that steps along ``ways`` lead to from ``start``; ``known``: how far ``tall`` may be off."""
    most = {"tall": min(known, FACTORS[-1] - 1.0), "wide": WIDER, "across": ASKEW, "down": ASKEW}
    best, worth = start, paper.fit(start)
    for step in STEPS:
        moved = True
        while moved:
            moved = False
            for way in ways:
                for by in (-step, step):
                    value = getattr(best, way) + by
                    if by * (value - getattr(AS_READ, way)) > 0 and abs(value - getattr(AS_READ, way)) > most[way]:
                        continue
                    form = replace(best, **{way: value})
                    found = paper.fit(form)
                    if found > worth:
                        best, worth, moved = form, found, True
    return best


def _covered(cards: Sequence[SeenCard], shrink: float, size: tuple[int, int], slack: float) -> NDArray[np.bool_]:
    """Mask of the cards, their outlines ``slack`` of a card's height wider."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    for card in cards:
        cv2.fillConvexPoly(mask, _ring(card, shrink, slack), 1)
    return mask.view(np.bool_)


def _ring(card: SeenCard, shrink: float, slack: float) -> NDArray[np.int32]:
    """Outline (4, 2) of a card, ``slack`` of its height wider, in pixels of a picture ``shrink`` times smaller."""
    away = card.outline - card.centre
    half = np.hypot(*away.T)[:, None]
    ring = card.centre + away * (1 + slack * card.height * 1.4 / np.maximum(half, 1.0))
    return np.asarray(np.round(ring / shrink), np.int32)


def _cut_out(ring: NDArray[np.int32], size: tuple[int, int]) -> tuple[tuple[slice, slice], NDArray[np.uint8]]:
    """Return the upright part of a picture of ``size`` that holds an outline, and the mask (1 or 0) of it there."""
    low, high = np.clip(ring.min(axis=0), 0, size), np.clip(ring.max(axis=0) + 1, 0, size)
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    if mask.size:
        cv2.fillConvexPoly(mask, ring - low.astype(np.int32), 1)
    return (slice(low[1], high[1]), slice(low[0], high[0])), mask


def _paper_colours(lab: NDArray[np.float32], cards: Sequence[SeenCard], shrink: float) -> NDArray[np.float32] | None:
    """(n, 5): place and colour of the paper around each card's index: the commoner of the two shades there.

    Ink is the rarer one, darker or, in a black pack, lighter.
    """
    out = []
    for card in cards:
        if card.at is None:
            continue
        spot = card.spot / shrink
        half = max(2, round(0.09 * card.height / shrink))
        x, y = round(float(spot[0])), round(float(spot[1]))
        part = lab[max(0, y - half) : y + half + 1, max(0, x - half) : x + half + 1].reshape(-1, 3)
        if len(part) < 9:
            continue
        out.append([x, y, *np.median(_commoner(part), axis=0)])
    return np.array(out, np.float32) if out else None


def _commoner(part: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the pixels (n, 3) of a patch in Lab that have its commoner shade, without the shades between both."""
    dark, light = np.percentile(part[:, 0], (10, 90))
    if light - dark < UNLIKE:
        return part
    near_dark, near_light = part[:, 0] < dark + 0.35 * (light - dark), part[:, 0] > light - 0.35 * (light - dark)
    return np.asarray(part[near_light if near_light.sum() >= near_dark.sum() else near_dark], np.float32)


def _distance(lab: NDArray[np.float32], paper: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.float32]:
    """For each pixel how unlike it is the paper of the cards nearest to it (light differs over a picture)."""
    step = 8
    down = (np.arange(0, shape[0], step).astype(np.float32)[:, None] - paper[:, 1]) ** 2
    right = (np.arange(0, shape[1], step).astype(np.float32)[:, None] - paper[:, 0]) ** 2
    apart = np.sqrt(down[:, None] + right) + np.float32(12.0)
    weight = 1.0 / (apart * apart)
    local = weight @ paper[:, 2:] / weight.sum(axis=2)[..., None]
    full = cv2.resize(local, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    away = np.empty(shape, np.float32)
    for top in range(0, shape[0], ROWS):
        part = slice(top, top + ROWS)
        light, green, blue = cv2.split(cv2.subtract(lab[part], full[part]))
        cv2.min(light, light * np.float32(0.5), dst=light)  # brighter than the paper is paper
        cv2.magnitude(light, cv2.magnitude(green, blue), away[part])
    return away


def _patches(mask: NDArray[np.bool_], tall: float, area: float) -> list[NDArray[np.int32]]:
    """Outlines of the pieces of ``mask`` that are as thick and as large as the visible part of a card."""
    thick = max(3, round(THIN * tall) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thick, thick))
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [c.reshape(-1, 2).astype(np.int32) for c in contours if cv2.contourArea(c) >= LEAST * area]


def _may_be_part(patch: NDArray[np.int32], tall: float, area: float) -> bool:
    """Return True if a patch beside a group can be a card's showing part: no sheet, band of glare or thin edge."""
    own = float(cv2.contourArea(patch))
    (_, (wide, high), _) = cv2.minAreaRect(patch)
    band = own < PART[0] * wide * high and max(wide, high) > PART[1] * tall
    return own < PART[2] * area and min(wide, high) > PART[3] * tall and not band


def _is_ground(patch: NDArray[np.int32], area: float, size: tuple[int, int]) -> bool:
    """Return True if a patch is a light part of the table: it goes beyond the picture, no rectangle of cards."""
    own = float(cv2.contourArea(patch))
    (_, (wide, high), _) = cv2.minAreaRect(patch)
    at_rim = bool((patch <= 1).any() or (patch >= np.array(size) - 2).any())
    return at_rim and own > area and own < GROUND * wide * high


def _is_like_cards(patch: NDArray[np.int32], area: float) -> bool:
    """Return True if a patch is as large and square as one card or a few overlapping: no sheet of paper, no pattern."""
    own = float(cv2.contourArea(patch))
    (_, (wide, tall), _) = cv2.minAreaRect(patch)
    return LIKE_CARDS[0] * area < own < LIKE_CARDS[1] * area and own > LIKE_CARDS[2] * wide * tall


def _meets(patch: NDArray[np.int32], mask: NDArray[np.bool_]) -> bool:
    return bool(mask[patch[:, 1], patch[:, 0]].any())
