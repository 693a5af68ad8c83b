"""The arbitro's acts at the console that concern a deal of Burraco: rulings, a stalemate, cards that lie otherwise."""

from __future__ import annotations

from hw.cards import UNKNOWN
from hw.observations import Console
from hw.seats import Line
from hw.zones import POTS, is_melds, zone_line
from table_service.games.burraco import action_events
from table_service.games.burraco import payloads as own
from table_service.games.burraco.fault_kinds import TAKEN_OUT_OF_TURN
from table_service.games.burraco.fold.playing import Parts, Playing
from table_service.games.burraco.reading import card_of
from table_service.games.burraco.rules import acting
from table_service.games.burraco.rules.deal import Phase
from table_service.games.burraco.rules.rulebook import RuleBook


class Orders:
    """Follows what the console orders; an order that cannot be followed is told as ignored, with the reason."""

    def __init__(self, book: RuleBook, parts: Parts, playing: Playing) -> None:
        self._book = book
        self._parts = parts
        self._playing = playing

    def follow(self, console: Console) -> None:
        """Follow one order."""
        match console.do:
            case "start-play":
                self._parts.pack.start_play(console.t)
            case "time-out":
                self._parts.course.change(lambda deal: deal if deal.phase is Phase.OVER else deal.time_out())
            case "rule" | "confirm" if console.fields.get("row") == self._book.stalemate_row:
                self._parts.stalemate.watch(console.t, declared=console.fields.get("declared") is True)
            case "rule" | "dismiss" | "confirm" | "warn":
                self._rule(console)
            case "correct":
                self._correct(console)
            case "bonus":
                self._parts.ending.revised(console.t, (None, console.t))

    def _rule(self, console: Console) -> None:
        """A ruling may stop the deal, and change its score and the result of the round."""
        parts = self._parts
        self._playing.settle(console.t, called=True)
        left = parts.referee.leaves_cards(console, parts.course.deal)
        closer = parts.referee.closing_stands(console, parts.course.deal)
        reopened = left is not None and parts.ending.has_not_gone_out(left, console.t)
        self._playing.bring_to_light()
        parts.reporter.report(parts.referee.order(console, parts.course.deal, parts.table.voice.chain))
        if not parts.table.voice.refusal:
            self._playing.ruled(console.t)
        if closer is not None:
            parts.course.change(lambda deal: deal.over("closed", closer))
        self._leave_turn_open(console)
        self._playing.catch_up(reopened=reopened)
        parts.ending.revised(console.t, (None, console.t))

    def _leave_turn_open(self, console: Console) -> None:
        """Whose turn it is, is open where the arbitro says that the supposed player in turn took cards out of turn.

        So it is where a gap in sensing had left the turn open. Nobody is accused before a whole turn has been seen.
        """
        course, row = self._parts.course, console.fields.get("row")
        deal = course.deal
        if deal is None or not deal.begun or deal.phase is not Phase.PLAYING:
            return
        ruled = (one for one in self._parts.referee.irregularities if one.row.id == row and one.state == "ruled")
        mine = (one for one in ruled if one.offender is deal.to_play and one.committed_t >= deal.began_t)
        if any(one.kind in TAKEN_OUT_OF_TURN for one in mine):
            course.change(lambda now: now.cloud())

    def _correct(self, console: Console) -> None:
        zone, cards, row = (console.fields.get(name) for name in ("zone", "cards", "row"))
        course, deal = self._parts.course, self._parts.course.deal
        if deal is None or not isinstance(zone, str):
            self._parts.table.voice.ignored("a correction must name the zone, and a deal must be running", console.t)
            return
        if isinstance(cards, int) and not isinstance(cards, bool) and 0 <= cards <= deal.size:
            named: tuple[str, ...] = (UNKNOWN,) * cards
        elif isinstance(cards, list | tuple) and len(cards) <= deal.size:
            named = tuple(card_of(str(card)) for card in cards)
        else:
            self._parts.table.voice.ignored("a correction must list the cards of the zone", console.t)
            return
        line = zone_line(zone) if is_melds(zone) else None
        if line is not None:
            self._correct_meld(line, row, named, console.t)
        elif zone == POTS:
            course.change(lambda now: now.correct_pots(named))
        elif zone in deal.places.cards:
            course.change(lambda now: now.correct(zone, named).trust(zone))
        else:
            self._parts.table.voice.ignored(f"a correction cannot be made in the zone '{zone}'", console.t)
            return
        self._parts.ending.revised(console.t)

    def _correct_meld(self, line: Line, row: object, cards: tuple[str, ...], t: float) -> None:
        course, referee = self._parts.course, self._parts.referee
        if not isinstance(row, int) or isinstance(row, bool):
            self._parts.table.voice.ignored("a correction of melds must name the row", t)
            return
        course.change(lambda deal: acting.change(deal, None, row, line, cards))
        referee.corrected()
        lies = None if course.deal is None else course.deal.meld(row)
        if lies is not None:
            told = own.MeldChanged(meld=action_events.meld(self._book, lies), why="corrected")
            self._parts.table.voice.say("meld.changed", told, t, line=line)
