"""The count of a deal of tarocco: the sources' worked examples S1 to S10, and what holds of every deal."""

import random
from collections.abc import Sequence
from typing import Any, Final

import pytest

from hw.cards import TAROCCO, UNKNOWN
from hw.seats import LINES, Line
from table_service.games.tarocco.rules.card_points import CONTATORI, MATTO, MORI, NUMBERED, worth
from table_service.games.tarocco.rules.combinations import CRICCHE, Combination, cricche, sequences
from table_service.games.tarocco.rules.document import CountError, count
from table_service.games.tarocco.rules.match import DealResult, Match
from table_service.games.tarocco.rules.score import LinePile, card_points, half_criccone, score_deal

PACK: Final = tuple(TAROCCO.copies)
SEEDS: Final = 400
"""Random deals here; ``make proof`` counts ``ALL``."""
ALL: Final = 20_000


def only(cards: str) -> Combination:
    """The one sequence of ``cards``."""
    (found,) = sequences(cards.split()).found
    return found


def without(cards: str) -> list[str]:
    return [card for card in PACK if card not in cards.split()]


def test_s1_angelo_mondo_luna_sixteen() -> None:
    assert only("t20 t19 t17 t16").points == 15


def test_s2_matto_stands_for_a_high_trump_and_begato_for_the_fourteen() -> None:
    found = only("t20 mat t17 t16 t15 beg t13 t12")
    assert found.points == 35
    assert set(found.stands_for) == {"mat", "beg"}
    assert "t14" in found.stands_for.values()


def test_s3_two_numbers_that_follow_each_other_break_the_sequence() -> None:
    found = only("t20 t19 t18 t17 mat beg t14")
    assert (found.points, found.ends) == (25, ("t16", "t15"))
    assert "t14" not in found.cards


def test_s4_begato_stands_for_a_figure_and_the_ace_adds_a_card() -> None:
    assert only("KS QS beg AS").points == 15


def test_s5_a_contatore_is_appended_to_a_whole_suit() -> None:
    assert only("KD QD CD FD AD mat").points == 25


def test_s6_four_aces_and_both_contatori() -> None:
    assert only("AC AD AS AB beg mat").points == 25


def test_s7_great_sequence_by_what_the_others_hold() -> None:
    theirs = "t19 t14 t12 t10 t9 t7 t5 beg"
    (great,) = (one for one in sequences(without(theirs)).found if one.family == "great")
    assert great.points == 30 == 105 - (12 + 3) * 5
    assert great.ends[0] == "t12"


def test_s8_a_whole_pile() -> None:
    pile = without("t19 t18 t16 beg KD FD AD QS CS FS FC CB AB")
    assert [(one.family, one.points) for one in cricche(pile).found] == [("kings", 17), ("queens", 14)]
    found = sequences(pile)
    assert [one.points for one in found.found] == [10, 20, 15, 20, 10]
    assert found.doubled
    assert cricche(pile).points + found.points == 181


def test_s9_half_a_criccone_of_79_and_sequences_of_27_units() -> None:
    # the source gives totals only; this is a pile of ours that has them
    pile = without("6C 8C 9C FC 6D CD QD 7S 8S 9S KS 7B 9B TB CB t18 t17 t16 t11 t8 t6 t5")
    assert (half_criccone(pile), sum(one.points for one in sequences(pile).found)) == (79, 27 * 5)
    assert cricche(pile).points + sequences(pile).points == 158 + 270


def test_s10_comma_16_both_contatori_without_rosse_and_sixteen() -> None:
    found = only("t20 t19 beg mat t15 t14")
    assert (found.points, found.ends) == (15, ("t16",))


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("t20 t19 t18", 10),
        ("t20 t19", 0),
        ("t20 t19 mat", 10),
        ("t20 beg mat", 0),  # no source lets contatori stand beside the Angelo alone
        ("t19 t18 t17 t16", 0),  # a contatore never replaces the head
        ("t20 t19 mat t16 t15", 20),
        ("t20 t18 t17 beg t15", 20),  # 16 covered
        ("t20 t18 t17 t15 mat", 20),
        ("t20 t19 beg mat t15", 15),  # comma 16
        ("t20 t18 mat beg t15", 20),  # a Rossa is there: comma 16 does not apply
        ("KC QC AC", 0),  # the ace does not count among the two figures
        ("KC AC beg mat", 0),  # at least one figure is natural
        ("KC QC mat", 10),
        ("QC CC FC", 0),
        ("m1 m2", 0),
        ("m1 m2 mat", 10),
        ("m1 mat beg", 0),  # at least two natural
        ("m1 m2 m3 m4 beg mat", 25),
        (" ".join(("t20", "t19", "t18", "t17", *NUMBERED, *MORI, "beg", "mat")), 105 + 25),
    ],
)
def test_sequences_by_their_rules(cards: str, points: int) -> None:
    assert sum(one.points for one in sequences(cards.split()).found) == points


