"""Gesture → beats: what a person's arm and the cards do, moment by moment, at human speed.

Times are drawn from the caller's ``random.Random``; nothing else is random, and the world is only read. The spans are
those of the example log (a reach of about a second, a third of a second from beam to card); people's own are unknown.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hw.layout import DEFAULT_LAYOUT, Layout
from hw.seats import SEATS, Line, Seat
from hw.twin.beats import (
    Act,
    ArmIn,
    ArmOut,
    Beat,
    Blow,
    Change,
    Entry,
    OffGate,
    OverGate,
    Performance,
    Performed,
    Pose,
    Pressure,
    Push,
)
from hw.twin.gestures import (
    ClearTable,
    Collect,
    Command,
    Cross,
    Discard,
    Draw,
    Expose,
    Gather,
    Gesture,
    Lay,
    LayOut,
    Lean,
    Lift,
    Penalise,
    Press,
    PullPile,
    PushPile,
    PushRow,
    PutBack,
    Reach,
    Rest,
    ReturnPot,
    ReturnToPile,
    Say,
    SetTable,
    ShiftRow,
    SlideBack,
    SlideOff,
    SwapCard,
    TakeFromPile,
    TakeFromRow,
    TakePot,
    TakeUp,
    Tap,
    Tidy,
    TurnShield,
    TurnUp,
    Uncover,
    Wait,
)
from hw.twin.places import column_centre
from hw.twin.world import LayPots, LayStock, LiftStock, Step, World, added, apply, free_slot
from hw.zones import DISCARD, GATE_STOCK, POTS, STOCK, TABLE, gate, hand, melds, side

Span = tuple[float, float]
# Before a gesture begins: a player thinks. Wait adds to it.
_THINK: Final[dict[type[Gesture], Span]] = {
    TurnUp: (1.2, 2.0),
    Draw: (1.6, 5.0),
    SlideOff: (1.6, 4.0),
    Collect: (2.0, 5.5),
    Lay: (0.5, 2.8),
    Discard: (1.0, 3.6),
    Command: (0.4, 1.0),
    Wait: (0.0, 0.0),
}
_THINK_ELSE: Final[Span] = (0.6, 2.4)
_CROSSING: Final[Span] = (0.18, 0.27)
"""How long a card lies over a gate's coil."""
_STRAY: Final = 0.03
"""A card crosses the gate at the table's edge this much before or after the arm does."""


class _Score:
    """The beats of one gesture as they are written down, and the clock they run on."""

    def __init__(
        self, gesture: Gesture, world: World, t: float, rng: random.Random, layout: Layout, pace: float
    ) -> None:
        self.pace = pace
        self.gesture = gesture
        self.world = world
        self.rng = rng
        self.layout = layout
        self.beats: list[Beat] = []
        self.t = t
        self.start = t
        self.committed: float | None = None
        self.cards: tuple[str, ...] = ()

    def wait(self, low: float, high: float) -> None:
        self.t += self.rng.uniform(low, high) * self.pace

    def add(self, act: Act, t: float | None = None) -> None:
        self.beats.append(Beat(self.t if t is None else t, act))

    def change(self, step: Step) -> None:
        self.world = apply(self.world, step)
        self.add(Change(step))
        if self.committed is None:
            self.committed = self.t

    def arm_in(self, seat: Seat | None, zone: str, at: tuple[float, float] | None = None, *, beam: bool = True) -> None:
        x, y = at or (self.layout.zones[zone].centre if zone in self.layout.zones else (0.0, 0.0))
        self.add(ArmIn(seat, zone, x, y, beam))

    def arm_out(self, seat: Seat | None, zone: str, *, beam: bool = True) -> None:
        self.add(ArmOut(seat, zone, beam))

    def crossing(self, zone: str, cards: tuple[str, ...], at: float | None = None) -> None:
        """``cards`` cross the coil of ``zone``, from now on for a crossing's time."""
        begin = self.t if at is None else at
        self.add(OverGate(zone, cards), begin)
        self.add(OffGate(zone), begin + self.rng.uniform(*_CROSSING) * self.pace)

    def edge(self, seat: Seat, cards: tuple[str, ...]) -> None:
        """``cards`` cross the gate of ``seat`` while its arm goes in or out."""
        if cards:
            self.crossing(gate(seat), cards, max(self.start, self.t + self.rng.uniform(-_STRAY, _STRAY)))

    def done(self) -> Performance:
        end = max([self.t, *(beat.t for beat in self.beats)])
        beats = tuple(sorted(self.beats, key=lambda beat: beat.t))
        committed = self.t if self.committed is None else self.committed
        return Performance(Performed(self.gesture, self.start, committed, end, self.cards), beats)


