"""Filter of the scales' steps: which are accepted at once, which are held, which weight fits no number of cards.

In go steps and misfits as the scales decide them; out come the steps of cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from table_service.tracking.context import TrackingContext
from table_service.tracking.movements import Counted, Unverified, Verified
from table_service.tracking.pending_steps import MOST, Held, is_guess, is_plain
from table_service.tracking.pile_plate import PilePlate
from table_service.tracking.plate_hands import carried_in, is_touched, left_at
from table_service.tracking.plates import TOGETHER, Plates
from table_service.tracking.recent_steps import RecentSteps
from table_service.tracking.scale_steps import Misfit, ScaleStep


class StepFilter:
    """Holds what may be a finger, a sleeve or the score sheet until it is borne out or gone."""

    def __init__(self, context: TrackingContext, plates: Plates, recent_steps: RecentSteps, pile: PilePlate) -> None:
        self._context = context
        self._roles = context.roles
        self._plates = plates
        self._recent_steps = recent_steps
        self._pile = pile
        self._held: dict[str, Held] = {}
        self._misfits: dict[str, Misfit] = {}
        self._pots = 0

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self._held, self._misfits = {}, {}
        self._context.aside.forget()

    def forget_zone(self, zone: str) -> None:
        """Drop what was held of ``zone``, which is counted anew."""
        self._held.pop(zone, None)
        self._misfits.pop(zone, None)
        if zone == self._roles.pile:
            self._context.aside.forget()

    def set_out(self, count: int) -> None:
        """Record that the two pots have been laid out: ``count`` cards lie on their scale."""
        self._pots = count

    @property
    def _pot(self) -> int:
        """Number of cards in one of the two heaps on the pots' scale when it was first counted."""
        return self._pots // 2

    @property
    def waits(self) -> bool:
        """True if anything is held."""
        return bool(self._held or self._misfits) or self._context.aside.is_open

    def pending_since(self, now: float) -> float:
        """Time since which steps are held that may be cards; infinite if there are none."""
        aside = self._context.aside.since()
        since = [s for held in self._held.values() if (s := held.since(now)) is not None]
        return min(since if aside is None else [*since, aside], default=float("inf"))

    def net(self, zone: str) -> int | None:
        """Return how many cards more, or less, are in ``zone`` by what is held; None if nothing is."""
        held = self._held.get(zone)
        aside = self._context.aside.net if zone == self._roles.pile else None
        return aside if held is None else held.net

    def weighed(self, step: ScaleStep) -> list[ScaleStep]:
        """Take one step: a change is a card's at once where other sensors speak for it; any other is held.

        The steps that are cards' now, in order.
        """
        aside = self._context.aside
        if step.zone == self._roles.pile and aside.is_open:
            return [one for whole in aside.add(step) for one in self._weighed(whole)]
        taken = step.zone == self._roles.pile and step.change < 0 and step.swung and step.zone not in self._held
        if taken and aside.hold(step, self._pile.names, self._context.now):
            return self._taken_up()
        return self._weighed(step)

    def _taken_up(self) -> list[ScaleStep]:
        """Cards drawn near on the table that have been taken up by now."""
        aside, since, pile = self._context.aside, self._context.aside.since(), self._roles.pile
        if not aside.is_open:
            return []
        start = self._context.now - 2.0 if since is None else since - 0.35
        return aside.taken_up(
            self._context.hands_at(pile, start, self._context.now), self._context.crossings, self._context.now
        )

    def _weighed(self, step: ScaleStep) -> list[ScaleStep]:
        held = self._held.get(step.zone)
        if held is None and (
            self._tells_more(step) or is_plain(step, self._roles, self._pot) or self._spoken_for(step)
        ):
            return [step]
        if held is not None and self._carried_off(held, step):
            del self._held[step.zone]
            return [*held.parts(), step]
        if held is None:
            held = self._held[step.zone] = Held()
        held.add(step)
        if not held.steps:
            del self._held[step.zone]
            self._explained(step.zone, held)
        return []

    def _tells_more(self, step: ScaleStep) -> bool:
        """Return True if ``step`` only refines the one before; a finger that presses slowly makes no plate swing."""
        if step.swung or step.zone == self._roles.heaps:
            return False
        return not (step.change > 0 and is_touched(self._context, step.zone))

    def _carried_off(self, held: Held, step: ScaleStep) -> bool:
        """Return True if ``step`` takes more off the pile than is held, or another hand takes it: then cards came."""
        if step.zone != self._roles.pile or not step.change < 0 < held.net:
            return False
        if -step.change > held.net:
            return True
        before = {i.seat for i in self._context.hands_at(step.zone, held.steps[0].first_t - 0.35, held.steps[-1].t)}
        there = self._context.hands_at(step.zone, step.first_t - 0.35, step.t)
        return any(i.start > held.steps[-1].t and i.seat is not None and i.seat not in before for i in there)

    def borne_out(self) -> Iterator[ScaleStep]:
        """Release held steps that are confirmed by now, and report plates with something else on them.

        Each step is to be taken before the next is asked for: it may confirm that one.
        """
        yield from self._taken_up()
        for zone, held in tuple(self._held.items()):
            whole = held.whole()
            if (
                is_plain(whole, self._roles, self._pot)
                or self._spoken_for(whole)
                or self._has_stayed(zone, held, whole)
            ):
                del self._held[zone]
                yield from held.parts() if zone == self._roles.pile else [whole]
                self._explained(zone, held)
        for zone, misfit in tuple(self._misfits.items()):
            if not is_touched(self._context, zone):
                del self._misfits[zone]
                self._tell(misfit)

    def _has_stayed(self, zone: str, held: Held, whole: ScaleStep) -> bool:
        """Return True if a load without other evidence has stayed for long enough, with no hand, to be cards.

        A load that is no card after all, or may be anything, is reported or dropped; one on a scale that is not heard
        any more, for which frames stand in, waits until it is heard.
        """
        scale, left = self._plates.at(zone), left_at(self._context, whole)
        if scale is None or scale.restless or not held.has_stayed(left, scale.rested, self._context.now):
            return False
        if zone == self._roles.heaps and whole.change == self._pot:  # a pot that was put back
            return True
        if not scale.fine and (held.is_residue or (zone == self._roles.heaps and is_guess(whole))):
            scale.settle_on(scale.count - held.net)
            del self._held[zone]
        elif zone == self._roles.heaps and left is None:
            self._unseen(zone, held)
        elif held.net > MOST and held.since(self._context.now) is not None:
            self._tell_unexplained(zone, held)
        else:
            return True
        return False

    def _tell_unexplained(self, zone: str, held: Held) -> None:
        """Report once that more is there than a hand brings, though no hand was seen."""
        if not held.told:
            held.told = True
            self._context.outbox.put(
                Unverified(self._context.now, zone, "something lies there that no hand was seen to bring")
            )

    def _explained(self, zone: str, held: Held) -> None:
        """End the doubt about a load that another sensor explains by now, or that is gone again."""
        if held.told:
            self._context.outbox.put(Verified(self._context.now, zone))

    def _unseen(self, zone: str, held: Held) -> None:
        """Decide a changed weight of the heaps without a hand: a lifted sheet came back, or the count is unknown."""
        if held.since(self._context.now) is not None:
            return
        del self._held[zone]
        now, count = self._context.now, self._plates.scales[zone].count
        self._context.outbox.put(Unverified(now, zone, "the weight has changed although no hand was seen there"))
        self._context.outbox.put(Counted(now, zone, count, 0.5))

    def misfits(self, misfit: Misfit) -> None:
        """Take a weight that is no whole number of cards, or is one again: reported once no hand touches the plate."""
        if not misfit.fits and is_touched(self._context, misfit.zone):
            self._misfits[misfit.zone] = misfit
        elif self._misfits.pop(misfit.zone, None) is None:
            self._tell(misfit)

    def _tell(self, misfit: Misfit) -> None:
        outbox = self._context.outbox
        if misfit.fits:
            outbox.put(Counted(misfit.t, misfit.zone, misfit.count, 0.9))
        else:
            outbox.put(Counted(misfit.t, misfit.zone, None, 0.9))
            outbox.put(Unverified(misfit.t, misfit.zone, "the weight is no whole number of cards"))

    def _spoken_for(self, step: ScaleStep) -> bool:
        """Return True if another sensor than the scale reports the cards that ``step`` laid down."""
        crossings = self._context.crossings
        if step.zone == self._roles.drawn:
            if step.change == 1 and crossings.near(self._roles.mouths, step.first_t - 0.5, step.first_t + 0.1):
                return True
            return step.change == 1 and carried_in(self._context, step, step.first_t - 1.2)
        if step.zone != self._roles.pile or step.change < 0:
            return False
        if self._pile.shows_more_since(step.first_t):
            return True
        if crossings.first_change(step.zone, step.first_t - 0.35, step.first_t + 0.1) is not None:
            return step.change <= MOST
        return step.change == 1 and (self._partner_of(step) or carried_in(self._context, step, step.first_t - 0.8))

    def _partner_of(self, step: ScaleStep) -> bool:
        """Return True if the stock has lost a card at about that time."""
        if any(
            s.zone == self._roles.drawn and s.change < 0 and abs(s.first_t - step.first_t) < TOGETHER
            for s, _ in self._recent_steps.moves
        ):
            return True
        stock = self._plates.at(self._roles.drawn)
        since = None if stock is None else stock.pending_since(self._context.now)
        return since is not None and abs(since - step.first_t) < TOGETHER
