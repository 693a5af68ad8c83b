"""The table's memory: a chained, signed journal with an outbox, and the frames kept as evidence."""

from table_service.journal.audit import Fault, Verdict, audit
from table_service.journal.chain import JournalError, KeyFileError, canonical, load_or_make_key
from table_service.journal.evidence import EvidenceStore, Limits
from table_service.journal.store import Entry, Journal, JournalFullError, Kept, OutboxCounts

__all__ = [
    "Entry",
    "EvidenceStore",
    "Fault",
    "Journal",
    "JournalError",
    "JournalFullError",
    "Kept",
    "KeyFileError",
    "Limits",
    "OutboxCounts",
    "Verdict",
    "audit",
    "canonical",
    "load_or_make_key",
]
