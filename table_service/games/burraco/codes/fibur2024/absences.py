"""Arts. 38 and 39: substitutions, absences, pairs that leave, delays, incomplete tables (own wording).

The text states victory points and match points for rounds of four deals and says that match points follow the number
of deals: the list of art. 39 is taken for all of them, with 20 victory points shared between the two lines.
"""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Choice, Row, StepRule, Words
from table_service.referee.outcomes import Outcome, Share
from table_service.referee.row_writing import choice, fault, situation, step

_LOSE: Final = (Share("lose"),)
_WIN: Final = (Share("win"),)
_BETTER: Final = (Share("better"),)
_ACQUIRED: Final = choice("acquired", "arbitro", "La coppia presente aveva già di più",
    "The pair that is there already had more")  # fmt: skip
_BY_DEFAULT: Final = choice("by-default", "arbitro", "Si applica l'art. 39", "Art. 39 is applied")
_ADVANTAGE: Final = choice("advantage", "arbitro", "Darebbe un vantaggio immediato: decide l'arbitro",
    "It would give an immediate advantage")  # fmt: skip
_ART_39: Final = step("score", "table",
    "Vince la coppia presente: 13 a 7 e 505 M.P. (4 smazzate), 14 a 6 e 355 (3), 14 a 6 e 305 (2), squadre 13 a 7 e "
    "555.",
    "The pair that is there wins: 13 to 7 and 505 match points (4 deals), 14 to 6 and 355 (3), 14 to 6 and 305 (2), "
    "teams 13 to 7 and 555.")  # fmt: skip
_MORE: Final = step("score", "arbitro", "Se aveva già acquisito di più, quello vale.",
    "If it had acquired more already, that counts.", option="acquired")  # fmt: skip

# The exact limits belong to the lower step: the text says within two minutes, from two to five, from five to ten.
_LATE_OUTCOMES: Final = (
    Outcome((Share("warn"),), option="within-2", upto=2),
    Outcome((), (Share("bonus", 150),), option="within-5", upto=5),
    Outcome((), (Share("bonus", 200),), option="within-10", upto=10),
    Outcome(_LOSE, _WIN, option="over-10", upto=1e9),
)
_LATE_STEPS: Final[tuple[StepRule, ...]] = (
    step("warn", "line", "Entro due minuti: ammonizione.", "Within two minutes: a warning.", option="within-2"),
    step("score", "table", "Da due a cinque minuti: 150 M.P. alla coppia presente.",
        "From two to five minutes: 150 match points to the pair that is there.", option="within-5"),
    step("score", "table", "Da cinque a dieci minuti: 200 M.P. alla coppia presente.",
        "From five to ten minutes: 200 match points to the pair that is there.", option="within-10"),
    StepRule("score", "table", _ART_39.text, option="over-10"),
)  # fmt: skip
_LATE_CHOICES: Final[tuple[Choice, ...]] = (
    choice("within-2", "arbitro", "Entro 2 minuti", "Within 2 minutes"),
    choice("within-5", "arbitro", "Da 2 a 5 minuti", "From 2 to 5 minutes"),
    choice("within-10", "arbitro", "Da 5 a 10 minuti", "From 5 to 10 minutes"),
    choice("over-10", "arbitro", "Oltre 10 minuti", "Over 10 minutes"),
)


def _left(name: str, article: str, title: Words, *steps: StepRule) -> Row:
    """Return the row of a pair that has gone: the one there wins by default, or with what it had acquired."""
    return fault(name, article, title, ("person",), *steps, _ART_39, _MORE, _BY_DEFAULT, _ACQUIRED, _ADVANTAGE,
        Outcome(_LOSE, _BETTER, option="acquired", stops="stopped"), Outcome(option="advantage", stops="stopped"),
        Outcome(_LOSE, _WIN, stops="stopped"), needs_referee=True, asks=("line", "option"))  # fmt: skip


