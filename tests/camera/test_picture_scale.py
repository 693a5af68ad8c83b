"""`tavolo check` says of a camera whose picture is too small for the cards of the rule set, and of no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_service.commands.checks import check_file


def of_size(path: Path, rules: str, source: str, width: int, height: int) -> Path:
    text = (
        f'[table]\nname = "T1"\nrules = "{rules}"\n[camera]\nsource = "{source}"\nwidth = {width}\nheight = {height}\n'
    )
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rules", "source", "width", "height", "told"),
    [
        ("tarocco", "v4l2:/dev/video0", 1920, 1080, "cards without an index takes 1.36"),
        ("tarocco", "v4l2:/dev/video0", 2560, 1440, ""),
        ("fibur2024", "v4l2:/dev/video0", 1920, 1080, ""),
        ("fibur2024", "http://phone/video", 1280, 720, "indices takes 0.92"),
        ("tarocco", "none", 640, 480, ""),
    ],
)
def test_a_picture_too_small_for_the_cards_is_told_before_anything_is_bought(
    tmp_path: Path, rules: str, source: str, width: int, height: int, told: str
) -> None:
    _, gaps = check_file(of_size(tmp_path / "t.toml", rules, source, width, height))
    said = [one for one in gaps if "pixels a millimetre" in one]
    assert len(said) == bool(told)
    assert told in "".join(said)


def test_it_is_told_in_italian_with_what_to_do(tmp_path: Path) -> None:
    _, gaps = check_file(of_size(tmp_path / "t.toml", "tarocco", "picamera2", 1920, 1080), "it")
    assert any("1.20 pixel per millimetro" in one and "aumenta width e height" in one for one in gaps)
