"""A federation's configuration: its broker, its archive, the halls that it believes (TOML)."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from hw import config_text
from hw.config_text import WrongValuesError
from hw.errors import WrongValueError
from hw.table_sections import BrokerSection, Strict, Word, is_local
from table_service.console.hall_config import ConsoleSection, unsafe_pages
from table_service.console.sign_in_config import SignInSection
from table_service.federation.archive_address import ArchiveAddress
from table_service.federation.errors import FederationError


class FederationSection(Strict):
    """Name of the federation, and the folder with one folder for each of its halls."""

    name: Word = "federation"
    halls: Path = Field(description="a folder for each hall with its authority's certificate, as 'admit' writes it")


class ArchiveSection(Strict):
    """The PostgreSQL database in which events are kept."""

    host: str = "127.0.0.1"
    port: int = Field(5432, ge=1, le=65535)
    database: str = "tavolo"
    user: str = "tavolo"
    password_file: Path | None = None
    ca_file: Path | None = Field(None, description="PEM file with the authority of PostgreSQL's certificate: TLS")


class SiteSection(ConsoleSection):
    """Address of the federation's pages, as a console's; ``data``: the file of its accounts and of who saw what."""

    port: int = Field(8090, ge=0, le=65535, description="0: any free port")
    data: Path = Path("federation-page.sqlite")


class FederationConfig(Strict):
    """The whole configuration of a federation's workers and of its page."""

    federation: FederationSection
    broker: BrokerSection = BrokerSection()
    archive: ArchiveSection = ArchiveSection()
    page: SiteSection = SiteSection()
    sign_in: SignInSection = SignInSection()

    @model_validator(mode="after")
    def _nothing_in_the_clear(self) -> Self:
        """Neither events nor a password cross a network in the clear."""
        found = unsafe_pages(self.page, "page")
        if self.broker.ca_file is None and not is_local(self.broker.host):
            en = f"to {self.broker.host} events would cross the network in the clear: give 'ca_file'"
            it = f"verso {self.broker.host} gli eventi passerebbero in chiaro nella rete: indica «ca_file»"
            found.append(("broker.host", WrongValueError(en, it)))
        if self.archive.ca_file is None and not is_local(self.archive.host):
            en = f"to {self.archive.host} events would cross the network in the clear: give 'ca_file'"
            it = f"verso {self.archive.host} gli eventi passerebbero in chiaro nella rete: indica «ca_file»"
            found.append(("archive.host", WrongValueError(en, it)))
        if found:
            raise WrongValuesError(found)
        return self


def load_federation(path: Path) -> FederationConfig:
    """Return the configuration at ``path``. Raises hw.config_text.ConfigError with every problem and its line."""
    return config_text.load(path, FederationConfig)


def archive_address(section: ArchiveSection) -> ArchiveAddress:
    """Return where the archive is and how to sign in. Raises FederationError if a file cannot be used."""
    password, tls = None, None
    try:
        if section.password_file is not None:
            password = section.password_file.read_text(encoding="utf-8").strip()
        if section.ca_file is not None:
            tls = ssl.create_default_context(cafile=str(section.ca_file))
    except (OSError, UnicodeDecodeError) as error:
        named = getattr(error, "filename", None) or section.password_file
        raise FederationError(f"{named}, for the archive, cannot be used: {error}") from None
    return ArchiveAddress(section.host, section.port, section.database, section.user, password, tls)
