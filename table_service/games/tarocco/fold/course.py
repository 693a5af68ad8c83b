"""What has happened in one deal, as movements tell it: pure, and made anew where a movement turns out otherwise.

A card has moved whether a rule allows it or not. Who laid it, where no sensor tells, is taken from whose turn it was,
and is then not certain: nobody is accused by it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from hw.cards import TAROCCO, UNKNOWN, face
from hw.seats import ANTICLOCKWISE, SEATS, Line, Seat
from hw.zones import SCARTO, TABLE, side, tricks, zone_line, zone_seat
from table_service.games.tarocco.fold.statements import (
    AccusoStated,
    PileStated,
    ScartoStated,
    Stated,
    TrickStated,
    stated,
)
from table_service.games.tarocco.rules.cards import ALIKE, MATTO, told_apart
from table_service.games.tarocco.rules.deal import TRICKS_OF_A_DEAL, Deal
from table_service.games.tarocco.rules.score import accuso_points
from table_service.games.tricks.play import Taken
from table_service.games.tricks.trick import Trick
from table_service.tracking.movements import Movement

TRICK: Final = "trick"
PILES: Final = (*(tricks(line) for line in Line), SCARTO)
SIDES: Final = frozenset(side(seat) for seat in SEATS)
SEATS_OF_A_TRICK: Final = len(SEATS)
SURE: Final = 0.95
AS_LIKELY_AS_NOT: Final = 0.5
"""Below it the likeliest content of the middle is more likely wrong than right."""
"""A movement at least so sure may accuse somebody, or deny a card."""
TOGETHER_S: Final = 1.0
"""Cards first seen so close to each other may have come in the other order: a picture is taken every half second."""
GATHERS_S: Final = 6.0
"""So long after a trick was seen to leave the middle its pile may tell of it."""
TRICK_TAKES_S: Final = 4.0
"""No trick is gathered sooner after the one before: a pile that tells of two is wavering."""
COUNT_FROM: Final = 9
"""After so many tricks piles that are lifted, or the button of the count, say that all are played."""
PROMPT_S: Final = 1.2
"""A card told later than that came to light late: what lay there before it may have been unseen as well."""
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
    shared: bool = False
    """Whether it was first seen with another card, so that either may be the other's."""

    @property
    def is_dated(self) -> bool:
        """Whether a beam or a gate told when it was laid; of one that none told of nobody knows how long it lay."""
        return "reach" in self.move.basis or "tags" in self.move.basis

    @property
    def is_prompt(self) -> bool:
        """Whether pictures showed the card as it came to rest; else nobody could see for a while before."""
        return self.is_dated and self.move.t - self.move.committed_t <= PROMPT_S


@dataclass(frozen=True, slots=True)
class Gathered:
    """Trick ``number`` was gathered at ``committed_t``. ``pile``: where it was put; ``cards``: how many, if weighed."""

    number: int
    committed_t: float
    pile: Line | None = None
    cards: int | None = None
    move: int | None = None
    piled_t: float = -math.inf
    """When its pile told of it, where that came later: the Matto may have been taken away before the other cards."""


@dataclass(frozen=True, slots=True)
class CountBegins:
    """The button of the count was pressed: all tricks are played, also those that nobody saw."""

    committed_t: float


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
    until: float | None = None
    """When they were taken back; None while they lie."""


