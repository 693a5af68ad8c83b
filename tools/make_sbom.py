"""The software bill of materials of what ships: ``python tools/make_sbom.py [--lock FILE] [--out FILE]``.

CycloneDX 1.6 (JSON), made of the lock: every library that an installation of a table or a console fetches, its version
and the checksums of its files. A lock names no licence: that comes from the library's own metadata, as it is installed
here in the same version. Nothing here depends on the day, so that the same lock gives the same file.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
LOCK: Final = ROOT / "requirements-table.lock"
_LINE: Final = re.compile(r"(?m)^([A-Za-z0-9._-]+)==([^\s;\\]+)(?:\s*;\s*([^\\\n]+?))?\s*\\?$")
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
SPDX: Final = {
    "Apache Software License": "Apache-2.0", "Apache 2.0": "Apache-2.0", "Apache-2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0", "Apache License 2.0": "Apache-2.0",
    "BSD License": "BSD-3-Clause", "BSD": "BSD-3-Clause", "MIT License": "MIT", "MIT": "MIT", "The MIT License": "MIT",
    "ISC License (ISCL)": "ISC", "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "3-Clause BSD License": "BSD-3-Clause", "BSD-3-Clause": "BSD-3-Clause",
    "Python Software Foundation License": "PSF-2.0", "MIT No Attribution License (MIT-0)": "MIT-0",
}  # fmt: skip
"""SPDX names of what older metadata says in words; of the kinds of BSD they tell none, so the one that asks most."""
ELSEWHERE: Final = {"colorama": "BSD-3-Clause", "tzdata": "Apache-2.0", "pywin32": "PSF-2.0"}
"""Licences of libraries that only another system fetches, so that none is installed here to ask."""
_TEXTS: Final = {"MIT": "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"}
"""By which sentence a licence is known where the metadata are silent."""


@dataclass(frozen=True, slots=True)
class Library:
    """One library of a lock. ``marker``: on which systems it is fetched; empty: on all."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def libraries(lock: str) -> list[Library]:
    """Return what a lock's text pins, in its order."""
    found = list(_LINE.finditer(lock))
    ends = [*(one.start() for one in found[1:]), len(lock)]
    return [
        Library(one[1], one[2], (one[3] or "").strip(), tuple(_HASH.findall(lock[one.end() : end])))
        for one, end in zip(found, ends, strict=True)
    ]


def licence_of(library: Library) -> str:
    """Return the SPDX expression of a library's licence, "" where its metadata tell none."""
    try:
        told = metadata.metadata(library.name)
    except metadata.PackageNotFoundError:
        return ELSEWHERE.get(library.name, "")
    expression = told.get("License-Expression")  # a finder of setuptools raises where it is asked by index
    if expression:
        return str(expression)
    words = [one.rpartition(" :: ")[2] for one in told.get_all("Classifier") or () if one.startswith("License ::")]
    named = [SPDX[word] for word in words if word in SPDX]
    if named:
        return " OR ".join(dict.fromkeys(named))
    word = SPDX.get((told.get("License") or "").strip(), "")
    return word or next((name for name, sentence in _TEXTS.items() if sentence in _licence_text(library)), "")


def carried(library: Library) -> list[str]:
    """Return the shared objects of others that a library's files here bring along, by file name."""
    files = _files(library)
    return sorted(path.name for path in files if path.parts[0].endswith(".libs") and ".so" in path.name)


def _files(library: Library) -> list[metadata.PackagePath]:
    try:
        return metadata.files(library.name) or []
    except metadata.PackageNotFoundError:
        return []


def _licence_text(library: Library) -> str:
    texts = [one.read_text() for one in _files(library) if "LICENSE" in one.name.upper() and one.suffix in ("", ".txt")]
    return " ".join(" ".join(texts).split())


def bill(lock: str) -> dict[str, Any]:
    """Return the bill of materials of a lock's text."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": project["name"],
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"expression": project["license"]}],
            }
        },
        "components": [_component(one) for one in libraries(lock)],
        "dependencies": [{"ref": project["name"], "dependsOn": [_purl(one) for one in libraries(lock)]}],
    }


def _purl(library: Library) -> str:
    return f"pkg:pypi/{library.name.lower().replace('_', '-')}@{library.version}"


def _component(library: Library) -> dict[str, Any]:
    licence = licence_of(library)
    made: dict[str, Any] = {
        "type": "library",
        "bom-ref": _purl(library),
        "name": library.name,
        "version": library.version,
        "purl": _purl(library),
        "scope": "optional" if library.marker else "required",
        # one library has a file for each system: a component's own hash would be one file's
        "properties": [{"name": "tavolo:sha256", "value": one} for one in library.hashes],
    }
    made["properties"] += [{"name": "tavolo:carries", "value": one} for one in carried(library)]
    if library.marker:
        made["properties"].append({"name": "tavolo:marker", "value": library.marker})
    if licence:
        made["licenses"] = [{"expression": licence}]
    return made


def main(arguments: list[str] | None = None) -> int:
    """Write the bill. Returns 1 where a library's licence is not known."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lock", type=Path, default=LOCK, help="the lock; else that of what ships")
    parser.add_argument("--out", type=Path, help="where to write it; else to standard output")
    given = parser.parse_args(arguments)
    try:
        made = bill(given.lock.read_text("utf-8"))
    except OSError as error:
        sys.stderr.write(f"{given.lock} cannot be read: {error.strerror or error}\n")
        return 1
    text = json.dumps(made, indent=1, ensure_ascii=False) + "\n"
    if given.out is None:
        sys.stdout.write(text)
    else:
        given.out.write_text(text, "utf-8")
    unknown = [one["name"] for one in made["components"] if "licenses" not in one]
    if unknown:
        sys.stderr.write(f"no licence is known of {', '.join(unknown)}\n")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
