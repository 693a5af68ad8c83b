"""What ``make bench`` measures of bridge: calls and cards through the engines, boards of records through the check."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hw.cards import BRIDGE
from hw.seats import CLOCKWISE, SEATS, Seat
from table_service.games.bridge.judges.card_play import CardPlay, trick_rules
from table_service.games.bridge.pbn.check import check_file, is_bad
from table_service.games.bridge.rules.auction import NO_BID, Auction
from table_service.games.bridge.rules.contract import Contract
from table_service.games.tricks.order import FRENCH_RANKS

_CALLS: Final = {NO_BID: "Pass"}


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A board called and played lawfully at random; ``plays`` empty where all passed."""

    hands: dict[Seat, tuple[str, ...]]
    dealer: Seat
    calls: tuple[tuple[Seat, str], ...]
    contract: Contract | None
    plays: tuple[tuple[Seat, str], ...]
    tricks: int | None


def played_board(rng: random.Random) -> PlayedBoard:
    """One board."""
    cards = sorted(BRIDGE.copies)
    rng.shuffle(cards)
    hands = {seat: tuple(cards[13 * n : 13 * n + 13]) for n, seat in enumerate(SEATS)}
    dealer = rng.choice(SEATS)
    auction = Auction(dealer)
    while (caller := auction.turn) is not None:
        call = rng.choice(auction.lawful(caller)[:12]) if rng.random() < 0.4 else NO_BID
        auction = auction.called(caller, call)
    contract = auction.contract()
    if contract is None:
        return PlayedBoard(hands, dealer, auction.calls, None, (), None)
    play, rules, held, plays = CardPlay.begun(contract), trick_rules(contract.strain), dict(hands), []
    for n in range(len(cards)):
        seat = play.turn()
        assert seat is not None  # noqa: S101 - all cards are known
        trick = play.play.open
        led = None if trick.is_full(rules) or not trick.plays else trick.led(rules)
        card = rng.choice(sorted(rules.allowed(set(held[seat]), led)))
        held[seat] = tuple(one for one in held[seat] if one != card)
        plays.append((seat, card))
        play = play.played(seat, card, float(n))
    return PlayedBoard(hands, dealer, auction.calls, contract, tuple(plays), play.result())


def call_boards(boards: Sequence[PlayedBoard]) -> int:
    """Judge and make every call of ``boards``, to the contract. How many calls."""
    for one in boards:
        auction = Auction(one.dealer)
        for seat, call in one.calls:
            auction.faults(seat, call)
            auction = auction.called(seat, call)
        auction.contract()
    return sum(len(one.calls) for one in boards)


def play_boards(boards: Sequence[PlayedBoard]) -> int:
    """Play every card of ``boards``, each judged as it is laid, and count the tricks. How many cards."""
    for one in boards:
        if one.contract is None:
            continue
        play = CardPlay.begun(one.contract)
        for seat, card in one.plays:
            play = play.played(seat, card, 0.0)
        play.tricks_won()
    return sum(len(one.plays) for one in boards)


def record_of(boards: Sequence[PlayedBoard]) -> bytes:
    """``boards`` as a file in PBN."""
    return "\n".join(_written(number, one) for number, one in enumerate(boards, 1)).encode()


def _written(number: int, board: PlayedBoard) -> str:
    hands = " ".join(
        ".".join("".join(rank for rank in FRENCH_RANKS if rank + suit in board.hands[seat]) for suit in "SHDC")
        for seat in SEATS
    )
    calls = [_CALLS.get(call, f"{call}T" if call[1:] == "N" else call) for _, call in board.calls]
    lines = [
        f'[Board "{number}"]',
        f'[Dealer "{board.dealer}"]',
        '[Vulnerable "?"]',  # as the number says
        f'[Deal "{SEATS[0]}:{hands}"]',
        f'[Auction "{board.dealer}"]',
        *(" ".join(calls[n : n + 4]) for n in range(0, len(calls), 4)),
    ]
    if board.contract is not None:
        leader = CLOCKWISE.next(board.contract.declarer)
        rows = [dict(board.plays[n : n + 4]) for n in range(0, len(board.plays), 4)]
        lines += [f'[Declarer "{board.contract.declarer}"]', f'[Contract "{board.contract}"]']
        lines += [f'[Result "{board.tricks}"]', f'[Play "{leader}"]']
        seats = [CLOCKWISE.after(leader, n) for n in range(len(SEATS))]
        lines += [" ".join(row[seat][1] + row[seat][0] for seat in seats) for row in rows]
    return "\n".join(lines) + "\n"


def check_record(record: bytes) -> int:
    """Judge every board of ``record``, all of which are sound. How many boards."""
    answers = list(check_file(record, "bench.pbn"))
    assert not any(map(is_bad, answers))  # noqa: S101 - else other work was measured
    return len(answers)
