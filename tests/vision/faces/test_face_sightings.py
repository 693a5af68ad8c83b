"""A running table of whole faces: a trick that grows card by card, cards that cover each other, the trick gathered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hw.cards import TAROCCO
from hw.equipment import TAROCCO_TABLE
from hw.layout import TAROCCO_LAYOUT
from hw.observations import Sight
from hw.pack.drawn import tarocco_drawing
from hw.pack.raster import drawn_bgra
from hw.seats import Seat
from hw.table_sections import CameraSection as CameraSection
from hw.table_sections import TableSection
from hw.tablemap import TableMap
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.camera_style import DEFAULT_STYLE, RED_ROOM, CameraStyle
from hw.twin.scene import Arm, PlacedCard, Scene
from vision.calibration import Calibration, calibrate
from vision.errors import CalibrationError
from vision.faces import candidates, face_follower
from vision.faces.decisions import FaceFound
from vision.faces.face_follower import PAD_MM, FaceWatcher, LyingFace
from vision.faces.index import FaceIndex
from vision.faces.prints import FacePrint, face_print
from vision.packs import PackFaces

KNOWN = ("KC", "9D", "8S", "9S", "t5", "t16", "m3", "m4", "beg", "QB", "AC", "6C")
WIDTH = 1800
TRICK = (
    PlacedCard("KC#1", 0.0, 40.0, 5.0, face_up=True),
    PlacedCard("9S#1", 42.0, 0.0, 96.0, face_up=True),
    PlacedCard("t16#1", 0.0, -42.0, 178.0, face_up=True),
    PlacedCard("9D#1", -42.0, 2.0, 275.0, face_up=True),
)
"""Four cards that cross, the first at the bottom."""


def _prints() -> dict[str, tuple[FacePrint, ...]]:
    prints: dict[str, tuple[FacePrint, ...]] = {}
    for name in KNOWN:
        picture = drawn_bgra(tarocco_drawing, name, 4.0).astype(np.float32)
        alpha = picture[..., 3:] / 255
        flat = picture[..., :3] * alpha + 235 * (1 - alpha)
        prints[name] = (face_print(np.ascontiguousarray(flat.astype(np.uint8))),)
    return prints


@dataclass
class Table:
    """A simulated camera over a table of tarocco."""

    camera: Camera
    empty: NDArray[np.uint8]
    calibration: Calibration
    index: FaceIndex

    def watcher(self) -> FaceWatcher:
        return FaceWatcher(TAROCCO_LAYOUT, self.calibration, self.index, self.empty, TAROCCO_TABLE)


@pytest.fixture(scope="module")
def table() -> Table:
    return _table_in(DEFAULT_STYLE)


def _table_in(style: CameraStyle) -> Table:
    artwork = artwork_of(tarocco_drawing)
    camera = Camera(TAROCCO_LAYOUT, style, 81, WIDTH, WIDTH, artwork=artwork, equipment=TAROCCO_TABLE)
    empty = camera.render(Scene(0.0, ()))
    return Table(camera, empty, calibrate(empty, TAROCCO_LAYOUT), FaceIndex.of(_prints()))


def _seen(table: Table, watcher: FaceWatcher, t: float, *cards: PlacedCard, arms: tuple[Arm, ...] = ()) -> Sight:
    """The sight when ``cards`` have lain there for two frames."""
    sight: Sight | None = None
    for k in range(2):
        told = watcher.look(table.camera.render(Scene(t + 0.1 * k, cards, arms)), t + 0.1 * k)
        sight = told or sight
    assert sight is not None
    return sight


def _named(sight: Sight) -> set[str]:
    return {card.card for card in sight.cards}


def test_a_card_that_is_laid_beside_others_is_looked_for_where_these_do_not_lie(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, places = table.watcher(), list[object]()
    _seen(table, watcher, 0.0)
    _seen(table, watcher, 1.0, *TRICK[:3])
    look_at = candidates.looked_at

    def counted(*args: Any) -> Any:
        place = look_at(*args)
        places.append(place)
        return place

    monkeypatch.setattr(candidates, "looked_at", counted)
    sight = _seen(table, watcher, 2.0, *TRICK)
    assert _named(sight) == {"KC", "9S", "t16", "9D"}
    with_three_known = len(places)
    places.clear()
    watcher = table.watcher()
    _seen(table, watcher, 0.0)
    _seen(table, watcher, 1.0, *TRICK)
    assert with_three_known < len(places) / 2


def test_a_trick_that_grows_card_by_card_is_named_whole_though_its_cards_cross(table: Table) -> None:
    watcher = table.watcher()
    _seen(table, watcher, 0.0)
    for n in range(1, 5):
        sight = _seen(table, watcher, float(n), *TRICK[:n])
        assert _named(sight) == {card.card.partition("#")[0] for card in TRICK[:n]}
        assert {card.zone for card in sight.cards} == {"trick"}
    for card in sight.cards:
        laid = next(one for one in TRICK if one.card.startswith(card.card))
        assert abs(card.x - laid.x) < 3
        assert abs(card.y - laid.y) < 3
        assert abs((card.angle - laid.angle + 90) % 180 - 90) < 3
    assert _named(_seen(table, watcher, 9.0)) == set()


def test_a_trick_seen_first_when_all_of_it_lies_there_is_read_where_it_lies_not_the_whole_table(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grey of masked hands and the table's rim are no cards; with them in view they passed for the ground."""
    looked_at: list[tuple[int, ...]] = []

    def find_faces(part: NDArray[np.uint8], *args: Any, **options: Any) -> list[FaceFound]:
        looked_at.append(part.shape)
        return real(part, *args, **options)

    real = face_follower.find_faces
    monkeypatch.setattr(face_follower, "find_faces", find_faces)
    watcher = table.watcher()
    watcher.look(table.camera.render(Scene(0.0, ())), 0.0)
    sight = _seen(table, watcher, 1.0, *TRICK)
    assert _named(sight) >= {"9S", "t16", "9D"}
    across = 2 * (110.0 + PAD_MM) * table.calibration.px_per_mm()  # the trick reaches 110 mm from the middle at most
    assert looked_at
    assert all(max(shape) < across for shape in looked_at)
    assert across < 0.5 * WIDTH


