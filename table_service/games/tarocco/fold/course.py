"""What has happened in one deal, as movements tell it: pure, and made anew where a movement turns out otherwise.

A card has moved whether a rule allows it or not. Who laid it, where no sensor tells, is taken from whose turn it was,
and is then not certain: nobody is accused by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from hw.cards import UNKNOWN, face
from hw.seats import ANTICLOCKWISE, SEATS, Line, Seat
from hw.zones import SCARTO, TABLE, side, tricks, zone_line, zone_seat
from table_service.games.tarocco.rules.cards import MATTO
from table_service.games.tarocco.rules.deal import TRICKS_OF_A_DEAL, Deal
from table_service.games.tarocco.rules.score import accuso_points
from table_service.tracking.movements import Movement

TRICK: Final = "trick"
PILES: Final = (*(tricks(line) for line in Line), SCARTO)
SIDES: Final = frozenset(side(seat) for seat in SEATS)
SEATS_OF_A_TRICK: Final = len(SEATS)
TOGETHER_S: Final = 1.0
"""Cards first seen so close to each other may have come in the other order: a picture is taken every half second."""
LIFTED_S: Final = 4.0
"""A card lifted from a full trick so shortly before the others belongs to the gathering."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card laid to trick ``number``. ``due``: whose turn it was, None: nobody knows. ``is_sure``: who laid it is."""

    number: int
    seat: Seat
    card: str
    move: Movement
    due: Seat | None
    is_sure: bool

    @property
    def leads(self) -> bool:
        """Whether it lies first: nobody's turn but the leader's."""
        return self.place == 0

    place: int = 0


@dataclass(frozen=True, slots=True)
class Gathered:
    """Trick ``number`` was gathered at ``committed_t``. ``pile``: where it was put; ``cards``: how many, if weighed."""

    number: int
    committed_t: float
    pile: Line | None = None
    cards: int | None = None
    move: int | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """Cards of ``seat`` that lie face up apart from the trick. ``late``: since after its first card to a trick."""

    seat: Seat
    cards: tuple[str, ...]
    move: Movement
    late: bool
    before_scarto: bool
    in_turn: bool | None
    """Whether it was the seat's turn; None: not known, or before play."""
    number: int = 0
    turn: Seat | None = None
    """Which trick lay open, and whose turn it was."""
    what: Literal["lying", "accuso", "claim", "cards"] = "lying"


@dataclass(frozen=True, slots=True)
class GateRead:
    """The gate of ``seat`` has named ``card`` at ``committed_t``: it crossed there, whatever the camera saw of it."""

    committed_t: float
    seat: Seat
    card: str


Act = Movement | GateRead


