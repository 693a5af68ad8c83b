"""The command `tavolo`: thin, each command calls the room that does the work.

Exit codes (interfaces, section 5): 0 done, 1 the thing asked about is bad, 2 used wrongly.
"""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from hw.errors import TavoloError
from table_service import __version__
from table_service.commands import camera_verbs, federation_people, key_verbs, movement_verb, new_game, score_verbs
from table_service.commands import hall as hall_commands
from table_service.commands import node as node_commands
from table_service.commands.arguments import Json, Rules, fail, known_rules, machine_language
from table_service.commands.crashes import leave_no_core_dump
from table_service.commands.loading import collector_asleep
from table_service.install import verb as installing
from table_service.sensor_check import verb as walking

app = typer.Typer(
    name="tavolo",
    help="Tavolo, the electronic card table: follows the cards, watches the rule book, counts the score.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tavolo {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Tavolo, the electronic card table."""


@app.command()
def demo(
    headless: Annotated[
        bool, typer.Option("--headless", help="End with the round; do not keep the page open.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Which round is played.")] = None,
    speed: Annotated[float, typer.Option(min=0.5, max=30, help="Fastest rate of the table's clock.")] = 12.0,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the console page; 0: any free one.")] = 0,
    keep: Annotated[Path | None, typer.Option(help="Folder that keeps journal, log and frames.")] = None,
    lang: Annotated[
        Literal["it", "en"] | None,
        typer.Option(help="Language of what is printed, else the terminal's; the page goes by the browser."),
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="The demo's own arbitro decides; you only look on.")] = False,
    tables: Annotated[int, typer.Option(min=1, max=40, help="So many tables: a whole hall.")] = 1,
    rules: Annotated[str, typer.Option(help="Which rules are played.")] = "",
    deals: Annotated[
        int | None, typer.Option(min=1, max=16, help="Deals of the round: two, a Quattro Scartate four.")
    ] = None,
    camera_only: Annotated[
        bool, typer.Option("--camera-only", help="A table with a camera and nothing else: one deal, told from frames.")
    ] = False,
    read_frames: Annotated[
        bool, typer.Option("--read-frames", help="Tarocco: read the camera's frames by whole faces; some stay unknown.")
    ] = False,
) -> None:
    """Play a round at a simulated table, everything real after the sensors; you are the arbitro, on a page."""
    from table_service.commands.demo.demo_run import run_demo
    from table_service.commands.demo.demo_settings import DemoSettings, camera_only_refused, playable
    from table_service.rulesets import DEFAULT

    played = rules or DEFAULT
    if played not in playable():
        typer.echo(f"tavolo: the demo cannot play '{played}' yet: there is {', '.join(playable())}", err=True)
        raise typer.Exit(2)
    settings = DemoSettings(
        headless=headless, seed=seed, speed=speed, port=port, keep=keep, lang=lang or machine_language(),
        auto=auto, tables=tables, rules=played, deals=deals, read_frames=read_frames, camera_only=camera_only,
    )  # fmt: skip
    if refused := camera_only_refused(settings):
        fail(refused, status=2)
    raise typer.Exit(run_demo(settings))


@app.command()
def replay(
    logs: Annotated[list[Path], typer.Argument(help="Observation logs (.jsonl or .jsonl.gz).")],
    events: Annotated[str | None, typer.Option(help="Write the events to this file; - for standard output.")] = None,
    secret: Annotated[bool, typer.Option(help="Name hidden cards too (on the owner's machine only).")] = False,
    rules: Annotated[str, typer.Option(help="Refuse logs of another rule set than this one.")] = "",
    key: Annotated[
        Path | None,
        typer.Option("--key", exists=True, dir_okay=False, help="The arbitro's private key: opens sealed logs."),
    ] = None,
    table_key: Annotated[
        str, typer.Option("--table-key", help="The table's public key, as audit --json says it.")
    ] = "",
    reason: Annotated[str, typer.Option(help="Why a sealed log is opened; noted beside the key before it is.")] = "",
    to: Annotated[
        str, typer.Option(help="Publish it to this broker as its table did: mqtt://[USER@]HOST[:PORT].")
    ] = "",
    hall: Annotated[str, typer.Option(help="With --to: the hall under whose name.")] = "replay",
    speed: Annotated[float, typer.Option(min=0, help="With --to: 1 in its time, 10 ten times as fast, 0 at once.")] = 1,
    password_file: Annotated[Path | None, typer.Option(help="With --to: the password of USER.")] = None,
    ca_file: Annotated[Path | None, typer.Option(help="With --to mqtts://: the authority to believe.")] = None,
) -> None:
    """Observation log to events, as fast as it goes. A sealed log opens with --key, --table-key and --reason."""
    from table_service.commands.replay import replay_logs
    from table_service.commands.replay_to_broker import ReplayAddressError, broker_at, replay_to
    from table_service.commands.unseal import Unsealing
    from table_service.journal import JournalError

    try:
        unsealing = None if key is None else Unsealing.asked(key, table_key, reason)
    except JournalError as error:
        fail(str(error))
    except ValueError as error:
        fail(str(error), status=2)
    played = known_rules(rules) if rules else ""
    if to and events is not None:
        fail("--to and --events are two different ways out: choose one", status=2)
    if to:
        try:
            broker = broker_at(to, password_file, ca_file)
        except ReplayAddressError as error:
            fail(str(error), status=2)
        except OSError as error:
            fail(f"a file for the broker cannot be read: {error.strerror or error}", status=2)
        raise typer.Exit(replay_to(logs, broker, hall=hall, speed=speed, unsealing=unsealing))
    raise typer.Exit(replay_logs(logs, events, secret=secret, rules=played, unsealing=unsealing))


