"""What the console did not hear is found by the tables' numbers and had from their journals; until then it is shown."""

from __future__ import annotations

import json
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey

from table_service.console import ConsoleSettings, RunningConsole, missing_events, serving
from table_service.console.archive.shelf import Shelf
from table_service.console.storage import Book, Role
from table_service.events.resending import contents, question, read_answer, read_contents, read_question, wanted_boots
from table_service.events.sequence import HIGHEST, Extent, ReceivedEvents, lacking
from table_service.events.topics import Topics
from table_service.journal import Entry, Journal
from table_service.publish import Broker, BrokerAddress, Publisher, start_broker
from table_service.publish.broker import find_mosquitto
from table_service.publish.resender import PART_MOST, Resender

TOPICS = Topics("sala", "T1")


def until(wanted: Callable[[], Any], seconds: float = 30.0) -> Any:
    """Wait until ``wanted()`` is true; fails where it does not become so."""
    end = time.monotonic() + seconds
    while not (found := wanted()):
        assert time.monotonic() < end, "it did not come"
        threading.Event().wait(0.02)
    return found


def entries(journal: Journal, count: int) -> list[Entry]:
    """Events as a table writes them, each with something hidden."""
    found = []
    for _ in range(count):
        seq = journal.next_seq()
        event = {
            "v": 1,
            "id": f"T1-{journal.boot}-{seq:06d}",
            "table": "T1",
            "boot": journal.boot,
            "seq": seq,
            "deal": 1,
        }
        event |= {"t": seq / 5, "time": "2026-11-20T21:10:00.000Z", "turn": 1, "seat": "N", "line": "NS"}
        event |= {"type": "card.drawn", "data": {"card": "??"}, "late": False, "confidence": 1.0, "basis": []}
        found.append(Entry(event, {"card": "7H#2"}))
    return found


class Hall:
    """A broker that can be killed and begun empty, a table with its journal, and a console: all real."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._brokers = 0
        self.broker = self._begin(0)
        self.journal = Journal.open(folder / "T1.sqlite", "T1", SigningKey(bytes(range(32))))
        self.publisher = self._publish()

    def _begin(self, port: int) -> Broker:
        self._brokers += 1
        return start_broker(self.folder / f"broker-{self._brokers}", kind="mosquitto", port=port)

    def _publish(self) -> Publisher:
        where = BrokerAddress(self.broker.host, self.broker.port)
        made = Publisher(TOPICS, where, self.journal, boot=self.journal.boot)
        made.status("ready")
        made.start()
        return made

    def settings(self) -> ConsoleSettings:
        return ConsoleSettings(broker_port=self.broker.port, data=self.folder / "console.sqlite", copies=0)

    def kill_broker(self) -> None:
        assert self.broker.process is not None
        self.broker.process.send_signal(signal.SIGKILL)
        self.broker.process.wait()

    def begin_empty(self) -> None:
        """Another broker at the same port, which knows nothing of what the one before had taken."""
        self.broker.stop()
        self.broker = self._begin(self.broker.port)

    def tell(self, count: int) -> None:
        """The table tells events, and the broker has them all."""
        self.journal.append(entries(self.journal, count))
        assert self.publisher.drain(30)

    def restart_table(self) -> None:
        self.publisher.stop()
        self.journal.close()
        self.journal = Journal.open(self.folder / "T1.sqlite", "T1", SigningKey(bytes(range(32))))
        self.publisher = self._publish()

    def close(self) -> None:
        self.publisher.stop()
        self.journal.close()
        self.broker.stop()


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    monkeypatch.setattr(missing_events, "GRACE_S", 0.1)
    made = Hall(tmp_path)
    yield made
    made.close()


def in_journal(hall: Hall) -> set[tuple[str, int]]:
    return {(one.boot, one.seq) for one in hall.journal.events()}


def kept(running: RunningConsole) -> set[tuple[str, int]]:
    """What the console's file has of the table."""
    running.office.book.kept.flush()
    rows = running.office.book.kept.runs("T1")
    return {(boot, seq) for boot, first, last in rows for seq in range(first, last + 1)}


@pytest.mark.slow
def test_a_console_that_was_away_while_the_broker_began_empty_has_everything_afterwards(hall: Hall) -> None:
    with serving(hall.settings()) as running:
        hall.tell(60)
        until(lambda: kept(running) == in_journal(hall))
    hall.kill_broker()
    hall.begin_empty()
    hall.tell(700)  # the new broker takes them, and knows of nobody who wants them
    hall.restart_table()
    hall.tell(120)
    with serving(hall.settings()) as running:
        until(lambda: kept(running) == in_journal(hall))
        gaps = running.store.tables["T1"].gaps
        until(lambda: gaps.open == 0 and not lacking(gaps.received, gaps.told))
        assert gaps.gone == 0
        shown = [event["seq"] for event in running.store.tables["T1"].events if event["boot"] == hall.journal.boot]
        assert shown == list(range(1, 121))
    assert b"7H#2" not in b"".join(path.read_bytes() for path in hall.folder.glob("console.sqlite*"))


