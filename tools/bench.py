"""``make bench``: how fast the rules and the replay are on one core, beside two engines that everybody knows.

Everything is measured in one run, several times over, by wall clock and by the process's own CPU time: where other
programs share the core only the second tells what the code costs. A fixed loop of plain Python, timed between the
measurements, tells how fast the core itself was meanwhile, so that runs can be compared. All input is seeded.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import platform
import pstats
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import chess
import instructions
import older_tree
from bench_bridge import call_boards, check_record, play_boards, played_board, record_of
from pokerkit import Automation, NoLimitTexasHoldem, State

from hw.cards import TAROCCO
from hw.equipment import BURRACO_TABLE
from hw.observation_log import read_log
from hw.observations import Console, Observation
from hw.seats import ANTICLOCKWISE, Line, Seat, seat_or_none
from table_service.events import dumps
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
from table_service.games.burraco.fold import TableFold
from table_service.games.burraco.reading import Situation, read_movement, read_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules import meld
from table_service.games.burraco.rules.applied_actions import apply, verify
from table_service.games.burraco.rules.deal import Deal
from table_service.games.tarocco.rules.deal import Deal as TaroccoDeal
from table_service.games.tarocco.rules.deal_checks import why_not
from table_service.games.tarocco.rules.piles import piles as tarocco_piles
from table_service.games.tarocco.rules.score import LinePile, score_deal
from table_service.games.tarocco.rules.tarocchi import worth
from table_service.rehearsal.rehearse import prepare, rehearse
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement, Notice, RowChanged

TARGETS: Final = {
    "engine": ("Tavolo, verify and apply", 20_000.0),
    "replay": ("Tavolo, replay from file to events", 5_000.0),
    "tarocco's engine": ("tarocco, verify and play", 20_000.0),
    "tarocco's count": ("tarocco, count", 1_000.0),
    "bridge's auction": ("bridge, judge and call", 50_000.0),
    "bridge's engine": ("bridge, judge and play", 50_000.0),
    "bridge's records": ("bridge, check of records", 2_000.0),
}
"""By which line, and how many a second on one core: actions of the pure engine and observations of the replay
(issue 3), cards played and piles counted of tarocco (issue 17), calls, cards and boards of bridge (issue 18)."""
_SEED: Final = 2024


@dataclass(frozen=True, slots=True)
class Measured:
    """One line of the table: ``count`` things of the kind ``unit`` done in each of the timed passes.

    Rates are per second. ``cpu``: median over the passes by process CPU time, ``low`` and ``high`` its extremes;
    ``wall``: median by wall clock. ``loops``: the core's pace meanwhile in calibration loops per CPU second.
    """

    name: str
    unit: str
    count: int
    cpu: float
    low: float
    high: float
    wall: float
    loops: float

    @property
    def spread(self) -> float:
        """Half the distance of the extremes as a part of the median."""
        return (self.high - self.low) / 2 / self.cpu


def calibration() -> int:
    """A fixed piece of plain Python: small dictionaries, tuples, calls and integers, as the rules use them."""
    total = 0
    for n in range(4_000):
        held = {"a": n, "b": n + 1}
        pair = (*held.values(), n & 7)
        total += len(pair) + held["b"] % 5
    return total


def _loops(passes: int = 15) -> float:
    times = []
    for _ in range(passes):
        start = time.process_time()
        calibration()
        times.append(time.process_time() - start)
    return 1.0 / statistics.median(times)


def measure(name: str, unit: str, once: Callable[[], int], passes: int) -> Measured:
    """Time ``once``, which returns how many things it did, ``passes`` times after one pass that does not count."""
    count = once()
    before = _loops()
    cpu, wall = [], []
    for _ in range(passes):
        gc.collect()
        wall_start, cpu_start = time.perf_counter(), time.process_time()
        count = once()
        cpu.append(count / (time.process_time() - cpu_start))
        wall.append(count / (time.perf_counter() - wall_start))
    pace = (before + _loops()) / 2
    return Measured(name, unit, count, statistics.median(cpu), min(cpu), max(cpu), statistics.median(wall), pace)


# -- our engine --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal's actions as the table itself read them, and the deal that they begin with."""

    start: Deal
    actions: tuple[act.Action, ...]


