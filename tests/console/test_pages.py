"""The console's pages without a browser: what they say, in which language, and what they never say."""

from __future__ import annotations

import asyncio
import itertools
import re
import sys
import time
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from hw.coverage import CAMERA_SETTINGS
from table_service.console import ConsoleError, ConsoleSettings, ConsoleStore, serving
from table_service.console import vocabulary as catalogue
from table_service.console.event_sentences import tell
from table_service.console.pages import Viewer
from table_service.console.routers.hall import hall_parts, tile_name
from table_service.console.routers.table import table_parts
from table_service.console.streams import SLICE_S, PagePart, Streams
from table_service.console.vocabulary import Words
from table_service.display.screen_words import screen_words
from table_service.rulesets import PAYLOADS, RULE_SETS

feed: Any = sys.modules["console_feed"]


def say(house: Any, topic: str, document: Any) -> None:
    house.say(topic, document)


async def test_a_table_shows_turn_counts_melds_pile_and_score(house: Any) -> None:
    house.hear()
    html = await house.page()
    assert "deve scartare" in html
    assert "seat-N turn" in html
    for shown in ("Smazzata <b>2</b>", "Turno <b>17</b>", "semipulito", "congelata", "<b>31</b>", "505", "320"):
        assert shown in html, shown
    pile = html[html.index('class="pile') : html.index("melds EW")]
    assert re.findall(r"/cards/(\w+)\.svg", pile) == ["TD", "3C", "JH", "8S", "QS", "5C", "AD"]
    assert 'alt="asso di quadri"' in pile


async def test_what_is_not_known_is_shown_as_not_known(house: Any) -> None:
    house.hear()
    html = await house.page()
    west = html[html.index("seat-W") : html.index('class="felt"')]
    assert 'title="non si sa">?' in west
    quiet = await house.page("/table/T7")
    assert quiet.count("da verificare") == 1
    assert 'class="pile doubtful' in quiet
    assert "seat-S   doubt" in quiet


async def test_an_alert_tells_sentence_article_steps_and_its_picture(house: Any) -> None:
    house.hear()
    html = await house.page()
    start = html.index('data-severity="play-stops"')
    alert = html[start : html.index("</article>", start)]
    for shown in ("Pescata fuori turno", "art. 31", "F-31a", "Est: pescata fuori turno, visto durante il turno"):
        assert shown in alert, shown
    steps = re.findall(r"<li>([^<]+)", alert)
    assert steps[0].startswith("Est rimette la carta")
    assert "/table/T12/evidence/f-142" in alert
    picture = await house.get("/table/T12/evidence/f-142")
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.content == feed.frame()


async def test_what_stops_play_stands_before_a_warning_and_a_call_before_both(house: Any) -> None:
    house.hear()
    house.at += 300
    say(house, "T12/alert/call-S", {"key": "call-S", "call": True, "offender": "S", "t": 150.0})
    html = await house.page()
    assert re.findall(r'class="alert [^"]*" id="[^"]+" data-severity="([^"]+)"', html) == [
        "call",
        "play-stops",
        "warning",
    ]
    assert "Sud chiama l’arbitro" in html


async def test_an_alert_that_ends_is_kept_below_with_how_it_ended(house: Any) -> None:
    house.hear()
    say(house, "T12/event/irregularity", feed.event(60, "irregularity", "E", **{**feed.ALERT, "state": "healed"}))
    say(house, "T12/alert/" + feed.ALERT["key"], None)
    html = await house.page()
    assert catalogue.pair("state_healed")[0] in html
    assert 'id="alert-' + feed.ALERT["key"] not in html
    past = await house.page(f"/table/T12/alert/{feed.ALERT['key']}")
    assert "/table/T12/evidence/f-142" in past
    assert "/rule/rule" not in past


async def test_english_by_choice_is_kept_in_a_cookie_and_italian_is_the_default(house: Any) -> None:
    house.hear()
    response = await house.get("/table/T12?lang=en")
    assert response.cookies["lang"] == "en"
    for shown in ("Draw out of turn", "to discard", "Discard pile", "North–South", "play stops"):
        assert shown in response.text, shown
    assert 'lang="en"' in response.text
    assert "Monte degli scarti" not in response.text
    async with house.client() as client:
        client.cookies["lang"] = "en"
        assert "Discard pile" in (await client.get("/table/T12")).text
    assert "Monte degli scarti" in await house.page()
    assert "Monte degli scarti" in await house.page("/table/T12?lang=xx")


