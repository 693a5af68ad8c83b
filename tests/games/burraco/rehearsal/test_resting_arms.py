"""An arm that lies over the melds hides whose hand laid what shows when it goes: nobody is accused on that."""

from __future__ import annotations

from table_service.games.burraco.fold import TableFold
from table_service.rehearsal.rehearse import prepare


def test_f32_art32_nobody_is_out_of_turn_where_another_arm_lay_over_the_melds():
    """E's own arm rests over his line's melds while W tidies them; E then lays in his turn, under that arm."""
    rehearsal = prepare("fibur2024", 60000146, 1, (), "normal", habits="lively")
    fold = TableFold(rehearsal.header)
    said = [event for one in rehearsal.observations() if one.t < 120 for event in fold.feed(one)]
    laid = [tuple(event.data.meld.cards) for event in said if event.type == "meld.opened"]
    assert ("JK", "8S", "8D", "8D", "8H") in laid
    assert not [event.data.row for event in said if event.type == "irregularity"]


def test_f27a_what_may_have_lain_beneath_a_resting_arm_before_the_discard_was_not_laid_after_it():
    """N's arm hides the melds while S lays and discards; S's beam has missed that reach, and told of a later one."""
    rehearsal = prepare("fibur2024", 2074000006, 1, (), "rough", habits="lively")
    fold = TableFold(rehearsal.header)
    said = [event for one in rehearsal.observations() if one.t < 275 for event in fold.feed(one)]
    laid = [sorted(event.data.meld.cards) for event in said if event.type == "meld.opened"]
    assert ["8C", "8C", "8S"] in laid
    assert not [event.data.row for event in said if event.type == "irregularity"]
