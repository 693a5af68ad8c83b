"""Cases as text: what is answered otherwise than a case says fails it."""

from __future__ import annotations

import pytest

from tests.games.burraco.cases_by_text import play

OPENED = "lay W 0 4C,5C,6C; console rule row=F-30a seat=W"


def test_a_case_that_holds_passes() -> None:
    play(
        f"{OPENED}; verdicts = F-30a:W:open F-30a:W:ruled; last row=F-30a; meld 0 frozen=temporary; "
        "dos = stop-play draw freeze complete-or-penalise"
    )


@pytest.mark.parametrize(
    "asked", ["verdicts =", "last row=F-30b", "meld 0 frozen=none", "each irregularity row = F-30a"]
)
def test_a_case_that_does_not_hold_fails(asked: str) -> None:
    with pytest.raises(AssertionError):
        play(f"{OPENED}; {asked}")
