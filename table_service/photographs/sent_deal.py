"""A deal as the page of photographs sends it: its groups of cards, facts and figures, checked and bounded. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from hw.cards import UNKNOWN, CardError, face
from hw.errors import TavoloError
from table_service.games.definition import RuleSet
from table_service.games.photographed import DOUBTS, Photographed, PhotoGroup
from table_service.photographs.scoring import known_words, rules_for

MOST_GROUPS: Final = 80
MOST_CARDS: Final = 70
MOST_DEALS: Final = 99


class RequestError(TavoloError, ValueError):
    """Something sent to the page that is no deal; the message is one sentence."""


def sent_deal(played: RuleSet, document: Mapping[str, Any]) -> Photographed:
    """Return the groups of a document that the page sent, with their cards. Raises RequestError."""
    known = known_words(rules_for(played))
    given = document.get("groups")
    if not isinstance(given, list) or len(given) > MOST_GROUPS:
        raise RequestError("the groups of cards are missing, or too many")
    groups = tuple(_group(played, one, known, len(given)) for one in given)
    shown, facts = document.get("shown"), document.get("facts")
    named = frozenset(str(one) for one in shown if one in known) if isinstance(shown, list) else frozenset()
    clouded = document.get("clouded")
    clouds = {str(k): str(v) for k, v in clouded.items() if k in known} if isinstance(clouded, dict) else {}
    return Photographed(groups, _facts(played, facts), named | {one.shows for one in groups}, clouds)


def _group(played: RuleSet, given: object, known: list[str], count: int) -> PhotoGroup:
    if not isinstance(given, dict) or given.get("shows") not in known:
        raise RequestError("a group does not say what it shows")
    cards, sure = given.get("cards"), given.get("confidence", [])
    if not isinstance(cards, list) or len(cards) > MOST_CARDS or not isinstance(sure, list):
        raise RequestError("a group has no list of cards, or too many")
    places = [n for n in listed(given, "gaps") if isinstance(n, int)]
    beside = [n for n in listed(given, "beside") if isinstance(n, int) and 0 <= n < count]
    doubts = [str(one) for one in listed(given, "doubts") if one in tuple(DOUBTS)]
    return PhotoGroup(
        shows=str(given["shows"]),
        cards=_cards(played, cards),
        confidence=tuple(one if isinstance(one, float) else float(one == 1) for one in sure),
        doubts=tuple(doubts),
        beside=tuple(beside),
        gaps=tuple(places),
    )


def listed(given: Mapping[str, Any], name: str) -> list[Any]:
    """Return the list that ``given`` holds under ``name``; an empty one if it holds something else."""
    value = given.get(name)
    return value if isinstance(value, list) else []


def _cards(played: RuleSet, cards: object) -> tuple[str, ...]:
    """Cards by name. Raises RequestError."""
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise RequestError("cards must be a list of names such as 7H")
    try:
        return tuple(UNKNOWN if card == UNKNOWN else face(played.pack.parse(card)) for card in cards)
    except CardError as error:
        raise RequestError(str(error)) from None


def _facts(played: RuleSet, given: object) -> dict[str, Any]:
    """Return the facts that a person typed, the cards of hands by name. Raises RequestError."""
    if not isinstance(given, dict):
        return {}
    facts: dict[str, Any] = {}
    for name, value in given.items():
        if name in ("NS", "EW"):
            if not isinstance(value, dict):
                continue
            own = dict(value)
            hands = own.get("hands")
            if isinstance(hands, dict):
                own["hands"] = {str(seat): list(_cards(played, cards)) for seat, cards in hands.items()}
            facts[name] = own
        elif isinstance(value, str | int):
            facts[str(name)] = value
    return facts


def written_figures(given: object) -> dict[str, dict[str, int]]:
    """Return the figures that a person copied from the paper, by line and item."""
    if not isinstance(given, dict):
        return {}
    return {
        line: {str(item): int(value) for item, value in own.items() if isinstance(value, int)}
        for line, own in given.items()
        if line in ("NS", "EW") and isinstance(own, dict)
    }


def entry_of(document: Mapping[str, Any]) -> str:
    """Return the name under which a phone sends one deal, however often it has to; empty if it sends none."""
    name = str(document.get("id", ""))
    return name if re.fullmatch("[0-9a-f]{24}", name) else ""


def taken_times(document: Mapping[str, Any], pictures: Mapping[str, bytes]) -> dict[str, str]:
    """Return the times at which the pictures were taken, by the phone's clock."""
    given = document.get("taken")
    return {name: str(given[name])[:30] for name in pictures if name in given} if isinstance(given, dict) else {}


def deal_number(given: object) -> int | None:
    """Return the number of a deal in ``given``; None if it holds none."""
    text = str(given)
    return int(text) if text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= MOST_DEALS else None
