"""The registry of rule sets: the only place that knows every game.

A new code of a game appears here by itself; a new game is one line in ``RULE_SETS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hw import tablemap
from hw.equipment import Equipment
from hw.observation_log import Header
from hw.tablemap import TableMap
from table_service.events.envelope import REPLAY_BOOT
from table_service.games.burraco.rule_sets import RULE_SETS as BURRACO
from table_service.games.definition import Fold, RuleSet, UnknownRulesError

RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType({one.name: one for one in (*BURRACO,)})
"""Every rule set by its name."""
DEFAULT: Final = next(iter(RULE_SETS))
"""The rule set of a table that has not said which it plays, and of commands that name none."""


def rule_set(name: str) -> RuleSet:
    """The rule set called ``name``. Raises UnknownRulesError, which names those there are.

    >>> rule_set("fibur2024").edition
    'F.I.Bur., April 2024'
    """
    try:
        return RULE_SETS[name]
    except KeyError:
        raise UnknownRulesError(f"no rules are called '{name}': there is {', '.join(RULE_SETS)}") from None


def rule_set_or_default(name: object) -> RuleSet:
    """The rule set called ``name``; the default one where that is no name of one.

    For pages, which must show something of a table that has said nothing yet, or that newer software runs.
    """
    return RULE_SETS.get(str(name)) or RULE_SETS[DEFAULT]


def open_fold(header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> Fold:
    """The fold of a table whose log has ``header``. Raises UnknownRulesError."""
    return rule_set(header.rules).open_fold(header, boot, first)


def equipment_of(rules: str) -> Equipment:
    """The equipment of a table on which ``rules`` are played. Raises UnknownRulesError."""
    return rule_set(rules).equipment


def load_table(path: Path) -> TableMap:
    """The table map in the TOML file at ``path``, checked against the equipment of its rule set.

    Raises hw.config_text.ConfigError with every problem and its line.
    """
    return tablemap.load_table(path, equipment_of)
