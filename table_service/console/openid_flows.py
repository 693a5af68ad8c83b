"""Sign-ins that are under way at an OpenID provider: what each was begun with, for one use, by one browser."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from hw.errors import TavoloError

FLOW_S: Final = 600.0
"""Seconds in which a person must come back from the provider."""
FLOWS_MOST: Final = 2000
FLOWS_OF_ADDRESS: Final = 64


class ProviderAwayError(TavoloError):
    """The provider cannot be asked, or gives no answer that can be used."""


class NotVouchedError(TavoloError):
    """The provider's word does not hold. ``word``: the sentence for the person; the message is for the log."""

    def __init__(self, why: str, word: str = "openid_refused") -> None:
        super().__init__(why)
        self.word = word


@dataclass(frozen=True, slots=True)
class VouchedSubject:
    """Account at the provider: ``subject`` identifies it there for good, ``shown`` is what it calls the person."""

    subject: str
    shown: str


@dataclass(frozen=True, slots=True)
class OpenIdFlow:
    """One way to the provider and back.

    ``verifier``: the secret of PKCE (RFC 7636). ``browser``: hash of the cookie of the browser that began it.
    ``to``: page to open afterwards. ``session``: public id of the session whose person links the account; empty for
    somebody who signs in. ``begun``: seconds since 1970.
    """

    state: str
    nonce: str
    verifier: str
    browser: bytes
    address: str
    to: str
    session: str
    begun: float


class OpenIdFlows:
    """Flows that were begun and have not come back, in memory: a console that restarts has none."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, OpenIdFlow] = OrderedDict()

    def begin(self, address: str, to: str, *, now: float, session: str = "") -> tuple[OpenIdFlow, str]:
        """Return a new flow for a browser at ``address``, and the cookie that ties it to that browser."""
        cookie = secrets.token_urlsafe(24)
        flow = OpenIdFlow(
            secrets.token_urlsafe(24), secrets.token_urlsafe(24), secrets.token_urlsafe(48), _hash(cookie), address, to,
            session, now,
        )  # fmt: skip
        for state in [one.state for one in self._open.values() if one.begun <= now - FLOW_S]:
            del self._open[state]
        of_address = [one.state for one in self._open.values() if one.address == address]
        for state in of_address[: max(0, len(of_address) - FLOWS_OF_ADDRESS + 1)]:
            del self._open[state]  # who asks without end pushes out his own, nobody else's
        while len(self._open) >= FLOWS_MOST:
            self._open.popitem(last=False)
        self._open[flow.state] = flow
        return flow, cookie

    def take(self, state: str, cookie: str, *, now: float) -> OpenIdFlow | None:
        """Return the flow of ``state``, once; None if it is unknown, was used, is too old or another browser's."""
        flow = self._open.get(state)
        if flow is None or not hmac.compare_digest(flow.browser, _hash(cookie)):
            return None
        del self._open[state]
        return flow if flow.begun > now - FLOW_S else None


def _hash(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode("utf-8", "surrogateescape")).digest()
