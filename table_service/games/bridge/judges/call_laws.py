"""Rectifications of laws 26 to 32 for a call out of turn, or an insufficient one, not accepted (Code of 2007)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from hw.seats import CLOCKWISE, Seat
from table_service.games.bridge.rules.auction import NO_BID
from table_service.games.bridge.rules.contract import BIDS

When = Literal["right", "partner", "left"]
"""At whose turn somebody called, as the one who called sees them."""
Passes = Literal["", "once", "throughout"]


def when_of(seat: Seat, due: Seat | None) -> When:
    """At whose turn ``seat`` has called while ``due`` was to call; after the end as at the left-hand opponent's."""
    if due is CLOCKWISE.previous(seat):
        return "right"
    return "partner" if due is CLOCKWISE.partner(seat) else "left"


@dataclass(frozen=True, slots=True)
class Consequence:
    """Rectification. ``repeat``: the same call is made again in turn. ``own_pass``: the offender passes at that turn.

    ``partner``: how long the partner passes. ``no_double``: the partner may not double or redouble at that turn.
    ``lead_limits``: law 26 may apply. ``see_23``: the law sends to 23. ``as_change``: it is a change of call (25).
    """

    law: str
    repeat: bool = False
    own_pass: bool = False
    partner: Passes = ""
    no_double: bool = False
    lead_limits: bool = False
    see_23: bool = False
    as_change: bool = False


def pass_out_of_turn(when: When, *, anybody_bid: bool) -> Consequence:
    """Law 30: a pass out of turn that was not accepted."""
    if not anybody_bid:
        return Consequence("30A", own_pass=True)
    if when == "right":
        return Consequence("30B1", own_pass=True)
    if when == "partner":
        return Consequence("30B2", partner="throughout", no_double=True, see_23=True)
    return Consequence("30B3", as_change=True)


def bid_out_of_turn(when: When, *, bid: str, right: str | None = None, replaced: str | None = None) -> Consequence:
    """Law 31: a bid out of turn that was not accepted.

    ``right``: what the right-hand opponent called then; ``replaced``: what the offender called at last.
    """
    if when != "right":
        return Consequence("31B", partner="throughout", lead_limits=True, see_23=True)
    if right in (None, NO_BID):
        return Consequence("31A1", repeat=True)
    if replaced is not None and replaced in BIDS and replaced[1] == bid[1]:
        return Consequence("31A2a", partner="once", see_23=True)
    return Consequence("31A2b", partner="throughout", lead_limits=True, see_23=True)


def double_out_of_turn(when: When, *, right: str | None = None) -> Consequence:
    """Law 32: a double or redouble out of turn that was not accepted."""
    if when == "right" and right in (None, NO_BID):
        return Consequence("32A1", repeat=True)
    return Consequence("32A2" if when == "right" else "32B", partner="throughout", lead_limits=True, see_23=True)


def insufficient(bid: str, replaced: str, *, natural: bool, same_meaning: bool) -> Consequence:
    """Law 27B: an insufficient ``bid`` that was not accepted and became ``replaced``.

    ``natural``: neither was artificial; ``same_meaning``: the arbitro finds the meaning the same or narrower in
    distribution, or the information harmless (the norm on 27B1b).
    """
    if replaced in BIDS and replaced[1] == bid[1] and natural:
        return Consequence("27B1a")
    if same_meaning:
        return Consequence("27B1b")
    law = "27B2" if replaced in BIDS or replaced == NO_BID else "27B3"
    return Consequence(law, partner="throughout", lead_limits=True, see_23=True)


@dataclass(frozen=True, slots=True)
class LeadLimit:
    """Limits that declarer may set the partner's first lead. ``any_suit``: he names which one he forbids.

    ``suits``: those of which he may require or forbid one.
    """

    suits: tuple[str, ...] = ()
    any_suit: bool = False

    @property
    def is_none(self) -> bool:
        """True if the partner may lead what he likes."""
        return not self.suits and not self.any_suit


def lead_limits(withdrawn: str, own_calls: Collection[str], *, suits: Collection[str] | None = None) -> LeadLimit:
    """Law 26 where a call was ``withdrawn`` by who now defends; ``own_calls``: his in the legal auction.

    ``suits``: those that the withdrawn call was about, where it was artificial; None: what it names.
    """
    about = tuple(suits) if suits is not None else (withdrawn[1],) if withdrawn in BIDS and withdrawn[1] != "N" else ()
    named = {call[1] for call in own_calls if call in BIDS}
    if not about:
        return LeadLimit(any_suit=True)
    return LeadLimit(suits=tuple(suit for suit in about if suit not in named))
