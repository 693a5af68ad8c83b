"""The figures and choices of the F.I.Bur. race code, edition of April 2024 (seeds 000)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from table_service.games.burraco.rules.policies import (
    NO_BAR,
    ExposedRules,
    GhostRules,
    MendingRules,
    MissedDrawRules,
    OutOfTurnRules,
    PenalisedRules,
    PotRules,
    TableRules,
    TakingRules,
    TimeRules,
    WarningAccount,
    WrongClosingRules,
)
from table_service.games.burraco.rules.rulebook import RuleBook

BOOK: Final = RuleBook(
    name="fibur2024",
    edition="F.I.Bur., April 2024",
    prefix="F",
    set_naturals=8,
    set_cards=9,
    same_face_per_set=2,
    bonuses=MappingProxyType({"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200}),
    inner_wild="semi-clean",
    equal_sets="allowed",
    second_set_ban="unregulated",
    stalemate_row="F-16",
    stalemate_turns=4,
    robbed_bonus=100,
    pot_malus_when_neither_took=False,
    exposed_to="partner",
    round_minutes=MappingProxyType({2: 25, 3: 32, 4: 42}),
    vp_tables=MappingProxyType(
        {
            2: (40, 120, 200, 300, 400, 500, 620, 740, 870, 1000),
            3: (50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500),
            4: (100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000),
        }
    ),
    vp_teams=MappingProxyType({0: (150, 350, 550, 800, 1050, 1300, 1600, 1900, 2200, 2500)}),
    table=TableRules(
        seats=(4,),
        begins="first-draw",
        points_out="opponents-and-partner-after-discard",
        free_wild_on_top="counts-as-low",
        card_is_played="released",
        right_lapses="next-opponent-draws",
        temporary_freeze="offenders-next-turn",
        keepers="named",
        hand_counts="own-turn",
        hand_shields=True,
    ),
    time=TimeRules(last_round="first-served-to-dealer", left="hidden", countdown=None),
    taking=TakingRules(
        pile_drawn_near="inspection",
        several_left="highest-rank-is-discard",
        second_card="shown-to-next-opponent",
        sole_card_discarded="one-card-of-last-play",
        stock_inspected="player-in-turn",
    ),
    pot=PotRules(
        handed_by="opponent",
        repaired="first-when-handed",
        wrongly_taken="put-back-and-judged-as-closing",
        robbed_line="goes-out-for-its-pot",
        flight_by_fault="stands-after-next-draw",
    ),
    mending=MendingRules(
        opened_without_wild=2,
        opened_with_wild=1,
        one_of_several=False,
        added_to_set=True,
        after_other_play=True,
        after_discard="discards-to-come",
        at_the_count="as-after-the-discard",
    ),
    exposed=ExposedRules(
        played="any-time-in-turn",
        one_left="penalised",
        several_left="penalised",
        out_of_turn="as-in-turn",
        shown_after_wrong_closing="exposed",
    ),
    ghosts=GhostRules(in_turn="penalised", later="next-of-the-line-discards", freezes=True),
    penalised=PenalisedRules(order="highest-first", melds_before_them="frozen-in-turn-of-the-fault", bar=NO_BAR),
    missed_draw=MissedDrawRules(takes="draw-or-collect", after_discard="as-in-turn", counts_against="anybody-closes"),
    out_of_turn=OutOfTurnRules(
        with_melds="mended-and-frozen",
        without_draw="frozen",
        unknown_card="random",
        next_turn="same-act",
        after_discard="frozen",
        past="next-opponent-draws",
    ),
    wrong_closing=WrongClosingRules(
        last_play="last-card-linked",
        without_burraco="penalised",
        with_wild="back-to-hand",
        without_discard="new-meld-gives-discard",
        bar=NO_BAR,
    ),
    warnings=(WarningAccount(name="ranking", scope="tournament", costly="every-second", victory_points=1),),
    match=None,
)
"""The race code of the Federazione Italiana Burraco, edition of April 2024."""
