"""Pages point at what is there."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md"), *ROOT.glob("vision/weights/*.md")]
)
MODULE: Final = re.compile(r"`([\w./-]+/[\w-]+\.py)`")
ROOMS: Final = ("hw", "vision", "firmware_bridge", "table_service", "lab", "tests", "tools")
LINK: Final = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
_FENCE: Final = re.compile(r"```.*?```", re.DOTALL)


def test_there_are_pages() -> None:
    assert len(PAGES) > 15


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = [one for one in LINK.findall(text) if "://" not in one and not one.startswith("mailto:")]
    assert [one for one in targets if not (page.parent / one).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_module_that_a_page_names_is_there(page: Path) -> None:
    """Not of the page of what has changed, which names what was there."""
    named = [] if page.name == "CHANGELOG.md" else MODULE.findall(page.read_text(encoding="utf-8"))
    there = {path.relative_to(ROOT).as_posix() for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    assert [one for one in named if not any(f"/{path}".endswith(f"/{one}") for path in there)] == []
