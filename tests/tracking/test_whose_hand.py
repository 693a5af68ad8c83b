"""Whose hand moved a card, and whether it came to lie at all: what beams, gates and frames say together."""

from __future__ import annotations

import pytest

from hw.cards import BURRACO
from hw.equipment import BURRACO_TABLE
from hw.observation_log import Header
from hw.observations import Console, Observation, Reach, Scale, Sight, SightedCard, Tags
from hw.seats import Seat
from table_service.tracking import Tracker
from table_service.tracking.camera_zone import ZoneChange
from table_service.tracking.hand_intervals import Interval
from table_service.tracking.movements import Movement, Named, RowChanged, Track
from table_service.tracking.plate_zero import PlateNoise
from table_service.tracking.row_filter import Support
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.scales import ScaleEstimator
from table_service.tracking.split_by_hand import split
from table_service.tracking.zone_roles import PlateHabit

UIDS = {card: f"E0{n}" for n, card in enumerate(BURRACO.cards())}
HEADER = Header("T1", "fibur2024", tags={uid: card for card, uid in UIDS.items()})
DEAL: list[Observation] = [
    Console(1.0, "a", "deal", {}),
    *[Scale(2 + n / 20, "stock", 75.6, True) for n in range(8)],
    Console(5.0, "a", "start-play", {}),
]
Lies = tuple[str, str, int | None, int, float, float]
"""Face, zone, row, order, x, y."""


def tracks_of(*parts: Observation | list[Observation]) -> list[Track]:
    tracker = Tracker(HEADER, BURRACO_TABLE)
    flat: list[Observation] = list(DEAL)
    for part in parts:
        flat += part if isinstance(part, list) else [part]
    return [t for o in flat for t in tracker.feed(o)] + tracker.close()


def moved(*parts: Observation | list[Observation]) -> list[Movement]:
    return [t for t in tracks_of(*parts) if isinstance(t, Movement)]


def picture(t: float, *cards: Lies, hidden: tuple[str, ...] = ()) -> Sight:
    seen = tuple(SightedCard(c, zone, x, y, 0.0, "up", 0.99, row, order) for c, zone, row, order, x, y in cards)
    return Sight(t, seen, hidden, round(t * 10))


def row_of(zone: str, row: int, faces: str) -> list[Lies]:
    return [(card, zone, row, order, 0.0, 200.0) for order, card in enumerate(faces.split())]


def frames(start: float, end: float, *cards: Lies, step: float = 0.4) -> list[Observation]:
    return [picture(start + n * step, *cards) for n in range(int((end - start) / step) + 1)]


def reach(seat: Seat | None, zone: str | None, start: float, end: float) -> list[Observation]:
    return [Reach(start, seat, zone, "in"), Reach(end, seat, zone, "out")]


def answers(t: float, zone: str, card: str, seconds: float = 0.2) -> list[Observation]:
    return [Tags(t, zone, (UIDS[card],)), Tags(t + seconds, zone, ())]


def steady(start: float, zone: str, grams: float, count: int = 9) -> list[Observation]:
    return [Scale(start + n / 20, zone, grams, True) for n in range(count)]


def by_time(*parts: list[Observation]) -> list[Observation]:
    return sorted((o for part in parts for o in part), key=lambda o: o.t)


def test_a_card_carried_openly_over_the_table_in_two_frames_is_not_exposed():
    held: Lies = ("7H", "table", None, 0, -60.0, 120.0)
    tracks = moved(
        by_time(
            frames(8.0, 9.8),
            reach(Seat.NORTH, "discard", 10.0, 11.1),
            answers(10.05, "gate-N", "7H#1"),
            [picture(10.2, held, hidden=("discard",)), picture(10.6, held, hidden=("discard",))],
            steady(10.7, "discard", 1.8),
            frames(11.2, 14.0, ("7H", "discard", None, 0, -60.0, 0.0)),
        )
    )
    assert [(m.source, m.target, m.seat) for m in tracks] == [("hand-N", "discard", Seat.NORTH)]


def test_a_card_laid_on_the_table_is_exposed_once_its_hand_has_left():
    lies: Lies = ("7H", "table", None, 0, 200.0, 60.0)
    tracks = moved(
        by_time(
            frames(8.0, 9.6),
            reach(Seat.EAST, "table", 10.0, 10.6),
            [picture(10.4, lies), picture(10.8, lies)],
            reach(Seat.EAST, "table", 11.4, 12.0),
            frames(12.2, 15.0),
        )
    )
    assert [(m.source, m.target, m.seat) for m in tracks] == [
        ("hand-E", "table", Seat.EAST),
        ("table", "hand-E", Seat.EAST),
    ]


