"""Check of a record: deal sound, auction and play lawful, tricks and score right (``tavolo pbn check``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hw.seats import CLOCKWISE, Line, Seat
from table_service.games.bridge.pbn.deal_files import reader_of
from table_service.games.bridge.pbn.forms import DESCRIBING
from table_service.games.bridge.pbn.lin import is_lin, read_lin
from table_service.games.bridge.pbn.rbn import is_rbn, read_rbn
from table_service.games.bridge.pbn.reading import Error, decoded, read_games
from table_service.games.bridge.pbn.record import Record, record_of
from table_service.games.bridge.pbn.sections import HAND, ROUND, Awaited, Played, WrittenCall
from table_service.games.bridge.pbn.trick_winner import winning_place
from table_service.games.bridge.pbn.usebio import is_usebio, read_usebio
from table_service.games.bridge.rules.auction import Auction, CallFault
from table_service.games.bridge.rules.contract import Contract, is_higher, is_vulnerable
from table_service.games.bridge.rules.score import score

_READERS: Final = ((is_usebio, read_usebio), (is_lin, read_lin), (is_rbn, read_rbn))


@dataclass(slots=True)
class PlayCheck:
    """Play of a record: True if lawful, its revokes, and tricks of each line if all are recorded.

    ``won``: recorded whole tricks of each line.
    """

    legal: bool | None = None
    revokes: list[dict[str, Any]] = field(default_factory=list)
    tricks: dict[Line, int] | None = None
    won: dict[Line, int] = field(default_factory=dict)


def check_file(data: bytes, name: str) -> Iterator[dict[str, Any]]:
    """One answer for each board of a file of records (interfaces, section 6); unknown is None."""
    for record in records_of(decoded(data)):
        yield {"file": name, **check(record)}


def records_of(text: str) -> Iterator[Record]:
    """Yield the boards of ``text``: PBN, LIN, USEBIO XML, or deals as DUP, DLM or RBN."""
    own = next((reads for is_so, reads in _READERS if is_so(text)), None)
    read = own or reader_of(text) or read_games
    for game in read(text):
        yield record_of(game)


def is_bad(answer: Mapping[str, Any]) -> bool:
    """Return True if a board's answer names anything unsound; a date or another describing tag is no part of it."""
    return bool(
        any(one["tag"] not in DESCRIBING for one in answer["errors"])
        or answer["deal"] == "bad"
        or answer["auction"]["legal"] is False
        or answer["play"]["legal"] is False
        or answer["score"]["right"] is False
    )


def check(record: Record) -> dict[str, Any]:
    """Return the answer for one board, all that is wrong with it named.

    >>> lines = ('[Board "1"]', '[Dealer "N"]', '[Auction "N"]', "1NT 2C 1H Pass")
    >>> answer = check(next(records_of(chr(10).join(lines))))
    >>> answer["auction"]["legal"], is_bad(answer)
    (False, True)
    """
    errors = list(record.errors)
    legal, called = _auction(record, errors)
    contract = record.contract if _is_led_for_told(record, called) else called or record.contract
    play = _play(record, contract, errors)
    tricks = record.result if contract is None else _tricks(record, play, contract, errors)
    return {
        "board": record.board,
        "deal": record.deal,
        "auction": {
            "legal": legal,
            "contract": _named(record, contract),
            "declarer": None if contract is None else contract.declarer.value,
        },
        "play": {"legal": play.legal, "revokes": play.revokes},
        "tricks": tricks,
        "score": _score(record, contract, tricks, errors),
        "errors": [{"line": one.line, "tag": one.tag, "text": one.text} for one in sorted(errors, key=_place)],
    }


def _tricks(record: Record, play: PlayCheck, contract: Contract, errors: list[Error]) -> int | None:
    """Return the tricks of declarer's line: as the record states them, else as they were won."""
    told, line = record.result, contract.declarer.line
    if play.tricks is None:
        if told is not None:
            _within(record, play, line, errors)
        return told
    won = play.tricks[line]
    if told is not None and not play.revokes:
        if told != won and "Result" not in record.irregular:
            errors.append(Error(0, "Result", f"the result says {told} tricks, the cards played {won}"))
        elif told == won and "Result" in record.irregular and _is_regular(record, contract, won):
            errors.append(Error(0, "Result", f"^{told} is said to be another number than was won, and is not"))
    return won if told is None else told


