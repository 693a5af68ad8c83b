"""An OpenID provider: its metadata and keys, the way there, the code for an ID token, and that token verified.

OpenID Connect Core 1.0 and Discovery 1.0, authorization code flow with PKCE (RFC 7636) and the issuer in the answer
(RFC 9207). Of what the provider sends only account and name are given on; no token outlives the call.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import httpx
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

from table_service.console.openid_flows import NotVouchedError, OpenIdFlow, ProviderAwayError, VouchedSubject
from table_service.console.plain_names import plain_name
from table_service.console.settings import OpenIdSettings
from table_service.console.sign_in_config import is_protected_address
from table_service.events.untrusted import as_map, as_number

log = logging.getLogger(__name__)
ALGORITHMS: Final = ("RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519")
"""Signatures that are accepted; neither ``none`` nor one with the client's secret, which would sign as the provider."""
PATIENCE_S: Final = 10.0
METADATA_S: Final = 3600.0
"""Seconds for which metadata and keys are used without asking again."""
AGAIN_S: Final = 5.0
"""Seconds for which a provider that did not answer is not asked again, and new keys are not looked for again."""
ANSWER_MOST: Final = 512 * 1024
SUBJECT_MOST: Final = 255
_PublicKey = RSAKey | ECKey | OKPKey


@dataclass(frozen=True, slots=True)
class ProviderMetadata:
    """Metadata of a provider. ``basic``: the secret goes into a header. ``names_issuer``: answers name the issuer."""

    authorize: str
    token: str
    jwks: str
    basic: bool
    names_issuer: bool


