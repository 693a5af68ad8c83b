"""A hall's configuration: which broker the console listens to, where its pages are served (TOML)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, field_validator

from hw import config_text
from hw.tablemap import BrokerSection, Strict, Word

_RUN: Final = re.compile(r"([A-Za-z_-]*)(\d+)\.\.([A-Za-z_-]*)(\d+)")
TablesNamed = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}(\.\.[A-Za-z0-9_-]{1,40})?$")]
"""A table's name, or several as ``T1..T40``."""


def tables_named(names: tuple[str, ...]) -> tuple[str, ...]:
    """Every table that ``names`` means: ``("T1..T3", "F")`` is T1, T2, T3 and F. Raises ValueError for a wrong run."""
    found: list[str] = []
    for name in names:
        run = _RUN.fullmatch(name)
        if ".." not in name:
            found.append(name)
        elif run is None or run[1] != run[3] or not 0 <= int(run[4]) - int(run[2]) <= 500:
            raise ValueError(f"'{name}' is no run of tables: write for example T1..T40")
        else:
            found += [f"{run[1]}{number}" for number in range(int(run[2]), int(run[4]) + 1)]
    return tuple(dict.fromkeys(found))


class HallSection(Strict):
    """The hall and the tables that are expected in it; a table that speaks up is shown even if not named.

    ``floors``: which tables stand where, to filter the hall by; their tables are expected, too.
    """

    name: Word = "sala"
    tables: tuple[TablesNamed, ...] = ()
    floors: dict[str, tuple[TablesNamed, ...]] = Field(default_factory=dict)

    @field_validator("tables")
    @classmethod
    def _tables(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tables_named(names)

    @field_validator("floors")
    @classmethod
    def _floors(cls, floors: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {name: tables_named(tables) for name, tables in floors.items()}


class ConsoleSection(Strict):
    """Where the console's pages are served."""

    host: str = "127.0.0.1"
    port: int = Field(8080, ge=0, le=65535, description="0: any free port")
    language: Literal["it", "en"] = "it"
    data: Path = Field(Path("console.sqlite"), description="the console's own file: people, orders, what was seen")
    key_file: Path | None = Field(None, description="the console's signing key; made there if the file is missing")
    raise_after: float = Field(60, ge=5, le=3600, description="seconds after which an alert is raised to the chief")
    keep_days: float = Field(60, ge=1, le=3660, description="what belongs to no tournament goes after so many days")
    copies: int = Field(5, ge=0, le=100, description="whole copies of the console's file that are laid beside it")
    order_life: float = Field(120, ge=5, le=290, description="seconds that an order waits for a table out of reach")


class HallConfig(Strict):
    """The whole configuration of a hall's console."""

    hall: HallSection
    broker: BrokerSection = BrokerSection()
    console: ConsoleSection = ConsoleSection()


def load_hall(path: Path) -> HallConfig:
    """The hall's configuration at ``path``. Raises hw.config_text.ConfigError with every problem and its line."""
    return config_text.load(path, HallConfig)
