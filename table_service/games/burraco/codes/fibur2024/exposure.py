"""Arts. 21, 22 and 24: silence, hints, exposed cards; tables with screens (own wording)."""

from __future__ import annotations

from typing import Final, Literal

from table_service.games.burraco.codes.fibur2024.laying import END_TURN, MUST_END, MUST_PENALISE
from table_service.games.burraco.codes.fibur2024.making import only, situation
from table_service.games.burraco.codes.fibur2024.plain import step
from table_service.games.burraco.codes.fibur2024.steps import EXPOSED, PENALISED, STOP, TAKE_NOW
from table_service.referee.catalogue import Choice, DutyRule, Row, StepRule, Words

_EITHER: Final[tuple[Literal["offender", "partner"], ...]] = ("offender", "partner")
"""Whichever of the two has erred: the turn that is limited is that of who is in turn."""
_WARN: Final = step("warn", "line", "La coppia è ammonita.", "The pair is warned.")
_NOT_MENDED: Final = step(
    "bar-closing",
    "partner",
    "Il giocatore non può più sanare un gioco errato né proseguire: scarta.",
    "The player may no longer mend a wrong meld nor go on: he discards.",
)
_DISCARD_ONLY: Final = Words("Ora deve solo scartare.", "Now he may only discard.")
_EXCESS: Final = step(
    "penalise",
    "line",
    "Le carte eccedenti sono penalizzate e vanno scoperte al lato del tavolo.",
    "The excess cards are penalised and go face up to the side of the table.",
    cards=True,
)
_BY_NORM: Final = StepRule("discard", "offender", PENALISED, until="none-left", cards=True)
_ENDS: Final = Words(
    "Il gioco è interrotto: chi della coppia è di turno pesca o raccoglie, se non l'ha fatto, e scarta soltanto.",
    "Play is broken off: who of the pair is in turn draws or picks up, if he has not, and only discards.",
)
_PLAY_ENDS: Final = StepRule("limit-turn", "line-in-turn", _ENDS, until="end-of-own-turn")
_MUST_END_PLAY: Final = tuple(
    DutyRule("limit-turn", _ENDS, ("draw", "collect", "discard"), when="this-turn", until="end-of-own-turn", who=who)
    for who in _EITHER
)
_EXPOSED_STEPS: Final = (
    STOP,
    StepRule("expose", "offender", EXPOSED, until="end-of-own-turn", cards=True),
    StepRule(
        "penalise",
        "offender",
        Words(
            "La carta che non può o non vuole giocare va scoperta al lato del tavolo e diventa lo scarto.",
            "A card he cannot or will not play goes face up to the side of the table and becomes his discard.",
        ),
        until="end-of-own-turn",
        cards=True,
    ),
)

_PARTNER: Final[tuple[Row, ...]] = (
    Row(
        id="F-21a",
        article="21",
        title=Words(
            "Compagno che commenta, rileva un errore o chiama l'arbitro prima dello scarto",
            "Partner comments, reports an error or calls the arbitro before the discard",
        ),
        severity="play-stops",
        senses=("derived", "person"),
        steps=(STOP, _NOT_MENDED, _WARN),
        duties=(
            DutyRule(
                "limit-turn", _DISCARD_ONLY, ("discard",), until="end-of-own-turn", when="this-turn", who="partner"
            ),
        ),
        warn=True,
    ),
    # OPTION later_burraco_pointed_out: general_21. For the second burraco and later ones the arbitro rules F-21a.
    Row(
        id="F-21b",
        article="21",
        title=Words(
            "Compagno che segnala il primo burraco prima dello scarto",
            "Partner points out the first burraco before the discard",
        ),
        severity="warning",
        senses=("person",),
        steps=(
            _WARN,
            step("nothing", "table", "Il gioco prosegue regolarmente.", "Play goes on as usual."),
        ),
        options=("F-21b", "F-21a"),
        warn=True,
    ),
    # OPTION partner_found_rest_valid: rest_stays. The valid remainder stays, the excess is penalised as in art. 25.
    Row(
        id="F-21c",
        article="21, 25",
        title=Words(
            "Compagno che rileva un'apertura errata o incompleta", "Partner notices a wrong or incomplete opening"
        ),
        severity="play-stops",
        senses=("person",),
        steps=(STOP, _EXCESS, _BY_NORM, END_TURN, _WARN),
        duties=(MUST_PENALISE, DutyRule("discard", PENALISED, until="none-left"), MUST_END),
        warn=True,
    ),
    Row(
        id="F-21d",
        article="21, 25",
        title=Words(
            "Compagno che rileva una carta legata erroneamente", "Partner notices a card wrongly added to a meld"
        ),
        severity="play-stops",
        senses=("person",),
        steps=(STOP, _EXCESS, _BY_NORM, END_TURN, _WARN),
        duties=(MUST_PENALISE, DutyRule("discard", PENALISED, until="none-left"), MUST_END),
        warn=True,
    ),
)

