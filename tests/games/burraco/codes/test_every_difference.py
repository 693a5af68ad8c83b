"""The differences D-01 to D-58 that no other test here has: the same gestures, or orders, under each code.

Where only persons tell, the arbitro's ruling by the row of each code is the gesture; what follows differs.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hw.observation_log import Header
from hw.seats import Line, Seat
from hw.zones import DISCARD, STOCK
from lab.codes.code_differences import DIFFERENCES
from table_service.games.burraco.codes import EDITIONS
from table_service.games.burraco.fold import TableFold
from table_service.games.burraco.rules.meld import describe
from table_service.games.burraco.rules.score import count
from table_service.games.burraco.rules.vp import NoTableError, victory_points
from table_service.rulesets import rule_set
from tests.games.burraco.codes.test_codes_at_a_table import OPTIONS, table, told
from tests.games.burraco.codes.test_feburit_at_a_table import broken
from tests.games.burraco.codes.test_feburit_options import flies, second_set
from tests.games.burraco.codes.test_feburit_rows import rests_at, wrong_closing
from tests.games.burraco.conftest import Script
from tests.games.burraco.referee.test_pots import second_pot, to_pot
from tests.games.burraco.referee.test_wrong_melds import aside, rest

CODES = ("fibur2024", "feburit", "online")
OFFICIAL = ("fibur2024", "feburit")
NAMED = re.compile(r"def test_d(\d\d)_|\(\"D-(\d\d)\", \w+, \(")


def dos(script: Script) -> list[str]:
    return [step["do"] for step in script.last()["remedy"]]


def imposed(script: Script) -> list[tuple[str, str]]:
    return [(event.data.do, str(event.seat)) for event in script.of("sanction.imposed")]  # type: ignore[attr-defined]


def warned(script: Script) -> list[tuple[str, int]]:
    """Each warning: to which line, and what it costs it in victory points of the ranking."""
    return [(event.line, event.data.victory_points) for event in script.of("warning.given")]  # type: ignore[attr-defined]


def bonuses(script: Script) -> dict[str, int]:
    """The match points that rulings have put on the score sheet."""
    book = script.fold.game.referee.book
    keys = dict.fromkeys(one.key for one in book.awards)
    return {str(line): sum(book.bonuses(key)[line] for key in keys) for line in Line}


def round_of(rules: str, deals: int = 4, **more: Any) -> Script:
    script = Script(rules=rules, **OPTIONS.get(rules, {}))
    script.console("start-round", deals=deals, minutes=42, **more)
    script.console("deal", deal=1, dealer="S")
    script.events.clear()
    return script


def result(script: Script, lead: int = 0) -> dict[str, tuple[int | None, int | None]]:
    """Match points and victory points by line where NS leads by ``lead`` in play."""
    book = EDITIONS[script.fold.table.header.rules].book
    said = script.fold.game.referee.book.result(lead, lambda now: victory_points(book, 4, now))
    return {str(line): (one.mp, one.vp) for line, one in said.items()}


def text_of(rules: str, row: str) -> str:
    return " ".join(step.text.en for step in EDITIONS[rules].catalogue.row(row).steps)


def test_every_difference_has_a_test_by_its_name() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*_table.py"))
    text += Path(__file__).read_text(encoding="utf-8")
    named = {f"D-{one or other}" for one, other in NAMED.findall(text)}
    assert {one.id for one in DIFFERENCES} <= named


@pytest.mark.parametrize(
    ("rules", "row", "rows", "bars", "breaks"),
    [
        ("fibur2024", "F-29b", [("F-29b", "W"), ("F-27b", "W")], [], []),
        ("feburit", "B-10j", [("B-10j", "W")], ["W", "E"], ["limit-turn"]),
    ],
)
def test_d04_melds_laid_before_the_penalised_discard_and_who_may_not_go_out(
    rules: str, row: str, rows: list[tuple[str, str]], bars: list[str], breaks: list[str]
) -> None:
    script = table(rules)
    script.draw("W")
    script.lay("W", 0, "5H 6H 8H")
    rest(script)
    script.console("rule", row=row, seat="W", option="penalise")
    aside(script, "W", 0, "5H 6H 8H")
    script.lay("W", 1, "KH KD KC")
    assert told(script) == rows
    assert [seat for do, seat in imposed(script) if do == "bar-closing"] == bars
    assert [one[0] for one in broken(script)] == breaks


@pytest.mark.parametrize(("rules", "row"), [("fibur2024", "F-09a"), ("feburit", "B-16c")])
def test_d10_a_pile_drawn_near_is_looked_at_or_taken(rules: str, row: str) -> None:
    """W, in turn, draws the pile near and then draws from the stock: no sensor tells it, the row is the answer."""
    script = table(rules)
    rests_at(script, "W", DISCARD)
    script.turn("W")
    assert told(script) == []
    must = "The whole pile must be picked up." in text_of(rules, row)
    assert must is (rules == "feburit")


@pytest.mark.parametrize(
    ("rules", "row", "cards"),
    [("fibur2024", "F-09f", ["TD", "5D"]), ("feburit", "B-16b", ["7C"]), ("online", "O-28", None)],
)
def test_d11_several_pile_cards_left_and_a_meld_laid(rules: str, row: str, cards: list[str] | None) -> None:
    """All but the highest are taken after all; or the lowest of those picked up is the discard."""
    script = table(rules)
    for seat, card in (("W", "QS"), ("N", "7C"), ("E", "9C"), ("S", "5D")):
        script.turn(seat, card)
    script.collect("W", "7C 9C")
    script.lay("W", 0, "4C 5C 6C")
    assert told(script) == [(row, "W")]
    assert cards is None or script.last()["cards"] == cards


@pytest.mark.parametrize(("rules", "row", "warnings"), [("fibur2024", "F-04m", 0), ("feburit", "B-06e", 1)])
def test_d13_asking_how_many_cards_are_held(rules: str, row: str, warnings: int) -> None:
    script = table(rules)
    script.console("rule", row=row, seat="W")
    assert len(warned(script)) == warnings
    script.console("rule", row=row, seat="W", option="repeated")
    assert bonuses(script) == {"NS": 0, "EW": -100 * warnings}


@pytest.mark.parametrize(("rules", "minutes"), [("fibur2024", [25, 32, 42]), ("feburit", [25, 35, 45]), ("online", [])])
def test_d15_how_long_a_round_of_so_many_deals_lasts(rules: str, minutes: list[int]) -> None:
    lasts = rule_set(rules).round_minutes
    assert [lasts[deals] for deals in (2, 3, 4) if deals in lasts] == minutes


@pytest.mark.parametrize(
    ("cards", "classes"),
    [
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", ("clean", "over-the-top", "clean")),
        ("KH KH KD KD KC KC KS KS", ("clean", "super-clean", "clean")),
        ("KH KH KD KD KC KC KS", ("clean", "clean", "clean")),
    ],
)
def test_d16_the_class_of_the_same_cards(cards: str, classes: tuple[str, ...]) -> None:
    assert tuple(describe(EDITIONS[code].book, cards.split())["burraco"] for code in CODES) == classes


@pytest.mark.parametrize(("rules", "pot"), [("fibur2024", 0), ("feburit", -100), ("online", -100)])
def test_d17_a_pot_that_neither_line_took(rules: str, pot: int) -> None:
    line: dict[str, Any] = {"melds": [], "hands": [["KD"], ["3S"]], "pot": "not-taken", "closed": False, "bonus": 0}
    said = count(EDITIONS[rules].book, {"rules": rules, "deal": {"NS": line, "EW": line}})
    assert [said["lines"][one]["items"]["pot"] for one in ("NS", "EW")] == [pot, pot]


@pytest.mark.parametrize(
    ("rules", "rows"), [("fibur2024", []), ("feburit", [("B-15a", "W")]), ("online", [("O-24", "W")])]
)
def test_d18_a_second_set_of_a_rank(rules: str, rows: list[tuple[str, str]]) -> None:
    script = table(rules)
    second_set(script)
    assert told(script) == rows


@pytest.mark.parametrize(("rules", "row", "warnings"), [("fibur2024", "F-04a", 1), ("feburit", "B-04g", 0)])
def test_d19_another_player_has_shuffled(rules: str, row: str, warnings: int) -> None:
    script = table(rules)
    script.console("rule", row=row, seat="W")
    assert len(warned(script)) == warnings


@pytest.mark.parametrize(("rules", "rows"), [("fibur2024", ["F-23b"]), ("feburit", []), ("online", [])])
def test_d20_a_pot_that_its_taker_lifts_himself(rules: str, rows: list[str]) -> None:
    script = table(rules)
    to_pot(script, giver="W")
    assert [row for row, _ in told(script)] == rows


@pytest.mark.parametrize(("rules", "row", "rows"), [("fibur2024", "F-23d", []), ("feburit", "B-17a", [("B-17a", "N")])])
def test_d21_a_second_pot_of_ten_cards(rules: str, row: str, rows: list[tuple[str, str]]) -> None:
    """By fibur2024 it is not put right, which is nothing to rule; by feburit either pot is, where no card was seen."""
    script = table(rules)
    to_pot(script)
    script.discard("W", "3S")
    script.draw("N")
    script.lay("N", 80, "3C 4C 5C 6C 7C 8C 9C")
    script.hands(N="")
    script.take_pot("N", giver="W", count=10)
    script.console("rule", row=row, seat="N", option="unseen")
    assert told(script) == rows
    if rows:
        assert dos(script) == ["stop-play", "correct-count", "correct-count"]


@pytest.mark.parametrize(("rules", "turned", "drawn"), [("fibur2024", "F-04d", "F-04f"), ("feburit", "B-04c", "B-04c")])
def test_d22_a_misdeal_once_the_first_card_is_turned_up_and_once_it_is_drawn(
    rules: str, turned: str, drawn: str
) -> None:
    script = Script(rules=rules, stock=41, pots=23)
    script.turn_up()
    assert [row for row, _ in told(script)] == [turned]
    script.draw("W")
    assert [row for row, _ in told(script)] == [drawn]


@pytest.mark.parametrize(("rules", "row", "costs"), [("fibur2024", "F-23f", 0), ("feburit", "B-19", -100)])
def test_d23_a_pot_looked_at_early_twice(rules: str, row: str, costs: int) -> None:
    script = table(rules)
    script.console("rule", row=row, seat="W")
    assert len(warned(script)) == 1
    script.console("rule", row=row, seat="E", **({"option": "repeated"} if costs else {}))
    assert (len(warned(script)), bonuses(script)["EW"]) == (2, costs)


def ghost(rules: str, *, older: bool) -> Script:
    """A card comes to light in W's meld: in the turn in which he laid it, or in an older meld."""
    script = Script(rules=rules, tagged=True, **OPTIONS.get(rules, {}))
    script.turn_up()
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H 8H")
    if older:
        script.discard("W", "3S")
        script.turn("N", "4C")
    fields = {"basis": ("sight", "reach"), "confidence": 0.98}
    script.move("9C", "hand-W", "melds-EW", "W", row=0, result=("5H", "6H", "9C", "7H", "8H"), **fields)
    rest(script)
    return script


