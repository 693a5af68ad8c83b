"""``python -m lab.vision.bench``: how long looking takes on one thread, and how much memory, beside two others.

Frames are rendered once (our own pack, seed 5). Decoding is timed apart. A template matcher (every rank,
upright only, one known scale) and an untrained network of YOLO-nano's size (made here, only for timing; needs the
package ``onnx``) run on the same frames in the same run. Times are processor time in milliseconds: median and worst.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.layout import DEFAULT_LAYOUT
from hw.pack.raster import face_bgra
from hw.twin.camera import Camera
from hw.twin.scene import Scene
from lab.vision.bench.faces import bench_faces
from lab.vision.bench.play import bench_play
from lab.vision.measure.tables import random_table
from vision.calibration import calibrate
from vision.finder import open_model
from vision.index_reader import IndexReader
from vision.see import see_picture
from vision.sightings import Watcher

FULL: Final = (4056, 3040)
HD: Final = (1920, 1080)
FRAMES: Final = 14
"""Frames of the stream: each shows one card more."""


def _times(work: Callable[[], object], repeats: int) -> dict[str, float]:
    work()
    took = []
    for _ in range(repeats):
        begun = time.process_time()
        work()
        took.append((time.process_time() - begun) * 1000)
    return {"median": round(statistics.median(took), 1), "worst": round(max(took), 1)}


def render_frames(folder: Path) -> None:
    """A full frame of the empty table, a stream in which cards are laid one by one, and one HD picture; kept as PNG."""
    rng = random.Random(4)  # noqa: S311 - reproducible scenes
    cards = random_table(rng, 18.0)
    for name, size, numbers in (("full", FULL, range(FRAMES + 1)), ("hd", HD, range(FRAMES, FRAMES + 1))):
        camera = Camera(DEFAULT_LAYOUT, seed=5, width=size[0], height=size[1])
        if name == "full":
            cv2.imwrite(str(folder / "empty.png"), camera.render(Scene(0.0, ())))
        for n in numbers:
            lying = cards[: len(cards) - FRAMES + n]
            cv2.imwrite(str(folder / f"{name}{n:02d}.png"), camera.render(Scene(float(n), lying)))


def _read(path: Path) -> NDArray[np.uint8]:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise SystemExit(f"{path.name}: the frame is missing")
    return np.asarray(picture, np.uint8)


def bench_stream(folder: Path) -> dict[str, Any]:
    """A changed region of the stream, a frame in which nothing changed, and both with all votes given."""
    empty = _read(folder / "empty.png")
    frame = _read(folder / "full00.png")
    watcher = Watcher(DEFAULT_LAYOUT, calibrate(empty, DEFAULT_LAYOUT), IndexReader(), empty=empty)
    laid, voting, still, t = [], [], [], 0.0

    def look(frame: NDArray[np.uint8]) -> float:
        nonlocal t
        t += 0.1
        begun = time.process_time()
        watcher.look(frame, t)
        return (time.process_time() - begun) * 1000

    first = look(frame)
    voting += [look(frame) for _ in range(40)]
    for n in range(1, FRAMES + 1):
        frame = _read(folder / f"full{n:02d}.png")
        laid.append(look(frame))
        voting += [look(frame) for _ in range(4)]
        still += [look(frame) for _ in range(6)][-2:]
    return {
        "first_look_ms": round(first, 1),
        "card_laid_ms": {"median": round(statistics.median(laid), 1), "worst": round(max(laid), 1)},
        "votes_still_given_ms": {"median": round(statistics.median(voting), 1), "worst": round(max(voting), 1)},
        "still_ms": {"median": round(statistics.median(still), 1), "worst": round(max(still), 1)},
        "peak_mb_this_part": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def bench_whole(folder: Path) -> dict[str, Any]:
    """Whole pictures, nothing known before, as ``tavolo see`` reads them."""
    reader = IndexReader()
    out: dict[str, Any] = {}
    for name, repeats in (("hd", 7), ("full", 5)):
        path = folder / f"{name}{FRAMES:02d}.png"
        picture = _read(path)
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
        out[name] = {
            "size": f"{picture.shape[1]}x{picture.shape[0]}",
            "cards": len(see_picture(picture, reader)),
            "see_ms": _times(lambda p=picture: see_picture(p, reader), repeats),  # type: ignore[misc]
            "decode_jpeg_ms": _times(lambda p=packed: cv2.imdecode(p, cv2.IMREAD_COLOR), repeats),  # type: ignore[misc]
        }
    out["peak_mb_this_part"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return out


def bench_others(folder: Path) -> dict[str, Any]:
    """The template matcher and the network of YOLO-nano's size, on the HD picture."""
    picture = _read(folder / f"hd{FRAMES:02d}.png")
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    per_mm = HD[1] / (DEFAULT_LAYOUT.side * 1.02)
    templates = []
    for card in ("AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AS", "AC", "AD", "JK"):
        face = cv2.cvtColor(face_bgra(card, per_mm), cv2.COLOR_BGRA2GRAY)
        templates.append(np.ascontiguousarray(face[: max(8, round(17 * per_mm)), : max(6, round(10 * per_mm))]))
    out: dict[str, Any] = {
        "template_matcher_ms": _times(lambda: [cv2.matchTemplate(grey, t, cv2.TM_CCOEFF_NORMED) for t in templates], 3),
        "template_matcher": f"{len(templates)} templates, upright only, one scale; every turn costs as much again",
    }
    try:
        from lab.vision.bench.network import yolo_nano_sized
    except ImportError:
        out["yolo_nano_sized"] = "not timed: the package onnx is not installed"
        return out
    for side in (640, 1280):
        path = folder / f"untrained{side}.onnx"
        parameters = yolo_nano_sized(path, side)
        session = open_model(path)
        batch = np.zeros((1, 3, side, side), np.float32)
        out[f"yolo_nano_sized_{side}_ms"] = _times(lambda s=session, b=batch: s.run(None, {"picture": b}), 3)  # type: ignore[misc]
        out["yolo_nano_sized"] = f"untrained, for timing only; {parameters / 1e6:.1f} million parameters"
    return out


