"""Arts. 1, 3, 4, 5 and 7 of fibur2024: the pack, the deal, what is found wrong before play and after the first draw.

What scales and the camera tell is played as gestures through the twin's sensors; what only a person can tell is entered
at the console.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from hw.observations import Console, Scale, Tags
from hw.seats import Seat
from hw.twin.gestures import ClearTable, ConsoleGesture, DrawGesture, ExposeGesture, TakeUp, TurnUpGesture, Wait
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK
from table_service.games.burraco.fold import TableFold
from table_service.rehearsal.rehearse import header_for
from tests.games.burraco.cases_by_text import play
from tests.games.burraco.twin_table import TwinTable, dealt

W, S, N = Seat.WEST, Seat.SOUTH, Seat.NORTH


def rule(script: Any, row: str, **fields: Any) -> dict[str, Any]:
    script.console("rule", row=row, **fields)
    return script.last()


def told(verdict: dict[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(verdict[name] for name in names)


# -- the pack --------------------------------------------------------------------------------------------------------


def test_f01_art1_the_pack_and_the_values_of_the_cards() -> None:
    values = {"JK": 30, "2H": 20, "AS": 15, "KD": 10, "8C": 10, "7H": 5, "3S": 5}
    assert (BOOK.pack_size, {card: BOOK.value(card) for card in values}) == (108, values)
    assert FIBUR2024.row("F-01").kind == "situation"


def test_f03_art3_a_pack_that_nobody_checked(script: Any) -> None:
    verdict = rule(script, "F-03")
    assert told(verdict, "article", "severity", "state", "offender", "warn") == ("3", "note", "ruled", None, False)
    assert [step["do"] for step in verdict["remedy"]] == ["correct-count"]


def test_f05a_art5_a_stock_two_cards_short_found_by_the_scale_before_play() -> None:
    table = TwinTable(dealt(missing=2))
    table.do(TurnUpGesture(S))
    table.end()
    assert table.verdicts() == [("F-05a", None, "open")]
    assert told(table.last(), "severity", "found", "options", "needs_referee") == (
        "play-stops",
        "before_play",
        ["F-05a", "F-04d"],
        True,
    )
    checked = table.of("deal.checked")[0].data
    assert (checked.stock, checked.pots, [fault.counted for fault in checked.faults]) == (40, 22, [40])


def test_f05b_art5_play_began_on_a_short_pack() -> None:
    table = TwinTable(dealt(missing=2))
    table.do(TurnUpGesture(S), Wait(1.0), DrawGesture(W), Wait(2.0))
    table.end()
    assert table.verdicts() == [("F-05a", None, "open"), ("F-05b", None, "open")]
    assert told(table.last(), "severity", "options") == ("note", ["F-05b", "F-04f", "F-04k"])
    assert [step["do"] for step in table.last()["remedy"]] == ["nothing", "replace-pack"]


def test_f05c_art5_a_wrong_pack_found_after_the_deal_leaves_the_result(script: Any) -> None:
    verdict = rule(script, "F-05c", found="hand_end")
    assert told(verdict, "severity", "found", "state") == ("note", "hand_end", "ruled")
    assert [step["do"] for step in verdict["remedy"]] == ["nothing", "replace-pack"]


# -- the deal --------------------------------------------------------------------------------------------------------


def nothing_to_rule(script: Any, row: str) -> None:
    """``row`` is a situation: ruling by it makes no irregularity, warns nobody and is told to have no effect."""
    assert FIBUR2024.row(row).kind == "situation"
    assert [step.do for step in FIBUR2024.row(row).steps] == ["nothing"]
    script.console("rule", row=row, seat="N")
    assert (script.verdicts(), script.of("warning.given")) == ([], [])
    assert script.of("table.health")[-1].data.state == "ignored"


def test_f04l_art4_a_right_deal_makes_no_irregularity() -> None:
    table = TwinTable(dealt())
    table.do(TurnUpGesture(S), Wait(1.0), DrawGesture(W), Wait(1.0))
    table.end()
    assert table.verdicts() == []
    checked = table.of("deal.checked")[0].data
    assert (checked.stock, checked.pots, checked.faults) == (42, 22, ())
    assert set(checked.hands.values()) == {None}


@pytest.mark.parametrize(
    ("name", "row", "seat", "warned"),
    [
        ("shuffled", "F-04a", "E", ["EW"]),
        ("stock turned", "F-04g", "N", ["NS"]),
        ("pots uncovered", "F-04h", None, ["NS", "EW"]),
        ("no fan", "F-04i", "W", ["EW"]),
    ],
)
def test_art4_rows_that_cost_a_warning(script: Any, name: str, row: str, seat: str | None, warned: list[str]) -> None:
    verdict = rule(script, row, **({"seat": seat} if seat else {}))
    assert told(verdict, "severity", "offender", "state", "warn") == ("warning", seat, "ruled", True)
    assert [(e.data.line, e.data.count, e.data.row) for e in script.of("warning.given")] == [
        (line, 1, row) for line in warned
    ]
    assert [step["do"] for step in verdict["remedy"]] == ["warn"]


def test_f04a_art4_shuffled_by_another_player(script: Any) -> None:
    assert rule(script, "F-04a", seat="E")["pair"] == "EW"


def test_f04g_art4_the_stock_was_turned_round(script: Any) -> None:
    assert rule(script, "F-04g", seat="S")["article"] == "4"


def test_f04h_art4_pots_not_under_the_score_sheet_warn_all_players(script: Any) -> None:
    rule(script, "F-04h")
    assert script.fold.state()["warnings"] == {"NS": 1, "EW": 1}


def test_f04i_art4_cards_not_held_as_a_fan(script: Any) -> None:
    rule(script, "F-04i", seat="N")
    assert script.fold.state()["warnings"] == {"NS": 1, "EW": 0}


def test_f04c_art4_not_dealt_one_by_one_means_a_new_deal(script: Any) -> None:
    verdict = rule(script, "F-04c")
    assert told(verdict, "severity", "offender", "warn") == ("play-stops", None, False)
    assert [step["do"] for step in verdict["remedy"]] == ["stop-play", "redeal"]


def test_f04e_art4_a_hand_looked_at_before_the_start_means_a_new_deal(script: Any) -> None:
    verdict = rule(script, "F-04e", seat="N")
    assert told(verdict, "severity", "offender", "warn") == ("play-stops", "N", False)
    assert [step["do"] for step in verdict["remedy"]] == ["stop-play", "redeal"]


def test_f04d_art4_a_card_seen_before_the_first_draw_is_a_misdeal_of_nobody() -> None:
    table = TwinTable(dealt())
    card = table.hand("N")[0]
    table.do(ExposeGesture(N, (card,), -255.0, -200.0), Wait(3.0), TurnUpGesture(S), Wait(3.0))
    table.end()
    assert table.verdicts() == [("F-04d", None, "open")]
    assert told(table.last(), "article", "found", "pair") == ("4, 7", "before_play", None)
    assert told(table.last(), "severity", "needs_referee", "warn") == ("play-stops", False, False)
    assert [one[:2] for one in table.last()["cards"]] == [card[:2]]
    assert [step["do"] for step in table.last()["remedy"]] == ["stop-play", "redeal"]


def test_f04d_art4_what_lies_open_while_cards_are_gathered_is_none() -> None:
    table = TwinTable(dealt())
    table.do(ConsoleGesture("deal", fields={"deal": 1, "dealer": "S"}))
    table.do(ExposeGesture(N, (table.hand("N")[0],), -255.0, -200.0), Wait(2.0))
    table.end()
    assert table.verdicts() == []


def test_f04d_art4_one_card_after_the_other_is_one_misdeal() -> None:
    table = TwinTable(dealt())
    first, second = table.hand("N")[:2]
    table.do(
        TurnUpGesture(S),
        Wait(2.0),
        ExposeGesture(N, (first,), -255.0, -200.0),
        Wait(3.0),
        ExposeGesture(N, (second,), -230.0, -260.0),
    )
    table.do(Wait(3.0))
    table.end()
    assert {(row, seat) for row, seat, _ in table.verdicts()} == {("F-04d", None)}
    assert len({event.data.key for event in table.of("irregularity")}) == 1  # type: ignore[attr-defined]


def test_f04d_art7_the_cards_dealt_anew_bring_no_fault_over() -> None:
    table = TwinTable(dealt(missing=1))
    table.do(ConsoleGesture("rule", fields={"row": "F-05a", "option": "F-04d"}))
    table.do(
        ConsoleGesture("deal", fields={"deal": 1, "dealer": "S"}),
        ClearTable(),
        dealt(seed=6),
        ConsoleGesture("start-play"),
        TurnUpGesture(S),
    )
    table.end()
    assert table.verdicts() == [("F-05a", None, "open"), ("F-04d", None, "ruled")]
    assert (table.of("card.drawn"), table.of("pot.taken")) == ([], [])
    assert table.of("deal.checked")[-1].data.faults == ()  # type: ignore[attr-defined]


class GateLog:
    """The sensors' lines of one deal, written by hand: cards that pass the gates one by one, scales that settle."""

    def __init__(self) -> None:
        self.header = header_for("fibur2024", 9, 1)
        self.fold = TableFold(self.header)
        self.events: list[Any] = []
        self.t = 0.0

    def feed(self, observation: Any) -> None:
        self.events += self.fold.feed(observation)

    def later(self) -> float:
        self.t += 0.25
        return self.t

    def deal(self, stock: int, ghosts: int = 0, **cards: int) -> None:
        uids = iter(self.header.tags)
        self.feed(Console(self.later(), "arbitro-1", "deal", {"deal": 1, "dealer": "S"}))
        for seat, count in cards.items():
            for n in range(count):
                uid = next(uids)
                zones = [f"gate-{seat}", f"gate-{Seat(seat).next}"] if n < ghosts and seat == "N" else [f"gate-{seat}"]
                for zone in zones:
                    self.feed(Tags(self.later(), zone, (uid,)))
                for zone in zones:
                    self.feed(Tags(self.later(), zone, ()))
        for zone, count in (("pots", 22), ("stock", stock)):
            for _ in range(20):
                self.feed(Scale(self.later(), zone, 1.8 * count, settled=True))
        self.feed(Console(self.later(), "arbitro-1", "start-play", {}))
        for _ in range(8):
            self.feed(Scale(self.later(), "stock", 1.8 * stock, settled=True))
        self.events += self.fold.close()

    def of(self, type_: str) -> list[Any]:
        return [event for event in self.events if event.type == type_]

    def verdicts(self) -> list[tuple[str, str | None, str]]:
        return [(e.data.row, e.seat, e.data.state) for e in self.of("irregularity")]


