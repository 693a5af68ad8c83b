"""The course of a training: what it learns follows from its seed, however fast or slow the machine is."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.vision.train.learning_schedule import Budget, Course


def _course(allowed_s: float, spent_s: float) -> Course:
    return Course("reader", 1, 1000, 2e-3, Path("unused.pt"), Budget(allowed_s, spent_s))


@pytest.mark.parametrize("spent_s", [0.0, 0.5, 90.0])
@pytest.mark.parametrize("step", [0, 1, 250, 999])
def test_where_the_steps_fit_the_rate_follows_from_them_alone(step: int, spent_s: float) -> None:
    """Else the rate of the first steps, and with it every weight, would differ from run to run."""
    course = _course(1000.0, spent_s)
    assert course.share(step) == step / 1000
    assert course.rate_at(course.share(step)) == course.rate_at(step / 1000)


def test_where_they_do_not_fit_the_training_ends_with_its_time() -> None:
    course = _course(1000.0, 600.0)
    assert 0.6 <= course.share(10) < 0.61
    assert course.rate_at(course.share(10)) < course.rate_at(0.1)
    assert _course(1000.0, 1001.0).share(10) >= 1.0


def test_a_training_that_goes_on_counts_the_time_before() -> None:
    course = _course(1000.0, 0.0)
    course.budget.resume(900.0)
    assert 0.9 <= course.share(10) < 0.91
