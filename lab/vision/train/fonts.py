"""The letters that packs and clutter are set in: Debian's packages, their families, their files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lab.vision.train.artwork import unpack

DEBIAN_FONTS: Final = (
    "fonts-dejavu-core",
    "fonts-liberation",
    "fonts-lato",
    "fonts-bebas-neue",
    "fonts-roboto-slab",
    "fonts-crosextra-carlito",
    "fonts-crosextra-caladea",
    "fonts-league-spartan",
    "fonts-urw-base35",
    "fonts-linuxlibertine",
    "fonts-oldstandard",
    "fonts-adf-baskervald",
    "fonts-adf-gillius",
    "fonts-adf-ikarius",
    "fonts-adf-irianis",
    "fonts-adf-libris",
    "fonts-adf-mekanus",
    "fonts-adf-romande",
    "fonts-adf-tribun",
    "fonts-adf-universalis",
    "fonts-cabin",
    "fonts-comfortaa",
    "fonts-courier-prime",
    "fonts-dosis",
    "fonts-dustin",
    "fonts-essays1743",
    "fonts-gfs-didot",
    "fonts-isabella",
    "fonts-jura",
    "fonts-open-sans",
    "fonts-play",
    "fonts-radisnoir",
    "fonts-staypuft",
    "fonts-texgyre",
    "fonts-tomsontalks",
    "fonts-triod-postnaja",
    "fonts-yanone-kaffeesatz",
)
FAMILIES: Final = (
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
    "Nimbus Roman",
    "Nimbus Sans",
    "Nimbus Sans Narrow",
    "C059",
    "P052",
    "URW Bookman",
    "URW Gothic",
    "Linux Libertine O",
    "Linux Biolinum O",
    "Old Standard TT",
    "Baskervald ADF Std",
    "Gillius ADF",
    "Ikarius ADF No2 Std",
    "Irianis ADF Style Std",
    "Libris ADF Std",
    "Mekanus ADF Std",
    "Romande ADF Std",
    "Tribun ADF Std",
    "Universalis ADF Std",
    "Cabin",
    "Comfortaa",
    "Courier Prime",
    "Dosis",
    "Dustismo Roman",
    "GFS Didot",
    "Jura",
    "Open Sans",
    "Open Sans Condensed",
    "Play",
    "Radis Sans",
    "StayPuft",
    "TeX Gyre Bonum",
    "TeX Gyre Cursor",
    "TeX Gyre Heros Cn",
    "TeX Gyre Schola",
    "Yanone Kaffeesatz",
)


def font_files(work: Path, packages: tuple[str, ...] = DEBIAN_FONTS) -> tuple[str, ...]:
    """The upright fonts of Debian's ``packages``."""
    files: list[str] = []
    for package in packages:
        for kind in ("*.ttf", "*.otf"):
            files += [str(p) for p in sorted(unpack(package, work).rglob(kind))]
    slanted = ("Oblique", "Italic", "Thin", "Hairline", "Light.", "BdIta", "_RI", "_RBI", "_RZI", "_I.", "_K.")
    return tuple(f for f in files if not any(w in Path(f).name for w in slanted))
