"""After deals every byte that left the table, that its disk holds and that the console keeps: no hidden card in it."""

from __future__ import annotations

import json
import sqlite3
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from nacl.public import PrivateKey
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from hw.observation_log import read_log
from hw.observations import Console, Observation, Said, Sight
from table_service.console import ConsoleSettings, serving
from table_service.events import Event
from table_service.journal import SealedLog, audit, load_or_make_key
from table_service.publish import BrokerAddress, open_sealed, start_broker
from table_service.publish.broker import find_mosquitto
from table_service.rehearsal.rehearse import Rehearsal, prepare
from table_service.service import TableFiles, TableService, first_boot_of
from tests.games.bridge.round_of_boards import EyesAcrossTheScreen, RoundOfBoards
from tests.sweeps import rest_in_proof

PREFIX = "tavolo/v1/sala/T1/"


NAMES_NO_CARD_OF_THE_TABLE = frozenset({"stands_for", "text", "title", "as", "call", "contract"})
"""Under these keys a card's name says what another card stands for, is part of a sentence, or is a bid."""


def calls_in(value: Any) -> list[str]:
    """Every call of an auction that a JSON value names, wherever in it: ``3N`` also where a contract is told."""
    if isinstance(value, dict):
        own = [str(one)[:2] for name, one in value.items() if name in ("call", "contract") and one]
        return own + [call for one in value.values() for call in calls_in(one)]
    return [call for one in value for call in calls_in(one)] if isinstance(value, list) else []


def cards_in(value: Any, pack: frozenset[str]) -> set[str]:
    """Every card of ``pack`` that a JSON value names, wherever in it."""
    if isinstance(value, dict):
        inner = [cards_in(one, pack) for name, one in value.items() if name not in NAMES_NO_CARD_OF_THE_TABLE]
        return set().union(*inner)
    if isinstance(value, list):
        return set().union(*(cards_in(one, pack) for one in value))
    bare = value.partition("#")[0] if isinstance(value, str) else ""
    return {bare} & pack


PICTURE_S = 3.0
"""A card that a coil under the discard spot names lies there open; the picture that shows it takes so long at most."""


class Eyes:
    """What everybody at the table could know of the deal: what lay face up, what was said aloud or ordered."""

    def __init__(self, pack: frozenset[str]) -> None:
        self._pack = pack
        self.known: set[str] = set()

    def see(self, observation: Observation) -> None:
        """Take one observation into account."""
        if isinstance(observation, Console) and observation.do == "deal":
            self.known = set()
        if isinstance(observation, Sight):
            self.known |= {one.card.partition("#")[0] for one in observation.cards if one.face == "up"} & self._pack
        elif isinstance(observation, Said):
            self.known |= {one for one in self._pack if one in observation.what}
        elif isinstance(observation, Console):
            self.known |= cards_in(dict(observation.fields), self._pack)


