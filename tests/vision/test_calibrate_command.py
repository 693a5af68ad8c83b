"""`tavolo calibrate`: sheets at true scale, a frame's calibration within two millimetres, drift seen and told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from hw.layout import DEFAULT_LAYOUT, Layout, Marker
from hw.twin.camera import Camera
from hw.twin.camera_style import CameraStyle
from hw.twin.scene import Scene
from table_service.cli import app
from vision.calibration import Calibration, calibrate, find_markers
from vision.drift import EVERY_S, UNSEEN, DriftWatch
from vision.marker_sheets import marker_sheets

GRID = np.stack(np.meshgrid(np.linspace(-450, 450, 19), np.linspace(-450, 450, 19)), axis=-1).reshape(-1, 2)
RUN = CliRunner()


def test_printed_sheets_hold_every_marker_at_true_scale(tmp_path: Path) -> None:
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 renders the sheets")
    out = tmp_path / "markers.pdf"
    assert RUN.invoke(app, ["calibrate", "--print", str(out)]).exit_code == 0
    document = pdfium.PdfDocument(str(out))
    page = np.ascontiguousarray(document[0].render(scale=4).to_numpy()[..., :3])
    found = find_markers(page)
    assert sorted(found) == [m.number for m in DEFAULT_LAYOUT.markers]
    for corners in found.values():
        side = np.hypot(*(corners[1] - corners[0])) / 4 * 25.4 / 72
        assert side == pytest.approx(40.0, abs=0.15)


def test_many_markers_go_on_several_sheets_and_one_too_large_is_refused() -> None:
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 renders the sheets")
    many = Layout(DEFAULT_LAYOUT.zones, tuple(Marker(n, 0, 0, 60) for n in range(9)))
    assert len(pdfium.PdfDocument(marker_sheets(many))) == 3
    with pytest.raises(Exception, match="does not fit on an A4 page"):
        marker_sheets(Layout(DEFAULT_LAYOUT.zones, (Marker(0, 0, 0, 160),)))


def test_a_frame_gives_camera_to_table_within_two_millimetres(tmp_path: Path) -> None:
    camera = Camera(DEFAULT_LAYOUT, CameraStyle(k1=-0.12, offset=(50.0, -60.0), roll=-4.0), seed=21)
    frame, out = tmp_path / "frame.png", tmp_path / "camera.json"
    cv2.imwrite(str(frame), camera.render(Scene(0.0, ())))
    answer = RUN.invoke(app, ["calibrate", "--image", str(frame), "--out", str(out), "--json"])
    assert answer.exit_code == 0, answer.output
    kept = Calibration.from_dict(json.loads(out.read_text()))
    miss = np.hypot(*(kept.to_table(camera.project_all(GRID)) - GRID).T)
    assert miss.max() <= 2.0
    assert json.loads(answer.stdout)["residual_mm"] == pytest.approx(kept.residual_mm)
    again = RUN.invoke(app, ["calibrate", "--image", str(frame), "--against", str(out)])
    assert again.exit_code == 0
    assert "still right" in again.stdout


def test_bad_frames_and_calibrations_are_one_sentence(tmp_path: Path, rendered: Any) -> None:
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), np.full((600, 800, 3), 90, np.uint8))
    answer = RUN.invoke(app, ["calibrate", "--image", str(bare)])
    assert answer.exit_code == 1
    assert "0 of the table's 4 markers" in answer.stderr
    notes = tmp_path / "notes.json"
    notes.write_text("[1, 2]")
    answer = RUN.invoke(app, ["calibrate", "--image", str(bare), "--against", str(notes)])
    assert answer.exit_code == 1
    assert answer.stderr.count("\n") == 1
    assert RUN.invoke(app, ["calibrate"]).exit_code == 2


def _shifted(frame: Any, dx: float, dy: float) -> Any:
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    return cv2.warpAffine(frame, move, (frame.shape[1], frame.shape[0]), borderMode=cv2.BORDER_REPLICATE)


def test_a_moved_camera_is_told_once_and_so_is_its_return(rendered: Any) -> None:
    watch = DriftWatch(DEFAULT_LAYOUT, rendered.calibration)
    per_mm = rendered.calibration.px_per_mm()
    moved = _shifted(rendered.empty, 4 * per_mm, 0)
    times = iter(np.arange(1, 50) * EVERY_S)
    assert [watch.follow(rendered.empty, next(times)) for _ in range(3)] == [None] * 3
    assert watch.follow(moved, next(times)) is None, "one look may be an arm"
    told = watch.follow(moved, next(times))
    assert told is not None
    assert not told.holds
    assert "camera or table has moved" in told.note
    assert watch.follow(moved, next(times)) is None, "told once"
    assert watch.follow(rendered.empty, next(times)) is None
    back = watch.follow(rendered.empty, next(times))
    assert back is not None
    assert back.holds


def test_one_moved_marker_is_named(rendered: Any) -> None:
    marker = DEFAULT_LAYOUT.markers[2]
    frame = rendered.empty.copy()
    ring = rendered.calibration.polygon(marker.x - 34, marker.y - 34, marker.x + 34, marker.y + 34)
    (x0, y0), (x1, y1) = ring.min(axis=0), ring.max(axis=0)
    frame[y0:y1, x0:x1] = _shifted(frame, 4 * rendered.calibration.px_per_mm(), 0)[y0:y1, x0:x1]
    watch = DriftWatch(DEFAULT_LAYOUT, rendered.calibration)
    told = [watch.follow(frame, EVERY_S * k) for k in range(3)]
    assert [s.note.partition(" lies")[0] for s in told if s is not None] == ["marker 2"]


def test_a_covered_camera_is_told_in_the_end(rendered: Any) -> None:
    watch = DriftWatch(DEFAULT_LAYOUT, rendered.calibration)
    dark = np.full_like(rendered.empty, 12)
    told = [watch.follow(dark, EVERY_S * k) for k in range(UNSEEN + 2)]
    assert [s.holds for s in told if s is not None] == [False]


def test_the_eye_tells_drift_as_health(rendered: Any) -> None:
    from table_service.camera.table_camera import Eye

    eye = Eye(DEFAULT_LAYOUT, {}, "test")
    eye.calibrate(rendered.empty)
    moved = _shifted(rendered.empty, 0, 5 * rendered.calibration.px_per_mm())
    for k in range(3):
        eye.look(moved, 1.0 + k * EVERY_S)
    notice = eye.notice()
    assert notice is not None
    assert (notice.node, notice.state) == ("calibration", "lost")
    assert eye.notice() is None
    assert calibrate(moved, DEFAULT_LAYOUT).residual_mm < 1.0
