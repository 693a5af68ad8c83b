"""Movements of cards as tracking reports them. No rule is known here: who moved what, from where to where.

Every value carries ``t``, the time of the observation that completed the evidence, and ``committed_t``, the time of the
first observation that shows the fact. Values come out in the order of ``committed_t`` as far as the evidence allows.
"""

from __future__ import annotations

from dataclasses import dataclass

from hw.observations import Observation
from hw.seats import Seat

FrameRef = int | str


@dataclass(frozen=True, slots=True)
class Movement:
    """Cards went from ``source`` to ``target`` (zones; None if unseen).

    ``cards``: faces or physical cards, ``??`` if unknown; from below to above, in a meld from the keeper's edge.
    ``seat``: whose hand moved them, None if neither beam nor gate nor zone shows it. ``row``: the meld row that gained
    or lost them, ``result`` the content of that row afterwards, from the keeper's edge. ``visible_to``: for cards that
    come to lie face up outside melds and pile, which seats could see them; None if unknown. ``confidence``: 0 to 1.
    ``basis``: the kinds of observation it is based on. ``frames``: camera frames that show it.
    """

    id: int
    t: float
    committed_t: float
    cards: tuple[str, ...]
    source: str | None
    target: str | None
    seat: Seat | None
    confidence: float
    basis: tuple[str, ...]
    row: int | None = None
    result: tuple[str, ...] = ()
    visible_to: tuple[Seat, ...] | None = None
    frames: tuple[FrameRef, ...] = ()
    beside: int | None = None
    """The row of the same zone in whose column a new row lies, near it but apart; None if it is in none."""
    since: float | None = None
    """Start of the time, up to ``committed_t``, in which the cards may have come unseen; None if it was seen."""


@dataclass(frozen=True, slots=True)
class RowChanged:
    """A meld row reads otherwise without a card coming or going: re-ordered, or a reading corrected."""

    id: int
    t: float
    committed_t: float
    zone: str
    row: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    seat: Seat | None
    confidence: float
    basis: tuple[str, ...]
    corrected: bool = False
    """True if the row was misread before and nothing moved."""
    frames: tuple[FrameRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """A card that an earlier movement left unknown, or named wrongly, is now identified."""

    t: float
    movement: int
    """The ``id`` of the Movement."""
    cards: tuple[str, ...]
    """The movement's cards as they are known now."""
    confidence: float
    basis: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retracted:
    """An earlier movement did not happen after all: later evidence explains it otherwise."""

    t: float
    movement: int
    reason: str


@dataclass(frozen=True, slots=True)
class Counted:
    """A scale has settled: ``cards`` cards are in ``zone``; None if the weight fits no number."""

    t: float
    zone: str
    cards: int | None
    confidence: float
    anew: bool = False
    """True if the scale had not been heard: what came or went meanwhile is in no movement."""


@dataclass(frozen=True, slots=True)
class Touched:
    """The hand of ``seat`` was in ``zone`` for ``seconds`` from ``committed_t`` on, and no card came or went."""

    t: float
    committed_t: float
    zone: str
    seat: Seat
    seconds: float


@dataclass(frozen=True, slots=True)
class Shown:
    """The cards that lie face up in a ``hand-`` zone now, as far as they can be read: the count, or an exposed hand."""

    t: float
    committed_t: float
    zone: str
    cards: tuple[str, ...]
    seat: Seat
    confidence: float
    basis: tuple[str, ...]
    frames: tuple[FrameRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Unverified:
    """The contents of ``zone`` can no longer be relied on (a gap in sensing); ``reason`` says why in English words."""

    t: float
    zone: str
    reason: str
    missed: bool = False
    """True if cards may come and go there unnoticed, or have done so."""
    changed: bool = False
    """True if cards certainly have come or gone, as readings before and after a silence differ."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The evidence has confirmed ``zone`` again."""

    t: float
    zone: str


@dataclass(frozen=True, slots=True)
class Notice:
    """An observation that moves no card, in its place among the movements: console, said, button, knock and so on."""

    t: float
    observation: Observation


Track = Movement | RowChanged | Named | Retracted | Counted | Touched | Shown | Unverified | Verified | Notice
