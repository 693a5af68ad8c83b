"""Check that each order at a random moment of a rehearsed deal is answered with what it did.

``python tools/answered_orders.py [--orders 1000] [--seed 1] [--rules NAME,…] [--json FILE] [--verbose]``

At a random moment of a rehearsed log (staged faults, normal noise) the process divides: one half is given the order,
the other an order that no table knows, and both are fed the same observations until the order is answered and
``AFTER_S`` seconds beyond. What differs between the halves, in events or in the public state, is the effect. An order
answered as carried out must have one, an order that is refused none, and each must be answered. Orders are made from
what the page would offer (open irregularities, rows, sheets) and, one of four times, of values that fit nothing.
Reported by kind of order: carried out, refused, how many of them later than at once, and by how many seconds at most.
Exit code 1 if an answer was not true.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hw.observation_log import Header  # noqa: E402
from hw.observations import Console, Observation  # noqa: E402
from hw.seats import LINES, SEATS  # noqa: E402
from table_service.events import Event, event_to_json  # noqa: E402
from table_service.events.orders import ORDERS  # noqa: E402
from table_service.games.definition import Fold, RuleSet  # noqa: E402
from table_service.rehearsal.game_rehearsal import RehearsalError, rehearsal_of, rows_named  # noqa: E402
from table_service.rehearsal.rehearse import Rehearsal, prepare  # noqa: E402
from table_service.rulesets import open_fold, rule_set  # noqa: E402

RULES: Final = ("fibur2024", "feburit", "online", "tarocco", "bridge")
AFTER_S: Final = 2.0
"""Seconds of the log for which both halves go on after the answer: what an order changes shows itself by then."""
LONGEST_S: Final = 30.0
"""Seconds of the log after which an order that has no answer counts as unanswered."""
PER_LOG: Final = 50
"""Orders tried on one rehearsed log."""
UNKNOWN: Final = "no-such-order"
_NUMBERS: Final = frozenset({"id", "seq"})
Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one half reported: the ``answer`` (None: none came; empty: carried out) at ``answered_t``, and the rest."""

    answer: str | None
    answered_t: float
    events: tuple[Any, ...]
    state: dict[str, Any]
    ignored_later: bool
    """It was reported as ignored after the answer."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One order, its answer, and what differed."""

    rules: str
    seed: int
    order: Console
    answer: str | None
    late_s: float
    effect: tuple[str, ...]
    ignored_later: bool

    @property
    def is_true(self) -> bool:
        """True if the order was answered, and the answer says whether it had an effect."""
        acts = self.answer == "" and self.order.do != "foresee"  # which only asks
        told = self.answer is not None and acts == bool(self.effect)
        return told and not self.ignored_later


@dataclass(slots=True)
class Seen:
    """What a page would know at a moment: keys of irregularities, sheets by deal, melds, taken from the events."""

    keys: list[str] = field(default_factory=list)
    rows: dict[str, str] = field(default_factory=dict)
    sheets: dict[int, Event] = field(default_factory=dict)
    melds: list[tuple[str, int]] = field(default_factory=list)

    def note(self, events: Sequence[Event]) -> None:
        """Take in what was reported."""
        for event in events:
            document = event_to_json(event)
            data = document["data"]
            if event.type == "irregularity":
                self.keys.append(data["key"])
                self.rows[data["key"]] = data["row"]
            elif event.type == "score.counted" and event.deal is not None:
                self.sheets[event.deal] = event
            elif event.type.startswith("meld."):
                meld = data["meld"]
                self.melds.append((meld["line"], meld["id"]))


