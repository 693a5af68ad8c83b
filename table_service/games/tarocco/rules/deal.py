"""A deal of tarocco as a value: what happened at the table is taken as it was, in any order.

Cards are faces (``KC``); one that nobody read is ``??``. Play goes anticlockwise. ``checks`` says what was wrong with
it, ``piles`` what each line has won.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from hw.cards import TAROCCO, UNKNOWN, face
from hw.seats import ANTICLOCKWISE, Line, Seat
from table_service.games.tarocco.rules.tricks import TRICKS
from table_service.games.tricks.hands import Hands
from table_service.games.tricks.trick import Trick
from table_service.games.tricks.trick_play import TrickPlay

Signal = Literal["busso", "striscio", "volo"]
HAND: Final = 15
SCARTO: Final = 2
TRICKS_OF_A_DEAL: Final = HAND


@dataclass(frozen=True, slots=True)
class Options:
    """Points that the texts leave open, with the defaults of the facts file.

    ``must_trump``: a player who cannot follow plays a trump. ``matto_lost_without_trick``: a line that wins no trick
    loses the Matto to the others (Pisarri, p. 121).
    """

    must_trump: bool = True
    matto_lost_without_trick: bool = True


DEFAULTS: Final = Options()


@dataclass(frozen=True, slots=True)
class Accuso:
    """Cards that ``seat`` has shown for their combinations; ``late``: after its own first card."""

    seat: Seat
    cards: tuple[str, ...]
    late: bool = False


@dataclass(frozen=True, slots=True)
class TrickClaim:
    """All of ``seat``'s cards laid out at once, before trick ``number``."""

    seat: Seat
    cards: tuple[str, ...]
    number: int