def test_f04d_art4_a_hand_of_twelve_that_its_gate_has_counted() -> None:
    """The stock is a card short and a gate has named twelve: the pack is whole, the deal is wrong."""
    log = GateLog()
    log.deal(N=12, E=11, S=7, W=0, stock=41)
    checked = log.of("deal.checked")[0].data
    assert checked.hands == {"N": 12, "E": 11, "S": None, "W": None}
    assert [(f.zone, f.expected, f.counted) for f in checked.faults] == [("stock", 42, 41), ("hand-N", 11, 12)]
    assert log.verdicts() == [("F-04d", None, "open")]


def test_f05a_art5_gates_that_name_whole_hands_leave_a_short_stock_a_short_pack() -> None:
    log = GateLog()
    log.deal(N=11, E=11, S=11, W=11, stock=41)
    assert log.verdicts() == [("F-05a", None, "open")]


def test_art4_a_card_heard_by_two_gates_counts_for_neither_and_accuses_nobody() -> None:
    log = GateLog()
    log.deal(N=12, E=11, S=11, W=11, stock=42, ghosts=1)
    assert log.of("deal.checked")[0].data.hands["N"] == 11
    assert log.verdicts() == []


def test_f04f_art7_a_misdeal_that_play_has_passed_is_no_longer_put_right() -> None:
    table = TwinTable(dealt(pots=(12, 11)))
    table.do(TurnUpGesture(S), Wait(1.0), DrawGesture(W), Wait(2.0))
    table.end()
    assert table.verdicts() == [("F-04d", None, "open"), ("F-04f", None, "open")]
    assert told(table.last(), "severity", "state") == ("note", "open")
    assert [step["do"] for step in table.last()["remedy"]] == ["nothing"]


