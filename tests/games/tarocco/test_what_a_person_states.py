"""What the Giudice states by hand: cards of a trick, whose it is, the scarto, and what only a person hears."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.cards import TAROCCO, UNKNOWN
from hw.observations import Button, Console, Knock, Observation, Reach, Sight, Tags
from hw.seats import SEATS, Line, Seat
from hw.twin.gestures import ConsoleGesture, Gesture, Press, PutAside, TakeTrick, TakeUp, Tap, Wait
from table_service import rulesets
from table_service.events import event_to_json
from table_service.games.tarocco.fold.counting import counted
from table_service.games.tarocco.fold.course import Course
from table_service.games.tarocco.fold.course_of_moves import course_after
from table_service.games.tarocco.fold.statements import AccusoStated, PileStated, ScartoStated, TrickStated
from table_service.games.tarocco.judges import Watched, charges
from table_service.games.tarocco.rules.deal import TaroccoDeal
from table_service.games.tarocco.rules.fault_kinds import TaroccoFault
from table_service.table.game_fold import GameFold
from tests.games.tarocco.table_of_tarocco import (
    E,
    N,
    S,
    Told,
    W,
    hands_with,
    header,
    observations,
    opening,
    told,
    trick,
)
from tests.games.tarocco.test_at_the_table import named_in
from tests.games.tarocco.test_missed_by_sensors import Table

HANDS: Final = hands_with({N: "KD 6D 7C KC KS KB", W: "QD 7D t5", S: "FD 8D t6", E: "CD 9D t7 6S 7S"})
FIRST: Final = [*opening(HANDS, "6S 7S"), *trick("6D QD FD CD"), TakeTrick(W)]
KINGS: Final = ("KB", "KC", "KD", "KS")


def correct(**fields: Any) -> Gesture:
    return ConsoleGesture("correct", fields=fields)


def said(seat: Seat, what: str, *cards: str) -> Gesture:
    return ConsoleGesture("said", fields={"seat": str(seat), "what": what, **({"cards": list(cards)} if cards else {})})


def misread(lines: Iterable[Observation], card: str, as_: str) -> list[Observation]:
    """The same lines from a camera that takes ``card`` for ``as_``, while no gate reads it."""
    uid = next(uid for uid, face in header().tags.items() if face == f"{card}#1")
    found: list[Observation] = []
    for one in lines:
        if isinstance(one, Sight):
            cards = tuple(replace(c, card=as_) if c.card.partition("#")[0] == card else c for c in one.cards)
            found.append(replace(one, cards=cards))
        elif isinstance(one, Tags):
            found.append(replace(one, tags=tuple(tag for tag in one.tags if tag != uid)))
        else:
            found.append(one)
    return found


def fed(lines: Iterable[Observation], **options: Any) -> Told:
    fold = rulesets.open_fold(header(**options))
    assert isinstance(fold, GameFold)
    events = [event for one in lines for event in fold.feed(one)]
    return Told(fold, events + fold.close())


def ignored(found: Told) -> list[str]:
    return [one["note"] for one in found.data("table.health") if one["state"] == "ignored"]


# -- tricks ------------------------------------------------------------------------------------------------------------


def test_a_misread_card_of_a_gathered_trick_is_named_and_its_winner_told_anew() -> None:
    lines = observations([*FIRST, correct(zone="trick", row=1, cards=["6D", "QD", "FD", "CD"])], "none", "misread")
    found = fed(misread(lines, "QD", "7D"))
    first, second = found.data("trick.won")
    assert (first["winner"], first["cards"]["W"]) == ("E", "7D")
    assert (second["winner"], second["cards"]["W"], second["corrected"]) == ("W", "QD", True)
    (named,) = found.data("card.named")
    assert named["cards"] == ["QD"]
    state = found.fold.state()
    assert (state["last_trick"]["winner"], state["turn"]["seat"], state["tricks"]) == ("W", "W", {"NS": 0, "EW": 1})
    running = found.fold.game.running
    assert running is not None
    assert "7D" not in running.course.deal.hands.gone  # the card that it was taken for is still held
    assert found.rows == []


def test_a_card_of_the_open_trick_is_named_and_others_stay_as_they_were_seen() -> None:
    gestures = [*opening(HANDS, "6S 7S"), *trick("6D QD"), Wait(2.0), correct(zone="trick", cards=["??", "QD"])]
    found = fed(misread(observations(gestures, "none", "open"), "QD", "7D"))
    assert found.fold.state()["trick"]["cards"] == [{"seat": "N", "card": "6D"}, {"seat": "W", "card": "QD"}]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"zone": "trick", "row": 9, "cards": ["6D"]}, "no trick 9"),
        ({"zone": "trick", "row": 1, "cards": ["6D", "QD"]}, "as many cards"),
        ({"zone": "trick", "row": 1, "cards": ["6D", "QD", "QD", "CD"]}, "QD was played before"),
        ({"zone": "tricks-NS", "row": 1}, "W's by its cards"),
        ({"zone": "hand-N", "cards": ["KD"]}, "cannot be made in the zone 'hand-N'"),
        ({"zone": 7, "cards": 2}, "the field 'zone' of the order 'correct' is wrong"),
        ({"zone": "scarto", "cards": 40}, "nobody can have discarded"),
    ],
)
def test_a_correction_that_cannot_be_is_refused_with_its_reason_and_changes_nothing(
    fields: dict[str, Any], reason: str
) -> None:
    before, found = told(FIRST), told([*FIRST, ConsoleGesture("correct", fields=fields)])
    assert reason in ignored(found)[-1]
    assert found.fold.state() == before.fold.state()


def test_a_trick_whose_winner_nobody_knows_is_the_lines_that_the_giudice_names() -> None:
    table = Table()
    table.lay(W, "9S")
    table.lay(S, "TS")
    table.lay(E, "8S")
    table.gathered(S)
    assert table.course.deal.play.taken[0].by is None
    now = course_after(table.course, PileStated(table.t, 1, Line.EW))
    assert now.deal.play.taken[0].line is Line.EW
    named = course_after(table.course, TrickStated(table.t, 1, ("??", "9S", "TS", "8S")))
    assert named.deal == table.course.deal  # nothing new was said
    whole = course_after(table.course, TrickStated(table.t, 1, ("KS", "9S", "TS", "8S")))
    assert whole.deal.play.taken[0].by is N
    assert whole.deal.hands.hidden == table.course.deal.hands.hidden - 1


def test_what_was_stated_holds_when_the_deal_is_made_anew() -> None:
    """A later revision replays all movements of the deal: the correction is one of its acts."""
    order = correct(zone="trick", row=1, cards=["6D", "QD", "FD", "CD"])
    gestures = [*FIRST, order, *trick("t5 t6 t7 7C", W), TakeTrick(E), Wait(6.0)]
    found = fed(misread(observations(gestures, "normal", "again"), "QD", "7D"))
    assert found.data("trick.won")[-1]["n"] == 2
    running = found.fold.game.running
    assert running is not None
    assert running.course.deal.play.taken[0].by is W


def test_after_the_count_a_corrected_trick_counts_the_deal_anew() -> None:
    from table_service.rehearsal.rehearse import prepare

    rehearsal = prepare("tarocco", 4100, 1)
    fold = rulesets.open_fold(rehearsal.header)
    lines = [one for one in rehearsal.observations() if not (isinstance(one, Console) and one.do == "end-round")]
    found = [event for one in lines for event in fold.feed(one)]
    running = fold.game.running  # type: ignore[attr-defined]
    seen = [card for _, card in running.course.deal.play.taken[4].trick.plays]
    before = [one for one in found if one.type == "score.counted"]
    assert isinstance(next(one for one in lines if one.kind == "button"), Button)
    t = lines[-1].t + 1.0
    unseen = fold.feed(Console(t, "giudice", "correct", {"zone": "trick", "row": 5, "cards": ["??", *seen[1:]]}))
    assert [one.type for one in unseen if one.type == "score.counted"] == []  # the same count is not told again
    state = running.course.deal.play.taken[4]
    assert (state.trick.cards, len(before)) == (tuple(seen), 1)


# -- scarto ------------------------------------------------------------------------------------------------------------


def test_the_number_of_the_scarto_is_stated_while_its_cards_stay_hidden() -> None:
    found = told([*opening(HANDS), correct(zone="scarto", cards=["6S", "7S"])])
    assert found.fold.state()["scarto"] == 2
    events = [event_to_json(event) for event in found.events]
    assert not {"6S", "7S"} & named_in([*events, found.fold.state()])


def test_a_scarto_whose_number_is_stated_right_takes_back_what_its_scale_had_told() -> None:
    three = course_after(Course(TaroccoDeal.dealt(E)), Table().course.scarto_by)  # type: ignore[arg-type]
    three = replace(three, deal=three.deal.with_scarto(3))
    found = charges(Watched(100.0, three, scarto_said=90.0, scarto_weighed=3))
    assert [one.breach.kind for one in found] == [TaroccoFault.SCARTO_OF_OTHER_NUMBER]
    right = course_after(three, ScartoStated(101.0, 2))
    assert charges(Watched(101.0, right, scarto_said=90.0, scarto_weighed=3)) == ()


# -- what only a person hears ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("signal", ["busso", "striscio", "volo"])
def test_t11_a_signal_that_was_heard_is_of_the_card_led(signal: str) -> None:
    hands = hands_with({N: "t18 6D", W: "t5", S: "t6", E: "t7 6S 7S"})
    found = told([*opening(hands, "6S 7S"), *trick("t18 t5"), said(N, signal), *trick("t6 t7", S), TakeTrick(N)])
    (made,) = found.of("signal.made")
    assert (made.seat, made.data.model_dump(), made.basis) == (N, {"signal": signal, "n": 1}, ("said",))
    assert found.rows == []


def test_t11a_a_volo_heard_in_a_suit_whose_king_is_out_costs_all_but_the_scartini() -> None:
    found = told([*opening(HANDS, "6S 7S"), *trick("6D QD"), said(N, "volo"), *trick("FD CD", S), TakeTrick(W)])
    assert found.rows == [("T11a", "N", "open")]
    (one,) = {one["key"]: one for one in found.data("irregularity")}.values()
    assert one["severity"] == "score"


def test_t11b_a_signal_heard_of_who_does_not_lead_is_for_the_giuria_and_no_signal_of_an_earlier_trick() -> None:
    again = [*FIRST, *trick("7D 8D 9D KD", W), TakeTrick(N), Wait(16.0), *trick("7C", N), Wait(1.0)]
    found = told([*again, said(W, "striscio"), Wait(5.0)])
    assert [row for row in found.rows if row[0] == "T11b"] == [("T11b", "W", "open")]
    assert found.of("signal.made") == []
    (one,) = [one for one in found.data("irregularity") if one["row"] == "T11b"]
    assert (one["severity"], one["needs_referee"]) == ("note", True)


def test_a_signal_that_is_entered_before_a_picture_showed_the_card_is_the_leaders() -> None:
    """Sweep 1730000005: it was told of him as of one who does not lead."""
    lines = observations([*FIRST, *trick("7D", W), Wait(6.0)], "none", "soon")
    crosses = [one.t for one in lines if isinstance(one, Tags) and one.zone == "gate-W" and one.tags][-1]
    entered = Console(crosses + 0.5, "giudice", "said", {"seat": "W", "what": "striscio"})
    found = fed(sorted([*lines, entered], key=lambda one: one.t))
    assert found.data("signal.made") == [{"signal": "striscio", "n": 2}]
    assert [row for row in found.rows if row[0] == "T11b"] == []


def test_t11a_a_signal_as_a_player_leads_again_is_not_of_the_trick_he_has_just_won() -> None:
    """The next card had crossed its gate and lay under an arm: the signal was put on a suit whose King was out."""
    hands = hands_with({N: "AD KS t18", W: "QD t5", S: "FD t6", E: "CD t7 6S 7S"})
    won = [*opening(hands, "6S 7S"), *trick("t18 t5 t6 t7"), TakeTrick(N)]
    lines = observations([*won, *trick("AD", N), Wait(6.0)], "none", "again")
    crosses = [one.t for one in lines if isinstance(one, Tags) and one.zone == "gate-N" and one.tags][-1]
    entered = Console(crosses + 0.1, "giudice", "said", {"seat": "N", "what": "busso"})
    found = fed(sorted([*lines, entered], key=lambda one: one.t))
    assert found.data("signal.made") == [{"signal": "busso", "n": 2}]
    assert ignored(found) == []


def test_t11b_a_signal_after_a_trick_was_gathered_may_be_of_who_leads_unseen() -> None:
    """Sweep 1741000011: its card lay under a covered camera, and he was told to have signalled without leading."""
    found = told([*FIRST, Wait(1.0), said(S, "striscio"), Wait(6.0)])
    assert [row for row in found.rows if row[0] == "T11b"] == []
    assert found.of("signal.made") == []


def test_t11a_a_signal_is_not_of_a_card_that_was_led_long_before() -> None:
    """The next lead of the same player was not reported yet when a person entered the signal with it."""
    found = told([*opening(HANDS, "6S 7S"), *trick("6D QD"), Wait(100.0), said(N, "volo"), Wait(6.0)])
    assert found.of("signal.made") == []
    assert [row for row in found.rows if row[0] in ("T11a", "T11b")] == []


def test_a_trick_that_is_stated_in_its_order_of_play_is_its_players_whoever_was_taken_to_lead() -> None:
    """Sweep 1741000018: a trick whose leader nobody knew was given to the wrong line by a right correction."""
    table = Table()
    for seat, card in ((N, "9C"), (W, "KD"), (S, "t8"), (E, "TD")):
        table.lay(seat, card)
    table.gathered(S)
    course = course_after(table.course, TrickStated(table.t + 1.0, 1, ("TD", "9C", "KD", "t8")))
    (taken,) = course.deal.play.taken
    assert dict(taken.trick.plays) == {E: "TD", N: "9C", W: "KD", S: "t8"}
    assert (taken.trick.leader, taken.by) == (E, S)


LED: Final = [
    *opening(hands_with({N: "t18 6D", W: "t5", S: "t6", E: "t7 6S 7S"}), "6S 7S"),
    *trick("t18 t5"),
    Wait(2.0),
]


def with_a_knock_of_north(at: float, *, over: bool) -> Told:
    """Trumps led by North, and a knock of his ``at`` seconds after West's card crosses its gate; ``over``: by beam."""
    lines = observations(LED, "none", "late knock")
    t = at + [one.t for one in lines if isinstance(one, Tags) and one.zone == "gate-W" and one.tags][-1]
    arm = [Reach(t - 0.3, N, "table", "in"), Reach(t + 0.2, N, "table", "out")]
    return fed(sorted([*lines, Knock(t, N), *(arm if over else ())], key=lambda one: one.t))


