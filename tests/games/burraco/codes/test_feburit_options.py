"""Choices that FE.BUR.IT leaves open, and what its articles say of melds beyond freezing them: art. 6, 10, 11, 15."""

from __future__ import annotations

from typing import Any

import pytest

from table_service.games.burraco.codes import CATALOGUES, EDITIONS
from table_service.games.burraco.rules.options import chosen_rows
from tests.games.burraco.codes.test_codes_at_a_table import table, told
from tests.games.burraco.codes.test_feburit_at_a_table import broken, kept
from tests.games.burraco.conftest import Script
from tests.games.burraco.referee.test_wrong_melds import rest


def second_set(script: Script, first: str = "KH KD KC", second: str = "KS KS KH") -> None:
    """W lays a set and another of the same rank."""
    script.draw("W")
    script.lay("W", 0, first)
    script.lay("W", 1, second)
    rest(script)


def next_deal(script: Script) -> None:
    """The deal ends and the next begins: W, who follows the dealer S, plays first again."""
    script.over()
    script.console("deal", deal=2, dealer="S")
    script.console("start-play")
    script.turn_up()


@pytest.mark.parametrize(("choice", "rows"), [("hand", []), ("match", [("B-15a", "W")])])
def test_second_set_ban_says_whether_a_set_of_that_rank_is_forbidden_in_later_deals(
    choice: str, rows: list[tuple[str, str]]
) -> None:
    """Art. 15, end: the line lays no further set equal to one that was frozen, in the same match."""
    script = table("feburit", second_set_ban=choice)
    second_set(script)
    script.console("rule", row="B-15a", seat="W", option="plain")
    script.lay("W", 0, "KS KS KH", before="KH KD KC")
    script.discard("W", "4C")
    next_deal(script)
    script.events.clear()
    script.draw("W")
    script.lay("W", 0, "9H 9D 9C")
    script.lay("W", 1, "KH KD KS")
    rest(script)
    assert told(script) == rows
    if rows:
        last = script.last()
        assert (last["needs_referee"], last["cards"]) == (True, ["KH", "KD", "KS"])
        assert last["needs"]["en"].startswith("The equal set that was frozen is of a deal that is over")


def test_the_ban_is_of_the_line_that_was_ruled_and_ends_with_its_round() -> None:
    script = table("feburit", second_set_ban="match")
    second_set(script)
    script.console("rule", row="B-15a", seat="W", option="plain")
    script.discard("W", "4C")
    next_deal(script)
    script.events.clear()
    script.turn("W")
    script.draw("N")
    script.lay("N", 0, "KH KD KC")
    rest(script)
    assert told(script) == []
    script.console("end-round")
    script.console("start-round", deals=1, minutes=42)
    script.console("deal", deal=1, dealer="S")
    script.console("start-play")
    script.turn_up()
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    rest(script)
    assert told(script) == []


@pytest.mark.parametrize(("choice", "rows"), [("hand", []), ("match", [("B-15a", "W")])])
@pytest.mark.parametrize("deals_between", [0, 1])
def test_second_set_ban_outlasts_a_restart_of_the_table(choice: str, rows: list[Any], deals_between: int) -> None:
    script = table("feburit", second_set_ban=choice)
    second_set(script)
    script.console("rule", row="B-15a", seat="W", option="plain")
    script.discard("W", "4C")
    if deals_between:
        next_deal(script)
        script.turn("W")
    script.restart()
    script.console("deal", deal=3, dealer="S")
    script.console("start-play")
    script.turn_up()
    script.events.clear()
    script.draw("W")
    script.lay("W", 0, "KH KD KS")
    rest(script)
    assert told(script) == rows


def test_a_ruling_that_is_lifted_forbids_nothing() -> None:
    script = table("feburit", second_set_ban="match")
    second_set(script)
    script.console("rule", row="B-15a", seat="W", option="plain")
    script.console("dismiss", key=script.last()["key"])
    next_deal(script)
    script.events.clear()
    script.draw("W")
    script.lay("W", 0, "KH KD KS")
    rest(script)
    assert told(script) == []


@pytest.mark.parametrize("row", ["B-15a", "B-15b"])
@pytest.mark.parametrize("joined", [True, False])
def test_an_equal_set_that_is_ruled_is_joined_before_the_next_player_has_played(row: str, joined: bool) -> None:
    """Art. 15: added to the first, found at once or after the discard."""
    script = table("feburit")
    second_set(script)
    if row == "B-15b":
        script.discard("W", "4C")
    script.console("rule", row=row, seat="W", option="plain")
    if joined:
        script.lay("W", 0, "KS KS KH", before="KH KD KC")
    if row == "B-15a":
        script.discard("W", "4C")
    script.draw("N")
    assert broken(script) == []
    script.discard("N", "5C")
    said = [one for one in kept(script) if one[0] == "freeze"]
    assert said == [("freeze", "W", None if joined else "the second set was not joined to the first")]
    assert told(script) == [(row, "W")], "carrying the ruling out is no new fault"


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("meld", [0, 1])
def test_two_equal_sets_are_frozen_whole_whichever_of_them_the_ruling_names(meld: int, *, known: bool) -> None:
    """Art. 15: the set to which the second is added is frozen for the whole deal."""
    script = table("feburit")
    second_set(script)
    key = {"key": script.last()["key"]} if known else {}
    script.console("rule", row="B-15a", seat="W", option="plain", meld=meld, **key)
    script.lay("W", 0, "KS KS KH", before="KH KD KC")
    assert script.fold.deal.meld(0).frozen == "definitive"


