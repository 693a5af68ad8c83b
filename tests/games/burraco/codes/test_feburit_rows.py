"""Rows of FE.BUR.IT that sensors tell in part, or persons alone: a wild on top, a card not recalled, art. 23."""

from __future__ import annotations

import pytest

from hw.seats import Seat
from hw.zones import DISCARD
from table_service.games.burraco.rules import pots
from table_service.tracking.movements import Touched
from tests.games.burraco.codes.test_codes_at_a_table import table, told
from tests.games.burraco.codes.test_feburit_at_a_table import ends, kept
from tests.games.burraco.conftest import Script
from tests.games.burraco.referee.test_wrong_melds import rest


def rests_at(script: Script, seat: str, zone: str) -> None:
    t = script.later()
    script.take(Touched(t, t - 3.0, zone, Seat(seat), 1.9))  # type: ignore[arg-type]


def test_b06d_who_looks_through_the_pile_out_of_turn_is_ruled_by_a_person() -> None:
    """Art. 6: hands rest at the pile in every deal, so that no beam accuses anybody; no penalty is written."""
    script = table("feburit")
    script.draw("W")
    rests_at(script, "N", DISCARD)
    assert told(script) == []
    script.console("rule", row="B-06d", seat="N")
    assert (told(script), script.last()["state"]) == ([("B-06d", "N")], "ruled")
    assert len(script.of("warning.given")) == 0


@pytest.mark.parametrize(
    ("rules", "hand", "laid", "card", "rows"),
    [
        ("feburit", "8H 9H KD", "JK", "KD", [("B-06g", "W")]),
        ("feburit", "7H KD", "JK", "KD", [("B-06g", "W")]),
        ("feburit", "8H KD", "JK", "8H", [("B-06g", "W")]),
        ("feburit", "9C KD", "JK", "KD", []),
        ("feburit", "?? ?? KD", "JK", "KD", []),
        ("feburit", "3H KD", "JK", "KD", []),
        ("fibur2024", "8H 9H KD", "JK", "KD", []),
        ("online", "8H 9H KD", "JK", "KD", []),
    ],
)
def test_b06g_a_wild_on_top_binds_him_to_go_on_who_holds_the_card_for_it(
    rules: str, hand: str, laid: str, card: str, rows: list[tuple[str, str]]
) -> None:
    """Art. 6: told where the ledger knows such a card in his hand; a hand that nobody knows accuses nobody."""
    script = table(rules)
    script.draw("W")
    script.lay("W", 0, "4H 5H 6H")
    script.hands(W=f"{laid} {hand}")
    script.lay("W", 0, laid, before="4H 5H 6H")
    rest(script)
    script.discard("W", card)
    assert told(script) == rows
    if rows:
        assert (script.last()["severity"], script.last()["needs_referee"]) == ("note", True)


def test_b06g_a_wild_below_or_one_that_was_gone_on_with_binds_to_nothing() -> None:
    script = table("feburit")
    script.draw("W")
    script.lay("W", 0, "4H 5H 6H")
    script.hands(W="JK 7H 8H 2S 9C TC JC KD")
    script.lay("W", 1, "2S 9C TC JC")
    script.lay("W", 0, "JK", before="4H 5H 6H")
    script.lay("W", 0, "8H", before="4H 5H 6H JK")
    script.discard("W", "KD")
    assert told(script) == []


def test_b14i_who_does_not_recall_the_card_gives_the_highest_that_the_arbitro_names() -> None:
    """Art. 14, end: the draw out of turn is B-14a; that he does not recall the card the arbitro hears, and rules."""
    script = table("feburit")
    script.turn("W")
    script.draw("W")
    assert told(script) == [("B-14a", "W")]
    assert "B-14i" in script.last()["options"]
    key = script.last()["key"]
    script.console("rule", key=key, row="B-14i", option="put-back", seat="W", cards=["AH"])
    assert (script.last()["row"], script.last()["key"], script.last()["state"]) == ("B-14i", key, "ruled")
    script.put_back("W", "AH")
    assert ("return-to-stock", "W", None) in kept(script)
    assert told(script) == [("B-14i", "W")]


def closed_then_found() -> Script:
    """W has gone out with a burraco that has a gap: the deal is told as closed, then the meld comes to rest."""
    script = table("feburit")
    script.suppose(lambda deal: pots.take_pot(deal, Seat.WEST, "discard"))
    script.draw("W")
    script.hands(W="3C 4C 5C 7C 8C 9C TC QH QD QC KH KD KC 3S")
    script.lay("W", 1, "QH QD QC")
    script.lay("W", 2, "KH KD KC")
    script.lay("W", 0, "3C 4C 5C 7C 8C 9C TC")
    script.discard("W", "3S")
    script.over("closed")
    rest(script)
    return script


def test_b23a_a_wrong_meld_of_the_last_turn_is_found_at_the_count() -> None:
    """Art. 23: the valid part counts for the line, the other against it."""
    script = closed_then_found()
    last = script.last()
    assert (last["row"], last["found"], last["severity"], last["needs_referee"]) == ("B-23a", "hand_end", "score", True)
    script.console("rule", key=last["key"], option="other-burraco", meld=0, cards=["3C", "4C", "5C"])
    deal = script.fold.deal
    assert deal is not None
    lies = deal.meld(0)
    assert lies is not None
    assert (lies.negative, script.last()["state"]) == (("3C", "4C", "5C"), "ruled")
    assert str(deal.phase) == "over"


