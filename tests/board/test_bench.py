"""The bench procedure: rates that were put into a log come out of it again, and only what was measured is written."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.board.bench_figures import Figure, measure, wilson, written
from hw.board.measuring import ASSUMED, main
from hw.observation_log import Header, LogWriter
from hw.observations import Console, Health, Knock, Observation, Reach, Scale, Shield, Sight, SightedCard, Tags
from hw.seats import Seat
from hw.twin.noise import load_noise


def _order(t: float, step: str, **fields: object) -> Console:
    return Console(t, "tecnico", "bench", {"step": step, **fields})


def _gate(rng: random.Random, miss: float, times: int) -> Iterator[Observation]:
    yield _order(0, "gate", zone="gate-N", times=times)
    for n in range(times):
        if rng.random() >= miss:
            yield Tags(1 + 2 * n, "gate-N", ("E004",))
            yield Tags(1.3 + 2 * n, "gate-N", ())


def _found(figures: tuple[Figure, ...]) -> dict[str, Figure]:
    return {one.name: one for one in figures}


def test_the_miss_rate_put_into_a_log_lies_in_the_interval_that_comes_out() -> None:
    figure = _found(measure(_gate(random.Random(7), 0.06, 800)))["gate.miss"]
    assert figure.tries == 800
    assert figure.low <= 0.06 <= figure.high


def test_a_tag_read_at_another_coil_is_a_ghost() -> None:
    log: list[Observation] = [*_gate(random.Random(1), 0.0, 50), Tags(200, "gate-W", ("E004",))]
    assert _found(measure(log))["gate.ghost"].count == 1


def test_a_reach_seen_twice_is_a_bounce_and_one_not_seen_a_miss() -> None:
    reaches = [Reach(2.0 * n, Seat.EAST, "stock", "in") for n in range(1, 40)]
    log: list[Observation] = [
        _order(0, "reach", seat="E", zone="stock", times=40),
        *reaches,
        Reach(78.1, Seat.EAST, "stock", "in"),
    ]
    figures = _found(measure(log))
    assert (figures["beam.miss"].count, figures["beam.bounce"].count) == (1, 1)


def test_shields_and_knocks_are_counted_against_what_was_asked() -> None:
    log: list[Observation] = [_order(0, "shield", seat="N", times=20)]
    log += [Shield(2.0 * n, Seat.NORTH, "over" if n % 2 else "up") for n in range(1, 40)]
    log += [_order(100, "knock", seat="N", times=20), *(Knock(100.0 + 2 * n, Seat.NORTH) for n in range(1, 19))]
    figures = _found(measure(log))
    assert (figures["contact.miss"].count, figures["contact.miss"].tries) == (1, 40)
    assert (figures["knock.miss"].count, figures["knock.miss"].tries) == (2, 20)


def test_false_knocks_are_counted_minute_by_minute_and_ten_minutes_are_not_enough() -> None:
    quiet: list[Observation] = [_order(0, "idle"), Knock(70.0, None), Knock(75.0, None), Health(601.0, "n", "ok")]
    figure = _found(measure(quiet))["knock.false_per_min"]
    assert figure.value == pytest.approx(0.2)
    assert (figure.tries, figure.enough) == (10, False)
    long = _found(measure([*quiet[:-1], Health(1801.0, "n", "ok")]))["knock.false_per_min"]
    assert long.value == pytest.approx(2 / 30)
    assert (long.tries, long.enough) == (30, True)


def test_the_spread_of_a_scale_comes_out_as_it_went_in() -> None:
    rng = random.Random(3)
    log: list[Observation] = [_order(0, "scale", zone="stock", times=50)]
    for n in range(50):
        at = 3.0 * n + 1
        log += [Scale(at + 0.02 * k, "stock", 1.8 * (n % 2) + rng.gauss(0, 0.3), settled=k > 8) for k in range(20)]
    figures = _found(measure(log))
    assert figures["scale.sigma_g"].value == pytest.approx(0.3, rel=0.15)
    assert figures["scale.settle_ms"].value == pytest.approx(180, abs=1)


def test_cards_missed_misread_and_moving_are_told_apart() -> None:
    def sight(t: float, *names: str) -> Sight:
        cards = (SightedCard(n, "table", 10.0 * i + (t % 2), t % 2, 0, "up", 0.9) for i, n in enumerate(names))
        return Sight(t, tuple(cards))

    log: list[Observation] = [
        _order(0, "sight", cards=["7H", "KS"]),
        sight(1, "7H", "KS"),
        sight(2, "7H"),
        sight(3, "7H", "KC"),
    ]
    log += [sight(t, "7H", "KS") for t in range(4, 14)]
    figures = _found(measure(log))
    assert (figures["sight.miss"].count, figures["sight.misread"].count, figures["sight.miss"].tries) == (1, 1, 26)
    assert figures["sight.position_mm"].value > 0.4


def test_only_figures_measured_often_enough_replace_an_assumption(tmp_path: Path) -> None:
    figures = (Figure("gate.miss", 0.031, 31, 1000, *wilson(31, 1000)), Figure("knock.miss", 0.5, 1, 2, 0.0, 1.0))
    made = tmp_path / "noise.toml"
    made.write_text(written(ASSUMED.read_text("utf-8"), figures), "utf-8")
    noise, before = load_noise("normal", made), load_noise("normal")
    assert noise.gate_miss == pytest.approx(31.5 / 1001)
    assert noise.knock_miss == before.knock_miss
    assert noise.beam_miss == before.beam_miss
    assert "# measured: 31 of 1000" in made.read_text("utf-8")


def test_what_never_failed_in_a_hundred_tries_is_not_written_as_never_failing(tmp_path: Path) -> None:
    figures = [Figure("gate.miss", 0.0, 0, 100, *wilson(0, 100)), Figure("scale.sigma_g", 0.0, 50, 50, 0.0, 0.0)]
    made = tmp_path / "noise.toml"
    made.write_text(written(ASSUMED.read_text("utf-8"), figures), "utf-8")
    assert load_noise("normal", made).gate_miss == pytest.approx(0.5 / 101)
    assert "# measured: 0 of 100 (95 %: 0 to 0.037)" in made.read_text("utf-8")
    assert load_noise("normal", made).scale_sigma_g == load_noise("normal").scale_sigma_g


def test_half_an_hour_without_a_knock_is_not_a_table_that_never_hears_one(tmp_path: Path) -> None:
    figures = measure([_order(0, "idle"), Health(1801.0, "n", "ok")])
    made = tmp_path / "noise.toml"
    made.write_text(written(ASSUMED.read_text("utf-8"), figures), "utf-8")
    assert load_noise("normal", made).knock_false_per_min == pytest.approx(0.5 / 30, rel=1e-5)
    assert "# measured: 0 of 30 minutes" in made.read_text("utf-8")


def test_a_card_that_flickers_over_the_coil_hides_no_miss() -> None:
    log: list[Observation] = [_order(0, "gate", zone="gate-N", times=3)]
    log += [Tags(2.0, "gate-N", ("E004",)), Tags(2.2, "gate-N", ()), Tags(2.3, "gate-N", ("E004",))]
    log += [Tags(6.0, "gate-N", ("E004",))]
    figure = _found(measure(log))["gate.miss"]
    assert (figure.count, figure.tries) == (1, 3)


def test_a_neighbours_sensor_that_hears_the_knock_hides_no_miss() -> None:
    log: list[Observation] = [_order(0, "knock", seat="N", times=2)]
    log += [Knock(2.0, Seat.NORTH), Knock(2.01, Seat.EAST), Knock(4.0, Seat.EAST)]
    assert _found(measure(log))["knock.miss"].count == 1


def test_the_command_measures_a_log_and_writes_the_noise_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, noise = tmp_path / "bench.jsonl", tmp_path / "noise.toml"
    with LogWriter(log, Header("T1", "fibur2024")) as out:
        out.write_all(_gate(random.Random(5), 0.1, 100))
    assert main([str(log), "--noise", str(noise)]) == 0
    assert "gate.miss" in capsys.readouterr().out
    assert load_noise("normal", noise).gate_miss != load_noise("normal").gate_miss


def test_a_log_without_bench_steps_is_said_to_hold_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "deal.jsonl"
    with LogWriter(log, Header("T1", "fibur2024")) as out:
        out.write(Knock(1.0, Seat.NORTH))
    assert main([str(log)]) == 1
    assert "holds no bench step" in capsys.readouterr().err


def test_a_log_that_is_not_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nothing.jsonl")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
