"""Arts. 14 to 18, 30 and 33 to 36 of fibur2024: ends of a deal, wrong closings, what is counted."""

from __future__ import annotations

from typing import Any, Final

import pytest

from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK
from table_service.games.burraco.rules.vp import victory_points
from tests.games.burraco.cases_by_text import play

CLEAN = "3H 4H 5H 6H 7H 8H 9H"
SITUATIONS = ("F-14", "F-15a", "F-15b", "F-15c", "F-15d", "F-17", "F-17b", "F-18", "F-18b", "F-18c", "F-23a", "F-23e")


def to_pot(script: Any, burraco: str = CLEAN) -> None:
    """W plays out his hand in turn 1 and takes the first pot in flight."""
    script.draw("W")
    script.lay("W", 90, burraco)
    script.hands(W="")
    script.take_pot("W", giver="N")


def dos(script: Any) -> list[str]:
    return [step["do"] for step in script.last()["remedy"]]


def items(script: Any, line: str) -> dict[str, int]:
    return dict(script.of("score.counted")[-1].data.lines[line]["items"])


def shown(script: Any, **hands: str) -> None:
    """Everybody's cards as the ledger has them, and the count."""
    script.hands(**hands)
    script.press("N", "count")


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_situation_of_arts_14_to_18_can_be_no_irregularity(script: Any, name: str) -> None:
    assert FIBUR2024.row(name).kind == "situation"
    script.console("rule", row=name, seat="W")
    assert script.verdicts() == []


def test_f17_art17_the_third_last_card_is_the_last_that_is_played(make_script: Any) -> None:
    script = make_script(stock=4)
    script.turn_up()
    script.draw("W")
    script.discard("W", "3S")
    assert [e.data.manner for e in script.of("deal.ended")] == ["stock"]
    shown(script, N="KS", E="3D", S="3C", W="3H")
    assert (items(script, "NS")["closing"], items(script, "EW")["closing"]) == (0, 0)


def test_f17b_art17_who_has_pot_burraco_and_discard_gets_the_bonus(script: Any) -> None:
    to_pot(script)
    script.hands(W="4S")
    script.discard("W", "4S")
    assert [e.data.manner for e in script.of("deal.ended")] == ["closed"]
    shown(script, N="KS", E="3D", S="3C")
    assert (items(script, "EW")["closing"], items(script, "NS")["closing"]) == (100, 0)
    assert items(script, "EW")["burraco"] == 200


def test_f18_art18_a_pot_that_neither_line_took_counts_for_nobody(make_script: Any) -> None:
    script = make_script(stock=4)
    script.turn_up()
    script.draw("W")
    script.discard("W", "3S")
    shown(script, N="KS", E="3D", S="3C", W="3H")
    assert (items(script, "NS")["pot"], items(script, "EW")["pot"]) == (0, 0)


def test_f18b_art18_what_is_counted_for_and_against(script: Any) -> None:
    to_pot(script)
    script.hands(W="4S")
    script.discard("W", "4S")
    shown(script, N="KS 2H", E="JK AD", S="3C")
    east, north = items(script, "EW"), items(script, "NS")
    assert (east["burraco"], east["closing"], east["melds"], east["hand"], east["pot"]) == (200, 100, 45, -45, 0)
    assert (north["hand"], north["pot"]) == (-35, -100)


@pytest.mark.parametrize(
    ("deals", "teams", "diff", "expected"),
    [
        (2, False, 40, (10, 10)),
        (2, False, 45, (11, 9)),
        (2, False, 1005, (20, 0)),
        (3, False, 655, (16, 4)),
        (4, False, 850, (14, 6)),
        (4, False, -850, (6, 14)),
        (4, True, 555, (13, 7)),
    ],
)
def test_f18c_art18_victory_points_by_the_tables(deals: int, teams: bool, diff: int, expected: tuple[int, int]) -> None:
    assert victory_points(BOOK, deals, diff, teams=teams) == expected


def test_f23a_art23_a_pot_card_that_shows_has_no_penalty(script: Any) -> None:
    assert FIBUR2024.row("F-23a").steps[0].do == "nothing"
    to_pot(script)
    assert script.verdicts() == []


