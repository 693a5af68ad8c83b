"""Hand records of the boards of a round: the four hands as the cards that lay open show them, on paper and as PBN.

Made once the round is over, from public events alone: what no table has shown of a board stays unknown. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hw.cards import UNKNOWN
from hw.seats import CLOCKWISE, SEATS, Line, Seat
from table_service.games.bridge.norms.altered_boards import Share
from table_service.games.bridge.pages.board_facts import BoardFacts, boards_of, completed
from table_service.games.bridge.pages.comparison import by_board, compared, groups_of
from table_service.games.bridge.pages.deal_order import pbn_hand
from table_service.games.bridge.pages.report_text import Speech, hand_text, seat_order
from table_service.games.bridge.pbn.reading import Game, Word
from table_service.games.bridge.pbn.writing import write_games
from table_service.games.bridge.rules.auction import NO_BID
from table_service.games.bridge.rules.contract import BIDS, TRICKS, board_dealer, board_vulnerable, is_higher
from table_service.games.reports import Grid, Language, Report, RoundPlayed, RoundReport, Section

_WIDTHS: Final = (1.0, 1.0, 1.0)
_VULNERABLE: Final = {"none": "None", "NS": "NS", "EW": "EW", "both": "All"}


def hands_of(group: Sequence[BoardFacts]) -> dict[Seat, frozenset[str]]:
    """The hands of a board as all tables that played it with the same cards have shown them together."""
    return completed({seat: {card for one in group for card in one.shown.get(seat, ())} for seat in SEATS})


def hand_records(played: RoundPlayed, language: Language) -> Report:
    """Every board's four hands; those of boards whose cards differed between tables stand apart."""
    say = Speech(language)
    boards = by_board(boards_of(played))
    sections = [
        _diagram(number, group, say, several=len(groups_of(results)) > 1)
        for number, results in boards.items()
        for group in groups_of(results)
    ]
    if not sections:
        sections = [Section(lines=(say("Nessun board è stato giocato.", "No board was played."),))]
    about = f"{say('Turno', 'Round')} {played.number}"
    return Report(say("Smazzate", "Hand records"), about, tuple(sections))


def _diagram(number: int, group: Sequence[BoardFacts], say: Speech, *, several: bool) -> Section:
    hands = hands_of(group)
    return Section(
        f"Board {number}" + (f" ({', '.join(one.place for one in group)})" if several else ""),
        (unknown_cards(hands, say),) if any(len(hands[seat]) < TRICKS for seat in SEATS) else (),
        (diagram(hands, _middle(number, group[0], say), say),),
    )


def _middle(number: int, board: BoardFacts, say: Speech) -> str:
    vulnerable = say.word(f"vulnerable_{board.vulnerable or board_vulnerable(number)}")
    dealer = say.seat(board.dealer or board_dealer(number))
    return f"{say('Mazziere', 'Dealer')}: {dealer}\n{say.word('bridge_vulnerable')}: {vulnerable}"


def unknown_cards(hands: dict[Seat, frozenset[str]], say: Speech) -> str:
    """Return how many cards of each hand nobody has seen."""
    lacking = [f"{say.seat(seat)} {TRICKS - len(hands[seat])}" for seat in SEATS if len(hands[seat]) < TRICKS]
    return say(f"Carte non note: {', '.join(lacking)}.", f"Cards not known: {', '.join(lacking)}.")


def diagram(hands: dict[Seat, frozenset[str]], middle: str, say: Speech) -> Grid:
    """The four hands as they sit, what is to be said of the board in the middle."""
    n, e, s, w = (f"{say.seat(seat)}\n{hand_text(hands.get(seat, ()))}" for seat in SEATS)
    return Grid((), (("", n, ""), (w, middle, e), ("", s, "")), widths=_WIDTHS)


# -- PBN ---------------------------------------------------------------------------------------------------------------


def hand_records_pbn(played: RoundPlayed) -> str:
    """Every table's boards as PBN: hands, auction, play, result, as far as they are known."""
    games = []
    for number, results in by_board(boards_of(played)).items():
        shares = {one.board.place: one.share for one in compared(results)}
        for group in groups_of(results):
            games += [_game(played, number, one, hands_of(group), shares[one.place]) for one in group]
    return write_games(games)


def _game(
    played: RoundPlayed, number: int, board: BoardFacts, hands: dict[Seat, frozenset[str]], share: Share | None
) -> Game:
    whole = all(len(hands[seat]) == TRICKS for seat in SEATS)
    deal = "N:" + " ".join(pbn_hand(sorted(hands[seat])) for seat in SEATS)
    contract = board.contract
    ns, ew = board.pairs.get("NS", ""), board.pairs.get("EW", "")
    values = {
        "Event": "",
        "Site": "",
        "Date": "",
        "Board": str(number),
        **dict(zip(("West", "East", "North", "South"), (ew, ew, ns, ns), strict=True)),
        "Dealer": str(board.dealer or board_dealer(number)),
        "Vulnerable": _VULNERABLE[board.vulnerable or board_vulnerable(number)],
        "Deal": deal if whole else "",
        "Scoring": "",
        **(_outcome(board) if board.adjusted is None else _adjusted(board, share)),
        "Round": str(played.number),
        "Table": board.place,
    }
    sections = {}
    if board.calls and all(one.call != "?" for one in board.calls) and board.dealer is not None:
        values["Auction"] = str(board.dealer)
        sections["Auction"] = _auction(board)
    if board.tricks and contract is not None and board.tricks[0].led is not None:
        values["Play"] = str(CLOCKWISE.next(contract.declarer))
        sections["Play"] = _play(board, CLOCKWISE.next(contract.declarer))
    return Game(1, values=values, sections=sections)


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


def _adjusted(board: BoardFacts, share: Share | None) -> dict[str, str]:
    """The same with an adjusted score: tricks are irregular (``^``), each line has a score of its own.

    A weighted score is none in points; it stands as per cent alone, and so does an artificial one.
    """
    contract = board.contract
    told = {
        "Declarer": "" if contract is None else str(contract.declarer),
        "Contract": "Pass" if board.passed_out else "" if contract is None else str(contract),
        "Result": "" if board.result is None else f"^{board.result}",
    }
    ns, ew = board.spread(Line.NS), board.spread(Line.EW)
    if ns is not None and ew is not None and len(ns) == len(ew) == 1:
        told["Score"] = f"NS {ns[0][0]} EW {-ew[0][0]}"
    if share is not None:
        told["ScorePercentage"] = f"NS {float(share.ns):.2f} EW {float(share.ew):.2f}"
    return told


def _auction(board: BoardFacts) -> list[Word]:
    """The calls in turn: ``^S`` says which seats a call out of turn passed over, ``^I`` which bid is insufficient."""
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
    """The cards in columns from ``first`` on: ``^L`` says who led out of turn, ``^R`` what card is a revoke."""
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
    """True if ``seat`` did not follow to trick ``number`` (from 0), and has later played a card of its suit."""
    trick = board.tricks[number]
    led = dict(trick.cards).get(trick.led, UNKNOWN) if trick.led is not None else UNKNOWN
    later = [dict(one.cards).get(seat, UNKNOWN) for one in board.tricks[number + 1 :]]
    return led != UNKNOWN and card[1] != led[1] and any(one != UNKNOWN and one[1] == led[1] for one in later)


HAND_RECORDS: Final = RoundReport(
    "hands", ("Smazzate (diagrammi)", "Hand records"), hand_records, text=("pbn", hand_records_pbn)
)
