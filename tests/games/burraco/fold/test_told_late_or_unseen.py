"""What is told late, or by whom nobody saw: the order of play names the seat, and accuses nobody."""

from __future__ import annotations

from typing import Any

import pytest

from hw.seats import Seat
from table_service.tracking.movements import Unverified

SHY = {"confidence": 0.5, "basis": ("sight",)}
FILL = "4D 5C 7S 9C TD QH QD KH"


def _count(script: Any, seat: str) -> int:
    return len(script.fold.deal.at(f"hand-{seat}"))


def _lay_unseen(script: Any, line: str, row: int, cards: str, **more: Any) -> Any:
    events = script.move(cards, None, f"melds-{line}", None, row=row, result=tuple(cards.split()), **{**SHY, **more})
    return next(e for e in events if e.type.startswith("meld."))


def test_a_card_put_back_by_a_hand_not_seen_is_that_of_who_was_told_to(script: Any) -> None:
    script.draw("E")
    script.console("rule", row="F-31a", seat="E")
    held, others = _count(script, "E"), [_count(script, seat) for seat in "NSW"]
    (back,) = [e for e in script.move("3C#2", None, "stock", None, **SHY) if e.type == "card.returned"]
    assert (back.seat, back.data.from_, back.data.cards) == ("E", "hand-E", ("??",))
    assert _count(script, "E") == held - 1
    assert [_count(script, seat) for seat in "NSW"] == others
    assert [e.data.do for e in script.of("sanction.served")] == ["return-to-stock"]


def test_a_card_put_back_by_nobody_known_names_no_hand(script: Any) -> None:
    script.draw("W")
    (back,) = [e for e in script.move("??", None, "stock", None, **SHY) if e.type == "card.returned"]
    assert (back.seat, back.data.from_) == (None, None)


@pytest.mark.parametrize("source", ["hand-W", "table", None])
def test_an_exposed_card_that_is_discarded_leaves_the_hand_once(script: Any, source: str | None) -> None:
    script.hands(W=f"3S {FILL}")
    script.draw("W")
    held = _count(script, "W")
    script.expose("W", "3S")
    script.move("3S#1", source, "discard", "W")
    assert (_count(script, "W"), script.fold.deal.at("table")) == (held - 1, ())
    script.move("3S", "table", None, None, **SHY)
    assert (_count(script, "W"), script.fold.deal.stock, script.fold.deal.size) == (held - 1, 40, 108)


def test_an_exposed_card_that_is_laid_leaves_the_hand_once(script: Any) -> None:
    script.hands(W=f"3S 3H 3C {FILL}")
    script.draw("W")
    held = _count(script, "W")
    script.expose("W", "3S")
    script.lay("W", 1, "3S 3H 3C")
    assert (_count(script, "W"), script.fold.deal.at("table")) == (held - 3, ())


def test_an_exposed_card_goes_back_to_the_hand_that_it_came_from(script: Any) -> None:
    script.draw("W")
    held = _count(script, "S")
    script.expose("S", "3S")
    (back,) = [e for e in script.move("3S", "table", "hand-W", None, **SHY) if e.type == "card.returned"]
    assert (back.seat, back.data.to, _count(script, "S")) == ("S", "hand-S", held)


def test_a_lay_before_the_discard_that_is_told_after_it_is_in_order(script: Any) -> None:
    script.hands(W=f"TC TS TH 3C {FILL}")
    script.draw("W")
    script.discard("W", "3C")
    script.move("TC TS TH", "hand-W", "melds-EW", "W", row=1, result=("TC", "TS", "TH"), committed_t=script.t - 1.0)
    assert not script.of("irregularity")


def test_a_lay_before_the_discard_told_when_the_next_has_drawn_is_in_order(script: Any) -> None:
    script.hands(W=f"TC TS TH 3C {FILL}")
    script.draw("W")
    script.discard("W", "3C")
    discarded = script.t - 0.3
    script.draw("N")
    held = _count(script, "W")
    fields = {"row": 1, "result": ("TC", "TS", "TH"), "committed_t": discarded - 0.5}
    script.move("TC TS TH", "hand-W", "melds-EW", "W", **fields)
    assert not script.of("irregularity")
    assert (_count(script, "W"), script.fold.deal.to_play) == (held - 3, "N")


