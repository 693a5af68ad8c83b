"""The play of a board with dummy, card by card in any order, and what is wrong in it (laws 44 to 67)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

from hw.cards import BRIDGE, UNKNOWN, face
from hw.seats import CLOCKWISE, Line, Seat
from table_service.games.bridge.judges.penalty_cards import PenaltyCard, exposed, owed, without
from table_service.games.bridge.judges.revoke_tricks import RevokeCost, cost, is_established, result_after
from table_service.games.bridge.rules.contract import TRICKS, Contract
from table_service.games.tricks.hands import Hands
from table_service.games.tricks.order import FRENCH_RANKS, TrickRules, by_ranks
from table_service.games.tricks.revokes import Revoke, doubled, revokes, without_faces
from table_service.games.tricks.trick import Play, Trick
from table_service.games.tricks.trick_play import Taken, TrickPlay

PACK: Final = frozenset(BRIDGE.copies)
Wrong = Literal["lead-out-of-turn", "play-out-of-turn", "second-card", "card-missing", "penalty-card-kept", "not-held"]
OwnCard = Literal["lies", "turned", "unknown"]
"""What became of a hand's card of the open trick: its back was not seen, it was, or nobody knows."""
_LAWS: Final[Mapping[Wrong, str]] = {
    "play-out-of-turn": "57",
    "second-card": "58",
    "card-missing": "67",
    "penalty-card-kept": "52",
    "not-held": "44",
}


@cache
def trick_rules(strain: str) -> TrickRules:
    """Return the order of tricks in a contract of ``strain``."""
    return TrickRules(CLOCKWISE, by_ranks("CDHS", FRENCH_RANKS), trump=None if strain == "N" else strain)


@dataclass(frozen=True, slots=True)
class PlayFault:
    """``seat``'s hand has given ``card`` to trick ``number``, and that was wrong. ``due``: whose turn it was.

    ``accepted``: the next hand has played after it (53A, 60A). ``owes``: penalty cards that were to be played.
    """

    wrong: Wrong
    seat: Seat
    card: str
    number: int
    due: Seat | None
    t: float
    law: str
    accepted: bool = False
    owes: tuple[PenaltyCard, ...] = ()

    @property
    def row(self) -> str:
        """The row of the catalogue."""
        return f"law-{self.law}"


