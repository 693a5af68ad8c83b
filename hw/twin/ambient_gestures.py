"""Beats of what people do besides play: the table set and cleared, arms that rest, shields, buttons, words."""

from __future__ import annotations

from typing import Final

from hw.bidding import TRAY_SIDES, side_of
from hw.seats import Seat, seat_or_none
from hw.twin.gesture_timeline import GestureTimeline, Writers, touch
from hw.twin.gestures import (
    ClearTable,
    ConsoleGesture,
    Gather,
    Lean,
    Lift,
    Press,
    ReachGesture,
    Rest,
    Say,
    SetTable,
    SwapCard,
    Tap,
    Tidy,
    TurnShield,
    Wait,
)
from hw.twin.timed_events import Blow, Contact, PersonEntry, Pose, Pressure, Push
from hw.twin.world import LayHeaps, LiftHeaps, MoveTray
from hw.zones import TABLE


def _set_table(score: GestureTimeline, gesture: SetTable) -> None:
    heaps = [LayHeaps(zone, each) for zone, each in gesture.heaps.items()]
    first, last = heaps[:-1], heaps[-1] if heaps else None
    score.wait(28.0, 34.0)
    if gesture.manner == "last-first" and last:
        score.change(last)
        score.wait(1.6, 6.0)
    _lay_heaps(score, first)
    if gesture.manner == "again":
        score.wait(2.0, 9.0)
        score.change(ClearTable())
        score.wait(28.0, 34.0)
        _lay_heaps(score, first)
    score.wait(1.6, 2.4)
    score.change(gesture)
    if gesture.manner == "counted" and last:
        score.wait(2.0, 6.0)
        score.change(LiftHeaps(last.zone))
        score.wait(4.0, 12.0)
        score.change(last)
    score.wait(5.0, 8.0)


def _lay_heaps(score: GestureTimeline, heaps: list[LayHeaps]) -> None:
    for each in heaps:
        score.change(each)


def _clear(score: GestureTimeline, gesture: ClearTable) -> None:
    who = Seat.SOUTH if Seat.SOUTH in score.world.hands else next(iter(score.world.hands))
    touch(score, who, TABLE, gesture, ((3.0, 6.0), (0.5, 1.0)))


def _reach(score: GestureTimeline, gesture: ReachGesture) -> None:
    score.arm_in(gesture.seat, gesture.zone)
    score.committed = score.t
    score.hold(gesture.seconds)
    score.arm_out(gesture.seat, gesture.zone)


def _lean(score: GestureTimeline, gesture: Lean) -> None:
    score.arm_in(gesture.seat, gesture.zone)
    score.wait(0.3, 0.6)
    score.add(Pressure(gesture.zone, gesture.grams))
    score.committed = score.t
    score.hold(gesture.seconds)
    score.add(Pressure(gesture.zone, 0.0))
    score.wait(0.2, 0.5)
    score.arm_out(gesture.seat, gesture.zone)


def _turn_shield(score: GestureTimeline, gesture: TurnShield) -> None:
    score.change(gesture)
    score.add(Pose(gesture.seat, gesture.pose))
    score.wait(0.2, 0.4)


def _tap(score: GestureTimeline, gesture: Tap) -> None:
    if gesture.zone is None:
        score.add(Blow(gesture.seat))
        return
    score.arm_in(gesture.seat, gesture.zone)
    score.wait(0.3, 0.5)
    score.add(Blow(gesture.seat))
    score.committed = score.t
    score.wait(0.2, 0.4)
    score.arm_out(gesture.seat, gesture.zone)


def _press(score: GestureTimeline, gesture: Press) -> None:
    score.add(Push(gesture.seat, gesture.button, down=True))
    score.committed = score.t
    score.wait(0.15, 0.3)
    score.add(Push(gesture.seat, gesture.button, down=False))


def _ready_the_screen(score: GestureTimeline, dealer: Seat) -> None:
    """Panel in place, aperture closed, and the tray on the side of ``dealer``: so a deal begins with screens."""
    table, to, stood = score.world.table, side_of(dealer), score.world.tray
    if table.tray is None:
        return
    score.add(Contact("screen:panel", closed=True))
    score.add(Contact("screen:aperture", closed=False))
    for side in TRAY_SIDES:
        if side == stood != to:
            score.add(Contact(f"tray:{side}", closed=False))
            score.wait(0.4, 0.8)
    score.change(MoveTray(to))
    score.add(Contact(f"tray:{to}", closed=True))
    score.wait(0.3, 0.6)


def _enter(score: GestureTimeline, gesture: ConsoleGesture | Say) -> None:
    if isinstance(gesture, ConsoleGesture) and gesture.do == "deal":
        _ready_the_screen(score, seat_or_none(gesture.fields.get("dealer")) or Seat.NORTH)
    score.add(PersonEntry(gesture))
    score.committed = score.t
    if isinstance(gesture, ConsoleGesture) and gesture.do == "deal":
        for seat in score.world.hands:
            if score.world.table.has(f"shield:{seat}") and score.world.shields.get(seat) != "up":
                score.change(TurnShield(seat, "up"))
                score.add(Pose(seat, "up"))


WRITERS: Final[Writers] = {
    SetTable: _set_table,
    ReachGesture: _reach,
    Rest: lambda score, rest: score.arm_in(rest.seat, rest.zone),
    Lift: lambda score, lift: score.arm_out(lift.seat, lift.zone),
    Lean: _lean,
    Tidy: lambda score, step: touch(score, step.seat, step.zone, step),
    Gather: lambda score, step: touch(score, step.seat, step.zone, step),
    TurnShield: _turn_shield,
    Tap: _tap,
    Press: _press,
    Say: _enter,
    ConsoleGesture: _enter,
    SwapCard: lambda score, step: score.change(step),
    ClearTable: _clear,
    Wait: lambda score, wait: score.hold(wait.seconds),
}
"""Writer of each gesture."""