@pytest.mark.parametrize(
    ("seat", "before", "dismissed"),
    [(None, 2.0, True), ("N", 2.0, True), (None, -0.5, False), ("E", 2.0, False)],
)
def test_f30a_who_is_told_later_to_have_taken_before_has_missed_no_draw(
    script: Any, seat: str | None, before: float, *, dismissed: bool
) -> None:
    """Deal 9811056: the pile's scale settled ten seconds after it was picked up, and nobody's hand was sure."""
    script.turn("W")
    script.t += 10.0
    script.lay("N", 0, "4C 5C 6C")
    laid = script.of("irregularity")[-1].committed_t
    pile = " ".join(script.fold.deal.pile)
    more = {"committed_t": laid - before, "confidence": 0.5}
    script.move(pile, "discard", f"hand-{seat}" if seat else None, seat, **more)
    assert ("F-30a", "N", "open") in script.verdicts()
    assert (("F-30a", "N", "dismissed") in script.verdicts()) is dismissed


def test_a_lay_after_the_discard_is_still_art_27(script: Any) -> None:
    script.hands(W=f"TC TS TH 3C {FILL}")
    script.draw("W")
    script.discard("W", "3C")
    script.lay("W", 1, "TC TS TH")
    assert script.verdicts() == [("F-27a", "W", "open")]


def test_a_lay_that_nobody_was_seen_to_make_is_that_of_who_has_drawn_and_accuses_nobody(script: Any) -> None:
    script.draw("W")
    event = _lay_unseen(script, "EW", 1, "TC TS TH")
    assert (event.seat, event.confidence) == ("W", 0.7)
    assert not script.of("irregularity")


def test_a_lay_of_the_other_line_names_nobody_before_anybody_has_discarded(script: Any) -> None:
    script.draw("W")
    event = _lay_unseen(script, "NS", 1, "TC TS TH")
    assert event.seat is None
    assert not script.of("irregularity")


def test_a_lay_before_the_draw_that_nobody_was_seen_to_make_names_nobody(script: Any) -> None:
    assert _lay_unseen(script, "EW", 1, "TC TS TH").seat is None
    assert not script.of("irregularity")


def test_a_draw_that_nobody_was_seen_to_make_names_nobody(script: Any) -> None:
    (drawn,) = [e for e in script.move("??", "stock", None, None, **SHY) if e.type == "card.drawn"]
    assert (drawn.seat, drawn.confidence) == (None, 0.5)


def test_a_discard_that_nobody_was_seen_to_make_is_that_of_who_has_drawn(script: Any) -> None:
    script.draw("W")
    (laid,) = [e for e in script.move("3C", None, "discard", None, **SHY) if e.type == "card.discarded"]
    assert (laid.seat, laid.confidence) == ("W", 0.7)
    assert script.fold.deal.to_play == "N"


def test_penalised_cards_at_the_side_are_still_to_be_got_rid_of(script: Any) -> None:
    script.hands(W="3C")
    script.move("9C", "hand-W", "side-W", "W")
    deal = script.fold.deal
    assert deal.owns(deal.to_play) == len(deal.at("hand-W")) + 1


def test_a_copy_is_named_in_public_only_where_its_tag_was_read_with_the_move(script: Any) -> None:
    script.draw("W")
    read = script.move("3C#1", "hand-W", "discard", "W", basis=("scale", "tags"))
    assert read[0].data.card == "3C#1"
    script.draw("N")
    (event,) = [e for e in script.move("3D#1", "hand-N", "discard", "N") if e.type == "card.discarded"]
    assert event.data.card == "3D"
    script.draw("E")
    script.move("2S#2 KC#1 KD", "hand-E", "melds-EW", "E", row=1, result=("2S#2", "KC#1", "KD"), basis=("tags",))
    assert script.of("meld.opened")[0].data.meld.cards == ("2S", "KC", "KD")
    state = script.fold.state()
    assert "#" not in str(state["melds"]) + str(state["pile"])


def test_a_pile_that_trembles_under_the_hand_that_has_just_discarded_accuses_nobody(script: Any) -> None:
    script.draw("W")
    script.discard("W", "3C")
    script.move("3C", "discard", "hand-W", "W", committed_t=script.t + 0.2)
    assert not script.of("irregularity")


def test_who_picks_up_later_out_of_his_turn_is_told(script: Any) -> None:
    script.draw("W")
    script.discard("W", "3C")
    script.move("3C", "discard", "hand-W", "W", committed_t=script.t + 3.0)
    assert script.verdicts() == [("F-31d", "W", "open")]


