"""Art. 9: when the fault of leaving more than one card of the pile is complete, and when it is not yet one."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.games.burraco.cases_by_text import play


def left_two(script: Any) -> None:
    """S takes the upper card of the pile and leaves TD, 3S and 9H lying."""
    for seat, card in zip("WNE", ("3S", "9H", "KD"), strict=True):
        script.turn(seat, card)
    script.collect("S", "KD")


def test_f09f_art9_it_is_complete_when_the_next_player_draws(script: Any) -> None:
    left_two(script)
    script.draw("W")
    assert ("F-09f", "S", "open") in script.verdicts()
    assert script.last()["found"] in ("after_discard_before_next_draw", "later")


CASES: Final = {
    "test_f09f_art9_while_he_may_still_take_the_rest_nobody_is_accused":
        "left_two; verdicts =; collect S TD,3S,9H; discard S 4C; verdicts =",
    "test_f09f_art9_it_is_complete_when_he_plays_on": "left_two; lay S 0 KD,KH,KC; verdicts = F-09f:S:open",
    "test_f09f_art9_it_is_complete_when_he_discards": "left_two; discard S 4C; verdicts = F-09f:S:open",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, left_two)
