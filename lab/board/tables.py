"""The board's data as Markdown tables: what to buy, every part and net, sources, the bench procedure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hw.board.procedure import CHAPTERS, PROCEDURE, SIGHT_CARDS, WEIGHT_G, ProcedureLine
from lab.board.coil import GATE
from lab.board.knock import hold
from lab.board.scale_noise import Cell, permitted_share
from lab.board.schematic import references
from lab.board.supplies import budget, volts_at
from lab.board.tuning import ReaderCircuit, sentences, tune
from lab.board.wiring import Wiring

MADE = "<!-- made by `python -m lab.board docs/board`; edit lab/board/*.toml instead -->\n"


def cost(wiring: Wiring, *, games: bool) -> float:
    """Euro for the parts of one table, without tax and without work; ``games``: with what tarocco and bridge need."""
    return sum(
        float((entry["count"] - (0 if games else entry.get("games", 0))) * entry["euro"])
        for entry in wiring.shopping.values()
    )


def parts_table(wiring: Wiring) -> str:
    """Return the parts list of one table."""
    lines = [
        MADE,
        "# Parts of one table",
        "",
        (
            f"All parts of a table for burraco cost about {cost(wiring, games=False):.0f} euro, with what tarocco and "
            f"bridge need about {cost(wiring, games=True):.0f}: estimates for somebody who builds one, without tax, "
            "work and tools."
        ),
        "Nothing of this has been bought. A number that is only remembered is to be checked with the seller.",
        "",
        "| count | burraco alone | part | maker | number | looked up | euro each | for |",
        "|--:|--:|---|---|---|---|--:|---|",
    ]
    for part in wiring.shopping.values():
        alone = part["count"] - part.get("games", 0)
        lines.append(
            f"| {part['count']} | {alone} | {part['name']} | {part['maker']} | {part['number']} "
            f"| {part['checked']} | {part['euro']:g} | {part['use']} |"
        )
    lines += ["", "## Supplies", "", "| net | drawn at most, mA | given, mA |", "|---|--:|--:|"]
    for name, (drawn, given) in budget(wiring).items():
        lines.append(f"| {name} | {drawn:.0f} | {given:.0f} |")
    return "\n".join(lines) + "\n"


ORDERED: Final[dict[str, tuple[str, ...]]] = {
    "camera": ("pi5", "cooler", "card", "camera", "lens", "ribbon", "strip", "adapter", "dcplug", "mast"),
    "scales": (
        "pico", "usb", "carrier", "hx711", "cell", "plate", "xh5", "xh6", "terminal", "jack", "fuse", "fuseholder",
    ),
    "beams": (
        "mcp23017", "e3z", "ltv847", "lis3dh", "tca4307", "b3f", "led", "r330", "buzzer", "r1k", "transistor", "shield",
        "resistor", "capacitor", "xh2", "xh3", "xh4", "ups", "battery", "ads1015", "mcp6004", "piezo", "bat54s",
        "d1n4148",
    ),
    "gates": ("pn5180", "match", "coil", "hc138", "hc151", "ld1117", "slix2", "xh10", "top"),
    "tarocco, bridge": ("drv5032fa", "hallboard", "magnet", "screen", "tray", "boards"),
}  # fmt: skip
"""Orders by day, by the names of parts.toml: what is useful soonest comes first."""
GAINS: Final = {
    "camera": "turns, discards, melds, exposed cards, the end, the score; draws as likely",
    "scales": "draws and counts surely",
    "beams": "whose hand, hand-shields, buttons, calls; the table outlives a power cut",
    "gates": "names of drawn cards, for the arbitro alone",
    "tarocco, bridge": "screen and tray; the third board and seven scales more are counted here",
}


def orders_table(wiring: Wiring) -> str:
    """List what to order first, by the days of docs/first-day.md; parts of the other games last."""
    lines = [
        MADE,
        "# What to order first",
        "",
        "For one table, by what is useful soonest. Order numbers are in [parts.md](parts.md); prices are estimates.",
        "",
        "| with | you have | parts | euro |",
        "|---|---|---|--:|",
    ]
    for day, kinds in ORDERED.items():
        games = day not in ("camera", "scales", "beams", "gates")
        entries = {kind: wiring.shopping[kind] for kind in (wiring.shopping if games else kinds)}
        own = {kind: one.get("games", 0) for kind, one in entries.items()}
        count = {kind: own[kind] if games else one["count"] - own[kind] for kind, one in entries.items()}
        euro = sum(count[kind] * one["euro"] for kind, one in entries.items())
        named = ", ".join(f"{count[kind]} {entries[kind]['name']}" for kind in kinds if count[kind])
        lines.append(f"| {day} | {GAINS[day]} | {named} | {euro:.0f} |")
    return "\n".join(lines) + "\n"


def wiring_table(wiring: Wiring) -> str:
    """Every part and every net with its ends."""
    names = references(wiring)
    lines = [MADE, "# Every part and every net of one table", "", "| | part | kind | value | where | cable |"]
    lines.append("|---|---|---|---|---|---|")
    for part in wiring.parts.values():
        cable = part.cable
        on = (
            ""
            if cable is None
            else f"{cable.metres:g} m, {cable.mm2:g} mm2{f', {cable.connector}' * bool(cable.connector)}"
        )
        name = f"| {names[part.name]} | {part.name} | {wiring.kinds[part.kind].name} | {part.value} "
        lines.append(f"{name}| {part.where} | {on} |")
    lines += ["", "| net | volts | connects |", "|---|--:|---|"]
    for net in wiring.nets:
        ends = ", ".join(f"{end} (GP{wiring.functions[end]})" if ":" in end else end for end in net.ends)
        lines.append(f"| {net.name} | {net.volts:g} | {ends} |")
    lines += ["", "Left open on purpose: " + ", ".join(sorted(wiring.free)) + "."]
    return "\n".join(lines) + "\n"


def facts_table(wiring: Wiring) -> str:
    """Every kind of part with the source of its electrical facts, and what of them was not looked up."""
    lines = [MADE, "# Where the electrical facts come from", "", "| kind | source | from memory, to be checked |"]
    lines.append("|---|---|---|")
    used = {part.kind for part in wiring.parts.values()}
    lines += [f"| {kind.name} | {kind.source} | {kind.memory} |" for key, kind in wiring.kinds.items() if key in used]
    lines += ["", "# What is computed from them", "", *(f"- {one}" for one in _computed(wiring))]
    return "\n".join(lines) + "\n"


def _computed(wiring: Wiring) -> Iterator[str]:
    """Figures that docs/board.md speaks of, a sentence each."""
    reader, cell, held = ReaderCircuit(), Cell(), hold(wiring, "N")
    yield from sentences(tune(GATE.inductance_h, GATE.resistance_ohm, reader=reader), reader)
    if held is not None:
        yield (
            f"knock: of a peak {held.left:.0%} are left when the converter looks as late as it can, "
            f"and it halves in {held.halves * 1000:.0f} ms at the slowest"
        )
    yield (
        f"scale: {cell.microvolt_per_gram * 1.8:.1f} uV a card of 1.8 g, "
        f"noise {cell.noise_grams() * 1000:.0f} mg a reading; "
        f"105 cards are counted rightly while the scale errs by less than {permitted_share(105, 1.8):.2%}"
    )
    for end in ("gates.VBUS", "seats.VBUS", "places.VBUS", "ups.IN"):
        yield f"{end}: {volts_at(wiring, end):.2f} V arrive"


def bench_table() -> str:
    """Return the bench procedure on paper: what `tavolo doctor --walk` leads through, with room for what was found."""
    about = (
        "`tavolo doctor --walk --config TABLE.toml` leads through this list and fills it in by itself; it is here to "
        "be read beforehand, and for a bench without a screen. A limit that is not kept is a fault to be mended before "
        "play."
    )
    tools = (
        f"Tools: a weight of {WEIGHT_G:g} g known to 0.1 g, a wooden block of 20 mm, a vector network analyser with a "
        "pick-up loop (a NanoVNA will do), the pack in use, the printed markers."
    )
    lines = [MADE, "# Bench procedure", "", about, "", tools]
    number = 0
    for chapter, (it, en) in CHAPTERS.items():
        items = [item for item in PROCEDURE if item.chapter == chapter]
        lines += ["", f"## {en} · {it}", "", "| | for each | what to do | good if | gives | found |"]
        lines.append("|--:|---|---|---|---|---|")
        for item in items:
            number += 1
            limits = ", ".join(f"{name} {value:g}" for name, value in item.limits.items()) or "it answers"
            gives = ", ".join(item.measures) or "–"
            lines.append(
                f"| {number} | {item.each} | **{item.name}** {_filled(item.en, item)}<br>{_filled(item.it, item)} | "
                f"{limits} | {gives} | |"
            )
    return "\n".join(lines) + "\n"


def _filled(text: str, item: ProcedureLine) -> str:
    """Return a line of the procedure with its figures; what differs from sensor to sensor is a dotted gap."""
    gaps = dict.fromkeys(("zone", "seat", "place", "node", "button", "part", "side"), "…")
    figures = {"times": item.times, "seconds": f"{item.seconds:g}", "grams": f"{WEIGHT_G:g}"}
    return text.format(**figures, cards=" ".join(SIGHT_CARDS), **gaps)
