"""A camera's JPEG without what was written beside the picture: the same pixels, the same way up, and no place."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from typing import Any, Final

import cv2
import httpx
import numpy as np
import pytest

from table_service.photographs.bare_jpeg import bare_jpeg
from table_service.photographs.photograph_page import PhotographDesk
from table_service.photographs.serving_photographs import ServedPage, serving_photographs

PLACE: Final = b"GPSLatitude 44.4949"
PROGRESSIVE: Final = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
RESTARTS: Final = [cv2.IMWRITE_JPEG_RST_INTERVAL, 3]


def _picture() -> np.ndarray:
    """A picture whose eight ways up are all unlike."""
    rng = np.random.default_rng(5)
    coarse = rng.integers(0, 255, (6, 9, 3), np.uint8)
    return np.asarray(cv2.resize(coarse, (270, 180), interpolation=cv2.INTER_CUBIC), np.uint8)


def _segment(kind: int, body: bytes) -> bytes:
    return bytes((0xFF, kind)) + (len(body) + 2).to_bytes(2, "big") + body


def _exif(orientation: int, order: str) -> bytes:
    """EXIF of a camera: its maker, the orientation, and where the picture was taken."""

    def number(value: int, size: int) -> bytes:
        return value.to_bytes(size, "little" if order == "II" else "big")

    maker = number(0x010F, 2) + number(2, 2) + number(4, 4) + b"Acme"
    turned = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + bytes(2)
    head = order.encode() + number(42, 2) + number(8, 4)
    return _segment(0xE1, b"Exif\0\0" + head + number(2, 2) + maker + turned + bytes(4) + PLACE)


def _taken(orientation: int = 1, order: str = "MM", packed: tuple[int, ...] = ()) -> bytes:
    """A JPEG as a phone writes it: a thumbnail and places before the picture, a second picture behind it."""
    plain = bytes(cv2.imencode(".jpg", _picture(), [*packed])[1])
    beside = _segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + PLACE) + _segment(0xFE, PLACE)
    thumbnail = _segment(0xE0, b"JFXX\0\x10" + plain[:900])
    return plain[:20] + _exif(orientation, order) + thumbnail + beside + plain[20:] + plain + PLACE


def _seen(data: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH))


KINDS: Final = [
    *(pytest.param(n, order, (), id=f"{order}-{n}") for n in range(1, 9) for order in ("II", "MM")),
    pytest.param(6, "II", tuple(PROGRESSIVE), id="progressive"),
    pytest.param(3, "MM", tuple(RESTARTS), id="restarts"),
    pytest.param(99, "MM", (), id="no orientation that there is"),
]


@pytest.mark.parametrize(("orientation", "order", "packed"), KINDS)
def test_not_a_pixel_changes_and_no_place_is_left(orientation: int, order: str, packed: tuple[int, ...]) -> None:
    data = _taken(orientation, order, packed)
    bared = bare_jpeg(data)
    assert bared is not None
    assert np.array_equal(_seen(bared), _seen(data))
    assert PLACE in data
    assert b"GPS" not in bared
    assert b"Acme" not in bared
    assert bare_jpeg(bared) == bared


def test_what_is_no_whole_jpeg_is_not_bared() -> None:
    data = _taken()
    cut = data[: data.index(b"\xff\xd9", 2000)]
    for other in (b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n" + data, data[:300], cut[:1500], b"\xff\xd8\0\0" + data[2:]):
        assert bare_jpeg(other) is None


def test_whatever_comes_is_bared_or_not_and_never_an_error() -> None:
    rng, data = np.random.default_rng(11), _taken(6)
    for _ in range(300):
        spoilt = bytearray(data[: int(rng.integers(2, len(data)))])
        for at in rng.integers(0, len(spoilt), 6):
            spoilt[at] = int(rng.integers(0, 256))
        bared = bare_jpeg(bytes(spoilt))
        assert bared is None or bared.startswith(b"\xff\xd8")


def test_a_picture_is_held_as_it_came_without_what_was_beside_it() -> None:
    """Whoever sends it: also what no page of ours has sent."""
    desk, data = PhotographDesk(("fibur2024",)), _taken(6)
    with serving_photographs(desk, "127.0.0.1", 0) as served:
        answer = httpx.post(f"{served.url}read?rules=fibur2024&shows=melds-NS", content=data, timeout=60)
        name = answer.json()["picture"]
    held = desk.held([name])[name]
    assert hashlib.sha256(held).hexdigest() == name
    assert held == bare_jpeg(data)


@pytest.fixture
def served() -> Iterator[ServedPage]:
    with serving_photographs(PhotographDesk(("fibur2024",)), "127.0.0.1", 0) as page:
        yield page


@pytest.mark.slow
def test_the_page_bares_a_picture_as_the_hall_does(served: ServedPage, browser: Any) -> None:
    page = browser.new_page()
    page.goto(served.url)
    bared = """async (text) => {
      const { bare } = await import("./static/bare-picture.js");
      const told = await bare(new Blob([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))]));
      if (!told) { return null; }
      const bytes = new Uint8Array(await told.blob.arrayBuffer());
      return [btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join("")), told.size];
    }"""
    for kind in KINDS:
        data = _taken(*kind.values)  # type: ignore[arg-type]
        told, size = page.evaluate(bared, base64.b64encode(data).decode())
        assert base64.b64decode(told) == bare_jpeg(data)
        assert tuple(size) == _seen(data).shape[1::-1]
    for other in (b"", b"GIF89a", _taken()[:3000]):
        assert page.evaluate(bared, base64.b64encode(other).decode()) is None
    page.close()
