"""Every row at each moment at which its fact can still be open: in the turn, after the discard, after the next draw.

What is expected is read from the text: the right to a penalty lapses when an opponent draws or picks up (general part)
unless an article rules for what is found later (arts. 4, 5, 23, 25, 26); nothing lapses by the offender's own discard.
"""

from __future__ import annotations

from typing import Any

import pytest

from hw.seats import Seat
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.referee.values import Irregularity

HEALED = "healed"
_LATER = ("F-25b", "F-25c")
LATER: dict[str, tuple[str, str]] = {
    # art. 25: after the discard, and in the phases after that
    "F-25a": _LATER,
    "F-25b": ("F-25b", "F-25c"),
    "F-05d": _LATER,
    "F-10b": _LATER,
    "F-11c": _LATER,
    "F-12": _LATER,
    "F-12b": _LATER,
    "F-29b": _LATER,
    "F-29c": _LATER,
    "F-29d": _LATER,
    "F-29a": ("F-29a", "F-25c"),
    # art. 26: first, second and third case
    "F-26a": ("F-26b", "F-26c"),
    "F-26b": ("F-26b", "F-26c"),
    # art. 23: the opponent's draw heals the taking, the melds are judged otherwise
    "F-23j": ("F-23j", "F-23k"),
    "F-23n": ("F-23n", "F-23o"),
    # art. 5: the first draw, whoever makes it
    "F-05a": ("F-05a", "F-05b"),
    "F-04d": ("F-04d", "F-04f"),
}
STAYS = {
    *("F-25c", "F-25d", "F-26c", "F-26d", "F-30c", "F-36"),
    *("F-23b", "F-23h", "F-23i", "F-23k", "F-23l", "F-23m", "F-23o"),
    *("F-03", "F-04a", "F-04b", "F-04f", "F-04g", "F-04h", "F-04i", "F-04k", "F-05b", "F-05c"),
    *("F-02", "F-15a", "F-19a", "F-19b", "F-20", "F-37", "F-40", "F-B1", "F-B2", "F-P1", "F-P2"),
    *("F-38", "F-38c", "F-38d", "F-38e", "F-38f", "F-38g", "F-39", "F-39b", "F-N1", "F-N2"),
}
"""What no draw heals: it shows in the count, is frozen for good, or concerns pack, paper and persons."""
ROWS = [row.id for row in FIBUR2024.rows.values() if row.kind == "irregularity"]


def enter(script: Any, row: str) -> str:
    """An open irregularity of west by ``row``, committed in his turn."""
    one = Irregularity(
        key="",
        row=FIBUR2024.row(row),
        offender=Seat.WEST,
        cards=(),
        t=script.t,
        committed_t=script.t,
        found="during_turn",
    )
    said = script.fold.game.referee.report(one)
    script.fold.game.parts.reporter.report([said])
    key: str = said.key
    return key


def found(script: Any, key: str) -> Irregularity:
    """The irregularity under ``key`` as the referee knows it now."""
    return next(one for one in script.fold.game.referee.irregularities if one.key == key)


def stands(script: Any, key: str) -> str:
    """The row under ``key``, or what has become of it."""
    one = found(script, key)
    return one.row.id if one.state == "open" else one.state


@pytest.mark.parametrize("row", ROWS)
def test_what_a_fact_becomes_when_it_is_found_later(script: Any, row: str) -> None:
    script.draw("W")
    key = enter(script, row)
    later = LATER.get(row, (row, row if row in STAYS else HEALED))
    script.discard("W", "3S")
    assert stands(script, key) == later[0], "after the discard, before the next draw"
    script.draw("N")
    assert stands(script, key) == later[1], "after the next draw"


@pytest.mark.parametrize("row", ROWS)
def test_a_pick_up_by_the_opponent_is_play_that_has_gone_on_as_well(make_script: Any, row: str) -> None:
    script = make_script()
    script.turn_up("5D")
    script.draw("W")
    key = enter(script, row)
    script.discard("W", "3S")
    script.collect("N", "5D 3S")
    assert stands(script, key) == LATER.get(row, ("", row if row in STAYS else HEALED))[1]


@pytest.mark.parametrize("row", ROWS)
def test_the_partners_act_heals_nothing(script: Any, row: str) -> None:
    script.draw("W")
    key = enter(script, row)
    script.discard("W", "3S")
    after_discard = stands(script, key)
    script.draw("E")  # out of turn, and no opponent
    assert stands(script, key) == after_discard


@pytest.mark.parametrize("row", ROWS)
def test_a_fact_that_is_ruled_is_healed_by_nothing(script: Any, row: str) -> None:
    script.draw("W")
    key = enter(script, row)
    script.console("rule", key=key, minutes=1, lines={"NS": 1, "EW": 1}, line="EW")
    ruled = found(script, key)
    script.discard("W", "3S")
    script.draw("N")
    now = found(script, key)
    assert (now.state, now.row.id) == (ruled.state, ruled.row.id) == ("ruled", row)
