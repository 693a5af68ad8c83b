"""A game that no file of ours knows: the console shows its table, words, sentences and past by the game's own parts."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table_service.games.definition import RuleSet
from table_service.games.game_pages import Document, GamePages, Moment, RowOnTable
from table_service.rulesets import DEFAULT, RULE_SETS
from table_service.table.score_items import ScoreItem, ScoreSheet

TEMPLATE = """{% from "macros.html" import card with context %}
<section class="trick" aria-label="{{ w.trick }}">{% for c in middle.trick %}{{ card(c, w) }}{% endfor %}
{{ w.won }}: {{ middle.won }}</section>
"""


def moments(events: Sequence[Document]) -> list[Moment]:
    trick: list[str] = []
    found = []
    for event in events:
        if event["type"] == "trick.played":
            trick = [*trick, event["data"]["card"]]
        found.append(Moment(event, {"deal": 1, "trick": list(trick), "open": {}, "phase": "playing"}))
    return found


@pytest.fixture
def whist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RuleSet]:
    """A trick game of eight cards, from a folder of its own."""
    package = tmp_path / "whist_of_eight"
    (package / "templates").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "templates" / "trick.html").write_text(TEMPLATE)
    monkeypatch.syspath_prepend(str(tmp_path))
    pages = GamePages(
        name="whist",
        templates="whist_of_eight",
        middle="trick.html",
        middle_of=lambda state: {"trick": state.get("trick") or (), "won": state.get("won", 0)},
        rows_of=lambda state: (RowOnTable("NS", "trick-1", tuple(state.get("trick") or ())),),
        counts_of=lambda state: {"trick": len(state.get("trick") or ())},
        moments=moments,
        awaited=lambda _turn: "to_lead",
        words={
            "trick": ("Presa", "Trick"),
            "won": ("Prese fatte", "Tricks won"),
            "to_lead": ("deve uscire", "to lead"),
        },
        sentences={"trick.played": ("{who} gioca una carta", "{who} plays a card")},
        cards={"trick.played": lambda data: [data.get("card")]},
        moves=frozenset({"trick.played"}),
    )
    sheet = ScoreSheet((ScoreItem("tricks", ("prese", "tricks")),))
    yield replace(RULE_SETS[DEFAULT], name="whist8", game="whist", title="Whist of eight", pages=pages, sheet=sheet)
    sys.modules.pop("whist_of_eight", None)


@pytest.fixture
def hall(make_house: Any, whist: RuleSet) -> Any:
    """A hall where one table plays it beside one that plays Burraco."""
    house = make_house(rule_sets={**RULE_SETS, whist.name: whist}).hear()
    state = {"table": "T8", "rules": "whist8", "deal": 1, "phase": "playing", "turn": {"seat": "W", "n": 1}}
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**state, "trick": ["7H", "KH"], "won": 3, "pots": {"left": 2}})
    told = [("deal.started", {"n": 1, "dealer": "S"}), ("trick.played", {"card": "KH"})]
    for seq, (kind, data) in enumerate(told, start=1):
        event = {
            "id": f"e{seq}",
            "boot": "00000a",
            "seq": seq,
            "t": float(seq),
            "time": f"2026-11-20T21:10:0{seq}.000Z",
        }
        about = {"deal": 1, "turn": 1, "type": kind, "seat": "W", "line": "EW", "data": data}
        house.say(f"T8/event/{kind}", {**event, **about})
    return house


async def test_its_table_is_shown_by_its_own_template_and_words(hall: Any) -> None:
    page = (await hall.get("/table/T8?lang=en")).text
    assert 'aria-label="Trick"' in page
    assert "/cards/KH.svg" in page
    assert "Tricks won: 3" in page
    assert "to lead" in page
    assert "West plays a card" in page
    assert "pot" not in page[page.index('<div class="felt">') : page.index("</main>")].lower().replace("spot", "")


async def test_the_table_beside_it_stays_what_it_was(hall: Any) -> None:
    page = (await hall.get("/table/T12?lang=en")).text
    assert "Discard pile" in page
    assert 'aria-label="Trick"' not in page


async def test_its_past_is_folded_by_its_own_part(hall: Any) -> None:
    hall.book.kept.flush()
    found = await hall.get("/archive/T8/now", follow_redirects=True)
    assert 'aria-label="Presa"' in found.text
    assert "Ovest gioca una carta" in found.text
    assert "/cards/KH.svg" not in (await hall.get(f"{found.url.path}/at?n=0")).text


async def test_a_row_of_its_table_may_be_named_in_a_ruling(hall: Any) -> None:
    page = (await hall.get("/table/T8/decide?lang=en&all=1")).text
    assert "7H KH" in page