@pytest.mark.parametrize(("row", "breaks"), [(0, True), (1, False)])
def test_the_partner_adds_nothing_to_what_was_made_with_an_exposed_card(row: int, breaks: bool) -> None:
    """Art. 10, out of the own turn: N lays the card that he exposed; S, in his turn, keeps off that meld alone."""
    script = table("feburit")
    script.expose("N", "8H")
    script.console("rule", row="B-10e", seat="N", cards=["8H"])
    script.turn("W")
    script.draw("N")
    script.take_up("N", "8H")
    script.lay("N", 0, "8H 8S 8C")
    script.discard("N", "5S")
    script.turn("E")
    script.draw("S")
    script.lay("S", 1, "JH JD JC")
    script.lay("S", row, "8D" if row == 0 else "JS", before="8H 8S 8C" if row == 0 else "JH JD JC")
    script.discard("S", "6S")
    said = [one for one in kept(script) if one[0] == "freeze"]
    assert said == [("freeze", "S", "cards were added to a meld made with the exposed card" if breaks else None)]


def test_after_that_turn_the_partner_may_add_to_it() -> None:
    script = table("feburit")
    script.expose("N", "8H")
    script.console("rule", row="B-10e", seat="N", cards=["8H"])
    script.turn("W")
    script.draw("N")
    script.take_up("N", "8H")
    script.lay("N", 0, "8H 8S 8C")
    script.discard("N", "5S")
    for seat in "ESWNE":
        script.turn(seat)
    script.draw("S")
    script.lay("S", 0, "8D", before="8H 8S 8C")
    assert [one for one in broken(script) if one[0] == "freeze"] == []


def test_a_partner_s_turn_before_the_offender_s_own_does_not_end_it() -> None:
    """N exposes a card in E's turn: S plays before him, and is to keep off in the turn after N's."""
    script = table("feburit")
    script.turn("W")
    script.turn("N")
    script.draw("E")
    script.expose("N", "8H")
    script.console("rule", row="B-10e", seat="N", cards=["8H"])
    script.discard("E", "5C")
    script.turn("S")
    assert [one for one in kept(script) if one[0] == "freeze"] == []
    script.turn("W")
    script.draw("N")
    script.take_up("N", "8H")
    script.lay("N", 0, "8H 8S 8C")
    script.discard("N", "5S")
    script.turn("E")
    script.draw("S")
    script.lay("S", 0, "8D", before="8H 8S 8C")
    assert [one[:2] for one in broken(script)] == [("freeze", "S")]


def flies(script: Script, second: str = "KS KS KH") -> None:
    """W plays his hand out with a second set and takes the pot in flight."""
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    script.hands(W=second)
    script.lay("W", 1, second)
    script.take_pot("W")
    rest(script)


def test_a_flight_by_a_second_set_is_lost() -> None:
    """Art. 15: he discards, and plays the pot in the round after, having drawn or picked up."""
    script = table("feburit")
    flies(script)
    last = script.last()
    assert (last["row"], last["offender"]) == ("B-15a", "W")
    assert [step["option"] for step in last["remedy"] if step["option"]] == ["flight"]
    script.console("rule", row="B-15a", seat="W")
    script.lay("W", 0, "KS KS KH", before="KH KD KC")
    script.lay("W", 2, "9H 9D 9C")
    assert [one[0] for one in broken(script)] == ["limit-turn"]
    script.discard("W", "4C")
    for seat in "NES":
        script.turn(seat)
    script.draw("W")
    script.lay("W", 3, "6H 6D 6C")
    assert [one[0] for one in broken(script)] == ["limit-turn"], "he plays the pot now"


def test_where_both_sets_hold_a_wild_the_arbitro_says_which_way_it_is() -> None:
    script = table("feburit")
    script.draw("W")
    script.lay("W", 0, "KH KD JK")
    script.hands(W="KS KC 2H")
    script.lay("W", 1, "KS KC 2H")
    script.take_pot("W")
    rest(script)
    assert {step["option"] for step in script.last()["remedy"]} > {"second-wild", "flight"}


