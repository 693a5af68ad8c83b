"""A hall of simulated tables over a real mosquitto, and how the arbitro's console bears it.

``python tools/console_load.py [--tables 200] [--rate 5] [--seconds 60] [--away] [--json FILE]``

Among the simulated tables play two real ones: the service that ``tavolo run`` starts, each a process of its own with
its fold, its journal on the disk and its own connection, fed with the observations of rehearsed deals in which
something goes wrong. Measured there: from the moment at which the last observation is handed to the table until the
alert's row stands in a real Chromium page, after the frame that shows it. Between two alerts a real table is fed faster
than a table plays; the last second before an observation that completes one comes in its own time. Sensors, link and
camera are not in it.

Measured too: from an alert's publication by a simulated table until its row stands in that page, and until a plain
client of server-sent events, also a process, has it; the first page; the console's memory and processor time. The five
latest alerts are named, with the second at which they were published. ``machine_busy`` says how many processors were
busy meanwhile, and how many of them with something else than this hall. The console runs in a process of its own, as do
the tables; broker and browser share the machine with them. Every event of a simulated table is sent as a table sends
it: the event and, retained, the table's new state. Needs mosquitto and Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from living_hall import processor_s  # noqa: E402
from load_real_tables import REAL, play_real  # noqa: E402
from load_tables import AUTHORITY, HALL, play  # noqa: E402
from outside_services import receive, wish  # noqa: E402

from table_service.console import ConsoleSettings, serving  # noqa: E402
from table_service.console.remote.sharing import MailServer, RemoteSettings  # noqa: E402
from table_service.events.signing import Voices, load_authority  # noqa: E402
from table_service.install.contents import table_user  # noqa: E402
from table_service.publish.broker import find_mosquitto, free_port  # noqa: E402

WARM_S: Final = 5.0
PAGES_S: Final = 20.0
"""So long after the browser's time the tables still play: the hall's page is asked for meanwhile."""
MAIL_S: Final = 30.0
"""In a shorter run no mail goes out: what comes within 15 s is one mail."""
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


def console(port: int, folder: Path, push: str) -> None:
    """Serve the console until standard input ends; ``push``: port and certificate of the services that it sends to."""
    voices = None
    if (folder / AUTHORITY).exists():
        voices = Voices(load_authority((folder / AUTHORITY).read_bytes()), table_user, must_sign=True)
    remote = RemoteSettings()
    if push:
        mail, trust = int(push.partition(",")[0]), ssl.create_default_context(cafile=push.rpartition(",")[2])
        remote = RemoteSettings(
            address="https://hall.example", push=True, push_services=("127.0.0.1",), push_tls=trust, mqtt=True,
            mail=MailServer("127.0.0.1", mail, "tavolo@hall.example", tls=trust),
        )  # fmt: skip
    settings = ConsoleSettings(
        hall=HALL, broker_port=port, data=folder / "console.sqlite", open_link=True, voices=voices, remote=remote
    )
    with serving(settings) as running:
        if push:
            wish(running.office.book, push.split(",")[1])
        print(running.door, flush=True)
        sys.stdin.read()
        counts = {name: asdict(one.counts) for name, one in running.office.intakes.items()}
        tables = running.store.tables.values()
        refused, standing = sum(table.refused for table in tables), sum(len(table.alerts) for table in tables)
        print(json.dumps({**counts, "not_believed": refused, "alerts_standing": standing}), flush=True)


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


def listen(url: str, cookie: str) -> None:
    """Listen to the hall's stream as a plain client: say when it hears, and when it first hears of each alert."""
    request = urllib.request.Request(f"{url}/stream", headers={"Cookie": cookie})  # noqa: S310 - our own console
    seen: set[str] = set()
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        answer.readline()
        print(f"listening {time.time()}", flush=True)
        for line in answer:
            if b'id="wait-' in line:
                now = time.time()
                keys = [part.split(b'"')[0].decode() for part in line.split(b'id="wait-')[1:]]
                print("".join(f"{key} {now}\n" for key in keys if key not in seen), end="", flush=True)
                seen.update(keys)


def sign_in(door: str) -> str:
    """Return the cookie that the link gives."""

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
    """Return the number, median, 99th percentile and greatest of ``values``."""
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


