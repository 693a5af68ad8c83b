"""Two scorers that share no code agree item by item on random piles and accusi, and on the sources' examples."""

import random
from typing import Final

import pytest

from hw.cards import TAROCCO
from hw.seats import LINES, Line
from table_service.games.tarocco.rules.combinations import cricche, sequences
from table_service.games.tarocco.rules.score import LinePile, score_deal
from tests.games.tarocco.second_scorer import PACK, Side, criccone, differences, score, sequence_points

SOME: Final = 400
ALL: Final = 50_000
HIGH: Final = (*(f"t{number}" for number in range(5, 21)), "m1", "m2", "m3", "m4", "beg", "mat", "KC", "QC", "KB", "AD")
"""Cards of which an accuso drawn for a test holds more than chance would give."""


def piles(chance: random.Random) -> dict[Line, tuple[str, ...]]:
    """Both lines' piles: every card once, an even number to each; now and then one line has nearly all."""
    cards = sorted(PACK)
    chance.shuffle(cards)
    cut = 2 * chance.choice((chance.randint(0, 31), chance.randint(20, 31), chance.randint(0, 10)))
    return {Line.NS: tuple(cards[:cut]), Line.EW: tuple(cards[cut:])}


def accuso(chance: random.Random) -> tuple[str, ...]:
    """Cards of one hand, rich in trumps or not."""
    lots = sorted(PACK) + list(HIGH) * chance.choice((0, 1, 4))
    return tuple(dict.fromkeys(chance.choices(lots, k=chance.randint(3, 17))))


def compare(seed: int) -> list[str]:
    """The items in which the two scorers differ on the deal of ``seed``."""
    chance = random.Random(seed)
    cards = piles(chance)
    last = chance.choice(LINES)
    sides = {
        line: Side(
            cards[line],
            last is line,
            tuple(accuso(chance) for _ in range(chance.choice((0, 0, 1, 2)))),
            chance.random() < 0.1,
            -50 * (chance.random() < 0.1),
        )
        for line in LINES
    }
    lines = {
        line: LinePile(one.pile, one.last_trick, one.accusi, one.only_scartini, one.penalty)
        for line, one in sides.items()
    }
    found = score_deal(lines)
    return [f"{seed} {line} {text}" for line in LINES for text in differences(score(sides[line]), found[line].items)]


def test_both_know_the_same_pack() -> None:
    assert set(TAROCCO.copies) == PACK


def test_two_scorers_agree_on_random_deals() -> None:
    assert [text for seed in range(SOME) for text in compare(seed)] == []


@pytest.mark.sweep
@pytest.mark.timeout(3600)
def test_two_scorers_agree_on_fifty_thousand_random_deals() -> None:
    assert [text for seed in range(1_000_000, 1_000_000 + ALL) for text in compare(seed)] == []


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("t20 t19 t17 t16", 15),
        ("t20 mat t17 t16 t15 beg t13 t12", 35),
        ("t20 t19 t18 t17 mat beg t14", 25),
        ("KS QS beg AS", 15),
        ("KD QD CD FD AD mat", 25),
        ("AC AD AS AB beg mat", 25),
        ("t20 t19 beg mat t15 t14", 15),
    ],
)
def test_the_second_scorer_gives_the_sources_examples(cards: str, points: int) -> None:
    assert sequence_points(cards.split()) == points == sequences(cards.split()).points


def test_the_second_scorer_gives_the_examples_of_whole_piles() -> None:
    def without(cards: str) -> tuple[str, ...]:
        return tuple(sorted(PACK - set(cards.split())))

    pile = without("t19 t18 t16 beg KD FD AD QS CS FS FC CB AB")  # S8
    assert (criccone(pile), sequence_points(pile)) == (31, 150)
    pile = without("t19 t14 t12 t10 t9 t7 t5 beg")  # S7: the great sequence alone is 30
    great = next(one for one in sequences(pile).found if one.family == "great")
    assert great.points == 30
    assert sequence_points(pile) == sequences(pile).points
    assert criccone(pile) == cricche(pile).points


def test_a_scorer_that_forgets_a_card_is_found_out() -> None:
    sides = Side(("KC", "QC", "FC", "6D"), last_trick=True)
    told = score_deal({Line.NS: LinePile(("KC", "QC", "CC", "6D"), last_trick=True), Line.EW: LinePile()})
    assert differences(score(sides), told[Line.NS].items)
