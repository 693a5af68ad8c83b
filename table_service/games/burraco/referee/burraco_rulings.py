"""Burraco's part of the arbitro's rulings: which fault they may mean, and what they change in the deal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from hw.cards import BURRACO, UNKNOWN, face
from hw.seats import LINES, Line, Seat
from hw.zones import melds, side
from table_service.events.orders import DecisionOrder, Rule
from table_service.games.burraco.duties import SanctionBook
from table_service.games.burraco.duties.returning import BACK, penalises_others, without
from table_service.games.burraco.fault_kinds import (
    CLOSING_WAYS,
    CLOSINGS,
    EQUAL_SETS,
    LAID_IN_NO_TURN,
    PASSED,
    SECOND_POT,
    TAKEN_OUT_OF_TURN,
    WRONG_MELDS,
    FaultKind,
    Kinds,
)
from table_service.games.burraco.judges.resting_melds import is_of_meld
from table_service.games.burraco.referee.findings import Against, Finding, Forgiven, Passed
from table_service.games.burraco.rules.card_ledger import matching
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.games.burraco.rules.meld import set_rank
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.games.burraco.rules.uncovering import laid_in_turn
from table_service.referee.catalogue import Row
from table_service.referee.deciding import is_of_line
from table_service.referee.ledger import Ledger
from table_service.referee.rulings import cards_named
from table_service.referee.values import Irregularity

_ABOUT_CARDS: Final = frozenset({"penalise", "complete-or-penalise", "take-back", "discard", "expose"})
"""Duties of which the arbitro says the cards."""
_OUT_OF_TURN: Final = FaultKind.LAID_OUT_OF_TURN
_LEAVES: Final = frozenset({"penalise", "complete-or-penalise", "take-back", "discard"})
"""Duties that leave their player with cards."""
_TAKEN_WITH_POT: Final = FaultKind.LAID_AFTER_TAKING_WITH_POT
_COLLECTED: Final = Kinds((FaultKind.COLLECTED_OUT_OF_TURN, FaultKind.COLLECTED_OUT_OF_TURN_THEN_LAID))


class BurracoRulings:
    """Rulings about the deal that stands, with the ``sanctions`` in force; a ``GameRulings``."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.sanctions = SanctionBook()
        self._sets: dict[str, tuple[Line, tuple[tuple[str, ...], ...]]] = {}

    def banned_sets(self, book: RuleBook) -> dict[Line, frozenset[str]]:
        """Return the ranks of which each line was ruled to have opened a second set in this round."""
        ruled = [(line, {set_rank(book, cards) for cards in sets} - {None}) for line, sets in self._sets.values()]
        sure = [(line, str(*ranks)) for line, ranks in ruled if len(ranks) == 1]
        return {line: frozenset(rank for one, rank in sure if one is line) for line in LINES}

    def take_up(self) -> None:
        """Take up from the ledger which sets were ruled before the table's restart."""
        for one in self._ledger.ruled_in_round:
            if one.line is not None and one.row.is_of(EQUAL_SETS):
                self._sets[one.key] = (one.line, (one.cards,))

    def next_round(self) -> None:
        """Begin a round: other lines sit at the table, so that no set is banned."""
        self._sets = {}

    def may_mean(self, order: DecisionOrder, row: Row | None, seat: Seat | None) -> list[Irregularity]:
        """Return the irregularities that a ruling by ``row`` may be about besides those of that row or its family."""
        if row is None:
            return []
        latest = self._ledger.open[::-1]
        newest = self._ledger.newest_of(seat)
        meld = order.meld
        may_be = [one for one in newest if row.id in one.row.options or is_of_meld(one, row, meld)]
        may_be += [one for one in newest if _led_to_pot(one, row, seat) or _had_drawn(one, row, meld)]
        if isinstance(meld, int):
            may_be += [one for one in latest if is_of_meld(one, row, meld) and _may_be_anothers(one, order)]
        return [*may_be, *(one for one in latest if _was_passed(one, row, seat))]

    def objection(self, order: Rule, row: Row | None, deal: Deal | None) -> str | None:
        """Return the sentence for a ruling that names what is not on the table; None if it can be followed."""
        if deal is None:
            plays = row is not None and (row.duties or row.freezes or row.negative)
            return f"no deal is running: {row.id} cannot be ruled" if row is not None and plays else None
        meld = order.meld
        seen = deal.melds and not {melds(one.line) for one in deal.melds} & set(deal.places.unverified)
        if isinstance(meld, int) and seen and deal.meld(meld) is None:
            return f"there is no meld {meld} on the table: there are {', '.join(str(one.row) for one in deal.melds)}"
        return None

    def stated(self, fault: Irregularity, deal: Deal | None) -> Irregularity:
        """Complete a fact that the arbitro states with whose turn it is and whether its cards lie open."""
        if deal is None:
            return fault
        return replace(fault, seen=bool(fault.cards) and deal.lie_open(fault.cards), victim=deal.to_play)

    def ruled(self, one: Irregularity, row: Row, order: Rule) -> dict[str, Any]:
        """Return who answers for ``one`` ruled to be ``row``, and for which cards; which wrong closing led to a pot."""
        named = order.meld is not None or bool(one.melds)
        way = CLOSING_WAYS.get(one.kind, "") if row.is_of(SECOND_POT) else ""
        cards, returned = _sorted_out(one, row, order.cards)
        both: dict[str, Any] = {"melds": one.melds} if row.is_of(EQUAL_SETS) and order.meld in one.melds else {}
        if _had_drawn(one, row, order.meld):
            both["basis"] = ("console",)  # that he drew is the arbitro's word
        return both | {
            "offender": _answers(one, row, order.seat),
            "cards": cards,
            "returned": returned,
            "seen": one.seen or bool(returned) or (row.is_of(WRONG_MELDS) and named),
            "way": way or one.way,
        }

    def fan(self, ruled: Irregularity, deal: Deal | None) -> int | None:
        """Return the number of cards of the offender's fan; None if melds go back into it first, or it is uncertain."""
        who = ruled.offender
        if deal is None or who is None or ruled.melds or not deal.sure_of(who):
            return None
        return deal.count(who)

    def follow(self, ruled: Irregularity, known: Irregularity | None, order: Rule, deal: Deal) -> list[Finding]:
        """Return what the ruling changes in the deal: what counts against the line, duties, frozen melds."""
        t = order.t
        self._note_set(ruled, deal)
        said: list[Finding] = [] if ruled.offender is None else [Forgiven(ruled.offender)]
        said += self._closing_stands(ruled, deal, t)
        added = _added(ruled, order, deal)
        if ruled.row.negative or added:
            cards = added or (() if ruled.row.negative_whole else ruled.cards)
            said += [Against(row, cards, t) for row in ruled.melds]
        if deal.phase is Phase.OVER:  # nobody plays another turn: what is left to do is done before the count
            return [*said, *self.sanctions.impose(ruled, deal, t)]
        if known is None or not _is_passed(known.row):
            said += _passed(ruled, deal)
        said += self.sanctions.impose(ruled, deal, t)
        freezing = replace(ruled, melds=_with_equal_sets(ruled, deal))
        return [
            *said,
            *self.sanctions.freezes.freeze(freezing, order.freeze, deal, t),
            *self._frozen_for_closing(ruled, deal, t),
        ]

    def _closing_stands(self, ruled: Irregularity, deal: Deal, t: float) -> list[Finding]:
        """Dismiss what was found wrong with a closing that a ruling lets stand (feburit, 23)."""
        if ruled.row.closes is None or ruled.option != ruled.row.closes:
            return []
        who = (deal.last_out, deal.closer)
        void = [one for one in self._ledger.open if one.row.is_of(CLOSINGS) and one.offender in who]
        said: list[Finding] = []
        for one in void:
            said += [self._ledger.change(one, t, state="dismissed"), *self.lift(one, t)]
        return said

    def _frozen_for_closing(self, ruled: Irregularity, deal: Deal, t: float) -> list[Finding]:
        """Freeze for a time the melds laid for a closing that is void, but for the last play (feburit, 23)."""
        if ruled.row.reopens is None or ruled.option != ruled.row.reopens or deal.last_play is None:
            return []
        since = deal.outs[-2][1] if len(deal.outs) > 1 else -1.0
        laid = {
            row
            for row in deal.changed
            if any(lay.seat is deal.last_out and lay.t > since for lay in deal.seen_lays(row))
        }
        rows = tuple(sorted(laid - {deal.last_play.row, *ruled.melds}))
        return [*self.sanctions.freezes.freeze(replace(ruled, melds=rows), "temporary", deal, t)]

    def leaves_cards(self, order: Rule, deal: Deal, known: Irregularity | None, row: Row | None) -> Seat | None:
        """Seat that by the ruling ``order`` has cards left after supposedly going out; None if there is none.

        His cards are penalised, taken back or still to be discarded (arts. 17, 25, 26, 33 to 35). What is found later
        (art. 25, third case) leaves a closing as it was. ``known``, ``row``: what the ruling is about.
        """
        if row is not None and row.reopens is not None and order.option == row.reopens:
            return deal.closer
        told = (None, ()) if known is None else (known.offender, known.cards)
        who = order.seat or told[0]
        cards = cards_named(BURRACO, order.cards) or told[1]
        if row is None or who is None or who is not deal.last_out or not _asks_for_cards(row):
            return None
        beneath = UNKNOWN in told[1] and UNKNOWN in map(face, deal.pile[:-1])  # the card that nobody has read
        return who if beneath or _still_his(cards, who, deal) else None

    def lift(self, ruled: Irregularity, t: float) -> list[Finding]:
        """Lift what was imposed for ``ruled``, and thaw the melds that it froze."""
        self._sets.pop(ruled.key, None)
        return self.sanctions.lift(ruled, t)

    def _note_set(self, ruled: Irregularity, deal: Deal) -> None:
        """Note line and cards of a ruled second set: the cards of its meld, and the cards named."""
        if ruled.row.is_of(EQUAL_SETS) and ruled.line is not None:
            lie = [meld.cards for meld in deal.melds if meld.row in ruled.melds]
            self._sets[ruled.key] = (ruled.line, (*lie, ruled.cards))


