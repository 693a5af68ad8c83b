"""Photographs of unknown scale: each card once, whatever number of its corners shows, and no card that is not there."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from vision.assemble import whole_cards
from vision.grouping import Corner
from vision.index_reader import FACES

ACROSS, DOWN = 51.5, 68.5
"""From index to index of a card 88 tall, at one pixel a unit."""


def _scores(face: str, sure: float = 0.98, rival: str | None = None) -> np.ndarray:
    scores = np.full(len(FACES) + 1, (1 - sure) / len(FACES))
    scores[FACES.index(face)] = sure
    if rival is not None:
        scores[FACES.index(face)], scores[FACES.index(rival)] = sure / 2 - 0.02, sure / 2 + 0.02
    return np.asarray(scores / scores.sum())


def _corner(x: float, y: float, turn: float, scores: np.ndarray, height: float = 17.6, heat: float = 0.8) -> Corner:
    a = math.radians(turn)
    return Corner(x, y, (math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a)), height, scores, heat)


def _card(x: float, y: float, turn: float, places: str, *readings: np.ndarray) -> list[Corner]:
    """The corners at ``places`` (ul, ur, ll, lr) of a card whose middle is at (x, y)."""
    a = math.radians(turn)
    out = []
    for place, scores in zip(places.split(), readings, strict=True):
        dx = ACROSS / 2 * (-1 if place[1] == "l" else 1)
        dy = DOWN / 2 * (-1 if place[0] == "u" else 1)
        px, py = x + dx * math.cos(a) - dy * math.sin(a), y + dx * math.sin(a) + dy * math.cos(a)
        out.append(_corner(px, py, turn + (180 if place[0] == "l" else 0), scores))
    return out


@pytest.mark.parametrize("turn", [0.0, 33.0, 171.0, 270.0])
def test_two_corners_of_which_one_was_misread_are_one_card(turn: float) -> None:
    sure = _card(300, 300, turn, "ul lr", _scores("7H"), _scores("7H"))
    torn = _card(100, 120, turn, "ul lr", _scores("2S", 0.9), _scores("2S", 0.9, rival="2C"))
    faces = sorted(w.found.face for w in whole_cards(sure + torn))
    assert faces == ["2S", "7H"]


def test_two_sure_readings_that_contradict_are_two_cards() -> None:
    corners = _card(300, 300, 0, "ul lr", _scores("7H", 0.9999), _scores("KS", 0.9999))
    assert len(whole_cards(corners)) == 2


def test_an_index_in_all_four_corners_is_one_card() -> None:
    corners = _card(200, 200, 12, "ul ur ll lr", *[_scores("4S")] * 4)
    corners += _card(420, 230, 80, "ul ur lr", *[_scores("9D")] * 3)
    found = {w.found.face: w for w in whole_cards(corners)}
    assert sorted(found) == ["4S", "9D"]
    assert len(found["4S"].found.corners) == 4
    assert math.hypot(found["4S"].found.x - 200, found["4S"].found.y - 200) < 3
    assert found["4S"].tall == pytest.approx(88, rel=0.03)


def test_a_card_of_a_four_corner_pack_lies_left_of_its_right_index_though_that_is_read_best() -> None:
    """Of a card under another the upper two show; taken for the left one, the right one put it a width too far."""
    corners = [c for n in range(3) for c in _card(200 + 150 * n, 200, 0, "ul ur ll lr", *[_scores(f"{n + 4}S")] * 4)]
    upper = _card(200, 400, 0, "ul ur", _scores("9D", 0.95), _scores("9D", 0.99))
    (card,) = [w for w in whole_cards(corners + upper) if w.found.face == "9D"]
    assert len(card.found.corners) == 2
    assert math.hypot(card.found.x - 200, card.found.y - 400) < 3


def _seen(corners: list[Corner], view: np.ndarray) -> list[Corner]:
    """The corners as a plane that is seen aslant shows them; ``view`` is what it does to (x, y)."""
    out = []
    for c in corners:
        place, down = view @ np.array([c.x, c.y]), view @ np.array(c.down)
        long = float(np.hypot(*down))
        dx, dy = float(down[0] / long), float(down[1] / long)
        out.append(Corner(float(place[0]), float(place[1]), (dy, -dx), (dx, dy), c.height * long, c.scores, c.heat))
    return out


@pytest.mark.parametrize("turn", [0.0, 10.0, 20.0, 30.0, 40.0, 50.0])
def test_a_four_corner_pack_seen_aslant_shows_each_card_once(turn: float) -> None:
    """Cards turned any way, so that no one geometry fits all of them."""
    faces, corners = ("4S", "9D", "KH", "2C", "JS"), []
    for n, name in enumerate(faces):
        corners += _card(170 * n, 0, turn + 36 * n, "ul ur ll lr", *[_scores(name)] * 4)
    seen = _seen(corners, np.diag([1.0, 0.7]))
    assert sorted(w.found.face for w in whole_cards(seen)) == sorted(faces)


@pytest.mark.parametrize(("places", "aside"), [("ul ll", 18.0), ("ul ll", 30.0), ("ul lr", 66.0)])
def test_two_copies_of_a_four_corner_pack_are_two_cards(places: str, aside: float) -> None:
    """Also where one covers the other but for its left edge."""
    count = len(places.split())
    corners = _card(200, 200, 0, places, *[_scores("7H")] * count)
    corners += _card(200 + aside, 200, 0, "ul ur ll lr", *[_scores("7H")] * 4)
    corners += _card(500, 200, 20, "ul ur ll lr", *[_scores("KD")] * 4)
    assert sorted(w.found.face for w in whole_cards(corners)) == ["7H", "7H", "KD"]


def test_a_card_of_a_picture_pressed_into_another_format_is_one_card() -> None:
    corners = _seen(_card(200, 200, 8, "ul lr", *[_scores("7H")] * 2), np.diag([1.35, 0.85]))
    assert [w.found.face for w in whole_cards(corners)] == ["7H"]


def test_two_copies_side_by_side_of_a_two_corner_pack_are_two_cards() -> None:
    corners = _card(200, 200, 0, "ul lr", *[_scores("7H")] * 2) + _card(266, 200, 0, "ul lr", *[_scores("7H")] * 2)
    assert [w.found.face for w in whole_cards(corners)] == ["7H", "7H"]


def test_two_doubtful_jokers_of_a_four_corner_pack_seen_aslant_do_not_prove_each_other() -> None:
    """A suited face there would be one card: its rank and suit agree, a joker's index has no common form."""
    corners: list[Corner] = []
    for n, face in enumerate(("4S", "KH", "2C")):
        corners += _card(-100 - 150 * n, 200, 12, "ul ur ll lr", *[_scores(face)] * 4)
    for face, found in (("JK", 2), ("9D", 1)):
        aslant = [
            _corner(500, 200, 0.0, _scores(face, 0.8)),
            _corner(500 + 1.6 * ACROSS, 200 + 1.6 * DOWN, 185.0, _scores(face, 0.8)),
        ]
        cards = [w for w in whole_cards([*corners, *aslant]) if w.found.face == face]
        assert len(cards) == found


