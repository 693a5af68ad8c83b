"""The boards of rounds as PBN, as other programs read it: deals, auctions, plays, all scores, the ranking.

Made from public events alone: what no table has shown of a board stays unknown. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hw.cards import UNKNOWN
from hw.seats import CLOCKWISE, SEATS, Line, Seat
from table_service.games.bridge.norms.altered_boards import BoardShare
from table_service.games.bridge.pages.board_facts import BoardFacts, completed
from table_service.games.bridge.pages.comparison import Compared, groups_of
from table_service.games.bridge.pages.deal_order import pbn_hand
from table_service.games.bridge.pages.event_results import EventResults, PairResult, results_of
from table_service.games.bridge.pages.report_text import seat_order
from table_service.games.bridge.pbn.reading import PbnGame, Word
from table_service.games.bridge.pbn.writing import write_games
from table_service.games.bridge.rules.auction import NO_BID
from table_service.games.bridge.rules.contract import BIDS, TRICKS, board_dealer, board_vulnerable, is_higher
from table_service.games.reports import RoundPlayed

_VULNERABLE: Final = {"none": "None", "NS": "NS", "EW": "EW", "both": "All"}
_SCORES: Final = (
    r"Round\3R;Table\6L;PairId_NS\4R;PairId_EW\4R;Contract\5L;Declarer\1L;Result\2R;Score_NS\6R;Score_EW\6R"
    r";MP_NS\6R;MP_EW\6R;Percentage_NS\6R;Percentage_EW\6R"
)
_TOTALS: Final = r"Rank\3R;PairId\4R;TotalPercentage\6R;NrBoards\3R;Names\40L"


def hands_of(group: Sequence[BoardFacts]) -> dict[Seat, frozenset[str]]:
    """Return the hands of a board as all tables that played it with the same cards have shown them together."""
    return completed({seat: {card for one in group for card in one.shown.get(seat, ())} for seat in SEATS})


def event_pbn(rounds: Sequence[RoundPlayed]) -> str:
    """Every table's boards: the first of each board with the scores of all, the first of the file with the ranking."""
    results = results_of(rounds)
    games: list[PbnGame] = []
    for number, every in results.boards:
        shares = {id(one.board): one for one in every}
        board_games = [
            _game(results, number, one, hands_of(group), shares[id(one)])
            for group in groups_of([one.board for one in every])
            for one in group
        ]
        if not results.is_teams:
            _add_table(board_games[0], "ScoreTable", _SCORES, [_score_row(one, results) for one in every])
        games += board_games
    if games and results.pairs and not results.is_teams:
        rows = [_total_row(one) for one in results.pairs if one.place]
        _add_table(games[0], "TotalScoreTable", _TOTALS, rows)
    return write_games(games)


def _add_table(game: PbnGame, name: str, columns: str, rows: Sequence[Sequence[str]]) -> None:
    if rows:
        game.values[name] = columns
        game.sections[name] = [Word(cell or "-", 1) for row in rows for cell in row]


def _score_row(one: Compared, results: EventResults) -> tuple[str, ...]:
    board, share = one.board, one.share
    told = _outcome(board)
    points = None if board.adjusted is not None else board.points
    return (
        str(board.round),
        _quoted(board.place),
        *(str(results.number(board, line) or "-") for line in Line),
        told["Contract"],
        told["Declarer"],
        told["Result"],
        *(("-", "-") if points is None else (str(points), str(-points))),
        *(("-", "-") if one.points is None or one.ew is None else (_decimal(one.points), _decimal(one.ew))),
        *(("-", "-") if share is None else (_decimal(share.ns), _decimal(share.ew))),
    )


def _total_row(one: PairResult) -> tuple[str, ...]:
    percent = "-" if one.percent is None else _decimal(one.percent)
    return str(one.place), str(one.number), percent, str(one.boards), _quoted(one.name)


def _decimal(number: object) -> str:
    return f"{float(number):.2f}"  # type: ignore[arg-type]


def _quoted(text: str) -> str:
    if text and text.isalnum():
        return text
    escaped = text.replace("\\", "/").replace('"', "'")
    return f'"{escaped}"'


def _game(
    results: EventResults, number: int, board: BoardFacts, hands: Mapping[Seat, frozenset[str]], one: Compared
) -> PbnGame:
    whole = all(len(hands[seat]) == TRICKS for seat in SEATS)
    deal = "N:" + " ".join(pbn_hand(sorted(hands[seat])) for seat in SEATS)
    ns, ew = board.pairs.get("NS", ""), board.pairs.get("EW", "")
    values = {
        "Event": results.event,
        "Site": results.site,
        "Date": results.day.replace("-", "."),
        "Board": str(number),
        **dict(zip(("West", "East", "North", "South"), (ew, ew, ns, ns), strict=True)),
        "Dealer": str(board.dealer or board_dealer(number)),
        "Vulnerable": _VULNERABLE[board.vulnerable or board_vulnerable(number)],
        "Deal": deal if whole else "",
        "Scoring": "IMP" if results.is_teams else "MP",
        **(_outcome(board) if board.adjusted is None else _adjusted(board)),
        **({} if results.is_teams or one.share is None else _percent(one.share)),
        "Round": str(board.round),
        "Table": board.place,
    }
    game = PbnGame(1, values=values)
    _add_course(game, board)
    return game


