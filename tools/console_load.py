"""A hall of simulated tables over a real mosquitto, and how the arbitro's console bears it.

``python tools/console_load.py [--tables 200] [--rate 5] [--seconds 60] [--json FILE]``

Among the simulated tables plays a real one: the service that ``tavolo run`` starts, with its fold, its journal on the
disk and its own connection, fed with the observations of rehearsed deals in which something goes wrong. Measured there:
from the moment at which the last observation is handed to the table until the alert's row stands in a real Chromium
page, after the frame that shows it. Between two alerts the real table is fed faster than a table plays; the last second
before an observation that completes one comes in its own time. Sensors, link and camera are not in it.

Measured too: from an alert's publication by a simulated table until its row stands in that page, and until a plain
client of server-sent events has it; the first page; the console's memory and processor time; the machine's load. The
console runs in a process of its own, as do the tables; broker and browser share the machine with them. Every event of a
simulated table is sent as a table sends it: the event and, retained, the table's new state. Needs mosquitto; without
Chromium the page is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from hw.observations import Observation  # noqa: E402
from table_service.console import ConsoleSettings, serving  # noqa: E402
from table_service.events import Event  # noqa: E402
from table_service.events.payloads import Irregularity  # noqa: E402
from table_service.events.topics import Topics  # noqa: E402
from table_service.publish import BrokerAddress  # noqa: E402
from table_service.publish.broker import find_mosquitto, free_port  # noqa: E402
from table_service.rehearsal.rehearse import prepare  # noqa: E402
from table_service.service import Places, TableService  # noqa: E402
from table_service.table import TableFold  # noqa: E402

HALL: Final = "load"
WARM_S: Final = 5.0
ALERTS_PER_S: Final = 2.0
ALERT_LIVES_S: Final = 4.0
BROKER: Final = """
listener {port} 127.0.0.1
allow_anonymous true
persistence true
persistence_location {folder}/
autosave_interval 10
max_queued_messages 50000
max_inflight_messages 500
"""
"""A hall's broker: saved every ten seconds. Saving at every change, as the demo's broker does, bears no hall of tables;
what a broker loses, the tables say again."""
CARDS: Final = [f"{rank}{suit}" for suit in "HDCS" for rank in "A23456789TJQK"]


# --- the tables ------------------------------------------------------------------------------------------------------


class Table:
    """What one simulated table says: plausible sizes, no rules."""

    def __init__(self, name: str, chance: random.Random) -> None:
        self.topics = Topics(HALL, name)
        self.name = name
        self._chance = chance
        self._seq = 0
        self._turn = 0

    def state(self) -> dict[str, Any]:
        """A public table in the middle of a deal."""
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

    def event(self) -> dict[str, Any]:
        """The next event."""
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
        """An irregularity that waits for the arbitro."""
        text = {"it": "Est rimette la carta in cima al tallone.", "en": "East puts the card back on the stock."}
        step = {"do": "return-to-stock", "who": "E", "cards": [], "until": None, "text": text}
        return {
            "key": key, "row": "F-31a", "article": "31", "title": {"it": "Pesca fuori turno", "en": "Draw out of turn"},
            "severity": "play-stops", "offender": "E", "pair": "EW", "cards": ["??"], "committed_t": time.time() % 1e5,
            "found": "during_turn", "state": "open", "remedy": [step, step, step], "options": [], "warn": False,
            "needs_referee": False, "evidence": [{"kind": "log", "ref": 1.0}],
        }  # fmt: skip


def play(port: int, count: int, rate: float, seed: int) -> None:
    """Publish until standard input ends; every alert's key and moment go to standard output."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    chance = random.Random(seed)  # noqa: S311 - a simulation
    client = Client(CallbackAPIVersion.VERSION2)
    client.max_inflight_messages_set(1000)
    client.connect("127.0.0.1", port)
    client.loop_start()
    tables = [Table(f"T{n}", chance) for n in range(1, count + 1)]
    for table in tables:
        client.publish(table.topics.status, b'{"state":"ready","boot":"000001","version":"x"}', qos=1, retain=True)
        client.publish(table.topics.state, json.dumps(table.state()), qos=1, retain=True)
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    print("playing", flush=True)
    began, done, alerts = time.monotonic(), 0, 0
    living: list[tuple[float, str]] = []
    behind = 0.0
    while not ended.is_set():
        now = time.monotonic() - began
        while done < now * count * rate and not ended.is_set():
            table = tables[done % count] if done % 3 else chance.choice(tables)
            event = table.event()
            client.publish(table.topics.event(event["type"]), json.dumps(event), qos=1)
            client.publish(table.topics.state, json.dumps(table.state()), qos=1, retain=True)
            done += 1
        behind = max(behind, time.monotonic() - began - now)
        if alerts < now * ALERTS_PER_S:
            alerts += 1
            table, key = chance.choice(tables), f"r1d2-{alerts}"
            message = json.dumps(table.alert(key))
            print(f"{table.name}-{key} {time.time()}", flush=True)
            client.publish(table.topics.alert(key), message, qos=1, retain=True)
            living.append((now, table.topics.alert(key)))
        while living and living[0][0] < now - ALERT_LIVES_S:
            client.publish(living.pop(0)[1], b"", qos=1, retain=True)
        time.sleep(0.002)
    print(f"end {done / (time.monotonic() - began):.1f} {behind * 1000:.0f}", flush=True)
    client.disconnect()
    client.loop_stop()


