"""A session of boards from its entries to the published ranking: one order a table and round, and none a board."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.console.evening_of_boards import HallOfBoards
from tests.console.test_board_order import all_bytes
from tests.games.bridge.test_deal_order import file_of

PAIRS = [f"Rossi {n}–Bianchi {n}" for n in range(1, 30)]


async def chosen(house: Any, pairs: int, boards: int, name: str, **more: str) -> str:
    """The movement ``name`` is chosen from those that the page offers; the page after it."""
    asked = {"session": "1", "entries": "\n".join(PAIRS[:pairs]), "boards": str(boards), "lang": "it", **more}
    async with house.client() as client:
        page = (await client.get("/round", params=asked)).text
        offers = re.findall(r'id="offer-(\d+)"[^>]*><span><b>([^<]*)</b>', page)
        number = next(n for n, one in offers if one == name)
        form = {"entries": asked["entries"], "boards": str(boards), "offer": number, **more}
        answer = await client.post("/round/choose-movement", data=form)
        assert answer.status_code == 303, answer.text
        return str((await client.get("/round?lang=it")).text)


def seats_in(page: str) -> str:
    found = re.search(r'<textarea id="pairs"[^>]*>([^<]*)</textarea>', page)
    assert found
    return found[1].replace("&amp;", "&")


async def play_round(house: Any, hall: HallOfBoards, deals: int) -> tuple[str, list[dict[str, Any]]]:
    """The round that the page proposes is started, played and ended; its seats and the orders of its start."""
    page = await house.page("/round?lang=it")
    seats = seats_in(page)
    answer = await house.post("/round/start", deals=str(deals), minutes="20", pairs=seats)
    assert answer.status_code == 303, answer.text
    orders = hall.carry()
    for one in orders:
        hall.play(one["table"])
    house.at += 1200.0
    assert (await house.post("/round/end", anyway="1")).status_code == 303
    hall.carry()
    house.at += 60.0
    return seats, orders


@pytest.mark.parametrize(
    ("pairs", "boards", "name", "rounds", "rankings"),
    [(6, 12, "Mitchell", 3, 2), (6, 10, "Howell", 5, 1), (7, 12, "Mitchell con salto", 3, 2)],
)
async def test_a_whole_session_needs_one_order_a_table_and_round(
    make_house: Any, pairs: int, boards: int, name: str, rounds: int, rankings: int
) -> None:
    house = make_house()
    hall = HallOfBoards(house)
    hall.open((pairs + 1) // 2)
    page = await chosen(house, pairs, boards, name)
    assert f'id="session-name">{name}<' in page
    each = int(re.search(r"turni da (\d+) board", page)[1])  # type: ignore[index]
    met, had = Counter[frozenset[str]](), Counter[tuple[str, int]]()
    for number in range(1, rounds + 1):
        seats, orders = await play_round(house, hall, each)
        lines = [line.split(None, 1) for line in seats.splitlines() if line.startswith("T")]
        assert [(one["table"], one["do"]) for one in orders] == [(place, "start-round") for place, _ in lines]
        for order, (_, both) in zip(orders, lines, strict=True):
            assert len(order["boards"]) == each
            entries = both.split(" / ")
            met[frozenset(entries)] += 1
            had.update((entry, board) for entry in entries for board in order["boards"])
            assert ("next" in order) is (number < rounds)
    assert set(met.values()) == {1}
    assert set(had.values()) == {1}
    assert "I turni del movimento sono finiti" in await house.page("/round?lang=it")
    assert (await house.post("/round/publish")).status_code == 303
    rows = house.book.choices.ranking.body["rows"]
    assert {one["pair"] for one in rows} == set(PAIRS[:pairs])
    assert len({one.get("line") for one in rows}) == rankings
    assert all(0 <= one["percent"] <= 100 for one in rows)
    public = await house.page("/ranking?lang=it", None)
    assert "%" in public
    told = json.loads((await house.get("/reports/event/standing.json")).text)
    assert [one["percent"] for one in told["pairs"]] == [one["percent"] for one in rows]


async def test_a_pair_that_comes_late_fills_the_half_table_and_who_leaves_makes_its_opponents_rest(
    make_house: Any,
) -> None:
    house = make_house()
    hall = HallOfBoards(house)
    hall.open(4)
    await chosen(house, 7, 12, "Mitchell con salto")
    first, _ = await play_round(house, hall, 4)
    old = await house.post("/round/start?lang=it", deals="4", minutes="20", pairs=first, planned="1")
    assert old.status_code == 400
    assert "La pagina è di un altro turno" in old.text
    assert len([line for line in first.splitlines() if line.startswith("riposa ")]) == 1
    assert (await house.post("/round/late-pair", entry="Tardi–Tardissimi")).status_code == 303
    page = await house.page("/round?lang=it")
    assert "riposa" not in seats_in(page)
    assert "Tardi–Tardissimi" in seats_in(page)
    gone = PAIRS[0]
    page = await house.page(f"/round?lang=it&movement=boards&leaving={gone}")
    assert gone not in seats_in(page)
    assert len([line for line in seats_in(page).splitlines() if line.startswith("riposa ")]) == 1
    twice = await house.post("/round/late-pair?lang=it", entry="Tardi–Tardissimi")
    assert twice.status_code == 400


async def test_a_late_pair_takes_others_places_in_a_full_movement(make_house: Any) -> None:
    house = make_house()
    hall = HallOfBoards(house)
    hall.open(5)
    await chosen(house, 10, 10, "Mitchell")
    await play_round(house, hall, 2)
    assert (await house.post("/round/late-pair", entry="Tardi–Tardissimi")).status_code == 303
    rested = set()
    for _ in range(2):
        seats, orders = await play_round(house, hall, 2)
        assert "Tardi–Tardissimi" in seats
        rested |= {line for line in seats.splitlines() if line.startswith("riposa ")}
        assert len(orders) == 5
    assert len(rested) == 2


async def test_records_of_a_session_reach_each_table_for_its_boards_and_no_page_or_file(
    make_house: Any, tmp_path: Path
) -> None:
    house = make_house("console.sqlite")
    hall = HallOfBoards(house)
    hall.open(3)
    await chosen(house, 6, 12, "Mitchell")
    text, _ = file_of(*range(1, 13))
    answer = await house.post("/session/records", record=text)
    assert answer.status_code == 303, answer.text
    assert "12 board" in await house.page("/round?lang=it")
    hands = [hand for line in text.splitlines() if line.startswith("[Deal ") for hand in line.split('"')[1][2:].split()]
    _, orders = await play_round(house, hall, 4)
    for order in orders:
        assert [int(one) for one in order["records"]] == order["boards"]
        assert [one["recorded"] for one in hall.tables[order["table"]].of("board.placed")] == [True] * 4
    house.book.database.flush()
    kept = all_bytes(tmp_path)
    pages = "".join([await house.page(path) for path in ("/round", "/audit", "/table/T1")])
    assert not any(hand.encode() in kept or hand in pages for hand in hands)
    nothing = await house.post("/session/records?lang=it", record='[Board "3"]')
    assert nothing.status_code == 400


async def test_boards_that_are_typed_are_the_same_at_all_tables_and_as_many_as_the_deals(make_house: Any) -> None:
    house = make_house()
    hall = HallOfBoards(house)
    hall.open(2)
    form = {"deals": "4", "minutes": "30", "pairs": "T1+T2 Leoni / Tigri"}
    for typed, said in (("1-3", "boards"), ("4-1", "4-1"), ("1-4, 4", "1-4, 4"), ("x", "x"), ("1-999999", "1-9")):
        answer = await house.post("/round/start?lang=en", boards=typed, **form)
        assert answer.status_code == 400
        assert said in answer.text
    assert (await house.post("/round/start", boards="9-12", **form)).status_code == 303
    assert [(one["table"], one["boards"]) for one in hall.carry()] == [("T1", [9, 10, 11, 12]), ("T2", [9, 10, 11, 12])]
