"""The rules of each code agree with a second reading of its text, on random melds and random deals."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, Final

import pytest

from table_service.games.burraco.codes import EDITIONS
from table_service.games.burraco.rules.meld import readings
from table_service.games.burraco.rules.options import chosen
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.games.burraco.rules.score import count
from tests.games.burraco.rules import second_reading
from tests.games.burraco.rules.second_reading import ORDER, Text, best, total

CODES: Final[dict[str, tuple[RuleBook, Text]]] = {
    "fibur2024": (EDITIONS["fibur2024"].book, second_reading.FIBUR2024),
    "feburit": (EDITIONS["feburit"].book, second_reading.FEBURIT),
    "feburit, inner wilds dirty": (
        chosen(EDITIONS["feburit"].book, {"inner_wild": "dirty"}),
        replace(second_reading.FEBURIT, inner="dirty"),
    ),
    "online": (EDITIONS["online"].book, second_reading.ONLINE),
    "online, two aces": (
        chosen(EDITIONS["online"].book, {"target": 1000, "two_aces_in_run": "true"}),
        replace(second_reading.ONLINE, two_aces=True),
    ),
}
BY_CODE: Final = pytest.mark.parametrize("name", CODES)
SUITS: Final = "HDCS"


def pack() -> list[str]:
    return [f"{rank}{suit}" for rank in ORDER for suit in SUITS for _ in range(2)] + ["JK"] * 4


def near_meld(rng: random.Random) -> tuple[str, ...]:
    """Cards that often are a meld, and else are one but for a card or two."""
    if rng.random() < 0.4:
        rank = rng.choice(ORDER)
        cards = [f"{rank}{rng.choice(SUITS)}" for _ in range(rng.randint(2, 9))]
    else:
        suit, length = rng.choice(SUITS), rng.randint(2, 13)
        first = rng.randint(0, 14 - length)
        cards = [f"{(ORDER + 'A')[place]}{suit}" for place in range(first, first + length)]
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        if cards and rng.random() < 0.5:
            cards.pop(rng.randrange(len(cards)))
        else:
            cards.append(rng.choice(pack()))
    if rng.random() < 0.5:
        cards.append(rng.choice(("JK", f"2{rng.choice(SUITS)}")))
    rng.shuffle(cards)
    return tuple(cards)


def compare_melds(name: str, seed: int, number: int) -> tuple[int, set[str]]:
    """How many of ``number`` random melds were melds, and which classes there were; fails where the two differ."""
    book, text = CODES[name]
    rng = random.Random(f"{name}/{seed}")
    valid, classes = 0, set()
    for _ in range(number):
        cards = near_meld(rng)
        ours, theirs = readings(book, cards), best(text, cards)
        read = None if not ours else (ours[0].kind, ours[0].burraco, ours[0].bonus)
        assert read == theirs, cards
        valid += theirs is not None
        classes |= {theirs[1]} if theirs else set()
    return valid, classes


def deal_of(rng: random.Random, text: Text) -> dict[str, Any]:
    melds = [cards for cards in (near_meld(rng) for _ in range(24)) if best(text, cards)]
    closer = rng.choice(("NS", "EW", ""))

    def line(name: str, own: list[tuple[str, ...]]) -> dict[str, Any]:
        return {
            "melds": [list(cards) for cards in own],
            "hands": [rng.sample(pack(), rng.randint(0, 6)) for _ in range(2)],
            "pot": rng.choice(("taken", "not-taken", "taken-unplayed")),
            "pot_cards": rng.sample(pack(), 11),
            "closed": name == closer,
            "bonus": rng.choice((0, 0, 150)),
            "penalised": rng.sample(pack(), rng.choice((0, 0, 2))),
        }

    return {"NS": line("NS", melds[::2]), "EW": line("EW", melds[1::2])}


def compare_deals(name: str, seed: int, number: int) -> None:
    book, text = CODES[name]
    rng = random.Random(f"{name}/{seed}")
    for _ in range(number):
        deal = deal_of(rng, text)
        for one in deal.values():
            if one["pot"] != "taken-unplayed":
                one["pot_cards"] = []
        answer = count(book, {"rules": book.name, "deal": deal})
        assert {line: answer["lines"][line]["total"] for line in deal} == {
            line: total(text, deal, line) for line in deal
        }


@BY_CODE
def test_three_thousand_melds_read_alike(name: str) -> None:
    valid, classes = compare_melds(name, 1, 3_000)
    assert valid > 1_200
    assert {"none", "dirty", "semi-clean", "clean"} <= classes


@BY_CODE
def test_two_hundred_deals_count_alike(name: str) -> None:
    compare_deals(name, 2, 200)


@pytest.mark.sweep
@BY_CODE
def test_twenty_thousand_melds_read_alike(name: str) -> None:
    valid, classes = compare_melds(name, 3, 20_000)
    assert valid > 8_000
    assert classes == set(CODES[name][1].worth)


@pytest.mark.sweep
@BY_CODE
def test_two_thousand_deals_count_alike(name: str) -> None:
    compare_deals(name, 4, 2_000)
