"""A round as a script: boards are taken out, called behind the screens, played, counted and put back.

Pure but for the ``random.Random`` that it is given: the same seed makes the same script.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hw.cards import BRIDGE
from hw.equipment import BRIDGE_TABLE
from hw.layout import BRIDGE_LAYOUT
from hw.seats import CLOCKWISE, LINES, SEATS, Seat
from hw.twin.gestures import ClearTable, ConsoleGesture, LayOut, Press, Say, SetTable, TakeHeap
from hw.twin.screen_gestures import ClearTray, CloseAperture, ReturnHand
from hw.twin.twin_table import TableKind
from hw.twin.world import ImpossibleGesture, boxed
from hw.zones import board as pocket
from hw.zones import side
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.sides import side_of
from table_service.games.bridge.rehearsal.faults import KINDS, BoardFault, BoardMoment, rules
from table_service.games.bridge.rehearsal.table_board import COPIES, ScriptBoard, pockets
from table_service.games.bridge.rules.auction import Auction
from table_service.games.bridge.rules.contract import TRICKS, Contract, board_dealer, board_vulnerable, is_vulnerable
from table_service.games.bridge.rules.score import SHEET, BoardScore, score
from table_service.rehearsal.game_rehearsal import Randoms, Unstageable, refuse_unknown
from table_service.rehearsal.script import Script, ScriptDealEnd

HABITS: Final = ("tidy", "lively")
"""How people handle the table: ``lively`` ones have each their own pace, call the arbitro, state results."""
TRIES: Final = 60
"""So many boards are played in search of one in which a fault can happen."""
NUMBERS: Final = (1, 16)
PACES: Final = (0.75, 0.95)
RECORDED: Final = 0.5
"""How many boards have a record of their deal."""
STATES: Final = 0.5
"""How often declarer states the result."""
CALLS_ARBITRO: Final = 0.03
"""How often a player calls the arbitro after a trick, for something that no sensor tells."""
CLAIMS: Final = 0.08
"""How often declarer claims the rest where he may."""
CLAIMED_FROM: Final = 7 * len(SEATS)
"""Nobody claims before so many cards are played."""
ORDER: Final = "AKQJT98765432"


def record_of(hands: dict[Seat, tuple[str, ...]]) -> str:
    """Return the PBN record of a deal.

    >>> record_of({seat: tuple(rank + suit for rank in ORDER) for seat, suit in zip(SEATS, "SHDC")}).splitlines()[0]
    '[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]'
    """
    fans = [
        ".".join("".join(rank for rank in ORDER if rank + suit in hands[seat]) for suit in "SHDC") for seat in SEATS
    ]
    return f'[Deal "{SEATS[0]}:{" ".join(fans)}"]\n'


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands of a board, and who deals."""

    hands: dict[Seat, tuple[str, ...]]
    dealer: Seat


