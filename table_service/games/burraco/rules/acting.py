"""Effects of an act on a deal. It is always done: a card has moved whether or not a rule allows it (`verifying`).

Functions of a deal that give the deal afterwards; nothing here raises on what players do, and no card is ever lost.
``seat`` None: the hand was not seen, and is assumed to be the seat's in turn.
"""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Line, Seat
from hw.zones import DISCARD, POTS, STOCK, TABLE, hand
from table_service.games.burraco.rules import pots
from table_service.games.burraco.rules.card_ledger import Cards, Places, among, matching, name_as, newcomers, take_out
from table_service.games.burraco.rules.copying import replace
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.deal_parts import LastPlay, Loose, MeldRow, Phase
from table_service.games.burraco.rules.meld import reading_of
from table_service.games.burraco.rules.verifying import verify_closing

_FEW: Final = 2
"""Up to so many cards the ledger may have too many of a player whose number of cards is not sure."""


def turn_up(deal: Deal, cards: Cards) -> Deal:
    """Move the top card of the stock to the discard spot."""
    return replace(deal, places=deal.places.move(cards or (UNKNOWN,), STOCK, DISCARD), turned_up=True)


def draw(deal: Deal, seat: Seat | None, cards: Cards) -> Deal:
    """Cards of the stock come to a hand."""
    who, taken = deal.actor(seat), cards or (UNKNOWN,)
    after = _took(deal, who, len(taken), seat)
    return replace(after, places=_discarded_unseen(deal, who).move(taken, STOCK, hand(who)))


def _discarded_unseen(deal: Deal, who: Seat) -> Places:
    """Return the places before ``who`` draws: the player before him has discarded, if the pile was not watched."""
    before = deal.to_play
    unseen = deal.clouded and DISCARD in deal.places.unverified and deal.drawn and who is deal.rotation.next(before)
    return deal.places.move((UNKNOWN,), hand(before), DISCARD) if unseen else deal.places


def _drawn_unseen(deal: Deal, who: Seat) -> Places:
    """Return the places before ``who`` discards: he has drawn, if the stock was unwatched and he took nothing else."""
    took = deal.drawn and who is deal.to_play
    unseen = deal.clouded and STOCK in deal.places.unverified and not took and deal.stock > 0
    return deal.places.move((UNKNOWN,), STOCK, hand(who)) if unseen else deal.places


def collect(deal: Deal, seat: Seat | None, cards: Cards) -> Deal:
    """Cards of the pile come to a hand."""
    who, pile, taken, places = deal.actor(seat), deal.pile, cards or (UNKNOWN,), deal.places
    after = _took(deal, who, len(taken), seat)
    if len(taken) == len(pile):
        taken = taken if UNKNOWN in pile and UNKNOWN not in taken else name_as(pile, taken)
    elif len(taken) < len(pile) and UNKNOWN in map(face, taken):
        taken, places = pile[len(pile) - len(taken) :], places.doubt(DISCARD)
    if deal.phase is not Phase.OVER and after.to_play is who:
        after = replace(after, collected=(*(after.collected or ()), *taken), pile_was=after.pile_was or len(pile))
    if seat is None and deal.drawn and len(taken) == len(pile):
        after = after.cloud()  # rather the next player, where a discard went unseen, than a second take
    return replace(after, places=places.move(taken, DISCARD, hand(who)))


def lay(
    deal: Deal, seat: Seat | None, row: int, line: Line, cards: Cards, result: Cards = (), source: str | None = None
) -> Deal:
    """Cards come to row ``row``, which then reads ``result`` (where empty: what lay there and the cards)."""
    who, old = deal.actor(seat), deal.meld(row)
    after = _laid(deal, who, row, line, cards, result or (*(old.cards if old else ()), *cards), source)
    if deal.phase is Phase.OVER:
        return after
    if deal.turn_is_not_of(who):
        return _play_pot(after, who)
    begun = _begin_turn(after, who, seat)
    last = begun.last_play
    play, earlier = _last_play(deal, last, row, cards), begun.play_before
    before = earlier if last is not None and play.is_more_of(last) else last
    laid = replace(begun, phase=Phase.PLAYING, last_play=play, play_before=before, flown=False)
    without = pots.is_robbed(laid, laid.line_of(who)) and laid.owns(who) == 0 and laid.sure_of(who)
    return laid.over("closed", who) if without else laid  # he goes out where he would have taken the pot (art. 23)


