"""Trials of the camera: that it notices a cover, its picture of the empty table, the light, cards that it reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hw.board.bench_figures import Figure, measure
from hw.layout import Layout
from hw.observations import Console, Observation, Sight
from hw.whole_files import write_whole
from table_service.sensor_check.tasks import Task
from table_service.sensor_check.trial import PATIENCE_S, Image, Standing, Trial
from vision.calibration import Calibration, calibrate, find_markers
from vision.card_calibration import calibrate_by_cards
from vision.condition import Condition
from vision.drift import still_right
from vision.errors import CalibrationError
from vision.picture_quality import INDEX_MM, coarsest, edge_widths, evenness, flicker, glare

PICTURES: Final = 6
"""Pictures of the still table that are compared."""
SILENT_S: Final = 5.0
"""Seconds without a picture after which a camera gives none."""
EVERY_S: Final = 1.0
"""Seconds between looks for the cards that calibrate the camera."""
Look = Callable[[Image, float], Sight | None]


class CameraTrial(Trial):
    """A trial that wants frames. ``layout``: the table's; ``problem``: why there are none, if that is known."""

    def __init__(self, task: Task, standing: Standing, now: float, layout: Layout) -> None:
        super().__init__(task, standing, now)
        self.layout = layout
        self.problem = ""
        self.notes: tuple[str, ...] = ()
        """Settings that the camera could not lock, known once it has settled."""
        self._last = now

    def fed(self, now: float) -> None:
        """Note that a frame has been taken in; to read one may have taken seconds."""
        self._last = now

    def tick(self, heard_until: float) -> None:
        """Report a camera that gives nothing; else do what the trial itself does."""
        if self.problem or self.now - self._last >= SILENT_S:
            self.done = True
            self.find("no-picture", why=self.problem or f"{SILENT_S:g} s")
            return
        self.decide(heard_until)

    def decide(self, heard_until: float) -> None:
        """Judge once enough was seen."""


class CoverTrial(CameraTrial):
    """The lens is covered and free again: both must be noticed."""

    def __init__(self, task: Task, standing: Standing, now: float, layout: Layout) -> None:
        super().__init__(task, standing, now, layout)
        self._condition = Condition()
        self._noticed = False

    def see(self, picture: Image, t: float) -> None:
        """Take a frame."""
        change = self._condition.frame(t, picture)
        if change is not None and not change.well:
            self._noticed = True
            self.do("Bene, scopri l’obiettivo.", "Good, uncover the lens.")
        elif change is not None and self._noticed:
            self.done = True

    def decide(self, heard_until: float) -> None:
        """End the wait for the cover after ``PATIENCE_S``."""
        if max(self.now, heard_until) - self.began >= PATIENCE_S:
            self.done = True
            self.find("still-covered" if self._noticed else "cover-unnoticed")


class ByCards(CameraTrial):
    """Five cards on the table give camera to table, which is written to ``file``; looked for until they do."""

    def __init__(self, task: Task, standing: Standing, now: float, layout: Layout, file: Path) -> None:
        super().__init__(task, standing, now, layout)
        self._file = file
        self._looked = now - EVERY_S
        self._why = ""

    def see(self, picture: Image, t: float) -> None:
        """Look for the cards, every ``EVERY_S`` seconds; say what is still wrong with them."""
        if t - self._looked < EVERY_S:
            return
        self._looked = t
        try:
            found = calibrate_by_cards(picture, self.layout)
        except CalibrationError as error:
            if str(error) != self._why:
                self._why = str(error)
                self.do(f"Non ancora: {error}", f"Not yet: {error}")
            return
        self.done = True
        self.values = {"error_mm": round(found.error_mm or 0.0, 2), "residual_mm": round(found.residual_mm, 3)}
        write_whole(self._file, (json.dumps(found.to_dict(), indent=1) + "\n").encode(), mode=0o644)
        if not found.rim:
            self.find("no-rim")

    def decide(self, heard_until: float) -> None:
        """End the wait for the cards when the time is over."""
        if not self.done and max(self.now, heard_until) - self.began >= self.task.seconds:
            self.done = True
            self.find("by-cards", why=self._why)


