"""Arts. 31 and 32 of fibur2024: drawing, picking up and laying cards out of turn."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.games.burraco.cases_by_text import play


def test_f31a_draw_out_of_turn_nothing_played(script: Any) -> None:
    script.draw("N", "5C#1")
    verdict = script.last()
    assert script.verdicts() == [("F-31a", "N", "open")]
    assert (verdict["article"], verdict["severity"], verdict["pair"]) == ("31", "play-stops", "NS")
    assert (verdict["found"], verdict["needs_referee"], verdict["warn"]) == ("before_play", False, False)
    assert [step["do"] for step in verdict["remedy"]] == ["stop-play", "show", "return-to-stock", "limit-turn"]
    assert [step["who"] for step in verdict["remedy"]] == ["table", "W", "N", "N"]
    assert all(step["text"]["it"] and step["text"]["en"] for step in verdict["remedy"])


def test_f31a_the_hidden_card_is_in_the_secret_part_only(script: Any) -> None:
    script.draw("N", "5C#1")
    event = script.of("irregularity")[0]
    assert event.data.cards == ("??",)
    assert event.secret == {"cards": ["5C#1"]}
    assert script.of("card.drawn")[0].secret == {"card": "5C#1"}


def test_f31a_is_healed_when_the_next_opponent_draws(script: Any) -> None:
    script.draw("N")
    script.draw("W")
    assert script.verdicts() == [("F-31a", "N", "open"), ("F-31a", "N", "healed")]
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_f31a_ruled_returned_and_served_makes_no_second_irregularity(script: Any) -> None:
    script.draw("N", "5C#1")
    script.console("rule", row="F-31a", seat="N", remedy="return-to-stock", cards=["5C"])
    script.put_back("N", "5C#1")
    script.draw("W", "5C#1")
    script.discard("W", "8C")
    script.draw("N")
    script.discard("N", "JC")
    assert script.verdicts() == [("F-31a", "N", "open"), ("F-31a", "N", "ruled")]
    assert [(e.data.do, e.turn) for e in script.of("sanction.imposed")] == [("return-to-stock", 0), ("limit-turn", 0)]
    assert [(e.data.do, e.turn) for e in script.of("sanction.served")] == [("return-to-stock", 0), ("limit-turn", 2)]
    assert script.of("sanction.broken") == []
    assert script.fold.state()["sanctions"] == []


def test_f31a_the_right_players_draw_after_it_is_regular(script: Any) -> None:
    script.draw("N")
    script.draw("W")
    script.discard("W", "4H")
    script.draw("N")
    assert {row for row, _, _ in script.verdicts()} == {"F-31a"}


def test_f31a_limited_turn_broken_by_laying_cards(script: Any) -> None:
    script.draw("N")
    script.console("rule", row="F-31a", seat="N")
    script.put_back("N")
    script.turn("W")
    script.draw("N")
    script.lay("N", 0, "4C 5C 6C")
    broken = script.of("sanction.broken")
    assert [(e.data.do, e.seat) for e in broken] == [("limit-turn", "N")]
    assert broken[0].data.reason == "cards were laid"


def test_f31a_card_never_put_back_is_told(script: Any) -> None:
    script.draw("N")
    script.console("rule", row="F-31a", seat="N")
    script.draw("W")
    assert [(e.data.do, e.seat) for e in script.of("sanction.broken")] == [("return-to-stock", "N")]


def test_f31a_dismissed_leaves_no_sanction(script: Any) -> None:
    script.draw("N")
    key = script.last()["key"]
    script.console("dismiss", key=key)
    assert script.verdicts()[-1] == ("F-31a", "N", "dismissed")
    assert script.of("sanction.imposed") == []
    script.draw("W")
    assert script.verdicts()[-1] == ("F-31a", "N", "dismissed")


def test_f32_a_ruling_dismissed_afterwards_thaws_the_meld_and_lifts_the_limit(script: Any) -> None:
    script.turn("W")
    script.lay("E", 0, "4C 5C 6C")
    script.console("rule", row="F-32", seat="E")
    script.console("dismiss", key=script.last()["key"])
    assert script.fold.deal.meld(0).frozen == "none"
    assert script.fold.state()["sanctions"] == []


def test_a_ruling_outlives_a_movement_that_is_taken_back(script: Any) -> None:
    script.draw("W")
    script.lay("E", 0, "4C 5C 6C")
    script.console("rule", row="F-32", seat="E")
    script.lay("W", 1, "9H 9D 9C")
    script.retracted(script.moves)
    assert [(meld.row, meld.frozen) for meld in script.fold.deal.melds] == [(0, "temporary")]
    assert script.fold.deal.size == 108


def test_f31a_a_seat_that_nobody_saw_accuses_nobody(script: Any) -> None:
    events = script.move("??", "stock", None, None, confidence=0.5)
    drawn = next(event for event in events if event.type == "card.drawn")
    assert (drawn.seat, drawn.confidence) == (None, 0.5)
    assert script.verdicts() == []
    assert script.fold.state()["hands"]["W"] == 12


def test_f31a_a_draw_that_did_not_happen_is_taken_back(script: Any) -> None:
    script.draw("N", "5C#1")
    script.retracted(script.moves)
    assert script.verdicts()[-1] == ("F-31a", "N", "dismissed")
    assert script.fold.state()["hands"]["N"] == 11
    assert script.fold.deal.size == 108


def test_f31a_becomes_f31b_when_a_meld_is_opened_and_f31c_when_cards_are_added(script: Any) -> None:
    script.turn("W")
    script.draw("N")
    script.lay("N", 0, "4C 5C 6C")
    script.discard("N", "3D")
    script.turn("E")
    script.turn("S")
    script.draw("N")
    script.lay("N", 0, "7C", before="4C 5C 6C")
    assert script.verdicts() == [("F-31a", "N", "open"), ("F-31c", "N", "open")]
    script.lay("N", 1, "9H TH JH")
    assert script.verdicts()[-1] == ("F-31b", "N", "open")
    assert len({event.data.key for event in script.of("irregularity")}) == 1


def test_f31d_pick_up_out_of_turn(script: Any) -> None:
    script.collect("N", "TD")
    verdict = script.last()
    assert script.verdicts() == [("F-31d", "N", "open")]
    assert verdict["cards"] == ["TD"]
    assert [step["do"] for step in verdict["remedy"]] == ["stop-play", "return-to-pile", "limit-turn"]
    script.console("rule", row="F-31d", seat="N")
    script.move("TD", "hand-N", "discard", "N")
    assert script.fold.state()["pile"] == ["TD"]
    assert script.of("card.discarded") == []
    script.draw("W")
    script.discard("W", "4H")
    script.collect("N", "TD 4H")
    script.discard("N", "4H")
    assert [e.data.do for e in script.of("sanction.served")] == ["return-to-pile", "limit-turn"]
    assert script.verdicts() == [("F-31d", "N", "open"), ("F-31d", "N", "ruled")]


def test_f31d_is_healed_when_the_next_opponent_draws(script: Any) -> None:
    script.collect("N", "TD")
    script.draw("W")
    assert script.verdicts()[-1] == ("F-31d", "N", "healed")


def test_f32_a_meld_out_of_turn(script: Any) -> None:
    script.turn("W")
    script.lay("E", 0, "4C 5C 6C")
    assert script.verdicts() == [("F-32", "E", "open")]
    script.lay("E", 1, "7D 8D 9D")
    assert {event.data.key for event in script.of("irregularity")} == {script.last()["key"]}
    script.console("rule", key=script.last()["key"])
    assert [script.fold.deal.meld(row).frozen for row in (0, 1)] == ["temporary", "temporary"]
    script.turn("N")
    script.draw("E")
    assert [script.fold.deal.meld(row).frozen for row in (0, 1)] == ["none", "none"]
    script.discard("E", "3D")
    assert [e.data.do for e in script.of("sanction.served")] == ["limit-turn"]


def test_f32_is_healed_when_the_next_opponent_draws(script: Any) -> None:
    script.turn("W")
    script.lay("E", 0, "4C 5C 6C")
    script.draw("N")
    assert script.verdicts()[-1] == ("F-32", "E", "healed")


@pytest.mark.parametrize("order", ["by key", "by row and seat"])
def test_a_ruling_names_the_irregularity_by_key_or_by_row_and_seat(script: Any, order: str) -> None:
    script.draw("N")
    fields = {"key": script.last()["key"]} if order == "by key" else {"row": "F-31a", "seat": "N"}
    script.console("rule", **fields)
    assert script.verdicts() == [("F-31a", "N", "open"), ("F-31a", "N", "ruled")]


def test_an_order_that_fits_nothing_is_answered_and_changes_nothing(script: Any) -> None:
    for do, fields in (
        ("dismiss", {"key": "r9"}),
        ("rule", {"key": "r9"}),
        ("confirm", {}),
        ("warn", {}),
        ("dance", {}),
    ):
        script.console(do, **fields)
    notes = [event.data.note for event in script.of("table.health")]
    assert len(notes) == 5
    assert script.verdicts() == []


def test_a_warning_is_counted_by_line(script: Any) -> None:
    script.console("warn", line="NS")
    script.console("warn", line="NS")
    assert [(e.line, e.data.count) for e in script.of("warning.given")] == [("NS", 1), ("NS", 2)]


def test_a_confirmed_irregularity_stays_open_and_needs_no_judgement(script: Any) -> None:
    script.draw("W")
    script.expose("N", "7H", visible_to=None)
    assert script.last()["needs_referee"] is True
    script.console("confirm", row="F-24a", seat="N")
    assert (script.last()["state"], script.last()["confirmed"], script.last()["needs_referee"]) == ("open", True, False)


CASES: Final = {
    "test_f31a_the_card_is_not_shown_where_the_turn_was_the_partners":
        "draw E; verdicts = F-31a:E:open; dos = stop-play return-to-stock limit-turn",
    "test_f31a_is_not_healed_by_the_partner": "draw E; draw W; verdicts = F-31a:E:open",
    "test_f31a_limited_turn_allows_the_stock_only":
        "draw N; console rule row=F-31a seat=N; put_back N; turn W; collect N TD,3S; "
        "each sanction.broken reason = the,pile,was,picked,up",
    "test_f31a_a_seat_seen_badly_accuses_nobody": "draw N confidence=0.4; verdicts =",
    "test_f31b_ruled_freezes_the_meld_until_the_turn_after_the_limited_one":
        "draw N; lay N 0 4C,5C,6C; console rule row=F-31b seat=N; meld 0 frozen=temporary; put_back N; turn W; "
        "turn N; meld 0 frozen=temporary; turn E; turn S; turn W; draw N; meld 0 frozen=none; "
        "each meld.changed why = frozen thawed",
    "test_f31d_at_his_turn_he_must_pick_up":
        "collect N TD; console rule row=F-31d seat=N; move TD hand-N discard N; turn W; draw N; "
        "each sanction.broken reason = a,card,was,drawn",
    "test_f31e_pick_up_out_of_turn_then_a_meld": "collect N TD; lay N 0 TD,TH,TC; verdicts = F-31d:N:open F-31e:N:open",
    "test_a_ruling_on_what_the_table_did_not_sense_makes_and_rules_it":
        "console rule row=F-32 seat=E meld=0; verdicts = F-32:E:ruled; each sanction.imposed do = limit-turn",
    "test_f31a_after_a_turn_that_nobody_was_seen_to_play_the_next_hand_seen_has_the_turn":
        "move ?? stock None None confidence=0.5; move 3S None discard None confidence=0.5; draw W; verdicts =; "
        "discard W 4S; draw E; verdicts = F-31a:E:open",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts)