def test_a_knock_after_the_next_players_card_is_no_signal() -> None:
    assert with_a_knock_of_north(0.4, over=True).of("signal.made") == []
    assert len(with_a_knock_of_north(-0.4, over=True).of("signal.made")) == 1


def test_a_knock_while_the_leaders_hand_is_not_over_the_table_is_none() -> None:
    assert with_a_knock_of_north(-0.4, over=False).of("signal.made") == []


def test_a_knock_while_the_card_still_crosses_its_gate_is_none() -> None:
    lines = observations(LED, "none", "early knock")
    crosses = [one.t for one in lines if isinstance(one, Tags) and one.zone == "gate-N" and one.tags][-1]
    early = sorted([*lines, Knock(crosses + 0.1, N)], key=lambda one: one.t)
    assert fed(early).of("signal.made") == []


def test_t10_an_accuso_heard_with_its_cards_counts_and_is_shown_to_all() -> None:
    found = told([*opening(HANDS, "6S 7S"), said(N, "accuso", *KINGS), *trick("6D")])
    (shown,) = found.of("accuso.shown")
    assert (shown.seat, shown.data.model_dump()["points"], shown.basis) == (N, 34, ("said",))
    assert [one["cards"] for one in found.fold.state()["accusi"]] == [list(KINGS)]


