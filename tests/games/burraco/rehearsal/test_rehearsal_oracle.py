"""The rehearsal's own rules and the game's agree, though they share no code."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.cards import BURRACO, face
from hw.seats import LINES, Line
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
from table_service.games.burraco.rehearsal.oracle import OracleMeld, Side, extend, is_wild, items, meld, points
from table_service.games.burraco.rules.meld import reading_of, readings
from table_service.games.burraco.rules.score import LineCards, PotState, score_deal
from table_service.rehearsal.rehearse import script_for

PACK = BURRACO.cards()


def near_meld(rng: random.Random) -> tuple[str, ...]:
    """Cards that are a meld or nearly one: of a rank or of a suit's neighbours, with up to two wilds."""
    wilds = rng.sample([card for card in PACK if is_wild(card)], rng.choice([0, 0, 1, 1, 2]))
    if rng.random() < 0.4:
        letter = rng.choice("A3456789TJQK")
        alike = [card for card in PACK if card[0] == letter]
        cards = rng.sample(alike, rng.randint(1, 8))
    else:
        letter = rng.choice("HDCS")
        ranks = "A23456789TJQKA"
        start = rng.randint(0, 12)
        wanted = {rank + letter for rank in ranks[start : start + rng.randint(2, 14)]}
        if len(wanted) > 3 and rng.random() < 0.5:
            wanted.discard(rng.choice(sorted(wanted)))
        cards = [card for card in PACK if card.endswith("#1") and face(card) in wanted]
        if rng.random() < 0.1:
            cards.append(rng.choice(PACK))
    return tuple(dict.fromkeys([*cards, *wilds]))


@given(st.randoms(use_true_random=False))
@settings(max_examples=600)
def test_a_meld_is_one_for_both_and_has_the_same_class(rng: random.Random) -> None:
    cards = near_meld(rng)
    ours, theirs = meld(cards), readings(FIBUR2024, cards)
    assert (ours is not None) == bool(theirs), cards
    if ours is not None:
        assert sorted(ours.cards) == sorted(cards)
        assert ours.burraco == theirs[0].burraco, (cards, ours, theirs)


@given(st.randoms(use_true_random=False))
@settings(max_examples=400)
def test_an_extended_meld_is_one_for_both(rng: random.Random) -> None:
    lying = meld(near_meld(rng))
    if lying is None:
        return
    free = [card for card in PACK if card not in lying.cards]
    for card in rng.sample(free, 30):
        longer = extend(lying, (card,), lift_two=True)
        if longer is not None:
            assert sorted(longer.cards) == sorted((*lying.cards, card))
            assert readings(FIBUR2024, longer.cards), longer


def test_an_inner_wild_stays_until_its_card_comes() -> None:
    lying = meld(("5S#1", "6S#1", "JK#1", "8S#1"))
    assert lying is not None
    assert lying.cards == ("5S#1", "6S#1", "JK#1", "8S#1")
    assert extend(lying, ("TS#1",)) is None
    freed = extend(lying, ("7S#1",))
    assert freed is not None
    assert freed.cards == ("JK#1", "5S#1", "6S#1", "7S#1", "8S#1")
    moved = extend(freed, ("TS#1",))
    assert moved is not None
    assert moved.cards == ("5S#1", "6S#1", "7S#1", "8S#1", "JK#1", "TS#1")


