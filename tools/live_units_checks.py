"""What ``live_units.py`` tries under the running systemd: ``python tools/live_units_checks.py FOLDER``.

Writes ``results.json`` into the folder: a list of ``{"what", "good", "found"}``.
"""

from __future__ import annotations

import json
import os
import re
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from table_service.install.execute import do
from table_service.install.machine import Machine
from table_service.install.machine_plan import Wish, plan
from table_service.install.step_kinds import Account, BrokerUser, File, Folder, Service
from table_service.install.step_state import state

HALL: Final = "/etc/tavolo-hall"
TABLES: Final = ("T1", "T2")
UNITS: Final = ("tavolo-table@T1.service", "tavolo-table@T2.service", "tavolo-console.service")
PROBE: Final = "/opt/tavolo/bin/python /opt/src/tools/live_units_probe.py"
DEVICES: Final = {
    "board": (166, 0),
    "adapter": (188, 0),
    "camera": (81, 0),
    "memory": (1, 1),
    "serial": (4, 64),
    "screen": (7, 0),
}
ALLOWED: Final = {"probe-board", "probe-adapter", "probe-camera"}
RESULTS: list[dict[str, Any]] = []


def note(what: str, good: bool, found: object) -> None:
    """Remember one result, and say it."""
    RESULTS.append({"what": what, "good": good, "found": found})
    sys.stdout.write(f"{'ok ' if good else 'NOT'} {what}: {found}\n")
    sys.stdout.flush()


def run(*words: str, ask: str = "") -> str:
    """Run a program; what it said. Raises RuntimeError."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, input=ask or None)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"{' '.join(words[:4])}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


def shown(unit: str, *names: str) -> dict[str, str]:
    """Properties of a unit as systemd knows them."""
    said = run("systemctl", "show", unit, f"--property={','.join(names)}")
    return dict(line.split("=", 1) for line in said.splitlines() if "=" in line)


def wait(done: Callable[[], bool], most_s: float = 120.0) -> float | None:
    """Seconds until ``done``; None where it never was."""
    began = time.monotonic()
    while time.monotonic() < began + most_s:
        if done():
            return round(time.monotonic() - began, 1)
        time.sleep(0.1)
    return None


def active(*units: str) -> bool:
    """Whether each of ``units`` has told systemd that it is ready."""
    return all(shown(unit, "ActiveState")["ActiveState"] == "active" for unit in units)


def install(**more: Any) -> None:
    """Do the installation's own steps, but those for packages and the Python environment."""
    machine = Machine()
    wish = Wish("/opt/src", tables=TABLES, console=True, camera="none", **more)
    for step in plan(wish):
        mine = isinstance(step, Account | Folder | File | BrokerUser | Service)
        if mine and getattr(step, "unit", "") != "chrony.service" and state(step, machine)[0] != "done":
            do(step, machine)


def health() -> dict[str, Any]:
    """Return what the console says of itself, over TLS with the hall's authority."""
    context = ssl.create_default_context(cafile=f"{HALL}/authority/authority.crt")
    with urllib.request.urlopen("https://127.0.0.1:8443/health", context=context, timeout=5) as answer:
        told: dict[str, Any] = json.load(answer)
    return told


def hears_tables() -> bool:
    """Whether the console hears both tables."""
    try:
        return health()["tables"].get("ready") == len(TABLES)
    except (OSError, ValueError, KeyError):
        return False


def begin() -> None:
    """Passwords first, then certificates: as docs/install.md says."""
    install()
    took = wait(lambda: active(*UNITS))
    note("passwords: mosquitto, two tables and the console are ready under their units", took is not None, f"{took} s")
    run("tavolo", "hall", "init", HALL, *TABLES, "--host", "127.0.0.1", "--hall", "sala")
    Path("/etc/tavolo/hall.toml").write_text(Path(f"{HALL}/console/hall.toml").read_text("utf-8"), "utf-8")
    install(authority=HALL, broker_settings=Path(f"{HALL}/broker/mosquitto.conf").read_text("utf-8"))
    for table in TABLES:
        card = Path(f"{HALL}/tables/{table}")
        run(
            "tavolo", "hall", "join", f"{card}/card.txt", "--config", f"/etc/tavolo/{table}.toml", "--code",
            (card / "code.txt").read_text("utf-8").strip(),
        )  # fmt: skip
    began = time.monotonic()
    run("systemctl", "restart", "mosquitto.service", *UNITS)
    took = wait(lambda: active(*UNITS) and hears_tables())
    found = f"{time.monotonic() - began:.1f} s after the restart"
    note("certificates: the console hears both tables, keys by LoadCredential", took is not None, found)


def users() -> None:
    """Each service is a user of its own, and none is root."""
    owners = {}
    for unit in UNITS:
        number = shown(unit, "MainPID")["MainPID"]
        owners[unit] = Path(f"/proc/{number}").stat().st_uid
    note("each service runs as a user of its own", len(set(owners.values())) == 3 and 0 not in owners.values(), owners)


