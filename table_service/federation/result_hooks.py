"""Webhooks: each tournament's results are sent to other programs' addresses, signed, once they are taken.

The body is what the results stream gives. ``Tavolo-Signature: t=SECONDS,v1=HEX``: HMAC-SHA256 with the address's own
secret over ``SECONDS.BODY``; whoever receives refuses one that is old. What is not answered with 2xx is sent again.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import http.client
import json
import logging
import secrets
import ssl
import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from hw.table_sections import is_local
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.errors import FederationError, FederationUseError
from table_service.federation.reach import AccountReach
from table_service.federation.tournament_results import results_after

log = logging.getLogger(__name__)
SIGNATURE: Final = "Tavolo-Signature"
EVERY_S: Final = 2.0
PATIENCE_S: Final = 10.0
AT_ONCE: Final = 50
"""Most results that one address is sent in a row."""
_LOCK: Final = 0x7461766F04
Send = Callable[[str, bytes, dict[str, str]], int]
"""Sends a body to an address and returns the status of the answer. Raises OSError."""


def signature(secret: str, body: bytes, at: int) -> str:
    """Return the header's value.

    >>> signature("s", b"{}", 1)[:19]
    't=1,v1=b253639bcd70'
    """
    return f"t={at},v1={hmac.new(secret.encode(), f'{at}.'.encode() + body, hashlib.sha256).hexdigest()}"


async def add_hook(pool: ArchivePool, url: str) -> str:
    """Send results to ``url`` from now on, and return the secret of its signatures. Raises FederationUseError."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        parts.port  # noqa: B018 - raises ValueError for one that is none
    except ValueError:
        host, parts = "", urlsplit("")
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and is_local(host))):
        raise FederationUseError(f"'{url[:200]}' is no address for results: write https://HOST/PATH")
    secret = secrets.token_urlsafe(32)
    await pool.do(
        "insert into hook (url, secret, done_through) values ($1, $2, (select coalesce(max(id), 0) from tournament))"
        " on conflict (url) do update set secret = $2",
        url, secret,
    )  # fmt: skip
    return secret


async def drop_hook(pool: ArchivePool, url: str) -> bool:
    """Send nothing to ``url`` any more; False if nothing was."""
    return bool(await pool.do("delete from hook where url = $1", url))


async def send_results(pool: ArchivePool, send: Send, now: Callable[[], float] = time.time) -> int:
    """Send every address what it has not had yet, and return how many were taken. One page process at a time does."""
    sent = 0
    async with pool.connection() as db:
        if not await db.fetchval("select pg_try_advisory_lock($1)", _LOCK):
            return 0
        try:
            for hook in await db.fetch("select url, secret, done_through from hook order by url"):
                sent += await _send_to(pool, hook["url"], hook["secret"], hook["done_through"], send, now)
        finally:
            await db.execute("select pg_advisory_unlock($1)", _LOCK)
    return sent


async def _send_to(pool: ArchivePool, url: str, secret: str, after: int, send: Send, now: Callable[[], float]) -> int:
    sent = 0
    for one in await results_after(pool, AccountReach(None, None), after, AT_ONCE):
        body = json.dumps(one, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json", SIGNATURE: signature(secret, body, int(now()))}
        try:
            status = await asyncio.to_thread(send, url, body, headers)
            trouble = "" if 200 <= status < 300 else f"the answer was {status}"
        except (OSError, http.client.HTTPException) as error:
            trouble = str(error) or type(error).__name__
        if trouble:
            await pool.do("update hook set trouble = $2 where url = $1", url, trouble[:300])
            break
        await pool.do("update hook set done_through = $2, trouble = '' where url = $1", url, one["tournament"])
        sent += 1
    return sent


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Send ``body``; no redirection is followed. Raises OSError."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        context = ssl.create_default_context()
        link: http.client.HTTPConnection = http.client.HTTPSConnection(
            parts.hostname or "", parts.port, timeout=PATIENCE_S, context=context
        )
    else:
        link = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
    try:
        link.request("POST", f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}", body, headers)
        return link.getresponse().status
    finally:
        link.close()


async def sending(pool: ArchivePool) -> None:
    """Send results for as long as the page runs; an archive that is away is waited for."""
    while True:
        try:
            await send_results(pool, post)
        except FederationError as error:
            log.info("%s", error)
        except Exception:
            log.exception("results could not be sent")
        await asyncio.sleep(EVERY_S)
