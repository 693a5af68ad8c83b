"""State of the end of one deal: whether it was reported, who has laid out his hand, who announced a closing."""

from __future__ import annotations

from dataclasses import dataclass, field

from hw.seats import Seat
from table_service.games.burraco.fold.course import DealStep


@dataclass(slots=True)
class EndState:
    """The end of one deal as ``ending`` knows it.

    ``drawn_after``: who drew from the stock after it: people do not go on playing a deal that is over. ``shown``: the
    hands laid out since; ``early``: those laid out before it was told, as they were last seen. ``closing``: who said
    that he closes, and when. ``reopened``: the step by which a closing was taken back; ``supposed``: that by which who
    discarded last was taken to have gone out, as others laid out their hands.
    """

    drawn_after: set[Seat | None] = field(default_factory=set)
    shown: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    shown_t: float = 0.0
    early: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    early_t: float = -1.0
    closing: tuple[Seat, float] | None = None
    reopened: DealStep | None = None
    supposed: DealStep | None = None
