"""``python -m lab.board DIR``: check the wiring, then write the drawings and the tables of one table into DIR."""

from __future__ import annotations

import sys
from pathlib import Path

from hw.equipment import BRIDGE_TABLE, TAROCCO_TABLE
from hw.layout import BRIDGE_LAYOUT, TAROCCO_LAYOUT
from lab.board import drawn_plans
from lab.board.coil import GATE
from lab.board.schematic import sheets
from lab.board.tables import bench_table, facts_table, orders_table, parts_table, wiring_table
from lab.board.tuning import ReaderCircuit, tune
from lab.board.wiring import load_wiring
from lab.board.wiring_checks import problems


def pages() -> dict[str, str]:
    """Every file that is made of the board's data, by its name."""
    wiring, reader = load_wiring(), ReaderCircuit()
    tuning = tune(GATE.inductance_h, GATE.resistance_ohm, reader=reader)
    return {
        "plan.svg": drawn_plans.table_plan(),
        "plan-tarocco.svg": drawn_plans.game_plan(TAROCCO_LAYOUT, TAROCCO_TABLE),
        "plan-bridge.svg": drawn_plans.game_plan(BRIDGE_LAYOUT, BRIDGE_TABLE),
        "side.svg": drawn_plans.side_view(),
        **drawn_plans.day_drawings(),
        "coil.svg": drawn_plans.coil_drawing(tuning, reader),
        "supplies.svg": drawn_plans.supply_drawing(wiring),
        **{f"schematic-{sheet.name}.svg": drawn_plans.sheet_drawing(sheet) for sheet in sheets(wiring)},
        "parts.md": parts_table(wiring),
        "orders.md": orders_table(wiring),
        "wiring.md": wiring_table(wiring),
        "facts.md": facts_table(wiring),
        "bench.md": bench_table(),
    }


def main(arguments: list[str]) -> int:
    """Return the exit code: 1 if the wiring is not sound (nothing is drawn then), 2 used wrongly."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write("usage: python -m lab.board FOLDER\n")
        return 2
    wrong = problems(load_wiring())
    for sentence in wrong:
        sys.stderr.write(f"tavolo: lab/board: {sentence}\n")
    if wrong:
        return 1
    folder = Path(arguments[0])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages().items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        sys.stderr.write(f"tavolo: cannot write to {folder}: {error.strerror}; name another folder\n")
        return 1
    sys.stdout.write(f"{len(pages())} files in {folder}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
