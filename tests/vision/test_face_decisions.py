"""When a face is beyond doubt although strips contradict it: every other by far more, and nothing away from them."""

from __future__ import annotations

import numpy as np
import pytest

from hw.cards import UNKNOWN
from vision.face_decisions import BEYOND_DOUBT, MAX_OWN, Decision, FaceFound
from vision.face_differences import difference
from vision.face_print import SIZE


def _decision(own: float, lead: float, inside: float, strips: np.ndarray | None = None) -> Decision:
    found = FaceFound(UNKNOWN, 0.0, np.zeros((4, 2)), "QB", own, lead)
    none = np.zeros((SIZE[1], SIZE[0]), np.bool_)
    return Decision(found, none, none if strips is None else strips, inside)


def test_strips_are_left_out_where_every_other_face_is_contradicted_by_far_more() -> None:
    strips = np.zeros((SIZE[1], SIZE[0]), np.bool_)
    strips[100:110, 40:60] = True
    decided = _decision(20.0, 160.0, 0.5, strips).strips_left_out()
    assert decided is not None
    assert decided.named
    assert (decided.found.name, decided.found.likest) == ("QB", "QB")
    assert decided.found.confidence > 0.9
    assert decided.hidden[strips].all()  # something lies there: it is no part of the card that shows
    assert not decided.hidden[:80].any()


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
    unlike = difference(seen, face, valid, may_be_hidden=False)
    assert unlike.beside[90:96, 35:55].all()
    assert not unlike.beside[:80].any()
    assert 0 < unlike.inside < unlike.area
    assert unlike.inside == pytest.approx(1000 * 12 * 12 / (SIZE[0] * SIZE[1]), rel=0.3)