@pytest.mark.parametrize(
    ("rules", "older", "row", "steps", "frozen"),
    [
        ("fibur2024", False, "F-26a", ["penalise", "discard", "limit-turn"], "none"),
        ("feburit", False, "B-10c", ["expose"], "none"),
        ("fibur2024", True, "F-26c", ["penalise", "discard", "freeze", "score"], "definitive"),
        ("feburit", True, "B-10f", ["discard"], "none"),
    ],
)
def test_d24_a_ghost_card(rules: str, older: bool, row: str, steps: list[str], frozen: str) -> None:
    script = ghost(rules, older=older)
    assert told(script) == [(row, "W")]
    script.console(
        "rule", row=row, seat="W", meld=0, cards=["9C"], **({"option": "offender-known"} if row == "B-10f" else {})
    )
    assert [do for do in dos(script) if do != "stop-play"] == steps
    deal = script.fold.deal
    assert deal is not None
    lies = deal.meld(0)
    assert lies is not None
    assert lies.frozen == frozen


@pytest.mark.parametrize(("rules", "rows"), [("fibur2024", [("F-21a", "E")]), ("feburit", []), ("online", [])])
def test_d25_the_partner_of_who_plays_calls_the_arbitro(rules: str, rows: list[tuple[str, str]]) -> None:
    script = table(rules)
    script.draw("W")
    script.press("E", "referee")
    assert told(script) == rows


