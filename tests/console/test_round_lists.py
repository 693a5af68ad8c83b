"""Seating, ranking and warnings leave the console as CSV, JSON and PDF, with the same rows in each."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from table_service.console.archive.printed_text import markup

feed: Any = sys.modules["console_feed"]
KINDS = ("seating", "ranking", "warnings")
SEATED = "T12 Rossi / =Verdi\nriposa Gialli"


@pytest.fixture
async def evening(house: Any) -> Any:
    """A round at one table whose sheets are confirmed, a pair that rests, and one warning."""
    house.hear()
    await house.post("/round/start", "chief", deals="2", minutes="60", pairs=SEATED)
    house.say("T12/event/round.started", feed.event(400, "round.started", minutes=60, deals=2))
    for event in feed.settled():
        house.say(f"T12/event/{event['type']}", event)
    house.say(
        "T12/event/warning.given",
        feed.event(600, "warning.given", line="EW", count=1, total=2, victory_points=-1, row="F-37"),
    )
    return house


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


async def the_list(house: Any, name: str) -> bytes:
    answer = await house.get(f"/reports/lists/{name}", "organiser")
    assert answer.status_code == 200
    assert f'filename="tavolo-{name.partition("?")[0]}"' in answer.headers["content-disposition"]
    body: bytes = answer.content
    return body


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("kind", KINDS)
async def test_the_three_formats_say_the_same(evening: Any, kind: str, language: str) -> None:
    told = json.loads(await the_list(evening, f"{kind}.json?lang={language}"))
    body = (await the_list(evening, f"{kind}.csv?lang={language}")).decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(body), delimiter=";")
    expected = [["" if cell is None else str(cell) for cell in row.values()] for row in told["rows"]]
    assert expected
    assert [[re.sub("^'", "", cell) for cell in row] for row in rows] == [
        [re.sub("^'", "", cell) for cell in row] for row in expected
    ]
    page = "".join(text_of(await the_list(evening, f"{kind}.pdf?lang={language}")).split())
    for cell in [told["title"], *head, *(one for row in expected for one in row)]:
        assert "".join(cell.split()) in page, cell


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Đorđević–Łukasz", "Đorđević–Łukasz"), ("Kovač & <Žižka>", "Kovač & <Žižka>"), ("Œuvré–Çelik", "Œuvré–Çelik")],
)
async def test_names_with_letters_beyond_western_europe_are_printed(house: Any, name: str, shown: str) -> None:
    house.hear()
    page = await house.get("/reports/lists/seating.pdf", "organiser", params={"pairs": f"T3 {name} / Neri"})
    assert shown in text_of(page.content)


def test_a_letter_that_no_font_has_is_printed_without_its_accent_or_as_unknown() -> None:
    nowhere = Path("/nowhere")
    assert markup("Ștefănescu & Ж♥", nowhere) == "Stefanescu &amp; ?♥"
    assert markup("Čapek", nowhere) == '<font name="Vera">Č</font>apek'


async def test_the_seating_names_every_table_and_who_rests(evening: Any) -> None:
    told = json.loads(await the_list(evening, "seating.json"))
    assert told["rows"] == [
        {"table": "T12", "NS": "Rossi", "EW": "=Verdi"},
        {"table": "riposa", "NS": "Gialli", "EW": None},
    ]
    assert "'=Verdi" in (await the_list(evening, "seating.csv")).decode(), "no formula for a spreadsheet"


async def test_a_warning_has_its_pair_article_and_what_it_costs(evening: Any) -> None:
    (row,) = json.loads(await the_list(evening, "warnings.json"))["rows"]
    assert (row["table"], row["pair"], row["nth"], row["costs"]) == ("T12", "=Verdi", 2, -1)
    assert row["article"]
    assert row["by"] is None, "no order from here gave it"


async def test_a_seating_to_come_is_printed_as_it_stands_in_the_form_and_a_bad_line_is_named(evening: Any) -> None:
    asked = {"pairs": "T3 Bianchi / Neri"}
    page = text_of((await evening.get("/reports/lists/seating.pdf", "organiser", params=asked)).content)
    assert "Bianchi" in page
    assert "Rossi" not in page
    refused = await evening.get("/reports/lists/seating.pdf?pairs=T3+Bianchi", "organiser")
    assert refused.status_code == 400
    assert "Riga 1" in refused.text


async def test_a_list_is_for_those_who_run_the_round_and_an_unknown_one_is_said(evening: Any) -> None:
    assert (await evening.get("/reports/lists/warnings.json", "spectator")).status_code == 403
    for name in ("seating", "seating.xls", "people.csv"):
        assert (await evening.get(f"/reports/lists/{name}", "chief")).status_code == 404


async def test_lists_of_a_hall_without_a_round_are_empty_and_not_an_error(house: Any) -> None:
    house.hear()
    for kind in KINDS:
        assert json.loads(await the_list(house, f"{kind}.json"))["rows"] == []
        assert (await the_list(house, f"{kind}.pdf")).startswith(b"%PDF")


async def test_the_pages_lead_to_every_list(evening: Any) -> None:
    page = await evening.page("/standing", "chief")
    for kind in KINDS:
        for ending in ("pdf", "csv", "json"):
            assert f'href="/reports/lists/{kind}.{ending}"' in page


async def test_a_proposal_can_be_printed_before_the_round_begins(house: Any) -> None:
    house.hear()
    assert 'id="print-proposal"' in await house.page("/round?movement=listed&entries=Rossi%0AVerdi", "chief")
    assert 'id="print-proposal"' not in await house.page("/round?movement=listed&entries=Rossi", "chief"), "refused"


async def test_the_results_for_a_federation_name_places_people_and_who_sat_where(evening: Any) -> None:
    evening.at += 3600
    told = json.loads((await evening.get("/reports/federation.json", "organiser")).content)
    assert told["v"] == 1
    by_name = {one["people"][0]["name"]: one for one in told["entries"]}
    ranked = json.loads(await the_list(evening, "ranking.json"))["rows"]
    assert {name: one["place"] for name, one in by_name.items()} == {one["pair"]: one["place"] for one in ranked}
    assert [(seat["table"], seat["line"]) for seat in by_name["Rossi"]["seats"]] == [("T12", "NS")]
    assert by_name["Rossi"]["seats"][0]["began"] < by_name["Rossi"]["seats"][0]["ended"]
    assert (await evening.get("/reports/federation.json", "spectator")).status_code == 403
    assert 'href="/reports/federation.json"' in await evening.page("/standing", "organiser")


async def test_a_hall_without_a_ranking_sends_a_federation_nothing(house: Any) -> None:
    answer = await house.get("/reports/federation.json", "organiser")
    assert answer.status_code == 404
    assert "Non c’è ancora una classifica" in answer.text
