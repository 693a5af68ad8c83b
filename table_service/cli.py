"""The command `tavolo`: thin, each command calls the room that does the work.

Exit codes (interfaces, section 5): 0 done, 1 the thing asked about is bad, 2 used wrongly.
"""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer

from hw.errors import TavoloError
from table_service import __version__
from table_service.commands import hall as hall_commands
from table_service.commands import node as node_commands
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

Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]


def _known_rules(name: str) -> str:
    """The rule set called ``name`` that tables are played by. Ends with exit code 2 where there is none."""
    from table_service.rulesets import DEFAULT, rule_set

    return _named(lambda: rule_set(name or DEFAULT).name)


def _known_book(name: str) -> str:
    """The code called ``name``, played or only counted. Ends with exit code 2 where there is none."""
    from table_service.rulesets import DEFAULT, rule_book

    return _named(lambda: rule_book(name or DEFAULT).name)


def _named(find: Callable[[], str]) -> str:
    from table_service.games.definition import UnknownRulesError

    try:
        return find()
    except UnknownRulesError as error:
        typer.echo(f"tavolo: {error}", err=True)
        raise typer.Exit(2) from None


Rules = Annotated[
    str, typer.Option("--rules", callback=_known_rules, show_default=False, help="Rule set, such as fibur2024.")
]
Book = Annotated[
    str, typer.Option("--rules", callback=_known_book, show_default=False, help="Code, such as fibur2024.")
]


def fail(message: str, status: int = 1) -> NoReturn:
    """End with exit code ``status`` (2: used wrongly) and one sentence on standard error."""
    typer.echo(f"tavolo: {message}", err=True)
    raise typer.Exit(status)


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
        Literal["it", "en"], typer.Option(help="Language of what is printed; the page goes by the browser.")
    ] = "it",
    auto: Annotated[bool, typer.Option("--auto", help="The demo's own arbitro decides; you only look on.")] = False,
    tables: Annotated[int, typer.Option(min=1, max=40, help="So many tables: a whole hall.")] = 1,
    rules: Annotated[str, typer.Option(help="Which rules are played.")] = "",
    deals: Annotated[
        int | None, typer.Option(min=1, max=16, help="Deals of the round: two, a Quattro Scartate four.")
    ] = None,
    read_frames: Annotated[
        bool, typer.Option("--read-frames", help="Tarocco: read the camera's frames by whole faces; some stay unknown.")
    ] = False,
) -> None:
    """A simulated table plays a round, everything real after the sensors; you are the arbitro, on a page."""
    from table_service.commands.demo.run import DemoSettings, playable, run_demo
    from table_service.rulesets import DEFAULT

    played = rules or DEFAULT
    if played not in playable():
        typer.echo(f"tavolo: the demo cannot play '{played}' yet: there is {', '.join(playable())}", err=True)
        raise typer.Exit(2)
    raise typer.Exit(
        run_demo(
            DemoSettings(
                headless=headless, seed=seed, speed=speed, port=port, keep=keep, lang=lang, auto=auto, tables=tables,
                rules=played, deals=deals, read_frames=read_frames,
            )
        )
    )  # fmt: skip


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
    played = _known_rules(rules) if rules else ""
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
) -> None:
    """The simulated table writes an observation log and, beside it, what really happened."""
    from hw.twin.noise import NoiseError
    from table_service.rehearsal.game_rehearsal import RehearsalError, UnknownFault, rehearsal_of, rows_named
    from table_service.rehearsal.rehearse import rehearse as write_rehearsal
    from table_service.rehearsal.rehearse import truth_path

    try:
        rows = rows_named(faults, rehearsal_of(rules, players).kinds)
    except (RehearsalError, UnknownFault) as error:
        fail(str(error), status=2)
    try:
        write_rehearsal(rules, seed, log, deals, rows, noise, habits, players)
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
            kind, gaps = check_file(path)
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
    """The arbitro's console for a hall: a page that shows what the tables publish."""
    from hw.config_text import ConfigError
    from table_service.commands.run import run_console
    from table_service.console.hall_config import load_hall
    from table_service.service import ServiceError

    try:
        raise typer.Exit(run_console(load_hall(config)))
    except ConfigError as error:
        fail(error.said(machine_language()))
    except ServiceError as error:
        fail(str(error))


def machine_language() -> Literal["it", "en"]:
    """The language of what is said to whoever configures this machine, by its locale."""
    wanted = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return "it" if wanted.lower().startswith("it") else "en"


def _lines_or(cards: list[str] | None) -> Iterable[str]:
    """The cards named as arguments, else every line of standard input as it comes."""
    return [" ".join(cards)] if cards else (line.rstrip("\r\n") for line in sys.stdin)


@app.command()
def meld(
    cards: Annotated[
        list[str] | None, typer.Argument(help="Cards such as 7H 8H JK; none: lines on standard input.")
    ] = None,
    rules: Book = "",
    as_json: Json = False,
) -> None:
    """Validity, kind, burraco and points of a meld: the best reading of its cards in any order."""
    from table_service.commands.calculators import UserError, describe_meld, meld_line

    bad = False
    for line in _lines_or(cards):
        try:
            answer = meld_line(line, rules)
        except UserError as error:
            if cards and not as_json:
                fail(str(error))
            bad = True
            answer = {"cards": line, "valid": False, "error": str(error)}
        typer.echo(json.dumps(answer, ensure_ascii=False) if as_json else describe_meld(answer, rules))
    raise typer.Exit(1 if bad else 0)


def _answer(work: Callable[[], dict[str, Any]], as_json: bool, describe: Callable[[dict[str, Any]], str]) -> None:
    from table_service.commands.calculators import RulesNamedWronglyError, UserError

    try:
        answer = work()
    except RulesNamedWronglyError as error:
        fail(str(error), 2)
    except UserError as error:
        fail(str(error))
    typer.echo(json.dumps(answer, ensure_ascii=False) if as_json else describe(answer))


