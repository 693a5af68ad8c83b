"""`tavolo new-game`: a folder with a trick-taking game of one's own, which plays at once and waits to be changed."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path
from string import Template
from typing import Annotated, Final

import typer

from table_service import __version__
from table_service.commands.arguments import fail

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,29}")
_FILES: Final = {
    "pyproject.toml": """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "$name"
version = "0.1"
description = "$title, a game for the card table Tavolo"
requires-python = ">=3.11"
dependencies = ["tavolo-table>=$version"]

[project.entry-points."tavolo.rule_sets"]
$name = "$name:RULE_SETS"
""",
    "README.md": """\
# $title

A game for Tavolo. `$name/__init__.py` holds its rules as data: change them to those of your game. `tests/` plays a
trick at a simulated table.

    pip install -e .          # beside Tavolo, in the same environment
    pytest
    tavolo count deal.json    # {"rules": "$name", "deal": {"NS": {"cards": ["AH", "2C"]}, "EW": {"cards": []}}}

A table plays it with `rules = "$name"` in its `table.toml`. Tavolo's `docs/adding-a-game.md` describes every field.
""",
    "$name/__init__.py": '''\
"""$title: its rules as data."""

from hw.cards import Pack
from hw.seats import CLOCKWISE
from table_service.games.tricks.order import FRENCH_RANKS, by_ranks
from table_service.games.tricks.trick_code import TrickCode, out_of_turn, revoke, trick_points
from table_service.games.tricks.trick_rule_set import rule_set
from table_service.table.score_items import ScoreItem

CODE = TrickCode(
    name="$name",
    title="$title",
    edition="First edition",
    pack=Pack("$name", {rank + suit: 1 for suit in "HDCS" for rank in FRENCH_RANKS}, "a rank, then HDCS (7H)"),
    rotation=CLOCKWISE,
    suits=by_ranks("HDCS", FRENCH_RANKS),  # from the highest
    hand=13,
    trump=None,  # a suit; or turned_up=True
    items=(ScoreItem("tricks", ("prese", "tricks")),),
    count=trick_points,  # or card_points({"A": 11, "3": 10})
    out_of_turn=out_of_turn("R-1", "1"),
    revoke=revoke("R-2", "2"),  # leave it out where nobody need follow
)
RULE_SETS = (rule_set(CODE),)
''',
    "tests/test_$name.py": '''\
"""$title is played from gestures at a simulated table to events."""

from hw.seats import Seat
from hw.twin.gestures import ConsoleGesture, PlayGesture, SetTable, TakeTrick
from table_service.rehearsal.gestured import Gestured
from table_service.rulesets import RULE_SETS

CODE = RULE_SETS["$name"]
SEATS = CODE.rotation.seats
CARDS = CODE.pack.cards()
HANDS = {seat: CARDS[number :: len(SEATS)][:13] for number, seat in enumerate(SEATS)}
DEAL = (
    ConsoleGesture("start-round", fields={"deals": 1}),
    ConsoleGesture("deal", fields={"deal": 1, "dealer": "W"}),
    SetTable(HANDS),
    ConsoleGesture("start-play"),
)


def test_a_trick_is_followed_and_won_by_its_highest_card() -> None:
    plays = [PlayGesture(seat, HANDS[seat][0]) for seat in SEATS]
    events = Gestured(CODE).events(*DEAL, *plays, TakeTrick(SEATS[0]))
    (won,) = [event.data for event in events if event.type == "trick.won"]
    assert (won.by, won.cards) == ("N", ("AH", "KH", "QH", "JH"))
    assert [event for event in events if event.type == "irregularity"] == []


def test_a_card_out_of_turn_is_reported_with_its_row() -> None:
    plays = [PlayGesture(seat, HANDS[seat][0]) for seat in (Seat.NORTH, Seat.SOUTH)]
    events = Gestured(CODE).events(*DEAL, *plays)
    (one,) = [event for event in events if event.type == "irregularity"]
    assert (one.data.row, one.seat) == ("R-1", Seat.SOUTH)
''',
}
"""The files of a game, and what stands in each."""


def write_game(name: str, into: Path) -> Path:
    """Write the package of a game called ``name`` into the folder ``into``; return its own folder.

    Raises ValueError for a name that cannot be one, OSError where the folder cannot be written.
    """
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ValueError(f"'{name}' is no name for a game: write small letters, digits, _, a letter first (briscola)")
    if importlib.util.find_spec(name) is not None:
        raise ValueError(f"'{name}' is the name of a package that is installed here: choose another")
    home = into / name
    home.mkdir(parents=True)
    said = {"name": name, "title": name.replace("_", " ").title(), "version": __version__}
    for path, text in _FILES.items():
        file = home / Template(path).substitute(said)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(Template(text).substitute(said), encoding="utf-8")
    return home


def new_game(
    name: Annotated[str, typer.Argument(help="Its name, as table.toml will write it (rules = NAME).")],
    into: Annotated[Path, typer.Option(help="The folder in which the game's own is made.")] = Path(),
) -> None:
    """Write the package of a trick-taking game of your own: it plays at once, and you change its rules."""
    try:
        home = write_game(name, into)
    except ValueError as error:
        fail(str(error), 2)
    except FileExistsError:
        fail(f"{into / name} is there already")
    except OSError as error:
        fail(f"{into / name} cannot be written: {error.strerror or error}")
    typer.echo(f"{home}: change the rules in {home / name / '__init__.py'}; then: pip install -e {home}; pytest {home}")
