"""Faults with cards of the hand: those that fall face up where the partner sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.seats import SEATS, Seat
from hw.twin.gestures import Expose
from table_service.rehearsal.deal import Deal
from table_service.rehearsal.fault import Kind, Moment, drawn_variant, settled

if TYPE_CHECKING:
    from table_service.rehearsal.director import Director

_SPOTS: Final[tuple[tuple[float, float], ...]] = (
    (-255.0, -200.0),
    (-230.0, -230.0),
    (-200.0, -250.0),
    (-185.0, -215.0),
    (-250.0, -260.0),
)
"""Open table: three cards side by side lie clear of every zone there (``hw.layout.DEFAULT_LAYOUT``)."""


def _falls_face_up(director: Director, deal: Deal, _seat: Seat) -> bool:
    """F-24a: cards of somebody's hand fall face up onto the open table (art. 24)."""
    rng = director.rng
    offender = rng.choice(SEATS)
    hand = deal.world.hands[offender]
    if len(hand) < 5 or not settled(deal):
        return False
    cards = tuple(rng.sample(hand, rng.choices([1, 2, 3], weights=[7, 2, 1], k=1)[0]))
    x, y = rng.choice(_SPOTS)
    cue = director.script.do(Expose(offender, cards, x, y), deal.act("expose", offender, cards))
    left = rng.random() < 0.4
    variant = drawn_variant(rng, played_or_discarded=5, kept=2, ruled=3, dismissed=1)
    deal.inject("F-24a", offender, f"{variant}{', left lying' if left else ''}", cards, cue)
    director.script.wait(rng.uniform(0.8, 3.0))
    if not left:
        deal.take_up(offender, cards)
    if variant in ("ruled", "dismissed"):
        deal.call(rng.choice(offender.line.other.seats))
        if variant == "ruled":
            deal.rule("F-24a", offender, "play-or-discard", cards)
        else:
            deal.dismiss("F-24a", offender)
    if variant in ("played-or-discarded", "ruled"):
        deal.owed[offender] = dict.fromkeys(cards, cue)
    elif left:
        director.script.wait(rng.uniform(0.5, 2.0))
        deal.take_up(offender, cards)
    return True


CARD_KINDS: Final = (Kind("F-24a", (Moment.BEFORE_TURN, Moment.AFTER_DRAW), _falls_face_up),)
