"""What a ruling by the FE.BUR.IT code leaves to be done, gesture by gesture: bars, freezes, penalised cards."""

from __future__ import annotations

from typing import Any

import pytest

from hw.observations import Shield
from hw.seats import Line, Seat
from table_service.games.burraco.codes import EDITIONS
from table_service.games.burraco.codes.feburit import FEBURIT
from table_service.games.burraco.duties.bars import LASTING
from table_service.games.burraco.rules import acting, pots
from table_service.games.burraco.rules.deal import Deal
from table_service.referee.round import RoundBook
from tests.games.burraco.codes.test_codes_at_a_table import table, told
from tests.games.burraco.conftest import Script


def kept(script: Script) -> list[tuple[str, str, str | None]]:
    """Each sanction that was served or broken, in order: what it was, whose, and how it was broken."""
    return [
        (event.data.do, str(event.seat), getattr(event.data, "reason", None))  # type: ignore[attr-defined]
        for event in script.events
        if event.type in ("sanction.served", "sanction.broken")
    ]


def broken(script: Script) -> list[tuple[str, str, str | None]]:
    return [(e.data.do, str(e.seat), e.data.reason) for e in script.of("sanction.broken")]  # type: ignore[attr-defined]


def ends(script: Script) -> list[tuple[str, str | None]]:
    return [(event.data.manner, event.seat) for event in script.of("deal.ended")]  # type: ignore[attr-defined]


def with_burraco(script: Script, line: Line, seat: str) -> None:
    """``line`` has had its pot, played it, and has a burraco on the table."""
    cards = ("3C", "4C", "5C", "6C", "7C", "8C", "9C")

    def change(deal: Deal) -> Deal:
        return acting.change(pots.take_pot(deal, Seat(seat), "discard"), None, 9 if line is Line.NS else 8, line, cards)

    script.suppose(change)


def test_d08_a_missed_draw_found_after_the_discard_is_one_fact_of_its_own_row() -> None:
    """Art. 13, second case: B-13a while the turn runs, B-13b from the discard on."""
    script = table("feburit")
    script.lay("W", 1, "8H 8S 8C")
    assert told(script) == [("B-13a", "W")]
    script.discard("W", "4C")
    assert told(script) == [("B-13b", "W")]
    script.draw("N")
    assert told(script) == [("B-13b", "W")]
    assert script.last()["state"] == "healed"


def test_a_meld_laid_and_a_discard_made_at_once_without_a_draw_is_told_as_found_after_the_discard() -> None:
    script = table("feburit")
    script.suppose(lambda deal: deal.correct("hand-W", ("8H", "8S", "8C", "4C", "5C")))
    script.lay("W", 1, "8H 8S 8C")
    script.discard("W", "4C")
    assert told(script) == [("B-13b", "W")]


@pytest.mark.parametrize(
    ("rules", "row", "closer", "negative"),
    [
        ("feburit", "B-13a", "N", ("8H", "8S", "8C")),
        ("feburit", "B-13a", "E", ()),
        ("fibur2024", "F-30a", "N", ("8H", "8S", "8C")),
        ("fibur2024", "F-30a", "E", ("8H", "8S", "8C")),
    ],
)
def test_melds_frozen_for_a_missed_draw_count_negative_as_the_code_has_it(
    rules: str, row: str, closer: str, negative: tuple[str, ...]
) -> None:
    """Art. 13 of seeds 001: where the opponents go out; art. 30 of seeds 000: where anybody does."""
    script = table(rules)
    script.lay("W", 1, "8H 8S 8C")
    script.console("rule", row=row, seat="W", meld=1, freeze="temporary")
    script.draw("W")
    script.discard("W", "4C")
    line = Line.NS if closer == "N" else Line.EW
    with_burraco(script, line, closer)
    if closer == "E":
        script.turn("N")
    script.hands(**{closer: "KD"})
    script.suppose(lambda deal: deal.forgive(Seat(closer)))
    deal = script.fold.deal
    assert deal is not None
    script.suppose(lambda now: now.over("closed", Seat(closer)))
    deal = script.fold.deal
    assert deal is not None
    assert script.fold.game.parts.referee.counts_against(deal).get(1, ()) == negative


