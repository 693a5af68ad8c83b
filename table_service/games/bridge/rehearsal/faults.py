"""The faults that rehearsed players commit, each the way a person would: what is done, and when it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hw.seats import CLOCKWISE, SEATS, Seat
from hw.twin.gestures import Command, LayOut, Play, Press, Say
from hw.twin.screen_gestures import FaceCards, LeadFaceDown, OpenAperture, TakeBackCall, TakeBackCard
from table_service.games.bridge.judges.sides import SIDES, pusher, screen_mate
from table_service.games.bridge.rehearsal.table_board import Board, Revoked
from table_service.games.bridge.rules.auction import DOUBLE, NO_BID
from table_service.games.bridge.rules.contract import BIDS, TRICKS

PUSHERS: Final = tuple(pusher(side) for side in SIDES)
"""Who passes the tray on either side."""


class Moment(StrEnum):
    """When a fault can be committed; committing does in its place what the moment asks for."""

    CALL = "call"
    """The seat is about to call."""
    LEAD = "lead"
    """The seat is about to make the opening lead."""
    TURN = "turn"
    """The hand is about to play."""
    QUIT = "quit"
    """A trick is full."""
    END = "end"
    """All tricks are turned; declarer may state the result."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How a row is committed, at which moment; ``when``: from which call or trick on, drawn between two."""

    row: str
    moment: Moment
    commit: Callable[[Board, Seat], bool]
    when: tuple[int, int] = (1, 1)
    told: bool = True
    way: str = ""

    @property
    def name(self) -> str:
        """What names the kind on a command line."""
        return f"{self.row}:{self.way}" if self.way else self.row


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that is to happen from call or trick ``number`` on."""

    kind: Kind
    number: int

    def is_due(self, moment: Moment, board: Board) -> bool:
        """Whether it may happen now."""
        if moment is not self.kind.moment:
            return False
        return moment in (Moment.CALL, Moment.LEAD, Moment.END) or board.number_of_trick >= self.number


def rules(board: Board, row: str, seat: Seat, option: str = "") -> None:
    """An opponent calls the arbitro, who comes and rules; ``option``: where the row leaves a choice."""
    board.wait(1.0, 3.0)
    board.script.do(Press(CLOCKWISE.next(seat), "referee"), board.act("call-arbitro", seat))
    board.wait(5.0, 9.0)
    fields = {"row": row, "seat": str(seat), **({"option": option} if option else {})}
    board.script.do(Command("rule", fields=fields), board.act("ruled", seat, row=row))
    board.wait(1.0, 2.0)


# -- calls -------------------------------------------------------------------------------------------------------------


def _too_low(board: Board, seat: Seat) -> str | None:
    """A bid that is not enough, where ``seat`` may think that it is."""
    bid = board.auction.bid
    if bid is None or board.auction.turn is not seat:
        return None
    lower = [one for one in BIDS[: BIDS.index(bid)] if (seat, one) not in board.auction.calls]
    return board.rng.choice(lower[-6:]) if lower else None


def _corrected_in_time(board: Board, seat: Seat) -> bool:
    bid = _too_low(board, seat)
    if bid is None:
        return False
    cue = board.call(seat, bid, counts=False)
    board.inject("A4-2a", seat, "insufficient, changed before the tray was passed", cue)
    board.wait(2.0, 4.0)
    board.script.do(TakeBackCall(seat))
    board.wait(1.0, 2.0)
    board.call(seat, NO_BID)
    return True


def _asks_23(board: Board, cue: int) -> None:
    """After the play the table asks whether who let it pass has gained."""
    board.inject("law-23", None, "let pass", cue, demanded=False)


def _passed_by_opponent(board: Board, seat: Seat) -> bool:
    bid = _too_low(board, seat)
    if bid is None or seat in PUSHERS:
        return False
    cue = board.call(seat, bid)
    board.wait(0.8, 2.0)
    board.inject("FIGB-6", seat, "insufficient, passed by the screen mate", cue, board.push())
    _asks_23(board, cue)
    board.wait(1.0, 2.0)
    return True


def _passed_by_offender(board: Board, seat: Seat) -> bool:
    bid = _too_low(board, seat)
    if bid is None or seat in PUSHERS:
        return False
    cue = board.call(seat, bid)
    board.wait(0.8, 2.0)
    board.inject("FIGB-7", seat, "insufficient, passed by himself", cue, board.push(seat))
    rules(board, "FIGB-7", seat, "27A")
    return True


def _called_over(board: Board, seat: Seat) -> bool:
    bid = _too_low(board, seat)
    if bid is None or seat not in PUSHERS:
        return False
    cue = board.call(seat, bid)
    board.thinks(screen_mate(seat))
    board.call(screen_mate(seat), NO_BID)
    board.wait(0.8, 2.0)
    board.inject("FIGB-8", seat, "insufficient, called over, then passed", cue, board.push())
    _asks_23(board, cue)
    board.wait(1.0, 2.0)
    return True


def _out_of_turn(row: str, *, by_himself: bool) -> Callable[[Board, Seat], bool]:
    """The dealer has not called; the player after him, on the same side of the screen, opens."""

    def commit(board: Board, seat: Seat) -> bool:
        mate = screen_mate(seat)
        if board.auction.calls or CLOCKWISE.next(seat) is not mate:
            return False
        cue = board.call(mate, board.rng.choice(BIDS[:5]))
        board.wait(0.8, 2.0)
        who = "himself" if by_himself else "the screen mate"
        pushed = board.push(mate if by_himself else None)
        board.inject(row, mate, f"bid before the dealer, passed by {who}", cue, pushed)
        if by_himself:
            rules(board, row, mate)
        else:
            _asks_23(board, cue)
        board.wait(1.0, 2.0)
        return True

    return commit


def _double_of_nothing(board: Board, seat: Seat) -> bool:
    if board.auction.bid is not None or seat in PUSHERS or DOUBLE in board.auction.lawful(seat):
        return False
    cue = board.call(seat, DOUBLE, counts=False)
    board.wait(0.8, 2.0)
    board.inject("law-36", seat, "nothing to double", cue, board.push(seat))
    rules(board, "law-36", seat)
    board.push()
    board.wait(1.0, 2.0)
    board.script.do(TakeBackCall(seat))
    board.wait(1.0, 2.0)
    board.call(seat, NO_BID)
    return True


# -- leads -------------------------------------------------------------------------------------------------------------


def _led_face_down(board: Board, seat: Seat) -> bool:
    wrong = seat.partner
    card = board.physical(wrong, board.rng.choice(board.faces(wrong)))
    cue = board.script.do(LeadFaceDown(wrong, card))
    board.wait(3.0, 5.0)
    board.script.do(TakeBackCard(wrong))
    board.wait(1.5, 3.0)
    board.lead(seat, board.rng.choice(board.allowed(seat)))
    board.inject("law-41", wrong, "face down, taken back; told with the open aperture", cue, board.last)
    return True


def _wrong_lead(board: Board, seat: Seat) -> tuple[str, int]:
    """The partner of ``seat`` leads and faces the card: its face, and the cue."""
    wrong = seat.partner
    printed = board.rng.choice(board.faces(wrong))
    card = board.physical(wrong, printed)
    board.script.do(LeadFaceDown(wrong, card))
    board.wait(1.2, 2.0)
    return printed, board.script.do(FaceCards(wrong))


def _taken_back_in_time(board: Board, seat: Seat) -> bool:
    printed, cue = _wrong_lead(board, seat)
    board.wait(1.0, 2.0)
    board.script.do(Press(screen_mate(seat.partner), "referee"), board.act("call-arbitro", seat))
    board.wait(4.0, 7.0)
    back = board.script.do(TakeBackCard(seat.partner))
    board.wait(1.5, 2.5)
    board.lead(seat, board.rng.choice(board.allowed(seat)))
    board.inject("FIGB-1", seat.partner, "taken back, the aperture closed", cue, back, (printed,), demanded=False)
    return True


def _lead_stands(row: str, *, option: str = "") -> Callable[[Board, Seat], bool]:
    """The aperture is opened on a wrong lead: by declarer's side (it stands), or by the defenders."""

    def commit(board: Board, seat: Seat) -> bool:
        printed, cue = _wrong_lead(board, seat)
        board.wait(0.8, 1.5)
        declarer, wrong = board.contract.declarer, seat.partner
        by = screen_mate(wrong) if row == "FIGB-2" else wrong
        opened = board.script.do(OpenAperture(by))
        board.inject(row, wrong, f"faced, the aperture opened by {by}", cue, opened, (printed,))
        if row == "FIGB-2":
            _asks_23(board, cue)
        else:
            rules(board, row, wrong, option)
        board.took(wrong, printed)
        board.script.do(LayOut(declarer.partner), board.act("play", wrong, (printed,)))
        board.wait(1.5, 2.5)
        return True

    return commit


