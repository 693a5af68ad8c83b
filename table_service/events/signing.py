"""Signatures of events: a table signs its messages with the key of its certificate, and a console checks them.

The field ``signature`` is ``key.value``: ``key`` identifies the certificate's key, ``value``
is ECDSA (P-256, SHA-256) in base64 over the JSON of everything but ``signature`` and ``late`` (keys sorted, no spaces,
UTF-8) and the kind of message. Certificates are on the topic ``identity``, retained. A listener that knows none of this
continues as before.

From 25 November 2026 on a table signs all its messages but its certificates: answers to orders, lists of pictures,
the extent of its journal, and events that are sent again (``SPOKEN``). The end of an alert is an empty message;
the signed state names the alerts in force (``alerts``).

State, status and health bear ``boot`` and ``said``, too: a message that is older than an accepted one is refused
(``place_of``), so that an old one cannot be replayed.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

CERTIFICATES_MOST: Final = 4
"""Most certificates that a table names, the newest: its journal still has events signed with the earlier ones."""
_CERTIFICATE_MOST: Final = 8000
_UNSIGNED: Final = frozenset({"signature", "late"})
"""Fields that are not covered: that an event comes late is added when it is sent, and sent again."""
Kind = Literal["event", "alert", "state", "status", "health", "answer", "pictures", "journal", "resent"]
STANDING: Final[Mapping[str, Kind]] = {"state": "state", "status": "status", "health": "health"}
"""Kinds that tables of before 23 November 2026 do not sign: unsigned ones are taken until a signed one has come."""
SPOKEN: Final[Mapping[str, Kind]] = {
    "command": "answer",
    "pictures": "pictures",
    "journal": "journal",
    "resent": "resent",
}
"""Kinds that tables of before 25 November 2026 do not sign, by their topics: who has signed one must sign them all."""
_HOW: Final = ec.ECDSA(hashes.SHA256())
_ENDS: Final = frozenset({"lost", "stopped"})
"""States after which nothing more comes on a connection."""
_SPOKEN_KINDS: Final = frozenset(SPOKEN.values())
Verdict = Literal["signed", "unsigned", "refused"]


def _covered(kind: Kind, document: Mapping[str, Any]) -> bytes:
    text = json.dumps(_told(document), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"tavolo-{kind}-1\0{text}".encode("utf-8", "surrogatepass")


def _told(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in _UNSIGNED}


def _spellings(kind: Kind, document: Mapping[str, Any]) -> Iterator[bytes]:
    """Return what a signature of ``document`` may cover: as msgspec writes it, a fifth of the work, then as signed.

    They differ in how few numbers are spelled (1e16). What msgspec cannot say (Infinity, which it writes as null)
    does not come back the same and is left to the other: nothing but ``document`` is ever proven.
    """
    told, quick = _told(document), b""
    with suppress(ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        text = msgspec.json.encode(told, order="sorted")
        if msgspec.json.decode(text) == told:
            quick = f"tavolo-{kind}-1\0".encode() + text
    if quick:
        yield quick
    if (plain := _covered(kind, document)) != quick:
        yield plain


def _name_of(key: ec.EllipticCurvePublicKey) -> str:
    """Return the key's own name: 16 hexadecimal digits of its hash."""
    plain = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    digest = hashes.Hash(hashes.SHA256())
    digest.update(plain)
    return str(digest.finalize().hex()[:16])


def _has_signed(key: ec.EllipticCurvePublicKey, value: str, kind: Kind, document: Mapping[str, Any]) -> bool:
    """Return True if ``value``, a signature in base64, is that of ``key`` over ``document``."""
    try:
        signature = base64.b64decode(value, validate=True)
        return any(_proves(key, signature, text) for text in _spellings(kind, document))
    except (binascii.Error, ValueError, RecursionError):
        return False


def _proves(key: ec.EllipticCurvePublicKey, signature: bytes, text: bytes) -> bool:
    try:
        key.verify(signature, text, _HOW)
    except InvalidSignature:
        return False
    return True