@pytest.mark.parametrize(
    ("choice", "option", "warned", "bonus"),
    [
        ("needs_referee", "no-warning", 0, []),
        ("needs_referee", "warn", 1, []),
        ("needs_referee", None, 0, []),
        ("warn", None, 1, []),
        ("warn", "repeated", 1, [-100]),
    ],
)
def test_fan_warning_says_whether_a_fan_out_of_sight_is_warned(
    choice: str, option: str | None, warned: int, bonus: list[int]
) -> None:
    """Art. 6: whether the clause on warnings is meant for the fan too, or for the question alone."""
    script = table("feburit", fan_warning=choice)
    named = {} if option is None else {"option": option}
    script.console("rule", row="B-06k", seat="N", **named)
    assert len(script.of("warning.given")) == warned
    assert script.last()["state"] == "ruled"
    deal = script.fold.deal
    assert deal is not None
    shares = script.fold.game.referee.book.bonuses(script.last()["key"])
    assert [points for points in shares.values() if points] == bonus


def test_a_choice_changes_the_rows_that_it_names_and_no_other() -> None:
    book, catalogue = EDITIONS["feburit"].book, CATALOGUES["feburit"]
    changed: Any = chosen_rows(book, catalogue, {"fan_warning": "warn"})
    assert {name for name, row in changed.rows.items() if row != catalogue.rows[name]} == {"B-06k"}
    assert chosen_rows(book, catalogue, {"fan_warning": "needs_referee"}) is catalogue


@pytest.mark.parametrize(("card", "breaks"), [("4D", True), ("8D", False)])
def test_x_b17_the_card_that_the_ordered_run_waited_for_never_goes_on_it(card: str, breaks: bool) -> None:
    """Art. 11, example: 3-5-2-6-7 is laid, a 4 discarded; the partner orders the run while its player plays."""
    script = table("feburit")
    lies, ordered = "3D 5D 2H 6D 7D", "3D 2H 5D 6D 7D"
    script.draw("W")
    script.lay("W", 0, lies)
    script.discard("W", "9S")
    script.turn("N", "4D")
    script.draw("E")
    script.reorder("W", 0, lies, ordered)
    assert told(script) == [("B-11e", "W")]
    assert script.last()["cards"] == ["4D"]
    script.console("rule", row="B-11e", seat="W")
    script.discard("E", "9C")
    script.turn("S", "JC")
    script.turn("W", "QS")
    script.turn("N", "JS")
    deal = script.fold.deal
    assert deal is not None
    script.collect("E", " ".join(deal.pile))
    script.lay("E", 0, card, before=ordered)
    assert [one[0] for one in broken(script)] == (["freeze"] if breaks else [])
    assert told(script) == [("B-11e", "W")]


def test_x_b17_another_four_that_was_drawn_may_go_on_it() -> None:
    """What is forbidden is the card of the pile: nobody knows of one from the stock that it was hinted at."""
    script = table("feburit")
    lies, ordered = "3D 5D 2H 6D 7D", "3D 2H 5D 6D 7D"
    script.draw("W")
    script.lay("W", 0, lies)
    script.discard("W", "9S")
    script.turn("N", "4D")
    script.draw("E")
    script.reorder("W", 0, lies, ordered)
    script.console("rule", row="B-11e", seat="W")
    script.lay("E", 0, "4D", before=ordered)
    assert broken(script) == []


def test_b06i_the_melds_lie_before_who_of_the_line_opened_first() -> None:
    """Art. 6, D-48: where the header names no keeper nobody is one before he has opened; in each deal anew."""
    script = table("feburit", keepers={})
    assert script.fold.state()["keepers"] == {"NS": None, "EW": None}
    script.turn("W")
    script.turn("N")
    script.draw("E")
    script.lay("E", 4, "8H 8S 8C")
    script.discard("E", "4C")
    script.draw("S")
    script.discard("S", "5C")
    script.draw("W")
    script.lay("W", 2, "JH JD JC")
    script.discard("W", "6C")
    assert script.fold.state()["keepers"] == {"NS": None, "EW": "E"}
    next_deal(script)
    assert script.fold.state()["keepers"] == {"NS": None, "EW": None}


def test_b06i_a_keeper_whom_the_players_have_agreed_on_goes_before() -> None:
    script = table("feburit", keepers={"EW": "E"})
    script.draw("W")
    script.lay("W", 2, "JH JD JC")
    assert script.fold.state()["keepers"] == {"NS": None, "EW": "E"}


@pytest.mark.parametrize("edge", ["low first", "high first"])
def test_b06i_a_meld_reads_the_same_from_whichever_edge_its_order_begins(edge: str) -> None:
    """Order 0 is the edge before which the meld lies; whose that is may change with every deal."""
    script = table("feburit", keepers={})
    cards = "5D 6D 7D 8D 9D TD JD JK" if edge == "low first" else "JK JD TD 9D 8D 7D 6D 5D"
    script.draw("W")
    script.lay("W", 1, cards)
    rest(script)
    assert told(script) == []
    assert script.of("meld.opened")[-1].data.model_dump()["meld"]["burraco"] == "semi-clean"
