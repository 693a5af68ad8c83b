"""Certain faults of a deal of tarocco; nothing is assumed of unseen cards."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import ANTICLOCKWISE, Seat
from table_service.games.tarocco.rules.card_points import KING, MATTO, SUIT_NAMES, worth
from table_service.games.tarocco.rules.deal import SCARTO, TaroccoDeal, TrickClaim
from table_service.games.tarocco.rules.fault_kinds import Breach, TaroccoFault
from table_service.games.tarocco.rules.tricks import TRUMPS
from table_service.games.tricks.revokes import revokes as certain_revokes

FIVE: Final = 5
"""Points of the cards that may not lie in the scarto."""


def why_not(deal: TaroccoDeal, seat: Seat, card: str) -> Breach | None:
    """Return what would be wrong with ``seat`` laying ``card`` now, as far as cards already seen say it."""
    rules, number = deal.play.rules, deal.play.number
    turn = deal.play.turn
    if turn is not None and seat is not turn:
        return Breach(TaroccoFault.PLAYED_OUT_OF_TURN, seat, number, (face(card),))
    led, own = deal.play.open.led(rules), rules.suit(card)
    if led is None or own is None or own == led or not deal.certain_hands.holds_one_of(seat, rules.of_suit(led)):
        return None
    return Breach(TaroccoFault.REVOKE, seat, number, (face(card),), led, mends=True)


def revokes(deal: TaroccoDeal) -> tuple[Breach, ...]:
    """Every revoke, and every trump that was owed, that is certain by now; those of the open trick may be mended."""
    tricks = [*(one.trick for one in deal.play.taken), deal.play.open]
    kinds = {"follow": TaroccoFault.REVOKE, "trump": TaroccoFault.TRUMP_NOT_PLAYED}
    found = []
    for one in certain_revokes(deal.play.rules, tricks, deal.certain_hands):
        cards = (one.card, one.proof) if one.proof else (one.card,)
        mends = _can_mend(deal, one.number, one.seat)
        found.append(Breach(kinds[one.duty], one.seat, one.number, cards, one.suit, mends))
    return tuple(found)


def _can_mend(deal: TaroccoDeal, number: int, seat: Seat) -> bool:
    """Comma 14: before an opponent plays after him, or, where he was the last, before the trick is gathered."""
    if number != deal.play.number:
        return False
    seats = [who for who, _ in deal.play.open.plays]
    if seat not in seats:
        return False
    after = seats[len(seats) - seats[::-1].index(seat) :]
    return not any(who.line is not seat.line for who in after)


def signal_fault(deal: TaroccoDeal, seat: Seat, number: int) -> Breach | None:
    """Fault of a signal by ``seat`` in trick ``number``: he does not lead, or the suit's king is still out.

    A signal in a suit is allowed once its king has been played in an earlier trick, or when no trump is out any more;
    in trumps always (comma 11). With the king itself it is not reported. If it is uncertain, there is no fault.
    """
    trick = deal.play.open if number == deal.play.number else deal.play.taken[number - 1].trick
    if trick.leader is not seat:
        return Breach(TaroccoFault.SIGNAL_BY_ANOTHER, seat, number)
    card = trick.card_of(seat) or UNKNOWN
    suit = deal.play.rules.suit(card)
    if suit is None or suit == TRUMPS or card == KING + suit:
        return None
    before = [one for earlier in deal.play.taken[: number - 1] for one in earlier.trick.cards]
    if KING + suit in before or UNKNOWN in before or not _trumps_are_out(deal, before):
        return None
    return Breach(TaroccoFault.SIGNAL_BEFORE_THE_KING, seat, number, (card,), suit)


def _trumps_are_out(deal: TaroccoDeal, played: Collection[str]) -> bool:
    """Return True if a player surely holds a trump: more are unseen than may lie in the scarto."""
    told = deal.scarto or ()
    lying = told + (UNKNOWN,) * (SCARTO - len(told))
    unseen = deal.play.rules.of_suit(TRUMPS) - set(played) - set(lying)
    return len(unseen) > lying.count(UNKNOWN)


def scarto_faults(deal: TaroccoDeal) -> tuple[Breach, ...]:
    """Return what is wrong with the scarto, as far as it is known: its number, a card worth five."""
    if deal.scarto is None:
        return ()
    found = []
    if len(deal.scarto) != SCARTO:
        early, late = TaroccoFault.SCARTO_OF_OTHER_NUMBER, TaroccoFault.SCARTO_OF_OTHER_NUMBER_IN_PLAY
        kind = late if deal.has_begun else early
        found.append(Breach(kind, deal.scartatore, 0, deal.scarto, mends=not deal.has_begun))
    fives = tuple(card for card in deal.scarto if card != UNKNOWN and worth(card) == FIVE)
    if fives:
        found.append(Breach(TaroccoFault.SCARTO_HOLDS_A_FIVE, deal.scartatore, 0, fives))
    return tuple(found)


def accuso_faults(deal: TaroccoDeal) -> tuple[Breach, ...]:
    """Return the combinations that were shown too late (comma 10)."""
    return tuple(Breach(TaroccoFault.ACCUSO_LATE, one.seat, 0, one.cards) for one in deal.accusi if one.late)


def is_sure(deal: TaroccoDeal, claim: TrickClaim) -> bool:
    """Return True if the cards of ``claim`` win all remaining tricks, whatever else the others hold (comma 15).

    Sure it is where he leads, draws every trump that may be out with higher ones, and in every suit each card that
    somebody could still follow to is higher than all of that suit that may be out; and where he holds nothing but
    trumps that are higher than all others, whoever leads. What is not sure may still be so.
    """
    rules, trick = deal.play.rules, deal.play.open
    if not _is_whole_hand(deal, claim):
        return False
    out = _out_against(deal, claim)
    trumps = [card for card in claim.cards if rules.suit(card) == TRUMPS]
    if len(trumps) == len(claim.cards):
        return UNKNOWN not in trick.cards and _are_masters(deal, trumps, out, TRUMPS)
    if trick.plays or deal.play.turn is not claim.seat or len(trumps) < len(out & rules.of_suit(TRUMPS)):
        return False
    return all(_are_masters(deal, claim.cards, out, suit) for suit in (TRUMPS, *SUIT_NAMES))


def _out_against(deal: TaroccoDeal, claim: TrickClaim) -> set[str]:
    """Return the cards that others may hold, or have played to the open trick."""
    others = [seat for seat in ANTICLOCKWISE.seats if seat is not claim.seat]
    held = {card for seat in others for card in deal.certain_hands.possible(seat)} - set(claim.cards)
    return held | {card for card in deal.play.open.cards if card != UNKNOWN}


def _is_whole_hand(deal: TaroccoDeal, claim: TrickClaim) -> bool:
    """Return True if ``claim`` shows all cards of a hand that has none in the open trick: all known, no Matto."""
    if UNKNOWN in claim.cards or MATTO in claim.cards:
        return False
    return deal.play.open.card_of(claim.seat) is None and len(claim.cards) >= deal.hands.left[claim.seat]


def _are_masters(deal: TaroccoDeal, mine: Collection[str], out: Collection[str], suit: str) -> bool:
    """Return True if the cards of ``suit`` in ``mine``, led from the highest, take every trick that others can follow.

    One player may hold all others of the suit and keep the highest: so many tricks as there are others must be taken by
    cards that are higher than all of them.
    """
    rules = deal.play.rules
    heights = sorted((rules.height(card) for card in mine if rules.suit(card) == suit), reverse=True)
    against = [rules.height(card) for card in out if rules.suit(card) == suit]
    return all(height > max(against) for height in heights[: len(against)]) if against else True


def is_certainly_false(deal: TaroccoDeal, claim: TrickClaim) -> bool:
    """Return True if another player surely takes one of the remaining tricks (comma 15).

    All cards are played to the end, so that a trump of another hand higher than every trump of ``claim`` takes the
    trick to which it falls. Surely in a hand are the unseen ones that have no place in the scarto: where Angelo and
    Mondo may not lie, so that they have one only among the cards that nobody read.
    """
    if UNKNOWN in claim.cards:
        return False
    rules = deal.play.rules
    best = max((rules.height(card) for card in claim.cards if rules.suit(card) == TRUMPS), default=0)
    higher = {card for card in rules.of_suit(TRUMPS) - set(claim.cards) if rules.height(card) > best}
    held = {card for seat, cards in deal.hands.held.items() if seat is not claim.seat for card in cards}
    unseen, hidden = deal.hands.unseen & higher, deal.certain_hands.hidden
    unread = sum(card == UNKNOWN for one in deal.play.taken for card in one.trick.cards)
    unread += deal.play.open.cards.count(UNKNOWN)
    fives = sum(worth(card) == FIVE for card in unseen)
    return bool(held & higher) or len(unseen) > hidden or fives > unread
