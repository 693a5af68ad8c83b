"""Makes the pictures of README and docs: the console in a real browser while the demo plays, a frame, evidence.

``make pictures``; needs Chromium. The pictures are what the program shows today, so run it after a change of looks.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
from playwright.sync_api import Page, sync_playwright

from hw.twin.camera import Camera
from hw.twin.live import LivePlayer, ScaledClock, Snapshot
from hw.twin.noise import load_noise
from hw.twin.scene import Scene
from table_service.demo import DEALS, FAULTS
from table_service.rehearsal.rehearse import prepare

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SEED = 53


def chromium() -> str:
    """Where Chromium is; ends the program where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    sys.exit("make_pictures: no Chromium is installed; apt-get install chromium brings one")


def console_pictures(folder: Path) -> None:
    """The hall, the table and an alert of the demo at several sizes, and the evidence that the demo kept."""
    options = ("--headless", "--seed", str(SEED), "--speed", "3", "--keep", str(folder))
    command = [sys.executable, "-m", "table_service.cli", "demo", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:  # noqa: S603 - our own command
        assert demo.stdout is not None  # noqa: S101 - it is a pipe
        door = ""
        for line in demo.stdout:
            if found := re.search(r"http://\S+", line):
                door = found[0]
                break
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
            )
            page = browser.new_page(viewport={"width": 1600, "height": 1000})
            page.goto(f"{door}table/T1")
            page.wait_for_selector("article.alert .row", timeout=240_000)
            photograph(page, "console", 1600, 1000)
            page.wait_for_selector("article.alert .evidence img", timeout=240_000)
            photograph(page, "phone", 390, 844)
            page.set_viewport_size({"width": 1024, "height": 768})
            page.click("article.alert .acts a.primary")
            page.wait_for_selector("#rule-form, .judge")
            photograph(page, "tablet", 1024, 768)
            page.goto(door)
            page.wait_for_selector(".tile")
            photograph(page, "hall", 1024, 768)
            browser.close()
        demo.send_signal(signal.SIGINT)
        try:
            demo.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            demo.kill()  # it has kept its evidence; the rest of the round is of no use here
    evidence = sorted((folder / "evidence").glob("*.jpg"))
    shutil.copyfile(evidence[0], PICTURES / "evidence.jpg")


def photograph(page: Page, name: str, width: int, height: int) -> None:
    """One picture of the page at one size."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=str(PICTURES / f"{name}.png"))


async def scenes() -> list[Scene]:
    """The scenes of the demo's deal in which an arm reaches over the table."""
    rehearsal = prepare("fibur2024", SEED, DEALS, FAULTS, "normal", table="T1")
    chance = random.Random(f"{SEED}/live")  # noqa: S311 - a simulation
    player = LivePlayer(rehearsal.header.tags, load_noise("normal"), chance, ScaledClock(1e6))
    return [
        played.scene
        async for played in player.play(rehearsal.script.gestures())
        if isinstance(played, Snapshot) and played.why == "covered"
    ]


def table_picture() -> None:
    """A camera frame from the middle of the deal."""
    reaching = asyncio.run(scenes())
    frame = Camera(seed=SEED).render(reaching[len(reaching) * 2 // 3])
    small = cv2.resize(frame, (1200, 1200), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(PICTURES / "table.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 88])


def main() -> None:
    """Make every picture."""
    os.environ.setdefault("PYTHONHASHSEED", "0")
    PICTURES.mkdir(parents=True, exist_ok=True)
    table_picture()
    with tempfile.TemporaryDirectory(prefix="tavolo-pictures-") as folder:
        console_pictures(Path(folder))


if __name__ == "__main__":
    main()
