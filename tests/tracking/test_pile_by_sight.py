"""A pile that only the camera sees: whose card came when, whatever frames misread or an arm covers."""

from __future__ import annotations

import pytest

from hw.equipment import BURRACO_TABLE
from hw.observations import Reach, Sight
from hw.seats import CLOCKWISE, Seat
from table_service.tracking.by_sight import Looking
from table_service.tracking.hand_intervals import Reaches
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.zone_roles import roles_of

BARE = BURRACO_TABLE.sensed_by({"stock": ("camera", "hands"), "discard": ("camera", "hands")})


def test_two_cards_that_come_back_at_once_are_no_discards_and_nobody_drew_before() -> None:
    looking = Looking(BARE, roles_of(BARE), Reaches(), CLOCKWISE)
    looking.start_play()
    looking.shown((), (), None, 9.5)
    looking.see(Sight(10.0, (), ("discard",), 1))
    steps = [step for t in (10.5, 11.0) for step in looking.shown(("3C", "4C"), (), None, t)]
    assert [(step.zone, step.change) for step in steps] == [("discard", 2)]


class Pile:
    """A pile and a stock without scales, played with hands that the camera reports; ``steps``: what came of it."""

    def __init__(self) -> None:
        self.reaches = Reaches()
        self.looking = Looking(BARE, roles_of(BARE), self.reaches, CLOCKWISE)
        self.looking.start_play()
        self.lies: tuple[str, ...] = ()
        self.steps: list[ScaleStep] = []

    def look(self, t: float, seen: tuple[str, ...], change: int | None = None, hidden: tuple[str, ...] = ()) -> None:
        self.steps += self.looking.see(Sight(t, (), hidden, 1))
        if "discard" not in hidden:
            self.steps += self.looking.shown(seen, self.lies, change, t)

    def visit(self, seat: Seat, zone: str, t: float) -> None:
        """A hand comes to ``zone`` for a second; frames show it covered."""
        self.reaches.feed(Reach(t, seat, zone, "in"))
        self.looking.see(Sight(t, (), (zone,), 1))
        self.looking.see(Sight(t + 0.9, (), (zone,), 1))
        self.reaches.feed(Reach(t + 1.0, seat, zone, "out"))

    def lay(self, seat: Seat, t: float, seen: tuple[str, ...]) -> ScaleStep:
        """``seat`` lays a card; the step that frames decide."""
        self.visit(seat, "discard", t)
        self.look(t + 1.1, seen)
        self.look(t + 1.3, seen, change=1)
        return next(step for step in reversed(self.steps) if step.zone == "discard")


@pytest.mark.parametrize("misread", [("9S", "??", "JC"), ("9S", "JK", "8C", "JC"), ("9S", "8S", "JC")])
def test_a_card_that_frames_misread_in_the_pile_dates_no_later_discard_back(misread: tuple[str, ...]) -> None:
    pile = Pile()
    pile.lies = ("9S", "8C")
    pile.lay(Seat.NORTH, 100.0, ("9S", "8C", "JC"))
    pile.lies = ("9S", "8C", "JC")
    for t in range(102, 110):
        pile.look(t, misread)
    pile.visit(Seat.EAST, "stock", 110.0)
    for later in (111.2, 112.5):
        pile.look(later, misread)
    assert [(step.zone, step.first_t) for step in pile.steps[-1:]] == [("stock", 110.0)], "told before the discard"
    laid = pile.lay(Seat.EAST, 114.0, (*misread, "KD"))
    assert laid.first_t >= 114.0


def test_a_pile_seen_between_two_short_covers_was_not_covered_for_long() -> None:
    pile = Pile()
    pile.lies = ("9S", "8S")
    pile.visit(Seat.WEST, "discard", 100.0)
    pile.look(101.1, ("9S", "8C"))
    pile.look(101.6, ("9S", "8C"))
    assert pile.lay(Seat.WEST, 103.0, ("9S", "8C", "AH")).change == 1


def test_who_lays_a_card_after_another_drew_has_drawn_with_his_own_arm() -> None:
    pile = Pile()
    pile.lies = ("9S",)
    pile.lay(Seat.NORTH, 90.0, ("9S", "8C"))
    pile.lies = ("9S", "8C")
    for seat, t in ((Seat.WEST, 100.0), (Seat.WEST, 106.0), (Seat.EAST, 112.0)):
        pile.visit(seat, "stock", t)
        for later in (1.1, 2.5, 4.0):
            pile.look(t + later, ("9S", "8C"))
    pile.lay(Seat.EAST, 118.0, ("9S", "8C", "KD"))
    assert [step.first_t for step in pile.steps if step.zone == "stock"][-2:] == [100.0, 112.0]


def test_a_hand_whose_coming_the_camera_tells_after_a_flicker_has_not_gone() -> None:
    """Two comings and a going between them, told with delays of their own: the going was none."""
    reaches = Reaches()
    reaches.feed(Reach(10.03, Seat.SOUTH, "discard", "in"))
    reaches.feed(Reach(10.06, Seat.SOUTH, "discard", "out"))
    hand = reaches.feed(Reach(10.0, Seat.SOUTH, "discard", "in"))
    assert (hand.start, hand.end) == (10.03, None)
    assert len(reaches.between("discard", 9.0, 11.0)) == 1


def test_a_pile_misread_before_the_next_hand_came_is_not_taken_up_by_the_hand_before() -> None:
    pile = Pile()
    pile.visit(Seat.EAST, "stock", 2.0)
    pile.lies = ("3C",)
    pile.lay(Seat.EAST, 6.0, ("3C", "QC"))
    pile.lies = ("3C", "QC")
    for t in (7.6, 8.1):
        pile.look(t, ("3C", "QC"))
    pile.look(8.6, ("3C",))
    pile.visit(Seat.SOUTH, "discard", 8.9)
    pile.look(10.1, ())
    pile.look(10.6, (), change=-2)
    assert (pile.steps[-1].change, pile.steps[-1].first_t) == (-2, 8.9)
