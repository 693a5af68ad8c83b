"""A meld laid card by card out of turn or after the discard is one act: it is accused once (arts. 27, 29, 31, 32)."""

from __future__ import annotations

from typing import Any

import pytest

from hw.seats import Line, Seat
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
from table_service.games.burraco.judges.resting_melds import MeldWatch
from table_service.games.burraco.rules.actions import Discard, Open
from table_service.games.burraco.rules.applied_actions import apply
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.meld import may_grow
from table_service.tracking.movements import Unverified
from tests.games.burraco.referee.test_wrong_melds import rest


def lay_slowly(script: Any, seat: str) -> None:
    """``seat`` opens a set of kings card by card, each resting for longer than a picture takes."""
    laid = ""
    for card in ("KH", "KD", "KC"):
        script.lay(seat, 0, card, before=laid)
        laid = f"{laid} {card}".strip()
        rest(script)


def rows(script: Any) -> list[str]:
    return sorted({row for row, _, _ in script.verdicts()})


def test_f31b_a_meld_opened_card_by_card_out_of_turn_is_accused_once(script: Any) -> None:
    script.turn("W")
    script.draw("W")
    lay_slowly(script, "W")
    assert rows(script) == ["F-31a", "F-31b"]
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_f31e_a_meld_opened_card_by_card_with_a_pile_taken_out_of_turn_is_accused_once(script: Any) -> None:
    script.turn("W")
    script.collect("E", "TD 3S")
    lay_slowly(script, "E")
    assert rows(script) == ["F-31d", "F-31e"]


@pytest.mark.parametrize(("row", "seat"), [("F-27a", "W"), ("F-32", "S")])
def test_f27a_f32_a_meld_opened_card_by_card_is_accused_once(script: Any, row: str, seat: str) -> None:
    script.turn("W")
    lay_slowly(script, seat)
    assert rows(script) == [row]


def test_f31b_half_a_meld_left_lying_out_of_turn_is_found_when_play_has_gone_on(script: Any) -> None:
    script.turn("W")
    script.draw("W")
    script.lay("W", 0, "KH KD")
    rest(script, 20.0)
    assert rows(script) == ["F-31a", "F-31b"], "the arbitro may let him complete it (art. 31)"
    script.draw("N")
    rest(script)
    assert rows(script) == ["F-25c", "F-31a", "F-31b"], "the right to a penalty has lapsed, the meld is wrong (art. 25)"


def test_f31e_who_lays_what_he_took_out_of_turn_has_no_turn_though_the_pile_is_in_doubt(script: Any) -> None:
    script.turn("W")
    script.collect("E", "TD 3S")
    script.take(Unverified(script.t, "discard", "its scale is contradicted"))
    script.lay("E", 0, "KH KD KC")
    assert script.verdicts()[-1] == ("F-31e", "E", "open")
    script.console("rule", row="F-31e", seat="E")
    script.draw("N")
    script.lay("N", 1, "4C 5C 6C")
    script.discard("N", "9C")
    script.draw("E")
    assert {seat for _, seat, _ in script.verdicts()} == {"E"}, "nobody else has played out of turn"


@pytest.mark.parametrize(
    ("cards", "grows"),
    [("5C 7C 8C", True), ("2C JK 5C", True), ("2D JK 5C", False), ("JK JK 5C", False), ("5C 5C 7C", False)],
)
def test_what_more_cards_could_make_a_meld_of(cards: str, grows: bool) -> None:
    assert may_grow(FIBUR2024, tuple(cards.split())) is grows, "art. 10: a second wild only beside the natural 2"


def test_a_meld_under_an_arm_is_judged_only_once_it_has_been_seen_to_rest() -> None:
    watch, deal = MeldWatch(), Deal.begin(FIBUR2024, 1, Seat.SOUTH)
    lay = Open(t=10.0, committed_t=9.7, seat=Seat.WEST, cards=("3H", "3S"), row=0, line=Line.EW, result=("3H", "3S"))
    after = apply(deal, lay)
    watch.note(lay, after)
    later = apply(after, Discard(t=20.0, committed_t=19.7, seat=Seat.WEST, cards=("KH",)))
    assert watch.settle(21.9, later, unseen=lambda _: True) == []
    assert watch.settle(22.0, later) == [], "the arm has just gone: what lies under it is still to be seen"
    assert watch.settle(23.0, later) == [0]
