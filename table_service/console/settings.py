"""Settings of a console: its hall, its broker, where its pages are served, where it keeps its book."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from table_service.console.remote.sharing import RemoteSettings
from table_service.events.signing import Voices
from table_service.games.definition import RuleSet
from table_service.rulesets import RULE_SETS

Language = Literal["it", "en"]
Floors = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class OpenIdSettings:
    """An OpenID provider and this console at it; fields as ``sign_in_config.OpenIdSection`` has them.

    ``client_secret`` None: a client without a secret. ``tls`` None: the system's authorities are believed. ``waits``:
    who is linked to nobody is noted, and not just refused.
    """

    label: str
    issuer: str
    client_id: str
    address: str
    client_secret: str | None = None
    tls: ssl.SSLContext | None = None
    claim: str = "sub"
    waits: bool = False
    each_time: bool = True
    skew: float = 60.0

    @property
    def redirect(self) -> str:
        """The address to which the provider sends people back, as it is registered there."""
        return f"{self.address}/openid/back"


@dataclass(frozen=True, slots=True)
class ConsoleSettings:
    """One hall's console. ``port`` 0: any free one. ``embedded``: the broker speaks MQTT 3.1.1 only.

    ``tables``: tables that are expected, shown as not heard of until they speak; ``floors``: which of them stand where.
    ``data``: the console's own file (SQLite); None keeps it for as long as the console runs. ``signing_seed``: 32 bytes
    of the Ed25519 key that signs orders; None makes a key that lives in ``data``. ``raise_after``: seconds after which
    an alert that nobody has taken is raised to the chief. ``order_life``: seconds that an order may wait for its table.
    ``undo``: seconds in which a ruling may be undone before it goes to its table; 0: it goes at once.
    ``broker_tls``: whom to believe at the broker and the certificate to show; None: nothing is encrypted.
    ``tls``: certificate and key, PEM files; None: the pages are served without TLS.
    ``proxies``: addresses or networks of proxies, beside this machine, that say whom they ask for.
    ``open_link``: whoever opens the printed link is the chief for the day (the demo).
    ``by_browser``: pages are in the language that the browser asks for; ``guide``: whoever looks is told that play
    waits for him; ``scripted``: tables begin deals and play by a script of their own, nobody is asked to (the demo).
    ``keep_days``: what belongs to no tournament goes after so long; ``copies``: whole copies laid beside ``data``.
    ``voices``: whose signatures are believed; None: events are not checked.
    ``remote``: what may leave the hall, and which other halls are shown.
    ``openid``: a provider that vouches for people beside the console's own accounts; None: there is none.
    ``rule_sets``: what can be played in the hall, by name; the first is that of a table that has said nothing yet.
    """

    hall: str = "sala"
    broker_host: str = "127.0.0.1"
    broker_port: int = 1883
    username: str | None = None
    password: str | None = None
    broker_tls: ssl.SSLContext | None = None
    embedded: bool = False
    host: str = "127.0.0.1"
    port: int = 0
    proxies: tuple[str, ...] = ()
    language: Language = "it"
    tables: tuple[str, ...] = ()
    floors: Floors = ()
    data: Path | None = None
    signing_seed: bytes | None = None
    raise_after: float = 60.0
    order_life: float = 120.0
    undo: float = 5.0
    tls: tuple[Path, Path] | None = None
    open_link: bool = False
    by_browser: bool = False
    guide: bool = False
    scripted: bool = False
    keep_days: float = 60.0
    copies: int = 5
    voices: Voices | None = None
    remote: RemoteSettings = field(default_factory=RemoteSettings)
    openid: OpenIdSettings | None = None
    rule_sets: Mapping[str, RuleSet] = field(default_factory=lambda: RULE_SETS)
