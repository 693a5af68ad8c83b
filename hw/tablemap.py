"""One table's configuration: where its zones lie, which node senses what, its camera, broker and journal (TOML)."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from hw import config_text
from hw.config_text import WrongValuesError
from hw.equipment import Equipment
from hw.errors import TavoloError, WrongValueError
from hw.layout import DEFAULT_LAYOUT, Layout, Marker, Rect
from hw.pins import load_boards
from hw.seats import HEADS_UP, LINES, Line, Seat
from hw.table_options import PAIR, Option, missing_options, option_faults, players_fault
from hw.zones import ZONES

EquipmentOf = Callable[[str], Equipment]
"""The equipment that a rule set wants, by its name; raises TavoloError for a name that no rule set has."""
Millimetres = Annotated[float, Field(ge=-2000, le=2000)]
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


OptionsOf = Callable[[str], Mapping[str, Option]]
"""The options that a rule set knows, by its name."""
PlayersOf = Callable[[str], tuple[int, ...]]
"""How many may sit at a table of a rule set, by its name."""


def is_local(host: str) -> bool:
    """Whether ``host`` is this machine alone, as a configuration writes it."""
    return host in ("localhost", "::1") or host.startswith("127.")


def _is_zone(name: str) -> None:
    if name not in ZONES:
        zones = ", ".join(sorted(ZONES))
        raise WrongValueError(
            f"'{name}' is no zone; zones are {zones}", f"«{name}» non è una zona; le zone sono {zones}"
        )


class Strict(BaseModel):
    """A part of a configuration: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TableSection(Strict):
    """Which table this is and what is played on it."""

    name: Word
    hall: Word = "sala"
    rules: Word
    side: float = Field(900, gt=300, le=2000, description="side of the square table in mm")
    card_grams: float = Field(1.8, ge=0.5, le=10)

    @field_validator("rules")
    @classmethod
    def _played(cls, rules: str, info: ValidationInfo) -> str:
        """Somebody can play them; not asked where a map is made in a program and not read from a file."""
        equipment_of: EquipmentOf | None = (info.context or {}).get("equipment_of")
        if equipment_of is not None:
            try:
                equipment_of(rules)
            except TavoloError as error:
                raise WrongValueError(str(error), f"nessun codice si chiama «{rules}»") from None
        return rules


