"""The simulated tables of ``console_load.py`` and ``overload.py``, by the hundred.

A simulated table sends what a table sends at plausible sizes, and knows no rule. Every alert's key and moment go to
standard output.
"""

from __future__ import annotations

import json
import math
import random
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from prepared_traffic import Track

from table_service.events.resending import contents
from table_service.events.sequence import Extent
from table_service.events.signing import Kind, introduction
from table_service.events.signing import SigningIdentity as Key
from table_service.events.topics import Topics, hall_filter, parse
from table_service.publish.resender import Resender

HALL: Final = "prova"
ALERTS_PER_S: Final = 2.0
ALERT_LIVES_S: Final = 4.0
BOOT: Final = "000001"
CONTENTS_EVERY_S: Final = 5.0
CARDS: Final = [f"{rank}{suit}" for suit in "HDCS" for rank in "A23456789TJQK"]


# --- the tables ------------------------------------------------------------------------------------------------------


class Table:
    """What one simulated table says: plausible sizes, no rules."""

    def __init__(self, name: str, chance: random.Random, key: Key | None = None) -> None:
        self.key = key
        self._said = 0
        self.topics = Topics(HALL, name)
        self.name = name
        self._chance = chance
        self._seq = 0
        self._turn = 0
        self.told: list[str] = []
        """Every event, for those who lack it."""
        self.alerts: set[str] = set()
        """The keys of those that stand: the signed state names them, so that their end is the table's word."""
        self.resender = Resender(self.topics, self, BOOT, self._message)

    def _message(self, kind: Kind, document: Mapping[str, Any]) -> bytes:
        return json.dumps(self.signed(kind, dict(document))).encode()

    def signed(self, kind: Kind, document: dict[str, Any]) -> dict[str, Any]:
        """Return a message as a table says it: signed if it has a key."""
        if self.key is None:
            return document
        if kind in ("state", "status"):
            self._said += kind == "state"
            document = {**document, "said": self._said}
        if kind == "state":
            document = {**document, "alerts": sorted(self.alerts)}
        if kind == "alert":
            document = {**document, "table": self.name, "boot": BOOT}
        return self.key.sign(kind, document)

    def state(self) -> dict[str, Any]:
        """Return a public table in the middle of a deal."""
        r = self._chance
        melds = [
            {
                "id": n, "line": "NS" if n % 2 else "EW", "kind": "run", "cards": r.sample(CARDS, 7), "wild": None,
                "burraco": "clean", "points": 250, "frozen": "none", "valid": True,
            }
            for n in range(6)
        ]  # fmt: skip
        return {
            "table": self.name, "rules": "fibur2024", "boot": "000001", "seq": self._seq, "seats": {},
            "round": {"running": True, "deals": 4}, "deal": 2, "dealer": "S", "phase": "play", "manner": None,
            "turn": {"n": self._turn, "seat": "NESW"[self._turn % 4], "begun": True, "drawn": True},
            "melds": {"NS": melds[1::2], "EW": melds[::2]}, "pile": r.sample(CARDS, 12), "stock": 31,
            "hands": {"N": 6, "E": 9, "S": 12, "W": 3}, "pots": {"left": 1, "taken": {"EW": "W"}}, "sides": {},
            "score": {"running": {"NS": 505, "EW": 320}, "deals": {"1": {"NS": 505, "EW": 320}}},
            "warnings": {"NS": 0, "EW": 0}, "irregularities": [], "sanctions": [], "unverified": {}, "nodes": {},
        }  # fmt: skip

    def between(self, _boot: str, first: int, last: int, limit: int) -> list[dict[str, Any]]:
        """Return what it emitted, as a journal gives it."""
        return [json.loads(body) for body in self.told[first - 1 : last][:limit]]

    def highest(self, _boot: str) -> int:
        """How much it told."""
        return len(self.told)

    def contents(self) -> str:
        """Return what there is to be had of it."""
        told = contents(BOOT, [Extent(BOOT, 1, len(self.told), "2026-11-20T21:00:00.000Z")])
        return json.dumps(self.signed("journal", told))

    def event(self) -> dict[str, Any]:
        """Return the next event."""
        self._seq += 1
        self._turn = self._seq // 4
        kind, data = self._chance.choice(
            [
                ("turn.started", {}),
                ("card.drawn", {"from": "stock", "count": 1}),
                ("card.discarded", {"card": self._chance.choice(CARDS), "left": False}),
                ("meld.extended", {"meld": {"id": 1, "cards": self._chance.sample(CARDS, 7)}, "added": ["7H"]}),
            ]
        )
        seat = "NESW"[self._turn % 4]
        return {
            "v": 1, "id": f"{self.name}-000001-{self._seq:06d}", "table": self.name, "boot": "000001",
            "seq": self._seq, "t": self._seq / 5, "time": "2026-11-20T21:10:00.000Z", "deal": 2, "turn": self._turn,
            "type": kind, "seat": seat, "line": "NS" if seat in "NS" else "EW", "data": data, "confidence": 0.99,
            "basis": ["sight", "scale"], "late": False,
        }  # fmt: skip

    def alert(self, key: str) -> dict[str, Any]:
        """Return an irregularity that waits for the arbitro."""
        text = {"it": "Est rimette la carta in cima al tallone.", "en": "East puts the card back on the stock."}
        step = {"do": "return-to-stock", "who": "E", "cards": [], "until": None, "text": text}
        return {
            "key": key, "row": "F-31a", "article": "31", "title": {"it": "Pesca fuori turno", "en": "Draw out of turn"},
            "severity": "play-stops", "offender": "E", "pair": "EW", "cards": ["??"], "committed_t": time.time() % 1e5,
            "found": "during_turn", "state": "open", "remedy": [step, step, step], "options": [], "warn": False,
            "needs_referee": False, "evidence": [{"kind": "log", "ref": 1.0}],
        }  # fmt: skip


