"""The count of a deal twice over: by the ledger of tricks, and by the piles that lie face up at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hw.cards import TAROCCO, UNKNOWN, face
from hw.seats import ANTICLOCKWISE, LINES, Line, Seat
from table_service.games.tarocco.fold.certainty import certain_tricks, claim_holds
from table_service.games.tarocco.fold.course import SEATS_OF_A_TRICK, SIDES, Course, Laid
from table_service.games.tarocco.rules.card_points import BEGATO, MATTO, told_apart, worth
from table_service.games.tarocco.rules.deal import SCARTO, TRICKS_OF_A_DEAL, Accuso, TaroccoDeal
from table_service.games.tarocco.rules.document import why
from table_service.games.tarocco.rules.piles import last_trick, piles
from table_service.games.tarocco.rules.score import LinePile, LineScore, idle_in_accuso, score_line, unseen_cards
from table_service.table.scores import Count

Piles = dict[Line, tuple[str, ...]]
_ZEROED: Final = ("cricche", "sequences", "last_trick", "accusi")
"""What a line loses that counts its scartini only."""
SHOWING_S: Final = 6.0
"""Who lays his first card so long after the one before may have shown cards that no picture caught."""


@dataclass(frozen=True, slots=True)
class CountRulings:
    """Effects of rulings on the count. ``only_scartini``: lines that count these alone; ``undecided``: lines that may.

    ``false_claim``: True if the claim was ruled to be false; None: no ruling. ``void``: accusi that count nothing, by
    seat and cards; no cards: all that the seat has shown. ``points``: given by the Giuria, or taken off.
    """

    only_scartini: frozenset[Line] = frozenset()
    undecided: frozenset[Line] = frozenset()
    false_claim: bool | None = None
    void: frozenset[tuple[Seat, frozenset[str]]] = frozenset()
    points: Mapping[Line, int] = field(default_factory=lambda: dict.fromkeys(LINES, 0))
    last_trick_with_scartini: bool = False


def scarto_of(course: Course) -> tuple[str, ...]:
    """Return the cards of the scarto as far as known: by elimination once all others have been seen in tricks."""
    deal = course.deal
    lying = deal.scarto if deal.scarto is not None else (UNKNOWN,) * SCARTO
    played = [card for one in deal.play.taken for card in one.trick.cards]
    left = set(TAROCCO.copies) - set(played)
    whole = len(deal.play.taken) == TRICKS_OF_A_DEAL and UNKNOWN not in played
    return tuple(sorted(left)) if whole and len(left) == len(lying) else lying


def ledger_piles(course: Course, ruled: CountRulings, given: str | None = None) -> Piles:
    """Return what each line has won by its tricks, the scarto, the Matto's exchange and a claim with it."""
    deal = replace(course.deal, scarto=scarto_of(course), given=given)
    found = piles(deal)
    if deal.claims:
        found = _with_claim(course, found, ruled)
    return found


def _with_claim(course: Course, found: Piles, ruled: CountRulings) -> Piles:
    """Add the cards still held when a hand was laid out: the claimer of all tricks gets them, or loses his own."""
    claim = course.deal.claims[-1]
    others = TAROCCO.size - sum(map(len, found.values())) - len(claim.cards)
    mine, theirs = claim.seat.line, claim.seat.line.other
    holds = _holds(course, ruled)
    if holds is None:
        return {mine: found[mine], theirs: (*found[theirs], *((UNKNOWN,) * (others + len(claim.cards))))}
    if holds:
        return {mine: (*found[mine], *claim.cards, *((UNKNOWN,) * others)), theirs: found[theirs]}
    # Whose the others' cards are is not written: they stand in the opponents' pile as unknown, so that it is doubtful.
    return {mine: found[mine], theirs: (*found[theirs], *claim.cards, *((UNKNOWN,) * others))}


def _holds(course: Course, ruled: CountRulings) -> bool | None:
    """Return True if the claimer of all tricks left gets them: as ruled, else as the cards tell; None: unknown."""
    return claim_holds(course) if ruled.false_claim is None else not ruled.false_claim


