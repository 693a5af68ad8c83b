"""Interface of a game for rehearsals, and its registry: players, faults, what its code orders for them.

The games are on floors above this room, so a rule set is looked up by its name when a rehearsal begins.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, cast

from hw.cards import Pack
from hw.equipment import Equipment
from hw.errors import TavoloError
from hw.observation_log import Header
from hw.observations import Observation
from hw.twin.twin_table import TableKind
from table_service.events.envelope import Event

if TYPE_CHECKING:
    from table_service.rehearsal.script import Script
    from table_service.rehearsal.truth import Truth
    from table_service.rehearsal.truth_check import TruthAction, TruthReport
    from table_service.tracking.movements import Track

Sights = Literal["indices", "whole faces", "error model"]
"""Way in which a camera reads a demo's frames."""
Randoms = Callable[[int, int], random.Random]
"""A source of chance for each deal and each try at it."""


class RehearsalError(TavoloError, ValueError):
    """Something that cannot be rehearsed; the message says what can."""


class UnknownFault(TavoloError, ValueError):  # noqa: N818 - it names what was asked for
    """A row that cannot be injected; the message lists those that can be."""


class Unstageable(TavoloError, ValueError):  # noqa: N818 - it names what was asked for
    """Rows for which no deal was found in which they can happen; the message names them."""

    def __init__(self, rows: Sequence[str], number: int, deals: int) -> None:
        named = ", ".join(rows[:4]) + (f" and {len(rows) - 4} more" if len(rows) > 4 else "")
        advice = "take another seed" if len(rows) <= deals - number + 1 else "take more deals or another seed"
        super().__init__(f"no deal was found in which {named} can happen (deal {number} of {deals}): {advice}")
        self.rows = tuple(rows)


class RehearsedKind(Protocol):
    """A way in which a catalogue row can be committed.

    ``name``: the row, and the way after a colon if there are several (``F-05b:foreign``). ``told`` False: no sensor
    shows it; it is staged to see that no player is accused of something else.
    """

    @property
    def row(self) -> str:
        """The catalogue row."""

    @property
    def name(self) -> str:
        """Name of the kind on a command line."""

    @property
    def told(self) -> bool:
        """True if sensors show it."""

    @property
    def way(self) -> str:
        """The one of several ways of committing the row; empty for the usual one."""


class JudgedFold(Protocol):
    """The program that is judged: observations in, events out."""

    def feed(self, observation: Observation) -> Sequence[Event]:
        """Take one observation."""

    def close(self) -> Sequence[Event]:
        """End the log."""


class Direct(Protocol):
    """Writes the script of a round."""

    def __call__(self, randoms: Randoms, deals: int, rows: Sequence[str], habits: str, stage: str | None) -> Script:
        """Return the script of ``deals`` deals with one fault of each of ``rows``, spread over the deals.

        ``habits``: how people handle the table. ``stage``: when the arbitro rules on the faults; None: as it comes.
        Raises Unstageable, UnknownFault.
        """


@dataclass(frozen=True, slots=True)
class GameRehearsal:
    """One code of a game as it is rehearsed.

    ``table``: the simulated one. ``options``: those of a log's header for a round of a number of deals. ``kinds``:
    every fault that can be staged, by name. ``remedies``: the code's orders for a row, alternatives parted by ``|``.
    ``habits``: how people may handle the table, the plainest first. ``stages``: when a ruling can be staged;
    ``can_be_ruled``: whether the kind of a name can be ruled in a stage. ``steps_of_truth``, ``steps_of_events``: the
    actions of a truth and of a table's events that are to agree. ``limits_turn``: the sanction that limits a turn.
    ``compare_moves``: the truth against movements alone. ``shown``: the faults of a demo's round, one in each deal;
    without any it is played in no demo. ``shown_deals``, ``shown_seed``, ``shown_habits``: the number of such a round's
    deals, its default seed, and how people handle the table then (empty: as the plainest do). ``sights``: how a demo's
    camera reads its frames: corner ``indices``, the ``whole faces`` of an enrolled pack, or not at all, with sights
    from the twin's ``error model``; ``frames``: the same if a user asks for readings of the frames. ``direct_real``:
    the script of the deals of a file of records, and their number; None if the game has none. ``options_with``: the
    options beside ``options`` under which faults are staged, by their names. ``of_two``: the same with two players, if
    a code has that too.
    """

    table: TableKind
    direct: Direct
    options: Callable[[int], Mapping[str, Any]]
    kinds: Mapping[str, RehearsedKind]
    remedies: Mapping[str, tuple[str, ...]]
    habits: tuple[str, ...]
    stages: tuple[str, ...]
    can_be_ruled: Callable[[str, str], bool]
    steps_of_truth: Callable[[Truth], list[TruthAction]]
    steps_of_events: Callable[[Sequence[dict[str, Any]]], list[TruthAction]]
    limits_turn: str
    compare_moves: Callable[[Truth, Sequence[Track]], TruthReport]
    shown: tuple[str, ...] = ()
    shown_deals: int = 2
    shown_seed: int = 388
    shown_habits: str = ""
    sights: Sights = "indices"
    frames: Sights = "indices"
    options_with: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    of_two: GameRehearsal | None = None
    direct_real: Callable[[Randoms, bytes, str], tuple[Script, int]] | None = None


