"""Arts. 16 to 19: the discard pile taken, pots that are wrong or looked at early (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.feburit.steps import (
    BARS,
    DISCARD,
    ENDS,
    FIRST_OR_REPEATED,
    MUST_END,
    REPEATED,
    REPEATED_COSTS,
    STOP,
    WARN,
    barred,
)
from table_service.referee.catalogue import Row, Sense, Words
from table_service.referee.row_writing import choice, duty, fault, holds, only, step

_LOWEST: Final = step("discard", "offender",
    "Si sospende il gioco: scarta la carta di valore più basso fra quelle raccolte.",
    "Play is suspended: he discards the card of lowest value among those picked up.", until="end-of-own-turn",
    cards=True)  # fmt: skip
_ANOTHER: Final = step("take-back", "offender", "Riprende in mano quella carta e ne scarta un'altra.",
    "He takes that card back into his hand and discards another.", cards=True)  # fmt: skip
_LAST_PLAY: Final = step("penalise", "offender",
    "Non avendone altre riprende l'ultimo gioco, penalizzato, e ne scarta le carte dalla più bassa.",
    "Having no other he takes his last play back, penalised, and discards its cards from the lowest.",
    cards=True)  # fmt: skip
_POT_SENSES: Final[tuple[Sense, ...]] = ("scale", "person")
_UNSEEN_OR_SEEN: Final = (
    choice("unseen", "arbitro", "Nessuna carta è stata vista.", "No card was seen."),
    choice("seen", "arbitro", "Una carta è stata vista: si continua così.", "A card was seen: play goes on so."),
)
_OTHER_POT: Final = step("correct-count", "arbitro", "Si regolarizza anche l'altro pozzetto, se è sbagliato.",
    "The other pot is put right too, if it is wrong.")  # fmt: skip


def _pot(name: str, title: Words, it: str, en: str) -> Row:
    return fault(name, "17", title, _POT_SENSES, STOP, *only("unseen", step("correct-count", "arbitro", it, en)),
        _OTHER_POT, duty(step("correct-count", "arbitro", it, en), option="unseen"), *_UNSEEN_OR_SEEN,
        asks=("seat", "option"))  # fmt: skip


ROWS: Final[tuple[Row, ...]] = (
    holds("B-16a", "16", Words("Una sola carta lasciata nel raccogliere", "A single card left at a pick-up"),
        Words("È lo scarto: nessun gioco è più possibile.", "It is the discard: nothing more may be laid."), "scale",
        "camera"),
    fault("B-16b", "16",
        Words("Carte del monte lasciate scoperte e gioco iniziato", "Pile cards left face up and play begun"),
        ("camera", "scale", "person"), STOP, _LOWEST, ENDS, duty(_LOWEST), MUST_END, heals="next-seat-draws"),
    holds("B-16c", "16", Words("Una carta del monte sollevata o avvicinata", "A pile card lifted or drawn near"),
        Words("Il monte va raccolto tutto.", "The whole pile must be picked up."), "scale", "person"),
    holds("B-16d", "16", Words("Carta del tallone sollevata", "Stock card lifted"),
        Words("Va pescata.", "It must be drawn."), "scale"),
    fault("B-16e", "16",
        Words("Unica carta del monte raccolta e subito scartata", "Only card of the pile taken and discarded"),
        ("camera", "scale", "gate", "person"), STOP,
        step("nothing", "offender", "Se ne aveva già un'altra uguale la mostra a richiesta: nessuna penalità.",
            "If he already held its twin he shows it on request: no penalty.", option="has-twin"),
        *only("no-twin", _ANOTHER), *only("last-play", _LAST_PLAY, DISCARD, *BARS), duty(_ANOTHER, option="no-twin"),
        duty(_LAST_PLAY, option="last-play"), duty(DISCARD, option="last-play"), *barred("last-play"),
        choice("has-twin", "offender", "Ha un'altra carta uguale.", "He holds its twin."),
        choice("no-twin", "offender", "Non ha la carta uguale: ne scarta un'altra.",
            "He has no twin: he discards another card."),
        choice("last-play", "arbitro", "Non ha altre carte.", "He has no other card."), needs_referee=True,
        heals="next-seat-draws"),
    _pot("B-17a", Words("Pozzetto con meno di undici carte", "Pot with fewer than eleven cards"),
        "Se nessuna carta è stata vista si completa con la prima carta sotto il tallone.",
        "Where no card was seen it is completed from under the stock."),
    _pot("B-17b", Words("Pozzetto con più di undici carte", "Pot with more than eleven cards"),
        "Se nessuna carta è stata vista le eccedenti vanno da sopra il pozzetto a sotto il tallone.",
        "Where no card was seen the surplus goes from the top of the pot to the bottom of the stock."),
    fault("B-17c", "17", Words("Pozzetti mischiati fra loro", "Pots mixed with each other"), ("person",), STOP,
        step("correct-count", "arbitro", "L'arbitro mischia le carte dei due pozzetti e ne forma due nuovi.",
            "The arbitro shuffles the cards of both pots and builds two new ones."), asks=()),
    fault("B-18", "18", Words("Pozzetto della mano precedente", "Pot of the deal before"), _POT_SENSES,
        step("nothing", "table", "La mano continua e vale.", "The deal goes on and counts."),
        step("nothing", "table", "Il pozzetto dimenticato resta inutilizzato.", "The forgotten pot stays unused.",
            option="spare-unused"),
        step("nothing", "line",
            "Il gioco fatto con esso vale; l'altra linea usa comunque il secondo pozzetto di questa mano.",
            "What was played with it counts; the other line still uses the second pot of this deal.",
            option="spare-played"),
        choice("spare-unused", "arbitro", "Nessuno lo ha giocato", "Nobody has played it"),
        choice("spare-played", "arbitro", "Una linea lo ha giocato", "One line has played it"), asks=("option",)),
    # Whether a pot is looked at no sensor sees. It counts within the round alone.
    fault("B-19", "19",
        Words("Pozzetto preso con lo scarto e visto prima dello scarto del compagno",
            "Pot taken with the discard, seen before the partner's discard"), ("person",), WARN, REPEATED,
        *FIRST_OR_REPEATED, *REPEATED_COSTS, severity="warning", asks=("seat", "option")),
)  # fmt: skip