@app.command()
def count(
    file: Annotated[Path, typer.Argument(help="A deal's melds, hands, pots and closing (JSON); - for standard input.")],
    as_json: Json = False,
) -> None:
    """The score of a deal, item by item, by the rule set it names."""
    from table_service.commands.calculators import count_file, describe_count

    _answer(lambda: count_file(file), as_json, describe_count)


@app.command()
def vp(
    deals: Annotated[int, typer.Option(help="Deals in the round: 2, 3 or 4.")],
    diff: Annotated[int, typer.Option(help="Match points of the first line minus those of the second.")],
    rules: Book = "",
    teams: Annotated[bool, typer.Option("--teams", help="The teams' table.")] = False,
    as_json: Json = False,
) -> None:
    """Victory points for a difference in match points."""
    from table_service.commands.calculators import describe_vp, victory_points

    _answer(lambda: victory_points(rules, deals, diff, teams=teams), as_json, describe_vp)


@app.command()
def see(
    images: Annotated[list[Path], typer.Argument(help="Pictures of cards; - for standard input.")],
    as_json: Json = False,
    draw: Annotated[Path | None, typer.Option(help="Paint what was read onto a copy (one picture only).")] = None,
    pack: Annotated[Path | None, typer.Option(help="An enrolled pack (tavolo enrol).")] = None,
) -> None:
    """Read the cards in pictures."""
    from table_service.commands.see import see_pictures

    if draw is not None and len(images) > 1:
        raise typer.BadParameter("takes one picture at a time", param_hint="--draw")
    raise typer.Exit(see_pictures(images, as_json=as_json, draw=draw, pack=pack))


@app.command()
def enrol(
    images: Annotated[list[Path], typer.Argument(help="Pictures of the pack's cards, or a folder of them.")],
    out: Annotated[Path | None, typer.Option(help="Write the enrolled pack here.")] = None,
    kind: Annotated[str, typer.Option("--of", help="burraco, bridge, french, tarocco or bidding (a box).")] = "burraco",
    tags: Annotated[Path | None, typer.Option(help='The pack\'s tags: JSON {"UID": "7H#1", …}.')] = None,
    check: Annotated[Path | None, typer.Option(help="Count the cards against this enrolled pack instead.")] = None,
    as_json: Json = False,
) -> None:
    """Show a pack once, card by card or spread out: it is read better, and what is missing or foreign is named."""
    from table_service.commands.enrol import enrol_command

    if (out is None) == (check is None):
        raise typer.BadParameter("say --out PACK to enrol, or --check PACK to count", param_hint="enrol")
    raise typer.Exit(enrol_command(images, out=out, kind=kind, tags=tags, check=check, as_json=as_json))


@app.command()
def calibrate(
    sheets: Annotated[Path | None, typer.Option("--print", help="Write the markers as a PDF to print.")] = None,
    image: Annotated[Path | None, typer.Option(help="A frame of the empty table with its markers.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write camera to table here (JSON).")] = None,
    against: Annotated[Path | None, typer.Option(help="Has anything moved since this calibration?")] = None,
    config: Annotated[Path | None, typer.Option(help="The table's configuration; none: the drawn table.")] = None,
    as_json: Json = False,
) -> None:
    """Camera to table: print the markers, find them in a frame, or check an earlier calibration."""
    from table_service.commands.calibrate import calibrate_command

    if sheets is None and image is None:
        raise typer.BadParameter("say --print OUT.pdf or --image FRAME", param_hint="calibrate")
    raise typer.Exit(
        calibrate_command(sheets=sheets, image=image, out=out, against=against, config=config, as_json=as_json)
    )


@app.command()
def audit(journal: Annotated[Path, typer.Argument(help="A table's journal (SQLite).")], as_json: Json = False) -> None:
    """Verify a journal's chain and signatures: a changed byte is found and placed."""
    from table_service.commands.checks import audit_journal

    raise typer.Exit(audit_journal(journal, as_json=as_json))


pbn_commands = typer.Typer(name="pbn", help="Records of boards in the Portable Bridge Notation.", no_args_is_help=True)
app.add_typer(pbn_commands)


@pbn_commands.command("check")
def pbn_check(
    files: Annotated[list[Path], typer.Argument(help="PBN files.")],
    as_json: Json = False,
) -> None:
    """Whether each board of PBN files holds: deal, auction, play, tricks, score. Exit code 1 where one does not."""
    from table_service.commands.pbn import check_files

    raise typer.Exit(check_files(files, as_json=as_json))


@app.command("sealing-key")
def sealing_key(
    file: Annotated[Path, typer.Argument(help="Where the arbitro's private key is, or is to be made.")],
) -> None:
    """The arbitro's key to hidden cards: made where there is none yet; says what the tables need to seal for it."""
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


@app.command()
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


@app.command("openings")
def tell_openings(
    key: Annotated[Path, typer.Option("--key", help="The arbitro's private key, beside which openings are noted.")],
) -> None:
    """What was opened with the arbitro's key, when, by whom and why. Exit code 1 where that list was altered."""
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

    raise typer.Exit(examine(config, as_json=as_json))


app.add_typer(node_commands.app)
app.add_typer(hall_commands.app)
app.command(context_settings=installing.PASSED_ON)(installing.install)

_CANNOT_WRITE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def _speak_utf8() -> None:
    """What programs read is UTF-8 whatever the locale; bytes that are none are replaced, never an error."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def _drop_output() -> None:
    """Forget what standard output still holds: nobody can take it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def main() -> None:
    """Entry point of the command `tavolo`."""
    _speak_utf8()
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