def _last_play(before: Deal, last: LastPlay | None, row: int, cards: Cards) -> LastPlay:
    """Return what was laid last; a meld that is opened card by card is one play, until it is a meld.

    What comes after that is added to a meld that lies there (definitions, *legare*). Where all cards linked together
    are one play, cards that come to the same meld one after the other are (feburit, art. 21 C, examples 2 and 4).
    """
    if before.meld(row) is None:
        return LastPlay(row, cards, opened=True, piecemeal=reading_of(before.book, cards) is None)
    if last is None or last.row != row:
        return LastPlay(row, cards, opened=False)
    if last.opened and before.reading(row) is None:
        return LastPlay(row, (*last.cards, *cards), opened=True, piecemeal=last.piecemeal)
    if not last.opened and before.book.wrong_closing.last_play == "all-linked-together":
        return replace(last, cards=(*last.cards, *cards))
    return LastPlay(row, cards, opened=False, piecemeal=last.piecemeal)


def lay_late(
    deal: Deal, seat: Seat, row: int, line: Line, cards: Cards, result: Cards = (), t: float | None = None
) -> Deal:
    """Cards that ``seat`` had laid before his discard, told after it; they may have been his last.

    ``t``: when he laid them; where he had taken his pot by then, they are of that pot. What was taken for the end of
    the stock is then his closing.
    """
    old = deal.meld(row)
    after = _laid(deal, seat, row, line, cards, result or (*(old.cards if old else ()), *cards), None)
    pot = after.pots_taken.get(line)
    if pot is not None and t is not None and t >= pot.t:
        after = _play_pot(after, seat)
    ended_otherwise = after.phase is Phase.OVER and after.manner != "stock"
    if after.begun or ended_otherwise or seat is not after.last_out:
        return after
    return _closed(after, seat, (after.pile or (UNKNOWN,))[-1])


def uncover(deal: Deal, seat: Seat, row: int, line: Line, cards: Cards, result: Cards) -> Deal:
    """Cards that had lain hidden in row ``row`` come to light: they were of the hand of ``seat``, who plays nothing."""
    return _laid(deal, seat, row, line, cards, result, None)


def expose(deal: Deal, seat: Seat | None, cards: Cards, source: str | None = None) -> Deal:
    """Cards of a hand come to lie face up on the table."""
    who = deal.actor(seat)
    lying = tuple(one for one in deal.loose if among(one.card, deal.places.at(TABLE)))
    fresh = tuple(Loose(card, who, seat is not None) for card in cards)
    return replace(deal.shift(cards, source or hand(who), TABLE), loose=(*lying, *fresh))


def end_by_showing(deal: Deal, spare: int, *, alone: bool = False) -> Deal:
    """End a deal whose hands are laid out for the count although no end was seen, as far as it is plain how it ended.

    Who discarded last has gone out, or the four have only exchanged cards (art. 16), or the stock is used up, the scale
    having disagreed. ``spare``: how many cards too many the ledger may have for who has gone out. ``alone``: he is the
    only one who lays out none; his line may have taken its pot then where nobody watched the pots.
    """
    who = deal.last_out
    if deal.phase is not Phase.PLAYING or who is None or deal.begun:
        return deal
    had_pot = not deal.pot_is_open(deal.line_of(who)) or (alone and POTS in deal.places.unverified)
    out = had_pot and deal.count(who) <= spare and who not in deal.barred
    if out and not verify_closing(deal, who, (deal.pile or (UNKNOWN,))[-1]):
        return deal.over("closed", who)
    if deal.swaps >= deal.book.stalemate_turns:
        return deal.over("stalemate")
    uncounted = deal.by_order and STOCK in deal.places.unverified  # a draw that nobody saw may have been none
    return deal.over("stock") if deal.stock <= deal.book.unplayable_stock and not uncounted else deal


