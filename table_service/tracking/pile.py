"""The discard pile: how many cards the scale says, which ones the camera and the gates say, from the bottom up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final

from hw.cards import UNKNOWN, face
from table_service.tracking.sequences import Faces, Rates, agree, align, first_places, likelihood, merge

_ENOUGH: Final = 2.0
_MOST: Final = 6.0
_FRAME: Final = 8.5
"""Most evidence of one frame for another number of cards, in log-likelihood."""
_NUANCE: Final = 0.01
"""Share of a frame's evidence beyond that, which separates contents that it supports alike."""
_SURE: Final = 16.0
"""Lead at which frames alone make another number of cards certain: never fewer than two of them."""
_MISNAMED: Final = 5.0
"""Cost of assuming that the topmost card has been misread until now."""
_ANY_FACE: Final = 4.0
"""Cost that a card without other evidence shows just this one of fifty-odd faces."""


@dataclass(slots=True, eq=False)
class Slot:
    """One card of the pile: votes by face, and the physical card where a gate has named it."""

    votes: dict[str, float] = field(default_factory=dict)
    physical: dict[str, str] = field(default_factory=dict)
    """Face → card with its copy mark."""
    tellers: list[Any] = field(default_factory=list)
    """The drafts that move this card and must be named when it is."""
    seen_t: float = -inf
    """When a frame last showed it."""

    def vote(self, card: str, weight: float = 1.0) -> None:
        """Vote for ``card``: a sensor says that this is it."""
        printed = face(card)
        if printed == UNKNOWN:
            return
        self.votes[printed] = min(self.votes.get(printed, 0.0) + weight, _MOST)
        for other in self.votes:
            if other != printed and self.votes[printed] >= _ENOUGH:
                self.votes[other] = max(0.0, self.votes[other] - 0.5 * weight)
        if card != printed:
            self.physical[printed] = card

    def name(self, margin: float = _ENOUGH) -> str:
        """Return the card, ``??`` if no face leads by ``margin`` votes."""
        if not self.votes:
            return UNKNOWN
        if len(self.votes) == 1:
            ((first, most),) = self.votes.items()
            second = 0.0
        else:
            first, runner_up, *_ = sorted(self.votes, key=lambda f: (-self.votes[f], f))
            most, second = self.votes[first], self.votes[runner_up]
        return UNKNOWN if most - second < margin else self.physical.get(first, first)

    @property
    def likeliest(self) -> str:
        """Return the face that leads at all, ``??`` if none does."""
        return self.name(0.5)


