"""`tavolo audit` and `tavolo see`: files that a person hands over, good ones and bad ones."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import cv2
import numpy as np
import pytest

from hw.pack.raster import face_bgra
from table_service.journal import Entry, Journal, load_or_make_key


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "T1.sqlite"
    book = Journal.open(path, "T1", load_or_make_key(tmp_path / "T1.key"))
    for number in range(30):
        event = {
            "boot": book.boot,
            "seq": book.next_seq(),
            "type": "card.drawn",
            "data": {"from": "stock", "n": number},
        }
        book.add(Entry(event, {"card": "7H"}))
    book.close()
    return path


def test_a_good_journal_is_whole(invoke, journal):
    result = invoke("audit", journal)
    assert result.exit_code == 0
    assert "whole" in result.output
    verdict = json.loads(invoke("audit", journal, "--json").output)
    assert verdict["whole"] is True
    assert verdict["faults"] == []
    assert verdict["entries"] >= 30


def test_a_changed_byte_is_found_and_placed(invoke, journal):
    data = journal.read_bytes()
    place = data.index(b'"n":17')
    journal.write_bytes(data[: place + 5] + b"8" + data[place + 6 :])
    result = invoke("audit", journal)
    assert result.exit_code == 1
    verdict = json.loads(invoke("audit", journal, "--json").output)
    assert verdict["whole"] is False
    (entry,) = {fault["entry"] for fault in verdict["faults"]}
    with sqlite3.connect(journal) as db:
        (body,) = db.execute("SELECT body FROM entries WHERE n = ?", (entry,)).fetchone()
    db.close()
    assert json.loads(body)["data"]["n"] == 18
    assert f"entry {entry}" in result.output


def test_what_is_no_journal_is_one_sentence(invoke, tmp_path):
    text, empty, other = tmp_path / "text", tmp_path / "empty", tmp_path / "other.sqlite"
    text.write_text("hello, this is no database at all\n" * 9, encoding="utf-8")
    empty.touch()
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE cards (n)")
    db.commit()
    db.close()
    for path in (tmp_path / "absent", tmp_path, text, empty, other):
        for flags in ((), ("--json",)):
            result = invoke("audit", path, *flags)
            assert result.exit_code == 1
            (said,) = result.output.splitlines()
            assert said.startswith("tavolo: ")
            assert path.name in said


# --- see -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def picture(tmp_path_factory) -> Path:
    """One upright seven of hearts on green felt."""
    felt = np.full((700, 700, 3), (70, 110, 40), np.uint8)
    card = face_bgra("7H", 6.0)
    height, width = card.shape[:2]
    there, solid = felt[100 : 100 + height, 150 : 150 + width], card[..., 3:] > 127
    np.copyto(there, card[..., :3], where=solid)
    path = tmp_path_factory.mktemp("see") / "seven.png"
    assert cv2.imwrite(str(path), felt)
    return path


def test_a_card_on_felt_is_read_in_the_contract_s_shape(invoke, picture):
    result = invoke("see", picture, "--json")
    assert result.exit_code == 0
    answer = json.loads(result.output)
    assert (answer["image"], answer["width"], answer["height"]) == (str(picture), 700, 700)
    assert answer["ms"] > 0
    (card,) = answer["cards"]
    assert card["card"] == "7H"
    assert 0 < card["confidence"] <= 1
    x0, y0, x1, y1 = card["box"]
    assert 0 <= x0 < x1 <= 700
    assert 0 <= y0 < y1 <= 700
    assert len(card["corner"]) == 2
    assert isinstance(card["angle"], float)


def test_the_drawing_is_a_picture_of_the_same_size(invoke, picture, tmp_path):
    out = tmp_path / "drawn.jpg"
    assert invoke("see", picture, "--draw", out).exit_code == 0
    drawn = cv2.imread(str(out))
    assert drawn.shape == cv2.imread(str(picture)).shape
    assert invoke("see", picture, picture, "--draw", out).exit_code == 2
    for bad in (tmp_path / "absent" / "x.jpg", tmp_path / "x.unknown", tmp_path):
        result = invoke("see", picture, "--draw", bad)
        assert result.exit_code == 1
        assert "tavolo: " in result.output


def test_what_is_no_picture_is_one_sentence_and_one_object_and_the_next_is_read(invoke, picture, tmp_path):
    text, empty, cut = tmp_path / "text.jpg", tmp_path / "empty.jpg", tmp_path / "cut.jpg"
    text.write_text("no picture", encoding="utf-8")
    empty.touch()
    whole = cv2.imencode(".jpg", cv2.imread(str(picture)))[1].tobytes()
    cut.write_bytes(whole[:300])
    bad = (text, empty, cut, tmp_path, tmp_path / "absent.jpg")
    result = invoke("see", *bad, picture, "--json")
    assert result.exit_code == 1
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["image"] for answer in answers] == [str(path) for path in (*bad, picture)]
    assert all(answer["cards"] == [] and answer["error"] for answer in answers[:-1])
    assert answers[-1]["cards"][0]["card"] == "7H"
    assert len(result.stderr.splitlines()) == len(bad)
    assert all(line.startswith("tavolo: ") for line in result.stderr.splitlines())


def test_a_picture_cut_off_half_way_is_read_as_far_as_it_goes_or_said_to_be_broken(invoke, picture, tmp_path):
    cut = tmp_path / "half.jpg"
    whole = cv2.imencode(".jpg", cv2.imread(str(picture)))[1].tobytes()
    cut.write_bytes(whole[: len(whole) // 2])
    result = invoke("see", cut, "--json")
    (answer,) = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == (1 if "error" in answer else 0)
    assert {card["card"] for card in answer["cards"]} <= {"7H", "??"}


def test_a_picture_comes_from_standard_input_and_can_be_drawn(tavolo, picture, tmp_path):
    out = tmp_path / "drawn.png"
    result = tavolo("see", "-", "--json", "--draw", out, stdin=picture.read_bytes())
    assert result.returncode == 0
    answer = json.loads(result.stdout)
    assert (answer["image"], [card["card"] for card in answer["cards"]]) == ("-", ["7H"])
    assert cv2.imread(str(out)).shape == (700, 700, 3)
    nothing = tavolo("see", "-")
    assert (nothing.returncode, nothing.stderr) == (1, b"tavolo: standard input: nothing came\n")


def test_nothing_to_see_is_wrong_use(invoke):
    assert invoke("see").exit_code == 2
