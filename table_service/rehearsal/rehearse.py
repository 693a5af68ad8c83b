"""``rehearse``: a seed → an observation log of simulated play, and beside it the truth.

Everything follows from the arguments: the same ones give the same bytes, on any machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from hw.observation_log import Header, LogWriter
from hw.observations import Observation, Reach
from hw.seats import SEATS
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.timed_events import Performed
from table_service.rehearsal.game_rehearsal import (
    Randoms,
    RehearsalError,
    Unstageable,
    default_rules,
    rehearsal_of,
    rehearsed,
)
from table_service.rehearsal.script import Script
from table_service.rehearsal.sensing_steps import STEPS, WHOLE, SeenHands, header_at, sensed
from table_service.rehearsal.truth import Truth, truth_of, write_truth

DEALS_AT_MOST: Final = 16
"""Most deals that may be asked for; faults without a number of deals may need more."""


@dataclass(slots=True)
class Rehearsal:
    """A rehearsed round: its header, its script, and the observations, which also yield the truth once all are read."""

    header: Header
    script: Script
    rules: str
    seed: int
    noise: str
    players: int | None = None
    step: int = WHOLE
    tags: dict[str, str] = field(default_factory=dict)
    """The tags of the pack if the header names none, as no gate of the table would read them."""
    performed: list[Performed] = field(default_factory=list)
    until: float = 0.0

    def cut_short(self, cues: int = 30) -> None:
        """Let the round end ``cues`` cues after its last fault has been seen and its last sanction served or broken."""
        shown = [fault.evident for fault in self.script.injected] + [kept.cue for kept in self.script.kept]
        self.script.cut(max(shown) + cues)

    def observations(self) -> Iterator[Observation]:
        """Perform the script: what the sensors say, in order of arrival."""
        self.performed.clear()
        game = rehearsal_of(self.rules, self.players)
        observer = Observer(
            self.tags or self.header.tags,
            load_noise(self.noise),
            _random(self.seed, "table"),
            game.table,
            paces=self.script.paces,
        )
        hands = SeenHands(_random(self.seed, "hands"))
        for cue in self.script.cues:
            lines, done = observer.perform(cue.gesture)
            self.performed.append(done)
            yield from self._sensed((line for line in lines if cue.beamed or not isinstance(line, Reach)), hands)
        yield from self._sensed(observer.finish(), hands)
        self.until = observer.t

    def _sensed(self, lines: Iterable[Observation], hands: SeenHands) -> Iterator[Observation]:
        """Yield those of ``lines`` that the sensors of the table's step report."""
        return (line for line in (sensed(self.step, one, hands) for one in lines) if line is not None)

    def truth(self) -> Truth:
        """Return the truth; only after ``observations`` were read to the end."""
        remedies = rehearsal_of(self.rules, self.players).remedies
        return truth_of(self.script, self.performed, self.rules, self.seed, self.noise, self.until, remedies)


def _random(seed: int, purpose: str) -> random.Random:
    return random.Random(f"{seed}/{purpose}")  # noqa: S311 - a simulation


def _randoms(seed: int) -> Randoms:
    return lambda number, attempt: _random(seed, f"play/{attempt}" if number == 1 else f"play/{number}/{attempt}")


def real_script(records: bytes, seed: int, habits: str, rules: str, players: int | None = None) -> tuple[Script, int]:
    """Return the script of the deals of a file of ``records``, and how many they are. Raises RehearsalError."""
    directs = rehearsal_of(rules, players).direct_real
    if directs is None:
        raise RehearsalError(f"{rules} has no records of deals that could be rehearsed")
    return directs(_randoms(seed), records, habits)


def script_for(
    seed: int,
    deals: int | None = None,
    faults: Sequence[str] = (),
    habits: str = "tidy",
    stage: str | None = None,
    rules: str = "",
    players: int | None = None,
) -> Script:
    """Return the script of ``seed`` in which every fault of ``faults`` happens; ``habits``: handling of the table.

    ``stage``: when the arbitro rules on them, a stage of the game; None: as it comes. ``rules``: the default rule set
    if none is named. ``players``: number of players; None: as usual.

    ``deals`` None: as many as the faults need, one for each, and at least one. Raises UnknownFault, and RehearsalError
    if no deal of the seed suits a fault.
    """
    try:
        return rehearsal_of(rules or default_rules(), players).direct(
            _randoms(seed), deals or max(1, len(faults)), faults, habits, stage
        )
    except Unstageable as error:
        raise RehearsalError(f"seed {seed}: {error}") from None


