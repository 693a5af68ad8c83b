"""Faults of the play, of turned cards and of the result."""

from __future__ import annotations

from typing import Final

from hw.cards import rank
from hw.seats import CLOCKWISE, SEATS, Seat
from hw.twin.gestures import ConsoleGesture, PlayGesture, Say
from hw.twin.screen_gestures import CloseAperture, LeadFaceDown, OpenAperture, QuitGesture, TakeBackCard
from hw.zones import played
from table_service.games.bridge.judges.card_play import trick_rules
from table_service.games.bridge.judges.corrected_tricks import corrected
from table_service.games.bridge.judges.penalty_cards import HONOURS
from table_service.games.bridge.rehearsal.fault_kinds import BoardFaultKind, BoardMoment, rules
from table_service.games.bridge.rehearsal.table_board import Revoked, ScriptBoard
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.tricks.trick import Trick


def _revokes(board: ScriptBoard, seat: Seat) -> bool:
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


def _wrong_hand(board: ScriptBoard, seat: Seat) -> bool:
    declarer = board.contract.declarer
    if board.led is not None or seat.line is not declarer.line:
        return False
    return _leads_instead(board, seat.partner, "law-55", "led from the other hand")


def _defender_leads(board: ScriptBoard, seat: Seat) -> bool:
    if board.led is not None:
        return False
    wrong = CLOCKWISE.next(seat) if seat.line is board.contract.declarer.line else seat.partner
    return _leads_instead(board, wrong, "law-56", "led out of turn")


def _leads_instead(board: ScriptBoard, wrong: Seat, row: str, how: str) -> bool:
    """``wrong`` leads to the next trick; nobody objects, and the hand after it plays: so it stands (53A)."""
    if not board.faces(wrong):
        return False
    printed = board.rng.choice(board.faces(wrong))
    cue = board.lay(wrong, printed)
    board.wait(5.0, 7.0)
    board.inject(row, wrong, how, cue, board.last, (printed,))
    return True


def _turned_wrongly(board: ScriptBoard, _seat: Seat) -> bool:
    wrong = board.rng.choice(SEATS)
    board.inject("law-65", wrong, "turned in the wrong direction", board.quit(turned_wrongly=wrong)[wrong])
    return True


def _wrong_result(board: ScriptBoard, seat: Seat) -> bool:
    if board.play is None or board.claimed is not None:
        return False
    tricks = board.play.tricks_won()
    assert tricks is not None  # noqa: S101 - simulated players know their cards
    wrong = tricks + board.rng.choice([step for step in (-1, 1) if 0 <= tricks + step <= TRICKS])
    board.inject("law-79", None, f"{wrong} stated, {tricks} won", board.script.do(Say(seat, f"result:{wrong}")))
    return True


def _second_card(board: ScriptBoard, seat: Seat) -> bool:
    """Have declarer lay two cards of his hand to a trick and take the second one back.

    Not as the last to play: then the second one would be a lead to the next trick.
    """
    is_last = board.laid % len(SEATS) == len(SEATS) - 1
    if seat is not board.contract.declarer or len(board.faces(seat)) < 3 or board.number_of_trick < 2 or is_last:
        return False
    board.lay(seat, board.rng.choice(board.allowed(seat)))
    board.wait(0.6, 1.0)
    printed = board.rng.choice(board.faces(seat))
    cue = board.script.do(PlayGesture(seat, board.physical(seat, printed)))
    board.wait(5.0, 7.0)
    # over a trick that lacks the fourth card alone it may as well be a lead to the next one
    also = ("law-55", "law-67") if board.laid % len(SEATS) == len(SEATS) - 1 else ()
    board.inject("law-58", seat, "two cards to a trick", cue, board.last, (printed,), also=also)
    board.script.do(TakeBackCard(seat))
    board.wait(1.5, 2.5)
    return True


def _forgets(board: ScriptBoard, seat: Seat) -> bool:
    """Leave out the last hand's card; the others turn and play on; the arbitro has the card supplied (67)."""
    if board.laid % len(SEATS) != len(SEATS) - 1 or seat is board.contract.declarer.partner or board.aside:
        return False
    assert board.play is not None  # noqa: S101 - asked only in the play
    trick, number, rules_ = board.play.play.open, board.number_of_trick, trick_rules(board.contract.strain)
    leads = trick.winner(rules_)
    fitting = [card for card in board.allowed(seat) if Trick((*trick.plays, (seat, card))).winner(rules_) is leads]
    if leads is None or not fitting or not board.faces(leads):
        return False
    printed = board.rng.choice(fitting)
    board.wait(0.8, 1.6)
    for one in CLOCKWISE.seats:
        if one is not seat:
            board.script.do(QuitGesture(one, across=one.line is not leads.line))
    board.wait(0.5, 1.5)
    cue = board.lay(leads, board.rng.choice(board.faces(leads)))
    board.wait(7.5, 9.0)
    board.inject("law-67", seat, "no card to the trick", cue, board.last)
    rules(board, "law-67", seat)
    _supplies(board, seat, printed, number)
    return True


