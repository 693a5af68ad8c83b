"""The page away from the hall, in a real Chromium: installed, opened without the hall, nothing lost, sent by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from table_service.photographs.photograph_page import PhotographDesk
from table_service.photographs.serving_photographs import (
    ServedPage,
    ServingError,
    address_of,
    kept_in,
    serving_folder,
    serving_photographs,
)

Draw = Callable[..., np.ndarray]
browsed = [pytest.mark.slow]
NAMES = ("fibur2024", "bridge")


@pytest.fixture
def desk(tmp_path: Path) -> PhotographDesk:
    return PhotographDesk(NAMES, keep=kept_in(tmp_path / "kept"))


@pytest.fixture
def served(desk: PhotographDesk) -> Iterator[ServedPage]:
    with serving_photographs(desk, "127.0.0.1", 0) as page:
        yield page


@pytest.fixture
def phone(served: ServedPage, browser: Any) -> Iterator[Any]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce", locale="it-IT"
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(served.url)
    yield page
    context.close()


@pytest.fixture
def melds(tmp_path: Path, drawn: Draw) -> Path:
    path = tmp_path / "ns.jpg"
    cv2.imwrite(str(path), drawn([["4H", "5H", "6H"]]))
    return path


def _is_kept_for_later(page: Any) -> None:
    """Wait until the service worker has all that the page consists of, the other rule sets' pages too."""
    _until(page, f"(await (await caches.open('tavolo-photographs-1')).keys()).length >= {1 + len(NAMES) + 5}")


def _until(page: Any, condition: str) -> None:
    """Wait until an asynchronous condition holds; what Playwright waits for takes a promise for true."""
    page.evaluate(f"async () => {{ while (!({condition})) {{ await new Promise((done) => setTimeout(done, 50)); }} }}")


def _confirm(page: Any, who: str = "Anna") -> None:
    page.fill('input[name="who"]', who)
    for line in ("NS", "EW"):
        page.check(f'#keep input[name="{line}"]')
    page.click("#keep button")


def _deals(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("deal-*.json"))]


class TestInstalled:
    pytestmark = browsed

    def test_the_page_can_be_installed(self, phone: Any, served: ServedPage) -> None:
        address = phone.evaluate("document.querySelector('link[rel=manifest]').href")
        manifest = httpx.get(address).json()
        assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "./", "./")
        icon = httpx.get(served.url + manifest["icons"][0]["src"])
        assert icon.headers["content-type"].startswith("image/svg+xml")
        scope = phone.evaluate("navigator.serviceWorker.ready.then((worker) => worker.scope)")
        assert scope == served.url

    def test_without_the_hall_the_page_opens_in_every_rule_set(self, phone: Any, served: ServedPage) -> None:
        _is_kept_for_later(phone)
        phone.context.set_offline(True)
        phone.goto(f"{served.url}?rules=bridge")
        assert phone.locator('input[data-shows="hand-N"]').count() == 1
        phone.goto(f"{served.url}?rules=fibur2024&table=T3&deal=2")
        assert phone.locator('input[data-shows="melds-NS"]').count() == 1
        phone.wait_for_selector('#state:has-text("La sala non risponde")')
        phone.context.set_offline(False)


