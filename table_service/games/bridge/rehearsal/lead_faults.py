"""Faults of the opening lead, behind the closed aperture and through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hw.cards import face
from hw.seats import Seat
from hw.twin.gestures import LayOut, Press
from hw.twin.screen_gestures import FaceCards, LeadFaceDown, OpenAperture, TakeBackCard
from table_service.games.bridge.judges.sides import screen_mate
from table_service.games.bridge.rehearsal.fault_kinds import BoardFaultKind, BoardMoment, asks_23, rules
from table_service.games.bridge.rehearsal.table_board import ScriptBoard


def _led_face_down(board: ScriptBoard, seat: Seat) -> bool:
    wrong = seat.partner
    card = board.physical(wrong, board.rng.choice(board.faces(wrong)))
    cue = board.script.do(LeadFaceDown(wrong, card))
    board.wait(3.0, 5.0)
    board.script.do(TakeBackCard(wrong))
    board.wait(1.5, 3.0)
    board.lead(seat, board.rng.choice(board.allowed(seat)))
    board.inject("law-41", wrong, "face down, taken back; told with the open aperture", cue, board.last)
    return True


def _wrong_lead(board: ScriptBoard, seat: Seat) -> tuple[str, int]:
    """Have the partner of ``seat`` lead and face the card; return its face, and the cue."""
    wrong = seat.partner
    printed = board.rng.choice(board.faces(wrong))
    card = board.physical(wrong, printed)
    board.script.do(LeadFaceDown(wrong, card))
    board.wait(1.2, 2.0)
    return printed, board.script.do(FaceCards(wrong))


def _taken_back_in_time(board: ScriptBoard, seat: Seat) -> bool:
    printed, cue = _wrong_lead(board, seat)
    board.wait(1.0, 2.0)
    board.script.do(Press(screen_mate(seat.partner), "referee"), board.act("call-arbitro", seat))
    board.wait(4.0, 7.0)
    back = board.script.do(TakeBackCard(seat.partner))
    board.wait(1.5, 2.5)
    board.lead(seat, board.rng.choice(board.allowed(seat)))
    board.inject("FIGB-1", seat.partner, "taken back, the aperture closed", cue, back, (printed,), demanded=False)
    return True


def _lead_stands(row: str, *, option: str = "") -> Callable[[ScriptBoard, Seat], bool]:
    """Return the opening of the aperture on a wrong lead: by declarer's side (it stands), or by the defenders."""

    def commit(board: ScriptBoard, seat: Seat) -> bool:
        printed, cue = _wrong_lead(board, seat)
        board.wait(0.8, 1.5)
        declarer, wrong = board.contract.declarer, seat.partner
        by = screen_mate(wrong) if row == "FIGB-2" else wrong
        opened = board.script.do(OpenAperture(by))
        board.inject(row, wrong, f"faced, the aperture opened by {by}", cue, opened, (printed,))
        if row == "FIGB-2":
            asks_23(board, cue)
        else:
            rules(board, row, wrong, option)
        board.took(wrong, printed)
        board.script.do(LayOut(declarer.partner), board.act("play", wrong, (printed,)))
        board.wait(1.5, 2.5)
        return True

    return commit


def _lead_from_silence(board: ScriptBoard, seat: Seat) -> bool:
    """Repeat example 4; but the arbitro hears of a question and a silence: the card goes back (example 3)."""
    printed, cue = _wrong_lead(board, seat)
    board.wait(0.8, 1.5)
    wrong = seat.partner
    opened = board.script.do(OpenAperture(wrong))
    board.inject("FIGB-4", wrong, "faced, the aperture opened by himself, after a silence", cue, opened, (printed,))
    rules(board, "FIGB-4", wrong, "FIGB-3")
    asks_23(board, cue)
    board.script.do(TakeBackCard(wrong))
    board.wait(1.5, 2.5)
    _leads_openly(board, seat)
    return True


def _leads_openly(board: ScriptBoard, seat: Seat) -> None:
    """Lead with the aperture open already."""
    card = board.physical(seat, board.rng.choice(board.allowed(seat)))
    board.script.do(LeadFaceDown(seat, card))
    board.wait(1.2, 2.5)
    board.script.do(FaceCards(seat), board.act("play", seat, (card,)))
    board.took(seat, face(card))
    board.script.do(LayOut(board.contract.declarer.partner))
    board.wait(0.8, 2.0)


def _both_lead(board: ScriptBoard, seat: Seat) -> bool:
    """Both defenders face a lead; the wrong one becomes a penalty card."""
    printed, cue = _wrong_lead(board, seat)
    wrong = seat.partner
    board.wait(0.8, 1.5)
    board.lead(seat, board.rng.choice(board.allowed(seat)))
    board.inject("FIGB-5", wrong, "both have faced a lead", cue, board.last, (printed,))
    rules(board, "FIGB-5", wrong)
    board.script.do(TakeBackCard(wrong))
    board.wait(0.3, 0.6)
    board.puts_aside(wrong, printed)
    board.wait(1.0, 2.0)
    return True


def _declarer_leads(board: ScriptBoard, seat: Seat) -> bool:
    """Somebody of declarer's side faces a card behind the closed aperture, and takes it back (54E)."""
    wrong = board.contract.declarer
    printed = board.rng.choice(board.faces(wrong))
    board.script.do(LeadFaceDown(wrong, board.physical(wrong, printed)))
    board.wait(1.2, 2.0)
    cue = board.script.do(FaceCards(wrong))
    board.wait(2.0, 3.0)
    board.script.do(TakeBackCard(wrong))
    board.wait(1.5, 2.5)
    board.lead(seat, board.rng.choice(board.allowed(seat)))
    how = "faced and taken back behind the closed aperture"
    board.inject("law-24", wrong, how, cue, board.last, (printed,), demanded=False)
    return True


LEAD_KINDS: Final = (
    BoardFaultKind("law-24", BoardMoment.LEAD, _declarer_leads, told=False),
    BoardFaultKind("law-41", BoardMoment.LEAD, _led_face_down),
    BoardFaultKind("FIGB-1", BoardMoment.LEAD, _taken_back_in_time, told=False),
    BoardFaultKind("FIGB-2", BoardMoment.LEAD, _lead_stands("FIGB-2")),
    BoardFaultKind("FIGB-4", BoardMoment.LEAD, _lead_stands("FIGB-4", option="54B")),
    BoardFaultKind("FIGB-4", BoardMoment.LEAD, _lead_from_silence, way="FIGB-3"),
    BoardFaultKind("FIGB-5", BoardMoment.LEAD, _both_lead),
)
"""Faults of the opening lead."""
