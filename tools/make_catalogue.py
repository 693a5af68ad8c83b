"""Write the pages that are made from the codes: `docs/catalogue*.md`, every row of each, and `docs/codes.md`.

A catalogue's page says of every row what senses it, what follows, and which tests prove it; `codes.md` lays the codes
side by side. `python tools/make_catalogue.py` writes the pages, `--check` only says whether they are up to date (exit
code 1 if not).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lab.codes.catalogue_page import page, slug  # noqa: E402
from lab.codes.code_differences import DIFFERENCES  # noqa: E402
from lab.codes.codes_page import page as codes_page  # noqa: E402
from table_service.games.burraco.codes import EDITIONS  # noqa: E402

DOCS: Final = ROOT / "docs"
_TEST: Final = re.compile(r"^\s*(?:def |\")test_(\w+)(?:\(|\":)", re.MULTILINE)


def page_of(name: str) -> Path:
    """Return where the catalogue of the code ``name`` is written."""
    first = next(iter(EDITIONS))
    return DOCS / ("catalogue.md" if name == first else f"catalogue-{name}.md")


def tests_of_rows(name: str) -> dict[str, list[str]]:
    """The names of the tests that begin with a row's name of the code ``name``, by that row's slug."""
    rows = {slug(row) for row in EDITIONS[name].catalogue.rows}
    found: dict[str, set[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for test in _TEST.findall(file.read_text(encoding="utf-8")):
            for part in test.split("_"):
                if part not in rows:
                    break
                found.setdefault(part, set()).add(f"test_{test}")
    return {row: sorted(names) for row, names in found.items()}


def made() -> dict[Path, str]:
    """Return the pages as they should be."""
    pages = {page_of(name): page(one.catalogue, tests_of_rows(name)) for name, one in EDITIONS.items()}
    return {**pages, DOCS / "codes.md": codes_page(EDITIONS, DIFFERENCES)}


def main(arguments: list[str]) -> int:
    """Write the pages, or with ``--check`` compare them."""
    pages = made()
    old = [path for path, text in pages.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path in old:
        if "--check" in arguments:
            print(f"{path.relative_to(ROOT)} is not up to date: run python tools/make_catalogue.py", file=sys.stderr)
        else:
            path.write_text(pages[path], encoding="utf-8")
            print(f"{path.relative_to(ROOT)} written")
    return 1 if old and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
