"""Faults of tarocco, each committed by gestures: the row that is told, of whom, and what a ruling does to the score."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from hw.seats import ANTICLOCKWISE, Seat
from hw.twin.gestures import (
    ConsoleGesture,
    ExposeGesture,
    Gesture,
    PlayGesture,
    PutDown,
    Say,
    TakeHeap,
    TakeTrick,
    TakeUp,
    Tap,
    Wait,
)
from table_service import rulesets
from table_service.events import event_to_json
from table_service.games.tarocco.codes.tournament import ANSWERS, CATALOGUE
from table_service.games.tarocco.fold.course_of_moves import course_after
from table_service.games.tarocco.judges import Watched, charges
from table_service.games.tarocco.rehearsal.faults import KINDS
from table_service.games.tarocco.rules.deal import TaroccoDeal
from table_service.games.tarocco.rules.fault_kinds import TaroccoFault
from table_service.rehearsal.rehearse import prepare
from table_service.rehearsal.truth_check import compare
from table_service.tracking.movements import Movement
from tests.games.tarocco.table_of_tarocco import E, N, S, W, hands_with, opening, told, trick
from tests.games.tarocco.test_missed_by_sensors import Table
from tests.sweeps import rest_in_proof

HANDS = hands_with({N: "6D 9D 7B t18 KC", W: "QD 7D 8B 6B t5", S: "8D FD 9B t6", E: "CD KD TB t7 6S 7S 8S"})
ONE: list[Gesture] = [*trick("6D QD FD CD"), TakeTrick(W)]


def test_every_kind_of_fault_has_its_row_and_every_row_a_comma() -> None:
    assert set(ANSWERS) == set(TaroccoFault)
    for row in CATALOGUE.rows.values():
        assert row.article
        assert row.steps
        assert row.title.it
        assert row.title.en


def test_every_comma_of_the_tournament_rules_has_a_row() -> None:
    commas = {part.strip() for row in CATALOGUE.rows.values() for part in row.article.split(",")}
    assert {str(number) for number in range(1, 18)} <= commas


def test_a_suit_not_followed_is_told_when_the_suit_is_played_later_with_the_trick_it_happened_in() -> None:
    gestures = [
        *opening(HANDS, "6S 7S"),
        *trick("6D 8B FD CD"),  # West holds queen and seven of denari
        TakeTrick(E),
        *trick("KD 9D QD 8D", E),
    ]
    found = told(gestures)
    (one,) = [one for one in found.data("irregularity") if one["state"] == "open"]
    assert (one["row"], one["offender"], one["cards"], one["severity"]) == ("T14", "W", ["8B", "QD"], "score")
    plays = found.of("trick.played")
    assert one["committed_t"] == plays[1].committed_t
    assert "take-back" not in [step["do"] for step in one["remedy"]]  # the cards lie in a pile
    assert one["title"]["it"].endswith("(presa 1, denari)")


def test_who_did_not_follow_is_accused_of_nothing_by_that_alone() -> None:
    assert told([*opening(HANDS, "6S 7S"), *trick("6D 8B FD CD"), TakeTrick(E)]).rows == []


def test_a_wrong_card_that_is_replaced_before_the_opponent_plays_is_no_fault() -> None:
    """Comma 14: the card is exchanged for the right one, without penalty."""
    gestures = [
        *opening(HANDS, "6S 7S"),
        PlayGesture(N, "6D#1"),
        PlayGesture(W, "8B#1"),
        Wait(2.0),
        TakeUp(W, ("8B#1",)),
        PlayGesture(W, "QD#1"),
        *trick("FD CD", S),
        TakeTrick(W),
    ]
    found = told(gestures)
    assert found.rows == []
    (won,) = found.data("trick.won")
    assert won["cards"]["W"] == "QD"


def test_a_card_out_of_turn_is_told_of_who_laid_it() -> None:
    found = told(
        [*opening(HANDS, "6S 7S"), PlayGesture(N, "6D#1"), PlayGesture(S, "FD#1"), Wait(3.0), PlayGesture(W, "QD#1")]
    )
    assert found.rows == [("T18", "S", "open")]


def test_the_jury_decides_what_the_text_leaves_open() -> None:
    found = told(
        [*opening(HANDS, "6S 7S"), PlayGesture(N, "6D#1"), PlayGesture(S, "FD#1"), Wait(3.0), PlayGesture(W, "QD#1")]
    )
    (one,) = found.data("irregularity")
    assert one["needs_referee"]
    assert [step["do"] for step in one["remedy"]] == ["referee"]


def test_a_knock_before_the_king_proposes_and_costs_nothing_until_it_is_ruled() -> None:
    """A knock may be none: what a person has entered is told as the row has it."""
    start = [*opening(HANDS, "6S 7S"), PlayGesture(N, "6D#1")]
    heard = told([*start, Tap(N, "trick"), *trick("QD FD CD", W), TakeTrick(W)]).data("irregularity")
    assert [(one["row"], one["offender"], one["severity"]) for one in heard] == [("T11a", "N", "note")]
    said = told([*start, Say(N, "busso"), *trick("QD FD CD", W), TakeTrick(W)]).data("irregularity")
    assert [(one["row"], one["offender"], one["severity"]) for one in said] == [("T11a", "N", "score")]


def test_a_signal_once_the_king_was_played_is_lawful() -> None:
    gestures = [*opening(HANDS, "6S 7S"), *trick("6D QD FD KD"), TakeTrick(E), PlayGesture(E, "CD#1"), Tap(E, "trick")]
    found = told(gestures)
    assert found.data("signal.made") == [{"signal": "busso", "n": 2}]
    assert found.rows == []


def test_three_cards_in_the_scarto_are_told_when_the_first_card_is_led() -> None:
    found = told([*opening(HANDS, "6S 7S 8S"), PlayGesture(N, "6D#1")])
    assert found.rows == [("T09", "E", "open")]
    assert [one["row"] for one in found.data("irregularity")] == ["T09c", "T09"]  # one fact under one key


def test_t09_a_scarto_that_was_to_be_put_right_and_was_not_is_told_when_play_begins() -> None:
    rule = ConsoleGesture("rule", fields={"row": "T09c", "seat": "E"})
    found = told([*opening(HANDS, "6S 7S 8S"), Wait(2.0), rule, Wait(1.0), PlayGesture(N, "6D#1")])
    assert found.rows == [("T09c", "E", "ruled"), ("T09", "E", "open")]


def test_t09_what_the_giudice_has_dismissed_does_not_come_again_when_play_begins() -> None:
    dismiss = ConsoleGesture("dismiss", fields={"row": "T09c", "seat": "E"})
    found = told([*opening(HANDS, "6S 7S 8S"), Wait(2.0), dismiss, Wait(1.0), PlayGesture(N, "6D#1")])
    assert found.rows == [("T09c", "E", "dismissed")]


def test_a_scarto_put_right_before_the_first_card_costs_nothing() -> None:
    gestures = [
        *opening(HANDS, "6S 7S 8S"),
        Wait(4.0),
        TakeHeap(E, "tricks-EW", count=1),
        Tap(E),
        Wait(2.0),
        *ONE,
    ]
    assert told(gestures).rows == [("T09c", "E", "healed")]


def test_a_card_turned_up_before_the_scarto_is_a_misdeal() -> None:
    found = told([*opening(HANDS), ExposeGesture(S, ("8D#1",), 0, -250), Wait(3.0)])
    assert [row for row, _, _ in found.rows] == ["T08"]


def test_t08_a_card_that_lies_long_is_told_although_nobody_knows_whose_hand_it_was() -> None:
    """Seed 1500600000 of a rehearsal: no beam told of the hand, and the card lay sixteen seconds."""
    seen = replace(Table().course, deal=TaroccoDeal.dealt(E), scarto_by=None)
    move = Movement(9, 44.2, 43.2, ("t12",), "hand-W", "table", Seat.WEST, 0.9, ("sight", "tags"))
    lying = course_after(seen, move)
    assert charges(Watched(44.5, lying)) == ()
    assert [one.breach.kind for one in charges(Watched(45.3, lying))] == [TaroccoFault.CARD_TURNED_UP]
    back = Movement(10, 60.2, 60.0, ("t12",), "table", "hand-W", Seat.WEST, 0.9, ("sight", "tags"))
    assert len(charges(Watched(61.0, course_after(lying, back)))) == 1
    soon = replace(back, t=44.3, committed_t=44.0)
    assert charges(Watched(61.0, course_after(lying, soon))) == ()


def test_a_pause_is_proposed_as_a_caution_and_the_second_time_as_points() -> None:
    rule = ConsoleGesture("rule", fields={"row": "T12", "seat": "W", "option": "caution"})
    gestures = [
        *opening(HANDS, "6S 7S"),
        *ONE,
        Wait(8.0),
        PlayGesture(W, "7D#1"),
        Wait(1.0),
        rule,
        *trick("8D KD 9D", S),
        TakeTrick(E),
        *trick("TB 7B", E),
        Wait(8.0),
        PlayGesture(W, "6B#1"),
    ]
    found = told(gestures)
    assert found.rows == [("T12", "W", "ruled"), ("T12", "W", "open")]
    points = found.fold.game.referee.way_of_pause(W)
    assert points == "points"


def test_points_that_the_jury_takes_stand_in_the_score() -> None:
    rule = ConsoleGesture("rule", fields={"row": "T12", "seat": "W", "option": "points"})
    found = told([*opening(HANDS, "6S 7S"), *ONE, rule, ConsoleGesture("end-round")])
    counted = found.data("score.counted")[-1]["lines"]
    assert counted["EW"]["items"]["penalty"] == -50
    assert counted["NS"]["items"]["penalty"] == 0


def test_a_ruled_revoke_leaves_the_line_its_scartini_alone() -> None:
    events, truth = rehearsed("T14", 5300)
    counted = [one for one in events if one["type"] == "score.counted"][-1]["data"]
    line = next(line for line, real in truth.deals[0]["lines"].items() if real["items"]["last_trick"] == 0)
    offender = truth.faults[0]["seat"]
    lost = Seat(offender).line
    items = counted["lines"][str(lost)]["items"]
    assert {name: items[name] for name in ("cricche", "sequences", "accusi", "last_trick")} == {
        "cricche": 0,
        "sequences": 0,
        "accusi": 0,
        "last_trick": 0,
    }
    assert items["scartini"] == truth.deals[0]["lines"][str(lost)]["items"]["scartini"]
    assert line


def rehearsed(fault: str, seed: int) -> tuple[list[dict[str, Any]], Any]:
    rehearsal = prepare("tarocco", seed, 1, (fault,))
    fold = rulesets.open_fold(rehearsal.header)
    found = [event for one in rehearsal.observations() for event in fold.feed(one)] + fold.close()
    return [event_to_json(event, secret=True) for event in found], rehearsal.truth()


FEW_TESTS = ("T07b", "T09b", "T09c", "T11a", "T14b")
"""Rows that the fewest other tests act."""


@pytest.mark.parametrize(
    "name",
    rest_in_proof(
        sorted((name for name, kind in KINDS.items() if kind.told), key=lambda name: name not in FEW_TESTS),
        len(FEW_TESTS),
    ),
)
def test_a_staged_fault_is_told_with_its_row_and_seat_and_nobody_else_is_stopped(name: str) -> None:
    events, truth = rehearsed(name, 5400)
    report = compare(truth, events)
    kind = KINDS[name]
    staged = kind.misdeals or (kind.row,)
    assert [(one.row, one.right or one.by_ruling) for one in report.faults] == [(row, True) for row in staged]
    assert [one.row for one in report.faults if one.by_ruling] == [row for row in staged if row == "T07"]
    assert [one for one in report.false if one.severity in ("score", "play-stops")] == []
    assert report.score_wrong == []


@pytest.mark.parametrize("seed", rest_in_proof([7100, 7102]))
def test_t07b_in_a_last_trick_that_lacks_a_card_nobody_has_played_before_his_turn(seed: int) -> None:
    events, truth = rehearsed("T07b", seed)
    assert compare(truth, events).false == []


@pytest.mark.parametrize("row", ["T02", "T05", "T06", "T06b"])
def test_of_what_only_a_person_notices_nobody_is_accused_before_he_says_so(row: str) -> None:
    events, truth = rehearsed(row, 7100)
    report = compare(truth, events)
    assert [(one.row, one.by_ruling) for one in report.faults] == [(row, True)]
    assert report.false == []
    assert report.score_wrong == []


def test_t18_is_told_with_the_picture_that_comes_right_after_it_is_certain() -> None:
    """Another picture came a moment before that; the next thing sensed came more than three seconds later."""
    events, truth = rehearsed("T18", 31002)
    (fault,) = truth.faults
    told_at = next(one["t"] for one in events if one["type"] == "irregularity" and one["data"]["row"] == "T18")
    assert told_at < fault["committed_t"] + 3.0


@pytest.mark.parametrize(("name", "lost"), [("T08:twice", True), ("T08:apart", False), ("T08:together", True)])
def test_t07_t08_who_has_lost_the_scarto_leaves_the_last_two_cards_to_his_right(name: str, lost: bool) -> None:
    """Commas 7 and 8 counted apart by default, together by option; who deals and who leads stays."""
    events, truth = rehearsed(name, 5600)
    dealer = Seat(truth.deals[0]["dealer"])
    scartatore = ANTICLOCKWISE.next(dealer) if lost else dealer
    (made,) = [one for one in events if one["type"] == "scarto.made"]
    assert (made["seat"], made["data"]["cards"]) == (str(scartatore), 2)
    led = next(one for one in events if one["type"] == "trick.played")
    assert led["seat"] == str(ANTICLOCKWISE.next(dealer))
    keys = {one["data"]["key"] for one in events if one["type"] == "irregularity"}
    assert len(keys) == 2  # the deal that is dealt anew gives no key twice


def test_all_cards_laid_down_under_a_higher_trump_of_others_is_a_false_claim() -> None:
    events, truth = rehearsed("T15", 5500)
    (claim,) = [one for one in events if one["type"] == "claim.made"]
    assert claim["data"]["holds"] is False
    assert next(one["data"]["row"] for one in events if one["type"] == "irregularity") == "T15"
    assert truth.faults[0]["row"] == "T15"


def test_no_text_of_the_catalogue_names_a_person_of_another_game() -> None:
    text = " ".join(
        word for row in CATALOGUE.rows.values() for step in row.steps for word in (step.text.it, step.text.en)
    )
    assert not re.search(r"burraco|pozzetto|tallone", text, re.IGNORECASE)


def test_the_dealer_who_knocks_has_made_the_scarto_and_signals_nothing() -> None:
    found = told([*opening(HANDS), PutDown(E, ("6S#1", "7S#1"), "tricks-EW"), Tap(E), Wait(1.0)])
    assert found.of("signal.made") == []
    assert len(found.of("scarto.made")) == 1
