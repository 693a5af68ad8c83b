"""The actions of Burraco that the truth and the events are compared by: from the words of either to the same steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from hw.cards import face
from table_service.rehearsal.truth import Truth
from table_service.rehearsal.truth_check import TruthAction

Object = dict[str, Any]
_EVENT_TYPES: Final = {
    "card.drawn": "draw",
    "pile.collected": "collect",
    "meld.opened": "open",
    "meld.extended": "extend",
    "card.discarded": "discard",
    "pot.taken": "take-pot",
}
_TAKEN: Final = {"slide-off": "draw"}
"""Words of the truth that the table tells as another: cards that slide off the stock are drawn (art. 8)."""
_COMPARED: Final[dict[str, Literal["set", "apart"]]] = {"collect": "set", "draw": "apart"}
_PLAYED: Final = frozenset(_EVENT_TYPES.values())
"""The types of action that are compared, in the words of the truth."""


def _faces(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(face(card) for card in cards)


def steps_of_truth(truth: Truth) -> list[TruthAction]:
    """Return the comparable actions of ``truth``, in order; what one seat lays into one meld without a break is one."""
    steps: list[TruthAction] = []
    for action in truth.actions:
        kind = _TAKEN.get(action["type"], action["type"])
        if kind not in _PLAYED:
            continue
        cards = _faces(action.get("row") or action.get("cards") or ())
        if kind == "take-pot":
            cards = (str(action.get("manner", "")),)
        _append(
            steps, _step(float(action["t"]), action.get("deal", 1), kind, action["seat"], cards, action.get("meld"))
        )
    return steps


def _append(steps: list[TruthAction], step: TruthAction) -> None:
    last = steps[-1] if steps else None
    same = last and (last.seat, last.row, last.deal) == (step.seat, step.row, step.deal)
    if last and same and step.type == "extend" and last.type in ("open", "extend"):
        steps[-1] = replace(step, type=last.type)
    else:
        steps.append(step)


def _step(
    t: float, deal: int | None, kind: str, seat: str | None, cards: tuple[str, ...], row: int | None
) -> TruthAction:
    """Return a step of which the order of cards counts only for a collected pile; what was drawn may be unknown."""
    return TruthAction(t, deal, kind, seat, cards, row, _COMPARED.get(kind, "order"))


def steps_of_events(events: Sequence[Object]) -> list[TruthAction]:
    """Return the comparable actions of ``events`` in the order of their numbers, with cards that later events named."""
    named = {event["data"]["event"]: _named_cards(event) for event in events if event["type"] == "card.named"}
    corrected = _corrections(events)
    steps: list[TruthAction] = []
    for n, event in enumerate(events):
        kind = _EVENT_TYPES.get(event["type"])
        if kind is None or (kind == "discard" and not event.get("turn")):
            continue  # the turn-up, before any turn
        cards = named.get(event["id"]) or _event_cards(kind, event)
        row = event["data"].get("meld", {}).get("id")
        if row is not None:
            cards = corrected.get(n, cards)
        t = event.get("committed_t")
        when = float(event["t"] if t is None else t)
        _append(steps, _step(when, event.get("deal"), kind, event.get("seat"), cards, row))
    return steps


def _named_cards(event: Object) -> tuple[str, ...]:
    secret = event.get("secret") or {}
    return _faces(secret.get("cards") or event["data"].get("cards") or ())


def _event_cards(kind: str, event: Object) -> tuple[str, ...]:
    data, secret = event["data"], event.get("secret") or {}
    if kind == "draw":
        cards = secret.get("cards") or ([secret["card"]] if secret.get("card") else [])
        return _faces(cards)
    if kind == "take-pot":
        return (str(data.get("manner")),)
    if kind == "discard":
        return _faces((data["card"],))
    if kind == "collect":
        return _faces(data["cards"])
    return _faces(data["meld"]["cards"])


def _corrections(events: Sequence[Object]) -> dict[int, tuple[str, ...]]:
    """Meld events whose reading a later ``meld.changed`` put right before the row moved again: place → cards."""
    found: dict[int, tuple[str, ...]] = {}
    newest: dict[tuple[object, object], int] = {}
    for n, event in enumerate(events):
        meld = event["data"].get("meld")
        if not isinstance(meld, dict):
            continue
        key = (event.get("deal"), meld.get("id"))
        if event["type"] in ("meld.opened", "meld.extended"):
            newest[key] = n
        elif event["type"] == "meld.changed" and event["data"].get("why") == "corrected" and key in newest:
            found[newest[key]] = _faces(meld["cards"])
    return found
