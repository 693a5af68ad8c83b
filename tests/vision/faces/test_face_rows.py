"""Whole faces of which only strips show: a fanned declaration, a pile laid out; what no strip can tell is unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from hw.cards import TAROCCO, UNKNOWN, face
from hw.equipment import TAROCCO_TABLE
from hw.layout import TAROCCO_LAYOUT
from hw.observations import SightedCard
from hw.pack.drawn import tarocco_drawing
from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.camera_style import RED_ROOM
from hw.twin.scene import PlacedCard, Scene
from lab.vision.measure.rows import counted, pile
from table_service.commands.demo.drawn_pack import drawn_pack
from vision.calibration import Calibration, calibrate
from vision.faces.blocks import HIGH, WIDE, FaceStrips
from vision.faces.face_follower import FaceWatcher
from vision.faces.index import FaceIndex
from vision.faces.view_outlines import ends_of_rows
from vision.surface import VIEW_MM

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kept-face-rows")]  # one worker draws and enrols the pack


@dataclass
class Table:
    """A table of tarocco as a simulated camera sees it, in a room where nothing was enrolled, and the whole pack."""

    empty: NDArray[np.uint8]
    calibration: Calibration
    index: FaceIndex

    def told(self, cards: tuple[PlacedCard, ...], index: FaceIndex | None = None) -> tuple[SightedCard, ...]:
        """What is told of ``cards`` lying still once the deal is over."""
        watcher = FaceWatcher(TAROCCO_LAYOUT, self.calibration, index or self.index, self.empty, TAROCCO_TABLE)
        watcher.deal_over()
        frame = room().render(Scene(1.0, cards))  # a camera of its own: its noise must not hang on what others rendered
        sights = [watcher.look(frame, t) for t in (0.0, 0.2, 5.0)]
        assert sights[-1] is not None
        return sights[-1].cards


def room() -> Camera:
    """The camera that was turned on just now: equal scenes make equal pictures."""
    artwork = artwork_of(tarocco_drawing)
    return Camera(TAROCCO_LAYOUT, RED_ROOM, 91, 1800, 1800, artwork=artwork, equipment=TAROCCO_TABLE)


@pytest.fixture(scope="module")
def table() -> Table:
    empty = room().render(Scene(0.0, ()))
    enrolled = drawn_pack(TAROCCO, tarocco_drawing).faces
    assert enrolled is not None
    return Table(empty, calibrate(empty, TAROCCO_LAYOUT), enrolled)


def column(*names: str, pitch: float = 16.0) -> tuple[PlacedCard, ...]:
    """Cards fanned before South, each some mm nearer to the player than the one beneath it."""
    x, y = TAROCCO_LAYOUT.zones["side-S"].centre
    middle = (len(names) - 1) / 2
    return tuple(
        PlacedCard(f"{name}#1", x + (-1) ** n, y - pitch * (n - middle), 1.5 * (-1) ** n % 360, face_up=True)
        for n, name in enumerate(names)
    )


def test_every_card_of_a_fanned_declaration_is_named_by_its_strip(table: Table) -> None:
    told = table.told(column("KB", "KC", "KD", "QD", "beg"))
    assert {one.card for one in told} == {"KB", "KC", "KD", "QD", "beg"}
    assert all(one.zone == "side-S" for one in told)


def test_a_strip_that_two_faces_share_is_told_as_a_card_that_nobody_knows(table: Table) -> None:
    told = sorted(table.told(column("7C", "t16", "beg")), key=lambda one: one.y)
    assert [one.card for one in told] == ["beg", "t16", UNKNOWN]


def test_a_pile_laid_out_has_no_wrong_name_and_at_most_one_that_nobody_knows(table: Table) -> None:
    names = ["KC", "t16", "beg", "QB", "m1", "t7", "mat", "FD", "CS", "t19", "KS", "t12"]
    cards = pile(names, Seat.EAST, np.random.default_rng(5))
    count = counted(type("Told", (), {"cards": table.told(tuple(cards))}), cards, table.index)
    # with the noise of eight cameras (seeds 91 to 98) six leave the begato unknown, two name all twelve
    assert (count["wrong"], count["named where none lies"]) == (0, 0)
    assert count["named"] >= len(names) - 1


def test_of_a_pack_with_a_face_not_enrolled_no_strip_is_named(table: Table) -> None:
    prints = {name: (one,) for name, one in zip(table.index.names, table.index.prints, strict=True) if name != "8C"}
    told = table.told(column("8C", "t16", "beg"), FaceIndex.of(prints))
    assert [one.card for one in told if one.card != UNKNOWN] in ([], ["beg"])


def test_cards_that_lie_in_a_trick_are_no_row(table: Table) -> None:
    shown = tuple(PlacedCard(one.card, one.x + 130, one.y + 250, one.angle, face_up=True) for one in column("KC", "t5"))
    told = table.told(shown)
    assert all(one.zone == "trick" and one.card in ("t5", UNKNOWN, "KC") for one in told)
    assert face(shown[1].card) in {one.card for one in told}


def test_a_strip_correlates_with_its_own_face_alone_whichever_way_up(table: Table) -> None:
    strips = FaceStrips(table.index.prints)
    half = len(table.index.prints)
    for name in ("KC", "t16"):
        at = table.index.names.index(name)
        for face_at in (at, at + half):
            small = table.index.small(face_at)
            cells = small.reshape(HIGH, 2, WIDE, 2, 3).mean(axis=(1, 3)).astype(np.float32)
            top = strips.likeness(cells[None, 2:20], slice(2, 20), slice(0, WIDE))[0]
            left = strips.likeness(cells[None, :, 2:16], slice(0, HIGH), slice(2, 16))[0]
            assert int(top.argmax()) == int(left.argmax()) == face_at
            assert min(top.max(), left.max()) > 0.9


@pytest.mark.parametrize(("size", "ends"), [((50.0, 140.0), ((0.0, 26.0), (0.0, -26.0))), ((50.0, 88.0), ())])
def test_a_column_ends_in_two_cards_and_a_single_card_is_no_row(
    size: tuple[float, float], ends: tuple[tuple[float, float], ...]
) -> None:
    side = 160
    axis = (np.arange(side) + 0.5) * VIEW_MM - side * VIEW_MM / 2
    xs, ys = np.meshgrid(axis, -axis)
    mask = (np.abs(xs) <= size[0] / 2) & (np.abs(ys) <= size[1] / 2)
    found = ends_of_rows(mask, mask, (80.0, 96.0), 0.57)
    assert sorted(tuple(np.round(ring.mean(axis=0)) + 0.0) for ring in found) == sorted(ends)
