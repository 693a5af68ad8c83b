"""Arts. 14 to 17 and 33 to 35: wrong closings, the last play."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import TABLE, hand, side
from table_service.games.burraco.fault_kinds import MISSED_DRAWS, NO_DISCARD, FaultKind, Kinds
from table_service.games.burraco.judges.facts import Facts, new
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules import pots
from table_service.games.burraco.rules.card_ledger import matching
from table_service.games.burraco.rules.deal import ActFault, Deal, LastPlay
from table_service.games.burraco.rules.meld import MeldReading, discard_order, reading_of
from table_service.referee.values import Irregularity

_FROZEN: Final = Kinds((*MISSED_DRAWS, FaultKind.CLOSED_WHILE_FROZEN))
_WRONG: Final = {
    ActFault.NO_BURRACO: FaultKind.CLOSED_WITHOUT_BURRACO,
    ActFault.WILD_DISCARD: FaultKind.CLOSED_WITH_WILD,
}


def judge(facts: Facts) -> list[Irregularity]:
    """Return what is wrong with how a player goes out."""
    action = facts.action
    match action:
        case act.Open() | act.Extend():
            return without_discard(facts, action)
        case act.Discard():
            return [*_had_one_left(facts, action), *_closing(facts, action)]
        case act.Draw() | act.Collect():
            return _plays_on(facts, action)
    return []


def _had_one_left(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Dismiss a closing without a discard once the player discards: he had a card that the ledger did not know of."""
    before, seat = facts.before, facts.before.actor(action.seat)
    told = facts.open_of(seat, NO_DISCARD)
    if told is None or before.count(seat) or before.at(side(seat)) or before.at(TABLE):
        return []
    return [replace(told, state="dismissed", t=action.t)]


def _plays_on(facts: Facts, action: act.Draw | act.Collect) -> list[Irregularity]:
    """Dismiss a wrong closing once the player takes his next turn, where nothing has counted his cards.

    Nobody has stopped play, so he had cards that the ledger did not know of: dealt, or in his pot.
    """
    seat = facts.before.actor(action.seat)
    told = facts.open_of(seat, Kinds(_WRONG.values())) if facts.before.uncounted else None
    return [] if told is None or action.seat is None else [replace(told, state="dismissed", t=action.t)]


def frozen_cards(one: Irregularity, deal: Deal, row: int) -> tuple[str, ...]:
    """Cards of meld ``row`` that count negative once the deal is closed, if ``one`` was ruled a missed draw.

    All of a meld that was opened without the draw, else those that were added (art. 30). The code decides which line's
    closing it takes.
    """
    meld = deal.meld(row)
    if one.state != "ruled" or one.kind not in _FROZEN or deal.manner != "closed" or meld is None:
        return ()
    if meld.frozen != "temporary" or row not in one.melds:
        return ()
    theirs = deal.closer is not None and deal.line_of(deal.closer) is not one.line
    if deal.book.missed_draw.counts_against == "opponents-close" and not theirs:
        return ()
    laid = deal.seen_lays(row)
    opened = not laid or laid[0].t >= one.committed_t
    return meld.cards if opened else matching(one.cards, meld.cards)


def last_play_cards(deal: Deal, play: LastPlay | None) -> tuple[tuple[str, ...], bool]:
    """Return the cards of the last play by its definition, and whether they are certain.

    A meld opened last counts whole. Of cards added together it is one: in a set that of the highest rank, a wild before
    all; in a run the outermost on the side where they were laid, uncertain where they lie on both. Cards added to
    a meld that has just been opened card by card are uncertain too: the player may have meant one opening.
    """
    if play is None:
        return (), False
    cards, certain = _by_definition(deal, play)
    return cards, certain and (play.opened or not play.piecemeal)


