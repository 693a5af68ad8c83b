"""Makes the README's animation: twenty seconds of the demo, from play to a ruling, as an animated WebP.

``python tools/make_animation.py``; needs Chromium. What it shows is what the page shows, photographed as it changes;
only how long each picture stands is set here, so that it lasts as long on a slow machine.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from make_pictures import PICTURES, chromium
from playwright.sync_api import Page, sync_playwright

OUT: Final = PICTURES / "demo.webp"
SEED: Final = 388
"""A round in which the first fault comes late enough for melds to be on the table."""
SIZE: Final = {"width": 1120, "height": 760}
SHOWN: Final = (896, 608)
QUALITY: Final = 62
LASTS_MS: Final = 20_000
MOST_BYTES: Final = 3_000_000
MOVES: Final = 14
"""Pictures of play before the alert."""
PLAY_MS, READ_MS, MOVE_MS = 500, 3000, 1300
SHOWN_PICTURES: Final = "() => Array.from(document.querySelectorAll('.pictures img')).every(one => one.naturalWidth)"
PATIENCE_MS: Final = 240_000


class Film:
    """The pictures of one page and how long each stands."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.pictures: list[Any] = []
        self.milliseconds: list[int] = []

    def shot(self, milliseconds: int) -> None:
        """Photograph the page; a picture like the last one makes that one stand longer."""
        taken = cv2.imdecode(np.frombuffer(self._page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
        assert taken is not None  # noqa: S101 - Chromium gives PNG
        small = cv2.resize(taken, SHOWN, interpolation=cv2.INTER_AREA)
        if self.pictures and np.array_equal(small, self.pictures[-1]):
            return
        self.pictures.append(small)
        self.milliseconds.append(milliseconds)

    def last(self, number: int) -> None:
        """Forget all but the last ``number`` pictures."""
        self.pictures, self.milliseconds = self.pictures[-number:], self.milliseconds[-number:]

    def write(self, path: Path) -> None:
        """Write it to ``path``, again and again from the beginning when it is shown."""
        film = cv2.Animation()
        self.milliseconds = [round(one * LASTS_MS / sum(self.milliseconds)) for one in self.milliseconds]
        film.frames, film.durations = self.pictures, np.array(self.milliseconds, np.int32)
        film.loop_count = 0
        if not cv2.imwriteanimation(str(path), film, [cv2.IMWRITE_WEBP_QUALITY, QUALITY]):
            sys.exit(f"make_animation: {path} could not be written")


def play(film: Film, page: Page) -> None:
    """From play to the ruling, and play that goes on."""
    while not page.locator("#guide").count():
        film.shot(PLAY_MS)
        page.wait_for_timeout(120)
    film.last(MOVES)
    page.wait_for_selector("article.alert .evidence, article.alert .row", timeout=PATIENCE_MS)
    film.shot(READ_MS)
    page.click("#guide")
    page.wait_for_selector("#apply, .option.primary", timeout=PATIENCE_MS)
    while not page.evaluate(SHOWN_PICTURES):
        page.wait_for_timeout(200)
    film.shot(READ_MS)
    pictures = page.locator(".pictures")
    if pictures.count():
        pictures.first.scroll_into_view_if_needed()
        film.shot(READ_MS)
    page.locator("#apply, .option.primary").first.scroll_into_view_if_needed()
    film.shot(READ_MS)
    page.locator("#apply, .option.primary").first.click()
    page.wait_for_selector("#undo", timeout=PATIENCE_MS)
    film.shot(READ_MS // 2)
    page.wait_for_selector(".decided, .board", timeout=PATIENCE_MS)
    page.goto(re.sub(r"/table/T1.*", "/table/T1", page.url))
    page.wait_for_selector(".feed .line")
    film.shot(MOVE_MS)


def main() -> None:
    """Play the demo, photograph it, write the animation."""
    with tempfile.TemporaryDirectory(prefix="tavolo-animation-") as folder:
        command = [sys.executable, "-m", "table_service.cli", "demo", "--lang", "en", "--seed", str(SEED)]
        demo = subprocess.Popen(  # noqa: S603 - our own command
            [*command, "--keep", folder], stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONUNBUFFERED": "1"}, start_new_session=True,
        )  # fmt: skip
        assert demo.stdout is not None  # noqa: S101 - it is a pipe
        try:
            door = next(found[0] for line in demo.stdout if (found := re.search(r"http://\S+/table/T1", line)))
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
                )
                page = browser.new_context(locale="en-GB", viewport=SIZE, reduced_motion="reduce").new_page()
                page.set_default_timeout(PATIENCE_MS)
                page.goto(door)
                film = Film(page)
                play(film, page)
                browser.close()
        finally:
            os.killpg(demo.pid, signal.SIGINT)
            demo.wait(60)
        film.write(OUT)
    size = OUT.stat().st_size
    print(f"{OUT}: {len(film.pictures)} pictures, {sum(film.milliseconds) / 1000:.1f} s, {size} bytes")
    if size > MOST_BYTES:
        sys.exit(f"make_animation: more than {MOST_BYTES} bytes")


if __name__ == "__main__":
    main()
