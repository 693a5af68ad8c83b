"""What all games share of the referee, with a made-up game: a ledger, the arbitro's orders, duties that are watched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import pytest

from hw.cards import TAROCCO
from hw.seats import ANTICLOCKWISE, Line, Seat
from table_service.events.orders import DecisionOrder, Rule, WrongOrder, read_order
from table_service.referee.awards import Awards
from table_service.referee.catalogue import Ageing, Catalogue, DutyRule, Row, StepRule, Words, catalogue_of
from table_service.referee.deciding import Decisions
from table_service.referee.duties import Broken, Duties, Family, Kept, Look, Served, Verdict, who_owes
from table_service.referee.ledger import Ledger
from table_service.referee.values import Finding, Ignored, Irregularity, Sanction, SanctionSaid, Warned

SAY: Final = Words("Lo dice.", "He says so.")
PAY: Final = DutyRule("referee", SAY)


def row(name: str, **more: Any) -> Row:
    step = StepRule("nothing", "table", SAY)
    return Row(id=name, article="1", title=SAY, severity="note", senses=("gate",), steps=(step,), **more)


def codes() -> Catalogue:
    rows = (
        row("M-1a", duties=(PAY,), warn=True, ages=(Ageing("next-draw", "M-1b"),), heals="never"),
        row("M-1b", heals="never"),
        row("M-2"),
    )
    return catalogue_of("made-up", rows, None, {"revoked": "M-1a", "revoked-before": "M-1b", "spoke": "M-2"})


class Rulings:
    """A game in which a ruling imposes the row's first duty, and the deal is a number of tricks."""

    def __init__(self) -> None:
        self.lifted: list[str] = []

    def may_mean(self, _order: DecisionOrder, _row: Row | None, _seat: Seat | None) -> list[Irregularity]:
        return []

    def objection(self, order: Rule, _row: Row | None, deal: int | None) -> str | None:
        trick = order.fields.get("trick")
        return f"there is no trick {trick}" if isinstance(trick, int) and trick > (deal or 0) else None

    def stated(self, fault: Irregularity, _deal: int | None) -> Irregularity:
        return fault

    def ruled(self, one: Irregularity, _row: Row, _order: Rule) -> dict[str, Any]:
        return {"offender": one.offender}

    def fan(self, _ruled: Irregularity, _deal: int | None) -> int | None:
        return None

    def follow(self, ruled: Irregularity, _known: Irregularity | None, order: Rule, _deal: int) -> list[Finding | str]:
        return [f"{ruled.key} follows at {order.t}"]

    def lift(self, ruled: Irregularity, _t: float) -> list[Finding | str]:
        self.lifted.append(ruled.key)
        return []


class Table:
    def __init__(self) -> None:
        self.ledger = Ledger(codes())
        self.awards = Awards(self.ledger.catalogue)
        self.game = Rulings()
        self.decisions: Decisions[int, str] = Decisions(self.ledger, self.awards, TAROCCO, self.game)
        self.ledger.next_round()
        self.ledger.next_deal(1, 0.0)

    def found(self, kind: str, t: float = 1.0, seat: Seat = Seat.NORTH) -> Irregularity:
        known = self.ledger.catalogue.answer(kind)
        assert known is not None
        return self.ledger.enter(Irregularity("", known, seat, (), t, t, "during_turn", movements=(7,), kind=kind))

    def order(self, do: str, t: float, **fields: Any) -> list[Finding | str]:
        order = read_order({**fields, "do": do, "t": t, "by": "arbitro-1"})
        return [Ignored(order.en, t)] if isinstance(order, WrongOrder) else self.decisions.order(order, 3, "")


def test_a_ruling_closes_what_it_names_and_the_game_says_what_follows() -> None:
    table = Table()
    one = table.found("revoked")
    ruled, warned, follows = table.order("rule", 5.0, key=one.key)
    assert isinstance(ruled, Irregularity)
    assert (ruled.key, ruled.state, ruled.t) == ("r1d1-1", "ruled", 5.0)
    assert isinstance(warned, Warned)
    assert (warned.line, warned.count, follows) == (Line.NS, 1, "r1d1-1 follows at 5.0")
    dismissed, withdrawn = table.order("dismiss", 6.0, key=one.key)
    assert (getattr(dismissed, "state", ""), getattr(withdrawn, "withdrawn", None)) == ("dismissed", True)
    assert table.game.lifted == [one.key]


