"""A photograph is read as its cards lie: groups in order, what was missed, what is cut off, what to do better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from table_service.photographs.photograph_reading import read_photograph
from vision.card_forms import Form, formed
from vision.index_reader import IndexReader
from vision.laid_groups import SeenCard, laid_groups, seen_cards
from vision.unread_paper import unread_paper

Draw = Callable[..., np.ndarray]
CLOTH = (62, 104, 44)
RUN = ["4H", "5H", "6H", "7H", "8H"]
SET = ["KC", "KD", "KS", "KH"]


def test_melds_are_read_as_they_lie(reader: IndexReader, drawn: Draw) -> None:
    read = read_photograph(drawn([RUN, SET, ["9C", "TC", "JC"]]), "melds-NS", reader)
    assert [group.faces for group in read.groups] == [tuple(RUN), tuple(SET), ("9C", "TC", "JC")]
    assert all(not group.doubts for group in read.groups)
    assert read.cloud is None
    assert not read.advice


def test_a_turned_photograph_is_read_the_same(reader: IndexReader, drawn: Draw) -> None:
    picture = cv2.rotate(drawn([RUN, SET]), cv2.ROTATE_90_CLOCKWISE)
    read = read_photograph(np.asarray(picture, np.uint8), "melds-NS", reader)
    assert sorted(group.faces for group in read.groups) == sorted([tuple(RUN), tuple(SET)])


@pytest.mark.parametrize("place", [0, 2, 4])
def test_a_card_that_cannot_be_read_is_never_passed_over(reader: IndexReader, drawn: Draw, place: int) -> None:
    """At either end of a run, where what is left is a run all the same, and in its middle."""
    read = read_photograph(drawn([RUN, SET], hidden=[(0, place)]), "melds-NS", reader)
    (group,) = [group for group in read.groups if any(face[1:] == "H" and face != "KH" for face in group.faces)]
    assert group.doubts or "??" in group.faces


def test_a_meld_cut_off_by_the_picture_is_doubted_and_said(reader: IndexReader, drawn: Draw) -> None:
    picture = drawn([SET, RUN])
    read = read_photograph(np.ascontiguousarray(picture[:-220]), "melds-NS", reader)
    run = next(group for group in read.groups if "4H" in group.faces)
    assert "rim" in run.doubts
    assert [english for _, english in read.advice] == ["A card is cut off below: take it in whole."]


def test_a_table_as_white_as_the_cards_is_said_to_hide_cards(reader: IndexReader, drawn: Draw) -> None:
    read = read_photograph(drawn([RUN], cloth=(252, 252, 252)), "melds-NS", reader)
    assert read.cloud == "ground"


def test_a_picture_of_24_megapixels_gives_places_in_its_own_pixels(reader: IndexReader, drawn: Draw) -> None:
    small = drawn([RUN, SET])
    large = np.asarray(cv2.resize(small, (6000, 4000), interpolation=cv2.INTER_CUBIC), np.uint8)
    read = read_photograph(large, "melds-NS", reader)
    assert read.size == (6000, 4000)
    assert max(group.box[2] for group in read.groups) > 3000


@pytest.mark.parametrize(("picture", "word"), [
    (np.full((900, 1200, 3), CLOTH, np.uint8), "No card"),
    (np.full((900, 1200, 3), 5, np.uint8), "too dark"),
])  # fmt: skip
def test_an_empty_or_dark_picture_says_what_to_do(reader: IndexReader, picture: np.ndarray, word: str) -> None:
    read = read_photograph(picture, "melds-NS", reader)
    assert not read.groups
    assert any(word in english for _, english in read.advice)


def test_each_wrong_picture_says_in_one_sentence_what_to_do_better(reader: IndexReader, drawn: Draw) -> None:
    """Cards of which no index can be read, as those of another game; all out of focus; taken off a screen."""
    blank = drawn([["4H"], ["KC"]], hidden=[(0, 0), (1, 0)])
    for picture, word in (
        (blank, "no index"),
        (np.asarray(cv2.GaussianBlur(drawn([RUN, SET]), (0, 0), 14), np.uint8), "hold still"),
        (_on_a_screen(drawn([RUN])), "of a screen"),
    ):
        said = [english for _, english in read_photograph(picture, "melds-NS", reader).advice]
        assert word in said[0], said


def test_two_lone_indices_corner_to_corner_may_be_of_one_card_of_which_one_was_misread() -> None:
    """A pressed photograph of one three of diamonds gave 3D and 5D."""
    ring = np.array([[100, 100], [352, 100], [352, 452], [100, 452]], np.float64)
    one = SeenCard("3D", ring, 0.98, at=0)
    turned = one.outline[[2, 3, 0, 1]] + np.array([90.0, 0.0])
    for face, ends, doubted in (("5D", 1, True), ("5D", 2, False), ("5S", 1, False)):
        other = SeenCard(face, turned, 0.97, at=1, ends=ends)
        assert any("twice" in group.doubts for group in laid_groups([one, other], (1000, 1000))) is doubted


def test_a_group_seen_aslant_leaves_no_paper_beside_it(reader: IndexReader, drawn: Draw) -> None:
    picture = drawn([RUN])
    high, wide = picture.shape[:2]
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    moved = corners + np.array([[70, 120], [0, 0], [-70, 0], [0, 120]], np.float32)
    view = cv2.getPerspectiveTransform(corners, moved)
    aslant = cv2.warpPerspective(picture, view, (wide + 100, high + 130), borderValue=CLOTH)
    (group,) = read_photograph(np.asarray(aslant, np.uint8), "melds-NS", reader).groups
    assert (group.faces, group.doubts) == (tuple(RUN), ())


def _on_a_screen(picture: np.ndarray) -> np.ndarray:
    """The picture behind a screen's grid of coloured stripes, four pixels wide, a little turned."""
    high, wide = picture.shape[:2]
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    across, down = (x + 0.05 * y) / 4, (y - 0.05 * x) / 4
    shown = picture.astype(np.float32) * np.clip(np.cos(2 * np.pi * down) * 0.5 + 0.8, 0, 1.3)[..., None]
    for colour in range(3):
        shown[..., colour] *= np.clip(np.cos(2 * np.pi * (across - colour / 3)) * 0.8 + 0.6, 0, 1.4)
    return np.clip(cv2.GaussianBlur(shown, (0, 0), 0.8), 0, 255).astype(np.uint8)


