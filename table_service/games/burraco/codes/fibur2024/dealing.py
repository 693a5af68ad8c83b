"""Arts. 3, 4 and 7: shuffling, dealing, making the pots, and what is wrong with it (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.steps import STOP, WARN_LINE
from table_service.referee.catalogue import Ageing, Row, StepRule, Words
from table_service.referee.row_writing import choice, fault, situation, step

_REDEAL: Final = step("redeal", "table", "Si rimescola, si taglia e si rifanno distribuzione e pozzi.",
    "Shuffle, cut, deal and make the pots again.")  # fmt: skip


def _warned(name: str, article: str, title: Words, warning: StepRule = WARN_LINE) -> Row:
    return fault(name, article, title, ("person",), warning, asks=("seat",))


SITUATIONS: Final[tuple[Row, ...]] = (
    situation("F-03b", "3",
        Words("Sorteggio dei posti e della prima smazzata", "Draw for the seats and the first deal"),
        step("nothing", "table",
            "Ognuno scopre una carta: chi ha la più alta tiene lo score, sceglie il posto ed è servito "
            "dall'avversario con la più bassa; a parità conta il seme, a carte uguali si riscopre.",
            "Everybody turns up a card: the highest keeps the score sheet, chooses his seat and is dealt to by the "
            "opponent with the lowest; equal ranks go by suit, equal cards are drawn again."), senses=("person",)),
    situation("F-04b", "4", Words("Taglio lontano dalla metà", "Cut far from the half"),
        step("nothing", "table",
            "Se chi riceve se ne accorge il mazziere risolleva; altrimenti le carte che mancano passano da un "
            "pacchetto all'altro.",
            "If the receiver notices, the dealer cuts again; otherwise the cards that lack go from one packet to the "
            "other."), senses=("person",)),
    situation("F-04j", "4",
        Words("Turno di mazziere saltato con il consenso del tavolo", "Turn to deal skipped and accepted"),
        step("nothing", "table", "Farà le carte quando ce ne si accorge.", "He deals when it is noticed.")),
    situation("F-04l", "4", Words("Come si distribuisce", "How the cards are dealt"),
        step("nothing", "table",
            "Mescola il mazziere, poi chi fa i pozzi; il mazziere taglia a metà, serve undici carte una alla volta "
            "in senso orario; i due pozzi da undici si alternano dal fondo e vanno sotto lo score; contate le carte "
            "il mazziere scopre la prima del tallone.",
            "The dealer shuffles, then the pot maker; the dealer cuts at the half and serves eleven cards one by one "
            "clockwise; the two pots of eleven are built in turns from the bottom and go under the score sheet; when "
            "the cards are counted the dealer turns up the first of the stock."), senses=("scale", "camera")),
    situation("F-04m", "4", Words("Domanda sul numero delle carte in mano", "Asking how many cards are held"),
        step("nothing", "player-in-turn", "Nel proprio tempo di gioco si può chiedere a tutti quante carte hanno.",
            "In his own time of play a player may ask everybody how many cards he holds."), senses=("person",)),
    situation("F-04n", "4", Words("Chi tiene davanti a sé i giochi della linea", "Who keeps the melds of a line"),
        step("nothing", "line",
            "Le linee lo dichiarano a inizio turno per tutte le smazzate; nessuna penalità è scritta.",
            "The lines declare it at the start of the round for all its deals; no penalty is written.")),
)  # fmt: skip
"""What art. 4 rules without calling it a fault."""

ROWS: Final[tuple[Row, ...]] = (
    *SITUATIONS,
    _warned("F-04a", "4",
        Words("Mescola chi non è mazziere né fa i pozzi", "Shuffled by neither the dealer nor the pot maker")),
    # The gates see single cards pass, but a dealt heap goes on answering or falls silent: no order can be proved by it.
    fault("F-04c", "4",
        Words("Carte non distribuite una alla volta in senso orario", "Not dealt one by one clockwise"), ("person",),
        STOP, _REDEAL, asks=(), heals="opponent-draws"),
    fault("F-04d", "4, 7", Words("Distribuzione errata, rilevata prima del gioco", "Misdeal, found before play"),
        ("scale", "camera", "person"), STOP, _REDEAL, Ageing("next-draw", "F-04f"), asks=()),
    # The areas of the hands are masked before a frame is stored: who looks at his cards no sensor tells.
    fault("F-04e", "4, 7",
        Words("Carte guardate prima del conteggio o del via", "Hand looked at before the count or the start"),
        ("person",), STOP, _REDEAL, asks=("seat",), heals="opponent-draws"),
    fault("F-04f", "4, 7",
        Words("Distribuzione errata, rilevata a gioco iniziato", "Misdeal, found after the first draw"),
        ("scale", "person"),
        step("nothing", "table", "Non si corregge più: la smazzata si gioca e vale.",
            "It is no longer put right: the deal is played and counts.", until="deal-end"), asks=()),
    # Backs have no heading that the camera reads, and a face-down card may be left out of a sighting.
    _warned("F-04g", "4", Words("Verso del tallone cambiato", "The stock was turned round")),
    # The camera knows cards, not paper: a sheet that covers the pots and a frame that misses them look the same.
    fault("F-04h", "4, 23", Words("Pozzi non collocati sotto lo score", "Pots not under the score sheet"),
        ("person",), step("warn", "line", "Tutti i giocatori sono ammoniti.", "All players are warned."),
        warned="both", asks=()),
    _warned("F-04i", "4", Words("Carte non tenute a ventaglio", "Cards not held as an open fan")),
    fault("F-04k", "4, 23",
        Words("Pozzo della smazzata precedente trovato a gioco iniziato", "Pot of the last deal found in play"),
        ("scale", "person"), step("nothing", "table", "La smazzata continua e vale.", "The deal goes on and counts."),
        step("nothing", "table", "Il pozzo in più resta inutilizzato.", "The spare pot stays unused.",
            option="spare-unused"),
        step("nothing", "line",
            "Chi ha giocato il pozzo vecchio lo tiene; l'altra linea giocherà il secondo pozzo di questa smazzata e "
            "il primo resta inutilizzato.",
            "Who played the old pot keeps it; the other line will play the second pot of this deal, the first stays "
            "unused.",
            option="spare-played"),
        choice("spare-unused", "arbitro", "Nessuno lo ha giocato", "Nobody has played it"),
        choice("spare-played", "arbitro", "Una linea lo ha giocato", "One line has played it"), asks=("option",)),
)  # fmt: skip
