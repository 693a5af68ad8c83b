"""Melds by article: fibur2024, arts. 1 and 10 to 13, and the worked examples of art. 10."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.cards import BURRACO, face
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
from table_service.games.burraco.rules.meld import describe, discard_order, points, reading_of, readings, why_not


def best(text: str) -> dict[str, object]:
    return describe(FIBUR2024, text.split())


def shape(text: str) -> tuple[object, ...]:
    answer = best(text)
    return answer["valid"], answer["kind"], answer["burraco"], answer["bonus"], answer["points"]


def test_art01_values_of_the_cards() -> None:
    assert (
        points(FIBUR2024, ["JK", "2H", "AH", "KH", "QH", "JH", "TH", "9H", "8H", "7H", "6H", "5H", "4H", "3H"])
        == 30 + 20 + 15 + 60 + 25
    )
    assert points(FIBUR2024, ["7H", "??"]) is None


def test_interfaces_the_example_of_the_command_meld() -> None:
    assert shape("2C 3H 4H 5H 6H 7H 8H 9H") == (True, "run", "semi-clean", 150, 65)


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("AD AH AS", "set"),
        ("2H QH QC", "set"),
        ("JK QH QC", "set"),
        ("4C 5C 6C", "run"),
        ("2H JD QD", "run"),
        ("AH 2H 3H", "run"),
        ("QH KH AH", "run"),
        ("2H 3H 4H", "run"),
        ("AH 2H JK", "run"),
        ("6C 4C 5C", "run"),
        ("5C JK 7C", "run"),
        ("KH KH KD KD KC KC KS KS JK", "set"),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS JK", "run"),
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2D", "run"),
    ],
)
def test_art11_art12_valid_melds(cards: str, kind: str) -> None:
    answer = best(cards)
    assert (answer["valid"], answer["kind"]) == (True, kind)


@pytest.mark.parametrize(
    "cards",
    [
        "4C 5C",
        "4C 5C 7C",
        "KH AH 2D 3H",
        "2H 2D 2C",
        "JK JK JK",
        "JK 2D 2H",
        "KH KD JK 2S",
        "4C 5D 6C",
        "KD KD KD",
        "4C 4C 5C",
        "4C 5C JK 2D",
        "QH KH AH 2H 3H",
        "KH KH KD KD KC KC KS KS JK JK",
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS JK",
    ],
)
def test_art11_art12_no_melds(cards: str) -> None:
    answer = best(cards)
    assert answer["valid"] is False
    assert answer["bonus"] == 0
    assert isinstance(answer["reason"], str)


@pytest.mark.parametrize(
    ("cards", "burraco"),
    [
        ("3H 4H 5H 6H 7H 8H", "none"),
        ("3H 4H 5H 6H 7H 8H 9H", "clean"),
        ("2H 3H 4H 5H 6H 7H 8H", "clean"),
        ("AH 2H 3H 4H 5H 6H 7H", "clean"),
        ("8H 9H TH JH QH KH AH", "clean"),
        ("JK 3H 4H 5H 6H 7H 8H", "dirty"),
        ("JK 3H 4H 5H 6H 7H 8H 9H", "semi-clean"),
        ("3H 4H 5H 6H 7H 8H 9H JK JH", "semi-clean"),
        ("3H 4H JK 6H 7H 8H 9H TH JH QH", "semi-clean"),
        ("3H 4H 5H JK 7H 8H 9H TH JH", "dirty"),
        ("AH 2H JK 4H 5H 6H 7H", "dirty"),
        ("KH KH KD KD KC KC KS", "clean"),
        ("KH KH KD KD KC KC JK", "dirty"),
        ("KH KH KD KD KC KC KS JK", "semi-clean"),
        ("KH KH KD KD KC KC KS KS 2H", "semi-clean"),
    ],
)
def test_art13_class_of_burraco(cards: str, burraco: str) -> None:
    answer = best(cards)
    assert answer["valid"] is True
    assert answer["burraco"] == burraco
    assert answer["bonus"] == {"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200}[burraco]


def test_art10_example_1_the_two_moved_above_stands_for_the_seven() -> None:
    only = readings(FIBUR2024, ["3S", "4S", "5S", "6S", "2S", "8S"])
    assert [(one.wild, one.stands_for) for one in only] == [("2S", "7S")]


@pytest.mark.parametrize("turned", [False, True])
def test_art10_a_two_laid_for_the_king_stays_there_though_it_could_be_the_natural_two(turned: bool) -> None:
    lies = ["3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "2H", "AH"]
    reading = reading_of(FIBUR2024, lies[::-1] if turned else lies)
    assert reading is not None
    assert (reading.wild, reading.stands_for, reading.burraco) == ("2H", "KH", "semi-clean")


@pytest.mark.parametrize("row", ["AH 2H 3H 4H 5H 6H 7H 8H", "2H 3H 4H 5H 6H 7H 8H AH", "3H 4H 5H 6H 7H 8H 9H 2H"])
def test_art11_a_two_that_stands_for_no_missing_card_is_the_natural_one_in_any_order(row: str) -> None:
    reading = reading_of(FIBUR2024, row.split())
    assert reading is not None
    assert (reading.wild, reading.burraco) == (None, "clean")


def test_art10_example_2_natural_two_and_a_joker() -> None:
    reading = reading_of(FIBUR2024, ["2S", "3S", "4S", "5S", "6S", "JK", "8S"])
    assert reading is not None
    assert (reading.wild, reading.stands_for, reading.cards[0]) == ("JK", "7S", "2S")


def test_art10_example_3_two_pinelle_in_disorder() -> None:
    reading = reading_of(FIBUR2024, ["2D", "2S", "3D"])
    assert reading is not None
    assert reading.wild == "2S"


def test_art10_a_free_wild_lies_low() -> None:
    first = readings(FIBUR2024, ["7H", "8H", "9H", "JK"])[0]
    assert (first.cards, first.stands_for) == (("JK", "7H", "8H", "9H"), "6H")


def test_art10_a_wild_laid_on_top_stands_for_the_card_above() -> None:
    reading = reading_of(FIBUR2024, ["7H", "8H", "9H", "JK"])
    assert reading is not None
    assert reading.stands_for == "TH"


def test_every_reading_of_a_two_below_the_three_is_kept() -> None:
    found = readings(FIBUR2024, ["2H", "3H", "4H"])
    assert {(one.wild, one.stands_for) for one in found} == {(None, None), ("2H", "2H"), ("2H", "5H")}
    assert found[0].wild is None


def test_an_unknown_card_leaves_a_meld_undecided() -> None:
    assert readings(FIBUR2024, ["7H", "8H", "??"]) == ()
    assert why_not(FIBUR2024, ["7H", "8H", "??"]) == "a card is unknown"


def test_copy_marks_change_nothing() -> None:
    assert shape("7H#1 8H#2 9H#1") == shape("7H 8H 9H")


def test_definition_penalised_cards_are_discarded_from_high_to_low_then_by_suit() -> None:
    order = ("JK", "2C", "AD", "KH", "9H", "8S", "3S", "??")
    assert discard_order(FIBUR2024, sorted(order)) == order


@given(st.lists(st.sampled_from(BURRACO.cards()), min_size=0, max_size=16, unique=True), st.randoms())
def test_readings_use_every_card_once_and_do_not_depend_on_order(cards: list[str], chance: object) -> None:
    found = readings(FIBUR2024, cards)
    shuffled = list(cards)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert readings(FIBUR2024, shuffled) == found
    for reading in found:
        assert sorted(reading.cards) == sorted(map(face, cards))
        assert (reading.wild is None) == (reading.stands_for is None)
        assert sum(FIBUR2024.is_wild(card) for card in reading.cards) <= 2
        if reading.kind == "run":
            low = reading.places[0]
            assert reading.places == tuple(range(low, low + len(cards)))


@given(st.data())
def test_art11_any_run_with_or_without_a_wild_is_read_again(data: st.DataObject) -> None:
    suit = data.draw(st.sampled_from("HDCS"))
    low = data.draw(st.integers(1, 12))
    high = data.draw(st.integers(low + 2, 14))
    ranks = "A23456789TJQKA"
    cards = [ranks[place - 1] + suit for place in range(low, high + 1)]
    if len(cards) == 14:
        cards.pop()
    if data.draw(st.booleans()):
        cards[data.draw(st.integers(0, len(cards) - 1))] = "JK"
    answer = describe(FIBUR2024, data.draw(st.permutations(cards)))
    assert answer["valid"] is True
