"""`tools/deals_from_frames.py`: the comparison of a deal's log with its truth. Frames themselves are read elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_service.rehearsal.rehearse import rehearse
from tools.deals_from_frames import main


def test_a_log_that_lies_there_is_folded_and_compared_kind_by_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = rehearse("fibur2024", 36, tmp_path / "deal.jsonl", step=1)
    assert main(["--again", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    discards = sum(action["type"] == "discard" for action in truth.actions)
    assert f"discard {discards}/{discards} (100.0%)" in told
    assert "end right" in told
