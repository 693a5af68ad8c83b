"""Truth against a table's events: every fault found with row, seat and remedy, and no innocent player accused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.truth import Truth

Object = dict[str, Any]
RULED_S: Final = 60.0
"""Within this time the arbitro has ruled on a fault that the table did not see."""
NEAR_S: Final = 12.0
"""An irregularity committed this near to an injected fault is taken for it, whatever its row."""
KEPT_S: Final = 15.0
"""Seconds from the card that shows it within which a sanction may be reported as served or broken."""


@dataclass(frozen=True, slots=True)
class FaultFound:
    """Detection of an injected fault. ``by_ruling``: only the arbitro named it.

    ``delay`` in seconds from ``evident_t`` to the event that names its row, else to the first of the case.
    """

    row: str
    seat: str | None
    variant: str
    committed_t: float
    found: bool
    right_row: bool
    right_seat: bool
    in_time: bool
    delay: float | None
    right_remedy: bool = False
    by_ruling: bool = False
    said: str = ""
    final: str = ""

    @property
    def right(self) -> bool:
        """True if the table itself named row and seat in time."""
        return self.right_row and self.right_seat and self.in_time and not self.by_ruling


@dataclass(frozen=True, slots=True)
class FalseAlarm:
    """An irregularity that no player committed."""

    t: float
    row: str
    severity: str
    seat: str | None
    state: str


@dataclass(frozen=True, slots=True)
class KeptSeen:
    """A turn that a ruling had limited, ``served`` or ``broken``; ``right`` if the table said so."""

    row: str
    seat: str
    outcome: str
    t: float
    right: bool


@dataclass(slots=True)
class Told:
    """Result of the comparison."""

    faults: list[FaultFound] = field(default_factory=list)
    false: list[FalseAlarm] = field(default_factory=list)
    kept: list[KeptSeen] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Case:
    """The life of one irregularity: its events, and the log's clock when each came out."""

    events: list[Object] = field(default_factory=list)
    arrived: list[float] = field(default_factory=list)

    @property
    def committed(self) -> float:
        first = self.events[0]
        t = first["data"].get("committed_t")
        return float(first["t"] if t is None else t)

    @property
    def from_console(self) -> bool:
        """True if it first came up as the arbitro's own finding."""
        return self.events[0]["data"]["state"] in ("ruled", "dismissed")

    def named(self, rows: Sequence[str]) -> Iterator[tuple[Object, float]]:
        """Its events that name one of ``rows``."""
        return (pair for pair in zip(self.events, self.arrived, strict=True) if pair[0]["data"]["row"] in rows)


def compare_faults(truth: Truth, events: Sequence[Object], arrivals: Sequence[float]) -> Told:
    """Every irregularity and sanction of ``events`` against ``truth``."""
    told = Told()
    cases = _cases(events, arrivals)
    # Surest first: a case that names a fault's row and seat is not given to another fault nearby.
    # What is demanded comes before what is only true.
    faults = sorted(
        truth.faults,
        key=lambda fault: (not fault.get("demanded", True), not any(_fits(fault, case) for case in cases)),
    )
    met = {id(fault): _take(fault, cases) for fault in faults}
    for fault in truth.faults:
        case = met[id(fault)]
        if fault.get("demanded", True) or case is not None:
            told.faults.append(_found(fault, case))
    for case in cases:
        data = case.events[-1]["data"]
        told.false.append(
            FalseAlarm(case.committed, data["row"], data["severity"], data.get("offender"), data["state"])
        )
    _compare_kept(truth, events, told, rehearsal_of(truth.rules).limits_turn)
    return told


def _cases(events: Sequence[Object], arrivals: Sequence[float]) -> list[_Case]:
    cases: dict[str, _Case] = {}
    for event, arrived in zip(events, arrivals, strict=True):
        if event["type"] == "irregularity":
            case = cases.setdefault(event["data"]["key"], _Case())
            case.events.append(event)
            case.arrived.append(arrived)
    return list(cases.values())


def _rows(fault: Object) -> tuple[str, ...]:
    return (fault["row"], *fault.get("also", ()))


