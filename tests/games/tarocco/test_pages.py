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


def test_who_has_a_card_in_a_gathered_trick_has_played_it_whether_or_not_that_was_told() -> None:
    """In the demo a card of West was told of nobody, and the archive left him with one at the end."""

    def event(turn: int, type_: str, seat: str | None, **data: Any) -> dict[str, Any]:
        return {"id": f"T-1-{turn}", "type": type_, "seat": seat, "deal": 1, "turn": turn, "data": data}

    cards = {"W": "6D", "S": "QD", "E": "FD", "N": "CD"}
    begun = event(0, "deal.started", None, dealer="N", n=1)
    laid = [event(2, "trick.played", "S", n=1, card="QD", cards=dict(list(cards.items())[:2]))]
    won = event(5, "trick.won", "S", n=1, cards=cards, winner="S", pile="NS", led="W")
    (last, after_all) = (PAGES.moments([begun, *laid, {**won, "data": {**won["data"], "n": n}}])[-1] for n in (1, 15))
    assert last.state["hands"] == dict.fromkeys("NESW", 14)
    assert last.state["trick"] == {"n": 2, "cards": []}
    assert after_all.state["hands"] == dict.fromkeys("NESW", 0)
    assert after_all.state["trick"]["n"] == 15, "there is no sixteenth"


def test_a_state_full_of_nonsense_shows_nothing_and_raises_nothing() -> None:
    middle: Any = PAGES.middle_of({"trick": 7, "tricks": [], "accusi": [{"seat": "X"}, 3], "match": "no", "turn": None})
    assert middle.trick == {}
    assert middle.tricks == {"NS": None, "EW": None}
