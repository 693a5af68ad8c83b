"""Fante, cavallo, regina and re of the tarocco: the upper half of each figure, in its suit's colours."""

from __future__ import annotations

from typing import Final

from hw.pack.latin_suits import coin, cup, staff, sword
from hw.pack.shapes import LINE, disc, eyes, moved, plain, shape, stroke
from hw.pack.style import PackStyle

_ROBES: Final = {
    "C": ("#b3243a", "#f0c75e"),
    "D": ("#c97a16", "#7b1e3a"),
    "S": ("#234a8c", "#c9d6ea"),
    "B": ("#2f7445", "#e8c15a"),
}
_HAIR: Final = {"C": "#c08a35", "D": "#6e3b1c", "S": "#8f939c", "B": "#2e241d"}
_HORSES: Final = {"C": "#f4efe6", "D": "#b98a4e", "S": "#6f7681", "B": "#4a3020"}


def court_half(rank: str, suit: str, style: PackStyle) -> str:
    """Return the upper half of the figure ``rank`` (F, C, Q, K) of ``suit`` with its mark, around the card's centre."""
    figure = {"F": _fante, "C": _cavallo, "Q": _regina, "K": _re}[rank]
    return figure(suit, style)


def _mark(suit: str, x: float, y: float, scale: float = 1.0) -> str:
    body = {"C": cup(), "D": coin(), "S": sword(24.0), "B": staff(24.0)}[suit]
    return moved(body, x, y, scale=scale)


def _head(style: PackStyle, x: float = 0.0, y: float = -22.0) -> str:
    """Return a face seen from the front, 10 mm wide."""
    return moved(
        shape("M-3 4.5V9L0 12L3 9V4.5Z", style.skin)
        + shape("M-5.2 -.6C-5.2 -6.4 5.2 -6.4 5.2 -.6C5.2 4.4 2.6 7.4 0 7.4C-2.6 7.4 -5.2 4.4 -5.2 -.6Z", style.skin)
        + stroke("M-3.6 -1.8Q-2.4 -2.6 -1.2 -1.9M1.2 -1.9Q2.4 -2.6 3.6 -1.8M-.1 -.6L-.7 2.2H.4", LINE, 0.4)
        + eyes(-0.2, 2.3, 0.55)
        + stroke("M-1.4 4.3Q0 5.1 1.4 4.3", "#b5162f", 0.7),
        x,
        y,
    )


def _bust(suit: str, wide: float = 20.0) -> str:
    """Shoulders and chest with the suit's own pattern down the front."""
    robe, second = _ROBES[suit]
    shoulders = shape(f"M{-wide - 4:g} 3V-3C{-wide - 2:g} -9 -13 -11 -5.5 -13H5.5"
        f"C13 -11 {wide + 2:g} -9 {wide + 4:g} -3V3Z",
                      robe)  # fmt: skip
    pattern = {
        "C": "".join(
            plain(f"M{x} {-8 + abs(x) * 0.2:g}l1.4 1.8l-1.4 1.8l-1.4 -1.8z", second) for x in (-16, -11, 11, 16)
        ),
        "D": "".join(
            disc(x, y, 1.1, second, 0) for x, y in ((-17, -5), (-12, -8), (-11, -4), (11, -4), (12, -8), (17, -5))
        ),
        "S": "".join(stroke(f"M{x} -12V2", second, 0.9) for x in (-17, -13, -9, 9, 13, 17)),
        "B": "".join(
            stroke(f"M{-20} {y}Q-12 {y - 3} -6 {y + 1}M20 {y}Q12 {y - 3} 6 {y + 1}", second, 0.9) for y in (-7, -3)
        ),
    }[suit]
    return shoulders + pattern + shape("M-4.6 -12L0 -7L4.6 -12L5.6 2H-5.6Z", second)


def _fante(suit: str, style: PackStyle) -> str:
    robe, second = _ROBES[suit]
    hair = shape("M-5.8 -26C-9 -22 -8.6 -17 -8 -14C-5.8 -13.4 -4.4 -15 -4.4 -17L-5 -25H5L4.4 -17"
        "C4.4 -15 5.8 -13.4 8 -14"
                 "C8.6 -17 9 -22 5.8 -26Z", _HAIR[suit])  # fmt: skip
    cap = (
        shape("M-9 -25.4C-10 -31 -3 -33.4 1.6 -32.4C7.4 -31.2 10 -28.6 8.6 -25.4Q0 -28 -9 -25.4Z", robe)
        + shape("M-9.2 -26Q0 -28.6 9 -26L8.6 -23.8Q0 -26.2 -8.8 -23.8Z", second)
        + shape("M6 -28C12 -30 14 -35 12 -38.6C9 -37 6 -33 6 -28Z", "#fdfaf2")
    )
    return _bust(suit) + hair + _head(style) + cap + _mark(suit, -18.5, -24, 0.95) + _hand(-16, -10, style)


def _hand(x: float, y: float, style: PackStyle) -> str:
    return (
        f'<ellipse cx="{x:g}" cy="{y:g}" rx="2.8" ry="2.2" fill="{style.skin}" stroke="{LINE}" stroke-width=".45"/>'
        + stroke(f"M{x - 2.3:g} {y + 0.1:g}h3.2M{x - 2:g} {y + 1:g}h2.8", LINE, 0.3)
    )


