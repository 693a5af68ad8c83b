"""Drawings to scale as SVG: the plan of the table, its side view, a coil, the wiring, the supplies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final
from xml.sax.saxutils import escape
from zlib import crc32

from hw.equipment import Equipment
from hw.layout import DEFAULT_LAYOUT, Layout, Rect
from lab.board import plan
from lab.board.coil import GATE, Coil
from lab.board.optics import LENS_MM, CameraView, view
from lab.board.schematic import GRID, PlacedPart, SchematicSheet
from lab.board.supplies import budget
from lab.board.tuning import ReaderCircuit, Tuning
from lab.board.wiring import Wiring

INK: Final = "#1c2230"
FAINT: Final = "#8a93a3"
PAPER: Final = "#fdfcf8"
SHORT: Final = 34
"""Letters of a part's value that fit below its box."""
COLOURS: Final = {"coil": "#b45309", "scale": "#15803d", "beam": "#b91c1c", "camera": "#1d4ed8", "zone": "#cbd5e1"}
FONT: Final = 'font-family="DejaVu Sans, Arial, sans-serif"'


def _svg(width: float, height: float, body: Iterable[str]) -> str:
    inner = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}">\n<rect width="100%" height="100%" fill="{PAPER}"/>\n{inner}\n</svg>\n'
    )


def _text(x: float, y: float, words: str, size: float = 13, colour: str = INK, anchor: str = "start") -> str:
    where = f'x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"'
    return f"<text {where} {FONT}>{escape(words)}</text>"


def _line(x0: float, y0: float, x1: float, y1: float, colour: str, width: float = 1.5, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{colour}" stroke-width="{width:g}"{dashed}/>'


def _box(
    x: float, y: float, across: float, down: float, stroke: str, fill: str = "none", width: float = 1.5, dash: str = ""
) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{across:g}" height="{down:g}" fill="{fill}" stroke="{stroke}" '
        f'stroke-width="{width:g}" rx="2"{dashed}/>'
    )


def table_plan(
    layout: Layout = DEFAULT_LAYOUT,
    coils: Sequence[plan.PlannedPart] | None = None,
    scales: Sequence[plan.PlannedPart] | None = None,
    beams: Sequence[plan.Beam] | None = None,
) -> str:
    """Return a table from above, North up, one unit of the drawing a millimetre: zones, coils, scales, beams, markers.

    What is not given is Burraco's.
    """
    margin, half = 70.0, layout.side / 2
    coils = plan.coils(layout) if coils is None else coils
    scales = plan.scales(layout) if scales is None else scales
    beams = plan.beams(layout) if beams is None else beams

    def place(rect: Rect) -> tuple[float, float, float, float]:
        return margin + half + rect.x0, margin + half - rect.y1, rect.x1 - rect.x0, rect.y1 - rect.y0

    def point(x: float, y: float) -> tuple[float, float]:
        return margin + half + x, margin + half - y

    body = [_box(margin, margin, layout.side, layout.side, INK, "#e7efe6", 3)]
    for name, rect in layout.zones.items():
        x, y, across, down = place(rect)
        body += [_box(x, y, across, down, FAINT, "none", 1, "4 4"), _text(x + 4, y + 13, name, 11, FAINT)]
    for laid in scales:
        body.append(_box(*place(laid.rect), COLOURS["scale"], "#15803d22", 2))
    for laid in coils:
        x, y, across, down = place(laid.rect)
        clear = plan.KEEP_CLEAR
        body.append(
            _box(x - clear, y - clear, across + 2 * clear, down + 2 * clear, COLOURS["coil"], "none", 0.8, "2 4")
        )
        body.append(_box(x, y, across, down, COLOURS["coil"], "#b4530944", 2))
    for beam in beams:
        (x0, y0), (x1, y1) = point(*beam.start), point(*beam.end)
        red = COLOURS["beam"]
        body.append(_line(x0, y0, x1, y1, red, 1.5, "9 5"))
        body.append(f'<circle cx="{x0:g}" cy="{y0:g}" r="6" fill="{red}"/>')
        body.append(f'<circle cx="{x1:g}" cy="{y1:g}" r="5" fill="{PAPER}" stroke="{red}" stroke-width="2"/>')
    for marker in layout.markers:
        x, y = point(marker.x, marker.y)
        body.append(_box(x - marker.side / 2, y - marker.side / 2, marker.side, marker.side, INK, "#ffffff", 2))
        body.append(_text(x, y + 4, str(marker.number), 13, INK, "middle"))
    x0, y0, x1, y1 = margin, margin + layout.side + 28, margin + layout.side, margin + layout.side + 28
    body += [_line(x0, y0, x1, y1, INK), _text((x0 + x1) / 2, y0 + 20, f"{layout.side:g} mm", 14, INK, "middle")]
    body += [_text(margin + half, margin - 14, "North", 15, INK, "middle")]
    legend = (
        ("coil", "gate coil 12 x 80 mm; dotted: no metal"),
        ("scale", "plate on a load cell"),
        ("beam", "light barrier: emitter full, receiver hollow"),
    )
    for n, (kind, words) in enumerate(legend):
        x = margin + n * 320
        body += [_box(x, 14, 22, 14, COLOURS[kind], COLOURS[kind] + "44"), _text(x + 30, 26, words)]
    return _svg(layout.side + 2 * margin, layout.side + 2 * margin + 20, body)


