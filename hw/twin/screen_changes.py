"""Changes that gestures make to the tray and to the cards before their players."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.bidding import ALERT, BIDDING_BOX, STOP
from hw.cards import face
from hw.seats import Seat
from hw.twin.screen_gestures import (
    AlertGesture,
    CallGesture,
    ClearTray,
    FaceCards,
    GiveBack,
    HoldCall,
    LeadFaceDown,
    QuitGesture,
    ReturnHand,
    TakeBackCall,
    TakeBackCard,
)
from hw.twin.world import (
    Changes,
    ImpossibleGesture,
    MoveTray,
    PlayedCard,
    World,
    from_hand,
    held,
    in_hand,
    known,
    put_on,
)


def _box_card(world: World, seat: Seat, call: str) -> str:
    """Return the bidding card that ``seat`` takes out of its box. Raises ImpossibleGesture if none is left there."""
    held(world, seat)
    name = BIDDING_BOX.parse(call)
    out = sum(card == name for card in world.calls.get(seat, ())) + (world.shown.get(seat) == name)
    if name not in BIDDING_BOX.copies or out >= BIDDING_BOX.copies[name]:
        raise ImpossibleGesture(f"no card {name} is left in the bidding box of {seat}")
    return name


def _with_calls(world: World, seat: Seat, calls: tuple[str, ...]) -> World:
    return replace(world, calls={**world.calls, seat: calls})


def _without_shown(world: World, seat: Seat) -> World:
    return replace(world, shown={other: call for other, call in world.shown.items() if other is not seat})


def _call(world: World, step: CallGesture) -> World:
    here = _without_shown(world, step.seat)
    name = _box_card(here, step.seat, step.call)
    return _with_calls(here, step.seat, (*here.calls.get(step.seat, ()), name))


def _hold(world: World, step: HoldCall) -> World:
    return replace(world, shown={**world.shown, step.seat: _box_card(world, step.seat, step.call)})


def _take_back(world: World, step: TakeBackCall) -> World:
    if step.seat in world.shown:
        return _without_shown(world, step.seat)
    calls = world.calls.get(step.seat, ())
    at = max((n for n, call in enumerate(calls) if call not in (ALERT, STOP)), default=None)
    if at is None:
        raise ImpossibleGesture(f"{step.seat} has no call on the tray")
    return _with_calls(world, step.seat, (*calls[:at], *calls[at + 1 :]))


def _alert(world: World, step: AlertGesture) -> World:
    calls = world.calls.get(step.of, ())
    if not calls:
        raise ImpossibleGesture(f"{step.of} has no call on the tray that could be alerted")
    return _with_calls(world, step.of, (*calls, ALERT))


def _give_back(world: World, step: GiveBack) -> World:
    calls = world.calls.get(step.of, ())
    if ALERT not in calls:
        raise ImpossibleGesture(f"no alert lies over the calls of {step.of}")
    at = len(calls) - 1 - calls[::-1].index(ALERT)
    return _with_calls(world, step.of, (*calls[:at], *calls[at + 1 :]))


def play_before(world: World, seat: Seat, card: str, *, up: bool = True) -> World:
    """Return the world in which ``card`` of the hand of ``seat`` lies before it, at the end of its row."""
    known("", world.table.played(seat), f"place for the played cards of {seat}")
    lying = (*world.played.get(seat, ()), PlayedCard(card, up))
    return replace(from_hand(world, seat, (card,)), played={**world.played, seat: lying})


def _face_cards(world: World, step: FaceCards) -> World:
    lying = world.played.get(step.seat, ())
    if not any(not card.up and not card.quitted for card in lying):
        raise ImpossibleGesture(f"no card lies before {step.seat} that was not faced yet")
    faced = tuple(card if card.quitted else replace(card, up=True) for card in lying)
    return replace(world, played={**world.played, step.seat: faced})


def _last_up(world: World, seat: Seat) -> int:
    lying = world.played.get(seat, ())
    at = max((n for n, card in enumerate(lying) if card.up), default=None)
    if at is None:
        raise ImpossibleGesture(f"no card lies face up before {seat}")
    return at


def _quit(world: World, step: QuitGesture) -> World:
    at, lying = _last_up(world, step.seat), world.played[step.seat]
    turned = replace(lying[at], up=False, quitted=True, across=step.across)
    return replace(world, played={**world.played, step.seat: (*lying[:at], turned, *lying[at + 1 :])})


def _take_back_card(world: World, step: TakeBackCard) -> World:
    lying = world.played.get(step.seat, ())
    at = max((n for n, card in enumerate(lying) if not card.quitted), default=None)
    if at is None:
        raise ImpossibleGesture(f"no card that was not turned lies before {step.seat}")
    left = replace(world, played={**world.played, step.seat: (*lying[:at], *lying[at + 1 :])})
    return in_hand(left, step.seat, (lying[at].card,))


def _return_hand(world: World, step: ReturnHand) -> World:
    pocket = known("", world.table.pocket(step.seat), f"pocket for the cards of {step.seat}")
    cards = (*(card.card for card in world.played.get(step.seat, ())), *held(world, step.seat))
    if not cards:
        raise ImpossibleGesture(f"{step.seat} has no card to put back")
    bare = replace(
        world,
        hands={**world.hands, step.seat: ()},
        played={**world.played, step.seat: ()},
        laid_out=tuple(seat for seat in world.laid_out if seat is not step.seat),
    )
    return put_on(bare, pocket, sorted(cards, key=face))


CHANGES: Final[Changes] = {
    CallGesture: _call,
    HoldCall: _hold,
    TakeBackCall: _take_back,
    ClearTray: lambda world, step: _without_shown(_with_calls(world, step.seat, ()), step.seat),
    AlertGesture: _alert,
    GiveBack: _give_back,
    MoveTray: lambda world, step: replace(world, tray=step.to),
    LeadFaceDown: lambda world, step: play_before(world, step.seat, step.card, up=False),
    FaceCards: _face_cards,
    QuitGesture: _quit,
    TakeBackCard: _take_back_card,
    ReturnHand: _return_hand,
}
"""Change that each gesture makes to the world."""
