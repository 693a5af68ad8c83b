"""The same play judged by the three Burraco codes: a fact is told where the code has a row for it, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.burraco.conftest import Script
from tests.games.burraco.referee.test_turn_rows import flown
from tests.games.burraco.referee.test_wrong_melds import rest


def opened(rules: str) -> Script:
    """A deal by the code called ``rules``, in which no card has been turned up yet."""
    options: dict[str, Any] = {"target": 2005} if rules == "online" else {}
    return Script(rules=rules, **options)


def by(rules: str) -> Script:
    """A deal by the code called ``rules``, the ten of diamonds turned up."""
    script = opened(rules)
    script.turn_up()
    return script


def rows(script: Script) -> list[tuple[str, str | None]]:
    """Rows and offenders, each as it was told first."""
    return list(dict.fromkeys((row, seat) for row, seat, _ in script.verdicts()))


@pytest.mark.parametrize(
    ("rules", "told"), [("fibur2024", []), ("feburit", [("B-15a", "W")]), ("online", [("O-24", "W")])]
)
def test_a_second_set_of_a_rank(rules: str, told: list[tuple[str, str | None]]) -> None:
    """Art. 15 of seeds 001, the rules for opening of seeds 002; fibur2024 allows it."""
    script = by(rules)
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    script.lay("W", 1, "9H 9D 9C")
    rest(script)
    assert script.verdicts() == []
    script.lay("W", 2, "KS KS KH")
    rest(script)
    assert rows(script) == told
    script.lay("W", 2, "KC", before="KS KS KH")
    rest(script)
    assert len(script.verdicts()) == len(told)


def test_a_second_set_that_is_found_after_the_discard() -> None:
    script = by("feburit")
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    script.lay("W", 1, "KS KS KH")
    script.discard("W", "4C")
    rest(script)
    assert rows(script)[-1] == ("B-15b", "W")


def test_two_runs_of_a_suit_are_no_second_set() -> None:
    """Art. 15 of seeds 001, remark: two equal runs may be opened."""
    script = by("feburit")
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.lay("W", 1, "5H 6H 7H")
    rest(script)
    assert script.verdicts() == []


@pytest.mark.parametrize(
    ("rules", "told", "severity"),
    [("fibur2024", "F-29e", "play-stops"), ("feburit", "B-10m", "note"), ("online", "O-23", "note")],
)
def test_a_card_laid_beside_the_meld_that_it_fits(rules: str, told: str, severity: str) -> None:
    """Only seeds 000, art. 29, speaks of it; where a text does not, the arbitro asks what it was meant for."""
    script = by(rules)
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    script.move("KS", "hand-W", "melds-EW", "W", row=1, result=("KS",), beside=0)
    script.discard("W", "3S")
    rest(script)
    assert (*rows(script)[0], script.last()["severity"]) == (told, "W", severity)
    script.move("KS", "hand-W", "melds-EW", "W", row=0, result=("KH", "KD", "KC", "KS"))
    script.turn("N")
    assert {row for row, _ in rows(script)} == {told}, "pushing it on is no new fault"


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", "F-30a"), ("feburit", "B-13b"), ("online", "O-22")])
def test_a_meld_laid_without_a_draw_and_seen_only_after_the_discard_is_named(rules: str, told: str) -> None:
    """The discard without a draw was told first: a ruling is about the meld as well."""
    script = by(rules)
    script.turn("W")
    script.discard("N", "9S")
    laid = script.t - 1.0
    script.move("KS KD KC", "hand-N", "melds-NS", "N", row=5, result=("KS", "KD", "KC"), committed_t=laid)
    assert rows(script)[-1] == (told, "N")
    assert {"KS", "KD", "KC"} <= set(script.last()["cards"])


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", "F-09h"), ("feburit", "B-16e"), ("online", "O-27")])
def test_the_only_card_of_the_pile_laid_wrongly_and_then_discarded(rules: str, told: str) -> None:
    """Online knows no penalised cards, and forbids it all the same."""
    script = by(rules)
    for seat in "WN":
        script.turn(seat)
    pile = " ".join(script.fold.deal.pile)
    script.collect("E", pile)
    script.discard("E", "KS")
    script.collect("S", "KS")
    script.lay("S", 7, "KS 4H 9D")
    rest(script)
    script.move("KS 4H 9D", "melds-NS", "hand-S" if rules == "online" else "table", "S", row=7, result=())
    script.move("KS", "hand-S" if rules == "online" else "table", "discard", "S")
    assert rows(script)[-1] == (told, "S")


@pytest.mark.parametrize(("stock", "pots"), [(40, 22), (43, 22), (41, 23)], ids=["short", "long", "misdealt"])
def test_on1_online_a_deal_of_other_numbers_is_a_note_for_the_arbitro(stock: int, pots: int) -> None:
    """The text has the system deal: that a table has dealt otherwise, nobody is told of there."""
    script = Script(stock=stock, pots=pots, rules="online", target=2005)
    script.turn_up()
    script.turn("W")
    assert rows(script) == [("O-N1", None)]
    assert (script.last()["severity"], script.last()["needs_referee"]) == ("note", True)


def test_on1_online_a_pot_of_ten_cards_is_a_note_for_the_arbitro() -> None:
    script = by("online")
    script.draw("W")
    script.hands(W="")
    script.take_pot("W", giver="N", count=10)
    assert rows(script) == [("O-N1", None)]


def laid_on_theirs(rules: str) -> Script:
    """N adds 8H to the run of W: the gate of N has read it."""
    script = by(rules)
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.discard("W", "4C")
    script.draw("N")
    script.move("8H", "hand-N", "melds-EW", "N", row=0, result=("5H", "6H", "7H", "8H"), basis=("tags", "camera"))
    return script


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", "F-N1"), ("feburit", "B-N1"), ("online", "O-26")])
def test_cards_laid_to_the_opponents_meld(rules: str, told: str) -> None:
    assert rows(laid_on_theirs(rules)) == [(told, "N")]


@pytest.mark.parametrize("rules", ["fibur2024", "feburit"])
def test_fn1_and_bn1_are_notes_that_end_once_the_cards_are_taken_back(rules: str) -> None:
    script = laid_on_theirs(rules)
    script.discard("N", "9C")
    script.draw("E")
    (told,) = [event.data for event in script.of("irregularity")]
    assert (told.severity, told.needs_referee, told.state) == ("note", True, "open"), "no draw ends it"
    script.move("8H", "melds-EW", "hand-N", "N", row=0, result=("5H", "6H", "7H"), basis=("tags", "camera"))
    assert [event.data.state for event in script.of("irregularity")] == ["open", "healed"]


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", "F-N2"), ("feburit", "B-06h"), ("online", "O-32")])
def test_fn2_a_second_discard(rules: str, told: str) -> None:
    """Art. 7 of seeds 000 has the discard end the turn and says no more: there it is a note for the arbitro."""
    script = by(rules)
    script.turn("W", "4C")
    script.discard("W", "9D")
    assert rows(script) == [(told, "W")]
    script.move("9D", "discard", "hand-W", "W")
    assert script.verdicts() == [(told, "W", "open"), (told, "W", "healed")], "he takes it up, and not the pile"


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", "F-26e"), ("feburit", "B-10f"), ("online", "O-32")])
def test_the_card_that_went_along_with_a_discard_is_taken_up_and_not_the_pile(rules: str, told: str) -> None:
    script = by(rules)
    script.draw("W")
    script.discard("W", "?? 9D")
    script.move("??", "discard", "hand-W", "W")
    assert [row for row, _ in rows(script)] == [told]


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", "F-31f"), ("feburit", "B-14g"), ("online", "O-21")])
def test_cards_laid_after_a_draw_with_the_pot_in_flight_to_play(rules: str, told: str) -> None:
    """Art. 14.5 D of seeds 001."""
    script = by(rules)
    flown(script)
    script.draw("W", "8S#1")
    script.lay("W", 1, "KH KD KC")
    assert rows(script)[-1] == (told, "W")
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_b14g_of_what_was_laid_nothing_is_penalised_where_the_arbitro_names_nothing() -> None:
    """Art. 14.5 D: what stands without the card drawn is frozen, and there are no penalised cards to discard."""
    script = by("feburit")
    flown(script)
    script.draw("W", "8S#1")
    script.lay("W", 1, "KH KD KC")
    script.console("rule", row="B-14g", seat="W", option="draw", cards=[])
    imposed = [event.data for event in script.of("sanction.imposed")]
    assert [one.do for one in imposed] == ["return-to-stock", "limit-turn", "limit-turn", "bar-closing"]
    assert imposed[-1].who == "E"


def test_b14b_the_card_that_goes_back_and_those_that_are_penalised_are_told_apart() -> None:
    """Art. 14.1 B, with two equal cards laid of which one was drawn: the other stays penalised."""
    script = by("feburit")
    script.turn("W", "4C")
    script.draw("E", "6C#1")
    script.lay("E", 1, "6C 6H 6C")
    script.console("rule", row="B-14b", seat="E", option="draw", cards=["6C", "6H"])
    cards = {event.data.do: (event.data.cards, event.secret) for event in script.of("sanction.imposed")}
    assert cards["return-to-stock"][0] == ("??",), "a card drawn is hidden"
    assert cards["penalise"][0] == cards["discard"][0] == ("6C", "6H")


@pytest.mark.parametrize("row", ["B-14b", "B-14g"])
def test_of_a_fact_that_the_arbitro_states_nobody_knows_which_card_goes_back(row: str) -> None:
    script = by("feburit")
    script.turn("W", "4C")
    script.console("rule", row=row, seat="E", option="draw", cards=["6C", "6H"])
    cards = {event.data.do: (event.data.cards, event.secret) for event in script.of("sanction.imposed")}
    assert cards["return-to-stock"] == (("??",), None), "those that are penalised stay"
    assert cards["penalise"][0] == ("6C", "6H")


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", ["F-29b"]), ("feburit", ["B-10n"]), ("online", ["O-23"])])
def test_a_wrong_meld_after_which_others_were_laid(rules: str, told: list[str]) -> None:
    """Art. 10, example N of seeds 001."""
    script = by(rules)
    script.draw("W")
    script.lay("W", 0, "5H 6H 8H")
    script.lay("W", 1, "KH KD KC")
    rest(script)
    assert [row for row, _ in rows(script)] == told


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", ["F-29b"]), ("feburit", ["B-10j"])])
def test_a_wrong_meld_laid_last_can_be_cured(rules: str, told: list[str]) -> None:
    script = by(rules)
    script.draw("W")
    script.lay("W", 1, "KH KD KC")
    script.lay("W", 0, "5H 6H 8H")
    rest(script)
    assert [row for row, _ in rows(script)] == told


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", []), ("feburit", [("B-14e", "W", "open")])])
def test_cards_laid_after_the_arbitro_was_called(rules: str, told: list[tuple[str, str, str]]) -> None:
    """Art. 14.4 of seeds 001; who was about to lay when the call came may end it."""
    script = by(rules)
    script.draw("W")
    script.press("N", "referee")
    script.lay("W", 0, "5H 6H 7H")
    assert script.verdicts() == []
    rest(script, 3.0)
    script.lay("W", 1, "KH KD KC")
    assert script.verdicts() == told
    script.console("rule", row="F-21a" if rules == "fibur2024" else "B-14e", seat="W")
    before = len(script.verdicts())
    rest(script, 3.0)
    script.lay("W", 2, "9H TH JH")
    assert len(script.verdicts()) == before, "he has ruled, and play goes on"


def test_another_card_is_discarded_than_the_penalised_one_that_is_due() -> None:
    """Art. 11 of seeds 001."""
    script = by("feburit")
    script.turn("W", "4C")
    script.console("rule", row="B-10e", seat="W", cards=["9D"])
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    script.discard("W", "3H")
    assert [event.data.do for event in script.of("sanction.broken")]
    assert rows(script)[-1] == ("B-11a", "W")


@pytest.mark.parametrize(("rules", "told"), [("fibur2024", []), ("feburit", ["B-04d"]), ("online", [])])
def test_a_draw_before_the_first_card_is_turned_up(rules: str, told: list[str]) -> None:
    script = opened(rules)
    script.draw("W")
    assert [row for row, _ in rows(script)] == told
