"""A table without a button: who calls for the count says so, and a person enters it."""

from __future__ import annotations

from hw.observations import Button, Observation, Said
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import open_fold


def test_the_count_that_a_person_enters_does_what_the_button_does() -> None:
    rehearsal = prepare("fibur2024", 5, 1, (), "normal", habits="lively", step=1)
    by_button = [one for one in rehearsal.observations() if not (isinstance(one, Button) and one.button == "referee")]

    def sheets(log: list[Observation]) -> list[tuple[float, object]]:
        fold = open_fold(rehearsal.header, "boot")
        told = [event for one in log for event in fold.feed(one)] + fold.close()
        return [(event.t, event.data) for event in told if event.type in ("deal.ended", "score.counted")]

    by_word = [Said(one.t, one.seat, "count") if isinstance(one, Button) else one for one in by_button]
    unsaid = [one for one in by_button if not isinstance(one, Button)]
    assert sheets(by_word) == sheets(by_button) != sheets(unsaid)
