"""Cards that come to a trick after a spell in which no frame saw it: when they came, and whose they are."""

from __future__ import annotations

from typing import Final

from hw.observation_log import Header
from hw.observations import Observation, Reach, Sight, SightedCard
from hw.seats import Seat
from table_service.rehearsal.game_rehearsal import rehearsed
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement

AT: Final = {"KD": (0, 50), "FD": (-50, 0), "QD": (0, -50), "8D": (50, 0), "KB": (0, 50), "9B": (50, 0)}
"""Where each card lies in the trick, in mm: before North, West, South, East."""
GATHERED_UNSEEN_S: Final = 10.5
"""The one frame that shows the trick empty; from 5.5 s to 15 s no other sees it."""


def frame(t: float, cards: str = "", *, hidden: bool = False) -> Observation:
    seen = (SightedCard(card, "trick", *map(float, AT[card]), 0.0, "up", 0.99, None, None) for card in cards.split())
    return Sight(t, tuple(seen), ("trick",) if hidden else (), round(t * 2))


def reach(seat: Seat, start: float) -> list[Observation]:
    return [Reach(start, seat, "table", "in"), Reach(start + 0.6, seat, "table", "out")]


def after_a_trick_that_was_gathered_unseen(*hands: Observation) -> list[Movement]:
    """``hands`` came while nothing could be seen, before the trick was gathered; two cards lie there later."""
    seen = [
        *(frame(n / 2) for n in range(4)),
        *reach(Seat.NORTH, 2.0),
        *(frame(3 + n / 2, "KD FD QD 8D") for n in range(5)),
        *(frame(5.5 + n / 2, hidden=True) for n in range(10)),
        *hands,
        frame(GATHERED_UNSEEN_S),
        *(frame(11 + n / 2, hidden=True) for n in range(8)),
        *(frame(15 + n / 2, "KB 9B") for n in range(15)),
    ]
    tracker = Tracker(Header("T1", "tarocco"), rehearsed("tarocco").equipment)
    tracks = [track for one in sorted(seen, key=lambda one: one.t) for track in tracker.feed(one)]
    laid = [track for track in tracks if isinstance(track, Movement) and track.target == "trick"]
    return [move for move in laid if move.t >= 15]


def test_a_card_came_after_the_last_frame_without_it_however_long_before_that_others_went() -> None:
    """Seed 8831001 of a rehearsal at rough: a king was put to the trick before its own, and counted for its winner."""
    laid = after_a_trick_that_was_gathered_unseen(*reach(Seat.NORTH, 7.0))
    assert [move.committed_t > GATHERED_UNSEEN_S for move in laid] == [True, True]


def test_cards_that_frames_show_together_before_two_seats_are_one_of_each() -> None:
    laid = after_a_trick_that_was_gathered_unseen()
    assert {move.cards: move.seat for move in laid} == {("KB",): Seat.NORTH, ("9B",): Seat.EAST}
