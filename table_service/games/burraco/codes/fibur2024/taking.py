"""Arts. 7 to 9: drawing from the stock, taking the discard pile (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.steps import FREEZE_NEXT, STOP, TAKE_NOW
from table_service.referee.catalogue import Choice, DutyRule, Row, StepRule, Words
from table_service.referee.row_writing import fault, holds, only, step

_DRAWS: Final = Words("Al suo prossimo turno deve pescare dal tallone, come ha scelto l'avversario.",
    "At his next turn he must draw from the stock, as the opponent has chosen.")  # fmt: skip
_COLLECTS: Final = Words("Al suo prossimo turno deve raccogliere il monte degli scarti, come ha scelto l'avversario.",
    "At his next turn he must pick up the pile, as the opponent has chosen.")  # fmt: skip
_REST: Final = Words("Prende le carte rimaste sul monte tranne la più alta di rango, che è il suo scarto.",
    "He takes the cards left on the pile but for the highest in rank, which is his discard.")  # fmt: skip
_OTHER_DISCARD: Final = Words(
    "Riprende in mano la carta scartata e ne scarta un'altra; se gli manca ne usa una dell'ultimo gioco effettuato.",
    "He takes the card back into his hand and discards another one; where he has none, one of his last play.",
)  # fmt: skip
_TWIN: Final = Words("A richiesta dell'avversario mostra di avere in mano una carta uguale: lo scarto è valido.",
    "At an opponent's request he shows that he holds its twin: the discard stands.")  # fmt: skip
_NOT_NOW: Final = Words(
    "La carta penalizzata che era l'unica del monte non si scarta in questo turno ma nel successivo.",
    "The penalised card that was alone on the pile is not discarded in this turn but in the next.")  # fmt: skip

_TWO_CARDS: Final = fault("F-08a", "8", Words("Due carte prese dal tallone", "Two cards taken from the stock"),
    ("scale", "gate", "beam"), STOP,
    StepRule("return-to-stock", "offender",
        Words("La prima carta è sua, la seconda torna sul tallone.",
            "The first card is his, the second goes back onto the stock."), cards=True),
    StepRule("show", "next-opponent",
        Words("L'arbitro la mostra all'avversario che segue, che al suo turno può prenderla o raccogliere.",
            "The arbitro shows it to the next opponent, who at his turn may take it or pick up the pile."),
        cards=True),
    DutyRule("return-to-stock",
        Words("La seconda carta torna sul tallone.", "The second card goes back onto the stock.")),
    Choice("draw", Words("Al suo turno prende la carta mostrata.", "At his turn he takes the card that was shown."),
        "next-opponent"),
    Choice("collect",
        Words("Al suo turno raccoglie il monte degli scarti.", "At his turn he picks up the discard pile."),
        "next-opponent"), heals="opponent-draws")  # fmt: skip

# OPTION warning_on_stock_inspection: needs_referee. Art. 8 calls it an illegal hint but names no warning, art. 22 does.
_INSPECTED: Final = fault("F-08c", "8, 22",
    Words("Tallone ispezionato da chi non è di turno", "Stock inspected by a player not in turn"), ("beam", "scale"),
    step("referee", "next-opponent", "L'avversario di turno sceglie se il compagno dovrà pescare o raccogliere.",
        "The opponent in turn chooses whether the partner will have to draw or to pick up the pile."),
    *only("draw", StepRule("limit-turn", "partner", _DRAWS, until="end-of-own-next-turn")),
    *only("collect", StepRule("limit-turn", "partner", _COLLECTS, until="end-of-own-next-turn")),
    DutyRule("limit-turn", _DRAWS, ("draw", "play", "discard"), who="partner", option="draw"),
    DutyRule("limit-turn", _COLLECTS, ("collect", "play", "discard"), who="partner", option="collect"),
    Choice("draw", Words("Il compagno dovrà pescare.", "The partner will have to draw."), "next-opponent"),
    Choice("collect", Words("Il compagno dovrà raccogliere.", "The partner must pick up."), "next-opponent"),
    needs_referee=True, heals="opponent-draws")  # fmt: skip

# Pile cards slid, unlifted, straight onto a meld are read as this row too (art. 9, first of the three cases).
_DRAWN_NEAR: Final = fault("F-09b", "9, 30",
    Words("Monte avvicinato senza alzarlo, poi gioco con le proprie carte",
        "Pile drawn near and not lifted, then own cards laid"), ("person",), STOP,
    StepRule("draw", "offender", TAKE_NOW), FREEZE_NEXT,
    DutyRule("limit-turn", TAKE_NOW, ("draw", "collect", "discard"), when="this-turn", until="end-of-own-turn"),
    DutyRule("draw", TAKE_NOW, when="after-turn"), heals="opponent-draws")  # fmt: skip

_ON_THE_PILE: Final = fault("F-09c", "9",
    Words("Proprie carte poste su carte del monte non alzate", "Own cards laid onto pile cards not lifted"),
    ("person",), STOP, FREEZE_NEXT,
    step("collect", "offender", "Raccoglie le carte del monte non utilizzate e scarta.",
        "He picks up the pile cards that he has not used, and discards."),
    DutyRule("limit-turn",
        Words("Raccoglie il resto del monte e scarta.", "He picks up the rest of the pile and discards."),
        ("collect", "discard"), when="this-turn", until="end-of-own-turn"), heals="opponent-draws")  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (
    holds("F-07a", "7, 8, 9", Words("Ripensamento dopo aver alzato una carta", "Change of mind after lifting a card"),
        Words("La scelta è definitiva: chi ha alzato una carta, anche senza vederla, pesca o raccoglie.",
            "The choice is final: who has lifted a card, even unseen, draws or picks up."), "scale", "gate", "beam"),
    holds("F-07b", "7",
        Words("Gioco aperto sopra uno che non può contenerlo", "New meld laid over one that cannot hold it"),
        Words("Tre o più carte valide sono un gioco nuovo; nessuna penalità.",
            "Three or more valid cards are a new meld; no penalty."), "camera"),
    _TWO_CARDS,
    holds("F-08b", "8", Words("Carta scoperta all'interno del tallone", "Card face up inside the stock"),
        Words("Si ricopre nella stessa posizione e il gioco prosegue.",
            "It is turned face down where it is, and play goes on."), "camera", "person"),
    _INSPECTED,
    holds("F-08d", "8", Words("Tallone ispezionato dal giocatore di turno", "Stock inspected by the player in turn"),
        Words("Quando restano poche carte può muoverle, senza alzarle né cambiarne l'ordine.",
            "When few cards are left he may shift them, neither lifting them nor changing their order."), "beam",
        "scale"),
    holds("F-09a", "9", Words("Monte degli scarti avvicinato senza alzarlo", "Pile drawn near and not lifted"),
        Words("È un'ispezione: non obbliga alla raccolta.", "It is an inspection: he need not pick the pile up."),
        "camera", "person"),
    _DRAWN_NEAR,
    _ON_THE_PILE,
    fault("F-09d", "9",
        Words("Gioco con carte del monte, il resto lasciato scoperto",
            "Meld of lifted pile cards, the rest left open"), ("person",),
        step("warn", "line",
            "Prima di completare il gioco doveva coprire o prendere in mano le altre carte: ammonizione.",
            "Before completing the meld he had to cover the other cards or take them: a warning."),
        heals="opponent-draws"),
    holds("F-09e", "9",
        Words("Una carta del monte lasciata nel raccogliere", "One pile card left behind at the pick-up"),
        Words("È il suo scarto: il turno è finito.", "It is his discard: the turn is over."), "scale", "camera"),
    fault("F-09f", "9", Words("Più carte del monte lasciate nel raccogliere", "More than one pile card left behind"),
        ("scale", "camera"), StepRule("take-back", "offender", _REST, cards=True),
        step("limit-turn", "offender", "Non gli è permessa altra attività in questo turno.",
            "He may do nothing else in this turn.", until="end-of-own-turn"), DutyRule("collect", _REST),
        severity="play-stops", heals="opponent-draws"),
    # No sensor sees a hand: that he lacks the twin is a supposition, and the table only asks for it.
    fault("F-09g", "9",
        Words("Unica carta del monte raccolta e subito scartata", "Sole pile card picked up and discarded at once"),
        ("camera", "gate", "person"), *only("twin", StepRule("show", "offender", _TWIN)), *only("no-twin", STOP),
        *only("no-twin", StepRule("take-back", "offender", _OTHER_DISCARD, cards=True)),
        *only("no-twin", step("discard", "offender", "Scarta un'altra carta.", "He discards another card.")),
        *only("no-twin",
            step("expose", "offender",
                "Se ciò che resta dell'ultimo gioco non è valido, quelle carte sono esposte (art. 24).",
                "If what is left of the last play is no meld, those cards are exposed (art. 24).")),
        DutyRule("take-back", _OTHER_DISCARD, option="no-twin"),
        Choice("twin", Words("Mostra la carta uguale.", "He shows the twin."), "offender"),
        Choice("no-twin", Words("Non ha la carta uguale.", "He has no twin."), "arbitro"), needs_referee=True,
        heals="opponent-draws"),
    fault("F-09h", "9, 25",
        Words("Unica carta del monte penalizzata e scartata subito",
            "Sole card of the pile, penalised and discarded at once"), ("scale", "camera", "derived"), STOP,
        StepRule("take-back", "offender", _NOT_NOW, cards=True),
        StepRule("discard", "offender", _NOT_NOW, until="end-of-own-next-turn", cards=True),
        DutyRule("take-back", _NOT_NOW), DutyRule("discard", _NOT_NOW, until="end-of-own-next-turn"),
        heals="opponent-draws"),
)  # fmt: skip