# -- the play ----------------------------------------------------------------------------------------------------------


def _revokes(board: Board, seat: Seat) -> bool:
    led = board.led
    if led is None or seat is board.contract.declarer.partner or board.number_of_trick > TRICKS - 3 or board.revoked:
        return False
    follows = board.allowed(seat)
    others = [card for card in board.faces(seat) if card not in follows]
    if not others or follows[0][1] != led:
        return False
    printed, number = board.rng.choice(others), board.number_of_trick
    cue = board.lay(seat, printed)
    board.revoked = Revoked(seat, led, number, printed, cue)
    return True


def _wrong_hand(board: Board, seat: Seat) -> bool:
    declarer = board.contract.declarer
    if board.led is not None or seat.line is not declarer.line:
        return False
    return _leads_instead(board, seat.partner, "law-55", "led from the other hand")


def _defender_leads(board: Board, seat: Seat) -> bool:
    if board.led is not None:
        return False
    wrong = CLOCKWISE.next(seat) if seat.line is board.contract.declarer.line else seat.partner
    return _leads_instead(board, wrong, "law-56", "led out of turn")


def _leads_instead(board: Board, wrong: Seat, row: str, how: str) -> bool:
    """``wrong`` leads to the next trick; nobody objects, and the hand after it plays: so it stands (53A)."""
    if not board.faces(wrong):
        return False
    printed = board.rng.choice(board.faces(wrong))
    cue = board.lay(wrong, printed)
    board.wait(5.0, 7.0)
    board.inject(row, wrong, how, cue, board.last, (printed,))
    return True


