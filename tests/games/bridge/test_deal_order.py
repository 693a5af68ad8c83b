"""The order that begins a board: what the number says, what a record may be, and every bad input in a sentence."""

import random
from typing import Any

import pytest

from hw.seats import Seat
from table_service.games.bridge.pages.deal_order import DEAL_ORDER, fields_of
from table_service.games.bridge.pbn.check import records_of
from table_service.games.bridge.rules.contract import board_dealer, board_vulnerable
from table_service.games.reports import WrongFieldError
from tests.games.bridge.table_of_bridge import TableOfBridge, deal_hands, pbn_of


def file_of(*numbers: int, seed: int = 1) -> tuple[str, dict[int, dict[Seat, list[str]]]]:
    """A PBN file with these boards, with auctions and comments around the deals; and the hands."""
    chance, parts, dealt = random.Random(seed), [], {}
    for number in numbers:
        dealt[number] = deal_hands(chance)
        deal = pbn_of(dealt[number])
        dealer = board_dealer(number)
        parts.append(f'[Event "Coppa"]\n[Board "{number}"]\n[Dealer "{dealer}"]\n{deal}\n[Auction "{dealer}"]\nAP\n')
    return "% PBN 2.1\n" + "\n".join(parts), dealt


@pytest.mark.parametrize("number", range(1, 37))
def test_dealer_and_vulnerability_are_those_of_the_boards_number(number: int) -> None:
    fields = fields_of({"board": str(number)})
    assert fields == {"dealer": board_dealer(number).value, "board": number, "vulnerable": board_vulnerable(number)}


def test_what_the_arbitro_says_goes_before_the_number() -> None:
    assert fields_of({"board": "1", "dealer": "W", "vulnerable": "both"}) == {
        "dealer": "W",
        "board": 1,
        "vulnerable": "both",
    }
    assert fields_of({"dealer": "E"}) == {"dealer": "E"}


def test_of_a_file_with_many_boards_the_one_of_the_number_is_taken_and_its_cards_alone() -> None:
    text, dealt = file_of(5, 6, 7)
    fields = fields_of({"board": "6", "record": text})
    (record,) = records_of(fields["record"])
    assert (record.board, record.deal, record.dealer) == ("6", "ok", Seat.EAST)
    assert {seat: set(cards) for seat, cards in record.hands.items()} == {s: set(c) for s, c in dealt[6].items()}
    assert "Coppa" not in fields["record"]
    assert "Auction" not in fields["record"]


def test_a_board_of_several_tables_with_the_same_cards_is_one_board() -> None:
    text, dealt = file_of(5)
    (record,) = records_of(
        fields_of({"board": "5", "record": text + "\n" + text.replace("Coppa", "Altra sala")})["record"]
    )
    assert {seat: set(cards) for seat, cards in record.hands.items()} == {s: set(c) for s, c in dealt[5].items()}
    assert DEAL_ORDER.known_of(text + "\n" + text) == ("1 board (5)", "1 boards (5)")


def test_the_table_takes_the_record_that_the_order_brings() -> None:
    text, dealt = file_of(2)
    fields = fields_of({"board": "2", "record": text})
    table = TableOfBridge()
    table.console("start-round", deals=1)
    table.console("deal", deal=1, **fields)
    running = table.fold.game.running
    assert running is not None
    board = running.board
    assert (board.number, board.dealer, board.vulnerable) == (2, Seat.EAST, "NS")
    assert board.record == {seat: frozenset(cards) for seat, cards in dealt[2].items()}


def broken(text: str) -> str:
    return text.replace('[Deal "N:', '[Deal "N:A')


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({}, "Write the board's number"),
        ({"board": "0"}, "'0' is no board's number: write one from 1 to 999."),
        ({"board": "zwölf"}, "'zwölf' is no board's number"),
        ({"board": "1000"}, "'1000' is no board's number"),
        ({"board": "²"}, "'²' is no board's number"),
        ({"board": "3", "dealer": "Q"}, "'Q' is no seat: N, E, S or W."),
        ({"board": "3", "vulnerable": "all"}, "'all' is none of none, NS, EW, both."),
        ({"board": "9", "record": file_of(5, 6)[0]}, "The file has no board 9: it has 5, 6."),
        ({"board": "5", "record": file_of(5, 5)[0]}, "The file has board 5 2 times"),
        ({"board": "5", "record": broken(file_of(5)[0])}, "The cards of board 5 in the file are no whole pack (5: "),
        ({"board": "5", "record": "no PBN at all"}, "The file has no board 5"),
        (
            {"board": "5", "record": file_of(5)[0].replace('[Dealer "N"]', '[Dealer "W"]')},
            "The file says dealer W, the board's number says otherwise: choose dealer and vulnerability.",
        ),
    ],
)
def test_bad_input_is_told_in_a_sentence(form: dict[str, str], said: str) -> None:
    with pytest.raises(WrongFieldError) as told:
        fields_of(form)
    italian, english = told.value.text
    assert english.startswith(said)
    assert italian
    assert italian != english


def test_what_a_file_holds_is_said_without_a_card() -> None:
    text, dealt = file_of(*range(1, 9))
    italian, english = DEAL_ORDER.known_of(text)
    assert (italian, english) == ("8 board (1, 2, 3, 4, 5, 6 …)", "8 boards (1, 2, 3, 4, 5, 6 …)")
    assert not any(
        card[0] + card[1] in english for hands in dealt.values() for cards in hands.values() for card in cards
    )


def test_any_text_is_taken_or_refused_and_nothing_raises() -> None:
    chance, text = random.Random(8), file_of(3, 4)[0]
    for _ in range(60):
        cut = chance.randrange(len(text))
        odd: Any = (
            text[:cut] + chance.choice(["", '"', "[", "N:", "\x00", "{", "%"]) + text[cut + chance.randrange(9) :]
        )
        try:
            fields = fields_of({"board": "3", "record": odd})
        except WrongFieldError:
            continue
        assert next(iter(records_of(fields["record"]))).deal == "ok"
