"""How drawn scenes are counted: cards of one face beside each other, and indices that can hardly be seen."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from lab.vision.measure import scenes
from lab.vision.measure.scenes import measure, stands_out
from lab.vision.measure.tables import Count
from lab.vision.train.scenes import Corner, Picture
from vision.index_reader import IndexReader


def _index(face: str, card: int, x: float, shown: float = 1.0) -> Corner:
    return Corner(face, x, 50.0, (0.0, -1.0), 24.0, shown, card)


def _picture(levels: dict[int, int]) -> np.ndarray:
    """White cards with a block of ink at each x, so many levels darker, for the rank and for the suit."""
    image = np.full((100, 300, 3), 240, np.uint8)
    for x, level in levels.items():
        for y in (44, 56):
            cv2.rectangle(image, (x - 3, y - 3), (x + 3, y + 3), (240 - level,) * 3, -1)
    return image


def _counted(monkeypatch: pytest.MonkeyPatch, picture: Picture, said: list[str]) -> tuple[Count, Counter[str]]:
    monkeypatch.setattr(scenes, "see_picture", lambda *_: [{"card": name} for name in said])
    count, plain = Count(), Counter[str]()
    measure(IndexReader(), picture, count, plain)
    return count, plain


def test_two_cards_of_one_face_beside_each_other_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = (_index("AH", 0, 60), _index("AH", 0, 200), _index("AH", 1, 100), _index("KS", 2, 140))
    picture = Picture(_picture({60: 200, 100: 200, 140: 200, 200: 200}), corners, ())
    count, plain = _counted(monkeypatch, picture, ["AH", "AH", "KS"])
    assert (count.true, count.found, count.false) == (3, 3, 0)
    assert plain == {"cards": 3, "found": 3}
    count, _ = _counted(monkeypatch, picture, ["AH", "AH", "AH", "KS"])
    assert count.false == 1


def test_cards_whose_ink_hardly_stands_out_are_missed_but_not_among_those_seen_plainly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image = _picture({60: 12, 140: 200})
    count, plain = _counted(monkeypatch, Picture(image, (_index("AH", 0, 60), _index("KS", 1, 140)), ()), ["KS"])
    assert (count.true, count.found) == (2, 1)
    assert plain == {"cards": 1, "found": 1}


def test_an_index_stands_out_as_its_fainter_half_does() -> None:
    image = _picture({60: 200})
    cv2.rectangle(image, (57, 53), (63, 59), (230, 230, 230), -1)  # the suit is nearly as light as the card
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), np.uint8)
    assert stands_out(lab, _index("AH", 0, 60)) < 15
    assert stands_out(lab, _index("AH", 0, 5000)) == 0  # beyond the picture