def discard_unseen(deal: Deal, card: str) -> Deal:
    """Record that the player in turn has discarded ``card`` unseen, as hands are laid out after his turn.

    Only if nobody watched the pile, or it was counted since with a card of his that no movement had brought.
    """
    who = deal.to_play
    counted = DISCARD not in deal.places.unverified
    if not may_have_discarded(deal):
        return deal
    places = deal.places if counted else deal.places.move((card,), hand(who), DISCARD)
    return _end_turn(replace(deal, places=places).doubt_hands((who,)), who, card)


def may_have_discarded(deal: Deal) -> bool:
    """Return True if the player in turn may have made his discard unseen."""
    unwatched = DISCARD in deal.places.unverified or hand(deal.to_play) in deal.places.unverified
    return deal.phase is Phase.PLAYING and deal.begun and deal.clouded and unwatched


def reopen(deal: Deal) -> Deal:
    """Reopen a deal whose closer has taken his last discard back: it is not over, he is still to discard."""
    who = deal.closer
    if deal.phase is not Phase.OVER or who is None:
        return deal
    places = deal.places.move(deal.pile[-1:] or (UNKNOWN,), DISCARD, hand(who))
    return replace(
        deal,
        places=places,
        phase=Phase.PLAYING,
        manner=None,
        closer=None,
        to_play=who,
        begun=True,
        seen=True,
        known=True,
        took=1,
    )


def keep_from_closing(deal: Deal, who: Seat) -> Deal:
    """Rule that ``who``, the last to discard, has cards left, so that he has not gone out.

    His discard stands, and play goes on where nothing else has ended it. Before he draws again he closes nothing,
    however few cards he shows (arts. 17, 25, 33 to 35).
    """
    if deal.phase is Phase.PLAYING and not deal.begun:
        return deal.bar_closing(who)
    if deal.phase is not Phase.OVER or deal.closer is not who:
        return deal
    return _exhausted(replace(deal, phase=Phase.PLAYING, manner=None, closer=None).bar_closing(who))


def change(deal: Deal, seat: Seat | None, row: int, line: Line, result: Cards) -> Deal:
    """Row ``row`` reads ``result`` without anybody having played."""
    return _laid(deal, deal.actor(seat), row, line, (), result, None)


def _laid(deal: Deal, who: Seat, row: int, line: Line, cards: Cards, wanted: Cards, source: str | None) -> Deal:
    old = deal.meld(row)
    lay = old.cards if old else ()
    more = len(wanted) - len(lay)
    names = name_as(newcomers(lay, wanted), cards) if more == len(cards) else cards
    moving = (*names, *(UNKNOWN,) * more)[: max(0, more)]
    places, came = deal.places.pull(moving, source or hand(who))
    if more < 0:
        places = places.put((UNKNOWN,) * -more, hand(who))
    reads = name_as(wanted, (*lay[: len(lay) + min(0, more)], *came))
    fresh = MeldRow(row, line, reads, *((old.frozen, old.negative) if old else ()))
    melds = tuple(fresh if meld.row == row else meld for meld in deal.melds)
    return replace(deal, places=places, melds=melds if old else (*melds, fresh))


def discard(deal: Deal, seat: Seat | None, cards: Cards, *, left: bool = False, source: str | None = None) -> Deal:
    """Put a card on the pile and end the turn of the player who laid it; ``left``: it lies there already (art. 9)."""
    who, laid = deal.actor(seat), cards or (UNKNOWN,)
    places = deal.places if left else _drawn_unseen(deal, who).move(laid, source or hand(who), DISCARD)
    after = replace(deal, places=places)
    if deal.phase is Phase.OVER:
        return after
    if who is deal.redo and not deal.begun:
        return replace(after, redo=None)
    if who is deal.to_play or not deal.known:
        return _end_turn(_begin_turn(after, who, seat), who, laid[-1])
    if who not in deal.out:
        # He has taken nothing: it is more likely the card of the player in turn, under another's arm.
        return after.lose_turn() if deal.drawn and who is not deal.last_out else after
    if deal.begun:
        return after
    return _end_turn(_play_pot(replace(after, skipped=deal.to_play, turn=deal.turn + 1), who), who, laid[-1])


