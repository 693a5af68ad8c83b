"""Tarocco from the twin's gestures to events: deal, scarto, accusi, signals, tricks, the Matto, the count."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.cards import TAROCCO, face
from hw.observations import Console, Knock, Observation, Reach, Scale, Sight, SightedCard, Tags
from hw.seats import SEATS, Seat
from hw.twin.gestures import ConsoleGesture, Gesture, Press, PutAside, PutDown, Say, TakeTrick, TakeUp, Tap, Wait
from table_service import rulesets
from table_service.events import event_to_json
from table_service.events.payloads import Payload
from table_service.rehearsal.rehearse import prepare
from table_service.rehearsal.truth_check import compare
from tests.games.tarocco.table_of_tarocco import E, N, S, W, hands_with, header, observations, opening, told, trick

HANDS = hands_with({N: "KD 6D mat t18 KC KS KB", W: "QD 7D t5", S: "8D FD t6", E: "9D CD t7 6S 7S"})


def first_trick(*more: Gesture) -> list[Gesture]:
    return [*opening(HANDS, "6S 7S"), *trick("6D QD FD CD"), TakeTrick(W), *more]


def test_a_trick_is_told_card_by_card_and_goes_to_whom_it_belongs() -> None:
    found = told(first_trick())
    assert [(one["n"], one["card"], one["winner"]) for one in found.data("trick.played")] == [
        (1, "6D", None),
        (1, "QD", None),
        (1, "FD", None),
        (1, "CD", "W"),
    ]
    (won,) = found.data("trick.won")
    assert (won["winner"], won["pile"], won["certain"]) == ("W", "EW", True)
    assert won["cards"] == {"N": "6D", "W": "QD", "S": "FD", "E": "CD"}
    assert found.fold.state()["turn"]["seat"] == "W"
    assert found.rows == []


def test_the_turn_goes_anticlockwise_from_the_dealers_right() -> None:
    found = told([*opening(HANDS, "6S 7S"), *trick("6D")])
    assert found.fold.state()["turn"]["seat"] == "W"
    assert found.fold.state()["scartatore"] == "E"


def test_the_scarto_is_told_by_its_number_and_never_by_its_cards() -> None:
    found = told(opening(HANDS, "6S 7S"))
    (made,) = found.of("scarto.made")
    assert (made.seat, made.data.model_dump()) == (E, {"cards": 2, "knocked": True})
    public = json.dumps([found.fold.state(), *(event_to_json(event) for event in found.events)])
    assert "6S" not in public


def test_a_knock_on_the_led_card_is_busso() -> None:
    hands = hands_with({N: "t18 6D", W: "t5", S: "t6", E: "t7 6S 7S"})
    found = told([*opening(hands, "6S 7S"), *trick("t18"), Tap(N, "trick"), *trick("t5 t6 t7", W), TakeTrick(N)])
    (made,) = found.of("signal.made")
    assert (made.seat, made.data.model_dump()) == (N, {"signal": "busso", "n": 1})
    assert made.confidence < 1
    assert found.rows == []  # in trumps a signal is always allowed


def test_striscio_is_known_only_where_a_person_enters_it() -> None:
    hands = hands_with({N: "t18 6D", W: "t5", S: "t6", E: "t7 6S 7S"})
    found = told([*opening(hands, "6S 7S"), *trick("t18"), Say(N, "striscio"), *trick("t5 t6 t7", W), TakeTrick(N)])
    assert [event.data.model_dump()["signal"] for event in found.of("signal.made")] == ["striscio"]


def test_an_accuso_before_the_own_first_card_counts_and_makes_its_cards_known() -> None:
    cards = ("KC#1", "KD#1", "KS#1", "KB#1")
    found = told([*opening(HANDS, "6S 7S"), PutAside(N, cards), Wait(3.0), TakeUp(N, cards), *trick("6D")])
    (shown,) = found.data("accuso.shown")
    assert (sorted(shown["cards"]), shown["points"], shown["late"]) == (["KB", "KC", "KD", "KS"], 34, False)
    game = found.fold.game
    assert game.running is not None
    assert game.running.course.deal.hands.held[N] >= {"KB", "KC", "KD", "KS"}


def test_the_matto_goes_back_to_its_owners_pile_and_wins_nothing() -> None:
    lead = hands_with({W: "QD 7D", S: "8D", E: "9D 6S 7S", N: "mat KC"})
    gestures = [
        *opening(lead, "6S 7S"),
        *trick("mat QD 8D 9D"),
        TakeUp(N, ("mat#1",)),
        PutDown(N, ("mat#1",), "tricks-NS"),
        TakeTrick(W),
    ]
    (won,) = told(gestures).data("trick.won")
    assert (won["winner"], won["cards"]["N"], won["pile"]) == ("W", "mat", "EW")


def test_a_deal_is_counted_as_it_was_played_and_the_camera_agrees() -> None:
    found, truth = rehearsed(seed=4100)
    (counted,) = [one for one in found if one["type"] == "score.counted"][-1:]
    for line, real in truth.deals[0]["lines"].items():
        assert counted["data"]["lines"][line]["items"] == real["items"]
        assert counted["data"]["camera"][line]["total"] == real["total"]
    assert counted["data"]["agrees"]
    assert {one["item"] for one in counted["data"]["lines"]["NS"]["why"]} >= {"scartini"}


@pytest.mark.parametrize("seed", range(4200, 4203))
def test_clean_deals_of_lively_people_accuse_nobody_and_are_counted_right(seed: int) -> None:
    rehearsal = prepare("tarocco", seed, 1, habits="lively")
    fold = rulesets.open_fold(rehearsal.header)
    told_ = [event for one in rehearsal.observations() for event in fold.feed(one)] + fold.close()
    report = compare(rehearsal.truth(), [event_to_json(event, secret=True) for event in told_])
    assert report.clean, (report.wrong, report.false)
    assert (report.score_wrong, report.counted) == ([], 1)


def rehearsed(seed: int, *faults: str) -> tuple[list[dict[str, Any]], Any]:
    rehearsal = prepare("tarocco", seed, 1, faults)
    fold = rulesets.open_fold(rehearsal.header)
    found = [event for one in rehearsal.observations() for event in fold.feed(one)] + fold.close()
    return [event_to_json(event, secret=True) for event in found], rehearsal.truth()


def test_the_same_log_gives_the_same_events() -> None:
    assert rehearsed(4300)[0] == rehearsed(4300)[0]


def test_no_public_word_names_a_card_that_never_lay_open() -> None:
    """Half a deal: what is still held stands in no event and in no state."""
    rehearsal = prepare("tarocco", 4400, 1)
    fold = rulesets.open_fold(rehearsal.header)
    lines = list(rehearsal.observations())
    shown: set[str] = set()
    for one in lines[: len(lines) // 2]:
        told_ = [event_to_json(event) for event in fold.feed(one)]
        if isinstance(one, Sight):
            shown |= {face(card.card) for card in one.cards if card.face == "up"}
        for named in named_in([*told_, fold.state()]):
            assert named in shown
    assert len(shown) < len(TAROCCO.copies) - 10


def named_in(value: object) -> set[str]:
    if isinstance(value, dict):
        return set().union(*(named_in(one) for one in value.values()))
    if isinstance(value, list | tuple):
        return set().union(*(named_in(one) for one in value))
    return {face(value)} if isinstance(value, str) and face(value) in TAROCCO.copies else set()


def test_every_event_keeps_to_its_model() -> None:
    found, _ = rehearsed(4500, "T12")
    models = rulesets.payloads_of("tarocco")
    for event in found:
        model: type[Payload] | None = models.get(event["type"])
        assert model is not None, event["type"]
        model.model_validate(event["data"])


def test_a_second_dealing_of_wrong_numbers_moves_the_scarto_to_the_dealers_right() -> None:
    """Commas 7 and 8: by default counted apart; who deals next stays."""
    fold = rulesets.open_fold(header())
    times = itertools.count(1.0)

    def order(do: str, **fields: Any) -> None:
        fold.feed(Console(next(times), "giudice", do, fields))

    order("start-round", deals=4)
    states = []
    for row in ("T07", "T08", "T07"):
        order("deal", deal=1, dealer="E")
        states.append(fold.state()["scartatore"])
        order("rule", row=row, seat="E")
    order("deal", deal=1, dealer="E")
    assert [*states, fold.state()["scartatore"]] == ["E", "E", "E", "N"]
    order("deal", deal=2, dealer="N")
    assert fold.state()["scartatore"] == "N"


def test_t08_a_ruling_on_a_misdeal_is_owed_until_the_cards_are_dealt_anew() -> None:
    """Kept by the next ``deal`` of the same number; broken by play, or by the deal after it; a dismissal lifts it."""
    hands = hands_with({N: "t18 6D", W: "t5", S: "t6", E: "t7 6S 7S"})
    begun = [*opening(hands), ConsoleGesture("rule", fields={"row": "T08", "seat": "E"})]
    scarto = [PutDown(E, ("6S#1", "7S#1"), "tricks-EW"), Tap(E)]
    again = ConsoleGesture("deal", fields={"deal": 1, "dealer": "E"})
    other = ConsoleGesture("deal", fields={"deal": 2, "dealer": "N"})
    dismissed = ConsoleGesture("dismiss", fields={"key": "r1d1-1"})
    for then, came in (
        ([again], ["served"]),
        ([*scarto, *trick("t18"), Wait(2.0)], ["broken"]),
        ([other], ["broken"]),
        ([dismissed, *scarto, *trick("t18"), Wait(2.0)], []),
    ):
        found = told([*begun, *then])
        (imposed,) = found.data("sanction.imposed")
        assert (imposed["do"], imposed["who"], imposed["row"]) == ("redeal", "E", "T08")
        kept = [event.type for event in found.events if event.type in ("sanction.served", "sanction.broken")]
        assert kept == [f"sanction.{what}" for what in came]
        assert found.fold.state()["sanctions"] == []


_ZONES = ("trick", "tricks-NS", "tricks-EW", "table", "hand-N", "side-E", "gate-N", "gate-W", "scarto")
_SEATS = st.sampled_from([*SEATS, None])
_CARDS = st.sampled_from([*TAROCCO.copies, "??", "7H"])


def _noise(draw: Any, t: float) -> Observation:
    kind = draw(st.integers(0, 4))
    zone = draw(st.sampled_from(_ZONES))
    match kind:
        case 0:
            return Scale(t, zone, draw(st.floats(-20, 130)), settled=draw(st.booleans()))
        case 1:
            return Reach(t, draw(_SEATS), draw(st.sampled_from([zone, None])), draw(st.sampled_from(["in", "out"])))
        case 2:
            return Knock(t, draw(_SEATS))
        case 3:
            return Tags(t, zone, tuple(draw(st.lists(st.sampled_from(sorted(header().tags)), max_size=2))))
    spots = st.floats(-400, 400)
    cards = [
        SightedCard(draw(_CARDS), draw(st.sampled_from(_ZONES)), draw(spots), draw(spots), 0.0, "up", 0.9, None, None)
        for _ in range(draw(st.integers(0, 5)))
    ]
    return Sight(t, tuple(cards), (), None)


@settings(max_examples=25)
@given(st.data())
def test_nothing_that_sensors_say_raises(data: Any) -> None:
    fold = rulesets.open_fold(header())
    t = 1.0
    for do, fields in (("start-round", {"deals": 4}), ("deal", {"deal": 1, "dealer": "E"}), ("start-play", {})):
        fold.feed(Console(t, "giudice", do, fields))
    for _ in range(data.draw(st.integers(5, 40))):
        t += data.draw(st.floats(0.05, 2.0))
        fold.feed(_noise(data.draw, t))
        fold.state()
    fold.close()


def test_a_log_with_lines_left_out_and_swapped_never_raises_and_loses_no_card() -> None:
    rng = random.Random("fuzz")
    lines = observations(first_trick(*trick("7D 8D 9D KD", W), TakeTrick(N), Press(E, "count")), "rough", "x")
    for _ in range(8):
        some = [one for one in lines if rng.random() > 0.2]
        for place in range(0, len(some) - 1, 7):
            some[place], some[place + 1] = some[place + 1], some[place]
        fold = rulesets.open_fold(header())
        for one in some:
            fold.feed(one)
        fold.close()
        running = fold.game.running
        if running is None:
            continue
        played = [card for one in running.course.laid for card in [one.card] if card != "??"]
        assert len(played) == len(set(played))
        assert Seat.NORTH in running.course.deal.hands.left
