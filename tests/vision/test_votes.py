"""Votes of several frames strengthen what single ones say; they make no card and no face that none of them says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hw.cards import JOKER
from hw.layout import CARD_HEIGHT
from hw.twin.scene import PlacedCard, Scene
from tests.vision.conftest import RenderedTable
from vision.card_geometry import doubtful
from vision.finder import Spot
from vision.grouping import Corner, IndexReach, to_cards
from vision.index_reader import FACES, NOTHING, IndexReader, IndexReading, Scores
from vision.votes import MIN_CONFIDENCE, VOTES, Seen, is_there, voted, without_guesses

REACH = IndexReach.of_card(CARD_HEIGHT)


def _scores(nothing: float = 0.0, **sure: float) -> Scores:
    """Probabilities of the faces named (the ten as T) and of there being none; the rest of them share what is left."""
    out = np.full(NOTHING + 1, (1.0 - nothing - sum(sure.values())) / NOTHING)
    for face, share in sure.items():
        out[FACES.index(face.strip("_"))] = share
    out[NOTHING] = max(nothing, 1e-5)
    return np.asarray(out / out.sum(), np.float64)


class _Says:
    """A reader to which the index at one place of the picture (px) always looks the same, marked with ``heat``."""

    def __init__(self, reader: IndexReader, x: float, y: float, scores: Scores, heat: float) -> None:
        self._reader, self._at, self._scores, self._heat = reader, (x, y), scores, heat
        self.finder, self.pack = reader.finder, None

    def read(self, picture: Any, spots: list[Spot]) -> list[IndexReading]:
        return [self._said(r) for r in self._reader.read(picture, spots)]

    def read_again(self, picture: Any, readings: list[IndexReading], context: list[float]) -> list[IndexReading]:
        return [self._said(r) for r in self._reader.read_again(picture, readings, context)]

    def _said(self, reading: IndexReading) -> IndexReading:
        spot = reading.spot
        if np.hypot(spot.x - self._at[0], spot.y - self._at[1]) > spot.height / 2:
            return reading
        return IndexReading(replace(spot, heat=self._heat), self._scores)


@pytest.mark.parametrize(
    ("scores", "heat"),
    [
        (_scores(JK=0.70, nothing=0.29), 0.37),  # the edges of two figures' frames, faintly marked
        (_scores(_3S=0.50, _7S=0.25, _2S=0.20), 0.73),  # half a rank
    ],
    ids=["a strip of a pile", "half a rank"],
)
def test_votes_make_no_face_that_no_single_frame_says(
    rendered: RenderedTable, reader: IndexReader, scores: Scores, heat: float
) -> None:
    pile = tuple(
        PlacedCard(f"{c}#1", -250.0 + 16 * n, -60.0, 0.0, face_up=True) for n, c in enumerate(("KC", "JC", "4H"))
    )
    x, y = -250.0 + 16 - REACH.across / 2, -60.0 + REACH.down / 2
    (px, py), *_ = rendered.calibration.to_pixel([(x, y)]).tolist()
    watcher = rendered.watcher(_Says(reader, px, py, scores, heat))
    frame = rendered.camera.render(Scene(1.0, pile))
    for n in range(VOTES + 2):
        sight = watcher.look(frame, 1.0 + 5.0 * n)
        assert sight is not None
        told = [c.card for c in sight.cards if c.face == "up"]
        assert {"KC", "4H"} <= set(told) <= {"KC", "4H", "??"}


def _after(
    looks: int, scores: Scores, heat: float, alike: float = 0.0, alone: Scores | None = None
) -> tuple[Seen, Corner]:
    """An index that looked the same so often, and as a corner at the table's middle."""
    spot = Spot(0.0, 0.0, (0.0, -1.0), 50.0, heat)
    look = IndexReading(spot, scores, alone=alone, alike=alike)
    seen = Seen(spot, look.scores, alone=look.unaided, alike=alike)
    for _ in range(looks - 1):
        seen = voted(seen, look)
    return seen, Corner(0.0, 0.0, (1.0, 0.0), (0.0, -1.0), 14.0, seen.scores, heat, there=is_there(seen))


@pytest.mark.parametrize("looks", [1, 2, 5])
def test_what_is_no_card_in_one_look_is_none_in_many(looks: int) -> None:
    _, corner = _after(looks, _scores(JK=0.70, nothing=0.29), 0.37)
    assert doubtful(to_cards([corner], [], REACH)[0], [corner])
    _, corner = _after(looks, _scores(JK=0.90, nothing=0.09), 0.37)
    assert not doubtful(to_cards([corner], [], REACH)[0], [corner])


@pytest.mark.parametrize(
    ("alike", "told"),
    [
        (0.71, False),  # like no whole index of the pack: it says which is likest, that is no evidence
        (0.95, True),  # as whole indices of the pack look
    ],
)
def test_a_pack_makes_a_guess_a_fact_only_of_an_index_that_looks_like_its_own(alike: float, told: bool) -> None:
    guess = _scores(_3S=0.24, _7S=0.18, _2S=0.12, nothing=0.3)
    seen, corner = _after(5, _scores(_7S=0.8, _3S=0.1), 0.73, alike, guess)
    card = to_cards([corner], [], REACH)[0]
    assert (card.face, card.confidence > 0.9) == ("7S", True)
    (kept,) = without_guesses([card], [corner], np.zeros(1), {id(corner): seen})
    assert (kept.confidence >= MIN_CONFIDENCE) is told
    assert seen.clear is told


def test_a_face_that_every_look_says_is_told_the_surer_the_more_there_are() -> None:
    told = []
    for looks in (1, 5):
        seen, corner = _after(looks, _scores(_5C=0.70, _3C=0.2), 0.9)
        (kept,) = without_guesses(to_cards([corner], [], REACH), [corner], np.zeros(1), {id(corner): seen})
        told.append(kept.confidence)
    assert MIN_CONFIDENCE <= told[0] < told[1]


def test_a_joker_is_told_by_single_looks_as_other_faces_are() -> None:
    seen, corner = _after(5, _scores(JK=0.55, nothing=0.1), 0.9)
    card = to_cards([corner], [], REACH)[0]
    assert card.face == JOKER
    assert card.confidence >= MIN_CONFIDENCE
    (kept,) = without_guesses([card], [corner], np.zeros(1), {id(corner): seen})
    assert kept.confidence < MIN_CONFIDENCE