def _with_equal_sets(ruled: Irregularity, deal: Deal) -> tuple[int, ...]:
    """Return the rows that ``ruled`` names; of two equal sets both, joined and frozen whole (feburit, 15)."""
    lie = [meld for row in ruled.melds if (meld := deal.meld(row)) is not None]
    equal = [deal.equal_set(meld.line, meld.cards, meld.row) for meld in lie if ruled.row.is_of(EQUAL_SETS)]
    return tuple(dict.fromkeys((*ruled.melds, *(meld.row for meld in equal if meld is not None))))


def _still_his(cards: tuple[str, ...], who: Seat, deal: Deal) -> bool:
    """Return True if any of ``cards`` is where ``who`` may have to take it up: his line's melds, the pile, his side."""
    lie = tuple(card for meld in deal.melds if meld.line is deal.line_of(who) for card in meld.cards)
    return bool(matching(cards, (*lie, *deal.pile[:-1], *deal.at(side(who)))))


def _led_to_pot(one: Irregularity, row: Row, seat: Seat | None) -> bool:
    """Return True if ``one`` is the wrong closing of ``seat`` that led to a second pot, on which ``row`` is."""
    return row.is_of(SECOND_POT) and one.kind in CLOSING_WAYS and one.offender is seat


def _was_passed(one: Irregularity, row: Row, seat: Seat | None) -> bool:
    """Return True if cards that ``seat`` passed to his partner, on which ``row`` is, seemed to be play out of turn."""
    partner = None if seat is None else seat.partner
    return _is_passed(row) and partner is not None and one.offender is partner and one.kind == _OUT_OF_TURN


