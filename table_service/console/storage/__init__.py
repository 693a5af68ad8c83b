"""The console's own records: people, sessions, who took which alert, orders, the round, what was seen.

One SQLite file. What the tables know is not here but in their journals; what of it the pages need after a restart
(events of the evening, frames of alerts) is kept as it came over MQTT.
"""

from table_service.console.storage.accounts import Accounts, LinkKind, PersonAccount, Role, Session
from table_service.console.storage.audit import Audit, AuditEntry
from table_service.console.storage.award_records import AwardRecord, AwardRecords
from table_service.console.storage.away import Away, Device, Sent, Wishes
from table_service.console.storage.book import Book
from table_service.console.storage.cases import Case, CaseDesk
from table_service.console.storage.database import BookError, Database
from table_service.console.storage.kept_events import KeptEvents
from table_service.console.storage.orders import SECRET, OrderBook, StoredOrder
from table_service.console.storage.photographed_deals import PhotographedDeal
from table_service.console.storage.round_records import Late, Protest, Round, Rounds
from table_service.console.storage.tournaments import Tournament, Tournaments

__all__ = [
    "SECRET",
    "Accounts",
    "Audit",
    "AuditEntry",
    "AwardRecord",
    "AwardRecords",
    "Away",
    "Book",
    "BookError",
    "Case",
    "CaseDesk",
    "Database",
    "Device",
    "KeptEvents",
    "Late",
    "LinkKind",
    "OrderBook",
    "PersonAccount",
    "PhotographedDeal",
    "Protest",
    "Role",
    "Round",
    "Rounds",
    "Sent",
    "Session",
    "StoredOrder",
    "Tournament",
    "Tournaments",
    "Wishes",
]
