"""Plane and lens of a calibrated camera as numbers: projection, radial distortion, and least squares over both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
_MOST_STEPS: Final = 12
_CLOSE: Final = 1e-13
"""A step of Newton's method after which the next would change nothing, as a share of half the picture's diagonal."""


def project(matrix: Points, points: NDArray[Any]) -> Points:
    """Return ``points`` (n, 2) after the projective ``matrix`` (3, 3)."""
    whole = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(whole[:, :2] / whole[:, 2:], np.float64)


def unpack(values: Points) -> tuple[Points, float, float]:
    """Return homography, k1 and k2 of a list of parameters: eight numbers of the homography, then one or two terms."""
    return np.append(values[:8], 1.0).reshape(3, 3), float(values[8]), float(values[9]) if len(values) > 9 else 0.0


def straighten(pixels: Points, width: int, height: int, k1: float, k2: float) -> Points:
    """Return the ideal pixels of seen ones."""
    middle, away, half = _radius(pixels, width, height)
    square = (away**2).sum(axis=1, keepdims=True)
    return np.asarray(middle + away * (1 + k1 * square + k2 * square**2) * half, np.float64)


def bend(ideal: Points, width: int, height: int, k1: float, k2: float) -> Points:
    """Return the seen pixels of ideal ones: the inverse of ``straighten``, by Newton's method on the radius."""
    middle, away, half = _radius(ideal, width, height)
    goal = np.sqrt((away**2).sum(axis=1, keepdims=True))
    r = goal.copy()
    for _ in range(_MOST_STEPS):
        square = r * r  # a power of four by numpy's general function would take most of a camera's start
        slope = 1 + square * (3 * k1 + 5 * k2 * square)
        step = (r * (1 + square * (k1 + k2 * square)) - goal) / np.where(np.abs(slope) < 0.1, 0.1, slope)
        r -= step
        if np.abs(step).max(initial=0.0) < _CLOSE:
            break
    return np.asarray(middle + away * np.where(goal > 0, r / np.maximum(goal, 1e-12), 1.0) * half, np.float64)


def _radius(points: Points, width: int, height: int) -> tuple[Points, Points, float]:
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    half = float(np.hypot(width, height)) / 2
    away = (points - middle) / half
    return middle, np.asarray(away, np.float64), half


def plane_scale(guess: Points) -> Points:
    """Return the sizes of steps for a homography's eight numbers and the lens's terms after them."""
    scale = np.maximum(np.abs(guess), 1e-9)
    scale[6:8] = np.maximum(scale[6:8], 1e-6)
    scale[8:] = 0.1
    return scale


def slopes_of(miss: Callable[[Points], Points], values: Points, scale: Points) -> Points:
    """Return the slopes (m, n) of ``miss`` by differences, each in units of the parameter's ``scale``."""
    columns = []
    for i in range(len(values)):
        step = np.zeros_like(values)
        step[i] = scale[i] * 1e-5
        columns.append((miss(values + step) - miss(values - step)) / 2e-5)
    return np.column_stack(columns)


def least_squares(miss: Callable[[Points], Points], guess: Points, scale: Points) -> Points:
    """Return the parameters with the least sum of squares of ``miss``: Levenberg and Marquardt's method."""
    values, damping = guess.copy(), 1e-3
    error = miss(values)
    for _ in range(60):
        slopes = slopes_of(miss, values, scale)
        normal = slopes.T @ slopes
        move = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), slopes.T @ error) * scale
        trial = miss(values + move)
        if (trial**2).sum() < (error**2).sum():
            gain = (error**2).sum() - (trial**2).sum()
            values, error, damping = values + move, trial, damping / 5
            if gain < 1e-12 * (1 + (error**2).sum()):
                break
        else:
            damping *= 6
            if damping > 1e9:
                break
    return values
