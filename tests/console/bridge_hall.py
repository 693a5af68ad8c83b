"""A console that has heard a round of bridge at several tables, and what they sealed for the arbitro."""

from __future__ import annotations

import json
from typing import Any

from nacl.public import PrivateKey
from nacl.signing import SigningKey

from table_service.events.topics import Topics
from table_service.publish import Sealing
from tests.games.bridge.hall_of_boards import TableInHall, hall

ARBITRO = PrivateKey(bytes(range(32)))
TABLES = {f"T{n}": SigningKey(bytes([n]) * 32) for n in range(1, 9)}
BOARDS = 3


def table_key(place: str) -> str:
    """The table's public key."""
    return bytes(TABLES[place].verify_key).hex()


def arbitro_key() -> str:
    """What the arbitro's key file holds."""
    return bytes(ARBITRO).hex()


def round_begins(house: Any, places: tuple[str, ...], deals: int = BOARDS, minutes: float = 24.0) -> None:
    """The club's round at these tables, with pairs."""
    book = house.book
    book.tournaments.begin("Coppa", now=house.at)
    begun = book.rounds.begin(deals, minutes, places, "la chief", now=house.at)
    seated = {(place, line): f"{line} {place}" for place in places for line in ("NS", "EW")}
    book.rounds.seat(begun.id, seated)


def hear(house: Any, table: TableInHall, *, until: int | None = None, sealed: bool = True) -> None:
    """A table tells its round, all of it or its first ``until`` events; what is sealed goes beside it."""
    topics, sealing = Topics("sala", table.place), Sealing(bytes(ARBITRO.public_key), TABLES[table.place])
    house.say(f"{table.place}/status", {"state": "ready", "boot": table.events[0].boot})
    state = {"table": table.place, "rules": "bridge", "game": "bridge", "deal": 1, "phase": "over"}
    house.say(f"{table.place}/state", state)
    for event, told in list(zip(table.events, table.told, strict=True))[:until]:
        house.store.apply(topics.event(event.type), json.dumps(told).encode(), now=house.at)
        if sealed and event.secret is not None:
            block = type(event.data).SEALED_BYTES
            message = sealing.seal(topics, event.id, event.deal, event.secret, block)
            house.store.apply(topics.sealed(event.deal), message, now=house.at)


def evening(house: Any, tables: int = 3, *, over: bool = True, until: int | None = None) -> tuple[TableInHall, ...]:
    """A round of three boards at ``tables`` tables, heard and, where ``over``, ended."""
    played = hall(3, tables, BOARDS)
    round_begins(house, tuple(one.place for one in played))
    for one in played:
        hear(house, one, until=until)
    if over:
        house.at += 1800.0
        house.book.rounds.end(now=house.at)
    house.book.kept.flush()
    return played
