"""Arts. 21, 22 and 24: silence, hints, exposed cards; tables with screens (own wording)."""

from __future__ import annotations

from typing import Final, Literal

from table_service.games.burraco.codes.fibur2024.laying import END_TURN, MUST_END, MUST_PENALISE
from table_service.games.burraco.codes.fibur2024.steps import EXPOSED, PENALISED, STOP, TAKE_NOW
from table_service.referee.catalogue import Choice, DutyRule, Row, StepRule, Words
from table_service.referee.row_writing import fault, holds, only, step

_EITHER: Final[tuple[Literal["offender", "partner"], ...]] = ("offender", "partner")
"""Whichever of the two has erred: the turn that is limited is that of who is in turn."""
_WARN: Final = step("warn", "line", "La coppia è ammonita.", "The pair is warned.")
_NOT_MENDED: Final = step("bar-closing", "partner",
    "Il giocatore non può più sanare un gioco errato né proseguire: scarta.",
    "The player may no longer mend a wrong meld nor go on: he discards.")  # fmt: skip
_DISCARD_ONLY: Final = Words("Ora deve solo scartare.", "Now he may only discard.")
_EXCESS: Final = step("penalise", "line", "Le carte eccedenti sono penalizzate e vanno scoperte al lato del tavolo.",
    "The excess cards are penalised and go face up to the side of the table.", cards=True)  # fmt: skip
_BY_NORM: Final = StepRule("discard", "offender", PENALISED, until="none-left", cards=True)
_ENDS: Final = Words(
    "Il gioco è interrotto: chi della coppia è di turno pesca o raccoglie, se non l'ha fatto, e scarta soltanto.",
    "Play is broken off: who of the pair is in turn draws or picks up, if he has not, and only discards.")  # fmt: skip
_PLAY_ENDS: Final = StepRule("limit-turn", "line-in-turn", _ENDS, until="end-of-own-turn")
_MUST_END_PLAY: Final = tuple(
    DutyRule("limit-turn", _ENDS, ("draw", "collect", "discard"), when="this-turn", until="end-of-own-turn", who=who)
    for who in _EITHER
)
_EXPOSED_STEPS: Final = (
    STOP,
    StepRule("expose", "offender", EXPOSED, until="end-of-own-turn", cards=True),
    StepRule("penalise", "offender",
        Words("La carta che non può o non vuole giocare va scoperta al lato del tavolo e diventa lo scarto.",
            "A card he cannot or will not play goes face up to the side of the table and becomes his discard."),
        until="end-of-own-turn", cards=True),
)  # fmt: skip

_PARTNER: Final[tuple[Row, ...]] = (
    fault("F-21a", "21",
        Words("Compagno che commenta, rileva un errore o chiama l'arbitro prima dello scarto",
            "Partner comments, reports an error or calls the arbitro before the discard"), ("derived", "person"),
        STOP, _NOT_MENDED, _WARN,
        DutyRule("limit-turn", _DISCARD_ONLY, ("discard",), until="end-of-own-turn", when="this-turn", who="partner"),
        heals="opponent-draws"),
    # OPTION later_burraco_pointed_out: general_21. For the second burraco and later ones the arbitro rules F-21a.
    fault("F-21b", "21",
        Words("Compagno che segnala il primo burraco prima dello scarto",
            "Partner points out the first burraco before the discard"), ("person",), _WARN,
        step("nothing", "table", "Il gioco prosegue regolarmente.", "Play goes on as usual."),
        options=("F-21b", "F-21a"), heals="opponent-draws"),
    # OPTION partner_found_rest_valid: rest_stays. The valid remainder stays, the excess is penalised as in art. 25.
    fault("F-21c", "21, 25",
        Words("Compagno che rileva un'apertura errata o incompleta", "Partner notices a wrong or incomplete opening"),
        ("person",), STOP, _EXCESS, _BY_NORM, END_TURN, _WARN, MUST_PENALISE,
        DutyRule("discard", PENALISED, until="none-left"), MUST_END, heals="opponent-draws"),
    fault("F-21d", "21, 25",
        Words("Compagno che rileva una carta legata erroneamente", "Partner notices a card wrongly added to a meld"),
        ("person",), STOP, _EXCESS, _BY_NORM, END_TURN, _WARN, MUST_PENALISE,
        DutyRule("discard", PENALISED, until="none-left"), MUST_END, heals="opponent-draws"),
)  # fmt: skip

