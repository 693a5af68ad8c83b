"""One table: observations → movements → actions → verdicts → events. A pure fold; the same log gives the same bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hw.cards import UNKNOWN, face
from hw.observation_log import Header
from hw.observations import Button, Console, Health, Observation, Other, Said, Shield
from hw.seats import LINES, SEATS, Line, Seat, seat_or_none
from hw.zones import DISCARD, POTS, STOCK, hand, is_melds, side, zone_line
from table_service import telling
from table_service.counting import Scores, count_deal
from table_service.events import Envelope, Event
from table_service.events import payloads as say
from table_service.events.envelope import REPLAY_BOOT
from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Deal, Phase
from table_service.games.burraco.places import newcomers
from table_service.games.burraco.play import apply, verify
from table_service.games.burraco.reading import Reader, card_of, read_row
from table_service.games.burraco.rulebook import rule_book
from table_service.games.burraco.turning import TurnUp
from table_service.referee import fibur2024
from table_service.referee.catalogue import Catalogue, catalogue_of
from table_service.referee.referee import Referee
from table_service.referee.values import (
    Finding,
    Forgiven,
    Froze,
    Ignored,
    Irregularity,
    SanctionSaid,
    Warned,
)
from table_service.tracking import Tracker
from table_service.tracking.movements import (
    Counted,
    Movement,
    Named,
    Notice,
    Retracted,
    RowChanged,
    Shown,
    Track,
    Unverified,
    Verified,
)

CATALOGUES: Final[dict[str, Catalogue]] = {"fibur2024": fibur2024.FIBUR2024}
"""The catalogue of irregularities of each rule set."""


_LAID_OUT: Final = 2
"""Hands of others that must lie face up before a deal is taken to be over."""
_SPARE: Final = 2
"""Up to so many cards too many in the ledger, who lays none out for the count is taken to have gone out."""
_SIGN: Final = 6.0
"""Seconds: so long before his last discard a player may say that he closes, and after it turn his shield over."""


@dataclass(slots=True)
class _Played:
    """A movement that has been acted upon: the deal before it, its actions, its events."""

    movement: int
    before: Deal
    actions: tuple[act.Action, ...]
    event: str | None = None


@dataclass(slots=True)
class _DealBook:
    """What belongs to one deal besides its state."""

    counts: dict[str, int | None] = field(default_factory=dict)
    checked: bool = False
    started: bool = False
    pack_fault: str | None = None
    played: list[_Played] = field(default_factory=list)
    turn_up: TurnUp = field(default_factory=TurnUp)
    shown: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    early: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    bonus: dict[Line, int] = field(default_factory=lambda: dict.fromkeys(LINES, 0))
    score_id: str | None = None
    score_key: object = None
    over: bool = False
    closing: tuple[Seat, float] | None = None
    """Who said that he closes, and when."""


class TableFold:
    """Folds the observations of one log into events. Feed every observation in order of arrival, then close.

    ``header`` as in the log; ``boot`` and ``first`` number the events. Raises UnknownRulesError for rules that are not
    Burraco's; after that nothing that players or sensors do raises.
    """

    def __init__(self, header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> None:
        self._book = rule_book(header.rules)
        self._header = header
        self._tracker = Tracker(header)
        self._envelope = Envelope(header.table, header.started, boot, first)
        self._referee = Referee(CATALOGUES.get(header.rules) or catalogue_of(header.rules, ()))
        self._scores = Scores(self._book, teams=header.options.get("event") == "teams")
        self._deals: int | None = None
        self._running = False
        self._deal: Deal | None = None
        self._number = 0
        self._this = _DealBook()
        self._pot_sign: Seat | None = None
        self._unverified: dict[str, str] = {}
        self._nodes: dict[str, str] = {}
        self._strange: set[str] = set()
        self._out: list[Event] = []

    # -- the fold --------------------------------------------------------------------------------------------------

    def feed(self, observation: Observation) -> list[Event]:
        """Take one observation; the events that it completes."""
        tracks = self._tracker.feed(observation)
        self._late(observation.t)
        return self.take(tracks)

    def close(self) -> list[Event]:
        """The log has ended: the events that still waited."""
        tracks = self._tracker.close()
        for track in tracks:
            self._track(track)
        self._late(math.inf)
        return self.take(())

    def take(self, tracks: Iterable[Track]) -> list[Event]:
        """Take what tracking says, as ``feed`` does with that of its own tracker."""
        for track in tracks:
            self._track(track)
        said, self._out = self._out, []
        return said

    def _track(self, track: Track) -> None:
        self._late(track.t)
        match track:
            case Movement():
                self._movement(track)
            case Notice():
                self._notice(track)
            case RowChanged():
                self._row_changed(track)
            case Named():
                self._named(track)
            case Retracted():
                self._retracted(track)
            case Counted():
                self._counted(track)
            case Shown():
                self._shown(track)
            case Unverified():
                self._doubt(track.zone, track.t, track.reason)
            case Verified():
                self._trust(track.zone, track.t)

    def _say(
        self,
        type_: str,
        data: say.Payload,
        t: float,
        seat: Seat | None = None,
        *,
        action: act.Action | None = None,
        line: Line | None = None,
        committed_t: float | None = None,
        secret: dict[str, Any] | None = None,
    ) -> Event:
        deal = self._deal
        event = self._envelope.make(
            type_,
            data,
            t=t,
            deal=self._number or None,
            turn=None if deal is None else deal.turn,
            seat=seat,
            line=line,
            confidence=1.0 if action is None else action.confidence,
            basis=() if action is None else action.basis,
            committed_t=committed_t if action is None else action.committed_t,
            secret=secret,
        )
        self._out.append(event)
        return event

    # -- beginnings and ends -----------------------------------------------------------------------------------------

    def _start_deal(self, number: int, dealer: Seat, t: float) -> None:
        self._tell(self._referee.new_deal(number, t))
        self._number, self._this, self._pot_sign = number, _DealBook(), None
        self._deal = Deal.begin(self._book, number, dealer)
        self._say("deal.started", say.DealStarted(dealer=dealer, n=number), t)

    def _new_deal(self, console: Console) -> None:
        self._flush_score(console.t)
        given = console.fields.get("deal")
        number = given if isinstance(given, int) and not isinstance(given, bool) else self._number + 1
        dealer = seat_or_none(console.fields.get("dealer"))
        if dealer is None:
            dealer = Seat.NORTH if self._deal is None else self._deal.dealer.next
            self._ignored(f"the order 'deal' names no dealer: {dealer} is taken for him", console.t)
        self._start_deal(number, dealer, console.t)

    def _check(self, t: float, *, at_once: bool) -> None:
        """The deal check (arts. 4, 5, 7): made as soon as stock and pots are known, at the first draw at the latest."""
        deal, this = self._deal, self._this
        if deal is None or this.checked or (not at_once and not {STOCK, POTS} <= this.counts.keys()):
            return
        this.checked = True
        stock, pots = this.counts.get(STOCK), this.counts.get(POTS)
        due = {STOCK: self._book.stock_cards, POTS: self._book.pots * self._book.pot_cards}
        faults = tuple(
            say.DealFault(zone=zone, expected=due[zone], counted=count)
            for zone, count in ((STOCK, stock), (POTS, pots))
            if count is not None and count != due[zone]
        )
        self._deal = Deal.begin(self._book, deal.number, deal.dealer, stock, pots)
        checked = say.DealChecked(
            hands={str(seat): this.counts.get(hand(seat)) for seat in SEATS}, pots=pots, stock=stock, faults=faults
        )
        self._say("deal.checked", checked, t)
        if faults:
            whole = (due[STOCK] if stock is None else stock) + (due[POTS] if pots is None else pots)
            self._pack_fault("F-04d" if whole == sum(due.values()) else "F-05a", t)

    def _pack_fault(self, row: str, t: float) -> None:
        catalogue = CATALOGUES.get(self._book.name)
        if catalogue is None:
            return
        before = self._deal is None or self._deal.phase is Phase.DEALT
        fault = Irregularity(
            key="",
            row=catalogue.row(row),
            offender=None,
            cards=(),
            t=t,
            committed_t=t,
            found="before_play" if before else "later",
            basis=("scale",),
        )
        said = self._referee.report(fault)
        self._this.pack_fault = said.key
        self._tell([said])

    def _ended(self, t: float, seat: Seat | None, action: act.Action) -> None:
        deal = self._deal
        if deal is None or deal.manner is None or self._this.over:
            return
        self._this.over = True
        self._say(
            "deal.ended", say.DealEnded(manner=deal.manner), t, deal.closer or seat, committed_t=action.committed_t
        )

    def _score(self, t: float) -> None:
        deal, this = self._deal, self._this
        if deal is None or deal.phase is not Phase.OVER:
            return
        unverified = [line for line in LINES if f"melds-{line}" in self._unverified]
        count = count_deal(deal, this.shown, this.bonus, unverified)
        key = (count.lines, count.differences)
        if this.score_key == key:
            return
        this.score_key = key
        running = self._scores.enter(self._number, count)
        last = self._deals is not None and len(self._scores.totals) >= self._deals
        lines = {str(line): {**count.lines[line], "running": running[line]} for line in LINES}
        event = self._say(
            "score.counted",
            say.ScoreCounted(
                lines=lines,
                camera=count.camera,
                ledger=count.ledger,
                agrees=count.agrees,
                doubtful=count.doubtful,
                differences=count.differences,
                supersedes=this.score_id,
                match_points=self._scores.match_points() if last else None,
                victory_points=self._scores.victory_points() if last else None,
            ),
            t,
        )
        this.score_id = event.id

    def _flush_score(self, t: float) -> None:
        self._laid_out(t, 0)
        if self._this.over and self._this.score_id is None:
            self._score(t)

    # -- the arbitro and the players' signs --------------------------------------------------------------------------

    def _notice(self, notice: Notice) -> None:
        seen = notice.observation
        match seen:
            case Console():
                self._console(seen)
            case Button():
                self._button(seen)
            case Said():
                self._said(seen)
            case Shield():
                self._shield(seen)
            case Health():
                self._nodes[seen.node] = seen.state
                self._say("table.health", say.TableHealth(what=seen.node, state=seen.state, note=seen.note), seen.t)
            case Other() if seen.kind not in self._strange:
                self._strange.add(seen.kind)
                self._ignored(f"an observation of the unknown kind '{seen.kind}' was kept and not acted on", seen.t)

    def _console(self, console: Console) -> None:
        match console.do:
            case "start-round":
                self._start_round(console)
            case "deal":
                self._new_deal(console)
            case "start-play":
                self._this.started = True
                self._check(console.t, at_once=False)
            case "time-out":
                self._time_out(console.t)
            case "end-round":
                self._end_round(console.t)
            case "rule" | "dismiss" | "confirm" | "warn":
                self._tell(self._referee.order(console, self._deal))
            case "correct":
                self._correct(console)
            case "bonus":
                self._bonus(console)
            case _:
                self._ignored(f"the order '{console.do}' is not known", console.t)

    def _start_round(self, console: Console) -> None:
        deals, minutes = console.fields.get("deals"), console.fields.get("minutes")
        self._deals = deals if isinstance(deals, int) and not isinstance(deals, bool) else None
        if self._deals is None and isinstance(self._header.options.get("deals"), int):
            self._deals = self._header.options["deals"]
        self._scores = Scores(self._book, self._scores.teams, self._deals)
        self._referee.new_round()
        self._number, self._deal, self._this, self._running = 0, None, _DealBook(), True
        length = minutes if isinstance(minutes, int | float) and not isinstance(minutes, bool) else None
        self._say("round.started", say.RoundStarted(deals=self._deals, minutes=length), console.t)

    def _time_out(self, t: float) -> None:
        going = self._deal is not None and self._deal.phase is not Phase.OVER
        if self._deal is not None and going:
            self._deal = self._deal.time_out()
        self._say("round.timeout", say.RoundTimeout(last_turns=going), t)

    def _end_round(self, t: float) -> None:
        self._flush_score(t)
        self._say(
            "round.ended",
            say.RoundEnded(
                deals=len(self._scores.totals),
                match_points=self._scores.match_points(),
                victory_points=self._scores.victory_points(),
            ),
            t,
        )
        self._running = False

    def _correct(self, console: Console) -> None:
        zone, cards, row = (console.fields.get(name) for name in ("zone", "cards", "row"))
        deal = self._deal
        if deal is None or not isinstance(zone, str):
            self._ignored("a correction must name the zone, and a deal must be running", console.t)
            return
        if isinstance(cards, int) and not isinstance(cards, bool) and 0 <= cards <= deal.size:
            named: tuple[str, ...] = (UNKNOWN,) * cards
        elif isinstance(cards, list | tuple) and len(cards) <= deal.size:
            named = tuple(card_of(str(card)) for card in cards)
        else:
            self._ignored("a correction must list the cards of the zone", console.t)
            return
        line = zone_line(zone) if is_melds(zone) else None
        if line is None:
            self._deal = deal.correct(zone, named).trust(zone)
            return
        number = row if isinstance(row, int) else -1
        self._deal = deal.change(None, number, line, named)
        lies = self._deal.meld(number)
        if lies is not None:
            told = say.MeldChanged(meld=telling.meld(self._book, lies), why="corrected")
            self._say("meld.changed", told, console.t, line=line)

    def _bonus(self, console: Console) -> None:
        line, given = console.fields.get("line"), console.fields.get("points")
        if line not in ("NS", "EW") or not isinstance(given, int) or isinstance(given, bool):
            self._ignored("a bonus must name the line NS or EW and its points", console.t)
            return
        self._this.bonus[Line(line)] += given
        if self._this.score_id is not None:
            self._score(console.t)

    def _button(self, button: Button) -> None:
        if button.button == "referee":
            self._say("referee.called", say.RefereeCalled(), button.t, button.seat)
        elif button.button == "count":
            self._laid_out(button.t, self._spare())
            self._score(button.t)

    def _shield(self, shield: Shield) -> None:
        """A hand-shield turned over is the sign for a pot; right after the last discard, that a player has closed."""
        deal = self._deal
        if shield.pose != "over":
            return
        self._pot_sign = shield.seat
        if deal is not None and shield.seat is deal.last_out and 0 <= shield.t - deal.last_out_t <= _SIGN:
            self._laid_out(shield.t, self._spare())

    def _says_close(self, said: Said) -> None:
        """A player says that he closes: where his number of cards is not sure, his word settles it."""
        who = said.seat or (self._deal.actor(None) if self._deal is not None and self._deal.begun else None)
        if who is not None:
            self._this.closing = (who, said.t)
            self._settle(said.t)

    def _settle(self, t: float) -> None:
        """Whether who discarded last has said that he closes, just before or after it."""
        deal, said = self._deal, self._this.closing
        if deal is not None and said is not None and said[0] is deal.last_out and said[1] >= deal.last_out_t - _SIGN:
            self._laid_out(t, self._spare())

    def _spare(self) -> int:
        """How many cards too many the ledger may have for who discarded last: none where his number is sure."""
        deal = self._deal
        return 0 if deal is None or deal.last_out is None or deal.sure_of(deal.last_out) else _SPARE

    def _said(self, said: Said) -> None:
        deal = self._deal
        if said.what == "pot":
            self._pot_sign = said.seat or self._pot_sign
        elif said.what == "close":
            self._says_close(said)
        if deal is None or not said.what.startswith("card:"):
            return
        card = card_of(said.what.partition(":")[2])
        declared = act.Declare(
            t=said.t, committed_t=said.t, seat=said.seat, cards=() if card == UNKNOWN else (card,), basis=("said",)
        )
        self._tell(self._referee.judge(deal, declared, (), deal))

    def _ignored(self, note: str, t: float) -> None:
        self._say("table.health", say.TableHealth(what="order", state="ignored", note=note), t)

    # -- play --------------------------------------------------------------------------------------------------------

    def _movement(self, move: Movement) -> None:
        if self._deal is None and not self._suppose_deal(move):
            return
        deal = self._deal
        if deal is not None:
            for one in self._this.turn_up.sift(move, deal):
                self._play(one)

    def _late(self, t: float) -> None:
        """Play what was held back as a turn-up and has turned out to be none by ``t``."""
        for move in self._this.turn_up.late(t):
            self._play(move)

    def _play(self, move: Movement) -> None:
        deal = self._deal
        if deal is None:
            return
        owing = self._referee.sanctions.owing("return-to-stock")
        actions = Reader(deal, self._referee.returning, self._pot_sign, owing).read(move)
        actions = tuple(map(self._as_ordered, actions))
        if not actions:
            return
        played = _Played(move.id, deal, actions)
        self._this.played.append(played)
        for action in actions:
            event = self._act(action)
            played.event = played.event or event

    def _as_ordered(self, action: act.Action) -> act.Action:
        """Cards that a ruling has told to take back are taken back, not misread."""
        if isinstance(action, act.TakeBack) and self._referee.sanctions.carries_out(action):
            return replace(action, ordered=True)
        return action

    def _suppose_deal(self, move: Movement) -> bool:
        """Cards are played although no deal was announced: who turns up a card is the dealer, who draws plays first."""
        if move.source != STOCK or self._number:
            return False
        seat = move.seat or seat_or_none((move.target or "")[-1:])
        turned = move.target == DISCARD
        dealer = Seat.WEST if seat is None else seat if turned else seat.previous
        counts = self._this.counts
        self._start_deal(self._number + 1, dealer, move.t)
        self._this.counts = counts
        return True

    def _act(self, action: act.Action) -> str | None:
        """Apply one action and say what it is; the id of the event that names its cards."""
        self._check(action.t, at_once=not isinstance(action, act.TurnUp) or self._this.started)
        before = self._deal
        if before is None:
            return None
        faults = verify(before, action)
        self._this.early.clear()
        after = self._deal = apply(before, action)
        if after.turn != before.turn:
            began = after.last_out if isinstance(action, act.Discard) and not after.begun else after.to_play
            self._say("turn.started", say.TurnStarted(), action.t, began, committed_t=action.committed_t)
        event = self._tell_action(action, before, after)
        if before.phase is Phase.DEALT and after.phase is not Phase.DEALT and self._this.pack_fault:
            self._pack_fault_in_play(action.t)
        self._tell(self._referee.judge(before, action, faults, after))
        self._ended(action.t, action.seat, action)
        if isinstance(action, act.Discard):
            self._settle(action.t)
        return event

    def _pack_fault_in_play(self, t: float) -> None:
        """Play has begun on a pack that was found wrong: art. 5 rules otherwise from the first draw on."""
        key = self._this.pack_fault or ""
        now = {"F-05a": "F-05b", "F-04d": "F-04f"}
        for one in self._referee.open:
            if one.key == key and one.row.id in now:
                changed = self._referee.change(key, now[one.row.id], t)
                self._tell([changed] if changed else [])

    def _tell_action(self, action: act.Action, before: Deal, after: Deal) -> str | None:
        said = telling.acted(action, before, after)
        if said is None:
            return None
        type_, data, secret = said
        return self._say(type_, data, action.t, action.seat, action=action, secret=secret).id

    # -- what the referee says ---------------------------------------------------------------------------------------

    def _tell(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            match finding:
                case Irregularity():
                    self._tell_irregularity(finding)
                case SanctionSaid(what=what, sanction=one, t=t, committed_t=committed, reason=reason):
                    secret = None if one.seen else telling.secret_cards(one.cards)
                    data = telling.sanction(one, reason)
                    self._say(f"sanction.{what}", data, t, one.who, committed_t=committed, secret=secret)
                case Froze(row=row, how=how, t=t):
                    self._froze(row, how, t)
                case Forgiven(seat=seat):
                    if self._deal is not None:
                        self._deal = self._deal.forgive(seat)
                case Warned(line=line, count=count, row=row_name, t=t):
                    data_ = say.WarningGiven(line=line, count=count, row=row_name)
                    self._say("warning.given", data_, t, line=line)
                case Ignored(note=note, t=t):
                    self._ignored(note, t)

    def _tell_irregularity(self, one: Irregularity) -> None:
        deal = self._deal
        event = self._envelope.make(
            "irregularity",
            telling.irregularity(one),
            t=one.t,
            deal=self._number or None,
            turn=None if deal is None else deal.turn,
            seat=one.offender,
            confidence=one.confidence,
            basis=one.basis,
            committed_t=one.committed_t,
            secret=None if one.seen else telling.secret_cards(one.cards),
        )
        self._out.append(event)

    def _froze(self, row: int, how: str, t: float) -> None:
        if self._deal is None or self._deal.meld(row) is None or how not in ("none", "temporary", "definitive"):
            return
        self._deal = self._deal.freeze(row, how)  # type: ignore[arg-type]
        lies = self._deal.meld(row)
        if lies is not None:
            data = say.MeldChanged(meld=telling.meld(self._book, lies), why="thawed" if how == "none" else "frozen")
            self._say("meld.changed", data, t, line=lies.line)

    # -- better knowledge --------------------------------------------------------------------------------------------

    def _row_changed(self, change: RowChanged) -> None:
        deal = self._deal
        if deal is None:
            return
        actions = read_row(change, deal)
        self._this.played.append(_Played(change.id, deal, actions))
        for action in actions:
            self._act(action)

    def _named(self, named: Named) -> None:
        self._this.turn_up.named(named)
        at = self._played_at(named.movement)
        if at is None or self._deal is None:
            return
        played, cards = self._this.played[at], tuple(map(card_of, named.cards))
        for action in played.actions:
            if isinstance(action, act.Open | act.Extend) and len(cards) > len(action.cards):
                self._lengthen(action, cards, at, named.t)
            else:
                self._rename(action, cards, named, played)

    def _played_at(self, movement: int) -> int | None:
        played = self._this.played
        return next((n for n in range(len(played) - 1, -1, -1) if played[n].movement == movement), None)

    def _lengthen(self, action: act.Open | act.Extend, cards: tuple[str, ...], at: int, t: float) -> None:
        """More cards were laid than were seen at first: all of them came from the hand that laid the others."""
        if self._this.over:
            return
        since = (one for later in self._this.played[at + 1 :] for one in later.actions)
        reads = (one.result for one in since if isinstance(one, act.Change) and one.row == action.row)
        told = next((result for result in reads if len(result) > len(action.result)), ())
        more = newcomers(action.cards, cards)
        longer = replace(action, cards=cards, result=told or ((*action.result, *more) if action.result else ()))
        played = self._this.played[at]
        played.actions = tuple(longer if one is action else one for one in played.actions)
        self._replay(at, played.before, t)

    def _replay(self, at: int, deal: Deal, t: float) -> None:
        """Play again from ``deal`` what has been played from ``at`` on; an end that comes of it is told."""
        for later in self._this.played[at:]:
            later.before = deal
            for action in later.actions:
                deal = apply(deal, action)
        after = self._deal = deal if self._deal is None else _with_orders_of(self._deal, deal)
        if after.phase is Phase.OVER:
            self._ended(t, after.closer, act.Discard(t=t, committed_t=after.last_out_t, seat=after.closer))

    def _rename(self, action: act.Action, cards: tuple[str, ...], named: Named, played: _Played) -> None:
        deal, place = self._deal, _goal(action)
        if deal is None or len(cards) != len(action.cards) or cards == action.cards:
            return
        if place is None:
            place = hand(played.before.actor(action.seat))
        for old, new in zip(action.cards, cards, strict=True):
            if old != new and face(new) != UNKNOWN:
                deal = deal.rename(place, old, new)
        self._deal = deal
        fresh = replace(action, cards=cards)
        played.actions = tuple(fresh if one is action else one for one in played.actions)
        hidden = isinstance(action, act.Draw | act.ReturnToStock | act.TakePot | act.ReturnToPot)
        if played.event is not None:
            shown = telling.veiled(cards) if hidden else telling.public(cards, named.basis)
            secret = telling.secret_cards(cards) if hidden else None
            self._say("card.named", say.CardNamed(event=played.event, cards=shown), named.t, action.seat, secret=secret)
        self._tell(self._referee.rename(named.movement, cards, named.t))

    def _retracted(self, retracted: Retracted) -> None:
        self._this.turn_up.retracted(retracted)
        at = next((n for n, one in enumerate(self._this.played) if one.movement == retracted.movement), None)
        if at is None:
            return
        gone = self._this.played.pop(at)
        self._replay(at, gone.before, retracted.t)
        if gone.event is not None:
            self._say("event.retracted", say.EventRetracted(event=gone.event, note=retracted.reason), retracted.t)
        self._tell(self._referee.retract(retracted.movement, retracted.t))

    def _counted(self, counted: Counted) -> None:
        deal, this = self._deal, self._this
        if deal is None or not this.checked:
            if counted.cards is not None:
                this.counts[counted.zone] = counted.cards
            if this.started:
                self._check(counted.t, at_once=False)
            return
        held = {STOCK: deal.stock, DISCARD: len(deal.pile), POTS: sum(len(deal.at(place)) for place in deal.pots_left)}
        if counted.zone not in held or deal.phase is Phase.OVER:
            return
        if counted.cards is None or counted.cards != held[counted.zone]:
            self._late_count(counted, deal)
        else:
            self._trust(counted.zone, counted.t)

    def _late_count(self, counted: Counted, deal: Deal) -> None:
        """The scale disagrees with the ledger: the zone is unverified; a stock never counted before may be short."""
        self._doubt(counted.zone, counted.t, "the scale and the ledger of play differ")
        if counted.zone == STOCK and counted.cards is not None and self._this.counts.get(STOCK) is None:
            self._this.counts[STOCK] = counted.cards
            self._deal = deal.correct(STOCK, (UNKNOWN,) * counted.cards)
            self._pack_fault("F-05b", counted.t)

    def _doubt(self, zone: str, t: float, reason: str) -> None:
        known = self._unverified.get(zone)
        self._unverified[zone] = reason
        if self._deal is not None:
            self._deal = self._deal.doubt(zone)
            if zone in (STOCK, DISCARD):
                self._deal = self._deal.lose_turn()
        if known is None:
            self._say("table.health", say.TableHealth(what=zone, state="unverified", note=reason), t)

    def _trust(self, zone: str, t: float) -> None:
        if self._deal is not None:
            self._deal = self._deal.trust(zone)
        if self._unverified.pop(zone, None) is not None:
            self._say("table.health", say.TableHealth(what=zone, state="verified"), t)

    def _shown(self, shown: Shown) -> None:
        deal, this = self._deal, self._this
        if this.over:
            this.shown[shown.seat] = tuple(map(card_of, shown.cards))
            if this.score_id is not None:
                self._score(shown.t)
        elif deal is not None and not deal.begun and shown.committed_t > deal.last_out_t:
            this.early[shown.seat] = tuple(map(card_of, shown.cards))
            out = deal.last_out
            if out is not None and not this.early.get(out) and sum(map(bool, this.early.values())) >= _LAID_OUT:
                self._laid_out(shown.t, _SPARE)

    def _laid_out(self, t: float, spare: int) -> None:
        """The hands are laid out for the count: a closing that the ledger could not be sure of has taken place."""
        deal = self._deal
        if deal is None or self._this.over:
            return
        after = self._deal = deal.end_by_showing(spare)
        if after.phase is Phase.OVER:
            self._this.shown.update(self._this.early)
            closed = act.Discard(t=t, committed_t=after.last_out_t, seat=after.closer)
            self._ended(t, after.closer, closed)

    # -- the public table --------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The public table for the topic ``state``: nothing in it that did not lie face up for all to see."""
        deal = self._deal
        common = {
            "table": self._header.table,
            "rules": self._book.name,
            "seats": dict(self._header.seats),
            "round": {"running": self._running, "deals": self._deals},
            "score": self._score_state(),
            "warnings": {str(line): count for line, count in self._referee.warnings.items()},
            "irregularities": [
                telling.irregularity(one).model_dump(mode="json", by_alias=True) for one in self._referee.open
            ],
            "sanctions": [
                telling.sanction(one).model_dump(mode="json", by_alias=True) for one in self._referee.sanctions.in_force
            ],
            "unverified": dict(self._unverified),
            "nodes": dict(self._nodes),
        }
        if deal is None:
            return {**common, "deal": None}
        shown = {line: [m for m in deal.melds if m.line is line] for line in LINES}
        return {
            **common,
            "deal": deal.number,
            "dealer": deal.dealer,
            "phase": str(deal.phase),
            "manner": deal.manner,
            "turn": {"n": deal.turn, "seat": deal.to_play, "begun": deal.begun, "drawn": deal.drawn},
            "hands": telling.hand_counts(deal),
            "stock": deal.stock,
            "pile": list(telling.public(deal.pile, ())),
            "pots": {"left": len(deal.pots_left), "taken": {str(line): p.seat for line, p in deal.pots_taken.items()}},
            "melds": {
                str(line): [telling.meld(self._book, m).model_dump(mode="json", by_alias=True) for m in rows]
                for line, rows in shown.items()
            },
            "sides": {
                str(seat): list(telling.public(deal.at(side(seat)), ())) for seat in SEATS if deal.at(side(seat))
            },
        }

    def _score_state(self) -> dict[str, Any]:
        return {
            "running": {str(line): total for line, total in self._scores.running.items()},
            "deals": {
                str(number): {str(line): total for line, total in totals.items()}
                for number, totals in self._scores.totals.items()
            },
        }

    @property
    def deal(self) -> Deal | None:
        """The deal as it stands, hidden cards and all; None before the first."""
        return self._deal


def _with_orders_of(old: Deal, deal: Deal) -> Deal:
    """``deal``, played through again, with what was ruled and what was doubted in ``old``."""
    frozen = {meld.row: meld.frozen for meld in old.melds}
    left = deal.dealer_discards_left
    return replace(
        deal,
        melds=tuple(replace(meld, frozen=frozen.get(meld.row, meld.frozen)) for meld in deal.melds),
        out=tuple(seat for seat in deal.out if seat in old.out),
        dealer_discards_left=old.dealer_discards_left if left is None else left,
        places=replace(
            deal.places,
            unverified=(
                *(zone for zone in old.places.unverified if not zone.startswith("hand-")),
                *(zone for zone in deal.places.unverified if zone.startswith("hand-")),
            ),
        ),
    )


def _goal(action: act.Action) -> str | None:
    """Where an action's cards come to lie; None: in the hand of who acts."""
    match action:
        case act.TurnUp() | act.Discard() | act.ReturnToPile():
            return DISCARD
        case act.ReturnToStock():
            return STOCK
        case act.Open(row=row) | act.Extend(row=row):
            return f"row-{row}"
        case act.Expose():
            return "table"
        case act.Penalise(zone=zone):
            return zone
    return None
