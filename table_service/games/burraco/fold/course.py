"""The course of one deal: the deal as it stands, and every step that has made it so, to be gone through again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.applied_actions import apply
from table_service.games.burraco.rules.deal import Deal
from table_service.table.voice import Voice

Change = Callable[[Deal], Deal]
"""What an order, a count or a doubt does to a deal; a pure function, done again where play is played through again."""


def supposed_after(movement: int) -> int:
    """Return the number of acts that ``movement`` makes likely and nothing sensed: negative, unlike tracking's."""
    return -1 - movement


@dataclass(slots=True)
class Step:
    """One step of a deal and the deal before it: an action, or what was ordered, counted or doubted.

    ``action`` with the ``movement`` it was read from and the ``event`` that told it, or the ``change``.
    """

    before: Deal
    action: act.Action | None = None
    movement: int | None = None
    event: str | None = None
    change: Change | None = None

    def done(self, deal: Deal) -> Deal:
        """``deal`` after this step."""
        if self.action is not None:
            return apply(deal, self.action)
        return deal if self.change is None else self.change(deal)


class Course:
    """Keeps the deal that runs. ``deal``: as it stands, None before the first of the round."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._deal: Deal | None = None
        self._steps: list[Step] = []

    @property
    def deal(self) -> Deal | None:
        """The deal as it stands, hidden cards and all."""
        return self._deal

    @property
    def length(self) -> int:
        """How many steps there were."""
        return len(self._steps)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step, oldest first."""
        return tuple(self._steps)

    @property
    def actions(self) -> list[tuple[Deal, act.Action]]:
        """Every action with the deal before it, oldest first."""
        return [(step.before, step.action) for step in self._steps if step.action is not None]

    def begin(self, deal: Deal | None) -> None:
        """``deal`` begins; None: there is none yet."""
        self._steps = []
        self._stands(deal)

    def change(self, change: Change) -> None:
        """Do ``change`` to the deal that runs; it is a step of the deal as a movement is."""
        if self._deal is None:
            return
        before = self._deal
        self._stands(change(before))
        if self._deal is not before:
            self._steps.append(Step(before, change=change))

    def perform(self, action: act.Action, movement: int, before: Deal) -> Step:
        """Apply ``action``, read from ``movement``, to the deal ``before``."""
        step = Step(before, action, movement)
        self._steps.append(step)
        self._stands(step.done(before))
        return step

    def undo(self) -> None:
        """The last step was none."""
        self._stands(self._steps.pop().before)

    def of_movement(self, movement: int) -> list[tuple[int, Step, act.Action]]:
        """The steps that were read from ``movement``: their places, and their actions."""
        return [
            (at, step, step.action)
            for at, step in enumerate(self._steps)
            if step.movement == movement and step.action is not None
        ]

    def last_pot_supposed(self) -> tuple[int, int] | None:
        """Return the movement number and the cards of the last pot taken; None where that was sensed, or none was."""
        taken = (step for step in reversed(self._steps) if isinstance(step.action, act.TakePot))
        last = next(taken, None)
        if last is None or last.action is None or last.movement is None or last.movement >= 0:
            return None
        return last.movement, len(last.action.cards)

    def since(self, at: int) -> list[Step]:
        """The steps after the one at place ``at``."""
        return self._steps[at + 1 :]

    def forget(self, movement: int) -> None:
        """Nothing of ``movement`` has happened. Go through the rest again (``replay``)."""
        self._steps = [step for step in self._steps if step.movement != movement]

    def replay(self, at: int, deal: Deal) -> None:
        """Go through the steps from place ``at`` on again, from ``deal``."""
        for later in self._steps[at:]:
            later.before = deal
            deal = later.done(deal)
        self._stands(deal)

    def replay_from(self, step: Step) -> None:
        """Go through ``step``, one of these, and those after it again: its action is known better."""
        self.replay(next(at for at, one in enumerate(self._steps) if one is step), step.before)

    def _stands(self, deal: Deal | None) -> None:
        self._deal = deal
        self._voice.turn = None if deal is None else deal.turn
