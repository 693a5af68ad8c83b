"""Orders that are stale, repeated, unsigned, forged or for another table have no effect, and the result says so."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

import pytest
from nacl.signing import SigningKey

from hw.observations import Console
from table_service.events.commands import LONGEST_LIFE, sign_command, signed_text
from table_service.events.orders import LetTimePass
from table_service.events.sequence import ReceivedEvents
from table_service.events.topics import Address, Topics, parse
from table_service.publish import CommandGate
from table_service.publish.gate import WAIT_S
from table_service.publish.retained import RetainedSet

KEY = SigningKey(bytes(range(32)))
NOW = 1_800_000_000.0


class Book:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, str | None], Mapping[str, Any]] = {}

    def note(self, kind: str, body: Mapping[str, Any], key: str | None = None) -> bool:
        if (kind, key) in self.kept:
            return False
        self.kept[kind, key] = body
        return True

    def noted(self, kind: str, key: str) -> dict[str, Any] | None:
        return None if (kind, key) not in self.kept else dict(self.kept[kind, key])


class Door:
    """A gate whose clock a test sets, and what came through it."""

    def __init__(self) -> None:
        self.now = NOW
        self.taken: list[Console] = []
        keys = {"arbitro-1": bytes(KEY.verify_key).hex()}
        self.why: str | None = ""
        """Why the table refuses what it is given; empty: it carries it out at once; None: it is not decided yet."""
        self.gate = CommandGate("T1", keys, Book(), self.hand_over, lambda: 7.0, clock=lambda: self.now)

    def hand_over(self, order: Console) -> None:
        self.taken.append(order)
        if self.why is not None:
            self.gate.decided(order, self.why)

    def ask(self, order: dict[str, Any]) -> dict[str, Any]:
        return self.gate.receive(json.dumps(order).encode())

    def try_(self, order: Any, **kwargs: Any) -> str | None:
        payload = order if isinstance(order, bytes) else json.dumps(order).encode()
        result = self.gate.receive(payload, **kwargs)
        assert result["ok"] == (result["reason"] is None)
        assert result["text"]["it"]
        assert result["text"]["en"]
        reason = result["reason"]
        return None if reason is None else str(reason)


@pytest.fixture
def door() -> Door:
    return Door()


def order(**changes: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "id": "c1",
        "by": "arbitro-1",
        "table": "T1",
        "do": "rule",
        "issued": NOW,
        "fields": {"key": "k1", "remedy": "warn"},
    }
    return sign_command(KEY, **{**given, **changes})


def test_a_signed_order_is_handed_over_with_its_fields(door: Door) -> None:
    assert door.try_(order()) is None
    assert door.taken == [Console(7.0, "arbitro-1", "rule", {"key": "k1", "remedy": "warn"})]


def test_a_repeated_order_is_refused(door: Door) -> None:
    assert [door.try_(order()), door.try_(order()), door.try_(order(do="dismiss"))] == [None, "repeated", "repeated"]
    assert len(door.taken) == 1


def test_a_stale_order_is_refused(door: Door) -> None:
    door.now = NOW + 31
    assert door.try_(order()) == "stale"


@pytest.mark.parametrize("changes", [{"issued": NOW + 3600}, {"life": LONGEST_LIFE + 1}, {"life": -1}])
def test_times_that_make_no_sense_are_refused(door: Door, changes: dict[str, Any]) -> None:
    assert door.try_(order(**changes)) == "bad-times"


def test_an_unsigned_or_forged_order_is_refused(door: Door) -> None:
    bare = order()
    del bare["signature"]
    assert door.try_(bare) == "unsigned"
    assert door.try_({**order(), "do": "dismiss"}) == "bad-signature"
    assert door.try_({**order(), "seat": "N"}) == "bad-signature"
    assert door.try_({**order(), "signature": "not base64"}) == "bad-signature"
    assert door.try_(order(by="somebody")) == "unknown-key"
    stranger = sign_command(SigningKey.generate(), id="x", by="arbitro-1", table="T1", do="rule", issued=NOW)
    assert door.try_(stranger) == "bad-signature"
    assert door.taken == []


def test_an_order_for_another_table_or_of_an_unknown_kind_is_refused(door: Door) -> None:
    assert door.try_(order(table="T2")) == "other-table"
    assert door.try_(order(do="open-the-till")) == "unknown"


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"null",
        b'{"id":1}',
        b'{"id":"a"}',
        b"[" * 5000,
        b'{"id":"\\ud800","by":"arbitro-1","do":"rule","table":"T1","issued":1,"expires":2}',
        b'{"id":"a","by":"b","do":"rule","table":"T1","issued":NaN,"expires":2}',
        b'{"id":"a","by":"b","do":"rule","table":"T1","issued":1' + b"0" * 400 + b',"expires":2}',
        b'{"id":"' + b"a" * 300_000 + b'"}',
    ],
)
def test_what_is_no_order_is_refused_without_an_exception(door: Door, payload: bytes) -> None:
    assert door.try_(payload) in ("unreadable", "malformed")


def test_a_signed_order_with_a_number_beyond_all_bounds_is_refused(door: Door) -> None:
    body = {"id": "c9", "by": "arbitro-1", "table": "T1", "do": "rule", "issued": 10**400, "expires": 10**400}
    signature = base64.b64encode(KEY.sign(signed_text(body)).signature).decode()
    assert door.try_({**body, "signature": signature}) == "malformed"


def test_the_longest_order_of_a_console_is_taken(door: Door) -> None:
    """A record of a deal in PBN is some 2 kB; here a hundred times that."""
    assert door.try_(order(fields={"key": "k1", "record": "x" * 200_000})) is None


def test_an_order_left_in_the_broker_is_refused(door: Door) -> None:
    assert door.try_(order(), retained=True) == "stale"
    assert door.taken == []


def test_received_counts_each_event_once_in_any_order() -> None:
    seen = ReceivedEvents()
    arrivals = [("a", 1), ("a", 3), ("a", 3), ("a", 2), ("a", 1), ("b", 1), ("a", 5)]
    assert [seen.first_time(*place) for place in arrivals] == [True, True, False, True, False, True, True]
    assert seen.missing("a") == [("a", 4, 4)]
    assert seen.missing("b") == seen.missing("c") == []


def test_topics_are_those_of_the_contract_and_read_back() -> None:
    topics = Topics("sala", "T12")
    assert topics.status == "tavolo/v1/sala/T12/status"
    assert topics.event("card.drawn") == "tavolo/v1/sala/T12/event/card.drawn"
    assert topics.result("c1") == "tavolo/v1/sala/T12/command/c1/result"
    assert parse(topics.alert("k1")) == Address("sala", "T12", "alert", "k1")
    assert parse(topics.state) == Address("sala", "T12", "state", "")
    assert Topics("a/b", "T#+").prefix == "tavolo/v1/a-b/T--"
    assert [parse(t) for t in ("other/v1/a/b/c", "tavolo/v1/a/b", "tavolo/v1//b/c")] == [None, None, None]


def test_a_retained_set_sends_differences_and_everything_after_a_reconnect() -> None:
    held = RetainedSet()
    held.found("left")
    assert held.due() == []
    held.want({"a": b"1"})
    assert held.due() == [("left", b""), ("a", b"1")]
    held.want({"a": b"1", "b": b"2"})
    assert held.due() == [("b", b"2")]
    held.want({"b": b"2"})
    held.reconnected()
    assert held.due() == [("a", b""), ("b", b"2")]


def test_a_halls_console_vouches_for_the_names_of_its_people_and_nobody_else_does() -> None:
    keys = {"*": bytes(KEY.verify_key).hex()}
    taken: list[Console] = []
    gate = CommandGate("T1", keys, Book(), taken.append, lambda: 7.0, clock=lambda: NOW)
    assert gate.receive(json.dumps(order(by="Anna")).encode())["result"] == "accepted"
    assert taken[0].by == "Anna"
    forged = sign_command(SigningKey.generate(), id="c2", by="Anna", table="T1", do="rule", issued=NOW)
    assert gate.receive(json.dumps(forged).encode())["reason"] == "bad-signature"
    named = {"Anna": bytes(SigningKey.generate().verify_key).hex(), **keys}
    own = CommandGate("T1", named, Book(), taken.append, lambda: 7.0, clock=lambda: NOW)
    assert own.receive(json.dumps(order(by="Anna")).encode())["reason"] == "bad-signature", (
        "a key of her own goes first"
    )


def test_an_order_that_the_table_can_do_nothing_with_says_so(door: Door) -> None:
    door.why = "no open irregularity fits"
    result = door.ask(order())
    assert (result["result"], result["ok"], result["reason"]) == ("refused", False, "ignored")
    assert result["note"] == "no open irregularity fits"


@pytest.mark.parametrize(("why", "word"), [("", "ok"), ("no open irregularity fits", "refused")])
def test_an_order_is_answered_once_the_table_has_decided_it(door: Door, why: str, word: str) -> None:
    door.why = None
    accepted = door.ask(order())
    assert (accepted["result"], accepted["ok"], accepted["reason"]) == ("accepted", None, None)
    assert door.ask(order())["first"]["result"] == "accepted", "asked again meanwhile"
    assert door.gate.late_answers() == []
    door.gate.decided(door.taken[0], why)
    door.gate.decided(door.taken[0], "twice")
    (late,) = door.gate.late_answers()
    assert (late["id"], late["result"], late.get("note", "")) == ("c1", word, why)
    again = door.ask(order())
    assert (again["result"], again["reason"]) == ("refused", "repeated"), "it is not carried out again"
    assert again["first"] == late, "and says what it was answered"
    assert len(door.taken) == 1


def test_a_table_that_has_restarted_before_it_decided_does_not_say_that_an_order_took_effect(door: Door) -> None:
    book = Book()
    keys = {"arbitro-1": bytes(KEY.verify_key).hex()}
    payload = json.dumps(order()).encode()
    before = CommandGate("T1", keys, book, lambda _order: None, lambda: 7.0, clock=lambda: NOW)
    assert before.receive(payload)["result"] == "accepted"
    after = CommandGate("T1", keys, book, lambda _order: None, lambda: 7.0, clock=lambda: NOW)
    answer = after.receive(payload)
    assert answer["reason"] == "repeated"
    assert "first" not in answer, "nobody knows"


def test_an_order_that_waits_while_nothing_is_sensed_has_time_pass(door: Door) -> None:
    door.why = None
    door.ask(order())
    door.gate.late_answers()
    assert len(door.taken) == 1, "no time has passed yet"
    door.now += WAIT_S
    door.gate.late_answers()
    door.gate.late_answers()
    assert [(one.do, one.t) for one in door.taken] == [("rule", 7.0), (LetTimePass().do, 7.0 + WAIT_S)], "once"
    door.gate.decided(door.taken[0], "")
    door.now += WAIT_S
    assert [one["result"] for one in door.gate.late_answers()] == ["ok"]
    assert len(door.taken) == 2, "nothing waits any more"


def test_time_that_passes_is_no_order_that_anyone_may_give(door: Door) -> None:
    assert door.try_(order(do=LetTimePass().do)) == "unknown"
