"""The count of a deal, item by item and line by line (fibur2024, arts. 13, 17, 18).

Items that cost are negative. A value that hangs on an unknown card is None, and so is the total above it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from hw.cards import BURRACO, UNKNOWN, CardError, face, parse_card
from hw.errors import TavoloError
from hw.seats import LINES, Line
from table_service.games.burraco.rules.meld import points, reading_of
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.table.score_items import ScoreItem, ScoreSheet

PotState = Literal["taken", "not-taken", "taken-unplayed"]
SHEET: Final = ScoreSheet(
    items=(
        ScoreItem("burraco", ("burrachi", "burracos"), "base"),
        ScoreItem("closing", ("chiusura", "closing"), "base"),
        ScoreItem("melds", ("carte in tavola", "cards on the table"), "points"),
        ScoreItem("pot", ("pozzetto", "pot"), "points"),
        ScoreItem("hand", ("carte in mano", "cards in hand"), "points"),
        ScoreItem("penalised", ("carte penalizzate", "penalised cards"), "points"),
        ScoreItem("bonus", ("bonus arbitrale", "arbitral bonus"), "base"),
    ),
    parts=(("base", ("Base", "Base")), ("points", ("Punti", "Points"))),
    given="bonus",
)
"""The items of a line; the printed sheet sums them up as base and points (definition of the base; art. 18)."""
ITEMS: Final = SHEET.names
"""Their names."""


class CountError(TavoloError, ValueError):
    """A deal that cannot be counted: the message says where it is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class LineCards:
    """Cards of one line at the end of a deal. ``negative``: cards in melds that count against the line (art. 25)."""

    melds: tuple[tuple[str, ...], ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    pot: PotState = "not-taken"
    pot_cards: tuple[str, ...] = ()
    closed: bool = False
    bonus: int = 0
    penalised: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LineScore:
    """The points of one line by item; None where a card decides that nobody knows."""

    items: Mapping[str, int | None]
    doubtful: tuple[str, ...] = field(default=())

    @property
    def total(self) -> int | None:
        """The sum of the items; None where one is None."""
        total = 0
        for value in self.items.values():
            if value is None:
                return None
            total += value
        return total


def _melds(book: RuleBook, cards: LineCards) -> tuple[int | None, int | None]:
    """Burraco bonuses and card points of the melds; None where an unknown card leaves them open."""
    bonus: int | None = 0
    worth: int | None = 0
    for meld in cards.melds:
        value = points(book, meld)
        if value is None:
            worth = None
            if len(meld) >= book.burraco_length:
                bonus = None
            continue
        reading = reading_of(book, meld)
        if bonus is not None and reading is not None:
            bonus += reading.bonus
        if worth is not None:
            worth += value
    return bonus, worth


def _minus(value: int | None) -> int | None:
    return None if value is None else -value


def _pot(book: RuleBook, cards: LineCards, *, neither_took: bool) -> int | None:
    if cards.pot == "taken":
        return 0
    if cards.pot == "taken-unplayed":
        return _minus(points(book, cards.pot_cards))
    return 0 if neither_took and not book.pot_malus_when_neither_took else -book.pot_malus


def score_line(book: RuleBook, cards: LineCards, *, neither_took: bool) -> LineScore:
    """Return the score of one line; ``neither_took`` if no line has taken a pot.

    A card that nobody knows makes its item, and the total, unknown:

    >>> from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
    >>> cards = LineCards(melds=(("4C", "5C", "6C"),), hands=(("KH",), ("3D", "??")))
    >>> score = score_line(FIBUR2024, cards, neither_took=False)
    >>> score.items["melds"], score.items["pot"], score.items["hand"], score.doubtful, score.total
    (15, -100, None, ('hand',), None)
    """
    burraco, worth = _melds(book, cards)
    against = points(book, cards.negative)
    items = {
        "burraco": burraco,
        "closing": book.closing_bonus if cards.closed else 0,
        "melds": None if worth is None or against is None else worth - against,
        "pot": _pot(book, cards, neither_took=neither_took),
        "hand": _minus(points(book, (card for hand in cards.hands for card in hand))),
        "penalised": _minus(points(book, (*cards.penalised, *cards.negative))),
        "bonus": cards.bonus,
    }
    return LineScore(items, tuple(name for name in ITEMS if items[name] is None))


def score_deal(book: RuleBook, lines: Mapping[Line, LineCards]) -> dict[Line, LineScore]:
    """Return the scores of both lines."""
    neither = all(lines[line].pot == "not-taken" for line in LINES)
    return {line: score_line(book, lines[line], neither_took=neither) for line in LINES}


def _cards(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
        raise CountError(f'{where} must be a list of cards, as ["7H","JK"]')
    try:
        return tuple(parse_card(card) for card in value)
    except CardError as error:
        raise CountError(f"{where}: {error}") from None


def _groups(value: object, where: str) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list):
        raise CountError(f'{where} must be a list of lists of cards, as [["7H","8H","9H"]]')
    return tuple(_cards(cards, f"{where}[{number}]") for number, cards in enumerate(value))


_FIELDS: Final = ("melds", "hands", "pot", "pot_cards", "closed", "bonus", "penalised")


def line_from_json(data: object, where: str) -> LineCards:
    """One line of the document of ``tavolo count``. Raises CountError, which names the field."""
    if not isinstance(data, dict):
        raise CountError(f"{where} must be an object with {', '.join(_FIELDS)}")
    for name in data:
        if name not in _FIELDS:
            raise CountError(f"{where} has no field '{name}': its fields are {', '.join(_FIELDS)}")
    pot = data.get("pot", "not-taken")
    if pot not in ("taken", "not-taken", "taken-unplayed"):
        raise CountError(f"{where}.pot must be taken, not-taken or taken-unplayed, not {pot!r}")
    closed, bonus = data.get("closed", False), data.get("bonus", 0)
    if not isinstance(closed, bool):
        raise CountError(f"{where}.closed must be true or false, not {closed!r}")
    if isinstance(bonus, bool) or not isinstance(bonus, int):
        raise CountError(f"{where}.bonus must be a whole number of points, not {bonus!r}")
    return LineCards(
        melds=_groups(data.get("melds", []), f"{where}.melds"),
        hands=_groups(data.get("hands", []), f"{where}.hands"),
        pot=cast("PotState", pot),
        pot_cards=_cards(data.get("pot_cards", []), f"{where}.pot_cards"),
        closed=closed,
        bonus=bonus,
        penalised=_cards(data.get("penalised", []), f"{where}.penalised"),
    )


def _check_deal(book: RuleBook, lines: Mapping[Line, LineCards]) -> list[str]:
    """Raise CountError if the lines are no deal; only report a pack that is not right, for its result stands."""
    if all(cards.closed for cards in lines.values()):
        raise CountError("both lines are said to have closed: only one can")
    seen: dict[str, int] = {}
    for line, cards in lines.items():
        for number, meld in enumerate(cards.melds):
            if UNKNOWN not in meld and reading_of(book, meld) is None:
                raise CountError(f"deal.{line}.melds[{number}] ({' '.join(meld)}) is no meld")
        for card in _every_card(cards):
            seen[card] = seen.get(card, 0) + 1
    return [
        f"{card} stands {number} times in the deal, the pack has {BURRACO.copies[card]} of it (art. 5)"
        for card, number in seen.items()
        if number > BURRACO.copies.get(card, number)
    ]


def _every_card(cards: LineCards) -> Iterable[str]:
    for group in (*cards.melds, *cards.hands, cards.pot_cards, cards.penalised):
        yield from map(face, group)


def lines_to_json(scores: Mapping[Line, LineScore]) -> dict[str, Any]:
    """Items and total of every line."""
    return {str(line): {"items": dict(score.items), "total": score.total} for line, score in scores.items()}


def count(book: RuleBook, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``tavolo count`` answers for ``document`` (interfaces, section 5).

    ``{"rules","lines":{"NS":{"items":{…},"melds":[{…}],"total"},"EW":…},"diff","doubtful","warnings"}``; ``diff`` is
    NS minus EW; a warning names a card that lies there more often than a right pack has it (art. 5: the result stands).
    Raises CountError where the document is no deal.
    """
    deal = document.get("deal")
    if not isinstance(deal, dict) or set(deal) != set(LINES):
        raise CountError('the document must hold "deal" with the lines "NS" and "EW"')
    lines = {line: line_from_json(deal[line], f"deal.{line}") for line in LINES}
    warnings = _check_deal(book, lines)
    scores = score_deal(book, lines)
    answer = lines_to_json(scores)
    for line in LINES:
        answer[line]["melds"] = [_meld_line(book, meld) for meld in lines[line].melds]
    ns, ew = scores[Line.NS].total, scores[Line.EW].total
    return {
        "rules": book.name,
        "lines": answer,
        "diff": None if ns is None or ew is None else ns - ew,
        "doubtful": [f"{line}.{item}" for line in LINES for item in scores[line].doubtful],
        "warnings": warnings,
    }


def _meld_line(book: RuleBook, meld: tuple[str, ...]) -> dict[str, Any]:
    reading = reading_of(book, meld)
    return {
        "cards": list(meld),
        "kind": reading.kind if reading else None,
        "burraco": reading.burraco if reading else "none",
        "bonus": reading.bonus if reading else 0,
        "points": points(book, meld),
    }
