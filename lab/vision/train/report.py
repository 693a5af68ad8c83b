"""The picture beside a training's report: both curves of the loss and who was taken for whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.index_reader import FACES

CELL = 14
WIDE = 760


def _curve(values: list[float], title: str, height: int = 300) -> NDArray[np.uint8]:
    out = np.full((height, WIDE, 3), 255, np.uint8)
    cv2.putText(out, title, (12, 22), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (40, 40, 40), 1, cv2.LINE_AA)
    if len(values) > 1:
        logs = np.log10(np.maximum(np.array(values), 1e-4))
        low, high = float(logs.min()), float(logs.max()) + 1e-6
        xs = np.linspace(40, WIDE - 15, len(logs))
        ys = 40 + (high - logs) / (high - low) * (height - 70)
        cv2.polylines(out, [np.column_stack([xs, ys]).astype(np.int32)], False, (180, 90, 20), 2, cv2.LINE_AA)
        for value in (values[0], values[-1]):
            y = 40 + (high - np.log10(max(value, 1e-4))) / (high - low) * (height - 70)
            cv2.putText(out, f"{value:.3f}", (2, int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (90, 90, 90), 1)
    return out


def _whole_curve(report: dict[str, Any], name: str) -> NDArray[np.uint8]:
    """The curve of one network, through both parts of the finder's training."""
    first, second = report[f"{name}_curve"], report.get(f"{name}_second_curve", [])
    later = f"; its second part begins at {len(first)}" if second else ""
    return _curve(first + second, f"{name}: loss, each point 50 steps{later}")


def draw_report(report: dict[str, Any], confusion: NDArray[Any], path: Path) -> None:
    """Write curves and the confusion (rows: what stood there, columns: what was read; the last of both: nothing)."""
    size = len(confusion)
    grid = np.full((size * CELL + 60, max(WIDE, size * CELL + 60), 3), 255, np.uint8)
    share = confusion / np.maximum(confusion.sum(axis=1, keepdims=True), 1)
    names = [*FACES, "--"]
    for r in range(size):
        cv2.putText(grid, names[r], (4, 40 + r * CELL + 11), cv2.FONT_HERSHEY_SIMPLEX, 0.33, (60, 60, 60), 1)
        cv2.putText(grid, names[r][0], (40 + r * CELL + 2, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.33, (60, 60, 60), 1)
        for c in range(size):
            level = float(np.sqrt(share[r, c]))
            colour = (
                (255 - 200 * level, 255 - 120 * level, 255 - 220 * level)
                if r == c
                else (255 - 220 * level,) * 2 + (255,)
            )
            x, y = 40 + c * CELL, 40 + r * CELL
            cv2.rectangle(grid, (x, y), (x + CELL - 1, y + CELL - 1), colour, -1)
    curves = np.vstack([_whole_curve(report, name) for name in ("finder", "reader")])
    pad = grid.shape[1] - curves.shape[1]
    curves = cv2.copyMakeBorder(curves, 0, 0, 0, pad, cv2.BORDER_CONSTANT, value=(255, 255, 255)).astype(np.uint8)
    cv2.imwrite(str(path), np.vstack([curves, grid]))
