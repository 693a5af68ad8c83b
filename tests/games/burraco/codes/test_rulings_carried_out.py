"""Cards moved to carry out a ruling are no irregularity, whether or not the ruling names them or chooses an option."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.burraco.codes.test_codes_at_a_table import table, told
from tests.games.burraco.conftest import Script

PILE = "4S 5S 3S TD"


def with_pile(rules: str) -> Script:
    """Four cards lie on the pile, W has just discarded the uppermost, and S is not to play."""
    script = table(rules)
    script.turn("W", "3S")
    script.turn("N", "5S")
    script.turn("E", "4S")
    script.turn("S", "6H")
    script.turn("W", "7H")
    return script


def of(script: Script, type_: str) -> list[dict[str, Any]]:
    return [event.data.model_dump(mode="json") for event in script.of(type_)]


@pytest.mark.parametrize("rules", ["feburit", "online"])
@pytest.mark.parametrize("option", [None, "collect"])
def test_d_a_pile_taken_out_of_turn_is_put_back_without_a_discard(rules: str, option: str | None) -> None:
    script = with_pile(rules)
    script.collect("S", "TD 3S 5S 4S 6H 7H")  # N is to play
    ((row, offender),) = told(script)
    assert offender == "S"
    script.console("rule", row=row, seat="S", **({"option": option} if option else {}))
    before = len(of(script, "card.discarded"))
    script.move("TD 3S 5S 4S 6H 7H", "hand-S", "discard", "S")
    assert len(of(script, "card.discarded")) == before
    assert [one["cards"] for one in of(script, "card.returned")][-1] == ["TD", "3S", "5S", "4S", "6H", "7H"]
    assert told(script) == [(row, "S")]
    served = [one["do"] for one in of(script, "sanction.served")]
    assert "bar-closing" not in served, "the bar on closing lasts for the round of the fault"
    script.draw("N")
    script.discard("N", "KS")
    assert told(script) == [(row, "S")]


@pytest.mark.parametrize("rules", ["feburit", "online"])
def test_a_ruling_of_before_hides_no_lawful_discard(rules: str) -> None:
    script = with_pile(rules)
    script.collect("S", "TD 3S 5S 4S 6H 7H")
    ((row, _),) = told(script)
    script.console("rule", row=row, seat="S")
    script.move("TD 3S 5S 4S 6H 7H", "hand-S", "discard", "S")
    script.draw("N")
    script.discard("N", "KS")
    script.draw("E")
    script.discard("E", "KD")
    script.draw("S")
    before = len(of(script, "card.discarded"))
    script.discard("S", "7H")  # a card of the pile that he had in hand, and took no more
    assert len(of(script, "card.discarded")) == before + 1


@pytest.mark.parametrize("by_hand", ["S", None], ids=["seen", "no hand seen"])
def test_b_a_move_undone_by_a_ruling_takes_the_discard_of_its_turn_back_too(by_hand: str | None) -> None:
    script = table("online")
    for seat in "WNE":
        script.turn(seat)
    script.lay("S", 6, "8H 8S 8C")  # before his draw
    script.draw("S", "9C")
    script.discard("S", "JH")
    ((row, _),) = rows = told(script)
    script.console("rule", row=row, seat="S")
    assert [one["do"] for one in of(script, "sanction.imposed")] == ["take-back"]
    script.move("JH", "discard", "hand-S", by_hand)
    assert told(script) == rows
    assert of(script, "sanction.broken") == []
    script.move("8H 8S 8C", "melds-NS", "hand-S", "S", row=6, result=())
    assert [one["do"] for one in of(script, "sanction.served")] == ["take-back"]
    script.discard("S", "JH")
    script.draw("W")
    assert told(script) == rows


@pytest.mark.parametrize(("rules", "row"), [("online", "O-28"), ("fibur2024", None), ("feburit", None)])
def test_e_a_pick_up_that_leaves_one_card(rules: str, row: str | None) -> None:
    """Online the whole pile is taken; in the other codes the one card left is the discard."""
    script = table(rules)
    script.turn("W", "3S")
    script.turn("N", "5S")
    script.collect("E", "5S 3S")
    script.discard("E", "KS")
    assert told(script) == ([(row, "E")] if row else [])


@pytest.mark.parametrize(
    ("cards", "added", "rules", "row"),
    [
        ("8H 8S 8C", "8D", "feburit", "B-10l"),
        ("8H 9H TH", "JH", "feburit", "B-10k"),
        ("8H 8S 8C", "8D", "fibur2024", "F-27c"),
    ],
)
def test_a_a_card_laid_on_a_frozen_meld_is_wrongly_added(cards: str, added: str, rules: str, row: str) -> None:
    script = table(rules)
    script.draw("W")
    script.lay("W", 1, cards)
    script.discard("W", "KS")
    script.turn("N")
    script.suppose(lambda deal: deal.freeze(1, "temporary"))
    script.draw("E")
    script.lay("E", 1, added, cards)
    assert told(script) == [(row, "E")]


def test_a_a_bar_on_closing_that_names_the_meld_is_no_leave_to_add_to_it() -> None:
    script = table("feburit")
    script.lay("W", 1, "8H 8S 8C")  # without a draw
    ((row, _),) = told(script)
    script.console("rule", row=row, seat="W", meld=1, freeze="temporary")
    script.draw("W")
    script.discard("W", "KS")
    script.turn("N")
    script.draw("E")
    script.lay("E", 1, "8D", "8H 8S 8C")
    assert told(script) == [(row, "W"), ("B-10l", "E")]


def on_frozen(how: str) -> Script:
    """E has added a card that fits to a meld of W's that is frozen, and has discarded."""
    script = table("feburit")
    script.draw("W")
    script.lay("W", 1, "8H 8S 8C")
    script.discard("W", "KS")
    script.turn("N")
    script.suppose(lambda deal: deal.freeze(1, how))
    script.draw("E")
    script.lay("E", 1, "8D", "8H 8S 8C")
    return script