def _is_regular(record: Record, contract: Contract, won: int) -> bool:
    """Return True if no other score than that of the tricks that were won is stated."""
    return _told_for_ns(record) in (None, _counted(record, contract, won))


def _place(error: Error) -> tuple[bool, int]:
    """Sort key of an error: by its line; without one, at the end."""
    return not error.line, error.line


def _is_led_for_told(record: Record, called: Contract | None) -> bool:
    """Return True if the auction gives another declarer, and the opening lead supports the recorded one.

    Some programs leave out the passes before the first bid: the auction is wrong then, and not the play.
    """
    told = record.contract
    if called is None or told is None or record.leader is None or called.declarer is told.declarer:
        return False
    return (called.bid, called.doubled) == (told.bid, told.doubled) and record.leader is CLOCKWISE.next(told.declarer)


def _within(record: Record, play: PlayCheck, line: Line, errors: list[Error]) -> None:
    """Check a board that was not played out: the result lies between the tricks that either side had won."""
    least, most = play.won.get(line, 0), HAND - play.won.get(line.other, 0)
    is_told = record.result is None or least <= record.result <= most
    if is_told or "Result" in record.irregular or play.revokes or not play.legal:
        return
    text = f"the result says {record.result} tricks, by the cards that were played it is {least} to {most}"
    errors.append(Error(0, "Result", text))


def _named(record: Record, contract: Contract | None) -> str | None:
    if contract is not None:
        return str(contract)
    return "pass" if record.passed_out else None


def _auction(record: Record, errors: list[Error]) -> tuple[bool | None, Contract | None]:
    """Check the auction: True if lawful (None: none, or only a part of it), and the contract of a whole one."""
    if record.calls is None or record.dealer is None:
        return None, None
    auction = Auction(record.dealer)
    lawful = not record.skipped
    for one in record.calls:
        faults = auction.faults(one.seat, one.call)
        auction = auction.called(one.seat, one.call)
        lawful = lawful and not faults
        errors += _call_errors(record, one, faults)
    if not record.is_whole:
        if record.calls and not auction.is_over:
            lawful = _unfinished(record, auction, errors) and lawful
        return (None if lawful else False), None
    contract = auction.contract()
    if lawful:
        _compare(record, contract, errors)
    if contract is not None and "Declarer" in record.irregular and record.declarer is not None:
        contract = Contract(contract.bid, record.declarer, contract.doubled)
    return lawful, contract


def _unfinished(record: Record, auction: Auction, errors: list[Error]) -> bool:
    """Return True if the record marks its auction as stopped early (``*``); add errors of an impossible contract."""
    if not record.is_cut:
        last = (record.calls or ())[-1]
        text = f"the auction has not ended with {last.call} by {last.seat}, and no * says that calls are missing"
        errors.append(Error(last.line, "Auction", text))
    if auction.bid is not None and _is_passed(record, auction.bid):
        text = f"the last bid is {auction.bid}, the contract says {record.bid or 'pass'}"
        errors.append(Error(0, "Contract", text))
    return record.is_cut


def _is_passed(record: Record, last: str) -> bool:
    """Return True if the stated contract cannot follow on ``last``, the last bid of an auction that has not ended."""
    if record.bid is None:
        return record.passed_out
    return is_higher(last, record.bid) if record.is_cut else record.bid != last


def _call_errors(record: Record, call: WrittenCall, faults: Collection[CallFault]) -> Iterator[Error]:
    """Errors of a call that the record does not mark, and of a mark that is wrong."""
    if call.marked and CallFault.INSUFFICIENT not in faults:
        yield Error(call.line, "Auction", f"{call.call} by {call.seat} is marked (^I), and is not insufficient")
    wrong = [fault for fault in faults if not _is_marked(record, call, fault)]
    if wrong:
        yield Error(call.line, "Auction", f"{call.call} by {call.seat} is {', '.join(wrong)}")


