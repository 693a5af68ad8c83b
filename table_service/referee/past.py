"""Reports of a table from before its restart, taken up: irregularities open to rulings, duties in force.

An event holds less than the referee knew: the movements behind a fact and the rows of its melds are unknown
after a restart. Facts taken up are marked ``earlier``; no act at the table is judged by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from hw.seats import line_or_none, seat_or_none
from table_service.events import payloads as say
from table_service.referee.catalogue import FOUND_FROM, Catalogue, Found, Row
from table_service.referee.ledger import Ledger
from table_service.referee.values import Irregularity, Sanction, situation

_FOUND: tuple[str, ...] = ("before_play", "during_turn", "any", *FOUND_FROM.values())


@dataclass(frozen=True, slots=True)
class Past:
    """Events of before the restart in their latest state.

    ``data``: of an ``irregularity``, a ``sanction.imposed``, or a ``round.ruled`` that declared a situation. ``deal``:
    the one in which it was ruled, if that was counted; ``is_over``: another deal has begun since.

    ``t``: when it was emitted, ``committed_t``: when it was committed, both in seconds of this log, negative.
    """

    data: Mapping[str, Any]
    t: float
    committed_t: float
    confidence: float = 1.0
    deal: int | None = None
    is_over: bool = False


def irregularity_of(catalogue: Catalogue, past: Past) -> Irregularity | None:
    """Return the irregularity of ``past``; None if the catalogue does not have its row any more."""
    row = catalogue.rows.get(str(past.data.get("row")))
    if row is None:
        return None
    if row.kind != "irregularity":
        return _situation_of(row, say.RoundRuled.model_validate(past.data), past)
    told = say.Irregularity.model_validate(past.data)
    hidden = any(card.startswith("??") for card in told.cards)
    return Irregularity(
        key=told.key,
        row=row,
        offender=seat_or_none(told.offender),
        cards=told.cards,
        t=past.t,
        committed_t=past.committed_t,
        found=cast("Found", told.found) if told.found in _FOUND else "any",
        state=told.state,
        seen=bool(told.cards) and not hidden,
        needs_referee=told.needs_referee,
        severity=told.severity,
        confidence=past.confidence,
        basis=("derived",),
        confirmed=told.confirmed,
        ruling=tuple((name, _plain(value)) for name, value in (told.ruling or {}).items()),
        against=line_or_none(told.pair),
        earlier=True,
    ).judged_by(row)


def _situation_of(row: Row, told: say.RoundRuled, past: Past) -> Irregularity:
    ruling = tuple((name, _plain(value)) for name, value in told.ruling.items())
    return situation(told.key, row, None, ruling, past.t, earlier=True)


def sanction_of(catalogue: Catalogue, past: Past) -> Sanction | None:
    """Return the duty of ``past``; None if the catalogue does not have it any more."""
    told = say.Sanction.model_validate(past.data)
    row, who = catalogue.rows.get(told.row), seat_or_none(told.who)
    duty = None if row is None else next((one for one in row.duties if _is(one.do, one.text.it, told)), None)
    if duty is None or who is None:
        return None
    seen = not any(card.startswith("??") for card in told.cards)
    return Sanction(
        key=told.key,
        irregularity=told.irregularity,
        row=told.row,
        duty=duty,
        who=who,
        cards=told.cards,
        since_turn=0,
        seen=seen,
        meld=told.meld,
        t=past.t,
    )


def take_up(ledger: Ledger, past: Iterable[Past]) -> list[str]:
    """Take the irregularities of ``past`` up in ``ledger``; the keys of those of which it does not know the row."""
    unknown: list[str] = []
    for one in past:
        irregularity = irregularity_of(ledger.catalogue, one)
        if irregularity is None:
            unknown.append(str(one.data.get("key")))
        else:
            ledger.take_up(irregularity, one.deal, is_over=one.is_over)
    return unknown


def _is(do: str, text: str, told: say.Sanction) -> bool:
    return do == told.do and text == told.text.it


def _plain(value: object) -> object:
    return tuple(map(str, value)) if isinstance(value, list) else value
