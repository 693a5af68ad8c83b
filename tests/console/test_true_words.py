"""What the round's page says to do next is true, points that a code leaves to the arbitro have a place, seats empty."""

from __future__ import annotations

import html
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table_service.console.tournament_book import ranking_of
from table_service.console.vocabulary import WORDS

feed: Any = sys.modules["console_feed"]
PAIRS = "T12 Rossi–Bianchi / Verdi–Neri\nT7 Conti–Serra / Longo–Marini\nriposa Gialli–Blu"
LINES = ("NS", "EW")


class Evening:
    """A hall of three tables by one code, whose tables play when they are told to."""

    def __init__(self, house: Any, rules: str) -> None:
        self.house, self.seq, self.played = house, 500, dict[str, int]()
        house.hear()
        for one in (feed.ALERT, feed.EXPOSED):  # the evening has its own
            house.book.desk.resolve("T12", one["key"], "Anna", now=house.at)
        for place in ("T3", "T7", "T12"):
            house.say(f"{place}/status", {"state": "ready", "boot": "000a3f", "version": "x"})
            house.say(f"{place}/state", feed.state(table=place, rules=rules))

    def tell(self, place: str, kind: str, deal: int | None = None, **data: Any) -> str:
        self.seq += 1
        told = feed.event(self.seq, kind, **data) | {"table": place, "deal": deal}
        told["id"] = f"{place}-000a3f-{self.seq:06d}"
        self.house.say(f"{place}/event/{kind}", told)
        return str(told["id"])

    def begin(self, place: str, deals: int) -> None:
        self.tell(place, "round.started", deals=deals, minutes=25)
        self.played[place] = 0

    def count(self, place: str, deal: int, **more: Any) -> None:
        self.seq += 1
        told = feed.score(self.seq, deal, **more) | {"table": place}
        self.house.say(f"{place}/event/score.counted", told | {"id": f"{place}-000a3f-{self.seq:06d}"})
        self.played[place] = deal

    def confirm(self, place: str) -> None:
        for deal in range(1, self.played[place] + 1):
            for line in LINES:
                self.tell(place, "sheet.confirmed", deal, line=line, how="display")

    async def next(self, language: str = "it") -> str:
        page = await self.house.page(f"/round?lang={language}", "chief")
        said = re.search(r'id="next-step"[^>]*>(.*?)</p>', page, re.DOTALL)
        assert said is not None
        return html.unescape(re.sub(r"<[^>]+>", "", said[1])).removeprefix("Adesso:").strip()

    async def step(self) -> tuple[str, int]:
        """The top sentence as its name and its number."""
        said = await self.next()
        for word, (italian, _) in WORDS.items():
            if word.startswith("next_"):
                found = re.fullmatch(re.escape(italian).replace(re.escape("{n}"), r"(\d+)"), said)
                if found is not None:
                    return word, int(found[1]) if found.groups() else 0
        raise AssertionError(said)


@pytest.fixture
def feburit(house: Any) -> Evening:
    return Evening(house, "feburit")


async def points(evening: Evening, entry: str, vp: str, role: str = "chief", **more: str) -> Any:
    current = evening.house.book.rounds.current.id
    return await evening.house.post("/round/points", role, round=str(current), entry=entry, vp=vp, **more)


async def test_a_code_without_a_table_of_victory_points_for_so_many_deals_says_it_at_the_start(house: Any) -> None:
    Evening(house, "feburit")
    assert "Con 2 smazzate il codice non ha una tabella di victory points" in await house.page("/round")
    Evening(house, "fibur2024")
    assert 'id="without-vp"' not in await house.page("/round")


