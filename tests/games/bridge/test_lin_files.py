"""Boards as LIN for other programs, a viewer's link without a name, and results as Bridgemate's connector has them."""

from __future__ import annotations

import json
from functools import cache
from urllib.parse import unquote

from table_service.games.bridge.pages.bridgemate import bridgemate_json
from table_service.games.bridge.pages.hand_records import event_hands
from table_service.games.bridge.pages.lin_files import VIEWER, event_lin
from table_service.games.bridge.pbn.check import check, is_bad, records_of
from table_service.games.reports import RoundPlayed
from tests.games.bridge.hall_of_boards import hall, round_of


@cache
def played() -> RoundPlayed:
    """Three boards at two tables, whose pairs have names that no file may carry as they are."""
    tables = hall(3, 2, 3)
    names = {(one.place, line): f"{line}, {one.place}|" for one in tables for line in ("NS", "EW")}
    deals = (deal for one in tables for deal in one.deals(NS=names[one.place, "NS"], EW=names[one.place, "EW"]))
    return round_of(tables, 3, pairs=names, played=tuple(deals))


def test_every_board_is_read_back_with_its_deal_auction_play_and_result() -> None:
    lin, facts = event_lin([played()]), json.loads(bridgemate_json([played()]))
    records = list(records_of(lin))
    assert len(records) == len(lin.splitlines()) == 6
    told = {(one["BoardNumber"], one["TotalTricks"]) for one in facts["Results"]}
    for record in records:
        answer = check(record)
        assert not is_bad(answer), answer
        assert record.deal == "ok"
        assert answer["auction"]["legal"] is True
        assert answer["play"]["legal"] is True or answer["auction"]["contract"] == "pass"
        assert (int(record.board), answer["tricks"] or 0) in told


def test_the_viewers_link_shows_the_four_hands_and_names_nobody() -> None:
    report = event_hands([played()], "en")
    links = [address for section in report.sections for _, address in section.links]
    assert len(links) == 3
    for address in links:
        assert address.startswith(VIEWER)
        (record,) = records_of(unquote(address.removeprefix(VIEWER)))
        assert record.deal == "ok"
        assert "T1" not in address


def test_bridgemates_objects_have_pairs_contract_and_tricks_of_every_table() -> None:
    document = json.loads(bridgemate_json([played()]))
    assert len(document["Results"]) == 6
    assert len(document["Handrecords"]) == 3
    assert document["left_out"] == []
    for one in document["Results"]:
        assert {one["PairNorthSouth"], one["PairEastWest"]} <= {1, 2, 3, 4}
        assert one["Level"] == 0 or (1 <= one["Level"] <= 7 and one["DeclarerDirection"] in (1, 2, 3, 4))
    for record in document["Handrecords"]:
        cards = "".join(str(record[f"{seat}{suit}"]) for seat in ("North", "East", "South", "West")
                        for suit in ("Spades", "Hearts", "Diamonds", "Clubs"))  # fmt: skip
        assert len(cards) == 52
