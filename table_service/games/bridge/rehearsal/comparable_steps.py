"""The actions of bridge by which truth and events are compared: calls, and tricks with cards and winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hw.cards import face
from hw.seats import SEATS
from table_service.rehearsal.truth import Truth
from table_service.rehearsal.truth_check import TruthAction, TruthReport, align
from table_service.tracking.movements import Movement, Named, Retracted, Track

Object = dict[str, Any]


def steps_of_truth(truth: Truth) -> list[TruthAction]:
    """Each call and claim, and each trick by its cards in the order of the seats and its winner."""
    steps = []
    for action in truth.actions:
        if action["type"] == "call":
            steps.append(TruthAction(action["t"], action["deal"], "call", action["seat"], (action["call"],)))
        elif action["type"] == "trick":
            cards = _cards(action["cards_by_seat"])
            steps.append(TruthAction(action["t"], action["deal"], "trick", action["seat"], cards, action["n"]))
        elif action["type"] == "claim":
            steps.append(TruthAction(action["t"], action["deal"], "claim", action["seat"]))
    return sorted(steps, key=lambda step: (step.deal or 0, step.type, step.row or 0))


def steps_of_events(events: Sequence[Object]) -> list[TruthAction]:
    """Return the same from events, as they were reported last, without those retracted."""
    gone = {event["data"]["event"] for event in events if event["type"] == "event.retracted"}
    calls: list[TruthAction] = []
    tricks: dict[tuple[int | None, int], TruthAction] = {}
    for event in events:
        data, deal, t = event["data"], event.get("deal"), float(event["t"])
        if event["type"] == "call.made" and event["id"] not in gone:
            calls.append(TruthAction(t, deal, "call", data["seat"], (data["call"],)))
        elif event["type"] == "trick.won":
            key = deal, int(data["n"])
            tricks[key] = TruthAction(t, deal, "trick", data["winner"], _cards(data["cards"]), key[1])
        elif event["type"] == "claim.made":
            calls.append(TruthAction(t, deal, "claim", event["seat"]))
    return sorted([*calls, *tricks.values()], key=lambda step: (step.deal or 0, step.type, step.row or 0))


def _cards(by_seat: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(face(by_seat[str(seat)]) for seat in SEATS if str(seat) in by_seat)


def compare_moves(truth: Truth, tracks: Sequence[Track]) -> TruthReport:
    """``truth`` against what a tracker said: every card laid before a player."""
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
        if isinstance(track, Movement) and (track.target or "").startswith("played-") and track.id not in gone
        for card in named.get(track.id, track.cards)
    ]
    align(real, sorted(seen, key=lambda step: step.t), report)
    return report