class Voice:
    """A connection for what is no prepared traffic: what tables say at first, and what they answer.

    Who asks a table for what he lacks gets it, as a real one answers.
    """

    def __init__(self, port: int, tables: list[Table]) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = self._asked
        self._tables = {table.name: table for table in tables}
        self.client.max_inflight_messages_set(1000)
        self.client.max_queued_messages_set(0)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        self.client.subscribe(hall_filter(HALL, "resend"), 1)

    def publish(self, topic: str, payload: str | bytes, *, retain: bool = False) -> int:
        """Hand a message over."""
        return self.client.publish(topic, payload, qos=1, retain=retain).mid

    def introduce(self, table: Table) -> None:
        """Tell what a table says when it is switched on."""
        if table.key is not None:
            named = introduction(table.name, [table.key.certificate])
            self.publish(table.topics.identity, json.dumps(named), retain=True)
        status = table.signed("status", {"state": "ready", "boot": BOOT, "version": "x"})
        self.publish(table.topics.status, json.dumps(status), retain=True)
        state = json.dumps(table.signed("state", table.state()))
        self.client.publish(table.topics.state, state, qos=1, retain=True).wait_for_publish(60)

    def close(self) -> None:
        """End the connection."""
        self.client.disconnect()
        self.client.loop_stop()

    def _asked(self, _client: Any, _data: Any, message: Any) -> None:
        address = parse(message.topic)
        if address is not None and address.table in self._tables:
            resender = self._tables[address.table].resender
            resender.asked(bytes(message.payload))
            while resender.send(self):
                resender.flew()


KEYS: Final = "keys.json"
"""In this file of a hall whose tables sign stand their certificates and keys."""
AUTHORITY: Final = "authority.crt"


def make_keys(folder: Path, count: int) -> None:
    """Make a hall's authority, and a certificate and a key for each of its tables."""
    from cryptography.hazmat.primitives.serialization import Encoding

    from table_service.hall.authority import new_authority, now
    from table_service.install.contents import table_user

    authority = new_authority(HALL, now())
    made = {f"T{n}": authority.issue(table_user(f"T{n}"), "client", now()) for n in range(1, count + 1)}
    (folder / AUTHORITY).write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    told = {name: [one.certificate.decode(), one.key.decode()] for name, one in made.items()}
    (folder / KEYS).write_text(json.dumps(told), encoding="ascii")


def keys_of(folder: Path | None) -> dict[str, Key]:
    """Return the keys of a hall whose tables sign; none in any other."""
    if folder is None or not (folder / KEYS).exists():
        return {}
    told = json.loads((folder / KEYS).read_text(encoding="ascii"))
    return {name: Key(certificate.encode(), key.encode()) for name, (certificate, key) in told.items()}


