"""Reports of a game on played deals, as values that pages and paper frame. Pure.

The console knows no game: it hands a game the events of its deals, and shows and prints the ``Report`` that comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from hw.errors import TavoloError

Document = Mapping[str, Any]
"""A JSON object: an event, or what was sealed."""
Text = tuple[str, str]
"""Words for people: Italian, English."""
Language = Literal["it", "en"]


def utc(seconds: float) -> str:
    """Hours, minutes and seconds of a moment in universal time."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%H:%M:%S")


class WrongFieldError(TavoloError, ValueError):
    """A field of a form that makes no sense; ``text`` says so to people."""

    def __init__(self, text: Text) -> None:
        super().__init__(text[1])
        self.text = text


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of a report: the heads of its columns and its rows, every cell as text. ``title``: above it, or empty.

    ``widths``: shares of the page's width by column; empty: all alike. ``marks``: rows that stand out, by number.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    widths: tuple[float, ...] = ()
    marks: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report. ``lines``: sentences; ``blanks``: what is filled in by hand, each with a line to write on.

    ``signatures``: who signs at its end; ``links``: title and address of what a page, but no paper, leads to.
    """

    title: str = ""
    lines: tuple[str, ...] = ()
    grids: tuple[Grid, ...] = ()
    blanks: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """Contents shown or printed under one title; ``about``: of which table, deal or round."""

    title: str
    about: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class ArbitroAward:
    """An arbitro's entry on a deal, or on a line, that no table has reported: it counts instead, or besides.

    ``number``: the deal's, as the game numbers its deals; None: of the round. ``fields``: as the game's form gave them.
    ``at``: seconds since 1970.
    """

    place: str
    number: int | None
    fields: Mapping[str, Any]
    article: str = ""
    reason: str = ""
    person: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class DealPlayed:
    """One deal of one table by its public events, in the table's order.

    ``pairs``: who sat there, by line, if known. ``awards``: what counts of the table's round by an arbitro's word, of
    whichever deal. ``clock``: writes seconds since 1970 as the place's time of day.
    """

    place: str
    events: tuple[Document, ...]
    pairs: Mapping[str, str] = field(default_factory=dict)
    clock: Callable[[float], str] = utc
    awards: tuple[ArbitroAward, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """The deals of one round at all its tables. Times in seconds since 1970.

    ``deals``: how many each table plays; ``minutes``: how long the direction has given. ``begun``: when its clock
    began, with what it stood still left out; ``now``: the present, or when the round ended. ``pairs``: who sits where,
    by table and line. ``awards``: what arbitri have entered; ``warned``: by table and line, who was warned or penalised
    in the tournament before this round's end. ``event``, ``site``, ``day``: the tournament, the hall and the day on
    which the round began (as 2026-11-27), empty where nobody says.
    """

    number: int
    deals: int
    minutes: float
    begun: float
    now: float
    is_over: bool
    played: tuple[DealPlayed, ...]
    places: tuple[str, ...]
    pairs: Mapping[tuple[str, str], str] = field(default_factory=dict)
    awards: tuple[ArbitroAward, ...] = ()
    warned: frozenset[tuple[str, str]] = frozenset()
    event: str = ""
    site: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report as a file for other programs: the ending of its name, its media type, its text or bytes."""

    ending: str
    media: str
    make: Callable[[Sequence[RoundPlayed]], str | bytes]


@dataclass(frozen=True, slots=True)
class RoundReport:
    """A report on a round: ``name`` in its address. ``once_over``: not before the round has ended.

    ``arbitri_only``: for those who rule alone. ``text``: the same as a file of the game's own kind, with its ending.
    """

    name: str
    title: Text
    make: Callable[[RoundPlayed, Language], Report]
    once_over: bool = True
    arbitri_only: bool = False
    text: tuple[str, Callable[[RoundPlayed], str]] | None = None


@dataclass(frozen=True, slots=True)
class EventReport:
    """A report on all rounds of a tournament: ``name`` in its address; ``files``: the same for other programs.

    ``ranked``: the rows of the ranking, as everybody may see it, where the game ranks by more than points of tables:
    ``place``, ``pair``, ``percent``, ``boards``, and the ``line`` where each has a ranking of its own.
    """

    name: str
    title: Text
    make: Callable[[Sequence[RoundPlayed], Language], Report]
    files: tuple[ReportFile, ...] = ()
    ranked: Callable[[Sequence[RoundPlayed]], list[dict[str, Any]]] | None = None


class ScoringTalk(Protocol):
    """Conversation with scoring programs in a protocol of theirs, for as long as the console runs."""

    def answer(self, request: Document, results: Callable[[], Document]) -> dict[str, Any]:
        """Answer one request; ``results`` is the hall's file for such programs, asked for if needed. Never raises."""

    def refuse(self, request: Document, text: str, *, known: bool) -> dict[str, Any]:
        """Refuse a request with a sentence. ``known``: False where its licence key opens nothing in this hall."""


@dataclass(frozen=True, slots=True)
class ScoringProtocol:
    """Protocol by which clubs' scoring programs ask for results: ``name`` and then ``door`` in its address.

    ``greeting``: the answer to who asks whether the protocol is spoken here; ``file``: the ending of the event report's
    file that it answers from; ``key``: the field of a request that holds the program's token; ``talk`` begins anew.
    """

    name: str
    door: str
    greeting: str
    file: str
    key: str
    talk: Callable[[], ScoringTalk]


@dataclass(frozen=True, slots=True)
class DealReport:
    """A report on one deal: ``name`` in its address.

    ``make`` is given what was sealed of the deal, by the id of its event, where ``sealed``; else nothing.
    """

    name: str
    title: Text
    make: Callable[[DealPlayed, Mapping[str, Document], Language], Report]
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class DealOrder:
    """Form for ordering a deal of the game. ``template``: the fields of its form, a file of the game's folder.

    ``fields_of``: the order's fields from those of the form, as text; raises WrongFieldError. ``secret``: the field
    that no page, file or log may name; in the form it is the text of a file, which may serve for more deals than one:
    ``known_of`` says of such a text, as a sentence, what it holds, ``check`` raises WrongFieldError if it is of no use;
    ``records_of``: what an order takes of these deals, each by its number.
    """

    template: str
    fields_of: Callable[[Mapping[str, str]], dict[str, Any]]
    secret: str
    known_of: Callable[[str], Text]
    check: Callable[[str], None]
    records_of: Callable[[str, Collection[int]], Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class AwardForm:
    """Form for entering an award. ``template``: the fields of its form, a file of the game's folder.

    ``fields_of``: what is kept of the form, as JSON; raises WrongFieldError. ``of_deal``: True if what is kept concerns
    one deal, which then must be named; ``line_of``: the line that is penalised by it, or None; ``sentence``: its
    effect, for people; ``articles``: those that are offered. ``number_title``: title of a deal's number; ``numbers``:
    those that there are; ``named_by``: the type of the event, and the field of its data, that names the number of a
    deal.
    """

    template: str
    fields_of: Callable[[Mapping[str, str]], dict[str, Any]]
    of_deal: Callable[[Mapping[str, Any]], bool]
    line_of: Callable[[Mapping[str, Any]], str | None]
    sentence: Callable[[Mapping[str, Any]], Text]
    articles: tuple[tuple[str, Text], ...]
    number_title: Text
    numbers: range
    named_by: tuple[str, str]
