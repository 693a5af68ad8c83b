"""Opens what a table has sealed for the arbitro, for who has his private key."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, Final

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox
from nacl.signing import VerifyKey

from table_service.events.deal_keys import SealError, bound, unlock, unwrap

_FIRST_CONTEXT: Final = b"tavolo-sealed-1\0"
"""Context of messages of version 1: a libsodium sealed box each, without a key of the deal."""
CONTEXT: Final = b"tavolo-sealed-2"
"""Prefix of what is signed and bound to."""


def open_sealed(message: bytes, arbitro: PrivateKey, table_key: VerifyKey, topic: str = "") -> dict[str, Any]:
    """Return what was sealed: ``{"table", "event", "secret"}``. Raises SealError.

    ``topic``: the one that the message was heard on, if known.
    """
    try:
        outer = json.loads(message)
        inner = json.loads((_first if outer["v"] == 1 else _second)(outer, arbitro, table_key))
    except CryptoError as error:
        raise SealError("the sealed message was not signed by this table or not sealed for this key") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SealError("this is no sealed message of a table") from error
    if (inner.get("table"), inner.get("event")) != (outer.get("table"), outer.get("event")):
        raise SealError("the sealed message does not belong to the event that it names")
    if topic and outer.get("topic", topic) != topic:
        raise SealError(f"the sealed message belongs to {outer['topic']}, not to {topic}")
    return dict(inner)


def _decoded(outer: Mapping[str, Any], name: str) -> bytes:
    return base64.b64decode(outer[name], validate=True)


def _first(outer: Mapping[str, Any], arbitro: PrivateKey, table_key: VerifyKey) -> bytes:
    """Return a message of version 1, as journals of before keep it. Raises CryptoError."""
    box = _decoded(outer, "sealed")
    table_key.verify(_FIRST_CONTEXT + box, _decoded(outer, "signature"))
    return bytes(SealedBox(arbitro).decrypt(box))


def _second(outer: Mapping[str, Any], arbitro: PrivateKey, table_key: VerifyKey) -> bytes:
    """Return a message of version 2. Raises CryptoError if the table did not sign it so, SealError."""
    place = bound(CONTEXT, outer["topic"], outer["table"], int(outer["deal"]), outer["event"])
    wrapped, box = _decoded(outer, "key"), _decoded(outer, "sealed")
    table_key.verify(place + bound(wrapped, box), _decoded(outer, "signature"))
    try:
        return unlock(box, unwrap(wrapped, arbitro), place)
    except SealError as error:
        raise SealError("the sealed message was not signed by this table or not sealed for this key") from error
