"""The same gestures under each code, and what each calls them: rows of the differences that sensors tell."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hw.seats import Line, Seat
from table_service.games.burraco.rules import acting, pots
from tests.games.burraco.codes.test_codes_at_a_table import table, told
from tests.games.burraco.conftest import Script

RUN = ("3D", "4D", "5D", "6D", "7D", "8D", "9D")
CODES = ("fibur2024", "feburit", "online")


def second_card(script: Script) -> None:
    script.draw("W")
    script.draw("W")


def laid_after_the_discard(script: Script) -> None:
    script.turn("W")
    script.lay("W", 1, "8H 8S 8C")


def laid_out_of_turn(script: Script) -> None:
    script.turn("W")
    script.draw("N")
    script.lay("E", 1, "8H 8S 8C")


def goes_out(script: Script, cards: str, *, burraco: bool = True) -> None:
    """W, whose line has had its pot, holds ``cards`` and draws one more."""
    script.suppose(lambda deal: pots.take_pot(deal, Seat.WEST, "discard"))
    if burraco:
        script.suppose(lambda deal: acting.change(deal, None, 8, Line.EW, RUN))
    script.hands(W=cards)
    script.draw("W", "JK")


def with_a_wild(script: Script) -> None:
    goes_out(script, "5C 6C 7C")
    script.lay("W", 1, "5C 6C 7C")
    script.discard("W", "JK")


def without_a_burraco(script: Script) -> None:
    goes_out(script, "5C 6C 7C KD", burraco=False)
    script.lay("W", 1, "5C 6C 7C JK")
    script.discard("W", "KD")


def without_a_discard(script: Script) -> None:
    goes_out(script, "5C 6C 7C")
    script.lay("W", 1, "5C 6C 7C JK")


def only_pile_card(script: Script) -> None:
    script.collect("W", "TD")
    script.discard("W", "TD")


@pytest.mark.parametrize(
    ("name", "gestures", "rows"),
    [
        ("D-05", without_a_burraco, ("F-33", "B-21a", "O-29")),
        ("D-06", with_a_wild, ("F-34", "B-21b", "O-29")),
        ("D-07", without_a_discard, ("F-35a", "B-21c", "O-29")),
        ("D-12", second_card, ("F-08a", "B-06a", "O-21")),
        ("D-34", laid_after_the_discard, ("F-27a", "B-14d", "O-32")),
        ("D-35", laid_out_of_turn, ("F-32", "B-14c", "O-32")),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
@pytest.mark.parametrize("rules", CODES)
def test_the_same_gestures_have_a_row_of_each_code(
    name: str, gestures: Callable[[Script], None], rows: tuple[str, ...], rules: str
) -> None:
    script = table(rules)
    gestures(script)
    assert [row for row, _ in told(script)] == [rows[CODES.index(rules)]], name


@pytest.mark.parametrize(("rules", "row"), [("feburit", "B-16e"), ("online", "O-27")])
def test_d42_the_only_card_of_the_pile_picked_up_and_discarded(rules: str, row: str) -> None:
    script = table(rules)
    script.hands(W="3C 4C 6S 9H JD QC")
    only_pile_card(script)
    assert [one for one, _ in told(script)] == [row]
