"""What people do at a table, as data. The twin turns a gesture into a time course of sensor values and scenes.

Gestures know no rule: any seat may do anything at any time. Cards are physical (``7H#2``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from hw.seats import Seat


@dataclass(frozen=True, slots=True)
class SetTable:
    """Cards dealt out of the camera's and the gates' notice: hands, the pots (first to be played first), stock.

    ``stock`` and ``pots`` are listed from the bottom to the top: the last card is drawn first. ``manner``: the stock
    is put down before the pots (``stock-first``), is taken up once more to be counted (``counted``), or all is gathered
    half-way, shuffled and dealt anew (``again``).
    """

    hands: dict[Seat, tuple[str, ...]]
    pots: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    manner: Literal["plain", "stock-first", "counted", "again"] = "plain"


@dataclass(frozen=True, slots=True)
class TurnUp:
    """``seat`` turns the top card of the stock over onto the discard spot."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """``seat`` lifts the top ``count`` cards of the stock, slides them over its own gate and takes them in hand.

    With ``count`` above 1 they move as one stacked bundle, which no coil can read.
    """

    seat: Seat
    count: int = 1


@dataclass(frozen=True, slots=True)
class SlideOff:
    """``seat`` slides the top ``count`` cards off the stock together; they stay face down beside it, at its mouth."""

    seat: Seat
    count: int = 2


@dataclass(frozen=True, slots=True)
class SlideBack:
    """``seat`` pushes ``cards`` that lie at the mouth of the stock back onto it, in this order from below."""

    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PutBack:
    """``seat`` lays ``card`` from its hand face down onto the stock."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Collect:
    """``seat`` takes the discard pile but for its ``leave`` lowest cards into its hand."""

    seat: Seat
    leave: int = 0


@dataclass(frozen=True, slots=True)
class TakeFromPile:
    """``seat`` takes ``cards``, wherever in the discard pile they lie, into its hand."""

    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PullPile:
    """``seat`` pushes the whole pile aside on the table, fanned as it is and without lifting a card, to look at it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PushPile:
    """``seat`` pushes the pile that was pulled aside back to its place."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ReturnToPile:
    """``seat`` lays ``cards`` from its hand back onto the discard pile, in this order from below."""

    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """``seat`` lays cards from its hand into row ``row`` of its line, so that the row reads ``result``.

    A new ``row`` number starts a row; ``result`` is listed from the keeper's edge and holds what lay there before,
    in whatever new order. The same cards in another order: the row is only put in order.
    ``under`` slips along unnoticed: it comes to lie exactly beneath the first new card and cannot be seen.
    ``beside``: the new row lies in the column of row ``beside``, in line with it, but does not touch it.
    ``bunches``: in how many the hand puts the new cards down, without going home in between. ``through``: whose hand
    lays them, to whom ``seat`` has passed them over the table. ``at_once``: the hand has gone home and comes again
    without a pause.
    """

    seat: Seat
    row: int
    result: tuple[str, ...]
    under: str | None = None
    beside: int | None = None
    bunches: int = 1
    through: Seat | None = None
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class PushRow:
    """``seat`` pushes the cards of row ``row`` up to row ``onto``, which then reads ``result``; no card is lifted."""

    seat: Seat
    row: int
    onto: int
    result: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Uncover:
    """``seat`` pushes cards aside, so that ``card``, which lay hidden beneath another one, shows where it lies."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class TakeFromRow:
    """``seat`` takes ``cards`` out of row ``row`` back into its hand."""

    seat: Seat
    row: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Discard:
    """``seat`` lays ``card`` face up on the pile; ``under``, stuck to it from below, comes along unseen.

    A card that lies in the seat's ``side-`` zone goes to the pile from there, over no gate.
    """

    seat: Seat
    card: str
    under: str | None = None


@dataclass(frozen=True, slots=True)
class TakePot:
    """``giver`` hands the upper pot over to ``seat`` (art. 23); ``giver`` None: ``seat`` takes it alone.

    ``count``: only so many cards off its top, the rest stays where it is; 0: all of it.
    """

    seat: Seat
    giver: Seat | None
    count: int = 0


@dataclass(frozen=True, slots=True)
class ReturnPot:
    """``seat`` lays ``cards`` from its hand back as the lowest pot, in this order from below."""

    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expose:
    """``cards`` of ``seat``'s hand fall at (``x``, ``y``) mm, side by side, face up unless ``face_up`` is False."""

    seat: Seat
    cards: tuple[str, ...]
    x: float
    y: float
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class TakeUp:
    """``seat`` takes ``cards`` that lie outside melds and pile back into its hand."""

    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Penalise:
    """``cards`` of ``seat``'s hand are laid face up in its ``side-`` zone; with ``row``, straight out of that row."""

    seat: Seat
    cards: tuple[str, ...]
    row: int | None = None


