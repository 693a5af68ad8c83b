"""Short ways to write what many rows on play share: a step of one choice alone, a state of play that accuses nobody."""

from __future__ import annotations

from dataclasses import replace

from table_service.games.burraco.codes.fibur2024 import plain
from table_service.referee.catalogue import Row, Sense, StepRule, Words


def only(option: str, given: StepRule) -> StepRule:
    """``given``, but only where the choice ``option`` was made."""
    return replace(given, option=option)


def situation(name: str, article: str, title: Words, senses: tuple[Sense, ...], told: Words) -> Row:
    """A state of play for which the code says what holds; it is never entered as an irregularity."""
    return plain.situation(name, article, title, StepRule("nothing", "table", told), senses=senses)
