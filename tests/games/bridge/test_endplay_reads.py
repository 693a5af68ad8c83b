"""Boards that are written as PBN and LIN are read alike by endplay, a reader that nobody here wrote."""

from __future__ import annotations

import pytest

from table_service.games.bridge.pages.lin_files import event_lin
from table_service.games.bridge.pages.pbn_files import event_pbn
from table_service.games.bridge.pbn.check import check, records_of
from tests.games.bridge.test_event_files import session
from tests.games.bridge.test_lin_files import played

pytest.importorskip("endplay")


@pytest.mark.parametrize("name", ["pbn", "lin"])
def test_endplay_reads_deal_auction_play_contract_and_tricks_of_every_board(name: str) -> None:
    from endplay.parsers import lin, pbn
    from endplay.types import Player

    text = event_pbn([played()]) if name == "pbn" else event_lin([played()])
    boards = (pbn if name == "pbn" else lin).loads(text)
    records = list(records_of(text))
    assert len(boards) == len(records) == 6
    for board, record in zip(boards, records, strict=True):
        answer = check(record)
        told = answer["auction"]
        assert board.dealer is Player.find(str(record.dealer))
        for seat, cards in record.hands.items():
            assert {
                f"{card.rank.abbr}{card.suit.name[0].upper()}" for card in board.deal[Player.find(str(seat))]
            } == set(cards)
        assert len(board.play) == sum(map(len, record.tricks or ()))
        if told["contract"] == "pass":
            assert board.contract.is_passout()
            continue
        assert (board.contract.declarer.abbr, board.contract.level) == (told["declarer"], int(told["contract"][0]))
        assert board.contract.level + 6 + board.contract.result == answer["tricks"]


def test_endplay_reads_the_pbn_of_a_whole_event_with_its_tables_and_an_artificial_score() -> None:
    from endplay.parsers import pbn

    text = event_pbn(session())
    assert len(pbn.loads(text)) == len(list(records_of(text)))
