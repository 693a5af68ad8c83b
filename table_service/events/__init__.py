"""Messages of a table: an envelope, a model per payload, and what of it is public (interfaces, section 3)."""

from table_service.events.envelope import Envelope, Event, dumps, event_from_json, event_to_json, public
from table_service.events.schema import event_schema

__all__ = ["Envelope", "Event", "dumps", "event_from_json", "event_schema", "event_to_json", "public"]
