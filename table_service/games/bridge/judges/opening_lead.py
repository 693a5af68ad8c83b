"""Opening leads behind the screen (app. 4, 4c): which is the right one, and what becomes of a wrong one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hw.cards import UNKNOWN
from hw.seats import CLOCKWISE, Seat
from table_service.games.bridge.judges.sides import side_of
from table_service.games.bridge.judges.verdict import Procedure, Verdict


@dataclass(frozen=True, slots=True)
class Lead:
    """A card laid before play began. ``faced``: when it was turned up, None while it lies face down."""

    seat: Seat
    card: str
    t: float
    faced: float | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """From the last pass until a lead stands: leads, the aperture, and whether somebody spoke up in time.

    ``opened``: when the aperture went up; ``opened_by`` None: no sensor names the hand. ``inferred``: no sensor told
    of it, only cards of both sides that show. ``attention``: when somebody called the arbitro while it was closed.
    """

    declarer: Seat
    leads: tuple[Lead, ...] = ()
    attention: float | None = None
    opened: float | None = None
    opened_by: Seat | None = None
    inferred: bool = False

    @property
    def leader(self) -> Seat:
        """Seat that is to lead."""
        return CLOCKWISE.next(self.declarer)

    def led(self, seat: Seat, card: str, t: float, *, face_up: bool) -> Opening:
        """``seat`` lays ``card`` (``??`` face down)."""
        return replace(self, leads=(*self.leads, Lead(seat, card if face_up else UNKNOWN, t, t if face_up else None)))

    def faced(self, seat: Seat, card: str, t: float) -> Opening:
        """``seat`` turns up the card that it had led face down; a card that nobody saw led is led now."""
        if not any(one.seat is seat and one.faced is None for one in self.leads):
            return self.led(seat, card, t, face_up=True)
        leads = tuple(
            replace(one, card=card, faced=t) if one.seat is seat and one.faced is None else one for one in self.leads
        )
        return replace(self, leads=leads)

    def taken_back(self, seat: Seat) -> Opening:
        """``seat`` takes its lead back."""
        return replace(self, leads=tuple(one for one in self.leads if one.seat is not seat))

    def called(self, t: float) -> Opening:
        """Somebody calls the arbitro."""
        return self if self.opened is not None or self.attention is not None else replace(self, attention=t)

    def aperture_opened(self, by: Seat | None, t: float, *, inferred: bool = False) -> Opening:
        """Open the aperture; the first time counts."""
        return self if self.opened is not None else replace(self, opened=t, opened_by=by, inferred=inferred)

    @property
    def right(self) -> Lead | None:
        """The lead of who is to lead, face up or down."""
        return next((one for one in self.leads if one.seat is self.leader), None)

    @property
    def wrong(self) -> tuple[Lead, ...]:
        """The leads of others."""
        return tuple(one for one in self.leads if one.seat is not self.leader)


def judge_leads(opening: Opening) -> tuple[Verdict, ...]:
    """Verdicts on every lead by a seat that was not to lead."""
    return tuple(_judge(opening, one) for one in opening.wrong)


def _judge(opening: Opening, lead: Lead) -> Verdict:
    if lead.seat.line is opening.declarer.line:
        return _say(opening, lead, "law-24", Procedure.LAW_24, ("54E", "24"), unconfirmed=True)
    if lead.faced is None:
        return _say(opening, lead, "law-41", Procedure.LAW_41, ("41A",))
    in_time = opening.attention is not None and (opening.opened is None or opening.attention < opening.opened)
    if in_time and lead.faced <= (opening.attention or 0.0):
        return _say(opening, lead, "FIGB-1", Procedure.LEAD_RETRACTED, ("app4 4c",))
    right = opening.right
    if right is not None and right.faced is not None and _before_opening(opening, right.faced):
        return _say(opening, lead, "FIGB-5", Procedure.MAJOR_PENALTY_CARD, ("app4 4c(iii)", "58A", "50D", "50E"))
    if opening.opened is None:
        return _say(opening, lead, "FIGB-1", Procedure.LEAD_RETRACTED, ("app4 4c",))
    return _after_opening(opening, lead)


def _before_opening(opening: Opening, t: float) -> bool:
    return opening.opened is None or t <= opening.opened


def _after_opening(opening: Opening, lead: Lead) -> Verdict:
    by = opening.opened_by
    if by is None:
        return _say(
            opening,
            lead,
            "FIGB-4",
            Procedure.ASK_WHO_OPENED,
            ("app4 4c",),
            needs_referee=True,
            options=("FIGB-4", "FIGB-2", "FIGB-3"),
        )
    if by.line is opening.declarer.line:
        found = _say(opening, lead, "FIGB-2", Procedure.LEAD_ACCEPTED, ("app4 4c(ii)", "54B1", "53", "41", "23"))
        return replace(found, watch_23=by.line)
    return _say(
        opening,
        lead,
        "FIGB-4",
        Procedure.LAW_54_OPTIONS,
        ("app4 4c(i)", "54", "53", "41", "50D"),
        options=("54A", "54B", "54C", "54D", "FIGB-3", "FIGB-2"),
    )


def _say(
    opening: Opening,
    lead: Lead,
    row: str,
    procedure: Procedure,
    articles: tuple[str, ...],
    *,
    needs_referee: bool = False,
    options: tuple[str, ...] = (),
    unconfirmed: bool = False,
) -> Verdict:
    return Verdict(
        row,
        procedure,
        articles,
        lead.seat,
        lead.card,
        lead.t,
        side_of(lead.seat) if opening.opened is None else "both",
        needs_referee=needs_referee,
        options=options,
        unconfirmed=unconfirmed,
    )
