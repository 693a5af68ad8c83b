"""One picture of the table as it may be held in memory: hand areas painted out before it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hw.layout import Layout
from hw.observations import SightedCard

if TYPE_CHECKING:
    from vision.surface import Image


@dataclass(frozen=True, slots=True)
class Picture:
    """The table as one frame showed it, North up, hand areas grey, and the open cards that were read in it.

    ``ref`` is the frame's number as sights name it, ``t`` its moment in the table's seconds, ``hidden`` the zones that
    an arm or a sleeve covered in part.
    """

    ref: str
    t: float
    jpeg: bytes
    cards: tuple[SightedCard, ...]
    hidden: tuple[str, ...]
    layout: Layout

    @classmethod
    def of(
        cls, ref: str, t: float, masked: Image, cards: tuple[SightedCard, ...], hidden: tuple[str, ...], layout: Layout
    ) -> Picture:
        """Return a picture of ``masked`` pixels (as ``TablePictures.picture`` gives them).

        Cards in what is painted out are left out.
        """
        from vision.kept_pictures import (
            painted_out,
            to_jpeg,
        )  # a table without a camera loads nothing that reads pictures

        seen = tuple(card for card in cards if card.zone not in painted_out(layout))
        return cls(ref, t, to_jpeg(masked), seen, hidden, layout)

    def pixels(self) -> Image:
        """Return the picture as BGR pixels."""
        from vision.kept_pictures import of_jpeg

        return of_jpeg(self.jpeg)

    @property
    def space(self) -> int:
        """Bytes that it takes in memory, about."""
        return len(self.jpeg) + 400 * len(self.cards) + 400
