"""Home Assistant told of the tables, as an option: its MQTT discovery, and one retained message for each table.

It hears whether a table is there, whether something waits for the arbitro, and the deal: enough for a lamp over it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from table_service.console.dispatch import Office
from table_service.console.table_view import TableView
from table_service.console.vocabulary import Words
from table_service.events.topics import ROOT, level
from table_service.events.untrusted import as_whole

_ENTITIES: Final[tuple[tuple[str, str, str, dict[str, str]], ...]] = (
    ("binary_sensor", "there", "home_there", {"device_class": "connectivity"}),
    ("binary_sensor", "waits", "home_waits", {"device_class": "problem"}),
    ("sensor", "waiting", "home_waiting", {}),
    ("sensor", "deal", "deal", {}),
)


class HomeAssistant:
    """Used from the console's event loop. ``office.keep`` publishes what the broker is to retain."""

    def __init__(self, office: Office) -> None:
        self._office, self._prefix = office, office.settings.remote.home
        self._words = Words(office.settings.language)
        self._told: dict[str, bytes] = {}
        self._keep: object = None

    def tick(self) -> None:
        """Say what has changed; everything, on a new connection."""
        keep = self._office.keep
        if not self._prefix or keep is None:
            return
        if keep is not self._keep:
            self._keep = keep
            self._told.clear()
        for table in self._office.store.tables.values():
            for topic, body in self._messages(table):
                payload = json.dumps(body, ensure_ascii=False).encode()
                if self._told.get(topic) != payload:
                    self._told[topic] = payload
                    keep(topic, payload)

    def _messages(self, table: TableView) -> Iterator[tuple[str, Mapping[str, Any]]]:
        hall = self._office.settings.hall
        name, state = (
            f"tavolo_{_safe(hall)}_{_safe(table.name)}",
            f"{ROOT}/{level(hall)}/~console/home/{level(table.name)}",
        )
        device = {
            "identifiers": [name],
            "name": f"{self._words['table']} {table.name} ({hall})",
            "manufacturer": "Tavolo",
        }
        for kind, field, word, more in _ENTITIES:
            about = {
                "name": self._words[word], "unique_id": f"{name}_{field}", "state_topic": state,
                "value_template": f"{{{{ value_json.{field} }}}}", "device": device, **more,
            }  # fmt: skip
            yield f"{self._prefix}/{kind}/{name}/{field}/config", about
        waiting = len(table.alerts)
        yield (
            state,
            {
                "there": "ON" if table.status == "ready" else "OFF",
                "waits": "ON" if waiting else "OFF",
                "waiting": waiting,
                "deal": as_whole((table.state or {}).get("deal")),
            },
        )


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", text)
