"""The beginning of the deal that a table was playing: its fold as of then, from the journal, and its observations.

For a deal whose kept state is of no use, as another program wrote it: folded from its beginning, the log gives it
again. What the table had learnt before that deal, such as how its scales waver, is not in there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from hw.observation_log import Header
from hw.observations import Console, Observation
from table_service.events import Event, event_to_json, public
from table_service.journal import Journal
from table_service.referee.round_options import BOOT
from table_service.rulesets import open_fold, rule_set
from table_service.service.deal_file import RunningDealError
from table_service.service.round_before import kept_round, newest_recounts, round_of
from table_service.table.game_fold import GameFold
from table_service.table.resuming import as_begun, newest_round, resumed

_NOT_COMPARED: Final = ("t", "time", "committed_t", "confidence", "basis", "late")
"""What evidence an event rests on, and when it was complete, may be read otherwise."""


@dataclass(frozen=True, slots=True)
class DealBeginning:
    """The beginning of deal ``deal``: a fold to be fed its ``observations``; ``newest``: the event that began it."""

    fold: GameFold[Any]
    observations: Sequence[Observation]
    deal: int
    newest: tuple[str, int]


def beginning_of(journal: Journal, observations: Sequence[Observation], header: Header) -> DealBeginning:
    """Return the beginning of the deal whose order to begin is the last in ``observations``.

    Raises RunningDealError.
    """
    orders = [n for n, one in enumerate(observations) if isinstance(one, Console) and one.do == "deal"]
    if not orders:
        raise RunningDealError("the order that began it is not there")
    kept = kept_round(journal)
    at = max((n for n, event in enumerate(kept) if event["type"] == "deal.started"), default=None)
    if at is None:
        raise RunningDealError("the journal does not tell of its beginning")
    own, began = observations[orders[-1] :], kept[at]
    boot, seq = str(began["boot"]), int(began["seq"])
    try:
        events = newest_round(kept[:at])
        begun, _ = as_begun(header, events, rule_set(header.rules).options)
        begun = replace(begun, started=_second_0(began), options={**begun.options, BOOT: boot})
        begun = resumed(begun, events, newest_recounts(journal, round_of(kept)))
        first = seq - _told_before(begun, boot, own[0])
        fold = open_fold(begun, boot, first) if first > 0 else None
    except (LookupError, TypeError, ValueError) as error:
        raise RunningDealError(f"the round before it cannot be taken up ({error})") from error
    if not isinstance(fold, GameFold):
        raise RunningDealError("the journal numbers its beginning otherwise")
    return DealBeginning(fold, own, int(began["deal"]), (boot, seq))


def _told_before(header: Header, boot: str, order: Observation) -> int:
    """Return how many events a fold tells before the one that begins the deal. Raises ValueError."""
    return [event.type for event in open_fold(header, boot).feed(order)].index("deal.started")


def _second_0(event: Mapping[str, Any]) -> str:
    """Return the UTC moment of the table's second 0, by an event that was told then."""
    return (datetime.fromisoformat(event["time"]) - timedelta(seconds=float(event["t"]))).isoformat()


def as_read_again(event: Event) -> dict[str, Any]:
    """Return what of ``event`` must stand in the journal where another program has read the same observations."""
    told = json.loads(json.dumps(event_to_json(public(event))))
    return {name: value for name, value in told.items() if name not in _NOT_COMPARED}
