"""A link is shown as a QR code that a phone reads, whoever the hall and whatever the name."""

from __future__ import annotations

import re
from typing import Any

import cv2
import numpy as np
import pytest
import resvg_py

from table_service.console.qr_code import qr_svg


def read(svg: str) -> str:
    """What a reader makes of the drawing, as large as a phone's screen shows it."""
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=520))
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    text, *_ = cv2.QRCodeDetectorAruco().detectAndDecode(picture)
    return str(text)


@pytest.mark.parametrize("text", ["https://sala.local:8080/enter/AbC-_09", "12345", "https://x/" + "k" * 120])
def test_what_is_drawn_is_read_back(text: str) -> None:
    assert read(qr_svg(text, "link")) == text


def test_a_label_is_text_and_never_markup() -> None:
    assert 'aria-label="&lt;b&gt;&quot;Ada&quot;"'.replace("&gt;", ">") in qr_svg("x", '<b>"Ada"')


@pytest.mark.parametrize("kind", ["day", "start"])
async def test_a_new_link_is_shown_with_its_code_and_a_button_to_copy_it(house: Any, kind: str) -> None:
    house.cookie("spectator", "Ada")
    number = house.book.accounts.named("Ada").id
    page = (await house.post(f"/people/{number}/{kind}", "chief")).text
    url = re.search(r'id="link" readonly value="([^"]+)"', page)[1]  # type: ignore[index]
    svg = re.search(r'<svg [^>]*class="qr".*?</svg>', page, re.DOTALL)[0]  # type: ignore[index]
    assert read(svg) == url
    assert 'data-copy="link"' in page


async def test_a_program_s_token_is_copied_and_not_drawn(house: Any) -> None:
    house.cookie("spectator", "Ada")
    number = house.book.accounts.named("Ada").id
    page = (await house.post(f"/people/{number}/api", "chief")).text
    assert 'data-copy="link"' in page
    assert 'class="qr"' not in page


@pytest.mark.slow
def test_the_button_copies_and_says_so(browser: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    from table_service.console import ConsoleSettings, serving

    with serving(ConsoleSettings(tables=("T1",), open_link=True)) as running:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(running.door)
        page.goto(f"{running.url}people")
        page.fill("#new-name", "Ada")
        page.press("#new-name", "Enter")
        page.wait_for_selector("svg.qr")
        page.focus("[data-copy]")
        page.keyboard.press("Enter")
        page.locator("#copied").filter(has_text=re.compile(r"\w")).wait_for()
        assert page.text_content("#copied") in ("Copiato.", "Copied.")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found] == []
        context.close()
