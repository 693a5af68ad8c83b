"""What the arbitro says of single tricks: a card that was read otherwise, one that was missing, and what follows."""

from typing import Any

import pytest

from hw.seats import Seat
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.corrected_tricks import corrected
from table_service.games.bridge.judges.order_costs import order_costs, result
from table_service.games.bridge.judges.ordered_leads import LeadOrder
from table_service.games.bridge.rules.contract import Contract
from tests.games.bridge.table_of_bridge import TableOfBridge
from tests.games.bridge.test_rows_observed import rows, started, trick

N, E, S, W = Seat


def correct(table: TableOfBridge, seat: Seat, number: object, *cards: str) -> list[str]:
    told = table.console("correct", zone=f"played-{seat}", n=number, cards=list(cards))
    return [one.type for one in told]


def won(table: TableOfBridge) -> list[dict[str, Any]]:
    return table.of("trick.won")


def test_a_card_that_was_read_otherwise_is_put_right_and_the_trick_goes_to_who_has_won_it() -> None:
    table = started(lead="9S")
    trick(table, E, (S, "6S"), (W, "3S"), (N, "QS"))
    assert (won(table)[-1]["winner"], table.fold.state()["turn"]["seat"]) == ("N", "N")
    correct(table, N, 1, "2H")  # North had no spade: the queen was a misreading
    assert (won(table)[-1]["winner"], won(table)[-1]["corrected"]) == ("E", True)
    assert won(table)[-1]["cards"]["N"] == "2H"
    assert table.fold.state()["turn"]["seat"] == "E"
    assert table.fold.state()["tricks"] == {"NS": 0, "EW": 1}


def test_a_lead_that_seemed_out_of_turn_by_a_misread_card_accuses_nobody_once_that_is_put_right() -> None:
    table = started(lead="9S")
    trick(table, E, (S, "6S"), (W, "3S"), (N, "QS"))
    table.play(E, "JD")
    assert ("law-56", "E", "open") in rows(table)
    correct(table, N, 1, "2H")
    assert [one for one in rows(table) if one[2] == "open"] == []


def test_67_a_card_that_was_missing_is_supplied_its_back_is_no_card_of_the_next_trick() -> None:
    table = started()
    trick(table, E, (S, "6S"), (W, "3S"))
    table.play(E, "9S")
    assert ("law-67", "N", "open") in rows(table)
    table.console("rule", row="law-67", seat="N")
    correct(table, N, 1, "2H")
    assert won(table)[-1]["cards"] == {"N": "2H", "E": "TS", "S": "6S", "W": "3S"}
    table.backs[N].append(0.0)
    for _ in range(4):
        table.wait(2.0)
        table.sight()
    trick(table, N, (S, "5S"), (W, "2S"), (N, "QS"))
    assert won(table)[-1]["cards"] == {"N": "QS", "E": "9S", "S": "5S", "W": "2S"}
    assert [(row, state) for row, _, state in rows(table)] == [("law-67", "ruled")]


@pytest.mark.parametrize(
    ("seat", "number", "cards"),
    [
        (N, 2, ("AS",)),
        (N, 0, ("AS",)),
        (N, True, ("AS",)),
        (N, "1", ("AS",)),
        (N, 1, ()),
        (N, 1, ("XX",)),
        (N, 99, ("AS",)),
    ],
)
def test_a_correction_that_names_no_card_of_a_trick_is_refused_with_a_sentence(
    seat: Seat, number: object, cards: tuple[str, ...]
) -> None:
    table = started()
    before = table.fold.state()
    assert correct(table, seat, number, *cards) == ["table.health"]
    assert table.fold.state() == before


def test_nothing_is_corrected_in_a_trick_that_nobody_has_played_to() -> None:
    play = CardPlay.begun(Contract("3N", N))
    assert corrected(play, 1, E, "TS") is play
    assert corrected(play.played(E, "TS", 0.0), 2, E, "9S").tricks == play.played(E, "TS", 0.0).tricks


def played(text: str) -> CardPlay:
    """3NT by North; tricks of four cards each, from who leads on, clockwise."""
    play = CardPlay.begun(Contract("3N", N))
    for card in text.split():
        turn = play.turn()
        assert turn is not None
        play = play.played(turn, card, 0.0)
    return play


@pytest.mark.parametrize(
    ("order", "text", "tricks"),
    [
        # East is to lead hearts, leads the ace of spades and wins it, and a trick later
        (LeadOrder(E, "require", "H", 1), "AS 4S 2S TS AH 5H 2H KH 9C 6C 2C AC", 2),
        # he wins neither that trick nor a later one of his side
        (LeadOrder(E, "require", "H", 1), "9S 4S 2S AS QC 9C 6C 2C KH 9H 5H 2H", 0),
        # not his own trick, a later one of his side
        (LeadOrder(E, "require", "H", 1), "9S 4S 2S AS KC 9C 6C AC 2H KH TH 5H 9H 6H 3H 4H", 1),
        # the suit that was forbidden, another one in the hand
        (LeadOrder(E, "forbid", "S", 1), "AS 4S 2S TS AH 5H 2H KH 9C 6C 2C AC", 2),
        # kept
        (LeadOrder(E, "forbid", "H", 1), "AS 4S 2S TS JD 6D 2D AD 2C 9C 6C AC", None),
    ],
)
def test_61a_a_lead_against_the_order_costs_the_tricks_of_a_revoke(
    order: LeadOrder, text: str, tricks: int | None
) -> None:
    costs = order_costs(played(text), (order,))
    assert [cost.tricks for _, cost in costs] == ([] if tricks is None else [tricks])


def test_61a_until_the_offending_side_plays_on_the_lead_is_not_established() -> None:
    assert order_costs(played("AS 4S 2S TS"), (LeadOrder(E, "require", "H", 1),)) == ()


def test_a_board_that_is_not_played_out_has_no_result_by_such_a_lead() -> None:
    assert result(played("AS 4S 2S TS AH 5H 2H KH"), (LeadOrder(E, "require", "H", 1),)) is None
