"""The dealer's first card is the turn-up even where tracking tells its way in two movements (art. 4)."""

from __future__ import annotations

from typing import Any

import pytest

from table_service.tracking.movements import Counted


def _types(script: Any) -> list[str]:
    return [e.type for e in script.events if e.type.startswith(("card.", "irregularity", "turn."))]


@pytest.mark.parametrize(("taker", "layer"), [("S", "S"), (None, "S"), ("S", None), (None, None)])
def test_stock_to_dealer_then_dealer_to_discard_is_one_turn_up(
    make_script: Any, taker: str | None, layer: str | None
) -> None:
    script = make_script(dealer="S")
    script.move("??", "stock", "hand-S" if taker else None, taker)
    script.move("2H", f"hand-{layer}" if layer else None, "discard", layer)
    assert _types(script) == ["card.turned"]
    assert script.of("card.turned")[0].data.card == "2H"
    deal = script.fold.deal
    assert (deal.stock, deal.pile, deal.count(deal.dealer), deal.turn) == (41, ("2H",), 11, 0)


def test_a_turn_up_whose_landing_is_told_first_is_not_drawn_once_more(make_script: Any) -> None:
    script = make_script(dealer="S")
    script.move("2H", None, "discard", None)
    script.move("??", "stock", "hand-S", "S")
    assert _types(script) == ["card.turned"]
    assert script.fold.deal.stock == 41


@pytest.mark.parametrize(("taker", "later"), [("S", -0.3), (None, -0.3), ("S", 0.55)])
def test_a_turn_up_told_whole_is_not_drawn_once_more(make_script: Any, taker: str | None, later: float) -> None:
    """The stock's scale wavers under rough noise, and tells of the same card as of one that the dealer has drawn."""
    script = make_script(dealer="S")
    turned = script.t
    script.move("2H", "stock", "discard", "S", committed_t=turned)
    script.move("??", "stock", "hand-S" if taker else None, taker, committed_t=turned + later)
    assert _types(script) == ["card.turned"]
    assert script.fold.deal.stock == 41


def test_a_landing_that_the_scale_misdates_is_still_the_turn_up(make_script: Any) -> None:
    script = make_script(dealer="S")
    script.move("2H", None, "discard", None, committed_t=script.t - 6)
    script.move("??", "stock", "hand-S", "S")
    assert _types(script) == ["card.turned"]


def test_a_card_of_the_dealer_that_never_lands_is_a_draw_that_accuses_nobody(make_script: Any) -> None:
    script = make_script(dealer="S")
    script.draw("S")
    assert _types(script) == []
    script.t += 20
    script.press("N", "ready")
    assert _types(script) == ["turn.started", "card.drawn"] or _types(script) == ["card.drawn"]
    assert not script.of("irregularity")


def test_the_first_player_who_draws_is_not_held_back(make_script: Any) -> None:
    script = make_script(dealer="S")
    script.draw("W")
    assert "card.drawn" in _types(script)


def test_a_held_card_is_told_at_the_end_of_the_log(make_script: Any) -> None:
    script = make_script(dealer="S")
    script.draw("S")
    assert [e.type for e in script.fold.close()] == ["card.drawn"]


def test_after_the_turn_up_the_dealer_who_draws_is_out_of_turn(script: Any) -> None:
    script.draw("S")
    assert script.verdicts() == [("F-31a", "S", "open")]


def test_a_turn_up_that_is_told_again_with_its_hand_and_its_stock_is_one(make_script: Any) -> None:
    script = make_script()
    script.move("8D", None, "discard")
    first = script.moves
    script.move("8D#1", "stock", "discard", "S")
    script.retracted(first)
    script.draw("W")
    assert script.verdicts() == []
    assert script.fold.deal.pile == ("8D#1",)
    assert (script.fold.state()["stock"], script.fold.state()["turn"]["seat"]) == (40, "W")


@pytest.mark.parametrize("stock_first", [True, False], ids=["stock told first", "spot told first"])
def test_f_a_turn_up_onto_a_spot_whose_scale_had_been_silent_is_no_draw(make_script: Any, *, stock_first: bool) -> None:
    script = make_script(dealer="S")
    counted = Counted(script.t + 1.0, "discard", 1, 1.0, anew=True)
    if stock_first:
        script.move("??", "stock", "hand-S", "S")
        script.take(counted)
    else:
        script.take(counted)
        script.move("??", "stock", "hand-S", "S")
    script.draw("W")
    assert [one for one in _types(script) if one.startswith("card.")] == ["card.turned", "card.drawn"]
    deal = script.fold.deal
    assert (len(deal.pile), deal.count(deal.dealer)) == (1, 11)
