"""Every way a picture file can be bad is one sentence, and every honest kind is read alike."""

from __future__ import annotations

import os
import random
import re
import struct
import subprocess
import sys
import zlib
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from vision.errors import PictureError, SourceError
from vision.index_reader import IndexReader
from vision.pictures import MAX_PIXELS, decode_picture, open_picture
from vision.see import see_image, see_picture, write_drawing
from vision.source import PictureFiles, V4L2Camera


@pytest.fixture
def painted() -> np.ndarray:
    picture = np.full((240, 320, 3), 70, np.uint8)
    cv2.rectangle(picture, (40, 30), (140, 170), (250, 250, 250), -1)
    return picture


def _one_sentence(path: Path) -> str:
    with pytest.raises(PictureError) as caught:
        open_picture(path)
    text = str(caught.value)
    assert text.startswith(path.name)
    assert "\n" not in text
    return text


def test_what_is_not_there_or_not_a_picture_is_named(tmp_path: Path) -> None:
    assert "no such file" in _one_sentence(tmp_path / "gone.jpg")
    assert "folder" in _one_sentence(tmp_path)
    (tmp_path / "empty.png").write_bytes(b"")
    assert "empty" in _one_sentence(tmp_path / "empty.png")
    (tmp_path / "letter.jpg").write_text("dear table")
    assert "not a picture" in _one_sentence(tmp_path / "letter.jpg")


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
def test_a_picture_cut_short_is_refused_and_not_read_as_an_empty_table(
    tmp_path: Path, painted: np.ndarray, ending: str
) -> None:
    path = tmp_path / f"cut{ending}"
    cv2.imwrite(str(path), painted)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 6 // 10])
    assert "cut short" in _one_sentence(path)


def test_a_picture_that_announces_too_many_pixels_is_not_unpacked(tmp_path: Path, painted: np.ndarray) -> None:
    path = tmp_path / "bomb.png"
    cv2.imwrite(str(path), painted)
    data = bytearray(path.read_bytes())
    data[16:24] = (60000).to_bytes(4, "big") * 2
    path.write_bytes(bytes(data))
    assert "60000x60000" in _one_sentence(path)


@pytest.mark.parametrize("ending", [".bmp", ".webp", ".tif"])
def test_other_kinds_of_picture_that_announce_too_much_are_not_unpacked_either(
    tmp_path: Path, painted: np.ndarray, ending: str
) -> None:
    path = tmp_path / f"bomb{ending}"
    cv2.imwrite(str(path), painted, [cv2.IMWRITE_WEBP_QUALITY, 80] if ending == ".webp" else [])
    data = bytearray(path.read_bytes())
    assert open_picture(path).shape == painted.shape
    if ending == ".bmp":
        data[18:26] = (50000).to_bytes(4, "little") * 2
    elif ending == ".webp":
        data[26:30] = (16383).to_bytes(2, "little") * 2
    else:
        at = int.from_bytes(data[4:8], "little")
        for n in range(int.from_bytes(data[at : at + 2], "little")):
            entry = at + 2 + 12 * n
            if int.from_bytes(data[entry : entry + 2], "little") in (256, 257):
                data[entry + 2 : entry + 12] = b"\x04\0\x01\0\0\0" + (50000).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    assert "pixels are more than can be read" in _one_sentence(path)


@pytest.mark.parametrize("ending", [".ppm", ".jp2", ".ras", ".hdr"])
def test_kinds_whose_size_is_not_known_beforehand_are_not_unpacked(
    tmp_path: Path, painted: np.ndarray, ending: str
) -> None:
    told = painted.astype(np.float32) / 255 if ending == ".hdr" else painted
    cv2.imwrite(str(tmp_path / f"other{ending}"), told)
    assert "not a picture that can be read" in _one_sentence(tmp_path / f"other{ending}")


def test_cmyk_and_moving_pictures_are_read_and_a_gif_is_refused(tmp_path: Path, painted: np.ndarray) -> None:
    plain = Image.fromarray(painted[..., ::-1])
    plain.convert("CMYK").save(tmp_path / "print.jpg", quality=95)
    assert open_picture(tmp_path / "print.jpg").shape == painted.shape
    for name in ("moves.png", "moves.webp"):
        plain.save(tmp_path / name, save_all=True, append_images=[Image.new("RGB", plain.size)] * 3, lossless=True)
        assert np.array_equal(open_picture(tmp_path / name), painted), "the first of its pictures"
    plain.save(tmp_path / "moves.gif", save_all=True, append_images=[Image.new("RGB", plain.size)] * 3)
    assert "not a picture that can be read" in _one_sentence(tmp_path / "moves.gif")