@dataclass(frozen=True, slots=True)
class TaroccoDeal:
    """One deal. ``scartatore``: who discards two cards; it is the dealer unless he has lost the scarto (commas 7, 8).

    ``scarto``: None until it was made, then its cards as far as they are known. ``given``: the card given for the
    Matto, once it was seen. ``signals``: who gave which, by the number of the trick. ``scarto_sensed``: a sensor of the
    table tells of the scarto; else what is shown before the first card may come before it or after.
    """

    scartatore: Seat
    play: TrickPlay
    hands: Hands
    options: Options = DEFAULTS
    scarto: tuple[str, ...] | None = None
    accusi: tuple[Accuso, ...] = ()
    claims: tuple[TrickClaim, ...] = ()
    signals: Mapping[int, tuple[tuple[Seat, Signal], ...]] = field(default_factory=dict)
    given: str | None = None
    dealer: Seat | None = None
    scarto_sensed: bool = True

    @classmethod
    def dealt(
        cls,
        dealer: Seat,
        scartatore: Seat | None = None,
        options: Options | None = None,
        *,
        scarto_sensed: bool = True,
    ) -> TaroccoDeal:
        """Return the deal as it lies before the scarto: fifteen cards a seat, two more for the one who discards them.

        The player at the dealer's right leads first (Barilli, 3.4).

        >>> deal = TaroccoDeal.dealt(Seat.SOUTH).with_scarto(2)
        >>> deal.play.turn, deal.with_play(Seat.EAST, "KC").play.turn
        (<Seat.EAST: 'E'>, <Seat.NORTH: 'N'>)
        """
        two_more = scartatore or dealer
        left = {seat: HAND + SCARTO * (seat is two_more) for seat in ANTICLOCKWISE.seats}
        chosen = options or DEFAULTS
        rules = TRICKS if chosen.must_trump else replace(TRICKS, must_trump=False)
        leader = ANTICLOCKWISE.next(dealer)
        hands = Hands(frozenset(TAROCCO.copies), left)
        return cls(two_more, TrickPlay(rules, leader), hands, chosen, dealer=dealer, scarto_sensed=scarto_sensed)

    @property
    def scarto_count(self) -> int | None:
        """Number of cards in the scarto; None if no sensor shows it."""
        return len(self.scarto or ()) if self.scarto_sensed else None

    @property
    def has_begun(self) -> bool:
        """True if a card has been led."""
        return bool(self.play.open.plays or self.play.taken)

    @property
    def is_over(self) -> bool:
        """True if all tricks are gathered, or a claim has ended the play."""
        return len(self.play.taken) >= TRICKS_OF_A_DEAL or bool(self.claims)

    @property
    def certain_hands(self) -> Hands:
        """The hands as far as a judgement may rest on them.

        Once play has begun, a scarto that was told as another number than two cards may have been made as it should
        be: its cards are then both in no hand and in the scartatore's, so that nothing follows from either.
        """
        hands, lying = self.hands, len(self.scarto or ())
        if not self.has_begun or lying == SCARTO:
            return hands
        if lying < SCARTO:
            return replace(hands, hidden=hands.hidden + SCARTO - lying)
        left = {**hands.left, self.scartatore: hands.left[self.scartatore] + lying - SCARTO}
        return replace(hands, left=left)

    def with_scarto(self, number: int, cards: Iterable[str] = ()) -> TaroccoDeal:
        """Put ``number`` cards in the scarto, of which ``cards`` are known."""
        known = tuple(map(face, cards))[:number]
        lying = known + (UNKNOWN,) * (number - len(known))
        hands = self.hands
        before = len(self.scarto or ())
        left = {**hands.left, self.scartatore: max(0, hands.left[self.scartatore] + before - number)}
        hands = replace(hands, left=left, hidden=max(0, hands.hidden - before) + number)
        return replace(self, scarto=lying, hands=hands)

    def with_accuso(self, seat: Seat, cards: Iterable[str]) -> TaroccoDeal:
        """``seat`` shows ``cards``, to take them back."""
        shown = tuple(map(face, cards))
        late = self.has_played(seat)
        known = self.hands.shown(seat, (card for card in shown if card != UNKNOWN))
        return replace(self, accusi=(*self.accusi, Accuso(seat, shown, late)), hands=known)

    def with_play(self, seat: Seat, card: str) -> TaroccoDeal:
        """``seat`` lays ``card`` to the open trick, in turn or not."""
        return replace(self, play=self.play.played(seat, face(card)), hands=self.hands.played(seat, card))

    def with_replaced(self, seat: Seat, card: str, by: str) -> TaroccoDeal:
        """``seat`` takes ``card`` back from the open trick and lays ``by`` for it."""
        return self.with_taken_back(seat, card).with_play(seat, by)

    def with_taken_back(self, seat: Seat, card: str) -> TaroccoDeal:
        """``seat`` takes ``card`` back from the open trick; nothing changes where it has not played it."""
        play = self.play.taken_back(seat, face(card))
        if play.open == self.play.open:
            return self
        hands = self.hands
        left = {**hands.left, seat: hands.left[seat] + 1}
        if face(card) == UNKNOWN:
            return replace(self, play=play, hands=replace(hands, left=left, hidden=max(0, hands.hidden - 1)))
        hands = replace(hands, left=left, gone=hands.gone - {face(card)})
        return replace(self, play=play, hands=hands.shown(seat, [card]))

    def with_gathered(self, by: Seat | None = None) -> TaroccoDeal:
        """Gather the open trick. ``by``: who leads next if the cards do not tell whose it was."""
        winner = self.play.open.winner(self.play.rules, _may_be(self.hands))
        return replace(self, play=self.play.gathered(winner or by))

    def with_claim(self, seat: Seat, cards: Iterable[str]) -> TaroccoDeal:
        """``seat`` lays out all of its cards."""
        shown = tuple(map(face, cards))
        hands = self.hands.shown(seat, (card for card in shown if card != UNKNOWN))
        return replace(self, claims=(*self.claims, TrickClaim(seat, shown, self.play.number)), hands=hands)

    def with_trick(self, number: int, plays: tuple[tuple[Seat, str], ...]) -> TaroccoDeal:
        """Trick ``number``, the open one or one that was gathered, held ``plays``, whatever was seen of it."""
        play, new = self.play, Trick(plays)
        is_open = number == play.number
        old = play.open if is_open else play.taken[number - 1].trick
        hands = self.hands.with_cards_seen(old.plays, plays)
        if is_open:
            return replace(self, play=replace(play, open=new), hands=hands)
        by = new.winner(play.rules, _may_be(hands)) or play.taken[number - 1].by
        taken = tuple(replace(one, trick=new, by=by) if one.number == number else one for one in play.taken)
        leads = number == len(play.taken) and not play.open.plays
        return replace(self, play=replace(play, taken=taken, leader=by if leads else play.leader), hands=hands)

    def with_trick_of(self, number: int, line: Line) -> TaroccoDeal:
        """Trick ``number`` lies in the pile of ``line``."""
        play = self.play
        taken = tuple(replace(one, pile=line) if one.number == number else one for one in play.taken)
        return replace(self, play=replace(play, taken=taken))

    def with_signal(self, seat: Seat, signal: Signal) -> TaroccoDeal:
        """``seat`` gives a signal with the card that lies, or is just laid, in the open trick."""
        number = self.play.number
        return replace(self, signals={**self.signals, number: (*self.signals.get(number, ()), (seat, signal))})

    def with_given(self, card: str) -> TaroccoDeal:
        """``card`` was given for the Matto."""
        return replace(self, given=face(card))

    def has_played(self, seat: Seat) -> bool:
        """Return True if ``seat`` has laid its first card."""
        return any(one.trick.card_of(seat) is not None for one in self.play.taken) or (
            self.play.open.card_of(seat) is not None
        )


def _may_be(hands: Hands) -> dict[Seat, frozenset[str]]:
    """Return what a card of each seat that nobody read may be."""
    return {seat: hands.unseen | hands.held.get(seat, frozenset()) for seat in ANTICLOCKWISE.seats}
