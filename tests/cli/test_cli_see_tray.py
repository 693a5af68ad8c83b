"""`tavolo see --box`: the tray's bidding cards and the cards beside it in one pass, from a single photograph."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hw.bidding import BIDDING_BOX, TraySide
from hw.cards import TAROCCO, UNKNOWN
from hw.equipment import BRIDGE_TABLE
from hw.layout import BRIDGE_LAYOUT
from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.camera_style import RED_ROOM
from hw.twin.scene import BID, Arm, PlacedCard, Scene
from lab.vision.measure.bidding import Compartments, from_the_hand, laid
from lab.vision.train.bidding_boxes import drawn_box
from lab.vision.train.tarocchi import drawn_tarocchi
from tests.cli.test_cli_bidding_box import photograph
from vision.enrolment import enrolled_faces
from vision.packs import PackFaces
from vision.pictures import Image

BOX = 1013
CALLS: Compartments = {
    Seat.NORTH: ["P", "2S", "alert", "P", "4N"],
    Seat.EAST: ["1D", "X", "P"],
    Seat.SOUTH: ["stop", "2H", "3C", "XX"],
    Seat.WEST: ["1S", "7N"],
}
BESIDE = ("KD", "7H")
See = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tray")


@pytest.fixture(scope="module")
def box(folder: Path) -> PackFaces:
    """Box BOX, enrolled from one photograph and kept as BOX.pack."""
    names = list(BIDDING_BOX.copies)
    picture = cv2.imread(str(photograph(folder, names, BOX)))
    assert picture is not None
    pack = enrolled_faces("box.png", np.asarray(picture, np.uint8), names)
    pack.save(folder / "BOX.pack")
    return pack


@pytest.fixture
def camera() -> Camera:
    """One for each test: a camera's noise depends on what it took before."""
    return Camera(BRIDGE_LAYOUT, RED_ROOM, 11, 2000, 2000, artwork=drawn_box(BOX), equipment=BRIDGE_TABLE)


def table(camera: Camera, side: TraySide, prefix: str = BID, arms: tuple[Arm, ...] = ()) -> Image:
    """A table with CALLS in its tray on ``side`` and BESIDE played by South."""
    played = [PlacedCard(card, -80.0 + 90.0 * n, -292.0, 0.0, face_up=True) for n, card in enumerate(BESIDE)]
    cards = laid(CALLS, side, np.random.default_rng(3), prefix)
    return camera.render(Scene(1.0, (*cards, *played), arms))


def kept(folder: Path, name: str, picture: Image) -> Path:
    cv2.imwrite(str(folder / name), picture)
    return folder / name


@pytest.mark.slow(seconds=10)
@pytest.mark.parametrize("side", ["NE", pytest.param("SW", marks=pytest.mark.sweep)])
def test_calls_and_playing_cards_are_read_from_one_photograph_taken_from_the_hand(
    invoke: See, folder: Path, box: PackFaces, camera: Camera, side: TraySide
) -> None:
    assert box.pictures
    picture = kept(folder, f"{side}.png", from_the_hand(table(camera, side), np.random.default_rng(2)))
    result = invoke("see", picture, "--box", folder / "BOX.pack", "--json", "--draw", folder / "drawn.png")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    tray = answer["tray"]
    assert not tray["hidden"]
    for seat, names in CALLS.items():
        for one, name in zip((one for one in tray["cards"] if one["seat"] == seat), names, strict=True):
            # one picture may leave a small club or spade open, and then says between which two
            twins = [f"{name[0]}C", f"{name[0]}S"]
            assert one["card"] == name or (one["card"] == UNKNOWN and name in twins and one["or"] == twins), one
    assert sorted(card["card"] for card in answer["cards"]) == sorted(BESIDE), "no sign of a bid is taken for a card"
    assert all(
        0 <= low < high <= 2000
        for one in tray["cards"]
        for low, high in zip(*np.reshape(one["box"], (2, 2)), strict=True)
    )
    assert cv2.imread(str(folder / "drawn.png")) is not None


@pytest.mark.slow(seconds=6)
def test_the_line_for_a_person_names_the_calls_by_seat_and_says_when_a_hand_hides_them(
    invoke: See, folder: Path, box: PackFaces, camera: Camera
) -> None:
    assert box.pictures
    open_, covered = (
        kept(folder, name, table(camera, "NE", arms=arms))
        for name, arms in (("open.png", ()), ("covered.png", (Arm(Seat.NORTH, 10.0, 90.0),)))
    )
    said = invoke("see", open_, covered, "--box", folder / "BOX.pack").stdout.splitlines()
    told = said[0].replace("2C/2S", "2S").replace("3C/3S", "3C").replace("1C/1S", "1S")
    assert "; tray: N: P 2S alert P 4N, E: 1D X P, S: stop 2H 3C XX, W: 1S 7N (" in told
    assert "; tray: hidden (" in said[1]


@pytest.mark.slow(seconds=5)
def test_where_each_bidding_card_lies_is_told_in_pixels_upright_for_its_owner(
    invoke: See, folder: Path, box: PackFaces, camera: Camera
) -> None:
    assert box.pictures
    picture = kept(folder, "places.png", table(camera, "SW"))
    listed = json.loads(invoke("see", picture, "--box", folder / "BOX.pack", "--json").stdout)["tray"]["cards"]
    placed = laid(CALLS, "SW", np.random.default_rng(3))
    for one, card in zip(listed, placed, strict=True):
        turn = np.radians(card.angle)
        right, up = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        at = np.array([card.x, card.y]) - 31.5 * right + 44.0 * up
        assert np.hypot(*(np.array(one["corner"]) - camera.project(*at))) < 6.0, (one, card)
        assert abs((one["angle"] - card.angle + 180.0) % 360.0 - 180.0) < 2.5, (one, card)


