"""A console believes of a table what that table has signed, and nothing else."""

from __future__ import annotations

import json
import ssl
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hw.table_sections import BrokerSection
from table_service.commands.broker_access import console_voices, table_voice
from table_service.console import ConsoleSettings, serving
from table_service.console.live_tables import ConsoleStore
from table_service.console.public_tables import PublicTables
from table_service.console.table_view import TableView
from table_service.events.signing import Kind, SigningIdentity, Voices, introduction
from table_service.events.topics import parse
from table_service.hall import hall_folder
from table_service.hall.authority import Authority, new_authority, now
from table_service.install.contents import table_user
from table_service.publish import BrokerAddress
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService
from tests.hall.conftest import Hall

EVENT = {
    "v": 1, "id": "T1-000a3f-000007", "table": "T1", "boot": "000a3f", "seq": 7, "t": 1.25,
    "time": "2026-11-20T21:00:00Z",
    "deal": 1, "turn": 3, "type": "card.discarded", "seat": "N", "line": "NS", "data": {"card": "7H", "però": None},
    "confidence": 0.99, "basis": ["sight"], "late": False,
}  # fmt: skip
ALERT = {"key": "F-31a-3", "row": "F-31a", "state": "open", "table": "T1", "boot": "000a3f"}


def voice(authority: Authority, table: str) -> SigningIdentity:
    made = authority.issue(table_user(table), "client", now())
    return SigningIdentity(made.certificate, made.key)


@dataclass
class Room:
    """A console's memory that believes one hall's authority."""

    authority: Authority
    voices: Voices
    store: ConsoleStore

    def say(self, topic: str, document: Any, table: str = "T1") -> None:
        self.store.apply(f"tavolo/v1/sala/{table}/{topic}", json.dumps(document).encode(), now=1.0)

    def introduce(self, *spoken: SigningIdentity, table: str = "T1") -> None:
        self.say("identity", introduction(table, [one.certificate for one in spoken]), table)

    def judged(self, topic: str, document: dict[str, Any]) -> bool:
        """Whether ``document`` is believed to be T1's word."""
        address = parse(f"tavolo/v1/sala/T1/{topic}")
        assert address is not None
        return self.store.belief.own_word(self.store.tables["T1"], address, document, b"") is not None

    @property
    def told(self) -> list[int]:
        return [event["seq"] for event in self.store.tables["T1"].events]


@pytest.fixture(scope="module")
def authority() -> Authority:
    return new_authority("sala", now())


@pytest.fixture
def room(authority: Authority) -> Room:
    voices = Voices(authority.certificate, table_user)
    return Room(authority, voices, ConsoleStore("sala", ("T1", "T2"), voices=voices))


def test_what_the_table_signed_is_taken_late_or_not(room: Room) -> None:
    own = voice(room.authority, "T1")
    room.introduce(own)
    signed = own.sign("event", EVENT)
    room.say("event/card.discarded", {**signed, "late": True})
    assert room.told == [7]
    assert room.store.tables["T1"].refused == 0
    assert not room.store.tables["T1"].unsigned


@pytest.mark.parametrize("change", [
    {"data": {"card": "8H", "però": None}}, {"seat": "S"}, {"seq": 8}, {"boot": "000a40"}, {"t": 1.26}, {"deal": 2},
    {"more": 1}, {"signature": ""}, {"signature": "x.y"}, {"signature": None}, {"table": "T2"},
])  # fmt: skip
def test_an_altered_event_is_refused_and_counted(room: Room, change: dict[str, Any]) -> None:
    own = voice(room.authority, "T1")
    room.introduce(own)
    room.say("event/card.discarded", {**own.sign("event", EVENT), **change})
    assert room.told == []
    assert room.store.tables["T1"].refused == 1


def test_one_table_cannot_speak_for_another(room: Room) -> None:
    own, other = voice(room.authority, "T1"), voice(room.authority, "T2")
    room.introduce(own)
    room.introduce(other, table="T2")
    room.introduce(other)  # it cannot give itself out as the first one either
    room.say("event/card.discarded", other.sign("event", EVENT))
    room.say("alert/F-31a-3", other.sign("alert", ALERT))
    assert room.told == []
    assert room.store.tables["T1"].alerts == {}
    room.say("event/card.discarded", own.sign("event", EVENT))
    room.say("alert/F-31a-3", own.sign("alert", ALERT))
    assert room.told == [7]
    assert list(room.store.tables["T1"].alerts) == ["F-31a-3"]


