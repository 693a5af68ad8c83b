"""Zones that no scale weighs: what frames show of the pile, and of arms over stacks → steps as a scale tells them.

A scale tells at once that a card came or went. Frames tell it of the pile once they agree. That a card was drawn no
frame shows: an arm over the stack makes it likely, and so does a card that comes to the pile where nothing was taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

from hw.equipment import Equipment
from hw.observations import Sight
from table_service.tracking.hand_intervals import Interval, Reaches
from table_service.tracking.movements import Unverified, Verified
from table_service.tracking.scale_steps import Step
from table_service.tracking.sequences import Faces
from table_service.tracking.zone_roles import NO_ZONE, ZoneRoles

_PILE: Final = 0.97
"""How sure it is that the pile grew or shrank, where frames alone say so."""
_DRAWN: Final = 0.7
"""How sure a draw is where an arm lay over the stack and the pile stayed as it was."""
_SUPPOSED: Final = 0.3
"""The same where no arm was seen and only the card that came to the pile later tells of it: he may not have drawn."""
_CLEAR: Final = 1.2
"""Seconds after an arm has left the stack within which it may still go on to the pile."""
_BEFORE: Final = 1.4
"""Seconds before a card came to the pile at which a draw that nobody saw is dated at the latest."""
_AFTER: Final = 0.3
"""Seconds after a card came to the pile before which the next draw is not dated."""
_RESTS: Final = 6.0
"""Seconds after which an arm over the stack holds nothing else back any longer."""
_LONG: Final = 2.5
"""Seconds for which an arm that lays or takes a card covers the pile; one that stays longer rests there."""
_MOMENT: Final = 1.0
"""Seconds before a resting arm left, or the next hand came to the stack, at which the pile is taken to have changed."""
_LONGEST: Final = 30.0
"""Seconds for which an arm that rests on the pile holds back what came after it."""
_SAME: Final = 2
"""Frames one after another that must show quite other cards in the pile to tell that it was taken meanwhile."""


@dataclass(slots=True)
class _Arm:
    """Something lay over the stack from ``start`` on; ``end``: when it was seen to have gone."""

    start: float
    end: float = inf


class Looking:
    """The stack and the pile of a table as far as they stand on no scale.

    Between two cards that come to the pile somebody takes one from the stack, or takes up what lies in the pile.
    """

    def __init__(self, equipment: Equipment, roles: ZoneRoles, reaches: Reaches) -> None:
        """``reaches``: the hands that beams or the camera have told."""
        weighed = equipment.weighed
        self._reaches = reaches
        self._tells_hands = bool(equipment.beamed)
        self._stack = roles.drawn if roles.drawn not in weighed else NO_ZONE
        self._pile = roles.pile if roles.pile not in weighed else NO_ZONE
        self.forget()

    def forget(self) -> None:
        """The table is cleared."""
        self._arms: list[_Arm] = []
        self._taken = False
        """True if a player has taken a card since the pile last grew."""
        self._left = False
        """True if that player left cards in the pile, which may count as his discard."""
        self._grew = -inf
        self._hidden = -inf
        """When the pile was last covered, or shown otherwise than it is counted."""
        self._covered: float | None = None
        """Start of the time in which the pile is covered, seconds of the log; None if it is not."""
        self._differs: float | None = None
        """First frame that shows the pile unlike its count, seconds of the log; None if they agree."""
        self._others: tuple[Faces, int] = ((), 0)
        self._playing = False
        self._doubted = False
        self._doubts: list[Unverified | Verified] = []

    def doubts(self) -> list[Unverified | Verified]:
        """Return what has become uncertain of the pile, or certain again, since this was last asked."""
        doubts, self._doubts = self._doubts, []
        return doubts

    @property
    def sees_pile(self) -> bool:
        """True if frames alone tell how many cards lie in the pile."""
        return self._pile != NO_ZONE

    def start_play(self) -> None:
        """The cards are dealt: arms over the stack may draw from now on."""
        self._playing = True

    def pending_since(self, now: float) -> float:
        """Return the earliest time at which cards may have moved beneath an arm; infinite if none may have."""
        since = inf
        if self._playing and self._covered is not None and now < self._covered + _LONGEST:
            since = self._covered
        if self._may_draw and self._arms and now < self._arms[0].start + _RESTS:
            since = min(since, self._arms[0].start)
        return since

    @property
    def _may_draw(self) -> bool:
        return not self._taken or self._left

    # Frames

    def see(self, sight: Sight) -> list[Step]:
        """Take what a frame shows to be covered; the draw that it decides."""
        t, hidden = sight.t, sight.hidden
        if self._pile in hidden:
            self._hidden = t
            self._covered = t if self._covered is None else self._covered
        if self._stack == NO_ZONE or not self._playing:
            return []
        last = self._arms[-1] if self._arms else None
        if self._stack in hidden:
            if last is None or last.end < inf:
                self._arms.append(_Arm(t))
            return []
        if last is not None:
            last.end = min(last.end, t)
        if not self._may_draw or last is None or t < self._clear_t(self._arms[0]):
            return []
        self._taken, self._left, arms, self._arms = True, False, self._arms, []
        return [self._draw(arms[0].start, t, _DRAWN)]

    def _clear_t(self, arm: _Arm) -> float:
        """Return the time from which ``arm`` is known not to have moved to the pile; another one may rest there."""
        if self._covered is not None and self._covered < arm.start:
            return arm.end + 2 * _CLEAR
        return max(arm.end, self._hidden) + _CLEAR

    def shown(self, seen: Faces, lies: Faces, change: int | None, t: float) -> list[Step]:
        """A frame shows the pile as ``seen``; ``lies``: as it is counted; ``change``: what frames have made sure of."""
        if seen == lies:
            if self._covered is not None:
                self._beneath(0, self._covered, t)
            self._differs = self._covered = None
            self._others = ((), 0)
            return []
        self._hidden = t
        self._differs = t if self._differs is None else self._differs
        if change is not None:
            return self._changed(change, len(lies), t)
        known, count = self._others
        self._others = (seen, count + 1 if known == seen else 1)
        if self._others[1] < _SAME:
            return []
        return self._otherwise(seen, lies, t)

    def _otherwise(self, seen: Faces, lies: Faces, t: float) -> list[Step]:
        """Frames agree on what can't be told card by card: the same face once more, several cards, other cards."""
        more = len(seen) - len(lies)
        at_once = self._covered is None or t - self._covered <= _LONG
        if more > 1 and at_once and seen[: len(lies)] == lies:  # one hand puts back what it had taken
            return self._changed(more, len(lies), t)
        if more > 0 and seen[: len(lies)] == lies:
            return [step for place in range(more) for step in self._changed(1, len(lies) + place, t)]
        if seen and lies and not set(seen) & set(lies):
            gone = self._changed(-len(lies), len(lies), t)
            return [*gone, *(step for place in range(len(seen)) for step in self._changed(1, place, t))]
        return []

    def _changed(self, change: int, before: int, t: float) -> list[Step]:
        since = t if self._differs is None else self._differs
        start = since if self._covered is None else min(since, self._covered)
        own, later = self._parted(start, since, grows=change > 0)
        first = start
        hand = self._beneath(change, start, t)
        if hand is not None:
            first = hand
        elif since - start > _LONG:
            first = max(start, min(since, later[0].start if later else since) - _MOMENT)
        step = Step(self._pile, change, before + change, first, t, _PILE, first=False, swung=True, basis="sight")
        steps = [*self._unseen(own, first, t), step] if change == 1 else [step]
        self._taken, self._arms = change < 0, later
        self._left = change < 0 and before + change > 0
        self._grew = first if change > 0 else self._grew
        self._differs = self._covered = None
        self._others = ((), 0)
        if change > 0 and later and later[0].end <= since:  # the pile has been seen since, and he has not taken it up
            self._taken, self._arms = True, []
            steps.append(self._draw(later[0].start, t, _DRAWN))
        return steps

    def _beneath(self, change: int, start: float, t: float) -> float | None:
        """Return when the one other hand came that moved cards beneath an arm at rest; None where it was none, or more.

        Where cards may have come and gone in turn, whose turn it is is known once the pile changes in full view.
        """
        hands = self._reaches.between(self._pile, start, t)
        resting = {hand.seat for hand in hands if (t if hand.end is None else hand.end) - hand.start > _RESTS}
        came = [hand for hand in hands if hand.seat not in resting]
        if self._tells_hands and t - start > _RESTS and self._mixed(change, start, t, came):
            self._doubted = True
            reason = "several hands came to it while an arm lay on it"
            self._doubts.append(Unverified(start, self._pile, reason, missed=True))
        elif self._doubted and change:
            self._doubted = False
            self._doubts.append(Verified(t, self._pile))
        return came[-1].start if resting and came else None

    def _mixed(self, change: int, start: float, t: float, came: list[Interval]) -> bool:
        """True if more than one discard may have happened: several hands came, or a card was drawn after the last."""
        last = max([start, *(hand.start for hand in came)])
        drew = any(last < arm.start < t for arm in self._arms)
        if change == 1:
            return drew and not came
        return drew or len({hand.seat for hand in came}) > 1

    def _parted(self, start: float, since: float, *, grows: bool) -> tuple[list[_Arm], list[_Arm]]:
        """The arms over the stack that may have drawn before the pile changed, and those that came after it.

        It changed between ``start`` and ``since``: whoever has taken a card already comes no second time.
        """
        if not grows or self._taken:
            return [], [arm for arm in self._arms if arm.start > start]
        own = [arm for arm in self._arms if arm.start < since][:1]
        return own, [arm for arm in self._arms if arm not in own and arm.start > start]

    def _unseen(self, own: list[_Arm], first: float, t: float) -> list[Step]:
        """A card came to the pile at ``first``: before, one was taken from the stack, by the arm of ``own`` if any."""
        if self._taken or self._stack == NO_ZONE:
            return []
        if own:
            return [self._draw(min(own[0].start, first), t, _DRAWN)]
        return [self._draw(min(max(self._grew + _AFTER, first - _BEFORE), first), t, _SUPPOSED)]

    def _draw(self, start: float, t: float, sure: float) -> Step:
        return Step(self._stack, -1, 0, start, t, sure, first=False, swung=True, basis="sight")
