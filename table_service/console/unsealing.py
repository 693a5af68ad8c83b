"""Opens sealed messages for one page, with the arbitro's private key, which lives as long as the request."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final

from fastapi import Request
from nacl.public import PrivateKey
from nacl.signing import VerifyKey

from table_service.console.ruling_forms import FormError
from table_service.events.deal_keys import SealError
from table_service.events.opening import open_sealed

LONGEST_REASON: Final = 300


def is_private_way(request: Request) -> bool:
    """Return True if no one on the way can read what the browser sends: TLS, or this very machine."""
    if request.url.scheme == "https":
        return True
    host = "" if request.client is None else request.client.host
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def key_of(text: str) -> PrivateKey:
    """Return the private key in a key file's text. Raises FormError."""
    try:
        return PrivateKey(bytes.fromhex(text.strip()))
    except (ValueError, TypeError):
        raise FormError("unseal_no_key") from None


def table_key_of(text: str) -> VerifyKey:
    """Return a table's public key. Raises FormError."""
    try:
        return VerifyKey(bytes.fromhex(text.strip()))
    except (ValueError, TypeError):
        raise FormError("unseal_no_table_key") from None


def opened(messages: Mapping[str, str], key: PrivateKey, table_key: VerifyKey) -> dict[str, dict[str, Any]]:
    """Return opened messages by the event they belong to. Raises FormError if one does not open with these keys."""
    found: dict[str, dict[str, Any]] = {}
    for event, message in messages.items():
        try:
            told = open_sealed(message.encode(), key, table_key)
        except SealError:
            raise FormError("unseal_wrong") from None
        if told.get("event") == event and isinstance(told.get("secret"), dict):
            found[event] = told["secret"]
    return found