def test_one_tables_words_repeated_at_another_are_refused(room: Room) -> None:
    own, other = voice(room.authority, "T1"), voice(room.authority, "T2")
    room.introduce(own)
    room.introduce(other, table="T2")
    room.say("event/card.discarded", own.sign("event", EVENT), "T2")
    assert room.store.tables["T2"].events == []
    assert room.store.tables["T2"].refused == 1


def test_an_alert_under_another_key_or_an_event_as_an_alert_is_refused(room: Room) -> None:
    own = voice(room.authority, "T1")
    room.introduce(own)
    room.say("alert/F-29-9", own.sign("alert", ALERT))
    room.say("alert/F-31a-3", own.sign("event", ALERT))
    assert room.store.tables["T1"].alerts == {}


def test_of_an_answer_only_what_is_signed_is_taken(room: Room) -> None:
    own = voice(room.authority, "T1")
    room.introduce(own)
    heard: list[bytes] = []
    room.store.tap = lambda _table, _kind, _topic, payload, _now: heard.append(payload)
    good, false = own.sign("event", EVENT), {**own.sign("event", {**EVENT, "seq": 8}), "seat": "E"}
    room.say("resent/q", {"id": "q", "events": [good, false], "gone": [], "last": True})
    assert room.told == [7]
    assert [one["seq"] for one in json.loads(heard[-1])["events"]] == [7], "nor do spectators see it later"


def test_a_table_without_a_certificate_is_heard_and_the_page_says_so(room: Room) -> None:
    room.say("event/card.discarded", EVENT)
    assert room.told == [7]
    assert room.store.tables["T1"].unsigned
    room.voices.must_sign = True
    room.say("event/card.discarded", {**EVENT, "seq": 8})
    assert room.told == [7]


STANDING: list[tuple[Kind, dict[str, Any]]] = [
    ("state", {"boot": "000a3f", "seq": 7, "pile": ["7H"], "said": 4}),
    ("status", {"boot": "000a3f", "state": "ready", "version": "1", "said": 4}),
    ("health", {"boot": "000a3f", "disk": {"problem": ""}, "said": 4}),
]


def shown(table: TableView, kind: str) -> Any:
    """What the pages take of a state, status or health."""
    return {"state": table.state, "status": table.status, "health": table.health}[kind]


@pytest.mark.parametrize(("kind", "document"), STANDING)
def test_no_stranger_shows_a_state_status_or_health_under_a_tables_name(
    room: Room, kind: Kind, document: dict[str, Any]
) -> None:
    own, other = voice(room.authority, "T1"), voice(room.authority, "T2")
    room.introduce(own)
    room.introduce(other, table="T2")
    table = room.store.tables["T1"]
    signed = own.sign(kind, document)
    room.say(kind, signed)
    true = shown(table, kind)
    assert true is not None
    own_alert = own.sign("alert", {**document, "state": "lost"})
    false: list[Any] = [
        {**signed, "state": "lost"}, {**signed, "said": 9}, {**document, "state": "lost"}, {"state": "lost"}, own_alert,
        {**other.sign(kind, {**document, "state": "lost", "said": 9})}, own.sign(kind, {**document, "said": 3}),
        own.sign(kind, {**document, "boot": "000a3e", "said": 8}),
    ]  # fmt: skip
    for number, one in enumerate(false, 1):
        room.say(kind, one)
        assert shown(table, kind) == true, one
        assert table.refused == number
    room.store.apply(f"tavolo/v1/sala/T1/{kind}", b"", now=2.0)
    assert shown(table, kind) == true, "nor does an emptied topic make a table's word forgotten"
    room.say(kind, signed)  # as a broker repeats what it retains
    assert table.refused == len(false)
    room.say(kind, own.sign(kind, {**document, "state": "init", "boot": "000a40", "said": 1}))
    assert shown(table, kind) != true, "the table itself, started again, is believed"
    assert table.refused == len(false)