_OPPOSITE: Final = Words("Il giocatore che ha ricevuto il suggerimento compie l'azione contraria.",
    "The player who got the hint does the opposite.")  # fmt: skip

_HINTS: Final[tuple[Row, ...]] = (
    # Which act is the opposite only the arbitro can say: drawing and picking up he can bind, the rest he watches.
    fault("F-22a", "22", Words("Suggerimento", "Hint to the partner"), ("person",), STOP,
        StepRule("referee", "partner", _OPPOSITE), _WARN,
        DutyRule("limit-turn", _OPPOSITE, ("draw", "play", "discard"), who="partner", option="draw"),
        DutyRule("limit-turn", _OPPOSITE, ("collect", "play", "discard"), who="partner", option="collect"),
        Choice("draw", Words("Il compagno deve pescare.", "The partner must draw."), "arbitro"),
        Choice("collect", Words("Il compagno deve raccogliere.", "The partner must pick up."), "arbitro"),
        Choice("other", Words("Altra azione contraria.", "Another opposite act."), "arbitro"),
        heals="opponent-draws"),
    # Play stops for the hint, so the joker waits: playable on another meld at his next turn, else discarded.
    fault("F-22b", "22, 24",
        Words("Suggerimento sul posto di un jolly, già seguito", "Hint on where to put a joker, already followed"),
        ("person",), STOP,
        step("take-back", "partner", "Il jolly torna carta esposta e non si può giocare su quel gioco.",
            "The joker becomes an exposed card that may not be played on that meld.", cards=True),
        StepRule("expose", "partner", EXPOSED, until="end-of-own-next-turn", cards=True), _WARN,
        DutyRule("expose", EXPOSED, allow=("discard",), until="end-of-own-next-turn", who="partner"),
        needs_referee=True, heals="opponent-draws"),
    fault("F-22c", "22", Words("Compagno avvertito che è il suo turno", "Partner reminded that it is his turn"),
        ("person",), STOP, StepRule("limit-turn", "partner", TAKE_NOW, until="end-of-own-turn"), _WARN,
        DutyRule("limit-turn", TAKE_NOW, ("draw", "collect", "discard"), until="end-of-own-turn", when="this-turn",
            who="partner"), heals="opponent-draws"),
    fault("F-22d", "22",
        Words("Compagno avvertito di giocare dopo il pozzo al volo",
            "Partner reminded to play on after a pot in flight"), ("person",), STOP,
        StepRule("limit-turn", "partner", _DISCARD_ONLY, until="end-of-own-turn"), _WARN,
        DutyRule("limit-turn", _DISCARD_ONLY, ("discard",), until="end-of-own-turn", when="this-turn", who="partner"),
        heals="opponent-draws"),
    fault("F-22e", "22",
        Words("Domanda al compagno sull'andamento del gioco", "Partner asked about the state of play"), ("person",),
        STOP, _PLAY_ENDS, _WARN, *_MUST_END_PLAY, heals="opponent-draws"),
)  # fmt: skip

