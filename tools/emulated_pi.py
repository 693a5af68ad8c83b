"""Run a table's programs as a Raspberry Pi does: Debian's Python for aarch64 under qemu, with the locked wheels.

``python tools/emulated_pi.py`` fetches once what that takes (apt and pip, some 150 MB, into ``.work/aarch64``), then
starts the command, folds a rehearsed deal and reads a picture, there and here, and compares: the events of the deal
byte by byte, the cards of the picture by name. Packages of the lock without a wheel for aarch64 are named. Seconds of
emulation say nothing of a Pi's speed. Needs ``qemu-aarch64-static`` (Debian: qemu-user-static). Exit code 1 if the two
machines differ, 2 if something cannot be had.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.markers import Marker

ROOT: Final = Path(__file__).resolve().parents[1]
EMULATOR: Final = "qemu-aarch64-static"
PROCESSOR: Final = "cortex-a76"
"""Of a Raspberry Pi 5."""
DEBS: Final = (
    "libbz2-1.0", "libc6", "libcrypt1", "libexpat1", "libffi8", "libgcc-s1", "liblzma5", "libnsl2",
    "libpython3.11-minimal", "libpython3.11-stdlib", "libsqlite3-0", "libssl3", "libstdc++6", "libtirpc3", "libuuid1",
    "python3.11-minimal", "zlib1g",
)  # fmt: skip
PLATFORMS: Final = ("manylinux2014", "manylinux_2_17", "manylinux_2_27", "manylinux_2_28", "manylinux_2_34")
ENVIRONMENT: Final = {
    "python_version": "3.11", "python_full_version": "3.11.2", "platform_machine": "aarch64", "sys_platform": "linux",
    "platform_system": "Linux", "os_name": "posix", "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}  # fmt: skip
BUILT_ANYWHERE: Final = ("sdnotify",)
"""Packages without any wheel that are one module of plain Python: taken as they are installed here."""
_CORE: Final = """processor\t: {}
BogoMIPS\t: 108.00
Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: 0x4
CPU part\t: 0xd0b
CPU revision\t: 1

"""


class UnavailableError(Exception):
    """Something that the emulation needs cannot be had; the message is one sentence."""


def pinned(lock: str) -> list[str]:
    """Return the requirements of a lock file that Python 3.11 on aarch64 Linux installs, without hashes."""
    found = []
    for name, marker in re.findall(r"^([\w.\[\],-]+==[\w.]+)(?: ; ([^\\\n]+))?", lock, re.MULTILINE):
        if not marker or Marker(marker.strip()).evaluate(ENVIRONMENT):
            found.append(name)
    return found


@dataclass(frozen=True, slots=True)
class EmulatedPi:
    """A folder with Debian's files for aarch64 (``root``) and the unpacked wheels (``site``)."""

    folder: Path

    def prepare(self) -> list[str]:
        """Fetch what is not there yet; return the packages that have no wheel. Raises UnavailableError."""
        if shutil.which(EMULATOR) is None:
            raise UnavailableError(f"{EMULATOR} is not installed: apt-get install qemu-user-static brings it")
        if not (self.folder / "root/usr/bin/python3.11").exists():
            self._fetch_python()
        self._describe_processor()
        marks = self.folder / "site.json"
        wanted = pinned((ROOT / "requirements-table.lock").read_text(encoding="utf-8"))
        if not marks.exists() or json.loads(marks.read_text())["wanted"] != wanted:
            lacking = self._fetch_wheels(wanted)
            marks.write_text(json.dumps({"wanted": wanted, "lacking": lacking}))
        return list(json.loads(marks.read_text())["lacking"])

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the emulated Python on this tree. Raises UnavailableError if it fails."""
        root = self.folder / "root"
        command = [EMULATOR, "-cpu", PROCESSOR, "-L", str(root), str(root / "usr/bin/python3.11"), *arguments]
        paths = {"PYTHONPATH": f"{self.folder / 'site'}:{ROOT}", "PYTHONPYCACHEPREFIX": str(self.folder / "compiled")}
        return _ran(command, {**os.environ, **paths})

    def _fetch_python(self) -> None:
        state = self.folder / "apt"
        for part in ("lists/partial", "archives/partial", "debs"):
            (state / part).mkdir(parents=True, exist_ok=True)
        (state / "status").touch()
        settings = {
            "APT::Architecture": "arm64", "APT::Architectures": "arm64", "Dir::State": str(state),
            "Dir::State::status": str(state / "status"), "Dir::Cache": str(state), "APT::Sandbox::User": "root",
        }  # fmt: skip
        options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
        _ran(["apt-get", "-qq", *options, "update"])
        _ran(["apt-get", "-qq", *options, "download", *DEBS], folder=state / "debs")
        for package in sorted((state / "debs").glob("*.deb")):
            _ran(["dpkg", "-x", str(package), str(self.folder / "root")])

    def _describe_processor(self) -> None:
        """Say what a Pi 5 says of its processor: onnxruntime reads it, and ends where it reads this machine's."""
        root = self.folder / "root"
        cores = root / "sys/devices/system/cpu"
        cores.mkdir(parents=True, exist_ok=True)
        (root / "proc").mkdir(exist_ok=True)
        (root / "proc/cpuinfo").write_text("".join(_CORE.format(n) for n in range(4)))
        for name in ("possible", "present", "online"):
            (cores / name).write_text("0-3\n")

    def _fetch_wheels(self, wanted: Sequence[str]) -> list[str]:
        """Unpack the wheels of ``wanted`` into ``site``; return those that have none for this machine."""
        site, kept = self.folder / "site", self.folder / "wheels"
        shutil.rmtree(site, ignore_errors=True)
        platforms = [word for one in PLATFORMS for word in ("--platform", f"{one}_aarch64")]
        options = ["--no-deps", "--only-binary=:all:", "--python-version", "3.11", *platforms, "-d", str(kept)]
        asked, lacking = list(wanted), list[str]()
        while True:
            try:
                _ran([sys.executable, "-m", "pip", "download", "-q", *options, *asked])
                break
            except UnavailableError as error:
                gone = re.search(r"No matching distribution found for (\S+)", str(error))
                if gone is None or gone[1] not in asked:
                    raise
                asked.remove(gone[1])
                lacking.append(gone[1])
        for wheel in sorted(kept.glob("*.whl")):
            shutil.unpack_archive(wheel, site, "zip")
        for name in BUILT_ANYWHERE:
            module = __import__(name)
            shutil.copy(str(module.__file__), site)
        return lacking