def actions_of(seed: int) -> PlayedDeal:
    """One rehearsed deal without noise: its observations tracked and read, ready to be applied again and again."""
    round_ = prepare("fibur2024", seed, noise="none")
    tracker = Tracker(round_.header, BURRACO_TABLE)
    start = deal = Deal.begin(FIBUR2024, 1, Seat.NORTH)
    done: list[act.Action] = []
    for observation in round_.observations():
        for track in tracker.feed(observation):
            actions: tuple[act.Action, ...] = ()
            match track:
                case Notice(observation=Console(do="deal", fields=fields)):
                    dealer = seat_or_none(fields.get("dealer")) or Seat.NORTH
                    start = deal = Deal.begin(FIBUR2024, 1, dealer)
                    done = []
                case Movement():
                    actions = read_movement(Situation(deal), track)
                case RowChanged():
                    actions = read_row(track, deal)
            for action in actions:
                deal = apply(deal, action)
            done.extend(actions)
    return PlayedDeal(start, tuple(done))


def play(deals: Sequence[PlayedDeal], *, cold: bool) -> int:
    """Verify and apply every action of ``deals``; ``cold``: no meld has been read before. How many actions."""
    count = 0
    for played in deals:
        if cold:
            meld._cache.clear()  # noqa: SLF001 - a fresh table knows no meld yet
        deal = played.start
        for action in played.actions:
            verify(deal, action)
            deal = apply(deal, action)
        count += len(played.actions)
    return count


# -- the neighbours ----------------------------------------------------------------------------------------------------

_AUTOMATED: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


@dataclass(frozen=True, slots=True)
class PlayedTarocco:
    """A deal of tarocco played at random by the rules, and its cards in the order in which they were played."""

    start: TaroccoDeal
    plays: tuple[tuple[Seat, str], ...]
    piles: dict[Line, tuple[str, ...]]


def tarocco_deal(rng: random.Random) -> PlayedTarocco:
    """One deal: fifteen cards a seat, two that are worth least discarded, fifteen tricks by the rules."""
    cards = list(TAROCCO.copies)
    rng.shuffle(cards)
    dealer = rng.choice(ANTICLOCKWISE.seats)
    hands = {seat: cards[15 * place : 15 * place + 15] for place, seat in enumerate(ANTICLOCKWISE.seats)}
    hands[dealer] += cards[60:]
    scarto = sorted(hands[dealer], key=worth)[:2]
    hands[dealer] = [card for card in hands[dealer] if card not in scarto]
    start = deal = TaroccoDeal.dealt(dealer).with_scarto(2, scarto)
    plays = []
    while not deal.is_over:
        seat = deal.play.turn
        if seat is None:
            deal = deal.with_gathered()
            continue
        rules = deal.play.rules
        card = rng.choice(sorted(rules.allowed(hands[seat], deal.play.open.led(rules))))
        hands[seat].remove(card)
        plays.append((seat, card))
        deal = deal.with_play(seat, card)
    return PlayedTarocco(start, tuple(plays), tarocco_piles(deal))


def play_tarocco(deals: Sequence[PlayedTarocco]) -> int:
    """Verify and play every card of ``deals``, gather every trick. How many cards."""
    for played in deals:
        deal = played.start
        for seat, card in played.plays:
            why_not(deal, seat, card)
            deal = deal.with_play(seat, card)
            if deal.play.turn is None:
                deal = deal.with_gathered()
    return sum(len(played.plays) for played in deals)


def count_tarocco(deals: Sequence[PlayedTarocco]) -> int:
    """Count both piles of every deal, each item with its cards. How many piles."""
    for played in deals:
        score_deal({line: LinePile(cards, last_trick=line is Line.NS) for line, cards in played.piles.items()})
    return sum(len(played.piles) for played in deals)


def poker_state() -> State:
    """A no-limit hold'em hand of four players with blinds 1 and 2 and 200 chips each, before the cards are dealt."""
    return NoLimitTexasHoldem.create_state(_AUTOMATED, True, 0, (1, 2), 2, 200, 4)


PokerAct = tuple[str, Any]


def poker_hand(rng: random.Random) -> tuple[PokerAct, ...]:
    """One hand: what the dealer and four players do in it, chosen by ``rng`` among what the rules allow."""
    state = poker_state()
    done: list[PokerAct] = []
    while state.status:
        step: PokerAct
        if state.can_deal_hole():
            step = ("deal_hole", None)
        elif state.can_deal_board():
            step = ("deal_board", None)
        elif rng.random() < 0.15 and state.can_complete_bet_or_raise_to():
            step = ("complete_bet_or_raise_to", state.min_completion_betting_or_raising_to_amount)
        elif state.checking_or_calling_amount and rng.random() < 0.25:
            step = ("fold", None)
        else:
            step = ("check_or_call", None)
        _poker_step(state, step)
        done.append(step)
    return tuple(done)


