"""Web push: a message encrypted for one browser (RFC 8291 over RFC 8188), and who sends it (VAPID, RFC 8292). Pure."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from hw.errors import TavoloError

RECORD: Final = 4096
"""Octets of the one record that a push service must carry."""
PADDED: Final = 1024
"""Every message has this length, so that what is seen of it on the way does not tell what it says."""
VALID_S: Final = 12 * 3600
"""So long a signature is good; a push service refuses one of more than a day."""


class PushError(TavoloError):
    """A subscription that is none, or a message that does not fit; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """Push address of one browser. ``endpoint``: its push service's address for it.

    ``p256dh``: the browser's public key, a point of P-256 uncompressed (65 octets); ``auth``: its secret (16).
    """

    endpoint: str
    p256dh: bytes
    auth: bytes

    @property
    def service(self) -> str:
        """The push service's host."""
        return urlsplit(self.endpoint).hostname or ""


def subscription(endpoint: str, p256dh: str, auth: str) -> Subscription:
    """Return a subscription as a browser reports it, its octets in base64url. Raises PushError."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise PushError("the push service's address is none") from None
    if parts.scheme != "https" or not parts.hostname or parts.username or port == 0 or len(endpoint) > 1500:
        raise PushError("a push service is reached over https only")
    if any(not 33 <= ord(letter) < 127 for letter in endpoint):
        raise PushError("the push service's address is none")
    try:
        key, secret = unb64(p256dh), unb64(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    except ValueError:
        raise PushError("the browser's key is no point of P-256") from None
    if len(key) != 65 or len(secret) != 16:
        raise PushError("the browser's key or secret has the wrong length")
    return Subscription(endpoint, key, secret)


def encrypt(message: bytes, to: Subscription, *, salt: bytes = b"", key: ec.EllipticCurvePrivateKey | None = None,
            padded: int = PADDED) -> bytes:  # fmt: skip
    """Return the body of a request with the content coding ``aes128gcm`` that only the browser ``to`` can read.

    ``salt`` and ``key``: for the example of RFC 8291 alone; else made anew for each message. ``padded``: the length of
    what is encrypted. Raises PushError for a message that does not fit.
    """
    if len(message) > RECORD - 103 or len(salt) not in (0, 16):
        raise PushError("a push message has at most 3993 octets")
    salt, own = salt or os.urandom(16), key or ec.generate_private_key(ec.SECP256R1())
    public = point(own)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), to.p256dh)
    shared = own.exchange(ec.ECDH(), theirs)
    secret = _derive(shared, to.auth, b"WebPush: info\0" + to.p256dh + public, 32)
    sealing = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    text = message + b"\x02" + bytes(max(0, padded - len(message)))
    return salt + RECORD.to_bytes(4, "big") + bytes([len(public)]) + public + AESGCM(sealing).encrypt(nonce, text, None)


def voucher(endpoint: str, key: ec.EllipticCurvePrivateKey, *, now: float, contact: str = "") -> str:
    """Return the header ``Authorization`` that says who sends (VAPID): a token signed by ``key`` for that push service.

    ``contact``: a ``mailto:`` or https address under which the service may reach who runs this console.
    """
    parts = urlsplit(endpoint)
    claims: dict[str, object] = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + VALID_S}
    if contact:
        claims["sub"] = contact
    head = b64(json.dumps({"typ": "JWT", "alg": "ES256"}, separators=(",", ":")).encode())
    signed = f"{head}.{b64(json.dumps(claims, separators=(',', ':')).encode())}"
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = b64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={b64(point(key))}"


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public half of ``key`` as browsers and push services want it: a point, uncompressed (65 octets)."""
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def private_key(seed: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the P-256 key whose secret number is kept as 32 octets."""
    return ec.derive_private_key(int.from_bytes(seed, "big"), ec.SECP256R1())


def new_seed() -> bytes:
    """Return the secret number of a new key, 32 octets."""
    return ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32, "big")


def b64(octets: bytes) -> str:
    """Octets in base64url without padding, as web push writes them."""
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """Return the octets of base64url, with or without padding. Raises ValueError."""
    if not text.isascii() or len(text) > 2000:
        raise ValueError("no base64url")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)
