"""Sensors that go and come back, weights that are no cards, cards that fall face up, and what the arbitro corrects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hw.cards import BURRACO
from hw.equipment import BURRACO_TABLE
from hw.observation_log import Header
from hw.observations import Console, Health, Observation, Reach, Scale, Sight, SightedCard
from hw.seats import SEATS, Seat
from table_service.tracking import Tracker
from table_service.tracking.movements import Counted, Movement, Notice, Shown, Track, Unverified, Verified

HEADER = Header("T1", "fibur2024", tags={f"E0{n}": card for n, card in enumerate(BURRACO.cards())})
DEAL: list[Observation] = [Console(1.0, "a", "deal", {}), *[Scale(2 + n / 20, "stock", 75.6, True) for n in range(6)]]


def said(*observations: Observation, header: Header = HEADER) -> list[Track]:
    tracker = Tracker(header, BURRACO_TABLE)
    return [t for o in [*DEAL, Console(5.0, "a", "start-play", {}), *observations] for t in tracker.feed(o)]


def sight(t: float, *cards: tuple[str, str, float, float], hidden: tuple[str, ...] = ()) -> Sight:
    return Sight(t, tuple(SightedCard(c, zone, x, y, 0.0, "up", 0.99) for c, zone, x, y in cards), hidden, int(t * 10))


def settled(t: float, zone: str, grams: float, count: int = 8) -> list[Observation]:
    return [Scale(t + n / 20, zone, grams, True) for n in range(count)]


def test_a_card_that_falls_on_the_open_table_is_seen_by_all_and_owned_by_the_hand():
    dropped = ("7H", "table", 200.0, 60.0)
    tracks = said(
        sight(9.8),
        Reach(10.0, Seat.WEST, "table", "in"),
        Reach(10.5, Seat.WEST, "table", "out"),
        sight(10.8, dropped),
        sight(11.3, dropped),
        sight(14.0, dropped),
        Reach(15.0, Seat.WEST, "table", "in"),
        sight(15.2, hidden=("table",)),
        Reach(15.8, Seat.WEST, "table", "out"),
        sight(16.0),
        sight(16.5),
        sight(17.0),
        sight(21.0),
    )
    fell, taken = [t for t in tracks if isinstance(t, Movement)]
    assert (fell.source, fell.target, fell.seat, fell.cards) == ("hand-W", "table", Seat.WEST, ("7H",))
    assert fell.visible_to == SEATS
    assert fell.committed_t == pytest.approx(10.5)
    assert (taken.source, taken.target, taken.seat, taken.cards) == ("table", "hand-W", Seat.WEST, ("7H",))


def test_a_card_seen_in_one_frame_while_it_is_carried_is_no_exposure():
    tracks = said(
        sight(9.8),
        Reach(10.0, Seat.WEST, "discard", "in"),
        sight(10.3, ("7H", "table", -200.0, 0.0)),
        Reach(10.9, Seat.WEST, "discard", "out"),
        *[sight(11.0 + n / 2) for n in range(6)],
    )
    assert not [t for t in tracks if isinstance(t, Movement)]


def test_a_hand_laid_out_is_shown_whole():
    hand = [("7H", "hand-S", -100.0, -400.0), ("2S", "hand-S", -60.0, -400.0), ("KD", "hand-S", -20.0, -400.0)]
    tracks = said(sight(9.8), *[sight(10.0 + n / 2, *hand) for n in range(4)])
    assert [(t.zone, t.cards, t.seat) for t in tracks if isinstance(t, Shown)] == [
        ("hand-S", ("2S", "7H", "KD"), Seat.SOUTH)
    ]


def test_a_node_that_was_lost_leaves_its_zones_unverified_until_they_weigh_the_same():
    tracks = said(
        Health(10.0, "table", "lost"),
        Health(12.0, "table", "ok"),
        *settled(12.5, "stock", 75.6, 4),
    )
    assert "stock" in [t.zone for t in tracks if isinstance(t, Unverified)]
    counted = [(t.zone, t.cards) for t in tracks if isinstance(t, Counted) and t.t > 12.0]
    assert counted == [("stock", 42)], "weighed again: the table compares it with its ledger"
    assert [t.observation.state for t in tracks if isinstance(t, Notice) and isinstance(t.observation, Health)] == [
        "lost",
        "ok",
    ]


def test_cards_that_left_while_a_node_was_lost_are_missed_by_no_one():
    tracks = said(
        Health(10.0, "table", "lost"), Health(12.0, "table", "ok"), *settled(12.5, "stock", 72.0, 12), sight(16.0)
    )
    assert not [t for t in tracks if isinstance(t, Movement)], "nobody knows who moved what, and when"
    (told,) = [t for t in tracks if isinstance(t, Counted) and t.t > 12.0]
    assert (told.zone, told.cards, told.anew) == ("stock", 40, True)


def test_a_scale_of_its_own_node_is_lost_alone():
    header = replace(HEADER, nodes={"seats": ("scale:stock", "scale:pots"), "pile": ("scale:discard",)})
    tracks = said(Health(10.0, "pile", "lost"), *settled(10.5, "stock", 75.6, 4), header=header)
    assert {t.zone for t in tracks if isinstance(t, Unverified)} == {"discard"}
    tracks = said(Health(10.0, "seats/scale:stock", "lost"), *settled(10.2, "discard", 0.0, 4), header=header)
    assert {t.zone for t in tracks if isinstance(t, Unverified)} == {"stock"}


def test_a_scale_that_is_heard_although_its_node_was_lost_is_counted_anew():
    tracks = said(Health(10.0, "table", "lost"), *settled(14.0, "stock", 72.0, 12))
    assert [(t.zone, t.cards, t.anew) for t in tracks if isinstance(t, Counted) and t.t > 12.0] == [("stock", 40, True)]


def test_a_scale_may_be_silent_for_thirty_seconds():
    tracks = said(
        *[Scale(10.0 + 4 * n, "stock", 75.6, True) for n in range(10)],
        *[Scale(46.5 + n, "discard", 0.0, True) for n in range(28)],
        Scale(76.0, "stock", 75.6, True),
    )
    assert not [t for t in tracks if isinstance(t, Unverified)]


def test_the_camera_that_comes_back_confirms_what_it_sees():
    tracks = said(sight(9.8), Health(10.0, "camera", "lost"), Health(13.0, "camera", "ok"), sight(13.5), sight(14.0))
    assert {t.zone for t in tracks if isinstance(t, Unverified)} == {"melds-NS", "melds-EW"}
    assert {t.zone for t in tracks if isinstance(t, Verified)} == {"melds-NS", "melds-EW"}


def test_a_picture_of_before_the_loss_that_comes_late_confirms_nothing_and_the_next_one_does():
    lost, back = Health(4.0, "camera", "lost", ""), Health(6.0, "camera", "ok", "")
    tracks = said(sight(1.0), sight(3.0), lost, sight(3.9), back, sight(6.5), sight(7.0), sight(7.5))
    told = [(t.t, type(t)) for t in tracks if isinstance(t, Unverified | Verified) and t.zone == "melds-NS"]
    assert told == [(4.0, Unverified), (6.5, Verified)]


def test_a_weight_between_two_counts_is_no_count():
    tracks = said(*settled(10.0, "stock", 76.5, 10), *settled(20.0, "stock", 75.6, 14))
    after = [t for t in tracks if t.t > 9 and isinstance(t, Counted | Unverified | Verified)]
    assert isinstance(after[0], Counted)
    assert after[0].cards is None
    assert isinstance(after[1], Unverified)
    assert any(isinstance(t, Counted) and t.cards == 42 for t in after[2:])


def test_what_the_arbitro_corrects_is_believed():
    tracker = Tracker(HEADER, BURRACO_TABLE)
    for observation in [*DEAL, Console(5.0, "a", "start-play", {})]:
        tracker.feed(observation)
    tracker.feed(Console(6.0, "a", "correct", {"zone": "discard", "cards": ["7H", "8C"]}))
    tracker.feed(Console(6.1, "a", "correct", {"zone": "melds-NS", "row": 3, "cards": ["4C", "5C", "6C"]}))
    tracker.feed(Console(6.2, "a", "correct", {"zone": "stock", "cards": 41}))
    table = tracker.table
    assert table.pile == ("7H", "8C")
    assert table.rows == {"melds-NS": {3: ("4C", "5C", "6C")}}
    assert (table.counts["stock"], table.counts["discard"]) == (41, 2)


def test_a_new_deal_clears_the_table():
    tracker = Tracker(HEADER, BURRACO_TABLE)
    for observation in [*DEAL, Console(5.0, "a", "start-play", {}), *settled(6.0, "discard", 5.4)]:
        tracker.feed(observation)
    assert tracker.table.counts["discard"] == 3
    tracker.feed(Console(9.0, "a", "deal", {}))
    assert tracker.table.counts == {"stock": 0, "discard": 0, "pots": 0}
    assert tracker.table.pile == ()


def _swings(t: float, zone: str, before: float, after: float) -> list[Observation]:
    moving = [Scale(t + n / 20, zone, (before + after) / 2, False) for n in range(3)]
    return [*moving, *settled(t + 0.2, zone, after, 8)]


def _drawn(since: float) -> list[Observation]:
    """Three cards leave the stock, each by a hand, so that its plate is known to swing."""
    log = settled(since - 2.0, "discard", 0.0)
    for n in range(3):
        t, grams = since + 4.0 * n, 75.6 - 1.8 * n
        log += [Reach(t - 0.2, Seat.WEST, "stock", "in"), *_swings(t, "stock", grams, grams - 1.8)]
        log.append(Reach(t + 0.8, Seat.WEST, "stock", "out"))
    return log


def test_a_plate_that_weighs_otherwise_and_has_not_swung_was_not_heard():
    tracks = said(*_drawn(10.0), *settled(22.0, "stock", 68.4, 1), *settled(26.0, "stock", 68.4, 4))
    assert len([t for t in tracks if isinstance(t, Movement)]) == 3
    assert [(t.zone, t.missed) for t in tracks if isinstance(t, Unverified)] == [("stock", True)]
    assert [(t.cards, t.anew) for t in tracks if isinstance(t, Counted) and t.t > 20.0] == [(38, True)]


def test_a_plate_that_swings_has_been_heard():
    tracks = said(*_drawn(10.0), *_swings(22.0, "stock", 70.2, 68.4), *settled(26.0, "stock", 68.4, 4))
    assert not [t for t in tracks if isinstance(t, Unverified)]


def test_after_a_silence_of_the_whole_table_all_is_counted_anew():
    log: list[Observation] = [
        o for n in range(60) for o in (sight(6.0 + n / 2), Scale(6.2 + n / 2, "stock", 75.6, True))
    ]
    tracks = said(*log, Scale(47.0, "stock", 75.6, True))
    doubted = [t for t in tracks if isinstance(t, Unverified)]
    assert {t.zone for t in doubted if t.missed} == {"stock", "discard", "pots"}
    assert {"melds-NS", "melds-EW"} <= {t.zone for t in doubted}
    assert {t.reason for t in doubted} == {"nothing at all was heard"}


def test_beams_that_are_not_heard_leave_open_whose_hand_it_is():
    header = replace(HEADER, nodes={"gates": ("beam:N:stock", "coil:gate-N"), "seats": ("scale:stock",)})
    lost = [Health(10.0, "gates", "lost"), Health(11.0, "gates/beam:N:stock", "lost"), Health(12.0, "gates", "ok")]
    tracks = said(*lost, Health(14.0, "gates/beam:N:stock", "ok"), header=header)
    told = [(t.t, t.zone, type(t)) for t in tracks if isinstance(t, Unverified | Verified)]
    assert told == [(10.0, "beams", Unverified), (11.0, "beams", Unverified), (14.0, "beams", Verified)]


def test_a_scale_that_did_not_tell_of_a_card_is_counted_anew_once_it_is_heard_again():
    """The pile's second card came while its scale was silent: what leaves then is not the one card that was weighed."""
    lies = [("3D", "discard", -324.0, -60.0), ("7S", "discard", -307.0, -60.0)]
    tracks = said(
        Scale(10.0, "discard", 0.9, False),
        *settled(10.1, "discard", 1.8),
        *[sight(11.0 + n / 2, lies[0]) for n in range(4)],
        *[sight(14.0 + n / 2, *lies) for n in range(20)],
        Reach(30.0, Seat.WEST, "discard", "in"),
        Scale(30.4, "discard", 1.0, False),
        *settled(30.5, "discard", 0.0),
        Reach(31.0, Seat.WEST, "discard", "out"),
        sight(32.0),
        sight(33.0),
    )
    assert "discard" in [t.zone for t in tracks if isinstance(t, Unverified)]
    assert not [t for t in tracks if isinstance(t, Movement) and t.source == "discard"]
    assert [(t.zone, t.cards, t.anew) for t in tracks if isinstance(t, Counted)][-1] == ("discard", 0, True)