def test_a_last_will_ends_its_own_connection_and_none_that_came_after_it(room: Room) -> None:
    own = voice(room.authority, "T1")
    room.introduce(own)
    table = room.store.tables["T1"]

    def say(state: str, connection: int) -> str | None:
        room.say("status", own.sign("status", {"state": state, "boot": "00003f", "version": "", "said": connection}))
        return table.status

    assert [say("ready", 1), say("lost", 1), say("ready", 2)] == ["ready", "lost", "ready"]
    assert [say("lost", 1), say("lost", 2), say("ready", 2)] == ["ready", "lost", "lost"]


@pytest.mark.parametrize(("kind", "document"), STANDING)
def test_a_table_of_before_that_signs_events_only_is_shown_where_the_hall_allows_it(
    room: Room, kind: Kind, document: dict[str, Any]
) -> None:
    own = voice(room.authority, "T1")
    room.introduce(own)
    table = room.store.tables["T1"]
    room.say(kind, {name: value for name, value in document.items() if name != "said"})
    assert shown(table, kind) is not None
    assert table.unsigned, "and the page says so"
    room.voices.must_sign = True
    before = shown(table, kind)
    room.say(kind, {**document, "state": "lost", "version": "2"})
    assert shown(table, kind) == before


def test_spectators_see_later_only_what_the_table_signed(room: Room) -> None:
    own = voice(room.authority, "T1")
    seen = PublicTables(room.store, lambda: 60.0)
    room.introduce(own)
    room.say("state", own.sign("state", {"boot": "000a3f", "seq": 1, "pile": ["7H"], "said": 1}))
    seen.tick(70.0)
    room.store.apply("tavolo/v1/sala/T1/state", b'{"boot":"000a3f","seq":2,"pile":["8H"]}', now=80.0)
    seen.tick(200.0)
    state = seen.store.tables["T1"].state
    assert state is not None
    assert state["pile"] == ["7H"]


def test_what_overtook_the_certificate_is_no_forgery_and_a_strangers_word_is_one(authority: Authority) -> None:
    voices = Voices(authority.certificate, table_user, must_sign=True)
    room = Room(authority, voices, ConsoleStore("sala", ("T1",), voices=voices))
    table, own = room.store.tables["T1"], voice(authority, "T1")
    state = own.sign("state", {"boot": "000a3f", "said": 1, "phase": "play"})
    room.say("state", state)
    room.say("event/card.discarded", own.sign("event", EVENT))
    assert table.state is None
    assert (room.told, table.refused) == ([], 2)
    room.introduce(own)
    assert table.refused == 0
    assert table.state == state
    room.say("event/card.discarded", own.sign("event", EVENT))  # as a table sends what is asked for again
    assert room.told == [7]
    room.say("event/card.discarded", voice(authority, "T2").sign("event", {**EVENT, "seq": 8}))
    assert (room.told, table.refused) == ([7], 1)


def say_state(room: Room, own: SigningIdentity, said: int, *alerts: str) -> None:
    room.say("state", own.sign("state", {"boot": "000a3f", "seq": said, "alerts": list(alerts), "said": said}))


def empty(room: Room, topic: str) -> None:
    room.store.apply(f"tavolo/v1/sala/T1/{topic}", b"", now=2.0)


def test_an_alert_ends_with_the_tables_word_and_not_with_an_empty_message(room: Room) -> None:
    own, table, key = voice(room.authority, "T1"), room.store.tables["T1"], str(ALERT["key"])
    room.introduce(own)
    say_state(room, own, 3)
    room.say(f"alert/{key}", own.sign("alert", ALERT))
    empty(room, f"alert/{key}")
    assert key in table.alerts, "the state that names no alert is older than this one: who holds back states ends none"
    say_state(room, own, 4, key)
    assert key in table.alerts
    say_state(room, own, 3)
    assert key in table.alerts, "nor does an old state that is shown again"
    room.say("state", {"boot": "000a3f", "seq": 9, "alerts": [], "said": 9})
    assert key in table.alerts, "nor one that nobody signed"
    say_state(room, own, 5)
    assert table.alerts == {}, "the table says so"
    assert not table.emptied

    room.say(f"alert/{key}", own.sign("alert", ALERT))
    say_state(room, own, 6, key)
    say_state(room, own, 7)
    assert key in table.alerts, "an alert that the broker still holds stands"
    empty(room, f"alert/{key}")
    assert table.alerts == {}


