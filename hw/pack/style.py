"""Style of a variant of our pack: sizes in millimetres, colours as CSS hex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CourtColours:
    """The palette of one suit's court figures: robe, its second colour, trimmings."""

    robe: str
    second: str
    trim: str


@dataclass(frozen=True, slots=True)
class PackStyle:
    """One variant of the pack.

    ``rank_height`` and ``rank_width`` are those of an index's rank, ``suit_height`` that of the suit below it;
    ``margin_x`` and ``margin_y`` the distance of the index from the card's edges; ``weight`` the stroke of a rank in
    hundredths of its height; ``slabs`` whether A, J and K have serifs. Everything in millimetres unless said.
    """

    name: str
    rank_height: float = 8.2
    rank_width: float = 6.3
    suit_height: float = 5.3
    margin_x: float = 2.4
    margin_y: float = 2.1
    weight: float = 15.0
    slabs: bool = True
    pip: float = 10.8
    corner: float = 3.6
    paper: str = "#fdfcf8"
    ink: tuple[tuple[str, str], ...] = (("H", "#c8102e"), ("D", "#c8102e"), ("C", "#16181d"), ("S", "#16181d"))
    joker_red: str = "#b3122c"
    joker_black: str = "#20242e"
    skin: str = "#f4dcc0"
    line: str = "#1c2230"
    gold: str = "#d9a441"
    courts: tuple[tuple[str, CourtColours], ...] = (
        ("H", CourtColours("#b5162f", "#f0c75e", "#1f3a6e")),
        ("D", CourtColours("#d9822b", "#7b1e3a", "#f3d58a")),
        ("C", CourtColours("#1f6b4f", "#e8c15a", "#7b1e3a")),
        ("S", CourtColours("#1f3a6e", "#c9d6ea", "#b5162f")),
    )
    backs: tuple[tuple[str, str], ...] = (("blue", "#1d3f72"), ("red", "#8e1f2f"))

    def ink_of(self, suit: str) -> str:
        """Return the colour of a suit's pips and index."""
        return dict(self.ink)[suit]

    def court_of(self, suit: str) -> CourtColours:
        """Return the palette of a suit's figures."""
        return dict(self.courts)[suit]


TAVOLO: Final = PackStyle("tavolo")
"""The pack of the console and the demo: an index that shows whole on a 16 mm overlap."""
GRANDE: Final = PackStyle(
    "grande", rank_height=9.6, rank_width=6.9, suit_height=6.2, margin_x=2.6, margin_y=2.1, weight=18.0, slabs=False
)
"""Large print: a heavier and larger index without serifs, for a 20 mm overlap."""
QUATTRO: Final = PackStyle(
    "quattro",
    rank_height=8.0,
    rank_width=5.8,
    suit_height=5.2,
    margin_x=2.8,
    margin_y=2.7,
    weight=12.0,
    pip=10.2,
    paper="#fbf8ee",
    ink=(("H", "#d0202e"), ("D", "#1d5fb0"), ("C", "#157a45"), ("S", "#1a1a20")),
    joker_red="#a31545",
    joker_black="#2b2140",
    backs=(("blue", "#235d6b"), ("red", "#6b2358")),
)
"""Four colours and a lighter index."""
STYLES: Final = (TAVOLO, GRANDE, QUATTRO)
