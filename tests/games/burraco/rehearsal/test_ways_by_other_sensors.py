"""The same faults told with fewer sensors: no gate, no beam, a camera that speaks seldom; and nobody else accused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from hw.observations import Observation, Reach, Sight, Tags
from table_service.games.burraco.rehearsal.faults import KINDS
from table_service.rehearsal.prove import judge
from table_service.rehearsal.rehearse import prepare

Observations = Sequence[Observation]


def only_changes(observations: Observations) -> Iterator[Observation]:
    """The camera logs a frame only where it shows something else than the one before, and every five seconds."""
    last: Sight | None = None
    for one in observations:
        if isinstance(one, Sight):
            if last is not None and one.t - last.t < 5.0 and content(one) == content(last):
                continue
            last = one
        yield one


def content(sight: Sight) -> tuple[object, ...]:
    """What a camera that logs only changes compares: what lies where, and what is hidden."""
    return sight.hidden, sorted((card.card, card.zone, str(card.row), str(card.order)) for card in sight.cards)


def one_a_second(observations: Observations) -> Iterator[Observation]:
    """The camera takes a frame a second at the most."""
    last = -1.0
    for one in observations:
        if isinstance(one, Sight):
            if one.t - last < 1.0:
                continue
            last = one.t
        yield one


SENSED: dict[str, Callable[[Observations], Iterator[Observation]]] = {
    "all": iter,
    "no gate": lambda all_: (one for one in all_ if not isinstance(one, Tags)),
    "no beam": lambda all_: (one for one in all_ if not isinstance(one, Reach)),
    "only changes": only_changes,
    "a frame a second": one_a_second,
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [41, 42])
@pytest.mark.parametrize("sensed", SENSED)
@pytest.mark.parametrize("way", ["F-05b:foreign", "F-10a:alone"])
def test_f05b_f10a_art5_art10_are_told_with_fewer_sensors_and_nobody_else_accused(
    way: str, sensed: str, seed: int
) -> None:
    rehearsal = prepare("fibur2024", seed, 1, (way,))
    rehearsal.cut_short()
    observations = list(rehearsal.observations())
    report = judge(rehearsal.header, list(SENSED[sensed](observations)), rehearsal.truth())
    (fault,) = [fault for fault in report.faults if fault.row == KINDS[way].row]
    assert fault.right_row, fault
    assert fault.right_seat, fault
    assert fault.right_remedy, fault
    assert not fault.by_ruling, fault
    assert not [alarm for alarm in report.false if alarm.severity in ("score", "play-stops")]
    assert not report.score_wrong
