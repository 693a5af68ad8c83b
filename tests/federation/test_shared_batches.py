"""A worker's batch gathers what comes within a moment, and no longer than until it is full."""

from __future__ import annotations

import threading

import pytest

from table_service.federation.shared_subscription import BrokerAwayError, MessageInbox, SharedMessage

NEVER_S = 60.0


def come(inbox: MessageInbox, *numbers: int) -> None:
    for number in numbers:
        inbox.put(SharedMessage("tavolo/v1/bologna/T1/event/x", b"{}", number, 1))


def test_a_batch_that_gathers_waits_for_others_and_ends_when_it_is_full() -> None:
    inbox = MessageInbox("the broker")
    come(inbox, 1)
    later = threading.Timer(0.05, come, (inbox, 2, 3, 4))
    later.start()
    assert [one.number for one in inbox.take(3, NEVER_S, NEVER_S)] == [1, 2, 3]
    later.join()
    assert [one.number for one in inbox.take(3, NEVER_S)] == [4]


def test_a_batch_that_does_not_gather_takes_what_is_there() -> None:
    inbox = MessageInbox("the broker")
    come(inbox, 1)
    assert [one.number for one in inbox.take(3, NEVER_S)] == [1]


def test_who_gathers_is_told_that_nothing_more_comes() -> None:
    inbox = MessageInbox("the broker")
    come(inbox, 1)
    later = threading.Timer(0.05, inbox.end, ("the line is cut",))
    later.start()
    with pytest.raises(BrokerAwayError, match="the broker went away: the line is cut"):
        inbox.take(3, NEVER_S, NEVER_S)
    later.join()