def perform(
    gesture: Gesture,
    world: World,
    t: float,
    rng: random.Random,
    layout: Layout = DEFAULT_LAYOUT,
    pace: float = 1.0,
) -> Performance:
    """The beats of ``gesture`` in ``world`` from ``t`` on; the first comes after a moment's thought.

    ``pace``: how long it all takes, 1 at the usual speed. Raises ImpossibleGesture where the cards do not lie as the
    gesture needs.
    """
    score = _Score(gesture, world, t, rng, layout, pace)
    score.wait(*_THINK.get(type(gesture), _THINK_ELSE))
    score.start = score.t
    _WRITERS[type(gesture)](score, gesture)
    return score.done()


def _set_table(score: _Score, gesture: SetTable) -> None:
    score.wait(28.0, 34.0)
    if gesture.manner == "stock-first":
        score.change(LayStock(gesture.stock))
        score.wait(1.6, 6.0)
    score.change(LayPots(gesture.pots))
    if gesture.manner == "again":
        score.wait(2.0, 9.0)
        score.change(ClearTable())
        score.wait(28.0, 34.0)
        score.change(LayPots(gesture.pots))
    score.wait(1.6, 2.4)
    score.change(gesture)
    if gesture.manner == "counted":
        score.wait(2.0, 6.0)
        score.change(LiftStock())
        score.wait(4.0, 12.0)
        score.change(LayStock(gesture.stock))
    score.wait(5.0, 8.0)


def _turn_up(score: _Score, gesture: TurnUp) -> None:
    seat = gesture.seat
    score.arm_in(seat, STOCK)
    score.wait(0.35, 0.6)
    score.change(Draw(seat))
    score.cards = score.world.hands[seat][-1:]
    score.crossing(GATE_STOCK, score.cards)
    score.wait(0.05, 0.1)
    score.arm_in(seat, DISCARD, beam=False)
    score.wait(0.1, 0.2)
    score.change(Discard(seat, score.cards[0]))
    score.wait(0.5, 0.8)
    score.arm_out(seat, DISCARD, beam=False)
    score.arm_out(seat, STOCK)


def _draw(score: _Score, gesture: Draw) -> None:
    seat = gesture.seat
    score.arm_in(seat, STOCK)
    score.wait(0.3, 0.6)
    score.change(gesture)
    score.cards = score.world.hands[seat][-gesture.count :]
    score.crossing(GATE_STOCK, score.cards)
    score.wait(0.72, 0.9)
    score.edge(seat, score.cards)
    score.arm_out(seat, STOCK)


def _slide_off(score: _Score, gesture: SlideOff) -> None:
    score.arm_in(gesture.seat, STOCK)
    score.wait(0.3, 0.6)
    score.change(gesture)
    score.cards = score.world.mouth[-gesture.count :]
    score.wait(0.4, 0.8)
    score.arm_out(gesture.seat, STOCK)


def _slide_back(score: _Score, gesture: SlideBack) -> None:
    score.arm_in(gesture.seat, STOCK)
    score.wait(0.4, 0.7)
    score.change(gesture)
    score.cards = gesture.cards
    score.wait(0.4, 0.8)
    score.arm_out(gesture.seat, STOCK)