def owned_before_exchange(deal: TaroccoDeal) -> Piles:
    """Each line's cards as it took them, the Matto with its owner and no card given for it."""
    lines: dict[Line, list[str]] = {line: [] for line in LINES}
    lines[deal.scartatore.line] += deal.scarto or ()
    for one in deal.play.taken:
        for seat, card in one.trick.plays:
            if one.line is not None:
                lines[seat.line if card == MATTO else one.line].append(card)
    return {line: tuple(cards) for line, cards in lines.items()}


def is_whole(course: Course, found: Piles) -> bool:
    """Return True if the ledger holds every card of the deal once, and knows whose the Matto is.

    A trick that nobody saw, or two cards of one player in a trick, make piles that say nothing for certain; and an
    unread card that may be the Matto would lie with its owner.
    """
    named = [card for cards in found.values() for card in cards]
    if course.closed or course.contradicted or course.numbers_wrong:
        return False
    return len(named) == TAROCCO.size and (MATTO in named or UNKNOWN not in named)


def camera_piles(shown: Mapping[Seat, tuple[str, ...]], ledger: Piles, *, certain: bool = True) -> Piles:
    """Return the piles that lie face up whole: all cards of the pack between them, or as many as the line has won.

    ``certain``: whether the ledger knows how many a line has won; else a pile alone may lack as many as the ledger.
    """
    lying = {line: tuple(face(c) for seat, own in shown.items() if seat.line is line for c in own) for line in LINES}
    both = told_apart((*lying[Line.NS], *lying[Line.EW]))
    number = len(lying[Line.NS])
    lying = {Line.NS: both[:number], Line.EW: both[number:]}
    if sorted(card for cards in lying.values() for card in cards) == sorted(TAROCCO.copies):
        return lying
    found = {
        line: cards
        for line, cards in lying.items()
        if certain and cards and len({*cards} - {UNKNOWN}) == len(cards) == len(ledger[line])
    }
    if set(found) == set(LINES) and set(found[Line.NS]) & set(found[Line.EW]):
        return {}
    return found


def counted(
    course: Course, shown: Mapping[Seat, tuple[str, ...]], ruled: CountRulings, put: str | None = None
) -> tuple[Count, Piles]:
    """Return the count of ``course``, and the piles that it is based on.

    ``shown``: cards that lie face up before each seat. ``put``: the card that was seen to be given for the Matto.
    """
    whole = course.is_over
    raw = ledger_piles(course, ruled, put)
    camera = camera_piles(shown, raw, certain=is_whole(course, raw)) if whole else {}
    given = _given(course, camera) or put
    ledger = ledger_piles(course, ruled, given) if given is not None else raw
    certain = is_whole(course, ledger)
    camera, ledger = undisputed(camera, ledger)
    last = _last(course, ruled)
    unseen = frozenset(line for line in LINES if not saw_accusi(course, line, ruled)) - ruled.only_scartini
    own = {line: _line_pile(course, line, ledger[line], last, ruled) for line in LINES}
    seen = {line: _line_pile(course, line, camera[line], last, ruled) for line in camera}
    by_ledger = _scores(own, ruled, whole=whole and certain, over=whole, unseen=unseen)
    by_camera = _scores(seen, ruled, whole=whole, over=whole, unseen=unseen)
    differences = _differences(camera, ledger) if certain else []
    lines, doubtful = _joined(by_ledger, by_camera)
    best = {line: camera.get(line, ledger[line] if certain else ()) for line in LINES}
    count = Count(
        lines={str(line): _told(lines[line], why(_best(own, seen, line), lines[line])) for line in LINES},
        camera={str(line): _told(by_camera.get(line)) for line in LINES},
        ledger={str(line): _told(by_ledger[line]) for line in LINES},
        agrees=not differences,
        doubtful=doubtful,
        differences=tuple(differences),
    )
    return count, best


