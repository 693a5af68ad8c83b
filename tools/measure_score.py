"""``python tools/measure_score.py``: deals scored from drawn phone pictures, against their true score.

For each rule set ``--deals`` deals are drawn from ``--seed`` (``photographed_deals``), read as `tavolo score` does,
and compared item by item. An item is right, marked (null and named in ``doubtful``), or silently wrong; a deal is good
where no item is wrong. ``--designs`` says which packs: ``held`` of whole designs that no network and no bound of ours
was made with, or ``own``. Artwork and fonts are fetched into ``--work`` through apt and npm.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from photographed_deals import Drawn, deals

from hw.cards import BRIDGE
from table_service.commands.score_photographs import painted
from table_service.photographs.photograph_reading import ReadPicture, read_photograph
from table_service.photographs.scoring import score_pictures
from table_service.rulesets import rule_set
from vision.index_reader import Reader
from vision.train import artwork, random_decks
from vision.train.clutter import hard_sheets
from vision.train.decks import own_decks
from vision.train.fonts import font_files
from vision.train.scenes import Shelf, shelves


def packs(designs: str, seed: int, work: Path) -> list[Shelf]:
    """The packs to draw with: held-out sheets, an npm design and random packs; or our own, trained sheets, others."""
    fonts = font_files(work)
    if designs == "held":
        decks = artwork.sheet_decks(artwork.HELD_OUT_SHEETS, work)
        decks += artwork.npm_decks(artwork.NPM_HELD_OUT, work, own_decks()[0].backs[0])
        return shelves(decks + random_decks.random_decks(7, seed + 5000, fonts))
    return shelves(
        own_decks() + artwork.sheet_decks(("anglo", "neoclassical"), work) + random_decks.random_decks(6, seed, fonts)
    )


def compare(drawn: Drawn, answer: dict[str, Any]) -> Counter[str]:
    """How many items are right, marked and wrong."""
    count: Counter[str] = Counter()
    if drawn.rules == "bridge":
        truth = {seat: set(hand) for seat, hand in drawn.document["hands"].items()}
        doubtful = set(answer["doubtful"])
        for seat, hand in answer["hands"].items():
            short = f"{seat}.??" in doubtful
            for card in BRIDGE.copies:
                here, there = card in hand, card in truth[seat]
                if here and there:
                    count["right"] += 1
                elif here != there:
                    named = f"{seat}.{card}" in doubtful or card in answer["missing"] or (there and short)
                    count["marked" if named else "wrong"] += 1
        return count
    true = rule_set(drawn.rules).calculators.count(drawn.document)
    for line, own in true["lines"].items():
        for item, value in own["items"].items():
            said = answer["lines"][line]["items"][item]
            count["marked" if said is None else "right" if said == value else "wrong"] += 1
    return count


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=["fibur2024", "feburit", "online", "bridge"])
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--designs", choices=("held", "own"), default="held")
    parser.add_argument("--work", type=Path, required=True, help="folder for artwork and fonts")
    parser.add_argument("--draw", type=Path, help="folder for pictures of deals that are not wholly right")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader, drawn_with = Reader(), packs(options.designs, options.seed, options.work)
    about = hard_sheets(12, options.seed + 99, font_files(options.work))
    report: dict[str, Any] = {}
    for rules in options.rules:
        items: Counter[str] = Counter()
        whole: Counter[str] = Counter()
        ms: list[float] = []
        for number, drawn in enumerate(deals(rules, options.seed, options.deals, drawn_with, about)):
            read = [read_photograph(image, shows, reader) for shows, image in drawn.pictures]
            answer = score_pictures(rule_set(rules), read, drawn.facts)
            found = compare(drawn, answer)
            items += found
            ms += [one.ms for one in read]
            kind = "silently wrong" if found["wrong"] else "some marked" if found["marked"] else "all right"
            whole[kind] += 1
            if kind != "all right" and options.draw is not None:
                name = f"{rules}-{number:03d}-{kind.replace(' ', '-')}"
                _keep(options.draw, name, drawn, read, answer)
            if found["wrong"]:
                print(f"{rules} {number} {drawn.about}: {found}", file=sys.stderr, flush=True)
        report[rules] = {
            "deals": dict(whole),
            "items": dict(items),
            "pictures": len(ms),
            "ms": {"median": round(statistics.median(ms)), "worst": round(max(ms))},
        }
        print(json.dumps({rules: report[rules]}), file=sys.stderr, flush=True)
    print(json.dumps({"designs": options.designs, "seed": options.seed, **report}, indent=1))


def _keep(folder: Path, name: str, drawn: Drawn, read: list[ReadPicture], answer: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for (shows, image), one in zip(drawn.pictures, read, strict=True):
        small = cv2.resize(painted(image, one), (1100, 1100), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{name}-{shows}.png"), np.asarray(small))
    told = {
        "truth": drawn.document,
        "notes": answer["notes"],
        "lines": answer.get("lines"),
        "melds": answer.get("melds"),
    }
    (folder / f"{name}.json").write_text(json.dumps(told, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
