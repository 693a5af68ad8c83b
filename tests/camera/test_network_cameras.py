"""Cameras that people have: a phone's MJPEG stream by a real server, a recorded video; each trouble is one sentence."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hw.camera_address import shown_address
from hw.config_text import ConfigError
from hw.observations import Health
from hw.table_sections import CameraSection, TableSection
from hw.tablemap import TableMap
from table_service.camera.camera_loop import CameraWatch, open_camera
from table_service.rulesets import load_table
from tests.camera.mjpeg_server import Phone, serving
from tests.camera.test_camera_loop import Ear, PlainEye, _until
from vision.errors import SourceError
from vision.stream import FEW_A_SECOND, FrameRate, HttpCamera, RtspCamera, VideoFile


def picture(n: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.random.default_rng(n).integers(0, 255, (120, 160, 3), dtype=np.uint8)


@pytest.fixture
def phone() -> Iterator[Phone]:
    with serving(Phone(picture)) as one:
        yield one


@pytest.fixture
def clock() -> Any:
    """Each asking is a tenth of a second later: no frame is left out for coming too soon."""
    ticks = count()
    return lambda: next(ticks) / 10


def first(camera: HttpCamera | RtspCamera | VideoFile) -> Any:
    return next(iter(camera.frames())).picture


@pytest.mark.parametrize("with_length", [True, False])
def test_a_phones_stream_is_read_frame_by_frame_with_and_without_lengths(
    phone: Phone, clock: Any, *, with_length: bool
) -> None:
    phone.with_length = with_length
    camera = HttpCamera(phone.address(), clock)
    frames = camera.frames()
    for n in range(3):
        sent = cv2.imdecode(cv2.imencode(".jpg", picture(n))[1], cv2.IMREAD_COLOR)
        assert np.array_equal(next(frames).picture, sent)
    camera.close()
    camera.close()


def test_user_and_password_of_the_address_sign_in_and_are_never_said(phone: Phone, clock: Any) -> None:
    phone.wanted = "ada:s3cret/x"
    camera = HttpCamera(phone.address("ada:s3cret%2Fx"), clock)
    assert first(camera).shape == (120, 160, 3)
    camera.close()
    for user in ("", "ada:wr0ng"):
        with pytest.raises(SourceError, match="wants a user and a password") as refused:
            HttpCamera(phone.address(user), clock)
        assert "wr0ng" not in str(refused.value)


@pytest.mark.parametrize(
    ("path", "said"), [("/", r"is a page \(text/html\)"), ("/nothing", "has nothing at this address")]
)
def test_a_wrong_address_is_told_in_one_sentence(phone: Phone, path: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        HttpCamera(phone.address("ada:s3cret", path))


def test_a_camera_that_is_not_there_is_told_without_its_password(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        where = f"ada:s3cret@127.0.0.1:{nobody.getsockname()[1]}/video"
        for kind, scheme in ((HttpCamera, "http"), (RtspCamera, "rtsp")):
            with pytest.raises(SourceError) as refused:
                kind(f"{scheme}://{where}", patience=2.0)
            assert "s3cret" not in str(refused.value)
            assert "127.0.0.1" in str(refused.value)
    assert "s3cret" not in "".join(capfd.readouterr())


def test_a_stream_that_hangs_or_hangs_up_is_a_failed_source(phone: Phone, clock: Any) -> None:
    phone.hang_after = 1
    with pytest.raises(SourceError, match="has stopped: nothing came in time"):
        list(HttpCamera(phone.address(), clock, patience=0.3).frames())
    phone.hang_after, phone.stop_after = None, 1
    with pytest.raises(SourceError, match="has ended its video"):
        list(HttpCamera(phone.address(), clock).frames())


def test_a_slow_camera_is_told_and_a_quick_one_is_not() -> None:
    slow, quick = FrameRate("it"), FrameRate("it")
    for n in range(100):
        slow.came(n / (FEW_A_SECOND - 1))
        quick.came(n / 10)
    assert "4.0 pictures a second" in slow.note
    assert not quick.note


def test_a_recorded_video_is_given_at_its_pace_and_ends(tmp_path: Path) -> None:
    path = tmp_path / "deal.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (160, 120))
    for n in range(5):
        writer.write(picture(n))
    writer.release()
    video = VideoFile(path)
    began, frames = time.monotonic(), video.frames()
    last = [next(frames) for _ in range(5)][-1]
    assert last.t - began >= 0.15
    with pytest.raises(SourceError, match="is at its end"):
        next(frames)
    video.close()
    with pytest.raises(SourceError, match="there is no video"):
        VideoFile(tmp_path / "none.mp4")
    (tmp_path / "no.mp4").write_text("this is none")
    with pytest.raises(SourceError, match="is no video that can be read"):
        VideoFile(tmp_path / "no.mp4")


def test_a_running_table_tells_that_its_phone_hung_up_and_is_there_again(phone: Phone) -> None:
    source = phone.address("ada:s3cret")
    phone.wanted, phone.stop_after = "ada:s3cret", 4
    ear, stop = Ear(), threading.Event()
    said: list[str] = []
    table = TableMap(table=TableSection(name="T1", hall="h", rules="fibur2024"), camera=CameraSection(source=source))
    watch = CameraWatch(table, ear, time.monotonic, stop, boot="b", say=said.append, make_eye=PlainEye)
    thread = threading.Thread(target=watch.run, daemon=True)
    thread.start()
    _until(lambda: any(isinstance(one, Health) and one.state == "lost" for one in ear.heard))
    phone.stop_after = None
    _until(lambda: any(isinstance(one, Health) and one.state == "ok" for one in ear.heard))
    stop.set()
    thread.join(10)
    assert phone.opened >= 2
    everything = f"{said} {ear.heard} {watch.report()}"
    assert "has ended its video" in everything
    assert "s3cret" not in everything


@pytest.mark.parametrize("source", ["http://10.0.0.7:8080/video", "rtsp://u:p@cam/ch1", "https://cam/x?k=1"])
def test_a_network_camera_may_stand_in_a_table_map(source: str) -> None:
    assert CameraSection(source=source).source == source


def test_a_wrong_source_is_refused_without_its_password(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    for source in ("htp://ada:s3cret@cam/video", "http://", "ada:s3cret@cam"):
        path.write_text(f'[table]\nname="T"\nhall="h"\nrules="fibur2024"\n[camera]\nsource = "{source}"\n')
        with pytest.raises(ConfigError) as refused:
            load_table(path)
        assert "s3cret" not in str(refused.value)
        assert "rtsp://ADDRESS" in str(refused.value)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://ada:s3@cret@cam:80/v?p=s3cret", "http://cam:80/v"),
        ("rtsp://ada:s3/cret@cam/ch1?x", "rtsp://cam/ch1"),
        ("picamera2", "picamera2"),
    ],
)
def test_what_is_said_of_an_address_has_neither_user_nor_password(address: str, shown: str) -> None:
    assert shown_address(address) == shown


def test_the_example_table_map_opens_the_camera_that_it_names(phone: Phone) -> None:
    table = TableMap(
        table=TableSection(name="T1", hall="h", rules="fibur2024"), camera=CameraSection(source=phone.address())
    )
    camera = open_camera(table, lambda: 0.0)
    assert isinstance(camera, HttpCamera)
    camera.close()
