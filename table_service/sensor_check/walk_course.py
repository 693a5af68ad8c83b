"""The course of a walk: which task is next, what was found; taken up again from the log that an earlier walk wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from hw.board.bench_figures import Figure, measure
from hw.observations import Console, Observation
from table_service.sensor_check.sensor_faults import Finding
from table_service.sensor_check.tasks import Task

Outcome = Literal["passed", "failed", "skipped"]
BY: Final = "walk"
"""Author of the log's marks."""
END: Final = "end"
"""The step of the mark that ends a task."""


@dataclass(frozen=True)
class TaskResult:
    """Result of one task."""

    task: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {
            "task": self.task,
            "outcome": self.outcome,
            "seconds": round(self.seconds, 1),
            "values": dict(self.values),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def mark(self, t: float) -> Console:
        """Return the mark that ends the task in the log."""
        return Console(t, BY, "bench", {"step": END, **self.to_dict()})


def result_of(mark: Console) -> TaskResult | None:
    """Return the result in a log's mark; None if it is no end of a task, or of another version's."""
    fields = mark.fields
    if mark.do != "bench" or fields.get("step") != END or fields.get("outcome") not in ("passed", "failed", "skipped"):
        return None
    try:
        findings = tuple(Finding.from_dict(one) for one in fields.get("findings") or ())
        values = {str(name): float(value) for name, value in dict(fields.get("values") or {}).items()}
        seconds = float(fields.get("seconds") or 0.0)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return TaskResult(str(fields.get("task")), fields["outcome"], findings, values, seconds)


class WalkCourse:
    """The tasks of a walk and their results, the last one of each."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tuple(tasks)
        self.results: dict[str, TaskResult] = {}
        self._measured: dict[str, list[Observation]] = {}
        self._next = 0

    @property
    def current(self) -> Task | None:
        """The task that is due; None at the end. What has passed, or was left out, is not asked again."""
        while self._next < len(self.tasks):
            task = self.tasks[self._next]
            if task.name not in self.results:
                return task
            self._next += 1
        return None

    @property
    def passed(self) -> bool:
        """True if every task was done and found nothing."""
        return all(
            (result := self.results.get(task.name)) is not None and result.outcome == "passed" for task in self.tasks
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All faults, each once, in the order of the tasks."""
        found = [one for task in self.tasks if (r := self.results.get(task.name)) is not None for one in r.findings]
        return tuple({(one.code, one.sensor): one for one in found}.values())

    def end(self, result: TaskResult, heard: Iterable[Observation]) -> None:
        """End a task; ``heard``: its mark and all that was heard in it. Doing it again replaces it."""
        self.results[result.task] = result
        # A sensor that is broken has no rate of errors: only what passed is measured.
        self._measured[result.task] = list(heard) if result.outcome == "passed" else []

    def repeat(self, task: str) -> None:
        """``task`` is to be done once more."""
        self.results.pop(task, None)
        self._measured.pop(task, None)
        self._next = 0

    def figures(self) -> tuple[Figure, ...]:
        """Return what the tasks that passed have measured."""
        return measure(one for task in self.tasks for one in self._measured.get(task.name, ()))

    def resume(self, log: Iterable[Observation]) -> float:
        """Take up what an earlier walk's log says. Returns the log's last moment.

        Failed tasks are due again, and so are those that an earlier walk did fewer times, being a quick one.
        """
        heard: list[Observation] = []
        known = {task.name: task.times for task in self.tasks}
        last = 0.0
        for one in log:
            last = max(last, one.t)
            if not isinstance(one, Console) or one.do != "bench":
                heard.append(one)
                continue
            result = result_of(one)
            if result is None:
                heard = [one]
                continue
            if result.task in known:
                self.end(result, heard)
                begun = heard[0] if heard else None
                times = begun.fields.get("times", 0) if isinstance(begun, Console) else 0
                if result.outcome == "failed" or (result.outcome == "passed" and times != known[result.task]):
                    self.repeat(result.task)
            heard = []
        self._next = 0
        return last

    def report(self, table: str, when: str) -> dict[str, Any]:
        """Return the verdict as JSON values. ``when``: date and time as text."""
        done = [self.results[task.name] for task in self.tasks if task.name in self.results]
        return {
            "table": table,
            "when": when,
            "passed": self.passed,
            "tasks": [result.to_dict() for result in done],
            "left": [task.name for task in self.tasks if task.name not in self.results],
            "figures": [
                {
                    "name": one.name,
                    "value": one.estimate,
                    "count": one.count,
                    "tries": one.tries,
                    "low": one.low,
                    "high": one.high,
                    "enough": one.enough,
                }
                for one in self.figures()
            ],
        }
