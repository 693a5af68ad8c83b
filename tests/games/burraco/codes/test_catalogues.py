"""The catalogues of codes that no table plays yet: every row of the reference, its kind and article, told whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from table_service.games.burraco.codes import EDITIONS
from table_service.games.burraco.codes.edition import Edition
from table_service.games.burraco.codes.feburit import answers as feburit
from table_service.games.burraco.codes.online import answers as online
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.referee.catalogue import FOUND_FROM, Row

REFERENCE: Final = Path(__file__).resolve().parents[5] / "shared" / "reference" / "burraco_catalogue.json"
DO: Final = (
    "stop-play draw collect discard take-back return-to-stock return-to-pile show freeze penalise expose limit-turn "
    "bar-closing complete-or-penalise correct-count redeal replace-pack warn score nothing referee"
)
"""The words of the contract for what is to be done."""
FEBURIT_IRREGULARITIES: Final = (
    "03=3 04a=4 04b=4 04c=4 04d=4 04e=4 06a=6 06d=6 06e=6 06f=6 06g=6 06h=6/14 06j=6 06k=6 07b=7 10a=10 10b=10 10c=10 "
    "10d=10 10e=10 10f=10 10h=10 10i=10 10j=10 10k=10 10l=10 10m=10 10n=10 11a=11 11b=11 11c=11 11d=11 11e=11 13a=13 "
    "13b=13 13c=13 14a=14 14b=14 14c=14 14d=14 14e=14 14f=14 14g=14 14i=14 15a=15 15b=15 16b=16 16e=16 17a=17 17b=17 "
    "17c=17 18=18 19=19 21a=21 21b=21 21c=21 23a=23 23b=23 23c=23 24=24 25=25 26=26"
)
FEBURIT_SITUATIONS: Final = (
    "01=1 02=2 03b=3 04f=4 04g=4 05=5 06b=6/16 06c=6 06i=6 07a=7 08=8 08b=8 09=9 10g=10 12=12 13d=13 14h=14 15c=15 "
    "16a=16 16c=16 16d=16 20a=20 20b=20 22=22 23d=23 23e=23 24b=24 25b=25 25c=25 25d=25 27=27"
)
FEBURIT_PRINCIPLES: Final = "G01=10 G02= G03=10/11 G04="
COUNTS: Final = {"feburit": (62, 31, 4), "online": (13, 17, 0)}
NOT_REPORTED: Final = {"feburit": feburit.NOT_REPORTED, "online": online.NOT_REPORTED}
NEW: Final = [EDITIONS[name] for name in COUNTS]
ROWS: Final = [(one, row) for one in NEW for row in one.catalogue.rows.values()]
EVERY = pytest.mark.parametrize(("edition", "row"), ROWS, ids=[row.id for _, row in ROWS])


def test_the_rows_of_feburit_are_of_the_kinds_and_articles_of_its_text() -> None:
    kinds = {
        "irregularity": FEBURIT_IRREGULARITIES,
        "situation": FEBURIT_SITUATIONS,
        "principle": FEBURIT_PRINCIPLES,
    }
    listed = {
        f"B-{one.split('=')[0]}": (kind, one.split("=")[1]) for kind, rows in kinds.items() for one in rows.split()
    }
    rows = EDITIONS["feburit"].catalogue.rows
    assert {name for name, row in rows.items() if not row.silent} == set(listed)
    for name, (kind, articles) in listed.items():
        assert rows[name].kind == kind, name
        assert set(articles.split("/")) - {""} <= set(re.findall(r"\d+", rows[name].article)), name


@pytest.mark.parametrize("edition", NEW, ids=list(COUNTS))
def test_so_many_rows_of_each_kind(edition: Edition) -> None:
    kinds = [row.kind for row in edition.catalogue.rows.values() if not row.silent]
    assert tuple(kinds.count(kind) for kind in ("irregularity", "situation", "principle")) == COUNTS[edition.name]


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference lies beside the checkout, and here it does not")
@pytest.mark.parametrize("edition", NEW, ids=list(COUNTS))
def test_the_rows_are_those_of_the_reference(edition: Edition) -> None:
    rows: list[dict[str, Any]] = json.loads(REFERENCE.read_text(encoding="utf-8"))["rows"]
    listed = {row["id"]: row["kind"] for row in rows if row["id"].startswith(f"{edition.book.prefix}-")}
    assert {row.id: row.kind for row in edition.catalogue.rows.values() if not row.silent} == listed


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_where_a_text_is_silent_the_row_is_a_note_for_the_arbitro_and_orders_nothing_by_itself(
    edition: Edition,
) -> None:
    for row in (row for row in edition.catalogue.rows.values() if row.silent):
        assert (row.severity, row.needs_referee, row.warn, row.heals) == ("note", True, False, "never")
        assert row.steps[0].do == "referee"
        assert all(step.option for step in row.steps[1:])
        assert all(duty.option for duty in row.duties)


@EVERY
def test_each_row_is_told_whole(edition: Edition, row: Row) -> None:
    texts = [row.title, *(step.text for step in row.steps), *(one.text for one in row.choices)]
    assert all(words.it and words.en and words.it != words.en for words in texts if words.en != "Time-out")
    assert row.article
    assert row.senses
    assert row.steps
    assert {step.do for step in row.steps} <= set(DO.split())
    assert set(row.options) <= set(edition.catalogue.rows)
    assert {age.row for age in row.ages} <= set(edition.catalogue.rows)
    assert {age.at for age in row.ages} <= set(FOUND_FROM)
    if row.kind != "irregularity":
        assert (row.severity, row.warn, row.duties) == ("note", False, ())


@EVERY
def test_each_choice_is_one_that_the_row_has(edition: Edition, row: Row) -> None:
    keys = {one.key for one in row.choices}
    named = {step.option for step in row.steps} | {duty.option for duty in row.duties}
    named |= {one.option for one in row.outcomes} | {row.warn_option}
    assert named - {None} <= keys, edition.name
    assert len(keys) == len(row.choices)


@EVERY
def test_each_duty_repeats_a_step_that_was_told(edition: Edition, row: Row) -> None:
    """What the table watches is what the arbitro was shown; a limited turn may serve for a step of the same turn."""
    told = {step.text for step in row.steps}
    apart = [duty.do for duty in row.duties if duty.text not in told]
    assert apart in ([], ["limit-turn"], ["return-to-stock"]), edition.name


@EVERY
def test_severity_says_what_the_remedy_does(edition: Edition, row: Row) -> None:
    if row.kind != "irregularity" or row.silent:
        return
    does = {step.do for step in row.steps}
    moves = does & {
        "draw", "discard", "take-back", "return-to-stock", "return-to-pile", "freeze", "penalise", "expose",
        "limit-turn", "complete-or-penalise", "redeal", "replace-pack", "stop-play", "correct-count",
    }  # fmt: skip
    assert (row.severity == "play-stops") <= bool(moves), edition.name
    assert bool(moves) <= (row.severity in ("play-stops", "score"))
    assert (row.severity == "warning") <= ("warn" in does)
    assert ("warn" in does) <= (row.warn or "warn" in {share.do for one in row.outcomes for share in one.offender})


@pytest.mark.parametrize("row", [row for _, row in ROWS if row.is_offered], ids=str)
def test_each_row_that_the_arbitro_enters_says_what_to_ask_for(row: Row) -> None:
    assert ("option" in row.form) <= bool(row.choices or row.options)
    assert len(row.form) <= 4
    if any(one.upto < 1e6 for one in row.outcomes):
        assert {"minutes", "lines"} & set(row.form)


@pytest.mark.parametrize("edition", NEW, ids=list(COUNTS))
def test_what_sensors_tell_answers_a_kind_or_is_said_not_to_be_reported_yet(edition: Edition) -> None:
    rows = edition.catalogue.rows.values()
    sensed = {row.id for row in rows if row.kind == "irregularity" and row.senses != ("person",)}
    answered = {row.id for row in rows if row.kinds}
    assert answered <= sensed
    assert sensed - answered == set(NOT_REPORTED[edition.name])


@pytest.mark.parametrize("answers", [feburit.ANSWERS, online.ANSWERS], ids=list(COUNTS))
def test_every_kind_of_fault_has_a_row_or_is_said_to_have_none(answers: dict[str, str | None]) -> None:
    assert set(answers) == set(FaultKind)


def test_no_row_of_online_has_a_penalty_of_its_own() -> None:
    rows = [row for row in EDITIONS["online"].catalogue.rows.values() if row.kind == "irregularity" and not row.silent]
    assert all(row.needs_referee and row.heals == "anybody-draws" for row in rows)
    assert {step.do for row in rows for step in row.steps} == {"stop-play", "take-back", "referee", "nothing"}
    assert not any(row.warn or row.outcomes for row in rows)
    undone = {"take-back", "return-to-stock", "return-to-pile"}
    assert {duty.do for row in rows for duty in row.duties} == undone, "the move is undone, and nothing else ordered"


def test_every_warning_of_feburit_is_booked_to_one_account() -> None:
    edition = EDITIONS["feburit"]
    warned = {row.id for row in edition.catalogue.rows.values() if row.warn}
    late = {"B-26"}
    booked = [row for account in edition.book.warnings for row in account.rows]
    assert len(booked) == len(set(booked))
    assert set(booked) == warned | late