def test_a_discard_and_the_next_draw_weighed_as_one_are_no_second_draw(script: Any) -> None:
    script.draw("W")
    script.move("3C#1", "stock", "discard", "W")
    assert [e.type for e in script.events if e.type.startswith("card.")][-2:] == ["card.discarded", "card.drawn"]
    assert (script.of("card.discarded")[0].seat, script.of("card.drawn")[-1].seat) == ("W", None)
    assert script.of("card.discarded")[0].data.card == "??"
    script.discard("N", "4C")
    assert not script.of("irregularity")
    assert (script.fold.deal.stock, script.fold.deal.to_play) == (39, "E")


def test_a_line_that_lays_out_fewer_cards_than_it_holds_has_doubtful_melds(script: Any) -> None:
    script.turn("W")
    script.over()
    for seat in "NESW":
        script.shown(seat, " ".join(["3C"] * (11 if seat != "N" else 5)))
    script.press("N", "count")
    (scored,) = script.of("score.counted")
    assert {"NS.melds", "NS.burraco", "NS.hand"} <= set(scored.data.doubtful)
    assert scored.data.lines["NS"]["items"]["melds"] is None
    assert scored.data.lines["NS"]["total"] is None
    assert scored.data.lines["EW"]["items"]["melds"] is not None


def test_melds_in_an_unverified_zone_are_doubtful_at_the_count(script: Any) -> None:
    script.turn("W")
    script.take(Unverified(script.t, "melds-NS", "a node started anew"))
    script.over()
    script.press("N", "count")
    (scored,) = script.of("score.counted")
    assert "NS.melds" in scored.data.doubtful
    assert "EW.melds" not in scored.data.doubtful


def test_a_card_that_came_to_the_pile_before_the_draw_is_not_the_players_discard(script: Any) -> None:
    """Frames show one more than the scale had told; nobody saw it come, and it came before S drew."""
    for seat in "WN":
        script.turn(seat)
    script.turn("E", "5D")
    script.draw("S")
    script.move("8D", None, "discard", committed_t=script.t - 2.5, confidence=0.9, basis=("scale", "sight"))
    script.hands(S="KH KD KC 4S")
    script.lay("S", 0, "KH KD KC")
    assert script.verdicts() == []
    assert script.fold.deal.to_play == "S"
    script.discard("S", "4S")
    assert script.fold.deal.to_play == "W"


@pytest.fixture
def partners(script: Any) -> Any:
    """W has laid and discarded beneath an arm of E, and N has drawn: nothing of what W laid was seen yet."""
    script.draw("W")
    script.discard("W", "3S")
    script.draw("N")
    return script


BENEATH = {"confidence": 0.88, "basis": ("sight", "reach"), "row": 0, "result": ("7H", "7D", "7C")}


def test_cards_beneath_a_partners_arm_that_rested_through_a_turn_are_of_who_had_that_turn(partners: Any) -> None:
    """E's arm tells nothing of who laid them: he would have played out of turn, and would seem to hold fewer cards."""
    script, t = partners, partners.later()
    held = {seat: _count(script, seat) for seat in "EW"}
    events = script.move("7H 7D 7C", "hand-E", "melds-EW", "E", since=1.0, committed_t=t, **BENEATH)
    (opened,) = [e for e in events if e.type == "meld.opened"]
    assert opened.seat == "W"
    assert {seat: _count(script, seat) for seat in "EW"} == {"W": held["W"] - 3, "E": held["E"]}
    assert script.fold.deal.sure_of(Seat.WEST)
    assert script.verdicts() == []


def test_cards_of_an_arm_that_came_after_the_partners_turn_are_not_given_to_the_partner(partners: Any) -> None:
    script, t = partners, partners.later()
    held = _count(script, "W")
    script.move("7H 7D 7C", "hand-E", "melds-EW", "E", since=t - 0.5, committed_t=t, **BENEATH)
    assert _count(script, "W") == held


def test_cards_that_nobody_was_seen_to_lay_are_of_who_had_the_turn_in_which_they_were_laid(script: Any) -> None:
    script.draw("W")
    t = script.later()
    for seat, follows in ("WN", "NE", "ES"):
        script.discard(seat, "3S")
        script.draw(follows)
    held = {seat: _count(script, seat) for seat in "EW"}
    opened = _lay_unseen(script, "EW", 0, "7H 7D 7C", committed_t=t)
    assert opened.seat == "W"
    assert {seat: _count(script, seat) for seat in "EW"} == {"W": held["W"] - 3, "E": held["E"]}
