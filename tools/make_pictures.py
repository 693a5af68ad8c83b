"""Makes the pictures of README and docs: the console in a real browser while the demo plays, a frame, evidence.

``make pictures``; needs Chromium. The pictures are what the program shows today, so run it after a change of looks.
``python tools/make_pictures.py sheets`` makes those of a hall, a table's page, score sheets and the small screen alone:
for them a rehearsed log is fed to a table as fast as it goes, with its broker, its console and its small screen. The
tables of the hall are simulated: they say what tables say, and nobody plays at them.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
from load_tables import HALL, Table
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from playwright.sync_api import Page, Playwright, sync_playwright

from hw.observation_log import Header, read_log
from hw.observations import Observation
from hw.seats import LINES
from hw.twin.camera import Camera
from hw.twin.live import LivePlayer, ScaledClock, Snapshot
from hw.twin.noise import load_noise
from hw.twin.scene import Scene
from table_service.commands.console_process import serve_console
from table_service.commands.demo.demo_settings import DEALS, FAULTS
from table_service.console import ConsoleSettings
from table_service.console.storage import Book
from table_service.display import serving_display
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.publish import BrokerAddress, start_broker
from table_service.rehearsal.rehearse import prepare, rehearse
from table_service.service import TableFiles, TableService

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SEED = 53
SHEET_SEED = 7
PATIENCE_S = 240.0
HALL_TABLES = 36
SURNAMES = (
    "Rossi",
    "Bianchi",
    "Verdi",
    "Neri",
    "Conti",
    "Serra",
    "Longo",
    "Marini",
    "Galli",
    "Rizzo",
    "Fabbri",
    "Bassi",
    "Greco",
)
WAITING = {5: ("F-24a", "N", "during_turn"), 17: ("F-32", "E", "next_turn"), 23: ("F-29b", "W", "before_next_draw")}
"""The simulated tables at which something waits: the row, whose, and when it was found."""


def chromium() -> str:
    """Return where Chromium is; ends the program where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    sys.exit("make_pictures: no Chromium is installed; apt-get install chromium brings one")


def evidence_picture(folder: Path) -> None:
    """Make the picture of the first fact, as the demo keeps it."""
    options = ("--headless", "--seed", str(SEED), "--speed", "3", "--keep", str(folder))
    command = [sys.executable, "-m", "table_service.cli", "demo", *options]
    until = time.monotonic() + PATIENCE_S
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as demo:  # noqa: S603 - our own command
        while not (kept := sorted((folder / "evidence").glob("*-at.jpg"))) and demo.poll() is None:
            if time.monotonic() > until:
                break
            time.sleep(0.2)
        demo.send_signal(signal.SIGINT)
        try:
            demo.wait(timeout=30)
        except subprocess.TimeoutExpired:
            demo.kill()  # it has kept its evidence; the rest of the round is of no use here
    if not kept:
        sys.exit("make_pictures: the demo has kept no picture")
    shutil.copyfile(kept[0], PICTURES / "evidence.jpg")


def sheet_pictures(folder: Path) -> None:
    """Make pictures of a table's page with an alert, its score sheets, its small screen, behind a replayed log."""
    header, observations = rehearsed(folder)
    broker = start_broker(folder / "broker")
    try:
        address = BrokerAddress(broker.host, broker.port, embedded=broker.kind == "embedded")
        with (
            serve_console("demo", address, ConsoleSettings(open_link=True, language="en")) as console,
            sync_playwright() as playwright,
        ):
            clock = [0.0]
            service = TableService(
                header, "demo", TableFiles.under(folder / "table", header.table), address, lambda: clock[0],
                console_keys={"*": console.office.public_key},
            )  # fmt: skip
            with serving_display(service, lambda: clock[0], language="en") as shown:
                service.start()
                rest = iter(observations)

                def play(wanted: str) -> str:
                    """Feed the table until it tells ``wanted``; the event's name."""
                    for one in rest:
                        clock[0] = max(clock[0], one.t)
                        for event in service.observe(one):
                            if event.type == wanted:
                                return event.id
                    sys.exit(f"make_pictures: the rehearsed round tells no {wanted}")

                try:
                    _photograph_sheets(playwright, console.door, shown.url, play)
                finally:
                    service.close(5.0)
    finally:
        broker.stop()


def hall_picture(folder: Path) -> None:
    """Make the picture of the hall with simulated tables: two taken, one whose player calls, one out of reach."""
    broker = start_broker(folder / "hall-broker")
    client = Client(CallbackAPIVersion.VERSION2)
    try:
        address = BrokerAddress(broker.host, broker.port, embedded=broker.kind == "embedded")
        with (
            serve_console(HALL, address, ConsoleSettings(open_link=True, language="en")) as console,
            sync_playwright() as playwright,
        ):
            _seat_hall(console.office.book)
            client.connect(broker.host, broker.port)
            client.loop_start()
            _say_hall(client, random.Random(SHEET_SEED))  # noqa: S311 - a simulation
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1024, "height": 768})
            page.goto(console.door)
            page.wait_for_function(f"document.querySelectorAll('.tile').length === {HALL_TABLES}")
            page.wait_for_function(f"document.querySelectorAll('.wait').length === {len(WAITING) + 1}")
            page.click("#wait-T17-alert-17 .acts button")
            page.wait_for_selector(".wait.taken")
            photograph(page, "hall", 1024, 768)
            browser.close()
    finally:
        client.loop_stop()
        broker.stop()


