"""Watch of the machine's supply while its table is played at: changes of the mains are reported, and the end too."""

from __future__ import annotations

import subprocess

import typer

from hw.power_supply import PowerWatch, read_power
from hw.table_sections import PowerSection
from table_service.service import TableService


def tell_supply(watch: PowerWatch, service: TableService, t: float) -> bool:
    """Report the changes of the mains at ``t``; True when the machine must be switched off."""
    power = read_power()
    for notice in watch.changes(power, t):
        typer.echo(notice.note, err=True)
        service.observe(notice)
    return watch.must_end(power, t)


def switch_off(power: PowerSection) -> None:
    """Have the service manager end everything in order, this program too, and switch off."""
    typer.echo("the mains are gone and the battery will not last: switching off", err=True)
    command = power.off_command
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=30)  # noqa: S603 - the owner's own words
    except (OSError, subprocess.SubprocessError) as error:
        said = f"'{' '.join(command)}' failed: {error}; the machine runs on until its battery is empty"
        typer.echo(said, err=True)
