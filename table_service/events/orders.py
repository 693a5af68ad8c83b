"""The arbitro's orders: one frozen model for each, told apart by ``do``, and how one is read (interfaces, section 2).

Forms, the JSON API, MQTT, the table, its log and the schemas all use these models. A game that needs more derives its
own from them and names them in its rule set's ``orders``. Fields that a later version added are kept, and ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError
from pydantic_core import ErrorDetails

from hw.observations import Console
from hw.seats import Line, Seat
from table_service.events.payloads import NextSeat

_MOST: Final = 10**9
_SHOWN: Final = 40
"""Signs of a wrong value that its refusal repeats."""
Whole = Annotated[int, Strict(), Field(ge=-_MOST, le=_MOST)]
Minutes = Annotated[int, Strict(), Field(ge=0, le=_MOST)] | Annotated[float, Strict(), Field(ge=0, le=_MOST)]
Flag = Annotated[bool, Strict()]
Text = Annotated[str, Field(max_length=1000)]
Card = Annotated[str, Field(max_length=40)]
Cards = Annotated[tuple[Card, ...], Field(max_length=200, description="card codes such as 7H or JK")]
Figures = Annotated[dict[Line, Annotated[dict[Text, Whole | None], Field(min_length=1)]], Field(min_length=1)]
Freeze = Literal["none", "temporary", "definitive"]
Name = Annotated[str, Field(min_length=1, max_length=130)]
"""Of an entry: two players of sixty and what stands between them."""


class Order(BaseModel):
    """The base of all orders: when one was given, in seconds of the table's log, and by whom."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)

    do: str
    t: float = 0.0
    by: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """Fields that were given besides, as JSON values."""
        told = self.model_dump(mode="json", exclude={"do", "t", "by"}, exclude_unset=True)
        return {name: value for name, value in told.items() if value is not None}

    def as_console(self) -> Console:
        """Return it as the table's log has it."""
        return Console(self.t, self.by, self.do, self.fields)


class SeatThere(NextSeat):
    """The same in an order: a name that can be one."""

    name: Name


class SeatingOrder(Order):
    """The entries that sit here by line, where each goes next, and the prepared deals that are played."""

    pairs: dict[Line, Name] | None = None
    next: dict[Line, tuple[SeatThere, ...]] | None = None
    boards: tuple[Annotated[int, Strict(), Field(ge=1, le=999)], ...] | None = None


class StartRound(SeatingOrder):
    """Start a round. ``warnings``: how many each line brings from earlier rounds.

    ``call_at``: the lead in match points at which the arbitro must be called; ``room``: in a match of teams.
    """

    do: Literal["start-round"] = "start-round"
    deals: Annotated[Whole, Field(ge=0)] | None = None
    minutes: Minutes | None = None
    warnings: dict[Line, Annotated[Whole, Field(ge=0)]] | None = None
    warning_count: Literal["every-second", "each-after-first"] | None = None
    call_at: Annotated[Whole, Field(ge=0)] | None = None
    room: Literal["open", "closed"] | None = None


class SetSeating(SeatingOrder):
    """Say who sits here, or where each goes next; what is left out stays as it was."""

    do: Literal["seating"] = "seating"


class StartDeal(Order):
    """Begin deal ``deal``, or the next one; without ``dealer`` whose turn it is deals."""

    do: Literal["deal"] = "deal"
    deal: Whole | None = None
    dealer: Seat | None = None


class StartPlay(Order):
    """Begin the play of the deal: its cards are dealt."""

    do: Literal["start-play"] = "start-play"


class EndTime(Order):
    """End the time of the round."""

    do: Literal["time-out"] = "time-out"


class EndRound(Order):
    """End the round."""

    do: Literal["end-round"] = "end-round"


class DecisionOrder(Order):
    """A decision about an irregularity: that under ``key``, else the newest open one of ``row`` and ``seat``."""

    key: Text | None = None
    row: Text | None = Field(None, description="a row of the code's catalogue")
    seat: Seat | None = None
    meld: Whole | None = Field(None, description="the number of a meld's row")
    cards: Cards | None = None
    note: Text | None = Field(None, description="the reason, where an earlier decision is changed")


class Rule(DecisionOrder):
    """Rule on an irregularity, or by a row that no sensor tells."""

    do: Literal["rule"] = "rule"
    line: Line | None = None
    remedy: Text | None = None
    option: Text | None = Field(None, description="one of the irregularity's options")
    freeze: Freeze | None = None
    added: Cards | None = None
    found: Text | None = None
    minutes: Minutes | None = None
    lines: dict[Line, Minutes] | None = Field(None, description="minutes of each line")
    points: Whole | None = None
    vp: dict[Line, Whole] | None = None
    mp: dict[Line, Whole] | None = None


class Dismiss(DecisionOrder):
    """Dismiss an irregularity, or reverse its ruling. ``score``: the sheet on which the reversal was worked out."""

    do: Literal["dismiss"] = "dismiss"
    score: Text | None = None


class Confirm(DecisionOrder):
    """Confirm that an irregularity is one."""

    do: Literal["confirm"] = "confirm"


