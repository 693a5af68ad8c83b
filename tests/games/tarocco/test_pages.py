"""A table of tarocco on the console's page: its own middle, cards by their names, nothing of another pack."""

from __future__ import annotations

from typing import Any

from hw.cards import TAROCCO
from table_service.events import event_to_json
from table_service.games.tarocco.pages import PAGES
from tests.games.tarocco.table_of_tarocco import N, hands_with, opening, told, trick

HANDS = hands_with({N: "KC t18"})


def test_every_card_has_a_name_of_its_own_but_the_mori() -> None:
    assert set(PAGES.card_names) == set(TAROCCO.copies)
    names = [name for card, name in PAGES.card_names.items() if not card.startswith("m") or card == "mat"]
    assert len(set(names)) == len(names)


def test_the_middle_shows_what_the_state_tells() -> None:
    state = told([*opening(HANDS), *trick("KC")]).fold.state()
    middle: Any = PAGES.middle_of(state)
    assert (middle.trick, middle.number, middle.turn, middle.phase) == ({"N": "KC"}, 1, "W", "playing")


def test_a_past_deal_is_folded_to_the_state_that_it_had() -> None:
    found = told([*opening(HANDS), *trick("KC")])
    last = PAGES.moments([event_to_json(event) for event in found.events if event.type != "round.started"])[-1]
    now = found.fold.state()
    assert last.state["trick"] == now["trick"]
    assert last.state["hands"] == now["hands"]
    assert last.state["turn"]["seat"] == now["turn"]["seat"]


def test_a_state_full_of_nonsense_shows_nothing_and_raises_nothing() -> None:
    middle: Any = PAGES.middle_of({"trick": 7, "tricks": [], "accusi": [{"seat": "X"}, 3], "match": "no", "turn": None})
    assert middle.trick == {}
    assert middle.tricks == {"NS": None, "EW": None}
