"""Interface of a game: a ``RuleSet`` for each of its codes, and the parts that it is made of.

A game builds its rule sets from the parts in its own folder; ``table_service.rulesets`` names them all. Code that needs
something of "the game that is played" asks the rule set, and knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from hw.cards import Pack
from hw.equipment import Equipment
from hw.errors import TavoloError
from hw.layout import DEFAULT_LAYOUT, Layout
from hw.observation_log import Header
from hw.observations import Observation
from hw.pack.drawn import Drawing
from hw.seats import Rotation, seat_or_none
from hw.table_options import COMMON_OPTIONS, Option, missing_options, option_faults, players_fault
from table_service.events import Event
from table_service.events.orders import ORDERS, Orders, StartDeal
from table_service.events.payloads import Payload
from table_service.games.event_rules import EventRules
from table_service.games.game_pages import Document, GamePages, Text
from table_service.games.photographed import PhotographRules
from table_service.referee.catalogue import Catalogue
from table_service.table.score_items import ScoreSheet

if TYPE_CHECKING:
    from table_service.rehearsal.game_rehearsal import GameRehearsal
    from table_service.table.console_orders import Answer


class UnknownRulesError(TavoloError, ValueError):
    """A name that no rule set has; the message names those there are, and so does ``known``."""

    def __init__(self, message: str, known: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.known = tuple(known)


class WrongHeaderError(TavoloError, ValueError):
    """A log's header that does not suit its code; the message says what is wrong with it."""


_NO_CHOICES: Final = frozenset({"keepers", "warnings", "resumed", "boot"})
"""What stands among a header's options and is no choice of a code: seats, what a pair brings, a round that goes on.

``boot``: the start of the table, by which the keys of its irregularities are told apart.
"""


class Fold(Protocol):
    """Folds the observations of one table into events: pure, and never raising on what players or sensors do."""

    def feed(self, observation: Observation) -> list[Event]:
        """Take one observation, in order of arrival; the events that it completes."""
        ...

    def drain(self) -> list[Event]:
        """Return the events that wait to be emitted, such as those of the beginning."""
        ...

    def answers(self) -> list[Answer]:
        """Outcome of each order that was decided since the last call."""
        ...

    def next_deal(self) -> StartDeal | None:
        """Return the order that the table is to give itself now, once; None if none is due."""
        ...

    def close(self) -> list[Event]:
        """End the log: return the events that still waited."""
        ...

    def state(self) -> dict[str, Any]:
        """Return the public table for the topic ``state``."""
        ...


class FoldMaker(Protocol):
    """Opens the fold of one table."""

    def __call__(self, header: Header, boot: str = ..., first: int = ...) -> Fold:
        """Return the fold of a log with ``header``; ``boot``, ``first`` number its events. Raises UnknownRulesError."""
        ...


@dataclass(frozen=True, slots=True)
class Records:
    """Files in which the world keeps records of the game.

    ``check``: from a file's bytes and its name, an answer for each deal in it, as JSON values; it never raises.
    ``is_bad``: whether such an answer names something that is not sound.
    """

    check: Callable[[bytes, str], Iterable[dict[str, Any]]]
    is_bad: Callable[[Document], bool]


@dataclass(frozen=True, slots=True)
class Calculators:
    """Questions to the rule book, answered as the command's JSON values (interfaces, section 5).

    ``meld``: validity, kind and points of cards in any order, ``describe_meld`` the same as a line for a person; None
    where the game has no melds. ``count``: the score of a deal's document, ``{"lines": {line: {"items", "total"}}}``;
    None where the game counts no deal from a document. ``victory_points``: by deals of the round,
    difference in match points, and whether teams play; None where the code has none. Each raises TavoloError where the
    question makes no sense.
    """

    count: Callable[[Document], dict[str, Any]] | None = None
    meld: Callable[[tuple[str, ...]], dict[str, Any]] | None = None
    describe_meld: Callable[[Document], str] | None = None
    victory_points: Callable[[int, int, bool], dict[str, Any]] | None = None
    records: Records | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """Permitted changes of a score sheet, and ``why``: the sentence of the code.

    ``correct``: figures may be corrected; ``agreed``: only if the opponents confirm; ``countersigned``: only if the
    arbitro was called first and signs; ``swap``: inverted scores may be exchanged; ``void``: the result may be voided.
    """

    why: Text
    correct: bool = False
    agreed: bool = False
    countersigned: bool = False
    swap: bool = False
    void: bool = False


