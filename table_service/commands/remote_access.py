"""Data that may leave a hall, by its configuration: secrets and authorities read from their files."""

from __future__ import annotations

import ssl
from pathlib import Path

from hw.errors import ServiceError
from table_service.commands.broker_access import credential
from table_service.console.hall_config import MailSection, OtherHallSection, RemoteSection
from table_service.console.remote.sharing import MailServer, OtherHall, RemoteSettings
from table_service.console.settings import OpenIdSettings
from table_service.console.sign_in_config import SignInSection


def remote_settings(section: RemoteSection) -> RemoteSettings:
    """Return the ways out of the hall and the other halls. Raises ServiceError if a file cannot be used."""
    halls = tuple(map(_other_hall, section.halls))
    return RemoteSettings(
        address=section.address.rstrip("/"),
        push=section.push,
        contact=section.contact,
        push_services=section.push_services,
        mail=None if section.mail is None else _mail(section.mail),
        mqtt=section.mqtt,
        names=section.names,
        home=section.home_assistant,
        halls=halls,
        federation=None if section.federation is None else _other_hall(section.federation),
    )


def openid_settings(section: SignInSection) -> OpenIdSettings | None:
    """Return the OpenID provider of a configuration; None without one. Raises ServiceError if a file cannot be used."""
    told = section.openid
    if told is None:
        return None
    secret = None if told.client_secret_file is None else _secret(told.client_secret_file)
    if told.client_secret_file is not None and credential(told.client_secret_file).stat().st_mode & 0o077:
        raise ServiceError(f"others may read {told.client_secret_file}: chmod 600 {told.client_secret_file}")
    if secret == "":
        raise ServiceError(f"the file {told.client_secret_file} is empty: it holds the secret of [sign_in.openid]")
    return OpenIdSettings(
        told.label, told.issuer, told.client_id, told.address, secret, _authority(told.ca_file), told.claim,
        told.unknown == "wait", told.each_time, told.skew,
    )  # fmt: skip


def _other_hall(section: OtherHallSection) -> OtherHall:
    return OtherHall(section.name, section.url, _secret(section.token_file), _authority(section.ca_file))


def _mail(section: MailSection) -> MailServer:
    password = None if section.password_file is None else _secret(section.password_file)
    return MailServer(
        section.host, section.port, section.sender, section.security, section.username, password,
        _authority(section.ca_file),
    )  # fmt: skip


def _secret(path: Path) -> str:
    try:
        return credential(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no text in UTF-8"
        raise ServiceError(f"the file {path} cannot be read: {why}") from None


def _authority(path: Path | None) -> ssl.SSLContext | None:
    if path is None:
        return None
    try:
        return ssl.create_default_context(cafile=str(path))
    except OSError as error:  # ssl.SSLError is one
        raise ServiceError(f"the authority {path} cannot be used: {error.strerror or error}") from None