def test_a_plate_that_swings_and_is_not_heard_to_come_to_rest_is_counted_anew():
    tracks = said(
        *settled(8.0, "stock", 75.6),
        Scale(10.0, "stock", 74.6, False),
        Scale(10.1, "stock", 73.9, False),
        Reach(12.0, Seat.WEST, "melds-EW", "in"),
        Reach(13.0, Seat.WEST, "melds-EW", "out"),
        *settled(20.0, "stock", 73.8),
    )
    assert [(t.zone, t.missed) for t in tracks if isinstance(t, Unverified)] == [("stock", True)]
    assert [(t.cards, t.anew) for t in tracks if isinstance(t, Counted) and t.t > 8.0] == [(41, True)]
    assert not [t for t in tracks if isinstance(t, Movement)]


def test_one_stray_reading_of_a_plate_that_rests_and_speaks_rarely_is_no_gap():
    """A node tells of a plate at rest every four seconds; noise made one of its readings look like a swing."""
    tracks = said(
        *settled(8.0, "stock", 75.6),
        Scale(12.0, "stock", 74.6, False),
        Reach(13.0, Seat.WEST, "melds-EW", "in"),
        Reach(14.0, Seat.WEST, "melds-EW", "out"),
        Scale(16.0, "stock", 75.5, True),
        *settled(20.0, "stock", 75.6),
    )
    assert not [t for t in tracks if isinstance(t, Unverified)]


