"""Prizes by the ranking: equals divide (norm 78.5), a cup is named for all of them, each group has its own."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from table_service.console.prizes import Prize, amount, prizes_of, shared_out
from table_service.console.rankings import Ranked
from table_service.console.ruling_forms import FormError
from tests.console.bridge_hall import evening


def ranked(*places: int, group: int = 0) -> list[Ranked]:
    return [Ranked(place, f"{group}-{n}", 1, 1, 1, 0, group=group) for n, place in enumerate(places)]


def test_equals_divide_the_prizes_of_their_places() -> None:
    """Norm 78.5: in case of equality the prizes are divided."""
    given = shared_out(ranked(1, 2, 2, 4), prizes_of("500\n300\n100,50\n40"))
    assert [(one.place, one.cents) for one in given] == [(1, 50_000), (2, 20_025), (2, 20_025), (4, 4_000)]


def test_what_cannot_be_divided_is_left_to_the_direction_and_who_has_no_place_gets_nothing() -> None:
    given = shared_out([*ranked(1, 1), *ranked(0)], prizes_of("Coppa\n100"))
    assert given == [
        Prize("0-0", 1, 0, 5_000, ("Coppa",), shared=True),
        Prize("0-1", 1, 0, 5_000, ("Coppa",), shared=True),
    ]
    assert not shared_out(ranked(1), prizes_of("Coppa"))[0].shared


def test_each_group_has_the_prizes() -> None:
    given = shared_out([*ranked(1, 2, group=1), *ranked(1, 2, group=2)], [1000])
    assert [(one.group, one.place, one.cents) for one in given] == [(1, 1, 1000), (2, 1, 1000)]


def test_never_more_is_given_than_there_is() -> None:
    chance = random.Random(5)
    for _ in range(2000):
        places, n = [], 1
        for _ in range(chance.randrange(1, 8)):
            equal = chance.choice((1, 1, 1, 2, 3))
            places += [n] * equal
            n += equal
        prizes = [chance.randrange(1, 100_000) for _ in range(chance.randrange(1, 9))]
        given = shared_out(ranked(*places), list(prizes))
        due = sum(prizes[: len(places)])
        assert due - len(places) < sum(one.cents for one in given) <= due


@pytest.mark.parametrize("text", ["", "\n \n", "x" * 61, "\n".join("1" for _ in range(61))])
def test_a_list_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(FormError) as refused:
        prizes_of(text)
    assert refused.value.word == "prizes_bad"


def test_amounts_are_written_as_the_reader_writes_them() -> None:
    assert (amount(50_000, comma=True), amount(9_950, comma=True), amount(9_950, comma=False)) == (
        "500",
        "99,50",
        "99.50",
    )


@pytest.mark.parametrize(("language", "head"), [("it", "Premio"), ("en", "Prize")])
async def test_the_list_is_printed_and_taken_away(make_house: Any, language: str, head: str) -> None:
    house = make_house()
    evening(house)
    assert 'id="prizes-pdf"' in await house.page(f"/standing?lang={language}")
    asked = f"prizes=500%0ACoppa&lang={language}"
    told = json.loads((await house.get(f"/reports/lists/prizes.json?{asked}")).content)
    assert set(told) == {"title", "about", "rows"}
    assert head in (await house.get(f"/reports/lists/prizes.csv?{asked}")).text
    assert (await house.get(f"/reports/lists/prizes.pdf?{asked}")).content.startswith(b"%PDF")
    assert (await house.get("/reports/lists/prizes.csv?prizes=")).status_code == 400
    assert (await house.get(f"/reports/lists/prizes.csv?{asked}", "spectator")).status_code == 403
