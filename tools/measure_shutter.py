"""``python tools/measure_shutter.py``: time from the shutter to the score on the page of photographs, in Chromium.

Tables of melds are drawn as a phone of ``--megapixels`` takes them (``photographed_deals``, our own packs, ``--seed``)
and given to the page's file input in a phone-size Chromium on this machine: it sends each to the page served beside
it, and shows what was read. Printed as JSON, in milliseconds: from the file's choice until the cards are drawn and the
sheet is counted, the part that reading took, and how many cards there were. The first picture, with which the networks
are loaded, is apart. A phone's own processor, and the hall's network, are not in it.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from photographed_deals import Pack, columns, melds, photographed

from lab.vision.train.decks import own_decks
from lab.vision.train.scenes import shelves
from table_service.photographs.photograph_page import PhotographDesk
from table_service.photographs.serving_photographs import serving_photographs

RULES: Final = "fibur2024"
COUNTED: Final = """(() => { const all = performance.getEntriesByType("resource");
const read = all.findLast((one) => one.name.includes("/read?"));
return read && all.find((one) => one.name.endsWith("/count") && one.startTime >= read.responseEnd); })()"""
"""The page's request for the sheet of the cards that were read, once it is answered."""


def pictures(folder: Path, seed: int, count: int, megapixels: float) -> list[Path]:
    """Draw ``count`` pictures of a line's melds, as JPEG files in ``folder``."""
    side = round(math.sqrt(megapixels * 1e6))
    packs = shelves(own_decks())
    paths = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        laid = columns(rng, melds(rng, Pack(), RULES))
        image = photographed(rng, packs[number % len(packs)], laid, [], size=side)
        paths.append(folder / f"{number}.jpg")
        cv2.imwrite(str(paths[-1]), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return paths


def timed(url: str, paths: list[Path]) -> list[dict[str, Any]]:
    """Give each picture to the page at ``url``; milliseconds until its cards and the sheet are shown."""
    from playwright.sync_api import sync_playwright

    told = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for path in paths:
            page = browser.new_context(
                bypass_csp=True, viewport={"width": 390, "height": 844}, has_touch=True
            ).new_page()
            page.set_default_timeout(120_000)
            page.goto(url)
            page.wait_for_selector("#sheet table")
            page.evaluate("addEventListener('change', () => { window.begun ??= performance.now(); }, true)")
            with page.expect_response("**/read?*") as read:
                page.set_input_files('input[data-shows="melds-NS"]', str(path))
            page.wait_for_function(f"{COUNTED} !== undefined")
            spent = page.evaluate(f"{COUNTED}.responseEnd - window.begun")
            seen = read.value.json()
            cards = sum(len(group["cards"]) for group in seen["groups"])
            told.append({"ms": round(spent), "reading_ms": round(seen["ms"]), "cards": cards})
            page.context.close()
        browser.close()
    return told


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=20)
    parser.add_argument("--megapixels", type=float, default=12.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        paths = pictures(Path(folder), options.seed, options.pictures + 1, options.megapixels)
        cv2.setNumThreads(-1)  # as where it is served
        print(f"{len(paths)} pictures are drawn", file=sys.stderr, flush=True)
        with serving_photographs(PhotographDesk((RULES,)), "127.0.0.1", 0) as page:
            first, *rest = timed(page.url, paths)
    both = {name: [one[name] for one in rest] for name in ("ms", "reading_ms")}
    told = {
        name: {"median": round(statistics.median(own)), "worst": max(own), "within_2000": sum(v <= 2000 for v in own)}
        for name, own in both.items()
    }
    print(json.dumps({"megapixels": options.megapixels, "seed": options.seed, "pictures": len(rest), **told,
                      "cards": sum(one["cards"] for one in rest), "first": first}, indent=1))  # fmt: skip


if __name__ == "__main__":
    main()