def bench_played(_folder: Path) -> dict[str, Any]:
    """A whole deal at ten frames a second (``lab.vision.bench.play``)."""
    out = bench_play(*FULL)
    out["peak_mb_with_the_simulated_camera"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return out


def bench_whole_faces(_folder: Path) -> dict[str, Any]:
    """Six cards without an index, four that cross, read by their whole faces (``lab.vision.bench.faces``)."""
    return bench_faces()


PARTS: Final = {
    "whole": bench_whole,
    "faces": bench_whole_faces,
    "stream": bench_stream,
    "play": bench_played,
    "others": bench_others,
}
WITHOUT_FRAMES: Final = frozenset({"faces", "play"})
"""Parts that draw what they look at themselves."""


def main() -> None:
    """Run all parts, each in a process of its own so that its memory is its own, and print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m lab.vision.bench", description=__doc__)
    parser.add_argument("--part", choices=sorted(PARTS), help="only this part")
    parser.add_argument("--frames", type=Path, help="folder that keeps the rendered frames")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.part and (options.frames is not None or options.part == "play"):
        print(json.dumps(PARTS[options.part](options.frames)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.frames or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if options.part not in WITHOUT_FRAMES and not (folder / f"hd{FRAMES:02d}.png").exists():
            render_frames(folder)
        report: dict[str, Any] = {"machine": f"{platform.machine()}, Python {platform.python_version()}", "threads": 1}
        for part in (options.part,) if options.part else PARTS:
            command = [sys.executable, "-m", "lab.vision.bench", "--part", part, "--frames", str(folder)]
            one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=one_thread)  # noqa: S603
            if done.returncode:
                sys.exit(done.returncode)
            report[part] = json.loads(done.stdout)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
