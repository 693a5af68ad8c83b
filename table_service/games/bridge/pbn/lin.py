"""LIN files (vugraph, online tables) → games as ``reading`` gives them, so that one check judges both.

A LIN file is fields ``name|value|``: ``md`` dealer and hands from South, ``sv`` vulnerability, ``mb`` a call with ``!``
where it was alerted and ``an`` its meaning, ``pc`` a card in the order of play, ``mc`` tricks claimed for declarer,
``vg`` a match with its first board and its last, ``rs`` the results of all boards in order, open room before closed,
``qx`` or ``ah`` a board's number, ``pn`` players. Others are left aside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from hw.cards import BRIDGE
from hw.seats import CLOCKWISE, Seat
from table_service.games.bridge.pbn.lin_alerts import Alerts
from table_service.games.bridge.pbn.reading import Error, PbnGame, Word
from table_service.games.bridge.pbn.sections import HAND, ROUND
from table_service.games.bridge.pbn.trick_winner import winning_place
from table_service.games.bridge.rules.auction import CALLS, Auction
from table_service.games.bridge.rules.contract import BIDS, BOOK, SUIT_LETTERS, Contract
from table_service.games.tricks.order import FRENCH_RANKS

_PACK: Final = frozenset(BRIDGE.copies)
_START: Final = re.compile(r"\s*[a-z]{2}\|", re.IGNORECASE)
_DEALERS: Final[Mapping[str, Seat]] = {"1": Seat.SOUTH, "2": Seat.WEST, "3": Seat.NORTH, "4": Seat.EAST}
LIN_DEALERS: Final[Mapping[Seat | None, str]] = {seat: digit for digit, seat in _DEALERS.items()}
"""The digit before the hands by who deals."""
_FROM_SOUTH: Final = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
_VULNERABLE: Final[Mapping[str, str]] = {"o": "None", "0": "None", "-": "None", "n": "NS", "e": "EW", "b": "All"}
_CALLS: Final[Mapping[str, str]] = {"P": "P", "D": "X", "X": "X", "R": "XX", "XX": "XX"}
_CALL: Final = re.compile(r"(?:[1-7](?:NT|[CDHSN])|RDBL|DBL|PASS|XX|[PXDR])[!?]*", re.IGNORECASE)
_PLAYED: Final = re.compile(r"[SHDC](?:10|[2-9TJQKA])", re.IGNORECASE)
_SINGLE: Final = 2
"""A field of so many letters holds one call or card."""
_RESULT: Final = re.compile(
    r"(?P<bid>[1-7](?:NT|[CDHSN]))(?P<doubled>X{0,2})(?P<by>[NESW])(?P<after>X{0,2})(?P<made>=|[+-]\d{1,2})?",
    re.IGNORECASE,
)
"""A result: vugraphs write the doubling after who plays it (``4SWx-1``), others before."""
_FIRST_BOARD: Final = 3
"""Of a match's title: the field with its first board."""
_DIGITS: Final = 4
_ROOM: Final = re.compile(r"(?P<room>[oc])(?P<number>\d{1,4})", re.IGNORECASE | re.ASCII)
_NUMBER: Final = re.compile(r"\d+")
_READ: Final = frozenset({"vg", "rs", "pn", "qx", "md", "ah", "sv", "mb", "an", "pc", "mc"})
"""The fields that are read; of a vugraph most are others: comments and ends of pages."""
_PLAYERS: Final = (("South", 0), ("West", 1), ("North", 2), ("East", 3))


class LinField(NamedTuple):
    """A field of a file and its line."""

    name: str
    value: str
    line: int


@dataclass(slots=True)
class _Board:
    """The fields of one board. ``players``: those named last before it."""

    line: int
    players: Sequence[str]
    room: str = ""
    fields: list[LinField] = field(default_factory=list)

    def first(self, name: str) -> LinField | None:
        return next((one for one in self.fields if one.name == name and one.value.strip()), None)


def is_lin(text: str) -> bool:
    """Return True if ``text`` begins as a LIN file does."""
    return _START.match(text) is not None


