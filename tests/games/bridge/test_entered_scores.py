"""Scores that an arbitro enters: artificial, assigned, weighted, split; what is taken off; what each is worth (12)."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.seats import Line
from table_service.events import event_to_json
from table_service.games.bridge.norms.entered_scores import Adjusted, adjusted_of, deduction_of
from table_service.games.bridge.pages.award_form import AWARD_FORM, fields_of, of_board
from table_service.games.bridge.pages.board_facts import BoardFacts, boards_of, with_awards
from table_service.games.bridge.pages.comparison import (
    TeamMatch,
    by_board,
    compared,
    in_imps,
    match_score,
    standing_of,
    victory,
)
from table_service.games.bridge.pages.match_report import match_section
from table_service.games.bridge.pages.report_text import Speech
from table_service.games.bridge.pages.traveller import traveller
from table_service.games.bridge.rules.match_points import match_points, weighted_match_points
from table_service.games.reports import ArbitroAward, RoundPlayed, WrongFieldError
from tests.games.bridge.hall_of_boards import hall, round_of
from tests.games.bridge.test_reports import BOTH, text_of
from tests.games.bridge.test_rows_observed import started

FIGB_2 = {
    **{f"NS-1-{name}": value for name, value in {"contract": "3N", "by": "S", "result": "-2"}.items()},
    **{f"EW-1-{name}": value for name, value in {"contract": "3N", "by": "S", "result": "+3"}.items()},
}


def award(place: str, number: int | None, fields: dict[str, Any], **more: Any) -> ArbitroAward:
    return ArbitroAward(place, number, fields, **more)


def table(place: str, points: int | None, fields: dict[str, Any] | None = None, **more: Any) -> BoardFacts:
    """Table ``place`` of board 1, on which nobody is vulnerable, with what was entered of it."""
    made = BoardFacts(place, board=1, points=points, vulnerable="none", **more)
    return made if fields is None else with_awards(made, [award(place, 1, fields)])


def artificial(ns: str, ew: str, **more: str) -> dict[str, Any]:
    return fields_of({"kind": "artificial", "percent-NS": ns, "percent-EW": ew, **more})


def result(**rows: str) -> dict[str, Any]:
    """``NS_1="4S S = 60"``: contract, by whom, result, weight."""
    form = {"kind": "result"}
    for name, typed in rows.items():
        parts = dict(zip(("contract", "by", "result", "weight"), typed.split(), strict=False))
        form |= {f"{name.replace('_', '-')}-{part}": value for part, value in parts.items()}
    return fields_of(form)


# -- the form ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faults", "percent", "imps"),
    [
        (("none", "directly"), (60, 40), (3, -3)),
        (("partly", "partly"), (50, 50), (0, 0)),
        (("none", "none"), (60, 60), (3, 3)),
        (("directly", "directly"), (40, 40), (-3, -3)),
        (("abandoned", "none"), (0, 60), (None, 3)),  # norm 4.3a: of pairs; no norm says the IMPs
    ],
)
def test_an_artificial_score_follows_from_who_is_at_fault(
    faults: tuple[str, str], percent: tuple[int, int], imps: tuple[int | None, int | None]
) -> None:
    kept = fields_of({"kind": "artificial", "fault-NS": faults[0], "fault-EW": faults[1]})
    told = adjusted_of(kept)
    assert told is not None
    assert (told.percent, told.imps, told.kind) == (percent, imps, "artificial")


def test_a_share_and_imps_that_are_typed_count_instead() -> None:
    told = adjusted_of(artificial("62,5", "40 %", **{"imps-NS": "2", "imps-EW": "-2"}))
    assert told == Adjusted((Fraction(125, 2), Fraction(40)), (Fraction(2), Fraction(-2)))


def test_one_result_is_assigned_several_are_weighted_two_lines_are_split() -> None:
    kinds = [
        adjusted_of(result(NS_1="4S S =")),
        adjusted_of(result(NS_1="4S S = 60", NS_2="4S S -1 40")),
        adjusted_of(fields_of({"kind": "result", **FIGB_2})),
        adjusted_of(result(NS_1="pass")),
    ]
    assert [one and one.kind for one in kinds] == ["assigned", "weighted", "split", "assigned"]
    weighted = kinds[1]
    assert weighted is not None
    assert weighted.spread(Line.NS, "none") == ((420, Fraction(3, 5)), (-50, Fraction(2, 5)))
    assert weighted.spread(Line.NS, "both") == ((620, Fraction(3, 5)), (-100, Fraction(2, 5)))


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"kind": "artificial", "fault-NS": "none"},
        {"kind": "artificial", "percent-NS": "101", "percent-EW": "0"},
        {"kind": "artificial", "percent-NS": "1/0", "percent-EW": "0"},
        {"kind": "artificial", "percent-NS": "sessanta", "percent-EW": "40"},
        {"kind": "artificial", "percent-NS": "-5", "percent-EW": "40"},
        {"kind": "artificial", "percent-NS": "60", "percent-EW": "40", "imps-NS": "tre"},
        {"kind": "result"},
        {"kind": "result", "NS-1-contract": "8S", "NS-1-by": "S", "NS-1-result": "="},
        {"kind": "result", "NS-1-contract": "4S", "NS-1-by": "Z", "NS-1-result": "="},
        {"kind": "result", "NS-1-contract": "4S", "NS-1-by": "S", "NS-1-result": "+4"},
        {"kind": "result", "NS-1-contract": "4S", "NS-1-by": "S", "NS-1-result": "14"},
        {"kind": "result", "NS-1-contract": "4S", "NS-1-by": "S", "NS-1-result": "²"},
        {"kind": "result", "NS-1-contract": "4S", "NS-1-by": "S", "NS-1-doubled": "XXX", "NS-1-result": "="},
        {"kind": "result", "NS-1-by": "S", "NS-1-result": "="},
        {"kind": "result", "NS-1-contract": "pass", "NS-2-contract": "pass", "NS-1-weight": "50"},
        {"kind": "result", "NS-1-contract": "pass", "NS-1-weight": "0"},
        {"kind": "result", "EW-1-contract": "pass"},
        {"kind": "deduction", "line": "NS", "unit": "vp"},
        {"kind": "deduction", "line": "NS", "unit": "stars", "amount": "1"},
        {"kind": "deduction", "line": "NW", "unit": "vp", "amount": "1"},
        {"kind": "deduction", "line": "NS", "unit": "vp", "amount": "-1"},
    ],
)
def test_a_form_that_makes_no_sense_is_refused_with_a_sentence_in_both_languages(form: dict[str, str]) -> None:
    with pytest.raises(WrongFieldError) as caught:
        fields_of(form)
    assert all(caught.value.text)
    assert caught.value.text[0] != caught.value.text[1]


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda one: (
            st.lists(one)
            | st.dictionaries(st.sampled_from(["kind", "NS", "EW", "bid", "weight", "artificial", "result"]), one)
        ),
        max_leaves=8,
    )
)
def test_what_was_kept_is_read_without_an_exception_whatever_it_is(told: Any) -> None:
    for kind in ("artificial", "result", "deduction"):
        fields = {**(told if isinstance(told, dict) else {"NS": told, "EW": told, "amount": told}), "kind": kind}
        adjusted_of(fields)
        deduction_of(fields)
        assert all(AWARD_FORM.sentence(fields))


# -- pairs -------------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=12))
def test_scores_of_one_part_have_the_match_points_that_they_always_had(points: list[int]) -> None:
    spreads = [((one, Fraction(1)),) for one in points]
    assert weighted_match_points(spreads) == match_points(points)


def test_an_artificial_score_has_its_per_cent_and_the_others_are_factored() -> None:
    every = compared([table("T1", 420), table("T2", 420), table("T3", -50), table("T4", None, artificial("60", "40"))])
    shown = {one.board.place: (str(one.points), one.share and f"{one.share.ns} {one.share.ew}") for one in every}
    # three results on a board of four: (3 + 1) x 4 / 3 - 1 of six
    assert shown["T1"] == ("13/3", "650/9 250/9")
    assert shown["T3"] == ("1/3", "50/9 850/9")
    assert shown["T4"] == ("18/5", "60 40")


def test_12c1f_each_line_of_a_split_score_is_compared_with_its_own_line() -> None:
    split = table("T1", 490, fields_of({"kind": "result", **FIGB_2}))
    compared_ = compared([split, table("T2", 400), table("T3", -50)])
    shares = {one.board.place: f"{one.share.ns} {one.share.ew}" for one in compared_ if one.share is not None}
    # -100 is worst for North-South, 490 worst for East-West
    assert shares == {"T1": "0 0", "T2": "100 50", "T3": "50 100"}


def test_a_weighted_score_is_compared_part_by_part() -> None:
    weighted = table("T1", None, result(NS_1="4S S = 50", NS_2="4S S -1 50"))
    every = {
        one.board.place: one.share and one.share.ns for one in compared([weighted, table("T2", 420), table("T3", 50)])
    }
    assert every == {"T1": Fraction(3, 8) * 100, "T2": Fraction(7, 8) * 100, "T3": Fraction(1, 4) * 100}


def test_an_assigned_score_counts_instead_of_what_the_table_told() -> None:
    every = compared([table("T1", 420, result(NS_1="4S S -1")), table("T2", 100)])
    assert [one.board.place for one in every] == ["T2", "T1"]
    assert [one.share and one.share.ns for one in every] == [100, 0]


def test_the_standing_has_artificial_shares_and_what_was_taken_off_for_a_board() -> None:
    off = fields_of({"kind": "deduction", "line": "EW", "unit": "percent", "amount": "10"})
    first = with_awards(
        BoardFacts("T1", board=1, vulnerable="none"), [award("T1", 1, artificial("60", "40")), award("T1", 1, off)]
    )
    mean = {(place, line): share for place, line, _, share, _ in standing_of({1: [first, table("T2", 50)]})}
    assert mean == {("T1", "NS"): 60, ("T1", "EW"): 30, ("T2", "NS"): 50, ("T2", "EW"): 50}


def test_of_two_tables_one_of_them_artificial_the_other_has_the_half() -> None:
    first = next(
        one
        for one in compared([table("T1", 420), table("T2", None, artificial("60", "60"))])
        if one.board.place == "T1"
    )
    assert first.share is not None
    assert f"{first.share.ns} {first.share.ew}" == "50 50"


# -- matches -----------------------------------------------------------------------------------------------------------


def scored(open_: BoardFacts, closed: BoardFacts, *awards: ArbitroAward) -> tuple[Any, Any]:
    boards = {1: [open_, closed]}
    match = TeamMatch("T1", "T2")
    every = in_imps(match, boards)
    played = RoundPlayed(1, 1, 8.0, 0.0, 0.0, True, (), ("T1", "T2"), awards=awards)
    return every[0], match_score(match, every, played)


def test_figb_2_one_team_loses_13_imps_the_other_has_none_a_knock_out_6_and_a_half() -> None:
    """The norms' own example: vulnerable, the other room has made twelve tricks in 3NT."""
    split = with_awards(
        BoardFacts("T1", board=4, vulnerable="both", points=690),
        [award("T1", 4, fields_of({"kind": "result", **FIGB_2}))],
    )
    one, score = scored(split, BoardFacts("T2", board=4, vulnerable="both", points=690))
    assert (one.imps, one.away, one.is_balanced) == (-13, 0, False)
    assert (score.home, score.away) == (-13, 0)
    assert victory(8, score) == (Fraction(11), Fraction(15))  # 13 IMPs in eight boards: 19-11 (app. 7)


