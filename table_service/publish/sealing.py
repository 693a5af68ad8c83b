"""Hidden cards on their way to the arbitro: sealed for his key, signed by the table's."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox
from nacl.signing import SigningKey, VerifyKey

from hw.errors import TavoloError

SEALED: Final = "sealed"
"""Under this name the journal keeps a sealed message in the place of what is hidden."""
_CONTEXT: Final = b"tavolo-sealed-1\0"
_BLOCK: Final = 512
"""What is sealed is filled up to a multiple of so many bytes: its length does not tell how many cards it names."""


class SealError(TavoloError):
    """A sealed message that cannot be opened or was not signed by the table; one sentence."""


@dataclass(frozen=True)
class Sealing:
    """For whom the table seals (Curve25519 public key, 32 bytes), with which key it signs, and how long it lasts."""

    arbitro: bytes
    table_key: SigningKey
    expires: int = 6 * 3600

    def seal(self, table: str, event: str, secret: Mapping[str, Any]) -> bytes:
        """The secret part of ``event`` as a message that only the arbitro opens. A sealed box alone names no sender."""
        plain = json.dumps({"table": table, "event": event, "secret": dict(secret)}, ensure_ascii=False, sort_keys=True)
        filled = plain.encode()
        filled += b" " * (-len(filled) % _BLOCK)
        box = SealedBox(PublicKey(self.arbitro)).encrypt(filled)
        signature = self.table_key.sign(_CONTEXT + box).signature
        message = {
            "v": 1,
            "table": table,
            "event": event,
            "sealed": base64.b64encode(box).decode(),
            "signature": base64.b64encode(signature).decode(),
        }
        return json.dumps(message, separators=(",", ":")).encode()


def open_sealed(message: bytes, arbitro: PrivateKey, table_key: VerifyKey) -> dict[str, Any]:
    """What was sealed: ``{"table", "event", "secret"}``. Raises SealError.

    >>> arbitro, table = PrivateKey.generate(), SigningKey.generate()
    >>> message = Sealing(bytes(arbitro.public_key), table).seal("T12", "T12-b1-000007", {"card": "7H"})
    >>> sorted(json.loads(message))
    ['event', 'sealed', 'signature', 'table', 'v']
    >>> open_sealed(message, arbitro, table.verify_key)["secret"]
    {'card': '7H'}
    """
    try:
        outer = json.loads(message)
        box = base64.b64decode(outer["sealed"], validate=True)
        table_key.verify(_CONTEXT + box, base64.b64decode(outer["signature"], validate=True))
        inner = json.loads(SealedBox(arbitro).decrypt(box))
    except CryptoError as error:
        raise SealError("the sealed message was not signed by this table or not sealed for this key") from error
    except (ValueError, KeyError, TypeError) as error:
        raise SealError("this is no sealed message of a table") from error
    if (inner.get("table"), inner.get("event")) != (outer.get("table"), outer.get("event")):
        raise SealError("the sealed message does not belong to the event that it names")
    return dict(inner)
