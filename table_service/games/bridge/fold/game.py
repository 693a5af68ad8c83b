"""Bridge behind screens at one table, behind the seam that every game has (``table_service.table.game_protocol``)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hw.cards import BRIDGE, face
from hw.equipment import BRIDGE_TABLE
from hw.observation_log import Header
from hw.observations import Button, Said, Sight
from hw.seats import Seat
from hw.zones import played, side, zone_seat
from table_service.events import payloads as say
from table_service.events.envelope import REPLAY_BOOT
from table_service.events.orders import DecisionOrder, Order, Warn
from table_service.games.bridge.codes.figb2010 import CATALOGUE
from table_service.games.bridge.fold.board_state import Board
from table_service.games.bridge.fold.charges import Charge, Rests, behind_screens, charges
from table_service.games.bridge.fold.counting import board_count
from table_service.games.bridge.fold.course import BoardCourse
from table_service.games.bridge.fold.event_writer import Teller
from table_service.games.bridge.fold.heard import (
    Agreed,
    Attention,
    ClaimStated,
    FoldAct,
    PenaltyCardsSet,
    ResultStated,
    Ruled,
    TrickCorrected,
)
from table_service.games.bridge.fold.public_state import board_state
from table_service.games.bridge.fold.reporting import Reporter, sealed_charges
from table_service.games.bridge.fold.ruled_duties import charges_of_duties
from table_service.games.bridge.fold.ruled_questions import charges_of_questions
from table_service.games.bridge.fold.session_boards import SessionBoards
from table_service.games.bridge.fold.veil import known_end
from table_service.games.bridge.judges.sides import side_of
from table_service.games.bridge.judges.tray import TrayAuction
from table_service.games.bridge.orders import ORDERS, CorrectBoard, StartBoard, StartRoundOfBoards
from table_service.games.bridge.pbn.check import records_of
from table_service.games.bridge.reading import BoardReader
from table_service.games.bridge.referee import Referee
from table_service.games.bridge.rules.contract import TRICKS, board_vulnerable
from table_service.games.bridge.rules.score import SHEET
from table_service.referee.round_options import mark_of, opening
from table_service.referee.values import Irregularity
from table_service.table.game_fold import GameFold
from table_service.table.game_protocol import Beginning, DealEnd, NoDoubts, Now, Revision, Sensed, Signal
from table_service.table.round_state import CodeFacts
from table_service.table.table_parts import TableParts, open_table
from table_service.tracking.movements import Movement

LOOKS_S: Final = 0.5
"""At least so often a board is looked at for what shows itself by waiting."""
CARD_G: Final = 1.8
_CLAIMS: Final = ("claim", "concede")
_BOARD: Final = "board:"
_WORDS: Final = frozenset({*_CLAIMS, "result", "board"})
_NO_POINTS: Final = (
    "no norm gives points of a board to a line: penalties are victory points, IMPs or per cent of a top, and are"
    " entered at the console with the adjusted scores"
)
_CORRECTIONS: Final = (
    "a correction names the zone result with tricks from 0 to 13, a side-SEAT with its penalty cards, or a played-SEAT"
    " with the number n of a trick that was played to and its one card"
)


@dataclass(slots=True)
class Running:
    """The board that runs. ``ended``: its end was told; ``closed``: nothing more can come of it."""

    number: int
    course: BoardCourse
    ended: bool = False
    closed: bool = False
    found: tuple[Charge, ...] = ()
    looked: float = -math.inf
    borne_out: set[tuple[object, ...]] = field(default_factory=set)

    @property
    def board(self) -> Board:
        """The board as it stands."""
        return self.course.board

    @property
    def is_over(self) -> bool:
        """True if what the screens have hidden may be told."""
        return self.closed or self.board.is_over


class BridgeGame:
    """One table of bridge (``table.game_protocol.Game``). What moves is read from pictures and contacts."""

    def __init__(self, table: TableParts, referee: Referee) -> None:
        self._table = table
        self._referee = referee
        self.doubts = NoDoubts()
        self.running: Running | None = None
        self._reader = BoardReader(None, self._grams)
        self._teller = Teller(table)
        self._reporter = Reporter(table, referee)
        self._boards = SessionBoards(table)

    @property
    def _grams(self) -> float:
        return self._table.header.card_grams or CARD_G

    @property
    def referee(self) -> Referee:
        """Its referee."""
        return self._referee

    @property
    def in_play(self) -> bool:
        """True if a board has begun and is not over."""
        return self.running is not None and not self.running.is_over

    # -- what it is told -----------------------------------------------------------------------------------------------

    def begin(self, beginning: Beginning) -> None:
        """Begin a round, or a board of it."""
        self._teller.begin()
        self._reporter.begin()
        number, dealer = beginning.number, beginning.dealer
        if isinstance(beginning.order, StartRoundOfBoards):
            self._boards.round_begins(beginning.order)
        if number is None or dealer is None:
            self.running = None
            return
        self._reader = self._reader.for_next_board(side_of(dealer))
        start = Board(dealer, beginning.t, TrayAuction(dealer))
        if isinstance(beginning.order, StartBoard):
            start = _placed(start, beginning.order)
            start = replace(start, is_elsewhere=self._boards.is_elsewhere(start.number))
            self._boards.placed(number, start.number)
            self._teller.placed(start, beginning.t)
        self.running = Running(number, BoardCourse.begun(start))
        if start.is_elsewhere:
            self._tell(self.running, beginning.t)

    def moved(self, move: Movement) -> None:
        """Do nothing: a card is where pictures show it (``reading``)."""

    def revised(self, revision: Revision) -> None:
        """Do nothing, as ``moved``."""

    def signalled(self, signal: Signal) -> None:
        """Take a button, or something that a person has said."""
        running = self.running
        if isinstance(signal, Said) and signal.what.startswith(_BOARD):
            self._named(signal.what.removeprefix(_BOARD))
        if running is None:
            return
        match signal:
            case Button(button="referee", t=t):
                self._take([Attention(t)], t)
                waiting = (*behind_screens(running.board), *charges_of_duties(running.board, is_over=False))
                self._teller.sealed(running.board, sealed_charges(one for one in waiting if one.told != "both"), t)
            case Button(button="ready", seat=seat, t=t):
                self._agrees(seat, t)
            case Button(button="count", t=t) if running.is_over:
                self._count(running, t)
            case Said(seat=seat, what=what, t=t):
                self._take(_stated(seat, what, t), t)

    def _named(self, word: str) -> None:
        """Begin the board that a player names as lying there, unless one is being played."""
        running = self.running
        if running is None or running.is_over:
            self._boards.named(word)
        elif not running.course.acts:
            self._boards.named(word, running.number)

    def _agrees(self, seat: Seat, t: float) -> None:
        """Record that a player agrees: with the reported score, or with the result that was stated before it."""
        event = self._table.sheets.score
        if event is None:
            self._take([Agreed(t, seat)], t)
        else:
            self._table.sheets.hear(Said(t, seat, f"sheet-ok:{seat.line}:{event}"))

    def ordered(self, order: Order) -> None:
        """Apply what the arbitro has ruled, or his word of how something is."""
        running = self.running
        if isinstance(order, DecisionOrder | Warn):
            board = None if running is None else running.board
            findings = self._referee.order(order, board, self._table.voice.chain)
            self._table.reporting.tell_all(findings)
            ruled = [one for one in findings if isinstance(one, Irregularity) and one.state == "ruled"]
            if running is not None:
                self._take([Ruled(order.t, one.row.id, one.offender, one.option) for one in ruled], order.t)
        elif isinstance(order, CorrectBoard):
            self._correct(running, order)
        if running is not None and self._table.sheets.score is not None:
            self._count(running, order.t)

    def _correct(self, running: Running | None, order: CorrectBoard) -> None:
        """Correct the result, a player's penalty cards, or his card in a trick, as the arbitro says."""
        zone, tricks, cards, t = order.zone, order.tricks, order.cards, order.t
        seat = zone_seat(zone)
        if running is None:
            self._table.voice.ignored("a correction needs a board that is being played", t)
        elif zone == "result" and not _has_known_contract(running):
            self._table.voice.ignored("a result needs a contract: the auction of this board has made none yet", t)
        elif zone == "result" and tricks is not None:
            self._take([ResultStated(t, tricks, by_arbitro=True)], t)
        elif seat is not None and zone == side(seat) and isinstance(cards, tuple):
            self._take([PenaltyCardsSet(t, seat, cards)], t)
        elif (act := _of_trick(running.board, order)) is not None:
            self._take([act], t)
        else:
            self._table.voice.ignored(_CORRECTIONS, t)

    def at(self, now: Now) -> None:
        """Report what becomes certain by waiting: a card out of turn that is still one."""
        running = self.running
        if running is None or now.t < running.looked + LOOKS_S:
            return
        t = now.t if math.isfinite(now.t) else self._table.voice.latest
        running.looked = t
        self._take(self._reader.wait(t), t)
        if self._teller.waits:
            self._tell(running, t)
        if any(charge.settles > 0 or charge.key not in running.borne_out for charge in running.found):
            self._reconcile(running, t)

    def sensed(self, sensed: Sensed) -> None:
        """Read what sensors show."""
        seen, running = sensed.observation, self.running
        acts = self._reader.feed(seen)
        if isinstance(seen, Sight):
            self._boards.look(seen)
        if running is None or running.closed:
            return
        if running.is_over:
            self._boards.at(seen.t, running.number)
        if acts:
            self._take(acts, seen.t)

    def end(self, end: DealEnd) -> None:
        """Close the board, to which nothing more can come: report what the screens hid, count it if not counted."""
        running = self.running
        if running is None or end.following == running.number or running.closed:
            return
        running.closed = True
        self._tell(running, end.t)
        if self._table.sheets.score is None:
            self._count(running, end.t)

    def state(self) -> dict[str, Any]:
        """Return what anybody may know of the board that runs."""
        running = self.running
        after: dict[str, Any] = {"next_board": self._boards.next} if self._boards.numbers else {}
        if running is None:
            return {"game": "bridge", "deal": None, **after}
        turn, where = self._table.voice.turn, self._reader.tray.side
        return {**board_state(running.number, running.board, where, turn, is_over=running.is_over), **after}

    # -- what follows --------------------------------------------------------------------------------------------------

    def _take(self, told: Sequence[FoldAct], t: float) -> None:
        running = self.running
        if running is None or not told:
            return
        running.course.apply(told)
        self._tell(running, t)

    def _tell(self, running: Running, t: float) -> None:
        board = running.board
        moment = self._teller.tell(board, t, is_over=running.is_over, is_sure=self._reader.tray.is_sure)
        found = charges(board, is_over=running.is_over)
        asked = charges_of_questions(board) if running.is_over else ()
        running.found = (*found, *charges_of_duties(board, is_over=running.is_over), *asked)
        self._reconcile(running, t if moment is None else moment, is_public=moment is not None or running.is_over)
        if board.is_over and not running.ended:
            running.ended = True
            manner = "passed" if board.is_passed_out else "played"
            self._table.voice.say("deal.ended", say.DealEnded(manner=manner), t)
        if running.ended:
            self._count(running, t)

    def _reconcile(self, running: Running, t: float, *, is_public: bool = False) -> None:
        """Report the charges that are borne out; of those about calls only where the auction ``is_public`` just now.

        Else the moment of an accusation would tell when pictures of the tray were taken, and so when somebody calls.
        """
        may_be_told = (one for one in running.found if is_public or not one.rests.calls)
        running.borne_out |= {one.key for one in may_be_told if self._is_borne_out(one.rests)}
        self._reporter.reconcile(
            [replace(one, confidence=self._surety(one)) for one in running.found],
            t,
            borne_out=running.borne_out,
            is_over=running.is_over,
            is_closed=running.closed,
        )

    def _surety(self, charge: Charge) -> float:
        """Confidence of the worst-read basis of ``charge``, at its best: many looks prove no single reading."""
        named = {(seat, call) for seat, call, _ in charge.rests.calls}
        cards = {card for _, card in charge.rests.cards} | {*charge.cards, *charge.rests.both}
        surety = self._reader.surety
        return min([surety(seat, call) for seat, call in named] + [surety(None, card) for card in cards], default=1.0)

    def _is_borne_out(self, rests: Rests) -> bool:
        """Return True if pictures have shown often enough what a player is accused by."""
        cards = self._reader.cards
        if rests.idle is not None and not cards.is_idle_since(rests.idle, rests.since):
            return False
        if rests.together is not None and not cards.lay_together(*rests.together):
            return False
        if not all(self._reader.tray.is_sure(seat, call, nth) for seat, call, nth in rests.calls):
            return False
        return all(cards.is_sure(seat, card) for seat, card in rests.cards)

    def _count(self, running: Running, t: float) -> None:
        """Tell the score: by the cards, with what open and ruled revokes do to it."""
        revokes = [(one, one.revoke) for one in running.found if one.revoke is not None]
        open_ = {revoke for one, revoke in revokes if self._is_undecided(one)}
        free = {
            revoke
            for one, revoke in revokes
            if self._reporter.state_of(one) == "dismissed" or self._reporter.option_of(one) == "corrected"
        }
        calls = [one for one in running.found if one.key[0] == "call" and not one.is_mended]
        waits = any(CATALOGUE.row(one.row).severity != "note" and self._is_undecided(one) for one in calls)
        count = board_count(running.board, open_=open_, taken_off=free, is_auction_open=waits)
        self._table.sheets.count(count, t)

    def _is_undecided(self, charge: Charge) -> bool:
        return self._reporter.state_of(charge) in (None, "open")


