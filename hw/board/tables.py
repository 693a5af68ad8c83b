"""The board's data as Markdown tables: what to buy, every part and net, sources, the bench procedure."""

from __future__ import annotations

from hw.board.bench import STEPS
from hw.board.schematic import references
from hw.board.supplies import budget
from hw.board.wiring import Wiring

MADE = "<!-- made by `python -m hw.board docs/board`; edit hw/board/*.toml instead -->\n"


def cost(wiring: Wiring, *, games: bool) -> float:
    """Euro for the parts of one table, without tax and without work; ``games``: with what tarocco and bridge need."""
    return sum(
        float((entry["count"] - (0 if games else entry.get("games", 0))) * entry["euro"])
        for entry in wiring.shopping.values()
    )


def parts_table(wiring: Wiring) -> str:
    """The parts list of one table."""
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
    return "\n".join(lines) + "\n"


def bench_table() -> str:
    """The steps of the bench procedure."""
    lines = [MADE, "# Bench procedure", "", "| step | what to do | measures |", "|---|---|---|"]
    lines += [f"| `{step.name}` | {step.en} {step.it} | {', '.join(step.measures)} |" for step in STEPS]
    return "\n".join(lines) + "\n"
