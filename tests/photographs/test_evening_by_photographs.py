"""A club without any electronic table runs its evening in a real Chromium: entries, seats, photographs, ranking."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table_service.console import ConsoleSettings, RunningConsole, serving

pytestmark = pytest.mark.slow
PAIRS = ("Rossi–Bianchi", "Verdi–Neri", "Gallo–Costa", "Riva–Fonti")
MELDS = {
    "NS": [["4H", "5H", "6H"], ["KC", "KD", "KS"]],
    "EW": [["9C", "TC", "JC", "QC"]],
}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[RunningConsole]:
    """Two tables of wood; no broker is reached, for none is needed."""
    settings = ConsoleSettings(
        tables=("T1", "T2"), broker_port=9, open_link=True, undo=0, data=tmp_path / "hall.sqlite"
    )  # fmt: skip
    with serving(settings) as running:
        yield running


def test_a_club_without_any_electronic_table_runs_its_evening_by_photographs(
    club: RunningConsole, browser: Any, tmp_path: Path, drawn: Callable[..., np.ndarray]
) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect

    files = {}
    for line, melds in MELDS.items():
        files[line] = tmp_path / f"{line}.jpg"
        cv2.imwrite(str(files[line]), drawn(melds))
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce", locale="it-IT"
    )
    page = context.new_page()
    page.set_default_timeout(90_000)
    page.goto(club.door)

    page.goto(f"{club.url}round")
    page.click("#seating > summary")
    page.fill("#entries", "\n".join(PAIRS))
    page.click("#seating form button")
    page.wait_for_selector("#print-proposal", state="attached")
    page.locator('input[name="deals"]').first.check(force=True)
    deals = int(page.locator('input[name="deals"]').first.get_attribute("value"))
    page.click("#start-round .act > summary")
    page.click("#start-round .confirm button")
    page.wait_for_selector(".big-clock")

    for table in ("T1", "T2"):
        for deal in range(1, deals + 1):
            page.goto(f"{club.url}photographs/?table={table}&deal={deal}")
            for line, path in files.items():
                page.set_input_files(f'input[data-shows="melds-{line}"]', str(path))
                page.wait_for_selector(f'.take.done input[data-shows="melds-{line}"]', state="attached")
            winner = "NS" if table == "T1" or deal > 1 else "EW"
            for name, value in (("closed", winner), ("pot-NS", "taken"), ("pot-EW", "taken")):
                page.select_option(f'select[name="{name}"]', value)
            for seat in "NESW":
                page.check(f'input[name="empty-{seat}"]')
            page.wait_for_selector("#notes:empty", state="attached")
            total = page.locator("#sheet tr:last-child td").first
            expect(total).to_have_text("145" if winner == "NS" else "45", timeout=60_000)
            page.fill('input[name="who"]', "Anna")
            for line in ("NS", "EW"):
                page.check(f'#keep input[name="{line}"]')
            page.click("#keep button")
            page.wait_for_selector('#state:has-text("Conservato.")')
            page.click("#state a")
            expect(page.locator(f"#deal-{deal}")).to_have_class(re.compile(r"\bdone\b"))
    evidence = page.locator("#deal-1 .photographed a")
    page.click("#deal-1 > summary")
    assert evidence.count() == 2
    assert page.request.get(club.url.rstrip("/") + evidence.first.get_attribute("href")).ok
    assert not Axe().run(page).response["violations"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    page.goto(f"{club.url}round")
    expect(page.locator("#next-step")).to_contain_text("tutti gli score sono confermati")
    page.goto(f"{club.url}standing")
    told = page.locator(".standing tbody tr", has=page.locator("th")).all_inner_texts()
    ranking = [line for line in told if any(pair in line for pair in PAIRS)]
    assert len(ranking) >= 4
    assert not any("?" in line for line in ranking)
    context.close()
