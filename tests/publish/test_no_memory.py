"""A table without memory: the publisher tries again, as with a broker that is away."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from table_service.events.topics import Topics
from table_service.journal import Journal
from table_service.publish import BrokerAddress
from table_service.publish.connection import Connection
from table_service.publish.publisher import Publisher


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), MemoryError()])
def test_a_connection_for_which_there_is_no_memory_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    tries, again = [0], threading.Event()

    def refuse(_connection: Connection) -> None:
        tries[0] += 1
        if tries[0] == 3:
            again.set()
        raise error

    monkeypatch.setattr(Connection, "open", refuse)
    journal = Journal.open(tmp_path / "T1.sqlite", "T1", SigningKey.generate())
    publisher = Publisher(Topics("sala", "T1"), BrokerAddress("127.0.0.1", 1), journal, boot=journal.boot)
    publisher.start()
    assert again.wait(30)
    assert publisher.moved() > 0
    assert str(publisher.report().retrying).count(str(error) or "no memory") == 1
    publisher.stop()
    journal.close()