def _turned_wrongly(board: Board, _seat: Seat) -> bool:
    wrong = board.rng.choice(SEATS)
    board.inject("law-65", wrong, "turned in the wrong direction", board.quit(turned_wrongly=wrong)[wrong])
    return True


def _wrong_result(board: Board, seat: Seat) -> bool:
    if board.play is None:
        return False
    tricks = board.play.tricks_won()
    assert tricks is not None  # noqa: S101 - simulated players know their cards
    wrong = tricks + board.rng.choice([step for step in (-1, 1) if 0 <= tricks + step <= TRICKS])
    board.inject("law-79", None, f"{wrong} stated, {tricks} won", board.script.do(Say(seat, f"result:{wrong}")))
    return True


def _second_card(board: Board, seat: Seat) -> bool:
    """Declarer lays two cards of his hand to a trick and takes the second one back.

    Not as the last to play: then the second one would be a lead to the next trick.
    """
    is_last = board.laid % len(SEATS) == len(SEATS) - 1
    if seat is not board.contract.declarer or len(board.faces(seat)) < 3 or board.number_of_trick < 2 or is_last:
        return False
    board.lay(seat, board.rng.choice(board.allowed(seat)))
    board.wait(0.6, 1.0)
    printed = board.rng.choice(board.faces(seat))
    cue = board.script.do(Play(seat, board.physical(seat, printed)))
    board.wait(5.0, 7.0)
    # over a trick that lacks the fourth card alone it may as well be a lead to the next one
    also = ("law-55", "law-67") if board.laid % len(SEATS) == len(SEATS) - 1 else ()
    board.inject("law-58", seat, "two cards to a trick", cue, board.last, (printed,), also=also)
    board.script.do(TakeBackCard(seat))
    board.wait(1.5, 2.5)
    return True


_KINDS: Final = (
    Kind("A4-2a", Moment.CALL, _corrected_in_time),
    Kind("FIGB-6", Moment.CALL, _passed_by_opponent),
    Kind("FIGB-7", Moment.CALL, _passed_by_offender),
    Kind("FIGB-8", Moment.CALL, _called_over),
    Kind("FIGB-9", Moment.CALL, _out_of_turn("FIGB-9", by_himself=False)),
    Kind("FIGB-10", Moment.CALL, _out_of_turn("FIGB-10", by_himself=True)),
    Kind("law-36", Moment.CALL, _double_of_nothing),
    Kind("law-41", Moment.LEAD, _led_face_down),
    Kind("FIGB-1", Moment.LEAD, _taken_back_in_time, told=False),
    Kind("FIGB-2", Moment.LEAD, _lead_stands("FIGB-2")),
    Kind("FIGB-4", Moment.LEAD, _lead_stands("FIGB-4", option="54B")),
    Kind("law-61", Moment.TURN, _revokes, (1, 8)),
    Kind("law-55", Moment.TURN, _wrong_hand, (2, 10)),
    Kind("law-56", Moment.TURN, _defender_leads, (2, 10)),
    Kind("law-58", Moment.TURN, _second_card, (2, 9)),
    Kind("law-65", Moment.QUIT, _turned_wrongly, (1, 11)),
    Kind("law-79", Moment.END, _wrong_result),
)
KINDS: Final[Mapping[str, Kind]] = {kind.name: kind for kind in _KINDS}
"""Every fault that can be staged, by name."""
