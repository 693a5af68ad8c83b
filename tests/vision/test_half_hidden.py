"""An index that another card half hides: its suit is a guess, and a guess is not told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hw.cards import face
from hw.layout import CARD_HEIGHT, DEFAULT_LAYOUT
from hw.twin.scene import PlacedCard, Scene
from tests.vision.conftest import RenderedTable
from vision.finder import Spot
from vision.grouping import Corner, IndexReach, to_cards
from vision.hidden import hidden_shares, without_misread_ends
from vision.index_reader import FACES, NOTHING, IndexReader
from vision.plausible import one_index_each
from vision.votes import MIN_CONFIDENCE, Seen, without_guesses

REACH = IndexReach.of_card(CARD_HEIGHT)


def corner(x: float, y: float, name: str) -> Corner:
    scores = np.full(NOTHING + 1, 1e-4)
    scores[FACES.index(name)] = 1.0
    return Corner(x, y, (1.0, 0.0), (0.0, -1.0), 15.0, scores / scores.sum(), 0.9)


@pytest.mark.parametrize(("pitch", "least", "most"), [(22.0, 0.0, 0.0), (13.0, 0.2, 0.4)])
def test_the_share_of_an_index_under_the_next_card_follows_from_where_both_lie(
    pitch: float, least: float, most: float
) -> None:
    corners = [corner(0.0, 0.0, "KD"), corner(0.0, -pitch, "5C")]
    cards = to_cards(corners, [], REACH)
    below, above = hidden_shares(cards, cards, corners, REACH).tolist()
    assert least <= below <= most
    assert above == 0.0


def turned(x: float, y: float, name: str, down_deg: float, heat: float = 0.9) -> Corner:
    """A corner whose down vector points ``down_deg`` anticlockwise from East; North is up."""
    a = np.deg2rad(down_deg)
    down = (float(np.cos(a)), float(np.sin(a)))
    return replace(corner(x, y, name), right=(-down[1], down[0]), down=down, heat=heat)


@pytest.mark.parametrize("askew", [-20.0, 0.0, 20.0])
def test_a_loose_card_whose_other_index_is_covered_from_the_side_and_misread_is_one_card(askew: float) -> None:
    loose = turned(0.0, 0.0, "TS", -90.0)
    end = turned(REACH.across, -REACH.down, "AS", 90.0 + askew, 0.7)
    over = turned(REACH.across + 6.0, -REACH.down + 4.0, "7D", -90.0)
    corners = [loose, end, over]
    cards = to_cards(corners, [], REACH)
    assert [c.face for c in without_misread_ends(cards, corners, REACH, 5.0)] == ["TS", "7D"]


def test_two_cards_at_the_ends_of_one_outline_of_which_none_is_covered_stay_two() -> None:
    corners = [turned(0.0, 0.0, "TS", -90.0), turned(REACH.across, -REACH.down, "AS", 90.0, 0.7)]
    cards = to_cards(corners, [], REACH)
    assert without_misread_ends(cards, corners, REACH, 5.0) == cards


def test_a_card_at_the_end_of_one_that_lies_upon_others_stays() -> None:
    """The upper one of a pile may have been laid the other way round over it."""
    loose = turned(0.0, 0.0, "TS", -90.0)
    end = turned(REACH.across, -REACH.down, "AS", 90.0, 0.7)
    under = turned(-6.0, 12.0, "7D", -90.0)
    corners = [loose, end, under]
    cards = to_cards(corners, [], REACH)
    assert without_misread_ends(cards, corners, REACH, 5.0) == cards


@pytest.mark.parametrize("lean", [-4.0, 0.0, 4.0])
def test_what_the_indices_of_a_pack_lean_is_taken_out(lean: float) -> None:
    turn = np.deg2rad(lean)
    right, down = (float(np.cos(turn)), float(np.sin(turn))), (float(np.sin(turn)), -float(np.cos(turn)))
    whole = np.array([REACH.across, -REACH.down])
    reach = IndexReach(float(whole @ right), float(whole @ down))
    corners = [replace(corner(0.0, y, name), right=right, down=down) for y, name in ((0.0, "KD"), (-15.0, "5C"))]
    cards = to_cards(corners, [], reach)
    assert hidden_shares(cards, cards, corners, reach).tolist() == pytest.approx([0.16, 0.0], abs=0.04)


def test_two_jokers_of_an_enrolled_pack_are_two_however_near_they_lie() -> None:
    near = [corner(0.0, 0.0, "JK"), corner(0.0, -18.0, "JK")]
    assert one_index_each(near) == near[:1]
    known = [replace(c, known=True) for c in near]
    assert one_index_each(known) == known
    assert one_index_each([known[0], near[1]]) == known[:1]


def column(pitch: float) -> list[PlacedCard]:
    x, y = DEFAULT_LAYOUT.zones["melds-NS"].centre
    names = ("KD", "KS", "8C", "8D", "6S", "6C", "3H", "3D")
    return [
        PlacedCard(c, x + side * 70, y + 40 - n * pitch, 0.0, face_up=True)
        for side in (-1, 1)
        for n, c in enumerate(names[4 + 4 * min(side, 0) :][:4])
    ]


def test_a_face_whose_suit_is_hidden_from_the_first_is_never_named_wrongly_however_often_it_is_looked_at(
    rendered: RenderedTable, reader: IndexReader
) -> None:
    cards = column(12.5)
    frame = rendered.camera.render(Scene(1.0, tuple(cards)))
    watcher = rendered.watcher(reader)
    for n in range(6):
        sight = watcher.look(frame, 1.0 + 5.0 * n)
        assert sight is not None
        shown = [c for c in sight.cards if c.face == "up"]
        assert {c.card for c in shown} <= {face(c.card) for c in cards} | {"??"}


def test_a_face_read_before_the_next_card_half_hid_it_stays_known(rendered: RenderedTable, reader: IndexReader) -> None:
    cards = column(14.0)[:2]
    watcher = rendered.watcher(reader)
    watcher.look(rendered.camera.render(Scene(1.0, tuple(cards[:1]))), 1.0)
    sight = watcher.look(rendered.camera.render(Scene(9.0, tuple(cards))), 9.0)
    assert sight is not None
    assert {face(c.card) for c in cards} == {c.card for c in sight.cards}


@pytest.mark.parametrize(
    ("hidden", "heat", "sure", "clear", "told"),
    [
        (0.0, 0.9, 0.7, False, True),  # it shows whole: votes and the pack count
        (0.2, 0.9, 0.7, False, False),
        (0.2, 0.9, 0.95, False, True),
        (0.2, 0.9, 0.7, True, True),  # it was told before it was hidden
        (0.07, 0.9, 0.8, False, True),
        (0.07, 0.5, 0.8, False, False),
        (0.0, 0.5, 0.8, False, False),  # so faint that an unread card may hide it
        (0.3, 0.9, 0.999, False, False),  # too little of the suit shows
    ],
)
def test_a_guess_that_votes_made_sure_is_unknown_in_its_place(
    hidden: float, heat: float, sure: float, clear: bool, told: bool
) -> None:
    own = corner(0.0, 0.0, "KD")
    alone = np.full(NOTHING + 1, 1e-6)
    alone[FACES.index("KD")], alone[FACES.index("KH")] = sure, 1.0 - sure
    seen = Seen(Spot(0.0, 0.0, (0.0, -1.0), 40.0, heat), own.scores, alone=alone, clear=clear)
    card = to_cards([own], [], REACH)[0]
    (kept,) = without_guesses([card], [own], np.array([hidden]), {id(own): seen})
    assert (kept.x, kept.y, kept.face) == (card.x, card.y, "KD")
    assert (kept.confidence >= MIN_CONFIDENCE) is told
