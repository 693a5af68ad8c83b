"""One scale: grams → number of cards on it, decided as soon as another reading could not change the answer.

A filter over counts: each settled reading weighs every count that is possible, a change is taken as likely if a hand
is there or the plate swings and as unlikely otherwise, and a count is taken when it leads all others by ``SURE``.
Drift of the plate is followed slowly; the noise is learned from readings that follow one another.
"""

from __future__ import annotations

from math import exp, inf, log, sqrt
from typing import Final

from table_service.tracking.change_weights import SURE, ChangeWeights
from table_service.tracking.plate_zero import PlateNoise, PlateZero
from table_service.tracking.recent_readings import BURST_GAP, RecentReadings
from table_service.tracking.scale_steps import Misfit, ScaleStep
from table_service.tracking.whole_cards import WholeCards
from table_service.tracking.zone_roles import PlateHabit

LIKELY: Final = 4.0
"""Lead that suffices when the scale has fallen silent."""
LIKELY_FIRST: Final = 8.0
"""Lead that suffices for the first count of a deal: there is time for another reading."""
LIKELY_BY_HAND: Final = 1.5
"""Lead that suffices when a hand was there and the plate has swung; the next readings may take it back."""
_HAND: Final = -4.5
_NO_HAND: Final = -9.0
_AFTER_SWING: Final = log(0.4)
_SWING: Final = 3.0
"""A plate that has swung speaks for a change, by so much in log-likelihood."""
_FINE: Final = 0.1
"""Variance of readings, in squared cards, below which a change of one card is always seen at once."""
_TELLS: Final = 0.5
"""Seconds of readings, from when a plate began to swing, that must speak for no change before it swung for nothing."""
_PRESSED: Final = 8
"""More cards than these never come at once: a plate that swings so far is pressed by a hand, which brings no card."""
_ASSURED: Final = 9.0
"""Lead of the count over any other that assures it where readings are coarse."""
_SWINGS: Final = 3
"""Swings since the deal from which a plate swings whenever a card comes or goes."""
_FIRST: Final = 5
"""Readings at rest that a first count of many cards needs, unless the scale falls silent."""
_FIRST_COARSE: Final = 9
"""The same if readings are coarse: a count taken too soon is kept, as the zero follows it."""
_BREAKS_OFF: Final = 1.0
"""Seconds after its last swing within which a plate that is heard reports where it comes to rest."""
_ADRIFT: Final = 0.3
"""Share of a card by which a plate that swings must weigh otherwise to have lost or gained one."""
_SILENCE: Final = 1.0
"""Seconds without a reading after which the next one at rest begins anew."""
_LEAP: Final = 0.75
"""Share of a card by which such a reading must differ to show another number."""
_REST: Final = 8
"""Readings at rest whose mean is taken for the plate's new zero."""
_GUESS: Final = 0.5
"""Confidence of a number of cards that is not the usual one and leads the others by little."""


