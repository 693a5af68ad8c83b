"""The demo says in a pipe how far it is, and how long it still takes."""

from __future__ import annotations

import pytest

from table_service.commands.demo import progress as shown
from table_service.commands.demo.progress import Progress


@pytest.mark.parametrize(("language", "words"), [("en", "about 54 s left"), ("it", "mancano circa 54 s")])
def test_a_tenth_of_the_gestures_in_six_seconds_leaves_nine_times_as_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], language: str, words: str
) -> None:
    now = [100.0]
    monkeypatch.setattr(shown.time, "monotonic", lambda: now[0])
    progress = Progress(language, "bridge")
    progress.begin(20)
    for _ in range(2):
        now[0] += 3.0
        progress.advance(40.0)
    line = capsys.readouterr().out
    assert line.startswith("   10 %")
    assert words in line
