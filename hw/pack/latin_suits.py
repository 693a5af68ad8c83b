"""Coppe, denari, spade, bastoni: their marks, and the aces and pips that are made of them."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final

from hw.pack.glyphs import star
from hw.pack.shapes import LINE, around, cord, disc, mirrored, moved, plain, ring, shape, stroke
from hw.pack.style import PackStyle

SUIT_INKS: Final = {"C": "#a3202f", "D": "#a86a12", "S": "#1f3f77", "B": "#2c6136"}
"""Frame and belt of each suit."""
SUIT_GROUNDS: Final = {"C": "#fbe6dc", "D": "#fbefc9", "S": "#dfe8f5", "B": "#e3efd9"}
"""Ground behind the figures of each suit."""
_GOLD, _DEEP, _RED, _BLUE, _GREEN, _BROWN = "#e3b341", "#b57d1c", "#bb2537", "#2c5aa0", "#3f8a4d", "#8a5a2b"
_STEEL: Final = "#c5d5ec"


def cup() -> str:
    """Return a covered cup, 16 mm high around the origin."""
    return (
        shape("M-5.6 -5.4H5.6C5.6 .2 3.4 2.6 1.3 3.2V5.2C3.4 5.5 4.4 6.5 4.6 8H-4.6C-4.4 6.5 -3.4 5.5 -1.3 5.2V3.2"
              "C-3.4 2.6 -5.6 .2 -5.6 -5.4Z", _RED)
        + shape("M-6.2 -6.4H6.2V-4.6H-6.2Z", _GOLD)
        + shape("M-4.8 -6.4C-4.6 -8 4.6 -8 4.8 -6.4Z", _GOLD)
        + disc(0, -8, 0.9, _GOLD)
        + stroke("M-4.7 -2.4C-2.4 -.8 2.4 -.8 4.7 -2.4", _GOLD, 1.0)
        + shape("M-1.7 3.5H1.7V5H-1.7Z", _GOLD, 0.35)
    )  # fmt: skip


def coin() -> str:
    """Return a coin, 13.4 mm across, around the origin."""
    petals = "".join(
        moved(plain("M0 -4.1C1.5 -2.9 1.5 -1.6 0 -.5C-1.5 -1.6 -1.5 -2.9 0 -4.1Z", _RED), 0, 0, turn)
        for _, _, turn in around(8, 1)
    )
    return disc(0, 0, 6.7, _GOLD) + ring(0, 0, 5.3, _DEEP, 0.55) + petals + disc(0, 0, 1.2, _BLUE, 0.3)


def _ring_coin() -> str:
    """Return the large coin of the ace, a sun in its middle."""
    beads = "".join(disc(x, y, 1.15, _RED, 0.3) for x, y, _ in around(20, 16.6))
    return (
        disc(0, 0, 19, _GOLD, 0.6)
        + ring(0, 0, 14.3, LINE, 0.5)
        + beads
        + disc(0, 0, 13.6, "#fbf0cf", 0.4)
        + f'<path d="{star(16, 12.6, 7.6)}" fill="{_RED}" stroke="{LINE}" stroke-width=".4"/>'
        + disc(0, 0, 6.6, _GOLD)
        + _sun_face()
    )


def _sun_face() -> str:
    return (
        disc(-2.2, -1.4, 0.75, LINE, 0) + disc(2.2, -1.4, 0.75, LINE, 0)
        + stroke("M-3.4 -3Q-2.2 -3.8 -1 -3.1M1 -3.1Q2.2 -3.8 3.4 -3M0 -1.2L-.7 1.1H.5M-2 2.9Q0 4.4 2 2.9", LINE, 0.5)
    )  # fmt: skip


def sword(length: float = 27.0) -> str:
    """Return a straight sword, its point upwards, around the origin."""
    top, hilt = -length / 2, length / 2 - 7.0
    return (
        shape(f"M-1.35 {hilt:g}V{top + 3:g}L0 {top:g}L1.35 {top + 3:g}V{hilt:g}Z", "#b9cbe6")
        + stroke(f"M0 {top + 3.4:g}V{hilt - 0.6:g}", _BLUE, 0.45)
        + shape(f"M-4.4 {hilt:g}H4.4V{hilt + 1.5:g}H-4.4Z", _GOLD)
        + shape(f"M-.95 {hilt + 1.5:g}H.95V{hilt + 5:g}H-.95Z", _RED)
        + disc(0, hilt + 5.9, 1.35, _GOLD)
    )


def staff(length: float = 27.0, fill: str = _GREEN) -> str:
    """Return a club with cut branches, thicker above, around the origin."""
    half = length / 2
    return (
        shape(f"M-2.1 {-half:g}Q0 {-half - 1.4:g} 2.1 {-half:g}L1.3 {half:g}Q0 {half + 0.9:g} -1.3 {half:g}Z", fill)
        + shape(f"M1.9 {-half * 0.5:g}L4 {-half * 0.5 - 2.1:g}L4.4 {-half * 0.5 - 0.6:g}L1.8 {-half * 0.5 + 2:g}Z",
                fill, 0.35)
        + shape(f"M-1.6 {half * 0.15:g}L-3.7 {half * 0.15 - 2.1:g}L-4.1 {half * 0.15 - 0.6:g}"
            f"L-1.6 {half * 0.15 + 2:g}Z",
                fill, 0.35)
        + stroke(f"M-1.9 {-half + 2.4:g}H1.9M-1.2 {half - 2.4:g}H1.2", _GOLD, 1.1)
    )  # fmt: skip


_SIDES = (-15.0, 15.0)
_ROWS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "6": tuple((x, y) for y in (-26.0, 0.0, 26.0) for x in _SIDES),
    "7": (*((x, y) for y in (-26.0, 0.0, 26.0) for x in _SIDES), (0.0, -13.0)),
    "8": (*((x, y) for y in (-26.0, 0.0, 26.0) for x in _SIDES), (0.0, -13.0), (0.0, 13.0)),
    "9": (*((x, y) for y in (-29.0, -9.7, 9.7, 29.0) for x in _SIDES), (0.0, 0.0)),
    "T": (*((x, y) for y in (-29.0, -9.7, 9.7, 29.0) for x in _SIDES), (0.0, -19.4), (0.0, 19.4)),
}
"""Centres of coins and cups."""


def pip_body(rank: str, suit: str, style: PackStyle) -> str:
    """Return the ace, or 6 to 10 marks, around the card's centre."""
    if rank == "A":
        return _ace(suit, style)
    count = 10 if rank == "T" else int(rank)
    if suit == "D":
        return "".join(moved(coin(), x, y) for x, y in _ROWS[rank])
    if suit == "C":
        return "".join(moved(cup(), x, y) for x, y in _ROWS[rank])
    return _scimitars(count) if suit == "S" else _lattice(count)