@pytest.mark.slow(seconds=5)
def test_a_broker_killed_under_a_living_console_costs_it_nothing(hall: Hall) -> None:
    with serving(hall.settings()) as running:
        until(lambda: running.store.connected)
        for _ in range(3):
            hall.tell(40)
            hall.kill_broker()
            hall.journal.append(entries(hall.journal, 40))
            hall.begin_empty()
            assert hall.publisher.drain(60)
        until(lambda: kept(running) == in_journal(hall), 60)
        assert len(in_journal(hall)) == 240


def test_a_first_console_of_the_evening_has_the_evening_and_not_the_years_before(hall: Hall) -> None:
    hall.tell(5)
    hall.restart_table()
    hall.tell(5)
    with serving(hall.settings()) as running:
        until(lambda: kept(running) == in_journal(hall))
    told = {f"{n:06x}": Extent(f"{n:06x}", 1, 9, f"2026-11-{n:02d}T20:00:00.000Z") for n in (3, 4, 19, 20)}
    assert sorted(wanted_boots(told, ())) == ["000013", "000014"]
    assert sorted(wanted_boots(told, ("000004", "000014"))) == ["000004", "000013", "000014"]


def test_what_no_journal_has_any_more_is_said_and_not_asked_again(hall: Hall) -> None:
    hall.tell(30)
    with closing(sqlite3.connect(hall.journal.path)) as db, db:
        db.execute("DELETE FROM entries WHERE seq BETWEEN 11 AND 14")
    with serving(hall.settings()) as running:
        gaps = until(lambda: running.store.tables.get("T1")).gaps
        until(lambda: gaps.gone == 4)
        until(lambda: len(kept(running)) == 26)
        assert ("T1", gaps.gone) == ("T1", 4)
    with serving(hall.settings()) as running:
        gaps = running.store.tables["T1"].gaps
        assert gaps.gone == 4
        until(lambda: gaps.told)
        assert lacking(gaps.received, gaps.told) == []
        assert running.office.gaps.questions == 0


# --- without a broker ------------------------------------------------------------------------------------------------


def resend(house: Any, events: list[dict[str, Any]], gone: list[Any] | None = None, name: str = "x") -> None:
    house.say("T12/resent/" + name, {"id": name, "events": events, "gone": gone or [], "last": True})


async def test_a_gap_is_shown_on_the_page_until_it_is_closed(house: Any) -> None:
    import console_feed as feed

    house.hear()
    clock = [100.0]
    house.office.gaps.clock = lambda: clock[0]
    house.say("T12/event/card.drawn", feed.event(60, "card.drawn", "N", **{"from": "stock"}))
    house.office.tick()
    assert "non ha ancora avuto" not in await house.page()  # it may be under way
    clock[0] += 3
    house.office.tick()
    page = await house.page()
    lacking_now = 60 - len((1, 2, *range(30, 39), 44, 47, 60))
    assert f"{lacking_now} eventi" in page
    (topic, asked) = house.sent[-1]
    assert topic == "tavolo/v1/sala/T12/resend"
    assert asked["want"] == [["000a3f", 3, 29], ["000a3f", 39, 43], ["000a3f", 45, 46], ["000a3f", 48, 59]]
    filler = [feed.event(seq, "turn.started", "N") for run in asked["want"][:3] for seq in range(run[1], run[2] + 1)]
    resend(house, filler, [["000a3f", 48, 59]], asked["id"])
    clock[0] += 3
    house.office.tick()
    page = await house.page()
    assert f"{lacking_now} eventi" not in page
    assert "12 eventi" in page  # gone for good stays said
    assert (await house.get("/health")).json()["events_gone"] == 12
    who = house.book.accounts.add("probe", Role.TECHNICIAN, now=time.time())
    token = house.book.accounts.link(who.id, "api", expires=time.time() + 60)
    metrics = (await house.get("/metrics", None, headers={"Authorization": f"Bearer {token}"})).text
    assert "tavolo_events_lacking 0.0" in metrics
    assert "tavolo_events_gone 12.0" in metrics


