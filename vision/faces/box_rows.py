"""The calls in one compartment of the tray: cards on each other, each but the last showing a strip at its left.

A compartment's picture is upright as its owner sees it, in the cells of ``box``. Of all ways to stack
cards at the places proposed, the one that explains most of the picture is taken; then each of its cards is compared
with all faces by the part of it that shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Final

import cv2
import numpy as np

from hw.cards import UNKNOWN
from hw.layout import CARD_HEIGHT
from vision.faces.box import (
    CELLS,
    GAINS,
    RIM,
    UPPER,
    BiddingFaces,
    Coarse,
    Likeness,
    black_pair,
    scores,
    twin_of,
    weighted,
)
from vision.faces.box_places import (
    MARGIN_MM,
    NEAREST_MM,
    RIM_MM,
    CardPose,
    PlaceInRow,
    cut_at,
    every_second_row,
    fitted,
    proposed,
    shows_of,
    strip_of,
    too_little,
)
from vision.faces.geometry import Array, Image, Mask
from vision.faces.prints import BIDDING_FACE
from vision.surface import changed_cells

WIDEST_MM: Final = 19.0
"""Further apart no two calls lie without another between them."""
LONGEST_MM: Final = 20.0
"""Longest part of a strip that is searched for the next card."""
STRIP: Final = 0.7
"""Correlation of what shows of a card with its face."""
APART: Final = 0.58
"""See ``Likeness.apart``."""
SURE: Final = 2.5
"""Least ``Likeness.sure`` of a named card."""
PLAIN: Final = (0.88, 11.0)
"""``apart`` and ``sure`` from which a face is named though light changes the look more than its thin signs do."""
LIKELY: Final = 0.5
"""Correlation from which an unknown card is reported as a card."""
BESIDE_MM: Final = -2.5
"""Unread cards farther to the left than this are a neighbour's."""
UNLIKE: Final = 60.0
"""Lab units by which a cell must differ from the face's to be something else's."""
OVERLAID: Final = 0.2
"""Share of such cells from which something lies over a card."""
A_CARD: Final = 10.0
"""Evidence (log odds) that a card must explain."""
BLOB: Final = 2.0
"""Number of coarse cells that err together, about."""
BESIDE: Final = 2.0
"""Cost of each coarse column that lowers what a card explains."""
UNSEEN: Final = 1.0
"""Cost of each millimetre of a card that no face explains, beyond WIDEST_MM."""
EDGE_MM: Final = 4.0
"""Width along a compartment's edges in which changes do not matter: neighbours' cards lie there."""
FIRST_MM: Final = 3.5
"""A row's first card lies no farther from its compartment's upper left corner."""
COMPARTMENT_LEFT_MM: Final = 0.75
"""… and about here."""
COVERED_MM: Final = (1.6, 3.2)
"""Widths of a strip's left end, beside the RIM, that are left out if a neighbour's card may lie over it."""
HALF: Final = (0.75, 5.0)
"""``Likeness.apart`` and ``Likeness.sure`` from which such a card is named."""
UNTOUCHED_MM: Final = 4.0
"""Width of a call's strip that must look as before for the call to stay known."""
PAPER_MM: Final = 5.0
"""Distance of a card to the left of where its compartment was seen to change: white paper on white paper."""
WHOLE: Final = (0.42, 0.06)
"""Least correlation of the uppermost card, from edge to edge, with its face, and the most of its cells that differ."""
ALONE_APART: Final = 0.85
"""Least ``Likeness.apart`` from every other face that a call of a single picture needs. If both black bids of a level
differ in a small sign alone, that has decided before (``suit_signs``): of 900 names read in drawn boxes without it 9
were wrong, each a club for a spade of its level or a spade for a club, at .77 to .91; nothing else was."""
TRIES: Final = 8
"""Number of rows tried to find one whose uppermost card shows whole."""
_ALL: Final = (BIDDING_FACE[0] - 2 * RIM, UPPER)
_SPARSE: Final = np.zeros((BIDDING_FACE[1] - 2 * RIM, _ALL[0]), np.bool_)
"""A whole card, every fourth cell of every second row."""
_SPARSE[1::2, 1::4] = True
_LIGHTS: Final = np.array([(1.0, y, x, x * y) for y, x in np.argwhere(_SPARSE) / 100.0 - 1.0])
_LIGHT: Final = np.asarray(np.linalg.qr(_LIGHTS)[0], np.float32)
"""Light that changes evenly over those cells, as columns of length 1 at right angles."""