async def test_victory_points_that_the_code_leaves_to_the_arbitro_are_entered_and_rank_the_pairs(
    feburit: Evening,
) -> None:
    house, pages = feburit.house, feburit.house.app.state.pages
    await house.post("/round/start", "chief", deals="2", minutes="25", pairs=PAIRS)
    for place in ("T7", "T12"):
        feburit.begin(place, 2)
        for deal in (1, 2):
            feburit.count(place, deal, match_points={"NS": 50, "EW": -50}, victory_points=None)
    refused = await house.page("/round?movement=danese")
    assert "chiudi" not in refused
    await house.post("/round/end", "chief", anyway="1")
    page = html.unescape(await house.page("/round?movement=danese"))
    assert "Incontro 1, tavolo T12: conferma gli score, e il risultato di Rossi–Bianchi sarà noto." in page
    for place in ("T7", "T12"):
        feburit.confirm(place)
    page = html.unescape(await house.page("/round?movement=danese"))
    assert "Incontro 1: i punti di" in page, "every sheet is confirmed: it says what really lacks"
    assert "conferma" not in page[page.index('role="alert"') :][:200]
    standing = html.unescape(await house.page("/standing"))
    assert standing.count('action="/round/points"') == 4, "who rests has the code's 13"
    for entry, vp in (("Rossi–Bianchi", "12"), ("Verdi–Neri", "8"), ("Conti–Serra", "11"), ("Longo–Marini", "9")):
        await points(feburit, entry, vp)
    assert [(row.place, row.pair, row.vp, row.mp) for row in ranking_of(pages)] == [
        (1, "Gialli–Blu", 13, 450), (2, "Rossi–Bianchi", 12, 50), (3, "Conti–Serra", 11, 50),
        (4, "Longo–Marini", 9, -50), (5, "Verdi–Neri", 8, -50),
    ]  # fmt: skip
    await points(feburit, "Rossi–Bianchi", "13")
    assert "dati da la chief" in await house.page("/standing"), "they may be changed, and say who gave them"
    assert "gli abbinamenti proposti" in (await house.page("/round?movement=danese")).lower()


async def test_points_that_a_table_gives_are_not_the_arbitros_to_enter(feburit: Evening) -> None:
    house = feburit.house
    await house.post("/round/start", "chief", deals="2", minutes="25", pairs=PAIRS)
    for entry, vp, role in (("Rossi–Bianchi", "12", "chief"), ("Gialli–Blu", "20", "chief"), ("Nessuno", "1", "chief")):
        assert "qui non c’è niente da scrivere" in html.unescape((await points(feburit, entry, vp, role)).text)
    await house.post("/round/end", "chief", anyway="1")
    assert (await points(feburit, "Rossi–Bianchi", "²")).status_code == 400
    assert house.book.adjustments.of(house.book.rounds.current.id) == []


async def test_a_table_that_never_finished_a_deal_gets_points_and_its_own_result_counts_before_them(
    feburit: Evening,
) -> None:
    house, pages = feburit.house, feburit.house.app.state.pages
    await house.post("/round/start", "chief", deals="3", minutes="35", pairs=PAIRS)
    await house.post("/round/end", "chief", anyway="1")
    assert await feburit.step() == ("next_points", 4)
    for entry, vp in (("Rossi–Bianchi", "7"), ("Verdi–Neri", "13")):
        await points(feburit, entry, vp, mp="450" if vp == "13" else "")
    known = {row.pair: (row.vp, row.mp) for row in ranking_of(pages)}
    assert (known["Rossi–Bianchi"], known["Verdi–Neri"]) == ((7, None), (13, 450))
    assert await feburit.step() == ("next_points", 2)
    feburit.begin("T12", 1)
    feburit.count("T12", 1, match_points={"NS": 50, "EW": -50}, victory_points={"NS": 11, "EW": 9})
    feburit.confirm("T12")
    assert {row.pair: row.vp for row in ranking_of(pages)}["Rossi–Bianchi"] == 11, "what the table tells late holds"


async def test_a_table_at_which_nobody_sits_is_not_started_nor_waited_for(feburit: Evening) -> None:
    house = feburit.house
    await house.post("/round/start", "chief", deals="3", minutes="35", pairs=PAIRS)
    assert sorted(topic.split("/")[-2] for topic, _ in house.sent) == ["T12", "T7"]
    page = await house.page("/standing")
    assert ">T3<" not in page
    assert await feburit.step() == ("next_silent", 2)
    house.sent.clear()
    await house.post("/round/time-out", "chief")
    assert {topic.split("/")[-2] for topic, _ in house.sent} == {"T12", "T7"}


async def test_the_end_of_a_round_lists_what_is_open_and_asks_as_the_start_does(feburit: Evening) -> None:
    house = feburit.house
    await house.post("/round/start", "chief", deals="3", minutes="35", pairs=PAIRS)
    feburit.begin("T12", 3)
    feburit.count("T12", 1)
    page = await house.page("/round")
    assert re.findall(r'<li><a href="/sheets/(\w+)">', page[page.index('id="unfinished"') :]) == ["T7", "T12"]
    refused = await house.post("/round/end", "chief")
    assert "T7, T12" in refused.text
    assert house.book.rounds.running is not None
    await house.post("/round/end", "chief", anyway="1")
    assert house.book.rounds.running is None


