"""Arts. 5 and 24 to 27: times, score sheets, pairs that leave or come late, byes, victory points (own wording).

A win without play is 13 victory points and 450 match points whatever the round: neither is derived from the other.
"""

from __future__ import annotations

from typing import Final

from table_service.games.definition import Correction, SheetRules
from table_service.games.event_rules import EventRules, LateEntry
from table_service.referee.catalogue import Row, Words
from table_service.referee.outcomes import Outcome, Share, TournamentRules
from table_service.referee.row_writing import choice, fault, holds, situation, step

TOURNAMENT: Final = TournamentRules(
    defaults={2: (13, 450), 3: (13, 450), 4: (13, 450), 0: (13, 450)},
    total_vp=20,
    assigned_vp=7,
    warning_count="each-after-first",
    unranked=frozenset({"B-06e", "B-06f", "B-06k", "B-19", "B-23c"}),  # arts. 6, 19, 23: 100 match points if repeated
)
"""Arts. 25 and 26."""
_WIN: Final = (Share("win"),)
_BYE: Final = (Outcome((Share("absent"),), _WIN),)

EVENTS: Final = EventRules(
    movements={"mitchell": "2", "danese": "2"},
    joining="25",
    returning="25",
    late_entry=LateEntry(article="25", minutes=10, waiting=(13, 450), late=(7, None)),
)
"""Art. 2: movements. Art. 25: nobody is added once the first ranking is made, and who has left does not come back.

A pair that comes in the first round may complete the table that lacks one: within 10 minutes it makes up the time,
later it has 7 victory points (of its match points the article says nothing) and the other 13 with 450 match points.
"""

PAPER: Final = SheetRules(
    states={
        "open": Correction(
            ("Score non ancora consegnato: l’arbitro può correggere.", "Not handed in yet: it may be corrected."),
            correct=True,
            swap=True,
        ),
        "delivered": Correction(
            (
                "Consegnato: solo l’errore di calcolo, prima di classifica e accoppiamenti, e i punteggi invertiti.",
                "Handed in: only a mistake in the sum, before ranking and pairings, and inverted scores.",
            ),
            correct=True,
            swap=True,
        ),
        "posted": Correction(
            (
                "Classifica e accoppiamenti sono fatti: solo i punteggi invertiti, se il tavolo riconosce l’errore.",
                "Ranking and pairings are made: only inverted scores, if the table owns to the mistake.",
            ),
            swap=True,
        ),
    },
    delivery="24",
    correction="24",
    swap={"row": "B-24b"},
    swap_text=(
        "Le coppie siedono comunque ai tavoli esposti; la correzione segue nel turno dopo.",
        "The pairs sit at the tables as posted all the same; the correction follows in the next round.",
    ),
)
"""Art. 24. No time after which a ranking is final, no round in which the arbitro countersigns."""