def test_t10_what_was_named_stands_for_what_was_seen_and_counts_once() -> None:
    """The composition is taken from what was said, else from what was shown (comma 10)."""
    cards = tuple(f"{card}#1" for card in KINGS[:3])
    shows: list[Gesture] = [PutAside(N, cards), Wait(3.0), TakeUp(N, cards)]
    for gestures in ([*shows, said(N, "accuso", *KINGS)], [said(N, "accuso", *KINGS), *shows]):
        found = told([*opening(HANDS, "6S 7S"), *gestures, *trick("6D")])
        assert [sorted(one["cards"]) for one in found.fold.state()["accusi"]] == [list(KINGS)]
        assert found.rows == []


@pytest.mark.parametrize(
    ("cards", "reason"), [(("KB", "KC", "KD", "QD"), "another player's"), (("6D", "7C"), "no combination")]
)
def test_t10_cards_that_the_player_never_had_or_that_make_nothing_are_refused(
    cards: tuple[str, ...], reason: str
) -> None:
    found = told([*FIRST, said(N, "accuso", *cards)])
    assert reason in ignored(found)[-1]
    assert found.fold.state()["accusi"] == []


def counted_accusi(*orders: Gesture) -> int | None:
    """North's line's item ``accusi``, counted while little was played."""
    found = told([*opening(HANDS, "6S 7S"), *orders, *trick("6D QD FD CD"), TakeTrick(W)])
    game = found.fold.game
    assert game.running is not None
    ruled = game.referee.ruled(last_trick_with_scartini=False, points=dict.fromkeys(Line, 0))
    value: int | None = counted(game.running.course, {}, ruled)[0].lines["NS"]["items"]["accusi"]
    return value