_ABSENCES: Final[tuple[Row, ...]] = (
    # An overview in the reference; F-38b to F-38h rule the cases.
    fault("F-38", "38", Words("Sostituzioni, assenze, abbandono", "Substitution, absence, abandonment"), ("person",),
        step("referee", "arbitro", "L'arbitro applica il caso: sostituzione, assenza, abbandono o malessere.",
            "The arbitro applies the case: substitution, absence, abandonment or illness."),
        options=("F-38", "F-38c", "F-38d", "F-38e", "F-38f", "F-38g"), needs_referee=True, asks=("line", "option")),
    situation("F-38b", "38", Words("Sostituzione", "Substitution"),
        step("nothing", "arbitro",
            "Prima di metà dei turni un solo giocatore della coppia, con chi non ha ancora giocato il torneo; poi "
            "nessun'altra per quella coppia, e due coppie dimezzate non si uniscono.",
            "Before half of the rounds one player of a pair, by somebody who has not played in the tournament; then "
            "no other for that pair, and two halved pairs are not joined."), senses=("person",)),
    fault("F-38c", "38",
        Words("Coppia assente al via, o arrivata senza avvisare", "Pair absent at the start, or come unannounced"),
        ("person",),
        step("referee", "arbitro",
            "Chi arriva dopo il via senza avviso perde il posto e viene ricollocato; i minuti valgono per l'art. 39.",
            "Who comes after the start without notice loses his place and is seated anew; the minutes count by art. "
            "39.",
            option="unannounced"),
        step("referee", "arbitro",
            "Nei tornei nazionali e regionali chi manca per tutto il primo turno senza disdetta può essere sospeso "
            "dalla Giustizia Sportiva.",
            "In national and regional tournaments who is absent through the first round without notice may be "
            "suspended by the sports justice.",
            option="absent"), choice("unannounced", "arbitro", "Arrivata senza avvisare", "Come without notice"),
        choice("absent", "arbitro", "Assente per il primo turno", "Absent through the first round"),
        asks=("line", "option")),
    # From the fourth round on the text states no match points for the absent pair: they stay unknown.
    fault("F-38d", "38",
        Words("Coppia che non può proseguire il torneo", "Pair that cannot go on with the tournament"), ("person",),
        step("score", "table",
            "Per tre turni alla coppia assente 7 V.P. e -505 M.P. (4 smazzate), agli avversari 13 e 505.",
            "For three rounds the absent pair has 7 victory points and -505 match points (4 deals), its opponents 13 "
            "and 505.",
            option="first-three"),
        step("score", "table",
            "Dal quarto turno 0 V.P. alla coppia assente, agli avversari 13 e 505 M.P. (4 smazzate).",
            "From the fourth round on the absent pair has no victory points, its opponents 13 and 505 (4 deals).",
            option="from-fourth"),
        step("referee", "arbitro", "Se non ha avvisato il direttore di gara è deferita.",
            "If it has not told the director it is reported."),
        choice("first-three", "arbitro", "Uno dei primi tre turni di assenza", "One of the first three rounds"),
        choice("from-fourth", "arbitro", "Dal quarto turno di assenza", "From the fourth round on"),
        Outcome((Share("zero"),), _WIN, option="from-fourth"), Outcome(_LOSE, _WIN), asks=("line", "option")),
    _left("F-38e", "38, 39", Words("Coppia che abbandona durante un turno", "Pair that leaves during a round")),
    # The text states the match points of a team that is stopped (-555), not its victory points: 7 as for pairs.
    fault("F-38f", "38",
        Words("Smazzata sospesa per intemperanze, o abbandono di entrambe",
            "Deal stopped for intemperance, or both pairs leave"), ("person",),
        step("score", "table", "Sospesa per intemperanze: a entrambe 7 V.P. e -505 M.P. (4 smazzate), squadre -555.",
            "Stopped for intemperance: both have 7 victory points and -505 match points (4 deals), teams -555.",
            option="stopped"),
        step("score", "table", "Entrambe le coppie abbandonano: 0 a tutte e due.",
            "Both pairs leave: nothing for either.", option="both-left"),
        choice("stopped", "arbitro", "Sospesa per intemperanze", "Stopped for intemperance"),
        choice("both-left", "arbitro", "Entrambe abbandonano", "Both leave"),
        Outcome((Share("nothing"),), (Share("nothing"),), option="both-left", stops="stopped"),
        Outcome(_LOSE, _LOSE, stops="stopped"), asks=("option",)),
    fault("F-38g", "38", Words("Abbandono per litigio o contestazione", "Leaving through quarrel or protest"),
        ("person",),
        step("score", "table",
            "La coppia colpevole perde a 0, è deferita e non riprende il torneo; all'altra 13 V.P. e 505 M.P. (4 "
            "smazzate).",
            "The guilty pair loses at 0, is reported and does not come back; the other has 13 victory points and 505 "
            "match points (4 deals)."), _MORE,
        choice("by-default", "arbitro", "13 V.P. all'altra coppia", "13 victory points to the other"), _ACQUIRED,
        Outcome((Share("zero"),), _BETTER, option="acquired", stops="stopped"),
        Outcome((Share("zero"),), _WIN, stops="stopped"), asks=("line", "option")),
    situation("F-38h", "38, 39",
        Words("Malessere o assenza giustificata durante una smazzata", "Illness or justified absence during a deal"),
        step("nothing", "arbitro", "La smazzata è sospesa e il tempo si recupera.",
            "The deal is suspended and the time made up.", option="suspended"),
        step("score", "arbitro",
            "Oltre dieci minuti la partita è sospesa e si applica l'art. 39, salvo vantaggio immediato.",
            "Beyond ten minutes the match is stopped and art. 39 applies, unless it gives an immediate advantage.",
            option="over-10"), _MORE, senses=("person",),
        choices=(choice("suspended", "arbitro", "Entro dieci minuti", "Within ten minutes"),
            choice("over-10", "arbitro", "Oltre dieci minuti", "Beyond ten minutes"), _ACQUIRED, _ADVANTAGE),
        outcomes=(Outcome(option="suspended", upto=10), Outcome(_LOSE, _BETTER, option="acquired", stops="stopped"),
            Outcome(option="advantage", stops="stopped"),
            Outcome(_LOSE, _WIN, option="over-10", upto=1e9, stops="stopped")), asks=("line", "minutes", "option")),
)  # fmt: skip

