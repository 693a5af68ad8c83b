"""Art. 9: when the fault of leaving more than one card of the pile is complete, and when it is not yet one."""

from __future__ import annotations

from typing import Any


def left_two(script: Any) -> None:
    """S takes the upper card of the pile and leaves TD, 3S and 9H lying."""
    for seat, card in zip("WNE", ("3S", "9H", "KD"), strict=True):
        script.turn(seat, card)
    script.collect("S", "KD")


def test_f09f_art9_while_he_may_still_take_the_rest_nobody_is_accused(script: Any) -> None:
    left_two(script)
    assert script.verdicts() == []
    script.collect("S", "TD 3S 9H")
    script.discard("S", "4C")
    assert script.verdicts() == []


def test_f09f_art9_it_is_complete_when_he_plays_on(script: Any) -> None:
    left_two(script)
    script.lay("S", 0, "KD KH KC")
    assert script.verdicts() == [("F-09f", "S", "open")]


def test_f09f_art9_it_is_complete_when_he_discards(script: Any) -> None:
    left_two(script)
    script.discard("S", "4C")
    assert script.verdicts() == [("F-09f", "S", "open")]


def test_f09f_art9_it_is_complete_when_the_next_player_draws(script: Any) -> None:
    left_two(script)
    script.draw("W")
    assert ("F-09f", "S", "open") in script.verdicts()
    assert script.last()["found"] in ("after_discard_before_next_draw", "later")