_OPPOSITE: Final = Words(
    "Il giocatore che ha ricevuto il suggerimento compie l'azione contraria.",
    "The player who got the hint does the opposite.",
)

_HINTS: Final[tuple[Row, ...]] = (
    # Which act is the opposite only the arbitro can say: drawing and picking up he can bind, the rest he watches.
    Row(
        id="F-22a",
        article="22",
        title=Words("Suggerimento", "Hint to the partner"),
        severity="play-stops",
        senses=("person",),
        steps=(STOP, StepRule("referee", "partner", _OPPOSITE), _WARN),
        duties=(
            DutyRule("limit-turn", _OPPOSITE, ("draw", "play", "discard"), who="partner", option="draw"),
            DutyRule("limit-turn", _OPPOSITE, ("collect", "play", "discard"), who="partner", option="collect"),
        ),
        choices=(
            Choice("draw", Words("Il compagno deve pescare.", "The partner must draw."), "arbitro"),
            Choice("collect", Words("Il compagno deve raccogliere.", "The partner must pick up."), "arbitro"),
            Choice("other", Words("Altra azione contraria.", "Another opposite act."), "arbitro"),
        ),
        warn=True,
    ),
    # Play stops for the hint, so the joker waits: playable on another meld at his next turn, else discarded.
    Row(
        id="F-22b",
        article="22, 24",
        title=Words(
            "Suggerimento sul posto di un jolly, già seguito", "Hint on where to put a joker, already followed"
        ),
        severity="play-stops",
        senses=("person",),
        steps=(
            STOP,
            step(
                "take-back",
                "partner",
                "Il jolly torna carta esposta e non si può giocare su quel gioco.",
                "The joker becomes an exposed card that may not be played on that meld.",
                cards=True,
            ),
            StepRule("expose", "partner", EXPOSED, until="end-of-own-next-turn", cards=True),
            _WARN,
        ),
        duties=(DutyRule("expose", EXPOSED, allow=("discard",), until="end-of-own-next-turn", who="partner"),),
        needs_referee=True,
        warn=True,
    ),
    Row(
        id="F-22c",
        article="22",
        title=Words("Compagno avvertito che è il suo turno", "Partner reminded that it is his turn"),
        severity="play-stops",
        senses=("person",),
        steps=(STOP, StepRule("limit-turn", "partner", TAKE_NOW, until="end-of-own-turn"), _WARN),
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
        id="F-22d",
        article="22",
        title=Words(
            "Compagno avvertito di giocare dopo il pozzo al volo", "Partner reminded to play on after a pot in flight"
        ),
        severity="play-stops",
        senses=("person",),
        steps=(STOP, StepRule("limit-turn", "partner", _DISCARD_ONLY, until="end-of-own-turn"), _WARN),
        duties=(
            DutyRule(
                "limit-turn", _DISCARD_ONLY, ("discard",), until="end-of-own-turn", when="this-turn", who="partner"
            ),
        ),
        warn=True,
    ),
    Row(
        id="F-22e",
        article="22",
        title=Words("Domanda al compagno sull'andamento del gioco", "Partner asked about the state of play"),
        severity="play-stops",
        senses=("person",),
        steps=(STOP, _PLAY_ENDS, _WARN),
        duties=_MUST_END_PLAY,
        warn=True,
    ),
)

