"""Faults at which no beam sees the hand: turn, scale, camera and shield still tell that they happened.

Whose hand it was they tell only together, so that an alert which leaves that to the arbitro is as right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import LayGesture
from table_service.games.burraco.rehearsal.fault import Commit
from table_service.games.burraco.rehearsal.faults_cards import CARD_KINDS
from table_service.games.burraco.rehearsal.faults_close import CLOSE_KINDS
from table_service.games.burraco.rehearsal.faults_turn import TURN_KINDS
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal
from table_service.rehearsal.script import Script

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_ROWS: Final = ("F-26e", "F-27a", "F-35a")


def _hide(script: Script, cue: int) -> None:
    """No beam sees the hand that makes the gesture of cue ``cue``, nor the parts of the same meld laid just before."""
    last = script.cues[cue].gesture
    place = cue
    while place >= 0:
        gesture = script.cues[place].gesture
        same = isinstance(last, LayGesture) and isinstance(gesture, LayGesture) and gesture.row == last.row
        if place != cue and not same:
            return
        script.cues[place] = replace(script.cues[place], beamed=False)
        place -= 1


def _unseen(commit: Commit) -> Commit:
    """``commit`` with the beam missing the hand that commits the fault."""

    def unseen(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
        script = deal.script
        known = len(script.injected)
        if not commit(director, deal, seat):
            return False
        fault = script.injected[known]
        _hide(script, fault.committed)
        script.injected[known] = replace(fault, variant=f"{fault.variant}, no beam", seated=False)
        return True

    return unseen


NO_BEAM_KINDS: Final = tuple(
    replace(kind, commit=_unseen(kind.commit), way="no-beam")
    for kind in (*TURN_KINDS, *CARD_KINDS, *CLOSE_KINDS)
    if kind.row in _ROWS and not kind.way
)