def test_an_artificial_score_gives_its_imps_whatever_the_other_table_has() -> None:
    one, score = scored(table("T1", None, artificial("60", "40")), table("T2", 1430))
    assert (one.imps, one.away, score.known) == (3, -3, 1)
    one, score = scored(table("T1", 420), table("T2", None, artificial("60", "40")))
    assert (one.imps, one.away) == (-3, 3)  # North and South of the closed room are the other team
    one, score = scored(table("T1", None, artificial("62", "38")), table("T2", 420))
    assert (one.imps, score.known) == (None, 0)  # nobody has said how many IMPs


def test_a_weighted_score_gives_the_mean_of_imps_and_victory_points_only_where_they_are_sure() -> None:
    half = result(NS_1="4S S = 50", NS_2="4S S -1 50")
    one, score = scored(table("T1", None, half), table("T2", 170))
    assert one.imps == Fraction(6 - 6, 2)
    one, score = scored(table("T1", None, half), table("T2", 420))
    assert (one.imps, one.away) == (-5, 5)
    one, score = scored(table("T1", None, half), table("T2", 50))
    assert one.imps == Fraction(9 - 3, 2)
    quarter = result(NS_1="4S S = 25", NS_2="4S S -1 75")
    one, score = scored(table("T1", None, quarter), table("T2", 420))
    assert (score.home, victory(8, score)) == (Fraction(-15, 2), (Fraction(13), Fraction(17)))
    tenth = result(NS_1="4S S = 85", NS_2="4S S -1 15")
    one, score = scored(table("T1", None, tenth), table("T2", 420))
    assert (score.home, victory(8, score)) == (Fraction(-3, 2), (None, None))  # 1 IMP is 15-15, 2 are 16-14


