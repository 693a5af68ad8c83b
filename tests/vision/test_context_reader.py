"""The context reader: it sees the card beside an index, makes more of what is doubted right, and divides only that."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from hw.cards import RANKS, SUITS
from tests.vision.pressed_frames import Drawn, pressed_frames
from vision.context_reader import MARGIN, PER_INDEX, SIDE, ContextReader, cut_view
from vision.errors import ModelError
from vision.finder import WEIGHTS, Spot
from vision.index_reader import NOTHING, IndexReader
from vision.look import DOUBTED

TALL = 30.0


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return pressed_frames(733, 20, per_mm=1.1, quality=50)


@pytest.mark.parametrize("degrees", [0, 37, 90, 200])
def test_a_view_shows_the_index_at_its_place_and_the_card_to_its_right_and_below(degrees: int) -> None:
    a = math.radians(degrees)
    spot = Spot(200.0, 200.0, (math.sin(a), -math.cos(a)), TALL, 1.0)
    picture = np.zeros((400, 400, 3), np.uint8)
    for channel, (right, down) in enumerate(((0.0, 0.0), (1.5, 0.5), (0.5, 2.0))):
        x = spot.x + (-spot.up[1] * right - spot.up[0] * down) * TALL
        y = spot.y + (spot.up[0] * right - spot.up[1] * down) * TALL
        mark = np.zeros((400, 400), np.uint8)
        cv2.circle(mark, (round(x), round(y)), 4, 255, -1)
        picture[..., channel] = mark
    view = cut_view(picture, spot)
    assert view.shape == (SIDE, SIDE, 3)
    for channel, (right, down) in enumerate(((0.0, 0.0), (1.5, 0.5), (0.5, 2.0))):
        y, x = np.argwhere(view[..., channel] > 100).mean(axis=0)
        assert (x, y) == pytest.approx(((MARGIN + right) * PER_INDEX, (MARGIN + down) * PER_INDEX), abs=1.2)
    wider = cut_view(picture, spot, 6)
    assert np.abs(wider[6:-6, 6:-6].astype(int) - view).mean() < 1.0


@pytest.mark.slow(seconds=6)
def test_of_what_two_readers_doubt_the_context_makes_more_right_and_surer(drawn: Drawn) -> None:
    reader = IndexReader()
    doubted = before = after = sure_before = sure_after = wrong_after = 0
    for picture, spots, faces in drawn:
        unsure = [
            (r, face) for r, face in zip(reader.read(picture, spots), faces, strict=True) if r.confidence < DOUBTED
        ]
        readings = [r for r, _ in unsure]
        without = reader.read_again(picture, readings)
        within = reader.read_again(picture, readings, [0.7] * len(readings))
        doubted += len(unsure)
        for one, other, (_, face) in zip(without, within, unsure, strict=True):
            before, after = before + (one.face == face), after + (other.face == face)
            sure_before += one.face == face and one.confidence >= 0.85
            sure_after += other.face == face and other.confidence >= 0.85
            wrong_after += other.face not in (face, None) and other.confidence >= 0.85
    assert doubted > 80
    assert after >= before + 0.03 * doubted
    assert sure_after >= sure_before + 0.1 * doubted
    assert wrong_after <= 0.05 * doubted


def test_context_divides_what_is_suited_and_says_nothing_of_the_rest(drawn: Drawn) -> None:
    reader = IndexReader()
    picture, spots, _ = drawn[0]
    readings = reader.read(picture, spots)
    without, within = (reader.read_again(picture, readings, w) for w in (None, [1.0] * len(readings)))
    for one, other in zip(without, within, strict=True):
        assert other.scores[NOTHING - 1 :] == pytest.approx(one.scores[NOTHING - 1 :])
        assert float(other.scores.sum()) == pytest.approx(1.0)
    nothing = reader.read_again(picture, readings, [0.0] * len(readings))
    assert all(a.scores == pytest.approx(b.scores) for a, b in zip(nothing, without, strict=True))


@pytest.mark.slow(seconds=3)
def test_eight_bits_say_what_thirty_two_do(drawn: Drawn) -> None:
    whole, small = ContextReader(WEIGHTS / "float" / "context.onnx"), ContextReader(WEIGHTS / "context.onnx")
    places = same = right = 0
    for picture, spots, faces in drawn:
        one, other = whole.answers(picture, spots), small.answers(picture, spots)
        places += len(spots)
        for heads in (slice(0, 13), slice(13, 17)):
            same += int((one[:, heads].argmax(1) == other[:, heads].argmax(1)).sum())
        ranks, suits = other[:, :13].argmax(1), other[:, 13:].argmax(1)
        right += sum(RANKS[r] + SUITS[s] == f for r, s, f in zip(ranks, suits, faces, strict=True))
    assert places > 150
    assert same >= 0.96 * 2 * places
    assert right >= 0.8 * places


def test_nothing_asked_is_nothing_said() -> None:
    assert ContextReader(WEIGHTS / "context.onnx").answers(np.zeros((90, 90, 3), np.uint8), []).shape == (0, 17)
    assert IndexReader().read_again(np.zeros((90, 90, 3), np.uint8), [], []) == []


def test_a_place_at_the_picture_s_edge_has_a_view_too() -> None:
    corner = Spot(2.0, 2.0, (0.0, -1.0), TALL, 1.0)
    assert ContextReader(WEIGHTS / "context.onnx").answers(np.zeros((20, 20, 3), np.uint8), [corner]).shape == (1, 17)


def test_weights_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"context\.onnx are missing"):
        ContextReader(tmp_path / "context.onnx")