def _cavallo(suit: str, style: PackStyle) -> str:
    robe, second = _ROBES[suit]
    coat = _HORSES[suit]
    mane = shape("M7 -29C13 -27 17 -18 18.6 -2H9C10 -14 8 -22 4 -26Z", _HAIR[suit])
    horse = shape(
        "M16 3C17 -10 14 -22 8 -28L8.6 -34L4.6 -30.4L1.6 -34.6L.6 -29C-4 -26 -9.4 -19 -14.4 -15.6"
        "C-17 -13.8 -17.4 -11 -15.4 -9.4C-13.4 -7.8 -10.6 -8.4 -8.6 -9.4C-5.4 -11 -2.6 -12 .4 -12.6"
        "C-1.6 -7 -5 -3 -9 3Z",
        coat,
    )
    eye = disc(-2.6, -22.4, 1.0, LINE, 0) + disc(-14, -12, 0.6, LINE, 0)
    bridle = (
        stroke("M-9.4 -19.6C-8 -16 -6.6 -12.8 -5.2 -10.8M.6 -28.4C2 -22 2 -17 .4 -12.6M-9 -16.4C-4 -16 0 -17 1.8 -18.4"
               "M1.4 -16C6 -10 9 -6 15 -4", robe, 1.5)
        + disc(-7.6, -16.2, 1.3, style.gold) + disc(1.8, -18.2, 1.3, style.gold)
    )  # fmt: skip
    cloth = shape("M-9.4 3C-5 -2.4 -3 -5.4 -1.6 -8.6C4 -6 11 -4.4 16.4 -4.2L16 3Z", second) + stroke(
        "M-6 -.6C0 -4 8 -1.6 16 -1", robe, 1.2
    )
    return mane + horse + eye + bridle + cloth + _mark(suit, -18, -26.5, 0.95)


def _regina(suit: str, style: PackStyle) -> str:
    second = _ROBES[suit][1]
    veil = shape("M-7.4 -28C-13 -22 -12 -15 -15.4 -9H15.4C12 -15 13 -22 7.4 -28Z", second)
    hair = shape("M0 -29C-7.6 -29 -8.6 -23 -7.8 -19C-7.4 -16 -8.6 -13 -9 -10.6C-5.8 -10 -3.6 -12 -3.8 -16L-4.8 -23"
                 "Q0 -25.4 4.8 -23L3.8 -16C3.6 -12 5.8 -10 9 -10.6C8.6 -13 7.4 -16 7.8 -19C8.6 -23 7.6 -29 0 -29Z",
                 _HAIR[suit])  # fmt: skip
    fringe = shape("M0 -28.2C-4.6 -28 -6 -25 -5.4 -21.8Q-1.6 -23.4 0 -26Q1.6 -23.4 5.4 -21.8C6 -25 4.6 -28 0 -28.2Z",
                   _HAIR[suit])  # fmt: skip
    crown = shape("M-6.6 -27L-8 -32.4L-4.4 -30.4L-2.6 -34L0 -31L2.6 -34L4.4 -30.4L8 -32.4L6.6 -27Q0 -28.8 -6.6 -27Z",
                  style.gold)  # fmt: skip
    pearls = "".join(
        disc(x, y, 0.85, "#fdfaf2", 0.3) for x, y in ((-8, -32.8), (-2.6, -34.5), (2.6, -34.5), (8, -32.8))
    )
    collar = "".join(
        disc(x, y, 1.0, style.gold, 0.3) for x, y in ((-5, -10.6), (-2.8, -8.4), (0, -7.2), (2.8, -8.4), (5, -10.6))
    )
    fan = moved(_mark(suit, 0, 0, 0.95), 18.5, -24) + _hand(16, -10, style)
    return veil + _bust(suit, 17.0) + hair + _head(style) + fringe + crown + pearls + collar + fan


def _re(suit: str, style: PackStyle) -> str:
    robe = _ROBES[suit][0]
    fur = shape("M-24 3V-4C-20 -10 -12 -12.6 -5 -13.6L0 -8L5 -13.6C12 -12.6 20 -10 24 -4V3H18C16 -4 8 -7 0 -4"
        "C-8 -7 -16 -4 -18 3Z",
                "#fdfaf2")  # fmt: skip
    spots = "".join(stroke(f"M{x} {y}v1.3", LINE, 0.7) for x, y in
                    ((-20, -5), (-15, -8), (-10, -9.6), (-5, -9), (5, -9), (10, -9.6), (15, -8), (20, -5)))  # fmt: skip
    locks = shape("M-6.6 -25C-9 -20 -7.4 -17 -8.8 -13C-6 -11.6 -4.2 -13 -4.2 -16V-25ZM6.6 -25C9 -20 7.4 -17 8.8 -13"
                  "C6 -11.6 4.2 -13 4.2 -16V-25Z", _HAIR[suit])  # fmt: skip
    beard = shape("M-5.3 -21C-6.6 -13 -3.8 -7 0 -5.4C3.8 -7 6.6 -13 5.3 -21C4.4 -18.6 2.4 -18.2 0 -18.4"
                  "C-2.4 -18.2 -4.4 -18.6 -5.3 -21Z", _HAIR[suit])  # fmt: skip
    crown = (
        shape("M-7 -25.4L-9.4 -34.4L-4.4 -30L0 -37L4.4 -30L9.4 -34.4L7 -25.4Q0 -27.4 -7 -25.4Z", style.gold)
        + shape("M-7.2 -27Q0 -28.8 7.2 -27L7 -24.2Q0 -26 -7 -24.2Z", robe)
        + "".join(disc(x, y, 1.1, robe, 0.35) for x, y in ((-9.4, -34.8), (0, -37.2), (9.4, -34.8)))
    )
    return (
        _bust(suit) + fur + spots + locks + _head(style) + beard + stroke("M-1.4 -16"
            "Q0 -15.4 1.4 -16", "#b5162f", 0.8)
        + crown + _mark(suit, -19, -24, 0.95) + _mark(suit, 19, -24, 0.95)
    )  # fmt: skip
