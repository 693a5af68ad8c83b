"""Worked examples of the fibur2024 text that concern closings, the general part and the powers, each as it is printed.

Those of arts. 10, 11 and 13 on melds are in tests/burraco; those of arts. 5, 8, 9, 26, 28 and 31 beside their rows.
"""

from __future__ import annotations

from typing import Any

from table_service.games.burraco.deal import LastPlay
from table_service.referee.judging.closing import last_play_cards


def last_play(script: Any, row: int, *cards: str) -> tuple[tuple[str, ...], bool]:
    """What counts as the last play when ``cards`` were added together to ``row``."""
    return last_play_cards(script.fold.deal, LastPlay(row, cards, opened=False))


def test_xf01_last_play_of_three_cards_added_to_a_run_is_the_outermost(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.lay("W", 0, "8H 9H TH", before="5H 6H 7H")
    assert last_play(script, 0, "8H", "9H", "TH") == (("TH",), True)


def test_xf01_a_wrong_closing_takes_back_that_card_alone(script: Any) -> None:
    script.hands(W="5H 6H 7H 8H 9H TH KS")
    script.draw("W", "3C")
    script.lay("W", 0, "5H 6H 7H")
    script.lay("W", 0, "8H 9H TH", before="5H 6H 7H")
    assert script.fold.deal.last_play.row == 0
    cards, sure = last_play_cards(script.fold.deal, script.fold.deal.last_play)
    assert (cards, sure) == (("TH",), True)


def test_xf02_last_card_added_to_a_set_is_the_one_of_highest_rank(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    script.lay("W", 0, "KS 2C", before="KH KD KC")
    assert last_play(script, 0, "KS", "2C") == (("2C",), True)
    assert last_play(script, 0, "KS") == (("KS",), True)


def test_xf02_of_equal_rank_the_suit_decides(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    script.lay("W", 0, "KS KH#2", before="KH KD KC")
    assert last_play(script, 0, "KS", "KH#2") == (("KH#2",), True)


def test_xf09_what_the_table_settled_itself_is_not_recognised(script: Any) -> None:
    """Three jacks laid without drawing; the table agrees to freeze them; the partner adds the fourth: it is valid."""
    script.lay("W", 0, "JH JD JC")
    script.draw("W")
    script.discard("W", "3S")
    script.turn("N")
    script.draw("E")
    script.lay("E", 0, "JS", before="JH JD JC")
    script.press("S", "referee")
    assert script.fold.deal.meld(0).frozen == "none"
    assert script.verdicts() == [("F-30a", "W", "open"), ("F-30a", "W", "healed")]
    script.discard("E", "4C")
    assert {row for row, seat, _ in script.verdicts() if seat == "E"} == set()


def test_fg01_what_an_opponents_draw_has_ended_is_no_longer_ruled_by_its_name(script: Any) -> None:
    script.lay("W", 0, "JH JD JC")
    script.draw("W")
    script.discard("W", "3S")
    script.draw("N")
    assert script.last()["state"] == "healed"
    script.console("dismiss", row="F-30a", seat="W")
    assert script.of("table.health")[-1].data.state == "ignored"
