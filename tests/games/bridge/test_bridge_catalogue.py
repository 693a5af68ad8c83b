"""The catalogue of bridge: every row that a judge may name, in both languages, with its article and edition."""

import ast
import re
from pathlib import Path

import pytest

import table_service.games.bridge.judges as judges
from table_service.games.bridge.codes.figb2010 import CATALOGUE, CODE_EDITION, UNCONFIRMED

FOLDER = Path(judges.__file__).parent
REMEDIES = {
    "stop-play", "take-back", "show", "expose", "limit-turn", "redeal", "warn", "score", "nothing", "referee",
}  # fmt: skip


def named_by_judges() -> set[str]:
    """Every row whose name stands as a text in a judge."""
    found = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= set(re.findall(r"^(?:FIGB-\d+|A4-\w+|law-\d+)$", node.value))
    return found


def test_every_row_that_a_judge_names_is_there_and_all_sixteen_examples_are() -> None:
    laws = {f"law-{number}" for number in (27, 30, 31, 32, 36, 37, 38, 39, 44, 52, 55, 56, 57, 58, 61, 67)}
    assert named_by_judges() >= {f"FIGB-{number}" for number in (1, 2, 4, 5, *range(6, 17))}
    assert named_by_judges() | laws | {f"FIGB-{number}" for number in range(1, 17)} <= set(CATALOGUE.rows)


@pytest.mark.parametrize("name", CATALOGUE.rows)
def test_a_row_has_an_article_and_words_in_both_languages(name: str) -> None:
    row = CATALOGUE.row(name)
    assert re.search(r"\d", row.article)
    texts = [row.title, *(step.text for step in row.steps), *(choice.text for choice in row.choices)]
    for text in texts:
        assert text.it
        assert text.en
        assert text.it != text.en
        assert max(len(text.it), len(text.en)) <= 100
    assert row.steps
    assert {step.do for step in row.steps} <= REMEDIES
    assert row.heals == "never"


def test_the_edition_is_that_of_2007_and_rows_not_read_in_it_are_marked() -> None:
    assert CODE_EDITION == 2007
    assert {name for name in UNCONFIRMED if name in CATALOGUE.rows} >= {
        "law-38",
        "law-39",
        "law-52",
        "law-57",
        "law-61",
    }
    assert not any(name.startswith(("FIGB", "A4", "NI")) for name in UNCONFIRMED)
