"""Richard Pavlicek's bridge notation (RBN) → games as ``reading`` gives them, by way of the fields of LIN.

A letter and a value a line; an empty line ends a record; ``%`` begins a comment, braces hold text.

- ``B`` board, ``E`` event, ``N`` players (North+South:West+East:room) and ``H`` hands from a seat on (the last may be
  left out) hold for later records until they are stated anew.
- ``A`` dealer and vulnerability (Z, N, E, B), then rounds of calls: ``P``, ``X``, ``R``, a bid, ``A`` for passes to the
  end; ``*`` after a conventional call, ``^1`` with a note on the line ``1``.
- ``P`` tricks, the leader's card first; a suit is written where it is not the one that was led. After a semicolon the
  rest was trivial. ``C`` contract and declarer as ``4SX:N``, ``R`` tricks of declarer's side, or P.

The score of ``R`` is not read. What is wrong is noted, nothing raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hw.seats import CLOCKWISE, Seat, seat_or_none
from table_service.games.bridge.pbn.lin import LIN_DEALERS, LinField, game_of
from table_service.games.bridge.pbn.reading import Error, PbnGame
from table_service.games.bridge.rules.contract import BOOK, board_dealer, board_vulnerable

_STARTS: Final = re.compile(r"(?:\s+|[A-Z0-9] [^\n]*\n|%[^\n]*\n|\{[^}]*\})*?H [NESW][:;][^\n]*[:;]", re.ASCII)
_REPEATED: Final = frozenset("BEHN")
"""Labels that hold for later records too; others that do are not read."""
_VULNERABLE: Final[Mapping[str, str]] = {"Z": "o", "N": "n", "E": "e", "B": "b"}
_BY_NUMBER: Final[Mapping[str, str]] = {"none": "o", "NS": "n", "EW": "e", "both": "b"}
_AUCTION: Final = re.compile(r"(?:(?P<dealer>[NESW])(?P<vulnerable>[ZNEB?])?:)?(?P<calls>.*)")
_CALL: Final = re.compile(r"(?P<call>[1-7][CDHSN]|[PXRAY])(?P<alert>\*|\^\d)?[!?]*")
_CARD: Final = re.compile(r"([SHDC]?)([2-9TJQKA])")
_CONTRACT: Final = re.compile(r"(?P<bid>[1-7][CDHSN])T?(?P<doubled>XX|[XR])?:(?P<by>[NESW]).*")
_TRICKS: Final = re.compile(r"\d{1,2}(?!\d)")
_TO_THE_END: Final = "A"
_FROM_SOUTH: Final = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
_LABELS: Final[Mapping[str, str]] = {"md": "H", "sv": "A", "mb": "A", "an": "A", "pc": "P", "rs": "C", "mc": "R"}


@dataclass(slots=True)
class _RbnRecord:
    """The lines of a record by label, each with its number; ``notes``: of its calls, by their digit."""

    line: int = 0
    labels: dict[str, tuple[str, int]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def value(self, label: str) -> str:
        return self.labels.get(label, ("", 0))[0]


def is_rbn(text: str) -> bool:
    """Return True if ``text`` begins as an RBN file with hands does."""
    return _STARTS.match(text) is not None


def read_rbn(text: str) -> Iterator[PbnGame]:
    """Yield the boards of an RBN file."""
    held: dict[str, tuple[str, int]] = {}
    record, in_text = _RbnRecord(), False
    for line, told in enumerate((*text.splitlines(), ""), start=1):
        if in_text or told.startswith("{"):
            in_text = not told.rstrip().endswith("}") and bool(told.strip())
        elif told[1:2] == " " and told[0].isalnum():
            record.line = record.line or line
            label, value = told[0], told[2:].strip()
            if not label.isdigit():
                record.labels[label] = value, line
            elif "P" not in record.labels:
                record.notes[label] = value
        if not told.strip() and record.labels:
            held |= {label: one for label, one in record.labels.items() if label in _REPEATED}
            record.labels = {**held, **record.labels}
            if record.value("H"):
                yield _game(record)
            record = _RbnRecord()


def _game(record: _RbnRecord) -> PbnGame:
    number = record.value("B").split(":")[0].strip()
    auction = _AUCTION.fullmatch(record.value("A"))
    dealer, vulnerable, calls = _begun(record, number, auction)
    hands = _hands(record.value("H"))
    fields = [] if hands is None else [_field(record, "md", "H", LIN_DEALERS.get(dealer, "") + ",".join(hands))]
    if vulnerable:
        fields.append(_field(record, "sv", "A" if "A" in record.labels else "H", vulnerable))
    fields += [*_calls(record, calls), *_cards(record)]
    game = game_of(fields, _result(record), players=_players(record.value("N")), room=number, line=record.line)
    event = record.value("E").split(":")[0]
    if event:
        game.own.insert(0, ("Event", event))
        game.values["Event"], game.lines["Event"] = event, record.labels["E"][1]
    game.errors[:] = [_error(record, one) for one in game.errors]
    if hands is None:
        text = "hands are a seat and three or four hands, separated by colons"
        game.errors.append(Error(record.labels["H"][1], "Deal", text))
    return game


def _error(record: _RbnRecord, one: Error) -> Error:
    """Return an error of LIN with the label, and the line, of RBN."""
    label = _LABELS.get(one.tag, one.tag)
    line = record.labels[label][1] if one.tag == "rs" and label in record.labels else one.line
    return Error(line, label, one.text)


def _begun(record: _RbnRecord, number: str, auction: re.Match[str] | None) -> tuple[Seat | None, str, str]:
    """Dealer, vulnerability as LIN has it, calls; what is not told follows from the board's number, if that is one."""
    known = int(number) if number.isascii() and number.isdigit() else 0
    dealer = seat_or_none(auction["dealer"]) if auction else None
    vulnerable = _VULNERABLE.get((auction["vulnerable"] or "") if auction else "", "")
    if known and dealer is None:
        dealer = board_dealer(known)
    if known and not vulnerable and (auction is None or auction["vulnerable"] != "?"):
        vulnerable = _BY_NUMBER[board_vulnerable(known)]
    return dealer, vulnerable, auction["calls"] if auction and record.value("A") else ""


