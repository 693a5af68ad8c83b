"""A table with nothing but a camera: play, ends and score from sights, draws as likely, and nobody falsely accused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hw.observation_log import Header, header_from_json, header_to_json
from hw.observations import Console, Observation, Reach, Sight, SightedCard
from hw.seats import Seat
from table_service.rehearsal.prove import ProofCase, events_of, run_case, table_fold
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import open_fold
from tests.sweeps import rest_in_proof

ALONE = {"stock": ("camera",), "discard": ("camera",), "pots": ("camera",)}
KEEPERS = {"keepers": {"NS": "N", "EW": "E"}}


def sight(t: float, *pile: str, hidden: tuple[str, ...] = ()) -> Sight:
    cards = tuple(
        SightedCard(card, "discard", 10.0 * at, 0.0, 0.0, "up", 0.99, None, at) for at, card in enumerate(pile)
    )
    return Sight(t, cards, hidden, round(t * 10))


def order(t: float, do: str, **fields: object) -> Console:
    return Console(t, "arbitro", do, fields)


def looks(start: float, end: float, *pile: str, hidden: tuple[str, ...] = ()) -> list[Observation]:
    count = round((end - start) / 0.5)
    return [sight(round(start + 0.5 * n, 3), *pile, hidden=hidden) for n in range(count)]


def told(log: list[Observation], sensors: dict[str, tuple[str, ...]] = ALONE) -> list[tuple[str, str | None]]:
    header = Header("T1", "fibur2024", options=dict(KEEPERS), sensors=sensors)
    events, _, _ = events_of(table_fold(header), log)
    moves = ("card.drawn", "card.discarded", "pile.collected", "card.turned", "irregularity", "table.health")
    return [(event["type"], event["seat"]) for event in events if event["type"] in moves]


def dealt() -> list[Observation]:
    return [
        order(1.0, "start-round", deals=1, minutes=42),
        order(2.0, "deal", deal=1, dealer="N"),
        order(20.0, "start-play"),
        *looks(20.5, 22.0),
        *looks(22.0, 23.0, hidden=("stock",)),
        *looks(23.0, 24.0, hidden=("discard",)),
        *looks(24.0, 26.0, "3C"),
    ]


def test_a_draw_is_told_as_likely_once_an_arm_has_left_the_stock_and_the_pile_lies_as_before() -> None:
    log = [*dealt(), *looks(26.0, 27.0, "3C", hidden=("stock",)), *looks(27.0, 30.0, "3C")]
    events, _, _ = events_of(table_fold(Header("T1", "fibur2024", options=dict(KEEPERS), sensors=ALONE)), log)
    drawn = [event for event in events if event["type"] == "card.drawn"]
    assert [(event["seat"], event["basis"]) for event in drawn] == [("E", ["sight"])]
    assert drawn[0]["confidence"] < 1.0
    assert drawn[0]["t"] < 30.0


def test_a_discard_that_frames_show_tells_of_the_draw_that_nobody_saw() -> None:
    assert told([*dealt(), *looks(26.0, 30.0, "3C"), *looks(30.0, 33.0, "3C", "7S")])[1:] == [
        ("card.drawn", "E"),
        ("card.discarded", "E"),
    ]


def test_a_pile_that_is_taken_up_is_no_draw() -> None:
    taken = [*looks(26.0, 27.0, hidden=("discard",)), *looks(27.0, 30.0), *looks(30.0, 33.0, "KH")]
    assert told([*dealt(), *taken])[1:] == [("pile.collected", "E"), ("card.discarded", "E")]


def test_an_arm_that_rests_on_the_pile_hides_no_turn() -> None:
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 29.0, "3C"),
        *looks(29.0, 36.0, hidden=("discard",)),
        *looks(36.0, 37.5, hidden=("discard", "stock")),
        *looks(37.5, 44.0, hidden=("discard",)),
        *looks(44.0, 47.0, "3C", "7S"),
        *looks(47.0, 50.0, "3C", "7S", "KD"),
    ]
    assert told([*dealt(), *play])[1:] == [
        ("card.drawn", "E"),
        ("card.discarded", "E"),
        ("card.drawn", "S"),
        ("card.discarded", "S"),
    ]


def test_the_same_face_once_more_is_a_discard_too() -> None:
    play = [*looks(26.0, 30.0, "3C"), *looks(30.0, 33.0, "3C", "3C")]
    assert told([*dealt(), *play])[1:] == [("card.drawn", "E"), ("card.discarded", "E")]


def test_zones_that_no_scale_weighs_are_not_doubted_for_want_of_one() -> None:
    log = [*dealt(), *looks(26.0, 30.0, "3C"), *looks(30.0, 33.0, "3C", "7S")]
    assert "table.health" not in {kind for kind, _ in told(log)}


@pytest.mark.parametrize(
    ("rules", "seed", "noise", "players"),
    rest_in_proof(
        [
            ("fibur2024", 15, "none", None),
            ("fibur2024", 102, "normal", None),
            ("online", 102, "normal", 2),
            ("feburit", 106, "normal", None),
            ("online", 102, "normal", None),
        ],
        3,
    ),
)
def test_a_whole_deal_is_told_and_counted_from_sights_alone(
    rules: str, seed: int, noise: str, players: int | None
) -> None:
    case = ProofCase(seed, None, noise, rules=rules, players=players, step=1)
    report = run_case(case)["report"]
    assert report["wrong"] == []
    assert report["false"] == []
    assert report["ends_wrong"] == []
    assert report["score_right"] == report["score_items"] > 0


def test_a_rehearsed_table_of_step_1_logs_what_its_camera_and_people_say_and_no_more() -> None:
    rehearsal = prepare("fibur2024", 15, 1, noise="none", step=1)
    kinds = {one.kind for one in rehearsal.observations()}
    assert {"sight", "console", "reach"} <= kinds
    assert not kinds & {"scale", "tags", "shield", "knock"}
    assert rehearsal.header.sensors["stock"] == ("camera", "hands")
    assert rehearsal.header.tags == {}


def test_the_header_keeps_what_senses_each_zone() -> None:
    header = Header("T1", "fibur2024", sensors=ALONE)
    assert header_from_json(header_to_json(header)) == header
    assert "sensors" not in header_to_json(replace(header, sensors={}))


def test_who_leaves_a_card_of_the_pile_has_discarded_it_once_the_next_player_draws() -> None:
    play = [
        *looks(26.0, 30.0, "3C"),
        *looks(30.0, 33.0, "3C", "7S"),
        *looks(33.0, 34.0, hidden=("discard",)),
        *looks(34.0, 38.0, "3C"),
        *looks(38.0, 39.0, "3C", hidden=("stock",)),
        *looks(39.0, 43.0, "3C"),
        *looks(43.0, 46.0, "3C", "KD"),
    ]
    assert told([*dealt(), *play])[3:] == [
        ("pile.collected", "S"),
        ("card.discarded", "S"),
        ("card.drawn", "W"),
        ("card.discarded", "W"),
    ]


def test_f31a_the_camera_alone_reports_who_draws_out_of_turn_as_likely_and_stops_no_play() -> None:
    rehearsal = prepare("fibur2024", 881_003, 1, ["F-31a"], step=1)
    events, _, _ = events_of(table_fold(rehearsal.header), rehearsal.observations())
    fault = rehearsal.script.injected[0]
    found = [event["data"] for event in events if event["type"] == "irregularity"]
    assert [(one["row"], one["offender"]) for one in found[:1]] == [("F-31a", fault.seat)]
    assert [(one["likely"], one["severity"]) for one in found if one["state"] == "open"] == [(True, "note")]
    assert [(one["likely"], one["severity"]) for one in found if one["state"] == "ruled"] == [(False, "play-stops")]


def test_a_turn_without_a_draw_makes_no_score_silently_wrong() -> None:
    report = run_case(ProofCase(810_278, "F-30a", "normal", habits="tidy", step=1))["report"]
    assert report["score_wrong"] == []
    assert [one for one in report["false"] if one["severity"] in ("play-stops", "score")] == []


def test_a_discard_that_frames_show_late_is_not_taken_for_the_next_players_draw() -> None:
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard",)),
        sight(31.0, "3C", "7S"),
        sight(31.5, "3C"),
        sight(32.0, "3C", "7S"),
        *looks(32.5, 33.5, "3C", "7S", hidden=("stock",)),
        *looks(33.5, 37.0, "3C", "7S"),
        *looks(37.0, 40.0, "3C", "7S", "KD"),
    ]
    assert told([*dealt(), *play])[1:] == [
        ("card.drawn", "E"),
        ("card.discarded", "E"),
        ("card.drawn", "S"),
        ("card.discarded", "S"),
    ]


def test_a_closing_that_may_have_been_the_end_of_the_stock_is_not_scored() -> None:
    """Seed 730011: a pot was taken unseen, and the last discard with the stock used up seemed to close."""
    report = run_case(ProofCase(730011, None, "normal", habits="lively", step=1))["report"]
    assert report["score_wrong"] == []


@pytest.mark.parametrize(
    ("rules", "seed"),
    rest_in_proof(
        [
            # E's arm lay on the pile while W discarded and N picked up: W was taken for the hand that picked up.
            ("feburit", 31720026),
            # S's arm rested over the melds while N, in his turn, laid an ace: S seemed to hold one card less then.
            ("fibur2024", 31710003),
        ]
    ),
)
def test_what_is_done_beneath_an_arm_that_rests_is_the_act_of_the_player_in_turn(rules: str, seed: int) -> None:
    report = run_case(ProofCase(seed, None, "normal", habits="lively", rules=rules, step=1))["report"]
    assert report["false"] == []
    assert report["score_wrong"] == []


def test_cards_on_the_open_table_are_nobodys_where_no_gate_tells_whose_hand_they_left() -> None:
    """W shows his hand near S's edge: the place of the cards alone accuses no one."""
    report = run_case(ProofCase(880_000, "F-24d", "normal", habits="tidy", step=1))["report"]
    assert report["false"] == []


