"""The 22 trionfi: the upper half of each picture on a ground of its own.

A picture is between y = -40 and the belt at y = -3.6, around (0, -21).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hw.pack.glyphs import star
from hw.pack.shapes import LINE, around, cord, disc, eyes, mirrored, moved, plain, ring, shape, stroke
from hw.pack.style import PackStyle

_GOLD, _PALE, _RED, _WHITE, _GREY = "#e3b341", "#fbf0cf", "#bb2537", "#fdfaf2", "#8f939c"
_Y: Final = -21.0
_DARK_SKIN: Final = "#7a4a2c"


@dataclass(frozen=True, slots=True)
class Trionfo:
    """One picture: ``number`` as printed, None if the card carries none; ``half`` draws it."""

    ground: str
    ink: str
    half: Callable[[PackStyle], str]
    number: int | None = None


def _face(skin: str, x: float, y: float, scale: float = 1.0) -> str:
    """Return a round face seen from the front, 9 mm wide."""
    return moved(
        shape("M-4.5 -.6C-4.5 -6 4.5 -6 4.5 -.6C4.5 4 2.2 6.4 0 6.4C-2.2 6.4 -4.5 4 -4.5 -.6Z", skin)
        + eyes(-0.4, 1.8, 0.5)
        + stroke("M-2.9 -1.9Q-1.8 -2.6 -.8 -1.9M.8 -1.9Q1.8 -2.6 2.9 -1.9M0 -.4L-.5 1.7H.4M-1.2 3.7"
            "Q0 4.5 1.2 3.7", LINE, 0.4),
        x,
        y,
        scale=scale,
    )  # fmt: skip


def _star(x: float, y: float, points: int, outer: float, inner: float, fill: str, outline: float = 0.35) -> str:
    edge = f' stroke="{LINE}" stroke-width="{outline:g}"' if outline else ""
    return f'<path transform="translate({x:g} {y:g})" d="{star(points, outer, inner)}" fill="{fill}"{edge}/>'


def _angelo(style: PackStyle) -> str:
    wing = (
        shape("M3.5 -14C10 -24 18 -31 25 -32C25.5 -26 23.5 -19 19 -14.5C14.5 -10 8 -9 3.5 -10Z", _WHITE)
        + stroke("M7 -13C12 -19 17 -24 22.5 -28M8 -11.4C13.5 -14.6 19 -19 22.8 -24M10 -10.2"
            "C14.6 -11.6 18.6 -14.6 21.4 -18.6",
                 "#3f77a8", 0.7)
    )  # fmt: skip
    robe = shape("M-9 -3C-8 -9 -6 -13 -3.6 -15H3.6C6 -13 8 -9 9 -3Z", _RED) + shape("M-2.4 -15L0 -9.5L2.4 -15Z", _GOLD)
    halo = disc(0, -23.4, 8.2, _GOLD) + ring(0, -23.4, 6.9, "#b57d1c", 0.5)
    hair = shape("M-5.4 -19C-8 -24 -5.4 -30.4 0 -30.4C5.4 -30.4 8 -24 5.4 -19Z", "#c08a35")
    trumpet = (
        cord("M2 -18.6L14 -9.6", _GOLD, 1.2)
        + shape("M12.6 -11.6L20.4 -9.4L16.4 -3.6L11.6 -10.2Z", _GOLD)
    )  # fmt: skip
    rays = "".join(
        stroke(f"M{x * 0.93:.2f} {y * 0.93 - 23.4:.2f}L{x * 1.12:.2f} {y * 1.12 - 23.4:.2f}", _GOLD, 0.8)
        for x, y, t in around(16, 11.5)
        if abs((t + 180) % 360 - 180) < 95
    )
    return rays + mirrored(wing) + robe + halo + hair + _face(style.skin, 0, -22.6) + trumpet


def _mondo(_style: PackStyle) -> str:
    globe = (
        disc(0, -17.5, 13, "#4f8fc0", 0.6)
        + plain("M-11 -24.4C-7 -30 -2 -30 -1 -27C0 -24 -5 -22 -4 -19C-3 -16 -8 -15 -10.6 -18"
            "C-12 -20 -12 -22.6 -11 -24.4Z", "#5d9a4a")
        + plain("M3 -27C7 -28.4 11 -24.6 11.8 -20.4C9 -17.6 6 -19 5.4 -21.6C5 -23.4 2 -25 3 -27Z", "#5d9a4a")
        + plain("M0 -14C4 -16.4 9 -14 8.6 -10.4C6.4 -6.6 2 -5.4 0 -6.4C-2 -8 -2.6 -12 0 -14Z", "#5d9a4a")
        + stroke("M-13 -17.5Q0 -11.5 13 -17.5", LINE, 3.2) + stroke("M-13 -17.5Q0 -11.5 13 -17.5", _GOLD, 2.3)
        + stroke("M0 -30.5V-14.6", LINE, 3.0) + stroke("M0 -30.5V-14.6", _GOLD, 2.1)
    )  # fmt: skip
    cross = shape("M-1.2 -30V-33.4H-4.2V-35.8H-1.2V-38.8H1.2V-35.8H4.2V-33.4H1.2V-30Z", _GOLD)
    laurel = mirrored(
        stroke("M3 -4.6C14 -4 20 -12 20.4 -25", "#2c6136", 1.0)
        + "".join(
            moved(plain("M0 0C2.2 -1.6 4.6 -1.4 6 0C4.6 1.4 2.2 1.6 0 0Z", "#3f8a4d"), x, y, t)
            for x, y, t in ((8, -5.2, 30), (13, -7.6, 5), (16.6, -11.4, -15), (18.8, -16, -35), (20, -21, -60),
                            (20.4, -25, -95), (15.6, -10.4, -120), (18.4, -15, -140), (19.8, -20, -160))
        )
    )  # fmt: skip
    return laurel + globe + cross


def _sole(_style: PackStyle) -> str:
    rays = "".join(
        moved(shape("M-2 -9.5L0 -18.5L2 -9.5Z", _GOLD, 0.4) if n % 2 else stroke("M0 -10"
            "C2 -12 -2 -14 0 -16.5", _RED, 1.3), 0, _Y, t)
        for n, (_, _, t) in enumerate(around(20, 1))
    )  # fmt: skip
    return (
        rays
        + disc(0, _Y, 9.8, _GOLD, 0.6)
        + ring(0, _Y, 8.4, "#c98a1d", 0.6)
        + _face("#f3cf73", 0, _Y - 0.6, 1.35)
        + (disc(-4.4, _Y + 2.4, 1.5, "#e8935a", 0) + disc(4.4, _Y + 2.4, 1.5, "#e8935a", 0))
    )


def _luna(_style: PackStyle) -> str:
    moon = shape("M5 -37C-8 -37 -15.6 -29.6 -15.6 -21C-15.6 -12.4 -8 -5 5 -5C-1.6 -9 -4 -14 -3.8 -17.4"
        "L-.6 -18.6L-3.4 -22.6"
                 "C-3.6 -27 -1.4 -33 5 -37Z", "#f1ecd2", 0.6)  # fmt: skip
    features = disc(-7, -23.6, 0.9, LINE, 0) + stroke(
        "M-9.4 -26Q-7 -27.4 -5 -26M-4.6 -14.6Q-7 -13.4 -8.4 -14.6", LINE, 0.55
    )
    stars = "".join(_star(x, y, 5, s, s * 0.42, _GOLD, 0) for x, y, s in
                    ((13, -31, 3.4), (19, -20, 2.4), (10.6, -16.6, 2.0), (18, -9.4, 2.6), (-21, -34, 2.2),
                        (-21.5, -9, 2.0)))  # fmt: skip
    return moon + features + stars


def _stella(_style: PackStyle) -> str:
    small = "".join(_star(x, y, 6, 2.6, 1.1, _WHITE, 0) for x, y in ((-20, -34), (20, -34), (-21.5, -13), (21.5, -13)))
    great = (
        _star(0, _Y, 8, 16.5, 5.2, _GOLD, 0.6) + _star(0, _Y, 8, 9.6, 3.6, _WHITE, 0.35) + disc(0, _Y, 2.6, _RED, 0.4)
    )
    tail = "".join(stroke(f"M{x:g} -8.6Q{x * 1.4:g} -6.4 {x * 1.7:g} -4", _PALE, 0.7) for x in (-5, -2, 2, 5))
    return small + tail + great


def _torre(_style: PackStyle) -> str:
    tower = shape(
        "M-9.4 -3.6V-24H-11.4V-31.4H-8V-28.6H-4.4V-31.4L-1 -28L2 -30.6L4.4 -27.2H7V-24H9.4V-3.6Z", "#c9b08a", 0.6
    )
    bricks = stroke("M-9.4 -19H9.4M-9.4 -14H9.4M-9.4 -9H9.4M-5 -24V-19M3.6 -24V-19M-1 -19V-14M6 -19V-14"
        "M-5.6 -14V-9M3 -14V-9",
                    "#8a6f49", 0.5)  # fmt: skip
    door = shape("M-2.6 -3.6V-7C-2.6 -9.6 2.6 -9.6 2.6 -7V-3.6Z", "#4a3020", 0.4) + shape(
        "M-2 -20.6V-23C-2 -25 2 -25 2 -23V-20.6Z", "#4a3020", 0.4
    )
    bolt = shape("M23 -39L6 -27.6L11.4 -26L2 -15.4L19.6 -26.6L13.6 -28.4L25.6 -36Z", _GOLD, 0.5)
    flames = "".join(shape(f"M{x} {y}C{x - 3.4} {y - 4} {x - 0.4} {y - 5.4} {x} {y - 9}"
        f"C{x + 3.4} {y - 5.4} {x + 3.4} {y - 3} {x} {y}Z", c, 0.4)
                     for x, y, c in ((-7, -30, "#dd5a22"), (-2, -29, _GOLD), (-15, -16, "#dd5a22")))  # fmt: skip
    stones = "".join(
        shape(f"M{x} {y}l3 -1l1 2.6l-2.8 1.2z", "#c9b08a", 0.4)
        for x, y in ((13, -14), (17.6, -20), (-19, -26), (15, -8))
    )
    return flames + tower + bricks + door + stones + bolt


def _diavolo(_style: PackStyle) -> str:
    wing = shape("M5 -13C10 -20 16 -26 25.4 -28C23 -25 23.4 -22 24.4 -19.4C21.4 -19.6 19.6 -17.6 19.4 -14.4"
        "C16.4 -15.6 14 -13.4 13 -9.4C10 -11 7 -10.4 5 -8Z",
                 "#3a2a33")  # fmt: skip
    body = shape("M-10 -3C-9 -9 -6 -12.6 -3.6 -13.6H3.6C6 -12.6 9 -9 10 -3Z", "#7d1d22")
    horn = shape("M3 -27C5 -32 10 -32.6 10.4 -38C14.4 -33 12.4 -26.6 6.4 -24Z", "#efe3c2")
    ear = shape("M6 -22C9 -24.6 12 -24.6 13.4 -23.4C12.4 -20.6 9 -19 6 -19.4Z", "#a8282c")
    head = shape("M-7 -22C-7 -30 7 -30 7 -22C7 -16 3.6 -12 0 -9.4C-3.6 -12 -7 -16 -7 -22Z", "#a8282c", 0.55)
    look = mirrored(shape("M1.4 -22.6L5.4 -24.4C5.4 -21.6 3.4 -20.6 1.4 -22.6Z", _GOLD, 0.4)) + stroke(
        "M0 -21L-1 -17.6H1M-3.6 -15Q0 -12.6 3.6 -15", LINE, 0.6
    )
    teeth = plain("M-2.2 -14.2L-1.6 -12.4L-1 -13.8ZM2.2 -14.2L1.6 -12.4L1 -13.8Z", _WHITE)
    beard = shape("M-2.4 -11.4L0 -5L2.4 -11.4L0 -9.6Z", "#3a2a33", 0.4)
    fork = (
        cord("M-17 -3V-26", "#b9bdc6", 1.1)
        + stroke("M-21 -33V-27.6Q-21 -25.6 -17 -25.6Q-13 -25.6 -13 -27.6V-33M-17 -25.6V-34", LINE, 2.0)
        + stroke("M-21 -33V-27.6Q-21 -25.6 -17 -25.6Q-13 -25.6 -13 -27.6V-33M-17 -25.6V-34", "#b9bdc6", 1.1)
    )
    return mirrored(wing) + fork + body + mirrored(ear + horn) + head + look + teeth + beard


def _morte(_style: PackStyle) -> str:
    scythe = cord("M17.6 -3.4L-6 -37.6", "#8a5a2b", 1.3) + shape(
        "M-8 -38.6C6 -40 18 -35 23.4 -24C14 -31.6 4 -33.4 -5.6 -34.6Z", "#c3cad6", 0.5
    )
    skull = shape(
        "M-10 -19.6C-11.4 -32.6 11.4 -32.6 10 -19.6C9.6 -16.4 7.4 -15.4 6.6 -14.6V-8.6H-6.6V-14.6"
        "C-7.4 -15.4 -9.6 -16.4 -10 -19.6Z",
        "#f3ecd8",
        0.6,
    )
    holes = (
        "".join(f'<ellipse cx="{x}" cy="-20.4" rx="2.9" ry="3.2" fill="{LINE}"/>' for x in (-4.4, 4.4))
        + plain("M0 -17.4L-1.6 -14H1.6Z", LINE)
        + stroke("M-4.4 -12.4V-8.6M-1.5 -12.8V-8.6M1.5 -12.8V-8.6M4.4 -12.4V-8.6M-6.6 -12H6.6", LINE, 0.55)
    )  # fmt: skip
    bones = moved(
        shape("M-15 -.9H15V.9H-15Z", "#f3ecd8", 0.4)
        + "".join(disc(x, y, 1.4, "#f3ecd8", 0.4) for x in (-15, 15) for y in (-1.1, 1.1)),
        0,
        -6,
        0,
    )
    return scythe + skull + holes + bones


def _traditore(style: PackStyle) -> str:
    gallows = cord("M-19 -3.6V-37H19V-3.6", "#8a5a2b", 2.2) + stroke("M-19 -29L-11 -37M19 -29L11 -37", "#8a5a2b", 1.8)
    rope = stroke("M0 -37V-32", _PALE, 1.3)
    legs = shape("M-1.8 -33H1.8L2.6 -21.4H-2.4Z", _RED) + cord("M1 -23L7.6 -28L1.4 -30.6", _RED, 2.0)
    body = shape("M-5 -22H5L4.4 -13.4H-4.4Z", "#3c6ea8") + stroke("M0 -22V-13.4M-5 -19.6H5", _GOLD, 0.8)
    arms = cord("M-4.6 -15L-9.6 -11L-5 -8.4M4.6 -15L9.6 -11L5 -8.4", "#3c6ea8", 1.9)
    head = (
        disc(0, -10.2, 3.6, style.skin)
        + shape("M-3.6 -9.4C-3 -4.4 3 -4.4 3.6 -9.4C2 -8 -2 -8 -3.6 -9.4Z", "#c08a35", 0.4)
        + disc(-1.3, -10.6, 0.45, LINE, 0)
        + disc(1.3, -10.6, 0.45, LINE, 0)
    )
    coins = "".join(disc(x, y, 1.5, _GOLD, 0.4) for x, y in ((-14, -7), (14, -8), (-12.6, -17), (13, -18)))
    return gallows + rope + legs + body + arms + head + coins


def _vecchio(style: PackStyle) -> str:
    robe = shape("M-13 -3C-13 -12 -8 -20 -6 -25C-4 -33 5 -34 7 -26C9 -20 12 -12 12 -3Z", "#6b5a45", 0.55)
    hood = shape("M-5.6 -20C-8 -32 8.4 -33 6.6 -20C4 -17 -3 -17 -5.6 -20Z", "#4b3d2e", 0.5)
    beard = shape(
        "M-4 -21C-5 -12 -3 -6.4 .4 -4.6C4 -6.4 6 -12 5 -21C3.4 -18.4 -2.4 -18.4 -4 -21Z", "#e7e4dc", 0.45
    ) + stroke("M-1.6 -17C-2 -12 -1 -9 0 -7M2.4 -17C2.8 -13 2.4 -10 1.6 -8", _GREY, 0.5)
    stick = cord("M16 -3.4C17 -14 15 -22 16.4 -29C17.4 -34 23 -32 21.4 -28", "#8a5a2b", 1.4)
    lantern = (
        stroke("M-16 -34V-30", LINE, 0.8)
        + shape("M-20 -27L-16 -31L-12 -27Z", "#7b5a2c")
        + shape("M-19.4 -27H-12.6L-13.2 -18.6H-18.8Z", "#f6d763")
        + shape("M-20 -18.6H-12V-16.8H-20Z", "#7b5a2c")
        + shape("M-16 -19.6C-18 -21.4 -16.4 -23 -16 -25C-14.6 -23 -14 -21.4 -16 -19.6Z", "#dd5a22", 0.3)
        + stroke("M-23.6 -29L-21.6 -27.6M-25 -22.6H-22.4M-23.6 -16.4L-21.6 -17.6", _GOLD, 0.8)
    )
    arm = cord("M-7 -17C-11 -20 -13 -28 -16 -34", "#6b5a45", 2.6)
    return stick + arm + robe + hood + _face(style.skin, 0.5, -22.4, 0.95) + beard + lantern


def _ruota(_style: PackStyle) -> str:
    spokes = "".join(moved(shape("M-.9 -2.4L-.7 -13H.7L.9 -2.4Z", _GOLD, 0.35), 0, _Y, t) for _, _, t in around(8, 1))
    knobs = "".join(disc(x, y + _Y, 1.8, _RED, 0.4) for x, y, _ in around(8, 16.6))
    rim = ring(0, _Y, 14, LINE, 4.2) + ring(0, _Y, 14, "#b0722c", 3.2) + ring(0, _Y, 14, _GOLD, 0.7)
    crank = cord("M0 -21H22V-13", "#7d8592", 1.3) + disc(22, -11.6, 1.9, _RED)
    return knobs + rim + spokes + crank + disc(0, _Y, 3.6, _GOLD) + disc(0, _Y, 1.5, _RED, 0.35)


def _forza(style: PackStyle) -> str:
    column = (
        shape("M-13 -3.6V-6.4H13V-3.6Z", _WHITE)
        + shape("M-9 -6.4L-8.4 -24L-4 -22L-1 -25.4L3 -22.6L8.4 -25V-6.4Z", _WHITE, 0.55)
        + stroke("M-5.4 -7V-21.4M-1.8 -7V-23M1.8 -7V-22M5.4 -7V-22.6", _GREY, 0.7)
    )
    top = moved(
        shape("M-9 3L-8.4 -5H8.4L9 2L4 .4L0 3.4L-4 .6Z", _WHITE, 0.55)
        + shape("M-12.4 -8.4H12.4V-5H-12.4Z", _WHITE)
        + stroke("M-5 -4.4V1M0 -4.4V2.4M5 -4.4V.6", _GREY, 0.7), 3.4, -29.4, 17,
    )  # fmt: skip
    hand = cord("M25 -10C21 -13 15 -15.4 11 -15", style.skin, 3.6) + cord(
        "M-25 -10C-21 -13 -15 -15.4 -11 -15", style.skin, 3.6
    )
    cuffs = mirrored(shape("M20.4 -15.6L27.4 -13V-6L18.4 -9.6Z", _GOLD))
    return column + top + hand + cuffs


def _giustizia(_style: PackStyle) -> str:
    sword = shape("M-1.5 -6V-33L0 -37.6L1.5 -33V-6Z", "#d5dbe6") + stroke("M0 -33V-8", _GREY, 0.4)
    beam = shape("M-17 -29.4C-8 -32.4 8 -32.4 17 -29.4L16.4 -27.4C8 -30 -8 -30 -16.4 -27.4Z", _GOLD)
    pan = stroke("M16.6 -28.4L10.6 -15M16.6 -28.4L22.6 -15", _PALE, 0.7) + shape(
        "M9.4 -15H23.8C22.6 -10 10.6 -10 9.4 -15Z", _GOLD
    )
    hilt = shape("M-5 -8.4H5V-6.2H-5Z", _GOLD) + disc(0, -30.4, 2.0, _RED)
    return mirrored(pan) + sword + beam + hilt


def _tempra(_style: PackStyle) -> str:
    jug = (
        shape("M-5.4 -3C-7 2 -5 7 -2.6 8.4H2.6C5 7 7 2 5.4 -3L3.2 -6.6V-9.4H-3.2V-6.6Z", "#d98a3a", 0.5)
        + shape("M-4 -11.4H4V-9H-4Z", _GOLD)
        + stroke("M5 -2C10 -4 9 2 5.4 3", LINE, 2.0)
        + stroke("M5 -2C10 -4 9 2 5.4 3", _GOLD, 1.2)
        + stroke("M-5.8 .6Q0 2.8 5.8 .6M-5.6 3.4Q0 5.6 5.6 3.4", _RED, 0.9)
    )
    stream = "".join(stroke(f"M{-8.6 + k} {-26.6 + k * 0.4}C{0 + k} {-28} {6 + k} {-22} {8.6 + k} {-15}", c, 1.1)
                     for k, c in ((-1.2, "#e9f6fb"), (0.0, "#2f7fae"), (1.2, "#e9f6fb")))  # fmt: skip
    drops = "".join(
        shape(f"M{x} {y}c-1.6 2 -1.2 3.4 0 3.4c1.2 0 1.6 -1.4 0 -3.4z", "#2f7fae", 0.3)
        for x, y in ((16, -30), (20, -24), (1, -14), (-22, -12))
    )
    return stream + drops + moved(jug, -13.5, -25, 65) + moved(jug, 11, -12.2, 0, 0.95)


def _carro(_style: PackStyle) -> str:
    wheel = (
        ring(0, 0, 6.6, LINE, 2.6)
        + ring(0, 0, 6.6, _GOLD, 1.7)
        + "".join(moved(stroke("M0 0V-6", LINE, 1.1), 0, 0, t) for _, _, t in around(6, 1))
        + disc(0, 0, 1.6, _RED)
    )
    canopy = shape("M-17 -29C-12 -40 12 -40 17 -29Z", _RED, 0.55) + "".join(
        shape(f"M{x} -29q2.83 4.6 5.66 0z", c, 0.4)
        for x, c in zip((-17, -11.34, -5.68, -0.02, 5.64, 11.3), (_GOLD, _WHITE) * 3, strict=True)
    )
    posts = shape("M-15 -28H-13V-17H-15ZM13 -28H15V-17H13Z", _GOLD, 0.4)
    car = (
        shape("M-18 -19H18L15 -8.6H-15Z", "#2c5aa0", 0.55)
        + stroke("M-15.6 -15.6H15.6", _GOLD, 1.2)
        + _star(0, -12, 8, 2.8, 1.2, _GOLD, 0.3)
    )
    rider = (
        disc(0, -24, 3.2, "#f4dcc0")
        + shape("M-5 -19C-4.4 -21.4 4.4 -21.4 5 -19Z", _GOLD, 0.4)
        + shape("M-3.2 -25.4L-3.8 -28.6L-1.4 -27.2L0 -29.4L1.4 -27.2L3.8 -28.6L3.2 -25.4Z", _GOLD, 0.35)
    )
    return posts + rider + car + canopy + moved(wheel, -14, -9.6) + moved(wheel, 14, -9.6)


def _amore(_style: PackStyle) -> str:
    heart = shape(
        "M0 -6.4C-9 -14 -14.6 -19.6 -14.6 -26.4C-14.6 -33.6 -4 -36.4 0 -28.6C4 -36.4 14.6 -33.6 14.6 -26.4"
        "C14.6 -19.6 9 -14 0 -6.4Z",
        _RED,
        0.6,
    )
    shine = stroke("M-11 -25.6C-11 -29.4 -8 -31 -5.6 -30", "#f2a9ae", 1.4)
    arrow = (
        cord("M-23 -10L23 -31", _GOLD, 1.2)
        + shape("M25.4 -32.4L18 -32.2L21.2 -26.8Z", "#d5dbe6", 0.4)
        + "".join(
            stroke(f"M{-23 + k} {-10 - k * 0.456:.2f}l-2.6 3.4M{-23 + k} {-10 - k * 0.456:.2f}l-4.2 -.9", _WHITE, 0.9)
            for k in (0, 2, 4)
        )
    )
    over = plain("M-6 -17.8L6 -23.2L6.4 -21.6L-5.4 -16.2Z", _RED)
    flames = "".join(
        shape(f"M{x} -33C{x - 2.6} -36 {x - 0.4} -37 {x} -39.4C{x + 2.6} -37 {x + 2.6} -35 {x} -33Z", "#e8842a", 0.35)
        for x in (-3, 0, 3)
    )
    return flames + heart + shine + arrow + over


def _moro(weapon: str, turban: str, coat: str, feather: str) -> Callable[[PackStyle], str]:
    """Return a Moorish lord in half length."""

    def half(_style: PackStyle) -> str:
        shoulders = shape("M-19 -3C-18 -9 -12 -12 -5 -13.4H5C12 -12 18 -9 19 -3Z", coat, 0.55)
        sash = (
            stroke("M-12 -11.4L4 -3", LINE, 3.6)
            + stroke("M-12 -11.4L4 -3", _GOLD, 2.6)
            + shape("M-4 -13L0 -8.6L4 -13Z", _WHITE, 0.4)
        )
        head = (
            shape("M-2.8 -17V-12.6L0 -10L2.8 -12.6V-17Z", _DARK_SKIN)
            + _face(_DARK_SKIN, 0, -20.6, 1.2)
            + disc(-2.2, -21.1, 1.0, _WHITE, 0) + disc(2.2, -21.1, 1.0, _WHITE, 0)
            + disc(-2.2, -21.1, 0.55, LINE, 0) + disc(2.2, -21.1, 0.55, LINE, 0)
            + stroke("M-3 -15.6Q0 -13.8 3 -15.6", "#c2605a", 0.9)
            + disc(5.9, -17.6, 0.9, _GOLD, 0.3)
        )  # fmt: skip
        cloth = (
            shape("M-7.4 -24C-10 -28 -8 -33 0 -33.4C8 -33 10 -28 7.4 -24Q0 -27 -7.4 -24Z", turban, 0.5)
            + stroke("M-8 -27C-4 -31.4 4 -32.6 7 -30.6M-7 -25C-2 -29.6 5 -30.6 8.4 -28", LINE, 0.5)
            + disc(0, -29, 1.7, _RED) + shape("M0 -30.6C-2 -34 1 -36.6 4.4 -38.6"
                "C4.6 -35 3.4 -32 0 -30.6Z", feather, 0.4)
        )  # fmt: skip
        return _WEAPONS[weapon] + shoulders + sash + head + cloth

    return half


_WEAPONS: Final = {
    "lance": cord("M17 -3.4V-31", "#8a5a2b", 1.4) + shape("M17 -39.4L19.6 -32.4L17 -30L14.4 -32.4Z", "#d5dbe6", 0.45)
    + shape("M17.8 -29.4L26.4 -26.6L17.8 -23.6Z", _RED, 0.4),
    "sabre": shape("M14.4 -8C20 -16 24 -26 20.4 -38C27.6 -28 25 -15 17.6 -7Z", "#d5dbe6", 0.5)
    + moved(shape("M-4 -1H4V1H-4Z", _GOLD, 0.4), 15.6, -7.6, 38),
    "bow": stroke("M16 -6C27 -14 27 -30 16 -38", LINE, 2.2) + stroke("M16 -6C27 -14 27 -30 16 -38", "#8a5a2b", 1.3)
    + stroke("M16 -6V-38", _PALE, 0.6) + stroke("M10 -22H25", LINE, 0.9) + shape("M26.6 -22L23.4 -23.6"
        "V-20.4Z", "#d5dbe6", 0.35),
}  # fmt: skip


def _begato(style: PackStyle) -> str:
    table = shape("M-24 -11H24V-7.6H-24Z", "#8a5a2b", 0.5) + shape(
        "M-20 -7.6H-17V-3.4H-20ZM17 -7.6H20V-3.4H17Z", "#8a5a2b", 0.4
    )
    things = (
        shape("M-21 -11L-20 -17H-15L-14 -11Z", _GOLD, 0.45)
        + disc(-9.6, -12.2, 1.6, _RED, 0.4) + disc(10, -12, 1.5, _GOLD, 0.4) + disc(13, -12, 1.5, _GOLD, 0.4)
        + shape("M17 -11V-16.4H22V-11Z", "#2c5aa0", 0.45)
    )  # fmt: skip
    robe = shape("M-10 -11C-9.4 -15.4 -6 -17.4 -3.6 -18H3.6C6 -17.4 9.4 -15.4 10 -11Z", "#3f8a4d", 0.5) + shape(
        "M0 -18L10 -11H0Z", _RED, 0.4
    )
    hat = shape(
        "M-15 -28.6C-17.4 -32 -12 -33.4 -7 -31C-5 -37 6 -37 7.4 -31C12 -33.4 17.4 -32 15 -28.6"
        "C10 -26 -10 -26 -15 -28.6Z",
        _RED,
        0.5,
    ) + stroke("M-7 -30.6Q0 -28.4 7.4 -30.6", _GOLD, 1.3)
    wand = (
        cord("M8 -16L14.6 -21", "#3f8a4d", 2.4)
        + cord("M13 -18L20 -29", _PALE, 0.9)
        + _star(21, -31, 5, 2.8, 1.2, _GOLD, 0.3)
    )
    return table + things + robe + _face(style.skin, 0, -23.4, 1.0) + hat + wand


def _matto(style: PackStyle) -> str:
    drum = (
        shape("M8 -12V-4.4C10 -2.6 20 -2.6 22 -4.4V-12Z", _RED, 0.45)
        + f'<ellipse cx="15" cy="-12" rx="7" ry="2.2" fill="{_WHITE}" stroke="{LINE}" stroke-width=".45"/>'
        + stroke("M8.4 -10L11.6 -3.4L15 -9.6L18.4 -3.4L21.6 -10", _GOLD, 0.8)
        + cord("M12 -13.4L22.6 -22.6", "#8a5a2b", 0.8) + disc(11.6, -13, 1.2, "#8a5a2b", 0.35)
    )  # fmt: skip
    motley = shape("M-15 -3C-14 -9 -9 -12.4 -4 -13.6H0V-3Z", _GOLD, 0.5) + shape(
        "M15 -3C14 -9 9 -12.4 4 -13.6H0V-3Z", "#2f7f79", 0.5
    )
    collar = "".join(shape(f"M{x} -13.6l2 5.2l2 -5.2z", c, 0.4) for x, c in ((-6, _RED), (-2, _WHITE), (2, _RED)))
    bells = "".join(disc(x, -8, 0.9, _WHITE, 0.3) for x in (-4, 0, 4))
    cap = (
        shape("M-5.6 -24C-8 -31 -14 -33 -20.4 -27C-22.4 -34 -12 -40 -5 -34C-2 -32 0 -30 0 -27Z", _RED, 0.5)
        + shape("M5.6 -24C8 -31 14 -33 20.4 -27C22.4 -34 12 -40 5 -34C2 -32 0 -30 0 -27Z", "#2f7f79", 0.5)
        + shape("M-5.8 -23.6C-5.6 -29 -3 -33 0 -35.4C3 -33 5.6 -29 5.8 -23.6Q0 -26 -5.8 -23.6Z", _GOLD, 0.45)
        + disc(-20.6, -26, 1.7, _WHITE) + disc(20.6, -26, 1.7, _WHITE) + disc(0, -36.6, 1.5, _WHITE)
    )  # fmt: skip
    laugh = shape("M-2.6 -16.8Q0 -13.6 2.6 -16.8Z", "#7b1e28", 0.35)
    return motley + _face(style.skin, 0, -20, 1.1) + laugh + cap + collar + bells + drum


TRIONFI: Final = {
    "t20": Trionfo("#bfe0f2", "#2a5f8f", _angelo),
    "t19": Trionfo("#f7e3b0", "#8a5b12", _mondo),
    "t18": Trionfo("#8fc7ea", "#b36b0c", _sole),
    "t17": Trionfo("#27406f", "#1b2c50", _luna),
    "t16": Trionfo("#1f5f63", "#154347", _stella, 16),
    "t15": Trionfo("#8d93b5", "#3c4166", _torre, 15),
    "t14": Trionfo("#e9a15a", "#7a1d1a", _diavolo, 14),
    "t13": Trionfo("#5d5648", "#2c2820", _morte, 13),
    "t12": Trionfo("#cfd8a4", "#5a6622", _traditore, 12),
    "t11": Trionfo("#d9c3a0", "#5b452a", _vecchio, 11),
    "t10": Trionfo("#a8dcd2", "#1d6d62", _ruota, 10),
    "t9": Trionfo("#b5485a", "#6b1a2a", _forza, 9),
    "t8": Trionfo("#8560a5", "#472a66", _giustizia, 8),
    "t7": Trionfo("#b9e2ee", "#17678a", _tempra, 7),
    "t6": Trionfo("#f6cf9a", "#a4521a", _carro, 6),
    "t5": Trionfo("#f9d9dc", "#a3293f", _amore, 5),
    "m1": Trionfo("#e6efe0", "#2c5136", _moro("lance", _WHITE, "#2f7445", _RED)),
    "m2": Trionfo("#efe3f2", "#57306b", _moro("sabre", "#e3b341", "#6d3d86", _WHITE)),
    "m3": Trionfo("#fbe9cf", "#8c4a12", _moro("bow", "#c9d6ea", "#b3242f", "#2f7f79")),
    "m4": Trionfo("#fbe9cf", "#8c4a12", _moro("bow", "#c9d6ea", "#b3242f", "#2f7f79")),
    "beg": Trionfo("#dfeccb", "#8a1f2d", _begato),
    "mat": Trionfo("#f5ecd6", "#1d5c57", _matto),
}
"""Drawings by card, from the highest to the Begato; and the Matto, which is no trump."""