class Director:
    """Writes the script of one round; every fault of ``rows`` happens in one of the boards, evenly spread."""

    def __init__(self, randoms: Randoms, deals: int, rows: Sequence[str], habits: str) -> None:
        self.randoms, self.deals, self.rows = randoms, deals, list(rows)
        self.lively = habits == "lively"
        self.script = Script(boxed(BRIDGE.cards(), TableKind(BRIDGE_TABLE, BRIDGE_LAYOUT)))
        people = randoms(1, -2)
        pace = people.uniform(*PACES)
        self.script.paces = {seat: people.uniform(*PACES) if self.lively else pace for seat in SEATS}
        self.running = {str(line): 0 for line in LINES}
        self.faults: list[BoardFault] = []

    def round(self) -> Script:
        """Return the whole round. Raises Unstageable."""
        self.script.do(ConsoleGesture("start-round", fields={"deals": self.deals}))
        for place, number in enumerate(self._numbers(), start=1):
            self._fitting_board(place, number)
        self.script.do(ConsoleGesture("end-round"))
        self.script.wait(3.0)
        return self.script

    # -- what players make up, and a record tells instead ------------------------------------------------------------

    def _numbers(self) -> list[int]:
        """Return the numbers of the boards."""
        first = self.randoms(1, -1).randint(*NUMBERS)
        return [(first + place - 2) % NUMBERS[1] + 1 for place in range(1, self.deals + 1)]

    def _deal_of(self, place: int, number: int, rng: Any) -> Dealt:  # noqa: ARG002
        faces = sorted(BRIDGE.copies)
        rng.shuffle(faces)
        hands = {seat: tuple(sorted(faces[13 * n : 13 * n + 13])) for n, seat in enumerate(SEATS)}
        return Dealt(hands, board_dealer(number))

    def _call_of(self, board: ScriptBoard, seat: Seat) -> str:
        return board.sensible(seat)

    def _card_of(self, board: ScriptBoard) -> str:
        """Return the card that the hand whose turn it is plays."""
        return str(board.rng.choice(board.allowed(board.turn)))

    def _claims_now(self, board: ScriptBoard) -> bool:
        """Return True if declarer claims the rest now."""
        return self.lively and self._may_claim(board) and board.rng.random() < CLAIMS

    def _claimed(self, board: ScriptBoard, won: int) -> int:
        """Return declarer's tricks as he claims them; ``won``: those that he has."""
        left = TRICKS - (0 if board.play is None else board.play.count)
        return won + int(board.rng.randint(max(0, left - 2), left))

    def _fitting_board(self, place: int, number: int) -> None:
        share = -(-len(self.rows) // (self.deals - place + 1))
        due = self.rows[:share]
        start, running = self.script.mark(), dict(self.running)
        for attempt in range(TRIES):
            rng = self.randoms(place, attempt)
            self.faults = [BoardFault(KINDS[row], rng.randint(*KINDS[row].when)) for row in due]
            try:
                self._play(self._dealt(place, number, rng))
            except ImpossibleGesture:
                if not due:
                    raise
            else:
                staged = {one.row for one in self.script.injected[start.injected :]}
                if not self.faults and staged >= {KINDS[row].row for row in due}:
                    del self.rows[:share]
                    return
            self.script.back_to(start)
            self.running = dict(running)
        raise Unstageable(due, place, self.deals)

    def offer(self, moment: BoardMoment, board: ScriptBoard, seat: Seat) -> bool:
        """Let a fault happen now where one is due; whether one did."""
        for fault in self.faults:
            if fault.is_due(moment, board) and fault.kind.commit(board, seat):
                self.faults.remove(fault)
                return True
        return False

    # -- a board -------------------------------------------------------------------------------------------------------

    def _dealt(self, place: int, number: int, rng: Any) -> ScriptBoard:
        script = self.script
        if place > 1:
            script.do(ClearTable())
        dealt = self._deal_of(place, number, rng)
        hands, dealer, recorded = dealt.hands, dealt.dealer, rng.random() < RECORDED
        board = ScriptBoard(script, rng, place, number, Auction(dealer), side_of(dealer), recorded, hands)
        self.offer(BoardMoment.DEAL, board, dealer)
        script.do(SetTable({}, pockets(hands, COPIES)))
        fields: dict[str, Any] = {"deal": place, "dealer": str(dealer), "board": number}
        script.do(
            ConsoleGesture(
                "deal", fields=fields | ({"record": record_of(board.record or hands)} if board.recorded else {})
            )
        )
        script.wait(2.0)
        for seat in SEATS:
            script.do(TakeHeap(seat, pocket(seat)))
        script.wait(1.0)
        return board

    def _play(self, board: ScriptBoard) -> None:
        self._auction(board)
        contract, end = board.auction.contract(), board.last
        if contract is not None:
            board.play = CardPlay.begun(contract)
            for seat in SEATS:
                self.script.do(ClearTray(seat))
            board.wait(1.0, 2.0)
            end = self._tricks(board)
        self._ends(board, end)

    def _auction(self, board: ScriptBoard) -> None:
        while (seat := board.auction.turn) is not None:
            board.bring_tray(seat)
            board.thinks(seat)
            if not self.offer(BoardMoment.CALL, board, seat):
                board.call(seat, self._call_of(board, seat))
        board.wait(0.8, 1.5)
        if not self.offer(BoardMoment.OVER, board, CLOCKWISE.next(board.auction.calls[-1][0])):
            board.push()
        board.wait(1.5, 2.5)

    def _tricks(self, board: ScriptBoard) -> int:
        if board.shown is not None and board.shown.line is not board.contract.declarer.line:
            # Before the lead: of a defender the card is a penalty card, which he would have to lead.
            self.script.do(ConsoleGesture("correct", fields={"zone": side(board.shown), "cards": []}))
        if not self.offer(BoardMoment.LEAD, board, board.turn):
            board.lead(board.turn, self._card_of(board))
        while True:
            while board.full() is None:
                self._card(board)
            board.wait(0.6, 1.4)
            if not self.offer(BoardMoment.QUIT, board, board.turn):
                board.quit()
            end = board.last
            if board.laid == TRICKS * len(SEATS):
                return end
            if self._claims_now(board):
                return self._claims(board)
            if self.lively and board.rng.random() < CALLS_ARBITRO:
                self.script.do(Press(board.rng.choice(SEATS), "referee"), board.act("call-arbitro", board.turn))
                board.wait(4.0, 8.0)
            self._card(board)

    def _card(self, board: ScriptBoard) -> None:
        """Have the hand whose turn it is play, or a fault happen."""
        leader = board.turn
        if board.led is None and leader.partner in board.aside and leader.line is not board.contract.declarer.line:
            board.chooses_nothing(leader)
        if not self.offer(BoardMoment.TURN, board, board.turn):
            board.wait(0.2, 3.0 if self.lively else 2.0)
            board.lay(board.turn, self._card_of(board))

    def _may_claim(self, board: ScriptBoard) -> bool:
        """Return True if declarer's side is to lead and the rest may be claimed: no fault is open."""
        declarer = board.contract.declarer
        open_ = self.faults or board.aside or board.revoked or board.foreign
        return board.turn.line is declarer.line and board.laid >= CLAIMED_FROM and not open_

    def _claims(self, board: ScriptBoard) -> int:
        """Claim declarer's number of tricks, his hand laid open; a player of each line agrees. Return the cue."""
        declarer, play = board.contract.declarer, board.play
        assert play is not None  # noqa: S101 - asked only in the play
        won = play.tricks_won()
        assert won is not None  # noqa: S101 - simulated players know their cards
        board.wait(1.0, 3.0)
        board.claimed = self._claimed(board, won)
        # He says so first: from then on the camera may look at his hand.
        self.script.do(Say(declarer, f"claim:{board.claimed}"), board.act("claim", declarer))
        board.wait(1.0, 2.0)
        self.script.do(LayOut(declarer))
        board.wait(2.0, 3.0)
        self.script.do(Press(CLOCKWISE.next(declarer), "ready"))
        board.wait(0.5, 1.5)
        return self.script.do(Press(declarer, "ready"))

    # -- its end -------------------------------------------------------------------------------------------------------

    def _ends(self, board: ScriptBoard, end: int) -> None:
        board.wait(1.5, 3.0)
        result = None if board.play is None else (board.contract, self._agreed(board, board.play))
        self._put_back(board)
        items = _items(board, result)
        for line, found in items.items():
            self.running[line] += sum(found.values())
        dealer = board.auction.dealer
        leader, manner, by = dealer, "passed", dealer
        if result is not None:
            leader, manner, by = CLOCKWISE.next(result[0].declarer), "played", result[0].declarer
        ended = ScriptDealEnd(board.deal, dealer, leader, board.laid, manner, by, end, items, dict(self.running))
        self.script.ends.append(ended)

    def _agreed(self, board: ScriptBoard, play: CardPlay) -> int:
        """Play the board out: a revoke is ruled, the result stated; return declarer's tricks."""
        won, declarer = play.tricks_won() if board.claimed is None else board.claimed, board.contract.declarer
        assert won is not None  # noqa: S101 - simulated players know their cards
        if board.revoked is not None:
            rules(board, "law-61", board.revoked.seat, "established")
        if board.claimed is not None:
            self.script.do(CloseAperture(declarer.partner))
            return board.claimed
        tricks = min(TRICKS, max(0, won + board.transferred))
        if not self.offer(BoardMoment.END, board, declarer) and self.lively and board.rng.random() < STATES:
            self.script.do(Say(declarer, f"result:{tricks}"))
        self.script.do(CloseAperture(declarer.partner))
        return tricks

    def _put_back(self, board: ScriptBoard) -> None:
        """All cards go back into the board; what only a finished board shows can be told."""
        for seat in SEATS:
            if board.play is None:
                self.script.do(ClearTray(seat))
            self.script.do(ReturnHand(seat))
        board.wait(2.0, 4.0)
        self.script.injected += [replace(one, evident=board.last) for one in board.late]


def _items(board: ScriptBoard, result: tuple[Contract, int] | None) -> dict[str, dict[str, int]]:
    """Return the score by line and item; ``result``: contract and tricks, None if all have passed."""
    points, declaring = BoardScore(), None
    if result is not None:
        contract, tricks = result
        declaring = contract.declarer.line
        points = score(contract, tricks, vulnerable=is_vulnerable(declaring, board_vulnerable(board.number)))
    return {
        str(line): {name: (1 if line is declaring else -1) * int(getattr(points, name)) for name in SHEET.names}
        for line in LINES
    }


def direct(
    randoms: Randoms,
    deals: int,
    rows: Sequence[str],
    habits: str = "tidy",
    stage: str | None = None,  # noqa: ARG001
) -> Script:
    """Return a round of ``deals`` boards with one fault of each of ``rows``. Raises Unstageable, UnknownFault."""
    refuse_unknown(rows, KINDS)
    return Director(randoms, deals, rows, habits).round()


__all__ = ["HABITS", "direct"]
