"""Cards turned face down stay known while others lie upon them: what still shows of one is no arm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from hw.observations import Sight
from hw.twin.camera import Camera
from hw.twin.scene import PlacedCard, Scene
from table_service.camera.table_camera import Eye, sightings_of
from table_service.rehearsal.game_rehearsal import rehearsal_of

Look = Callable[[Sequence[PlacedCard]], Sight]


def lying(card: str, place: int, *, face_up: bool = False) -> PlacedCard:
    """A card of W's row at bridge: played ones lie 26 mm apart."""
    return PlacedCard(f"{card}#1", -292.5, 152.5 - 26.0 * place, 91.0 if face_up else 90.0, face_up=face_up)


@pytest.fixture
def look() -> Look:
    """Lay cards on a table of bridge in full HD and return what its camera tells of them."""
    table = rehearsal_of("bridge").table
    camera = Camera(table.layout, seed=5, width=1080, height=1080, equipment=table.equipment)
    eye = Eye(table.layout, {}, "boot", sightings_of(table.layout, table.equipment, {}))
    eye.calibrate(camera.render(Scene(0.0, ())))
    t = 0.0

    def looked(cards: Sequence[PlacedCard]) -> Sight:
        nonlocal t
        seen: Any = None
        for _ in range(3):
            t += 0.1
            seen = eye.look(camera.render(Scene(t, tuple(cards))), t) or seen
        assert seen is not None
        return seen

    return looked


def row_of(sight: Sight) -> list[tuple[str, str, int]]:
    """Card, side and place in the row, from W's left to right."""
    assert not sight.hidden
    backs = [(c.order, round((152.5 - c.y) / 26)) for c in sight.cards if c.face == "down"]
    assert all(order == place for order, place in backs)
    return sorted((c.card, c.face, round((152.5 - c.y) / 26)) for c in sight.cards)


def test_backs_on_which_a_card_is_played_and_turned_hide_nothing_and_are_told(look: Look) -> None:
    first, second, third = ("??", "down", 0), ("??", "down", 1), ("??", "down", 2)
    assert row_of(look([lying("TC", 0)])) == [first]
    assert row_of(look([lying("TC", 0), lying("TH", 1, face_up=True)])) == [first, ("TH", "up", 1)]
    assert row_of(look([lying("TC", 0), lying("TH", 1)])) == [first, second]
    six = lying("6C", 2, face_up=True)
    assert row_of(look([lying("TC", 0), lying("TH", 1), six])) == [("6C", "up", 2), first, second]
    assert row_of(look([lying("TC", 0), lying("TH", 1), lying("6C", 2)])) == [first, second, third]
    assert row_of(look([])) == []


def test_a_back_from_which_the_card_is_taken_again_is_the_same_back(look: Look) -> None:
    look([lying("TC", 0)])
    look([lying("TC", 0), lying("TH", 1, face_up=True)])
    assert row_of(look([lying("TC", 0)])) == [("??", "down", 0)]
    assert row_of(look([lying("TC", 0), lying("TH", 1, face_up=True)])) == [("??", "down", 0), ("TH", "up", 1)]


def test_a_card_turned_across_those_before_it_is_a_back_that_points_otherwise(look: Look) -> None:
    look([lying("TC", 0)])
    look([lying("TC", 0), lying("TH", 1, face_up=True)])
    lost = PlacedCard("TH#1", -292.5, 126.5, 1.0, face_up=False)
    sight = look([lying("TC", 0), lost])
    assert row_of(sight) == [("??", "down", 0), ("??", "down", 1)]
    assert [round(c.angle / 90) % 2 for c in sorted(sight.cards, key=lambda card: card.order or 0)] == [1, 0]


def test_a_card_that_was_read_askew_beside_a_hand_and_then_turned_is_a_back_where_it_lies(look: Look) -> None:
    look([lying("TC", 0)])
    look([lying("TC", 0), PlacedCard("TH#1", -294.5, 128.5, 86.0, face_up=True)])
    assert row_of(look([lying("TC", 0), lying("TH", 1)])) == [("??", "down", 0), ("??", "down", 1)]
