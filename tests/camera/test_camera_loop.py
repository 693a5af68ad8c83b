"""The camera of a running table: newest frames only, troubles told as health, hands unmasked only for the count."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hw.coverage import covered
from hw.observations import Health, Observation, Reach, Sight
from hw.table_sections import CameraSection, TableSection
from hw.tablemap import TableMap
from table_service.camera import camera_loop, source_handles
from table_service.camera.camera_loop import CameraWatch, Clock, open_camera
from table_service.events import Event
from table_service.events import payloads as say
from table_service.evidence import Picture
from vision.calibration import Calibration
from vision.errors import SourceError
from vision.newest import Newest
from vision.source import CameraFrame, FrameSource

WAIT_S = 10.0


def _until(met: Callable[[], object]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not met():
        assert time.monotonic() < deadline, "the condition was not met in time"
        time.sleep(0.005)


def _picture(n: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    picture = np.random.default_rng(n).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    picture[0, 0] = n % 256
    return picture


class Reel:
    """A camera whose frames the test hands out one by one."""

    def __init__(self) -> None:
        self._gate = threading.Condition()
        self._frames: list[CameraFrame] = []
        self._error: SourceError | None = None
        self.closed = False
        self.lets_go = True
        self.notes: tuple[str, ...] = ()
        self.held = False

    def give(self, *frames: CameraFrame) -> None:
        with self._gate:
            self._frames.extend(frames)
            self._gate.notify_all()

    def fail(self, why: str) -> None:
        with self._gate:
            self._error = SourceError(why)
            self._gate.notify_all()

    def frames(self) -> Iterator[CameraFrame]:
        while True:
            with self._gate:
                self._gate.wait_for(lambda: self._frames or self._error or self.closed)
                if self._frames:
                    frame = self._frames.pop(0)
                elif self._error is not None:
                    raise self._error
                else:
                    return
            yield frame

    def close(self) -> None:
        with self._gate:
            self._gate.wait_for(lambda: self.lets_go)
            self.closed = True
            self._gate.notify_all()

    def let_go(self) -> None:
        with self._gate:
            self.lets_go = True
            self._gate.notify_all()


def test_frames_that_come_while_one_is_read_are_dropped_and_the_newest_is_given() -> None:
    reel = Reel()
    with Newest(reel) as newest:
        reel.give(*(CameraFrame(float(n), _picture(n)) for n in range(7)))
        _until(lambda: newest.read == 7)
        frame = newest.get(WAIT_S)
        assert frame is not None
        assert (frame.t, newest.dropped) == (6.0, 6)
        assert newest.get(0.01) is None
    assert reel.closed


def test_a_source_that_fails_in_any_way_is_told_to_who_waits_for_a_frame() -> None:
    class Broken:
        def frames(self) -> Iterator[CameraFrame]:
            raise ZeroDivisionError("driver")
            yield

        def close(self) -> None:
            pass

    with Newest(Broken()) as newest, pytest.raises(SourceError, match="the camera failed: driver"):
        newest.get(WAIT_S)


@dataclass
class Ear:
    """Hears what a table's service would."""

    heard: list[Observation] = field(default_factory=list)
    pictures: int = 0

    def observe(self, observation: Observation) -> None:
        self.heard.append(observation)

    def frame(self, picture: Picture) -> None:  # noqa: ARG002 - as the service takes it
        self.pictures += 1

    def health(self) -> list[tuple[str, str]]:
        return [(one.node, one.state) for one in self.heard if isinstance(one, Health)]


class PlainEye:
    """Stands for the table's eye: says a sight for each frame, remembers what it was told."""

    def __init__(self) -> None:
        self.calibration: Calibration | None = None
        self.looked: list[float] = []
        self.told: list[str] = []

    def look(self, frame: Any, t: float) -> Sight | None:  # noqa: ARG002 - as the eye takes it
        self.looked.append(t)
        return Sight(t, ())

    def picture(self, frame: Any, t: float) -> Picture | None:  # noqa: ARG002 - as the eye takes it
        return None

    def reaches(self) -> list[Reach]:
        """Return none."""
        return []

    def notice(self) -> Health | None:
        return None

    def new_deal(self) -> None:
        self.told.append("new-deal")

    def deal_over(self) -> None:
        self.told.append("over")

    def deal_goes_on(self) -> None:
        self.told.append("goes-on")

    def open_hands(self, zones: Collection[str]) -> None:
        self.told.append(f"open {' '.join(sorted(zones))}".strip())