@pytest.mark.parametrize("how", ["temporary", "definitive"])
def test_a_a_card_that_fits_a_frozen_meld_is_wrong_for_as_long_as_it_lies_there(how: str) -> None:
    """The meld with it is a valid one: that it has come to rest so does not put it right."""
    script = on_frozen(how)
    script.discard("E", "KD")
    for seat in "SWNES":
        script.turn(seat)
    assert script.verdicts()[-1] == ("B-10m", "E", "open")
    assert "frozen" in script.last()["title"]["en"]


def test_a_a_card_taken_off_a_frozen_meld_at_once_is_over() -> None:
    script = on_frozen("temporary")
    script.move("8D", "melds-EW", "hand-E", "E", row=1, result=("8H", "8S", "8C"))
    script.discard("E", "KD")
    for seat in "SWN":
        script.turn(seat)
    assert script.verdicts()[-1] == ("B-10l", "E", "healed")


def test_a_an_exposed_card_laid_on_what_the_partner_has_laid_since_is_wrongly_added() -> None:
    """Art. 10: it may be laid, but not there; by fibur2024 this is F-24c."""
    script = table("feburit")
    for seat in "WNE":
        script.turn(seat)
    script.draw("S")
    script.expose("E", "8D")
    ((row, _),) = told(script)
    script.console("rule", row=row, seat="E", cards=["8D"])
    script.discard("S", "3S")
    script.draw("W")
    script.lay("W", 1, "8H 8S 8C")
    script.discard("W", "KS")
    script.turn("N")
    script.draw("E")
    script.move("8D", "table", "melds-EW", "E", row=1, result=("8H", "8S", "8C", "8D"))
    assert told(script) == [(row, "E"), ("B-10l", "E")]
    script.discard("E", "KD")
    for seat in "SWN":
        script.turn(seat)
    assert script.verdicts()[-1] == ("B-10m", "E", "open")