@pytest.mark.parametrize(
    ("rules", "row", "fields", "points"),
    [
        ("fibur2024", "F-39", {"minutes": 4}, {"NS": 0, "EW": 150}),
        ("feburit", "B-26", {"lines": {"NS": 4}}, {"NS": -100, "EW": 0}),
        ("fibur2024", "F-39", {"minutes": 8}, {"NS": 0, "EW": 200}),
        ("feburit", "B-26", {"lines": {"NS": 8}}, {"NS": -100, "EW": 0}),
    ],
)
def test_d27_a_pair_that_comes_so_late(rules: str, row: str, fields: dict[str, Any], points: dict[str, int]) -> None:
    script = round_of(rules)
    script.console("rule", row=row, line="NS", **fields)
    assert bonuses(script) == points


@pytest.mark.parametrize(
    ("rules", "row", "deals", "won"),
    [
        ("fibur2024", "F-38e", 4, (505, 13)),
        ("feburit", "B-25", 4, (450, 13)),
        ("fibur2024", "F-38e", 3, (355, 14)),
        ("feburit", "B-25", 3, (450, 13)),
    ],
)
def test_d28_a_pair_leaves(rules: str, row: str, deals: int, won: tuple[int, int]) -> None:
    script = round_of(rules, deals)
    script.console("rule", row=row, line="NS", option="by-default")
    assert result(script)["EW"] == won


