"""A table of tarocco in the hall's console: its cards are those of our own tarocco, named for who cannot see them."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from table_service import rulesets
from table_service.console.correction_rules import allowed
from tests.games.tarocco.table_of_tarocco import N, hands_with, opening, told, trick

feed: Any = sys.modules["console_feed"]

HANDS = hands_with({N: "KC t18"})


@pytest.mark.parametrize("lang", ["it", "en"])
async def test_the_page_names_the_cards_and_draws_them_of_its_own_pack(make_house: Any, lang: str) -> None:
    house = make_house().hear()
    state = told([*opening(HANDS), *trick("KC")]).fold.state()
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**state, "table": "T8"})
    page = (await house.get(f"/table/T8?lang={lang}")).text
    assert ("Re di coppe" if lang == "it" else "King of cups") in page
    assert "/cards/tarocco/KC.svg" in page
    assert "/cards/KC.svg" not in page
    assert (await house.get("/cards/tarocco/KC.svg")).text != (await house.get("/cards/KC.svg")).text
    for wrong in ("/cards/tarocco/7H.svg", "/cards/minchiate/KC.svg"):
        assert (await house.get(wrong)).status_code == 404


def scored(house: Any) -> None:
    """A deal of T8 is counted."""
    begin = {**feed.event(500, "round.started", deals=4), "table": "T8", "deal": None}
    house.say("T8/event/round.started", begin)
    figures = {"cricche": 96, "sequences": 210, "scartini": 56, "last_trick": 6, "accusi": 25, "penalty": 0}
    lines = {line: {"items": figures, "total": 393, "running": 393} for line in ("NS", "EW")}
    count = {"lines": lines, "camera": lines, "ledger": lines, "agrees": True, "doubtful": [], "differences": []}
    house.say("T8/event/score.counted", {**feed.event(501, "score.counted", **count), "table": "T8", "deal": 1})


async def test_the_match_sheet_has_points_deals_won_and_begati_and_names_no_article_of_another_code(
    make_house: Any,
) -> None:
    house = make_house().hear()
    state = told([*opening(HANDS), *trick("KC")]).fold.state()
    match = {"form": "quattro-scartate", "total": {"NS": 700, "EW": 650}, "deals_won": {"NS": 3, "EW": 1}}
    match |= {"begati": {"NS": 1, "EW": 2}, "is_over": True, "winner": "NS", "decided_by": "points"}
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**state, "table": "T8", "match": match})
    scored(house)
    page = (await house.get("/sheets/T8?lang=it")).text
    assert "Foglio di gara" in page
    for told_there in ("700", "650", "ai punti", "La partita è di Nord–Sud"):
        assert told_there in page
    assert "art." not in page
    assert "non ancora consegnato alla Giuria" in page


def test_a_match_sheet_that_was_handed_in_says_that_the_giuria_decides(make_house: Any) -> None:
    house = make_house().hear()
    scored(house)
    held = house.office.sheets.now("T8")
    paper = rulesets.rule_set("tarocco").paper
    assert "Giuria" in allowed(paper, None, held, "", 0.0).why[0]
    assert "una contestazione non è più ascoltata" in allowed(paper, None, held, "delivered", 0.0).why[0]
