"""`tavolo sealing-key`, `tavolo unseal` and `tavolo openings`: the arbitro's key, and what was opened with it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from table_service.commands.arguments import fail


def sealing_key(
    file: Annotated[Path, typer.Argument(help="Where the arbitro's private key is, or is to be made.")],
) -> None:
    """Make the arbitro's key to hidden cards if there is none yet; say what the tables need to seal for it."""
    from table_service.commands.unseal import arbitro_key, for_the_tables
    from table_service.journal import JournalError

    made = not file.exists()
    try:
        key = arbitro_key(file)
    except JournalError as error:
        fail(str(error))
    if made:
        typer.echo(f"{file} is new: who has it reads hidden cards, and nobody reads them without it", err=True)
    typer.echo(for_the_tables(key))


def unseal(
    key: Annotated[Path, typer.Option("--key", exists=True, dir_okay=False, help="The arbitro's private key.")],
    table_key: Annotated[str, typer.Option("--table-key", help="The table's public key, as audit --json says it.")],
    reason: Annotated[str, typer.Option(help="Why; noted beside the key before anything opens.")],
) -> None:
    """Open what a table has sealed: its messages on standard input, one a line, with their topic before them or not."""
    from table_service.commands.unseal import Unsealing, opened
    from table_service.journal import JournalError
    from table_service.publish import SealError

    try:
        for message in opened(sys.stdin, Unsealing.asked(key, table_key, reason)):
            typer.echo(message)
    except (JournalError, SealError, ValueError) as error:
        fail(str(error))


def tell_openings(
    key: Annotated[Path, typer.Option("--key", help="The arbitro's private key, beside which openings are noted.")],
) -> None:
    """List what was opened with the arbitro's key, when, by whom and why. Exit code 1 if that list was altered."""
    from table_service.commands.unseal import told_openings
    from table_service.journal import JournalError

    try:
        lines, whole = told_openings(key)
    except JournalError as error:
        fail(str(error))
    for line in lines:
        typer.echo(line)
    if not whole:
        fail("the list of openings was altered")