def test_t10_an_accuso_heard_of_which_no_card_was_seen_leaves_that_item_unknown_until_it_is_settled() -> None:
    assert counted_accusi() == 0
    assert counted_accusi(said(N, "accuso")) is None
    assert counted_accusi(said(N, "accuso"), said(N, "accuso", *KINGS)) == 34
    void = ConsoleGesture("rule", fields={"row": "T10", "seat": "N"})
    assert counted_accusi(said(N, "accuso"), void) == 0


def test_t_out_a_call_entered_after_the_callers_own_card_is_not_called_late() -> None:
    """A person enters it some seconds after it was said."""
    found = told([*opening(HANDS, "6S 7S"), *trick("6D"), said(N, "out"), Wait(2.0)], form="ottocento")
    assert found.data("match.called-out") == [{"points": 0, "valid": None}]
    late = told([*opening(HANDS, "6S 7S"), *trick("6D"), Wait(20.0), said(N, "out"), Wait(2.0)], form="ottocento")
    assert late.data("match.called-out")[-1]["valid"] is False


@pytest.mark.parametrize("fields", [{}, {"seat": "N"}, {"seat": "X", "what": "busso"}, {"seat": "N", "what": 3}])
def test_a_declaration_without_seat_or_word_is_refused(fields: dict[str, Any]) -> None:
    assert "the order 'said'" in ignored(told([*FIRST, ConsoleGesture("said", fields=fields)]))[-1]