def test_an_index_that_may_be_another_of_a_card_s_own_makes_both_readings_doubtful() -> None:
    """A pack with four indices: the one beside, or the one below on its head, read as another suit of the rank."""
    ring = np.array([[100, 100], [352, 100], [352, 452], [100, 452]], np.float64)
    below = ring[[2, 3, 0, 1]] + np.array([-40.0, 20.0])
    for other in (ring + np.array([-210.0, 0.0]), below):
        cards = [SeenCard("AS", ring, 0.99, at=0), SeenCard("AD", other, 0.99, at=1)]
        assert all("twice" in group.doubts for group in laid_groups(cards, (1000, 1000)))
        kings = [cards[0], SeenCard("KD", other, 0.99, at=1)]
        assert not any("twice" in group.doubts for group in laid_groups(kings, (1000, 1000)))


def _card(face: str, x: float, y: float, tall: float = 352.0, **more: Any) -> SeenCard:
    """A card 252 px wide with its upper left corner at (x, y)."""
    ring = np.array([[x, y], [x + 252, y], [x + 252, y + tall], [x, y + tall]], np.float64)
    return SeenCard(face, ring, 0.99, at=0, **more)


def test_a_set_in_a_row_is_not_read_twice_where_a_card_between_would_cover_the_index() -> None:
    """The third card's index is where the first one's other index is, but the second lies there, on the first."""
    row = [_card(face, 100 + 100.0 * n, 100) for n, face in enumerate(("TC", "TS", "TD"))]
    (group,) = laid_groups(row, (1000, 1000))
    assert (group.faces, group.doubts) == (("TC", "TS", "TD"), ())
    assert "twice" in laid_groups([row[0], row[2]], (1000, 1000))[0].doubts


def test_a_card_read_by_both_ends_is_no_end_of_another() -> None:
    """The last card of a set is often listed by its lower index, which is near that of the card under it."""
    under = _card("5S", 100, 100)
    ring = _card("5H", 100, 170).outline[[2, 3, 0, 1]] + np.array([0.0, -20.0])
    for ends, doubted in ((1, True), (2, False)):
        last = SeenCard("5H", ring, 0.99, at=1, ends=ends)
        assert any("twice" in group.doubts for group in laid_groups([under, last], (1000, 1000))) is doubted


def test_a_missed_card_is_known_by_the_indices_though_outlines_are_of_unequal_height() -> None:
    """The step between the middles of the third and the fourth outline is hardly larger than the others."""
    tall, places = [352.0, 352, 352, 290, 352], [100.0, 150, 200, 300, 350]
    cards = [
        _card(face, 100, y, high, index=np.array([118.0, y + 24]))
        for face, y, high in zip(("2H", "7C", "AD", "5H", "8C"), places, tall, strict=True)
    ]
    (group,) = laid_groups(cards, (1000, 1000))
    assert group.faces == ("2H", "7C", "AD", "??", "5H", "8C")