HANDS = dict.fromkeys(("stock", "discard", "pots", "melds-NS", "melds-EW", "table"), ("camera", "hands"))


def comes(seat: Seat, zone: str, start: float, end: float) -> list[Observation]:
    return [Reach(start, seat, zone, "in"), Reach(end, seat, zone, "out")]


def test_what_came_and_went_beneath_an_arm_at_rest_is_told_of_the_players_whose_hands_came() -> None:
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 50.0, hidden=("discard",)),
        *looks(50.0, 53.0),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.WEST, "discard", 29.9, 49.9),
        *comes(Seat.EAST, "discard", 34.0, 35.0),
        *comes(Seat.SOUTH, "discard", 40.0, 41.0),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert told(log, HANDS)[1:] == [("card.drawn", "E"), ("card.discarded", "E"), ("pile.collected", "S")]


def test_a_card_laid_and_taken_up_beneath_an_arm_is_unknown_whatever_was_laid_after_it() -> None:
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 50.0, hidden=("discard",)),
        *looks(50.0, 53.0, "8D"),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.WEST, "discard", 29.9, 49.9),
        *comes(Seat.EAST, "discard", 34.0, 35.0),
        *comes(Seat.SOUTH, "discard", 40.0, 41.0),
        *comes(Seat.SOUTH, "discard", 45.0, 46.0),
    ]
    header = Header("T1", "fibur2024", options=dict(KEEPERS), sensors=HANDS)
    events, _, _ = events_of(table_fold(header), [*dealt(), *sorted(play, key=lambda one: one.t)])
    laid = [(event["seat"], event["data"]["card"]) for event in events if event["type"] == "card.discarded"]
    taken = [(event["seat"], event["data"]["cards"]) for event in events if event["type"] == "pile.collected"]
    assert laid == [("E", "??"), ("S", "8D")]
    assert taken == [("S", ["3C", "??"])]


