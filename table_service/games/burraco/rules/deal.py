"""One deal of Burraco as a value: where every card lies, whose turn it is; what can be seen of it, what may be done.

A card has moved whether or not a rule allows it: `verifying` says what is wrong with an act as data, `acting` and
`pots` always do it, `play` does both for an act given as a value. Nothing raises on what players do, and no card is
ever lost: where the ledger lacks a card that was seen to move, another place must have had it, and both places are
``unverified`` from then on. Here stand the state, what can be asked of it, and what arbitro and sensors correct in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from hw.cards import UNKNOWN, face, same_face
from hw.seats import CLOCKWISE, SEATS, Line, Rotation, Seat
from hw.zones import BEAMS, DISCARD, POTS, STOCK, TABLE, hand, side
from table_service.games.burraco.rules.card_ledger import ASTRAY, POTS_IN_ORDER, Cards, Places, among, matching, renamed
from table_service.games.burraco.rules.copying import replace
from table_service.games.burraco.rules.deal_parts import (
    ActFault,
    Frozen,
    LastPlay,
    Lay,
    Loose,
    Manner,
    MeldRow,
    Phase,
    Pot,
    TurnBeforeGap,
)
from table_service.games.burraco.rules.meld import MeldReading, reading_of, set_rank
from table_service.games.burraco.rules.rulebook import RuleBook

_WATCHED = frozenset({STOCK, DISCARD, BEAMS})
_LINE_OF = {seat: seat.line for seat in SEATS}
__all__ = ["ActFault", "Deal", "Frozen", "LastPlay", "Loose", "Manner", "MeldRow", "Phase", "Pot"]


def _begin_places(book: RuleBook, stock: int | None, pots: int | None, rotation: Rotation) -> Places:
    in_pots = book.pots * book.pot_cards if pots is None else pots
    upper = (in_pots + 1) // 2
    places = {
        STOCK: (UNKNOWN,) * (book.stock_of(len(rotation.seats)) if stock is None else stock),
        "pot-1": (UNKNOWN,) * upper,
        "pot-2": (UNKNOWN,) * (in_pots - upper),
        DISCARD: (),
        TABLE: (),
        ASTRAY: (),
    }
    for seat in rotation.seats:
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
    redo: Seat | None = None
    """Who has taken his last discard back and is still to make it anew (arts. 9, 23)."""
    out_undrawn: bool = False
    """Whether ``last_out`` had taken nothing in the turn that he ended."""
    outs: tuple[tuple[Seat, float], ...] = ()
    """Who made each of the last discards that ended a turn, and when, the newest last."""
    began_t: float = -1.0
    """When the running turn began with a draw or a pick-up."""
    withdrawn: Cards = ()
    """Cards of a meld begun in the running turn that its player has taken back into his hand (art. 29)."""
    loose: tuple[Loose, ...] = ()
    """Cards that were exposed, the newest last; those that have gone from the table since are not taken out."""
    known: bool = True
    """Whether ``to_play`` rests on evidence, not on a supposition about an unseen hand or an unverified stack."""
    seen: bool = False
    """Whether a hand that was seen has acted in the running turn."""
    by_order: bool = False
    """True if no sensor of the table identifies hands, so that the order of play is used instead."""
    uncounted: bool = False
    """True if nothing weighs the stock, so that how many cards a hand holds follows from turns that were seen."""
    clouded: bool = False
    """Whether cards may have come to stock or pile, or left them, unnoticed, and no whole turn has been seen since."""
    whole: bool = True
    """Whether stock and pile have been watched since the running turn began."""
    cut: bool = False
    """Whether somebody had drawn and not yet discarded when stock or pile was last lost from sight."""
    unmoved: tuple[str, ...] = ()
    """Stock, pile, pots that were counted since the gap that clouds the deal with the cards they had before it."""
    gap: TurnBeforeGap | None = None
    """The gap that clouds the deal, as long as nothing that was done since is known (`sensing_gap`)."""
    resumed_t: float = -1.0
    """When it was last known that nothing had been done in a gap; what was done before, and is told later, is in it."""
    seen_again_t: float = -1.0
    """When melds or cards that lie open were last seen as they lie there, after they had been lost from sight."""
    turned_up: bool = False
    last_play: LastPlay | None = None
    play_before: LastPlay | None = None
    """What was laid before ``last_play`` in the same turn (feburit, art. 21 C)."""
    flown: bool = False
    """Whether the player in turn has taken a pot in flight in the running turn, and laid nothing of it yet."""
    pots_taken: Mapping[Line, Pot] = field(default_factory=dict)
    second: Mapping[Line, Pot] = field(default_factory=dict)
    """Pots that a line has taken although it had had its own, until they are put back (art. 23)."""
    changed: Mapping[int, tuple[Lay, ...]] = field(default_factory=dict)
    """Who has laid what to each meld, and when, the newest last (arts. 24, 26)."""
    dealer_discards_left: int | None = None
    """After a time-out: how often ``last_to_play`` discards before the deal is over; None before one."""
    last_to_play: Seat | None = None
    """Who makes the last discard after a time-out; None: the dealer."""
    unplaced: tuple[Seat, ...] = ()
    """Whose hand each card that came to light in a meld is supposed to have left, where his partner's is as likely."""
    swaps: int = 0
    """Turns in a row, up to the last discard, in which one card was taken from the pile, another laid, no more."""
    barred: tuple[Seat, ...] = ()
    """Seats that a ruling has barred from going out until they draw or collect again (art. 35)."""
    banned_sets: Mapping[Line, frozenset[str]] = field(default_factory=dict)
    """The ranks of which a line may open no set, by rulings of earlier deals (feburit, art. 15)."""
    manner: Manner | None = None
    closer: Seat | None = None
    rotation: Rotation = CLOCKWISE
    """Who sits at the table, in the order of play."""

    # -- beginnings ----------------------------------------------------------------------------------------------

    @staticmethod
    def begin(
        book: RuleBook,
        number: int,
        dealer: Seat,
        stock: int | None = None,
        pots: int | None = None,
        rotation: Rotation = CLOCKWISE,
        banned_sets: Mapping[Line, frozenset[str]] = MappingProxyType({}),
    ) -> Deal:
        """Return a deal as the cards are dealt. ``stock`` and ``pots``: cards counted there, None: as it should be."""
        places, first = _begin_places(book, stock, pots, rotation), rotation.next(dealer)
        return Deal(book, number, dealer, places, to_play=first, rotation=rotation, banned_sets=banned_sets)

    # -- the table -------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that play, in the order of play."""
        return self.rotation.seats

    def line_of(self, seat: Seat) -> Line:
        """Return the line that ``seat`` plays for: his pair's, or of two players his own."""
        return _LINE_OF[seat] if len(self.rotation.seats) == len(SEATS) else self.rotation.line(seat)

    def seats_of(self, line: Line) -> tuple[Seat, ...]:
        """Return who plays for ``line``, as `Line.seats` has them of four."""
        return tuple(seat for seat in SEATS if seat in self.rotation.seats and self.line_of(seat) is line)

    # -- views ---------------------------------------------------------------------------------------------------

    @property
    def last_out_t(self) -> float:
        """Time of the last discard that ended a turn; -1 before the first."""
        return self.outs[-1][1] if self.outs else -1.0

    @property
    def is_under_way(self) -> bool:
        """True if play has begun, so that a misdeal is not dealt again: by ``begins`` of the book (feburit, art. 4)."""
        return self.phase is not Phase.DEALT or (self.turned_up and self.book.table.begins == "turn-up")

    @property
    def drawn(self) -> bool:
        """True if the player in turn has drawn or collected."""
        return self.took > 0

    def at(self, place: str) -> Cards:
        """Return the cards at ``place``, from below to above; empty for a place not known."""
        return self.places.at(place)

    def hand(self, seat: Seat) -> Cards:
        """Return the cards ``seat`` holds, ``??`` for unknown ones."""
        return self.places.at(hand(seat))

    def count(self, seat: Seat) -> int:
        """Return how many cards ``seat`` holds."""
        return len(self.places.at(hand(seat)))

    def owns(self, seat: Seat) -> int:
        """Return how many cards ``seat`` must still play: in his hand, penalised at his side, exposed on the table."""
        held = len(self.places.at(hand(seat))) + len(self.places.at(side(seat)))
        if not self.loose:
            return held
        lies = self.places.at(TABLE)
        return held + sum(one.seat is seat and among(one.card, lies) for one in self.loose)

    def sure_of(self, seat: Seat) -> bool:
        """Return True if the number of cards of ``seat`` may be relied on: no doubtful movement can have falsified it.

        It may not while a meld of his line reads as none: then it is misread more likely than wrongly laid. No
        accusation and no end of a deal may rest on a number that is not sure.
        """
        line = self.line_of(seat)
        if any(meld.line is line and not meld.negative and self._misread(meld.cards) for meld in self.melds):
            return False
        doubts = self.places.unverified
        if hand(seat) in doubts or STOCK in doubts or DISCARD in doubts or POTS in doubts:
            return False
        lies = self.places.at(TABLE)
        return not lies or not any(one.seat is seat or not one.seen for one in self.loose if among(one.card, lies))

    def _misread(self, cards: Cards) -> bool:
        return UNKNOWN not in map(face, cards) and reading_of(self.book, cards) is None

    def exposed(self, card: str) -> Loose | None:
        """Return the newest exposed card of that face that still lies on the table."""
        if not among(card, self.places.at(TABLE)):
            return None
        return next((one for one in reversed(self.loose) if same_face(one.card, card)), None)

    def lie_open(self, cards: Cards) -> bool:
        """Return True if every one of ``cards`` lies face up on the table, in a meld, on the pile or beside them."""
        lying = (*self.at(TABLE), *self.pile, *(card for seat in self.seats for card in self.at(side(seat))))
        lying = (*lying, *(card for meld in self.melds for card in meld.cards))
        return len(matching(cards, lying)) == len(cards)

    def is_late(self, seat: Seat | None, committed_t: float) -> bool:
        """Return True if what ``seat`` did at ``committed_t`` belongs into a turn of his that has ended since.

        The first discard after it was his own: it was only told late, as where a sleeve lay over the cards.
        """
        ended = next((who for who, t in self.outs if t > committed_t), None)
        return seat is not None and ended is seat

    def is_between(self, seat: Seat | None, committed_t: float) -> bool:
        """Return True if what ``seat`` did at ``committed_t`` lies between his own discard and the draw after it."""
        return seat is not None and seat is self.last_out and self.last_out_t < committed_t < self.began_t

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
        taken = {pot.place for pot in (*self.pots_taken.values(), *self.second.values())}
        return tuple(place for place in POTS_IN_ORDER if place not in taken)

    @property
    def size(self) -> int:
        """All cards of the deal; no act changes this number."""
        return self.places.size + sum(len(meld.cards) for meld in self.melds)

    def meld(self, row: int) -> MeldRow | None:
        """Return the meld in row ``row``."""
        for meld in self.melds:
            if meld.row == row:
                return meld
        return None

    def seen_lays(self, row: int) -> tuple[Lay, ...]:
        """Return who was seen to lay what to meld ``row``, the newest last."""
        return tuple(lay for lay in self.changed.get(row, ()) if lay.seen)

    def reading(self, row: int) -> MeldReading | None:
        """Return how the meld in row ``row`` reads; None where there is none or it is no meld."""
        meld = self.meld(row)
        return None if meld is None else reading_of(self.book, meld.cards)

    def has_burraco(self, line: Line, *, without: LastPlay | None = None) -> bool | None:
        """Return True if ``line`` has a burraco; None if only a long meld that cannot be read could be one."""
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

    def pot_is_open(self, line: Line) -> bool:
        """Return True if ``line`` still has a pot to take."""
        return line not in self.pots_taken and bool(self.pots_left)

    def equal_set(self, line: Line, cards: Cards, but: int | None = None) -> MeldRow | None:
        """Return the set of ``line`` that has the rank of ``cards``, which make one themselves; ``but``: not that row.

        None also where the code allows two (D-18), or where ``cards`` or what lies there does not read as a set.
        """
        mine = None if self.book.equal_sets == "allowed" else set_rank(self.book, cards)
        if mine is None:
            return None
        rows = (meld for meld in self.melds if meld.line is line and meld.row != but)
        return next((meld for meld in rows if set_rank(self.book, meld.cards) == mine), None)

    def is_banned_set(self, line: Line, cards: Cards) -> bool:
        """Return True if ``cards`` make a set of a rank that ``line`` has been forbidden in an earlier deal."""
        return set_rank(self.book, cards) in self.banned_sets.get(line, ())

    def actor(self, seat: Seat | None) -> Seat:
        """Return who acts: ``seat``, or where nobody knows the one whose turn it is (a working hypothesis)."""
        return self.to_play if seat is None else seat

    def in_turn(self, seat: Seat | None) -> bool:
        """Return True if ``seat`` may act now by the order of play; any may if the turn is a supposition."""
        if seat is None or seat is self.to_play:
            return True
        return (seat is self.skipped and not self.begun) or not self.known

    def turn_is_not_of(self, seat: Seat) -> bool:
        """Return True if laying gives ``seat`` no turn: another has it, or he lays what he took out of turn."""
        return seat is not self.to_play and (self.known or seat in self.out)

    # -- what is known otherwise, or ordered ---------------------------------------------------------------------

    def lose_turn(self) -> Deal:
        """Something may have gone unnoticed: whose turn it is shows only when the next hand is seen to act."""
        return replace(self, known=False)

    def cloud(self) -> Deal:
        """Cards may come and go unnoticed: nobody is accused until a whole turn has been seen again."""
        return replace(self, known=False, clouded=True, whole=False, unmoved=(), gap=None)

    @property
    def is_watched(self) -> bool:
        """True if stock and pile, and whose hands are there, can be vouched for."""
        return _WATCHED.isdisjoint(self.places.unverified)

    def doubt_hands(self, seats: Iterable[Seat]) -> Deal:
        """Mark the numbers of cards of ``seats`` as no longer certain."""
        places = self.places
        for seat in seats:
            places = places.doubt(hand(seat))
        return self if places is self.places else replace(self, places=places)

    def over(self, manner: Manner, closer: Seat | None = None) -> Deal:
        """End the deal."""
        return replace(self, phase=Phase.OVER, manner=manner, closer=closer)

    def time_out(self) -> Deal:
        """Fix the last round: the arbitro has announced the end of the time (art. 15).

        By ``last_round`` of the book it ends with the dealer, or with who is playing now (feburit, art. 22): between
        two turns with who played last, since the next is still to draw. Nothing follows where the code knows none.
        """
        if self.phase is Phase.OVER or self.dealer_discards_left is not None:
            return self
        if self.book.time.last_round == "unregulated":
            return self
        if self.book.time.last_round == "still-to-draw-to-playing":
            last = self.to_play if self.begun else self.rotation.previous(self.to_play)
            return replace(self, dealer_discards_left=2 if self.begun else 1, last_to_play=last)
        fresh = self.to_play is self.rotation.next(self.dealer) and not self.begun
        return replace(self, dealer_discards_left=1 if fresh else 2)

    def shift(self, cards: Cards, source: str, target: str) -> Deal:
        """Cards go from one place to another, no play being meant."""
        return replace(self, places=self.places.move(cards, source, target))

    def freeze(self, row: int, how: Frozen) -> Deal:
        """Meld ``row`` is frozen as ``how``, ``none`` thaws it (definitions of freezing)."""
        return replace(self, melds=tuple(replace(m, frozen=how) if m.row == row else m for m in self.melds))

    def bar_closing(self, seat: Seat) -> Deal:
        """``seat`` may not go out before it has drawn or collected again, though it may be left without cards."""
        return self if seat in self.barred else replace(self, barred=(*self.barred, seat))

    def count_against(self, row: int, cards: Cards) -> Deal:
        """Count the ``cards`` of meld ``row`` against its line; all of it if none is named."""
        meld = self.meld(row)
        if meld is None:
            return self
        negative = matching(cards, meld.cards) or meld.cards
        return replace(self, melds=tuple(replace(m, negative=negative) if m.row == row else m for m in self.melds))

    def pass_over(self, giver: Seat, taker: Seat, count: int) -> Deal:
        """``count`` cards that ``taker`` has laid were of the hand of ``giver`` (art. 28)."""
        fewer, _ = self.places.pull((UNKNOWN,) * count, hand(giver))
        return replace(self, places=fewer.put((UNKNOWN,) * count, hand(taker)))

    def forgive(self, seat: Seat) -> Deal:
        """Let what ``seat`` took out of turn give him no turn any more: the arbitro has dealt with it."""
        return replace(self, out=tuple(one for one in self.out if one is not seat)) if seat in self.out else self

    def rename(self, place: str, before: str, after: str) -> Deal:
        """Rename a card at ``place``, or in the meld ``row-N``, that was taken for ``before``: it is ``after``."""
        if not place.startswith("row-"):
            return replace(self, places=self.places.rename(place, before, after))
        melds = tuple(
            replace(m, cards=renamed(m.cards, before, after)) if f"row-{m.row}" == place else m for m in self.melds
        )
        return replace(self, melds=melds)

    def correct(self, place: str, cards: Cards) -> Deal:
        """Correct what lies at ``place`` as the arbitro or a scale says; cards too many or few go or come elsewhere."""
        return replace(self, places=self.places.correct(place, cards))

    def recount(self, place: str, cards: Cards) -> Deal:
        """Recount what lies at ``place`` by a scale that had not been heard.

        What is too many or too few there went to another place that nobody watched, or came from it. Once all that
        was not watched has been counted, hands keep their numbers if nothing is missing, else none can be relied on.
        One card more on the pile is most likely the discard of who has drawn, whose number is doubtful then. Where
        somebody had drawn already, as many draws as discards make him a card poorer and another a card richer.
        """
        open_ones = tuple(one for one in (STOCK, DISCARD) if one in self.places.unverified and one != place)
        places, exact = self.places.recount(place, cards, open_ones)
        if place == DISCARD and self.drawn and len(cards) == len(self.pile) + 1 and self.hand(self.to_play):
            places = self.places.move((UNKNOWN,), hand(self.to_play), DISCARD).correct(DISCARD, cards)
            exact = False
        fresh, moved = replace(self, places=places), len(cards) != len(self.at(place))
        exact = exact and not (self.cut and moved)
        settled = exact and (bool(open_ones) or not fresh.at(ASTRAY))
        return fresh if settled else fresh.doubt_hands(self.seats)

    def correct_pots(self, cards: Cards) -> Deal:
        """``cards`` are what lies in the pots that are left, the first pot's first."""
        places, each = self.places, self.book.pot_cards
        for number, place in enumerate(left := self.pots_left):
            here = cards[number * each :] if number == len(left) - 1 else cards[number * each : (number + 1) * each]
            places = places.correct(place, here)
        return replace(self, places=places.trust(POTS))

    def doubt(self, place: str) -> Deal:
        """``place`` can no longer be vouched for."""
        seen = place in (STOCK, DISCARD) and not {STOCK, DISCARD} & set(self.places.unverified)
        return replace(self, places=self.places.doubt(place), cut=self.drawn if seen else self.cut)

    def trust(self, place: str, seen_t: float = -1.0) -> Deal:
        """``place`` is confirmed again; ``seen_t``: when a picture showed what lies open there, if one did."""
        return replace(self, places=self.places.trust(place), seen_again_t=max(self.seen_again_t, seen_t))
