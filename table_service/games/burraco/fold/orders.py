"""The arbitro's acts at the console: rounds, deals, the end of the time, rulings, corrections, bonus points."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN
from hw.observations import Console
from hw.seats import Line, Seat, seat_or_none
from hw.zones import POTS, is_melds, zone_line
from table_service.events import payloads as say
from table_service.games.burraco import event_payloads
from table_service.games.burraco.fold import rounds
from table_service.games.burraco.fold.ending import Ending
from table_service.games.burraco.fold.playing import Playing
from table_service.games.burraco.fold.reporting import report
from table_service.games.burraco.fold.round_state import Sitting
from table_service.games.burraco.reading import card_of
from table_service.games.burraco.rules.deal import Phase

_AT_THE_TABLE: Final = frozenset({"rule", "dismiss", "confirm", "warn", "correct", "bonus"})
"""What shows that the arbitro has been called to the table."""


class Orders:
    """Follows what the console orders; an order that cannot be followed is told as ignored, with the reason."""

    def __init__(self, sitting: Sitting, playing: Playing, ending: Ending) -> None:
        self._sitting = sitting
        self._playing = playing
        self._ending = ending

    def follow(self, console: Console) -> None:
        """Follow one order."""
        sitting = self._sitting
        if console.do in _AT_THE_TABLE:
            sitting.referee.visited()
        match console.do:
            case "start-round":
                rounds.start(sitting, console.fields, console.t)
            case "deal":
                self._new_deal(console)
            case "start-play":
                self._playing.start_play(console.t)
            case "time-out":
                self._time_out(console.t)
            case "end-round":
                self._end_round(console.t)
            case "rule" | "confirm" if console.fields.get("row") == sitting.book.stalemate_row:
                self._ending.watch(console.t, declared=console.fields.get("declared") is True)
            case "rule" | "dismiss" | "confirm" | "warn":
                self._rule(console)
            case "correct":
                self._correct(console)
            case "bonus":
                self._bonus(console)
            case _:
                sitting.ignored(f"the order '{console.do}' is not known", console.t)

    # -- the round ---------------------------------------------------------------------------------------------------

    def _new_deal(self, console: Console) -> None:
        sitting = self._sitting
        given = console.fields.get("deal")
        number = given if isinstance(given, int) and not isinstance(given, bool) else sitting.number + 1
        self._ending.flush(console.t, number)
        dealer = seat_or_none(console.fields.get("dealer"))
        if dealer is None:
            dealer = Seat.NORTH if sitting.deal is None else sitting.deal.dealer.next
            sitting.ignored(f"the order 'deal' names no dealer: {dealer} is taken for him", console.t)
        self._playing.start_deal(number, dealer, console.t)

    def _time_out(self, t: float) -> None:
        sitting = self._sitting
        going = sitting.deal is not None and sitting.deal.phase is not Phase.OVER
        if going:
            sitting.change(lambda deal: deal.time_out())
        sitting.say("round.timeout", say.RoundTimeout(last_turns=going), t)

    def _end_round(self, t: float) -> None:
        sitting = self._sitting
        self._ending.flush(t)
        report(sitting, sitting.referee.end_round(t))
        rounds.tell_end(sitting, t)
        sitting.running = False

    def _rule(self, console: Console) -> None:
        """A ruling may stop the deal, and change its score and the result of the round."""
        sitting = self._sitting
        sitting.this.ruled_t = console.t
        self._playing.settle(console.t, called=True)
        report(sitting, sitting.referee.order(console, sitting.deal, sitting.this.chain))
        self._playing.catch_up()
        self._ending.ordered(console.t)
        if sitting.round_end is not None:
            rounds.tell_end(sitting, console.t)

    # -- cards and points --------------------------------------------------------------------------------------------

    def _correct(self, console: Console) -> None:
        zone, cards, row = (console.fields.get(name) for name in ("zone", "cards", "row"))
        sitting, deal = self._sitting, self._sitting.deal
        if deal is None or not isinstance(zone, str):
            sitting.ignored("a correction must name the zone, and a deal must be running", console.t)
            return
        if isinstance(cards, int) and not isinstance(cards, bool) and 0 <= cards <= deal.size:
            named: tuple[str, ...] = (UNKNOWN,) * cards
        elif isinstance(cards, list | tuple) and len(cards) <= deal.size:
            named = tuple(card_of(str(card)) for card in cards)
        else:
            sitting.ignored("a correction must list the cards of the zone", console.t)
            return
        line = zone_line(zone) if is_melds(zone) else None
        if line is not None:
            self._correct_meld(line, row, named, console.t)
        elif zone == POTS:
            sitting.change(lambda now: now.correct_pots(named))
        elif zone in deal.places.cards:
            sitting.change(lambda now: now.correct(zone, named).trust(zone))
        else:
            sitting.ignored(f"a correction cannot be made in the zone '{zone}'", console.t)
            return
        self._ending.replayed(console.t)

    def _correct_meld(self, line: Line, row: object, cards: tuple[str, ...], t: float) -> None:
        sitting = self._sitting
        if not isinstance(row, int) or isinstance(row, bool):
            sitting.ignored("a correction of melds must name the row", t)
            return
        sitting.change(lambda deal: deal.change(None, row, line, cards))
        sitting.referee.corrected()
        lies = None if sitting.deal is None else sitting.deal.meld(row)
        if lies is not None:
            told = say.MeldChanged(meld=event_payloads.meld(sitting.book, lies), why="corrected")
            sitting.say("meld.changed", told, t, line=line)

    def _bonus(self, console: Console) -> None:
        line, given = console.fields.get("line"), console.fields.get("points")
        if line not in ("NS", "EW") or not isinstance(given, int) or isinstance(given, bool):
            self._sitting.ignored("a bonus must name the line NS or EW and its points", console.t)
            return
        self._sitting.give_bonus(Line(line), given)
        self._ending.ordered(console.t)
        if self._sitting.round_end is not None:
            rounds.tell_end(self._sitting, console.t)
