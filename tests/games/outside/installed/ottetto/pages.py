"""Ottetto on pages: the trick that lies open, its words and sentences, a past deal folded from its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from table_service.events.untrusted import as_list, as_map, as_whole
from table_service.games.game_pages import Document, Moment, Pages, RowOnTable, data_of


def middle_of(state: Document) -> dict[str, Any]:
    """The cards of the open trick and the tricks that each line has won."""
    cards = [(str(one.get("seat")), str(one.get("card"))) for one in map(as_map, as_list(state.get("trick")))]
    won = as_map(state.get("won"))
    return {"cards": cards, "won": {line: as_whole(won.get(line)) or 0 for line in ("NS", "EW")}}


def rows_of(state: Document) -> tuple[RowOnTable, ...]:
    """The open trick."""
    cards = tuple(str(as_map(one).get("card")) for one in as_list(state.get("trick")))
    return (RowOnTable("NS", "trick", cards),) if cards else ()


def moments(events: Sequence[Document]) -> list[Moment]:
    """Every event of one deal with the table after it."""
    found, trick, won = [], list[dict[str, Any]](), {"NS": 0, "EW": 0}
    for event in events:
        data = data_of(event)
        if event.get("type") == "trick.played":
            trick = [*trick, {"seat": event.get("seat"), "card": data.get("card")}]
        elif event.get("type") == "trick.taken":
            trick = []
            line = "NS" if data.get("by") in ("N", "S") else "EW"
            won = {**won, line: won[line] + 1}
        found.append(Moment(event, {"deal": event.get("deal"), "phase": "playing", "trick": trick, "won": won}))
    return found


PAGES: Final = Pages(
    name="ottetto",
    templates="ottetto",
    middle="trick.html",
    middle_of=middle_of,
    rows_of=rows_of,
    counts_of=lambda state: {"trick": len(as_list(state.get("trick")))},
    moments=moments,
    words={"trick": ("Presa", "Trick"), "won": ("Prese fatte", "Tricks won")},
    sentences={
        "trick.played": ("{who} gioca una carta", "{who} plays a card"),
        "trick.taken": ("{who} raccoglie la presa", "{who} gathers the trick"),
    },
    cards={
        "trick.played": lambda data: [data.get("card")],
        "trick.taken": lambda data: data.get("cards"),
    },
    moves=frozenset({"trick.played", "trick.taken"}),
)
