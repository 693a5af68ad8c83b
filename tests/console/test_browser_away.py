"""Notifications in a real Chromium: from the console through a push service to what the phone shows."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table_service.console import ConsoleSettings, serving
from table_service.console.remote.sharing import RemoteSettings

pytestmark = pytest.mark.slow
reader: Any = sys.modules["push_reader"]
feed: Any = sys.modules["console_feed"]
SUBSCRIBES = """form => {
  const bytes = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0)).buffer;
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async options => {
    window.asked = options.applicationServerKey.length;
    return { endpoint: form.endpoint, getKey: name => bytes(form[name]) };
  };
}"""
"""What a browser's push service would answer: in the tests there is none to ask."""


@pytest.fixture
def console(tmp_path: Path) -> Iterator[tuple[Any, Any]]:
    service = reader.PushService(tmp_path)
    remote = RemoteSettings(push=True, push_services=("127.0.0.1",), push_tls=service.trust)
    with serving(ConsoleSettings(open_link=True, undo=0, remote=remote)) as running:
        yield running, service
    service.close()


def test_a_push_goes_from_the_button_to_the_notification_on_the_device(console: Any, browser: Any) -> None:
    running, service = console
    mine = reader.Browser()
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.grant_permissions(["notifications"], origin=running.url.rstrip("/"))
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(running.door)
    page.goto(f"{running.url}away?lang=en")
    session = context.new_cdp_session(page)
    registered: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registered.extend(one["registrationId"] for one in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.evaluate(SUBSCRIBES, mine.form(service.url))
    page.click("#away-allow")
    page.wait_for_selector(".away-devices li b")
    assert page.evaluate("window.asked") == 65, "the console's own key, a point of P-256"
    page.click("text=Send me a test: browser notification")
    (_, _, body), *_ = service.wait(1)
    page.wait_for_selector(".away-sent li.sent")
    said = mine.read(body).decode()
    where = running.url.rstrip("/")
    session.send(
        "ServiceWorker.deliverPushMessage", {"origin": where, "registrationId": registered[0], "data": said}
    )  # fmt: skip
    shown = """() => navigator.serviceWorker.ready.then(r => r.getNotifications())
      .then(all => all.map(n => [n.body, n.data.url]))"""
    for _ in range(600):
        if notifications := page.evaluate(shown):
            break
        page.wait_for_timeout(50)
    assert notifications == [["Test: alerts reach you.", "/away"]]
    assert json.loads(said)["lang"] == "en"
    context.close()


def test_settings_are_saved_with_the_keyboard_alone_and_stand_there_afterwards(console: Any, browser: Any) -> None:
    running, _ = console
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(running.door)
    page.goto(f"{running.url}away?lang=en")
    page.focus("[name=way-push]")
    page.keyboard.press("Space")
    page.focus("[name=of-warning]")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Saved.")
    assert page.is_checked("[name=way-push]")
    assert page.is_checked("[name=of-warning]")
    assert not page.is_checked("[name=of-note]")
    context.close()