def _poker_step(state: State, step: PokerAct) -> None:
    name, given = step
    if given is None:
        getattr(state, name)()
    else:
        getattr(state, name)(given)


def play_poker(hands: Sequence[tuple[PokerAct, ...]]) -> int:
    """Play ``hands``: one State each, every act verified by the library as it always does. How many acts."""
    for hand in hands:
        state = poker_state()
        for step in hand:
            _poker_step(state, step)
    return sum(map(len, hands))


def chess_game(rng: random.Random, longest: int = 120) -> tuple[chess.Move, ...]:
    """A game of legal moves chosen by ``rng``."""
    board = chess.Board()
    moves: list[chess.Move] = []
    while len(moves) < longest and (legal := list(board.legal_moves)):
        moves.append(rng.choice(legal))
        board.push(moves[-1])
    return tuple(moves)


def play_chess(games: Sequence[tuple[chess.Move, ...]], check: str) -> int:
    """Push the moves of ``games``. ``check``: ``none``, ``move`` (is it legal), ``all`` (which moves are). How many."""
    for game in games:
        board = chess.Board()
        for move in game:
            if check == "move":
                board.is_legal(move)
            elif check == "all":
                list(board.legal_moves)
            board.push(move)
    return sum(map(len, games))


# -- replay ------------------------------------------------------------------------------------------------------------


def replay(logs: Sequence[Path]) -> int:
    """Replay ``logs`` from the file to the lines of their events, which are not stored. How many observations."""
    count = 0
    for path in logs:
        header, observations = read_log(path)
        table = TableFold(header)
        size = 0
        for observation in observations:
            count += 1
            for event in table.feed(observation):
                size += len(dumps(event))
        for event in table.close():
            size += len(dumps(event))
    return count


def read(logs: Sequence[Path]) -> int:
    """Only read ``logs``: JSON lines to observations. How many."""
    return sum(1 for path in logs for _ in read_log(path)[1])


Loaded = Sequence[tuple[Any, list[Observation]]]


def track(loaded: Loaded) -> int:
    """Only follow the cards: observations to movements. How many observations."""
    for header, observations in loaded:
        tracker = Tracker(header, BURRACO_TABLE)
        for observation in observations:
            tracker.feed(observation)
        tracker.close()
    return sum(len(observations) for _, observations in loaded)


def feed(loaded: Loaded) -> int:
    """The whole fold over observations already read: ``TableFold.feed``. How many observations."""
    for header, observations in loaded:
        table = TableFold(header)
        for observation in observations:
            table.feed(observation)
        table.close()
    return sum(len(observations) for _, observations in loaded)


def make_logs(folder: Path, seeds: Sequence[int]) -> list[Path]:
    """Rehearsed clean deals, one a log, with the assumed noise of the sensors."""
    logs = [folder / f"clean-{seed}.jsonl" for seed in seeds]
    for seed, path in zip(seeds, logs, strict=True):
        rehearse("fibur2024", seed, path)
    return logs


# -- the command -------------------------------------------------------------------------------------------------------


def run(passes: int, deals: int, folder: Path) -> list[Measured]:
    """All measurements, the neighbours between ours so that a busy minute hits everybody alike."""
    rng = random.Random(_SEED)  # noqa: S311 - a fixed workload
    played = [actions_of(seed) for seed in range(1, deals + 1)]
    hands = [poker_hand(rng) for _ in range(10 * deals)]
    games = [chess_game(rng) for _ in range(5 * deals)]
    tarocco = [tarocco_deal(rng) for _ in range(5 * deals)]
    boards = [played_board(rng) for _ in range(20 * deals)]
    record = record_of(boards)
    logs = make_logs(folder, range(1, deals + 1))
    loaded = [(header, list(observations)) for header, observations in map(read_log, logs)]
    return [
        measure("Tavolo, verify and apply", "actions", lambda: play(played, cold=True), passes),
        measure("  melds read before", "actions", lambda: play(played, cold=False), passes),
        measure("pokerkit, State, verified", "actions", lambda: play_poker(hands), passes),
        measure("chess, push alone", "moves", lambda: play_chess(games, "none"), passes),
        measure("chess, is_legal and push", "moves", lambda: play_chess(games, "move"), passes),
        measure("chess, all legal moves and push", "moves", lambda: play_chess(games, "all"), passes),
        measure("Tavolo, replay from file to events", "observations", lambda: replay(logs), passes),
        measure("  reading the log alone", "observations", lambda: read(logs), passes),
        measure("  tracking alone", "observations", lambda: track(loaded), passes),
        measure("  the whole fold without files", "observations", lambda: feed(loaded), passes),
        measure("tarocco, verify and play", "cards", lambda: play_tarocco(tarocco), passes),
        measure("tarocco, count", "piles", lambda: count_tarocco(tarocco), passes),
        measure("bridge, judge and call", "calls", lambda: call_boards(boards), passes),
        measure("bridge, judge and play", "cards", lambda: play_boards(boards), passes),
        measure("bridge, check of records", "boards", lambda: check_record(record), passes),
    ]


