"""A trick-taking game on pages: the open trick, its words and sentences, a past deal folded from its events."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from hw.seats import LINES, seat_or_none
from table_service.events.untrusted import as_map, as_whole
from table_service.games.game_pages import Document, GamePages, Text, data_of
from table_service.games.past_deal import State, moments_of
from table_service.games.tricks.open_trick import by_seat, progress_of, rows_of
from table_service.games.tricks.trick_code import TrickCode

_WORDS: Final[Mapping[str, Text]] = {
    "trick": ("Presa", "Trick"),
    "won": ("Prese fatte", "Tricks won"),
    "trump": ("Briscola", "Trump"),
}
_SENTENCES: Final[Mapping[str, Text]] = {
    "trump.turned": ("si scopre la briscola", "the trump is turned up"),
    "trick.played": ("{who} gioca una carta", "{who} plays a card"),
    "trick.won": ("{who} raccoglie la presa", "{who} gathers the trick"),
    "card.drawn": ("{who} pesca una carta", "{who} draws a card"),
}


def middle_of(state: Document) -> dict[str, Any]:
    """Return the open trick by seat, the trump card or suit, and how many tricks each line has won."""
    won = as_map(state.get("won"))
    trump = state.get("trump")
    return {
        "cards": list(by_seat(as_map(state.get("trick")).get("cards")).items()),
        "trump": trump if isinstance(trump, str) and len(trump) > 1 else None,
        "won": {str(line): as_whole(won.get(str(line))) for line in LINES},
    }


def _empty() -> State:
    return {"phase": "playing", "trick": {"cards": []}, "won": dict.fromkeys(map(str, LINES), 0), "trump": None}


def _apply(code: TrickCode, state: State, event: Document, named: str | None) -> None:
    """Change ``state`` by ``event``; ``named``: its card as it was named later."""
    data, type_ = data_of(event), event.get("type")
    state["deal"] = event.get("deal")
    if type_ == "trump.turned":
        state["trump"] = named or data.get("card")
    elif type_ == "trick.played":
        state["trick"]["cards"].append({"seat": event.get("seat"), "card": named or data.get("card")})
    elif type_ == "trick.won":
        state["trick"]["cards"] = []
        by = seat_or_none(data.get("by"))
        if by is not None and code.rotation.holds(by):
            state["won"][str(code.rotation.line(by))] += 1
    elif type_ == "deal.ended":
        state["phase"] = "over"


def trick_pages(code: TrickCode, *, pictures: str = "", card_names: Mapping[str, Text] | None = None) -> GamePages:
    """Return the pages of ``code``. ``pictures``: the pack's name if drawn; ``card_names``: of faces not French."""
    return GamePages(
        name=code.name,
        templates="table_service.games.tricks",
        middle="trick.html",
        middle_of=middle_of,
        head_of=progress_of,
        rows_of=rows_of,
        counts_of=lambda state: {"trick": len(by_seat(as_map(state.get("trick")).get("cards")))},
        moments=lambda events: moments_of(events, _empty, partial(_apply, code)),
        words=_WORDS,
        sentences=_SENTENCES,
        cards={
            "trump.turned": lambda data: [data.get("card")],
            "trick.played": lambda data: [data.get("card")],
            "trick.won": lambda data: data.get("cards"),
        },
        moves=frozenset({"trump.turned", "trick.played", "trick.won", "card.drawn"}),
        card_names=card_names or {},
        pictures=pictures,
    )