def test_a_ruling_by_row_means_the_newest_of_that_row_then_of_its_family_else_a_fact_that_he_states() -> None:
    table = Table()
    table.found("revoked", 1.0, Seat.NORTH)
    table.found("revoked", 2.0, Seat.SOUTH)
    said = table.order("rule", 5.0, row="M-1b", seat="N")[0]
    assert isinstance(said, Irregularity)
    assert (said.key, said.row.id, said.kind) == ("r1d1-1", "M-1b", "revoked-before")
    stated = table.order("rule", 9.0, row="M-2", seat="W", cards=["T20"])[0]
    assert isinstance(stated, Irregularity)
    assert (stated.key, stated.basis, stated.cards, stated.offender) == ("r1d1-3", ("console",), ("t20",), Seat.WEST)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"row": "M-9"}, "the catalogue of made-up has no row 'M-9'"),
        ({"key": "r1d1-8"}, "no irregularity of this deal has the key 'r1d1-8'"),
        (
            {"row": "M-2", "seat": "Q"},
            "the field 'seat' of the order 'rule' cannot be 'Q': it should be 'N', 'E', 'S' or 'W'",
        ),
        ({"row": "M-2", "cards": ["AH"]}, "'AH' is no card"),
        ({"row": "M-2", "trick": 4}, "there is no trick 4"),
        ({}, "a ruling must name the key of an irregularity, or a row of the catalogue"),
    ],
)
def test_what_names_something_that_is_not_there_is_a_sentence_and_changes_nothing(
    fields: dict[str, Any], sentence: str
) -> None:
    table = Table()
    assert table.order("rule", 5.0, **fields) == [Ignored(sentence, 5.0)]
    assert list(table.ledger) == []


def test_an_order_sent_twice_is_followed_once() -> None:
    table = Table()
    table.order("rule", 5.0, row="M-2", seat="W")
    again = Ignored("this ruling has just been given: it is not entered twice", 6.0)
    assert table.order("rule", 6.0, row="M-2", seat="W") == [again]


def test_what_an_article_rules_for_later_changes_its_row_and_what_does_not_lapses() -> None:
    table = Table()
    revoked, spoke = table.found("revoked"), table.found("spoke")
    assert table.ledger.age(table.ledger.open, "discard", 2.0, 2.0) == []
    said = table.ledger.age(table.ledger.open, "next-draw", 3.0, 3.0)
    assert [(one.key, one.row.id, one.state) for one in said] == [
        (revoked.key, "M-1b", "open"),
        (spoke.key, "M-2", "healed"),
    ]
    assert (said[0].found, said[0].kind) == ("later", "revoked-before")
    assert table.ledger.next_deal(2, 9.0) == []
    assert [one.key for one in table.ledger] == [revoked.key]
    assert table.found("spoke", 10.0).key == "r1d2-1"


def test_what_rests_on_a_movement_that_did_not_happen_is_dismissed() -> None:
    table = Table()
    table.found("spoke")
    assert [one.state for one in table.ledger.retract(7, 2.0)] == ["dismissed"]
    assert table.ledger.retract(8, 2.0) == []


def test_an_irregularity_turns_out_to_be_of_another_kind_while_it_is_open() -> None:
    table = Table()
    one = table.found("revoked")
    turned = table.ledger.turn_out(one.key, "spoke", 2.0)
    assert turned is not None
    assert (turned.row.id, turned.kind) == ("M-2", "spoke")
    assert table.ledger.turn_out(one.key, "nothing that the code knows", 3.0) is None
    table.order("dismiss", 4.0, key=one.key)
    assert table.ledger.turn_out(one.key, "revoked", 5.0) is None


@dataclass(frozen=True)
class Payment:
    t: float
    committed_t: float
    points: int


def _paid(one: Sanction, look: Look[int, Payment]) -> Verdict:
    if look.who is not one.who:
        return Kept(one)
    return Served() if look.action.points >= look.before else Broken("he paid too little")


def duties() -> Duties[int, Payment]:
    book: Duties[int, Payment] = Duties({"referee": Family(("referee",), _paid, lambda _one, act: act.points > 0)})
    assert book.impose(Sanction("k-s1", "k", "M-1a", PAY, Seat.NORTH, (), 1, t=5.0)).what == "imposed"
    return book


@pytest.mark.parametrize(
    ("payment", "who", "said"),
    [
        (Payment(7.0, 6.0, 10), Seat.NORTH, ("served", None)),
        (Payment(7.0, 6.0, 3), Seat.NORTH, ("broken", "he paid too little")),
        (Payment(7.0, 6.0, 3), Seat.EAST, None),
        (Payment(7.0, 4.0, 3), Seat.NORTH, None),  # done before it was imposed
    ],
)
def test_a_duty_is_watched_until_it_is_served_or_broken(
    payment: Payment, who: Seat, said: tuple[str, str | None] | None
) -> None:
    book = duties()
    assert book.carries_out(payment)
    told: list[SanctionSaid] = book.watch(10, payment, 10, who)
    assert [(one.what, one.reason) for one in told] == ([] if said is None else [said])
    assert len(book.in_force) == (said is None)


def test_a_duty_is_lifted_with_its_irregularity() -> None:
    book = duties()
    book.lift("another")
    assert book.owing("referee") == {Seat.NORTH}
    book.lift("k")
    assert (book.in_force, book.carries_out(Payment(1.0, 1.0, 1))) == ((), False)


@pytest.mark.parametrize(
    ("whose", "who"), [("offender", "N"), ("partner", "S"), ("next-opponent", "W"), ("line-in-turn", "S")]
)
def test_who_owes_a_duty_goes_by_the_order_of_play(whose: Any, who: str) -> None:
    duty = DutyRule("referee", SAY, who=whose)
    assert who_owes(duty, Seat.NORTH, Seat.WEST, ANTICLOCKWISE) == Seat(who)