# --- the real table --------------------------------------------------------------------------------------------------

FAULTS: Final = (
    "F-24a", "F-31a", "F-29b", "F-30a", "F-09f", "F-31b", "F-25b", "F-32",
    "F-26e", "F-31c", "F-29c", "F-24c", "F-10a", "F-31d", "F-29d", "F-34",
)  # fmt: skip
"""What goes wrong in its deals, one in each: told by camera, by melds, by the discard, by scale and beam."""
ROUND_S: Final = 70.0
"""Such a round takes about so long here."""
OWN_TIME_S: Final = 1.0
SHOWN_S: Final = 1.2
"""So long an alert stands before the deal goes on: the page has to have shown it."""


class RealTable:
    """A table's service over rehearsed deals; what it tells first, and when it was handed the observation for it."""

    def __init__(self, port: int, folder: Path, seed: int, name: str) -> None:
        self._rehearsal = prepare("fibur2024", seed, len(FAULTS), FAULTS, table=name)
        self._now = self._handed = 0.0
        self._told: set[str] = set()
        self._seen: list[str] = []
        self.service = TableService(
            self._rehearsal.header,
            HALL,
            Places.under(folder / name, name),
            BrokerAddress("127.0.0.1", port),
            lambda: self._now,
        )
        self.service.listeners.append(self._hear)
        self._observations = list(self._rehearsal.observations())
        self._moments = self._foreseen()

    def _hear(self, event: Event) -> None:
        data = event.data
        if isinstance(data, Irregularity) and data.state == "open" and data.key not in self._told:
            self._told.add(data.key)
            self._seen.append(data.key)

    def _foreseen(self) -> list[float]:
        """When the deals' irregularities are completed, found beforehand: the fold is the same each time."""
        fold, known, found = TableFold(self._rehearsal.header), set[str](), []
        for observation in self._observations:
            for event in fold.feed(observation):
                data = event.data
                if isinstance(data, Irregularity) and data.state == "open" and data.key not in known:
                    known.add(data.key)
                    found.append(observation.t)
        return found

    def play(self, ended: threading.Event) -> None:
        """Play until the deals are over or ``ended``; each alert is printed with its key, moment and own time (ms)."""
        moments = self._moments
        self.service.start()
        for n, observation in enumerate(self._observations):
            if ended.is_set():
                break
            while moments and moments[0] < observation.t:
                moments.pop(0)
            if moments and observation.t > moments[0] - OWN_TIME_S and observation.t > self._now:
                time.sleep(observation.t - self._now)
            elif n % 20 == 0:
                time.sleep(0.02)  # the rest of the machine is being measured
            self._now = observation.t
            self._feed(observation)
        self.service.close(5.0)

    def _feed(self, observation: Observation) -> None:
        handed, began = time.time(), time.perf_counter()
        self.service.observe(observation)
        took = (time.perf_counter() - began) * 1000
        for key in self._seen:
            print(f"{self.service.header.table}-{key} {handed} {took:.2f}", flush=True)
        if self._seen:
            self._seen.clear()
            time.sleep(SHOWN_S)


def play_real(port: int, folder: Path, seed: int, seconds: float) -> None:
    """Play one real table after the other, from the first line of standard input until it ends."""
    ended = threading.Event()
    rounds = [RealTable(port, folder, seed + n, f"R{n + 1}") for n in range(1 + int(seconds / ROUND_S))]
    print("ready", flush=True)
    sys.stdin.readline()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    for table in rounds:
        if not ended.is_set():
            table.play(ended)


