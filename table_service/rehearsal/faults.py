"""Faults that people commit, by catalogue row: when each can happen, how it goes, and how the table goes on.

A fault is offered every moment of a deal from its turn on and commits itself at the first that suits. What follows
(somebody calls the arbitro, who rules or dismisses; or nobody does and play goes on) is drawn as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from hw.seats import SEATS, Seat
from hw.twin.gestures import Expose, PutBack
from table_service.rehearsal.deal import Deal, Limit

if TYPE_CHECKING:
    from table_service.rehearsal.director import Director


class Moment(StrEnum):
    """When a fault can be committed; the seat offered with it is the one in turn, or the one that just discarded."""

    BEFORE_TURN = "before-turn"
    AFTER_DRAW = "after-draw"
    BEFORE_DISCARD = "before-discard"
    AFTER_DISCARD = "after-discard"


Commit = Callable[["Director", Deal, Seat], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a catalogue row is committed: at which moments, from which turn on at the earliest and at the latest."""

    row: str
    moments: tuple[Moment, ...]
    commit: Commit
    turns: tuple[int, int] = (0, 18)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that is to happen in deal ``deal`` from turn ``turn`` on."""

    kind: Kind
    deal: int
    turn: int

    def due(self, moment: Moment, deal: Deal) -> bool:
        """Whether it may happen at ``moment`` of ``deal``."""
        return moment in self.kind.moments and deal.number == self.deal and deal.turn >= self.turn

    def commit(self, director: Director, deal: Deal, seat: Seat) -> bool:
        """Commit it if the cards and the players allow; whether it was."""
        return self.kind.commit(director, deal, seat)


# F-31a, draw out of turn


def _draws_out_of_turn(director: Director, deal: Deal, seat: Seat) -> bool:
    """``seat`` should play next, but another one draws (art. 31)."""
    rng = director.rng
    if len(deal.world.stock) < 8 or any(deal.owed.values()) or deal.limits:
        return False
    offender = rng.choices([seat.partner, seat.next, seat.previous], weights=[3, 4, 3 if deal.turn else 2], k=1)[0]
    card = deal.world.stock[-1]
    cue = deal.draw(offender, "draw", out_of_turn=True)
    variant = rng.choices(["ruled", "play-goes-on", "dismissed"], weights=[6, 3, 2], k=1)[0]
    deal.inject("F-31a", offender, variant, (card,), cue)
    if variant == "play-goes-on":
        director.script.wait(rng.uniform(2.5, 6.0))
        return True
    deal.call(rng.choice([each for each in SEATS if each is not offender]))
    if variant == "dismissed":
        deal.dismiss("F-31a", offender)
        return True
    deal.rule("F-31a", offender, "return-to-stock;next-turn-draw-and-discard-only", (card,))
    back = card if rng.random() < 0.7 else rng.choice(deal.world.hands[offender])
    director.script.do(PutBack(offender, back), deal.act("return-to-stock", offender, (back,)))
    deal.limits[offender] = Limit("draw")
    return True


# F-24a, exposed cards

_SPOTS: Final[tuple[tuple[float, float], ...]] = (
    (-290.0, -190.0),
    (-240.0, -210.0),
    (-200.0, -180.0),
    (-300.0, -280.0),
    (-230.0, -290.0),
)
"""Open table, clear of every zone even with three cards side by side (``hw.layout.DEFAULT_LAYOUT``)."""


def _falls_face_up(director: Director, deal: Deal, _seat: Seat) -> bool:
    """Cards of somebody's hand fall face up onto the open table, where the partner sees them (art. 24)."""
    rng = director.rng
    offender = rng.choice(SEATS)
    hand = deal.world.hands[offender]
    if len(hand) < 5 or any(deal.owed.values()) or deal.limits:
        return False
    cards = tuple(rng.sample(hand, rng.choices([1, 2, 3], weights=[7, 2, 1], k=1)[0]))
    x, y = rng.choice(_SPOTS)
    cue = director.script.do(Expose(offender, cards, x, y), deal.act("expose", offender, cards))
    left = rng.random() < 0.4
    variant = rng.choices(["played-or-discarded", "kept", "ruled", "dismissed"], weights=[5, 2, 3, 1], k=1)[0]
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


KINDS: Final[dict[str, Kind]] = {
    kind.row: kind
    for kind in (
        Kind("F-31a", (Moment.BEFORE_TURN,), _draws_out_of_turn),
        Kind("F-24a", (Moment.BEFORE_TURN, Moment.AFTER_DRAW), _falls_face_up),
    )
}
"""Every row that can be injected."""


class UnknownFault(ValueError):  # noqa: N818 - it names what was asked for
    """A row that nobody can inject; the message lists those that can be."""


def rows_named(text: str) -> tuple[str, ...]:
    """The rows of a list as the command line takes it: ``F-31a,F-24a``, ``all``, or nothing. Raises UnknownFault."""
    if text.strip() == "all":
        return tuple(KINDS)
    rows = tuple(part.strip() for part in text.split(",") if part.strip())
    for row in rows:
        if row not in KINDS:
            raise UnknownFault(f"no fault of row '{row}' can be rehearsed: there are {', '.join(KINDS)}")
    return rows


def planned(rows: Sequence[str], deals: int, rng: random.Random) -> list[Fault]:
    """One fault of each of ``rows``, spread over the ``deals`` of a round. Raises UnknownFault."""
    faults = []
    for n, row in enumerate(rows_named(",".join(rows))):
        kind = KINDS[row]
        faults.append(Fault(kind, n % deals + 1, rng.randint(*kind.turns)))
    return faults
