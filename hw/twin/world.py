"""Where every physical card of the twin is. Pure: a gesture makes a new world of an old one and loses no card.

The world knows no rule. A gesture that nobody could make (a card that the seat does not hold) is a fault of the script
that asks for it and raises ImpossibleGesture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from hw.seats import SEATS, Line, Seat
from hw.twin.gestures import (
    ClearTable,
    Collect,
    Cross,
    Discard,
    Draw,
    Expose,
    Gather,
    Gesture,
    Lay,
    LayOut,
    Penalise,
    PullPile,
    PushPile,
    PushRow,
    PutBack,
    ReturnPot,
    ReturnToPile,
    SetTable,
    ShiftRow,
    SlideBack,
    SlideOff,
    SwapCard,
    TakeFromPile,
    TakeFromRow,
    TakePot,
    TakeUp,
    Tidy,
    TurnShield,
    TurnUp,
    Uncover,
)
from hw.zones import DISCARD, POTS, STOCK, hand, melds


class ImpossibleGesture(ValueError):  # noqa: N818 - it names what the script asked for
    """A gesture that the cards' places do not allow; the message says which card lies elsewhere."""


@dataclass(frozen=True, slots=True)
class LayPots:
    """The first half of SetTable: the pots lie on their place, the first to be played on top."""

    pots: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class LayStock:
    """The stock is put down out of the dealer's hand."""

    stock: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiftStock:
    """The dealer takes the stock up, to count it."""


Step = Gesture | LayPots | LayStock | LiftStock
"""What can change a world."""


@dataclass(frozen=True, slots=True)
class Row:
    """Face-up cards of one meld from the keeper's edge, in column ``slot`` of ``line``'s area.

    ``beside``: it lies in the column of that row, beyond its last card, with a gap between them.
    """

    line: Line
    slot: int
    cards: tuple[str, ...]
    beside: int | None = None
    crossed: frozenset[str] = frozenset()
    """Cards that lie crosswise."""


@dataclass(frozen=True, slots=True)
class LooseCard:
    """A card that lies by itself at (``x``, ``y``) mm; ``angle`` as in a scene; ``seat`` let it go."""

    card: str
    x: float
    y: float
    angle: float
    face_up: bool
    seat: Seat


@dataclass(frozen=True, slots=True)
class World:
    """Every card's place. Stock, pots and pile from below to above; ``pots[0]`` lies on top and is played first."""

    box: tuple[str, ...] = ()
    stock: tuple[str, ...] = ()
    pots: tuple[tuple[str, ...], ...] = ()
    pile: tuple[str, ...] = ()
    hands: dict[Seat, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(SEATS, ()))
    rows: dict[int, Row] = field(default_factory=dict)
    sides: dict[Seat, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(SEATS, ()))
    mouth: tuple[str, ...] = ()
    """Face down at the mouth of the stock, from below to above."""
    loose: tuple[LooseCard, ...] = ()
    stuck: frozenset[str] = frozenset()
    """Cards of rows and pile that lie exactly beneath their neighbour (the next above) and cannot be seen."""
    laid_out: tuple[Seat, ...] = ()
    """The seats whose hand lies face up before them."""
    shields: dict[Seat, Literal["up", "over"]] = field(default_factory=dict)
    tidied: dict[str, int] = field(default_factory=dict)
    """How often the cards of a zone were pushed straight: each time they lie a little otherwise."""

    def cards(self) -> tuple[str, ...]:
        """Every card, sorted: the same whatever was done."""
        found = [*self.box, *self.stock, *self.pile, *self.mouth]
        for group in (*self.pots, *self.hands.values(), *self.sides.values()):
            found.extend(group)
        for row in self.rows.values():
            found.extend(row.cards)
        found.extend(card.card for card in self.loose)
        return tuple(sorted(found))

    def weighed(self, zone: str) -> int:
        """How many cards lie on the scale of ``zone`` (stock, discard or pots; 0 elsewhere)."""
        if zone == "stock":
            return len(self.stock)
        if zone == "discard":
            return len(self.pile)
        return sum(map(len, self.pots)) if zone == "pots" else 0


def boxed(cards: Iterable[str]) -> World:
    """A bare table, the pack still in its box."""
    return World(box=tuple(cards))


def apply(world: World, step: Step) -> World:
    """The world after ``step``; what moves no card leaves it as it is. Raises ImpossibleGesture."""
    change = _CHANGES.get(type(step))
    return change(world, step) if change else world


def _lay_pots(world: World, step: LayPots) -> World:
    dealt = [card for pot in step.pots for card in pot]
    return replace(world, box=_without(world.box, dealt, "the box"), pots=step.pots)