@dataclass(frozen=True, slots=True)
class LyingCall(PlaceInRow):
    """A bidding card in a compartment, and its face. ``either``: of one that is not known, of which two it is."""

    name: str
    score: float
    apart: float
    either: tuple[str, ...] = ()

    @property
    def level(self) -> str:
        """Its name, one for both black bids of a level: which it is may be in doubt at the next look."""
        name = self.either[0] if self.either else self.name
        return min(name, twin_of(name) or name)

    @property
    def may_be(self) -> tuple[str, ...]:
        """Possible names of a call read in a single picture, where no later look corrects the first.

        >>> [LyingCall(0.0, 0.0, 0.0, "3C", 0.9, apart).may_be for apart in (0.9, 0.8)]
        [('3C',), ('3C', '3S')]
        >>> LyingCall(0.0, 0.0, 0.0, "3H", 0.9, 0.7).may_be
        ()
        """
        if self.name == UNKNOWN:
            return self.either
        return (self.name,) if self.apart >= ALONE_APART else black_pair(self.name)


@dataclass(frozen=True, slots=True)
class ReadRow:
    """The calls of a compartment from left to right, and the picture (BGR, MARGIN_MM around it) they were read in."""

    calls: list[LyingCall]
    picture: Image


def read_row(picture: Image, faces: BiddingFaces, before: ReadRow | None = None, *, begins: bool = True) -> ReadRow:
    """Read the calls in a compartment's ``picture`` (BGR, MARGIN_MM around it).

    A card that fits no face with certainty is a call ``??``; so is each card beneath one that is not of this box, since
    strips of playing cards look like calls. Calls read ``before`` whose strips look as they did stay known, whatever
    covers the rest of them now. ``begins``: the first card is at the compartment's left end.
    """
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)
    kept, beyond = ([], None) if before is None else _as_before(picture, before)
    if before is not None and beyond is None:
        return ReadRow(before.calls, picture)
    offered = [fitted(lab, one, strip_of(one.strip_mm), faces, 2) for one in proposed(picture, faces, beyond)]
    row = _row_of_the_box(lab, sorted(offered, key=lambda one: one.index_u), faces)
    if row is None or (kept and not row.is_whole and _is_uppermost(lab, kept[-1], faces)):
        return ReadRow(kept, picture)
    return ReadRow(_with_gaps(kept + _named(lab, row, faces, is_first=begins and not kept)), picture)


def shows_whole(row: ReadRow, faces: BiddingFaces) -> bool:
    """Return True if a row's last call shows whole in its picture."""
    return _is_uppermost(np.asarray(cv2.cvtColor(row.picture, cv2.COLOR_BGR2LAB), np.uint8), row.calls[-1], faces)


def _is_uppermost(lab: Image, call: LyingCall, faces: BiddingFaces) -> bool:
    """Return True if a known call shows whole."""
    looks = (face for face, name in enumerate(faces.names) if name == call.name)
    return any(_is_whole(lab, CardPose(call.u, call.v, call.tilt, call.score, face), faces) for face in looks)


def _as_before(picture: Image, before: ReadRow) -> tuple[list[LyingCall], float | None]:
    """Return the calls ``before`` that are unchanged, from the left, and the place (mm) from which new ones may lie.

    The place is None if nothing has changed.
    """
    changed = _changed_from(picture, before.picture)
    if changed is None:
        return before.calls, None
    kept: list[LyingCall] = []
    if changed < EDGE_MM + UNTOUCHED_MM:
        return kept, -MARGIN_MM
    for one in before.calls:
        if one.name == UNKNOWN:
            return kept, one.u - NEAREST_MM
        if one.u + UNTOUCHED_MM > changed:
            break
        kept.append(one)
    return kept, max(kept[-1].u + NEAREST_MM, changed - PAPER_MM) if kept else -MARGIN_MM


def _changed_from(picture: Image, before: Image) -> float | None:
    """Distance (mm) from a compartment's left end to the first change since ``before``; None without a change."""
    size = (picture.shape[1] // 4, picture.shape[0] // 4)
    now, then = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (picture, before))
    far = changed_cells(np.asarray(now, np.uint8), np.asarray(then, np.uint8))
    left, top, bottom = (
        round((MARGIN_MM + at) * cells / 4)
        for at, cells in ((EDGE_MM, CELLS[0]), (EDGE_MM, CELLS[1]), (CARD_HEIGHT - EDGE_MM, CELLS[1]))
    )
    columns = np.flatnonzero(far[top:bottom, left:].any(axis=0))
    return float((columns[0] + left) * 4 / CELLS[0] - MARGIN_MM) if len(columns) else None


