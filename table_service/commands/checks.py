"""`tavolo check` and `tavolo audit`: is a file what it should be."""

from __future__ import annotations

import json
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import typer

from hw import config_text
from hw.config_text import ConfigError, ConfigProblem
from table_service.camera.picture_scale import scale_notes
from table_service.commands.arguments import fail
from table_service.commands.table_reports import reports_of
from table_service.console.hall_config import load_hall
from table_service.rulesets import equipment_of, load_table


def check_file(path: Path, language: Literal["it", "en"] = "en") -> tuple[str, list[str]]:
    """Return what kind of configuration ``path`` is, and what it leaves unsensed (sentences).

    What its bidding box lacks and what its camera shows too small is said in ``language``, the other gaps in English.
    Raises ConfigError with every problem and its line, those of its tags file too.
    """
    text = config_text.read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        data = {}
    if "hall" in data and "table" not in data:
        load_hall(path)
        return "a hall's configuration", []
    if data and "table" not in data:
        raise ConfigError(
            [
                ConfigProblem(
                    str(path),
                    1,
                    "is neither a table's ([table]) nor a hall's ([hall]) configuration",
                    "non è la configurazione né di un tavolo ([table]) né di una sala ([hall])",
                )
            ]
        )
    wrong = _faults_of_tags(path, data)
    try:
        table = load_table(path)
    except ConfigError as error:
        raise ConfigError([*error.problems, *wrong]) from None
    if wrong:
        raise ConfigError(wrong)
    gaps = [*table.gaps(equipment_of(table.table.rules)), *reports_of(table), *table.in_the_open()]
    gaps.extend(scale_notes(table, language))
    if table.camera.box is not None:  # else nothing of the sight is loaded
        from table_service.camera.enrolled_box import box_notes

        gaps.extend(box_notes(table, language))
    return "a table's configuration", gaps


def _faults_of_tags(path: Path, data: Mapping[str, Any]) -> list[ConfigProblem]:
    """Everything in the tags file of a table's configuration that can't be understood."""
    from table_service.service import ServiceError, load_tags

    storage = data.get("storage")
    named = storage.get("tags") if isinstance(storage, dict) else None
    if not isinstance(named, str) or not Path(named).exists():
        return []
    try:
        load_tags(Path(named))
    except ServiceError as error:
        said = [f"storage.tags: {line}" for line in str(error).splitlines()]
        return [ConfigProblem(str(path), 0, line, line) for line in said]
    return []


def audit_file(path: Path, authority: Path | None, *, as_json: bool) -> int:
    """Verify the journal or the case's file at ``path`` and say the verdict. Returns the exit code."""
    if not zipfile.is_zipfile(path):
        return audit_journal(path, as_json=as_json)
    from table_service.console.archive.case_audit import audit_case
    from table_service.events.signing import load_authority
    from table_service.install.contents import table_user

    try:
        issuer = None if authority is None else load_authority(authority.read_bytes())
        verdict = audit_case(path.read_bytes(), table_user, issuer)
    except ValueError:
        fail(f"{authority} is no authority's certificate", status=2)
    except OSError as error:
        fail(f"{error.filename or path} cannot be read: {error.strerror or error}", status=2)
    typer.echo(json.dumps(verdict.as_dict(), ensure_ascii=False) if as_json else str(verdict))
    return 0 if verdict.whole else 1


def audit_journal(path: Path, *, as_json: bool) -> int:
    """Verify the journal at ``path`` and say the verdict. Returns the exit code: 0 whole, 1 changed or unreadable."""
    from table_service.journal import JournalError, audit

    try:
        verdict = audit(path, evidence=evidence_beside(path))
    except JournalError as error:
        typer.echo(f"tavolo: {error}", err=True)
        return 1
    if as_json:
        typer.echo(json.dumps(verdict.as_dict(), ensure_ascii=False))
    else:
        typer.echo(str(verdict))
    return 0 if verdict.whole else 1


def evidence_beside(journal: Path) -> Path:
    """Return the folder of the pictures that ``journal`` notes: beside it, so named, or ``evidence`` (the demo's)."""
    own = journal.with_suffix(".evidence")
    return own if own.is_dir() or not (journal.parent / "evidence").is_dir() else journal.parent / "evidence"
