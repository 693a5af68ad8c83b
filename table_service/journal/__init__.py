"""The table's memory: a chained, signed journal with an outbox, and the frames kept as evidence."""

from table_service.journal.chain import JournalError, KeyFileError, canonical, load_or_make_key, was_cut_off
from table_service.journal.chain_audit import AuditResult, ChainFault, audit
from table_service.journal.disk import Disk, inspect
from table_service.journal.entries import Entry, Keeping, OutboxCounts, StoredEvent
from table_service.journal.evidence_files import EvidenceStore, Limits
from table_service.journal.journal_file import JournalFullError
from table_service.journal.openings import OpeningNote, ledger_of, note_opening, openings
from table_service.journal.sealed_log import SealedLog, SealedLogWriter, is_sealed, sealed_lines_after
from table_service.journal.store import Journal

__all__ = [
    "AuditResult",
    "ChainFault",
    "Disk",
    "Entry",
    "EvidenceStore",
    "Journal",
    "JournalError",
    "JournalFullError",
    "Keeping",
    "KeyFileError",
    "Limits",
    "OpeningNote",
    "OutboxCounts",
    "SealedLog",
    "SealedLogWriter",
    "StoredEvent",
    "audit",
    "canonical",
    "inspect",
    "is_sealed",
    "ledger_of",
    "load_or_make_key",
    "note_opening",
    "openings",
    "sealed_lines_after",
    "was_cut_off",
]