def test_cards_are_as_tall_as_the_one_that_was_read_by_both_ends() -> None:
    """Large indices make outlines too large, and two melds beside each other one; the ends of a card say how tall."""
    listed = []
    for place, (face, x, ends) in enumerate((("4H", 100, 1), ("5H", 100, 2), ("KC", 420, 1))):
        card = _card(face, x, 100 + 80 * (place % 2))
        spot = card.centre - np.array([103.0, 137]) if ends == 2 else card.outline[0] + np.array([23.0, 39])
        about = card.centre if ends == 2 else spot
        ring = (about + 1.4 * (card.outline - about)).tolist()
        listed.append({"card": face, "confidence": 0.99, "outline": ring, "corner": spot.tolist(), "corners": ends})
    cards = seen_cards(listed)
    assert [round(card.height) for card in cards] == pytest.approx([352] * 3, abs=4)
    assert len(laid_groups(cards, (1000, 1000))) == 2


def test_outlines_are_formed_together_as_each_by_itself_and_one_without_width_stays_as_it_is() -> None:
    """The card's index, or its middle if both ends were read, does not move."""
    lone, whole, flat = _card("4H", 100, 100), _card("5H", 400, 100), _card("6H", 700, 100)
    whole = replace(whole, ends=2, index=whole.centre - np.array([103.0, 137]))
    flat = replace(flat, outline=np.repeat(flat.outline[:1], 4, axis=0))
    form = Form(tall=0.8, wide=1.1, across=0.05, down=-0.04)
    together = formed([lone, whole, flat], form)
    for card, alone in zip(together, [formed([one], form)[0] for one in (lone, whole, flat)], strict=True):
        assert card.outline == pytest.approx(alone.outline)
    assert together[0].height == pytest.approx(0.8 * lone.height, rel=0.01)
    assert together[1].centre == pytest.approx(whole.centre)
    share = (lone.spot - lone.outline[0]) @ lone.down / lone.height**2
    assert (lone.spot - together[0].outline[0]) @ together[0].down / together[0].height ** 2 == pytest.approx(
        share, abs=0.02
    )
    assert together[2].outline == pytest.approx(flat.outline)


def test_paper_where_no_other_card_lies_proves_a_card_and_bare_cloth_does_not() -> None:
    picture = np.full((700, 900, 3), CLOTH, np.uint8)
    picture[100:452, 100:352] = 250
    here, there = _card("5C", 100, 100, ends=2), _card("5C", 420, 100)
    known = {card.face: card.is_proven for card in unread_paper(picture, [here, _card("5D", 290, 100)]).cards}
    assert known == {"5C": True, "5D": False}
    picture[100:452, 420:672] = 250
    both = unread_paper(picture, [here, there]).cards
    assert all(card.is_proven for card in both)
    assert not any("twice" in group.doubts for group in laid_groups(both, (900, 700)))


def test_a_black_pack_s_paper_is_its_dark_shade_and_a_card_of_it_that_was_not_read_is_found() -> None:
    picture = np.full((700, 1100, 3), CLOTH, np.uint8)
    picture[100:452, 100:352] = picture[100:452, 200:452] = 20
    for x in (108, 208):
        picture[124:164, x + 2 : x + 6] = picture[124:164, x + 14 : x + 18] = 245  # ink, lighter than the paper
    read = [_card("5C", 100, 100)]
    paper = unread_paper(picture, read)
    assert paper.is_told
    assert len(paper.patches) == 1
    assert not unread_paper(picture, [*read, _card("5D", 200, 100)]).patches


def test_the_strip_of_a_card_that_is_more_print_than_paper_is_paper_beside_a_meld() -> None:
    """As of a joker above a run, which is a run without it too."""
    picture = np.full((800, 500, 3), CLOTH, np.uint8)
    picture[100:692, 100:352] = 250
    for x in range(110, 345, 24):
        picture[100:170, x : x + 11] = (40, 40, 190)
    picture[118:124, 100:352] = (30, 30, 30)
    read = [_card("7C", 100, 170), _card("8C", 100, 240), _card("9C", 100, 340)]
    paper = unread_paper(picture, read)
    assert paper.is_told
    assert len(paper.patches) == 1
    assert not unread_paper(picture, [_card("6C", 100, 100), *read]).patches