def console(port: int, folder: Path) -> None:
    """Serve the console until standard input ends."""
    settings = ConsoleSettings(hall=HALL, broker_port=port, data=folder / "console.sqlite", open_link=True)
    with serving(settings) as running:
        print(running.door, flush=True)
        sys.stdin.read()


# --- those who look --------------------------------------------------------------------------------------------------

WATCH: Final = """() => { window.seen = {};
  const note = () => { const now = performance.timeOrigin + performance.now();
    document.querySelectorAll('.wait').forEach(e => { if (!(e.id in window.seen)) window.seen[e.id] = now; }); };
  new MutationObserver(() => requestAnimationFrame(note)).observe(document.querySelector('#queue'),
    { childList: true, subtree: true }); note(); }"""
PAINT: Final = """() => { const n = performance.getEntriesByType('navigation')[0];
  const p = performance.getEntriesByName('first-contentful-paint')[0];
  return { answered_ms: Math.round(n.responseEnd), loaded_ms: Math.round(n.loadEventEnd),
           painted_ms: p ? Math.round(p.startTime) : null, bytes: n.encodedBodySize }; }"""


def listen(url: str, cookie: str, seen: dict[str, float], ended: threading.Event) -> None:
    """A plain client of the hall's stream: when it first hears of each alert."""
    request = urllib.request.Request(f"{url}/stream", headers={"Cookie": cookie})  # noqa: S310 - our own console
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        for line in answer:
            if ended.is_set():
                return
            if b'id="wait-' in line:
                now = time.time()
                for part in line.split(b'id="wait-')[1:]:
                    seen.setdefault(part.split(b'"')[0].decode(), now)


def sign_in(door: str) -> str:
    """The cookie that the link gives."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    try:
        urllib.request.build_opener(Stay).open(door)
    except urllib.error.HTTPError as answer:
        return str(answer.headers["Set-Cookie"]).split(";")[0]
    raise SystemExit("console_load: the console does not open")


def first_pages(url: str, cookie: str, times: int = 20) -> list[float]:
    """Milliseconds for the hall's page, one after the other, as the server gives it."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        request = urllib.request.Request(f"{url}/", headers={"Cookie": cookie})  # noqa: S310 - our own console
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            answer.read()
        found.append((time.perf_counter() - began) * 1000)
        time.sleep(0.1)
    return sorted(found)


def quantiles(values: list[float]) -> dict[str, float | int | None]:
    """Number, median, 99th percentile and greatest of ``values``."""
    ordered = sorted(values)
    if not ordered:
        return {"n": 0, "median": None, "p99": None, "max": None}
    return {
        "n": len(ordered),
        "median": round(ordered[len(ordered) // 2], 1),
        "p99": round(ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))], 1),
        "max": round(ordered[-1], 1),
    }


def memory_mb(pid: int) -> dict[str, float]:
    """Resident memory of a process now and at its greatest, in MB (Linux)."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    found = {line.split(":")[0]: float(line.split()[1]) / 1024 for line in lines if line.startswith(("VmRSS", "VmHWM"))}
    return {"now": round(found["VmRSS"], 1), "greatest": round(found["VmHWM"], 1)}


def processor_s(pid: int) -> float:
    """Processor seconds that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def spawn(*arguments: object) -> subprocess.Popen[str]:
    """This program in another role."""
    command = [sys.executable, str(Path(__file__).resolve()), *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603


def start(port: int, folder: Path) -> subprocess.Popen[bytes]:
    """A hall's broker."""
    program = find_mosquitto()
    if program is None:
        raise SystemExit("console_load: mosquitto is not installed; apt-get install mosquitto brings it")
    (folder / "mosquitto.conf").write_text(BROKER.format(port=port, folder=folder), encoding="ascii")
    command = [program, "-c", folder / "mosquitto.conf"]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)  # noqa: S603