async def test_a_table_that_waits_for_its_deal_or_its_start_of_play_is_named_and_gets_it_by_one_touch(
    house: Any,
) -> None:
    """Nothing is played, and play is taken for faults, until both are said: the sentence may not say that all play."""
    evening = Evening(house, "fibur2024")

    def state(place: str, phase: str | None, deal: int | None, dealer: str | None, *, started: bool) -> None:
        told = {"running": True, "deals": 3, "started": started}
        known = feed.state(table=place, phase=phase, deal=deal, dealer=dealer, round=told)
        house.say(f"{place}/state", known)

    await house.post("/round/start", "chief", deals="3", minutes="35", pairs=PAIRS)
    for n, place in enumerate(("T7", "T12")):
        evening.begin(place, 3)
        house.answer(n)
        state(place, None, None, None, started=False)
    house.sent.clear()
    assert await evening.step() == ("next_deal", 2)
    assert "chi dà le carte per primo" in (await house.post("/round/due", "chief", word="deal")).text
    await house.post("/round/due", "chief", word="deal", dealer="E")
    assert {(topic.split("/")[-2], one["deal"], one["dealer"]) for topic, one in house.sent} == {
        ("T7", 1, "E"), ("T12", 1, "E"),
    }  # fmt: skip
    assert await evening.step() == ("next_wait", 2), "the orders are on their way"
    for n in range(2):
        house.answer(n)
    for place in ("T7", "T12"):
        state(place, "dealt", 1, "E", started=False)
    assert await evening.step() == ("next_play", 2)
    await house.post("/round/due", "chief", word="start-play", place="T12")
    assert [topic.split("/")[-2] for topic, one in house.sent if one["do"] == "start-play"] == ["T12"]
    house.answer()
    state("T12", "playing", 1, "E", started=True)
    assert await evening.step() == ("next_play", 1)
    state("T7", "playing", 1, "E", started=True)
    evening.count("T12", 1)
    state("T12", "over", 1, "E", started=True)
    assert await evening.step() == ("next_deal", 1)
    assert "T12: smazzata 2, Sud" in await house.page("/round")
    await house.post("/round/due", "chief", word="deal", dealer="N")
    last = house.sent[-1][1]
    assert (last["do"], last["deal"], last["dealer"]) == ("deal", 2, "S"), "the next in turn, not the first"
    house.answer()
    await house.post("/round/time-out", "chief")
    assert await evening.step() == ("next_last_turns", 1), "after the time-out no deal begins, only T7 plays"
    evening.count("T7", 1)
    state("T7", "over", 1, "E", started=True)
    assert await evening.step() == ("next_sheets", 2)
    for place in ("T7", "T12"):
        evening.confirm(place)
    assert await evening.step() == ("next_end", 0), "nobody plays the other deals"
    assert 'id="end-anyway"' not in await house.page("/round")
    assert "Nessun tavolo lo aspetta" in (await house.post("/round/due", "chief", word="deal")).text


async def test_where_a_script_deals_nobody_is_asked_to(feburit: Evening) -> None:
    """As in the demo's hall, whose tables begin each deal by themselves."""
    house, pages = feburit.house, feburit.house.app.state.pages
    await house.post("/round/start", "chief", deals="3", minutes="35", pairs=PAIRS)
    for place in ("T7", "T12"):
        feburit.begin(place, 3)
        waiting = {"running": True, "deals": 3, "started": False}
        house.say(f"{place}/state", feed.state(table=place, rules="feburit", phase=None, deal=None, round=waiting))
    for n in range(2):
        house.answer(n)
    assert await feburit.step() == ("next_deal", 2)
    pages.settings = replace(pages.settings, scripted=True)
    assert await feburit.step() == ("next_wait", 2)


