"""What the console itself knows and keeps: people, sessions, who took which alert, orders, the round, what was seen.

One SQLite file. What the tables know is not here but in their journals; what of it the pages need after a restart
(events of the evening, frames of alerts) is kept as it came over MQTT.
"""

from table_service.console.book.accounts import Account, Accounts, LinkKind, Role, Session
from table_service.console.book.audit import Audit, Entry
from table_service.console.book.database import BookError, Database
from table_service.console.book.desk import Case, Desk
from table_service.console.book.kept import Kept
from table_service.console.book.orders import Order, OrderBook
from table_service.console.book.rounds import Late, Protest, Round, Rounds
from table_service.console.book.tournaments import Tournament, Tournaments
from table_service.console.book.whole import Book

__all__ = [
    "Account",
    "Accounts",
    "Audit",
    "Book",
    "BookError",
    "Case",
    "Database",
    "Desk",
    "Entry",
    "Kept",
    "Late",
    "LinkKind",
    "Order",
    "OrderBook",
    "Protest",
    "Role",
    "Round",
    "Rounds",
    "Session",
    "Tournament",
    "Tournaments",
]
