"""Orders of the arbitro at the console: rulings, dismissals, confirmations, warnings, and their effects.

The way of an order is the same in every game: which irregularity it means, whether it can be followed, its effect on
the irregularity and on the round. A game's own part is behind ``GameRulings``.
"""

from __future__ import annotations

from typing import Any, Final, Generic, Protocol, TypeVar

from hw.cards import Pack
from hw.seats import Seat
from table_service.events.orders import Confirm, DecisionOrder, Dismiss, Order, Rule, Warn
from table_service.referee.awards import Awards
from table_service.referee.catalogue import FOUND_FROM, Found, Row, family_of
from table_service.referee.chance import place_in_fan
from table_service.referee.ledger import Ledger
from table_service.referee.refusing import given_before, refused, row_meant
from table_service.referee.rulings import against, cards_named, kept_of, told_by_minutes, wanting
from table_service.referee.values import Finding, Ignored, Irregularity, situation

_LIVING: Final = ("open", "ruled")
DealT = TypeVar("DealT")
DealT_contra = TypeVar("DealT_contra", contravariant=True)
FindingT = TypeVar("FindingT")


class GameRulings(Protocol[DealT_contra, FindingT]):
    """A game's part in rulings. ``deal``: the present deal, None if none is running."""

    def may_mean(self, order: DecisionOrder, row: Row | None, seat: Seat | None) -> list[Irregularity]:
        """Return the irregularities that a ruling by ``row`` may be about besides those of that row or its family.

        Those whose row names it among its options are such.
        """
        ...

    def objection(self, order: Rule, row: Row | None, deal: DealT_contra | None) -> str | None:
        """Return the sentence for a ruling that names something not on the table; None if it can be followed."""
        ...

    def stated(self, fault: Irregularity, deal: DealT_contra | None) -> Irregularity:
        """Return a fact that the arbitro states, completed from the deal."""
        ...

    def ruled(self, one: Irregularity, row: Row, order: Rule) -> dict[str, Any]:
        """Return the fields of ``one`` that the game changes as it is ruled to be ``row``; the offender always."""
        ...

    def fan(self, ruled: Irregularity, deal: DealT_contra | None) -> int | None:
        """Return the cards among which one is taken at random; None if they are to be counted first."""
        ...

    def follow(
        self, ruled: Irregularity, known: Irregularity | None, order: Rule, deal: DealT_contra
    ) -> list[Finding | FindingT]:
        """Apply the ruling to the deal; ``known``: the irregularity as it was before, if there was one."""
        ...

    def lift(self, ruled: Irregularity, t: float) -> list[Finding | FindingT]:
        """Lift what was imposed for ``ruled``."""
        ...