def _is_marked(record: Record, call: WrittenCall, fault: CallFault) -> bool:
    """Return True if the record itself says so: that the call is insufficient, or that seats were passed over."""
    if fault is CallFault.OUT_OF_TURN:
        return bool(record.skipped)
    return fault is CallFault.INSUFFICIENT and bool(call.marked)


def _compare(record: Record, contract: Contract | None, errors: list[Error]) -> None:
    if contract is None:
        if record.bid is not None:
            errors.append(Error(0, "Contract", "all have passed, and a contract is told"))
        return
    if record.passed_out:
        errors.append(Error(0, "Contract", f"the auction ends in {contract}, the contract says pass"))
    elif record.bid is not None and (record.bid, record.doubled) != (contract.bid, contract.doubled):
        told = Contract(record.bid, contract.declarer, record.doubled)
        errors.append(Error(0, "Contract", f"the auction ends in {contract}, the contract says {told}"))
    if "Declarer" in record.irregular and record.declarer not in (None, contract.declarer.partner):
        text = f"^{record.declarer} is dummy who has declared, and by the auction that is {contract.declarer.partner}"
        errors.append(Error(0, "Declarer", text))
    elif "Declarer" not in record.irregular and record.declarer not in (None, contract.declarer):
        errors.append(Error(0, "Declarer", f"by the auction {contract.declarer} plays, not {record.declarer}"))


def _lead(record: Record, leader: Seat, due: Seat, found: PlayCheck, errors: list[Error]) -> None:
    """Check the first leader against the contract's, unless the record itself marks the lead."""
    if leader is due:
        return
    found.legal = False
    if record.tricks and not any(one.marked == "L" for one in record.tricks[0][:1]):
        errors.append(Error(0, "Play", f"{leader} leads, it is for {due}"))


def _in_order(row: Sequence[Played], leader: Seat | None) -> list[Played]:
    """Return the cards of a trick in the order in which they were played; none if the leader is not known."""
    if row and row[0].seat is leader:
        return list(row)  # columns stand in turn from the opening leader on
    if len(row) == len(CLOCKWISE.seats) and leader is not None:
        place = ROUND[row[0].seat].index(leader)
        return [*row[place:], *row[:place]]
    plays = {one.seat: one for one in row}
    if leader is None or leader not in plays:
        return []
    return [plays[seat] for seat in ROUND[leader] if seat in plays]


def _play(record: Record, contract: Contract | None, errors: list[Error]) -> PlayCheck:
    if record.tricks is None or contract is None or record.leader is None:
        _nothing_to_play(record, errors)
        return PlayCheck()
    found = PlayCheck(legal=not record.is_impossible)
    _lead(record, record.leader, CLOCKWISE.next(contract.declarer), found, errors)
    holding = {seat: set(cards) for seat, cards in record.hands.items()} if record.deal == "ok" else {}
    seen: set[str] = set()
    leader: Seat | None = record.leader
    won = dict.fromkeys(Line, 0)
    whole = True
    due: Seat | None = CLOCKWISE.next(contract.declarer)
    for number, row in enumerate(record.tricks, 1):
        leader = _leader(row, leader, due, found, errors)
        if record.awaited is not None and record.awaited.trick == number:
            _await(record.awaited, row, leader, errors)
        _hold(row, holding, seen, found, errors)
        plays = _in_order(row, leader)
        _follow(record, number, plays, holding, found, errors)
        full = len(plays) == len(CLOCKWISE.seats)
        whole = whole and full
        leader = due = plays[winning_place([one.card for one in plays], contract.strain)].seat if full else None
        if leader is not None:
            won[leader.line] += 1
    found.won = won
    if whole and len(record.tricks) == HAND:
        found.tricks = won
    return found


def _nothing_to_play(record: Record, errors: list[Error]) -> None:
    """No card is played where no contract is told, but in an ending."""
    if record.tricks and record.tricks[0] and not record.is_ending:
        text = "cards are played, and no contract with its declarer is told"
        errors.append(Error(record.tricks[0][0].line, "Play", text))