@pytest.mark.parametrize(
    ("place", "line", "home"), [("T1", "NS", 1), ("T1", "EW", 0), ("T2", "EW", 1), ("T2", "NS", 0)]
)
def test_what_is_taken_off_a_team_costs_the_other_nothing(place: str, line: str, home: int) -> None:
    vp = award(place, None, fields_of({"kind": "deduction", "line": line, "unit": "vp", "amount": "3"}))
    imp = award(place, None, fields_of({"kind": "deduction", "line": line, "unit": "imp", "amount": "2"}))
    _, score = scored(table("T1", 420), table("T2", 420), vp)
    assert victory(8, score) == ((Fraction(12), Fraction(15)) if home else (Fraction(15), Fraction(12)))
    _, score = scored(table("T1", 420), table("T2", 420), imp)
    assert (score.home, score.away) == ((-2, 0) if home else (0, -2))


def test_a_fine_in_imps_counts_whole_for_the_margin_of_a_knock_out() -> None:
    """Norm 8.3b1: one IMP for each minute; half of it was carried into the margin."""
    fine = award("T1", None, fields_of({"kind": "deduction", "line": "NS", "unit": "imp", "amount": "4"}))
    played = RoundPlayed(1, 1, 8.0, 0.0, 0.0, True, (), ("T1", "T2"), awards=(fine,))
    two = TeamMatch("T1", "T2")
    for points, told in ((170, "2 and -6 IMPs; in a knock-out North-South T1 is 2 IMPs up."),
                         (420, "-4 and 0 IMPs; in a knock-out East-West T1 is 4 IMPs up."),
                         (300, "-1 and -3 IMPs; in a knock-out East-West T1 is 1 IMP up."),
                         (280, "0 and -4 IMPs; in a knock-out they are level.")):  # fmt: skip
        boards = {1: [table("T1", 420), table("T2", points)]}
        lines = match_section(two, boards, played, Speech("en")).lines
        assert f"Scores that do not add up (8.3): {told}" in lines, lines
    _, score = scored(table("T1", 420), table("T2", 170), fine)
    assert (score.home, score.away, score.on_boards) == (2, -6, (6, -6))


