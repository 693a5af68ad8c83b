"""Orders that cannot be followed: what is wrong with a ruling, in one sentence that says what to do.

The arbitro's word goes before the table's; refused is only what names something that does not exist, so that a slip of
the finger changes nothing unnoticed.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from hw.cards import UNKNOWN, CardError, Pack, face
from table_service.events.orders import Rule
from table_service.referee.catalogue import FOUND_FROM, Catalogue, Row
from table_service.referee.rulings import kept_of
from table_service.referee.values import Irregularity

AGAIN: Final = 10.0
"""Seconds within which the same ruling once more is the same order sent twice."""
_FOUND: Final = (*FOUND_FROM.values(), "before_play", "during_turn", "any")
_PERSONAL: Final = ("offender", "partner", "next-opponent", "line-in-turn")


def refused(catalogue: Catalogue, pack: Pack, order: Rule, known: Irregularity | None) -> str | None:
    """Return the fault of the ruling ``console`` whatever is on the table; None if it can be followed.

    ``pack``: the cards that it may name; ``known``: the irregularity that it is about, as far as the table knows one.
    """
    named = order.row
    if named is not None and named not in catalogue.rows:
        return f"the catalogue of {catalogue.rules} has no row '{named}'"
    if known is None and order.key is not None and named is None:
        return f"no irregularity of this deal has the key '{order.key}'"
    row = row_meant(catalogue, order, known)
    about = (_who(order, row, known), _how(catalogue, order, row, known), _what(pack, order))
    return next((wrong for wrong in about if wrong is not None), None)


def row_meant(catalogue: Catalogue, order: Rule, known: Irregularity | None) -> Row | None:
    """Return the row that a ruling names, else that of the irregularity that it is about."""
    return catalogue.rows.get(order.row or "") or (None if known is None else known.row)


def _who(order: Rule, row: Row | None, known: Irregularity | None) -> str | None:
    personal = row is not None and any(duty.who in _PERSONAL for duty in row.duties)
    nobody = order.seat is None and (known is None or known.offender is None)
    if row is not None and personal and nobody and row.kind == "irregularity":
        return f"a ruling by {row.id} must name the seat N, E, S or W"
    return None


def _how(catalogue: Catalogue, order: Rule, row: Row | None, known: Irregularity | None) -> str | None:
    option, found = order.option, order.found
    if option is not None and row is not None:
        first = () if known is None else _ways(known.row)
        ways = tuple(dict.fromkeys((*_ways(row), *first)))
        if option not in (*ways, *catalogue.rows):
            return f"{row.id} knows no option '{option}'" + (f": it is one of {', '.join(ways)}" if ways else "")
    if found is not None and found not in _FOUND:
        return f"there is no moment '{found}': it is one of {', '.join(_FOUND)}"
    return None


def _ways(row: Row) -> tuple[str, ...]:
    """All that a ruling by ``row`` may name as its option."""
    steps, duties = (one.option for one in row.steps), (one.option for one in row.duties)
    inner = [option for option in (*steps, *duties, *(one.option for one in row.outcomes)) if option is not None]
    if any(duty.do == "return-to-stock" for duty in row.duties):
        inner.append("drawn-card")  # the card is known: none is taken at random
    return (*row.options, *(choice.key for choice in row.choices), *inner)


def _what(pack: Pack, order: Rule) -> str | None:
    """Return what is wrong with the cards that a ruling names."""
    for cards in (order.cards or (), order.added or ()):
        faces: Counter[str] = Counter()
        for named in cards:
            try:
                faces[face(pack.parse(named))] += 1
            except CardError:
                return f"'{named}' is no card"
        for card, count in faces.items():
            if card != UNKNOWN and count > pack.copies.get(card, 0):
                return f"the pack does not hold {count} times {card}"
    return None


def given_before(order: Rule, known: Irregularity | None, last: Rule | None) -> str | None:
    """Return the sentence for an order that has been given in the same words; None if it has not.

    ``known``: the irregularity that it is about; ``last``: the last ruling that was followed.
    """
    if known is not None and known.state == "ruled" and known.ruling:
        words, before = dict(kept_of(order)), dict(known.ruling)
        words.pop("by", None)
        if all(before.get(name) == value for name, value in words.items()) and order.row in (None, known.row.id):
            return f"{known.row.id} ({known.key}) has been ruled so already"
    if last is None or (known is not None and known.state == "open"):
        return None
    if order.fields == last.fields and 0 <= order.t - last.t <= AGAIN:
        return "this ruling has just been given: it is not entered twice"
    return None
