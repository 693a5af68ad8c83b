"""Leads, play and result of a board: what cards, aperture and people do to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN
from hw.seats import Seat
from table_service.games.bridge.fold.board_state import BOUNCE_S, Board, Quit
from table_service.games.bridge.fold.heard import (
    Agreed,
    Attention,
    ResultStated,
)
from table_service.games.bridge.judges.card_play import CardPlay, OwnCard
from table_service.games.bridge.judges.opening_lead import Opening
from table_service.games.bridge.judges.two_cards import second_was_lead, with_second
from table_service.games.bridge.reading.acts import (
    ApertureClosed,
    ApertureOpened,
    CardFaced,
    CardGone,
    CardPlayed,
    CardQuitted,
    CardRenamed,
    Faced,
    LaidFaceDown,
    PocketWeighed,
    TurnedUnseen,
)
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.tricks.trick import Trick

ONE_PICTURE_S: Final = 1e-4
"""Acts of one picture are dated at most so far apart."""

# -- before the play ---------------------------------------------------------------------------------------------------


def aperture_opened(board: Board, act: ApertureOpened) -> Board:
    """Open the aperture: what lies faced is the lead. If it was down for less than a second, its contact bounced."""
    if board.shut and act.t - board.shut[-1] < BOUNCE_S:
        board = replace(board, shut=board.shut[:-1])
    if board.opening is None:
        return board
    return begun(replace(board, opening=board.opening.aperture_opened(act.by, act.t)))


def aperture_closed(board: Board, act: ApertureClosed) -> Board:
    """Close the aperture; during the play that is a question."""
    in_play = is_playing(board) and not board.is_over and board.claim is None
    return replace(board, shut=(*board.shut, act.t)) if in_play else board


def attention(board: Board, act: Attention) -> Board:
    """Somebody calls the arbitro."""
    return board if board.opening is None else replace(board, opening=board.opening.called(act.t))


def laid_face_down(board: Board, act: LaidFaceDown) -> Board:
    """Lay a lead face down; once cards are played, a card that was turned before a picture showed its face."""
    if is_playing(board):
        return turned_unseen(board, TurnedUnseen(act.t, act.seat, None))
    if board.opening is None:
        return board
    return replace(board, opening=board.opening.led(act.seat, UNKNOWN, act.t, face_up=False))


def faced(board: Board, act: Faced) -> Board:
    """Turn up a lead."""
    if board.opening is None or is_playing(board):
        return card_played(board, CardPlayed(act.t, act.seat, act.card))
    return begun(replace(board, opening=board.opening.faced(act.seat, act.card, act.t)))


def begun(board: Board) -> Board:
    """``board`` with the lead that stands as the first card of the play, once the aperture is open.

    The right one stands where it was faced, and the other defender's is exposed; else the first wrong one.
    """
    opening, play = board.opening, board.play
    if opening is None or play is None or opening.opened is None or play.tricks:
        return board
    up = [one for one in opening.leads if one.faced is not None]
    right = next((one for one in up if one.seat is opening.leader), None)
    if right is None and not up:
        return board
    stands = right or up[0]
    play = play.played(stands.seat, stands.card, stands.faced or stands.t)
    for one in up:
        if one is not stands:
            play = play.showed(one.seat, [one.card], one.t, deliberate=True)
    return replace(board, play=play)


# -- the play ----------------------------------------------------------------------------------------------------------


def is_playing(board: Board) -> bool:
    """Return True once a card of the first trick was played."""
    return board.play is not None and bool(board.play.tricks)


def card_played(board: Board, act: CardPlayed) -> Board:
    """Play a card before a player: a lead while the aperture is closed, then one of the play."""
    if board.opening is None or board.play is None:  # no auction has ended, as far as anybody has read it
        early = (act.seat, act.card, act.t)
        is_known = act.card != UNKNOWN and board.over_t is None
        return replace(board, laid_early=(*board.laid_early, early)) if is_known else board
    if board.play.count == TRICKS:
        return board
    if act.card != UNKNOWN and any((act.seat, act.card) in trick.plays for trick in board.play.tricks):
        kept = tuple(one for one in board.gone if (one.seat, one.card) != (act.seat, act.card))
        return replace(board, gone=kept, again=(*board.again, (act.seat, act.card)))
    return _to_trick(board, act) if board.play.tricks else _led(board, board.opening, act)


def _less(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    place = seats.index(seat)
    return (*seats[:place], *seats[place + 1 :])


def _led(board: Board, opening: Opening, act: CardPlayed) -> Board:
    missed = act.seat.line is opening.declarer.line and any(one.faced is not None for one in opening.leads)
    if opening.opened is None and missed:
        return _to_trick(begun(replace(board, opening=opening.aperture_opened(None, act.t, inferred=True))), act)
    if opening.opened is None or not _follows_lead(board, act.seat):
        return begun(replace(board, opening=opening.faced(act.seat, act.card, act.t)))
    return _to_trick(board, act)


def _follows_lead(board: Board, seat: Seat) -> bool:
    """Return True if the lead of somebody else already lies faced."""
    return board.opening is not None and any(
        one.faced is not None and one.seat is not seat for one in board.opening.leads
    )


def _in_turn_without(play: CardPlay, gone: tuple[CardGone, ...], seat: Seat, own: OwnCard) -> CardPlay:
    """``play`` without the cards that no picture shows any more, where only so the next card of ``seat`` is in turn.

    They were taken back, else ``play`` as it is: they were turned.
    """
    less = _without_gone(play, gone)
    again = any(one.seat is seat for one in gone) and not play.begins_next(seat, own)
    is_lead = len(play.play.open.plays) == 1 and less.turn() is seat
    return less if again or is_lead or (play.turn() is not seat and less.turn() is seat) else play


def _to_trick(board: Board, act: CardPlayed) -> Board:
    if board.play is None:
        return board
    play, gone, own = board.play, board.gone, _own_card(board, act.seat)
    newest, is_full = board.newest, play.play.open.is_full(play.play.rules)
    board = replace(board, newest=(act.seat, act.t))
    if is_full and own == "lies" and newest is not None and _came_at_once(newest, act):
        return replace(board, play=with_second(play, act.seat, act.card, act.t))
    play = second_was_lead(play)
    if is_full:
        play = _corrected(board, play, act)
    elif _are_all_gone(play, gone) and play.play.open.card_of(act.seat) is not None:
        play = play.turned_unseen(act.t, act.seat)
    elif gone:
        play = _in_turn_without(play, gone, act.seat, own)
    play = play.played(act.seat, act.card, act.t, own, clear=act.clear)
    board = replace(board, played_at={**board.played_at, (act.seat, play.play.number): act.t})
    kept = tuple(one for one in gone if (one.seat, one.card) in play.play.open.plays)
    return replace(board, play=play, gone=kept)


def _came_at_once(newest: tuple[Seat, float], act: CardPlayed) -> bool:
    """Return True if the first picture of the seat's card before showed the card of ``act`` as well."""
    seat, t = newest
    return seat is act.seat and abs(act.t - t) <= ONE_PICTURE_S