TOUCHED = [
    reading
    for t in (6.0, 6.8, 7.6)
    for reading in (
        Scale(t, "stock", 76.4, False),
        Scale(t + 0.1, "stock", 76.1, False),
        *settled(t + 0.2, "stock", 75.6),
    )
]
"""The stock's plate swings whenever a finger comes there, so that a card that left it silently was not heard."""


def test_one_reading_at_rest_that_is_a_card_off_is_no_gap():
    """Of hundreds of readings at rest one strays by a card: the draw after it is one card drawn, as ever."""
    tracks = said(
        *TOUCHED,
        Scale(12.0, "stock", 73.9, True),
        Reach(13.0, Seat.WEST, "stock", "in"),
        Scale(13.4, "stock", 74.6, False),
        Scale(13.5, "stock", 73.9, False),
        *settled(13.6, "stock", 73.8),
        Reach(14.0, Seat.WEST, "stock", "out"),
        *settled(18.0, "stock", 73.8),
    )
    assert not [t for t in tracks if isinstance(t, Unverified)]
    assert [len(t.cards) for t in tracks if isinstance(t, Movement)] == [1]


def test_two_readings_at_rest_that_are_a_card_off_are_a_gap():
    tracks = said(*TOUCHED, Scale(12.0, "stock", 73.9, True), *[Scale(t, "stock", 73.7, True) for t in (16.0, 20.0)])
    assert [(t.t, t.missed) for t in tracks if isinstance(t, Unverified)] == [(16.0, True)]