def _by_definition(deal: Deal, play: LastPlay) -> tuple[tuple[str, ...], bool]:
    together = deal.book.wrong_closing.last_play != "last-card-linked"
    if play.opened or len(play.cards) == 1 or together:
        return play.cards, True
    meld = deal.meld(play.row)
    reading = None if meld is None else reading_of(deal.book, meld.cards)
    if reading is None or any(face(card) == UNKNOWN for card in play.cards):
        return play.cards, False
    if reading.kind == "set":
        wild = [card for card in play.cards if deal.book.is_wild(card)]
        return ((wild or discard_order(deal.book, play.cards))[0],), True
    return _outermost(reading, play)


def _outermost(reading: MeldReading, play: LastPlay) -> tuple[tuple[str, ...], bool]:
    """Outermost card of those added to a run, on the side where they were added; uncertain if on both."""
    added = {face(card) for card in play.cards}
    low, high = reading.cards[0] in added, reading.cards[-1] in added
    if low == high:
        return play.cards, False
    end = reading.cards[0] if low else reading.cards[-1]
    return tuple(card for card in play.cards if face(card) == end)[:1], True


def _closing(facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Arts. 33 and 34: going out without a burraco, or by discarding a wild."""
    seat = facts.before.actor(action.seat)
    kind = next((_WRONG[fault] for fault in facts.faults if fault in _WRONG), None)
    if kind is None or facts.after.owns(seat) or seat is not facts.before.to_play:
        return []
    known = facts.before.sure_of(seat) and facts.after.sure_of(seat)
    sure = known and not facts.after.uncounted  # else he may hold a card more, dealt or in his pot
    if not known and not (kind is FaultKind.CLOSED_WITH_WILD and _doubts_only_pair(facts.after, seat)):
        return []
    cards, certain = last_play_cards(facts.after, facts.before.last_play)
    found = "after_discard_before_next_draw"
    melds = () if facts.before.last_play is None else (facts.before.last_play.row,)
    severity, doubt = "" if sure else "note", not (certain and sure)
    said = new(facts, kind, seat, cards=cards, melds=melds, seen=True, found=found)
    return [replace(one, needs_referee=doubt, severity=severity) for one in said]


def _doubts_only_pair(deal: Deal, seat: Seat) -> bool:
    """Return True if nothing but which of the pair of ``seat`` laid what is in doubt.

    Who discards a wild and by the ledger holds nothing more has gone out, or has one card left that his partner is
    taken to hold: the arbitro is told, and nobody is accused.
    """
    return set(deal.places.unverified) <= set(map(hand, deal.seats_of(deal.line_of(seat))))


def without_discard(facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Art. 35: the hand is empty, no pot is left to take, and nothing is there to discard.

    A penalised or exposed card that lies on the table can still be discarded.
    """
    seat, after = facts.before.actor(action.seat), facts.after
    if seat is not facts.before.to_play or not facts.before.count(seat) or after.count(seat):
        return []
    if after.at(side(seat)) or after.at(TABLE):
        return []
    if not action.is_by_one_hand and not facts.before.drawn:
        return []  # he has not even drawn: his partner may have laid it under that arm, in the turn before
    if (
        after.pot_is_open(after.line_of(seat))
        or pots.is_robbed(after, after.line_of(seat))
        or not after.sure_of(seat)  # before it the meld may have been incomplete, laid card by card
    ):
        return []
    opened = after.last_play is not None and after.last_play.opened
    cards, sure = last_play_cards(after, after.last_play)
    return new(
        facts,
        without_discard_kind(opened=isinstance(action, act.Open) or opened),
        seat,
        cards=cards,
        melds=(action.row,),
        seen=True,
        found="during_turn",
        severity="note" if after.uncounted else "",  # he may hold a card that nothing has counted, and discard it
        needs_referee=not sure or after.uncounted,
    )


def without_discard_kind(*, opened: bool) -> FaultKind:
    """Kind of closing with nothing left to discard: by a meld that was ``opened``, or by cards added."""
    return FaultKind.CLOSED_WITHOUT_DISCARD_OPENED if opened else FaultKind.CLOSED_WITHOUT_DISCARD_ADDED