def probe(unit: str, *, fills: bool = False) -> tuple[str, dict[str, Any]]:
    """Run the probe with every setting of ``unit`` in the place of its program; systemd's result and what it found."""
    text = Path(f"/etc/systemd/system/{re.sub('@.*[.]', '@.', unit)}").read_text("utf-8")
    text = re.sub(r"(?m)^ExecStart=.*$", f"ExecStart={PROBE}{' --fill' if fills else ''}", text)
    text = re.sub(r"(?m)^(Restart|WatchdogSec|Type)=.*$", "", text)
    text = text.replace("[Service]", "[Service]\nType=oneshot\nStandardError=append:/mnt/told/probe.log", 1)
    name = "probe@T1.service" if "@" in unit else "probe-console.service"
    Path(f"/etc/systemd/system/{name.replace('@T1', '@')}").write_text(text, "utf-8")
    run("systemctl", "daemon-reload")
    folder = Path("/var/lib/tavolo/T1" if "@" in unit else "/var/lib/tavolo/console")
    subprocess.run(["systemctl", "start", name], capture_output=True, check=False)  # noqa: S603, S607
    result = shown(name, "Result")["Result"]
    run("systemctl", "reset-failed", name) if result != "success" else None
    if fills:
        return result, {"filled": int((folder / "filled").read_text("utf-8"))}
    path = folder / "probe.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return result, found


def sandbox(unit: str, own: str) -> None:
    """Check what a process in the place of ``unit`` reaches."""
    result, found = probe(unit)
    if result != "success" or not found:
        note(f"{own}: the probe runs in its sandbox", False, result)
        return
    reads = [path for path, said in found["read"].items() if said == "done"]
    state_of = f"/var/lib/tavolo/{own}"
    note(f"{own} taken over: of secrets and others' state it reads only its own", reads == [state_of], reads)
    writes = [path for path, said in found["write"].items() if said == "done"]
    note(f"{own} taken over: it writes nowhere but in its own state", writes == [state_of], writes)
    refused = {name: said for name, said in found["calls"].items() if said != "EPERM"}
    count = len(found["calls"])
    note(f"{own} taken over: {count} system calls are answered with EPERM and kill nothing", not refused, refused)
    bare = (found["capabilities"], found["no_new_privs"], found["core"])
    note(f"{own}: no capability, no new privileges, no core dump", bare == ("0" * 16, "1", 0), bare)
    note(f"{own}: the secrets of its own are there", any(found["secrets"].values()), found["secrets"])
    families = {name: said for name, said in found["families"].items() if said == "done"}
    note(f"{own} taken over: no packet, Bluetooth or VM sockets", not families, families)
    reach = found["reach"]
    is_bounded = list(reach.values()) == ["done", "EPERM"]
    note(f"{own} taken over: the hall's network is reached, the world is not", is_bounded, reach)
    wanted = ALLOWED if own.startswith("T") else set()
    opened = {name for name, said in found["devices"].items() if said not in ("EPERM", "EACCES", "ENOENT")}
    note(f"{own} taken over: devices that are not refused", opened == wanted, found["devices"])
    seen = set(found["processes"])
    note(f"{own} taken over: it sees no other user's processes", seen <= {found["uid"]}, sorted(seen))
    note(f"{own} taken over: threads are bounded", found["threads"] <= 256, found["threads"])


def limits() -> None:
    """Check that a service that takes memory without end is ended before the machine is full."""
    for unit, most in ((UNITS[0], 1024), (UNITS[2], 600)):
        result, found = probe(unit, fills=True)
        note(f"{unit}: memory without end is ended at MemoryMax", result != "success" and found["filled"] <= most,
             f"{result} after {found['filled']} MB")  # fmt: skip


def again() -> None:
    """Check that a service that is killed, and one that stands still, is begun again."""
    for name, number, most in (("killed", signal.SIGKILL, 60.0), ("stopped", signal.SIGSTOP, 120.0)):
        before = shown(UNITS[0], "MainPID")["MainPID"]
        os.kill(int(before), number)
        took = wait(lambda b=before: shown(UNITS[0], "MainPID")["MainPID"] not in (b, "0") and active(UNITS[0]), most)
        heard = wait(hears_tables, 60.0)
        is_back = took is not None and heard is not None
        note(f"a table {name} is begun again and heard", is_back, f"ready after {took} s")


def tell_devices() -> None:
    """Devices with nobody behind them: one that is allowed says so, one that is not is refused before."""
    for name, (major, minor) in DEVICES.items():
        path = Path(f"/dev/probe-{name}")
        os.mknod(path, 0o20666, os.makedev(major, minor))
        path.chmod(0o666)
    for address in ("10.9.8.7", "198.51.100.7"):
        run("ip", "address", "add", f"{address}/32", "dev", "lo")


def migrate() -> None:
    """State of before 26 November 2026, when all services were user ``tavolo``: systemd hands it on."""
    run("systemctl", "stop", UNITS[0])
    run("chown", "-R", "tavolo:tavolo", "/var/lib/tavolo/T1")
    run("systemctl", "start", UNITS[0])
    owner = Path("/var/lib/tavolo/T1/T1.sqlite").owner()
    note("a journal of user tavolo of before is the table's own after its start", owner == "tavolo-T1", owner)


def main() -> None:
    """Try everything; what failed to be tried is a result, too."""
    folder = Path(sys.argv[1])
    for work in (tell_devices, begin, users, lambda: sandbox(UNITS[0], "T1"), lambda: sandbox(UNITS[2], "console"),
                 limits, again, migrate):  # fmt: skip
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the rest is tried all the same
            note("could be tried", good=False, found=repr(error))
    (folder / "results.json").write_text(json.dumps(RESULTS), "utf-8")


if __name__ == "__main__":
    main()
