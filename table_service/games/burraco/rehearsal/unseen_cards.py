"""Cards that nobody has seen yet: that two of them were dealt the other way round changes nothing of what was played.

So a deal that is on its way can be given the cards that a fault needs, where chance would seldom bring them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from hw.cards import face
from hw.seats import Seat
from hw.twin.gestures import ConsoleGesture, SetTable
from hw.twin.world import Heaps, with_heaps
from hw.zones import DISCARD, POTS, STOCK
from table_service.rehearsal.script import Cue, Script, ScriptAction

_HIDES: Final = frozenset({"draw", "take-pot", "take-rest"})
"""Acts whose cards go from one hidden place to another."""


def _dealt_at(cues: Sequence[Cue]) -> int | None:
    """Return the cue with which the cards of the running deal were laid out."""
    return next((n for n in range(len(cues) - 1, -1, -1) if isinstance(cues[n].gesture, SetTable)), None)


def _named(value: object) -> Iterator[str]:
    """Yield the texts within a gesture, cards among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _named(key)
            yield from _named(one)
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from _named(one)
    elif is_dataclass(value):
        for each in fields(value):
            yield from _named(getattr(value, each.name))


def _shows(action: ScriptAction) -> bool:
    """Return True if the cards of ``action`` came to light; that of a second card drawn, or drawn wrongly, may."""
    return action.type not in _HIDES or bool(set(action.more) - {"manner"})


def unseen(script: Script) -> frozenset[str]:
    """Return the cards in hands, stock and pots that no gesture of the running deal has named or shown."""
    place = _dealt_at(script.cues)
    if place is None:
        return frozenset()
    shown: set[str] = set(script.world.heap(DISCARD))
    for cue in script.cues[place + 1 :]:
        shown.update(() if isinstance(cue.gesture, ConsoleGesture) else _named(cue.gesture))
        for action in cue.actions:
            shown.update((*action.cards, *action.row) if _shows(action) else ())
    hidden = {card for hand in script.world.hands.values() for card in hand}
    hidden.update(script.world.heap(STOCK), script.world.heap(POTS))
    return frozenset(hidden - shown)


def deal_otherwise(script: Script, swaps: Mapping[str, str]) -> None:
    """Have the cards of the running deal been shuffled so that each key of ``swaps`` lay where its value did.

    Keys and values are the same cards, all of them unseen.
    """
    place = _dealt_at(script.cues)
    if place is None:
        return
    for n in range(place, len(script.cues)):
        cue = script.cues[n]
        gesture: Any = cue.gesture
        if isinstance(gesture, SetTable):
            hands = {seat: _swapped(hand, swaps) for seat, hand in gesture.hands.items()}
            heaps = {zone: _swapped_heaps(lying, swaps) for zone, lying in gesture.heaps.items()}
            gesture = replace(gesture, hands=hands, heaps=heaps)
        acts = tuple(replace(one, cards=_swapped(one.cards, swaps)) for one in cue.actions)
        script.cues[n] = replace(cue, gesture=gesture, actions=acts)
    world = script.world
    hidden = {zone: _swapped_heaps(world.heaps[zone], swaps) for zone in (STOCK, POTS) if zone in world.heaps}
    script.world = replace(
        world,
        hands={seat: _swapped(hand, swaps) for seat, hand in world.hands.items()},
        heaps={**world.heaps, **hidden},
    )


def _swapped(cards: Sequence[str], swaps: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(swaps.get(card, card) for card in cards)


def _swapped_heaps(heaps: Heaps, swaps: Mapping[str, str]) -> Heaps:
    return tuple(_swapped(heap, swaps) for heap in heaps)


def _of_hand(hand: Sequence[str], wanted: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the cards of ``hand`` that have the faces ``wanted``, and the faces that it lacks."""
    kept: list[str] = []
    lacking: list[str] = []
    for card in wanted:
        held = next((one for one in hand if face(one) == card and one not in kept), None)
        if held is None:
            lacking.append(card)
        else:
            kept.append(held)
    return kept, lacking


def give(script: Script, seat: Seat, wanted: Sequence[str], spared: Collection[Seat] = ()) -> bool:
    """Have ``seat`` hold cards of the faces ``wanted``, as far as nobody has seen what it would get and give for them.

    ``spared``: whose hands stay as they are. Whether it holds them.
    """
    hidden = unseen(script)
    hand = list(script.world.hands[seat])
    kept, lacking = _of_hand(hand, wanted)
    spare = [card for card in hand if card in hidden and card not in kept]
    taken = {card for one in spared for card in script.world.hands[one]} | set(hand)
    pool = sorted(hidden - taken)
    swaps: dict[str, str] = {}
    for card in lacking:
        found = next((one for one in pool if face(one) == card and one not in swaps), None)
        if found is None or not spare:
            return False
        gone = spare.pop()
        swaps[found], swaps[gone] = gone, found
    if swaps:
        deal_otherwise(script, swaps)
    return True


def bring_up(script: Script, wanted: Callable[[str], bool]) -> bool:
    """Have the cards been shuffled so that a ``wanted`` one is drawn next; whether that could be.

    Nobody has seen the cards of a stock that only draws have touched: their order is still the director's choice.
    """
    cues, stock = script.cues, script.world.heap(STOCK)
    place = _dealt_at(cues)
    if place is None or not stock:
        return False
    laid = cues[place].gesture
    if not isinstance(laid, SetTable) or laid.heaps[STOCK][0][: len(stock)] != stock:
        return False
    found = next((n for n in range(len(stock) - 1, -1, -1) if wanted(stock[n])), None)
    if found is None:
        return False
    after = list(laid.heaps[STOCK][0])
    after[found], after[len(stock) - 1] = after[len(stock) - 1], after[found]
    cues[place] = replace(cues[place], gesture=replace(laid, heaps={**laid.heaps, STOCK: (tuple(after),)}))
    script.world = with_heaps(script.world, STOCK, (tuple(after[: len(stock)]),))
    return True
