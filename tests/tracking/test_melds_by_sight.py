"""Melds at a table with a camera alone: what a hand covers has not gone, what is named was there before."""

from __future__ import annotations

from hw.equipment import BURRACO_TABLE
from hw.observation_log import Header
from hw.observations import Console, Observation, Reach, Sight, SightedCard
from hw.seats import Seat
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement, Named, Track

SENSED = dict.fromkeys(("stock", "discard", "pots", "melds-NS", "melds-EW"), ("camera", "hands"))


def melds(t: float, *rows: tuple[str, ...]) -> Sight:
    """A frame of the melds of North and South, each of ``rows`` a meld."""
    cards = [
        SightedCard(card, "melds-NS", 100.0 * row + 20.0 * place, 300.0, 0.0, "up", 0.9, row, place)
        for row, meld in enumerate(rows)
        for place, card in enumerate(meld)
    ]  # fmt: skip
    return Sight(t, tuple(cards), (), round(10 * t))


def told(observations: list[Observation]) -> list[Track]:
    tracker = Tracker(Header("T1", "fibur2024"), BURRACO_TABLE.sensed_by(SENSED))
    begun = [Console(0.0, "a", "start-round", {"deals": 1}), Console(0.1, "a", "deal", {"deal": 1, "dealer": "N"})]
    begun.append(Console(0.2, "a", "start-play", {}))
    return [track for one in (*begun, *observations) for track in tracker.feed(one)]


def frames(start: float, end: float, *rows: tuple[str, ...]) -> list[Observation]:
    """Ten frames a second from ``start`` to ``end``."""
    return [melds(tenth / 10, *rows) for tenth in range(round(10 * start), round(10 * end))]


def hand(start: float, end: float) -> list[Observation]:
    return [Reach(start, Seat.NORTH, "melds-NS", "in"), Reach(end, Seat.NORTH, "melds-NS", "out")]


def in_order(*parts: list[Observation]) -> list[Observation]:
    return sorted((one for part in parts for one in part), key=lambda one: one.t)


def test_a_card_beneath_a_hand_that_lays_beside_it_has_not_been_taken() -> None:
    """Another meld keeps the question of the hand before open until it is late, while this one covers a card."""
    meld, new = ("5S", "5C", "5D"), ("3H", "??", "??")
    seen = in_order(
        hand(10.0, 11.0), frames(11.1, 15.0, meld), hand(20.0, 21.0), frames(21.1, 22.4, meld, new),
        hand(22.45, 25.0), frames(22.5, 24.2, ("5S", "5D"), new), frames(24.2, 30.0, meld, ("3H", "3D", "3C")),
    )  # fmt: skip
    moved = [one for one in told(seen) if isinstance(one, Movement)]
    assert [one.cards for one in moved if one.source == "melds-NS"] == [], "nothing was taken back"


def test_an_unread_card_that_is_named_as_another_comes_was_laid_before() -> None:
    seen = in_order(
        hand(10.0, 11.0), frames(11.1, 18.0, ("8D", "??", "8C")),
        hand(20.0, 21.0), frames(21.1, 30.0, ("8D", "8C", "8C", "8D")),
    )  # fmt: skip
    tracks = told(seen)
    moved = [one for one in tracks if isinstance(one, Movement)]
    assert [one.cards for one in moved if one.source == "melds-NS"] == []
    assert [one.cards for one in moved if one.target == "melds-NS"][1:] == [("8D",)]
    assert any(isinstance(one, Named) and "??" not in one.cards for one in tracks)


def test_a_card_that_shows_again_as_the_hand_leaves_has_not_been_taken() -> None:
    """A hand that lies within the cards alone hides no zone: frame after frame lacks what is beneath it."""
    meld, other = ("5S", "5C", "5D"), ("8H", "8D", "8S")
    seen = in_order(
        hand(10.0, 11.0), frames(11.1, 18.0, meld, other),
        hand(20.0, 21.3), frames(20.0, 21.3, ("5S", "5D"), (*other, "8C")), frames(21.3, 30.0, meld, (*other, "8C")),
    )  # fmt: skip
    moved = [one for one in told(seen) if isinstance(one, Movement)]
    assert [one.cards for one in moved if one.source == "melds-NS"] == [], "nothing was taken back"
    assert [one.cards for one in moved if one.target == "melds-NS"][2:] == [("8C",)]


def test_of_two_rows_that_grew_beneath_a_partners_arm_and_one_hand_the_second_may_be_of_either() -> None:
    """N's arm lies over the melds for a minute; S lays once; two rows have grown when they show again."""
    one, two = ("5S", "5C", "5D"), ("8H", "9H", "TH")
    south = [Reach(24.0, Seat.SOUTH, "melds-NS", "in"), Reach(25.5, Seat.SOUTH, "melds-NS", "out")]
    seen = in_order(
        hand(10.0, 11.0), frames(11.1, 20.0, one, two), hand(22.0, 60.0), south,
        [Sight(tenth / 10, (), ("melds-NS",), tenth) for tenth in range(200, 600)],
        frames(60.1, 66.0, (*one, "5H"), (*two, "JH")),
    )  # fmt: skip
    moved = [one for one in told(seen) if isinstance(one, Movement) and one.committed_t > 20.0]
    assert [one.cards for one in moved] == [("5H",), ("JH",)]
    assert all(one.confidence < 0.6 and one.since is not None and one.since <= 20.0 for one in moved)


def test_the_hand_that_came_has_laid_the_one_row_that_grew_beneath_a_partners_arm() -> None:
    one, two = ("5S", "5C", "5D"), ("8H", "9H", "TH")
    south = [Reach(24.0, Seat.SOUTH, "melds-NS", "in"), Reach(25.5, Seat.SOUTH, "melds-NS", "out")]
    seen = in_order(
        hand(10.0, 11.0), frames(11.1, 20.0, one, two), hand(22.0, 60.0), south,
        [Sight(tenth / 10, (), ("melds-NS",), tenth) for tenth in range(200, 600)],
        frames(60.1, 66.0, one, (*two, "JH")),
    )  # fmt: skip
    moved = [one for one in told(seen) if isinstance(one, Movement) and one.committed_t > 20.0]
    assert [(one.cards, one.seat, one.confidence > 0.8) for one in moved] == [(("JH",), Seat.SOUTH, True)]
