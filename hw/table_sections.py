"""Sections of a table's configuration: each field with its range; checks across sections are in the map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from hw.camera_address import NETWORK, shown_address
from hw.config_text import WrongValuesError
from hw.equipment import Equipment
from hw.errors import TavoloError, WrongValueError
from hw.layout import Layout
from hw.pins import load_boards
from hw.table_options import Option
from hw.zones import ZONES

EquipmentOf = Callable[[str], Equipment]
"""The equipment that a rule set wants, by its name; raises TavoloError for a name that no rule set has."""
Millimetres = Annotated[float, Field(ge=-2000, le=2000)]
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
OptionsOf = Callable[[str], Mapping[str, Option]]
"""The options that a rule set knows, by its name."""
LayoutOf = Callable[[str], Layout]
"""Usual layout of a rule set's table, by its name."""
PlayersOf = Callable[[str], tuple[int, ...]]
"""Possible numbers of players at a table of a rule set, by its name."""


def is_local(host: str) -> bool:
    """Return True if ``host`` is this machine alone, as a configuration writes it."""
    return host in ("localhost", "::1") or host.startswith("127.")


def check_zone(name: str, info: ValidationInfo) -> None:
    """Raise WrongValueError if ``name`` is no zone; ``zones`` of the context are those of every rule set."""
    known = ZONES.union((info.context or {}).get("zones", ()))
    if name not in known:
        zones = ", ".join(sorted(known))
        raise WrongValueError(
            f"'{name}' is no zone; zones are {zones}", f"«{name}» non è una zona; le zone sono {zones}"
        )


class Strict(BaseModel):
    """A part of a configuration: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TableSection(Strict):
    """Name of this table and of the game played on it."""

    name: Word
    hall: Word = "sala"
    rules: Word
    side: float = Field(900, gt=300, le=2000, description="side of the square table in mm")
    card_grams: float = Field(1.8, ge=0.5, le=10)

    @field_validator("rules")
    @classmethod
    def _played(cls, rules: str, info: ValidationInfo) -> str:
        """Check that the rules can be played; not asked if a map is made in a program and not read from a file."""
        equipment_of: EquipmentOf | None = (info.context or {}).get("equipment_of")
        if equipment_of is not None:
            try:
                equipment_of(rules)
            except TavoloError as error:
                known = ", ".join(getattr(error, "known", ()))
                it = f"nessun tavolo gioca con un codice «{rules}»" + (f": ci sono {known}" if known else "")
                raise WrongValueError(str(error), it) from None
        return rules


class Keepers(Strict):
    """Partner before whom the line's melds are (art. 4)."""

    NS: Literal["N", "S"] = "N"
    EW: Literal["E", "W"] = "E"


