"""The codes of Burraco side by side as a page: what differs, with the article of each, and what each leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from lab.codes.code_differences import CodeDifference, value_of
from table_service.games.burraco.codes.edition import Edition
from table_service.games.burraco.rules.options import CodeOption
from table_service.games.burraco.rules.rulebook import NEVER


def page(editions: Mapping[str, Edition], differences: Iterable[CodeDifference]) -> str:
    """Return the page in Markdown."""
    listed = tuple(differences)
    lines = [
        "# The codes of Burraco side by side",
        "",
        "Made from the data by `python tools/make_catalogue.py`; a test says when it is not up to date. Each field is",
        "one of the rule book (`table_service/games/burraco/rules/rulebook.py` and `policies.py`), each row one of the",
        "catalogue. `unregulated`: the code is silent and the arbitro decides. A dash: the code knows no such thing.",
        "",
        "| code | edition | played at tables | rows |",
        "|---|---|---|---|",
        *(
            f"| `{one.name}` | {one.book.edition} | {'yes' if one.is_played else 'not yet, deals are counted'} "
            f"| {len(one.catalogue.rows)} |"
            for one in editions.values()
        ),
        "",
        f"## The {len(listed)} differences",
        "",
        "| | subject | " + " | ".join(f"`{name}`" for name in editions) + " |",
        "|---|---|" + "---|" * len(editions),
        *(_line(one, editions) for one in listed),
        "",
        "## What the texts leave open",
        "",
        "Options of a log's header, by the names that stand there; in bold what holds where nobody says otherwise.",
        "",
        "| code | option | article | question | choices |",
        "|---|---|---|---|---|",
        *(_option(one, option) for one in editions.values() for option in one.book.options),
    ]
    return "\n".join(lines) + "\n"


def _line(one: CodeDifference, editions: Mapping[str, Edition]) -> str:
    told = "" if one.told else " (no sensor tells)"
    cells = " | ".join(_cell(one, edition) for edition in editions.values())
    return f"| {one.id} | {one.title.en}{told} | {cells} |"


def _cell(one: CodeDifference, edition: Edition) -> str:
    article = one.articles.get(edition.name)
    parts = [] if article in (None, "–") else [f"art. {article}" if article[:1].isdigit() else str(article)]
    parts += [f"{path.rsplit('.', 1)[-1]}: {_value(value_of(edition, path))}" for path in one.fields]
    rows = one.rows.get(edition.name, ())
    parts += [", ".join(rows)] if rows else []
    return "; ".join(parts) or "–"


def _value(value: Any) -> str:
    """Return a field's value as it is read: names without quotes, tables by their keys."""
    if value is None or value == "" or value == NEVER:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_dataclass(value) and not isinstance(value, type):
        return ", ".join(f"{field.name} {_value(getattr(value, field.name))}" for field in fields(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key or 'all'} {_value(worth)}" for key, worth in value.items()) or "–"
    return _several(value) if isinstance(value, tuple) else str(value)


def _several(values: tuple[Any, ...]) -> str:
    if any(is_dataclass(one) for one in values):
        return ", ".join(one.name for one in values)
    return "/".join(map(str, values))


def _option(edition: Edition, option: CodeOption) -> str:
    choices = ", ".join(
        f"**`{one.value}`** {one.en}" if one.value == option.default else f"`{one.value}` {one.en}"
        for one in option.choices
    )
    return (
        f"| `{edition.name}` | `{option.name}` | {option.article} | {option.en} "
        f"| {choices or 'a whole number above zero, which must be named'} |"
    )
