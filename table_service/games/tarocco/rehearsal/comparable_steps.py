"""The actions of tarocco by which truth and events are compared: tricks with their winner, accusi, signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hw.cards import face
from table_service.rehearsal.truth import Truth
from table_service.rehearsal.truth_check import TruthAction

Object = dict[str, Any]


def steps_of_truth(truth: Truth) -> list[TruthAction]:
    """Each trick that was gathered, by its winner, and each accuso by its cards."""
    steps = []
    for action in truth.actions:
        if action["type"] == "trick":
            steps.append(TruthAction(action["t"], action["deal"], "trick", action["seat"], row=action["n"]))
        elif action["type"] == "accuso":
            cards = tuple(sorted(map(face, action["cards"])))
            steps.append(TruthAction(action["t"], action["deal"], "accuso", action["seat"], cards))
    return steps


def steps_of_events(events: Sequence[Object]) -> list[TruthAction]:
    """Return the comparable actions of events, as they were emitted last; retracted ones are left out."""
    gone = {event["data"]["event"] for event in events if event["type"] == "event.retracted"}
    tricks: dict[tuple[int | None, int], TruthAction] = {}
    steps: list[TruthAction | tuple[int | None, int]] = []
    for event in events:
        data, deal = event["data"], event.get("deal")
        when = event.get("committed_t")
        t = float(event["t"] if when is None else when)
        if event["type"] == "trick.won":
            key = deal, int(data["n"])
            if key not in tricks:
                steps.append(key)
            tricks[key] = TruthAction(t, deal, "trick", data["winner"], row=data["n"])
        elif event["type"] == "accuso.shown" and event["id"] not in gone:
            cards = tuple(sorted(map(face, data["cards"])))
            steps.append(TruthAction(t, deal, "accuso", event.get("seat"), cards))
    return [tricks[one] if isinstance(one, tuple) else one for one in steps]
