"""Boards at the twin in which a card is turned the wrong way (65), or the result is stated wrongly (norm 79.2).

``python -m tests.games.bridge.faults_at_the_twin NOISE FIRST LAST`` plays a board for each seed and each of both, and
counts in how many the row was told of the right seat or line, and what else was told.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from hw.seats import Line, Seat
from hw.twin.gestures import ConsoleGesture, Gesture, Say, Wait
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.screen_gestures import QuitGesture
from table_service import rulesets
from table_service.games.bridge.rehearsal import SCREENED
from tests.games.bridge.boards_at_the_twin import HEADER, Played, Scripted, scripted

ROWS = ("law-65", "law-79")


def staged(row: str, chance: random.Random, one: Scripted) -> tuple[list[Gesture], Seat | Line | None]:
    """The gestures of ``one`` with the fault in them, and whom it is against; None: a board that was passed out."""
    gestures = list(one.gestures)
    if one.play is None:
        return gestures, None
    if row == "law-65":
        place = chance.choice([place for place, gesture in enumerate(gestures) if isinstance(gesture, QuitGesture)])
        turned = gestures[place]
        assert isinstance(turned, QuitGesture)
        gestures[place] = replace(turned, across=not turned.across)
        return gestures, turned.seat
    tricks = one.play.result()
    assert tricks is not None
    wrong = tricks + chance.choice([step for step in (-1, 1) if 0 <= tricks + step <= 13])
    declarer = one.play.contract.declarer
    return [*gestures, Wait(1.0), Say(declarer, f"result:{wrong}")], declarer.line


def board(seed: int, noise: str, row: str) -> tuple[Played, Seat | Line | None]:
    """The board of ``seed`` with the fault ``row`` before sensors with errors of the level ``noise``."""
    chance = random.Random(seed)
    begin = (ConsoleGesture("start-round", fields={"deals": 1}),)
    one = scripted(chance, 1, record=seed % 2 == 0, begin=begin)
    gestures, against = staged(row, chance, one)
    observer = Observer(HEADER.tags, load_noise(noise), random.Random(seed), SCREENED)
    fold = rulesets.open_fold(HEADER)
    seen = [
        seen for gesture in (*gestures, Wait(2.0), ConsoleGesture("end-round")) for seen in observer.perform(gesture)[0]
    ]
    events = [event for seen in (*seen, *observer.finish()) for event in fold.feed(seen)]
    return Played([*events, *fold.close()], one.auction, one.play, one.points), against


def told_of(played: Played) -> Iterator[tuple[str, str | None]]:
    """Rows that stand at the end, with seat, or line where no seat is named."""
    told = [one.data.model_dump() for one in played.events if one.type == "irregularity"]
    for one in {one["key"]: one for one in told}.values():
        if one["row"] != "NI-18.3" and one["state"] == "open":
            yield one["row"], one["offender"] or one["pair"]


def main(noise: str, first: int, last: int) -> None:
    """Play the boards of the seeds from ``first`` to ``last`` with each fault."""
    for row in ROWS:
        counts: Counter[str] = Counter()
        for seed in range(first, last + 1):
            played, against = board(seed, noise, row)
            if against is None:
                counts["passed out"] += 1
                continue
            told = list(told_of(played))
            counts["boards"] += 1
            counts["told rightly"] += (row, str(against)) in told
            others = [one for one in told if one != (row, str(against))]
            counts["boards with others"] += bool(others)
            counts[f"score {'unknown' if played.total is None else played.total == played.points}"] += 1
            if others or (row, str(against)) not in told:
                print(row, seed, against, told)
        print(noise, row, dict(counts))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
