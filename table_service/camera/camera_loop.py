"""A running table's camera: the newest frame is looked at; when the camera cannot be relied on, health says so.

One thread. Frames that come while one is being read are dropped, never queued; a camera that is covered, frozen, out
of focus, silent or unplugged is reported within two seconds, and when it is well again it is used again by itself.
One whose capture hangs is closed and opened anew; if it can't be closed either, the process has to begin anew.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import cv2

from hw.coverage import CAMERA_SETTINGS, ENROLLED_BOX
from hw.observations import Health, Observation, Reach, Sight
from hw.seats import Seat
from hw.tablemap import TableMap
from hw.zones import hand
from table_service.camera.enrolled_box import calls_not_enrolled
from table_service.camera.source_handles import HungSourceError, SourceHandles
from table_service.camera.table_camera import Eye, sightings_of
from table_service.events import Event
from table_service.evidence import Picture
from table_service.journal import JournalError
from table_service.rulesets import equipment_of
from vision.calibration import Calibration
from vision.condition import LASTS_S, Box, Condition, ConditionChange
from vision.errors import CalibrationError, ModelError, PictureError, SourceError
from vision.newest import Newest
from vision.packs import PackError, PackFaces
from vision.picamera import PiCamera
from vision.source import CameraFrame, FrameSource, PictureFiles, V4L2Camera
from vision.stream import VIDEO_ENDINGS, HttpCamera, RtspCamera, VideoFile

RETRY_S: Final = 1.0
PATIENCE_S: Final = 0.25
"""Seconds to wait for a frame before the camera's silence is considered."""
HANGS_S: Final = 5.0
"""Seconds without a frame after which a camera hangs: it is closed and opened anew."""
HANGS_MOST: Final = 5
STORM_S: Final = 300.0
STORM_PAUSE_S: Final = 60.0
"""A camera that hangs more often than ``HANGS_MOST`` times in ``STORM_S`` seconds is opened so seldom."""
ENDS_AFTER_S: Final = 300.0
"""Seconds before which the process does not end for its camera's sake: a table without a camera plays on."""
Clock = Callable[[], float]


class Audience(Protocol):
    """Receiver of what the camera sees: the table's service."""

    def observe(self, observation: Observation) -> Any:
        """Take an observation."""

    def frame(self, picture: Picture) -> None:
        """Take a picture that may become evidence."""


class Looker(Protocol):
    """Reader of frames: the table's camera reader."""

    @property
    def calibration(self) -> Calibration | None:
        """Camera to table; None before the first frame."""

    def look(self, frame: Any, t: float) -> Sight | None:
        """Return what a frame shows."""

    def picture(self, frame: Any, t: float) -> Picture | None:
        """Return that frame as it may be held, hand areas painted out."""

    def reaches(self) -> list[Reach]:
        """Return the hands that have come and gone."""

    def notice(self) -> Health | None:
        """Return what has become known of the calibration."""

    def new_deal(self) -> None:
        """Begin a new deal."""

    def deal_over(self) -> None:
        """End the deal: hands are laid out for the count."""

    def deal_goes_on(self) -> None:
        """Continue the deal, which has not ended: hands are hidden again."""

    def open_hands(self, zones: Collection[str]) -> None:
        """Open the hand areas ``zones`` for all from now on, and no others."""


class DealCourse:
    """Course of the deal for the camera: heard from any thread, applied in the camera's own before it looks."""

    def __init__(self) -> None:
        self._wish = ""
        self._end: str | None = None
        """The event that ended the deal that runs."""
        self._open: dict[str, str] = {}
        """The open hand areas of the deal that runs, each with the event that reported it."""
        self._shown: frozenset[str] = frozenset()

    def heard(self, event: Event) -> None:
        """Take ``event``: the end of a deal unmasks the hands, a hand that is laid out its own (dummy)."""
        if (seat := getattr(event.data, "opens", None)) is not None:
            self._open = {**self._open, hand(Seat(seat)): event.id}
        match event.type:
            case "deal.started":
                self._wish, self._end, self._open = "new-deal", None, {}
            case "deal.ended":
                self._wish, self._end = "over", event.id
            case "event.retracted" if getattr(event.data, "event", None) == self._end and self._end is not None:
                self._wish, self._end = "goes-on", None
            case "event.retracted":
                gone = getattr(event.data, "event", None)
                self._open = {zone: told for zone, told in self._open.items() if told != gone}

    def on_new_eye(self) -> None:
        """Another eye looks from now on."""
        self._shown = frozenset()
        if self._end is not None:
            self._wish = "over"

    def apply_pending(self, eye: Looker) -> None:
        """Do what was heard."""
        wish, self._wish = self._wish, ""
        match wish:
            case "new-deal":
                eye.new_deal()
            case "over":
                eye.deal_over()
            case "goes-on":
                eye.deal_goes_on()
        if (now := frozenset(self._open)) != self._shown:
            self._shown = now
            eye.open_hands(now)


