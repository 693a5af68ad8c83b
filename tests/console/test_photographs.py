"""Scores from photographs in the console: for who runs or rules the round, kept with name and hashes, noted."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from table_service.console import ConsoleSettings
from table_service.console.retention import look_after
from table_service.console.round_page import next_step
from table_service.console.tournament_book import ranking_of, results_of
from table_service.games.photographed import explained

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
        assert "conserva una smazzata dalle fotografie" in (await client.get("/audit")).text


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


# --- in the round's sheets ------------------------------------------------------------------------------------------


@pytest.fixture
def hall(house: Any, tmp_path: Path) -> Any:
    """A console of a hall with two tables that have no electronics, its file in the test's folder."""
    settings = ConsoleSettings(undo=0, tables=("T1", "T2"), data=tmp_path / "console.sqlite")
    return type(house)(settings, house.book)


async def keep(house: Any, table: str, number: int, **more: Any) -> Any:
    async with house.client("arbitro", "Anna") as client:
        return await client.post("/photographs/keep", json={**DEAL, "table": table, "number": number, **more})


async def test_an_evening_without_any_electronic_table_is_ranked_by_photographs_alone(hall: Any) -> None:
    pairs = "T1 Rossi–Bianchi / Verdi–Neri\nT2 Gallo–Costa / Riva–Fonti"
    await hall.post("/round/start", "organiser", deals="4", minutes="100", pairs=pairs)
    hall.at += 60
    for number in range(1, 5):
        assert (await keep(hall, "T1", number)).json() == {"kept": True, "sheet": f"/sheets/T1#deal-{number}"}
    held = hall.office.sheets.now("T1")
    assert (held.closed, held.running()) == (True, (460, 80))
    assert held.points("victory_points") == (12, 8)
    round_ = hall.book.rounds.current
    assert next_step(round_, results_of(hall.app.state.pages, round_), hall.at) == ("next_silent", 1)
    for number in range(1, 5):
        await keep(
            hall,
            "T2",
            number,
            facts={
                "NS": DEAL["facts"]["EW"] | {"hands": {"N": [], "S": ["KD"]}},
                "EW": {"closed": True, "pot": "taken", "hands": {"E": [], "W": []}},
            },
        )
    ranked = ranking_of(hall.app.state.pages)
    assert [(one.place, one.pair, one.vp) for one in ranked][:2] == [(1, "Riva–Fonti", 12), (2, "Rossi–Bianchi", 12)]


async def test_a_table_that_is_only_photographed_is_offered_no_late_start(hall: Any) -> None:
    await hall.post("/round/start", "organiser", deals="4", minutes="100")
    hall.at += 60
    assert "/round/start-late" not in (await hall.get("/round", "organiser")).text
    hall.say("T1/status", {"state": "ready", "boot": "000001", "version": "x"})
    assert "/round/start-late" in (await hall.get("/round", "organiser")).text


async def test_kept_deals_are_there_after_a_restart_and_a_later_one_replaces_them(hall: Any) -> None:
    await keep(hall, "T1", 1, confirmed=["NS"])
    await keep(hall, "T1", 1, written={"NS": {"melds": 25, "total": 125}})
    again = type(hall)(hall.settings, hall.book, hall.at)
    (sheet,) = again.office.sheets.now("T1").sheets.values()
    assert (sheet.total("NS"), sheet.state) == (115, "differs")
    row = next(row for row in sheet.rows("NS") if row.name == "melds")
    assert (row.written, row.photographs, row.counts) == (25, 15, 15)


async def test_a_figure_that_no_picture_shows_is_the_written_one_only_once_both_lines_confirm_it(hall: Any) -> None:
    open_ = {"groups": [], "facts": {}, "written": {"NS": {"total": 700}, "EW": {"total": 300}}}
    await keep(hall, "T1", 1, **open_, confirmed=["NS"])
    assert hall.office.sheets.now("T1").running() == (None, None)
    await keep(hall, "T1", 1, **open_, confirmed=["NS", "EW"])
    assert hall.office.sheets.now("T1").running() == (700, 300)
    assert hall.office.sheets.now("T1").sheets[1].state == "done"