class OrderMaker:
    """Makes orders of every kind, from what was seen or of values that fit nothing."""

    def __init__(self, rules: RuleSet, chance: random.Random) -> None:
        self._rules = rules
        self._random = chance
        self._makers: dict[str, Callable[[Seen], Fields]] = {
            "start-round": lambda _seen: {"deals": self._one(1, 2, 4), "minutes": self._one(None, 60)},
            "seating": lambda _seen: {"pairs": {"NS": f"Pair {chance.randrange(10**6)}", "EW": self._one("B", "")}},
            "deal": lambda _seen: {"deal": self._one(2, 3, "x"), "dealer": self._one(*SEATS, None)},
            "rule": self._rule,
            "dismiss": self._close,
            "foresee": self._close,
            "confirm": self._close,
            "warn": lambda _seen: {"line": self._one(*LINES, "XX")},
            "correct": self._correct,
            "said": lambda _seen: {"seat": self._one(*SEATS), "what": self._one("pot", "close", "claim:3", "signal")},
            "bonus": lambda _seen: {"line": self._one(*LINES), "points": self._one(50, -100, 0)},
            "sheet-written": self._sheet,
            "sheet-correct": self._sheet,
        }

    def make(self, seen: Seen, t: float) -> Console:
        """Return an order given at ``t`` seconds of the log."""
        do = self._random.choice(sorted(ORDERS))
        fields = self._makers.get(do, lambda _seen: {})(seen)
        if self._random.random() < 0.25 and fields:
            fields[self._random.choice(sorted(fields))] = self._one(None, "nothing", 10**6, [], {"x": 1}, True)
        return Console(round(t, 6), "arbitro", do, {name: value for name, value in fields.items() if value is not None})

    def _one(self, *values: Any) -> Any:
        return self._random.choice(values)

    def _key(self, seen: Seen) -> str:
        return self._random.choice([*seen.keys[-6:], "r1d1-99"])

    def _close(self, seen: Seen) -> Fields:
        return {"key": self._key(seen)}

    def _rule(self, seen: Seen) -> Fields:
        catalogue = self._rules.catalogue
        key = self._key(seen)
        named = self._random.choice(sorted(catalogue.rows))
        row = catalogue.rows[seen.rows.get(key, named)]
        if self._random.random() < 0.5:
            return {"key": key, "option": self._one(None, *(choice.key for choice in row.choices), *row.options)}
        cards = self._random.sample(sorted(self._rules.pack.copies), 2)
        return {
            "row": named,
            "seat": self._one(*SEATS),
            "cards": self._one(None, cards),
            "option": self._one(None, key),
        }

    def _correct(self, seen: Seen) -> Fields:
        zones = [
            "stock",
            "pots",
            "discard",
            *(f"hand-{seat}" for seat in SEATS),
            "melds-NS",
            "side-N",
            "result",
            "table",
        ]
        cards = self._one(self._random.sample(sorted(self._rules.pack.copies), 3), 11, 4)
        row, zone = None, self._random.choice(zones)
        if seen.melds and self._random.random() < 0.4:
            line, row = self._random.choice(seen.melds)
            zone = f"melds-{line}"
        return {"zone": zone, "cards": cards, "row": row, "tricks": self._one(None, 7)}

    def _sheet(self, seen: Seen) -> Fields:
        deal = self._random.choice([*seen.sheets, 9])
        sheet = seen.sheets.get(deal)
        items = list(self._rules.sheet.names)
        figures = {str(self._one(*LINES)): {self._one(*items, "total"): self._one(0, 100, 205, None)}}
        return {
            "deal": deal,
            "score": None if sheet is None else sheet.id,
            "lines": figures,
            "reason": self._one("riconteggio", ""),
            "signed": self._one(None, ["NS", "EW"]),
        }


def rehearsed_with_faults(rules: str, seed: int, chance: random.Random) -> Rehearsal:
    """Two deals, in each a fault of those that sensors tell."""
    kinds = rehearsal_of(rules).kinds
    rows = rows_named("all", kinds)
    while True:
        try:
            return prepare(rules, seed, 2, chance.sample(rows, 2))
        except RehearsalError:  # the cards of this seed do not allow it
            continue


def trials(rules: str, seed: int, orders: int) -> Iterator[Trial]:
    """Try ``orders`` orders at random moments of the deals that ``seed`` makes."""
    chance = random.Random(f"{rules} {seed}")  # noqa: S311
    rehearsal = rehearsed_with_faults(rules, seed, chance)
    header, observations = rehearsal.header, list(rehearsal.observations())
    moments = sorted(chance.sample(range(10, len(observations) - 1), orders))
    fold, seen, maker = open_fold(header), Seen(), OrderMaker(rule_set(rules), chance)
    for n, observation in enumerate(observations):
        while moments and moments[0] == n:
            moments.pop(0)
            order = maker.make(seen, observation.t + 1e-6)  # at a moment of its own
            yield _tried(fold, header, seed, order, observations[n:])
        seen.note(fold.feed(observation))
        fold.answers()