def header_for(rules: str, seed: int, deals: int, table: str = "T1", players: int | None = None) -> Header:
    """Return the header of a rehearsed log: random tags for every card, a beginning that depends on the seed alone."""
    rng = _random(seed, "tags")
    game = rehearsal_of(rules, players)
    pack = rehearsed(rules).pack
    uids = sorted({f"E00401{rng.getrandbits(40):010X}" for _ in range(2 * pack.size)})
    rng.shuffle(uids)
    tags = dict(sorted(zip(uids, pack.cards(), strict=False)))
    return Header(
        table=table,
        rules=rules,
        options=dict(game.options(deals)),
        seats={str(seat): f"Player {seat}" for seat in SEATS if game.table.rotation.holds(seat)},
        tags=tags,
        started=f"2026-11-{seed % 28 + 1:02d}T{15 + seed % 6:02d}:00:00Z",
    )


def prepare(
    rules: str,
    seed: int,
    deals: int | None = None,
    faults: Sequence[str] = (),
    noise: str = "normal",
    table: str = "T1",
    habits: str = "tidy",
    stage: str | None = None,
    players: int | None = None,
    step: int = WHOLE,
    records: bytes = b"",
) -> Rehearsal:
    """Return a round ready to be performed; ``deals`` None: one for each fault. ``habits``: handling of the table.

    ``stage``: when the arbitro rules on the faults; None: when, and whether, as it comes. ``players``: number of
    players; None: as usual. ``step``: which sensors it has (``sensing_steps``). ``records``: bytes of a file whose
    deals are played as they are there instead of ``deals`` of the players' own.

    Raises RehearsalError, UnknownFault, NoiseError.

    >>> round_ = prepare("fibur2024", 7, faults=["F-31a"])
    >>> [fault.row for fault in round_.script.injected]
    ['F-31a']
    >>> next(line.do for line in round_.observations() if line.kind == "console")
    'start-round'
    """
    known = rehearsal_of(rules, players).habits
    if deals is not None and not 1 <= deals <= DEALS_AT_MOST:
        raise RehearsalError(f"a round has 1 to {DEALS_AT_MOST} deals, not {deals}")
    if habits not in known:
        raise RehearsalError(f"no people have the habits '{habits}': there are {', '.join(known)}")
    if step not in STEPS:
        raise RehearsalError(f"a table stands on a step from {STEPS[0]} to {WHOLE}, not on {step}")
    load_noise(noise)
    script, number = real_script(records, seed, habits, rules, players) if records else (None, 0)
    number = number or deals or max(1, len(faults))
    header, with_faults = header_for(rules, seed, number, table, players), rehearsal_of(rules, players).options_with
    asked = {name: value for row in faults for name, value in with_faults.get(row, {}).items()}
    header, tags = header_at(step, header, rehearsed(rules).equipment), header.tags
    return Rehearsal(
        replace(header, options={**header.options, **asked}),
        script or script_for(seed, number, faults, habits, stage, rules, players),
        rules,
        seed,
        noise,
        players,
        step,
        tags,
    )


def truth_path(log: Path) -> Path:
    """Return the path of the truth of ``log``: ``OUT.truth.json`` beside ``OUT.jsonl``."""
    name = log.name
    for suffix in (".jsonl.gz", ".jsonl"):
        name = name.removesuffix(suffix)
    return log.with_name(f"{name}.truth.json")


def rehearse(
    rules: str,
    seed: int,
    log: Path,
    deals: int | None = None,
    faults: Sequence[str] = (),
    noise: str = "normal",
    habits: str = "tidy",
    players: int | None = None,
    step: int = WHOLE,
    records: bytes = b"",
) -> Truth:
    """Write the observation log of a rehearsed round to ``log`` (mode 0600) and its truth beside it.

    Raises RehearsalError, UnknownFault, NoiseError, and OSError if the files cannot be written.
    """
    rehearsal = prepare(rules, seed, deals, faults, noise, habits=habits, players=players, step=step, records=records)
    with LogWriter(log, rehearsal.header) as writer:
        writer.write_all(rehearsal.observations())
    truth = rehearsal.truth()
    write_truth(truth_path(log), truth)
    return truth
