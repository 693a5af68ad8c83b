"""A corpus of observation logs and of what `tavolo replay --events - --secret` made of each, to compare code with.

``record DIR`` writes logs (rehearsed clean, with every row that can be staged, rough, ruled, cut off by a restart, of
the other codes, and the independent cases) and their events by the code of this tree. ``check DIR`` replays the same
logs by the code of another one: each must give the same bytes. A field that an event did not have before is listed and
left aside; any other difference is a failure. Both go on where they were cut off.

``against DIR --tree REV`` has the older tree REV replay the logs and compares its events with this tree's; with
``--causes`` it finds for each log that differs which commits since REV changed its events. Logs name hidden cards: DIR
is for its owner alone.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import hashlib
import io
import itertools
import json
import multiprocessing
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from corpus_cases import GROUPS, Case, CorpusError, chosen, logs_of, round_of  # noqa: E402
from older_tree import OlderTree, TreeError, changed_by  # noqa: E402

from hw.observation_log import Header, LogWriter, read_log  # noqa: E402
from hw.observations import Observation  # noqa: E402
from table_service.commands.replay import replay_logs  # noqa: E402
from table_service.rehearsal.proof_page import commit_here  # noqa: E402
from table_service.rehearsal.prove import fingerprint  # noqa: E402

FOLDER: Final = ROOT / ".work" / "corpus"
"""Where a corpus lies unless a folder is named; git ignores it."""
_RESUMED: Final = "resumed"
"""The header's option that holds the round that goes on."""
_MANIFEST: Final = "manifest.jsonl"
_One = TypeVar("_One")
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of the manifest: a log, and the SHA-256 of it and of its events as they are before packing."""

    name: str
    group: str
    log: str
    events: str
    lines: int
    rulings: int
    """Orders of the arbitro in the log that rule, dismiss or confirm."""


# -- recording ---------------------------------------------------------------------------------------------------------


def record_case(folder: Path, case: Case) -> list[Recorded]:
    """Make the logs of ``case`` in ``folder`` and their events; two logs where the table is started again."""
    return [_kept(folder, name, case.group, header, lines) for name, header, lines in logs_of(case)]


def _kept(folder: Path, name: str, group: str, header: Header, observations: Sequence[Observation]) -> Recorded:
    log = folder / "logs" / f"{name}.jsonl.gz"
    with LogWriter(log, header) as writer:
        writer.write_all(observations)
    events = replayed(log)
    _pack(folder / "events" / f"{name}.jsonl.gz", events)
    rulings = sum(getattr(one, "do", "") in ("rule", "dismiss", "confirm") for one in observations)
    return Recorded(name, group, _digest(_unpack(log)), _digest(events), len(observations), rulings)


def replayed(log: Path) -> bytes:
    """Return what ``tavolo replay LOG --events OUT --secret`` writes. Raises CorpusError if the log cannot be read."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "events.jsonl"
        said = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            code = replay_logs([log], str(out), secret=True)
        if code:
            raise CorpusError(f"{log.name} cannot be replayed: {said.getvalue().strip()}")
        return out.read_bytes()


