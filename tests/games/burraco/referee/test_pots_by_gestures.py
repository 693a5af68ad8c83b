"""Pots, pile, closings and exposed cards as gestures: through the twin's sensors, tracking and the table."""

from __future__ import annotations

from typing import Any, Final

import pytest

from hw.cards import BURRACO, face
from hw.seats import SEATS, Seat
from hw.twin.gestures import (
    CollectGesture,
    ConsoleGesture,
    DiscardGesture,
    DrawGesture,
    ExposeGesture,
    LayGesture,
    Press,
    ReachGesture,
    SlideOff,
    TakeFromPile,
    TakeFromRow,
    TakeUp,
    TurnShield,
    TurnUpGesture,
    Wait,
)
from hw.twin.world import World
from table_service.games.burraco.rehearsal.burraco_gestures import return_pot, set_table, take_pot
from tests.games.burraco.twin_table import TwinTable

W, N, E, S = Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH
RUN: Final = "3H 4H 5H 6H 7H 8H 9H"
QUEENS: Final = "QC QD QS QH"
WITH_BURRACO: Final = f"{RUN} {QUEENS}"
WITHOUT: Final = f"3H 4H 5H 6H {QUEENS} JC JD JS"


class Table(TwinTable):
    """A table of the twin, its world, and the arbitro's rulings."""

    @property
    def world(self) -> World:
        return self._observer.world

    def rule(self, row: str, seat: str, **fields: Any) -> None:
        self.do(ConsoleGesture("rule", fields={"row": row, "seat": seat, **fields}))


def table(west: str, drawn: str, pot: str = "", second: str = "", **hands: str) -> Table:
    """Dealer S: W holds ``west`` and will draw ``drawn``; ``pot`` and ``second`` as far as they are named."""
    left = list(BURRACO.cards())

    def named(faces: str) -> list[str]:
        found = []
        for want in faces.split():
            card = next(card for card in left if face(card) == want)
            left.remove(card)
            found.append(card)
        return found

    wanted = {
        seat: named({W: west, **{Seat(name): faces for name, faces in hands.items()}}.get(seat, "")) for seat in SEATS
    }
    top, one, two = named(drawn), named(pot), named(second)
    plain = [card for card in left if face(card) != "JK" and card[0] != "2"]
    rest = [card for card in left if card not in plain]

    def filled(cards: list[str]) -> tuple[str, ...]:
        while len(cards) < 11:
            cards.append(plain.pop(0))
        return tuple(cards)

    dealt = {seat: filled(cards) for seat, cards in wanted.items()}
    pots = (filled(one), filled(two))
    turned = plain.pop(0)
    return Table(set_table(dealt, pots, (*rest, *plain, *top, turned)))


class Player:
    """One seat at that table: lays, discards, and takes pots by the faces of the cards."""

    def __init__(self, at: Table, seat: Seat = W) -> None:
        self.at, self.seat = at, seat

    def cards(self, faces: str) -> tuple[str, ...]:
        held, found = list(self.at.world.hands[self.seat]), []
        for want in faces.split():
            card = next(card for card in held if face(card) == want)
            held.remove(card)
            found.append(card)
        return tuple(found)

    def lay(self, row: int, faces: str) -> None:
        known = self.at.world.rows.get(row)
        self.at.do(LayGesture(self.seat, row, (*(known.cards if known else ()), *self.cards(faces))))

    def on(self, row: int, want: str) -> tuple[str, ...]:
        return tuple(card for card in self.at.world.rows[row].cards if face(card) == want)

    def discard(self, want: str) -> None:
        self.at.do(DiscardGesture(self.seat, self.cards(want)[0]))

    def take_pot(self, giver: Seat | None = N) -> None:
        self.at.do(TurnShield(self.seat, "over"), take_pot(self.seat, giver), TurnShield(self.seat, "up"))


def begun(west: str, drawn: str, **more: str) -> tuple[Table, Player]:
    """The card is turned up and W has drawn."""
    at = table(west, drawn, **more)
    at.do(TurnUpGesture(S), DrawGesture(W))
    return at, Player(at)