def _put_back(score: _Score, gesture: PutBack) -> None:
    score.cards = (gesture.card,)
    score.arm_in(gesture.seat, STOCK)
    score.edge(gesture.seat, score.cards)
    score.wait(0.3, 0.45)
    score.crossing(GATE_STOCK, score.cards)
    score.change(gesture)
    score.wait(0.6, 0.9)
    score.arm_out(gesture.seat, STOCK)


def _collect(score: _Score, gesture: Collect) -> None:
    score.arm_in(gesture.seat, DISCARD)
    score.wait(0.6, 0.9)
    taken = score.world.pile[gesture.leave :]
    score.change(gesture)
    score.cards = taken
    score.wait(0.6, 0.8)
    score.edge(gesture.seat, taken)
    score.arm_out(gesture.seat, DISCARD)


def _lay_on(
    score: _Score,
    seat: Seat,
    zone: str,
    cards: tuple[str, ...],
    step: Step,
    reach: Span,
    at: tuple[float, float] | None = None,
) -> None:
    """A hand brings ``cards`` out over its gate, lays them at ``zone`` and goes back."""
    score.cards = cards
    score.arm_in(seat, zone, at)
    score.edge(seat, cards)
    score.wait(*reach)
    score.change(step)
    score.wait(0.4, 0.75)
    score.arm_out(seat, zone)


def _return_to_pile(score: _Score, gesture: ReturnToPile) -> None:
    _lay_on(score, gesture.seat, DISCARD, gesture.cards, gesture, (0.5, 0.8))


def _discard(score: _Score, gesture: Discard) -> None:
    cards = (gesture.card,) if gesture.under is None else (gesture.under, gesture.card)
    _lay_on(score, gesture.seat, DISCARD, cards, gesture, (0.32, 0.55))


def _take_from_pile(score: _Score, gesture: TakeFromPile) -> None:
    _take(score, gesture.seat, DISCARD, gesture.cards, gesture)


def _return_pot(score: _Score, gesture: ReturnPot) -> None:
    _lay_on(score, gesture.seat, POTS, gesture.cards, gesture, (0.5, 0.8))


def _reach(score: _Score, gesture: Reach) -> None:
    score.arm_in(gesture.seat, gesture.zone)
    score.committed = score.t
    score.t += max(0.0, gesture.seconds)
    score.arm_out(gesture.seat, gesture.zone)


def _rest(score: _Score, gesture: Rest) -> None:
    score.arm_in(gesture.seat, gesture.zone)


def _lift(score: _Score, gesture: Lift) -> None:
    score.arm_out(gesture.seat, gesture.zone)


def _lean(score: _Score, gesture: Lean) -> None:
    score.arm_in(gesture.seat, gesture.zone)
    score.wait(0.3, 0.6)
    score.add(Pressure(gesture.zone, gesture.grams))
    score.committed = score.t
    score.t += max(0.0, gesture.seconds)
    score.add(Pressure(gesture.zone, 0.0))
    score.wait(0.2, 0.5)
    score.arm_out(gesture.seat, gesture.zone)


def _pile_aside(score: _Score, gesture: PullPile | PushPile) -> None:
    _touch(score, gesture.seat, DISCARD, gesture)


def _tidy(score: _Score, gesture: Tidy) -> None:
    _touch(score, gesture.seat, gesture.zone, gesture)


def _shift_row(score: _Score, gesture: ShiftRow | Cross) -> None:
    _touch(score, gesture.seat, _row_zone(score, gesture.seat, gesture.row), gesture)


def _gather(score: _Score, gesture: Gather) -> None:
    _touch(score, gesture.seat, gesture.zone, gesture)


def _push_row(score: _Score, gesture: PushRow) -> None:
    _touch(score, gesture.seat, _row_zone(score, gesture.seat, gesture.onto), gesture)


def _uncover(score: _Score, gesture: Uncover) -> None:
    row = next((row for row in score.world.rows.values() if gesture.card in row.cards), None)
    score.cards = (gesture.card,)
    _touch(score, gesture.seat, DISCARD if row is None else melds(row.line), gesture)


