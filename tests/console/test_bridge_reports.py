"""Reports of bridge in the console: who may see which, when, as page, PDF and PBN; what is sealed opens for one answer.

The key lives as long as the request: it is in no file, log or page.
"""

from __future__ import annotations

import random
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from hw.seats import Seat
from table_service.games.bridge.fold.game import open_fold
from table_service.games.bridge.pbn.check import check_file, is_bad
from tests.console.bridge_hall import arbitro_key, evening, hear, round_begins, table_key
from tests.games.bridge.hall_of_boards import TableInHall
from tests.games.bridge.table_of_bridge import HEADER, TableOfBridge, deal_hands, pbn_of

ROUND = ("traveller", "hands", "pace")


def deal_of(house: Any, place: str = "T1", deal: int = 1) -> str:
    """The address of a past deal."""
    sql = "select boot, seq from event where place = ? and deal = ? and type = 'deal.started'"
    row = house.book.database.one(sql, (place, deal))
    return f"/archive/{place}/{row['boot']}/{row['seq']}"


def all_bytes(folder: Path) -> bytes:
    return b"".join(one.read_bytes() for one in folder.iterdir())


async def unseal(house: Any, path: str, role: str = "arbitro", **fields: str) -> httpx.Response:
    held = {"key": arbitro_key(), "table_key": table_key("T1"), "reason": "reclamo di Est"}
    answer: httpx.Response = await house.post(path, role, **{**held, **fields})
    return answer


# -- of a round --------------------------------------------------------------------------------------------------------


async def test_the_traveller_and_the_hands_wait_until_the_round_is_over(make_house: Any) -> None:
    house = make_house()
    evening(house, over=False)
    for name in ("traveller", "hands", "hands.pdf", "hands.pbn"):
        answer = await house.get(f"/reports/round/{name}?lang=en")
        assert answer.status_code == 409
        assert "once the round is over" in answer.text
        assert "♠" not in answer.text
    assert "round-traveller" not in await house.page("/round")
    house.book.rounds.end(now=house.at + 60)
    assert "round-traveller" in await house.page("/round")
    page = await house.page("/reports/round/traveller?lang=en")
    for part in ("Board 3", "NS T2", "M.P.", "Percentages of the round", "100.0 – 0.0"):
        assert part in page


async def test_hand_records_come_as_page_pdf_and_pbn_that_is_sound(make_house: Any) -> None:
    house = make_house()
    evening(house)
    page = await house.page("/reports/round/hands?lang=it")
    assert "Smazzate" in page
    assert "/reports/round/hands.pbn" in page
    answer = await house.get("/reports/round/hands.pbn")
    assert answer.headers["content-disposition"] == 'attachment; filename="tavolo-hands-1.pbn"'
    boards = list(check_file(answer.content, "hands.pbn"))
    assert len(boards) == 9
    assert not any(map(is_bad, boards))
    for name in ROUND:
        paper = await house.get(f"/reports/round/{name}.pdf")
        assert paper.headers["content-type"] == "application/pdf"
        assert paper.content.startswith(b"%PDF")


async def test_a_corrected_score_sheet_is_what_the_traveller_counts(make_house: Any) -> None:
    house = make_house()
    tables = evening(house)
    counted = next(one for one in reversed(tables[0].told) if one["type"] == "score.counted")
    lines = {line: {**counted["data"]["lines"][line], "total": points} for line, points in (("NS", 777), ("EW", -777))}
    anew = {**counted, "id": "T1-000001-009999", "seq": 9999, "data": {**counted["data"], "lines": lines}}
    assert "777" not in await house.page("/reports/round/traveller")
    house.say("T1/event/score.counted", anew)
    assert "777" in await house.page("/reports/round/traveller")


