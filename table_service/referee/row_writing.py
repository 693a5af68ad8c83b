"""Short ways to write the rows of a catalogue: a step in both languages, a duty that repeats it, a state of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, TypedDict, TypeVar, Unpack, cast

from table_service.referee.catalogue import (
    Ageing,
    Allowed,
    Ask,
    Choice,
    DutyDo,
    DutyRule,
    DutyWhen,
    DutyWho,
    Heal,
    Kind,
    RandomTo,
    Row,
    Sense,
    Severity,
    StepRule,
    Who,
    Words,
)
from table_service.referee.outcomes import Outcome


class Terms(TypedDict, total=False):
    """Terms of a row besides its parts: fields of ``Row``."""

    severity: Severity
    options: tuple[str, ...]
    heals: Heal
    warn: bool
    needs_referee: bool
    freezes: bool
    freeze_turns: int
    freeze_how: Literal["temporary", "definitive"]
    negative: bool
    negative_whole: bool
    reopens: str | None
    closes: str | None
    draws: RandomTo
    kind: Kind
    warned: Literal["offender", "both"]
    warn_option: str | None
    asks: tuple[Ask, ...] | None
    silent: bool


Part = StepRule | DutyRule | Choice | Ageing | Outcome
_P = TypeVar("_P", bound=Part)
_SEVERITY: Final[dict[str, Severity]] = {"stop-play": "play-stops", "score": "score", "warn": "warning"}
"""Severity of a row that does not name one: by the first of these deeds that is among its steps, else a note."""


def fault(
    name: str, article: str, title: Words, senses: tuple[Sense, ...], *parts: Part, **terms: Unpack[Terms]
) -> Row:
    """Build the row of a fault of its ``parts``, those of a kind in their order.

    What ``terms`` leave open follows from the steps: the severity, that it warns, that it freezes; it never heals.
    """
    does = {one.do for one in parts if isinstance(one, StepRule)}
    severity: Severity = next((known for do, known in _SEVERITY.items() if do in does), "note")
    said: Terms = {"severity": severity, "heals": "never", "warn": "warn" in does, "freezes": "freeze" in does}
    said.update(terms)
    return Row(
        name, article, title, senses=senses, steps=_of(StepRule, parts), duties=_of(DutyRule, parts),
        choices=_of(Choice, parts), ages=_of(Ageing, parts), outcomes=_of(Outcome, parts), **said,
    )  # fmt: skip


def _of(kind: type[_P], parts: tuple[Part, ...]) -> tuple[_P, ...]:
    return tuple(one for one in parts if isinstance(one, kind))


def step(
    do: str, who: Who, it: str, en: str, *, option: str | None = None, until: str | None = None, cards: bool = False
) -> StepRule:
    """One step in both languages."""
    return StepRule(do, who, Words(it, en), until=until, cards=cards, option=option)


def only(option: str, *given: StepRule) -> tuple[StepRule, ...]:
    """Return the ``given`` steps, to be taken only if the choice ``option`` was made."""
    return tuple(replace(one, option=option) for one in given)


def duty(
    given: StepRule,
    allow: Sequence[Allowed] = (),
    when: DutyWhen = "next-turn",
    who: DutyWho = "offender",
    *,
    option: str | None = None,
) -> DutyRule:
    """Return the step ``given`` as a duty that the table watches: the same deed, words, end and choice.

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
    """Return a row that rules a situation or states a principle; ``outcomes``: its changes in the round."""
    return fault(name, article, title, senses, *steps, *choices, *outcomes, severity="note", kind=kind,
        asks=("option",) if asks is None and choices else asks or ())  # fmt: skip


def holds(name: str, article: str, title: Words, told: Words, *senses: Sense) -> Row:
    """Return a situation of which the code says in one sentence what holds."""
    return situation(name, article, title, StepRule("nothing", "table", told), senses=senses or ("derived",))
