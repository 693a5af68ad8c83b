"""The contract lets a camera log only what changes: one picture of a meld, then silence. All is told the same."""

from __future__ import annotations

import pytest

from tests.independent.cases import one

ORDER = (
    "a_draw_before_play_has_begun",
    "a_second_draw_with_a_pot_in_flight",
    "a_meld_after_the_discard_and_play_goes_on",
    "a_meld_in_an_opponents_turn",
    "what_the_table_settles_itself_is_no_freeze",
    "a_frozen_meld_thaws_at_the_offenders_next_turn",
    "the_only_card_of_the_pile_is_drawn_near",
)


@pytest.mark.parametrize("name", ORDER)
@pytest.mark.parametrize("seed", [41, 60])
def test_one_picture_of_a_change_is_enough_for_who_did_what_when(name, seed, tmp_path):
    assert one(name, seed, tmp_path, "pictures on change") == []