def test_a_hand_that_is_told_after_the_first_frame_it_covers_has_laid_the_card() -> None:
    """The camera's look at hands may come after its frame of the cards."""
    play = [
        *looks(26.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard",)),
        *looks(31.0, 34.0, "3C", "7S"),
        *comes(Seat.SOUTH, "discard", 30.1, 30.9),
    ]
    header = Header("T1", "fibur2024", options=dict(KEEPERS), sensors=HANDS)
    events, _, _ = events_of(table_fold(header), [*dealt(), *sorted(play, key=lambda one: one.t)])
    laid = next(event for event in events if event["type"] == "card.discarded")
    assert (laid["seat"], "reach" in laid["basis"]) == ("S", True)


def test_a_pile_taken_up_while_an_arm_rested_somewhere_and_another_came_is_not_told_of_who_rested() -> None:
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard",)),
        *looks(31.0, 36.0, "3C", "7S"),
        *looks(36.0, 37.5, hidden=("discard",)),
        *looks(37.5, 41.0),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.EAST, "discard", 29.9, 30.9),
        Reach(32.0, Seat.NORTH, None, "in"),
        Reach(36.4, Seat.SOUTH, None, "in"),
        Reach(37.4, Seat.SOUTH, None, "out"),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert told(log, HANDS)[3:] == [("pile.collected", "S")]