class Rehearsed(Protocol):
    """Interface of a rule set for rehearsals."""

    @property
    def name(self) -> str:
        """Name as in a log's header."""

    @property
    def pack(self) -> Pack:
        """The cards it is played with."""

    @property
    def equipment(self) -> Equipment:
        """The zones of its table."""

    @property
    def rehearsal(self) -> Callable[[], GameRehearsal] | None:
        """Its players; None if it has none."""

    @property
    def open_fold(self) -> Callable[[Header], JudgedFold]:
        """Opens the fold of a table."""


_REGISTRY: Final = "table_service.rulesets"


def _rule_sets() -> Mapping[str, Rehearsed]:
    return cast("Mapping[str, Rehearsed]", importlib.import_module(_REGISTRY).RULE_SETS)


def rehearsed_rules() -> tuple[str, ...]:
    """Return the names of the rule sets whose players exist, the default one first."""
    return tuple(name for name, rules in _rule_sets().items() if rules.rehearsal is not None)


def default_rules() -> str:
    """Return the rule set that is rehearsed if none is named."""
    return rehearsed_rules()[0]


def rehearsed(rules: str) -> Rehearsed:
    """Return the rule set called ``rules``. Raises RehearsalError if there is none with simulated players."""
    if rules not in rehearsed_rules():
        raise RehearsalError(f"nobody can play '{rules}' yet: there is {', '.join(rehearsed_rules())}")
    return _rule_sets()[rules]


def rehearsal_of(rules: str, players: int | None = None) -> GameRehearsal:
    """Return the players and faults of the rule set called ``rules``. Raises RehearsalError if it has none.

    ``players``: number of seats at the table; None: the usual one.
    """
    found = rehearsed(rules).rehearsal
    assert found is not None, rules  # noqa: S101 - `rehearsed` has looked
    usual = found()
    if players in (None, len(usual.table.rotation.seats)):
        return usual
    if usual.of_two is None or players != len(usual.of_two.table.rotation.seats):
        raise RehearsalError(f"'{rules}' is not played by {players} at a table")
    return usual.of_two


def rows_named(text: str, kinds: Mapping[str, RehearsedKind]) -> tuple[str, ...]:
    """Return the rows of a list as the command line takes it: ``F-31a,F-24a``, ``all,untold``, or nothing.

    ``all``: those of ``kinds`` that sensors show; ``ways``: the other ways in which they are staged; ``untold``: those
    that are staged though no sensor shows them. Raises UnknownFault.
    """
    rows: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        if part in ("all", "ways", "untold"):
            rows += [name for name, kind in kinds.items() if part == _group(kind)]
        else:
            rows.append(part)
    refuse_unknown(rows, kinds)
    return tuple(rows)


def refuse_unknown(rows: Iterable[str], kinds: Mapping[str, RehearsedKind]) -> None:
    """Raise UnknownFault if one of ``rows`` is not among ``kinds``."""
    for row in rows:
        if row not in kinds:
            raise UnknownFault(f"no fault of row '{row}' can be rehearsed: there are {', '.join(kinds)}")


def _group(kind: RehearsedKind) -> str:
    """Return the word of ``rows_named`` that stands for ``kind``."""
    if not kind.told:
        return "untold"
    return "ways" if kind.way else "all"