EXAMPLES = int(os.environ.get("FUZZ", "300"))


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None)
@given(st.data())
def test_no_change_of_a_files_bytes_does_more_than_a_sentence(data: st.DataObject) -> None:
    """JPEG, PNG, WebP, TIFF and BMP with bytes changed, put in and taken out; ``FUZZ=20000`` tries as many."""
    content = bytearray(data.draw(st.sampled_from(_small_pictures()), "picture"))
    for _ in range(data.draw(st.integers(1, 4), "changes")):
        at = data.draw(st.integers(0, min(len(content) - 1, 120)) | st.integers(0, len(content) - 1), "at")
        match data.draw(st.sampled_from(["change", "cut", "repeat", "size"]), "how"):
            case "change":
                content[at] = data.draw(st.integers(0, 255), "byte")
            case "cut":
                del content[at : at + data.draw(st.integers(1, 40), "so many")]
            case "repeat":
                content[at:at] = content[at : at + 40]
            case _:
                content[at : at + 4] = data.draw(
                    st.sampled_from([b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff"]), "number"
                )
        if not content:
            return
    try:
        opened = decode_picture(bytes(content))
    except PictureError:
        return
    assert opened.dtype == np.uint8
    assert opened.shape[0] * opened.shape[1] <= MAX_PIXELS


@cache
def _small_pictures() -> tuple[bytes, ...]:
    chance = np.random.default_rng(5)
    picture = cv2.resize(chance.integers(0, 255, (6, 8, 3), dtype=np.uint8), (64, 48))
    endings = (".jpg", ".png", ".webp", ".tif", ".bmp")
    return tuple(cv2.imencode(ending, picture)[1].tobytes() for ending in endings)


def test_a_cut_jpeg_whose_thumbnail_is_whole_is_still_cut(tmp_path: Path, painted: np.ndarray) -> None:
    whole = cv2.imencode(".jpg", painted)[1].tobytes()
    small = cv2.imencode(".jpg", painted[:60, :80])[1].tobytes()
    header = b"\xff\xe1" + (2 + len(small)).to_bytes(2, "big") + small
    path = tmp_path / "thumb.jpg"
    path.write_bytes(whole[:2] + header + whole[2:])
    assert open_picture(path).shape == painted.shape
    path.write_bytes(whole[:2] + header + whole[2 : len(whole) // 2])
    assert "cut short" in _one_sentence(path)


def test_too_small_and_broken_inside(tmp_path: Path, painted: np.ndarray) -> None:
    cv2.imwrite(str(tmp_path / "dot.png"), painted[:4, :4])
    assert "too few" in _one_sentence(tmp_path / "dot.png")
    (tmp_path / "noise.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00" * 40 + b"IEND")
    _one_sentence(tmp_path / "noise.png")


def test_grey_sixteen_bit_and_transparent_pictures_become_plain_colour(tmp_path: Path, painted: np.ndarray) -> None:
    grey = cv2.cvtColor(painted, cv2.COLOR_BGR2GRAY)
    for name, picture in {
        "grey.png": grey,
        "deep.png": painted.astype(np.uint16) * 257,
        "deep-grey.tif": grey.astype(np.uint16) * 257,
        "clear.png": np.dstack([painted, np.full(grey.shape, 255, np.uint8)]),
    }.items():
        cv2.imwrite(str(tmp_path / name), picture)
        opened = open_picture(tmp_path / name)
        assert opened.dtype == np.uint8
        assert np.abs(opened.astype(int) - painted).max() <= 1, name


def test_exif_turns_the_picture_upright(tmp_path: Path, painted: np.ndarray) -> None:
    done, packed = cv2.imencode(".jpg", painted)
    assert done
    # orientation 6: the shown picture is the stored one turned clockwise by 90 degrees
    tiff = b"II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
    body = b"Exif\x00\x00" + tiff
    segment = b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body
    data = packed.tobytes()
    (tmp_path / "turned.jpg").write_bytes(data[:2] + segment + data[2:])
    opened = open_picture(tmp_path / "turned.jpg")
    assert opened.shape == (320, 240, 3)
    assert np.abs(opened.astype(int) - np.rot90(painted, -1)).mean() < 3


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("told", range(1, 9))
def test_each_of_exifs_eight_ways_up_is_shown_as_opencv_shows_it(told: int, order: str) -> None:
    drawn = np.random.default_rng(told).integers(0, 255, (6, 9, 3), np.uint8)
    data = cv2.imencode(".jpg", cv2.resize(drawn, (271, 183)))[1].tobytes()
    numbers = [(42, 2), (8, 4), (1, 2), (0x0112, 2), (3, 2), (1, 4), (told, 2), (0, 6)]
    tiff = (b"II" if order == "little" else b"MM") + b"".join(n.to_bytes(size, order) for n, size in numbers)
    body = b"Exif\0\0" + tiff
    turned = data[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + data[2:]
    assert np.array_equal(decode_picture(turned), cv2.imdecode(np.frombuffer(turned, np.uint8), cv2.IMREAD_COLOR))


@pytest.mark.parametrize("sampling", [0x411111, 0x221111, 0x211111, 0x121111, 0x111111])
@pytest.mark.parametrize("grey", [False, True])
def test_a_jpegs_pixels_are_those_that_opencv_makes_of_it(sampling: int, grey: bool) -> None:
    drawn = cv2.resize(np.random.default_rng(sampling).integers(0, 255, (20, 20, 3), np.uint8), (333, 241))
    kind = [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling, cv2.IMWRITE_JPEG_QUALITY, 70]
    data = cv2.imencode(".jpg", drawn[..., 0] if grey else drawn, kind)[1].tobytes()
    assert np.array_equal(decode_picture(data), cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


def test_a_picture_without_cards_has_none(tmp_path: Path, reader: IndexReader) -> None:
    cv2.imwrite(str(tmp_path / "felt.png"), np.full((400, 500, 3), (50, 90, 40), np.uint8))
    seen = see_image(tmp_path / "felt.png", reader)
    assert seen["cards"] == []
    assert (seen["width"], seen["height"]) == (500, 400)


def photograph(*options: int) -> bytes:
    """A JPEG with fine detail all over."""
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", cv2.GaussianBlur(noise, (9, 9), 3), list(options))[1].tobytes()


KINDS_OF_JPEG = {
    "baseline": (),
    "progressive": (cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "restarts": (cv2.IMWRITE_JPEG_RST_INTERVAL, 40),
}


@pytest.mark.parametrize("kind", KINDS_OF_JPEG)
@pytest.mark.parametrize("fault", ["lost", "spoilt", "zeroed"])
def test_a_jpeg_of_which_bytes_were_lost_or_spoilt_is_refused_where_its_decoder_says_so(kind: str, fault: str) -> None:
    pytest.importorskip("simplejpeg")
    data, drawn, refused = photograph(*KINDS_OF_JPEG[kind]), random.Random(2), 0
    assert decode_picture(data).shape == (480, 640, 3)
    for _ in range(40):
        spoilt, at = bytearray(data), drawn.randrange(700, len(data) - 400)
        match fault:
            case "lost":
                del spoilt[at : at + drawn.randrange(1, 400)]
            case "spoilt":
                spoilt[at : at + 100] = drawn.randbytes(100)
            case _:
                spoilt[at : at + 188] = bytes(188)
        try:
            decode_picture(bytes(spoilt))
        except PictureError as error:
            refused += "damaged on its way" in str(error) or "cannot be" in str(error)
    assert refused >= 24, "the decoder hears four of five"


def test_a_jpeg_of_a_webcam_that_fills_up_before_its_markers_is_whole() -> None:
    """Logitech's C270 does so in every frame."""
    data = photograph(cv2.IMWRITE_JPEG_RST_INTERVAL, 40)
    filled = re.sub(rb"\xff[\xd0-\xd9]", lambda marker: bytes(2) + marker[0], data[700:])
    assert np.array_equal(decode_picture(data[:700] + filled), decode_picture(data))


def test_a_jpeg_of_two_thousand_scans_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = photograph(cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    scan = data[data.rindex(b"\xff\xda") : -2]
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(PictureError, match="scans"):
        decode_picture(data[:-2] + scan * 2000 + b"\xff\xd9")


@pytest.mark.parametrize(("wide", "high"), [(23200, 16), (16, 23200), (5000, 17), (1500, 16), (16, 16), (30000, 40)])
def test_a_strip_is_read_like_any_picture(wide: int, high: int, reader: IndexReader) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (high, wide, 3), dtype=np.uint8)
    assert see_picture(decode_picture(cv2.imencode(".png", noise)[1].tobytes()), reader) == []


def test_a_strip_of_which_nothing_could_be_seen_is_refused() -> None:
    strip = cv2.imencode(".png", np.zeros((16, 40000, 3), np.uint8))[1].tobytes()
    with pytest.raises(PictureError, match="strip"):
        decode_picture(strip)


DOORS = {
    "see": "from vision.pictures import open_picture; open_picture(path)",
    "standard input": "from vision.pictures import read_picture; read_picture(path.open('rb'), 'stdin')",
    "join": "from table_service.commands.hall import _text_of; _text_of(path)",
    "the page": "from vision.pictures import decode_picture; decode_picture(path.read_bytes(), 'photo', 30_000_000)",
}


@pytest.mark.parametrize("door", DOORS)
def test_no_door_unpacks_a_picture_of_forty_thousand_by_forty_thousand(door: str, tmp_path: Path) -> None:
    path, packer = tmp_path / "huge.png", zlib.compressobj(1)
    body = b"".join(packer.compress(bytes(5001 * 1000)) for _ in range(40)) + packer.flush()
    head = struct.pack(">IIBBBBB", 40000, 40000, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", body), (b"IEND", b""))
    packed = (
        len(part).to_bytes(4, "big") + kind + part + zlib.crc32(kind + part).to_bytes(4, "big") for kind, part in chunks
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(packed))
    program = (
        "import pathlib, resource, sys\n"
        "import cv2, vision.pictures, table_service.commands.hall, table_service.hall.card_page\n"
        "path, kept = pathlib.Path(sys.argv[1]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"try:\n    {DOORS[door]}\nexcept Exception as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - kept)"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    said, kilobytes = ran.stdout.splitlines()
    assert "40000x40000" in said
    assert int(kilobytes) < 30_000


class RawCapture:
    """Stands for OpenCV's capture of a camera that gives JPEGs as they come."""

    def __init__(self, given: list[bytes]) -> None:
        self._given = given
        self.values = {cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*"MJPG"))}

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, name: int, value: float) -> bool:
        self.values[name] = value
        return True

    def get(self, name: int) -> float:
        return self.values[name]

    def read(self) -> tuple[bool, np.ndarray | None]:
        return (True, np.frombuffer(self._given.pop(0), np.uint8)[None]) if self._given else (False, None)

    def release(self) -> None:
        self._given.clear()


def test_a_damaged_frame_of_a_usb_camera_is_dropped_and_counted_and_what_follows_is_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("simplejpeg")
    whole = photograph()
    half = len(whole) // 2
    capture = RawCapture([whole, whole[:half] + whole[half + 300 :], whole + bytes(100), whole[:half], whole])
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: capture)
    camera = V4L2Camera(63, 640, 480)
    frames = camera.frames()
    seen = [next(frames).picture for _ in range(3)]
    assert capture.values[cv2.CAP_PROP_CONVERT_RGB] == 0
    assert camera.damaged == 2
    assert all(np.array_equal(one, decode_picture(whole)) for one in seen)
    with pytest.raises(SourceError, match="no more pictures"):
        next(frames)


def test_sources_that_cannot_open_say_so(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no picture or folder"):
        PictureFiles(tmp_path / "nowhere")
    with pytest.raises(SourceError, match="holds no pictures"):
        PictureFiles(tmp_path)
    with pytest.raises(SourceError, match="cannot be opened"):
        V4L2Camera(63)
    with pytest.raises(PictureError, match=r"written"):
        write_drawing(tmp_path / "out.nothing", np.zeros((20, 20, 3), np.uint8))


def test_files_come_in_the_order_of_their_names(tmp_path: Path, painted: np.ndarray) -> None:
    for n in (2, 1, 3):
        cv2.imwrite(str(tmp_path / f"{n}.png"), painted + n)
    frames = list(PictureFiles(tmp_path, every=0.5).frames())
    assert [int(f.picture[0, 0, 0]) for f in frames] == [71, 72, 73]
    assert [f.t for f in frames] == [0.0, 0.5, 1.0]