@pytest.mark.slow(seconds=12)
def test_with_a_pack_and_a_box_the_cards_beside_the_tray_are_named_by_the_pack(
    invoke: See, folder: Path, box: PackFaces
) -> None:
    assert box.pictures
    faces, calls = drawn_tarocchi(3), drawn_box(BOX)
    names = ["TB", "7C", "t19", "8S"]
    sheet = np.full((2 * 260 + 40, 2 * 200 + 40, 3), 90, np.uint8)
    for n, name in enumerate(names):
        card = faces(name, 2.4)[..., :3]
        sheet[40 + n // 2 * 260 :, 40 + n % 2 * 200 :][: card.shape[0], : card.shape[1]] = card
    enrolled_faces("sheet.png", sheet, names, TAROCCO).save(folder / "TAROCCHI.pack")
    camera = Camera(
        BRIDGE_LAYOUT,
        RED_ROOM,
        17,
        2000,
        2000,
        artwork=lambda card, scale: (calls if card.startswith(BID) else faces)(card, scale),
        equipment=BRIDGE_TABLE,
    )
    played = [PlacedCard(card, -80.0 + 90.0 * n, -292.0, 0.0, face_up=True) for n, card in enumerate(names[:2])]
    scene = Scene(1.0, (*laid(CALLS, "NE", np.random.default_rng(3)), *played))
    picture = kept(folder, "both.png", camera.render(scene))

    def beside(*pack: object) -> list[str]:
        result = invoke("see", picture, "--box", folder / "BOX.pack", *pack, "--json")
        assert result.exit_code == 0, result.output
        answer = json.loads(result.stdout)
        assert [one["seat"] for one in answer["tray"]["cards"]] == [seat for seat, row in CALLS.items() for _ in row]
        return sorted(card["card"] for card in answer["cards"])

    assert beside("--pack", folder / "TAROCCHI.pack") == sorted(names[:2])
    assert not set(beside()) & set(names), "without the pack nobody knows these faces"


def tray_alone(camera: Camera, calls: Compartments) -> Image:
    """The middle of a table from above, no marker in sight."""
    frame = camera.render(Scene(1.0, tuple(laid(calls, "NE", np.random.default_rng(3)))))
    (x0, y0), (x1, y1) = camera.project(-190.0, 190.0), camera.project(190.0, -190.0)
    return np.ascontiguousarray(frame[int(y0) : int(y1), int(x0) : int(x1)])


@pytest.mark.slow(seconds=5)
def test_of_a_tray_alone_rows_are_read_and_nobody_is_said_to_own_them(
    invoke: See, folder: Path, box: PackFaces
) -> None:
    assert box.pictures
    camera = Camera(BRIDGE_LAYOUT, RED_ROOM, 13, 2600, 2600, artwork=drawn_box(BOX), equipment=BRIDGE_TABLE)
    picture = kept(folder, "alone.png", tray_alone(camera, CALLS))
    result = invoke("see", picture, "--box", folder / "BOX.pack", "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["cards"] == [], "no sign of a bid is taken for a playing card"
    assert answer["tray"]["hidden"] is None
    rows: dict[int, list[str]] = {}
    for card in answer["tray"]["cards"]:
        assert card["seat"] is None
        assert card["order"] == len(rows.setdefault(card["row"], []))
        rows[card["row"]].append(card["or"][0] if "or" in card else card["card"])
    lying = [[f"{name[0]}C" if name in ("2S", "1S") else name for name in names] for names in CALLS.values()]
    told = [[f"{name[0]}C" if name in ("2S", "1S") else name for name in row] for row in rows.values()]
    assert len(told) >= 3
    assert all(row in lying for row in told), (told, lying)
    assert "; tray: row 1: " in invoke("see", picture, "--box", folder / "BOX.pack").stdout


@pytest.mark.slow
def test_what_cannot_be_done_is_refused_in_one_sentence(
    invoke: See, folder: Path, box: PackFaces, tmp_path: Path
) -> None:
    felt = kept(tmp_path, "felt.png", np.full((600, 600, 3), (50, 90, 40), np.uint8))
    lacking = {name: faces for name, faces in box.pictures.items() if name not in ("3N", "P")}
    replace(box, pictures=lacking).save(tmp_path / "lacking.pack")
    PackFaces("bridge", (), np.zeros((0, 0), np.float32), box.whole).save(tmp_path / "cards.pack")
    for pack, why in (
        ("none.pack", "there is no such file"),
        ("cards.pack", "holds no bidding cards"),
        ("lacking.pack", "lacks 3N, P: no bidding card can be told"),
    ):
        result = invoke("see", felt, "--box", tmp_path / pack)
        assert result.exit_code == 1
        assert why in result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert result.stdout == ""
    result = invoke("see", felt, "--box", folder / "BOX.pack", "--json")
    assert result.exit_code == 1
    assert "no tray is seen" in result.stderr
    assert "no tray is seen" in json.loads(result.stdout)["error"]
