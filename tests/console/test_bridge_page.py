"""A table of bridge in the hall's console: the auction as far as the tray was passed, the play once it is open."""

from __future__ import annotations

from typing import Any

from hw.seats import Seat
from table_service.events import event_to_json
from table_service.games.bridge.pages import PAGES
from tests.games.bridge.table_of_bridge import TableOfBridge
from tests.games.bridge.test_rows_observed import started, trick

N, E, S, W = Seat


def seated(house: Any, table: TableOfBridge) -> None:
    """T8 plays bridge."""
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**table.fold.state(), "table": "T8"})


async def test_the_page_of_a_table_shows_what_was_passed_and_nothing_else(make_house: Any) -> None:
    house = make_house().hear()
    table = TableOfBridge()
    table.begin(N, vulnerable="EW")
    table.call(N, "1H")
    seated(house, table)
    page = await house.page("/table/T8?lang=it", "arbitro")
    assert "nessuna chiamata passata" in page
    assert "1♥" not in page
    table.call(E, "X")
    table.push()
    seated(house, table)
    page = await house.page("/table/T8?lang=en", "arbitro")
    assert "1♥" in page
    assert "East-West" in page
    assert "with South and West" in page


async def test_the_page_shows_contract_trick_dummy_and_tricks(make_house: Any) -> None:
    house = make_house().hear()
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.play(N, "KS")
    seated(house, table)
    page = await house.page("/table/T8?lang=it", "arbitro")
    for text in ("3SA", "Morto", "Presa precedente"):
        assert text in page
    assert 'id="said-claim-N"' in page


async def test_the_page_shows_the_stated_result_and_who_has_agreed(make_house: Any) -> None:
    house = make_house().hear()
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    seated(house, table)
    assert "Tricks stated" not in await house.page("/table/T8?lang=en", "arbitro")
    table.said(N, "claim:9")
    table.press(E, "ready")
    seated(house, table)
    page = await house.page("/table/T8?lang=en", "arbitro")
    assert "<dt>Tricks stated</dt><dd><b>9</b> · agreed: East</dd>" in page


def test_a_past_board_is_folded_from_its_public_events_alone() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.play(N, "KS")
    events = [event_to_json(one) for one in table.events]
    last = PAGES.moments(events)[-1].state
    state = table.fold.state()
    assert PAGES.middle_of({**last, "board": state["board"]}) == PAGES.middle_of(state)
