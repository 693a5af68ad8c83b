"""Tarocco scored from photographs: each line's pile laid out, the accusi, and who took the last trick, as typed.

The pack has every card once: what is in no pile, or in both, makes the piles uncertain. A card that was not read is
``??`` in its pile, and ``tavolo count`` says what it leaves open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hw.cards import TAROCCO, UNKNOWN
from hw.seats import LINES, Line
from table_service.events.untrusted import as_list, as_map
from table_service.games.photographed import (
    DOUBTS,
    SURE,
    Note,
    Photographed,
    PhotographRules,
    PhotoGroup,
    unknown_items,
)
from table_service.games.tarocco.fold.match_standing import match_told
from table_service.games.tarocco.rules.card_points import BEGATO
from table_service.games.tarocco.rules.document import CountError, count
from table_service.games.tarocco.rules.match import DealResult, Match
from table_service.games.tarocco.rules.score import SHEET

_NAMED: Final = 8
"""So many missing cards are named; of more only the number is."""


def score_photographs(shown: Photographed) -> dict[str, Any]:
    """Return the answer of ``tavolo count`` for pictured piles and accusi, with ``deal``, ``missing`` and ``notes``."""
    notes: list[Note] = []
    piles = {line: _pile(shown, line, notes) for line in LINES}
    every = Counter(card for pile in piles.values() for card in pile if card != UNKNOWN)
    missing = [card for card in TAROCCO.copies if card not in every]
    for card, number in every.items():
        if number > 1:
            notes += _both((f"{card} si vede {number} volte.", f"{card} is seen {number} times."))
    _add_up(shown, piles, missing, notes)
    deal: dict[str, Any] = {}
    for line in LINES:
        typed = shown.facts.get(str(line), {})
        last = typed.get("last_trick")
        own = list(dict.fromkeys(card for card in piles[line] if card != UNKNOWN))
        own += [UNKNOWN] * (len(piles[line]) - len(own))
        deal[str(line)] = {"pile": own, "last_trick": last, "accusi": _accusi(shown, line, notes)}
        if not isinstance(last, bool):
            deal[str(line)]["last_trick"] = None
    try:
        answer = count({"deal": deal})
    except CountError as error:
        answer = _nothing()
        notes += _both((f"Le carte non tornano: {error}.", f"The cards do not add up: {error}."))
    unknown_items(answer, notes)
    return {**answer, "deal": deal, "missing": missing, "notes": [note.as_json() for note in notes]}


def _nothing() -> dict[str, Any]:
    lines: dict[str, Any] = {
        str(line): {"items": dict.fromkeys(SHEET.names), "why": [], "missed": [], "total": None} for line in LINES
    }
    doubtful = [f"{line}.{item}" for line in LINES for item in SHEET.names]
    return {"rules": "tarocco", "lines": lines, "diff": None, "doubtful": doubtful, "warnings": []}


def _both(text: tuple[str, str]) -> list[Note]:
    return [Note(text, str(line), SHEET.names) for line in LINES]


def _pile(shown: Photographed, line: Line, notes: list[Note]) -> list[str]:
    """Return the pile of a line; a card that was not read surely is ``??``."""
    name = f"pile-{line}"
    cards: list[str] = []
    if name not in shown.shown:
        text = ("Manca la fotografia del mazzo di prese.", "No picture shows its pile.")
        notes.append(Note(text, str(line), SHEET.names))
    for number, group in enumerate(shown.groups):
        if group.shows != name:
            continue
        notes += [Note(DOUBTS[doubt], str(line), SHEET.names, number) for doubt in group.doubts]
        cards += _sure(group)
    return cards


def _sure(group: PhotoGroup) -> list[str]:
    return [card if group.sure_of(n) >= SURE else UNKNOWN for n, card in enumerate(group.cards)]


def _add_up(shown: Photographed, piles: dict[Line, list[str]], missing: list[str], notes: list[Note]) -> None:
    """Make both piles 62 cards together, with ``??`` in the one that has no picture, and say what does not add up."""
    lacking = TAROCCO.size - sum(map(len, piles.values()))
    if lacking == 0:
        return
    empty = [line for line in LINES if f"pile-{line}" not in shown.shown]
    if lacking > 0 and len(empty) == 1:
        piles[empty[0]] += [UNKNOWN] * lacking
        return
    named = ", ".join(missing[:_NAMED]) + (" …" if len(missing) > _NAMED else "")
    total = TAROCCO.size - lacking
    notes += _both(
        (
            f"Le due linee hanno {total} carte invece di {TAROCCO.size}; mancano {named or 'nessuna'}.",
            f"Both lines have {total} cards, not {TAROCCO.size}; missing are {named or 'none'}.",
        )
    )
    piles[LINES[0]] += [UNKNOWN] * max(0, lacking)


def _accusi(shown: Photographed, line: Line, notes: list[Note]) -> list[dict[str, Any]]:
    """Return the accusi of a line: one a group, of the seat whose picture it is."""
    out: list[dict[str, Any]] = []
    names = [(f"accusi-{seat}", seat) for seat in str(line)] + [(f"accusi-{line}", None)]
    for name, seat in names:
        for number, group in enumerate(shown.groups):
            if group.shows != name:
                continue
            cards = _sure(group)
            if group.doubts or UNKNOWN in cards:
                text = ("Un accuso non si legge per intero.", "An accuso could not be read whole.")
                notes.append(Note(text, str(line), ("accusi",), number))
            out.append({"cards": cards, **({"seat": seat} if seat else {})})
    return out


def _match(deals: Sequence[tuple[Mapping[str, int | None], Mapping[str, Any]]]) -> dict[str, Any]:
    """State of a Quattro Scartate by its deals; the Begato's line is known if it is in a read pile."""
    results = []
    for totals, told in deals:
        piles = {line: as_list(as_map(as_map(told.get("deal")).get(str(line))).get("pile")) for line in LINES}
        begato = next((line for line, pile in piles.items() if BEGATO in pile), None)
        results.append(DealResult({line: totals.get(str(line)) for line in LINES}, begato))
    return match_told(Match("quattro-scartate", tuple(results)))


PHOTOGRAPHS: Final = PhotographRules(
    lines=("pile", "accusi"),
    seats=("accusi",),
    score=score_photographs,
    owners=lambda groups: ["pile-NS"] * len(groups),
    needs_pack=True,
    questions=("last_trick",),
    match=_match,
)
"""How pictures of tarocco are scored."""
