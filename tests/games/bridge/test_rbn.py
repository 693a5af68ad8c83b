"""RBN: auctions, notes, plays and results are read and judged as those of any other record."""

from __future__ import annotations

import random
import re

import pytest

from table_service.games.bridge.pages.lin_files import event_lin
from table_service.games.bridge.pbn.check import check, check_file, records_of
from tests.games.bridge.test_lin_files import played


def rbn_of(line: str, tricks: int | None, contract: str, declarer: str) -> str:
    """A board of LIN, one a line, as RBN; the last hand left out."""
    fields = re.findall(r"([a-z]{2})\|([^|]*)\|", line)
    first = dict(reversed(fields))
    number = re.search(r"\d+", first["ah"] if "ah" in first else first["qx"])
    assert number is not None
    dealer = dict(zip("1234", "SWNE", strict=True))[first["md"][0]]
    suits = [re.findall(r"[SHDC]([^SHDC]*)", hand) for hand in first["md"][1:].split(",")]
    hands = ":".join(".".join(hand) for hand in suits[:3])
    calls = [value.rstrip("!").upper() for name, value in fields if name == "mb"]
    calls = ["X" if call == "D" else call for call in calls]
    while len(calls) > 1 and calls[-1] == "P":
        calls.pop()
    calls = [*calls, "A"] if len(calls) > 1 or calls[0] != "P" else ["A"]
    rounds = ":".join("".join(calls[n : n + 4]) for n in range(0, len(calls), 4))
    cards = [value for name, value in fields if name == "pc"]
    played = []
    for n in range(0, len(cards), 4):
        led = cards[n][0]
        played.append(led + "".join(card[1:] if card[0] == led else card for card in cards[n : n + 4]))
    vulnerable = {"o": "Z", "0": "Z", "n": "N", "e": "E", "b": "B"}[first["sv"][0].lower()]
    lines = [f"B {number.group()}", f"H S:{hands}:", f"A {dealer}{vulnerable}:{rounds}"]
    if contract != "pass":
        lines += [f"C {contract.replace('NT', 'N').replace('XX', 'R')}:{declarer}", f"R {tricks}"]
    if played:
        lines.append("P " + ":".join(played))
    return "\n".join(lines) + "\n"


def test_boards_written_as_rbn_are_judged_as_they_are_in_lin() -> None:
    lines = event_lin([played()]).splitlines()
    answers = [check(record) for record in records_of("\n".join(lines))]
    assert any(one["play"]["legal"] for one in answers)
    for line, answer in zip(lines, answers, strict=True):
        told = answer["auction"]
        (again,) = check_file(
            ("% RBN\n" + rbn_of(line, answer["tricks"], told["contract"], told["declarer"] or "")).encode(), "x.rbn"
        )
        assert (again["board"], again["deal"], again["auction"], again["tricks"], again["errors"]) == (
            answer["board"], answer["deal"], told, answer["tricks"], [],
        )  # fmt: skip
        assert again["play"] == answer["play"]


HANDS = "H N:AKQJ.AKQ.AK.AKQJ:T98.JT98.QJT.T98:765.765.9876.765:"


def test_a_second_table_repeats_no_hands_and_notes_explain_their_calls() -> None:
    text = f"""{{Two tables
of one board}}
E Coppa:Finale
N Anna+Carla:Bruno+Dario:O
B 1
{HANDS}
A NZ:7N^1A
1 strong
C 7N:N
P ST52A;
R 13:+1520

N Elena+Fabio:Gino+Ugo:C
A NZ:6NPPX:A
C 6NX:N
R 12
"""
    first, second = records_of(text)
    assert [check(one)["errors"] for one in (first, second)] == [[], []]
    answers = [check(one) for one in (first, second)]
    assert [(one["board"], one["auction"]["contract"], one["tricks"]) for one in answers] == [
        ("1", "7NT", 13), ("1", "6NTX", 12),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "label"),
    [
        ("A NZ:7NQ", "A"),
        ("A NZ:7NA\nP ST52Z", "P"),
        ("A NZ:7NA\nP ST5SS2A", "P"),
        ("A NZ:7NA\nC 7N:Q", "C"),
        ("A NZ:1NP1C", "Auction"),
        ("A NZ:6NA\nC 7N:N", "Contract"),
    ],
)
def test_what_is_wrong_is_told_with_line_and_label(lines: str, label: str) -> None:
    (answer,) = check_file(f"B 1\n{HANDS}\n{lines}\n".encode(), "x.rbn")
    assert label in {one["tag"] for one in answer["errors"]}, answer["errors"]
    assert all(one["line"] in (3, 4, None, 0) for one in answer["errors"])


def test_an_auction_that_asks_the_reader_stops_and_contradicts_nothing() -> None:
    (answer,) = check_file(f"B 1\n{HANDS}\nA NZ:1NPY\n".encode(), "x.rbn")
    assert answer["errors"] == []
    assert answer["auction"]["contract"] is None


def test_changed_letters_raise_nothing() -> None:
    chance = random.Random(46)
    text = f"E x\nN A+B:C+D:O\nB 1\n{HANDS}\nA NZ:7N^1A\n1 strong\nC 7N:N\nP ST52A;\nR 13\n"
    for _ in range(300):
        place = chance.randrange(len(text))
        changed = text[:place] + chance.choice("01 aZ:.=;^*\n\x00é{}") + text[place + chance.randrange(3) :]
        list(check_file(changed.encode("latin-1", "replace"), "x.rbn"))
