"""Answers and requests of the JSON API, as its OpenAPI document describes them.

Fields may be added, none is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, create_model

from table_service.events.orders import Order as OrderModel
from table_service.rulesets import ORDERS

Line = Literal["NS", "EW"]
Command = Literal["warn", "bonus", "deal", "start-play", "correct", "said", "time-out", "end-round"]


class Problem(BaseModel):
    """Why something was not done: a word for programs and a sentence for people."""

    error: str
    it: str
    en: str
    fields: list[str] = Field(default=[], description="those of the body that are unknown, missing or wrong")


class TableRow(BaseModel):
    """One table of the hall."""

    name: str
    status: Literal["ready", "init", "lost", "stopped", "unknown"]
    deal: int | None = Field(description="the deal that is being played, or was played last")
    deals: int | None
    score: dict[Line, int | None] = Field(description="running totals; null: not known")
    waiting: int | None = Field(description="alerts that wait; null for spectators")
    pairs: dict[Line, str] = Field(default={}, description="who sits there by line, as far as it is known")


class Hall(BaseModel):
    """The hall: every table, and whether the console hears them."""

    hall: str
    connected: bool
    delay: int = Field(description="seconds by which this reader sees play later")
    tables: list[TableRow]


class Table(BaseModel):
    """One table. ``state``: its public state, as docs/schema/state.schema.json describes it; null: not said yet."""

    name: str
    status: Literal["ready", "init", "lost", "stopped", "unknown"]
    boot: str | None
    software: str | None
    state: dict[str, Any] | None


class Events(BaseModel):
    """Events of a table (docs/schema/events.schema.json), oldest first; ``next`` is the next question's ``after``."""

    events: list[dict[str, Any]]
    next: int


class Hand(BaseModel):
    """Actions of people on an alert; times are seconds since 1970."""

    id: int
    seen: float
    taken_by: str | None
    taken: float | None
    put_off_until: float | None
    raised: float | None
    second_by: str | None
    resolved_by: str | None
    ended: float | None


class AlertRow(BaseModel):
    """One alert: what the table told of it (an irregularity's data, or a call), and in whose hands it is."""

    table: str
    key: str
    live: bool
    document: dict[str, Any]
    hand: Hand | None


class OrderRow(BaseModel):
    """An order and what became of it. ``undo_until``: till then it may be withdrawn and has not gone out."""

    id: str
    table: str
    by: str
    do: str
    fields: dict[str, Any]
    about: str | None = Field(description="the key of the alert that it concerns")
    state: Literal["waiting", "sent", "done", "refused", "expired", "cancelled"]
    reason: str | None
    answer: dict[str, str] = Field(description="the table's sentence in both languages, as it and en")
    given: float
    undo_until: float | None


class AlertWhole(AlertRow):
    """One alert with all that it rests on: its events, the orders about it, and the pictures that there are."""

    events: list[dict[str, Any]]
    orders: list[OrderRow]
    pictures: list[dict[str, Any]]


class SheetRow(BaseModel):
    """The score sheet of one deal. ``score``: the data of ``score.counted``; ``signed``: how each line stands to it."""

    deal: int
    state: Literal["disputed", "differs", "unclear", "waiting", "done"]
    score: dict[str, Any]
    signed: dict[Line, str]


class RoundSheets(BaseModel):
    """The sheets of a table's round."""

    table: str
    state: str
    final: bool = Field(description="every deal is counted, and confirmed by both lines")
    sheets: list[SheetRow]


class EntrantRow(BaseModel):
    """Somebody of an entry, as the club has entered it; empty: not known. Spectators see name and club."""

    name: str
    club: str = ""
    member: str = ""
    category: str = ""


