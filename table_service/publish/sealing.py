"""Hidden cards on their way to the arbitro: encrypted with a key of their deal, signed by the table's."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, Final

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox
from nacl.signing import SigningKey, VerifyKey

from table_service.events.deal_keys import DealKeys, SealError, bound, filled, unlock, unwrap
from table_service.events.payloads import Payload
from table_service.events.topics import Topics

SEALED: Final = "sealed"
"""Under this name the journal keeps a sealed message in the place of what is hidden."""
_FIRST_CONTEXT: Final = b"tavolo-sealed-1\0"
"""Of messages of version 1: a libsodium sealed box each, without a key of the deal."""
_CONTEXT: Final = b"tavolo-sealed-2"


class Sealing:
    """For whom the table seals (Curve25519 public key, 32 bytes), with which key it signs, and how long it lasts."""

    def __init__(self, arbitro: bytes, table_key: SigningKey, expires: int = 6 * 3600) -> None:
        self.arbitro, self.expires = arbitro, expires
        self._table_key = table_key
        self._keys = DealKeys(arbitro)

    def seal(
        self,
        topics: Topics,
        event: str,
        deal: int | None,
        secret: Mapping[str, Any],
        block: int = Payload.SEALED_BYTES,
    ) -> bytes:
        """The secret part of ``event`` as a message that only the arbitro opens, bound to topic, table, deal, event.

        It is filled up to a multiple of ``block`` bytes: its length does not tell how much it names.
        """
        plain = json.dumps({"table": topics.table, "event": event, "secret": dict(secret)}, ensure_ascii=False)
        key = self._keys.of(deal or 0)
        place = bound(_CONTEXT, topics.sealed(deal), topics.table, deal or 0, event)
        box = key.lock(filled(plain.encode("utf-8", "backslashreplace"), block), place)
        message = {
            "v": 2,
            "table": topics.table,
            "topic": topics.sealed(deal),
            "deal": deal or 0,
            "event": event,
            "key": base64.b64encode(key.wrapped).decode(),
            "sealed": base64.b64encode(box).decode(),
            "signature": base64.b64encode(self._table_key.sign(place + bound(key.wrapped, box)).signature).decode(),
        }
        return json.dumps(message, separators=(",", ":")).encode()


def open_sealed(message: bytes, arbitro: PrivateKey, table_key: VerifyKey, topic: str = "") -> dict[str, Any]:
    """What was sealed: ``{"table", "event", "secret"}``. Raises SealError.

    ``topic``: the one that the message was heard on, where that is known.

    >>> arbitro, table = PrivateKey.generate(), SigningKey.generate()
    >>> sealing = Sealing(bytes(arbitro.public_key), table)
    >>> message = sealing.seal(Topics("sala", "T12"), "T12-b1-000007", 3, {"card": "7H"})
    >>> sorted(json.loads(message))
    ['deal', 'event', 'key', 'sealed', 'signature', 'table', 'topic', 'v']
    >>> open_sealed(message, arbitro, table.verify_key)["secret"]
    {'card': '7H'}
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
    """A message of version 1, as journals of before keep it. Raises CryptoError."""
    box = _decoded(outer, "sealed")
    table_key.verify(_FIRST_CONTEXT + box, _decoded(outer, "signature"))
    return bytes(SealedBox(arbitro).decrypt(box))


def _second(outer: Mapping[str, Any], arbitro: PrivateKey, table_key: VerifyKey) -> bytes:
    """A message of version 2. Raises CryptoError where the table did not sign it so, SealError."""
    place = bound(_CONTEXT, outer["topic"], outer["table"], int(outer["deal"]), outer["event"])
    wrapped, box = _decoded(outer, "key"), _decoded(outer, "sealed")
    table_key.verify(place + bound(wrapped, box), _decoded(outer, "signature"))
    try:
        return unlock(box, unwrap(wrapped, arbitro), place)
    except SealError as error:
        raise SealError("the sealed message was not signed by this table or not sealed for this key") from error