def rows(at: Table) -> list[tuple[str, str | None, str]]:
    at.do(Wait(4.0))
    return at.verdicts()


# -- arts. 8 and 9 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gesture", [DrawGesture(W, 2), SlideOff(W, 2)])
def test_f08a_art8_two_cards_lifted_or_slid_off_by_gesture(gesture: Any) -> None:
    at = table(WITH_BURRACO, "TH 3D")
    at.do(TurnUpGesture(S), gesture)
    assert ("F-08a", "W", "open") in rows(at)


def test_f08c_art8_a_hand_that_rests_at_the_stock_out_of_turn_by_gesture() -> None:
    at, _ = begun(WITH_BURRACO, "TH")
    at.do(ReachGesture(S, "stock", 2.5))
    assert rows(at) == [("F-08c", "S", "open")]


def test_f08d_art8_the_player_in_turn_at_the_stock_by_gesture() -> None:
    at, player = begun(WITH_BURRACO, "TH")
    player.discard("3H")
    at.do(ReachGesture(N, "stock", 2.5), DrawGesture(N), Wait(1.0))
    assert rows(at) == []


def pile_of_four(**more: str) -> Table:
    """W, N, E and S have drawn and discarded: five cards lie on the pile, W is to play."""
    at = table("KC QD 3S 4S 6S 7S 8S TS JS AC AD", "5C 5D 5H 5S", **more)
    at.do(TurnUpGesture(S))
    for seat in (W, N, E, S):
        at.do(DrawGesture(seat), DiscardGesture(seat, at.world.hands[seat][0]))
    return at


def test_f09f_art9_three_pile_cards_left_behind_by_gesture() -> None:
    at = pile_of_four()
    at.do(CollectGesture(W, 3), Wait(1.0), DiscardGesture(W, at.world.hands[W][0]))
    assert rows(at) == [("F-09f", "W", "open")]


def test_f09e_art9_one_pile_card_left_behind_by_gesture() -> None:
    at = pile_of_four()
    at.do(CollectGesture(W, 1), DrawGesture(N))
    assert rows(at) == []
    left = at.of("card.discarded")[-1]
    assert (left.seat, left.data.left) == ("W", True)


def test_f09g_art9_the_sole_card_collected_and_laid_back_by_gesture() -> None:
    at = table("KC QD 3S 4S 6S 7S 8S TS JS AC AD", "5C")
    at.do(TurnUpGesture(S))
    sole = at.world.heap("discard")[0]
    at.do(CollectGesture(W), Wait(1.0), DiscardGesture(W, sole))
    assert rows(at) == [("F-09g", "W", "open")]
    at.rule("F-09g", "W", option="no-twin")
    at.do(TakeFromPile(W, (sole,)), Wait(1.0), DiscardGesture(W, at.world.hands[W][0]), DrawGesture(N))
    assert rows(at) == [("F-09g", "W", "open"), ("F-09g", "W", "ruled")]
    assert [e.data.do for e in at.of("sanction.served")] == ["take-back"]


# -- art. 23 -------------------------------------------------------------------------------------------------------


def played_out(second: str = "", pot: str = "") -> tuple[Table, Player]:
    """W has laid all twelve cards, a burraco among them."""
    at, player = begun(WITH_BURRACO, "TH", pot=pot, second=second)
    player.lay(0, f"{RUN} TH")
    player.lay(1, QUEENS)
    return at, player


def test_a_pot_handed_over_by_an_opponent_is_in_order_by_gesture() -> None:
    at, player = played_out()
    player.take_pot()
    at.do(Wait(2.0), DiscardGesture(W, at.world.hands[W][0]), DrawGesture(N))
    assert rows(at) == []


@pytest.mark.parametrize("giver", [None, E])
def test_f23b_art23_a_pot_that_no_opponent_hands_over_by_gesture(giver: Seat | None) -> None:
    at, player = played_out()
    player.take_pot(giver)
    assert rows(at) == [("F-23b", "W", "open")]


