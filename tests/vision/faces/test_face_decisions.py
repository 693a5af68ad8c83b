"""When a face is beyond doubt although strips contradict it: every other by far more, and nothing away from them."""

from __future__ import annotations

import numpy as np
import pytest

from hw.cards import UNKNOWN
from vision.faces.decisions import BEYOND_DOUBT, MAX_OWN, FaceDecision, FaceFound
from vision.faces.face_differences import CardLook, SoftFace, difference_of
from vision.faces.prints import SIZE


def _decision(own: float, lead: float, inside: float) -> FaceDecision:
    found = FaceFound(UNKNOWN, 0.0, np.zeros((4, 2)), "m3", own, lead)
    return FaceDecision(found, np.zeros((SIZE[1], SIZE[0]), np.bool_), 0, ("m4",), inside)


def test_strips_are_left_out_where_every_other_face_is_contradicted_by_far_more() -> None:
    named = _decision(20.0, 160.0, 0.5).strips_left_out()
    assert named is not None
    assert (named.name, named.likest) == ("m3", "m3")
    assert named.alike == ("m4",)  # that it may be the face that looks the same is said too
    assert named.confidence > 0.9


@pytest.mark.parametrize(
    ("lead", "inside"), [(BEYOND_DOUBT - 0.1, 0.0), (500.0, MAX_OWN + 0.1)], ids=["another face fits", "a pip too many"]
)
def test_they_are_not_where_another_face_fits_nearly_as_well_or_more_than_strips_contradicts(
    lead: float, inside: float
) -> None:
    assert _decision(20.0, lead, inside).strips_left_out() is None


def test_what_touches_the_card_beside_what_is_not_compared_is_told_from_what_lies_within() -> None:
    face = np.full((SIZE[1], SIZE[0], 3), 128.0, np.float32)
    face[40:150:8] = 90.0
    seen, valid = face.copy(), np.ones(face.shape[:2], np.bool_)
    valid[100:] = False
    seen[88:98, 30:60, 0] = 250.0  # beside what is not compared
    seen[50:62, 40:52, 0] = 250.0  # within
    unlike = difference_of(CardLook.of(seen, valid), SoftFace.of(face), may_be_hidden=False)
    assert 0 < unlike.inside < unlike.area
    assert unlike.inside == pytest.approx(1000 * 12 * 12 / (SIZE[0] * SIZE[1]), rel=0.3)
