"""A table that is ended in the middle of play tells what still waited, as events that can be kept."""

from __future__ import annotations

from pathlib import Path

from hw.observation_log import read_log
from table_service.events import dumps
from table_service.games.burraco.fold import TableFold
from table_service.rehearsal.rehearse import rehearse


def test_a_meld_that_had_not_come_to_rest_when_the_table_was_ended_is_told_at_its_last_moment(tmp_path: Path) -> None:
    log = tmp_path / "wrong.jsonl"
    rehearse("fibur2024", 306, log, 1, ("F-29b",))
    header, observations = read_log(log)
    played = list(observations)
    fold = TableFold(header)
    told = next(n for n, one in enumerate(played) if any(e.type == "irregularity" for e in fold.feed(one)))
    ended = TableFold(header)
    for one in played[:told]:
        ended.feed(one)
    waited = [event for event in ended.close() if event.type == "irregularity"]
    assert [event.t for event in waited] == [played[told - 1].t]
    assert '"type":"irregularity"' in dumps(waited[0])
