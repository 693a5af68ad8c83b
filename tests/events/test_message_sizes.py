"""What is refused as too long is longer than the longest that a table can say, and shorter than what a broker takes."""

from __future__ import annotations

import numpy as np

from table_service.events.message_sizes import PACKET_BYTES, is_too_long
from table_service.install.contents import BROKER_BYTES
from table_service.publish.resender import PART_MOST
from vision.kept_pictures import SIDE_PX, to_jpeg


def test_the_longest_picture_that_a_table_can_make_goes_through() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (SIDE_PX, SIDE_PX, 3), dtype=np.uint8)
    assert not is_too_long("evidence", len(to_jpeg(noise)) * 2)


def test_an_answer_full_of_the_longest_events_goes_through() -> None:
    assert not is_too_long("resent", PART_MOST * 4 * 4_200)
    assert not is_too_long("sealed", 4 * 11_301)
    assert not is_too_long("state", 10 * 3_291)


def test_the_broker_takes_all_that_a_console_takes_and_no_more_than_it_needs() -> None:
    assert BROKER_BYTES == PACKET_BYTES, "the installation runs without our libraries and has its own"
    for kind in ("state", "event", "alert", "evidence", "resent", "sealed", "command"):
        assert is_too_long(kind, BROKER_BYTES)
        assert not is_too_long(kind, 60_000)
