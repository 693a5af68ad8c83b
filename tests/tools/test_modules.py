"""A module fits a reader's head, and its name is its own, or says the same part of another game or room."""

from __future__ import annotations

import subprocess
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
MOST: Final = 400
PACKAGES: Final = ("hw", "vision", "firmware_bridge", "table_service", "lab", "tools")
LONGER: Final[Mapping[str, str]] = {
    "hw/pack/trionfi.py": "a table: one drawing a trump",
    "hw/twin/gestures.py": "a table: one small value a gesture",
    "lab/chips/pn5180_sim.py": "runs under MicroPython too, where it is one file beside the driver",
    "table_service/console/vocabulary_desk.py": "a table: texts in two languages",
    "table_service/console/dispatch.py": "one state: what is on its way between console and tables",
    "table_service/console/routers/rounds.py": "one page with its forms",
    "table_service/games/burraco/rules/deal.py": "one value, the deal, with a line or two for each question to it",
    "table_service/tracking/scales.py": "one state: what a scale has shown and what may explain it",
    "vision/sightings.py": "one state: what was seen of the cloth from look to look",
}
"""Modules with more lines, and why they are not divided. A list that may only shrink."""

PAGES: Final = "table_service/console/routers"
"""Each module is named for the address of its page, whatever else has that name."""
SAME_PART: Final[Mapping[str, str]] = {
    "app": "the application of the console and of the small screen",
    "command": "the command line of `tavolo install` and of `tavolo doctor --walk`",
    "verb": "the two as verbs of `tavolo`",
    "errors": "hw has the root; a package with errors of its own derives them there",
    "public_state": "the part that every game shares stands in table, the game's in its fold",
    "reporting": "as public_state",
    "payloads": "the events of every table stand in events, a game's beside its rules",
    "orders": "those of every table stand in events, a game's beside its rules, those that were given in storage",
    "counting": "each game's count of a deal",
    "referee": "each game's referee",
    "fault_kinds": "what a fault is, in play and in rehearsal",
    "options": "what a game's codes leave open",
    "cards": "cards as codes in hw; how playing cards are read at a table of bridge",
    "tray": "what is read of bridge's tray, and what is judged of it",
    "see": "`tavolo see` and the reading that it calls",
    "sections": "a record's sections as PBN calls them; a tournament's, which play apart",
}
"""Names that stand twice on purpose, in places that no rule below covers."""


def modules() -> list[PurePosixPath]:
    """Every module of the product and of its tools; the firmware's lie flat on the chip and are named for it."""
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [PurePosixPath(line) for line in listed.stdout.splitlines()]
    return [one for one in paths if one.suffix == ".py" and not one.is_relative_to("hw/node") and (ROOT / one).exists()]


def same_part(places: list[PurePosixPath]) -> bool:
    """True where the modules of one name are by their folders the same part of each game or of each code."""
    inside = set()
    for path in places:
        parts = path.parent.parts
        if parts[:2] == ("table_service", "games"):
            rest = [one for one in parts[3:] if one != "judges"]
            inside.add("/".join(rest[:1] if rest[:1] != ["codes"] else []))
        else:
            return False
    return len(inside) == 1


def twice(paths: list[PurePosixPath]) -> dict[str, list[PurePosixPath]]:
    """Modules of one name that are not by their folders the same part."""
    named: dict[str, list[PurePosixPath]] = defaultdict(list)
    for path in paths:
        # a tool and a suite of counts are named by their path, a page by its URL
        by_address = path.parts[0] in ("tools", "lab") or path.is_relative_to(PAGES)
        if not path.stem.startswith("__") and not by_address:
            named[path.stem].append(path)
    return {name: places for name, places in named.items() if len(places) > 1 and not same_part(places)}


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    lengths = {str(one): len((ROOT / one).read_text(encoding="utf-8").splitlines()) for one in modules()}
    assert {name for name, lines in lengths.items() if lines > MOST} == set(LONGER)


def test_no_two_modules_have_one_name_that_a_reader_could_confuse() -> None:
    assert set(twice(modules())) == set(SAME_PART)


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["table_service/games/tarocco/rules/score.py", "table_service/games/burraco/rules/score.py"], []),
        (["table_service/games/burraco/codes/online/melds.py", "table_service/games/burraco/judges/melds.py"], []),
        (["table_service/console/routers/audit.py", "table_service/console/storage/audit.py"], []),
        (["table_service/games/tarocco/rules/board.py", "table_service/games/burraco/pages/board.py"], ["board"]),
        (["table_service/journal/audit.py", "table_service/console/storage/audit.py"], ["audit"]),
        (["hw/bench.py", "vision/bench.py", "tools/bench.py"], ["bench"]),
    ],
)
def test_two_of_one_name_are_found_but_where_the_folders_say_the_same_part(paths: list[str], found: list[str]) -> None:
    assert list(twice([PurePosixPath(one) for one in paths])) == found