def _supplies(board: ScriptBoard, seat: Seat, printed: str, number: int) -> None:
    """``seat`` adds ``printed`` to trick ``number``, which is turned, as the arbitro enters it."""
    assert board.play is not None  # noqa: S101 - asked only in the play
    card = board.physical(seat, printed)
    board.play = corrected(board.play, number, seat, printed)
    taken = board.play.play.taken[number - 1]
    assert taken.by is not None  # noqa: S101 - simulated players know their cards
    cards = {str(who): one for who, one in taken.trick.plays}
    won = board.act("trick", taken.by, n=number, cards_by_seat=cards)
    board.script.do(ConsoleGesture("correct", fields={"zone": played(seat), "n": number, "cards": [printed]}), won)
    board.wait(1.0, 2.0)
    board.script.do(LeadFaceDown(seat, card), board.act("play", seat, (card,)))
    board.wait(1.5, 2.5)


def _plays_early(board: ScriptBoard, seat: Seat) -> bool:
    """Have the defender after ``seat`` play before it does; what follows comes in turn."""
    wrong, full = CLOCKWISE.next(seat), board.laid % len(SEATS) == len(SEATS) - 1
    if board.led is None or full or wrong.line is board.contract.declarer.line:
        return False
    printed = board.rng.choice(board.allowed(wrong))
    cue = board.lay(wrong, printed)
    board.wait(5.0, 7.0)
    board.inject("law-57", wrong, "played before his turn", cue, board.last, (printed,))
    board.lay(seat, board.rng.choice(board.allowed(seat)))
    return True


def _honours(board: ScriptBoard, seat: Seat) -> list[str]:
    return [card for card in board.faces(seat) if rank(card) in HONOURS]


def _keeps_penalty_card(board: ScriptBoard, seat: Seat) -> bool:
    """Have a defender drop an honour of the suit led, there to be played, and play another card of it."""
    if board.led is None or seat.line is board.contract.declarer.line or board.aside:
        return False
    own = [card for card in board.allowed(seat) if card[1] == board.led]
    honours = [card for card in own if rank(card) in HONOURS]
    if len(own) < 2 or not honours:
        return False
    exposed = board.rng.choice(honours)
    board.puts_aside(seat, exposed)
    board.wait(4.0, 6.0)
    kept = board.rng.choice([card for card in own if card != exposed])
    cue = board.lay(seat, kept)
    board.wait(7.5, 9.0)
    board.inject("law-52", seat, "another card of the suit", cue, board.last, (kept,))
    return True


def _leads_beside_penalty_card(board: ScriptBoard, seat: Seat) -> bool:
    """Have a defender lead while his partner's honour lies at the side: declarer chooses, and chooses nothing."""
    if (
        board.led is not None
        or seat.line is board.contract.declarer.line
        or board.aside
        or not _honours(board, seat.partner)
    ):
        return False
    exposed = board.rng.choice(_honours(board, seat.partner))
    board.puts_aside(seat.partner, exposed)
    board.wait(4.0, 6.0)
    board.chooses_nothing(seat)
    board.lay(seat, board.rng.choice(board.allowed(seat)))
    return True


def _closes_aperture(board: ScriptBoard, seat: Seat) -> bool:
    """Close the aperture between two cards, and open it again."""
    cue = board.script.do(CloseAperture(seat))
    board.wait(3.0, 4.0)
    board.inject("A4-3c", None, "closed and opened again", cue, board.last)
    board.script.do(OpenAperture(seat))
    board.wait(0.5, 1.0)
    board.lay(board.turn, board.rng.choice(board.allowed(board.turn)))
    return True


def _swapped_cards(board: ScriptBoard, _seat: Seat) -> bool:
    """Two hands have changed cards of a suit before the board came to the table: the record tells it otherwise."""
    for one in board.rng.sample(SEATS, len(SEATS)):
        other = CLOCKWISE.next(one)
        suits = [
            mark for mark in "CDHS" if all(any(card[1] == mark for card in board.hands[who]) for who in (one, other))
        ]
        if not suits:
            continue
        mark = board.rng.choice(suits)
        mine, yours = (board.rng.choice([c for c in board.hands[who] if c[1] == mark]) for who in (one, other))
        board.recorded = True
        board.record = {
            **board.hands,
            one: tuple(sorted({*board.hands[one], yours} - {mine})),
            other: tuple(sorted({*board.hands[other], mine} - {yours})),
        }
        board.foreign = {(one, mine): 0, (other, yours): 0}
        return True
    return False


PLAY_KINDS: Final = (
    BoardFaultKind("law-61", BoardMoment.TURN, _revokes, (1, 8)),
    BoardFaultKind("law-44", BoardMoment.DEAL, _swapped_cards),
    BoardFaultKind("law-50D2", BoardMoment.TURN, _leads_beside_penalty_card, (2, 10)),
    BoardFaultKind("law-52", BoardMoment.TURN, _keeps_penalty_card, (1, 10)),
    BoardFaultKind("law-55", BoardMoment.TURN, _wrong_hand, (2, 10)),
    BoardFaultKind("law-56", BoardMoment.TURN, _defender_leads, (2, 10)),
    BoardFaultKind("law-57", BoardMoment.TURN, _plays_early, (1, 10)),
    BoardFaultKind("law-58", BoardMoment.TURN, _second_card, (2, 9)),
    BoardFaultKind("law-67", BoardMoment.TURN, _forgets, (1, 9)),
    BoardFaultKind("A4-3c", BoardMoment.TURN, _closes_aperture, (1, 10)),
    BoardFaultKind("law-65", BoardMoment.QUIT, _turned_wrongly, (1, 11)),
    BoardFaultKind("law-79", BoardMoment.END, _wrong_result),
)
"""Faults of the play."""