def _leader(
    row: Sequence[Played], leader: Seat | None, due: Seat | None, found: PlayCheck, errors: list[Error]
) -> Seat | None:
    """Leader of a trick: ``leader``, unless a card is marked as led out of turn; ``due``: who is to lead."""
    for one in row:
        if one.marked != "L":
            continue
        if one.seat is due:
            errors.append(Error(one.line, "Play", f"{one.card} is marked (^L), and it was for {one.seat} to lead"))
        else:
            found.legal = False
        return one.seat
    return leader


def _await(awaited: Awaited, row: Sequence[Played], leader: Seat | None, errors: list[Error]) -> None:
    """No card follows in turn on the one that is to be played next (``+``)."""
    if leader is None:
        return
    turns = ROUND[leader]
    later = [one for one in row if turns.index(one.seat) > turns.index(awaited.seat)]
    if later:
        text = f"{later[0].seat} has played {later[0].card}, and {awaited.seat} is to play before ('+')"
        errors.append(Error(later[0].line, "Play", text))


def _hold(
    row: tuple[Played, ...], holding: dict[Seat, set[str]], seen: set[str], found: PlayCheck, errors: list[Error]
) -> None:
    """Each card is played once, and from the hand that holds it."""
    for seat, card, line, _ in row:
        if card in seen:
            found.legal = False
            errors.append(Error(line, "Play", f"{card} is played a second time"))
        elif holding and card not in holding[seat]:
            found.legal = False
            errors.append(Error(line, "Play", f"{seat} does not hold {card}"))
        seen.add(card)


def _follow(
    record: Record,
    number: int,
    plays: list[Played],
    holding: dict[Seat, set[str]],
    found: PlayCheck,
    errors: list[Error],
) -> None:
    """Check that a seat that does not follow holds no card of the suit: by the deal, else by its later plays."""
    if not plays:
        return
    led = plays[0].card[1]
    for one in plays:
        seat, played, _, _ = one
        own = holding.get(seat)
        if own is not None:
            own.discard(played)
        rest: Iterable[str] = ()
        if played[1] != led:
            rest = own if own is not None else _later(record, number, one.seat)
        if not any(card[1] == led for card in rest):
            if one.marked == "R" and (own is not None or played[1] == led):
                errors.append(Error(one.line, "Play", f"{one.card} by {one.seat} is marked (^R), and is no revoke"))
            continue
        found.legal = False
        established = _is_established(record, number, one.seat)
        told = {"seat": one.seat.value, "trick": number, "card": one.card, "established": established}
        found.revokes.append(told)
        if one.marked != "R":
            errors.append(Error(one.line, "Play", f"{one.seat} does not follow in trick {number} and holds the suit"))


def _later(record: Record, number: int, seat: Seat) -> set[str]:
    return {one.card for row in (record.tricks or ())[number:] for one in row if one.seat is seat}


def _is_established(record: Record, number: int, seat: Seat) -> bool:
    """Law 63A: his side has led or played to the next trick."""
    following = (record.tricks or ())[number : number + 1]
    return any(one.seat.line is seat.line for row in following for one in row)


def _score(record: Record, contract: Contract | None, tricks: int | None, errors: list[Error]) -> dict[str, Any]:
    told = _told_for_ns(record)
    counted: int | None = None
    if record.passed_out and contract is None:
        counted = 0
    elif contract is not None and tricks is not None:
        counted = _counted(record, contract, tricks)
    right = None if told is None or counted is None else told == counted
    if right is False and "Result" in record.irregular:
        right = None  # the score of a result that was adjusted is the arbitro's
    if right is False:
        errors.append(Error(0, "Score", f"the score says {told:g} for NS, contract and tricks give {counted}"))
    return {"NS": counted if counted is not None else told, "right": right}


def _counted(record: Record, contract: Contract, tricks: int) -> int | None:
    """Score of contract and tricks for North and South; None if the vulnerability is unknown."""
    if record.vulnerable is None:
        return None
    line = contract.declarer.line
    points = score(contract, tricks, vulnerable=is_vulnerable(line, record.vulnerable)).total
    return points if line is Line.NS else -points


def _told_for_ns(record: Record) -> float | None:
    for names, sign in ((("NS", "N", "S"), 1), (("EW", "E", "W"), -1)):
        for name in names:
            if name in record.score:
                return sign * record.score[name]
    return None