class CameraWatch:
    """Follows the camera of ``table`` until ``stop`` is set. ``say``: one sentence for the person at the terminal."""

    def __init__(
        self,
        table: TableMap,
        audience: Audience,
        clock: Clock,
        stop: threading.Event,
        *,
        boot: str,
        say: Callable[[str], None],
        open_source: Callable[[TableMap, Clock], FrameSource] | None = None,
        make_eye: Callable[[], Looker] | None = None,
    ) -> None:
        self._table = table
        self._audience = audience
        self._clock = clock
        self._stop = stop
        self._say = say
        self._open = open_source or open_camera
        self._make_eye = make_eye or eye_of(table, boot)
        self._course = DealCourse()
        self._condition = Condition()
        self._beat: Callable[[], None] = lambda: None
        self._lost = ""
        self._refused: tuple[str, ...] = ()
        self._not_enrolled: tuple[str, ...] = ()
        self._counts: dict[str, int | bool] = {"read": 0, "dropped": 0, "looked": 0}
        self._handles = SourceHandles()
        self._hangs: deque[float] = deque(maxlen=HANGS_MOST)
        self.must_end = False
        """True once the camera can only be had by a process that begins anew; read from any thread."""

    def report(self) -> dict[str, Any]:
        """Counters for the health topic."""
        return {
            **self._counts,
            "hung": self._handles.hung,
            "well": not self._lost and self._condition.well,
            "problem": self._lost,
        }

    def heard(self, event: Event) -> None:
        """Take ``event`` of the table: the end of a deal unmasks the hands. May come from any thread."""
        self._course.heard(event)

    def run(self, beat: Callable[[], None] = lambda: None) -> None:
        """Watch until the end. Nothing that a camera does ends it; ``beat`` is called while it moves."""
        self._beat = beat
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # faults are reported below, in one sentence
        while not self._stop.is_set():
            beat()
            try:
                self._watch()
            except (
                SourceError, PictureError, CalibrationError, ModelError, PackError, JournalError, cv2.error, OSError
            ) as error:  # fmt: skip
                self._lose(str(error))
                self._stop.wait(RETRY_S)
            except HungSourceError as error:
                self._lose(str(error))
                self._say(f"camera: {error}")
                self._recover(error)

    def _recover(self, error: HungSourceError) -> None:
        """Wait before the camera is opened anew; if it can't be let go, until the process may end."""
        now = self._clock()
        is_storm = len(self._hangs) == HANGS_MOST and now - self._hangs[0] < STORM_S
        self._hangs.append(now)
        if error.is_held:
            self._pause(ENDS_AFTER_S - now)
            self.must_end = True
            self._pause(ENDS_AFTER_S)
        elif is_storm:
            self._pause(STORM_PAUSE_S)
        else:
            self._stop.wait(RETRY_S)

    def _pause(self, seconds: float) -> None:
        """Wait ``seconds`` by the table's clock, or until the end."""
        until = self._clock() + seconds
        while self._clock() < until and not self._stop.wait(PATIENCE_S):
            self._beat()

    def _watch(self) -> None:
        eye = self._make_eye()
        self._course.on_new_eye()
        self._heed_box()
        with self._handles.held(lambda: self._open(self._table, self._clock), self._beat) as source:
            if isinstance(source, PictureFiles):
                for frame in source.frames():
                    if self._stop.is_set():
                        return
                    self._beat()
                    self._look(eye, frame.picture, self._clock())
                raise SourceError(f"{self._table.camera.source} gives no more pictures")
            self._condition = Condition(still_s=getattr(source, "still_s", LASTS_S))
            newest = Newest(source)
            newest.start()
            for one in self._frames(newest):
                self._counts["damaged"] = getattr(source, "damaged", 0)
                self._heed_settings(source)
                self._live(eye, one)

    def _frames(self, newest: Newest) -> Iterator[CameraFrame]:
        """Yield the frames to look at; silence is judged between them. Raises HungSourceError if a camera hangs."""
        last = self._clock()
        while not self._stop.is_set():
            self._beat()
            frame = newest.get(PATIENCE_S)
            self._counts.update(read=newest.read, dropped=newest.dropped)
            if frame is None:
                self._heed(self._condition.tick(self._clock()))
                if self._clock() - last >= HANGS_S:
                    self._handles.hung += 1
                    raise HungSourceError("the camera gives no pictures any more: it is closed and opened anew")
            else:
                yield frame
                last = self._clock()

    def _heed_box(self) -> None:
        """Report, once, which faces the enrolled bidding box lacks, and that a box enrolled since then is whole.

        The camera reader names no bidding card of a box that lacks one. Raises PackError.
        """
        missing = calls_not_enrolled(self._table)
        if missing != self._not_enrolled:
            self._not_enrolled = missing
            state: Literal["ok", "lost"] = "lost" if missing else "ok"
            self._audience.observe(Health(round(self._clock(), 6), ENROLLED_BOX, state, ", ".join(missing)))

    def _heed_settings(self, source: FrameSource) -> None:
        """Report, once, what the camera refuses to hold, and that it holds all again if it had refused.

        The cards are read all the same: it is reported because a white sleeve may then darken them.
        """
        notes = tuple(getattr(source, "notes", ()))
        now = round(self._clock(), 6)
        if fresh := [note for note in notes if note not in self._refused]:
            self._refused = tuple(dict.fromkeys((*self._refused, *notes)))
            for note in fresh:
                self._say(f"camera: {note}")
            self._audience.observe(Health(now, CAMERA_SETTINGS, "lost", "; ".join(notes)))
        elif self._refused and not notes and getattr(source, "held", False):
            self._refused = ()
            self._audience.observe(Health(now, CAMERA_SETTINGS, "ok"))

    def _live(self, eye: Looker, frame: CameraFrame) -> None:
        self._heed(self._condition.frame(frame.t, frame.picture))
        if not self._condition.well:
            return
        known = eye.calibration is not None
        self._look(eye, frame.picture, frame.t)
        if not known and eye.calibration is not None:
            self._condition.focus_on(marker_boxes(self._table, eye.calibration), frame.picture)

    def _look(self, eye: Looker, picture: Any, t: float) -> None:
        self._course.apply_pending(eye)
        sight = eye.look(picture, t)
        self._counts["looked"] += 1
        if self._lost:
            self._find(t)
        notice = eye.notice()
        if notice is not None:
            self._say(f"camera: {notice.note or 'the table lies where it was calibrated'}")
            self._audience.observe(notice)
        for reach in eye.reaches():
            self._audience.observe(reach)
        if sight is not None:
            self._audience.observe(sight)
        held = eye.picture(picture, t)
        if held is not None:
            self._audience.frame(held)

    def _heed(self, change: ConditionChange | None) -> None:
        if change is None:
            return
        if change.well:
            self._find(change.t)
        else:
            self._lose(change.note)

    def _lose(self, why: str) -> None:
        if self._lost:
            self._lost = why
            return
        self._lost = why
        self._say(f"camera: {why} (trying again)")
        self._audience.observe(Health(round(self._clock(), 6), "camera", "lost", why))

    def _find(self, t: float) -> None:
        if self._lost:
            self._lost = ""
            self._say("camera: all is well again")
            self._audience.observe(Health(round(t, 6), "camera", "ok"))