@pytest.mark.parametrize(
    ("role", "status"), [("chief", 200), ("arbitro", 200), ("organiser", 403), ("technician", 403)]
)
async def test_the_clock_of_slow_play_is_the_arbitri_s_alone(make_house: Any, role: str, status: int) -> None:
    house = make_house()
    evening(house, over=False)
    for path in ("/reports/round/pace?lang=en", "/reports/round/pace/now?lang=en", "/reports/round/pace.pdf"):
        assert (await house.get(path, role)).status_code == status
    assert (await house.get("/reports/round/pace", "spectator")).status_code == 403
    assert (await house.get("/reports/round/pace", None)).status_code in (303, 401)
    if role in ("chief", "organiser"):
        assert ("round-pace" in await house.page("/round", role)) == (status == 200)


async def test_the_clock_of_a_round_that_goes_on_is_made_anew_and_ends_with_it(make_house: Any) -> None:
    house = make_house()
    evening(house, over=False, until=60)
    page = await house.page("/reports/round/pace?lang=en", "arbitro")
    assert 'hx-get="/reports/round/pace/now?round=1"' in page
    part = await house.page("/reports/round/pace/now?round=1&lang=en", "arbitro")
    assert "<html" not in part
    assert "0 / 3" in part or "1 / 3" in part
    house.book.rounds.end(now=house.at + 60)
    assert "hx-get" not in (await house.page("/reports/round/pace?lang=en", "arbitro")).split('id="report"')[1][:120]


async def test_no_page_for_everybody_tells_of_time_spent_or_of_a_report(make_house: Any) -> None:
    house = make_house()
    evening(house, over=False)
    for path in ("/", "/wall", "/table/T1", "/api/v1/hall"):
        answer = await house.get(path, "spectator")
        assert not re.search(r"pace|slow play|gioco lento|tray_ms|report/", answer.text.lower()), path


async def test_a_round_of_another_game_has_no_such_report(make_house: Any) -> None:
    house = make_house().hear()
    round_begins(house, ("T12",))
    house.book.rounds.end(now=house.at + 60)
    assert (await house.get("/reports/round/traveller")).status_code == 404
    assert "round-traveller" not in await house.page("/round")


async def test_a_round_of_bridge_is_begun_with_the_boards_and_minutes_of_the_norms(make_house: Any) -> None:
    house = make_house()
    hear(house, behind_the_screen("1S", 1.0, alert=False))
    page = await house.page("/round?lang=en")
    for boards, minutes in ((1, 8), (4, 32), (6, 50), (8, 65), (10, 80), (12, 95), (14, 110), (16, 130), (20, 160)):
        assert f'name="deals" value="{boards}" data-minutes="{minutes}"' in page
    assert (await house.post("/round/start", deals="16", minutes="130", anyway="1")).status_code == 303
    order = house.sent[-1][1]
    assert (order["do"], order["deals"], order["minutes"]) == ("start-round", 16, 130)
    assert (await house.post("/round/start", deals="65", minutes="130")).status_code == 400


# -- of a deal ---------------------------------------------------------------------------------------------------------


async def test_a_past_board_offers_course_report_and_protest_as_page_and_pdf(make_house: Any) -> None:
    house = make_house()
    evening(house)
    deal = deal_of(house)
    past = await house.page(f"{deal}?lang=en", "arbitro")
    for name, part in (("course", "Won by"), ("report", "norm 74"), ("protest", "48 h")):
        assert f'href="{deal}/report/{name}"' in past
        page = await house.page(f"{deal}/report/{name}?lang=en", "arbitro")
        assert part in page
        assert "NS T1" in page
        paper = await house.get(f"{deal}/report/{name}.pdf", "arbitro")
        assert paper.content.startswith(b"%PDF")
    for name in ("nothing", "course.doc", "tempo.pdf"):
        assert (await house.get(f"{deal}/report/{name}", "arbitro")).status_code == 404


