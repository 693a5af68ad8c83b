"""The other end of web push for tests: a browser's keys, what it reads, and a push service over TLS on this machine."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import http.server
import ipaddress
import os
import ssl
import threading
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.x509.oid import NameOID

from table_service.console.remote import web_push


def opened(body: bytes, private: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """What a browser reads in ``body``: RFC 8188 and 8291 followed by hand, with HMAC instead of the library's HKDF."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    assert len(body) - 21 - length <= size
    sender = body[21 : 21 + length]
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)

    def mac(key: bytes, text: bytes) -> bytes:
        return hmac.new(key, text, hashlib.sha256).digest()

    own = web_push.point(private)
    secret = mac(mac(auth, private.exchange(ec.ECDH(), point)), b"WebPush: info\0" + own + sender + b"\1")
    seed = mac(salt, secret)
    key = mac(seed, b"Content-Encoding: aes128gcm\0\1")[:16]
    nonce = mac(seed, b"Content-Encoding: nonce\0\1")[:12]
    text = AESGCM(key).decrypt(nonce, body[21 + length :], None).rstrip(b"\0")
    assert text[-1:] == b"\2", "the last record"
    return text[:-1]


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that signs itself, and its key, as PEM files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "cert.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return paths


class PushService:
    """A push service at 127.0.0.1. ``answers``: the statuses of the next requests; 201 when there are none.

    While ``may_answer`` is not set it takes requests and keeps who asks waiting.
    """

    def __init__(self, folder: Path) -> None:
        self.cert, self.key = certificate(folder)
        self.heard: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[int] = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.changed = threading.Condition()
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with service.changed:
                    status = service.answers.pop(0) if service.answers else 201
                    service.heard.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                    service.changed.notify_all()
                service.may_answer.wait()
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cert, self.key)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self._server.server_address[1]}/push/abc"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def trust(self) -> ssl.SSLContext:
        """What a console must believe to reach it."""
        return ssl.create_default_context(cafile=str(self.cert))

    def wait(self, number: int, seconds: float = 20.0) -> list[tuple[str, dict[str, str], bytes]]:
        """The requests, once there are so many."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.heard) >= number, seconds), len(self.heard)
            return list(self.heard)

    def close(self) -> None:
        """No more requests."""
        self._server.shutdown()
        self._server.server_close()


class Browser:
    """A browser's keys, as it gives them to the console."""

    def __init__(self) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)

    def form(self, endpoint: str) -> dict[str, str]:
        """What its page posts."""
        public = web_push.b64(web_push.point(self.key))
        return {"endpoint": endpoint, "p256dh": public, "auth": web_push.b64(self.auth)}

    def read(self, body: bytes) -> bytes:
        """What it makes of a push."""
        return opened(body, self.key, self.auth)