@pytest.mark.parametrize(("rules", "rows"), [("fibur2024", []), ("feburit", [("B-06g", "W")]), ("online", [])])
def test_d29_a_free_wild_on_top_of_a_run(rules: str, rows: list[tuple[str, str]]) -> None:
    script = table(rules)
    script.draw("W")
    script.lay("W", 0, "4H 5H 6H")
    script.hands(W="JK 8H KD")
    script.lay("W", 0, "JK", before="4H 5H 6H")
    rest(script)
    script.discard("W", "KD")
    assert told(script) == rows


@pytest.mark.parametrize(("rules", "rows"), [("fibur2024", ["F-05d"]), ("feburit", []), ("online", [])])
def test_d30_three_equal_faces_in_a_set(rules: str, rows: list[str]) -> None:
    script = table(rules)
    script.draw("W")
    script.lay("W", 0, "KH KH KH KS")
    rest(script)
    assert [row for row, _ in told(script)] == rows


@pytest.mark.parametrize(
    ("rules", "row", "costs"), [("fibur2024", "F-04a", [0, -1, 0, -1]), ("feburit", "B-04c", [0, -1, -1, -1])]
)
def test_d31_what_repeated_warnings_cost_in_the_ranking(rules: str, row: str, costs: list[int]) -> None:
    script = table(rules)
    for seat in "WEWE":
        script.console("rule", row=row, seat=seat)
        script.turn(str(script.fold.deal.to_play))  # type: ignore[union-attr]
    assert [cost for _, cost in warned(script)] == costs


