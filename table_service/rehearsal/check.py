"""Truth against what a table made of the log: every action in order, no false irregularity, every fault found.

``compare`` takes events as objects of the contract's envelope (with ``secret`` where there is one), so that it judges
any program that writes them.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any, Final

from hw.cards import UNKNOWN, face
from hw.observations import Observation, Reach, Tags
from table_service.rehearsal.check_faults import FalseAlarm, FaultFound, KeptSeen, compare_faults
from table_service.rehearsal.truth import Truth

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
PLAYED: Final = tuple(_EVENT_TYPES.values())
"""The types of action that are compared, in the words of the truth."""
GESTURE_S: Final = 1.6
"""From the cards' move to the hand's coming or going, at most (``hw.twin.performer``)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action, from the truth or from the events. ``cards`` are faces; for a meld what it reads afterwards."""

    t: float
    deal: int | None
    type: str
    seat: str | None
    cards: tuple[str, ...] = ()
    row: int | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What must agree. The card drawn is compared apart, as nobody may know it."""
        if self.type == "draw":
            return self.deal, self.type, self.seat
        if self.type == "take-pot":
            return self.deal, self.type, self.seat, self.cards
        cards = tuple(sorted(self.cards)) if self.type == "collect" else self.cards
        return self.deal, self.type, self.seat, cards

    def told(self) -> str:
        """One line for people."""
        return f"{self.t:.2f} deal {self.deal} {self.type} {self.seat} {' '.join(self.cards)}"


@dataclass(slots=True)
class Report:
    """What ``compare`` found. ``wrong`` lists every action that was missed, made up or read otherwise."""

    actions: int = 0
    wrong: list[str] = field(default_factory=list)
    draws_named: int = 0
    draws_misnamed: list[str] = field(default_factory=list)
    draws: int = 0
    unseated: list[str] = field(default_factory=list)
    """Actions right but for a seat left open where neither beam nor gate had sensed one."""
    false: list[FalseAlarm] = field(default_factory=list)
    faults: list[FaultFound] = field(default_factory=list)
    kept: list[KeptSeen] = field(default_factory=list)
    broken_wrongly: list[str] = field(default_factory=list)
    """Turns that a ruling had limited, told as broken though they were not."""
    ends_wrong: list[str] = field(default_factory=list)
    score_items: int = 0
    score_right: int = 0
    score_doubtful: int = 0
    score_wrong: list[str] = field(default_factory=list)
    counted: int = 0
    deals: int = 0

    @property
    def clean(self) -> bool:
        """Whether every action is right and in order and nothing false was alleged."""
        return not (self.wrong or self.draws_misnamed or self.false or self.ends_wrong or self.broken_wrongly)

    def to_json(self) -> Object:
        """The report as an object."""
        return asdict(self)


