"""Configuration of ways to sign in beside the console's own accounts: an OpenID provider (TOML)."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from hw.errors import WrongValueError
from hw.table_sections import Strict, is_local

CHANGEABLE: Final = frozenset(
    {
        "email",
        "family_name",
        "given_name",
        "name",
        "nickname",
        "phone_number",
        "preferred_username",
        "unique_name",
        "upn",
    }
)
"""Claims that a person can change, or that pass to another person (OpenID Connect Core 1.0, section 5.7)."""


def is_protected_address(url: str) -> bool:
    """Return True for https, or http on this machine, with a host and neither a person nor a fragment in it."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError for one that is none
    except ValueError:
        return False
    host = parts.hostname or ""
    plain = parts.scheme == "http" and is_local(host)
    return bool(host) and (parts.scheme == "https" or plain) and "@" not in parts.netloc and "#" not in url


class OpenIdSection(Strict):
    """An OpenID provider that vouches for people, and this console as it is registered there."""

    label: str = Field(min_length=1, max_length=40, description="what people call the provider; on the button")
    issuer: str = Field(description="the provider's issuer, such as https://login.example/realms/club")
    client_id: str = Field(min_length=1, max_length=200, description="this console's name at the provider")
    client_secret_file: Path | None = Field(None, description="file with this console's secret there, private")
    address: str = Field(description="this console's own address as browsers have it, such as https://hall:8443")
    ca_file: Path | None = Field(None, description="PEM file with the provider's authority; else the system's")
    claim: str = Field("sub", pattern=r"^[A-Za-z0-9_.:/-]{1,100}$", description="the claim that is the account")
    unknown: Literal["refuse", "wait"] = Field(
        "refuse", description="who is linked to nobody: refused, or noted for whoever lets people in"
    )
    each_time: bool = Field(True, description="the provider asks who it is each time: tablets go from hand to hand")
    skew: float = Field(60, ge=0, le=300, description="seconds that the provider's clock may differ")

    @field_validator("issuer", "address")
    @classmethod
    def _protected(cls, url: str) -> str:
        if not is_protected_address(url) or "?" in url:
            raise WrongValueError(
                f"'{url}' is no address that can be trusted: write https://HOST (http on this machine only)",
                f"«{url}» non è un indirizzo di cui fidarsi: scrivi https://HOST (http solo su questa macchina)",
            )
        return url

    @field_validator("address")
    @classmethod
    def _without_path(cls, url: str) -> str:
        if urlsplit(url).path not in ("", "/"):
            raise WrongValueError(
                f"'{url}' has a path: write the console's address alone, https://HOST:PORT",
                f"«{url}» ha un percorso: scrivi solo l’indirizzo della console, https://HOST:PORTA",
            )
        return url.rstrip("/")

    @field_validator("claim")
    @classmethod
    def _stays(cls, claim: str) -> str:
        if claim in CHANGEABLE:
            raise WrongValueError(
                f"'{claim}' can change or pass to another person: an account is 'sub', or an id that stays",
                f"«{claim}» può cambiare o passare a un’altra persona: un account è «sub», o un numero che resta",
            )
        return claim


class SignInSection(Strict):
    """Ways to sign in beside the console's own accounts."""

    openid: OpenIdSection | None = None