# -- the traveller -----------------------------------------------------------------------------------------------------


def test_the_traveller_says_what_was_entered_why_and_by_whom_and_of_boards_that_nobody_played() -> None:
    played = round_of(hall(3, 3, 2), 2)
    entered = (
        award("T1", 1, artificial("60", "40"), article="N.I. 16", reason="score aperto", person="la Rossi"),
        award("T2", 2, result(NS_1="4S S = 60", NS_2="4S S -1 40"), article="12C1c", reason="danno", person="la Rossi"),
        award("T3", 3, artificial("60", "60"), article="N.I. 8.2", reason="non giocata", person="la Rossi"),
        award(
            "T3",
            None,
            fields_of({"kind": "deduction", "line": "NS", "unit": "percent", "amount": "10"}),
            reason="ritardo",
        ),
    )
    adjusted = RoundPlayed(**{**{f: getattr(played, f) for f in played.__slots__}, "awards": entered})
    shown = {language: text_of(traveller(adjusted, language)) for language in BOTH}
    for part in (
        "artificial score: 60 % – 40 %",
        "art. N.I. 16; score aperto; la Rossi",
        "weighted score: 60 % 4♠ S =, 40 % 4♠ S -1",
        "Board 3",
        "NS: −10 % of a top",
        "Artificial score: T1",
    ):
        assert part in shown["en"], part
    for part in ("punteggio artificiale: 60 % – 40 %", "punteggio ponderato: 60 % 4♠ S =", "Penalità", "al tavolo"):
        assert part in shown["it"], part
    assert [one.board for one in boards_of(adjusted) if not one.calls] == [3]


