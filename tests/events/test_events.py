"""The envelope, the split between public and hidden, and the schema (interfaces, section 3)."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from hw.seats import Line, Seat
from table_service.events import Envelope, dumps, event_from_json, event_schema, event_to_json, public
from table_service.events import payloads as say
from table_service.games.burraco import payloads as own
from table_service.rulesets import PAYLOADS, payloads_of


def envelope(started: str = "2026-11-20T15:00:00Z") -> Envelope:
    return Envelope("T12", started, "000a3f", first=42)


def test_the_envelope_is_that_of_the_contract() -> None:
    event = envelope().make(
        "card.discarded",
        own.CardDiscarded(card="7H"),
        t=131.52,
        deal=1,
        turn=7,
        seat=Seat.NORTH,
        confidence=0.99,
        basis=("sight", "scale"),
    )
    assert json.loads(dumps(event)) == {
        "v": 1,
        "id": "T12-000a3f-000042",
        "table": "T12",
        "boot": "000a3f",
        "seq": 42,
        "t": 131.52,
        "time": "2026-11-20T15:02:11.520Z",
        "deal": 1,
        "turn": 7,
        "type": "card.discarded",
        "seat": "N",
        "line": "NS",
        "data": {"card": "7H", "left": False, "count": 1},
        "confidence": 0.99,
        "basis": ["sight", "scale"],
        "late": False,
    }


def test_events_are_numbered_without_a_gap() -> None:
    maker = envelope()
    made = [maker.make("turn.started", say.TurnStarted(), t=float(n)) for n in range(3)]
    assert [event.seq for event in made] == [42, 43, 44]
    assert maker.next_id == "T12-000a3f-000045"


@pytest.mark.parametrize(
    ("started", "time"),
    [
        ("2026-11-20T15:00:00Z", "2026-11-20T15:00:01.500Z"),
        ("2026-11-20T16:00:00+01:00", "2026-11-20T15:00:01.500Z"),
        ("2026-11-20T15:00:00", "2026-11-20T15:00:01.500Z"),
        ("yesterday", "1970-01-01T00:00:01.500Z"),
    ],
)
def test_time_is_the_logs_start_plus_t_in_utc(started: str, time: str) -> None:
    assert envelope(started).make("turn.started", say.TurnStarted(), t=1.5).time == time


def test_what_is_hidden_leaves_only_on_request() -> None:
    event = envelope().make("card.drawn", own.CardDrawn(), t=1.0, seat=Seat.EAST, secret={"card": "5C#1"})
    assert "5C" not in dumps(event)
    assert "5C" not in dumps(public(event), secret=True)
    assert event_to_json(event, secret=True)["secret"] == {"card": "5C#1"}
    assert event_to_json(event)["data"] == {"from": "stock", "count": 1}


def test_an_event_comes_back_from_its_json() -> None:
    event = envelope().make("pile.collected", own.PileCollected(cards=("TD", "JH")), t=3.0, line=Line.EW)
    assert event_from_json(json.loads(dumps(event, secret=True)), payloads_of("fibur2024")) == event


def test_a_type_of_a_later_version_keeps_its_data() -> None:
    event = envelope().make("turn.started", say.TurnStarted(), t=3.0)
    data = event_to_json(event) | {"type": "moon.rose", "data": {"phase": "full"}}
    assert event_to_json(event_from_json(data))["data"] == {"phase": "full"}


def test_events_are_frozen() -> None:
    event = envelope().make("turn.started", say.TurnStarted(), t=3.0)
    with pytest.raises(ValidationError):
        event.seq = 1  # type: ignore[misc]


def test_the_schema_describes_every_type() -> None:
    schema = event_schema(PAYLOADS)
    json.dumps(schema)
    named = {branch["if"]["properties"]["type"]["const"] for branch in schema["allOf"]}
    assert named == set(PAYLOADS)
    assert {"id", "seq", "t", "time", "type", "data"} <= set(schema["required"])
    assert "secret" not in schema["required"]


class Played(say.Payload):
    """One game's."""

    card: str


def test_two_games_may_tell_of_different_things_by_one_type() -> None:
    other = type("Played", (say.Payload,), {"__annotations__": {"cards": int}})
    schema = event_schema({"card.played": (Played, other), "turn.started": (say.TurnStarted,)})
    played, turn = (branch["then"]["properties"]["data"] for branch in schema["allOf"])
    assert played == {"anyOf": [{"$ref": "#/$defs/Played"}, {"$ref": "#/$defs/Played2"}]}
    assert turn == {"$ref": "#/$defs/TurnStarted"}
    assert [list(schema["$defs"][name]["properties"]) for name in ("Played", "Played2")] == [["card"], ["cards"]]


def test_every_type_of_the_contract_that_burraco_has_is_modelled() -> None:
    contract = (
        "round.started round.timeout round.ended deal.started deal.checked turn.started card.drawn pile.collected "
        "meld.opened meld.extended meld.changed card.discarded pot.taken card.exposed deal.ended score.counted "
        "irregularity warning.given sanction.imposed sanction.served sanction.broken referee.called table.health"
    )
    assert set(contract.split()) <= set(payloads_of("fibur2024"))