def game_plan(layout: Layout, equipment: Equipment) -> str:
    """Return the plan of another game's table: coils and barriers at seats' edges, plates where ``equipment`` says."""
    edges = [beam for beam in plan.beams() if beam.part.startswith("beam-edge-")]
    return table_plan(layout, plan.seat_coils(), plan.scales(layout, equipment), edges)


def side_view(seen: CameraView | None = None, side: float = 900.0) -> str:
    """Return the table from the South with mast, camera and what the camera sees; two millimetres a unit."""
    seen = view(side) if seen is None else seen
    scale, left, floor = 0.5, 150.0, 1090.0
    cloth = floor - 740 * scale
    lens = cloth - seen.above_cloth * scale
    middle = left + side * scale / 2
    wide = seen.seen * scale * 4056 / 3040 / 2
    body = [
        _line(60, floor, 760, floor, FAINT, 2),
        _box(left, cloth, side * scale, 9, INK, "#c9b79c"),
        *(_box(x, cloth + 9, 14, 740 * scale - 9, INK, "#e5e0d6") for x in (left + 20, left + side * scale - 34)),
        _box(left - 34, lens - 40, 20, floor - lens + 40, INK, "#e5e7eb"),
        _box(left - 34, lens - 40, side * scale / 2 + 60, 20, INK, "#e5e7eb"),
        _box(middle - 24, lens - 20, 48, 14, INK, "#ffffff"),
        _cone((middle, lens), (middle - wide, middle + wide), cloth),
        _line(700, lens, 700, cloth, INK),
        _text(708, (lens + cloth) / 2, f"{seen.above_cloth:.0f} mm", 15),
        _line(700, cloth, 700, floor, INK),
        _text(708, (cloth + floor) / 2, "740 mm", 15),
        _text(middle + 34, lens - 8, f"camera, {LENS_MM:g} mm lens; Pi 5 and UPS beside it", 14),
        _text(
            left,
            floor + 30,
            f"{seen.px_per_mm:.2f} px/mm on the cloth: an index 6 mm wide has {seen.index_px:.0f} px",
            14,
        ),
        _text(
            left,
            floor + 52,
            f"sharp from {seen.depth_near:.0f} to {seen.depth_far:.0f} mm at f/4; "
            f"the corner is seen {seen.corner_tilt:.0f} degrees off",
            14,
        ),
    ]
    return _svg(860, floor + 80, body)


def _cone(tip: tuple[float, float], foot: tuple[float, float], level: float) -> str:
    points = f"{tip[0]:g},{tip[1]:g} {foot[0]:g},{level:g} {foot[1]:g},{level:g}"
    return f'<polygon points="{points}" fill="#1d4ed814" stroke="{COLOURS["camera"]}" stroke-dasharray="6 5"/>'