def test_alerts_that_a_broker_does_not_name_again_stand_until_the_table_ends_them(room: Room) -> None:
    own, table, key = voice(room.authority, "T1"), room.store.tables["T1"], str(ALERT["key"])
    room.introduce(own)
    say_state(room, own, 3)
    room.say(f"alert/{key}", own.sign("alert", ALERT))
    room.store.hearing_anew()
    room.store.all_heard(now=3.0)
    assert key in table.alerts
    say_state(room, own, 4)
    assert table.alerts == {}


def test_an_alert_of_a_table_of_before_ends_with_the_empty_message(room: Room) -> None:
    own, table, key = voice(room.authority, "T1"), room.store.tables["T1"], str(ALERT["key"])
    room.introduce(own)
    room.say("state", own.sign("state", {"boot": "000a3f", "seq": 3, "said": 3}))
    room.say(f"alert/{key}", own.sign("alert", ALERT))
    empty(room, f"alert/{key}")
    assert table.alerts == {}


HELD = {"boot": "000a3f", "boots": [{"boot": "000a3f", "first": 1, "last": 9, "began": ""}]}
PICTURES = {"boot": "000a3f", "done": True, "pictures": [{"ref": "f-1", "sha256": "00"}], "missing": []}
SPOKEN: list[tuple[Kind, str, dict[str, Any]]] = [
    ("answer", "command/o1/result", {"id": "o1", "ok": True, "reason": None, "text": {}, "boot": "000a3f"}),
    ("pictures", "pictures/F-31a-3", {"key": "F-31a-3", **PICTURES}),
    ("journal", "journal", HELD),
    ("resent", "resent/q", {"id": "q", "events": [], "gone": [["000a3f", 1, 5]], "last": True}),
]


@pytest.mark.parametrize(("kind", "topic", "document"), SPOKEN)
def test_answers_pictures_and_what_a_journal_holds_are_the_tables_own_word(
    room: Room, kind: Kind, topic: str, document: dict[str, Any]
) -> None:
    own, table = voice(room.authority, "T1"), room.store.tables["T1"]
    room.introduce(own)
    room.voices.must_sign = True
    assert room.judged(topic, document), "software of before signs none of these: heard until the first signed one"
    room.say("journal", own.sign("journal", HELD))
    assert not room.judged(topic, document)
    assert not room.judged(topic, {**own.sign(kind, document), "boot": "000a40"})
    assert not room.judged(topic, own.sign("event", document))
    assert not room.judged(topic, voice(room.authority, "T2").sign(kind, document))
    assert table.refused == 4
    assert room.judged(topic, own.sign(kind, document))


def test_pictures_of_one_irregularity_are_not_shown_as_those_of_another(room: Room) -> None:
    own = voice(room.authority, "T1")
    room.introduce(own)
    kind, topic, document = SPOKEN[1]
    signed = own.sign(kind, document)
    assert room.judged(topic, signed)
    assert not room.judged("pictures/F-29-9", signed)


def test_an_order_that_the_broker_repeats_is_no_word_of_a_table(room: Room) -> None:
    room.introduce(voice(room.authority, "T1"))
    room.say("command", {"id": "o1", "do": "rule"})
    assert room.store.tables["T1"].refused == 0


def test_a_certificate_of_another_hall_is_no_certificate(room: Room) -> None:
    foreign = voice(new_authority("sala", now()), "T1")
    room.introduce(foreign)
    assert not room.voices.knows("T1")
    own = voice(room.authority, "T1")
    room.introduce(own)
    room.introduce(foreign)
    room.say("event/card.discarded", foreign.sign("event", EVENT))
    assert room.told == []