def test_a_draw_that_was_not_heard_and_the_one_after_it_are_not_two_cards_drawn_at_once():
    """One reading at rest has told of a card that went unheard; then the plate swings and has lost another."""
    tracks = said(
        *TOUCHED,
        Scale(12.0, "stock", 73.8, True),
        Reach(13.0, Seat.WEST, "stock", "in"),
        Scale(13.4, "stock", 72.6, False),
        Scale(13.5, "stock", 72.1, False),
        *settled(13.6, "stock", 72.0),
        Reach(14.0, Seat.WEST, "stock", "out"),
        *settled(18.0, "stock", 72.0),
    )
    assert not [t for t in tracks if isinstance(t, Movement)]
    assert [t.missed for t in tracks if isinstance(t, Unverified)] == [True]
    assert [t.cards for t in tracks if isinstance(t, Counted)][-1] == 40


def test_a_heap_whose_scale_was_not_heard_when_it_was_set_out_again_is_unknown_at_the_start():
    """The dealer took the stock up to count it; when he put it back nothing was heard, and then one reading came."""
    tracker = Tracker(HEADER, BURRACO_TABLE)
    log = [
        *DEAL,
        Scale(3.0, "stock", 20.0, False),
        *settled(3.1, "stock", 0.0),
        Scale(13.0, "stock", 75.6, True),
        Console(13.5, "a", "start-play", {}),
        *settled(16.0, "stock", 75.6),
    ]
    tracks = [t for o in log for t in tracker.feed(o)]
    told = [(type(t).__name__, t.zone) for t in tracks if isinstance(t, Unverified | Counted) and t.t > 5.0]
    assert told[:2] == [("Unverified", "stock"), ("Counted", "stock")]
    assert [t.cards for t in tracks if isinstance(t, Counted)][-1] == 42


