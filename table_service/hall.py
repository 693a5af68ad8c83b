"""A hall's configuration: which broker the console listens to, where its pages are served (TOML)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from hw import config_text
from hw.tablemap import BrokerSection, Strict, Word


class HallSection(Strict):
    """The hall and the tables that are expected in it; a table that speaks up is shown even if not named."""

    name: Word = "sala"
    tables: tuple[Word, ...] = ()


class ConsoleSection(Strict):
    """Where the console's pages are served."""

    host: str = "127.0.0.1"
    port: int = Field(8080, ge=0, le=65535, description="0: any free port")
    language: Literal["it", "en"] = "it"
    key_file: Path | None = Field(None, description="the console's signing key; made there if the file is missing")


class HallConfig(Strict):
    """The whole configuration of a hall's console."""

    hall: HallSection
    broker: BrokerSection = BrokerSection()
    console: ConsoleSection = ConsoleSection()


def load_hall(path: Path) -> HallConfig:
    """The hall's configuration at ``path``. Raises hw.config_text.ConfigError with every problem and its line."""
    return config_text.load(path, HallConfig)
