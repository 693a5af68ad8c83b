"""Where cases are kept: a case is a stage with its cards, a script, and what the text expects of it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.independent.cards import SEATS, pack
from tests.independent.script import Script
from tests.independent.sensing import Traits, lines_of

CASES: dict[str, Case] = {}


@dataclass(frozen=True)
class Case:
    """One script. rows: what it proves (the first is the fault that is staged, where there is one)."""

    name: str
    rows: tuple[str, ...]
    script: object
    set_up: dict = field(default_factory=dict)
    needs: tuple[str, ...] = ()


def case(rows, *, needs="", **set_up):
    """Enter the decorated script into the book under its name. needs: sensors without which nothing can be told."""

    def enter(script):
        name = script.__name__
        if name in CASES:
            raise ValueError(f"two cases are named {name}")
        CASES[name] = Case(name, tuple(rows.split()), script, set_up, tuple(needs.split()))
        return script

    return enter


@dataclass
class Log:
    """A log and what must come of it."""

    header: dict
    lines: list[dict]
    stage: Script


def log_of(case, seed, traits=None):
    """The case played with that seed's seats, tags, timings and sensor errors."""
    rng = random.Random(f"case/{case.name}/{seed}")
    traits = traits or Traits(holes=rng.random() < 0.5)
    uids = rng.sample(range(1 << 40), 120)
    cards = pack()
    for new, old in case.set_up.get("swapped", {}).items():
        cards[cards.index(old)] = new
    rng.shuffle(cards)
    tags = {f"E00401{uid:010X}": card for uid, card in zip(uids, cards, strict=False)}
    keepers = {"NS": rng.choice("NS"), "EW": rng.choice("EW")}
    stage = Script(rng, traits, tags, keepers, **case.set_up)
    case.script(stage)
    if not stage.course.until:
        stage.over()
    header = {
        "kind": "header",
        "version": 1,
        "table": "I2",
        "rules": "fibur2024",
        "options": {"deals": stage.deals, "screens": True, "event": stage.event, "keepers": keepers},
        "seats": dict.fromkeys(SEATS, "x"),
        "tags": tags,
        "card_grams": 1.8,
        "started": "2026-11-20T15:00:00Z",
    }
    for name, value in stage.header.items():
        if isinstance(value, dict):
            header[name] = {**header[name], **value}
        else:
            header[name] = value
    return Log(header, lines_of(stage.course, rng, traits), stage)
