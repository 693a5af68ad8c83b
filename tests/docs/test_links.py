"""Pages point at what is there."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md"), *ROOT.glob("vision/weights/*.md")]
)
LINK: Final = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
_FENCE: Final = re.compile(r"```.*?```", re.DOTALL)


def test_there_are_pages() -> None:
    assert len(PAGES) > 15


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = [one for one in LINK.findall(text) if "://" not in one and not one.startswith("mailto:")]
    assert [one for one in targets if not (page.parent / one).exists()] == []
