"""Gestures of people at a table, as data. The twin turns one into a time course of sensor values and scenes.

Gestures know no rule and no game: any seat may do anything at any time. Cards are physical (``7H#2``). A ``zone`` that
is left empty is the table's only one of that kind (``hw.twin.twin_table``): the stack that is drawn from, the pile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hw.seats import Seat
from hw.twin.screen_gestures import ScreenGesture


@dataclass(frozen=True, slots=True)
class SetTable:
    """Cards dealt out of the camera's and the gates' notice: hands, and heaps by zone in the order they are put down.

    A heap is listed from below to above: its last card is drawn first. Of several in one zone the first is taken first.
    ``manner``: the last zone is laid before the others (``last-first``), is taken up once more to be counted
    (``counted``), or all is gathered half-way, shuffled and dealt anew (``again``).
    """

    hands: Mapping[Seat, tuple[str, ...]]
    heaps: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    manner: Literal["plain", "last-first", "counted", "again"] = "plain"


@dataclass(frozen=True, slots=True)
class TurnUpGesture:
    """``seat`` turns the top card of the stack over onto the pile."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DrawGesture:
    """``seat`` lifts the top ``count`` cards of a stack, slides them over its own gate and takes them in hand.

    With ``count`` above 1 they move as one stacked bundle, which no coil can read.
    """

    seat: Seat
    count: int = 1
    zone: str = ""


@dataclass(frozen=True, slots=True)
class SlideOff:
    """``seat`` slides the top ``count`` cards off a stack together; they stay face down beside it, at its mouth."""

    seat: Seat
    count: int = 2
    zone: str = ""


@dataclass(frozen=True, slots=True)
class SlideBack:
    """``seat`` pushes ``cards`` that lie at the mouth of a stack back onto it, in this order from below."""

    seat: Seat
    cards: tuple[str, ...]
    zone: str = ""


@dataclass(frozen=True, slots=True)
class PutBack:
    """``seat`` lays ``card`` from its hand face down onto a stack that is drawn from, over its mouth."""

    seat: Seat
    card: str
    zone: str = ""


@dataclass(frozen=True, slots=True)
class PutDown:
    """``seat`` lays ``cards`` from its hand as one bundle face down onto what lies at ``zone``, in this order."""

    seat: Seat
    cards: tuple[str, ...]
    zone: str


@dataclass(frozen=True, slots=True)
class CollectGesture:
    """``seat`` takes a pile but for its ``leave`` lowest cards into its hand."""

    seat: Seat
    leave: int = 0
    zone: str = ""


@dataclass(frozen=True, slots=True)
class TakeFromPile:
    """``seat`` takes ``cards``, wherever in a pile they lie, into its hand."""

    seat: Seat
    cards: tuple[str, ...]
    zone: str = ""


@dataclass(frozen=True, slots=True)
class PullPile:
    """``seat`` pushes the whole pile aside on the table, fanned as it is and without lifting a card, to look at it."""

    seat: Seat
    zone: str = ""


@dataclass(frozen=True, slots=True)
class PushPile:
    """``seat`` pushes the pile that was pulled aside back to its place."""

    seat: Seat
    zone: str = ""


@dataclass(frozen=True, slots=True)
class ReturnGesture:
    """``seat`` lays ``cards`` from its hand back onto a pile, in this order from below."""

    seat: Seat
    cards: tuple[str, ...]
    zone: str = ""


@dataclass(frozen=True, slots=True)
class LayGesture:
    """``seat`` lays cards from its hand into row ``row``, so that the row reads ``result``.

    A new ``row`` number starts a row; ``result`` is listed from the keeper's edge and holds what was there before,
    in whatever new order. The same cards in another order: the row is only put in order.
    ``under`` slips along unnoticed: it comes to lie exactly beneath the first new card and cannot be seen.
    ``beside``: the new row is in the column of row ``beside``, in line with it, but does not touch it.
    ``bunches``: in how many the hand puts the new cards down, without going home in between. ``through``: whose hand
    lays them, to whom ``seat`` has passed them over the table. ``at_once``: the hand has gone home and comes again
    without a pause. ``zone``: where a new row is, the place for rows of the seat or its line if none is named;
    ``along``: it runs towards the middle of the table (``column``) or along its edge (``row``).
    """

    seat: Seat
    row: int
    result: tuple[str, ...]
    under: str | None = None
    beside: int | None = None
    bunches: int = 1
    through: Seat | None = None
    at_once: bool = False
    zone: str = ""
    along: Literal["column", "row"] = "column"


