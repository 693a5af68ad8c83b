"""Arts. 26, 27 and 35 of fibur2024 where no beam and no gate saw whose hand it was: an alert, and nobody accused."""

from __future__ import annotations

from typing import Any

from tests.games.burraco.referee.test_wrong_melds import dos, rest

UNSEEN = {"confidence": 0.5, "basis": ("sight",)}


def appear(script: Any, cards: str, row: int = 0, line: str = "EW") -> None:
    """``cards`` come to lie in a new meld of ``line``, and nobody knows whose hand laid them."""
    script.move(cards, None, f"melds-{line}", None, row=row, result=tuple(cards.split()), **UNSEEN)


def test_f27a_art27_cards_that_come_to_a_meld_after_the_discard_are_an_alert_of_the_line(script: Any) -> None:
    script.turn("W")
    rest(script, 3.0)
    appear(script, "KH KD KC")
    verdict = script.last()
    assert script.verdicts() == [("F-27a", None, "open")]
    assert (verdict["severity"], verdict["needs_referee"], verdict["pair"]) == ("note", True, "EW")
    assert "freeze" in dos(script)


def test_f27a_art27_the_alert_lapses_when_the_opponents_draw(script: Any) -> None:
    script.turn("W")
    rest(script, 3.0)
    appear(script, "KH KD KC")
    script.draw("N")
    assert script.verdicts()[-1] == ("F-27a", None, "healed")


def test_f27a_art27_the_arbitro_says_who_it_was(script: Any) -> None:
    script.turn("W")
    rest(script, 3.0)
    appear(script, "KH KD KC")
    script.console("rule", row="F-27a", seat="W", meld=0, freeze="temporary")
    assert script.verdicts()[-1][0::2] == ("F-27a", "ruled")
    assert len({one.data.key for one in script.of("irregularity")}) == 1
    assert script.fold.deal.meld(0).frozen == "temporary"


def test_f27a_art27_what_may_have_been_laid_before_the_discard_is_no_alert(script: Any) -> None:
    script.turn("W")
    appear(script, "KH KD KC")
    rest(script)
    assert script.verdicts() == []


def test_f27a_art27_cards_of_the_other_line_are_another_matter(script: Any) -> None:
    script.turn("W")
    rest(script, 3.0)
    appear(script, "KH KD KC", line="NS")
    rest(script)
    assert script.verdicts() == []


def test_f26e_art26_two_cards_weighed_with_a_discard_that_no_beam_saw(script: Any) -> None:
    script.draw("W")
    script.move("?? 5H", None, "discard", None, confidence=0.5, basis=("scale", "sight"))
    verdict = script.last()
    assert script.verdicts() == [("F-26e", None, "open")]
    assert (verdict["cards"], verdict["severity"], verdict["needs_referee"]) == (["??"], "note", True)
    assert {"take-back", "expose"} <= set(dos(script))


def test_f26e_art26_a_scale_alone_that_saw_two_cards_come_alleges_nothing(script: Any) -> None:
    script.draw("W")
    script.move("?? ??", None, "discard", None, confidence=0.5, basis=("scale",))
    rest(script)
    assert script.verdicts() == []


def test_f32_art32_who_lays_after_an_unseen_hand_took_the_pile_is_not_accused(
    script: Any,
) -> None:
    script.turn("W", "4H")
    script.draw("N")
    script.move(" ".join(script.fold.deal.pile), "discard", None, None, confidence=0.6, basis=("scale",))
    script.lay("E", 0, "5H 6H 7H")
    assert script.verdicts() == [], "rather than a second take of north, east has taken it after a discard unseen"