def test_a_fallen_card_that_no_beam_saw_is_owned_by_the_gate_that_read_it():
    tracks = moved(
        by_time(
            frames(8.0, 9.6), answers(9.7, "gate-S", "KS#1"), frames(10.0, 13.0, ("KS", "table", None, 0, 10.0, 0.0))
        )
    )
    assert [(m.source, m.target, m.seat) for m in tracks] == [("hand-S", "table", Seat.SOUTH)]
    assert tracks[0].confidence >= 0.8


def test_a_fallen_card_that_nothing_else_sensed_belongs_to_the_nearest_edge():
    tracks = moved(frames(8.0, 9.6), frames(10.0, 13.0, ("KS", "table", None, 0, 0.0, 320.0)))
    assert [(m.source, m.target, m.seat) for m in tracks] == [("hand-N", "table", Seat.NORTH)]
    assert tracks[0].confidence >= 0.8


def test_a_hand_of_a_minute_ago_explains_no_exposure():
    tracks = moved(
        by_time(
            reach(None, "table", 10.0, 10.5),
            frames(8.0, 70.0, step=2.0),
            answers(69.9, "gate-S", "TH#2"),
            frames(70.4, 73.0, ("TH", "table", None, 0, 0.0, -200.0)),
        )
    )
    assert [(m.target, m.seat) for m in tracks] == [("table", Seat.SOUTH)]
    assert tracks[0].committed_t == pytest.approx(70.4)


def test_a_hand_whose_beam_tells_no_zone_explains_a_draw_and_a_lay():
    row = row_of("melds-EW", 1, "4C 5C 6C")
    tracks = moved(
        by_time(
            frames(8.0, 9.6),
            reach(Seat.WEST, None, 10.0, 11.0),
            steady(10.5, "stock", 73.8),
            frames(11.2, 11.6),
            reach(Seat.WEST, None, 12.0, 13.0),
            frames(13.2, 16.0, *row),
        )
    )
    assert [(m.source, m.target, m.seat) for m in tracks] == [
        ("stock", "hand-W", Seat.WEST),
        ("hand-W", "melds-EW", Seat.WEST),
    ]


def test_a_hand_without_a_zone_is_not_surely_who_laid_where_hands_are_told_by_their_zones():
    """Step 1, online 7506067: North's coming to the melds was missed, and South's arm over the table was accused."""
    run = row_of("melds-NS", 0, "7H 8H 9H")
    before = [*frames(8.0, 9.8), *reach(Seat.NORTH, "melds-NS", 10.0, 11.0), *frames(11.2, 13.0, *run)]
    lay = [*reach(Seat.SOUTH, None, 14.0, 15.0), *frames(15.2, 17.0, *run, ("TH", "melds-NS", 0, 3, 0.0, 200.0))]
    moves = [one for one in moved(before, lay) if one.target == "melds-NS"]
    assert [(one.seat, one.confidence >= 0.75) for one in moves] == [(Seat.NORTH, True), (Seat.SOUTH, False)]


def test_a_stranger_s_hand_without_a_zone_outweighs_no_gate():
    tracks = moved(by_time(reach(None, None, 10.0, 11.0), steady(10.5, "stock", 73.8), answers(10.9, "gate-W", "7H#1")))
    assert [(m.source, m.target, m.seat) for m in tracks] == [("stock", "hand-W", Seat.WEST)]


def test_a_card_that_the_first_clear_frames_overlook_belongs_to_the_hand_that_laid_it():
    before, after = row_of("melds-NS", 1, "4C 5C 6C"), row_of("melds-NS", 1, "4C 5C 6C 7C")
    tracks = moved(
        by_time(
            frames(8.0, 8.4),
            reach(Seat.SOUTH, "melds-NS", 8.6, 9.4),
            frames(9.6, 12.0, *before),
            reach(Seat.NORTH, "melds-NS", 12.2, 13.0),
            frames(13.2, 13.7, *before),
            frames(14.0, 16.0, *after),
        )
    )
    assert [(m.source, m.seat, m.cards) for m in tracks] == [
        ("hand-S", Seat.SOUTH, ("4C", "5C", "6C")),
        ("hand-N", Seat.NORTH, ("7C",)),
    ]
    assert tracks[1].committed_t == pytest.approx(13.0)