class Foresee(Order):
    """Work out what reversing the ruling ``key`` of an earlier deal changes; nothing is changed."""

    do: Literal["foresee"] = "foresee"
    key: Text
    score: Text | None = None


class Warn(Order):
    """Give a line a warning."""

    do: Literal["warn"] = "warn"
    line: Line
    row: Text | None = None


class Correct(Order):
    """State what is in a zone: its cards, or how many. ``row``: the number of a meld's row, or of a trick."""

    do: Literal["correct"] = "correct"
    zone: Text
    row: Whole | None = None
    cards: Annotated[int, Strict(), Field(ge=0, le=200)] | Cards | None = None


class EnterSaid(Order):
    """Enter what a player has declared."""

    do: Literal["said"] = "said"
    seat: Seat
    what: Text = Field(description="what the player has declared")
    cards: Cards | None = None


class GiveBonus(Order):
    """Give a line points, or take them with a negative number."""

    do: Literal["bonus"] = "bonus"
    line: Line
    points: Whole


class SheetOrder(Order):
    """An order about the score sheet of ``deal``. ``score``: the event that told its count last, as it was shown."""

    deal: Whole
    score: Text | None = None
    lines: Figures


class WriteSheet(SheetOrder):
    """Enter the figures on the paper, and which lines have signed it."""

    do: Literal["sheet-written"] = "sheet-written"
    signed: tuple[Line, ...] | None = None


class CorrectSheet(SheetOrder):
    """Correct figures, with a reason; null takes a correction back. ``agreed``: the lines that agree."""

    do: Literal["sheet-correct"] = "sheet-correct"
    reason: Text
    agreed: tuple[Line, ...] | None = None
    countersigned: Flag = False


class SendEvidence(Order):
    """Send the picture ``ref``: changes nothing at the table."""

    do: Literal["evidence"] = "evidence"
    ref: Text


class LetTimePass(Order):
    """No order: what a table tells itself, so that time passes for an order that waits while nothing is sensed."""

    do: Literal["wait"] = "wait"


def by_name(*models: type[Order]) -> Mapping[str, type[Order]]:
    """Return ``models`` by the names of their orders.

    >>> sorted(by_name(StartPlay, EndTime))
    ['start-play', 'time-out']
    """
    return MappingProxyType({model.model_fields["do"].default: model for model in models})


Orders = Mapping[str, type[Order]]
ORDERS: Final[Orders] = by_name(
    StartRound, SetSeating, StartDeal, StartPlay, EndTime, Rule, Foresee, Dismiss, Confirm, Warn, Correct, EnterSaid,
    GiveBonus, EndRound, WriteSheet, CorrectSheet,
)  # fmt: skip
"""What an order may ask for at every table."""


@dataclass(frozen=True, slots=True)
class WrongOrder:
    """An order that cannot be read: ``field`` is missing or wrong; ``it`` and ``en`` say so in a sentence."""

    field: str
    it: str
    en: str


def read_order(given: Mapping[str, Any], known: Orders = ORDERS) -> Order | WrongOrder:
    """Return the order that ``given`` states, of those that are ``known``, or what is wrong with it.

    >>> read_order({"do": "warn", "line": "NS"}).line
    <Line.NS: 'NS'>
    >>> read_order({"do": "warn", "line": "XX"}).en
    "the field 'line' of the order 'warn' cannot be 'XX': it should be 'NS' or 'EW'"
    """
    do = given.get("do")
    model = known.get(do) if isinstance(do, str) else None
    if model is None:
        shown = str(do)[:_SHOWN]
        return WrongOrder("do", f"il comando «{shown}» non è noto al tavolo", f"the order '{shown}' is not known")
    try:
        return model.model_validate(given)
    except ValidationError as error:
        return _wrong(str(do), error.errors(include_url=False))


def order_of(console: Console, known: Orders = ORDERS) -> Order | WrongOrder:
    """Return the order that ``console`` is in a table's log, as ``read_order``."""
    return read_order({**console.fields, "do": console.do, "t": console.t, "by": console.by}, known)


def _wrong(do: str, errors: list[ErrorDetails]) -> WrongOrder:
    """Say what is wrong with the first field of ``errors``; a value that may be a hidden card is not repeated."""
    first = errors[0]
    field = str(first["loc"][0])
    if first["type"] == "missing":
        it, en = f"il comando «{do}» deve avere il campo «{field}»", f"the order '{do}' must name its '{field}'"
        return WrongOrder(field, it, en)
    is_shown = first["type"] in ("enum", "literal_error") and isinstance(first["input"], str)
    value = f"cannot be '{str(first['input'])[:_SHOWN]}'" if is_shown else "is wrong"
    needs = dict.fromkeys(one["msg"] for one in errors if str(one["loc"][0]) == field)
    should = " or ".join(needs).replace("tuple", "list").replace(" or Input should be", " or").replace("Input", "it")
    en = f"the field '{field}' of the order '{do}' {value}: {should}"
    return WrongOrder(field, f"nel comando «{do}» il campo «{field}» non va bene", en)