def _has_known_contract(running: Running) -> bool:
    """Return True if all four know the contract: an answer that needs less would tell of a pass behind the screen."""
    board = running.board
    return board.play is not None and (board.is_revealed or known_end(board, is_over=running.is_over) is not None)


def _of_trick(board: Board, order: CorrectBoard) -> TrickCorrected | None:
    """Return the correction of one card of a trick; None if ``order`` names no card, player or trick of this board."""
    number, cards, seat = order.n, order.cards, zone_seat(order.zone)
    if seat is None or order.zone != played(seat) or not isinstance(cards, tuple) or len(cards) != 1:
        return None
    if board.play is None or number is None:
        return None
    card = face(cards[0])
    is_there = 1 <= number <= len(board.play.tricks)
    return TrickCorrected(order.t, number, seat, card) if is_there and card in BRIDGE.copies else None


def _stated(seat: Seat | None, what: str, t: float) -> list[FoldAct]:
    """Return what a person has said: ``claim`` or ``concede``, with or without tricks, or ``result:9``."""
    word, _, rest = what.partition(":")
    found: list[FoldAct] = []
    if word in _CLAIMS and seat is not None:
        found.append(ClaimStated(t, seat))
    if word in ("claim", "result") and rest.isascii() and rest.isdigit() and int(rest) <= TRICKS:
        found.append(ResultStated(t, int(rest)))
    return found


def _placed(start: Board, order: StartBoard) -> Board:
    """Return the board as the order that begins it names it; the rest is what the record or its number say."""
    number, vulnerable = order.board, order.vulnerable
    told = None if order.record is None else next(iter(records_of(order.record)), None)
    if vulnerable is None and told is not None:
        vulnerable = told.vulnerable
    if vulnerable is None and number is not None:
        vulnerable = board_vulnerable(number)
    hands = dict(told.hands) if told is not None and told.deal == "ok" else None
    return replace(start, number=number, vulnerable=vulnerable, record=hands)


def open_fold(header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> GameFold[BridgeGame]:
    """Open the fold of one table of bridge."""
    referee = Referee(opening(header, CATALOGUE.tournament, {}), mark=mark_of(header))
    rules = CodeFacts(BRIDGE_TABLE, SHEET, CATALOGUE.tournament, no_points=_NO_POINTS, words=_WORDS, orders=ORDERS)
    table = open_table(header, rules, referee, boot, first)
    return GameFold(table, BridgeGame(table, referee))


__all__ = ["BridgeGame", "open_fold"]
