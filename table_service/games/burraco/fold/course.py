"""The course of one deal: its acts in a history, the deal that they make, and the events that tell of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from table_service.events import payloads as say
from table_service.games.burraco.action_events import Told, acted
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.applied_actions import apply
from table_service.games.burraco.rules.deal import Deal
from table_service.table.finding_payloads import public, secret_cards, veiled
from table_service.table.history import Facts, History, Reported
from table_service.table.voice import Voice

Change = Callable[[Deal], Deal]
"""What an order, a count or a doubt does to a deal; a pure function, done again where the deal is folded again."""
_HIDDEN = act.Draw | act.ReturnToStock | act.TakePot | act.ReturnToPot
"""Actions of which nobody else sees the cards."""


def supposed_after(movement: int) -> int:
    """Return the number of acts that ``movement`` makes likely and nothing sensed: negative, unlike tracking's."""
    return -1 - movement


@dataclass(frozen=True, slots=True)
class DealStep:
    """One act of a deal: an ``action`` and the ``movement`` it was read from, or what was ordered, counted or doubted.

    ``number``: the acts stand in the order in which they were heard, as what a movement is depends on the deal then;
    cards told after the discard that they were laid before are laid late (``rules.acting.lay_late``).
    """

    number: int
    action: act.Action | None = None
    movement: int | None = None
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class PlayedAction:
    """The fact that ``action`` was done to the deal ``before`` by ``step``. ``told``: the event it is; None: none."""

    step: DealStep
    action: act.Action
    before: Deal
    told: Told | None


def number_of(step: DealStep) -> float:
    """Return the place of ``step`` in its history."""
    return step.number


def after(deal: Deal | None, step: DealStep) -> tuple[Deal | None, Facts[PlayedAction]]:
    """``deal`` after ``step``, and the action that it is (``table.history``)."""
    if deal is None or step.action is None:
        return deal if deal is None or step.change is None else step.change(deal), {}
    now = apply(deal, step.action)
    return now, {step.number: PlayedAction(step, step.action, deal, acted(step.action, deal, now))}


class BurracoCourse:
    """Keeps the deal that runs, and writes what was played in it as events (``table.history.Writer``)."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._history: History[Deal | None, DealStep, PlayedAction]
        self._number = 0
        self._told: Reported[PlayedAction, str] = Reported(self)
        self._moment: tuple[float, str, tuple[str, ...]] = (0.0, "", ())
        self.begin(None)

    @property
    def deal(self) -> Deal | None:
        """The deal as it stands, hidden cards and all; None before the first of the round."""
        return self._history.deal

    @property
    def last(self) -> DealStep | None:
        """The last step; None where there was none."""
        return self._history.last

    @property
    def played(self) -> tuple[PlayedAction, ...]:
        """Every action, oldest first."""
        return tuple(self._history.facts.values())

    @property
    def actions(self) -> list[tuple[Deal, act.Action]]:
        """Every action with the deal before it, oldest first."""
        return [(one.before, one.action) for one in self.played]

    def of_movement(self, movement: int) -> list[PlayedAction]:
        """Return the actions that were read from ``movement``."""
        return [one for one in self.played if one.step.movement == movement]

    def since(self, one: PlayedAction) -> list[act.Action]:
        """Return the actions after ``one``, oldest first."""
        return [later.action for later in self.played if later.step.number > one.step.number]

    # -- the acts ----------------------------------------------------------------------------------------------------

    def begin(self, deal: Deal | None) -> None:
        """``deal`` begins; None: there is none yet."""
        self._history = History(deal, after, date=number_of)
        self._told.clear()
        self._stands()

    def change(self, change: Change) -> DealStep | None:
        """Do ``change`` to the deal that runs, as a step of it; None where that changes nothing."""
        deal = self.deal
        return None if deal is None or change(deal) is deal else self._take(change=change)

    def perform(self, action: act.Action, movement: int) -> None:
        """Record that ``action``, read from ``movement``, has been done."""
        self._take(action, movement)

    def revise(self, one: PlayedAction, action: act.Action) -> None:
        """Replace the action of ``one`` by ``action``."""
        self._history.replace(one.step, replace(one.step, action=action))
        self._stands()

    def remove(self, step: DealStep) -> None:
        """``step`` was none."""
        self._history.remove(step)
        self._stands()

    def _take(
        self, action: act.Action | None = None, movement: int | None = None, change: Change | None = None
    ) -> DealStep:
        self._number += 1
        step = DealStep(self._number, action, movement, change)
        self._history.insert(step)
        self._stands()
        return step

    def _stands(self) -> None:
        deal = self.deal
        self._voice.turn = None if deal is None else deal.turn

    # -- the events --------------------------------------------------------------------------------------------------

    def tell(self, t: float, why: str = "", basis: tuple[str, ...] = ()) -> None:
        """Tell at ``t`` by what the actions differ from those that were told.

        ``why`` one may be none any more; ``basis``: what names cards that were not known.
        """
        self._moment = t, why or "later evidence explains it otherwise", basis
        self._told.compare({key: one for key, one in self._history.facts.items() if one.told is not None})

    def report(self, one: PlayedAction) -> str | None:
        """Tell what was played; None where that is no event."""
        if one.told is None:
            return None
        (type_, data, secret), action = one.told, one.action
        return self._voice.say(
            type_,
            data,
            self._moment[0],
            action.seat,
            committed_t=action.committed_t,
            confidence=action.confidence,
            basis=action.basis,
            secret=secret,
        ).id

    def correct(self, name: str, was: PlayedAction, one: PlayedAction) -> str | None:
        """Name cards that are known now; an act of another player is told anew."""
        if one.action.seat is not was.action.seat:
            self.retract(name, was)
            return self.report(one)
        cards, (t, _, basis) = one.action.cards, self._moment
        if cards != was.action.cards and len(cards) == len(was.action.cards):
            hidden = isinstance(one.action, _HIDDEN)
            data = say.CardNamed(event=name, cards=veiled(cards) if hidden else public(cards, basis))
            secret = secret_cards(cards) if hidden else None
            self._voice.say("card.named", data, t, one.action.seat, secret=secret)
        return name

    def retract(self, name: str, one: PlayedAction) -> None:  # noqa: ARG002 - as `Writer`
        """Take event ``name`` back."""
        t, why, _ = self._moment
        self._voice.say("event.retracted", say.EventRetracted(event=name, note=why), t)