def test_fs1_a_pot_with_the_hand_shield_upright_by_gesture() -> None:
    at, _ = played_out()
    at.do(take_pot(W, N))
    assert rows(at) == [("F-S1", "W", "open")]


KINGS: Final = "KC KD KS KH 3C 4C 5C 6C 7C 8C 9C"


def second_pot(second: str = "") -> tuple[Table, Player]:
    """W plays out his pot as well and takes the other one in flight."""
    at, player = played_out(pot=KINGS, second=second)
    player.take_pot()
    player.lay(2, "3C 4C 5C 6C 7C 8C 9C")
    player.lay(3, "KC KD KS KH")
    at.do(Wait(3.0))
    player.take_pot()
    return at, player


def test_f23h_art23_a_second_pot_in_flight_by_gesture() -> None:
    at, player = second_pot()
    assert [row for row, _, _ in rows(at)] == ["F-35a", "F-23h"]
    at.rule("F-23h", "W")
    at.do(return_pot(W, at.world.hands[W]))
    kings = at.world.rows[3].cards
    at.do(TakeFromRow(W, 3, kings), Wait(2.0))
    player.discard("KC")
    at.do(DrawGesture(N))
    assert rows(at)[-1] == ("F-23h", "W", "ruled")
    assert {e.data.do for e in at.of("sanction.served")} == {"correct-count", "take-back"}
    assert (at.of("sanction.broken"), at.of("deal.ended")) == ([], [])
    state = at.fold.state()
    assert (state["pots"]["cards"], state["pots"]["second"], state["hands"]["W"]) == ([11], {}, 3)


def test_f23n_art23_a_card_of_the_second_pot_is_played_by_gesture() -> None:
    at, player = second_pot(second="3D 4D 5D")
    player.lay(4, "3D 4D 5D")
    told = rows(at)
    assert [row for row, _, _ in told] == ["F-35a", "F-23h", "F-23n"]
    assert len({e.data.key for e in at.of("irregularity")}) == 1


def test_f23o_art23_two_pots_of_one_line_and_the_next_draw_by_gesture() -> None:
    at, player = second_pot(second="3D 4D 5D")
    player.lay(4, "3D 4D 5D")
    at.do(DiscardGesture(W, at.world.hands[W][0]), DrawGesture(N))
    assert rows(at)[-1] == ("F-23o", "W", "open")


def without_burraco(last: str, *, left: str = "") -> tuple[Table, Player]:
    """W has had his pot and has no burraco; he lays all of it but ``left`` and what ``last`` names."""
    at, player = begun(WITHOUT, "JH", pot=f"KC KD KS 9C 9D 9S TC TD {last}")
    player.lay(0, "3H 4H 5H 6H")
    player.lay(1, QUEENS)
    player.lay(2, "JC JD JS JH")
    player.take_pot()
    player.lay(3, "KC KD KS")
    player.lay(4, "9C 9D 9S")
    return at, player


def test_f33_art33_and_f23i_art23_out_without_a_burraco_and_a_second_pot_by_gesture() -> None:
    at, player = without_burraco("TS TH 8S")
    player.lay(5, "TC TD TS TH")
    player.discard("8S")
    assert rows(at) == [("F-33", "W", "open")]
    player.take_pot()
    assert rows(at)[-1] == ("F-23i", "W", "open")
    assert at.last()["cards"] == ["TC", "TD", "TS", "TH"]
    assert at.of("deal.ended") == []


def test_f34_art34_out_with_a_wild_by_gesture() -> None:
    at, player = without_burraco("TS TH 2D")
    player.lay(5, "TC TD TS TH")
    player.discard("2D")
    assert rows(at) == [("F-34", "W", "open")]
    at.rule("F-34", "W")
    at.do(TakeFromRow(W, 5, at.world.rows[5].cards), DrawGesture(N))
    assert rows(at)[-1] == ("F-34", "W", "ruled")
    assert [e.data.do for e in at.of("sanction.served")] == ["take-back"]
    assert (at.of("deal.ended"), at.fold.state()["hands"]["W"]) == ([], 4)