def _scimitars(count: int) -> str:
    """Draw curved blades in two sheaves that meet above and below; an odd one is between them."""
    half = count // 2
    out = ""
    for n in range(half):
        out += mirrored(_scimitar(24.4 - n * 16.0 / (half - 1), _STEEL if n % 2 else _BLUE))
    hilts = "".join(moved(shape("M-3.4 -.9H3.4V.9H-3.4Z", _GOLD, 0.4), 0, y) for y in (-33.4, 33.4))
    odd = sword(50.0) if count % 2 else _rosette(_BLUE)
    return out + hilts + odd


def _scimitar(out: float, colour: str) -> str:
    """One blade to the right whose middle lies ``out`` millimetres from the card's middle; blades alternate."""
    bend = out * 1.33
    path = f"M1.2 -36.4C{bend:.2f} -26 {bend:.2f} 26 1.2 36.4"
    return cord(path, colour, 2.2)


def _rosette(colour: str) -> str:
    petals = "".join(
        moved(plain("M0 -4.6C1.6 -3.2 1.6 -1.8 0 -.6C-1.6 -1.8 -1.6 -3.2 0 -4.6Z", colour), 0, 0, turn)
        for _, _, turn in around(6, 1)
    )
    return petals + disc(0, 0, 1.2, _GOLD, 0.35)


def _lattice(count: int) -> str:
    """Draw straight clubs that cross, half of them each way; an odd one is upright over them."""
    half = count // 2
    apart = 22.6 / (half - 1)
    places = [(n - (half - 1) / 2) * apart for n in range(half)]
    one_way = "".join(moved(staff(64.0, _GREEN), x, 0, 24.0) for x in places)
    other = "".join(moved(staff(64.0, _BROWN), x, 0, -24.0) for x in places)
    odd = staff(72.0, _RED) if count % 2 else ""
    return one_way + other + odd


def _ace(suit: str, style: PackStyle) -> str:
    if suit == "D":
        corners = "".join(moved(_rosette(_BLUE), x, y) for x in (-20, 20) for y in (-32, 32))
        return _ring_coin() + corners
    if suit == "C":
        leaves = mirrored(_branch(_GREEN))
        return moved(cup(), 0, -2, scale=3.2) + moved(leaves, 0, 33)
    ribbon = (
        stroke("M-20 20C-12 8 -6 24 0 14C6 4 12 20 20 8", LINE, 3.6)
        + stroke("M-20 20C-12 8 -6 24 0 14C6 4 12 20 20 8", style.gold, 2.8)
    )  # fmt: skip
    if suit == "S":
        crown = shape("M-6 -18L-7.6 -25L-3.4 -21.6L0 -27L3.4 -21.6L7.6 -25L6 -18Z", _GOLD)
        return moved(sword(27.0), 0, 0, scale=2.7) + crown + ribbon
    leaves = mirrored(moved(_branch(_GREEN), 0, -14, -25) + moved(_branch(_GREEN), 0, 10, -25))
    return leaves + moved(staff(27.0, _BROWN), 0, 0, scale=2.6) + ribbon


def _branch(colour: str) -> str:
    """Return a twig with leaves to the right."""
    out = stroke("M1 0Q10 2 19 -3", _BROWN, 0.8)
    for n in range(4):
        x = 5.0 + 4.2 * n
        for side in (-1, 1):
            tilt = radians(35 * side)
            out += plain(
                f"M{x:g} {0.9 - n * 0.9:g}q{3.2 * cos(tilt) - 1.4 * sin(tilt):.2f} "
                f"{3.2 * sin(tilt) - 1.4 * cos(tilt):.2f} {5 * cos(tilt):.2f} {4.4 * sin(tilt):.2f}"
                f"q-3 1 {-5 * cos(tilt):.2f} {-4.4 * sin(tilt):.2f}z",
                colour,
            )
    return out
