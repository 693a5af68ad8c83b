"""Steps at the stock or the pots, and what gates show of them: which card was drawn, and by whom."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN
from hw.observations import Scale
from hw.seats import Seat
from hw.zones import gate, hand
from table_service.tracking.commit_order import READY, Draft
from table_service.tracking.context import TrackingContext
from table_service.tracking.plate_hands import SEAT_WAIT, who
from table_service.tracking.plates import Plates
from table_service.tracking.recent_steps import RecentSteps
from table_service.tracking.scale_health import ScaleHealth
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.scales import ScaleEstimator
from table_service.tracking.tags import Crossing

_MOUTH: Final = 5.0
"""Evidence of an answer at the mouth of the stock for a card that leaves it, in log-likelihood."""
_MOUTH_S: Final = 1.5
"""Seconds for which it does."""
_AT_MOUTH_S: Final = 0.4
"""Seconds after it was drawn within which a card answers at the mouth."""
_TAKEN: Final = 7.0
"""Evidence for a draw of a card never seen before, at a seat's gate just after the stock swung."""
_DRAW_SWING_S: Final = 1.3
_TOLD_S: Final = 0.1
"""Longest time, in seconds, in which a gate must have answered to show whose hand it was."""
_CARRY_S: Final = 0.6
"""From the stock to the drawer's gate, about."""
_BUNDLED_S: Final = 20.0
"""Seconds for which cards that went off the stock together may lie at its mouth before one of them is taken up."""