async def test_light_and_dark_by_choice(house: Any) -> None:
    house.hear()
    assert 'data-theme="dark"' in await house.page("/?theme=dark")
    assert 'data-theme="auto"' in await house.page("/?theme=loud")


async def test_the_hall_shows_tables_that_wait_first_and_one_out_of_reach(house: Any) -> None:
    house.hear()
    html = await house.page("/")
    queue, grid = html[html.index('id="queue"') : html.index('class="floor"')], html[html.index('class="tiles"') :]
    assert re.findall(r'class="face" href="/table/(\w+)/', queue) == ["T12", "T12"]
    assert re.findall(r'data-name="(\w+)"', grid) == ["T3", "T7", "T12"]
    assert "Pescata fuori turno <i>+1</i>" in grid
    assert "non raggiungibile" in grid


async def test_hidden_cards_are_never_in_a_page_even_if_a_message_holds_them(house: Any) -> None:
    """A table publishes none; the console shows none either, should one come."""
    leak = feed.state(pile=["??", "5D"], secret={"hands": {"N": ["QS"]}}, hidden=["QS"])
    leak["hands"]["cards"] = ["QS"]
    leak["melds"] = {"NS": [], "EW": []}
    leak["pots"]["cards"] = ["QS"]
    say(house, "T12/state", leak)
    drawn = feed.event(1, "card.drawn", "N", card="QS", cards=["QS"], **{"from": "stock"})
    say(house, "T12/event/card.drawn", {**drawn, "secret": {"cards": ["QS"]}})
    say(house, "T12/event/deal.checked", feed.event(2, "deal.checked", hands={"N": 11}, secret={"x": "QS"}))
    say(house, "T12/sealed/2", {"sealed": "QS"})
    for lang in ("it", "en"):
        html = await house.page(f"/table/T12?lang={lang}")
        assert "/cards/QS.svg" not in html
        assert "Q♠" not in html
        random = re.findall(r'X-CSRF":"([\w-]+)"|stream\?from=([\w-]+)', html)  # these may hold any two letters
        for token in filter(None, sum(random, ())):
            html = html.replace(token, "")
        assert "QS" not in html
        assert "donna di picche" not in html
        assert "queen of spades" not in html
        assert "/cards/back.svg" in html


async def test_text_from_a_table_is_never_markup(house: Any) -> None:
    house.hear()
    bad = "<script>alert(1)</script>"
    say(house, "T12/alert/x", {**feed.ALERT, "key": "x", "title": {"it": bad, "en": bad}, "cards": [bad, "7H"]})
    say(house, "T12/event/x", feed.event(99, bad))
    say(house, "T12/state", feed.state(pile=[bad], table=bad))
    html = await house.page()
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
async def test_a_message_that_makes_no_sense_breaks_no_page(house: Any, payload: bytes) -> None:
    house.hear()
    for kind in ("state", "status", "health", "alert/k", "event/x", "evidence/f", "nonsense"):
        house.store.apply(feed.PREFIX + "T12/" + kind, payload, now=0.0)
    await house.page()
    await house.page("/")


async def test_an_unknown_table_is_said_and_every_file_a_page_names_is_there(house: Any) -> None:
    house.hear()
    assert (await house.get("/table/T99")).status_code == 404
    html = await house.page()
    for path in sorted(set(re.findall(r'(?:src|href)="(/[^"?]+)"', html))):
        assert (await house.get(path, follow_redirects=True)).status_code == 200, path
    assert (await house.get("/cards/1Z.svg")).status_code == 404
    assert (await house.get("/htmx/other.js")).status_code == 404


async def test_nothing_is_fetched_from_elsewhere_and_no_script_stands_in_the_page(house: Any) -> None:
    house.hear()
    response = await house.get("/table/T12")
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "unsafe" not in response.headers["content-security-policy"]
    assert not re.search(r'(?:src|href)="(?:https?:)?//', response.text)
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=|\sstyle=", response.text)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-table.lock", "requirements-demo.lock"])
def test_django_comes_with_no_installation_though_the_package_of_htmx_asks_for_it(lock: str) -> None:
    lines = (Path(__file__).resolve().parents[2] / lock).read_text("utf-8").splitlines()
    pinned = {line.split("==")[0] for line in lines if "==" in line}
    assert "django-htmx" in pinned
    assert not pinned & {"django", "sqlparse"}


async def test_django_is_not_imported(house: Any) -> None:
    house.hear()
    await house.get("/htmx/htmx.js")
    assert "django" not in sys.modules


