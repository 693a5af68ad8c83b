"""Cards that a defender has exposed (laws 49 to 52): minor or major, and what he owes while they lie face up."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from hw.cards import UNKNOWN, face, rank, suit
from hw.seats import Seat

HONOURS: Final = frozenset("AKQJT")
Kind = Literal["minor", "major"]


@dataclass(frozen=True, slots=True)
class PenaltyCard:
    """A card of a defender that lies face up. ``deliberate``: played or shown on purpose, as a lead out of turn."""

    seat: Seat
    card: str
    kind: Kind
    t: float
    deliberate: bool = False

    @property
    def articles(self) -> tuple[str, ...]:
        """The parts of law 50 about it."""
        return ("50B", "50C") if self.kind == "minor" else ("50B", "50D")


def is_honour(card: str) -> bool:
    """Return True if ``card`` is a ten or higher."""
    return rank(card) in HONOURS


def exposed(
    lying: Collection[PenaltyCard], seat: Seat, cards: Iterable[str], t: float, *, deliberate: bool
) -> tuple[PenaltyCard, ...]:
    """Return the penalty cards once ``seat``, a defender, has exposed ``cards`` as well.

    One card below an honour, exposed by accident, is minor; an honour, a card on purpose, or one of several is major.
    A card that nobody read is major where it is not alone, else nobody knows: it is taken as minor, which asks least.
    One that is a penalty card already stays that one; it was played on purpose if either report says so.
    """
    own = {one.card for one in lying if one.seat is seat} - {UNKNOWN}
    shown = [face(card) for card in cards]
    before = tuple(
        replace(one, deliberate=one.deliberate or deliberate)
        if one.seat is seat and one.card in own & {*shown}
        else one
        for one in lying
    )
    new = [PenaltyCard(seat, card, "minor", t, deliberate) for card in shown if card not in own]
    return _kinds_known((*before, *new), seat)


def _kinds_known(lying: tuple[PenaltyCard, ...], seat: Seat) -> tuple[PenaltyCard, ...]:
    """Make those of ``seat`` major that are one of several, or major by themselves."""
    several = sum(one.seat is seat for one in lying) > 1
    return tuple(
        replace(one, kind="major") if one.seat is seat and (several or _is_major(one)) else one for one in lying
    )


def _is_major(one: PenaltyCard) -> bool:
    return one.kind == "major" or one.deliberate or is_honour(one.card)


def without(lying: Iterable[PenaltyCard], seat: Seat, card: str) -> tuple[PenaltyCard, ...]:
    """Return the penalty cards once ``seat`` has played ``card``, or taken it back into the hand by law."""
    return tuple(one for one in lying if not (one.seat is seat and one.card == face(card)))


def owed(lying: Iterable[PenaltyCard], seat: Seat, card: str, led: str | None) -> tuple[PenaltyCard, ...]:
    """Return the penalty cards that ``seat`` had to play instead of ``card``; empty if it has kept what it owed.

    ``led``: the suit to follow, None where it leads. Of several major ones any may be played that is allowed: which one
    declarer has named nobody hears (51).
    """
    own = [one for one in lying if one.seat is seat and one.card != UNKNOWN]
    played = face(card)
    if played == UNKNOWN or any(one.card == played for one in own):
        return ()
    return (*_major_due(own, played, led), *_small_before(own, played))


def _major_due(own: list[PenaltyCard], played: str, led: str | None) -> list[PenaltyCard]:
    major = [one for one in own if one.kind == "major"]
    if led is None:
        return major
    in_suit = [one for one in major if suit(one.card) == led]
    return in_suit or ([] if suit(played) == led else major)


def _small_before(own: list[PenaltyCard], played: str) -> list[PenaltyCard]:
    """Minor ones of the suit: no other small card of it may be played before them."""
    if is_honour(played):
        return []
    return [one for one in own if one.kind == "minor" and suit(one.card) == suit(played)]


@dataclass(frozen=True, slots=True)
class LeadChoice:
    """Declarer's choice when the partner of a player with major penalty cards is to lead (50D2): suits, and his ways.

    He requires a suit or forbids it, and the card goes back to the hand; or he does neither, and it stays.
    """

    leader: Seat
    suits: tuple[str, ...]
    options: tuple[str, ...] = ("require", "forbid", "neither")


def lead_choice(lying: Iterable[PenaltyCard], leader: Seat) -> LeadChoice | None:
    """Return declarer's choice while defender ``leader`` is to lead; None if his partner has no major penalty card."""
    own = [one for one in lying if one.seat is leader.partner and one.kind == "major" and one.card != UNKNOWN]
    suits = tuple(dict.fromkeys(named for one in own if (named := suit(one.card)) is not None))
    return LeadChoice(leader, suits) if suits else None
