"""The truth of a rehearsed round: what was done when, by whom, with which physical cards, and what it scored.

The file's fields are those of the contract's example (``rules``, ``dealer``, ``first``, ``until_t``, ``actions``,
``fault``); a round adds ``deals`` (how each ended and scored), ``faults`` (all that were injected; ``remedy``: the
code's orders, alternatives parted by ``|``; ``also``: rows that sensors cannot distinguish from it; ``demanded`` false:
the table may keep silent) and ``sanctions`` (limited turns that were served or broken).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hw.twin.timed_events import Performed
from table_service.rehearsal.script import Script, ScriptAction

REPORT_WITHIN_S: Final = 5.0
"""A fault must be reported this long after it could be seen (as in the contract's example)."""

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Truth:
    """True course of a round. Times in seconds of the log; cards are physical (``7H#2``)."""

    rules: str
    seed: int
    noise: str
    until_t: float
    actions: tuple[Object, ...]
    deals: tuple[Object, ...] = ()
    faults: tuple[Object, ...] = ()
    kept: tuple[Object, ...] = ()
    more: Object = field(default_factory=dict)

    def to_json(self) -> Object:
        """Return the truth as the object of its file."""
        first = self.deals[0] if self.deals else {}
        return {
            "rules": self.rules,
            "seed": self.seed,
            "noise": self.noise,
            "dealer": first.get("dealer"),
            "first": first.get("first"),
            "until_t": self.until_t,
            "actions": list(self.actions),
            "deals": list(self.deals),
            "fault": self.faults[0] if self.faults else None,
            "faults": list(self.faults),
            "sanctions": list(self.kept),
            **self.more,
        }


def truth_from_json(data: Object) -> Truth:
    """Return the truth that a file's object states; a file without ``faults`` has at most the one in ``fault``."""
    faults = data.get("faults")
    if faults is None:
        faults = [data["fault"]] if data.get("fault") else []
    return Truth(
        rules=str(data["rules"]),
        seed=int(data.get("seed", 0)),
        noise=str(data.get("noise", "")),
        until_t=float(data.get("until_t", 0.0)),
        actions=tuple(data["actions"]),
        deals=tuple(data.get("deals", ())),
        faults=tuple(faults),
        kept=tuple(data.get("sanctions", ())),
    )


def read_truth(path: Path) -> Truth:
    """Return the truth in the file at ``path``. Raises OSError, ValueError and KeyError if there is none."""
    return truth_from_json(json.loads(path.read_text(encoding="utf-8")))


def write_truth(path: Path, truth: Truth) -> None:
    """Write ``truth`` to ``path``, private as the log is."""
    text = json.dumps(truth.to_json(), ensure_ascii=False, indent=1) + "\n"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.fchmod(descriptor, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)


def truth_of(
    script: Script,
    performed: Sequence[Performed],
    rules: str,
    seed: int,
    noise: str,
    until: float,
    remedies: Mapping[str, tuple[str, ...]],
) -> Truth:
    """Return the truth of ``script`` as it was ``performed``, gesture by gesture.

    ``remedies``: what the code orders, by row.
    """
    actions = [
        _action(action, done.committed)
        for cue, done in zip(script.cues, performed, strict=True)
        for action in cue.actions
    ]
    return Truth(
        rules=rules,
        seed=seed,
        noise=noise,
        until_t=round(until, 3),
        actions=tuple(actions),
        deals=tuple(_deals(script, performed)),
        faults=tuple(_faults(script, performed, remedies)),
        kept=tuple(_kept(script, performed)),
    )


def _action(action: ScriptAction, committed: float) -> Object:
    said: Object = {
        "t": round(committed, 3),
        "type": action.type,
        "seat": str(action.seat),
        "deal": action.deal,
        "turn": action.turn,
    }
    if action.meld is not None:
        said["meld"] = action.meld
    if action.cards:
        said["cards"] = list(action.cards)
    if action.row:
        said["row"] = list(action.row)
    return said | action.more


def _deals(script: Script, performed: Sequence[Performed]) -> list[Object]:
    return [
        {
            "deal": end.deal,
            "dealer": str(end.dealer),
            "first": str(end.first),
            "turns": end.turns,
            "ended": {"t": round(performed[end.cue].committed, 3), "manner": end.manner, "seat": str(end.by)},
            "lines": {
                line: {"items": found, "total": sum(found.values()), "running": end.running[line]}
                for line, found in end.items.items()
            },
        }
        for end in script.ends
    ]


def _faults(script: Script, performed: Sequence[Performed], remedies: Mapping[str, tuple[str, ...]]) -> list[Object]:
    found = []
    for fault in script.injected:
        evident = performed[fault.evident].end
        said: Object = {
            "row": fault.row,
            "seat": None if fault.seat is None else str(fault.seat),
            "deal": fault.deal,
            "turn": fault.turn,
            "variant": fault.variant,
            "committed_t": round(performed[fault.committed].committed, 3),
            "evident_t": round(evident, 3),
            "report_by": round(evident + REPORT_WITHIN_S, 3),
            "cards": list(fault.cards),
            "remedy": list(remedies.get(fault.row, ())),
        }
        if fault.also:
            said["also"] = list(fault.also)
        if not fault.seated:
            said["seated"] = False
        if fault.penalised:
            said["penalised"] = list(fault.penalised)
        if not fault.demanded:
            said["demanded"] = False
        found.append(said)
    return found


def _kept(script: Script, performed: Sequence[Performed]) -> list[Object]:
    return [
        {
            "row": kept.row,
            "seat": str(kept.seat),
            "deal": kept.deal,
            "outcome": kept.outcome,
            "t": round(performed[kept.cue].committed, 3),
            **({"do": kept.do} if kept.do else {}),
        }
        for kept in script.kept
    ]
