"""No accusation and no end of a deal rests on a number of cards that a doubtful movement may have falsified."""

from __future__ import annotations

from typing import Any

import pytest

from hw.observations import Knock, Shield
from hw.seats import SEATS, Seat
from table_service.tracking.movements import RowChanged, Shown

CLEAN = "3H 4H 5H 6H 7H 8H 9H"
SHY = {"confidence": 0.5, "basis": ("sight",)}
FILL = "4D 5C 7S 9C TD QH"
NS, EW = (Seat.NORTH, Seat.SOUTH), (Seat.EAST, Seat.WEST)


def _hand(script: Any, seat: str) -> int | None:
    return script.fold.state()["hands"][seat]  # type: ignore[no-any-return]


def _round(script: Any) -> None:
    """Both pots are taken and each line has a burraco; W is to play."""
    for seat, row, giver in (("W", 1, "N"), ("N", 2, "E")):
        script.hands(**{seat: f"{CLEAN} TC TS JC JS"})
        script.draw(seat)
        script.lay(seat, row, CLEAN)
        script.lay(seat, row + 10, "TC TS TH")
        script.hands(**{seat: "3C"})
        script.discard(seat, "3C")
        script.take_pot(seat, giver)
    script.turn("E")
    script.turn("S")


def _last_card(script: Any, seat: str) -> None:
    """``seat`` holds but one card."""
    script.hands(**{seat: "QC"})


def _flicker(script: Any, line: str, row: int, seat: str | None = None) -> None:
    """A joker comes to a meld and goes from it again, and nobody was seen."""
    lies = " ".join(script.fold.deal.meld(row).cards)
    script.move("JK", None, f"melds-{line}", None, row=row, result=(*lies.split(), "JK"), **SHY)
    script.move("JK", f"melds-{line}", None, None, row=row, result=tuple(lies.split()), **SHY)


def test_a_sure_closing_ends_the_deal_at_the_discard(script: Any) -> None:
    _round(script)
    script.draw("W")
    _last_card(script, "W")
    script.discard("W", "QC")
    assert [e.data.manner for e in script.of("deal.ended")] == ["closed"]


def test_a_meld_that_flickers_makes_the_hands_of_its_line_unknown_in_public(script: Any) -> None:
    _round(script)
    assert all(isinstance(_hand(script, seat), int) for seat in SEATS)
    _flicker(script, "EW", 1)
    assert [_hand(script, seat) for seat in EW] == [None, None]
    assert all(isinstance(_hand(script, seat), int) for seat in NS)


def test_a_closing_on_an_unsure_count_waits_until_the_hands_are_laid_out(script: Any) -> None:
    _round(script)
    _flicker(script, "EW", 1)
    script.draw("W")
    script.suppose(lambda deal: deal.correct("hand-W", ("QC",)).doubt("hand-W"))
    script.discard("W", "QC")
    assert not script.of("deal.ended")
    told = script.t
    script.shown("N", "4C 5C")
    assert not script.of("deal.ended")
    script.shown("E", "6C")
    assert not script.of("deal.ended"), "his own cards may still be laid out, or be in the same frame"
    script.events += script.fold.feed(Knock(script.t + 3.0, None))
    (ended,) = script.of("deal.ended")
    assert (ended.data.manner, ended.seat) == ("closed", "W")
    assert ended.committed_t <= told


def test_who_lays_out_a_card_after_the_others_in_one_frame_has_not_closed(script: Any) -> None:
    """Art. 17: the stock is used up with the discard of a player of whom the ledger has one card too few."""
    _round(script)
    _flicker(script, "EW", 1)
    script.draw("W")
    script.suppose(lambda deal: deal.correct("hand-W", ("QC",)).doubt("hand-W").correct("stock", ("??", "??")))
    script.discard("W", "QC")
    t = script.t + 1.0
    for seat, cards in (("N", "4C 5C"), ("E", "6C"), ("S", "7C"), ("W", "8C")):
        script.take(Shown(t, t - 0.5, f"hand-{seat}", tuple(cards.split()), Seat(seat), 0.99, ("sight",)))
    script.events += script.fold.feed(Knock(script.t + 4.0, None))
    assert [one.data.manner for one in script.of("deal.ended")] == ["stock"]


def test_an_unsure_closing_that_play_contradicts_is_none(script: Any) -> None:
    _round(script)
    _flicker(script, "EW", 1)
    script.draw("W")
    script.suppose(lambda deal: deal.correct("hand-W", ("QC",)).doubt("hand-W"))
    script.discard("W", "QC")
    script.turn("N")
    script.shown("S", "4C 5C")
    assert not script.of("deal.ended")


