"""Arguments and answers that several verbs of the command `tavolo` share."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated, Literal, NoReturn

import typer

Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]


def fail(message: str, status: int = 1) -> NoReturn:
    """End with exit code ``status`` (2: used wrongly) and one sentence on standard error."""
    typer.echo(f"tavolo: {message}", err=True)
    raise typer.Exit(status)


def known_rules(name: str) -> str:
    """Return the name of the rule set ``name`` that tables are played by. Ends with exit code 2 if it is unknown."""
    from table_service.rulesets import DEFAULT, rule_set

    return _named(lambda: rule_set(name or DEFAULT).name)


def _known_book(name: str) -> str:
    """Return the code called ``name``, played or only counted. Ends with exit code 2 if it is unknown."""
    from table_service.rulesets import DEFAULT, rule_book

    return _named(lambda: rule_book(name or DEFAULT).name)


def _named(find: Callable[[], str]) -> str:
    from table_service.games.definition import UnknownRulesError

    try:
        return find()
    except UnknownRulesError as error:
        fail(str(error), status=2)


Rules = Annotated[
    str, typer.Option("--rules", callback=known_rules, show_default=False, help="Rule set, such as fibur2024.")
]
Book = Annotated[
    str, typer.Option("--rules", callback=_known_book, show_default=False, help="Code, such as fibur2024.")
]


def machine_language() -> Literal["it", "en"]:
    """Return the language of messages to the person who configures this machine, by its locale."""
    wanted = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return "it" if wanted.lower().startswith("it") else "en"