def test_cards_of_the_pile_that_frames_cannot_read_are_not_taken_for_others() -> None:
    """Glare on the lower card as the next one comes: nobody has taken the pile up, and it is one turn, not two."""
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard",)),
        *looks(31.0, 32.0, "??", "7S"),
        *looks(32.0, 35.0, "3C", "7S"),
        *looks(35.0, 36.5, "3C", "??"),
        *looks(36.5, 38.0, "3C", "7S"),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.EAST, "discard", 29.9, 30.9),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert told(log, HANDS)[1:] == [("card.drawn", "E"), ("card.discarded", "E")]


def test_after_a_card_of_which_neither_draw_nor_hand_was_seen_nobody_is_accused_before_a_turn_is_seen() -> None:
    """The card in the pile may have been of the turn before, so that E, who draws and lays, plays in his turn."""
    meld = tuple(
        SightedCard(card, "melds-EW", -200.0, 30.0 * at, 0.0, "up", 0.99, 0, at)
        for at, card in enumerate(("5H", "5S", "5C"))
    )
    play = [
        *looks(26.0, 30.0, "3C"),
        *looks(30.0, 33.0, "3C", "7S"),
        *looks(33.0, 34.0, "3C", "7S", hidden=("stock",)),
        *looks(34.0, 37.0, "3C", "7S"),
        *looks(37.0, 38.0, "3C", "7S", hidden=("melds-EW",)),
        *(replace(one, cards=(*one.cards, *meld)) for one in looks(38.0, 42.0, "3C", "7S") if isinstance(one, Sight)),
        *comes(Seat.EAST, "stock", 32.9, 33.9),
        *comes(Seat.EAST, "melds-EW", 36.9, 37.9),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert "irregularity" not in {kind for kind, _ in told(log, HANDS)}


@pytest.mark.parametrize(
    ("rules", "seed"), rest_in_proof([("online", 916_014), ("feburit", 917_020), ("feburit", 971_004)])
)
def test_arms_at_rest_on_the_pile_accuse_nobody_and_leave_the_score_known(rules: str, seed: int) -> None:
    report = run_case(ProofCase(seed, None, "normal", rules=rules, step=1))["report"]
    assert [one for one in report["false"] if one["severity"] in ("play-stops", "score")] == []
    assert report["score_right"] == report["score_items"] > 0


def test_a_card_that_is_taken_up_before_frames_agree_on_it_was_laid_by_who_had_drawn() -> None:
    """One frame shows 7S before S takes up the pile: E, whose hand had come there, has laid it."""
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard",)),
        sight(31.0, "3C", "7S"),
        sight(31.5, "3C"),
        *looks(32.0, 33.0, hidden=("discard",)),
        *looks(33.0, 36.0),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.EAST, "discard", 29.9, 30.9),
        *comes(Seat.SOUTH, "discard", 31.9, 32.9),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert told(log, HANDS)[1:] == [("card.drawn", "E"), ("card.discarded", "E"), ("pile.collected", "S")]


def test_a_card_that_a_frame_overlooks_is_not_of_the_hand_that_comes_before_two_frames_agree_on_it() -> None:
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard",)),
        sight(31.0, "3C"),
        sight(31.5, "3C", "7S"),
        *looks(32.0, 33.0, hidden=("discard",)),
        *looks(33.0, 36.0, "3C", "7S"),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.EAST, "discard", 29.9, 30.9),
        *comes(Seat.SOUTH, "discard", 31.7, 32.9),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert told(log, HANDS)[1:] == [("card.drawn", "E"), ("card.discarded", "E")]


