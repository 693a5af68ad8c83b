"""The first turns of a deal at a running table whose only sensor is a phone's stream, calibrated by five cards."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hw.layout import Layout
from hw.observations import Console
from hw.table_sections import CameraSection, TableSection
from hw.tablemap import TableMap
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.gestures import Press
from hw.twin.live import Snapshot
from hw.twin.scene import PlacedCard, Scene
from hw.twin.stage import Entered
from hw.twin.twin_table import DRAWN
from table_service.camera.camera_loop import CameraWatch
from table_service.commands.demo.demo_run import WEBCAM_PX
from table_service.events import Event
from table_service.publish import BrokerAddress
from table_service.rehearsal.rehearse import Rehearsal
from table_service.rulesets import rule_set
from table_service.service import TableFiles, TableService
from tests.camera.mjpeg_server import Phone, serving
from tests.commands.test_camera_only_demo import first_turns
from vision.card_calibration import calibrate_by_cards, card_places
from vision.stream import EVERY_S

QUIET_S = 0.5
"""Seconds between pictures of a table on which nothing moves."""
LAYOUT = Layout(DRAWN.layout.zones, ())
"""The demo's table without markers."""


def played(rehearsal: Rehearsal, player: Any) -> list[Scene | Console]:
    """What the phone sees, never quicker than frames are taken, and a person enters, in order, quiet moments too."""
    gestures = [one for one in rehearsal.script.gestures() if not isinstance(one, Press)]

    async def play() -> list[Scene | Console]:
        course: list[Scene | Console] = [Scene(0.0, ())]
        last: Scene = course[0]  # type: ignore[assignment]
        async for one in player.play(gestures):
            if isinstance(one, Snapshot) and one.scene.t - last.t >= EVERY_S:
                while one.scene.t - last.t >= QUIET_S + EVERY_S:
                    last = replace(last, t=last.t + QUIET_S)
                    course.append(last)
                last = one.scene
                course.append(last)
            elif isinstance(one, Entered) and not hasattr(one.what, "what"):
                course.append(Console(round(one.t, 6), one.what.by, one.what.do, dict(one.what.fields)))
        return course

    return asyncio.run(play())


class Stream:
    """A phone's pictures of a deal: the next one is shown once the table has looked at the one before."""

    def __init__(self, camera: Camera, course: list[Scene | Console], service: TableService) -> None:
        self._course: Iterator[Scene | Console] = iter(course)
        self._camera, self._service = camera, service
        self.watch: CameraWatch | None = None
        self.t = 0.0
        self.shown = 0
        self.is_over = threading.Event()
        self._picture: Any = None

    def picture(self, _: int) -> Any:
        """Return the next picture, each once: one sent again would be taken for what is there a moment later."""
        while not self.is_over.wait(0.005):
            looked = 0 if self.watch is None else self.watch.report()["looked"]
            if looked >= self.shown:
                self._next()
                break
        return self._picture

    def _next(self) -> None:
        for one in self._course:
            if isinstance(one, Scene):
                picture = self._camera.render(one)
                self.t, self._picture, self.shown = one.t, picture, self.shown + 1
                return
            self._service.observe(one)
        self.is_over.set()


def calibration_by_cards(camera: Camera, file: Path) -> Path:
    """The file of the calibration that five cards give."""
    names = ("7H#1", "KS#1", "QD#1", "2C#1", "AS#1")
    places = card_places(LAYOUT).values()
    cards = [PlacedCard(name, x, y, 0.0, face_up=True) for name, (x, y) in zip(names, places, strict=True)]
    found = calibrate_by_cards(camera.render(Scene(0.0, tuple(cards))), LAYOUT)
    file.write_text(json.dumps(found.to_dict()), "utf-8")
    return file


@pytest.mark.sweep
@pytest.mark.slow(seconds=30)
def test_the_first_turns_of_a_deal_are_told_by_a_running_table_from_a_phones_stream(tmp_path: Path) -> None:
    rehearsal, player = first_turns(9)
    course = played(rehearsal, player)
    camera = Camera(
        LAYOUT,
        seed=3,
        width=WEBCAM_PX,
        height=WEBCAM_PX,
        artwork=artwork_of(rule_set("fibur2024").drawing),
        equipment=DRAWN.equipment,
    )
    kept = calibration_by_cards(camera, tmp_path / "camera.json")
    told: list[Event] = []
    stop = threading.Event()
    places = TableFiles.under(tmp_path, rehearsal.header.table)
    service = TableService(rehearsal.header, "prova", places, BrokerAddress("127.0.0.1", 1), lambda: stream.t)
    stream = Stream(camera, course, service)
    heard: list[Any] = []
    with serving(Phone(stream.picture)) as phone:
        table = TableMap(
            table=TableSection(name="T1", rules="fibur2024"),
            camera=CameraSection(source=phone.address(), calibration=kept),
        )
        watch = CameraWatch(table, service, lambda: stream.t, stop, boot="b", say=heard.append)
        stream.watch = watch
        service.listeners += [watch.heard, told.append]
        thread = threading.Thread(target=watch.run, daemon=True)
        thread.start()
        assert stream.is_over.wait(200.0), (heard, watch.report())
        stop.set()
        thread.join(20)
    service.close(0.0)
    acts = {"card.drawn": "draw", "pile.collected": "collect", "meld.opened": "open", "card.discarded": "discard"}
    wanted = [
        (one.type, str(one.seat)) for cue in rehearsal.script.cues for one in cue.actions if one.type in acts.values()
    ]
    assert len(wanted) >= 4
    assert [(acts[one.type], str(one.seat)) for one in told if one.type in acts] == wanted
    assert not [one for one in told if one.type == "irregularity"]
    assert phone.opened == 1, heard
    assert watch.report()["dropped"] == 0
