"""Deals of dealing machines (DUP, DLM) and RBN are read for a whole session; what is broken is told."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

import pytest

from hw.seats import Seat
from table_service.games.bridge.pages.deal_order import check_records, known_of, records_by_number
from table_service.games.bridge.pbn.check import check_file, records_of
from table_service.games.bridge.rules.contract import board_dealer, board_vulnerable
from tests.games.bridge.table_of_bridge import deal_hands

SUITS, RANKS = "SHDC", "AKQJT98765432"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
Hands = Mapping[Seat, Sequence[str]]


def deals(count: int, seed: int = 4) -> list[dict[Seat, list[str]]]:
    chance = random.Random(seed)
    return [deal_hands(chance) for _ in range(count)]


def dup(boards: Sequence[Hands], first: int) -> str:
    symbols = "\x06\x03\x04\x05"
    told = []
    for hands in boards:
        numbers = "".join(f"{PACK.index(card) + 1:02d}" for seat in list(Seat)[:3] for card in hands[seat])
        shown = "".join(
            symbol + "".join(card[0] for card in hands[seat] if card[1] == suit)
            for seat in Seat
            for symbol, suit in zip(symbols, SUITS, strict=True)
        )
        told.append(f"{numbers}{shown}YN{first:<3d}0 {first + len(boards) - 1:<3d}")
    return "".join(told)


def dlm(boards: Sequence[Hands], first: int) -> str:
    lines = ["[Document]", "Headline=x", "Status=Show", f"From board={first}", f"To board={first + len(boards) - 1}"]
    for number in range(1, 100):
        if first <= number < first + len(boards):
            owner = {card: list(Seat).index(seat) for seat, cards in boards[number - first].items() for card in cards}
            every = [owner[card] for card in PACK]
            letters = "".join(chr(97 + 4 * every[n] + every[n + 1]) for n in range(0, 52, 2))
        else:
            letters = "aaaaaabffffffkkkkkklpppppp"
        check = number
        for one in letters:
            check ^= ord(one)
        lines.append(f"Board {number:02d}={letters}{check:03d}")
    return "\r\n".join(lines) + "\r\n"


def rbn(boards: Sequence[Hands], first: int) -> str:
    def hand(cards: Sequence[str]) -> str:
        return ".".join("".join(rank for rank in RANKS if rank + suit in cards) for suit in SUITS)

    told = []
    for number, hands in enumerate(boards, start=first):
        vulnerable = {"none": "Z", "NS": "N", "EW": "E", "both": "B"}[board_vulnerable(number)]
        three = ":".join(hand(hands[seat]) for seat in list(Seat)[1:])
        told.append(f"E Coppa\nB {number}\nH E:{three}:\nA {board_dealer(number)}{vulnerable}:PPPP\n")
    return "\n".join(told)


@pytest.mark.parametrize("write", [dup, dlm, rbn])
@pytest.mark.parametrize("first", [1, 19])
def test_every_board_of_a_session_has_its_number_dealer_vulnerability_and_hands(
    write: Callable[[Sequence[Hands], int], str], first: int
) -> None:
    boards = deals(27)
    text = write(boards, first)
    records = list(records_of(text))
    assert [one.board for one in records] == [str(first + n) for n in range(27)]
    for record, hands in zip(records, boards, strict=True):
        assert record.deal == "ok"
        assert {seat: set(cards) for seat, cards in record.hands.items()} == {s: set(c) for s, c in hands.items()}
        assert record.dealer is board_dealer(int(record.board))
        assert record.vulnerable == board_vulnerable(int(record.board))
        assert record.errors == []
    check_records(text)
    assert known_of(text)[0].startswith("27 board")
    assert set(records_by_number(text, range(1, 100))) == set(range(first, first + 27))


def test_what_is_broken_is_told_and_nothing_raises() -> None:
    boards = deals(3)
    whole = dlm(boards, 1)
    assert "Board 02=" in whole
    wrong = whole.replace("Board 02=", "Board 2=").replace("Board 2=a", "Board 2=b").replace("Board 2=e", "Board 2=f")
    broken = list(check_file(wrong.replace(" 03=", " 03=p").encode(), "x.dlm"))
    assert len(broken) == 2  # the third line is none of a board
    cut = list(check_file(dup(boards, 1)[:-20].encode("latin-1"), "x.dup"))
    assert any("ends within a board" in one["text"] for answer in cut for one in answer["errors"])
    twice = dup(boards, 1)
    twice = twice[:2] + twice[:2] + twice[4:]
    assert next(iter(check_file(twice.encode("latin-1"), "x.dup")))["deal"] != "ok"
    chance = random.Random(7)
    for write in (dup, dlm, rbn):
        text = write(boards, 1)
        for _ in range(150):
            place = chance.randrange(len(text))
            changed = text[:place] + chance.choice("01 aZ:.=\n\x00é") + text[place + chance.randrange(3) :]
            list(check_file(changed.encode("latin-1", "replace"), "x"))
