"""Every code of Burraco there is: a new one is its module, and its edition in this list."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from table_service.games.burraco.codes import feburit, fibur2024, online
from table_service.games.burraco.codes.edition import Edition
from table_service.games.definition import UnknownRulesError
from table_service.referee.catalogue import Catalogue

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {one.name: one for one in (fibur2024.EDITION, feburit.EDITION, online.EDITION)}
)
"""The editions by their names, the one first that tables play unless they say otherwise."""
CATALOGUES: Final[dict[str, Catalogue]] = {one.name: one.catalogue for one in EDITIONS.values()}
"""The catalogue of irregularities of each."""


def edition(name: str) -> Edition:
    """Return the edition called ``name``. Raises UnknownRulesError, which names those there are.

    >>> edition("feburit").book.bonuses["over-the-top"]
    300
    """
    try:
        return EDITIONS[name]
    except KeyError:
        raise UnknownRulesError(f"no Burraco rules are called '{name}': there is {', '.join(EDITIONS)}") from None
