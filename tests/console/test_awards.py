"""Scores and deductions that an arbitro enters: who may, what is asked, where they count, how they are taken back."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from table_service.console.storage import Book
from table_service.console.storage.database import SCHEMA
from table_service.console.tournament_book import team_results
from table_service.games.bridge.pbn.check import check_file
from tests.console.bridge_hall import evening
from tests.console.test_api import API, program
from tests.games.bridge.hall_of_boards import BEGUN

SIXTY_FORTY = {"kind": "artificial", "fault-NS": "none", "fault-EW": "directly"}
WEIGHTED = {
    "kind": "result",
    **{f"NS-1-{name}": value for name, value in {"contract": "4S", "by": "S", "result": "=", "weight": "60"}.items()},
    **{f"NS-2-{name}": value for name, value in {"contract": "4S", "by": "S", "result": "-1", "weight": "40"}.items()},
}
SPLIT = {
    "kind": "result",
    **{f"NS-1-{name}": value for name, value in {"contract": "3N", "by": "S", "result": "-2"}.items()},
    **{f"EW-1-{name}": value for name, value in {"contract": "3N", "by": "S", "result": "+3"}.items()},
}
ONE_VP = {"kind": "deduction", "line": "NS", "unit": "vp", "amount": "1"}


async def enter(house: Any, fields: dict[str, str], role: str = "arbitro", **more: str) -> Any:
    form = {"table": "T1", "number": "1", "article": "12C2", "reason": "score aperto", **fields, **more}
    return await house.post("/awards?lang=en", role, **form)


async def listed(house: Any, role: str = "arbitro") -> str:
    page: str = await house.page("/awards?lang=en", role)
    return page.split('id="awards-head"')[1]


async def test_what_is_entered_counts_on_the_traveller_at_once_and_is_told_with_article_reason_and_person(
    make_house: Any,
) -> None:
    house = make_house()
    evening(house)
    before = await house.page("/reports/round/traveller?lang=en")
    assert "60.0 – 40.0" not in before
    assert (await enter(house, SIXTY_FORTY)).status_code == 303
    after = await house.page("/reports/round/traveller?lang=en")
    for part in ("60.0 – 40.0", "artificial score: 60 % – 40 % (IMPs 3 / -3)", "art. 12C2; score aperto; la arbitro"):
        assert part in after, part
    assert "Punteggio artificiale: T1" in await house.page("/reports/round/traveller?lang=it")
    assert (await enter(house, WEIGHTED, table="T2", number="2", article="12C1c")).status_code == 303
    assert "60 % 4♠ S =, 40 % 4♠ S -1" in re.sub(r"<[^>]+>", "", await house.page("/reports/round/traveller?lang=en"))
    paper = await house.get("/reports/round/traveller.pdf")
    assert paper.content.startswith(b"%PDF")


async def test_a_board_that_nobody_played_has_its_score_too(make_house: Any) -> None:
    house = make_house()
    evening(house)
    assert "Board 9" not in await house.page("/reports/round/traveller?lang=en")
    assert (await enter(house, SIXTY_FORTY, number="9", article="N.I. 8.2")).status_code == 303
    assert "Board 9" in await house.page("/reports/round/traveller?lang=en")


async def test_the_report_of_the_board_and_its_pbn_say_it(make_house: Any) -> None:
    house = make_house()
    evening(house)
    await enter(house, SPLIT)
    row = house.book.database.one(
        "select boot, seq from event where place = 'T1' and deal = 1 and type = 'deal.started'"
    )
    report = await house.page(f"/archive/T1/{row['boot']}/{row['seq']}/report/report?lang=it")
    assert "punteggi diversi per le due linee (split score): NS: 3 SA S -2; EO: 3 SA S +3" in report
    assert 'href="/awards?table=T1&amp;number=1"' in report
    text = (await house.get("/reports/round/hands.pbn")).content
    told = [one for one in check_file(text, "hands.pbn") if one["board"] == "1"]
    assert len(told) == 3
    assert b'[Score "NS -100 EW -490"]' in text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"kind": "artificial"}, "Each line needs per cent"),
        ({**SIXTY_FORTY, "number": ""}, "Of which board? A number from 1 to 999."),
        ({**SIXTY_FORTY, "number": "1000"}, "Of which board?"),
        ({**SIXTY_FORTY, "article": " "}, "The law or norm is missing."),
        ({**SIXTY_FORTY, "reason": " "}, "The reason is missing."),
        ({**SIXTY_FORTY, "table": "T9"}, "Something is missing"),
        ({"kind": "result"}, "Write one contract"),
        ({**ONE_VP, "amount": "molti"}, "is no number"),
    ],
)
async def test_what_lacks_something_is_refused_with_its_sentence_and_nothing_is_kept(
    make_house: Any, fields: dict[str, str], sentence: str
) -> None:
    house = make_house()
    evening(house)
    answer = await enter(house, fields)
    assert answer.status_code == 400
    assert sentence in answer.text
    assert house.book.awards.all() == []


@pytest.mark.parametrize(
    ("role", "may"), [("chief", True), ("arbitro", True), ("organiser", False), ("technician", False)]
)
async def test_only_arbitri_enter_and_see_the_form_and_the_way_to_it(make_house: Any, role: str, may: bool) -> None:
    house = make_house()
    evening(house)
    assert (await house.get("/awards", role)).status_code == (200 if may else 403)
    assert (await enter(house, SIXTY_FORTY, role)).status_code == (303 if may else 403)
    assert len(house.book.awards.all()) == int(may)
    assert ("/awards" in await house.page("/table/T1", role)) == may
    if role != "technician":
        assert ("/awards" in await house.page("/standing", role)) == may
        assert ("/awards" in await house.page("/reports/round/traveller", role)) == may


async def test_who_entered_it_undoes_it_for_a_while_later_it_is_withdrawn_with_a_reason(make_house: Any) -> None:
    house = make_house(undo=5)
    evening(house)
    for _ in range(3):
        await enter(house, SIXTY_FORTY)
    first, second, third = (one.id for one in house.book.awards.all())
    page = await listed(house)
    assert page.count("undo-award-") == 3
    assert "undo-award-" not in await listed(house, "chief")  # another person's
    assert (await house.post(f"/awards/{first}/undo", "chief")).status_code == 400
    assert (await house.post(f"/awards/{first}/undo", "arbitro")).status_code == 303
    house.at += 6
    assert "undo-award-" not in await listed(house)
    assert (await house.post(f"/awards/{second}/undo", "arbitro")).status_code == 400
    assert (await house.post(f"/awards/{second}/withdraw", "arbitro", reason=" ")).status_code == 400
    assert (await house.post(f"/awards/{second}/withdraw", "chief", reason="errore mio")).status_code == 303
    assert (await house.post(f"/awards/{second}/withdraw", "chief", reason="ancora")).status_code == 400
    assert [one.id for one in house.book.awards.all()] == [third]
    page = await listed(house)
    assert page.count("Withdrawn by") == 2
    assert "errore mio" in page
    assert "60.0 – 40.0" in await house.page("/reports/round/traveller?lang=en")
    await house.post(f"/awards/{third}/withdraw", "arbitro", reason="rigiocata")
    assert "60.0 – 40.0" not in await house.page("/reports/round/traveller?lang=en")


async def test_a_penalty_names_who_pays_it(make_house: Any) -> None:
    house = make_house()
    evening(house)
    await enter(house, {**ONE_VP, "line": "EW"}, table="T2", number="", article="N.I. 8.2")
    assert "penalty: EW: −1 V.P. (EW T2)" in await listed(house)
    assert house.book.awards.all()[0].number is None


async def test_the_log_says_what_was_entered_and_what_was_taken_back(make_house: Any) -> None:
    house = make_house()
    evening(house)
    await enter(house, SIXTY_FORTY)
    await house.post("/awards/1/withdraw", "arbitro", reason="errore mio")
    log = await house.page("/audit?lang=it", "chief")
    for part in ("inserisce un punteggio arbitrale", "revoca un punteggio", "errore mio"):
        assert part in log, part
    assert "artificial score: 60 % – 40 % (IMPs 3 / -3) (12C2)" in log  # in the language of who entered it


async def test_what_was_entered_survives_a_restart_and_goes_with_its_round(make_house: Any, tmp_path: Path) -> None:
    path = tmp_path / "console.sqlite"
    house = make_house(data=path.name)
    evening(house)
    await enter(house, SIXTY_FORTY)
    house.book.tournaments.end("la chief", now=house.at)
    house.book.close()
    again = Book(path)
    assert [(one.place, one.number, one.fields["NS"]) for one in again.awards.all()] == [("T1", 1, "60")]
    again.tournaments.delete(again.tournaments.all()[0].id)
    assert again.awards.all() == []
    again.close()


def test_a_file_of_the_version_before_gets_the_table_and_is_kept_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "console.sqlite"
    Book(path).close()
    with sqlite3.connect(path) as file:
        file.execute("drop table award")
        file.execute("pragma user_version = 2")
    book = Book(path)
    assert book.awards.all() == []
    book.close()
    with sqlite3.connect(path) as file:
        assert file.execute("pragma user_version").fetchone()[0] == SCHEMA
    assert (tmp_path / "console.sqlite.schema-2").exists()


async def test_a_warning_of_before_is_taken_into_account_by_the_slow_play_clock(make_house: Any) -> None:
    house = make_house()
    house.at = BEGUN
    evening(house, tables=2, over=False, until=60)
    house.book.rounds.seat(
        house.book.rounds.current.id,
        {("T1", "NS"): "Leoni", ("T1", "EW"): "Tigri", ("T2", "NS"): "Tigri", ("T2", "EW"): "Leoni"},
    )
    begun = house.book.rounds.current.begun
    page = await house.page("/reports/round/pace?lang=en", "arbitro")
    assert "past the end of the round" in page
    house.at = begun + 24 * 60 + 1500
    assert await due(house) == {"Leoni": "never", "Tigri": "never"}
    await enter(house, {**ONE_VP, "line": "EW"}, table="T2", article="91")
    house.at += 60
    assert await due(house) == {"Leoni": "never", "Tigri": "never"}  # after its time: what the end itself has brought
    house.book.database.do("update award set at = ?", (begun + 60,))
    house.at += 60
    assert await due(house) == {"Leoni": "before", "Tigri": "never"}
    await house.post("/awards/1/withdraw", "arbitro", reason="errore")
    house.at += 60
    assert await due(house) == {"Leoni": "never", "Tigri": "never"}


async def test_the_ranking_of_teams_has_the_imps_of_the_traveller_and_what_was_entered(make_house: Any) -> None:
    house = make_house()
    evening(house, tables=2)
    (leoni, _), (tigri, _) = await teams(house)
    assert (leoni, tigri) == await on_the_traveller(house)
    await enter(house, SIXTY_FORTY, table="T2")  # Tigri sit North and South of the closed room
    entered = await teams(house)
    assert [imps for imps, _ in entered] == list(await on_the_traveller(house))
    assert entered[0][0] != leoni or entered[1][0] != tigri
    await enter(house, {**SIXTY_FORTY, "imps-NS": "50", "imps-EW": "-50"}, number="2")
    assert (await teams(house))[0][0] is not None
    assert [imps for imps, _ in await teams(house)] == list(await on_the_traveller(house))
    await enter(house, {"kind": "artificial", "percent-NS": "62", "percent-EW": "38"}, number="3")
    assert await teams(house) == [(None, None), (None, None)]  # nobody has said how many IMPs


async def teams(house: Any) -> list[tuple[int | None, int | None]]:
    """IMPs and victory points of both teams, as the ranking takes them; the open room's North and South first."""
    pages = house.app.state.pages
    seats = {("T1", "NS"): "Leoni", ("T1", "EW"): "Tigri", ("T2", "NS"): "Tigri", ("T2", "EW"): "Leoni"}
    house.book.rounds.seat(house.book.rounds.current.id, seats)
    (match,) = team_results(pages, house.book.rounds.current)
    return [(one.mp, one.vp) for one in match.lines]