@pytest.mark.parametrize("height", [8.2, 10.0, 17.6, 27.0, 34.0])
def test_the_smallest_and_the_largest_print_show_each_card_once(height: float) -> None:
    """Packs print indices from a tenth to two fifths of the card's height."""
    corners = []
    for n, face in enumerate(("4S", "9D", "KH", "2C", "JS")):
        corners += _card(110 + 130 * n, 300, 73.0 * n, "ul lr", _scores(face), _scores(face))
    cards = whole_cards([replace(c, height=height) for c in corners])
    assert sorted(w.found.face for w in cards) == ["2C", "4S", "9D", "JS", "KH"]
    assert all(w.tall == pytest.approx(88, rel=0.03) for w in cards)


def test_jumbo_indices_that_seem_to_point_elsewhere_show_each_card_once() -> None:
    """A suit that stands aside below its rank turns both indices of a face the same way, each face otherwise."""
    corners = []
    for n, (face, leaning, grown) in enumerate(
        (("4S", 0.0, 1.0), ("9D", 12.0, 0.9), ("KH", -12.0, 1.1), ("2C", 14.0, 1.15), ("JS", 3.0, 0.95))
    ):
        for c in _card(110 + 130 * n, 300, 73.0 * n, "ul lr", _scores(face), _scores(face)):
            a = math.radians(leaning)
            right, down = (
                (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)) for x, y in (c.right, c.down)
            )
            corners.append(replace(c, height=33.0 * grown, right=right, down=down))
    assert sorted(w.found.face for w in whole_cards(corners)) == ["2C", "4S", "9D", "JS", "KH"]


