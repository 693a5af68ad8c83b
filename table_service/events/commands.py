"""The arbitro's orders on the wire: how one is spelled, signed and read (interfaces, section 4).

An order names the table it is for, so that it cannot be replayed at another one, and it is signed with Ed25519 over
the JSON of everything but ``signature``: keys sorted, no spaces, UTF-8. Times are seconds since 1970 (UTC).
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from table_service.events.orders import ORDERS, Order, Orders, SendEvidence, WrongOrder, by_name, read_order

LONGEST_LIFE: Final = 300.0
"""Longest life of an order in seconds: a table remembers ids, and an order that waits longer is void."""
LONGEST_BYTES: Final = 256 * 1024
"""Most bytes of an order: the longest that a console makes holds the record of a deal."""
CLOCK_SKEW: Final = 30.0
"""Seconds by which the console's clock may be ahead of the table's."""
ANYONE: Final = "*"
"""Name among the keys of the hall's console, which signs for any person signed in there."""
_ENVELOPE: Final = frozenset({"id", "issued", "expires", "table", "signature"})


@dataclass(frozen=True, slots=True)
class Command:
    """An order that has been read and verified."""

    id: str
    expires: float
    order: Order


@dataclass(frozen=True, slots=True)
class Refusal:
    """An order that has no effect: ``reason`` a word for programs, ``it`` and ``en`` a sentence for people."""

    id: str | None
    reason: str
    it: str
    en: str


def signed_text(order: Mapping[str, Any]) -> bytes:
    """Return what is signed of an order."""
    bare = {key: value for key, value in order.items() if key != "signature"}
    return json.dumps(bare, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sign_command(
    key: SigningKey,
    *,
    id: str,  # noqa: A002
    by: str,
    table: str,
    do: str,
    issued: float,
    life: float = 30.0,
    fields: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return an order as it goes on the wire; it expires ``life`` seconds after ``issued``."""
    order: dict[str, Any] = {
        **(fields or {}),
        "id": id,
        "by": by,
        "table": table,
        "do": do,
        "issued": round(issued, 3),
        "expires": round(issued + life, 3),
    }
    order["signature"] = base64.b64encode(key.sign(signed_text(order)).signature).decode()
    return order


def read_command(
    payload: bytes, *, table: str, keys: Mapping[str, str], now: float, known: Orders = ORDERS
) -> Command | Refusal:
    """Return the order in ``payload``, or why it has no effect. Whether its id was seen before is the caller's to know.

    ``keys``: who may order, by name, and their public keys in hexadecimal; ``*`` is a console, which vouches for the
    names of those who are signed in there. ``known``: the orders of the table's game.
    """
    try:
        order = None if len(payload) > LONGEST_BYTES else json.loads(payload)
    except (ValueError, UnicodeDecodeError, RecursionError):
        order = None
    if not isinstance(order, dict):
        return Refusal(None, "unreadable", "Il comando non è leggibile.", "The command cannot be read.")
    name = order.get("id")
    known_id = name if isinstance(name, str) and _is_name(name) else None
    if known_id is None or not _well_formed(order):
        text = ("Il comando non è completo.", "The command is incomplete.")
        return Refusal(known_id, "malformed", *text)
    refusal = _unsigned(order, known_id, keys) or _untimely(order, known_id, now)
    if refusal is not None:
        return refusal
    if order["table"] != table:
        return Refusal(
            known_id, "other-table", "Il comando è per un altro tavolo.", "The command is for another table."
        )
    given = {key: value for key, value in order.items() if key not in _ENVELOPE}
    read = read_order(given, {**known, **by_name(SendEvidence)})
    if isinstance(read, WrongOrder):
        reason = "unknown" if read.field == "do" else "malformed"
        return Refusal(known_id, reason, f"{read.it[0].upper()}{read.it[1:]}.", f"{read.en[0].upper()}{read.en[1:]}.")
    return Command(known_id, float(order["expires"]), read)


def _is_name(text: str) -> bool:
    """Return whether ``text`` can name an order: it goes back with the answer, so that UTF-8 has to spell it."""
    return 0 < len(text) <= 80 and not any("\ud800" <= sign <= "\udfff" for sign in text)


def _well_formed(order: dict[str, Any]) -> bool:
    texts = all(isinstance(order.get(key), str) and order[key] for key in ("by", "do", "table"))
    times = all(
        isinstance(order.get(key), (int, float)) and not isinstance(order.get(key), bool) and abs(order[key]) < 1e12
        for key in ("issued", "expires")
    )
    return texts and times


def _unsigned(order: dict[str, Any], name: str, keys: Mapping[str, str]) -> Refusal | None:
    if "signature" not in order:
        return Refusal(name, "unsigned", "Il comando non è firmato.", "The command is not signed.")
    key = keys.get(order["by"]) or keys.get(ANYONE)
    if key is None:
        return Refusal(name, "unknown-key", "Chi ordina non è noto al tavolo.", "The table does not know who orders.")
    try:
        signature = base64.b64decode(str(order["signature"]), validate=True)
        VerifyKey(bytes.fromhex(key)).verify(signed_text(order), signature)
    except (BadSignatureError, ValueError, TypeError, binascii.Error):
        return Refusal(name, "bad-signature", "La firma del comando non è valida.", "The command's signature is wrong.")
    return None


def _untimely(order: dict[str, Any], name: str, now: float) -> Refusal | None:
    issued, expires = float(order["issued"]), float(order["expires"])
    if not issued <= expires <= issued + LONGEST_LIFE or issued > now + CLOCK_SKEW:
        text = ("I tempi del comando non sono plausibili.", "The command's times make no sense.")
        return Refusal(name, "bad-times", *text)
    if now > expires:
        return Refusal(name, "stale", "Il comando è scaduto.", "The command has expired.")
    return None
