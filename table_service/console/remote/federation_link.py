"""A case sent on to the federation's page: for a second opinion, or as an appeal."""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Final, Literal
from urllib.parse import quote, urlsplit

from hw.errors import TavoloError
from table_service.console.remote.sharing import OtherHall
from table_service.events.untrusted import as_map, as_whole

SentKind = Literal["opinion", "appeal"]
PATIENCE_S: Final = 20.0
_ANSWER_MOST: Final = 64 * 1024


class CaseNotSentError(TavoloError):
    """The federation did not take the case; the message says why."""


def send_case(federation: OtherHall, kind: SentKind, body: bytes, note: str) -> int:
    """Send the case's file ``body`` and return its number at the federation. Raises CaseNotSentError."""
    parts = urlsplit(federation.url)
    host = parts.hostname or ""
    if parts.scheme == "https":
        context = federation.tls or ssl.create_default_context()
        link: http.client.HTTPConnection = http.client.HTTPSConnection(
            host, parts.port or 443, timeout=PATIENCE_S, context=context
        )
    else:
        link = http.client.HTTPConnection(host, parts.port or 80, timeout=PATIENCE_S)
    path = f"{parts.path.rstrip('/')}/api/federation/v1/cases/{kind}/{quote(federation.name)}?note={quote(note)}"
    try:
        link.request("POST", path, body, {"Authorization": f"Bearer {federation.token}"})
        answer = link.getresponse()
        told = as_map(json.loads(answer.read(_ANSWER_MOST)))
    except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
        raise CaseNotSentError(why[:200]) from None
    finally:
        link.close()
    number = as_whole(told.get("case"))
    if answer.status != 201 or number is None:
        raise CaseNotSentError(str(told.get("detail") or f"the answer was {answer.status}")[:200])
    return number
