"""A board as its acts have made it so far: a frozen value, made anew where an act turns out to be earlier."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Never

from hw.seats import Line, Seat
from table_service.games.bridge.fold import auction_course, claimed_course, play_course, ruled_course, screen_course
from table_service.games.bridge.fold.board_state import JUST_BEFORE_S, Board
from table_service.games.bridge.fold.heard import (
    Agreed,
    Attention,
    ClaimStated,
    FoldAct,
    PenaltyCardsSet,
    ResultStated,
    Ruled,
    TrickCorrected,
)
from table_service.games.bridge.fold.ruled_duties import obliged
from table_service.games.bridge.fold.ruled_questions import remembered
from table_service.games.bridge.judges.sides import side_of
from table_service.games.bridge.reading import acts
from table_service.games.bridge.reading.acts import (
    CallLaid,
    CallNamed,
    CallTakenBack,
    CardPlayed,
    CardRenamed,
    Faced,
    TrayMoved,
)
from table_service.games.tricks.trick_play import Taken
from table_service.table.history import Facts, History

SEEN_LATE_S: Final = 5.0
"""A call may be seen so long after its tray was passed; later than that, the tray has come back unnoticed."""
_CALLS: Final = (CallLaid, CallTakenBack, CallNamed)
_EARLY: Final = frozenset({"play-out-of-turn", "lead-out-of-turn"})


def _ruled(board: Board, act: Ruled) -> Board:
    """Apply a ruling: what it changes at once, what it obliges players to, and what it leaves to be asked."""
    return remembered(obliged(ruled_course.ruled(board, act), act), act)


_STEPS: Final[Mapping[type, Callable[[Board, Any], Board]]] = {
    acts.CallLaid: lambda board, act: screen_course.went_on(auction_course.call_laid(board, act), act),
    acts.CallTakenBack: auction_course.call_taken_back,
    acts.CallNamed: auction_course.call_named,
    acts.CallWasNone: auction_course.call_was_none,
    acts.StopShown: auction_course.stop_shown,
    acts.AlertLaid: auction_course.alert_laid,
    acts.AlertGivenBack: auction_course.alert_given_back,
    acts.TrayMoved: lambda board, act: screen_course.went_on(auction_course.tray_passed(board, act), act),
    acts.ApertureOpened: lambda board, act: screen_course.opened(play_course.aperture_opened(board, act), act),
    acts.ApertureClosed: lambda board, act: screen_course.closed(play_course.aperture_closed(board, act), act),
    acts.PanelRemoved: screen_course.opened,
    acts.PanelStood: screen_course.closed,
    acts.LaidFaceDown: play_course.laid_face_down,
    acts.Faced: play_course.faced,
    acts.CardPlayed: play_course.card_played,
    acts.CardRenamed: play_course.card_named,
    acts.CardGone: play_course.card_gone,
    acts.CardQuitted: play_course.card_quitted,
    acts.TurnedUnseen: play_course.turned_unseen,
    acts.HandSpread: claimed_course.hand_spread,
    acts.CardFaced: play_course.card_exposed,
    acts.PocketWeighed: play_course.pocket_weighed,
    Attention: play_course.attention,
    ClaimStated: claimed_course.claim_stated,
    ResultStated: play_course.result_stated,
    Agreed: play_course.agreed,
    Ruled: _ruled,
    PenaltyCardsSet: ruled_course.penalty_cards_set,
    TrickCorrected: ruled_course.trick_corrected,
}
"""What each act does to a board."""


def board_after(board: Board, act: FoldAct) -> Board:
    """``board`` after ``act``, whatever the rules say of it."""
    step = _STEPS.get(type(act))
    return board if step is None else step(board, act)


def when(act: FoldAct) -> float:
    """Return the time of ``act``, in seconds of the log."""
    return act.t


def after(board: Board, act: FoldAct) -> tuple[Board, Facts[Never]]:
    """``board`` after ``act`` (``table.history``); what is reported of it is not said in facts yet."""
    return board_after(board, act), {}


@dataclass(slots=True)
class BoardCourse:
    """The acts of a board in the order in which they happened, and the board that they make."""

    start: Board
    history: History[Board, FoldAct, Never]

    @staticmethod
    def begun(start: Board) -> BoardCourse:
        """Course of a board before its first act."""
        return BoardCourse(start, History(start, after, date=when))

    @property
    def board(self) -> Board:
        """The board as its acts have made it."""
        return self.history.deal

    @property
    def acts(self) -> Sequence[FoldAct]:
        """The acts in order."""
        return tuple(self.history)

    def apply(self, told: Sequence[FoldAct]) -> None:
        """Take the acts that one observation has shown."""
        for one in self._in_turn(told):
            act = self._read_at_last(one) if isinstance(one, CardRenamed) else one
            if isinstance(act, CallLaid) and self._came_unseen(act):
                self.history.insert(TrayMoved(act.t - JUST_BEFORE_S, None, side_of(act.seat)))
            if isinstance(act, TrayMoved):
                self._replaces_inferred(act)
            if not (isinstance(act, CallLaid) and self._lay_all_along(act)):
                self.history.insert(self._dated(act))

    def _read_at_last(self, act: CardRenamed) -> FoldAct:
        """Read a card renamed after being taken for one of an earlier trick as played when it was first seen."""
        if (act.seat, act.old) not in self.board.again:
            return act
        seen = (one for one in reversed(self.acts) if isinstance(one, CardPlayed | Faced) and one.seat is act.seat)
        first = next((one for one in seen if one.card == act.old), None)
        if first is None:
            return act
        self.history.remove(first)
        return CardPlayed(first.t, act.seat, act.new, first.clear if isinstance(first, CardPlayed) else None)

    def _lay_all_along(self, act: CallLaid) -> bool:
        """Return True if this very call was last seen to be gone from that hand: then pictures had only missed it."""
        of_seat = (one for one in reversed(self.acts) if isinstance(one, _CALLS) and one.seat is act.seat)
        last = next(of_seat, None)
        if not isinstance(last, CallTakenBack) or last.call != act.call:
            return False
        self.history.remove(last)
        return True

    def _replaces_inferred(self, act: TrayMoved) -> None:
        """Drop the passing that was inferred from a call: it has been seen now."""
        last = self.board.tray.passings[-1:]
        guess = [TrayMoved(one.t, None, one.to) for one in last if one.by is None and one.to == act.to]
        if guess and act.t <= guess[0].t and guess[0] in self.acts:
            self.history.remove(guess[0])

    def _came_unseen(self, act: CallLaid) -> bool:
        """Return True if the tray must have been passed unnoticed by its contacts: a player calls who is not there."""
        passings = self.board.tray.passings
        is_away = bool(passings) and passings[-1].to != side_of(act.seat)
        known = (act.seat, act.call) in self.board.unseen or self.board.over_t is not None
        return is_away and not known and act.t - passings[-1].t > SEEN_LATE_S

    def _in_turn(self, told: Sequence[FoldAct]) -> list[FoldAct]:
        """Cards that one picture shows for the first time were played in turn, as far as anybody can say.

        Each act of the picture has a moment of its own, so that a card which is seen later has a place among them.
        """
        play = self.board.play
        cards = [act for act in told if isinstance(act, CardPlayed)]
        first = play.turn() if play is not None else None
        if len(cards) < 2 or first is None:
            return list(told)
        order = {seat: place for place, seat in enumerate(_clockwise_from(first))}
        cards.sort(key=lambda act: order[act.seat])
        in_order = [act for act in told if not isinstance(act, CardPlayed)] + list[FoldAct](cards)
        return [replace(act, t=act.t - n * 2 * JUST_BEFORE_S) for n, act in enumerate(reversed(in_order))][::-1]

    def _dated(self, act: FoldAct) -> FoldAct:
        """``act`` at the time at which it must have happened, where it was seen only later."""
        if isinstance(act, CallLaid):
            return replace(act, t=self._called_at(act))
        return replace(act, t=self._played_at(act)) if isinstance(act, CardPlayed) else act

    def _called_at(self, act: CallLaid) -> float:
        """Return when the call was made: who is not at the tray has called before it left his side."""
        passings = self.board.tray.passings
        if (act.seat, act.call) in self.board.unseen:
            return act.t
        if not passings or passings[-1].to == side_of(act.seat) or not 0 <= act.t - passings[-1].t <= SEEN_LATE_S:
            return act.t
        return passings[-1].t - JUST_BEFORE_S

    def _played_at(self, act: CardPlayed) -> float:
        """Return when the card was played: if due, but missed when the next ones came, before the first of them."""
        play = self.board.play
        if play is None:
            return act.t
        clear = -math.inf if act.clear is None else act.clear
        number = play.lacks(act.seat)  # no card is one of a trick that has one of that hand
        early = (one for one in play.faults if one.wrong in _EARLY and (one.due, one.number) == (act.seat, number))
        return min((one.t - JUST_BEFORE_S for one in early if clear < one.t <= act.t), default=act.t)


def _clockwise_from(first: Seat) -> list[Seat]:
    order = list(Seat)
    place = order.index(first)
    return order[place:] + order[:place]


def taken_by(board: Board) -> Mapping[Line, int | None]:
    """Return the tricks that each line has won with its cards; None for both if the winner of one is unknown."""
    if board.play is None:
        return dict.fromkeys(Line, 0)
    declarer = board.play.contract.declarer.line
    won = board.play.tricks_won()
    other = None if won is None else board.play.count - won
    return {line: won if line is declarer else other for line in Line}


def last_taken(board: Board) -> Taken | None:
    """Return the last trick that is full, or None."""
    taken = () if board.play is None else board.play.turned
    return taken[-1] if taken else None
