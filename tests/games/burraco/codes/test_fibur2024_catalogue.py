"""The catalogue as a whole: every row of the reference is there, of its kind and article, told whole, and tested."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.referee.catalogue import FOUND_FROM, Row

ROOT: Final = Path(__file__).resolve().parents[4]
REFERENCE: Final = ROOT.parent / "shared" / "reference" / "burraco_catalogue.json"
DO: Final = (
    "stop-play draw collect discard take-back return-to-stock return-to-pile show freeze penalise expose limit-turn "
    "bar-closing complete-or-penalise correct-count redeal replace-pack warn score nothing referee"
)
"""The words of the contract for what is to be done."""

IRREGULARITIES: Final = (
    "F-G03=21 F-02=2 F-03=3 F-04a=4 F-04c=4 F-04d=4/7 F-04e=4/7 F-04f=4/7 F-04g=4 F-04h=4/23 F-04i=4 F-04k=4/23 "
    "F-05a=5 F-05b=5 F-05c=5 F-05d=5 F-06=6 F-08a=8 F-08c=8/22 F-09b=9/30 F-09c=9 F-09d=9 F-09f=9 F-09g=9 "
    "F-09h=9/25 F-10a=10 F-10b=10 F-11b=11/22 F-19a=19 F-19b=19 F-20=20 F-21a=21 F-21b=21 F-21c=21 F-21d=21 "
    "F-22a=22 F-22b=22 F-22c=22 F-22d=22 F-22e=22 F-23b=23 F-23c=23 F-23f=23 F-23g=23/30 F-23h=23/35 F-23i=23/33 "
    "F-23j=23 F-23k=23 F-23l=23 F-23m=23 F-23n=23/33/34/35 F-23o=23 F-24a=24 F-24b=24 F-24c=24 F-24d=24 F-25a=25 "
    "F-25b=25 F-25c=25 F-26a=26/1 F-26b=26/2 F-26c=26/3 F-26d=26/4 F-26e=26/5 F-27a=27 F-27b=27 F-27c=27 F-27d=27 "
    "F-28a=28 F-28b=28 F-28c=28 F-28d=28/25 F-28e=28 F-28f=28 F-28g=28 F-28h=28 F-29a=29 F-29b=29 F-29c=29 "
    "F-29d=29 F-29e=29 F-30a=30 F-30b=30/22 F-30c=30 F-31a=31 F-31b=31 F-31c=31 F-31d=31 F-31e=31 F-31f=31 "
    "F-32=32 F-33=33 F-34=34 F-35a=35 F-35b=35 F-36=36 F-37=37 F-38=38 F-39=39 F-40=40 F-P1=pot F-P2=pot F-B1=nor "
    "F-S1=tav F-S2=tav F-S3=tav F-12=12 F-11c=11 F-12b=10/11/12 F-23p=23 F-25d=25/18 F-28i=28 F-30d=30/22 "
    "F-38c=38 F-38d=38 F-38e=38/39 F-38f=38 F-38g=38 F-39b=39 F-B2=def"
)
SITUATIONS: Final = (
    "F-04b=4 F-04j=4 F-07a=7/8/9 F-07b=7 F-08b=8 F-09a=9 F-09e=9 F-10c=10/29 F-11a=11 F-14=14 F-15a=15 F-15b=15 "
    "F-15c=15 F-15d=15/17 F-16=16 F-17=17 F-18=18 F-23a=23 F-23d=23 F-23e=23 F-01=1 F-13=13 F-03b=3 F-04l=4 "
    "F-04m=4 F-04n=4 F-06b=6 F-08d=8 F-13b=13 F-17b=17 F-18b=18 F-18c=18 F-20b=20 F-28j=28 F-38b=38 F-38h=38/39 "
    "F-39c=39 F-S4=tav F-S5=tav"
)
PRINCIPLES: Final = "F-G01=irr F-G02=irr F-G04=def F-G05=irr F-G06=def F-G07=def F-P3=pot"
"""Rows of the reference by kind, each with the numbers of its articles, or how the name of its section begins."""


def listed() -> dict[str, tuple[str, tuple[str, ...]]]:
    kinds = {"irregularity": IRREGULARITIES, "situation": SITUATIONS, "principle": PRINCIPLES}
    parts = ((kind, *one.split("=")) for kind, rows in kinds.items() for one in rows.split())
    return {row: (kind, tuple(article.split("/"))) for kind, row, article in parts}


def maker() -> ModuleType:
    """The command that makes the page."""
    spec = importlib.util.spec_from_file_location("make_catalogue", ROOT / "tools" / "make_catalogue.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_row_of_the_reference_is_in_the_catalogue_and_no_other() -> None:
    assert len(listed()) == 166
    assert {name for name, row in FIBUR2024.rows.items() if not row.silent} == set(listed())


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference lies beside the checkout, and here it does not")
def test_the_list_of_rows_is_that_of_the_reference() -> None:
    rows: list[dict[str, Any]] = json.loads(REFERENCE.read_text(encoding="utf-8"))["rows"]
    of_code = {row["id"]: row["kind"] for row in rows if row["id"].startswith("F-")}
    assert {row: kind for row, (kind, _) in listed().items()} == of_code


@pytest.mark.parametrize("name", sorted(listed()))
def test_each_row_is_of_the_kind_and_article_of_the_reference(name: str) -> None:
    kind, articles = listed()[name]
    row = FIBUR2024.row(name)
    assert row.kind == kind
    if articles[0].isdigit():
        assert set(articles) <= set(re.findall(r"\d+", row.article))
    else:
        assert row.article.lower().startswith(articles[0])


@pytest.mark.parametrize("row", FIBUR2024.rows.values(), ids=str)
def test_each_row_is_told_whole(row: Row) -> None:
    texts = [row.title, *(step.text for step in row.steps), *(one.text for one in row.choices)]
    assert all(words.it and words.en and words.it != words.en for words in texts)
    assert row.senses
    assert row.steps
    assert {step.do for step in row.steps} <= set(DO.split())
    assert set(row.options) <= set(FIBUR2024.rows)
    assert {age.row for age in row.ages} <= set(FIBUR2024.rows)
    assert {age.at for age in row.ages} <= set(FOUND_FROM)
    keys = {one.key for one in row.choices} | set(row.options)
    named = {step.option for step in row.steps} | {duty.option for duty in row.duties}
    named |= {one.option for one in row.outcomes} | {row.warn_option}
    if row.choices:
        assert named - {None} <= keys
    if row.kind != "irregularity":
        assert (row.severity, row.warn, row.duties) == ("note", False, ())


@pytest.mark.parametrize("row", [row for row in FIBUR2024.rows.values() if row.is_offered], ids=str)
def test_each_row_that_the_arbitro_enters_says_what_to_ask_for(row: Row) -> None:
    assert ("option" in row.form) <= bool(row.choices or row.options)
    assert len(row.form) <= 4
    if any(one.upto < 1e6 for one in row.outcomes):
        assert {"minutes", "lines"} & set(row.form)


def test_every_irregularity_is_sensed_or_offered() -> None:
    for row in FIBUR2024.rows.values():
        assert row.kind != "irregularity" or row.is_offered or row.senses != ("person",)


def test_every_row_has_a_test_named_after_it() -> None:
    make = maker()
    tested = set(make.tests_of_rows(FIBUR2024.rules))
    assert {row for row in FIBUR2024.rows if make.slug(row) not in tested} == set()


def test_the_pages_of_the_catalogues_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert maker().main(["--check"]) == 0, capsys.readouterr().err