class ScaleEstimator:
    """The count on one scale, from its readings. ``tared`` says that the plate is known to have been empty.

    ``habit``: how cards come to it and leave it.
    """

    def __init__(self, zone: str, card_grams: float, noise: PlateNoise, habit: PlateHabit, *, tared: bool) -> None:
        self.zone = zone
        self.count = 0
        self.counted = False
        self.tared = tared
        self.swings = 0
        """Number of times the plate has begun to swing."""
        self.swung_t = -inf
        """When the plate was last heard to swing."""
        self._grams = card_grams
        self._noise = noise
        self._zero = PlateZero(card_grams, noise)
        self._weights = ChangeWeights(card_grams, noise, habit)
        self._whole = WholeCards(zone, card_grams, noise)
        self._recent = RecentReadings(card_grams, noise, self._zero)
        self._last_t = -1e9
        self._last_settled: tuple[float, float] = (-1e9, 0.0)
        self._off_since: float | None = None
        self._swung = -1e9
        self._swings = False
        self._pressed = False
        """True if a hand pressed the plate while it last swung."""
        self._unheard = False
        """True if the only evidence of a change is that readings were missing."""
        self._bursts: list[float] = []
        self._unexplained: list[float] = []
        """When the plate began to swing since its last step, a hand's pressing left out."""
        self._moving: list[float] = []
        self._handled = False
        self._adrift = False
        """True if the newest reading shows another weight and a swinging plate."""
        self._stepped_still = False
        """True if a step has come about without a swing: this plate does not always report one."""
        self._leapt: tuple[float, float] | None = None
        """When one reading at rest, alone so far, differed from what is counted, and by how many cards."""
        self.leapt_before = False
        """True if the newest step includes an earlier change, seen in one reading at rest without a swing."""

    def pending_since(self, now: float) -> float | None:
        """Return since when readings show something undecided; None if all is quiet."""
        if self._off_since is None or now - self._last_t > BURST_GAP + 0.2:
            return None
        return self._off_since

    @property
    def fine(self) -> bool:
        """True if readings are so fine that no card escapes them."""
        return self._noise.variance < _FINE * self._grams**2

    def assured(self, now: float) -> float:
        """Return up to when the plate holds the count: ``now`` if readings are fine enough that no card escapes them.

        Not if the newest at rest is nearer to another count, as after a silence in which a card came unheard.
        If readings are coarse, up to the last one, if those since the last change make any other count unlikely.
        """
        if self.fine:
            at, grams = self._last_settled
            off = abs(grams - self._zero.grams - self.count * self._grams) > 0.5 * self._grams
            return -inf if at > -1e9 and off else now
        best, lead = self._weights.best()
        return self._last_t if best == 0 and lead > _ASSURED and not self._bursts else -inf

    def swung_within(self, span: float, t: float) -> bool:
        """Return True if the plate swung in the ``span`` seconds before ``t`` and nothing was decided since."""
        return bool(self._bursts) and 0 <= t - self._bursts[-1] <= span

    def lay_still_since(self, t: float) -> bool:
        """Return True if the plate, which has swung before, has not swung since ``t``: no card came or went."""
        return bool(self.swings) and self.swung_t < t

    @property
    def is_sure(self) -> bool:
        """True if the readings since the last change leave no doubt about the count."""
        best, lead = self._weights.best()
        return best == 0 and lead > _ASSURED and not self._whole.misfit

    @property
    def weighs_otherwise(self) -> bool:
        """True if the readings speak for another count, although it is not decided for which."""
        at, grams = self._last_settled
        return self._weights.best()[0] != 0 or (self.fine and at > -1e9 and self._is_leap(grams))

    @property
    def rested(self) -> float:
        """Time of the last weighing at rest; minus infinity while the plate swings."""
        return self._last_settled[0] if self._last_settled[0] > -1e9 else -inf

    @property
    def restless(self) -> bool:
        """True if a look at the time might bring a decision."""
        return self._off_since is not None

    def feed(self, t: float, grams: float, *, settled: bool, hand: bool) -> list[ScaleStep | Misfit]:
        """Take one reading; ``hand``: a hand is or was just now there."""
        if not -1e5 < grams < 1e5:
            return []
        if self._off_since is not None and t - self._last_t > 1.5 and self._weights.best()[0] == 0:
            self._off_since = None
        self._last_t = max(self._last_t, t)
        residual = grams - self._zero.grams - self.count * self._grams
        self._recent.add(t, grams, settled=settled)
        if not settled:
            self._swing(t, residual, hand=hand)
            return []
        if 0 < t - self._last_settled[0] < 0.3:
            self._noise.pair(grams, self._last_settled[1])
        self._last_settled, self._adrift = (t, grams), False
        return self._settled(t, residual, hand=hand)

    def _swing(self, t: float, residual: float, *, hand: bool) -> None:
        """Take a reading of a swinging plate, ``residual`` grams off the accepted count."""
        swings_on = self._swung >= t - BURST_GAP  # a lone one is noise in what a node says of a plate at rest
        if not swings_on:
            self.swings += 1
            self._pressed = False
            self._bursts = [*self._bursts[-3:], t]
            self._unexplained = [*self._unexplained[-3:], t]
        began = self._bursts[-1] if self._bursts else t
        unlike = abs(residual) > 0.5 * self._grams or self._off_since is not None
        if unlike and (not self._moving or self._moving[-1] < began):
            self._moving = [*self._moving[-3:], began]
        self._swung = self.swung_t = t
        self._swings = True
        self._adrift = swings_on and abs(residual) > _ADRIFT * self._grams
        if residual > _PRESSED * self._grams and not self._pressed:
            self._pressed, self._unexplained = True, self._unexplained[:-1]
        self._unheard = False
        self._handled = self._handled or hand
        self._whole.begin_anew()
        self._last_settled = (-1e9, 0.0)
        if self._off_since is None and abs(residual) > 0.15 * self._grams + sqrt(self._noise.variance):
            self._off_since = t

    def leaps(self, t: float, grams: float, *, settled: bool) -> bool:
        """Return True if two readings at rest after a silence show another number of cards, and no swing came before.

        A plate reports 20 times a second while something changes: its reports have not been heard. Only fine readings,
        of a plate that has swung before, can show that; and one reading alone may have strayed.
        """
        swings = self.swings >= (_SWINGS if self._stepped_still else 1)
        if not (settled and self.fine and self.counted and swings):
            return False
        silent, before = t - self._last_t >= _SILENCE, self._leapt
        if before is not None and self.swung_t > before[0]:
            if not silent:
                return False  # it is reported with the resulting step (``leapt_before``)
            before = None
        self._leapt = None
        if (before is None and (not silent or self._off_since is not None)) or not self._is_leap(grams):
            return False
        self._leapt = (t, self._off(grams))
        return before is not None and round(self._leapt[1] - before[1]) == 0

    def _off(self, grams: float) -> float:
        """Difference of ``grams`` from the count, in cards."""
        return (grams - self._zero.grams) / self._grams - self.count

    def _is_leap(self, grams: float) -> bool:
        return abs(self._off(grams)) * self._grams > max(_LEAP * self._grams, 4.5 * sqrt(self._noise.variance))

    def fell_silent(self, now: float) -> bool:
        """Return True if the plate has swung and its rest was not reported: its last reports were not heard."""
        return self._adrift and self.counted and now - self._last_t > _BREAKS_OFF

    def swung_for_nothing(self, t: float) -> None:
        """Other sensors have shown that nothing had changed by ``t``, as the readings say too: a finger touched it."""
        if self._weights.best()[0] == 0:
            self._bursts, self._unexplained, self._moving = (
                [began for began in swings if began >= t] for swings in (self._bursts, self._unexplained, self._moving)
            )

    def unheard(self, t: float) -> None:
        """Note that readings up to ``t`` are missing: the plate may have swung, and cards may have come or gone."""
        self._bursts = [*self._bursts[-3:], t]
        self._swings = True
        self._unheard = True
        self._leapt = None

    def _settled(self, t: float, residual: float, *, hand: bool) -> list[ScaleStep | Misfit]:
        swinging = t - self._swung < 1.0
        self._weigh(t, residual, _HAND if hand else _NO_HAND)
        best, lead = self._weights.best()
        if self._off_since is None and abs(residual) > 0.5 * self._grams:
            self._off_since = t
        if not self.counted and best > 1:
            if not self._reweigh():
                return []
            best, lead = self._weights.best()
        if best == 0:
            if lead > 3.0:
                self._follow(t, residual)
            if lead > 5.0:
                self._off_since = self._off_since if swinging and abs(residual) > 0.5 * self._grams else None
                if not self._bursts or t - self._bursts[-1] > _TELLS:
                    self._bursts.clear()
                    self._moving.clear()
        elif lead > SURE:
            steps = self._take(best, t, lead)
            self._whole.begin_anew()
            return [*steps, *self._whole.feed(t, 0.0, self.count)]
        return [*self._whole.feed(t, residual - best * self._grams, self.count)]

    def _reweigh(self) -> bool:
        """Weigh a first heap by all its readings at rest with the noise as it is known by now; False: too few yet."""
        rest: list[float] = []
        for _, grams, settled in reversed(self._recent):
            if not settled or (rest and self._whole.leaps(grams - self._zero.grams - rest[-1])):
                break
            rest.append(grams - self._zero.grams)
        if len(rest) < (_FIRST if self.fine else _FIRST_COARSE):
            return False
        near = round(sum(rest) / len(rest) / self._grams)
        self._weights.weigh_heap(rest, {0, *range(max(1, near - 3), near + 4)})
        return True

    def _weigh(self, t: float, residual: float, hazard: float) -> None:
        near = round(residual / self._grams)
        # What had changed already stays so unless the plate swings again.
        top = self._weights.top if self._swings else self._weights[0]
        asked = {near - 1, near, near + 1}
        self._pressed = self._pressed and abs(near) <= 1  # it weighs about what it did
        if self._swings:
            usual = self._weights.usual
            asked |= {-self.count} if usual is None else {usual, -self.count}
            hazard = self._after_swing(top, hazard)
        self._swings = False
        self._weights.admit(asked, self.count, t, top + hazard)
        self._weights.weigh(residual)

    def _after_swing(self, top: float, hazard: float) -> float:
        """Return how likely a change is by now that the plate has swung, the likeliest count having ``top``."""
        if self._pressed:
            self._weights.keep_unchanged(max(self._weights[0], top))
            return max(hazard, _HAND)
        hazard = max(hazard, _AFTER_SWING)
        # what lay there a moment ago may go again
        self._weights.keep_unchanged(max(self._weights[0], top + hazard) - _SWING)
        return hazard

    def _follow(self, t: float, residual: float) -> None:
        """Follow the drift of the plate, unless what lies on it is no whole number of cards."""
        if not self._whole.misfit:
            self._zero.follow(t, residual)

    def _is_drift(self) -> bool:
        """Return True if only readings at rest speak for a change: no plate changes without swinging or a hand."""
        alone = not (self._bursts or self._handled or self._weights.hinted)
        return alone and self.counted and self.swings >= _SWINGS and not self.fine

    def settle_on(self, count: int) -> None:
        """Settle on ``count`` cards on the plate: the last readings at rest are taken to weigh that."""
        self.count = count
        self._rezero()

    def tare(self, count: int) -> None:
        """Set the plate's lost zero anew: what is accepted as another number by the old one are ``count`` cards."""
        self._zero.grams += (self.count - count) * self._grams
        self.count = count
        self._dismiss()

    def _rezero(self) -> list[ScaleStep]:
        """Set the zero anew after coarse readings at rest have wandered off: the present load weighs what they say."""
        rest = self._recent.at_rest()[-_REST:]
        if rest:
            self._zero.grams = sum(rest) / len(rest) - self.count * self._grams
        self._zero.doubt_anew()
        return self._dismiss()

    def _dismiss(self) -> list[ScaleStep]:
        """Dismiss a few readings at rest that strayed: neither a card nor drift, which does not leap."""
        self._weights.forget()
        self._off_since = None
        return []

    def _take(self, change: int, t: float, lead: float) -> list[ScaleStep]:
        if self._is_drift():
            return self._rezero() if lead > SURE else self._dismiss()
        self._note_leap(change)
        sure = self._confidence(change, lead)
        steps = []
        parts = self._parts(change, t)
        # What another sensor saw come has swung the plate.
        swung = bool(self._bursts) or self._weights.is_hinted(change)
        self._stepped_still = self._stepped_still or not swung
        shown = swung and not (self._bursts or self._unexplained)
        for part, first_t in parts:
            first, self.counted = not self.counted, True
            self.count += part
            steps.append(ScaleStep(self.zone, part, self.count, first_t, t, sure, first, swung, shown))
        for at, grams, settled in self._recent:
            if settled and at > parts[-1][1]:
                self._follow(at, grams - self._zero.grams - self.count * self._grams)
        self._weights.taken(change)
        self._explained()
        return steps

    def _note_leap(self, change: int) -> None:
        """Note whether the earlier leap has come about with ``change``."""
        leapt, self._leapt = self._leapt, None
        if leapt is not None and change == round(leapt[1]) + (self._weights.usual or change):
            self.leapt_before = True

    def _confidence(self, change: int, lead: float) -> float:
        """Confidence of ``change``: by its lead, unless coarse readings show that cards came, not how many."""
        alone = change * (self._weights.usual or 0) > 1 and not self.fine and not self._weights.is_hinted(change)
        sure = 1.0 - exp(-min(lead, 30.0))
        return min(sure, _GUESS) if alone or (lead < SURE and self._weights.unusual(change, self.count)) else sure

    def _explained(self) -> None:
        """Spend swings, hands, hints and readings up to now: a step has been taken, and they speak for no other."""
        self._off_since = None
        self._swung = -1e9
        self._handled = self._unheard = False
        self._weights.spend_hints()
        self._recent.clear()
        for told in (self._bursts, self._unexplained, self._moving):
            told.clear()

    def _parts(self, change: int, t: float) -> list[tuple[int, float]]:
        """``change`` as it came: at once, or in two where the plate swung twice before anything was decided."""
        whole = [(change, self._began(change, t))]
        if abs(change) < 2 or len(self._moving) < 2:
            return whole
        early, later = self._moving[-2:]
        split = self._recent.split(self.count, change, early, later)
        return [(split, early), (change - split, later)] if split not in (0, change) else whole

    def look_at_time(self, now: float) -> list[ScaleStep | Misfit]:
        """Decide on what there is: the scale may have fallen silent by ``now``."""
        if self._off_since is None or now - self._last_t <= BURST_GAP:
            return []
        best, lead = self._best_in_silence()
        if best != 0 and lead > self._lead_in_silence(best):
            return list(self._take(best, self._last_t, lead))
        if best == 0:
            self._off_since = None
        return []

    def _best_in_silence(self) -> tuple[int, float]:
        """Return the likeliest change and its lead; the usual one if it is not far behind an unusual one."""
        best, lead = self._weights.best()
        usual = self._weights.usual
        if usual is not None and self.counted and self._weights.unusual(best, self.count):
            behind = self._weights[usual] - self._weights[best]
            if behind > -LIKELY_FIRST and self._weights[0] < self._weights[best] - LIKELY:
                return usual, LIKELY_FIRST  # something came or went: the next readings show the rest
        return best, lead

    def _lead_in_silence(self, best: int) -> float:
        """Return the lead that suffices for ``best`` when no further reading is at hand."""
        if not self.counted:
            by_hand = self._handled and not self._pressed
            return LIKELY_FIRST if best > 1 else LIKELY_BY_HAND if by_hand else LIKELY
        if self._unheard:
            return LIKELY_FIRST if self.fine else SURE
        if self.fine and not self._bursts:
            return SURE  # a plate that has not swung: one stray reading is no card
        return LIKELY_BY_HAND if self._handled and not self._pressed else LIKELY

    def _began(self, change: int, t: float) -> float:
        """Return the first reading that shows the change: the likeliest break in the readings of the last while."""
        if self._bursts:  # no plate changes without swinging
            return min(self._recent.likeliest(self.count, change, self._bursts), t)
        if change > 0 and self._weights.is_hinted(change) and self._unexplained:
            return min(self._unexplained[-1], t)  # it seemed to have swung for nothing
        return self._recent.break_between(self.count, change, t)

    def hint(self, change: int, weight: float, until: float) -> None:
        """Another sensor speaks for ``change`` cards up to ``until``, with ``weight`` in log-likelihood.

        Repeated with the same ``until`` it counts once, and for one step only.
        """
        if self._weights.hint(change, weight, until, self.count) and self._off_since is None:
            self._off_since = self._last_t

    def correct(self, count: int) -> None:
        """Correct the number of cards, as the arbitro says; the plate's weight is taken as that from now on."""
        if self._last_settled[0] > -1e9:
            self._zero.grams = self._last_settled[1] - count * self._grams
        self.count, self.counted = count, True
        self._weights.forget()
        self._off_since = self._leapt = None
