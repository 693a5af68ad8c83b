"""The screen while the auction runs: it parts the players until a lead is faced (app. 4, 1), or it is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from table_service.games.bridge.fold.board_state import BOUNCE_S, Board, Gap
from table_service.games.bridge.reading.acts import (
    ApertureClosed,
    ApertureOpened,
    CallLaid,
    PanelRemoved,
    PanelStood,
    TrayMoved,
)

_PARTS: Final = {
    ApertureOpened: "aperture",
    ApertureClosed: "aperture",
    PanelRemoved: "panel",
    PanelStood: "panel",
}
SEEN_BY_ALL: Final = 3
"""A call, the tray passed, another call: so many steps of an auction show that it went on before an open screen.

Fewer may be the last passes, which a picture may show only once the screen was rightly opened.
"""


def opened(board: Board, act: ApertureOpened | PanelRemoved) -> Board:
    """Open a part of the screen, which parts the players no more; closed for less than a second, it bounced."""
    part = _PARTS[type(act)]
    last = board.gaps[-1] if board.gaps else None
    if last is not None and last.part == part and last.until is not None and act.t - last.until < BOUNCE_S:
        return replace(board, gaps=(*board.gaps[:-1], replace(last, until=None)))
    if board.over_t is not None or (last is not None and last.part == part and last.until is None):
        return board
    return replace(board, gaps=(*board.gaps, Gap(part, act.t)))


def closed(board: Board, act: ApertureClosed | PanelStood) -> Board:
    """Close a part of the screen, which parts the players again."""
    part = _PARTS[type(act)]
    gaps = tuple(replace(one, until=act.t) if one.part == part and one.until is None else one for one in board.gaps)
    return board if gaps == board.gaps else replace(board, gaps=gaps)


def went_on(board: Board, act: CallLaid | TrayMoved) -> Board:
    """Continue the auction: with what is open for a second or more, all four see it."""
    calls = isinstance(act, CallLaid)
    gaps = tuple(replace(one, steps=one.steps + 1) if _counts(one, act.t, calls=calls) else one for one in board.gaps)
    return board if gaps == board.gaps else replace(board, gaps=gaps)


def _counts(gap: Gap, t: float, *, calls: bool) -> bool:
    """Return True if a step at ``t`` is next in an auction before ``gap``; calls are the first and the third."""
    until = t if gap.until is None else min(gap.until, t)
    return gap.steps < SEEN_BY_ALL and calls == (gap.steps != 1) and until - gap.t >= BOUNCE_S