def test_a_card_that_was_seen_alone_stays_known_when_nothing_of_it_but_an_edge_shows(table: Table) -> None:
    watcher = table.watcher()
    _seen(table, watcher, 0.0)
    under, over = PlacedCard("8S#1", 0.0, 0.0, 0.0, face_up=True), PlacedCard("QB#1", 14.0, 6.0, 0.0, face_up=True)
    assert _named(_seen(table, watcher, 1.0, under)) == {"8S"}
    assert _named(_seen(table, watcher, 2.0, under, over)) == {"8S", "QB"}
    assert _named(_seen(table, watcher, 8.0, over)) == {"QB"}


def test_a_face_that_is_not_of_the_pack_is_no_card_of_it(table: Table) -> None:
    watcher = table.watcher()
    _seen(table, watcher, 0.0)
    for n, name in enumerate(("t9", "7B", "FD")):
        sight = _seen(table, watcher, 6.0 * (n + 1), PlacedCard(f"{name}#1", 40.0 * n, 0.0, 20.0, face_up=True))
        assert _named(sight) == {"??"}


def test_a_face_with_a_part_of_the_cloths_colour_is_read() -> None:
    red = _table_in(RED_ROOM)
    sight = _seen(red, red.watcher(), 0.0, PlacedCard("AC#1", 39.0, -1.0, 70.0, face_up=True))
    assert [one.card for one in sight.cards] == ["AC"]


def _doubted(found: list[FaceFound]) -> list[FaceFound]:
    """Each KC taken for another face, and not surely; each 9S found once more, a pip's distance further up."""
    renamed = [replace(one, name="QB", confidence=0.79) if one.name == "KC" else one for one in found]
    nines = [one for one in renamed if one.name == "9S"]
    up = [0.2 * (one.corners[0] - one.corners[3]) for one in nines]
    return renamed + [replace(one, name="8S", corners=one.corners + by) for one, by in zip(nines, up, strict=True)]


