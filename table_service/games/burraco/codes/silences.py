"""Facts that no sentence of a code decides: the arbitro is alerted, and no player is accused of more."""

from __future__ import annotations

from table_service.referee.catalogue import Row, Words
from table_service.referee.row_writing import choice, duty, fault, step

_ASKED = step("referee", "arbitro",
    "Il testo non ne parla: l'arbitro decide se le carte restano lì o tornano in mano a chi le ha messe.",
    "The text does not say: the arbitro decides whether the cards stay there or go back to who laid them.")  # fmt: skip
_BACK = step("take-back", "offender", "Le carte tornano in mano a chi le ha messe.",
    "The cards go back into the hand of who laid them.", option="back", cards=True)  # fmt: skip
_STAY = step("nothing", "table", "Le carte restano e contano per la linea del gioco.",
    "The cards stay and count for the line of the meld.", option="stay")  # fmt: skip


def laid_on_theirs(name: str, article: str) -> Row:
    """Cards added to a meld of the opponents. ``article``: where the text speaks of adding, and not of this."""
    return fault(name, article, Words("Carte legate a un gioco avversario", "Cards added to the opponents' meld"),
        ("camera", "gate", "beam"), _ASKED, _BACK, _STAY, duty(_BACK),
        choice("back", "arbitro", "Le carte tornano in mano.", "The cards go back."),
        choice("stay", "arbitro", "Le carte restano lì.", "The cards stay there."), needs_referee=True,
        silent=True)  # fmt: skip


_SECOND_BACK = step("take-back", "offender", "La seconda carta torna in mano a chi l'ha scartata.",
    "The second card goes back into the hand of who discarded it.", option="back", cards=True)  # fmt: skip
_SECOND_STAYS = step("nothing", "table", "La seconda carta resta sul monte degli scarti.",
    "The second card stays on the discard pile.", option="stay")  # fmt: skip
_SECOND_ASKED = step("referee", "arbitro",
    "Dopo lo scarto nessuna azione è possibile; che cosa segue il testo non lo dice: decide l'arbitro.",
    "After the discard no action is possible; what follows the text does not say: the arbitro decides.")  # fmt: skip


def discarded_again(name: str, article: str) -> Row:
    """Build the row of a second discard in one turn. ``article``: has the discard end the turn, and says no more."""
    return fault(name, article, Words("Secondo scarto nello stesso turno", "Second discard in the same turn"),
        ("scale", "beam", "gate"), _SECOND_ASKED, _SECOND_BACK, _SECOND_STAYS, duty(_SECOND_BACK),
        choice("back", "arbitro", "Torna in mano.", "It goes back."),
        choice("stay", "arbitro", "Resta sul monte.", "It stays on the pile."), needs_referee=True,
        silent=True)  # fmt: skip


_DEAL_ASKED = step("referee", "arbitro",
    "Il testo fa distribuire al sistema e non dice che cosa segue: l'arbitro decide se si continua.",
    "The text has the system deal and does not say what follows: the arbitro decides whether to go on.")  # fmt: skip


def dealt_otherwise(name: str, article: str) -> Row:
    """Pack, hands, stock or pots of other numbers than the text has, where that knows no dealer who may err."""
    return fault(name, article,
        Words("Mazzo, mani o pozzetti con altri numeri di carte", "Pack, hands or pots of other numbers of cards"),
        ("scale", "camera"), _DEAL_ASKED, needs_referee=True, silent=True)  # fmt: skip
