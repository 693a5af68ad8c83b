"""What ``make bench`` plays: deals by our rules, and the same kind of work by two engines that everybody knows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import chess
from pokerkit import Automation, NoLimitTexasHoldem, State

from hw.cards import TAROCCO
from hw.equipment import BURRACO_TABLE
from hw.observations import Console, Observation
from hw.seats import ANTICLOCKWISE, Line, Seat, seat_or_none
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
from table_service.games.burraco.reading import Situation, read_movement, read_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules import meld
from table_service.games.burraco.rules.applied_actions import apply, verify
from table_service.games.burraco.rules.deal import Deal
from table_service.games.tarocco.rules.card_points import worth
from table_service.games.tarocco.rules.deal import TaroccoDeal
from table_service.games.tarocco.rules.deal_checks import why_not
from table_service.games.tarocco.rules.piles import piles as tarocco_piles
from table_service.games.tarocco.rules.score import LinePile, score_deal
from table_service.rehearsal.rehearse import prepare
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement, Notice, RowChanged


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
    """Return a no-limit hold'em hand of four players, blinds 1 and 2, 200 chips each, before the cards are dealt."""
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
    """Return a game of legal moves chosen by ``rng``."""
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


Loaded = Sequence[tuple[Any, list[Observation]]]


def track(loaded: Loaded) -> int:
    """Only follow the cards: observations to movements. How many observations."""
    for header, observations in loaded:
        tracker = Tracker(header, BURRACO_TABLE)
        for observation in observations:
            tracker.feed(observation)
        tracker.close()
    return sum(len(observations) for _, observations in loaded)
