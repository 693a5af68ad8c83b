"""Kinds of rehearsed faults: a row of the catalogue, when it can be committed, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from hw.seats import CLOCKWISE, Seat
from hw.twin.gestures import ConsoleGesture, Press
from table_service.games.bridge.rehearsal.table_board import ScriptBoard


class BoardMoment(StrEnum):
    """Moment of committing a fault, which replaces the act of that moment."""

    DEAL = "deal"
    """The board is made up, with its record."""
    CALL = "call"
    """The seat is about to call."""
    OVER = "over"
    """The last call is made, and the tray is about to be passed."""
    LEAD = "lead"
    """The seat is about to make the opening lead."""
    TURN = "turn"
    """The hand is about to play."""
    QUIT = "quit"
    """A trick is full."""
    END = "end"
    """All tricks are turned; declarer may state the result."""


@dataclass(frozen=True, slots=True)
class BoardFaultKind:
    """Way of committing a row, with its moment; ``when``: from which call or trick on, drawn between two."""

    row: str
    moment: BoardMoment
    commit: Callable[[ScriptBoard, Seat], bool]
    when: tuple[int, int] = (1, 1)
    told: bool = True
    way: str = ""

    @property
    def name(self) -> str:
        """Name of the kind on a command line."""
        return f"{self.row}:{self.way}" if self.way else self.row


@dataclass(frozen=True, slots=True)
class BoardFault:
    """A fault that is to happen from call or trick ``number`` on."""

    kind: BoardFaultKind
    number: int

    def is_due(self, moment: BoardMoment, board: ScriptBoard) -> bool:
        """Return True if it may happen now."""
        if moment is not self.kind.moment:
            return False
        return moment not in (BoardMoment.TURN, BoardMoment.QUIT) or board.number_of_trick >= self.number


def rules(board: ScriptBoard, row: str, seat: Seat, option: str = "") -> None:
    """Have an opponent call the arbitro, who comes and rules; ``option``: if the row leaves a choice."""
    board.wait(1.0, 3.0)
    board.script.do(Press(CLOCKWISE.next(seat), "referee"), board.act("call-arbitro", seat))
    board.wait(5.0, 9.0)
    fields = {"row": row, "seat": str(seat), **({"option": option} if option else {})}
    board.script.do(ConsoleGesture("rule", fields=fields), board.act("ruled", seat, row=row))
    board.wait(1.0, 2.0)


def asks_23(board: ScriptBoard, cue: int) -> None:
    """After the play the table asks whether who let it pass has gained."""
    board.inject("law-23", None, "let pass", cue, demanded=False)
