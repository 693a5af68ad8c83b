"""A hall's configuration: which broker the console listens to, where its pages are served (TOML)."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from hw import config_text
from hw.config_text import WrongValuesError
from hw.errors import WrongValueError
from hw.table_sections import BrokerSection, Strict, Word, is_local
from table_service.console.remote.sharing import PUSH_SERVICES
from table_service.console.sign_in_config import SignInSection

_RUN: Final = re.compile(r"([A-Za-z_-]*)(\d+)\.\.([A-Za-z_-]*)(\d+)")
TablesNamed = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}(\.\.[A-Za-z0-9_-]{1,40})?$")]
"""A table's name, or several as ``T1..T40``."""


def tables_named(names: tuple[str, ...]) -> tuple[str, ...]:
    """Every table that ``names`` means: ``("T1..T3", "F")`` is T1, T2, T3 and F. Raises ValueError for a wrong run."""
    found: list[str] = []
    for name in names:
        run = _RUN.fullmatch(name)
        if ".." not in name:
            found.append(name)
        elif run is None or run[1] != run[3] or not 0 <= int(run[4]) - int(run[2]) <= 500:
            raise WrongValueError(
                f"'{name}' is no run of tables: write for example T1..T40",
                f"«{name}» non è una serie di tavoli: scrivi per esempio T1..T40",
            )
        else:
            found += [f"{run[1]}{number}" for number in range(int(run[2]), int(run[4]) + 1)]
    return tuple(dict.fromkeys(found))


