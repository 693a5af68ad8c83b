"""Signals of players: buttons, declarations, hand-shields, a hand at the stock, cards laid out."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN
from hw.observations import Button, Knock, Said, Shield
from table_service.games.burraco.fold.playing import Parts
from table_service.games.burraco.reading import card_of
from table_service.games.burraco.rules import actions as act
from table_service.tracking.movements import Shown, Touched

DECLARATIONS: Final = frozenset({"pot", "close", "card", "count"})


class Signals:
    """Takes what players say or show. ``shields``: whether a hand-shield says anything by the code."""

    def __init__(self, parts: Parts, *, shields: bool) -> None:
        self._parts = parts
        self._shields = shields

    def hear(self, seen: Button | Said | Shield | Knock | Touched | Shown) -> None:
        """Hear one signal."""
        parts = self._parts
        match seen:
            case Button(button="referee"):
                self._judge(act.Call(t=seen.t, committed_t=seen.t, seat=seen.seat, basis=("button",)))
            case Button(button="count"):
                parts.ending.called_to_count(seen.t)
            case Said():
                self._said(seen)
            case Shield() if not self._shields:
                pass
            case Shield(seat=seat, pose="up"):
                parts.shields.upright(seat)
            case Shield(seat=seat, pose="over"):
                parts.shields.over(seat, seen.t)
                parts.ending.shield_over(seat, seen.t)
            case Touched():
                self._judge(
                    act.Touch(
                        t=seen.t,
                        committed_t=seen.committed_t,
                        seat=seen.seat,
                        zone=seen.zone,
                        basis=("reach", "scale"),
                    )
                )
            case Shown():
                parts.ending.shown(seen)

    def _judge(self, action: act.Action) -> None:
        """Have ``action`` judged, which moves no card: a call too early (art. 21), a card named."""
        deal = self._parts.course.deal
        if deal is not None:
            self._parts.reporter.report(self._parts.referee.judge(deal, action, (), deal))

    def _said(self, said: Said) -> None:
        deal = self._parts.course.deal
        if said.what == "pot":
            self._parts.shields.says_pot(said.seat)
        elif said.what == "count":
            self._parts.ending.called_to_count(said.t)
        elif said.what == "close":
            who = said.seat or (deal.actor(None) if deal is not None and deal.begun else None)
            if who is not None:
                self._parts.ending.says_close(who, said.t)
        if not said.what.startswith("card:"):
            return
        card = card_of(said.what.partition(":")[2])
        named = () if card == UNKNOWN else (card,)
        self._judge(act.Declare(t=said.t, committed_t=said.t, seat=said.seat, cards=named, basis=("said",)))