@dataclass(frozen=True, slots=True)
class LayOut:
    """``seat`` lays its whole hand face up before it, for the count."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Reach:
    """``seat`` (None: somebody who does not sit at the table) holds a hand over ``zone``, and moves no card."""

    seat: Seat | None
    zone: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Rest:
    """``seat`` puts an arm down over ``zone`` and leaves it there until it lifts it; the other hand goes on."""

    seat: Seat
    zone: str


@dataclass(frozen=True, slots=True)
class Lift:
    """``seat`` takes the arm away that rests over ``zone``."""

    seat: Seat
    zone: str


@dataclass(frozen=True, slots=True)
class Lean:
    """``seat`` touches what lies on the scale of ``zone``: it weighs ``grams`` more (less: something is lifted off)."""

    seat: Seat
    zone: str
    grams: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Tidy:
    """``seat`` pushes the cards that lie in ``zone`` straight: each lies a little otherwise, in the same order."""

    seat: Seat
    zone: str


@dataclass(frozen=True, slots=True)
class ShiftRow:
    """``seat`` pushes row ``row`` to the first free column of its line's area."""

    seat: Seat
    row: int


@dataclass(frozen=True, slots=True)
class Cross:
    """``seat`` turns ``cards`` of row ``row`` crosswise, all others upright: so a burraco is marked (art. 13)."""

    seat: Seat
    row: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gather:
    """``seat`` gathers up all the cards of ``zone``; they are out of the game."""

    seat: Seat
    zone: str


@dataclass(frozen=True, slots=True)
class TurnShield:
    """``seat`` turns its hand-shield over or sets it upright."""

    seat: Seat
    pose: Literal["up", "over"]


@dataclass(frozen=True, slots=True)
class Tap:
    """``seat`` knocks on the table."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Press:
    """``seat`` presses a button."""

    seat: Seat
    button: str


@dataclass(frozen=True, slots=True)
class Say:
    """Somebody enters what ``seat`` declared."""

    seat: Seat
    what: str


@dataclass(frozen=True, slots=True)
class Command:
    """The arbitro acts at the console: ``do`` and its fields as in the observation ``console``."""

    do: str
    by: str = "arbitro-1"
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SwapCard:
    """In the box, unseen: ``came``, a card of another pack with the tag ``uid``, has taken the place of ``gone``."""

    gone: str
    came: str
    uid: str


@dataclass(frozen=True, slots=True)
class ClearTable:
    """All cards are gathered up: between two deals."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing happens for ``seconds``."""

    seconds: float


Gesture = (
    SetTable
    | TurnUp
    | Draw
    | SlideOff
    | SlideBack
    | PutBack
    | Collect
    | TakeFromPile
    | PullPile
    | PushPile
    | ReturnToPile
    | Lay
    | PushRow
    | Uncover
    | TakeFromRow
    | Discard
    | TakePot
    | ReturnPot
    | Expose
    | TakeUp
    | Penalise
    | LayOut
    | Reach
    | Rest
    | Lift
    | Lean
    | Tidy
    | ShiftRow
    | Cross
    | Gather
    | TurnShield
    | Tap
    | Press
    | Say
    | Command
    | SwapCard
    | ClearTable
    | Wait
)
