"""Content of a card: all that a table needs to come into a hall, closed with a code that is not on the card.

``TAVOLO1:`` and then base32, which a QR code takes as letters: salt, and a sealed box (XSalsa20-Poly1305 under a key
that Argon2id makes of code and salt) of the compressed contents. A photograph of the card is useless without the
code.
"""

from __future__ import annotations

import base64
import binascii
import json
import secrets
import zlib
from dataclasses import dataclass
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from nacl import pwhash, utils
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from table_service.hall.authority import private_pem
from table_service.hall.errors import HallError

PREFIX: Final = "TAVOLO1:"
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_LENGTH: Final = 10
"""Letters of the code, 50 bits: with Argon2id, 64 MiB a try, they cannot all be tried."""
_SALT: Final = pwhash.argon2id.SALTBYTES
_MOST: Final = 8192
"""Most bytes of a card's contents when they are unpacked."""


@dataclass(frozen=True, slots=True)
class Card:
    """The contents: whose table, where its broker is, and the PEM texts that let it in."""

    hall: str
    table: str
    host: str
    port: int
    authority: bytes
    certificate: bytes
    key: bytes


def new_code() -> str:
    """Return a code that opens one card, as ``ABCDE-FGHJK``: no letter that reads as another."""
    drawn = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
    return f"{drawn[:5]}-{drawn[5:]}"


def write_card(card: Card, code: str) -> str:
    """Return the card's text, closed with ``code``."""
    key = serialization.load_pem_private_key(card.key, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise HallError("a card holds a key on a curve")
    number = key.private_numbers().private_value.to_bytes(32, "big")
    head = json.dumps([card.hall, card.table, card.host, card.port], separators=(",", ":")).encode()
    parts = (head, number, _der(card.authority), _der(card.certificate))
    packed = zlib.compress(b"".join(len(part).to_bytes(2, "big") + part for part in parts), 9)
    salt = utils.random(_SALT)
    sealed = salt + SecretBox(_key(code, salt)).encrypt(packed)
    return PREFIX + base64.b32encode(sealed).decode("ascii").rstrip("=")


def read_card(text: str, code: str) -> Card:
    """Return the contents of a card's ``text``. Raises HallError: no card, a damaged one, or not its code."""
    letters = "".join(text.split()).upper()
    if not letters.startswith(PREFIX):
        raise HallError("this is no card of a hall")
    letters = letters.removeprefix(PREFIX)
    try:
        sealed = base64.b32decode(letters + "=" * (-len(letters) % 8))
        packed = SecretBox(_key(code, sealed[:_SALT])).decrypt(sealed[_SALT:])
        return _contents(zlib.decompressobj().decompress(packed, _MOST))
    except CryptoError:
        raise HallError("the code does not open this card: check both, or ask for a new card") from None
    except (binascii.Error, ValueError, TypeError, zlib.error, x509.InvalidVersion):
        raise HallError("the card's text is damaged") from None


def _contents(parts: bytes) -> Card:
    found: list[bytes] = []
    while parts:
        length = int.from_bytes(parts[:2], "big")
        found.append(parts[2 : 2 + length])
        parts = parts[2 + length :]
    head, number, authority, certificate = found
    hall, table, host, port = json.loads(head)
    key = ec.derive_private_key(int.from_bytes(number, "big"), ec.SECP256R1())
    return Card(str(hall), str(table), str(host), int(port), _pem(authority), _pem(certificate), private_pem(key))


def _key(code: str, salt: bytes) -> bytes:
    """Return the key that ``code`` makes; letters that read as others are those, case and dashes do not matter."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    plain = plain.replace("O", "0").replace("I", "1").replace("L", "1").replace("U", "V")
    key: bytes = pwhash.argon2id.kdf(
        SecretBox.KEY_SIZE,
        plain.encode(),
        salt,
        opslimit=pwhash.argon2id.OPSLIMIT_INTERACTIVE,
        memlimit=pwhash.argon2id.MEMLIMIT_INTERACTIVE,
    )
    return key


def _der(pem: bytes) -> bytes:
    der: bytes = x509.load_pem_x509_certificate(pem).public_bytes(serialization.Encoding.DER)
    return der


def _pem(der: bytes) -> bytes:
    pem: bytes = x509.load_der_x509_certificate(der).public_bytes(serialization.Encoding.PEM)
    return pem
