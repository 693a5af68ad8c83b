"""What is known of the end of one deal: whether it was told, who has laid out his hand, who said that he closes."""

from __future__ import annotations

from dataclasses import dataclass, field

from hw.seats import Seat
from table_service.games.burraco.rules.deal import Manner


@dataclass(slots=True)
class EndState:
    """The end of one deal as ``ending`` knows it.

    ``is_told``: it is over, and the event ``id`` said so, in the ``manner`` and with the closer that it had then.
    ``drawn_after``: who drew from the stock after it: people do not go on playing a deal that is over. ``shown``: the
    hands laid out since; ``early``: those laid out before it was told, as they were last seen. ``closing``: who said
    that he closes, and when. ``reopened``: how many steps there were when a closing had just been taken back;
    ``supposed``: how many when he who discarded last was taken to have gone out, as others laid out their hands.
    """

    is_told: bool = False
    id: str | None = None
    manner: tuple[Manner | None, Seat | None] = (None, None)
    drawn_after: set[Seat | None] = field(default_factory=set)
    shown: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    shown_t: float = 0.0
    early: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    early_t: float = -1.0
    closing: tuple[Seat, float] | None = None
    reopened: int = 0
    supposed: int = 0