_DELAYS: Final[tuple[Row, ...]] = (
    fault("F-39", "39", Words("Ritardo", "Late arrival"), ("person",), *_LATE_STEPS, *_LATE_CHOICES, *_LATE_OUTCOMES,
        warn_option="within-2", asks=("line", "minutes")),
    fault("F-39b", "39", Words("Ritardo di entrambe le coppie", "Both pairs late"), ("person",),
        step("score", "arbitro",
            "Ogni ritardo si giudica da sé; oltre dieci minuti entrambe perdono con 6 o 7 V.P. e i M.P. equivalenti, "
            "salvo ingiusto vantaggio.",
            "Each delay is judged apart; beyond ten minutes both lose with 6 or 7 victory points and the match "
            "points that go with them, unless an unfair advantage results."), *_LATE_STEPS, *_LATE_OUTCOMES,
        needs_referee=True, warn_option="within-2", asks=("lines",)),
    # The list of points at the end of art. 39 has no heading: the reference reads it as the win by default and the bye.
    situation("F-39c", "39", Words("Tavolo incompleto", "Incomplete table"),
        step("score", "table",
            "Chi riposa ha 14 V.P. e 305 M.P. (2 smazzate), 14 e 355 (3), 13 e 505 (4), squadre 13 e 555; una volta "
            "per sessione.",
            "Who rests has 14 victory points and 305 match points (2 deals), 14 and 355 (3), 13 and 505 (4), teams "
            "13 and 555; once a session."), senses=("person",), outcomes=(Outcome(_WIN, (Share("absent"),)),),
        asks=("line",)),
)  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (*_ABSENCES, *_DELAYS)
