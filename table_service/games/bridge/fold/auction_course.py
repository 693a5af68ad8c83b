"""The auction of a board: what acts on the tray do to it."""

from __future__ import annotations

from dataclasses import replace

from table_service.games.bridge.fold.board_state import REOPENS_S, Board
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.opening_lead import Opening
from table_service.games.bridge.judges.sides import side_of
from table_service.games.bridge.judges.tempo import CallAlert
from table_service.games.bridge.judges.tray import TrayAuction, TrayCall
from table_service.games.bridge.reading.acts import (
    UNREAD,
    AlertGivenBack,
    AlertLaid,
    CallLaid,
    CallNamed,
    CallTakenBack,
    CallWasNone,
    StopShown,
    TrayMoved,
)


def call_laid(board: Board, act: CallLaid) -> Board:
    """Lay a call. One by a player who has just taken his last call from the tray after the end replaces it."""
    if _is_cleared(board):
        return board
    if (act.seat, act.call) in board.unseen:
        left = list(board.unseen)
        left.remove((act.seat, act.call))
        return replace(board, unseen=tuple(left))
    tray = board.tray
    taken = [one for one in board.cleared if one[0] is act.seat and 0 <= act.t - one[2] <= REOPENS_S]
    if taken:
        seat, call, t = taken[-1]
        tray = tray.withdrawn(seat, call, t)
        board = replace(board, cleared=tuple(one for one in board.cleared if one != taken[-1]))
    if act.call == UNREAD:
        board = replace(board, unread=(*board.unread, (act.seat, act.t)))
    early = tuple(one for one in board.laid_early if one[2] < act.t)
    if early:  # the auction goes on: those cards were exposed, and were no lead
        kept = tuple(one for one in board.laid_early if one not in early)
        board = replace(board, exposed=(*board.exposed, *early), laid_early=kept)
    return settled(replace(board, tray=tray.called(act.seat, act.call, act.t)), act.t, is_changed=bool(taken))


def _is_cleared(board: Board) -> bool:
    """Return True if the auction is known to be over, and cards are put away: what is read there now is no call."""
    return bool(board.cleared) and board.known is not None and board.known.lawful_part.is_over


def call_taken_back(board: Board, act: CallTakenBack) -> Board:
    """Take a call from the tray: it is changed, or, once the auction is over, the cards are put away."""
    if board.over_t is not None:
        return replace(board, cleared=(*board.cleared, (act.seat, act.call, act.t)))
    passings = board.tray.passings
    if passings and passings[-1].to != side_of(act.seat):
        return replace(board, unseen=(*board.unseen, (act.seat, act.call)))
    if act.call == UNREAD:
        kept = [one for one in board.unread if one[0] is not act.seat]
        own = [one for one in board.unread if one[0] is act.seat]
        board = replace(board, unread=(*kept, *own[:-1]))
    return settled(replace(board, tray=board.tray.withdrawn(act.seat, act.call, act.t)), act.t)


def call_named(board: Board, act: CallNamed) -> Board:
    """Name a call that is read, or read otherwise: it was that call all the time."""
    if _is_cleared(board):
        return board
    place = next(
        (n for n, one in reversed(list(enumerate(board.tray.calls))) if (one.seat, one.call) == (act.seat, act.old)),
        None,
    )
    if place is None:
        return board
    old = board.tray.calls[place]
    calls = (*board.tray.calls[:place], TrayCall(old.seat, act.new, old.t, old.passed), *board.tray.calls[place + 1 :])
    unread = board.unread
    if act.old == UNREAD:
        unread = tuple(one for one in unread if one != (old.seat, old.t))
    board = replace(board, tray=replace(board.tray, calls=calls), unread=unread, known=_named_in(board.known, old, act))
    return settled(board, act.t, is_changed=True)


def _named_in(known: TrayAuction | None, old: TrayCall, act: CallNamed) -> TrayAuction | None:
    """Return what all four know of the tray, with a call that was passed by its right name."""
    if known is None:
        return None
    calls = (
        replace(one, call=act.new) if (one.seat, one.call, one.t) == (old.seat, old.call, old.t) else one
        for one in known.calls
    )
    return replace(known, calls=tuple(calls))


def call_was_none(board: Board, act: CallWasNone) -> Board:
    """Remove a call that was the stop or the alert card, misread: no player has made it."""
    if _is_cleared(board):
        return board
    lying = [one for one in board.tray.calls if (one.seat, one.call) == (act.seat, act.call)]
    if not lying:
        return board
    calls = tuple(one for one in board.tray.calls if one is not lying[-1])
    unread = tuple(one for one in board.unread if one != (act.seat, lying[-1].t))
    return settled(replace(board, tray=replace(board.tray, calls=calls), unread=unread), act.t, is_changed=True)


def settled(board: Board, t: float, *, is_changed: bool = False) -> Board:
    """``board`` with the contract once the auction is over; while a call is unread nobody knows that it is."""
    if board.play is not None and board.play.tricks:
        return board  # cards are played: what is called now changes no contract
    auction = board.tray.lawful_part
    if board.over_t is not None and auction.is_over and not is_changed:
        return board
    if not auction.is_over or board.unread:
        return replace(board, over_t=None, contract=None, opening=None, play=None)
    contract = auction.contract()
    board = replace(board, over_t=t, contract=contract)
    if contract is None:
        return replace(board, opening=None, play=None)
    opening = Opening(contract.declarer)
    play = CardPlay.begun(contract, board.record)
    for seat in dict.fromkeys(one[0] for one in board.exposed):  # a defender's are penalty cards (24); else nothing
        play = play.showed(seat, [card for who, card, _ in board.exposed if who is seat], t)
    return replace(board, opening=opening, play=play)


def stop_shown(board: Board, act: StopShown) -> Board:
    """Show the stop card."""
    return replace(board, stops=(*board.stops, (act.seat, act.t)))


def alert_laid(board: Board, act: AlertLaid) -> Board:
    """Lay the alert card over a call: by the player of its line who sits where the tray is."""
    side = act.side or side_of(act.seat)
    by = act.seat if side_of(act.seat) == side else act.seat.partner
    return replace(board, alerts=(*board.alerts, CallAlert(by, act.seat, act.t)))


def alert_given_back(board: Board, act: AlertGivenBack) -> Board:
    """Give the alert card back to the player who had laid it."""
    alerts = list(board.alerts)
    for place in reversed(range(len(alerts))):
        if alerts[place].seat is act.seat and alerts[place].returned is None:
            alerts[place] = replace(alerts[place], returned=act.t)
            break
    return replace(board, alerts=tuple(alerts))


def tray_passed(board: Board, act: TrayMoved) -> Board:
    """Pass the tray to the other side with what lies on it."""
    tray = board.tray.pushed(act.by, act.to, act.t)
    known = tuple(one for one in tray.calls if one.passed is not None)
    return replace(board, tray=tray, known=replace(tray, calls=known, changes=()))
