"""A card placed two millimetres off is laid over its face by all that shows of it, and then nothing contradicts it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from lab.vision.measure.faces import Laid, scene
from tests.vision.tarot_art import face
from vision.faces.blocks import look_at
from vision.faces.candidates import Candidate
from vision.faces.decisions import MAX_OWN, SeenPicture, worth_of
from vision.faces.face_differences import MOST, aligned, cut_out
from vision.faces.finding import find_faces
from vision.faces.geometry import Image, Pose, corners_of
from vision.faces.index import FaceIndex
from vision.faces.prints import face_print

NAMES = ("AC", "AS", "AB", "QB", "t5")


@pytest.fixture(scope="module")
def pack() -> FaceIndex:
    """Five faces, enrolled from one straight picture each."""
    return FaceIndex.of({name: (face_print(face(name)),) for name in NAMES})


def _card(name: str) -> Image:
    """A card 275 px high in the middle of cloth."""
    drawn = np.asarray(cv2.resize(face(name), None, fx=5 / 6, fy=5 / 6, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(scene([Laid(name, 300, 350, 0.0)], {name: drawn}, 5, "cloth", (600, 700)).picture)


def _beside(pack: FaceIndex, corners: NDArray[np.float64], x: float, y: float, degrees: float) -> Pose:
    """The pose of the card with these ``corners``, turned about its middle and moved by (x, y) px."""
    turn = np.vstack([cv2.getRotationMatrix2D(corners.mean(axis=0).tolist(), degrees, 1.0), [0.0, 0.0, 1.0]])
    card = np.array([[0.0, 0.0], [pack.aspect, 0.0], [pack.aspect, 1.0], [0.0, 1.0]], np.float32)
    there = cv2.getPerspectiveTransform(card, corners.astype(np.float32))
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]]) @ turn @ there


def test_a_card_placed_beside_its_place_is_named_once_it_is_laid_over_its_face(pack: FaceIndex) -> None:
    picture = _card("AC")
    (there,) = find_faces(picture, pack)
    seen = SeenPicture(picture, pack, 1.0, None)
    pose, bare = _beside(pack, there.corners, 7.0, -6.0, 2.0), np.zeros(picture.shape[:2], np.uint8)
    look = look_at(picture, pose, pack.aspect, pack.blocks, reach=4, step=2)
    one = Candidate(pose, look)
    first = seen.decided(one, worth_of(one, bare, pack), bare)
    assert first is not None
    assert not first.named
    assert first.found.likest == "AC"
    moved = seen.moved(one, first, bare)
    assert moved is not None
    assert np.abs(corners_of(pose, pack.aspect) - there.corners).max() > 10.0
    assert np.abs(corners_of(moved.pose, pack.aspect) - there.corners).max() < 4.0
    then = seen.decided(moved, worth_of(moved, bare, pack), bare)
    assert then is not None
    assert then.named
    assert then.found.own <= MAX_OWN
    assert seen.moved(moved, then, bare) is None  # nothing asks for it any more


def test_a_card_that_resembles_no_face_is_not_laid_over_one_far_away(pack: FaceIndex) -> None:
    picture = _card("AC")
    (there,) = find_faces(picture, pack)
    pose, everywhere = _beside(pack, there.corners, 0.0, 0.0, 0.0), np.ones((192, 96), np.bool_)
    blank = np.full((192, 96, 3), 128.0, np.float32)
    assert aligned(pose, pack.aspect, blank, pack.soft(0).cells, everywhere) is None
    away = _beside(pack, there.corners, 60.0, 80.0, 40.0)
    moved = aligned(away, pack.aspect, cut_out(picture, away, pack.aspect), pack.soft(0).cells, everywhere)
    most = MOST / 192 * 276  # px
    assert moved is None or np.abs(corners_of(moved, pack.aspect) - corners_of(away, pack.aspect)).max() < 1.3 * most