def _touch(score: _Score, seat: Seat, zone: str, step: Step) -> None:
    """A hand moves cards that lie in ``zone`` and takes none."""
    score.arm_in(seat, zone)
    score.wait(0.5, 0.9)
    score.change(step)
    score.wait(0.4, 0.75)
    score.arm_out(seat, zone)


def _penalise(score: _Score, gesture: Penalise) -> None:
    _lay_on(score, gesture.seat, side(gesture.seat), gesture.cards, gesture, (0.4, 0.7))


def _row_zone(score: _Score, seat: Seat, row: int) -> str:
    known = score.world.rows.get(row)
    return melds(known.line if known else seat.line)


def _row_at(score: _Score, gesture: Lay) -> tuple[float, float]:
    """The middle of the column that ``gesture`` lays into."""
    known = score.world.rows.get(gesture.row)
    line = known.line if known else gesture.seat.line
    rect = score.layout.zones[melds(line)]
    across = column_centre(line, known.slot if known else free_slot(score.world, line), rect)
    return (across, rect.centre[1]) if line is Line.NS else (rect.centre[0], across)


def _lay(score: _Score, gesture: Lay) -> None:
    zone = _row_zone(score, gesture.seat, gesture.row)
    new = added(score.world, gesture)
    if gesture.through is not None:
        _lay_through(score, gesture, gesture.through, zone, new)
        return
    if gesture.bunches > 1 and len(new) > 1:
        _lay_in_bunches(score, gesture, zone, new)
        return
    cards = new + ((gesture.under,) if gesture.under else ())
    _lay_on(score, gesture.seat, zone, cards, gesture, (0.55, 0.8 + 0.12 * min(len(cards), 4)), _row_at(score, gesture))


def _lay_through(score: _Score, gesture: Lay, other: Seat, zone: str, new: tuple[str, ...]) -> None:
    """One hands the cards over the table, the other takes them and lays them down."""
    score.cards = new
    score.arm_in(gesture.seat, TABLE)
    score.edge(gesture.seat, new)
    score.wait(0.5, 0.9)
    score.arm_out(gesture.seat, TABLE)
    score.arm_in(other, zone, _row_at(score, gesture))
    score.wait(0.5, 0.9)
    score.change(replace(gesture, through=None))
    score.wait(0.4, 0.75)
    score.arm_out(other, zone)