def test_a_heap_that_its_scale_has_not_told_of_when_play_begins_is_unknown_until_it_is_counted():
    """The dealer took the pots up again; nobody heard their scale as he laid them there, until play had begun."""
    tracker = Tracker(HEADER, BURRACO_TABLE)
    taken_up = [*settled(2.5, "pots", 39.6), Scale(3.0, "pots", 20.0, False), *settled(3.1, "pots", 0.0)]
    log = [*DEAL, *taken_up, Console(13.5, "a", "start-play", {}), *settled(13.8, "pots", 39.6)]
    tracks = [t for o in log for t in tracker.feed(o)]
    assert not [t for t in tracks if isinstance(t, Movement)]
    told = [t for t in tracks if isinstance(t, Unverified | Counted) and t.zone == "pots" and t.t > 13.0]
    assert isinstance(told[0], Unverified)
    assert {t.cards for t in told[1:] if isinstance(t, Counted)} == {22}


def test_a_scale_that_is_lost_before_it_has_borne_out_what_it_told_has_moved_no_card():
    """Nobody was seen to bring what its newest readings show; pictures stand in for it until it is heard again."""
    header = replace(HEADER, nodes={"seats": ("scale:pots",)})
    tracker = Tracker(header, BURRACO_TABLE)
    log = [
        *DEAL,
        *settled(2.5, "pots", 39.6),
        Console(5.0, "a", "start-play", {}),
        *settled(6.0, "pots", 39.6),
        sight(9.9),
        Scale(10.0, "pots", 44.0, False),
        *settled(10.1, "pots", 45.0),
        sight(10.6),
        Health(10.7, "seats/scale:pots", "lost", ""),
        *[sight(11.0 + n / 2) for n in range(20)],
        Health(22.0, "seats/scale:pots", "ok", ""),
        *settled(22.5, "pots", 39.6),
    ]
    told = [t for o in log for t in tracker.feed(o)]
    assert not [t for t in told if isinstance(t, Movement)]
    assert [t.cards for t in told if isinstance(t, Counted) and t.zone == "pots"] == [22, 22]


def test_what_a_scale_did_not_tell_of_is_doubted_before_what_came_after_it():
    """A pile picked up unheard, and cards laid at once: whoever reads the log in order knows first what was missed."""
    tracks = said(
        Scale(10.0, "discard", 0.9, False),
        *settled(10.1, "discard", 1.8),
        *[sight(11.0 + n / 2, ("3D", "discard", -324.0, -60.0)) for n in range(6)],
        Reach(14.2, Seat.WEST, "discard", "in"),
        Reach(15.2, Seat.WEST, "discard", "out"),
        *[sight(15.4 + n / 4) for n in range(6)],
        Reach(16.4, Seat.WEST, "table", "in"),
        Reach(16.7, Seat.WEST, "table", "out"),
        *[sight(16.8 + n / 4, ("7H", "table", 200.0, 60.0)) for n in range(20)],
    )
    told = [type(t).__name__ for t in tracks if isinstance(t, Movement | Unverified) and t.t > 12.0]
    assert told == ["Unverified", "Movement"]


def test_a_hand_that_leans_on_a_plate_as_it_is_heard_again_is_not_counted_as_cards():
    tracks = said(
        *settled(10.0, "discard", 1.8),
        Health(12.0, "node/scale:discard", "lost", ""),
        Health(22.0, "node/scale:discard", "ok", ""),
        Reach(22.1, Seat.WEST, "discard", "in"),
        *settled(22.2, "discard", 92.0, 9),
        Reach(23.0, Seat.WEST, "discard", "out"),
        *settled(23.1, "discard", 3.6, 9),
    )
    assert [t.cards for t in tracks if isinstance(t, Counted) and t.zone == "discard" and t.anew] == [2]
