"""Truth against a table's events of the log: every action in order, no false irregularity, every fault found.

``compare`` takes events as objects of the contract's envelope (with ``secret`` if there is one), so that it judges
any program that writes them.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, Final, Literal

from hw.cards import UNKNOWN
from hw.observations import Observation, Reach, Tags
from table_service.rehearsal.check_faults import FalseAlarm, FaultFound, KeptSeen, compare_faults
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.truth import Truth

Object = dict[str, Any]
GESTURE_S: Final = 1.6
"""From the cards' move to the hand's coming or going, at most (``hw.twin.performer``)."""


@dataclass(frozen=True, slots=True)
class TruthAction:
    """One action, from the truth or from the events, in the words of the truth. ``cards`` are faces.

    ``row``: the number of the row that it lays into. ``by``: how the cards are compared, ``apart`` if they may not be
    known.
    """

    t: float
    deal: int | None
    type: str
    seat: str | None
    cards: tuple[str, ...] = ()
    row: int | None = None
    by: Literal["order", "set", "apart"] = "order"

    @property
    def key(self) -> tuple[object, ...]:
        """Fields that must agree."""
        compared = {"order": self.cards, "set": tuple(sorted(self.cards)), "apart": ()}
        return self.deal, self.type, self.seat, compared[self.by]

    def as_line(self) -> str:
        """One line for people."""
        return f"{self.t:.2f} deal {self.deal} {self.type} {self.seat} {' '.join(self.cards)}"


@dataclass(slots=True)
class TruthReport:
    """Result of ``compare``. ``wrong`` lists every action that was missed, made up or read differently."""

    actions: int = 0
    told: dict[str, list[int]] = field(default_factory=dict)
    """Number of actions told with seat and cards, in order, by type of action and for ``turn``; number of all."""
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
    """Turns that a ruling had limited, reported as broken though they were not."""
    ends_wrong: list[str] = field(default_factory=list)
    score_items: int = 0
    score_right: int = 0
    score_doubtful: int = 0
    score_wrong: list[str] = field(default_factory=list)
    counted: int = 0
    deals: int = 0

    @property
    def clean(self) -> bool:
        """True if every action is right and in order and nothing false was alleged."""
        return not (self.wrong or self.draws_misnamed or self.false or self.ends_wrong or self.broken_wrongly)

    def to_json(self) -> Object:
        """Return the report as an object."""
        return asdict(self)


def compare(
    truth: Truth,
    events: Sequence[Object],
    arrivals: Sequence[float] | None = None,
    observations: Iterable[Observation] = (),
) -> TruthReport:
    """Compare ``truth`` with ``events``.

    ``arrivals``: the log's clock when each event came out; else its own ``t``. ``observations``: the log, by which an
    action whose hand no sensor noticed may be reported without a seat.
    """
    report = TruthReport(deals=len(truth.deals))
    game = rehearsal_of(truth.rules)
    seen = game.steps_of_events(events)
    real = excused(game.steps_of_truth(truth), SensedHands(observations), seen, report)
    align(real, seen, report)
    report.told = told_of_each_type(real, seen)
    told = compare_faults(truth, events, arrivals or [float(event["t"]) for event in events])
    report.faults, report.false, report.kept, report.broken_wrongly = told.faults, told.false, told.kept, told.broken
    _compare_ends(truth, events, report)
    _compare_scores(truth, events, report)
    return report


class SensedHands:
    """Times at which beams and gates noticed a hand, by seat."""

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
        """Return True if a hand or a card of ``seat`` was noticed within the span of a gesture at ``t``."""
        times = self._times.get(seat, [])
        place = bisect_left(times, t - GESTURE_S)
        return place < len(times) and times[place] <= t + GESTURE_S


def excused(
    real: Sequence[TruthAction], sensed: SensedHands, seen: Sequence[TruthAction], report: TruthReport
) -> list[TruthAction]:
    """Return ``real``; a step that no sensor could give a seat and that was reported without one loses its seat."""
    open_seats = {replace(step, t=0.0, row=None) for step in seen if step.seat is None}
    steps = []
    for step in real:
        bare = replace(step, t=0.0, row=None, seat=None)
        drawn = replace(bare, cards=()) if step.by == "apart" else bare
        if step.seat and {bare, drawn} & open_seats and not sensed.near(step.seat, step.t):
            report.unseated.append(step.as_line())
            steps.append(replace(step, seat=None))
        else:
            steps.append(step)
    return steps


def align(real: Sequence[TruthAction], seen: Sequence[TruthAction], report: TruthReport) -> None:
    """Write into ``report`` what of ``real`` is missing from ``seen`` and what was made up, the order kept."""
    report.actions = len(real)
    matcher = SequenceMatcher(a=[step.key for step in real], b=[step.key for step in seen], autojunk=False)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            for was, said in zip(real[a0:a1], seen[b0:b1], strict=True):
                if was.by == "apart":
                    _compare_apart(was, said, report)
            continue
        report.wrong += [f"missed: {step.as_line()}" for step in real[a0:a1]]
        report.wrong += [f"made up: {step.as_line()}" for step in seen[b0:b1]]


def told_of_each_type(real: Sequence[TruthAction], seen: Sequence[TruthAction]) -> dict[str, list[int]]:
    """Return of each type in ``real`` how many ``seen`` has, with seat and in order, whatever stands between; how many.

    ``turn``: the same of what one player does at a stretch, whatever that is and whenever it was told. What was told
    without a seat as nothing sensed one is not counted as told.
    """
    found = {kind: _in_order(*(_keys(steps, kind) for steps in (real, seen))) for kind in _types(real)}
    return {**found, "turn": _in_order(_turns(real), _turns(seen))}


def _types(steps: Sequence[TruthAction]) -> list[str]:
    return list(dict.fromkeys(step.type for step in steps))


def _keys(steps: Sequence[TruthAction], kind: str) -> list[tuple[object, ...]]:
    return [(step.seat, step.key) for step in steps if step.type == kind]


def _turns(steps: Sequence[TruthAction]) -> list[tuple[object, ...]]:
    return [who for who, _ in groupby((step.seat, step.deal) for step in sorted(steps, key=lambda one: one.t))]


def _in_order(real: Sequence[tuple[object, ...]], seen: Sequence[tuple[object, ...]]) -> list[int]:
    """Return how many of ``real``, whose first field is the seat, stand in ``seen`` in the same order; how many are."""
    blocks = SequenceMatcher(a=real, b=seen, autojunk=False).get_matching_blocks()
    right = [one for block in blocks for one in real[block.a : block.a + block.size] if one[0] is not None]
    return [len(right), len(real)]


def _compare_apart(was: TruthAction, said: TruthAction, report: TruthReport) -> None:
    report.draws += 1
    if not said.cards or UNKNOWN in said.cards:
        return
    if said.cards == was.cards:
        report.draws_named += 1
    else:
        report.draws_misnamed.append(f"{was.as_line()} was named {' '.join(said.cards)}")


# Ends and scores


def _compare_ends(truth: Truth, events: Sequence[Object], report: TruthReport) -> None:
    said = {event.get("deal"): event for event in events if event["type"] == "deal.ended"}
    for deal in truth.deals:
        manner = deal["ended"]["manner"]
        event = said.get(deal["deal"])
        if event is None:
            report.ends_wrong.append(f"deal {deal['deal']}: its end ({manner}) was not told")
        elif event["data"]["manner"] != manner:
            report.ends_wrong.append(f"deal {deal['deal']}: ended {manner}, told as {event['data']['manner']}")


def _compare_scores(truth: Truth, events: Sequence[Object], report: TruthReport) -> None:
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


def _compare_item(name: str, real: int, said: int | None, doubtful: bool, report: TruthReport) -> None:
    report.score_items += 1
    if doubtful or said is None:
        report.score_doubtful += 1
    elif said == real:
        report.score_right += 1
    else:
        report.score_wrong.append(f"{name} is {real}, told as {said}")
