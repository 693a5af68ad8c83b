"""A scoring program that speaks the Bridgemate Data Connector's protocol gets each result once, in its own numbers."""

from __future__ import annotations

import json
from typing import Any

import httpx

from table_service.games.bridge.pages.data_connector import GREETING, DataConnector
from tests.console.evening_of_boards import HallOfBoards
from tests.console.test_api import program, token
from tests.console.test_session_movement import chosen, play_round

GUID = "0123456789ABCDEF0123456789ABCDEF"
DOOR = "/api/v1/scoring/bridgemate"
OK, ERROR, RESULTS, HANDS, PLAYERS = 1, 4, 12, 13, 10
PING, BEGIN, PUT_RESULTS, NEW_RESULTS, NEW_PLAYERS, NEW_HANDS, ALL_RESULTS, ACCEPT_RESULTS = (
    4,
    5,
    10,
    19,
    20,
    22,
    23,
    27,
)


def event(tables: int, rounds: int) -> dict[str, Any]:
    """A scoring program's event of two sections; its pairs are numbered from 101 and 201."""
    sections = [
        {
            "Letters": letters,
            "Tables": [
                {
                    "TableNumber": n - first + 1,
                    "Rounds": [
                        {"RoundNumber": number, "PairNS": 100 + n, "PairEW": 200 + (n + number) % tables}
                        for number in range(1, rounds + 1)
                    ],
                }
                for n in range(first, last + 1)
            ],
        }
        for letters, first, last in (("A", 1, 2), ("B", 3, tables))
    ]
    return {"EventGuid": "E" * 32, "Sessions": [{"SessionGuid": GUID, "ScoringGroups": [{"Sections": sections}]}]}


def request(command: int, data: object = "", key: str = "", guid: str = GUID) -> dict[str, Any]:
    return {
        "Command": command, "ClubId": "c", "LicenceKey": key, "SessionGuid": guid, "SerializedData": json.dumps(data),
    }  # fmt: skip


def result(board: int, tricks: int = 9, table: int = 1) -> dict[str, Any]:
    return {
        "SectionLetters": "A", "TableNumber": table, "RoundNumber": 1, "BoardNumber": board, "TotalTricks": tricks,
        "PairNorthSouth": 1, "PairEastWest": 2, "DeclaringPair": 2,
    }  # fmt: skip


def items(answer: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(answer["SerializedData"])
    return found


def test_what_was_accepted_comes_again_only_if_it_changes_or_goes() -> None:
    connector, told = DataConnector(), {"Results": [result(1), result(2)]}

    def ask(command: int, data: object = "") -> dict[str, Any]:
        return connector.answer(request(command, data), lambda: told)

    assert ask(BEGIN, event(3, 2))["DataType"] == OK
    first = ask(NEW_RESULTS)
    assert (first["DataType"], first["LastQueueItemId"]) == (RESULTS, 2)
    assert [one["BoardNumber"] for one in items(first)] == [1, 2]
    assert items(ask(NEW_RESULTS)) == items(first), "not accepted yet"
    assert ask(ACCEPT_RESULTS, first["LastQueueItemId"])["DataType"] == OK
    assert items(ask(NEW_RESULTS)) == []
    told["Results"] = [result(1, tricks=10)]
    again = ask(NEW_RESULTS)
    assert [(one["BoardNumber"], one["TotalTricks"], one.get("IsDeleted", False)) for one in items(again)] == [
        (1, 10, False), (2, 9, True),
    ]  # fmt: skip
    assert [one["BoardNumber"] for one in items(ask(ALL_RESULTS))] == [1, 2]


def test_tables_and_pairs_have_the_scoring_programs_own_sections_and_numbers() -> None:
    connector = DataConnector()
    connector.answer(request(BEGIN, event(3, 2)), dict)
    told = {"Results": [result(1), result(2, table=3)], "Handrecords": [{"BoardNumber": 1, "SectionLetters": "A"}]}
    found = items(connector.answer(request(NEW_RESULTS), lambda: told))
    named = ("SessionGuid", "SectionLetters", "TableNumber", "PairNorthSouth", "PairEastWest", "DeclaringPair")
    assert [tuple(one[name] for name in named) for one in found] == [
        (GUID, "A", 1, 101, 202, 202), (GUID, "B", 1, 103, 201, 201),
    ]  # fmt: skip
    (hand,) = items(connector.answer(request(NEW_HANDS), lambda: told))
    assert hand == {"BoardNumber": 1, "SectionLetters": "A", "SessionGuid": GUID}
    assert connector.answer(request(NEW_PLAYERS), dict)["DataType"] == PLAYERS


def test_what_is_not_done_is_refused_and_never_taken_in_silence() -> None:
    connector = DataConnector()
    assert connector.answer(request(PUT_RESULTS, []), dict)["ErrorType"] == 8
    assert connector.answer(request(NEW_RESULTS), dict)["ErrorType"] == 6, "no such session"
    assert connector.answer(request(BEGIN, {}), dict)["DataType"] == ERROR
    for odd in ({}, {"Command": "x"}, {"Command": 5, "SerializedData": "{"}, {"Command": 5, "SerializedData": "[[]]"}):
        assert connector.answer(odd, dict)["DataType"] == ERROR


async def test_a_program_with_a_token_as_its_licence_key_polls_a_round_that_is_over(make_house: Any) -> None:
    house = make_house()
    hall = HallOfBoards(house)
    hall.open(3)
    await chosen(house, 6, 9, "Mitchell")
    await play_round(house, hall, 3)
    key = token(house, "organiser")

    async def ask(client: httpx.AsyncClient, *args: Any) -> dict[str, Any]:
        answer = await client.post(f"{DOOR}/dc-scoringprogram", json=request(*args))
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async with program(house, None) as client:
        assert (await client.get(f"{DOOR}/")).text == GREETING
        assert (await ask(client, PING, "12"))["ErrorType"] == 10, "nobody's key"
        assert (await ask(client, PING, "12", token(house, "spectator")))["ErrorType"] == 10
        assert json.loads((await ask(client, PING, "12", key))["SerializedData"]) == "12"
        assert (await ask(client, BEGIN, event(3, 3), key))["DataType"] == OK
        found = items(await ask(client, NEW_RESULTS, "", key))
        assert len(found) == 9
        assert {(one["SectionLetters"], one["TableNumber"]) for one in found} == {("A", 1), ("A", 2), ("B", 1)}
        assert {one["PairNorthSouth"] for one in found} == {101, 102, 103}
        broken = await client.post(f"{DOOR}/dc-scoringprogram", content=b"{")
        assert broken.json()["DataType"] == ERROR
