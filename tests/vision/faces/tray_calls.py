"""The bidding box and the calls of an auction that the tests of the tray lay."""

from __future__ import annotations

from functools import cache
from typing import Final

from hw.bidding import BIDDING_BOX
from hw.seats import Seat
from lab.vision.measure.bidding import Compartments, photograph
from lab.vision.train.bidding_boxes import drawn_box
from vision.enrolment import enrolled_faces
from vision.faces.box import BiddingFaces

BOX: Final = 1007
CALLS: Final[Compartments] = {
    Seat.NORTH: ["P", "2H", "alert", "4N"],
    Seat.EAST: ["1D", "X", "P"],
    Seat.SOUTH: ["stop", "3D"],
    Seat.WEST: ["1H"],
}
NONE: Final[Compartments] = {seat: [] for seat in Seat}


@cache
def box_faces() -> BiddingFaces:
    """The faces of the box, enrolled from one photograph."""
    return BiddingFaces(enrolled_faces("box.jpg", photograph(drawn_box(BOX), 5, 2400), list(BIDDING_BOX.copies)))
