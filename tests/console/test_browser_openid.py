"""Signing in by an OpenID provider in a real Chromium, at a provider that nobody here wrote, on a phone."""

from __future__ import annotations

import os
import socket
import time
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from table_service.console import ConsoleSettings, RunningConsole, serving
from table_service.console.settings import OpenIdSettings
from table_service.console.storage import Role

pytestmark = pytest.mark.slow
PASSWORD = "una frase lunga"  # noqa: S105 - of nobody
SMALL = """() => [...document.querySelectorAll('main button, main a.btn, main summary, main select, main input')]
  .filter(e => e.type !== 'hidden' && e.checkVisibility())
  .filter(e => e.getBoundingClientRect().height < 43.5).map(e => e.outerHTML.slice(0, 90))"""
"""What a finger would miss."""
WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture
def issuer(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setitem(os.environ, "AUTHLIB_INSECURE_TRANSPORT", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of parts of Authlib that this provider uses and are to go
        import oidc_provider_mock
    with oidc_provider_mock.run_server_in_thread(require_nonce=True) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture
def console(issuer: str) -> Iterator[RunningConsole]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # That provider does not say when it asked, and takes any secret.
    told = OpenIdSettings("Federazione", issuer, "tavolo", f"http://127.0.0.1:{port}", "x", waits=True, each_time=False)
    with serving(ConsoleSettings(port=port, undo=0, openid=told)) as running:
        yield running


@pytest.fixture
def phone(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="it-IT")
    page = context.new_page()
    page.set_default_timeout(90_000)
    yield page
    context.close()


def sign_in(page: Any, running: RunningConsole, subject: str) -> None:
    """By the button of the sign-in page, and the provider's own form."""
    page.goto(f"{running.url}enter?to=/wall")
    page.click("text=Entra con Federazione")
    page.fill("input[name=sub]", subject)
    page.click("button:has-text('Authorize')")
    page.wait_for_url(f"{running.url}**")


def test_somebody_is_linked_signs_in_with_the_phone_and_signs_out(console: RunningConsole, phone: Any) -> None:
    book = console.office.book
    refused: list[str] = []
    phone.on("console", lambda told: refused.append(told.text) if "Content Security Policy" in told.text else None)
    phone.goto(f"{console.url}enter")
    assert phone.evaluate(SMALL) == []
    assert not phone.evaluate(WIDER)
    sign_in(phone, console, "anna-1")
    assert "Chi dirige non ti ha ancora collegato" in phone.inner_text("main")
    assert "code=" not in phone.url
    (entry,) = book.vouched.waiting(console_issuer(console), now=time.time())
    chief = book.accounts.add("Dora", Role.CHIEF, now=0.0)
    book.accounts.set_password(chief.id, PASSWORD)
    phone.goto(f"{console.url}enter?to=/people")
    phone.fill("#name", "Dora")
    phone.fill("#password", PASSWORD)
    phone.click("button.primary")
    phone.wait_for_selector("text=Attendono di essere collegati")
    assert phone.evaluate(SMALL) == []
    assert not phone.evaluate(WIDER)
    phone.evaluate("document.querySelector('details.by-hand').open = true")
    assert phone.evaluate(SMALL) == []
    assert not phone.evaluate(WIDER)
    assert [one["id"] for one in Axe().run(phone).response["violations"]] == []
    phone.fill(f"#named-{entry.id}", "Anna")
    phone.select_option(f"#as-{entry.id}", "arbitro")
    phone.click(f"form:has(#named-{entry.id}) button")
    phone.wait_for_selector("text=collegato a Federazione")
    phone.context.clear_cookies()
    sign_in(phone, console, "anna-1")
    assert phone.url == f"{console.url}wall"
    phone.goto(console.url)
    phone.click("details.menu summary")
    assert "Anna" in phone.inner_text(".whoami")
    phone.click("details.menu button[type=submit]")
    phone.wait_for_selector("text=Entra con Federazione")
    assert refused == []


def test_somebody_links_his_own_account_with_his_password(console: RunningConsole, phone: Any) -> None:
    book = console.office.book
    bruno = book.accounts.add("Bruno", Role.ARBITRO, now=0.0)
    book.accounts.set_password(bruno.id, PASSWORD)
    refused: list[str] = []
    phone.on("console", lambda told: refused.append(told.text) if "Content Security Policy" in told.text else None)
    phone.goto(f"{console.url}enter?to=/openid")
    phone.fill("#name", "Bruno")
    phone.fill("#password", PASSWORD)
    phone.click("button.primary")
    phone.wait_for_selector("text=Collega il tuo account di Federazione")
    assert phone.evaluate(SMALL) == []
    assert not phone.evaluate(WIDER)
    phone.fill("#password", PASSWORD)
    phone.click("main button.primary")
    phone.click("text=Vai a Federazione")
    phone.fill("input[name=sub]", "bruno-1")
    phone.click("button:has-text('Authorize')")
    phone.wait_for_selector("text=è collegato")
    assert book.vouched.subjects(console_issuer(console)) == {bruno.id: "bruno-1"}
    phone.context.clear_cookies()
    sign_in(phone, console, "bruno-1")
    assert phone.url == f"{console.url}wall"
    assert refused == []


def console_issuer(running: RunningConsole) -> str:
    told = running.office.settings.openid
    assert told is not None
    return str(told.issuer)