class Zone(Strict):
    """A zone's rectangle: x0, y0, x1, y1 in mm from the table's centre, x to East, y to North."""

    rect: tuple[Millimetres, Millimetres, Millimetres, Millimetres]

    @field_validator("rect")
    @classmethod
    def _ordered(cls, rect: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        x0, y0, x1, y1 = rect
        if x0 >= x1 or y0 >= y1:
            raise WrongValueError(
                "a rectangle is [x0, y0, x1, y1] with x0 < x1 and y0 < y1",
                "un rettangolo è [x0, y0, x1, y1] con x0 < x1 e y0 < y1",
            )
        return rect


class MarkerSection(Strict):
    """One printed ArUco marker (DICT_4X4_50): centre and side in mm."""

    number: int = Field(ge=0, le=49)
    x: Millimetres
    y: Millimetres
    side: float = Field(40, gt=10, le=120)


class Node(Strict):
    """A microcontroller on a serial line, and what it senses."""

    port: str = Field(min_length=1)
    board: Literal["gates", "seats", "places"] | None = Field(
        None, description="which of the drawn boards (docs/board.md) it is: its sensors are checked against the wiring"
    )
    baud: int = Field(1_000_000, ge=9600, le=4_000_000)
    coils: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    beams: tuple[str, ...] = ()
    shields: tuple[Literal["N", "E", "S", "W"], ...] = ()
    knocks: tuple[Literal["N", "E", "S", "W"], ...] = ()
    buttons: tuple[str, ...] = ()
    screens: tuple[Literal["panel", "aperture"], ...] = Field((), description="contacts of the screen")
    trays: tuple[Literal["NE", "SW"], ...] = Field((), description="contacts at the ends of the tray's way")

    @property
    def sensors(self) -> tuple[str, ...]:
        """Its sensors by the names of ``hw.coverage``."""
        return tuple(f"{kind}:{name}" for kind, name in self._pairs)

    @property
    def _pairs(self) -> tuple[tuple[str, str], ...]:
        kinds = {"coil": self.coils, "scale": self.scales, "beam": self.beams, "shield": self.shields}
        kinds |= {"knock": self.knocks, "button": self.buttons, "screen": self.screens, "tray": self.trays}
        return tuple((kind, name) for kind, names in kinds.items() for name in names)

    @field_validator("coils", "scales")
    @classmethod
    def _zones(cls, names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        for name in names:
            check_zone(name, info)
        return names

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        """Check that no sensor is listed twice."""
        pairs = self._pairs
        twice = [(kind, name) for n, (kind, name) in enumerate(pairs) if (kind, name) in pairs[:n]]
        if twice:
            raise WrongValuesError(
                [
                    (
                        f"{kind}s",
                        WrongValueError(f"{kind} '{name}' stands there twice", f"{kind} «{name}» è scritto due volte"),
                    )
                    for kind, name in dict.fromkeys(twice)
                ]
            )
        return self

    @model_validator(mode="after")
    def _wired(self) -> Self:
        """Check that a drawn board is asked only for sensors wired to it."""
        if self.board is None:
            return self
        wired = set(load_boards()[self.board].sensors())
        absent = [f"{kind} {name}" for kind, name in self._pairs if (kind, name) not in wired]
        if absent:
            raise WrongValueError(
                f"board '{self.board}' has no {', '.join(absent)}: see docs/board/wiring.md",
                f"la scheda «{self.board}» non ha {', '.join(absent)}: vedi docs/board/wiring.md",
            )
        return self


class CameraSection(Strict):
    """The overhead camera."""

    source: str
    width: int = Field(4056, ge=640, le=10000)
    height: int = Field(3040, ge=480, le=10000)
    mains: Literal[50, 60] = Field(50, description="the mains' frequency in Hz: lamps flicker at twice that")
    pack: Path | None = Field(
        None, description="the enrolled pack (tavolo enrol) that is played with; tarocchi are not read without one"
    )
    box: Path | None = Field(
        None, description="the enrolled bidding box (tavolo enrol --of bidding); no bidding card is read without one"
    )
    calibration: Path | None = Field(
        None, description="camera to table by cards (tavolo calibrate --cards), where no markers are glued on the table"
    )

    @field_validator("source")
    @classmethod
    def _known(cls, source: str) -> str:
        kind, _, rest = source.partition(":")
        if source == "none" or kind == "picamera2" or (kind in ("v4l2", "file") and rest):
            return source
        if kind in NETWORK and rest.startswith("//") and shown_address(source).partition("://")[2].strip("/"):
            return source
        known = "v4l2:/dev/video0, http://ADDRESS/video, rtsp://ADDRESS/path, file:VIDEO, picamera2"
        said = shown_address(source)
        raise WrongValueError(f"write {known} or none, not '{said}'", f"scrivi {known} o none, non «{said}»")


Camera = CameraSection
"""Its name in programs that others wrote before 28 November 2026."""


class BrokerSection(Strict):
    """The MQTT broker: by name and password, or over TLS with a certificate of the hall's authority."""

    host: str = "127.0.0.1"
    port: int = Field(1883, ge=1, le=65535)
    username: str | None = None
    password_file: Path | None = None
    ca_file: Path | None = Field(None, description="PEM file with the hall's authority: the connection is encrypted")
    certificate_file: Path | None = Field(None, description="PEM file with the certificate to sign in with")
    key_file: Path | None = Field(None, description="PEM file with that certificate's key, private")

    @model_validator(mode="after")
    def _certificate_whole(self) -> Self:
        """Check that a certificate goes with its key, and over TLS only."""
        if (self.certificate_file is None) != (self.key_file is None):
            raise WrongValueError(
                "a certificate needs both, 'certificate_file' and 'key_file'",
                "un certificato ha bisogno di tutti e due, «certificate_file» e «key_file»",
            )
        if self.certificate_file is not None and self.ca_file is None:
            raise WrongValueError(
                "with 'certificate_file' the hall's authority must be named: 'ca_file'",
                "con «certificate_file» va indicata l’autorità della sala: «ca_file»",
            )
        return self


class Storage(Strict):
    """Files in which the table keeps what must not be lost."""

    journal: Path = Path("tavolo.sqlite")
    log: Path | None = None
    keep_deal: bool = Field(
        True, description="a start in the middle of a deal takes it up again: its key is on the disk while it is played"
    )
    tags: Path | None = Field(None, description="JSON file that maps tag UIDs to cards; secret, mode 0600")
    journal_mb: float = Field(1024, ge=16, le=1_000_000, description="the journal loses its oldest boots beyond that")
    journal_days: float = Field(400, ge=30, le=36_600, description="and those older than so many days")


class EvidenceSection(Strict):
    """Limits of the camera's pictures held in memory, and kept on the disk as evidence."""

    seconds: float = Field(180, ge=10, le=1800, description="the ring of recent pictures in memory reaches so far back")
    memory_mb: float = Field(64, ge=4, le=2048, description="and takes so much memory at most")
    space_mb: float = Field(512, ge=1, le=1_000_000, description="pictures kept on the disk, in all")
    days: float = Field(14, gt=0, le=366, description="and for so many days at most")


class SealingSection(Strict):
    """For whom hidden cards are sealed; without a key none leave the table."""

    arbitro: Annotated[str, Field(pattern=r"^[0-9a-fA-F]{64}$")] | None = Field(
        None, description="the arbitro's public Curve25519 key, 64 hexadecimal digits"
    )


class DisplaySection(Strict):
    """The table's own small screen: a page for a browser on this machine; off without a port."""

    port: int | None = Field(None, ge=0, le=65535, description="0: any free port")
    language: Literal["it", "en"] = "it"


class PowerSection(Strict):
    """Conditions for switching off a machine on its battery; without this section its supply is not watched."""

    off_after_minutes: float = Field(10, gt=0, le=600, description="the mains have been gone for so long")
    off_below_percent: float = Field(20, ge=0, le=100, description="or the battery holds less than this without them")
    off_command: tuple[str, ...] = Field(("systemctl", "poweroff"), min_length=1)
