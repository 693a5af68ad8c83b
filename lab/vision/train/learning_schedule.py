"""Schedule of a network's training: steps, rate, processor time, and the checkpoint to continue from."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

WARM_UP: Final = 0.1
"""Share of the training in which the rate rises; then it falls as a cosine to nothing."""


class Budget:
    """Processor time: what may be used and what this process, with earlier broken-off runs, has used."""

    def __init__(self, allowed_s: float, spent_s: float) -> None:
        self.allowed = allowed_s
        self._before = spent_s - time.process_time()

    @property
    def used(self) -> float:
        """Seconds of processor time so far."""
        return self._before + time.process_time()

    def resume(self, spent_s: float) -> None:
        """Count from ``spent_s`` on."""
        self._before = spent_s - time.process_time()


@dataclass
class Course:
    """Training of one network; ``keep`` is its checkpoint."""

    name: str
    seed: int
    steps: int
    rate: float
    keep: Path
    budget: Budget
    curve: list[float] = field(default_factory=list)
    done: int = 0
    until: int | None = None
    """Step at which to pause, at a checkpoint."""
    start: Path | None = None
    """The checkpoint of an earlier course, with whose network this one continues."""

    def share(self, step: int) -> float:
        """Share of the training that is over after ``step`` steps: by steps, or by processor time if that runs out.

        If the steps fit, nothing depends on how fast the machine is, not even the rate of the first step.
        """
        late = self.budget.used / self.budget.allowed
        return max(step / self.steps, late if late > WARM_UP else 0.0)

    def rate_at(self, share: float) -> float:
        """The learning rate when ``share`` of the training is over."""
        if share < WARM_UP:
            return self.rate * (0.04 + 0.96 * share / WARM_UP)
        return self.rate * 0.5 * (1 + math.cos(math.pi * min(1.0, (share - WARM_UP) / (1 - WARM_UP))))