class SigningIdentity:
    """Signing identity of a table: its certificate and the key that belongs to it, PEM.

    Raises ValueError if they are not valid, or do not belong together.
    """

    def __init__(self, certificate: bytes, key: bytes) -> None:
        loaded = serialization.load_pem_private_key(key, None)
        made = x509.load_pem_x509_certificate(certificate)
        if not isinstance(loaded, ec.EllipticCurvePrivateKey) or loaded.public_key() != made.public_key():
            raise ValueError("the key is none on a curve, or not this certificate's")
        self._key = loaded
        self.name = _name_of(loaded.public_key())
        self.certificate = made.public_bytes(serialization.Encoding.PEM).decode()

    def sign(self, kind: Kind, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``document`` with its signature."""
        value = self._key.sign(_covered(kind, document), _HOW)
        return {**document, "signature": f"{self.name}.{base64.b64encode(value).decode()}"}


def introduction(table: str, certificates: Iterable[str]) -> dict[str, Any]:
    """Return the ``identity`` message: the certificates, PEM, newest last, whose keys this table has signed with."""
    return {"v": 1, "table": table, "certificates": list(certificates)[-CERTIFICATES_MOST:]}


@dataclass(slots=True)
class Voices:
    """Tables that a console accepts: their certificates are signed by the hall's authority, in the table's own name.

    ``subject``: the name that a table's certificate bears. ``revoked``: the serial numbers of those that are revoked,
    asked whenever a key is used. The end of a certificate is the broker's to check, which lets no table in after it: a
    table whose clock is behind is not made mute here.
    """

    authority: x509.Certificate
    subject: Callable[[str], str]
    revoked: Callable[[], frozenset[int]] = frozenset
    must_sign: bool = False
    """True if a table that has never shown a certificate is refused too."""
    _sign_all: set[tuple[str, Kind]] = field(default_factory=set)
    """Tables that have signed a message of a standing kind: they must from then on."""
    _known: dict[str, dict[str, tuple[ec.EllipticCurvePublicKey, int]]] = field(default_factory=dict)

    def introduce(self, table: str, document: Mapping[str, Any]) -> int:
        """Take in the certificates that ``table`` names. Returns how many are not its own, or not of this hall."""
        named = document.get("certificates")
        wrong = 0
        for pem in (named if isinstance(named, list) else [])[-CERTIFICATES_MOST:]:
            found = self._own(table, pem)
            if found is None:
                wrong += 1
                continue
            key, serial = found
            keys = self._known.setdefault(table, {})
            name = _name_of(key)
            keys.pop(name, None)
            keys[name] = (key, serial)
            while len(keys) > CERTIFICATES_MOST:
                del keys[next(iter(keys))]
        return wrong

    def _own(self, table: str, pem: object) -> tuple[ec.EllipticCurvePublicKey, int] | None:
        """Key and number of a certificate, where the authority gave it to ``table``."""
        if not isinstance(pem, str) or len(pem) > _CERTIFICATE_MOST:
            return None
        try:
            made = x509.load_pem_x509_certificate(pem.encode())
            made.verify_directly_issued_by(self.authority)
            names = [one.value for one in made.subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
            key = made.public_key()
        except (ValueError, TypeError, InvalidSignature, x509.InvalidVersion):
            return None
        if names != [self.subject(table)] or not isinstance(key, ec.EllipticCurvePublicKey):
            return None
        return key, made.serial_number

    def own_serial(self, table: str, pem: object) -> int | None:
        """Return the number of a certificate that the hall's authority gave to ``table``; None for any other."""
        found = self._own(table, pem)
        return None if found is None else found[1]

    def knows(self, table: str) -> bool:
        """Return True if ``table`` has shown a certificate of its own."""
        return table in self._known

    def may_begin_to_sign(self, table: str, kind: Kind) -> bool:
        """Return True if ``table`` has shown a certificate, and no signed message of a standing kind yet."""
        return table in self._known and (table, kind) not in self._sign_all

    def judge(self, kind: Kind, table: str, document: Mapping[str, Any]) -> Verdict:
        """Judge whether ``document`` is this table's own. Once it has shown a certificate, a table must sign."""
        known = self._known.get(table)
        if known is None:
            return "refused" if self.must_sign else "unsigned"
        if "signature" not in document and self._may_be_unsigned(table, kind):
            return "unsigned"
        if kind == "event" and document.get("table") != table:
            return "refused"
        name, _, value = str(document.get("signature") or "").partition(".")
        key, serial = known.get(name, (None, 0))
        if key is None or serial in self.revoked() or not _has_signed(key, value, kind, document):
            return "refused"
        if kind in STANDING:
            self._sign_all.add((table, kind))
        elif kind in _SPOKEN_KINDS:
            self._sign_all.update((table, one) for one in _SPOKEN_KINDS)
        return "signed"

    def _may_be_unsigned(self, table: str, kind: Kind) -> bool:
        """Return True if a table that has shown a certificate may send this without a signature: its software is older.

        For messages on ``SPOKEN`` topics that holds even if all must sign: without it a table's older software
        would be there and answer nothing. Events and alerts are signed by every software that has a certificate.
        """
        if (table, kind) in self._sign_all:
            return False
        return kind in _SPOKEN_KINDS or (kind in STANDING and not self.must_sign)


Place = tuple[int, int, bool]


def place_of(document: Mapping[str, Any]) -> Place | None:
    """Return the place of a state, status or health among its kind: start, number, and whether it ends a connection.

    None if it names none. Places of one table grow; a message that is sent again has the place that it had.

    >>> place_of({"boot": "00003f", "said": 7, "state": "lost"}) > place_of({"boot": "00003f", "said": 7})
    True
    """
    boot, said = document.get("boot"), document.get("said")
    if not isinstance(boot, str) or not isinstance(said, int):
        return None
    try:
        return int(boot, 16), said, document.get("state") in _ENDS
    except ValueError:
        return None


def load_authority(pem: bytes) -> x509.Certificate:
    """Return the authority's certificate. Raises ValueError if it is not valid."""
    return x509.load_pem_x509_certificate(pem)


def revoked_serials(pem: bytes, authority: x509.Certificate) -> frozenset[int]:
    """Return the numbers on the authority's list of what is revoked. Raises ValueError: none, or not its own."""
    told = x509.load_pem_x509_crl(pem)
    key = authority.public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey) or not told.is_signature_valid(key):
        raise ValueError("the list of what is revoked is not this authority's")
    return frozenset(one.serial_number for one in told)