class OpenIdProvider:
    """The provider of ``settings``. ``clock``: seconds since 1970. To be used in one event loop."""

    def __init__(self, settings: OpenIdSettings, clock: Callable[[], float] = time.time) -> None:
        self._settings = settings
        self._clock = clock
        self._tls = settings.tls or ssl.create_default_context()
        self._asking = asyncio.Lock()
        self._metadata: tuple[float, ProviderMetadata] | None = None
        self._keys: tuple[float, tuple[_PublicKey, ...]] | None = None
        self._failed: float | None = None

    # -- the way there -----------------------------------------------------------------------------------------------

    async def authorization(self, flow: OpenIdFlow) -> str:
        """Return the address at which the provider asks a person who he is. Raises ProviderAwayError."""
        metadata = await self._discovered()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(flow.verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": self._settings.redirect,
            # A name is asked for only where somebody will have to tell who that is.
            "scope": "openid profile" if self._settings.waits else "openid",
            "state": flow.state,
            "nonce": flow.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        if self._settings.each_time:
            asked |= {"prompt": "login", "max_age": "0"}
        return str(httpx.URL(metadata.authorize).copy_merge_params(asked))

    async def vouched(self, flow: OpenIdFlow, code: str, issuer: str | None) -> VouchedSubject:
        """Return who came back with ``code``; ``issuer``: as the answer names it, if it does.

        Raises ProviderAwayError, and NotVouchedError if the provider's word does not hold.
        """
        metadata = await self._discovered()
        if issuer != self._settings.issuer and (issuer is not None or metadata.names_issuer):
            raise NotVouchedError("the answer names another issuer, or none")  # mix-up, RFC 9207
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._settings.redirect,
            "code_verifier": flow.verifier,
        }
        headers = {}
        name, secret = self._settings.client_id, self._settings.client_secret
        if secret is not None and metadata.basic:  # RFC 6749, 2.3.1: both form-encoded first
            pair = f"{quote(name, safe='')}:{quote(secret, safe='')}"
            headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        else:
            form |= {"client_id": name} | ({} if secret is None else {"client_secret": secret})
        status, told = await self._ask("POST", metadata.token, data=form, headers=headers)
        if status != 200:
            error = plain_name(str(told.get("error", "")))[:60]
            if status == 400 and error == "invalid_grant":
                raise NotVouchedError("the provider does not take the code")
            raise ProviderAwayError(f"the OpenID provider answered {status} {error} when asked for a token")
        token = told.get("id_token")
        if not isinstance(token, str):
            raise NotVouchedError("the provider sent no ID token")
        return self._subject(await self._claims(token), flow)

    # -- the ID token ------------------------------------------------------------------------------------------------

    def _subject(self, claims: Mapping[str, Any], flow: OpenIdFlow) -> VouchedSubject:
        """Return whose ID token it is. Raises NotVouchedError unless it is this console's, for this flow, now."""
        mine, now = self._settings, self._clock()
        registry = jwt.JWTClaimsRegistry(
            now=int(now), leeway=int(mine.skew), iss={"essential": True, "value": mine.issuer}, sub={"essential": True},
            aud={"essential": True, "value": mine.client_id}, exp={"essential": True}, iat={"essential": True},
        )  # fmt: skip
        try:
            registry.validate(dict(claims))
        except JoseError as error:
            raise NotVouchedError(f"the ID token does not hold: {error}"[:200]) from None
        audience, party = claims["aud"], claims.get("azp")
        if party not in (None, mine.client_id) or (party is None and isinstance(audience, list) and len(audience) > 1):
            raise NotVouchedError("the ID token is another client's")
        nonce = claims.get("nonce")
        if not isinstance(nonce, str) or not hmac.compare_digest(nonce.encode("utf-8", "replace"), flow.nonce.encode()):
            raise NotVouchedError("the ID token is another sign-in's")
        if mine.each_time and not _asked_since(claims.get("auth_time"), flow.begun - mine.skew - 1):
            raise NotVouchedError("the provider did not ask anew who it is", "openid_not_anew")
        subject = claims.get(mine.claim)
        if not isinstance(subject, str) or not 0 < len(subject) <= SUBJECT_MOST or not subject.isprintable():
            raise NotVouchedError(f"the ID token has no '{mine.claim}' that could be an account")
        name = claims.get("name")
        return VouchedSubject(subject, plain_name(name)[:60] if isinstance(name, str) else "")

    async def _claims(self, token: str) -> Mapping[str, Any]:
        """Return what a signed token says; new keys are looked for once. Raises NotVouchedError, ProviderAwayError."""
        for fresh in (False, True):
            claims = _verified(token, await self._public_keys(fresh=fresh))
            if claims is not None:
                return claims
        raise NotVouchedError("the ID token is not signed by the provider")

    # -- what the provider publishes -----------------------------------------------------------------------------------

    async def _discovered(self) -> ProviderMetadata:
        async with self._asking:
            now = self._clock()
            if self._metadata is not None and 0 <= now - self._metadata[0] < METADATA_S:
                return self._metadata[1]
            if self._failed is not None and 0 <= now - self._failed < AGAIN_S:
                raise ProviderAwayError("the OpenID provider did not answer a moment ago")
            try:
                url = f"{self._settings.issuer.rstrip('/')}/.well-known/openid-configuration"
                found = self._read(await self._published(url))
            except ProviderAwayError:
                self._failed = now
                raise
            self._metadata, self._failed = (now, found), None
            return found

    def _read(self, told: Mapping[str, Any]) -> ProviderMetadata:
        if told.get("issuer") != self._settings.issuer:
            raise ProviderAwayError("the OpenID provider calls itself otherwise than 'issuer' in the configuration")
        places = [told.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
        authorize, token, jwks = (one if isinstance(one, str) and is_protected_address(one) else "" for one in places)
        if not (authorize and token and jwks):
            raise ProviderAwayError("the OpenID provider names no addresses that can be trusted")
        ways = told.get("token_endpoint_auth_methods_supported")
        basic = not isinstance(ways, list) or "client_secret_basic" in ways or "client_secret_post" not in ways
        names = told.get("authorization_response_iss_parameter_supported") is True
        return ProviderMetadata(authorize, token, jwks, basic, names)

    async def _public_keys(self, *, fresh: bool) -> tuple[_PublicKey, ...]:
        """Return the provider's keys; ``fresh``: asked for anew, as those kept do not fit (it has changed them)."""
        metadata = await self._discovered()
        async with self._asking:
            now = self._clock()
            if self._keys is not None and 0 <= now - self._keys[0] < (AGAIN_S if fresh else METADATA_S):
                return self._keys[1]
            told = (await self._published(metadata.jwks)).get("keys")
            found = [_public_key(as_map(one)) for one in (told if isinstance(told, list) else [])[:100]]
            self._keys = (now, tuple(one for one in found if one is not None))
            return self._keys[1]

    async def _published(self, url: str) -> Mapping[str, Any]:
        status, told = await self._ask("GET", url)
        if status != 200:
            raise ProviderAwayError(f"the OpenID provider answered {status}")
        return told

    async def _ask(self, method: str, url: str, **sent: Any) -> tuple[int, Mapping[str, Any]]:
        """Return status and JSON object of an answer; no redirection is followed. Raises ProviderAwayError."""
        body, status = b"", None
        try:
            async with (
                asyncio.timeout(PATIENCE_S),
                httpx.AsyncClient(verify=self._tls, timeout=PATIENCE_S, trust_env=False) as client,
                client.stream(method, url, **sent) as answer,
            ):
                status = answer.status_code
                async for chunk in answer.aiter_bytes():
                    body += chunk
                    if len(body) > ANSWER_MOST:
                        raise ProviderAwayError("the OpenID provider's answer is too long")
            return status, as_map(json.loads(body) if body else {})
        except (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError) as error:
            raise ProviderAwayError(f"the OpenID provider is not reached: {error or type(error).__name__}") from None
        except (ValueError, RecursionError):
            if status is not None and status != 200:
                return status, {}
            raise ProviderAwayError("the OpenID provider's answer is no JSON") from None


def _asked_since(told: object, moment: float) -> bool:
    """Return True if an ID token tells that the provider asked the person at ``moment`` or later."""
    asked = as_number(told)
    return asked is not None and asked >= moment


def _public_key(told: Mapping[str, Any]) -> _PublicKey | None:
    """Return a key that may sign ID tokens; None for any other, such as one for encryption or a shared secret."""
    if told.get("use", "sig") != "sig" or told.get("kty") not in ("RSA", "EC", "OKP"):
        return None
    try:
        key = JWKRegistry.import_key({name: value for name, value in told.items() if name != "d"})
    except (JoseError, ValueError, TypeError, KeyError, AttributeError):
        return None  # of a kind that is unknown here, or damaged: the others are there
    if not isinstance(key, RSAKey | ECKey | OKPKey):
        return None
    return None if isinstance(key, RSAKey) and key.raw_value.key_size < 2048 else key


def _verified(token: str, keys: tuple[_PublicKey, ...]) -> Mapping[str, Any] | None:
    """Return the claims of a token that one of ``keys`` has signed, as its header names it; None if none has."""
    try:
        header = jws.extract_compact(token.encode()).headers()
    except (JoseError, ValueError, TypeError):
        return None
    kid = header.get("kid")
    for key in keys:
        if kid is not None and key.kid != kid:
            continue
        try:
            return jwt.decode(token, key, algorithms=list(ALGORITHMS)).claims
        except (JoseError, ValueError, TypeError):
            continue
    return None