@dataclass(frozen=True, slots=True)
class GateRead:
    """The gate of ``seat`` has named ``card`` at ``committed_t``: it crossed there, whatever the camera saw of it."""

    committed_t: float
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A picture at ``committed_t`` showed ``card`` at the place of ``seat`` in the trick; too few did to tell of it."""

    committed_t: float
    seat: Seat
    card: str


Act = Movement | GateRead | Glimpse | CountBegins | Stated


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
    glimpsed: tuple[Glimpse, ...] = ()
    numbers_wrong: tuple[tuple[Seat | None, int, Movement], ...] = ()
    lifted_piles: frozenset[Line] = frozenset()
    guessed: frozenset[str] = frozenset()
    """Cards that no picture has shown well: a gate or one picture has, or they were lifted from the trick."""
    disturbed: frozenset[int] = frozenset()
    """Tricks of which another hand than its player's has taken a card while they seemed to lie open."""
    contradicted: bool = False
    """Whether one of these came to light elsewhere."""
    declared: frozenset[Seat] = frozenset()
    """Who has declared combinations, as a person has heard."""
    named: frozenset[Seat] = frozenset()
    """Of whom a person has entered the composition too: it stands, whatever was seen of it."""
    closed: bool = False
    """Whether the count has begun although fewer tricks were noticed than are played."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played."""
        return self.deal.is_over or self.closed

    def of_trick(self, number: int) -> tuple[Laid, ...]:
        """What was laid to trick ``number`` and still counts."""
        return tuple(one for one in self.laid if one.number == number)


def after(course: Course, move: Act) -> Course:
    """``course`` after ``move``."""
    if isinstance(move, TrickStated | PileStated | ScartoStated | AccusoStated):
        return stated(course, move)
    if course.closed:
        return course
    if isinstance(move, GateRead):
        return replace(course, read=(*course.read, move))
    if isinstance(move, Glimpse):
        return replace(course, glimpsed=(*course.glimpsed, move))
    return _closed_for_count(course, move.committed_t) if isinstance(move, CountBegins) else _moved(course, move)


def _moved(course: Course, move: Movement) -> Course:
    if move.target == TRICK and move.source != TRICK:
        return _laid(course, move)
    if move.source == TRICK:
        return _off_the_trick(course, move)
    if move.target in PILES and move.source not in PILES:
        return _to_pile(course, move)
    if move.source in PILES:
        return _from_pile(course, move) if course.deal.has_begun else _scarto(course, move, -len(move.cards))
    if move.target in SIDES or move.target == TABLE:
        return _open(course, move)
    if move.source in SIDES or move.source == TABLE:
        return _closed(course, move)
    return course


# -- the trick --------------------------------------------------------------------------------------------------------


def _laid(course: Course, move: Movement) -> Course:
    seat = move.seat or zone_seat(move.source or "")
    if seat is not None and _is_whole_hand(course.deal, seat, move.cards) and _are_all_his(course, seat, move):
        return _claimed(course, Open(seat, move.cards, move, late=True, before_scarto=False, in_turn=None))
    cards, is_his = _new_cards(course, move, seat)
    for place, printed in enumerate(cards):
        (card,) = told_apart((printed,), course.deal.hands.gone)
        seen = card not in course.deal.hands.gone  # each face is there once: one that is gone was misread
        if not seen and card in course.guessed:
            course = replace(course, contradicted=True)
        # nobody lays two: the other came while nothing could be seen
        who, shared = (None, True) if place else (seat, not is_his)
        course = _lay(course, move, who, card if seen else UNKNOWN, shared=shared)
    return course


def _new_cards(course: Course, move: Movement, seat: Seat | None) -> tuple[list[str], bool]:
    """The cards of ``move`` that did not lie in the trick before, and whether the first of them is surely ``seat``'s.

    A card that lay there all the while was missed by a picture. Of several the gate tells which one is his; where the
    pictures more likely than not do not show them all, the others are taken for misreadings of that one.
    """
    open_ = course.deal.play.open
    is_another = seat is not None and open_.card_of(seat) is None  # a Moro like the one that another seat has laid
    cards = [
        card
        for card in map(face, move.cards)
        if card == UNKNOWN or card not in open_.cards or (card in ALIKE and is_another)
    ]
    own = {one.card for one in course.read if one.seat is seat}
    cards.sort(key=lambda card: card not in own)
    if move.confidence < AS_LIKELY_AS_NOT and own & set(cards):
        cards = [card for card in cards if card in own]
    return cards, len(cards) == 1 or [card in own for card in cards[:2]] == [True, False]