def _are_all_gone(play: CardPlay, gone: tuple[CardGone, ...]) -> bool:
    """Return True if no card of the open trick is shown any more, and the log cannot show backs: it was turned."""
    left = {(one.seat, one.card) for one in gone if one.may_be_turned}
    return len(play.play.open.plays) > 1 and left.issuperset(play.play.open.plays)


def _corrected(board: Board, play: CardPlay, act: CardPlayed) -> CardPlay:
    """Return ``play`` without the card that ``act`` replaces in a full trick: a revoke is mended until the next lead.

    So it is where that card is gone, the seat has not turned it, and it either has not won with it, so that it is not
    to lead, or follows suit only now (62A). Once others have turned theirs both must be so. A card that was turned up
    again and picked up is replaced by one that follows suit only now.
    """
    trick, number = play.play.open, play.play.number
    all_gone = [one for one in board.gone if (one.seat, one.card) in trick.plays]
    gone = tuple(one for one in all_gone if one.seat is act.seat)
    turned = [one.seat for one in board.quits if one.number == number]
    if not gone or len(all_gone) > len(gone) or act.seat in turned:
        return play
    was_turned = any(one.was_turned for one in gone)
    signs = _follows_only_now(play, act, gone), was_turned or play.winner(trick, number) is not act.seat
    return _without_gone(play, gone) if (all(signs) if turned or was_turned else any(signs)) else play


