"""The simulated camera: geometry, incremental drawing, truth, determinism."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import cv2
import numpy as np
import pytest

from hw.layout import DEFAULT_LAYOUT
from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.camera_optics import Optics
from hw.twin.camera_style import STYLES, CameraStyle
from hw.twin.scene import Arm, PlacedCard, Scene

SIDE = 1520
"""Half the real picture: enough for geometry, four times quicker."""


def a_deal() -> tuple[PlacedCard, ...]:
    """A stock, a fanned pile, a column for North's eyes and a row for East's, one card askew."""
    return (
        *(PlacedCard("??", -40 + 0.3 * (n % 3), 48 - 0.2 * (n % 2), 90, False) for n in range(20)),
        *(PlacedCard(f"{rank}H#1", -300 + 18 * n, -60, 0, True) for n, rank in enumerate("A2345")),
        *(PlacedCard(f"{rank}S#2", -200, 300 - 18 * n, 180, True) for n, rank in enumerate("789TJ")),
        *(PlacedCard(f"{rank}D", 300 - 20 * n, -100, 90, True) for n, rank in enumerate("QK")),
        PlacedCard("JK#3", 230, 250, 33, True),
    )


@pytest.fixture(scope="module")
def camera() -> Camera:
    return Camera(seed=5, width=SIDE, height=SIDE)


@pytest.mark.parametrize("style", STYLES, ids=("green", "blue", "red"))
def test_markers_are_found_within_a_pixel_of_their_projection(style: CameraStyle) -> None:
    camera = Camera(style=style, seed=1)
    frame = camera.render(Scene(0.0, ()))
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)
    corners, numbers, _ = detector.detectMarkers(frame)
    found = {int(number): quad.reshape(4, 2) for number, quad in zip(numbers.ravel(), corners, strict=True)}
    assert set(found) == {marker.number for marker in DEFAULT_LAYOUT.markers}
    for marker in DEFAULT_LAYOUT.markers:
        half = marker.side / 2
        for (dx, dy), seen in zip(((-1, 1), (1, 1), (1, -1), (-1, -1)), found[marker.number], strict=True):
            expected = camera.project(marker.x + dx * half, marker.y + dy * half)
            assert np.hypot(*(np.array(expected) - seen)) < 0.8


def test_the_whole_table_is_in_the_picture_at_more_than_three_pixels_a_millimetre() -> None:
    for style in STYLES:
        optics = Optics(style, DEFAULT_LAYOUT.side, 3040, 3040)
        corners = optics.project([(-450, -450), (-450, 450), (450, -450), (450, 450), (0, 450), (450, 0)])
        assert ((corners >= 0) & (corners < 3040)).all()
        assert 3.2 < optics.px_per_mm < 3.5


def test_north_is_up_and_east_is_right(camera: Camera) -> None:
    assert camera.project(0, 300)[1] < camera.project(0, -300)[1]
    assert camera.project(300, 0)[0] > camera.project(-300, 0)[0]


def differing(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference of the two frames once noise is smoothed away, in grey levels."""
    smooth = [cv2.GaussianBlur(frame.astype(np.float32), (0, 0), 3) for frame in (one, other)]
    return float(np.abs(smooth[0] - smooth[1]).max())


def test_a_frame_drawn_step_by_step_equals_one_drawn_at_once() -> None:
    cards = a_deal()
    arm = Arm(Seat.EAST, 150, -20)
    stepwise = Camera(seed=3, width=SIDE, height=SIDE)
    for scene in (
        Scene(0, cards[:20]),
        Scene(1, cards),
        Scene(2, cards, (Arm(Seat.SOUTH, 40, -200),)),
        Scene(3, (*cards[:19], *cards[20:]), (Arm(Seat.SOUTH, 40, -200), arm)),
        Scene(4, (*cards[:19], *cards[24:19:-1], *cards[25:]), (arm,)),
    ):
        last = stepwise.render(scene)
        at_once = Camera(seed=3, width=SIDE, height=SIDE).render(scene)
        assert differing(last, at_once) < 6, scene.t


def test_a_taken_card_leaves_the_bare_cloth(camera: Camera) -> None:
    empty = camera.render(Scene(0, ()))
    full = camera.render(Scene(1, a_deal()))
    assert differing(empty, full) > 60
    assert differing(empty, camera.render(Scene(2, ()))) < 6


def test_changed_places_get_fresh_noise_and_others_are_renewed_in_turn(camera: Camera) -> None:
    frames = [camera.render(Scene(float(n), ())) for n in range(26)]
    assert all((one != other).any() for one, other in pairwise(frames))
    assert (frames[0] != frames[-1]).mean() > 0.4