class Traffic:
    """What the tables will say in ``seconds``, prepared: cards on one connection, what is pressing on another.

    No table's alert waits behind the cards of two hundred others. The last alert has ended when the traffic ends.
    """

    def __init__(self, folder: Path, tables: list[Table], rate: float, seconds: float, chance: random.Random) -> None:
        self.cards, self.pressing = Track(folder / "cards.packets"), Track(folder / "pressing.packets")
        self.begun: dict[int, str] = {}
        """By number of a pressing packet: the alert that it begins."""
        self.events = int(len(tables) * rate * seconds)
        self._living: list[tuple[float, Table, str]] = []
        alerts, said, step = 0, 0.0, 1 / (len(tables) * rate)
        for done in range(self.events):
            now = done * step
            if alerts < now * ALERTS_PER_S and now < seconds - 2 * ALERT_LIVES_S:
                alerts += 1
                self._alert(now, chance.choice(tables), f"r1d2-{alerts}")
            self._end_alerts(now, now - ALERT_LIVES_S)
            if now - said > CONTENTS_EVERY_S:
                said = now
                self._contents(now, tables)
            self._event(now, tables[done % len(tables)] if done % 3 else chance.choice(tables))
        self._end_alerts(seconds, math.inf)
        self._contents(seconds, tables)

    def _event(self, now: float, table: Table) -> None:
        event = table.signed("event", table.event())
        table.told.append(json.dumps(event))
        self.cards.add(now, table.topics.event(event["type"]), table.told[-1].encode())
        self._state(now, table)

    def _state(self, now: float, table: Table) -> None:
        state = json.dumps(table.signed("state", table.state())).encode()
        self.cards.add(now, table.topics.state, state, retain=True)

    def _contents(self, now: float, tables: list[Table]) -> None:
        for table in tables:
            self.cards.add(now, table.topics.journal, table.contents().encode(), retain=True)

    def _alert(self, now: float, table: Table, key: str) -> None:
        table.alerts.add(key)
        self.begun[len(self.pressing.due)] = f"{table.name}-{key}"
        self.pressing.add(
            now, table.topics.alert(key), json.dumps(table.signed("alert", table.alert(key))).encode(), retain=True
        )
        self._state(now, table)
        self._living.append((now, table, key))

    def _end_alerts(self, now: float, before: float) -> None:
        while self._living and self._living[0][0] < before:
            _, table, key = self._living.pop(0)
            table.alerts.discard(key)
            self.pressing.add(now, table.topics.alert(key), b"", retain=True)
            self._state(now, table)

    def play(self, port: int, ended: threading.Event) -> float:
        """Send everything; every alert's key and moment go to standard output. Returns the seconds that it took."""

        def tell(number: int) -> None:
            if number in self.begun:
                print(f"{self.begun[number]} {time.time()}", flush=True)

        began = time.monotonic()
        ways = [
            threading.Thread(target=track.play, args=(port, name, began, ended, say))
            for track, name, say in ((self.pressing, "pressing", tell), (self.cards, "cards", lambda _number: None))
        ]
        for way in ways:
            way.start()
        for way in ways:
            way.join()
        return time.monotonic() - began


def play(port: int, count: int, rate: float, seconds: float, seed: int, folder: Path) -> None:
    """Prepare ``seconds`` of traffic, say ``ready``, play it from a line of input on, and answer until input ends.

    At the traffic's end: events per second, the greatest lateness (ms), events, and this process's processor seconds
    since the line of input.
    """
    chance = random.Random(seed)  # noqa: S311 - a simulation
    keys = keys_of(folder)
    tables = [Table(f"T{n}", chance, keys.get(f"T{n}")) for n in range(1, count + 1)]
    voice = Voice(port, tables)
    for table in tables:
        voice.introduce(table)
    traffic = Traffic(folder, tables, rate, seconds, chance)
    ended, going = threading.Event(), threading.Event()

    def listen() -> None:
        going.set() if sys.stdin.readline() else ended.set()
        sys.stdin.read()
        ended.set()
        going.set()

    threading.Thread(target=listen, daemon=True).start()
    print("ready", flush=True)
    going.wait()
    before = time.process_time()
    took = traffic.play(port, ended)
    used, behind = time.process_time() - before, traffic.cards.behind * 1000
    print(f"end {traffic.events / took:.1f} {behind:.0f} {traffic.events} {used:.2f}", flush=True)
    ended.wait()
    voice.close()