def _follows_only_now(play: CardPlay, act: CardPlayed, gone: tuple[CardGone, ...]) -> bool:
    """Return True if the card of ``act`` is of the suit that was led, and those that are ``gone`` were not."""
    led, suit_of = play.play.open.led(play.play.rules), play.play.rules.suit
    return suit_of(act.card) == led and all(suit_of(one.card) != led for one in gone)


def _own_card(board: Board, seat: Seat) -> OwnCard:
    """Return what became of the card of ``seat`` in the open trick: it lies there until its back was seen."""
    play = board.play
    card = None if play is None else play.play.open.card_of(seat)
    if play is None or card is None:
        return "unknown"
    number = play.play.number
    is_turned = any((one.seat, one.number, one.card) == (seat, number, card) for one in board.quits)
    return "turned" if is_turned else "lies"


def _without_gone(play: CardPlay, gone: tuple[CardGone, ...]) -> CardPlay:
    for one in gone:
        is_back = one.is_sure and not one.may_be_turned  # else nobody is accused of having taken a card back
        play = play.taken_back(one.seat, one.card, one.t) if is_back else play.never_lay(one.seat, one.card)
    return play


def card_named(board: Board, act: CardRenamed) -> Board:
    """Name a card that is read, or read otherwise: in a lead, or in the trick to which it was played last."""
    if (act.seat, act.old) in board.again:  # what was taken for a card of an earlier trick is another one
        left = tuple(one for one in board.again if one != (act.seat, act.old))
        return card_played(replace(board, again=left), CardPlayed(act.t, act.seat, act.new))
    opening = board.opening
    if opening is not None:
        leads = tuple(
            replace(one, card=act.new) if (one.seat, one.card) == (act.seat, act.old) else one for one in opening.leads
        )
        board = replace(board, opening=replace(opening, leads=leads))
    return board if board.play is None else replace(board, play=_named_in(board.play, act))


def _named_in(play: CardPlay, act: CardRenamed) -> CardPlay:
    inner = play.play
    if (act.seat, act.old) in inner.open.plays:
        inner = replace(inner, open=_renamed(inner.open, act))
    else:
        place = next((n for n in reversed(range(len(inner.taken))) if _holds(inner.taken[n].trick, act)), None)
        if place is None:
            return play
        one = inner.taken[place]
        trick = _renamed(one.trick, act)
        one = replace(one, trick=trick, by=play.winner(trick, one.number))
        inner = replace(inner, taken=(*inner.taken[:place], one, *inner.taken[place + 1 :]))
        if place == len(inner.taken) - 1:
            inner = replace(inner, leader=one.by)
    of_it = (act.seat, act.old)
    faults = tuple(
        replace(one, card=act.new) if (one.seat, one.card) == of_it else one
        for one in play.faults
        if (one.seat, one.card) != of_it or one.wrong not in ("not-held", "penalty-card-kept")
    )
    return replace(play, play=inner, faults=faults)


def _holds(trick: Trick, act: CardRenamed) -> bool:
    return (act.seat, act.old) in trick.plays


def _renamed(trick: Trick, act: CardRenamed) -> Trick:
    plays = tuple((act.seat, act.new) if one == (act.seat, act.old) else one for one in trick.plays)
    return Trick(plays, trick.may_lead)


def card_gone(board: Board, act: CardGone) -> Board:
    """Remove a card that is to be seen no more: a lead that was taken back; in a full trick it was turned."""
    if not is_playing(board):
        opening = board.opening
        return board if opening is None else replace(board, opening=_lead_back(opening, act))
    play, card = board.play, (act.seat, act.card)
    board = replace(board, again=tuple(one for one in board.again if one != card))
    if act.was_turned:
        board = replace(board, quits=tuple(one for one in board.quits if (one.seat, one.card) != card))
    if play is None or card not in play.play.open.plays:
        return board
    after = _without_card(play, act)
    return replace(board, gone=(*board.gone, act)) if after is None else replace(board, play=after)


def _without_card(play: CardPlay, act: CardGone) -> CardPlay | None:
    """Return the play without a card of the open trick; None if it was turned or taken back: the next card tells."""
    own = [card for seat, card in play.play.open.plays if seat is act.seat]
    if play.play.open.is_full(play.play.rules):  # one of two cards goes back (58)
        return play.taken_back(act.seat, act.card, act.t) if len(own) > 1 else None
    if own[1:][-1:] == [act.card]:  # a second card to the trick (58)
        if not act.is_sure or act.may_be_turned:
            return play.never_lay(act.seat, act.card)
        return play.taken_back(act.seat, act.card, act.t)
    reopened = play.reopened(act.seat, act.card, act.t)
    return None if reopened is play else reopened


