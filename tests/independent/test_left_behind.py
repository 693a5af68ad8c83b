"""Art. 9: of a pile that is taken in part the event names the card that lies there, not the one that lay lowest."""

from __future__ import annotations

import pytest

from tests.independent.cards import face
from tests.independent.casebook import CASES, log_of
from tests.independent.oracle import folded, write


@pytest.mark.parametrize("name", ["one_card_is_left_behind", "the_topmost_card_is_left_behind"])
@pytest.mark.parametrize("seed", [30, 31, 32])
def test_f09e_the_card_that_stays_on_the_pile_is_the_one_named_as_the_discard(name, seed, tmp_path):
    log = log_of(CASES[name], seed)
    write(log.header, log.lines, tmp_path / "log.jsonl")
    events = folded(tmp_path / "log.jsonl")
    left = [event["data"]["card"] for event in events if event["type"] == "card.discarded" and event["data"]["left"]]
    assert [face(card) for card in left] == [face(log.stage.world.pile[0])]