def test_f04k_art4_a_pot_of_the_deal_before_under_the_new_ones() -> None:
    table = TwinTable(dealt(pots=(17, 16)))
    table.do(TurnUpGesture(S), Wait(1.0))
    assert table.verdicts() == [("F-04d", None, "open")]
    table.do(DrawGesture(W), Wait(2.0))
    table.end()
    assert table.verdicts() == [("F-04d", None, "open"), ("F-04k", None, "open")]
    assert table.last()["options"] == ["spare-unused", "spare-played"]
    table.do(ConsoleGesture("rule", fields={"row": "F-04k", "option": "spare-played"}))
    table.end()
    assert told(table.last(), "row", "state") == ("F-04k", "ruled")
    assert [step["option"] for step in table.last()["remedy"]] == [None, "spare-played"]


def test_f04k_art4_a_spare_pot_elsewhere_is_a_short_pack_that_may_be_one(script: Any, make_script: Any) -> None:
    short = make_script(stock=31)
    short.turn_up()
    short.draw("W")
    assert short.verdicts() == [("F-05a", None, "open"), ("F-05b", None, "open")]
    assert "F-04k" in short.last()["options"]
    short.console("rule", row="F-05b", option="F-04k")
    assert short.last()["row"] == "F-04k"


def test_f04d_a_card_taken_up_again_stays_seen() -> None:
    table = TwinTable(dealt())
    card = table.hand("N")[0]
    table.do(
        TurnUpGesture(S), Wait(2.0), ExposeGesture(N, (card,), -255.0, -200.0), Wait(2.0), TakeUp(N, (card,)), Wait(2.0)
    )
    table.end()
    assert table.verdicts() == [("F-04d", None, "open")]


