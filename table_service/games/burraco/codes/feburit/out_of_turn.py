"""Arts. 13 and 14: play without drawing; draws, pick-ups and play out of turn (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.feburit.steps import (
    BAR_LINE,
    BAR_PARTNER,
    BARRED,
    BARRED_LINE,
    BARS,
    DISCARD,
    ENDS,
    FREEZE,
    LAST_PENALISED,
    LIMITED,
    MUST_END,
    MUST_RESTORE,
    NEXT_LIMITED,
    RESTORED,
    SEEN,
    STOP,
    TO_STOCK,
    WHAT_HE_TOOK,
)
from table_service.referee.catalogue import Ageing, Row, Sense, Words
from table_service.referee.row_writing import choice, duty, fault, holds, only, step

_SENSES: Final[tuple[Sense, ...]] = ("beam", "gate", "scale", "camera")
_DRAW_NOW: Final = step("draw", "offender",
    "Pesca subito una carta dal tallone (non può raccogliere) e scarta, senza altro gioco.",
    "He draws a card from the stock at once (he may not pick up) and discards, without further play.",
    until="end-of-own-turn")  # fmt: skip
_DRAW_LATE: Final = step("draw", "offender", "Pesca subito una carta dal tallone.",
    "He draws a card from the stock at once.")  # fmt: skip
_NEXT_DRAW: Final = step("limit-turn", "offender", "Al turno successivo pesca e scarta, senza fare gioco.",
    "In his next turn he draws and discards, and lays nothing.", until="end-of-own-next-turn")  # fmt: skip
_IF_CLOSED: Final = step("score", "line", "Se chiude la linea avversaria i giochi congelati contano negativi.",
    "If the opponents go out the frozen melds count negative.", until="deal-end", cards=True)  # fmt: skip
_PENALISED_TURN: Final = step("limit-turn", "offender",
    "Al suo turno pesca o raccoglie e scarta una delle carte penalizzate, dalla più bassa, senza fare gioco.",
    "In his turn he draws or picks up and discards one of the penalised cards, the lowest first, and lays nothing.",
    until="end-of-own-next-turn")  # fmt: skip
_NEXT_PENALISED: Final = duty(_PENALISED_TURN, ("draw", "collect", "discard"))
_INCOMPLETE: Final = step("penalise", "offender", "Sono penalizzate le carte dei giochi rimasti incompleti.",
    "The cards of melds left incomplete are penalised.", cards=True)  # fmt: skip
_AFTER_CALL: Final = step("penalise", "offender", "Le carte calate dopo la chiamata dell'arbitro sono penalizzate.",
    "The cards laid after the arbitro was called are penalised.", cards=True)  # fmt: skip
_BAR_UNTIL_GONE: Final = step("bar-closing", "offender", "Non può chiudere prima di averle scartate tutte.",
    "He may not go out before all of them are discarded.", until="none-left")  # fmt: skip
_HIGHEST: Final = step("discard", "offender", "Scarta la carta di valore più alto del suo ventaglio.",
    "He discards the card of highest value of his fan.", cards=True)  # fmt: skip
_POSTPONED: Final = step("limit-turn", "offender",
    "Al suo turno pesca o raccoglie e scarta soltanto; la chiusura, o il pozzetto preso con lo scarto, è rimandata "
    "al giro dopo.",
    "In his turn he only draws or picks up and discards; his closing, or the pot taken with the discard, waits for "
    "the round after.",
    until="end-of-own-next-turn")  # fmt: skip


def _found_after_the_discard(name: str, title: Words) -> Row:
    return fault(name, "13", title, ("scale", "camera", "beam"), STOP, _DRAW_LATE, _NEXT_DRAW, BAR_LINE,
        duty(_DRAW_LATE, when="after-turn"), duty(_NEXT_DRAW, ("draw", "discard")), *BARRED_LINE,
        heals="next-seat-draws")  # fmt: skip


_MISSED: Final[tuple[Row, ...]] = (
    fault("B-13a", "13",
        Words("Gioco senza aver pescato, rilevato nel turno", "Play without drawing, found in the turn"),
        ("scale", "camera", "beam"), STOP, _DRAW_NOW, FREEZE, _IF_CLOSED, BAR_PARTNER,
        duty(ENDS, ("draw", "discard"), "this-turn"), duty(_DRAW_NOW, when="after-turn"),
        duty(BAR_PARTNER, who="partner"), Ageing("discard", "B-13b"), heals="next-seat-draws"),
    _found_after_the_discard("B-13b",
        Words("Gioco senza aver pescato, rilevato dopo lo scarto", "Play without drawing, found after the discard")),
    _found_after_the_discard("B-13c", Words("Solo scarto, senza aver pescato", "Discard alone, without drawing")),
    holds("B-13d", "13", Words("Mancata pesca rilevata più tardi", "Missed draw found later"),
        Words("Iniziato il gioco di chi siede a sinistra l'errore è sanato.",
            "Once the player at the left has begun the fault is healed.")),
)  # fmt: skip

_OUT_OF_TURN: Final[tuple[Row, ...]] = (
    # The text lets him draw or pick up in the limited turn, whatever he had done (option limited_take).
    fault("B-14a", "14.1 A",
        Words("Presa fuori turno, senza far gioco", "Draw or pick-up out of turn, nothing played"),
        ("beam", "gate", "scale"), STOP, *RESTORED, LIMITED, BAR_LINE, *MUST_RESTORE, NEXT_LIMITED, *BARRED_LINE,
        *WHAT_HE_TOOK, options=("B-14a", "B-14i"), heals="next-seat-draws"),
    fault("B-14b", "14.1 B",
        Words("Presa fuori turno e giochi calati", "Draw or pick-up out of turn, then melds laid"), _SENSES, STOP,
        *RESTORED, LAST_PENALISED, FREEZE, _PENALISED_TURN, DISCARD, *BARS, *MUST_RESTORE, duty(LAST_PENALISED),
        _NEXT_PENALISED, duty(DISCARD), *BARRED, *WHAT_HE_TOOK, needs_referee=True, heals="next-seat-draws"),
    fault("B-14c", "14.2",
        Words("Gioco fuori turno senza aver preso carte", "Play out of turn without taking a card"), SEEN, STOP,
        LAST_PENALISED, FREEZE, _PENALISED_TURN, DISCARD, *BARS, duty(LAST_PENALISED), _NEXT_PENALISED, duty(DISCARD),
        *BARRED, heals="next-seat-draws"),
    fault("B-14d", "14.3", Words("Gioco dopo lo scarto", "Play after the discard"), SEEN, STOP, FREEZE, _POSTPONED,
        BAR_PARTNER, duty(_POSTPONED, ("draw", "collect", "discard")), duty(BAR_PARTNER, who="partner"),
        heals="next-seat-draws"),
    fault("B-14e", "14.4", Words("Gioco dopo la chiamata dell'arbitro", "Play after the arbitro was called"),
        ("camera", "beam", "person"), STOP, _AFTER_CALL, DISCARD, _BAR_UNTIL_GONE, BAR_PARTNER, duty(_AFTER_CALL),
        duty(DISCARD), duty(_BAR_UNTIL_GONE), duty(BAR_PARTNER, who="partner")),
    fault("B-14f", "14.5 C",
        Words("Pozzetto in diretta e nuova presa, senza gioco", "Pot in flight, then a draw, nothing played"),
        _SENSES, STOP, *RESTORED, ENDS, BAR_LINE, *MUST_RESTORE, MUST_END, *BARRED_LINE, *WHAT_HE_TOOK,
        heals="next-seat-draws"),
    fault("B-14g", "14.5 D",
        Words("Pozzetto in diretta, nuova presa e giochi calati", "Pot in flight, a draw, then melds laid"), _SENSES,
        STOP, *RESTORED, FREEZE, _INCOMPLETE, ENDS, _PENALISED_TURN, DISCARD, *BARS, *MUST_RESTORE, duty(_INCOMPLETE),
        MUST_END, _NEXT_PENALISED, duty(DISCARD), *BARRED, *WHAT_HE_TOOK, needs_referee=True,
        heals="next-seat-draws"),
    holds("B-14h", "14", Words("Errori dell'art. 14 rilevati più tardi", "Faults of art. 14 found later"),
        Words("Fatto gioco da chi viene dopo il colpevole l'irregolarità è superata.",
            "Once the player after the offender has played the fault is past.")),
    # The text leaves open which of the two; default of the reference: put back, unless a discard is due.
    # A person senses it, whether he recalls it: a card that no gate has read he may well know.
    fault("B-14i", "14",
        Words("Carta pescata fuori turno che il giocatore non ricorda", "Card drawn out of turn not recalled"),
        ("person",),
        *only("put-back",
            step("return-to-stock", "arbitro", "La carta di valore più alto del suo ventaglio torna sul tallone.",
                "The card of highest value of his fan goes back onto the stock.", cards=True)),
        *only("discard", _HIGHEST), duty(TO_STOCK, option="put-back"), duty(_HIGHEST, option="discard"),
        choice("put-back", "arbitro", "Torna sul tallone.", "It goes back onto the stock."),
        choice("discard", "arbitro", "Viene scartata.", "It is discarded."), severity="play-stops",
        needs_referee=True, asks=("seat", "option", "cards"), heals="next-seat-draws"),
)  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (*_MISSED, *_OUT_OF_TURN)
