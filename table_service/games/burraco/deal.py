"""One deal of Burraco: where every card lies, whose turn it is, and what each act does to that.

A card has moved whether or not a rule allows it: ``verify_x`` says what is wrong with an act as data, ``can_x`` whether
nothing is, and ``x`` always does it. Nothing here raises on what players do, and no card is ever lost: where the ledger
lacks a card that was seen to move, another place must have had it, and both places are ``unverified`` from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from hw.cards import UNKNOWN, face, same_face
from hw.seats import SEATS, Line, Seat
from hw.zones import DISCARD, POTS, STOCK, TABLE, hand, side
from table_service.games.burraco import actions as act
from table_service.games.burraco.copying import replace
from table_service.games.burraco.meld import Reading, reading_of
from table_service.games.burraco.places import ASTRAY, POTS_IN_ORDER, Cards, Places, name_as, newcomers, renamed, take
from table_service.games.burraco.rulebook import RuleBook

Frozen = Literal["none", "temporary", "definitive"]
Manner = Literal["closed", "stock", "time-out", "stalemate"]


class Phase(StrEnum):
    """How far a deal has come."""

    DEALT = "dealt"
    """Before the first draw or collection."""
    PLAYING = "playing"
    OVER = "over"


class Fault(StrEnum):
    """What may be wrong with an act; several may be at once."""

    OUT_OF_TURN = "out-of-turn"
    ALREADY_DRAWN = "already-drawn"
    NOT_DRAWN = "not-drawn"
    SEVERAL = "several"
    STOCK_CLOSED = "stock-closed"
    PILE_EMPTY = "pile-empty"
    AFTER_DISCARD = "after-discard"
    NO_MELD = "no-meld"
    FROZEN = "frozen"
    OTHER_LINE = "other-line"
    NO_BURRACO = "no-burraco"
    WILD_DISCARD = "wild-discard"
    NO_DISCARD = "no-discard"
    POT_NOT_DUE = "pot-not-due"
    POT_TAKEN_BEFORE = "pot-taken-before"
    DEAL_OVER = "deal-over"


@dataclass(frozen=True, slots=True)
class MeldRow:
    """A meld on the table: its number, line, how it lies and whether cards may be added (definitions of freezing)."""

    row: int
    line: Line
    cards: Cards
    frozen: Frozen = "none"


@dataclass(frozen=True, slots=True)
class Pot:
    """The pot of a line: who took it, how, and whether he has played since."""

    seat: Seat
    manner: act.PotManner
    place: str
    played: bool = False


@dataclass(frozen=True, slots=True)
class Loose:
    """A card that lies face up outside melds and pile, and the hand that the ledger took it from.

    ``seen`` False: nobody saw whose hand it was, and that one is a supposition.
    """

    card: str
    seat: Seat
    seen: bool = True


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The last thing laid in the running turn: meld ``row``, the cards laid, whether they opened it."""

    row: int
    cards: Cards
    opened: bool


def _begin_places(book: RuleBook, stock: int | None, pots: int | None) -> Places:
    in_pots = book.pots * book.pot_cards if pots is None else pots
    upper = (in_pots + 1) // 2
    places = {
        STOCK: (UNKNOWN,) * (book.stock_cards if stock is None else stock),
        "pot-1": (UNKNOWN,) * upper,
        "pot-2": (UNKNOWN,) * (in_pots - upper),
        DISCARD: (),
        TABLE: (),
        ASTRAY: (),
    }
    for seat in SEATS:
        places[hand(seat)] = (UNKNOWN,) * book.hand_cards
        places[side(seat)] = ()
    return Places(places)