def _add_course(game: PbnGame, board: BoardFacts) -> None:
    """Add auction and play, as far as they are known."""
    contract = board.contract
    if board.calls and all(one.call != "?" for one in board.calls) and board.dealer is not None:
        game.values["Auction"] = str(board.dealer)
        game.sections["Auction"] = _auction(board)
    if board.tricks and contract is not None and board.tricks[0].led is not None:
        game.values["Play"] = str(CLOCKWISE.next(contract.declarer))
        game.sections["Play"] = _play(board, CLOCKWISE.next(contract.declarer))


def _percent(share: BoardShare) -> dict[str, str]:
    return {"ScorePercentage": f"NS {_decimal(share.ns)} EW {_decimal(share.ew)}"}


def _outcome(board: BoardFacts) -> dict[str, str]:
    """Return what was played and made; empty words where nobody knows. ``^``: tricks that were not won so (64, 79)."""
    contract = board.contract
    told = {
        "Declarer": "" if contract is None else str(contract.declarer),
        "Contract": "Pass" if board.passed_out else "" if contract is None else str(contract),
        "Result": "" if board.result is None else f"{'' if board.won in (None, board.result) else '^'}{board.result}",
    }
    known = board.points is not None and (contract is not None or board.passed_out)
    return {**told, "Score": f"NS {board.points}"} if known else told


def _adjusted(board: BoardFacts) -> dict[str, str]:
    """Return the same with an adjusted score: tricks are irregular (``^``), each line has a score of its own.

    A weighted score is none in points; it is per cent alone, and so is an artificial one.
    """
    contract = board.contract
    told = {
        "Declarer": "" if contract is None else str(contract.declarer),
        "Contract": "Pass" if board.passed_out else "" if contract is None else str(contract),
        "Result": _outcome(board)["Result"],
    }
    ns, ew = board.spread(Line.NS), board.spread(Line.EW)
    if ns is not None and ew is not None and len(ns) == len(ew) == 1:
        told["Score"] = f"NS {ns[0][0]} EW {-ew[0][0]}"
        told["Result"] = "" if board.result is None else f"^{board.result}"
    return told


def _auction(board: BoardFacts) -> list[Word]:
    """Return the calls in turn: ``^S`` names the seats a call out of turn skipped, ``^I`` which bid is insufficient."""
    words, turn = list[Word](), list(seat_order(board.dealer))
    place, bid = 0, None
    for one in board.calls:
        while turn[place % len(turn)] is not one.seat:
            words.append(Word("^S", 1))
            place += 1
        place += 1
        if one.call in BIDS:
            words += [] if is_higher(one.call, bid) else [Word("^I", 1)]
            bid = one.call
        words.append(Word(_in_pbn(one.call), 1))
    return words if board.contract is not None or board.passed_out else [*words, Word("*", 1)]


def _in_pbn(call: str) -> str:
    if call == NO_BID:
        return "Pass"
    return call.replace("N", "NT") if call in BIDS else call


def _play(board: BoardFacts, first: Seat) -> list[Word]:
    """Return the cards in columns from ``first`` on: ``^L`` says who led out of turn, ``^R`` what card is a revoke."""
    words = list[Word]()
    due: Seat | None = first
    for number, trick in enumerate(board.tricks):
        laid = dict(trick.cards)
        for seat in seat_order(first):
            card = laid.get(seat, UNKNOWN)
            if card != UNKNOWN and seat is trick.led and due not in (None, seat):
                words.append(Word("^L", 1))
            elif card != UNKNOWN and _is_revoke(board, number, seat, card):
                words.append(Word("^R", 1))
            words.append(Word("-" if card == UNKNOWN else card[1] + card[0], 1))
        due = trick.winner
    return words if len(board.tricks) == TRICKS else [*words, Word("*", 1)]


def _is_revoke(board: BoardFacts, number: int, seat: Seat, card: str) -> bool:
    """Return True if ``seat`` did not follow to trick ``number`` (from 0), and has later played a card of its suit."""
    trick = board.tricks[number]
    led = dict(trick.cards).get(trick.led, UNKNOWN) if trick.led is not None else UNKNOWN
    later = [dict(one.cards).get(seat, UNKNOWN) for one in board.tricks[number + 1 :]]
    return led != UNKNOWN and card[1] != led[1] and any(one != UNKNOWN and one[1] == led[1] for one in later)