def test_outlines_of_which_none_is_measured_do_not_grow_over_a_last_card_that_was_not_read() -> None:
    """A joker full of print upon two cards of which each shows one index."""
    picture = np.full((900, 600, 3), CLOTH, np.uint8)
    picture[100:592, 100:352] = 250
    for y in range(262, 546, 36):
        for x in range(118, 320, 36):
            picture[y : y + 28, x : x + 28] = (40, 40, 190)
    paper = unread_paper(picture, [_card("9C", 100, 100), _card("QS", 100, 170)])
    assert [card.height for card in paper.cards] == pytest.approx([352] * 2)
    assert len(paper.patches) == 1


@pytest.mark.parametrize("ink", [(20, 20, 20), CLOTH])
def test_large_pips_at_the_edge_do_not_make_outlines_smaller(ink: tuple[int, int, int]) -> None:
    """Even those that are as the cloth is: paper encloses them."""
    picture = np.full((700, 900, 3), CLOTH, np.uint8)
    picture[100:452, 100:512] = 250
    for x in range(112, 500, 60):
        picture[395:445, x : x + 48] = ink
    cards = unread_paper(picture, [_card("7C", 100, 100), _card("8C", 180, 100), _card("9C", 260, 100, ends=2)]).cards
    assert [card.height for card in cards] == pytest.approx([352] * 3, rel=0.03)


@pytest.mark.parametrize(("noise", "is_told"), [(0.0, True), (8.0, False)])
def test_paper_that_is_noise_in_the_dark_says_nothing_of_missed_cards(noise: float, is_told: bool) -> None:
    """Cards and table of one hue: what is of the paper's colour lies beside the cards as well as on them."""
    light = np.full((900, 900, 1), 26.0, np.float32)
    light[250:652, 300:552] = 38.0
    grain = cv2.GaussianBlur(np.random.default_rng(2).normal(0, 1, (900, 900, 3)).astype(np.float32), (0, 0), 4)
    picture = np.clip(light + noise * grain / grain.std(), 0, 255).astype(np.uint8)
    paper = unread_paper(picture, [_card("7D", 300, 250), _card("7C", 300, 300, ends=2)])
    assert paper.is_told is is_told


def test_a_dark_picture_is_told_from_the_table_as_a_light_one_is(reader: IndexReader, drawn: Draw) -> None:
    """Four times less light: nothing is said of a table as light as the cards, and the melds are the same."""
    picture = np.clip(drawn([RUN, SET]).astype(np.float32) * 0.4, 0, 255).astype(np.uint8)
    read = read_photograph(picture, "melds-NS", reader)
    assert read.cloud is None
    assert [(group.faces, group.doubts) for group in read.groups] == [(tuple(RUN), ()), (tuple(SET), ())]


def test_two_indices_at_one_edge_of_a_card_do_not_say_how_tall_it_is() -> None:
    """In a pack with four indices a card in a column shows both upper ones; the last one shows all four."""
    listed = []
    for face, y, count in (("4H", 100, 2), ("5H", 180, 2), ("6H", 260, 4)):
        card = _card(face, 100, y, tall=300.0)
        true = [[123.0, y + 39], [329.0, y + 39], [329.0, y + 313], [123.0, y + 313]]
        listed.append({"card": face, "confidence": 0.99, "outline": card.outline.tolist(), "corner": true[0],
                       "corners": count, "indices": true[:count]})  # fmt: skip
    heights = [card.height for card in seen_cards(listed)]
    assert all(height > 330 for height in heights), heights


def test_of_a_set_of_which_every_second_step_hides_a_card_each_is_missed() -> None:
    """Two equal faces as far apart as a card's own indices are read as one card, twice in a long set."""
    places = [100.0, 150, 250, 300, 400]
    cards = [
        _card(face, 100, y, index=np.array([118.0, y + 24]))
        for face, y in zip(("TH", "TD", "TS", "TC", "TD"), places, strict=True)
    ]
    (group,) = laid_groups(cards, (1000, 1000))
    assert group.faces == ("TH", "TD", "??", "TS", "TC", "??", "TD")