class HallSection(Strict):
    """The hall and the tables that are expected in it; a table that speaks up is shown even if not named.

    ``floors``: which tables stand where, to filter the hall by; their tables are expected, too.
    """

    name: Word = "sala"
    tables: tuple[TablesNamed, ...] = ()
    floors: dict[str, tuple[TablesNamed, ...]] = Field(default_factory=dict)

    @field_validator("tables")
    @classmethod
    def _tables(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tables_named(names)

    @field_validator("floors")
    @classmethod
    def _floors(cls, floors: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {name: tables_named(tables) for name, tables in floors.items()}

    @model_validator(mode="after")
    def _on_one_floor(self) -> Self:
        """Floors name tables of the hall, each once."""
        found, seen = [], dict[str, str]()
        for floor, tables in self.floors.items():
            absent = [name for name in tables if self.tables and name not in self.tables]
            if absent:
                en = f"floor '{floor}' has {', '.join(absent)}, which 'tables' does not name"
                it = f"al piano «{floor}» c’è {', '.join(absent)}, che non è fra i tavoli («tables»)"
                found.append((f"floors.{floor}", WrongValueError(en, it)))
            for name in tables:
                other = seen.setdefault(name, floor)
                if other != floor:
                    en = f"table {name} stands on two floors, '{other}' and '{floor}'"
                    it = f"il tavolo {name} sta su due piani, «{other}» e «{floor}»"
                    found.append((f"floors.{floor}", WrongValueError(en, it)))
        if found:
            raise WrongValuesError(found)
        return self


class ConsoleSection(Strict):
    """Address of the console's pages.

    Beyond this machine only over TLS: with a certificate of the hall's own, or ``plain`` if a proxy in front of the
    console speaks TLS.
    """

    host: str = "127.0.0.1"
    tls_certificate: Path | None = Field(None, description="PEM file with the certificate and its chain")
    tls_key: Path | None = Field(None, description="PEM file with the certificate's key, private")
    plain: bool = Field(False, description="serve without TLS beyond this machine: only behind a proxy that has it")
    proxies: tuple[str, ...] = Field(
        (), description="addresses of proxies on other machines (172.18.0.0/16), whose word on clients is believed"
    )
    port: int = Field(8080, ge=0, le=65535, description="0: any free port")
    language: Literal["it", "en"] = "it"
    data: Path = Field(Path("console.sqlite"), description="the console's own file: people, orders, what was seen")
    key_file: Path | None = Field(None, description="the console's signing key; made there if the file is missing")
    revoked_file: Path | None = Field(None, description="the authority's list of revoked certificates, PEM")
    must_sign: bool = Field(False, description="refuse a table that has not shown a certificate of the hall's")
    raise_after: float = Field(60, ge=5, le=3600, description="seconds after which an alert is raised to the chief")
    keep_days: float = Field(60, ge=1, le=3660, description="what belongs to no tournament goes after so many days")
    copies: int = Field(5, ge=0, le=100, description="whole copies of the console's file that are laid beside it")
    undo: float = Field(5, ge=0, le=30, description="seconds in which a ruling may be undone before it goes out")
    order_life: float = Field(120, ge=5, le=290, description="seconds that an order waits for a table out of reach")

    @field_validator("proxies")
    @classmethod
    def _networks(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        """Each is an address or a network of addresses."""
        for one in proxies:
            try:
                ip_network(one)
            except ValueError:
                raise WrongValueError(
                    f"'{one}' is no address of a proxy: write for example 192.168.1.5 or 172.18.0.0/16",
                    f"«{one}» non è l’indirizzo di un proxy: scrivi per esempio 192.168.1.5 o 172.18.0.0/16",
                ) from None
        return proxies


def unsafe_pages(pages: ConsoleSection, section: str) -> list[tuple[str, WrongValueError]]:
    """Reasons why ``pages``, in the section of that name, would send passwords in the clear; empty if they do not."""
    found = []
    if (pages.tls_certificate is None) != (pages.tls_key is None):
        en = "TLS needs both, 'tls_certificate' and 'tls_key'"
        found.append((section, WrongValueError(en, "TLS ha bisogno di tutti e due, «tls_certificate» e «tls_key»")))
    if not is_local(pages.host) and pages.tls_certificate is None and not pages.plain:
        en = (
            f"on {pages.host} passwords would cross the network in the clear: give 'tls_certificate' and "
            "'tls_key', or 'plain = true' behind a proxy that speaks TLS, or host = \"127.0.0.1\""
        )
        it = (
            f"su {pages.host} le password passerebbero in chiaro nella rete: indica «tls_certificate» e "
            '«tls_key», oppure «plain = true» dietro un proxy con TLS, oppure host = "127.0.0.1"'
        )
        found.append((f"{section}.host", WrongValueError(en, it)))
    return found


class MailSection(Strict):
    """The server that takes the hall's mail. ``security = "none"``: for a server on this machine only."""

    host: str
    port: int = Field(587, ge=1, le=65535)
    security: Literal["starttls", "tls", "none"] = "starttls"
    sender: str = Field(pattern=r"^[^@\s<>,]+@[^@\s<>,]+$", description="the address that mail comes from")
    username: str | None = None
    password_file: Path | None = None
    ca_file: Path | None = Field(None, description="PEM file with the authority to believe; else the system's")

    @model_validator(mode="after")
    def _nothing_in_the_clear(self) -> Self:
        if self.security == "none" and not is_local(self.host):
            raise WrongValueError(
                f'to {self.host} mail would cross the network in the clear: security = "starttls" or "tls"',
                f"verso {self.host} la posta passerebbe in chiaro nella rete: security = «starttls» o «tls»",
            )
        if (self.username is None) != (self.password_file is None):
            raise WrongValueError(
                "to sign in at the mail server both 'username' and 'password_file' are needed",
                "per entrare nel server di posta servono tutti e due, «username» e «password_file»",
            )
        return self


class OtherHallSection(Strict):
    """Another hall's console, read with a token that its direction has made."""

    name: Word
    url: str = Field(description="where its pages are, such as https://hall2.example:8080")
    token_file: Path = Field(description="file with the token, private")
    ca_file: Path | None = Field(None, description="PEM file with that hall's authority; else the system's")

    @field_validator("url")
    @classmethod
    def _encrypted(cls, url: str) -> str:
        """Check that a token crosses no network in the clear."""
        try:
            parts = urlsplit(url)
            parts.port  # noqa: B018 - raises ValueError for one that is none
        except ValueError:
            parts = urlsplit("")
        plain = parts.scheme == "http" and is_local(parts.hostname or "")
        if not parts.hostname or (parts.scheme != "https" and not plain):
            raise WrongValueError(
                f"'{url}' is no address of a console: write https://HOST:PORT",
                f"«{url}» non è l’indirizzo di una console: scrivi https://HOST:PORTA",
            )
        return url.rstrip("/")


class RemoteSection(Strict):
    """Contents of the hall that may leave it, for arbitri who are away, and the other halls that are shown."""

    address: str = Field(
        "", pattern=r"^(https?://[^\s/]+(/[^\s]*)?)?$", description="this console's, seen from outside"
    )
    push: bool = Field(False, description="web push, by the push service of each person's browser")
    contact: str = Field("", pattern=r"^((mailto:|https://)\S+)?$", description="tells push services who runs this")
    push_services: tuple[str, ...] = Field(PUSH_SERVICES, description="hosts of push services; * for a part")
    mail: MailSection | None = None
    mqtt: bool = Field(False, description="a topic at the hall's broker for each person who wants it")
    names: bool = Field(False, description="messages name the pair, too")
    home_assistant: str = Field("", pattern=r"^[A-Za-z0-9_-]*$", description="its discovery prefix; empty: not told")
    halls: tuple[OtherHallSection, ...] = ()
    federation: OtherHallSection | None = Field(
        None, description="the federation's page, to which cases may be sent on; name: this hall's in the federation"
    )


class HallConfig(Strict):
    """The whole configuration of a hall's console."""

    hall: HallSection
    broker: BrokerSection = BrokerSection()
    console: ConsoleSection = ConsoleSection()
    remote: RemoteSection = RemoteSection()
    sign_in: SignInSection = SignInSection()

    @model_validator(mode="after")
    def _reached_safely(self) -> Self:
        """Passwords do not cross a network in the clear; the pages do not want the broker's port."""
        console, broker = self.console, self.broker
        found = unsafe_pages(console, "console")
        if console.port and console.port == broker.port and is_local(broker.host):
            en = f"the pages cannot have port {console.port}: the MQTT broker has it on this machine"
            it = f"le pagine non possono avere la porta {console.port}: su questa macchina è del broker MQTT"
            found.append(("console.port", WrongValueError(en, it)))
        if found:
            raise WrongValuesError(found)
        return self


def load_hall(path: Path) -> HallConfig:
    """Return the hall's configuration at ``path``. Raises hw.config_text.ConfigError with each problem and its line."""
    return config_text.load(path, HallConfig)
