"""Steps at the discard plate as cards laid on the pile or picked up: by whom, and which by gates."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN
from hw.zones import hand
from table_service.tracking.commit_order import Draft
from table_service.tracking.context import TrackingContext
from table_service.tracking.pile_plate import PilePlate
from table_service.tracking.plate_hands import SEAT_WAIT, who
from table_service.tracking.recent_steps import RecentSteps
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.tags import Crossing

_NAME_WAIT: Final = 3.5
_DRAW_S: Final = 3.0
"""From the mouth of the stock to the drawer's gate, at the longest."""
_REST_WAIT: Final = 2.6


class Discarding:
    """Cards that come onto the pile or leave it."""

    def __init__(self, context: TrackingContext, recent_steps: RecentSteps, pile: PilePlate) -> None:
        self._context = context
        self._recent_steps = recent_steps
        self._pile = pile

    def discarded(self, step: ScaleStep) -> Draft:
        """Cards came onto the pile."""
        seat, sure, basis = who(self._context, step, step.first_t - 1.1, step.first_t + 0.1)
        coil = self._context.crossings.first_change(step.zone, step.first_t - 0.35, step.first_t)
        draft = Draft(
            step.t,
            step.first_t if coil is None else coil,
            (UNKNOWN,) * step.change,
            self._context.source_hand(seat),
            step.zone,
            seat,
            step.confidence * sure,
            [step.basis, *basis],
            wait=step.first_t + _NAME_WAIT,
        )
        self._pile.push(step, draft)
        if seat is not None and step.change == 1:
            hands = self._context.hands_at(step.zone, step.first_t - 0.35, step.t)
            start = min((i.start for i in hands if i.seat == seat), default=step.first_t - 0.8) - 0.3
            if any(i.seat == seat for i in hands):
                crossed = self._context.at_gate(seat, start, step.first_t, hand(seat))[-1:]
                self.name_by(draft, [c for c in crossed if not self._just_drawn(c)])
        if len(self._pile) == 1:
            lone = self._context.crossings.near((step.zone,), step.first_t - 0.4, step.t)
            self.name_by(draft, [c for c in lone if c.end is None])
        self._pile.ready_if_named(draft)
        return draft

    def collected(self, step: ScaleStep) -> Draft:
        """Cards left the pile."""
        seat, sure, basis = who(self._context, step, step.first_t + 0.1, step.first_t + 1.4)
        coil = self._context.crossings.first_change(step.zone, step.first_t - 0.35, step.first_t)
        slots = self._pile.pop(step)
        target = self._context.source_hand(seat)
        draft = Draft(
            step.t,
            step.first_t if coil is None else coil,
            (UNKNOWN,) * len(slots),
            step.zone,
            target,
            seat,
            step.confidence * sure,
            [step.basis, *basis],
            slots=slots,
        )
        for slot in slots:
            slot.tellers.append(draft)
        if not slots:
            draft.cards = (UNKNOWN,) * -step.change
        if len(self._pile):
            draft.wait = step.first_t + _REST_WAIT
        if seat is None and not basis:
            draft.wait = step.first_t + SEAT_WAIT
            self._recent_steps.drawn.append(draft)
        self._context.place(draft.names(), target)
        self._pile.settle(step, draft if len(self._pile) and seat is not None else None)
        return draft

    def _just_drawn(self, crossing: Crossing) -> bool:
        """Return True if a gate read a card on its way into the hand: from the stock, having crossed only once since.

        Such an answer must not name a discard: it would reveal a card that was never shown.
        """
        crossings, mouths = self._context.crossings, self._context.roles.mouths
        drawn = [c for c in crossings.near(mouths, crossing.t - _DRAW_S, crossing.t) if c.card == crossing.card]
        if not drawn:
            return False
        since = [c for c in crossings.near((crossing.zone,), drawn[-1].t, crossing.t) if c.card == crossing.card]
        return len(since) < 2

    def name_by(self, draft: Draft, crossings: list[Crossing]) -> None:
        """Gates read a card on its way to the pile: they vote for what ``draft``, if it lays a single one, has laid."""
        if len(draft.slots) != 1:
            return
        for crossing in crossings:
            if crossing.card is not None:
                draft.slots[0].vote(crossing.card)
                draft.lean("tags")
