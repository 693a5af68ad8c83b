"""What a catalogue row holds: article, names, severity, remedy, and what the table watches once it is ruled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["note", "warning", "play-stops", "score"]
Sense = Literal["gate", "scale", "camera", "beam", "shield", "derived", "person"]
Who = Literal["offender", "partner", "player-in-turn", "next-opponent", "line", "arbitro", "table"]
Heal = Literal["opponent-draws", "never"]


@dataclass(frozen=True, slots=True)
class Words:
    """One sentence for people in Italian and English."""

    it: str
    en: str


@dataclass(frozen=True, slots=True)
class StepRule:
    """One step of a remedy as the row states it. ``who``: the role that carries it out; ``cards``: it concerns them."""

    do: str
    who: Who
    text: Words
    until: str | None = None
    cards: bool = False
    only: Literal["always", "victim-is-opponent"] = "always"


@dataclass(frozen=True, slots=True)
class DutyRule:
    """What is watched once the row is ruled.

    ``do`` as in remedies. ``allow``: what a limited turn may hold; with ``expose``, that the discard of the turn that
    runs is free. ``when``: ``this-turn`` holds only where the ruling
    falls into the offender's own turn, ``after-turn`` only where it falls after it; ``next-turn`` always.
    """

    do: Literal["limit-turn", "return-to-stock", "return-to-pile", "draw", "take-back", "expose", "discard"]
    text: Words
    allow: tuple[Literal["draw", "collect", "play", "discard"], ...] = ()
    when: Literal["this-turn", "after-turn", "next-turn"] = "next-turn"
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the catalogue: one irregularity of one code. ``senses``: what can tell it."""

    id: str
    article: str
    title: Words
    severity: Severity
    senses: tuple[Sense, ...]
    steps: tuple[StepRule, ...]
    duties: tuple[DutyRule, ...] = ()
    options: tuple[str, ...] = ()
    heals: Heal = "opponent-draws"
    warn: bool = False
    needs_referee: bool = False
    freezes: bool = False
    """Whether a ruling freezes the melds concerned until the offender's next turn."""
    freeze_turns: int = 1
    """At which of the offender's coming turns they thaw."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The rows of one code by their names."""

    rules: str
    rows: dict[str, Row] = field(default_factory=dict)

    def row(self, name: str) -> Row:
        """The row called ``name``; for one not held here, a bare one that leaves all to the arbitro."""
        known = self.rows.get(name)
        if known is not None:
            return known
        return Row(
            id=name,
            article="",
            title=Words(f"Irregolarità {name}", f"Irregularity {name}"),
            severity="note",
            senses=("person",),
            steps=(StepRule("referee", "arbitro", Words("Decide l'arbitro.", "The arbitro decides.")),),
            heals="never",
            needs_referee=True,
        )


def catalogue_of(rules: str, rows: tuple[Row, ...]) -> Catalogue:
    """A catalogue of ``rows``; a name that stands twice is a mistake in the data and raises ValueError."""
    named = {row.id: row for row in rows}
    if len(named) != len(rows):
        raise ValueError(f"a row of the catalogue of {rules} stands twice")
    return Catalogue(rules, named)