class Pile:
    """The slots from the bottom up."""

    def __init__(self) -> None:
        self.slots: list[Slot] = []
        self.surplus = False
        """True if the newest frame shows a card that is not counted."""
        self._doubts: dict[tuple[int, str], float] = {}

    def __len__(self) -> int:
        return len(self.slots)

    def push(self, count: int) -> list[Slot]:
        """``count`` cards come on top; their slots."""
        fresh = [Slot() for _ in range(count)]
        self.slots.extend(fresh)
        self._doubts = {}
        self.surplus = False  # what a frame showed too many before is counted now
        return fresh

    def pop(self, count: int) -> list[Slot]:
        """Take the ``count`` topmost cards away; return their slots from the bottom up."""
        count = min(count, len(self.slots))
        taken = self.slots[len(self.slots) - count :]
        del self.slots[len(self.slots) - count :]
        self._doubts = {}
        return taken

    def names(self) -> Faces:
        """Return the cards as they are known, from the bottom up."""
        return tuple(slot.name() for slot in self.slots)

    def faces(self) -> Faces:
        """Return what the cards show as far as anything speaks for it, from the bottom up."""
        return tuple(face(slot.likeliest) for slot in self.slots)

    def see(self, seen: Faces, rates: Rates) -> list[Slot]:
        """Match a frame that shows the pile as ``seen``; return the slots that got a vote."""
        touched = []
        for shown, lies in self._pairs(seen, rates):
            if seen[shown] != UNKNOWN:
                self.slots[lies].vote(seen[shown])
                touched.append(self.slots[lies])
        return touched

    def _pairs(self, seen: Faces, rates: Rates) -> Iterable[tuple[int, int]]:
        lies = self.faces()
        if agree(seen, lies):
            return ((i, i) for i in range(len(seen)))
        return align(seen, lies, rates)

    def stay(self, whole: tuple[Slot, ...], seen: Faces) -> tuple[list[Slot], list[Slot]] | None:
        """Return the slots of ``whole``, from the bottom up, that stayed when a frame shows ``seen``, and those gone.

        None if the frame shows what is accepted already, another number of cards, or a card that is not among them;
        nor if an unread card may be one or another.
        """
        if len(seen) != len(self.slots) or seen == self.faces():
            return None
        left = first_places(seen, tuple(face(slot.likeliest) for slot in whole))
        if left is None or not any(card != UNKNOWN for card in seen):
            return None
        if UNKNOWN in seen:
            last = len(whole) - 1
            right = first_places(seen[::-1], tuple(face(slot.likeliest) for slot in reversed(whole)))
            if right is None or [last - at for at in reversed(right)] != left:
                return None
        return [whole[at] for at in left], [slot for at, slot in enumerate(whole) if at not in left]

    def fits(self, seen: Faces) -> bool:
        """Return True if a frame shows just these cards, as far as they are known."""
        return agree(seen, tuple(face(slot.name()) for slot in self.slots))

    def watch(self, seen: Faces, rates: Rates) -> int | None:
        """Take a frame as evidence for more or fewer cards than are counted.

        The change, a new card on top or the topmost gone, that frame upon frame has confirmed; None if there is none.
        """
        lies = tuple(face(slot.name()) for slot in self.slots)
        if seen == lies and not self._doubts:
            self.surplus = False
            return None
        stay = _fit_as_counted(seen, lies, rates)
        self.surplus = False
        doubts = {}
        for change, top in dict.fromkeys([*self._doubts, *_other_counts(seen, lies)]):
            content = (*lies, top) if change > 0 else lies[:change]
            fit = likelihood(seen, content, rates) - stay
            self.surplus = self.surplus or (change > 0 and fit > _ANY_FACE)
            start = self._doubts.get((change, top), -_ANY_FACE if change > 0 else 0.0)
            weight = start + max(-_FRAME, min(_FRAME, fit)) + _NUANCE * fit
            if weight > -_ANY_FACE - 1.0:
                doubts[change, top] = weight
        self._doubts = doubts
        likeliest = max(doubts, key=lambda key: (doubts[key], key), default=None)
        return likeliest[0] if likeliest is not None and doubts[likeliest] > _SURE else None

    @property
    def newcomer(self) -> str:
        """The card on top that frames show and that is not counted, ``??`` if none is likely."""
        more = {top: weight for (change, top), weight in self._doubts.items() if change > 0 and weight > 0.0}
        return max(more, key=lambda top: (more[top], top), default=UNKNOWN)

    def correct(self, cards: Iterable[str]) -> None:
        """Set the contents to those that the arbitro gives, from the bottom up."""
        self.slots, self._doubts = [], {}
        for card in cards:
            slot = Slot()
            slot.vote(card, _MOST)
            self.slots.append(slot)


def _fit_as_counted(seen: Faces, lies: Faces, rates: Rates) -> float:
    """Return how well a frame that shows ``seen`` fits a pile of as many cards as ``lies``, in log-likelihood."""
    stay = likelihood(seen, lies, rates)
    if lies and seen:
        stay = max(stay, likelihood(seen, (*lies[:-1], seen[-1]), rates) - _MISNAMED)
    as_shown = merge(tuple(card for card in lies if card != UNKNOWN), seen)
    if len(as_shown) <= len(lies):  # the unnamed ones are the others that the frame shows
        stay = max(stay, likelihood(seen, as_shown, rates) + rates.log_miss * (len(lies) - len(as_shown)))
    return stay


def _other_counts(seen: Faces, lies: Faces) -> Iterator[tuple[int, str]]:
    """Yield other contents if a frame shows ``seen``: how many cards more with the one on top, or how many fewer."""
    if seen and seen[-1] != UNKNOWN and seen[-1] != (lies[-1] if lies else None):
        yield 1, seen[-1]
    for left in range(min(len(seen), len(lies)), min(len(seen) + 2, len(lies))):
        yield left - len(lies), ""
