"""What an enrolled pack adds to a reading, and what it must not add."""

from __future__ import annotations

import numpy as np
import pytest

from hw.cards import JOKER, face
from hw.layout import DEFAULT_LAYOUT
from hw.twin.camera import Pixels
from hw.twin.scene import PlacedCard, Scene
from tests.vision.conftest import RenderedTable
from vision.finder import Spot
from vision.index_reader import FACES, FLOOR, NOTHING, IndexReader, IndexReading, Scores, best_face
from vision.joker_place import placed
from vision.packs import OWN, PackFaces
from vision.votes import known_joker

KING, QUEEN = (np.eye(4, dtype=np.float32)[n] for n in range(2))
PACK = PackFaces("burraco", ("KD", "QH"), np.stack([KING, QUEEN]))


def look(like_king: float, like_queen: float = 0.0) -> np.ndarray:
    """A look with these cosines to the pack's two faces."""
    rest = 1.0 - like_king**2 - like_queen**2
    return np.array([like_king, like_queen, np.sqrt(rest), 0.0], np.float32)


def told(**shares: float) -> Scores:
    scores = np.full(NOTHING + 1, FLOOR)
    for name, share in shares.items():
        scores[NOTHING if name == "nothing" else FACES.index(name)] = share
    return np.asarray(scores / scores.sum(), np.float64)


def test_a_pack_says_which_card_it_is() -> None:
    scores = PACK.rescored(told(KD=0.4, QH=0.5, nothing=0.1), look(0.8, 0.5))
    assert best_face(scores) == "KD"
    assert scores[FACES.index("KD")] > 0.85


@pytest.mark.parametrize("alike", [0.6, 0.7, 0.77])
def test_a_pack_makes_no_card_of_a_pip_that_only_resembles_one(alike: float) -> None:
    before = told(KD=0.08, nothing=0.92)
    scores = PACK.rescored(before, look(alike))
    assert best_face(scores) is None
    assert scores[NOTHING] == pytest.approx(before[NOTHING], abs=0.001)


def test_what_looks_just_as_the_pack_does_is_its_card_whatever_the_network_says() -> None:
    assert best_face(PACK.rescored(told(KD=0.08, nothing=0.92), look(OWN + 0.1))) == "KD"


@pytest.fixture
def enrolled(rendered: RenderedTable) -> tuple[IndexReader, Pixels, list[Spot]]:
    """A reader that knows its joker, a frame of two jokers 20 mm apart, and where their indices are."""
    x, y = DEFAULT_LAYOUT.zones["melds-NS"].centre
    cards = (PlacedCard("JK#1", x, y, 0.0, face_up=True), PlacedCard("JK#2", x, y - 20.0, 0.0, face_up=True))
    scene = Scene(1.0, cards)
    frame = rendered.camera.render(scene)
    spots = []
    for card in rendered.camera.camera_truth(scene):
        assert face(card.card.card) == JOKER
        index = card.readable[0].quad
        (px, py), away = index.mean(axis=0).tolist(), index[0] - index[3]
        tall = float(np.hypot(*away))
        spots.append(Spot(px, py, tuple((away / tall).tolist()), tall, 0.6))
    reader = IndexReader()
    looks = [r.feature for r in reader.read(frame, spots) if r.feature is not None]
    reader.pack = PackFaces("burraco", (JOKER,) * len(looks), np.stack(looks))
    return reader, frame, spots


@pytest.mark.parametrize("beside", [-0.45, 0.45])
def test_an_enrolled_joker_found_beside_its_place_is_moved_there(
    enrolled: tuple[IndexReader, Pixels, list[Spot]], beside: float
) -> None:
    reader, frame, spots = enrolled
    one = spots[0]
    move = beside * one.height
    off = Spot(one.x + move * one.up[0], one.y + move * one.up[1], one.up, one.height, one.heat)
    (before,) = reader.read(frame, [off])
    assert not known_joker(before.face, before.alike)
    (after,) = placed([before], frame, reader)
    assert known_joker(after.face, after.alike)
    assert np.hypot(after.spot.x - one.x, after.spot.y - one.y) < 0.13 * one.height


def test_two_findings_of_one_joker_do_not_become_two_jokers_at_one_place(
    enrolled: tuple[IndexReader, Pixels, list[Spot]],
) -> None:
    reader, frame, spots = enrolled
    one = spots[0]
    move = 0.45 * one.height
    off = Spot(one.x + move * one.up[0], one.y + move * one.up[1], one.up, one.height, one.heat)
    readings = reader.read(frame, [*spots, off])
    assert [known_joker(r.face, r.alike) for r in readings] == [True, True, False]
    assert placed(readings, frame, reader) == readings


def test_an_enrolled_joker_found_too_tall_beside_its_place_is_read_as_tall_as_the_others(
    enrolled: tuple[IndexReader, Pixels, list[Spot]],
) -> None:
    reader, frame, (one, other) = enrolled
    move = -0.55 * one.height
    off = Spot(one.x + move * one.up[0], one.y + move * one.up[1], one.up, 1.25 * one.height, one.heat)
    readings = reader.read(frame, [other, off])
    assert [known_joker(r.face, r.alike) for r in readings] == [True, False]
    kept, moved = placed(readings, frame, reader)
    assert kept == readings[0]
    assert known_joker(moved.face, moved.alike)
    assert moved.spot.height == other.height
    assert np.hypot(moved.spot.x - one.x, moved.spot.y - one.y) < 0.13 * one.height


def test_a_card_that_the_network_reads_fairly_surely_is_no_joker_beside_its_place(
    enrolled: tuple[IndexReader, Pixels, list[Spot]],
) -> None:
    reader, frame, spots = enrolled
    one = spots[0]
    off = Spot(one.x + 0.45 * one.height * one.up[0], one.y + 0.45 * one.height * one.up[1], one.up, one.height, 0.6)
    (read,) = reader.read(frame, [off])
    sure = IndexReading(off, told(KD=0.99), read.feature, told(KD=0.99), 0.7)
    assert placed([sure], frame, reader) == [sure]
    unsure = IndexReading(off, told(KD=0.6, nothing=0.4), read.feature, told(KD=0.2, nothing=0.4, QD=0.4), 0.7)
    assert placed([unsure], frame, reader)[0].face == JOKER
