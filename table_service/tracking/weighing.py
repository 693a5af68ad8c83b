"""Scales → movements at the stock, the discard pile and the pots.

How many by weight, who by beam or gate, which by tag and, for the pile, by the camera.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Final

from hw.cards import UNKNOWN, face
from hw.observations import Scale
from hw.seats import SEATS, Seat
from hw.zones import DISCARD, GATE_STOCK, POTS, STOCK, gate, hand
from table_service.tracking.desk import Desk
from table_service.tracking.holding import MOST, Held, is_plain
from table_service.tracking.movements import Counted, Unverified
from table_service.tracking.outbox import READY, Draft
from table_service.tracking.pile import Pile, Slot
from table_service.tracking.reaches import ANYWHERE, LONGEST
from table_service.tracking.scales import Misfit, Noise, ScaleEstimator, Step
from table_service.tracking.sequences import Faces
from table_service.tracking.tags import Crossing
from table_service.tracking.witness import Witness

SCALED: Final = (STOCK, DISCARD, POTS)
TOGETHER: Final = 0.7
"""Seconds within which a card that leaves one scale and one that comes onto another are the same card."""
_PASS: Final = 0.4
"""Seconds in which a card that left one scale may still come onto another under the same hand: not yet a draw."""
_SEEN: Final = 26.0
"""How far frames that make sure of another number of cards in the pile speak for it, in log-likelihood."""
_PROVEN: Final = 0.9999
_MOUTH: Final = 5.0
"""How far an answer at the mouth of the stock speaks for a card that leaves it, in log-likelihood."""
_SWINGS: Final = 3
"""A plate that has swung so often since the deal swings whenever a card comes or goes."""
_TAKEN: Final = 7.0
"""How far a card never seen before, at a seat's gate just after the stock swung, speaks for a draw."""
_DRAW_SWING_S: Final = 1.3
_NAME_WAIT: Final = 3.5
_GHOST_S: Final = 0.05
"""A seat's coil that answers longer has the card before it; a neighbour's ghost lasts one scan."""
_CARRY_S: Final = 0.6
"""From the stock to the drawer's gate, about."""
_DRAW_S: Final = 3.0
"""From the mouth of the stock to the drawer's gate, at the longest."""
_RESTING: Final = 4.5
"""Seconds after which a hand that came to a plate is taken to rest there."""
_SEAT_WAIT: Final = 1.6
_REST_WAIT: Final = 2.6