class RankedRow(BaseModel):
    """A pair in the ranking; ``place`` and ``vp`` null where one of its rounds is not known.

    Where rounds are matches, pairs are ranked by those they have ``won``, then by the ``points`` in them. Where boards
    are compared, by the ``percent`` of all tops, each ``line`` apart where nobody sat in both.
    """

    place: int | None
    pair: str
    vp: int | None = None
    mp: int | None = None
    rounds: int | None = None
    percent: float | None = None
    boards: int | None = None
    line: str | None = None
    won: int | None = None
    points: int | None = None
    extra: int | None = None
    people: list[EntrantRow] = []


class Ranking(BaseModel):
    """The ranking as it stands; for spectators as it was published."""

    published: float | None = Field(description="when it was published, seconds since 1970; null: not published")
    rows: list[RankedRow]


class AwardRow(BaseModel):
    """An adjusted score or a deduction that an arbitro has entered; times are seconds since 1970.

    ``fields``: as the game keeps it; ``it`` and ``en`` say it. One that was taken back is ``withdrawn`` and counts no
    more.
    """

    id: int
    table: str
    number: int | None = Field(description="of the deal or board; null: of the whole round")
    fields: dict[str, Any]
    it: str
    en: str
    article: str
    reason: str
    by: str
    at: float
    undo_until: float | None = Field(description="till then who entered it may undo it; null: no more")
    withdrawn: float | None
    withdrawn_by: str | None
    why: str | None


class RoundAwards(BaseModel):
    """Awards that arbitri entered in a round, the oldest first. ``round``: its number in the tournament."""

    round: int
    awards: list[AwardRow]


class StrictModel(BaseModel):
    """Base of requests: an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")


Sent = TypeVar("Sent", bound=StrictModel)


def _with_fields_of(*orders: str, only: Collection[str] = ()) -> Callable[[type[Sent]], type[Sent]]:
    """Add to a model the fields of these ``orders``, a game's own too; none is required. ``only``: no others."""
    kinds: dict[str, Any] = {}
    for model in (model for do in orders for model in ORDERS[do]):
        for name, one in model.model_fields.items():
            if name in only or not (only or name in OrderModel.model_fields):
                kind, info = kinds.get(name, (None, one))
                kinds[name] = (kind | one.rebuild_annotation(), Field(None, description=info.description))
    return lambda made: create_model(made.__name__, __base__=made, __doc__=made.__doc__, **kinds)


@_with_fields_of("bonus", "deal", "correct", "said")
class TableOrder(StrictModel):
    """One of a table's own commands; which fields it needs goes by ``do``."""

    do: Command


_with_choice: Final = _with_fields_of("rule", only=("option", "freeze", "meld", "cards"))


@_with_choice
class Ruling(StrictModel):
    """A ruling on an alert, as the console's page gives it."""

    do: Literal["rule", "dismiss", "confirm"]


@_with_choice
class DecisionChange(StrictModel):
    """A decision that is changed after it was made: a ruling is lifted, or what was dismissed is ruled after all."""

    reason: Annotated[str, Field(min_length=1, max_length=300)]


class EnteredAward(StrictModel):
    """An adjusted score or a deduction.

    ``fields``: those of the game's form on the page, by their names there; the game's page in docs/ lists them.
    """

    table: str
    number: int | None = Field(None, description="of the deal or board, where the award is of one")
    article: Annotated[str, Field(min_length=1, max_length=40)]
    reason: Annotated[str, Field(min_length=1, max_length=200)]
    fields: Annotated[dict[str, Annotated[str, Field(max_length=40)]], Field(max_length=40)]


class AwardTakenBack(StrictModel):
    """Undo what one has entered oneself a moment ago, or withdraw it later with the reason."""

    deed: Literal["undo", "withdraw"]
    reason: Annotated[str, Field(max_length=200)] = ""


class HandDeed(StrictModel):
    """Take an alert in hand, let it go, put it off for some minutes, call a second arbitro, resolve a call."""

    deed: Literal["take", "take-over", "let-go", "put-off", "second", "meet-second", "resolve"]
    minutes: Annotated[int, Field(ge=1, le=30)] | None = None