def _named(lab: Image, row: _Row, faces: BiddingFaces, *, is_first: bool) -> list[LyingCall]:
    """Name the cards of a row, ``??`` for a card that no face fits with certainty."""
    found: list[LyingCall] = []
    above: list[CardPose] = []
    for one in reversed(row.lying):
        at, like = (row.top, row.like) if not above else _compared(lab, one, above, faces)
        above.insert(0, at)
        if like is None or like.score < LIKELY:
            continue
        if _overlaid(lab, at, above[1:], faces.lab[like.face]):
            continue
        known = row.is_whole and faces.are_all and _is_known(like)
        if not known and at.u < BESIDE_MM:
            continue
        found.insert(0, _called(at, like, known=known))
    return _from_the_first(lab, found, above, faces) if is_first and row.is_whole else found


def _from_the_first(lab: Image, found: list[LyingCall], above: list[CardPose], faces: BiddingFaces) -> list[LyingCall]:
    """Return the calls of an auction's first row, its first card read though a neighbour's may lie over it."""
    if found and found[0].name != UNKNOWN and found[0].u < FIRST_MM:
        return found
    rest = [one for one in found if one.u >= FIRST_MM]
    if not rest:
        return found
    first = _half_covered(lab, [one for one in above if one.u > rest[0].u - NEAREST_MM], faces)
    return found if first is None else [first, *rest]


def _called(at: CardPose, like: Likeness, *, known: bool) -> LyingCall:
    name, either = (UNKNOWN, like.either) if known and like.either else (like.name if known else UNKNOWN, ())
    return LyingCall(at.u, at.v, at.tilt, name, like.score, like.apart, either)


def _half_covered(lab: Image, above: list[CardPose], faces: BiddingFaces) -> LyingCall | None:
    """Return the first card of a row, its left end left out: the corner of a neighbour's card may lie over it."""
    best: tuple[CardPose, Likeness] | None = None
    for v, covered in product((-1.0, 1.0), COVERED_MM):
        first = CardPose(COMPARTMENT_LEFT_MM, v, 0.0, 0.0, 0)
        one, like = _compared(lab, first, above, faces, covered)
        if like is None or abs(one.u) > FIRST_MM or abs(one.v) > FIRST_MM:
            continue
        if like.score >= LIKELY and (best is None or like.sure > best[1].sure):
            best = one, like
    if best is None:
        return None
    like = best[1]
    known = faces.are_all and like.score >= STRIP and like.apart >= HALF[0] and like.sure >= HALF[1]
    return _called(best[0], like, known=known)


@dataclass(frozen=True, slots=True)
class _Row:
    """Cards on each other from left to right, and what is likest to the uppermost (``top``: its place corrected)."""

    lying: list[CardPose]
    top: CardPose
    like: Likeness | None
    is_whole: bool
    """True if the uppermost card shows whole, as its face is."""


def _row_of_the_box(lab: Image, offered: list[CardPose], faces: BiddingFaces) -> _Row | None:
    """Return the cards of the places ``offered`` that explain most, the uppermost showing whole, if there are any."""
    places = [(one, _worth(cut_at(lab, one, _ALL), faces)) for one in offered]
    likeliest: _Row | None = None
    for _ in range(TRIES):
        lying = _best_row(places)
        if not lying:
            break
        top, like = _compared(lab, lying[-1], [], faces)
        if like is not None and _is_whole(lab, replace(top, face=like.face), faces):
            return _Row(lying, top, like, is_whole=True)
        likeliest = likeliest or _Row(lying, top, like, is_whole=False)
        places = [(one, worth) for one, worth in places if one is not lying[-1]]
    return likeliest


def _is_whole(lab: Image, one: CardPose, faces: BiddingFaces) -> bool:
    """Return True if the face at ``one`` shows from edge to edge, in whatever light."""
    one = fitted(lab, one, _SPARSE, faces, 1)
    seen = weighted(cut_at(lab, one, (_SPARSE.shape[1], _SPARSE.shape[0])))[_SPARSE]
    face = faces.lab[one.face, RIM : RIM + _SPARSE.shape[0], RIM : RIM + _SPARSE.shape[1]][_SPARSE]
    seen, face = (np.asarray(cells - _LIGHT @ (_LIGHT.T @ cells), np.float32) for cells in (seen, face))
    score, inner, squares = (float(value[0]) for value in scores(seen.ravel(), face.reshape(1, -1)))
    gain = float(np.clip(inner / max(1e-6, squares), *GAINS))
    unlike = (np.abs(seen - gain * face).sum(axis=1) > UNLIKE).mean()
    return score >= WHOLE[0] and float(unlike) <= WHOLE[1]


