"""The texts of the files that an installation writes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

CONSOLE_USER: Final = "console"
BROKER_BYTES: Final = 4 * 1024 * 1024
"""Most bytes of one packet that the broker takes: it disconnects a client that announces more.

The same as ``PACKET_BYTES`` in ``events/message_sizes.py``: the installation runs without our libraries and cannot
import it."""
SYSTEM_WATCHDOG: Final = """\
# Tavolo: the board's own watchdog starts the machine anew if it hangs. Written by `tavolo install`.
[Manager]
RuntimeWatchdogSec=15
"""
BROKER_START: Final = """\
# Tavolo: a power cut can leave the broker's file full of zeros, and mosquitto then never starts again. A file that is
# none of its own is laid aside; tables and console say again what it held. Written by `tavolo install`.
[Service]
ExecStartPre=-/bin/sh -c 'cd /var/lib/mosquitto && [ -s mosquitto.db ] && \\
  ! head -c 64 mosquitto.db | grep -aq "mosquitto db" && mv -f mosquitto.db mosquitto.db.damaged'
Restart=always
RestartSec=2
"""
MODULES: Final = """\
# Tavolo: the kernel must know what the table's unit allows before it starts. Written by `tavolo install`.
mc
videodev
cdc_acm
"""
_MADE: Final = "# Written by `tavolo install`, which writes it anew: put changes of your own into another file.\n"
_HALL_NETWORKS: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fd00::/8")


def shipped(name: str) -> str:
    """Return a file of the project's top folders: from the wheel that carries it, else from the checkout."""
    inside = resources.files("table_service.install").joinpath("shipped", *name.split("/"))
    if inside.is_file():
        return inside.read_text("utf-8")
    return (Path(__file__).resolve().parents[2] / name).read_text("utf-8")


def secret(user: str) -> str:
    """Path of the file that holds the password of a broker's user."""
    return f"/etc/tavolo/secrets/{user}.password"


def table_user(table: str) -> str:
    """Name of a table's user at the broker."""
    return f"table-{table}"


def away_user(name: str) -> str:
    """Return the name of the broker's user for the program of a person outside the hall."""
    return f"away-{name}"


def udev_rules(boards: Mapping[str, str]) -> str:
    """Return the udev rules with the serial numbers of ``boards`` by port name; a board not named has no link yet."""
    lines = []
    for line in shipped("systemd/99-tavolo.rules").splitlines():
        named = re.search(r'SYMLINK\+="tavolo-(gates|table|places)"', line)
        if named is None:
            lines.append(line)
        elif named[1] in boards:
            lines.append(re.sub(r'(ID_SERIAL_SHORT\}==)"\w*"', rf'\1"{boards[named[1]]}"', line))
    return "\n".join(lines) + "\n"


def chrony(time_server: str, *, serves: bool) -> str:
    """Return chrony's settings: the hall's clock if one is named; the hall's machine keeps time for the tables."""
    lines = [_MADE + "# A clock that is far off is set at the start only: during play it is slewed, never stepped."]
    lines.append("makestep 1 3")
    if time_server:
        lines.append(f"server {time_server} iburst prefer")
    if serves:
        lines.append("# Without an uplink the hall still agrees with itself.")
        lines.append("local stratum 10")
        lines += [f"allow {network}" for network in _HALL_NETWORKS]
    return "\n".join(lines) + "\n"


def mosquitto(*, everywhere: bool) -> str:
    """Return the broker's settings. ``everywhere``: tables on other machines sign in too."""
    return (
        _MADE
        + (
            "# Tables on other machines sign in here.\nlistener 1883\n"
            if everywhere
            else "# Nobody outside this machine.\nlistener 1883 127.0.0.1\n"
        )
        + "allow_anonymous false\n"
        "password_file /etc/mosquitto/tavolo.passwords\n"
        "acl_file /etc/mosquitto/tavolo.acl\n"
        "# A power cut may cost the last message, not all that were kept; an absent console loses nothing.\n"
        "autosave_on_changes true\n"
        "autosave_interval 1\n"
        "max_queued_messages 0\n"
        "# Longer than a picture is nothing that a table says.\n"
        f"max_packet_size {BROKER_BYTES}\n"
    )


def acl(hall: str, tables: Sequence[str], made: str = _MADE, *, away: Sequence[str] = ()) -> str:
    """Return who may read and write which topics: a table only its own, the console the hall's, and orders to it.

    ``made``: the first line, which says what wrote it. ``away``: people whose programs outside the hall read what the
    console sends them, each the last level of its topic.
    """
    text = made + (
        f"user {CONSOLE_USER}\n"
        f"topic read tavolo/v1/{hall}/#\n"
        f"topic write tavolo/v1/{hall}/+/command\n"
        f"topic write tavolo/v1/{hall}/+/resend\n"
        f"topic readwrite tavolo/v1/{hall}/~console/#\n"
    )
    for table in tables:
        own = f"tavolo/v1/{hall}/{table}"
        text += f"\nuser {table_user(table)}\ntopic readwrite {own}/#\n"
    for name in away:
        text += f"\nuser {away_user(name)}\ntopic read tavolo/v1/{hall}/~console/away/{name}\n"
    return text


def table_toml(name: str, hall: str, camera: str, broker: str, port: int) -> str:
    """Return the example table as table ``name``, with its camera, broker and the small screen's ``port``."""
    text = shipped("examples/table.toml")
    source = {"picamera2": "picamera2", "v4l2": "v4l2:/dev/tavolo-camera", "none": "none"}[camera]
    text = _set(text, "table", "name", f'"{name}"')
    text = _set(text, "table", "hall", f'"{hall}"')
    text = _set(text, "camera", "source", f'"{source}"')
    text = _set(text, "storage", "journal", f'"{name}.sqlite"')
    text = _set(text, "storage", "log", f'"{name}.jsonl.gz"')
    text = _set(text, "display", "port", str(port))
    return _broker_section(text, table_user(name), broker)


def hall_toml(hall: str, tables: Sequence[str], broker: str) -> str:
    """Return the example hall as ``hall`` with ``tables``; its pages are served to the hall's own network."""
    text = shipped("examples/hall.toml")
    names = ", ".join(f'"{name}"' for name in tables)
    text = _set(text, "hall", "name", f'"{hall}"')
    text = _set(text, "hall", "tables", f"[{names}]")
    text = re.sub(r"(?ms)^\[hall\.floors\].*?(?=^\[|\Z)", "", text)
    return _broker_section(text.rstrip() + "\n", CONSOLE_USER, broker)


def _broker_section(text: str, user: str, broker: str) -> str:
    text = _set(text, "broker", "host", f'"{broker or "127.0.0.1"}"')
    extra = f'username = "{user}"\npassword_file = "{secret(user)}"\n'
    return re.sub(r"(?m)^(\[broker\][^\n]*\n(?:\w.*\n)*)", rf"\g<1>{extra}", text)


def _set(text: str, section: str, key: str, value: str) -> str:
    """Return ``text`` (TOML) with another value for one key; the rest of the line stays. KeyError: no such key."""
    pattern = rf"(?ms)(^\[{section}\][^\n]*\n(?:(?!^\[).)*?^{key} = )(\"[^\"]*\"|\[[^\]]*\]|[^\s#]+)"
    changed, count = re.subn(pattern, lambda found: found[1] + value, text, count=1)
    if not count:
        raise KeyError(f"[{section}] {key}")
    return changed
