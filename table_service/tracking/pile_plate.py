"""The pile on its plate: the scale says how many cards, frames and gates say which; frames may doubt the scale."""

from __future__ import annotations

from math import inf
from typing import Final

from hw.cards import UNKNOWN
from table_service.tracking.commit_order import READY, Draft
from table_service.tracking.context import TrackingContext
from table_service.tracking.pile import Pile, Slot
from table_service.tracking.plates import Plates
from table_service.tracking.recent_steps import RecentSteps
from table_service.tracking.scale_health import ScaleHealth
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.scales import ScaleEstimator
from table_service.tracking.sequences import Faces

_SEEN: Final = 26.0
"""Evidence of frames that confirm another number of cards in the pile, in log-likelihood."""


class PilePlate:
    """The discard pile with the frames that showed it lately."""

    def __init__(
        self, context: TrackingContext, plates: Plates, recent_steps: RecentSteps, health: ScaleHealth
    ) -> None:
        self._context = context
        self._zone = context.roles.pile
        self._plates = plates
        self._recent_steps = recent_steps
        self._health = health
        self._pile = Pile()
        self._since = READY
        """Frames from before are older than the pile's newest change."""
        self._shown = READY
        """When the newest frame was taken that was compared with the pile."""
        self._late_looks: list[tuple[float, Faces]] = []
        self._fitting = (-inf, -inf)
        """The last two frames that showed the pile as accepted."""
        self._fitted = -inf

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self._pile = Pile()
        self._late_looks = []

    # What is asked of it

    def __len__(self) -> int:
        return len(self._pile)

    @property
    def names(self) -> Faces:
        """The cards as they are known, from the bottom up; physical ones where a gate has named them."""
        return self._pile.names()

    @property
    def faces(self) -> Faces:
        """Return what the cards show as far as anything speaks for it, from the bottom up."""
        return self._pile.faces()

    @property
    def surplus(self) -> bool:
        """True if the newest frame shows a card that is not counted."""
        return self._pile.surplus

    @property
    def fitting(self) -> float:
        """Time up to which two frames since the last change confirm what is accepted; minus infinity if none do."""
        return self._fitting[0]

    @property
    def fitted(self) -> float:
        """The same, before the number of cards changed last."""
        return self._fitted

    def shows_more_since(self, t: float) -> bool:
        """Return True if a frame from ``t`` or later shows a card that is not counted."""
        return self._shown >= t and self._pile.surplus

    @property
    def newcomer(self) -> str:
        """The card that frames show on top and that is not counted, ``??`` if none is likely."""
        return self._pile.newcomer

    # The scale's word

    def push(self, step: ScaleStep, draft: Draft | None) -> None:
        """Put the cards of ``step`` on top; ``draft``, if they are moved and not set out, is to name them."""
        self._fitting, self._fitted = (-inf, -inf), self._fitting[0]
        slots = self._pile.push(step.change)
        if draft is not None:
            draft.slots = list(slots)
            for slot in slots:
                slot.tellers.append(draft)
        self.settle(step)

    def pop(self, step: ScaleStep) -> list[Slot]:
        """Take the cards of ``step`` from the top; return their slots from the bottom up, fewer if fewer are known.

        ``settle`` is to follow once the draft that moves them is made.
        """
        self._fitting, self._fitted = (-inf, -inf), self._fitting[0]
        return self._pile.pop(-step.change)

    def settle(self, step: ScaleStep, draft: Draft | None = None) -> None:
        """Note that the number of cards has changed with ``step``: only frames since then count.

        ``draft``: what took them, if cards were left; a frame that came before may show which.
        """
        self._since = inf if step.passing else step.first_t + 0.1
        if draft is not None:
            for seen in (seen for t, seen in self._late_looks if t >= self._since):
                self._rests(seen, draft)
        self._look_again()

    def amend(self, step: ScaleStep) -> None:
        """Correct a misweighed number by ``step``; no card was moved."""
        self._pile.push(step.change) if step.change > 0 else self._pile.pop(-step.change)

    def see(self, seen: Faces, t: float) -> int | None:
        """Take a frame at ``t`` that shows the pile as ``seen``, from the bottom up.

        How many cards more or fewer than are counted frames have confirmed; None if the number is right.
        """
        self._late_looks = [*self._late_looks[-3:], (t, seen)]
        return self._read(seen, t) if t >= self._since else None

    def _look_again(self) -> None:
        """Frames that came before the scale had decided may show what it found."""
        for t, seen in self._late_looks:
            if t >= self._since:
                self._read(seen, t)

    def _read(self, seen: Faces, t: float) -> int | None:
        scale = self._plates.at(self._zone)
        if scale is not None and scale.pending_since(self._context.now) is not None:
            return None
        if self._context.aside.is_open:
            return None  # the plate has reported it; whether the cards were only drawn near is still to be seen
        self._confirm_rest(seen)
        change = self._pile.watch(seen, self._context.rates)
        self._shown = t
        if change is not None:
            self._speak_for(change, seen, t, scale)
        if self._pile.surplus:
            self._fitting = (-inf, -inf)
            return change
        if self._pile.fits(seen):
            self._fitting = (self._fitting[1], t)
            if scale is not None:
                scale.swung_for_nothing(self._fitting[0])
        for slot in self._pile.see(seen, self._context.rates):
            slot.seen_t = max(slot.seen_t, t)
            self._tell(slot, t)
        self._confirm_rest(seen)
        return change

    def _speak_for(self, change: int, seen: Faces, t: float, scale: ScaleEstimator | None) -> None:
        """Use ``change`` cards more, or fewer, that frames have confirmed and the scale has not reported."""
        if scale is not None and not scale.fine and not self._lies_still(change, scale):
            scale.hint(change, _SEEN, t)
        elif scale is not None and (change > 0 or not seen) and self._health.lay_still(self._zone, t):
            self._health.saw(self._zone, t)

    def _lies_still(self, change: int, scale: ScaleEstimator) -> bool:
        """Return True if cards no longer shown by frames can't have left: no plate swing since they were seen."""
        gone = self._pile.slots[change:] if change < 0 else []
        return bool(gone) and scale.lay_still_since(max(slot.seen_t for slot in gone))

    def _confirm_rest(self, seen: Faces) -> None:
        for draft in self._taking_part():
            self._rests(seen, draft)

    def _taking_part(self) -> list[Draft]:
        """Return the movements that took a part of the pile and wait for a frame that shows which cards stayed."""
        drafts = (draft for _, draft in self._recent_steps.moves if draft.source == self._zone and draft.id is None)
        return [draft for draft in drafts if draft.wait > READY and draft.seat is not None]

    def _rests(self, seen: Faces, draft: Draft) -> None:
        """Settle a part of the pile taken with ``draft``: what a frame shows has stayed, from above or below."""
        whole = self._pile.stay((*self._pile.slots, *draft.slots), seen)
        if seen == self._pile.faces() or whole is not None:
            draft.lean("sight")
            draft.wait = READY
        if whole is None:
            return
        self._pile.slots, draft.slots = whole
        for slot in draft.slots:
            slot.tellers = [*(teller for teller in slot.tellers if teller is not draft), draft]
        for slot in self._pile.slots:
            slot.tellers = [teller for teller in slot.tellers if teller is not draft]
        self._context.place(draft.names(), draft.target)
        self._context.place(self._pile.names(), self._zone)

    def _tell(self, slot: Slot, t: float) -> None:
        for draft in slot.tellers:
            if draft.id is None:
                if draft.named:
                    draft.lean("sight")
                    draft.t = max(draft.t, t)
                    self.ready_if_named(draft)
            else:
                self._context.outbox.rename(draft, t, ("sight",))

    def ready_if_named(self, draft: Draft) -> None:
        """Let a discard whose every card is known wait no longer for its name."""
        if draft.id is None and draft.named and draft.target == self._zone:
            draft.wait = READY
            self._context.place(draft.names(), self._zone)

    def restack(self, step: ScaleStep, draft: Draft) -> None:
        """Make good in the pile what ``draft`` took or laid too many or too few."""
        count = abs(step.change)
        if draft.source == self._zone and step.change > 0:
            self._pile.slots.extend(draft.slots[:count])
            del draft.slots[:count]
        elif draft.source == self._zone:
            more = self._pile.pop(count)
            draft.slots = more + draft.slots
            for slot in more:
                slot.tellers.append(draft)
        elif step.change < 0:
            gone = self._pile.pop(count)
            draft.slots = [slot for slot in draft.slots if slot not in gone]
        else:
            for slot in self._pile.push(count):
                draft.slots.append(slot)
                slot.tellers.append(draft)

    def recount(self, count: int) -> None:
        """Take ``count`` unknown cards, as the scale had not been heard; frames from now on name them."""
        self._pile.correct((UNKNOWN,) * count)
        self._fitting, self._fitted = (-inf, -inf), -inf
        self._since = self._context.now

    def correct(self, cards: tuple[str, ...]) -> None:
        """Set the contents to those that the arbitro gives."""
        self._pile.correct(cards)
        self._since = self._context.now