ROWS: Final[tuple[Row, ...]] = (
    holds("B-05", "5", Words("Tempi dei turni", "Times of the rounds"),
        Words("25, 35 o 45 minuti per 2, 3 o 4 mani.", "25, 35 or 45 minutes for 2, 3 or 4 deals.")),
    fault("B-24", "24", Words("Errore nello score consegnato", "Mistake in a score sheet that was handed in"),
        ("person",),
        step("score", "arbitro",
            "Solo l'errore di calcolo si corregge, prima che siano fatti la classifica del turno e gli accoppiamenti "
            "del successivo.",
            "Only a mistake in the sum is corrected, before the ranking of the round and the pairings of the next "
            "are made.",
            option="correct"),
        step("nothing", "arbitro", "Non si corregge più.", "It is not corrected any more.", option="refuse"),
        choice("correct", "arbitro", "Si corregge", "Corrected"),
        choice("refuse", "arbitro", "Non si corregge", "Not corrected"),
        Outcome((Share("points"),), option="correct"), Outcome(option="refuse"), needs_referee=True,
        asks=("line", "option", "points")),
    situation("B-24b", "24",
        Words("Punteggi invertiti, classifica provvisoria", "Inverted scores, provisional ranking"),
        step("score", "arbitro",
            "Se il tavolo riconosce l'inversione si rettifica, anche dopo classifica e accoppiamenti; le coppie "
            "siedono come esposto e la correzione segue nel turno dopo.",
            "Where the table agrees inverted scores are put right, also after ranking and pairings; the pairs sit as "
            "posted and the correction follows in the next round."), senses=("person",),
        outcomes=(Outcome((Share("swap"),), (Share("swap"),)),)),
    fault("B-25", "25", Words("Coppia che abbandona", "Pair that leaves"), ("person",),
        step("score", "table", "Alla coppia rimasta quanto ha acquisito, e in ogni caso almeno 13 V.P. e 450 M.P.",
            "The pair that stays has what it acquired, and in any case 13 victory points and 450 match points."),
        step("referee", "arbitro",
            "Nessuna sostituzione se non per motivi gravissimi; chi ha abbandonato non è riammesso.",
            "No substitution but for the gravest reasons; who left is not readmitted."),
        choice("by-default", "arbitro", "13 V.P. e 450 M.P.", "13 victory points and 450 match points"),
        choice("acquired", "arbitro", "La coppia rimasta ha già di più", "The pair that stays has more already"),
        Outcome((), (Share("better"),), option="acquired", stops="stopped"), Outcome((), _WIN, stops="stopped"),
        needs_referee=True, asks=("line", "option")),
    situation("B-25b", "25", Words("Coppie ferme per l'abbandono di un'altra", "Pairs idle because another has left"),
        step("score", "table", "13 V.P. e 450 M.P. a ogni coppia che nei turni seguenti deve riposare.",
            "13 victory points and 450 match points to each pair that is idle in later rounds."), senses=("person",),
        outcomes=_BYE, asks=("line",)),
    # The text gives the late pair 7 victory points and no match points: they are not known.
    situation("B-25c", "25", Words("Tavolo incompleto completato in ritardo", "Incomplete table filled late"),
        step("nothing", "table",
            "Solo nel primo turno e prima della sua classifica: entro 10 minuti si recupera il tempo.",
            "Only in the first round and before its ranking: within 10 minutes the time is made up.",
            option="made-up"),
        step("score", "table", "Oltre: 13 V.P. e 450 M.P. alla coppia già iscritta, 7 V.P. a quella in ritardo.",
            "Later: 13 victory points and 450 match points to the pair already entered, 7 to the late one.",
            option="late"), senses=("person",),
        choices=(choice("made-up", "arbitro", "Entro 10 minuti", "Within 10 minutes"),
            choice("late", "arbitro", "Oltre 10 minuti", "Over 10 minutes")),
        outcomes=(Outcome((Share("seven"),), _WIN, option="late"), Outcome()), asks=("line", "option")),
    situation("B-25d", "25, definizioni", Words("Coppie dispari: turno di riposo", "Odd number of pairs: bye"),
        step("score", "table",
            "13 V.P. e 450 M.P. a chi riposa: chi arriva al tavolo zoppo (Mitchell) o l'ultimo che non ha riposato "
            "(danese); una volta sola.",
            "13 victory points and 450 match points to who rests: who comes to the incomplete table (Mitchell) or "
            "the lowest that has not rested (Danish); once only."), senses=("person",), outcomes=_BYE,
        asks=("line",)),
    fault("B-26", "26", Words("Ritardo", "Late arrival"), ("person",),
        step("warn", "line", "Entro due minuti: ammonizione, e il tempo si recupera.",
            "Within two minutes: a warning, and the time is made up.", option="within-2"),
        step("warn", "line", "Fino a dieci minuti: ammonizione e 100 M.P. in meno nel turno.",
            "Up to ten minutes: a warning and 100 match points less in that round.", option="within-10"),
        step("score", "table", "Oltre: partita persa 13 a 7, 450 M.P.",
            "Later: the match is lost 13 to 7, 450 match points.", option="over-10"),
        step("score", "line", "Ogni ammonizione dopo la prima costa anche 1 V.P. nella classifica generale.",
            "Every warning after the first also costs 1 victory point in the general ranking."),
        choice("within-2", "arbitro", "Entro 2 minuti", "Within 2 minutes"),
        choice("within-10", "arbitro", "Da 2 a 10 minuti", "From 2 to 10 minutes"),
        choice("over-10", "arbitro", "Oltre 10 minuti", "Over 10 minutes"),
        Outcome((Share("warn"),), option="within-2", upto=2),
        Outcome((Share("warn"), Share("bonus", -100)), option="within-10", upto=10),
        Outcome((Share("lose"),), _WIN, option="over-10", upto=1e9), asks=("lines",), warn=False),
    # No table for rounds of two deals though art. 5 has them: the arbitro decides (option two_hand_table).
    holds("B-27", "27", Words("Tabelle dei Victory Points", "Tables of victory points"),
        Words("Quattro: coppie e squadre, tre o quattro mani. Per i turni da due mani decide l'arbitro.",
            "Four: pairs and teams, three or four deals. For rounds of two deals the arbitro decides.")),
)  # fmt: skip
