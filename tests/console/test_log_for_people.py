"""The log and the record speak to people: no values of programs, every deed a sentence, both moments of a late find."""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path
from typing import Any

import table_service.console
from table_service.console import alert_views
from table_service.console.routers.alert import DEEDS
from table_service.console.routers.sheets import PAPER
from table_service.console.vocabulary import WORDS, Words

TEMPLATES = Path(table_service.console.__file__).parent / "templates"
feed: Any = sys.modules["console_feed"]
KEY = feed.ALERT["key"]


def test_every_deed_that_is_kept_has_a_sentence() -> None:
    pages = "".join(one.read_text("utf-8") for one in TEMPLATES.glob("*.html"))
    of_sheets = (*PAPER, "swap", "void")
    of_rounds = sorted(set(re.findall(r"/round/([a-z-]+)['\"]", pages)) - {*of_sheets})
    assert len(of_rounds) > 15
    kept = [f"round {deed}" for deed in of_rounds] + list(DEEDS) + ["entries take"]
    kept += [f"sheet {deed}" for deed in ("written", "signed", "correct", "take", *of_sheets)]
    assert [deed for deed in kept if f"deed_{deed}" not in WORDS] == []


async def test_what_was_done_with_a_sheet_is_said_in_its_own_words(house: Any) -> None:
    house.hear()
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)
    await house.post("/sheets/T12/2/correct", "arbitro", line="EW", item="hand", value="-75", reason="contate di nuovo")
    await house.post("/sheets/T12/2/written", "arbitro", **{"NS-total": "475", "signed-NS": "1"})
    house.book.audit.note("Anna", "arbitro", "sheet written", place="T12", at=house.at, detail="3 {'lines': {<Line.NS")
    page = html.unescape(re.sub(r"<[^>]+>", " ", await house.page("/audit?all=1")))
    assert "Smazzata 2 · Est–Ovest: Carte in mano -75 · contate di nuovo" in page or "-75 · contate di nuovo" in page
    assert re.search(r"Smazzata 2 · Nord–Sud: \S.* 475", page)
    assert "Smazzata 3" in page
    assert re.search(r"[{}]|<Line|lines'", page) is None


async def test_what_was_noted_of_a_table_on_the_page_of_the_round_names_the_table(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="2", minutes="25", pairs="T12 Rossi–Bianchi / Verdi–Neri")
    await house.post("/round/late", "chief", place="T12", line="NS")
    await house.post("/round/protest", "chief", place="T12", line="EW", text="i punti")
    assert {(one.deed, one.place) for one in house.book.audit.newest() if one.deed.startswith("round ")} == {
        ("round start", ""), ("round late", "T12"), ("round protest", "T12"),
    }  # fmt: skip


async def test_the_record_says_when_a_decision_went_out_and_calls_a_reversal_so(house: Any) -> None:
    house.hear()
    await house.post(f"/table/T12/alert/{KEY}/rule/rule", "arbitro", cards="7C")
    house.answer()
    house.say(f"T12/alert/{KEY}", None)
    house.say("T12/event/irregularity", feed.event(90, "irregularity", "E", **(feed.ALERT | {"state": "ruled"})))
    await house.post(f"/table/T12/alert/{KEY}/reverse", "arbitro", reason="visto il filmato")
    page = html.unescape(re.sub(r"<[^>]+>", " ", await house.page(f"/table/T12/alert/{KEY}", "arbitro")))
    assert re.search(r"Decisione: comando eseguito, partita alle \d\d:\d\d:\d\d", page)
    assert "Decisione cambiata" in page
    assert "visto il filmato" in page


def test_what_an_alert_rests_on_holds_the_fact_however_much_came_after_it() -> None:
    moves = [feed.event(n, "card.drawn", "E") | {"t": 142.6 + n} for n in range(30)]
    found = feed.event(31, "irregularity", "E", **feed.ALERT) | {"t": 175.0}
    shown = alert_views.around([*moves, found], feed.ALERT, Words("it"), "000a3f")
    assert len(shown) == alert_views.AROUND_MOST
    assert shown[0].time == alert_views.tell(moves[0], Words("it")).time


async def test_a_late_find_says_when_it_happened_and_when_it_was_seen(house: Any) -> None:
    house.hear()
    house.say(f"T12/alert/{KEY}", feed.ALERT | {"found": "later"})
    page = html.unescape(await house.page(f"/table/T12/alert/{KEY}", "arbitro"))
    assert re.search(r"avvenuto alle \d\d:\d\d:\d\d, visto più tardi, alle \d\d:\d\d:\d\d\.", page)
