"""The walk around a table: each sensor in turn is asked of the person, and must answer to its own hand.

``Walk`` is pure: observations and times are fed in. A sensor that answers for another one is named, because that is
how crossed wires show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from hw.observations import Button, Health, Knock, Observation, Reach, Scale, Shield, Tags
from hw.seats import SEATS, Seat
from hw.tablemap import TableMap
from hw.zones import TABLE

PATIENCE_S: Final = 30.0
"""How long a sensor is waited for."""
CARD_G: Final = 0.9
"""Half a card: by so much a scale must change."""
Outcome = Literal["answered", "another answered", "silent", "skipped"]

_SEAT_IT: Final = {Seat.NORTH: "Nord", Seat.EAST: "Est", Seat.SOUTH: "Sud", Seat.WEST: "Ovest"}
_SEAT_EN: Final = {Seat.NORTH: "North", Seat.EAST: "East", Seat.SOUTH: "South", Seat.WEST: "West"}
_ZONE_IT: Final = {
    "stock": "tallone",
    "discard": "monte degli scarti",
    "pots": "pozzi",
    "melds-NS": "giochi Nord-Sud",
    "melds-EW": "giochi Est-Ovest",
    "gate-stock": "bocca del tallone",
    **{f"gate-{seat}": f"bordo {name}" for seat, name in _SEAT_IT.items()},
}
_ZONE_EN: Final = {
    "stock": "the stock",
    "discard": "the discard pile",
    "pots": "the pots",
    "melds-NS": "the melds of North-South",
    "melds-EW": "the melds of East-West",
    "gate-stock": "the stock's mouth",
    **{f"gate-{seat}": f"{name}'s edge" for seat, name in _SEAT_EN.items()},
}
_BUTTON_IT: Final = {"referee": "arbitro", "count": "conteggio", "ready": "pronto"}


@dataclass(frozen=True, slots=True)
class Wish:
    """One sensor and what the person is to do. ``sensor``: kind and name, as ``beam N:stock``."""

    sensor: str
    it: str
    en: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one wish. ``by``: the sensor that answered in its place."""

    wish: Wish
    outcome: Outcome
    seconds: float
    by: str = ""


def wishes(table: TableMap) -> tuple[Wish, ...]:
    """What the walk asks for at the table of that configuration: each coil, scale, shield, button, knock, reach once.

    Of the reaches one to each place and one from each seat: more beams than that there are not (docs/board.md).
    """
    nodes = table.nodes.values()
    asked: list[Wish] = []
    asked += [_coil(zone) for node in nodes for zone in node.coils]
    asked += [_scale(zone) for node in nodes for zone in node.scales]
    asked += _reaches([beam for node in nodes for beam in node.beams])
    asked += [_shield(Seat(seat)) for node in nodes for seat in node.shields]
    asked += [_knock(Seat(seat)) for node in nodes for seat in node.knocks]
    asked += [_button(name) for node in nodes for name in node.buttons]
    if table.camera.source != "none":
        asked.append(Wish("camera", "Copri l'obiettivo della telecamera.", "Cover the camera's lens."))
    return tuple(asked)


def _coil(zone: str) -> Wish:
    return Wish(
        f"coil {zone}",
        f"Passa una carta sola sulla spira: {_ZONE_IT.get(zone, zone)}.",
        f"Pass one single card over the coil at {_ZONE_EN.get(zone, zone)}.",
    )


def _scale(zone: str) -> Wish:
    return Wish(
        f"scale {zone}",
        f"Posa una carta sulla bilancia ({_ZONE_IT.get(zone, zone)}), o toglila.",
        f"Lay one card on the scale of {_ZONE_EN.get(zone, zone)}, or take it off.",
    )


def _reaches(beams: list[str]) -> list[Wish]:
    """One for each place and each seat, as few as hold them all."""
    places: set[str] = set()
    seats: set[str] = set()
    chosen: list[str] = []
    for beam in sorted(beams, key=lambda name: name.endswith(f":{TABLE}")):
        owner, _, place = beam.partition(":")
        if owner in set(SEATS) and (place not in places or owner not in seats) and place != TABLE:
            turn = next((b for b in beams if b.partition(":")[0] not in seats and b.endswith(f":{place}")), beam)
            if turn in chosen or turn.partition(":")[0] not in set(SEATS):
                continue
            chosen.append(turn)
            seats.add(turn.partition(":")[0])
            places.add(place)
    return [_reach(beam) for beam in chosen]


def _reach(beam: str) -> Wish:
    owner, _, place = beam.partition(":")
    seat = Seat(owner)
    return Wish(
        f"beam {beam}",
        f"Dal posto {_SEAT_IT[seat]} allunga la mano ({_ZONE_IT.get(place, place)}) e ritirala.",
        f"From seat {_SEAT_EN[seat]} reach to {_ZONE_EN.get(place, place)} and take your hand back.",
    )


def _shield(seat: Seat) -> Wish:
    return Wish(
        f"shield {seat}",
        f"Rovescia il paramani di {_SEAT_IT[seat]} e rialzalo.",
        f"Turn the hand-shield of {_SEAT_EN[seat]} over and up again.",
    )


def _knock(seat: Seat) -> Wish:
    return Wish(f"knock {seat}", f"Bussa davanti al posto {_SEAT_IT[seat]}.", f"Knock before seat {_SEAT_EN[seat]}.")


