"""LIN files are read as far as records need it, and judged as those of PBN are."""

import random
from typing import Any

import pytest

from hw.cards import BRIDGE
from hw.seats import CLOCKWISE, SEATS, Line, Seat
from table_service.games.bridge.pbn.check import check, check_file, is_bad
from table_service.games.bridge.pbn.lin import is_lin, read_lin
from table_service.games.bridge.pbn.reading import read_games
from table_service.games.bridge.pbn.record import record_of
from table_service.games.bridge.pbn.writing import write_games
from table_service.games.bridge.rules.auction import Auction
from table_service.games.bridge.rules.contract import board_dealer, board_vulnerable, is_vulnerable
from table_service.games.bridge.rules.score import score
from table_service.games.tricks.order import FRENCH_RANKS, TrickRules, by_ranks
from table_service.games.tricks.trick import Trick

FROM_SOUTH = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)


def answers(text: str) -> list[dict[str, Any]]:
    return list(check_file(text.encode(), "f.lin"))


def hand_text(cards: list[str]) -> str:
    return "".join(suit + "".join(r for r in FRENCH_RANKS if r + suit in cards) for suit in "SHDC")


def random_board(number: int, *, revoke: bool = False, east: bool = False) -> tuple[str, dict[str, Any]]:
    """A board dealt, bid and played at random as LIN, and what is true of it. ``east``: the fourth hand is written."""
    chance = random.Random(number)
    cards = sorted(BRIDGE.copies)
    chance.shuffle(cards)
    hands = {seat: cards[13 * n : 13 * n + 13] for n, seat in enumerate(SEATS)}
    dealer, vulnerable = board_dealer(number), board_vulnerable(number)
    written = [hand_text(hands[seat]) for seat in FROM_SOUTH]
    parts = [
        f"qx|o{number}|",
        f"md|{FROM_SOUTH.index(dealer) + 1}{','.join(written if east else [*written[:3], ''])}|",
        f"sv|{ {'none': 'o', 'NS': 'n', 'EW': 'e', 'both': 'b'}[vulnerable] }|\n",
    ]
    auction = Auction(dealer)
    while (caller := auction.turn) is not None:
        call = chance.choice(auction.lawful(caller)) if chance.random() < 0.4 else "P"
        auction = auction.called(caller, call)
        alert = "!|an|own words" if chance.random() < 0.1 else ""
        parts.append(f"mb|{ {'P': 'p', 'X': 'd', 'XX': 'r'}.get(call, call) }{alert}|")
    contract = auction.contract()
    truth: dict[str, Any] = {"contract": contract, "NS": 0, "tricks": None, "revokes": [], "rs": "PASS"}
    if contract is None:
        return "".join(parts), truth
    rules = TrickRules(CLOCKWISE, by_ranks("SHDC", FRENCH_RANKS), contract.strain if contract.strain != "N" else None)
    lead, won = CLOCKWISE.next(contract.declarer), 0
    for trick_number in range(1, 14):
        trick = Trick()
        seat: Seat | None = lead
        while seat is not None:
            allowed = rules.allowed(hands[seat], trick.led(rules))
            card = chance.choice(sorted(allowed))
            if revoke and len(allowed) < len(hands[seat]) and not truth["revokes"] and chance.random() < 0.3:
                card = chance.choice(sorted(set(hands[seat]) - allowed))
                truth["revokes"].append((seat.value, trick_number, card))
            hands[seat].remove(card)
            trick = Trick((*trick.plays, (seat, card)))
            parts.append(f"pc|{card[1]}{card[0]}|")
            seat = trick.turn(rules)
        winner = trick.winner(rules)
        assert winner is not None
        lead = winner
        won += winner.line is contract.declarer.line
        parts.append("pg||\n")
    points = score(contract, won, vulnerable=is_vulnerable(contract.declarer.line, vulnerable)).total
    over = won - contract.needed
    truth |= {
        "tricks": won,
        "NS": points if contract.declarer.line is Line.NS else -points,
        "rs": f"{contract}{contract.declarer}{'=' if over == 0 else f'{over:+d}'}",
    }
    return "".join(parts), truth


