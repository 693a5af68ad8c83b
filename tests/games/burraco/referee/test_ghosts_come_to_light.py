"""Art. 26 as the sensors tell it: a card that no gate has named comes to light in a meld, and nobody laid it now."""

from __future__ import annotations

from typing import Any

import pytest

from hw.seats import Seat
from table_service.tracking.movements import Movement
from tests.games.burraco.referee.test_penalised_and_ghosts import imposed, served
from tests.games.burraco.referee.test_wrong_melds import dos, rest

OPENED = "5H 6H 7H"
SHOWN = "5H 9C 6H 7H"


@pytest.fixture
def script(tagged: Any) -> Any:
    """A table whose gates have all read a card, before its first turn: west plays first."""
    script, gates = tagged, tagged.fold.game.parts.gates
    for seat in map(Seat, "NESW"):
        read = Movement(0, 0.0, 0.0, ("4H#1",), f"hand-{seat}", "discard", seat, 0.99, ("reach", "tags"))
        gates.crossed(read)
    return script


def opens(script: Any, seat: str = "W") -> None:
    script.draw(seat)
    script.lay(seat, 0, OPENED)


def shows(script: Any, seat: str | None, result: str = SHOWN, card: str = "9C", **more: Any) -> None:
    """The hand of ``seat`` pushes the cards of row 0 aside."""
    fields = {"basis": ("sight", "reach"), "confidence": 0.98, **more}
    source = None if seat is None else f"hand-{seat}"
    script.move(card, source, "melds-EW", seat, row=0, result=tuple(result.split()), **fields)
    rest(script)


def count(script: Any, seat: str) -> int:
    held: int = script.fold.deal.count(Seat(seat))
    return held


def test_f26a_art26_in_the_turn_of_who_laid_it(script: Any) -> None:
    opens(script)
    shows(script, "W")
    assert script.verdicts() == [("F-26a", "W", "open")]
    assert (script.last()["cards"], script.last()["found"]) == (["9C"], "during_turn")
    assert dos(script) == ["stop-play", "penalise", "discard", "limit-turn"]
    assert script.last()["needs_referee"], "the table says what it would have to know"
    assert "art. 29" in script.last()["needs"]["it"]


def test_f26a_art26_left_until_the_discard_it_is_f26b_and_after_the_draw_f26c(script: Any) -> None:
    opens(script)
    shows(script, "W")
    script.discard("W", "3S")
    script.draw("N")
    assert [row for row, _, _ in script.verdicts()] == ["F-26a", "F-26b", "F-26c"]
    assert len({event.data.key for event in script.of("irregularity")}) == 1


@pytest.mark.parametrize("pusher", ["N", "S", "W", "E", None])
def test_f26b_art26_after_the_discard_whoever_pushes(script: Any, pusher: str | None) -> None:
    opens(script)
    script.discard("W", "3S")
    shows(script, pusher)
    assert script.verdicts() == [("F-26b", "W", "open")], "nobody else is accused of a lay"
    assert dos(script) == ["stop-play", "penalise", "discard"]