class Empty(CameraTrial):
    """Pictures of the empty table; ``task.seconds`` long, so that exposure has settled and is held.

    ``kept``: the file of the calibration of a table without markers.
    """

    def __init__(self, task: Task, standing: Standing, now: float, layout: Layout, kept: Path | None = None) -> None:
        super().__init__(task, standing, now, layout)
        self.kept = kept
        self.pictures: list[Image] = []

    def see(self, picture: Image, t: float) -> None:  # noqa: ARG002 - a trial that reads frames uses it
        """Keep the newest frames."""
        self.pictures = [*self.pictures[1 - PICTURES :], picture.copy()]

    def decide(self, heard_until: float) -> None:
        """Judge when the time is over and enough frames were seen."""
        waited = max(self.now, heard_until) - self.began
        if self.pictures and waited >= self.task.seconds and (len(self.pictures) == PICTURES or waited >= PATIENCE_S):
            self.done = True
            try:
                calibration = self._calibration(self.pictures[-1])
            except CalibrationError as error:
                if self.kept is None:
                    self._without_markers(str(error))
                else:
                    self.find("by-cards", why=str(error))
                return
            self.judge(calibration)

    def _calibration(self, picture: Image) -> Calibration:
        if self.kept is None:
            return calibrate(picture, self.layout)
        return still_right(Calibration.load(self.kept), picture, self.layout)

    def _without_markers(self, why: str) -> None:
        known = {marker.number for marker in self.layout.markers}
        seen = known & set(find_markers(self.pictures[-1]))
        self.find("markers", count=len(seen), wanted=len(known), why=why)

    def judge(self, calibration: Calibration) -> None:
        """Say what is wrong with the pictures."""


class Sharp(Empty):
    """Markers, focus, pixels a millimetre, and what the camera could not lock."""

    def judge(self, calibration: Calibration) -> None:
        """Say what is wrong with the camera."""
        for note in self.notes:
            self.find("unlocked", why=note)
        missing = {marker.number for marker in self.layout.markers} - set(calibration.markers)
        if missing and self.kept is None:
            names = ", ".join(str(number) for number in sorted(missing))
            self.find("markers", count=len(calibration.markers), wanted=len(self.layout.markers), why=f"({names})")
        if calibration.residual_mm > self.limit("residual_mm"):
            self.find("residual", mm=calibration.residual_mm)
        edges = edge_widths(self.pictures[-1], calibration, self.layout)
        worst_place = coarsest(calibration, self.layout)
        self.values = {
            "residual_mm": round(calibration.residual_mm, 3),
            "index_px": round(worst_place.value * INDEX_MM, 1),
            "px_per_mm": round(worst_place.value, 2),
        }
        if edges:
            worst = max(edges, key=lambda number: edges[number])
            self.values["edge_px"] = round(edges[worst], 2)
            if edges[worst] > self.limit("edge_px"):
                self.find("blurred", px=edges[worst], marker=worst)
        needed = self.limit(f"{self.task.read_by}_px_per_mm")
        if worst_place.value < needed:
            self.find(f"coarse-{self.task.read_by}", px=worst_place.value, needed=needed, place=str(worst_place))


class Lit(Empty):
    """Evenness, flicker and glare."""

    def judge(self, calibration: Calibration) -> None:
        """Say what is wrong with the light."""
        picture = self.pictures[-1]
        even = evenness(picture, calibration, self.layout)
        white = glare(picture, calibration, self.layout)
        waver = flicker(self.pictures)
        self.values = {"evenness": round(even.value, 3), "glare": round(white.value, 5), "flicker": round(waver, 4)}
        if even.value < self.limit("evenness"):
            self.find("uneven", share=even.value, place=str(even))
        if waver > self.limit("flicker"):
            self.find("flicker", share=waver)
        if white.value > self.limit("glare"):
            self.find("glare", share=white.value, place=str(white))


class Read(CameraTrial):
    """Cards laid face up, read again and again. ``look``: what a frame shows, by the table's own reader."""

    def __init__(self, task: Task, standing: Standing, now: float, layout: Layout, look: Look) -> None:
        super().__init__(task, standing, now, layout)
        self._look = look
        self.sights: list[Observation] = []

    def see(self, picture: Image, t: float) -> None:
        """Read a frame."""
        sight = self._look(picture, t)
        if sight is not None:
            self.sights.append(sight)

    def decide(self, heard_until: float) -> None:
        """Judge when the time is over."""
        if max(self.now, heard_until) - self.began < self.task.seconds:
            return
        self.done = True
        order = Console(self.began, "walk", "bench", self.task.order())
        found = {one.name: one for one in measure([order, *self.sights])}
        missed, misread = found.get("sight.miss"), found.get("sight.misread")
        if missed is None or misread is None:
            self.find("cards-missed", missed=len(self.task.cards), times=len(self.task.cards))
            return
        self.values = {"missed": missed.count, "misread": misread.count, "cards": missed.tries}
        if _share(missed) > self.limit("miss"):
            self.find("cards-missed", missed=missed.count, times=missed.tries)
        if _share(misread) > self.limit("misread"):
            self.find("cards-misread", count=misread.count, times=misread.tries)


def _share(figure: Figure) -> float:
    return figure.count / figure.tries