def test_a_card_that_two_frames_overlook_is_of_the_player_in_turn_and_not_of_who_comes_next_without_a_draw() -> None:
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard",)),
        *looks(31.0, 32.0, "3C"),
        *looks(32.0, 33.0, hidden=("discard",)),
        *looks(33.0, 36.0, "3C", "7S"),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.EAST, "discard", 29.9, 30.9),
        *comes(Seat.SOUTH, "discard", 31.9, 32.9),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert told(log, HANDS)[1:] == [("card.drawn", "E"), ("card.discarded", "E")]


def test_who_comes_to_the_stock_and_lays_a_card_has_played_out_of_turn_though_another_came_before() -> None:
    """S has drawn as well: the card may be his, and is not given to E because his hand was there just before."""
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 30.5, hidden=("discard",)),
        *looks(30.5, 31.0, "3C", hidden=("stock",)),
        *looks(31.0, 32.0, hidden=("discard",)),
        *looks(32.0, 36.0, "3C", "7S"),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.EAST, "discard", 29.9, 30.4),
        *comes(Seat.SOUTH, "stock", 30.4, 30.9),
        *comes(Seat.SOUTH, "discard", 30.95, 31.9),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert ("card.discarded", "E") not in told(log, HANDS)


def test_who_lays_a_meld_while_his_arm_stays_on_the_pile_has_discarded_as_he_took_it_away() -> None:
    meld = tuple(
        SightedCard(card, "melds-EW", -200.0, 30.0 * at, 0.0, "up", 0.99, 0, at)
        for at, card in enumerate(("5H", "5S", "5C"))
    )
    later = [*looks(32.5, 35.0, hidden=("discard",)), *looks(35.0, 40.0, "3C", "7S")]
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 31.5, hidden=("discard",)),
        *looks(31.5, 32.5, hidden=("discard", "melds-EW")),
        *(replace(one, cards=(*one.cards, *meld)) for one in later if isinstance(one, Sight)),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.EAST, "melds-EW", 31.4, 32.4),
        *comes(Seat.EAST, "discard", 29.9, 35.05),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert told(log, HANDS)[1:] == [("card.drawn", "E"), ("card.discarded", "E")]


def test_who_came_to_the_stock_and_then_to_a_covered_pile_has_drawn_though_the_pile_is_gone() -> None:
    """An arm lies on the pile; the hand that took it up was not told. It was not S, who came to the stock before."""
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard",)),
        *looks(31.0, 34.0, "3C", "7S"),
        *looks(34.0, 35.0, "3C", "7S", hidden=("stock",)),
        *looks(35.0, 36.0, "3C", "7S"),
        *looks(36.0, 46.0, hidden=("discard",)),
        *looks(46.0, 49.0),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        *comes(Seat.EAST, "discard", 29.9, 30.9),
        *comes(Seat.SOUTH, "stock", 33.9, 34.9),
        *comes(Seat.SOUTH, "discard", 39.0, 40.0),
        Reach(35.8, Seat.NORTH, None, "in"),
        Reach(45.9, Seat.NORTH, None, "out"),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert told(log, HANDS)[3:] == [("card.drawn", "S"), ("card.discarded", "S"), ("pile.collected", "W")]


@pytest.mark.parametrize(("rules", "seed"), rest_in_proof([("feburit", 20_720_086), ("fibur2024", 20_710_062)]))
def test_who_alone_lays_out_no_hand_has_closed_though_nobody_saw_his_line_take_its_pot(rules: str, seed: int) -> None:
    """What was done beneath an arm left the hands in doubt, and with them the pot; what it costs stays unknown."""
    report = run_case(ProofCase(seed, None, "normal", rules=rules, step=1))["report"]
    assert report["ends_wrong"] == []
    assert report["score_wrong"] == []
    assert report["score_right"] > 0
    assert [one for one in report["false"] if one["severity"] in ("play-stops", "score")] == []


def test_a_card_that_a_ruling_sends_to_a_stock_without_a_scale_is_taken_to_be_back_as_play_goes_on() -> None:
    rehearsal = prepare("fibur2024", 20410000, 1, ("F-31a",), "normal", step=1)
    fold = open_fold(rehearsal.header)
    told = [event for observation in rehearsal.observations() for event in fold.feed(observation)]
    back = next(n for n, event in enumerate(told) if event.type == "card.returned")
    assert told[back].data.to == "stock"
    served = [event.data.do for event in told if event.type == "sanction.served"]
    assert "return-to-stock" in served
    assert not [event for event in told if event.type == "sanction.broken"], "nobody broke what no sensor could see"