@dataclass
class Rig:
    """A watch over a reel with a clock that the test moves."""

    reels: list[Reel]
    ear: Ear
    eye: PlainEye
    watch: CameraWatch
    said: list[str]
    now: list[float]

    def step(self, t: float) -> None:
        self.now[0] = t
        self.reels[-1].give(CameraFrame(t, _picture(round(t * 10))))


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    monkeypatch.setattr(camera_loop, "RETRY_S", 0.02)
    table = TableMap(
        table=TableSection(name="T1", rules="fibur2024"),
        camera=CameraSection(source="v4l2:/dev/video0", width=640, height=480),
    )
    reels: list[Reel] = []
    ear, eye, said, now, stop = Ear(), PlainEye(), [], [0.0], threading.Event()  # type: ignore[var-annotated]

    def open_reel(_table: TableMap, _clock: Clock) -> FrameSource:
        reels.append(Reel())
        return reels[-1]

    watch = CameraWatch(
        table, ear, lambda: now[0], stop, boot="b", say=said.append, open_source=open_reel, make_eye=lambda: eye
    )
    thread = threading.Thread(target=watch.run, daemon=True)
    thread.start()
    _until(lambda: reels)
    yield Rig(reels, ear, eye, watch, said, now)
    stop.set()
    thread.join(WAIT_S)
    assert not thread.is_alive()


def test_an_unplugged_camera_is_told_opened_again_and_told_well(rig: Rig) -> None:
    rig.step(1.0)
    _until(lambda: rig.eye.looked)
    rig.reels[0].fail("camera 0 gives no more pictures")
    _until(lambda: len(rig.reels) == 2)
    assert rig.ear.health() == [("camera", "lost")]
    assert rig.reels[0].closed
    rig.step(5.0)
    _until(lambda: rig.ear.health() == [("camera", "lost"), ("camera", "ok")])
    assert len(rig.said) == 2


def test_a_silent_camera_is_told_within_two_seconds(rig: Rig) -> None:
    rig.step(1.0)
    _until(lambda: rig.eye.looked)
    rig.now[0] = 2.5
    _until(lambda: rig.ear.health() == [("camera", "lost")])
    assert "no pictures" in rig.said[0]


HANGS = "camera: the camera gives no pictures any more: it is closed and opened anew"


def _hang(rig: Rig) -> None:
    """Five seconds pass without a frame: the camera is closed."""
    reel = rig.reels[-1]

    def passes() -> bool:
        rig.now[0] += 0.1
        return reel.closed

    _until(passes)


def test_a_camera_whose_capture_hangs_is_closed_and_opened_anew_counted_and_told(rig: Rig) -> None:
    rig.step(1.0)
    _until(lambda: rig.eye.looked)
    _hang(rig)
    _until(lambda: len(rig.reels) == 2)
    assert any("opened anew" in one for one in rig.said)
    rig.step(rig.now[0] + 0.1)
    _until(lambda: rig.ear.health() == [("camera", "lost"), ("camera", "ok")])
    assert rig.watch.report()["hung"] == 1
    assert not rig.watch.must_end


def test_a_camera_that_hangs_again_and_again_is_opened_more_seldom(rig: Rig) -> None:
    for count in range(camera_loop.HANGS_MOST):
        _hang(rig)
        _until(lambda count=count: len(rig.reels) == count + 2)  # type: ignore[misc]
    _hang(rig)
    _until(lambda: rig.said.count(HANGS) == camera_loop.HANGS_MOST + 1)
    time.sleep(2 * camera_loop.RETRY_S)
    assert len(rig.reels) == camera_loop.HANGS_MOST + 1
    rig.now[0] += camera_loop.STORM_PAUSE_S
    _until(lambda: len(rig.reels) == camera_loop.HANGS_MOST + 2)


def test_a_close_that_hangs_is_left_behind_and_the_process_ends_once_it_has_run_for_five_minutes(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_handles, "CLOSES_S", 0.5)
    rig.reels[0].lets_go = False
    rig.step(1.0)
    _until(lambda: rig.eye.looked)
    rig.now[0] = 1.0 + camera_loop.HANGS_S
    _until(lambda: any("begin anew" in one for one in rig.said))
    assert not rig.watch.must_end
    rig.now[0] = camera_loop.ENDS_AFTER_S + 1.0
    _until(lambda: rig.watch.must_end)
    assert len(rig.reels) == 1
    rig.reels[0].let_go()


def test_a_camera_that_hangs_while_it_is_opened_is_left_behind_and_closed_when_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source_handles, "OPENS_S", 0.5)
    comes, reel, beats = threading.Event(), Reel(), []  # type: ignore[var-annotated]

    def open_late() -> FrameSource:
        comes.wait(WAIT_S)
        return reel

    handles = source_handles.SourceHandles()
    with pytest.raises(source_handles.HungSourceError) as told, handles.held(open_late, lambda: beats.append(1)):
        pass
    assert told.value.is_held
    assert beats
    comes.set()
    _until(lambda: reel.closed)


