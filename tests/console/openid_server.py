"""A small OpenID provider on a server of the test's own: signs with joserfc, and can be made to say what is wrong."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "tavolo hall", "chi/ave: segreta"
"""With characters that basic authentication wants encoded (RFC 6749, 2.3.1)."""
_KEYS = [RSAKey.generate_key(2048, {"kid": f"key-{n}"}, private=True) for n in range(2)]


def _part(document: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).rstrip(b"=").decode()


class OpenIdServer:
    """``claims`` changes what an ID token says, ``header`` how it is signed; ``down``: nothing is answered but 503."""

    def __init__(self) -> None:
        self.signing, self.shown = _KEYS[0], [_KEYS[0]]
        self.claims: Callable[[dict[str, Any]], dict[str, Any]] = lambda claims: claims
        self.sign: Callable[[dict[str, Any]], str] | None = None
        self.metadata: dict[str, Any] = {}
        self.extra_keys: list[dict[str, Any]] = []
        self.down = False
        self.names_itself = True
        self.asked: list[str] = []
        self.codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.issuer = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def roll(self) -> None:
        """Sign with a new key, and show that one only."""
        self.signing, self.shown = _KEYS[1], [_KEYS[1]]

    def vouch(self, url: str, subject: str, **more: Any) -> str:
        """Somebody with the account ``subject`` has signed in where ``url`` led: the address that he comes back to."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert asked["client_id"] == CLIENT
        code = secrets.token_urlsafe(12)
        self.codes[code] = {**asked, "sub": subject, **more}
        answer = {"code": code, "state": asked["state"]}
        if self.names_itself:
            answer["iss"] = self.issuer
        return f"{asked['redirect_uri']}?{urlencode(answer)}"

    def published(self) -> dict[str, Any]:
        """The metadata of discovery."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize?kept=1",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "authorization_response_iss_parameter_supported": True,
            **self.metadata,
        }

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """The token endpoint: a code works once, for its client, address and verifier."""
        name, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        if (unquote(name), unquote(secret)) != (CLIENT, SECRET):
            return 401, {"error": "invalid_client"}
        held = self.codes.pop(form["code"], None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
        if held is None or held["code_challenge"] != challenge.decode() or held["redirect_uri"] != form["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = self.claims(
            {"iss": self.issuer, "sub": held["sub"], "aud": CLIENT, "iat": now, "exp": now + 60, "auth_time": now,
             "nonce": held["nonce"], "name": "Anna Rossi", "email": "anna@example.org"}
        )  # fmt: skip
        return 200, {"access_token": "x", "token_type": "Bearer", "id_token": (self.sign or self.signed)(claims)}

    def signed(self, claims: dict[str, Any]) -> str:
        """An ID token with the provider's signature."""
        return jwt.encode({"alg": "RS256", "kid": self.signing.kid}, claims, self.signing)

    def signed_with_the_public_key(self, claims: dict[str, Any]) -> str:
        """An ID token whose shared secret is the public key, which everybody has (algorithm confusion)."""
        signed = ".".join(map(_part, ({"alg": "HS256", "kid": self.signing.kid}, claims)))
        mark = hmac.digest(self.shown[0].as_pem(private=False), signed.encode(), "sha256")
        return f"{signed}.{base64.urlsafe_b64encode(mark).rstrip(b'=').decode()}"

    def unsigned(self, claims: dict[str, Any]) -> str:
        """An ID token that nobody has signed."""
        return f"{_part({'alg': 'none'})}.{_part(claims)}."

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.asked.append(self.path)
                match self.path:
                    case "/.well-known/openid-configuration":
                        self.say(200, provider.published())
                    case "/keys":
                        shown = [key.as_dict(private=False) for key in provider.shown]
                        self.say(200, {"keys": [*provider.extra_keys, *shown]})
                    case _:
                        self.say(404, {})

            def do_POST(self) -> None:
                provider.asked.append(self.path)
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(body).items()}
                self.say(*provider.token(form, self.headers.get("Authorization", "")))

            def say(self, status: int, document: dict[str, Any]) -> None:
                body = json.dumps(document).encode()
                self.send_response(503 if provider.down else status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: Any) -> None: ...

        return Handler
