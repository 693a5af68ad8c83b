"""The console's ear: subscribes to its hall on every connection, and keeps trying."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from typing import Final

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from table_service.console.settings import ConsoleSettings
from table_service.console.store import ConsoleStore
from table_service.events.topics import hall_filter

log = logging.getLogger(__name__)
KINDS: Final = ("status", "state", "health", "alert/+", "evidence/+", "event/+")
"""What the console listens to; sealed cards and commands are not for it to show."""
_FIRST_RETRY: Final = 0.25
_LONGEST_RETRY: Final = 10.0
_SESSION_SECONDS: Final = 300


class Listener:
    """Feeds a store with what the tables of one hall publish."""

    def __init__(self, settings: ConsoleSettings, store: ConsoleStore) -> None:
        self._settings = settings
        self._store = store
        self._name = f"tavolo-console-{uuid.uuid4().hex[:12]}"

    async def run(self) -> None:
        """Listen until cancelled; a broker that is away is said in the store and tried again."""
        wait = _FIRST_RETRY
        where = f"{self._settings.broker_host}:{self._settings.broker_port}"
        while True:
            try:
                async with self._client() as client:
                    await client.subscribe([(hall_filter(self._settings.hall, kind), 1) for kind in KINDS])
                    self._store.link(connected=True)
                    wait = _FIRST_RETRY
                    async for message in client.messages:
                        payload = message.payload if isinstance(message.payload, bytes) else b""
                        self._store.apply(message.topic.value, payload, now=time.time())
            except (aiomqtt.MqttError, OSError) as error:
                log.info("MQTT broker %s: %s; next try in %g s", where, error, wait)
                self._store.link(connected=False, problem=f"MQTT broker {where}: {error}")
            await asyncio.sleep(wait)
            wait = min(_LONGEST_RETRY, wait * 2)

    def _client(self) -> aiomqtt.Client:
        """A client whose session outlives a short outage, so that the broker keeps what comes meanwhile."""
        if self._settings.embedded:
            return aiomqtt.Client(
                self._settings.broker_host,
                self._settings.broker_port,
                identifier=self._name,
                protocol=aiomqtt.ProtocolVersion.V311,
                clean_session=True,
                username=self._settings.username,
                password=self._settings.password,
            )
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = _SESSION_SECONDS
        return aiomqtt.Client(
            self._settings.broker_host,
            self._settings.broker_port,
            identifier=self._name,
            protocol=aiomqtt.ProtocolVersion.V5,
            clean_start=False,
            properties=session,
            username=self._settings.username,
            password=self._settings.password,
        )