async def test_the_stream_sends_a_part_when_it_changes(house: Any) -> None:
    house.hear()
    async with house.client() as client, asyncio.timeout(20):
        pages = house.app.state.pages
        viewer = Viewer("it", "auto", house.book.accounts.session(client.cookies["tavolo"], now=time.time()))
        stream = pages.streams.run(lambda: table_parts(pages, "T12", viewer))
        assert await anext(stream) == "retry: 1000\n\n"
        first = messages_in(await anext(stream))
        assert list(first) == ["event: alerts", "event: head", "event: board", "event: feed", "event: bar"]
        say(house, "T12/alert/k", {**feed.ALERT, "key": "k", "offender": "W"})
        news: dict[str, str] = {}
        while len(news) < 4:
            news |= messages_in(await anext(stream))
        assert set(news) == {"event: alerts", "event: board", "event: bar", "event: bell"}
        assert "Ovest" in news["event: alerts"]
        assert 'data-kind="alert"' in news["event: bell"]
        house.store.close()
        assert [message async for message in stream] == []


def messages_in(text: str) -> dict[str, str]:
    """The messages of a piece of a stream, by their first line."""
    return {name: body for name, _, body in (one.partition("\n") for one in text.split("\n\n") if one)}


async def test_a_page_is_not_sent_again_what_it_was_given(house: Any) -> None:
    house.hear()
    pages = house.app.state.pages
    viewer = Viewer("it", "auto", house.book.accounts.session(house.cookie()[0], now=time.time()))
    token, given = pages.streams.first(lambda: hall_parts(pages, viewer))
    assert "T12" in given["grid"]
    stream = pages.streams.run(lambda: hall_parts(pages, viewer), token, 0.01)
    assert await anext(stream) == "retry: 1000\n\n"
    say(house, "T7/status", {"state": "lost", "boot": "000001", "version": "x"})
    async with asyncio.timeout(20):
        message = await anext(stream)
    assert message.startswith(f"event: {tile_name('T7')}\n")


async def test_an_alert_goes_before_the_tiles_that_may_wait() -> None:
    store, alerts = ConsoleStore("prova"), [0]

    def tile(number: int) -> PagePart:
        def make() -> str:
            time.sleep(SLICE_S)  # so long takes a slice, whatever the machine
            return f"tile {number}"

        return PagePart(f"tile-{number}", lambda: 0, make, quick=lambda: 0)

    parts = [PagePart("queue", lambda: alerts[0], lambda: f"{alerts[0]} alerts"), *map(tile, range(6))]
    stream = Streams(store).run(lambda: parts, slow=0.01)
    async with asyncio.timeout(20):
        assert await anext(stream) == "retry: 1000\n\n"
        assert list(messages_in(await anext(stream))) == ["event: queue"]
        assert list(messages_in(await anext(stream))) == ["event: tile-0"]
        alerts[0] = 1
        store.tell()
        assert messages_in(await anext(stream)) == {"event: queue": "data: 1 alerts"}
        rest = [name for _ in range(5) for name in messages_in(await anext(stream))]
    assert rest == [f"event: tile-{number}" for number in range(1, 6)], "none is forgotten, none sent twice"


def test_events_are_counted_once_and_shown_in_their_order(house: Any) -> None:
    for seq in (1, 3, 2, 3, 1):
        say(house, "T12/event/turn.started", feed.event(seq, "turn.started", "N"))
    assert [e["seq"] for e in house.store.tables["T12"].events] == [1, 2, 3]


def _known_words() -> frozenset[str]:
    return frozenset(catalogue.WORDS).union(*(one.pages.words for one in RULE_SETS.values()))


def test_every_word_stands_in_both_languages() -> None:
    for key in _known_words():
        italian, english = catalogue.pair(key)
        assert italian.strip(), key
        assert english.strip(), key


@pytest.mark.parametrize(("language", "said"), [("it", "regolazioni della telecamera"), ("en", "camera settings")])
def test_what_the_camera_refuses_to_hold_is_named_in_words(language: Any, said: str) -> None:
    assert Words(language).zone(CAMERA_SETTINGS) == said


async def test_a_part_that_is_lost_stands_on_its_tables_page_by_its_name(house: Any) -> None:
    say(house, "T12/state", feed.state(rules="bridge", nodes={"bidding-box": "lost", "camera": "ok"}))
    html = await house.page("/table/T12", "arbitro")
    assert "bidding box registrato" in html
    assert "bidding-box" not in html


