"""What somebody could do who has taken a service over: run in the place of its program, inside its unit's sandbox.

``python tools/live_units_probe.py OTHER…``: prints what was tried and what came of it, as JSON. Begun by
``live_units_checks.py`` with every setting of the real unit. ``--fill``: takes memory until something stops it.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import resource
import socket
import sys
import threading
from pathlib import Path
from typing import Any

READ = (
    "/etc/shadow",
    "/etc/tavolo-hall/authority/authority.key",
    "/etc/tavolo-hall/broker/broker.key",
    "/etc/tavolo-hall/console/console.key",
    "/etc/tavolo-hall/console/pages.key",
    "/etc/tavolo-hall/tables/T1/T1.key",
    "/etc/tavolo/tls/T1/T1.key",
    "/etc/tavolo/tls/T2/T2.key",
    "/var/lib/tavolo/T1",
    "/var/lib/tavolo/T2",
    "/var/lib/tavolo/console",
    "/var/lib/mosquitto/mosquitto.db",
)
WRITE = (
    "/etc/tavolo",
    "/opt/tavolo/bin",
    "/usr/local/bin",
    "/var/lib/tavolo",
    "/var/lib/tavolo/T1",
    "/var/lib/tavolo/T2",
    "/var/lib/tavolo/console",
)
SYSTEM_CALLS = {
    "mount": (165, b"tmpfs", b"/tmp", b"tmpfs", 0, 0),
    "ptrace": (101, 16, 1, 0, 0),
    "unshare": (272, 0x10000000),
    "reboot": (169, 0, 0, 0, 0),
    "bpf": (321, 0, 0, 0),
    "settimeofday": (164, 0, 0),
    "init_module": (175, 0, 0, 0),
    "setuid(0)": (105, 0),
    "kexec_load": (246, 0, 0, 0, 0),
}
"""By their numbers on x86_64; each is refused, whatever its arguments."""


def word(work: Any) -> str:
    """``done``, or the name of the error."""
    try:
        work()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    return "done"


def look(path: str) -> None:
    """Read what is there."""
    place = Path(path)
    if place.is_dir():
        next(place.iterdir(), None)
    else:
        place.read_bytes()


def put(folder: str) -> None:
    """Write a file there and take it away."""
    path = Path(folder) / ".probe"
    path.write_text("x", "utf-8")
    path.unlink()


def reach(address: str) -> None:
    """Send a datagram to ``address``, which this machine has."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect((address, 9))
        one.send(b"x")


def call(numbers: tuple[Any, ...]) -> None:
    """One system call by its number."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(*numbers) < 0:
        raise OSError(ctypes.get_errno(), "")


def threads() -> int:
    """How many threads this service may have."""
    over, made = threading.Event(), 0
    try:
        for made in range(2000):  # noqa: B007
            threading.Thread(target=over.wait, daemon=True).start()
    except RuntimeError:
        pass
    over.set()
    return made


def fill(folder: Path) -> None:
    """Take memory, 16 MB at a time, and note how much it was."""
    held = []
    while True:
        held.append(b"x" * (16 << 20))
        (folder / "filled").write_text(str(16 * len(held)), "utf-8")


def main() -> None:
    """Try everything."""
    if "--fill" in sys.argv:
        fill(Path(os.environ["STATE_DIRECTORY"]))
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    given = Path(os.environ.get("CREDENTIALS_DIRECTORY", "/nonexistent"))
    kinds = [socket.AF_PACKET, socket.AF_VSOCK, socket.AF_ALG]
    told = {
        "uid": os.getuid(),
        "capabilities": status["CapBnd"],
        "no_new_privs": status["NoNewPrivs"],
        "core": resource.getrlimit(resource.RLIMIT_CORE)[1],
        "secrets": {path.name: path.stat().st_size > 2 for path in given.iterdir()} if given.is_dir() else {},
        "read": {path: word(lambda path=path: look(path)) for path in READ},
        "write": {path: word(lambda path=path: put(path)) for path in WRITE},
        "devices": {
            path.name: word(lambda path=path: os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK)))
            for path in sorted(Path("/dev").iterdir())
            if path.name.startswith("probe-")
        },
        "reach": {address: word(lambda address=address: reach(address)) for address in ("10.9.8.7", "198.51.100.7")},
        "families": {kind.name: word(lambda kind=kind: socket.socket(kind, socket.SOCK_RAW).close()) for kind in kinds},
        "calls": {name: word(lambda numbers=numbers: call(numbers)) for name, numbers in SYSTEM_CALLS.items()},
        "processes": sorted({path.stat().st_uid for path in Path("/proc").iterdir() if path.name.isdigit()}),
        "threads": threads(),
    }
    (Path(os.environ["STATE_DIRECTORY"]) / "probe.json").write_text(json.dumps(told), "utf-8")
    os._exit(0)


if __name__ == "__main__":
    main()
