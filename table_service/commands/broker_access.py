"""Credentials of a table or a console at its broker, by its configuration: password or certificate, from files."""

from __future__ import annotations

import os
import ssl
from pathlib import Path
from typing import Final

from hw.errors import ServiceError
from hw.table_sections import BrokerSection
from table_service.events.revocations import RevokedList
from table_service.events.signing import SigningIdentity, Voices, load_authority
from table_service.install.contents import table_user
from table_service.publish import BrokerAddress


def broker_address(section: BrokerSection) -> BrokerAddress:
    """Return the broker and how to sign in there. Raises ServiceError if a file that it needs cannot be used."""
    password = None
    if section.password_file is not None:
        try:
            password = credential(section.password_file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ServiceError(
                f"the broker's password file {section.password_file} cannot be read: {error.strerror}"
            ) from None
        except UnicodeDecodeError:
            raise ServiceError(f"the broker's password file {section.password_file} is no text in UTF-8") from None
    return BrokerAddress(section.host, section.port, section.username, password, tls=broker_tls(section))


def broker_tls(section: BrokerSection) -> ssl.SSLContext | None:
    """Return the trusted authority of the broker and the certificate to show; None without TLS. Raises ServiceError."""
    if section.ca_file is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    what, named = "the hall's authority", section.ca_file
    try:
        context.load_verify_locations(section.ca_file)
        if section.certificate_file is not None and section.key_file is not None:
            what, named = "the certificate for the broker, or its key,", section.certificate_file
            context.load_cert_chain(section.certificate_file, credential(section.key_file))
    except OSError as error:  # ssl.SSLError is one
        raise ServiceError(f"{what} {named} cannot be used: {error.strerror or error}") from None
    return context


def table_voice(section: BrokerSection) -> SigningIdentity | None:
    """Return the signing identity of a table: its certificate's key; None if it has none. Raises ServiceError."""
    if section.certificate_file is None or section.key_file is None:
        return None
    try:
        return SigningIdentity(section.certificate_file.read_bytes(), credential(section.key_file).read_bytes())
    except OSError as error:
        raise ServiceError(
            f"{error.filename or section.certificate_file} cannot be read: {error.strerror or error}"
        ) from None
    except (ValueError, TypeError):
        # a certificate of another make signs in at a broker, too: the table speaks unsigned then
        return None


def console_voices(section: BrokerSection, revoked: Path | None, *, must_sign: bool) -> Voices | None:
    """Return the signatures that a console accepts; None in a hall without certificates. Raises ServiceError."""
    if section.ca_file is None or section.certificate_file is None:
        if must_sign:
            raise ServiceError("'must_sign' needs certificates: 'ca_file' and 'certificate_file' of [broker]")
        return None
    try:
        authority = load_authority(section.ca_file.read_bytes())
    except (OSError, ValueError) as error:
        raise ServiceError(f"the hall's authority {section.ca_file} cannot be used: {error}") from None
    beside = section.ca_file.with_name(REVOKED)
    if revoked is None and beside.exists():  # a hall.toml of before `revoked_file`: the command writes it there
        revoked = beside
    shut = RevokedList(revoked, authority)
    try:
        shut.read()
    except (OSError, ValueError) as error:
        raise ServiceError(f"the list of what is revoked, {revoked}, cannot be used: {error}") from None
    return Voices(authority, table_user, shut, must_sign=must_sign)


REVOKED: Final = "revoked.crl"
"""The authority's list, as `tavolo hall` lays it beside the authority's certificate."""


def credential(path: Path) -> Path:
    """Return the file with a secret that a configuration names: systemd's copy of it if the unit has one, else itself.

    A unit reads secrets as root before it gives up its rights (``LoadCredential``), so that the service's user, whom
    other services share, need not be able to. One that was not there is an empty line.
    """
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if folder:
        given = Path(folder) / path.name
        try:
            if given.read_bytes().strip():
                return given
        except OSError:
            pass
    return path