_SILENT: Final = Correction(
    (
        "Di questo codice non è nota una regola sulle correzioni: decide l’arbitro.",
        "No rule of this code about corrections is known: the arbitro decides.",
    ),
    correct=True,
)


@dataclass(frozen=True, slots=True)
class SheetRules:
    """Rules of a code for a score sheet: how it is handed in, and what may be corrected until when.

    ``states``: by its state (``open``, ``delivered``, ``posted`` once the new seating is put up, ``final`` ten minutes
    after the ranking was shown); one that is missing is as the one before. ``strict``: the same in the last round of a
    single ranking and in merit groups, as far as they differ. ``delivery``, ``correction``: the articles, empty if the
    code is silent. ``left``, ``lost``: the rows about a sheet left on the table and a lost one; ``swap``, ``void``:
    rulings for exchanged or voided scores; empty if the code has none.
    """

    states: Mapping[str, Correction] = field(default_factory=lambda: {"open": _SILENT})
    strict: Mapping[str, Correction] = field(default_factory=dict)
    delivery: str = ""
    correction: str = ""
    left: str = ""
    lost: str = ""
    swap: Mapping[str, str] = field(default_factory=dict)
    swap_text: Text = ("", "")
    void: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One edition of one code of a game.

    ``name``: as a log's header and a table's map write it; ``game``: the name of its folder; ``title``: for people.
    ``payloads``: the models of the events that tell of its play, by type, shared ones (``events.payloads.PLAY``) too.
    ``layout``: where the zones of its table lie where a table's map gives none. ``drawing``: how the faces of a pack
    that is not French-suited are drawn, for pages (``pages.pictures`` has the pack's name) and for the twin's camera.
    ``orders``: what the arbitro may order at its tables, with the game's own fields.
    ``zone_of``: where what an event tells has happened, so that its pictures show the place; None where there is none.
    ``round_minutes``: how long a round of so many deals lasts, where the code says so. ``byes``: the victory and match
    points of who rests in a round of so many deals. ``events``: what it says of tournaments.
    ``paper``: what it says of the score sheet. ``rehearsal``: loads its simulated players, by their name
    (``pkgutil.resolve_name``), as a table that is played on loads none of them; None where it has none.
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
    pages: GamePages
    zone_of: Callable[[Event], str | None]
    payloads: Mapping[str, type[Payload]] = field(default_factory=dict)
    layout: Layout = DEFAULT_LAYOUT
    drawing: Drawing | None = None
    orders: Orders = field(default_factory=lambda: ORDERS)
    round_minutes: Mapping[int, int] = field(default_factory=dict)
    byes: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    events: EventRules = field(default_factory=EventRules)
    paper: SheetRules = field(default_factory=SheetRules)
    rehearsal: Callable[[], GameRehearsal] | None = None
    keepers_are_named: bool = True
    """Whether who has a line's melds before him is named for the round; else they lie before who opens first."""
    options: Mapping[str, Option] = field(default_factory=lambda: COMMON_OPTIONS)
    """What a table's ``[options]`` may choose; a code that knows more adds its own to the common ones."""
    players: tuple[int, ...] = (4,)
    """How many may sit at a table."""
    photographs: PhotographRules | None = None
    """How photographs of the end of a deal are scored; None where they are not."""

    def check(self, header: Header) -> None:
        """Raise WrongHeaderError where ``header`` names what this code does not have, or not what it needs.

        Values of the options that every code knows are left to their readers, which pass odd ones over.
        """
        chosen = {name: value for name, value in header.options.items() if name not in _NO_CHOICES}
        judged = {name: value for name, value in chosen.items() if name not in COMMON_OPTIONS}
        found = [str(fault) for _, fault in option_faults(judged, self.options)]
        found += map(str, missing_options(chosen, self.options, self.name))
        sit = [seat for seat in header.seats if seat_or_none(seat) is not None]
        wrong = players_fault(sit, self.players, self.name)
        if wrong is not None:
            found.append(str(wrong))
        if found:
            raise WrongHeaderError("; ".join(found))


@dataclass(frozen=True, slots=True)
class RuleBookOnly:
    """A code whose rule book answers questions (``tavolo meld``, ``count``, ``vp``) while no table is played by it yet.

    The fields are those of ``RuleSet``.
    """

    name: str
    edition: str
    game: str
    title: str
    pack: Pack
    sheet: ScoreSheet
    calculators: Calculators
