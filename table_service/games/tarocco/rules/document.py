"""The document of ``tavolo count`` for a deal of tarocco (interfaces, sections 5 and 6), and its answer.

Read as an arbitro would check it on paper: every fault of the document is named, all of them at once; every item says
which cards make it, what stands for what, why a sequence ends and what doubles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hw.cards import TAROCCO, UNKNOWN, CardError, face
from hw.errors import TavoloError
from hw.seats import LINES, Line, Seat
from table_service.games.tarocco.rules.card_points import worth
from table_service.games.tarocco.rules.combinations import Combinations, cricche, sequences
from table_service.games.tarocco.rules.score import LAST_TRICK, LinePile, LineScore, score_deal, unseen_cards

RULES: Final = "tarocco"
HAND: Final = 15
"""Cards dealt to a player (comma 5)."""
DEALER_HAND: Final = 17
"""Cards dealt to the dealer, from which he discards two."""
PLAYERS_OF_A_LINE: Final = 2
_FIELDS: Final = ("pile", "last_trick", "accusi", "only_scartini", "penalty")
_OPTION: Final = "last_trick_with_scartini"
_NAMED: Final = 6
"""So many missing cards are named in a sentence; of more only the number is."""


class CountError(TavoloError, ValueError):
    """A deal that cannot be counted: the message names each fault, one after the other."""


@dataclass(frozen=True, slots=True)
class WrittenAccuso:
    """Cards that a player has shown; ``seat`` None where the document does not say whose they were."""

    cards: tuple[str, ...]
    seat: Seat | None
    where: str


@dataclass(slots=True)
class _Reader:
    """Reads a document and gathers what is wrong with it."""

    faults: list[str] = field(default_factory=list)

    def cards(self, value: object, where: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
            self.faults.append(f'{where} must be a list of cards, as ["KC","t20","mat"]')
            return ()
        read = []
        for text in value:
            try:
                read.append(face(TAROCCO.parse(text)))
            except CardError as error:
                self.faults.append(f"{where}: {error}")
                read.append(UNKNOWN)  # a card lies there, whichever it is
        self.faults += [
            f"{where}: {card} stands {number} times"
            for card, number in Counter(read).items()
            if number > 1 and card != UNKNOWN
        ]
        return tuple(read)

    def whole(self, value: object, where: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            self.faults.append(f"{where} must be a whole number of points, not {value!r}")
            return 0
        return value

    def truth(self, value: object, where: str) -> bool:
        if not isinstance(value, bool):
            self.faults.append(f"{where} must be true or false, not {value!r}")
        return value is True

    def truth_or_none(self, value: object, where: str) -> bool | None:
        if value is not None and not isinstance(value, bool):
            self.faults.append(f"{where} must be true, false or null, not {value!r}")
            return None
        return value

    def accusi(self, value: object, where: str) -> tuple[WrittenAccuso, ...]:
        if not isinstance(value, list):
            self.faults.append(f'{where} must be a list of lists of cards, as [["KC","KD","KS"]]')
            return ()
        return tuple(self._accuso(one, f"{where}[{number}]") for number, one in enumerate(value))

    def _accuso(self, value: object, where: str) -> WrittenAccuso:
        if not isinstance(value, dict):
            return WrittenAccuso(self.cards(value, where), None, where)
        self.known(value, ("seat", "cards"), where)
        return WrittenAccuso(
            self.cards(value.get("cards"), f"{where}.cards"), self.seat(value.get("seat"), where), where
        )

    def seat(self, value: object, where: str) -> Seat | None:
        try:
            return None if value is None else Seat(str(value))
        except ValueError:
            self.faults.append(f"{where}.seat must be N, E, S or W, not {value!r}")
            return None

    def known(self, given: Mapping[str, Any], fields: Iterable[str], where: str) -> None:
        names = tuple(fields)
        self.faults += [
            f"{where} has no field '{name}': its fields are {', '.join(names)}" for name in given if name not in names
        ]


def count(document: Mapping[str, Any]) -> dict[str, Any]:
    """Answer ``tavolo count`` for ``document``; its ``deal`` holds the lines, and ``hands`` if they are known.

    A line holds ``pile``, ``last_trick`` (null: unknown), ``accusi`` (each a list of cards, or ``{"seat","cards"}``),
    ``only_scartini`` (commas 9, 11, 14) and ``penalty`` (comma 12). ``hands`` are the cards dealt by seat: an accuso
    must come from them. The answer: ``{"rules","lines":{"NS":{"items","why","missed","total"},"EW":…},"diff",
    "doubtful","warnings"}``; ``missed`` are the cards that an unknown one may be. Raises CountError, which names every
    fault.
    """
    reader = _Reader()
    deal = document.get("deal")
    if not isinstance(deal, dict) or not set(LINES) <= set(deal):
        raise CountError('the document must hold "deal" with the lines "NS" and "EW"')
    reader.known(deal, (*LINES, "hands", _OPTION), "deal")
    lines, accusi = {}, {}
    for line in LINES:
        lines[line], accusi[line] = _line(reader, deal[line], f"deal.{line}")
    hands = _hands(reader, deal.get("hands", {}))
    with_trick = reader.truth(deal.get(_OPTION, False), f"deal.{_OPTION}")
    if all(isinstance(deal[line], dict) and isinstance(deal[line].get("pile", []), list) for line in LINES):
        reader.faults += [*_pack_faults(lines), *_trick_faults(lines), *_accuso_faults(lines, accusi, hands)]
    if reader.faults:
        raise CountError("; ".join(reader.faults))
    return _answer(lines, score_deal(lines, last_trick_with_scartini=with_trick))


def _line(reader: _Reader, data: object, where: str) -> tuple[LinePile, tuple[WrittenAccuso, ...]]:
    if not isinstance(data, dict):
        reader.faults.append(f"{where} must be an object with {', '.join(_FIELDS)}")
        return LinePile(), ()
    reader.known(data, _FIELDS, where)
    last = data.get("last_trick", False)
    accusi = reader.accusi(data.get("accusi", []), f"{where}.accusi")
    penalty = reader.whole(data.get("penalty", 0), f"{where}.penalty")
    if penalty > 0:
        reader.faults.append(f"{where}.penalty takes points off: it cannot be more than 0, as {penalty} is")
    pile = LinePile(
        pile=reader.cards(data.get("pile", []), f"{where}.pile"),
        last_trick=reader.truth_or_none(last, f"{where}.last_trick"),
        accusi=tuple(one.cards for one in accusi),
        only_scartini=reader.truth(data.get("only_scartini", False), f"{where}.only_scartini"),
        penalty=penalty,
    )
    return pile, accusi


def _hands(reader: _Reader, data: object) -> dict[Seat, tuple[str, ...]]:
    if not isinstance(data, dict):
        reader.faults.append('deal.hands must be an object of seats, as {"N":["KC","t20"]}')
        return {}
    reader.known(data, tuple(Seat), "deal.hands")
    return {seat: reader.cards(data[seat], f"deal.hands.{seat}") for seat in Seat if seat in data}


def _pack_faults(lines: Mapping[Line, LinePile]) -> list[str]:
    first, second = (lines[line].pile for line in LINES)
    both = [card for card in first if card != UNKNOWN and card in second]
    faults = [f"{card} lies in both piles" for card in both]
    cards = len(first) + len(second)
    if cards != TAROCCO.size:
        missing = unseen_cards(lines.values())
        named = f", not in them {', '.join(missing)}" if 0 < len(missing) <= _NAMED else ""
        faults.append(f"the piles hold {len(first)} and {len(second)} cards, not {TAROCCO.size} together{named}")
    return faults


def _trick_faults(lines: Mapping[Line, LinePile]) -> list[str]:
    takers = [line for line in LINES if lines[line].last_trick]
    if len(takers) == len(LINES):
        return ["both lines are said to have the last trick: only one can"]
    if not takers and all(lines[line].last_trick is False for line in LINES):
        return ["no line is said to have the last trick: write last_trick true for one, or null where nobody knows"]
    return [f"deal.{line}: the last trick of a line whose pile is empty" for line in takers if not lines[line].pile]


def _accuso_faults(
    lines: Mapping[Line, LinePile],
    accusi: Mapping[Line, tuple[WrittenAccuso, ...]],
    hands: Mapping[Seat, tuple[str, ...]],
) -> list[str]:
    piles = {card for line in lines.values() for card in line.pile}
    shown: dict[str, WrittenAccuso] = {}
    faults: list[str] = []
    for line in LINES:
        faults += _too_many(accusi[line], line)
        for accuso in accusi[line]:
            faults += _own_faults(accuso, line, hands)
            for card in accuso.cards:
                if card == UNKNOWN:
                    continue
                if card in shown:
                    faults.append(f"{accuso.where}: {card} was shown in {shown[card].where}, it cannot be in two hands")
                if card not in piles and UNKNOWN not in (*lines[Line.NS].pile, *lines[Line.EW].pile):
                    faults.append(f"{accuso.where}: {card} lies in neither pile")
                shown.setdefault(card, accuso)
    return faults


def _too_many(accusi: Sequence[WrittenAccuso], line: Line) -> Iterable[str]:
    """Each player shows what he has once, before his first card: one accuso a seat, two a line."""
    if len(accusi) > PLAYERS_OF_A_LINE:
        yield f"deal.{line}.accusi: {len(accusi)} accusi of one line, whose two players show one each"
    seats = Counter(one.seat for one in accusi if one.seat is not None)
    for seat, number in seats.items():
        if number > 1:
            yield f"deal.{line}.accusi: {number} accusi of {seat}: write all the cards that {seat} has shown as one"


def _own_faults(accuso: WrittenAccuso, line: Line, hands: Mapping[Seat, tuple[str, ...]]) -> Iterable[str]:
    if len(accuso.cards) > DEALER_HAND:
        yield f"{accuso.where}: {len(accuso.cards)} cards are more than a hand ({HAND}, the dealer's {DEALER_HAND})"
    if accuso.seat is not None and accuso.seat.line is not line:
        yield f"{accuso.where}: {accuso.seat} plays for {accuso.seat.line}, not for {line}"
    seats = [accuso.seat] if accuso.seat is not None else [seat for seat in Seat if seat.line is line]
    known = [hands[seat] for seat in seats if seat in hands]
    if len(known) < len(seats) or any(UNKNOWN in hand for hand in known):
        return
    whose = max(known, key=lambda hand: len(set(accuso.cards) & set(hand)))
    for card in accuso.cards:
        if card not in whose and card != UNKNOWN:
            yield f"{accuso.where}: {card} was not in the hand that showed it"


def _answer(lines: Mapping[Line, LinePile], scores: Mapping[Line, LineScore]) -> dict[str, Any]:
    unseen = unseen_cards(lines.values())
    totals = [scores[line].total for line in LINES]
    first, second = totals
    return {
        "rules": RULES,
        "lines": {
            str(line): {
                "items": dict(scores[line].items),
                "why": why(lines[line], scores[line]),
                "missed": list(unseen) if UNKNOWN in lines[line].pile else [],
                "total": scores[line].total,
            }
            for line in LINES
        },
        "diff": None if first is None or second is None else first - second,
        "doubtful": [f"{line}.{item}" for line in LINES for item in scores[line].doubtful],
        "warnings": list(_warnings(lines)),
    }


def _warnings(lines: Mapping[Line, LinePile]) -> Iterable[str]:
    sizes = sorted(len(lines[line].pile) % 4 for line in LINES)
    if sizes != [0, 2]:
        yield (
            "piles of "
            + " and ".join(str(len(lines[line].pile)) for line in LINES)
            + " cards: after the Matto's exchange the dealer's line has two more than whole tricks, the other none;"
            " a false claim (comma 15) or a scarto of another number (comma 9) may make it otherwise"
        )
    for line in LINES:
        for number, cards in enumerate(lines[line].accusi):
            if UNKNOWN not in cards and not cricche(cards).found and not sequences(cards).found:
                yield f"deal.{line}.accusi[{number}] holds no combination"


def why(mine: LinePile, score: LineScore) -> list[dict[str, Any]]:
    """Return what each item of a line is made of, as an arbitro would write it down.

    Of a pile with unknown cards only what is known is listed; the item itself is null where more may come.
    """
    told: list[dict[str, Any]] = []
    if not mine.only_scartini:
        told += _combinations(mine.pile, "pile")
    told.append(_scartini(mine, score))
    if mine.last_trick and score.items["last_trick"]:
        told.append({"item": "last_trick", "points": LAST_TRICK})
    if not mine.only_scartini:
        for number, cards in enumerate(mine.accusi):
            told += _combinations(cards, f"accusi[{number}]")
    if mine.penalty:
        told.append({"item": "penalty", "points": mine.penalty})
    return told


def _combinations(cards: tuple[str, ...], where: str) -> list[dict[str, Any]]:
    known = tuple(card for card in cards if card != UNKNOWN)
    kinds: tuple[Callable[[Iterable[str]], Combinations], ...] = (cricche, sequences)
    return [line for kind in kinds for line in _lines(kind(known), where)]


def _lines(all_found: Combinations, where: str) -> Iterable[dict[str, Any]]:
    for one in all_found.found:
        line: dict[str, Any] = {"item": one.kind, "family": one.family, "of": where, "cards": list(one.cards)}
        if one.kind == "sequence":
            line["stands_for"] = dict(one.stands_for)
            line["missing"] = list(one.missing)
            line["ends"] = f"{', '.join(one.ends)} missing" if one.ends else None
        yield {**line, "points": one.points, "doubled": all_found.doubled}


def _scartini(mine: LinePile, score: LineScore) -> dict[str, Any]:
    values = Counter(worth(card) for card in mine.pile if card != UNKNOWN)
    return {
        "item": "scartini",
        "cards": len(mine.pile),
        "values": {str(value): values[value] for value in sorted(values, reverse=True)},
        "pairs": len(mine.pile) // 2,
        "points": score.items["scartini"],
    }