@app.command()
def rehearse(
    log: Annotated[Path, typer.Option(help="Write the observation log here, and LOG.truth.json beside it.")],
    rules: Rules = "",
    seed: Annotated[int, typer.Option(help="Which players, cards and errors.")] = 1,
    deals: Annotated[int | None, typer.Option(min=1, max=16, help="How many; else one for each fault.")] = None,
    faults: Annotated[str, typer.Option(help="Catalogue rows, separated by commas, or all.")] = "",
    noise: Annotated[str, typer.Option(help="Sensor errors: none, normal or rough.")] = "normal",
    habits: Annotated[str, typer.Option(help="How people handle the table: tidy or lively.")] = "tidy",
    players: Annotated[int | None, typer.Option(help="How many sit at the table; else as usual.")] = None,
    step: Annotated[int, typer.Option(min=1, max=4, help="Sensors: 1 camera, 2 + scales, 3 + beams, 4 all.")] = 4,
    real: Annotated[Path | None, typer.Option("--from", help="Play the deals of this file (bridge: PBN, LIN).")] = None,
) -> None:
    """Write an observation log of the simulated table and, beside it, what really happened."""
    from hw.twin.noise import NoiseError
    from table_service.rehearsal.game_rehearsal import RehearsalError, UnknownFault, rehearsal_of, rows_named
    from table_service.rehearsal.rehearse import rehearse as write_rehearsal
    from table_service.rehearsal.rehearse import truth_path

    try:
        rows = rows_named(faults, rehearsal_of(rules, players).kinds)
        records = b"" if real is None else real.read_bytes()
    except OSError as error:
        fail(f"{real} cannot be read: {error.strerror or error}", status=2)
    except (RehearsalError, UnknownFault) as error:
        fail(str(error), status=2)
    try:
        write_rehearsal(rules, seed, log, deals, rows, noise, habits, players, step, records)
    except NoiseError as error:
        fail(str(error), status=2)
    except RehearsalError as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot write {log}: {error.strerror or error}")
    typer.echo(f"{log} and {truth_path(log)}")


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="table.toml or hall.toml.")],
    as_json: Json = False,
    lang: Annotated[Literal["it", "en"] | None, typer.Option(help="it or en; else the machine's language.")] = None,
) -> None:
    """Check a configuration: every problem with its line and what would be right."""
    from hw.config_text import ConfigError
    from table_service.commands.checks import check_file

    bad = False
    answers = []
    for path in files:
        try:
            kind, gaps = check_file(path, "en" if as_json else lang or machine_language())
        except ConfigError as error:
            bad = True
            answers.append(
                {
                    "file": str(path),
                    "valid": False,
                    "problems": [{"line": p.line, "message": p.message, "it": p.it} for p in error.problems],
                }
            )
            if not as_json:
                for problem in error.problems:
                    typer.echo(problem.said(lang or machine_language()), err=True)
        else:
            answers.append({"file": str(path), "valid": True, "kind": kind, "gaps": gaps})
            if not as_json:
                typer.echo(f"{path}: right, {kind}")
                for gap in gaps:
                    typer.echo(f"  note: {gap}")
    if as_json:
        typer.echo(json.dumps(answers, ensure_ascii=False))
    raise typer.Exit(1 if bad else 0)


