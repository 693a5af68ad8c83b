"""The scales' side of tracking: readings of the scales, answers of gates and frames of the pile → movements.

How many by weight, who by beam or gate, which by tag and, for the pile, by the camera.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf
from typing import Final

from hw.observations import Scale, Sight
from table_service.tracking.by_sight import Looking
from table_service.tracking.card_transfers import CardTransfers
from table_service.tracking.context import TrackingContext
from table_service.tracking.drawing import Drawing
from table_service.tracking.lost_zeros import LostZeros
from table_service.tracking.movements import Counted, Unverified
from table_service.tracking.pending_steps import MOST
from table_service.tracking.pile_plate import PilePlate
from table_service.tracking.plates import Plates
from table_service.tracking.recent_steps import RecentSteps
from table_service.tracking.scale_health import ScaleHealth
from table_service.tracking.scale_steps import Misfit, ScaleStep
from table_service.tracking.sequences import Faces
from table_service.tracking.step_filter import StepFilter
from table_service.tracking.tags import Crossing

_REACHES_PILE: Final = 3.0
"""Seconds within which the card that is turned up reaches the pile."""
_GUESS: Final = 0.5
"""Confidence of a count while a hand may hold up the load of the plate, or if its zero may be lost."""


class ScalePipeline:
    """The scales of a table and the pile on one of them; their reports go to the context's outbox."""

    def __init__(self, context: TrackingContext) -> None:
        self._context = context
        self._roles = context.roles
        self._plates = Plates(context.equipment, context.roles, context.header.card_grams)
        self._health = ScaleHealth()
        self._recent_steps = RecentSteps()
        self._pile = PilePlate(context, self._plates, self._recent_steps, self._health)
        self._drawing = Drawing(context, self._plates, self._recent_steps, self._health)
        self._card_transfers = CardTransfers(
            context, self._plates, self._recent_steps, self._health, self._pile, self._drawing
        )
        self._step_filter = StepFilter(context, self._plates, self._recent_steps, self._pile)
        self._looking = Looking(context.equipment, context.roles, context.reaches, context.rotation)
        self._confirm: dict[str, int] = {}
        """Zones whose scale must confirm the contents, with the number of consecutive readings that have done so."""
        self._anew: set[str] = set()
        """Those of them that were not heard: their cards are counted anew, and no step of theirs is a movement."""
        self._before: dict[str, int] = {}
        """Number of cards in each zone when its scale was last not heard."""
        self._zeros = LostZeros(context.roles, self._pile, self._health)
        self._lost: dict[str, str] = {}
        """Zones whose scale is said not to be heard, and why."""
        self._first_t: float | None = None
        """When the first card of the deal left the stock."""

    def reset(self) -> None:
        """Start anew: the table is cleared and the scales are tared."""
        self._plates.reset()
        self._looking.forget()
        self._drawing.forget()
        self._pile.forget()
        self._recent_steps.forget()
        self._card_transfers.lingering.forget()
        self._confirm = dict.fromkeys(self._lost, 0)
        self._anew = set(self._lost)
        self._zeros.forget()
        self._first_t = None
        self._step_filter.forget()
        self._health.forget()

    @property
    def setting(self) -> bool:
        """Between ``deal`` and ``start-play``: what comes onto a scale is being set out."""
        return self._plates.setting

    def start_play(self, t: float) -> None:
        """Start play: cards that come and go from now on are moved, not set out. Report undecided scales."""
        self._looking.start_play()
        for zone in self._plates.start_play():
            self._context.outbox.put(Unverified(t, zone, "its scale has not told yet how many cards lie there"))
            if self._plates.is_awaited(zone):
                self._count_anew(zone, t)

    # What is asked of it

    def pending_since(self, now: float) -> float:
        """Time since which a scale shows something undecided; infinite if none does."""
        since = min(self._plates.pending_since(now), self._step_filter.pending_since(now))
        return min(since, self._looking.pending_since(now))

    @property
    def restless(self) -> bool:
        """True if time alone may decide something."""
        if (
            self._step_filter.waits
            or self._health.waiting
            or self._card_transfers.lingering.waits
            or self._drawing.waits
        ):
            return True
        now = self._context.now
        for plate in self._plates.scales.values():  # noqa: SIM110 - asked with every observation: a generator costs more
            if plate.restless or plate.fell_silent(now):
                return True
        return False

    def at_rest(self, zone: str) -> int | None:
        """Return the number of cards on the scale of ``zone``; None while it swings, or without a scale."""
        scale = self._plates.at(zone)
        return None if scale is None or scale.pending_since(self._context.now) is not None else scale.count

    def weighs(self, zone: str) -> bool:
        """Return True if a scale reports ``zone``, working or not, and frames do not stand in for it."""
        return zone in self._context.equipment.weighed and not self._looking.sees(zone)

    def is_zero_known(self, zone: str) -> bool:
        """Return False as long as nothing vouches for what the scale of ``zone`` counts since its node began anew."""
        return self._zeros.is_known(zone)

    def counted(self, zone: str) -> int | None:
        """Return how many cards are in ``zone`` if the scale is at rest and well; else None."""
        scale = self._plates.at(zone)
        if (
            scale is None
            or not scale.counted
            or scale.restless
            or self._step_filter.net(zone) is not None
            or zone in self._confirm
            or self._zeros.is_doubted(zone)
        ):
            return None
        if self._health.asked(zone) or not self._health.speaks(zone, self._context.now) or not scale.is_sure:
            return None
        return scale.count

    @property
    def counts(self) -> dict[str, int]:
        """Accepted number of cards on each scale."""
        return {zone: scale.count - (self._step_filter.net(zone) or 0) for zone, scale in self._plates.scales.items()}

    @property
    def pile(self) -> Faces:
        """The discard pile as it is known, from the bottom up."""
        return self._pile.names

    def assured(self, zone: str) -> float:
        """Time up to which ``zone`` certainly holds what is accepted: by its scale, or for the pile by two frames."""
        scale = self._plates.at(zone)
        if zone == self._roles.pile and scale is None and self._looking.sees_pile:
            return self._pile.fitting
        if scale is None or scale.pending_since(self._context.now) is not None:
            return -inf
        if self._health.asked(zone) or not self._health.speaks(zone, self._context.now) or zone in self._confirm:
            return -inf
        if zone == self._roles.pile and self._pile.surplus:
            return -inf
        told = scale.assured(self._context.now)
        if zone != self._roles.pile:
            return told
        return max(told, self._pile.fitting) if scale.fine else self._pile.fitting

    @property
    def assured_before(self) -> float:
        """The same of the pile, before its number changed last."""
        scale = self._plates.at(self._roles.pile)
        return inf if scale is not None and scale.fine else self._pile.fitted

    # Readings

    def feed(self, scale: Scale) -> None:
        """Take one reading."""
        estimator = self._plates.named(scale.zone)
        self._listen(scale, fine=estimator.fine)
        leaps = estimator.leaps(scale.t, scale.grams, settled=scale.settled)
        if leaps and self._plates.setting:
            estimator.unheard(scale.t)
        elif leaps and scale.zone not in self._confirm:
            self._leapt((scale.zone,), scale.t)
        hand_there = bool(self._context.hands_at(scale.zone, scale.t - 1.0, scale.t))
        self._drawing.speak_for(estimator, scale)
        found = estimator.feed(scale.t, scale.grams, settled=scale.settled, hand=hand_there)
        if estimator.leapt_before:
            estimator.leapt_before = False
            self._leapt((scale.zone,), scale.t)
        if found:
            self._found(found)
        if self._step_filter.waits:
            self._believe()
        if self._recent_steps.moves:
            self._card_transfers.hold_for_partners()
        if self._confirm and scale.settled and scale.zone in self._confirm:
            self._confirming(scale)

    def _leapt(self, zones: tuple[str, ...], t: float) -> None:
        self.missed(zones, t, "the weight has changed although nothing came or went", changed=True)

    def _listen(self, scale: Scale, *, fine: bool) -> None:
        """Count anew a scale that was silent, or did not report what was seen, and reports again."""
        zone, health = scale.zone, self._health
        lost, silent = health.is_lost(zone), health.is_silent(zone)
        health.heard(scale, fine=fine)
        if silent or (lost and not health.is_lost(zone)):
            self._count_anew(zone, scale.t)

    def _found(self, found: list[ScaleStep | Misfit]) -> None:
        for item in found:
            if isinstance(item, Misfit):
                self._step_filter.misfits(item)
            elif self._plates.is_setting(item):
                self._set_out(item)
            elif item.zone not in self._anew:  # else it is counted anew, and the mover is unknown
                for step in self._step_filter.weighed(item):
                    self._follow(step)
                self._miss_pile(item)

    def _miss_pile(self, step: ScaleStep) -> None:
        """Report that the pile may change unnoticed: cards leave the stock, and no scale has ever reported the pile."""
        pile = self._roles.pile
        if step.zone != self._roles.drawn or pile not in self._context.equipment.weighed:
            return
        if self._health.has_heard(pile) or pile in self._confirm:
            return
        if self._first_t is None:
            self._first_t = step.first_t  # a card that is turned up reaches the pile only now
        elif step.first_t > self._first_t + _REACHES_PILE:
            self._confirm[pile] = 0
            self._context.outbox.put(Unverified(step.t, pile, "no scale tells of what lies there", missed=True))

    def _set_out(self, step: ScaleStep) -> None:
        sure = step.confidence
        lifted = not self._plates.setting and self._is_lifted(step.zone, step.t)
        if lifted or self._zeros.is_unknown(step.zone):
            sure = min(sure, _GUESS)
        self._context.outbox.put(Counted(step.t, step.zone, step.count, round(sure, 6)))
        if step.zone == self._roles.pile:
            self._pile.push(step, None)
        if step.zone == self._roles.heaps:
            self._step_filter.set_out(step.count)

    def _believe(self) -> None:
        for step in self._step_filter.borne_out():
            self._follow(step)

    def look_at_time(self) -> None:
        """Decide what only the silence of a scale decides, and give up waiting for what does not come."""
        for estimator in self._plates.scales.values():
            if estimator.restless:
                self._found(estimator.look_at_time(self._context.now))
        if self._step_filter.waits:
            self._believe()
        self._card_transfers.lingering.look_at_time()
        self._drawing.look_at_time()
        now = self._context.now
        for zone, estimator in self._plates.scales.items():
            if estimator.fell_silent(now) and zone not in self._anew and not self._plates.setting:
                self.missed((zone,), now, "it swung and was not heard to come to rest")
        for zone, seen_t in self._health.contradicted(now):
            if zone in self._anew or zone in self._lost:
                continue
            reason = "its scale did not tell of a card that another sensor saw"
            self._context.outbox.put(Unverified(now, zone, reason, missed=True), seen_t)
        for zone in self._health.silent(now):
            if zone not in self._lost:
                self._context.outbox.put(Unverified(now, zone, "its scale has fallen silent", missed=True))

    # Gates, frames and the arbitro

    def crossed(self, crossing: Crossing) -> None:
        """Take a card that answered at a gate: it may name a card that was just drawn, or say by whom."""
        if crossing.zone == self._roles.pile:
            self._drawing.lies(crossing)
        self._drawing.crossed(crossing)

    def see(self, sight: Sight, pile: Faces | None) -> None:
        """Take a frame; ``pile``: its view of the pile, from the bottom up, None if that is hidden."""
        steps = self._looking.see(sight)
        if pile is not None:
            lies = self._pile.faces
            change = self._pile.see(pile, sight.t)
            if self._zeros.shown(self._plates.at(self._roles.pile), change, sight.t):
                self._tell_count(self._roles.pile, sight.t, anew=True)
            if self._looking.sees_pile:
                steps += self._looking.shown(pile, lies, change, sight.t)
        for doubt in self._looking.doubts():
            self._context.outbox.put(doubt)
        for place, step in enumerate(steps):
            passing = any(later.zone == step.zone for later in steps[place + 1 :])
            self._card_transfers.follow(replace(step, passing=True) if passing else step)

    def _follow(self, step: ScaleStep) -> None:
        """Follow a step that a scale has reported."""
        self._looking.weighed(step)
        self._card_transfers.follow(step)

    def correct(self, zone: str, cards: tuple[str, ...], count: int) -> None:
        """Correct what lies in ``zone``, as the arbitro says."""
        self._plates.named(zone).correct(count)
        if zone == self._roles.pile:
            self._pile.correct(cards)

    # Gaps

    def lost(self, zones: Iterable[str], t: float, reason: str) -> None:
        """Note that the scales of ``zones`` are not heard from ``t`` on: frames report the heaps there, if they can."""
        zones = tuple(zones)
        self._lost |= dict.fromkeys(zones, reason)
        sighted = [zone for zone in zones if self._stands_in(zone, t)]
        self.missed([zone for zone in zones if zone not in sighted], t, reason)

    def _stands_in(self, zone: str, t: float) -> bool:
        """Return True if frames take the place of the scale of ``zone``."""
        known = zone in self._roles.heaped and zone not in self._anew and not self._plates.setting
        if not known or not self._looking.stand_in(zone, t):
            return False
        self._plates.fall_silent(zone)
        return True

    def missed(self, zones: Iterable[str], t: float, reason: str, *, changed: bool = False) -> None:
        """Count ``zones`` anew: readings of their scales are missing up to ``t``.

        ``changed``: the readings after the gap show another number of cards than those before.
        """
        for zone in zones:
            self._context.outbox.put(Unverified(t, zone, reason, missed=True, changed=changed))
            self._count_anew(zone, t)

    def back(self, zones: Iterable[str], t: float) -> None:
        """Take up the scales of ``zones``, which are heard again."""
        for zone in zones:
            if self._lost.pop(zone, None) is not None:
                self._plates.speak_again(zone)
                if self._looking.stand_down(zone):
                    reason = "its scale is heard again and counts anew"
                    self._context.outbox.put(Unverified(t, zone, reason, missed=True))
                self._count_anew(zone, t)

    def still_lost(self, t: float) -> None:
        """Report anew what is not heard: a deal has begun."""
        self.missed([zone for zone in self._lost if not self._looking.sees(zone)], t, "its scale is not heard")

    def _count_anew(self, zone: str, t: float) -> None:
        self._confirm[zone] = 0
        self._anew.add(zone)
        self._step_filter.forget_zone(zone)
        estimator = self._plates.at(zone)
        if estimator is not None:
            self._before[zone] = estimator.count
            estimator.unheard(t)

    def began_anew(self, zones: Iterable[str]) -> None:
        """Note that the nodes of the scales of ``zones`` have begun anew: they may have lost their zero."""
        for zone in zones:
            scale = self._plates.at(zone)
            if self._plates.setting:
                self._zeros.lost_in_setting(zone)
            elif scale is not None and scale.counted and zone not in self._confirm:
                self._zeros.began_anew(scale)

    def _tell_count(self, zone: str, t: float, *, anew: bool) -> None:
        count = self._plates.scales[zone].count
        if anew:
            self._health.counted(zone)
            if zone == self._roles.pile:
                self._pile.recount(count)
        self._context.outbox.put(Counted(t, zone, count, _GUESS if self._zeros.is_unknown(zone) else 0.9, anew=anew))

    def _is_lifted(self, zone: str, t: float) -> bool:
        """Return True if a hand is at the heaps, which may hold up the score sheet."""
        return zone == self._roles.heaps and bool(self._context.hands_at(zone, t - 1.0, t))

    def _is_pressed(self, zone: str, count: int) -> bool:
        """Return True if the weight is more than a hand brings, and a hand is there: it leans on the plate."""
        more = count > self._before.get(zone, count) + MOST
        return more and bool(self._context.hands_at(zone, self._context.now, self._context.now))

    def _confirming(self, scale: Scale) -> None:
        estimator = self._plates.scales[scale.zone]
        moved = self._is_lifted(scale.zone, scale.t) or self._is_pressed(scale.zone, estimator.count)
        if estimator.restless or scale.zone in self._lost or moved:
            self._confirm[scale.zone] = 0
            return
        self._confirm[scale.zone] += 1
        if self._confirm[scale.zone] >= 2:
            del self._confirm[scale.zone]
            anew = scale.zone in self._anew
            if anew:
                self._anew.discard(scale.zone)
                if not self._zeros.is_counted(estimator):
                    self._health.counted(scale.zone)
                    return
            self._tell_count(scale.zone, scale.t, anew=anew)
