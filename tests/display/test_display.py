"""The table's small screen: what it shows and never shows, each line's confirmation through the table's own journal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from hw.observation_log import read_log
from hw.observations import Console
from table_service.display import DisplayError, RunningDisplay, serving_display
from table_service.display.screen_view import face
from table_service.publish import BrokerAddress
from table_service.rehearsal.rehearse import rehearse
from table_service.service import TableFiles, TableService
from tests.sweeps import rest_in_proof

ITEMS = ("burraco", "closing", "melds", "pot", "hand", "penalised", "bonus")


def counted(deal: int, hand: int | None = -35, **more: Any) -> dict[str, Any]:
    items = dict.fromkeys(ITEMS, 0) | {"burraco": 200, "melds": 310, "hand": hand}
    total = None if hand is None else sum(v for v in items.values() if v is not None)
    lines = {line: {"items": items, "total": total, "running": total} for line in ("NS", "EW")}
    return {"id": f"T12-1-{deal:06d}", "boot": "1", "seq": deal, "deal": deal, "data": {"lines": lines, **more}}


def state(**more: Any) -> dict[str, Any]:
    return {
        "table": "T12",
        "deal": 2,
        "phase": "playing",
        "turn": {"n": 3, "seat": "E"},
        "round": {"running": True, "deals": 2},
        "hands": {"N": 6, "E": 9, "S": 12, "W": 11},
        "score": {"running": {"NS": 475, "EW": 475}, "deals": {"1": {"NS": 475, "EW": 475}}},
        "sheets": {"1": {"score": "T12-1-000001", "confirmed": {}, "disputed": {}, "corrected": []}},
        **more,
    }


def test_the_screen_shows_turn_and_running_score_and_the_first_sheet_that_waits() -> None:
    shown = face(state(), [], {1: counted(1)})
    assert (shown.deal, shown.deals, shown.seat, shown.running) == (2, 2, "E", (475, 475))
    assert shown.sheet is not None
    assert (shown.sheet.deal, shown.sheet.how, shown.sheet.unclear) == (1, ("", ""), False)
    rows = {row.name: row.values for row in shown.sheet.rows}
    assert rows["base_sum"] == (200, 200)
    assert rows["points_sum"] == (275, 275)
    assert rows["total"] == (475, 475)


def test_a_figure_that_is_not_known_stays_unknown_in_every_sum_above_it() -> None:
    shown = face(state(), [], {1: counted(1, hand=None)})
    assert shown.sheet is not None
    rows = {row.name: row.values for row in shown.sheet.rows}
    assert shown.sheet.unclear
    assert rows["hand"] == rows["points_sum"] == rows["total"] == (None, None)
    assert rows["base_sum"] == (200, 200)


def test_a_confirmed_sheet_makes_room_while_the_next_deal_is_played() -> None:
    done = {"score": "T12-1-000001", "confirmed": {"NS": "display", "EW": "paper"}, "disputed": {}, "corrected": []}
    assert face(state(sheets={"1": done}), [], {1: counted(1)}).sheet is None
    over = face(state(sheets={"1": done}, phase="over"), [], {1: counted(1)})
    assert over.sheet is not None
    assert over.sheet.how == ("display", "paper")
    assert over.seat is None


def test_a_count_that_the_state_does_not_name_is_not_offered_for_confirmation() -> None:
    assert face(state(), [], {1: {**counted(1), "id": "T12-1-000099"}}).sheet is None


def test_play_that_stops_is_said_and_nobody_is_named() -> None:
    shown = face(state(), [{"severity": "play-stops", "offender": "E", "row": "F-31a"}], {})
    assert shown.stopped
    assert "F-31a" not in repr(shown)


def test_every_word_of_the_screen_is_there_in_both_languages() -> None:
    from table_service.display import screen_words as catalogue
    from table_service.display.screen_words import screen_words

    for key, (italian, english) in catalogue.WORDS.items():
        assert italian, key
        assert english, key
        assert screen_words("it")[key] == italian
        assert screen_words("en")[key] == english


# --- with a table ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "two.jsonl"
    rehearse("fibur2024", 11, path, 2, (), "none")
    return path


class Played:
    """A table after its first deal was counted, with its screen."""

    def __init__(self, log: Path, folder: Path) -> None:
        header, observations = read_log(log)
        self.t = 0.0
        self.places = TableFiles.under(folder, header.table)
        self.service = TableService(header, "sala", self.places, BrokerAddress("127.0.0.1", 1), lambda: self.t)
        self.rest = iter(observations)
        self.shown: RunningDisplay | None = None

    def play_until_counted(self, deal: int) -> None:
        for one in self.rest:
            self.t = max(self.t, one.t)
            counts = [e for e in self.service.observe(one) if e.type == "score.counted" and e.deal == deal]
            if counts:
                self.settle(deal, counts[-1].data.lines)
                return
        raise AssertionError(f"deal {deal} was never counted")

    def settle(self, deal: int, lines: Any) -> None:
        """What the sensors leave open the arbitro settles: this is a test of the screen, not of them."""
        unknown = {line: {"total": 100} for line, own in lines.items() if own["total"] is None}
        if unknown:
            order = {"deal": deal, "lines": unknown, "reason": "contato insieme"}
            self.service.observe(Console(self.t, "Anna", "sheet-correct", order))

    def sheet(self, deal: int) -> Any:
        return self.service.table.state()["sheets"][str(deal)]


@pytest.fixture
def played(log: Path, tmp_path: Path) -> Iterator[Played]:
    made = Played(log, tmp_path)
    with serving_display(made.service, lambda: made.t) as shown:
        made.shown = shown
        made.play_until_counted(1)
        yield made
    made.service.close(0.0)


def test_both_lines_confirm_at_the_screen_and_the_journal_keeps_who_and_when(played: Played) -> None:
    assert played.shown is not None
    with httpx.Client(base_url=played.shown.url) as client:
        page = client.get("/").text
        assert "Score della smazzata 1" in page
        score = played.sheet(1)["score"]
        for line in ("NS", "EW"):
            assert f"/sheet/ok/{line}/{score}" in page
            answer = client.post(f"/sheet/ok/{line}/{score}", headers={"HX-Request": "true"})
            assert (answer.status_code, answer.text) == (200, "")
        assert played.sheet(1)["confirmed"] == {"NS": "display", "EW": "display"}
        assert "ha confermato" in client.get("/").text
    played.service.journal.flush()
    rows = sqlite3.connect(played.places.journal).execute("select body from entries where kind = 'event'").fetchall()
    kept = [json.loads(row[0]) for row in rows]
    told = [(one["line"], one["data"]["how"]) for one in kept if one["type"] == "sheet.confirmed"]
    assert told == [("NS", "display"), ("EW", "display")]
    assert all(one["time"] for one in kept if one["type"] == "sheet.confirmed")


def test_a_dispute_at_the_screen_becomes_an_alert(played: Played) -> None:
    assert played.shown is not None
    waiting: list[Any] = []
    played.service.screens.append(lambda _state, alerts: waiting.append(alerts))
    score = played.sheet(1)["score"]
    with httpx.Client(base_url=played.shown.url) as client:
        client.post(f"/sheet/no/EW/{score}", headers={"HX-Request": "true"})
        assert [one["key"] for one in waiting[-1]] == ["sheet-1-EW"]
        page = client.get("/?lang=en").text
        assert "does not agree: the arbitro is told" in page
        client.post("/call/W", headers={"HX-Request": "true"})
        assert {one["key"] for one in waiting[-1]} == {"sheet-1-EW", "call-W"}


def test_a_count_that_changed_meanwhile_is_not_confirmed_and_the_screen_says_so(played: Played) -> None:
    assert played.shown is not None
    old = played.sheet(1)["score"]
    order = {"deal": 1, "lines": {"NS": {"bonus": 50}}, "reason": "bonus"}
    played.service.observe(Console(played.t, "Anna", "sheet-correct", order))
    with httpx.Client(base_url=played.shown.url) as client:
        answer = client.post(f"/sheet/ok/NS/{old}", headers={"HX-Request": "true"})
        assert "cambiato" in answer.text
        assert played.sheet(1)["confirmed"] == {}
        assert "<small> corretto</small>" in client.get("/").text


def test_the_screen_answers_its_own_machine_and_its_own_page_only(played: Played) -> None:
    assert played.shown is not None
    score = played.sheet(1)["score"]
    with httpx.Client(base_url=played.shown.url) as client:
        assert client.get("/", headers={"Host": "evil.example"}).status_code == 403
        for header in ({"Origin": "http://elsewhere"}, {"Sec-Fetch-Site": "cross-site"}):
            assert client.post(f"/sheet/ok/NS/{score}", headers=header).status_code == 403
        assert client.post(f"/sheet/maybe/NS/{score}").status_code == 404
        assert client.post("/call/X").status_code == 404
    assert played.sheet(1)["confirmed"] == {}


def test_no_time_no_count_of_a_hand_and_no_hidden_card_is_on_the_screen(played: Played) -> None:
    assert played.shown is not None
    played.play_until_counted(2)
    page = httpx.get(played.shown.url).text
    for hidden in ("data-until", "minut", "carte in mano</", "/cards/"):
        assert hidden not in page.replace('<th scope="row">carte in mano</th>', "")


def test_a_screen_at_a_port_in_use_is_one_sentence(played: Played) -> None:
    assert played.shown is not None
    port = int(played.shown.url.rstrip("/").rpartition(":")[2])
    with (
        pytest.raises(DisplayError, match=r"name another in \[display\] port"),
        serving_display(played.service, lambda: 0.0, port=port),
    ):
        pass


# --- in a browser ----------------------------------------------------------------------------------------------------


SIZES = {"small": (480, 320), "panel": (800, 480), "phone": (390, 844), "tablet": (1024, 768)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "look", "lang"),
    rest_in_proof(
        [("small", "dark", "it"), ("phone", "light", "en"), ("panel", "light", "en"), ("tablet", "light", "it")], 2
    ),
)
def test_the_screen_fits_every_panel_and_axe_finds_nothing(
    played: Played, browser: Any, size: str, look: str, lang: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    assert played.shown is not None
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=look)
    page = context.new_page()
    for step in ("waits", "disputed", "confirmed"):
        page.goto(f"{played.shown.url}?lang={lang}")
        if step == "disputed":
            page.click("#no-NS")
            page.wait_for_selector(".line.disputed")
        if step == "confirmed":
            page.click("#ok-EW")
            page.wait_for_selector(".line.display")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        small = page.evaluate(
            "[...document.querySelectorAll('button, summary, a')].filter(e => e.checkVisibility())"
            ".filter(e => e.getBoundingClientRect().height < 43.5).map(e => e.outerHTML)"
        )
        assert not small
        found = Axe().run(page).response["violations"]
        assert not found, found
    context.close()


@pytest.mark.slow
def test_the_screen_changes_by_itself_and_is_used_with_the_keyboard_alone(played: Played, browser: Any) -> None:
    assert played.shown is not None
    page = browser.new_page(viewport={"width": 800, "height": 480})
    problems: list[str] = []
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(played.shown.url)
    page.wait_for_selector("#ok-NS")
    page.evaluate("window.notReloaded = true")
    for wanted in ("ok-NS", "ok-EW"):
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == wanted:
                break
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#{wanted}", state="detached")
    assert page.locator(".line.display").count() == 2
    played.play_until_counted(2)
    page.wait_for_selector("text=Score della smazzata 2")
    assert page.evaluate("window.notReloaded") is True
    page.click("#call > summary")
    page.click("#call-S")
    page.wait_for_selector("text=L’arbitro è stato chiamato")
    assert problems == []
    page.close()


@pytest.mark.slow
def test_a_button_works_the_moment_it_is_shown_anew_and_the_page_stays(played: Played, browser: Any) -> None:
    assert played.shown is not None
    page = browser.new_page(viewport={"width": 800, "height": 480})
    page.goto(played.shown.url)
    page.wait_for_selector("#no-EW")
    # htmx binds new buttons when it settles; one touched before that would send its form and load a page of its own.
    page.evaluate(
        "window.notReloaded = true; document.addEventListener('htmx:sseMessage', "
        "() => document.getElementById('no-EW').click(), {once: true})"
    )
    with httpx.Client(base_url=played.shown.url) as client:
        client.post("/call/W", headers={"HX-Request": "true"})
    page.wait_for_selector(".line.disputed", timeout=30_000)
    assert page.evaluate("window.notReloaded") is True
    page.close()


def test_where_the_code_has_no_victory_points_the_screen_names_who_has_won_the_match() -> None:
    points = {"match_points": {"NS": 40, "EW": -40}, "victory_points": None}
    match = {"form": "quattro-scartate", "winner": "NS", "decided_by": "points"}
    told = face(state(rules="tarocco", match=match, phase="over"), [], {n: counted(n, **points) for n in (1, 2)})
    assert told.result == ()
    assert told.won_by is not None
    assert told.won_by[0] == "NS"
    burraco = face(state(phase="over"), [], {n: counted(n, **points) for n in (1, 2)})
    assert burraco.result == ((40, -40), (None, None)), "what this code has and nobody knows is said to be unknown"
    assert burraco.won_by is None


def bridge_over(**more: Any) -> dict[str, Any]:
    return {
        "table": "T8",
        "rules": "bridge",
        "deal": 1,
        "phase": "over",
        "turn": {"n": 40, "seat": None},
        "round": {"running": True, "deals": 8},
        "result": {"tricks": 9, "by_arbitro": False, "agreed": ["N"]},
        **more,
    }


def test_a_stated_result_waits_on_the_screen_for_a_player_of_each_line_until_the_score_is_told() -> None:
    shown = face(bridge_over(), [], {})
    assert shown.agreement is not None
    assert (shown.agreement.text[1], shown.agreement.agreed) == ("Declarer’s tricks: 9", ("N",))
    told = {"score": "T8-1-000001", "confirmed": {}, "disputed": {}, "corrected": []}
    assert face(bridge_over(sheets={"1": told}), [], {}).agreement is None
    assert face(bridge_over(result=None), [], {}).agreement is None
    assert face(bridge_over(result={"tricks": 99}), [], {}).agreement is None


def test_during_the_auction_the_screen_says_so_and_names_no_turn() -> None:
    shown = face(bridge_over(phase="auction", result=None), [], {})
    assert (shown.seat, shown.said) == (None, ("si licita", "auction"))
