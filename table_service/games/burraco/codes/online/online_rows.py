"""The catalogue of the common online rules (seeds 002), in own wording.

The text describes a system that refuses what it does not allow. At a table it can happen: it is taken back, no penalty
is written, and the arbitro decides whether more follows. That it heals with the next draw is a reading.
"""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.online.answers import ANSWERS
from table_service.games.burraco.codes.silences import dealt_otherwise
from table_service.referee.catalogue import Catalogue, DutyRule, Row, Sense, Words, catalogue_of
from table_service.referee.row_writing import choice, fault, holds, situation, step

_REFUSED: Final = step("take-back", "offender", "La mossa si annulla: le carte tornano dove erano.",
    "The move is undone: the cards go back where they were.", cards=True)  # fmt: skip
_REFEREE: Final = step("referee", "arbitro", "Il testo non prevede penalità: se segue altro lo decide l'arbitro.",
    "The text has no penalty: whether more follows the arbitro decides.")  # fmt: skip
_STOP: Final = step("stop-play", "table", "Si ferma il gioco e si chiama l'arbitro.",
    "Play stops and the arbitro is called.")  # fmt: skip


_UNDONE: Final = (DutyRule("take-back", _REFUSED.text),)
_PILE_GOES_BACK: Final = (DutyRule("return-to-pile", _REFUSED.text),)
"""What was taken of the pile: then all of it is taken, or a card is drawn."""
_GO_BACK: Final = (
    DutyRule("return-to-stock", _REFUSED.text, option="draw"),
    DutyRule("return-to-pile", _REFUSED.text, option="collect"),
)
_WHAT_HE_TOOK: Final = (
    choice("draw", "arbitro", "Ha pescato dal tallone.", "He drew from the stock."),
    choice("collect", "arbitro", "Ha raccolto il monte degli scarti.", "He picked up the pile."),
)


def _refused(
    name: str,
    section: str,
    it: str,
    en: str,
    *senses: Sense,
    closing: bool = False,
    taken: bool = False,
    duties: tuple[DutyRule, ...] = _UNDONE,
) -> Row:
    """Return the row of a move the system refuses; ``closing``: it would end the deal; ``taken``: cards go back whence.

    ``duties``: what undoes it.
    """
    return fault(name, section, Words(it, en), senses, _STOP, _REFUSED, _REFEREE, *(_GO_BACK if taken else duties),
        *(_WHAT_HE_TOOK if taken else ()), severity="score" if closing else "play-stops", heals="anybody-draws",
        needs_referee=True)  # fmt: skip


_TURN: Final = "Il giocatore di turno"
_OPENING: Final = "Regole per aprire nuovi giochi"
_ADDING: Final = "Regole per allungare i giochi esistenti"
_POT: Final = "Presa del pozzetto"
_TIMES: Final = "Tempi a disposizione del giocatore"