def _lay(course: Course, move: Movement, seat: Seat | None, card: str, *, shared: bool = False) -> Course:
    if course.deal.play.open.is_full(course.deal.play.rules):
        course = _gather(course, move.committed_t, None, None, None)
    if len(course.deal.play.taken) >= TRICKS_OF_A_DEAL:
        return replace(course, numbers_wrong=(*course.numbers_wrong, (seat, TRICKS_OF_A_DEAL + 1, move)))
    play = course.deal.play
    due = play.turn
    who = seat or due or next(one for one in ANTICLOCKWISE.seats if play.open.card_of(one) is None)
    course = _flushed(course, who, move.committed_t)
    sure = seat is not None and not shared
    deal = _won_by_who_leads(course, who) if sure else course.deal
    laid = Laid(deal.play.number, who, card, move, due, sure, len(deal.play.open.plays), shared)
    last = course.laid[-1] if deal.play.open.plays and course.laid else None
    if last is not None and _came_together(last, laid):
        # Pictures have shown both at once: they came in the order of turns, as far as anybody can tell.
        first = replace(laid, due=who, place=last.place)
        then = replace(last, due=last.seat if ANTICLOCKWISE.next(who) is last.seat else last.due, place=laid.place)
        deal = deal.with_taken_back(last.seat, last.card).with_play(who, card).with_play(last.seat, last.card)
        return replace(course, deal=deal, laid=(*course.laid[:-1], first, then))
    return replace(course, deal=deal.with_play(who, card), laid=(*course.laid, laid))


def _won_by_who_leads(course: Course, seat: Seat) -> Deal:
    """Who leads is who has won the trick before, where nothing else has told it and the pile does not deny it."""
    play = course.deal.play
    if play.open.plays or not play.taken or play.taken[-1].by is not None:
        return course.deal
    if course.gathered and course.gathered[-1].pile not in (None, seat.line):
        return course.deal
    won = replace(play.taken[-1], by=seat)
    return replace(course.deal, play=replace(play, taken=(*play.taken[:-1], won), leader=seat))


def _came_together(last: Laid, laid: Laid) -> bool:
    """Whether ``laid`` was due before ``last`` and may have come before it."""
    near = abs(laid.move.committed_t - last.move.committed_t) <= TOGETHER_S
    return near and last.due is laid.seat and last.seat is not laid.seat


def _off_the_trick(course: Course, move: Movement) -> Course:
    open_, faces = course.deal.play.open, Counter(map(face, move.cards))
    lying = Counter(map(face, open_.cards))
    if not open_.plays or not (faces & lying or UNKNOWN in faces):
        return course  # the trick that was told as gathered already
    full = open_.is_full(course.deal.play.rules)
    if len(move.cards) > 1:
        fits = sum((faces & lying).values()) + faces[UNKNOWN]
        whole = fits >= len(open_.plays) or (full and fits > 1)  # else pictures have missed some that still lie there
        return _gather(course, move.committed_t, None, None, move.id) if whole else _disturbed(course)
    card = face(move.cards[0])
    owner = next((seat for seat, one in open_.plays if one == card), None)
    if owner is None or (card == MATTO and full):
        return course  # missed by pictures, or the Matto going back to its owner's pile
    if move.seat is not owner:
        return _disturbed(course)  # missed by pictures, or the first of a gathering
    return _lifted(course, owner, card, move)


def _disturbed(course: Course) -> Course:
    return replace(course, disturbed=course.disturbed | {course.deal.play.number})


def _lifted(course: Course, owner: Seat, card: str, move: Movement) -> Course:
    """``owner`` takes the card back that he has played to the open trick."""
    laid = list(course.laid)
    place = max(n for n, one in enumerate(laid) if one.number == course.deal.play.number and one.seat is owner)
    del laid[place]
    lifted = (*course.lifted, (owner, card, move.committed_t))
    return replace(course, deal=course.deal.with_taken_back(owner, card), laid=tuple(laid), lifted=lifted)