async def on_the_traveller(house: Any) -> tuple[int, int]:
    page = await house.page("/reports/round/traveller?lang=en")
    total = re.search(r"<td>Total</td>(?:<td></td>){4}<td>(-?[0-9.]+)</td><td>(-?[0-9.]+)</td>", page)
    assert total is not None
    return int(total[1]), int(total[2])


async def due(house: Any) -> dict[str, str]:
    """Of each team whether the clock of slow play takes it as warned or penalised before."""
    page = await house.page("/reports/round/pace?lang=en", "arbitro")
    told = re.findall(r"over, (\w+): [^<]*\((?:warned or penalised )?(before|never)", page)
    assert told, page
    return dict(told)


# -- programs ----------------------------------------------------------------------------------------------------------


async def test_a_program_enters_an_award_reads_it_and_takes_it_back(make_house: Any) -> None:
    house = make_house(undo=5)
    evening(house)
    said = {"table": "T1", "number": 1, "article": "12C2", "reason": "score aperto", "fields": SIXTY_FORTY}
    async with program(house) as client:
        made = await client.post(f"{API}/awards", json=said)
        assert made.status_code == 201, made.text
        one = made.json()
        assert (one["by"], one["en"]) == ("un arbitro", "artificial score: 60 % – 40 % (IMPs 3 / -3)")
        assert one["undo_until"] == house.at + 5
        assert "60.0 – 40.0" in await house.page("/reports/round/traveller?lang=en")
        listed = (await client.get(f"{API}/awards", params={"round": 1})).json()
        assert (listed["round"], listed["awards"]) == (1, [one])
        undone = await client.post(f"{API}/awards/{one['id']}/taken-back", json={"deed": "undo"})
        assert (undone.json()["withdrawn_by"], undone.json()["undo_until"]) == ("un arbitro", None)
        assert "60.0 – 40.0" not in await house.page("/reports/round/traveller?lang=en")
        again = await client.post(f"{API}/awards/{one['id']}/taken-back", json={"deed": "undo"})
        assert (again.status_code, again.json()["error"]) == (409, "award_gone")
        later = (await client.post(f"{API}/awards", json=said)).json()
        house.at += 60
        withdraw = f"{API}/awards/{later['id']}/taken-back"
        assert (await client.post(withdraw, json={"deed": "undo"})).json()["error"] == "award_late"
        assert (await client.post(withdraw, json={"deed": "withdraw"})).json()["error"] == "reason_missing"
        gone = (await client.post(withdraw, json={"deed": "withdraw", "reason": "wrong table"})).json()
        assert (gone["withdrawn"], gone["why"]) == (house.at, "wrong table")
    log = await house.page("/audit?lang=en&all=1")
    assert "artificial score: 60 % – 40 %" in log