def field_view(seen: CameraView | None = None, side: float = 900.0) -> str:
    """Draw the camera's view of the table from above: its whole picture, the table in it, the four printed markers."""
    seen = view(side) if seen is None else seen
    scale, edge = 0.6, 40.0
    wide, high = seen.seen * 4056 / 3040 * scale, seen.seen * scale
    middle = (edge + wide / 2, edge + high / 2)
    body = [
        _box(edge, edge, wide, high, COLOURS["camera"], "#1d4ed80d", 2, "8 5"),
        _text(edge, edge - 12, "blue: the camera's picture, 4056 x 3040", 14, COLOURS["camera"]),
        _box(middle[0] - side * scale / 2, middle[1] - side * scale / 2, side * scale, side * scale, INK, "#e7efe6", 3),
    ]
    for across, up in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
        x, y = middle[0] + across * MARKER_AT * scale, middle[1] - up * MARKER_AT * scale
        body.append(_box(x - 12, y - 12, 24, 24, INK, INK))
    words = f"four markers, {MARKER_AT:g} mm from the middle lines: each wholly in the picture, none covered"
    body.append(_text(edge, edge + high + 26, f"{words}; {seen.px_per_mm:.2f} px/mm", 14))
    return _svg(wide + 2 * edge, high + 2 * edge + 20, body)


MARKER_AT: Final = 420.0
"""Millimetres from the table's middle lines to the centre of each printed marker."""


def blocks(steps: Sequence[tuple[str, Sequence[str]]], foot: str) -> str:
    """Boxes in a row with arrows between them: of each its title and its lines, and a sentence below all."""
    across, gap, left, top = 210.0, 46.0, 30.0, 30.0
    down = 44.0 + 20.0 * max(len(lines) for _, lines in steps)
    body = []
    for n, (title, lines) in enumerate(steps):
        x = left + n * (across + gap)
        body.append(_box(x, top, across, down, INK, "#ffffff", 2))
        body.append(_text(x + 12, top + 26, title, 16))
        body += [_text(x + 12, top + 52 + 20 * row, line, 12, FAINT) for row, line in enumerate(lines)]
        if n:
            body.append(_line(x - gap + 4, top + down / 2, x - 8, top + down / 2, COLOURS["camera"], 2.5))
            tip = f"{x - 4:g},{top + down / 2:g} {x - 14:g},{top + down / 2 - 6:g} {x - 14:g},{top + down / 2 + 6:g}"
            body.append(f'<polygon points="{tip}" fill="{COLOURS["camera"]}"/>')
    body.append(_text(left, top + down + 30, foot, 13))
    return _svg(2 * left + len(steps) * (across + gap) - gap, top + down + 56, body)


def day_drawings() -> dict[str, str]:
    """Return the drawings of the first day and of the days after it, by file name (docs/first-day.md shows them)."""
    return {
        "day-markers.svg": table_plan(coils=(), scales=(), beams=()),
        "day-field.svg": field_view(),
        "day-system.svg": blocks(
            (
                ("laptop", ("make wheel", "install --dry-run", "writes the microSD card")),
                ("microSD card", ("Pi OS Lite, 64-bit", "Debian 13 trixie", "the wheel on it")),
                ("Raspberry Pi", ("sudo … install", "--table T12", "--camera picamera2")),
                ("tavolo check", ("what this table", "can report")),
            ),
            "What is done already is left alone: begin again at any time. The table's file: examples/camera-only.toml.",
        ),
        "day-cables.svg": blocks(
            (
                ("camera", ("in the canopy", "fixed focus, f/4")),
                ("Raspberry Pi", ("beside the camera:", "the flat cable is short", "5 V supply")),
                ("network", ("cable or Wi-Fi", "no internet needed")),
                ("tablet, phone", ("the arbitro's page", "https://PI:8443")),
            ),
            "The lamp's two strips have a supply of their own: 12 V never reaches the Pi.",
        ),
        "day-scales.svg": table_plan(coils=(), beams=()),
        "day-beams.svg": table_plan(coils=()),
    }


