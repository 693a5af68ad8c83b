"""A key for each deal: what is hidden is encrypted with it, and the key itself is sealed for the arbitro alone.

XChaCha20-Poly1305 with random nonces; what a box belongs to (topic, table, deal, number) is bound to it as associated
data, so that one that is put elsewhere does not open. The deal's key travels in a libsodium sealed box.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt,
    crypto_aead_xchacha20poly1305_ietf_KEYBYTES,
    crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
)
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox
from nacl.utils import random

from hw.errors import TavoloError

KEY_BYTES: Final = crypto_aead_xchacha20poly1305_ietf_KEYBYTES
NONCE_BYTES: Final = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
KEPT: Final = 4
"""Number of deals whose keys are held in memory: events of a deal end a little after it, never long after."""


class SealError(TavoloError):
    """Something sealed that cannot be opened or was not signed by the table; one sentence."""


def bound(*parts: str | int | bytes) -> bytes:
    """Parts with their lengths, so that no two lists of parts spell the same bytes.

    >>> bound("ab", "c") == bound("a", "bc")
    False
    """
    plain = [part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass") for part in parts]
    return b"".join(len(part).to_bytes(8, "big") + part for part in plain)


def filled(plain: bytes, block: int) -> bytes:
    """Return ``plain`` with blanks up to a multiple of ``block`` bytes: the length of what is sealed reveals little."""
    return plain + b" " * (-len(plain) % block)


@dataclass(frozen=True, slots=True)
class DealKey:
    """The key of one deal, and the same key sealed for the arbitro."""

    key: bytes = field(repr=False)
    wrapped: bytes

    @classmethod
    def made_for(cls, arbitro: bytes) -> DealKey:
        """Return a new key, sealed for the public Curve25519 key ``arbitro`` (32 bytes)."""
        key = random(KEY_BYTES)
        return cls(key, SealedBox(PublicKey(arbitro)).encrypt(key))

    def lock(self, plain: bytes, belongs_to: bytes) -> bytes:
        """Return ``plain`` encrypted and bound to ``belongs_to``; the nonce comes before it."""
        nonce = random(NONCE_BYTES)
        return nonce + crypto_aead_xchacha20poly1305_ietf_encrypt(plain, belongs_to, nonce, self.key)


def unwrap(wrapped: bytes, arbitro: PrivateKey) -> bytes:
    """Return the deal's key. Raises SealError."""
    try:
        key = SealedBox(arbitro).decrypt(wrapped)
    except (CryptoError, ValueError, TypeError) as error:
        raise SealError("the deal's key was not sealed for this key") from error
    if len(key) != KEY_BYTES:
        raise SealError("the deal's key is none")
    return key


def unlock(box: bytes, key: bytes, belongs_to: bytes) -> bytes:
    """Return what ``lock`` encrypted. Raises SealError if it was altered or belongs elsewhere.

    >>> arbitro = PrivateKey.generate()
    >>> deal = DealKey.made_for(bytes(arbitro.public_key))
    >>> unlock(deal.lock(b"7H", b"deal 1"), unwrap(deal.wrapped, arbitro), b"deal 1")
    b'7H'
    """
    nonce, text = box[:NONCE_BYTES], box[NONCE_BYTES:]
    try:
        return bytes(crypto_aead_xchacha20poly1305_ietf_decrypt(text, belongs_to, nonce, key))
    except (CryptoError, ValueError, TypeError) as error:
        raise SealError("what is sealed was altered, or belongs elsewhere") from error


class DealKeys:
    """The keys of the deals that are played now; in memory alone, so that who takes the disk has none of them."""

    def __init__(self, arbitro: bytes) -> None:
        self._arbitro = arbitro
        self._keys: dict[int, DealKey] = {}

    def of(self, deal: int) -> DealKey:
        """Return the key of ``deal``, made when it is first asked for; a second one if that was too long ago."""
        if deal not in self._keys:
            self._keys = dict(list(self._keys.items())[1 - KEPT :]) | {deal: DealKey.made_for(self._arbitro)}
        return self._keys[deal]
