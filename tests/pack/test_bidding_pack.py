"""Our own bidding boxes: every card of the contract drawn in each design, and no two alike in the strip that shows."""

from __future__ import annotations

import numpy as np
import pytest

from hw.bidding import BIDDING_BOX
from hw.cards import CardError
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.bidding_box import DESIGNS, FACES, BiddingDesign, bidding_svg
from hw.pack.drawn import bidding_drawing
from hw.pack.raster import drawn_bgra, svg_bgra
from hw.twin.camera_cards import pack_artwork, shown_side
from hw.twin.scene import BID, PlacedCard

PX_PER_MM = 2.0
STRIP_MM = 10.0
"""So much of a card shows at the left where five others lie on it in a compartment."""


def drawn(card: str, design: BiddingDesign) -> np.ndarray:
    size = round(CARD_WIDTH * PX_PER_MM), round(CARD_HEIGHT * PX_PER_MM)
    return svg_bgra(bidding_svg(card, design), *size)[..., :3].astype(np.int16)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_no_two_bidding_cards_look_alike_in_the_strip_that_shows_in_a_long_auction(design: BiddingDesign) -> None:
    assert set(FACES) == set(BIDDING_BOX.copies)
    assert len(FACES) == 40
    strips = {card: drawn(card, design)[: round(44 * PX_PER_MM), : round(STRIP_MM * PX_PER_MM)] for card in FACES}
    for n, one in enumerate(FACES):
        for other in FACES[n + 1 :]:
            differs = np.abs(strips[one] - strips[other]).max(axis=2) > 60
            assert differs.sum() / PX_PER_MM**2 > 2.0, f"{one} and {other} look alike"


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_the_index_reads_from_both_ends(design: BiddingDesign) -> None:
    for card in FACES:
        picture = drawn(card, design)
        strip = picture[: round(44 * PX_PER_MM), : round(STRIP_MM * PX_PER_MM)]
        turned = picture[::-1, ::-1][: round(44 * PX_PER_MM), : round(STRIP_MM * PX_PER_MM)]
        assert (np.abs(strip - turned).max(axis=2) > 60).mean() < 0.02


def test_the_designs_differ_and_what_is_no_bidding_card_is_refused() -> None:
    one, other, third = (drawn("4H", design) for design in DESIGNS)
    for a, b in ((one, other), (one, third), (other, third)):
        assert (np.abs(a - b).max(axis=2) > 40).mean() > 0.01
    with pytest.raises(CardError, match="is no bidding card: write a bid"):
        bidding_svg("8C")


def test_the_simulated_camera_shows_a_bidding_card_and_not_the_playing_card_of_its_name() -> None:
    artwork = pack_artwork()
    lying = PlacedCard(f"{BID}7C", 0.0, 0.0, 0.0, face_up=True)
    assert np.array_equal(artwork(shown_side(lying), 2.0), drawn_bgra(bidding_drawing, "7C", 2.0))
    assert not np.array_equal(artwork("7C", 2.0), drawn_bgra(bidding_drawing, "7C", 2.0))