def _seat_hall(book: Book) -> None:
    """Begin a round, so that it is known who sits where."""
    places = tuple(f"T{number}" for number in range(1, HALL_TABLES + 1))
    book.tournaments.begin("Prova", now=time.time())
    begun = book.rounds.begin(4, 42.0, places, "demo", now=time.time())
    names = (f"{a}–{b}" for a, b in itertools.combinations(SURNAMES, 2))
    book.rounds.seat(begun.id, {(place, str(line)): next(names) for place in places for line in LINES})


def _say_hall(client: Client, chance: random.Random) -> None:
    """Say what the simulated tables of a hall say in the middle of a round."""
    for number in range(1, HALL_TABLES + 1):
        table = Table(f"T{number}", chance)
        status = {"state": "lost" if number == 30 else "ready", "boot": "000001", "version": "x"}
        client.publish(table.topics.status, json.dumps(status), qos=1, retain=True)
        state = table.state()
        state["score"]["running"] = {line: chance.randrange(5, 220) * 5 for line in ("NS", "EW")}
        state["deal"] = chance.choice((2, 2, 3))
        client.publish(table.topics.state, json.dumps(state), qos=1, retain=True)
        if number in WAITING:
            row, seat, found = WAITING[number]
            known = FIBUR2024.row(row)
            alert = table.alert(f"alert-{number}") | {
                "row": row, "article": known.article, "severity": known.severity, "offender": seat, "found": found,
                "title": {"it": known.title.it, "en": known.title.en},
            }  # fmt: skip
            client.publish(table.topics.alert(alert["key"]), json.dumps(alert), qos=1, retain=True)
    call = {"key": "call-S", "call": True, "offender": "S", "t": 1.0, "time": "2026-11-20T21:10:00.000Z"}
    client.publish(Table("T8", chance).topics.alert("call-S"), json.dumps(call), qos=1, retain=True).wait_for_publish(
        20
    )


def rehearsed(folder: Path) -> tuple[Header, list[Observation]]:
    """Return a round of two deals in which a player draws out of turn."""
    log = folder / "pictures.jsonl"
    rehearse("fibur2024", SHEET_SEED, log, 2, ("F-31a",), "normal")
    header, observations = read_log(log)
    return header, list(observations)


def _photograph_sheets(playwright: Playwright, door: str, display: str, play: Callable[[str], str]) -> None:
    browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
    page, screen = browser.new_page(), browser.new_page(viewport={"width": 800, "height": 480})
    play("irregularity")
    page.goto(f"{door}table/T1")
    page.wait_for_selector("article.alert .row", timeout=240_000)
    photograph(page, "console", 1600, 1000)
    counted = play("score.counted")
    screen.goto(display)
    screen.wait_for_selector(".sheet")
    screen.screenshot(path=str(PICTURES / "display.png"))
    if screen.locator("#ok-NS").count():
        screen.click("#ok-NS")
        screen.wait_for_selector(".line.display")
    screen.click("#no-EW")
    screen.wait_for_selector(".line.disputed")
    page.goto(f"{door.split('/enter', maxsplit=1)[0]}/sheets/T1")
    page.wait_for_selector(".deal-sheet.disputed")
    photograph(page, "sheets", 1024, 768)
    print(f"score sheets after {counted}")
    browser.close()


def photograph(page: Page, name: str, width: int, height: int) -> None:
    """One picture of the page at one size."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=str(PICTURES / f"{name}.png"))


async def scenes() -> list[Scene]:
    """Return the scenes of the demo's deal in which an arm reaches over the table."""
    rehearsal = prepare("fibur2024", SEED, DEALS, FAULTS, "normal", table="T1")
    chance = random.Random(f"{SEED}/live")  # noqa: S311 - a simulation
    player = LivePlayer(rehearsal.header.tags, load_noise("normal"), chance, ScaledClock(1e6))
    return [
        played.scene
        async for played in player.play(rehearsal.script.gestures())
        if isinstance(played, Snapshot) and played.why == "covered"
    ]


def table_picture() -> None:
    """Make the picture of a camera frame from the middle of the deal."""
    reaching = asyncio.run(scenes())
    frame = Camera(seed=SEED).render(reaching[len(reaching) * 2 // 3])
    small = cv2.resize(frame, (1200, 1200), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(PICTURES / "table.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 88])


def main(arguments: list[str]) -> None:
    """Make every picture, or only those named: ``sheets``."""
    if arguments not in ([], ["sheets"]):
        sys.exit("usage: python tools/make_pictures.py [sheets]")
    os.environ.setdefault("PYTHONHASHSEED", "0")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tavolo-pictures-") as folder:
        sheet_pictures(Path(folder))
        hall_picture(Path(folder))
    if arguments:
        return
    table_picture()
    with tempfile.TemporaryDirectory(prefix="tavolo-pictures-") as folder:
        evidence_picture(Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