def _gather(course: Course, t: float, pile: Line | None, cards: int | None, move: int | None) -> Course:
    """The open trick is gathered; a card that nobody saw in it is unread, where the scale does not deny it."""
    deal, number = course.deal, course.deal.play.number
    lifted = {seat: card for seat, card, when in course.lifted if t - when <= LIFTED_S}
    leader, seen = deal.play.leader, deal.play.open
    for seat in ANTICLOCKWISE.seats:
        lies = len({who for who, card in deal.play.open.plays if card != MATTO})  # it may have been put away before
        if deal.play.open.card_of(seat) is not None:
            continue
        card = lifted.get(seat) or _unseen(course, seat, t)
        if card == MATTO or cards is None or cards > lies:  # the Matto is not gathered with the others
            deal = deal.with_play(seat, card)
            course = replace(course, guessed=course.guessed | ({card} - {UNKNOWN}))
    late = any(not one.is_prompt for one in course.of_trick(number))
    deal = replace(deal, play=replace(deal.play, open=_in_turn(deal.play.open, seen, leader, late=late)))
    who_led = seen.is_full(deal.play.rules) or leader is not None
    deal = deal.with_gathered()
    if not who_led or _won_by_shared(course, deal.play.taken[-1]):
        deal = replace(deal, play=replace(deal.play, leader=None, taken=_with_last(deal.play.taken, by=None)))
    gathered = Gathered(number, t, pile, cards, move)
    return _put_to(replace(course, deal=deal, gathered=(*course.gathered, gathered), lifted=()))


def _in_turn(trick: Trick, seen: Trick, leader: Seat | None, *, late: bool) -> Trick:
    """``trick`` in the order of turns where cards that were not seen may have come between those of ``seen``.

    ``late``: some came to light late, so that the order in which they were seen tells nothing.
    """
    seats = [seat for seat, _ in seen.plays]
    if (trick == seen and not late) or leader is None or len(set(seats)) < len(seats):
        return trick
    order = [ANTICLOCKWISE.after(leader, turns) for turns in range(SEATS_OF_A_TRICK)]
    if sorted(seats, key=order.index) != seats and not late:
        return trick  # out of turn
    return Trick(tuple(sorted(trick.plays, key=lambda one: order.index(one[0]))))


def _won_by_shared(course: Course, taken: Taken) -> bool:
    """Whether the card that has won was seen with another, so that it may be the other's."""
    won = [one for one in course.laid if one.number == taken.number and one.seat is taken.by]
    return any(one.shared for one in won)


def _with_last(taken: tuple[Taken, ...], by: Seat | None, pile: Line | None = None) -> tuple[Taken, ...]:
    return (*taken[:-1], replace(taken[-1], by=by, pile=pile))


def _put_to(course: Course) -> Course:
    """The newest trick with the pile that it was put to: whose it is where no card tells."""
    play, gathered = course.deal.play, course.gathered[-1]
    taken = _with_last(play.taken, play.taken[-1].by, gathered.pile)
    return replace(course, deal=replace(course.deal, play=replace(play, taken=taken)))


def _unseen(course: Course, seat: Seat, t: float) -> str:
    """The card that ``seat`` must have laid although nothing was told of it.

    It is the only one that its gate has read since the trick before, else the only one that a picture showed at its
    place; unread where there is none, or another seat may have laid it.
    """
    start = course.gathered[-1].committed_t if course.gathered else _play_began(course)
    held = {card for who, cards in course.deal.hands.held.items() if who is not seat for card in cards}
    not_his = course.deal.hands.gone | held
    for witnesses in (course.read, course.glimpsed):
        told = [one for one in witnesses if start < one.committed_t < t]
        others = {one.card for one in told if one.seat is not seat}  # a coil beside reads a neighbour's card
        cards = {one.card for one in told if one.seat is seat} - not_his - others
        if len(cards) == 1:
            return cards.pop()
    return UNKNOWN


