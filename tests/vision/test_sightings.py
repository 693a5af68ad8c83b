"""The way from rendered frames to sights: every card once, rows and places, arms, the pile, masks, evidence."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import pytest

from hw.layout import BRIDGE_LAYOUT, DEFAULT_LAYOUT, Layout
from hw.observations import Sight, SightedCard
from hw.seats import Seat
from hw.twin.scene import Arm, PlacedCard, Scene
from lab.vision.measure.tables import measure_tables
from vision.errors import CalibrationError
from vision.index_reader import IndexReader
from vision.kept_pictures import SIDE_PX, TablePictures, evidence_jpeg, reach


def _column(x: float, cards: str, pitch: float = 18.0) -> list[PlacedCard]:
    """A column of the line kept by North, listed from the keeper's edge, as the twin lays it."""
    return [
        PlacedCard(f"{c}#1", x, 310.0 - n * pitch, 180.0, face_up=True)
        for n, c in reversed(list(enumerate(cards.split())))
    ]


def _side_by_side(cards: str, x: float, y: float, pitch: float) -> tuple[PlacedCard, ...]:
    """Cards laid to the right, each upon the one before."""
    return tuple(PlacedCard(f"{c}#1", x + pitch * n, y, 0.0, face_up=True) for n, c in enumerate(cards.split()))


def _in(sight: Sight, zone: str) -> list[SightedCard]:
    return sorted((c for c in sight.cards if c.zone == zone), key=lambda c: (c.row or 0, c.order or 0))


def _rows(sight: Sight, zone: str) -> dict[int, list[str]]:
    rows: dict[int, list[str]] = {}
    for card in _in(sight, zone):
        assert card.row is not None
        rows.setdefault(card.row, []).append(card.card)
    return rows


@pytest.mark.slow(seconds=5)
def test_held_out_tables_are_read(reader: IndexReader) -> None:
    count = measure_tables(reader, seed=77, tables=2, pitch=18.0)
    assert count.true > 100
    assert count.recall >= 0.985, count.lines()
    assert count.precision >= 0.99, count.lines()


def test_rows_keep_number_and_order_while_melds_grow(rendered: Any, reader: IndexReader) -> None:
    watcher = rendered.watcher(reader)
    camera = rendered.camera
    one = watcher.look(camera.render(Scene(1.0, tuple(_column(-100, "4H 5H 6H") + _column(-35, "KS KD KC")))), 1.0)
    assert one is not None
    first = {tuple(v): k for k, v in _rows(one, "melds-NS").items()}
    assert set(first) == {("4H", "5H", "6H"), ("KS", "KD", "KC")}
    grown = tuple(_column(-100, "4H 5H 6H 7H JK") + _column(-35, "KS KD KC") + _column(30, "9C TC JC"))
    two = watcher.look(camera.render(Scene(2.0, grown)), 2.0)
    assert two is not None
    rows = _rows(two, "melds-NS")
    assert rows[first["4H", "5H", "6H"]] == ["4H", "5H", "6H", "7H", "JK"]
    assert rows[first["KS", "KD", "KC"]] == ["KS", "KD", "KC"]
    assert len(rows) == 3


def test_two_equal_cards_are_two_cards_and_positions_are_true(rendered: Any, reader: IndexReader) -> None:
    watcher = rendered.watcher(reader)
    scene = Scene(
        1.0,
        (
            PlacedCard("7H#1", -30.0, -200.0, 12.0, face_up=True),
            PlacedCard("7H#2", -120.0, -210.0, 95.0, face_up=True),
        ),
    )
    sight = watcher.look(rendered.camera.render(scene), 1.0)
    assert sight is not None
    assert [c.card for c in sight.cards] == ["7H", "7H"]
    for card in scene.cards:
        best = min(sight.cards, key=lambda c: math.hypot(c.x - card.x, c.y - card.y))
        assert math.hypot(best.x - card.x, best.y - card.y) < 2.0
        assert abs((best.angle - card.angle + 90) % 180 - 90) < 3.0