async def test_what_comes_late_is_put_in_its_place_and_does_not_undo_what_is_newer(house: Any) -> None:
    import console_feed as feed

    newer = feed.score(40, 1, ns=feed.figures(-5))
    house.say("T12/event/score.counted", newer)
    late = [feed.event(1, "round.started", deals=4), feed.score(20, 1), feed.event(2, "turn.started", "E")]
    resend(house, late)
    view = house.store.tables["T12"]
    assert view.scores[1] == newer["data"]
    assert [event["seq"] for event in view.events] == [1, 2, 20, 40]
    assert [json.loads(body)["seq"] for body in (house.book.kept.flush(), house.book.kept.newest("T12", 3))[1]] == [
        2,
        20,
        40,
    ]


def test_a_deal_that_came_late_stands_before_the_later_one_and_breaks_nothing(tmp_path: Path) -> None:
    import console_feed as feed

    book = Book(tmp_path / "c.sqlite")
    second = {**feed.event(50, "deal.started"), "deal": 2}
    first = {**feed.event(1, "deal.started"), "deal": 1}
    for event in (second, first):  # the first deal was lacking and had later
        book.kept.event("T12", event, json.dumps(event), now=1.0)
    book.kept.flush()
    found = [(one.deal, one.manner) for one in Shelf(book.database).every()]
    book.close()
    assert found == [(2, ""), (1, "broken")]


def test_what_the_console_has_pruned_is_not_asked_for_again(tmp_path: Path, make_house: Any) -> None:
    import console_feed as feed

    house = make_house("c.sqlite")
    for seq in range(1, 9):
        house.say("T12/event/turn.started", feed.event(seq, "turn.started", "N"))
    house.book.kept.flush()
    assert house.book.tournaments.prune(1.0, now=house.at + 5 * 86_400) == 8
    house.book.close()
    again = make_house("c.sqlite")
    again.hear([("tavolo/v1/sala/T12/journal", json.dumps(contents("000a3f", [Extent("000a3f", 1, 9)])).encode())])
    # nothing of the table is kept, so that it is unknown until it speaks: what was deleted is known all the same
    gaps = again.store.tables["T12"].gaps
    assert lacking(gaps.received, gaps.told) == [("000a3f", 9, 9)]


def test_questions_are_bounded_and_answered_in_parts_without_anything_hidden(tmp_path: Path) -> None:
    sent: list[tuple[str, dict[str, Any]]] = []

    class Way:
        def publish(self, topic: str, payload: bytes) -> int:
            assert b"7H#2" not in payload
            sent.append((topic, json.loads(payload)))
            return len(sent)

    with Journal.open(tmp_path / "T1.sqlite", "T1", SigningKey(bytes(range(32)))) as journal:
        journal.append(entries(journal, 100))
        resender = Resender(TOPICS, journal, journal.boot)
        for n in range(40):
            resender.asked(json.dumps(question(f"q{n}", [(journal.boot, 1, 90), (journal.boot, 95, 200)])).encode())
        assert resender.dropped == 24
        while resender.send(Way()):
            resender.acknowledged(len(sent))
    first = [read_answer(told) for topic, told in sent if topic.endswith("/q0")]
    assert [len(part.events) for part in first if part] == [PART_MOST, PART_MOST, 10, 6]
    assert [part.last for part in first if part] == [False, False, False, True]
    assert all(part.gone == () for part in first if part)  # what this boot has not told yet is not gone
    assert all(event["late"] for part in first if part for event in part.events)


@pytest.mark.parametrize(
    "payload",
    [b"", b"[]", b"{", b'{"id":"a/b","want":[["000001",1,2]]}', b'{"id":"x","want":[["000001",2,1]]}', b"[" * 99_999,
     b'{"id":"x","want":[["000001",true,2]]}', b'{"id":"x","want":[["../..",1,2]]}', b'{"id":"x","want":[]}'],
)  # fmt: skip
def test_what_is_no_question_is_left_out(payload: bytes) -> None:
    assert read_question(payload) is None


def test_a_table_that_tells_nonsense_makes_no_endless_gap() -> None:
    told = {
        "boots": [
            {"boot": "000001", "first": 1, "last": 10**30},
            {"boot": 7},
            "x",
            {"boot": "000002", "first": 1, "last": 3},
        ]
    }
    assert list(read_contents(told)) == ["000002"]
    received = ReceivedEvents()
    assert not received.first_time("000001", HIGHEST + 1)
    assert not received.first_time("000001", -1)


def test_numbers_in_any_order_make_the_same_runs() -> None:
    import random

    chance = random.Random(5)
    for _ in range(200):
        numbers = [chance.randrange(1, 40) for _ in range(chance.randrange(60))]
        received, seen = ReceivedEvents(), set[int]()
        for number in numbers:
            assert received.first_time("a", number) == (number not in seen)
            seen.add(number)
        wanted = [n for n in range(1, max(seen, default=0)) if n not in seen]
        assert [n for _, first, last in received.missing("a") for n in range(first, last + 1)] == wanted