def _had_drawn(one: Irregularity, row: Row, meld: int | None) -> bool:
    """Return True if who laid out of turn, as ``one`` has it, had by ``row`` taken a card that no sensor told of."""
    taken = row.is_of(TAKEN_OUT_OF_TURN & LAID_IN_NO_TURN)
    return taken and one.kind == _OUT_OF_TURN and meld in (None, *one.melds)


def _may_be_anothers(one: Irregularity, order: DecisionOrder) -> bool:
    """Return True if the arbitro may say whose fault ``one`` was: it was uncertain, or he names those very cards."""
    cards = sorted(map(face, cards_named(BURRACO, order.cards)))
    return one.severity == "note" or (bool(cards) and cards == _faces(one))


def _faces(one: Irregularity) -> list[str]:
    return sorted(map(face, one.cards))


def _asks_for_cards(row: Row) -> bool:
    """Return True if the offender is left with cards whatever way is chosen."""
    return any(duty.do in _LEAVES for duty in row.duties if duty.who == "offender" and duty.option is None)


def _answers(one: Irregularity, row: Row, named: Seat | None) -> Seat | None:
    """Seat that answers for ``one`` ruled as ``row``: the one ``named``, or the offender if he is of that line."""
    if named is None or (row == one.row and one.offender is not None and is_of_line(one, named)):
        return _offender(one, row)
    return named


