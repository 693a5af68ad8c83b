"""Scales and frames of the pile where readings are coarse: what may be believed, and what is only noise."""

from __future__ import annotations

import random

import pytest

from hw.equipment import BURRACO_TABLE
from hw.observation_log import Header
from hw.observations import Console, Observation, Reach, Scale, Sight, SightedCard
from hw.seats import Seat
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement
from table_service.tracking.pile import Pile
from table_service.tracking.plate_zero import PlateNoise
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.scales import ScaleEstimator
from table_service.tracking.sequences import Rates
from table_service.tracking.zone_roles import roles_of

CARD = 1.8


class Plate:
    """A plate that is read as in a log: three readings that swing, nine at rest; ``sigma`` in grams."""

    def __init__(self, zone: str, cards: int, sigma: float, seed: int = 0) -> None:
        noise = PlateNoise()
        for _ in range(200):
            noise.pair(0.0, sigma * 2**0.5)
        self.scale = ScaleEstimator(zone, CARD, noise, roles_of(BURRACO_TABLE).habit(zone), tared=True)
        self.sigma, self.rng, self.t, self.cards = sigma, random.Random(seed), 0.0, 0
        self.steps: list[ScaleStep] = []
        self.change(cards)
        self.steps.clear()

    def read(self, grams: float, *, settled: bool = True, hand: bool = True) -> None:
        self.t += 0.05
        self._take(self.scale.feed(self.t, grams + self.rng.gauss(0.0, self.sigma), settled=settled, hand=hand))

    def _take(self, found: list) -> None:
        self.steps += [one for one in found if isinstance(one, ScaleStep)]

    def change(self, cards: int, grams: float = 0.0) -> float:
        """So many cards come or go; the time of it."""
        began = self.t + 0.05
        for part in (0.4, 0.8):
            self.read((self.cards + cards * part) * CARD, settled=False)
        self.cards += cards
        for _ in range(9):
            self.read(self.cards * CARD + grams)
        self.rest(1.0)
        return began

    def rest(self, seconds: float, readings: int = 0, grams: float = 0.0) -> None:
        for _ in range(readings):
            self.t += seconds / readings
            self.read(self.cards * CARD + grams, hand=False)
        self.t += 0.0 if readings else seconds
        self._take(self.scale.look_at_time(self.t))


@pytest.mark.parametrize("seed", range(6))
def test_at_coarse_readings_one_card_at_a_time_is_told_as_one(seed: int) -> None:
    plate = Plate("discard", 1, 0.9, seed)
    for _ in range(5):
        plate.change(1)
    assert [step.change for step in plate.steps] == [1] * len(plate.steps)
    assert plate.scale.count >= 5


def test_a_heavy_burst_is_no_second_card_until_more_readings_say_so() -> None:
    plate = Plate("stock", 20, 0.9, 3)
    plate.change(-1, grams=-0.5)
    assert plate.steps == [] or plate.steps[0].change == -1
    assert all(step.change != -2 or step.confidence <= 0.5 for step in plate.steps)


def test_two_cards_drawn_are_told_as_two_where_readings_are_fine() -> None:
    plate = Plate("stock", 20, 0.3, 1)
    plate.change(-2)
    assert [(step.change, step.confidence > 0.99) for step in plate.steps] == [(-2, True)]


def test_a_plate_that_only_wanders_tells_no_card() -> None:
    plate = Plate("stock", 20, 0.9, 2)
    for _ in range(3):
        plate.change(-1)
    known, plate.steps = plate.scale.count, []
    for grams in (0.5, 0.9, 1.3, 1.8, 1.8):
        plate.rest(8.0, readings=6, grams=grams)
    assert plate.steps == []
    assert plate.scale.count == known


@pytest.mark.parametrize("seed", range(12))
def test_a_few_readings_that_stray_do_not_move_a_plates_zero(seed: int) -> None:
    plate = Plate("discard", 1, 0.9, seed)
    for _ in range(3):
        plate.change(1)
    known = plate.scale.count
    for _ in range(6):
        plate.read(plate.cards * CARD + 1.5)
    plate.rest(1.0)
    plate.change(1)
    assert plate.scale.count == known + 1


def test_a_change_is_dated_by_the_swing_though_it_is_decided_later() -> None:
    plate = Plate("discard", 3, 0.9, 5)
    began = plate.change(1, grams=-0.9)
    plate.rest(4.0, readings=6)
    told = [step for step in plate.steps if step.change == 1]
    assert all(abs(step.first_t - began) < 0.2 for step in told)


RATES = Rates()


def pile(*cards: str) -> Pile:
    one = Pile()
    for card in cards:
        for slot in one.push(1):
            slot.vote(card, 4.0)
    return one


def test_frames_that_show_a_new_card_on_top_make_one_more_sure() -> None:
    one = pile("TS", "6S", "AC")
    answers = [one.watch(("TS", "AC", "9C"), RATES), one.watch(("TS", "6S", "9C"), RATES)]
    answers += [one.watch(("TS", "6S", "AC", "9C"), RATES) for _ in range(2)]
    assert answers[0] is None
    assert 1 in answers


def test_a_card_that_nobody_has_named_yet_is_the_one_that_frames_show_beside_the_others() -> None:
    one = pile("TS", "6S", "AC")
    one.push(1)
    one.push(1)[0].vote("8S", 2.0)  # it lies below: the first frames missed the topmost
    for _ in range(6):
        assert one.watch(("TS", "6S", "AC", "8S", "5C"), RATES) is None
        assert not one.surplus
    answers = [one.watch(("TS", "6S", "AC", "8S", "5C", "9H"), RATES) for _ in range(4)]
    assert 1 in answers


