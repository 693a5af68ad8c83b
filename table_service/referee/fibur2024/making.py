"""Short ways to write rows that are no irregularity, and steps that recur in few words."""

from __future__ import annotations

from table_service.referee.catalogue import Row, Sense, StepRule, Who, Words


def step(do: str, who: Who, it: str, en: str, *, until: str | None = None, cards: bool = False) -> StepRule:
    """One step of a remedy in its two languages."""
    return StepRule(do, who, Words(it, en), until=until, cards=cards)


def only(option: str, given: StepRule) -> StepRule:
    """``given``, but only where the choice ``option`` was made."""
    return StepRule(given.do, given.who, given.text, given.until, given.cards, given.only, option)


def situation(name: str, article: str, title: Words, senses: tuple[Sense, ...], told: Words) -> Row:
    """A state of play for which the code says what holds; it accuses nobody and is never entered as an irregularity."""
    return Row(
        id=name,
        article=article,
        title=title,
        severity="note",
        senses=senses,
        steps=(StepRule("nothing", "table", told),),
        heals="never",
        kind="situation",
    )