@pytest.mark.parametrize(("rules", "rows"), [("fibur2024", []), ("feburit", [("B-15a", "W")])])
def test_d32_a_pot_taken_in_flight_through_a_second_set(rules: str, rows: list[tuple[str, str]]) -> None:
    script = table(rules)
    flies(script)
    own = [one for one in told(script) if one[0] != "F-23b"]
    assert own == rows
    if rows:
        assert "flight" in {step["option"] for step in script.last()["remedy"]}


@pytest.mark.parametrize(
    ("deals", "teams", "diff", "fibur", "feburit"),
    [(4, False, 150, 11, 10), (4, False, 1900, 19, 18), (3, False, 1260, 19, 18), (4, True, 2600, 20, 19)],
)
def test_d33_the_victory_points_of_a_difference(deals: int, teams: bool, diff: int, fibur: int, feburit: int) -> None:
    said = [victory_points(EDITIONS[code].book, deals, diff, teams=teams)[0] for code in OFFICIAL]
    assert said == [fibur, feburit]


def test_d33_a_round_of_two_deals_has_a_table_in_one_code_alone() -> None:
    assert victory_points(EDITIONS["fibur2024"].book, 2, 100) == (11, 9)
    for code in ("feburit", "online"):
        with pytest.raises(NoTableError):
            victory_points(EDITIONS[code].book, 2, 100)


@pytest.mark.parametrize(("rules", "row"), [("fibur2024", "F-G07"), ("feburit", "B-06c")])
def test_d36_cards_that_touched_the_table_and_were_taken_up_again(rules: str, row: str) -> None:
    """Whether he had let go of them no sensor tells: the table asks, and the definition answers."""
    script = table(rules)
    script.draw("W")
    script.lay("W", 0, "5H 6H")
    rest(script)
    script.move("5H 6H", "melds-EW", "hand-W", "W", row=0, result=())
    script.discard("W", "5H")
    assert script.last()["needs_referee"] is True
    assert ("touches the table" in text_of(rules, row)) is (rules == "feburit")


@pytest.mark.parametrize(
    ("rules", "row", "mends"), [("fibur2024", "F-29d", True), ("feburit", "B-10l", False), ("online", "O-23", False)]
)
def test_d37_a_card_wrongly_added_to_a_set(rules: str, row: str, mends: bool) -> None:
    script = table(rules)
    script.draw("W")
    script.lay("W", 0, "4H 4D 4C")
    script.lay("W", 0, "3S", before="4H 4D 4C")
    rest(script)
    assert told(script) == [(row, "W")]
    assert ("complete-or-penalise" in dos(script)) is mends


@pytest.mark.parametrize(
    ("rules", "row", "frozen"), [("fibur2024", "F-25b", "none"), ("feburit", "B-10m", "definitive")]
)
def test_d38_a_wrong_meld_found_after_the_discard(rules: str, row: str, frozen: str) -> None:
    script = table(rules)
    script.draw("W")
    script.lay("W", 0, "5H 6H 8H")
    script.discard("W", "4C")
    rest(script)
    assert told(script) == [(row, "W")]
    script.console("rule", row=row, seat="W", meld=0)
    deal = script.fold.deal
    assert deal is not None
    lies = deal.meld(0)
    assert lies is not None
    assert lies.frozen == frozen


@pytest.mark.parametrize(("rules", "row", "warnings"), [("fibur2024", "F-22a", 1), ("feburit", "B-11b", 0)])
def test_d39_a_hint_to_the_partner(rules: str, row: str, warnings: int) -> None:
    script = table(rules)
    script.console("rule", row=row, seat="E")
    assert len(warned(script)) == warnings
    assert "stop-play" in dos(script)


