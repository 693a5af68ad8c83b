"""The arbitro's order that begins a board: its number, dealer and vulnerability, and a record of its deal. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from hw.seats import CLOCKWISE, seat_or_none
from table_service.games.bridge.pbn.check import records_of
from table_service.games.bridge.pbn.reading import PbnGame
from table_service.games.bridge.pbn.record import Record
from table_service.games.bridge.pbn.writing import write_games
from table_service.games.bridge.rules.contract import VULNERABLE, board_dealer, board_vulnerable
from table_service.games.reports import DealOrder, Text, WrongFieldError

MOST_BOARDS: Final = 999
_IN_PBN: Final = {"none": "None", "NS": "NS", "EW": "EW", "both": "All"}
_SUITS: Final = "SHDC"
_RANKS: Final = "AKQJT98765432"


def fields_of(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the order's fields: what the form omits is what the board's number says (law 2). Raises WrongFieldError.

    >>> fields_of({"board": "7"})
    {'dealer': 'S', 'board': 7, 'vulnerable': 'both'}
    """
    number = _number(form.get("board", ""))
    dealer, vulnerable = form.get("dealer", "").strip(), form.get("vulnerable", "").strip()
    if number is None and not dealer:
        raise WrongFieldError(
            (
                "Scrivi il numero del board, o almeno chi è il mazziere.",
                "Write the board's number, or at least its dealer.",
            )
        )
    if dealer and seat_or_none(dealer) is None:
        raise WrongFieldError((f"«{dealer}» non è un posto: N, E, S o W.", f"'{dealer}' is no seat: N, E, S or W."))
    if vulnerable and vulnerable not in VULNERABLE:
        raise WrongFieldError(
            (f"«{vulnerable}» non è una zona: none, NS, EW o both.", f"'{vulnerable}' is none of none, NS, EW, both.")
        )
    fields: dict[str, Any] = {"dealer": dealer or str(board_dealer(number or 1))}
    if (deal := _number(form.get("deal", ""))) is not None:
        fields["deal"] = deal
    if number is not None:
        fields |= {"board": number, "vulnerable": vulnerable or board_vulnerable(number)}
    elif vulnerable:
        fields["vulnerable"] = vulnerable
    if form.get("record", "").strip():
        fields["record"] = _recorded(form["record"], number, fields, said=bool(dealer or vulnerable))
    return fields


def _number(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_BOARDS):
        raise WrongFieldError(
            (
                f"«{text}» non è il numero di un board: scrivi un numero da 1 a {MOST_BOARDS}.",
                f"'{text}' is no board's number: write one from 1 to {MOST_BOARDS}.",
            )
        )
    return int(text)


def _recorded(text: str, number: int | None, fields: Mapping[str, Any], *, said: bool) -> str:
    """Return the one board of ``text`` that is ordered, as a record of its deal alone. Raises WrongFieldError."""
    record = _only_board(text, number)
    _is_whole(record, number)
    _agrees(record, fields, said=said)
    return deal_record(record, number, str(fields["dealer"]), str(fields.get("vulnerable") or record.vulnerable or ""))


def _only_board(text: str, number: int | None) -> Record:
    """Return the board ``number`` of ``text``, else its only one; several tables of it with the same cards are one.

    Raises WrongFieldError.
    """
    return _only_board_of([one for one in records_of(text) if one.board or one.deal != "none"], number)


def _only_board_of(boards: list[Record], number: int | None) -> Record:
    found = [one for one in boards if number is not None and one.board == str(number)]
    if len(boards) == 1 and not boards[0].board:
        found = boards
    if not found:
        raise _no_such_board(number, boards)
    whole = [one for one in found if one.deal == "ok"] or found
    if any(_dealt(one) != _dealt(whole[0]) for one in whole):
        raise WrongFieldError(
            (
                f"Nel file il board {number} c’è {len(whole)} volte con carte diverse: non si sa quale sia.",
                f"The file has board {number} {len(whole)} times with different cards: nobody knows which it is.",
            )
        )
    return whole[0]


def _dealt(record: Record) -> tuple[object, ...]:
    """Key that tables with the same board have in common."""
    return record.hands, record.dealer, record.vulnerable