@dataclass(frozen=True, slots=True)
class Course:
    """A deal so far. ``shown``: cards that lay face up apart, in order; ``piled``: cards put to each line's pile."""

    deal: Deal
    laid: tuple[Laid, ...] = ()
    gathered: tuple[Gathered, ...] = ()
    shown: tuple[Open, ...] = ()
    scarto_by: Movement | None = None
    """The newest movement that changed the scarto before play."""
    lifted: tuple[tuple[Seat, str, float], ...] = ()
    piled: Mapping[Line, int] = field(default_factory=lambda: dict.fromkeys(Line, 0))
    read: tuple[GateRead, ...] = ()
    numbers_wrong: tuple[tuple[Seat | None, int, Movement], ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played."""
        return self.deal.is_over

    def of_trick(self, number: int) -> tuple[Laid, ...]:
        """What was laid to trick ``number`` and still counts."""
        return tuple(one for one in self.laid if one.number == number)


def after(course: Course, move: Act) -> Course:
    """``course`` after ``move``."""
    if isinstance(move, GateRead):
        return replace(course, read=(*course.read, move))
    if move.target == TRICK and move.source != TRICK:
        return _laid(course, move)
    if move.source == TRICK:
        return _off_the_trick(course, move)
    if move.target in PILES and move.source not in PILES:
        return _to_pile(course, move)
    if move.source in PILES and not course.deal.has_begun:
        return _scarto(course, move, -len(move.cards))
    if move.target in SIDES or move.target == TABLE:
        return _open(course, move)
    if move.source in SIDES or move.source == TABLE:
        return _closed(course, move)
    return course


# -- the trick --------------------------------------------------------------------------------------------------------


def _laid(course: Course, move: Movement) -> Course:
    seat = move.seat or zone_seat(move.source or "")
    known = course.deal
    if seat is not None and len(move.cards) > 1 and len(move.cards) >= known.hands.left.get(seat, 0):
        return _claimed(course, Open(seat, move.cards, move, late=True, before_scarto=False, in_turn=None))
    for card in map(face, move.cards):
        here = course.deal.play.open
        if card != UNKNOWN and card in here.cards:
            continue  # it lay there all the while, and a picture had missed it
        seen = card not in course.deal.hands.gone  # each face is there once: one that is gone was misread
        course = _lay(course, move, seat, card if seen else UNKNOWN)
    return course


def _lay(course: Course, move: Movement, seat: Seat | None, card: str) -> Course:
    if course.deal.play.open.is_full(course.deal.play.rules):
        course = _gather(course, move.committed_t, None, None, None)
    if len(course.deal.play.taken) >= TRICKS_OF_A_DEAL:
        return replace(course, numbers_wrong=(*course.numbers_wrong, (seat, TRICKS_OF_A_DEAL + 1, move)))
    play = course.deal.play
    due = play.turn
    who = seat or due or next(one for one in ANTICLOCKWISE.seats if play.open.card_of(one) is None)
    course = _flushed(course, who)
    deal = course.deal
    pile = course.gathered[-1].pile if course.gathered else None
    leads = seat is not None and not play.open.plays and play.taken and play.taken[-1].by is None
    if leads and seat is not None and pile in (None, seat.line):
        won = replace(play.taken[-1], by=seat)  # who leads is who has won: nothing else told it
        deal = replace(deal, play=replace(play, taken=(*play.taken[:-1], won), leader=seat))
    laid = Laid(deal.play.number, who, card, move, due, seat is not None, len(deal.play.open.plays))
    last = course.laid[-1] if deal.play.open.plays and course.laid else None
    if last is not None and last.due is who and abs(move.committed_t - last.move.committed_t) <= TOGETHER_S:
        # Pictures have shown both at once: they came in the order of turns, as far as anybody can tell.
        first = replace(laid, due=who, place=last.place)
        then = replace(last, due=last.seat if ANTICLOCKWISE.next(who) is last.seat else last.due, place=laid.place)
        deal = deal.with_taken_back(last.seat, last.card).with_play(who, card).with_play(last.seat, last.card)
        return replace(course, deal=deal, laid=(*course.laid[:-1], first, then))
    return replace(course, deal=deal.with_play(who, card), laid=(*course.laid, laid))


def _off_the_trick(course: Course, move: Movement) -> Course:
    open_, faces = course.deal.play.open, Counter(map(face, move.cards))
    lying = Counter(map(face, open_.cards))
    if not open_.plays or not (faces & lying or UNKNOWN in faces):
        return course  # the trick that was told as gathered already
    full = open_.is_full(course.deal.play.rules)
    if len(move.cards) > 1:
        fits = sum((faces & lying).values()) + faces[UNKNOWN]
        whole = fits >= len(open_.plays) or (full and fits > 1)  # else pictures have missed some that still lie there
        return _gather(course, move.committed_t, None, None, move.id) if whole else course
    card = face(move.cards[0])
    owner = next((seat for seat, one in open_.plays if one == card), None)
    if owner is None or move.seat is not owner or (card == MATTO and full):
        return course  # missed by pictures, the first of a gathering, or the Matto going back to its owner's pile
    laid = list(course.laid)
    place = max(n for n, one in enumerate(laid) if one.number == course.deal.play.number and one.seat is owner)
    del laid[place]
    lifted = (*course.lifted, (owner, card, move.committed_t))
    return replace(course, deal=course.deal.with_taken_back(owner, card), laid=tuple(laid), lifted=lifted)


def _gather(course: Course, t: float, pile: Line | None, cards: int | None, move: int | None) -> Course:
    """The open trick is gathered; a card that nobody saw in it is unread, where the scale does not deny it."""
    deal, number = course.deal, course.deal.play.number
    lifted = {seat: card for seat, card, when in course.lifted if t - when <= LIFTED_S}
    for seat in ANTICLOCKWISE.seats:
        lies = len({who for who, _ in deal.play.open.plays})
        if deal.play.open.card_of(seat) is not None:
            continue
        card = lifted.get(seat) or _crossed(course, seat, t)
        if card == MATTO or cards is None or cards > lies:  # the Matto is not gathered with the others
            deal = deal.with_play(seat, card)
    gathered = Gathered(number, t, pile, cards, move)
    return _won_by_pile(replace(course, deal=deal.with_gathered(), gathered=(*course.gathered, gathered), lifted=()))


def _won_by_pile(course: Course) -> Course:
    """The last trick of a deal whose winner no card tells is the line's to whose pile it was put."""
    taken, gathered = course.deal.play.taken, course.gathered[-1]
    if len(taken) < TRICKS_OF_A_DEAL or taken[-1].by is not None or gathered.pile is None:
        return course
    last = replace(taken[-1], by=gathered.pile.seats[0])
    return replace(course, deal=replace(course.deal, play=replace(course.deal.play, taken=(*taken[:-1], last))))


def _crossed(course: Course, seat: Seat, t: float) -> str:
    """The card that ``seat`` must have laid unseen: the only one that its gate read since the trick before."""
    start = course.gathered[-1].committed_t if course.gathered else -1e9
    held = {card for who, cards in course.deal.hands.held.items() if who is not seat for card in cards}
    gone = course.deal.hands.gone | held
    read = {one.card for one in course.read if one.seat is seat and start < one.committed_t < t} - gone
    return read.pop() if len(read) == 1 else UNKNOWN


# -- piles ------------------------------------------------------------------------------------------------------------


def _to_pile(course: Course, move: Movement) -> Course:
    deal, number = course.deal, len(move.cards)
    line = zone_line(move.target or "")
    if not deal.has_begun:
        return _scarto(course, move, number)
    if line is not None:
        course = replace(course, piled={**course.piled, line: course.piled[line] + number})
    seat = move.seat or zone_seat(move.source or "")
    if number == 1 and seat is not None and face(move.cards[0]) == MATTO:
        return _covered(course, move, seat)
    last = course.gathered[-1] if course.gathered else None
    if last is not None and last.pile is None and line is not None and number > 1:
        told = replace(last, pile=line, cards=number)
        return _won_by_pile(replace(course, gathered=(*course.gathered[:-1], told)))
    open_ = deal.play.open
    if number > 1 and open_.plays and (open_.is_full(deal.play.rules) or number >= SEATS_OF_A_TRICK - 1):
        return _gather(course, move.committed_t, line, number, move.id)
    return course


def _covered(course: Course, move: Movement, seat: Seat) -> Course:
    """The Matto goes to its owner's pile: where no picture has shown it in the trick, it was played to that one."""
    if MATTO in course.deal.hands.gone or course.deal.play.open.card_of(seat) is not None:
        return course
    return _lay(course, move, seat, MATTO)


def _scarto(course: Course, move: Movement, more: int) -> Course:
    lying = max(0, len(course.deal.scarto or ()) + more)
    return replace(course, deal=course.deal.with_scarto(lying), scarto_by=move)


# -- cards that lie apart ---------------------------------------------------------------------------------------------


def _open(course: Course, move: Movement) -> Course:
    seat = move.seat or zone_seat(move.source or "") or zone_seat(move.target or "")
    if seat is None:
        return course
    deal = course.deal
    lying = next((one for one in course.shown if one.seat is seat and one.what == "lying"), None)
    cards = tuple(map(face, move.cards))
    if lying is not None:
        more = replace(lying, cards=(*lying.cards, *cards))
        course = replace(course, shown=tuple(more if one is lying else one for one in course.shown))
    else:
        turn = deal.play.turn
        more = Open(
            seat,
            cards,
            move,
            late=deal.has_played(seat),
            before_scarto=not deal.scarto and not deal.has_begun,
            in_turn=None if turn is None or not deal.has_begun else seat is turn,
            number=deal.play.number,
            turn=turn,
        )
        course = replace(course, shown=(*course.shown, more))
    known = [card for card in cards if card != UNKNOWN]
    course = replace(course, deal=replace(course.deal, hands=course.deal.hands.shown(seat, known)))
    if deal.has_begun and len(more.cards) > 1 and len(more.cards) >= deal.hands.left.get(seat, 0):
        shown = tuple(one for one in course.shown if one is not more)
        return _claimed(replace(course, shown=shown), more)
    return course


def _closed(course: Course, move: Movement) -> Course:
    seat = move.seat or zone_seat(move.source or "") or zone_seat(move.target or "")
    return course if seat is None else _flushed(course, seat)


def _flushed(course: Course, seat: Seat) -> Course:
    """What ``seat`` had lying face up is taken back, or was shown before its card: an accuso, or just cards."""
    lying = next((one for one in course.shown if one.seat is seat and one.what == "lying"), None)
    if lying is None:
        return course
    known = [card for card in lying.cards if card != UNKNOWN]
    is_accuso = not lying.before_scarto and len(lying.cards) > 2 and accuso_points(known) > 0
    told = replace(lying, what="accuso" if is_accuso else "cards")
    course = replace(course, shown=tuple(told if one is lying else one for one in course.shown))
    if not is_accuso:
        return course
    deal = course.deal.with_accuso(seat, lying.cards)
    accusi = (*deal.accusi[:-1], replace(deal.accusi[-1], late=lying.late))
    return replace(course, deal=replace(deal, accusi=accusi))


def _claimed(course: Course, shown: Open) -> Course:
    if course.deal.claims:
        return course
    deal = course.deal.with_claim(shown.seat, shown.cards)
    return replace(course, deal=deal, shown=(*course.shown, replace(shown, what="claim")))


def made_of(deal: Deal, moves: Iterable[Act]) -> Course:
    """The course of ``deal`` by ``moves``, in order."""
    course = Course(deal)
    for move in moves:
        course = after(course, move)
    return course


__all__ = ["PILES", "TRICK", "Act", "Course", "GateRead", "Gathered", "Laid", "Open", "after", "made_of"]
