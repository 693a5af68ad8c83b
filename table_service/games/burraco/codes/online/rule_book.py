"""The figures and choices of the common online rules (seeds 002), each with its section.

The text describes a system that refuses every move it does not allow. At a table such moves can be made: they are taken
back, and what else follows is the arbitro's to decide.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from table_service.games.burraco.rules.options import CodeOption, OptionChoice
from table_service.games.burraco.rules.policies import (
    NO_BAR,
    Countdown,
    MatchEnd,
    MissedDrawRules,
    OutOfTurnRules,
    PotRules,
    TableRules,
    TakingRules,
    TimeRules,
    WrongClosingRules,
)
from table_service.games.burraco.rules.rulebook import NEVER, RuleBook

_OPTIONS: Final = (
    CodeOption(
        "target",
        "Fine della partita",
        "Punteggio che chiude la partita",
        "The total that ends the match",
        number="match.target",
    ),
    CodeOption(
        "two_aces_in_run",
        "Regole per aprire nuovi giochi",
        "Due assi nella stessa sequenza, uno prima del 2 e uno dopo il K",
        "Two aces in one run, one before the 2 and one after the king",
        (
            OptionChoice("false", "non ammessi", "not allowed", {"aces_per_run": 1, "run_naturals": 13}),
            OptionChoice("true", "ammessi", "allowed", {"aces_per_run": 2, "run_naturals": 14}),
        ),
        "false",
    ),
    CodeOption(
        "heads_up_seats",
        "Regole del burraco",
        "I posti di una partita a due",
        "The seats of a match of two",
        (OptionChoice("NS", "Nord e Sud", "North and South"),),
        "NS",
    ),
    CodeOption(
        "per_action",
        "Tempi a disposizione del giocatore",
        "Per che cosa vale il minuto",
        "What the minute is for",
        (
            OptionChoice(
                "action",
                "ogni azione: presa, ciascun gioco, scarto",
                "each action: taking, each meld, the discard",
                {"time.countdown": Countdown(seconds=60, in_flight=60, per="action")},
            ),
            OptionChoice(
                "turn",
                "tutto il turno",
                "the whole turn",
                {"time.countdown": Countdown(seconds=60, in_flight=60, per="turn")},
            ),
        ),
        "action",
    ),
)

BOOK: Final = RuleBook(
    name="online",
    edition="common online rules",
    prefix="O",
    set_naturals=8,  # no limit is written: the pack has eight
    set_cards=9,
    same_face_per_set=8,  # "of the same suit too"
    bonuses=MappingProxyType({"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200}),  # Burrachi
    inner_wild="semi-clean",  # Burrachi: seven clean cards in sequence, wherever the wild lies
    equal_sets="refused",  # Regole per aprire nuovi giochi
    second_set_ban="unregulated",
    stalemate_row="",
    stalemate_turns=NEVER,
    robbed_bonus=0,
    pot_malus_when_neither_took=True,  # Punteggio
    exposed_to="nobody",
    round_minutes=MappingProxyType({}),
    vp_tables=MappingProxyType({}),
    vp_teams=MappingProxyType({}),
    table=TableRules(
        seats=(2, 4),  # Regole del burraco
        begins="unregulated",
        points_out="unregulated",
        free_wild_on_top="unregulated",
        card_is_played="unregulated",
        right_lapses="anybody-draws",  # reading: the text has no such rule
        temporary_freeze="unregulated",
        keepers="owner",  # Regole per allungare: under the owner's name
        hand_counts="unregulated",
        hand_shields=False,
    ),
    time=TimeRules(
        last_round="unregulated",
        left="shown",
        countdown=Countdown(seconds=60, in_flight=60, per="action"),  # Tempi
    ),
    taking=TakingRules(
        pile_drawn_near="unregulated",
        several_left="taken-back",
        second_card="taken-back",
        sole_card_discarded="taken-back",  # Il giocatore di turno
        stock_inspected="unregulated",
    ),
    pot=PotRules(
        handed_by="unregulated",
        repaired="unregulated",
        wrongly_taken="taken-back",  # Presa del pozzetto
        robbed_line="unregulated",
        flight_by_fault="unregulated",
    ),
    mending=None,
    exposed=None,
    ghosts=None,
    penalised=None,
    missed_draw=MissedDrawRules(takes="draw-or-collect", after_discard="taken-back", counts_against=None),
    out_of_turn=OutOfTurnRules(
        with_melds="taken-back",
        without_draw="taken-back",
        unknown_card="unregulated",
        next_turn="unregulated",
        after_discard="taken-back",
        past="anybody-draws",
    ),
    wrong_closing=WrongClosingRules(
        last_play="unregulated",
        without_burraco="taken-back",
        with_wild="taken-back",
        without_discard="taken-back",
        bar=NO_BAR,
    ),
    warnings=(),
    match=MatchEnd(drawn_by_stock=True),  # Esaurimento delle carte del tallone, Fine della partita
    options=_OPTIONS,
)
"""Burraco as online rooms play it."""