def test_two_parts_of_a_fan_that_meet_leave_room_for_a_card_and_columns_beside_each_other_do_not() -> None:
    """A fan of eight whose second card was missed; its first one overlaps the third hardly, and points elsewhere."""
    turns = [-40.2, *(-10.0 + 7 * n for n in range(6))]
    places = [(700.0, 1480.0), *((1050.0 + 200 * n, 1390.0 + 12 * n * n) for n in range(6))]
    fan = []
    for face, turn, (x, y) in zip(
        ("6C", "7S", "9C", "TS", "JH", "8H", "9S"), map(np.radians, turns), places, strict=True
    ):
        across = np.array([np.cos(turn), np.sin(turn)])
        down = np.array([-across[1], across[0]])
        ring = np.array([x, y]) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array([165 * across, 230 * down])
        fan.append(SeenCard(face, ring, 0.99, at=0))
    groups = laid_groups(fan, (2600, 2600))
    assert [group.faces for group in groups] == [("6C",), ("7S", "9C", "TS", "JH", "8H", "9S")]
    assert all("spacing" in group.doubts for group in groups)
    columns = [
        _card(face, 100.0 + 245 * n, 100 + 80.0 * k)
        for n, column in enumerate((("4H", "5H"), ("9S", "TS")))
        for k, face in enumerate(column)
    ]
    assert [group.doubts for group in laid_groups(columns, (1000, 1000))] == [(), ()]


def test_the_last_card_of_a_fan_apart_from_it_leaves_room_for_a_card_though_it_points_nearly_alike() -> None:
    """A fan of five whose last but one was missed; the last card points 9 degrees off the one before, and meets it."""
    fan = []
    for face, turn, (x, y) in (
        ("KD", -15.0, (520.0, 1240.0)), ("5D", -6.0, (740.0, 1160.0)), ("QD", 3.0, (960.0, 1120.0)),
        ("JC", 14.0, (1180.0, 1110.0)), ("6D", 23.0, (1525.0, 1170.0)),
    ):  # fmt: skip
        across = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
        down = np.array([-across[1], across[0]])
        ring = np.array([x, y]) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array([195 * across, 280 * down])
        fan.append(SeenCard(face, ring, 0.99, at=0))
    groups = laid_groups(fan, (2600, 2600))
    assert [group.faces for group in groups] == [("KD", "5D", "QD", "JC"), ("6D",)]
    assert all("spacing" in group.doubts for group in groups)


@pytest.mark.parametrize("down", [True, False], ids=["columns", "rows"])
def test_a_column_goes_on_below_it_and_a_row_beside_it(down: bool) -> None:
    """Of three melds the first two lie in one line; the third lies as near, beside the first."""
    step, apart = (80.0, 590.0) if down else (60.0, 385.0)
    near = 258.0 if down else 370.0
    places = [(apart * line + step * k, near * meld) for line, meld in ((0, 0), (1, 0), (0, 1)) for k in range(3)]
    turned = [(y, x) if down else (x, y) for x, y in places]
    cards = [_card(f"{3 + n}H", 100 + x, 100 + y) for n, (x, y) in enumerate(turned)]
    groups = laid_groups(cards, (3000, 3000))
    faces = [group.faces for group in groups]
    first, second, third = (faces.index(tuple(f"{n + k}H" for k in range(3))) for n in (3, 6, 9))
    assert groups[first].beside == (second,)
    assert groups[second].beside == (first,)
    assert groups[third].beside == ()


def _listed(face: str, x: float, y: float, tall: float, error: float = 0.0) -> dict[str, Any]:
    """A card ``tall`` px high at (x, y), told by one index whose height was read wrong by ``error``, as a share."""
    ring = np.array([x, y]) + tall * np.array([[0.0, 0.0], [0.716, 0.0], [0.716, 1.0], [0.0, 1.0]])
    spot = np.array([x + 0.05 * tall, y + 0.07 * tall])
    outline = spot + (1 + error) * (ring - spot)
    return {"card": face, "confidence": 0.99, "outline": outline.tolist(), "corner": spot.tolist(), "corners": 1}


def test_columns_near_each_other_stay_apart_though_some_indices_are_read_too_large() -> None:
    """Cards of two columns 10 px apart: a fifth too large they reach over the next column and would join it."""
    errors = (0.2, -0.12, 0.0, 0.18, -0.15, 0.22, -0.05)
    columns = [[f"{rank}{suit}" for rank in "3456789"] for suit in "HS"]
    listed = [
        _listed(face, 100.0 + 225 * n, 100.0 + 70 * k, 300.0, errors[(k + 3 * n) % len(errors)])
        for n, column in enumerate(columns)
        for k, face in enumerate(column)
    ]
    groups = laid_groups(seen_cards(listed), (1000, 1000))
    assert [group.faces for group in groups] == [tuple(column) for column in columns]


def test_cards_nearer_to_the_camera_stay_taller() -> None:
    """Seen from aside, the lowest of six cards is one and three quarter times as tall as the first."""
    true = [200 * 1.12**k for k in range(6)]
    listed = [_listed(f"{4 + k}H", 100.0, 220.0 * k, tall) for k, tall in enumerate(true)]
    assert [card.height for card in seen_cards(listed)] == pytest.approx(true, rel=0.06)
