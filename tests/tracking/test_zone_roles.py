"""Tracking follows cards by what zones are for: under other names the same log gives the same movements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hw.equipment import BRIDGE_TABLE, BURRACO_TABLE, TAROCCO_TABLE, Equipment, EquipmentZone
from hw.observation_log import read_log
from hw.observations import Observation, Reach, Scale, Sight, Tags
from table_service.tracking import Tracker
from table_service.tracking.movements import (
    Counted,
    Movement,
    Notice,
    RowChanged,
    Shown,
    Touched,
    Track,
    Unverified,
    Verified,
)
from table_service.tracking.zone_roles import NO_ZONE, PlateHabit, roles_of

EXAMPLE = Path(__file__).parent / "data" / "example_deal.jsonl.gz"
NAMES = {
    "stock": "talon",
    "discard": "heap",
    "pots": "wells",
    "gate-stock": "lip",
    "melds-NS": "cloth-NS",
    "melds-EW": "cloth-EW",
}


def other(name: str) -> str:
    return NAMES.get(name, name)


def renamed(equipment: Equipment) -> Equipment:
    return replace(
        equipment, places=tuple(replace(one, zone=other(one.zone), mouth=other(one.mouth)) for one in equipment.places)
    )


def told_by_others(observation: Observation) -> Observation:
    """The observation as a table would make it whose zones have the other names."""
    match observation:
        case Scale() | Tags():
            return replace(observation, zone=other(observation.zone))
        case Reach(zone=str(zone)):
            return replace(observation, zone=other(zone))
        case Sight():
            cards = tuple(replace(card, zone=other(card.zone)) for card in observation.cards)
            return replace(observation, cards=cards, hidden=tuple(map(other, observation.hidden)))
    return observation


def put_in_other_words(tracks: Iterable[Track]) -> Iterator[Track]:
    """What tracking says, with the other names for zones; notices are what was heard and are left out."""
    for track in tracks:
        match track:
            case Movement():
                source, target = (None if zone is None else other(zone) for zone in (track.source, track.target))
                yield replace(track, source=source, target=target)
            case RowChanged() | Counted() | Touched() | Shown() | Unverified() | Verified():
                yield replace(track, zone=other(track.zone))
            case Notice():
                pass
            case _:
                yield track


def followed(header, observations: Iterable[Observation], equipment: Equipment) -> list[Track]:
    tracker = Tracker(header, equipment)
    return [*(track for one in observations for track in tracker.feed(one)), *tracker.close()]


def same_under_other_names(header, observations: list[Observation]) -> list[Track]:
    """Assert that names make no difference; what tracking says, in the other words."""
    usual = list(put_in_other_words(followed(header, observations, BURRACO_TABLE)))
    others = followed(header, [told_by_others(one) for one in observations], renamed(BURRACO_TABLE))
    assert [track for track in others if not isinstance(track, Notice)] == usual
    return usual


def test_the_example_deal_is_followed_alike_whatever_its_zones_are_called():
    header, observations = read_log(EXAMPLE)
    moved = [track for track in same_under_other_names(header, list(observations)) if isinstance(track, Movement)]
    assert {"talon", "heap", "cloth-NS"} <= {zone for one in moved for zone in (one.source, one.target)}


def test_rough_play_is_followed_alike_whatever_its_zones_are_called(twin: SimpleNamespace):
    play = twin.improvise(8, "rough", turns=10)
    assert same_under_other_names(play.header, play.observations)


@pytest.mark.parametrize("equipment", [TAROCCO_TABLE, BRIDGE_TABLE], ids=lambda one: one.title)
def test_a_table_without_a_drawn_stack_has_no_zone_for_its_role(equipment: Equipment):
    roles = roles_of(equipment)
    assert {roles.drawn, roles.pile, roles.heaps} == {NO_ZONE}
    assert {roles.habit(zone) for zone in equipment.weighed} == {PlateHabit()}


def test_two_zones_of_one_role_are_refused():
    two = Equipment("Two stocks", (EquipmentZone("one", "stack", "singly"), EquipmentZone("other", "stack", "singly")))
    with pytest.raises(ValueError, match="one zone that cards are drawn from, not one, other"):
        roles_of(two)