def undisputed(camera: Piles, ledger: Piles) -> tuple[Piles, Piles]:
    """Both piles, a card unknown that a picture shows in the one pile and the ledger has in the other.

    Either may be misread, and a picture of both piles would say which.
    """
    if len(camera) != 1:
        return camera, ledger
    ((line, seen),) = camera.items()
    both = (set(seen) & set(ledger[line.other])) - {UNKNOWN}
    if not both:
        return camera, ledger
    left = {line: _without(seen, both)}
    return left, {**ledger, line.other: _without(ledger[line.other], both)}


def _without(cards: tuple[str, ...], disputed: set[str]) -> tuple[str, ...]:
    return tuple(UNKNOWN if card in disputed else card for card in cards)


def begato_of(found: Piles) -> Line | None:
    """Return who has the Begato in its pile; None where nobody knows."""
    return next((line for line in LINES if BEGATO in found[line]), None)


def _given(course: Course, camera: Piles) -> str | None:
    if set(camera) != set(LINES):
        return None
    deal = replace(course.deal, scarto=scarto_of(course))
    before = owned_before_exchange(deal)
    for one in deal.play.taken:
        owner = next((seat.line for seat, card in one.trick.plays if card == MATTO), None)
        if owner is None or one.line in (None, owner):
            continue
        moved = [c for c in before[owner] if c != UNKNOWN and worth(c) == 1 and c in camera[owner.other]]
        return moved[0] if len(moved) == 1 else None
    return None


def _last(course: Course, ruled: CountRulings) -> Line | None:
    deal = course.deal
    if course.numbers_wrong:
        return None  # a card was played after it: one trick too many was told
    if not deal.claims:
        return None if _is_denied(course) else last_trick(deal)
    claim = deal.claims[-1]
    return claim.seat.line if _holds(course, ruled) else None


def _is_denied(course: Course) -> bool:
    """Return True if the last trick was put to the other line's pile than its winner's, who is not certain."""
    taken = course.deal.play.taken
    if not taken or taken[-1].by is None or taken[-1].pile in (None, taken[-1].by.line):
        return False
    return len(taken) not in certain_tricks(course)


def _line_pile(course: Course, line: Line, pile: tuple[str, ...], last: Line | None, ruled: CountRulings) -> LinePile:
    accusi = tuple(
        one.cards for one in course.deal.accusi if one.seat.line is line and not one.late and not _is_void(one, ruled)
    )
    return LinePile(
        pile=pile,
        last_trick=None if last is None else last is line,
        accusi=accusi,
        only_scartini=line in ruled.only_scartini,
        penalty=ruled.points.get(line, 0),
    )


def saw_accusi(course: Course, line: Line, ruled: CountRulings) -> bool:
    """Return True if pictures could show what the players of ``line`` have shown before their first cards.

    Where a first card, or the one before it, came to light late or never, or its player waited long and showed
    nothing, an accuso may have been missed, or a card of it: what the accusi count is unknown then. What a person has
    entered is known; of a declaration whose cards nobody has seen or named nobody knows what it counts, unless it was
    ruled void.
    """
    settled = {one.seat for one in course.deal.accusi if not one.late} | {seat for seat, _ in ruled.void}
    if any(seat in course.declared - settled for seat in line.seats):
        return False
    return all(seat in course.named or _saw_before_first_card(course, seat) for seat in line.seats)


def _saw_before_first_card(course: Course, seat: Seat) -> bool:
    """Return True if pictures could show what ``seat`` has shown before its first card."""
    if _showed_more(course, seat):
        return False
    trick = {one.seat: one for one in reversed(course.laid) if one.number == 1}
    own = trick.pop(seat, None)
    before = sorted((one for one in trick.values() if own is None or one.place < own.place), key=_place)[-1:]
    came_t = _gathered_with(course, seat, trick) if own is None else own.move.committed_t
    about = before if own is None else [*before, own]
    if came_t is None or not all(one.came_in_view for one in about):
        return False
    shown = any(one.seat is seat for one in course.shown)
    return shown or not before or came_t - before[0].earliest_t <= SHOWING_S


def _place(laid: Laid) -> int:
    return laid.place


