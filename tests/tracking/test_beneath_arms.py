"""What hands did while an arm lay on the pile follows from who came where, and from what shows afterwards."""

from __future__ import annotations

from hw.seats import CLOCKWISE, Seat
from table_service.tracking.beneath_arms import (
    IDLE,
    LIFTED,
    NEAR_STACK,
    RESTED,
    STAYED,
    TURNED,
    Came,
    Explained,
    Turn,
    explained,
)

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST


def stack(t: float, seat: Seat | None) -> Came:
    return Came(t, seat, "stack", NEAR_STACK)


def pile(t: float, seat: Seat, idle: float = IDLE) -> Came:
    return Came(t, seat, idle=idle)


def told(came: list[Came], turn: Turn, old: int, more: int) -> Explained:
    found = explained(
        came,
        turn,
        CLOCKWISE.next,
        60.0,
        lambda shown: (shown.old, shown.more) == (old, more),
        hands_told=True,
    )
    assert found is not None
    return found


def acts(found: Explained) -> list[tuple[str, Seat | None]]:
    return [(act.does, act.seat) for act in found.acts]


def test_cards_that_came_beneath_an_arm_are_theirs_who_drew_before_each() -> None:
    came = [pile(10, N, RESTED), pile(15, E), stack(20, S), pile(25, S), stack(30, W), pile(40, N, LIFTED)]
    found = told(came, Turn(taken=True, player=E, old=4), 4, 2)
    assert acts(found) == [("lays", E), ("draws", S), ("lays", S), ("draws", W)]
    assert found.certain
    assert (found.turn.taken, found.turn.player) == (True, W)


def test_a_card_laid_and_taken_up_beneath_an_arm_is_told_although_no_frame_has_shown_it() -> None:
    came = [pile(10, W, RESTED), pile(20, E), pile(24, S), pile(28, W, LIFTED)]
    found = told(came, Turn(taken=True, player=E), 0, 0)
    assert acts(found) == [("lays", E), ("takes-up", S)]
    assert found.certain


def test_whose_arm_rested_there_has_taken_up_the_pile_where_nobody_else_can_have() -> None:
    came = [pile(10, S, RESTED), pile(12, E), pile(20, S, LIFTED)]
    assert acts(told(came, Turn(taken=True, player=E, old=5), 0, 0)) == [("lays", E), ("takes-up", S)]


def test_a_hand_that_nothing_told_has_laid_the_card_of_who_drew() -> None:
    came = [pile(10, W)]
    found = told(came, Turn(taken=True, player=S, old=1), 1, 1)
    assert acts(found) == [("lays", S)]
    assert found.certain


def test_who_comes_to_the_melds_has_not_laid_his_card_yet() -> None:
    came = [pile(10, E, RESTED), pile(15, N), pile(20, N), Came(22, N, "melds"), pile(30, E, LIFTED)]
    found = told(came, Turn(taken=False, player=N, old=3), 0, 0)
    assert acts(found) == [("takes-up", N)]


def test_of_two_ways_that_are_as_likely_none_is_certain() -> None:
    came = [pile(10, N), pile(15, E)]
    assert not told(came, Turn(taken=False, player=None, old=3), 0, 0).certain


def test_the_first_card_of_a_deal_is_turned_up_and_nobodys_turn_is_over() -> None:
    came = [pile(10, E, RESTED), Came(12, N, "stack", TURNED), pile(20, E, LIFTED)]
    found = told(came, Turn(taken=False, player=None, fresh=True), 0, 0)
    assert acts(found) == [("draws", N), ("lays", N), ("takes-up", E)]
    assert (found.turn.taken, found.turn.player) == (True, E)


def test_a_hand_that_stays_at_the_pile_takes_it_up_and_lays_no_card_in_the_same_visit() -> None:
    """W stays 2.6 s and has taken the pile up: that he laid a card as well, for N to take up, is not likely."""
    visit = [Came(30.4, W, idle=STAYED), Came(32.2, W, idle=0.0, since=30.0)]
    found = told(
        [pile(20, N, RESTED), pile(22, S), *visit, pile(33, N, LIFTED)], Turn(taken=True, player=S, old=7), 0, 0
    )
    assert acts(found) == [("lays", S), ("takes-up", W)]
    assert found.certain


def test_who_came_to_the_pile_after_a_card_that_nothing_told_has_taken_it_up_in_his_turn() -> None:
    """W, whose hand was not told, has laid his card; N, whose turn it was then, took the pile up as his arm left."""
    found = told([pile(28, N, RESTED), pile(36, N, LIFTED)], Turn(taken=True, player=W, old=3), 0, 0)
    assert acts(found) == [("lays", W), ("takes-up", N)]
    assert found.certain


def test_a_pile_that_shows_the_same_card_again_was_taken_up_where_hands_came_in_the_order_of_play() -> None:
    """W lays 9S on 9C, N takes both up, lays to a meld and discards 9C: the pile shows 9C as before."""
    came = [pile(20, W), pile(30, N), Came(32, N, "melds"), pile(35, N), stack(42, E)]
    found = explained(
        came,
        Turn(taken=True, player=W, old=1),
        CLOCKWISE.next,
        50.0,
        lambda turn: (turn.old, turn.more) == (1, 0),
        hands_told=True,
        again=lambda turn: (turn.old, turn.more) == (0, 1),
    )
    assert found is not None
    assert acts(found) == [("lays", W), ("takes-up", N), ("lays", N), ("draws", E)]
    idle = [pile(20, E), pile(30, S)]
    found = explained(
        idle,
        Turn(taken=True, player=W, old=1),
        CLOCKWISE.next,
        50.0,
        lambda turn: (turn.old, turn.more) == (1, 0),
        hands_told=True,
        again=lambda turn: (turn.old, turn.more) == (0, 1),
    )
    assert found is not None
    assert acts(found) == []