async def test_tempo_and_four_hands_open_with_the_arbitros_key_for_one_answer_and_the_reason_is_noted(
    make_house: Any, tmp_path: Path
) -> None:
    house = make_house("console.sqlite")
    evening(house)
    path = f"{deal_of(house)}/report/tempo"
    door = await house.page(f"{path}?lang=en", "arbitro")
    assert 'type="password"' in door
    assert "Evidence for" not in door
    answer = await unseal(house, f"{path}?lang=en", reason="protest of East")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    for part in ("Tempo of the tray", "Evidence for", "The four hands", "Passed at"):
        assert part in answer.text
    again = await house.page(f"{path}?lang=en", "arbitro")
    assert "Evidence for" not in again
    assert table_key("T1") in again, "the table's public key is remembered"
    audit = await house.page("/audit?lang=en")
    assert "opened what was sealed" in audit
    assert "protest of East" in audit
    paper = await unseal(house, path, **{"as": "pdf"})
    assert paper.content.startswith(b"%PDF")
    assert paper.headers["cache-control"] == "no-store"
    house.book.database.flush()
    kept = all_bytes(tmp_path)
    for text in (arbitro_key(), '"thought"', '"passed_by"', "Evidence for"):
        assert text.encode() not in kept
    assert not re.search(arbitro_key(), door + answer.text + again + audit)


async def test_the_reason_is_in_the_log_even_where_the_key_does_not_open(make_house: Any) -> None:
    house = make_house()
    evening(house)
    path = f"{deal_of(house)}/report/tempo?lang=en"
    answer = await unseal(house, path, key="11" * 32, reason="curious")
    assert answer.status_code == 400
    assert "It does not open" in answer.text
    assert "11" * 32 not in answer.text
    assert "curious" in await house.page("/audit?lang=en")


WRONG: list[tuple[dict[str, str], str]] = [
    ({"reason": "  "}, "Say why you open it."),
    ({"key": ""}, "This is no key"),
    ({"key": "zz" * 32}, "This is no key"),
    ({"key": "ab"}, "This is no key"),
    ({"table_key": "12"}, "64 hexadecimal digits"),
    ({"table_key": table_key("T2")}, "not this table’s public key"),
]


async def test_what_is_filled_in_wrongly_is_told_in_a_sentence(make_house: Any) -> None:
    house = make_house()
    evening(house, 1)
    for fields, said in WRONG:
        answer = await unseal(house, f"{deal_of(house)}/report/tempo?lang=en", **fields)
        assert answer.status_code == 400
        assert said in answer.text
        assert arbitro_key() not in answer.text


async def test_nobody_but_an_arbitro_opens_what_is_sealed(make_house: Any) -> None:
    house = make_house()
    evening(house, 1)
    path = f"{deal_of(house)}/report/tempo"
    for role in ("organiser", "technician", "spectator"):
        assert (await unseal(house, path, role)).status_code == 403
        assert (await house.get(path, role)).status_code == 403


async def test_a_key_is_not_taken_over_a_way_that_others_can_read(make_house: Any) -> None:
    house = make_house()
    evening(house, 1)
    path = f"{deal_of(house)}/report/tempo?lang=en"
    cookie, csrf = house.cookie("arbitro")
    for scheme, status in (("http", 400), ("https", 200)):
        way = httpx.ASGITransport(house.app, client=("192.168.1.30", 5000))
        headers = {"X-CSRF": csrf}
        async with httpx.AsyncClient(
            transport=way, base_url=f"{scheme}://console", cookies={"tavolo": cookie}, headers=headers
        ) as client:
            shown = await client.get(path)
            assert ('id="unseal"' in shown.text) == (scheme == "https")
            held = {"key": arbitro_key(), "table_key": table_key("T1"), "reason": "reclamo"}
            answer = await client.post(path, data=held)
            assert answer.status_code == status
            assert ("Evidence for" in answer.text) == (scheme == "https")


async def test_sealed_messages_of_games_without_such_reports_are_not_kept(make_house: Any) -> None:
    house = make_house().hear()
    told = {"v": 2, "event": "T12-000a3f-000001", "deal": 1, "sealed": "x", "signature": "y", "key": "z"}
    house.say("T12/sealed/1", told)
    house.book.database.flush()
    assert house.book.sealed.of("T12", ["T12-000a3f-000001"]) == {}