def read_lin(text: str) -> Iterator[PbnGame]:
    """Yield the boards of ``text`` as games; what is wrong is noted with line and field, nothing raises."""
    results: list[str] = []
    players: list[str] = []
    boards: list[_Board] = []
    span: range | None = None
    for one in _fields(text):
        if one.name == "vg":
            span = _span(one.value)
        elif one.name == "rs":
            results += one.value.split(",")
        elif one.name == "pn":
            players = one.value.split(",")
            if boards and boards[-1].first("md") is None:
                boards[-1].players = players
        elif one.name == "qx":
            boards.append(_Board(one.line, players, one.value.strip()))
        elif one.name == "md" and (not boards or boards[-1].first("md") is not None):
            boards.append(_Board(one.line, players, fields=[one]))
        elif boards:
            boards[-1].fields.append(one)
    for order, board in enumerate(boards):
        place = _place(board, span, order)
        yield _game(board, results[place] if place < len(results) else "")


def game_of(
    fields: Sequence[LinField], result: str = "", *, players: Sequence[str] = (), room: str = "", line: int = 1
) -> PbnGame:
    """One board by its ``fields`` (all but ``pn``, ``vg``, ``rs``), as a game.

    ``result``: contract, declarer and tricks as ``rs`` has them; ``players``: from South on; ``room``: as ``qx``.
    """
    return _game(_Board(line, players, room, list(fields)), result)


def _span(told: str) -> range | None:
    """Return the boards of a match by its title: event, segment, scoring, first and last board; None otherwise."""
    parts = [part.strip() for part in told.split(",")]
    numbers = parts[_FIRST_BOARD : _FIRST_BOARD + 2]
    if len(numbers) < 2 or not all(_is_number(part) for part in numbers):
        return None
    return range(int(numbers[0]), int(numbers[1]) + 1)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS


def _place(board: _Board, span: range | None, order: int) -> int:
    """Position of ``board``'s result: by its number and room in a match of that span, else in its order."""
    found = _ROOM.fullmatch(board.room)
    number = int(found["number"]) if found is not None else 0
    if span is None or found is None or number not in span:
        return order
    return 2 * span.index(number) + (found["room"].lower() == "c")


def _fields(text: str) -> Iterator[LinField]:
    parts = text.split("|")
    line = 1
    for written, value in zip(parts[::2], parts[1::2], strict=False):
        name = written
        if written not in _READ:
            line += written.count("\n")
            name = written.strip().lower()
        if name in _READ:
            yield LinField(name, value, line)
        if "\n" in value:
            line += value.count("\n")


def _game(board: _Board, result: str) -> PbnGame:
    game = PbnGame(board.line)
    _set(game, "Board", _number(board), board.line)
    names = board.players
    if board.room[:1].lower() == "c" and len(names) > len(_PLAYERS):
        names = names[len(_PLAYERS) :]
    for seat, place in _PLAYERS:
        if place < len(names) and names[place].strip():
            _set(game, seat, names[place].strip(), board.line)
    vulnerable = board.first("sv")
    if vulnerable is not None:
        _set(game, "Vulnerable", _vulnerable(game, vulnerable), vulnerable.line)
    hands, dealer = _deal(game, board.first("md"))
    auction = _auction(game, board, dealer)
    contract = auction.contract() if auction is not None else None
    if auction is not None and auction.is_over and contract is None and not result.strip():
        result = "PASS"
    _result(game, board, result, contract)
    _play(game, board, hands, contract or _told_contract(game))
    return game


def _set(game: PbnGame, name: str, value: str, line: int) -> None:
    if value:
        game.own.append((name, value))
        game.values[name] = value
        game.lines[name] = line


def _number(board: _Board) -> str:
    title = board.first("ah")
    found = _NUMBER.search(board.room) or (_NUMBER.search(title.value) if title is not None else None)
    return found.group() if found else ""


def _vulnerable(game: PbnGame, one: LinField) -> str:
    word = one.value.strip().lower()[:1]
    if word not in _VULNERABLE:
        game.errors.append(Error(one.line, "sv", f"'{one.value.strip()}' is none of o, n, e, b"))
    return _VULNERABLE.get(word, "")


