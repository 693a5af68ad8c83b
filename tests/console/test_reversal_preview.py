"""Before a ruling of an earlier deal is reversed, the page shows in sentences what the table says that it changes."""

from __future__ import annotations

import sys
from typing import Any

feed = sys.modules["console_feed"]
KEY = feed.ALERT["key"]
HERE = f"/table/T12/alert/{KEY}"
CHANGES = [
    {"what": "item", "line": "NS", "deal": 1, "item": "penalised", "old": -50, "new": 0},
    {"what": "total", "line": "NS", "deal": 1, "old": 600, "new": 650},
    {"what": "confirmed", "line": "NS", "deal": 1, "old": True, "new": False},
    {"what": "doubtful", "line": "EW", "deal": 1, "item": "melds", "old": False, "new": True},
    {"what": "warnings", "line": "EW", "old": 2, "new": 1},
    {"what": "victory_points", "line": "EW", "old": 6, "new": None},
]
"""What a table may answer."""


async def decided(house: Any) -> None:
    """The alert is ruled, and another deal has begun since."""
    house.hear()
    await house.post(f"{HERE}/rule/rule", "arbitro")
    house.answer()
    told = {**feed.ALERT, "state": "ruled", "needs_referee": False, "ruling": {"by": "la arbitro"}}
    house.say("T12/event/irregularity", feed.event(60, "irregularity", "E", **told))
    house.say(f"T12/alert/{KEY}", None)
    later = {**feed.event(61, "deal.started", dealer="N", n=9), "deal": 9}
    house.say("T12/event/deal.started", later)


async def test_what_a_reversal_changes_is_shown_before_it_can_be_signed(house: Any) -> None:
    await decided(house)
    html = await house.page(HERE, "arbitro")
    assert "Mostra prima che cosa cambia" in html
    assert 'id="reverse"' not in html, "nothing can be signed unseen"
    await house.post(f"{HERE}/foresee", "arbitro")
    _, order = house.sent[-1]
    assert (order["do"], order["key"]) == ("foresee", KEY)
    assert "sta calcolando" in await house.page(HERE, "arbitro")
    house.answer(foreseen={"key": KEY, "deal": 1, "score": "T12-x", "changes": CHANGES})
    html = await house.page(HERE, "arbitro")
    for sentence in (
        "Nord–Sud, smazzata 1: totale da 600 a 650",
        "Nord–Sud deve confermare di nuovo lo score della smazzata 1",
        "Est–Ovest: ammonizioni da 2 a 1",
        "Est–Ovest: victory point da 6 a ?",
    ):
        assert sentence in html, sentence
    await house.post(f"{HERE}/reverse", "arbitro", reason="Ricorso accolto", score="T12-x")
    _, order = house.sent[-1]
    assert (order["do"], order["key"], order["score"]) == ("dismiss", KEY, "T12-x")
    assert order["signature"]


async def test_a_table_that_refuses_to_tell_leaves_its_reason_on_the_page(house: Any) -> None:
    await decided(house)
    await house.post(f"{HERE}/foresee", "arbitro")
    note = "the ruling on F-24a has been reversed already"
    house.answer(result="refused", ok=False, reason="ignored", text={"it": "Senza effetto.", "en": "-"}, note=note)
    html = await house.page(HERE, "arbitro")
    assert note in html
    assert 'id="reverse"' not in html
    assert (await house.post(f"{HERE}/foresee", "spectator")).status_code == 403


async def test_a_table_that_answers_nonsense_breaks_no_page(house: Any) -> None:
    await decided(house)
    await house.post(f"{HERE}/foresee", "arbitro")
    house.answer(foreseen={"key": KEY, "changes": ["x", {"what": 7}, {"what": "item", "line": {}, "item": "nothing"}]})
    await house.page(HERE, "arbitro")


async def test_a_ruling_can_be_reversed_after_the_table_has_started_again_in_the_same_round(house: Any) -> None:
    house.say("T12/event/round.started", feed.event(1, "round.started", boot="000a3e", deals=9, round="x"))
    await decided(house)
    house.say("T12/status", {"state": "ready", "boot": "000a40", "version": "0.1.0"})
    assert "Mostra prima che cosa cambia" in await house.page(HERE, "arbitro")
    await house.post(f"{HERE}/foresee", "arbitro")
    assert house.sent[-1][1]["do"] == "foresee"
    later = feed.event(1, "round.started", boot="000a40", deals=9)
    house.say("T12/event/round.started", later)
    html = await house.page(HERE, "arbitro")
    assert "di un altro incontro" in html
    assert 'id="foresee"' not in html
