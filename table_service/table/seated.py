"""Observations at empty seats: at a table of two no other seat is counted."""

from __future__ import annotations

from dataclasses import replace

from hw.observations import Button, Knock, Observation, Reach, Said, Shield, Sight, SightedCard, Tags
from hw.seats import SEATS, Rotation
from hw.zones import TABLE, zone_seat


def as_seated(observation: Observation, rotation: Rotation) -> Observation | None:
    """Return ``observation`` at a table where only the seats of ``rotation`` are taken; None: it means nothing there.

    A hand from another side is another person's, and cards there are on the open table.
    """
    if len(rotation.seats) == len(SEATS):
        return observation
    match observation:
        case Reach(seat=seat) | Knock(seat=seat) | Said(seat=seat) if seat is not None and not rotation.holds(seat):
            return replace(observation, seat=None)
        case Button(seat=seat) | Shield(seat=seat) if not rotation.holds(seat):
            return None
        case Tags(zone=zone) if _is_nobodys(zone, rotation):
            return None
        case Sight(cards=cards) if any(_is_nobodys(card.zone, rotation) for card in cards):
            return replace(observation, cards=tuple(_on_the_table(card, rotation) for card in cards))
    return observation


def _is_nobodys(zone: str, rotation: Rotation) -> bool:
    seat = zone_seat(zone)
    return seat is not None and not rotation.holds(seat)


def _on_the_table(card: SightedCard, rotation: Rotation) -> SightedCard:
    return replace(card, zone=TABLE) if _is_nobodys(card.zone, rotation) else card
