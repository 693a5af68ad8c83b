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

LONGEST_LIFE: Final = 300.0
"""Longest life of an order in seconds: a table remembers ids, and an order that waits longer is void."""
LONGEST_BYTES: Final = 256 * 1024
"""Most bytes of an order: the longest that a console makes holds the record of a deal."""
CLOCK_SKEW: Final = 30.0
"""Seconds by which the console's clock may be ahead of the table's."""
ANYONE: Final = "*"
"""Name among the keys of the hall's console, which signs for any person signed in there."""
DEEDS: Final = frozenset(
    {
        "start-round",
        "seating",
        "deal",
        "start-play",
        "time-out",
        "rule",
        "foresee",
        "dismiss",
        "confirm",
        "warn",
        "correct",
        "said",
        "bonus",
        "end-round",
        "sheet-written",
        "sheet-correct",
    }
)
"""Orders that can be given: the ``do`` of a ``console`` observation."""
EVIDENCE: Final = "evidence"
"""The order that changes nothing at the table: send the picture ``ref``."""
TIME_PASSES: Final = "wait"
"""Note of a table to itself, no order: time passes for an order that waits while nothing is sensed."""
_ENVELOPE: Final = frozenset({"id", "by", "issued", "expires", "table", "do", "signature"})


@dataclass(frozen=True, slots=True)
class Command:
    """An order that has been read and verified."""

    id: str
    by: str
    do: str
    expires: float
    fields: dict[str, Any]


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
    """An order as it goes on the wire; it expires ``life`` seconds after ``issued``."""
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


def read_command(payload: bytes, *, table: str, keys: Mapping[str, str], now: float) -> Command | Refusal:
    """The order in ``payload``, or why it has no effect. Whether its id was seen before is the caller's to know.

    ``keys``: who may order, by name, and their public keys in hexadecimal; ``*`` is a console, which vouches for the
    names of those who are signed in there.
    """
    try:
        order = None if len(payload) > LONGEST_BYTES else json.loads(payload)
    except (ValueError, UnicodeDecodeError, RecursionError):
        order = None
    if not isinstance(order, dict):
        return Refusal(None, "unreadable", "Il comando non è leggibile.", "The command cannot be read.")
    name = order.get("id")
    known = name if isinstance(name, str) and _is_name(name) else None
    if known is None or not _well_formed(order):
        text = ("Il comando non è completo.", "The command is incomplete.")
        return Refusal(known, "malformed", *text)
    refusal = _unsigned(order, known, keys) or _untimely(order, known, now)
    if refusal is not None:
        return refusal
    if order["table"] != table:
        return Refusal(known, "other-table", "Il comando è per un altro tavolo.", "The command is for another table.")
    if order["do"] not in DEEDS and order["do"] != EVIDENCE:
        return Refusal(
            known, "unknown", "Il tavolo non conosce questo comando.", "The table does not know this command."
        )
    fields = {key: value for key, value in order.items() if key not in _ENVELOPE}
    return Command(known, order["by"], order["do"], float(order["expires"]), fields)


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
