"""Peaks of the finder's heat: of one index one stays, and cards of a fan stand closely beside each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.finder import Spot, thin_out

TALL = 30.0


def _spot(across: float, along: float, turn: float, heat: float) -> Spot:
    """A spot so many index heights beside and above the middle of an index that is turned so far (degrees)."""
    a = math.radians(turn)
    right, up = np.array([math.cos(a), math.sin(a)]), np.array([math.sin(a), -math.cos(a)])
    x, y = 200 + TALL * (across * right + along * up)
    return Spot(float(x), float(y), (float(up[0]), float(up[1])), TALL, heat)


@pytest.mark.parametrize("turn", [0.0, 35.0, 130.0, 270.0])
@pytest.mark.parametrize(
    ("across", "along", "left", "left_of_fans"),
    [
        (0.38, 0.0, 1, 2),  # two cards of a fan
        (0.38, 0.2, 1, 2),
        (0.25, 0.0, 1, 1),  # no two indices lie so close
        (0.0, 0.38, 1, 1),  # rank and suit of one index
        (0.15, 0.4, 1, 1),
        (0.55, 0.0, 2, 2),
        (0.0, 0.55, 2, 2),
    ],
)
def test_of_one_index_the_hotter_peak_stays(
    turn: float, across: float, along: float, left: int, left_of_fans: int
) -> None:
    spots = [_spot(across, along, turn, 0.6), _spot(0, 0, turn, 0.8)]
    for told, count in ((thin_out(spots), left), (thin_out(spots, 0.3), left_of_fans)):
        assert [s.heat for s in told] == [0.8, 0.6][:count]


def test_peaks_of_indices_that_stand_on_their_heads_to_each_other_are_measured_too() -> None:
    assert len(thin_out([_spot(0, 0, 0, 0.8), _spot(0.0, 0.4, 180, 0.7)], 0.3)) == 1
    assert len(thin_out([_spot(0, 0, 0, 0.8), _spot(0.4, 0.0, 180, 0.7)], 0.3)) == 2


def test_no_peak_is_none() -> None:
    assert thin_out([]) == thin_out([], 0.3) == []
