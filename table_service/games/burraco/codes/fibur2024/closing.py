"""Arts. 14, 17 and 30, 33 to 36: discards, ends of a deal, wrong closings, the count (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.closings import DUTIES, STEPS, Way
from table_service.games.burraco.codes.fibur2024.steps import STOP
from table_service.referee.catalogue import Choice, Row, Sense, Words
from table_service.referee.outcomes import Outcome, Share
from table_service.referee.row_writing import fault, holds, only, step

_SENSES: Final[tuple[Sense, ...]] = ("scale", "camera", "derived")


def _closing(name: Way, article: str, title: Words) -> Row:
    return fault(name, article, title, _SENSES, STOP, *STEPS[name], *DUTIES[name], severity="score",
        heals="opponent-draws")  # fmt: skip


_SITUATIONS: Final[tuple[Row, ...]] = (
    holds("F-14", "14", Words("Matta scartata senza chiudere", "Wild discarded, not going out"),
        Words("È permesso in ogni momento, tranne per chiudere.", "It is allowed at any time but to go out."),
        "scale", "camera"),
    holds("F-17", "17", Words("Tallone esaurito", "Stock exhausted"),
        Words("Le ultime due carte non si giocano: si finisce con lo scarto di chi pesca la terzultima, senza bonus.",
            "The last two cards are not played: the deal ends with the discard of who drew the third last, no bonus."),
        "scale"),
    holds("F-17b", "17", Words("Bonus di chiusura", "Bonus for going out"),
        Words("Vanno 100 punti alla coppia che è andata a pozzo, ha un burraco e finisce le carte scartandone una.",
            "The pair that has had its pot, has a burraco and plays all its cards, discarding one, gets 100."),
        "scale", "camera", "derived"),
)  # fmt: skip

# A consequence of art. 30 that shows in the score alone: the row follows the ruling when the deal is closed.
_FROZEN_AT_THE_END: Final = fault("F-30c", "30",
    Words("Smazzata chiusa con giochi congelati per mancata pesca",
        "Deal closed while melds are frozen for a missed draw"), ("derived",),
    step("score", "line",
        "I giochi aperti contano negativi; nei giochi preesistenti contano negative solo le carte legate.",
        "Melds opened count negative; in older melds only the cards that were added do.", cards=True))  # fmt: skip

_MIXED: Final = fault("F-36", "36",
    Words("Proprie carte mescolate prima del conteggio", "Own cards mixed before they were counted"), ("person",),
    *only("rebuilt",
        step("referee", "arbitro",
            "L'arbitro ricostruisce i giochi: il registro della telecamera li elenca carta per carta.",
            "The arbitro rebuilds the melds: the camera's ledger lists them card by card.")),
    *only("arbitral",
        step("score", "line", "Se è impossibile, un punteggio arbitrale in base alle indicazioni ricevute.",
            "Where that cannot be done, an arbitral score by what he is told.")),
    Choice("rebuilt", Words("I giochi si ricostruiscono.", "The melds can be rebuilt."), "arbitro"),
    Choice("arbitral", Words("Punteggio arbitrale.", "An arbitral score."), "arbitro"),
    Outcome(offender=(Share("points"),), option="arbitral"), asks=("seat", "option", "points"))  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (
    *_SITUATIONS,
    _FROZEN_AT_THE_END,
    _closing("F-33", "33", Words("Chiusura senza burraco", "Going out without a burraco")),
    _closing("F-34", "34", Words("Chiusura scartando una matta", "Going out by discarding a wild card")),
    _closing("F-35a", "35",
        Words("Chiusura senza scarto, aprendo un gioco", "Going out without a discard, a meld opened last")),
    _closing("F-35b", "35",
        Words("Chiusura senza scarto, legando l'ultima carta", "Going out without a discard, the last card added")),
    _MIXED,
)  # fmt: skip