def _faces(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(face(card) for card in cards)


def steps_of_truth(truth: Truth) -> list[Step]:
    """The comparable actions of ``truth``, in order; what one seat lays into one meld without a break is one."""
    steps: list[Step] = []
    for action in truth.actions:
        kind = _TAKEN.get(action["type"], action["type"])
        if kind not in PLAYED:
            continue
        cards = _faces(action.get("row") or action.get("cards") or ())
        if kind == "take-pot":
            cards = (str(action.get("manner", "")),)
        step = Step(float(action["t"]), action.get("deal", 1), kind, action["seat"], cards, action.get("meld"))
        _append(steps, step)
    return steps


def _append(steps: list[Step], step: Step) -> None:
    last = steps[-1] if steps else None
    same = last and (last.seat, last.row, last.deal) == (step.seat, step.row, step.deal)
    if last and same and step.type == "extend" and last.type in ("open", "extend"):
        steps[-1] = replace(step, type=last.type)
    else:
        steps.append(step)


def steps_of_events(events: Sequence[Object]) -> tuple[list[Step], dict[str, tuple[str, ...]]]:
    """The comparable actions of ``events`` in the order of their numbers, and the cards that later events named."""
    named = {event["data"]["event"]: _named_cards(event) for event in events if event["type"] == "card.named"}
    corrected = _corrections(events)
    steps: list[Step] = []
    for n, event in enumerate(events):
        kind = _EVENT_TYPES.get(event["type"])
        if kind is None or (kind == "discard" and not event.get("turn")):
            continue  # the turn-up, before any turn
        cards = named.get(event["id"]) or _event_cards(kind, event)
        row = event["data"].get("meld", {}).get("id")
        if row is not None:
            cards = corrected.get(n, cards)
        t = event.get("committed_t")
        _append(
            steps, Step(float(event["t"] if t is None else t), event.get("deal"), kind, event.get("seat"), cards, row)
        )
    return steps, named


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


def compare(
    truth: Truth,
    events: Sequence[Object],
    arrivals: Sequence[float] | None = None,
    observations: Iterable[Observation] = (),
) -> Report:
    """``truth`` against ``events``.

    ``arrivals``: the log's clock when each event came out; else its own ``t``. ``observations``: the log, by which an
    action whose hand no sensor noticed may be told without a seat.
    """
    report = Report(deals=len(truth.deals))
    real = excused(steps_of_truth(truth), Sensed(observations), steps_of_events(events)[0], report)
    align(real, steps_of_events(events)[0], report)
    told = compare_faults(truth, events, arrivals or [float(event["t"]) for event in events])
    report.faults, report.false, report.kept, report.broken_wrongly = told.faults, told.false, told.kept, told.broken
    _compare_ends(truth, events, report)
    _compare_scores(truth, events, report)
    return report


class Sensed:
    """When beams and gates noticed whose hand, by seat."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self._times: dict[str, list[float]] = {}
        for observation in observations:
            seat: str | None = None
            if isinstance(observation, Reach):
                seat = None if observation.seat is None else str(observation.seat)
            elif isinstance(observation, Tags) and observation.tags and observation.zone.startswith("gate-"):
                seat = observation.zone.removeprefix("gate-")
            if seat is not None:
                insort(self._times.setdefault(seat, []), observation.t)

    def near(self, seat: str, t: float) -> bool:
        """Whether a hand or a card of ``seat`` was noticed within the span of a gesture at ``t``."""
        times = self._times.get(seat, [])
        place = bisect_left(times, t - GESTURE_S)
        return place < len(times) and times[place] <= t + GESTURE_S


def excused(real: Sequence[Step], sensed: Sensed, seen: Sequence[Step], report: Report) -> list[Step]:
    """``real``, where a step that no sensor could give a seat and that was told without one loses its seat."""
    open_seats = {replace(step, t=0.0, row=None) for step in seen if step.seat is None}
    steps = []
    for step in real:
        bare = replace(step, t=0.0, row=None, seat=None)
        drawn = replace(bare, cards=()) if step.type == "draw" else bare
        if step.seat and {bare, drawn} & open_seats and not sensed.near(step.seat, step.t):
            report.unseated.append(step.told())
            steps.append(replace(step, seat=None))
        else:
            steps.append(step)
    return steps


def align(real: Sequence[Step], seen: Sequence[Step], report: Report) -> None:
    """Write into ``report`` what of ``real`` is missing from ``seen`` and what was made up, the order kept."""
    report.actions = len(real)
    matcher = SequenceMatcher(a=[step.key for step in real], b=[step.key for step in seen], autojunk=False)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            for was, said in zip(real[a0:a1], seen[b0:b1], strict=True):
                if was.type == "draw":
                    _compare_draw(was, said, report)
            continue
        report.wrong += [f"missed: {step.told()}" for step in real[a0:a1]]
        report.wrong += [f"made up: {step.told()}" for step in seen[b0:b1]]


def _compare_draw(was: Step, said: Step, report: Report) -> None:
    report.draws += 1
    if not said.cards or UNKNOWN in said.cards:
        return
    if said.cards == was.cards:
        report.draws_named += 1
    else:
        report.draws_misnamed.append(f"{was.told()} was named {' '.join(said.cards)}")


# Ends and scores


def _compare_ends(truth: Truth, events: Sequence[Object], report: Report) -> None:
    said = {event.get("deal"): event for event in events if event["type"] == "deal.ended"}
    for deal in truth.deals:
        manner = deal["ended"]["manner"]
        event = said.get(deal["deal"])
        if event is None:
            report.ends_wrong.append(f"deal {deal['deal']}: its end ({manner}) was not told")
        elif event["data"]["manner"] != manner:
            report.ends_wrong.append(f"deal {deal['deal']}: ended {manner}, told as {event['data']['manner']}")


def _compare_scores(truth: Truth, events: Sequence[Object], report: Report) -> None:
    newest = {event.get("deal"): event for event in events if event["type"] == "score.counted"}
    for deal in truth.deals:
        event = newest.get(deal["deal"])
        if event is None:
            continue
        report.counted += 1
        doubtful = set(event["data"].get("doubtful") or ())
        for line, real in deal["lines"].items():
            said = (event["data"]["lines"].get(line) or {}).get("items") or {}
            for item, value in real["items"].items():
                _compare_item(
                    f"deal {deal['deal']} {line}.{item}", value, said.get(item), f"{line}.{item}" in doubtful, report
                )


def _compare_item(name: str, real: int, said: int | None, doubtful: bool, report: Report) -> None:
    report.score_items += 1
    if doubtful or said is None:
        report.score_doubtful += 1
    elif said == real:
        report.score_right += 1
    else:
        report.score_wrong.append(f"{name} is {real}, told as {said}")
