"""A console without a broker, people with roles, and a browser: what the console's tests share."""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from table_service.console import ConsoleSettings, ConsoleStore, create_app
from table_service.console.dispatch import Office
from table_service.console.storage import Book, Role

HERE = Path(__file__).parent


def _beside(name: str) -> Any:
    """A module that lies beside the tests and is none of them."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made: Any = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


feed = _beside("console_feed")
push_reader = _beside("push_reader")
openid_server = _beside("openid_server")


@dataclass
class House:
    """A console that hears only what a test tells it. ``at`` is its clock; ``sent`` what it would have published."""

    settings: ConsoleSettings = field(default_factory=lambda: ConsoleSettings(undo=0))
    book: Book = field(default_factory=Book)
    at: float = 1_800_000_000.0
    sent: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = ConsoleStore("sala", self.settings.tables, voices=self.settings.voices)
        self.app = create_app(self.settings, self.store, book=self.book, listen=False)
        self.office: Office = self.app.state.office
        self.office.clock = lambda: self.at
        self.office.send = lambda topic, payload: self.sent.append((topic, json.loads(payload)))
        self.store.link(connected=True)

    def hear(self, messages: list[tuple[str, bytes]] | None = None) -> House:
        for topic, payload in feed.evening() if messages is None else messages:
            self.store.apply(topic, payload, now=self.at)
        return self

    def say(self, topic: str, document: Any) -> None:
        payload = json.dumps(document).encode() if document is not None else b""
        self.store.apply(feed.PREFIX + topic, payload, now=self.at)

    def cookie(self, role: str = "chief", name: str = "") -> tuple[str, str]:
        """The cookie and the CSRF token of somebody with that role."""
        accounts, now = self.book.accounts, time.time()
        person = accounts.named(name or f"la {role}") or accounts.add(name or f"la {role}", Role(role), now=now)
        assert person is not None
        cookie = accounts.begin(person, now=now)
        session = accounts.session(cookie, now=now)
        assert session is not None
        return cookie, session.csrf

    def client(self, role: str | None = "chief", name: str = "") -> httpx.AsyncClient:
        """A browser of somebody with that role; None: of nobody who is signed in."""
        cookies, headers = {}, {}
        if role is not None:
            cookies["tavolo"], headers["X-CSRF"] = self.cookie(role, name)
        transport = httpx.ASGITransport(self.app)
        return httpx.AsyncClient(transport=transport, base_url="http://console", cookies=cookies, headers=headers)

    async def get(self, path: str, role: str | None = "chief", **kwargs: Any) -> httpx.Response:
        async with self.client(role) as client:
            return await client.get(path, **kwargs)

    async def post(self, path: str, role: str | None = "chief", name: str = "", **data: Any) -> httpx.Response:
        async with self.client(role, name) as client:
            return await client.post(path, data=data)

    async def page(self, path: str = "/table/T12", role: str = "chief", **kwargs: Any) -> str:
        response = await self.get(path, role, **kwargs)
        assert response.status_code == 200, response.status_code
        return response.text

    def answer(self, n: int = -1, **changes: Any) -> None:
        """The table answers the order that was sent ``n``-th."""
        topic, order = self.sent[n]
        text = {"it": "Il tavolo ha ricevuto il comando.", "en": "The table has taken the command."}
        result = {"id": order["id"], "ok": True, "reason": None, "text": text, **changes}
        self.store.apply(f"{topic}/{order['id']}/result", json.dumps(result).encode(), now=self.at)


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    yield made
    made.book.close()


@pytest.fixture
def make_house(tmp_path: Path) -> Iterator[Any]:
    """Makes consoles with settings of their own; ``data`` names a file that lasts."""
    open_books: list[Book] = []

    def make(data: str | None = None, **settings: Any) -> House:
        book = Book(tmp_path / data if data else None)
        open_books.append(book)
        return House(ConsoleSettings(**{"undo": 0, **settings}), book)

    yield make
    for book in open_books:
        book.close()
