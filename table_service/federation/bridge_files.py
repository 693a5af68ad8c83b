"""mosquitto's settings for a federation: its own broker, and the bridge of each hall's broker to it.

A hall's tables keep their topics; on the way the hall's own name becomes the one that it has in the federation. Only
what is named here leaves the hall: public events, certificates, what journals have, what is sent again. No command, no
alert, no state, no picture, no sealed card; the federation's broker takes nothing else from a hall either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from table_service.events.topics import ROOT
from table_service.federation.shared_subscription import AT_ONCE, BRIDGE
from table_service.install.contents import BROKER_BYTES

WORKERS: Final = "archive"
"""Name of the workers' certificate."""
OUT: Final = ("event/+", "identity", "journal", "status", "resent/+")
"""Kinds of a table's messages that leave the hall."""
IN: Final = ("resend",)
"""Kinds that come into the hall: questions for events that the archive lacks."""
QUEUE_BYTES: Final = 256 * 1024 * 1024
"""Most bytes that a hall's broker keeps for the federation while the line is cut; the journals have the rest."""
_MADE: Final = "# Written by `tavolo federation`, which writes it anew: put changes of your own into another file.\n"


def hall_user(hall: str) -> str:
    """Return the name of a hall's certificate at the federation's broker."""
    return f"hall-{hall}"


def federation_rights(halls: Sequence[str]) -> str:
    """Return who may read and write which topics of the federation's broker: a hall its own, and of these few kinds.

    >>> "sealed" in federation_rights(["milano"]) or "command" in federation_rights(["milano"])
    False
    """
    text = _MADE + (
        f"user {WORKERS}\ntopic read {ROOT}/#\ntopic write {ROOT}/+/+/resend\ntopic readwrite {ROOT}/~archive/#\n"
    )
    for hall in halls:
        own = f"{ROOT}/{hall}"
        text += f"\nuser {hall_user(hall)}\n"
        text += "".join(f"topic write {own}/+/{kind}\n" for kind in OUT)
        text += f"topic write {own}/{BRIDGE}/state\n"
        text += "".join(f"topic read {own}/+/{kind}\n" for kind in IN)
    return text


def federation_settings(folder: Path, halls_port: int, workers_port: int) -> str:
    """Return the settings of the federation's broker with the files of ``folder``.

    A hall's connection is named by its certificate whatever it calls itself; workers share one certificate and have
    names of their own, hence a door of their own.
    """
    common = (
        f"cafile {folder}/authority.crt\n"
        f"certfile {folder}/broker.crt\n"
        f"keyfile {folder}/broker.key\n"
        f"crlfile {folder}/revoked.crl\n"
        "tls_version tlsv1.2\n"
        "require_certificate true\n"
        "use_identity_as_username true\n"
    )
    return (
        _MADE + f"allow_anonymous false\nacl_file {folder}/rights.acl\n"
        "# A power cut may cost the last seconds of what waits: the halls' journals have it.\n"
        "autosave_interval 10\n"
        "# Workers that are away find what waits; what is more than this is had from the journals.\n"
        "max_queued_messages 0\n"
        "max_queued_bytes 2147483648\n"
        f"max_inflight_messages {AT_ONCE}\n"
        f"max_packet_size {BROKER_BYTES}\n"
        f"\n# Halls.\nlistener {halls_port}\n{common}use_username_as_clientid true\n"
        f"\n# Workers of the archive.\nlistener {workers_port}\n{common}"
    )


def bridge_settings(hall: str, local: str, address: tuple[str, int], folder: Path) -> str:
    """Return the bridge of a hall's broker: ``hall`` in the federation, ``local`` on its own topics.

    ``folder``: where the hall's machine has the federation's authority and the hall's certificate and key.

    >>> print(bridge_settings("milano", "sala", ("federation.example", 8883), Path("/etc/mosquitto/federation")))
    ... # doctest: +ELLIPSIS
    # Written by ...
    connection federation
    address federation.example:8883
    ...
    topic +/event/+ out 1 tavolo/v1/sala/ tavolo/v1/milano/
    ...
    topic +/resend in 1 tavolo/v1/sala/ tavolo/v1/milano/
    <BLANKLINE>
    """
    keys: Mapping[str, object] = {
        "connection": "federation",
        "address": f"{address[0]}:{address[1]}",
        "bridge_protocol_version": "mqttv50",
        "remote_clientid": hall_user(hall),
        "local_clientid": "tavolo-federation",
        "bridge_cafile": folder / "federation.crt",
        "bridge_certfile": folder / f"{hall}.crt",
        "bridge_keyfile": folder / f"{hall}.key",
        "bridge_tls_version": "tlsv1.2",
        "cleansession": "false",
        "try_private": "false",
        "keepalive_interval": 15,
        "restart_timeout": "1 30",
        "bridge_outgoing_retain": "true",
        "notifications": "true",
        "notification_topic": f"{ROOT}/{hall}/{BRIDGE}/state",
    }
    text = _MADE + f"max_queued_bytes {QUEUE_BYTES}\n" + "".join(f"{key} {value}\n" for key, value in keys.items())
    ways = [("out", OUT), ("in", IN)]
    return text + "".join(
        f"topic +/{kind} {way} 1 {ROOT}/{local}/ {ROOT}/{hall}/\n" for way, kinds in ways for kind in kinds
    )
