"""A table that knows its boards begins each by itself, and a board from elsewhere is asked about."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hw.seats import Seat
from table_service.games.bridge.rules.contract import board_dealer, board_vulnerable
from tests.games.bridge.table_of_bridge import TableOfBridge, deal_hands, pbn_of
from tests.games.bridge.test_boards_observed import play_board

N, E, S, W = Seat


def begun(boards: tuple[int, ...], **fields: Any) -> TableOfBridge:
    table = TableOfBridge(step=1.0)
    table.console("start-round", deals=len(boards), boards=list(boards), **fields)
    return table


def placed(table: TableOfBridge) -> list[int]:
    return [one["board"] for one in table.of("board.placed")]


def cleared(table: TableOfBridge, seconds: float = 3.0) -> None:
    table.tray = {seat: [] for seat in Seat}
    table.wait()
    table.sight()
    table.wait(seconds)
    table.sight()


def test_one_order_is_enough_for_the_boards_of_a_round() -> None:
    chance, boards = random.Random(5), (7, 8, 9)
    hands = {number: deal_hands(chance) for number in boards}
    table = begun(boards, records={str(number): pbn_of(hands[number]) for number in boards})
    assert table.fold.state()["next_board"] == 8
    for number in boards:
        assert placed(table)[-1] == number
        play_board(table, chance, number, record=False, hands=hands[number], ordered=False)
        cleared(table)
    assert placed(table) == list(boards)
    assert [one["vulnerable"] for one in table.of("board.placed")] == [board_vulnerable(number) for number in boards]
    assert [one["recorded"] for one in table.of("board.placed")] == [True, True, True]
    assert [one.deal for one in table.events if one.type == "score.counted"] == [1, 2, 3]
    assert [one for one in table.found if one["row"] != "NI-18.3"] == []
    assert table.fold.state()["next_board"] is None
    assert table.fold.state()["boards"] == [7, 8, 9]


def test_the_next_board_waits_while_cards_lie_on_the_table() -> None:
    table = begun((1, 2))
    play_board(table, random.Random(9), 1, record=False, ordered=False)
    assert placed(table) == [1]
    table.up[N] = ["2C"]
    table.wait()
    table.sight()
    table.wait(9.0)
    table.sight()
    assert placed(table) == [1]


def test_a_result_nobody_knows_keeps_the_next_board_until_both_lines_have_answered() -> None:
    table = begun((1, 2))
    table.stand(N)
    table.auction(N, "1N P P P")
    table.clear()
    table.lead(E, "AH")
    table.open(E)
    for seat, card in ((S, "2H"), (W, "3H"), (N, "4H")):
        table.play(seat, card)
    table.quit(E)
    table.said(S, "result:13")
    table.press(S, "ready")
    table.press(W, "ready")
    table.backs = {seat: [] for seat in Seat}
    cleared(table)
    (counted,) = (one for one in table.events if one.type == "score.counted")
    assert counted.data.doubtful  # type: ignore[attr-defined]
    assert placed(table) == [1]
    for line in ("NS", "EW"):
        table.said(N, f"sheet-no:{line}:{counted.id}")
    cleared(table)
    assert placed(table) == [1, 2]


@pytest.mark.parametrize("number", [2, 3])
def test_a_player_names_the_board_that_lies_there_before_anybody_calls(number: int) -> None:
    table = begun((1, 2, 3))
    table.said(N, f"board:{number}")
    assert placed(table) == [1, number]
    assert table.fold.state()["deal"] == 1
    assert table.fold.state()["dealer"] == str(board_dealer(number))
    assert table.fold.state()["next_board"] == 1
    assert table.found == []
    table.stand(board_dealer(number))
    table.call(board_dealer(number), "P")
    table.said(N, "board:1")
    assert placed(table) == [1, number]


def test_a_board_from_elsewhere_is_a_note_to_the_arbitro_and_accuses_nobody() -> None:
    table = begun((1, 2, 3))
    table.said(N, "board:12")
    (found,) = table.found
    assert (found["row"], found["offender"], found["severity"], found["state"]) == ("law-15", None, "note", "open")
    assert found["needs_referee"]
    ordered = begun((1, 2, 3))
    ordered.console("deal", board=2, dealer="E")
    assert ordered.found == []
    ordered.console("deal", board=20, dealer="W")
    assert [one["row"] for one in ordered.found] == ["law-15"]


@pytest.mark.parametrize("boards", [["7"], [True], [0], "7", [1.5], {"7": 1}, [10**30]])
def test_boards_that_make_no_sense_are_told_and_the_round_goes_on(boards: Any) -> None:
    table = TableOfBridge()
    table.console("start-round", deals=3, boards=boards, records=7)
    assert "boards" not in table.fold.state()
    table.console("deal", board=4, dealer="W")
    assert placed(table) == [4]