@dataclass(frozen=True)
class Deal:
    """The state of one deal. Values are shared between states and never changed in place; every act gives a new one.

    ``places``: the cards outside melds. ``turn``: number of the turn that runs or ran last, 0 before play.
    ``to_play``: whose turn it is. ``took``: cards he has drawn or collected in it; ``begun``: he has done anything in
    it. ``collected``: the pile cards he took, out of ``pile_was``. ``out``: seats that drew or collected out of their
    turn and still hold those cards. ``skipped``: the seat whose turn another has played. ``last_out``: who discarded
    last.
    """

    book: RuleBook
    number: int
    dealer: Seat
    places: Places
    melds: tuple[MeldRow, ...] = ()
    phase: Phase = Phase.DEALT
    turn: int = 0
    to_play: Seat = Seat.NORTH
    took: int = 0
    begun: bool = False
    collected: Cards | None = None
    pile_was: int = 0
    out: tuple[Seat, ...] = ()
    skipped: Seat | None = None
    last_out: Seat | None = None
    last_out_t: float = -1.0
    """When the last discard that ended a turn was made."""
    loose: tuple[Loose, ...] = ()
    """Cards that were exposed, the newest last; those that have gone from the table since are not taken out."""
    known: bool = True
    """Whether ``to_play`` rests on evidence, not on a supposition about an unseen hand or an unverified stack."""
    seen: bool = False
    """Whether a hand that was seen has acted in the running turn."""
    turned_up: bool = False
    last_play: LastPlay | None = None
    pots_taken: Mapping[Line, Pot] = field(default_factory=dict)
    dealer_discards_left: int | None = None
    manner: Manner | None = None
    closer: Seat | None = None

    # -- beginnings ----------------------------------------------------------------------------------------------

    @staticmethod
    def begin(book: RuleBook, number: int, dealer: Seat, stock: int | None = None, pots: int | None = None) -> Deal:
        """A deal as the cards have been dealt. ``stock`` and ``pots``: cards counted there, None: as it should be."""
        return Deal(book, number, dealer, _begin_places(book, stock, pots), to_play=dealer.next)

    # -- views ---------------------------------------------------------------------------------------------------

    @property
    def drawn(self) -> bool:
        """Whether the player in turn has drawn or collected."""
        return self.took > 0

    def at(self, place: str) -> Cards:
        """The cards at ``place``, from below to above; empty for a place not known."""
        return self.places.at(place)

    def hand(self, seat: Seat) -> Cards:
        """The cards ``seat`` holds, ``??`` where nobody knows which."""
        return self.places.at(hand(seat))

    def count(self, seat: Seat) -> int:
        """How many cards ``seat`` holds."""
        return len(self.places.at(hand(seat)))

    def owns(self, seat: Seat) -> int:
        """How many cards ``seat`` has still to get rid of: those he holds and those penalised at his side."""
        return len(self.places.at(hand(seat))) + len(self.places.at(side(seat)))

    def sure_of(self, seat: Seat) -> bool:
        """Whether the number of cards of ``seat`` may be relied on: no doubtful movement can have falsified it.

        It may not while a meld of his line reads as none: then it is misread more likely than wrongly laid. No
        accusation and no end of a deal may rest on a number that is not sure.
        """
        if any(meld.line is seat.line and self._misread(meld.cards) for meld in self.melds):
            return False
        doubts = self.places.unverified
        if hand(seat) in doubts or STOCK in doubts or DISCARD in doubts or POTS in doubts:
            return False
        lies = self.places.at(TABLE)
        return not lies or not any(one.seat is seat or not one.seen for one in self.loose if _among(one.card, lies))

    def _misread(self, cards: Cards) -> bool:
        return UNKNOWN not in map(face, cards) and reading_of(self.book, cards) is None

    def exposed(self, card: str) -> Loose | None:
        """The newest exposed card of that face that still lies on the table."""
        if not _among(card, self.places.at(TABLE)):
            return None
        return next((one for one in reversed(self.loose) if same_face(one.card, card)), None)

    def is_late(self, seat: Seat | None, committed_t: float) -> bool:
        """Whether what ``seat`` did at ``committed_t`` belongs before his discard, and was only told after it."""
        return seat is not None and seat is self.last_out and committed_t < self.last_out_t

    @property
    def stock(self) -> int:
        """Cards left in the stock."""
        return len(self.places.at(STOCK))

    @property
    def pile(self) -> Cards:
        """The discard pile, from below to above."""
        return self.places.at(DISCARD)

    @property
    def pots_left(self) -> tuple[str, ...]:
        """The places of the pots not yet taken, the next one first."""
        taken = {pot.place for pot in self.pots_taken.values()}
        return tuple(place for place in POTS_IN_ORDER if place not in taken)

    @property
    def size(self) -> int:
        """All cards of the deal; no act changes this number."""
        return self.places.size + sum(len(meld.cards) for meld in self.melds)

    def meld(self, row: int) -> MeldRow | None:
        """The meld in row ``row``."""
        return next((meld for meld in self.melds if meld.row == row), None)

    def reading(self, row: int) -> Reading | None:
        """How the meld in row ``row`` reads; None where there is none or it is no meld."""
        meld = self.meld(row)
        return None if meld is None else reading_of(self.book, meld.cards)

    def has_burraco(self, line: Line, *, without: LastPlay | None = None) -> bool | None:
        """Whether ``line`` has a burraco; None where only a long meld that cannot be read could be one."""
        answer: bool | None = False
        for meld in self.melds:
            if meld.line is not line or len(meld.cards) < self.book.burraco_length:
                continue
            if without is not None and without.row == meld.row:
                continue
            reading = None if UNKNOWN in map(face, meld.cards) else reading_of(self.book, meld.cards)
            if reading is None:
                answer = None
                continue
            if reading.burraco != "none":
                return True
        return answer

    def actor(self, seat: Seat | None) -> Seat:
        """Who acts: ``seat``, or where nobody knows the one whose turn it is (a working hypothesis)."""
        return self.to_play if seat is None else seat

    def in_turn(self, seat: Seat | None) -> bool:
        """Whether ``seat`` may act now as far as the order of play goes; any may where the turn is a supposition."""
        if seat is None or seat is self.to_play:
            return True
        return (seat is self.skipped and not self.begun) or not self.known

    def lose_turn(self) -> Deal:
        """Something may have gone unnoticed: whose turn it is shows only when the next hand is seen to act."""
        return replace(self, known=False)

    # -- what is wrong with an act ---------------------------------------------------------------------------------

    def verify_draw(self, seat: Seat | None, count: int = 1) -> tuple[Fault, ...]:
        """What is wrong when ``seat`` draws ``count`` cards from the stock now (arts. 7, 8, 17, 31)."""
        return (
            *self._verify_take(seat),
            *((Fault.SEVERAL,) if count > 1 else ()),
            *((Fault.STOCK_CLOSED,) if self.stock - count < self.book.unplayable_stock else ()),
        )

    def verify_collect(self, seat: Seat | None) -> tuple[Fault, ...]:
        """What is wrong when ``seat`` takes cards of the discard pile now (arts. 7, 9, 31)."""
        return (*self._verify_take(seat), *(() if self.pile else (Fault.PILE_EMPTY,)))

    def _verify_take(self, seat: Seat | None) -> tuple[Fault, ...]:
        if self.phase is Phase.OVER:
            return (Fault.DEAL_OVER,)
        if not self.in_turn(seat):
            return (Fault.OUT_OF_TURN,)
        return (Fault.ALREADY_DRAWN,) if self.drawn and seat is not self.skipped else ()

    def _verify_play(self, seat: Seat | None) -> tuple[Fault, ...]:
        """What is wrong with laying cards now: order of play and the draw before it."""
        if self.phase is Phase.OVER:
            return (Fault.DEAL_OVER,)
        if seat is not None and seat is not self.to_play and self.known:
            after = seat is self.last_out and not self.begun
            return (Fault.AFTER_DISCARD,) if after else (Fault.OUT_OF_TURN,)
        return () if self.drawn else (Fault.NOT_DRAWN,)

    def verify_open(self, seat: Seat | None, cards: Cards, line: Line | None = None) -> tuple[Fault, ...]:
        """What is wrong when ``seat`` opens a meld of ``cards`` for ``line`` now (arts. 7, 11, 12, 27, 30, 32)."""
        unknown = UNKNOWN in map(face, cards)
        return (
            *self._verify_play(seat),
            *((Fault.OTHER_LINE,) if seat is not None and line is not None and seat.line is not line else ()),
            *((Fault.NO_MELD,) if not unknown and reading_of(self.book, cards) is None else ()),
        )

    def verify_extend(self, seat: Seat | None, row: int, result: Cards) -> tuple[Fault, ...]:
        """What is wrong when ``seat`` lays cards to meld ``row`` so that it reads ``result`` (arts. 7, 27, 30, 32)."""
        meld = self.meld(row)
        frozen = meld is not None and meld.frozen != "none"
        return (
            *self.verify_open(seat, result, meld.line if meld else None),
            *((Fault.FROZEN,) if frozen else ()),
        )

    def verify_discard(self, seat: Seat | None, card: str) -> tuple[Fault, ...]:
        """What is wrong when ``seat`` discards ``card`` now, closing included (arts. 7, 14, 17, 30, 33, 34)."""
        if self.phase is Phase.OVER:
            return (Fault.DEAL_OVER,)
        who = self.actor(seat)
        order: tuple[Fault, ...] = ()
        if seat is not None and seat is not self.to_play and seat not in self.out and self.known:
            order = (Fault.AFTER_DISCARD,) if seat is self.last_out and not self.begun else (Fault.OUT_OF_TURN,)
        elif who is self.to_play and not self.drawn:
            order = (Fault.NOT_DRAWN,)
        closing = self.owns(who) <= 1 and not self.pot_is_open(who.line)
        return (*order, *self.verify_closing(who, card)) if closing else order

    def verify_closing(self, seat: Seat, card: str) -> tuple[Fault, ...]:
        """What is wrong with going out by discarding ``card`` (arts. 14, 17, 33, 34)."""
        if not self.book.closing_discard_may_be_wild and face(card) != UNKNOWN and self.book.is_wild(card):
            return (Fault.WILD_DISCARD,)
        lacks = self.book.closing_needs_burraco and self.has_burraco(seat.line) is False
        return (Fault.NO_BURRACO,) if lacks else ()

    def verify_take_pot(self, seat: Seat | None) -> tuple[Fault, ...]:
        """What is wrong when ``seat`` takes a pot now (art. 23)."""
        if seat is None:
            return ()
        if not self.pot_is_open(seat.line):
            return (Fault.POT_TAKEN_BEFORE,)
        return (Fault.POT_NOT_DUE,) if self.count(seat) else ()

    def pot_is_open(self, line: Line) -> bool:
        """Whether ``line`` still has a pot to take."""
        return line not in self.pots_taken and bool(self.pots_left)

    def can_draw(self, seat: Seat | None, count: int = 1) -> bool:
        """Whether nothing is wrong with ``draw``."""
        return not self.verify_draw(seat, count)

    def can_collect(self, seat: Seat | None) -> bool:
        """Whether nothing is wrong with ``collect``."""
        return not self.verify_collect(seat)

    def can_open(self, seat: Seat | None, cards: Cards, line: Line | None = None) -> bool:
        """Whether nothing is wrong with ``open``."""
        return not self.verify_open(seat, cards, line)

    def can_extend(self, seat: Seat | None, row: int, result: Cards) -> bool:
        """Whether nothing is wrong with ``extend``."""
        return not self.verify_extend(seat, row, result)

    def can_discard(self, seat: Seat | None, card: str) -> bool:
        """Whether nothing is wrong with ``discard``."""
        return not self.verify_discard(seat, card)

    def can_take_pot(self, seat: Seat | None) -> bool:
        """Whether nothing is wrong with ``take_pot``."""
        return not self.verify_take_pot(seat)

    # -- acts ----------------------------------------------------------------------------------------------------

    def turn_up(self, cards: Cards) -> Deal:
        """The top card of the stock lies on the discard spot."""
        return replace(self, places=self.places.move(cards or (UNKNOWN,), STOCK, DISCARD), turned_up=True)

    def draw(self, seat: Seat | None, cards: Cards) -> Deal:
        """Cards of the stock come to a hand."""
        who, taken = self.actor(seat), cards or (UNKNOWN,)
        after = _witness(_took(self, who, len(taken)), seat)
        return replace(after, places=self.places.move(taken, STOCK, hand(who)))

    def collect(self, seat: Seat | None, cards: Cards) -> Deal:
        """Cards of the pile come to a hand."""
        who, pile, taken, places = self.actor(seat), self.pile, cards or (UNKNOWN,), self.places
        after = _witness(_took(self, who, len(taken)), seat)
        if len(taken) == len(pile):
            taken = pile
        elif len(taken) < len(pile) and UNKNOWN in map(face, taken):
            taken, places = pile[len(pile) - len(taken) :], places.doubt(DISCARD)
        if self.phase is not Phase.OVER and after.to_play is who:
            after = replace(after, collected=(*(after.collected or ()), *taken), pile_was=after.pile_was or len(pile))
        return replace(after, places=places.move(taken, DISCARD, hand(who)))

    def lay(
        self, seat: Seat | None, row: int, line: Line, cards: Cards, result: Cards = (), source: str | None = None
    ) -> Deal:
        """Cards come to row ``row``, which then reads ``result`` (where empty: what lay there and the cards)."""
        who, old = self.actor(seat), self.meld(row)
        deal = self._laid(who, row, line, cards, result or (*(old.cards if old else ()), *cards), source)
        if self.phase is Phase.OVER or (who is not self.to_play and self.known):
            return deal
        begun = _witness(_begin_turn(deal, who), seat)
        return replace(begun, phase=Phase.PLAYING, last_play=LastPlay(row, cards, opened=old is None))

    def lay_late(self, seat: Seat, row: int, line: Line, cards: Cards, result: Cards = ()) -> Deal:
        """Cards that ``seat`` had laid before his discard, told after it; they may have been his last."""
        old = self.meld(row)
        deal = self._laid(seat, row, line, cards, result or (*(old.cards if old else ()), *cards), None)
        return deal if deal.begun or deal.phase is Phase.OVER else _closed(deal, seat, (deal.pile or (UNKNOWN,))[-1])

    def expose(self, seat: Seat | None, cards: Cards, source: str | None = None) -> Deal:
        """Cards of a hand come to lie face up on the table."""
        who = self.actor(seat)
        lying = tuple(one for one in self.loose if _among(one.card, self.places.at(TABLE)))
        fresh = tuple(Loose(card, who, seat is not None) for card in cards)
        return replace(self.shift(cards, source or hand(who), TABLE), loose=(*lying, *fresh))

    def end_by_showing(self, spare: int) -> Deal:
        """The hands are laid out for the count although no end was seen: who discarded last has gone out.

        ``spare``: how many cards too many the ledger may have for him.
        """
        who = self.last_out
        if self.phase is not Phase.PLAYING or who is None or self.begun or self.pot_is_open(who.line):
            return self
        if self.verify_closing(who, (self.pile or (UNKNOWN,))[-1]) or self.count(who) > spare:
            return self
        return self.over("closed", who)

    def doubt_hands(self, seats: Iterable[Seat]) -> Deal:
        """The numbers of cards of ``seats`` can no longer be vouched for."""
        places = self.places
        for seat in seats:
            places = places.doubt(hand(seat))
        return self if places is self.places else replace(self, places=places)

    def change(self, seat: Seat | None, row: int, line: Line, result: Cards) -> Deal:
        """Row ``row`` reads ``result`` without anybody having played."""
        return self._laid(self.actor(seat), row, line, (), result, None)

    def _laid(self, who: Seat, row: int, line: Line, cards: Cards, wanted: Cards, source: str | None) -> Deal:
        old = self.meld(row)
        lay = old.cards if old else ()
        more = len(wanted) - len(lay)
        names = name_as(newcomers(lay, wanted), cards) if more == len(cards) else cards
        moving = (*names, *(UNKNOWN,) * more)[: max(0, more)]
        places, came = self.places.pull(moving, source or hand(who))
        if more < 0:
            places = places.put((UNKNOWN,) * -more, hand(who))
        fresh = MeldRow(
            row, line, name_as(wanted, (*lay[: len(lay) + min(0, more)], *came)), old.frozen if old else "none"
        )
        melds = tuple(fresh if meld.row == row else meld for meld in self.melds)
        return replace(self, places=places, melds=melds if old else (*melds, fresh))

    def discard(self, seat: Seat | None, cards: Cards, *, left: bool = False, source: str | None = None) -> Deal:
        """A card comes to the pile and ends the turn of who laid it; ``left``: it lies there already (art. 9)."""
        who, laid = self.actor(seat), cards or (UNKNOWN,)
        places = self.places if left else self.places.move(laid, source or hand(who), DISCARD)
        deal = replace(self, places=places)
        if self.phase is Phase.OVER:
            return deal
        if who is self.to_play:
            return _end_turn(_witness(_begin_turn(deal, who), seat), who, laid[-1])
        if not self.known:
            return _end_turn(_witness(_begin_turn(deal, who), seat), who, laid[-1])
        if who not in self.out or self.begun:
            return deal
        return _end_turn(_play_pot(replace(deal, skipped=self.to_play, turn=self.turn + 1), who), who, laid[-1])

    def over(self, manner: Manner, closer: Seat | None = None) -> Deal:
        """The deal is at its end."""
        return replace(self, phase=Phase.OVER, manner=manner, closer=closer)

    def time_out(self) -> Deal:
        """The arbitro has announced the end of the time: the last round is fixed (art. 15)."""
        if self.phase is Phase.OVER or self.dealer_discards_left is not None:
            return self
        fresh = self.to_play is self.dealer.next and not self.begun
        return replace(self, dealer_discards_left=1 if fresh else 2)

    def take_pot(self, seat: Seat | None, manner: act.PotManner, count: int = 0) -> Deal:
        """The next pot comes to a hand. ``count``: cards seen to go, 0: all of that pot."""
        who, left = self.actor(seat), self.pots_left
        before = self.pots_taken.get(who.line)
        if before is not None and before.seat is who and self.at(before.place):
            return self.shift((UNKNOWN,) * min(count, len(self.at(before.place))), before.place, hand(who))
        if not left:
            return replace(self, places=self.places.move((UNKNOWN,) * count, STOCK, hand(who)))
        place, places = left[0], self.places
        lacking = count - len(places.at(place))
        if lacking > 0:
            places = places.move((UNKNOWN,) * lacking, left[-1], place)
        pot = (UNKNOWN,) * count or places.at(place)
        if who.line not in self.pots_taken and self.count(who) and hand(who) in places.unverified:
            places = places.correct(hand(who), ())
        elif not self.count(who):
            places = places.trust(hand(who))
        deal = replace(self, places=places.move(pot, place, hand(who)))
        if who.line in self.pots_taken:
            return deal
        taken = Pot(who, manner, place, played=manner == "in-flight")
        return replace(deal, pots_taken={**self.pots_taken, who.line: taken})

    def return_pot(self, seat: Seat | None, cards: Cards) -> Deal:
        """Cards go back to a pot; a whole pot put back is not taken any more."""
        who = self.actor(seat)
        pot = self.pots_taken.get(who.line)
        place = pot.place if pot else (self.pots_left or POTS_IN_ORDER)[0]
        deal = replace(self, places=self.places.move(cards, hand(who), place))
        if pot is None or len(deal.at(place)) < self.book.pot_cards:
            return deal
        return replace(deal, pots_taken={line: p for line, p in self.pots_taken.items() if line is not who.line})

    def take_back(self, seat: Seat | None, cards: Cards, zone: str, row: int | None, result: Cards = ()) -> Deal:
        """Cards go to a hand out of meld ``row``, or from ``zone`` where they lay outside melds."""
        who = self.actor(seat)
        meld = self.meld(row) if row is not None else None
        if meld is None:
            return self.shift(cards, zone, hand(who))
        left, taken = take(meld.cards, cards[: len(meld.cards)])
        if len(result) == len(left):
            left = name_as(result, meld.cards[: len(left)] if UNKNOWN in left else left)
        rest = tuple(replace(one, cards=left) if one is meld else one for one in self.melds if one is not meld or left)
        return replace(self, melds=rest, places=self.places.put(taken, hand(who)))

    def give_back(self, seat: Seat | None, cards: Cards, target: str) -> Deal:
        """Cards that a seat had taken go back onto stock or pile; one who took them out of turn is no longer out."""
        who, back = seat or (self.out[0] if len(self.out) == 1 else self.to_play), cards or (UNKNOWN,)
        deal = self.forgive(who).shift(back, hand(who), target)
        return replace(deal, took=max(0, self.took - len(back))) if who is self.to_play else deal

    def shift(self, cards: Cards, source: str, target: str) -> Deal:
        """Cards go from one place to another, no play being meant."""
        return replace(self, places=self.places.move(cards, source, target))

    def freeze(self, row: int, how: Frozen) -> Deal:
        """Meld ``row`` is frozen as ``how``, ``none`` thaws it (definitions of freezing)."""
        return replace(self, melds=tuple(replace(m, frozen=how) if m.row == row else m for m in self.melds))

    def forgive(self, seat: Seat) -> Deal:
        """The arbitro has dealt with what ``seat`` took out of turn: it gives him no turn any more."""
        return replace(self, out=tuple(one for one in self.out if one is not seat)) if seat in self.out else self

    def rename(self, place: str, before: str, after: str) -> Deal:
        """A card at ``place``, or in the meld ``row-N``, that was taken for ``before`` is ``after``."""
        if not place.startswith("row-"):
            return replace(self, places=self.places.rename(place, before, after))
        melds = tuple(
            replace(m, cards=renamed(m.cards, before, after)) if f"row-{m.row}" == place else m for m in self.melds
        )
        return replace(self, melds=melds)

    def correct(self, place: str, cards: Cards) -> Deal:
        """The arbitro or a scale says what lies at ``place``; cards too many or too few come from or go elsewhere."""
        return replace(self, places=self.places.correct(place, cards))

    def doubt(self, place: str) -> Deal:
        """``place`` can no longer be vouched for."""
        return replace(self, places=self.places.doubt(place))

    def trust(self, place: str) -> Deal:
        """``place`` is confirmed again."""
        return replace(self, places=self.places.trust(place))