@pytest.mark.parametrize(
    ("said", "status", "error"),
    [
        ({"fields": {"kind": "artificial"}}, 422, "as_game_says"),
        ({"number": None}, 422, "award_number"),
        ({"table": "T9"}, 422, "bad_form"),
        ({"surprise": 1}, 422, "bad_form"),
    ],
)
async def test_what_a_program_sends_wrong_is_refused_and_nothing_is_kept(
    make_house: Any, said: dict[str, Any], status: int, error: str
) -> None:
    house = make_house()
    evening(house)
    whole = {"table": "T1", "number": 1, "article": "12C2", "reason": "r", "fields": SIXTY_FORTY, **said}
    async with program(house) as client:
        answer = await client.post(f"{API}/awards", json=whole)
        assert (answer.status_code, answer.json()["error"]) == (status, error)
        assert (await client.get(f"{API}/awards?round=7")).status_code == 404
        assert (await client.post(f"{API}/awards/99/taken-back", json={"deed": "undo"})).status_code == 404
    assert house.book.awards.all() == []
    async with program(house, "technician") as client:
        assert (await client.get(f"{API}/awards")).status_code == 403
        assert (await client.post(f"{API}/awards", json=whole)).status_code == 403


async def test_a_game_without_awards_has_none_for_programs_either(house: Any) -> None:
    house.hear()
    async with program(house) as client:
        assert (await client.get(f"{API}/awards")).json()["error"] == "award_no_round"
    house.book.rounds.begin(2, 25.0, ("T12",), "test", now=1.0)
    async with program(house) as client:
        answer = await client.get(f"{API}/awards")
    assert (answer.status_code, answer.json()["error"]) == (404, "award_at_table")