def test_f35a_art35_no_card_to_discard_a_meld_opened_last_by_gesture() -> None:
    at, player = without_burraco("TS TH KH")
    player.lay(3, "KH")
    player.lay(5, "TC TD TS TH")
    assert rows(at) == [("F-35a", "W", "open")]
    at.rule("F-35a", "W")
    at.do(TakeFromRow(W, 5, at.world.rows[5].cards), Wait(2.0))
    player.discard("TC")
    at.do(DrawGesture(N))
    assert rows(at)[-1] == ("F-35a", "W", "ruled")
    assert (at.of("sanction.broken"), at.of("deal.ended"), at.fold.state()["hands"]["W"]) == ([], [], 3)


def test_f35b_art35_the_discard_added_to_a_meld_by_gesture() -> None:
    at, player = without_burraco("TS TH KH")
    player.lay(5, "TC TD TS TH")
    player.lay(3, "KH")
    assert rows(at) == [("F-35b", "W", "open")]
    at.rule("F-35b", "W")
    at.do(TakeFromRow(W, 3, player.on(3, "KH")), Wait(2.0))
    player.discard("KH")
    assert rows(at)[-1] == ("F-35b", "W", "ruled")
    assert (at.of("sanction.broken"), at.of("deal.ended")) == ([], [])


# -- art. 24 -------------------------------------------------------------------------------------------------------


def test_f24a_art24_a_card_that_falls_face_up_by_gesture() -> None:
    at, player = begun(WITH_BURRACO, "TH")
    card = player.cards("3H")
    at.do(ExposeGesture(W, card, -255.0, -200.0), Wait(2.0))
    assert rows(at) == [("F-24a", "W", "open")]
    at.do(TakeUp(W, card))
    assert rows(at)[-1] == ("F-24a", "W", "open")


def test_f24d_art24_a_whole_hand_put_down_by_gesture() -> None:
    at, player = begun(WITH_BURRACO, "TH")
    player.lay(0, f"{RUN} TH")
    at.do(ExposeGesture(W, player.cards("QC QD QS QH"), -200.0, -215.0), Wait(2.0))
    assert rows(at)[-1] == ("F-24d", "W", "open")


def jack_exposed(*, first: bool) -> tuple[Table, Player]:
    """E exposes a jack, which is ruled, and adds it at his turn to a run that W opened ``first``, or only since."""
    at, player = begun(WITH_BURRACO, "TH", E="JH")
    east = Player(at, E)
    if first:
        player.lay(0, f"{RUN} TH")
    jack = east.cards("JH")
    at.do(ExposeGesture(E, jack, -200.0, -215.0), Wait(2.0))
    at.rule("F-24a", "E")
    at.do(TakeUp(E, jack))
    if not first:
        player.lay(0, f"{RUN} TH")
    player.discard("QH")
    at.do(DrawGesture(N), DiscardGesture(N, at.world.hands[N][0]), DrawGesture(E))
    east.lay(0, "JH")
    return at, east


def test_f24c_art24_an_exposed_card_on_a_meld_that_the_partner_opened_since_by_gesture() -> None:
    at, _ = jack_exposed(first=False)
    assert rows(at)[-1] == ("F-24c", "E", "open")
    assert (at.last()["severity"], at.last()["cards"]) == ("play-stops", ["JH#1"])


def test_f24c_art24_on_a_meld_that_lay_there_before_it_is_in_order_by_gesture() -> None:
    at, _ = jack_exposed(first=True)
    assert "F-24c" not in [row for row, _, _ in rows(at)]
    assert [e.data.do for e in at.of("sanction.served")] == ["expose"]


def test_f21a_art21_the_partner_calls_before_the_discard_by_gesture() -> None:
    at, _ = begun(WITH_BURRACO, "TH")
    at.do(Press(E, "referee"))
    assert rows(at) == [("F-21a", "E", "open")]