class Keepers(Strict):
    """Which partner has the line's melds before him (art. 4)."""

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
    def _zones(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            _is_zone(name)
        return names

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        """No sensor stands twice in one list."""
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
        """Nothing is asked of a drawn board that is not wired to it."""
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


class Camera(Strict):
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

    @field_validator("source")
    @classmethod
    def _known(cls, source: str) -> str:
        kind, _, rest = source.partition(":")
        if source == "none" or kind == "picamera2" or (kind in ("v4l2", "file") and rest):
            return source
        known = "v4l2:/dev/video0, file:PICTURE, picamera2"
        raise WrongValueError(f"write {known} or none, not '{source}'", f"scrivi {known} o none, non «{source}»")


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
        """A certificate goes with its key, and over TLS only."""
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
    """Where the table keeps what must not be lost."""

    journal: Path = Path("tavolo.sqlite")
    log: Path | None = None
    tags: Path | None = Field(None, description="JSON file that maps tag UIDs to cards; secret, mode 0600")
    journal_mb: float = Field(1024, ge=16, le=1_000_000, description="the journal loses its oldest boots beyond that")
    journal_days: float = Field(400, ge=30, le=36_600, description="and those older than so many days")


class EvidenceSection(Strict):
    """How much of what the camera sees may be held in memory, and kept on the disk as evidence."""

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
    """The table's own small screen: a page for a browser on this machine; without a port there is none."""

    port: int | None = Field(None, ge=0, le=65535, description="0: any free port")
    language: Literal["it", "en"] = "it"


class PowerSection(Strict):
    """When a machine on its battery is switched off; without this section its supply is not watched."""

    off_after_minutes: float = Field(10, gt=0, le=600, description="the mains have been gone for so long")
    off_below_percent: float = Field(20, ge=0, le=100, description="or the battery holds less than this without them")
    off_command: tuple[str, ...] = Field(("systemctl", "poweroff"), min_length=1)


class TableMap(Strict):
    """The whole configuration of one table."""

    table: TableSection
    options: dict[str, bool | int | str] = Field(default_factory=dict)
    keepers: Keepers = Keepers()
    seats: dict[Literal["N", "E", "S", "W"], str] = Field(default_factory=dict)
    zones: dict[str, Zone] | None = None
    markers: tuple[MarkerSection, ...] = ()
    nodes: dict[Word, Node] = Field(default_factory=dict)
    camera: Camera = Camera(source="none")
    broker: BrokerSection = BrokerSection()
    storage: Storage = Storage()
    evidence: EvidenceSection = EvidenceSection()
    sealing: SealingSection = SealingSection()
    display: DisplaySection = DisplaySection()
    power: PowerSection | None = None
    console_keys: dict[str, Annotated[str, Field(pattern=r"^[0-9a-fA-F]{64}$")]] = Field(
        default_factory=dict, description="who may order: name, or * for a hall's console, and its public key"
    )

    @field_validator("zones")
    @classmethod
    def _zone_names(cls, zones: dict[str, Zone] | None, info: ValidationInfo) -> dict[str, Zone] | None:
        if zones is None:
            return None
        for name in zones:
            _is_zone(name)
        equipment_of: EquipmentOf | None = (info.context or {}).get("equipment_of")
        if equipment_of is None or "table" not in info.data:
            return zones
        seats = info.data.get("seats", {})
        equipment = equipment_of(info.data["table"].rules)
        equipment = equipment.of_seats(seats) if len(seats) == PAIR else equipment
        missing = [name for name in equipment.needed if name not in zones]
        if missing:
            needed = ", ".join(equipment.needed)
            raise WrongValueError(
                f"zone {', '.join(missing)} is missing: a {equipment.title} table needs {needed}",
                f"manca la zona {', '.join(missing)}: a un tavolo di {equipment.title} servono {needed}",
            )
        return zones

    @model_validator(mode="after")
    def _sensed_once(self) -> Self:
        owners: dict[tuple[str, str], str] = {}
        for node_name, node in self.nodes.items():
            for kind in ("coils", "scales", "beams", "buttons", "screens", "trays"):
                for sensor in getattr(node, kind):
                    other = owners.setdefault((kind, sensor), node_name)
                    if other != node_name:
                        raise WrongValueError(
                            f"{kind[:-1]} '{sensor}' is claimed by node '{other}' and node '{node_name}'",
                            f"{kind[:-1]} «{sensor}» è assegnato al nodo «{other}» e al nodo «{node_name}»",
                        )
        return self

    @field_validator("options")
    @classmethod
    def _chosen(cls, options: dict[str, bool | int | str], info: ValidationInfo) -> dict[str, bool | int | str]:
        """Every option is one that the table's code knows, with a value that it may have."""
        options_of: OptionsOf | None = (info.context or {}).get("options_of")
        if options_of is not None and "table" in info.data:
            found = option_faults(options, options_of(info.data["table"].rules))
            if found:
                raise WrongValuesError(found)
        return options

    @model_validator(mode="after")
    def _all_chosen(self, info: ValidationInfo) -> Self:
        """No choice is missing that the code leaves to the table, and so many sit there as may play by it."""
        context = info.context or {}
        options_of: OptionsOf | None = context.get("options_of")
        players_of: PlayersOf | None = context.get("players_of")
        rules, found = self.table.rules, []
        if options_of is not None:
            place = "options" if self.options else "table.rules"
            found = [(place, one) for one in missing_options(self.options, options_of(rules), rules)]
        if players_of is not None:
            wrong = players_fault(tuple(self.seats), players_of(rules), rules)
            found += [] if wrong is None else [("seats", wrong)]
        if found:
            raise WrongValuesError(found)
        return self

    @model_validator(mode="after")
    def _ports_apart(self) -> Self:
        """No two nodes on one line, the small screen not on the broker's port, journal and log in two files."""
        owners: dict[str, str] = {}
        found = []
        for name, node in self.nodes.items():
            other = owners.setdefault(os.path.normpath(node.port), name)
            if other != name:
                en = f"nodes '{other}' and '{name}' are both on port {node.port}: each needs its own"
                it = f"i nodi «{other}» e «{name}» sono tutti e due sulla porta {node.port}: a ciascuno la sua"
                found.append((f"nodes.{name}.port", WrongValueError(en, it)))
        if self.display.port and self.display.port == self.broker.port and is_local(self.broker.host):
            en = f"the display cannot have port {self.display.port}: the MQTT broker has it on this machine"
            it = f"lo schermo non può avere la porta {self.display.port}: su questa macchina è del broker MQTT"
            found.append(("display.port", WrongValueError(en, it)))
        if self.storage.log is not None and self.storage.log == self.storage.journal:
            en = f"the journal and the log cannot both be {self.storage.log}: each needs a file of its own"
            it = f"il diario e il log non possono stare tutti e due in {self.storage.log}: a ciascuno il suo file"
            found.append(("storage.log", WrongValueError(en, it)))
        if found:
            raise WrongValuesError(found)
        return self

    def layout(self) -> Layout:
        """Zones and markers as the vision and the drawings use them; the standard layout where the file gives none."""
        zones = DEFAULT_LAYOUT.zones if self.zones is None else {n: Rect(*z.rect) for n, z in self.zones.items()}
        markers = tuple(Marker(m.number, m.x, m.y, m.side) for m in self.markers) or DEFAULT_LAYOUT.markers
        return Layout(zones=zones, markers=markers, side=self.table.side)

    def keeper_seats(self) -> dict[Line, Seat]:
        """Which seat keeps each line's melds, or has their zone before him; of two players each his own."""
        if len(self.seats) == PAIR:
            return {HEADS_UP.line(seat): seat for seat in HEADS_UP.seats}
        layout = self.layout()
        return {line: layout.seat_before(line) for line in LINES} | self.named_keepers()

    def named_keepers(self) -> dict[Line, Seat]:
        """The seats that the file itself names as keepers of their lines' melds."""
        named = self.keepers.model_fields_set
        seats = {Line.NS: Seat(self.keepers.NS), Line.EW: Seat(self.keepers.EW)}
        return {line: seat for line, seat in seats.items() if str(line) in named}

    def gaps(self, equipment: Equipment) -> list[str]:
        """What this table cannot sense of ``equipment``, as sentences: a gap in what it can notice is no error."""
        equipment = equipment.of_seats(self.seats) if len(self.seats) == PAIR else equipment
        if not self.nodes:
            return ["no node is named: no gate, scale or beam will be heard"]
        nodes = self.nodes.values()
        coils, scales = (
            {name for node in nodes for name in node.coils},
            {name for node in nodes for name in node.scales},
        )
        heard = {sensor for node in nodes for sensor in node.sensors}
        said = _missing("coil at ", equipment.crossed, coils, "cards crossing there stay unknown")
        said += _missing("scale under ", equipment.weighed, scales, "cards there are not counted")
        if not any(node.beams for node in nodes):
            said.append("no beams: a seat is known only where a gate reads a card")
        said += _missing("", equipment.beside, heard, "what it would tell must be entered by a person")
        if self.camera.source == "none":
            said.append("no camera: melds and exposed cards are not seen")
        return said

    def in_the_open(self) -> list[str]:
        """What this table writes down in the open that somebody may want sealed, as sentences."""
        return [_OPEN_LOG] if self.storage.log is not None and self.sealing.arbitro is None else []


_OPEN_LOG: Final = "the observation log names hidden cards in the open: with [sealing] arbitro it is sealed"


def _missing(what: str, wanted: Iterable[str], have: Container[str], so: str) -> list[str]:
    """A sentence that names those of ``wanted`` that ``have`` lacks, and what follows; none where it has all."""
    names = [name.replace(":", " ") for name in wanted if name not in have]
    return [f"no {what}{', '.join(names)}: {so}"] if names else []


def load_table(
    path: Path,
    equipment_of: EquipmentOf,
    options_of: OptionsOf | None = None,
    players_of: PlayersOf | None = None,
) -> TableMap:
    """The table map in the TOML file at ``path``, checked against what its rule set wants and may be told.

    Raises hw.config_text.ConfigError with every problem and its line.
    """
    context = {"equipment_of": equipment_of, "options_of": options_of, "players_of": players_of}
    return config_text.load(path, TableMap, context)