def test_who_is_told_that_frozen_melds_count_negative_is_told_under_the_same_key() -> None:
    script = table("feburit")
    script.lay("W", 1, "8H 8S 8C")
    script.console("rule", row="B-13a", seat="W", meld=1, freeze="temporary")
    script.draw("W")
    script.discard("W", "4C")
    with_burraco(script, Line.NS, "N")
    script.draw("N", "5D")
    script.hands(N="KD")
    script.discard("N", "KD")
    assert ends(script) == [("closed", "N")]
    newest = script.last()
    assert (newest["row"], newest["found"], newest["state"]) == ("B-13a", "hand_end", "ruled")
    assert {event.data.key for event in script.of("irregularity")} == {newest["key"]}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("rules", "row", "cards", "discards", "reason"),
    [
        ("feburit", "B-10e", "KD 4H 6S", ["4H", "6S", "KD"], None),
        ("feburit", "B-10e", "KD 4H 6S", ["6S", "4H", "KD"], None),
        ("feburit", "B-10e", "KD 4H 6S", ["KD"], "a higher card was discarded before a lower one"),
        ("fibur2024", "F-24c", "KD 4H 6S", ["KD", "4H", "6S"], None),
    ],
)
def test_d03_penalised_cards_go_in_the_order_of_the_code_and_equal_ones_as_the_player_likes(
    rules: str, row: str, cards: str, discards: list[str], reason: str | None
) -> None:
    """Art. 10: the lowest in value first; 4 and 6 count the same."""
    script = table(rules)
    script.turn("W", "7C")
    script.suppose(lambda deal: deal.correct("hand-W", tuple(f"{cards} 9C 9D JS".split())))
    script.console("rule", row=row, seat="W", cards=cards.split())
    for card in discards:
        for seat in "NES":
            script.turn(seat, "3S")
        script.draw("W")
        script.discard("W", card)
    said = [one for one in broken(script) if one[0] in ("expose", "discard")]
    assert [one[2] for one in said] == ([reason] * len(said) if reason else [])
    assert bool(said) is (reason is not None)


def ruled_with_bars(option: str = "round_after", card: str = "4H") -> Script:
    """W has gone out wrongly by art. 21 A, one of his cards is penalised, and play is N's."""
    script = table("feburit", closing_bar_end=option)
    with_burraco(script, Line.EW, "W")
    script.suppose(lambda deal: deal.correct("hand-W", tuple(f"{card} 9C".split())))
    script.draw("W", "KD")
    script.discard("W", "KD")
    script.console("rule", row="B-21a", seat="W", cards=[card])
    return script


@pytest.mark.parametrize(("option", "turns"), [("round_after", 2), ("last_discard", 1)])
def test_closing_bar_end_says_when_he_may_go_out_who_went_out_and_might_not(option: str, turns: int) -> None:
    """D-05, arts. 10, 11 and 21: in the turn after his last penalised card, or with that card."""
    script = ruled_with_bars(option)
    for seat in "NES":
        script.turn(seat, "3S")
    script.hands(W="4H")
    script.draw("W", "5D")
    script.hands(W="4H")
    script.discard("W", "4H")
    if turns == 1:
        assert ends(script) == [("closed", "W")]
        return
    assert ends(script) == []
    assert ("bar-closing", "W", "he went out and might not") in broken(script)


def test_the_turn_after_the_last_penalised_card_he_may_go_out() -> None:
    script = ruled_with_bars()
    for seat in "NES":
        script.turn(seat, "3S")
    script.draw("W", "5D")
    script.discard("W", "4H")
    assert ("bar-closing", "W", None) in kept(script)
    for seat in "NES":
        script.turn(seat, "3S")
    script.hands(W="")
    script.draw("W", "9C")
    script.discard("W", "9C")
    assert ends(script) == [("closed", "W")]


def test_the_partner_may_not_go_out_in_the_round_of_the_fault_and_may_in_the_next() -> None:
    """Arts. 10, 13, 14 and 21."""
    script = ruled_with_bars()
    script.turn("N", "3S")
    script.hands(E="7D")
    script.draw("E", "5D")
    script.hands(E="7D")
    script.discard("E", "7D")
    assert ends(script) == []
    assert ("bar-closing", "E", "he went out and might not") in broken(script)


def test_the_partner_who_has_played_his_turn_of_that_round_is_barred_no_more() -> None:
    script = ruled_with_bars()
    script.turn("N", "3S")
    script.turn("E", "3S")
    assert ("bar-closing", "E", None) in kept(script)
    for seat in "SW":
        script.draw(seat, "4H" if seat == "W" else "??")
        script.discard(seat, "4H" if seat == "W" else "3S")
    script.turn("N", "3S")
    script.hands(E="7D")
    script.draw("E", "5D")
    script.hands(E="7D")
    script.discard("E", "7D")
    assert ends(script) == [("closed", "E")]