def _button(name: str) -> Wish:
    owner, _, button = name.partition(":")
    seat = Seat(owner)
    return Wish(
        f"button {name}",
        f"Premi il pulsante {_BUTTON_IT.get(button, button)} di {_SEAT_IT[seat]}.",
        f"Press {_SEAT_EN[seat]}'s button {button}.",
    )


class Walk:
    """The walk through ``asked``. Feed observations and ``tick``; ``current`` is what is asked now, None at the end."""

    def __init__(self, asked: tuple[Wish, ...], now: float = 0.0) -> None:
        self._asked = asked
        self._answers: list[Answer] = []
        self._since = now
        self._another = ""
        self._weights: dict[str, float] = {}

    @property
    def current(self) -> Wish | None:
        """What the person is to do now."""
        return self._asked[len(self._answers)] if len(self._answers) < len(self._asked) else None

    @property
    def answers(self) -> tuple[Answer, ...]:
        """What became of the wishes so far."""
        return tuple(self._answers)

    @property
    def passed(self) -> bool:
        """Whether every sensor has answered to its own hand."""
        return self.current is None and all(one.outcome == "answered" for one in self._answers)

    def hear(self, observation: Observation, now: float) -> Answer | None:
        """Take an observation at wall second ``now``; the answer that it completes."""
        sensor = self._sensor(observation)
        wish = self.current
        if sensor is None or wish is None:
            return None
        if sensor == wish.sensor:
            return self._done("answered", now)
        if not _goes_with(wish.sensor, sensor):
            self._another = self._another or sensor
        return None

    def tick(self, now: float) -> Answer | None:
        """Time has come to ``now``: a sensor that has been waited for long enough has failed."""
        if self.current is None or now - self._since < PATIENCE_S:
            return None
        return self._done("another answered" if self._another else "silent", now)

    def skip(self, now: float) -> Answer | None:
        """The person leaves this one out."""
        return None if self.current is None else self._done("skipped", now)

    def _done(self, outcome: Outcome, now: float) -> Answer:
        wish = self._asked[len(self._answers)]
        by = self._another if outcome == "another answered" else ""
        answer = Answer(wish, outcome, round(now - self._since, 3), by)
        self._answers.append(answer)
        self._since, self._another = now, ""
        return answer

    def _sensor(self, observation: Observation) -> str | None:
        """The sensor that an observation comes from, where it tells of a person's act."""
        match observation:
            case Tags(zone=zone, tags=tags) if tags:
                return f"coil {zone}"
            case Scale(zone=zone, grams=grams, settled=True):
                before = self._weights.setdefault(zone, grams)
                if abs(grams - before) < CARD_G:
                    return None
                self._weights[zone] = grams
                return f"scale {zone}"
            case Reach(seat=seat, zone=zone, phase="in"):
                return f"beam {seat or '-'}:{zone or TABLE}"
            case Shield(seat=seat, pose="over"):
                return f"shield {seat}"
            case Knock(seat=seat):
                return f"knock {seat or '-'}"
            case Button(seat=seat, button=button):
                return f"button {seat}:{button}"
            case Health(node="camera", state="lost"):
                return "camera"
        return None


def _goes_with(wanted: str, heard: str) -> bool:
    """Whether ``heard`` happens by itself while a person does what ``wanted`` asks: who brings a card reaches."""
    if heard.startswith("beam "):
        return not wanted.startswith("beam ") or heard.endswith(f":{TABLE}")
    return heard.startswith("coil ") and wanted.startswith("scale ")


def report(walk: Walk, table: TableMap, when: str) -> dict[str, Any]:
    """The walk as JSON values for the report file. ``when``: date and time as text."""
    return {
        "table": table.table.name,
        "when": when,
        "passed": walk.passed,
        "sensors": [
            {"sensor": a.wish.sensor, "outcome": a.outcome, "seconds": a.seconds, **({"by": a.by} if a.by else {})}
            for a in walk.answers
        ],
        "left": [] if walk.current is None else [one.sensor for one in wishes(table)[len(walk.answers) :]],
    }


def sentence(answer: Answer, *, italian: bool) -> str:
    """What became of a wish, for the person."""
    sensor = answer.wish.sensor
    match answer.outcome, italian:
        case "answered", True:
            return f"bene: {sensor} ha risposto"
        case "answered", False:
            return f"good: {sensor} answered"
        case "skipped", True:
            return f"saltato: {sensor}"
        case "skipped", False:
            return f"left out: {sensor}"
        case "another answered", True:
            return f"ERRORE: ha risposto {answer.by} al posto di {sensor}; fili scambiati?"
        case "another answered", False:
            return f"WRONG: {answer.by} answered in place of {sensor}; are wires crossed?"
        case _, True:
            return f"MUTO: {sensor} non ha risposto"
    return f"SILENT: {sensor} did not answer"


def go(
    walk: Walk,
    hear: Callable[[float], Observation | None],
    skipped: Callable[[], bool],
    clock: Callable[[], float],
    say: Callable[[str], None],
    *,
    italian: bool,
) -> None:
    """Lead a person through ``walk``. ``hear``: the next observation within so many wall seconds, as of ``clock``."""
    asked: Wish | None = None
    while (wish := walk.current) is not None:
        if wish is not asked:
            asked = wish
            say(f"[{len(walk.answers) + 1}] {wish.it if italian else wish.en}")
        observation = hear(0.1)
        answer = None if observation is None else walk.hear(observation, clock())
        if answer is None and skipped():
            answer = walk.skip(clock())
        answer = answer or walk.tick(clock())
        if answer is not None:
            say("    " + sentence(answer, italian=italian))