def take_back(deal: Deal, seat: Seat | None, cards: Cards, zone: str, row: int | None, result: Cards = ()) -> Deal:
    """Cards go to a hand out of meld ``row``, or from ``zone`` where they lay outside melds."""
    who = deal.actor(seat)
    meld = deal.meld(row) if row is not None else None
    if zone == DISCARD and set(map(face, cards)) == {UNKNOWN} and len(deal.pile) > len(cards):
        return _from_beneath(deal, who, len(cards))
    if meld is None:
        last = zone == DISCARD and who is deal.last_out and not deal.begun and bool(matching(cards, deal.pile[-1:]))
        anew = replace(deal, redo=who, skipped=who if deal.out_undrawn else deal.skipped) if last else deal
        return anew.shift(cards, zone, hand(who))
    left, taken = take_out(meld.cards, cards[: len(meld.cards)])
    if len(result) == len(left):
        left = name_as(result, meld.cards[: len(left)] if UNKNOWN in left else left)
    return replace(deal, melds=_with_left(deal, meld, left), places=deal.places.put(taken, hand(who)))


def _with_left(deal: Deal, meld: MeldRow, left: Cards) -> tuple[MeldRow, ...]:
    """Return the melds of the table with ``left`` of ``meld``, which is gone if nothing is left."""
    return tuple(replace(one, cards=left) if one is meld else one for one in deal.melds if one is not meld or left)


def _from_beneath(deal: Deal, who: Seat, count: int) -> Deal:
    """Give the ``count`` cards beneath the last discard back to the hand they came from (art. 26, fifth case)."""
    below, under, top = deal.pile[: -1 - count], deal.pile[-1 - count : -1], deal.pile[-1:]
    cards = {**deal.places.cards, DISCARD: (*below, *top), hand(who): (*deal.hand(who), *under)}
    return replace(deal, places=replace(deal.places, cards=cards))


def give_back(deal: Deal, seat: Seat | None, cards: Cards, target: str) -> Deal:
    """Cards that a seat had taken go back onto stock or pile; one who took them out of turn is no longer out."""
    who, back = seat or (deal.out[0] if len(deal.out) == 1 else deal.to_play), cards or (UNKNOWN,)
    after = deal.forgive(who).shift(back, hand(who), target)
    if who is not deal.to_play:
        return after
    left = max(0, deal.took - len(back))
    if not left and deal.turn == 1 and not (deal.turned_up or deal.pile or deal.melds):
        return replace(after, took=0, turn=0, begun=False, phase=Phase.DEALT)  # before the first card is turned up
    return replace(after, took=left, collected=deal.collected if left else None, pile_was=deal.pile_was if left else 0)


def _took(deal: Deal, who: Seat, count: int, seen: Seat | None) -> Deal:
    """``who``, in whose place the hand of ``seen`` was seen, if any was, has taken ``count`` cards."""
    if deal.phase is Phase.OVER:
        return _witness(deal, seen)
    if not deal.in_turn(who):
        out = replace(deal, out=deal.out if who in deal.out else (*deal.out, who), phase=Phase.PLAYING)
        return _witness(_play_pot(out, who), seen)  # he plays on with it: what he holds is no untouched pot
    begun = _begin_turn(deal, who, seen)
    barred = tuple(seat for seat in begun.barred if seat is not who)
    return replace(begun, took=begun.took + count, phase=Phase.PLAYING, barred=barred)


def _witness(deal: Deal, seat: Seat | None) -> Deal:
    """Note that a hand that was seen acts in its turn: whose turn it is is known, unless the turn may end unseen."""
    if seat is None or seat is not deal.to_play or not deal.begun:
        return deal
    known = deal.is_watched or not deal.clouded
    return deal if deal.seen and deal.known is known else replace(deal, known=known, seen=True)