def coil_drawing(tuning: Tuning, reader: ReaderCircuit, coil: Coil = GATE) -> str:
    """Draw one gate coil, ten units a millimetre, with its computed values and the parts between it and its reader."""
    scale, left, top = 10.0, 60.0, 70.0
    body = [_box(left, top, coil.length * scale, coil.width * scale, FAINT, "#0f766e22", 1)]
    pitch = coil.track + coil.gap
    for turn in range(coil.turns):
        inset = turn * pitch + coil.track / 2
        body.append(
            _box(
                left + inset * scale,
                top + inset * scale,
                (coil.length - 2 * inset) * scale,
                (coil.width - 2 * inset) * scale,
                COLOURS["coil"],
                "none",
                coil.track * scale,
            )
        )
    foot = top + coil.width * scale
    title = (
        f"gate coil {coil.width:g} x {coil.length:g} mm: {coil.turns} turns of {coil.track:g} mm, gap {coil.gap:g} mm"
    )
    computed = (
        f"computed: L = {coil.inductance_h * 1e6:.2f} uH (Neumann), R = {coil.resistance_ohm:.2f} ohm, "
        f"Q = {coil.quality:.0f} bare, {tuning.quality:g} with 2 x {tuning.rq:.1f} ohm"
    )
    expected = (
        f"C1 = {tuning.c1 * 1e12:.0f} pF, C2 = {tuning.c2 * 1e12:.0f} pF each side; "
        f"{tuning.amperes(reader):.2f} A in the coil from {reader.volts:g} V: "
        f"{tuning.amperes(reader) * coil.field(0, 0, 20):.1f} A/m 20 mm above its middle"
    )
    body += [_text(left, 40, title, 18), _text(left, foot + 40, computed, 16), _text(left, foot + 66, expected, 16)]
    return _svg(coil.length * scale + 2 * left, foot + 100, body)


def sheet_drawing(sheet: SchematicSheet) -> str:
    """One sheet of the schematic, four units a millimetre: every part with its pins, every pin with its net's name.

    A net has the same colour on all sheets; supplies are drawn in ink.
    """
    scale = 4.0
    body = [_text(40, 50, sheet.title, 26), _text(40, 76, "equal names are connected, on every sheet", 14, FAINT)]
    for part in sheet.parts:
        body += _part_drawing(part, scale)
    return _svg(sheet.width * scale, sheet.height * scale, body)


def _part_drawing(part: PlacedPart, scale: float) -> Iterable[str]:
    x, y = part.x * scale, part.y * scale
    off_board = part.part.cable is not None
    fill = "#fef9c3" if off_board else "#ffffff"
    yield _box(x, y, part.width * scale, part.height * scale, INK, fill, 2, "8 4" if off_board else "")
    yield _text(x, y - 4, f"{part.reference}  {part.part.name}", 10)
    words = part.value if len(part.value) <= SHORT else part.value.partition(",")[0].partition(":")[0]
    yield _text(x, y + part.height * scale + 12, words, 9, FAINT)
    for pin in part.pins:
        px, py = pin.x * scale, pin.y * scale
        inner = px + GRID * scale * (1 if pin.left else -1)
        colour = _net_colour(pin.net)
        yield _line(px, py, inner, py, colour if pin.net else FAINT, 2)
        yield _text(inner + (5 if pin.left else -5), py + 3.5, pin.name, 9, INK, "start" if pin.left else "end")
        if pin.net:
            yield _text(px + (-5 if pin.left else 5), py + 3.5, pin.net, 9.5, colour, "end" if pin.left else "start")
        else:
            yield _line(px - 5, py - 5, px + 5, py + 5, FAINT)
            yield _line(px - 5, py + 5, px + 5, py - 5, FAINT)


def _net_colour(net: str) -> str:
    if net == "GND" or net[:2] in ("12", "5V", "3V") or net.startswith("USB"):
        return INK
    return f"hsl({crc32(net.encode()) % 24 * 15} 65% 36%)"


def supply_drawing(wiring: Wiring) -> str:
    """Return the supplies as bars: what is drawn of what each can give."""
    body = [_text(40, 40, "supplies: the most that is drawn, of what each can give (mA)", 19)]
    for n, (name, (drawn, given)) in enumerate(sorted(budget(wiring).items())):
        y, full = 70 + n * 52, 560.0
        share = drawn / given
        body += [
            _text(40, y + 21, name, 15),
            _box(170, y, full, 30, FAINT, "#ffffff"),
            _box(170, y, full * min(share, 1), 30, INK, "#15803d88" if share <= 0.8 else "#b4530988"),
            _text(180 + full, y + 21, f"{drawn:.0f} of {given:.0f}", 15),
        ]
    return _svg(900, 90 + 52 * len(budget(wiring)), body)
