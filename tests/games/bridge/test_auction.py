"""Auctions: any call is taken; what is lawful, whose turn it is, and the contract that comes of it."""

import random
from collections.abc import Iterable

import pytest

from hw.seats import Seat
from table_service.games.bridge.rules.auction import CALLS, Auction, CallFault
from table_service.games.bridge.rules.contract import BIDS, Contract

N, E, S, W = Seat


def auction(calls: str, dealer: Seat = N) -> Auction:
    """The auction of ``calls`` in turn from ``dealer``."""
    made = Auction(dealer)
    for call in calls.split():
        seat = made.turn
        assert seat is not None
        assert made.faults(seat, call) == ()
        made = made.called(seat, call)
    return made


@pytest.mark.parametrize(
    ("calls", "contract"),
    [
        ("1N P 3N P P P", Contract("3N", N)),
        ("P 1H P 2H P 4H P P P", Contract("4H", E)),
        ("1S X XX 2C P P X P P P", Contract("2C", W, "X")),
        ("1C P P X P 1D P P P", Contract("1D", E)),
        ("1H P 2D P 2H P 3D P P P", Contract("3D", S)),
        ("1S P 2S X XX P P P", Contract("2S", N, "XX")),
        ("P P P P", None),
    ],
)
def test_the_contract_of_an_auction(calls: str, contract: Contract | None) -> None:
    made = auction(calls)
    assert made.is_over
    assert made.turn is None
    assert made.contract() == contract


def test_three_passes_first_end_nothing_and_an_open_auction_has_no_contract() -> None:
    assert not auction("P P P").is_over
    assert auction("1N P P").contract() is None


@pytest.mark.parametrize(
    ("calls", "seat", "call", "fault"),
    [
        ("1N", S, "2N", CallFault.OUT_OF_TURN),
        ("1N", E, "1S", CallFault.INSUFFICIENT),
        ("1N", E, "1N", CallFault.INSUFFICIENT),
        ("1N P", S, "X", CallFault.INADMISSIBLE),
        ("P", E, "X", CallFault.INADMISSIBLE),
        ("1N X P", W, "X", CallFault.INADMISSIBLE),
        ("1N", E, "XX", CallFault.INADMISSIBLE),
        ("1N P P P", N, "2C", CallFault.AFTER_THE_END),
        ("1N", E, "8C", CallFault.UNREADABLE),
    ],
)
def test_calls_that_are_not_lawful(calls: str, seat: Seat, call: str, fault: CallFault) -> None:
    assert fault in auction(calls).faults(seat, call)


def test_a_call_out_of_turn_may_be_insufficient_too_and_both_are_told() -> None:
    assert set(auction("2N").faults(W, "1C")) == {CallFault.OUT_OF_TURN, CallFault.INSUFFICIENT}


def test_every_call_is_taken_and_play_goes_on_from_who_made_it() -> None:
    made = Auction(N).called(W, "1H").called(W, "nonsense")
    assert (made.bid, made.turn) == ("1H", N)
    assert made.called(N, "1C").bid == "1C"  # what lies there lies there; the arbitro decides


def lawful_by_listing(calls: Iterable[tuple[Seat, str]], seat: Seat) -> set[str]:
    """What ``seat`` may call, read from the list of calls alone (laws 18, 19)."""
    made = list(calls)
    bids = [(who, call) for who, call in made if call in BIDS]
    higher = set(BIDS if not bids else BIDS[BIDS.index(bids[-1][1]) + 1 :])
    others = [(who, call) for who, call in made if call != "P"]
    allowed = {"P", *higher}
    if others:
        who, call = others[-1]
        if call in BIDS and who.line is not seat.line:
            allowed.add("X")
        if call == "X" and who.line is not seat.line:
            allowed.add("XX")
    return allowed


def test_random_auctions_end_with_the_contract_of_their_last_bid() -> None:
    auctions_agree(600)
    assert len(CALLS) == 38


@pytest.mark.sweep
def test_twenty_thousand_random_auctions_agree_with_a_second_reading() -> None:
    auctions_agree(20_000)


def auctions_agree(number: int) -> None:
    """Lawful calls and contracts of so many random auctions, against what the list of calls alone says."""
    chance = random.Random(4)
    for _ in range(number):
        made = Auction(chance.choice(list(Seat)))
        while (seat := made.turn) is not None:
            lawful = made.lawful(seat)
            assert set(lawful) == lawful_by_listing(made.calls, seat)
            made = made.called(seat, chance.choice(lawful if chance.random() < 0.4 else ("P",)))
        bids = [(who, call) for who, call in made.calls if call in BIDS]
        contract = made.contract()
        if not bids:
            assert contract is None
            assert len(made.calls) == 4
            continue
        assert contract is not None
        assert contract.bid == bids[-1][1]
        first = next(who for who, call in bids if call[1] == contract.strain and who.line is bids[-1][0].line)
        assert contract.declarer is first
