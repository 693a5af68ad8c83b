"""The cards laid to tricks, by which truth and movements are compared, whatever game of tricks is played."""

from __future__ import annotations

from collections.abc import Sequence

from hw.cards import face
from table_service.rehearsal.truth import Truth
from table_service.rehearsal.truth_check import TruthAction, TruthReport, align
from table_service.tracking.movements import Movement, Named, Retracted, Track


def compare_moves(truth: Truth, tracks: Sequence[Track]) -> TruthReport:
    """``truth`` against what a tracker said: every card laid to a trick, by whom."""
    report = TruthReport(deals=len(truth.deals))
    real = [
        TruthAction(action["t"], None, "play", action["seat"], tuple(map(face, action["cards"])))
        for action in truth.actions
        if action["type"] == "play"
    ]
    gone = {track.movement for track in tracks if isinstance(track, Retracted)}
    named = {track.movement: track.cards for track in tracks if isinstance(track, Named)}
    seen = [
        TruthAction(track.committed_t, None, "play", None if track.seat is None else str(track.seat), (face(card),))
        for track in tracks
        if isinstance(track, Movement) and track.target == "trick" and track.id not in gone
        for card in named.get(track.id, track.cards)
    ]
    align(real, sorted(seen, key=lambda step: step.t), report)
    return report
