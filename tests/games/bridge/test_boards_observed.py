"""Whole boards as observations: auction, contract, tricks, score and events are what the engines say."""

import random

import pytest

from hw.seats import Seat
from table_service.games.bridge.judges.card_play import CardPlay, trick_rules
from table_service.games.bridge.rules.auction import Auction
from table_service.games.bridge.rules.contract import board_vulnerable, is_vulnerable
from table_service.games.bridge.rules.score import score
from tests.games.bridge.table_of_bridge import TableOfBridge, deal_hands, pbn_of

auctions: list[Auction] = []


def random_auction(chance: random.Random, dealer: Seat) -> Auction:
    auction = Auction(dealer)
    while (seat := auction.turn) is not None:
        lawful = auction.lawful(seat)
        few = lawful[: min(len(lawful), 8)]
        auction = auction.called(seat, chance.choice(few) if chance.random() < 0.35 else "P")
    return auction


def play_board(
    table: TableOfBridge,
    chance: random.Random,
    number: int,
    *,
    record: bool,
    hands: dict[Seat, list[str]] | None = None,
    ordered: bool = True,
) -> CardPlay | None:
    """Play board ``number`` lawfully before the sensors; the play as the engine has it, None where all passed.

    ``ordered``: the console orders the board; else the table knows that it comes.
    """
    dealer = list(Seat)[(number - 1) % 4]
    hands = hands or deal_hands(chance)
    auction = random_auction(chance, dealer)
    auctions.append(auction)
    if ordered:
        table.begin(dealer, number, **({"record": pbn_of(hands)} if record else {}))
    else:
        table.stand(dealer)
    table.shut()  # it stays closed while they call (app. 4, 1)
    table.put_back()
    table.auction(dealer, " ".join(call for _, call in auction.calls))
    contract = auction.contract()
    if contract is None:
        return None
    engine = CardPlay.begun(contract)
    rules = trick_rules(contract.strain)
    table.clear()
    held = {seat: set(cards) for seat, cards in hands.items()}
    for place in range(52):
        seat = engine.turn()
        assert seat is not None
        trick = engine.play.open
        led = None if trick.is_full(rules) or not trick.plays else trick.led(rules)
        card = chance.choice(sorted(rules.allowed(held[seat], led)))
        held[seat].discard(card)
        if place == 0:
            table.lead(seat, card)
            table.open(seat)
            table.show(contract.declarer.partner, sorted(hands[contract.declarer.partner]))
        else:
            if seat is contract.declarer.partner and card in table.spread[seat]:
                table.spread[seat].remove(card)
            table.play(seat, card)
        engine = engine.played(seat, card, table.t)
        if engine.play.open.is_full(rules):
            winner = engine.play.open.winner(rules)
            assert winner is not None
            table.quit(winner)
    table.backs = {seat: [] for seat in Seat}
    table.spread = {seat: [] for seat in Seat}
    return engine


@pytest.mark.parametrize("record", [False, True])
def test_boards_played_lawfully_are_told_as_the_engines_have_them_and_nobody_is_accused(record: bool) -> None:
    chance = random.Random(18)
    table = TableOfBridge(step=1.0)
    for number in range(1, 7):
        table.events.clear()
        engine = play_board(table, chance, number, record=record)
        (counted,) = table.of("score.counted")
        (ended,) = table.of("deal.ended")
        assert [one for one in table.found if one["row"] != "NI-18.3"] == []
        if engine is None:
            assert ended["manner"] == "passed"
            assert counted["lines"]["NS"]["total"] == 0
            continue
        assert ended["manner"] == "played"
        won = table.of("trick.won")
        assert [one["winner"] for one in won] == [str(one.by) for one in engine.turned]
        assert [one["cards"] for one in won] == [{str(s): c for s, c in one.trick.plays} for one in engine.turned]
        tricks = engine.result()
        assert tricks is not None
        line = engine.contract.declarer.line
        points = score(engine.contract, tricks, vulnerable=is_vulnerable(line, board_vulnerable(number))).total
        assert counted["lines"][str(line)]["total"] == points
        assert counted["doubtful"] == []
        calls = [(one["seat"], one["call"]) for one in table.of("call.made")]
        assert calls == [(str(seat), call) for seat, call in auctions[-1].calls]
        assert table.fold.state()["phase"] == "over"
