"""Lead a person through a course: say what to do, feed what nodes and camera tell to the trial under way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from hw.layout import Layout
from hw.observations import Console, Observation, Sight
from table_service.sensor_check.counted_trials import CardsLaid, CountedTrial, Reached
from table_service.sensor_check.looked import ByCards, CameraTrial, CoverTrial, Empty, Lit, Read, Sharp
from table_service.sensor_check.resting import HeldTrial, Idle, NodeTrial, Number, RestTrial
from table_service.sensor_check.tasks import Task
from table_service.sensor_check.trial import Image, Standing, Trial
from table_service.sensor_check.walk_course import BY, TaskResult, WalkCourse
from table_service.sensor_check.weighed import Corners, Creep, WeighingTrial

SKIP: Final = "s"
AGAIN: Final = ("r", "again", "ancora")
QUIT: Final = "q"


class Person(Protocol):
    """The person who walks round the table."""

    def say(self, text: str) -> None:
        """Say a sentence."""
        ...

    def tone(self) -> None:
        """Sound the tone of a beat."""
        ...

    def line(self) -> str | None:
        """Return what was typed since the last call, without its line end; None if nothing was."""
        ...

    def begins(self, task: Task) -> None:
        """Note that the task is now under way."""
        ...


class TableDevices(Protocol):
    """The devices of a table under test."""

    def hear(self, seconds: float) -> Observation | None:
        """Return the next observation; None if none came within ``seconds`` wall seconds."""
        ...

    def heard_until(self) -> float:
        """Return the moment up to which everything sensed has been heard."""
        ...

    def now(self) -> float:
        """Return the log's clock."""
        ...

    def counters(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what the bridge knows of each node."""
        ...

    def frame(self) -> tuple[Image, float] | None:
        """Return a frame that was not given yet, and its moment."""
        ...

    def camera_problem(self) -> str:
        """Return why there are no frames; empty if that is not known."""
        ...

    def camera_notes(self) -> tuple[str, ...]:
        """Return what the camera could not lock."""
        ...

    def calibrate(self, picture: Image) -> None:
        """Take ``picture`` as that of the empty table."""
        ...

    def look(self, picture: Image, t: float) -> Sight | None:
        """Read the cards in a frame."""
        ...


class WalkEndedError(Exception):
    """The person has had enough; what was found so far is kept."""


class Leader:
    """Leads through ``course``. ``keep`` takes every observation and mark, for the log.

    ``kept``: the file of the calibration by cards, at a table without markers.
    """

    def __init__(
        self,
        course: WalkCourse,
        table: TableDevices,
        person: Person,
        layout: Layout,
        keep: Callable[[Observation], None],
        *,
        italian: bool,
        kept: Path | None = None,
    ) -> None:
        self._course = course
        self._table = table
        self._person = person
        self._layout = layout
        self._keep = keep
        self._italian = italian
        self._kept = kept
        self._standing = Standing()

    def lead(self) -> None:
        """Go through all that is due. Raises WalkEndedError."""
        while (task := self._course.current) is not None:
            number = self._course.tasks.index(task) + 1
            self._person.say(f"[{number}/{len(self._course.tasks)}] {task.it if self._italian else task.en}")
            if not self._ready(task):
                self._end(TaskResult(task.name, "skipped"), [])
                continue
            self._do(task)

    def _text(self, it: str, en: str) -> str:
        return it if self._italian else en

    def _ready(self, task: Task) -> bool:
        """Wait for the person where tones are to be followed. False: he leaves the task out."""
        if not task.times:
            return True
        self._person.say("    " + self._text("Invio: comincia, s: salta", "Enter: begin, s: leave it out"))
        return self._answer() != SKIP

    def _answer(self) -> str:
        """Return what the person types next; the sensors are listened to meanwhile."""
        while True:
            self._listen(0.05)
            line = self._person.line()
            if line is not None:
                if line.strip().lower() == QUIT:
                    raise WalkEndedError
                return line.strip().lower()

    def _listen(self, seconds: float) -> Observation | None:
        observation = self._table.hear(seconds)
        if observation is not None:
            self._standing.hear(observation)
            self._keep(observation)
        return observation

    def _do(self, task: Task) -> None:
        trial = self._trial(task)
        order = Console(trial.began, BY, "bench", task.order())
        self._keep(order)
        heard: list[Observation] = [order]
        self._person.begins(task)
        skipped = False
        while not trial.done and not skipped:
            observation = self._listen(0.02)
            if observation is not None and observation.t >= trial.began:
                heard.append(observation)
                trial.hear(observation)
            else:
                self._feed(trial, task)
                trial.advance(self._table.now(), self._table.heard_until())
            self._cue(trial)
            skipped = self._typed(trial)
        if isinstance(trial, Read):
            heard += trial.sights
        if isinstance(trial, Empty) and trial.pictures and not trial.findings:
            self._table.calibrate(trial.pictures[-1])
        outcome = TaskResult(
            task.name,
            "skipped" if skipped else "failed" if trial.findings else "passed",
            tuple(trial.findings),
            trial.values,
            self._table.now() - trial.began,
        )
        self._end(outcome, heard)
        self._tell(outcome)

    def _feed(self, trial: Trial, task: Task) -> None:
        if isinstance(trial, NodeTrial):
            trial.report(self._table.counters().get(task.subject, {}))
        if isinstance(trial, CameraTrial):
            trial.problem, trial.notes = self._table.camera_problem(), self._table.camera_notes()
            frame = self._table.frame()
            if frame is not None:
                trial.see(*frame)
                trial.fed(self._table.now())
                if isinstance(trial, Read) and trial.sights:
                    self._keep(trial.sights[-1])

    def _cue(self, trial: Trial) -> None:
        while trial.cues:
            cue = trial.cues.popleft()
            self._person.say("    " + self._text(cue.it, cue.en))
            if cue.kind == "tone":
                self._person.tone()

    def _typed(self, trial: Trial) -> bool:
        """Take what the person types during a task; True if it is left out."""
        line = self._person.line()
        if line is None:
            return False
        word = line.strip().lower()
        if word == QUIT:
            raise WalkEndedError
        if word == SKIP or (not word and trial.wants_number):
            return True
        if word and trial.wants_number:
            trial.typed(word)
        return False

    def _end(self, result: TaskResult, heard: list[Observation]) -> None:
        self._keep(result.mark(self._table.now()))
        self._course.end(result, heard)

    def _tell(self, result: TaskResult) -> None:
        if result.outcome == "passed":
            values = ", ".join(f"{name} {value:g}" for name, value in result.values.items())
            self._person.say(f"    {self._text('bene', 'good')}{': ' + values if values else ''}")
        for finding in result.findings:
            self._person.say(f"    {self._text('NO', 'WRONG')}: {finding.sentence(italian=self._italian)}")
        if result.outcome == "failed":
            self._person.say("    " + self._text("r: ancora una volta, Invio: avanti", "r: once more, Enter: go on"))
            if self._answer() in AGAIN:
                self._course.repeat(result.task)

    def _trial(self, task: Task) -> Trial:
        now, still = self._table.now(), self._standing
        match task.item.way:
            case "picture":
                return Sharp(task, still, now, self._layout, self._kept)
            case "light":
                return Lit(task, still, now, self._layout, self._kept)
            case "by-cards" if self._kept is not None:
                return ByCards(task, still, now, self._layout, self._kept)
            case "cover":
                return CoverTrial(task, still, now, self._layout)
            case "sight":
                return Read(task, still, now, self._layout, self._table.look)
            case "rest":
                rest = RestTrial(task, still, now)
                rest.expect(tuple(t.sensor for t in self._course.tasks if t.item.way == "weight"))
                return rest
        return _TRIALS[task.item.way](task, still, now)


_TRIALS: Final[Mapping[str, type[Trial]]] = {
    "hello": NodeTrial,
    "idle": Idle,
    "number": Number,
    "hold": HeldTrial,
    "passes": CountedTrial,
    "weight": WeighingTrial,
    "corners": Corners,
    "creep": Creep,
    "cards": CardsLaid,
    "reach": Reached,
    "shield": CountedTrial,
    "button": CountedTrial,
    "knock": CountedTrial,
    "screen": CountedTrial,
    "tray": CountedTrial,
}