_EXPOSED: Final[tuple[Row, ...]] = (
    fault("F-24a", "24", Words("Carta esposta al compagno o dichiarata", "Card exposed to the partner, or declared"),
        ("camera", "person"), *_EXPOSED_STEPS, DutyRule("expose", EXPOSED, until="end-of-own-turn"),
        heals="opponent-draws"),
    # Art. 24 names no warning; as a hint (art. 22) one may be added: the arbitro decides.
    fault("F-24b", "24, 22",
        Words("Compagno che richiama l'attenzione sulle carte esposte", "Partner's attention called to exposed cards"),
        ("person",), STOP, StepRule("discard", "offender", PENALISED, until="none-left", cards=True), _PLAY_ENDS,
        *only("warning", _WARN), DutyRule("discard", PENALISED, until="none-left"), *_MUST_END_PLAY,
        Choice("no-warning", Words("Senza ammonizione.", "Without a warning."), "arbitro"),
        Choice("warning", Words("Con ammonizione per suggerimento.", "With a warning for the hint."), "arbitro"),
        needs_referee=True, warn_option="warning", heals="opponent-draws"),
    # AMBIGUOUS which melds: those that the partner opened or changed after the cards were exposed.
    fault("F-24c", "24, 25",
        Words("Carta esposta legata a un gioco del compagno",
            "Exposed card added to a meld that the partner has changed"), ("camera", "beam", "derived"),
        StepRule("penalise", "offender",
            Words("La carta è penalizzata e va scoperta al lato del tavolo.",
                "The card is penalised and goes face up to the side of the table."), cards=True),
        StepRule("discard", "offender", PENALISED, until="none-left", cards=True),
        DutyRule("discard", PENALISED, until="none-left"), severity="play-stops", heals="opponent-draws"),
    fault("F-24d", "24",
        Words("Mano mostrata credendo finita la smazzata", "Hand shown in the belief that the deal was over"),
        ("camera",), *_EXPOSED_STEPS, DutyRule("expose", EXPOSED, until="end-of-own-turn"), heals="opponent-draws"),
)  # fmt: skip

_SCREENS: Final[tuple[Row, ...]] = (
    fault("F-S1", "Tavoli provvisti di separé",
        Words("Pozzo o chiusura senza dichiarare e rovesciare il paramani",
            "Pot or closing without declaring it and turning the hand-shield over"), ("shield",),
        step("show", "offender",
            "Dichiara e rovescia il paramani, perché si veda che non ha più carte; il codice non prevede penalità.",
            "He declares it and turns the hand-shield over, so that all see he has no card left; no penalty is "
            "written."), heals="opponent-draws"),
    fault("F-S2", "Tavoli provvisti di separé",
        Words("Numero di carte chiesto fuori tempo", "Number of cards asked at the wrong time"), ("person",),
        step("nothing", "table", "Solo il giocatore di turno può chiederlo, prima di pescare o raccogliere.",
            "Only the player in turn may ask, before he draws or picks up."), heals="opponent-draws"),
    # The camera sees a pile that is not fanned only as cards that it does not see, and that may be a miss.
    fault("F-S3", "Tavoli provvisti di separé", Words("Monte degli scarti non ordinato", "Discard pile not fanned"),
        ("person",),
        step("nothing", "table", "Gli scarti si appoggiano lievemente spostati, in modo che siano tutti visibili.",
            "Discards are laid a little apart so that all of them show."), heals="opponent-draws"),
    holds("F-S4", "Tavoli provvisti di separé",
        Words("Regolazione di separé e paramani", "How screen and hand-shield are set"),
        Words("Ciascuno deve vedere il gioco e gli avversari; paramani al bordo, mani dietro, ventaglio visibile.",
            "Each must see the play and both opponents; shield at the edge, hands behind it, the fan in sight."),
        "shield", "person"),
    holds("F-S5", "Tavoli provvisti di separé", Words("Pozzo preso con lo scarto", "Pot taken with the discard"),
        Words("Si può vedere senza aspettare lo scarto del compagno.",
            "It may be looked at without waiting for the partner's discard."), "scale", "shield"),
)  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (*_PARTNER, *_HINTS, *_EXPOSED, *_SCREENS)