def _deal(game: PbnGame, one: LinField | None) -> tuple[dict[Seat, set[str]], Seat | None]:
    """Return the hands that are stated, and the dealer; the game gets them as tags."""
    if one is None:
        return {}, None
    text = one.value.strip()
    dealer = _DEALERS.get(text[:1])
    if text[:1].isdigit():
        text = text[1:]
    if dealer is not None:
        _set(game, "Dealer", dealer.value, one.line)
    parts = [part.strip().upper().replace("10", "T") for part in text.split(",")]
    parts += [""] * (len(_FROM_SOUTH) - len(parts))
    if len(parts) > len(_FROM_SOUTH):
        game.errors.append(Error(one.line, "md", f"a deal has four hands, not {len(parts)}"))
        return {}, dealer
    held = [_suits(part) for part in parts]
    if None in held:
        wrong = parts[held.index(None)][:20]
        game.errors.append(Error(one.line, "md", f"'{wrong}' is no hand: write S, H, D, C, each with its cards"))
        return {}, dealer
    written = [".".join(suits[suit] for suit in "SHDC") if any(suits.values()) else "-" for suits in held if suits]
    _set(game, "Deal", f"S:{' '.join(written)}", one.line)
    return _hands(held), dealer


def _hands(held: Sequence[Mapping[str, str] | None]) -> dict[Seat, set[str]]:
    """Return the cards by seat, from South on; three hands leave the fourth. None if one of them is not whole."""
    hands = {
        seat: {rank + suit for suit, ranks in suits.items() for rank in ranks}
        for seat, suits in zip(_FROM_SOUTH, held, strict=True)
        if suits is not None and any(suits.values())
    }
    if any(len(cards) != HAND for cards in hands.values()):
        return {}
    missing = [seat for seat in _FROM_SOUTH if seat not in hands]
    if len(missing) == 1:
        hands[missing[0]] = set(BRIDGE.copies).difference(*hands.values())
    return hands


def _suits(part: str) -> dict[str, str] | None:
    """Return the ranks of a hand by suit; None if a rank comes before the first suit, or a letter is neither."""
    found = dict.fromkeys("SHDC", "")
    suit = ""
    for letter in part:
        if letter in found:
            suit = letter
        elif suit and letter in FRENCH_RANKS:
            found[suit] += letter
        else:
            return None
    return found


def _auction(game: PbnGame, board: _Board, dealer: Seat | None) -> Auction | None:
    """Return the auction; the game gets its words, alerts and notes. None if it cannot be followed."""
    calls = [part for one in board.fields if one.name in ("mb", "an") for part in _parts(one, _CALL)]
    if not calls:
        return None
    if dealer is None:
        game.errors.append(Error(calls[0].line, "mb", "who dealt is not told"))
        return None
    auction, seat = Auction(dealer), dealer
    words: list[Word] = []
    alerts = Alerts(game, words)
    for one in calls:
        if one.name == "an":
            alerts.explain(one.value.strip(), one.line)
            continue
        alerts.explain("", one.line)
        text = one.value.translate(SUIT_LETTERS).strip().upper()
        call = _call(text.rstrip("!?"))
        if call is None:
            game.errors.append(Error(one.line, "mb", f"'{one.value.strip()[:20]}' is no call"))
            words.append(Word("*", one.line))
            break
        auction = auction.called(seat, call)
        seat = ROUND[seat][1]
        words.append(Word(_written(call), one.line))
        alerts.is_open = text.endswith("!")
    alerts.explain("", calls[-1].line)
    if not auction.is_over and board.first("pc") is None and words[-1].text != "*":
        words.append(Word("*", calls[-1].line))  # a table that was left: LIN has no sign for it
    _set(game, "Auction", dealer.value, calls[0].line)
    game.sections["Auction"] = words
    return auction


def _parts(one: LinField, token: re.Pattern[str]) -> Sequence[LinField]:
    """Return the calls or cards of ``one``, if it holds several and nothing else; else ``one`` as it is."""
    if one.name == "an" or len(one.value) <= _SINGLE:
        return (one,)
    text = "".join(one.value.translate(SUIT_LETTERS).split())
    found = token.findall(text)
    return [LinField(one.name, part, one.line) for part in found] if "".join(found) == text else (one,)


def _call(text: str) -> str | None:
    call = _CALLS.get(text) or _CALLS.get(text.removesuffix("ASS").removesuffix("BL"), text)
    call = call.removesuffix("T") if call[:1] in "1234567" and call[1:] == "NT" else call
    return call if call in CALLS else None


def _written(call: str) -> str:
    return "Pass" if call == "P" else f"{call}T" if call in BIDS and call[1] == "N" else call


