"""The small screen says which board comes next and where each then goes; a player names another that lies there."""

from __future__ import annotations

import random

import httpx

from table_service.display.app import SmallScreen, create_display
from tests.display.test_stated_result import TableOfScreen
from tests.games.bridge.test_boards_observed import play_board
from tests.games.bridge.test_session_boards import begun, cleared


async def test_next_board_7_then_table_3() -> None:
    seat = [{"name": "Rossi", "table": "T3", "line": "EW"}]
    table = begun((6, 7), pairs={"NS": "Verdi", "EW": "Rossi"}, next={"EW": seat})
    side = TableOfScreen(table)
    screen = SmallScreen(side, lambda: table.t + 1.0)
    way = httpx.ASGITransport(create_display(screen))
    async with httpx.AsyncClient(transport=way, base_url="http://127.0.0.1") as client:

        async def page(language: str = "it") -> str:
            screen.show({**table.fold.state(), "table": "T1", "rules": "bridge"}, [])
            return (await client.get(f"/?lang={language}")).text

        shown = await page()
        assert "Board <b>6</b>" in shown
        assert "Prossimo: board 7</b>, poi tavolo T3" in shown
        assert "Next: board 7</b>, then table T3" in await page("en")
        play_board(table, random.Random(5), 6, record=False, ordered=False)
        cleared(table)
        shown = await page()
        assert "Board <b>7</b>" in shown
        assert "I board del turno sono finiti</b>, poi tavolo T3" in shown
        assert (await client.post("/board/9", headers={"HX-Request": "true"})).status_code == 404
        assert (await client.post("/board/6", headers={"Sec-Fetch-Site": "cross-site"})).status_code == 403
        assert (await client.post("/board/6", headers={"HX-Request": "true"})).status_code == 200
        assert [one["board"] for one in table.of("board.placed")] == [6, 7, 6]
