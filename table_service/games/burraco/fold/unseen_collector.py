"""Players of whom no sensor saw that they took the pile up, or laid cards after it: what later evidence shows.

The next card of the pile that a gate reads names who took it; who goes on with the turn has laid what lies there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hw.zones import gate, hand
from table_service.games.burraco.fold.course import PlayedAction
from table_service.games.burraco.reading.situation import SUPPOSED
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.games.burraco.rules.doubts import PLAIN
from table_service.tracking.movements import Movement


def unseen_collection(move: Movement, deal: Deal, played: Sequence[PlayedAction]) -> PlayedAction | None:
    """Return the pick-up credited to the player in turn, but made by the one whose hand ``move`` leaves.

    A gate has read, in another hand, a very card that lay in the pile: no twin of it, which has another number. None
    where ``move`` shows no such thing, or the player in turn has done anything since.
    """
    named = [card for card in move.cards if "#" in card]
    if not named or not _leaves_anothers_hand(move, deal):
        return None
    since = (one for one in reversed(played) if one.before.turn >= deal.turn - 1)
    last = next((one for one in since if not isinstance(one.action, act.Change)), None)
    if last is None or not isinstance(last.action, act.Collect) or not last.action.supposed:
        return None
    return last if set(named) & set(deal.collected or ()) else None


def _leaves_anothers_hand(move: Movement, deal: Deal) -> bool:
    """Return True if a gate has read cards that leave the hand of a player not in turn, while cards are played."""
    who = move.seat
    if who is None or who is deal.to_play or deal.phase is not Phase.PLAYING:
        return False
    return "tags" in move.basis and move.source in (hand(who), gate(who))


def unseen_lays(action: act.Action, played: Sequence[PlayedAction]) -> list[tuple[PlayedAction, act.Action]]:
    """Return what ``action``, the newest of ``played``, makes otherwise: each action with what it was, oldest first.

    A pick-up beneath an arm leaves open whose turn it is, so that cards which no hand was seen to lay after it may be
    of either partner. Once its player is seen to go on with that turn, they are his. Empty if none are so.
    """
    if not isinstance(action, act.Open | act.Extend | act.Discard) or not _is_seen(action):
        return []
    laid: list[tuple[PlayedAction, act.Action]] = []
    for one in reversed(played[:-1]):
        was = one.action
        match was:
            case act.Collect():
                confirmed = was.seat is action.seat and _is_seen(was) and not was.is_by_one_hand
                return [(one, replace(was, confidence=act.ALONE)), *reversed(laid)] if laid and confirmed else []
            case act.Open(seat=None, line=line) | act.Extend(seat=None, line=line):
                if line is one.before.line_of(action.seat or one.before.to_play):
                    laid.append((one, replace(was, seat=action.seat, supposed=True, confidence=SUPPOSED)))
            case act.Draw() | act.Discard():
                return []
            case act.Open() | act.Extend() if was.seat is not action.seat:
                return []
    return []


def _is_seen(action: act.Action) -> bool:
    """Return True if the hand that did ``action`` was seen, or follows from what came before and after."""
    return action.seat is not None and not action.supposed and action.confidence >= PLAIN