def _gathered_with(course: Course, seat: Seat, trick: Mapping[Seat, Laid]) -> float | None:
    """Return when the first trick was gathered, if the card of ``seat`` came last to it and was seen no sooner."""
    taken = course.deal.play.taken
    if len(trick) != SEATS_OF_A_TRICK - 1 or not taken or seat not in (who for who, _ in taken[0].trick.plays):
        return None
    if ANTICLOCKWISE.next(max(trick.values(), key=_place).seat) is not seat:
        return None  # others laid after him: what pictures missed lay there for longer
    return next((one.committed_t for one in course.gathered if one.number == 1), None)


def _showed_more(course: Course, seat: Seat) -> bool:
    """Return True if ``seat`` has shown cards before his first one that make no combination: others were missed.

    So were others of an accuso in which a card is part of none.
    """
    apart = (one for one in course.shown if one.seat is seat and one.what == "cards" and not one.late)
    if any(not one.before_scarto and (len(one.cards) > 1 or one.move.target in SIDES) for one in apart):
        return True
    return any(idle_in_accuso(one.cards) for one in course.deal.accusi if one.seat is seat and not one.late)


def _is_void(accuso: Accuso, ruled: CountRulings) -> bool:
    return any(seat is accuso.seat and cards in (frozenset(), frozenset(accuso.cards)) for seat, cards in ruled.void)


def _scores(
    lines: Mapping[Line, LinePile], ruled: CountRulings, *, whole: bool, over: bool, unseen: frozenset[Line]
) -> dict[Line, LineScore]:
    others = unseen_cards(lines.values()) if len(lines) == len(LINES) else tuple(TAROCCO.copies)
    found = {}
    for line, pile in lines.items():
        score = score_line(pile, others, last_trick_with_scartini=ruled.last_trick_with_scartini)
        items = dict(score.items)
        if not whole:
            items |= dict.fromkeys(("cricche", "sequences", "scartini"))
        if not over:
            items["last_trick"] = None
        if line in unseen:
            items["accusi"] = None
        if line in ruled.undecided:
            items |= {name: None if items[name] else items[name] for name in _ZEROED}
        found[line] = LineScore(items, tuple(name for name, value in items.items() if value is None))
    return found


def _joined(
    ledger: Mapping[Line, LineScore], camera: Mapping[Line, LineScore]
) -> tuple[dict[Line, LineScore], tuple[str, ...]]:
    """Return what both say, or the one that knows; None where they differ."""
    joined, doubtful = {}, []
    for line in LINES:
        items = dict(ledger[line].items)
        if line in camera:
            for name, value in camera[line].items.items():
                items[name] = value if items[name] in (None, value) else None if value is not None else items[name]
        missing = tuple(name for name, value in items.items() if value is None)
        joined[line] = LineScore(items, missing)
        doubtful += [f"{line}.{name}" for name in missing]
    return joined, tuple(doubtful)


def _best(own: Mapping[Line, LinePile], seen: Mapping[Line, LinePile], line: Line) -> LinePile:
    return seen[line] if line in seen and UNKNOWN in own[line].pile else own[line]


def _differences(camera: Piles, ledger: Piles) -> list[dict[str, Any]]:
    """Return the piles in which camera and ledger differ, with the cards."""
    return [
        {"line": str(line), "item": "pile", "cards": cards, "camera": list(camera[line]), "ledger": list(ledger[line])}
        for line in camera
        if (cards := _differing(camera[line], ledger[line]))
    ]


def _differing(camera: tuple[str, ...], ledger: tuple[str, ...]) -> list[str]:
    """Return the cards that only one of them has, unless an unknown card of the ledger can be it."""
    one, other = Counter(camera), Counter(ledger)
    more, less = one - other, other - one
    free = less.pop(UNKNOWN, 0)
    return sorted([*less, *(list(more.elements())[free:] if sum(more.values()) > free else [])])


def _told(score: LineScore | None, reasons: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    if score is None:
        return {"items": {}, "total": None}
    told: dict[str, Any] = {"items": dict(score.items), "total": score.total}
    return told if reasons is None else {**told, "why": reasons}
