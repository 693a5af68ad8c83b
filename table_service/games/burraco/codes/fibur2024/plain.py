"""Short ways to write rows that concern the round, the pack and the deal: no play of cards to be judged."""

from __future__ import annotations

from table_service.referee.catalogue import Ask, Choice, Kind, Row, Sense, StepRule, Who, Words
from table_service.referee.outcomes import Outcome


def step(
    do: str, who: Who, it: str, en: str, *, option: str | None = None, until: str | None = None, cards: bool = False
) -> StepRule:
    """One step in both languages."""
    return StepRule(do, who, Words(it, en), until=until, cards=cards, option=option)


def choice(key: str, who: Who, it: str, en: str) -> Choice:
    """One way that is left open, in both languages."""
    return Choice(key, Words(it, en), who)


def situation(
    name: str,
    article: str,
    title: Words,
    *steps: StepRule,
    senses: tuple[Sense, ...] = ("derived",),
    kind: Kind = "situation",
    choices: tuple[Choice, ...] = (),
    outcomes: tuple[Outcome, ...] = (),
    asks: tuple[Ask, ...] | None = None,
) -> Row:
    """A row that rules a situation or states a principle; ``outcomes``: what declaring it changes in the round."""
    return Row(
        id=name,
        article=article,
        title=title,
        severity="note",
        senses=senses,
        steps=steps,
        heals="never",
        kind=kind,
        choices=choices,
        outcomes=outcomes,
        asks=("option",) if asks is None and choices else asks or (),
    )


WARN_LINE = step("warn", "line", "La coppia è ammonita.", "The pair is warned.")
"""A warning goes to the pair's account, whoever of it earned it (definition; powers, d)."""
