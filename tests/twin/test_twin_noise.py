"""The assumed figures and their levels."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw.twin.noise import ASSUMED, NoiseError, load_noise


def test_rough_is_ten_times_every_rate_and_three_times_every_spread() -> None:
    normal, rough = load_noise("normal"), load_noise("rough")
    for name in (
        *("gate_miss", "gate_ghost", "sight_miss", "sight_misread", "beam_miss", "beam_bounce"),
        *("contact_bounce", "contact_miss", "knock_miss", "knock_false_per_min"),
        *("link_byte_error", "link_reset_per_hour"),
    ):
        assert getattr(rough, name) == pytest.approx(10 * getattr(normal, name)), name
    for name in ("scale_sigma_g", "scale_drift_g_per_min", "sight_position_mm"):
        assert getattr(rough, name) == pytest.approx(3 * getattr(normal, name)), name
    for name in ("gate_scan_s", "scale_settle_s", "sight_hand_covers_s", "gate_double"):
        assert getattr(rough, name) == getattr(normal, name), name
    assert (normal.cover_each_turn_s, rough.cover_each_turn_s) == (0.0, 3.0)


def test_none_has_no_error_and_the_same_times() -> None:
    none, normal = load_noise("none"), load_noise("normal")
    assert none.gate_miss == none.sight_misread == none.scale_sigma_g == none.beam_bounce == none.sight_position_mm == 0
    assert none.scale_settle_s == normal.scale_settle_s > 0


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("[gate]", "[gates]", "section 'gates' is not known"),
        ("ghost =", "goast =", "'goast' is not known"),
        ("sigma_g = 0.3", 'sigma_g = "much"', "'sigma_g' must be a number"),
        ("sigma_g = 0.3", "sigma_g = -1", "'sigma_g' must be a number"),
        ("sigma_g = 0.3", "", "'sigma_g' must be a number"),
        ("[gate]", "[gate", "not TOML"),
    ],
)
def test_a_wrong_file_is_refused_and_says_where(tmp_path: Path, before: str, after: str, says: str) -> None:
    text = ASSUMED.read_text(encoding="utf-8")
    assert before in text
    path = tmp_path / "noise.toml"
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(NoiseError, match=says):
        load_noise("normal", path)


def test_an_unknown_level_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NoiseError, match="none, normal, sparse, rough"):
        load_noise("loud")
    with pytest.raises(NoiseError, match="cannot read"):
        load_noise("normal", tmp_path / "nothing.toml")
