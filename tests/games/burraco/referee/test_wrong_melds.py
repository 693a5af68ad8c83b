"""Arts. 5, 10 to 13, 25 and 29 of fibur2024: melds that are none as they lie, and what becomes of them."""

from __future__ import annotations

from typing import Any, Final

import pytest

from hw.observations import Health
from tests.games.burraco.cases_by_text import play


def rest(script: Any, seconds: float = 4.5) -> None:
    """Time passes and nothing moves: something is observed that means nothing to the game."""
    script.t += seconds
    script.notice(Health(script.t, "node-1", "ok", ""))


def dos(script: Any) -> list[str]:
    return [step["do"] for step in script.last()["remedy"]]


def aside(script: Any, seat: str, row: int, cards: str, result: str = "") -> None:
    """``cards`` go out of the meld and to the side of the table."""
    line = "NS" if seat in "NS" else "EW"
    script.move(cards, f"melds-{line}", f"hand-{seat}", seat, row=row, result=tuple(result.split()))
    script.move(cards, f"hand-{seat}", f"side-{seat}", seat)


WRONG = [
    ("F-29b", "5H 6H 8H", "5H 6H 8H"),
    ("F-29b", "7H 7D 8C", "7H 7D 8C"),
    ("F-29b", "5H 6H 7H 9H", "9H"),
    ("F-29c", "JK 5H 9H", "JK 5H 9H"),
    ("F-29c", "2S 7H 8D", "2S 7H 8D"),
    ("F-10b", "JK 2S 2H", "JK 2S 2H"),
    ("F-12b", "JK 2S 5H 6H 7H", "2S"),
    ("F-05d", "KH KH KH KS", "KH"),
    ("F-11c", "AH QH KH JH AH", "AH"),
]


@pytest.mark.parametrize(("row", "cards", "excess"), WRONG)
def test_f29b_f29c_f10b_f12b_f05d_f11c_wrong_openings_found_in_the_turn(
    script: Any, row: str, cards: str, excess: str
) -> None:
    script.draw("W")
    script.lay("W", 0, cards)
    assert script.verdicts() == []
    rest(script)
    verdict = script.last()
    assert script.verdicts() == [(row, "W", "open")]
    assert (verdict["severity"], verdict["found"], verdict["pair"]) == ("play-stops", "during_turn", "EW")
    assert sorted(verdict["cards"]) == sorted(excess.split())
    pack = ["replace-pack"] if row == "F-05d" else []
    assert dos(script) == ["stop-play", "complete-or-penalise", "penalise", "discard", "limit-turn", *pack]


