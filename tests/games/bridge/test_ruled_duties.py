"""What players owe by a ruling (laws 24, 26, 50D2, 54 of 2007), from observations: it is watched that it is kept."""

import json

import pytest

from hw.seats import Seat
from table_service.events import dumps
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.ordered_plays import broken_plays, play_order
from table_service.games.bridge.rules.contract import Contract
from tests.games.bridge.table_of_bridge import TableOfBridge, pbn_of
from tests.games.bridge.test_rows_observed import HANDS as NORTHS
from tests.games.bridge.test_rows_observed import rows, trick

N, E, S, W = Seat
HANDS = {
    N: ["TS" if card == "AS" else card for card in NORTHS[N]],
    E: ["AS" if card == "TS" else card for card in NORTHS[E]],
    S: NORTHS[S],
    W: NORTHS[W],
}
"""Declarer North in no trump; East leads the ace of spades, wins, and leads again."""


def called(*, record: bool) -> TableOfBridge:
    table = TableOfBridge()
    table.begin(N, vulnerable="none", **({"record": pbn_of(HANDS)} if record else {}))
    table.auction(N, "3N P P P")
    table.clear()
    table.shut()
    return table


def easts_second_lead(*, record: bool, aside: tuple[str, ...] = ()) -> TableOfBridge:
    """East has won the first trick; West has laid ``aside`` cards open before that."""
    table = called(record=record)
    table.lead(E, "AS")
    table.open(E)
    table.show(S, HANDS[S])
    table.aside[W] = list(aside)
    trick(table, E, (S, "4S"), (W, "2S"), (N, "TS"))
    return table


def choice_of(table: TableOfBridge) -> str:
    assert ("law-50D2", "W", "open") in rows(table)
    return str(next(one["key"] for one in table.found if one["row"] == "law-50D2"))


@pytest.mark.parametrize(
    ("option", "led", "is_broken"),
    [
        ("require-H", "9H", False),
        ("require-H", "JD", True),
        ("forbid-H", "JD", False),
        ("forbid-H", "9H", True),
    ],
)
def test_50d2_what_declarer_chooses_is_watched_and_the_cards_of_the_suit_go_back(
    option: str, led: str, is_broken: bool
) -> None:
    table = easts_second_lead(record=True, aside=("4H", "3H"))
    table.console("rule", key=choice_of(table), option=option)
    assert table.fold.state()["penalty_cards"] == []
    way, suit = option.split("-")
    assert table.fold.state()["lead_orders"] == [{"seat": "E", "way": way, "suit": suit}]
    table.play(E, led)
    assert (("law-61-lead", "E", "open") in rows(table)) is is_broken
    assert ("law-50D2", "W", "ruled") in rows(table)
    assert {one[0] for one in rows(table)} <= {"law-50D2", "law-61-lead"}


def test_50d2_neither_leaves_the_cards_and_binds_nobody() -> None:
    table = easts_second_lead(record=True, aside=("4H", "3H"))
    table.console("rule", key=choice_of(table), option="neither")
    assert {one["card"] for one in table.fold.state()["penalty_cards"]} == {"4H", "3H"}
    assert table.fold.state()["lead_orders"] == []
    table.play(E, "JD")
    assert [one[0] for one in rows(table)] == ["law-50D2"]


def test_50d2_is_no_question_for_a_minor_card_nor_when_declarer_leads() -> None:
    assert rows(easts_second_lead(record=True, aside=("4H",))) == []


def test_without_a_record_a_lead_against_the_order_is_told_only_when_a_later_card_proves_it() -> None:
    table = easts_second_lead(record=False, aside=("4H", "3H"))
    table.console("rule", key=choice_of(table), option="require-H")
    trick(table, N, (E, "JD"), (S, "6D"), (W, "2D"), (N, "AD"))
    assert [one[0] for one in rows(table)] == ["law-50D2"]
    trick(table, N, (N, "AH"), (E, "9H"))
    assert ("law-61-lead", "E", "open") in rows(table)


