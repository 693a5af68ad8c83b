"""Arts. 20 to 23: going out, wrong closings, the time-out, the count (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.feburit.steps import (
    BAR_PARTNER,
    DISCARD,
    FIRST_OR_REPEATED,
    REPEATED,
    STOP,
)
from table_service.referee.catalogue import Row, Sense, StepRule, Words
from table_service.referee.outcomes import Outcome, Share
from table_service.referee.row_writing import choice, duty, fault, holds, only, situation, step

_SENSES: Final[tuple[Sense, ...]] = ("scale", "camera", "derived")
_LAST_PLAY: Final = step("penalise", "offender",
    "L'ultimo gioco (combinazione, sequenza o carte legate insieme) è penalizzato, scoperto al bordo del tavolo.",
    "His last play (set, run or cards linked together) is penalised, face up at the edge of the table.",
    cards=True)  # fmt: skip
_STANDS: Final = step("nothing", "table", "Lo scarto resta.", "The discard stays.")
# OPTION closing_bar_end: art. 21 lets him go out once all are discarded, arts. 10 and 11 in the turn after the last.
_BAR: Final = step("bar-closing", "offender",
    "Non può chiudere prima di aver scartato tutte le carte penalizzate (opzione closing_bar_end).",
    "He may not go out before all his penalised cards are discarded (option closing_bar_end).",
    until="closing-bar-end")  # fmt: skip
_BARS: Final = (_BAR, BAR_PARTNER)
_SINGLE: Final = step("discard", "offender", "L'unica carta dell'ultimo gioco torna in mano ed è lo scarto.",
    "The only card of his last play goes back to his hand and is the discard.", until="end-of-own-turn", cards=True,
    option="single")  # fmt: skip
_BEFORE: Final = step("penalise", "offender", "È penalizzato anche il gioco fatto prima di quello.",
    "The play before it is penalised as well.", cards=True, option="single")  # fmt: skip


def _wrong(name: str, article: str, title: Words, *steps: StepRule) -> Row:
    return fault(name, article, title, _SENSES, STOP, *steps, _LAST_PLAY, DISCARD, *_BARS, duty(_LAST_PLAY),
        duty(DISCARD), duty(_BAR), duty(BAR_PARTNER, who="partner"), severity="score")  # fmt: skip


_CLOSINGS: Final[tuple[Row, ...]] = (
    holds("B-20a", "20", Words("Bonus di chiusura", "Bonus for going out"),
        Words(
            "100 punti se la coppia è andata a pozzetto, ha almeno un burraco e uno dei due ha calato tutto e "
            "scartato l'ultima carta.",
            "100 points where the pair has had its pot and a burraco, and one of it has laid all and discarded his "
            "last card."), *_SENSES),
    # "More than two rounds": the ninth turn in a row (option stalemate_turns); the arbitro declares it.
    situation("B-20b", "20, definizioni",
        Words("Fine senza chiusura: tallone, time-out, stallo", "End without a closing: stock, time-out, stalemate"),
        step("nothing", "table",
            "Nessun bonus: con due carte nel tallone si finisce con lo scarto di chi ha pescato la terzultima; dopo "
            "il time-out con l'ultimo giro.",
            "No bonus: with two cards in the stock the deal ends with the discard of who drew the third last; after "
            "the time-out with the last round."),
        step("referee", "arbitro",
            "Se per più di due giri si cambia solo la carta l'arbitro dichiara finita la mano.",
            "Where for more than two rounds a card is only exchanged the arbitro declares the deal over."),
        senses=("scale", "derived", "person"), outcomes=(Outcome(stops="stalemate"),)),
    _wrong("B-21a", "21 A", Words("Chiusura senza burraco", "Going out without a burraco"), _STANDS),
    _wrong("B-21b", "21 B", Words("Chiusura scartando una matta", "Going out by discarding a wild"), _STANDS),
    fault("B-21c", "21 C", Words("Chiusura senza scarto", "Going out without a discard"), _SENSES, STOP, _SINGLE,
        _BEFORE, *only("several", _LAST_PLAY), DISCARD, *_BARS, duty(_SINGLE), duty(_BEFORE),
        duty(_LAST_PLAY, option="several"), duty(DISCARD), duty(_BAR), duty(BAR_PARTNER, who="partner"),
        choice("single", "table", "L'ultimo gioco è una carta sola.", "His last play is a single card."),
        choice("several", "table", "L'ultimo gioco ha più carte.", "His last play has several cards."),
        severity="score"),
    holds("B-22", "22", Words("Time-out", "Time-out"),
        Words(
            "L'ultimo giro parte da chi deve ancora pescare e finisce con chi sta giocando all'annuncio, che "
            "rigioca; chi ha già sollevato una carta rigioca.",
            "The last round begins with who is still to draw and ends with who is playing at the call, who plays "
            "again; so does who has lifted a card already."), "derived"),
)  # fmt: skip

_FOR_THE_CLOSING: Final = step("freeze", "line",
    "Era l'unico burraco: la chiusura non vale e i giochi calati per essa sono congelati per un giro.",
    "It was the only burraco: the closing is void and the melds laid for it are frozen for one round.",
    until="one-round", cards=True)  # fmt: skip
_LAST_OF_CLOSING: Final = step("penalise", "offender", "L'ultimo gioco calato per chiudere è penalizzato.",
    "The last play laid for the closing is penalised.", cards=True)  # fmt: skip
_SHOWN: Final = step("penalise", "line",
    "Le ha mostrate la linea che ha chiuso: le carte esposte sono tutte penalizzate.",
    "The line that went out showed them: all cards shown are penalised.", cards=True)  # fmt: skip
_COUNT: Final[tuple[Row, ...]] = (
    fault("B-23a", "23", Words("Gioco errato rilevato dopo la chiusura", "Wrong meld found after the closing"),
        ("camera", "derived", "person"),
        step("score", "line",
            "La parte valida conta in positivo, l'altra in negativo; il burraco fatto per errore non vale.",
            "The valid part counts for the line, the other against it; a burraco made by the fault is void.",
            until="deal-end", cards=True), *only("only-burraco", _FOR_THE_CLOSING, _LAST_OF_CLOSING, DISCARD),
        duty(_LAST_OF_CLOSING, option="only-burraco"), duty(DISCARD, option="only-burraco"),
        choice("other-burraco", "arbitro", "C'è un altro burraco.", "There is another burraco."),
        choice("only-burraco", "arbitro", "Era l'unico burraco.", "It was the only burraco."), reopens="only-burraco",
        negative=True, needs_referee=True, asks=("seat", "option", "meld", "cards"), freezes=False),
    fault("B-23b", "23",
        Words("Chiusura non valida dopo che le mani sono state mostrate", "Closing found void once hands were shown"),
        ("camera", "person"),
        step("nothing", "table", "Le ha mostrate la linea che non ha chiuso: la chiusura vale.",
            "The line that did not go out showed them: the closing stands.", option="other-line"),
        *only("closing-line", _SHOWN, DISCARD), duty(_SHOWN, option="closing-line"),
        duty(DISCARD, option="closing-line"),
        choice("other-line", "arbitro", "La linea che non ha chiuso", "The line that did not go out"),
        choice("closing-line", "arbitro", "La linea che ha chiuso", "The line that went out"), severity="score",
        closes="other-line", needs_referee=True, asks=("seat", "option", "cards")),
    fault("B-23c", "23", Words("Carte mischiate prima del conteggio", "Cards mixed before they were counted"),
        ("person",),
        step("score", "arbitro", "Si ricostruiscono i giochi; se non si può l'arbitro assegna un punteggio.",
            "The melds are built again; where that cannot be the arbitro assigns a score."),
        step("warn", "line", "Il giocatore è ammonito.", "The player is warned."), REPEATED, *FIRST_OR_REPEATED,
        Outcome((Share("bonus", -100), Share("points")), option="repeated"), Outcome((Share("points"),)),
        needs_referee=True, asks=("seat", "option", "points")),
    holds("B-23d", "23", Words("Pozzetto non preso", "Pot not taken"),
        Words(
            "Costa 100 punti, anche se nessuna linea lo ha preso; preso e non giocato costa il valore delle sue "
            "carte.",
            "It costs 100, also where neither line took one; one taken and not played costs the value of its cards."),
        "scale", "derived"),
    holds("B-23e", "23", Words("Ordine del conteggio", "Order of the count"),
        Words(
            "Verificata la chiusura: gli onori, poi le carte in mano, poi le carte calate in file da 100 punti; con "
            "la registrazione la mano è finita.",
            "The closing checked: honours, then the cards in hand, then the cards laid in rows of 100; once it is "
            "entered the deal is over."), "derived", "person"),
)  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (*_CLOSINGS, *_COUNT)
