"""Arts. 11, 25 to 27: runs put in order by the partner, cards discarded together, cards laid where they may not be.

Melds that are none as they lie are judged when they have come to rest (``melding``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import DISCARD, melds, side
from table_service.games.burraco.duties.limited_turns import is_pending
from table_service.games.burraco.fault_kinds import WRONG_MELDS, FaultKind
from table_service.games.burraco.judges.excess import wrong_addition
from table_service.games.burraco.judges.facts import Facts, joined, new, pushed_on, turned_out, with_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import newcomers
from table_service.games.burraco.rules.deal import ActFault, Deal, MeldRow, Phase
from table_service.games.burraco.rules.meld import MeldReading, reading_of, readings
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.referee.catalogue import Words
from table_service.referee.values import Irregularity, Sanction

PLAIN: Final = 0.9
"""From this confidence on, who put a run in order may accuse."""
HEARD: Final = 2.0
"""Seconds after a call within which a play that had begun may still be ended."""
_WRONG_TILL_THEN: Final = WRONG_MELDS - {FaultKind.WRONG_MELD_THEN_OTHERS}
_LIMITS: Final = ("bar-closing", "limit-turn")
"""Duties that name a meld and let nobody put it right."""
_FROZEN: Final = Words("a un gioco congelato", "to a frozen meld")
_ON_CLOSED: Final = (FaultKind.LAID_ON_FROZEN_MELD, FaultKind.LAID_ON_WRONG_MELD)


def judge(facts: Facts) -> list[Irregularity]:
    """Return what is wrong with the melds that the action touches, or with cards that go along with a discard."""
    action = facts.action
    match action:
        case act.Change():
            return _put_in_order(facts, action)
        case act.Open() | act.Extend():
            closed = on_melds_closed_to_them(facts, action)
            late = [*_before_penalised(facts, action), *_after_call(facts, action)]
            return [*closed, *late, *_after_wrong_meld(facts, action)]
        case act.Discard():
            ended = _at_the_end(facts)
            late = [*_two_at_once(facts, action), *_virtually_empty(facts, action)]
            return [*late, *_withdrawn(facts, action), *_another(facts, action), *_wild_on_top(facts, action), *ended]
    return []


def on_melds_closed_to_them(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Return what is wrong with cards that come to a frozen or a wrong meld, or to one of the other line."""
    return [*_on_closed_melds(facts, action), *_on_other_line(facts, action)]


def _orders_as_partner(before: Deal, action: act.Change, seat: Seat) -> bool:
    """Return True if ``seat``, surely the partner of the player known to play, puts a run of their line in order."""
    if action.why != "reordered" or action.confidence < PLAIN or not before.known:
        return False
    if seat is not before.rotation.partner(before.to_play) or action.line is not before.line_of(seat):
        return False
    lay = before.meld(action.row)
    return lay is not None and _is_put_in_order(before.book, lay.cards, action.result)


def _put_in_order(facts: Facts, action: act.Change) -> list[Irregularity]:
    """Art. 11: the partner of who plays puts a run in order, which is a hint.

    Before he takes only where the code makes a fault of its own of a run that a card of the pile fits.
    """
    before, seat = facts.before, action.seat
    if seat is None or not _orders_as_partner(before, action, seat):
        return []
    known = tuple(card for card in before.pile if face(card) != UNKNOWN)
    takes = tuple(card for card in known if readings(before.book, (*action.result, card)))
    kind = FaultKind.RUN_REORDERED_FOR_PILE_CARD if takes else FaultKind.RUN_REORDERED_BY_PARTNER
    answer = facts.catalogue.answer
    apart = answer(FaultKind.RUN_REORDERED_FOR_PILE_CARD) != answer(FaultKind.RUN_REORDERED_BY_PARTNER)
    if not before.begun and not (takes and apart):
        return []
    row = facts.catalogue.answer(kind)
    about = row is not None and any(step.cards for step in row.steps)  # the code says something of those cards
    return new(facts, kind, seat, cards=takes if about else (), melds=(action.row,), seen=True)


