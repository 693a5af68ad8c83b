"""Gestures at the tray, the aperture and the cards before their players → beats."""

from __future__ import annotations

from typing import Final

from hw.bidding import compartment, other_side
from hw.seats import Seat
from hw.twin.gesture_timeline import GestureTimeline, Writers, carry, carry_home, lay_on, touch
from hw.twin.screen_gestures import (
    AlertGesture,
    CallGesture,
    ClearTray,
    CloseAperture,
    FaceCards,
    GiveBack,
    HoldCall,
    LeadFaceDown,
    OpenAperture,
    PushTray,
    QuitGesture,
    ReturnHand,
    TakeBackCall,
    TakeBackCard,
)
from hw.twin.timed_events import Contact
from hw.twin.world import ImpossibleGesture, MoveTray, known
from hw.zones import TABLE


def tray_zone(score: GestureTimeline) -> str:
    """Return the zone of the bidding cards. Raises ImpossibleGesture at a table without a tray."""
    return known("", score.world.table.tray, "bidding tray")


def _at_tray(score: GestureTimeline, gesture: CallGesture | TakeBackCall | ClearTray | AlertGesture | GiveBack) -> None:
    """Write a hand that comes over a compartment of the tray, changes the cards there and goes."""
    zone = tray_zone(score)
    owner: Seat = getattr(gesture, "of", gesture.seat)
    touch(score, gesture.seat, zone, gesture, at=compartment(owner, score.world.tray).centre)


def _hold(score: GestureTimeline, gesture: HoldCall) -> None:
    tray_zone(score)
    touch(score, gesture.seat, TABLE, gesture)


def _push(score: GestureTimeline, gesture: PushTray) -> None:
    zone, start = tray_zone(score), score.world.tray
    if start is None:
        raise ImpossibleGesture("the tray stands on neither side: a deal begins with it on the dealer's")
    end = start if gesture.back else other_side(start)
    score.arm_in(gesture.seat, zone)
    score.wait(0.3, 0.6)
    score.change(MoveTray(None))
    score.add(Contact(f"tray:{start}", closed=False))
    score.wait(0.5, 1.0)
    score.change(MoveTray(end))
    score.add(Contact(f"tray:{end}", closed=True))
    score.committed = score.t
    score.wait(0.3, 0.6)
    score.arm_out(gesture.seat, zone)


def _aperture(score: GestureTimeline, gesture: OpenAperture | CloseAperture) -> None:
    zone = tray_zone(score)
    score.arm_in(gesture.seat, zone)
    score.wait(0.4, 0.8)
    score.add(Contact("screen:aperture", closed=isinstance(gesture, OpenAperture)))
    score.committed = score.t
    score.wait(0.3, 0.6)
    score.arm_out(gesture.seat, zone)


def _played_at(score: GestureTimeline, seat: Seat) -> str:
    return known("", score.world.table.played(seat), f"place for the played cards of {seat}")


def _touch_played(score: GestureTimeline, gesture: FaceCards | QuitGesture) -> None:
    touch(score, gesture.seat, _played_at(score, gesture.seat), gesture)


def _take_back_card(score: GestureTimeline, gesture: TakeBackCard) -> None:
    up = tuple(card.card for card in score.world.played.get(gesture.seat, ()) if card.up)[-1:]
    carry_home(score, gesture.seat, _played_at(score, gesture.seat), up, gesture)


def _return_hand(score: GestureTimeline, gesture: ReturnHand) -> None:
    seat = gesture.seat
    pocket = known("", score.world.table.pocket(seat), f"pocket for the cards of {seat}")
    cards = tuple(card.card for card in score.world.played.get(seat, ()))
    carry(score, seat, _played_at(score, seat), pocket, (*cards, *score.world.hands[seat]), gesture)


WRITERS: Final[Writers] = {
    CallGesture: _at_tray,
    TakeBackCall: _at_tray,
    ClearTray: _at_tray,
    AlertGesture: _at_tray,
    GiveBack: _at_tray,
    HoldCall: _hold,
    PushTray: _push,
    OpenAperture: _aperture,
    CloseAperture: _aperture,
    LeadFaceDown: lambda score, step: lay_on(
        score, step.seat, _played_at(score, step.seat), (step.card,), step, (0.32, 0.55)
    ),
    FaceCards: _touch_played,
    QuitGesture: _touch_played,
    TakeBackCard: _take_back_card,
    ReturnHand: _return_hand,
}
"""Writer of each gesture."""
