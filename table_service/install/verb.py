"""`tavolo install` as a verb of the command `tavolo`: the arguments go to the one parser in ``command``."""

from __future__ import annotations

from typing import Final

import typer

from table_service.install.command import main

PASSED_ON: Final = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""Settings of the verb: typer reads none of its options."""


def install(context: typer.Context) -> None:
    """Make this machine a table or a hall's console; --help says how, --dry-run what it would do."""
    raise typer.Exit(main(context.args))
