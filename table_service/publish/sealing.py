"""Hidden cards on their way to the arbitro: encrypted with a key of their deal, signed by the table's."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, Final

from nacl.signing import SigningKey

from table_service.events.deal_keys import DealKeys, bound, filled
from table_service.events.opening import CONTEXT
from table_service.events.payloads import Payload
from table_service.events.topics import Topics

SEALED: Final = "sealed"
"""Under this name the journal keeps a sealed message in the place of what is hidden."""


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
        """Return the secret part of ``event`` as a message for the arbitro alone, bound to topic, table, deal, event.

        It is filled up to a multiple of ``block`` bytes: its length does not tell how much it names.

        >>> from nacl.public import PrivateKey
        >>> from table_service.events.opening import open_sealed
        >>> arbitro, table = PrivateKey.generate(), SigningKey.generate()
        >>> sealing = Sealing(bytes(arbitro.public_key), table)
        >>> message = sealing.seal(Topics("sala", "T12"), "T12-b1-000007", 3, {"card": "7H"})
        >>> sorted(json.loads(message))
        ['deal', 'event', 'key', 'sealed', 'signature', 'table', 'topic', 'v']
        >>> open_sealed(message, arbitro, table.verify_key)["secret"]
        {'card': '7H'}
        """
        plain = json.dumps({"table": topics.table, "event": event, "secret": dict(secret)}, ensure_ascii=False)
        key = self._keys.of(deal or 0)
        place = bound(CONTEXT, topics.sealed(deal), topics.table, deal or 0, event)
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
