"""Charges on a board: its faults by rows of the catalogue, whom each concerns and who may learn of it now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from hw.cards import UNKNOWN
from hw.seats import Line, Seat
from table_service.games.bridge.codes.figb2010 import UNCONFIRMED
from table_service.games.bridge.fold.board_state import BOUNCE_S, JUST_BEFORE_S, Board
from table_service.games.bridge.fold.screen_course import SEEN_BY_ALL
from table_service.games.bridge.fold.veil import known_tray
from table_service.games.bridge.judges.calls import judge_calls
from table_service.games.bridge.judges.card_play import PACK, CardPlay, PlayFault
from table_service.games.bridge.judges.doubtful_results import possible_tricks, record_doubt
from table_service.games.bridge.judges.opening_lead import judge_leads
from table_service.games.bridge.judges.order_costs import result
from table_service.games.bridge.judges.sides import Told
from table_service.games.bridge.judges.tempo import jumps
from table_service.games.bridge.judges.tray import Faulty, TrayCall
from table_service.games.bridge.judges.verdict import Verdict, Watch
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.tricks.revokes import Revoke
from table_service.games.tricks.trick import Play
from table_service.referee.catalogue import Found

SETTLES_S: Final = 1.5
"""A card out of turn is told only once it has been one so long: the right one may have lain under a hand."""
SEEN_LATE_SETTLES_S: Final = 2.0
"""A call out of turn that was first seen after its tray was passed: the call that was due may come to light as well."""
BOARD_TURNED: Final = "law-15"
READ_AGAIN_S: Final = 6.0
"""What hangs on which card it was is told only once it has been so as long as pictures may be apart, and a little."""
_OF_TURN: Final = frozenset({"lead-out-of-turn", "play-out-of-turn", "second-card", "card-missing"})
_BY_THE_LEAD: Final = frozenset({"lead-out-of-turn"})


@dataclass(frozen=True, slots=True)
class Rests:
    """Readings that must be confirmed before any player is accused.

    ``cards``, ``calls``: readings that it is based on; a call with which of its seat's calls of that name it is.
    ``idle``: seat before which nothing may have come since ``since``. ``together``: two cards of one hand that must
    have been there at once.
    """

    cards: frozenset[Play] = frozenset()
    calls: frozenset[tuple[Seat, str, int]] = frozenset()
    idle: Seat | None = None
    since: float = 0.0
    together: tuple[Seat, str, str] | None = None

    @property
    def both(self) -> tuple[str, ...]:
        """The two cards that must have lain there at once."""
        return () if self.together is None else self.together[1:]


@dataclass(frozen=True, slots=True)
class Charge:
    """One fact against the rules. ``key``: the same as long as it is the same fact, whatever row judges it.

    ``told``: who may be told now; what only one side may know waits until the board is over.
    ``settles``: not told before it has been so for so many seconds. ``is_mended``: it was put right in time.
    ``watch``: whose gain law 23 asks about after the play. ``against``: the line, where no seat is named.
    ``revoke``: seat and trick of a revoke. ``arises``: dated from when it was first so, and at the earliest ``t``.
    ``rests``: what pictures must have shown for it. ``trick``: the trick that it is about. ``note``: it costs nothing
    and stops nothing, whatever its row says. ``confidence``: how well what it rests on was read.
    """

    key: tuple[object, ...]
    row: str
    seat: Seat | None
    t: float
    found: Found
    told: Told = "both"
    cards: tuple[str, ...] = ()
    settles: float = 0.0
    is_mended: bool = False
    needs_referee: bool = False
    readings: tuple[str, ...] = ()
    unconfirmed: bool = False
    watch: Watch | None = None
    against: Line | None = None
    way: str = ""
    revoke: tuple[Seat, int] | None = None
    arises: bool = False
    rests: Rests = Rests()
    trick: int | None = None
    note: bool = False
    confidence: float = 1.0


def charges(board: Board, *, is_over: bool) -> tuple[Charge, ...]:
    """Everything that is wrong on ``board`` as it stands. ``is_over``: nothing more can come of it.

    While a call lies there that nobody could read, nobody is accused in the auction.
    """
    found = [*_of_auction(board, is_over=is_over)] if not board.unread else []
    found += _of_hands(board)
    found += [*_of_screen(board), *_of_leads(board), *_of_play(board), *_of_revokes(board), *_of_result(board)]
    if is_over:
        found += [*_mended(board), *_of_haste(board), *_of_backs(board), *_questions(board, found)]
    return tuple(found)


def behind_screens(board: Board) -> tuple[Charge, ...]:
    """Return what is wrong as far as one side alone may know of it yet: for the arbitro whom that side has called."""
    calls = () if board.unread else tuple(_of_auction(board, is_over=True))
    return tuple(one for one in (*calls, *_of_leads(board)) if one.told != "both")


def _unconfirmed(row: str) -> bool:
    return row in UNCONFIRMED


# -- the board ---------------------------------------------------------------------------------------------------------


def _of_hands(board: Board) -> Iterator[Charge]:
    """Yield charges: a board from elsewhere (15); hands of a wrong size, by the pockets before they were emptied."""
    if board.is_elsewhere:
        yield Charge(("elsewhere",), BOARD_TURNED, None, board.since, "any", needs_referee=True, note=True)
    counts = list(board.taken_out.values())
    whole = len(counts) == len(Seat) and sum(counts) == len(Seat) * TRICKS
    if whole and any(count != TRICKS for count in counts):  # else a scale may be wrong, or a card is elsewhere
        yield Charge(("hands",), "law-13", None, board.since, "before_play", needs_referee=True, unconfirmed=True)


# -- the auction -------------------------------------------------------------------------------------------------------


def _of_auction(board: Board, *, is_over: bool) -> Iterator[Charge]:
    """Faults of calls as all four may know them: what was not passed yet changes nothing that is told."""
    tray = known_tray(board, is_over=is_over)
    for one, verdict in zip(tray.faulty(), judge_calls(tray), strict=True):
        key = "call", one.seat, one.call, one.t
        rests = Rests(calls=frozenset({(one.seat, one.call, tray.nth(TrayCall(one.seat, one.call, one.t)))}))
        charge = _of_verdict(verdict, key, _known_from(one), _found(one), rests)
        yield replace(charge, settles=SEEN_LATE_SETTLES_S) if _was_seen_late(one) else charge


def _was_seen_late(one: Faulty) -> bool:
    """Return True if the call was first seen after its tray was passed: the call that was due may come to light too."""
    return one.passed is not None and one.passed.t - one.t <= JUST_BEFORE_S * 1.5


def _found(one: Faulty) -> Found:
    return "before_pass" if one.passed is None else "after_pass"


def _known_from(one: Faulty) -> float:
    """Time at which the other side could first know of it; across the screen that is when the tray was passed."""
    return one.t if one.passed is None else one.passed.t


def _of_verdict(
    verdict: Verdict, key: tuple[object, ...], t: float, found: Found, rests: Rests | None = None
) -> Charge:
    return Charge(
        key=key,
        row=verdict.row,
        seat=verdict.offender,
        t=t,
        found=found,
        told=verdict.told,
        needs_referee=verdict.needs_referee,
        readings=verdict.options,
        unconfirmed=verdict.unconfirmed or _unconfirmed(verdict.row),
        watch=verdict.watch_23,
        rests=rests or Rests(),
    )


def _mended(board: Board) -> Iterator[Charge]:
    """Irregular calls that were changed before the tray was passed: told once the board is over, as put right."""
    for change in board.tray.changes:
        fault = change.fault
        if fault is not None and not change.passed:
            key = "call", fault.seat, fault.call, fault.t
            rests = Rests(calls=frozenset({(fault.seat, fault.call, 1)}))
            yield Charge(key, "A4-2a", fault.seat, fault.t, "before_pass", is_mended=True, rests=rests)


def _of_haste(board: Board) -> Iterator[Charge]:
    """Jumps without the stop card and hasty calls: told when the board is over, as they tell who called when."""
    if board.unread:
        return
    for one in jumps(board.tray, board.stops):
        yield Charge(("haste", one.what, one.seat, one.t), "NI-18.3", one.seat, one.t, "any")


# -- the screen --------------------------------------------------------------------------------------------------------


def _of_screen(board: Board) -> Iterator[Charge]:
    """Yield a charge if the auction went on while a part of the screen was open (app. 4, 1)."""
    for number, one in enumerate(board.gaps):
        if one.steps == SEEN_BY_ALL:
            yield Charge(("screen", one.part, number), "A4-1", None, one.t, "any")


# -- leads -------------------------------------------------------------------------------------------------------------


def _of_leads(board: Board) -> Iterator[Charge]:
    opening = board.opening
    if opening is None:
        return
    for lead, verdict in zip(opening.wrong, judge_leads(opening), strict=True):
        t = lead.t if opening.opened is None else max(lead.t, opening.opened)
        found: Found = "before_lead" if opening.opened is None else "after_lead"
        charge = _of_verdict(verdict, ("lead", lead.seat), t, found)
        cards = () if lead.card == UNKNOWN else (lead.card,)
        # where nothing told of the aperture, declarer's side may have opened it upon the lead, which accepts that
        yield replace(charge, cards=cards, note=opening.inferred)


# -- the play ----------------------------------------------------------------------------------------------------------


def _of_play(board: Board) -> Iterator[Charge]:
    play = board.play
    if play is None:
        return
    doubt = record_doubt(play)
    if doubt in ("turned", "other"):
        first = next((one.t for one in play.faults if one.wrong == "not-held"), board.since)
        yield Charge(("record",), BOARD_TURNED, None, first, "after_lead", needs_referee=True, unconfirmed=True)
    for one in play.faults:
        if one.wrong == "not-held" and doubt:
            continue  # the hands are not the record's: one fact, and no player's fault
        if not _is_judged_as_lead(board, one) and _is_sure(board, one) and not _may_have_been_there(board, one):
            yield Charge(
                key=("play", one.wrong, one.seat, one.card, one.number),
                row=one.row,
                seat=one.seat,
                t=one.t,
                found="after_lead",
                cards=() if one.card == UNKNOWN else (one.card,),
                settles=SETTLES_S if one.wrong in _OF_TURN else READ_AGAIN_S,
                unconfirmed=_unconfirmed(one.row),
                rests=_play_rests_on(play, one),
                trick=one.number,
            )
    for number, t in enumerate(board.shut):
        yield Charge(("shut", number), "A4-3c", None, t, "any", settles=BOUNCE_S)


def _may_have_been_there(board: Board, one: PlayFault) -> bool:
    """Return True if a card of the seat in turn may have been there, misread as one of his turned cards.

    A later reading, when that trick is past, does not count.
    """
    is_past = board.play is None or one.number < board.play.play.number - 1
    if is_past or one.wrong not in ("lead-out-of-turn", "play-out-of-turn"):
        return False
    return any(seat is one.due for seat, _ in board.again)


def _play_rests_on(play: CardPlay, one: PlayFault) -> Rests:
    """Return what ``one`` rests on: who was due on who won, what is missing on looks that show nothing."""
    own = frozenset({(one.seat, one.card)})
    before = [trick for number, trick in enumerate(play.tricks, 1) if number == one.number - 1]
    match one.wrong:
        case "card-missing":
            return Rests(idle=one.seat, since=one.t)
        case "second-card":
            first = play.tricks[one.number - 1].card_of(one.seat) if one.number <= len(play.tricks) else None
            return Rests(own, together=None if first is None else (one.seat, first, one.card))
        case "lead-out-of-turn" | "play-out-of-turn":
            cards = own | {it for trick in before for it in trick.plays if it[1] != UNKNOWN}
            return Rests(cards, idle=one.due, since=one.t)
        case _:
            return Rests(own)


def _revoke_rests_on(play: CardPlay, one: Revoke) -> frozenset[Play]:
    """Return the cards that ``one`` rests on: what was led, what was played, and what shows that another was held.

    None where all 52 were read as different ones: a misread card would have been another's face.
    """
    if len(PACK.intersection(card for trick in play.tricks for card in trick.cards)) == len(PACK):
        return frozenset()
    trick = play.tricks[one.number - 1]
    own = frozenset({trick.plays[0], (one.seat, one.card)})
    if one.proof is not None:
        return own if one.proved_in is None else own | {(one.seat, one.proof)}
    has_record = play.record is not None and one.seat in play.record
    return own if has_record else frozenset(card for trick in play.tricks for card in trick.plays)


def _is_judged_as_lead(board: Board, one: PlayFault) -> bool:
    """Return True if a wrong opening lead is judged behind the screen (``_of_leads``)."""
    opening = board.opening
    return (
        one.number == 1
        and one.wrong in _BY_THE_LEAD
        and opening is not None
        and any(lead.seat is one.seat for lead in opening.wrong)
    )


def _is_sure(board: Board, one: PlayFault) -> bool:
    """Return True if it is no misreading: in a trick that was not wholly read, no player is accused of its order."""
    play = board.play
    if play is None or one.wrong not in _OF_TURN:
        return True
    before = play.turned[one.number - 2 : one.number - 1] if one.number > 1 else ()
    return one.wrong == "second-card" or all(len(it.trick.plays) == len(Seat) and it.by is not None for it in before)


def _of_revokes(board: Board) -> Iterator[Charge]:
    play = board.play
    if play is None:
        return
    two = {(one.seat, one.number) for one in play.faults if one.wrong == "second-card"}
    for one, is_established in play.revokes():
        if (one.seat, one.number) in two and one.number == play.play.number:
            continue  # which of the two cards was played is still open (58)
        yield Charge(
            key=("revoke", one.seat, one.number),
            row="law-61",
            seat=one.seat,
            t=_time_of(board, one.number, one.seat),
            found="after_lead",
            cards=(one.card,),
            unconfirmed=_unconfirmed("law-61"),
            settles=READ_AGAIN_S,
            way="established" if is_established else "corrected",
            revoke=(one.seat, one.number),
            rests=Rests(_revoke_rests_on(play, one)),
            trick=one.number,
            note=one.seat is play.dummy,  # 64B3
        )


def _time_of(board: Board, number: int, seat: Seat) -> float:
    """Return when ``seat`` played to trick ``number``; of a card that no picture showed, about when."""
    own = board.played_at.get((seat, number))
    if own is not None:
        return own
    turned = next((one.t for one in board.quits if (one.seat, one.number) == (seat, number)), None)
    if turned is not None:
        return turned
    opened = None if board.opening is None else board.opening.opened
    return max((one.t for one in board.quits if one.number < number), default=opened or board.since)


def _of_result(board: Board) -> Iterator[Charge]:
    """Yield a charge if the result that was stated is not that of the tricks as they were played (79)."""
    play, stated = board.play, board.stated
    if play is None or stated is None or stated.by_arbitro:
        return
    won = result(play, board.lead_orders, board.play_orders)
    if stated.tricks != won if won is not None else stated.tricks not in possible_tricks(play):
        line = play.contract.declarer.line
        yield Charge(("result",), "law-79", None, stated.t, "hand_end", needs_referee=True, against=line)


def _of_backs(board: Board) -> Iterator[Charge]:
    """Cards that still lie in the wrong direction when the board is over: the count follows the cards (65)."""
    if board.play is None:
        return
    turned = {one.number: one for one in board.play.turned}
    for one in board.quits:
        trick = turned.get(one.number)
        if trick is None or trick.by is None or one.points_to is None or trick.by.line is one.points_to:
            continue
        yield Charge(
            key=("back", one.seat, one.number),
            row="law-65",
            seat=one.seat,
            t=one.t,
            found="hand_end",
            unconfirmed=_unconfirmed("law-65"),
            rests=Rests(frozenset(trick.trick.plays)),
        )


def _questions(board: Board, found: list[Charge]) -> Iterator[Charge]:
    """Once, after the play: whose gain law 23 asks about."""
    for one in found:
        if one.watch is not None and one.told == "both":
            against = None if one.watch == "both" else one.watch
            t = max(one.t, board.over_t or 0.0)
            yield Charge(("23", *one.key), "law-23", None, t, "hand_end", needs_referee=True, against=against)
