"""Content of a catalogue row: article, names, severity, remedy, and what the table watches once it is ruled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from hw.errors import TavoloError
from table_service.referee.outcomes import Outcome, TournamentRules

Severity = Literal["note", "warning", "play-stops", "score"]
Sense = Literal["gate", "scale", "camera", "beam", "shield", "derived", "person"]
Who = Literal[
    "offender",
    "partner",
    "player-in-turn",
    "next-opponent",
    "opponent-in-turn",
    "line-in-turn",
    "line",
    "arbitro",
    "table",
]
"""Person who carries a step out: ``player-in-turn`` whose turn it was; ``line-in-turn`` the line's next to play."""
DutyDo = Literal[
    "limit-turn", "return-to-stock", "return-to-pile", "draw", "collect", "take-back", "expose", "discard",
    "correct-count", "penalise", "complete-or-penalise", "bar-closing", "referee", "freeze", "redeal",
]  # fmt: skip
"""Deeds that a table watches, as remedies have them."""
Allowed = Literal["draw", "collect", "play", "owed", "discard"]
DutyWhen = Literal["this-turn", "after-turn", "next-turn"]
DutyWho = Literal["offender", "partner", "next-opponent", "line-in-turn"]
Heal = Literal["opponent-draws", "next-seat-draws", "anybody-draws", "never"]
"""Draw or pick-up that ends the right to a penalty; ``next-seat``: the one after the offender."""
RandomTo = Literal["", "stock"]
Kind = Literal["irregularity", "situation", "principle"]
Moment = Literal["discard", "next-draw", "deal-end"]
"""When a fact that is still open is no longer found in time for the remedy of its row."""
Found = Literal[
    "before_play",
    "during_turn",
    "after_discard_before_next_draw",
    "later",
    "hand_end",
    "any",
    "before_pass",
    "after_pass",
    "before_lead",
    "after_lead",
]
"""When a fact is found, in the words of the reference catalogue; the last four behind screens: tray and lead."""
Ask = Literal["seat", "line", "lines", "cards", "added", "meld", "minutes", "points", "option", "vp", "mp"]
"""Fields that a console asks for when a person enters a row as a ruling, each a field of ``console rule``.

``seat`` the offender; ``line`` the pair against which it is; ``lines`` minutes for each line; ``cards``, ``meld`` what
it concerns; ``points`` match points; ``option`` one of ``options`` or ``choices``; ``vp``, ``mp`` what both lines get.
"""

FOUND_FROM: Final[dict[Moment, Found]] = {
    "discard": "after_discard_before_next_draw",
    "next-draw": "later",
    "deal-end": "hand_end",
}
"""Time of finding that a fact counts as having, from each moment on."""


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
    option: str | None = None
    """Required choice; None: always."""


@dataclass(frozen=True, slots=True)
class DutyRule:
    """Duty that is watched once the row is ruled.

    ``do`` as in remedies. ``allow``: what a limited turn may hold, ``owed`` the laying of cards that the same ruling
    has exposed; with ``expose``, that the discard of the turn that runs is free. ``when``: ``this-turn`` holds only
    if the ruling falls into the offender's own turn, ``after-turn`` only if it falls after it; ``next-turn``
    always.
    """

    do: DutyDo
    text: Words
    allow: tuple[Allowed, ...] = ()
    when: DutyWhen = "next-turn"
    until: str | None = None
    who: DutyWho = "offender"
    option: str | None = None
    """Required choice; None: always."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the ways that the code leaves open. ``key``: what a ruling names as ``option``; ``who`` chooses."""

    key: str
    text: Words
    who: Who


