"""The referee of one round as most games need it: it keeps what was found and follows the arbitro's orders.

A game derives its own from ``IrregularityKeeper`` and adds the effects of its rulings; if these have none beyond
the irregularity, ``PlainRulings`` is enough. A round's demands on a referee are in ``table.round_state``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

from hw.cards import Pack
from hw.seats import Line, Seat
from table_service.events.orders import DecisionOrder, Order, Rule
from table_service.referee.awards import Awards
from table_service.referee.catalogue import Catalogue, Row
from table_service.referee.chance import BEGIN
from table_service.referee.deciding import Decisions, GameRulings
from table_service.referee.ledger import Ledger
from table_service.referee.past import Past, take_up
from table_service.referee.round import RoundBook
from table_service.referee.rulings import cards_named
from table_service.referee.values import Finding, Irregularity

DealT = TypeVar("DealT")


class PlainRulings(Generic[DealT]):
    """Rulings that change the irregularity alone (``deciding.GameRulings``): its offender, and the cards of ``pack``.

    While no deal runs an irregularity cannot be ruled to have happened; ``no_deal``: the beginning of that sentence.
    """

    def __init__(self, pack: Pack, no_deal: str) -> None:
        self._pack = pack
        self._no_deal = no_deal

    def may_mean(self, order: DecisionOrder, row: Row | None, seat: Seat | None) -> list[Irregularity]:  # noqa: ARG002
        """No other irregularity."""
        return []

    def objection(self, order: Rule, row: Row | None, deal: DealT | None) -> str | None:  # noqa: ARG002
        """Object that no deal is running."""
        if row is None or row.kind != "irregularity" or deal is not None:
            return None
        return f"{self._no_deal}: {row.id} cannot be ruled"

    def stated(self, fault: Irregularity, deal: DealT | None) -> Irregularity:  # noqa: ARG002
        """Return the fact as it was stated."""
        return fault

    def ruled(self, one: Irregularity, row: Row, order: Rule) -> dict[str, Any]:  # noqa: ARG002
        """Offender and cards as the order names them, else as they were."""
        return {"offender": order.seat or one.offender, "cards": cards_named(self._pack, order.cards) or one.cards}

    def fan(self, ruled: Irregularity, deal: DealT | None) -> int | None:  # noqa: ARG002
        """Return None: no card is drawn."""
        return None

    def follow(
        self,
        ruled: Irregularity,  # noqa: ARG002
        known: Irregularity | None,  # noqa: ARG002
        order: Rule,  # noqa: ARG002
        deal: DealT,  # noqa: ARG002
    ) -> list[Finding]:
        """Return no further findings."""
        return []

    def lift(self, ruled: Irregularity, t: float) -> list[Finding]:  # noqa: ARG002
        """Return no findings: nothing was imposed."""
        return []


class IrregularityKeeper(Generic[DealT]):
    """Keeps the irregularities of one round, its warnings and awards, and follows the arbitro's orders."""

    def __init__(
        self, catalogue: Catalogue, pack: Pack, rulings: GameRulings[DealT, Finding], book: RoundBook, mark: str = ""
    ) -> None:
        """``mark``: what sets the keys of this start of the table apart from those of others."""
        self._ledger = Ledger(catalogue, mark=mark)
        self._awards = Awards(catalogue, book)
        self._decisions: Decisions[DealT, Finding] = Decisions(self._ledger, self._awards, pack, rulings)

    @property
    def book(self) -> RoundBook:
        """The round beside the cards."""
        return self._awards.book

    @book.setter
    def book(self, book: RoundBook) -> None:
        self._awards.book = book

    @property
    def open(self) -> tuple[Irregularity, ...]:
        """The irregularities that wait for the arbitro, oldest first."""
        return self._ledger.open

    @property
    def warnings(self) -> Mapping[Line, int]:
        """Warnings by line in this round."""
        return {line: self.book.warned(line) for line in Line}

    def new_round(self, book: RoundBook | None = None) -> None:
        """Begin a round."""
        self._ledger.next_round()
        self._awards.next_round(book)

    def end_round(self, t: float) -> list[Finding]:
        """End the round."""
        return [*self._decisions.end_round(t)]

    def new_deal(self, number: int, t: float) -> list[Finding]:
        """Begin deal ``number``: what is open continues to wait."""
        said = self._ledger.next_deal(number, t)
        self._decisions.next_deal()
        self._awards.next_deal()
        return [*said]

    def take_up(self, irregularities: Iterable[Past], sanctions: Iterable[Past], deal: int) -> list[str]:
        """Take up reports from before the table's restart; return the keys that the code does not know any more.

        ``deal``: the newest one.
        """
        self._ledger.go_on(deal)
        unknown = take_up(self._ledger, irregularities)
        return [*unknown, *(str(past.data.get("key")) for past in sanctions)]

    def counted(self, lead: int | None) -> None:
        """Record that a deal was counted."""
        self._awards.counted(lead)

    def visited(self) -> None:
        """Record that the arbitro was called, or has acted."""
        self._awards.visited()

    def enter(self, one: Irregularity) -> Irregularity:
        """Enter what a judge has found; its key is given here."""
        return self._ledger.enter(one)

    def get(self, key: str) -> Irregularity | None:
        """Return the irregularity under ``key``; None if this deal has none."""
        return self._ledger.get(key)

    def change(self, one: Irregularity, t: float, **changes: Any) -> Irregularity:
        """``one`` with ``changes`` from ``t`` on."""
        return self._ledger.change(one, t, **changes)

    @property
    def liftable(self) -> tuple[Irregularity, ...]:
        """Irregularities that were ruled in the deal and can be lifted."""
        return self._ledger.ruled

    def earlier(self, key: str) -> tuple[int, Irregularity] | None:
        """Deal and irregularity under ``key`` if it was ruled in an earlier deal of the round."""
        return self._ledger.earlier(key)

    def is_of_another_round(self, key: str) -> bool:
        """Return True if ``key`` was given in another round than the one that is played."""
        return self._ledger.is_of_another_round(key)

    def reverse(self, key: str, t: float) -> list[Finding]:
        """Lift a ruling of an earlier deal of the round. Raises KeyError if there is none under ``key``."""
        return self._decisions.reverse(key, t)

    def order(self, order: Order, deal: DealT | None, chain: str = BEGIN) -> list[Finding]:
        """Return what the arbitro's act at the console changes."""
        return self._decisions.order(order, deal, chain)