def test_a_second_card_seen_late_under_a_second_hand_is_a_lay_and_no_correction():
    base = "4C 5C 6C"
    tracks = tracks_of(
        by_time(
            frames(8.0, 8.4),
            reach(Seat.NORTH, "melds-NS", 8.6, 9.4),
            frames(9.6, 12.0, *row_of("melds-NS", 1, base)),
            reach(Seat.NORTH, "melds-NS", 12.2, 12.8),
            frames(13.0, 13.4, *row_of("melds-NS", 1, base + " 7C")),
            reach(Seat.NORTH, "melds-NS", 13.6, 14.2),
            frames(14.4, 14.8, *row_of("melds-NS", 1, base + " 7C")),
            frames(15.2, 17.0, *row_of("melds-NS", 1, base + " 7C 8C")),
        )
    )
    assert [(t.seat, t.cards) for t in tracks if isinstance(t, Movement)][1:] == [
        (Seat.NORTH, ("7C",)),
        (Seat.NORTH, ("8C",)),
    ]
    assert not [t for t in tracks if isinstance(t, RowChanged)]


def test_two_lays_of_one_seat_between_clear_frames_keep_the_seat():
    old = [*row_of("melds-NS", 1, "4C 5C 6C"), *row_of("melds-NS", 2, "9D TD JD")]
    new = [*row_of("melds-NS", 1, "4C 5C 6C 7C"), *row_of("melds-NS", 2, "9D TD JD QD")]
    tracks = moved(
        by_time(
            frames(8.0, 8.4),
            reach(Seat.NORTH, "melds-NS", 8.6, 9.4),
            frames(9.6, 12.0, *old),
            reach(Seat.NORTH, "melds-NS", 12.2, 13.0),
            [picture(13.2, *old, hidden=("melds-NS",))],
            reach(Seat.NORTH, "melds-NS", 13.4, 14.2),
            frames(14.4, 16.0, *new),
        )
    )
    assert [(m.seat, m.cards) for m in tracks if m.committed_t > 12] == [
        (Seat.NORTH, ("7C",)),
        (Seat.NORTH, ("QD",)),
    ]


def test_a_lay_whose_picture_comes_late_is_said_before_the_discard_that_followed_it():
    row = row_of("melds-NS", 1, "4C 5C 6C")
    late = [picture(12.4), picture(12.8, *row), picture(13.2, *row)]
    tracks = moved(
        frames(8.0, 10.8),
        by_time(
            reach(Seat.NORTH, "melds-NS", 11.2, 12.0),
            reach(Seat.NORTH, "discard", 12.5, 13.4),
            steady(12.9, "discard", 1.8),
        ),
        late,
        frames(13.6, 17.0, *row, ("7H", "discard", None, 0, 0.0, 0.0)),
    )
    assert [m.target for m in tracks] == ["melds-NS", "discard"]
    assert tracks[0].committed_t < tracks[1].committed_t


def test_a_wild_card_that_moves_within_its_row_leaves_the_first_lay_as_it_was_shown():
    tracks = moved(
        by_time(
            frames(8.0, 8.8),
            reach(Seat.NORTH, "melds-NS", 9.0, 9.8),
            [picture(10.2, *row_of("melds-NS", 1, "JK 7H 8H 9H"))],
            reach(Seat.NORTH, "melds-NS", 10.4, 11.2),
            answers(10.4, "gate-N", "JH#1"),
            frames(11.4, 13.0, *row_of("melds-NS", 1, "7H 8H 9H JK JH")),
        )
    )
    assert [(m.seat, m.result) for m in tracks] == [
        (Seat.NORTH, ("JK", "7H", "8H", "9H")),
        (Seat.NORTH, ("7H", "8H", "9H", "JK", "JH")),
    ]


def test_a_restless_reading_that_fits_the_old_count_begins_no_change():
    tracks = moved(
        by_time(
            reach(Seat.WEST, "discard", 9.8, 10.8),
            steady(10.2, "discard", 3.6),
            [Scale(11.3, "discard", 3.95, False)],
            reach(Seat.NORTH, "discard", 13.0, 14.0),
            [Scale(13.5 + n / 20, "discard", 3.0 - n, False) for n in range(3)],
            steady(13.7, "discard", 0.0, 12),
        )
    )
    (taken,) = [m for m in tracks if m.source == "discard"]
    assert (len(taken.cards), taken.seat) == (2, Seat.NORTH)
    assert taken.committed_t == pytest.approx(13.5, abs=0.1)


def test_an_answer_at_a_seat_while_the_stock_s_mouth_still_answers_is_a_ghost():
    tracks = moved(
        by_time(
            steady(10.4, "stock", 73.8),
            answers(10.0, "gate-stock", "JK#2", 0.5),
            answers(10.45, "gate-N", "JK#2", 0.03),
            answers(10.9, "gate-E", "JK#2", 0.2),
        )
    )
    assert [(m.source, m.seat) for m in tracks] == [("stock", Seat.EAST)]


