"""The sixteen worked examples of the FIGB norms (appendix II): from what lies there to procedure and articles."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from hw.seats import CLOCKWISE, SEATS, Line, Seat
from table_service.games.bridge.judges.calls import judge_calls
from table_service.games.bridge.judges.opening_lead import Opening, judge_leads
from table_service.games.bridge.judges.sides import other_side, pusher, screen_mate, side_of
from table_service.games.bridge.judges.tray import TrayAuction
from table_service.games.bridge.judges.verdict import EDITION, Procedure, Verdict
from table_service.games.bridge.rules.auction import CALLS

N, E, S, W = Seat
CALL_EXAMPLES: dict[str, tuple[Seat, str, dict[str, Any]]] = {
    # dealer, what happens (S:1S a call, S> the tray pushed by S, ?> pushed by an unknown hand), the answer
    "FIGB-6": (S, "S:1S W:1H S>", {"offender": W, "procedure": Procedure.ACCEPTED_BY_PASSING, "watch_23": Line.NS,
                                  "articles": ("app4 4a(ii)", "29A", "27A")}),
    "FIGB-7": (S, "S:1S W:1H W>", {"offender": W, "procedure": Procedure.LAW_27, "articles": ("app4 4a", "27")}),
    "FIGB-8": (N, "N:1N E:2D N> S:2C W:P S>", {"offender": S, "procedure": Procedure.CONTINUE_BOTH_AT_FAULT,
                                              "watch_23": "both", "needs_referee": True}),
    "FIGB-9": (N, "E:1H N>", {"offender": E, "procedure": Procedure.ACCEPTED_BY_PASSING, "watch_23": Line.NS,
                             "articles": ("app4 4a(ii)", "29A")}),
    "FIGB-10": (N, "E:1H E>", {"offender": E, "procedure": Procedure.LAW_31, "part": "31A",
                              "articles": ("app4 4a", "31A", "29A")}),
    "FIGB-11": (N, "W:1C S>", {"offender": W, "procedure": Procedure.ACCEPTED_BY_PASSING, "watch_23": Line.NS}),
    "FIGB-12": (N, "W:1C W>", {"offender": W, "procedure": Procedure.LAW_31, "part": "31B",
                              "articles": ("app4 4a", "31B", "29A")}),
    "FIGB-13": (N, "S:1C W:1D S>", {"offender": S, "procedure": Procedure.CONTINUE_BOTH_AT_FAULT,
                                   "watch_23": "both", "needs_referee": True}),
    "FIGB-14": (E, "S:1C W:1D W>", {"offender": S, "procedure": Procedure.ACCEPTED_BY_PASSING, "watch_23": Line.EW}),
    "FIGB-15": (E, "W:1D S>", {"offender": W, "procedure": Procedure.ACCEPTED_BY_PASSING, "watch_23": Line.NS}),
    "FIGB-16": (E, "W:1D W>", {"offender": W, "procedure": Procedure.LAW_31, "part": "31B"}),
}  # fmt: skip
LEAD_EXAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    # 3NT by N, E is to lead: W:SJ faced, a! attention while closed, o=S aperture opened by S
    "FIGB-1": ("W:JS a!", {"procedure": Procedure.LEAD_RETRACTED, "articles": ("app4 4c",)}),
    "FIGB-2": ("W:JS o=S", {"procedure": Procedure.LEAD_ACCEPTED, "watch_23": Line.NS}),
    "FIGB-4": ("W:JS o=W", {"procedure": Procedure.LAW_54_OPTIONS}),
    "FIGB-5": ("E:8S W:JS o=W", {"procedure": Procedure.MAJOR_PENALTY_CARD,
                                "articles": ("app4 4c(iii)", "58A", "50D", "50E")}),
}  # fmt: skip


def tray_of(dealer: Seat, text: str) -> TrayAuction:
    """The tray after what ``text`` says, an act a second."""
    tray = TrayAuction(dealer)
    side = None
    for t, word in enumerate(text.split(), 1):
        if word.endswith(">"):
            by = None if word[0] == "?" else Seat(word[0])
            assert side is not None or by is not None
            here = side_of(by) if by is not None else side
            assert here is not None
            tray = tray.pushed(by, other_side(here), float(t))
        elif word.startswith("-"):
            seat, call = word[1:].split(":")
            tray = tray.withdrawn(Seat(seat), call, float(t))
        else:
            seat, call = word.split(":")
            side = side_of(Seat(seat))
            tray = tray.called(Seat(seat), call, float(t))
    return tray


def opening_of(text: str) -> Opening:
    opening = Opening(N)
    for t, word in enumerate(text.split(), 1):
        if word == "a!":
            opening = opening.called(float(t))
        elif word.startswith("o="):
            opening = opening.aperture_opened(None if word[2] == "?" else Seat(word[2]), float(t))
        else:
            seat, card = word.split(":")
            opening = opening.led(Seat(seat), card, float(t), face_up=card != "??")
    return opening


def check(found: Sequence[Verdict], row: str, answer: dict[str, Any]) -> None:
    (one,) = found
    assert one.row == row
    expected = {"needs_referee": False, "watch_23": None, "edition": EDITION, "unconfirmed": False} | answer
    assert {name: getattr(one, name) for name in expected} == expected


@pytest.mark.parametrize("row", CALL_EXAMPLES)
def test_the_examples_of_calls(row: str) -> None:
    dealer, text, answer = CALL_EXAMPLES[row]
    check(judge_calls(tray_of(dealer, text)), row, answer)


@pytest.mark.parametrize("row", LEAD_EXAMPLES)
def test_the_examples_of_leads(row: str) -> None:
    text, answer = LEAD_EXAMPLES[row]
    check(judge_leads(opening_of(text)), row, {"offender": W, **answer})


def test_example_3_answers_as_4_with_3_as_a_choice_because_nobody_hears_the_question() -> None:
    (one,) = judge_leads(opening_of("W:JS o=W"))
    assert one.row == "FIGB-4"
    assert one.options == ("54A", "54B", "54C", "54D", "FIGB-3", "FIGB-2")


@pytest.mark.parametrize("row", CALL_EXAMPLES)
def test_until_the_tray_passes_only_the_offender_s_side_may_be_told(row: str) -> None:
    dealer, text, answer = CALL_EXAMPLES[row]
    words = text.split()
    (one,) = judge_calls(tray_of(dealer, " ".join(words[:-1])))
    assert (one.row, one.procedure) == ("A4-2a", Procedure.CORRECT_UNTOLD)
    assert one.told == side_of(answer["offender"])
    (after,) = judge_calls(tray_of(dealer, text))
    assert after.told == "both"


@pytest.mark.parametrize("row", CALL_EXAMPLES)
def test_where_no_sensor_names_the_hand_the_event_asks_among_the_right_rows(row: str) -> None:
    dealer, text, _ = CALL_EXAMPLES[row]
    words = text.split()
    (one,) = judge_calls(tray_of(dealer, " ".join([*words[:-1], "?>"])))
    assert (one.procedure, one.needs_referee, one.watch_23) == (Procedure.ASK_WHO_PASSED, True, None)
    assert row in one.options
    assert len(one.options) == 2


def test_an_irregular_call_that_is_changed_in_time_leaves_nothing_and_keeps_its_place() -> None:
    tray = tray_of(N, "N:1N E:2D N> S:2C W:P -S:2C S:3C S>")
    assert judge_calls(tray) == ()
    assert [(one.seat, one.call) for one in tray.calls] == [(N, "1N"), (E, "2D"), (S, "3C"), (W, "P")]
    (change,) = tray.changes
    assert (change.seat, change.old, change.new, change.passed) == (S, "2C", "3C", False)
    assert change.fault is not None


def test_a_lawful_call_that_is_changed_is_a_change_and_no_fault() -> None:
    tray = tray_of(N, "N:1N -N:1N N:2N E:P N>")
    (change,) = tray.changes
    assert (change.old, change.new, change.fault, change.passed) == ("1N", "2N", None, False)
    assert judge_calls(tray) == ()


@pytest.mark.parametrize(
    ("dealer", "text", "row", "unconfirmed"),
    [
        (N, "N:P E:X N>", "law-36", False),
        (N, "N:1N E:P N> S:X W:P S>", "law-36", False),
        (N, "N:1N E:XX E>", "law-36", False),
        (N, "N:1N E:P N> S:P W:P S> N:2C E:P N>", "law-39", True),
    ],
)
def test_inadmissible_calls_are_corrected_even_when_they_were_passed(
    dealer: Seat, text: str, row: str, unconfirmed: bool
) -> None:
    verdicts = judge_calls(tray_of(dealer, text))
    one = verdicts[0]
    assert (one.row, one.procedure, one.unconfirmed) == (row, Procedure.CORRECT_ALWAYS, unconfirmed)
    assert "app4 4a(i)" in one.articles


def test_who_must_pass_and_bids_is_told() -> None:
    tray = tray_of(N, "N:1N E:P N>").silenced(S, 5.0).called(S, "2N", 9.0)
    (one,) = judge_calls(tray)
    assert (one.row, one.offender, one.procedure, one.told) == ("law-37", S, Procedure.CORRECT_UNTOLD, "SW")
    assert judge_calls(tray_of(N, "N:1N E:P N>").silenced(S, 5.0).called(S, "P", 9.0)) == ()
    called_before = tray_of(N, "N:1N E:P N>").called(S, "2N", 4.0).silenced(S, 5.0)
    assert judge_calls(called_before) == ()


@pytest.mark.parametrize(
    ("text", "row", "procedure"),
    [
        ("E:P E>", "law-30", Procedure.LAW_30),
        ("E:P N>", "law-30", Procedure.ACCEPTED_BY_PASSING),
        ("N:1N E:P N> W:X W>", "law-32", Procedure.LAW_32),
        ("N:1N E:P N> W:X S>", "law-32", Procedure.ACCEPTED_BY_PASSING),
    ],
)
def test_passes_and_doubles_out_of_turn_follow_their_own_laws(text: str, row: str, procedure: Procedure) -> None:
    (one,) = judge_calls(tray_of(N, text))
    assert (one.row, one.procedure) == (row, procedure)


def test_calls_made_at_once_count_in_their_order() -> None:
    tray = TrayAuction(N).called(E, "P", 1.0).called(N, "1N", 1.2)
    assert [one.seat for one in tray.calls] == [N, E]
    assert judge_calls(tray) == ()
    slow = TrayAuction(N).called(E, "P", 1.0).called(N, "1N", 2.0)
    assert judge_calls(slow)[0].offender is E


def test_who_plays_next_across_the_screen_accepts_by_calling() -> None:
    tray = tray_of(S, "S:1S W:1H W> N:2C")
    (one,) = tray.faulty()
    assert one.answered
    (accepted,) = judge_calls(tray)
    assert (accepted.row, accepted.procedure) == ("FIGB-7", Procedure.ACCEPTED_BY_CALLING)
    (waiting,) = judge_calls(tray_of(S, "S:1S W:1H W>"))
    assert waiting.procedure is Procedure.LAW_27
    (turned,) = judge_calls(tray_of(N, "E:1H E> S:2C"))
    assert (turned.row, turned.procedure) == ("FIGB-10", Procedure.ACCEPTED_BY_CALLING)


# -- leads -------------------------------------------------------------------------------------------------------------


def test_a_wrong_lead_with_the_aperture_closed_is_told_to_its_own_side_alone() -> None:
    (one,) = judge_leads(opening_of("W:JS"))
    assert (one.row, one.told, one.procedure) == ("FIGB-1", "SW", Procedure.LEAD_RETRACTED)


def test_a_lead_face_down_that_is_faced_is_one_lead_and_the_right_one_is_no_fault() -> None:
    opening = Opening(N).led(E, "??", 1.0, face_up=False).faced(E, "8S", 2.0)
    assert [(one.card, one.t, one.faced) for one in opening.leads] == [("8S", 1.0, 2.0)]
    assert judge_leads(opening.aperture_opened(E, 3.0)) == ()
    (hidden,) = judge_leads(Opening(N).led(W, "JS", 1.0, face_up=False))
    assert (hidden.row, hidden.shown, hidden.articles) == ("law-41", "??", ("41A",))
    assert judge_leads(Opening(N).led(W, "??", 1.0, face_up=False).taken_back(W)) == ()


def test_the_partner_s_face_down_lead_does_not_make_two_faced_leads() -> None:
    (one,) = judge_leads(opening_of("E:?? W:JS o=W"))
    assert one.row == "FIGB-4"


def test_an_unknown_hand_at_the_aperture_is_asked_for() -> None:
    (one,) = judge_leads(opening_of("W:JS o=?"))
    assert (one.procedure, one.needs_referee, one.watch_23) == (Procedure.ASK_WHO_OPENED, True, None)
    assert {"FIGB-2", "FIGB-4"} <= set(one.options)


def test_attention_after_the_aperture_opened_changes_nothing() -> None:
    assert judge_leads(opening_of("W:JS o=S a!"))[0].row == "FIGB-2"


def test_a_lead_by_declarer_s_side_is_law_24() -> None:
    (one,) = judge_leads(opening_of("S:AS"))
    assert (one.row, one.offender, one.unconfirmed) == ("law-24", S, True)


# -- in general --------------------------------------------------------------------------------------------------------


def test_nothing_raises_whatever_lies_on_the_tray_and_every_fault_is_answered() -> None:
    chance = random.Random(31)
    answered: set[str] = set()
    for _ in range(700):
        tray = TrayAuction(chance.choice(SEATS))
        side = side_of(tray.dealer)
        for t in range(chance.randint(1, 14)):
            roll = chance.random()
            if roll < 0.3:
                by = chance.choice([None, pusher(side), screen_mate(pusher(side))])
                side = other_side(side)
                tray = tray.pushed(by, side, float(t))
            elif roll < 0.4 and tray.calls:
                one = chance.choice(tray.calls)
                tray = tray.withdrawn(one.seat, one.call, float(t))
            else:
                seat = chance.choice([seat for seat in SEATS if side_of(seat) == side])
                tray = tray.called(seat, chance.choice([*CALLS[:12], "P", "P", "8C"]), float(t))
        verdicts = judge_calls(tray)
        assert len(verdicts) == len(tray.faulty())
        for fault, said in zip(tray.faulty(), verdicts, strict=True):
            answered.add(said.row)
            assert said.offender is fault.seat
            if fault.passed is None:
                assert said.told == side_of(fault.seat)
                assert said.watch_23 is None
            else:
                assert said.told == "both"
    assert answered >= {*CALL_EXAMPLES, "A4-2a", "law-30", "law-32", "law-36", "law-38", "law-39"}


def test_a_lawful_auction_passed_by_north_and_south_is_accused_of_nothing() -> None:
    chance = random.Random(22)
    for _ in range(400):
        dealer = chance.choice(SEATS)
        tray, side, t = TrayAuction(dealer), side_of(dealer), 0.0
        while (seat := tray.auction.turn) is not None:
            t += chance.uniform(0.05, 9)
            if side_of(seat) != side:
                side = side_of(seat)
                tray = tray.pushed(pusher(other_side(side)), side, t)
                t += 1
            lawful = tray.auction.lawful(seat)
            tray = tray.called(seat, chance.choice(lawful) if chance.random() < 0.4 else "P", t)
        assert judge_calls(tray) == ()
        assert [one.seat for one in tray.calls] == [CLOCKWISE.after(dealer, n) for n in range(len(tray.calls))]