class Decisions(Generic[DealT, FindingT]):
    """Follows the arbitro's acts at the console, in the ``ledger`` and the ``awards`` of the round."""

    def __init__(self, ledger: Ledger, awards: Awards, pack: Pack, game: GameRulings[DealT, FindingT]) -> None:
        self._ledger = ledger
        self._awards = awards
        self._pack = pack
        self._game = game
        self._last: Rule | None = None

    def next_deal(self) -> None:
        """Begin a deal: no ruling has been given in it."""
        self._last = None

    def end_round(self, t: float) -> list[Irregularity]:
        """End the round; if the arbitro had to be called and was not, as far as seen, that is a fact to judge."""
        book = self._awards.book
        row = book.rules.call_row
        if row is None or not book.must_call or any(one.row.id == row for one in self._ledger):
            return []
        missed = Irregularity(
            key="",
            row=self._ledger.catalogue.row(row),
            offender=None,
            cards=(),
            t=t,
            committed_t=t,
            found="hand_end",
            needs_referee=True,
            basis=("derived",),
        )
        return [self._ledger.enter(missed)]

    def order(self, order: Order, deal: DealT | None, chain: str) -> list[Finding | FindingT]:
        """Return what the arbitro's act at the console changes: ``rule``, ``dismiss``, ``confirm``, ``warn``.

        ``chain``: that of the events of the deal so far, from which a card is drawn at random (``chance``).
        """
        match order:
            case Rule():
                return self._rule(order, deal, chain)
            case Dismiss():
                return self._close(order)
            case Confirm():
                return self._confirm(order)
            case Warn():
                row = order.row if order.row in self._ledger.catalogue.rows else None
                return [*self._awards.warn(order.line, row, "", order.t)]
        return []

    def reverse(self, key: str, t: float) -> list[Finding | FindingT]:
        """Lift the ruling that was given under ``key`` in an earlier deal of the round. Raises KeyError."""
        _, one = self._ledger.earlier(key) or (0, None)
        if one is None:
            raise KeyError(key)
        lifted = self._ledger.reverse(key, t)
        told = [lifted, *self._game.lift(one, t)] if one.row.kind == "irregularity" else []
        return [*told, *self._awards.lift(key, t)]

    def _meant(self, order: DecisionOrder) -> Irregularity | None:
        """Return the irregularity that the arbitro means: by key, else the newest open one of that row and seat."""
        if order.key is not None:
            return self._ledger.get(order.key)
        row, seat = order.row or "", order.seat
        latest = self._ledger.open[::-1]
        newest = self._ledger.newest_of(seat)
        if not row:
            return next(iter(newest), None)
        named = [one for one in latest if one.row.id == row]
        same = [one for one in named if one in newest]
        same += [one for one in named if one.row.warned == "both" or is_of_line(one, seat)]
        kin = [one for one in newest if one.row.family == family_of(row)]
        may_be = [one for one in newest if row in one.readings]
        may_be += self._game.may_mean(order, self._ledger.catalogue.rows.get(row), seat)
        return next(iter((*same, *kin, *may_be)), None)

    def _close(self, order: Dismiss) -> list[Finding | FindingT]:
        one = self._meant(order)
        key = order.key or ("" if one is None else one.key)
        lifted = self._awards.lift(key, order.t)
        self._ledger.undeclare(order.key or "")
        if one is None or one.state not in _LIVING:
            return [*lifted] or [Ignored(f"no open irregularity fits the order '{order.do}'", order.t)]
        closed = self._ledger.change(one, order.t, state="dismissed")
        return [closed, *self._game.lift(one, order.t), *lifted]

    def _confirm(self, order: Confirm) -> list[Finding | FindingT]:
        one = self._meant(order)
        if one is None or one.state != "open":
            return [Ignored(f"no open irregularity fits the order '{order.do}'", order.t)]
        return [self._ledger.change(one, order.t, confirmed=True, needs_referee=False)]

    def _rule(self, order: Rule, deal: DealT | None, chain: str) -> list[Finding | FindingT]:
        """Follow a ruling; one that names what does not exist, or is given twice, changes nothing and says so."""
        known = self._meant(order)
        wrong = self._refusal(order, known, deal) or given_before(order, known, self._last)
        if wrong is not None:
            return [Ignored(wrong, order.t)]
        said = self._followed(order, known, deal, chain)
        if not (len(said) == 1 and isinstance(said[0], Ignored)):
            self._last = order
        return said

    def about(self, order: Rule, deal: DealT | None) -> tuple[Irregularity | None, Row | None]:
        """Return the irregularity and the row that a ruling is about, as far as it can be followed."""
        known = self._meant(order)
        if self._refusal(order, known, deal) is not None:
            return None, None
        return known, row_meant(self._ledger.catalogue, order, known)

    def _refusal(self, order: Rule, known: Irregularity | None, deal: DealT | None) -> str | None:
        catalogue = self._ledger.catalogue
        wrong = refused(catalogue, self._pack, order, known) or self._nobody_there(order)
        if wrong is None and deal is None and known is not None and known.earlier:
            return None  # its effect on the table cannot be watched; the ruling is entered
        return wrong or self._game.objection(order, row_meant(catalogue, order, known), deal)

    def _nobody_there(self, order: Rule) -> str | None:
        """Return the fault of a ruling on an empty seat; None if the seat is taken."""
        seat, rotation = order.seat, self._ledger.rotation
        if seat is None or rotation.holds(seat):
            return None
        return f"nobody sits at {seat}: the seats are {', '.join(rotation.seats)}"

    def _followed(
        self, order: Rule, known: Irregularity | None, deal: DealT | None, chain: str
    ) -> list[Finding | FindingT]:
        declared = self._ledger.catalogue.rows.get(order.row or "")
        if declared is not None and declared.kind != "irregularity":
            return [*self._declare(declared, order)]
        if known is None and declared is not None and (lacks := wanting(declared, order)):
            return [Ignored(lacks, order.t)]
        one = known or self._from_console(order, declared, deal)
        if one is None:
            return [Ignored("a ruling must name the key of an irregularity, or a row of the catalogue", order.t)]
        ruled = self._drawn(self._ruled(one, order), order, deal, chain)
        said: list[Finding | FindingT] = [ruled, *self._awards.warnings_of(ruled, order.t)]
        said += self._awards.award(ruled.key, ruled.row, ruled.line, ruled.ruling, order.t)
        return said if deal is None else [*said, *self._game.follow(ruled, known, order, deal)]

    def _declare(self, row: Row, order: Rule) -> list[Finding]:
        """Declare a situation, or use a power of the arbitro: no irregularity, but it may change the round."""
        lacks = wanting(row, order)
        if lacks or not row.outcomes:
            return [Ignored(lacks or f"{row.id} is a {row.kind} of the code: there is nothing to rule", order.t)]
        key = order.key or self._ledger.new_key()
        if self._ledger.earlier(key) is not None:
            return [Ignored(f"{key} was ruled in an earlier deal: reverse that, and rule anew", order.t)]
        line, ruling = against(order, self._ledger.rotation), told_by_minutes(row, kept_of(order))
        self._ledger.declare(situation(key, row, line, ruling, order.t))
        return self._awards.award(key, row, line, ruling, order.t)

    def _ruled(self, one: Irregularity, order: Rule) -> Irregularity:
        catalogue = self._ledger.catalogue
        rows = [name for name in (order.option, order.row) if name in catalogue.rows]
        row = catalogue.row(str(rows[0])) if rows else one.row
        found = _found(order.found)
        if found is not None and not rows:
            row = catalogue.found(one.row, found)
        changes = {
            "state": "ruled",
            "row": row,
            "found": found or one.found,
            "melds": one.melds if order.meld is None else (order.meld,),
            "needs_referee": False,
            "ruling": told_by_minutes(row, kept_of(order)),
            "against": one.against or order.line,
        }
        return self._ledger.change(one, order.t, **(changes | self._game.ruled(one, row, order)))

    def _drawn(self, ruled: Irregularity, order: Rule, deal: DealT | None, chain: str) -> Irregularity:
        """Add the place of a card to be taken at random from the fan; a card named by the arbitro goes before it."""
        if not ruled.row.draws or ruled.option == "drawn-card" or deal is None or ruled.offender is None:
            return ruled
        if order.cards:
            return ruled
        place = place_in_fan(ruled.key, order.t, chain, self._game.fan(ruled, deal))
        return self._ledger.change(ruled, order.t, ruling=(*ruled.ruling, ("at_random", place.as_data())))

    def _from_console(self, order: Rule, row: Row | None, deal: DealT | None) -> Irregularity | None:
        """Return a fact that the table has not sensed and the arbitro states."""
        if row is None or order.key is not None:
            return None
        fault = Irregularity(
            key="",
            row=row,
            offender=order.seat,
            cards=cards_named(self._pack, order.cards),
            t=order.t,
            committed_t=order.t,
            found=_found(order.found) or "any",
            basis=("console",),
            against=order.line,
        )
        return self._ledger.enter(self._game.stated(fault, deal))


def is_of_line(one: Irregularity, seat: Seat | None) -> bool:
    """Return True if the line of ``seat`` answers for ``one``, in any turn: any of its seats may be named."""
    owed = any(duty.who == "line-in-turn" for duty in one.row.duties)
    if one.pair is not None:
        return owed and seat is one.offender
    return owed and seat is not None and one.line is seat.line


def _found(value: object) -> Found | None:
    return next((found for found in FOUND_FROM.values() if found == value), None)