def test_one_misread_card_makes_no_new_one() -> None:
    one = pile("TS", "6S", "AC")
    for seen in (("TS", "6S", "9C"), ("TS", "6S", "AC"), ("TS", "6S", "AC"), ("TS", "AC")):
        assert one.watch(seen, RATES) is None


def test_frames_that_overlook_the_topmost_card_now_and_then_take_none_away() -> None:
    one = pile("TS", "6S", "AC")
    for seen in (("TS", "6S"), ("TS", "6S", "AC"), ("TS", "6S"), ("TS", "6S", "AC")) * 5:
        assert one.watch(seen, RATES) is None


def test_a_pile_that_frame_upon_frame_shows_empty_has_gone() -> None:
    one = pile("TS", "6S", "AC")
    answers = [one.watch((), RATES) for _ in range(4)]
    assert answers[-1] == -3


@pytest.mark.parametrize("seed", range(40))
def test_a_hand_that_leans_on_the_pots_and_goes_leaves_no_card_there(seed: int) -> None:
    plate = Plate("pots", 22, 0.9, seed)
    plate.rest(20.0, readings=30)
    plate.steps.clear()
    for part in (0.4, 0.8):
        plate.read(22 * CARD + part * 190.0, settled=False)
    for _ in range(7):
        plate.read(22 * CARD + 190.4 + seed / 10)
    plate.change(0)
    plate.rest(20.0, readings=5)
    assert sum(step.change for step in plate.steps) == 0


@pytest.mark.parametrize("seed", range(40))
def test_a_finger_that_presses_the_pile_and_goes_brings_and_takes_no_card(seed: int) -> None:
    plate = Plate("discard", seed % 3, 0.9, seed)
    plate.rest(20.0, readings=10)
    plate.steps.clear()
    for grams in (90.0, 130.0, 50.0, 13.0):
        plate.read(plate.cards * CARD + grams, settled=False)
    for _ in range(9):
        plate.read(plate.cards * CARD + 0.3)  # the readings happen to stray a little
    plate.rest(1.0)
    assert plate.steps == []


@pytest.mark.parametrize("seed", range(6))
def test_at_coarse_readings_two_cards_that_leave_the_stock_at_once_are_a_guess(seed: int) -> None:
    plate = Plate("stock", 42, 0.9, seed)
    plate.rest(20.0, readings=30)
    plate.steps.clear()
    plate.change(-2)
    assert all(step.confidence <= 0.5 for step in plate.steps if step.change == -2)


def test_a_card_that_frames_overlook_lies_on_while_the_plate_does_not_swing():
    """Four frames in a row miss the topmost card, and nobody comes near: nothing was picked up or laid."""
    rng = random.Random(4)

    def weigh(start: float, cards: int, *, swings: bool) -> list[Observation]:
        swing = [Scale(start, "discard", (cards - 0.5) * CARD, False)] if swings else []
        rest = [Scale(start + n / 20, "discard", cards * CARD + rng.gauss(0.0, 0.8), True) for n in range(1, 20)]
        return [*swing, *rest]

    def frame(t: float, *faces: str) -> Sight:
        lies = [SightedCard(c, "discard", n * 17.0, 0.0, 0.0, "up", 0.99, 0, n) for n, c in enumerate(faces)]
        return Sight(t, tuple(lies), (), round(t * 10))

    tracker = Tracker(Header("T1", "fibur2024"), BURRACO_TABLE)
    stock = [Scale(1.0 + n / 20, "stock", 75.6 + rng.gauss(0.0, 0.8), True) for n in range(20)]
    log: list[Observation] = [Console(0.5, "a", "deal", {}), *stock, Console(5.0, "a", "start-play", {})]
    for n in (1, 2):
        log += [Reach(10.0 * n, Seat.SOUTH, "discard", "in"), *weigh(10.0 * n + 0.3, n, swings=True)]
        log += [Reach(10.0 * n + 1.4, Seat.SOUTH, "discard", "out")]
        log += [frame(10.0 * n + at, *("3D", "5D")[:n]) for at in (2.0, 2.5)]
    log += [frame(23.0 + n / 2, "3D") for n in range(8)]
    log += [Scale(28.0, "discard", 2.9, True), frame(29.0, "3D", "5D"), frame(29.5, "3D", "5D")]
    moves = [m for one in log for m in tracker.feed(one) if isinstance(m, Movement)]
    moves += [m for m in tracker.close() if isinstance(m, Movement)]
    assert [(m.source, m.target) for m in moves] == [("hand-S", "discard")] * 2


def test_a_first_heap_whose_readings_stray_more_than_is_known_yet_is_not_counted_too_soon() -> None:
    scale = ScaleEstimator("pots", CARD, PlateNoise(), roles_of(BURRACO_TABLE).habit("pots"), tared=True)
    found, t = [], 30.0
    for cards in (14.0, 20.5):
        found += scale.feed(t, cards * CARD, settled=False, hand=True)
        t += 0.1
    for cards in (21.8, 21.6, 22.0, 21.0, 21.0, 21.1, 21.3, 21.3, 21.6):
        found += scale.feed(t, cards * CARD, settled=True, hand=True)
        t += 0.05
    found += scale.look_at_time(t + 1.0)
    assert found == []