def test_of_two_awards_on_a_board_the_last_counts_and_both_are_told() -> None:
    one = with_awards(
        BoardFacts("T1", board=1, vulnerable="none", points=100),
        [
            award("T1", 1, artificial("60", "40")),
            award("T1", 2, artificial("0", "0")),
            award("T1", 1, result(NS_1="pass")),
        ],
    )
    assert (one.adjusted and one.adjusted.kind, len(one.entered)) == ("assigned", 2)


def test_many_rounds_with_awards_at_random_are_shown_and_no_share_leaves_the_scale() -> None:
    chance = random.Random(18)
    played = round_of(hall(3, 3, 2), 2)
    forms = [
        artificial("60", "40"),
        artificial("0", "60"),
        result(NS_1="3N N -1 50", NS_2="pass"[:4] + " N = 50"),
        fields_of({"kind": "result", **FIGB_2}),
    ]
    for _ in range(40):
        entered = tuple(
            award(f"T{chance.randint(1, 3)}", chance.randint(1, 3), chance.choice(forms))
            for _ in range(chance.randint(0, 5))
        )
        adjusted = RoundPlayed(**{**{f: getattr(played, f) for f in played.__slots__}, "awards": entered})
        for language in BOTH:
            traveller(adjusted, language)
        for results in by_board(boards_of(adjusted)).values():
            for one in compared(results):
                assert one.share is None or (0 <= one.share.ns <= 100 and 0 <= one.share.ew <= 100)


def test_only_what_is_of_one_board_asks_for_its_number() -> None:
    assert of_board(artificial("60", "40"))
    assert of_board(fields_of({"kind": "deduction", "line": "NS", "unit": "percent", "amount": "10"}))
    assert not of_board(fields_of({"kind": "deduction", "line": "NS", "unit": "vp", "amount": "1"}))


def test_points_that_are_given_at_the_table_are_refused_with_the_way_that_counts() -> None:
    table_ = started()
    told = table_.console("bonus", line="NS", points=50)
    assert [one.type for one in told] == ["table.health"]
    note = event_to_json(told[0])["data"]["note"]
    assert "entered at the console" in note