class Direction:
    """Somebody who knows nothing, and does what the top sentence says: a deed for each."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.house, self.rounds = evening, evening.house, 0

    async def start(self) -> None:
        self.rounds += 1
        kind = "plain" if self.rounds == 1 else "last"
        await self.house.post("/round/start", "chief", deals="2", minutes="25", pairs=PAIRS, kind=kind)

    async def silent(self) -> None:
        """The tables begin; in the second round T7 is out of order, and the round ends without it."""
        for place in ("T12", "T7")[: 3 - self.rounds]:
            self.evening.begin(place, 2)
        if self.rounds == 2:
            await self.wait()
            await self.sheets()
            await self.house.post("/round/end", "chief", anyway="1")
            await self.house.post("/round/protest", "chief", place="T12", line="NS", text="sedie")

    async def wait(self) -> None:
        for place in self.evening.played:
            for deal in (1, 2):
                self.evening.count(place, deal, match_points={"NS": 50, "EW": -50}, victory_points=None)

    async def sheets(self) -> None:
        for place in self.evening.played:
            self.evening.confirm(place)

    async def end(self) -> None:
        await self.house.post("/round/end", "chief")
        self.evening.played.clear()

    async def points(self) -> None:
        page = await self.house.page("/standing")
        for entry in re.findall(r'name="entry" value="([^"]+)"', page):
            await points(self.evening, html.unescape(entry), "10")

    async def protests(self) -> None:
        for one in self.house.book.rounds.protests():
            await self.house.post("/round/settle", "chief", id=str(one.id), outcome="respinto")

    async def post(self) -> None:
        await self.house.post("/round/post", "chief")

    async def ranking(self) -> None:
        await self.house.post("/round/ranking", "chief")

    async def final(self) -> None:
        await self.house.post("/round/close-tournament", "chief")


async def test_a_whole_evening_is_walked_by_the_top_sentence_alone(feburit: Evening) -> None:
    """Two rounds of two deals, one table that never begins in the second, a protest; each sentence is obeyed once."""
    direction, said = Direction(feburit), list[str]()
    while said[-1:] != ["final"]:
        word, _ = await feburit.step()
        assert said[-1:] != [word.removeprefix("next_")], f"{word} is done, and still said"
        said.append(word.removeprefix("next_"))
        await getattr(direction, said[-1])()
        feburit.house.at += 60
    assert said == [
        "start", "silent", "wait", "sheets", "end", "points", "post",
        "start", "silent", "points", "protests", "ranking", "final",
    ]  # fmt: skip
    assert await feburit.step() == ("next_start", 0), "the tournament is closed"
    assert all(row.vp is not None for row in ranking_of(feburit.house.app.state.pages))


async def test_who_rests_among_matches_is_ranked_with_a_match_that_the_arbitro_gives(house: Any) -> None:
    """Tarocco ranks by matches won, and no rule says what who rests has."""
    tarocco = Evening(house, "tarocco")
    await house.post("/round/start", "chief", deals="2", minutes="60", pairs="T12 A / B\nriposa C")
    tarocco.begin("T12", 1)
    match = {"won": {"NS": True, "EW": False}, "points": {"NS": 90, "EW": 60}, "extra": {"NS": 1, "EW": 0}}
    tarocco.count("T12", 1, match=match | {"extra_title": {"it": "Begati", "en": "Begati"}})
    tarocco.confirm("T12")
    await house.post("/round/end", "chief", anyway="1")
    assert await tarocco.step() == ("next_points", 1)
    await points(tarocco, "C", "1", mp="75")
    ranked = [(row.place, row.pair) for row in ranking_of(house.app.state.pages)]
    assert ranked == [(1, "A"), (2, "C"), (3, "B")]
    told = json.loads((await house.get("/reports/lists/ranking.json", "chief")).text)
    assert told["rows"][1]["points"] == 75


async def test_a_match_of_too_few_deals_has_no_winner_and_the_arbitro_names_one(house: Any) -> None:
    """Two deals of four scartate: the sentence may not go on to the seating, which nobody can propose then."""
    tarocco = Evening(house, "tarocco")
    await house.post("/round/start", "chief", deals="1", minutes="30", pairs="T12 A / B")
    tarocco.begin("T12", 1)
    match = {"won": {"NS": None, "EW": None}, "points": {"NS": 90, "EW": 60}, "extra": {"NS": 1, "EW": 0}}
    tarocco.count("T12", 1, match=match | {"extra_title": {"it": "Begati", "en": "Begati"}})
    tarocco.confirm("T12")
    await house.post("/round/end", "chief")
    assert await tarocco.step() == ("next_points", 2)
    for entry, won in (("A", "1"), ("B", "0")):
        await points(tarocco, entry, won)
    assert await tarocco.step() == ("next_post", 0)
    ranked = ranking_of(house.app.state.pages)
    assert [(row.place, row.pair, row.matches and row.matches.points) for row in ranked] == [(1, "A", 90), (2, "B", 60)]


def test_no_page_has_a_style_attribute_which_its_own_policy_refuses() -> None:
    root = Path(__file__).parents[2] / "table_service"
    pages = [one for one in root.rglob("*.html") if "display" not in one.parts]
    assert len(pages) > 60
    assert [one.name for one in pages if re.search(r"\sstyle\s*=", one.read_text(encoding="utf-8"))] == []


async def test_no_time_is_left_once_the_time_out_is_called(feburit: Evening) -> None:
    house = feburit.house
    await house.post("/round/start", "chief", deals="3", minutes="35", pairs=PAIRS)
    assert "Tempo che resta" in (page := await house.page("/round", "chief"))
    assert "Tempo finito" not in page
    await house.post("/round/time-out", "chief")
    page = await house.page("/round", "chief")
    assert "Tempo finito" in page
    assert "Tempo che resta" not in page
    assert 'id="pause"' not in page
    hall = await house.page("/", "chief")
    assert "Tempo finito" in hall[hall.index("chip clock") :][:200]


async def test_after_the_last_round_no_other_is_offered_before_its_ranking(feburit: Evening) -> None:
    house = feburit.house
    await house.post("/round/start", "chief", deals="3", minutes="35", pairs=PAIRS, kind="last")
    await house.post("/round/end", "chief", anyway="1")
    page = html.unescape(await house.page("/round", "chief"))
    assert "L’ultimo incontro è finito." in page
    assert 'id="start-details">' in page, "folded, for whoever plays on all the same"
    assert 'id="post-seating"' not in page
    await house.post("/round/close-tournament", "chief")
    assert 'id="start-details" open>' in await house.page("/round", "chief")


async def test_the_forms_beside_the_round_follow_its_start_and_its_end(feburit: Evening) -> None:
    """They are no part of the stream: what the top sentence leads to would not be there."""
    for deed, terms in (("start", {"deals": "3", "minutes": "35", "pairs": PAIRS}), ("end", {"anyway": "1"})):
        async with feburit.house.client("chief") as client:
            answer = await client.post(f"/round/{deed}", data=terms, headers={"HX-Request": "true"})
        assert answer.headers.get("HX-Redirect") == "/round", deed


async def test_places_are_said_to_be_provisional_while_points_of_others_lack(feburit: Evening) -> None:
    """Who rested has points by the code, and stood first of all."""
    house, said = feburit.house, "Posti provvisori; iscritti senza tutti i punti: 4"
    await house.post("/round/start", "chief", deals="2", minutes="25", pairs=PAIRS)
    for place in ("T7", "T12"):
        feburit.begin(place, 2)
        for deal in (1, 2):
            feburit.count(place, deal, match_points={"NS": 50, "EW": -50}, victory_points=None)
        feburit.confirm(place)
    await house.post("/round/end", "chief", anyway="1")
    await house.post("/round/publish", "chief")
    shown = ("/standing", "/ranking", "/reports/lists/ranking.txt", "/reports/lists/ranking.csv")
    told = {path: said in html.unescape((await house.get(path, "chief")).text) for path in shown}
    assert told == {"/standing": True, "/ranking": True, "/reports/lists/ranking.txt": True, shown[-1]: False}
    for entry in ("Rossi–Bianchi", "Verdi–Neri", "Conti–Serra", "Longo–Marini"):
        await points(feburit, entry, "10")
    assert "Posti provvisori" not in await house.page("/standing", "chief")


async def test_what_waits_for_the_arbitro_is_decided_before_points_and_ranking(feburit: Evening) -> None:
    house = feburit.house
    await house.post("/round/start", "chief", deals="3", minutes="35", pairs=PAIRS, kind="last")
    for n, place in enumerate(("T7", "T12")):
        house.say(f"{place}/alert/call-W", {"key": "call-W", "call": True, "offender": "W", "t": 150.0 + n})
    await house.post("/round/end", "chief", anyway="1")
    assert await feburit.step() == ("next_alerts", 2)
    for left, place in ((1, "T7"), (0, "T12")):
        await house.post(f"/table/{place}/alert/call-W/hand/take", "arbitro", "Anna")
        await house.post(f"/table/{place}/alert/call-W/hand/resolve", "arbitro", "Anna")
        assert await feburit.step() == (("next_alerts", left) if left else ("next_points", 4))