def _field(record: _RbnRecord, name: str, label: str, value: str) -> LinField:
    return LinField(name, value, record.labels[label][1])


def _hands(told: str) -> list[str] | None:
    """Return the hands from South on as LIN has them, an omitted hand empty; None if they are not hands."""
    seat, *hands = re.split("[:;]", told)
    first = seat_or_none(seat.strip())
    if first is None or len(hands) not in (3, 4):
        return None
    held, at = dict.fromkeys(_FROM_SOUTH, ""), first
    for hand in hands:
        suits = hand.strip().split(".")
        if hand.strip():
            held[at] = "".join(suit + ranks for suit, ranks in zip("SHDC", suits, strict=False))
        at = CLOCKWISE.next(at)
    return list(held.values())


def _calls(record: _RbnRecord, told: str) -> Iterator[LinField]:
    """Yield the calls, each with its alert and what its note says."""
    text, at, made = told.upper().replace(":", "").replace(" ", ""), 0, list[str]()
    while at < len(text):
        found = _CALL.match(text, at)
        if found is None:
            yield _field(record, "mb", "A", text[at:])
            return
        call, alert, at = found["call"], found["alert"] or "", found.end()
        if call == "Y":
            return  # a question to the reader: the auction stops here
        for one in _passes(made) if call == _TO_THE_END else (call,):
            made.append(one)
            yield _field(record, "mb", "A", one + "!" * bool(alert))
            if note := record.notes.get(alert[1:]):
                yield _field(record, "an", "A", note)


def _passes(made: Sequence[str]) -> list[str]:
    """Return the passes that end the auction."""
    has_bid = any(one[0].isdigit() for one in made)
    last = next((n for n, one in enumerate(reversed(made)) if one != "P"), len(made))
    return ["P"] * max(0, (3 if has_bid else 4) - last)


def _cards(record: _RbnRecord) -> Iterator[LinField]:
    """Yield the cards in the order of play."""
    for trick in re.split("[:;]", record.value("P").upper().replace(" ", "")):
        found = _CARD.findall(trick)
        if "".join(suit + rank for suit, rank in found) != trick or (found and not found[0][0]):
            yield _field(record, "pc", "P", trick)
            return
        for suit, rank in found:
            yield _field(record, "pc", "P", (suit or found[0][0]) + rank)


def _result(record: _RbnRecord) -> str:
    """Contract, declarer and tricks as LIN has them; empty where they are not told."""
    told = _CONTRACT.fullmatch(record.value("C").upper())
    if told is None:
        return "PASS" if record.value("R").upper().split(":")[0] == "P" else record.value("C")
    bid, doubled = told["bid"], (told["doubled"] or "").replace("R", "XX")
    tricks = _TRICKS.match(record.value("R"))
    over = None if tricks is None else int(tricks.group()) - BOOK - int(bid[0])
    return f"{bid}{doubled}{told['by']}" + ("" if over is None else "=" if over == 0 else f"{over:+d}")


def _players(told: str) -> list[str]:
    """Return the players from South on, as LIN has them."""
    ns, ew, *_ = (*told.split(":"), "", "")
    named = dict(zip("NS", ns.split("+"), strict=False)) | dict(zip("WE", ew.split("+"), strict=False))
    return [named.get(seat.value, "").strip() for seat in _FROM_SOUTH] if any(named.values()) else []
