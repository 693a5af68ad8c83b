"""The registry of rule sets: the only place that knows every game.

A new code of a game appears here by itself; a new game is one line in ``RULE_SETS``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from hw import tablemap
from hw.equipment import Equipment
from hw.observation_log import Header
from hw.pack.drawn import Drawing
from hw.tablemap import TableMap
from table_service.events.envelope import REPLAY_BOOT
from table_service.events.payloads import AFTER, PLAY, ROUND, Payload
from table_service.games.bridge.rule_sets import RULE_SETS as BRIDGE
from table_service.games.burraco.rule_sets import BOOKS as BURRACO_BOOKS
from table_service.games.burraco.rule_sets import RULE_SETS as BURRACO
from table_service.games.definition import Fold, RuleBookOnly, RuleSet, UnknownRulesError
from table_service.games.tarocco.rule_sets import RULE_SETS as TAROCCO

T = TypeVar("T")
OUTSIDE: Final = "tavolo.rule_sets"
"""The group of entry points by which an installed package adds the rule sets of a game of its own."""


def installed() -> tuple[RuleSet, ...]:
    """Return the rule sets of the games that other installed packages bring, by the names of their entry points.

    An entry point of the group ``tavolo.rule_sets`` names a sequence of ``RuleSet``.
    """
    points = sorted(entry_points(group=OUTSIDE), key=lambda point: point.name)
    return tuple(one for point in points for one in point.load())


def outside_packages() -> frozenset[str]:
    """Return the packages of those games, as Python imports them."""
    return frozenset(point.module.partition(".")[0] for point in entry_points(group=OUTSIDE))


def named(*rule_sets: RuleSet) -> Mapping[str, RuleSet]:
    """``rule_sets`` by their names. Raises ValueError where two have the same."""
    found = {one.name: one for one in rule_sets}
    if len(found) != len(rule_sets):
        raise ValueError(f"two rule sets have the same name: {', '.join(one.name for one in rule_sets)}")
    return MappingProxyType(found)


def payloads_by_type(rule_sets: Iterable[RuleSet]) -> Mapping[str, tuple[type[Payload], ...]]:
    """Return the models of the ``data`` of every event type that tables of ``rule_sets`` may emit, each model once."""
    return _each_once((ROUND, *(one.payloads for one in rule_sets), PLAY, AFTER))


def _each_once(by_name: Iterable[Mapping[str, type[T]]]) -> Mapping[str, tuple[type[T], ...]]:
    found: dict[str, tuple[type[T], ...]] = {}
    for models in by_name:
        for name, model in models.items():
            known = found.get(name, ())
            found[name] = known if model in known else (*known, model)
    return MappingProxyType(found)


RULE_SETS: Final[Mapping[str, RuleSet]] = named(*BURRACO, *TAROCCO, *BRIDGE, *installed())
"""Every rule set by its name."""
BOOKS: Final[Mapping[str, RuleBookOnly]] = MappingProxyType({one.name: one for one in BURRACO_BOOKS})
"""Codes by which deals are counted and no table is played yet."""
PAYLOADS: Final = payloads_by_type(RULE_SETS.values())
"""The models of the ``data`` of every event type: one, or several where games tell by one type of different things.

Which of them a table's event has its rule set says (``payloads_of``).
"""
ORDERS: Final = {
    name: [one for one in models if not any(issubclass(other, one) and other is not one for other in models)]
    for name, models in _each_once(one.orders for one in RULE_SETS.values()).items()
}
"""The models of every order by its name: that of every table, or those with which games extend it."""
DEFAULT: Final = next(iter(RULE_SETS))
"""The rule set of a table that has not said which it plays, and of commands that name none."""


def rule_set(name: str) -> RuleSet:
    """Return the rule set called ``name``. Raises UnknownRulesError, which names those there are.

    >>> rule_set("fibur2024").edition
    'F.I.Bur., April 2024'
    """
    try:
        return RULE_SETS[name]
    except KeyError:
        if name in BOOKS:
            raise UnknownRulesError(
                f"no table is played by '{name}' yet, its deals are only counted; played is {', '.join(RULE_SETS)}",
                RULE_SETS,
            ) from None
        raise UnknownRulesError(f"no rules are called '{name}': there is {', '.join(RULE_SETS)}", RULE_SETS) from None


def payloads_of(name: str) -> Mapping[str, type[Payload]]:
    """Return the model of each event type's ``data`` for a table that plays ``name``. Raises UnknownRulesError.

    >>> payloads_of("tarocco")["trick.played"].__module__
    'table_service.games.tarocco.payloads'
    >>> "trick.played" in payloads_of("fibur2024")
    False
    """
    return {**ROUND, **rule_set(name).payloads, **PLAY, **AFTER}


def rule_book(name: str) -> RuleSet | RuleBookOnly:
    """Return the code called ``name`` for questions to its rule book, whether a table is played by it or not.

    Raises UnknownRulesError, which names those there are.
    """
    known: RuleSet | RuleBookOnly | None = RULE_SETS.get(name) or BOOKS.get(name)
    if known is None:
        raise UnknownRulesError(f"no rules are called '{name}': there is {', '.join((*RULE_SETS, *BOOKS))}")
    return known


def rule_set_or_default(name: object) -> RuleSet:
    """Return the rule set called ``name``; the default one if there is none of that name.

    For pages, which must show something of a table that has reported nothing yet, or that newer software runs.
    """
    return RULE_SETS.get(str(name)) or RULE_SETS[DEFAULT]


def drawing_of(pack: str) -> Drawing | None:
    """Return the drawing of the pack called ``pack``; None if no rule set draws one of that name."""
    return next((one.drawing for one in RULE_SETS.values() if one.pack.name == pack and one.drawing is not None), None)


def open_fold(header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> Fold:
    """Return the fold of a table whose log has ``header``. Raises UnknownRulesError, WrongHeaderError."""
    rules = rule_set(header.rules)
    rules.check(header)
    return rules.open_fold(header, boot, first)


def equipment_of(rules: str) -> Equipment:
    """Return the equipment of a table on which ``rules`` are played. Raises UnknownRulesError."""
    return rule_set(rules).equipment


def load_table(path: Path) -> TableMap:
    """Return the table map in the TOML file at ``path``, checked against the equipment and the options of its rule set.

    Raises hw.config_text.ConfigError with every problem and its line.
    """
    return tablemap.load_table(
        path,
        equipment_of,
        lambda rules: rule_set(rules).options,
        lambda rules: rule_set(rules).players,
        lambda rules: rule_set(rules).layout,
        {place.zone for one in RULE_SETS.values() for place in one.equipment.places},
    )
