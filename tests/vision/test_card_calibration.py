"""Calibration by five cards: true within what it promises, refused in a sentence, and a pushed camera is noticed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from hw.layout import DEFAULT_LAYOUT, Layout
from hw.tablemap import TableMap
from hw.twin.scene import Scene
from lab.vision.measure.by_cards import BARE, TableLook, a_table, errors_of
from table_service.camera.table_camera import Eye
from table_service.cli import app
from table_service.sensor_check.looked import ByCards, Sharp
from table_service.sensor_check.tasks import tasks
from table_service.sensor_check.trial import Standing
from vision.calibration import Calibration
from vision.card_calibration import calibrate_by_cards
from vision.drift import EVERY_S, DriftWatch, still_right
from vision.errors import CalibrationError

WEBCAM = (1920, 1080)
RUN = CliRunner()
SEEN_AS_A_SQUARE = 7429
"""A table whose camera sees the card in one corner 1.09 times as long as it is wide."""


def laid(seed: int, spoil: str = "") -> TableLook:
    return a_table(seed, tilt=25.0, aside=2.0, px=WEBCAM, spoil=spoil)


@pytest.fixture(scope="module")
def table() -> Any:
    """A table, its frame with the cards, its empty frame and the calibration."""
    look = laid(7201)
    frame = look.camera.render(look.scene)
    return look, frame, look.camera.render(Scene(1.0, ())), calibrate_by_cards(frame, BARE)


@pytest.mark.parametrize("seed", [7202, 7203, 7204, SEEN_AS_A_SQUARE])
def test_a_camera_up_to_25_degrees_aside_is_as_true_as_it_promises(seed: int) -> None:
    look = laid(seed)
    found = calibrate_by_cards(look.camera.render(look.scene), BARE)
    worst = float(errors_of(found, look.camera).max())
    assert found.error_mm is not None
    assert worst <= found.error_mm <= 5.0
    assert Calibration.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_cards_whose_long_side_seems_the_shorter_are_taken_as_they_lie(table: Any) -> None:
    look, frame, _, _ = table
    share = np.array([0.62, 1.0])
    squeezed = cv2.resize(frame, np.rint(share * WEBCAM).astype(int).tolist(), interpolation=cv2.INTER_AREA)
    found = calibrate_by_cards(np.asarray(squeezed, np.uint8), BARE)
    places = np.array([[-450.0, -450.0], [450.0, -450.0], [450.0, 450.0], [-450.0, 450.0], [0.0, 0.0]])
    pixels = (look.camera.project_all(places) + 0.5) * share - 0.5
    assert float(np.hypot(*(found.to_table(pixels) - places).T).max()) <= 5.0


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("missing", "of the five cards can be made out"),
        ("fifth", "of the five cards can be made out"),
        ("turned", "push"),
        ("aside", "push it into the corner"),
        ("moved-in", "no four cards lie in the table's four corners"),
    ],
)
def test_cards_that_do_not_lie_as_asked_are_refused_with_what_to_do(spoil: str, said: str) -> None:
    look = laid(7205, spoil)
    with pytest.raises(CalibrationError, match=said):
        calibrate_by_cards(look.camera.render(look.scene), BARE)


def test_the_table_itself_is_none_of_its_cards() -> None:
    look = laid(7650, "missing")
    with pytest.raises(CalibrationError, match="only 4 of the five cards"):
        calibrate_by_cards(look.camera.render(look.scene), BARE)


def _painted(look: TableLook, frame: Any, corners: list[tuple[float, float]]) -> Any:
    """The frame with a white thing on the table."""
    ring = np.rint(look.camera.project_all(corners) * 16).astype(np.int32)
    return cv2.fillPoly(frame.copy(), [ring], (225, 230, 232), cv2.LINE_AA, 4)


def test_a_bank_card_in_a_corner_is_no_card_of_the_pack(table: Any) -> None:
    look, _, _, _ = table
    half = DEFAULT_LAYOUT.side / 2
    frame = look.camera.render(replace(look.scene, cards=look.scene.cards[1:]))
    box = [(-half, half), (-half + 54, half), (-half + 54, half - 85.6), (-half, half - 85.6)]
    with pytest.raises(CalibrationError):
        calibrate_by_cards(_painted(look, frame, box), BARE)


def test_a_foreign_thing_of_a_cards_size_beside_the_cards_changes_nothing(table: Any) -> None:
    look, frame, _, _ = table
    away = [(250.0, -100.0), (313.0, -100.0), (313.0, -188.0), (250.0, -188.0)]
    found = calibrate_by_cards(_painted(look, frame, away), BARE)
    assert float(errors_of(found, look.camera).max()) <= 5.0


def test_two_cards_about_the_middle_are_ambiguous(table: Any) -> None:
    look, frame, _, _ = table
    beside = [(150.0, 44.0), (213.0, 44.0), (213.0, -44.0), (150.0, -44.0)]
    with pytest.raises(CalibrationError, match="around the middle"):
        calibrate_by_cards(_painted(look, frame, beside), BARE)


def test_a_table_of_another_size_than_the_table_map_says_is_told_with_its_size(table: Any) -> None:
    _, frame, _, _ = table
    with pytest.raises(CalibrationError, match=r"by the cards the table is \d+ mm wide"):
        calibrate_by_cards(frame, Layout(DEFAULT_LAYOUT.zones, (), side=980.0))


def _pushed(frame: Any, pixels: float) -> Any:
    move = np.array([[1, 0, pixels], [0, 1, pixels / 2]], np.float32)
    return cv2.warpAffine(frame, move, (frame.shape[1], frame.shape[0]), borderMode=cv2.BORDER_REPLICATE)


def test_a_camera_pushed_afterwards_is_noticed_and_a_still_one_in_other_light_is_not(table: Any) -> None:
    _, _, empty, found = table
    watch = DriftWatch(BARE, found)
    times = iter(np.arange(1, 20) * EVERY_S)
    darker = np.clip(empty * 0.8 + 6, 0, 255).astype(np.uint8)
    assert [watch.follow(one, next(times)) for one in (empty, darker, empty)] == [None] * 3
    pushed = _pushed(empty, 6 * found.px_per_mm())
    assert watch.follow(pushed, next(times)) is None, "one look may be an arm"
    told = watch.follow(pushed, next(times))
    assert told is not None
    assert not told.holds
    assert "the table's edge lies up to" in told.note
    with pytest.raises(CalibrationError, match="calibrate again"):
        still_right(found, pushed, BARE)


def test_a_table_that_begins_takes_the_kept_calibration_or_says_that_it_holds_no_more(table: Any) -> None:
    _, _, empty, found = table
    assert Eye(BARE, {}, "boot", kept=found).calibrate(empty) == found
    with pytest.raises(CalibrationError, match="has moved"):
        Eye(BARE, {}, "boot", kept=found).calibrate(_pushed(empty, 6 * found.px_per_mm()))
    with pytest.raises(CalibrationError, match="the calibration is for 1920x1080 pixels"):
        Eye(BARE, {}, "boot", kept=found).calibrate(empty[:900])


def test_the_command_keeps_a_calibration_by_cards_and_compares_with_it(tmp_path: Path, table: Any) -> None:
    _, frame, empty, found = table
    laid_png, empty_png, out = tmp_path / "laid.png", tmp_path / "empty.png", tmp_path / "camera.json"
    cv2.imwrite(str(laid_png), frame)
    cv2.imwrite(str(empty_png), empty)
    answer = RUN.invoke(app, ["calibrate", "--cards", "--image", str(laid_png), "--out", str(out)])
    assert answer.exit_code == 0, answer.output
    assert "five cards" in answer.stdout
    assert Calibration.load(out) == found
    again = RUN.invoke(app, ["calibrate", "--image", str(empty_png), "--against", str(out)])
    assert again.exit_code == 0, again.output
    assert "still right" in again.stdout
    bare = RUN.invoke(app, ["calibrate", "--cards", "--image", str(empty_png)])
    assert bare.exit_code == 1
    assert bare.stderr.count("\n") == 1


def test_a_walk_round_a_table_without_markers_waits_for_the_cards_and_keeps_what_they_give(
    tmp_path: Path, table: Any
) -> None:
    _, frame, empty, found = table
    kept = tmp_path / "camera.json"
    mapped = TableMap.model_validate(
        {"table": {"name": "T1", "rules": "fibur2024"}, "camera": {"source": "picamera2", "calibration": str(kept)}}
    )
    course = {task.item.way: task for task in tasks(mapped)}
    trial = ByCards(course["by-cards"], Standing(), 0.0, BARE, kept)
    trial.see(empty, 0.0)
    assert not trial.done
    assert "Not yet: only 0 of the five cards" in trial.cues.pop().en
    trial.see(frame, 2.0)
    assert trial.done
    assert not trial.findings
    assert Calibration.load(kept) == found
    sharp = Sharp(course["picture"], Standing(), 0.0, BARE, kept)
    for n in range(10):
        sharp.see(empty, n / 2)
    sharp.fed(5.0)
    sharp.advance(5.0, 5.0)
    assert sharp.done
    assert not sharp.findings
