"""A table of bridge in the hall's console: the auction as far as the tray was passed, the play once it is open."""

from __future__ import annotations

import re
from typing import Any

import pytest

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


def head_in(page: str) -> list[str]:
    """The facts in the head of a table's page, without their tags."""
    facts = re.split(r"<a |<span class=\"rules\">", page.partition('<span class="facts">')[2])[0]
    return [re.sub(r"<[^>]*>", "", one) for one in re.findall(r"<span>(.*?)</span>", facts)]


@pytest.mark.parametrize(
    ("language", "stands", "auction", "second"),
    [
        ("it", ["Board 6", "mazziere Est", "In zona Est-Ovest"], "si licita", "Presa 2"),
        ("en", ["Board 6", "dealer East", "Vulnerable East-West"], "auction", "Trick 2"),
    ],
)
async def test_the_head_names_board_dealer_vulnerability_and_how_far_the_board_is(
    make_house: Any, language: str, stands: list[str], auction: str, second: str
) -> None:
    house = make_house().hear()
    seated(house, TableOfBridge())
    assert head_in(await house.page(f"/table/T8?lang={language}", "arbitro")) == []
    bidding = TableOfBridge()
    bidding.begin(E, board=6, vulnerable="EW")
    seated(house, bidding)
    assert head_in(await house.page(f"/table/T8?lang={language}", "arbitro"))[1:] == [*stands, auction]
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.play(N, "KS")
    seated(house, table)
    assert head_in(await house.page(f"/table/T8?lang={language}", "arbitro"))[-1] == second


async def test_a_board_of_which_nobody_said_which_it_is_is_an_open_question_in_the_head(make_house: Any) -> None:
    house = make_house().hear()
    table = TableOfBridge()
    table.begin(W)
    state = {**table.fold.state(), "board": None, "vulnerable": None}
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**state, "table": "T8"})
    assert head_in(await house.page("/table/T8?lang=en", "arbitro"))[1:4] == [
        "Board ?",
        "dealer West",
        "Vulnerable not known",
    ]


async def test_the_auction_stands_in_columns_with_coloured_suits_and_a_full_trick_once(make_house: Any) -> None:
    house = make_house().hear()
    table = TableOfBridge()
    table.begin(N, vulnerable="EW")
    table.call(N, "1H")
    table.call(E, "X")
    table.push()
    seated(house, table)
    page = await house.page("/table/T8?lang=en", "arbitro")
    assert '<table class="auction">' in page
    assert '<td class="red-suit">1♥</td>' in page
    played = started()
    trick(played, N, (S, "6S"), (W, "3S"), (N, "AS"))
    seated(house, played)
    state = played.fold.state()
    shown = await house.page("/table/T8?lang=en", "arbitro")
    is_same = state["trick"]["cards"] == state["last_trick"]["cards"]
    assert ("Trick before" not in shown) is is_same


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


async def test_one_card_of_a_trick_is_put_right_from_the_table_s_page(make_house: Any) -> None:
    house = make_house().hear()
    table = started(lead="9S")
    trick(table, E, (S, "6S"), (W, "3S"), (N, "QS"))
    seated(house, table)
    page = await house.page("/table/T8?lang=it", "arbitro")
    for text in ("Carta di una presa", 'id="card-of-trick-N"', 'name="n" inputmode="numeric" required value="1"'):
        assert text in page
    form = {"zone": "played-N", "n": "1", "cards": "2C"}  # cuori, in Italian letters
    answer = await house.post("/table/T8/order/correct?lang=it", "arbitro", **form)
    assert answer.status_code in (200, 204, 303)
    order = house.sent[-1][1]
    fields = {name: order[name] for name in ("zone", "n", "cards")}
    assert fields == {"zone": "played-N", "n": 1, "cards": ["2H"]}
    table.console("correct", **fields)
    assert table.of("trick.won")[-1]["winner"] == "E"


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"n": "14", "cards": "2H"}, "from 1 to 13"),
        ({"n": "", "cards": "2H"}, "from 1 to 13"),
        ({"n": "1", "cards": "2H 3H"}, "Name one card"),
        ({"n": "1", "cards": ""}, "Name one card"),
        ({"n": "1", "cards": "JK"}, "cannot be read"),
    ],
)
async def test_a_card_of_no_trick_is_refused_before_it_goes_out(
    make_house: Any, form: dict[str, str], sentence: str
) -> None:
    house = make_house().hear()
    seated(house, started(lead="9S"))
    before = len(house.sent)
    answer = await house.post("/table/T8/order/correct?lang=en", "arbitro", zone="played-N", **form)
    assert answer.status_code == 400
    assert sentence in answer.text
    assert len(house.sent) == before


async def test_only_who_rules_has_the_card_of_a_trick(make_house: Any) -> None:
    house = make_house().hear()
    seated(house, started(lead="9S"))
    for role, there in (("chief", True), ("arbitro", True), ("organiser", False), ("technician", False)):
        assert ("card-of-trick" in await house.page("/table/T8", role)) == there


def test_a_past_board_is_folded_from_its_public_events_alone() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.play(N, "KS")
    events = [event_to_json(one) for one in table.events]
    last = PAGES.moments(events)[-1].state
    state = table.fold.state()
    assert PAGES.middle_of({**last, "board": state["board"]}) == PAGES.middle_of(state)


async def test_the_page_says_whose_call_it_is_as_all_may_know_and_draws_the_screen(make_house: Any) -> None:
    house = make_house().hear()
    table = TableOfBridge()
    table.begin(N, 7)
    seated(house, table)
    page = await house.page("/table/T8?lang=it", "arbitro")
    assert "Licita <b>Nord</b>, poi Est" in page
    assert "Sipario fra Nord-Est e Sud-Ovest; il carrello: da Nord e Est" in page
    assert page.count('class="due vulnerable"') == 1
    table.call(N, "1H")
    seated(house, table)
    assert "Licita <b>Nord</b>, poi Est" in await house.page("/table/T8?lang=it", "arbitro")  # who has called is sealed
    table.call(E, "P")
    table.push()
    seated(house, table)
    page = await house.page("/table/T8?lang=en", "arbitro")
    assert "To call: <b>South</b>, then West" in page
    assert "the tray: with South and West" in page
