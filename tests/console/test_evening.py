"""Small things of an evening: words of the log, cards in the reader's letters, pairs, open sheets, dates, search."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest

from table_service.console.rankings import ranking
from table_service.console.round_page import next_step
from table_service.console.ruling_forms import FormError, cards_of, offers, order_of
from table_service.console.seating_lines import seating_of
from table_service.console.vocabulary import WORDS
from table_service.events.orders import ORDERS
from table_service.games.burraco.codes.fibur2024 import FIBUR2024

feed: Any = sys.modules["console_feed"]
KEY = feed.ALERT["key"]
RAW = re.compile(r"[{}]|'remedy'|\b[0-9a-f]{32}\b|T12-000a3f-000044|proposed|NS'|console\b.*sala")


async def test_the_log_is_said_in_words_with_a_link_and_without_internals(house: Any) -> None:
    house.hear()
    await house.post(f"/table/T12/alert/{KEY}/hand/take", "arbitro")
    await house.post(f"/table/T12/alert/{KEY}/rule/rule", "arbitro", cards="7C", lang="it")
    house.answer()
    await house.post("/table/T12/order/bonus", "arbitro", line="NS", points="50", sign="-")
    await house.post("/round/delay", "organiser", seconds="300")
    await house.page("/table/T12", "arbitro")
    html = await house.page("/audit?all=1")
    rows = re.findall(r"<tr><td>.*?</tr>", html, re.DOTALL)
    texts = [re.sub(r"<[^>]+>", " ", row) for row in rows]
    for text in texts:
        assert RAW.search(text) is None, text
    whole = "\n".join(texts)
    assert "Pescata fuori turno" in whole
    assert "Nord–Sud · -50 punti" in whole
    assert "Decisione · Pescata fuori turno · comando eseguito" in whole
    assert "5 min" in whole
    for way, told in (("day link", "Link per la giornata"), ("first link", "Link per la password")):
        house.book.audit.note("Anna", "arbitro", "sign-in", at=house.at, detail=f"{way} 10.0.0.7")
        assert f"{told} · 10.0.0.7" in await house.page("/audit?lang=it")
        assert way not in await house.page("/audit?lang=it")
    assert f'href="/table/T12/alert/{KEY}"' in html


@pytest.mark.parametrize(
    ("typed", "language", "cards"),
    [
        ("7C", "it", ["7H"]),
        ("7F 7P 7Q", "it", ["7C", "7S", "7D"]),
        ("FC dq rp 10f ac", "it", ["JH", "QD", "KS", "TC", "AH"]),
        ("7♣ q♥ JK ★", "it", ["7C", "QH", "JK", "JK"]),
        ("7H QS TD", "it", ["7H", "QS", "TD"]),
        ("7C QS 10D", "en", ["7C", "QS", "TD"]),
    ],
)
def test_cards_are_read_in_the_readers_letters(typed: str, language: Any, cards: list[str]) -> None:
    assert cards_of(typed, language) == cards


async def test_an_italian_who_types_7c_on_the_page_gets_hearts(house: Any) -> None:
    house.hear()
    await house.post(f"/table/T12/alert/{KEY}/rule/rule", "arbitro", cards="7C")
    assert house.sent[-1][1]["cards"] == ["7H"]


async def test_points_are_taken_away_with_the_sign_beside_them(house: Any) -> None:
    house.hear()
    page = await house.page(f"/table/T12/alert/{KEY}", "arbitro")
    assert 'name="sign" value="-"' in page
    await house.post("/table/T12/order/bonus", "arbitro", line="EW", points="100", sign="-")
    assert house.sent[-1][1]["points"] == -100


async def test_nobodys_signature_on_paper_is_ticked_beforehand(house: Any) -> None:
    house.hear()
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)
    html = await house.page("/sheets/T12", "arbitro")
    boxes = re.findall(r'<input type="checkbox" name="signed-[^>]*>', html)
    assert boxes
    assert not any("checked" in box for box in boxes)


@pytest.mark.parametrize(
    ("text", "word", "n"),
    [
        ("T1 Rossi / Bianchi\nT2 Verdi", "pairs_bad", 2),
        ("T1 Rossi / \nT2 Verdi / Neri", "pairs_empty", 1),
        ("\nT9 Rossi / Bianchi", "pairs_no_table", 2),
        ("T1 Rossi / Bianchi\nt1 Verdi / Neri", "pairs_table_twice", 2),
        ("T1 Rossi / Bianchi\nT2 rossi / Neri", "pairs_twice", None),
        ("T1 Rossi / ROSSI", "pairs_twice", None),
        ("T1 Rossi / Bianchi\nriposa Rossi", "pairs_twice", None),
        ("riposa", "pairs_empty", 1),
        ("T1 Rossi / Bianchi\nassente:", "pairs_empty", 2),
        ("T1+T1 Leoni / Tigri", "pairs_table_twice", 1),
        ("T1 A / B\nT2+T1 Leoni / Tigri", "pairs_table_twice", 2),
        ("T1+T9 Leoni / Tigri", "pairs_no_table", 1),
        ("T1+T2+T3 Leoni / Tigri", "pairs_no_table", 1),
        (f"T1 {'x' * 61} / Neri", "pairs_long", 1),
        (f"riposa {'x' * 61}", "pairs_long", 1),
        ("T1 Rossi / Bianchi / Verdi", "pairs_bad", 1),
    ],
)
def test_a_line_of_pairs_that_cannot_be_taken_is_named(text: str, word: str, n: int | None) -> None:
    with pytest.raises(FormError) as caught:
        seating_of(text, ("T1", "T2"))
    assert caught.value.word == word
    assert caught.value.terms.get("n") == n
    it, en = WORDS[word]
    assert it.format(**caught.value.terms)
    assert en.format(**caught.value.terms)


async def started(house: Any) -> None:
    await house.post("/round/start", "chief", deals="4", minutes="60", pairs="T12 Rossi / Verdi")
    house.say("T12/event/round.started", feed.event(400, "round.started", minutes=60, deals=4))
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)


async def test_a_round_does_not_start_over_open_sheets_without_a_word(house: Any) -> None:
    house.hear()
    await started(house)
    await house.post("/round/end", "chief", anyway="1")
    before = len(house.book.rounds.all())
    answer = await house.post("/round/start", "chief", deals="4", minutes="60")
    assert "restano aperti gli score di: T12" in answer.text
    assert len(house.book.rounds.all()) == before
    assert 'id="anyway"' in await house.page("/round", "chief")
    await house.post("/round/start", "chief", deals="4", minutes="60", anyway="1")
    assert len(house.book.rounds.all()) == before + 1


async def test_a_first_round_does_not_start_over_what_tables_have_played_by_themselves_without_a_word(
    house: Any,
) -> None:
    """No round of the console yet: the page names the sheets to confirm, and so does the start."""
    house.hear()
    house.say("T12/event/round.started", feed.event(400, "round.started", minutes=60, deals=4))
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)
    answer = await house.post("/round/start", "chief", deals="4", minutes="60")
    assert "restano aperti gli score di: T12" in answer.text
    assert house.book.rounds.all() == []
    await house.post("/round/start", "chief", deals="4", minutes="60", anyway="1")
    assert len(house.book.rounds.all()) == 1
    for _, order in house.sent:
        assert order["do"] == "start-round"
    for n in range(len(house.sent)):
        house.answer(n)
    assert f"Ordini al tavolo: {len(house.sent)} eseguiti" in await house.page("/round", "chief")


async def test_a_table_still_in_play_has_no_rank_and_is_counted_once(house: Any) -> None:
    from table_service.console.tournament_book import results_of

    house.hear()
    await started(house)
    pages = house.app.state.pages
    tables = results_of(pages, pages.book.rounds.current)
    waiting = [table for table in tables if table.state not in ("open", "done", "missing")]
    playing = [table for table in tables if table.state == "open"]
    step, n = next_step(pages.book.rounds.current, tables, house.at)
    assert (step, n) in {("next_silent", sum(t.state == "missing" for t in tables)), ("next_wait", len(playing)),
                         ("next_sheets", len(waiting))}  # fmt: skip
    ranked = ranking([[table for table in tables if table.state == "open"]])
    assert all(row.vp is None and row.place == 0 for row in ranked)


async def test_a_warning_is_shown_with_its_article_its_reason_and_its_arbitro(house: Any) -> None:
    house.hear()
    row = next(one for one in FIBUR2024.rows.values() if one.warn and one.form == ("seat",))
    await house.post(f"/table/T12/decide/{row.id}", "arbitro", seat="E")
    house.answer()
    told = feed.event(80, "warning.given", "E", line="EW", count=1, total=1, row=row.id)
    house.say("T12/event/warning.given", told)
    html = await house.page("/round", "chief")
    book = html[html.index("Libro delle ammonizioni") :]
    assert f"art. {row.article}" in book
    assert row.title.it in book
    assert "la arbitro" in book


async def test_an_option_that_no_order_can_hold_is_no_error_of_the_page(house: Any) -> None:
    house.hear()
    row = next(one for one in FIBUR2024.rows.values() if "option" in one.form)
    answer = await house.post(f"/table/T12/decide/{row.id}", "arbitro", option="x" * 3000)
    assert answer.status_code == 400
    late = next(one for one in FIBUR2024.rows.values() if "minutes" in one.form)
    answer = await house.post(f"/table/T12/decide/{late.id}", "arbitro", line="NS", minutes="-5")
    assert answer.status_code == 400
    assert not house.book.orders.open()


@pytest.mark.parametrize("wanted", ["31", "art. 31", "telefono", "cellulare", "mobile", "pescata"])
def test_the_search_for_a_row_finds_what_people_type(wanted: str) -> None:
    assert offers(FIBUR2024, "it", wanted)


def test_no_english_word_says_referee_and_no_italian_stands_in_english() -> None:
    for key, (_, english) in WORDS.items():
        assert "referee" not in english.lower(), key
        said = re.sub(r"\btavolo (audit|unseal|sealing-key)", "", english).lower()
        for word in ("smazzata", "tavolo ", "coppia", "ammonizione", "pozzetto"):
            assert word not in said, (key, english)


async def test_times_of_all_pages_have_one_form(house: Any) -> None:
    house.hear()
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)
    for path in ("/archive", "/audit", "/round", f"/table/T12/alert/{KEY}"):
        html = await house.page(path)
        assert re.search(r"\b20\d\d-\d\d-\d\d\b", re.sub(r"<[^>]*>", " ", html)) is None, path


async def test_a_csv_is_in_the_readers_language_and_time(house: Any) -> None:
    house.hear()
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)
    log = (await house.get("/reports/log.csv", "chief")).text.splitlines()
    assert log[0].removeprefix("\ufeff").startswith("ora;tavolo;smazzata")
    assert re.match(r"\d\d\.\d\d\.20\d\d \d\d:\d\d:\d\d;T12", log[1])
    english = (await house.get("/reports/scores.csv?lang=en", "chief")).text
    assert english.removeprefix("\ufeff").startswith("table;deal;line")
    assert json.dumps(english)


def test_an_order_that_lacks_a_field_is_refused_with_the_name_of_the_field() -> None:
    with pytest.raises(FormError) as refused:
        order_of(ORDERS, "bonus", "un arbitro", {"line": "NS"})
    assert (refused.value.word, refused.value.terms) == ("field_wrong", {"field": "points"})