def _is_known(like: Likeness) -> bool:
    """Return True if a look is certainly of the face it is likest to."""
    if like.score >= STRIP:
        return like.apart >= APART and like.sure >= SURE
    return like.score >= LIKELY and like.apart >= PLAIN[0] and like.sure >= PLAIN[1]


def _with_gaps(found: list[LyingCall]) -> list[LyingCall]:
    """``found`` with a call ``??`` where so much room is between two that one must lie there that was not seen."""
    out: list[LyingCall] = []
    for one in found:
        if out and one.u - out[-1].u > WIDEST_MM:
            between = replace(one, name=UNKNOWN, score=0.0, apart=0.0, u=(one.u + out[-1].u) / 2)
            out.append(between)
        out.append(one)
    return out


def _compared(
    lab: Image, one: CardPose, above: list[CardPose], faces: BiddingFaces, covered: float = 0.0
) -> tuple[CardPose, Likeness | None]:
    """Return the place of ``one`` corrected and what is likest by what shows of it beside the cards ``above`` it.

    ``covered``: width (mm) of its left end that is left out; its face was then not proposed.
    """
    for step in range(3 if covered else 2):
        shows = shows_of(one, above)
        shows[:, : round(covered * CELLS[0])] = False
        if too_little(shows):
            return one, None
        if covered or step:
            one = replace(one, face=faces.likest(cut_at(lab, one, (shows.shape[1], shows.shape[0])), shows))
        one = fitted(lab, one, every_second_row(shows), faces, 1)
    return one, _likeness(lab, one, shows, faces)


def _likeness(lab: Image, one: CardPose, shows: Mask, faces: BiddingFaces) -> Likeness:
    """Compare the visible part of the card at ``one`` with all faces; of two black bids their sign decides."""
    like = faces.likeness(cut_at(lab, one, (shows.shape[1], shows.shape[0])), shows)
    return faces.by_sign(partial(cut_at, lab, one), shows, like)


def _overlaid(lab: Image, one: CardPose, above: list[CardPose], face: Array) -> bool:
    """Return True if something other than the cards ``above`` lies over ``one``: much differs from its ``face``."""
    rows, columns = BIDDING_FACE[1] - 2 * RIM, _ALL[0]
    if above:
        columns = round(min(LONGEST_MM, max(NEAREST_MM, above[0].index_u - one.index_u)) * CELLS[0])
    shows = shows_of(one, above, rows, columns)[::2, ::2]
    look = weighted(cut_at(lab, one, (columns, rows))[::2, ::2])[shows]
    apart = look - face[RIM : RIM + rows : 2, RIM : RIM + columns : 2][shows]
    if not len(apart):
        return False
    apart -= np.median(apart, axis=0)
    return float((np.abs(apart).sum(axis=1) > UNLIKE).mean()) > OVERLAID


def _best_row(places: list[tuple[CardPose, Array]]) -> list[CardPose]:
    """Select of ``places`` with their worth, from left to right, the row that explains most of the picture."""
    offered, worths = [one for one, _ in places], [worth for _, worth in places]
    total = [0.0] * len(offered)
    after: list[int | None] = [None] * len(offered)
    for n in range(len(offered) - 1, -1, -1):
        one, worth = offered[n], worths[n]
        total[n] = float(worth[-1])
        for m in range(n + 1, len(offered)):
            shown = offered[m].index_u - one.index_u - RIM_MM
            if shown < NEAREST_MM:
                continue
            column = round(min(shown, LONGEST_MM) * CELLS[0] / 2) - 1 - RIM // 2
            value = float(worth[column]) - UNSEEN * max(0.0, shown - WIDEST_MM) + total[m]
            if value > total[n]:
                total[n], after[n] = value, m
        total[n] -= A_CARD
    if not total or max(total) <= 0.0:
        return []
    at: int | None = int(np.argmax(total))
    row = []
    while at is not None:
        row.append(offered[at])
        at = after[at]
    return row


def _worth(look: Image, faces: BiddingFaces) -> Array:
    """Evidence (log odds) of the face that fits a ``look`` best, by the number of its coarse columns that show."""
    score, cells = faces.coarse.likeness(Coarse.of(weighted(look)[None]))
    best = np.clip(score.max(axis=1), 0.0, 0.995)
    worth = -0.5 * cells / BLOB * np.log1p(-(best**2))
    # a shadow or edge of the next card, beside the signs, takes from what they explain no more than its own columns
    cost = BESIDE * np.arange(len(cells), dtype=np.float32)
    return np.asarray(np.maximum.accumulate(worth + cost) - cost, np.float32)
