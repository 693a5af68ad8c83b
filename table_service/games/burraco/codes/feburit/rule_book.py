"""The figures and choices of the FE.BUR.IT code (seeds 001), each with its article."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from table_service.games.burraco.codes.feburit.melds import EQUAL_SETS_IN_A_MATCH
from table_service.games.burraco.codes.feburit.turn import FAN_THAT_IS_WARNED
from table_service.games.burraco.rules.options import CodeOption, OptionChoice
from table_service.games.burraco.rules.policies import (
    ClosingBar,
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

_BAR: Final = ClosingBar(offender="turn-after-last-penalised-discard", partner="round-of-the-fault")
"""Arts. 10 and 11: what every penalty carries with it."""

_OPTIONS: Final = (
    CodeOption(
        "inner_wild",
        "8",
        "Una sequenza con almeno sette carte di seguito da un lato di una matta interna",
        "A run with seven cards in a row on one side of a wild that stands between two cards",
        (
            OptionChoice("semi-clean", "semipulito", "semi-clean", {"inner_wild": "semi-clean"}),
            OptionChoice(
                "dirty",
                "sporco: la matta deve stare a un capo",
                "dirty: the wild must be at an end",
                {"inner_wild": "dirty"},
            ),
        ),
        "semi-clean",
    ),
    CodeOption(
        "penalised_at_end",
        "10",
        "Carte penalizzate non scartate quando la mano finisce senza chiusura",
        "Penalised cards not discarded when a deal ends without a closing",
        (
            OptionChoice(
                "negative", "contano come penalizzate", "they count as penalised", {"penalised.left_at_end": "negative"}
            ),
            OptionChoice(
                "as_hand",
                "contano con le carte in mano",
                "they count with the cards in hand",
                {"penalised.left_at_end": "as-hand"},
            ),
        ),
        "negative",
    ),
    CodeOption(
        "closing_bar_end",
        "10, 11, 21",
        "Quando può chiudere chi ha chiuso senza poterlo",
        "When he may go out who went out and might not",
        (
            OptionChoice(
                "round_after",
                "il giro dopo l'ultima carta penalizzata",
                "in the turn after the last penalised card",
                {"wrong_closing.bar": _BAR},
            ),
            OptionChoice(
                "last_discard",
                "appena scartata l'ultima",
                "once the last one is discarded",
                {"wrong_closing.bar": ClosingBar(offender="last-penalised-discard", partner="round-of-the-fault")},
            ),
        ),
        "round_after",
    ),
    CodeOption(
        "second_set_ban",
        "15",
        "Fin quando la linea non apre un'altra combinazione uguale a quella congelata",
        "How long the line may open no other set of the rank that was frozen",
        (
            OptionChoice("hand", "per la mano", "for the deal", {"second_set_ban": "deal"}),
            OptionChoice(
                "match",
                "per tutta la partita",
                "for the whole match",
                {"second_set_ban": "match"},
                rows=EQUAL_SETS_IN_A_MATCH,
            ),
        ),
        "hand",
    ),
    CodeOption(
        "fan_warning",
        "6",
        "Ventaglio non visibile o non ordinato",
        "A fan that is not in sight or not in order",
        (
            OptionChoice("needs_referee", "decide l'arbitro", "the arbitro decides"),
            OptionChoice(
                "warn", "ammonizione, poi 100 M.P.", "a warning, then 100 match points", rows=(FAN_THAT_IS_WARNED,)
            ),
        ),
        "needs_referee",
    ),
    CodeOption(
        "stalemate_turns",
        "def., 20",
        "Turni di solo cambio carta oltre i quali c'è stallo",
        "Turns of nothing but an exchanged card that make a stalemate",
        (
            OptionChoice("9", "il nono turno di fila", "the ninth turn in a row", {"stalemate_turns": 9}),
            OptionChoice("8", "l'ottavo", "the eighth", {"stalemate_turns": 8}),
        ),
        "9",
    ),
    CodeOption(
        "two_hand_table",
        "5, 27",
        "Victory points di un turno da due mani, che ha un tempo ma nessuna tabella",
        "Victory points of a round of two deals, which has a time and no table",
        (OptionChoice("none", "li stabilisce l'arbitro", "the arbitro decides them"),),
        "none",
    ),
    CodeOption(
        "limited_take",
        "14",
        "Come prende carte, nel turno limitato, chi ha pescato o raccolto fuori turno",
        "How he takes cards in the limited turn who drew or picked up out of turn",
        (
            OptionChoice("draw-or-collect", "come vuole", "as he likes", {"out_of_turn.next_turn": "draw-or-collect"}),
            OptionChoice("same-act", "come nell'errore", "as in the fault", {"out_of_turn.next_turn": "same-act"}),
        ),
        "draw-or-collect",
    ),
)

BOOK: Final = RuleBook(
    name="feburit",
    edition="FE.BUR.IT code",
    prefix="B",
    set_naturals=9,  # art. 7: nine equal cards, a wild among them or not
    set_cards=9,
    same_face_per_set=9,  # art. 7: of the same suit too; no note on a third twin
    bonuses=MappingProxyType(
        {"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200, "super-clean": 250, "over-the-top": 300}
    ),  # arts. 8, 23
    inner_wild="semi-clean",  # option
    equal_sets="joined-and-frozen",  # art. 15
    second_set_ban="deal",  # art. 15; option
    stalemate_row="B-20b",
    stalemate_turns=9,  # definition, art. 20: more than two rounds; option
    robbed_bonus=0,
    pot_malus_when_neither_took=True,  # art. 23
    exposed_to="anyone",  # definition, art. 10
    round_minutes=MappingProxyType({2: 25, 3: 35, 4: 45}),  # art. 5
    vp_tables=MappingProxyType(
        {
            3: (100, 200, 300, 450, 600, 800, 1000, 1250, 1500, 1800),
            4: (150, 350, 550, 750, 950, 1200, 1450, 1700, 2000, 2300),
        }
    ),  # art. 27; none for two deals, though art. 5 has such rounds
    vp_teams=MappingProxyType(
        {
            3: (150, 350, 550, 800, 1050, 1300, 1600, 1900, 2200, 2500),
            4: (200, 400, 600, 850, 1100, 1400, 1700, 2000, 2400, 2800),
        }
    ),
    table=TableRules(
        seats=(4,),  # art. 2 names single tournaments, one against one, and gives no deal for them
        begins="turn-up",  # art. 4
        points_out="anyone",  # premise, art. 13
        free_wild_on_top="binds-to-go-on",  # art. 6
        card_is_played="touches-the-table",  # definition, art. 6
        right_lapses="not-restorable",  # loss of the right to a penalty
        temporary_freeze="one-round",  # definition
        keepers="first-to-open",  # art. 6
        hand_counts="forbidden",  # art. 6
        hand_shields=False,
    ),
    time=TimeRules(last_round="still-to-draw-to-playing", left="unregulated", countdown=None),  # art. 22
    taking=TakingRules(
        pile_drawn_near="taken",  # definition, art. 16
        several_left="lowest-collected-is-discarded",  # art. 16
        second_card="shown-if-seen",  # art. 6
        sole_card_discarded="last-play-penalised",  # art. 16
        stock_inspected="unregulated",  # art. 6: it stays compact
    ),
    pot=PotRules(
        handed_by="unregulated",
        repaired="either-unseen",  # art. 17
        wrongly_taken="judged-as-closing",  # art. 21 A
        robbed_line="unregulated",
        flight_by_fault="lost",  # arts. 15, 10 example I
    ),
    mending=MendingRules(
        opened_without_wild=None,
        opened_with_wild=None,
        one_of_several=True,
        added_to_set=False,
        after_other_play=False,
        after_discard="frozen-for-good",
        at_the_count="by-itself",  # art. 23
    ),  # art. 10
    exposed=ExposedRules(
        played="first",
        one_left="discarded-at-once",
        several_left="penalised-and-play-stops",
        out_of_turn="played-and-play-stops",
        shown_after_wrong_closing="by-who-showed",  # art. 23
    ),  # art. 10
    ghosts=GhostRules(
        in_turn="seen-played-or-discarded-at-once", later="offender-discards-at-once-and-stops", freezes=False
    ),  # art. 10
    penalised=PenalisedRules(order="lowest-first", melds_before_them="free", bar=_BAR),  # arts. 10, 11
    missed_draw=MissedDrawRules(
        takes="draw", after_discard="draws-and-next-turn-limited", counts_against="opponents-close"
    ),  # art. 13
    out_of_turn=OutOfTurnRules(
        with_melds="last-penalised-others-frozen",
        without_draw="last-penalised-others-frozen",
        unknown_card="highest-value",
        next_turn="draw-or-collect",
        after_discard="frozen-and-next-turn-limited",
        past="seat-after-offender-draws",
    ),  # art. 14
    wrong_closing=WrongClosingRules(
        last_play="all-linked-together",
        without_burraco="penalised",
        with_wild="penalised",
        without_discard="single-card-and-play-before",
        bar=_BAR,
    ),  # art. 21
    warnings=(
        WarningAccount(name="ranking", scope="tournament", victory_points=1, rows=("B-04c", "B-26")),  # arts. 4, 26
        WarningAccount(
            name="repeated",
            scope="tournament",
            match_points=100,
            rows=("B-06e", "B-06f", "B-06k", "B-23c"),
            each_row=True,
        ),  # arts. 6, 23: where it is repeated, no end being stated
        WarningAccount(name="repeated-in-round", scope="round", match_points=100, rows=("B-19",)),  # art. 19
    ),
    match=None,
    options=_OPTIONS,
)
"""The code of the FE.BUR.IT federation."""