def _is_put_in_order(book: RuleBook, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Return True if the same cards made a run that was in no order ``before`` and is in the right one ``after``."""
    was, now = tuple(map(face, before)), tuple(map(face, after))
    reading = reading_of(book, now)
    if reading is None or reading.kind != "run" or sorted(was) != sorted(now):
        return False
    return now == reading.cards and was not in (reading.cards, reading.cards[::-1])


def _on_closed_melds(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Art. 27: cards added to a meld that the arbitro has frozen, or to one that is known to be wrong."""
    before = facts.before
    lay = before.meld(action.row)
    if not isinstance(action, act.Extend) or lay is None:
        return []
    seat = before.actor(action.seat)
    thaws = any(one.row == action.row and one.who is seat for one in facts.thaws) and not before.begun
    frozen = lay.frozen != "none" and not thaws
    if not (frozen or action.row in facts.wrong) or pushed_on(facts, action) is not None:
        return []
    if _mends(facts, seat, action.row):
        return []
    again = facts.open_of(seat, _ON_CLOSED)
    if again is not None and action.row in again.melds:
        return [joined(again, facts)]
    if not frozen:
        return new(facts, FaultKind.LAID_ON_WRONG_MELD, seat, melds=(action.row,), seen=True)
    return _on_frozen_meld(facts, action, lay, seat)


def _on_frozen_meld(facts: Facts, action: act.Extend, lay: MeldRow, seat: Seat) -> list[Irregularity]:
    """Return a fault of its own by fibur2024; if the code has none, the cards are wrongly added and go back."""
    if facts.catalogue.answer(FaultKind.LAID_ON_FROZEN_MELD) is not None:
        return new(facts, FaultKind.LAID_ON_FROZEN_MELD, seat, melds=(action.row,), seen=True)
    kind = wrong_addition(facts.before.book, lay.cards)
    return new(facts, kind, seat, cards=action.cards, melds=(action.row,), seen=True, about=_FROZEN)


def _after_wrong_meld(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Others are laid in the turn of a wrong meld that has been told: some codes judge it otherwise from then on."""
    seat = action.seat
    wrong = [one for one in facts.open if one.kind in _WRONG_TILL_THEN and one.offender is seat is not None]
    wrong = [one for one in wrong if one.found == "during_turn" and action.row not in one.melds]
    later = [one for one in wrong if action.committed_t > one.committed_t >= facts.before.last_out_t]
    kind = FaultKind.WRONG_MELD_THEN_OTHERS
    return [replace(said, t=action.t) for one in later for said in turned_out(one, kind, facts.catalogue)]


def _on_other_line(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Cards laid to a meld of the other line, told by a gate or by a hand that was alone there."""
    sure = action.is_by_one_hand
    if action.seat is None or not sure or ActFault.OTHER_LINE not in facts.faults or not isinstance(action, act.Extend):
        return []
    return new(facts, FaultKind.LAID_ON_OTHER_LINES_MELD, action.seat, melds=(action.row,), seen=True)


def _another(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Another card is discarded than the penalised one that is due."""
    broken = [one for one in facts.broken if one.duty.do in ("discard", "expose") and one.who is action.seat]
    if not broken:
        return []
    found = "after_discard_before_next_draw"
    return new(facts, FaultKind.ANOTHER_DISCARDED, broken[0].who, seen=True, found=found)


def _after_call(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Cards laid in the turn in which somebody called the arbitro: a note, as he may have come and had them go on."""
    before, seat, called = facts.before, action.seat, facts.called
    sure = action.is_by_one_hand
    if seat is None or called is None or not sure or not before.begun:
        return []
    if called < before.last_out_t or action.committed_t < called + HEARD:
        return []
    again = facts.open_of(seat, (FaultKind.LAID_AFTER_CALL,))
    if again is not None:
        return [joined(again, facts, melds=with_row(again.melds, action.row))]
    kind, melds = FaultKind.LAID_AFTER_CALL, (action.row,)
    return new(facts, kind, seat, melds=melds, seen=True, severity="note", needs_referee=True)


def _mends(facts: Facts, seat: Seat, row: int) -> bool:
    """Return True if ``seat`` may put the meld right: he has laid it wrongly in this very turn (art. 29)."""
    if any(one.meld == row and one.who is seat and one.duty.do not in _LIMITS for one in facts.sanctions):
        return True
    about = [one for one in facts.open if one.offender is seat and row in one.melds]
    opens_on = facts.before.last_out is seat and not facts.before.begun  # which after his discard is wrong by itself
    return any(one.found == "during_turn" or (opens_on and one.kind == FaultKind.TOO_FEW_LAID) for one in about)


def _before_penalised(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Art. 27: cards laid in the turn of the fault, before its penalised card is discarded."""
    before, seat = facts.before, action.seat
    if seat is None or seat is not before.to_play or not before.begun:
        return []
    owes = [one for one in facts.sanctions if one.who is seat and one.since_turn == before.turn]
    owes = [one for one in owes if not _goes_last(one)]
    if not any(is_pending(one, before) for one in owes) or any(one.meld == action.row for one in owes):
        return []
    again = facts.open_of(seat, (FaultKind.LAID_BEFORE_PENALISED_DISCARD,))
    if again is not None:
        return [joined(again, facts, melds=with_row(again.melds, action.row))]
    return new(facts, FaultKind.LAID_BEFORE_PENALISED_DISCARD, seat, melds=(action.row,), seen=True)


def _goes_last(one: Sanction) -> bool:
    """Return True if the card is discarded as the turn ends, which is played until then (art. 26, third and fourth)."""
    return one.duty.do == "discard" and one.duty.until == "end-of-own-turn"


def _two_at_once(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 26, fifth case: the card on top is the discard, those beneath it go back and are exposed.

    Which ones they are nobody has seen: they lay hidden, and no tag answers from beneath another card.
    """
    seat = action.seat
    if len(action.cards) < 2 or seat is None or seat is not facts.before.to_play:
        return []
    if DISCARD in facts.before.places.unverified and UNKNOWN in map(face, action.cards):
        return []  # a scale that has been contradicted is no witness of a card that nobody has seen
    hidden = (UNKNOWN,) * (len(action.cards) - 1)
    return new(facts, FaultKind.TWO_DISCARDED, seat, cards=hidden, found="after_discard_before_next_draw")


def _virtually_empty(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 27, last part: his last meld was frozen, nothing was left in his hand, and he has drawn a wild."""
    before, seat = facts.before, facts.before.actor(action.seat)
    if ActFault.WILD_DISCARD not in facts.faults or seat is not before.to_play or facts.after.owns(seat):
        return []
    rows = tuple(one.row for one in facts.thawed if one.who is seat)
    alone = before.took == 1 and before.count(seat) == 1 and before.last_play is None
    if not rows or not alone or not (before.sure_of(seat) and facts.after.sure_of(seat)):
        return []
    found = "after_discard_before_next_draw"
    return new(facts, FaultKind.WILD_LEFT_BY_FROZEN_MELD, seat, melds=rows, seen=True, found=found)


def _withdrawn(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 29: who lays one or two cards to open and will not complete them has played them, though he takes them back.

    That he does not complete them is plain when he discards. Whether he meant to open the arbitro asks him.
    """
    before, seat = facts.before, action.seat
    left = newcomers(action.cards, before.withdrawn)
    if (
        seat is None
        or seat is not before.to_play
        or not left
        or melds(before.line_of(seat)) in before.places.unverified
    ):
        return []
    if any(one.offender is seat and one.t > before.last_out_t for one in facts.told):
        return []  # what he had to take back is known already
    found = "after_discard_before_next_draw"
    return new(facts, FaultKind.TOO_FEW_LAID, seat, cards=left, seen=True, needs_referee=True, found=found)


def _wild_on_top(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Judge a free wild laid on top of a run, which must then be continued (feburit, art. 6); a note after the discard.

    Told only where the ledger knows the card in his hand, or he has discarded it; whether he meant to go on the
    arbitro asks him.
    """
    before, seat = facts.before, action.seat
    if before.book.table.free_wild_on_top != "binds-to-go-on" or seat is None or seat is not before.to_play:
        return []
    held = tuple(face(card) for card in (*before.hand(seat), *action.cards) if face(card) != UNKNOWN)
    for meld in before.melds:
        laid = [
            card
            for lay in before.seen_lays(meld.row)
            if lay.seat is seat and lay.t >= before.began_t
            for card in lay.cards
        ]
        cards = _goes_on(before.book, meld.cards, tuple(laid), held)
        if cards and meld.line is before.line_of(seat) and melds(meld.line) not in before.places.unverified:
            found = "after_discard_before_next_draw"
            return new(
                facts, FaultKind.FREE_WILD_ON_TOP, seat, cards=(), melds=(meld.row,), found=found, severity="note"
            )
    return []


def _free_wild_on_top(book: RuleBook, known: tuple[str, ...]) -> MeldReading | None:
    """Return the run as it lies, if a wild that could lie below as well lies on top of it."""
    found = [one for one in readings(book, known) if one.kind == "run"]
    if not any(one.wild_low for one in found):
        return None  # it could lie nowhere else
    lies = next((one for one in found if known in (one.cards, one.cards[::-1])), None)
    return lies if lies is not None and lies.wild is not None and lies.cards[-1] == lies.wild else None


def _goes_on(book: RuleBook, lies: tuple[str, ...], laid: tuple[str, ...], held: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards of ``held`` that continue a run beyond the free wild that was ``laid`` on top of it."""
    known = tuple(map(face, lies))
    top = _free_wild_on_top(book, known)
    if top is None or top.wild not in tuple(map(face, laid)):
        return ()
    beyond = [one for card in held for one in readings(book, (*known, card)) if one.wild_between]
    fits = {one.cards[-1] for one in beyond if one.stands_for == top.stands_for and one.cards[-1] in held}
    fits |= {card for card in held if card == top.stands_for}
    return tuple(card for card in held if card in fits)


def _at_the_end(facts: Facts) -> list[Irregularity]:
    """Art. 25: penalised cards that count against a line because the deal is over."""
    before, after = facts.before, facts.after
    if after.phase is not Phase.OVER or before.phase is Phase.OVER:
        return []
    said: list[Irregularity] = []
    for seat in after.seats:
        left = after.at(side(seat))
        if left:
            kind = FaultKind.PENALISED_LEFT_AT_END
            said += new(facts, kind, seat, cards=left, seen=True, found="hand_end", movements=())
    return said