def _lay_stock(world: World, step: LayStock) -> World:
    return replace(world, box=_without(world.box, step.stock, "the box"), stock=step.stock)


def _lift_stock(world: World, _: LiftStock) -> World:
    return replace(world, box=world.box + world.stock, stock=())


def _turn_up(world: World, step: TurnUp) -> World:
    drawn = _draw(world, Draw(step.seat))
    return _discard(drawn, Discard(step.seat, drawn.hands[step.seat][-1]))


def _draw(world: World, step: Draw) -> World:
    stock, cards = _off_the_top(world.stock, step.count)
    return _in_hand(replace(world, stock=stock), step.seat, cards)


def _slide_off(world: World, step: SlideOff) -> World:
    stock, cards = _off_the_top(world.stock, step.count)
    return replace(world, stock=stock, mouth=world.mouth + cards)


def _slide_back(world: World, step: SlideBack) -> World:
    left = _without(world.mouth, step.cards, "the mouth of the stock")
    return replace(world, mouth=left, stock=world.stock + step.cards)


def _put_back(world: World, step: PutBack) -> World:
    return replace(_from_hand(world, step.seat, (step.card,)), stock=(*world.stock, step.card))


def _return_to_pile(world: World, step: ReturnToPile) -> World:
    return replace(_from_hand(world, step.seat, step.cards), pile=world.pile + step.cards)


def _discard(world: World, step: Discard) -> World:
    cards = (step.card,) if step.under is None else (step.under, step.card)
    stuck = world.stuck if step.under is None else world.stuck | {step.under}
    return replace(_from_hand(world, step.seat, cards), pile=world.pile + cards, stuck=stuck)


def _take_from_pile(world: World, step: TakeFromPile) -> World:
    left = _without(world.pile, step.cards, "the pile")
    return _in_hand(replace(world, pile=left), step.seat, step.cards)


def _uncover(world: World, step: Uncover) -> World:
    if step.card not in world.stuck:
        raise ImpossibleGesture(f"{step.card} does not lie hidden")
    return replace(world, stuck=world.stuck - {step.card})


def _take_pot(world: World, step: TakePot) -> World:
    if not world.pots:
        raise ImpossibleGesture("no pot lies on the table")
    pot, *others = world.pots
    if step.count >= len(pot) or step.count <= 0:
        return _in_hand(replace(world, pots=tuple(others)), step.seat, pot)
    return _in_hand(replace(world, pots=(pot[: -step.count], *others)), step.seat, pot[-step.count :])


def _return_pot(world: World, step: ReturnPot) -> World:
    return replace(_from_hand(world, step.seat, step.cards), pots=(*world.pots, step.cards))


def _penalise(world: World, step: Penalise) -> World:
    sides = {**world.sides, step.seat: world.sides[step.seat] + step.cards}
    return replace(_from_hand(world, step.seat, step.cards), sides=sides)


def _lay_out(world: World, step: LayOut) -> World:
    return world if step.seat in world.laid_out else replace(world, laid_out=(*world.laid_out, step.seat))


def _turn_shield(world: World, step: TurnShield) -> World:
    return replace(world, shields={**world.shields, step.seat: step.pose})


def _swap_card(world: World, step: SwapCard) -> World:
    return replace(world, box=(*_without(world.box, (step.gone,), "the box"), step.came))


def _clear(world: World, _: ClearTable) -> World:
    return replace(boxed(world.cards()), shields=world.shields)