def test_b23a_a_wrong_meld_that_nobody_called_for_is_found_after_the_closing_and_later_where_that_was_none() -> None:
    """Art. 23; while others play on it is art. 10's meld found later."""
    script = table("feburit")
    script.suppose(lambda deal: pots.take_pot(deal, Seat.EAST, "discard"))
    for seat in "WNE":
        script.turn(seat)
    script.draw("S")
    script.lay("S", 0, "KH KD 3C")
    rest(script)
    script.discard("S", "4C")
    script.turn("W")
    script.turn("N")
    assert told(script) == [("B-10m", "S")]
    found = script.last()["found"]
    script.draw("E")
    script.hands(E="3H 4H 5H 6H 7H 8H 9H 5D")
    script.lay("E", 1, "3H 4H 5H 6H 7H 8H 9H")
    script.discard("E", "5D")
    assert ends(script) == [("closed", "E")]
    assert told(script) == [("B-23a", "S")]
    script.move("5D", "discard", "hand-E", "E")
    assert told(script) == [("B-10m", "S")]
    assert script.last()["found"] == found


def test_b23a_where_it_was_the_only_burraco_the_closing_is_void_and_play_goes_on() -> None:
    """Art. 23: what was laid for it is frozen for a round, but for the last play, which is penalised."""
    script = table("feburit")
    script.suppose(lambda deal: pots.take_pot(deal, Seat.WEST, "discard"))
    script.draw("W")
    script.hands(W="3C 4C 5C 6C 7C 8C 9C QH QD QC KH KD KC 3S")
    script.lay("W", 0, "3C 4C 5C 6C 7C 8C 9C")
    script.lay("W", 1, "QH QD QC")
    script.lay("W", 2, "KH KD KC")
    script.discard("W", "3S")
    assert ends(script) == [("closed", "W")]
    script.console("rule", row="B-23a", seat="W", option="only-burraco", meld=0, cards=["KH", "KD", "KC"])
    assert len(script.of("event.retracted")) == 1
    deal = script.fold.deal
    assert deal is not None
    assert (str(deal.phase), deal.to_play) == ("playing", Seat.NORTH)
    frozen = {meld.row: meld.frozen for meld in deal.melds}
    assert (frozen[1], frozen[2]) == ("temporary", "none")
    imposed = [event.data.do for event in script.of("sanction.imposed")]  # type: ignore[attr-defined]
    assert imposed == ["penalise", "discard"]


def test_b23a_what_waits_since_play_becomes_it_when_the_deal_is_over() -> None:
    script = table("feburit")
    script.draw("W")
    script.lay("W", 0, "5H 6H 8H")
    rest(script)
    assert told(script) == [("B-10j", "W")]
    script.discard("W", "4C")
    assert told(script) == [("B-10m", "W")]


def wrong_closing(rules: str) -> Script:
    """W goes out without a burraco, which ends nothing."""
    script = table(rules)
    script.suppose(lambda deal: pots.take_pot(deal, Seat.WEST, "discard"))
    script.hands(W="5C 6C 7C KD", N="3D 4S", E="9H TS", S="JD QS")
    script.draw("W", "8C")
    script.lay("W", 0, "5C 6C 7C 8C")
    script.discard("W", "KD")
    assert ends(script) == []
    return script


@pytest.mark.parametrize(("first", "way"), [("N", "other-line"), ("E", "closing-line")])
def test_b23b_hands_shown_after_a_void_closing_are_judged_by_whose_came_first(first: str, way: str) -> None:
    """Art. 23: by the other line, and the closing stands; by the closing line, and its cards are penalised."""
    script = wrong_closing("feburit")
    assert told(script) == [("B-21a", "W")]
    script.shown(first, "3D 4S" if first == "N" else "9H TS")
    assert told(script) == [("B-21a", "W"), ("B-23b", first)]
    shown = script.last()
    assert (shown["found"], shown["needs_referee"]) == ("hand_end", True)
    assert [step["option"] for step in shown["remedy"]] == [way] * len(shown["remedy"])
    other = "E" if first == "N" else "N"
    script.shown(other, "9H TS" if first == "N" else "3D 4S")
    assert told(script) == [("B-21a", "W"), ("B-23b", first)], "the first decides"
    script.console("rule", key=shown["key"], row="B-23b", option=way)
    assert ends(script) == ([("closed", "W")] if way == "other-line" else [])
    void = [e.data.state for e in script.of("irregularity") if e.data.row == "B-21a"]  # type: ignore[attr-defined]
    assert void[-1] == ("dismissed" if way == "other-line" else "open"), "a closing that stands was not void"
    if way == "closing-line":
        imposed = [(e.data.do, str(e.seat)) for e in script.of("sanction.imposed")]  # type: ignore[attr-defined]
        assert imposed == [("penalise", "E"), ("discard", "E")]


def test_b23b_a_hand_shown_without_a_wrong_closing_is_none_of_it() -> None:
    script = table("feburit")
    script.turn("W")
    script.shown("N", "3D 4S")
    assert told(script) == []


@pytest.mark.parametrize(("rules", "rows"), [("fibur2024", [("F-33", "W")]), ("online", [("O-29", "W")])])
def test_b23b_other_codes_say_nothing_until_play_goes_on(rules: str, rows: list[tuple[str, str]]) -> None:
    script = wrong_closing(rules)
    script.shown("N", "3D 4S")
    assert told(script) == rows
