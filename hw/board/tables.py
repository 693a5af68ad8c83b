"""The board's data as Markdown tables: what to buy, every net, the bench procedure."""

from __future__ import annotations

from hw.board.bench import STEPS
from hw.board.wiring import Wiring, budget

MADE = "<!-- made by `python -m hw.board docs/board`; edit hw/board/*.toml instead -->\n"


def parts_table(wiring: Wiring) -> str:
    """The parts list of one table."""
    lines = [
        MADE,
        "# Parts of one table",
        "",
        "Order numbers are the makers'; nothing of this has been bought yet.",
        "",
    ]
    lines += ["| count | part | maker | number | for |", "|--:|---|---|---|---|"]
    for part in wiring.shopping.values():
        lines.append(f"| {part['count']} | {part['name']} | {part['maker']} | {part['number']} | {part['use']} |")
    lines += ["", "## Supplies", "", "| net | drawn at most, mA | given, mA |", "|---|--:|--:|"]
    for name, (drawn, given) in budget(wiring).items():
        lines.append(f"| {name} | {drawn:g} | {given:g} |")
    return "\n".join(lines) + "\n"


def wiring_table(wiring: Wiring) -> str:
    """Every net with its ends."""
    lines = [MADE, "# Every net of one table", "", "| net | volts | connects |", "|---|--:|---|"]
    for net in wiring.nets:
        ends = ", ".join(f"{end} (GP{wiring.functions[end]})" if ":" in end else end for end in net.ends)
        lines.append(f"| {net.name} | {net.volts:g} | {ends} |")
    lines += ["", "Left open on purpose: " + ", ".join(sorted(wiring.free)) + "."]
    return "\n".join(lines) + "\n"


def bench_table() -> str:
    """The steps of the bench procedure."""
    lines = [MADE, "# Bench procedure", "", "| step | what to do | measures |", "|---|---|---|"]
    lines += [f"| `{step.name}` | {step.en} {step.it} | {', '.join(step.measures)} |" for step in STEPS]
    return "\n".join(lines) + "\n"