def test_f04f_art4_pots_of_eleven_and_twelve_weighed_as_one_take_nothing_from_the_stock(make_script: Any) -> None:
    script = make_script(stock=41, pots=23)
    script.turn_up()
    script.draw("W")
    script.hands(W="", N="")
    script.take_pot("W", giver="N", count=11)
    script.discard("W", "3S")
    script.draw("N")
    script.take_pot("N", giver="W", count=12)
    assert script.fold.state()["stock"] == 41 - 1 - 2
    assert (script.fold.state()["unverified"], script.fold.deal.size) == ({}, 108)


def test_f05b_art5_on_a_short_pack_no_number_of_cards_in_a_hand_is_sure(make_script: Any) -> None:
    short, whole = make_script(stock=41), make_script()
    assert set(short.fold.state()["hands"].values()) == {None}
    assert set(whole.fold.state()["hands"].values()) == {11}


CASES: Final = {
    "test_f03b_art3_the_draw_for_the_seats_is_nothing_to_rule": "nothing_to_rule F-03b",
    "test_f04b_art4_a_cut_far_from_the_half_is_nothing_to_rule": "nothing_to_rule F-04b",
    "test_f04j_art4_who_skipped_his_turn_to_deal_deals_when_it_is_noticed":
        "make_script dealer=S; console deal deal=2 dealer=N; each deal.started dealer = S N; verdicts =",
    "test_f04m_art4_asking_for_the_number_of_cards_is_allowed": "draw W; press W count; verdicts =",
    "test_f04n_art4_who_keeps_the_melds_is_nothing_to_rule": "nothing_to_rule F-04n",
    "test_f04f_art7_the_first_draw_ends_what_was_found_before_whoever_it_was_against":
        "console confirm; expose N 7H; draw W; verdicts = F-04d:None:open F-04f:None:open; last found=later",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, nothing_to_rule)
