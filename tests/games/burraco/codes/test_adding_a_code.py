"""A further code costs one file of data (docs/adding-a-code.md): a made-up one is read, counted and played."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw.seats import SEATS, Line, Seat
from lab.codes.code_differences import DIFFERENCES
from lab.codes.codes_page import page
from table_service.games.burraco.codes import CATALOGUES, EDITIONS, edition, editions
from table_service.games.burraco.rules import acting
from table_service.games.burraco.rules.deal import ActFault, Deal
from table_service.games.burraco.rules.meld import describe, discard_order
from table_service.games.burraco.rules.options import chosen
from table_service.games.burraco.rules.score import count
from table_service.games.burraco.rules.verifying import verify_open
from table_service.games.burraco.rules.vp import vp_result
from tests.games.burraco.codes import club_code
from tests.games.burraco.conftest import Script

N, E, S, W = SEATS
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> str:
    """The made-up code among the others: its edition in the list, which is all that adding one takes."""
    one = club_code.EDITION
    monkeypatch.setattr(editions, "EDITIONS", {**EDITIONS, one.name: one})
    monkeypatch.setitem(CATALOGUES, one.name, one.catalogue)
    return one.name


def test_its_melds_are_read_by_its_own_figures(club: str) -> None:
    book = edition(club).book
    assert [describe(book, cards.split())["burraco"] for cards in ("3H 4H 5H 6H 7H 8H", "KH KD KC KS KH KD JK")] == [
        "clean",
        "semi-clean",
    ]
    assert describe(book, ["QH", "QH", "QD", "QD", "QC", "QC", "QS", "QS"])["bonus"] == 500
    assert describe(edition("fibur2024").book, ["3H", "4H", "5H", "6H", "7H", "8H"])["burraco"] == "none"


def test_its_deals_are_counted_and_its_table_gives_victory_points(club: str) -> None:
    answer = count(edition(club).book, {"rules": club, "deal": {"NS": {"pot": "taken"}, "EW": {}}})
    assert (answer["rules"], answer["diff"]) == ("club", 50)
    dear = chosen(edition(club).book, {"pot_malus": 100})
    assert count(dear, {"rules": club, "deal": {"NS": {"pot": "taken"}, "EW": {}}})["diff"] == 100
    assert vp_result(edition(club).book, 3, 450)["vp"] == [14, 6]


def test_its_choices_act_in_the_rules(club: str) -> None:
    book = edition(club).book
    deal = acting.turn_up(Deal.begin(book, 1, S), ("TD",))
    deal = acting.draw(deal, W, ("??",))
    deal = acting.change(deal, None, 3, Line.EW, ("8H", "8S", "8C"))
    assert verify_open(deal, W, ("8D", "8D", "8S"), Line.EW) == (ActFault.SECOND_SET,)
    assert discard_order(book, ("KH", "4D", "AC")) == ("4D", "KH", "AC")
    assert deal.time_out().last_to_play is W


def test_a_table_plays_by_it_and_tells_its_own_rows(club: str) -> None:
    script = Script(rules=club)
    script.turn_up()
    script.turn("W")
    script.draw("E")
    assert script.verdicts() == [("H-1", "E", "open")]
    script.console("rule", row="H-1", seat="E")
    assert script.verdicts()[-1] == ("H-1", "E", "ruled")
    warned = [event.model_dump(mode="json") for event in script.of("warning.given")]
    assert [(one["line"], one["data"]["row"]) for one in warned] == [("EW", "H-1")]
    imposed = [event.model_dump(mode="json")["data"]["do"] for event in script.of("sanction.imposed")]
    assert imposed == ["limit-turn"]


def test_what_it_has_no_row_for_is_no_finding(club: str) -> None:
    script = Script(rules=club)
    script.turn_up()
    script.draw("W")
    script.draw("W")
    assert script.verdicts() == []
    known = Script()
    known.turn_up()
    known.draw("W")
    known.draw("W")
    assert [row for row, _, _ in known.verdicts()] == ["F-08a"]


def test_it_stands_on_the_page_beside_the_others(club: str) -> None:
    text = page({**EDITIONS, club: edition(club)}, DIFFERENCES)
    assert f"| subject | {' | '.join(f'`{name}`' for name in (*EDITIONS, 'club'))} |" in text
    assert "| `club` | `pot_malus` | 3 | What a pot not taken costs |" in text


def test_its_file_is_data_alone() -> None:
    text = Path(club_code.__file__).read_text(encoding="utf-8")
    assert not [word for word in ("def ", "if ", "for ", "lambda") if f"\n{word}" in text or f"    {word}" in text]


def test_the_guide_names_what_there_is() -> None:
    guide = (ROOT / "docs" / "adding-a-code.md").read_text(encoding="utf-8")
    for name in (
        "codes/editions.py",
        "codes/edition.py",
        "fault_kinds.py",
        "rules/policies.py",
    ):
        assert name in guide
        assert (ROOT / "table_service" / "games" / "burraco" / name).is_file()
    for name in ("table_service/referee/catalogue.py", "table_service/referee/row_writing.py"):
        assert name in guide
        assert (ROOT / name).is_file()
    assert Seat.NORTH.next is Seat.EAST
