"""The bench procedure, as data: what a technician does at a new table, in order, and what a good table answers.

``tavolo doctor --walk`` leads through it and judges; ``docs/board/bench.md`` is the same list on paper. ``{zone}``,
``{seat}``, ``{place}``, ``{part}``, ``{side}``, ``{times}``, ``{seconds}`` and ``{grams}`` are filled in for each
sensor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from hw.cards import Pack

Each = Literal[
    "table", "node", "coil", "scale", "reach", "shield", "button", "knock", "screen", "tray", "calibration", "camera"
]
Way = Literal[
    "hello", "rest", "number", "hold", "passes", "weight", "corners", "creep", "cards",
    "reach", "shield", "button", "knock", "screen", "tray", "cover", "by-cards",
    "picture", "light", "sight", "idle",
]  # fmt: skip
WEIGHT_G: Final = 200.0
"""The weight of the bench: calibrated to 0.1 g."""
SIGHT_CARDS: Final = ("7H", "KS", "AD", "9C", "QH", "5S", "JD", "TC")
"""The cards to lay face up before the camera, no two alike; of a pack that has them."""


def cards_to_lay(pack: Pack) -> tuple[str, ...]:
    """Return the cards of ``pack`` to lay face up before the camera: as many of another pack, from all over it.

    >>> from hw.cards import BRIDGE, TAROCCO
    >>> cards_to_lay(BRIDGE)
    ('7H', 'KS', 'AD', '9C', 'QH', '5S', 'JD', 'TC')
    >>> cards_to_lay(TAROCCO)
    ('AC', 'CC', '9D', '6S', 'QS', 'TB', 't18', 't11')
    """
    faces = tuple(pack.copies)
    return (
        SIGHT_CARDS if set(SIGHT_CARDS) <= set(faces) else faces[:: len(faces) // len(SIGHT_CARDS)][: len(SIGHT_CARDS)]
    )


@dataclass(frozen=True, slots=True)
class ProcedureLine:
    """One line of the procedure.

    ``each``: what it is done for, one after the other. ``way``: how it is done and judged. ``times``: how often, one
    every ``pace`` seconds, or ``seconds`` how long, in a quick walk at least ``least_s``. ``limits``: what a good
    table keeps, by name. ``step``: under which name ``hw.board.bench_figures.measure`` counts it; ``measures``: the
    figures of the noise file it gives.
    """

    name: str
    chapter: str
    each: Each
    way: Way
    it: str
    en: str
    times: int = 0
    pace: float = 2.0
    seconds: float = 0.0
    least_s: float = 0.0
    limits: Mapping[str, float] = field(default_factory=dict)
    step: str = ""
    measures: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


CHAPTERS: Final[Mapping[str, tuple[str, str]]] = {
    "nodes": ("I microcontrollori", "The controllers"),
    "rest": ("Il tavolo vuoto", "The empty table"),
    "coils": ("Le spire", "Coils"),
    "scales": ("Le bilance", "Scales"),
    "beams": ("Le barriere", "Light barriers"),
    "shields": ("I paramani", "Hand-shields"),
    "buttons": ("I pulsanti", "Buttons"),
    "knocks": ("Le bussate", "Knocks"),
    "screens": ("Schermo e vassoio", "Screen and tray"),
    "camera": ("La telecamera", "Camera"),
    "light": ("La luce", "Light"),
    "reading": ("La lettura delle carte", "Reading cards"),
    "quiet": ("Mezz’ora di quiete", "Half an hour of quiet"),
}

PROCEDURE: Final[tuple[ProcedureLine, ...]] = (
    ProcedureLine(
        "hello",
        "nodes",
        "node",
        "hello",
        "Collega il microcontrollore «{node}» e aspetta che si presenti.",
        "Plug in controller '{node}' and wait until it says hello.",
        seconds=20,
        limits={"troubles": 0},
    ),
    ProcedureLine(
        "rest",
        "rest",
        "table",
        "rest",
        "Togli tutto dal tavolo e allontana le mani: {seconds} secondi senza toccare nulla.",
        "Take everything off the table and your hands away: touch nothing for {seconds} seconds.",
        seconds=60,
        limits={"zero_g": 5.0, "sigma_g": 0.6, "drift_g_per_min": 0.9, "knocks": 1},
    ),
    ProcedureLine(
        "coil-tuning",
        "coils",
        "coil",
        "number",
        "Misura la spira ({zone}) con l’analizzatore dal lato del lettore (docs/board.md, accordo) e scrivi la parte "
        "reale a 13,56 MHz in ohm (a vuoto: salta).",
        "Measure the coil at {zone} with the analyser from the reader's side (docs/board.md, tuning) and type the real "
        "part at 13.56 MHz in ohms (nothing: leave it out).",
        limits={"least": 19, "most": 29},
        tools=("NanoVNA",),
    ),
    ProcedureLine(
        "coil-hold",
        "coils",
        "coil",
        "hold",
        "Appoggia una carta sola sul panno sopra la spira ({zone}) e lasciala ferma cinque secondi, poi toglila.",
        "Lay one single card on the felt over the coil at {zone}, leave it for five seconds, then take it away.",
        seconds=5,
        limits={"read": 0.95},
    ),
    ProcedureLine(
        "coil-reach",
        "coils",
        "coil",
        "hold",
        "La stessa carta sopra lo spessore da 20 mm, sulla spira ({zone}), ferma cinque secondi, poi toglila.",
        "The same card on the 20 mm block over the coil at {zone}, five seconds, then take it away.",
        seconds=5,
        limits={"read": 0.8},
        tools=("20 mm",),
    ),
    ProcedureLine(
        "coil-passes",
        "coils",
        "coil",
        "passes",
        "Passa {times} volte una carta sola sopra la spira ({zone}), una a ogni segnale.",
        "Pass one single card over the coil at {zone} {times} times, once at each tone.",
        times=100,
        limits={"miss": 0.05, "ghost": 0.02},
        step="gate",
        measures=("gate.miss", "gate.ghost"),
    ),
    ProcedureLine(
        "scale-weight",
        "scales",
        "scale",
        "weight",
        "Posa il peso da {grams} g al centro della bilancia ({zone}), aspetta il segnale, toglilo.",
        "Lay the {grams} g weight on the middle of the scale at {zone}, wait for the tone, take it off.",
        limits={"off": 0.01, "zero_g": 0.9, "readings_s": 20},
        tools=("200 g",),
    ),
    ProcedureLine(
        "scale-corners",
        "scales",
        "scale",
        "corners",
        "Posa il peso da {grams} g su ciascuno dei quattro angoli del piatto ({zone}), uno per volta.",
        "Lay the {grams} g weight on each of the plate's four corners at {zone}, one after the other.",
        limits={"corner_g": 0.9},
        tools=("200 g",),
    ),
    ProcedureLine(
        "scale-creep",
        "scales",
        "scale",
        "creep",
        "Posa il peso da {grams} g al centro della bilancia ({zone}) e lascialo {seconds} secondi, poi toglilo.",
        "Lay the {grams} g weight on the middle of the scale at {zone}, leave it for {seconds} seconds, take it off.",
        seconds=60,
        least_s=30,
        limits={"creep_g_per_min": 0.9},
        tools=("200 g",),
    ),
    ProcedureLine(
        "scale-cards",
        "scales",
        "scale",
        "cards",
        "Posa una carta sulla bilancia ({zone}) a un segnale e toglila al successivo, {times} segnali in tutto.",
        "Lay one card on the scale at {zone} at one tone and take it off at the next, {times} tones in all.",
        times=100,
        pace=3.0,
        limits={"miss": 0.02},
        step="scale",
        measures=("scale.sigma_g", "scale.drift_g_per_min", "scale.settle_ms"),
    ),
    ProcedureLine(
        "reach",
        "beams",
        "reach",
        "reach",
        "Dal posto {seat} allunga la mano ({place}) e ritirala, {times} volte, una a ogni segnale.",
        "From seat {seat} reach to {place} and take your hand back, {times} times, once at each tone.",
        times=25,
        limits={"miss": 0.1, "bounce": 0.1},
        step="reach",
        measures=("beam.miss", "beam.bounce"),
    ),
    ProcedureLine(
        "shield",
        "shields",
        "shield",
        "shield",
        "Rovescia il paramani di {seat} e rialzalo, {times} volte, una a ogni segnale.",
        "Turn the hand-shield of {seat} over and up again, {times} times, once at each tone.",
        times=25,
        pace=3.0,
        limits={"miss": 0.05, "bounce": 0.1},
        step="shield",
        measures=("contact.miss", "contact.bounce"),
    ),
    ProcedureLine(
        "button",
        "buttons",
        "button",
        "button",
        "Premi il pulsante {button} di {seat}, {times} volte, una a ogni segnale.",
        "Press {seat}'s button {button}, {times} times, once at each tone.",
        times=5,
        limits={"miss": 0.0},
        step="button",
        measures=("contact.miss",),
    ),
    ProcedureLine(
        "knock",
        "knocks",
        "knock",
        "knock",
        "Bussa davanti al posto {seat}, {times} volte, una a ogni segnale.",
        "Knock before seat {seat}, {times} times, once at each tone.",
        times=25,
        limits={"miss": 0.2},
        step="knock",
        measures=("knock.miss",),
    ),
    ProcedureLine(
        "screen",
        "screens",
        "screen",
        "screen",
        "Muovi {part} e rimettilo com’era, {times} volte, una a ogni segnale.",
        "Move {part} and put it back as it was, {times} times, once at each tone.",
        times=10,
        pace=4.0,
        limits={"miss": 0.0, "bounce": 0.1},
        step="screen",
        measures=("contact.miss", "contact.bounce"),
    ),
    ProcedureLine(
        "tray",
        "screens",
        "tray",
        "tray",
        "Porta il vassoio sul lato {side}; poi spostalo di una spanna e riportalo, {times} volte, una a ogni segnale.",
        "Put the tray at side {side}; then push it a hand's breadth away and back, {times} times, once at each tone.",
        times=10,
        pace=4.0,
        limits={"miss": 0.0, "bounce": 0.1},
        step="tray",
        measures=("contact.miss", "contact.bounce"),
    ),
    ProcedureLine(
        "camera-by-cards",
        "camera",
        "calibration",
        "by-cards",
        "Senza marcatori: una carta scoperta in ogni angolo, a filo dei due bordi, e una tra il centro e Nord.",
        "Without markers: a card face up in each corner, flush with both edges, and one between the middle and North.",
        seconds=180,
        least_s=180,
        limits={"error_mm": 5.0},
    ),
    ProcedureLine(
        "camera-cover",
        "camera",
        "camera",
        "cover",
        "Copri l’obiettivo con la mano per tre secondi, poi toglila.",
        "Cover the lens with your hand for three seconds, then take it away.",
        seconds=3,
    ),
    ProcedureLine(
        "camera-picture",
        "camera",
        "camera",
        "picture",
        "Tavolo vuoto, con i quattro marcatori se ci sono: non toccare nulla.",
        "The empty table, with its four markers if it has them: touch nothing.",
        seconds=4,
        limits={"residual_mm": 2.0, "edge_px": 4.5, "index_px_per_mm": 0.92, "face_px_per_mm": 1.36, "markers": 4},
    ),
    ProcedureLine(
        "light",
        "light",
        "camera",
        "light",
        "Ancora il tavolo vuoto, con le luci come in partita.",
        "The empty table again, with the lights as in play.",
        seconds=4,
        limits={"evenness": 0.5, "flicker": 0.03, "glare": 0.002},
    ),
    ProcedureLine(
        "camera-cards",
        "reading",
        "camera",
        "sight",
        "Posa scoperte, a distanza, le carte {cards} e non toccare nulla per due minuti.",
        "Lay the cards {cards} face up and apart, and touch nothing for two minutes.",
        seconds=120,
        limits={"miss": 0.05, "misread": 0.0},
        step="sight",
        measures=("sight.miss", "sight.misread", "sight.position_mm"),
    ),
    ProcedureLine(
        "idle",
        "quiet",
        "table",
        "idle",
        "Tavolo pronto, nessuno lo tocca per mezz’ora.",
        "The table is ready and nobody touches it for half an hour.",
        seconds=1800,
        step="idle",
        measures=("knock.false_per_min",),
    ),
)
