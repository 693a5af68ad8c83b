"""Arts. 10 and 11: exposed, ghost and penalised cards; hints and declarations (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.feburit.steps import (
    BARRED,
    BARS,
    DISCARD,
    ENDS,
    PENALISE,
    STOP,
    barred,
)
from table_service.referee.catalogue import Ageing, Choice, DutyRule, Row, Sense, Words
from table_service.referee.row_writing import choice, duty, fault, holds, only, step

_SENSES: Final[tuple[Sense, ...]] = ("camera", "gate", "person")
_PLAY_FIRST: Final = step("expose", "offender",
    "La carta va giocata subito, prima di ogni altro gioco, legandola o aprendo.",
    "The card is laid at once, before any other play, by adding it or opening with it.", until="end-of-own-turn",
    cards=True)  # fmt: skip
_ONE_LEFT: Final = step("discard", "offender",
    "L'unica carta che non trova posto si scarta subito: si può anche chiudere con essa.",
    "The only card that finds no place is discarded at once: one may even go out with it.", until="end-of-own-turn",
    cards=True, option="one-left")  # fmt: skip
_SEVERAL: Final = only("several-left", PENALISE, DISCARD, ENDS, *BARS)
_MUST_SEVERAL: Final = (
    duty(PENALISE, option="several-left"),
    duty(DISCARD, option="several-left"),
    duty(ENDS, ("discard",), "this-turn", option="several-left"),
    *barred("several-left"),
)
_WAYS: Final[tuple[Choice, ...]] = (
    choice("laid", "offender", "Le colloca tutte: si prosegue.", "He lays all of them: play goes on."),
    choice("one-left", "offender", "Una non trova posto.", "One finds no place."),
    choice("several-left", "offender", "Più di una non trova posto.", "More than one find no place."),
)
_NEXT_TURN: Final = step("expose", "offender",
    "Al suo prossimo turno la gioca subito, ma non sui giochi o allunghi fatti dal compagno nell'ultimo giro.",
    "In his next turn he lays it at once, but not on melds or additions that his partner made in the last round.",
    until="end-of-own-next-turn", cards=True)  # fmt: skip
_THEN_ENDS: Final = step("limit-turn", "offender", "Giocata o no, in quel turno il suo gioco si interrompe.",
    "Whether he lays it or not, his play ends there in that turn.", until="end-of-own-next-turn")  # fmt: skip
_PARTNER_KEEPS_OFF: Final = step("freeze", "line",
    "Il compagno, al suo turno, non lega ai giochi o agli allunghi fatti con quelle carte.",
    "His partner, in his turn, adds nothing to melds or additions made with those cards.", until="partners-next-turn",
    cards=True)  # fmt: skip
_GHOST_NOW: Final = step("expose", "offender", "Vista da qualcuno: va giocata subito, altrimenti subito scartata.",
    "Seen by somebody: it is laid at once, otherwise discarded at once.", until="end-of-own-turn",
    cards=True)  # fmt: skip
_GHOST_LATER: Final = step("discard", "offender", "Al suo turno la scarta subito, vista o no, senza alcun gioco.",
    "In his turn he discards it at once, seen or not, without any play.", until="end-of-own-next-turn",
    cards=True)  # fmt: skip
_NO_CLOSING_NOW: Final = step("bar-closing", "partner", "Chi sta giocando prosegue ma non può chiudere.",
    "Who is playing goes on but may not go out.", until="end-of-own-turn")  # fmt: skip

_EXPOSED: Final[tuple[Row, ...]] = (
    fault("B-10a", "10, carta esposta, proprio turno",
        Words("Carta esposta nel proprio turno", "Card exposed in the own turn"), _SENSES, STOP, _PLAY_FIRST,
        _ONE_LEFT, *_SEVERAL, duty(_PLAY_FIRST), duty(_ONE_LEFT), *_MUST_SEVERAL, *_WAYS, Ageing("discard", "B-10e"),
        Ageing("next-draw", "B-10e")),
    # What did not touch the table is no fact for the camera.
    fault("B-10b", "10, carta esposta, proprio turno",
        Words("Carte che si stavano calando e si legano altrove",
            "Cards about to be laid that are added elsewhere instead"), ("person",), STOP, _PLAY_FIRST, _ONE_LEFT,
        *_SEVERAL, duty(_PLAY_FIRST), duty(_ONE_LEFT), *_MUST_SEVERAL, *_WAYS, asks=("seat", "option", "cards")),
    fault("B-10c", "10, carta fantasma, proprio turno",
        Words("Carta fantasma vista, nel proprio turno", "Ghost card that was seen, in the own turn"), _SENSES, STOP,
        _GHOST_NOW, duty(_GHOST_NOW), Ageing("discard", "B-10f"), Ageing("next-draw", "B-10f")),
    fault("B-10d", "10, carta fantasma, proprio turno",
        Words("Carta fantasma coperta o non vista", "Ghost card face down or not seen"), ("person",), STOP,
        step("take-back", "offender",
            "Torna nella sua mano e si prosegue; se la scoprono gli avversari la sanzione è nulla.",
            "It goes back into his hand and play goes on; where opponents turn it up the sanction is void.",
            cards=True), asks=("seat", "cards")),
    fault("B-10e", "10, carta esposta, fuori dal proprio turno",
        Words("Carta esposta fuori dal proprio turno", "Card exposed out of the own turn"), _SENSES, STOP, _NEXT_TURN,
        _THEN_ENDS, PENALISE, DISCARD, _PARTNER_KEEPS_OFF, *BARS, duty(_NEXT_TURN),
        duty(_THEN_ENDS, ("draw", "collect", "owed", "discard")), duty(DISCARD), *BARRED,
        duty(_PARTNER_KEEPS_OFF, who="partner"), freezes=False),
    # The text has it discarded, not penalised: it leaves no bar behind beyond that turn.
    fault("B-10f", "10, carta fantasma, fuori dal proprio turno",
        Words("Carta fantasma trovata fuori dal turno", "Ghost card found out of the own turn"), _SENSES, STOP,
        *only("offender-known", _GHOST_LATER),
        step("discard", "line-in-turn",
            "Non si sa chi l'ha calata: la scarta il primo della linea di turno, senza alcun gioco.",
            "Nobody knows who laid it: the first of the line to play discards it, without any play.",
            until="end-of-own-next-turn", cards=True, option="offender-unknown"),
        duty(_GHOST_LATER, option="offender-known"),
        duty(_GHOST_LATER, who="line-in-turn", option="offender-unknown"),
        choice("offender-known", "arbitro", "Si sa chi l'ha calata.", "It is known who laid it."),
        choice("offender-unknown", "arbitro", "Non si sa.", "It is not known.")),
    holds("B-10g", "10", Words("Carta fantasma che va nel gioco", "Ghost card that fits the meld"),
        Words("Non è penalizzata, anche se è messa male.", "It is not penalised, even where it lies wrongly."),
        "camera"),
    # The offender is who does not play: his own card is served under B-10e in his turn.
    fault("B-10h", "10", Words("Carta esposta al compagno che gioca", "Card exposed to the partner who is playing"),
        ("camera", "beam", "person"), STOP, _NO_CLOSING_NOW, _NEXT_TURN, _THEN_ENDS, PENALISE, DISCARD, *BARS,
        duty(_NO_CLOSING_NOW, who="partner"), duty(_NEXT_TURN),
        duty(_THEN_ENDS, ("draw", "collect", "owed", "discard")), duty(DISCARD), *BARRED),
    fault("B-10i", "10, carta penalizzata",
        Words("Carte penalizzate rimaste quando si chiude", "Penalised cards left when somebody goes out"),
        ("camera", "derived"),
        step("score", "line", "Si contano negative (a tallone esaurito o time-out: opzione penalised_at_end).",
            "They count negative (with the stock used up or after a time-out: option penalised_at_end).",
            until="deal-end", cards=True)),
)  # fmt: skip

_TAKES_BACK: Final = step("take-back", "offender",
    "Riprende la carta scartata, che è penalizzata anch'essa, e scarta una di quelle che aspettano.",
    "He takes the card back, which is penalised too, and discards one of those that wait.", cards=True)  # fmt: skip
_WRONG_DISCARD: Final = step("discard", "offender", "Prima le altre penalizzate, poi anche quella.",
    "The other penalised cards go first, then that one.", until="none-left", cards=True)  # fmt: skip
_DRAW_AND_DISCARD: Final = step("limit-turn", "partner",
    "Chi è stato invitato pesca dal tallone e scarta, senza altro gioco.",
    "Who was invited draws from the stock and discards, without further play.", until="end-of-own-turn")  # fmt: skip
_NOT_THAT: Final = step("limit-turn", "partner",
    "Il gioco suggerito non si fa: la linea si ferma e scarta una carta.",
    "The suggested play is not made: the line stops and discards a card.", until="end-of-own-turn")  # fmt: skip

_NEVER_ON_IT: Final = step("referee", "partner", "Quella carta, se la raccoglie, non va mai su quel gioco.",
    "That card, where he picks it up, never goes on that meld.", until="deal-end", cards=True)  # fmt: skip

_CONDUCT: Final[tuple[Row, ...]] = (
    fault("B-11a", "11",
        Words("Scarto diverso dalla carta penalizzata dovuta", "Another card discarded than the penalised one due"),
        ("camera", "scale"), STOP, _TAKES_BACK, _WRONG_DISCARD, duty(_TAKES_BACK), duty(_WRONG_DISCARD),
        heals="next-seat-draws"),
    fault("B-11b", "11", Words("Invito al compagno a pescare", "Partner invited to draw"), ("person",), STOP,
        _DRAW_AND_DISCARD, duty(_DRAW_AND_DISCARD, ("draw", "discard"), "this-turn", "partner"), asks=("seat",)),
    fault("B-11c", "11",
        Words("Suggerimento di una carta del monte o di una calata", "Hint at a card of the pile or at a meld"),
        ("person",), STOP, _NOT_THAT, duty(_NOT_THAT, ("draw", "collect", "discard"), "this-turn", "partner"),
        needs_referee=True, asks=("seat",)),
    fault("B-11d", "11", Words("Gioco dichiarato e non fatto", "Play declared and not made"), ("person",), STOP,
        step("referee", "offender", "Chi prima di scartare dichiara un gioco deve farlo.",
            "Who declares a play before he discards must make it."), needs_referee=True, asks=("seat",)),
    fault("B-11e", "11",
        Words("Sequenza riordinata mentre gioca il compagno e il monte ha la carta utile",
            "Run put in order while the partner plays and the pile holds the card it needs"),
        ("camera", "beam", "person"), STOP, _NEVER_ON_IT,
        DutyRule("freeze", _NEVER_ON_IT.text, until="deal-end", who="partner")),
)  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (*_EXPOSED, *_CONDUCT)