def test_a_doubtful_look_at_a_covered_card_does_not_rename_it_and_bare_cloth_is_no_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = _table_in(DEFAULT_STYLE)  # its own camera: another's noise depends on the tests that ran before
    monkeypatch.setitem(vars(table.index), "is_complete", True)  # twelve faces stand for a whole pack
    watcher = table.watcher()
    _seen(table, watcher, 0.0, TRICK[0])
    plain = face_follower.find_faces
    monkeypatch.setattr(face_follower, "find_faces", lambda *told, **how: _doubted(plain(*told, **how)))
    sight = _seen(table, watcher, 5.0, *TRICK[:2])
    assert sorted(one.card for one in sight.cards) == ["9S", "KC"]
    watcher.new_deal()
    assert "QB" in {one.card for one in _seen(table, watcher, 10.0, *TRICK[:2]).cards}, "nothing else was known of it"


def test_of_several_unknown_cards_each_is_one_of_its_own() -> None:
    """Two ``??`` of one confidence stopped the watcher: their outlines were compared as if they were numbers."""
    cards = [LyingFace("??", 0.5, np.zeros((4, 2))), LyingFace("??", 0.5, np.ones((4, 2)))]
    cards.remove(cards[1])
    assert [float(card.middle[0]) for card in cards] == [0.0]


def test_nothing_is_read_while_it_moves_and_an_arm_hides_what_it_covers(table: Table) -> None:
    watcher = table.watcher()
    _seen(table, watcher, 0.0)
    one = watcher.look(table.camera.render(Scene(1.0, TRICK[:1])), 1.0)
    assert one is None or _named(one) == set()
    sight = _seen(table, watcher, 2.0, *TRICK[:1], arms=(Arm(Seat.SOUTH, 0.0, 30.0),))
    assert "trick" in sight.hidden


def test_hands_are_read_when_the_deal_is_over_and_not_before(table: Table) -> None:
    watcher = table.watcher()
    _seen(table, watcher, 0.0)
    held = PlacedCard("KC#1", 0.0, -404.0, 0.0, face_up=True)
    assert _named(_seen(table, watcher, 6.0, held)) == set()
    watcher.deal_over()
    assert {(card.card, card.zone) for card in _seen(table, watcher, 12.0, held).cards} == {("KC", "hand-S")}
    watcher.deal_goes_on()
    assert _named(_seen(table, watcher, 18.0, held)) == set()
    watcher.new_deal()
    assert _named(_seen(table, watcher, 24.0, held)) == set()


def test_a_frame_of_another_size_is_refused(table: Table) -> None:
    with pytest.raises(CalibrationError, match="calibrated at"):
        table.watcher().look(cv2.resize(table.empty, (900, 900)), 0.0)


def test_a_table_whose_configuration_names_an_enrolled_pack_reads_its_whole_faces(table: Table, tmp_path: Path) -> None:
    from table_service.camera.camera_loop import eye_of

    path = tmp_path / "ours.pack"
    PackFaces(TAROCCO.name, (), np.zeros((0, 1), np.float32), _prints()).save(path)
    section = TableSection(name="T1", rules="tarocco")
    camera = CameraSection(source="picamera2", width=WIDTH, height=WIDTH, pack=path)
    zones = {name: {"rect": (r.x0, r.y0, r.x1, r.y1)} for name, r in TAROCCO_LAYOUT.zones.items()}
    eye = eye_of(TableMap(table=section, camera=camera, zones=zones), "boot")()
    eye.look(table.empty, 0.0)
    frame = table.camera.render(Scene(1.0, TRICK[:1]))
    eye.look(frame, 1.0)
    sight = eye.look(frame, 1.1)
    assert sight is not None
    assert _named(sight) == {"KC"}