def _tried(fold: Fold, header: Header, seed: int, order: Console, rest: Sequence[Observation]) -> Trial:
    given = _in_a_child(lambda: _run(fold, order, rest, None))
    unknown = Console(order.t, order.by, UNKNOWN)
    until = given.answered_t + AFTER_S
    other = _in_a_child(lambda: _run(fold, unknown, rest, until))
    effect = tuple(_differences(given, other))
    late = round(given.answered_t - order.t, 3)
    return Trial(header.rules, seed, order, given.answer, late, effect, given.ignored_later)


def _run(fold: Fold, order: Console, rest: Sequence[Observation], until: float | None) -> Outcome:
    """Give ``order`` and go on with ``rest``; until the log's second ``until``, else ``AFTER_S`` after the answer."""
    events = list(fold.feed(order))
    answer, answered_t, known = None, order.t, 0
    for observation in (None, *rest):
        if observation is not None:
            if observation.t > (order.t + LONGEST_S if until is None else until):
                break
            events += fold.feed(observation)
        for one in fold.answers():
            if one.order is order and answer is None:
                answer, answered_t = one.why, max(order.t, order.t if observation is None else observation.t)
                known = len(events)
                until = answered_t + AFTER_S if until is None else until
    told = tuple(_plain(event) for event in events)
    later = any(one is None and event.t == order.t for one, event in list(zip(told, events, strict=True))[known:])
    return Outcome(answer, answered_t, tuple(one for one in told if one is not None), fold.state(), later)


def _plain(event: Event) -> str | None:
    """``event`` without its number; None if it only says that an order was ignored."""
    document = event_to_json(event)
    data = document["data"]
    if event.type == "table.health" and data.get("what") == "order" and data.get("state") == "ignored":
        return None
    return json.dumps({k: v for k, v in document.items() if k not in _NUMBERS}, sort_keys=True)


def _differences(given: Outcome, other: Outcome) -> Iterator[str]:
    mine, theirs = Counter(given.events), Counter(other.events)
    yield from (f"+ {one}" for one in (mine - theirs))
    yield from (f"- {one}" for one in (theirs - mine))
    for name in sorted(given.state.keys() | other.state.keys()):
        if given.state.get(name) != other.state.get(name):
            yield f"state {name}: {other.state.get(name)} -> {given.state.get(name)}"


def _in_a_child(work: Callable[[], Outcome]) -> Outcome:
    """``work`` done by a copy of this process, so that nothing of it is left here."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with os.fdopen(write, "wb") as pipe:
                pickle.dump(work(), pipe)
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    found: Outcome = pickle.loads(content)  # noqa: S301 - our own child wrote it
    return found


def main() -> int:
    """Run the trials and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--orders", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default=",".join(RULES))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    names = given.rules.split(",")
    done: list[Trial] = []
    seed = given.seed
    while len(done) < given.orders:
        for rules in names:
            count = min(PER_LOG, given.orders - len(done))
            if count > 0:
                done += trials(rules, seed, count)
        seed += 1
    _report(done, verbose=given.verbose)
    if given.json is not None:
        given.json.write_text(json.dumps([_as_data(one) for one in done], indent=1))
    return 0 if all(one.is_true for one in done) else 1


def _as_data(one: Trial) -> dict[str, Any]:
    order = {"t": one.order.t, "do": one.order.do, "fields": one.order.fields}
    return {"rules": one.rules, "seed": one.seed, "order": order, "answer": one.answer, "effect": one.effect}


def _report(done: Sequence[Trial], *, verbose: bool) -> None:
    for do in sorted(ORDERS):
        some = [one for one in done if one.order.do == do]
        carried = sum(one.answer == "" for one in some)
        late = [one.late_s for one in some if one.late_s > 0]
        untrue = sum(not one.is_true for one in some)
        print(
            f"{do:14} {len(some):4}  carried out {carried:4}  refused {len(some) - carried:4}"
            f"  later {len(late):4}, at most {max(late, default=0.0):.2f} s  untrue {untrue}"
        )
    wrong = [one for one in done if not one.is_true]
    print(f"{len(done)} orders, {len(wrong)} answered otherwise than they did")
    for one in wrong if verbose else wrong[:20]:
        said = "no answer" if one.answer is None else one.answer or "carried out"
        print(f"- {one.rules} seed {one.seed} t {one.order.t}: {one.order.do} {one.order.fields}: {said}")
        for line in one.effect[:3]:
            print(f"    {line[:300]}")


if __name__ == "__main__":
    sys.exit(main())
