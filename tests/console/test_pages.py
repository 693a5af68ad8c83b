"""The console's pages without a browser: what they say, in which language, and what they never say."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import re
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from table_service.console import ConsoleError, ConsoleSettings, ConsoleStore, create_app, serving
from table_service.console import words as catalogue
from table_service.console.telling import tell
from table_service.console.words import Words
from table_service.events.payloads import PAYLOADS

HERE = Path(__file__).parent
_spec = importlib.util.spec_from_file_location("console_feed", HERE / "console_feed.py")
assert _spec is not None
assert _spec.loader is not None
feed: Any = importlib.util.module_from_spec(_spec)
sys.modules["console_feed"] = feed
_spec.loader.exec_module(feed)


def filled(messages: list[tuple[str, bytes]] | None = None) -> ConsoleStore:
    store = ConsoleStore("sala")
    store.link(connected=True)
    for topic, payload in feed.evening() if messages is None else messages:
        store.apply(topic, payload, now=1_800_000_000.0)
    return store


def say(store: ConsoleStore, topic: str, document: Any) -> None:
    store.apply(feed.PREFIX + topic, json.dumps(document).encode() if document is not None else b"", now=0.0)


async def get(store: ConsoleStore, path: str, **kwargs: Any) -> httpx.Response:
    app = create_app(ConsoleSettings(), store, listen=False)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://console") as client:
        return await client.get(path, **kwargs)


async def page(store: ConsoleStore, path: str = "/table/T12", **kwargs: Any) -> str:
    response = await get(store, path, **kwargs)
    assert response.status_code == 200
    return response.text


async def test_a_table_shows_turn_counts_melds_pile_and_score() -> None:
    html = await page(filled())
    assert "deve scartare" in html
    assert "seat-N turn" in html
    for shown in ("Smazzata <b>2</b>", "Turno <b>17</b>", "semipulito", "congelata", "<b>31</b>", "505", "320"):
        assert shown in html, shown
    pile = html[html.index('class="pile') : html.index("melds EW")]
    assert re.findall(r"/cards/(\w+)\.svg", pile) == ["TD", "3C", "JH", "8S", "QS", "5C", "AD"]
    assert 'alt="asso di quadri"' in pile


async def test_what_is_not_known_is_shown_as_not_known() -> None:
    html = await page(filled())
    west = html[html.index("seat-W") : html.index('class="felt"')]
    assert 'title="non si sa">?' in west
    quiet = await page(filled(), "/table/T7")
    assert quiet.count("da verificare") == 1
    assert 'class="pile doubtful' in quiet
    assert "seat-S   doubt" in quiet


async def test_an_alert_tells_sentence_article_steps_and_its_picture() -> None:
    html = await page(filled())
    start = html.index('data-severity="play-stops"')
    alert = html[start : html.index("</article>", start)]
    for shown in ("Pescata fuori turno", "art. 31", "F-31a", "Est: pescata fuori turno, trovata durante il turno"):
        assert shown in alert, shown
    steps = re.findall(r"<li>([^<]+)", alert)
    assert steps[0].startswith("Est rimette la carta")
    assert "/table/T12/evidence/f-142" in alert
    picture = await get(filled(), "/table/T12/evidence/f-142")
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.content == feed.frame()


async def test_what_stops_play_stands_before_a_warning_and_a_call_before_both() -> None:
    store = filled()
    say(store, "T12/alert/call-S", {"key": "call-S", "call": True, "offender": "S", "t": 150.0})
    html = await page(store)
    assert re.findall(r'class="alert" id="[^"]+" data-severity="([^"]+)"', html) == ["call", "play-stops", "warning"]
    assert "Sud chiama l’arbitro" in html


async def test_an_alert_that_ends_is_kept_below_with_how_it_ended() -> None:
    store = filled()
    say(store, "T12/event/irregularity", feed.event(60, "irregularity", "E", **{**feed.ALERT, "state": "healed"}))
    say(store, "T12/alert/" + feed.ALERT["key"], None)
    html = await page(store)
    assert "sanata dal gioco" in html
    assert 'data-severity="play-stops" tabindex' not in html
    assert "/table/T12/evidence/f-142" in html


async def test_english_by_choice_is_kept_in_a_cookie_and_italian_is_the_default() -> None:
    store = filled()
    response = await get(store, "/table/T12?lang=en")
    assert response.cookies["lang"] == "en"
    for shown in ("Draw out of turn", "to discard", "Discard pile", "North–South", "play stops"):
        assert shown in response.text, shown
    assert 'lang="en"' in response.text
    assert "Monte degli scarti" not in response.text
    again = await page(store, headers={"Cookie": "lang=en"})
    assert "Discard pile" in again
    assert "Monte degli scarti" in await page(store)
    assert "Monte degli scarti" in await page(store, "/table/T12?lang=xx")


async def test_light_and_dark_by_choice() -> None:
    assert 'data-theme="dark"' in await page(filled(), "/?theme=dark")
    assert 'data-theme="auto"' in await page(filled(), "/?theme=loud")


async def test_the_hall_shows_tables_that_wait_first_and_one_out_of_reach() -> None:
    html = await page(filled(), "/")
    assert re.findall(r'href="/table/(\w+)"', html) == ["T12", "T3", "T7"]
    assert "2 attendono l’arbitro" in html
    assert "non raggiungibile" in html


async def test_hidden_cards_are_never_in_a_page_even_if_a_message_holds_them() -> None:
    """A table publishes none; the console shows none either, should one come."""
    store = ConsoleStore("sala")
    leak = feed.state(pile=["??", "5D"], secret={"hands": {"N": ["QS"]}}, hidden=["QS"])
    leak["hands"]["cards"] = ["QS"]
    leak["melds"] = {"NS": [], "EW": []}
    leak["pots"]["cards"] = ["QS"]
    say(store, "T12/state", leak)
    drawn = feed.event(1, "card.drawn", "N", card="QS", cards=["QS"], **{"from": "stock"})
    say(store, "T12/event/card.drawn", {**drawn, "secret": {"cards": ["QS"]}})
    say(store, "T12/event/deal.checked", feed.event(2, "deal.checked", hands={"N": 11}, secret={"x": "QS"}))
    say(store, "T12/sealed/2", {"sealed": "QS"})
    for lang in ("it", "en"):
        html = await page(store, f"/table/T12?lang={lang}")
        assert "/cards/QS.svg" not in html
        assert "Q♠" not in html
        assert "QS" not in html
        assert "donna di picche" not in html
        assert "queen of spades" not in html
        assert "/cards/back.svg" in html


async def test_text_from_a_table_is_never_markup() -> None:
    store = filled()
    bad = "<script>alert(1)</script>"
    say(store, "T12/alert/x", {**feed.ALERT, "key": "x", "title": {"it": bad, "en": bad}, "cards": [bad, "7H"]})
    say(store, "T12/event/x", feed.event(99, bad))
    say(store, "T12/state", feed.state(pile=[bad], table=bad))
    html = await page(store)
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"melds": 3, "turn": [], "hands": "x", "pile": {"a": 1}, "unverified": 7, "score": [], "sanctions": 1}',
        b'{"melds": {"NS": [1, {"cards": 5, "wild": "x"}], "EW": 4}, "pots": {"left": "two"}, "round": 3, "deal": 1}',
        b'{"evidence": 5, "remedy": "x", "title": 7, "cards": 9, "row": 4, "severity": null, "state": 1}',
        b'{"boot": 4, "seq": "x", "type": []}',
        b'{"boot": "a", "seq": 1, "type": "score.counted", "deal": 1, "data": {"lines": {"NS": 4}, "doubtful": 3}}',
        b'{"boot": "a", "seq": 2, "type": "irregularity", "data": {"key": "k", "state": "ruled", "title": []}}',
    ],
)
async def test_a_message_that_makes_no_sense_breaks_no_page(payload: bytes) -> None:
    store = filled()
    for kind in ("state", "status", "health", "alert/k", "event/x", "evidence/f", "nonsense"):
        store.apply(feed.PREFIX + "T12/" + kind, payload, now=0.0)
    await page(store)
    await page(store, "/")


async def test_an_unknown_table_is_said_and_every_file_a_page_names_is_there() -> None:
    store = filled()
    assert (await get(store, "/table/T99")).status_code == 404
    html = await page(store)
    for path in sorted(set(re.findall(r'(?:src|href)="(/[^"?]+)"', html))):
        assert (await get(store, path)).status_code == 200, path
    assert (await get(store, "/cards/1Z.svg")).status_code == 404
    assert (await get(store, "/htmx/other.js")).status_code == 404


async def test_nothing_is_fetched_from_elsewhere_and_no_script_stands_in_the_page() -> None:
    response = await get(filled(), "/table/T12")
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "unsafe" not in response.headers["content-security-policy"]
    assert not re.search(r'(?:src|href)="(?:https?:)?//', response.text)
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=|\sstyle=", response.text)


async def test_django_is_not_imported() -> None:
    await get(filled(), "/htmx/htmx.js")
    assert "django" not in sys.modules


async def test_the_stream_sends_a_part_when_it_changes() -> None:
    from table_service.console.app import Pages, _table_stream

    store = filled()
    pages = Pages(store, ConsoleSettings())
    stream = _table_stream(pages, store, store.tables["T12"], "it")
    first = [await anext(stream) for _ in range(5)]
    assert [message.partition("\n")[0] for message in first[1:]] == [
        "event: alerts",
        "event: head",
        "event: board",
        "event: feed",
    ]
    say(store, "T12/alert/k", {**feed.ALERT, "key": "k", "offender": "W"})
    message = await asyncio.wait_for(anext(stream), 5)
    assert message.startswith("event: alerts\n")
    assert "Ovest" in message
    store.close()
    rest = [message async for message in stream]
    assert [m.partition("\n")[0] for m in rest] == ["event: head", "event: board"]


def test_events_are_counted_once_and_shown_in_their_order() -> None:
    store = ConsoleStore("sala")
    for seq in (1, 3, 2, 3, 1):
        say(store, "T12/event/turn.started", feed.event(seq, "turn.started", "N"))
    assert [e["seq"] for e in store.tables["T12"].events] == [1, 2, 3]


def test_every_word_stands_in_both_languages() -> None:
    for key in catalogue.known_words():
        italian, english = catalogue.pair(key)
        assert italian.strip(), key
        assert english.strip(), key


def test_every_word_a_template_uses_is_in_the_catalogue() -> None:
    templates = Path(catalogue.__file__).parent / "templates"
    used = set()
    for file in templates.glob("*.html"):
        used |= set(re.findall(r"\bw\.([a-z_]+)(?!\w*\()", file.read_text(encoding="utf-8")))
        used |= set(re.findall(r"\bw\['([a-z_A-Z-]+)'\]", file.read_text(encoding="utf-8")))
    missing = used - catalogue.known_words() - {name for name in dir(Words) if not name.startswith("_")}
    assert not missing


@pytest.mark.parametrize("kind", sorted(PAYLOADS))
def test_every_event_type_is_told_in_both_languages(kind: str) -> None:
    variants = {
        "meld.changed": [{"why": w} for w in ("reordered", "taken-out", "corrected", "frozen", "thawed")],
        "pot.taken": [{"manner": m} for m in ("discard", "in-flight")],
        "deal.ended": [{"manner": m} for m in ("closed", "stock", "time-out", "stalemate", "passed", "played")],
        "irregularity": [
            {"state": s, "title": {"it": "a", "en": "b"}} for s in ("open", "healed", "ruled", "dismissed")
        ],
        "table.health": [
            {"state": s, "what": "stock"} for s in ("ok", "lost", "reset", "unverified", "verified", "ignored")
        ],
    }.get(kind, [{}])
    for data in variants:
        told = feed.event(1, kind, "N", **data)
        italian, english = tell(told, "it"), tell(told, "en")
        assert italian.text.lower() != kind
        assert italian.text != english.text
        assert "{" not in italian.text + english.text


def test_a_busy_port_is_one_sentence() -> None:
    with serving(ConsoleSettings(broker_port=1)) as running:
        second = serving(ConsoleSettings(broker_port=1, port=running.port))
        with pytest.raises(ConsoleError, match="the port is in use"):
            second.__enter__()
