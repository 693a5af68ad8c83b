"""The emulator's processor compiled for this very Python: ``python -m lab.chips.emulated_core`` (a minute, once).

rp2040py's wheel is compiled against Python's limited interface, so that one file serves every version, and each
instruction pays for it with lookups by name. The wheel brings the C sources as well: compiled for the Python that runs
here they do the same four to five times as fast. Without a compiler the wheel's own files serve.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from hw.errors import TavoloError
from hw.twin.provide_micropython import default_cache

PACKAGE: Final = "rp2040py"
OPTIONS: Final = ("-O2", "-g0", "-w", "-shared", "-fPIC")
COMPILE_SECONDS: Final = 300.0


class NoCompiledCore(TavoloError, RuntimeError):  # noqa: N818 - says what it is
    """The emulator cannot be compiled here; the text is one sentence for a person."""


def place() -> Path:
    """The folder for what is compiled for this emulator and this Python."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return default_cache() / f"{PACKAGE}-{importlib.metadata.version(PACKAGE)}{suffix}"


def prefer_compiled() -> bool:
    """Let ``import rp2040py`` find what was compiled, if anything was and it has not been imported yet."""
    if PACKAGE in sys.modules:
        return False
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        found = place()
        if (found / PACKAGE).is_dir():
            sys.path.insert(0, str(found))
            return True
    return False


def provide() -> Path:
    """The folder with the compiled package; made if it is not there. Raises NoCompiledCore."""
    try:
        target = place()
    except importlib.metadata.PackageNotFoundError:
        raise NoCompiledCore("rp2040py is not installed: the development group brings it") from None
    target.parent.mkdir(parents=True, exist_ok=True)
    with (target.parent / "rp2040py.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (target / PACKAGE).is_dir():
            with tempfile.TemporaryDirectory(dir=target.parent) as room:
                _compile(Path(room) / PACKAGE)
                target.mkdir(exist_ok=True)
                (Path(room) / PACKAGE).rename(target / PACKAGE)
    return target


def _compile(package: Path) -> None:
    """A copy of the installed package in ``package``, its native modules compiled anew."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    headers = Path(sysconfig.get_path("include"))
    if compiler is None or not (headers / "Python.h").is_file():
        raise NoCompiledCore("a C compiler and Python's headers are needed (on Debian: gcc and python3-dev)")
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise NoCompiledCore("rp2040py is not where Python looks for it")
    shutil.copytree(Path(spec.origin).parent, package, ignore=shutil.ignore_patterns("*.pyc"))
    sources = sorted((package / "native").glob("*.c"))
    if not sources:
        raise NoCompiledCore("this build of rp2040py brings no C sources")

    def build(source: Path) -> None:
        made = source.with_suffix(sysconfig.get_config_var("EXT_SUFFIX"))
        command = [compiler, *OPTIONS, f"-I{headers}", str(source), "-o", str(made)]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=COMPILE_SECONDS)  # noqa: S603
        except (OSError, subprocess.SubprocessError) as error:
            raise NoCompiledCore(f"{source.name} of rp2040py could not be compiled: {error}") from None
        source.unlink()

    with ThreadPoolExecutor(2) as two:
        list(two.map(build, sources))
    for before in (package / "native").glob("*.abi3.so"):
        before.unlink()
    check = "import rp2040py.native._simulator, rp2040py.native._rp2040 as core; print(core.__file__)"
    said = subprocess.run(  # noqa: S603
        [sys.executable, "-c", check],
        cwd=package.parent,
        env=os.environ | {"PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if not said.stdout.startswith(str(package)):
        raise NoCompiledCore(f"what was compiled of rp2040py does not load: {said.stderr.strip()[-200:]}")


def main(arguments: list[str] | None = None) -> int:
    """The command: 0 it is there, 1 it cannot be had (the emulator then runs as installed)."""
    argparse.ArgumentParser(prog="python -m lab.chips.emulated_core", description=__doc__).parse_args(arguments)
    try:
        sys.stdout.write(f"{provide()}\n")
    except NoCompiledCore as error:
        sys.stderr.write(f"emulated_core: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
