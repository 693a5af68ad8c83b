"""The page of photographs served alone: `tavolo score --serve`, for a laptop in a club and the phones beside it."""

from __future__ import annotations

import json
import os
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import uvicorn
from fastapi import FastAPI, Request
from starlette.responses import Response

from hw.errors import TavoloError
from table_service.photographs.photograph_page import Keep, PhotographDesk, photograph_routes

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_START_S: Final = 20.0


class ServingError(TavoloError):
    """The page cannot be served; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class ServedPage:
    """Address of the page: ``url`` for a phone in the same network, with the key that its address holds."""

    url: str
    port: int


def kept_in(folder: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Keep:
    """Keeps each deal as ``deal-TIME.json`` in ``folder``, its pictures beside it, named by their SHA-256."""

    def keep(_request: Request, deal: dict[str, Any], pictures: Mapping[str, bytes]) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, data in pictures.items():
            _write(folder / f"{name}.jpg", data)
        now = clock()
        text = json.dumps({**deal, "time": now.isoformat()}, ensure_ascii=False, indent=1)
        _write(folder / f"deal-{now:%Y%m%d-%H%M%S-%f}.json", text.encode())

    return keep


def _write(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all."""
    fresh = path.with_name(f".{path.name}.new")
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def create_page(desk: PhotographDesk, key: str) -> FastAPI:
    """Serve the page under ``/key/``, so that it is found only with the given address."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(photograph_routes(desk, f"/{key}", _language))

    @app.middleware("http")
    async def protect(request: Request, answer: Callable[[Request], Any]) -> Response:
        response: Response = await answer(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return app


def _language(request: Request) -> str:
    asked = request.query_params.get("lang")
    if asked in ("it", "en"):
        return asked
    first = request.headers.get("Accept-Language", "").partition(",")[0].strip().lower()
    return "en" if first.startswith("en") else "it"


def address_here() -> str:
    """This machine's address in its network, as a phone beside it would call it; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737)
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


@contextmanager
def serving_photographs(desk: PhotographDesk, host: str, port: int) -> Iterator[ServedPage]:
    """Serve the page in a thread while the context lasts. Raises ServingError."""
    door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
        door.listen(64)
    except OSError as error:
        door.close()
        raise ServingError(f"the page cannot be served at {host}:{port}: {error.strerror or error}") from error
    key, own = secrets.token_urlsafe(9), int(door.getsockname()[1])
    config = uvicorn.Config(
        create_page(desk, key), log_level="warning", access_log=False, timeout_graceful_shutdown=2, limit_concurrency=64
    )
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [door]}, name="photographs", daemon=True)
    thread.start()
    waited = Event()
    for _ in range(int(_START_S / 0.02)):
        if server.started or not thread.is_alive():
            break
        waited.wait(0.02)
    if not server.started:
        raise ServingError("the page does not start")
    where = address_here() if host in ("0.0.0.0", "::") else host  # noqa: S104 - what the person asked for
    try:
        yield ServedPage(f"http://{f'[{where}]' if ':' in where else where}:{own}/{key}/", own)
    finally:
        server.should_exit = True
        thread.join(10)
