"""What warnings cost a pair: each is booked to an account of the code, and accounts are kept apart (D-31)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from table_service.games.burraco.rules.policies import WarningAccount
from table_service.games.burraco.rules.rulebook import RuleBook


class Warned(NamedTuple):
    """A warning of a pair by ``row``, in round ``number`` of the tournament."""

    row: str
    number: int


class Cost(NamedTuple):
    """What a warning takes: victory points in the ranking, match points of the round."""

    victory_points: int = 0
    match_points: int = 0


def account_of(book: RuleBook, row: str) -> WarningAccount | None:
    """The account to which a warning by ``row`` is booked; None where the code has none for it."""
    named = next((one for one in book.warnings if row in one.rows), None)
    return named or next((one for one in book.warnings if not one.rows), None)


def warning_cost(book: RuleBook, earlier: Sequence[Warned], fresh: Warned) -> Cost:
    """Return what the warning ``fresh`` costs a pair that has had those ``earlier``, in any order.

    >>> from table_service.games.burraco.codes.feburit.rule_book import BOOK
    >>> warning_cost(BOOK, [Warned("B-19", 1)], Warned("B-19", 1))
    Cost(victory_points=0, match_points=100)
    """
    account = account_of(book, fresh.row)
    if account is None:
        return Cost()
    counted = sum(
        account_of(book, one.row) is account
        and (one.row == fresh.row or not account.each_row)
        and (one.number == fresh.number or account.scope == "tournament")
        for one in earlier
    )
    costs = counted % 2 == 1 if account.costly == "every-second" else counted > 0
    return Cost(account.victory_points, account.match_points) if costs else Cost()
