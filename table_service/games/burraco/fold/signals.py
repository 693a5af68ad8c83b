"""What players give to understand: buttons, declarations, hand-shields; and the state of the sensors' nodes."""

from __future__ import annotations

from hw.cards import UNKNOWN
from hw.observations import Button, Health, Observation, Other, Said, Shield
from table_service.events import payloads as say
from table_service.games.burraco.fold.ending import Ending
from table_service.games.burraco.fold.reporting import report
from table_service.games.burraco.fold.round_state import Sitting
from table_service.games.burraco.reading import card_of
from table_service.games.burraco.rules import actions as act
from table_service.tracking.movements import Touched


class Signs:
    """Takes the observations that move no card, the console's apart."""

    def __init__(self, sitting: Sitting, ending: Ending) -> None:
        self._sitting = sitting
        self._ending = ending
        self._strange: set[str] = set()

    def take(self, seen: Observation) -> None:
        """Take one observation."""
        sitting = self._sitting
        match seen:
            case Button():
                self._button(seen)
            case Said():
                self._said(seen)
            case Shield(seat=seat, pose="up"):
                sitting.shields.add(seat)
            case Shield(seat=seat, pose="over"):
                sitting.shields.add(seat)
                sitting.this.signs[seat] = seen.t
                sitting.pot_sign = seat
                self._ending.shield_over(seat, seen.t)
            case Health():
                sitting.nodes[seen.node] = seen.state
                sitting.say("table.health", say.TableHealth(what=seen.node, state=seen.state, note=seen.note), seen.t)
            case Other() if seen.kind not in self._strange:
                self._strange.add(seen.kind)
                sitting.ignored(f"an observation of the unknown kind '{seen.kind}' was kept and not acted on", seen.t)

    def touched(self, touched: Touched) -> None:
        """A hand has rested at the stock."""
        sitting, deal = self._sitting, self._sitting.deal
        if deal is None:
            return
        there = act.Touch(
            t=touched.t, committed_t=touched.committed_t, seat=touched.seat, zone=touched.zone, basis=("reach", "scale")
        )
        report(sitting, sitting.referee.judge(deal, there, (), deal))

    def _button(self, button: Button) -> None:
        if button.button == "referee":
            self._sitting.referee.visited()
            self._sitting.say("referee.called", say.RefereeCalled(), button.t, button.seat)
            self._called(button)
        elif button.button == "count":
            self._ending.called_to_count(button.t)

    def _called(self, button: Button) -> None:
        """Who calls may not call yet (art. 21)."""
        sitting, deal = self._sitting, self._sitting.deal
        if deal is not None:
            call = act.Call(t=button.t, committed_t=button.t, seat=button.seat, basis=("button",))
            report(sitting, sitting.referee.judge(deal, call, (), deal))

    def _said(self, said: Said) -> None:
        sitting, deal = self._sitting, self._sitting.deal
        if said.what == "pot":
            sitting.pot_sign = said.seat or sitting.pot_sign
        elif said.what == "close":
            who = said.seat or (deal.actor(None) if deal is not None and deal.begun else None)
            if who is not None:
                self._ending.says_close(who, said.t)
        if deal is None or not said.what.startswith("card:"):
            return
        card = card_of(said.what.partition(":")[2])
        declared = act.Declare(
            t=said.t, committed_t=said.t, seat=said.seat, cards=() if card == UNKNOWN else (card,), basis=("said",)
        )
        report(sitting, sitting.referee.judge(deal, declared, (), deal))
