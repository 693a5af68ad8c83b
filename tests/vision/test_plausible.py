"""Readings that flat, opaque cards could not give are left out; true ones stay, overlapping or not."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hw.layout import DEFAULT_LAYOUT
from hw.seats import Seat
from hw.twin.scene import Arm, PlacedCard, Scene
from vision.finder import Spot
from vision.grouping import Corner, Found, IndexReach, pair_up, to_cards
from vision.index_reader import FACES, IndexReader, IndexReading, Scores
from vision.plausible import cloth_share, one_index_each, without_contradictions
from vision.sightings import VOTES, Watcher
from vision.surface import Surface

INDEX = IndexReach(51.7, 71.6)


def _scores_of(face: str, sure: float) -> Scores:
    scores = np.full(len(FACES) + 1, (1 - sure) / len(FACES))
    scores[FACES.index(face)] = sure
    return scores


def _index(face: str, x: float, y: float, turn: float = 0.0, far: bool = False, sure: float = 0.97) -> Corner:
    """One index of a card lying at (x, y) mm, turned anticlockwise by ``turn`` degrees; ``far`` the lower one."""
    a = math.radians(turn + (180 if far else 0))
    right, down = (math.cos(a), math.sin(a)), (math.sin(a), -math.cos(a))
    px = x - (right[0] * INDEX.across + down[0] * INDEX.down) / 2
    py = y - (right[1] * INDEX.across + down[1] * INDEX.down) / 2
    return Corner(px, py, right, down, 14.0, _scores_of(face, sure))


def _left_of(corners: list[Corner]) -> list[str]:
    cards: list[Found] = to_cards(corners, pair_up(corners, INDEX, 5.0), INDEX)
    return sorted(c.face for c in without_contradictions(cards, corners))


@pytest.mark.parametrize("pitch", [14.0, 16.0, 20.0])
def test_a_row_in_which_each_card_covers_the_one_before_stays_whole(pitch: float) -> None:
    row = [_index(face, 0.0, -n * pitch) for n, face in enumerate(("5H", "6H", "7H", "8H"))]
    assert _left_of([*row, _index("8H", 0.0, -3 * pitch, far=True)]) == ["5H", "6H", "7H", "8H"]


def test_a_pile_spread_to_the_right_stays_whole() -> None:
    pile = [_index(face, n * 14.0, 0.0) for n, face in enumerate(("KD", "2C", "JK"))]
    assert _left_of([*pile, _index("JK", 28.0, 0.0, far=True)]) == ["2C", "JK", "KD"]


def test_a_pip_read_as_an_index_on_a_card_that_shows_whole_is_no_card() -> None:
    whole = [_index("9S", 0.0, 0.0), _index("9S", 0.0, 0.0, far=True)]
    pip = _index("4S", 24.0, -22.0, sure=0.999)
    assert _left_of([*whole, pip]) == ["9S"]


def test_of_two_cards_that_would_each_lie_on_the_other_the_less_sure_goes() -> None:
    assert _left_of([_index("QS", 0.0, 0.0, sure=0.98), _index("JD", -6.0, 8.0, turn=170, sure=0.7)]) == ["QS"]


def test_an_index_half_under_the_card_above_it_was_not_read() -> None:
    assert _left_of([_index("5H", 0.0, 0.0), _index("6H", 0.0, -9.0)]) == ["6H"]


def test_a_joker_s_star_and_letters_are_one_index_and_two_jokers_are_two() -> None:
    upper = _index("JK", 0.0, 0.0)
    upper = replace(upper, heat=0.5)
    letters = Corner(upper.x + 0.5, upper.y - 12.0, upper.right, upper.down, 13.0, _scores_of("JK", 0.98))
    beside = _index("JK", 18.0, 0.0)
    assert one_index_each([letters, upper, beside]) == [upper, beside]
    faint = replace(upper, heat=0.1)
    assert one_index_each([letters, faint]) == [letters]
    below = _index("JK", 0.0, -24.0)
    assert one_index_each([upper, below]) == [upper, below]


def test_cloth_shows_where_no_card_lies(rendered: Any) -> None:
    surface = Surface(DEFAULT_LAYOUT, rendered.calibration)
    bare = np.ones((surface.size, surface.size), np.bool_)
    half, step = DEFAULT_LAYOUT.side / 2, DEFAULT_LAYOUT.side / surface.size
    bare[int((half - 44) / step) : int((half + 44) / step), int((half - 32) / step) : int((half + 32) / step)] = False
    lying = to_cards([_index("9S", 0.0, 0.0)], [], INDEX)[0]
    across = to_cards([_index("9S", 0.0, 0.0, turn=90)], [], INDEX)[0]
    beside = to_cards([_index("9S", 40.0, 0.0)], [], INDEX)[0]
    assert cloth_share(lying, surface, bare) < 0.05
    assert cloth_share(across, surface, bare) > 0.22
    assert cloth_share(beside, surface, bare) > 0.5


class _GoesBlind:
    """A reader that can be made to find and read nothing."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader, self.blind, self.finder, self.pack = reader, False, self, None

    def find(self, picture: Any, shrink: float, sure: float) -> list[Spot]:
        return [] if self.blind else self._reader.finder.find(picture, shrink, sure)

    def read(self, picture: Any, spots: list[Spot]) -> list[IndexReading]:
        readings = self._reader.read(picture, spots)
        nothing = np.full(len(FACES) + 1, 1e-5)
        nothing[-1] = 1.0
        return [IndexReading(r.spot, nothing) for r in readings] if self.blind else readings

    def read_again(self, picture: Any, readings: list[IndexReading], context: list[float]) -> list[IndexReading]:
        return readings if self.blind else self._reader.read_again(picture, readings, context)


def test_a_card_does_not_flicker_while_its_place_looks_the_same(rendered: Any, reader: IndexReader) -> None:
    eyes = _GoesBlind(reader)
    watcher: Watcher = rendered.watcher(eyes)
    cards = (
        PlacedCard("7H#1", -100.0, 250.0, 180.0, face_up=True),
        PlacedCard("KC#1", 40.0, 250.0, 180.0, face_up=True),
    )
    camera = rendered.camera
    lying = camera.render(Scene(1.0, cards))
    first = watcher.look(lying, 1.0)
    for n in range(VOTES):  # until nothing is looked at again
        watcher.look(lying, 1.1 + n / 10)
    assert first is not None
    assert [c.card for c in first.cards] == ["7H", "KC"]
    eyes.blind = True
    watcher.look(camera.render(Scene(2.0, cards, (Arm(Seat.NORTH, -100.0, 250.0),))), 2.0)
    back = watcher.look(camera.render(Scene(3.0, cards)), 3.0)
    assert back is not None
    assert [c.card for c in back.cards] == ["7H", "KC"]
    gone = watcher.look(camera.render(Scene(4.0, cards[1:])), 4.0)
    assert gone is not None
    assert "7H" not in [c.card for c in gone.cards]
