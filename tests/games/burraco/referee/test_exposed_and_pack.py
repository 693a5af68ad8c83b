"""Arts. 24, 4 and 5 of fibur2024: exposed and declared cards; a pack or a deal that is not right."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.games.burraco.cases_by_text import play


def test_f24a_a_card_exposed_to_the_partner(script: Any) -> None:
    script.draw("W")
    script.expose("W", "7H")
    verdict = script.last()
    assert script.verdicts() == [("F-24a", "W", "open")]
    assert (verdict["article"], verdict["cards"], verdict["needs_referee"]) == ("24", ["7H"], False)
    assert [step["do"] for step in verdict["remedy"]] == ["stop-play", "expose", "penalise"]
    event = script.of("card.exposed")[0]
    assert (event.data.cards, event.secret) == (("7H",), None)


def test_f24a_seen_only_by_opponents_is_none(script: Any) -> None:
    script.draw("W")
    script.expose("W", "7H", visible_to="NS")
    assert script.verdicts() == []
    event = script.of("card.exposed")[0]
    assert (event.data.cards, event.secret) == (("??",), {"cards": ["7H"]})


def test_f24a_a_declared_card(script: Any) -> None:
    script.says("E", "card:7H")
    assert script.verdicts() == [("F-24a", "E", "open")]
    assert script.of("irregularity")[0].secret == {"cards": ["7H"]}


def test_f05a_a_short_stock_before_the_first_draw_is_one_irregularity_with_two_options(make_script: Any) -> None:
    script = make_script(stock=41)
    script.turn_up()
    checked = script.of("deal.checked")[0].data
    assert (checked.stock, checked.pots) == (41, 22)
    assert [(f.zone, f.expected, f.counted) for f in checked.faults] == [("stock", 42, 41)]
    assert script.verdicts() == [("F-05a", None, "open")]
    assert script.last()["options"] == ["F-05a", "F-04d"]
    assert script.last()["found"] == "before_play"
    assert script.fold.deal.size == 107


def test_f05b_play_on_a_short_pack_goes_on_under_the_same_key(make_script: Any) -> None:
    script = make_script(stock=41)
    script.turn_up()
    script.draw("W")
    assert script.verdicts() == [("F-05a", None, "open"), ("F-05b", None, "open")]
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_f05b_a_stock_first_counted_during_play(make_script: Any) -> None:
    script = make_script(stock=None)
    script.turn_up()
    script.draw("W")
    script.counted("stock", 39)
    assert script.of("deal.checked")[0].data.stock is None
    assert script.verdicts() == [("F-05b", None, "open")]
    assert script.fold.state()["stock"] == 39


def test_a_right_deal_makes_no_irregularity_and_unknown_counts_are_null(make_script: Any) -> None:
    script = make_script(pots=None)
    script.turn_up()
    checked = script.of("deal.checked")
    assert [(e.data.pots, e.data.stock, e.data.hands["N"]) for e in checked] == [(None, 42, None)]
    assert script.verdicts() == []


def test_f05b_a_stock_first_counted_as_the_player_in_turn_may_have_drawn_is_whole(make_script: Any) -> None:
    script = make_script(stock=None)
    script.turn_up()
    script.counted("stock", 40)
    assert script.verdicts() == []
    assert script.fold.state()["stock"] == 40


CASES: Final = {
    "test_f24a_seen_by_nobody_knows_whom_waits_for_the_arbitro":
        "draw W; expose N 7H visible_to=None; last row=F-24a severity=note needs_referee=True; last cards=[??]",
    "test_f24a_taking_the_card_up_is_no_new_fact":
        "draw W; expose W 7H; take_up W 7H; expose W 7H; verdicts = F-24a:W:open",
    "test_f24a_is_healed_when_the_next_opponent_draws":
        "draw W; expose W 7H; take_up W 7H; discard W 3S; draw N; verdicts = F-24a:W:open F-24a:W:healed",
    "test_f24a_ruled_and_laid_in_the_own_turn_is_served":
        "draw W; expose N 7H; console rule row=F-24a seat=N; take_up N 7H; discard W 3S; draw N; lay N 0 7H,8H,9H; "
        "each sanction.served do = expose",
    "test_f24a_ruled_and_discarded_is_served":
        "draw W; expose N 7H; console rule row=F-24a seat=N; take_up N 7H; discard W 3S; draw N; discard N 7H; "
        "each sanction.served do = expose",
    "test_f24a_ruled_and_another_card_discarded_is_broken":
        "draw W; expose W 7H; console rule row=F-24a seat=W; take_up W 7H; discard W 3S; "
        "each sanction.broken reason = another,card,was,discarded",
    "test_f24a_several_exposed_cards_are_discarded_from_the_highest":
        "draw W; expose N 7H,KD; console rule row=F-24a seat=N; take_up N 7H,KD; discard W 3S; draw N; discard N 7H; "
        "each sanction.broken reason = a,lower,card,was,discarded,before,a,higher,one",
    "test_f24a_several_exposed_cards_one_a_turn_is_served_at_the_last":
        "draw W; expose N 7H,KD; console rule row=F-24a seat=N; take_up N 7H,KD; discard W 3S; draw N; discard N KD; "
        "of sanction.served =; turn E; turn S; turn W; draw N; discard N 7H; each sanction.served do = expose",
    "test_f24a_a_pot_card_shown_while_served_is_none": "move 7H pots table N visible_to=None; verdicts =",
    "test_f05a_the_arbitro_picks_the_misdeal":
        "make_script stock=41; console rule row=F-05a option=F-04d; verdicts = F-05a:None:open F-04d:None:ruled",
    "test_f04d_cards_misplaced_between_stock_and_pots": "make_script stock=43 pots=21; verdicts = F-04d:None:open",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts)
