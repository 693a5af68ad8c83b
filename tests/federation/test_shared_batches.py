"""A worker's batch gathers what comes within a moment, and no longer than until it is full."""

from __future__ import annotations

import threading
from typing import Any

from paho.mqtt.client import MQTTMessage

from table_service.federation.shared_subscription import FederationBroker, SharedSubscription

NEVER_S = 60.0


def come(link: Any, *numbers: int) -> None:
    """Have these messages arrive, as paho's thread tells it."""
    for number in numbers:
        message = MQTTMessage(mid=number, topic=b"tavolo/v1/bologna/T1/event/x")
        link._on_message(None, None, message)  # noqa: SLF001 - what paho calls


def test_a_batch_that_gathers_waits_for_others_and_ends_when_it_is_full() -> None:
    link = SharedSubscription(FederationBroker("127.0.0.1", 1), "w")
    come(link, 1)
    later = threading.Timer(0.05, come, (link, 2, 3, 4))
    later.start()
    assert [one.number for one in link.take(3, NEVER_S, NEVER_S)] == [1, 2, 3]
    later.join()
    assert [one.number for one in link.take(3, NEVER_S)] == [4]


def test_a_batch_that_does_not_gather_takes_what_is_there() -> None:
    link = SharedSubscription(FederationBroker("127.0.0.1", 1), "w")
    come(link, 1)
    assert [one.number for one in link.take(3, NEVER_S)] == [1]