@dataclass(frozen=True, slots=True)
class CardPlay:
    """The play so far. ``record``: the four hands where a record tells them. ``seen``: cards that hands have shown.

    ``led_at``: when the first card of the open trick was seen.
    """

    contract: Contract
    play: TrickPlay
    record: Mapping[Seat, frozenset[str]] | None = None
    seen: tuple[tuple[Seat, tuple[str, ...]], ...] = ()
    faults: tuple[PlayFault, ...] = ()
    penalty_cards: tuple[PenaltyCard, ...] = ()
    claimed: tuple[Seat, float] | None = None
    led_at: float = -math.inf

    @staticmethod
    def begun(contract: Contract, record: Mapping[Seat, frozenset[str]] | None = None) -> CardPlay:
        """Return the play of ``contract`` before the opening lead."""
        play = TrickPlay(trick_rules(contract.strain), CLOCKWISE.next(contract.declarer))
        return CardPlay(contract, play, record)

    @property
    def dummy(self) -> Seat:
        """Seat whose hand lies open."""
        return self.contract.declarer.partner

    @property
    def hands(self) -> Hands:
        """Known cards of the hands, by the record, by what was shown, and by elimination."""
        plays = [one for trick in self.tricks for one in trick.plays]
        left = dict.fromkeys(CLOCKWISE.seats, TRICKS)
        for seat, _ in plays:
            left[seat] = max(0, left[seat] - 1)
        known = Hands(PACK, left, held=self._recorded(plays))
        for seat, cards in self.seen:
            known = known.shown(seat, cards)
        gone = frozenset(card for _, card in plays) & PACK
        twice = doubled(self.tricks)  # one of two equal cards was misread: what it is, nobody has read
        unread = [seat for seat, card in plays if card not in PACK or card in twice]
        held = {seat: frozenset() if seat in unread else cards - gone for seat, cards in known.held.items()}
        return replace(known, held=held, gone=gone, hidden=len(plays) - len(gone)).eliminated()

    def _recorded(self, plays: list[Play]) -> dict[Seat, frozenset[str]]:
        """Return the hands by the record, without those that played, or lost, a card against it: cards were swapped."""
        record = self.record or {}
        owner = {card: seat for seat, cards in record.items() for card in cards}
        doubted = {who for seat, card in plays if owner.get(card, seat) is not seat for who in (seat, owner[card])}
        return {seat: cards for seat, cards in record.items() if seat not in doubted}

    @property
    def is_over(self) -> bool:
        """True once all tricks are played, or somebody has claimed."""
        return self.claimed is not None or self.count == TRICKS

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks, the open one last where cards lie in it."""
        done = tuple(one.trick for one in self.play.taken)
        return (*done, self.play.open) if self.play.open.plays else done

    @property
    def count(self) -> int:
        """Number of full tricks."""
        return len(self.play.taken) + self.play.open.is_full(self.play.rules)

    @property
    def turned(self) -> tuple[Taken, ...]:
        """The tricks that are full, each with who has won it as far as anybody knows."""
        return self._whole().play.taken

    def turn(self) -> Seat | None:
        """Hand that is to play; a full trick counts as turned."""
        return self._whole().play.turn

    def played(
        self, seat: Seat, card: str, t: float, own: OwnCard = "unknown", *, clear: float | None = None
    ) -> CardPlay:
        """Play ``card`` (``??``: unread) from the hand of ``seat``, in turn or not. ``own``: its card of before.

        ``clear``: from then on it was not seen to; None: it may have come at any time.
        """
        if self.begins_next(seat, own):
            return self._turned(t, seat).played(seat, card, t, clear=clear)
        if self.faults and self._is_accepted_by(seat):
            accepted = replace(self.faults[-1], accepted=True)
            return replace(self, faults=(*self.faults[:-1], accepted)).played(seat, card, t, own, clear=clear)
        printed = face(card)
        may_have_led = self._may_have_led(seat, clear)
        faults = self._faults_of(seat, printed, t, self.play.turn if not may_have_led else None)
        return CardPlay(  # not by `replace`, which takes as long as all the rest
            self.contract,
            (self._with_leader(seat) if may_have_led else self.play).played(seat, printed),
            self.record,
            self.seen,
            (*self.faults, *faults) if faults else self.faults,
            without(self.penalty_cards, seat, printed) if self.penalty_cards else (),
            self.claimed,
            self.led_at if self.play.open.plays else t,
        )

    def _may_have_led(self, seat: Seat, clear: float | None) -> bool:
        """Return True if the leader is unknown, and the card of ``seat`` may have been there before the first seen."""
        open_ = self.play.open
        is_late = clear is None or clear < self.led_at
        return self.play.leader is None and bool(open_.plays) and is_late and open_.card_of(seat) is None

    def _with_leader(self, seat: Seat) -> TrickPlay:
        open_ = self.play.open
        return replace(self.play, open=replace(open_, may_lead=open_.may_lead | {seat}))

    def begins_next(self, seat: Seat, own: OwnCard = "unknown") -> bool:
        """Return True if a card of ``seat`` is one of the next trick: this one is full, or turned and lacks a card."""
        open_ = self.play.open
        if open_.is_full(self.play.rules) or own == "lies" or open_.card_of(seat) is None:
            return open_.is_full(self.play.rules)
        missing = len(CLOCKWISE.seats) - len(open_.plays)
        return own == "turned" or (missing == 1 and open_.winner(self.play.rules) is seat)

    def _whole(self) -> CardPlay:
        """Return the same with the open trick turned if it is full."""
        if not self.play.open.is_full(self.play.rules):
            return self
        return replace(self, play=self.play.gathered(self.winner(self.play.open, self.play.number)))

    def winner(self, trick: Trick, number: int) -> Seat | None:
        """Winner of ``trick``, which is that of ``number``; None if unknown.

        Of a face that was read twice one was misread: if the trick hangs on it, the winner is unknown.
        """
        plays = [one.trick.plays for one in self.play.taken if one.number != number]
        if number != self.play.number:
            plays.append(self.play.open.plays)
        others = {card for of_one in plays for _, card in of_one}
        cards = [card for _, card in trick.plays]
        twice = [card for card in cards if card != UNKNOWN and (card in others or cards.count(card) > 1)]
        return (without_faces(trick, twice) if twice else trick).winner(self.play.rules)

    def turned_unseen(self, t: float, leads: Seat) -> CardPlay:
        """Turn the open trick, whose cards are gone; a card that it lacks may have been played unseen."""
        done = self._turned(t, leads)
        return replace(done, faults=self.faults)

    def _turned(self, t: float, leads: Seat) -> CardPlay:
        """Turn the open trick at ``t``, and have ``leads`` play on; one that lacks a card is a fault (67).

        If ``leads`` has not won with the cards that were seen, one that was not seen has: nobody knows whose.
        """
        open_ = self.play.open
        faults = self.faults
        lacks = next((seat for seat in CLOCKWISE.seats if open_.card_of(seat) is None), None)
        by = self.winner(open_, self.play.number)
        if lacks is not None:
            one = PlayFault("card-missing", lacks, UNKNOWN, self.play.number, lacks, t, _LAWS["card-missing"])
            faults = (*faults, one)
            by = by if by is leads else None
        return replace(self, play=self.play.gathered(by), faults=faults)

    def lacks(self, seat: Seat) -> int | None:
        """Return the number of the trick lacking a card of ``seat``: the last one, else the open one; None: neither."""
        last, open_ = self.play.taken[-1:], self.play.open
        if last and last[0].trick.card_of(seat) is None:
            return last[0].number
        return self.play.number if open_.plays and open_.card_of(seat) is None else None

    def filled(self, seat: Seat, number: int, card: str = UNKNOWN, *, clear: float | None = None) -> CardPlay:
        """To trick ``number`` the hand of ``seat`` has given ``card``, which no picture showed in time.

        So it was not missing, nor was anybody out of turn who played while it was due and may have lain there: from
        ``clear`` on it was not seen to.
        """
        play, since = self.play, -math.inf if clear is None else clear
        faults = tuple(
            one
            for one in self.faults
            if one.number != number or one.due is not seat or (one.wrong != "card-missing" and one.t <= since)
        )
        if number == play.number:
            return replace(self, play=play.played(seat, card), faults=faults)
        before = play.taken[-1]
        trick = Trick((*before.trick.plays, (seat, card)), before.trick.may_lead)
        taken = replace(before, trick=trick, by=self.winner(trick, number))
        leader = play.leader if play.open.plays else taken.by
        return replace(self, play=replace(play, leader=leader, taken=(*play.taken[:-1], taken)), faults=faults)

    def _is_accepted_by(self, seat: Seat) -> bool:
        """Return True if ``seat`` is the hand after an irregular card and plays to it: so it is accepted (53A, 60A)."""
        last = self.faults[-1]
        is_next = CLOCKWISE.next(last.seat) is seat and last.number == self.play.number
        return is_next and not last.accepted and last.wrong in ("lead-out-of-turn", "play-out-of-turn")

    def _faults_of(self, seat: Seat, card: str, t: float, due: Seat | None) -> tuple[PlayFault, ...]:
        """Faults of playing ``card``; ``due``: seat in turn, None if unknown."""
        found: list[PlayFault] = []
        open_, number = self.play.open, self.play.number
        if open_.card_of(seat) is not None:
            found.append(PlayFault("second-card", seat, card, number, due, t, _LAWS["second-card"]))
        elif due is not None and seat is not due:
            wrong: Wrong = "play-out-of-turn" if open_.plays else "lead-out-of-turn"
            found.append(PlayFault(wrong, seat, card, number, due, t, self._law_of_turn(seat, wrong)))
        if self.penalty_cards and (kept := owed(self.penalty_cards, seat, card, open_.led(self.play.rules))):
            found.append(
                PlayFault("penalty-card-kept", seat, card, number, due, t, _LAWS["penalty-card-kept"], owes=kept)
            )
        if self.record is not None and card != UNKNOWN and card not in self.record.get(seat, PACK):
            found.append(PlayFault("not-held", seat, card, number, due, t, _LAWS["not-held"]))
        return tuple(found)

    def _law_of_turn(self, seat: Seat, wrong: Wrong) -> str:
        if wrong == "play-out-of-turn":
            return _LAWS[wrong]
        return "55" if seat.line is self.contract.declarer.line else "56"

    def taken_back(self, seat: Seat, card: str, t: float) -> CardPlay:
        """``seat`` takes its last ``card`` back from the open trick; a defender's lies face up as a major penalty card.

        What the arbitro says otherwise is told by ``released``.
        """
        printed = face(card)
        if self.play.open.card_of(seat) is None or (seat, printed) not in self.play.open.plays:
            return self
        now = replace(self._shown(seat, [printed]), play=self.play.taken_back(seat, printed))
        return now.showed(seat, [printed], t, deliberate=True) if self._is_defender(seat) else now

    def never_lay(self, seat: Seat, card: str) -> CardPlay:
        """``card``, which ``seat`` seemed to have played to the open trick, was a misreading."""
        play = self.play
        faults = tuple(one for one in self.faults if (one.seat, one.card, one.number) != (seat, card, play.number))
        return replace(self, play=play.taken_back(seat, card), faults=faults)

    def showed(self, seat: Seat, cards: list[str], t: float, *, deliberate: bool = False) -> CardPlay:
        """``seat`` has exposed ``cards``: of a defender they are penalty cards; of declarer nothing follows (48A)."""
        known = self._shown(seat, cards)
        if not self._is_defender(seat):
            return known
        return replace(known, penalty_cards=exposed(self.penalty_cards, seat, cards, t, deliberate=deliberate))

    def reopened(self, seat: Seat, card: str, t: float) -> CardPlay:
        """``seat`` takes back ``card``, with which it seemed to lead, while the trick before lacked a hand's card.

        So the trick was not over: it lies open again, and that card was a second one to it (58).
        """
        play = self.play
        if play.open.plays != ((seat, card),) or not play.taken or play.taken[-1].trick.is_full(play.rules):
            return self
        before = play.taken[-1]
        number = before.number
        faults = tuple(one for one in self.faults if one.number < number or one.wrong == "second-card")
        second = PlayFault("second-card", seat, card, number, before.trick.turn(play.rules), t, _LAWS["second-card"])
        taken = replace(play, leader=before.trick.leader, taken=play.taken[:-1], open=before.trick)
        return replace(self, play=taken, faults=(*faults, second))

    def released(self, seat: Seat, card: str) -> CardPlay:
        """``card`` of ``seat`` is no penalty card any more."""
        return replace(self, penalty_cards=without(self.penalty_cards, seat, card))

    def spread(self, cards: list[str]) -> CardPlay:
        """Dummy's cards lie open."""
        return self._shown(self.dummy, cards)

    def _shown(self, seat: Seat, cards: list[str]) -> CardPlay:
        read = tuple(printed for card in cards if (printed := face(card)) != UNKNOWN)
        return replace(self, seen=(*self.seen, (seat, read)))

    def claim(self, seat: Seat, t: float) -> CardPlay:
        """``seat`` claims or concedes: play ends (68)."""
        return self if self.claimed is not None else replace(self, claimed=(seat, t))

    def laid_open(self, seat: Seat, cards: Sequence[str]) -> CardPlay:
        """``seat`` shows ``cards`` at the end of play: they are what is left of the hand, and prove what it held."""
        return self._shown(seat, list(cards))

    def _is_defender(self, seat: Seat) -> bool:
        return seat.line is not self.contract.declarer.line

    # -- what follows --------------------------------------------------------------------------------------------------

    def revokes(self) -> tuple[tuple[Revoke, bool], ...]:
        """Every revoke that is certain, and whether it is established (63)."""
        tricks = self.tricks
        found = revokes(self.play.rules, tricks, self.hands)
        return tuple((one, is_established(one, tricks, claimed=self._has_claimed(one.seat))) for one in found)

    def _has_claimed(self, seat: Seat) -> bool:
        return self.claimed is not None and self.claimed[0].line is seat.line

    def costs(self) -> tuple[tuple[Revoke, RevokeCost], ...]:
        """Cost of each established revoke by law 64."""
        certain = [one for one, established in self.revokes() if established]
        taken = self._whole().play.taken
        return tuple(
            (
                one,
                cost(
                    one,
                    taken,
                    dummy=self.dummy,
                    before=certain,
                    others=[other for other in certain if other.seat.line is not one.seat.line],
                    faced=self._faced(one),
                ),
            )
            for one in certain
        )

    def _faced(self, revoke: Revoke) -> list[str]:
        """Return the penalty cards that the offender had to play to the trick in which he revoked."""
        return [
            one.card
            for fault in self.faults
            if fault.wrong == "penalty-card-kept" and (fault.seat, fault.number) == (revoke.seat, revoke.number)
            for one in fault.owes
        ]

    def tricks_won(self) -> int | None:
        """Tricks that declarer's side has won with its cards; None where the winner of one is not known."""
        play = self._whole().play
        if doubled(self.tricks):  # a trick that was gathered before a face came again may hang on it, too
            taken = (replace(one, by=self.winner(one.trick, one.number)) for one in play.taken)
            play = replace(play, taken=tuple(taken))
        won = play.tricks_of({seat: seat.line for seat in CLOCKWISE.seats})
        return won.get(self.contract.declarer.line, 0)

    def result(self) -> int | None:
        """Return declarer's tricks once all thirteen are played, those that revokes cost moved; None while unknown."""
        won = self.tricks_won()
        if won is None or self.count != TRICKS:
            return None
        line: Line = self.contract.declarer.line
        return result_after(won, [(one.seat.line is line, given) for one, given in self.costs()])
