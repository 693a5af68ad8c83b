"""The page that answers the bench review names proofs that exist."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "bench-review.md"
PROOF: Final = re.compile(r"`([\w/]+\.py)::(\w+)`")


def test_every_proof_named_is_a_function_of_its_file() -> None:
    named = PROOF.findall(PAGE.read_text(encoding="utf-8"))
    assert len(named) > 40
    missing = [
        f"{file}::{name}"
        for file, name in named
        if not (ROOT / file).is_file()
        or not re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert missing == []


def test_every_row_of_a_table_names_its_proof() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    bare = [row for row in rows if not PROOF.search(row) and not row.startswith("| point |")]
    assert bare == []
