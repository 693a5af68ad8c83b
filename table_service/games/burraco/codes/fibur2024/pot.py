"""Arts. 18 and 23: the pots (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.closings import VALID, choices, duties_by_way, steps_by_way
from table_service.games.burraco.codes.fibur2024.making import only, situation
from table_service.games.burraco.codes.fibur2024.plain import step
from table_service.games.burraco.codes.fibur2024.steps import (
    FREEZE_NEXT,
    NEXT_TAKE,
    PENALISED,
    STOP,
    TAKE_AND_DISCARD,
    TAKE_NOW,
)
from table_service.referee.catalogue import Ageing, Choice, DutyRule, Row, StepRule, Words

_BACK: Final = Words(
    "Il pozzo preso per errore torna al suo posto.",
    "The pot that was taken by mistake goes back to its place.",
)
_RESTORED: Final = Words(
    "Il secondo pozzo si ricompone, anche con le carte già giocate, e torna al suo posto.",
    "The second pot is put together again, with the cards already played, and goes back to its place.",
)
_PUT_BACK: Final = StepRule("correct-count", "offender", _BACK)
_REPAIRED: Final = Words(
    "Il pozzo si riporta a undici carte: le mancanti dal fondo del tallone, le eccedenti nel fondo; si verifica anche "
    "l'altro pozzo.",
    "The pot is brought to eleven cards: those lacking from the bottom of the stock, those over to it; the other pot "
    "is counted too.",
)
_SEEN: Final = Words(
    "Chi lo riceve ha già visto una carta: il gioco prosegue.",
    "Who receives it has seen a card already: play goes on.",
)
_DEFINITIVE: Final = StepRule(
    "freeze",
    "line",
    Words(
        "Il gioco errato è congelato definitivamente e i suoi punti contano negativi.",
        "The wrong meld is frozen for good and its points count negative.",
    ),
    until="deal-end",
    cards=True,
)
_COUNTED: Final = StepRule(
    "score",
    "line",
    Words("Le carte del gioco errato si contano in negativo.", "The cards of the wrong meld count negative."),
    cards=True,
)
_OTHER_LINE: Final = step(
    "score",
    "next-opponent",
    "Alla coppia rimasta senza pozzo, se chiude dove l'avrebbe preso (anche in diretta), vanno 100 punti di chiusura e "
    "i suoi burrachi; senza burraco altri 100 di punteggio arbitrale.",
    "The pair left without a pot, going out where it would have taken it (also in flight), gets 100 for closing and "
    "its burrachi; without a burraco another 100 as an arbitral score.",
)
_WARN_BOTH: Final = step(
    "warn",
    "arbitro",
    "Il pozzo va contato e consegnato da un avversario: ammonizione a entrambe le coppie, anche se d'accordo.",
    "The pot is counted and handed over by an opponent: both pairs are warned, even where they agreed.",
)
_WARN: Final = step("warn", "line", "La coppia è ammonita.", "The pair is warned.")

_HANDED: Final[tuple[Row, ...]] = (
    situation(
        "F-18",
        "18",
        Words("Nessuna linea ha preso il pozzo", "Neither line has taken a pot"),
        ("scale", "derived"),
        Words("Il pozzo non preso non si conta a nessuna linea.", "The pot not taken counts against neither line."),
    ),
    situation(
        "F-18b",
        "18",
        Words("Che cosa si conta", "What is counted"),
        ("camera", "scale", "derived"),
        Words(
            "A favore burrachi, chiusura, bonus e carte dei giochi; contro pozzo non preso (100), pozzo preso e non "
            "giocato, carte in mano e carte penalizzate.",
            "For: burrachi, closing, bonuses and the cards of melds; against: a pot not taken (100), a pot taken and "
            "not played, cards in hand and penalised cards.",
        ),
    ),
    situation(
        "F-18c",
        "18",
        Words("Tabelle dei Victory Points", "Tables of victory points"),
        ("derived",),
        Words(
            "La differenza punti del turno dà i V.P. secondo la tabella del tipo di torneo.",
            "The difference of the round gives the VP by the table of the kind of tournament.",
        ),
    ),
    situation(
        "F-23a",
        "23",
        Words("Carta del pozzo scoperta nella consegna", "Pot card shown while it is handed over"),
        ("camera", "person"),
        Words("Nessuna penalità: si prosegue.", "No penalty: play goes on."),
    ),
    # The arbitro warns both "even if he notices it by chance": it is nobody's right that could lapse with play.
    Row(
        id="F-23b",
        article="23",
        title=Words("Pozzo preso da soli", "Pot taken alone"),
        severity="warning",
        senses=("beam", "scale"),
        steps=(_WARN_BOTH,),
        heals="never",
        warn=True,
        warned="both",
    ),
    # Who hands the first pot over verifies what is left, too: both pots are put right then, the second no more later.
    Row(
        id="F-23c",
        article="23",
        title=Words("Primo pozzo con un numero errato di carte", "First pot with a wrong number of cards"),
        severity="play-stops",
        senses=("scale",),
        steps=(
            only("repair", StepRule("correct-count", "arbitro", _REPAIRED)),
            only("seen", StepRule("nothing", "table", _SEEN)),
        ),
        choices=(Choice("repair", _REPAIRED, "arbitro"), Choice("seen", _SEEN, "arbitro")),
        needs_referee=True,
    ),
    situation(
        "F-23d",
        "23",
        Words("Secondo pozzo con un numero errato di carte", "Second pot with a wrong number of cards"),
        ("scale",),
        Words("Si riconta ma non si ripristina.", "It is counted again but not put right."),
    ),
    situation(
        "F-23e",
        "23",
        Words("Pozzi caduti a terra", "Pots dropped to the floor"),
        ("person",),
        Words("L'arbitro raccoglie le carte e le rimescola.", "The arbitro collects the cards and shuffles them."),
    ),
    # Not with screens: there who takes it with the discard may look at once (F-S5).
    Row(
        id="F-23f",
        article="23",
        title=Words("Pozzo visto prima dello scarto del compagno", "Pot looked at before the partner's discard"),
        severity="warning",
        senses=("person",),
        steps=(_WARN,),
        warn=True,
    ),
    Row(
        id="F-23g",
        article="23, 30, 22",
        title=Words(
            "Compagno che ricorda di pescare prima di giocare il pozzo",
            "Partner reminds to draw before the pot is played",
        ),
        severity="play-stops",
        senses=("person",),
        steps=(STOP, StepRule("limit-turn", "partner", TAKE_NOW), _WARN),
        duties=(
            DutyRule(
                "limit-turn",
                TAKE_NOW,
                ("draw", "collect", "discard"),
                until="end-of-own-turn",
                when="this-turn",
                who="partner",
            ),
        ),
        warn=True,
    ),
    Row(
        id="F-23p",
        article="23",
        title=Words("Carte del pozzo giocate prima di averle tutte", "Pot cards played before all are in hand"),
        severity="note",
        senses=("scale", "camera"),
        steps=(
            step(
                "collect",
                "offender",
                "Tutte le carte del pozzo vanno prima in mano; il codice non prevede penalità.",
                "All cards of the pot go to the hand first; the code states no penalty.",
            ),
        ),
    ),
)

_TAKEN_TWICE: Final[tuple[Row, ...]] = (
    Row(
        id="F-23h",
        article="23, 35",
        title=Words("Secondo pozzo preso in diretta dalla stessa linea", "Second pot taken in flight by the same line"),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(STOP, _PUT_BACK, *steps_by_way("F-35a", "F-35b")),
        duties=(DutyRule("correct-count", _BACK), *duties_by_way("F-35a", "F-35b")),
        choices=choices("F-35a", "F-35b"),
        heals="never",
    ),
    Row(
        id="F-23i",
        article="23, 33",
        title=Words(
            "Secondo pozzo preso con lo scarto dalla stessa linea", "Second pot taken with the discard by the same line"
        ),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(_PUT_BACK, *steps_by_way("F-33", "F-34")),
        duties=(DutyRule("correct-count", _BACK), *duties_by_way("F-33", "F-34")),
        choices=(VALID, *choices("F-33", "F-34")),
        heals="never",
    ),
    Row(
        id="F-23n",
        article="23, 33, 34, 35",
        title=Words("Carte del secondo pozzo giocate dalla stessa linea", "Cards of a second pot played by one line"),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            STOP,
            StepRule("correct-count", "offender", _RESTORED),
            *steps_by_way("F-33", "F-34", "F-35a", "F-35b"),
        ),
        duties=(DutyRule("correct-count", _RESTORED), *duties_by_way("F-33", "F-34", "F-35a", "F-35b")),
        choices=(VALID, *choices("F-33", "F-34", "F-35a", "F-35b")),
        ages=(Ageing("next-draw", "F-23o"),),
        needs_referee=True,
    ),
    # Not written: whether the other line is charged 100 for the pot that it could not take. Default: it is not.
    Row(
        id="F-23o",
        article="23",
        title=Words("Due pozzi giocati dalla stessa linea", "Two pots played by one line"),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            step(
                "nothing",
                "table",
                "I giochi aperti con il secondo pozzo sono validi.",
                "The melds opened with the second pot are valid.",
            ),
            _OTHER_LINE,
        ),
        heals="never",
        needs_referee=True,
    ),
)

_THROUGH_WRONG_MELD: Final[tuple[Row, ...]] = (
    Row(
        id="F-23j",
        article="23",
        title=Words(
            "Pozzo in diretta con un gioco errato, poi giocato", "Pot in flight through a wrong meld, then played"
        ),
        severity="play-stops",
        senses=("scale", "camera", "derived"),
        steps=(
            STOP,
            FREEZE_NEXT,
            StepRule("discard", "offender", PENALISED, until="none-left", cards=True),
        ),
        duties=(DutyRule("discard", PENALISED, until="none-left"),),
        freezes=True,
        ages=(Ageing("next-draw", "F-23k"),),
    ),
    Row(
        id="F-23k",
        article="23",
        title=Words(
            "Pozzo in diretta con un gioco errato, rilevato in seguito",
            "Pot in flight through a wrong meld, found later",
        ),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            step(
                "nothing",
                "table",
                "La presa del pozzo è sanata e i giochi fatti con esso valgono, anche l'eventuale chiusura.",
                "Taking the pot is healed and all melds made with it stand, also a closing.",
            ),
            _DEFINITIVE,
            _COUNTED,
        ),
        freezes=True,
        freeze_how="definitive",
        negative=True,
        negative_whole=True,
        heals="never",
    ),
    # The turn has come back but he has not drawn: still this row, F-23m needs his draw.
    Row(
        id="F-23l",
        article="23",
        title=Words(
            "Pozzo con lo scarto dopo un gioco errato, prima che il turno torni",
            "Pot with the discard through a wrong meld, before the turn comes back",
        ),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            StepRule("limit-turn", "offender", TAKE_AND_DISCARD, until="end-of-own-next-turn"),
            _DEFINITIVE,
            _COUNTED,
        ),
        duties=(NEXT_TAKE,),
        freezes=True,
        freeze_how="definitive",
        negative=True,
        negative_whole=True,
        heals="never",
    ),
    Row(
        id="F-23m",
        article="23",
        title=Words(
            "Pozzo con lo scarto dopo un gioco errato, rilevato dopo la sua pesca",
            "Pot with the discard through a wrong meld, found after his draw",
        ),
        severity="score",
        senses=("scale", "camera", "derived"),
        steps=(
            step(
                "nothing",
                "table",
                "Il pozzo si gioca regolarmente, anche con l'eventuale chiusura.",
                "The pot is played as usual, also to go out.",
            ),
            _DEFINITIVE,
            _COUNTED,
        ),
        freezes=True,
        freeze_how="definitive",
        negative=True,
        negative_whole=True,
        heals="never",
    ),
)

ROWS: Final[tuple[Row, ...]] = (*_HANDED, *_TAKEN_TWICE, *_THROUGH_WRONG_MELD)
