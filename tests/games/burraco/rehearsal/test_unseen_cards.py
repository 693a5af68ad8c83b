"""A deal on its way is given cards that a fault needs, as far as nobody can know that it was."""

from __future__ import annotations

import pytest

from hw.cards import BURRACO, face
from hw.seats import SEATS, Seat
from hw.twin.gestures import SetTable
from hw.twin.world import boxed
from table_service.games.burraco.rehearsal.unseen_cards import give, unseen
from table_service.rehearsal.rehearse import script_for
from table_service.rehearsal.script import Script


def half_a_deal() -> Script:
    """A regular deal, some turns of it played."""
    script = script_for(11, 1, (), "lively")
    fresh = Script(boxed(BURRACO.cards()))
    for cue in script.cues[:60]:
        fresh.do(cue.gesture, *cue.actions)
    return fresh


def test_what_was_laid_or_discarded_is_not_unseen() -> None:
    script = half_a_deal()
    hidden = unseen(script)
    laid = {card for row in script.world.rows.values() for card in row.cards}
    assert laid | set(script.world.heap("discard"))
    assert not hidden & (laid | set(script.world.heap("discard")))
    held = {card for hand in script.world.hands.values() for card in hand}
    assert hidden <= {*held, *script.world.heap("stock"), *script.world.heap("pots")}


def test_a_card_that_is_given_comes_from_where_nobody_has_seen_it_and_no_card_is_lost() -> None:
    script = half_a_deal()
    seat = next(one for one in SEATS if unseen(script) & set(script.world.hands[one]))
    wanted = face(next(card for card in script.world.heap("stock") if card in unseen(script)))
    shown = [cue.gesture for cue in script.cues if not isinstance(cue.gesture, SetTable)]
    assert give(script, seat, (wanted,))
    assert wanted in map(face, script.world.hands[seat])
    assert [cue.gesture for cue in script.cues if not isinstance(cue.gesture, SetTable)] == shown
    again = Script(boxed(BURRACO.cards()))
    for cue in script.cues:
        again.do(cue.gesture, *cue.actions)
    assert again.world == script.world


def test_nothing_is_given_that_all_have_seen() -> None:
    script = half_a_deal()
    seat = Seat.NORTH
    for card in script.world.heap("discard"):
        copies = [one for one in unseen(script) if face(one) == face(card)]
        held = [one for one in script.world.hands[seat] if face(one) == face(card)]
        if not copies and not held:
            assert not give(script, seat, (face(card),))


@pytest.mark.parametrize(("row", "stage"), [("F-29c", "time-out"), ("F-23j", "mid"), ("F-08a", "stock")])
def test_rows_that_chance_seldom_brings_are_staged_at_the_ends(row: str, stage: str) -> None:
    script = script_for(5000, 1, (row,), "lively", stage)
    assert row in {fault.row for fault in script.injected}