def test_26_a_suit_that_declarer_requires_is_owed_at_the_partners_first_lead_and_the_score_waits() -> None:
    table = called(record=True)
    table.console("rule", row="law-26", seat="W", option="require-D")
    table.lead(E, "AS")
    table.open(E)
    table.show(S, HANDS[S])
    assert ("law-61-lead", "E", "open") in rows(table)
    kept = called(record=True)
    kept.console("rule", row="law-26", seat="W", option="forbid-D")
    kept.lead(E, "AS")
    kept.open(E)
    trick(kept, E, (S, "4S"), (W, "2S"), (N, "TS"))
    assert kept.fold.state()["lead_orders"] == [{"seat": "E", "way": "forbid", "suit": "D"}]  # he has kept the lead
    trick(kept, N, (E, "9H"), (S, "5H"), (W, "2H"), (N, "AH"))
    assert kept.fold.state()["lead_orders"] == []
    assert [one[0] for one in rows(kept)] == ["law-26"]


def led_by_west() -> TableOfBridge:
    """West leads out of turn, and East opens the aperture."""
    table = called(record=True)
    table.lead(W, "5D")
    table.open(E)
    assert rows(table) == [("FIGB-4", "W", "open")]
    return table


def test_54a_who_was_to_declare_is_dummy() -> None:
    table = led_by_west()
    table.console("rule", key=table.found[0]["key"], option="54A")
    table.show(N, HANDS[N])
    assert table.fold.state()["dummy"]["seat"] == "N"
    assert table.fold.state()["declarer"] == "S"
    table.play(N, "AD")
    assert [one[0] for one in rows(table)] == ["FIGB-4"]


@pytest.mark.parametrize("option", ["54B", "54C"])
def test_54b_and_54c_the_lead_stands_and_declarer_stays(option: str) -> None:
    table = led_by_west()
    table.console("rule", key=table.found[0]["key"], option=option)
    assert table.fold.state()["trick"] == {"n": 1, "cards": [{"seat": "W", "card": "5D"}]}
    assert table.fold.state()["declarer"] == "N"
    assert table.fold.state()["penalty_cards"] == []


def test_54d_the_lead_is_a_major_penalty_card_and_east_leads_as_declarer_wishes() -> None:
    table = led_by_west()
    table.console("rule", key=table.found[0]["key"], option="54D")
    assert table.fold.state()["penalty_cards"] == [{"seat": "W", "card": "5D", "kind": "major"}]
    assert table.fold.state()["turn"]["seat"] == "E"
    table.take_card(W, "5D")
    table.aside[W] = ["5D"]
    table.sight()
    table.console("rule", key=choice_of(table), option="forbid-D")
    table.play(E, "AS")
    table.show(S, HANDS[S])
    assert sorted(rows(table)) == [("FIGB-4", "W", "ruled"), ("law-50D2", "W", "ruled")]


def exposed_in_the_auction() -> TableOfBridge:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.call(N, "1N")
    table.aside[E] = ["JH"]
    for _ in range(2):
        table.wait()
        table.sight()
    return table


def test_24_a_card_that_lies_open_in_the_auction_is_told_to_nobody_and_is_a_penalty_card_of_a_defender() -> None:
    table = exposed_in_the_auction()
    assert not [one for one in table.events if "JH" in dumps(one)]
    assert "JH" not in json.dumps(table.fold.state())
    table.call(E, "P")
    table.push()
    for seat, call in ((S, "3N"), (W, "P")):
        table.call(seat, call)
    table.push()
    for seat in (N, E):
        table.call(seat, "P")
    table.push()
    table.call(S, "P")
    table.push()
    assert not [one for one in table.events if "JH" in dumps(one)]
    table.clear()
    table.shut()
    table.lead(E, "9S")
    table.open(E)
    assert table.fold.state()["penalty_cards"] == [{"seat": "E", "card": "JH", "kind": "major"}]
    table.console("end-round")
    assert ("law-24-auction", "E", "open") in rows(table)
    assert next(one for one in table.found if one["row"] == "law-24-auction")["unconfirmed"] is True


