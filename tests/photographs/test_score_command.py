"""`tavolo score` from picture files: the answer, what is said for people, errors in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from hw.pack.raster import face_bgra
from table_service.cli import app

Draw = Callable[..., np.ndarray]
FACTS = ["--say", "NS.closed=yes", "--say", "NS.pot=taken", "--say", "EW.pot=taken", "--say", "N.hand="]


def _run(*args: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["score", *args])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def pictures(tmp_path: Path, drawn: Draw) -> dict[str, Path]:
    laid = {
        "ns.jpg": [["4H", "5H", "6H", "7H"], ["KC", "KD", "KS"]],
        "ew.jpg": [["9C", "TC", "JC"]],
        "s.jpg": [["3D"]],
        "e.jpg": [["AD"], ["6S"]],
        "w.jpg": [["QC"]],
    }
    for name, columns in laid.items():
        cv2.imwrite(str(tmp_path / name), drawn(columns))
    return {name: tmp_path / name for name in laid}


def test_a_deal_is_scored_item_by_item(pictures: dict[str, Path], tmp_path: Path) -> None:
    files = [f"{what}={pictures[f'{what.lower()}.jpg']}" for what in ("NS", "EW", "S", "E", "W")]
    code, out, _ = _run(*files, "--rules", "fibur2024", "--json", *FACTS, "--draw", str(tmp_path / "read.jpg"))
    answer = json.loads(out)
    assert code == 0
    assert answer["lines"]["NS"]["items"] | {"bonus": 0} == {
        "burraco": 0, "closing": 100, "melds": 50, "pot": 0, "hand": -5, "penalised": 0, "bonus": 0,
    }  # fmt: skip
    assert answer["lines"]["EW"]["total"] == 30 - 15 - 5 - 10
    assert answer["doubtful"] == []
    assert [image["shows"] for image in answer["images"]] == ["melds-NS", "melds-EW", "hand-S", "hand-E", "hand-W"]
    assert (tmp_path / "read-1.jpg").exists()


def test_the_written_sheet_is_compared_by_item(pictures: dict[str, Path]) -> None:
    files = [f"{what}={pictures[f'{what.lower()}.jpg']}" for what in ("NS", "EW", "S", "E", "W")]
    sheet = ("--written", "NS.melds=50", "--written", "EW.hand=-25")
    code, out, _ = _run(*files, "--rules", "fibur2024", "--lang", "en", *FACTS, *sheet)
    assert code == 0
    assert "EW, hand: written -25, the pictures say -30: AD counts -15, QC counts -10." in out
    assert "NS, melds" not in out
    code, _, error = _run(files[0], "--rules", "fibur2024", "--written", "NS.cellar=3")
    assert (code, "is no written figure" in error) == (2, True)


def test_what_is_lacking_is_said_to_people_in_their_language(pictures: dict[str, Path]) -> None:
    code, out, _ = _run(f"NS={pictures['ns.jpg']}", "--rules", "fibur2024", "--lang", "it")
    assert code == 0
    assert "NS: KC KD KS" in out
    assert "? EW: Manca la fotografia delle combinazioni." in out


def test_four_hands_give_a_record_in_pbn(tmp_path: Path) -> None:
    """Fans side by side, as they lie after the play, one picture a hand."""
    suits = {"N": "S", "E": "H", "S": "D", "W": "C"}
    files = []
    for seat, suit in suits.items():
        picture = np.full((600, 1500, 3), (62, 104, 44), np.uint8)
        for n, rank in enumerate("AKQJT98765432"):
            face = face_bgra(rank + suit, 4.0)
            x = 100 + n * 80
            picture[120 : 120 + face.shape[0], x : x + face.shape[1]] = face[..., :3]
            cv2.line(picture, (x, 120), (x, 120 + face.shape[0] - 1), (150, 150, 150), 1)
        cv2.imwrite(str(tmp_path / f"{seat}.png"), picture)
        files.append(f"{seat}={tmp_path / f'{seat}.png'}")
    code, out, err = _run(*files, "--rules", "bridge", "--pbn", "--say", "board=3", "--lang", "en")
    assert code == 0, err
    assert '[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]' in out
    assert '[Board "3"]' in out


@pytest.mark.parametrize(("args", "code", "word"), [
    ([], 2, "name at least one picture"),
    (["{dir}/none.jpg"], 1, "there is no such file"),
    (["XY={dir}/ns.jpg"], 2, "says nothing of a picture"),
    (["NS={dir}/ns.jpg", "--say", "closed"], 2, "NS.pot=taken"),
    (["NS={dir}/ns.jpg", "--rules", "tarocco"], 2, "enrol the pack"),
    (["NS={dir}/photo.heic"], 1, "HEIC"),
])  # fmt: skip
def test_a_mistake_is_one_sentence(
    pictures: dict[str, Path], tmp_path: Path, args: list[str], code: int, word: str
) -> None:
    (tmp_path / "photo.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(200))
    done, _, err = _run(*(arg.replace("{dir}", str(tmp_path)) for arg in args))
    assert done == code
    assert word in err
    assert "Traceback" not in err
