"""A stated result of a board on the small screen and on the table's page: who agrees presses, and both show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx

from hw.observations import Button, Observation
from hw.seats import Seat
from table_service.display.app import SmallScreen, create_display
from table_service.events import Event
from tests.games.bridge.table_of_bridge import TableOfBridge
from tests.games.bridge.test_rows_observed import started, trick

N, E, S, W = Seat


class TableOfScreen:
    """A table of bridge behind a small screen: what is pressed there goes through its fold."""

    shows_time = False

    def __init__(self, table: TableOfBridge) -> None:
        self.table = table
        self.screens: list[Any] = []
        self.listeners: list[Any] = []
        self.pressed: list[Observation] = []

    def observe(self, observation: Observation) -> Sequence[Event]:
        self.pressed.append(observation)
        return self.table.feed(observation)


async def test_a_player_of_each_line_agrees_with_the_stated_result_by_a_touch() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    side = TableOfScreen(table)
    screen = SmallScreen(side, lambda: table.t + 1.0)
    way = httpx.ASGITransport(create_display(screen))
    async with httpx.AsyncClient(transport=way, base_url="http://127.0.0.1") as client:

        async def page() -> str:
            screen.show({**table.fold.state(), "table": "T1", "rules": "bridge"}, [])
            return (await client.get("/?lang=it")).text

        assert 'id="ready-N"' not in await page()
        table.said(N, "claim:9")
        shown = await page()
        assert "Prese del dichiarante: 9" in shown
        for seat in "NESW":
            assert f'id="ready-{seat}"' in shown
        assert (await client.post("/ready/N", headers={"HX-Request": "true"})).status_code == 200
        assert [(one.seat, one.button) for one in side.pressed if isinstance(one, Button)] == [(N, "ready")]
        shown = await page()
        assert "✓ Nord" in shown
        assert 'id="ready-N"' not in shown
        table.wait()
        await client.post("/ready/W", headers={"HX-Request": "true"})
        assert [one["lines"]["NS"]["total"] for one in table.of("score.counted")] == [400]
        assert (await client.post("/ready/X")).status_code == 404
        assert (await client.post("/ready/N", headers={"Sec-Fetch-Site": "cross-site"})).status_code == 403
