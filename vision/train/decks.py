"""Card faces to draw training pictures from: our own pack, packaged artwork, and packs drawn at random.

Artwork and fonts come from Debian packages, unpacked into a work folder; nothing of them enters the project.
"""

from __future__ import annotations

import gzip
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER, RANKS
from hw.layout import CARD_HEIGHT, CARD_WIDTH

Image = NDArray[np.uint8]

SCALE: Final = 5.0
"""Pixels per millimetre of the stored faces."""
FACE_SIZE: Final = (round(CARD_WIDTH * SCALE), round(CARD_HEIGHT * SCALE))
ALL_FACES: Final = (*(r + s for s in "CDHS" for r in RANKS), JOKER)

DEBIAN_ART: Final = "gnome-cards-data"
DEBIAN_FONTS: Final = (
    "fonts-dejavu-core",
    "fonts-liberation",
    "fonts-lato",
    "fonts-bebas-neue",
    "fonts-roboto-slab",
    "fonts-crosextra-carlito",
    "fonts-crosextra-caladea",
    "fonts-league-spartan",
)
TRAIN_SHEETS: Final = (
    "anglo",
    "anglo_bitmap",
    "anglo_modern",
    "anglo_modern_4_color",
    "atlasnye",
    "bellot",
    "gnomangelo",
    "gnomangelo_bitmap",
    "neoclassical",
    "neoclassical_4_color",
    "plastic",
    "simplistic",
)
HELD_OUT_SHEETS: Final = ("anglo_poker", "orell", "paris", "tigullio")
"""Whole designs that no training picture shows."""


@dataclass(frozen=True)
class Deck:
    """Faces as BGR pictures of FACE_SIZE, upright; ``index`` is the box of the upper left corner index in mm.

    ``index`` is (x0, y0, x1, y1) from the card's upper left corner, y down; the lower right one mirrors it.
    """

    name: str
    faces: dict[str, tuple[Image, ...]]
    backs: tuple[Image, ...]
    index: tuple[float, float, float, float]
    corner_radius: float = 3.0
    weight: float = 1.0
    tags: tuple[str, ...] = field(default=())


def unpack(package: str, work: Path) -> Path:
    """The folder with the unpacked files of a Debian package, fetched once through apt."""
    target = work / "debian" / package
    if not target.is_dir():
        load = work / "debian" / "archives"
        load.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=load, check=True, capture_output=True)  # noqa: S603, S607
        archive = next(load.glob(f"{package}_*.deb"))
        subprocess.run(["dpkg-deb", "-x", str(archive), str(target)], check=True)  # noqa: S603, S607
    return target


def _render(svg: str, width: int, fonts: tuple[str, ...] = ()) -> NDArray[np.uint8]:
    """The drawing as BGRA pixels."""
    import resvg_py

    extra: dict[str, Any] = {"font_files": list(fonts), "skip_system_fonts": True} if fonts else {}
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, **extra))
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ValueError("the drawing could not be rendered")
    return picture.astype(np.uint8)


def _flatten(picture: NDArray[np.uint8]) -> Image:
    """BGRA over white, at FACE_SIZE."""
    alpha = picture[..., 3:].astype(np.float32) / 255
    flat = picture[..., :3] * alpha + 255 * (1 - alpha)
    return cv2.resize(flat.astype(np.uint8), FACE_SIZE, interpolation=cv2.INTER_AREA).astype(np.uint8)


def find_index(faces: list[Image]) -> tuple[float, float, float, float]:
    """The box (mm) of the corner index that number cards of one design share: ink near the upper left corner."""
    boxes = []
    for picture in faces:
        x0, y0 = round(1.6 * SCALE), round(2.0 * SCALE)
        region = picture[y0 : round(27 * SCALE), x0 : round(12.2 * SCALE)].astype(np.float32)
        paper = np.median(region.reshape(-1, 3), axis=0)
        ink = np.abs(region - paper).max(axis=2) > 60
        _, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
        keep = [s for s in stats[1:] if s[4] > 30 and s[0] + s[2] < region.shape[1] - 1]
        if not keep:
            continue
        left, top = min(s[0] for s in keep), min(s[1] for s in keep)
        right, low = max(s[0] + s[2] for s in keep), max(s[1] + s[3] for s in keep)
        boxes.append([(left + x0) / SCALE, (top + y0) / SCALE, (right + x0) / SCALE, (low + y0) / SCALE])
    middle = np.median(np.array(boxes), axis=0)
    return float(middle[0]), float(middle[1]), float(middle[2]), float(middle[3])


