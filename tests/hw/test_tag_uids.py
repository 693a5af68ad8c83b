"""Identifiers of tags as others write them are understood where that is certain, and else refused by their line."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hw.observation_log import LogWriter, read_log
from hw.observations import Tags
from hw.tag_uids import reversed_uid
from table_service.rehearsal.rehearse import prepare
from table_service.service import ServiceError, load_tags

DRAW = random.Random(5)
TAGS = {f"E004{DRAW.getrandbits(48):012X}": f"card {n}" for n in range(200)} | {"E0040150A1B2C3E0": "both ways"}


def spaced(mark: str) -> Callable[[str], str]:
    return lambda uid: mark.join(uid[place : place + 2] for place in range(0, 16, 2))


FORMS = {
    "small": str.lower,
    "colons": spaced(":"),
    "spaces": spaced(" "),
    "hyphens": lambda uid: spaced("-")(uid.lower()),
    "0x": lambda uid: "0x" + uid.lower(),
    "reversed": reversed_uid,
    "reversed, colons": lambda uid: spaced(":")(reversed_uid(uid).lower()),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_tags_file_in_another_form_names_the_same_tags(form: str, tmp_path: Path) -> None:
    path = tmp_path / "tags.json"
    path.write_text("\ufeff" + json.dumps({FORMS[form](uid): card for uid, card in TAGS.items()}), encoding="utf-8")
    assert load_tags(path) == TAGS


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ('{"E0040150A1B2C3D4": "7H#1",\n "04A1B2C3D4E5F6": "8H#1"}', 2),
        ('{\n"E0040150A1B2C3D4": "7H#1",\n"e0:04:01:50:a1:b2:c3:d4": "8H#1"}', 3),
        ('{"E0040150A1B2C3D4": "7H#1", "D4C3B2A1500104E0": "7H#2"}', 1),
        ('{"E0040150A1B2C3D4": "7H#1",\n"D4C3B2A1500105E0": "7H#2",\n"E0040150A1B2C3E0": "8H#1"}', 3),
    ],
)
def test_what_cannot_be_understood_is_one_sentence_with_its_line(written: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "tags.json"
    path.write_text(written, encoding="utf-8")
    with pytest.raises(ServiceError, match=f"^line {line} of the tags file") as said:
        load_tags(path)
    assert "\n" not in str(said.value)


def test_a_log_whose_readings_are_written_otherwise_is_read_as_the_same(tmp_path: Path) -> None:
    rehearsal = prepare("fibur2024", 7, 1, ())
    plain = [one for one in rehearsal.observations() if isinstance(one, Tags)][:200]
    for form in FORMS.values():
        header = replace(rehearsal.header, tags={form(uid): card for uid, card in rehearsal.header.tags.items()})
        path = tmp_path / "deal.jsonl"
        for written in (plain, [replace(one, tags=tuple(map(form, one.tags))) for one in plain]):
            with LogWriter(path, header) as log:
                log.write_all(written)
            known, read = read_log(path)
            assert known.tags == rehearsal.header.tags
            assert list(read) == plain