@pytest.mark.parametrize(
    ("rules", "pile", "rows"),
    [
        ("fibur2024", "9C", [("F-11b", "W")]),
        ("fibur2024", "8H", [("F-11b", "W")]),
        ("feburit", "9C", []),
        ("feburit", "8H", [("B-11e", "W")]),
    ],
)
def test_d40_a_run_put_in_order_while_the_partner_plays(rules: str, pile: str, rows: list[tuple[str, str]]) -> None:
    script = table(rules)
    script.draw("W")
    script.lay("W", 0, "6H 5H 7H")
    script.discard("W", "3S")
    script.turn("N", pile)
    script.draw("E")
    script.reorder("W", 0, "6H 5H 7H", "5H 6H 7H")
    assert told(script) == rows


@pytest.mark.parametrize(("rules", "rows"), [("fibur2024", []), ("feburit", [("B-14e", "W")])])
def test_d41_cards_laid_after_the_call_and_cards_passed(rules: str, rows: list[tuple[str, str]]) -> None:
    script = table(rules)
    script.draw("W")
    script.press("N", "referee")
    rest(script, 3.0)
    script.lay("W", 0, "5H 6H 7H")
    assert told(script) == rows
    passed = table(rules)
    passed.console("rule", row="F-28f", seat="E")
    assert len(warned(passed)) == (1 if rules == "fibur2024" else 0), "the other code says nothing of passing"


def test_d43_hands_shown_after_a_closing_that_was_none() -> None:
    """By fibur2024 the cards are exposed once play goes on; by feburit it is a fault of its own at once."""
    rows = {}
    for rules in OFFICIAL:
        script = wrong_closing(rules)
        script.shown("E", "9H TS")
        script.draw("N", "4C")
        rows[rules] = [row for row, seat in told(script) if seat == "E"]
    assert rows == {"fibur2024": ["F-24d"], "feburit": ["B-23b"]}


@pytest.mark.parametrize(("rules", "row", "warnings"), [("fibur2024", "F-19a", 1), ("feburit", "B-24", 0)])
def test_d44_a_score_sheet_left_on_the_table(rules: str, row: str, warnings: int) -> None:
    script = round_of(rules)
    script.console("rule", row=row, line="NS", **({"option": "refuse"} if rules == "feburit" else {}))
    assert len(warned(script)) == warnings


@pytest.mark.parametrize(("rules", "states"), [("fibur2024", ["healed"]), ("feburit", ["open"]), ("online", [])])
def test_d45_whether_the_right_to_a_penalty_is_lost_with_the_next_draw(rules: str, states: list[str]) -> None:
    """A card exposed in the own turn, and nobody calls: it still lies there, so that all can be put right."""
    script = table(rules)
    script.draw("W")
    script.expose("W", "4H")
    script.discard("W", "3S")
    script.draw("N")
    newest = {event.data.key: event.data.state for event in script.of("irregularity")}  # type: ignore[attr-defined]
    assert list(newest.values()) == states


@pytest.mark.parametrize(
    ("rules", "keepers"),
    [("fibur2024", {"NS": "N", "EW": "E"}), ("feburit", {"NS": None, "EW": "W"}), ("online", {"NS": "N", "EW": "E"})],
)
def test_d48_before_whom_the_melds_lie_where_the_log_names_nobody(rules: str, keepers: dict[str, str | None]) -> None:
    script = table(rules, keepers={})
    script.draw("W")
    script.lay("W", 0, "8H 8S 8C")
    assert script.fold.state()["keepers"] == keepers


@pytest.mark.parametrize(
    ("rules", "row", "first"),
    [("fibur2024", "F-23h", "correct-count"), ("feburit", "B-21a", "penalise"), ("online", "O-30", "take-back")],
)
def test_d49_a_second_pot_taken_in_flight(rules: str, row: str, first: str) -> None:
    script = table(rules)
    second_pot(script)
    assert told(script)[-1] == (row, "W")
    assert next(do for do in dos(script) if do not in ("stop-play", "nothing")) == first


