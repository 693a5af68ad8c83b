"""The archive believes only what a table of that hall has signed, and keeps nothing hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from table_service.events.resending import Resent, answer, contents
from table_service.events.sequence import Extent
from table_service.events.signing import Voices, load_authority
from table_service.events.topics import Topics, parse
from table_service.federation.hall_authorities import HallAuthorities
from table_service.federation.verified_events import EventVerifier, body_of
from table_service.install.contents import table_user

HALL = "bologna"


def reasons(batch: Any) -> set[str]:
    return {reason for _, _, reason in batch.refused}


def test_a_signed_event_becomes_a_row_that_can_be_verified_again(
    halls: Any, verifier: EventVerifier, hear: Any
) -> None:
    table = halls.speaker()
    table.introduce(verifier)
    batch = hear(verifier, table.message(7, data={"from": "stock", "note": "perché \x00 \ud800"}))
    (event,) = batch.events
    assert (event.hall, event.table, event.boot, event.seq, event.deal) == (HALL, "T1", "00000a", 7, 1)
    assert not batch.refused
    assert "\0" not in event.body
    event.body.encode()
    voices = Voices(load_authority(halls.authorities[HALL].pem), table_user, must_sign=True)
    voices.introduce("T1", {"certificates": [table.identity.certificate]})
    assert voices.judge("event", "T1", json.loads(event.body)) == "signed"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seq": 8}, "not signed by it"),
        ({"data": {"card": "7H"}}, "not signed by it"),
        ({"signature": None}, "not signed by it"),
        ({"table": "T2"}, "not signed by it"),
    ],
)
def test_a_changed_event_is_refused(
    halls: Any, verifier: EventVerifier, hear: Any, change: dict[str, Any], reason: str
) -> None:
    table = halls.speaker()
    table.introduce(verifier)
    told = {**table.event(7), **change}
    batch = hear(verifier, (Topics(HALL, "T1").event("card.drawn"), json.dumps(told).encode()))
    assert not batch.events
    assert reasons(batch) == {reason}


@pytest.mark.parametrize(
    "more",
    [{"secret": {"card": "7H"}}, {"boot": "replay"}, {"boot": "00000A"}, {"boot": 10}, {"type": ""}, {"type": 3},
     {"type": "x" * 100}, {"type": "a\nb"}],
)  # fmt: skip
def test_what_no_table_makes_is_refused_even_if_it_is_signed(
    halls: Any, verifier: EventVerifier, hear: Any, more: dict[str, Any]
) -> None:
    table = halls.speaker()
    table.introduce(verifier)
    told = table.event(7, **{"kind": more.pop("type")} if "type" in more else {}, **more)
    batch = hear(verifier, (Topics(HALL, "T1").event("x"), json.dumps(told).encode()))
    assert not batch.events
    assert reasons(batch) == {"no event that a table makes"}


@pytest.mark.parametrize("seq", [0, -1, True, 10**9 + 1, "7", 7.0, None])
def test_a_number_that_no_table_gives_is_refused(halls: Any, verifier: EventVerifier, hear: Any, seq: object) -> None:
    table = halls.speaker()
    table.introduce(verifier)
    told = table.identity.sign("event", {**table.event(7), "seq": seq, "signature": None})
    batch = hear(verifier, (Topics(HALL, "T1").event("x"), json.dumps(told).encode()))
    assert not batch.events
    assert reasons(batch) == {"no event that a table makes"}


def test_a_table_of_another_hall_is_not_believed_under_this_halls_name(
    halls: Any, verifier: EventVerifier, hear: Any
) -> None:
    halls.add("milano")
    stranger = halls.speaker("milano")
    stranger.introduce(verifier)
    own = halls.speaker()
    own.introduce(verifier)
    stranger.hall = HALL
    stranger.introduce(verifier)
    batch = hear(verifier, stranger.message(1), own.message(2))
    assert [event.seq for event in batch.events] == [2]
    assert reasons(batch) == {"not signed by it"}


def test_a_hall_that_is_not_admitted_is_not_heard_and_one_that_is_admitted_later_is(
    halls: Any, hear: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_service.federation.hall_authorities.LOOK_EVERY_S", 0.0)
    verifier = EventVerifier(HallAuthorities(halls.folder).of)
    batch = hear(verifier, (Topics("roma", "T1").event("x"), b"{}"))
    assert reasons(batch) == {"no hall of this federation"}
    halls.add("roma")
    table = halls.speaker("roma")
    table.introduce(verifier)
    assert len(hear(verifier, table.message(1)).events) == 1


@pytest.mark.parametrize("hall", ["..", ".", ""])
def test_a_halls_name_leads_out_of_no_folder(halls: Any, hall: str) -> None:
    (halls.folder.parent / "authority.crt").write_bytes(halls.authorities[HALL].pem)
    assert HallAuthorities(halls.folder).of(hall) is None


@pytest.mark.parametrize(
    "payload",
    [b"", b"[]", b"{", b"\xff", b'{"seq": NaN}', b"[" * 60_000, b'{"a":' * 9_000],
    ids=["empty", "list", "torn", "no-text", "nan", "deep-list", "deep-object"],
)
def test_what_is_no_json_object_is_refused(halls: Any, verifier: EventVerifier, hear: Any, payload: bytes) -> None:
    halls.speaker().introduce(verifier)
    batch = hear(verifier, (Topics(HALL, "T1").event("x"), payload))
    assert reasons(batch) == {"no JSON object"}


def test_an_answer_holds_events_and_what_is_gone_and_each_event_is_judged_by_itself(
    halls: Any, verifier: EventVerifier, hear: Any
) -> None:
    table = halls.speaker()
    table.introduce(verifier)
    part = Resent("q1", (table.event(3), {**table.event(4), "seq": 5}), (("000009", 1, 20),), last=True)
    told = table.identity.sign("resent", answer(part))
    batch = hear(verifier, (Topics(HALL, "T1").resent("q1"), json.dumps(told).encode()))
    assert [event.seq for event in batch.events] == [3]
    assert batch.gone == [(HALL, "T1", ("000009", 1, 20))]
    assert reasons(batch) == {"not signed by it"}


def test_what_a_journal_has_is_taken_from_its_own_table_alone(halls: Any, verifier: EventVerifier, hear: Any) -> None:
    table, other = halls.speaker(), halls.speaker(table="T2")
    for one in (table, other):
        one.introduce(verifier)
    told = contents("00000a", [Extent("00000a", 1, 40, "2026-05-01T20:00:00Z")])
    topic = Topics(HALL, "T1").journal
    batch = hear(verifier, (topic, json.dumps(other.identity.sign("journal", told)).encode()))
    assert not batch.told
    batch = hear(verifier, (topic, json.dumps(table.identity.sign("journal", told)).encode()))
    assert batch.told == {(HALL, "T1", "00000a"): (40, "2026-05-01T20:00:00Z")}


def test_a_revoked_table_is_believed_no_more(
    halls: Any, hear: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from table_service.hall.authority import now

    monkeypatch.setattr("table_service.federation.hall_authorities.LOOK_EVERY_S", 0.0)
    authority = halls.authorities[HALL]
    made = authority.issue(table_user("T1"), "client", now())
    verifier = EventVerifier(HallAuthorities(halls.folder).of)
    from table_service.events.signing import SigningIdentity

    table = halls.speaker()
    table.identity = SigningIdentity(made.certificate, made.key)
    (halls.folder / HALL / "revoked.crl").write_bytes(authority.revoked_list([(made.serial, now())], now()))
    table.introduce(verifier)
    assert reasons(hear(verifier, table.message(1))) == {"not signed by it"}


def test_late_is_not_kept_and_changes_no_row(halls: Any) -> None:
    table = halls.speaker()
    told = table.event(9)
    assert body_of(told) == body_of({**told, "late": True})
    assert parse(Topics(HALL, "T1").event("x")) is not None
