"""A pair that comes while the first round is played completes the table of the one that rests (feburit, art. 25)."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from table_service.console.tournament_book import ranking_of
from table_service.rulesets import rule_set
from table_service.tournament import Meeting, Seating

feed: Any = sys.modules["console_feed"]
PAIRS = "T12 Rossi–Bianchi / Verdi–Neri\nriposa Gialli–Blu"


async def first_round(house: Any, rules: str = "feburit") -> Any:
    house.hear()
    for place in ("T7", "T12"):
        house.say(f"{place}/status", {"state": "ready", "boot": "000a3f", "version": "x"})
        house.say(f"{place}/state", feed.state(table=place, rules=rules))
    await house.post("/round/start", "chief", deals="2", minutes="25", pairs=PAIRS)
    house.sent.clear()
    return house


def test_what_article_25_says_stands_in_the_code() -> None:
    rule = rule_set("feburit").events.late_entry
    assert rule is not None
    assert (rule.article, rule.minutes, rule.waiting, rule.late) == ("25", 10, (13, 450), (7, None))
    assert rule_set("fibur2024").events.late_entry is None


@pytest.mark.parametrize(
    ("language", "said"),
    [("it", "Entro 10 minuti dall’inizio si gioca"), ("en", "Within 10 minutes of the start the two play")],
)
async def test_within_ten_minutes_the_two_play_and_make_up_the_time(house: Any, language: str, said: str) -> None:
    await first_round(house)
    house.at += 9 * 60
    assert said in await house.page(f"/round?lang={language}")
    answer = await house.post("/round/complete", "chief", entry="Viola–Rosa", place="T7")
    assert answer.status_code in (200, 303)
    ((topic, order),) = house.sent
    assert topic.endswith("T7/command")
    assert (order["do"], order["minutes"], order["deals"]) == ("start-round", 25, 2)
    assert order["pairs"] == {"NS": "Viola–Rosa", "EW": "Gialli–Blu"}
    current = house.book.rounds.current
    assert house.book.rounds.seated(current.id)["T7", "NS"] == "Viola–Rosa"
    assert house.book.adjustments.of(current.id) == []


@pytest.mark.parametrize(
    ("language", "said"),
    [("it", "A Gialli–Blu 13 V.P., a chi arriva 7 V.P."), ("en", "Gialli–Blu has 13 VP, the late pair 7 VP.")],
)
async def test_later_nobody_plays_and_both_get_what_the_code_says(house: Any, language: str, said: str) -> None:
    await first_round(house)
    house.at += 11 * 60
    assert said in await house.page(f"/round?lang={language}")
    await house.post("/round/complete", "chief", entry="Viola–Rosa", place="T7")
    assert house.sent == [], "no table begins"
    ranked = {row.pair: (row.vp, row.mp) for row in ranking_of(house.app.state.pages)}
    assert ranked["Gialli–Blu"] == (13, 450)
    assert ranked["Viola–Rosa"] == (7, None), "the article says nothing of its match points"
    page = await house.page(f"/standing?lang={language}")
    assert {"it": "assegnato senza gioco", "en": "given without play"}[language] in page
    await house.post("/round/end", "chief", anyway="1")
    proposal = await house.page("/round?movement=mitchell&lang=it")
    assert "Viola–Rosa / " in proposal, "it stays North-South at its table"


async def test_it_is_only_in_the_first_round_and_only_where_one_rests(house: Any) -> None:
    await first_round(house)
    for entry, place, word in (
        ("Verdi–Neri", "T7", "siede in due posti"), ("", "T7", ""), ("Viola–Rosa", "T12", ""), ("A + B", "T7", ""),
    ):  # fmt: skip
        answer = await house.post("/round/complete", "chief", entry=entry, place=place)
        assert answer.status_code >= 400 or "sorry" in answer.text
        assert word in answer.text
    await house.post("/round/end", "chief", anyway="1")
    assert 'id="complete"' not in await house.page("/round")
    await house.post("/round/start", "chief", deals="2", minutes="25", pairs=PAIRS, anyway="1")
    house.sent.clear()
    refused = await house.post("/round/complete", "chief", entry="Viola–Rosa", place="T7")
    assert "solo durante il primo turno" in refused.text
    assert house.sent == []


async def test_another_code_lets_them_play_however_late_it_is(house: Any) -> None:
    await first_round(house, "fibur2024")
    house.at += 20 * 60
    page = await house.page("/round")
    assert 'id="complete"' in page
    assert "V.P., a chi arriva" not in page
    await house.post("/round/complete", "chief", entry="Viola–Rosa", place="T7")
    assert [order["do"] for _, order in house.sent] == ["start-round"]


def test_the_table_that_was_completed_is_a_meeting_of_the_first_round() -> None:
    from table_service.console.seating_proposals import seating_of_round

    seated = {("T7", "NS"): "L", ("T7", "EW"): "W", ("T12", "NS"): "A", ("T12", "EW"): "B"}
    assert seating_of_round(seated, ("T7", "T12")) == Seating((Meeting(1, "L", "W"), Meeting(2, "A", "B")), ())
