"""One table's configuration: its zones, the sensors of each node, its camera, broker and journal (TOML)."""

from __future__ import annotations

import itertools
import os.path
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from hw import config_text
from hw.config_text import WrongValuesError
from hw.coverage import CAMERA, SEEN_HANDS
from hw.equipment import Equipment
from hw.errors import WrongValueError
from hw.layout import DEFAULT_LAYOUT, Layout, Marker, Rect
from hw.seats import HEADS_UP, LINES, Line, Seat
from hw.table_options import PAIR, missing_options, option_faults, players_fault
from hw.table_sections import (
    BrokerSection,
    CameraSection,
    DisplaySection,
    EquipmentOf,
    EvidenceSection,
    Keepers,
    LayoutOf,
    MarkerSection,
    Node,
    OptionsOf,
    PlayersOf,
    PowerSection,
    SealingSection,
    Storage,
    Strict,
    TableSection,
    Word,
    Zone,
    check_zone,
    is_local,
)


class TableMap(Strict):
    """The whole configuration of one table."""

    table: TableSection
    options: dict[str, bool | int | str] = Field(default_factory=dict)
    keepers: Keepers = Keepers()
    seats: dict[Literal["N", "E", "S", "W"], str] = Field(default_factory=dict)
    zones: dict[str, Zone] | None = None
    markers: tuple[MarkerSection, ...] = ()
    nodes: dict[Word, Node] = Field(default_factory=dict)
    camera: CameraSection = CameraSection(source="none")
    broker: BrokerSection = BrokerSection()
    storage: Storage = Storage()
    evidence: EvidenceSection = EvidenceSection()
    sealing: SealingSection = SealingSection()
    display: DisplaySection = DisplaySection()
    power: PowerSection | None = None
    console_keys: dict[str, Annotated[str, Field(pattern=r"^[0-9a-fA-F]{64}$")]] = Field(
        default_factory=dict, description="who may order: name, or * for a hall's console, and its public key"
    )

    _usual: Layout = PrivateAttr(DEFAULT_LAYOUT)
    """The layout of the rule set."""

    @field_validator("zones")
    @classmethod
    def _zone_names(cls, zones: dict[str, Zone] | None, info: ValidationInfo) -> dict[str, Zone] | None:
        if zones is None:
            return None
        for name in zones:
            check_zone(name, info)
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
    def _fits_together(self, info: ValidationInfo) -> Self:
        """Check what several parts of the file say together; report all of it at once."""
        found = [*self._sensed_twice(), *self._overlaps(), *self._choices_missing(info), *self._not_apart()]
        if found:
            raise WrongValuesError(found)
        layout_of: LayoutOf | None = (info.context or {}).get("layout_of")
        self._usual = DEFAULT_LAYOUT if layout_of is None else layout_of(self.table.rules)
        return self

    def _sensed_twice(self) -> Iterator[tuple[str, WrongValueError]]:
        """Sensors that two nodes have."""
        owners: dict[tuple[str, str], str] = {}
        for node_name, node in self.nodes.items():
            for kind in ("coils", "scales", "beams", "buttons", "screens", "trays"):
                for sensor in getattr(node, kind):
                    other = owners.setdefault((kind, sensor), node_name)
                    if other != node_name:
                        en = f"{kind[:-1]} '{sensor}' is claimed by node '{other}' and node '{node_name}'"
                        it = f"{kind[:-1]} «{sensor}» è assegnato al nodo «{other}» e al nodo «{node_name}»"
                        yield f"nodes.{node_name}.{kind}", WrongValueError(en, it)

    def _overlaps(self) -> Iterator[tuple[str, WrongValueError]]:
        """Zones that share a part of the table: a card there would be in both."""
        zones = {} if self.zones is None else {name: Rect(*zone.rect) for name, zone in self.zones.items()}
        for (one, first), (other, second) in itertools.combinations(zones.items(), 2):
            wide = min(first.x1, second.x1) - max(first.x0, second.x0)
            deep = min(first.y1, second.y1) - max(first.y0, second.y0)
            if wide > 0 and deep > 0:
                en = f"zone '{other}' overlaps zone '{one}' by {wide:g} x {deep:g} mm: a card there would be in both"
                it = f"la zona «{other}» copre la zona «{one}» per {wide:g} x {deep:g} mm: una carta starebbe in due"
                yield f"zones.{other}", WrongValueError(en, it)

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

    def _choices_missing(self, info: ValidationInfo) -> list[tuple[str, WrongValueError]]:
        """Choices that the code leaves to the table and the file lacks, and players who are too many or too few."""
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
        return found

    def _not_apart(self) -> list[tuple[str, WrongValueError]]:
        """Two nodes on one line, the small screen on the broker's port, journal and log in one file."""
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
        return found

    def layout(self) -> Layout:
        """Zones and markers as the vision and the drawings use them; the rule set's if the file gives none."""
        zones = self._usual.zones if self.zones is None else {n: Rect(*z.rect) for n, z in self.zones.items()}
        markers = tuple(Marker(m.number, m.x, m.y, m.side) for m in self.markers) or self._usual.markers
        return Layout(zones=zones, markers=markers, side=self.table.side)

    def keeper_seats(self) -> dict[Line, Seat]:
        """Return which seat keeps each line's melds, or has their zone before him; of two players each his own."""
        if len(self.seats) == PAIR:
            return {HEADS_UP.line(seat): seat for seat in HEADS_UP.seats}
        layout = self.layout()
        return {line: layout.seat_before(line) for line in LINES} | self.named_keepers()

    def named_keepers(self) -> dict[Line, Seat]:
        """Return the seats that the file itself names as keepers of their lines' melds."""
        named = self.keepers.model_fields_set
        seats = {Line.NS: Seat(self.keepers.NS), Line.EW: Seat(self.keepers.EW)}
        return {line: seat for line, seat in seats.items() if str(line) in named}

    @property
    def is_calibrated_by_cards(self) -> bool:
        """True if the table has a camera and no printed markers."""
        return self.camera.source != "none" and self.camera.calibration is not None

    @property
    def sees_hands(self) -> bool:
        """True if the camera reports hands and their zones: no beam does."""
        return self.camera.source != "none" and not any(node.beams for node in self.nodes.values())

    def sensors(self, equipment: Equipment) -> dict[str, tuple[str, ...]]:
        """Return the sensors of each zone of ``equipment``, in the form of a log header's ``sensors``.

        Empty if none is missing, and without a camera: then nothing could stand in for what is missing.
        """
        if self.camera.source == "none":
            return {}
        nodes = self.nodes.values()
        scales = {name for node in nodes for name in node.scales}
        coils = {name for node in nodes for name in node.coils}
        beams = {name.partition(":")[2] for node in nodes for name in node.beams}
        there = {"scale": scales, "gate": coils, "beam": beams}
        wanted = {"scale": equipment.weighed, "gate": equipment.gated, "beam": equipment.beamed}
        if all(set(zones) <= there[kind] for kind, zones in wanted.items()):
            return {}
        return {
            place.zone: (
                CAMERA,
                *(kind for kind, zones in there.items() if place.zone in zones),
                *((SEEN_HANDS,) if place.beamed and self.sees_hands else ()),
            )
            for place in equipment.places
        }

    def gaps(self, equipment: Equipment, language: str = "en") -> list[str]:
        """Return what this table cannot sense of ``equipment``, as sentences: a gap in what it can notice is no error.

        ``language``: ``it`` or ``en``.
        """
        column = int(language != "it")
        equipment = equipment.of_seats(self.seats) if len(self.seats) == PAIR else equipment
        if not self.nodes:
            return [_GAPS["nodes"][column]]
        nodes = self.nodes.values()
        coils, scales = (
            {name for node in nodes for name in node.coils},
            {name for node in nodes for name in node.scales},
        )
        heard = {sensor for node in nodes for sensor in node.sensors}
        said = _missing(_GAPS["coils"][column], equipment.crossed, coils)
        said += _missing(_GAPS["scales"][column], equipment.weighed, scales)
        if not any(node.beams for node in nodes):
            said.append(_GAPS["beams"][column])
        said += _missing(_GAPS["beside"][column], equipment.beside, heard)
        if self.camera.source == "none":
            said.append(_GAPS["camera"][column])
        return said

    def in_the_open(self, language: str = "en") -> list[str]:
        """Return what this table writes unsealed that its owner may want sealed, as sentences."""
        is_open = self.storage.log is not None and self.sealing.arbitro is None
        return [_OPEN_LOG[int(language != "it")]] if is_open else []