@pytest.mark.parametrize("east", [False, True])
def test_boards_of_a_file_are_read_with_deal_auction_play_and_result(east: bool) -> None:
    boards = [random_board(number, east=east) for number in range(1, 41)]
    text = f"vg|Prova|\nrs|{','.join(truth['rs'] for _, truth in boards)}|\n" + "\n".join(one for one, _ in boards)
    found = answers(text)
    assert [answer["board"] for answer in found] == [str(number) for number in range(1, 41)]
    for answer, (_, truth) in zip(found, boards, strict=True):
        contract = truth["contract"]
        assert answer["errors"] == []
        assert not is_bad(answer)
        assert (answer["deal"], answer["auction"]["legal"], answer["tricks"]) == ("ok", True, truth["tricks"])
        assert answer["auction"]["contract"] == ("pass" if contract is None else str(contract))
        assert answer["score"]["NS"] == truth["NS"]
        assert answer["play"]["legal"] is (None if contract is None else True)


def test_revokes_are_told_with_seat_and_trick() -> None:
    told = 0
    for number in range(1, 60):
        text, truth = random_board(number, revoke=True)
        if truth["revokes"]:
            (answer,) = answers(text)
            assert [(one["seat"], one["trick"], one["card"]) for one in answer["play"]["revokes"]] == truth["revokes"]
            told += 1
    assert told > 15


def test_alerts_and_meanings_become_marks_and_notes_and_survive_as_pbn() -> None:
    deal = "3SAKQJHAKQDAKQCAKQ,ST987HT98DT98CT98,S65432HJ76DJ76CJ7,"
    text = f"st||md|{deal}|ah|Board 7|sv|b|mb|1C!|an|forte|mb|p|mb|1D|mb|P|"
    (game,) = read_lin(text)
    assert game.notes == [("Auction", "1:forte")]
    assert [word.text for word in game.sections["Auction"]] == ["1C", "=1=", "Pass", "1D", "Pass", "*"]
    (again,) = read_games(write_games([game]))
    assert check(record_of(again))["auction"] == {"legal": None, "contract": None, "declarer": None}
    assert again.values["Deal"] == game.values["Deal"]
    assert again.notes == game.notes
    (answer,) = answers(text)
    assert (answer["board"], answer["deal"], answer["errors"]) == ("7", "ok", [])


def test_a_claim_gives_the_tricks_and_a_result_that_differs_is_told() -> None:
    board = "md|1SAKQJT98765432,HAKQJT98765432,DAKQJT98765432,|sv|o|mb|7S|mb|p|mb|p|mb|p|pc|H2|mc|13|"
    (answer,) = answers(board)
    assert (answer["tricks"], answer["score"]["NS"], answer["errors"]) == (13, 1510, [])
    (other,) = answers(f"rs|7SS-1|{board}")
    assert [(one["tag"], one["text"]) for one in other["errors"]] == [
        ("mc", "13 tricks are claimed, the results say 12")
    ]