_VALUES = st.one_of(
    st.none(),
    st.integers(-3, 80),
    st.lists(st.sampled_from([*TAROCCO.copies, UNKNOWN, "7H", "", "x" * 50]), max_size=20),
    st.sampled_from(["trick", "tricks-NS", "tricks-EW", "scarto", "hand-N", "table", "melds-NS", ""]),
)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_statement_raises_and_none_loses_a_card(data: Any) -> None:
    fold = rulesets.open_fold(header())
    for one in observations([*FIRST, *trick("7D", W)], "none", "fuzz"):
        fold.feed(one)
    times = itertools.count(300.0)
    for _ in range(data.draw(st.integers(1, 8))):
        do = data.draw(st.sampled_from(["correct", "said"]))
        zone = data.draw(st.sampled_from(["trick", "tricks-NS", "tricks-EW", "scarto", "hand-N", "side-E"]))
        seat = data.draw(st.sampled_from([*map(str, SEATS), "Z"]))
        what = data.draw(st.sampled_from(["accuso", "busso", "volo", "out", "accuso:KC,x", "??"]))
        fields = {"zone": zone, "seat": seat, "what": what, "cards": data.draw(_VALUES), "row": data.draw(_VALUES)}
        fold.feed(Console(next(times), "giudice", do, fields))
        fold.state()
    deal = fold.game.running.course.deal  # type: ignore[attr-defined]
    hands = deal.hands
    gone = [card for one in (*deal.play.taken, None) for card in (one.trick if one else deal.play.open).cards]
    named = [card for card in gone if card != UNKNOWN]
    assert len(named) == len(set(named))
    assert set(named) <= hands.gone
    assert not any(hands.gone & held for held in hands.held.values())
    assert all(count >= 0 for count in hands.left.values())
    fold.close()


def test_an_accuso_statement_is_an_act_of_the_deal() -> None:
    course = course_after(Table().course, AccusoStated(50.0, N, KINGS))
    assert course.deal.hands.held[N] == set(KINGS)
    assert (
        course_after(course, AccusoStated(51.0, W, ("KC", "QC", "CC", "FC"))) == course
    )  # the king of cups is North's


def test_the_count_may_be_asked_after_a_correction() -> None:
    found = told([*FIRST, correct(zone="trick", row=1, cards=["6D", "QD", "FD", "CD"]), Press(E, "count"), Tap(N)])
    assert ignored(found) == []


def test_t10_an_accuso_that_was_seen_said_and_ruled_counts_nothing_and_is_known() -> None:
    """Shown and declared after the own first card: once it is ruled, the line's accusi wait for nothing more."""
    shown = tuple(f"{card}#1" for card in KINGS)
    late = [PutAside(N, shown), said(N, "accuso"), Wait(2.5), TakeUp(N, shown), Wait(2.0)]
    hands = hands_with({N: "6D 7C KD KC KS KB", W: "QD 7D t5", S: "FD 8D t6", E: "CD 9D t7 6S 7S"})
    deal = [*opening(hands, "6S 7S"), *trick("6D QD FD CD"), TakeTrick(W), *late]
    before = told([*deal, ConsoleGesture("end-round")])
    assert before.rows == [("T10", "N", "open")]
    assert before.data("score.counted")[-1]["lines"]["NS"]["items"]["accusi"] is None
    ruled = told([*deal, ConsoleGesture("rule", fields={"row": "T10", "seat": "N"}), ConsoleGesture("end-round")])
    assert ruled.data("score.counted")[-1]["lines"]["NS"]["items"]["accusi"] == 0