def table(lines: Sequence[Measured]) -> str:
    """The measurements as a Markdown table."""
    rows = [
        "| what | counted | a pass | per CPU second | spread | per wall second | the core's pace |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {one.name.replace('  ', '… ')} | {one.unit} | {one.count} "
        f"| {one.cpu:,.0f} | ±{one.spread:.0%} | {one.wall:,.0f} | {one.loops:,.0f} |"
        for one in lines
    ]
    rows += ["", f"Python {platform.python_version()}. The core's pace: calibration loops a CPU second meanwhile."]
    return "\n".join(rows)


def verdict(lines: Sequence[Measured]) -> int:
    """Say whether the targets are met by CPU time; 1 where one is not."""
    found = {one.name: one for one in lines}
    missed = 0
    for name, (line, target) in TARGETS.items():
        one, met = found[line], found[line].cpu >= target
        missed += not met
        print(f"{name}: {one.cpu:,.0f} {one.unit} a second, {'at least' if met else 'below'} {target:,.0f}")
    return 1 if missed else 0


def profile(folder: Path, deals: int) -> None:
    """Print where a replay's time goes."""
    logs = make_logs(folder, range(1, deals + 1))
    replay(logs[:1])
    watch = cProfile.Profile()
    watch.enable()
    replay(logs)
    watch.disable()
    stats = pstats.Stats(watch, stream=sys.stdout).strip_dirs()
    stats.sort_stats("tottime").print_stats(45)
    stats.sort_stats("cumtime").print_stats(45)


def count_instructions(folder: Path, deals: int, revision: str | None) -> int:
    """Print the instructions that each part costs, beside those of ``revision``; 1 where one costs too much more."""
    logs = make_logs(folder, range(1, deals + 1))
    try:
        tree = None if revision is None else older_tree.checked_out(revision)
        older = [] if tree is None else instructions.count(tree, logs)
        now = instructions.count(instructions.ROOT, logs)
    except (instructions.InstructionsError, older_tree.TreeError) as error:
        print(error, file=sys.stderr)
        return 2
    print(instructions.page(now, older, revision or ""))
    missed = instructions.worse(now, older)
    for part in missed:
        print(f"{instructions.PARTS[part][0]}: more than {instructions.ALLOWED:.0%} above {revision}")
    return 1 if missed else 0


def main() -> int:
    """Measure, print, and exit 1 where a target is missed, 2 where it was asked wrongly."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures to OUT too")
    parser.add_argument("--passes", type=int, default=7, help="timed passes of each measurement (7)")
    parser.add_argument("--deals", type=int, default=10, help="rehearsed deals in a pass (10)")
    parser.add_argument("--profile", action="store_true", help="only say where a replay's time goes")
    parser.add_argument("--instructions", action="store_true", help="only count instructions, under valgrind")
    parser.add_argument("--tree", metavar="REV", help="with --instructions: beside those of this commit")
    given = parser.parse_args()
    if given.passes < 1 or given.deals < 1:
        parser.error("--passes and --deals must be at least 1")
    with tempfile.TemporaryDirectory() as name:
        if given.profile:
            profile(Path(name), given.deals)
            return 0
        if given.instructions or given.tree:
            return count_instructions(Path(name), given.deals, given.tree)
        lines = run(given.passes, given.deals, Path(name))
    print(table(lines))
    print()
    if given.json is not None:
        figures = {"python": platform.python_version(), "targets": TARGETS, "measured": [asdict(one) for one in lines]}
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return verdict(lines)


if __name__ == "__main__":
    sys.exit(main())