@dataclass
class Table:
    """What a played table has sent and written, and what anybody could know at each of its events."""

    folder: Path
    rehearsal: Rehearsal | RoundOfBoards
    arbitro: PrivateKey
    with_key: bool
    heard: list[tuple[str, bytes]] = field(default_factory=list)
    hidden: dict[str, Event] = field(default_factory=dict)
    open_then: dict[int, frozenset[str]] = field(default_factory=dict)
    called_then: dict[int, tuple[list[str], frozenset[str]]] = field(default_factory=dict)
    played: list[Observation] = field(default_factory=list)
    laid: list[Any] = field(default_factory=list)
    page: str = ""

    @property
    def pack(self) -> frozenset[str]:
        """The cards of the pack."""
        return frozenset(card.partition("#")[0] for card in self.rehearsal.header.tags.values())

    @property
    def places(self) -> TableFiles:
        """Where its files lie; without a key a log would name hidden cards in the open."""
        own = self.folder / "table"
        log = own / "T1.jsonl.gz" if self.with_key else None
        return TableFiles(own / "T1.sqlite", own / "evidence", own / "T1.key", log)

    @property
    def archive(self) -> Path:
        """The console's file."""
        return self.folder / "console" / "console.sqlite"

    def play(self, service: TableService) -> None:
        """All of the rehearsal; of each event it is noted what lay open when it was told."""
        self.played = list(self.rehearsal.observations())
        self.laid = list(self.rehearsal.truth().actions)
        boards = self.rehearsal if isinstance(self.rehearsal, RoundOfBoards) else None
        eyes, ahead = (Eyes(self.pack) if boards is None else EyesAcrossTheScreen()), iter(self.played)
        coming = next(ahead, None)
        for observation in self.played:
            while coming is not None and coming.t <= observation.t + PICTURE_S:
                if isinstance(coming, Console) and coming.do == "deal" and coming is not observation:
                    break
                eyes.see(coming)
                coming = next(ahead, None)
            for event in service.observe(observation):
                self.open_then[event.seq] = frozenset(eyes.known | self.really_laid(event.deal, event.t))
                if boards is not None and isinstance(eyes, EyesAcrossTheScreen):
                    passed = boards.calls_passed(event.deal, event.t)
                    self.called_then[event.seq] = passed, frozenset(eyes.calls)
                if event.secret is not None:
                    self.hidden[event.id] = event

    def really_laid(self, deal: int | None, t: float) -> set[str]:
        """Cards that lay open in truth by ``t`` though no picture showed them: played under an arm, named by a gate."""
        return {
            card.partition("#")[0]
            for one in self.laid
            if one["type"] == "play" and one["deal"] == deal and one["t"] <= t + PICTURE_S
            for card in one["cards"]
        }

    def told(self) -> list[Any]:
        """Its events as they were published, and as console and journal keep them."""
        told = [json.loads(payload) for topic, payload in self.heard if "/event/" in topic]
        with sqlite3.connect(self.archive) as db:
            told += [json.loads(body) for (body,) in db.execute("SELECT body FROM event")]
        with sqlite3.connect(self.places.journal) as db:
            told += [json.loads(body) for (body,) in db.execute("SELECT body FROM entries WHERE kind = 'event'")]
        return told


