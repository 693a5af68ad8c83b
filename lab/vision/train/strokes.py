"""Ranks drawn by strokes, as card makers letter them: flat and round 3, slab and plain A, J, K, a 10 as one sign."""

from __future__ import annotations

from typing import Final

BOX: Final = (60.0, 100.0)
"""Width and height that the skeletons fill; the ten is wider."""
RANKS: Final = {
    "A": "M4,100 L30,0 L56,100 M14,66 L46,66",
    "2": "M6,26 C4,-9 55,-9 54,27 C53,52 18,64 6,100 L56,100",
    "3": "M6,20 C10,-8 52,-6 50,23 C49,43 34,46 22,46 C38,46 56,50 55,75 C54,107 6,108 4,78",
    "4": "M42,100 L42,0 L2,70 L60,70",
    "5": "M52,0 L12,0 L8,46 C20,34 57,34 56,68 C55,107 8,107 4,80",
    "6": "M51,14 C42,-10 6,-8 6,58 C6,112 56,112 56,70 C56,36 10,36 6,66",
    "7": "M4,0 L56,0 C40,30 24,60 22,100",
    "8": "M30,46 C4,44 4,0 30,0 C56,0 56,44 30,46 C-2,48 -2,100 30,100 C62,100 62,48 30,46Z",
    "9": "M9,86 C18,110 54,108 54,42 C54,-12 4,-12 4,30 C4,64 50,64 54,34",
    "T": "M8,0 L8,100 M58,0 C24,0 24,100 58,100 C92,100 92,0 58,0Z",
    "J": "M44,0 L44,72 C44,110 4,108 4,74",
    "Q": "M30,0 C-6,0 -6,100 30,100 C66,100 66,0 30,0Z M30,70 L58,106",
    "K": "M8,0 L8,100 M54,0 L8,58 M22,42 L57,100",
}
FLAT_THREE: Final = "M7,0 L52,0 L27,38 C61,34 64,100 28,100 C14,100 6,92 4,80"
SLABS: Final = {
    "A": "M-6,100 h20 M46,100 h20",
    "J": "M26,0 h34",
    "K": "M-4,0 h24 M-4,100 h24 M44,0 h20 M46,100 h20",
    "T": "M-4,0 h12 M-4,100 h24",
    "7": "M4,0 v16",
    "2": "M56,100 v-14",
    "5": "M52,0 v12",
    "4": "M30,100 h24",
}
TEN_WIDTH: Final = 92.0


def drawn_rank(
    rank: str, x: float, top: float, height: float, wide: float, thick: float, colour: str, *, slab: bool, flat: bool
) -> str:
    """SVG of one rank: middle ``x``, upper edge and height in mm, ``wide`` a factor, ``thick`` of the height (share).

    ``slab``: with serifs; ``flat``: the 3 has a flat top.
    """
    path = FLAT_THREE if rank == "3" and flat else RANKS[rank]
    if slab:
        path += " " + SLABS.get(rank, "")
    share = height / (BOX[1] + 100 * thick)  # the strokes stand out by half their width
    across = share * wide * (0.66 if rank == "T" else 1.0)
    middle = (TEN_WIDTH if rank == "T" else BOX[0]) / 2
    return (
        f'<g transform="translate({x - middle * across:.2f},{top + 50 * thick * share:.2f}) '
        f'scale({across:.4f},{share:.4f})"><path d="{path}" fill="none" stroke="{colour}" '
        f'stroke-width="{100 * thick:.1f}" stroke-linejoin="{"miter" if slab else "round"}"/></g>'
    )