def _seat_fits(fault: Object, seat: str | None) -> bool:
    """Return True if ``seat`` is the offender, or none is named if sensors need not show who it was."""
    return fault["seat"] is None or seat == fault["seat"] or (seat is None and not fault.get("seated", True))


def _fits(fault: Object, case: _Case) -> bool:
    """Return True if ``case`` names the row and seat of ``fault``, about when it was committed or came to light."""
    early, late = fault["committed_t"] - RULED_S, fault["report_by"] + RULED_S
    return early <= case.committed <= late and any(
        _seat_fits(fault, event["data"].get("offender")) for event, _ in case.named(_rows(fault))
    )


def _take(fault: Object, cases: list[_Case]) -> _Case | None:
    """Take the case of ``cases`` that is ``fault`` out of them."""
    near = [case for case in cases if _fits(fault, case) or abs(case.committed - fault["committed_t"]) <= NEAR_S]
    best = min(
        near,
        key=lambda case: (not _fits(fault, case), abs(case.committed - fault["committed_t"])),
        default=None,
    )
    if best is not None:
        cases.remove(best)
    return best


def _found(fault: Object, case: _Case | None) -> FaultFound:
    common: Object = {name: fault[name] for name in ("row", "seat", "committed_t")}
    common["variant"] = fault.get("variant", "")
    if case is None:
        return FaultFound(**common, found=False, right_row=False, right_seat=False, in_time=False, delay=None)
    named = list(case.named(_rows(fault)))
    first, arrived = (named or [(case.events[0], case.arrived[0])])[0]
    newest = case.events[-1]["data"]
    seats = [event["data"].get("offender") for event, _ in named] or [newest.get("offender")]
    return FaultFound(
        **common,
        found=True,
        right_row=bool(named),
        right_seat=any(_seat_fits(fault, seat) for seat in seats),
        in_time=float(first["t"]) <= fault["report_by"],
        delay=round(arrived - fault["evident_t"], 3),
        right_remedy=any(_remedies(fault, event) for event, _ in named),
        by_ruling=case.from_console,
        said=f"{newest['row']} {newest.get('offender')}",
        final=str(newest["state"]),
    )


def _remedies(fault: Object, event: Object) -> bool:
    """Return True if the steps ``event`` proposes hold all that the code orders, and name the cards it penalises.

    If the event leaves to the arbitro which cards these are, it names none wrongly.
    """
    steps = event["data"].get("remedy", ())
    proposed = {step["do"] for step in steps}
    if not all(proposed & set(wanted.split("|")) for wanted in fault.get("remedy", ())):
        return False
    wanted = sorted(card.partition("#")[0] for card in fault.get("penalised", ()))
    if not wanted or event["data"].get("needs_referee"):
        return True
    named = [step.get("cards") or () for step in steps if step["do"] == "penalise"]
    return any(sorted(card.partition("#")[0] for card in cards) == wanted for cards in named)


def _compare_kept(truth: Truth, events: Sequence[Object], told: Told, limits_turn: str) -> None:
    said = [event for event in events if event["type"] in ("sanction.served", "sanction.broken")]
    for kept in truth.kept:
        fitting = [
            event
            for event in said
            if event["type"] == f"sanction.{kept['outcome']}"
            and event["data"].get("do") == kept.get("do", limits_turn)
            and event["data"].get("who") == kept["seat"]
            and abs(_t(event) - kept["t"]) <= KEPT_S
        ]
        told.kept.append(KeptSeen(kept["row"], kept["seat"], kept["outcome"], kept["t"], bool(fitting)))
        if fitting:
            said.remove(fitting[0])
    told.broken += [
        f"{_t(event):.2f} {event['data'].get('who')} said to have broken {event['data'].get('row')}"
        f" ({event['data'].get('do')}): {event['data'].get('reason')}"
        for event in said
        if event["type"] == "sanction.broken"
    ]


def _t(event: Object) -> float:
    t = event.get("committed_t")
    return float(event["t"] if t is None else t)
