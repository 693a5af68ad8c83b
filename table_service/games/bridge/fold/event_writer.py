"""Changes on a board as events: each once, and only what all four players may know."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from hw.cards import UNKNOWN
from hw.seats import CLOCKWISE, Seat
from table_service.events import payloads as say
from table_service.games.bridge import payloads
from table_service.games.bridge.fold.board_state import Board
from table_service.games.bridge.fold.veil import known_end, known_tray, sealed_auction, sealed_hands
from table_service.games.bridge.judges.penalty_cards import PenaltyCard
from table_service.games.bridge.judges.tempo import stays
from table_service.games.bridge.judges.tray import TrayCall
from table_service.games.bridge.rules.contract import TRICKS, Contract
from table_service.games.tricks.trick_play import Taken
from table_service.table.table_parts import TableParts

_HANDS: Final = len(Seat)
UNSURE_S: Final = 2.0
"""Seconds after the tray was passed at which a call is reported that too few pictures had shown by then.

One picture may be mistaken. The moment is fixed, so that it does not tell when something happens at the tray meanwhile.
"""
_CHANGED: Final = "the call was changed, or was read otherwise"
PlayKey = tuple[int, Seat, int]
"""Trick, seat, and the how-manieth card of that seat in it."""


class Teller:
    """Tells of one board; what was told is remembered, so that each change is told once."""

    def __init__(self, table: TableParts) -> None:
        self._table = table
        self.begin()

    def begin(self) -> None:
        """Begin a board."""
        self._calls: dict[tuple[Seat, str, float], str] = {}
        self.waits = False
        """True while a call that all may know was read too seldom to be reported."""
        self._passings = 0
        self._passed_t = -math.inf
        """When the newest passing of the tray was reported."""
        self._contract: payloads.ContractMade | None = None
        self._opened = False
        self._led: tuple[Seat, str] | None = None
        self._dummy: tuple[str, ...] = ()
        self._plays: dict[PlayKey, tuple[str, str]] = {}
        self._won: dict[int, payloads.TrickWon] = {}
        self._penalty: tuple[PenaltyCard, ...] = ()
        self._claimed = False
        self._checked: dict[Seat, int | None] = {}
        self._taken_told = False
        self._over = False

    def placed(self, board: Board, t: float) -> None:
        """Report that the board lies there."""
        data = payloads.BoardPlaced(
            board=board.number,
            dealer=str(board.dealer),
            vulnerable=board.vulnerable or "?",
            recorded=board.record is not None,
        )
        self._table.voice.say("board.placed", data, t)

    def sealed(self, board: Board, waiting: Mapping[str, Any], t: float) -> None:
        """Seal for the arbitro alone, who is called, what lies behind the screens and is wrong there (``waiting``)."""
        secret = {**sealed_auction(board), **sealed_hands(board), **waiting}
        self._table.voice.say("screen.sealed", payloads.ScreenSealed(), t, secret=secret)

    def tell(self, board: Board, t: float, *, is_over: bool, is_sure: Callable[[Seat, str, int], bool]) -> float | None:
        """Report what ``board`` holds that was not reported.

        Args:
            board: as it stands.
            t: seconds of the table's clock.
            is_over: nothing more can come of the board.
            is_sure: True if a seat's n-th call of a name was read often enough to be no misreading.

        Returns:
            The moment, in seconds, if something of the auction may become public now: the tray was passed, or what was
            read too seldom by then is reported; else None.
        """
        is_passing, waited = len(board.tray.passings) > self._passings, self.waits
        self._passed(board, t)
        self._auction(board, t, is_over=is_over, is_sure=is_sure if is_passing else lambda *_: False)
        if board.is_revealed:
            self._play(board, t)
        self._pockets(board, t)
        if is_over and not self._over:
            self._over = True
            self._alerts(board, t)
            secret = {**sealed_auction(board), **sealed_hands(board)}
            self._table.voice.say("board.sealed", payloads.BoardSealed(board=board.number), t, secret=secret)
        if is_passing:
            return t
        return min(t, self._passed_t + UNSURE_S) if waited and not self.waits else None

    # -- the auction ---------------------------------------------------------------------------------------------------

    def _passed(self, board: Board, t: float) -> None:
        for one in board.tray.passings[self._passings :]:
            self._table.voice.turn = len(board.tray.passings)
            stayed = [stay for stay in stays(board.tray, board.since) if stay.until == one.t]
            ms = round(1000 * stayed[-1].seconds) if stayed else 0
            data = payloads.TrayPassed(side=one.to, tray_ms=ms)
            secret = {"by": None if one.by is None else str(one.by), **sealed_auction(board)}
            self._table.voice.say("tray.passed", data, t, committed_t=one.t, basis=("tray",), secret=secret)
        if len(board.tray.passings) > self._passings:
            self._passed_t = t
        self._passings = len(board.tray.passings)

    def _auction(self, board: Board, t: float, *, is_over: bool, is_sure: Callable[[Seat, str, int], bool]) -> None:
        tray = known_tray(board, is_over=is_over)
        known, waits = tray.calls, False
        due = self._passed_t + UNSURE_S
        moment = due if self.waits and due <= t else t
        keys = {(one.seat, one.call, one.t) for one in known}
        for key in [key for key in self._calls if key not in keys]:
            gone = say.EventRetracted(event=self._calls.pop(key), note=_CHANGED)
            self._table.voice.say("event.retracted", gone, t)
        for one in known:
            if (one.seat, one.call, one.t) in self._calls:
                continue
            is_newest = one.passed is not None and one.passed == tray.passings[-1]
            if not is_newest or due <= t or is_sure(one.seat, one.call, tray.nth(one)):
                self._call(board, one, moment)
            else:
                waits = True
        self.waits = waits
        ended = known_end(board, is_over=is_over)
        if ended is not None and not waits:
            self._contract_made(ended.contract(), moment)

    def _call(self, board: Board, one: TrayCall, t: float) -> None:
        passed = one.passed
        stayed = [stay for stay in stays(board.tray, board.since) if passed is not None and stay.until == passed.t]
        ms = round(1000 * stayed[-1].seconds) if stayed else None
        data = payloads.CallMade(call=one.call, seat=str(one.seat), tray_ms=ms)
        event = self._table.voice.say(
            "call.made",
            data,
            t,
            one.seat,
            committed_t=None if passed is None else passed.t,
            basis=("sight",),
            secret={"t": round(one.t, 3)},
        )
        self._calls[one.seat, one.call, one.t] = event.id

    def _contract_made(self, made: Contract | None, t: float) -> None:
        data = payloads.ContractMade(
            contract=None if made is None else str(made),
            declarer=None if made is None else str(made.declarer),
            leader=None if made is None else str(CLOCKWISE.next(made.declarer)),
        )
        if data != self._contract:
            self._contract = data
            self._table.voice.say("contract.made", data, t, None if made is None else made.declarer)

    def _alerts(self, board: Board, t: float) -> None:
        for one in board.alerts:
            data = payloads.AlertTold(seat=str(one.by), side=one.side)
            self._table.voice.say("alert.shown", data, t, one.by, committed_t=one.t)
            if one.returned is not None:
                self._table.voice.say("alert.returned", data, t, one.by, committed_t=one.returned)

    # -- the play ------------------------------------------------------------------------------------------------------

    def _play(self, board: Board, t: float) -> None:
        opening, play = board.opening, board.play
        if opening is not None and opening.opened is not None and not self._opened:
            self._opened = True
            data = payloads.ScreenMoved()
            self._table.voice.say("screen.opened", data, t, opening.opened_by, committed_t=opening.opened)
        if play is None:
            return
        if play.tricks:
            self._lead(*play.tricks[0].plays[0], play.dummy, t)
        cards = board.spread.get(play.dummy, ()) if play.tricks else ()
        if cards and cards != self._dummy:
            self._dummy = cards
            self._table.voice.say("dummy.spread", payloads.DummySpread(cards=cards), t, play.dummy, basis=("sight",))
        self._cards(board, t)
        self._penalties(play.penalty_cards, t)
        if board.claim is not None and not self._claimed:
            self._claimed = True
            seat = board.claim.seat
            claim = payloads.ClaimMade(cards=board.claim.cards, n=min(TRICKS, play.count + 1), opens=str(seat))
            self._table.voice.say("claim.made", claim, t, seat)

    def _lead(self, seat: Seat, card: str, dummy: Seat, t: float) -> None:
        """Report the lead that stands; a lead taken back by a ruling does not count.

        Out of turn it may make another hand dummy (54): then it opens none.
        """
        if self._led is not None and self._led[0] is seat:
            return
        if self._led is not None:
            gone = say.EventRetracted(event=self._led[1], note="the lead was taken back")
            self._table.voice.say("event.retracted", gone, t)
        opens = str(dummy) if seat is CLOCKWISE.next(dummy.partner) else None
        data = payloads.LeadMade(card=card, seat=str(seat), opens=opens)
        self._led = seat, self._table.voice.say("lead.made", data, t, seat, basis=("sight",)).id

    def _cards(self, board: Board, t: float) -> None:
        play = board.play
        if play is None:
            return
        now: dict[PlayKey, str] = {}
        for number, trick in enumerate(play.tricks, 1):
            lying: dict[str, str] = {}
            for seat, card in trick.plays:
                key = number, seat, sum(one[:2] == (number, seat) for one in now)
                now[key] = card
                lying.setdefault(str(seat), card)
                self._card(board, key, card, dict(lying), t)
        for key in [key for key in self._plays if key not in now]:
            event, _ = self._plays.pop(key)
            self._table.voice.say("event.retracted", say.EventRetracted(event=event, note="the card was taken back"), t)
        for one in play.turned:
            self._won_by(one, t)
        self._table.voice.turn = self._passings + sum(len(trick.plays) for trick in play.tricks)

    def _won_by(self, one: Taken, t: float) -> None:
        cards = {str(seat): card for seat, card in reversed(one.trick.plays)}  # the first of two cards counts
        won = payloads.TrickWon(
            n=one.number,
            cards=cards,
            winner=None if one.by is None else str(one.by),
            led=None if one.trick.leader is None else str(one.trick.leader),
            certain=len(cards) == _HANDS and UNKNOWN not in cards.values(),
        )
        before = self._won.get(one.number)
        if before != won:
            self._won[one.number] = won
            told = won if before is None else won.model_copy(update={"corrected": True})
            self._table.voice.say("trick.won", told, t, one.by, basis=("sight",))

    def _card(self, board: Board, key: PlayKey, card: str, lying: dict[str, str], t: float) -> None:
        number, seat, _ = key
        known = self._plays.get(key)
        if known is not None:
            if known[1] != card:
                self._plays[key] = known[0], card
                self._table.voice.say("card.named", say.CardNamed(event=known[0], cards=(card,)), t)
            return
        winner = None
        if board.play is not None and len(lying) == _HANDS:
            winner = next((one.by for one in board.play.turned if one.number == number), None)
        data = payloads.TrickPlayed(
            n=number,
            card=card,
            cards=lying,
            winner=None if winner is None else str(winner),
            certain=UNKNOWN not in lying.values(),
        )
        event = self._table.voice.say("trick.played", data, t, seat, basis=("sight",))
        self._plays[key] = event.id, card

    def _penalties(self, now: tuple[PenaltyCard, ...], t: float) -> None:
        for one in now:
            if not any((old.seat, old.card, old.kind) == (one.seat, one.card, one.kind) for old in self._penalty):
                self._penalty_told("set", one, t)
        for old in self._penalty:
            if not any((old.seat, old.card) == (one.seat, one.card) for one in now):
                self._penalty_told("served", old, t)
        self._penalty = now

    def _penalty_told(self, what: str, one: PenaltyCard, t: float) -> None:
        data = payloads.PenaltyCardTold(card=one.card, seat=str(one.seat), kind=one.kind)
        self._table.voice.say(f"penalty-card.{what}", data, t, one.seat)

    def _pockets(self, board: Board, t: float) -> None:
        if len(board.taken_out) == _HANDS and set(board.taken_out.values()) != {TRICKS} and not self._taken_told:
            self._taken_told = True
            self._board_checked(board.taken_out, t)
        if len(board.pockets) < _HANDS or dict(board.pockets) == self._checked or 0 in board.pockets.values():
            return  # an empty pocket cannot be told from one whose scale was tared with its cards
        self._checked = dict(board.pockets)
        self._board_checked(board.pockets, t)

    def _board_checked(self, cards: Mapping[Seat, int | None], t: float) -> None:
        counts = {str(seat): cards[seat] for seat in Seat}
        complete = None if None in counts.values() else all(count == TRICKS for count in counts.values())
        self._table.voice.say("board.checked", payloads.BoardChecked(counts=counts, complete=complete), t)
