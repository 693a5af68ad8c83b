"""Names of the MQTT topics of one table (interfaces, section 4), and what a received name means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ROOT: Final = "tavolo/v1"
_UNSAFE: Final = str.maketrans(dict.fromkeys("/+#", "-"))


def level(text: str) -> str:
    """``text`` as one level of a topic: what MQTT reserves is replaced."""
    return text.translate(_UNSAFE).replace("\0", "-") or "-"


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of ``table`` in ``hall``."""

    hall: str
    table: str

    @property
    def prefix(self) -> str:
        """Prefix of every topic of this table, without a slash at its end."""
        return f"{ROOT}/{level(self.hall)}/{level(self.table)}"

    @property
    def status(self) -> str:
        """Retained, also the last will: ready, init, lost, stopped."""
        return f"{self.prefix}/status"

    @property
    def state(self) -> str:
        """Retained: the public table."""
        return f"{self.prefix}/state"

    @property
    def identity(self) -> str:
        """Retained: the certificates whose keys the table signs with."""
        return f"{self.prefix}/identity"

    @property
    def health(self) -> str:
        """Retained, QoS 0: counters of the parts."""
        return f"{self.prefix}/health"

    @property
    def command(self) -> str:
        """The arbitro's actions come here."""
        return f"{self.prefix}/command"

    def result(self, command: str) -> str:
        """Return what became of a command."""
        return f"{self.command}/{level(command)}/result"

    def event(self, kind: str) -> str:
        """Every public event, by type."""
        return f"{self.prefix}/event/{level(kind)}"

    def alert(self, key: str) -> str:
        """Retained while it waits for the arbitro, then emptied."""
        return f"{self.prefix}/alert/{level(key)}"

    def evidence(self, ref: str) -> str:
        """Return the topic of a picture (JPEG), sent when an arbitro's order asks for it."""
        return f"{self.prefix}/evidence/{level(ref)}"

    def pictures(self, key: str) -> str:
        """Return which pictures of an irregularity there are, with their hashes, and why others are missing."""
        return f"{self.prefix}/pictures/{level(key)}"

    @property
    def journal(self) -> str:
        """Retained: of which boots there are which events to be had."""
        return f"{self.prefix}/journal"

    @property
    def resend(self) -> str:
        """Topic on which a listener asks for missing events."""
        return f"{self.prefix}/resend"

    def resent(self, question: str) -> str:
        """Return the topic of the events that a question asked for."""
        return f"{self.prefix}/resent/{level(question)}"

    def every(self, kind: str) -> str:
        """Return the subscription to all messages of one kind (``alert``, ``evidence``) of this table."""
        return f"{self.prefix}/{kind}/+"

    def sealed(self, deal: int | None) -> str:
        """Return the topic of a deal's hidden cards, sealed for the arbitro; 0 if they belong to no deal."""
        return f"{self.prefix}/sealed/{deal or 0}"


@dataclass(frozen=True, slots=True)
class Address:
    """Parts of a topic: the table, the kind of message, and which one (``alert``'s key, ``event``'s type)."""

    hall: str
    table: str
    kind: str
    rest: str = ""


def hall_filter(hall: str, kind: str) -> str:
    """Return the subscription to one kind of message of every table of ``hall``; ``kind`` such as ``event/+``."""
    return f"{ROOT}/{level(hall)}/+/{kind}"


def parse(topic: str) -> Address | None:
    """Return the address that ``topic`` names; None if it is not a table's topic.

    >>> parse("tavolo/v1/milano/T12/state/deal")
    Address(hall='milano', table='T12', kind='state', rest='deal')
    >>> parse("zigbee2mqtt/lamp") is None
    True
    """
    if not topic.startswith(ROOT + "/"):
        return None
    levels = topic[len(ROOT) + 1 :].split("/", 3)
    if len(levels) < 3 or not all(levels[:3]):
        return None
    return Address(levels[0], levels[1], levels[2], levels[3] if len(levels) == 4 else "")
