"""The general part: what holds for every article (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.laying import (
    DISCARD_STEP,
    END_TURN,
    MUST_DISCARD,
    MUST_END,
    MUST_PENALISE,
    PENALISE_STEP,
    WARN_STEP,
)
from table_service.games.burraco.codes.fibur2024.steps import STOP
from table_service.referee.catalogue import Row, Sense, StepRule, Words
from table_service.referee.row_writing import fault


def _principle(name: str, article: str, title: Words, senses: tuple[Sense, ...], told: Words) -> Row:
    return fault(name, article, title, senses, StepRule("nothing", "table", told), kind="principle")  # fmt: skip


ROWS: Final[tuple[Row, ...]] = (
    _principle("F-G01", "Irregolarità, perdita del diritto",
        Words("Perdita del diritto alla penalità", "The right to a penalty lapses"), ("scale", "beam"),
        Words(
            "Quando l'avversario ha pescato o raccolto la penalità decade, salvo che un articolo disponga per dopo.",
            "Once an opponent has drawn or picked up there is no penalty, unless an article rules for later.")),
    _principle("F-G02", "Irregolarità, perdita del diritto",
        Words("Il tavolo si arrangia senza arbitro", "The table settles it without the arbitro"), ("derived",),
        Words("Ciò che i giocatori decidono da soli non è riconosciuto: le carte valgono come giocate.",
            "What the players settle among themselves is not recognised: the cards stand as played.")),
    # OPTION partner_found_rest_valid: rest_stays. What is left of the meld stays where it is a valid one.
    fault("F-G03", "Irregolarità, procedura; 21",
        Words("Errore rilevato dal compagno prima dello scarto",
            "Fault pointed out by the partner before the discard"), ("person",), STOP,
        StepRule("nothing", "offender",
            Words("Il gioco errato non si può più sanare.", "The wrong meld may not be mended any more.")),
        PENALISE_STEP, DISCARD_STEP, END_TURN, WARN_STEP, MUST_PENALISE, MUST_DISCARD, MUST_END,
        heals="opponent-draws"),
    _principle("F-G06", "def.", Words("Congelamento temporaneo e definitivo", "Temporary and definitive freeze"),
        ("camera", "derived"),
        Words("Temporaneo: fino al turno di chi ha sbagliato, e il compagno non vi lega; definitivo: fino alla fine.",
            "Temporary: until the offender's next turn, and his partner adds nothing; definitive: until the deal "
            "ends.")),
    _principle("F-G07", "def.", Words("Quando una carta è giocata", "When a card is played"), ("camera",),
        Words("Quando lascia la mano del giocatore nel suo tempo di gioco.",
            "Once it has left the player's hand in his time of play.")),
)  # fmt: skip
