"""The events of Ottetto alone."""

from __future__ import annotations

from typing import Final

from table_service.events.payloads import PLAY, Payload


class TrickPlayed(Payload):
    """A card was played to trick ``trick``, from 1."""

    card: str
    trick: int


class TrickTaken(Payload):
    """Trick ``trick`` was gathered; ``cards`` in the order in which they were played, ``by`` who has won it."""

    trick: int
    cards: tuple[str, ...]
    by: str | None


PAYLOADS: Final[dict[str, type[Payload]]] = {**PLAY, "trick.played": TrickPlayed, "trick.taken": TrickTaken}