@dataclass(frozen=True, slots=True)
class Ageing:
    """A fact still open ``at`` that moment is judged by ``row`` from then on."""

    at: Moment
    row: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the catalogue of one code. ``senses``: sensors that can show it.

    ``options``: rows among which a ruling decides which this is; ``choices``: ways of one remedy that a person chooses.
    ``ages``: what the fact becomes when it is found later. Rows that are no irregularity are never entered as one.
    """

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
    """True if a ruling freezes the melds concerned until the offender's next turn."""
    freeze_turns: int = 1
    """At which of the offender's coming turns they thaw."""
    freeze_how: Literal["temporary", "definitive"] = "temporary"
    negative: bool = False
    """True if a ruling makes its cards, in the melds where they are, count against the line."""
    negative_whole: bool = False
    """True if the whole meld does, not only the cards that are wrong in it."""
    reopens: str | None = None
    """The way by which a ruling cancels a going out: the deal continues."""
    closes: str | None = None
    """The way by which a ruling accepts a closing that was invalid: the deal is over."""
    draws: RandomTo = ""
    """Place to which a card of the hand goes that a ruling takes at random; empty if it never does."""
    kind: Kind = "irregularity"
    choices: tuple[Choice, ...] = ()
    ages: tuple[Ageing, ...] = ()
    warned: Literal["offender", "both"] = "offender"
    """Line to which the warning goes, if ``warn`` says that there is one."""
    warn_option: str | None = None
    """Required choice; None: always."""
    asks: tuple[Ask, ...] | None = None
    """Fields that a ruling needs; None: those that follow from the row's steps."""
    outcomes: tuple[Outcome, ...] = ()
    """Changes of a ruling in the result of the round."""
    silent: bool = False
    """True if no sentence of the code answers this fact: the arbitro is asked, and what depends on it is unknown."""
    kinds: tuple[str, ...] = ()
    """The facts of play that it answers, as the game's judges report them; its catalogue sets them."""

    @property
    def family(self) -> str:
        """The name without the letter of its case."""
        return family_of(self.id)

    def is_of(self, kinds: Collection[str]) -> bool:
        """Return True if it answers one of ``kinds``."""
        return any(kind in kinds for kind in self.kinds)

    @property
    def touches_score(self) -> bool:
        """True if a ruling by it may change what the cards of a deal count for."""
        return bool(self.severity == "score" or self.duties or self.freezes or self.negative)

    @property
    def is_offered(self) -> bool:
        """True if the arbitro may enter it as a ruling: facts that sensors show rarely or never, and what he declares.

        Situations and powers that change a round are declared; the others have nothing that could be ruled.
        """
        return "person" in self.senses if self.kind == "irregularity" else bool(self.outcomes)

    @property
    def form(self) -> tuple[Ask, ...]:
        """Fields to ask for when it is entered as a ruling, the seat first."""
        if self.asks is not None:
            return self.asks
        asked: list[Ask] = ["seat"]
        if self.options or self.choices:
            asked.append("option")
        if self.freezes:
            asked.append("meld")
        if any(step.cards for step in self.steps):
            asked.append("cards")
        return tuple(asked)

    def becomes(self, at: Moment) -> str | None:
        """Return the row by which the fact is judged when it is still open ``at``; None: the same."""
        return next((age.row for age in self.ages if age.at == at), None)


def family_of(row: str) -> str:
    """Return the name ``row`` without the letter of its case: F-30a and F-30b are cases of one article."""
    return row.rstrip("abcdefghijklmnopqrstuvwxyz")


class UnknownRowError(TavoloError, LookupError):
    """A name that no row of the catalogue has."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The rows of one code by their names; ``answers``: the name of the row that answers a kind of fault."""

    rules: str
    rows: dict[str, Row] = field(default_factory=dict)
    tournament: TournamentRules = field(default_factory=TournamentRules)
    answers: Mapping[str, str] = field(default_factory=dict)

    def row(self, name: str) -> Row:
        """Return the row called ``name``. Raises UnknownRowError if the code has none.

        >>> catalogue_of("house rules", ()).row("X-1")
        Traceback (most recent call last):
        ...
        table_service.referee.catalogue.UnknownRowError: the catalogue of house rules has no row 'X-1'
        """
        known = self.rows.get(name)
        if known is None:
            raise UnknownRowError(f"the catalogue of {self.rules} has no row '{name}'")
        return known

    def answer(self, kind: str) -> Row | None:
        """Return the row that answers ``kind``; None if it is no fault by this code."""
        name = self.answers.get(kind)
        return None if name is None else self.rows[name]

    def found(self, row: Row, found: Found) -> Row:
        """Return the row by which the fact of ``row`` is judged when it was ``found`` only at that moment."""
        if found not in FOUND_FROM.values():
            return row
        for at, name in FOUND_FROM.items():
            later = row.becomes(at)
            row = row if later is None else self.row(later)
            if name == found:
                break
        return row

    def offered(self) -> tuple[Row, ...]:
        """Return the rows for the arbitro to enter as rulings, in catalogue order; ``form`` says what each asks for."""
        return tuple(row for row in self.rows.values() if row.is_offered)


def catalogue_of(
    rules: str,
    rows: tuple[Row, ...],
    tournament: TournamentRules | None = None,
    answers: Mapping[str, str | None] | None = None,
) -> Catalogue:
    """Make a catalogue of ``rows``; ``answers``: the row that answers a kind of fault, None if none does.

    Raises ValueError for a repeated name, UnknownRowError if a row, ``answers`` or ``tournament`` names a row that is
    not among them.
    """
    told = {kind: name for kind, name in (answers or {}).items() if name is not None}
    twice = sorted(name for name, count in Counter(row.id for row in rows).items() if count > 1)
    if twice:
        raise ValueError(f"the catalogue of {rules} holds a row twice: {', '.join(twice)}")
    named = {row.id: replace(row, kinds=_kinds_of(row, told)) for row in rows}
    made = Catalogue(rules, named, tournament or TournamentRules(), told)
    for name in (*told.values(), *_named_by(rows, made.tournament)):
        made.row(name)
    return made


def _kinds_of(row: Row, answers: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(kind for kind, name in answers.items() if name == row.id)


def _named_by(rows: tuple[Row, ...], tournament: TournamentRules) -> Iterator[str]:
    """Yield the rows to which ``rows`` lead, and the one that the tournament names."""
    for row in rows:
        yield from row.options
        yield from (age.row for age in row.ages)
    if tournament.call_row is not None:
        yield tournament.call_row
