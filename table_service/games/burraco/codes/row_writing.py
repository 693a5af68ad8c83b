"""Short ways to write the rows of a catalogue: a step in both languages, a duty that repeats it, a state of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, cast

from table_service.referee.catalogue import Ask, Choice, DutyRule, Kind, Row, Sense, StepRule, Who, Words, fault
from table_service.referee.outcomes import Outcome

DutyDo = Literal[
    "limit-turn", "return-to-stock", "return-to-pile", "draw", "collect", "take-back", "expose", "discard",
    "correct-count", "penalise", "complete-or-penalise", "bar-closing", "referee", "freeze",
]  # fmt: skip
"""What a duty may be about, as the catalogue has it."""


def step(
    do: str, who: Who, it: str, en: str, *, option: str | None = None, until: str | None = None, cards: bool = False
) -> StepRule:
    """One step in both languages."""
    return StepRule(do, who, Words(it, en), until=until, cards=cards, option=option)


def only(option: str, *given: StepRule) -> tuple[StepRule, ...]:
    """The ``given`` steps, but only where the choice ``option`` was made."""
    return tuple(replace(one, option=option) for one in given)


def duty(
    given: StepRule,
    allow: Sequence[Literal["draw", "collect", "play", "owed", "discard"]] = (),
    when: Literal["this-turn", "after-turn", "next-turn"] = "next-turn",
    who: Literal["offender", "partner", "next-opponent", "line-in-turn"] = "offender",
    *,
    option: str | None = None,
) -> DutyRule:
    """The step ``given`` as a duty that the table watches: the same deed, words, end and choice.

    ``option``: a choice other than that of the step.
    """
    return DutyRule(cast("DutyDo", given.do), given.text, tuple(allow), when, given.until, who, option or given.option)


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
    return fault(name, article, title, senses, *steps, *choices, *outcomes, severity="note", kind=kind,
        asks=("option",) if asks is None and choices else asks or ())  # fmt: skip


def holds(name: str, article: str, title: Words, told: Words, *senses: Sense) -> Row:
    """A situation of which the code says in one sentence what holds."""
    return situation(name, article, title, StepRule("nothing", "table", told), senses=senses or ("derived",))