_OPEN_LOG: Final = (
    "il registro delle osservazioni nomina le carte coperte in chiaro: con [sealing] arbitro è sigillato",
    "the observation log names hidden cards in the open: with [sealing] arbitro it is sealed",
)
_GAPS: Final = {
    "nodes": (
        "nessun nodo è indicato: non si sentirà nessun varco, bilancia o barriera",
        "no node is named: no gate, scale or beam will be heard",
    ),
    "coils": (
        "manca la bobina a {names}: le carte che passano lì restano ignote",
        "no coil at {names}: cards crossing there stay unknown",
    ),
    "scales": (
        "manca la bilancia sotto {names}: le carte lì non sono contate",
        "no scale under {names}: cards there are not counted",
    ),
    "beams": (
        "mancano le barriere: un posto si conosce solo dove un varco legge una carta",
        "no beams: a seat is known only where a gate reads a card",
    ),
    "beside": (
        "manca {names}: ciò che direbbe lo inserisce una persona",
        "no {names}: what it would tell must be entered by a person",
    ),
    "camera": (
        "manca la telecamera: combinazioni e carte esposte non si vedono",
        "no camera: melds and exposed cards are not seen",
    ),
}
"""Name of each gap and its consequence, Italian first, English second."""


def _missing(sentence: str, wanted: Iterable[str], have: Container[str]) -> list[str]:
    """Return ``sentence`` with those of ``wanted`` that ``have`` lacks; none if it has all."""
    names = [name.replace(":", " ") for name in wanted if name not in have]
    return [sentence.format(names=", ".join(names))] if names else []


def load_table(
    path: Path,
    equipment_of: EquipmentOf,
    options_of: OptionsOf | None = None,
    players_of: PlayersOf | None = None,
    layout_of: LayoutOf | None = None,
    zones: Iterable[str] = (),
) -> TableMap:
    r"""Return the table map in the TOML file at ``path``, checked against its rule set's needs and options.

    ``zones``: the zones that games bring besides those of the contract.

    Raises hw.config_text.ConfigError with every problem and its line.

    >>> from tempfile import TemporaryDirectory
    >>> from hw.equipment import BURRACO_TABLE
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "table.toml")
    ...     _ = file.write_text('[table]\nname = "T1"\nhall = "sala"\nrules = "fibur2024"\n')
    ...     table = load_table(file, lambda rules: BURRACO_TABLE)
    >>> table.table.name, table.table.rules
    ('T1', 'fibur2024')
    >>> table.gaps(BURRACO_TABLE)
    ['no node is named: no gate, scale or beam will be heard']
    """
    context = {
        "equipment_of": equipment_of,
        "options_of": options_of,
        "players_of": players_of,
        "layout_of": layout_of,
        "zones": zones,
    }
    return config_text.load(path, TableMap, context)