@pytest.mark.parametrize("pusher", ["N", "S", "E", "W", None])
def test_f26c_art26_in_an_older_meld_whoever_pushes(script: Any, pusher: str | None) -> None:
    opens(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    shows(script, pusher)
    assert script.verdicts() == [("F-26c", "W", "open")], "no missed draw (30), no play out of turn (32)"
    assert dos(script) == ["stop-play", "penalise", "discard", "freeze", "score"]
    script.console("rule", row="F-26c", seat="W", meld=0, cards=["9C"])
    assert imposed(script) == [("penalise", "E"), ("discard", "E")]


@pytest.mark.parametrize("named", ["W", "E"])
def test_f26c_art26_any_seat_of_the_line_may_be_named_and_it_stays_one_irregularity(script: Any, named: str) -> None:
    opens(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    shows(script, "S")
    (key,) = {one.data.key for one in script.of("irregularity")}
    script.console("rule", row="F-26c", seat=named, meld=0, cards=["9C"])
    assert {one.data.key for one in script.of("irregularity")} == {key}
    assert script.verdicts()[-1] == ("F-26c", "W", "ruled"), "who laid it is not forgotten"
    assert imposed(script) == [("penalise", "E"), ("discard", "E")]


def test_f26c_art26_by_the_next_player_in_his_own_turn(script: Any) -> None:
    opens(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    shows(script, "E")
    assert script.verdicts() == [("F-26c", "W", "open")]
    script.console("rule", row="F-26c", seat="W", meld=0, cards=["9C"])
    script.move("9C", "melds-EW", "hand-E", "E", row=0, result=("5H", "6H", "7H"))
    script.move("9C", "hand-E", "side-E", "E")
    script.lay("E", 1, "KH KD KS")
    script.move("9C", "side-E", "discard", "E")
    assert sorted(served(script)) == ["discard", "penalise"]
    assert ("F-27b", "E", "open") not in script.verdicts(), "it is discarded at the end of the turn, not before play"


def test_f26d_art26_shown_by_an_addition_its_cards_count_negative(script: Any) -> None:
    opens(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    script.lay("E", 0, "8H", before=OPENED)
    shows(script, "E", "5H 9C 6H 7H 8H")
    assert script.verdicts() == [("F-26d", "W", "open")]
    assert dos(script) == ["stop-play", "score", "freeze", "discard"]
    script.console("rule", row="F-26d", seat="W", meld=0, cards=["9C"])
    lies = script.fold.deal.meld(0)
    assert (lies.frozen, lies.negative) == ("definitive", ("8H",)), "what was added this turn, though nobody named it"
    assert imposed(script) == [("penalise", "E"), ("discard", "E")], "who is in turn discards it"


def test_f26d_art26_addition_and_hidden_card_seen_at_once(script: Any) -> None:
    opens(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    shows(script, "E", "5H 9C 6H 7H 8H", "9C 8H#1", basis=("sight", "reach", "tags"))
    assert script.verdicts() == [("F-26d", "W", "open")]
    assert [event.seat for event in script.of("meld.extended")] == ["E"]


def test_f26_art26_the_card_was_of_the_hand_of_who_hid_it(script: Any) -> None:
    opens(script)
    script.discard("W", "3S")
    before = {seat: count(script, seat) for seat in "NESW"}
    shows(script, "N")
    assert {seat: count(script, seat) - before[seat] for seat in "NESW"} == {"N": 0, "E": 0, "S": 0, "W": -1}
    assert not script.fold.deal.begun, "nobody has begun to play by it"
    assert [event.data.why for event in script.of("meld.changed")] == ["uncovered"]


def test_f26_art26_where_both_of_the_line_have_laid_next_to_it_no_seat_is_named(script: Any) -> None:
    opens(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    script.lay("E", 0, "8H", before=OPENED)
    script.discard("E", "3D")
    shows(script, "S", "5H 6H 7H 9C 8H")
    verdict = script.last()
    assert (verdict["offender"], verdict["pair"], verdict["needs_referee"]) == (None, "EW", True)
    script.console("rule", key=verdict["key"], row="F-26b", seat="E", meld=0, cards=["9C"])
    assert (script.last()["row"], script.last()["offender"]) == ("F-26b", "E"), "the arbitro names him"
    assert imposed(script) == [("penalise", "E"), ("discard", "E")]


def test_f26_art26_taken_out_again_the_case_is_healed(script: Any) -> None:
    opens(script)
    shows(script, "W")
    script.move("9C", "melds-EW", "hand-W", "W", row=0, result=("5H", "6H", "7H"))
    rest(script)
    assert script.verdicts()[-1] == ("F-26a", "W", "healed")


def test_f29d_art29_a_card_that_the_gate_has_named_was_laid(script: Any) -> None:
    opens(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    shows(script, "E", card="9C#1", basis=("sight", "reach", "tags"))
    assert script.verdicts() == [("F-29d", "E", "open")]


def test_f29d_art29_at_the_end_of_the_meld_where_cards_are_laid_it_was_laid(script: Any) -> None:
    opens(script)
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    shows(script, "E", "5H 6H 7H 9C")
    assert script.verdicts() == [("F-29d", "E", "open")]


def test_f29d_art29_where_the_gate_has_not_answered_it_may_have_been_laid(make_script: Any) -> None:
    script = make_script()
    script.turn_up()
    opens(script)
    shows(script, "W")
    assert script.verdicts() == [("F-29d", "W", "open")]


def test_gates_that_miss_cards_on_end_are_known_no_more_to_answer(tagged: Any) -> None:
    script, gates = tagged, tagged.fold.game.parts.gates
    assert gates.answering == set("NESW")
    script.turn("W", "3S")
    assert Seat.WEST not in gates.answering
    script.turn("N", "4C")
    script.turn("E", "4D")
    script.turn("S", "4H")
    script.draw("W")
    script.move("5S#1", "hand-W", "discard", "W", basis=("scale", "reach", "tags"))
    assert gates.answering == {"W"}


def test_f26_art26_twins_in_a_set_do_not_confuse_who_hid_it(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "8D 8H 8S")
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    script.lay("E", 0, "8D", before="8D 8H 8S")
    shows(script, "E", "8D JH 8H 8S 8D", "JH")
    assert script.verdicts() == [("F-26d", "W", "open")]


def test_f26d_art26_beside_cards_that_no_beam_saw_laid_it_is_not_of_this_turn(script: Any) -> None:
    script.draw("W")
    script.move("6S 6H 6D", None, "melds-EW", None, row=0, result=("6S", "6H", "6D"), confidence=0.5)
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    script.move("6H", "hand-E", "melds-EW", "E", row=0, result=("6S", "6H", "6D", "6H"))
    shows(script, "E", "6S KH 6H 6D 6H", "KH")
    assert script.verdicts() == [("F-26d", "W", "open")], "whose turn it was then hid it, not who adds to it now"