@pytest.mark.parametrize("sure", [True, False])
def test_going_out_without_a_burraco_is_told_only_where_the_count_is_sure(script: Any, sure: bool) -> None:
    script.hands(W=f"TC TS TD {FILL} 3C")
    script.draw("W")
    script.lay("W", 1, "TC TS TD")
    script.hands(W="3C")
    script.discard("W", "3C")
    script.take_pot("W", "N")
    for seat in "NES":
        script.turn(seat)
    script.draw("W")
    if not sure:
        _flicker(script, "EW", 1)
    script.suppose(lambda deal: deal.correct("hand-W", ("QC",)))
    if not sure:
        script.suppose(lambda deal: deal.doubt("hand-W"))
    script.discard("W", "QC")
    assert [row for row, _, _ in script.verdicts()] == (["F-33"] if sure else [])


def test_a_meld_that_reads_as_none_makes_no_hand_of_its_line_sure_until_it_reads_well(script: Any) -> None:
    script.hands(W=f"JK TC TS {FILL}")
    script.draw("W")
    script.lay("W", 1, "JK TC")
    assert _hand(script, "W") is None
    script.lay("W", 1, "TS", before="JK TC")
    assert isinstance(_hand(script, "W"), int)


def test_a_pot_taken_makes_the_hand_sure_again(script: Any) -> None:
    script.hands(W=f"TC TS TD {FILL}")
    script.draw("W")
    script.lay("W", 1, "TC TS TD")
    _flicker(script, "EW", 1)
    assert _hand(script, "W") is None
    script.suppose(lambda deal: deal.correct("hand-W", ("3C",)).doubt("hand-W"))
    script.discard("W", "3C")
    script.take_pot("W", "N")
    assert _hand(script, "W") == 11


def test_a_correction_of_the_arbitro_makes_the_hand_sure_again(script: Any) -> None:
    script.hands(W=f"TC TS TD {FILL}")
    script.draw("W")
    script.lay("W", 1, "TC TS TD")
    _flicker(script, "EW", 1)
    script.console("correct", zone="hand-W", cards=6)
    assert _hand(script, "W") == 6


def test_who_draws_after_an_unseen_draw_has_not_drawn_twice(script: Any) -> None:
    script.move("??", "stock", None, None, confidence=0.6)
    script.draw("W")
    assert not script.of("irregularity")
    assert [_hand(script, seat) for seat in SEATS] == [None] * 4
    assert script.of("card.drawn")[0].seat is None


def test_every_card_is_kept_whatever_flickers(script: Any) -> None:
    _round(script)
    for _ in range(4):
        _flicker(script, "EW", 1)
        _flicker(script, "NS", 2)
    assert script.fold.deal.size == 108


def _doubtful_closing(script: Any, spare: int = 0) -> None:
    """W discards; whether that was his last card is not sure. The ledger leaves him ``spare`` cards."""
    _round(script)
    _flicker(script, "EW", 1)
    script.draw("W")
    held = " ".join(["QC", *["3D"] * spare])
    script.suppose(lambda deal: deal.correct("hand-W", tuple(held.split())).doubt("hand-W"))
    script.discard("W", "QC")
    assert not script.of("deal.ended")


@pytest.mark.parametrize("spare", [0, 1])
def test_a_doubtful_closing_is_settled_by_the_word_of_who_closes(script: Any, spare: int) -> None:
    _doubtful_closing(script, spare)
    script.says("N", "close")
    assert not script.of("deal.ended")
    script.says("W", "close")
    (ended,) = script.of("deal.ended")
    assert (ended.data.manner, ended.seat) == ("closed", "W")


def test_a_doubtful_closing_announced_before_the_discard_is_settled_at_the_discard(script: Any) -> None:
    _round(script)
    _flicker(script, "EW", 1)
    script.draw("W")
    script.suppose(lambda deal: deal.correct("hand-W", ("QC",)).doubt("hand-W"))
    script.says("W", "close")
    assert not script.of("deal.ended")
    script.discard("W", "QC")
    assert [e.seat for e in script.of("deal.ended")] == ["W"]


@pytest.mark.parametrize(("wait", "over"), [(1.0, True), (30.0, False)])
def test_a_doubtful_closing_is_settled_by_the_shield_turned_over_right_after_it(
    script: Any, wait: float, over: bool
) -> None:
    _doubtful_closing(script)
    script.notice(Shield(script.t + wait, Seat.WEST, "over"))
    assert bool(script.of("deal.ended")) is over


def test_a_doubtful_closing_is_settled_by_the_count_button(script: Any) -> None:
    _doubtful_closing(script, spare=1)
    script.press("N", "count")
    assert [e.seat for e in script.of("deal.ended")] == ["W"]
    assert script.of("score.counted")


def test_a_doubtful_closing_is_settled_by_the_end_of_the_round(script: Any) -> None:
    _doubtful_closing(script)
    script.console("end-round")
    assert [e.seat for e in script.of("deal.ended")] == ["W"]


def test_play_that_goes_on_after_a_doubtful_closing_cancels_it(script: Any) -> None:
    _doubtful_closing(script)
    script.draw("N")
    script.says("W", "close")
    script.notice(Shield(script.t, Seat.WEST, "over"))
    script.press("N", "count")
    assert not script.of("deal.ended")