def test_the_whole_pack_counts_87_and_93_with_the_last_trick() -> None:
    assert card_points(PACK) == 87
    lines = {Line.NS: LinePile(PACK, last_trick=True), Line.EW: LinePile()}
    items = score_deal(lines)[Line.NS].items
    assert (items["scartini"] or 0) + (items["last_trick"] or 0) == 93


@pytest.mark.parametrize(("family", "three", "four"), [(name, *CRICCHE[name][1:]) for name in CRICCHE])
def test_a_cricca_of_three_and_of_four(family: str, three: int, four: int) -> None:
    group = next(cards for name, (cards, _, _) in CRICCHE.items() if name == family)
    assert (cricche(group[:2]).points, cricche(group[1:]).points, cricche(group).points) == (0, three, four)


def deal(seed: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The piles of a deal: the dealer's line two cards more than whole tricks."""
    chance = random.Random(seed)
    cards = list(PACK)
    chance.shuffle(cards)
    cut = 4 * chance.randint(0, 15) + 2
    return tuple(cards[:cut]), tuple(cards[cut:])


def great_by_the_others(theirs: Sequence[str]) -> int:
    """The great sequence by the check formula, from the cards of the other side (facts file, 5.2)."""
    high = ("t19", "t18", "t17")
    contatori = [card for card in CONTATORI if card in theirs]
    missing = [card for card in high if card in theirs]
    own = 2 - len(contatori)
    if "t20" in theirs or len(missing) == 3 or len(missing) - 1 > own:
        return 0
    own -= max(0, len(missing) - 1)
    above = len(missing)
    for place, card in enumerate(NUMBERED):
        if card not in theirs:
            continue
        follows = NUMBERED[place + 1] if place + 1 < len(NUMBERED) else None
        barred = card == "t16" and "t18" in theirs and "t17" in theirs
        if own == 0 or follows in theirs or barred:
            return 105 - 5 * (16 - place + above + len(contatori))
        own -= 1
        above += 1
    # every number of the suit is there or covered: what is missing are high trumps, covered numbers, Mori, contatori
    return 105 - 5 * (above + sum(card in theirs for card in (*MORI, *CONTATORI)))


def check_deal(seed: int) -> None:
    mine, theirs = deal(seed)
    scores = score_deal({Line.NS: LinePile(mine, last_trick=True), Line.EW: LinePile(theirs, last_trick=False)})
    items = [scores[line].items for line in LINES]
    assert sum(one["scartini"] or 0 for one in items) == 87
    assert sum((one["scartini"] or 0) + (one["last_trick"] or 0) for one in items) == 93
    for pile, other in ((mine, theirs), (theirs, mine)):
        worths = {name: (three, four) for name, (_, three, four) in CRICCHE.items()}
        lost = sum(
            sum((worths[name][1] - worths[name][0], worths[name][0])[: sum(card in other for card in group)])
            for name, (group, _, _) in CRICCHE.items()
        )
        assert half_criccone(pile) == 148 - lost
        found = [one.points for one in sequences(pile).found if one.family == "great"]
        assert sum(found) == great_by_the_others(other), pile
    chance = random.Random(seed)
    some = set(chance.sample(PACK, chance.randint(0, 30)))
    more = some | {chance.choice(PACK)}
    assert cricche(more).points >= cricche(some).points
    assert sequences(more).points >= sequences(some).points


def test_what_holds_of_every_deal() -> None:
    for seed in range(SEEDS):
        check_deal(seed)


@pytest.mark.sweep
@pytest.mark.timeout(3600)
def test_what_holds_of_twenty_thousand_deals() -> None:
    for seed in range(1_000_000, 1_000_000 + ALL):
        check_deal(seed)


def document(mine: Sequence[str], theirs: Sequence[str], **first: Any) -> dict[str, Any]:
    return {
        "rules": "tarocco",
        "deal": {
            "NS": {"pile": list(mine), "last_trick": True, **first},
            "EW": {"pile": list(theirs), "last_trick": False},
        },
    }


def test_an_answer_says_why_each_item_counts_what_it_counts() -> None:
    theirs = "t19 t18 t16 beg KD FD AD QS CS FS FC CB AB 7C"
    answer = count(document(without(theirs), theirs.split()))["lines"]["NS"]
    lines = [one for one in answer["why"] if one["item"] == "sequence"]
    assert lines[0] == {
        "item": "sequence", "family": "great", "of": "pile", "cards": ["t20", "mat", "t17"],
        "stands_for": {"mat": "t19"}, "missing": ["t18"], "ends": "t16 missing", "points": 10, "doubled": True,
    }  # fmt: skip
    assert answer["items"]["sequences"] == 150
    assert answer["total"] == sum(answer["items"].values())


def test_an_unknown_card_makes_only_what_depends_on_it_unknown_and_is_named() -> None:
    mine, theirs = deal(11)
    lost = next(card for card in mine if worth(card) == 1 and card[0] in "6789T")
    answer = count(document([UNKNOWN if card == lost else card for card in mine], theirs))
    whole = count(document(mine, theirs))
    assert answer["lines"]["NS"]["missed"] == [lost]
    assert answer["doubtful"] == ["NS.scartini"]
    for item in ("cricche", "sequences", "last_trick", "accusi"):
        assert answer["lines"]["NS"]["items"][item] == whole["lines"]["NS"]["items"][item]
    assert answer["lines"]["NS"]["total"] is answer["diff"] is None
    assert answer["lines"]["EW"]["total"] == whole["lines"]["EW"]["total"]


def test_an_unknown_king_makes_cricche_unknown() -> None:
    theirs = "t19 t18 t16 beg KD FD AD QS CS FS FC CB AB 7C"
    mine = [UNKNOWN if card == "KC" else card for card in without(theirs)]
    assert {"NS.cricche", "NS.sequences", "NS.scartini"} <= set(count(document(mine, theirs.split()))["doubtful"])


def test_only_scartini_leaves_nothing_else() -> None:
    mine, theirs = deal(12)
    items = count(document(mine, theirs, only_scartini=True, accusi=[["KC", "KD", "KS"]]))["lines"]["NS"]["items"]
    assert items["scartini"] == card_points(mine)
    assert {items[name] for name in ("cricche", "sequences", "last_trick", "accusi")} == {0}


def test_each_accuso_and_each_pile_is_doubled_by_itself() -> None:
    mine, theirs = deal(13)
    one = ["KC", "KD", "KS", "QC", "QD", "QS", "CC", "CD", "CS"]
    plain = count(document(mine, theirs))["lines"]["NS"]["items"]
    shown = count(document(mine, theirs, accusi=[one, ["AC", "AD", "AS"]]))["lines"]["NS"]["items"]
    assert shown["accusi"] == 2 * (17 + 14 + 13) + 2 * (3 * 10) + 10
    assert {**shown, "accusi": 0} == {**plain, "accusi": 0}


def test_every_fault_of_a_document_is_named_at_once() -> None:
    mine, theirs = deal(14)
    wrong = document([*mine, mine[0], "ZZ"], theirs, accusi="kings", penalty=50)
    wrong["deal"]["EW"] |= {"colour": "red", "last_trick": True, "accusi": [["KD", "KS", "KB"], ["KD", "QD", "CD"]]}
    with pytest.raises(CountError) as told:
        count(wrong)
    parts = (f"{mine[0]} stands 2 times", "ZZ", "NS.accusi must be", "'colour'", "cannot be more than 0")
    between = ("both lines are said to have the last trick", "KD was shown in deal.EW.accusi[0]")
    cards = f"the piles hold {len(mine) + 2} and {len(theirs)} cards"
    assert [part for part in (*parts, *between, cards) if part not in str(told.value)] == []


def test_a_misspelt_card_and_a_wrong_word_cause_no_further_faults() -> None:
    mine, theirs = deal(14)
    wrong = document(["ZZ", *mine[1:]], theirs)
    wrong["deal"]["NS"]["last_trick"] = "yes"
    with pytest.raises(CountError) as told:
        count(wrong)
    assert str(told.value).count("; ") == 1
    assert "must be true, false or null, not 'yes'" in str(told.value)
    with pytest.raises(CountError, match=r"^deal\.NS\.pile must be a list of cards"):
        count({"deal": {**wrong["deal"], "NS": {"pile": 5, "last_trick": True}}})


def test_faults_between_the_lines() -> None:
    mine, theirs = deal(15)
    with pytest.raises(CountError, match=rf"{mine[0]} lies in both piles; the piles hold \d+ and \d+ cards, not 62"):
        count(document(mine, [*theirs, mine[0]]))
    both = document(mine, theirs)
    both["deal"]["EW"]["last_trick"] = True
    with pytest.raises(CountError, match="both lines are said to have the last trick"):
        count(both)
    with pytest.raises(CountError, match=f"not in them {mine[-1]}"):
        count(document(mine[:-1], theirs))


def test_an_accuso_of_cards_that_its_player_never_had() -> None:
    mine, theirs = deal(16)
    hand = list(PACK[:15])
    given = document(mine, theirs, accusi=[{"seat": "N", "cards": [*hand[:3], PACK[40]]}])
    given["deal"]["hands"] = {"N": hand}
    with pytest.raises(CountError, match=rf"accusi\[0\]: {PACK[40]} was not in the hand"):
        count(given)
    twice = document(mine, theirs, accusi=[["KC", "KD", "KS"]])
    twice["deal"]["EW"]["accusi"] = [["KD", "QD", "CD"]]
    with pytest.raises(CountError, match=r"KD was shown in deal\.NS"):
        count(twice)


def test_a_line_without_a_trick_holds_nothing() -> None:
    answer = count(document(PACK, ()))
    assert answer["lines"]["EW"]["total"] == 0
    assert MATTO in answer["lines"]["NS"]["why"][0]["cards"]


def result(*deals: tuple[int, int, Line]) -> Match:
    return Match("quattro-scartate", tuple(DealResult({Line.NS: ns, Line.EW: ew}, begato) for ns, ew, begato in deals))


def test_quattro_scartate_is_won_by_points_then_deals_then_begati_then_played_again() -> None:
    ns, ew = Line.NS, Line.EW
    assert result((100, 90, ew), (1, 2, ew), (5, 5, ew), (3, 3, ew)).result().winner is ns
    by_deals = result((10, 0, ew), (0, 4, ew), (0, 3, ew), (0, 3, ew))
    assert (by_deals.result().winner, by_deals.result().by) == (ew, "deals-won")
    by_begati = result((10, 0, ns), (0, 10, ns), (5, 0, ns), (0, 5, ew))
    assert (by_begati.result().winner, by_begati.result().by) == (ns, "begati")
    assert result((10, 0, ns), (0, 10, ew), (5, 0, ns), (0, 5, ew)).result().by == "new-match"


def test_ottocento_ends_at_800_by_a_call_or_by_a_wrong_one() -> None:
    ns, ew = Line.NS, Line.EW
    played = (DealResult({ns: 500, ew: 120}, ns), DealResult({ns: 310, ew: 700}, ew))
    assert Match("ottocento", played[:1]).is_over is False
    assert Match("ottocento", played).is_over
    assert Match("ottocento", played).result().winner is ew  # 820 to 810: the higher total
    wrong = Match("ottocento", played[:1], lost_by=ns)
    assert (wrong.result().winner, wrong.total(ns)) == (ew, 0)
    unknown = Match("ottocento", (DealResult({ns: None, ew: 10}),))
    assert (unknown.is_over, unknown.result().by) == (None, "unknown")


def _counted(**accusi: list[object]) -> dict[str, object]:
    cards = sorted(TAROCCO.copies)
    lines = {
        "NS": {"pile": [f"{card}#1" for card in cards[:30]], "last_trick": True, "accusi": accusi.get("NS", [])},
        "EW": {"pile": [f"{card}#2" for card in cards[30:]], "last_trick": False, "accusi": accusi.get("EW", [])},
    }
    return count({"rules": "tarocco", "deal": lines})


def test_copy_marks_are_read_and_the_same_physical_card_twice_is_named() -> None:
    assert _counted()["doubtful"] == []
    cards = sorted(TAROCCO.copies)
    with pytest.raises(CountError, match=f"{cards[0]} stands 2 times"):
        count({
            "rules": "tarocco",
            "deal": {
                "NS": {"pile": [cards[0], f"{cards[0]}#2"], "last_trick": True, "accusi": []},
                "EW": {"pile": cards[1:], "last_trick": False, "accusi": []},
            },
        })  # fmt: skip


def test_three_accusi_of_one_line_and_two_of_one_seat_are_named() -> None:
    kings, queens, knights = (["KC", "KD", "KS"], ["QC", "QD", "QS"], ["CC", "CD", "CS"])
    with pytest.raises(CountError, match="3 accusi of one line"):
        _counted(NS=[kings, queens, knights])
    with pytest.raises(CountError, match="2 accusi of N"):
        _counted(NS=[{"seat": "N", "cards": kings}, {"seat": "N", "cards": queens}])