def _took(deal: Deal, who: Seat, count: int) -> Deal:
    if deal.phase is Phase.OVER:
        return deal
    if not deal.in_turn(who):
        return replace(deal, out=deal.out if who in deal.out else (*deal.out, who), phase=Phase.PLAYING)
    begun = _begin_turn(deal, who)
    return replace(begun, took=begun.took + count, phase=Phase.PLAYING)


def _witness(deal: Deal, seat: Seat | None) -> Deal:
    """A hand that was seen acts in its turn: whose turn it is is known."""
    return replace(deal, known=True, seen=True) if seat is not None and seat is deal.to_play and deal.begun else deal


def _begin_turn(deal: Deal, who: Seat) -> Deal:
    """``who`` has the turn and has done something in it."""
    if deal.begun and who is deal.to_play:
        return _play_pot(deal, who)
    fresh = replace(
        deal,
        turn=deal.turn + 1,
        to_play=who,
        begun=True,
        seen=False,
        took=0,
        skipped=None,
        last_play=None,
        collected=None,
        pile_was=0,
    )
    return _play_pot(fresh, who)


def _play_pot(deal: Deal, who: Seat) -> Deal:
    pot = deal.pots_taken.get(who.line)
    if pot is None or pot.played or pot.seat is not who:
        return deal
    return replace(deal, pots_taken={**deal.pots_taken, who.line: replace(pot, played=True)})


def _end_turn(deal: Deal, who: Seat, card: str) -> Deal:
    after = replace(
        deal,
        phase=Phase.PLAYING,
        to_play=who.next,
        known=deal.seen and deal.known,
        seen=False,
        took=0,
        begun=False,
        last_out=who,
        out=tuple(seat for seat in deal.out if seat is not who),
    )
    if who is deal.dealer and deal.dealer_discards_left is not None:
        after = replace(after, dealer_discards_left=deal.dealer_discards_left - 1)
    after = _closed(after, who, card)
    if after.phase is Phase.OVER:
        return after
    if after.stock <= after.book.unplayable_stock:
        return after.over("stock")
    return after.over("time-out") if after.dealer_discards_left == 0 else after


def _closed(deal: Deal, who: Seat, card: str) -> Deal:
    """The deal is closed where ``who`` surely holds nothing more and was right to go out by discarding ``card``."""
    gone = deal.owns(who) == 0 and deal.sure_of(who) and not deal.pot_is_open(who.line)
    return deal.over("closed", who) if gone and not deal.verify_closing(who, card) else deal


def _among(card: str, cards: Cards) -> bool:
    return any(same_face(card, one) for one in cards)
