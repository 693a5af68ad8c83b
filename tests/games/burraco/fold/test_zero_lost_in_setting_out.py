"""Scales whose node began anew while cards were set out say nothing against the pack, before play or in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hw.observations import Console, Health, Scale
from table_service import rulesets
from table_service.rehearsal.rehearse import prepare

CUT_S, OFF_S, PLAYED_S = 37.5, 3.0, 60.0


@pytest.mark.parametrize("grams", [0.0, -2.67])
def test_f05b_a_stock_that_no_sure_zero_has_weighed_makes_no_pack_that_is_not_whole(grams: float) -> None:
    """Cut 41 of round 9930200: zeros were lost before the order to start, and the first draw's weight was believed."""
    rehearsal = prepare("fibur2024", 9930200, 1)
    log = tuple(rehearsal.observations())
    fold = rulesets.open_fold(rehearsal.header)
    told = [event for one in log if one.t <= CUT_S for event in fold.feed(one)]
    told += fold.feed(Health(CUT_S, "table", "reset", "the table was off"))
    back = CUT_S + OFF_S
    stands = {one.zone: one for one in log if isinstance(one, Scale) and one.t <= back}
    heard = [replace(one, t=CUT_S + again) for again in (0.1, 1.1) for one in stands.values()]
    later = [one for one in log if (one.t >= back or isinstance(one, Console)) and CUT_S < one.t < CUT_S + PLAYED_S]
    for one in [*heard, *(replace(one, t=max(one.t - OFF_S, CUT_S + 1.1)) for one in later)]:
        told += fold.feed(replace(one, grams=one.grams + grams) if isinstance(one, Scale) else one)
    assert "deal.checked" in {event.type for event in told}
    assert "card.drawn" in {event.type for event in told}
    assert "irregularity" not in {event.type for event in told}
