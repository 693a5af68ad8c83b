"""Gaps in sensing as the twin stages them: what is lost, what is said of it, what a node tells when it is back."""

from __future__ import annotations

import pytest

from hw.coverage import CAMERA, covered, covers, sensor_of
from hw.observations import Console, Health, Observation, Reach, Scale, Shield, Sight, Tags
from hw.seats import Seat
from hw.twin.unheard_sensors import SensingGap, through
from table_service.rehearsal import prove
from table_service.rehearsal.sensing_gaps import choose, losses, nodes, with_gaps

NODES = {"gates": ("coil:gate-N", "beam:N:stock"), "seats": ("scale:stock", "scale:discard", "shield:N")}


@pytest.mark.parametrize(
    ("name", "heard_of", "not_heard_of"),
    [
        ("seats", ("scale:stock", "shield:N"), ("coil:gate-N", CAMERA)),
        ("seats/scale:stock", ("scale:stock",), ("scale:discard",)),
        ("seats/node", ("scale:stock", "shield:N"), ("beam:N:stock",)),
        ("seats/ledger", (), ("scale:stock",)),
        ("evidence", (), ("scale:stock", CAMERA)),
        ("camera", (CAMERA,), ("scale:stock",)),
        ("calibration", (CAMERA,), ("scale:stock",)),
        ("scale stock", ("scale:stock",), ("scale:discard",)),
        ("scales", ("scale:stock", "scale:pots"), ("beam:N:stock",)),
        ("beams", ("beam:N:stock",), ("scale:stock",)),
        ("somebody", ("scale:stock", "coil:gate-N", "beam:N:stock"), (CAMERA,)),
    ],
)
def test_a_health_covers_what_the_table_map_gives_its_node(
    name: str, heard_of: tuple[str, ...], not_heard_of: tuple[str, ...]
) -> None:
    sensors = covered(name, NODES)
    assert all(covers(sensors, one) for one in heard_of)
    assert not any(covers(sensors, one) for one in not_heard_of)


def _log() -> list[Observation]:
    return [
        Scale(1.0, "stock", 72.0, True),
        Reach(4.0, Seat.NORTH, "stock", "in"),
        Scale(5.0, "stock", 70.2, True),
        Tags(5.2, "gate-N", ("E1",)),
        Reach(5.5, Seat.NORTH, "stock", "out"),
        Sight(4.9, ()),
        Tags(9.0, "gate-N", ()),
        Console(9.5, "arbitro", "confirm"),
    ]


def test_a_node_that_is_back_tells_what_has_become_otherwise() -> None:
    gap = SensingGap(4.5, 8.0, ("scale:stock", "beam:N:stock"), ("node",))
    assert list(through(gap, _log())) == [
        Scale(1.0, "stock", 72.0, True),
        Reach(4.0, Seat.NORTH, "stock", "in"),
        Health(4.5, "node", "lost", "It is not heard."),
        Tags(5.2, "gate-N", ("E1",)),
        Sight(4.9, ()),
        Health(8.0, "node", "ok", "It is heard again."),
        Scale(8.0, "stock", 70.2, True),
        Reach(8.0, Seat.NORTH, "stock", "out"),
        Tags(9.0, "gate-N", ()),
        Console(9.5, "arbitro", "confirm"),
    ]


def test_a_silent_gap_takes_away_and_says_nothing() -> None:
    gap = SensingGap(4.5, 8.0, ("coil:gate-N", CAMERA), (), snapped=False)
    kept = list(through(gap, _log()))
    assert kept == [one for one in _log() if not isinstance(one, Sight) and one.t != 5.2]
    back = SensingGap(4.5, 8.0, ("shield:N",))
    up = Shield(5.0, Seat.NORTH, "over")
    assert list(through(back, [*_log()[:2], up, *_log()[6:]]))[2] == Shield(8.0, Seat.NORTH, "over")


def test_every_sensor_each_node_and_all_together_are_lost_in_turn() -> None:
    named = losses()
    assert {"scale:stock", "all scales", "coil:gate-E", "all coils", "shield:W", "all shields"} <= named.keys()
    assert {"beams of S", "all beams", "node gates", "node seats", CAMERA, "everything"} <= named.keys()
    log: list[Observation] = [Console(10.0, "a", "deal"), Scale(310.0, "stock", 0.0, True)]
    met = {name for seed in range(7000, 7000 + len(named)) for name, _ in choose(log, seed, "declared")}
    assert met == named.keys()
    for seed in range(40):
        for _, gap in choose(log, seed, "declared"):
            assert 10.0 <= gap.start <= 310.0
            assert 3.0 <= gap.end - gap.start <= 30.0
            assert gap.names
            assert covered(gap.names[0], nodes())
        assert not any(gap.names for _, gap in choose(log, seed, "silent"))


def test_a_gap_of_one_kind_and_length_comes_once_in_every_deal_and_is_reported() -> None:
    log: list[Observation] = [Console(10.0, "a", "deal"), Scale(310.0, "stock", 0.0, True)]
    starts = set()
    for seed in range(40):
        ((name, gap),) = choose(log, seed, "scales:10")
        assert name == "all scales"
        assert gap.end - gap.start == pytest.approx(10.0, abs=1e-5)
        assert gap.names == losses()["all scales"].names
        starts.add(round(gap.start / 30.0))
    assert len(starts) > 5, "anywhere in the deal"


@pytest.mark.parametrize("brand", ["loud", "scales", "scales:", "scales:0", "scales:-1", "knees:10", "scales:nan"])
def test_a_gap_that_no_table_has_is_refused_in_a_sentence(brand: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove.main(["--clean", "1", "--each", "0", "--gaps", brand]) == 2
    assert capsys.readouterr().err.count("scales:10") == 1


def test_what_is_not_lost_is_as_it_was() -> None:
    gap = SensingGap(4.5, 8.0, ("scale:pots",), ("n",))
    left = [one for one in with_gaps(_log(), [("x", gap)]) if not isinstance(one, Health)]
    assert left == _log()
    assert sensor_of(Console(1.0, "a", "deal")) is None