_EXPOSED: Final[tuple[Row, ...]] = (
    Row(
        id="F-24a",
        article="24",
        title=Words("Carta esposta al compagno o dichiarata", "Card exposed to the partner, or declared"),
        severity="play-stops",
        senses=("camera", "person"),
        steps=_EXPOSED_STEPS,
        duties=(DutyRule("expose", EXPOSED, until="end-of-own-turn"),),
    ),
    # Art. 24 names no warning; as a hint (art. 22) one may be added: the arbitro decides.
    Row(
        id="F-24b",
        article="24, 22",
        title=Words(
            "Compagno che richiama l'attenzione sulle carte esposte", "Partner's attention called to exposed cards"
        ),
        severity="play-stops",
        senses=("person",),
        steps=(
            STOP,
            StepRule("discard", "offender", PENALISED, until="none-left", cards=True),
            _PLAY_ENDS,
            only("warning", _WARN),
        ),
        duties=(DutyRule("discard", PENALISED, until="none-left"), *_MUST_END_PLAY),
        choices=(
            Choice("no-warning", Words("Senza ammonizione.", "Without a warning."), "arbitro"),
            Choice("warning", Words("Con ammonizione per suggerimento.", "With a warning for the hint."), "arbitro"),
        ),
        needs_referee=True,
        warn=True,
        warn_option="warning",
    ),
    # AMBIGUOUS which melds: those that the partner opened or changed after the cards were exposed.
    Row(
        id="F-24c",
        article="24, 25",
        title=Words(
            "Carta esposta legata a un gioco del compagno", "Exposed card added to a meld that the partner has changed"
        ),
        severity="play-stops",
        senses=("camera", "beam", "derived"),
        steps=(
            StepRule(
                "penalise",
                "offender",
                Words(
                    "La carta è penalizzata e va scoperta al lato del tavolo.",
                    "The card is penalised and goes face up to the side of the table.",
                ),
                cards=True,
            ),
            StepRule("discard", "offender", PENALISED, until="none-left", cards=True),
        ),
        duties=(DutyRule("discard", PENALISED, until="none-left"),),
    ),
    Row(
        id="F-24d",
        article="24",
        title=Words("Mano mostrata credendo finita la smazzata", "Hand shown in the belief that the deal was over"),
        severity="play-stops",
        senses=("camera",),
        steps=_EXPOSED_STEPS,
        duties=(DutyRule("expose", EXPOSED, until="end-of-own-turn"),),
    ),
)

_SCREENS: Final[tuple[Row, ...]] = (
    Row(
        id="F-S1",
        article="Tavoli provvisti di separé",
        title=Words(
            "Pozzo o chiusura senza dichiarare e rovesciare il paramani",
            "Pot or closing without declaring it and turning the hand-shield over",
        ),
        severity="note",
        senses=("shield",),
        steps=(
            step(
                "show",
                "offender",
                "Dichiara e rovescia il paramani, perché si veda che non ha più carte; il codice non prevede penalità.",
                "He declares it and turns the hand-shield over, so that all see he has no card left; no penalty is "
                "written.",
            ),
        ),
    ),
    Row(
        id="F-S2",
        article="Tavoli provvisti di separé",
        title=Words("Numero di carte chiesto fuori tempo", "Number of cards asked at the wrong time"),
        severity="note",
        senses=("person",),
        steps=(
            step(
                "nothing",
                "table",
                "Solo il giocatore di turno può chiederlo, prima di pescare o raccogliere.",
                "Only the player in turn may ask, before he draws or picks up.",
            ),
        ),
    ),
    # The camera sees a pile that is not fanned only as cards that it does not see, and that may be a miss.
    Row(
        id="F-S3",
        article="Tavoli provvisti di separé",
        title=Words("Monte degli scarti non ordinato", "Discard pile not fanned"),
        severity="note",
        senses=("person",),
        steps=(
            step(
                "nothing",
                "table",
                "Gli scarti si appoggiano lievemente spostati, in modo che siano tutti visibili.",
                "Discards are laid a little apart so that all of them show.",
            ),
        ),
    ),
    situation(
        "F-S4",
        "Tavoli provvisti di separé",
        Words("Regolazione di separé e paramani", "How screen and hand-shield are set"),
        ("shield", "person"),
        Words(
            "Ciascuno deve vedere il gioco e gli avversari; paramani al bordo, mani dietro, ventaglio visibile.",
            "Each must see the play and both opponents; shield at the edge, hands behind it, the fan in sight.",
        ),
    ),
    situation(
        "F-S5",
        "Tavoli provvisti di separé",
        Words("Pozzo preso con lo scarto", "Pot taken with the discard"),
        ("scale", "shield"),
        Words(
            "Si può vedere senza aspettare lo scarto del compagno.",
            "It may be looked at without waiting for the partner's discard.",
        ),
    ),
)

ROWS: Final[tuple[Row, ...]] = (*_PARTNER, *_HINTS, *_EXPOSED, *_SCREENS)