def _pack(path: Path, data: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(gzip.compress(data, mtime=0))


def _unpack(path: Path) -> bytes:
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# -- comparing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of one log by other code. ``added``: fields that are new; ``wrong``: the first other difference."""

    name: str
    added: tuple[str, ...] = ()
    wrong: str | None = None


def check_case(folder: Path, known: Recorded) -> Compared:
    """Replay the log of ``known`` by the code of this tree and compare. Raises CorpusError where files are damaged."""
    log = folder / "logs" / f"{known.name}.jsonl.gz"
    before = _unpack(folder / "events" / f"{known.name}.jsonl.gz")
    if (_digest(_unpack(log)), _digest(before)) != (known.log, known.events):
        raise CorpusError(f"{known.name} is not as it was recorded: record the corpus anew")
    if known.name.endswith("-after") and (wrong := _resumed_otherwise(folder, known)):
        return Compared(known.name, wrong=wrong)
    try:
        now = replayed(log)
    except Exception as error:  # noqa: BLE001 - whatever the code raises is the finding
        return Compared(known.name, wrong=f"{type(error).__name__}: {error}")
    return Compared(known.name, *compare(before, now))


def _resumed_otherwise(folder: Path, known: Recorded) -> str | None:
    """Return whether a table that starts again would now take up another round than it did."""
    header, observations = read_log(folder / "logs" / f"{known.name.removesuffix('-after')}-before.jsonl.gz")
    was = read_log(folder / "logs" / f"{known.name}.jsonl.gz")[0].options.get(_RESUMED, [])
    now = json.loads(json.dumps(round_of(header, observations)))
    return None if _without_new(now, was, "", set()) == was else "the round that goes on after the restart is another"


def compare(before: bytes, now: bytes) -> tuple[tuple[str, ...], str | None]:
    """Two files of events, line by line: the fields that are new in ``now``, and the first other difference.

    >>> compare(b'{"type":"a","data":{"n":1}}', b'{"type":"a","data":{"n":1,"m":2}}')
    (('a: data.m',), None)
    >>> compare(b'{"type":"a","data":{"n":1}}', b'{"type":"a","data":{"n":2}}')
    ((), 'line 1 (a): data.n was 1, is 2')
    """
    if before == now:
        return (), None
    added: set[str] = set()
    for number, (was, line) in enumerate(itertools.zip_longest(before.splitlines(), now.splitlines()), start=1):
        if was == line:
            continue
        if was is None or line is None:
            return tuple(
                sorted(added)
            ), f"line {number} is {'new' if was is None else 'missing'}: {_short(was or line)}"
        old, new = json.loads(was), json.loads(line)
        left = _without_new(new, old, f"{old['type']}: ", added)
        if left != old:
            path, one, two = next(_differences(old, left))
            return tuple(sorted(added)), f"line {number} ({old['type']}): {path} was {_short(one)}, is {_short(two)}"
        if json.dumps(left, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") != was:
            return tuple(sorted(added)), f"line {number} ({old['type']}): the same values, written otherwise"
    return tuple(sorted(added)), None


def _without_new(new: Any, old: Any, path: str, added: set[str]) -> Any:
    """Return ``new`` without the fields of objects that ``old`` has not; their paths go to ``added``."""
    if isinstance(new, dict) and isinstance(old, dict):
        added.update(f"{path}{name}" for name in new if name not in old)
        return {name: _without_new(new[name], old[name], f"{path}{name}.", added) for name in new if name in old}
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        return [_without_new(one, two, f"{path[:-1]}[].", added) for one, two in zip(new, old, strict=True)]
    return new


def _differences(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, object, object]]:
    """Return where two JSON values differ, deepest first: path, old value, new value."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*old, *(name for name in new if name not in old)]:
            yield from _differences(old.get(name), new.get(name), f"{path}.{name}" if path else name)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for n, (one, two) in enumerate(zip(old, new, strict=True)):
            yield from _differences(one, two, f"{path}[{n}]")
    elif old != new:
        yield path, old, new


def _short(value: object) -> str:
    text = value.decode() if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"


# -- beside an older tree ----------------------------------------------------------------------------------------------


def against(folder: Path, revision: str, every: int, *, causes: bool) -> list[Compared]:
    """Compare what the tree of ``revision`` makes of every ``every``-th log in ``folder`` with what this tree makes.

    Rule sets that it does not know are left out. ``causes``: say which commits have changed the events of a log.
    """
    known = sorted(_manifest(folder)[1].values(), key=lambda one: (GROUPS.index(one.group), one.name))[::every]
    logs = {one.name: folder / "logs" / f"{one.name}.jsonl.gz" for one in known}
    results = []
    with OlderTree(revision) as tree:
        for name, log in logs.items():
            older = tree.replayed(log)
            if older is None:
                print(f"{name}: not known to {revision}", flush=True)
                continue
            results.append(Compared(name, *compare(older, replayed(log))))
            if results[-1].wrong:
                print(f"{name}: {results[-1].wrong}", flush=True)
    if causes:
        differing = {one.name: logs[one.name] for one in results if one.wrong or one.added}
        for commit, names in changed_by(differing, revision).items():
            print(f"{commit}\n    {len(names)} logs: {', '.join(names)}", flush=True)
    return results


# -- the command -------------------------------------------------------------------------------------------------------


def _manifest(folder: Path) -> tuple[dict[str, Any], dict[str, Recorded]]:
    """Return what is recorded in ``folder``: by which code, and each log by name. Raises CorpusError without one."""
    try:
        first, *lines = (folder / _MANIFEST).read_text(encoding="utf-8").splitlines()
        known = {one["name"]: Recorded(**one) for one in map(json.loads, lines)}
        return json.loads(first), known
    except (OSError, ValueError, TypeError) as error:
        raise CorpusError(f"{folder} holds no corpus that can be read: {error}") from None


def record(folder: Path, todo: Sequence[Case], jobs: int) -> int:
    """Record every case of ``todo`` that is not yet in ``folder``; how many logs there are afterwards."""
    code = fingerprint()
    for part in (folder, folder / "logs", folder / "events"):
        part.mkdir(parents=True, exist_ok=True, mode=0o700)
    manifest = folder / _MANIFEST
    if not manifest.exists():
        manifest.write_text(json.dumps({"code": code, "commit": commit_here()}) + "\n", encoding="utf-8")
    head, known = _manifest(folder)
    if head["code"] != code:
        raise CorpusError(
            f"{folder} was recorded by other code ({head['commit'] or head['code']}): name another folder"
        )
    names = {name.removesuffix("-after") if one.group == "restarts" else name for name, one in known.items()}
    missing = [case for case in todo if case.name not in names]
    with manifest.open("a", encoding="utf-8") as stream:
        for made in _each(partial(record_case, folder), missing, jobs):
            stream.writelines(json.dumps(asdict(one)) + "\n" for one in made)
            stream.flush()
    return len(_manifest(folder)[1])


def check(folder: Path, every: int, jobs: int) -> list[Compared]:
    """Compare every ``every``-th log in ``folder``; what the same code has found before is taken over."""
    head, known = _manifest(folder)
    kept = folder / f"checked-{fingerprint()}.jsonl"
    done: dict[str, Compared] = {}
    if kept.exists():
        for text in kept.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError):  # the line that a cut-off run did not finish
                line = json.loads(text)
                done[line["name"]] = Compared(line["name"], tuple(line["added"]), line["wrong"])
    todo = sorted(known.values(), key=lambda one: (GROUPS.index(one.group), one.name))[::every]
    missing = [one for one in todo if one.name not in done]
    print(f"recorded by {head['commit'] or head['code']}: {len(known)} logs, {len(todo)} to compare", flush=True)
    with kept.open("a", encoding="utf-8") as stream:
        for one in _each(partial(check_case, folder), missing, jobs):
            done[one.name] = one
            stream.write(json.dumps(asdict(one)) + "\n")
            stream.flush()
            if one.wrong:
                print(f"{one.name}: {one.wrong}", flush=True)
    return [done[one.name] for one in todo]


def _each(work: Callable[[_One], _Made], todo: Sequence[_One], jobs: int) -> Iterator[_Made]:
    if jobs <= 1 or len(todo) < 2:
        yield from map(work, todo)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(work, todo)


def main(arguments: list[str] | None = None) -> int:
    """Run the command: 0 done or the same, 1 where a log gives other events, 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python tools/corpus.py", description=__doc__.splitlines()[0])
    parser.add_argument("do", choices=("record", "check", "against"))
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER, help=f"the corpus ({FOLDER.name} in .work)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th log of each group")
    parser.add_argument("--groups", default=",".join(GROUPS), help="what to record: names with commas")
    parser.add_argument("--tree", metavar="REV", help="against: the older commit")
    parser.add_argument("--causes", action="store_true", help="against: which commits changed the events of each log")
    given = parser.parse_args(arguments)
    groups = given.groups.split(",")
    if given.jobs < 1 or given.every < 1 or not set(groups) <= set(GROUPS):
        print(f"--jobs and --every are at least 1, --groups are of {', '.join(GROUPS)}", file=sys.stderr)
        return 2
    try:
        if given.do == "record":
            print(f"{given.folder}: {record(given.folder, chosen(groups, given.every), given.jobs)} logs")
            return 0
        if given.do == "against":
            results = against(given.folder, given.tree or "", given.every, causes=given.causes)
        else:
            results = check(given.folder, given.every, given.jobs)
    except (CorpusError, TreeError) as error:
        print(error, file=sys.stderr)
        return 2
    for field, number in sorted(Counter(field for one in results for field in one.added).items()):
        print(f"new in {number} logs: {field}")
    wrong = sum(one.wrong is not None for one in results)
    print(f"{len(results) - wrong} of {len(results)} logs give the same events")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