def _begin_turn(deal: Deal, who: Seat, seen: Seat | None) -> Deal:
    """``who`` has the turn and has acted in it; ``seen``: seat whose hand a sensor reported, None if none did.

    If another had drawn and no discard of his was seen, that went unseen, and so may what ``who`` took.
    """
    if deal.begun and who is deal.to_play:
        return _witness(_play_pot(deal, who), seen)
    if deal.begun and deal.drawn:
        deal = deal.doubt_hands((deal.to_play, who))
    watched = deal.is_watched
    fresh = replace(
        deal,
        turn=deal.turn + 1,
        to_play=who,
        begun=True,
        seen=seen is not None,
        known=deal.known if seen is None else watched or not deal.clouded,
        whole=watched,
        took=0,
        skipped=None,
        redo=None,
        last_play=None,
        play_before=None,
        flown=False,
        collected=None,
        pile_was=0,
        withdrawn=(),
    )
    return _play_pot(fresh, who)


def _play_pot(deal: Deal, who: Seat) -> Deal:
    pot = deal.pots_taken.get(deal.line_of(who))
    if pot is None or pot.seat is not who or (pot.played and not pot.supposed):
        return deal
    return replace(deal, pots_taken={**deal.pots_taken, deal.line_of(who): replace(pot, played=True, supposed=False)})


def _end_turn(deal: Deal, who: Seat, card: str) -> Deal:
    after = replace(
        deal,
        phase=Phase.PLAYING,
        to_play=deal.rotation.next(who),
        known=(deal.seen or deal.by_order) and deal.known,
        clouded=deal.clouded and not _is_seen_whole(deal),
        seen=False,
        took=0,
        begun=False,
        last_out=who,
        out_undrawn=not deal.took,
        swaps=deal.swaps + 1 if _only_swapped(deal) else 0,
        out=tuple(seat for seat in deal.out if seat is not who),
    )
    if who is (deal.last_to_play or deal.dealer) and deal.dealer_discards_left is not None:
        after = replace(after, dealer_discards_left=deal.dealer_discards_left - 1)
    after = _closed(_play_pot(after, who) if deal.flown else after, who, card)
    if after.phase is Phase.OVER:
        return after
    after_stock = _exhausted(after)
    return after if after_stock.manner == "stock" and _may_have_closed(after, who, card) else after_stock


def _exhausted(deal: Deal) -> Deal:
    """``deal`` between two turns, over where the stock is used up or the last round has been played (arts. 15, 17)."""
    if deal.stock <= deal.book.unplayable_stock and STOCK not in deal.places.unverified:
        return deal.over("stock")
    return deal.over("time-out") if deal.dealer_discards_left == 0 else deal


def _is_seen_whole(deal: Deal) -> bool:
    """Return True if the turn that ends now was watched from its draw to its discard, by a hand that was seen."""
    return deal.whole and deal.is_watched and deal.seen and deal.known and deal.drawn


def _may_have_closed(deal: Deal, who: Seat, card: str) -> bool:
    """Return True if ``who`` may have gone out by discarding ``card``: his number of cards is uncertain and small."""
    few = deal.owns(who) <= _FEW and not deal.sure_of(who) and who not in deal.barred
    return few and not deal.pot_is_open(deal.line_of(who)) and not verify_closing(deal, who, card)


def _only_swapped(deal: Deal) -> bool:
    """Return True if the running turn was a change of cards: the pile's only card taken, none drawn, none laid."""
    alone = deal.pile_was == 1 and deal.collected is not None and len(deal.collected) == 1
    return alone and deal.took == 1 and deal.last_play is None


def _closed(deal: Deal, who: Seat, card: str) -> Deal:
    """Close the deal if ``who`` surely holds nothing more and was right to go out by discarding ``card``."""
    gone = who not in deal.barred and deal.owns(who) == 0 and deal.sure_of(who)
    closes = gone and not deal.pot_is_open(deal.line_of(who)) and not verify_closing(deal, who, card)
    return deal.over("closed", who) if closes else deal
