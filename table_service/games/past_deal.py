"""A past deal on pages: the public table after every event, whatever game was played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from table_service.events.untrusted import as_list
from table_service.games.game_pages import Document, Moment, data_of

State = dict[str, Any]
Apply = Callable[[State, Document, str | None], None]
"""Change the state by an event; the name that its card was given later, None where it was given none."""


def moments_of(events: Sequence[Document], empty: Callable[[], State], apply: Apply) -> list[Moment]:
    """Every event of one deal, in the table's order, with the table after it; ``empty``: the table before the first.

    Retracted events stay in the list, because they were told; what they did is taken out of every later state.
    """
    found, gone, named = list[Moment](), set[str](), dict[str, str]()
    for place, event in enumerate(events):
        data = data_of(event)
        if event.get("type") == "event.retracted":
            gone.add(str(data.get("event")))
        elif event.get("type") == "card.named":
            cards = as_list(data.get("cards"))
            if len(cards) == 1:
                named[str(data.get("event"))] = str(cards[0])
        state = empty()
        for before in events[: place + 1]:
            if str(before.get("id")) not in gone:
                apply(state, before, named.get(str(before.get("id"))))
        found.append(Moment(event, state))
    return found


def waiting_after(waiting: State, data: Document) -> State:
    """Return what waits for the arbitro, by key, once the irregularity with ``data`` was told."""
    key = str(data.get("key"))
    now = {name: one for name, one in waiting.items() if name != key}
    if data.get("state") == "open":
        now[key] = {name: data.get(name) for name in ("key", "row", "article", "title", "offender")}
    return now