def _ran(
    command: Sequence[str], environment: dict[str, str] | None = None, folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Return a finished command's output. Raises UnavailableError with the end of what it wrote if it failed."""
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it wrote nothing"])[-1]
        raise UnavailableError(f"{Path(command[0]).name} ended with {done.returncode}: {said}")
    return done


def compared(pi: EmulatedPi, work: Path) -> list[tuple[str, float, float, bool]]:
    """Return what was run, its seconds here and emulated, and if both machines gave the same."""
    log, picture = work / "deal.jsonl", ROOT / "docs/pictures/table.jpg"
    tavolo = ("-m", "table_service.cli")
    _ran([sys.executable, *tavolo, "rehearse", "--seed", "7", "--faults", "F-31a", "--log", str(log)])
    rows = []
    for name, arguments in (
        ("start of the command", ("--version",)),
        ("a deal's events", ("replay", str(log), "--events", "-")),
        ("the cards of a picture", ("see", str(picture), "--json")),
    ):
        began = time.monotonic()
        here = _ran([sys.executable, *tavolo, *arguments]).stdout
        between = time.monotonic()
        there = pi.run(*tavolo, *arguments).stdout
        same = cards(here) == cards(there) if "see" in arguments else here == there or "--version" in arguments
        rows.append((name, between - began, time.monotonic() - between, same))
    return rows


def cards(answer: str) -> list[tuple[str, float]]:
    """Return the cards of an answer of `tavolo see --json`, with their confidence to two decimals."""
    return [(one["card"], round(one["confidence"], 2)) for one in json.loads(answer)["cards"]]


def main() -> int:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ROOT / ".work/aarch64", help="where what is fetched is kept")
    folder = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    pi = EmulatedPi(folder)
    try:
        lacking = [one for one in pi.prepare() if one.split("==")[0] not in BUILT_ANYWHERE]
        machine = pi.run("-c", "import platform; print(platform.machine(), platform.python_version())").stdout.strip()
        rows = compared(pi, folder)
    except UnavailableError as error:
        print(f"emulated_pi: {error}", file=sys.stderr)
        return 2
    print(f"emulated: {machine}, {PROCESSOR}; no wheel for it: {', '.join(lacking) or 'none lacking'}")
    print(f"{'':24}{'here':>8}{'there':>8}")
    for name, here, there, same in rows:
        print(f"{name:24}{here:7.1f}s{there:7.1f}s  {'the same' if same else 'DIFFERS'}")
    return int(bool(lacking) or not all(row[-1] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