class Drawing:
    """Cards that leave or come to the stock and the pots, and the gates' word on them."""

    def __init__(
        self, context: TrackingContext, plates: Plates, recent_steps: RecentSteps, health: ScaleHealth
    ) -> None:
        self._context = context
        self._roles = context.roles
        self._plates = plates
        self._recent_steps = recent_steps
        self._health = health
        self._mouth: Crossing | None = None
        """Crossing at the stock's mouth that no step has explained yet."""
        self._lies: Crossing | None = None
        """Card read by the pile's coil that was not known to be there."""
        self._bundled: tuple[Seat | None, float] | None = None
        """Seat that took several cards off the stock at once, which no coil reads as they are stacked, and the time."""

    # Steps

    def drew(self, step: ScaleStep) -> Draft:
        """Cards left the stock or the pots."""
        first = self._context.crossings.near(self._roles.mouths, step.first_t - 0.45, step.first_t + 0.1)
        committed = first[0].t if first and step.zone == self._roles.drawn else step.first_t
        seat, sure, basis = who(self._context, step, step.first_t + 0.1, step.first_t + 1.4)
        target = self._context.source_hand(seat) if step.zone == self._roles.drawn else None
        draft = Draft(
            step.t,
            committed,
            (UNKNOWN,) * -step.change,
            step.zone,
            target,
            seat,
            step.confidence * sure,
            [step.basis, *basis],
        )
        if step.zone == self._roles.drawn:
            self._bundled = (seat, step.first_t) if step.change < -1 else None
        if step.zone == self._roles.drawn and step.change == -1:
            near = list(first)
            if seat is not None:
                near += self._context.at_gate(seat, committed + 0.2, committed + 1.6, step.zone)
            self._name_drawn(draft, [c for c in near if self._context.believed(c, step.zone)])
            self._recent_steps.drawn.append(draft)
            del self._recent_steps.drawn[:-6]
        if seat is None and not basis:
            draft.wait = step.first_t + SEAT_WAIT
            if draft not in self._recent_steps.drawn:
                self._recent_steps.drawn.append(draft)
        return draft

    def came(self, step: ScaleStep) -> Draft:
        """Cards came onto the stock or the pots."""
        seat, sure, basis = who(self._context, step, step.first_t - 1.0, step.first_t + 0.1)
        near = self._context.crossings.near(self._roles.mouths, step.first_t - 0.5, step.first_t + 0.1)
        committed = near[0].t if near and step.zone == self._roles.drawn else step.first_t
        draft = Draft(
            step.t,
            committed,
            (UNKNOWN,) * step.change,
            self._context.source_hand(seat or self._context.seat_by_gates(step.first_t - 1.2, step.first_t)),
            step.zone,
            seat,
            step.confidence * sure,
            [step.basis, *basis],
        )
        if seat is not None:
            near = near + self._context.at_gate(seat, step.first_t - 1.2, step.first_t, hand(seat))
        if step.change == 1:
            self._name_drawn(draft, [c for c in near if self._context.believed(c, draft.source)])
        return draft

    def _name_drawn(self, draft: Draft, crossings: list[Crossing]) -> None:
        cards = {c.card for c in crossings if c.card}
        if len(cards) == 1 and len(draft.cards) == 1:
            draft.cards = (cards.pop(),)
            draft.lean("tags")
            self._context.place(draft.cards, draft.target)

    # Gates

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self._mouth = self._lies = self._bundled = None

    def lies(self, crossing: Crossing) -> None:
        """Take an answer of the pile's own coil for a card not known to be there: its scale is to report one more."""
        lies = crossing.card is not None and self._context.places.get(crossing.card) == self._roles.pile
        if crossing.card is not None and not lies and not self._plates.setting:
            self._lies = crossing

    def crossed(self, crossing: Crossing) -> None:
        """Take a card that answered at a gate: it may name a card that was just drawn, or say by whom."""
        seat, stock = crossing.seat, self._roles.drawn
        if crossing.zone in self._roles.mouths:
            self._mouth = crossing
            if not self._plates.setting and self._context.believed(crossing, stock):
                self._health.saw(stock, crossing.t, crossing)
        elif seat is not None:
            self._speak_for_draw(crossing)
            if not self._plates.setting and self._comes_from_stock(crossing, seat):
                self._health.saw(stock, crossing.t - _CARRY_S, crossing)
        for draft in reversed(self._recent_steps.drawn):
            since = crossing.t - draft.committed_t
            if not draft.gone and 0 <= since <= SEAT_WAIT:
                self._tells_of(draft, crossing, since)

    def _tells_of(self, draft: Draft, crossing: Crossing, since: float) -> None:
        """Use an answer ``since`` seconds after ``draft`` was drawn: it names the card, or shows that a seat comes."""
        if crossing.seat is None:
            at_mouth = crossing.zone in self._roles.mouths and draft.source == self._roles.drawn
            if at_mouth and since < _AT_MOUTH_S:
                self._draw_named(draft, crossing)
            return
        if draft.id is None and draft.seat is None:
            draft.wait = max(draft.wait, crossing.t + _TOLD_S)
        if draft.seat == crossing.seat and draft.source == self._roles.drawn:
            self._draw_named(draft, crossing)

    @property
    def waits(self) -> bool:
        """True if a gate may still show whose hand took cards."""
        return any(draft.id is None and draft.seat is None and not draft.gone for draft in self._recent_steps.drawn)

    def look_at_time(self) -> None:
        """Attribute draws to a seat once its gate has answered for longer than a neighbour's ghost."""
        for draft in self._recent_steps.drawn:
            if draft.id is None and draft.seat is None and not draft.gone:
                self._told_by_gate(draft)

    def _told_by_gate(self, draft: Draft) -> None:
        start, end = draft.committed_t, draft.committed_t + SEAT_WAIT
        seat = self._context.seat_by_gates(start, end)
        if seat is None:
            return
        draft.seat, draft.confidence = seat, min(draft.confidence * 1.8, 0.93)
        draft.target = hand(seat) if draft.source in (self._roles.drawn, self._roles.pile) else None
        draft.wait = READY
        draft.lean("tags")
        if draft.source == self._roles.drawn:
            for crossing in self._context.crossings.near((gate(seat),), start, end):
                self._draw_named(draft, crossing)

    def _comes_from_stock(self, crossing: Crossing, seat: Seat) -> bool:
        """Return True if a card that was never seen crosses a seat's gate as that seat's hand comes from the stock."""
        stock = self._roles.drawn
        if (
            crossing.card is None
            or crossing.card in self._context.places
            or not self._context.believed(crossing, stock)
        ):
            return False
        who, since = self._bundled or (None, -_BUNDLED_S)
        if who in (seat, None) and crossing.t < since + _BUNDLED_S:
            return False  # it is one of those that lay at the stock's mouth, and have been weighed
        there = self._context.reaches.between(stock, crossing.t - _CARRY_S, crossing.t)
        return any(i.seat is seat and i.start + _CARRY_S / 2 < crossing.t for i in there)

    def _speak_for_draw(self, crossing: Crossing) -> None:
        """Count a card that was never seen at a seat's gate just after the stock has swung as drawn."""
        stock = self._plates.at(self._roles.drawn)
        fresh = crossing.card is not None and crossing.card not in self._context.places
        if stock is not None and fresh and stock.swung_within(_DRAW_SWING_S, crossing.t):
            stock.hint(-1, _TAKEN, crossing.t)

    def _draw_named(self, draft: Draft, crossing: Crossing) -> None:
        if draft.cards != (UNKNOWN,) or not self._context.believed(crossing, draft.source):
            return
        self._name_drawn(draft, [crossing])
        self._context.outbox.rename(draft, crossing.t, ("tags",), 0.97)

    def speak_for(self, estimator: ScaleEstimator, scale: Scale) -> None:
        """Make it likely that a card goes, or has come, by one at the mouth of the stock, or on the pile's coil.

        A neighbour's ghost makes nothing likely.
        """
        drawn = scale.zone == self._roles.drawn
        read = self._mouth if drawn else self._lies if scale.zone == self._roles.pile else None
        if read is not None and read.t < scale.t <= read.t + _MOUTH_S and self._context.lasts(read):
            estimator.hint(-1 if drawn else 1, _MOUTH, read.t + _MOUTH_S)

    def explained(self) -> None:
        """Forget what the mouth answered before: a step of the stock is a movement now, and it speaks for no other."""
        self._mouth = None
