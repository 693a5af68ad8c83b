"""Deals by the FE.BUR.IT code, through every sensor: what is told is true, and the score is right."""

from __future__ import annotations

from typing import Any

import pytest

from table_service.games.burraco.codes.feburit import FEBURIT
from table_service.games.burraco.rehearsal.oracle import OracleMeld, Scoring, Side, items
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.prove import ProofCase, run_case
from tests.sweeps import rest_in_proof

ROWS = ("B-04a", "B-04b", "B-07b", "B-14b", "B-14f", "B-17a", "B-17b")
"""Rows that no cheaper test acts from gestures or entries, and the draw out of turn, which most sensors tell."""
OTHER_ROWS = (
    *("B-06a", "B-10e", "B-10j", "B-13a", "B-14c", "B-14d", "B-15a", "B-15b", "B-21a"),
    *("B-03", "B-04c", "B-04d", "B-18"),
    *("B-06g", "B-06h", "B-10n", "B-14e", "B-14g", "B-16b", "B-16e", "B-21c", "B-21c:single"),
    *("B-23a", "B-23b"),
)
"""Rows that ``tests/games/burraco/codes`` acts at a table: whole deals with them are for `make proof`."""


STAGED_SOON = {"B-06g": 2004, "B-21c": 2009, "B-21c:single": 2009, "B-16b": 2001, "B-14f": 2004, "B-14g": 2004}
"""Seeds whose first deals let these rows happen; with another one many deals are played until one does."""


def played(row: str | None, seed: int) -> dict[str, Any]:
    return run_case(ProofCase(seed, row, "normal", rules="feburit", habits="lively"))["report"]  # type: ignore[no-any-return]


def test_a_clean_deal_is_told_without_an_accusation_and_counted_right() -> None:
    report = played(None, 616500000)
    assert report["false"] == []
    assert report["score_wrong"] == []
    assert report["score_right"] > 0


@pytest.mark.parametrize("row", rest_in_proof([*ROWS, *OTHER_ROWS], len(ROWS)))
def test_a_fault_is_told_with_its_row_and_seat_and_nobody_else_is_accused(row: str) -> None:
    report = played(row, STAGED_SOON.get(row, 616610000))
    assert report["false"] == []
    (fault,) = [one for one in report["faults"] if one["row"] == row.partition(":")[0]]
    assert fault["right_row"]
    assert fault["right_seat"]
    assert fault["right_remedy"]
    assert report["broken_wrongly"] == []
    assert report["score_wrong"] == []


def test_b14b_a_card_drawn_out_of_turn_and_laid_goes_back_and_is_not_penalised_as_well() -> None:
    report = played("B-14b", 755800000)
    assert report["broken_wrongly"] == []
    assert all(one["right"] for one in report["kept"])


@pytest.mark.parametrize(
    ("row", "seed"),
    rest_in_proof(
        [
            ("B-10i", 1302000038),  # of two equal kings one was penalised and one is the pile that he took
            ("B-14b", 1103500000),  # two equal cards in the play, one of them the card drawn
            ("B-10e", 1102400002),  # his partner leaves the meld with the exposed card be for a turn
            ("B-14b", 1103500003),
            ("B-14g", 1101600000),  # the meld stands without the card drawn: nothing is penalised
            ("B-10e", 1302400022),  # the meld with the exposed card is laid card by card, and that one is the last
            ("B-21a", 1104000003),  # with the last penalised card he does not go out
            ("B-21b", 1104100000),
        ],
        3,
    ),
)
def test_what_is_owed_after_a_ruling_is_served_and_never_told_broken(row: str, seed: int) -> None:
    report = played(row, seed)
    assert (report["false"], report["broken_wrongly"], report["ends_wrong"]) == ([], [], [])
    assert report["score_doubtful"] == 0


@pytest.mark.sweep
def test_a_closing_whose_last_meld_an_arm_hid_is_no_end_by_the_stock() -> None:
    report = played("B-10l", 1302900041)
    assert report["ends_wrong"] == []
    assert report["score_wrong"] == []


@pytest.mark.sweep
def test_b07b_a_two_that_filled_a_hole_beside_its_twin_is_a_wild_that_was_exchanged() -> None:
    report = played("B-07b", 1301000017)
    assert [one["said"] for one in report["faults"]] == ["B-07b N"]


@pytest.mark.parametrize(
    ("seed", "doubtful"),
    rest_in_proof([(104201, 3), (104200, 0), (104202, 0)]),  # nobody rules; they go back beside a twin; they stay
)
def test_bn1_cards_on_the_opponents_meld_count_for_nobody_before_the_arbitro_has_ruled(
    seed: int, doubtful: int
) -> None:
    report = played("B-N1", seed)
    assert [one["said"][:4] for one in report["faults"]] == ["B-N1"]
    assert (report["false"], report["score_wrong"], report["score_doubtful"]) == ([], [], doubtful)


def test_every_row_that_is_staged_has_its_remedy_read_from_the_text() -> None:
    game = rehearsal_of("feburit")
    assert {kind.row for kind in game.kinds.values()} == set(game.remedies)


def test_every_irregularity_that_sensors_tell_is_staged() -> None:
    told = {row.id for row in FEBURIT.rows.values() if row.kind == "irregularity" and row.senses != ("person",)}
    assert told <= {kind.row for kind in rehearsal_of("feburit").kinds.values()}


def test_b11a_a_card_discarded_before_the_penalised_one_breaks_the_ruling_and_is_a_fault_of_its_own() -> None:
    report = played("B-11a", 616610000)
    assert [fault["right_row"] for fault in report["faults"]] == [True, True]
    assert [(kept["row"], kept["outcome"], kept["right"]) for kept in report["kept"]] == [("B-10l", "broken", True)]
    assert report["broken_wrongly"] == []


def test_the_oracle_counts_what_this_code_counts_otherwise() -> None:
    """Arts. 8 and 23: over the top 300, super-clean 250, a pot not taken always 100."""
    code = Scoring(whole_run=300, whole_set=250, always_malus=True)
    run = OracleMeld("run", tuple(f"{rank}H" for rank in "A23456789TJQK"), low=1)
    eight = OracleMeld("set", ("KH", "KH", "KD", "KD", "KC", "KC", "KS", "KS"))
    assert [code.of(one) for one in (run, eight)] == [300, 250]
    assert [Scoring().of(one) for one in (run, eight)] == [200, 200]
    nothing = Side((), (), took_pot=False)
    assert (items(nothing, False, code)["pot"], items(nothing, False)["pot"]) == (-100, 0)
