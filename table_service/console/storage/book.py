"""The console's book: its one file, and what is in it."""

from __future__ import annotations

import secrets
from pathlib import Path

from table_service.console.storage.accounts import Accounts
from table_service.console.storage.adjustments import Adjustments
from table_service.console.storage.audit import Audit
from table_service.console.storage.award_records import AwardRecords
from table_service.console.storage.away import Away
from table_service.console.storage.cases import CaseDesk
from table_service.console.storage.choices import Choices
from table_service.console.storage.database import Database
from table_service.console.storage.entrants import Entrants
from table_service.console.storage.fetched_pictures import PictureBook
from table_service.console.storage.kept_events import KeptEvents
from table_service.console.storage.orders import OrderBook
from table_service.console.storage.photographed_deals import PhotographedDeals
from table_service.console.storage.round_records import Rounds
from table_service.console.storage.sealed_messages import SealedBook
from table_service.console.storage.tournaments import Tournaments
from table_service.console.storage.vouched_accounts import VouchedAccounts


class Book:
    """Everything the console keeps, in the file at ``path`` (None: until it ends). Raises BookError."""

    def __init__(self, path: Path | None = None) -> None:
        self.database = Database(path)
        with self.database.together():
            self.accounts = Accounts(self.database)
            self.vouched = VouchedAccounts(self.database)
            self.audit = Audit(self.database)
            self.desk = CaseDesk(self.database)
            self.orders = OrderBook(self.database)
            self.rounds = Rounds(self.database)
            self.awards = AwardRecords(self.database)
            self.adjustments = Adjustments(self.database)
            self.entrants = Entrants(self.database)
            self.tournaments = Tournaments(self.database)
            self.kept = KeptEvents(self.database)
            self.pictures = PictureBook(self.database)
            self.photographed = PhotographedDeals(self.database)
            self.sealed = SealedBook(self.database)
            self.choices = Choices(self.database)
            self.away = Away(self.database)
            self.name = self.database.meta("name", secrets.token_hex(6).encode()).decode()
            """This console among others, as its orders name it: every table knows it."""
            self.broker_name = self.database.meta("broker-name", secrets.token_hex(12).encode()).decode()
            """Its sessions at the broker are called so. Nobody else knows it: who did could take them over."""
            self.signing_seed = self.database.meta("signing-seed", secrets.token_bytes(32))

    def close(self) -> None:
        """Write what waits, and close the file."""
        self.database.close()