def test_events_of_before_a_renewal_are_believed_and_those_of_a_revoked_key_no_more(
    authority: Authority, folder: Path
) -> None:
    section = BrokerSection(
        ca_file=folder / "console" / "authority.crt",
        certificate_file=folder / "console" / "console.crt",
        key_file=folder / "console" / "console.key",
    )
    assert "must_sign = true" in (folder / "console" / "hall.toml").read_text(encoding="utf-8")
    voices = console_voices(
        section, None, must_sign=False
    )  # as of before `revoked_file`: the list beside the authority
    assert voices is not None
    voices.revoked.EVERY_S = 0.0  # type: ignore[attr-defined]

    def own() -> SigningIdentity:
        place = folder / "tables" / "T1"
        found = table_voice(BrokerSection(
            ca_file=place / "authority.crt", certificate_file=place / "T1.crt", key_file=place / "T1.key"
        ))  # fmt: skip
        assert found is not None
        return found

    room = Room(authority, voices, ConsoleStore("sala", ("T1",), voices=voices))
    before = own()
    hall_folder.renew(folder, ["T1"], now())
    after = own()
    room.introduce(before, after)
    room.say("event/card.discarded", before.sign("event", EVENT))
    room.say("event/card.discarded", after.sign("event", {**EVENT, "seq": 8}))
    assert room.told == [7, 8]
    hall_folder.revoke(folder, ["T1"], now() + timedelta(seconds=1))
    for number, one in ((9, before), (10, after)):
        room.say("event/card.discarded", one.sign("event", {**EVENT, "seq": number}))
    assert room.told == [7, 8]


def test_a_table_of_a_hall_is_believed_by_its_console_and_its_restart_is_too(hall: Hall, tmp_path: Path) -> None:
    console, place = hall.folder / "console", hall.folder / "tables" / "T1"
    seen = BrokerSection(
        ca_file=console / "authority.crt", certificate_file=console / "console.crt", key_file=console / "console.key"
    )
    mine = BrokerSection(ca_file=place / "authority.crt", certificate_file=place / "T1.crt", key_file=place / "T1.key")

    def context(section: BrokerSection) -> ssl.SSLContext:
        made = ssl.create_default_context(cafile=str(section.ca_file))
        made.load_cert_chain(str(section.certificate_file), str(section.key_file))
        return made

    rehearsal = prepare("fibur2024", 7, 1, table="T1")
    observations = list(rehearsal.observations())
    settings = ConsoleSettings(
        broker_port=hall.doors.console, broker_tls=context(seen), copies=0,
        voices=console_voices(seen, console / "revoked.crl", must_sign=True),
    )  # fmt: skip
    (tmp_path / "t1").mkdir()
    places, made = TableFiles.under(tmp_path / "t1", "T1"), 0
    with serving(settings) as running:
        for half in (observations[:600], observations[600:1200]):
            service = TableService(
                rehearsal.header, "sala", places, BrokerAddress("127.0.0.1", hall.doors.tables, tls=context(mine)),
                lambda: 0.0, voice=table_voice(mine),
            )  # fmt: skip
            service.start()
            for observation in half:
                made += len(service.observe(observation))
            service.close(30)
        table = running.store.tables["T1"]
        until = time.monotonic() + 20
        kept = running.office.book.kept
        while sum(last - first + 1 for _, first, last in kept.runs("T1")) < made:
            assert time.monotonic() < until
            kept.flush()
            time.sleep(0.05)
        assert len({boot for boot, _, _ in kept.runs("T1")}) == 2
        assert table.refused == 0
        assert all(event["signature"] for event in table.events)
        assert table.state is not None
        assert table.state["signature"]
        assert not table.unsigned
        until = time.monotonic() + 20
        while table.status != "stopped":
            assert time.monotonic() < until, table.status
            time.sleep(0.05)
        assert table.refused == 0


SPELLED: dict[str, Any] = {"rare": 1e16, "small": 0.00001, "text": "\x7f\u2028é\n", "big": 2**70, "none": None}


def judged_event(room: Room, own: SigningIdentity, told: dict[str, Any]) -> str:
    room.voices.introduce("T1", introduction("T1", [own.certificate]))
    return room.voices.judge("event", "T1", told)


def test_numbers_that_programs_spell_differently_are_verified_as_the_table_signed_them(room: Room) -> None:
    own = voice(room.authority, "T1")
    assert judged_event(room, own, json.loads(json.dumps(own.sign("event", {**EVENT, "data": SPELLED})))) == "signed"


@pytest.mark.parametrize("swapped", [float("inf"), float("-inf"), float("nan"), 0, False, "", [], {}])
def test_nothing_stands_for_what_the_table_left_empty(room: Room, swapped: object) -> None:
    own = voice(room.authority, "T1")
    signed = own.sign("event", {**EVENT, "data": SPELLED})
    assert judged_event(room, own, {**signed, "data": {**SPELLED, "none": swapped}}) == "refused"