class TestNothingIsLost:
    pytestmark = browsed

    def test_a_picture_taken_without_the_hall_is_read_once_it_answers(self, phone: Any, melds: Path) -> None:
        """The page is closed and opened again in between, as a phone does that needs its memory for the camera."""
        _is_kept_for_later(phone)
        phone.context.set_offline(True)
        phone.set_input_files('input[data-shows="melds-NS"]', str(melds))
        phone.wait_for_selector('#state:has-text("parte da solo")')
        assert phone.locator(".shot canvas").count() == 1
        phone.reload()
        phone.wait_for_selector(".shot canvas")
        assert phone.locator(".group button.card").count() == 0
        phone.context.set_offline(False)
        phone.wait_for_selector(".group button.card")
        assert phone.locator(".group button.card").all_inner_texts() == ["4♥", "5♥", "6♥"]

    def test_what_was_mended_and_typed_is_there_after_the_page_was_closed(self, phone: Any, melds: Path) -> None:
        phone.set_input_files('input[data-shows="melds-NS"]', str(melds))
        phone.locator(".group button.card").first.tap()
        phone.locator("#faces").get_by_role("button", name="7 Cuori").tap()
        phone.select_option('select[name="closed"]', "EW")
        phone.fill('input[name="who"]', "Bea")
        phone.wait_for_selector('.group button.card:text-is("7♥")')
        phone.locator("#new").focus()
        _until(
            phone, "(await (await import('./static/stored-deals.js')).stored()).some((deal) => deal.sign.who === 'Bea')"
        )
        phone.reload()
        phone.wait_for_selector('.group button.card:text-is("7♥")')
        assert phone.input_value('select[name="closed"]') == "EW"
        assert phone.input_value('input[name="who"]') == "Bea"

    def test_deals_confirmed_without_the_hall_go_by_themselves_and_once(
        self, phone: Any, melds: Path, tmp_path: Path
    ) -> None:
        """Two deals queue while the hall is away; the second is begun before the first one has gone."""
        _is_kept_for_later(phone)
        for who in ("Anna", "Bea"):
            phone.set_input_files('input[data-shows="melds-NS"]', str(melds))
            phone.wait_for_selector(".group button.card")
            phone.context.set_offline(True)
            _confirm(phone, who)
            phone.wait_for_selector('#state:has-text("confermata resta su questo telefono")')
            if who == "Anna":
                phone.click("#new")
                phone.wait_for_selector('#deals li:has-text("parte da sola")')
                phone.context.set_offline(False)
                phone.wait_for_selector("#waiting", state="hidden")
                assert [deal["who"] for deal in _deals(tmp_path / "kept")] == ["Anna"]
        phone.context.set_offline(False)
        phone.wait_for_selector('#state:text-is("Conservato.")')
        kept = _deals(tmp_path / "kept")
        assert [deal["who"] for deal in kept] == ["Anna", "Bea"]
        assert len({deal["entry"] for deal in kept}) == 2
        assert all(list(deal["taken"]) == deal["pictures"] for deal in kept)

    def test_a_deal_whose_pictures_were_not_read_yet_is_not_confirmed(self, phone: Any, melds: Path) -> None:
        _is_kept_for_later(phone)
        phone.context.set_offline(True)
        phone.set_input_files('input[data-shows="melds-NS"]', str(melds))
        phone.wait_for_selector(".shot canvas")
        _confirm(phone)
        phone.wait_for_selector('#state:has-text("non sono ancora lette")')
        phone.context.set_offline(False)

    def test_a_laptop_that_was_started_again_gets_the_pictures_with_the_deal(
        self, browser: Any, melds: Path, tmp_path: Path
    ) -> None:
        """Between the reading and the keeping: the pictures were held in memory only."""
        folder = tmp_path / "evening"
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale="it-IT")
        page = context.new_page()
        page.set_default_timeout(60_000)
        with serving_photographs(PhotographDesk(NAMES, keep=kept_in(folder)), "127.0.0.1", 0) as first:
            page.goto(first.url)
            page.set_input_files('input[data-shows="melds-NS"]', str(melds))
            page.wait_for_selector(".group button.card")
        again = PhotographDesk(NAMES, keep=kept_in(folder))
        with serving_photographs(again, "127.0.0.1", first.port, first.key):
            _confirm(page)
            page.wait_for_selector('#state:text-is("Conservato.")')
        (deal,) = _deals(folder)
        assert len(deal["pictures"]) == 1
        assert (folder / f"{deal['pictures'][0]}.jpg").exists()
        context.close()


def test_a_deal_sent_twice_is_kept_once_and_one_without_its_pictures_is_refused(
    served: ServedPage, tmp_path: Path
) -> None:
    deal = {"id": "0123456789abcdef01234567", "rules": "fibur2024", "groups": [], "facts": {}, "who": "Anna"}
    for who in ("Anna", "Bea"):
        assert httpx.post(f"{served.url}keep", json={**deal, "who": who}, timeout=60).json() == {"kept": True}
    assert [one["who"] for one in _deals(tmp_path / "kept")] == ["Bea"]
    answer = httpx.post(f"{served.url}keep", json={**deal, "pictures": ["f" * 64]}, timeout=60)
    assert (answer.status_code, answer.json()["lacking"]) == (409, ["f" * 64])
    assert [one["pictures"] for one in _deals(tmp_path / "kept")] == [[]]


def test_the_page_of_a_folder_has_the_same_address_the_next_evening(desk: PhotographDesk, tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    with serving_folder(desk, "127.0.0.1", 0, folder) as page:
        assert httpx.get(page.url).status_code == 200
    assert address_of(folder) == (page.key, page.port)
    with serving_folder(desk, "127.0.0.1", 0, folder) as again:
        assert again.url == page.url
        with serving_folder(desk, "127.0.0.1", 0, folder) as beside:  # its port is taken
            assert (beside.key, beside.port == page.port) == (page.key, False)
    (folder / "page.json").write_text("{")
    with pytest.raises(ServingError, match="delete it for a new address"):
        address_of(folder)


def test_a_certificate_that_is_none_is_said_in_a_sentence(desk: PhotographDesk, tmp_path: Path) -> None:
    (tmp_path / "c.pem").write_text("no certificate")
    with (
        pytest.raises(ServingError, match="certificate and key cannot be used"),
        serving_photographs(desk, "127.0.0.1", 0, tls=(tmp_path / "c.pem", tmp_path / "c.pem")),
    ):
        pass