@pytest.mark.parametrize(("rules", "rows"), [("fibur2024", [("F-08c", "N")]), ("feburit", []), ("online", [])])
def test_d50_a_hand_that_rests_at_the_stock_out_of_turn(rules: str, rows: list[tuple[str, str]]) -> None:
    script = table(rules)
    script.draw("W")
    rest(script)
    rests_at(script, "N", STOCK)
    assert told(script) == rows


@pytest.mark.parametrize(("rules", "shown"), [("fibur2024", False), ("feburit", False), ("online", True)])
def test_d51_whether_the_time_left_is_seen(rules: str, shown: bool) -> None:
    script = table(rules)
    script.draw("W")
    rest(script, 70.0)
    assert ("countdown" in script.fold.state(), bool(script.of("countdown.ended"))) == (shown, shown)


@pytest.mark.parametrize(("rules", "rows"), [("fibur2024", ["F-P2"]), ("feburit", []), ("online", [])])
def test_d53_a_lead_of_800_points_and_nobody_has_called(rules: str, rows: list[str]) -> None:
    script = round_of(rules, call_at=800)
    referee = script.fold.game.referee
    referee.book = replace(referee.book, called=False)  # the arbitro began the round: that is no call for this
    referee.counted(850)
    script.console("end-round")
    assert [row for row, _ in told(script)] == rows


@pytest.mark.parametrize("row", ["F-37", "F-B2", "F-02", "F-40", "F-B1"])
def test_d54_rows_on_conduct_that_only_one_code_has(row: str) -> None:
    ruled = {}
    for rules in OFFICIAL:
        script = table(rules)
        script.console("rule", row=row, seat="W", line="EW", option="past-half" if row == "F-40" else None)
        ruled[rules] = row in [one for one, _ in told(script)]
    assert ruled == {"fibur2024": True, "feburit": False}


@pytest.mark.parametrize(("rules", "row", "three"), [("fibur2024", "F-13", False), ("feburit", "B-08", True)])
def test_d55_how_a_burraco_is_marked_makes_and_voids_none(rules: str, row: str, three: bool) -> None:
    """A burraco whose cards lie in another order, as crosswise ones are seen, is told as one."""
    script = table(rules)
    script.draw("W")
    script.lay("W", 0, "4H 3H 5H 6H 7H 8H 9H")
    assert script.of("meld.opened")[-1].data.meld.burraco == "clean"  # type: ignore[attr-defined]
    assert ("last three cards" in text_of(rules, row)) is three
    assert EDITIONS[rules].catalogue.row(row).kind == "situation"


@pytest.mark.parametrize(
    ("rules", "row", "option", "swapped"),
    [
        ("fibur2024", "F-20", "swap", True),
        ("feburit", "B-24", "swap", False),
        ("feburit", "B-24b", None, True),
    ],
)
def test_d57_scores_entered_the_wrong_way_round(rules: str, row: str, option: str | None, swapped: bool) -> None:
    """By art. 20 of fibur2024 a way of the mistake; by art. 24 of feburit a row of its own, also later."""
    script = round_of(rules)
    script.console("rule", row=row, line="NS", **({} if option is None else {"option": option}))
    assert result(script, lead=300)["EW"][0] == (300 if swapped else -300)


@pytest.mark.parametrize(("rules", "players"), [("fibur2024", (4,)), ("feburit", (4,)), ("online", (2, 4))])
def test_d58_one_against_one(rules: str, players: tuple[int, ...]) -> None:
    assert rule_set(rules).players == players
    if 2 in players:
        header = Header("T1", rules, options=OPTIONS[rules], seats={"N": "Anna", "S": "Sara"})
        fold = TableFold(header)
        assert fold.table.rules.rotation.seats == (Seat.NORTH, Seat.SOUTH)