def test_truth_quads_lie_on_their_cards(camera: Camera) -> None:
    scene = Scene(0, a_deal())
    frame = camera.render(scene)
    checked = 0
    for truth in camera.camera_truth(scene):
        if truth.visible < 0.99 or not truth.card.face_up:
            continue
        inward = truth.quad + (truth.quad.mean(axis=0) - truth.quad) * 0.1
        outward = truth.quad + (truth.quad - truth.quad.mean(axis=0)) * 0.1
        on, off = (brightness(frame, spots) for spots in (inward, outward))
        assert (on > 130).all(), truth.card
        if truth.card.card.startswith("JK"):
            assert (off < 110).all()
        checked += 1
    assert checked == 4


def brightness(frame: np.ndarray, spots: np.ndarray) -> np.ndarray:
    """The red channel around each spot: high on paper, low on green cloth."""
    return np.array([frame[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2, 2].mean() for x, y in spots])


def test_truth_index_boxes_hold_the_index_of_the_card() -> None:
    """A frame with the card and one with another rank differ within its index boxes, and both indices agree."""
    camera = Camera(seed=2)
    for angle in (0, 33, 90, 180, 271):
        one, other = (Scene(0, (PlacedCard(card, 100, -50, angle, True),)) for card in ("7H", "KS"))
        first, second = camera.render(one), camera.render(other)
        for index in camera.camera_truth(one)[0].indices:
            patches = [upright(frame, index.quad) for frame in (first, second)]
            dark = [(patch.min(axis=2) < 120).mean() for patch in patches]
            assert all(0.1 < part < 0.6 for part in dark), (angle, dark)
            assert patches[0][..., 2].min() > patches[1][..., 2].min() + 40  # red ink against black
        assert len(camera.camera_truth(one)[0].readable) == 2


def upright(frame: np.ndarray, quad: np.ndarray) -> np.ndarray:
    target = np.array([[0, 0], [29, 0], [29, 49], [0, 49]], np.float32)
    return cv2.warpPerspective(frame, cv2.getPerspectiveTransform(quad.astype(np.float32), target), (30, 50))


def test_truth_knows_what_cards_and_arms_cover(camera: Camera) -> None:
    cards = (PlacedCard("7H", 0, 0, 0, True), PlacedCard("8H", 0, -18, 0, True), PlacedCard("9H", 0, -18, 0, False))
    bottom, middle, top = camera.camera_truth(Scene(0, cards))
    assert [index.corner for index in bottom.readable] == [0]
    assert middle.readable == ()
    assert middle.visible == 0
    assert top.indices == ()
    assert top.visible == 1
    armed = camera.camera_truth(Scene(0, cards[:1], (Arm(Seat.SOUTH, 0, 20),)))
    assert armed[0].visible < 0.5


def test_an_arm_hides_the_cards_below_it(camera: Camera) -> None:
    def shot(card: str, *arms: Arm) -> np.ndarray:
        x, y = (round(value) for value in camera.project(0, -150))
        frame = camera.render(Scene(0, (PlacedCard(card, 0, -150, 0, True),), arms))
        return np.ascontiguousarray(frame[y - 20 : y + 20, x - 20 : x + 20])

    arm = Arm(Seat.SOUTH, 0, -50)
    assert differing(shot("KC"), shot("??")) > 60
    assert differing(shot("KC", arm), shot("??", arm)) < 6


def test_copies_of_a_card_look_alike_face_up_and_differ_by_their_backs() -> None:
    def shot(card: str, face_up: bool) -> np.ndarray:
        return Camera(seed=9, width=760, height=760).render(Scene(0, (PlacedCard(card, 0, 0, 0, face_up),)))

    assert (shot("7H#1", True) == shot("7H#2", True)).all()
    assert (shot("7H", True) == shot("7H#1", True)).all()
    assert (shot("7H#1", False) != shot("7H#2", False)).any()
    assert (shot("7H#1", False) == shot("KS#1", False)).all()


def test_the_same_seed_gives_the_same_frames_in_another_process() -> None:
    code = (
        "import hashlib\n"
        "from hw.twin.camera import Camera\n"
        "from hw.twin.scene import PlacedCard, Scene\n"
        "camera = Camera(seed=4, width=600, height=600)\n"
        "camera.render(Scene(0, ()))\n"
        "frame = camera.render(Scene(1, (PlacedCard('7H', 0, 0, 12, True),)))\n"
        "print(hashlib.sha256(frame.tobytes()).hexdigest())\n"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
    other = Camera(seed=5, width=600, height=600).render(Scene(0, ()))
    assert (other != Camera(seed=4, width=600, height=600).render(Scene(0, ()))).any()


def test_cards_beyond_the_picture_and_unknown_cards_are_drawn_without_error(camera: Camera) -> None:
    cards = (
        PlacedCard("7H", 900, 0, 0, True),
        PlacedCard("??", 440, 440, 10, True),
        PlacedCard("9C", -470, 0, 0, True),
    )
    frame = camera.render(Scene(0, cards, (Arm(Seat.NORTH, 2000, 2000), Arm(Seat.WEST, -675, 0))))
    assert frame.shape == (SIDE, SIDE, 3)
    assert camera.camera_truth(Scene(0, cards))[0].visible == 0