_SITUATIONS: Final[tuple[Row, ...]] = (
    holds("O-01", _TURN, Words("Unica carta raccolta dal monte", "Only card picked up from the pile"),
        Words("Si scarta solo se in mano c'è la sua uguale.", "It is discarded only where its twin is held."),
        "scale", "camera"),
    holds("O-02", _OPENING, Words("Due combinazioni della stessa carta", "Two sets of one rank"),
        Words("Non si possono tenere separate: si allunga la prima.",
            "They may not lie apart: the first is extended."), "camera"),
    holds("O-03", _OPENING, Words("Asso nelle scale", "Ace in runs"),
        Words("Prima del 2 o dopo il K, mai fra i due.", "Before the 2 or after the king, never between them."),
        "camera"),
    holds("O-04", _ADDING, Words("Matta già collocata", "Wild already laid"),
        Words("Lascia il posto solo alla carta che sostituisce.",
            "It makes room only for the card that it stands for."), "camera"),
    holds("O-05", "Ulteriori regole; Chiusura della smazzata",
        Words("Che cosa serve per chiudere", "What going out needs"),
        Words("Il pozzetto, almeno un burraco e uno scarto che non sia una matta.",
            "The pot, at least one burraco and a discard that is no wild."), "scale", "camera", "derived"),
    situation("O-06", "Esaurimento delle carte del tallone",
        Words("Due carte nel tallone", "Two cards left in the stock"),
        step("nothing", "table",
            "La smazzata finisce con lo scarto; se nessun totale è sopra lo zero la partita è pari, altrimenti si "
            "prosegue.",
            "The deal ends with the discard; where no total is above zero the match is drawn, else play goes on."),
        senses=("scale", "derived")),
    holds("O-07", _TIMES, Words("Un minuto per azione", "A minute for an action"),
        Words(
            "Sessanta secondi per azione, altri sessanta dopo un pozzetto in diretta; poi una presa e uno scarto a "
            "caso.",
            "Sixty seconds for an action, sixty more after a pot in flight; then a draw and a discard at random.")),
    holds("O-08", "Punteggio", Words("Pozzetto non preso", "Pot not taken"),
        Words("Costa 100 punti, sempre.", "It costs 100 points, always."), "scale", "derived"),
    holds("O-09", "La distribuzione iniziale", Words("Primo giocatore", "First player"),
        Words("Lo sceglie il caso, e da lui si distribuisce; i pozzetti si formano dal fondo, una carta alla volta.",
            "Chance chooses him, and the deal begins with him; the pots are built from the bottom, a card at a time."),
        "person"),
    holds("O-10", "Fine della partita", Words("Fine della partita", "End of the match"),
        Words(
            "Quando a fine smazzata un totale raggiunge il punteggio previsto: vince il più alto, in parità si gioca "
            "ancora.",
            "When at the end of a deal a total reaches the target: the higher wins, equal ones play another deal.")),
    holds("O-11", _POT, Words("Come si prende il pozzetto", "How the pot is taken"),
        Words(
            "Finite le carte con uno scarto, anche una matta, si gioca dal turno dopo; senza scarto si gioca subito. "
            "Uno per giocatore, in coppia uno per squadra.",
            "The hand used up with a discard, a wild too, it is played from the next turn; without one at once. One "
            "for each player, in pairs one for each team."), "scale"),
    holds("O-12", _OPENING, Words("Giochi e matte", "Melds and wilds"),
        Words(
            "Almeno tre carte in scala di un seme o dello stesso valore; una matta al massimo, mai sole matte; il 2 "
            "al suo posto non è matta; si allungano solo i propri giochi.",
            "At least three cards in a run of a suit or of one rank; one wild at most, never wilds alone; a 2 in its "
            "place is no wild; only one's own melds are extended."), "camera"),
    holds("O-13", "Punteggio; Burrachi", Words("Punteggio", "Score"),
        Words(
            "Carte in tavola meno carte in mano; burraco pulito 200, semipulito 150, sporco 100; chiusura 100; si "
            "sommano le smazzate precedenti.",
            "Cards laid minus cards in hand; clean burraco 200, semi-clean 150, dirty 100; closing 100; earlier "
            "deals are added."), "camera", "scale", "derived"),
    holds("O-14", "Regole del burraco", Words("Posti e inizio", "Seats and start"),
        Words("Si comincia a posti occupati; in quattro i compagni siedono di fronte, in due i giocatori.",
            "Play begins when all seats are taken; of four, partners sit opposite each other, of two the players do."),
        "person"),
    holds("O-15", "La distribuzione iniziale; " + _POT, Words("Partita a due", "Match of two"),
        Words("Due mani e due pozzetti da undici; ognuno è una linea, con un pozzetto suo.",
            "Two hands and two pots of eleven; each player is a line, with a pot of his own."), "scale"),
    holds("O-16", _TIMES, Words("Conto alla rovescia", "Countdown"),
        Words("Si vede chiaramente e alla fine un suono avverte (opzione per_action).",
            "It is shown clearly and a sound tells its end (option per_action).")),
    holds("O-17", "Esaurimento delle carte del tallone; Tornei e montepremi", Words("Premi", "Prizes"),
        Words("Al giocatore o alla coppia; partita pari, metà per ciascuno.",
            "To the player or the pair; of a drawn match half to each."), "person"),
)  # fmt: skip

_IRREGULARITIES: Final[tuple[Row, ...]] = (
    _refused("O-20", _TURN, "Presa fuori turno", "Draw or pick-up out of turn", "scale", "beam", "gate", taken=True),
    _refused("O-21", _TURN, "Seconda presa nello stesso turno", "Second draw, or draw and pick-up, in one turn",
        "scale", taken=True),
    _refused("O-22", _TURN, "Gioco o scarto senza aver preso carte", "Meld or discard without a draw", "camera",
        "scale"),
    _refused("O-23", f"{_OPENING}; {_ADDING}", "Gioco o allungo non valido", "Invalid meld or extension", "camera",
        "beam"),
    _refused("O-24", _OPENING, "Seconda combinazione della stessa carta", "Second set of a rank", "camera", "beam"),
    _refused("O-25", _ADDING, "Matta spostata o sostituita da un'altra carta",
        "Wild moved or replaced by a card it does not stand for", "camera", "beam"),
    _refused("O-26", _ADDING, "Gioco avversario allungato", "Opponents' meld extended", "camera", "beam"),
    _refused("O-27", _TURN, "Unica carta del monte raccolta e scartata senza l'uguale",
        "Only pile card taken and discarded without its twin", "camera", "scale", "person"),
    _refused("O-28", _TURN, "Monte raccolto in parte", "Part of the pile taken", "scale", "camera",
        duties=_PILE_GOES_BACK),
    _refused("O-29", "Ulteriori regole; Chiusura della smazzata", "Chiusura senza averne i requisiti",
        "Going out with a wild, or without burraco, pot or discard", "scale", "camera", "derived", closing=True),
    _refused("O-30", _POT, "Secondo pozzetto preso da una linea", "Second pot taken by a line", "scale", "beam"),
    fault("O-31", _TIMES, Words("Tempo per l'azione scaduto", "Time for an action has run out"), ("derived",),
        step("nothing", "offender",
            "Il regolamento fa pescare e scartare una carta a caso: il tavolo lo annuncia e aspetta.",
            "The rules have a card drawn and one discarded at random: the table announces it and waits."), _REFEREE,
        needs_referee=True, heals="anybody-draws"),
    _refused("O-32", _TURN, "Gioco o secondo scarto fuori dal proprio turno",
        "Meld or second discard after the discard or out of turn", "camera", "beam"),
    dealt_otherwise("O-N1", "La distribuzione iniziale"),
)  # fmt: skip

ONLINE: Final[Catalogue] = catalogue_of("online", (*_SITUATIONS, *_IRREGULARITIES), None, ANSWERS)
"""The rows of the online rules; they say nothing of rounds and tournaments."""
