"""Scores from photographs in the console: for who runs or rules the round, kept with name and hashes, noted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from table_service.console import ConsoleSettings

DEAL = {
    "rules": "fibur2024",
    "groups": [{"shows": "melds-NS", "cards": ["4H", "5H", "6H"]}, {"shows": "melds-EW", "cards": ["9C", "TC", "JC"]}],
    "facts": {"NS": {"closed": True, "pot": "taken", "hands": {"N": [], "S": []}},
              "EW": {"pot": "taken", "hands": {"E": [], "W": ["KD"]}}},
    "confirmed": ["NS", "EW"],
    "who": "Anna",
}  # fmt: skip


async def test_the_round_s_page_leads_there_and_a_spectator_finds_no_page(house: Any) -> None:
    house.hear()
    assert (await house.get("/photographs/", "organiser")).status_code == 200
    assert (await house.get("/photographs/", "spectator")).status_code == 403


async def test_a_deal_is_counted_by_the_console_whatever_the_page_says(house: Any) -> None:
    async with house.client("arbitro") as client:
        answer = await client.post("/photographs/count", json={**DEAL, "lines": {"NS": {"total": 9999}}})
    assert answer.json()["lines"]["NS"]["total"] == 15 + 100
    assert answer.json()["lines"]["EW"]["total"] == 30 - 10


@pytest.fixture
def make_kept(house: Any, tmp_path: Path) -> Any:
    """Makes a console whose own file lies in the test's folder; its book is the usual one."""
    return lambda: type(house)(ConsoleSettings(undo=0, data=tmp_path / "console.sqlite"), house.book)


async def test_a_kept_deal_names_who_entered_it_and_is_noted(make_kept: Any, tmp_path: Path) -> None:
    house = make_kept()
    async with house.client("organiser", "Bea") as client:
        answer = await client.post("/photographs/keep", json={**DEAL, "written": {"NS": {"melds": 25}}})
    assert answer.json() == {"kept": True}
    (kept,) = (tmp_path / "photographs").glob("deal-*.json")
    deal = json.loads(kept.read_text())
    assert (deal["who"], deal["entered_by"], deal["confirmed"]) == ("Anna", "Bea", ["NS", "EW"])
    assert (deal["lines"]["NS"]["total"], deal["written"]) == (115, {"NS": {"melds": 25}})
    async with house.client() as client:
        assert "kept photographs" in (await client.get("/audit")).text


async def test_a_forged_request_counts_nothing(house: Any) -> None:
    async with house.client("arbitro") as client:
        answer = await client.post("/photographs/count", json=DEAL, headers={"X-CSRF": "x"})
    assert answer.status_code == 403


@pytest.mark.parametrize("odd", [
    {"groups": 7}, {"groups": [7]}, {"groups": [{"shows": "melds-NS", "cards": "7H"}]}, {"facts": 3},
    {"groups": [{"shows": "melds-NS", "cards": ["7H"], "confidence": [10**400], "gaps": 4, "beside": {}, "doubts": 1}]},
    {"facts": {"NS": {"hands": 4, "pot": [], "bonus": "x"}, "EW": None}}, {"confirmed": 3, "written": {"NS": 4}},
])  # fmt: skip
async def test_odd_documents_are_answered(house: Any, odd: dict[str, Any]) -> None:
    async with house.client("arbitro") as client:
        answer = await client.post("/photographs/count", json={**DEAL, **odd})
    assert answer.status_code in (200, 422)