def behind_the_screen(call: str, late: float, *, alert: bool, passed: bool = False) -> TableInHall:
    """A table at which North and East have called and the arbitro was called; ``passed``: the tray has been, too."""
    table = TableOfBridge(fold=open_fold(replace(HEADER, table="T1"), "000001"))
    table.begin(Seat.NORTH, record=pbn_of(deal_hands(random.Random(4))))
    table.t = 10.0
    table.call(Seat.NORTH, call)
    if alert:
        table.tray[Seat.NORTH].append("alert")
        table.wait(late)
        table.sight()
    table.t = 80.0
    table.call(Seat.EAST, "P")
    table.press(Seat.SOUTH, "referee")
    if passed:
        table.push()
    return TableInHall("T1", tuple(table.events))


async def seen_by(house: Any, role: str) -> str:
    """What a person of that role is shown of the board, without what differs with every page by itself."""
    texts = [await house.page("/table/T1?lang=en", role), (await house.get("/round?lang=en", role)).text]
    deal = deal_of(house)
    reports = (f"{deal}/report/{name}" for name in ("course", "tempo", "report", "protest"))
    texts += [(await house.get(f"{path}?lang=en", role)).text for path in (deal, *reports, "/reports/round/pace")]
    person = house.book.accounts.named(f"la {role}")
    token = house.book.accounts.link(person.id, "api", expires=time.time() + 3600)
    async with house.client(None) as client:
        client.headers["Authorization"] = f"Bearer {token}"
        paths = ("hall", "tables/T1", "tables/T1/events", "alerts", "sheets")
        texts += [(await client.get(f"/api/v1/{path}")).text for path in paths]
    return re.sub(r'X-CSRF":"[^"]+"|name="csrf" value="[^"]+"|from=[\w-]+|data-since="\d+"', "", "\n".join(texts))


@pytest.mark.parametrize("role", ["chief", "spectator"])
async def test_every_page_and_answer_is_the_same_bytes_whatever_lies_behind_the_screen(
    make_house: Any, role: str
) -> None:
    seen = []
    for call, late, alert, passed in (
        ("1S", 25.0, True, False),
        ("4N", 0.0, False, False),
        ("P", 3.0, True, False),
        ("4N", 0.0, False, True),
    ):
        house = make_house()
        round_begins(house, ("T1",))
        hear(house, behind_the_screen(call, late, alert=alert, passed=passed))
        house.book.kept.flush()
        assert len(house.book.database.rows("select * from sealed")) > 0, "the arbitro has it, sealed"
        seen.append(await seen_by(house, role))
    assert seen[0] == seen[1] == seen[2]
    assert seen[3] != seen[0], "what was passed is told"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("it", ("Classifica della gara", "Coppie, in percentuale")),
        ("en", ("Standing of the event", "Pairs, in per cent")),
    ],
)
async def test_the_standing_over_all_rounds_is_shown_and_printed(
    make_house: Any, language: str, words: tuple[str, ...]
) -> None:
    house = make_house()
    evening(house)
    assert words[0] in await house.page(f"/standing?lang={language}")
    page = await house.page(f"/reports/event/standing?lang={language}")
    for one in (*words, "NS T2", " %"):
        assert one in page
    assert (await house.get("/reports/event/standing.pdf")).content.startswith(b"%PDF")
    assert (await house.get("/reports/event/standing.xml")).text.startswith("<?xml")
    assert (await house.get("/reports/event/standing.json")).json()["pairs"]
    assert "% PBN" in (await house.get("/reports/event/hands.pbn")).text
    assert 'href="/reports/event/standing.csv"' in page
    assert (await house.get("/reports/event/standing.doc")).status_code == 404
    assert (await house.get("/reports/event/other")).status_code == 404
    assert (await house.get("/reports/event/standing", "spectator")).status_code == 403
