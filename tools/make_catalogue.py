"""Write `docs/catalogue.md`: every row of the catalogue, what senses it, what follows, and which tests prove it.

`python tools/make_catalogue.py` writes the page, `--check` only says whether it is up to date (exit code 1 if not).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from table_service.games.burraco.codes.fibur2024 import FIBUR2024  # noqa: E402
from table_service.referee.catalogue_page import page, slug  # noqa: E402

PAGE: Final = ROOT / "docs" / "catalogue.md"
_TEST: Final = re.compile(r"^\s*def test_(\w+)\(", re.MULTILINE)


def tests_of_rows() -> dict[str, list[str]]:
    """The names of the tests that begin with a row's name, by that name."""
    rows = {slug(row) for row in FIBUR2024.rows}
    found: dict[str, set[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in _TEST.findall(file.read_text(encoding="utf-8")):
            for part in name.split("_"):
                if part not in rows:
                    break
                found.setdefault(part, set()).add(f"test_{name}")
    return {row: sorted(names) for row, names in found.items()}


def made() -> str:
    """The page as it should be."""
    return page(FIBUR2024, tests_of_rows())


def main(arguments: list[str]) -> int:
    """Write the page, or with ``--check`` compare it."""
    text = made()
    if "--check" not in arguments:
        PAGE.write_text(text, encoding="utf-8")
        print(f"{PAGE.relative_to(ROOT)} written")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is not up to date: run python tools/make_catalogue.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