def _result(game: PbnGame, board: _Board, result: str, contract: Contract | None) -> None:
    """Contract, declarer and tricks as ``rs`` and ``mc`` tell them."""
    claimed = _claimed(game, board.first("mc"))
    told = _RESULT.fullmatch(result.strip())
    if told is not None:
        doubled = (told["doubled"] or told["after"]).upper()
        _set(game, "Contract", _written(told["bid"].upper().removesuffix("T")) + doubled, board.line)
        _set(game, "Declarer", told["by"].upper(), board.line)
        number = _made(int(told["bid"][0]), told["made"] or "")
        if number and claimed and number != claimed.value:
            text = f"{claimed.value} tricks are claimed, the results say {number}"
            game.errors.append(Error(claimed.line, "mc", text))
        if number:
            claimed = LinField("rs", number, board.line)
    elif result.strip().upper() in ("P", "PASS"):
        _set(game, "Contract", "Pass", board.line)
    elif result.strip():
        game.errors.append(Error(board.line, "rs", f"'{result.strip()[:20]}' is no result, as 4SN= or 3NTW-1"))
    elif contract is not None:
        _set(game, "Contract", f"{_written(contract.bid)}{contract.doubled}", board.line)
        _set(game, "Declarer", contract.declarer.value, board.line)
    if claimed is not None:
        _set(game, "Result", claimed.value, claimed.line)


def _claimed(game: PbnGame, one: LinField | None) -> LinField | None:
    if one is None:
        return None
    tricks = one.value.strip()
    if not tricks.isdecimal() or int(tricks) > HAND:
        game.errors.append(Error(one.line, "mc", f"'{tricks}' is no number of tricks"))
        return None
    return LinField("mc", tricks, one.line)


def _made(level: int, made: str) -> str:
    """Tricks of a contract of ``level`` that was ``made`` (``=``, ``+1``, ``-2``); empty where it is not told."""
    return "" if not made else str(BOOK + level + (0 if made == "=" else int(made)))


def _told_contract(game: PbnGame) -> Contract | None:
    bid, by = game.values.get("Contract", "Pass"), game.values.get("Declarer")
    if bid == "Pass" or by is None:
        return None
    return Contract(bid[:2], Seat(by))


def _play(game: PbnGame, board: _Board, hands: Mapping[Seat, set[str]], contract: Contract | None) -> None:
    """Put the cards in columns from the opening leader on, as a game of PBN has them."""
    cards = [part for one in board.fields if one.name == "pc" for part in _parts(one, _PLAYED)]
    if not cards:
        return
    if contract is None:
        game.errors.append(Error(cards[0].line, "pc", "cards are played, but no contract is told"))
        return
    first = CLOCKWISE.next(contract.declarer)
    holder = {card: seat for seat, held in hands.items() for card in held}
    leader, columns = first, ROUND[first]
    words: list[Word] = []
    for start in range(0, len(cards), len(_FROM_SOUTH)):
        row = _row(game, cards[start : start + len(_FROM_SOUTH)], leader, holder)
        if row is None:
            words.append(Word("*", cards[start].line))
            break
        last = cards[start + len(row) - 1].line
        words += [row.get(seat) or Word("-", last) for seat in columns]
        if len(row) == len(columns):
            leader = tuple(row)[winning_place([_card(word.text) for word in row.values()], contract.strain)]
    _set(game, "Play", first.value, cards[0].line)
    game.sections["Play"] = words


def _row(game: PbnGame, cards: Sequence[LinField], leader: Seat, holder: Mapping[str, Seat]) -> dict[Seat, Word] | None:
    """Return the cards of a trick by their players: those who hold them, else in turn; None if that cannot be."""
    row: dict[Seat, Word] = {}
    for turn, one in enumerate(cards):
        text = one.value.strip().upper().replace("10", "T")
        card = _card(text)
        seat = holder.get(card) or ROUND[leader][turn]
        wrong = "is no card" if card not in _PACK else f"is a second card of {seat}" if seat in row else ""
        if wrong:
            game.errors.append(Error(one.line, "pc", f"'{text[:10]}' {wrong}"))
            game.is_impossible = True
            return None
        row[seat] = Word(text, one.line)
    return row


def _card(text: str) -> str:
    return text[1:] + text[:1]
