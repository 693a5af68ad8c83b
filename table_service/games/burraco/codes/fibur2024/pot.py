"""Arts. 18 and 23: the pots (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.closings import VALID, choices, duties_by_way, steps_by_way
from table_service.games.burraco.codes.fibur2024.steps import (
    FREEZE_NEXT,
    NEXT_TAKE,
    PENALISED,
    STOP,
    TAKE_AND_DISCARD,
    TAKE_NOW,
)
from table_service.referee.catalogue import Ageing, Choice, DutyRule, Row, StepRule, Words
from table_service.referee.row_writing import fault, holds, only, step

_BACK: Final = Words("Il pozzo preso per errore torna al suo posto.",
    "The pot that was taken by mistake goes back to its place.")  # fmt: skip
_RESTORED: Final = Words("Il secondo pozzo si ricompone, anche con le carte già giocate, e torna al suo posto.",
    "The second pot is put together again, with the cards already played, and goes back to its place.")  # fmt: skip
_PUT_BACK: Final = StepRule("correct-count", "offender", _BACK)
_REPAIRED: Final = Words(
    "Il pozzo si riporta a undici carte: le mancanti dal fondo del tallone, le eccedenti nel fondo; si verifica "
    "anche l'altro pozzo.",
    "The pot is brought to eleven cards: those lacking from the bottom of the stock, those over to it; the other pot "
    "is counted too.")  # fmt: skip
_SEEN: Final = Words("Chi lo riceve ha già visto una carta: il gioco prosegue.",
    "Who receives it has seen a card already: play goes on.")  # fmt: skip
_DEFINITIVE: Final = StepRule("freeze", "line",
    Words("Il gioco errato è congelato definitivamente e i suoi punti contano negativi.",
        "The wrong meld is frozen for good and its points count negative."), until="deal-end",
    cards=True)  # fmt: skip
_COUNTED: Final = StepRule("score", "line",
    Words("Le carte del gioco errato si contano in negativo.", "The cards of the wrong meld count negative."),
    cards=True)  # fmt: skip
_OTHER_LINE: Final = step("score", "next-opponent",
    "Alla coppia rimasta senza pozzo, se chiude dove l'avrebbe preso (anche in diretta), vanno 100 punti di chiusura "
    "e i suoi burrachi; senza burraco altri 100 di punteggio arbitrale.",
    "The pair left without a pot, going out where it would have taken it (also in flight), gets 100 for closing and "
    "its burrachi; without a burraco another 100 as an arbitral score.")  # fmt: skip
_WARN_BOTH: Final = step("warn", "arbitro",
    "Il pozzo va contato e consegnato da un avversario: ammonizione a entrambe le coppie, anche se d'accordo.",
    "The pot is counted and handed over by an opponent: both pairs are warned, even where they agreed.")  # fmt: skip
_WARN: Final = step("warn", "line", "La coppia è ammonita.", "The pair is warned.")

_HANDED: Final[tuple[Row, ...]] = (
    holds("F-18", "18", Words("Nessuna linea ha preso il pozzo", "Neither line has taken a pot"),
        Words("Il pozzo non preso non si conta a nessuna linea.", "The pot not taken counts against neither line."),
        "scale", "derived"),
    holds("F-18b", "18", Words("Che cosa si conta", "What is counted"),
        Words(
            "A favore burrachi, chiusura, bonus e carte dei giochi; contro pozzo non preso (100), pozzo preso e non "
            "giocato, carte in mano e carte penalizzate.",
            "For: burrachi, closing, bonuses and the cards of melds; against: a pot not taken (100), a pot taken and "
            "not played, cards in hand and penalised cards."), "camera", "scale", "derived"),
    holds("F-18c", "18", Words("Tabelle dei Victory Points", "Tables of victory points"),
        Words("La differenza punti del turno dà i V.P. secondo la tabella del tipo di torneo.",
            "The difference of the round gives the VP by the table of the kind of tournament."), "derived"),
    holds("F-23a", "23", Words("Carta del pozzo scoperta nella consegna", "Pot card shown while it is handed over"),
        Words("Nessuna penalità: si prosegue.", "No penalty: play goes on."), "camera", "person"),
    # The arbitro warns both "even if he notices it by chance": it is nobody's right that could lapse with play.
    fault("F-23b", "23", Words("Pozzo preso da soli", "Pot taken alone"), ("beam", "scale"), _WARN_BOTH,
        warned="both"),
    # Who hands the first pot over verifies what is left, too: both pots are put right then, the second no more later.
    fault("F-23c", "23", Words("Primo pozzo con un numero errato di carte", "First pot with a wrong number of cards"),
        ("scale",), *only("repair", StepRule("correct-count", "arbitro", _REPAIRED)),
        *only("seen", StepRule("nothing", "table", _SEEN)), Choice("repair", _REPAIRED, "arbitro"),
        Choice("seen", _SEEN, "arbitro"), severity="play-stops", needs_referee=True, heals="opponent-draws"),
    holds("F-23d", "23",
        Words("Secondo pozzo con un numero errato di carte", "Second pot with a wrong number of cards"),
        Words("Si riconta ma non si ripristina.", "It is counted again but not put right."), "scale"),
    holds("F-23e", "23", Words("Pozzi caduti a terra", "Pots dropped to the floor"),
        Words("L'arbitro raccoglie le carte e le rimescola.", "The arbitro collects the cards and shuffles them."),
        "person"),
    # Not with screens: there who takes it with the discard may look at once (F-S5).
    fault("F-23f", "23",
        Words("Pozzo visto prima dello scarto del compagno", "Pot looked at before the partner's discard"),
        ("person",), _WARN, heals="opponent-draws"),
    fault("F-23g", "23, 30, 22",
        Words("Compagno che ricorda di pescare prima di giocare il pozzo",
            "Partner reminds to draw before the pot is played"), ("person",), STOP,
        StepRule("limit-turn", "partner", TAKE_NOW), _WARN,
        DutyRule("limit-turn", TAKE_NOW, ("draw", "collect", "discard"), until="end-of-own-turn", when="this-turn",
            who="partner"), heals="opponent-draws"),
    fault("F-23p", "23",
        Words("Carte del pozzo giocate prima di averle tutte", "Pot cards played before all are in hand"),
        ("scale", "camera"),
        step("collect", "offender", "Tutte le carte del pozzo vanno prima in mano; il codice non prevede penalità.",
            "All cards of the pot go to the hand first; the code states no penalty."), heals="opponent-draws"),
)  # fmt: skip

_TAKEN_TWICE: Final[tuple[Row, ...]] = (
    fault("F-23h", "23, 35",
        Words("Secondo pozzo preso in diretta dalla stessa linea", "Second pot taken in flight by the same line"),
        ("scale", "camera", "derived"), STOP, _PUT_BACK, *steps_by_way("F-35a", "F-35b"),
        DutyRule("correct-count", _BACK), *duties_by_way("F-35a", "F-35b"), *choices("F-35a", "F-35b"),
        severity="score"),
    fault("F-23i", "23, 33",
        Words("Secondo pozzo preso con lo scarto dalla stessa linea",
            "Second pot taken with the discard by the same line"), ("scale", "camera", "derived"), _PUT_BACK,
        *steps_by_way("F-33", "F-34"), DutyRule("correct-count", _BACK), *duties_by_way("F-33", "F-34"), VALID,
        *choices("F-33", "F-34"), severity="score"),
    fault("F-23n", "23, 33, 34, 35",
        Words("Carte del secondo pozzo giocate dalla stessa linea", "Cards of a second pot played by one line"),
        ("scale", "camera", "derived"), STOP, StepRule("correct-count", "offender", _RESTORED),
        *steps_by_way("F-33", "F-34", "F-35a", "F-35b"), DutyRule("correct-count", _RESTORED),
        *duties_by_way("F-33", "F-34", "F-35a", "F-35b"), VALID, *choices("F-33", "F-34", "F-35a", "F-35b"),
        Ageing("next-draw", "F-23o"), severity="score", needs_referee=True, heals="opponent-draws"),
    # Not written: whether the other line is charged 100 for the pot that it could not take. Default: it is not.
    fault("F-23o", "23", Words("Due pozzi giocati dalla stessa linea", "Two pots played by one line"),
        ("scale", "camera", "derived"),
        step("nothing", "table", "I giochi aperti con il secondo pozzo sono validi.",
            "The melds opened with the second pot are valid."), _OTHER_LINE, needs_referee=True),
)  # fmt: skip

_THROUGH_WRONG_MELD: Final[tuple[Row, ...]] = (
    fault("F-23j", "23",
        Words("Pozzo in diretta con un gioco errato, poi giocato", "Pot in flight through a wrong meld, then played"),
        ("scale", "camera", "derived"), STOP, FREEZE_NEXT,
        StepRule("discard", "offender", PENALISED, until="none-left", cards=True),
        DutyRule("discard", PENALISED, until="none-left"), Ageing("next-draw", "F-23k"), heals="opponent-draws"),
    fault("F-23k", "23",
        Words("Pozzo in diretta con un gioco errato, rilevato in seguito",
            "Pot in flight through a wrong meld, found later"), ("scale", "camera", "derived"),
        step("nothing", "table",
            "La presa del pozzo è sanata e i giochi fatti con esso valgono, anche l'eventuale chiusura.",
            "Taking the pot is healed and all melds made with it stand, also a closing."), _DEFINITIVE, _COUNTED,
        freeze_how="definitive", negative=True, negative_whole=True),
    # The turn has come back but he has not drawn: still this row, F-23m needs his draw.
    fault("F-23l", "23",
        Words("Pozzo con lo scarto dopo un gioco errato, prima che il turno torni",
            "Pot with the discard through a wrong meld, before the turn comes back"), ("scale", "camera", "derived"),
        StepRule("limit-turn", "offender", TAKE_AND_DISCARD, until="end-of-own-next-turn"), _DEFINITIVE, _COUNTED,
        NEXT_TAKE, freeze_how="definitive", negative=True, negative_whole=True),
    fault("F-23m", "23",
        Words("Pozzo con lo scarto dopo un gioco errato, rilevato dopo la sua pesca",
            "Pot with the discard through a wrong meld, found after his draw"), ("scale", "camera", "derived"),
        step("nothing", "table", "Il pozzo si gioca regolarmente, anche con l'eventuale chiusura.",
            "The pot is played as usual, also to go out."), _DEFINITIVE, _COUNTED, freeze_how="definitive",
        negative=True, negative_whole=True),
)  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (*_HANDED, *_TAKEN_TWICE, *_THROUGH_WRONG_MELD)