@dataclass(frozen=True, slots=True)
class PushRow:
    """``seat`` pushes the cards of row ``row`` up to row ``onto``, which then reads ``result``; no card is lifted."""

    seat: Seat
    row: int
    onto: int
    result: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UncoverGesture:
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
class DiscardGesture:
    """``seat`` lays ``card`` face up on a pile; ``under``, stuck to it from below, comes along unseen.

    A card that lies in the seat's ``side-`` zone goes to the pile from there, over no gate.
    """

    seat: Seat
    card: str
    under: str | None = None
    zone: str = ""


@dataclass(frozen=True, slots=True)
class TakeHeap:
    """``giver`` hands the upper heap of ``zone`` over to ``seat``; ``giver`` None: ``seat`` takes it alone.

    ``count``: number of cards off its top, the rest stays where it is; 0: all of it.
    """

    seat: Seat
    zone: str
    giver: Seat | None = None
    count: int = 0


@dataclass(frozen=True, slots=True)
class ReturnHeap:
    """``seat`` lays ``cards`` from its hand back to ``zone`` as the lowest heap, in this order from below."""

    seat: Seat
    zone: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayGesture:
    """``seat`` plays ``card`` of its hand face up to the trick; without a place for it, to the row before itself."""

    seat: Seat
    card: str
    zone: str = ""


@dataclass(frozen=True, slots=True)
class TakeTrick:
    """``seat`` gathers the trick up and puts it face down onto ``onto``, else onto the tricks of its own or its line.

    The cards lie there in the order in which they were played, the first lowest.
    """

    seat: Seat
    zone: str = ""
    onto: str = ""


@dataclass(frozen=True, slots=True)
class ExposeGesture:
    """``cards`` of ``seat``'s hand fall at (``x``, ``y``) mm, side by side, face up unless ``face_up`` is False."""

    seat: Seat
    cards: tuple[str, ...]
    x: float
    y: float
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class TakeUp:
    """``seat`` takes ``cards`` that lie outside rows and pile back into its hand."""

    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PutAside:
    """``cards`` of ``seat``'s hand are laid face up in its ``side-`` zone; with ``row``, straight out of that row."""

    seat: Seat
    cards: tuple[str, ...]
    row: int | None = None


@dataclass(frozen=True, slots=True)
class LayOut:
    """``seat`` lays its whole hand face up before it, for the count."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ReachGesture:
    """``seat`` (None: a person not sitting at the table) holds a hand over ``zone``, and moves no card."""

    seat: Seat | None
    zone: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Rest:
    """``seat`` puts an arm down over ``zone`` and leaves it there until it lifts it; the other hand continues."""

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
    """``seat`` pushes row ``row`` to the first free column of its zone."""

    seat: Seat
    row: int


@dataclass(frozen=True, slots=True)
class Cross:
    """``seat`` turns ``cards`` of row ``row`` crosswise, all others upright: so a row is marked."""

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
    """``seat`` knocks on the table, or with the hand over ``zone`` on the cards there."""

    seat: Seat
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Press:
    """``seat`` presses a button."""

    seat: Seat
    button: str


@dataclass(frozen=True, slots=True)
class Say:
    """A person enters what ``seat`` declared."""

    seat: Seat
    what: str


@dataclass(frozen=True, slots=True)
class ConsoleGesture:
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
    """A pause of ``seconds``."""

    seconds: float


Gesture = (
    SetTable
    | TurnUpGesture
    | DrawGesture
    | SlideOff
    | SlideBack
    | PutBack
    | PutDown
    | CollectGesture
    | TakeFromPile
    | PullPile
    | PushPile
    | ReturnGesture
    | LayGesture
    | PushRow
    | UncoverGesture
    | TakeFromRow
    | DiscardGesture
    | TakeHeap
    | ReturnHeap
    | PlayGesture
    | TakeTrick
    | ExposeGesture
    | TakeUp
    | PutAside
    | LayOut
    | ReachGesture
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
    | ConsoleGesture
    | SwapCard
    | ClearTable
    | Wait
    | ScreenGesture
)
