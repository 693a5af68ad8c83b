"""Four hands by photograph in a real Chromium at a phone's size: all in one picture, a card mended, a record saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest

from table_service.games.bridge.pages.deal_order import pbn_hand
from table_service.photographs.photograph_page import PhotographDesk
from table_service.photographs.serving_photographs import ServedPage, serving_photographs

pytestmark = pytest.mark.slow
Spread = Callable[[Mapping[str, Sequence[str]]], np.ndarray]
PACK: Final = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]


@pytest.fixture
def served() -> Iterator[ServedPage]:
    with serving_photographs(PhotographDesk(("bridge",)), "127.0.0.1", 0) as page:
        yield page


@pytest.fixture
def phone(served: ServedPage, browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale="it-IT")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(served.url)
    yield page
    context.close()


def _dealt(seed: int) -> dict[str, list[str]]:
    order = np.random.default_rng(seed).permutation(len(PACK))
    return {seat: [PACK[n] for n in sorted(order[k::4])] for k, seat in enumerate("NESW")}


def test_four_hands_in_one_picture_are_mended_and_saved_as_a_record(phone: Any, tmp_path: Path, spread: Spread) -> None:
    hands = _dealt(11)
    path = tmp_path / "table.jpg"
    cv2.imwrite(str(path), spread(hands))
    phone.set_input_files('input[data-shows="table"]', str(path))
    phone.wait_for_selector('.group select option:checked[value="hand-W"]', state="attached")
    deal = "N:" + " ".join(pbn_hand(hands[seat]) for seat in "NESW")
    phone.wait_for_selector(f'#pbn:has-text("{deal}")')

    first = {
        seat: phone.locator(f'.group:has(select option:checked[value="hand-{seat}"]) button.card').first
        for seat in "NS"
    }
    theirs, own = (first[seat].get_attribute("aria-label") for seat in "NS")
    first["S"].tap()
    phone.locator("#faces").get_by_role("button", name=theirs, exact=True).tap()
    phone.wait_for_selector("#pbn", state="hidden")
    first["S"].tap()
    phone.locator("#faces").get_by_role("button", name=own, exact=True).tap()
    phone.wait_for_selector(f'#pbn:has-text("{deal}")')

    phone.fill('input[name="board"]', "3")
    phone.press('input[name="board"]', "Tab")
    phone.wait_for_selector('#pbn:has-text("[Board \\"3\\"]")')
    with phone.expect_download() as saved:
        phone.get_by_role("link", name="Salva come PBN").tap()
    assert saved.value.suggested_filename == "board-3.pbn"
    text = Path(saved.value.path()).read_text()
    assert f'[Deal "{deal}"]' in text
    assert '[Board "3"]' in text


def test_all_cards_to_pick_from_are_on_a_phones_screen_at_once(phone: Any, tmp_path: Path, spread: Spread) -> None:
    path = tmp_path / "north.jpg"
    cv2.imwrite(str(path), spread({"S": _dealt(12)["S"]}))
    phone.set_input_files('input[data-shows="hand-N"]', str(path))
    phone.locator(".group button.card").first.tap()
    phone.wait_for_selector("dialog[open]")
    places = phone.evaluate(
        "Array.from(document.querySelectorAll('dialog button'), (one) => one.getBoundingClientRect().toJSON())"
    )
    assert len(places) > len(PACK)
    for one in places:
        assert 0 <= one["left"] < one["right"] <= 390
        assert 0 <= one["top"] < one["bottom"] <= 844
        assert one["height"] >= 44
        assert one["width"] >= 44
