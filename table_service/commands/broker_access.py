"""How a table or a console signs in at its broker, by its configuration: password or certificate, from files."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

from hw.tablemap import BrokerSection
from table_service.publish import BrokerAddress
from table_service.service import ServiceError


def broker_address(section: BrokerSection) -> BrokerAddress:
    """The broker and how to sign in there. Raises ServiceError where a file that it needs cannot be used."""
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
    """Whom to believe at the broker and the certificate to show there; None without TLS. Raises ServiceError."""
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


def credential(path: Path) -> Path:
    """The file with a secret that a configuration names: systemd's copy of it where the unit has one, else itself.

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
