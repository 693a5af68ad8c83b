"""Worked examples of the fibur2024 text as they are printed: arts. 8, 9, 31, closings, the general part.

Those of arts. 10, 11 and 13 on melds are in tests/games/burraco/rules; those of arts. 5, 26 and 28 and of the powers
beside their rows.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from table_service.games.burraco.judges.closing import last_play_cards
from table_service.games.burraco.rules.deal import LastPlay
from tests.games.burraco.cases_by_text import play
from tests.games.burraco.referee.test_wrong_melds import rest


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


def test_xf15_f08a_two_cards_slide_off_the_stock_the_first_is_his(script: Any) -> None:
    script.draw("W", "4C 8S")
    verdict = script.last()
    assert [(step["do"], step["who"]) for step in verdict["remedy"]] == [
        ("stop-play", "table"),
        ("return-to-stock", "W"),
        ("show", "N"),
    ]
    assert script.of("irregularity")[0].secret == {"cards": ["8S"]}
    script.console("rule", row="F-08a", seat="W", option="draw")
    script.put_back("W", "8S")
    assert [event.data.do for event in script.of("sanction.served")] == ["return-to-stock"]
    script.discard("W", "4C")
    assert script.fold.state()["hands"]["W"] == 11


def test_xf03_f09c_two_fives_laid_on_the_five_of_the_pile(make_script: Any) -> None:
    """Pile 3S 5H TD: the fives are frozen for a time, he picks up the other two cards and discards."""
    script = make_script()
    script.turn_up("3S")
    for seat, card in (("W", "5H"), ("N", "TD")):
        script.draw(seat)
        script.discard(seat, card)
    assert script.fold.deal.pile == ("3S", "5H", "TD")
    script.move("5H", "discard", "melds-EW", "E", row=0, result=("5H", "5D", "5C"))
    script.console("rule", row="F-09c", seat="E", meld=0)
    verdict = script.last()
    assert (verdict["row"], verdict["state"]) == ("F-09c", "ruled")
    assert [step["do"] for step in verdict["remedy"]] == ["stop-play", "freeze", "collect"]
    assert script.fold.deal.meld(0).frozen == "temporary"
    script.collect("E", "3S TD")
    script.discard("E", "KS")
    assert [event.data.do for event in script.of("sanction.served")] == ["limit-turn"]
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_xf14_f31c_cards_added_out_of_turn_and_the_run_is_frozen(script: Any) -> None:
    """On 4S 5S 6S E adds 7S (drawn out of turn), 8S, 9S and 3S: the 7S goes back, the run is frozen."""
    script.draw("W")
    script.lay("W", 0, "4S 5S 6S")
    script.discard("W", "KD")
    script.draw("E", "7S")
    script.lay("E", 0, "7S 8S 9S 3S", before="4S 5S 6S", result="3S 4S 5S 6S 7S 8S 9S")
    verdict = script.last()
    assert (verdict["row"], verdict["offender"], verdict["severity"]) == ("F-31c", "E", "play-stops")
    assert [step["do"] for step in verdict["remedy"]] == [
        "stop-play",
        "return-to-stock",
        "complete-or-penalise",
        "limit-turn",
        "freeze",
    ]
    script.console("rule", row="F-31c", seat="E")
    assert script.fold.deal.meld(0).frozen == "temporary"
    assert "return-to-stock" in [event.data.do for event in script.of("sanction.imposed")]


# -- art. 10, the three examples, and the longest run of art. 11, as they are laid at a table --------------------------


def with_run(script: Any) -> None:
    """West's run of five spades lies there from an earlier turn, and he is in turn again."""
    script.draw("W")
    script.lay("W", 0, "2S 3S 4S 5S 6S")
    script.discard("W", "KD")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")


def test_xf04_a_natural_two_may_move_up_and_stands_for_the_seven(script: Any) -> None:
    with_run(script)
    script.lay("W", 0, "8S", before="2S 3S 4S 5S 6S", result="3S 4S 5S 6S 2S 8S")
    rest(script)
    assert script.verdicts() == []
    assert script.fold.state()["melds"]["EW"][0]["wild"] == {"card": "2S", "stands_for": "7S"}
    script.reorder("W", 0, "3S 4S 5S 6S 2S 8S", "2S 3S 4S 5S 6S 8S")
    rest(script)
    assert script.verdicts()[-1] == ("F-10a", "W", "open"), "it may be moved no more, also in the own turn"
    assert script.fold.state()["melds"]["EW"][0]["wild"] == {"card": "2S", "stands_for": "7S"}


def test_xf05_moved_up_and_back_before_anything_is_added_it_is_regular(script: Any) -> None:
    with_run(script)
    script.reorder("W", 0, "2S 3S 4S 5S 6S", "3S 4S 5S 6S 2S")
    script.reorder("W", 0, "3S 4S 5S 6S 2S", "2S 3S 4S 5S 6S")
    script.lay("W", 0, "JK 8S", before="2S 3S 4S 5S 6S")
    rest(script)
    assert script.verdicts() == []
    assert script.fold.state()["melds"]["EW"][0]["wild"] == {"card": "JK", "stands_for": "7S"}


def test_xf06_opened_together_two_pinelle_may_change_places(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "2D 2S 3D")
    rest(script)
    script.discard("W", "KD")
    rest(script)
    assert script.verdicts() == []
    assert script.fold.state()["melds"]["EW"][0]["valid"]


def test_xf07_xf08_classes_of_the_burraco(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "2H 3H 4H 5H 6H 7H 8H")
    script.lay("W", 1, "JK 7S 8S 9S TS JS QS KS")
    rest(script)
    assert [(meld["burraco"]) for meld in script.fold.state()["melds"]["EW"]] == ["clean", "semi-clean"]
    assert script.verdicts() == []


def test_xf19_the_longest_run_has_fourteen_cards(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH JK")
    rest(script)
    assert script.verdicts() == []
    script.lay("W", 0, "AH", before="AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH JK")
    rest(script)
    assert script.verdicts() == [("F-11c", "W", "open")], "a fifteenth card is too much"


CASES: Final = {
    "test_xf17_f09b_the_pile_drawn_near_and_a_meld_of_own_cards_laid":
        "lay W 0 9H,9D,9C; console rule row=F-09b seat=W meld=0; meld 0 frozen=temporary; collect W TD; discard W 3S; "
        "each sanction.served do = limit-turn; turn N; turn E; turn S; draw W; meld 0 frozen=none",
    "test_xf04_the_seven_may_replace_it":
        "with_run; lay W 0 8S before=2S,3S,4S,5S,6S result=3S,4S,5S,6S,2S,8S; "
        "lay W 0 7S before=3S,4S,5S,6S result=2S,3S,4S,5S,6S,7S,8S; rest; verdicts =",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, rest, with_run)
