"""The table on MQTT: public messages, messages sealed for the arbitro, and the orders that it takes."""

from table_service.events.deal_keys import SealError
from table_service.events.opening import open_sealed
from table_service.publish.broker import Broker, BrokerError, start_broker
from table_service.publish.connection import BrokerAddress
from table_service.publish.gate import CommandGate
from table_service.publish.publisher import LinkReport, Publisher
from table_service.publish.sealing import SEALED, Sealing

__all__ = [
    "SEALED",
    "Broker",
    "BrokerAddress",
    "BrokerError",
    "CommandGate",
    "LinkReport",
    "Publisher",
    "SealError",
    "Sealing",
    "open_sealed",
    "start_broker",
]
