"""Arts. 30 to 32: play without drawing, draws and play out of turn (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.laying import NO_MORE
from table_service.games.burraco.codes.fibur2024.steps import (
    BACK_TO_PILE,
    BACK_TO_STOCK,
    FREEZE_LONG,
    FREEZE_NEXT,
    LIMIT_COLLECT,
    LIMIT_DRAW,
    NEXT_COLLECT,
    NEXT_DRAW,
    NEXT_TAKE,
    PENALISE_REST,
    SHOW_VICTIM,
    STOP,
    TAKE_AND_DISCARD,
    TAKE_NOW,
)
from table_service.referee.catalogue import Choice, DutyRule, Row, StepRule, Words
from table_service.referee.row_writing import fault, only, step

_MEND_NOW: Final = DutyRule("complete-or-penalise", PENALISE_REST.text, until="play-goes-on")
_RANDOM: Final = (
    Choice("drawn-card",
        Words("La carta pescata è ancora fuori dal ventaglio, oppure si sa qual è: si prende quella.",
            "The card drawn is still apart from the fan, or it is known which one it is: that one is taken."),
        "arbitro"),
    Choice("random-card",
        Words(
            "La carta è nel ventaglio e non si sa qual è: se ne estrae una a caso, nel posto che il tavolo sorteggia.",
            "The card is in the fan, nobody knows which: one is taken at random, from the place that the table draws."),
        "arbitro"),
)  # fmt: skip
_LAID_AGAIN: Final = StepRule("take-back", "offender",
    Words("I giochi aperti dopo la pesca tornano nel ventaglio; estratta la carta a caso li ripropone, congelati.",
        "Melds opened after the draw go back into the fan; the random card taken, he lays them again, frozen."),
    cards=True, option="random-card")  # fmt: skip


def _missed_draw(name: str, title: Words, *, warn: bool) -> Row:
    warning = StepRule("warn", "line",
        Words("La coppia è ammonita per il suggerimento.", "The pair is warned for the hint."))  # fmt: skip
    return fault(name, "30, 22" if warn else "30", title,
        ("scale", "camera", "beam", "person") if warn else ("scale", "camera", "beam"), STOP,
        StepRule("draw", "offender", TAKE_NOW), FREEZE_NEXT, PENALISE_REST, *(warning,) if warn else (),
        DutyRule("limit-turn", TAKE_NOW, ("draw", "collect", "discard"), when="this-turn", until="end-of-own-turn"),
        DutyRule("draw", TAKE_NOW, when="after-turn"), warn=warn, heals="opponent-draws")  # fmt: skip


# Who draws again is the player who is about to play the pot he took in flight; the next opponent is shown the card.
_IN_FLIGHT: Final = fault("F-31f", "31",
    Words("Pesca o raccolta con il pozzo in diretta da giocare", "Draw or pick-up with a pot in flight to play"),
    ("beam", "gate", "scale", "camera"), STOP,
    StepRule("return-to-stock", "offender", BACK_TO_STOCK, cards=True, option="draw"),
    *only("draw",
        step("show", "next-opponent", "L'arbitro mostra la carta all'avversario che segue.",
            "The arbitro shows the card to the next opponent.", cards=True)),
    StepRule("return-to-pile", "offender", BACK_TO_PILE, cards=True, option="collect"),
    StepRule("limit-turn", "offender", NO_MORE, until="end-of-own-turn"),
    DutyRule("return-to-stock", BACK_TO_STOCK, option="draw"),
    DutyRule("return-to-pile", BACK_TO_PILE, option="collect"),
    DutyRule("limit-turn", NO_MORE, ("discard",), when="this-turn", until="end-of-own-turn"),
    Choice("draw", Words("Ha pescato dal tallone.", "He drew from the stock."), "arbitro"),
    Choice("collect", Words("Ha raccolto il monte degli scarti.", "He picked up the pile."), "arbitro"),
    heals="opponent-draws")  # fmt: skip

ROWS: Final[tuple[Row, ...]] = (
    fault("F-31a", "31", Words("Pesca fuori turno, senza far gioco", "Draw out of turn, nothing played"),
        ("beam", "gate", "scale"), STOP, SHOW_VICTIM,
        StepRule("return-to-stock", "offender", BACK_TO_STOCK, cards=True), LIMIT_DRAW,
        DutyRule("return-to-stock", BACK_TO_STOCK), NEXT_DRAW, *_RANDOM, draws="stock", heals="opponent-draws"),
    fault("F-31b", "31", Words("Pesca fuori turno e apertura di un gioco", "Draw out of turn, then a meld opened"),
        ("beam", "gate", "scale", "camera"), STOP, StepRule("return-to-stock", "offender", BACK_TO_STOCK, cards=True),
        _LAID_AGAIN, PENALISE_REST, LIMIT_DRAW, FREEZE_LONG, DutyRule("return-to-stock", BACK_TO_STOCK), _MEND_NOW,
        NEXT_DRAW, *_RANDOM, draws="stock", freeze_turns=2, needs_referee=True, heals="opponent-draws"),
    fault("F-31c", "31", Words("Pesca fuori turno e carta legata", "Draw out of turn, then a card added to a meld"),
        ("beam", "gate", "scale", "camera"), STOP, StepRule("return-to-stock", "offender", BACK_TO_STOCK, cards=True),
        StepRule("complete-or-penalise", "offender",
            Words(
                "Le carte che dipendono da quella restano solo se la sostituisce dalla mano; altrimenti sono "
                "penalizzate.",
                "Cards that depend on it stay only if he replaces it from his hand; otherwise they are penalised."),
            cards=True), LIMIT_DRAW, FREEZE_LONG, DutyRule("return-to-stock", BACK_TO_STOCK), _MEND_NOW, NEXT_DRAW,
        freeze_turns=2, needs_referee=True, heals="opponent-draws"),
    fault("F-31d", "31", Words("Raccolta fuori turno, senza far gioco", "Pile picked up out of turn, nothing played"),
        ("beam", "gate", "scale", "camera"), STOP, StepRule("return-to-pile", "offender", BACK_TO_PILE, cards=True),
        LIMIT_COLLECT, DutyRule("return-to-pile", BACK_TO_PILE), NEXT_COLLECT, heals="opponent-draws"),
    fault("F-31e", "31",
        Words("Raccolta fuori turno con giochi aperti o legati", "Pile picked up out of turn, then cards laid"),
        ("beam", "gate", "scale", "camera"), STOP, StepRule("return-to-pile", "offender", BACK_TO_PILE, cards=True),
        PENALISE_REST, LIMIT_COLLECT, FREEZE_LONG, DutyRule("return-to-pile", BACK_TO_PILE), _MEND_NOW, NEXT_COLLECT,
        freeze_turns=2, needs_referee=True, heals="opponent-draws"),
    # The options: cards passed over by the partner in turn look just so.
    fault("F-32", "32", Words("Apertura o carta legata fuori turno", "Meld or addition out of turn"),
        ("beam", "camera"), STOP,
        StepRule("freeze", "line",
            Words("Il gioco è congelato fino al prossimo turno di chi lo ha fatto.",
                "The meld is frozen until the next turn of the player who laid it."), until="own-next-turn",
            cards=True), StepRule("limit-turn", "offender", TAKE_AND_DISCARD, until="end-of-own-next-turn"),
        NEXT_TAKE, options=("F-32", "F-28f", "F-28g"), heals="opponent-draws"),
    _IN_FLIGHT,
    _missed_draw("F-30a", Words("Gioco senza aver pescato o raccolto", "Play without having drawn or picked up"),
        warn=False),
    _missed_draw("F-30b",
        Words("Gioco senza aver pescato o raccolto, rilevato dal compagno",
            "Play without having drawn or picked up, pointed out by the partner"), warn=True),
    fault("F-30d", "30, 22",
        Words("Il compagno suggerisce o ricorda di pescare", "The partner hints or reminds to draw"), ("person",),
        STOP, StepRule("limit-turn", "partner", TAKE_NOW, until="end-of-own-turn"),
        step("warn", "line", "La coppia è ammonita per il suggerimento.", "The pair is warned for the hint."),
        DutyRule("limit-turn", TAKE_NOW, ("draw", "collect", "discard"), when="this-turn", until="end-of-own-turn",
            who="partner"), heals="opponent-draws"),
)  # fmt: skip