def measure(tables: int, rate: float, seconds: float, seed: int) -> dict[str, Any]:
    """Run the hall for ``seconds`` and say what was measured."""
    load_before = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="tavolo-load-") as name:
        folder = Path(name)
        port = free_port()
        broker = start(port, folder)
        served = spawn("--role", "console", "--port", port, "--folder", folder)
        assert served.stdout is not None  # noqa: S101 - a pipe
        door = served.stdout.readline().strip()
        url, cookie = door.partition("/enter/")[0], sign_in(door)
        real = spawn("--role", "real", "--port", port, "--folder", folder, "--seed", seed, "--seconds", seconds)
        assert real.stdout is not None  # noqa: S101 - a pipe
        real.stdout.readline()
        players = spawn("--role", "tables", "--port", port, "--tables", tables, "--rate", rate)
        assert players.stdout is not None  # noqa: S101 - a pipe
        players.stdout.readline()
        said: list[str] = []
        told: list[str] = []
        readers = [
            threading.Thread(target=lines.extend, args=(pipe,), daemon=True)
            for lines, pipe in ((said, players.stdout), (told, real.stdout))
        ]
        for reader in readers:
            reader.start()
        time.sleep(WARM_S)
        ended, heard = threading.Event(), dict[str, float]()
        threading.Thread(target=listen, args=(url, cookie, heard, ended), daemon=True).start()
        used, began = processor_s(served.pid), time.monotonic()
        page, paint = look(door, seconds, real)
        used = (processor_s(served.pid) - used) / (time.monotonic() - began)
        pages = first_pages(url, cookie)
        memory = memory_mb(served.pid)
        ended.set()
        for process, patience in ((players, 20), (real, 30), (served, 20)):
            assert process.stdin is not None  # noqa: S101 - a pipe
            process.stdin.close()
            process.wait(patience)
        for reader in readers:
            reader.join(5)
        broker.terminate()
        broker.wait(10)
    sent = {key: float(at) for key, _, at in (line.strip().partition(" ") for line in said) if key != "end"}
    last = next((line.split() for line in said if line.startswith("end")), ["end", "0", "0"])
    span = (min(page.values(), default=0.0), max(page.values(), default=0.0))
    own = {key: (float(at), float(took)) for key, at, took in (line.split() for line in told if line.startswith("R"))}
    due = [key for key, at in sent.items() if span[0] < at < span[1] - 1]
    return {
        "tables": tables,
        "events_per_s": float(last[1]),
        "load_before": [round(one, 2) for one in load_before],
        "load_after": [round(one, 2) for one in os.getloadavg()],
        "real_table_to_page_ms": quantiles([(page[key] - at) * 1000 for key, (at, _) in own.items() if key in page]),
        "real_table_own_ms": quantiles([took for key, (_, took) in own.items() if key in page]),
        "real_alerts_not_seen": [key for key, (at, _) in own.items() if at < span[1] - 1 and key not in page],
        "alert_to_page_ms": quantiles([(page[key] - sent[key]) * 1000 for key in due if key in page]),
        "alerts_not_seen": [key for key in due if key not in page],
        "alert_to_stream_ms": quantiles(
            [(at - sent[key]) * 1000 for key, at in heard.items() if sent.get(key, 0) > began_wall(heard)]
        ),
        "first_page_server_ms": quantiles(pages),
        "first_page_browser": paint,
        "console_mb": memory,
        "console_processor": round(used, 2),
    }


def began_wall(heard: dict[str, float]) -> float:
    """The moment from which the plain client was listening: its first message tells what stood before."""
    return min(heard.values(), default=0.0)


def look(door: str, seconds: float, real: subprocess.Popen[str]) -> tuple[dict[str, float], dict[str, Any]]:
    """Watch the hall in Chromium: when each alert's row was first shown (seconds since 1970), and the first page.

    The ``real`` table begins to play when the page stands.
    """
    from make_pictures import chromium
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1024, "height": 768})
        page.goto(door)
        page.goto(door.partition("/enter/")[0])
        page.wait_for_selector("#queue")
        paint: dict[str, Any] = page.evaluate(PAINT)
        page.evaluate(WATCH)
        assert real.stdin is not None  # noqa: S101 - a pipe
        real.stdin.write("go\n")
        real.stdin.flush()
        page.wait_for_timeout(seconds * 1000)
        seen: dict[str, float] = page.evaluate("window.seen")
        browser.close()
    return {name.removeprefix("wait-"): at / 1000 for name, at in seen.items()}, paint


def main() -> int:
    """Measure, or play one of the parts in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=5.0, help="events per second and table")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--role", choices=("console", "tables", "real"), help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=41, help="which deals the real table plays")
    asked = parser.parse_args()
    if asked.role == "console":
        console(asked.port, asked.folder)
        return 0
    if asked.role == "tables":
        play(asked.port, asked.tables, asked.rate, seed=7)
        return 0
    if asked.role == "real":
        play_real(asked.port, asked.folder, asked.seed, asked.seconds)
        return 0
    report = measure(asked.tables, asked.rate, asked.seconds, asked.seed)
    text = json.dumps(report, indent=1)
    print(text)
    if asked.json is not None:
        asked.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