async def test_of_two_players_each_is_a_line_and_pages_call_it_by_the_seat(house: Any) -> None:
    seats = {"N": "Ada", "S": "Bruno"}
    say(house, "T12/state", feed.state(rules="online", seats=seats, unverified={"melds-EW": 3.0}))
    for event in feed.counted():
        say(house, f"T12/event/{event['type']}", event)
    for page in ("/table/T12", "/sheets/T12"):
        html = await house.page(page, "arbitro")
        assert "Ovest" not in html, page
    assert "Ada" in html
    assert "Ada – Bruno" not in html, "they are opponents"
    for page, begins in (("/", 'id="tile-T12"'), ("/round", 'id="sheet-T12"'), ("/standing", "/sheets/T12")):
        listed = (
            (await house.page(page, "arbitro")).partition(begins)[2].partition("</tbody>")[0].partition("</a></li>")[0]
        )
        row = listed if page == "/standing" else listed.partition("</a>")[0]
        assert "Sud" in row, page
        assert "Ovest" not in row, page
    words = Words("en", seats=tuple(seats))
    assert (words["NS"], words["EW"], words.zone("melds-EW")) == ("North", "South", "South melds")
    assert screen_words("en", tuple(seats))["EW"] == "South"
    assert Words("en", seats=tuple("NESW"))["EW"] == "East–West"


def test_no_game_has_a_word_that_the_console_has() -> None:
    assert [key for one in RULE_SETS.values() for key in one.pages.words if key in catalogue.WORDS] == []


def test_no_word_is_hidden_by_something_else_of_the_same_name() -> None:
    hidden = _known_words() & {name for name in dir(Words) if not name.startswith("_")}
    assert hidden == {"who", "zone"}, "these are asked for by key, w['zone']; no other may need it"


def test_every_word_a_template_uses_is_in_the_catalogue() -> None:
    games = [Path(str(resources.files(one.pages.templates))) for one in RULE_SETS.values()]
    used = set()
    places = (Path(catalogue.__file__).parent, *games)
    for file in (file for place in places for file in place.glob("templates/*.html")):
        used |= set(re.findall(r"\bw\.([a-z_]+)(?!\w*\()", file.read_text(encoding="utf-8")))
        used |= set(re.findall(r"\bw\['([a-z_A-Z-]+)'\]", file.read_text(encoding="utf-8")))
    missing = used - _known_words() - {name for name in dir(Words("it")) if not name.startswith("_")}
    assert not missing


@pytest.mark.parametrize("kind", sorted(PAYLOADS))
def test_every_event_type_is_told_in_both_languages(kind: str) -> None:
    variants = {
        "meld.changed": [{"why": w} for w in ("reordered", "taken-out", "corrected", "frozen", "thawed")],
        "pot.taken": [{"manner": m} for m in ("discard", "in-flight")],
        "card.returned": [{"to": z} for z in ("stock", "discard", "pots", "hand-W", "side-N", "melds-NS")],
        "signal.made": [{"signal": s} for s in ("busso", "striscio", "volo")],
        "deal.ended": [{"manner": m} for m in ("closed", "stock", "time-out", "stalemate", "passed", "played")],
        "irregularity": [
            {"state": s, "title": {"it": "a", "en": "b"}} for s in ("open", "healed", "ruled", "dismissed")
        ],
        "table.health": [
            {"state": s, "what": "stock"} for s in ("ok", "lost", "reset", "unverified", "verified", "ignored")
        ],
    }.get(kind, [{}])
    whose = [one.pages for one in RULE_SETS.values() if kind in one.payloads] or [None]
    for data, game in itertools.product(variants, whose):
        told = feed.event(1, kind, "N", **data)
        italian, english = tell(told, Words("it", game)), tell(told, Words("en", game))
        assert italian.text.lower() != kind
        assert italian.text != english.text
        assert "{" not in italian.text + english.text


def test_a_busy_port_is_one_sentence() -> None:
    with serving(ConsoleSettings(broker_port=1)) as running:
        second = serving(ConsoleSettings(broker_port=1, port=running.port))
        with pytest.raises(ConsoleError, match="the port is in use"):
            second.__enter__()


def test_the_times_of_tables_are_told_as_at_the_consoles_place(monkeypatch: pytest.MonkeyPatch) -> None:
    from table_service.console.times import local

    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    try:
        assert local("2026-11-20T23:30:05.520Z") == "00:30:05"
        assert local("2026-07-01T12:00:00Z", "%Y-%m-%d %H:%M") == "2026-07-01 14:00"
        assert tell(feed.event(1, "card.drawn", "W"), Words("it")).time == "22:10:01"
        for wrong in (None, 3, "", "ieri", "9999-99-99"):
            assert local(wrong) == ""
    finally:
        monkeypatch.undo()
        time.tzset()