def test_f23e_art23_dropped_pots_are_shuffled_by_the_arbitro() -> None:
    row = FIBUR2024.row("F-23e")
    assert (row.kind, row.senses) == ("situation", ("person",))


# -- art. 30, at the end -------------------------------------------------------------------------------------------


def frozen_meld(script: Any) -> None:
    """N opens jacks without having drawn, which is ruled; S then closes with his line's pot taken."""
    script.turn("W")
    script.draw("N")
    script.lay("N", 80, CLEAN)
    script.hands(N="")
    script.take_pot("N", giver="W")
    script.discard("N", "5S")
    script.turn("E")
    script.draw("S")
    script.discard("S", "6S")
    script.turn("W")


def test_f30c_art30_a_new_meld_frozen_when_the_deal_is_closed_counts_negative(script: Any) -> None:
    frozen_meld(script)
    script.hands(N="JH JD JC 9D")
    script.lay("N", 81, "JH JD JC")
    script.console("rule", row="F-30a", seat="N")
    script.draw("N")
    script.discard("N", "9D")
    script.turn("E")
    script.draw("S")
    script.hands(S="QD")
    script.discard("S", "QD")
    assert [e.data.manner for e in script.of("deal.ended")] == ["closed"]
    verdict = script.last()
    assert (verdict["row"], verdict["found"], verdict["severity"]) == ("F-30c", "hand_end", "score")
    assert verdict["cards"] == ["JH", "JD", "JC"]
    shown(script, N="KS", E="3D", W="3C")
    north = items(script, "NS")
    assert (north["melds"], north["penalised"], north["burraco"]) == (45, -30, 200)


def test_f30c_art30_of_an_older_meld_only_the_added_card_counts_negative(script: Any) -> None:
    frozen_meld(script)
    script.hands(N="TH 9D")
    script.lay("N", 80, "TH", before=CLEAN)
    script.console("rule", row="F-30a", seat="N")
    script.draw("N")
    script.discard("N", "9D")
    script.turn("E")
    script.draw("S")
    script.hands(S="QD")
    script.discard("S", "QD")
    assert script.last()["cards"] == ["TH"]
    shown(script, N="KS", E="3D", W="3C")
    north = items(script, "NS")
    assert (north["melds"], north["penalised"], north["burraco"]) == (45, -10, 200)


def test_f30c_art30_thawed_in_time_it_counts_as_always(script: Any) -> None:
    frozen_meld(script)
    script.hands(N="JH JD JC 9D")
    script.lay("N", 81, "JH JD JC")
    script.console("rule", row="F-30a", seat="N")
    script.draw("N")
    script.discard("N", "9D")
    for seat in "ESW":
        script.turn(seat)
    script.draw("N")
    script.hands(N="QD")
    script.discard("N", "QD")
    assert [e.data.manner for e in script.of("deal.ended")] == ["closed"]
    shown(script, S="KS", E="3D", W="3C")
    assert (items(script, "NS")["melds"], items(script, "NS")["penalised"]) == (75, 0)


# -- wrong closings ------------------------------------------------------------------------------------------------


def test_f33_art33_a_wrong_closing_ends_nothing_and_the_deal_goes_on(script: Any) -> None:
    to_pot(script, "3H 4H 5H 6H")
    script.hands(W="QC QD QH 4S")
    script.lay("W", 91, "QC QD QH")
    script.discard("W", "4S")
    assert (script.verdicts(), script.of("deal.ended")) == ([("F-33", "W", "open")], [])
    assert dos(script) == ["stop-play", "nothing", "penalise", "discard"]
    script.console("rule", row="F-33", seat="W")
    script.move("QC QD QH", "melds-EW", "side-W", "W", row=91)
    for seat in "NES":
        script.turn(seat)
    assert script.fold.state()["sides"] == {"W": ["QC", "QD", "QH"]}
    script.draw("W")
    script.move("QH", "side-W", "discard", "W")
    assert script.of("sanction.broken") == []
    assert script.verdicts() == [("F-33", "W", "open"), ("F-33", "W", "ruled")]