@pytest.mark.parametrize(("rules", "row", "still"), [("feburit", "B-14c", True), ("fibur2024", "F-32", False)])
def test_d47_a_meld_is_frozen_for_a_round_or_until_the_offender_s_next_turn(rules: str, row: str, still: bool) -> None:
    """W is in turn, N lays: when E's and S's turns come N has played, and the round is over when W plays again."""
    script = table(rules)
    script.draw("W")
    script.lay("N", 1, "8H 8S 8C")
    script.console("rule", row=row, seat="N", meld=1, freeze="temporary")
    script.discard("W", "4C")
    for seat in "NE":
        script.turn(seat, "3S")
    deal = script.fold.deal
    assert deal is not None
    lies = deal.meld(1)
    assert lies is not None
    assert (lies.frozen == "temporary") is still
    script.turn("S", "3S")
    script.draw("W")
    deal = script.fold.deal
    assert deal is not None
    lies = deal.meld(1)
    assert lies is not None
    assert lies.frozen == "none"


@pytest.mark.parametrize(("rules", "row", "breaks"), [("feburit", "B-10a", True), ("fibur2024", "F-24a", False)])
def test_d02_an_exposed_card_is_played_before_anything_else(rules: str, row: str, breaks: bool) -> None:
    script = table(rules)
    script.draw("W")
    script.expose("W", "4H")
    script.console("rule", row=row, seat="W", cards=["4H"], option="laid")
    script.lay("W", 1, "8H 8S 8C")
    assert [one[2] for one in broken(script)] == (["other cards were laid before the exposed one"] if breaks else [])


def test_after_an_exposed_card_that_was_laid_in_the_next_turn_play_ends() -> None:
    """Art. 10, out of the own turn: it is laid at once, and his play ends there in any case."""
    script = table("feburit")
    script.expose("N", "8H")
    script.console("rule", row="B-10e", seat="N", cards=["8H"])
    script.turn("W", "3S")
    script.draw("N")
    script.take_up("N", "8H")
    script.lay("N", 1, "8H 8S 8C")
    assert broken(script) == []
    script.lay("N", 2, "KH KS KC")
    assert [(do, seat) for do, seat, _ in broken(script)] == [("limit-turn", "N")]


def test_d52_a_hand_shield_means_nothing_where_the_code_has_none() -> None:
    """Turned over right after the last discard it is the sign of a closing by fibur2024 alone."""
    ended = {}
    for rules in ("fibur2024", "feburit"):
        script = table(rules)
        with_burraco(script, Line.EW, "W")
        script.suppose(lambda deal: deal.correct("hand-W", ("KD",)).doubt("hand-W"))
        script.draw("W", "KD")
        script.discard("W", "KD")
        script.notice(Shield(script.t + 0.5, Seat.WEST, "over"))
        ended[rules] = ends(script)
    assert ended == {"fibur2024": [("closed", "W")], "feburit": []}


def test_every_end_of_a_bar_that_the_rows_name_is_one_that_is_watched() -> None:
    rows = EDITIONS["feburit"].catalogue.rows.values()
    named = {duty.until for row in rows for duty in row.duties if duty.do == "bar-closing"}
    assert named == {*LASTING, "end-of-own-turn"}


def test_warnings_that_cost_match_points_when_repeated_cost_nothing_in_the_ranking() -> None:
    """Arts. 4 and 26 take a victory point from the second on; arts. 6, 19 and 23 take 100 match points instead."""
    book = RoundBook(FEBURIT.tournament)
    for n, row in enumerate(("B-06e", "B-19", "B-26", "B-23c", "B-04c")):
        book = book.warn(Line.NS, row, str(n))
    assert book.total(Line.NS) == 5
    assert [book.latest_cost(Line.NS, row) for row in ("B-19", "B-04c")] == [0, -1]
    assert book.deductions() == {Line.NS: -1, Line.EW: 0}
    accounts = EDITIONS["feburit"].book.warnings
    assert FEBURIT.tournament.unranked == {row for one in accounts if one.match_points for row in one.rows}


@pytest.mark.parametrize(
    ("choice", "broke"),
    [("draw-or-collect", []), ("same-act", [("limit-turn", "W", "the pile was picked up")])],
)
def test_d09_limited_take_says_how_cards_are_taken_in_the_limited_turn(choice: str, broke: list[Any]) -> None:
    """Art. 14: who drew out of turn picks up the pile in his limited turn, which by one choice he may not."""
    script = Script(rules="feburit", limited_take=choice)
    script.turn_up()
    script.turn("W")
    script.draw("W", "9D")
    script.console("rule", row="B-14a", seat="W", option="draw", cards=["9D"])
    script.put_back("W", "9D")
    for seat in "NES":
        script.turn(seat)
    assert script.fold.deal is not None
    script.collect("W", " ".join(script.fold.deal.pile))
    script.discard("W", "9S")
    assert [one for one in broken(script) if one[0] == "limit-turn"] == broke