@pytest.mark.parametrize("step", [8.0, 10.3, 12.9, 16.0])
def test_a_fan_of_a_four_corner_pack_shows_every_card(step: float) -> None:
    """An index lies where another card would have its other one: read as two faces, they are two cards."""
    faces = [r + "HSDC"[n % 4] for n, r in enumerate("A23456789TJQK")]
    corners = [c for n, f in enumerate(faces) for c in _card(100 + n * step, 200, 0, "ul ll", *[_scores(f)] * 2)]
    corners += _card(100 + 12 * step, 200, 0, "ur lr", *[_scores(faces[-1])] * 2)
    assert sorted(w.found.face for w in whole_cards(corners)) == sorted(faces)


def test_two_copies_that_lie_head_to_head_are_two_cards() -> None:
    """Each shows one index; they point apart as those of one card would, but further apart or nearer."""
    free = _card(400, 300, 20.0, "ul lr", _scores("KH"), _scores("KH"))
    free += _card(600, 300, 80.0, "ul lr", _scores("2C"), _scores("2C"))
    for far in (0.6, 1.5):
        one = _corner(100, 100, 0.0, _scores("7D"))
        other = _corner(100 + far * ACROSS, 100 + far * DOWN, 180.0, _scores("7D"))
        faces = sorted(w.found.face for w in whole_cards([*free, one, other]))
        assert faces == ["2C", "7D", "7D", "KH"]


def test_what_is_far_smaller_than_the_picture_s_indices_is_none() -> None:
    corners = _card(200, 200, 0, "ul lr", *[_scores("7H")] * 2) + _card(400, 300, 0, "ul lr", *[_scores("KD")] * 2)
    corners.append(_corner(60, 60, 10, _scores("QS"), height=6.0))
    assert sorted(w.found.face for w in whole_cards(corners)) == ["7H", "KD"]


def test_nothing_gives_nothing() -> None:
    assert whole_cards([]) == []


SHEARED = np.array([[1.0, 0.45], [0.0, 0.8]])
"""A card seen from a corner of the table: its sides meet its ends at no right angle."""
FREE = [
    c for n, f in enumerate(("4S", "9D", "KH")) for c in _card(190 * n, 700, 36 * n, "ul ur ll lr", *[_scores(f)] * 4)
]


@pytest.mark.parametrize("places", ["ul ur ll lr", "ul ur lr", "ur ll lr", "ul ll lr"])
@pytest.mark.parametrize("turn", [0.0, 40.0, 80.0, 120.0, 160.0])
def test_a_card_of_a_four_corner_pack_seen_from_a_corner_is_one_card(turn: float, places: str) -> None:
    seen = _seen(_card(200, 200, turn, places, *[_scores("7H")] * len(places.split())), SHEARED)
    assert sorted(w.found.face for w in whole_cards([*FREE, *seen])) == ["4S", "7H", "9D", "KH"]


@pytest.mark.parametrize("aside", [66.0, 110.0])
def test_two_copies_seen_from_a_corner_are_two_cards(aside: float) -> None:
    one = _card(200, 200, 0, "ul ll", _scores("7H"), _scores("7H"))
    other = _card(200 + aside, 200, 0, "ur lr", _scores("7H"), _scores("7H"))
    cards = whole_cards([*FREE, *_seen([*one, *other], SHEARED)])
    assert sorted(w.found.face for w in cards) == ["4S", "7H", "7H", "9D", "KH"]


