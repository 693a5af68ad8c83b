"""Recent steps of the scales: later evidence may combine or revise them, name their cards or their maker."""

from __future__ import annotations

from dataclasses import dataclass, field

from table_service.tracking.commit_order import Draft
from table_service.tracking.scale_steps import ScaleStep


@dataclass(slots=True)
class RecentSteps:
    """``moves``: each step of the last half minute with what it became.

    ``drawn``: drafts whose card or seat a gate read may still fill in.
    """

    moves: list[tuple[ScaleStep, Draft]] = field(default_factory=list)
    drawn: list[Draft] = field(default_factory=list)

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self.moves, self.drawn = [], []

    def no_longer_drawn(self, draft: Draft) -> None:
        """Stop waiting for gates on ``draft``."""
        if draft in self.drawn:
            self.drawn.remove(draft)
