"""The page of photographs served alone: `tavolo score --serve`, for a laptop in a club and the phones beside it."""

from __future__ import annotations

import json
import os
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
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
        "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_START_S: Final = 20.0
ADDRESS: Final = "page.json"
"""File beside kept deals with the key and the port of their page."""


class ServingError(TavoloError):
    """The page cannot be served; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class ServedPage:
    """Address of the page: ``url`` for a phone in the same network, with the key that its address holds."""

    url: str
    port: int
    key: str


def kept_in(folder: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Keep:
    """Keep each deal as ``deal-TIME-ENTRY.json`` in ``folder``, its pictures beside it, named by their SHA-256.

    A deal that a phone sends once more under the same ``entry`` replaces what was kept of it.
    """

    def keep(_request: Request, deal: dict[str, Any], pictures: Mapping[str, bytes]) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, data in pictures.items():
            _write(folder / f"{name}.jpg", data)
        now, entry = clock(), str(deal.get("entry") or "")
        text = json.dumps({**deal, "time": now.isoformat()}, ensure_ascii=False, indent=1)
        fresh = folder / f"deal-{now:%Y%m%d-%H%M%S-%f}{entry and f'-{entry}'}.json"
        earlier = sorted(folder.glob(f"deal-*-{entry}.json")) if entry else []
        _write(earlier[0] if earlier else fresh, text.encode())

    return keep


def address_of(folder: Path) -> tuple[str, int]:
    """Return the key and the port under which ``folder`` was served before, so that an installed page finds it again.

    A new key and port 0 where it never was. Raises ServingError.
    """
    path = folder / ADDRESS
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return str(known["key"]), int(known["port"])
    except FileNotFoundError:
        return secrets.token_urlsafe(9), 0
    except (OSError, ValueError, KeyError, TypeError):
        raise ServingError(f"{path} does not say where the page was: delete it for a new address") from None


def keep_address(folder: Path, key: str, port: int) -> None:
    """Keep the key and the port of the page that serves ``folder``. Raises ServingError."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write(folder / ADDRESS, json.dumps({"key": key, "port": port}).encode())
    except OSError as error:
        raise ServingError(f"{folder} cannot be written: {error.strerror or error}") from error


def _write(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all, for its owner alone."""
    fresh = path.with_name(f".{path.name}.new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
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
    """Return this machine's address in its network, as a phone beside it would call it; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737)
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _door(host: str, port: int) -> socket.socket:
    """Open a socket that listens at ``host``. Raises ServingError."""
    door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
        door.listen(64)
    except OSError as error:
        door.close()
        raise ServingError(f"the page cannot be served at {host}:{port}: {error.strerror or error}") from error
    return door


@contextmanager
def serving_photographs(
    desk: PhotographDesk, host: str, port: int, key: str = "", tls: tuple[Path, Path] | None = None
) -> Iterator[ServedPage]:
    """Serve the page in a thread while the context lasts. Raises ServingError.

    ``key``: the secret part of its address, a new one if empty. ``tls``: certificate and key, PEM files; without them a
    phone cannot install the page, for browsers install nothing that comes unencrypted from another machine.
    """
    key = key or secrets.token_urlsafe(9)
    door = _door(host, port)
    own = int(door.getsockname()[1])
    config = uvicorn.Config(
        create_page(desk, key), log_level="warning", access_log=False, timeout_graceful_shutdown=2,
        limit_concurrency=64, **_encrypted(tls),
    )  # fmt: skip
    try:
        config.load()
    except OSError as error:  # ssl.SSLError is one
        door.close()
        raise ServingError(f"certificate and key cannot be used: {error.strerror or error}") from error
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
        scheme = "http" if tls is None else "https"
        yield ServedPage(f"{scheme}://{f'[{where}]' if ':' in where else where}:{own}/{key}/", own, key)
    finally:
        server.should_exit = True
        thread.join(10)


def _encrypted(tls: tuple[Path, Path] | None) -> dict[str, Any]:
    return {} if tls is None else {"ssl_certfile": tls[0], "ssl_keyfile": tls[1]}


@contextmanager
def serving_folder(
    desk: PhotographDesk, host: str, port: int, folder: Path | None, tls: tuple[Path, Path] | None = None
) -> Iterator[ServedPage]:
    """Serve the page whose deals ``folder`` keeps as it was served before, if its port is free. Raises ServingError."""
    key, before = ("", 0) if folder is None else address_of(folder)
    with ExitStack() as stack:
        try:
            page = stack.enter_context(serving_photographs(desk, host, port or before, key, tls))
        except ServingError:
            if port or not before:
                raise
            page = stack.enter_context(serving_photographs(desk, host, 0, key, tls))
        if folder is not None:
            keep_address(folder, page.key, page.port)
        yield page
