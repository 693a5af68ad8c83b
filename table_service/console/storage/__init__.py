"""The console's own records: people, sessions, who took which alert, orders, the round, what was seen.

One SQLite file. What the tables know is not here but in their journals; what of it the pages need after a restart
(events of the evening, frames of alerts) is kept as it came over MQTT.
"""

from table_service.console.storage.accounts import Account, Accounts, LinkKind, Role, Session
from table_service.console.storage.audit import Audit, Entry
from table_service.console.storage.award_records import AwardRecord, AwardRecords
from table_service.console.storage.away import Away, Device, Sent, Wishes
from table_service.console.storage.book import Book
from table_service.console.storage.cases import Case, Desk
from table_service.console.storage.database import BookError, Database
from table_service.console.storage.kept_events import Kept
from table_service.console.storage.orders import SECRET, Order, OrderBook
from table_service.console.storage.photographed_deals import PhotographedDeal
from table_service.console.storage.round_records import Late, Protest, Round, Rounds
from table_service.console.storage.tournaments import Tournament, Tournaments

__all__ = [
    "SECRET",
    "Account",
    "Accounts",
    "Audit",
    "AwardRecord",
    "AwardRecords",
    "Away",
    "Book",
    "BookError",
    "Case",
    "Database",
    "Desk",
    "Device",
    "Entry",
    "Kept",
    "Late",
    "LinkKind",
    "Order",
    "OrderBook",
    "PhotographedDeal",
    "Protest",
    "Role",
    "Round",
    "Rounds",
    "Sent",
    "Session",
    "Tournament",
    "Tournaments",
    "Wishes",
]