def test_f29b_art29_a_misread_card_that_is_read_better_is_no_wrong_meld(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7D")
    script.named(script.moves, "5H 6H 7H")
    rest(script)
    assert script.verdicts() == []


def test_f29b_art29_told_and_then_read_better_it_is_no_fault_any_more(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7D")
    laid = script.moves
    rest(script)
    assert script.verdicts() == [("F-29b", "W", "open")]
    script.named(laid, "5H 6H 7H")
    rest(script)
    assert script.verdicts()[-1] == ("F-29b", "W", "dismissed")


@pytest.mark.parametrize(("reads", "verdicts"), [("AS", []), ("AH", [("F-29d", "W", "open")])])
def test_f29d_art29_a_card_pushed_on_that_reads_as_its_like_of_that_colour_is_misread(
    script: Any, reads: str, verdicts: list[tuple[str, str, str]]
) -> None:
    """W lays a joker before his run and pushes it on; the camera reads its ace anew."""
    script.draw("W")
    script.lay("W", 0, "JC QC KC AC")
    script.discard("W", "4D")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    script.move("AC", "melds-EW", "hand-W", "W", row=0, result=("JC", "QC", "KC"))
    script.lay("W", 0, f"JK {reads}", result=f"JK JC QC KC {reads}")
    rest(script)
    assert script.verdicts() == verdicts


def test_f29c_art29_penalised_cards_are_discarded_from_the_highest_one_a_turn(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "JK 5H 9H")
    rest(script)
    script.console("rule", row="F-29c", seat="W", option="penalise")
    aside(script, "W", 0, "JK 5H 9H")
    for card in ("JK", "9H", "5H"):
        script.move(card, "side-W", "discard", "W")
        for seat in "NES":
            script.turn(seat, "4C")
        if card != "5H":
            script.draw("W")
    served = [e.data.do for e in script.of("sanction.served")]
    assert served == ["limit-turn", "discard"]
    assert script.of("sanction.broken") == []
    assert {state for _, _, state in script.verdicts()} == {"open", "ruled"}


def test_f29b_art29_the_excess_discarded_before_the_camera_shows_it_gone(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "7H 7D 7S 8C")
    rest(script)
    script.console("rule", row="F-29b", seat="W", option="penalise", cards=["8C"])
    script.discard("W", "8C")
    script.move("8C", "melds-EW", "hand-W", "W", row=0, result=("7H", "7D", "7S"))
    script.draw("N")
    assert script.of("sanction.broken") == []
    assert sorted(e.data.do for e in script.of("sanction.served")) == ["complete-or-penalise", "limit-turn"]


def test_f29b_art29_a_meld_seen_after_the_ruling_is_the_one_ruled_on(script: Any) -> None:
    script.draw("W")
    script.console("rule", row="F-29b", seat="W", option="penalise", cards=["8C"])
    script.lay("W", 0, "7H 7D 7S 8C", committed_t=script.t - 5.0)
    rest(script)
    assert [row for row, _, _ in script.verdicts()] == ["F-29b", "F-29b"]
    assert len({e.data.key for e in script.of("irregularity")}) == 1, "one fact, one irregularity"
    assert script.of("sanction.broken") == [], "what was laid before the ruling breaks nothing"
    script.move("8C", "melds-EW", "hand-W", "W", row=0, result=("7H", "7D", "7S"))
    script.discard("W", "8C")
    assert sorted(e.data.do for e in script.of("sanction.served")) == ["complete-or-penalise", "limit-turn"]


def test_f29b_art29_a_wrong_meld_left_as_it_was_is_told(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 8H")
    rest(script)
    script.console("rule", row="F-29b", seat="W")
    script.discard("W", "3S")
    assert script.of("sanction.broken") == [], "the camera may show the meld later than the scale the discard"
    script.draw("N")
    assert [e.data.reason for e in script.of("sanction.broken")] == ["the meld was left as it was"]


@pytest.mark.parametrize(("row", "added"), [("F-29d", "KD"), ("F-29d", "9S"), ("F-12b", "2C"), ("F-11c", "6H")])
def test_f29d_f12b_art29_wrong_additions_found_in_the_turn(script: Any, row: str, added: str) -> None:
    script.draw("W")
    script.lay("W", 0, "JK 6H 7H 8H")
    script.lay("W", 0, added, before="JK 6H 7H 8H")
    rest(script)
    assert script.verdicts() == [("F-29d" if row == "F-11c" else row, "W", "open")]
    assert script.last()["cards"] == [added]


def test_f11c_art11_a_run_holds_one_ace_only(script: Any) -> None:
    run = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
    script.draw("W")
    script.lay("W", 0, run)
    script.lay("W", 0, "AH", before=run)
    rest(script)
    assert script.verdicts() == [("F-11c", "W", "open")]
    assert script.last()["cards"] == ["AH"]


def test_f12_art12_a_set_holds_eight_cards_and_one_wild(script: Any) -> None:
    full = "JK 7H 7H 7D 7D 7C 7C 7S 7S"
    script.draw("W")
    script.lay("W", 0, full)
    rest(script)
    assert script.verdicts() == []
    script.lay("W", 0, "2H", before=full)
    rest(script)
    assert script.verdicts() == [("F-12", "W", "open")]
    assert script.last()["cards"] == ["2H"]


def test_f05d_xf18_art5_the_third_twin_is_excess(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "KH KH KS")
    script.lay("W", 0, "KH", before="KH KH KS")
    rest(script)
    assert script.verdicts() == [("F-05d", "W", "open")]
    assert (script.last()["cards"], script.last()["severity"]) == (["KH"], "play-stops")
    assert {"do": "replace-pack", "until": "deal-end"}.items() <= script.last()["remedy"][-1].items()


# -- found at once, after the discard, later ----------------------------------------------------------------------


def test_f25a_art25_excess_found_at_once_is_ruled_penalised(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H 9H")
    rest(script)
    script.console("rule", key=script.last()["key"], row="F-25a")
    assert script.verdicts() == [("F-29b", "W", "open"), ("F-25a", "W", "ruled")]
    assert len({event.data.key for event in script.of("irregularity")}) == 1
    assert dos(script) == ["stop-play", "penalise", "discard", "limit-turn"]
    aside(script, "W", 0, "9H", result="5H 6H 7H")
    script.move("9H", "side-W", "discard", "W")
    assert sorted(e.data.do for e in script.of("sanction.served")) == ["discard", "limit-turn", "penalise"]
    assert script.fold.deal.meld(0).cards == ("5H", "6H", "7H")


def test_f25b_art25_excess_found_after_the_discard_is_discarded_in_the_next_turns(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H 9H")
    script.discard("W", "3S")
    rest(script)
    verdict = script.last()
    assert script.verdicts() == [("F-25b", "W", "open")]
    assert (verdict["article"], verdict["found"]) == ("25", "after_discard_before_next_draw")
    assert (verdict["cards"], dos(script)) == (["9H"], ["stop-play", "penalise", "discard"])
    script.console("rule", row="F-25b", seat="W")
    aside(script, "W", 0, "9H", result="5H 6H 7H")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")
    script.lay("W", 1, "KH KD KC")
    script.move("9H", "side-W", "discard", "W")
    assert sorted(e.data.do for e in script.of("sanction.served")) == ["discard", "penalise"]
    assert script.of("sanction.broken") == []
    assert {row for row, _, _ in script.verdicts()} == {"F-25b"}


def test_f25b_art25_told_in_the_turn_it_becomes_another_row_of_the_same_fact(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 8H")
    rest(script)
    script.discard("W", "3S")
    script.draw("N")
    told = [(event.data.row, event.data.found, event.data.key) for event in script.of("irregularity")]
    key = told[0][2]
    assert told == [
        ("F-29b", "during_turn", key),
        ("F-25b", "after_discard_before_next_draw", key),
        ("F-25c", "later", key),
    ]


def test_f25c_art25_excess_found_later_freezes_for_good_and_counts_negative(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H 8H 9H TH JH KH")
    script.discard("W", "3S")
    script.turn("N", "4C")
    rest(script)
    verdict = script.last()
    assert script.verdicts() == [("F-25c", "W", "open")]
    assert (verdict["severity"], verdict["found"], verdict["cards"]) == ("score", "later", ["KH"])
    assert dos(script) == ["freeze", "score"]
    script.console("rule", row="F-25c", seat="W")
    lies = script.fold.deal.meld(0)
    assert (lies.frozen, lies.negative) == ("definitive", ("KH",))
    for _ in range(2):
        for seat in "ESWN":
            script.turn(seat, "4C")
    assert script.fold.deal.meld(0).frozen == "definitive"
    assert script.of("sanction.broken") == []


def test_f25c_art25_the_score_classes_the_burraco_by_its_valid_cards(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H 8H 9H TH KH")
    script.discard("W", "3S")
    script.turn("N", "4C")
    rest(script)
    script.console("rule", row="F-25c", seat="W")
    script.suppose(lambda deal: deal.over("stock"))
    script.press("N", "count")
    ew = script.of("score.counted")[-1].data.ledger["EW"]["items"]
    assert ew["burraco"] == 0, "without the king they are six cards: no burraco"
    assert ew["melds"] == 5 + 5 + 5 + 10 + 10 + 10
    assert ew["penalised"] == -10


def test_f25c_art25_what_no_ruling_has_settled_leaves_the_score_doubtful(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H 8H 9H TH KH")
    script.discard("W", "3S")
    script.turn("N", "4C")
    rest(script)
    script.suppose(lambda deal: deal.over("stock"))
    script.press("N", "count")
    counted = script.of("score.counted")[-1].data
    assert {"EW.melds", "EW.burraco"} <= set(counted.doubtful)
    assert counted.lines["EW"]["total"] is None
    script.console("rule", row="F-25c", seat="W")
    assert "EW.melds" not in script.of("score.counted")[-1].data.doubtful


# -- doubt --------------------------------------------------------------------------------------------------------


def test_f29b_art29_where_nobody_knows_whose_turn_it_is_no_seat_is_named(script: Any) -> None:
    script.suppose(lambda deal: deal.lose_turn())
    script.move("5H 6H 8H", None, "melds-EW", None, row=0, result=("5H", "6H", "8H"))
    rest(script, 10.0)
    assert all(seat is None for _, seat, _ in script.verdicts())


def test_f29b_art29_a_melds_zone_that_cannot_be_relied_on_accuses_nobody(script: Any) -> None:
    script.draw("W")
    script.suppose(lambda deal: deal.doubt("melds-EW"))
    script.lay("W", 0, "5H 6H 8H")
    rest(script)
    script.discard("W", "3S")
    rest(script)
    assert script.verdicts() == []


def test_f27a_art27_a_meld_laid_card_by_card_after_the_discard_is_one_fault(script: Any) -> None:
    script.turn("W", "3S")
    script.lay("W", 0, "5C")
    rest(script)
    script.lay("W", 0, "JK", before="5C")
    rest(script)
    script.lay("W", 0, "7C", before="5C JK")
    rest(script)
    assert {row for row, _, _ in script.verdicts()} == {"F-27a"}, "nothing left incomplete, no wrong meld"
    assert len({e.data.key for e in script.of("irregularity")}) == 1


def test_f27a_art27_who_left_an_opening_incomplete_goes_on_with_it_and_adds_to_no_wrong_meld(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "9H")
    script.discard("W", "3S")
    rest(script)
    script.lay("W", 0, "TH", before="9H")
    rest(script)
    assert [row for row, _, _ in script.verdicts()] == ["F-29a", "F-27a"]
    script.lay("E", 0, "JH", before="9H TH")
    assert "F-27c" in {row for row, _, _ in script.verdicts()}, "another may not"


CASES: Final = {
    "test_f29b_art29_cards_that_are_still_being_laid_accuse_nobody":
        "draw W; lay W 0 5H; lay W 0 6H before=5H; lay W 0 8H before=5H,6H; "
        "lay W 0 7H before=5H,6H,8H result=5H,6H,7H,8H; rest; verdicts =",
    "test_f29b_art29_a_card_that_is_not_known_leaves_the_meld_open":
        "draw W; lay W 0 5H,??,8H; rest; discard W 3S; rest; verdicts =",
    "test_f29b_art29_a_card_seen_three_times_is_misread":
        "draw W; lay W 0 9C,9C,9D; lay W 1 7H,8H,9C; rest; verdicts =",
    "test_f29b_art29_laid_by_nobody_seen_is_a_note":
        "draw W; move 5H,6H,8H None melds-EW None row=0 result=5H:6H:8H; rest; verdicts = F-29b:W:open; "
        "last severity=note needs_referee=True",
    "test_f29b_art29_mended_with_the_missing_card_it_is_healed":
        "draw W; lay W 0 5H,6H,8H; rest; lay W 0 7H before=5H,6H,8H result=5H,6H,7H,8H; rest; "
        "verdicts = F-29b:W:open F-29b:W:healed",
    "test_f29b_art29_ruled_he_may_mend_it_and_then_only_discards":
        "draw W; lay W 0 5H,6H,8H; rest; console rule row=F-29b seat=W option=mend; "
        "each sanction.imposed do = complete-or-penalise limit-turn; lay W 0 7H before=5H,6H,8H result=5H,6H,7H,8H; "
        "discard W 3S; rest; each sanction.served do = complete-or-penalise limit-turn; of sanction.broken =; "
        "verdicts = F-29b:W:open F-29b:W:ruled",
    "test_f29c_art25_a_lower_penalised_card_first_is_told":
        "draw W; lay W 0 JK,5H,9H; rest; console rule row=F-29c seat=W option=penalise; aside W 0 JK,5H,9H; "
        "move 5H side-W discard W; each sanction.broken reason = a,lower,card,was,discarded,before,a,higher,one",
    "test_f25b_art25_another_card_than_the_penalised_one_is_told":
        "draw W; lay W 0 5H,6H,7H,9H; discard W 3S; rest; console rule row=F-25b seat=W; "
        "aside W 0 9H result=5H,6H,7H; turn N 4C; turn E 4C; turn S 4C; turn W KC; "
        "each sanction.broken reason = another,card,was,discarded",
    "test_f29b_art29_a_meld_that_the_arbitro_corrects_is_no_fault_any_more":
        "draw W; lay W 0 5H,6H,7D; rest; console correct zone=melds-EW row=0 cards=[5H,6H,7H]; rest; "
        "verdicts = F-29b:W:open F-29b:W:dismissed",
    "test_f29b_art29_dismissed_it_is_not_told_again":
        "draw W; lay W 0 5H,6H,8H; rest; console dismiss row=F-29b seat=W; discard W 3S; turn N 4C; rest; turn E 4C; "
        "rest; turn S 4C; rest; turn W 4C; rest; verdicts = F-29b:W:open F-29b:W:dismissed",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, aside, rest)
