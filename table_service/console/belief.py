"""Signatures of messages under a table's name: what is accepted, as far as the hall signs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import structlog

from table_service.console.table_view import TableView
from table_service.events.signing import CERTIFICATES_MOST, SPOKEN, STANDING, Kind, Voices, place_of
from table_service.events.topics import Address, level
from table_service.events.untrusted import as_list

log = structlog.get_logger("tavolo.console")


class Belief:
    """Judges messages by the signatures of ``voices``; without them everything is believed."""

    def __init__(self, voices: Voices | None, changed: Callable[[], None]) -> None:
        """Create the judge of messages; ``changed`` is called with a table under whose name something was refused."""
        self.voices = voices
        self._changed = changed

    def own_word(
        self, table: TableView, address: Address, document: dict[str, Any] | None, payload: bytes
    ) -> tuple[dict[str, Any] | None, bytes] | None:
        """Return a message as far as it is the table's own word; None if nothing of it is."""
        if self.voices is not None and (kind := STANDING.get(address.kind)):
            return (document, payload) if self.stands(kind, table, document) else None
        if self.voices is None or document is None:
            return document, payload
        return self._vouched(table, address, document, payload)

    def _vouched(
        self, table: TableView, address: Address, document: dict[str, Any], payload: bytes
    ) -> tuple[dict[str, Any], bytes] | None:
        """Return what is judged by each event or alert that is in it."""
        match address.kind:
            case "event":
                own = self._own("event", table, document)
            case "alert" | "pictures" as kind:
                own = self._own(kind, table, document) and (
                    level(str(document.get("key") or "")) == address.rest or self._speaks_unsigned(table)
                )
            case "resent":
                return self._resent(table, document)
            case "command" if not address.rest.endswith("/result"):
                own = True  # an order, which the console itself has sent
            case _:
                own = address.kind not in SPOKEN or self._own(SPOKEN[address.kind], table, document)
        return (document, payload) if own else None

    def _resent(self, table: TableView, document: dict[str, Any]) -> tuple[dict[str, Any], bytes] | None:
        """Events that are sent again: an answer of the table, and in it only events that it has signed."""
        if not self._own("resent", table, document):
            return None
        events = [one for one in as_list(document.get("events")) if isinstance(one, dict)]
        document = {**document, "events": [one for one in events if self._own("event", table, one)]}
        return document, json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")

    def stands(self, kind: Kind, table: TableView, document: dict[str, Any] | None) -> bool:
        """Return True if a state, status or health is the table's own word, and not one of before that is shown again.

        An empty one, with which a broker forgets what it retained, is no word of a table that signs.
        """
        if document is None:
            return self.voices is None or not (self.voices.must_sign or self.voices.knows(table.name))
        if not self._own(kind, table, document):
            return False
        place = place_of(document)
        if place is None or "signature" not in document:
            return True
        if place < table.places.get(kind, place):
            self._refuse(table, f"an old {kind} of table {table.name} was said again: refused")
            return False
        table.places[kind] = place
        return True

    def has_ended(self, table: TableView, key: str) -> bool:
        """Return True if the table itself says that alert ``key`` is over: an empty message bears no signature.

        Its newest state says so, where it came after the alert. A table of before 25 November 2026 names no alerts in
        its state: of it the empty message is believed.
        """
        if self.voices is None or not self.voices.knows(table.name):
            return True
        state = table.state
        if state is None:
            return False
        standing, began = state.get("alerts"), table.alert_places.get(key)
        if not isinstance(standing, list):
            return True
        place = table.places.get("state")
        return key not in map(level, map(str, standing)) and (began is None or place is None or place > began)

    def _own(self, kind: Kind, table: TableView, document: dict[str, Any]) -> bool:
        """Return True if the table has said this, as far as that can be known."""
        if self.voices is None:
            return True
        verdict = self.voices.judge(kind, table.name, document)
        if verdict == "unsigned" and not table.unsigned:
            table.unsigned = True
            table.changed("head")
        if verdict == "refused":
            table.early += not self.voices.knows(table.name)
            self._refuse(table, f"what came as table {table.name}'s word is not signed by it: refused")
        return verdict != "refused"

    def _refuse(self, table: TableView, why: str) -> None:
        """Count a message that is not believed; the first one is said."""
        if not table.refused:
            log.error("table", problem=why)
        table.refused += 1
        table.changed("head")
        self._changed()

    def _speaks_unsigned(self, table: TableView) -> bool:
        return self.voices is None or not self.voices.knows(table.name)

    def introduced(self, table: TableView, document: dict[str, Any] | None) -> None:
        """Take in the certificates that a table shows: from now on it can be believed.

        They come by another connection than events and states, so that one of these may have come before: it was
        refused, counts no more, and is asked for again or judged anew.
        """
        if self.voices is None or document is None:
            return
        wrong = self.voices.introduce(table.name, document)
        named = as_list(document.get("certificates"))[-CERTIFICATES_MOST:]
        table.certificates = tuple(one for one in named if self.voices.own_serial(table.name, one) is not None)
        known = self.voices.knows(table.name)
        table.unsigned = table.unsigned and not known
        if known and table.early:
            table.refused, table.early = table.refused - table.early, 0
            table.judge_state_anew()
        if wrong:
            log.warning("table", problem=f"table {table.name} showed {wrong} certificates that are not its own")