def processors_s() -> tuple[float, float]:
    """Processor seconds of the whole machine since it started, and of this hall: this process and all it started."""
    fields = [int(one) for one in Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]
    busy = (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")
    parents, used = dict[int, int](), dict[int, float]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(stat[1])
        used[int(folder.name)] = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
    return busy, sum(own for pid, own in used.items() if _ours(pid, parents))


def _ours(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != os.getpid():
        pid = parents[pid]
    return pid == os.getpid()


def spawn(*arguments: object, apart: bool = False) -> subprocess.Popen[str]:
    """Start this program in another role; ``apart``: in a session of its own, as a service is."""
    command = [sys.executable, str(Path(__file__).resolve()), *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=apart)  # noqa: S603


def start(port: int, folder: Path, *, apart: bool = False) -> subprocess.Popen[bytes]:
    """Start a hall's broker."""
    program = find_mosquitto()
    if program is None:
        raise SystemExit("console_load: mosquitto is not installed; apt-get install mosquitto brings it")
    (folder / "mosquitto.conf").write_text(BROKER.format(port=port, folder=folder), encoding="ascii")
    command = [program, "-c", folder / "mosquitto.conf"]
    null = subprocess.DEVNULL
    return subprocess.Popen(command, stderr=null, stdout=null, start_new_session=apart)  # noqa: S603


def measure(tables: int, rate: float, seconds: float, seed: int, *, away: bool = False) -> dict[str, Any]:
    """Run the hall for ``seconds`` and say what was measured; ``away``: with all ways out of the hall in use."""
    load_before = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="tavolo-load-") as name:
        folder = Path(name)
        port = free_port()
        broker = start(port, folder)
        outside = spawn("--role", "outside", "--folder", folder) if away else None
        push = [] if outside is None or outside.stdout is None else ["--push", outside.stdout.readline().strip()]
        served = spawn("--role", "console", "--port", port, "--folder", folder, *push)
        assert served.stdout is not None  # noqa: S101 - a pipe
        door = served.stdout.readline().strip()
        url, cookie = door.partition("/enter/")[0], sign_in(door)
        real = [
            spawn(
                "--role",
                "real",
                "--letter",
                one,
                "--port",
                port,
                "--folder",
                folder,
                "--seed",
                seed,
                "--seconds",
                seconds,
            )
            for one in REAL
        ]
        for process in real:
            assert process.stdout is not None  # noqa: S101 - a pipe
            process.stdout.readline()
        players = spawn(
            "--role", "tables", "--port", port, "--folder", folder, "--tables", tables, "--rate", rate,
            "--seconds", WARM_S + seconds + PAGES_S,
        )  # fmt: skip
        assert players.stdout is not None  # noqa: S101 - a pipe
        assert players.stdin is not None  # noqa: S101 - a pipe
        players.stdout.readline()
        players.stdin.write("go\n")
        players.stdin.flush()
        time.sleep(WARM_S)
        plain = spawn("--role", "stream", "--url", url, "--cookie", cookie)
        said, heard, *told = list[str](), list[str](), *(list[str]() for _ in real)
        readers = [
            threading.Thread(target=lines.extend, args=(process.stdout,), daemon=True)
            for lines, process in zip((said, heard, *told), (players, plain, *real), strict=True)
        ]
        for reader in readers:
            reader.start()
        page, paint, busy = look(door, seconds, real, served.pid)
        pages = first_pages(url, cookie)
        memory = memory_mb(served.pid)
        for process, patience in ((plain, 20), (players, 20), *((one, 30) for one in real), (served, 20)):
            assert process.stdin is not None  # noqa: S101 - a pipe
            process.stdin.close()
            process.wait(patience)
        for reader in readers:
            reader.join(5)
        sent_out = {} if outside is None else json.loads(outside.communicate(timeout=20)[0] or "{}")
        broker.terminate()
        broker.wait(10)
    sent = {key: float(at) for key, _, at in (line.strip().partition(" ") for line in said) if key != "end"}
    last = next((line.split() for line in said if line.startswith("end")), ["end", "0", "0"])
    streamed = {key: float(at) for key, _, at in (line.strip().partition(" ") for line in heard)}
    listening = streamed.pop("listening", 0.0)
    span = (min(page.values(), default=0.0), max(page.values(), default=0.0))
    own = {key: (float(at), float(took)) for key, at, took in (line.split() for lines in told for line in lines)}
    shown = {
        key: (at, (page[key] - at) * 1000) for key, at in sent.items() if span[0] < at < span[1] - 1 and key in page
    }
    real_shown = {key: (at, (page[key] - at) * 1000) for key, (at, _) in own.items() if key in page}
    return {
        "tables": tables,
        "events_per_s": float(last[1]),
        "load_before": [round(one, 2) for one in load_before],
        "load_after": [round(one, 2) for one in os.getloadavg()],
        "machine_busy": busy,
        "real_table_to_page_ms": quantiles([took for _, took in real_shown.values()]),
        "real_table_own_ms": quantiles([took for key, (_, took) in own.items() if key in page]),
        "real_alerts_not_seen": [key for key, (at, _) in own.items() if at < span[1] - 1 and key not in page],
        "alert_to_page_ms": quantiles([took for _, took in shown.values()]),
        "alerts_not_seen": [key for key, at in sent.items() if span[0] < at < span[1] - 1 and key not in page],
        "latest_on_the_page": [
            f"{key}: {took:.0f} ms, at {at - span[0]:.1f} s"
            for key, (at, took) in sorted((shown | real_shown).items(), key=lambda one: -one[1][1])[:5]
        ],
        "alert_to_stream_ms": quantiles(
            [(at - sent[key]) * 1000 for key, at in streamed.items() if sent.get(key, 0) > listening]
        ),
        "first_page_server_ms": quantiles(pages),
        "first_page_browser": paint,
        "console_mb": memory,
        **({"sent_out": sent_out} if away else {}),
    }


def look(
    door: str, seconds: float, real: list[subprocess.Popen[str]], console_pid: int
) -> tuple[dict[str, float], dict[str, Any], dict[str, Any]]:
    """Watch the hall in Chromium.

    Returns when each alert's row was first shown (seconds since 1970), the first page's times, and how many processors
    were busy meanwhile. The ``real`` tables begin to play when the page stands.
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
        for table in real:
            assert table.stdin is not None  # noqa: S101 - a pipe
            table.stdin.write("go\n")
            table.stdin.flush()
        began, before, of_console = time.monotonic(), processors_s(), processor_s(console_pid)
        page.wait_for_timeout(seconds * 1000)
        lasted, after = time.monotonic() - began, processors_s()
        of_console = (processor_s(console_pid) - of_console) / lasted
        seen: dict[str, float] = page.evaluate("window.seen")
        browser.close()
    whole, ours = ((now - then) / lasted for now, then in zip(after, before, strict=True))
    busy = {
        "of": os.cpu_count(),
        "all": round(whole, 2),
        "others": round(whole - ours, 2),
        "console": round(of_console, 2),
    }
    return {name.removeprefix("wait-"): at / 1000 for name, at in seen.items()}, paint, busy


def main() -> int:
    """Measure, or play one of the parts in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=5.0, help="events per second and table")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--role", choices=("console", "tables", "real", "stream", "outside"), help=argparse.SUPPRESS)
    parser.add_argument("--away", action="store_true", help="with web push, mail and MQTT to three people outside")
    parser.add_argument("--push", default="", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--letter", choices=tuple(REAL), help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    parser.add_argument("--cookie", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=41, help="which deals the real tables play")
    asked = parser.parse_args()
    if asked.role == "console":
        console(asked.port, asked.folder, asked.push)
        return 0
    if asked.role == "outside":
        receive(asked.folder)
        return 0
    if asked.role == "tables":
        play(asked.port, asked.tables, asked.rate, asked.seconds, seed=7, folder=asked.folder)
        return 0
    if asked.role == "real":
        play_real(asked.port, asked.folder, asked.letter, asked.seed, asked.seconds)
        return 0
    if asked.role == "stream":
        listen(asked.url, asked.cookie)
        return 0
    report = measure(asked.tables, asked.rate, asked.seconds, asked.seed, away=asked.away)
    text = json.dumps(report, indent=1)
    print(text)
    if asked.json is not None:
        asked.json.write_text(text + "\n", encoding="utf-8")
    silent = [way for way, sent in report.get("sent_out", {}).items() if not sent]
    if silent and asked.seconds >= MAIL_S:
        print(f"console_load: nothing was sent: {', '.join(silent)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
