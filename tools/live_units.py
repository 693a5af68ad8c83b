"""The units under a running systemd: start, sandbox, secrets, limits, watchdog, seen from inside and from outside.

``python tools/live_units.py [--json FILE]``, as root on a machine with systemd, mosquitto and `make env` done.

A system of its own is begun on this machine's files (an overlay, so that nothing of this machine is changed) in name
spaces and control groups of its own, with Debian's systemd as its first process. In it ``live_units_checks.py`` does
what ``docs/install.md`` says for a hall with certificates, with the installation's own steps and the command's own
verbs (packages and the Python environment are those of this machine), and tries what somebody could who has taken a
service over (``live_units_probe.py``). Exit code 1 where something is not as it should be, 2 where it cannot be tried.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
CONTROLLERS: Final = ("memory", "pids", "devices", "cpu")
"""The control groups of version 1 that units use; where this machine has version 2 alone that is taken."""
LONGEST_S: Final = 420.0
SYSTEMD: Final = "/lib/systemd/systemd"
NODES: Final = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9)}
DRIVER: Final = """
[Unit]
DefaultDependencies=no
[Service]
Type=oneshot
ExecStart=/opt/tavolo/bin/python /opt/src/tools/live_units_checks.py /mnt/told
ExecStopPost=/bin/systemctl exit
StandardOutput=append:/mnt/told/log
StandardError=append:/mnt/told/log
Environment=PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
TimeoutStartSec=400
"""
KEEP: Final = "[Service]\nStandardOutput=append:/mnt/told/{name}.log\nStandardError=append:/mnt/told/{name}.log\n"
TARGET: Final = "[Unit]\nDefaultDependencies=no\nWants=live-driver.service\n"


def own_groups(name: str) -> None:
    """Make a control group ``name`` below each one that this process is in, and go into it."""
    for line in Path("/proc/self/cgroup").read_text("utf-8").splitlines():
        _, kind, place = line.split(":", 2)
        if kind == "name=systemd":
            base = Path("/sys/fs/cgroup/systemd")
        elif kind in CONTROLLERS:
            base = Path("/sys/fs/cgroup") / kind
        elif not kind:
            base = Path("/sys/fs/cgroup/unified")
            base = base if base.is_dir() else Path("/sys/fs/cgroup")
        else:
            continue
        group = base / place.lstrip("/") / name
        group.mkdir(exist_ok=True)
        (group / "cgroup.procs").write_text(str(os.getpid()))


def drop_groups(groups: list[Path]) -> None:
    """Remove what was made; whoever is still in one of them is ended."""
    for group in groups:
        for path in sorted(group.rglob("cgroup.procs"), reverse=True):
            for number in path.read_text("utf-8").split():
                with contextlib.suppress(ProcessLookupError, ValueError):
                    os.kill(int(number), signal.SIGKILL)
    for group in groups:
        for _ in range(40):
            for path in sorted((p for p in group.rglob("*") if p.is_dir()), reverse=True):
                with contextlib.suppress(OSError):
                    path.rmdir()
            with contextlib.suppress(OSError):
                group.rmdir()
            if not group.exists():
                break
            time.sleep(0.05)


def mount(*words: str | Path) -> None:
    """Do what the program of this name does."""
    subprocess.run(["mount", *map(str, words)], check=True)  # noqa: S603, S607


def inside(place: Path) -> None:
    """In the new name spaces: make the system's file tree below ``place`` and become systemd."""
    mount("--make-rprivate", "/")
    root, over = place / "root", place / "over"
    mount("-t", "tmpfs", "tmpfs", over)
    for name in ("up", "work"):
        (over / name).mkdir()
    mount("-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={over}/up,workdir={over}/work", root)
    _mount_kernel(root)
    _make_devices(root / "dev")
    for name, mode in (("run", "755"), ("tmp", "1777"), ("mnt", "755")):
        mount("-t", "tmpfs", "tmpfs", root / name, "-o", f"mode={mode}")
    (root / "mnt/told").mkdir()
    mount("--bind", place / "told", root / "mnt/told")
    (root / "opt/src").mkdir(parents=True, exist_ok=True)
    mount("--bind", ROOT, root / "opt/src")
    _only_ours(root)
    _lay_python(root)
    old = root / "mnt/old"
    old.mkdir()
    os.chdir(root)
    subprocess.run(["pivot_root", ".", "mnt/old"], check=True)  # noqa: S607
    mount("--make-rslave", "/mnt/old")
    subprocess.run(["umount", "-l", "/mnt/old"], check=True)  # noqa: S607
    mount("--make-rshared", "/")  # systemd hands secrets on by a mount that has to reach everybody
    words = [SYSTEMD, "--log-target=console", "--show-status=false", "--unit=live.target"]
    os.execve(SYSTEMD, words, {"container": "tavolo", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"})  # noqa: S606


def _mount_kernel(root: Path) -> None:
    mount("-t", "proc", "proc", root / "proc")
    mount("-t", "sysfs", "sysfs", root / "sys")
    groups = root / "sys/fs/cgroup"
    if Path("/sys/fs/cgroup/systemd").is_dir():
        mount("-t", "tmpfs", "tmpfs", groups, "-o", "mode=755")
        for name in ("systemd", "unified", *CONTROLLERS):
            (groups / name).mkdir()
        mount("-t", "cgroup", "cgroup", "-o", "none,name=systemd", groups / "systemd")
        mount("-t", "cgroup2", "cgroup2", groups / "unified")
        for name in CONTROLLERS:
            mount("-t", "cgroup", "cgroup", "-o", name, groups / name)
    else:
        mount("-t", "cgroup2", "cgroup2", groups)
    mount("-o", "remount,bind,ro", root / "sys")
    mount("--bind", root / "proc/sys", root / "proc/sys")
    mount("-o", "remount,bind,ro", root / "proc/sys")  # the kernel's settings are those of the whole machine


def _make_devices(folder: Path) -> None:
    mount("-t", "tmpfs", "tmpfs", folder, "-o", "mode=755")
    for name, (major, minor) in NODES.items():
        os.mknod(folder / name, 0o20666, os.makedev(major, minor))
        (folder / name).chmod(0o666)
    for name in ("pts", "shm"):
        (folder / name).mkdir()
    mount("-t", "devpts", "devpts", folder / "pts", "-o", "newinstance,ptmxmode=0666")
    mount("-t", "tmpfs", "tmpfs", folder / "shm", "-o", "mode=1777")
    (folder / "ptmx").symlink_to("pts/ptmx")
    (folder / "fd").symlink_to("/proc/self/fd")


def _only_ours(root: Path) -> None:
    """Nothing of this machine's own services is begun: what is wanted by whom is forgotten."""
    for place in ("lib/systemd/system", "etc/systemd/system"):
        for path in (root / place).glob("*.wants"):
            shutil.rmtree(path)
    shutil.rmtree(root / "lib/systemd/system-generators", ignore_errors=True)
    units = root / "etc/systemd/system"
    (units / "live.target").write_text(TARGET, "utf-8")
    (units / "live-driver.service").write_text(DRIVER, "utf-8")
    for name in ("tavolo-table@.service.d", "tavolo-console.service.d"):
        (units / name).mkdir()
        (units / name / "live.conf").write_text(KEEP.format(name=name.split(".")[0].rstrip("@")), "utf-8")
    for path in (root / "etc/mosquitto/conf.d").glob("*"):
        path.unlink()


def _lay_python(root: Path) -> None:
    """Put the interpreter and its libraries where a service may read them: a checkout's may be in a user's home."""
    base = Path("/usr")
    if Path(sys.base_prefix) != base:
        base = Path("/opt/python")
        (root / "opt/python").mkdir()
        mount("--bind", sys.base_prefix, root / "opt/python")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    path = f"/opt/src:/opt/src/.venv/lib/{version}/site-packages"
    (root / "opt/tavolo/bin").mkdir(parents=True, exist_ok=True)
    for name, rest in (("python", ""), ("tavolo", " -m table_service.cli")):
        command = root / "opt/tavolo/bin" / name
        surrounded = f"LD_LIBRARY_PATH={base}/lib PYTHONPATH={path}"
        command.write_text(f'#!/bin/sh\n{surrounded} exec {base}/bin/{version}{rest} "$@"\n', "utf-8")
        command.chmod(0o755)


def outside(folder: Path) -> None:
    """Begin the system and wait for it."""
    for name in ("root", "over", "told"):
        (folder / name).mkdir()
    child = os.fork()
    if child == 0:
        own_groups(folder.name)
        unshare = ("unshare", "--mount", "--pid", "--fork", "--uts", "--ipc", "--net", "--cgroup", "--kill-child")
        out = os.open(folder / "systemd.log", os.O_WRONLY | os.O_CREAT)
        os.dup2(out, 1)
        os.dup2(out, 2)
        os.execvp(unshare[0], [*unshare, sys.executable, __file__, "--inside", str(folder)])  # noqa: S606
    end = time.monotonic() + LONGEST_S
    try:
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
            time.sleep(0.2)
    finally:
        drop_groups([path for path in Path("/sys/fs/cgroup").rglob(folder.name) if path.is_dir()])


def main() -> int:
    """Exit code 1 where something is not as it should be, 2 where it cannot be tried here."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        inside(given.inside)
    needed = (Path(SYSTEMD), Path("/usr/sbin/mosquitto"), ROOT / ".venv/bin/python")
    missing = [str(path) for path in needed if not path.exists()]
    if os.geteuid() != 0 or missing:
        lacking = ", ".join(missing) or "root"
        sys.stderr.write(f"tavolo: this needs root, systemd, mosquitto and 'make env' (missing: {lacking})\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="tavolo-live-") as scratch:
        outside(Path(scratch))
        told = Path(scratch) / "told"
        if not (told / "results.json").exists():
            for path in (Path(scratch) / "systemd.log", told / "log"):
                sys.stderr.write(path.read_text("utf-8") if path.exists() else "")
            sys.stderr.write("tavolo: systemd could not be run here, or not to the end\n")
            return 2
        results = json.loads((told / "results.json").read_text("utf-8"))
    for one in results:
        sys.stdout.write(f"{'ok ' if one['good'] else 'NOT'} {one['what']}: {one['found']}\n")
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    return 0 if all(one["good"] for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
