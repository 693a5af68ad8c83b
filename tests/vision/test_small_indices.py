"""Indices as a webcam in full HD shows them, 18 pixels tall: no club is read as a spade, and none is left unread."""

from __future__ import annotations

from collections import Counter

import pytest

from hw.layout import DEFAULT_LAYOUT
from hw.twin.camera import Camera
from hw.twin.camera_style import STYLES
from hw.twin.scene import PlacedCard, Scene
from vision.calibration import calibrate
from vision.index_reader import IndexReader
from vision.sightings import Watcher


def black_runs() -> tuple[PlacedCard, ...]:
    """Four columns of a line's melds: all clubs and all spades, 18 mm apart."""
    columns = [(-250.0, "C", "A234567"), (-160.0, "C", "789TJQK"), (-70.0, "S", "A234567"), (20.0, "S", "789TJQK")]
    return tuple(
        PlacedCard(f"{rank}{suit}#1", x, 310 - 18.0 * n, 180.0, face_up=True)
        for x, suit, ranks in columns
        for n, rank in reversed(list(enumerate(ranks)))
    )


@pytest.mark.parametrize("look", [0, 1])
def test_a_small_club_is_no_spade_and_none_is_left_unread(look: int, reader: IndexReader) -> None:
    camera = Camera(DEFAULT_LAYOUT, STYLES[look], seed=11 + look, width=1080, height=1080)
    empty = camera.render(Scene(0.0, ()))
    watcher = Watcher(DEFAULT_LAYOUT, calibrate(empty, DEFAULT_LAYOUT), reader, empty=empty)
    cards = black_runs()
    sights = [watcher.look(camera.render(Scene(t, cards)), t) for t in (1.0, 1.4, 1.8, 2.2)]
    last = [sight for sight in sights if sight is not None][-1]
    assert Counter(card.card for card in last.cards) == Counter(card.card[:2] for card in cards)
