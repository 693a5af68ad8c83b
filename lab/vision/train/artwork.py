"""Decks of packaged artwork: fetched through apt and npm into a work folder; nothing of them enters the project.

Whole designs are held out: what HELD_OUT names is in no training picture.
"""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from hw.cards import JOKER, RANKS
from lab.vision.train.decks import FACE_SIZE, Deck, Image, find_index, flatten, render

DEBIAN_SHEETS: Final = "gnome-cards-data"
TRAIN_SHEETS: Final = (
    "anglo",
    "anglo_bitmap",
    "anglo_modern",
    "anglo_modern_4_color",
    "atlasnye",
    "atlasnye_skat",
    "bellot",
    "berlin",
    "gnomangelo",
    "gnomangelo_bitmap",
    "lattmann",
    "neoclassical",
    "neoclassical_4_color",
    "ornamental",
    "plastic",
    "rheinland",
    "simplistic",
    "tango",
)
"""Courts of the German sheets are lettered B, D, K, for J, Q, K."""
HELD_OUT_SHEETS: Final = ("anglo_poker", "orell", "paris", "tigullio")
NPM_TRAIN: Final = ("cardsJS@1.1.1", "svg-cards@4.0.2")
NPM_HELD_OUT: Final = ("@younestouati/playing-cards-standard-deck@3.0.0",)
_JUMBO: Final = {"tango": (2.4, 4.3, 16.0, 32.3), "ornamental": (2.2, 4.8, 14.6, 37.8)}
"""Index boxes (mm) of sheets whose index is larger than ``find_index`` looks for."""
_SUIT_WORDS: Final = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}


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


def unpack_npm(package: str, work: Path) -> Path:
    """The folder with the unpacked files of an npm package (name@version), fetched once through npm; no script runs."""
    target = work / "npm" / package.replace("/", "-").replace("@", "_")
    if not target.is_dir():
        load = target.with_name(target.name + ".load")
        load.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", package], cwd=load, check=True, capture_output=True)  # noqa: S603, S607
        subprocess.run(["tar", "-xzf", next(load.glob("*.tgz")).name], cwd=load, check=True)  # noqa: S603, S607
        (load / "package").rename(target)
    return target


def sheet_deck(path: Path) -> Deck:
    """A deck of one aisleriot sheet: 13 columns A to K; rows clubs, diamonds, hearts, spades, jokers and back."""
    sheet = render(gzip.decompress(path.read_bytes()).decode(), 13 * FACE_SIZE[0])
    width, height = sheet.shape[1] / 13, sheet.shape[0] / 5

    def cell(row: int, column: int) -> Image:
        return flatten(
            sheet[round(row * height) : round((row + 1) * height), round(column * width) : round((column + 1) * width)]
        )

    faces: dict[str, tuple[Image, ...]] = {
        rank + suit: (cell(r, c),) for r, suit in enumerate("CDHS") for c, rank in enumerate(RANKS)
    }
    faces[JOKER] = (cell(4, 0), cell(4, 1))
    return Deck(path.stem, faces, (cell(4, 2),), _JUMBO.get(path.stem) or index_of(faces))


def sheet_decks(names: tuple[str, ...], work: Path) -> list[Deck]:
    """Decks of Debian's aisleriot sheets with these names."""
    folder = unpack(DEBIAN_SHEETS, work) / "usr/share/aisleriot/cards"
    return [sheet_deck(folder / f"{name}.svgz") for name in names]


def npm_decks(names: tuple[str, ...], work: Path, own_back: Image) -> list[Deck]:
    """Decks of npm packages; one without a back or a joker of its own gets ``own_back``, or has no joker."""
    decks: list[Deck] = []
    for name in names:
        root = unpack_npm(name, work)
        if name.startswith("cardsJS"):
            named = {r + s: root / f"dist/cards/{'10' if r == 'T' else r}{s}.svg" for s in "CDHS" for r in RANKS}
            decks.append(_file_deck(name, named, root / "dist/cards/Blue_Back.svg", own_back))
        elif name.startswith("svg-cards"):
            word = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
            named = {r + s: root / f"png/2x/{_SUIT_WORDS[s]}_{word.get(r, r)}.png" for s in "CDHS" for r in RANKS} | {
                JOKER: root / "png/2x/joker_red.png",
                JOKER + "2": root / "png/2x/joker_black.png",
            }
            decks.append(_file_deck(name, named, root / "png/2x/back-navy.png", own_back))
        else:
            number = {"A": "1", "T": "10", "J": "11", "Q": "12", "K": "13"}
            named = {r + s: root / f"cards/{number.get(r, r)}{s.lower()}.svg" for s in "CDHS" for r in RANKS}
            decks.append(_file_deck(name, named | {JOKER: root / "cards/joker.svg"}, root / "cards/back.svg", own_back))
    return decks


def _file_deck(name: str, files: dict[str, Path], back: Path, own_back: Image) -> Deck:
    faces: dict[str, tuple[Image, ...]] = {}
    for face, path in files.items():
        faces[face[:2]] = (*faces.get(face[:2], ()), _picture(path))
    try:
        backs = (_picture(back),)
    except (OSError, ValueError):
        backs = (own_back,)
    return Deck(name, faces, backs, index_of(faces))


def _picture(path: Path) -> Image:
    if path.suffix == ".svg":
        return flatten(render(path.read_text(encoding="utf-8"), FACE_SIZE[0]))
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ValueError(f"{path.name} is no picture")
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    return flatten(picture.astype(np.uint8))


def index_of(faces: dict[str, tuple[Image, ...]]) -> tuple[float, float, float, float]:
    """The index box (mm) that the number cards of these faces share."""
    return find_index([faces[r + s][0] for r in "2345679" for s in "CDHS"])