def test_the_word_of_who_surely_holds_cards_ends_nothing(script: Any) -> None:
    _round(script)
    script.draw("W")
    script.hands(W="QC 3D")
    script.discard("W", "QC")
    script.says("W", "close")
    assert not script.of("deal.ended")


@pytest.mark.parametrize("first", ["named", "changed"])
def test_a_card_of_a_meld_seen_late_is_taken_from_the_hand_that_laid_the_others(script: Any, first: str) -> None:
    script.hands(W=f"TC TC TS {FILL}")
    script.draw("W")
    held = _hand(script, "W")
    script.lay("W", 1, "TC TS")
    lain = script.moves
    changed = RowChanged(
        id=script.moves + 100,
        t=script.t,
        committed_t=script.t,
        zone="melds-EW",
        row=1,
        before=("TC", "TS"),
        after=("TC", "TC", "TS"),
        seat=None,
        confidence=1.0,
        basis=("sight",),
        corrected=True,
    )
    if first == "changed":
        script.take(changed)
        assert _hand(script, "E") is None
    script.named(lain, "TC TC TS")
    if first == "named":
        script.take(changed)
    assert script.fold.deal.size == 108
    assert script.fold.deal.meld(1).cards == ("TC", "TC", "TS")
    assert _hand(script, "W") == held - 3
    assert isinstance(_hand(script, "E"), int)
    assert script.fold.deal.count(Seat.EAST) == 11


def test_a_lengthened_meld_of_nobody_seen_leaves_both_hands_of_the_line_in_doubt(script: Any) -> None:
    script.draw("W")
    script.move("TC TS", None, "melds-NS", None, row=1, result=("TC", "TS"), **SHY)
    script.named(script.moves, "TC TC TS")
    assert len(script.fold.deal.meld(1).cards) == 3
    assert [_hand(script, seat) for seat in NS] == [None, None]


def test_a_closing_that_a_lengthened_meld_reveals_is_told(script: Any) -> None:
    _round(script)
    script.draw("W")
    script.hands(W="4D 4H 4S QC")
    script.lay("W", 21, "4D 4H")
    lain = script.moves
    script.discard("W", "QC")
    assert not script.of("deal.ended")
    script.named(lain, "4D 4H 4S")
    assert [(e.data.manner, e.seat) for e in script.of("deal.ended")] == [("closed", "W")]


def _scored(script: Any) -> Any:
    script.press("N", "count")
    return script.of("score.counted")[-1].data


def test_cards_that_the_ledger_leaves_to_who_has_closed_may_lie_in_melds(script: Any) -> None:
    _doubtful_closing(script, spare=1)
    script.says("W", "close")
    for seat in "NES":
        script.shown(seat, " ".join(["3C"] * script.fold.deal.count(Seat(seat))))
    scored = _scored(script)
    assert {"EW.melds", "EW.burraco", "EW.hand"} <= set(scored.doubtful)
    assert scored.lines["EW"]["total"] is None
    assert scored.lines["NS"]["items"]["melds"] is not None


@pytest.mark.parametrize("sure", [True, False])
def test_an_unsure_hand_that_nobody_laid_out_makes_the_melds_of_its_line_doubtful(script: Any, sure: bool) -> None:
    _round(script)
    script.draw("W")
    _last_card(script, "W")
    script.discard("W", "QC")
    if not sure:
        script.suppose(lambda deal: deal.doubt("hand-S"))
    scored = _scored(script)
    assert ("NS.melds" in scored.doubtful) is not sure
    assert "EW.melds" not in scored.doubtful


def test_who_plays_on_with_no_card_left_in_the_ledger_was_miscounted(script: Any) -> None:
    _round(script)
    script.suppose(lambda deal: deal.correct("hand-W", ()))
    script.draw("W")
    assert _hand(script, "W") is None
    script.discard("W", "QC")
    assert not script.of("deal.ended")
    script.turn("N")
    script.turn("E")
    assert not script.of("irregularity")


def test_who_seems_to_hold_cards_and_lays_them_out_late_has_not_closed(script: Any) -> None:
    """Art. 17: his number is not sure, two of the others have laid out theirs, and he does so after them."""
    _round(script)
    _flicker(script, "EW", 1)
    script.draw("W")
    script.suppose(lambda deal: deal.correct("hand-W", ("QC", "8C")).doubt("hand-W").correct("stock", ("??", "??")))
    script.discard("W", "QC")
    script.shown("N", "4C 5C")
    script.shown("E", "6C")
    script.events += script.fold.feed(Knock(script.t + 3.0, None))
    assert not script.of("deal.ended")
    script.shown("W", "8C")
    script.shown("S", "7C")
    script.events += script.fold.feed(Knock(script.t + 9.0, None))
    assert [one.data.manner for one in script.of("deal.ended")] == ["stock"]
