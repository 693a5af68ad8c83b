"""Effects of a camera on a scene: light, shadow, glare, haze, blur, grey, colour cast, noise, specks and JPEG."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.vision.train.decks import Image


def photograph(rng: np.random.Generator, canvas: NDArray[Any], size: int) -> Image:
    """The scene ``canvas`` (BGR float, ``size`` square) as a camera gives it."""
    canvas = _lit(rng, canvas, size)
    canvas = _exposed(rng, canvas)
    canvas = _blurred(rng, canvas)
    if rng.random() < 0.12:  # a camera that sees no colour, or hardly any
        grey = canvas @ np.array([0.114, 0.587, 0.299], np.float32)
        canvas = canvas + (grey[..., None] - canvas) * rng.choice([1.0, 1.0, 0.8])
    canvas = canvas + rng.normal(0, rng.uniform(0.5, 9), canvas.shape).astype(np.float32)
    filtered = False
    if rng.random() < 0.09:  # specks, white and black; photographs with specks are filtered before they are read
        specks = rng.random((size, size))
        share = rng.uniform(0.001, 0.02)
        canvas[specks < share] = 0
        canvas[specks > 1 - share] = 255
        filtered = bool(rng.random() < 0.6)
    picture = np.clip(canvas, 0, 255).astype(np.uint8)
    if filtered:
        picture = cv2.medianBlur(picture, 3).astype(np.uint8)
    if rng.random() < 0.12:  # a camera of few pixels, whose picture was made larger
        few = round(size / rng.uniform(1.2, 2.0))
        picture = cv2.resize(picture, (few, few), interpolation=cv2.INTER_AREA).astype(np.uint8)
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))])[1]
        grown = cv2.resize(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)), (size, size))
        return np.asarray(grown, np.uint8)
    if rng.random() < 0.6:
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(picture, np.uint8)


def _lit(rng: np.random.Generator, canvas: NDArray[Any], size: int) -> NDArray[Any]:
    """Uneven light, a shadow's edge, glare."""
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32) / size - 0.5
    a = rng.uniform(0, 6.3)
    canvas = canvas * (1 + rng.uniform(0, 0.5) * (np.cos(a) * xx + np.sin(a) * yy))[..., None]
    if rng.random() < 0.3:
        b, c = rng.uniform(0, 6.3), rng.uniform(-0.4, 0.4)
        edge = 1 / (1 + np.exp(np.clip((np.cos(b) * xx + np.sin(b) * yy - c) * rng.uniform(8, 80), -50, 50)))
        canvas = canvas * (1 - rng.uniform(0.15, 0.6) * edge)[..., None]
    if rng.random() < 0.22:
        gx, gy, r = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0.03, 0.2)
        d, long = rng.uniform(0, 6.3), rng.uniform(1.0, 6.0)  # a lamp, or a tube or a window's edge
        along, across = np.cos(d) * (xx - gx) + np.sin(d) * (yy - gy), np.cos(d) * (yy - gy) - np.sin(d) * (xx - gx)
        spot = np.exp(-((along / long) ** 2 + across**2) / (2 * r * r))
        canvas = canvas + rng.uniform(60, 200) * spot[..., None]
    return canvas


def _exposed(rng: np.random.Generator, canvas: NDArray[Any]) -> NDArray[Any]:
    """Exposure and cast; now and then too dark, too bright or hazy."""
    gain = rng.uniform(0.45, 1.15)
    kind = rng.random()
    if kind < 0.08:
        gain = rng.uniform(0.12, 0.45)
    elif kind < 0.14:
        gain = rng.uniform(1.15, 1.7)
    canvas = canvas * gain * rng.uniform(0.86, 1.14, 3).astype(np.float32)
    if rng.random() < 0.1:  # haze: everything towards one grey
        haze = rng.uniform(0.15, 0.6)
        canvas = canvas * (1 - haze) + haze * rng.uniform(90, 250)
    return canvas


def _blurred(rng: np.random.Generator, canvas: NDArray[Any]) -> NDArray[Any]:
    """Out of focus, moved, or sharpened as phones do it."""
    kind = rng.random()
    if kind < 0.5:
        most = 1.8 if rng.random() < 0.15 else 1.1
        canvas = cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.3, most)))
    elif kind < 0.64:
        reach = int(rng.integers(2, 5))
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        a = rng.uniform(0, np.pi)
        dx, dy = round(reach * np.cos(a)), round(reach * np.sin(a))
        cv2.line(kernel, (reach - dx, reach - dy), (reach + dx, reach + dy), 1.0)
        canvas = cv2.filter2D(canvas, -1, kernel / kernel.sum())
    elif kind < 0.74:
        soft = cv2.GaussianBlur(canvas, (0, 0), 1.2)
        canvas = canvas + (canvas - soft) * rng.uniform(0.4, 1.5)
    return canvas
