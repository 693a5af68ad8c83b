"""A table of tarocco in the hall's console: its cards are those of our own tarocco, named for who cannot see them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tarocco.table_of_tarocco import N, hands_with, opening, told, trick

HANDS = hands_with({N: "KC t18"})


@pytest.mark.parametrize("lang", ["it", "en"])
async def test_the_page_names_the_cards_and_draws_them_of_its_own_pack(make_house: Any, lang: str) -> None:
    house = make_house().hear()
    state = told([*opening(HANDS), *trick("KC")]).fold.state()
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**state, "table": "T8"})
    page = (await house.get(f"/table/T8?lang={lang}")).text
    assert ("Re di coppe" if lang == "it" else "King of cups") in page
    assert "/cards/tarocco/KC.svg" in page
    assert "/cards/KC.svg" not in page
    assert (await house.get("/cards/tarocco/KC.svg")).text != (await house.get("/cards/KC.svg")).text
    for wrong in ("/cards/tarocco/7H.svg", "/cards/minchiate/KC.svg"):
        assert (await house.get(wrong)).status_code == 404
