"""Arts. 1, 3 and 5: the pack and what is wrong with it (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.steps import DECK_REPLACED, STOP
from table_service.referee.catalogue import Ageing, Row, StepRule, Words
from table_service.referee.row_writing import fault, situation, step

ROWS: Final[tuple[Row, ...]] = (
    situation("F-01", "1",
        Words("Il mazzo, il rango e il valore delle carte", "The pack, the rank and the value of the cards"),
        step("nothing", "table",
            "Si gioca con 108 carte: due mazzi da 54, quattro jolly. Rango: jolly, 2, A, K … 3; cuori, quadri, "
            "fiori, picche. Valori: jolly 30, 2 20, A 15, K–8 10, 7–3 5.",
            "108 cards are played with: two packs of 54, four jokers. Rank: joker, 2, A, K … 3; hearts, diamonds, "
            "clubs, spades. Values: joker 30, 2 20, A 15, K–8 10, 7–3 5.")),
    # Enrolled tags name the cards of a pack, but stacked tags are mute: no sensor counts a pack before it is dealt.
    fault("F-03", "3", Words("Mazzo non controllato prima del turno", "Pack not checked before the round"),
        ("person",),
        step("correct-count", "table", "I giocatori controllano il mazzo; se non è in regola lo fanno sostituire.",
            "The players check the pack; one that is not right they have replaced."), asks=()),
    fault("F-05a", "5", Words("Mazzo irregolare, rilevato prima del gioco", "Irregular pack, found before play"),
        ("scale", "person"), STOP,
        StepRule("correct-count", "table", Words("Si ricontano tutte le carte.", "All cards are counted again.")),
        StepRule("replace-pack", "arbitro",
            Words("Se mancano o avanzano carte il mazzo si sostituisce.", "A pack short or over is replaced.")),
        StepRule("redeal", "table",
            Words("Se il mazzo è completo è una distribuzione errata: si rimescola e si ridistribuisce (art. 4).",
                "If the pack is complete it is a misdeal: shuffle and deal again (art. 4).")),
        Ageing("next-draw", "F-05b"), options=("F-05a", "F-04d"), needs_referee=True, asks=("option",)),
    # Eleven cards short of the pack is what a pot forgotten from the deal before looks like (art. 4).
    fault("F-05b", "5", Words("Mazzo irregolare, rilevato a gioco iniziato", "Irregular pack, found during the deal"),
        ("scale", "camera", "gate", "person"),
        step("nothing", "table", "La smazzata si gioca fino in fondo e vale.", "The deal is played out and counts.",
            until="deal-end"), DECK_REPLACED, options=("F-05b", "F-04f", "F-04k"), needs_referee=True,
        asks=("option",)),
    fault("F-05c", "5", Words("Mazzo irregolare, rilevato a smazzata finita", "Irregular pack, found after the deal"),
        ("person",),
        step("nothing", "table", "Il risultato acquisito è valido.", "The result that was reached is valid."),
        step("replace-pack", "arbitro", "Il mazzo si sostituisce.", "The pack is replaced."), asks=()),
)  # fmt: skip
