"""The facts of a deal of tarocco as events: each told once, named or corrected by later evidence, or retracted."""

from __future__ import annotations

from typing import Any, Final

from hw.cards import UNKNOWN
from table_service.events import payloads as say
from table_service.games.tarocco.fold.certainty import claim_holds, is_certainly_laid
from table_service.games.tarocco.fold.course import Course, FacedCards, Laid
from table_service.games.tarocco.fold.course_facts import Fact, Won
from table_service.games.tarocco.fold.statements import AccusoStated
from table_service.games.tarocco.payloads import AccusoShown, ClaimMade, ScartoMade, TrickPlayed, TrickWon
from table_service.games.tarocco.rules.score import accuso_points
from table_service.table.table_parts import TableParts
from table_service.tracking.movements import Movement

EXPLAINED: Final = "later evidence explains it otherwise"


class EventWriter:
    """Writes facts as events (``table.history.Writer``), named by their ids. ``at`` says of which deal, and when."""

    def __init__(self, table: TableParts) -> None:
        self._table = table
        self._now: Course
        self._t = 0.0
        self._why = EXPLAINED

    def at(self, now: Course, t: float, why: str = "") -> None:
        """Tell of ``now`` at ``t`` from here on; ``why`` a fact of it may be none any more."""
        self._now, self._t, self._why = now, t, why or EXPLAINED

    def report(self, fact: Fact) -> str:
        """Tell ``fact``, which is new."""
        match fact:
            case ScartoMade():
                return self._table.voice.say("scarto.made", fact, self._t, self._now.deal.scartatore).id
            case Laid():
                return self._laid(fact)
            case Won():
                return self._won(fact)
            case FacedCards():
                return self._shown(fact)
            case AccusoStated(seat=seat, cards=cards):
                shown = AccusoShown(cards=cards, points=_points(cards))
                return self._table.voice.say("accuso.shown", shown, self._t, seat, basis=("said",)).id
            case say.DealEnded():
                return self._table.voice.say("deal.ended", fact, self._t).id

    def correct(self, name: str, was: Fact, fact: Fact) -> str | None:
        """Name the card of event ``name`` that is known now, or tell a trick again."""
        if isinstance(was, Won) and isinstance(fact, Won):
            same = was.taken.by is fact.taken.by and was.cards == fact.cards
            return None if same and was.certain <= fact.certain else self._won(fact, corrected=True)
        cards = _cards(fact)
        if type(fact) is type(was) and cards != _cards(was):
            self._table.voice.say("card.named", say.CardNamed(event=name, cards=cards), self._t)
        return name

    def retract(self, name: str, fact: Fact) -> None:
        """Take event ``name`` back; with the end of the deal its count."""
        sheets, gone = self._table.sheets, [name]
        if isinstance(fact, say.DealEnded):
            sheet = sheets.by_deal.get(self._table.round.number)
            gone += [] if sheet is None else [sheet.event]
            sheets.take_back()
        for event in gone:
            self._table.voice.say("event.retracted", say.EventRetracted(event=event, note=self._why), self._t)

    def _laid(self, laid: Laid) -> str:
        now = self._now
        trick = [one for one in now.of_trick(laid.number) if one.place <= laid.place]
        full = len({one.seat for one in trick}) == len(now.deal.play.rules.rotation.seats)
        data = TrickPlayed(
            n=laid.number,
            card=laid.card,
            cards={str(one.seat): one.card for one in trick},
            winner=_winner(now, laid.number) if full else None,
            certain=is_certainly_laid(now, laid),
        )
        return self._by(laid.move, "trick.played", data)

    def _won(self, won: Won, **more: Any) -> str:
        taken, gathered = won.taken, won.gathered
        data = TrickWon(
            n=taken.number,
            cards=won.cards,
            winner=None if taken.by is None else str(taken.by),
            pile=None if gathered is None or gathered.pile is None else str(gathered.pile),
            led=None if taken.trick.leader is None else str(taken.trick.leader),
            certain=won.certain,
            **more,
        )
        when = None if gathered is None else gathered.committed_t
        return self._table.voice.say("trick.won", data, self._t, taken.by, committed_t=when).id

    def _shown(self, one: FacedCards) -> str:
        cards, seen = one.cards, one.move.visible_to
        if one.what == "accuso":
            shown = AccusoShown(cards=cards, points=_points(cards), late=one.late)
            return self._by(one.move, "accuso.shown", shown)
        if one.what == "claim":
            number = self._now.deal.claims[-1].number
            return self._by(one.move, "claim.made", ClaimMade(cards=cards, n=number, holds=claim_holds(self._now)))
        visible = None if seen is None else tuple(map(str, seen))
        return self._by(one.move, "card.exposed", say.CardExposed(cards=cards, visible_to=visible))

    def _by(self, move: Movement, type_: str, data: say.Payload) -> str:
        """Tell what ``move`` shows."""
        return self._table.voice.say(
            type_,
            data,
            self._t,
            move.seat,
            committed_t=move.committed_t,
            confidence=move.confidence,
            basis=move.basis,
        ).id


def _cards(fact: Fact) -> tuple[str, ...]:
    """Return the cards by which a fact of a movement is known."""
    return (fact.card,) if isinstance(fact, Laid) else fact.cards if isinstance(fact, FacedCards) else ()


def _points(cards: tuple[str, ...]) -> int | None:
    """Return what combinations of ``cards`` count; None where one was not read."""
    return None if UNKNOWN in cards else accuso_points(cards)


def _winner(now: Course, number: int) -> str | None:
    play = now.deal.play
    by = play.taken[number - 1].by if number <= len(play.taken) else play.open.winner(play.rules)
    return None if by is None else str(by)
