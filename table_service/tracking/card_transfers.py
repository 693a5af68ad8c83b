"""Steps of the scales → what was done: a movement, the other half of one, or one before that was weighed wrongly."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import SEATS
from hw.zones import gate
from table_service.tracking.commit_order import Draft
from table_service.tracking.context import TrackingContext
from table_service.tracking.discarding import Discarding
from table_service.tracking.drawing import Drawing
from table_service.tracking.lingering import Lingering
from table_service.tracking.movements import Unverified
from table_service.tracking.pile_plate import PilePlate
from table_service.tracking.plate_hands import is_handled
from table_service.tracking.plates import TOGETHER, Plates
from table_service.tracking.recent_steps import RecentSteps
from table_service.tracking.scale_health import ScaleHealth
from table_service.tracking.scale_steps import ScaleStep

_PASS: Final = 0.4
"""Seconds in which a card that left one scale may still come onto another under the same hand: not yet a draw."""
_COMES: Final = 6.0
"""Seconds for which a card that the pile's coil reads is waited for by the pile's scale and in frames."""
_PROVEN: Final = 0.9999
_SWINGS: Final = 3
"""Swings since the deal from which a plate swings whenever a card comes or goes."""


class CardTransfers:
    """Puts together what one hand did: one card may leave one scale and come onto another."""

    def __init__(
        self,
        context: TrackingContext,
        plates: Plates,
        recent_steps: RecentSteps,
        health: ScaleHealth,
        pile: PilePlate,
        drawing: Drawing,
    ) -> None:
        self._context = context
        self._roles = context.roles
        self._plates = plates
        self._recent_steps = recent_steps
        self._health = health
        self._pile = pile
        self._drawing = drawing
        self._discarding = Discarding(context, recent_steps, pile)
        self.lingering = Lingering(context)

    def hold_for_partners(self) -> None:
        """Let a draft that is not emitted yet wait for a scale that has just begun to swing under the same hand."""
        for step, draft in self._recent_steps.moves:
            if draft.id is None and step.change < 0 and self._plates.has_partner(step, self._context.now):
                draft.wait = max(draft.wait, step.first_t + TOGETHER + 0.6)

    def follow(self, step: ScaleStep) -> None:
        """Follow one step that is cards': what is said of it goes to the outbox."""
        self._health.moved(step.zone, step.first_t)
        self._recent_steps.moves = [(s, d) for s, d in self._recent_steps.moves if step.t - s.t < 30.0]
        if self._revised(step):
            return
        if self._is_stray(step):
            scale = self._plates.scales[step.zone]
            scale.settle_on(scale.count - step.change)
            return
        for other, draft in self._recent_steps.moves:
            if self._one_gesture(step, other, draft):
                self._combine(step, other, draft)
                return
        draft = self._draft(step)
        if step.zone == self._roles.drawn:
            self._drawing.explained()
        self._recent_steps.moves.append((step, draft))
        if step.change < 0 and step.zone != self._roles.pile:
            draft.wait = max(draft.wait, step.first_t + _PASS)
        if self._plates.has_partner(step, self._context.now):
            draft.wait = max(draft.wait, step.t + TOGETHER)
        if step.zone == self._roles.drawn and step.change == -1 and self._lies_on_pile(step):
            draft.wait = max(draft.wait, step.first_t + _COMES)
        self.lingering.watch(step, draft)
        self._context.outbox.put(draft)

    def _lies_on_pile(self, step: ScaleStep) -> bool:
        """Return True if the pile's coil reads the card that left the stock's mouth, before its scale reports it."""
        crossings = self._context.crossings
        mouth = {c.card for c in crossings.near(self._roles.mouths, step.first_t - 0.5, step.first_t + 0.1)} - {None}
        return any(
            c.card in mouth and self._context.lasts(c)
            for c in crossings.near((self._roles.pile,), step.first_t - 0.1, step.first_t + TOGETHER)
        )

    def _is_stray(self, step: ScaleStep) -> bool:
        """Return True if coarse readings alone show a card on the pile though its plate did not swing; none is seen."""
        scale = self._plates.at(step.zone)
        if scale is None:
            return False
        swings = step.zone == self._roles.pile and scale.swings >= _SWINGS and not scale.fine
        return swings and step.change > 0 and not step.swung and not self._pile.shows_more_since(step.first_t)

    def _revised(self, step: ScaleStep) -> bool:
        """Revise an uncertain change by one that did not swing the plate: the first was weighed wrongly."""
        if step.swung:
            return step.basis != "sight" and self._let_go(step)
        for place in range(len(self._recent_steps.moves) - 1, -1, -1):
            other, draft = self._recent_steps.moves[place]
            if other.zone != step.zone:
                continue
            total = other.change + step.change
            unsure = other.confidence < _PROVEN and not draft.gone and draft.source != draft.target
            same_way = total * other.change >= 0
            if not unsure or not same_way:
                return self._unexplained(step)
            if step.zone == self._roles.pile:
                self._pile.restack(step, draft)
            if total == 0:
                self._context.outbox.drop(draft, step.t, "the scale was misread")
            else:
                draft.cards = (UNKNOWN,) * abs(total)
                self._context.outbox.rename(draft, step.t, ("scale",), round(step.confidence, 6))
            self._recent_steps.moves[place] = (replace(other, change=total, confidence=step.confidence), draft)
            return True
        return self._unexplained(step)

    def _let_go(self, step: ScaleStep) -> bool:
        """Drop cards that no frame or gate showed: a hand only pressed on the pile, and lets go."""
        last = next(
            ((other, draft) for other, draft in reversed(self._recent_steps.moves) if other.zone == step.zone), None
        )
        if step.zone != self._roles.pile or last is None:
            return False
        other, draft = last
        brought = (
            other.change > 0 and draft.target == self._roles.pile and not draft.gone and other.confidence < _PROVEN
        )
        if not brought or other.change + step.change or any(slot.votes for slot in draft.slots):
            return False
        hands = self._context.hands_at(step.zone, other.first_t, step.first_t)
        if not any(hand.covers(other.first_t) and hand.covers(step.first_t) for hand in hands):
            return False
        self._pile.restack(step, draft)
        self._context.outbox.drop(draft, step.t, "a hand pressed on the pile")
        self._recent_steps.moves.remove(last)
        return True

    def _unexplained(self, step: ScaleStep) -> bool:
        """Report a change without a swing at a plate that otherwise swings: weight and sight do not agree."""
        scale = self._plates.at(step.zone)
        if scale is None or scale.swings < _SWINGS or is_handled(self._context, step):
            return False
        if step.zone == self._roles.pile:
            self._pile.amend(step)
        self._context.outbox.put(Unverified(step.t, step.zone, "the weight has changed although nothing came or went"))
        return True

    def _one_gesture(self, step: ScaleStep, other: ScaleStep, draft: Draft) -> bool:
        return (
            step.zone != other.zone
            and step.change == -other.change
            and not (step.shown or other.shown)
            and not step.basis == other.basis == "sight"  # evidence of frames is dated by them, not by the hand
            and abs(step.first_t - other.first_t) < TOGETHER
            and (draft.id is None or self._came_from_nowhere(step, draft) or self._passed_on(step, draft))
            and not draft.gone
            and not self._in_hand(min(step.first_t, other.first_t), max(step.first_t, other.first_t))
            and not self._shows_another(step if step.zone == self._roles.drawn else other, draft)
        )

    def _shows_another(self, taken: ScaleStep, draft: Draft) -> bool:
        """Return True if frames show another card come to the pile than the one that the stock's mouth gave up."""
        come = [slot.likeliest for slot in draft.slots] or [self._pile.newcomer]
        lies = set(map(face, come)) - {UNKNOWN}
        mouth = self._context.crossings.near(self._roles.mouths, taken.first_t - 0.5, taken.first_t + 0.1)
        read = {face(c.card) for c in mouth if c.card is not None and self._context.lasts(c)}
        return bool(lies and read) and not lies & read

    def _in_hand(self, start: float, end: float) -> bool:
        """Return True if a seat's gate read the card that left the stock's mouth before the pile grew: in a hand."""
        crossings = self._context.crossings
        mouth = {c.card for c in crossings.near(self._roles.mouths, start - 0.5, start + 0.5) if c.card is not None}
        gates = tuple(gate(seat) for seat in SEATS)
        return any(c.card in mouth and self._context.lasts(c) for c in crossings.near(gates, start, end))

    def _came_from_nowhere(self, step: ScaleStep, draft: Draft) -> bool:
        """Return True if no hand brought the card on the pile, and the stock lacks one; no gate read another card."""
        if (
            draft.source is not None
            or draft.target != self._roles.pile
            or step.zone != self._roles.drawn
            or len(draft.slots) != 1
        ):
            return False
        gates = (*self._roles.mouths, *(gate(seat) for seat in SEATS))
        read = self._context.crossings.near(gates, step.first_t - 0.5, step.first_t + 1.5)
        lies = face(draft.slots[0].likeliest)
        return all(c.card is None or face(c.card) == lies for c in read)

    def _passed_on(self, step: ScaleStep, draft: Draft) -> bool:
        """Return True if a card drawn a moment ago lies on the pile, and only its drawer can have laid it there."""
        if step.zone != self._roles.pile or step.change < 0 or draft.source != self._roles.drawn:
            return False
        hands = self._context.hands_at(draft.source, draft.committed_t, step.first_t)
        own = any(i.covers(draft.committed_t, 0.1) and i.covers(step.first_t) for i in hands)
        return own and not self._context.hands_at(step.zone, step.first_t - 0.35, step.t)

    def _combine(self, step: ScaleStep, other: ScaleStep, draft: Draft) -> None:
        """Combine the steps of a card that went straight from one scale to the other."""
        self._recent_steps.moves.remove((other, draft))
        if draft.id is not None:  # emitted without a source: retracted, and emitted whole
            draft = self._said_anew(draft, step.t)
        origin, goal = (step, other) if step.change < 0 else (other, step)
        mine = self._draft(step)
        for slot in mine.slots:
            slot.tellers = [draft if teller is mine else teller for teller in slot.tellers]
        draft.source, draft.target = origin.zone, goal.zone
        draft.committed_t = min(draft.committed_t, mine.committed_t)
        draft.t = max(draft.t, mine.t)
        draft.slots = draft.slots or mine.slots
        if draft.seat is None:
            draft.seat, draft.confidence = mine.seat, mine.confidence
        draft.wait = max(draft.wait, mine.wait)
        draft.lean(*mine.basis)
        self._recent_steps.no_longer_drawn(draft)
        self._recent_steps.no_longer_drawn(mine)
        if goal.zone == self._roles.pile:
            self._discarding.name_by(
                draft, self._context.crossings.near(self._roles.mouths, draft.committed_t - 0.4, draft.t)
            )
        self._context.place(draft.names(), goal.zone)
        self._context.outbox.drop(mine, step.t, "")
        self._pile.ready_if_named(draft)

    def _said_anew(self, draft: Draft, t: float) -> Draft:
        self._context.outbox.drop(draft, t, "the card came from another scale")
        anew = replace(draft, id=None, told=(), gone=False)
        for slot in anew.slots:
            slot.tellers = [anew if teller is draft else teller for teller in slot.tellers]
        self._context.outbox.put(anew)
        return anew

    def _draft(self, step: ScaleStep) -> Draft:
        if step.zone == self._roles.pile:
            return self._discarding.discarded(step) if step.change > 0 else self._discarding.collected(step)
        if step.change > 0:
            return self._drawing.came(step)
        return self._drawing.drew(step)
