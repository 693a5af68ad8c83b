"""Install Tavolo into a real Debian 13 in a folder, again, and take it away: ``python tools/try_install.py``.

Needs root, debootstrap and a package index. The system is made once (``--keep FOLDER`` keeps it for the next time);
what is proven is said line by line, and the exit code is 1 where something is not as it should be. The Pi's own camera
is left out: its package is only in Raspberry Pi OS.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
BASE = "systemd-sysv,udev,python3,python3-venv,ca-certificates"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
WANTED = ("--table", "T12", "--console", "--guest", "T13", "--camera", "v4l2", "--from", "/opt/src")
EXPOSED_MOST = 1.5


class ProofError(Exception):
    """Something that was to be proven is not so."""


def say(what: str) -> None:
    """Tell what has been shown."""
    sys.stdout.write(f"ok  {what}\n")
    sys.stdout.flush()


def run(*command: str | Path) -> str:
    """Run a program; what it said on standard output."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise ProofError(f"{' '.join(map(str, command[:4]))}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def mirror() -> str:
    """Return the package server that this machine itself asks."""
    for path in (Path("/etc/apt/sources.list.d/debian.sources"), Path("/etc/apt/sources.list")):
        if path.is_file():
            found = re.search(r"(?m)^(?:URIs: |deb (?:\[[^]]*\] )?)(\S+)", path.read_text("utf-8"))
            if found is not None:
                return found[1]
    raise ProofError("this machine names no package server: --mirror does")


def make(root: Path, server: str) -> None:
    """Make a small Debian 13 in ``root``, with this machine's certificates and name servers."""
    run("debootstrap", "--variant=minbase", f"--include={BASE}", "trixie", root, server)
    say("a bare Debian 13")


def carry(root: Path) -> None:
    """Put the project's files into ``root``."""
    source = root / "opt/src"
    shutil.rmtree(source, ignore_errors=True)
    names = run("git", "-C", PROJECT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, names):
        if (PROJECT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(PROJECT / name, source / name)
    if CERTIFICATES.is_file():
        shutil.copyfile(CERTIFICATES, root / str(CERTIFICATES).lstrip("/"))
    shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")


def install(root: Path, *arguments: str) -> dict[str, object]:
    """Run `tavolo install` with the system's own Python; what it answered."""
    line = [sys.executable, "-m", "table_service.install", "--root", str(root), "--json", *arguments]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=PROJECT)  # noqa: S603
    if done.returncode:
        raise ProofError(f"tavolo install {' '.join(arguments)}: {done.stdout[-600:]}{done.stderr[-300:]}")
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def files(root: Path) -> dict[str, bytes]:
    """Every file of the settings, units and state below ``root``."""
    found = {}
    for place in ("etc", "var/lib/tavolo", "usr/local", "opt/tavolo/bin"):
        for path in (root / place).rglob("*"):
            if path.is_file() and not path.is_symlink():
                found[str(path.relative_to(root))] = path.read_bytes()
    return found


def prove(root: Path) -> None:
    """Install, install again, look with the system's own tools, remove. Raises ProofError."""
    before = set(files(root))
    dry = install(root, *WANTED, "--dry-run")
    if set(files(root)) != before:
        raise ProofError("a dry run has changed something")
    say(f"a dry run names {dry['changed']} steps and changes nothing")
    say(f"installed: {install(root, *WANTED)['changed']} steps")
    there = files(root)
    again = install(root)
    if again["changed"] or files(root) != there:
        raise ProofError(f"a second run changes {again['changed']} steps")
    say("a second run, without arguments, changes nothing")
    as_table = ("chroot", root, "su", "-s", "/bin/sh", "tavolo-T12", "-c")
    run(*as_table, "tavolo check /etc/tavolo/T12.toml /etc/tavolo/hall.toml")
    if "ALL" in run(*as_table, "cat /etc/tavolo/secrets/table-T12.password && echo ALL || true"):
        raise ProofError("a table's user reads the passwords, which systemd is to hand out")
    say("the table's user runs the command, reads its settings and no password")
    if "models load" not in run(*as_table, "cd /var/lib/tavolo && tavolo doctor"):
        raise ProofError("the card reader's models do not load")
    say("the environment holds what a table needs")
    run("chroot", root, "chronyd", "-p")
    say("chrony takes its settings")
    for unit in ("tavolo-table@T12.service", "tavolo-console.service"):
        run("chroot", root, "systemd-analyze", "verify", "--man=no", unit)
        path = f"/etc/systemd/system/{re.sub('@.*[.]', '@.', unit)}"
        told = run("chroot", root, "systemd-analyze", "security", "--offline=true", path)
        exposed = float(re.search(r"exposure level for \S+: ([\d.]+)", told)[1])  # type: ignore[index]
        if exposed > EXPOSED_MOST:
            raise ProofError(f"{unit} is exposed {exposed}")
        say(f"{unit} is valid, exposed {exposed}")
    run("chroot", root, "udevadm", "verify", "/etc/udev/rules.d/99-tavolo.rules")
    say("udev takes its rules")
    journal = root / "var/lib/tavolo/T12/T12.sqlite"
    journal.parent.mkdir()
    journal.write_text("a journal", "utf-8")
    install(root, "--uninstall")
    ours = {name for name in set(files(root)) - before if name.split("/")[1] in ("tavolo", "systemd", "udev", "local")}
    kept = {"etc/tavolo/T12.toml", "etc/tavolo/hall.toml"}
    left = {name for name in ours if "tavolo" in name} - kept
    if left or not journal.exists() or not all((root / name).exists() for name in kept):
        raise ProofError(f"after its removal these are left: {', '.join(sorted(left)) or 'too few'}")
    say("its removal leaves the settings and the journal, and nothing else of ours")


def main() -> int:
    """Exit code 1 where something is not as it should be, 2 where it cannot be tried here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="the folder of the Debian; made there if there is none")
    parser.add_argument("--mirror", help="a Debian package server (default: this machine's own)")
    given = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        sys.stderr.write("tavolo: this needs root and debootstrap (apt-get install debootstrap)\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="tavolo-install-") as scratch:
        root = (given.keep or Path(scratch) / "root").resolve()
        try:
            if not (root / "etc/os-release").exists():
                make(root, given.mirror or mirror())
            carry(root)
            run("mount", "-t", "proc", "proc", root / "proc")
            try:
                prove(root)
            finally:
                run("umount", root / "proc")
        except ProofError as error:
            sys.stderr.write(f"NOT as it should be: {error}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
