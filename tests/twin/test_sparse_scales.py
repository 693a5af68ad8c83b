"""Scales that speak as rarely as the contract allows, and now and then for nothing."""

from __future__ import annotations

from itertools import pairwise

from hw.observations import Scale
from hw.twin.noise import load_noise
from table_service.rehearsal.prove import ProofCase, run_case
from table_service.rehearsal.rehearse import prepare


def heard(noise: str) -> dict[str, list[Scale]]:
    """What each scale says in a rehearsed deal, by zone."""
    found: dict[str, list[Scale]] = {}
    for line in prepare("fibur2024", 7, 1, noise=noise).observations():
        if isinstance(line, Scale):
            found.setdefault(line.zone, []).append(line)
    return found


def strays(lines: dict[str, list[Scale]]) -> int:
    """How often a scale told five unsettled readings, one every 40 ms, that lie within a card of each other."""
    count = 0
    for told in lines.values():
        for at in range(len(told) - 4):
            five = told[at : at + 5]
            steady = max(line.grams for line in five) - min(line.grams for line in five) < 1.8
            count += steady and five[-1].t - five[0].t < 0.17 and not any(line.settled for line in five)
    return count


def test_each_scale_speaks_at_rest_after_a_time_of_its_own_and_never_later_than_the_contract_allows() -> None:
    longest = {zone: max(b.t - a.t for a, b in pairwise(lines)) for zone, lines in heard("sparse").items()}
    assert len({round(gap, 2) for gap in longest.values()}) == 3, "each has its own"
    assert all(4.0 <= gap <= 30.0 + 1e-6 for gap in longest.values())
    assert max(longest.values()) > 10.0, "rarer than they speak at the other levels"
    assert max(b.t - a.t for lines in heard("normal").values() for a, b in pairwise(lines)) < 10.5


def test_a_node_that_takes_noise_for_a_change_tells_unsettled_readings_of_a_plate_that_lies_still() -> None:
    assert strays(heard("sparse")) > 0
    assert strays(heard("normal")) == 0


def test_other_levels_say_what_they_said_before_the_level_was_there() -> None:
    normal = load_noise("normal")
    assert (normal.scale_rest_s, normal.scale_unsettled, normal.scale_bursts_per_min) == (None, 0.0, 0.0)


def test_a_deal_at_a_table_whose_scales_speak_rarely_accuses_nobody() -> None:
    report = run_case(ProofCase(7700001, None, "sparse"))["report"]
    assert not report["false"]
    assert report["score_right"] == report["score_items"]
    assert not report["ends_wrong"]
