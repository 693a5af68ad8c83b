"""The public table at any moment of a deal, folded from the events of that deal.

The shape of a state is that of the topic ``state`` as far as events tell it. Where an event was taken back
(``event.retracted``) the deal is folded again without it; a count that no event tells is None.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from hw.cards import UNKNOWN, face
from hw.table_options import PAIR
from table_service.events.untrusted import as_list, as_whole
from table_service.games.game_pages import Document, Moment, data_of

SEATS: Final = ("N", "E", "S", "W")
HAND: Final = 11
"""Cards dealt to each player and put into each pot (art. 4)."""
STOCK: Final = 42
"""Cards left for the stock: 108 less four hands and two pots."""
State = dict[str, Any]


def moments(events: Sequence[Document]) -> list[Moment]:
    """Every event of one deal, in the table's order, with the table after it.

    Retracted events stay in the list, because they were told; what they did is taken out of every later state.
    """
    found: list[Moment] = []
    better = _Better()
    state = _empty()
    for n, event in enumerate(events):
        if better.learn(event):
            state = _fold(events[:n], better)
        else:
            state = copy.deepcopy(state)
            _apply(state, event)
        found.append(Moment(event, state))
    return found


class _Better:
    """Later corrections of earlier events: retracted, or their cards named."""

    def __init__(self) -> None:
        self._gone: set[str] = set()
        self._named: dict[str, list[str]] = {}

    def learn(self, event: Document) -> bool:
        """Return True if ``event`` changes how earlier ones read."""
        data = data_of(event)
        match event.get("type"):
            case "event.retracted":
                self._gone.add(str(data.get("event")))
            case "card.named":
                self._named[str(data.get("event"))] = [str(card) for card in as_list(data.get("cards"))]
            case _:
                return False
        return True

    def read(self, event: Document) -> Document | None:
        """``event`` as it is known by now; None where it did not happen."""
        name = str(event.get("id"))
        if name in self._gone or event.get("type") in ("event.retracted", "card.named"):
            return None
        cards = self._named.get(name)
        if cards is None:
            return event
        data = dict(data_of(event))
        if "card" in data and len(cards) == 1:
            data["card"] = cards[0]
        elif "cards" in data:
            data["cards"] = cards
        return {**event, "data": data}


def _fold(events: Iterable[Document], better: _Better) -> State:
    state = _empty()
    for event in events:
        known = better.read(event)
        if known is not None:
            _apply(state, known)
    return state


def _empty() -> State:
    return {
        "deal": None,
        "dealer": None,
        "phase": "dealt",
        "manner": None,
        "turn": {"n": 0, "seat": None, "begun": False, "drawn": False},
        "hands": dict.fromkeys(SEATS, HAND),
        "stock": STOCK,
        "pile": [],
        "pots": {"left": 2, "taken": {}},
        "melds": {"NS": [], "EW": []},
        "sides": {},
        "score": {"running": {}, "deals": {}},
        "unverified": {},
        "sanctions": [],
        "open": {},
    }


def _apply(state: State, event: Document) -> None:
    data, seat = data_of(event), event.get("seat")
    seat = seat if seat in SEATS else None
    match event.get("type"):
        case "deal.started":  # a misdeal is dealt again under the same number
            state.update(_empty())
            state["deal"], state["dealer"] = data.get("n"), data.get("dealer")
        case "deal.checked":
            _checked(state, data)
        case "deal.ended":
            state["phase"], state["manner"] = "over", data.get("manner")
        case "irregularity":
            _irregular(state, data)
        case "table.health":
            _health(state, data)
        case "sanction.imposed":
            state["sanctions"].append(dict(data))
        case "sanction.served" | "sanction.broken":
            state["sanctions"] = [one for one in state["sanctions"] if one.get("key") != data.get("key")]
        case _:
            _play(state, event, data, seat)


def _play(state: State, event: Document, data: Mapping[str, Any], seat: str | None) -> None:
    """Apply an event that moves cards or starts a turn."""
    match event.get("type"):
        case "turn.started":
            state["turn"] = {"n": event.get("turn"), "seat": seat, "begun": True, "drawn": False}
        case "card.turned":
            _stock(state, -1, dealt=True)
            state["pile"].append(face(str(data.get("card"))))
        case "card.drawn":
            count = as_whole(data.get("count")) or 1
            _stock(state, -count)
            _hand(state, seat, count)
            _drawn(state, seat)
        case "pile.collected":
            _collected(state, seat, data)
        case "meld.opened" | "meld.extended" | "meld.changed":
            _melded(state, seat, data.get("meld"), own=event.get("type") != "meld.changed")
        case "card.discarded":
            _discarded(state, seat, data)
        case "pot.taken":
            state["pots"]["left"] = max(0, state["pots"]["left"] - 1)
            state["pots"]["taken"][str(event.get("line"))] = seat
            _hand(state, seat, as_whole(data.get("cards")) or HAND)
        case "card.exposed":
            _hand(state, seat, -len(as_list(data.get("cards"))))
        case "card.returned":
            _returned(state, data)


def _discarded(state: State, seat: str | None, data: Mapping[str, Any]) -> None:
    if data.get("left") is not True:
        count = as_whole(data.get("count")) or 1
        state["pile"] += [UNKNOWN] * (count - 1) + [face(str(data.get("card")))]
        _hand(state, seat, -count)
    state["turn"] = {**state["turn"], "seat": _next(state, seat), "begun": False, "drawn": False}


def _checked(state: State, data: Mapping[str, Any]) -> None:
    stock, hands = as_whole(data.get("stock")), data.get("hands")
    if stock is not None:
        state["stock"] = stock
    served = {seat for seat in hands if seat in SEATS} if isinstance(hands, Mapping) else set()
    if len(served) == PAIR:
        state["hands"] = {seat: HAND for seat in SEATS if seat in served}
    for seat, count in (hands if isinstance(hands, Mapping) else {}).items():
        if seat in SEATS and as_whole(count) is not None:
            state["hands"][seat] = count


def _stock(state: State, change: int, *, dealt: bool = False) -> None:
    if state["stock"] is not None:
        state["stock"] = max(0, state["stock"] + change)
    if state["phase"] == "dealt" and not dealt:
        state["phase"] = "playing"


def _hand(state: State, seat: str | None, change: int) -> None:
    """Change the count of a hand; if its owner was not seen, no count can be relied on any more."""
    for one in tuple(state["hands"]) if seat is None and change else (seat,):
        if one is None or one not in state["hands"]:
            continue
        held = state["hands"][one]
        unknown = seat is None or held is None or held + change < 0
        state["hands"][one] = None if unknown else held + change


def _drawn(state: State, seat: str | None) -> None:
    if seat is None or state["turn"].get("seat") in (seat, None):
        state["turn"] = {**state["turn"], "drawn": True, "begun": True}


def _collected(state: State, seat: str | None, data: Mapping[str, Any]) -> None:
    cards, left = as_list(data.get("cards")), as_whole(data.get("left"))
    kept = len(state["pile"]) - len(cards) if left is None else left
    state["pile"] = state["pile"][: max(0, kept)]
    _hand(state, seat, len(cards))
    _drawn(state, seat)
    state["phase"] = "playing"


def _melded(state: State, seat: str | None, told: object, *, own: bool) -> None:
    if not isinstance(told, Mapping) or told.get("line") not in state["melds"]:
        return
    meld, row = dict(told), state["melds"][told["line"]]
    at = next((n for n, one in enumerate(row) if one.get("id") == meld.get("id")), None)
    before = 0 if at is None else len(as_list(row[at].get("cards")))
    if at is None:
        row.append(meld)
    elif as_list(meld.get("cards")):
        row[at] = meld
    else:
        row.pop(at)
    if own:
        _hand(state, seat, before - len(as_list(meld.get("cards"))))


def _returned(state: State, data: Mapping[str, Any]) -> None:
    cards = [face(str(card)) for card in as_list(data.get("cards"))]
    source, target = str(data.get("from") or ""), str(data.get("to") or "")
    _take(state, source, cards)
    _leave(state, data)
    _put(state, target, cards)


def _take(state: State, place: str, cards: list[str]) -> None:
    if place.startswith("hand-"):
        _hand(state, place[-1], -len(cards))
    elif place.startswith("side-"):
        left = state["sides"].get(place[-1], [])
        for card in cards:
            if card in left:
                left.remove(card)
        if not left:
            state["sides"].pop(place[-1], None)
    elif place == "discard":
        state["pile"] = state["pile"][: max(0, len(state["pile"]) - len(cards))]


def _leave(state: State, data: Mapping[str, Any]) -> None:
    """Cards that went back out of a meld: what lies in it now."""
    number, rest = as_whole(data.get("meld")), [face(str(card)) for card in as_list(data.get("rest"))]
    for line, row in state["melds"].items():
        kept = [{**one, "cards": rest} if one.get("id") == number else one for one in row]
        state["melds"][line] = [one for one in kept if one.get("id") != number or rest]


def _put(state: State, place: str, cards: list[str]) -> None:
    if place.startswith("hand-"):
        _hand(state, place[-1], len(cards))
    elif place.startswith("side-"):
        state["sides"].setdefault(place[-1], []).extend(cards)
    elif place == "discard":
        state["pile"].extend(cards)
    elif place == "stock":
        _stock(state, len(cards))


def _irregular(state: State, data: Mapping[str, Any]) -> None:
    key = str(data.get("key"))
    if data.get("state") == "open":
        state["open"][key] = {name: data.get(name) for name in ("key", "row", "article", "title", "offender")}
    else:
        state["open"].pop(key, None)


def _health(state: State, data: Mapping[str, Any]) -> None:
    match data.get("state"):
        case "unverified":
            state["unverified"][str(data.get("what"))] = str(data.get("note") or "")
        case "verified":
            state["unverified"].pop(str(data.get("what")), None)


def _next(state: State, seat: str | None) -> str | None:
    seats = tuple(state["hands"])
    return seats[(seats.index(seat) + 1) % len(seats)] if seat in seats else None