def test_art10_a_two_laid_for_the_king_stays_there_for_both() -> None:
    lying = meld(("4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "2H", "AH"))
    assert lying is not None
    longer = extend(lying, ("3H",))
    assert longer is not None
    assert longer.burraco == "semi-clean"
    reading = reading_of(FIBUR2024, longer.cards)
    assert reading is not None
    assert (reading.burraco, reading.stands_for) == ("semi-clean", "KH")


def test_a_two_in_its_own_place_may_move_up_once() -> None:
    lying = meld(("2S#1", "3S#1", "4S#1", "5S#1", "6S#1"))
    assert lying is not None
    assert lying.wild is None
    assert extend(lying, ("8S#1",)) is None
    moved = extend(lying, ("8S#1",), lift_two=True)
    assert moved is not None
    assert moved.cards == ("3S#1", "4S#1", "5S#1", "6S#1", "2S#1", "8S#1")


@pytest.mark.parametrize(
    ("cards", "burraco"),
    [
        ("3H 4H 5H 6H 7H 8H 9H", "clean"),
        ("2H 3H 4H 5H 6H 7H 8H", "clean"),
        ("JK 4H 5H 6H 7H 8H 9H", "dirty"),
        ("JK 3H 4H 5H 6H 7H 8H 9H", "semi-clean"),
        ("9H 9H 9D 9D 9C 9C 2S", "dirty"),
        ("9H 9H 9D 9D 9C 9C 9S 2S", "semi-clean"),
        ("9H 9H 9D 9D 9C 9C 9S", "clean"),
        ("3H 4H 5H", "none"),
    ],
)
def test_classes_of_burraco_follow_article_13(cards: str, burraco: str) -> None:
    found = meld([f"{card}#{n}" for n, card in enumerate(cards.split(), start=1)])
    assert found is not None
    assert found.burraco == burraco


def pot_state(side: Side) -> PotState:
    if side.unplayed:
        return "taken-unplayed"
    return "taken" if side.took_pot else "not-taken"


def game_items(sides: dict[Line, Side]) -> dict[Line, dict[str, int | None]]:
    lines = {
        line: LineCards(
            melds=tuple(each.cards for each in side.melds),
            hands=(side.hand,),
            pot=pot_state(side),
            pot_cards=side.unplayed,
            closed=side.closed,
            bonus=side.bonus,
            penalised=side.penalised,
        )
        for line, side in sides.items()
    }
    return {line: dict(scored.items) for line, scored in score_deal(FIBUR2024, lines).items()}


def melds_of(rng: random.Random) -> tuple[OracleMeld, ...]:
    found = [meld(near_meld(rng)) for _ in range(4)]
    return tuple(each for each in found if each is not None)


@given(st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_both_count_any_deal_alike(rng: random.Random) -> None:
    closer = rng.choice([None, *LINES])
    sides = {
        line: Side(
            melds=melds_of(rng),
            hand=tuple(rng.sample(PACK, rng.randint(0, 12))),
            took_pot=took,
            unplayed=tuple(rng.sample(PACK, 11)) if took and rng.random() < 0.3 else (),
            closed=line is closer,
            penalised=tuple(rng.sample(PACK, rng.choice([0, 0, 2]))),
            bonus=rng.choice([0, 0, 100]),
        )
        for line in LINES
        for took in [rng.random() < 0.6]
    }
    ours = {line: items(sides[line], sides[line.other].took_pot) for line in LINES}
    assert ours == game_items(sides)


@pytest.mark.parametrize("seed", range(20))
def test_a_rehearsed_deal_counts_the_same_by_the_game(seed: int) -> None:
    script = script_for(seed)
    truth = script.ends[0].items
    rows: dict[Line, dict[int, tuple[str, ...]]] = {line: {} for line in LINES}
    for cue in script.cues:
        for action in cue.actions:
            if action.meld is not None:
                rows[action.seat.line][action.meld] = action.row
    for line in LINES:
        assert truth[line]["melds"] == sum(points(row) for row in rows[line].values())
        bonus = sum(readings(FIBUR2024, row)[0].bonus for row in rows[line].values())
        assert truth[line]["burraco"] == bonus


@pytest.mark.parametrize("row", ["A 2 3 4 5 6 w 8 9 T J Q K", "2 3 4 5 6 w 8 9 T J Q K A"])
def test_art11_the_ace_of_a_whole_run_stands_where_it_serves_better(row: str) -> None:
    cards = tuple("JK#1" if rank == "w" else f"{rank}D#1" for rank in row.split())
    ours = meld(cards)
    game = reading_of(FIBUR2024, cards)
    assert ours is not None
    assert game is not None
    assert ours.burraco == game.burraco == "semi-clean"
