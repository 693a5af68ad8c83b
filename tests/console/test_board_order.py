"""A board of bridge ordered from the console: its record reaches the table, and no page, answer or file of the console.

Bad input is told in a sentence.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from table_service.console.access import LONGEST_RECORDS
from table_service.console.storage import Role
from tests.games.bridge.table_of_bridge import TableOfBridge
from tests.games.bridge.test_deal_order import file_of

TEXT, DEALT = file_of(3, 4, 5)
HANDS = [line.split('"')[1] for line in TEXT.splitlines() if line.startswith("[Deal ")]
PAGES = ("/table/T8", "/table/T8?lang=en", "/round", "/audit", "/archive", "/")


def at_bridge(house: Any) -> Any:
    table = TableOfBridge()
    table.console("start-round", deals=8)
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**table.fold.state(), "table": "T8"})
    return house


def all_bytes(folder: Path) -> bytes:
    return b"".join(one.read_bytes() for one in folder.iterdir())


def names_a_hand(text: str) -> bool:
    return any(hand in text for deal in HANDS for hand in deal.removeprefix("N:").split())


async def test_the_form_asks_for_number_dealer_vulnerability_and_a_file(make_house: Any) -> None:
    page = await at_bridge(make_house()).page("/table/T8?lang=it", "arbitro")
    for name in ('name="board"', 'name="dealer"', 'name="vulnerable"', 'type="file"', "Numero del board"):
        assert name in page


async def test_a_table_of_another_game_is_asked_for_the_dealer_alone(make_house: Any) -> None:
    page = await make_house().hear().page("/table/T12", "arbitro")
    assert 'name="board"' not in page
    assert 'name="dealer" value="N"' in page


async def test_the_record_goes_to_the_table_and_into_no_page_answer_log_or_file(
    make_house: Any, tmp_path: Path
) -> None:
    house = at_bridge(make_house("console.sqlite"))
    answer = await house.post("/table/T8/order/deal", "arbitro", board="4", record=TEXT)
    assert answer.status_code == 303
    topic, order = house.sent[-1]
    assert topic.endswith("T8/command")
    assert (order["board"], order["dealer"], order["vulnerable"]) == (4, "W", "both")
    assert HANDS[1] in order["record"]
    assert HANDS[0] not in order["record"]
    assert not names_a_hand("".join([await house.page(path) for path in PAGES]))
    house.answer()
    assert not names_a_hand("".join([await house.page(path) for path in PAGES]))
    house.book.database.flush()
    kept = all_bytes(tmp_path)
    assert order["id"].encode() in kept
    for deal in HANDS:
        assert not any(hand.encode() in kept for hand in deal.removeprefix("N:").split())


async def test_the_file_serves_for_the_next_board_at_another_table_until_the_console_ends(make_house: Any) -> None:
    house = at_bridge(make_house())
    house.say("T9/status", {"state": "ready", "boot": "00000a"})
    house.say("T9/state", {**house.store.tables["T8"].state, "table": "T9"})
    await house.post("/table/T8/order/deal", "arbitro", board="4", record=TEXT)
    assert "3 board (3, 4, 5)" in await house.page("/table/T9?lang=it", "arbitro")
    await house.post("/table/T9/order/deal", "arbitro", board="5", kept="1")
    assert HANDS[2] in house.sent[-1][1]["record"]
    house.office.deal_file = None
    answer = await house.post("/table/T9/order/deal?lang=en", "arbitro", board="3", kept="1")
    assert answer.status_code == 400
    assert "choose the file again" in answer.text


async def test_bad_input_is_a_sentence_in_the_readers_language_and_nothing_is_sent(make_house: Any) -> None:
    house = at_bridge(make_house())
    for language, said in (("en", "The file has no board 9: it has 3, 4, 5."), ("it", "Nel file non c’è il board 9")):
        answer = await house.post(f"/table/T8/order/deal?lang={language}", "arbitro", board="9", record=TEXT)
        assert answer.status_code == 400
        assert said in answer.text.replace("&#39;", "'")
        assert not names_a_hand(answer.text)
    assert (await house.post("/table/T8/order/deal", "arbitro", board="x")).status_code == 400
    assert house.sent == []
    assert house.office.deal_file is None
    too_long = await house.post("/table/T8/order/deal", "arbitro", board="4", record="x" * (LONGEST_RECORDS + 1))
    assert too_long.status_code == 413


async def test_a_deal_without_a_number_serves_for_no_board_of_another_table(make_house: Any) -> None:
    """It was taken for whatever board came next: a record of other cards, and an alert of a wrong board."""
    house = at_bridge(make_house())
    house.say("T9/status", {"state": "ready", "boot": "00000a"})
    house.say("T9/state", {**TableOfBridge().fold.state(), "table": "T9"})
    bare = f'[Deal "{HANDS[0]}"]\n'
    assert (await house.post("/table/T8/order/deal", "arbitro", board="7", record=bare)).status_code == 303
    assert HANDS[0] in house.sent[-1][1]["record"]
    assert 'name="kept"' not in await house.page("/table/T9", "arbitro")
    assert (await house.post("/table/T9/order/deal", "arbitro", board="8", kept="1")).status_code == 400


async def test_an_order_with_a_record_is_sent_again_unchanged_while_the_console_lives(make_house: Any) -> None:
    house = at_bridge(make_house())
    await house.post("/table/T8/order/deal", "arbitro", board="4", record=TEXT)
    house.at += 5.0
    house.office.tick()
    assert len(house.sent) == 2
    assert house.sent[0] == house.sent[1]


async def test_after_a_restart_an_order_whose_record_is_gone_is_given_up_with_a_sentence(make_house: Any) -> None:
    house = at_bridge(make_house())
    house.say("T8/status", {"state": "lost"})
    await house.post("/table/T8/order/deal", "arbitro", board="4", record=TEXT)
    assert house.sent == []
    anew = at_bridge(type(house)(house.settings, house.book))
    anew.office.tick()
    assert anew.sent == []
    (order,) = anew.book.orders.of("T8")
    assert (order.state, order.reason) == ("expired", "secret-lost")
    assert "give the order again" in await anew.page("/table/T8?lang=en", "arbitro")


async def test_a_program_orders_a_board_and_its_answer_names_no_card(make_house: Any) -> None:
    house = at_bridge(make_house())
    person = house.book.accounts.add("a program", Role.ARBITRO, now=time.time())
    token = house.book.accounts.link(person.id, "api", expires=time.time() + 3600)
    async with house.client(None) as client:
        client.headers["Authorization"] = f"Bearer {token}"
        answer = await client.post("/api/v1/tables/T8/orders", json={"do": "deal", "board": 3, "record": TEXT})
        assert answer.status_code == 202, answer.text
        assert answer.json()["fields"] == {"dealer": "S", "board": 3, "vulnerable": "EW", "record": "(secret)"}
        wrong = await client.post("/api/v1/tables/T8/orders", json={"do": "deal", "board": 8, "record": TEXT})
    assert HANDS[0] in house.sent[-1][1]["record"]
    assert wrong.status_code == 422
    assert wrong.json()["en"] == "The file has no board 8: it has 3, 4, 5."


@pytest.mark.parametrize("role", ["organiser", "technician", "spectator"])
async def test_only_an_arbitro_orders_a_board(make_house: Any, role: str) -> None:
    house = at_bridge(make_house())
    assert (await house.post("/table/T8/order/deal", role, board="4")).status_code == 403