def test_f35a_art35_one_card_of_the_last_meld_is_the_discard_the_others_are_exposed(script: Any) -> None:
    to_pot(script)
    script.hands(W="QC QD QH")
    script.lay("W", 91, "QC QD QH")
    assert script.verdicts() == [("F-35a", "W", "open")]
    script.console("rule", row="F-35a", seat="W")
    script.move("QC QD QH", "melds-EW", "hand-W", "W", row=91)
    script.discard("W", "QC")
    assert (script.of("deal.ended"), script.fold.state()["hands"]["W"]) == ([], 2)
    for seat in "NES":
        script.turn(seat)
    script.draw("W", "QS")
    script.lay("W", 92, "QD QH QS")
    assert "expose" in [e.data.do for e in script.of("sanction.served")]


# -- art. 36 -------------------------------------------------------------------------------------------------------


def closed(script: Any) -> None:
    to_pot(script)
    script.hands(W="4S")
    script.discard("W", "4S")


def test_f36_art36_mixed_cards_are_rebuilt_from_the_ledger(script: Any) -> None:
    closed(script)
    script.console("rule", row="F-36", seat="W", option="rebuilt")
    assert (script.last()["severity"], dos(script)) == ("score", ["referee"])
    melds = script.fold.state()["melds"]["EW"]
    assert [" ".join(meld["cards"]) for meld in melds] == [CLEAN]


def test_f36_art36_or_the_arbitro_gives_a_score(script: Any) -> None:
    closed(script)
    shown(script, N="KS", E="3D", S="3C")
    script.console("rule", row="F-36", seat="W", option="arbitral", points=-50)
    assert dos(script) == ["score"]
    assert items(script, "EW")["bonus"] == -50


def to_the_stocks_end(script: Any, *, sure: bool) -> None:
    """W, who has had his pot and a burraco, makes the last discard of the stock; what he holds nobody is ``sure``."""
    to_pot(script)
    script.discard("W", "3S")
    script.hands(N="KS", E="3D", S="3C", W="4S 5S 6S 7S 8S")
    script.suppose(lambda deal: deal.correct("stock", ("??",) * 6))
    for seat in "NES":
        script.turn(seat)
    script.draw("W")
    if not sure:
        script.suppose(lambda deal: deal.doubt("hand-W"))
    script.discard("W", "4S")
    script.shown("E", "3D")
    script.shown("S", "3C")
    script.press("N", "count")
    assert [e.data.manner for e in script.of("deal.ended")] == ["stock"]


def test_f17b_art17_whether_he_went_out_with_the_last_discard_is_doubtful_where_nobody_knows(script: Any) -> None:
    to_the_stocks_end(script, sure=False)
    assert "EW.closing" in script.of("score.counted")[-1].data.doubtful
    assert "NS.closing" not in script.of("score.counted")[-1].data.doubtful


def test_f17_art17_who_still_holds_cards_has_not_gone_out(script: Any) -> None:
    to_the_stocks_end(script, sure=True)
    assert "EW.closing" not in script.of("score.counted")[-1].data.doubtful
    assert items(script, "EW")["closing"] == 0


CASES: Final = {
    "test_f14_art14_a_wild_may_be_discarded_but_not_to_go_out": "draw W; discard W JK; verdicts =",
    "test_f33_art33_penalised_cards_go_by_suit_where_their_value_is_the_same":
        "to_pot 3H,4H,5H,6H; hands W=QC,QD,QH,4S; lay W 91 QC,QD,QH; discard W 4S; console rule row=F-33 seat=W; "
        "move QC,QD,QH melds-EW side-W W row=91; turn N; turn E; turn S; draw W; move QC side-W discard W; "
        "each sanction.broken reason = a,lower,card,was,discarded,before,a,higher,one",
    "test_f34_art34_a_wild_as_the_last_card_whether_or_not_there_is_a_burraco":
        "to_pot 3H,4H,5H,6H; hands W=QC,QD,QH,2S; lay W 91 QC,QD,QH; discard W 2S; verdicts = F-34:W:open; "
        "last cards=[QC,QD,QH]; of deal.ended =",
    "test_f35b_art35_he_may_go_out_at_his_next_turn":
        "to_pot; lay W 91 KH,KD,KC; hands W=KS; lay W 91 KS before=KH,KD,KC; console rule row=F-35b seat=W; "
        "move KS melds-EW hand-W W row=91 result=KH:KD:KC; discard W KS; of deal.ended =; turn N; turn E; turn S; "
        "draw W 5D; discard W 5D; each deal.ended manner = closed",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, to_pot)