def _lead_back(opening: Opening, act: CardGone) -> Opening:
    has_led = any((one.seat, one.card) == (act.seat, act.card) for one in opening.leads)
    return opening.taken_back(act.seat) if has_led else opening


def card_quitted(board: Board, act: CardQuitted) -> Board:
    """Turn a card; the trick that it was played to is the last in which it lies."""
    play = board.play
    if play is None:
        return board
    play = second_was_lead(play)
    board = replace(board, play=play, again=tuple(one for one in board.again if one != (act.seat, act.card)))
    numbers = [n for n, trick in enumerate(play.tricks, 1) if (act.seat, act.card) in trick.plays]
    if not numbers or any((one.seat, one.number, one.card) == (act.seat, numbers[-1], act.card) for one in board.quits):
        return _turned_after_all(board, act)
    quit_ = Quit(act.seat, numbers[-1], act.card, act.points_to, act.t)
    gone = tuple(one for one in board.gone if (one.seat, one.card) != (act.seat, act.card))
    return replace(board, quits=(*board.quits, quit_), gone=gone)


def _turned_after_all(board: Board, act: CardQuitted) -> Board:
    """Turn a card that was taken for taken back, or for a misreading; or a face that was turned before.

    Of two cards that read alike one was misread: nobody knows which, and who has won with them is unknown.
    """
    number = None if board.play is None or not is_playing(board) else board.play.lacks(act.seat)
    if board.play is None or number is None:
        return board
    play = board.play.filled(act.seat, number, act.card)
    return replace(board, play=play.released(act.seat, act.card))


def turned_unseen(board: Board, act: TurnedUnseen) -> Board:
    """Turn a card that was not seen face up: it belongs to the trick that lacks one of that hand."""
    play = board.play
    if play is None or not is_playing(board):
        return board
    if act.seat in board.supplied:
        return replace(board, supplied=_less(board.supplied, act.seat))
    number = play.lacks(act.seat)
    if number is None:
        return board  # every trick has one of it: a back was counted twice
    quit_ = Quit(act.seat, number, UNKNOWN, act.points_to, act.t)
    return replace(board, play=play.filled(act.seat, number, clear=act.clear), quits=(*board.quits, quit_))


def card_exposed(board: Board, act: CardFaced) -> Board:
    """Expose a card at a player's side: a defender's is a penalty card; during the auction it is kept for law 24."""
    if board.play is None and board.over_t is None and not board.unread:
        known = any(one[:2] == (act.seat, act.card) for one in board.exposed)
        return board if known else replace(board, exposed=(*board.exposed, (act.seat, act.card, act.t)))
    if board.play is None or act.on_table:  # in the play it may be one that was played beside its place
        return board
    if any((one.seat, one.card) == (act.seat, act.card) for one in board.play.penalty_cards):
        return board
    return replace(board, play=board.play.showed(act.seat, [act.card], act.t))


# -- result and rulings ------------------------------------------------------------------------------------------------


def pocket_weighed(board: Board, act: PocketWeighed) -> Board:
    """Weigh a pocket of the board; emptied before the first call, it tells how many cards its player took."""
    board = replace(board, pockets={**board.pockets, act.seat: act.cards})
    if act.taken is None or board.tray.calls or board.over_t is not None:
        return board
    most = max(act.taken, board.taken_out.get(act.seat, 0))  # a scale at rest may waver by a card
    return replace(board, taken_out={**board.taken_out, act.seat: most})


def result_stated(board: Board, act: ResultStated) -> Board:
    """State the result; what the arbitro has stated stands until he says otherwise."""
    if board.play is None or not 0 <= act.tricks <= TRICKS:
        return board
    if board.stated is not None and board.stated.by_arbitro and not act.by_arbitro:
        return board
    return replace(board, stated=act)


def agreed(board: Board, act: Agreed) -> Board:
    """Record that a player agrees with the result."""
    return replace(board, agreed=(*board.agreed, act))