def sheet_deck(path: Path) -> Deck:
    """A deck of one aisleriot sheet: 13 columns A to K; rows clubs, diamonds, hearts, spades, jokers and back."""
    sheet = _render(gzip.decompress(path.read_bytes()).decode(), 13 * FACE_SIZE[0])
    width, height = sheet.shape[1] / 13, sheet.shape[0] / 5

    def cell(row: int, column: int) -> Image:
        return _flatten(
            sheet[round(row * height) : round((row + 1) * height), round(column * width) : round((column + 1) * width)]
        )

    faces: dict[str, tuple[Image, ...]] = {
        rank + suit: (cell(r, c),) for r, suit in enumerate("CDHS") for c, rank in enumerate(RANKS)
    }
    faces[JOKER] = (cell(4, 0), cell(4, 1))
    numbers = [faces[r + s][0] for r in "2345679" for s in "CDHS"]
    return Deck(path.stem, faces, (cell(4, 2),), find_index(numbers))


def sheet_decks(names: tuple[str, ...], work: Path) -> list[Deck]:
    """Decks of Debian's aisleriot sheets with these names."""
    folder = unpack(DEBIAN_ART, work) / "usr/share/aisleriot/cards"
    return [sheet_deck(folder / f"{name}.svgz") for name in names]


_PIPS: Final = {
    "H": (
        "M0,46 C-14,26 -46,4 -46,-18 C-46,-34 -34,-44 -22,-44 C-12,-44 -4,-38 0,-28 "
        "C4,-38 12,-44 22,-44 C34,-44 46,-34 46,-18 C46,4 14,26 0,46Z"
    ),
    "D": "M0,-48 Q16,-20 38,0 Q16,20 0,48 Q-16,20 -38,0 Q-16,-20 0,-48Z",
    "S": (
        "M0,-46 C10,-24 44,-4 44,18 C44,34 34,40 24,40 C16,40 8,36 4,26 Q6,40 16,48 L-16,48 Q-6,40 -4,26 "
        "C-8,36 -16,40 -24,40 C-34,40 -44,34 -44,18 C-44,-4 -10,-24 0,-46Z"
    ),
    "C": (
        "M-6,14 C-12,26 -22,30 -28,30 C-40,30 -46,20 -46,10 C-46,-4 -34,-12 -20,-8 C-28,-18 -24,-46 0,-46 "
        "C24,-46 28,-18 20,-8 C34,-12 46,-4 46,10 C46,20 40,30 28,30 C22,30 12,26 6,14 "
        "Q6,36 16,46 L-16,46 Q-6,36 -6,14Z"
    ),
}
_SHARP: Final = {
    "H": "M0,48 L-44,-8 A23,23 0 0 1 0,-30 A23,23 0 0 1 44,-8Z",
    "D": "M0,-48 L34,0 L0,48 L-34,0Z",
    "S": "M0,-48 L40,6 A21,21 0 0 1 4,26 L14,48 L-14,48 L-4,26 A21,21 0 0 1 -40,6Z",
    "C": (
        "M-20,-24 a20,20 0 1 1 40,0 a20,20 0 0 1 -6,14 a20,20 0 1 1 -10,30 L14,46 L-14,46 L-4,20 "
        "a20,20 0 1 1 -10,-30 a20,20 0 0 1 -6,-14Z"
    ),
}
_COLUMNS: Final = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}


def _pip(x: float, y: float, size: float, shape: str, colour: str, turned: bool = False) -> str:
    turn = "rotate(180)" if turned else ""
    return f'<path transform="translate({x:.2f},{y:.2f}) {turn} scale({size / 96:.4f})" d="{shape}" fill="{colour}"/>'


def _pip_places(count: int) -> list[tuple[float, float]]:
    """Places of pips as fractions of the card."""
    rows = {2: 0, 3: 0, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4}.get(count, 0)
    places = [(x, 0.2 + 0.6 * i / (rows - 1)) for i in range(rows) for x in (0.32, 0.68)] if rows else []
    middle = count - 2 * rows
    spread = {1: [0.5], 2: [0.2, 0.8] if not rows else [0.32, 0.68], 3: [0.2, 0.5, 0.8]}.get(middle, [])
    return places + [(0.5, y) for y in spread]