def test_a_card_put_back_by_a_stranger_comes_from_the_hand_whose_gate_read_it():
    tracks = moved(
        by_time(
            reach(None, "stock", 10.0, 11.2),
            answers(10.1, "gate-W", "3C#2"),
            answers(10.7, "gate-stock", "3C#2"),
            steady(10.8, "stock", 77.4),
        )
    )
    assert [(m.source, m.target, m.seat) for m in tracks] == [("hand-W", "stock", None)]


def test_a_swing_that_still_fits_the_old_count_makes_the_next_count_a_change_of_its_own():
    estimator = ScaleEstimator("discard", 1.8, PlateNoise(), PlateHabit(1), tared=True)
    readings = [(10 + n / 20, 1.8, True) for n in range(8)]
    readings += [(14.0, 2.0, False)] + [(14.1 + n / 20, 3.6, True) for n in range(10)]
    steps = [s for t, grams, calm in readings for s in estimator.feed(t, grams, settled=calm, hand=True)]
    assert [(s.change, s.swung) for s in steps if isinstance(s, ScaleStep)][1:] == [(1, True)]


def test_a_drawn_card_never_names_a_discard_that_came_at_the_same_moment_unseen():
    # East draws 7C over the stock's mouth and its own gate; a discard that no beam saw comes onto the pile just then.
    tracks = tracks_of(
        by_time(
            steady(8.0, "discard", 1.8),
            reach(Seat.EAST, "stock", 10.0, 11.1),
            answers(10.4, "gate-stock", "7C#2"),
            steady(10.5, "stock", 73.8),
            answers(10.9, "gate-E", "7C#2"),
            steady(11.2, "discard", 3.6),
        )
    )
    moves = [t for t in tracks if isinstance(t, Movement)]
    assert [m.cards for m in moves if m.target == "hand-E"] == [("7C#2",)]
    onto_pile = [m for m in moves if m.target == "discard" and m.committed_t > 11.0]
    assert onto_pile
    assert all("7C#2" not in m.cards for m in onto_pile)
    assert not any(isinstance(t, Named) and "7C#2" in t.cards and t.movement == onto_pile[0].id for t in tracks)


def test_a_discard_that_another_gate_read_is_not_that_of_the_arm_which_rests_there():
    tracks = moved(
        by_time(
            frames(8.0, 9.6),
            reach(Seat.SOUTH, "discard", 10.0, 25.0),
            answers(11.2, "gate-N", "JH#1"),
            [Scale(11.6, "discard", 1.0, False)],
            steady(11.7, "discard", 1.8),
        )
    )
    assert [(m.source, m.target, m.seat, m.cards) for m in tracks if m.target == "discard"] == [
        ("hand-N", "discard", Seat.NORTH, ("??",))
    ]


def test_a_finger_that_presses_slowly_on_the_pile_is_no_card():
    pressed = [2.56, 1.93]
    rests = [2.19, 2.78, 2.92, 3.11, 2.56, 2.75, 2.95, 2.65, 2.82]
    tracks = moved(
        by_time(
            reach(Seat.SOUTH, "discard", 8.8, 9.8),
            answers(8.8, "gate-S", "8C#1"),
            [Scale(9.2, "discard", 0.9, False)],
            steady(9.4, "discard", 1.6),
            reach(Seat.EAST, "discard", 11.0, 14.25),
            [Scale(11.57 + 0.12 * n, "discard", grams, False) for n, grams in enumerate(pressed)],
            [Scale(11.79 + n / 20, "discard", grams, True) for n, grams in enumerate(rests)],
            [Scale(13.84, "discard", 2.2, False), Scale(13.96, "discard", 1.8, False)],
            steady(14.06, "discard", 1.6),
            steady(15.6, "discard", 1.6),
        )
    )
    assert [(m.source, m.target) for m in tracks] == [("hand-S", "discard")]


def test_the_score_sheet_held_up_for_seven_seconds_is_no_pot():
    laid = [Scale(3 + n / 20, "pots", 39.6, True) for n in range(8)]
    tracks = moved(
        by_time(
            laid,
            reach(Seat.EAST, "pots", 10.0, 17.2),
            [Scale(10.7, "pots", 35.2, False)],
            steady(10.9, "pots", 32.8),
            steady(16.2, "pots", 32.6, 1),
            [Scale(16.9, "pots", 37.7, False)],
            steady(17.1, "pots", 39.5),
        )
    )
    assert tracks == []


