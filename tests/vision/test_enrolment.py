"""`tavolo enrol`: a pack shown once is known again; what is missing, doubled or foreign is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from hw.cards import BRIDGE, BURRACO, TAROCCO
from hw.pack.raster import face_bgra
from hw.pack.style import STYLES
from table_service.cli import app
from vision.packs import PackError, PackFaces, muster

from .tarot_art import ALL, face, photograph

RUN = CliRunner()
MOST = ALL[:24]
"""Part of the pack: enough to be told apart, few enough for a quick test."""


def _own(card: str, style: int = 0) -> Any:
    bgra = face_bgra(card, 6.0, STYLES[style])
    alpha = bgra[..., 3:].astype(np.float32) / 255
    return (bgra[..., :3] * alpha + np.array([34, 96, 60]) * (1 - alpha)).astype(np.uint8)


@pytest.fixture(scope="module")
def tarocco(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack without an index, enrolled card by card from pictures named after their cards."""
    folder = tmp_path_factory.mktemp("tarocco")
    for k, name in enumerate(MOST):
        picture = photograph([(name, 350, 300, (k * 37) % 30 - 15)], k, (700, 600))
        cv2.imwrite(str(folder / f"{name}.jpg"), picture)
    out = folder / "mine.pack"
    answer = RUN.invoke(app, ["enrol", str(folder), "--of", "tarocco", "--out", str(out), "--json"])
    said = json.loads(answer.stdout)
    assert answer.exit_code == 1, "most of the pack was not shown, and that is said"
    assert sorted(said["seen"]) == sorted(MOST)
    assert set(said["missing"]) == set(ALL) - set(MOST)
    return out