def _court(rng: np.random.Generator, colour: str, x0: float, y0: float) -> str:
    """A court card's picture: a frame and random bright shapes, the same turned by 180 degrees."""
    frame = (
        f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{63 - 2 * x0:.1f}" height="{88 - 2 * y0:.1f}" fill="none" '
        f'stroke="{colour}" stroke-width="0.4"/>'
    )
    parts = [frame]
    for _ in range(int(rng.integers(8, 26))):
        paint = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(30, 100))}%,{int(rng.integers(15, 80))}%)"
        x, y = rng.uniform(x0 + 4, 59 - x0), rng.uniform(y0 + 3, 44)
        w, h = rng.uniform(1, 14, 2)
        mark = (
            f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{w / 2:.1f}" ry="{h / 2:.1f}" fill="{paint}"/>'
            if rng.random() < 0.5
            else f'<path d="M{x:.1f},{y:.1f} l{w:.1f},{h:.1f} l{-h:.1f},{w / 3:.1f}Z" fill="{paint}"/>'
        )
        parts.append(mark + f'<g transform="rotate(180 31.5 44)">{mark}</g>')
    return "".join(parts)


@dataclass(frozen=True)
class _Style:
    """The proportions of one random deck, millimetres."""

    font: str
    bold: bool
    rank_height: float
    stretch: float
    x: float
    y: float
    gap: float
    pip: float
    colours: dict[str, str]
    paper: str
    shapes: dict[str, str]
    ten: str
    joker: int


def own_decks() -> list[Deck]:
    """The three styles of our own pack."""
    from hw.pack.raster import back_bgra, face_bgra
    from hw.pack.style import STYLES

    decks = []
    for style in STYLES:
        faces: dict[str, tuple[Image, ...]] = {
            face: (_flatten(face_bgra(face, SCALE, style)),) for face in ALL_FACES if face != JOKER
        }
        faces[JOKER] = tuple(_flatten(face_bgra(JOKER, SCALE, style, variety)) for variety in ("red", "black"))
        backs = tuple(_flatten(back_bgra(SCALE, style, colour)) for colour, _ in style.backs)
        low = style.margin_y + style.rank_height + 0.8 + style.suit_height
        box = (style.margin_x, style.margin_y, style.margin_x + style.rank_width, low)
        decks.append(Deck(style.name, faces, backs, box, style.corner, weight=8.0))
    return decks


def _style(rng: np.random.Generator, families: tuple[str, ...]) -> _Style:
    dark = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(0, 35))}%,{int(rng.integers(2, 20))}%)"
    red = f"hsl({int(rng.integers(-14, 14)) % 360},{int(rng.integers(65, 100))}%,{int(rng.integers(34, 54))}%)"
    colours = {"S": dark, "C": dark, "H": red, "D": red}
    if rng.random() < 0.2:
        colours["C"] = f"hsl({int(rng.integers(100, 160))},80%,{int(rng.integers(20, 38))}%)"
        colours["D"] = f"hsl({int(rng.integers(200, 240))},80%,{int(rng.integers(30, 50))}%)"
    rank = rng.uniform(5.2, 13.0)
    pip = rank * rng.uniform(0.5, 0.85)
    return _Style(
        font=str(rng.choice(families)),
        bold=bool(rng.random() < 0.5),
        rank_height=rank,
        stretch=rng.uniform(0.62, 1.1),
        x=rng.uniform(2.2, 3.6) + pip / 2,
        y=rng.uniform(2.2, 5.0),
        gap=rng.uniform(0.6, 2.2),
        pip=pip,
        colours=colours,
        paper=f"hsl({int(rng.integers(30, 60))},{int(rng.integers(0, 40))}%,{int(rng.integers(92, 100))}%)",
        shapes={s: (_PIPS if rng.random() < 0.6 else _SHARP)[s] for s in "HDCS"},
        ten="10" if rng.random() < 0.93 else "T",
        joker=int(rng.integers(0, 3)),
    )


def _joker_index(style: _Style, colour: str, height: float) -> str:
    if style.joker == 0:
        size = height / 5 * 1.25
        letters = "".join(
            f'<text x="{style.x:.2f}" y="{style.y + (i + 0.9) * height / 5:.2f}" font-size="{size:.2f}" '
            f'text-anchor="middle">{c}</text>'
            for i, c in enumerate("JOKER")
        )
        return f'<g font-family="{style.font}" font-weight="700" fill="{colour}">{letters}</g>'
    x, y, r = style.x, style.y + height * 0.3, height * 0.26
    points = [
        (x + r * k * np.sin(np.pi * i / 5), y - r * k * np.cos(np.pi * i / 5))
        for i in range(10)
        for k in ((1.0 if i % 2 == 0 else 0.42),)
    ]
    star = '<polygon points="' + " ".join(f"{a:.2f},{b:.2f}" for a, b in points) + f'" fill="{colour}"/>'
    if style.joker == 1:
        return star
    return star + (
        f'<text x="{x:.2f}" y="{style.y + height:.2f}" font-size="{height * 0.5:.2f}" text-anchor="middle" '
        f'font-family="{style.font}" font-weight="700" fill="{colour}">J</text>'
    )