class Weighing:
    """The scales of a table and the pile that lies on one of them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._noise = Noise()
        self.scales: dict[str, ScaleEstimator] = {}
        self.pile = Pile()
        self._witness = Witness()
        self.setting = False
        """Between ``deal`` and ``start-play``: what comes onto a scale is being set out and is counted, not moved."""
        self._recent: list[tuple[Step, Draft]] = []
        self._drawn: list[Draft] = []
        self._confirm: dict[str, int] = {}
        self._held: dict[str, Held] = {}
        self._misfits: dict[str, Misfit] = {}
        self._heaps = 0
        self._pile_since = READY
        self._mouth_t = READY
        self._pile_shown = READY
        """When the newest frame was taken that was compared with the pile."""
        self._late_looks: list[tuple[float, Faces]] = []
        self._fitting = (-inf, -inf)
        """The last two frames that showed the pile as it is believed to lie."""
        self._fitted = -inf

    def reset(self) -> None:
        """The table is cleared and the scales are tared."""
        self.scales = {zone: self._new(zone, tared=True) for zone in {**dict.fromkeys(SCALED), **self.scales}}
        self.pile = Pile()
        self.setting = True
        self._recent, self._drawn, self._confirm = [], [], {}
        self._held, self._misfits = {}, {}
        self._late_looks = []
        self._witness.forget()

    def _new(self, zone: str, *, tared: bool) -> ScaleEstimator:
        return ScaleEstimator(zone, self._desk.header.card_grams, self._noise, tared=tared)

    def pending_since(self, now: float) -> float:
        """Since when a scale shows something that is not decided; infinite where none does."""
        since = [s for scale in self.scales.values() if (s := scale.pending_since(now)) is not None]
        since += [s for held in self._held.values() if (s := held.since(now)) is not None]
        return min(since, default=float("inf"))

    # Readings

    def feed(self, scale: Scale) -> None:
        """Take one reading."""
        estimator = self.scales.get(scale.zone)
        if estimator is None:
            estimator = self.scales[scale.zone] = self._new(scale.zone, tared=False)
        self._listen(estimator, scale)
        hand_there = bool(self._desk.hands_at(scale.zone, scale.t - 1.0, scale.t))
        self._speak_for(estimator, scale)
        found = estimator.feed(scale.t, scale.grams, settled=scale.settled, hand=hand_there)
        if found:
            self._found(found)
        if self._held or self._misfits:
            self._believe()
        if self._recent:
            self._hold_for_partners()
        if self._confirm and scale.settled and scale.zone in self._confirm:
            self._confirming(scale)

    def _listen(self, estimator: ScaleEstimator, scale: Scale) -> None:
        """A scale that was silent, or told nothing of what was seen, and speaks again is counted anew."""
        zone, witness = scale.zone, self._witness
        lost = witness.is_lost(zone)
        witness.heard(scale, fine=estimator.fine)
        if lost and not witness.is_lost(zone):
            self._confirm[zone] = 0
            estimator.unheard(scale.t)

    def _speak_for(self, estimator: ScaleEstimator, scale: Scale) -> None:
        """A card at the mouth of the stock makes it likely that one is drawn or put back."""
        if scale.zone == STOCK and self._mouth_t < scale.t <= self._mouth_t + 1.5:
            estimator.hint(-1, _MOUTH, self._mouth_t + 1.5)

    def _hold_for_partners(self) -> None:
        """A draft that is not said yet waits for a scale that has just begun to swing under the same hand."""
        for step, draft in self._recent:
            if draft.id is None and step.change < 0 and self._partner_pending(step):
                draft.wait = max(draft.wait, step.first_t + TOGETHER + 0.6)

    def assured(self, zone: str) -> float:
        """Up to when ``zone`` holds what is believed: by its scale, or for the pile by two frames since it changed."""
        scale = self.scales.get(zone)
        if scale is None or scale.pending_since(self._desk.now) is not None:
            return -inf
        if self._witness.asked(zone) or not self._witness.speaks(zone, self._desk.now):
            return -inf
        if zone == DISCARD and self.pile.surplus:
            return -inf
        if zone == DISCARD and not scale.fine:
            return self._fitting[0]
        return scale.assured(self._desk.now)

    @property
    def assured_before(self) -> float:
        """The same of the pile, before its number changed last."""
        scale = self.scales.get(DISCARD)
        return inf if scale is not None and scale.fine else self._fitted

    def look_at_time(self) -> None:
        """Decide what only the silence of a scale decides, and give up waiting for what does not come."""
        for estimator in self.scales.values():
            if estimator.restless:
                self._found(estimator.look_at_time(self._desk.now))
        if self._held or self._misfits:
            self._believe()
        now = self._desk.now
        for zone in self._witness.contradicted(now):
            self._desk.outbox.put(Unverified(now, zone, "its scale did not tell of a card that another sensor saw"))
        for zone in self._witness.silent(now):
            self._desk.outbox.put(Unverified(now, zone, "its scale has fallen silent"))

    @property
    def restless(self) -> bool:
        """Whether time alone may decide something."""
        held = bool(self._held or self._misfits) or self._witness.waiting
        return held or any(estimator.restless for estimator in self.scales.values())

    def counted(self, zone: str) -> int | None:
        """How many cards lie in ``zone`` where the scale is at rest and well; else None."""
        scale = self.scales.get(zone)
        if scale is None or not scale.counted or scale.restless or zone in self._held or zone in self._confirm:
            return None
        if self._witness.asked(zone) or not self._witness.speaks(zone, self._desk.now) or not scale.is_sure:
            return None
        return scale.count

    @property
    def counts(self) -> dict[str, int]:
        """How many cards lie on each scale, as far as they are believed."""
        held = {zone: held.net for zone, held in self._held.items()}
        return {zone: scale.count - held.get(zone, 0) for zone, scale in self.scales.items()}

    def _found(self, found: list[Step | Misfit]) -> None:
        for item in found:
            if isinstance(item, Misfit) and not item.fits and self._is_touched(item.zone):
                self._misfits[item.zone] = item
            elif isinstance(item, Misfit):
                if self._misfits.pop(item.zone, None) is None:
                    self._misfit(item)
            elif self._is_setting(item):
                self._desk.outbox.put(Counted(item.t, item.zone, item.count, round(item.confidence, 6)))
                if item.zone == DISCARD:
                    self._desk_pile(item, None)
                if item.zone == POTS:
                    self._heaps = item.count
            else:
                self._weighed(item)

    # Weights that are no cards

    def _weighed(self, step: Step) -> None:
        """A change is a card's at once where other sensors speak for it; any other is held."""
        held = self._held.get(step.zone)
        if held is None and (not step.swung or is_plain(step, self._pot) or self._spoken_for(step)):
            self._step(step)
            return
        if held is not None and self._carried_off(held, step):
            del self._held[step.zone]
            self._step(held.whole())
            self._step(step)
            return
        if held is None:
            held = self._held[step.zone] = Held()
        held.add(step)
        if not held.steps:
            del self._held[step.zone]

    def _carried_off(self, held: Held, step: Step) -> bool:
        """Whether ``step`` takes off the pile more than is held, or another hand takes it: then cards had come."""
        if step.zone != DISCARD or not step.change < 0 < held.net:
            return False
        if -step.change > held.net:
            return True
        before = {i.seat for i in self._desk.hands_at(step.zone, held.steps[0].first_t - 0.35, held.steps[-1].t)}
        there = self._desk.hands_at(step.zone, step.first_t - 0.35, step.t)
        return any(i.start > held.steps[-1].t and i.seat is not None and i.seat not in before for i in there)

    def _believe(self) -> None:
        """Let go what is held and is borne out by now, and tell of plates on which something else lies."""
        for zone, held in tuple(self._held.items()):
            scale, whole = self.scales[zone], held.whole()
            spoken = is_plain(whole, self._pot) or self._spoken_for(whole)
            if not spoken and (scale.restless or not held.has_stayed(self._left(whole), scale.rested, self._desk.now)):
                continue
            if not spoken and held.is_residue and not scale.fine:
                scale.settle_on(scale.count - held.net)
                del self._held[zone]
                continue
            if not spoken and held.net > MOST and held.since(self._desk.now) is not None:
                if not held.told:
                    held.told = True
                    self._desk.outbox.put(
                        Unverified(self._desk.now, zone, "something lies there that no hand was seen to bring")
                    )
                continue
            del self._held[zone]
            self._step(whole)
        for zone, misfit in tuple(self._misfits.items()):
            if not self._is_touched(zone):
                del self._misfits[zone]
                self._misfit(misfit)

    @property
    def _pot(self) -> int:
        """How many cards make one of the two heaps that lay on the pots' scale when it was first counted."""
        return self._heaps // 2

    def _is_touched(self, zone: str) -> bool:
        now = self._desk.now
        return any(i.covers(now, 0.5) for i in self._desk.hands_at(zone, now - 0.5, now))

    def _left(self, step: Step) -> float | None:
        """When the last hand has left, or is taken to have left, that was there since ``step`` began."""
        hands = self._desk.hands_at(step.zone, step.first_t - 0.35, self._desk.now)
        return max((i.start + LONGEST if i.end is None else i.end for i in hands), default=None)

    def _spoken_for(self, step: Step) -> bool:
        """Whether another sensor than the scale tells of the cards that ``step`` laid down."""
        crossings = self._desk.crossings
        if step.zone == STOCK:
            if step.change == 1 and crossings.near((GATE_STOCK,), step.first_t - 0.5, step.first_t + 0.1):
                return True
            return step.change == 1 and self._carried_in(step, step.first_t - 1.2)
        if step.zone != DISCARD or step.change < 0:
            return False
        if self._pile_shown >= step.first_t and self.pile.surplus:
            return True
        if crossings.first_change(DISCARD, step.first_t - 0.35, step.first_t + 0.1) is not None:
            return step.change <= MOST
        return step.change == 1 and (self._partner_of(step) or self._carried_in(step, step.first_t - 0.8))

    def _carried_in(self, step: Step, start: float) -> bool:
        """Whether a gate read a card that a hand at the plate carried there."""
        hands = self._desk.hands_at(step.zone, step.first_t - 0.35, step.t)
        seats = {i.seat for i in hands if i.seat is not None} or set(SEATS)
        start = min([start, *(i.start for i in hands if step.first_t - i.start < LONGEST / 2)]) - 0.3
        return any(self._desk.at_gate(seat, start, step.first_t + 0.1, None) for seat in seats)

    def _partner_of(self, step: Step) -> bool:
        """Whether the stock has lost a card at about that time."""
        if any(s.zone == STOCK and s.change < 0 and abs(s.first_t - step.first_t) < TOGETHER for s, _ in self._recent):
            return True
        stock = self.scales.get(STOCK)
        since = None if stock is None else stock.pending_since(self._desk.now)
        return since is not None and abs(since - step.first_t) < TOGETHER

    def _is_setting(self, step: Step) -> bool:
        estimator = self.scales[step.zone]
        if not estimator.tared:
            return step.first
        return self.setting or (step.first and step.zone != DISCARD and step.change > 1)

    def _misfit(self, misfit: Misfit) -> None:
        outbox = self._desk.outbox
        if misfit.fits:
            outbox.put(Counted(misfit.t, misfit.zone, misfit.count, 0.9))
        else:
            outbox.put(Counted(misfit.t, misfit.zone, None, 0.9))
            outbox.put(Unverified(misfit.t, misfit.zone, "the weight is no whole number of cards"))

    def doubt(self, zone: str, t: float, reason: str) -> None:
        """Readings of ``zone`` are missing up to ``t``: what lies there must be confirmed by the scale."""
        self._desk.outbox.put(Unverified(t, zone, reason))
        self._confirm[zone] = 0
        self.scales[zone].unheard(t)

    def _confirming(self, scale: Scale) -> None:
        estimator = self.scales[scale.zone]
        if estimator.restless:
            self._confirm[scale.zone] = 0
            return
        self._confirm[scale.zone] += 1
        if self._confirm[scale.zone] >= 2:
            del self._confirm[scale.zone]
            self._desk.outbox.put(Counted(scale.t, scale.zone, estimator.count, 0.9))

    # Steps

    def _step(self, step: Step) -> None:
        self._witness.moved(step.zone, step.first_t)
        self._recent = [(s, d) for s, d in self._recent if step.t - s.t < 30.0]
        if self._revised(step):
            return
        for other, draft in self._recent:
            if self._one_gesture(step, other, draft):
                self._combine(step, other, draft)
                return
        draft = self._draft(step)
        if step.zone == STOCK:
            self._mouth_t = READY
        self._recent.append((step, draft))
        if step.change < 0 and step.zone != DISCARD:
            draft.wait = max(draft.wait, step.first_t + _PASS)
        if self._partner_pending(step):
            draft.wait = max(draft.wait, step.t + TOGETHER)
        self._desk.outbox.put(draft)

    def _revised(self, step: Step) -> bool:
        """A change that did not swing the plate, after one that was not sure: that one was weighed wrongly."""
        if step.swung:
            return False
        for place in range(len(self._recent) - 1, -1, -1):
            other, draft = self._recent[place]
            if other.zone != step.zone:
                continue
            total = other.change + step.change
            unsure = other.confidence < _PROVEN and not draft.gone and draft.source != draft.target
            same_way = total * other.change >= 0
            if not unsure or not same_way:
                return self._unexplained(step)
            if step.zone == DISCARD:
                self._restack(step, draft)
            if total == 0:
                self._desk.outbox.drop(draft, step.t, "the scale was misread")
            else:
                draft.cards = (UNKNOWN,) * abs(total)
                self._desk.outbox.rename(draft, step.t, ("scale",), round(step.confidence, 6))
            self._recent[place] = (replace(other, change=total, confidence=step.confidence), draft)
            return True
        return self._unexplained(step)

    def _unexplained(self, step: Step) -> bool:
        """No plate changes without swinging: where this one swings else, the weight and what was seen do not agree."""
        if self.scales[step.zone].swings < _SWINGS or self._handled(step):
            return False
        if step.zone == DISCARD:
            self.pile.push(step.change) if step.change > 0 else self.pile.pop(-step.change)
        self._desk.outbox.put(Unverified(step.t, step.zone, "the weight has changed although nothing came or went"))
        return True

    def _handled(self, step: Step) -> bool:
        return bool(self._desk.hands_at(step.zone, step.first_t - 0.35, step.t))

    def _restack(self, step: Step, draft: Draft) -> None:
        """Make good in the pile what ``draft`` took or laid too many or too few."""
        count = abs(step.change)
        if draft.source == DISCARD and step.change > 0:
            self.pile.slots.extend(draft.slots[:count])
            del draft.slots[:count]
        elif draft.source == DISCARD:
            more = self.pile.pop(count)
            draft.slots = more + draft.slots
            for slot in more:
                slot.tellers.append(draft)
        elif step.change < 0:
            gone = self.pile.pop(count)
            draft.slots = [slot for slot in draft.slots if slot not in gone]
        else:
            for slot in self.pile.push(count):
                draft.slots.append(slot)
                slot.tellers.append(draft)

    def _one_gesture(self, step: Step, other: Step, draft: Draft) -> bool:
        return (
            step.zone != other.zone
            and step.change == -other.change
            and abs(step.first_t - other.first_t) < TOGETHER
            and (draft.id is None or self._came_from_nowhere(step, draft) or self._passed_on(step, draft))
            and not draft.gone
            and not self._in_hand(min(step.first_t, other.first_t), max(step.first_t, other.first_t))
        )

    def _in_hand(self, start: float, end: float) -> bool:
        """Whether a seat's gate read the card that the stock's mouth gave up, before the pile grew: it is in a hand."""
        crossings = self._desk.crossings
        mouth = {c.card for c in crossings.near((GATE_STOCK,), start - 0.5, start + 0.5) if c.card is not None}
        gates = tuple(gate(seat) for seat in SEATS)
        return any(
            c.card in mouth and (self._desk.now if c.end is None else c.end) - c.t > _GHOST_S
            for c in crossings.near(gates, start, end)
        )

    def _came_from_nowhere(self, step: Step, draft: Draft) -> bool:
        """A card on the pile that no hand brought, and a stock that lacks one; no gate read another card."""
        if draft.source is not None or draft.target != DISCARD or step.zone != STOCK or len(draft.slots) != 1:
            return False
        gates = (GATE_STOCK, *(gate(seat) for seat in SEATS))
        read = self._desk.crossings.near(gates, step.first_t - 0.5, step.first_t + 1.5)
        lies = face(draft.slots[0].likeliest)
        return all(c.card is None or face(c.card) == lies for c in read)

    def _passed_on(self, step: Step, draft: Draft) -> bool:
        """A card drawn a moment ago lies on the pile, and no other hand than the drawer's can have laid it there."""
        if step.zone != DISCARD or step.change < 0 or draft.source != STOCK:
            return False
        hands = self._desk.hands_at(STOCK, draft.committed_t, step.first_t)
        own = any(i.covers(draft.committed_t, 0.1) and i.covers(step.first_t) for i in hands)
        return own and not self._desk.hands_at(DISCARD, step.first_t - 0.35, step.t)

    def _partner_pending(self, step: Step) -> bool:
        for zone, estimator in self.scales.items():
            since = estimator.pending_since(self._desk.now)
            if zone != step.zone and since is not None and abs(since - step.first_t) < TOGETHER:
                return True
        return False

    def _combine(self, step: Step, other: Step, draft: Draft) -> None:
        """A card went straight from one scale to the other."""
        self._recent.remove((other, draft))
        if draft.id is not None:  # said as coming from nowhere: taken back, and told whole
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
        if draft in self._drawn:
            self._drawn.remove(draft)
        if mine in self._drawn:
            self._drawn.remove(mine)
        if goal.zone == DISCARD:
            self._name_by(draft, self._desk.crossings.near((GATE_STOCK,), draft.committed_t - 0.4, draft.t))
        self._desk.place(draft.names(), goal.zone)
        self._desk.outbox.drop(mine, step.t, "")
        self._ready_if_named(draft)

    def _said_anew(self, draft: Draft, t: float) -> Draft:
        self._desk.outbox.drop(draft, t, "the card came from another scale")
        anew = replace(draft, id=None, told=(), gone=False)
        for slot in anew.slots:
            slot.tellers = [anew if teller is draft else teller for teller in slot.tellers]
        self._desk.outbox.put(anew)
        return anew

    def _draft(self, step: Step) -> Draft:
        if step.zone == DISCARD:
            return self._discarded(step) if step.change > 0 else self._collected(step)
        if step.change > 0:
            return self._came(step)
        return self._drew(step)

    def _who(self, step: Step, start: float, end: float) -> tuple[Seat | None, float, list[str]]:
        """The seat whose hand made ``step``, how sure, by which sensors; a gate may tell from ``start`` to ``end``."""
        desk = self._desk
        hands = [i for i in desk.hands_at(step.zone, step.first_t - 0.35, step.t) if i.start <= step.first_t + 0.05]
        hands = [i for i in hands if i.seat is not None or i.zone != ANYWHERE]  # a stranger's, nobody knows where
        hands = [i for i in hands if step.first_t - i.start < _RESTING]  # an arm that rests there has moved nothing
        seats = {i.seat for i in hands}
        by_gate = None if len(seats) == 1 and hands[0].seat else desk.seat_by_gates(start, end)
        if len(seats) == 1:
            seat = hands[0].seat
            return seat, (0.995 if seat else 0.9), ["reach"]
        if by_gate is not None and (not seats or by_gate in seats):
            return by_gate, 0.93, ["tags"]
        return None, 0.5, []

    def _drew(self, step: Step) -> Draft:
        """Cards left the stock or the pots."""
        first = self._desk.crossings.near((GATE_STOCK,), step.first_t - 0.45, step.first_t + 0.1)
        committed = first[0].t if first and step.zone == STOCK else step.first_t
        seat, sure, basis = self._who(step, step.first_t + 0.1, step.first_t + 1.4)
        target = self._desk.source_hand(seat) if step.zone == STOCK else None
        draft = Draft(
            step.t,
            committed,
            (UNKNOWN,) * -step.change,
            step.zone,
            target,
            seat,
            step.confidence * sure,
            ["scale", *basis],
        )
        if step.zone == STOCK and step.change == -1:
            near = list(first)
            if seat is not None:
                near += self._desk.at_gate(seat, committed + 0.2, committed + 1.6, STOCK)
            self._name_drawn(draft, [c for c in near if self._desk.believed(c, STOCK)])
            self._drawn.append(draft)
            del self._drawn[:-6]
        if seat is None and not basis:
            draft.wait = step.first_t + _SEAT_WAIT
            if draft not in self._drawn:
                self._drawn.append(draft)
        return draft

    def _name_drawn(self, draft: Draft, crossings: list[Crossing]) -> None:
        cards = {c.card for c in crossings if c.card}
        if len(cards) == 1 and len(draft.cards) == 1:
            draft.cards = (cards.pop(),)
            draft.lean("tags")
            self._desk.place(draft.cards, draft.target)

    def _came(self, step: Step) -> Draft:
        """Cards came onto the stock or the pots."""
        seat, sure, basis = self._who(step, step.first_t - 1.0, step.first_t + 0.1)
        near = self._desk.crossings.near((GATE_STOCK,), step.first_t - 0.5, step.first_t + 0.1)
        committed = near[0].t if near and step.zone == STOCK else step.first_t
        draft = Draft(
            step.t,
            committed,
            (UNKNOWN,) * step.change,
            self._desk.source_hand(seat or self._desk.seat_by_gates(step.first_t - 1.2, step.first_t)),
            step.zone,
            seat,
            step.confidence * sure,
            ["scale", *basis],
        )
        if seat is not None:
            near = near + self._desk.at_gate(seat, step.first_t - 1.2, step.first_t, hand(seat))
        if step.change == 1:
            self._name_drawn(draft, [c for c in near if self._desk.believed(c, draft.source)])
        return draft

    def _discarded(self, step: Step) -> Draft:
        """Cards came onto the pile."""
        seat, sure, basis = self._who(step, step.first_t - 1.1, step.first_t + 0.1)
        coil = self._desk.crossings.first_change(DISCARD, step.first_t - 0.35, step.first_t)
        draft = Draft(
            step.t,
            step.first_t if coil is None else coil,
            (UNKNOWN,) * step.change,
            self._desk.source_hand(seat),
            DISCARD,
            seat,
            step.confidence * sure,
            ["scale", *basis],
            wait=step.first_t + _NAME_WAIT,
        )
        self._desk_pile(step, draft)
        if seat is not None and step.change == 1:
            hands = self._desk.hands_at(DISCARD, step.first_t - 0.35, step.t)
            start = min((i.start for i in hands if i.seat == seat), default=step.first_t - 0.8) - 0.3
            if any(i.seat == seat for i in hands):
                crossed = self._desk.at_gate(seat, start, step.first_t, hand(seat))[-1:]
                self._name_by(draft, [c for c in crossed if not self._just_drawn(c)])
        if len(self.pile) == 1:
            lone = self._desk.crossings.near((DISCARD,), step.first_t - 0.4, step.t)
            self._name_by(draft, [c for c in lone if c.end is None])
        self._ready_if_named(draft)
        return draft

    def _just_drawn(self, crossing: Crossing) -> bool:
        """Whether a gate read a card on its way into the hand: it came from the stock and has crossed only once since.

        Such an answer must not name a discard: it would tell a card that nobody has seen.
        """
        crossings = self._desk.crossings
        drawn = [c for c in crossings.near((GATE_STOCK,), crossing.t - _DRAW_S, crossing.t) if c.card == crossing.card]
        if not drawn:
            return False
        since = [c for c in crossings.near((crossing.zone,), drawn[-1].t, crossing.t) if c.card == crossing.card]
        return len(since) < 2

    def _desk_pile(self, step: Step, draft: Draft | None) -> None:
        self._fitting, self._fitted = (-inf, -inf), self._fitting[0]
        slots = self.pile.push(step.change)
        if draft is not None:
            draft.slots = list(slots)
            for slot in slots:
                slot.tellers.append(draft)
        self._pile_since = step.first_t + 0.1
        self._look_again()

    def _name_by(self, draft: Draft, crossings: list[Crossing]) -> None:
        if len(draft.slots) != 1:
            return
        for crossing in crossings:
            if crossing.card is not None:
                draft.slots[0].vote(crossing.card)
                draft.lean("tags")

    def _collected(self, step: Step) -> Draft:
        """Cards left the pile."""
        seat, sure, basis = self._who(step, step.first_t + 0.1, step.first_t + 1.4)
        coil = self._desk.crossings.first_change(DISCARD, step.first_t - 0.35, step.first_t)
        self._fitting, self._fitted = (-inf, -inf), self._fitting[0]
        slots = self.pile.pop(-step.change)
        target = self._desk.source_hand(seat)
        draft = Draft(
            step.t,
            step.first_t if coil is None else coil,
            (UNKNOWN,) * len(slots),
            DISCARD,
            target,
            seat,
            step.confidence * sure,
            ["scale", *basis],
            slots=slots,
        )
        for slot in slots:
            slot.tellers.append(draft)
        if not slots:
            draft.cards = (UNKNOWN,) * -step.change
        if len(self.pile):
            draft.wait = step.first_t + _REST_WAIT
        if seat is None and not basis:
            draft.wait = step.first_t + _SEAT_WAIT
            self._drawn.append(draft)
        self._desk.place(draft.names(), target)
        self._pile_since = step.first_t + 0.1
        self._look_again()
        return draft

    def _ready_if_named(self, draft: Draft) -> None:
        if draft.id is None and draft.named and draft.target == DISCARD:
            draft.wait = READY
            self._desk.place(draft.names(), DISCARD)

    # Gates and frames that come later

    def crossed(self, crossing: Crossing) -> None:
        """A card answered at a gate: it may name a card that was just drawn, or say by whom."""
        seat = crossing.seat
        if crossing.zone == GATE_STOCK:
            self._mouth_t = crossing.t
            if not self.setting and self._desk.believed(crossing, STOCK):
                self._witness.saw(STOCK, crossing.t, crossing)
        elif seat is not None:
            self._speak_for_draw(crossing)
            if not self.setting and self._comes_from_stock(crossing, seat):
                self._witness.saw(STOCK, crossing.t - _CARRY_S, crossing)
        for draft in reversed(self._drawn):
            if draft.gone or not 0 <= crossing.t - draft.committed_t <= 1.6:
                continue
            if seat is None:
                if crossing.zone == GATE_STOCK and draft.source == STOCK and crossing.t - draft.committed_t < 0.4:
                    self._draw_named(draft, crossing)
                continue
            if draft.id is None and draft.seat is None:
                draft.seat, draft.confidence = seat, min(draft.confidence * 1.8, 0.93)
                draft.target = hand(seat) if draft.source in (STOCK, DISCARD) else None
                draft.wait = READY
                draft.lean("tags")
            if draft.seat == seat and draft.source == STOCK:
                self._draw_named(draft, crossing)

    def _comes_from_stock(self, crossing: Crossing, seat: Seat) -> bool:
        """Whether a card that nobody has seen yet crosses a seat's gate as that seat's hand comes from the stock."""
        if crossing.card is None or crossing.card in self._desk.places or not self._desk.believed(crossing, STOCK):
            return False
        there = self._desk.reaches.between(STOCK, crossing.t - _CARRY_S, crossing.t)
        return any(i.seat is seat and i.start + _CARRY_S / 2 < crossing.t for i in there)

    def _speak_for_draw(self, crossing: Crossing) -> None:
        """A card that nobody has seen yet crosses a seat's gate just after the stock has swung: it was drawn."""
        stock = self.scales.get(STOCK)
        fresh = crossing.card is not None and crossing.card not in self._desk.places
        if stock is not None and fresh and stock.swung_within(_DRAW_SWING_S, crossing.t):
            stock.hint(-1, _TAKEN, crossing.t)

    def _draw_named(self, draft: Draft, crossing: Crossing) -> None:
        if draft.cards != (UNKNOWN,) or not self._desk.believed(crossing, STOCK):
            return
        self._name_drawn(draft, [crossing])
        self._desk.outbox.rename(draft, crossing.t, ("tags",), 0.97)

    def see_pile(self, seen: Faces, t: float) -> None:
        """A frame at ``t`` shows the pile as ``seen``, from the bottom up."""
        self._late_looks = [*self._late_looks[-3:], (t, seen)]
        if t >= self._pile_since:
            self._read(seen, t)

    def _look_again(self) -> None:
        """Frames that came before the scale had decided may show what it found."""
        for t, seen in self._late_looks:
            if t >= self._pile_since:
                self._read(seen, t)

    def _read(self, seen: Faces, t: float) -> None:
        scale = self.scales.get(DISCARD)
        if scale is not None and scale.pending_since(self._desk.now) is not None:
            return
        change = self.pile.watch(seen, self._desk.rates)
        self._pile_shown = t
        if change is not None and scale is not None and not scale.fine:
            scale.hint(change, _SEEN, t)
        elif change is not None and (change > 0 or not seen) and self._witness.lay_still(DISCARD, t):
            self._witness.saw(DISCARD, t)
        if self.pile.surplus:
            self._fitting = (-inf, -inf)
            return
        if self.pile.fits(seen):
            self._fitting = (self._fitting[1], t)
        for slot in self.pile.see(seen, self._desk.rates):
            self._tell(slot, t)
        self._confirm_rest(seen)

    def _confirm_rest(self, seen: Faces) -> None:
        for _, draft in self._recent:
            held = draft.source == DISCARD and draft.id is None and draft.wait > READY and draft.seat is not None
            if held and seen == self.pile.faces():
                draft.lean("sight")
                draft.wait = READY

    def _tell(self, slot: Slot, t: float) -> None:
        for draft in slot.tellers:
            if draft.id is None:
                if draft.named:
                    draft.lean("sight")
                    draft.t = max(draft.t, t)
                    self._ready_if_named(draft)
            else:
                self._desk.outbox.rename(draft, t, ("sight",))

    def correct(self, zone: str, cards: tuple[str, ...], count: int) -> None:
        """The arbitro says what lies in ``zone``."""
        estimator = self.scales.setdefault(zone, self._new(zone, tared=False))
        estimator.correct(count)
        if zone == DISCARD:
            self.pile.correct(cards)
            self._pile_since = self._desk.now