def test_a_card_that_the_first_frame_overlooks_after_an_arm_has_rested_is_of_who_laid_under_it():
    lay, more = row_of("melds-NS", 8, "6C 6H 6S"), row_of("melds-NS", 8, "6C 6H 6S 6D")
    tracks = moved(
        by_time(
            reach(Seat.NORTH, "melds-NS", 7.0, 7.8),
            frames(8.0, 9.6, *lay),
            reach(Seat.SOUTH, "melds-NS", 10.0, 20.0),
            [picture(10.0 + n * 0.4, hidden=("melds-NS",)) for n in range(1, 25)],
            reach(Seat.NORTH, "melds-NS", 14.0, 14.8),
            [picture(20.2, *lay)],
            frames(20.6, 24.0, *more),
        )
    )
    assert [(m.seat, m.cards) for m in tracks][1:] == [(Seat.NORTH, ("6D",))]


def test_f33_art33_what_no_frame_showed_before_a_hand_came_again_it_has_brought_with_the_card_that_its_gate_read() -> (
    None
):
    run = ("5C", "6C", "7C", "8C", "9C", "TC")
    hands = [Interval(Seat.SOUTH, "melds-NS", 246.2, 249.5), Interval(Seat.SOUTH, "melds-NS", 250.0, 251.7)]
    change = ZoneChange(11, (), run, Support(252.0, 2, [359, 360], 252.6), 246.1, 0.99)
    parts = split(
        change,
        hands,
        lambda hand: ("8C",) if hand is hands[1] else (),
        lambda _start, end: [run[:3]] if end <= 250.0 else [],
        0.01,
    )
    assert [(part.added, hand) for part, hand in parts] == [(run[:3], hands[0]), (run[3:], hands[1])]


def test_of_two_rows_and_two_hands_none_is_named_where_one_row_changed_after_both_hands_had_left():
    """A beam missed who laid the second row, so the first hand need not have laid the first one."""
    first, both = row_of("melds-NS", 0, "4C 5C 6C"), row_of("melds-NS", 1, "2S 3S 4S")
    tracks = moved(
        by_time(
            frames(8.0, 9.6),
            reach(Seat.NORTH, "melds-NS", 9.8, 10.1),
            [picture(t, hidden=("melds-NS",)) for t in (10.0, 10.4, 10.8, 11.2)],
            reach(Seat.SOUTH, "melds-NS", 10.3, 11.6),
            [picture(11.8, *first)],
            [picture(t, hidden=("melds-NS",)) for t in (12.2, 12.6, 13.0)],
            frames(13.4, 17.0, *first, *both),
        )
    )
    assert {m.row: m.seat is Seat.NORTH for m in tracks} == {0: False, 1: False}


def drawn_unseen(t: float) -> list[Observation]:
    """A card leaves the stock and no beam has told of a hand."""
    return [Scale(t, "stock", 74.6, False), Scale(t + 0.1, "stock", 74.0, False), *steady(t + 0.2, "stock", 73.8)]


def test_a_neighbours_ghost_of_one_scan_does_not_tell_who_drew():
    log = by_time(drawn_unseen(9.0), answers(10.0, "gate-E", "7H#1", 0.023), answers(10.01, "gate-N", "7H#1", 0.4))
    assert [(m.source, m.seat) for m in moved(log, frames(12.0, 14.0))] == [("stock", Seat.NORTH)]


@pytest.mark.parametrize(("leaves", "seat"), [(12.0, Seat.WEST), (17.0, None)])
def test_an_arm_that_stays_at_the_plate_after_a_card_has_moved_is_not_told_to_have_moved_it(leaves, seat):
    log = by_time(reach(Seat.WEST, "stock", 8.0, leaves), drawn_unseen(11.0), frames(7.0, 20.0))
    assert [(m.source, m.seat) for m in moved(log)] == [("stock", seat)]


def test_cards_that_come_to_light_after_several_reaches_which_no_frame_saw_may_be_of_any_of_them():
    """The camera was not heard: the player may have laid them before his discard, and only pushed them straight."""
    (move,) = moved(
        by_time(
            frames(8.0, 9.6),
            reach(Seat.NORTH, "melds-NS", 11.0, 12.0),
            reach(Seat.NORTH, "discard", 15.0, 16.0),
            reach(Seat.NORTH, "melds-NS", 20.0, 21.0),
            frames(21.4, 24.0, *row_of("melds-NS", 1, "7H 8H 9H")),
        )
    )
    assert move.seat is Seat.NORTH
    assert move.since is not None
    assert move.since < 11.0