@pytest.mark.parametrize(
    ("text", "tag", "part"),
    [
        ("md|3SAKX,,,|", "md", "is no hand"),
        ("md|3A,,,|", "md", "is no hand"),
        ("md|3SA,SK,SQ,SJ,ST|", "md", "four hands, not 5"),
        ("md|3SAKQ,,,|", "Deal", "has 3 cards, not 13"),
        ("md|3,,,|sv|q|", "sv", "none of o, n, e, b"),
        ("md|,,,|mb|1C|", "mb", "who dealt"),
        ("md|3,,,|mb|9C|", "mb", "'9C' is no call"),
        ("md|3,,,|mc|14|", "mc", "no number of tricks"),
        ("md|3,,,|pc|SA|", "pc", "no contract"),
        ("rs|nonsense|md|3,,,|", "rs", "is no result"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_field(text: str, tag: str, part: str) -> None:
    (answer,) = answers(text)
    assert [(one["tag"], part in one["text"]) for one in answer["errors"]][:1] == [(tag, True)]


def test_a_field_may_hold_several_calls_or_cards() -> None:
    deal = "md|3SAKQJHAKQDAKQCAKQ,ST987HT98DT98CT98,S65432HJ76DJ76CJ7,|sv|o|"
    one = "mb|1C!|mb|p|mb|1D|mb|dbl|mb|XX|mb|p|mb|3NT|mb|p|mb|p|mb|p|pc|ST|pc|S2|pc|H2|pc|SA|pc|SK|"
    several = "mb|1C!p1Ddbl|mb|XX p 3NT|mb|ppp|pc|S10 S2|pc|h2sask|"
    (single,), (joined,) = read_lin(deal + one), read_lin(deal + several)
    assert joined.errors == []
    for section in ("Auction", "Play"):
        words = [[word.text for word in game.sections[section]] for game in (single, joined)]
        assert words[0] == words[1]
    assert joined.notes == [("Auction", "1:alert")]
    for wrong in ("mb|1Cq|", "mb|1C,p|", "mb|8Cp|"):
        (game,) = read_lin(deal + wrong)
        assert [error.tag for error in game.errors] == ["mb"]
    (game,) = read_lin(f"{deal}mb|3NTppp|pc|SAX|")
    assert [error.tag for error in game.errors] == ["pc"]


def test_a_call_without_its_seat_and_lines_are_counted() -> None:
    (answer,) = answers("vg|x|\n\nmd|3,,,|\nmb|1C|\nmb|zz|\n")
    assert [one["line"] for one in answer["errors"]] == [5]


def test_each_board_has_the_players_named_last_and_a_board_of_passes_is_passed_out() -> None:
    first, second = read_lin("pn|a,b,c,d|st||md|3,,,|mb|p|mb|p|mb|p|mb|p|pg||\npn|e,f,g,h|md|1,,,|mb|1C|")
    assert (first.values["South"], first.values["East"]) == ("a", "d")
    assert (second.values["South"], second.values["East"]) == ("e", "h")
    (room,) = read_lin("qx|c1|pn|a,b,c,d,e,f,g,h|md|3,,,|")
    assert (room.values["South"], room.values["East"]) == ("e", "h")
    assert first.values["Contract"] == "Pass"
    assert "Contract" not in second.values


def test_a_lead_out_of_turn_is_put_to_who_holds_the_card_also_in_the_fourth_hand() -> None:
    text, truth = next(board for n in range(1, 99) if (board := random_board(n))[1]["contract"] is not None)
    head, *cards = text.split("pc|")
    first = [card[:2] for card in cards[:4]]
    turned = f"{head}" + "".join(f"pc|{card}|" for card in [*first[1:], first[0]])
    (answer,) = answers(turned)
    assert truth["contract"] is not None
    assert not [one for one in answer["errors"] if "second card" in one["text"] or "not hold" in one["text"]]


def test_what_is_no_lin_is_left_to_pbn() -> None:
    assert not is_lin('% PBN 2.1\n[Board "1"]')
    assert is_lin("\nvg|x|")


def test_nothing_raises_on_broken_files() -> None:
    chance = random.Random(12)
    whole = "rs|3NTN=,PASS|" + "".join(random_board(number)[0] for number in range(1, 5))
    for _ in range(300):
        text = list(whole)
        for _ in range(chance.randint(1, 12)):
            place = chance.randrange(len(text))
            text[place] = chance.choice(["|", "||", "md|", "mb|", "pc|", "\n", "", "9", "S", "é", ",", "mc|99|", "qx|"])
        for answer in answers("".join(text)):
            assert set(answer) >= {"file", "board", "deal", "auction", "play", "tricks", "score", "errors"}


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("4SWx-1", ("4SX", "W", "9")),
        ("4SWxx=", ("4SXX", "W", "10")),
        ("4SXW-1", ("4SX", "W", "9")),
        ("3NTEX+1", ("3NTX", "E", "10")),
        ("3NW", ("3NT", "W", None)),
    ],
)
def test_a_result_has_its_doubling_before_or_after_who_plays_it(result: str, told: tuple[str, str, str | None]) -> None:
    (game,) = read_lin(f"rs|{result}|md|1,,,|")
    assert game.errors == []
    assert (game.values["Contract"], game.values["Declarer"], game.values.get("Result")) == told


def test_a_result_is_that_of_the_board_and_its_room_where_the_match_says_its_boards() -> None:
    """A record often lacks boards of a match whose results are all there: each is found by its number and room."""
    whole = "vg|Prova,Tempo 2,I,5,7,Leoni,10,Tigri,12|rs|{}|{}"
    results = "2SN=,3NE-1,PASS,4HW+1,1CN=,5DSx-2"
    text = whole.format(results, "qx|c5|md|1,,,|qx|o7|md|1,,,|qx|C7|md|1,,,|")
    told = [(one.values["Contract"], one.values["Declarer"], one.values["Result"]) for one in read_lin(text)]
    assert told == [("3NT", "E", "8"), ("1C", "N", "7"), ("5DX", "S", "9")]
    for title in ("Prova,Tempo 2,I,5", "Prova", ",,,x,7", "Prova,Tempo 2,I,²,7", "Prova,Tempo 2,I,50,70"):
        text = f"vg|{title}|rs|{results}|qx|o5|md|1,,,|qx|c5|md|1,,,|"
        assert [one.values["Contract"] for one in read_lin(text)] == ["2S", "3NT"]  # in their order