def play_and_search(folder: Path, rules: str, seed: int, *, with_key: bool, deals: int = 1) -> None:
    """Play ``deals`` at a table with broker and console, and look at all that left it and at all files."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    broker = start_broker(folder / "broker", kind="mosquitto")
    played = RoundOfBoards(seed, deals) if rules == "bridge" else prepare(rules, seed, deals, table="T1")
    table = Table(folder, played, PrivateKey.generate(), with_key)
    ready, ear = threading.Event(), Client(CallbackAPIVersion.VERSION2)
    ear.on_message = lambda _client, _data, message: table.heard.append((message.topic, bytes(message.payload)))
    ear.on_subscribe = lambda *_: ready.set()
    ear.connect(broker.host, broker.port or 0)
    ear.subscribe("#", qos=1)
    ear.loop_start()
    assert ready.wait(10)
    table.places.journal.parent.mkdir()
    with serving(ConsoleSettings(broker_port=broker.port, data=table.archive, copies=0)) as running:
        service = TableService(
            table.rehearsal.header, "sala", table.places, BrokerAddress(broker.host, broker.port), lambda: 0.0,
            sealed_for=bytes(table.arbitro.public_key).hex() if with_key else None,
        )  # fmt: skip
        service.start()
        table.play(service)
        service.close(30)
        running.office.book.kept.flush()
        table.page = "".join(str(event) for event in running.store.tables["T1"].events)
    ear.disconnect()
    ear.loop_stop()
    broker.stop()
    assert len(table.hidden) >= 10 * deals or rules == "tarocco", "a deal in which nothing is hidden proves nothing"
    assert min(map(len, table.open_then.values())) < len(table.pack) / 2, "nor does one in which all is seen at once"
    unseen = [one for one in table.hidden.values() if cards_in(one.secret, table.pack) - table.open_then[one.seq]]
    least = played.calls_over_records if isinstance(played, RoundOfBoards) else 5
    assert len(unseen) >= max(least, 4) or rules == "tarocco", "a card that is named too early would be noticed"
    told = table.told()
    no_event_names_its_own_hidden_cards(table, told)
    nothing_names_a_card_that_nobody_could_have_seen(table, told)
    nothing_names_a_call_before_its_tray_passed(table, told)
    assert rules != "bridge" or has_sealed_calls_of_a_standing_tray(table)
    no_byte_holds_a_secret_or_a_tag(table, told)
    what_is_sealed_opens_for_the_arbitro_alone(table)
    the_console_keeps_what_was_sealed_of_bridge(table)
    assert audit(table.places.journal).whole


def no_event_names_its_own_hidden_cards(table: Table, told: list[Any]) -> None:
    about = [event for event in told if event["id"] in table.hidden]
    assert len(about) >= 3 * len(table.hidden)
    for event in about:
        own = cards_in(table.hidden[event["id"]].secret, table.pack)
        assert not own & cards_in(event["data"], table.pack), event
        assert "secret" not in event


def nothing_names_a_card_that_nobody_could_have_seen(table: Table, told: list[Any]) -> None:
    """What left the table at a moment, events and states, names only what lay open by then; all else, in the end."""
    states = [json.loads(payload) for topic, payload in table.heard if topic == PREFIX + "state"]
    assert states, "the table told how it stands"
    for one in [*told, *states]:
        if one["seq"] in table.open_then:
            named = cards_in(one, table.pack) - table.open_then[one["seq"]]
            assert not named, f"{named} in {one}"
    ever = frozenset().union(*table.open_then.values())
    for topic, payload in table.heard:
        if payload and "/sealed/" not in topic and topic.startswith(PREFIX):
            assert not cards_in(json.loads(payload), table.pack) - ever, (topic, payload)


def nothing_names_a_call_before_its_tray_passed(table: Table, told: list[Any]) -> None:
    """No event and no state of a board names a call that lay on no tray that was passed, nor more than there were."""
    states = [json.loads(payload) for topic, payload in table.heard if topic == PREFIX + "state"]
    for one in [*told, *states]:
        if one["seq"] in table.called_then:
            passed, read = table.called_then[one["seq"]]
            assert set(calls_in(one)) <= {*passed, *read, "??"}, one
            assert len(one.get("auction", ())) <= len(passed), one


def has_sealed_calls_of_a_standing_tray(table: Table) -> bool:
    """Whether a call that is told too early would be noticed: some were sealed before their tray passed."""
    early = [
        one for one in table.hidden.values()
        if one.secret and len(one.secret.get("calls", ())) > len(table.called_then[one.seq][0])
    ]  # fmt: skip
    return len(early) >= 3


def no_byte_holds_a_secret_or_a_tag(table: Table, told: list[Any]) -> None:
    """Neither a message nor any file of table, broker and console."""
    needles = [json.dumps(event.secret, ensure_ascii=False, separators=ways) for event in table.hidden.values()
               for ways in ((",", ":"), (", ", ": "))]  # fmt: skip
    # A card that is hidden in one deal may be turned up in another: what events say openly was judged by its moment.
    judged = "\n".join(json.dumps(one["data"], ensure_ascii=False, separators=(",", ":")) for one in told)
    needles = [one for one in needles if one.replace(": ", ":").replace(", ", ",") not in judged]
    needles += list(table.rehearsal.header.tags)
    if isinstance(table.rehearsal, RoundOfBoards):
        needles += [one.split('"')[1] for one in table.rehearsal.records]
    files = [one for one in table.folder.rglob("*") if one.is_file() and one.suffix != ".key"]
    everything = [(str(one), one.read_bytes()) for one in files] + table.heard + [("page", table.page.encode())]
    assert any(name.endswith("T1.sqlite") for name, _ in everything)
    assert any(name.endswith("T1.sealed") for name, _ in everything) == table.with_key
    whole = b"\0".join(data for _, data in everything)
    for needle in needles:
        assert needle.encode() not in whole, (needle, [n for n, data in everything if needle.encode() in data])


def what_is_sealed_opens_for_the_arbitro_alone(table: Table) -> None:
    """It is signed by the table, its length tells nothing, and the log in it is the one that was played."""
    sealed = [payload for topic, payload in table.heard if topic.startswith(PREFIX + "sealed/")]
    with sqlite3.connect(table.places.journal) as db:
        secrets = [json.loads(one) for (one,) in db.execute("SELECT secret FROM entries WHERE secret IS NOT NULL")]
    if not table.with_key:
        assert sealed == []
        assert secrets == []
        return
    key = load_or_make_key(table.places.key).verify_key
    opened = [open_sealed(message, table.arbitro, key) for message in sealed]
    event_types = {one.id: one.type for one in table.hidden.values()}
    assert {one["event"] for one in opened} == set(table.hidden)
    assert all(one["secret"] == table.hidden[one["event"]].secret for one in opened)
    assert all(list(one) == ["sealed"] for one in secrets)
    kinds = {(event_types[one["event"]], len(json.loads(m)["sealed"])) for m, one in zip(sealed, opened, strict=True)}
    assert len(kinds) <= 2 or len(kinds) == len({kind for kind, _ in kinds})
    log = table.folder / "table" / "T1.sealed"
    assert list(read_log(log, None, SealedLog(log, table.arbitro, key).opened())[1]) == table.played


def the_console_keeps_what_was_sealed_of_bridge(table: Table) -> None:
    """As it came over the broker: it opens for the arbitro, whom a page of the console asks for his key."""
    with sqlite3.connect(table.archive) as db:
        kept = dict(db.execute("SELECT event, body FROM sealed WHERE place = 'T1'").fetchall())
    if table.rehearsal.header.rules != "bridge" or not table.with_key:
        assert kept.keys() <= set(table.hidden)  # a few where the table's state came after them
        return
    key = load_or_make_key(table.places.key).verify_key
    assert kept.keys() == set(table.hidden)
    for event, body in kept.items():
        assert open_sealed(body.encode(), table.arbitro, key)["secret"] == table.hidden[event].secret


@pytest.mark.slow(seconds=4)
@pytest.mark.parametrize(
    ("rules", "seed", "with_key"),
    rest_in_proof(
        [
            ("fibur2024", 7, True),
            ("tarocco", 7, True),
            ("bridge", 7, True),
            ("fibur2024", 7, False),  # without a key the table's service seals otherwise, whatever is played
            ("bridge", 7, False),
            ("feburit", 7, True),  # the fold and the events of fibur2024
            ("online", 7, True),
            ("feburit", 7, False),
            ("online", 7, False),
            ("tarocco", 7, False),
            ("fibur2024", 19, True),
            ("fibur2024", 19, False),
        ],
        4,
    ),
)
def test_no_byte_names_a_hidden_card(tmp_path: Path, rules: str, seed: int, with_key: bool) -> None:
    play_and_search(tmp_path, rules, seed, with_key=with_key)


FIFTY: Final = [
    *((rules, seed, 5) for rules in ("fibur2024", "feburit", "online", "tarocco") for seed in range(2100, 2110)),
    *(("bridge", seed, 2) for seed in range(2100, 2125)),  # boards with screens take longest
]
"""Rounds: their rules, their seed, and how many deals they have; fifty deals of each rule set."""


@pytest.mark.sweep
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("rules", "seed", "deals"), FIFTY)
def test_no_byte_of_fifty_deals_names_a_hidden_card(tmp_path: Path, rules: str, seed: int, deals: int) -> None:
    play_and_search(tmp_path, rules, seed, with_key=True, deals=deals)


def test_journals_of_one_name_do_not_take_each_others_places() -> None:
    from datetime import UTC, datetime, timedelta

    now = datetime(2026, 11, 22, 14, tzinfo=UTC)
    ours, later = first_boot_of(now, b"\1"), first_boot_of(now + timedelta(hours=2), b"\0")
    assert ours != first_boot_of(now, b"\2")
    assert ours < later  # a table whose card was changed comes after itself
    assert 1 <= first_boot_of(datetime(1970, 1, 1, tzinfo=UTC), b"\0") < 100
    assert len(f"{first_boot_of(datetime(2056, 1, 1, tzinfo=UTC), bytes([255])):06x}") == 6