@pytest.mark.parametrize("face", ["3C", "3D"])
def test_equal_faces_of_a_row_with_a_card_between_are_two_cards(face: str) -> None:
    """A set laid in a row whose steps are half a card's way from index to index, so that the copies look like one."""
    row = ["3H", face, "3H", "3S", "TC", "TS", "TC", "TD"]
    corners = [_corner(100 + n * ACROSS / 2, 500, 0, _scores(f)) for n, f in enumerate(row)]
    corners += _card(100 + 7 * ACROSS / 2 + ACROSS / 2, 500 + DOWN / 2, 0, "lr", _scores("TD"))
    free = [c for n, f in enumerate(("4S", "9D")) for c in _card(150 * n, 200, 36, "ul lr", *[_scores(f)] * 2)]
    assert sorted(w.found.face for w in whole_cards(corners + free)) == sorted([*row, "4S", "9D"])


def test_a_pack_whose_free_cards_show_no_third_index_has_two() -> None:
    """Equal faces side by side, one a little over the other, whose lower ends cannot be read."""
    row = ["3H", "3H", "TC", "TC"]
    corners = [_corner(100 + n * ACROSS, 500, 0, _scores(f)) for n, f in enumerate(row)]
    free = [c for n, f in enumerate(("4S", "9D")) for c in _card(150 * n, 200, 36, "ul lr", *[_scores(f)] * 2)]
    assert sorted(w.found.face for w in whole_cards(corners + free)) == sorted([*row, "4S", "9D"])


def _column(x: float, faces: str, ends: int = 2, step: float = 20.0) -> list[Corner]:
    """The corners of a meld laid as a column from (x, 200) on; ``ends``: how many of the last card's are printed."""
    *under, last = faces.split()
    upper, whole = ("ul", "ul lr") if ends == 2 else ("ul ur", "ul ur ll lr")
    out = [
        c for k, face in enumerate(under) for c in _card(x, 200 + step * k, 0, upper, *[_scores(face)] * (ends // 2))
    ]
    return out + _card(x, 200 + step * len(under), 0, whole, *[_scores(last)] * ends)


@pytest.mark.parametrize("others", ["", "9S TS JS", "9S TS JS QS KS AS"])
def test_two_equal_melds_close_beside_each_other_are_not_the_upper_indices_of_one(others: str) -> None:
    """Each card's second index is at its other end: none of those is a third one of the card beside it."""
    equal = _column(200, "3H 4H 5H 6H") + _column(260, "3H 4H 5H 6H")
    corners = equal + (_column(500, others) if others else [])
    found = whole_cards(corners)
    assert len(found) == 8 + len(others.split())
    assert all(w.tall == pytest.approx(88, rel=0.03) for w in found)


def test_equal_cards_beside_each_other_are_two_where_the_others_show_one_upper_index() -> None:
    """No lower end is seen here: what tells is that nothing lies beside the upper indices of the other meld."""
    cards = [_card(x, 200 + 20 * k, 0, "ul", _scores(f"{k + 3}H"))[0] for k in range(3) for x in (200, 252)]
    cards += [_card(500, 200 + 20 * k, 0, "ul", _scores(f"{face}S"))[0] for k, face in enumerate("89TJQ")]
    assert len(whole_cards(cards)) == 11


@pytest.mark.parametrize("missed", [(), (1,), (4, 7)])
def test_equal_melds_of_a_four_corner_pack_show_each_card_once_though_some_indices_are_missed(
    missed: tuple[int, ...],
) -> None:
    melds = [_column(x, faces, 4) for x, faces in ((200, "3H 4H 5H"), (275, "3H 4H 5H"), (400, "9S TS JS QS"))]
    corners = [c for k, c in enumerate(c for meld in melds for c in meld) if k not in missed]
    assert len(whole_cards(corners)) == 10