@app.command()
def run(config: Annotated[Path, typer.Option(help="The table's configuration (TOML).")]) -> None:
    """Run a table: its nodes, its camera, its journal, its broker."""
    with collector_asleep():
        from hw.config_text import ConfigError
        from table_service.commands.run import run_table
        from table_service.rulesets import load_table
        from table_service.service import ServiceError

    try:
        raise typer.Exit(run_table(load_table(config)))
    except ConfigError as error:
        fail(error.said(machine_language()))
    except ServiceError as error:
        fail(str(error))


@app.command()
def console(config: Annotated[Path, typer.Option(help="The hall's configuration (TOML).")]) -> None:
    """Serve the arbitro's console for a hall: a page that shows what the tables publish."""
    with collector_asleep():
        from hw.config_text import ConfigError
        from hw.errors import ServiceError
        from table_service.commands.console_process import run_console
        from table_service.console.hall_config import load_hall

    try:
        raise typer.Exit(run_console(load_hall(config)))
    except ConfigError as error:
        fail(error.said(machine_language()))
    except ServiceError as error:
        fail(str(error))


app.command()(score_verbs.meld)


app.command()(score_verbs.count)


app.command()(score_verbs.vp)


app.command()(score_verbs.score)


app.command()(camera_verbs.see)


app.command()(camera_verbs.enrol)


app.command()(camera_verbs.calibrate)


@app.command()
def audit(
    journal: Annotated[Path, typer.Argument(help="A table's journal (SQLite), or a case's file (ZIP).")],
    as_json: Json = False,
    authority: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Of a case: the hall's authority.crt.")
    ] = None,
) -> None:
    """Verify a journal's chain and signatures, or a case's: a changed byte is found and placed."""
    from table_service.commands.checks import audit_file

    raise typer.Exit(audit_file(journal, authority, as_json=as_json))


pbn_commands = typer.Typer(name="pbn", help="Records of boards in the Portable Bridge Notation.", no_args_is_help=True)
app.add_typer(pbn_commands)


@pbn_commands.command("check")
def pbn_check(
    files: Annotated[list[Path], typer.Argument(help="PBN files.")],
    as_json: Json = False,
) -> None:
    """Check each board of PBN files: deal, auction, play, tricks, score. Exit code 1 if one does not hold."""
    from table_service.commands.pbn import check_files

    raise typer.Exit(check_files(files, as_json=as_json))


app.command()(movement_verb.movements)


app.command("new-game")(new_game.new_game)


app.command("sealing-key")(key_verbs.sealing_key)


app.command()(key_verbs.unseal)


app.command("openings")(key_verbs.tell_openings)


@app.command()
def doctor(
    config: Annotated[
        Path | None, typer.Option(help="A table's configuration: checks its nodes, camera and broker.")
    ] = None,
    walk: walking.Walk = False,
    record: walking.Record = None,
    report: walking.Report = None,
    noise: walking.Noise = None,
    only: walking.Only = None,
    quick: walking.Quick = False,
    fresh: walking.Fresh = False,
    english: walking.English = False,
    as_json: Json = False,
) -> None:
    """Check the machine: interpreter, broker, browser, disk, clock, and a table's nodes and camera."""
    asked = walking.WalkOptions(record, report, noise, only, quick, fresh, english)
    if walk:
        raise typer.Exit(asked.walk(config))
    if asked.misused():
        typer.echo(
            "tavolo: --record, --report, --noise, --only, --quick, --fresh, --english belong to --walk", err=True
        )
        raise typer.Exit(2)
    from table_service.commands.doctor import examine

    raise typer.Exit(examine(config, as_json=as_json, language=machine_language()))


app.add_typer(node_commands.app)
app.add_typer(hall_commands.app)
app.add_typer(federation_people.app)
app.command(context_settings=installing.PASSED_ON)(installing.install)

_CANNOT_WRITE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def _speak_utf8() -> None:
    """Use UTF-8 for what programs read whatever the locale; undecodable bytes are replaced, never an error."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def _drop_output() -> None:
    """Forget what standard output still holds: no reader can take it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def main() -> None:
    """Entry point of the command `tavolo`."""
    _speak_utf8()
    leave_no_core_dump()
    try:
        try:
            app(prog_name="tavolo")
        finally:
            sys.stdout.flush()
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        _drop_output()
        sys.exit(0)
    except BrokenPipeError:
        # The reader of our output went away (`tavolo replay … | head`): nothing is wrong.
        _drop_output()
        sys.exit(0)
    except TavoloError as error:  # a command that did not say it itself
        typer.echo(f"tavolo: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        if error.errno not in _CANNOT_WRITE:
            raise
        _drop_output()
        typer.echo(f"tavolo: cannot write: {error.strerror}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
