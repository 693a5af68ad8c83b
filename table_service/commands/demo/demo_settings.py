"""Settings of a demo, and the rules it can play."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table_service.commands.demo.texts import Language
from table_service.rehearsal.game_rehearsal import Sights, rehearsal_of
from table_service.rehearsal.sensing_steps import STEPS, WHOLE
from table_service.rulesets import DEFAULT, RULE_SETS

DEALS: Final = rehearsal_of(DEFAULT).shown_deals
FAULTS: Final = rehearsal_of(DEFAULT).shown
"""Faults in the demo's round of ``DEALS`` by the default rules: one fault in each deal."""


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """Settings from the command line."""

    headless: bool = False
    seed: int | None = None
    """None: the round that these rules are shown with."""
    speed: float = 12.0
    port: int = 0
    keep: Path | None = None
    lang: Language = "it"
    auto: bool = False
    tables: int = 1
    rules: str = DEFAULT
    deals: int | None = None
    """None: as many as a round of these rules is shown with."""
    read_frames: bool = False
    """Frames are read even where these rules are shown with sights from the error model."""

    camera_only: bool = False
    """The table has a camera and nothing else."""

    @property
    def round_seed(self) -> int:
        """Seed of the round that is played."""
        return rehearsal_of(self.rules).shown_seed if self.seed is None else self.seed

    @property
    def round_deals(self) -> int:
        """Number of deals that are played."""
        return self.deals or (1 if self.camera_only else rehearsal_of(self.rules).shown_deals)

    @property
    def faults(self) -> tuple[str, ...]:
        """Rows that are staged; of a camera alone one a deal, first the one that it tells as likely."""
        shown = rehearsal_of(self.rules).shown
        return shown[: self.round_deals] if self.camera_only else shown

    @property
    def step(self) -> int:
        """Step of the table's sensors (``table_service.rehearsal.sensing_steps``)."""
        return STEPS[0] if self.camera_only else WHOLE

    @property
    def sights(self) -> Sights:
        """Way in which the camera reads its frames."""
        game = rehearsal_of(self.rules)
        return game.frames if self.read_frames else game.sights

    @property
    def visited(self) -> bool:
        """True if a person at the page is the arbitro; else the demo's own decides, and the round ends by itself."""
        return not self.headless and not self.auto


def camera_only_refused(settings: DemoSettings) -> str:
    """Return why a table with a camera alone is not shown as asked, in one sentence; empty where it is."""
    if not settings.camera_only:
        return ""
    if rehearsal_of(settings.rules).sights != "indices":
        return f"--camera-only reads frames by corner indices, and {settings.rules} is not shown so"
    return "--camera-only shows one table" if settings.tables > 1 else ""


def playable() -> tuple[str, ...]:
    """Return the rule sets that the demo can play: simulated people know them, and the faults that it stages."""
    return tuple(name for name, one in RULE_SETS.items() if one.rehearsal is not None and one.rehearsal().shown)
