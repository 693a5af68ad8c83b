"""The page of photographs in a real Chromium at a phone's size: taken, read, mended by touch and by keyboard, kept."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from table_service.photographs.photograph_page import PhotographDesk
from table_service.photographs.serving_photographs import ServedPage, kept_in, serving_photographs
from vision import pictures

Draw = Callable[..., np.ndarray]
PHONE = {"width": 390, "height": 844}
BOMB = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (9000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0" + bytes(60) + b"IEND"
"""The head of a picture of 81 million pixels."""
NAMES = ("fibur2024", "bridge", "tarocco")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedPage]:
    desk = PhotographDesk(NAMES, keep=kept_in(tmp_path / "kept"))
    with serving_photographs(desk, "127.0.0.1", 0) as page:
        yield page


@pytest.fixture
def phone(served: ServedPage, browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce", locale="it-IT")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(served.url)
    yield page
    context.close()


def _photo(path: Path, picture: np.ndarray) -> Path:
    """A JPEG with the place where it was taken written beside it, as a phone does."""
    data = bytes(cv2.imencode(".jpg", picture)[1])
    place = b"Exif\0\0" + b"MM\0*\0\0\0\x08" + b"GPSLatitude 44.4949"
    path.write_bytes(data[:2] + b"\xff\xe1" + (len(place) + 2).to_bytes(2, "big") + place + data[2:])
    return path


def _take(page: Any, shows: str, path: Path) -> None:
    page.set_input_files(f'input[data-shows="{shows}"]', str(path))
    page.wait_for_selector(f'.take.done input[data-shows="{shows}"]', state="attached")


def _becomes(page: Any, item: str, line: str, value: str) -> None:
    """Wait until the sheet says ``value`` of an item of a line."""
    from playwright.sync_api import expect

    cells = page.locator("#sheet tr", has=page.locator(f'th:text-is("{item}")')).locator("td")
    expect(cells.nth(0 if line == "NS" else 2)).to_have_text(value, timeout=60_000)


def test_what_reads_pictures_is_loaded_when_the_page_is_opened_and_not_by_a_page_that_is_not(tmp_path: Path) -> None:
    desk = PhotographDesk(NAMES)
    with serving_photographs(desk, "127.0.0.1", 0) as page:
        assert httpx.get(f"{page.url.partition('?')[0]}manifest.webmanifest").status_code == 200
        assert not desk.is_ready
        assert httpx.get(page.url).status_code == 200
        ends = time.monotonic() + 60.0
        while not desk.is_ready and time.monotonic() < ends:
            time.sleep(0.05)
        assert desk.is_ready


@pytest.mark.slow
def test_a_deal_is_photographed_mended_by_touch_compared_and_kept(phone: Any, tmp_path: Path, drawn: Draw) -> None:
    """One card cannot be read: one tap and one choice make the sheet whole."""
    _take(phone, "melds-NS", _photo(tmp_path / "ns.jpg", drawn([["4H", "5H", "6H"], ["KC", "KD", "KS"]])))
    torn = drawn([["9C", "TC", "JC", "QC"]], [(0, 0)])
    _take(phone, "melds-EW", _photo(tmp_path / "ew.jpg", torn))
    _take(phone, "hand-S", _photo(tmp_path / "s.jpg", drawn([["3D"]])))
    _becomes(phone, "carte in tavola", "NS", "45")
    _becomes(phone, "carte in tavola", "EW", "?")

    ours = phone.locator('.group:has(select option:checked[value="melds-EW"])')
    unread = ours.locator("button.card", has_text="?")
    (unread.first if unread.count() else ours.get_by_role("button", name="Aggiungi una carta")).tap()
    phone.locator("#faces").get_by_role("button", name="9 Fiori").tap()
    if ours.get_by_role("button", name="Tutto giusto così").count():
        ours.get_by_role("button", name="Tutto giusto così").tap()
    _becomes(phone, "carte in tavola", "EW", "40")

    for name, value in (("closed", "NS"), ("pot-NS", "taken"), ("pot-EW", "taken")):
        phone.select_option(f'select[name="{name}"]', value)
    for seat in "NEW":
        phone.check(f'input[name="empty-{seat}"]')
    phone.wait_for_selector("#notes:empty", state="attached")
    _becomes(phone, "Totale", "NS", str(45 + 100 - 5))

    phone.fill('#sheet input[aria-label="Scritto a mano: carte in tavola NS"]', "55")
    phone.press('#sheet input[aria-label="Scritto a mano: carte in tavola NS"]', "Tab")
    differs = phone.locator("#differs", has_text="scritto 55, le fotografie dicono 45")
    differs.wait_for(state="attached", timeout=15_000)

    phone.fill('input[name="who"]', "Anna")
    phone.check('#keep input[name="NS"]')
    phone.click("#keep button")
    phone.wait_for_selector('#state:text-is("Conservato.")')
    (kept,) = (tmp_path / "kept").glob("deal-*.json")
    deal = json.loads(kept.read_text())
    assert (deal["who"], deal["confirmed"], deal["written"]) == ("Anna", ["NS"], {"NS": {"melds": 55}})
    assert deal["lines"]["NS"]["total"] == 140
    assert len(deal["pictures"]) == 3
    for name in deal["pictures"]:
        data = (tmp_path / "kept" / f"{name}.jpg").read_bytes()
        assert hashlib.sha256(data).hexdigest() == name
        assert b"GPS" not in data


@pytest.mark.slow
def test_what_the_phone_sends_holds_no_place(
    phone: Any, tmp_path: Path, drawn: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    decode = pictures.decode_picture
    monkeypatch.setattr(pictures, "decode_picture", lambda data, *more: sent.append(data) or decode(data, *more))
    path = _photo(tmp_path / "ns.jpg", drawn([["4H", "5H", "6H"]]))
    _take(phone, "melds-NS", path)
    assert b"GPS" in path.read_bytes()
    (body,) = sent
    assert body[:2] == b"\xff\xd8"
    assert b"GPS" not in body


@pytest.mark.slow
def test_a_card_is_changed_with_the_keyboard_alone(phone: Any, tmp_path: Path, drawn: Draw) -> None:
    _take(phone, "melds-NS", _photo(tmp_path / "ns.jpg", drawn([["4H", "5H", "6H"]])))
    first = phone.locator(".group button.card").first
    first.focus()
    phone.keyboard.press("Enter")
    phone.wait_for_selector("dialog[open]")
    for _ in range(4):
        phone.keyboard.press("Tab")
    phone.keyboard.press("Escape")
    assert phone.locator("dialog[open]").count() == 0
    assert phone.locator(".group button.card").first.inner_text() == "4♥"
    phone.keyboard.press("Enter")
    phone.locator("#faces").get_by_role("button", name="7 Cuori").focus()
    phone.keyboard.press("Enter")
    phone.wait_for_selector('.group button.card:text-is("7♥")')


@pytest.mark.slow
def test_a_frame_parts_a_meld_two_are_joined_and_lines_are_swapped(phone: Any, tmp_path: Path, drawn: Draw) -> None:
    """A run is parted by a dragged frame, joined again by one touch, and given to the other line."""
    _take(phone, "melds-NS", _photo(tmp_path / "ns.jpg", drawn([["4H", "5H", "6H", "7H", "8H", "9H"]])))
    assert phone.locator(".group").count() == 1
    phone.get_by_role("button", name="Riquadro").click()
    phone.locator(".shot svg").scroll_into_view_if_needed()
    box = phone.locator(".shot svg").bounding_box()
    cut = box["y"] + box["height"] * 0.5
    phone.mouse.move(box["x"] + 2, box["y"] + 2)
    phone.mouse.down()
    phone.mouse.move(box["x"] + box["width"] - 2, cut, steps=4)
    phone.mouse.up()
    phone.wait_for_function("document.querySelectorAll('.group').length === 2")
    both = [phone.locator(".group").nth(n).locator("button.card").all_inner_texts() for n in range(2)]
    assert sorted(map(len, both)) == [3, 3]
    assert {"4♥"} & set(both[1])
    phone.get_by_role("button", name="Unisci alla combinazione seguente").first.click()
    phone.wait_for_function("document.querySelectorAll('.group').length === 1")
    assert sorted(phone.locator(".group button.card").all_inner_texts()) == ["4♥", "5♥", "6♥", "7♥", "8♥", "9♥"]
    phone.get_by_role("button", name="Scambia NS e EW").click()
    _becomes(phone, "carte in tavola", "EW", "40")


@pytest.mark.slow
def test_one_touch_answers_all_doubts_of_all_pictures(phone: Any, tmp_path: Path, drawn: Draw) -> None:
    """Two tables as white as the cards: both pictures are doubted until somebody says that no card is missing."""
    for line, melds in (("NS", [["4H", "5H", "6H"]]), ("EW", [["9C", "TC", "JC", "QC"]])):
        picture = drawn(melds, cloth=(252, 252, 252))
        _take(phone, f"melds-{line}", _photo(tmp_path / f"{line}.jpg", picture))
        _becomes(phone, "carte in tavola", line, "?")
    phone.get_by_role("button", name="Guardate tutte le fotografie").tap()
    _becomes(phone, "carte in tavola", "NS", "15")
    _becomes(phone, "carte in tavola", "EW", "40")
    assert phone.locator("#all-right").is_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("look", ["light", pytest.param("dark", marks=pytest.mark.sweep)])
@pytest.mark.parametrize("rules", NAMES)
def test_axe_finds_nothing_and_no_page_is_wider_than_a_phone_or_a_tablet(
    served: ServedPage, phone: Any, tmp_path: Path, drawn: Draw, rules: str, look: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    phone.emulate_media(color_scheme=look)
    phone.goto(f"{served.url}?rules={rules}&lang={'en' if look == 'dark' else 'it'}")
    if rules != "tarocco":
        shows = "hand-N" if rules == "bridge" else "melds-NS"
        _take(phone, shows, _photo(tmp_path / "n.jpg", drawn([["4H", "5H", "6H"]])))
        phone.wait_for_selector(".group button.card")
    phone.wait_for_selector("#sheet table")
    found = Axe().run(phone).response["violations"]
    assert not [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
    for wide, high in ((390, 844), (820, 1180), (1180, 820)):
        phone.set_viewport_size({"width": wide, "height": high})
        assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{wide} px"
    seen, told = (phone.locator(one).bounding_box() for one in (".seen", ".told"))
    assert told["x"] >= seen["x"] + seen["width"], "on a tablet that lies the sheet is beside the picture"


@pytest.mark.slow
def test_a_hall_that_does_not_answer_is_said_and_the_picture_stays(phone: Any, tmp_path: Path, drawn: Draw) -> None:
    phone.context.set_offline(True)
    path = _photo(tmp_path / "ns.jpg", drawn([["4H", "5H", "6H"]]))
    phone.set_input_files('input[data-shows="melds-NS"]', str(path))
    phone.wait_for_selector('#state:has-text("non risponde")')
    phone.context.set_offline(False)
    phone.wait_for_selector(".group button.card")


# -- what others may send ----------------------------------------------------------------------------------------------


def test_the_page_is_found_by_its_key_alone(served: ServedPage) -> None:
    key = served.url.rsplit("/", 2)[1]
    base = served.url[: served.url.index(key)]
    assert httpx.get(base).status_code == 404
    assert httpx.get(f"{base}score/").status_code == 404
    answer = httpx.get(served.url)
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert re.search(r'lang="it"', answer.text)


@pytest.mark.parametrize(("path", "body", "status"), [
    ("read?rules=fibur2024&shows=melds-NS", b"no picture", 400),
    ("read?rules=fibur2024&shows=melds-NS", BOMB, 400),
    ("read?rules=fibur2024&shows=cellar", b"", 422),
    ("read?rules=whist&shows=melds-NS", b"", 404),
    ("read?rules=tarocco&shows=pile-NS", b"", 400),
    ("read?rules=fibur2024&shows=melds-NS", b"\xff\xd8" + bytes(26_000_000), 413),
    ("count", b"[1]", 400),
    ("count", b"{", 400),
    ("count", b'{"rules":"fibur2024"}', 422),
    ("count", b'{"rules":"fibur2024","groups":[{"shows":"melds-NS","cards":["9X"]}]}', 422),
    ("count", b'{"rules":"fibur2024","groups":[{"shows":"melds-NS","cards":["7H"],"beside":[7,-1,"a"]}]}', 200),
    ("count", b'{"rules":"bridge","groups":[],"facts":{"tricks":99,"contract":"9Z"}}', 200),
    ("count", b'{"rules":"tarocco","groups":[],"facts":{"NS":{"last_trick":"no"},"EW":7}}', 200),
    ("static/../photograph_page.py", b"", 404),
])  # fmt: skip
def test_whatever_is_sent_is_answered_in_one_sentence(served: ServedPage, path: str, body: bytes, status: int) -> None:
    answer = httpx.request("GET" if path.startswith("static") else "POST", served.url + path, content=body, timeout=60)
    assert answer.status_code == status
    assert "Traceback" not in answer.text
