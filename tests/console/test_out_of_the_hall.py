"""What leaves the hall: lists as text and picture, pages to publish, the rounds as a calendar, a season of evenings."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from typing import Any

import cv2
import numpy as np
import pytest

from table_service.console.season import EveningRanking, evening_of, season_of

feed: Any = sys.modules["console_feed"]
PAIRS = "T12 Rossi–Bianchi / Verdi–Neri\nriposa Gialli–Blu"


async def played(house: Any) -> None:
    """A round at one table whose sheets are confirmed, a pair that rests, and one warning that costs points."""
    house.hear()
    await house.post("/round/start", "chief", deals="2", minutes="60", pairs=PAIRS)
    house.say("T12/event/round.started", feed.event(400, "round.started", minutes=60, deals=2))
    for event in feed.settled():
        house.say(f"T12/event/{event['type']}", event)
    warned = feed.event(600, "warning.given", line="EW", count=1, total=2, victory_points=-1, row="F-37")
    house.say("T12/event/warning.given", warned)
    await house.post("/round/end", "chief", anyway="1")


async def test_ranking_and_seating_go_to_a_chat_as_text_and_as_a_picture(house: Any) -> None:
    await played(house)
    page = await house.page("/standing", "organiser")
    for kind in ("seating", "ranking"):
        assert f'data-share="/reports/lists/{kind}"' in page
        text = (await house.get(f"/reports/lists/{kind}.txt", "organiser")).text
        assert "Rossi–Bianchi" in text
        assert "mmonizion" not in text, "a warning is not for a chat group"
        picture = (await house.get(f"/reports/lists/{kind}.png", "organiser")).content
        pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert pixels.shape[0] > 200
        assert (pixels < 100).mean() > 0.005, "there are letters on it"
    assert "T12: Rossi–Bianchi / Verdi–Neri" in (await house.get("/reports/lists/seating.txt", "organiser")).text
    assert (await house.get("/reports/lists/ranking.png", "spectator")).status_code == 403


async def test_the_folder_to_publish_needs_no_script_and_holds_nothing_that_is_not_public(house: Any) -> None:
    await played(house)
    assert "Nessuna classifica è pubblicata" in (await house.get("/reports/site.zip", "organiser")).text
    await house.post("/round/publish", "chief")
    body = (await house.get("/reports/site.zip", "organiser")).content
    files = {
        name: zipfile.ZipFile(io.BytesIO(body)).read(name) for name in zipfile.ZipFile(io.BytesIO(body)).namelist()
    }
    page = files["tavolo/index.html"].decode()
    assert "Rossi–Bianchi" in page
    assert "<script" not in page
    assert "style=" not in page
    for link in re.findall(r'(?:href|src)="([^"]+)"', page):
        assert f"tavolo/{link}" in files, "every address is a file beside it"
    whole = b"".join(one for name, one in files.items() if not name.endswith(".png")).decode()
    for hidden in ("mmonizion", "F-37", "deduction", "member", "T12-000a3f"):
        assert hidden not in whole
    assert (await house.get("/reports/site.zip", "organiser")).content == body, "the same evening gives the same bytes"


async def test_the_rounds_are_a_calendar(house: Any) -> None:
    await played(house)
    dates = (await house.get("/reports/rounds.ics", "organiser")).text
    assert dates.count("BEGIN:VEVENT") == 1
    assert re.search(r"^DTSTART:\d{8}T\d{6}Z\r$", dates, re.MULTILINE)
    assert "SUMMARY:Incontro 1 · Torneo" in dates
    assert all(len(line.encode()) <= 75 for line in dates.split("\r\n"))


def test_a_season_counts_the_best_evenings_and_knows_a_pair_in_any_order_of_names() -> None:
    evenings = (
        EveningRanking("A", {"Rossi–Bianchi": 1, "Verdi–Neri": 2, "Conti–Serra": None}),
        EveningRanking("B", {"bianchi – rossi": 3, "Verdi–Neri": 1, "Longo–Marini": 2}),
        EveningRanking("C", {"Verdi–Neri": 4, "Rossi–Bianchi": 1}),
    )
    rows = season_of(evenings, (10, 8, 6), best=2)
    assert [(row.place, row.entry, row.total) for row in rows] == [
        (1, "Rossi–Bianchi", 20), (2, "Verdi–Neri", 18), (3, "Longo–Marini", 8), (4, "Conti–Serra", 0),
    ]  # fmt: skip
    assert rows[0].points == (10, 6, 10)
    assert rows[0].counted == (True, False, True)
    assert rows[2].points == (None, 8, None)


def test_merit_groups_of_an_evening_follow_each_other_in_the_season() -> None:
    rows = [
        {"pair": "A", "place": 1, "group": 1},
        {"pair": "B", "place": 2, "group": 1},
        {"pair": "C", "place": 1, "group": 2},
    ]
    assert evening_of("x", rows).places == {"A": 1, "B": 2, "C": 3}


@pytest.mark.parametrize("ending", ["csv", "xlsx", "pdf", "json", "txt", "png"])
async def test_closed_tournaments_add_up_to_a_season_and_it_is_taken_away(house: Any, ending: str) -> None:
    choices = house.book.choices
    for number, first in ((1, "Rossi–Bianchi"), (2, "Verdi–Neri")):
        rows = [{"pair": first, "place": 1, "vp": 20}, {"pair": "Conti–Serra", "place": 2, "vp": 0}]
        choices.keep_final(number, {"tournament": f"Serata {number}", "rows": rows}, "la chief", now=house.at)
    page = await house.page("/season?points=10+8&best=1")
    assert re.search(r'class="num">1</td><th scope="row">Rossi–Bianchi</th><td class="num">10<', page)
    assert "(8)" in page, "what does not count stands in brackets"
    answer = await house.get(f"/reports/lists/season.{ending}?points=10+8&best=1")
    assert answer.status_code == 200
    if ending == "csv":
        assert "Conti–Serra;8;8;(8)" in answer.text
    assert "I punti sono numeri interi" in await house.page("/season?points=dieci")


async def test_a_tournament_that_is_closed_keeps_its_ranking_for_the_season(house: Any) -> None:
    await played(house)
    await house.post("/round/close-tournament", "chief")
    (body,) = house.book.choices.finals().values()
    assert {row["pair"] for row in body["rows"]} == {"Rossi–Bianchi", "Verdi–Neri", "Gialli–Blu"}
    assert "deduction" not in str(body)