def _play_began(course: Course) -> float:
    """From when on a card that crosses a gate may be played: the scarto lies, or the first card is soon seen."""
    scarto = -math.inf if course.scarto_by is None else course.scarto_by.committed_t
    first = min((one.move.committed_t for one in course.laid), default=math.inf)
    return max(scarto, -math.inf if first == math.inf else first - LIFTED_S)


# -- piles ------------------------------------------------------------------------------------------------------------


def _to_pile(course: Course, move: Movement) -> Course:
    deal, number = course.deal, len(move.cards)
    line = zone_line(move.target or "")
    if not deal.has_begun and not (deal.scarto and move.target != SCARTO and number >= SEATS_OF_A_TRICK - 1):
        return _scarto(course, move, number)
    if line is not None:
        course = replace(course, piled={**course.piled, line: course.piled[line] + number})
    seat = move.seat or zone_seat(move.source or "")
    if number == 1 and seat is not None and face(move.cards[0]) == MATTO:
        return _covered(course, move, seat)
    return course if number == 1 or line is None else _trick_to_pile(course, move, line)


def _trick_to_pile(course: Course, move: Movement, line: Line) -> Course:
    """Cards of a trick came to the pile of ``line``: the one that left the middle, or one that is gathered by that."""
    play, last = course.deal.play, course.gathered[-1] if course.gathered else None
    since = move.committed_t - (last.committed_t if last is not None else -math.inf)
    is_trick, full = len(move.cards) >= SEATS_OF_A_TRICK - 1, play.open.is_full(play.rules)
    waits = last is not None and last.pile is None and not full
    if last is not None and waits and (since <= GATHERS_S or not is_trick or not _played_since(course, last)):
        told = replace(last, pile=line, cards=_weighed(move), piled_t=move.committed_t)
        return _put_to(replace(course, gathered=(*course.gathered[:-1], told)))
    if full or (is_trick and (play.open.plays or since > TRICK_TAKES_S)):
        return _gather(course, move.committed_t, line, _weighed(move), move.id)
    return course


def _played_since(course: Course, last: Gathered) -> bool:
    """Whether a trick may have been played since ``last`` was gathered: a card of it was seen, or several were read."""
    read = {one.seat for one in course.read if one.committed_t > last.committed_t}
    return bool(course.deal.play.open.plays) or len(read) > 1


def _weighed(move: Movement) -> int | None:
    """How many cards a pile says were put to it; None where it is not sure."""
    return len(move.cards) if move.confidence >= SURE else None


def _from_pile(course: Course, move: Movement) -> Course:
    """Cards are lifted from a pile: once both were, or all cards had been put there, the count has begun."""
    line = zone_line(move.source or "")
    if line is None or len(move.cards) < SEATS_OF_A_TRICK:
        return course
    lifted = course.lifted_piles | {line}
    course = replace(course, lifted_piles=lifted)
    all_there = sum(course.piled.values()) + len(course.deal.scarto or ()) >= TAROCCO.size - 1
    return _closed_for_count(course, move.committed_t) if all_there or len(lifted) > 1 else course


def _closed_for_count(course: Course, t: float) -> Course:
    """All tricks are played: what still lies open was gathered, what is missing was never noticed."""
    if course.deal.is_over or len(course.deal.play.taken) < COUNT_FROM:
        return course
    if course.deal.play.open.plays:
        course = _gather(course, t, None, None, None)
    return course if course.deal.is_over else replace(course, closed=True)


def _covered(course: Course, move: Movement, seat: Seat) -> Course:
    """The Matto goes to its owner's pile: where no picture has shown it in the trick, it was played to that one."""
    if MATTO in course.deal.hands.gone or course.deal.play.open.card_of(seat) is not None:
        return course
    return _lay(course, move, seat, MATTO)


def _scarto(course: Course, move: Movement, more: int) -> Course:
    lying = max(0, len(course.deal.scarto or ()) + more)
    return replace(course, deal=course.deal.with_scarto(lying), scarto_by=move)


# -- cards that lie apart ---------------------------------------------------------------------------------------------


