"""mosquitto's settings for a hall: TLS with certificates both ways, each table its own topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from table_service.install.contents import BROKER_BYTES, CONSOLE_USER, acl

Style = Literal["2.0", "2.1"]
_PLUGINS: Final = (
    "/usr/lib/*/mosquitto_acl_file.so",
    "/usr/lib/mosquitto_acl_file.so",
    "/usr/local/lib/mosquitto_acl_file.so",
)
_MADE: Final = "# Written by `tavolo hall`, which writes it anew: put changes of your own into another file.\n"


@dataclass(frozen=True, slots=True)
class Doors:
    """Ports of the broker: ``tables`` for the hall's network, ``console`` for programs on the broker's machine."""

    tables: int = 8883
    console: int = 8884


def broker_acl(hall: str, tables: Sequence[str], listeners: Sequence[str] = ()) -> str:
    """Return who may read and write which topics; ``tables`` and ``listeners`` without those that are shut out."""
    return acl(hall, tables, _MADE, away=listeners)


def broker_settings(folder: Path, doors: Doors, style: Style) -> str:
    """Return mosquitto's settings with the files of ``folder``, as 2.0 wants them or as 2.1 does.

    A table's connection is named by its certificate whatever name it gives itself: else one table could take over
    another's session. The console has two connections, hence a door of its own, which is open on the machine only.
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
    if style == "2.1":
        common += "listener_allow_anonymous false\nplugin_use tavolo-acl\n"
        rights = f"plugin_load tavolo-acl {_plugin()}\nplugin_opt_acl_file {folder}/rights.acl\n"
    else:
        rights = f"allow_anonymous false\nacl_file {folder}/rights.acl\n"
    return (
        _MADE
        + rights
        + "# A power cut may cost the last message, not all that were kept; an absent console loses nothing.\n"
        "autosave_on_changes true\n"
        "autosave_interval 1\n"
        "max_queued_messages 0\n"
        "# Longer than a picture is nothing that a table says.\n"
        f"max_packet_size {BROKER_BYTES}\n"
        "\n# Tables, with their certificates.\n"
        f"listener {doors.tables}\n{common}use_username_as_clientid true\n"
        f"\n# The {CONSOLE_USER} on this machine.\n"
        f"listener {doors.console} 127.0.0.1\n{common}"
    )


def _plugin() -> str:
    """Return the path of the plugin for rights on this machine, else its usual path."""
    root = Path("/")
    found = [str(path) for pattern in _PLUGINS for path in sorted(root.glob(pattern.removeprefix("/")))]
    return found[0] if found else _PLUGINS[1]
