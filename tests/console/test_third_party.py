"""The scripts of others that the pages load: unchanged, licensed, in the bill of materials, no framework with them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from table_service.console.third_party import HERE, SCRIPTS
from tools.make_sbom import bill

ROOT = Path(__file__).parents[2]


def test_each_is_as_its_maker_published_it_and_has_its_licence_beside_it() -> None:
    for one in SCRIPTS.values():
        assert hashlib.sha256(one.body).hexdigest() == one.sha256, one.file
        assert "Permission to use, copy, modify, and/or distribute" in (HERE / one.text).read_text("utf-8")
    files = {path.name for path in HERE.iterdir() if path.is_file()}
    assert files == {"__init__.py", *(one.file for one in SCRIPTS.values()), *(one.text for one in SCRIPTS.values())}
    assert f'version:"{SCRIPTS["htmx.js"].version}"'.encode() in SCRIPTS["htmx.js"].body


async def test_pages_and_small_screens_are_given_them(house: Any) -> None:
    for name, one in SCRIPTS.items():
        answer = await house.get(f"/htmx/{name}")
        assert answer.content == one.body
        assert answer.headers["content-type"].startswith("text/javascript")


def test_the_bill_names_them_with_their_checksums() -> None:
    lock = (ROOT / "requirements-table.lock").read_text("utf-8")
    told = {one["name"]: one for one in bill(lock)["components"]}
    for one in SCRIPTS.values():
        assert told[one.package]["hashes"] == [{"alg": "SHA-256", "content": one.sha256}]
        assert told[one.package]["licenses"] == [{"expression": "0BSD"}]


def test_no_lock_brings_django() -> None:
    for name in ("requirements.lock", "requirements-table.lock"):
        assert "django" not in (ROOT / name).read_text("utf-8")