def _off_the_top(stock: tuple[str, ...], count: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stock without its top ``count`` cards, and these in the order in which they lay."""
    if not 1 <= count <= len(stock):
        raise ImpossibleGesture(f"cannot lift {count} cards off a stock of {len(stock)}")
    return stock[:-count], stock[-count:]


def _without(cards: tuple[str, ...], gone: Sequence[str], where: str) -> tuple[str, ...]:
    left = list(cards)
    for card in gone:
        if card not in left:
            raise ImpossibleGesture(f"{card} does not lie in {where}")
        left.remove(card)
    return tuple(left)


def _from_hand(world: World, seat: Seat, cards: Sequence[str]) -> World:
    left = _without(world.hands[seat], cards, f"the hand of {seat}")
    return replace(world, hands={**world.hands, seat: left})


def _in_hand(world: World, seat: Seat, cards: Sequence[str]) -> World:
    hands = {**world.hands, seat: (*world.hands[seat], *cards)}
    return replace(world, hands=hands, stuck=world.stuck - set(cards))


def _set_table(world: World, step: SetTable) -> World:
    here = world if world.pots == step.pots else _lay_pots(world, LayPots(step.pots))
    if here.stock == step.stock:
        here = replace(here, box=here.box + here.stock, stock=())
    if here.stock or here.pile or here.rows or any(here.hands.values()):
        raise ImpossibleGesture("the table must be cleared before it is set")
    hands = {seat: tuple(step.hands.get(seat, ())) for seat in SEATS}
    dealt = [card for seat in SEATS for card in hands[seat]]
    return replace(here, box=_without(here.box, [*dealt, *step.stock], "the box"), hands=hands, stock=step.stock)


def _collect(world: World, step: Collect) -> World:
    leave = step.leave
    if not 0 <= leave < len(world.pile):
        raise ImpossibleGesture(f"cannot leave {leave} of a pile of {len(world.pile)} cards")
    return _in_hand(replace(world, pile=world.pile[:leave]), step.seat, world.pile[leave:])


def added(world: World, step: Lay) -> tuple[str, ...]:
    """The cards of ``step`` that do not lie in its row yet, in the order of the row."""
    row = world.rows.get(step.row)
    lying = set(row.cards) if row else set()
    return tuple(card for card in step.result if card not in lying)


def _lay(world: World, step: Lay) -> World:
    row = world.rows.get(step.row)
    if len(set(step.result)) != len(step.result):
        raise ImpossibleGesture(f"row {step.row} cannot hold a card twice: {' '.join(step.result)}")
    missing = set(row.cards if row else ()) - set(step.result)
    if missing:
        raise ImpossibleGesture(f"row {step.row} would lose {' '.join(sorted(missing))}: use TakeFromRow")
    if not step.result:
        raise ImpossibleGesture("a row needs cards")
    new = added(world, step)
    after = _from_hand(world, step.seat, (*new, *([step.under] if step.under else [])))
    beside = world.rows.get(step.beside) if step.beside is not None else None
    if row is not None:
        laid = replace(row, cards=step.result)
    elif beside is not None:
        laid = Row(beside.line, beside.slot, step.result, step.beside)
    else:
        laid = Row(step.seat.line, free_slot(world, step.seat.line), step.result)
    if step.under is not None:
        if not new:
            raise ImpossibleGesture(f"{step.under} must slip under a card that is laid")
        at = laid.cards.index(new[0])
        # Cards nearer the keeper lie on top, so that what is hidden beneath a card comes right after it.
        laid = replace(laid, cards=(*laid.cards[: at + 1], step.under, *laid.cards[at + 1 :]))
        after = replace(after, stuck=after.stuck | {step.under})
    return replace(after, rows={**after.rows, step.row: laid})


def _push(world: World, step: PushRow) -> World:
    row, onto = world.rows.get(step.row), world.rows.get(step.onto)
    if row is None or onto is None:
        raise ImpossibleGesture(f"there is no row {step.row if row is None else step.onto}")
    if sorted(step.result) != sorted((*row.cards, *onto.cards)):
        raise ImpossibleGesture(f"rows {step.row} and {step.onto} together do not read {' '.join(step.result)}")
    rows = {number: other for number, other in world.rows.items() if number != step.row}
    return replace(world, rows={**rows, step.onto: replace(onto, cards=step.result)})


def free_slot(world: World, line: Line) -> int:
    """The first column of ``line``'s area where no row lies."""
    used = {row.slot for row in world.rows.values() if row.line is line and row.beside is None}
    return next(slot for slot in range(len(used) + 1) if slot not in used)


def _take_from_row(world: World, step: TakeFromRow) -> World:
    row = world.rows.get(step.row)
    if row is None:
        raise ImpossibleGesture(f"there is no row {step.row}")
    left = _without(row.cards, step.cards, f"row {step.row}")
    rows = {number: other for number, other in world.rows.items() if number != step.row}
    if left:
        rows[step.row] = replace(row, cards=left)
    return _in_hand(replace(world, rows=rows), step.seat, step.cards)


LOOSE_PITCH_MM = 68.0
"""From one exposed card to the next."""
_ANGLE = {Seat.SOUTH: 0.0, Seat.EAST: 90.0, Seat.NORTH: 180.0, Seat.WEST: 270.0}


def seat_angle(seat: Seat) -> float:
    """How a card that stands upright for ``seat`` is turned, seen from South: degrees anticlockwise."""
    return _ANGLE[seat]


def _expose(world: World, step: Expose) -> World:
    after = _from_hand(world, step.seat, step.cards)
    first = -LOOSE_PITCH_MM * (len(step.cards) - 1) / 2
    upright = step.seat in (Seat.NORTH, Seat.SOUTH)
    fallen = tuple(
        LooseCard(
            card,
            step.x + (first + n * LOOSE_PITCH_MM if upright else 0.0),
            step.y + (0.0 if upright else first + n * LOOSE_PITCH_MM),
            seat_angle(step.seat),
            face_up=step.face_up,
            seat=step.seat,
        )
        for n, card in enumerate(step.cards)
    )
    return replace(after, loose=world.loose + fallen)


def _take_up(world: World, step: TakeUp) -> World:
    cards = step.cards
    if len(set(cards)) != len(cards):
        raise ImpossibleGesture(f"a card is taken up once: {' '.join(cards)}")
    loose = tuple(card for card in world.loose if card.card not in cards)
    lying = {card.card for card in world.loose}
    sides = dict(world.sides)
    mouth = world.mouth
    for card in cards:
        if card in lying:
            continue
        owner = next((s for s in SEATS if card in sides[s]), None)
        if owner is not None:
            sides[owner] = _without(sides[owner], (card,), f"the side of {owner}")
        else:
            mouth = _without(mouth, (card,), "the open table")
    return _in_hand(replace(world, loose=loose, sides=sides, mouth=mouth), step.seat, cards)


def _tidy(world: World, step: Tidy) -> World:
    return replace(world, tidied={**world.tidied, step.zone: world.tidied.get(step.zone, 0) + 1})


def _shift_row(world: World, step: ShiftRow) -> World:
    row = world.rows.get(step.row)
    if row is None:
        raise ImpossibleGesture(f"there is no row {step.row}")
    return replace(world, rows={**world.rows, step.row: replace(row, slot=free_slot(world, row.line))})


_PULLED_AT = (-325.0, -185.0, 18.0)
"""Where the first card of a pile that was pulled aside comes to lie, and from card to card, in mm."""
_PULLED_ROOM = 380.0


def _pull_pile(world: World, step: PullPile) -> World:
    x, y, pitch = _PULLED_AT
    pitch = min(pitch, _PULLED_ROOM / max(1, len(world.pile) - 1))
    aside = tuple(LooseCard(card, x + n * pitch, y, 0.0, True, step.seat) for n, card in enumerate(world.pile))
    return replace(world, pile=(), loose=world.loose + aside)


def _push_pile(world: World, step: PushPile) -> World:
    aside = tuple(loose.card for loose in world.loose if loose.y == _PULLED_AT[1] and loose.seat is step.seat)
    loose = tuple(loose for loose in world.loose if loose.card not in aside)
    return replace(world, pile=aside + world.pile, loose=loose)


def _cross(world: World, step: Cross) -> World:
    row = world.rows.get(step.row)
    if row is None or not set(step.cards) <= set(row.cards):
        raise ImpossibleGesture(f"row {step.row} does not hold {' '.join(step.cards)}")
    return replace(world, rows={**world.rows, step.row: replace(row, crossed=frozenset(step.cards))})


def _gather(world: World, step: Gather) -> World:
    gone: list[str] = []
    zone = step.zone
    hands, rows = dict(world.hands), dict(world.rows)
    for seat in SEATS:
        if zone == hand(seat):
            gone.extend(hands[seat])
            hands[seat] = ()
    for number, row in world.rows.items():
        if zone == melds(row.line):
            gone.extend(row.cards)
            del rows[number]
    left = {STOCK: world.stock, DISCARD: world.pile, POTS: tuple(card for pot in world.pots for card in pot)}
    gone.extend(left.get(zone, ()))
    return replace(
        world,
        box=(*world.box, *gone),
        hands=hands,
        rows=rows,
        stock=() if zone == STOCK else world.stock,
        pile=() if zone == DISCARD else world.pile,
        pots=() if zone == POTS else world.pots,
        laid_out=tuple(seat for seat in world.laid_out if hands[seat]),
        stuck=world.stuck - set(gone),
    )


_CHANGES: Final[dict[type[Step], Callable[[World, Any], World]]] = {
    LayPots: _lay_pots,
    LayStock: _lay_stock,
    LiftStock: _lift_stock,
    Tidy: _tidy,
    ShiftRow: _shift_row,
    Cross: _cross,
    Gather: _gather,
    PullPile: _pull_pile,
    PushPile: _push_pile,
    SetTable: _set_table,
    TurnUp: _turn_up,
    Draw: _draw,
    SlideOff: _slide_off,
    SlideBack: _slide_back,
    PutBack: _put_back,
    Collect: _collect,
    TakeFromPile: _take_from_pile,
    ReturnToPile: _return_to_pile,
    Lay: _lay,
    PushRow: _push,
    Uncover: _uncover,
    TakeFromRow: _take_from_row,
    Discard: _discard,
    TakePot: _take_pot,
    ReturnPot: _return_pot,
    Expose: _expose,
    TakeUp: _take_up,
    Penalise: _penalise,
    LayOut: _lay_out,
    TurnShield: _turn_shield,
    SwapCard: _swap_card,
    ClearTable: _clear,
}