@pytest.mark.slow
def test_a_pack_without_an_index_is_read_by_its_whole_faces_however_they_lie(tarocco: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    right = 0
    for n in range(3):
        names = [str(v) for v in rng.choice(MOST, 8, replace=False)]
        spots = [(200 + 330 * (k % 4), 260 + 480 * (k // 4)) for k in range(8)]
        cards = [(name, *spot, float(rng.uniform(0, 360))) for name, spot in zip(names, spots, strict=True)]
        picture = tmp_path / f"{n}.jpg"
        cv2.imwrite(str(picture), photograph(cards, 50 + n, (1400, 1000), 2.6))
        answer = RUN.invoke(app, ["see", str(picture), "--pack", str(tarocco), "--json"])
        assert answer.exit_code == 0, answer.output
        found = json.loads(answer.stdout)["cards"]
        seen = [c["card"] for c in found]
        assert set(seen) <= set(names), "nothing is invented"
        lain = {name: degrees for name, _, _, degrees in cards}
        for card in found:
            if card["card"][0] in "FCQK":  # the others look alike upside down
                assert abs((card["angle"] - lain[card["card"]] + 180) % 360 - 180) < 8
        right += len(seen)
    assert right >= 23


@pytest.mark.slow(seconds=5)
def test_a_face_that_was_not_enrolled_is_not_taken_for_another(tarocco: Path) -> None:
    from vision.faces.finding import identify
    from vision.faces.outlines import find_quads

    known = PackFaces.load(tarocco).faces
    assert known is not None
    for k, name in enumerate(["t5", "t16", "m1", "beg"]):
        (quad,) = find_quads(photograph([(name, 350, 300, 10)], 90 + k, (700, 600)))
        found = identify(quad.face, known)
        assert found is None or found.name == "??"


@pytest.mark.slow
def test_missing_doubled_and_foreign_cards_of_a_pack_are_named(tarocco: Path, tmp_path: Path) -> None:
    shown = [n for n in MOST if n != "KC"] + ["6D", "t5"]
    for part in range(0, len(shown), 12):
        cards = [(n, 110 + 200 * (k % 6), 220 + 400 * (k // 6), 0.0) for k, n in enumerate(shown[part : part + 12])]
        cv2.imwrite(str(tmp_path / f"rows{part}.png"), photograph(cards, part, (1240, 900), 3.0))
    answer = RUN.invoke(app, ["enrol", str(tmp_path), "--check", str(tarocco), "--json"])
    said = json.loads(answer.stdout)
    assert answer.exit_code == 1
    assert "KC" in said["missing"]
    assert said["doubled"] == {"6D": 1}
    assert said["foreign"] == ["??"], "the t5 was never enrolled"
    plain = RUN.invoke(app, ["enrol", str(tmp_path), "--check", str(tarocco)])
    assert "one too many: 6D" in plain.stdout


def test_rows_with_their_names_beside_them_are_enrolled_in_reading_order(tmp_path: Path) -> None:
    names = list(ALL[40:50])
    cards = [(n, 130 + 220 * (k % 5), 220 + 420 * (k // 5), 0.0) for k, n in enumerate(names)]
    cv2.imwrite(str(tmp_path / "rows.png"), photograph(cards, 3, (1160, 920)))
    (tmp_path / "rows.txt").write_text("\n".join([" ".join(names[:5]), " ".join(names[5:])]))
    out = tmp_path / "p.pack"
    answer = RUN.invoke(app, ["enrol", str(tmp_path), "--of", "tarocco", "--out", str(out), "--json"])
    assert json.loads(answer.stdout)["seen"] == names
    assert set(PackFaces.load(out).whole) == set(names)
    (tmp_path / "rows.txt").write_text("AC 99")
    answer = RUN.invoke(app, ["enrol", str(tmp_path), "--of", "tarocco", "--out", str(out)])
    assert (answer.exit_code, "'99' names no card" in answer.stderr) == (1, True)


@pytest.mark.slow
def test_a_french_pack_in_rows_names_itself_and_what_it_lacks(tmp_path: Path) -> None:
    cards = [c for c in BRIDGE.copies if c not in ("7H", "QS")]
    for part in range(0, len(cards), 25):
        some = cards[part : part + 25]
        spots = [(150 + 260 * (k % 5), 180 + 330 * (k // 5)) for k in range(len(some))]
        laid = [(_own(c), *s, 0.0) for c, s in zip(some, spots, strict=True)]
        cv2.imwrite(str(tmp_path / f"part{part:02d}.png"), photograph(laid, part, (1340, 1700), 3.4))
    out = tmp_path / "own.pack"
    answer = RUN.invoke(app, ["enrol", str(tmp_path), "--of", "bridge", "--out", str(out), "--json"])
    said = json.loads(answer.stdout)
    assert said["missing"] == {"7H": 1, "QS": 1}
    assert said["doubled"] == {}
    pack = PackFaces.load(out)
    assert set(pack.names) == set(cards)
    other = _own("KD")  # another pack's king: the same index, another picture
    other[100:-100, 75:-75] = cv2.resize(face("KB"), (other.shape[1] - 150, other.shape[0] - 200))
    foreign = photograph([(_own("9C"), 300, 300, 20.0), (other, 700, 300, 0.0)], 77, (1000, 600), 3.4)
    cv2.imwrite(str(tmp_path / "two.jpg"), foreign)
    answer = RUN.invoke(app, ["enrol", str(tmp_path / "two.jpg"), "--check", str(out), "--json"])
    assert json.loads(answer.stdout)["foreign"] == ["KD"], "a king of another picture"


def test_tags_must_make_the_pack(tmp_path: Path) -> None:
    tags = {f"E00401{n:010X}": card for n, card in enumerate(BURRACO.cards())}
    picture = tmp_path / "7H.png"
    cv2.imwrite(str(picture), photograph([(_own("7H"), 350, 300, 0.0)], 1, (700, 600), 3.4))
    kept, out = tmp_path / "tags.json", tmp_path / "b.pack"
    kept.write_text(json.dumps(tags))
    RUN.invoke(app, ["enrol", str(picture), "--out", str(out), "--tags", str(kept)])
    assert PackFaces.load(out).tags == tags
    tags.popitem()
    tags["E00401FFFFFFFFFF"] = "7H#3"
    kept.write_text(json.dumps(tags))
    answer = RUN.invoke(app, ["enrol", str(picture), "--out", str(out), "--tags", str(kept)])
    assert answer.exit_code == 1
    assert "7H 3 of 2" in answer.stderr


def test_wrong_use_and_broken_packs_are_one_sentence(tmp_path: Path) -> None:
    picture = tmp_path / "AC.png"
    cv2.imwrite(str(picture), photograph([("AC", 350, 300, 0.0)], 1, (700, 600)))
    assert RUN.invoke(app, ["enrol", str(picture)]).exit_code == 2
    broken = tmp_path / "broken.pack"
    for content in (b"", b"no pack", b"PK\x03\x04 cut"):
        broken.write_bytes(content)
        with pytest.raises(PackError, match=r"broken\.pack"):
            PackFaces.load(broken)
    for arguments in (
        ["see", str(picture), "--pack", str(broken)],
        ["enrol", str(picture), "--check", str(tmp_path / "gone.pack")],
        ["enrol", str(tmp_path / "gone.jpg"), "--out", str(tmp_path / "x.pack")],
        ["enrol", str(picture), "--of", "uno", "--out", str(tmp_path / "x.pack")],
        ["enrol", str(picture), "--of", "tarocco", "--out", str(tmp_path / "no" / "x.pack")],
    ):
        answer = RUN.invoke(app, arguments)
        assert answer.exit_code == 1, arguments
        assert answer.stderr.strip().splitlines()[-1].startswith("tavolo: ")
        assert "Traceback" not in answer.output


def test_a_muster_counts_copies() -> None:
    seen = [f for f, n in BURRACO.copies.items() for _ in range(n)]
    assert muster(seen, BURRACO).complete
    found = muster([*seen[1:], "7H"], BURRACO)
    assert (found.missing, found.doubled, found.foreign) == ({seen[0]: 1}, {"7H": 1}, ())
    assert "missing: AH; one too many: 7H" in found.sentence()
    assert muster(["t20"], TAROCCO).missing
    assert face("AC").shape == (612, 312, 3)
