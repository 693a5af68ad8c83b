"""Player who took the pile when neither beam nor gate saw it: known from the next of its cards that a gate reads."""

from __future__ import annotations

from collections.abc import Sequence

from hw.zones import gate, hand
from table_service.games.burraco.fold.course import PlayedAction
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.tracking.movements import Movement


def unseen_collection(move: Movement, deal: Deal, played: Sequence[PlayedAction]) -> PlayedAction | None:
    """The pick-up that is supposed to be that of the player in turn and was made by whose hand ``move`` leaves.

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
    """True if a gate has read cards that leave the hand of somebody who is not in turn, while cards are played."""
    who = move.seat
    if who is None or who is deal.to_play or deal.phase is not Phase.PLAYING:
        return False
    return "tags" in move.basis and move.source in (hand(who), gate(who))