def test_the_pile_is_ordered_from_its_bottom(rendered: Any, reader: IndexReader) -> None:
    watcher = rendered.watcher(reader)
    names = ["9C", "AH", "4D", "JK", "QS", "4D", "TH"]
    pile = _side_by_side(" ".join(names), -320.0, -60.0, 16.0)
    sight = watcher.look(rendered.camera.render(Scene(1.0, pile)), 1.0)
    assert sight is not None
    assert [(c.card, c.order) for c in _in(sight, "discard")] == [(c, n) for n, c in enumerate(names)]


def test_an_arm_hides_a_zone_and_what_lay_there_comes_back_unchanged(rendered: Any, reader: IndexReader) -> None:
    watcher = rendered.watcher(reader)
    camera = rendered.camera
    cards = tuple(_column(-100, "4H 5H 6H") + _column(-35, "KS KD KC") + _column(160, "2C 3C 4C"))
    before = watcher.look(camera.render(Scene(1.0, cards)), 1.0)
    assert before is not None
    assert before.hidden == ()
    veiled = watcher.look(camera.render(Scene(2.0, cards, (Arm(Seat.NORTH, -60.0, 200.0),))), 2.0)
    assert veiled is not None
    assert "melds-NS" in veiled.hidden
    assert "melds-EW" not in veiled.hidden
    known = {(c.row, c.order, c.card) for c in _in(before, "melds-NS")}
    assert {(c.row, c.order, c.card) for c in _in(veiled, "melds-NS")} <= known
    after = watcher.look(camera.render(Scene(3.0, cards)), 3.0)
    assert after is not None
    assert after.hidden == ()
    assert _rows(after, "melds-NS") == _rows(before, "melds-NS")


def test_a_card_that_is_taken_away_is_gone(rendered: Any, reader: IndexReader) -> None:
    watcher = rendered.watcher(reader)
    camera = rendered.camera
    pile = _side_by_side("9C AH 4D", -320.0, -60.0, 18.0)
    watcher.look(camera.render(Scene(1.0, pile)), 1.0)
    sight = watcher.look(camera.render(Scene(2.0, pile[:1])), 2.0)
    assert sight is not None
    assert [c.card for c in _in(sight, "discard")] == ["9C"]


def test_nothing_new_is_told_only_as_a_sign_of_life(rendered: Any, reader: IndexReader) -> None:
    watcher = rendered.watcher(reader)
    camera = rendered.camera
    scene = Scene(1.0, tuple(_column(-100, "4H 5H 6H")))
    first = watcher.look(camera.render(scene), 1.0)
    assert first is not None
    assert watcher.look(camera.render(scene), 2.0) is not None  # so soon after a change each frame confirms it
    assert watcher.look(camera.render(scene), 4.5) is None
    again = watcher.look(camera.render(scene), 7.0)
    assert again is not None
    assert min(c.confidence for c in again.cards) >= min(c.confidence for c in first.cards)


def test_hands_are_masked_until_the_deal_is_over(rendered: Any, reader: IndexReader) -> None:
    watcher = rendered.watcher(reader)
    hand = _side_by_side("9C AH 4D", -60.0, -404.0, 40.0)
    frame = rendered.camera.render(Scene(1.0, hand))
    masked = watcher.mask_hands(frame)
    x, y = (round(float(v)) for v in watcher.calibration.to_pixel((-60.0, -404.0)))
    assert np.ptp(masked[y - 40 : y + 40, x - 40 : x + 40]) == 0
    sight = watcher.look(frame, 1.0)
    assert sight is not None
    assert sight.cards == ()
    watcher.deal_over()
    count = watcher.look(frame, 2.0)
    assert count is not None
    assert sorted(c.card for c in count.cards) == ["4D", "9C", "AH"]
    assert {c.zone for c in count.cards} == {"hand-S"}
    watcher.new_deal()
    assert watcher.mask_hands(frame)[y, x].tolist() == masked[y, x].tolist()


