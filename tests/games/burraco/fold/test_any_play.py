"""Whatever moves and whatever is ruled: nothing raises, no card is lost, all that is said can be told."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hw.cards import BURRACO, UNKNOWN, face
from hw.observations import Health
from table_service.games.burraco.codes.fibur2024 import FIBUR2024

FACES = [*sorted(set(map(face, BURRACO.cards()))), UNKNOWN]
ROWS = list(FIBUR2024.rows)


def do_anything(script: Any, chance: random.Random) -> None:
    seat = chance.choice("NESW")
    line = "NS" if seat in "NS" else "EW"
    cards = " ".join(chance.choice(FACES) for _ in range(chance.randint(1, 4)))
    row, who = chance.randint(0, 5), chance.choice([seat, None])
    match chance.randint(0, 11):
        case 0:
            script.draw(seat, chance.choice(FACES))
        case 1:
            script.collect(seat, cards)
        case 2:
            script.discard(seat, cards)
        case 3 | 4:
            result = tuple(cards.split()) if chance.random() < 0.5 else ()
            script.move(cards, f"hand-{seat}", f"melds-{line}", who, row=row, result=result, beside=1)
        case 5:
            target = chance.choice([f"hand-{seat}", f"side-{seat}", "stock", "discard"])
            script.move(cards, f"melds-{line}", target, who, row=row, result=())
        case 6:
            script.named(chance.randint(1, max(1, script.moves)), cards)
        case 7:
            script.retracted(chance.randint(1, max(1, script.moves)))
        case 8:
            script.t += 6 * chance.random()
            script.notice(Health(script.t, "node-1", "ok", ""))
        case 9 | 10:
            fields = {
                "row": chance.choice(ROWS),
                "seat": chance.choice([seat, None, "X"]),
                "option": chance.choice([None, "mend", "penalise", "place", "random-card", "F-25a"]),
                "meld": chance.choice([None, row, "a"]),
                "cards": chance.choice([None, cards.split(), "x"]),
                "added": chance.choice([None, ["8H"], 3]),
                "freeze": chance.choice([None, "temporary", "definitive"]),
            }
            script.console("rule", **fields)
        case _:
            do = chance.choice(["dismiss", "confirm", "correct"])
            script.console(
                do, row=row if do == "correct" else chance.choice(ROWS), zone=f"melds-{line}", cards=cards.split()
            )


@pytest.mark.parametrize("seed", range(20))
def test_any_play_and_any_ruling_raise_nothing_and_lose_no_card(make_script: Any, seed: int) -> None:
    chance, script = random.Random(seed), make_script()
    script.turn_up()
    size = script.fold.deal.size
    for _ in range(80):
        do_anything(script, chance)
        assert script.fold.deal.size == size
    for event in script.events:
        event.data.model_dump(mode="json", by_alias=True)
    keys = {event.data.key for event in script.of("irregularity")}
    assert len(keys) == len({one.key for one in script.fold.game.referee.irregularities} | keys)