def random_deck(rng: np.random.Generator, number: int, fonts: tuple[str, ...], families: tuple[str, ...]) -> Deck:
    """A deck of random proportions, letters and shapes, drawn from ``rng`` alone."""
    style = _style(rng, families)
    height = style.rank_height + style.gap + style.pip
    half = max(style.pip / 2, style.rank_height * 0.36 * style.stretch)
    box = (style.x - half, style.y, style.x + half, style.y + height)
    inset = rng.uniform(7.5, 12.0)

    def draw(inner: str, index: str) -> Image:
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88" width="63" height="88">'
            f'<rect width="63" height="88" fill="{style.paper}"/>{inner}{index}'
            f'<g transform="rotate(180 31.5 44)">{index}</g></svg>'
        )
        return _flatten(_render(svg, FACE_SIZE[0], fonts))

    def face(rank: str, suit: str) -> Image:
        colour = style.colours[suit]
        text = style.ten if rank == "T" else rank
        narrow = style.stretch * (0.66 if len(text) == 2 else 1.0)
        index = (
            f'<g transform="translate({style.x:.2f},{style.y + style.rank_height:.2f}) scale({narrow:.3f},1)">'
            f'<text font-family="{style.font}" font-weight="{700 if style.bold else 400}" '
            f'font-size="{style.rank_height * 1.38:.2f}" text-anchor="middle" fill="{colour}">{text}</text></g>'
            + _pip(style.x, style.y + height - style.pip / 2, style.pip, style.shapes[suit], colour)
        )
        count = _COLUMNS.get(rank)
        if count is None:
            big = _pip(inset + 8, inset + 8, 11, style.shapes[suit], colour)
            inner = _court(rng, colour, inset, inset) + big + f'<g transform="rotate(180 31.5 44)">{big}</g>'
        elif count == 1:
            inner = _pip(31.5, 44, rng.uniform(16, 34), style.shapes[suit], colour)
        else:
            size = rng.uniform(9, 12.5)
            inner = "".join(
                _pip(63 * x, 88 * y, size, style.shapes[suit], colour, turned=y > 0.5) for x, y in _pip_places(count)
            )
        return draw(inner, index)

    faces: dict[str, tuple[Image, ...]] = {r + s: (face(r, s),) for s in "CDHS" for r in RANKS}
    faces[JOKER] = tuple(
        draw(_court(rng, colour, inset, inset), _joker_index(style, colour, height))
        for colour in (style.colours["S"], style.colours["H"])
    )
    return Deck(f"random-{number:03d}", faces, (_random_back(rng),), box)


def _random_back(rng: np.random.Generator) -> Image:
    """A patterned back with or without a white border."""
    paint = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(40, 95))}%,{int(rng.integers(20, 50))}%)"
    edge = rng.uniform(0, 5) if rng.random() < 0.8 else 0.0
    step = rng.uniform(2, 7)
    lines = "".join(
        f'<path d="M{k * step - 90:.1f},0 l88,88 M{k * step:.1f},0 l-88,88" stroke="white" stroke-width="0.5"/>'
        for k in range(int(160 / step))
    )
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88" width="63" height="88">'
        '<rect width="63" height="88" fill="white"/>'
        f'<clipPath id="c"><rect x="{edge:.1f}" y="{edge:.1f}" width="{63 - 2 * edge:.1f}" '
        f'height="{88 - 2 * edge:.1f}"/></clipPath>'
        f'<g clip-path="url(#c)"><rect width="63" height="88" fill="{paint}"/>{lines}</g></svg>'
    )
    return _flatten(_render(svg, FACE_SIZE[0]))


def random_decks(count: int, seed: int, work: Path) -> list[Deck]:
    """``count`` random decks; the same seed draws the same ones."""
    files: list[str] = []
    for package in DEBIAN_FONTS:
        for kind in ("*.ttf", "*.otf"):
            files += [str(p) for p in sorted(unpack(package, work).rglob(kind)) if "Oblique" not in p.name]
    keep = tuple(f for f in files if not any(w in f for w in ("Italic", "Thin", "Hairline", "Light")))
    families = (
        "DejaVu Sans",
        "DejaVu Serif",
        "Liberation Sans",
        "Liberation Serif",
        "Liberation Sans Narrow",
        "Lato",
        "Bebas Neue",
        "Roboto Slab",
        "Carlito",
        "Caladea",
        "League Spartan",
    )
    rng = np.random.default_rng(seed)
    return [random_deck(rng, n, keep, families) for n in range(count)]