def test_a_hand_that_lies_open_for_all_is_read_alone_until_the_next_deal(rendered: Any, reader: IndexReader) -> None:
    watcher = rendered.watcher(reader)
    hands = (*_side_by_side("9C AH 4D", -60.0, -404.0, 40.0), *_side_by_side("2S KC", -60.0, 404.0, 40.0))
    frame = rendered.camera.render(Scene(1.0, hands))
    watcher.open_hands(("hand-S",))
    sight = watcher.look(frame, 1.0)
    assert sight is not None
    assert {(c.card, c.zone) for c in sight.cards} == {(card, "hand-S") for card in ("9C", "AH", "4D")}
    x, y = (round(float(v)) for v in watcher.calibration.to_pixel((-60.0, 404.0)))
    assert np.ptp(watcher.mask_hands(frame)[y - 20 : y + 20, x - 20 : x + 20]) == 0
    watcher.new_deal()
    again = watcher.look(frame, 2.0)
    assert again is not None
    assert again.cards == ()


def test_what_is_kept_shows_the_hand_that_lies_open_and_no_other(rendered: Any) -> None:
    hands = (*_side_by_side("9C AH 4D", -60.0, -404.0, 40.0), *_side_by_side("2S KC", -60.0, 404.0, 40.0))
    frame = rendered.camera.render(Scene(1.0, hands))
    layout = DEFAULT_LAYOUT.opened(("hand-S",))
    picture = TablePictures(rendered.calibration, layout).picture(frame)
    half = reach(layout)

    def contrast(x: float, y: float) -> int:
        row, column = (round((half + value) / (2 * half) * SIDE_PX) for value in (-y, x))
        return int(np.ptp(picture[row - 12 : row + 12, column - 40 : column + 40]))

    assert contrast(-40.0, -404.0) > 100
    assert contrast(-40.0, 404.0) == 0


def test_the_tray_is_in_no_kept_picture_until_a_hand_lies_open_for_all(rendered: Any) -> None:
    frame = rendered.camera.render(Scene(1.0, tuple(_side_by_side("9C AH 4D", -60.0, 0.0, 40.0))))

    def contrast(layout: Layout) -> int:
        picture, half = TablePictures(rendered.calibration, layout).picture(frame), reach(layout)
        row, column = (round((half + value) / (2 * half) * SIDE_PX) for value in (0.0, -40.0))
        return int(np.ptp(picture[row - 12 : row + 12, column - 40 : column + 40]))

    assert contrast(BRIDGE_LAYOUT) == 0
    assert contrast(BRIDGE_LAYOUT.opened(("hand-S",))) > 100


def test_a_card_lying_face_down_is_no_face(rendered: Any, reader: IndexReader) -> None:
    watcher = rendered.watcher(reader)
    scene = Scene(1.0, (PlacedCard("QS#1", -150.0, -220.0, 20.0, face_up=False),))
    sight = watcher.look(rendered.camera.render(scene), 1.0)
    assert sight is not None
    assert {(c.card, c.face) for c in sight.cards} <= {("??", "down")}


def test_the_same_frames_give_the_same_sights(rendered: Any, reader: IndexReader) -> None:
    frame = rendered.camera.render(Scene(1.0, tuple(_column(-100, "4H 5H 6H"))))
    looks = [rendered.watcher(reader).look(frame, 1.0) for _ in range(2)]
    assert looks[0] == looks[1]


def test_a_frame_of_another_size_is_refused(rendered: Any, reader: IndexReader) -> None:
    with pytest.raises(CalibrationError, match="calibrated at"):
        rendered.watcher(reader).look(np.zeros((100, 100, 3), np.uint8), 1.0)


def test_evidence_shows_the_table_alone_and_no_hand(rendered: Any) -> None:
    hand = _side_by_side("9C AH", -60.0, -404.0, 40.0)
    frame = rendered.camera.render(Scene(1.0, hand))
    mark = SightedCard("9C", "table", 0.0, -200.0, 0.0, "up", 0.9)
    secret = SightedCard("AH", "hand-S", -20.0, -404.0, 0.0, "up", 0.9)
    data = evidence_jpeg(frame, rendered.calibration, [mark], accused=[secret])
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (1080, 1080, 3)
    half = reach(DEFAULT_LAYOUT)
    x, y = round((half - 40) * 540 / half), round((half + 364) * 540 / half)
    assert np.ptp(picture[y - 6 : y + 6, x - 100 : x + 100]) < 12  # grey, but for the JPEG