@pytest.mark.parametrize(("call", "found"), [("P", []), ("2H", [("law-37", "W", "open")])])
def test_24b_the_partner_passes_at_the_next_turn(call: str, found: list[tuple[str, str, str]]) -> None:
    table = exposed_in_the_auction()
    table.console("rule", row="law-24-auction", seat="E", option="24B")
    table.call(E, "P")
    table.push()
    table.call(S, "2D")
    table.call(W, call)
    table.push()
    assert rows(table) == [("law-24-auction", "E", "ruled"), *found]
    table.call(N, "2S")
    table.call(E, "P")
    table.push()
    table.call(S, "P")
    table.call(W, "3C")  # owed once only
    table.push()
    assert rows(table) == [("law-24-auction", "E", "ruled"), *found]


def west_before_east(option: str, *, record: bool = True) -> TableOfBridge:
    """North has won the first trick and leads a diamond; West plays before East, and declarer chooses ``option``."""
    table = called(record=record)
    table.lead(E, "7S")
    table.open(E)
    table.show(S, HANDS[S])
    trick(table, N, (S, "4S"), (W, "2S"), (N, "TS"))
    table.play(N, "AD")
    table.play(W, "2D")
    assert ("law-57", "W", "open") in rows(table)
    table.console("rule", row="law-57", seat="W", option=option)
    return table


@pytest.mark.parametrize(
    ("option", "played", "is_broken"),
    [
        ("highest", "JD", False),
        ("highest", "TD", True),
        ("lowest", "9D", False),
        ("lowest", "TD", True),
        ("forbid-H", "JD", False),
        ("neither", "TD", False),
    ],
)
def test_57_what_declarer_asks_of_the_partner_is_watched(option: str, played: str, is_broken: bool) -> None:
    table = west_before_east(option)
    table.play(E, played)
    assert (("law-61-lead", "E", "open") in rows(table)) is is_broken
    assert {one[0] for one in rows(table)} <= {"law-57", "law-61-lead"}


def test_57_without_a_record_a_later_card_proves_that_a_higher_one_was_there() -> None:
    table = west_before_east("highest", record=False)
    trick(table, N, (E, "TD"), (S, "6D"))
    assert [one[0] for one in rows(table)] == ["law-57"]
    trick(table, N, (N, "KD"), (E, "JD"))
    assert ("law-61-lead", "E", "open") in rows(table)


def test_57_who_has_played_already_owes_nothing() -> None:
    table = called(record=True)
    table.lead(E, "9S")
    table.open(E)
    table.show(S, HANDS[S])
    table.play(W, "2S")
    assert ("law-57", "W", "open") in rows(table)
    table.console("rule", row="law-57", seat="W", option="highest")
    trick(table, N, (S, "4S"), (N, "TS"))
    assert [one[0] for one in rows(table)] == ["law-57"]


@pytest.mark.parametrize(("option", "is_broken"), [("require-H", True), ("forbid-C", True), ("require-C", False)])
def test_57_a_suit_is_asked_for_only_where_the_partner_cannot_follow(option: str, is_broken: bool) -> None:
    order = play_order(CardPlay.begun(Contract("3N", N)).played(N, "AS", 0.0).played(W, "2S", 0.0), option, W)
    assert order is not None
    hands = {E: frozenset({"AC", "KC", "AH"})}
    play = CardPlay.begun(Contract("3N", N), hands).played(N, "AS", 0.0).played(W, "2S", 0.0).played(E, "KC", 0.0)
    assert bool(list(broken_plays(play, (order,)))) is is_broken
    follows = CardPlay.begun(Contract("3N", N)).played(N, "AS", 0.0).played(W, "2S", 0.0).played(E, "3S", 0.0)
    assert list(broken_plays(follows, (order,))) == []