def eye_of(table: TableMap, boot: str) -> Callable[[], Eye]:
    """Return the maker of the camera reader of ``table``, with the enrolled pack and bidding box that it names.

    The maker raises PackError or CalibrationError if one of them, or the calibration, cannot be read.
    """

    def make() -> Eye:
        layout, keepers = table.layout(), table.keeper_seats()
        pack, box = (None if path is None else PackFaces.load(path) for path in (table.camera.pack, table.camera.box))
        sightings = sightings_of(layout, equipment_of(table.table.rules), keepers, pack, box)
        kept = None if table.camera.calibration is None else Calibration.load(table.camera.calibration)
        return Eye(layout, keepers, boot, sightings, sees_hands=table.sees_hands, kept=kept)

    return make


def marker_boxes(table: TableMap, calibration: Calibration) -> tuple[Box, ...]:
    """Return the places of the printed markers in the frames of a calibrated camera, in pixels."""
    boxes = []
    for marker in table.layout().markers if calibration.markers else ():
        half = marker.side / 2
        ring = calibration.polygon(marker.x - half, marker.y - half, marker.x + half, marker.y + half)
        (x0, y0), (x1, y1) = ring.min(axis=0), ring.max(axis=0)
        if x1 > 0 and y1 > 0 and x0 < calibration.width and y0 < calibration.height:
            boxes.append((max(0, int(x0)), max(0, int(y0)), int(x1), int(y1)))
    return tuple(boxes)


def open_camera(table: TableMap, clock: Clock) -> FrameSource:
    """Open the camera that the table's configuration names. Raises SourceError."""
    kind, _, where = table.camera.source.partition(":")
    width, height = table.camera.width, table.camera.height
    match kind:
        case "v4l2":
            return V4L2Camera(_number(where), width=width, height=height, clock=clock, mains=table.camera.mains)
        case "file":
            path = Path(where)
            return VideoFile(path, clock) if path.suffix.lower() in VIDEO_ENDINGS else PictureFiles(path)
        case "http" | "https":
            return HttpCamera(table.camera.source, clock)
        case "rtsp" | "rtsps":
            return RtspCamera(table.camera.source, clock)
        case "picamera2":
            return PiCamera(width, height, clock, mains=table.camera.mains)
    raise SourceError(
        "no camera is named: write v4l2:/dev/video0, http://ADDRESS/video, rtsp://ADDRESS/path, picamera2 or file:VIDEO"
        " as the camera's source"
    )


def _number(device: str) -> int:
    """Return the number of a V4L2 device; udev's stable names are links to one."""
    name = Path(device).resolve().name if device.startswith("/") else device
    digits = name.removeprefix("video")
    if not digits.isdigit():
        raise SourceError(f"'{device}' is no V4L2 camera: write v4l2:/dev/video0 or a link to it")
    return int(digits)