def test_what_the_camera_refuses_to_hold_is_told_once_and_puts_no_card_in_doubt(rig: Rig) -> None:
    rig.step(1.0)
    _until(lambda: rig.eye.looked)
    assert rig.ear.health() == []
    refused = ("camera 0 does not let its exposure be held", "the focus does not stay")
    rig.reels[0].notes = refused[:1]
    rig.step(3.0)
    _until(lambda: len(rig.eye.looked) == 2)
    rig.reels[0].notes, rig.reels[0].held = refused, True
    for n in range(3):
        rig.step(4.0 + n)
        _until(lambda n=n: len(rig.eye.looked) == 3 + n)  # type: ignore[misc]
    told = [one for one in rig.ear.heard if isinstance(one, Health)]
    assert [(one.t, one.node, one.state, one.note) for one in told] == [
        (3.0, "camera-settings", "lost", refused[0]),
        (4.0, "camera-settings", "lost", "; ".join(refused)),
    ]
    assert rig.said == [f"camera: {one}" for one in refused]
    assert rig.watch.report()["well"]
    assert covered("camera-settings", {}) == ()


def test_a_camera_that_refuses_the_same_after_it_was_plugged_in_again_does_not_repeat_it(rig: Rig) -> None:
    rig.reels[0].notes = ("no focus to hold",)
    rig.step(1.0)
    _until(lambda: rig.eye.looked)
    rig.reels[0].fail("unplugged")
    _until(lambda: len(rig.reels) == 2)
    rig.reels[1].notes, rig.reels[1].held = ("no focus to hold",), True
    rig.step(5.0)
    _until(lambda: len(rig.eye.looked) == 2)
    rig.reels[1].fail("another camera comes")
    _until(lambda: len(rig.reels) == 3)
    rig.reels[2].held = True
    rig.step(9.0)
    _until(lambda: len(rig.eye.looked) == 3)
    settings = [one for one in rig.ear.health() if one[0] == "camera-settings"]
    assert settings == [("camera-settings", "lost"), ("camera-settings", "ok")]


def _has_read(rig: Rig, count: int) -> bool:
    return bool(rig.watch.report()["read"] == count)


def test_what_a_frozen_camera_shows_is_not_believed(rig: Rig) -> None:
    still = _picture(1)
    for n in range(30):
        rig.now[0] = 1 + n / 10
        rig.reels[0].give(CameraFrame(rig.now[0], still))
        _until(partial(_has_read, rig, n + 1))
    _until(lambda: ("camera", "lost") in rig.ear.health())
    looked = len(rig.eye.looked)
    rig.reels[0].give(CameraFrame(5.0, still))
    _until(lambda: rig.watch.report()["read"] == 31)
    assert len(rig.eye.looked) == looked


def _event(type_: str, data: say.Payload, id_: str = "e1") -> Event:
    return Event(
        id=id_, table="T1", boot="b", seq=1, t=1, time="", deal=1, turn=1, type=type_, seat=None, line=None, data=data
    )


def test_hands_are_unmasked_for_the_count_only_and_masked_again_when_the_end_was_none(rig: Rig) -> None:
    rig.watch.heard(_event("deal.ended", say.DealEnded(manner="closed"), "e7"))
    rig.step(1.0)
    _until(lambda: rig.eye.told == ["over"])
    rig.watch.heard(_event("event.retracted", say.EventRetracted(event="e7")))
    rig.step(2.0)
    _until(lambda: rig.eye.told == ["over", "goes-on"])
    rig.watch.heard(_event("event.retracted", say.EventRetracted(event="e3")))
    rig.step(3.0)
    _until(lambda: len(rig.eye.looked) == 3)
    assert rig.eye.told == ["over", "goes-on"]


class Opening(say.Payload):
    """An event that says whose hand lies open from now on, as the lead that stands does."""

    opens: str | None = None


def test_a_hand_that_lies_open_is_seen_until_the_next_deal_or_until_that_was_none(rig: Rig) -> None:
    told = [
        (_event("lead.made", Opening(opens=None), "e1"), []),
        (_event("lead.made", Opening(opens="S"), "e2"), ["open hand-S"]),
        (_event("event.retracted", say.EventRetracted(event="e9")), ["open hand-S"]),
        (_event("event.retracted", say.EventRetracted(event="e2")), ["open hand-S", "open"]),
        (_event("lead.made", Opening(opens="N"), "e3"), ["open hand-S", "open", "open hand-N"]),
        (
            _event("deal.started", say.DealStarted(dealer="N", n=4), "e4"),
            ["open hand-S", "open", "open hand-N", "new-deal", "open"],
        ),
    ]
    for step, (event, expected) in enumerate(told, start=1):
        rig.watch.heard(event)
        rig.step(float(step))
        _until(lambda looks=step: len(rig.eye.looked) == looks)  # type: ignore[misc]
        assert rig.eye.told == expected


def _named(source: str) -> TableMap:
    return TableMap(table=TableSection(name="T1", rules="fibur2024"), camera=CameraSection(source=source))


def test_a_camera_that_is_no_camera_is_one_sentence(tmp_path: Path) -> None:
    for source in ("none", f"file:{tmp_path / 'nothing'}", "v4l2:/dev/null", "v4l2:/dev/video97"):
        with pytest.raises(SourceError) as told:
            open_camera(_named(source), time.monotonic)
        assert "\n" not in str(told.value)