def _offender(one: Irregularity, row: Row) -> Seat | None:
    """Return who answers for ``one`` where nobody is named: who passed cards over, not who laid them."""
    passed = one.kind == FaultKind.LAID_OUT_OF_TURN and _is_passed(row) and one.offender is not None
    return one.offender.partner if passed and one.offender is not None else one.offender


def _passed(ruled: Irregularity, deal: Deal) -> list[Passed]:
    """Return the offender's cards, which he passed over, that his partner has laid in this turn of the offender."""
    giver = ruled.offender
    if not _is_passed(ruled.row) or giver is None or giver is not deal.to_play or not deal.begun:
        return []
    lays = [lay for row in deal.changed for lay in deal.seen_lays(row)]
    count = sum(len(lay.cards) for lay in lays if lay.seat is giver.partner and lay.t > deal.last_out_t)
    return [Passed(giver, giver.partner, count)] if count else []


def _added(ruled: Irregularity, order: Rule, deal: Deal) -> tuple[str, ...]:
    """Return the cards that count against the line as they brought a hidden one to light; the arbitro's word first."""
    named = cards_named(BURRACO, order.added)
    if named or "added" not in ruled.row.form:
        return named
    laid = ruled.added or tuple(card for row in ruled.melds for card in laid_in_turn(deal, row))
    return tuple(card for card in laid if card not in ruled.cards)


def _is_passed(row: Row | None) -> bool:
    """Return True if ``row`` is on cards that are passed into the partner's hand, who lays them."""
    return row is not None and row.is_of(PASSED)


def _sorted_out(one: Irregularity, row: Row, value: tuple[str, ...] | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cards that a ruling by ``row`` is about, and apart those that go back if others are penalised.

    Which are penalised the arbitro names. Of who laid with a pot to play nothing need be: complete melds are frozen.
    What goes back by a fact that he states nobody has seen taken.
    """
    if not penalises_others(row):
        return _cards_ruled(one, row, value), ()
    named = cards_named(BURRACO, value)
    if one.returned:
        return named, one.returned
    if not named and one.kind != _TAKEN_WITH_POT:
        return one.cards, ()
    stated = _faces(one) == sorted(map(face, named))
    return named, (() if stated else _taken(one, named)) or (UNKNOWN,)


def _taken(one: Irregularity, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards that were taken, of a fact of whose cards those ``named`` are penalised; empty if unknown."""
    if one.kind == _TAKEN_WITH_POT:
        return one.cards
    if one.kind in _COLLECTED:
        return without(one.cards, named)
    return one.cards[:1] if one.kind in TAKEN_OUT_OF_TURN else ()


def _cards_ruled(one: Irregularity, row: Row, value: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the cards that a ruling by ``row`` is about: those the arbitro names before those the table proposed.

    So it is of a wrong meld, and wherever the cards are penalised, taken back, discarded or exposed. Elsewhere the
    table's are those of the act itself, and the arbitro may name just the card that goes back.
    """
    named = cards_named(BURRACO, value)
    asked = {duty.do for duty in row.duties}
    goes_before = one.kind in WRONG_MELDS or bool(asked & _ABOUT_CARDS and not asked & BACK)
    if not named or not (goes_before or not one.cards):
        return one.cards
    if sorted(map(face, named)) == _faces(one):
        return one.cards  # which of two equal cards it was, the table may know better than a word can say
    return named
