"""The common online rules (seeds 002): their rule book and their catalogue."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.edition import Edition
from table_service.games.burraco.codes.online.online_rows import ONLINE
from table_service.games.burraco.codes.online.rule_book import BOOK

EDITION: Final = Edition(BOOK, ONLINE)

__all__ = ["EDITION", "ONLINE"]
