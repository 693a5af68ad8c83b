"""What has changed in the course of a deal, told as events."""

from __future__ import annotations

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from table_service.events import payloads as say
from table_service.games.tarocco.fold.certainty import claim_holds, is_certain, is_certainly_laid
from table_service.games.tarocco.fold.course import Course, Laid, Open
from table_service.games.tarocco.fold.statements import AccusoStated, Stated, TrickStated
from table_service.games.tarocco.payloads import AccusoShown, ClaimMade, TrickPlayed, TrickWon
from table_service.games.tarocco.rules.score import accuso_points
from table_service.table.table_parts import Table
from table_service.tracking.movements import Movement, Named, Retracted


class Teller:
    """Tells of a deal. What was told of a movement is named and taken back with it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._played: dict[tuple[int, str], str] = {}
        self._event: dict[int, str] = {}
        self._won: dict[int, TrickWon] = {}
        self._shown: dict[int, str] = {}
        self._accusi: dict[tuple[Seat, frozenset[str]], str] = {}
        """The event of each accuso, by who has shown which cards: a person and pictures tell of one and the same."""

    def begin(self) -> None:
        """A deal begins."""
        for known in (self._played, self._event, self._won, self._shown, self._accusi):
            known.clear()

    def tell(self, before: Course, now: Course, t: float) -> None:
        """Tell what ``now`` holds that was not told."""
        if now is before:
            return
        for laid in now.laid:
            if (laid.move.id, laid.seat) not in self._played:
                self._laid(now, laid, t)
        for number in range(1, len(now.deal.play.taken) + 1):
            self._gathered(now, number, t)
        for one in now.shown:
            if self._shown.get(one.move.id) != one.what:
                self._apart(now, one, t)
        play = now.deal.play
        self._table.voice.turn = 4 * len(play.taken) + len(play.open.plays)

    def named(self, named: Named, before: Course, now: Course) -> None:
        """Cards of an earlier movement are known by now; of one that was told to all.

        Of a card laid to a trick nothing is told where further frames only show another that lay there already.
        """
        event = self._event.get(named.movement)
        known, cards = (tuple(one.card for one in it.laid if one.move.id == named.movement) for it in (before, now))
        if event is not None and not (cards and known == cards):
            told = cards[:1] or tuple(map(face, named.cards))
            self._table.voice.say("card.named", say.CardNamed(event=event, cards=told), named.t)

    def stated(self, before: Course, now: Course, stated: Stated, t: float) -> None:
        """What a person has stated: cards of a trick that were told otherwise, combinations that were shown."""
        if isinstance(stated, TrickStated):
            known = {(one.number, one.seat, one.place): one.card for one in before.laid}
            for laid in now.laid:
                event = self._played.get((laid.move.id, laid.seat))
                if event is not None and known.get((laid.number, laid.seat, laid.place), laid.card) != laid.card:
                    self._table.voice.say("card.named", say.CardNamed(event=event, cards=(laid.card,)), t)
        elif isinstance(stated, AccusoStated) and stated.cards:
            key = stated.seat, frozenset(stated.cards)
            if key not in self._accusi:
                data = AccusoShown(cards=stated.cards, points=_points(stated.cards))
                self._accusi[key] = self._table.voice.say("accuso.shown", data, t, stated.seat, basis=("said",)).id

    def retracted(self, retracted: Retracted) -> None:
        """An earlier movement did not happen."""
        event = self._event.pop(retracted.movement, None)
        self._shown.pop(retracted.movement, None)
        for key in [key for key in self._played if key[0] == retracted.movement]:
            del self._played[key]
        self._accusi = {key: told for key, told in self._accusi.items() if told != event}
        if event is not None:
            data = say.EventRetracted(event=event, note=retracted.reason)
            self._table.voice.say("event.retracted", data, retracted.t)

    def _laid(self, now: Course, laid: Laid, t: float) -> None:
        trick = [one for one in now.of_trick(laid.number) if one.place <= laid.place]
        full = len({one.seat for one in trick}) == len(now.deal.play.rules.rotation.seats)
        data = TrickPlayed(
            n=laid.number,
            card=laid.card,
            cards={str(one.seat): one.card for one in trick},
            winner=_winner(now, laid.number) if full else None,
            certain=is_certainly_laid(now, laid),
        )
        event = self._say("trick.played", data, laid.move, t)
        self._played[laid.move.id, laid.seat] = event
        self._event[laid.move.id] = event

    def _gathered(self, now: Course, number: int, t: float) -> None:
        taken = now.deal.play.taken[number - 1]
        gathered = now.gathered[number - 1] if number <= len(now.gathered) else None
        cards = {str(seat): card for seat, card in taken.trick.plays}
        data = TrickWon(
            n=number,
            cards=cards,
            winner=None if taken.by is None else str(taken.by),
            pile=None if gathered is None or gathered.pile is None else str(gathered.pile),
            led=None if taken.trick.leader is None else str(taken.trick.leader),
            certain=is_certain(now, number),
        )
        known = self._won.get(number)
        same = known is not None and (known.winner, known.cards) == (data.winner, data.cards)
        if known is not None and same and known.certain <= data.certain:
            return
        self._won[number] = data
        told = data if known is None else data.model_copy(update={"corrected": True})
        when = None if gathered is None else gathered.committed_t
        self._table.voice.say("trick.won", told, t, taken.by, committed_t=when)

    def _apart(self, now: Course, one: Open, t: float) -> None:
        self._shown[one.move.id] = one.what
        key = one.seat, frozenset(one.cards)
        if one.what == "accuso" and (one.late or key not in self._accusi):
            data = AccusoShown(cards=one.cards, points=_points(one.cards), late=one.late)
            self._accusi[key] = self._say("accuso.shown", data, one.move, t)
        elif one.what == "claim":
            claim = now.deal.claims[-1]
            self._say("claim.made", ClaimMade(cards=one.cards, n=claim.number, holds=claim_holds(now)), one.move, t)
        elif one.what == "cards" or (one.what == "lying" and len(one.cards) == 1):
            seen = one.move.visible_to
            visible = None if seen is None else tuple(map(str, seen))
            self._say("card.exposed", say.CardExposed(cards=one.cards, visible_to=visible), one.move, t)

    def _say(self, type_: str, data: say.Payload, move: Movement, t: float) -> str:
        seat = move.seat
        event = self._table.voice.say(
            type_,
            data,
            t,
            seat,
            committed_t=move.committed_t,
            confidence=move.confidence,
            basis=move.basis,
        )
        self._event[move.id] = event.id
        return event.id


def _points(cards: tuple[str, ...]) -> int | None:
    """Return what combinations of ``cards`` count; None where one was not read."""
    return None if UNKNOWN in cards else accuso_points(cards)


def _winner(now: Course, number: int) -> str | None:
    play = now.deal.play
    by = play.taken[number - 1].by if number <= len(play.taken) else play.open.winner(play.rules)
    return None if by is None else str(by)
