"""Arts. 2, 19, 20 and 40, the powers of the arbitro, conduct: what concerns a tournament, not a card (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.steps import WARN_LINE
from table_service.games.definition import Correction, SheetRules
from table_service.games.event_rules import EventRules
from table_service.referee.catalogue import Row, Words
from table_service.referee.outcomes import Outcome, Share, TournamentRules
from table_service.referee.row_writing import choice, fault, situation, step

TOURNAMENT: Final = TournamentRules(
    # Art. 39: victory points and match points won by default, by the deals of the round; 0: teams.
    defaults={2: (14, 305), 3: (14, 355), 4: (13, 505), 0: (13, 555)},
    total_vp=20,
    assigned_vp=7,
    call_row="F-P2",
)
"""Figures of the code about rounds. The duty to call (powers, g) holds only where it was announced."""

_ABSENT_VP: Final = 7
_MISSED: Final = 3
EVENTS: Final = EventRules(
    movements={"danese": "2", "mitchell": "2", "round-robin": "2"},
    absent={
        deals: (*((_ABSENT_VP, -points),) * _MISSED, (0, None))
        for deals, (_, points) in TOURNAMENT.defaults.items()
        if deals
    },
)
"""Art. 2: the movements. Art. 38: an absent pair has 7 victory points for three rounds, then none; the match points of
four deals are in the text, those of others follow the win by default, and from the fourth round on it states none."""

_SEVEN_ALL: Final = (Share("seven"),)

_PRINCIPLES: Final[tuple[Row, ...]] = (
    # Ambiguous: the text says what two warnings cost, not what the third does, nor whether a player or a pair is
    # counted. Default of the reference's OPTION warning_count: by pair, a victory point at every second warning.
    situation("F-G04", "Definizioni; poteri d",
        Words("Seconda ammonizione nello stesso torneo", "Second warning in the same tournament"),
        step("score", "line", "La coppia perde un V.P. in classifica.",
            "The pair loses a victory point in the ranking."), kind="principle"),
    situation("F-G05", "Irregolarità, procedura", Words("Secondo arbitro a richiesta", "Second arbitro on request"),
        step("referee", "arbitro",
            "Chi non concorda può chiedere un secondo arbitro di grado pari o superiore: il suo giudizio è "
            "definitivo.",
            "Who disagrees may ask for a second arbitro of equal or higher grade, whose judgement is final."),
        senses=("person",), kind="principle"),
    situation("F-P3", "Poteri a, b, c, f", Words("Punteggio arbitrale", "Arbitral score"),
        step("score", "arbitro",
            "Dove il codice lo prevede l'arbitro risarcisce la coppia danneggiata con un punteggio; può segnalare, "
            "allontanare una coppia, monitorare un tavolo.",
            "Where the code provides it the arbitro compensates the damaged pair by a score; he may report, remove a "
            "pair, watch a table."), senses=("person",), kind="principle",
        outcomes=(Outcome(offender=(Share("points"), Share("assign")), other=(Share("assign"),)),),
        asks=("line", "points", "vp", "mp")),
)  # fmt: skip

PAPER: Final = SheetRules(
    states={
        "open": Correction(
            ("Score non ancora consegnato: l’arbitro può correggere.", "Not handed in yet: it may be corrected."),
            correct=True,
        ),
        "delivered": Correction(
            (
                "Score consegnato: si corregge fino alle nuove posizioni, se gli avversari confermano.",
                "Handed in: corrected until the new seating is posted, if the opponents confirm.",
            ),
            correct=True,
            agreed=True,
        ),
        "posted": Correction(
            (
                "Le nuove posizioni sono esposte: solo i punteggi invertiti si scambiano, se le due coppie confermano.",
                "The new seating is posted: only inverted scores are exchanged, if both pairs confirm.",
            ),
            swap=True,
        ),
        "final": Correction(
            ("La classifica è definitiva: nulla può cambiare.", "The ranking is final: nothing may change.")
        ),
    },
    strict={
        "open": Correction(
            (
                "Ultimo turno o girone di merito: si corregge solo se l’arbitro è stato chiamato prima e controfirma.",
                "Last round or merit group: corrected only if the arbitro was called first and countersigns.",
            ),
            correct=True,
            countersigned=True,
            void=True,
        ),
        "delivered": Correction(
            (
                "Consegnato, ultimo turno o girone di merito: servono gli avversari e la controfirma dell’arbitro.",
                "Handed in, last round or merit group: the opponents and the arbitro’s countersignature are needed.",
            ),
            correct=True,
            agreed=True,
            countersigned=True,
            void=True,
        ),
    },
    delivery="19",
    correction="20",
    left="F-19a",
    lost="F-19b",
    swap={"row": "F-20", "option": "swap"},
    swap_text=(
        "Le due coppie si scambiano punteggio e posto; la classifica segue al turno dopo.",
        "The pairs exchange scores and places; the ranking follows in the next round.",
    ),
    void={"row": "F-20", "option": "void"},
)
_SCORE_SHEET: Final[tuple[Row, ...]] = (
    fault("F-19a", "19", Words("Score lasciato sul tavolo", "Score sheet left on the table"), ("person",), WARN_LINE,
        asks=("line",)),
    fault("F-19b", "19", Words("Score smarrito", "Score sheet lost"), ("person",),
        step("score", "table", "Il risultato è 7 a 7.", "The result is 7 to 7.", option="lost"),
        step("score", "table", "Lo score è ritrovato: torna il punteggio effettivo.",
            "The sheet is found: the real score is restored.", option="found"),
        step("score", "table", "Ritrovato nella fase a gironi di merito: resta 7 a 7.",
            "Found in the phase of merit groups: it stays 7 to 7.", option="found-in-merit-groups"),
        choice("lost", "arbitro", "Smarrito", "Lost"), choice("found", "arbitro", "Ritrovato", "Found"),
        choice("found-in-merit-groups", "arbitro", "Ritrovato nei gironi di merito", "Found in the merit groups"),
        Outcome(option="found"), Outcome(_SEVEN_ALL, _SEVEN_ALL), asks=("option",)),
    fault("F-20", "20", Words("Errore nello score consegnato", "Mistake in a score sheet that was handed in"),
        ("person",),
        step("score", "arbitro",
            "Prima che la nuova posizione sia esposta, e se gli avversari confermano, si corregge.",
            "Before the new seating is posted, and if the opponents confirm, it is corrected.", option="correct"),
        step("score", "arbitro",
            "Dopo l'esposizione solo i punteggi invertiti: le coppie confermano e si scambiano di posto, la "
            "classifica segue al turno dopo.",
            "After the posting only inverted scores: the pairs confirm and change places, the ranking follows in the "
            "next round.",
            option="swap"),
        step("nothing", "arbitro",
            "Non si corregge: turno ultimo o di girone di merito senza arbitro che controfirmi.",
            "It is not corrected: last round, or one of merit groups, without an arbitro who countersigned.",
            option="refuse"),
        step("score", "arbitro", "Il risultato è annullato: 7 a 7, e l'arbitro lo segnala alla Giustizia Sportiva.",
            "The result is void: 7 to 7, and the arbitro reports it to the sports justice.", option="void"),
        choice("correct", "arbitro", "Si corregge", "Corrected"),
        choice("swap", "arbitro", "Punteggi invertiti", "Inverted scores"),
        choice("refuse", "arbitro", "Non si corregge", "Not corrected"),
        choice("void", "arbitro", "Annullato, 7 a 7", "Void, 7 to 7"), Outcome((Share("points"),), option="correct"),
        Outcome((Share("swap"),), (Share("swap"),), option="swap"), Outcome(option="refuse"),
        Outcome(_SEVEN_ALL, _SEVEN_ALL, option="void"), needs_referee=True, asks=("line", "option", "points")),
    situation("F-20b", "20", Words("Classifica esposta per il controllo", "Ranking shown for checking"),
        step("nothing", "arbitro",
            "La classifica provvisoria e quella finale si espongono 10 minuti, poi sono definitive.",
            "The provisional ranking and the final one are shown for 10 minutes, then they are final."),
        senses=("person",)),
)  # fmt: skip

_CONDUCT: Final[tuple[Row, ...]] = (
    fault("F-02", "2", Words("Coppia seduta al tavolo sbagliato", "Pair seated at the wrong table"), ("person",),
        step("nothing", "table", "A gioco iniziato la partita continua e vale; il punteggio si inserisce a mano.",
            "Once play has begun the game goes on and counts; the score is entered by hand."), WARN_LINE,
        asks=("line",)),
    # The duty comes with the difference; a call by voice no sensor hears, so the table asks before anything is void.
    fault("F-P2", "Poteri g",
        Words("Differenza di 800 M.P. senza chiamare l'arbitro", "Lead of 800 match points, arbitro not called"),
        ("derived", "person"),
        step("score", "table", "Lo score è annullato: a ciascuna coppia i propri V.P., ma non più di 7.",
            "The score sheet is void: each pair has its own victory points, but 7 at the most.", option="not-called"),
        step("nothing", "arbitro", "L'arbitro è stato chiamato e controfirma lo score.",
            "The arbitro was called and countersigns the score sheet.", option="called"),
        choice("not-called", "arbitro", "Non è stato chiamato", "He was not called"),
        choice("called", "arbitro", "È stato chiamato", "He was called"), Outcome(option="called"),
        Outcome((Share("cap"),), (Share("cap"),)), needs_referee=True, asks=("option",)),
    fault("F-P1", "Poteri e", Words("Versioni opposte delle due coppie", "Opposite versions of the two pairs"),
        ("person",),
        step("score", "arbitro", "L'arbitro può sospendere la smazzata e far segnare il punteggio acquisito fin lì.",
            "The arbitro may stop the deal and have the score so far entered.", option="stop"),
        choice("stop", "arbitro", "Smazzata sospesa", "The deal is stopped"),
        choice("play-on", "arbitro", "Si continua", "Play goes on"), Outcome(option="stop", stops="stopped"),
        Outcome(), needs_referee=True, asks=("option",)),
    fault("F-B1", "Norme comportamentali", Words("Comportamento contrario alle norme", "Conduct against the norms"),
        ("person",), WARN_LINE, asks=("seat",)),
    fault("F-B2", "Definizioni", Words("Angolista al tavolo", "Kibitzer at the table"), ("person",),
        step("referee", "arbitro",
            "I giocatori possono chiedergli di allontanarsi; nei tornei nazionali, regionali e federali non è "
            "ammesso.",
            "The players may ask him to leave; in national, regional and federal tournaments he is not admitted."),
        asks=()),
    fault("F-40", "40", Words("Torneo interrotto", "Tournament interrupted"), ("person",),
        step("score", "arbitro", "Superata la metà dei turni si premia secondo l'ultima classifica esposta.",
            "Past half of the rounds the prizes go by the last ranking that was posted.", option="past-half"),
        step("nothing", "arbitro", "Prima della metà non si premia: si rimborsano le quote al netto delle spese.",
            "Before half of the rounds there are no prizes: entry fees are repaid less the costs.",
            option="before-half"), choice("past-half", "arbitro", "Oltre metà dei turni", "Past half of the rounds"),
        choice("before-half", "arbitro", "Prima di metà", "Before half"), severity="note", asks=("option",)),
)  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (*_PRINCIPLES, *_SCORE_SHEET, *_CONDUCT)
