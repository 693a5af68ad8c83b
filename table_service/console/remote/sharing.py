"""Contents of a hall that may leave it, and how; without a configuration none do."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import Final, Literal

PUSH_SERVICES: Final = (
    "fcm.googleapis.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
"""The push services of the common browsers: the console sends to no other host unless it is configured to."""
Security = Literal["starttls", "tls", "none"]


@dataclass(frozen=True, slots=True)
class MailServer:
    """The server that takes mail. ``security``: encrypted after a greeting, from the start, or (this machine) not."""

    host: str
    port: int
    sender: str
    security: Security = "starttls"
    username: str | None = None
    password: str | None = None
    tls: ssl.SSLContext | None = None
    """Whom to believe; None: the system's authorities."""


@dataclass(frozen=True, slots=True)
class OtherHall:
    """Another hall's console: where its JSON API is, and the token with which it is read."""

    name: str
    url: str
    token: str
    tls: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True)
class RemoteSettings:
    """``address``: the console's address as seen from outside; empty: as the person's own browser has it.

    ``contact``: how a push service reaches who runs the console. ``names``: messages may name the pair. ``home``: the
    prefix under which Home Assistant is told of the tables; empty: it is not.
    """

    address: str = ""
    push: bool = False
    contact: str = ""
    push_services: tuple[str, ...] = PUSH_SERVICES
    push_tls: ssl.SSLContext | None = None
    mail: MailServer | None = None
    mqtt: bool = False
    names: bool = False
    home: str = ""
    halls: tuple[OtherHall, ...] = ()
    federation: OtherHall | None = None
    """The federation's page, to which an arbitro may send a case on; its name: this hall's in the federation."""

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways out of the hall that are open."""
        found = (("push", self.push), ("mail", self.mail is not None), ("mqtt", self.mqtt))
        return tuple(name for name, there in found if there)
