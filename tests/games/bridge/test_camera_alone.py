"""A bridge table with nothing but a camera: no contact of the aperture tells when, or by whose hand, it opened."""

from __future__ import annotations

from table_service.rehearsal.prove import ProofCase, run_case


def test_a_lead_out_of_turn_that_the_arbitro_has_ruled_is_not_told_again_once_the_camera_shows_it() -> None:
    report = run_case(ProofCase(20_291_000, "FIGB-4", "normal", rules="bridge", step=1))["report"]
    assert report["false"] == []
    assert [(fault["found"], fault["right_seat"]) for fault in report["faults"]] == [(True, True)]


def test_a_lead_out_of_turn_upon_which_declarers_side_may_have_opened_stops_no_play() -> None:
    report = run_case(ProofCase(20_291_000, "FIGB-2", "normal", rules="bridge", step=1))["report"]
    assert [(one["row"], one["severity"]) for one in report["false"]] == [("FIGB-4", "note")]


def test_figb10_a_ruling_by_a_row_answers_the_question_which_row_a_bid_out_of_turn_is_of() -> None:
    report = run_case(ProofCase(11_696_003, "FIGB-10", "normal", rules="bridge", step=1))["report"]
    assert report["false"] == []
    assert [fault["said"] for fault in report["faults"]] == ["FIGB-10 W"]
