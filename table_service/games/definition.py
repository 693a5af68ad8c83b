"""What a game must give to be played: a ``RuleSet`` for each of its codes, and the parts that it is made of.

A game builds its rule sets from what lies in its own folder; ``table_service.rulesets`` names them all. Whoever needs
something of "the game that is played" asks the rule set, and knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from hw.cards import Pack
from hw.equipment import Equipment
from hw.errors import TavoloError
from hw.observation_log import Header
from hw.observations import Observation
from hw.seats import Rotation
from table_service.events import Event
from table_service.events.untrusted import as_list, as_map, as_name
from table_service.games.pages import Document, Pages, Text
from table_service.referee.catalogue import Catalogue


class UnknownRulesError(TavoloError, ValueError):
    """A name that no rule set has; the message names those there are."""


class Fold(Protocol):
    """Folds the observations of one table into events: pure, and never raising on what players or sensors do."""

    def feed(self, observation: Observation) -> list[Event]:
        """Take one observation, in order of arrival; the events that it completes."""
        ...

    def drain(self) -> list[Event]:
        """The events that wait to be told, such as those of the beginning."""
        ...

    def close(self) -> list[Event]:
        """The log has ended: the events that still waited."""
        ...

    def state(self) -> dict[str, Any]:
        """The public table for the topic ``state``."""
        ...


class FoldMaker(Protocol):
    """Opens the fold of one table."""

    def __call__(self, header: Header, boot: str = ..., first: int = ...) -> Fold:
        """The fold of a log with ``header``; ``boot`` and ``first`` number its events. Raises UnknownRulesError."""
        ...


@dataclass(frozen=True, slots=True)
class Resuming:
    """How a table that starts again goes on with its round.

    ``newest_round``: what is to be known of the newest round, from a journal's events, oldest first. ``resumed``: the
    header of a table that goes on with it. ``scores_of``: from such a header, by deal, the event that told its count.
    """

    newest_round: Callable[[Iterable[Document]], list[dict[str, Any]]]
    resumed: Callable[[Header, Sequence[Document]], Header]
    scores_of: Callable[[Header], dict[int, Document]]


@dataclass(frozen=True, slots=True)
class ScoreItem:
    """One item of a score. ``name``: as in ``score.counted``; ``part``: the sum of the printed sheet it belongs to."""

    name: str
    title: Text
    part: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The items of a line in their order, and the sums that a printed sheet has besides the total."""

    items: tuple[ScoreItem, ...]
    parts: tuple[tuple[str, Text], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the items, in order."""
        return tuple(item.name for item in self.items)

    @property
    def printed(self) -> tuple[str, ...]:
        """The names of the items as a printed sheet has them: sum by sum, then those of no sum."""
        parts = (*(part for part, _ in self.parts), "")
        return tuple(name for part in parts for name in self.of_part(part))

    def title(self, name: str) -> Text | None:
        """The title of the item or of the sum ``name``; None where there is none of that name."""
        titles = {item.name: item.title for item in self.items} | dict(self.parts)
        return titles.get(name)

    def of_part(self, part: str) -> tuple[str, ...]:
        """The names of the items that the sum ``part`` is made of, in order."""
        return tuple(item.name for item in self.items if item.part == part)


def sheet_told(told: object, otherwise: ScoreSheet) -> ScoreSheet:
    """The items that a ``score.counted`` names in its ``sheet``; ``otherwise`` where it names none.

    The sums are those that the items belong to, with the titles that ``otherwise`` has for them.
    """
    items = tuple(
        ScoreItem(str(one["item"]), _both(as_map(one.get("title")), str(one["item"])), str(one.get("part") or ""))
        for one in map(as_map, as_list(told))
        if as_name(one.get("item")) is not None
    )
    if not items:
        return otherwise
    titles = dict(otherwise.parts)
    parts = dict.fromkeys(item.part for item in items if item.part)
    return ScoreSheet(items, tuple((part, titles.get(part, (part, part))) for part in parts))


def _both(title: Document, name: str) -> Text:
    italian, english = as_name(title.get("it")), as_name(title.get("en"))
    return italian or english or name, english or italian or name


@dataclass(frozen=True, slots=True)
class Calculators:
    """Questions to the rule book, answered as the command's JSON values (interfaces, section 5).

    ``meld``: validity, kind and points of cards in any order, ``describe_meld`` the same as a line for a person; None
    where the game has no melds. ``count``: the score of a deal's document. ``victory_points``: by deals of the round,
    difference in match points, and whether teams play; None where the code has none. Each raises TavoloError where the
    question makes no sense.
    """

    count: Callable[[Document], dict[str, Any]]
    meld: Callable[[tuple[str, ...]], dict[str, Any]] | None = None
    describe_meld: Callable[[Document], str] | None = None
    victory_points: Callable[[int, int, bool], dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class PaperRows:
    """The catalogue's rows about a score sheet of paper: left on the table, lost, handed in with a mistake."""

    left: str
    lost: str
    mistake: str


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One edition of one code of a game.

    ``name``: as a log's header and a table's map write it; ``game``: the name of its folder; ``title``: for people.
    ``zone_of``: where what an event tells has happened, so that its pictures show the place; None where there is none.
    ``round_minutes``: how long a round of so many deals lasts, where the code says so. ``paper``: None where the code
    does not speak of a sheet of paper.
    """

    name: str
    edition: str
    game: str
    title: str
    pack: Pack
    equipment: Equipment
    rotation: Rotation
    catalogue: Catalogue
    sheet: ScoreSheet
    calculators: Calculators
    open_fold: FoldMaker
    resuming: Resuming
    pages: Pages
    zone_of: Callable[[Event], str | None]
    round_minutes: Mapping[int, int] = field(default_factory=dict)
    paper: PaperRows | None = None