async def test_a_match_of_tarocco_by_photographs_is_won_once_its_four_deals_are_counted(hall: Any) -> None:
    await hall.post("/round/start", "organiser", deals="4", minutes="100")
    for number, (ns, ew) in enumerate(((150, 90), (100, 140), (160, 80), (100, 141)), 1):
        told = {"groups": [], "facts": {}, "written": {"NS": {"total": ns}, "EW": {"total": ew}}, "rules": "tarocco"}
        assert (await keep(hall, "T1", number, **told)).status_code == 200
        match = hall.office.sheets.now("T1").match()
        assert match is None or number == 4
    assert [(one.won, one.points) for one in hall.office.sheets.now("T1").match().lines] == [(True, 510), (False, 451)]


async def test_beside_a_table_s_own_count_the_photographs_change_nothing_and_name_the_card(
    make_kept: Any, house: Any
) -> None:
    kept = make_kept()
    kept.hear()
    feed = sys.modules["console_feed"]
    kept.say("T12/event/score.counted", feed.score(501, 1))
    melds = [{"shows": "melds-NS", "cards": ["7H", "8H", "9H"]}, DEAL["groups"][1]]
    await keep(kept, "T12", 1, groups=melds, written={"NS": {"melds": 35}})
    (order,) = [order for _, order in kept.sent if order["do"] == "sheet-written"]
    assert (order["lines"], order["signed"]) == ({"NS": {"melds": 35}}, ["NS", "EW"])
    sheet = kept.office.sheets.now("T12").sheets[1]
    assert (sheet.total("NS"), sheet.by_table) == (475, True)
    html = await kept.page("/sheets/T12", "arbitro")
    assert "vale 310, le foto dicono 25" in html


async def test_its_pictures_are_shown_by_their_hash_and_no_other_file_is(hall: Any, tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    folder.mkdir()
    name = hashlib.sha256(b"picture").hexdigest()
    (folder / f"{name}.jpg").write_bytes(b"picture")
    assert (await hall.get(f"/photographs/pictures/{name}", "organiser")).content == b"picture"
    (folder / f"{name}.jpg").write_bytes(b"another")
    for wrong in (name, "0" * 64, "..%2fconsole"):
        assert (await hall.get(f"/photographs/pictures/{wrong}", "organiser")).status_code == 404
    assert (await hall.get(f"/photographs/pictures/{name}", "spectator")).status_code == 403


def test_old_pictures_go_but_for_those_of_deals_that_are_still_kept(hall: Any, tmp_path: Path) -> None:
    kept, alone = ("a" * 64, "b" * 64)
    folder = tmp_path / "photographs"
    folder.mkdir()
    for name in (f"{kept}.jpg", f"{alone}.jpg", "deal-20260101-000000-000000.json"):
        (folder / name).write_bytes(b"x")
        os.utime(folder / name, (hall.at - 900 * 86_400,) * 2)
    hall.book.tournaments.begin("today", now=hall.at - 10)
    hall.book.photographed.keep("T1", 0.0, None, 1, {"pictures": [kept]}, "Anna", now=hall.at)
    assert look_after(hall.book, hall.settings, now=hall.at) is None
    assert [path.name for path in folder.iterdir()] == [f"{kept}.jpg"]


async def test_a_table_or_a_deal_that_is_none_is_refused_before_anything_is_kept(hall: Any, tmp_path: Path) -> None:
    for table, number in (("T9", 1), ("T1", 0), ("T1", "x"), (["T1"], 1)):
        assert (await keep(hall, table, number)).status_code == 422
    assert not (tmp_path / "photographs").exists()


@pytest.mark.parametrize(("written", "cards"), [(40, (("7H", 5),)), (25, ()), (15, (("KD", 10), ("KS", 10)))])
def test_the_cards_that_explain_a_difference_are_few_or_none(written: int, cards: Any) -> None:
    item = {"cards": [["7H", 5], ["KD", 10], ["KS", 10]], "scale": [5, 10, 15, 20, 30]}
    assert explained(item, 25, written) == cards
