"""``python tools/measure_score.py``: deals scored from drawn phone pictures, against their true score.

For each rule set ``--deals`` deals are drawn from ``--seed`` (``photographed_deals``), read as `tavolo score` does,
and compared item by item. An item is right, marked (null and named in ``doubtful``), or silently wrong; a deal is good
where no item is wrong. ``touches`` (Burraco): by how many touches on the page (``mended_deals``) every item becomes
right, by deals; ``right_by_two``: the share of deals that at most two make so. ``--designs`` says which packs: ``held``
of whole designs that no network and no bound of ours was made with, or ``own``. Artwork and fonts are fetched into
``--work`` through apt and npm. With ``--kept FILE`` each deal's result is a line of that file, and a later call goes on
behind them, for ``--seconds`` at most: a count of many deals is taken in slices.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from mended_deals import mended
from photographed_deals import Drawn, deal_of

from hw.cards import BRIDGE
from lab.vision.train import artwork, random_decks
from lab.vision.train.clutter import hard_sheets
from lab.vision.train.decks import own_decks
from lab.vision.train.fonts import font_files
from lab.vision.train.scenes import Shelf, shelves
from table_service.commands.score_photographs import painted
from table_service.games.photographed import SURE
from table_service.photographs.photograph_reading import ReadPicture, read_photograph
from table_service.photographs.scoring import put_together, rules_for, score_pictures, scored
from table_service.rulesets import rule_set
from vision.index_reader import IndexReader
from vision.pictures import open_picture


def packs(designs: str, seed: int, work: Path) -> list[Shelf]:
    """Return the packs to draw with: held-out sheets, an npm design, random packs; or ours, trained sheets, others."""
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


TOUCHES: Final = 2


def touches(drawn: Drawn, read: list[ReadPicture], answer: dict[str, Any]) -> str:
    """How many touches make every item of a deal right; ``wrong`` where an item stays wrong."""
    rules = rule_set(drawn.rules)
    shown = put_together(rules_for(rules), read, drawn.facts)
    right, spent = mended(shown, drawn.document, answer)
    found = compare(drawn, scored(rules, right))
    return "wrong" if found["wrong"] or found["marked"] else str(spent)


def measure_photographs(reader: IndexReader, folder: Path) -> dict[str, Any]:
    """Photographs with an ``index.jsonl`` as hands left over: each card in it read, named as doubtful, or wrong.

    A photograph is right where its cards are the labelled ones and nothing of it is doubted; silently wrong where they
    are not and nothing is. Labels hold each face once, so a face that is read twice counts as right once.
    """
    count: dict[str, Counter[str]] = {}
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        photo = json.loads(line)
        labels = {card["label"] for card in photo["cards"]} - {"BACK"}
        if any("?" in label for label in labels):
            continue
        read = read_photograph(open_picture(folder / photo["file"]), "hand-S", reader)
        groups = put_together(rules_for(rule_set("fibur2024")), [read], {}).groups
        cards = {card for group in groups for card in group.cards}
        doubted = read.cloud is not None or any(
            group.doubts or "??" in group.cards or min(group.confidence) < SURE for group in groups
        )
        kind = "marked" if doubted or not groups else "right" if cards == labels else "silently wrong"
        count.setdefault(photo["file"].split("/", 1)[0], Counter())[kind] += 1
        if kind == "silently wrong":
            print(photo["file"], sorted(labels), sorted(cards), file=sys.stderr)
    return {name: dict(own) for name, own in count.items()}


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=["fibur2024", "feburit", "online", "bridge"])
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--designs", choices=("held", "own"), default="held")
    parser.add_argument("--work", type=Path, help="folder for artwork and fonts")
    parser.add_argument("--photos", type=Path, help="folder of photographs with an index.jsonl, instead of drawn ones")
    parser.add_argument("--kept", type=Path, help="file of results, a line a deal: those in it are not drawn again")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no further deal after so long")
    parser.add_argument("--draw", type=Path, help="folder for pictures of deals that are not wholly right")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader = IndexReader()
    if options.photos is not None:
        print(json.dumps(measure_photographs(reader, options.photos), indent=1))
        return
    if options.work is None:
        parser.error("drawn pictures need --work")
    drawn_with = packs(options.designs, options.seed, options.work)
    about = hard_sheets(12, options.seed + 99, font_files(options.work))
    results = _kept_results(options.kept)
    known = {(one["designs"], one["seed"], one["rules"], one["number"]) for one in results}
    ends = time.monotonic() + options.seconds
    for number in range(options.deals):
        for rules in options.rules:
            named = {"designs": options.designs, "seed": options.seed, "rules": rules, "number": number}
            if tuple(named.values()) in known or time.monotonic() > ends:
                continue
            drawn = deal_of(rules, options.seed, number, drawn_with, about)
            read = [read_photograph(image, shows, reader) for shows, image in drawn.pictures]
            answer = score_pictures(rule_set(rules), read, drawn.facts)
            found = compare(drawn, answer)
            needed = "" if rules == "bridge" else touches(drawn, read, answer)
            kind = "silently wrong" if found["wrong"] else "some marked" if found["marked"] else "all right"
            results.append({**named, "kind": kind, "items": found, "touches": needed, "ms": [one.ms for one in read]})
            if options.kept is not None:
                with options.kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(results[-1]) + "\n")
            if kind != "all right" and options.draw is not None:
                _keep(options.draw, f"{rules}-{number:03d}-{kind.replace(' ', '-')}", drawn, read, answer)
            told = f"{rules} {number} {drawn.about}: {dict(found)}{needed and f', touches {needed}'}"
            print(told, file=sys.stderr, flush=True)
    mine = [one for one in results if (one["designs"], one["seed"]) == (options.designs, options.seed)]
    report = {rules: _summed([one for one in mine if one["rules"] == rules]) for rules in options.rules}
    print(json.dumps({"designs": options.designs, "seed": options.seed, **report}, indent=1))


def _kept_results(path: Path | None) -> list[dict[str, Any]]:
    """Return the results of earlier slices."""
    if path is None or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _summed(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of one rule set's deals."""
    items: Counter[str] = Counter()
    for one in results:
        items.update(one["items"])
    ms = [spent for one in results for spent in one["ms"]]
    spent = Counter(one["touches"] for one in results if one["touches"])
    return {
        "deals": dict(Counter(one["kind"] for one in results)),
        "items": dict(items),
        **({"touches": dict(sorted(spent.items())), "right_by_two": _share(spent)} if spent else {}),
        "pictures": len(ms),
        **({"ms": {"median": round(statistics.median(ms)), "worst": round(max(ms))}} if ms else {}),
    }


def _share(spent: Counter[str]) -> float:
    """Return the share of deals that at most ``TOUCHES`` make right."""
    few = sum(count for number, count in spent.items() if number.isdecimal() and int(number) <= TOUCHES)
    return round(few / sum(spent.values()), 3)


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