def _no_such_board(number: int | None, boards: Sequence[Record]) -> WrongFieldError:
    held, wanted = ", ".join(one.board or "?" for one in boards[:40]) or "–", number or "?"
    return WrongFieldError(
        (f"Nel file non c’è il board {wanted}: ci sono {held}.", f"The file has no board {wanted}: it has {held}.")
    )


def _is_whole(record: Record, number: int | None) -> None:
    """Raise WrongFieldError where the cards of ``record`` are no whole pack."""
    if record.deal == "ok":
        return
    why = next((one for one in record.errors if one.tag == "Deal"), None)
    where = "" if why is None else f" ({why.line}: {why.text})"
    raise WrongFieldError(
        (
            f"Le carte del board {number or '?'} nel file non sono un mazzo intero{where}.",
            f"The cards of board {number or '?'} in the file are no whole pack{where}.",
        )
    )


def _agrees(record: Record, fields: Mapping[str, Any], *, said: bool) -> None:
    """Raise WrongFieldError where the file contradicts dealer or vulnerability, unless the arbitro has said them."""
    told = {"dealer": record.dealer and str(record.dealer), "vulnerable": record.vulnerable}
    differ = [name for name, value in told.items() if value and fields.get(name) and fields[name] != value]
    if differ and not said:
        have = ", ".join(f"{name} {told[name]}" for name in differ)
        raise WrongFieldError(
            (
                f"Il file dice {have}, il numero del board dice altro: scegli mazziere e zona.",
                f"The file says {have}, the board's number says otherwise: choose dealer and vulnerability.",
            )
        )


def deal_record(record: Record, number: int | None, dealer: str, vulnerable: str) -> str:
    """Return the four hands of ``record`` as one board in PBN, nothing else of it."""
    hands = " ".join(pbn_hand(sorted(record.hands[seat])) for seat in CLOCKWISE.seats)
    values = {"Dealer": dealer, "Vulnerable": _IN_PBN.get(vulnerable, ""), "Deal": f"{CLOCKWISE.seats[0]}:{hands}"}
    game = PbnGame(1, values={"Board": "" if number is None else str(number), **values})
    return write_games([game])


def pbn_hand(cards: Sequence[str]) -> str:
    """Return a hand as PBN has it: spades, hearts, diamonds, clubs, the highest first.

    >>> pbn_hand(["AS", "2S", "TH", "KC"])
    'A2.T..K'
    """
    by_suit = ([card[0] for card in cards if card[1] == suit] for suit in _SUITS)
    return ".".join("".join(sorted(ranks, key=_RANKS.index)) for ranks in by_suit)


def known_of(text: str) -> Text:
    """Return what a file of records holds, without a card of it."""
    boards = list(records_of(text))
    sound = list(dict.fromkeys(one.board or "?" for one in boards if one.deal == "ok"))
    few = ", ".join(sound[:6]) + (" …" if len(sound) > 6 else "")
    return (f"{len(sound)} board ({few})", f"{len(sound)} boards ({few})")


def check_records(text: str) -> None:
    """Raise WrongFieldError where ``text`` has no board whose cards are whole, or one with two sets of cards."""
    boards = list(records_of(text))
    if not any(one.board and one.deal == "ok" for one in boards):
        raise WrongFieldError(
            (
                "Nel file non c’è nessun board con un numero e un mazzo intero.",
                "The file has no board with a number and a whole pack.",
            )
        )
    numbers = dict.fromkeys(one.board for one in boards if one.board.isascii() and one.deal == "ok")
    for number in (one for one in numbers if one.isdigit()):
        _only_board_of(boards, int(number))


def records_by_number(text: str, numbers: Collection[int]) -> dict[int, str]:
    """Return the records of these boards as far as ``text`` has them, each as an order takes it."""
    boards, found = list(records_of(text)), dict[int, str]()
    for number in numbers:
        own = [one for one in boards if one.board == str(number) and one.deal == "ok"]
        if own:
            dealer, vulnerable = own[0].dealer or board_dealer(number), own[0].vulnerable or board_vulnerable(number)
            found[number] = deal_record(own[0], number, str(dealer), vulnerable)
    return found


DEAL_ORDER: Final = DealOrder(
    template="deal_order.html",
    fields_of=fields_of,
    secret="record",  # noqa: S106
    known_of=known_of,
    check=check_records,
    records_of=records_by_number,
)