def _first_shown(deal: Deal, seat: Seat, cards: tuple[str, ...], move: Movement) -> Open:
    """``cards`` that ``seat`` shows while none of his lies open, with what had been played by then."""
    turn = deal.play.turn
    return Open(
        seat,
        cards,
        move,
        late=deal.has_played(seat),
        before_scarto=not deal.scarto and not deal.has_begun,
        in_turn=None if turn is None or not deal.has_begun else seat is turn,
        number=deal.play.number,
        turn=turn,
    )


def _is_whole_hand(deal: Deal, seat: Seat, cards: tuple[str, ...]) -> bool:
    """Whether ``seat`` has laid out all that he holds, in play: a claim to the tricks that are left.

    In the last trick, of one card each, nobody claims any more: another card beside his is somebody else's.
    """
    left = deal.hands.left.get(seat, 0)
    return deal.has_begun and len(cards) > 1 and len(cards) >= left and (left > 1 or len(cards) > SEATS_OF_A_TRICK)


def _are_all_his(course: Course, seat: Seat, move: Movement) -> bool:
    """Whether the cards of ``move``, first seen at once in the middle, are all of ``seat``, not others' plays as well.

    They are where the trick has no room for them all, or where more than one of them has crossed his gate.
    """
    room = SEATS_OF_A_TRICK - len(course.deal.play.open.plays)
    own = {one.card for one in course.read if one.seat is seat}
    return len(move.cards) > room or sum(face(card) in own for card in move.cards) > 1


def _open(course: Course, move: Movement) -> Course:
    owner = zone_seat(move.target or "") if move.target in SIDES else None
    seat = owner or move.seat or zone_seat(move.source or "") or zone_seat(move.target or "")
    return course if seat is None else _shown_by(course, seat, move)


def _shown_by(course: Course, seat: Seat, move: Movement) -> Course:
    deal = course.deal
    lying = next((one for one in course.shown if one.seat is seat and one.what == "lying"), None)
    cards = tuple(map(face, move.cards))
    before = () if lying is None else lying.cards
    cards = told_apart((*before, *cards))[len(before) :]
    more = _first_shown(deal, seat, cards, move) if lying is None else replace(lying, cards=(*lying.cards, *cards))
    shown = tuple(more if one is lying else one for one in course.shown)
    course = replace(course, shown=shown if lying is not None else (*shown, more))
    known = [card for card in cards if card != UNKNOWN]
    course = replace(course, deal=replace(course.deal, hands=course.deal.hands.shown(seat, known)))
    if _is_whole_hand(deal, seat, more.cards):
        others = tuple(one for one in course.shown if one is not more)
        return _claimed(replace(course, shown=others), more)
    return course


def _closed(course: Course, move: Movement) -> Course:
    owner = zone_seat(move.source or "") if move.source in SIDES else None
    seat = owner or move.seat or zone_seat(move.source or "") or zone_seat(move.target or "")
    return course if seat is None else _flushed(course, seat, move.committed_t)


def _flushed(course: Course, seat: Seat, t: float) -> Course:
    """What ``seat`` had lying face up is taken back, or was shown before its card: an accuso, or just cards."""
    lying = next((one for one in course.shown if one.seat is seat and one.what == "lying"), None)
    if lying is None:
        return course
    known = [card for card in lying.cards if card != UNKNOWN]
    is_accuso = not lying.before_scarto and len(lying.cards) > 2 and accuso_points(known) > 0
    told = replace(lying, what="accuso" if is_accuso else "cards", until=t)
    course = replace(course, shown=tuple(told if one is lying else one for one in course.shown))
    if not is_accuso or (seat in course.named and not lying.late):
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


__all__ = [
    "PILES",
    "PROMPT_S",
    "SIDES",
    "SURE",
    "TRICK",
    "Act",
    "CountBegins",
    "Course",
    "GateRead",
    "Gathered",
    "Glimpse",
    "Laid",
    "Open",
    "after",
    "made_of",
]
