"""The words of the small screen, Italian and English; cards, lines and items are named as in the console."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table_service.console.settings import Language
from table_service.console.vocabulary import Words

WORDS: Final[dict[str, tuple[str, str]]] = {
    "turn_of": ("Tocca a", "On turn:"),
    "turn_unknown": ("Di chi è il turno non è noto", "Whose turn it is is not known"),
    "no_deal_yet": ("La smazzata non è ancora cominciata", "The deal has not begun yet"),
    "deal_over": ("Smazzata finita", "The deal is over"),
    "not_counted": ("Il conteggio non è ancora arrivato.", "The count has not arrived yet."),
    "play_stops": ("Gioco fermo: attendete l’arbitro", "Play stops: wait for the arbitro"),
    "called": ("L’arbitro è stato chiamato", "The arbitro has been called"),
    "call_arbitro": ("Chiama l’arbitro", "Call the arbitro"),
    "who_calls": ("Chi chiama?", "Who calls?"),
    "who_agrees": ("Chi è d’accordo? Uno per linea.", "Who agrees? One of each line."),
    "score_of": ("Score della smazzata", "Score of deal"),
    "answers_of": ("Conferme dello score della smazzata", "Confirmations of the score of deal"),
    "so_far": ("Punteggio", "Score"),
    "total": ("Totale", "Total"),
    "confirms": ("{line} conferma", "{line} confirms"),
    "confirmed_display": ("{line} ha confermato", "{line} has confirmed"),
    "confirmed_paper": ("{line} ha firmato lo score", "{line} has signed the sheet"),
    "disputes": ("Non concordo", "I do not agree"),
    "disputed": ("{line} non concorda: l’arbitro è avvisato", "{line} does not agree: the arbitro is told"),
    "unclear": (
        "Dove c’è il punto interrogativo il tavolo non è sicuro: contate insieme e chiamate l’arbitro.",
        "Where there is a question mark the table is not sure: count together and call the arbitro.",
    ),
    "corrected": ("corretto", "corrected"),
    "score_changed": ("Il punteggio è cambiato: riguardatelo.", "The score has changed: look at it again."),
    "not_taken": ("Non è stato possibile: chiamate l’arbitro.", "That did not work: call the arbitro."),
    "lost": ("Lo schermo ha perso il tavolo: riprova da solo.", "The screen has lost the table: it keeps trying."),
    "all_confirmed": ("Score confermato dalle due linee", "Score confirmed by both lines"),
    "result": ("Risultato", "Result"),
    "vp": ("V.P.", "VP"),
    "deals_before": ("Smazzate", "Deals"),
    "next_round": ("Prossimo incontro", "Next round"),
    "goes_to": ("→ tavolo {table}, {line}", "→ table {table}, {line}"),
    "next_board": ("Prossimo: board {board}", "Next: board {board}"),
    "boards_done": ("I board del turno sono finiti", "The round's boards are done"),
    "then_to": ("poi {places}", "then {places}"),
    "table_small": ("tavolo {table}", "table {table}"),
    "other_board": ("Qui c’è un altro board", "Another board lies here"),
    "which_board": (
        "Quale? Chiamate l’arbitro se non è fra questi.",
        "Which? Call the arbitro if it is none of these.",
    ),
    "goes_rests": ("→ riposa", "→ rests"),
    "seconds_left": ("Secondi", "Seconds"),
    "time_over": ("Tempo scaduto", "Time is over"),
    "other_language": ("English", "Italiano"),
}


class ScreenWords(Words):
    """The console's words and those of the screen."""

    def __getitem__(self, key: str) -> str:
        pair = WORDS.get(key)
        return super().__getitem__(key) if pair is None else pair[self._column]


def screen_words(language: Language, seats: Sequence[str] = ()) -> ScreenWords:
    """Return the words of one language at a table where ``seats`` sit."""
    return ScreenWords(language, seats=seats)
