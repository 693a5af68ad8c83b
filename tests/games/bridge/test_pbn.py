"""Records in PBN: what is written reads back as the same; every fault of a board is told with its line and tag."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from hw.cards import BRIDGE
from hw.seats import CLOCKWISE, Line, Seat
from table_service.games.bridge.pbn.check import check, check_file, is_bad
from table_service.games.bridge.pbn.reading import PbnGame, Word, decoded, read_games
from table_service.games.bridge.pbn.record import record_of
from table_service.games.bridge.pbn.writing import MANDATORY, write_games
from table_service.games.bridge.rules.auction import Auction
from table_service.games.bridge.rules.contract import Contract, board_dealer, board_vulnerable, is_vulnerable
from table_service.games.bridge.rules.score import score
from table_service.games.tricks.order import FRENCH_RANKS, TrickRules, by_ranks
from table_service.games.tricks.trick import Trick

N, E, S, W = Seat


def answers(text: str | bytes) -> list[dict[str, Any]]:
    return list(check_file(text if isinstance(text, bytes) else text.encode(), "f.pbn"))


def hand_text(cards: Sequence[str]) -> str:
    return ".".join("".join(r for r in FRENCH_RANKS if r + suit in cards) for suit in "SHDC")


def random_board(number: int, *, revoke: bool = False) -> tuple[PbnGame, dict[str, Any]]:
    """A board that was dealt, bid and played at random, as a game of a file, and what is true of it."""
    chance = random.Random(number)
    cards = sorted(BRIDGE.copies)
    chance.shuffle(cards)
    hands = {seat: cards[13 * n : 13 * n + 13] for n, seat in enumerate(CLOCKWISE.seats)}
    dealer, vulnerable = board_dealer(number), board_vulnerable(number)
    auction = Auction(dealer)
    while (caller := auction.turn) is not None:
        call = chance.choice(auction.lawful(caller)) if chance.random() < 0.4 else "P"
        auction = auction.called(caller, call)
    contract = auction.contract()
    values = {
        "Event": "Prova", "Site": "", "Date": "2026.11.22", "Board": str(number), "Dealer": dealer.value,
        "Vulnerable": {"none": "None", "both": "All"}.get(vulnerable, vulnerable),
        "Deal": f"{N}:" + " ".join(hand_text(hands[seat]) for seat in CLOCKWISE.seats),
    }  # fmt: skip
    game = PbnGame(1, values=dict(values))
    calls = [{"P": "Pass"}.get(call, f"{call}T" if call[1:] == "N" else call) for _, call in auction.calls]
    game.values["Auction"] = dealer.value
    game.sections["Auction"] = [Word(call, 0) for call in calls]
    truth: dict[str, Any] = {"contract": contract, "revokes": [], "tricks": None, "NS": 0}
    if contract is None:
        game.values |= {"Declarer": "", "Contract": "Pass", "Result": "", "Score": "NS 0"}
        return game, truth
    leader = CLOCKWISE.next(contract.declarer)
    rules = TrickRules(CLOCKWISE, by_ranks("SHDC", FRENCH_RANKS), contract.strain if contract.strain != "N" else None)
    rows, won, lead = [], 0, leader
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
            seat = trick.turn(rules)
        winner = trick.winner(rules)
        assert winner is not None
        won += winner.line is contract.declarer.line
        lead = winner
        rows.append(dict(trick.plays))
    columns = [CLOCKWISE.after(leader, n) for n in range(4)]
    game.sections["Play"] = [Word(row[who][1] + row[who][0], 0) for row in rows for who in columns]
    points = score(contract, won, vulnerable=is_vulnerable(contract.declarer.line, vulnerable)).total
    truth |= {"tricks": won, "NS": points if contract.declarer.line is Line.NS else -points}
    game.values |= {
        "Declarer": contract.declarer.value, "Contract": str(contract), "Result": str(won), "Play": leader.value,
        "Score": f"NS {truth['NS']}",
    }  # fmt: skip
    return game, truth


@pytest.mark.parametrize("number", range(1, 61))
def test_a_regular_board_is_sound_and_reads_back_as_the_same(number: int) -> None:
    game, truth = random_board(number)
    text = write_games([game])
    (answer,) = answers(text)
    assert answer["errors"] == []
    assert not is_bad(answer)
    assert answer["deal"] == "ok"
    assert answer["auction"]["legal"] is True
    contract: Contract | None = truth["contract"]
    assert answer["auction"]["contract"] == ("pass" if contract is None else str(contract))
    assert answer["score"] == {"NS": truth["NS"], "right": True}
    assert answer["tricks"] == truth["tricks"]
    assert answer["play"]["legal"] is (None if contract is None else True)
    (again,) = read_games(text)
    written = {name: value for name, value in again.values.items() if value}
    assert written == {name: value for name, value in game.values.items() if value}
    assert write_games([again]) == text


def test_every_revoke_is_told_with_seat_trick_and_card_with_the_deal_and_without_it() -> None:
    told = 0
    for number in range(1, 80):
        game, truth = random_board(number, revoke=True)
        if not truth["revokes"]:
            continue
        (answer,) = answers(write_games([game]))
        assert [(one["seat"], one["trick"], one["card"]) for one in answer["play"]["revokes"]] == truth["revokes"]
        assert answer["play"]["legal"] is False
        assert is_bad(answer)
        for one in answer["play"]["revokes"]:
            assert one["established"] is (one["trick"] < 13)
        del game.values["Deal"]
        (blind,) = answers(write_games([game]))
        assert blind["deal"] == "none"
        assert [(one["seat"], one["trick"], one["card"]) for one in blind["play"]["revokes"]] == truth["revokes"]
        told += 1
    assert told > 20


def changed(number: int = 7, **values: str) -> dict[str, Any]:
    game, _ = random_board(number)
    game.values |= values
    (answer,) = answers(write_games([game]))
    return answer


def texts(answer: dict[str, Any]) -> str:
    return " | ".join(f"{one['tag']}: {one['text']}" for one in answer["errors"])


def test_a_deal_with_a_card_twice_is_bad_and_says_which() -> None:
    deal = "N:AKQJ.T98.765.432 AT98.765.432.AKQ 765.AKQJ.T98.J98 432.432.AKQJ.T76"
    answer = changed(Deal=deal)
    assert answer["deal"] == "bad"
    assert "AS: in more than one hand" in texts(answer)


@pytest.mark.parametrize(
    ("deal", "text"),
    [
        ("AKQJ.T98.765.432", "begins with a seat and a colon"),
        ("N:AKQJ.T98.765.432 - -", "four hands, not 3"),
        ("N:AKQJ.T98.765 - - -", "is not four suits"),
        ("N:AKQJ.T98.765.43 - - -", "has 12 cards, not 13"),
        ("N:AKQ1.T98.765.432 - - -", "no card: 1"),
        ("N:AKQQ.T98.765.432 - - -", "QS stands twice"),
    ],
)
def test_what_is_wrong_with_a_deal(deal: str, text: str) -> None:
    answer = changed(Deal=deal)
    assert answer["deal"] == "bad"
    assert text in texts(answer)


def test_three_hands_leave_one_and_one_hand_is_no_deal() -> None:
    game, _ = random_board(9)
    first, *others = game.values["Deal"].removeprefix("N:").split()
    assert changed(9, Deal=f"E:{' '.join(others)} -")["deal"] == "ok"
    assert changed(9, Deal=f"N:{first} - - -")["deal"] == "none"


def test_score_contract_declarer_and_result_are_compared_with_auction_and_play() -> None:
    game, truth = next(board for n in range(1, 99) if (board := random_board(n))[1]["contract"] is not None)
    number = int(game.values["Board"])
    assert changed(number, Score="NS 12345")["score"]["right"] is False
    assert "the score says 12345" in texts(changed(number, Score="NS 12345"))
    assert f"NS {truth['NS']}" in game.values["Score"]
    assert changed(number, Score=f"EW {-truth['NS']}")["score"]["right"] is True
    other = str((truth["tricks"] + 1) % 14)
    assert "the cards played" in texts(changed(number, Result=other))
    assert "the cards played" not in texts(changed(number, Result=f"^{other}"))
    assert "the contract says" in texts(changed(number, Contract="7NTXX"))
    partner = truth["contract"].declarer.partner
    assert "by the auction" in texts(changed(number, Declarer=partner.value))
    assert "by the auction" not in texts(changed(number, Declarer=f"^{partner.value}"))


BOARD = """[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
"""


def test_an_auction_with_irregular_calls_that_are_marked_is_not_lawful_and_no_error() -> None:
    (answer,) = answers(BOARD + '[Auction "W"]\n- ^S 1D ^I 1C\n4S ^I 3NT ^S ^S\nX 5H X AP\n')
    assert answer["auction"]["legal"] is False
    assert answer["errors"] == []


def test_an_insufficient_bid_that_is_not_marked_is_an_error_with_its_line() -> None:
    (answer,) = answers(BOARD + '[Auction "N"]\n1NT Pass\n1C Pass Pass Pass\n')
    assert [(one["line"], one["tag"]) for one in answer["errors"]] == [(6, "Auction")]
    assert "1C by S is insufficient" in texts(answer)


@pytest.mark.parametrize("ending", ["+", "*", "\n1NT Pass *"])
def test_a_half_told_auction_stays_half_told(ending: str) -> None:
    (answer,) = answers(BOARD + f'[Auction "N"]\n1C =1= Pass $1 1H! Pass {ending}\n[Note "1:strong"]\n')
    assert answer["auction"] == {"legal": None, "contract": None, "declarer": None}
    assert answer["errors"] == []


def test_a_play_out_of_another_hand_and_a_card_twice_are_told() -> None:
    game, truth = next(board for n in range(1, 99) if (board := random_board(n))[1]["contract"] is not None)
    words = game.sections["Play"]
    words[0], words[1] = words[1], words[0]
    (answer,) = answers(write_games([game]))
    assert "does not hold" in texts(answer)
    words[0] = words[5]
    (answer,) = answers(write_games([game]))
    assert "a second time" in texts(answer)
    assert truth["contract"] is not None


def test_tags_are_inherited_and_told_again_where_they_change() -> None:
    text = """% PBN 2.1
[Event "##Torneo di \\"Natale\\""]
[Site "Bologna"]
[Board "1"]

[Site "#"]
[Board "2"]

[Board "3"]
[Event "Altro"]
[Deal "#"]

[Board "4"]
"""
    games = list(read_games(text))
    assert [game.values.get("Event") for game in games] == ['Torneo di "Natale"'] * 2 + ["Altro"] * 2
    assert [game.values.get("Site") for game in games] == ["Bologna", "Bologna", None, None]
    assert [error.text for error in games[2].errors] == ["this tag may not be inherited"]


def test_comments_hidden_lines_and_both_letters_are_read() -> None:
    text = '% [Board "9"]\n[Board "1"] ; [Board "2"]\n{ [Board "3"]\n\n still a comment }\n[Site "Città"]\n'
    for data in (text.encode(), text.encode("latin-1")):
        (game,) = read_games(decoded(data))
        assert (game.values["Board"], game.values["Site"]) == ("1", "Città")


def test_a_file_with_faults_gives_each_with_its_line_and_imports_what_is_sound() -> None:
    good, _ = random_board(3)
    text = f'[Board "x\n[Dealer "Q"]\n[Vulnerable "some"]\n[Contract "9NT"]\n[Result "20"]\n\n{write_games([good])}'
    first, *rest = answers(text)
    assert {one["tag"] for one in first["errors"]} >= {"Dealer", "Vulnerable", "Contract", "Result"}
    assert [one["line"] for one in first["errors"] if one["tag"] == "Dealer"] == [2]
    assert [is_bad(answer) for answer in rest] == [False]


def test_nothing_raises_on_broken_files() -> None:
    chance = random.Random(8)
    whole = write_games([random_board(n)[0] for n in range(1, 6)])
    for _ in range(300):
        text = list(whole)
        for _ in range(chance.randint(1, 12)):
            place = chance.randrange(len(text))
            text[place] = chance.choice(['"', "[", "]", "{", "\n\n", "^", "-", "#", "\x00", "é", "", "9", "*", "%"])
        for answer in answers("".join(text)):
            assert set(answer) >= {"file", "board", "deal", "auction", "play", "tricks", "score", "errors"}
    assert answers(bytes(chance.randrange(256) for _ in range(5000))) is not None


_MARKS = (
    '"',
    "[",
    "]",
    "{",
    "}",
    "\n\n",
    "\n",
    "^",
    "-",
    "#",
    "##",
    "*",
    "%",
    "\\",
    ";",
    "=1=",
    "$5",
    "AP",
    "^S",
    "^I",
    "^R",
)
_TAGS = (
    '[Note "1:x"]', '[Auction "Q"]', '[Play "?"]', '[Result "^9"]', '[Score "NS nan"]', '[Deal "#"]', '[Event "#"]',
    '[Result "NS 1e400"]',
)  # fmt: skip
_PIECES = (*_MARKS, *_TAGS, "\ufeff", "\x00", "\r", "²", "٣", "é", "0" * 50, "md|", "qx|o1|", "pc|")


def broken(chance: random.Random, whole: str) -> bytes:
    """``whole`` with some places changed, cut off or told twice, in one of the ways in which letters are coded."""
    text = list(whole)
    for _ in range(chance.choice([1, 2, 5, 20, 100])):
        place, how = chance.randrange(len(text) + 1), chance.random()
        if how < 0.6:
            text[place : place + chance.choice([0, 1, 3, 30])] = [chance.choice(_PIECES)]
        elif how < 0.75:
            del text[max(1, place) :]
        else:
            text[place:place] = text[chance.randrange(len(text)) :][: chance.randrange(200)]
    data = "".join(text).encode(chance.choice(["utf-8", "utf-8", "latin-1", "utf-16", "utf-8-sig"]), "replace")
    return data[: chance.randrange(len(data) + 1)] if chance.random() < 0.1 else data


def survives(seeds: Sequence[int]) -> None:
    """No broken file raises, and what was read of it reads the same once it has been written."""
    whole = [write_games([random_board(number)[0] for number in range(first, first + 3)]) for first in (1, 4, 7)]
    for seed in seeds:
        chance = random.Random(seed)
        data = broken(chance, chance.choice(whole))
        for answer in check_file(data, f"f{chance.choice(['.pbn', '.lin', ''])}"):
            is_bad(answer)
        games = list(read_games(decoded(data)))
        text = write_games(games)
        again = list(read_games(text))
        assert write_games(again) == text, seed
        assert [_told(game) for game in again] == [_told(game) for game in games], seed


def _told(game: PbnGame) -> tuple[dict[str, str], dict[str, list[str]], list[tuple[str, str]]]:
    """Values, words and notes; the order of tags is the export format's."""
    sections = {name: [word.text for word in words] for name, words in game.sections.items() if words}
    values = {name: value for name, value in game.values.items() if value}
    return values, sections, sorted(one for one in game.notes if one[0] in {*MANDATORY, *game.values, *game.sections})


def test_what_is_read_of_a_broken_file_reads_the_same_once_it_is_written() -> None:
    survives(range(150))


@pytest.mark.sweep
def test_of_ten_thousand_broken_files_none_raises_and_all_read_the_same_once_written() -> None:
    survives(range(1000, 11_000))


def test_a_line_that_would_begin_with_a_percent_sign_is_not_hidden_and_a_text_is_closed() -> None:
    game = PbnGame(1, values={"Board": "1", "Auction": "N"}, sections={"Auction": [Word("%1", 0), Word("P", 0)]})
    (again,) = read_games(write_games([game]))
    assert [word.text for word in again.sections["Auction"]] == ["%1", "P"]
    (open_,) = read_games('[Board "1"]\n[Auction "N"]\nP "not closed\nP\n')
    assert [error.line for error in open_.errors] == [3]
    assert [word.text for word in open_.sections["Auction"]] == ["P", "not", "closed", "P"]


def test_the_cards_of_a_play_whose_leader_may_not_be_inherited_are_written_all_the_same() -> None:
    first, second = read_games('[Board "1"]\n[Play "N"]\nSA\n\n[Board "2"]\n[Play "#"]\nSK S2\n')
    (_, again) = read_games(write_games([first, second]))
    assert [word.text for word in again.sections["Play"]] == ["SK", "S2"]
    assert again.values["Play"] == ""


def test_a_value_that_only_begins_with_a_number_sign_is_its_own() -> None:
    first, second = read_games('[Event "#1 of the club"]\n[Board "1"]\n\n[Event "#"]\n[Board "2"]\n')
    assert (first.values["Event"], second.values["Event"]) == ("#1 of the club", "#1 of the club")


def test_notes_stay_with_their_section() -> None:
    text = BOARD + '[Auction "N"]\n1C =1= AP\n[Note "1:strong"]\n[Play "E"]\nSA =1= - - -\n*\n[Note "1:why"]\n'
    (game,) = read_games(text)
    assert game.notes == [("Auction", "1:strong"), ("Play", "1:why")]
    (again,) = read_games(write_games([game]))
    assert again.notes == game.notes
    assert check(record_of(again))["auction"]["contract"] == "1C"


def answer_of(*lines: str) -> dict[str, Any]:
    (answer,) = check_file("\n".join(lines).encode(), "f.pbn")
    return answer


@pytest.mark.parametrize(("text", "seat"), [("N", "N"), ("south", "S"), ("West", "W"), ("White", None), ("Ned", None)])
def test_a_seat_is_a_letter_or_its_name_and_nothing_else(text: str, seat: str | None) -> None:
    answer = answer_of('[Board "1"]', f'[Declarer "{text}"]', '[Contract "3NT"]')
    assert answer["auction"]["declarer"] == seat
    assert [one["tag"] for one in answer["errors"]] == ([] if seat else ["Declarer"])


@pytest.mark.parametrize(
    ("result", "sound"), [("NS 9 EW 4", True), ("EW 4", True), ("NS 9", True), ("NS 9 EW 2", False)]
)
def test_the_tricks_of_both_sides_are_thirteen(result: str, sound: bool) -> None:
    answer = answer_of('[Board "1"]', '[Declarer "N"]', '[Contract "3NT"]', f'[Result "{result}"]')
    assert answer["tricks"] == 9
    assert (answer["errors"] == []) == sound


@pytest.mark.parametrize(
    ("result", "sound"), [("0", False), ("1", True), ("12", True), ("13", False), ("^13", True), ("?", True)]
)
def test_a_board_that_was_claimed_has_no_result_that_its_tricks_rule_out(result: str, sound: bool) -> None:
    """Two tricks were played: East has won one of them, South the other."""
    answer = answer_of(
        '[Board "1"]', '[Dealer "N"]', '[Vulnerable "None"]',
        '[Deal "N:AKQJ.T98.765.432 T987.AKQ.T98.765 654.J765.AKQ.AT9 32.432.J432.KQJ8"]',
        '[Declarer "N"]', '[Contract "3NT"]', f'[Result "{result}"]', '[Play "E"]',
        "HA H5 H2 H8", "C5 CA C8 C2", "*",
    )  # fmt: skip
    assert answer["play"]["legal"] is True
    assert [one["tag"] for one in answer["errors"]] == ([] if sound else ["Result"])


def test_a_tag_that_is_broken_is_named_by_its_own_name() -> None:
    answer = answer_of('[Board "1"]', "[Event No_quotes]")
    assert [(one["line"], one["tag"]) for one in answer["errors"]] == [(2, "Event")]


def test_an_auction_without_its_first_passes_leaves_the_play_to_who_is_told_to_declare() -> None:
    """West deals and passes, which the record leaves out: by the auction North would be declarer's dummy."""
    answer = answer_of(
        '[Board "4"]', '[Dealer "W"]', '[Vulnerable "All"]',
        '[Deal "N:AKQJ.T98.765.432 T987.AKQ.T98.765 654.J765.AKQ.AT9 32.432.J432.KQJ8"]',
        '[Declarer "N"]', '[Contract "1NT"]', '[Result "9"]', '[Score "NS 150"]',
        '[Auction "W"]', "1NT AP", '[Play "E"]', "HA H5 H2 H8", "C5 CA C8 C2", "*",
    )  # fmt: skip
    assert [one["text"] for one in answer["errors"]] == ["by the auction W plays, not N"]
    assert (answer["auction"]["declarer"], answer["play"]["legal"], answer["tricks"]) == ("N", True, 9)
    assert answer["score"] == {"NS": 150, "right": True}


def test_an_ending_is_no_deal_and_no_error() -> None:
    hands = "N:.6.AK.A7 A8.K..Q J.J9..K T.A.J.8"
    answer = answer_of('[Deal "N:.6.AK.A A8.K..Q J.J9..K T.A.J.8"]', '[Contract "H"]')
    assert (answer["deal"], answer["errors"]) == ("none", [])
    for wrong in (hands, "N:.6.AK.A A8.6..Q J.J9..K T.A.J.8", "N:.6.AK.A A8.K..1 J.J9..K T.A.J.8"):
        answer = answer_of(f'[Deal "{wrong}"]')
        assert answer["deal"] == "bad"
        assert answer["errors"]