def _lay_in_bunches(score: _Score, gesture: Lay, zone: str, new: tuple[str, ...]) -> None:
    """Both hands, or one that goes to and fro within the arm's reach: every bunch crosses the gate by itself."""
    seat, count = gesture.seat, min(gesture.bunches, len(new))
    score.cards = new
    score.arm_in(seat, zone, _row_at(score, gesture))
    for n in range(count):
        bunch = new[len(new) * n // count : len(new) * (n + 1) // count]
        score.edge(seat, bunch)
        score.wait(0.4, 0.7)
        left = set(new[len(new) * (n + 1) // count :])
        reads = tuple(card for card in gesture.result if card not in left)
        score.change(replace(gesture, result=reads, bunches=1))
    score.wait(0.4, 0.75)
    score.arm_out(seat, zone)


def _take_from_row(score: _Score, gesture: TakeFromRow) -> None:
    _take(score, gesture.seat, _row_zone(score, gesture.seat, gesture.row), gesture.cards, gesture)


def _take(score: _Score, seat: Seat, zone: str, cards: tuple[str, ...], step: Step) -> None:
    """A hand takes ``cards`` from ``zone`` and carries them home over its gate."""
    score.cards = cards
    score.arm_in(seat, zone)
    score.wait(0.5, 0.8)
    score.change(step)
    score.wait(0.5, 0.8)
    score.edge(seat, cards)
    score.arm_out(seat, zone)


def _take_pot(score: _Score, gesture: TakePot) -> None:
    giver = gesture.giver or gesture.seat
    score.arm_in(giver, POTS)
    score.wait(0.5, 0.8)
    before = score.world.hands[gesture.seat]
    score.change(gesture)
    score.cards = score.world.hands[gesture.seat][len(before) :]
    score.wait(0.6, 1.0)
    score.arm_out(giver, POTS)
    score.wait(0.8, 1.6)


def _expose(score: _Score, gesture: Expose) -> None:
    zone = score.layout.zone_at(gesture.x, gesture.y)
    score.cards = gesture.cards
    score.arm_in(gesture.seat, zone, (gesture.x, gesture.y))
    score.edge(gesture.seat, gesture.cards)
    score.wait(0.2, 0.4)
    score.change(gesture)
    score.wait(0.3, 0.6)
    score.arm_out(gesture.seat, zone)


def _take_up(score: _Score, gesture: TakeUp) -> None:
    _take(score, gesture.seat, _zone_of(score, gesture.cards), gesture.cards, gesture)


def _zone_of(score: _Score, cards: tuple[str, ...]) -> str:
    """Where the first of ``cards`` lies outside rows and pile."""
    first = cards[0] if cards else ""
    for loose in score.world.loose:
        if loose.card == first:
            return score.layout.zone_at(loose.x, loose.y)
    owner = next((seat for seat in SEATS if first in score.world.sides[seat]), None)
    if owner is not None:
        return side(owner)
    return GATE_STOCK if first in score.world.mouth else TABLE


def _lay_out(score: _Score, gesture: LayOut) -> None:
    zone = hand(gesture.seat)
    score.arm_in(gesture.seat, zone, beam=False)
    score.cards = score.world.hands[gesture.seat]
    score.wait(0.8, 1.4)
    score.change(gesture)
    score.wait(0.6, 1.2)
    score.arm_out(gesture.seat, zone, beam=False)


def _turn_shield(score: _Score, gesture: TurnShield) -> None:
    score.change(gesture)
    score.add(Pose(gesture.seat, gesture.pose))
    score.wait(0.2, 0.4)


def _tap(score: _Score, gesture: Tap) -> None:
    score.add(Blow(gesture.seat))


def _press(score: _Score, gesture: Press) -> None:
    score.add(Push(gesture.seat, gesture.button, down=True))
    score.committed = score.t
    score.wait(0.15, 0.3)
    score.add(Push(gesture.seat, gesture.button, down=False))


def _enter(score: _Score, gesture: Command | Say) -> None:
    score.add(Entry(gesture))
    score.committed = score.t
    if isinstance(gesture, Command) and gesture.do == "deal":
        for seat in SEATS:
            if score.world.shields.get(seat) != "up":
                score.change(TurnShield(seat, "up"))
                score.add(Pose(seat, "up"))


def _clear(score: _Score, gesture: ClearTable) -> None:
    score.arm_in(Seat.SOUTH, TABLE)
    score.wait(3.0, 6.0)
    score.change(gesture)
    score.wait(0.5, 1.0)
    score.arm_out(Seat.SOUTH, TABLE)


def _swap_card(score: _Score, gesture: SwapCard) -> None:
    score.change(gesture)


def _wait(score: _Score, gesture: Wait) -> None:
    score.t += max(0.0, gesture.seconds)


_WRITERS: Final[dict[type[Gesture], Callable[[_Score, Any], None]]] = {
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
    PushRow: _push_row,
    Uncover: _uncover,
    TakeFromRow: _take_from_row,
    Discard: _discard,
    TakePot: _take_pot,
    ReturnPot: _return_pot,
    Reach: _reach,
    Rest: _rest,
    Lift: _lift,
    Lean: _lean,
    Tidy: _tidy,
    PullPile: _pile_aside,
    PushPile: _pile_aside,
    ShiftRow: _shift_row,
    Cross: _shift_row,
    Gather: _gather,
    Expose: _expose,
    TakeUp: _take_up,
    Penalise: _penalise,
    LayOut: _lay_out,
    TurnShield: _turn_shield,
    Tap: _tap,
    Press: _press,
    Say: _enter,
    Command: _enter,
    SwapCard: _swap_card,
    ClearTable: _clear,
    Wait: _wait,
}