@pytest.mark.parametrize(
    ("rules", "seed"),
    rest_in_proof(
        [
            ("online", 9_010_055),
            ("feburit", 8_910_046),
            ("fibur2024", 8_810_039),
            ("feburit", 8_910_040),
            ("online", 9_010_013),
            ("feburit", 8_910_051),
        ],
        2,
    ),
)
def test_a_deal_with_arms_at_rest_is_scored_whole_and_its_pots_are_found(rules: str, seed: int) -> None:
    """Melds beneath a partner's arm; W stays at the pile; 35 s of an arm there; a pile that shows its card again.

    Of feburit's last two: who takes up the pile beneath an arm lays a card without his hand being told, and goes on.
    """
    report = run_case(ProofCase(seed, None, "normal", rules=rules, step=1))["report"]
    assert report["false"] == report["ends_wrong"] == []
    assert report["score_right"] == report["score_items"] > 0
    taken, of = report["told"]["take-pot"]
    assert taken == of > 0


def test_a_hand_whose_zone_was_not_told_has_not_laid_the_card_of_the_player_in_turn() -> None:
    """E's hand at the pile was not reported; W's was, somewhere: E, who had drawn, has laid the card."""
    play = [
        *looks(26.0, 27.0, "3C", hidden=("stock",)),
        *looks(27.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard", "melds-EW")),
        *looks(31.0, 34.0, "3C", "7S"),
        *comes(Seat.EAST, "stock", 25.9, 26.9),
        Reach(29.2, Seat.WEST, None, "in"),
        Reach(32.0, Seat.WEST, None, "out"),
    ]
    log = [*dealt(), *sorted(play, key=lambda one: one.t)]
    assert told(log, HANDS)[1:] == [("card.drawn", "E"), ("card.discarded", "E")]


def test_f24d_who_exposes_all_his_cards_has_not_played_them_out_and_takes_no_pot() -> None:
    report = run_case(ProofCase(10_793_001, "F-24d", "normal", rules="fibur2024", step=1))["report"]
    assert report["score_wrong"] == []
    assert report["score_right"] == report["score_items"] > 0


def test_b06a_a_card_drawn_too_many_that_only_the_arbitro_told_leaves_no_hand_short_once_it_is_back() -> None:
    """A hand counted one card short was told to have gone out without a burraco, and again to have shown itself."""
    report = run_case(ProofCase(12_291_000, "B-06a", "normal", rules="feburit", step=1))["report"]
    assert report["false"] == report["ends_wrong"] == report["score_wrong"] == []
    assert report["score_right"] == report["score_items"] > 0


def test_f23o_a_second_pot_that_only_the_arbitro_told_of_leaves_the_other_lines_pot_unknown() -> None:
    """Nothing weighed the pots: the other line was charged with a pot that its opponents had played."""
    report = run_case(ProofCase(14_893_001, "F-23o", "normal", rules="fibur2024", step=1))["report"]
    assert report["score_wrong"] == []
    assert report["score_right"] > 0


@pytest.mark.parametrize(("row", "seed"), [("F-23n", 12_000_001), ("F-23o", 12_000_003)])
def test_f23n_f23o_who_goes_on_after_going_out_and_a_hand_at_the_pots_has_taken_a_second_pot(
    row: str, seed: int
) -> None:
    """Nothing weighs the pots: F-35a was told and dismissed, and the second pot was the arbitro's word alone."""
    report = run_case(ProofCase(seed, row, "normal", rules="fibur2024", step=1))["report"]
    (told,) = report["faults"]
    assert (told["row"], told["right_seat"], told["by_ruling"]) == (row, True, False)
    assert report["false"] == report["score_wrong"] == []


@pytest.mark.parametrize(
    ("row", "seed"),
    [
        pytest.param("F-31c", 15_030_000, id="f31c-the-laid-card-went-back-beside-the-drawn-one"),
        pytest.param("F-31c", 15_030_001, id="f31c-laid-out-of-turn-by-who-had-drawn-unseen"),
        pytest.param("F-04k", 18_830_003, id="f04k-a-hand-laid-out-and-gathered-was-taken-to-have-gone-out"),
    ],
)
def test_a_deal_at_a_camera_alone_is_neither_scored_wrongly_nor_told_of_anybody_else(row: str, seed: int) -> None:
    report = run_case(ProofCase(seed, row, "normal", rules="fibur2024", step=1))["report"]
    assert report["false"] == report["score_wrong"] == []
    assert report["score_right"] + report["score_doubtful"] == report["score_items"]


@pytest.mark.parametrize(
    ("rules", "row", "seed"),
    [
        pytest.param(
            "fibur2024", "F-32", 13_330_004, id="a-card-that-showed-late-was-dated-to-when-the-arm-at-rest-came"
        ),
        pytest.param("fibur2024", "F-24d", 13_830_000, id="cards-on-the-table-were-of-the-arm-that-had-left-before"),
        pytest.param("fibur2024", "F-11b", 17_130_001, id="a-hand-of-no-zone-had-laid-beneath-an-arm"),
        pytest.param("feburit", "B-06h", 13_810_004, id="b06h-an-unseen-hand-took-back-what-was-ordered"),
        pytest.param("feburit", "B-10n", 14_010_003, id="b10n-laid-and-taken-up-beneath-an-arm"),
        pytest.param("feburit", "B-10h", 12_791_001, id="b10h-laid-and-taken-up-before-frames-agreed"),
    ],
)
def test_what_few_frames_showed_accuses_nobody(rules: str, row: str, seed: int) -> None:
    """Each of these deals, played before, stopped play for a player who had done nothing."""
    report = run_case(ProofCase(seed, row, "normal", rules=rules, step=1))["report"]
    assert report["false"] == report["score_wrong"] == []


def test_f08a_a_second_draw_that_was_only_likely_leaves_that_hand_in_doubt_once_it_is_withdrawn() -> None:
    """The first of the two draws never was: a pot that W took with his last card was not told, and scored as lost."""
    report = run_case(ProofCase(15_330_000, "F-08c", "normal", rules="fibur2024", step=1))["report"]
    assert report["score_wrong"] == []
    assert report["score_doubtful"] > 0


def test_a_pile_that_shows_gone_before_an_arm_comes_to_rest_there_was_taken_up_by_the_hand_before() -> None:
    """E takes up the one card of the pile; three frames show it gone, too few to tell; then S's arm comes to rest."""
    play = [
        *looks(26.0, 30.0, "3C"),
        *looks(30.0, 31.0, hidden=("discard",)),
        *looks(31.0, 32.5),
        *looks(32.5, 41.5, hidden=("discard",)),
        *looks(41.5, 42.5, hidden=("discard", "stock")),
        *looks(42.5, 51.0, hidden=("discard",)),
        *looks(51.0, 54.0, "8C", "AS"),
        *comes(Seat.NORTH, "stock", 21.9, 22.9),
        *comes(Seat.NORTH, "discard", 22.9, 23.9),
        *comes(Seat.EAST, "discard", 29.65, 31.1),
        *comes(Seat.EAST, "melds-EW", 33.7, 35.5),
        *comes(Seat.SOUTH, "discard", 32.75, 50.85),
        *comes(Seat.SOUTH, "stock", 41.4, 42.4),
        *comes(Seat.SOUTH, "melds-NS", 45.3, 47.1),
    ]
    log = sorted([*dealt(), *play], key=lambda one: one.t)
    assert told(log, HANDS)[1:] == [
        ("pile.collected", "E"),
        ("card.discarded", "E"),
        ("card.drawn", "S"),
        ("card.discarded", "S"),
    ]


def test_a_card_taken_up_and_laid_down_again_was_a_turn_where_frames_showed_the_pile_gone() -> None:
    """E takes up the one card of the pile and discards it again; three frames show it gone, too few to tell."""
    play = [
        *looks(26.0, 30.0, "3C"),
        *looks(30.0, 31.5, hidden=("discard",)),
        *looks(31.5, 33.0),
        *looks(33.0, 34.0, hidden=("discard",)),
        *looks(34.0, 37.0, "3C"),
        *looks(37.0, 38.5, hidden=("discard",)),
        *looks(38.5, 42.0),
        *comes(Seat.EAST, "discard", 29.95, 31.35),
        *comes(Seat.EAST, "discard", 32.75, 33.95),
        *comes(Seat.SOUTH, "discard", 36.9, 38.45),
    ]
    log = sorted([*dealt(), *play], key=lambda one: one.t)
    moves = [one for one in told(log, HANDS)[1:] if one[0] != "irregularity"]  # F-09g, the card played back at once
    assert moves == [("pile.collected", "E"), ("card.discarded", "E"), ("pile.collected", "S")]


def test_f32_an_arm_over_the_melds_has_not_laid_the_card_of_the_player_in_turn_whose_zone_was_not_told() -> None:
    """S's arm lay over the melds while N, in turn, laid a card there; of N's hand no zone was reported."""
    report = run_case(ProofCase(11_010_087, None, "normal", rules="fibur2024", step=1))["report"]
    assert report["false"] == report["score_wrong"] == []


@pytest.mark.parametrize(("rules", "row", "seed"), [("fibur2024", "F-26d", 12_393_003), ("online", "O-26", 11_797_000)])
def test_a_card_that_by_the_ruling_another_player_laid_went_from_his_hand(rules: str, row: str, seed: int) -> None:
    """A hand counted one card short was told to have gone to the pot, and the pot that it took later went untold."""
    report = run_case(ProofCase(seed, row, "normal", rules=rules, step=1))["report"]
    assert report["score_wrong"] == report["false"] == []
    assert report["score_right"] > 0


def test_b17a_a_pot_that_the_arbitro_ruled_too_small_leaves_the_cards_of_the_other_pot_unknown() -> None:
    """Who took the other pot, of twelve cards, was told to have gone out without a discard."""
    report = run_case(ProofCase(11_691_003, "B-17a", "normal", rules="feburit", step=1))["report"]
    assert report["score_wrong"] == report["false"] == []


def test_b21a_who_seems_to_go_out_without_a_burraco_is_a_note_until_he_plays_on() -> None:
    """A pot held a card too many, which nothing weighs: N seemed to go out at 380 s, and drew in his next turn."""
    report = run_case(ProofCase(13_812_002, "B-17b", "normal", rules="feburit", step=1))["report"]
    assert [(one["row"], one["severity"], one["state"]) for one in report["false"]] == [("B-21a", "note", "dismissed")]
    assert report["score_wrong"] == []


@pytest.mark.parametrize(("rules", "row", "seed"), [("fibur2024", "F-31d", 13_432_018), ("online", "O-21", 13_372_002)])
def test_a_pot_whose_taker_lays_out_another_number_of_cards_than_the_ledger_has_is_in_doubt(
    rules: str, row: str, seed: int
) -> None:
    """A card taken unseen left the hand one short: it seemed empty, and to take the pot, too early or wrongly."""
    assert run_case(ProofCase(seed, row, "normal", rules=rules, step=1))["report"]["score_wrong"] == []


def test_of_two_draws_in_a_turn_one_may_have_taken_nothing_so_that_the_stock_ends_no_deal_by_its_count() -> None:
    """W's hand rested on the stock at 294 s and S drew at 306; the end by the stock was told a turn too early."""
    report = run_case(ProofCase(15_532_000, "F-08c", "normal", rules="fibur2024", step=1))["report"]
    assert report["score_wrong"] == [] == report["ends_wrong"]


@pytest.mark.parametrize(
    ("rules", "row", "seed"),
    [("feburit", "B-06a", 15_512_004), ("fibur2024", "F-08a", 13_632_018), ("online", "O-21", 13_372_011)],
)
def test_who_gathers_the_pile_after_hands_lay_open_has_not_picked_it_up_out_of_turn(
    rules: str, row: str, seed: int
) -> None:
    """The end of the deal was not told; two or three hands lay face up, then another player took the whole pile."""
    report = run_case(ProofCase(seed, row, "normal", rules=rules, step=1))["report"]
    assert report["false"] == report["score_wrong"] == []


def test_b14a_an_arm_that_lay_elsewhere_before_the_pile_was_covered_has_not_taken_it_up() -> None:
    """S's arm, of which no place was told, rested over the melds; W's, which took up the first card, was not told."""
    report = run_case(ProofCase(17_612_002, "B-N1", "normal", rules="feburit", step=1))["report"]
    assert report["false"] == report["score_wrong"] == []
