"""Art. 29: who lays one or two cards to open and does not complete them has played them, though he takes them back."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.games.burraco.cases_by_text import play
from tests.games.burraco.referee.test_wrong_melds import dos, rest


def back(script: Any, seat: str, row: int, cards: str, **more: Any) -> None:
    line = "NS" if seat in "NS" else "EW"
    script.move(cards, f"melds-{line}", f"hand-{seat}", seat, row=row, result=(), **more)


@pytest.mark.parametrize("cards", ["KH", "KH KD"])
def test_f29a_art29_half_a_meld_taken_back_before_the_discard(script: Any, cards: str) -> None:
    script.draw("W")
    script.lay("W", 0, cards)
    back(script, "W", 0, cards)
    rest(script)
    assert script.verdicts() == [], "he may still lay them again and complete them"
    script.discard("W", "3S")
    assert script.verdicts() == [("F-29a", "W", "open")]
    assert (script.last()["cards"], script.last()["needs_referee"]) == (cards.split(), True)
    assert dos(script) == ["stop-play", "penalise", "discard", "limit-turn"]


def test_f29a_art29_taken_back_it_lapses_when_the_opponent_draws(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "KH KD")
    back(script, "W", 0, "KH KD")
    script.discard("W", "3S")
    script.draw("N")
    assert script.verdicts() == [("F-29a", "W", "open"), ("F-29a", "W", "healed")], "nothing lies there (art. 25)"


def test_f29a_a_note_on_a_meld_is_the_fact_that_the_arbitro_rules_on_whomever_he_names(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "KH KD", confidence=0.88)
    script.discard("W", "3S")
    rest(script)
    assert (script.last()["severity"], script.verdicts()) == ("note", [("F-29a", "W", "open")])
    script.console("rule", row="F-29a", seat="E", meld=0)
    assert script.verdicts() == [("F-29a", "W", "open"), ("F-29a", "E", "ruled")]
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_f29e_art29_a_card_pushed_on_after_the_discard_before_it_was_told_is_no_play_after_it(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    script.move("KS", "hand-W", "melds-EW", "W", row=1, result=("KS",), beside=0)
    script.discard("W", "3S")
    script.lay("W", 0, "KS", before="KH KD KC")
    back(script, "W", 1, "KS")
    rest(script)
    assert script.verdicts() == [("F-29e", "W", "open")]


CASES: Final = {
    "test_f29a_art29_taken_back_and_ruled_the_cards_go_to_the_side":
        "draw W; lay W 0 KH,KD; back W 0 KH,KD; discard W 3S; console rule row=F-29a seat=W; "
        "move KH,KD hand-W side-W W; each sanction.served do = penalise; turn N; verdicts = F-29a:W:open F-29a:W:ruled",
    "test_f29a_taken_back_and_laid_again_with_the_third_card_is_in_order":
        "draw W; lay W 0 KH,KD; back W 0 KH,KD; lay W 1 KH,KD,KC; discard W 3S; verdicts =",
    "test_f29a_taken_back_and_discarded_it_costs_nothing_more":
        "draw W; lay W 0 KH; back W 0 KH; discard W KH; verdicts =",
    "test_f29a_a_meld_of_three_taken_back_is_no_half_meld":
        "draw W; lay W 0 KH,KD,KC; back W 0 KH,KD,KC; discard W 3S; verdicts =",
    "test_f29a_taken_back_by_a_hand_seen_badly_accuses_nobody":
        "draw W; lay W 0 KH,KD; back W 0 KH,KD confidence=0.85; discard W 3S; verdicts =",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, back)
